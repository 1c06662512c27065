//! Finds events that are listed twice and have no names.
//!
//! Events with equal digests are compared by the hash of CBV 2.0. Each event is hashed once at most. Pre-hash strings have the same
//! size limit as in any hashing of a document.

use super::document_index::{DocumentFinding, Unnamed};
use super::fuel::{self, Fuel};
use super::{mark, sort};
use epcis_edge_document::event::WHOLE;
use epcis_edge_document::hash::{Hasher, Profile};
use epcis_edge_text::json::Document;

/// Reports each event that has the content of an earlier one. Ends early without fuel.
pub(super) fn find(
    unnamed: Unnamed,
    (document, fuel): (&Document<'_>, &Fuel),
    findings: &mut Vec<DocumentFinding>,
) {
    let Unnamed { mut entries, events, .. } = unnamed;
    if !fuel.take_with(|| fuel::comparing(entries.len())) {
        return;
    }
    sort::by_digest(&mut entries);
    let mut hasher = None;
    let groups = entries.chunk_by(|one, other| one.is_alike(*other));
    for alike in groups.filter(|alike| alike.len() > 1) {
        let hasher = hasher.get_or_insert_with(|| Hasher::new(document, Profile::Cbv20));
        let mut hashes = Vec::new();
        for number in alike.iter().filter_map(|entry| events.get(entry.place())) {
            // An event that is too long to hash ends the search: those that follow may be as long.
            let event = document.value_of(*number);
            if !fuel.take_with(|| fuel::hashing(event)) {
                return;
            }
            let Ok(judged) = hasher.hash_all(event) else { return };
            hashes.push((judged.hash, *number));
        }
        epcis_edge_text::order::sort_stably_by(&mut hashes, &|one, other| one.cmp(other));
        let mut first = None;
        for (hash, number) in hashes {
            match first {
                Some((known, related)) if known == hash => findings.push(DocumentFinding {
                    value: number,
                    event: number,
                    related,
                    mark: mark::REPEATED_EVENT.trailing_zeros() as u8,
                    field: WHOLE,
                }),
                _ => first = Some((hash, number)),
            }
        }
    }
}
