//! The envelopes of the interface.

use serde::Serialize;

/// A substantive answer; its member `type` tells the envelopes apart.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "UPPERCASE")]
pub enum Envelope<T> {
    /// The members of the operation.
    Ok(T),
    /// A truthful empty collection.
    Empty {
        /// For a person.
        message: &'static str,
    },
    /// A permission boundary.
    Blocked {
        /// For a person.
        reason: &'static str,
    },
}
