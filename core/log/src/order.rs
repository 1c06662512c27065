//! Orders of an operator about a log, signed with a key of the log.
//!
//! **Shape**: a signed note of four lines. A note cannot be both an order and a checkpoint: the second line of an order is not a
//! size.

use super::key::{Signer, VerifierKey};
use super::note::{Note, signed};
use super::tile::decimal;
use epcis_edge_text::error::LogFault;
use epcis_edge_text::time::Timestamp;

const FIRST: &str = "epcis-edge/log-order/v1";

/// The largest difference between the time of an order and the gateway's clock, in seconds.
const VALID: i64 = 300;

/// The maximum length of an order, in bytes.
pub const MAX_ORDER: usize = 16 << 10;

/// An order of an operator.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Ends the halt of the log. The witnesses are asked again before anything is signed.
    Restart,
    /// Compares the database with the log, from a leaf on.
    Check {
        /// The first leaf, counted from 0.
        from: u64,
    },
}

impl Order {
    /// Parses an order and its arguments, as on the command line.
    ///
    /// # Errors
    /// [`LogFault::Order`].
    pub fn named(text: &str) -> Result<Self, LogFault> {
        match text.split(' ').collect::<Vec<_>>().as_slice() {
            ["restart"] => Ok(Self::Restart),
            ["check", from] => {
                let from = decimal(from).ok_or_else(|| fault("a decimal number behind `check`"))?;
                Ok(Self::Check { from })
            }
            _ => Err(fault("`restart`, or `check` and the number of a leaf")),
        }
    }

    /// The order as a signed note for a log, at a time in milliseconds since 1970.
    #[must_use]
    pub fn signed(self, signer: &Signer, now: u64) -> String {
        let word = match self {
            Self::Restart => "restart".to_owned(),
            Self::Check { from } => format!("check {from}"),
        };
        let time = Timestamp::from_milliseconds(now);
        let text = format!("{FIRST}\n{}\n{word}\n{time}\n", signer.key().name());
        signed(&text, std::slice::from_ref(signer))
    }

    /// Reads and verifies an order for the log with these keys, at a time in milliseconds since 1970.
    ///
    /// # Errors
    /// [`LogFault::Note`], [`LogFault::Order`], [`LogFault::Signature`], [`LogFault::NotSigned`]; [`LogFault::Stale`].
    pub fn read<'k>(
        note: &str,
        keys: impl Iterator<Item = &'k VerifierKey>,
        now: u64,
    ) -> Result<Self, LogFault> {
        let note = Note::read(note)?;
        let lines: Vec<&str> = note.text().split('\n').collect();
        let [FIRST, origin, word, time, ""] = lines.as_slice() else {
            return Err(fault(
                "four lines: `epcis-edge/log-order/v1`, the origin of the log, a word, a time",
            ));
        };
        let mut is_signed = false;
        for key in keys.filter(|key| key.name() == *origin) {
            is_signed |= note.is_signed_by(key)?;
        }
        if !is_signed {
            return Err(LogFault::NotSigned((*origin).to_owned()));
        }
        let at = Timestamp::parse(time).ok_or_else(|| fault("a time in the fourth line"))?;
        let now = Timestamp::from_milliseconds(now);
        if now.seconds().abs_diff(at.seconds()) > VALID.unsigned_abs() {
            return Err(LogFault::Stale { found: at.to_string(), now: now.to_string() });
        }
        Self::named(word)
    }
}

fn fault(expected: &'static str) -> LogFault {
    LogFault::Order { expected }
}
