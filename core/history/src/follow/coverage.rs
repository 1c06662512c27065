//! The spans of time in which the events of a thing were looked up.

use epcis_edge_text::time::Timestamp;

/// A point in time, or before all, or after all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Moment {
    Start,
    At(Timestamp),
    End,
}

impl Moment {
    /// From this time on; from the start if there is none.
    pub(super) fn from(time: Option<Timestamp>) -> Self {
        time.map_or(Self::Start, Self::At)
    }

    /// Until this time, which belongs to it; until the end if there is none.
    pub(super) fn through(time: Option<Timestamp>) -> Self {
        time.map_or(Self::End, |time| Self::At(time.next()))
    }

    pub(super) fn time(self) -> Option<Timestamp> {
        match self {
            Self::At(time) => Some(time),
            Self::Start | Self::End => None,
        }
    }
}

/// Spans of time that were looked up; the first moment belongs to a span, the second does not.
#[derive(Clone, Debug, Default)]
pub(super) struct Coverage(Vec<(Moment, Moment)>);

impl Coverage {
    pub(super) fn add(&mut self, from: Moment, to: Moment) {
        if from < to {
            self.0.push((from, to));
        }
    }

    /// How far it reaches from a moment on without a gap.
    pub(super) fn reach_forth(&self, from: Moment) -> Moment {
        let mut reached = from;
        let next = |reached| {
            let spans = self.0.iter().filter(|span| span.0 <= reached);
            spans.map(|span| span.1).max().filter(|to| *to > reached)
        };
        while let Some(to) = next(reached) {
            reached = to;
        }
        reached
    }

    /// How far it reaches back from a moment without a gap.
    pub(super) fn reach_back(&self, to: Moment) -> Moment {
        let mut reached = to;
        let next = |reached| {
            let spans = self.0.iter().filter(|span| span.1 >= reached);
            spans.map(|span| span.0).min().filter(|from| *from < reached)
        };
        while let Some(from) = next(reached) {
            reached = from;
        }
        reached
    }
}
