//! Events that a document has more than once. A store keeps such an event once, so it counts once here, too.

use super::event::Event;
use epcis_edge_document::hash::{Hasher, Hashing};
use epcis_edge_text::json::{Document, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The places of the events that have the `eventID` and the content hash of one before them. Error declarations have none.
///
/// Only events with the same `eventID`, time and number of things are hashed. An event that cannot be hashed is not repeated.
pub(super) fn places<'d>(
    document: &'d Document<'d>,
    values: &[Value<'d>],
    events: &[Event<'d>],
) -> BTreeSet<u64> {
    let mut alike: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, event) in events.iter().enumerate() {
        if event.declaration.is_none() {
            let key = (event.time, event.references.len(), &event.name);
            alike.entry(key).or_default().push(at);
        }
    }
    let mut hasher = Hasher::new(document, Hashing::default());
    let mut repeated = BTreeSet::new();
    for group in alike.into_values().filter(|group| group.len() > 1) {
        let mut hashes = BTreeSet::new();
        for at in group {
            let hash = values.get(at).and_then(|event| hasher.hash(*event).ok());
            if hash.is_some_and(|hash| !hashes.insert(hash)) {
                repeated.insert(at as u64);
            }
        }
    }
    repeated
}
