//! The event hash of CBV 2.0, 8.9: a digest that is the same for all spellings of an event.
//!
//! An event is written as its *pre-hash string*, a canonical form without separators. The SHA-256 digest of this string is the
//! hash.
//! These differences do not change the hash: the order of members and lists, white space, the time zone, the way a number is
//! written, URN or Digital Link, and bare word, URN or web URI of a vocabulary. `recordTime`, `eventID` and `errorDeclaration`
//! are not hashed.
//!
//! Published tools read the standard in three ways: see [`Profile`].
//! Both the string and the digest are public, because the string shows why two digests differ.
//!
//! **Limits**: nothing is validated here; a value that is no time, number or identifier is hashed as it is written.
//! JSON-LD is not expanded and no context is fetched. Known prefixes are those declared in `@context` objects, and the built-in
//! `gs1`, `cbv`, `epcis`, `cbvmda` and `xml`, which a declaration overrides. A hashed name with an undeclared prefix is refused,
//! unless [`UndeclaredPrefixRule`] says otherwise.
//! The pre-hash strings of all events of a document are limited to 32 MiB plus four times the document's length: a prefix can
//! stand for a long name, and every event can use it. A list inside an extension is held in memory until it is sorted, so it is
//! limited to a quarter of that.

mod claim;
mod declared;
mod event_hash;
pub(crate) mod name;
mod number;
mod pieces;
mod profile;
mod reader;
mod same_hash;
mod stamps;
pub(crate) mod tree;
mod value;
mod writer;

pub use claim::Claim;
pub use declared::{Hashing, OuterPrefixes, UndeclaredPrefixRule};
pub use event_hash::EventHash;
pub use event_hash::{event_name, is_printed_hash};
pub(crate) use pieces::StringSink;
pub use profile::{CbvVersion, Profile};
pub use reader::events;
pub(crate) use reader::{IGNORE_NAMESPACE, Prefixes, is_uri, without_escapes};
pub(crate) use same_hash::HashComparison;
pub use stamps::HashScope;
pub use stamps::{HashWithStamps, StampNamespaces, left_out, stamp_namespaces};

use epcis_edge_text::error::{Error, ErrorKind};
use epcis_edge_text::json::{Document, Value};
use epcis_edge_text::slice::{Known, Part};
use reader::EventReader;
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::ops::Range;
use tree::{HashTree, NodeId};
use writer::PreHashWriter;

/// An event hash and the pre-hash string that it is the digest of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreHashed {
    /// The hash.
    pub hash: EventHash,
    /// The pre-hash string.
    pub pre_hash: String,
    /// The parts of the string, in order, each with its field.
    pub pieces: Vec<PreHashPiece>,
}

/// A part of a pre-hash string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreHashPiece {
    /// The field that the part belongs to: the standard's name, or `{namespace}local` for an extension.
    ///
    /// A field may have several parts: in CBV 2.0, user extensions inside a field are written after all standard fields.
    pub field: Cow<'static, str>,
    /// The range of the part in the string, in bytes.
    pub range: Range<usize>,
}

/// An event hash with its pre-hash string, of which it is the digest.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PreHashed"))]
#[serde(rename_all = "camelCase")]
pub struct ShownPreHash<'p> {
    hash: EventHash,
    pre_hash: &'p str,
    /// The pieces of the string, by field, if requested. Concatenated they are the string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pieces: Option<Vec<ShownPiece<'p>>>,
}

/// A piece of a pre-hash string.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PreHashPiece"))]
struct ShownPiece<'p> {
    /// The field of the piece: the standard's name, or `{namespace}local` for an extension. A field may have several pieces.
    field: &'p str,
    text: &'p str,
}

impl PreHashed {
    /// The hash and the string, on request with the pieces.
    #[must_use]
    pub fn shown(&self, with_pieces: bool) -> ShownPreHash<'_> {
        let pieces = self.pieces.iter().map(|piece| ShownPiece {
            field: &piece.field,
            text: self.pre_hash.part(piece.range.clone()),
        });
        let pieces = with_pieces.then(|| pieces.collect());
        ShownPreHash { hash: self.hash, pre_hash: &self.pre_hash, pieces }
    }
}

/// The result of recomputing the `eventID` of an event.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verification {
    /// The event has no `eventID`, or its `eventID` is not in hash form.
    NotHashForm,
    /// The `eventID` is the hash of the event.
    Matches {
        /// The profiles that give this hash, in the order of [`Profile::ALL`].
        profiles: Vec<Profile>,
        /// The reading of the event that has this hash.
        reading: HashScope,
    },
    /// The `eventID` is in hash form but is not the hash of this event under any profile.
    MatchesNone,
}

/// The result of recomputing the `eventID` of an event.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(rename = "Verification")]
#[expect(dead_code, reason = "its schema is made of it")]
struct Shown {
    /// Whether the `eventID` matches. `not-hash-form`: the event has no `eventID`, or one that is not an event hash.
    #[schemars(extend("enum" = ["matches", "matches-none", "not-hash-form"]))]
    result: String,
    /// The profiles under which the `eventID` is the hash of its event; empty unless `result` is `matches`.
    profiles: Vec<Profile>,
    /// Present if the `eventID` is the hash of the event without its members in a namespace that ends in `/ns/spine/`. It was made
    /// before a gateway added who captured the event.
    #[schemars(extend("const" = "without the stamps of a gateway"))]
    reading: Option<String>,
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Verification {
    fn schema_name() -> Cow<'static, str> {
        Shown::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Shown::json_schema(generator)
    }
}

/// **Shape**: `result`, `profiles`, and `reading` unless the event matches as it stands.
impl Serialize for Verification {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let reading = self.reading();
        let length = 2 + usize::from(reading.is_some());
        let mut members = serializer.serialize_struct("Verification", length)?;
        members.serialize_field("result", self.as_str())?;
        members.serialize_field("profiles", self.profiles())?;
        if let Some(reading) = reading {
            members.serialize_field("reading", reading)?;
        }
        members.end()
    }
}

impl Verification {
    /// `matches`, `matches-none` or `not-hash-form`.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Matches { .. } => "matches",
            Self::MatchesNone => "matches-none",
            Self::NotHashForm => "not-hash-form",
        }
    }

    /// The profiles under which it matches.
    #[must_use]
    pub fn profiles(&self) -> &[Profile] {
        match self {
            Self::Matches { profiles, .. } => profiles,
            Self::MatchesNone | Self::NotHashForm => &[],
        }
    }

    /// The reading in which it matches; `None` if that is the event as it stands.
    #[must_use]
    pub fn reading(&self) -> Option<&'static str> {
        match self {
            Self::Matches { reading: HashScope::WithoutStamps, .. } => {
                Some("without the stamps of a gateway")
            }
            _ => None,
        }
    }
}

/// The hashes of all events of a document, in document order. Repeated events are hashed each time.
///
/// **Shape**: an EPCISDocument (`epcisBody.eventList`, `epcisBody.event`), an EPCISQueryDocument, a bare event, an array of bare
/// events.
///
/// # Errors
/// [`ErrorKind::NoEvents`] if the document has none; [`ErrorKind::NotAnEvent`] with the location of a value that is not an event
/// where one is expected; [`ErrorKind::UndeclaredPrefix`] with the location of the first name whose prefix is not declared;
/// [`ErrorKind::NamespaceTooLong`] if a namespace has more than 8,192 bytes; [`ErrorKind::PreHashTooLong`].
///
/// # Example
/// ```
/// use epcis_edge_document::hash; use epcis_edge_text::json::Document;
/// let document = Document::read(br#"{"type": "ObjectEvent"}"#)?;
/// let hashes = hash::hash_document(&document, hash::Profile::Cbv20)?;
/// assert_eq!(
///     hashes[0].to_string(),
///     "ni:///sha-256;7aa6d15415d4b429d7c4f7b3f1aaebcdbd9a12ad5c6ff4951247b61e621b9659?ver=CBV2.0",
/// );
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
///
/// **Source**: CBV 2.0, 8.9.
pub fn hash_document<'d>(
    document: &'d Document<'d>,
    hashing: impl Into<Hashing<'d>>,
) -> Result<Vec<EventHash>, Error> {
    let mut hasher = Hasher::new(document, hashing);
    events(document)?.map(|event| hasher.hash(event?)).collect()
}

/// The hashes of all events of a document with their pre-hash strings, in document order.
///
/// **Shape** and **limits** as for [`hash_document`]; the strings are kept in memory.
///
/// # Errors
/// As [`hash_document`].
///
/// # Example
/// ```
/// use epcis_edge_document::hash; use epcis_edge_text::json::Document;
/// let document = Document::read(
///     br#"{"type": "ObjectEvent", "action": "ADD", "epcList": ["urn:epc:id:sscc:4012345.0000000333"]}"#,
/// )?;
/// let hashes = hash::pre_hash_document(&document, hash::Profile::Cbv20)?;
/// assert_eq!(
///     hashes[0].pre_hash,
///     "eventType=ObjectEventepcListepc=https://id.gs1.org/00/040123450000003338action=ADD",
/// );
/// let last = hashes[0].pieces.last().unwrap();
/// assert_eq!((&*last.field, &hashes[0].pre_hash[last.range.clone()]), ("action", "action=ADD"));
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
///
/// **Source**: CBV 2.0, 8.9.
pub fn pre_hash_document<'d>(
    document: &'d Document<'d>,
    hashing: impl Into<Hashing<'d>>,
) -> Result<Vec<PreHashed>, Error> {
    let mut hasher = Hasher::new(document, hashing);
    events(document)?.map(|event| hasher.pre_hash(event?)).collect()
}

/// Recomputes every `eventID` in hash form, under every profile. If it is not the hash of the event as it stands, the event is
/// tried without the stamps of gateways.
///
/// The result has one entry for each event, in document order.
/// A match compares the whole URI, with its version: [`Profile::Cbv20`] and [`Profile::Ref2025`] can match `?ver=CBV2.0`,
/// [`Profile::Cbv21`] can match `?ver=CBV2.1`.
///
/// # Errors
/// As [`hash_document`].
///
/// # Example
/// ```
/// use epcis_edge_document::hash::{self, Profile}; use epcis_edge_text::json::Document;
/// let event = br#"{"type": "ObjectEvent", "eventID":
///     "ni:///sha-256;7aa6d15415d4b429d7c4f7b3f1aaebcdbd9a12ad5c6ff4951247b61e621b9659?ver=CBV2.0"}"#;
/// let verified = hash::verify(&Document::read(event)?)?;
/// assert_eq!(verified[0].profiles(), [Profile::Cbv20, Profile::Ref2025]);
/// assert_eq!(verified[0].reading(), None);
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
pub fn verify(document: &Document<'_>) -> Result<Vec<Verification>, Error> {
    verify_with(document, OuterPrefixes::default())
}

/// As [`verify`], with more prefixes than the document declares. Prefixes matter only for events whose `eventID` is in hash form.
///
/// # Errors
/// As [`hash_document`].
///
/// # Example
/// ```
/// use epcis_edge_document::hash::{self, UndeclaredPrefixRule, Verification}; use epcis_edge_text::json::Document;
/// let event = Document::read(br#"{"type": "ObjectEvent", "ex:lot": "A"}"#)?;
/// let verified = hash::verify_with(&event, UndeclaredPrefixRule::Keep)?;
/// assert_eq!(verified, [Verification::NotHashForm]);
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
pub fn verify_with<'d>(
    document: &'d Document<'d>,
    declared: impl Into<OuterPrefixes<'d>>,
) -> Result<Vec<Verification>, Error> {
    let declared = declared.into();
    let mut hashers =
        Profile::ALL.map(|profile| Hasher::new(document, Hashing { profile, declared }));
    let mut verified = Vec::new();
    for event in events(document)? {
        let event = event?;
        let event_id = event.get("eventID").and_then(Value::as_str);
        let outcome = verification(event_id.as_deref(), |profile, left_out| {
            let hasher = hashers.iter_mut().find(|hasher| hasher.profile == profile);
            hasher.map(|hasher| hasher.hash_without(event, left_out)).transpose()
        });
        verified.push(outcome?);
    }
    Ok(verified)
}

/// Recomputes one `eventID`. Calls `hash` for the hash of the event under every profile of the version that the `eventID` names.
pub(crate) fn verification(
    event_id: Option<&str>,
    mut hash: impl FnMut(Profile, &[Box<str>]) -> Result<Option<HashWithStamps>, Error>,
) -> Result<Verification, Error> {
    let Some(claimed) = event_id.and_then(|id| id.trim().parse::<EventHash>().ok()) else {
        return Ok(Verification::NotHashForm);
    };
    let mut stamps = Vec::new();
    let mut matching = |left_out: &[Box<str>], stamps: &mut StampNamespaces| -> Result<_, Error> {
        let mut profiles = Vec::new();
        for profile in Profile::ALL {
            if profile.label() == claimed.version()
                && let Some(stamped) = hash(profile, left_out)?
            {
                if stamped.hash == claimed {
                    profiles.push(profile);
                }
                *stamps = stamped.stamps;
            }
        }
        Ok(Some(profiles).filter(|profiles| !profiles.is_empty()))
    };
    if let Some(profiles) = matching(&[], &mut stamps)? {
        let reading = HashScope::AsItStands;
        return Ok(Verification::Matches { profiles, reading });
    }
    for left_out in left_out(&stamps) {
        if let Some(profiles) = matching(left_out, &mut Vec::new())? {
            let reading = HashScope::WithoutStamps;
            return Ok(Verification::Matches { profiles, reading });
        }
    }
    Ok(Verification::MatchesNone)
}

/// Hashes single events of one document, under one profile.
///
/// It knows the prefixes that the document declares, and reuses its buffers for every event.
///
/// # Example
/// ```
/// use epcis_edge_document::hash::{Hasher, Profile}; use epcis_edge_text::json::Document;
/// let document = Document::read(br#"{"type": "EPCISDocument", "epcisBody": {"eventList": [{"type": "ObjectEvent"}]}}"#)?;
/// let event = document.root().pointer("/epcisBody/eventList/0").unwrap();
/// let mut hasher = Hasher::new(&document, Profile::Cbv20);
/// assert_eq!(hasher.pre_hash(event)?.pre_hash, "eventType=ObjectEvent");
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Hasher<'d> {
    profile: Profile,
    reader: EventReader<'d>,
    tree: HashTree<'d>,
    engine: Engine,
}

impl<'d> Hasher<'d> {
    /// A hasher for the events of a document.
    #[must_use]
    pub fn new(document: &'d Document<'d>, hashing: impl Into<Hashing<'d>>) -> Self {
        let Hashing { profile, declared } = hashing.into();
        let mut tree = HashTree::new(document.text());
        Self {
            profile,
            reader: EventReader::new(document, &mut tree, &profile.switches(), declared),
            tree,
            engine: Engine::new(profile, document.text().len()),
        }
    }

    /// The hash of one event of the document.
    ///
    /// # Errors
    /// [`ErrorKind::UndeclaredPrefix`], [`ErrorKind::NamespaceTooLong`], [`ErrorKind::PreHashTooLong`].
    pub fn hash(&mut self, event: Value<'d>) -> Result<EventHash, Error> {
        self.read(event)?;
        self.engine.hash(&self.tree)
    }

    /// The stamps of one event of the document.
    ///
    /// # Errors
    /// [`ErrorKind::NamespaceTooLong`].
    pub fn stamps(&mut self, event: Value<'d>) -> Result<StampNamespaces, Error> {
        self.tree.clear();
        self.reader.read_all(event, &mut self.tree)?;
        Ok(stamp_namespaces(&self.tree))
    }

    /// The hash of one event of the document without the members in these namespaces. If there are any, undeclared prefixes are
    /// not refused: the unchanged event was checked for them before.
    ///
    /// # Errors
    /// As [`hash`](Self::hash).
    pub fn hash_without(
        &mut self,
        event: Value<'d>,
        left_out: &[Box<str>],
    ) -> Result<HashWithStamps, Error> {
        self.reader.leave_out(left_out);
        let hash = match left_out {
            [] => self.hash(event),
            _ => self.hash_all(event).map(|checked| checked.hash),
        };
        self.reader.leave_out(&[]);
        Ok(HashWithStamps { hash: hash?, stamps: stamp_namespaces(&self.tree) })
    }

    /// The hash of one event of the document; undeclared prefixes are not refused. Also returns the error for the first such
    /// name, with its value in place of a location, which would cost a walk through the document.
    ///
    /// # Errors
    /// As [`hash`](Self::hash), except [`ErrorKind::UndeclaredPrefix`].
    pub fn hash_all(&mut self, event: Value<'d>) -> Result<CheckedHash<'d>, Error> {
        self.tree.clear();
        self.reader.read_all(event, &mut self.tree)?;
        Ok(CheckedHash {
            hash: self.engine.hash(&self.tree)?,
            undeclared: self.reader.take_undeclared(),
        })
    }

    /// The hash of one event of the document, with its pre-hash string.
    ///
    /// # Errors
    /// As [`hash`](Self::hash).
    pub fn pre_hash(&mut self, event: Value<'d>) -> Result<PreHashed, Error> {
        self.read(event)?;
        self.engine.pre_hash(&self.tree)
    }

    /// The hash of one event of the document; its pre-hash string is appended to `sink`, if there is one.
    ///
    /// # Errors
    /// As [`hash`](Self::hash); also [`ErrorKind::PreHashTooLong`] with the limit of `sink`.
    pub(crate) fn hash_into(
        &mut self,
        event: Value<'d>,
        sink: Option<StringSink>,
    ) -> Result<(EventHash, Option<StringSink>), Error> {
        self.read(event)?;
        self.engine.hash_into(&self.tree, sink)
    }

    fn read(&mut self, event: Value<'d>) -> Result<(), Error> {
        self.tree.clear();
        self.reader.read(event, &mut self.tree)
    }
}

/// The result of [`Hasher::hash_all`].
pub struct CheckedHash<'d> {
    /// The hash.
    pub hash: EventHash,
    /// The first undeclared prefix, as a failure, with its place.
    pub undeclared: Option<(ErrorKind, Value<'d>)>,
}

/// The step after the readers, shared by JSON and XML: computes hashes from event trees.
#[derive(Debug)]
pub(crate) struct Engine {
    profile: Profile,
    writer: PreHashWriter,
    /// The limit for the total length of all pre-hash strings, and their total length so far; in bytes.
    limit: usize,
    written: usize,
}

impl Engine {
    /// An engine for the events of a document of this length in bytes.
    pub(crate) fn new(profile: Profile, document_length: usize) -> Self {
        let limit = (32 << 20) + 4 * document_length;
        Self { profile, writer: PreHashWriter::new(profile.switches(), limit), limit, written: 0 }
    }

    /// # Errors
    /// [`ErrorKind::PreHashTooLong`].
    pub(crate) fn hash(&mut self, tree: &HashTree<'_>) -> Result<EventHash, Error> {
        self.hash_of(tree, NodeId::EVENT)
    }

    fn hash_of(&mut self, tree: &HashTree<'_>, event: NodeId) -> Result<EventHash, Error> {
        self.write(tree, event, None).map(|(hash, _)| hash)
    }

    /// # Errors
    /// [`ErrorKind::PreHashTooLong`].
    pub(crate) fn pre_hash(&mut self, tree: &HashTree<'_>) -> Result<PreHashed, Error> {
        self.writer.pieces.keep_labels();
        let outcome = self.hash_into(tree, Some(StringSink::default()));
        let mut labels = self.writer.pieces.take_labels();
        let (hash, sink) = outcome?;
        let pre_hash = sink.known().text;
        // Adjacent parts of one field are merged.
        labels.dedup_by(|next, one| next.0 == one.0);
        let ends = labels.iter().skip(1).map(|(_, start)| *start).chain([pre_hash.len()]);
        let pieces = labels.iter().zip(ends).filter(|((_, start), end)| start < end);
        let pieces = pieces
            .map(|((field, start), end)| PreHashPiece { field: field.clone(), range: *start..end });
        Ok(PreHashed { hash, pieces: pieces.collect(), pre_hash })
    }

    /// # Errors
    /// [`ErrorKind::PreHashTooLong`].
    pub(crate) fn hash_into(
        &mut self,
        tree: &HashTree<'_>,
        sink: Option<StringSink>,
    ) -> Result<(EventHash, Option<StringSink>), Error> {
        self.write(tree, NodeId::EVENT, sink)
    }

    fn write(
        &mut self,
        tree: &HashTree<'_>,
        event: NodeId,
        sink: Option<StringSink>,
    ) -> Result<(EventHash, Option<StringSink>), Error> {
        let most = sink.as_ref().and_then(|sink| sink.limit);
        let limit = most.map_or(self.limit, |most| most.min(self.limit));
        let too_long = || Error::new(ErrorKind::PreHashTooLong { limit });
        self.writer.pieces.start(sink);
        self.writer.event(tree, event);
        let (digest, sink) = self.writer.pieces.finish().map_err(|over| match over.held {
            Some(limit) => Error::new(ErrorKind::PreHashTooLong { limit }),
            None => too_long(),
        })?;
        self.written += self.writer.pieces.length();
        if self.written > self.limit {
            return Err(too_long());
        }
        Ok((EventHash::new(digest, self.profile), sink))
    }
}
