//! Orders of an operator about a log, signed with a key of the log.
//!
//! **Shape**: a signed note of four lines. A note cannot be both an order and a checkpoint: the second line of an order is not a
//! size.

use super::key::{Signer, VerifierKey};
use super::note::{Note, signed};
use super::tile::decimal;
use crate::error::LogFault;
use crate::time::Timestamp;

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
    /// Ends the log: moves a portion of it aside, so that a new log can begin.
    End,
    /// Compares the database with the log, from a leaf on.
    Check {
        /// The first leaf, counted from 0.
        from: u64,
        /// The number of an ended log; `None` for the growing one.
        ended: Option<u64>,
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
            ["end"] => Ok(Self::End),
            ["check", from] => Ok(Self::Check {
                from: number(from)?,
                ended: None,
            }),
            ["check", from, "ended", log] => Ok(Self::Check {
                from: number(from)?,
                ended: Some(number(log)?),
            }),
            _ => Err(fault(
                "`restart`, `end`, or `check` and the number of a leaf, and perhaps `ended` and the number of a log",
            )),
        }
    }

    /// The order as a signed note for a log, at a time in milliseconds since 1970.
    #[must_use]
    pub fn signed(self, signer: &Signer, now: u64) -> String {
        let word = match self {
            Self::Restart => "restart".to_owned(),
            Self::End => "end".to_owned(),
            Self::Check { from, ended: None } => format!("check {from}"),
            Self::Check {
                from,
                ended: Some(log),
            } => format!("check {from} ended {log}"),
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
            let origin = (*origin).to_owned();
            return Err(LogFault::NotSigned { origin });
        }
        let at = Timestamp::parse(time).ok_or_else(|| fault("a time in the fourth line"))?;
        let now = Timestamp::from_milliseconds(now);
        if now.seconds().abs_diff(at.seconds()) > VALID.unsigned_abs() {
            return Err(LogFault::Stale {
                found: at.to_string(),
                now: now.to_string(),
            });
        }
        Self::named(word)
    }
}

fn number(text: &str) -> Result<u64, LogFault> {
    decimal(text).ok_or_else(|| fault("decimal numbers behind `check`"))
}

fn fault(expected: &'static str) -> LogFault {
    LogFault::Order { expected }
}
