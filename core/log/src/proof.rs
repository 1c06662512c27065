//! Proofs as files: the hashes from a leaf to a signed root.
//!
//! **Source**: C2SP, `tlog-proof.md`.

use super::keyed::Salt;
use super::note::{MAX_SIZE, hash_of};
use super::tile::decimal;
use super::tree::{Hash, MAX_PROOF};
use epcis_edge_text::digits::{from_base64, to_base64};
use epcis_edge_text::error::LogFault;

const FIRST: &str = "c2sp.org/tlog-proof@v1";

/// The maximum length of a proof, in bytes.
pub const MAX_PROOF_TEXT: usize = 256 << 10;

/// A parsed proof, not verified yet.
///
/// **Shape**: printed and parsed as a `.tlog-proof`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The salt and the text of the statement, from the optional line `extra`. They are not signed: recompute the leaf from them.
    pub extra: Option<(Salt, String)>,
    /// The index of the leaf, counted from 0.
    pub index: u64,
    /// The hashes on the path to the root, the leaf's sibling first.
    pub path: Vec<Hash>,
    /// The checkpoint with its signatures, as a note.
    pub checkpoint: String,
}

impl Proof {
    /// Reads a proof.
    ///
    /// **Limits**: 256 KiB, 63 hashes.
    ///
    /// # Errors
    /// [`LogFault::Proof`].
    pub fn read(text: &str) -> Result<Self, LogFault> {
        let fault = |line, expected| LogFault::Proof { line, expected };
        if text.len() > MAX_PROOF_TEXT {
            return Err(fault(1, "a proof of at most 256 KiB"));
        }
        let mut rest = text;
        let mut line = 0;
        let mut next = || {
            let (first, behind) = rest.split_once('\n')?;
            rest = behind;
            line += 1;
            Some((line, first, behind))
        };
        let Some((_, FIRST, _)) = next() else { return Err(fault(1, "`c2sp.org/tlog-proof@v1`")) };
        let missing = |line| fault(line, "`index` and the number of a leaf in plain decimal");
        let (mut line, mut found, _) = next().ok_or_else(|| missing(2))?;
        let mut extra = None;
        if let Some(encoded) = found.strip_prefix("extra ") {
            let fault = || fault(2, "base64 of a salt of 32 bytes and a statement");
            let bytes = from_base64(encoded).ok_or_else(fault)?;
            extra = Some(salt_and_statement(&bytes).ok_or_else(fault)?);
            (line, found, _) = next().ok_or_else(|| missing(3))?;
        }
        let index = found.strip_prefix("index ").and_then(decimal).ok_or_else(|| missing(line))?;
        if index >= MAX_SIZE {
            return Err(fault(line, "an index below 2^53 - 1"));
        }
        let mut path = Vec::new();
        loop {
            let (line, found, behind) =
                next().ok_or_else(|| fault(line + 1, "an empty line and a checkpoint"))?;
            if found.is_empty() {
                return Ok(Self { extra, index, path, checkpoint: behind.to_owned() });
            }
            let hash = hash_of(found).ok_or_else(|| fault(line, "a hash in base64"))?;
            if path.len() == MAX_PROOF {
                return Err(fault(line, "at most 63 hashes"));
            }
            path.push(hash);
        }
    }

    /// The text of the proof.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{FIRST}\n");
        if let Some((salt, statement)) = &self.extra {
            let bytes = [salt.as_slice(), statement.as_bytes()].concat();
            text.push_str(&format!("extra {}\n", to_base64(&bytes)));
        }
        text.push_str(&format!("index {}\n", self.index));
        text.push_str(&lines_of(&self.path));
        text.push_str(&self.checkpoint);
        text
    }
}

/// A salt and the statement behind it, as proofs and receipts have them.
pub(super) fn salt_and_statement(bytes: &[u8]) -> Option<(Salt, String)> {
    let (salt, statement) = bytes.split_first_chunk::<32>()?;
    Some((*salt, std::str::from_utf8(statement).ok()?.to_owned()))
}

/// A line for each hash, and an empty one behind them.
pub(super) fn lines_of(hashes: &[Hash]) -> String {
    let lines = hashes.iter().map(|hash| to_base64(hash) + "\n");
    lines.collect::<String>() + "\n"
}
