//! Sorts digests together with their places. Digests chosen by an attacker do not slow it down.

/// How many of the bits hold the place.
const PLACE_BITS: u32 = 28;
const PLACE: u64 = (1 << PLACE_BITS) - 1;

/// A truncated digest, and a place below 2²⁸.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DigestedPlace(u64);

impl DigestedPlace {
    pub(super) fn new(digest: u64, place: usize) -> Self {
        Self(digest & !PLACE | place as u64 & PLACE)
    }

    pub(super) fn place(self) -> usize {
        (self.0 & PLACE) as usize
    }

    /// Whether both have the same truncated digest.
    pub(super) fn is_alike(self, other: Self) -> bool {
        (self.0 ^ other.0) & !PLACE == 0
    }
}

/// Sorts entries by their digests; entries of equal digest keep their order.
pub(super) fn by_digest(entries: &mut [DigestedPlace]) {
    // INVARIANT: no two entries have the same place, so none are equal.
    entries.sort_unstable();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_end_in_the_order_of_digests_and_places() {
        let mut seed = 7_u64;
        for count in [0, 1, 2, 23, 24, 25, 1000, 70_000] {
            for kept in [u64::MAX, 3 << 62, 0xff << 30] {
                let mut entries: Vec<_> = (0..count)
                    .map(|place| {
                        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        DigestedPlace::new((seed ^ seed >> 31) & kept, place)
                    })
                    .collect();
                let mut expected = entries.clone();
                expected.sort();
                by_digest(&mut entries);
                assert_eq!(entries, expected);
            }
        }
    }
}
