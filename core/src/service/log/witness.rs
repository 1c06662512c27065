//! The gateway as a witness of other logs.

use super::{Service, no_such};
use crate::digits::digest_of_hex;
use crate::error::{Error, LogFault};
use crate::log::{LastCosignedCheckpoint, Submitted, origin_digest};
use crate::store::Store;

/// The last signature for a log, according to the database and to the copy that is kept apart.
struct LastSigned {
    /// The database's record; the next record must follow it.
    row: Option<LastCosignedCheckpoint>,
    /// The record that counts: the copy, if the database was set back.
    last: Option<LastCosignedCheckpoint>,
}

impl<S: Store> Service<S> {
    /// Cosigns a checkpoint of a known log, at a time in milliseconds since 1970, and returns the line of the cosignature.
    ///
    /// A witness whose database was set back continues from the copy of its last signature, which is kept apart: it never
    /// cosigns a second history. The answer is given only after database and copy have the signature.
    ///
    /// # Errors
    /// [`LogFault::NotKept`]; those of [`Submitted::judge`] and [`Submitted::cosigned`]; [`LogFault::WitnessForked`]; a fault of
    /// the storage.
    ///
    /// **Source**: C2SP, `tlog-witness.md`.
    pub async fn add_checkpoint(&self, request: &[u8], now: u64) -> Result<String, Error> {
        let settings = self.witness_settings()?;
        self.require_writable()?;
        let request = std::str::from_utf8(request)
            .map_err(|_| LogFault::WitnessRequest { expected: "UTF-8" })?;
        let submitted = Submitted::judge(request, &settings.logs)?;
        let digest = origin_digest(submitted.origin());
        let LastSigned { row, last } = self.last_signed(&digest).await?;
        let (line, next) = submitted.cosigned(last.as_ref(), &settings.signer, now / 1000)?;
        // The signature is stored before it is published.
        if self
            .store
            .keep_witnessed(&digest, row.as_ref(), &next)
            .await?
        {
            self.store.copy_witnessed(&digest, &next).await?;
            return Ok(line);
        }
        let now = self.store.witnessed(&digest).await?;
        let size = now.map_or(0, |witnessed| witnessed.size);
        Err(LogFault::WitnessConflict { size }.into())
    }

    /// # Errors
    /// [`LogFault::WitnessForked`] if database and copy have signed different trees of one size.
    async fn last_signed(&self, digest: &str) -> Result<LastSigned, Error> {
        let row = self.store.witnessed(digest).await?;
        let copy = self.store.witnessed_copy(digest).await?;
        let last = match (&row, copy) {
            (Some(row), Some(copy)) if copy.size == row.size && copy.root != row.root => {
                let (origin, size) = (row.origin.clone(), row.size);
                return Err(LogFault::WitnessForked { origin, size }.into());
            }
            (Some(row), Some(copy)) if copy.size <= row.size => Some(row.clone()),
            (_, Some(copy)) => Some(copy),
            (row, None) => row.clone(),
        };
        Ok(LastSigned { row, last })
    }

    /// The last checkpoint that this witness signed for a log, by the digest of the log's origin.
    ///
    /// # Errors
    /// [`LogFault::NotKept`], [`LogFault::NoSuchPart`]; [`LogFault::WitnessForked`]; a fault of the storage.
    pub async fn last_witnessed(&self, digest: &str) -> Result<String, Error> {
        self.witness_settings()?;
        let missing = || no_such(&format!("{digest}/checkpoint"));
        if digest_of_hex(digest).is_none() {
            return Err(missing());
        }
        let LastSigned { last, .. } = self.last_signed(digest).await?;
        Ok(last.ok_or_else(missing)?.note)
    }
}
