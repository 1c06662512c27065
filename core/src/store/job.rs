//! Capture jobs: what became of a capture, for whoever asks later.
//!
//! How does a job know its events?
//! It is inserted first, with the number of the newest event before it; the events of a transaction lie in a row, up to
//! that of the next job.
//!
//! **Source**: EPCIS 2.0, 12.6.

use crate::time::Timestamp;
use sha2::{Digest as _, Sha256};
use std::fmt;

/// What becomes of a capture when some of its events cannot be captured.
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorBehaviour {
    /// Nothing is stored.
    #[default]
    Rollback,
    /// What is valid is stored.
    Proceed,
}

impl ErrorBehaviour {
    /// The word of the standard: `rollback` or `proceed`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rollback => "rollback",
            Self::Proceed => "proceed",
        }
    }

    /// The behaviour of a word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "rollback" => Some(Self::Rollback),
            "proceed" => Some(Self::Proceed),
            _ => None,
        }
    }
}

/// A capture job on its way into the store, with the events of its capture.
#[derive(Clone, Debug)]
pub struct NewJob {
    /// Whose it is: the account that captures.
    pub account: String,
    /// What was to become of the capture where events cannot be captured.
    pub behaviour: ErrorBehaviour,
    /// Whether all events were stored.
    pub success: bool,
    /// Members of the job beyond those that have a field here, as the text of a JSON object.
    pub report: String,
    /// What the report is right for.
    pub expected: Expected,
    /// The events, by their places in the batch, whose names are kept as further names of the same events that are stored, or
    /// stand earlier in the batch.
    pub aliases: Vec<usize>,
}

/// How much of a batch its capture knows to be stored already. Where the store has more, others came in between: nothing is
/// appended, and the capture looks again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// How many of its events are stored, or stand in the batch before.
    pub duplicates: usize,
    /// How many pairs there are of a name that the batch brings and another stored event that bears it: see
    /// [`Known::namesakes`](super::Known::namesakes).
    pub namesakes: usize,
}

impl NewJob {
    /// A capture of this account that stores all of its events.
    #[must_use]
    pub fn of(account: &str) -> Self {
        Self {
            account: account.to_owned(),
            behaviour: ErrorBehaviour::default(),
            success: true,
            report: "{}".to_owned(),
            expected: Expected::default(),
            aliases: Vec::new(),
        }
    }
}

/// A capture job as a store hands it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredJob {
    /// Its number among those of its account, from 1: later ones have higher ones.
    pub number: u64,
    /// When the capture was.
    pub time: Timestamp,
    /// What was to become of it.
    pub behaviour: ErrorBehaviour,
    /// Whether all of its events were stored.
    pub success: bool,
    /// SHA-256 of the document as it was received.
    pub document: String,
    /// How many events were stored or were there already.
    pub events: u64,
    /// How many of them were there already.
    pub duplicates: u64,
    /// Further members, as the text of a JSON object.
    pub report: String,
}

/// The names of the events of a capture job, as many of either as were asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobEvents {
    /// Those that the capture stored, in the order of its document.
    pub stored: Vec<String>,
    /// Those that were stored before.
    pub duplicates: Vec<String>,
}

/// The name of a capture job.
///
/// **Shape**: `c-`, and 32 hexadecimal digits: the time in milliseconds, the number of the job, and what ties it to its account.
///
/// It is no secret: a job is looked up among those of the account that asks.
///
/// # Example
/// ```
/// use epcis_edge_core::store::CaptureId;
/// use epcis_edge_core::time::Timestamp;
/// let time = Timestamp::from_milliseconds(1_772_618_430_000);
/// let id = CaptureId::of("https://example.com/accounts/1", time, 7);
/// assert!(id.to_string().starts_with("c-019cb84ab630000000000007"));
/// assert_eq!(CaptureId::parse(&id.to_string()), Some(id));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureId {
    milliseconds: u64,
    /// The number of the job among those of its account.
    pub number: u64,
    account: u32,
}

impl CaptureId {
    /// The name of the job of an account that has this number.
    #[must_use]
    pub fn of(account: &str, time: Timestamp, number: u64) -> Self {
        let digest = Sha256::digest(account.as_bytes());
        let start = digest.iter().take(4);
        let seconds = u64::try_from(time.seconds()).unwrap_or_default();
        Self {
            milliseconds: seconds * 1000 + u64::from(time.nanoseconds() / 1_000_000),
            number,
            account: start.fold(0, |number, byte| (number << 8) | u32::from(*byte)),
        }
    }

    /// The name that a text is, in its one spelling.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text
            .strip_prefix("c-")
            .filter(|digits| digits.len() == 32)?;
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if !digits.bytes().all(is_digit) {
            return None;
        }
        let part = |from, to| u64::from_str_radix(digits.get(from..to)?, 16).ok();
        Some(Self {
            milliseconds: part(0, 12)?,
            number: part(12, 24)?,
            account: u32::try_from(part(24, 32)?).ok()?,
        })
    }
}

impl fmt::Display for CaptureId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "c-{:012x}{:012x}{:08x}",
            self.milliseconds, self.number, self.account
        )
    }
}
