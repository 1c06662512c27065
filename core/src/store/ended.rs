//! Logs that have ended: another log took their place, and they are kept whole for holders of proofs from them.

use crate::error::Error;
use serde::Serialize;

/// A log in a store: the growing one, or an ended one.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhichLog {
    /// The log that receives the leaves of new events.
    Growing,
    /// A log that has ended, by its number.
    Ended(u64),
}

/// A log that has ended, or that is being moved aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EndedLog {
    /// Its number, counted from 1: it is served at `/log/ended/<number>/`.
    pub number: u64,
    /// Its origin.
    pub origin: String,
    /// How many leaves its last head covers.
    pub size: u64,
    /// Its keys, its witnesses and their quorum, as a policy.
    #[serde(skip)]
    pub policy: String,
    /// When moving it began: `YYYY-MM-DDThh:mm:ss.nnnZ`.
    #[serde(skip)]
    pub begun: String,
    /// When it ended; `None` while it is being moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
}

/// The operations that move the growing log aside, in portions, so that an interrupted move can continue. At most one log is
/// being moved.
#[expect(
    async_fn_in_trait,
    reason = "workers have one thread: nobody needs the future to be Send"
)]
pub trait EndedLogs {
    /// The logs that have ended, and the one that is being moved, in the order of their numbers.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn ended_logs(&self) -> Result<Vec<EndedLog>, Error>;

    /// Records that the log is to be moved, with its origin, its policy, and a time as in [`EndedLog::begun`]; does nothing if
    /// one is being moved already.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn begin_ending(&self, origin: &str, policy: &str, at: &str) -> Result<(), Error>;

    /// Moves a portion of the log. Returns how many leaves are left, or `None` if there was nothing to move.
    ///
    /// # Errors
    /// A fault of the storage; then nothing was moved.
    async fn move_portion(&self) -> Result<Option<u64>, Error>;

    /// Records that the log has ended, at a time as in [`EndedLog::begun`]. Requires that nothing is left to be moved.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn finish_ending(&self, at: &str) -> Result<(), Error>;
}
