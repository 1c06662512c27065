//! Statements about stored events. A leaf commits to a statement with a salt, so that nobody can confirm a guess.
//!
//! Why are there two versions?
//! Version 1 has the plain digest of the event, and its `eventID`, which may be the hash of its content. Anyone who sees it can
//! test guesses about withheld fields. Version 2 has keyed digests instead, and a root over the fields of the event, so that
//! single fields can be disclosed. New leaves use version 2; leaves of version 1 stay valid for ever.

use super::fields::field_root;
use super::keyed::{LeafKeys, Salt};
use super::tile::decimal;
use super::tree::{Hash, leaf_hash, sha256};
use crate::digits::{digest_of_hex, to_hex};
use crate::error::{Error, ErrorKind, LogFault};
use crate::json::{Document, Value};

const PLAIN: &str = "epcis-edge/statement/v1";
const KEYED: &str = "epcis-edge/statement/v2";
const PLAIN_COMMITMENT: &[u8] = b"epcis-edge/commitment/v1\n";
const KEYED_COMMITMENT: &[u8] = b"epcis-edge/commitment/v2\n";
const ENTRY: &[u8; 19] = b"epcis-edge/leaf/v1\n";

/// The length of an entry, in bytes.
pub const ENTRY_LENGTH: usize = ENTRY.len() + 32;

/// A statement about a stored event.
///
/// **Shape**: a text of seven lines, the first of which names its version.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Version 1.
    Plain(PlainStatement),
    /// Version 2.
    Keyed(KeyedStatement),
}

/// Version 1 of a statement, with digests that anybody who has the event can compute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainStatement {
    /// The `eventID`.
    pub event_id: String,
    /// SHA-256 of the event as it is stored.
    pub event: Hash,
    /// SHA-256 of the document as it was received: 64 lower-case hexadecimal digits.
    pub document: String,
    /// The stamps of the gateway.
    pub stamps: GatewayStamps,
}

/// Version 2 of a statement, with digests under keys derived from the salt, and the fields as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyedStatement {
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

fn internal(detail: &str) -> Error {
    let detail = detail.to_owned();
    Error::new(ErrorKind::Internal { detail })
}

impl Statement {
    /// The statement of a new leaf, from the event as stored, the digest of its document and the salt of the leaf.
    ///
    /// **Cost**: in proportion to the event; 32 bytes of memory a field.
    ///
    /// # Errors
    /// [`ErrorKind::Json`] if the event cannot be read, [`ErrorKind::Internal`] if it has no stamps; neither happens with an
    /// event that a gateway stored. [`LogFault::RepeatedName`].
    pub fn of_stored(event: &str, document: &str, salt: &Salt) -> Result<Self, Error> {
        let read = Document::read_text(event)?;
        let keys = LeafKeys::new(salt);
        let stamps = GatewayStamps::of(read.root())
            .ok_or_else(|| internal("a stored event has no stamps"))?;
        let (fields, field_root) = field_root(read.root(), &keys)?;
        Ok(Self::Keyed(KeyedStatement {
            event: keys.event(event),
            document: keys.document(document),
            fields,
            field_root,
            stamps,
        }))
    }

    /// As [`of_stored`](Self::of_stored), in version 1.
    ///
    /// # Errors
    /// [`ErrorKind::Json`] if the event cannot be read, [`ErrorKind::Internal`] if it has no stamps or no `eventID`.
    pub fn plain_of_stored(event: &str, document: &str) -> Result<Self, Error> {
        let read = Document::read_text(event)?;
        let stated = || {
            Some(PlainStatement {
                event_id: text_of(read.root(), "eventID")?,
                event: sha256(&[event.as_bytes()]),
                document: document.to_owned(),
                stamps: GatewayStamps::of(read.root())?,
            })
        };
        let stated = stated().ok_or_else(|| internal("a stored event has no stamps"))?;
        Ok(Self::Plain(stated))
    }

    /// The statement of an existing leaf, in the version with which the leaf was made.
    ///
    /// # Errors
    /// As [`of_stored`](Self::of_stored); [`ErrorKind::Internal`] if the commitment matches neither version: the event is not the
    /// one that was logged.
    pub fn of_leaf(
        event: &str,
        document: &str,
        salt: &Salt,
        commitment: &Hash,
    ) -> Result<Self, Error> {
        let keyed = Self::of_stored(event, document, salt)?;
        if keyed.commitment(salt)? == *commitment {
            return Ok(keyed);
        }
        let plain = Self::plain_of_stored(event, document)?;
        if plain.commitment(salt)? == *commitment {
            return Ok(plain);
        }
        Err(internal(
            "the step `leaf`: the commitment of the leaf is to neither version of the statement about its event",
        ))
    }

    /// Makes the statement about an event, perhaps another one, in the same version and with the same document.
    ///
    /// # Errors
    /// [`LogFault::Statement`] if the event has no stamps; [`LogFault::RepeatedName`].
    pub(super) fn again(&self, event: Value<'_>, salt: &Salt) -> Result<Self, LogFault> {
        let stamps = GatewayStamps::of(event).ok_or(LogFault::Statement {
            expected: "an event with the stamps of a gateway",
        })?;
        Ok(match self {
            Self::Plain(stated) => Self::Plain(PlainStatement {
                event_id: text_of(event, "eventID").unwrap_or_default(),
                event: self.digest_of(event.source(), salt),
                document: stated.document.clone(),
                stamps,
            }),
            Self::Keyed(stated) => {
                let (fields, field_root) = field_root(event, &LeafKeys::new(salt))?;
                Self::Keyed(KeyedStatement {
                    event: self.digest_of(event.source(), salt),
                    document: stated.document,
                    fields,
                    field_root,
                    stamps,
                })
            }
        })
    }

    /// The digest of the event in the statement.
    pub(super) fn digest(&self) -> Hash {
        match self {
            Self::Plain(stated) => stated.event,
            Self::Keyed(stated) => stated.event,
        }
    }

    /// The digest that a statement of this version has for an event.
    pub(super) fn digest_of(&self, event: &str, salt: &Salt) -> Hash {
        match self {
            Self::Plain(_) => sha256(&[event.as_bytes()]),
            Self::Keyed(_) => LeafKeys::new(salt).event(event),
        }
    }

    /// The name of that digest.
    pub(super) fn digest_name(&self) -> &'static str {
        match self {
            Self::Plain(_) => "SHA-256",
            Self::Keyed(_) => "keyed digest",
        }
    }

    /// The stamped time of recording.
    pub(super) fn record_time(&self) -> &str {
        match self {
            Self::Plain(stated) => &stated.stamps.record_time,
            Self::Keyed(stated) => &stated.stamps.record_time,
        }
    }

    /// All other values of the event in the statement, with names.
    pub(super) fn said(&self) -> Vec<(&'static str, String)> {
        let (own, stamps) = match self {
            Self::Plain(stated) => (("eventID", stated.event_id.clone()), &stated.stamps),
            Self::Keyed(stated) => {
                let root = format!("{} {}", stated.fields, to_hex(&stated.field_root));
                (("tree of fields", root), &stated.stamps)
            }
        };
        vec![
            own,
            ("recordTime", stamps.record_time.clone()),
            ("who", stamps.who.clone()),
            ("capturedBy", stamps.captured_by.clone()),
        ]
    }

    /// The text of the statement.
    ///
    /// # Errors
    /// [`LogFault::Statement`] if a value has a line feed: the text could be read as another statement.
    pub fn text(&self) -> Result<String, LogFault> {
        let (version, [a, b, c], stamps) = match self {
            Self::Plain(stated) => {
                let lines = [
                    stated.event_id.clone(),
                    to_hex(&stated.event),
                    stated.document.clone(),
                ];
                (PLAIN, lines, &stated.stamps)
            }
            Self::Keyed(stated) => {
                let lines = [
                    to_hex(&stated.event),
                    to_hex(&stated.document),
                    format!("{} {}", stated.fields, to_hex(&stated.field_root)),
                ];
                (KEYED, lines, &stated.stamps)
            }
        };
        let lines = [
            version,
            &a,
            &b,
            &c,
            &stamps.captured_by,
            &stamps.who,
            &stamps.record_time,
        ];
        if lines.iter().any(|line| line.contains('\n')) {
            return Err(LogFault::Statement {
                expected: "no line feed in a field",
            });
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
        let [version, a, b, c, captured_by, who, record_time, ""] = lines.as_slice() else {
            return Err(fault("seven lines, the first of them its version"));
        };
        let stamps = GatewayStamps {
            captured_by: (*captured_by).to_owned(),
            who: (*who).to_owned(),
            record_time: (*record_time).to_owned(),
        };
        let digests = || fault("two digests of 64 lower-case hexadecimal digits");
        match *version {
            PLAIN => Ok(Self::Plain(PlainStatement {
                event_id: (*a).to_owned(),
                event: digest_of_hex(b)
                    .filter(|_| digest_of_hex(c).is_some())
                    .ok_or_else(digests)?,
                document: (*c).to_owned(),
                stamps,
            })),
            KEYED => {
                let tree = c.split_once(' ');
                let tree = tree.and_then(|(count, root)| {
                    let count = decimal(count).filter(|count| *count > 0)?;
                    Some((count, digest_of_hex(root)?))
                });
                let (fields, field_root) = tree.ok_or_else(|| {
                    fault("the number of fields in plain decimal, a blank and the digest of their root")
                })?;
                Ok(Self::Keyed(KeyedStatement {
                    event: digest_of_hex(a).ok_or_else(digests)?,
                    document: digest_of_hex(b).ok_or_else(digests)?,
                    fields,
                    field_root,
                    stamps,
                }))
            }
            _ => Err(fault(
                "seven lines, the first of them its version: `epcis-edge/statement/v1` or `v2`",
            )),
        }
    }

    /// The commitment to the statement with the salt of its leaf.
    ///
    /// # Errors
    /// As [`text`](Self::text).
    pub fn commitment(&self, salt: &Salt) -> Result<Hash, LogFault> {
        Ok(commitment(salt, &self.text()?))
    }
}

/// The commitment to the text of a statement, in the version that the text names.
pub(super) fn commitment(salt: &Salt, statement: &str) -> Hash {
    let is_keyed = statement
        .strip_prefix(KEYED)
        .is_some_and(|rest| rest.starts_with('\n'));
    if is_keyed {
        keyed_commitment(&LeafKeys::new(salt).commitment(), statement)
    } else {
        sha256(&[PLAIN_COMMITMENT, salt, statement.as_bytes()])
    }
}

/// The commitment to the text of a statement of version 2; `salt` is that of [`LeafKeys::commitment`].
pub(super) fn keyed_commitment(salt: &Salt, statement: &str) -> Hash {
    sha256(&[KEYED_COMMITMENT, salt, statement.as_bytes()])
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

/// The salts of the leaves that one integration adds, derived from 32 random bytes used for nothing else.
///
/// No salt can be computed from another, and the random bytes are not kept.
#[derive(Debug)]
pub struct Salts {
    entropy: [u8; 32],
    next: u64,
}

impl Salts {
    /// Salts from random bytes, which must never be used twice.
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
