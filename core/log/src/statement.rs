//! Statements about stored events. A leaf commits to a statement with a salt, so that nobody can confirm a guess.
//!
//! The digests of a statement are keyed: anyone who sees a plain digest of an event, or an `eventID` that is the hash of its
//! content, can test guesses about withheld fields. The root over the fields of the event lets single fields be disclosed.

use super::fields::field_root;
use super::keyed::{LeafKeys, Salt};
use super::tile::decimal;
use super::tree::{Hash, leaf_hash, sha256};
use epcis_edge_text::digits::{digest_of_hex, to_hex};
use epcis_edge_text::error::{Error, LogFault};
use epcis_edge_text::json::{Document, Value};

const VERSION: &str = "epcis-edge/statement/v2";
const COMMITMENT: &[u8] = b"epcis-edge/commitment/v2\n";
const ENTRY: &[u8; 19] = b"epcis-edge/leaf/v1\n";

/// The length of an entry, in bytes.
pub const ENTRY_LENGTH: usize = ENTRY.len() + 32;

/// A statement about a stored event, with digests under keys derived from the salt of its leaf, and the fields as a tree.
///
/// **Shape**: a text of seven lines, the first of which names its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The keyed digest of the event as it is stored.
    pub event: Hash,
    /// The keyed digest of the digest of the document as it was received.
    pub document: Hash,
    /// The number of fields of the event.
    pub fields: u64,
    /// The root over the fields.
    pub field_root: Hash,
    /// The stamps of the gateway.
    pub stamps: GatewayStamps,
}

/// The members that a gateway adds to an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatewayStamps {
    /// The account that warrants the event.
    pub captured_by: String,
    /// The attested observer.
    pub who: String,
    /// The stamped time of recording.
    pub record_time: String,
}

impl GatewayStamps {
    /// The stamps of a stored event, if it has any.
    fn of(event: Value<'_>) -> Option<Self> {
        // The stamps may have any prefix. They come last in the event, so the last member with the name counts.
        let stamp = |ending: &str| {
            let members = event.members();
            let stamps = members.filter(|(name, _)| name.to_cow().ends_with(ending));
            let last = stamps.last().and_then(|(_, value)| value.as_str());
            last.map(|value| value.into_owned())
        };
        Some(Self {
            captured_by: stamp(":capturedBy")?,
            who: stamp(":who")?,
            record_time: text_of(event, "recordTime")?,
        })
    }
}

fn text_of(event: Value<'_>, name: &str) -> Option<String> {
    let value = event.get(name).and_then(Value::as_str);
    value.map(|value| value.into_owned())
}

impl Statement {
    /// The statement of a new leaf, from the event as stored, the digest of its document and the salt of the leaf.
    ///
    /// **Cost**: in proportion to the event; 32 bytes of memory a field.
    ///
    /// # Errors
    /// [`ErrorKind::Json`](epcis_edge_text::error::ErrorKind::Json) if the event cannot be read, [`ErrorKind::Internal`](epcis_edge_text::error::ErrorKind::Internal) if it has no stamps; neither happens with an
    /// event that a gateway stored. [`LogFault::RepeatedName`].
    pub fn of_stored(event: &str, document: &str, salt: &Salt) -> Result<Self, Error> {
        let read = Document::read_text(event)?;
        let keys = LeafKeys::new(salt);
        let stamps = GatewayStamps::of(read.root())
            .ok_or_else(|| Error::impossible("a stored event has no stamps"))?;
        let digests = (keys.event(event), keys.document(document));
        Ok(Self::with(read.root(), stamps, digests, &keys)?)
    }

    /// The statement of an existing leaf.
    ///
    /// # Errors
    /// As [`of_stored`](Self::of_stored); [`ErrorKind::Internal`](epcis_edge_text::error::ErrorKind::Internal) if the commitment is to another statement: the event is not the
    /// one that was logged.
    pub fn of_leaf(
        event: &str,
        document: &str,
        salt: &Salt,
        commitment: &Hash,
    ) -> Result<Self, Error> {
        let stated = Self::of_stored(event, document, salt)?;
        if stated.commitment(salt)? == *commitment {
            return Ok(stated);
        }
        Err(Error::impossible(
            "the step `leaf`: the commitment of the leaf is not to the statement about its event",
        ))
    }

    /// Makes the statement about an event, perhaps another one, with the same document.
    ///
    /// # Errors
    /// [`LogFault::Statement`] if the event has no stamps; [`LogFault::RepeatedName`].
    pub(super) fn recomputed(&self, event: Value<'_>, salt: &Salt) -> Result<Self, LogFault> {
        let stamps = GatewayStamps::of(event)
            .ok_or(LogFault::Statement { expected: "an event with the stamps of a gateway" })?;
        let keys = LeafKeys::new(salt);
        let digests = (keys.event(event.source()), self.document);
        Self::with(event, stamps, digests, &keys)
    }

    /// The statement about an event, with the keyed digests of the event and of its document.
    fn with(
        fields: Value<'_>,
        stamps: GatewayStamps,
        (event, document): (Hash, Hash),
        keys: &LeafKeys,
    ) -> Result<Self, LogFault> {
        let (fields, field_root) = field_root(fields, keys)?;
        Ok(Self { event, document, fields, field_root, stamps })
    }

    /// All values of the event in the statement but its digest, with names.
    pub(super) fn said(&self) -> [(&'static str, String); 4] {
        let root = format!("{} {}", self.fields, to_hex(&self.field_root));
        [
            ("tree of fields", root),
            ("recordTime", self.stamps.record_time.clone()),
            ("who", self.stamps.who.clone()),
            ("capturedBy", self.stamps.captured_by.clone()),
        ]
    }

    /// The text of the statement.
    ///
    /// # Errors
    /// [`LogFault::Statement`] if a value has a line feed: the text could be read as another statement.
    pub fn text(&self) -> Result<String, LogFault> {
        let lines = [
            VERSION,
            &to_hex(&self.event),
            &to_hex(&self.document),
            &format!("{} {}", self.fields, to_hex(&self.field_root)),
            &self.stamps.captured_by,
            &self.stamps.who,
            &self.stamps.record_time,
        ];
        if lines.iter().any(|line| line.contains('\n')) {
            return Err(LogFault::Statement { expected: "no line feed in a field" });
        }
        Ok(lines.map(|line| format!("{line}\n")).concat())
    }

    /// Parses the text of a statement.
    ///
    /// # Errors
    /// [`LogFault::Statement`].
    pub fn read(text: &str) -> Result<Self, LogFault> {
        let fault = |expected| LogFault::Statement { expected };
        let lines: Vec<&str> = text.split('\n').collect();
        let [VERSION, event, document, tree, captured_by, who, record_time, ""] = lines.as_slice()
        else {
            return Err(fault(
                "seven lines, the first of them its version: `epcis-edge/statement/v2`",
            ));
        };
        let digests = || fault("two digests of 64 lower-case hexadecimal digits");
        let tree = tree.split_once(' ').and_then(|(count, root)| {
            let count = decimal(count).filter(|count| *count > 0)?;
            Some((count, digest_of_hex(root)?))
        });
        let (fields, field_root) = tree.ok_or_else(|| {
            fault("the number of fields in plain decimal, a blank and the digest of their root")
        })?;
        Ok(Self {
            event: digest_of_hex(event).ok_or_else(digests)?,
            document: digest_of_hex(document).ok_or_else(digests)?,
            fields,
            field_root,
            stamps: GatewayStamps {
                captured_by: (*captured_by).to_owned(),
                who: (*who).to_owned(),
                record_time: (*record_time).to_owned(),
            },
        })
    }

    /// The commitment to the statement with the salt of its leaf.
    ///
    /// # Errors
    /// As [`text`](Self::text).
    pub fn commitment(&self, salt: &Salt) -> Result<Hash, LogFault> {
        Ok(commitment(salt, &self.text()?))
    }
}

/// The commitment to the text of a statement; `salt` is that of the leaf.
pub(super) fn commitment(salt: &Salt, statement: &str) -> Hash {
    keyed_commitment(&LeafKeys::new(salt).commitment(), statement)
}

/// The commitment to the text of a statement; `salt` is that of [`LeafKeys::commitment`].
pub(super) fn keyed_commitment(salt: &Salt, statement: &str) -> Hash {
    sha256(&[COMMITMENT, salt, statement.as_bytes()])
}

/// The entry for a commitment: all that the log publishes about an event.
#[must_use]
pub fn entry(commitment: &Hash) -> [u8; ENTRY_LENGTH] {
    let mut entry = [0; ENTRY_LENGTH];
    let parts = ENTRY.iter().chain(commitment);
    for (byte, part) in entry.iter_mut().zip(parts) {
        *byte = *part;
    }
    entry
}

/// The leaf hash for a commitment.
#[must_use]
pub fn leaf_of(commitment: &Hash) -> Hash {
    leaf_hash(&entry(commitment))
}

/// The salts of the leaves that one integration adds, derived from 32 random bytes, which must be used for nothing else,
/// and never twice.
///
/// No salt can be computed from another, and the random bytes are not kept.
pub fn salts(entropy: [u8; 32]) -> impl Iterator<Item = Salt> {
    let numbers = (0_u64..).map(u64::to_be_bytes);
    numbers.map(move |number| sha256(&[b"epcis-edge/salt/v1\n", &entropy, &number]))
}
