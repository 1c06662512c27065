//! The status of the log, for alarms when it stops growing.

use super::Service;
use crate::store::{Backlog, Head, MAX_BACKLOG};
use epcis_edge_log::last_time;
use epcis_edge_text::error::{Error, ErrorKind, LogFault};
use epcis_edge_text::time::Timestamp;
use serde::Serialize;

/// The log lags when the oldest event without a leaf has waited longer than this, in seconds; the timer runs each minute.
const LAGGING: i64 = 180;

/// Whether the log grows.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum LogState {
    /// Events get their leaves in time.
    Ok,
    /// Nothing is signed until an operator acts.
    Halted,
    /// An event has waited for its leaf for more than three minutes.
    Lagging,
}

/// The status of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LogStatus {
    /// The origin of the log.
    pub origin: String,
    /// Whether it grows.
    pub state: LogState,
    /// The reason if it does not grow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Since when it has been halted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("format" = "date-time")))]
    pub since: Option<String>,
    /// How many leaves its newest head covers.
    pub size: u64,
    /// How many events have no leaf yet, at most a million.
    #[cfg_attr(feature = "schema", schemars(range(max = MAX_BACKLOG)))]
    pub events_without_leaf: u64,
    /// How long the oldest of them has waited, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub oldest_waits_seconds: Option<i64>,
    /// The witnesses that are asked, with their last cosignatures.
    pub witnesses: Vec<WitnessSeen>,
}

/// A witness that is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WitnessSeen {
    /// Its name in the policy.
    pub name: String,
    /// The size of the newest head that it cosigned; absent if it has cosigned none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The time of its last cosignature, by its own clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("format" = "date-time")))]
    pub last_cosigned: Option<String>,
}

impl Service {
    /// The status of the log at a time, in milliseconds since 1970.
    ///
    /// # Errors
    /// [`LogFault::NotKept`]; a fault of the storage.
    pub async fn log_status(&self, now: u64) -> Result<LogStatus, Error> {
        let settings = self.log_settings()?;
        let last = self.store.last_head().await?;
        let halt = self.stop(last.as_ref()).await?;
        let Backlog { events, oldest } = self.store.backlog().await?;
        let oldest = oldest.and_then(|time| Timestamp::parse(&time));
        let seconds = i64::try_from(now / 1000).unwrap_or(i64::MAX);
        let waits = oldest.map(|oldest| (seconds - oldest.seconds()).max(0));
        let lag = waits.filter(|waits| *waits > LAGGING);
        let mut witnesses = Vec::new();
        for witness in settings.policy.witnesses() {
            let seen = self.store.last_cosigned_by(witness.key.name()).await?;
            let time = seen.as_ref().and_then(|(_, line)| last_time(line));
            let time = time
                .map(|time| Timestamp::from_milliseconds(time.saturating_mul(1000)).to_string());
            witnesses.push(WitnessSeen {
                name: witness.name.clone(),
                size: seen.map(|(size, _)| size),
                last_cosigned: time,
            });
        }
        let (state, since, reason) = match (halt, lag) {
            (Some((since, reason)), _) => (LogState::Halted, since, Some(reason)),
            (None, Some(waits)) => {
                let reason = format!("the oldest event without a leaf waits for {waits} seconds");
                (LogState::Lagging, None, Some(reason))
            }
            (None, None) => (LogState::Ok, None, None),
        };
        Ok(LogStatus {
            origin: settings.origin().to_owned(),
            state,
            reason,
            since,
            size: last.map_or(0, |head| head.size),
            events_without_leaf: events.min(MAX_BACKLOG),
            oldest_waits_seconds: waits,
            witnesses,
        })
    }

    /// Since when and why nothing is signed; `None` if the log may be signed.
    async fn stop(&self, last: Option<&Head>) -> Result<Option<(Option<String>, String)>, Error> {
        let fault = match self.require_signable(last).await {
            Ok(()) => return Ok(None),
            Err(fault) => fault,
        };
        match fault.kind() {
            ErrorKind::Log(LogFault::Halted { begun, reason }) => {
                Ok(Some((Some(begun.clone()), reason.clone())))
            }
            ErrorKind::Log(fault @ (LogFault::OtherLog { .. } | LogFault::Restored { .. })) => {
                Ok(Some((None, fault.to_string())))
            }
            _ => Err(fault),
        }
    }
}
