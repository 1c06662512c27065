//! The steps that a walk did not take, and which of them leave a gap in the answer.

use super::{Gap, Walk};
use crate::follow::names::Thing;
use crate::follow::spans::{Span, Spans, overlap};
use std::collections::BTreeMap;

/// A step that was not taken.
pub(super) struct Refused {
    gap: Gap,
    /// The thing that the step leads from.
    near: Thing,
    /// The part of the answer that the step leads to.
    missing: Missing,
}

/// A part of the answer that may be missing: it is not if it was found in another way.
pub(super) enum Missing {
    /// A container around a thing, by the distance of the thing, in a part of the events.
    Container(Thing, usize, Span),
    /// The contents of a thing, by its distance, in a part of the events.
    Contents(Thing, usize, Span),
    /// The outputs (`true`) or inputs of the transformation that this event belongs to.
    Made(usize, bool),
}

impl Walk<'_> {
    pub(super) fn refuse(&mut self, gap: Gap, near: Thing, missing: Missing) {
        if self.refused.len() < self.rows {
            self.refused.push(Refused { gap, near, missing });
        } else {
            self.gaps.insert((Gap::Size, near));
        }
    }

    /// Turns the steps that were not taken into gaps, unless what they lead to was found in another way.
    pub(super) fn find_gaps(&mut self) {
        let mut made = BTreeMap::new();
        for Refused { gap, near, missing } in std::mem::take(&mut self.refused) {
            let is_missing = match missing {
                Missing::Made(at, is_forth) => {
                    let whole = self.history.transformation(at).map(|whole| whole.first);
                    let known = made.entry((whole, is_forth));
                    *known.or_insert_with(|| self.is_made_missing(at, is_forth))
                }
                Missing::Container(thing, distance, span) => {
                    self.is_container_missing(thing, distance, span)
                }
                Missing::Contents(thing, distance, span) => {
                    let nearer = |(other, found, has_contents): &(Span, usize, bool)| {
                        *has_contents && *found < distance && overlap(*other, span).is_some()
                    };
                    let parts = self.distances.get(&thing);
                    !parts.is_some_and(|parts| parts.iter().any(nearer))
                }
            };
            if is_missing {
                self.gaps.insert((gap, near));
            }
        }
    }

    /// Whether outputs or inputs of a transformation are not followed.
    fn is_made_missing(&self, at: usize, is_forth: bool) -> bool {
        let Some(whole) = self.history.transformation(at) else { return false };
        let (things, place) = match is_forth {
            true => (&whole.outputs, whole.first),
            false => (&whole.inputs, whole.last),
        };
        let is_followed = |thing: Thing| {
            [false, true].into_iter().any(|has_contents| {
                let done = self.done.get(&(thing, is_forth, false, has_contents));
                done.is_some_and(|spans| spans.contains(place))
            })
        };
        things.keys().any(|thing| !is_followed(*thing))
    }

    /// Whether in some of these events the thing was not found at a smaller distance.
    fn is_container_missing(&self, thing: Thing, distance: usize, span: Span) -> bool {
        let mut nearer = Spans::default();
        for (part, found, _) in self.distances.get(&thing).into_iter().flatten() {
            if *found < distance {
                nearer.add(*part);
            }
        }
        !nearer.add(span).is_empty()
    }
}
