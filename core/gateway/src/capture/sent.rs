//! Events as they were sent.

use super::name::{NameChecker, claim_of};
use epcis_edge_document::hash::{self, Claim, EventHash};
use epcis_edge_text::error::{DocumentError, Error, ErrorKind};
use epcis_edge_text::json::Document;
use epcis_edge_text::slice::Known;

/// The properties of an event as it was sent.
pub(super) struct SentEvent {
    pub(super) content_hash: EventHash,
    pub(super) claim: Claim,
    /// Whether its name is its hash.
    pub(super) holds: bool,
    /// The error of an undeclared prefix, if there is one, and the number of the value with such a name.
    pub(super) undeclared: Option<(ErrorKind, u32)>,
}

/// The properties of all events of a document, in document order.
///
/// # Errors
/// As [`hash::events`] and [`NameChecker::checked_hash`]; [`ErrorKind::Invalid`] with the place of an event in which a prefix stands for
/// too long a text.
pub(super) fn sent_events(document: &Document<'_>) -> Result<Vec<SentEvent>, Error> {
    let mut names = NameChecker::new(document);
    hash::events(document)?
        .map(|event| {
            let event = event?;
            let judged = names.checked_hash(event).map_err(placed)?;
            let content_hash = judged.hash;
            let claim = claim_of(event);
            Ok(SentEvent {
                undeclared: judged.undeclared.map(|(kind, value)| (kind, value.number())),
                content_hash,
                claim,
                holds: names.is_met(claim, event, &content_hash)?,
            })
        })
        .collect()
}

/// Converts an error about a single event to a finding, so that the other events may be captured.
fn placed(error: Error) -> Error {
    if !matches!(error.kind(), ErrorKind::NamespaceTooLong { .. }) {
        return error;
    }
    let path = error.location().map(|place| place.path.clone());
    Error::invalid(vec![DocumentError {
        path: path.known(),
        keyword: "prefix".to_owned(),
        message: error.kind().to_string(),
    }])
}
