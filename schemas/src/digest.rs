//! Short texts compared without a call: a digest that tells most unequal ones apart, and the comparison itself.

/// A number for a text, made of its two ends and its length: equal texts have the same one, others hardly ever.
///
/// Long texts of one length that differ only in the middle have the same one too: it is a hint, never a proof of equality.
#[inline]
pub const fn digest(text: &[u8]) -> u32 {
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

/// Whether two texts are equal; for short ones faster than the comparison of slices, which is a call.
#[inline]
pub fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let (one_chunks, one_rest) = one.as_chunks::<8>();
    let (other_chunks, other_rest) = other.as_chunks::<8>();
    let chunks = one_chunks.iter().zip(other_chunks);
    for (one, other) in chunks {
        if u64::from_le_bytes(*one) != u64::from_le_bytes(*other) {
            return false;
        }
    }
    match (one.last_chunk::<8>(), other.last_chunk::<8>()) {
        // Over the rest, and over some bytes again.
        (Some(one), Some(other)) => u64::from_le_bytes(*one) == u64::from_le_bytes(*other),
        _ => one_rest.iter().eq(other_rest),
    }
}
