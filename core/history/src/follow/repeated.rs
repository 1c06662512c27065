//! Events that a document has more than once. A store keeps such an event once, so it counts once here, too.

use super::event::Event;
use epcis_edge_document::hash::{Hasher, Hashing};
use epcis_edge_text::json::{Document, Value};
use epcis_edge_text::order::sort_stably_by;

/// Whether each event has the `eventID` and the content hash of one before it, and is no error declaration.
///
/// Only events with the same `eventID`, time and number of things are hashed. An event that cannot be hashed is not repeated.
pub(super) fn are_repeated<'d>(
    document: &'d Document<'d>,
    values: &[Value<'d>],
    events: &[Event<'d>],
) -> Vec<bool> {
    let counted = events.iter().enumerate().filter(|(_, event)| event.declaration.is_none());
    let mut alike: Vec<_> = counted
        .map(|(at, event)| ((event.time, event.references.len(), &event.named.name), at))
        .collect();
    sort_stably_by(&mut alike, &|one, other| one.cmp(other));
    let mut hasher = Hasher::new(document, Hashing::default());
    let mut repeated = vec![false; events.len()];
    for group in alike.chunk_by(|one, other| one.0 == other.0).filter(|group| group.len() > 1) {
        let hash = |(_, at): &(_, usize)| Some((hasher.hash(*values.get(*at)?).ok()?, *at));
        let mut hashes: Vec<_> = group.iter().filter_map(hash).collect();
        sort_stably_by(&mut hashes, &|one, other| one.cmp(other));
        for same in hashes.chunk_by(|one, other| one.0 == other.0) {
            for (_, at) in same.iter().skip(1) {
                if let Some(repeated) = repeated.get_mut(*at) {
                    *repeated = true;
                }
            }
        }
    }
    repeated
}
