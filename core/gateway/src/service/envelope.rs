//! The envelopes of the interface.

use serde::Serialize;

/// An answer to a valid request; its member `type` tells the envelopes apart.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "UPPERCASE")]
pub enum Envelope<T> {
    /// The members of the operation.
    Ok(T),
    /// A collection that is empty.
    Empty {
        /// A message for people.
        message: &'static str,
    },
    /// A refusal for lack of permission.
    Blocked {
        /// A message for people.
        reason: &'static str,
    },
}
