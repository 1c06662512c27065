//! The names of events: kept, checked where they claim to be a hash, taken away where they no longer hold.

use crate::error::Error;
use crate::hash::{Claim, Declared, EventHash, Hasher, Hashing, Judged, Profile, Undeclared};
use crate::json::{Document, Value};

/// The hashes of the events of a document, and what becomes of their names.
pub(super) struct Names<'d> {
    document: &'d Document<'d>,
    content: Hasher<'d>,
    /// The other readings of the algorithm, once a name asks for them.
    others: Option<[Hasher<'d>; 2]>,
}

const OTHERS: [Profile; 2] = [Profile::Cbv21, Profile::Ref2025];

impl<'d> Names<'d> {
    pub(super) fn new(document: &'d Document<'d>) -> Self {
        Self {
            document,
            content: Hasher::new(document, judging(Profile::Cbv20)),
            others: None,
        }
    }

    /// The CBV 2.0 hash of an event.
    ///
    /// # Errors
    /// [`ErrorKind::NamespaceTooLong`](crate::error::ErrorKind::NamespaceTooLong),
    /// [`ErrorKind::PreHashTooLong`](crate::error::ErrorKind::PreHashTooLong).
    pub(super) fn content_hash(&mut self, event: Value<'d>) -> Result<EventHash, Error> {
        Ok(self.judged_hash(event)?.hash)
    }

    /// The same, and what `hash` says of the event where a prefix is declared nowhere: such an event is not captured.
    ///
    /// # Errors
    /// As [`content_hash`](Self::content_hash).
    pub(super) fn judged_hash(&mut self, event: Value<'d>) -> Result<Judged<'d>, Error> {
        self.content.hash_all(event)
    }

    /// Whether an event has the hash that a name claims, under any published reading.
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
            let at = OTHERS.iter().position(|other| *other == profile);
            let hash = match at {
                None => *content_hash,
                Some(at) => {
                    let document = self.document;
                    let others = self.others.get_or_insert_with(|| {
                        OTHERS.map(|profile| Hasher::new(document, hashing(profile)))
                    });
                    match others.get_mut(at) {
                        Some(hasher) => hasher.hash(event)?,
                        None => continue,
                    }
                }
            };
            if claim.is_met_by(&hash) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// How events are hashed that are stored, or may be: what was captured is hashed whatever it says, so that it is always found by
/// its own name.
pub(crate) fn hashing(profile: Profile) -> Hashing<'static> {
    Hashing {
        profile,
        declared: Declared::from(Undeclared::Keep),
    }
}

/// How events are hashed that are captured: by the rule of `hash`, but a context that the deployment knows and that is not read
/// here may declare any prefix.
fn judging(profile: Profile) -> Hashing<'static> {
    Hashing {
        profile,
        declared: Declared::default().trusting_unread(),
    }
}

/// What the name of an event claims.
pub(super) fn claim_of(event: Value<'_>) -> Claim {
    let name = event.get("eventID").and_then(Value::as_str);
    name.map_or(Claim::None, |name| Claim::of(&name))
}
