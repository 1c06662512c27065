//! Where a thing is after each of its uses, by `epcis_edge_history::containment`, as for following.
//!
//! Why does following not answer this? Its engine holds every identifier and every stay; here a use of a thing is twenty bytes, and
//! only the uses of one thing are in order at a time, each with its place in the document, which a finding names.

use super::document_index::{CHILDREN, EPC_LIST, Event, Occurrence, role};
use epcis_edge_history::containment::{Action, Effect, Mention};

/// Where a thing is while its uses are gone through in order of time: the parent that it is inside of, and the last use that says so.
#[derive(Default)]
pub(super) struct Inside(pub(super) Option<(u64, Occurrence)>);

impl Inside {
    /// The digest of the parent.
    pub(super) fn parent(&self) -> Option<u64> {
        self.0.map(|(parent, _)| parent)
    }

    /// Takes the next use. `thing` is the digest of the thing, `parent` that of the container of the event.
    pub(super) fn take(&mut self, found: Occurrence, event: Option<Event>, thing: u64) {
        let is_aggregation = event.is_some_and(|event| event.is_aggregation);
        let parent = event.map_or(0, |event| event.container);
        let Some(effect) = mention(found, is_aggregation).and_then(Mention::effect) else { return };
        // 0 is the container of an event that names none.
        let thing = if parent == 0 { 0 } else { thing };
        self.0 = match effect.after(&thing, self.parent(), parent) {
            None => None,
            // Also if the parent is the same: everything may have been taken out of it in between.
            Some(parent) if effect == Effect::Inside => Some((parent, found)),
            Some(_) => self.0,
        };
    }
}

/// How an event mentions a thing; `None` if that says nothing about where the thing is.
fn mention(found: Occurrence, is_aggregation: bool) -> Option<Mention> {
    let is = |role: u8| found.role & role != 0;
    if found.field == CHILDREN && is_aggregation {
        return Some(Mention::Child(match () {
            () if is(role::PACKED) => Action::Add,
            () if is(role::UNPACKED) => Action::Delete,
            () => Action::Observe,
        }));
    }
    if is(role::INPUT) {
        return Some(Mention::Input);
    }
    let ends = found.field == EPC_LIST && is(role::DELETED);
    ends.then_some(Mention::Object(Action::Delete))
}
