//! Capture jobs: the recorded results of captures.
//!
//! How does a job know its events?
//! It is inserted before them, with the number of the newest event so far. The events of a transaction have consecutive
//! numbers, so those of a job reach up to the number in the next job.
//!
//! **Source**: EPCIS 2.0, 12.6.

use epcis_edge_text::slice::Known;
use epcis_edge_text::time::Timestamp;
use sha2::{Digest as _, Sha256};
use std::fmt;

/// What happens to a capture if some of its events cannot be captured.
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorBehaviour {
    /// Nothing is stored.
    #[default]
    Rollback,
    /// The valid events are stored.
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

    /// The behaviour that a word of the standard names.
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
    /// The account that captures.
    pub account: String,
    /// What was to happen if events could not be captured.
    pub behaviour: ErrorBehaviour,
    /// Whether all events were stored.
    pub success: bool,
    /// Members of the job that have no field here, as the text of a JSON object.
    pub report: String,
    /// What is expected to be stored; the report is right only then.
    pub expected: Expected,
    /// The positions of events in the batch whose names become aliases of the same events, which are stored or occur earlier in
    /// the batch.
    pub aliases: Vec<usize>,
    /// Where the numbers of the account begin, if it has a store of its own: its first event has the next one. 0 in any other store.
    pub begin: u64,
}

/// How much of a batch its capture knows to be stored already. If the store has more, other captures came in between: nothing
/// is appended, and the capture looks again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// How many of its events are stored, or occur earlier in the batch.
    pub duplicates: usize,
    /// How many pairs there are of a new name in the batch and another stored event that has it: see
    /// [`AlreadyStored::namesakes`](super::AlreadyStored::namesakes).
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
            begin: 0,
        }
    }
}

/// A capture job as a store returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredJob {
    /// Its number among those of its account, from 1; later jobs have higher numbers.
    pub number: u64,
    /// When the events were captured.
    pub time: Timestamp,
    /// What was to happen if events could not be captured.
    pub behaviour: ErrorBehaviour,
    /// Whether all of its events were stored.
    pub success: bool,
    /// SHA-256 of the document as it was received.
    pub document: String,
    /// How many of its events are stored, including duplicates.
    pub events: u64,
    /// How many of them were duplicates.
    pub duplicates: u64,
    /// Further members, as the text of a JSON object.
    pub report: String,
}

/// The names of a capture job's events, up to the requested number of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobEvents {
    /// The names of the events that the capture stored, in document order.
    pub stored: Vec<String>,
    /// The names of the duplicates, which were stored before.
    pub duplicates: Vec<String>,
}

/// The name of a capture job.
///
/// **Shape**: `c-`, and 32 hexadecimal digits: 12 for the time in milliseconds, 12 for the number of the job, 8 for its
/// account.
///
/// It is no secret: a job is looked up only among those of the caller's account.
///
/// # Example
/// ```
/// use epcis_edge_gateway::store::CaptureId;
/// use epcis_edge_text::time::Timestamp;
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
    /// The name of an account's job, made of its time and its number.
    #[must_use]
    pub fn of(account: &str, time: Timestamp, number: u64) -> Self {
        let digest = Sha256::digest(account.as_bytes());
        let start = digest.iter().take(4);
        let seconds = u64::try_from(time.seconds()).ok().known();
        Self {
            milliseconds: seconds * 1000 + u64::from(time.nanoseconds() / 1_000_000),
            number,
            account: start.fold(0, |number, byte| (number << 8) | u32::from(*byte)),
        }
    }

    /// Reads a name from its text; only lower-case digits are allowed.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("c-").filter(|digits| digits.len() == 32)?;
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
        write!(f, "c-{:012x}{:012x}{:08x}", self.milliseconds, self.number, self.account)
    }
}
