//! A digest of a short text, to tell most unequal ones apart at once.

/// A number for a text, made of its two ends and its length: equal texts have the same one, others hardly ever.
///
/// Long texts of one length that differ only in the middle have the same one too: it is a hint, never a proof of equality.
#[inline]
pub(crate) const fn digest(text: &[u8]) -> u32 {
    let (head, tail) = match (text.first_chunk(), text.last_chunk()) {
        (Some(head), Some(tail)) => (u64::from_le_bytes(*head), u64::from_le_bytes(*tail)),
        _ => match (text.first_chunk(), text.last_chunk()) {
            (Some(head), Some(tail)) => (
                u32::from_le_bytes(*head) as u64,
                u32::from_le_bytes(*tail) as u64,
            ),
            _ => match text {
                [one] => (*one as u64, 0),
                [one, two] => (*one as u64, *two as u64),
                [one, two, three] => (*one as u64 | (*two as u64) << 8, *three as u64),
                _ => (0, 0),
            },
        },
    };
    let mixed = (head ^ tail.rotate_left(29)).wrapping_add(text.len() as u64);
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}
