//! The names of events: kept, checked if they claim to be a hash, replaced if they no longer match.

use super::Policy;
use super::strip::Stripper;
use crate::query::{Facts, Field, TimeField};
use epcis_edge_document::context::Addresses;
use epcis_edge_document::hash::{
    CheckedHash, Claim, EventHash, Hasher, Hashing, OuterPrefixes, Profile, UndeclaredPrefixRule,
    left_out,
};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, Value};
use epcis_edge_text::slice::{Known, OrEmpty};
use epcis_edge_text::time::Timestamp;

/// Computes the hashes of a document's events, to check their names.
pub(super) struct NameChecker<'d> {
    document: &'d Document<'d>,
    content: Hasher<'d>,
    /// The hashers of the other profiles, once a name needs them.
    others: Option<[Hasher<'d>; 2]>,
}

const OTHERS: [Profile; 2] = [Profile::Cbv21, Profile::Ref2025];

impl<'d> NameChecker<'d> {
    pub(super) fn new(document: &'d Document<'d>) -> Self {
        Self { document, content: Hasher::new(document, judging(Profile::Cbv20)), others: None }
    }

    /// The CBV 2.0 hash of an event.
    ///
    /// # Errors
    /// [`ErrorKind::NamespaceTooLong`](epcis_edge_text::error::ErrorKind::NamespaceTooLong),
    /// [`ErrorKind::PreHashTooLong`](epcis_edge_text::error::ErrorKind::PreHashTooLong).
    pub(super) fn content_hash(&mut self, event: Value<'d>) -> Result<EventHash, Error> {
        Ok(self.checked_hash(event)?.hash)
    }

    /// The CBV 2.0 hash of an event, and the error of an undeclared prefix: such an event is not captured.
    ///
    /// # Errors
    /// As [`content_hash`](Self::content_hash).
    pub(super) fn checked_hash(&mut self, event: Value<'d>) -> Result<CheckedHash<'d>, Error> {
        self.content.hash_all(event)
    }

    /// The hash that would be correct as a name, in the version that the name claims, or CBV 2.0 if it claims none.
    ///
    /// # Errors
    /// As [`content_hash`](Self::content_hash).
    pub(super) fn expected(&mut self, claim: Claim, event: Value<'d>) -> Result<EventHash, Error> {
        let profile = claim.profiles().next();
        self.hash_under(profile.or_empty(), event)
    }

    /// Whether an event has the hash that a name claims, under any published profile.
    ///
    /// # Errors
    /// As [`content_hash`](Self::content_hash).
    pub(super) fn is_met(
        &mut self,
        claim: Claim,
        event: Value<'d>,
        content_hash: &EventHash,
    ) -> Result<bool, Error> {
        for profile in claim.profiles() {
            let hash = match profile {
                Profile::Cbv20 => *content_hash,
                other => self.hash_under(other, event)?,
            };
            if claim.is_met_by(&hash) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an event has the hash that a name claims, as it is or without the stamps of other gateways, which were added
    /// after the name was made.
    ///
    /// # Errors
    /// As [`content_hash`](Self::content_hash).
    pub(super) fn holds(&mut self, claim: Claim, event: Value<'d>) -> Result<bool, Error> {
        let content_hash = self.content_hash(event)?;
        Ok(self.is_met(claim, event, &content_hash)? || self.is_met_without_stamps(claim, event)?)
    }

    /// Whether an event without the stamps of gateways has the claimed hash.
    ///
    /// # Errors
    /// As [`content_hash`](Self::content_hash).
    fn is_met_without_stamps(&mut self, claim: Claim, event: Value<'d>) -> Result<bool, Error> {
        let Some(first) = claim.profiles().next() else {
            return Ok(false);
        };
        let stamps = self.hasher(first).stamps(event)?;
        for left_out in left_out(&stamps) {
            for profile in claim.profiles() {
                let stamped = self.hasher(profile).hash_without(event, left_out)?;
                if claim.is_met_by(&stamped.hash) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn hash_under(&mut self, profile: Profile, event: Value<'d>) -> Result<EventHash, Error> {
        match profile {
            Profile::Cbv20 => self.content_hash(event),
            other => self.hasher(other).hash(event),
        }
    }

    fn hasher(&mut self, profile: Profile) -> &mut Hasher<'d> {
        let document = self.document;
        let others = || OTHERS.map(|profile| Hasher::new(document, hashing(profile)));
        match profile {
            Profile::Cbv20 => &mut self.content,
            Profile::Cbv21 => &mut self.others.get_or_insert_with(others)[0],
            Profile::Ref2025 => &mut self.others.get_or_insert_with(others)[1],
        }
    }
}

/// A stored event, or one on its way into the store, without this gateway's stamps.
///
/// # Errors
/// None for an event that was captured under this policy.
pub(crate) fn unstamped(event: &str, policy: &Policy<'_>) -> Result<String, Error> {
    let document = Document::read_text(event)?;
    let stripper = Stripper {
        namespace: policy.namespace,
        addresses: &Addresses::new(policy.allowed_contexts),
        stored_bytes: usize::MAX,
        work: &std::cell::Cell::new(0),
    };
    let stripped = stripper.strip(document.root())?;
    Ok(stripped.text.unwrap_or_else(|| event.to_owned()))
}

/// The CBV 2.0 hash of a bare event.
///
/// # Errors
/// [`ErrorKind::PreHashTooLong`](epcis_edge_text::error::ErrorKind::PreHashTooLong).
pub(crate) fn hash_of(event: &str) -> Result<EventHash, Error> {
    let document = Document::read_text(event)?;
    NameChecker::new(&document).content_hash(document.root())
}

/// Whether a bare event has the hash that a name claims, under any published profile.
///
/// # Errors
/// As [`hash_of`].
pub(crate) fn has_hash(event: &str, name: &str) -> Result<bool, Error> {
    let document = Document::read_text(event)?;
    NameChecker::new(&document).holds(Claim::of(name), document.root())
}

/// The hashing of stored events, and of events about to be stored. It accepts undeclared prefixes, so that every captured event
/// has a hash and can be found by it.
pub(crate) fn hashing(profile: Profile) -> Hashing<'static> {
    Hashing { profile, declared: OuterPrefixes::from(UndeclaredPrefixRule::Keep) }
}

/// The hashing of events as they are captured. Undeclared prefixes are errors, unless the event has a context that the
/// deployment allows and that is not read here: that context may declare any prefix.
fn judging(profile: Profile) -> Hashing<'static> {
    Hashing { profile, declared: OuterPrefixes::default().trusting_unread() }
}

/// The claim that the name of an event makes.
pub(super) fn claim_of(event: Value<'_>) -> Claim {
    let name = event.get("eventID").and_then(Value::as_str);
    name.map_or(Claim::None, |name| Claim::of(&name))
}

/// The error declaration of an event in normal form, if it has one; part of the event's identity.
pub(super) fn declaration(event: Value<'_>) -> Option<String> {
    event.get("errorDeclaration")?;
    let facts = Facts::indexed(event);
    let time = facts.time(TimeField::ErrorDeclarationTime);
    let of = |field| -> Vec<&str> {
        let terms = facts.terms.iter().filter(|term| term.field == field);
        terms.map(|term| term.value.as_str()).collect()
    };
    let parts =
        (time.map(Timestamp::to_sortable), of(Field::ErrorReason), of(Field::CorrectiveEventId));
    // Serialising strings and lists of strings never fails.
    Some(serde_json::to_string(&parts).ok().known())
}
