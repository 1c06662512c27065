//! What a leaf commits to: a statement about a stored event, salted, so that nobody can confirm a guess.

use super::tree::{Hash, leaf_hash, sha256};
use crate::digits::{digest_of_hex, to_hex};
use crate::error::{Error, ErrorKind, LogFault};
use crate::json::{Document, Value};

/// What is random about a leaf: 32 bytes.
pub type Salt = [u8; 32];

const STATEMENT: &str = "epcis-edge/statement/v1";
const COMMITMENT: &[u8] = b"epcis-edge/commitment/v1\n";
const ENTRY: &[u8; 19] = b"epcis-edge/leaf/v1\n";

/// How long an entry is, in bytes.
pub const ENTRY_LENGTH: usize = ENTRY.len() + 32;

/// What is said of a stored event.
///
/// **Shape**: a text of seven lines, the first of which names its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The `eventID`.
    pub event_id: String,
    /// SHA-256 of the event as it is stored.
    pub event: Hash,
    /// SHA-256 of the document as it was received: 64 lower-case hexadecimal digits.
    pub document: String,
    /// The account that warrants the event.
    pub captured_by: String,
    /// The attested observer.
    pub who: String,
    /// When it was recorded, as it is stamped.
    pub record_time: String,
}

impl Statement {
    /// What is said of an event, by its text as it is stored and the digest of its document.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] where the event cannot be read or has no stamps, which none is that a gateway stored.
    pub fn of_stored(event: &str, document: &str) -> Result<Self, Error> {
        let read = Document::read_text(event)?;
        let text = |name: &str| {
            let value = read.root().get(name).and_then(Value::as_str);
            value.map(|value| value.into_owned())
        };
        // The stamps stand behind whatever else there is.
        let stamp = |ending: &str| {
            let members = read.root().members();
            let stamps = members.filter(|(name, _)| name.to_cow().ends_with(ending));
            let last = stamps.last().and_then(|(_, value)| value.as_str());
            last.map(|value| value.into_owned())
        };
        let stated = || {
            Some(Self {
                event_id: text("eventID")?,
                event: sha256(&[event.as_bytes()]),
                document: document.to_owned(),
                captured_by: stamp(":capturedBy")?,
                who: stamp(":who")?,
                record_time: text("recordTime")?,
            })
        };
        stated().ok_or_else(|| {
            let detail = "a stored event has no stamps".to_owned();
            Error::new(ErrorKind::Internal { detail })
        })
    }

    /// Its text.
    ///
    /// # Errors
    /// [`LogFault::Statement`] where a field has a line feed: it could pass for another.
    pub fn text(&self) -> Result<String, LogFault> {
        let event = to_hex(&self.event);
        let fields = [
            STATEMENT,
            &self.event_id,
            &event,
            &self.document,
            &self.captured_by,
            &self.who,
            &self.record_time,
        ];
        if fields.iter().any(|field| field.contains('\n')) {
            return Err(LogFault::Statement {
                expected: "no line feed in a field",
            });
        }
        Ok(fields.map(|field| format!("{field}\n")).concat())
    }

    /// Reads a text.
    ///
    /// # Errors
    /// [`LogFault::Statement`].
    pub fn read(text: &str) -> Result<Self, LogFault> {
        let fault = |expected| LogFault::Statement { expected };
        let lines: Vec<&str> = text.split('\n').collect();
        let [
            STATEMENT,
            event_id,
            event,
            document,
            captured_by,
            who,
            record_time,
            "",
        ] = lines.as_slice()
        else {
            return Err(fault("seven lines, the first of them its version"));
        };
        let event = digest_of_hex(event)
            .filter(|_| digest_of_hex(document).is_some())
            .ok_or_else(|| fault("two digests of 64 lower-case hexadecimal digits"))?;
        Ok(Self {
            event_id: (*event_id).to_owned(),
            event,
            document: (*document).to_owned(),
            captured_by: (*captured_by).to_owned(),
            who: (*who).to_owned(),
            record_time: (*record_time).to_owned(),
        })
    }

    /// The commitment to it with a salt.
    ///
    /// # Errors
    /// As [`text`](Self::text).
    pub fn commitment(&self, salt: &Salt) -> Result<Hash, LogFault> {
        Ok(commitment(salt, &self.text()?))
    }
}

/// The commitment to the text of a statement.
pub(super) fn commitment(salt: &Salt, statement: &str) -> Hash {
    sha256(&[COMMITMENT, salt, statement.as_bytes()])
}

/// The entry of a commitment: what the log has of an event.
#[must_use]
pub fn entry(commitment: &Hash) -> [u8; ENTRY_LENGTH] {
    let mut entry = [0; ENTRY_LENGTH];
    let parts = ENTRY.iter().chain(commitment);
    for (byte, part) in entry.iter_mut().zip(parts) {
        *byte = *part;
    }
    entry
}

/// The hash of the leaf of a commitment.
#[must_use]
pub fn leaf_of(commitment: &Hash) -> Hash {
    leaf_hash(&entry(commitment))
}

/// The salts of the leaves that one integration makes, from 32 random bytes that nothing else is made of.
///
/// Nobody who has a salt learns another from it, and the bytes are forgotten.
#[derive(Debug)]
pub struct Salts {
    entropy: [u8; 32],
    next: u64,
}

impl Salts {
    /// The salts of random bytes, which must never be given twice.
    #[must_use]
    pub fn new(entropy: [u8; 32]) -> Self {
        Self { entropy, next: 0 }
    }
}

impl Iterator for Salts {
    type Item = Salt;

    fn next(&mut self) -> Option<Salt> {
        let number = self.next.to_be_bytes();
        self.next += 1;
        Some(sha256(&[b"epcis-edge/salt/v1\n", &self.entropy, &number]))
    }
}
