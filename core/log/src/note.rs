//! Signed notes, and checkpoints, which are the text of notes.
//!
//! **Source**: C2SP, `signed-note.md`, `tlog-checkpoint.md` and `tlog-cosignature.md`.

use super::key::{KeyKind, Signer, VerifierKey, is_name};
use super::tile::decimal;
use super::tree::{Hash, empty_root};
use epcis_edge_text::digits::{from_base64, to_base64};
use epcis_edge_text::error::LogFault;
use epcis_edge_text::slice::OrEmpty;

/// The maximum number of signatures in a note.
const MAX_SIGNATURES: usize = 100;

/// The maximum length of a note, in bytes.
pub const MAX_NOTE: usize = 64 << 10;

/// The largest tree, in leaves: JavaScript numbers are not exact beyond it. A log that grows by a million leaves a second reaches
/// it in 285 years.
pub(super) const MAX_SIZE: u64 = (1 << 53) - 1;

/// The start of a signature line: an em dash and a space.
const DASH: &str = "\u{2014} ";

/// A parsed note, not verified yet.
#[derive(Clone, Debug)]
pub struct Note<'n> {
    text: &'n str,
    signatures: Vec<NoteSignature<'n>>,
}

/// A signature line.
#[derive(Clone, Debug)]
struct NoteSignature<'n> {
    name: &'n str,
    id: [u8; 4],
    bytes: Vec<u8>,
    line: &'n str,
}

fn malformed(expected: &'static str) -> LogFault {
    LogFault::Note(expected)
}

impl<'n> Note<'n> {
    /// Reads a note.
    ///
    /// **Limits**: 64 KiB, 100 signatures.
    ///
    /// # Errors
    /// [`LogFault::Note`].
    pub fn read(note: &'n str) -> Result<Self, LogFault> {
        if note.len() > MAX_NOTE {
            return Err(malformed("a note of at most 65,536 bytes"));
        }
        if note.chars().any(|c| c < ' ' && c != '\n') {
            return Err(malformed("no control character but line feeds"));
        }
        let at = note
            .rfind("\n\n")
            .ok_or_else(|| malformed("an empty line between text and signatures"))?;
        let (text, rest) = note.split_at(at + 1);
        let lines = rest.strip_prefix('\n').or_empty();
        let signatures = signatures(lines)?;
        if signatures.is_empty() {
            return Err(malformed("at least one signature"));
        }
        Ok(Self { text, signatures })
    }

    /// The signed text, with its final line feed.
    #[must_use]
    pub fn text(&self) -> &'n str {
        self.text
    }

    /// The signatures of a key; there may be several.
    fn signatures_of(&self, key: &VerifierKey) -> impl Iterator<Item = &NoteSignature<'n>> {
        self.signatures
            .iter()
            .filter(|signature| signature.name == key.name() && signature.id == key.id())
    }

    /// Whether a key has signed the text.
    ///
    /// # Errors
    /// [`LogFault::Signature`] if a signature has the name and id of the key but is not valid.
    pub fn is_signed_by(&self, key: &VerifierKey) -> Result<bool, LogFault> {
        let mut is_signed = false;
        for signature in self.signatures_of(key) {
            if key.kind() != KeyKind::Note
                || !key.has_signed(self.text.as_bytes(), &signature.bytes)
            {
                return Err(LogFault::Signature(key.name().to_owned()));
            }
            is_signed = true;
        }
        Ok(is_signed)
    }

    /// The first and the last time at which a key has cosigned the text; `None` if it has not.
    ///
    /// # Errors
    /// [`LogFault::Signature`] if a cosignature has the name and id of the key but is not valid, or has a time beyond 2^63 - 1.
    pub fn cosigned_by(&self, key: &VerifierKey) -> Result<Option<CosignedAt>, LogFault> {
        let times = self.signatures_of(key).map(|signature| signature.cosigned_at(self.text, key));
        let times = times.collect::<Result<Vec<u64>, _>>()?;
        let ends = times.iter().min().zip(times.iter().max());
        Ok(ends.map(|(first, last)| CosignedAt { first: *first, last: *last }))
    }
}

/// The times at which a witness has cosigned a checkpoint, in seconds since 1970-01-01T00:00:00Z; it may have done so several
/// times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CosignedAt {
    /// The earliest time.
    pub first: u64,
    /// The latest time.
    pub last: u64,
}

impl NoteSignature<'_> {
    /// Verifies a cosignature of a text, and returns its time.
    ///
    /// # Errors
    /// [`LogFault::Signature`].
    fn cosigned_at(&self, text: &str, key: &VerifierKey) -> Result<u64, LogFault> {
        let time = self
            .bytes
            .split_first_chunk::<8>()
            .map(|(time, rest)| (u64::from_be_bytes(*time), rest));
        match time {
            Some((time, rest))
                if key.kind() == KeyKind::Cosignature
                    && i64::try_from(time).is_ok()
                    && key.has_signed(cosigned(text, time).as_bytes(), rest) =>
            {
                Ok(time)
            }
            _ => Err(LogFault::Signature(key.name().to_owned())),
        }
    }
}

/// Parses signature lines.
fn signatures(lines: &str) -> Result<Vec<NoteSignature<'_>>, LogFault> {
    if !lines.is_empty() && !lines.ends_with('\n') {
        return Err(malformed("a line feed at the end"));
    }
    let mut found = Vec::new();
    for line in lines.split_inclusive('\n') {
        let fault = || malformed("lines of an em dash, a name and base64 behind the empty line");
        let rest =
            line.strip_prefix(DASH).and_then(|rest| rest.strip_suffix('\n')).ok_or_else(fault)?;
        let (name, encoded) = rest.split_once(' ').ok_or_else(fault)?;
        let bytes = from_base64(encoded).ok_or_else(fault)?;
        let (id, bytes) = bytes
            .split_first_chunk::<4>()
            .filter(|(_, rest)| is_name(name) && !rest.is_empty())
            .ok_or_else(fault)?;
        if found.len() == MAX_SIGNATURES {
            return Err(malformed("at most 100 signatures"));
        }
        found.push(NoteSignature { name, id: *id, bytes: bytes.to_vec(), line });
    }
    Ok(found)
}

/// The valid cosignatures of a text by known keys among `lines`: for each key its name and its latest line. All other lines are
/// dropped.
#[must_use]
pub fn known_cosignatures(text: &str, lines: &str, keys: &[VerifierKey]) -> Vec<(String, String)> {
    if lines.len() > MAX_NOTE {
        return Vec::new();
    }
    let Ok(signatures) = signatures(lines) else { return Vec::new() };
    let note = Note { text, signatures };
    keys.iter()
        .filter_map(|key| {
            let timed = note.signatures_of(key).filter_map(|signature| {
                let time = signature.cosigned_at(text, key).ok()?;
                Some((time, signature.line))
            });
            let (_, line) = timed.max_by_key(|(time, _)| *time)?;
            Some((key.name().to_owned(), line.to_owned()))
        })
        .collect()
}

/// The time in the line of a cosignature, in seconds since 1970. The line is not verified again, since it was verified before it
/// was kept.
#[must_use]
pub fn last_time(line: &str) -> Option<u64> {
    let signatures = signatures(line).ok()?;
    let [signature] = signatures.as_slice() else { return None };
    let (time, _) = signature.bytes.split_first_chunk::<8>()?;
    Some(u64::from_be_bytes(*time))
}

/// The message that a cosignature signs.
fn cosigned(text: &str, time: u64) -> String {
    format!("cosignature/v1\ntime {time}\n{text}")
}

fn line(signer: &Signer, bytes: &[u8]) -> String {
    let mut all = signer.key().id().to_vec();
    all.extend_from_slice(bytes);
    format!("{DASH}{} {}\n", signer.key().name(), to_base64(&all))
}

/// Makes a note: the text with the signatures of these keys.
#[must_use]
pub fn signed(text: &str, signers: &[Signer]) -> String {
    let mut note = format!("{text}\n");
    for signer in signers {
        note.push_str(&line(signer, &signer.sign(text.as_bytes())));
    }
    note
}

/// Makes the line by which a witness cosigns the text of a checkpoint, at a time in seconds since 1970-01-01T00:00:00Z.
#[must_use]
pub fn cosignature(text: &str, time: u64, signer: &Signer) -> String {
    let mut bytes = time.to_be_bytes().to_vec();
    bytes.extend_from_slice(&signer.sign(cosigned(text, time).as_bytes()));
    line(signer, &bytes)
}

/// The head of a log: the number of its leaves, and the root over them.
///
/// **Shape**: printed as three lines: origin, size in decimal, root in base64. When a checkpoint is read, more lines may follow.
/// They have no meaning here, but are part of the signed text.
///
/// # Example
/// ```
/// use epcis_edge_log::Checkpoint;
/// let text = "epcis.example.com/log\n3\ndggIqg6fnndM25k6kyiBSBFmh8lkTDHun9m0QYN0E5g=\n";
/// let checkpoint = Checkpoint::read(text)?;
/// assert_eq!(checkpoint.size, 3);
/// assert_eq!(checkpoint.text(), text);
/// # Ok::<(), epcis_edge_text::error::LogFault>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The origin of the log.
    pub origin: String,
    /// The number of leaves.
    pub size: u64,
    /// The root over them.
    pub root: Hash,
}

impl Checkpoint {
    /// Reads the text of a checkpoint.
    ///
    /// # Errors
    /// [`LogFault::Checkpoint`].
    pub fn read(text: &str) -> Result<Self, LogFault> {
        let fault = |expected| LogFault::Checkpoint(expected);
        let lines: Vec<&str> = text.split('\n').collect();
        let [origin, size, root, extensions @ .., ""] = lines.as_slice() else {
            return Err(fault("three lines: origin, size and root"));
        };
        if origin.is_empty() {
            return Err(fault("an origin"));
        }
        if extensions.iter().any(|line| line.is_empty()) {
            return Err(fault("no empty line in its text"));
        }
        let size = decimal(size).filter(|size| *size <= MAX_SIZE);
        let size = size.ok_or_else(|| fault("a size below 2^53 in plain decimal"))?;
        let root = hash_of(root).ok_or_else(|| fault("32 bytes of root in base64"))?;
        if size == 0 && root != empty_root() {
            return Err(fault("the root of the empty tree, where the size is 0"));
        }
        Ok(Self { origin: (*origin).to_owned(), size, root })
    }

    /// The text of the checkpoint: three lines, without any that followed when it was read.
    #[must_use]
    pub fn text(&self) -> String {
        let root = to_base64(&self.root);
        format!("{}\n{}\n{root}\n", self.origin, self.size)
    }
}

/// Decodes a hash in base64.
pub(super) fn hash_of(text: &str) -> Option<Hash> {
    // A text of another length is no hash and is not decoded.
    if text.len() != 44 {
        return None;
    }
    from_base64(text)?.try_into().ok()
}
