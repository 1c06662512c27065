//! Ranges of events that were dealt with, so that none is dealt with twice.

use std::collections::BTreeMap;

/// A range of places in the order of events; both ends belong to it.
pub(super) type Span = (usize, usize);

/// A set of places, as ranges that do not touch.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans(BTreeMap<usize, usize>);

impl Spans {
    /// Whether a place is in it.
    pub(super) fn contains(&self, place: usize) -> bool {
        let before = self.0.range(..=place).next_back();
        before.is_some_and(|(_, last)| *last >= place)
    }

    /// Adds a range, and returns the parts of it that are new.
    pub(super) fn add(&mut self, (from, to): Span) -> Vec<Span> {
        let before = self.0.range(..from).next_back();
        let mut start = from;
        let mut whole = (from, to);
        if let Some((first, last)) = before
            && last.saturating_add(1) >= from
        {
            whole = (*first, to.max(*last));
            start = last.saturating_add(1);
        }
        let covered: Vec<Span> = self
            .0
            .range(from..=to.saturating_add(1))
            .map(|(first, last)| (*first, *last))
            .collect();
        let mut added = Vec::new();
        for (first, last) in covered {
            if start < first {
                added.push((start, first - 1));
            }
            start = start.max(last.saturating_add(1));
            whole.1 = whole.1.max(last);
            self.0.remove(&first);
        }
        if start <= to {
            added.push((start, to));
        }
        self.0.insert(whole.0, whole.1);
        added
    }
}

#[cfg(test)]
mod tests {
    use super::Spans;

    #[test]
    fn no_place_is_new_twice() {
        let mut seed = 7_u32;
        let mut next = |below: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) as usize % below
        };
        for _ in 0..300 {
            let (mut spans, mut known) = (Spans::default(), [false; 40]);
            for _ in 0..12 {
                let (one, other) = (next(40), next(40));
                let (from, to) = (one.min(other), one.max(other));
                let mut added = Vec::new();
                for (first, last) in spans.add((from, to)) {
                    added.extend(first..=last);
                }
                let expected: Vec<usize> = (from..=to).filter(|at| !known[*at]).collect();
                assert_eq!(added, expected);
                known[from..=to].fill(true);
            }
        }
    }
}
