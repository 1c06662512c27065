//! The start of a walk, and the events within the time of its request.

use crate::follow::history::History;
use crate::follow::names::Thing;
use crate::follow::request::{Request, class_of};
use std::collections::BTreeSet;

/// The things that a request asks for.
pub(super) fn asked(history: &History<'_>, request: &Request) -> BTreeSet<Thing> {
    let mut found = BTreeSet::new();
    for item in &request.items {
        found.extend(history.names.find(item));
        if let Some(start) = class_of(item) {
            let of_class = history.names.beginning_with(&start);
            found.extend(of_class.filter(|thing| is_named_in_time(history, request, *thing)));
        }
    }
    found
}

/// Whether an event is within `from` and `to` of a request.
pub(super) fn is_in_time(history: &History<'_>, request: &Request, at: usize) -> bool {
    let time = history.events.get(at).and_then(|event| event.time);
    let from = request.from;
    let is_late_enough = from.is_none_or(|from| time.is_some_and(|time| time >= from));
    let to = request.to;
    is_late_enough && to.is_none_or(|to| time.is_some_and(|time| time < to))
}

/// Whether an event within `from` and `to` names a thing.
fn is_named_in_time(history: &History<'_>, request: &Request, thing: Thing) -> bool {
    let mut mentions = history.mentions(thing).iter();
    mentions.any(|(at, _)| is_in_time(history, request, *at as usize))
}
