//! Compares short texts without a function call: a digest that distinguishes most of them, and the exact comparison.

/// A hash of a text, made from its two ends and its length. Different texts seldom share one.
///
/// Long texts of the same length that differ only in the middle do share one: it is a hint, never a proof of equality.
pub const fn digest(text: &[u8]) -> u32 {
    let (head, tail) = match (text.first_chunk(), text.last_chunk()) {
        (Some(head), Some(tail)) => (u64::from_le_bytes(*head), u64::from_le_bytes(*tail)),
        _ => match (text.first_chunk(), text.last_chunk()) {
            (Some(head), Some(tail)) => {
                (u32::from_le_bytes(*head) as u64, u32::from_le_bytes(*tail) as u64)
            }
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

/// The first eight bytes of a text as a little-endian number; a shorter text is padded with zeros.
pub fn first(text: &[u8]) -> u64 {
    if let Some(first) = text.first_chunk() {
        return u64::from_le_bytes(*first);
    }
    if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        // The halves may overlap. The shared bytes then coincide, such as the `S` of `bizStep`.
        let behind = 8 * (text.len() - size_of::<u32>());
        return u64::from(u32::from_le_bytes(*first))
            | u64::from(u32::from_le_bytes(*last)) << behind;
    }
    let byte = |number: usize| text.get(number).map_or(0, |byte| u64::from(*byte));
    byte(0) | byte(1) << 8 | byte(2) << 16
}

/// Whether two texts are equal. Up to 24 bytes this needs no function call.
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
