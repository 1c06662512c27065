//! The answer of the hash calculator.

use crate::error::{Error, ErrorKind};
use crate::hash::{self, EventHash, Hasher, Hashing, PreHashed, Profile};
use crate::json::{Document, push_string};
use crate::translate::{hash_xml, pre_hash_xml};
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
    pub(super) fn of<'d>(
        document: &'d Document<'d>,
        hashing: Hashing<'d>,
        with_pre_hash: bool,
    ) -> Result<Self, Error> {
        let mut hasher = Hasher::new(document, hashing);
        let mut writing = Writing::new(with_pre_hash);
        for event in hash::events(document)? {
            if with_pre_hash {
                let PreHashed { hash, pre_hash } = hasher.pre_hash(event?)?;
                writing.push(hash, &pre_hash)?;
            } else {
                writing.push(hasher.hash(event?)?, "")?;
            }
        }
        writing.finish(hashing.profile)
    }

    /// The same of EPCIS XML.
    ///
    /// # Errors
    /// As [`hash_xml`]; those of an answer that is too long.
    pub(crate) fn of_xml(xml: &[u8], profile: Profile, with_pre_hash: bool) -> Result<Self, Error> {
        let mut writing = Writing::new(with_pre_hash);
        if with_pre_hash {
            for PreHashed { hash, pre_hash } in pre_hash_xml(xml, profile)? {
                writing.push(hash, &pre_hash)?;
            }
        } else {
            for hash in hash_xml(xml, profile)? {
                writing.push(hash, "")?;
            }
        }
        writing.finish(profile)
    }
}

/// An answer that is being written.
struct Writing {
    hashes: Vec<EventHash>,
    strings: Option<String>,
}

impl Writing {
    fn new(with_pre_hash: bool) -> Self {
        Self {
            hashes: Vec::new(),
            strings: with_pre_hash.then(|| String::from("[")),
        }
    }

    /// # Errors
    /// [`ErrorKind::TooManyEvents`], [`ErrorKind::PreHashTooLong`].
    fn push(&mut self, hash: EventHash, pre_hash: &str) -> Result<(), Error> {
        if self.hashes.len() == MAX_EVENTS {
            return Err(Error::new(ErrorKind::TooManyEvents { limit: MAX_EVENTS }));
        }
        if let Some(strings) = &mut self.strings {
            if !self.hashes.is_empty() {
                strings.push(',');
            }
            push_string(strings, pre_hash);
            if strings.len() > MAX_PRE_HASH {
                let limit = MAX_PRE_HASH;
                return Err(Error::new(ErrorKind::PreHashTooLong { limit }));
            }
        }
        self.hashes.push(hash);
        Ok(())
    }

    fn finish(self, profile: Profile) -> Result<Hashes, Error> {
        let pre_hash_strings = self.strings.map(|mut strings| {
            strings.push(']');
            RawValue::from_string(strings)
        });
        let pre_hash_strings = pre_hash_strings.transpose().map_err(|error| {
            // Impossible: an array of strings was written.
            let detail = error.to_string();
            Error::new(ErrorKind::Internal { detail })
        })?;
        Ok(Hashes {
            algorithm: ALGORITHM,
            profile,
            count: self.hashes.len(),
            hashes: self.hashes,
            pre_hash_strings,
        })
    }
}
