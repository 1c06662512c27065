//! A quick hash that distinguishes most names.

/// A quick hash of a name. Different names may share one, so compare the names as well.
#[must_use]
pub fn look(name: &str) -> u8 {
    match name.as_bytes() {
        [] => 0,
        [only] => *only,
        [first, .., last] => first
            .wrapping_mul(7)
            .wrapping_add(last.wrapping_mul(3))
            .wrapping_add((name.len() as u8).wrapping_mul(13)),
    }
}
