//! Whether the log may be signed.

use super::Service;
use crate::store::{Halt, Head};
use epcis_edge_log::{Checkpoint, Note};
use epcis_edge_text::error::{Error, LogFault};

impl Service {
    /// Checks that the log may continue from the newest head of the store.
    ///
    /// # Errors
    /// [`LogFault::Halted`]; [`LogFault::OtherLog`]; [`LogFault::Restored`] if the head that was copied last is not among those
    /// of the store; a fault of the storage.
    pub(super) async fn require_signable(&self, last: Option<&Head>) -> Result<(), Error> {
        self.require_no_halt().await?;
        self.require_own(last)?;
        let Some(copy) = self.store.head_copy().await? else {
            return Ok(());
        };
        require_origin(&copy.origin, self.log_settings()?.origin())?;
        let is_last = last.is_some_and(|head| head.size == copy.size && head.root == copy.root);
        if is_last {
            return Ok(());
        }
        let kept = self.store.head(copy.size).await?;
        if kept.is_some_and(|head| head.root == copy.root) {
            return Ok(());
        }
        Err(LogFault::Restored { signed: copy.size, found: last.map_or(0, |head| head.size) }
            .into())
    }

    /// # Errors
    /// [`LogFault::Halted`] until an operator says that the log may go on; a fault of the storage.
    pub(super) async fn require_no_halt(&self) -> Result<(), Error> {
        match self.store.last_halt().await? {
            Some(Halt { begun, reason, ended: None }) => {
                Err(LogFault::Halted { begun, reason }.into())
            }
            _ => Ok(()),
        }
    }

    /// Requires that the newest head, if there is one, is of the log of the key. Under another name, its leaves would be signed for
    /// a log that never had them.
    ///
    /// # Errors
    /// [`LogFault::OtherLog`].
    pub(super) fn require_own(&self, last: Option<&Head>) -> Result<(), Error> {
        let Some(head) = last else { return Ok(()) };
        let found = Note::read(&head.note).and_then(|note| Checkpoint::read(note.text()));
        let found = found.map_err(|fault| {
            Error::impossible(format!("head {} of the log cannot be read: {fault}", head.size))
        })?;
        let found = found.origin;
        require_origin(&found, self.log_settings()?.origin())
    }
}

/// # Errors
/// [`LogFault::OtherLog`].
fn require_origin(found: &str, expected: &str) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    let (found, expected) = (found.to_owned(), expected.to_owned());
    Err(LogFault::OtherLog { found, expected }.into())
}
