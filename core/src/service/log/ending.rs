//! Ends a log: the whole log is moved aside, and another may begin. Also checks whether a log may be signed.

use super::{Service, internal};
use crate::error::{Error, LogFault};
use crate::log::{Checkpoint, Note};
use crate::store::{EndedLog, Halt, HeadCopy, Store, WhichLog};
use serde::Serialize;

/// The progress of moving a log aside.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ending {
    /// The number of the ended log, which is served at `/log/ended/<number>/` from now on.
    pub number: u64,
    /// Its origin.
    pub origin: String,
    /// How many leaves are still to be moved.
    pub left: u64,
    /// Whether it has ended.
    pub has_ended: bool,
}

impl<S: Store> Service<S> {
    /// Moves a portion of the log aside; to be called until the log has ended. Nothing is signed in between.
    ///
    /// # Errors
    /// [`LogFault::NotKept`]; [`LogFault::Stopped`] if there is no log to end, or if the database has the log of another key; a
    /// fault of the storage.
    pub(super) async fn end_log(&self, at: &str) -> Result<Ending, Error> {
        let settings = self.log_settings()?;
        let origin = settings.origin();
        let stopped = |reason: String| Error::from(LogFault::Stopped { reason });
        let ended = self.store.ended_logs().await?;
        if !ended.iter().any(|log| log.ended.is_none()) {
            let last = self.store.last_head(WhichLog::Growing).await?;
            let last = last
                .ok_or_else(|| stopped(format!("there is no log {origin} that could be ended")))?;
            require_origin(&last.note, origin)?;
            // A copy made before logs could end does not name its log.
            if let Some(copy) = self.store.head_copy().await?
                && copy.origin.is_none()
            {
                let origin = Some(origin.to_owned());
                self.store.copy_head(&HeadCopy { origin, ..copy }).await?;
            }
            let policy = settings.policy_text();
            self.store.begin_ending(origin, &policy, at).await?;
        }
        let left = self.store.move_portion().await?;
        if left.is_none() {
            // A halt of this log does not concern the next one. If the process stops after this line, the log is still being
            // moved.
            self.store.resume(at).await?;
            self.store.finish_ending(at).await?;
        }
        let ended = self.store.ended_logs().await?;
        let log = ended.into_iter().next_back();
        let log = log.ok_or_else(|| internal("a log that is moved aside is not there"))?;
        Ok(Ending {
            number: log.number,
            origin: log.origin,
            left: left.unwrap_or_default(),
            has_ended: log.ended.is_some(),
        })
    }

    /// Checks that the growing log may be signed, and returns the logs that have ended.
    ///
    /// # Errors
    /// [`LogFault::Halted`] until an operator says that the log may go on; [`LogFault::Stopped`] if it has ended or is being
    /// moved aside; a fault of the storage.
    pub(super) async fn require_signing(&self) -> Result<Vec<EndedLog>, Error> {
        if let Some(Halt {
            begun,
            reason,
            ended: None,
        }) = self.store.last_halt().await?
        {
            return Err(LogFault::Halted { begun, reason }.into());
        }
        let ended = self.store.ended_logs().await?;
        let origin = self.log_settings()?.origin();
        let reason = if let Some(log) = ended.iter().find(|log| log.ended.is_none()) {
            format!(
                "the log {} is being moved aside: run `epcis-edge log end` to continue",
                log.origin
            )
        } else if ended.iter().any(|log| log.origin == origin) {
            format!(
                "the log {origin} has ended; the next one begins when LOG_KEY has a key of another name"
            )
        } else {
            return Ok(ended);
        };
        Err(LogFault::Stopped { reason }.into())
    }
}

/// Requires that a head belongs to the log of a key. Under another name, its leaves would be signed for a log that never had
/// them.
///
/// # Errors
/// [`LogFault::Stopped`].
pub(super) fn require_origin(note: &str, origin: &str) -> Result<(), Error> {
    let found = Checkpoint::read(Note::read(note)?.text())?.origin;
    if found == origin {
        return Ok(());
    }
    let reason = format!(
        "the database has the log {found}, LOG_KEY is of {origin}: end that log first, with its own key"
    );
    Err(LogFault::Stopped { reason }.into())
}
