//! The answer of the hash calculator.

use crate::hash::{self, EventHash, Hasher, Hashing, Profile, StringSink};
use crate::translate::for_each_xml_event;
use epcis_edge_text::error::{Error, ErrorKind};
use epcis_edge_text::json::Document;
use serde::Serialize;
use serde_json::value::RawValue;

/// The name of the algorithm in answers, whatever the profile.
const ALGORITHM: &str = "CBV 2.0 §8.9 event hash";

/// The hashes of the events of a document.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Hashes {
    /// The name of the algorithm, a constant.
    #[cfg_attr(feature = "schema", schemars(extend("const" = ALGORITHM)))]
    pub algorithm: &'static str,
    /// The profile that was used.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = Profile::ALL.map(Profile::as_str))))]
    pub profile: Profile,
    /// How many hashes there are.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub count: usize,
    /// One per event, in document order.
    #[cfg_attr(
        feature = "schema",
        schemars(
            with = "Vec<String>",
            length(min = 1),
            inner(regex(pattern = r"^ni:///sha-256;[0-9a-f]{64}\?ver=CBV2\.[01]$"))
        )
    )]
    pub hashes: Vec<EventHash>,
    /// The pre-hash string of each hash, in the same order, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<String>>"))]
    pub pre_hash_strings: Option<Box<RawValue>>,
}

/// The most hashes in one answer. Without a limit, the hashes of very short events could take far more room than the document.
const MAX_EVENTS: usize = 100_000;

/// The most bytes of JSON that the pre-hash strings of one answer may have together.
const MAX_PRE_HASH: usize = 8 << 20;

impl Hashes {
    /// The hashes, with the pre-hash strings or without.
    ///
    /// # Errors
    /// As [`hash::hash_document`]; [`ErrorKind::TooManyEvents`], [`ErrorKind::PreHashTooLong`] for an answer over the limits.
    pub(super) fn of<'d>(
        document: &'d Document<'d>,
        hashing: Hashing<'d>,
        with_pre_hash: bool,
    ) -> Result<Self, Error> {
        let mut hasher = Hasher::new(document, hashing);
        let mut builder = AnswerBuilder::new(with_pre_hash, document.text().len());
        for event in hash::events(document)? {
            let event = event?;
            builder.next(|sink| hasher.hash_into(event, sink))?;
        }
        builder.finish(hashing.profile)
    }

    /// The hashes of EPCIS XML, with the pre-hash strings or without.
    ///
    /// # Errors
    /// As [`hash_xml`](crate::translate::hash_xml); [`ErrorKind::TooManyEvents`], [`ErrorKind::PreHashTooLong`].
    pub(crate) fn of_xml(xml: &[u8], profile: Profile, with_pre_hash: bool) -> Result<Self, Error> {
        let mut builder = AnswerBuilder::new(with_pre_hash, xml.len());
        for_each_xml_event(xml, profile, |engine, tree| {
            builder.next(|sink| engine.hash_into(tree, sink))
        })?;
        builder.finish(profile)
    }
}

/// An answer that is being written.
struct AnswerBuilder {
    hashes: Vec<EventHash>,
    strings: Option<StringSink>,
}

impl AnswerBuilder {
    /// Begins the answer about a document of `length` bytes.
    fn new(with_pre_hash: bool, length: usize) -> Self {
        let text = || {
            // Pre-hash strings are seldom longer than this, so the buffer seldom grows; growing takes twice the memory.
            let mut text = String::with_capacity((3 * length).min(MAX_PRE_HASH) + 64);
            text.push('[');
            text
        };
        let strings = || StringSink { text: text(), is_json: true, limit: Some(MAX_PRE_HASH) };
        Self { hashes: Vec::new(), strings: with_pre_hash.then(strings) }
    }

    /// Adds the next event; `hash` appends its pre-hash string to the buffer, if strings are requested.
    ///
    /// # Errors
    /// [`ErrorKind::TooManyEvents`]; those of `hash`.
    fn next(
        &mut self,
        hash: impl FnOnce(Option<StringSink>) -> Result<(EventHash, Option<StringSink>), Error>,
    ) -> Result<(), Error> {
        if self.hashes.len() == MAX_EVENTS {
            return Err(Error::new(ErrorKind::TooManyEvents(MAX_EVENTS)));
        }
        if let Some(strings) = &mut self.strings {
            strings.text.push_str(if self.hashes.is_empty() { "\"" } else { ",\"" });
        }
        let (hash, strings) = hash(self.strings.take())?;
        self.strings = strings;
        if let Some(strings) = &mut self.strings {
            strings.text.push('"');
        }
        self.hashes.push(hash);
        Ok(())
    }

    fn finish(self, profile: Profile) -> Result<Hashes, Error> {
        let pre_hash_strings = self.strings.map(|mut strings| {
            strings.text.push(']');
            RawValue::from_string(strings.text)
        });
        let pre_hash_strings = pre_hash_strings.transpose().map_err(Error::impossible)?;
        Ok(Hashes {
            algorithm: ALGORITHM,
            profile,
            count: self.hashes.len(),
            hashes: self.hashes,
            pre_hash_strings,
        })
    }
}
