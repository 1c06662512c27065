//! Ranges of events that were processed, so that no event is processed twice.

/// A range of places in the order of events; both ends belong to it.
pub(super) type Span = (usize, usize);

/// A set of places, as ranges that do not touch, in order. Most sets have one or two of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans(Vec<Span>);

impl Spans {
    /// Whether a place is in it.
    pub(super) fn contains(&self, place: usize) -> bool {
        let at = self.0.partition_point(|(_, last)| *last < place);
        self.0.get(at).is_some_and(|(first, _)| *first <= place)
    }

    /// Adds a range, and returns the parts of it that are new.
    pub(super) fn add(&mut self, (from, to): Span) -> Vec<Span> {
        // The ranges that overlap it or touch it.
        let begin = self.0.partition_point(|(_, last)| last.saturating_add(1) < from);
        let end = self.0.partition_point(|(first, _)| *first <= to.saturating_add(1));
        let mut start = from;
        let mut whole = (from, to);
        let mut added = Vec::new();
        for (first, last) in self.0.drain(begin..end.max(begin)) {
            if start < first {
                added.push((start, first - 1));
            }
            start = start.max(last.saturating_add(1));
            whole = (whole.0.min(first), whole.1.max(last));
        }
        if start <= to {
            added.push((start, to));
        }
        self.0.insert(begin, whole);
        added
    }
}

/// The common part of two ranges.
pub(super) fn overlap((from, to): Span, (first, last): Span) -> Option<Span> {
    let common = (from.max(first), to.min(last));
    (common.0 <= common.1).then_some(common)
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
