//! Logs that have ended: another was begun in their place, and they are kept whole, for whoever holds proofs of theirs.

use crate::error::Error;
use serde::Serialize;

/// Which log of a store is meant.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhichLog {
    /// The one that events get their leaves in.
    Growing,
    /// One that has ended, by its number.
    Ended(u64),
}

/// A log that has ended, or that is being moved aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EndedLog {
    /// Its number, counted from 1: it is served at `/log/ended/<number>/`.
    pub number: u64,
    /// Its origin.
    pub origin: String,
    /// How many leaves its last head is over.
    pub size: u64,
    /// Its keys, its witnesses and their quorum, as a policy.
    #[serde(skip)]
    pub policy: String,
    /// When it was begun to be moved: `YYYY-MM-DDThh:mm:ss.nnnZ`.
    #[serde(skip)]
    pub begun: String,
    /// When it had ended; none while it is being moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
}

/// What moves the log that grows aside, in portions: whoever is broken off goes on. One log at most is being moved.
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

    /// Notes that the log is to be moved, with its origin, its policy, and a time as in [`EndedLog::begun`]; where one is being moved
    /// already, that stays.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn begin_ending(&self, origin: &str, policy: &str, at: &str) -> Result<(), Error>;

    /// Moves a portion of the log: how many leaves are left, or none where nothing is left to be moved.
    ///
    /// # Errors
    /// A fault of the storage; then nothing was moved.
    async fn move_portion(&self) -> Result<Option<u64>, Error>;

    /// Notes that the log has ended, at a time as in [`EndedLog::begun`]. Requires that nothing is left to be moved.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn finish_ending(&self, at: &str) -> Result<(), Error>;
}
