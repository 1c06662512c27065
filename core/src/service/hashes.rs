//! The answer of the hash calculator.

use crate::error::Error;
use crate::hash::{self, EventHash, Hashing, Profile};
use crate::json::Document;
use crate::translate::{hash_xml, pre_hash_xml};
use serde::Serialize;

/// What the interface calls the algorithm, whatever the profile.
const ALGORITHM: &str = "CBV 2.0 §8.9 event hash";

/// The hashes of the events of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    /// What each hash is the digest of, in the same order, when it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pre_hash_strings: Option<Vec<String>>,
}

impl Hashes {
    /// The hashes, with the pre-hash strings or without.
    pub(super) fn of<'d>(
        document: &'d Document<'d>,
        hashing: Hashing<'d>,
        with_pre_hash: bool,
    ) -> Result<Self, Error> {
        let (hashes, pre_hash_strings) = if with_pre_hash {
            let both = hash::pre_hash_document(document, hashing)?.into_iter();
            let (hashes, strings) = both.map(|both| (both.hash, both.pre_hash)).unzip();
            (hashes, Some(strings))
        } else {
            (hash::hash_document(document, hashing)?, None)
        };
        Ok(Self::made(hashing.profile, hashes, pre_hash_strings))
    }

    /// The same of EPCIS XML.
    pub(crate) fn of_xml(xml: &[u8], profile: Profile, with_pre_hash: bool) -> Result<Self, Error> {
        if !with_pre_hash {
            return Ok(Self::made(profile, hash_xml(xml, profile)?, None));
        }
        let both = pre_hash_xml(xml, profile)?.into_iter();
        let (hashes, strings) = both.map(|both| (both.hash, both.pre_hash)).unzip();
        Ok(Self::made(profile, hashes, Some(strings)))
    }

    fn made(
        profile: Profile,
        hashes: Vec<EventHash>,
        pre_hash_strings: Option<Vec<String>>,
    ) -> Self {
        Self {
            algorithm: ALGORITHM,
            profile,
            count: hashes.len(),
            hashes,
            pre_hash_strings,
        }
    }
}
