//! Where the events of a capture stand, and what is said of names that are hashes and do not hold.

use super::partial;
use crate::error::Finding;
use crate::hash::EventHash;
use crate::json::{Kind, Value};
use serde::Serialize;

/// An event whose name is a hash that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unverified {
    /// Its place in the batch.
    pub index: usize,
    /// The hash that the name should be, in the version that it claims.
    pub expected: EventHash,
}

/// Where the events of a capture stand in what was sent.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventsAt {
    /// The one event is what was sent.
    Root,
    /// The one event stands alone in place of the list, at this JSON Pointer.
    Alone(&'static str),
    /// They stand in the list at this JSON Pointer.
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

    /// The JSON Pointer of an event, by its place among them.
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

/// An event whose name is a hash that does not hold, as it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnverifiedName {
    /// The JSON Pointer of the name in what was sent.
    pub path: String,
    /// The name, which was kept as a mere name.
    #[serde(rename = "eventID")]
    pub event_id: String,
    /// The hash that it should be; serialised as its URI.
    pub expected: EventHash,
}

/// The JSON Pointer of an event's name, seen from the event.
pub(super) const NAME: &str = "/eventID";

pub(super) const EVENT_HASH: &str = "eventHash";

/// What a caller can do about a hash name that is refused.
pub(super) const WAY_OUT: &str = "leave the `eventID` out, or let it be kept as a mere name (`HASH_EVENT_IDS=report` at the gateway, \
                       `eventIDs: \"keep\"` over MCP)";

pub(super) fn not_its_hash(expected: &EventHash) -> String {
    format!(
        "the `eventID` is an event hash, but not that of this event, which is `{expected}`; {WAY_OUT}"
    )
}

pub(super) fn foreign_hash(path: String, expected: &EventHash) -> Finding {
    Finding {
        path,
        keyword: EVENT_HASH.to_owned(),
        message: not_its_hash(expected),
    }
}
