//! Requests to witnesses, and their answers.
//!
//! **Source**: C2SP, `tlog-witness.md`.

use super::key::Signer;
use super::note::{Checkpoint, Note, cosignature, hash_of};
use super::policy::Policy;
use super::tile::decimal;
use super::tree::{Hash, MAX_PROOF, empty_root, sha256, verify_consistency};
use crate::digits::{to_base64, to_hex};
use crate::error::LogFault;

/// The maximum length of a request to a witness, in bytes.
pub const MAX_WITNESS_REQUEST: usize = 128 << 10;

/// The media type of the answer of a witness that last signed another size than the request says.
pub const SIZE_MEDIA_TYPE: &str = "text/x.tlog.size";

/// A parsed request to a witness, not verified yet.
///
/// **Shape**: printed and parsed as the body of `add-checkpoint`.
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
    /// Reads a request.
    ///
    /// # Errors
    /// [`LogFault::WitnessRequest`].
    pub fn read(text: &str) -> Result<Self, LogFault> {
        let fault = |expected| LogFault::WitnessRequest { expected };
        let first = || fault("`old` and a size in plain decimal in the first line");
        let (line, mut rest) = text.split_once('\n').ok_or_else(first)?;
        let old = line.strip_prefix("old ").and_then(decimal);
        let old = old.ok_or_else(first)?;
        let mut proof = Vec::new();
        loop {
            let (line, behind) = rest
                .split_once('\n')
                .ok_or_else(|| fault("an empty line and a checkpoint behind the proof"))?;
            rest = behind;
            if line.is_empty() {
                break;
            }
            if proof.len() == MAX_PROOF {
                return Err(fault("at most 63 hashes"));
            }
            proof.push(hash_of(line).ok_or_else(|| fault("a hash in base64 on each line"))?);
        }
        Ok(Self {
            old,
            proof,
            checkpoint: rest.to_owned(),
        })
    }

    /// The text of the request.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("old {}\n", self.old);
        for hash in &self.proof {
            text.push_str(&to_base64(hash));
            text.push('\n');
        }
        text.push('\n');
        text + &self.checkpoint
    }
}

/// The last checkpoint of a log that a witness signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastCosignedCheckpoint {
    /// The origin of the log.
    pub origin: String,
    /// The number of leaves.
    pub size: u64,
    /// The root over them.
    pub root: Hash,
    /// The checkpoint as received, with the witness's cosignature after the other signatures.
    pub note: String,
}

/// The name of a log in the URL at which a witness publishes what it last signed: SHA-256 of the origin, in hexadecimal.
#[must_use]
pub fn origin_digest(origin: &str) -> String {
    to_hex(&sha256(&[origin.as_bytes()]))
}

/// A checkpoint submitted to a witness, signed by a log that the witness knows.
#[derive(Clone, Debug)]
pub struct Submitted {
    request: WitnessRequest,
    checkpoint: Checkpoint,
    /// The signed text: the whole checkpoint, including any lines after the first three.
    text: String,
}

impl Submitted {
    /// Reads a request, and verifies the log's signature.
    ///
    /// # Errors
    /// [`LogFault::WitnessRequest`], [`LogFault::Note`], [`LogFault::Checkpoint`]; [`LogFault::UnknownOrigin`];
    /// [`LogFault::NotSigned`], [`LogFault::Signature`]; [`LogFault::OldAboveNew`].
    pub fn judge(request: &str, logs: &Policy) -> Result<Self, LogFault> {
        let request = WitnessRequest::read(request)?;
        let note = Note::read(&request.checkpoint)?;
        let checkpoint = Checkpoint::read(note.text())?;
        require_signed(&note, &checkpoint, logs)?;
        let (old, new) = (request.old, checkpoint.size);
        if old > new {
            return Err(LogFault::OldAboveNew { old, new });
        }
        let text = note.text().to_owned();
        Ok(Self {
            request,
            checkpoint,
            text,
        })
    }

    /// The origin of the log.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.checkpoint.origin
    }

    /// Cosigns the checkpoint at a time in seconds since 1970, given what the witness last signed for the log. Returns the line
    /// of the cosignature, and the state that must be stored before the line is sent.
    ///
    /// # Errors
    /// [`LogFault::WitnessConflict`]; [`LogFault::ProofLength`], [`LogFault::Consistency`].
    pub fn cosigned(
        &self,
        last: Option<&LastCosignedCheckpoint>,
        signer: &Signer,
        seconds: u64,
    ) -> Result<(String, LastCosignedCheckpoint), LogFault> {
        let (size, root) = last.map_or((0, empty_root()), |last| (last.size, last.root));
        let Checkpoint {
            origin,
            size: new,
            root: new_root,
        } = &self.checkpoint;
        if self.request.old != size || (size == *new && root != *new_root) {
            return Err(LogFault::WitnessConflict { size });
        }
        verify_consistency(size, &root, *new, new_root, &self.request.proof)?;
        let line = cosignature(&self.text, seconds, signer);
        let witnessed = LastCosignedCheckpoint {
            origin: origin.clone(),
            size: *new,
            root: *new_root,
            note: format!("{}{line}", self.request.checkpoint),
        };
        Ok((line, witnessed))
    }
}

/// Requires that a trusted log has signed its checkpoint.
///
/// # Errors
/// [`LogFault::UnknownOrigin`], [`LogFault::NotSigned`]; those of [`Note::is_signed_by`].
pub(super) fn require_signed(
    note: &Note<'_>,
    checkpoint: &Checkpoint,
    logs: &Policy,
) -> Result<(), LogFault> {
    let origin = &checkpoint.origin;
    let mut is_known = false;
    let mut is_signed = false;
    let of_origin = |key: &&super::policy::TrustedLog| key.key.name() == origin;
    for log in logs.logs().iter().filter(of_origin) {
        is_known = true;
        is_signed |= note.is_signed_by(&log.key)?;
    }
    let origin = origin.clone();
    match (is_known, is_signed) {
        (true, true) => Ok(()),
        (true, false) => Err(LogFault::NotSigned { origin }),
        (false, _) => Err(LogFault::UnknownOrigin { origin }),
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
