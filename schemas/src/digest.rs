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

/// The first eight bytes of a text, the first of them lowest; zeros where it ends.
#[inline]
pub fn first(text: &[u8]) -> u64 {
    if let Some(first) = text.first_chunk() {
        return u64::from_le_bytes(*first);
    }
    if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        // Where both have the same bytes, these fall together: of `bizStep` the `S`.
        let behind = 8 * (text.len() - size_of::<u32>());
        return u64::from(u32::from_le_bytes(*first))
            | u64::from(u32::from_le_bytes(*last)) << behind;
    }
    let byte = |number: usize| text.get(number).map_or(0, |byte| u64::from(*byte));
    byte(0) | byte(1) << 8 | byte(2) << 16
}

/// Whether two texts are the same; up to 24 bytes no function is called for it.
#[inline]
pub fn are_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    if one.len() < 8 {
        return first(one) == first(other);
    }
    let is_middle_same = match one.len() {
        ..=16 => true,
        17..=24 => one.get(8..16) == other.get(8..16),
        _ => return one == other,
    };
    is_middle_same
        && one.first_chunk::<8>() == other.first_chunk()
        && one.last_chunk::<8>() == other.last_chunk()
}
