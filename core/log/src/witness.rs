//! Requests to witnesses, and their answers.
//!
//! **Source**: C2SP, `tlog-witness.md`.

use super::proof::lines_of;
use super::tile::decimal;
use super::tree::Hash;

/// The media type of the answer of a witness that last signed another size than the request says.
pub const SIZE_MEDIA_TYPE: &str = "text/x.tlog.size";

/// A request to a witness, the body of `add-checkpoint`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessRequest {
    /// The size that the witness signed last, as the sender believes.
    pub old: u64,
    /// The consistency proof: the new tree begins with the one of size `old`.
    pub proof: Vec<Hash>,
    /// The checkpoint, as a note.
    pub checkpoint: String,
}

impl WitnessRequest {
    /// The text of the request.
    #[must_use]
    pub fn text(&self) -> String {
        format!("old {}\n{}{}", self.old, lines_of(&self.proof), self.checkpoint)
    }
}

/// The answer of a witness.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WitnessAnswer {
    /// Signature lines, not verified yet.
    Lines(String),
    /// The witness last signed this size: the proof must start from it.
    AtSize(u64),
    /// The witness refused, or the response is not a valid answer.
    Refused {
        /// The HTTP status.
        status: u16,
    },
}

impl WitnessAnswer {
    /// Reads the answer from an HTTP response.
    #[must_use]
    pub fn of(status: u16, media_type: &str, body: &str) -> Self {
        let size = || {
            let is_size = media_type.trim().eq_ignore_ascii_case(SIZE_MEDIA_TYPE);
            decimal(body.strip_suffix('\n')?).filter(|_| is_size)
        };
        match (status, size()) {
            (200, _) => Self::Lines(body.to_owned()),
            (409, Some(size)) => Self::AtSize(size),
            _ => Self::Refused { status },
        }
    }
}
