//! The places of the events in a capture, and the reports about hash names that do not match.

use super::partial;
use epcis_edge_document::hash::EventHash;
use epcis_edge_text::error::DocumentError;
use epcis_edge_text::json::{Kind, Value};
use serde::Serialize;

/// An event whose name is a hash that does not match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unverified {
    /// Its position in the batch.
    pub index: usize,
    /// The hash that would be correct as its name, in the version that the name claims.
    pub expected: EventHash,
}

/// Where the events of a capture are in the document sent.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventsAt {
    /// The document is the one event.
    Root,
    /// The one event is at this JSON Pointer, in place of the list.
    Alone(&'static str),
    /// The events are in the list at this JSON Pointer.
    List(&'static str),
}

impl EventsAt {
    pub(super) fn of(root: Value<'_>) -> Self {
        if root.kind() == Kind::Array {
            return Self::List("");
        }
        match root.get("epcisBody").map(|body| body.get("eventList")) {
            None => Self::Root,
            Some(Some(list)) if list.kind() == Kind::Object => Self::Alone(partial::EVENTS),
            Some(_) => Self::List(partial::EVENTS),
        }
    }

    /// The JSON Pointer of an event, by its index in the list.
    #[must_use]
    pub fn pointer(self, index: usize) -> String {
        match self {
            Self::Root => String::new(),
            Self::Alone(list) => list.to_owned(),
            Self::List(list) => format!("{list}/{index}"),
        }
    }

    /// The JSON Pointer of the name of an event.
    #[must_use]
    pub fn name_pointer(self, index: usize) -> String {
        self.pointer(index) + NAME
    }
}

/// An event whose name is a hash that does not match, as it is reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnverifiedName {
    /// The JSON Pointer of the name in the document sent.
    pub path: String,
    /// The name; it was kept as a plain name.
    #[serde(rename = "eventID")]
    pub event_id: String,
    /// The correct hash.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub expected: EventHash,
}

/// The JSON Pointer of an event's name, relative to the event.
pub(super) const NAME: &str = "/eventID";

pub(super) const EVENT_HASH: &str = "eventHash";

/// The advice to a caller whose hash name is refused.
pub(super) const WAY_OUT: &str = "leave the `eventID` out, or let it be kept as a mere name (`HASH_EVENT_IDS=report` at the gateway, \
                       `eventIDs: \"keep\"` over MCP)";

pub(super) fn not_its_hash(expected: &EventHash) -> String {
    format!(
        "the `eventID` is an event hash, but not that of this event, which is `{expected}`; {WAY_OUT}"
    )
}

pub(super) fn foreign_hash(path: String, expected: &EventHash) -> DocumentError {
    DocumentError { path, keyword: EVENT_HASH.to_owned(), message: not_its_hash(expected) }
}
