//! The answer of the hash calculator.

use crate::error::{Error, ErrorKind};
use crate::hash::{self, EventHash, Hasher, PreHashed, Profile};
use crate::json::{Document, push_string};
use serde::Serialize;
use serde_json::value::RawValue;

/// What the interface calls the algorithm, whatever the profile.
const ALGORITHM: &str = "CBV 2.0 §8.9 event hash";

/// The hashes of the events of a document.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hashes {
    /// A constant: the phrase of the interface.
    pub algorithm: &'static str,
    /// Which reading of the algorithm was used.
    pub profile: Profile,
    /// How many hashes there are.
    pub count: usize,
    /// One an event, in the order of the document.
    pub hashes: Vec<EventHash>,
    /// What each hash is the digest of, in the same order, when it was asked for: an array of strings, written already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pre_hash_strings: Option<Box<RawValue>>,
}

/// How many hashes are answered at once: each takes more room than the smallest thing that could pass for an event.
const MAX_EVENTS: usize = 100_000;

/// How long the pre-hash strings of one answer may be together, in bytes of JSON.
const MAX_PRE_HASH: usize = 20 << 20;

impl Hashes {
    /// The hashes, with the pre-hash strings or without.
    ///
    /// # Errors
    /// As [`hash::hash_document`]; [`ErrorKind::TooManyEvents`], [`ErrorKind::PreHashTooLong`] for what is longer than an answer.
    pub(super) fn of(
        document: &Document<'_>,
        profile: Profile,
        with_pre_hash: bool,
    ) -> Result<Self, Error> {
        let mut hasher = Hasher::new(document, profile);
        let mut hashes = Vec::new();
        let mut strings = with_pre_hash.then(|| String::from("["));
        for event in hash::events(document)? {
            let event = event?;
            if hashes.len() == MAX_EVENTS {
                return Err(Error::new(ErrorKind::TooManyEvents { limit: MAX_EVENTS }));
            }
            let Some(strings) = &mut strings else {
                hashes.push(hasher.hash(event)?);
                continue;
            };
            let PreHashed { hash, pre_hash } = hasher.pre_hash(event)?;
            if !hashes.is_empty() {
                strings.push(',');
            }
            push_string(strings, &pre_hash);
            hashes.push(hash);
            if strings.len() > MAX_PRE_HASH {
                let limit = MAX_PRE_HASH;
                return Err(Error::new(ErrorKind::PreHashTooLong { limit }));
            }
        }
        let pre_hash_strings = strings.map(|mut strings| {
            strings.push(']');
            RawValue::from_string(strings)
        });
        let pre_hash_strings = pre_hash_strings.transpose().map_err(|error| {
            // Impossible: an array of strings was written.
            let detail = error.to_string();
            Error::new(ErrorKind::Internal { detail })
        })?;
        Ok(Self {
            algorithm: ALGORITHM,
            profile,
            count: hashes.len(),
            hashes,
            pre_hash_strings,
        })
    }
}
