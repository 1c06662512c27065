//! A sort of digests with their places that takes no longer for anybody's choice of digests.

/// How many of the bits are the place.
const PLACE_BITS: u32 = 28;
const PLACE: u64 = (1 << PLACE_BITS) - 1;
const DIGIT_BITS: u32 = 9;
const DIGITS: u32 = (u64::BITS - PLACE_BITS) / DIGIT_BITS;
/// Fewer entries are sorted one by one.
const FEW: usize = 24;

/// A digest, cut, and a place below 2²⁸.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry(u64);

impl Entry {
    pub(super) fn new(digest: u64, place: usize) -> Self {
        Self(digest & !PLACE | place as u64 & PLACE)
    }

    pub(super) fn place(self) -> usize {
        (self.0 & PLACE) as usize
    }

    /// Whether both have the same digest, as far as it is kept.
    pub(super) fn is_alike(self, other: Self) -> bool {
        (self.0 ^ other.0) & !PLACE == 0
    }

    fn digit(self, number: u32) -> usize {
        let digits = self.0 >> (PLACE_BITS + number * DIGIT_BITS);
        (digits & ((1 << DIGIT_BITS) - 1)) as usize
    }
}

/// Sorts entries by their digests; those of one digest stay in their order.
pub(super) fn by_digest(entries: &mut Vec<Entry>) {
    if entries.len() < FEW {
        // INVARIANT: they came in the order of their places, so the whole entry may be compared.
        insertion(entries);
        return;
    }
    let mut other = vec![Entry::default(); entries.len()];
    for digit in 0..DIGITS {
        let mut starts = [0_u32; 1 << DIGIT_BITS];
        for entry in &*entries {
            if let Some(count) = starts.get_mut(entry.digit(digit)) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            let count = *start;
            *start = sum;
            sum += count;
        }
        for entry in &*entries {
            if let Some(start) = starts.get_mut(entry.digit(digit)) {
                if let Some(place) = other.get_mut(*start as usize) {
                    *place = *entry;
                }
                *start += 1;
            }
        }
        std::mem::swap(entries, &mut other);
    }
}

fn insertion(entries: &mut [Entry]) {
    for end in 1..entries.len() {
        let mut at = end;
        while at > 0 && entries.get(at - 1) > entries.get(at) {
            entries.swap(at - 1, at);
            at -= 1;
        }
    }
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
                        Entry::new((seed ^ seed >> 31) & kept, place)
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
