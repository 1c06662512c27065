//! The orders of an operator, signed by the key of the log.

use super::Service;
use super::check::Checked;
use super::status::LogStatus;
use epcis_edge_log::Order;
use epcis_edge_text::error::Error;
use epcis_edge_text::time::Timestamp;
use serde::Serialize;

/// The result of an order.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Ordered {
    /// The halt has ended; this is the status of the log.
    Restarted(LogStatus),
    /// The result of checking a page of leaves.
    Checked(Checked),
}

impl Service {
    /// Carries out an operator's order, at a time in milliseconds since 1970.
    ///
    /// **Shape**: a note as [`Order`] reads it, signed by a key of the log.
    ///
    /// # Errors
    /// [`LogFault::NotKept`](epcis_edge_text::error::LogFault::NotKept); as [`Order::read`];
    /// [`ErrorKind::ReadOnly`](epcis_edge_text::error::ErrorKind::ReadOnly)
    /// in read-only mode; a fault of the storage.
    pub async fn order(&self, note: &str, now: u64) -> Result<Ordered, Error> {
        let settings = self.log_settings()?;
        match Order::read(note, settings.keys(), now)? {
            Order::Restart => {
                self.require_writable()?;
                let at = Timestamp::from_milliseconds(now).to_string();
                self.store.resume(&at).await?;
                Ok(Ordered::Restarted(self.log_status(now).await?))
            }
            Order::Check { from } => Ok(Ordered::Checked(self.served_log()?.check(from).await?)),
        }
    }
}
