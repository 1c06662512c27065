//! Capture: strips, validates, stamps and hashes a document, and makes it a batch of events that each stand alone.
//!
//! *Strip* removes what only the gateway may say: `recordTime`, and every member in the gateway's namespace, at any depth and
//! with whatever prefix, term or vocabulary. Contexts that would leave the meaning of a name open are refused.
//! *Validate* checks the document against the official schema, and recomputes each `eventID` that begins as an event hash.
//! *Stamp* writes `recordTime`, `who` and `capturedBy`, all from the call, and the complete `@context`, with the gateway's own
//! entry last.
//! *Hash* gives an event without a name the hash of what is stored as its name.
//!
//! Texts and numbers are copied as they were written.

mod contexts;
mod difference;
mod event_id;
mod keyword_scope;
mod name;
mod partial;
mod repeated;
mod sent;
mod stamp;
mod strip;
mod verdict;
mod zero;

pub(crate) use difference::differences;
pub use difference::{Difference, ReportedValue};
pub use event_id::{EventsAt, Unverified, UnverifiedName};
pub(crate) use name::{has_hash, hash_of, hashing, unstamped};
pub use partial::{PartialCapture, RefusedEvent, document_of_results, of_results, prepare_valid};

use crate::call::{Call, Limits};
use crate::query::Facts;
use crate::store::{Batch, DocumentDigest, Identity, NameSource, NewEvent};
use epcis_edge_document::context::Addresses;
use epcis_edge_document::hash::{self, Claim, EventHash, Hasher, Profile};
use epcis_edge_document::master_data::master_data;
use epcis_edge_document::validate::Validator;
use epcis_edge_text::error::{BindingFault, DocumentError, Error, ErrorKind};
use epcis_edge_text::json::{Document, MAX_VALUES, Value};
use epcis_edge_text::slice::OrEmpty;
use epcis_edge_text::time::Timestamp;
use event_id::{EVENT_HASH, NAME, WAY_OUT, foreign_hash, not_its_hash};
use name::{NameChecker, declaration};
use repeated::refuse_repeated_names;
use sent::{SentEvent, sent_events};
use stamp::{Stamped, Stamper};
use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;
use strip::{Stripped, Stripper};
use verdict::{EventErrors, schema_errors};
use zero::refuse_zero;

/// The settings of a deployment for captures.
///
/// # Example
/// ```
/// use epcis_edge_gateway::capture::{HashEventIds, Policy};
/// let policy = Policy::new("https://example.com/ns/spine/");
/// assert_eq!(policy.hash_event_ids, HashEventIds::Report);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy<'c> {
    /// The namespace of the gateway's own members: an absolute IRI that ends in `/`, `#` or `:`.
    pub namespace: &'c str,
    /// Prefixes of the context addresses that are accepted besides the official ones.
    pub allowed_contexts: &'c [String],
    /// How an `eventID` in hash form is treated if it does not match.
    pub hash_event_ids: HashEventIds,
    /// The most events that a document may have.
    pub max_events: usize,
}

impl<'c> Policy<'c> {
    /// A policy that accepts only the official contexts, reports hash names that do not match, and allows [`MAX_EVENTS`]
    /// events.
    #[must_use]
    pub fn new(namespace: &'c str) -> Self {
        Self {
            namespace,
            allowed_contexts: &[],
            hash_event_ids: HashEventIds::Report,
            max_events: MAX_EVENTS,
        }
    }
}

/// How an `eventID` that begins as an event hash (`ni:`, in any case) is treated if it does not match.
///
/// It matches if it is, under a published profile, the hash of the event as sent or without the stamps of gateways. That of an error
/// declaration also matches if an event of the same account and content has it, in the same capture or in the store.
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HashEventIds {
    /// It is kept as a plain name, and the answer lists it with the correct hash. Most published examples have such names,
    /// including those of GS1. A name that is the hash of the event as it will be stored is not listed.
    #[default]
    Report,
    /// The event is refused.
    Refuse,
}

impl HashEventIds {
    /// The value that a word of a setting names: `report` or `refuse`.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "report" => Some(Self::Report),
            "refuse" => Some(Self::Refuse),
            _ => None,
        }
    }
}

/// A capture that is ready for the store, once its [`claims`](Self::claims) are settled.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The batch to store.
    pub batch: Batch,
    /// What was stripped from each event: the JSON Pointers of the members, relative to the event.
    pub stripped: Vec<Vec<String>>,
    /// The events whose names are hashes that do not match; they are kept as plain names.
    pub unverified: Vec<Unverified>,
    /// The claims of error declarations that only a store can confirm, in the order of the events.
    pub claims: Vec<StoredClaim>,
    /// Where the events are in the document sent.
    pub events_at: EventsAt,
}

/// An error declaration whose name is the hash of another event.
#[derive(Clone, Debug)]
pub struct StoredClaim {
    /// The position of the declaration in the batch.
    pub index: usize,
    /// The hash of the declaration as it was sent, and without what was stripped. The event that it names must have one of
    /// them.
    pub content_hashes: [EventHash; 2],
    /// The hash that would be correct as its name.
    expected: EventHash,
    if_unconfirmed: UnconfirmedName,
    /// As [`Stamped::name_at`].
    name_at: Range<usize>,
}

/// What happens to a name that the store does not confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UnconfirmedName {
    Refuse,
    Keep,
    /// The name is stripped, too: it matched only with another gateway's stamps, which are stripped.
    Strip,
}

impl Prepared {
    /// Settles a claim with the store's answer; `path` is the path of the name in the document sent.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if the name is another event's hash; as [`prepare`], for an event.
    pub fn resolve_claim(
        &mut self,
        claim: &StoredClaim,
        is_confirmed: bool,
        path: String,
    ) -> Result<(), Error> {
        if is_confirmed {
            return Ok(());
        }
        match claim.if_unconfirmed {
            UnconfirmedName::Refuse => {
                Err(Error::invalid(vec![foreign_hash(path, &claim.expected)]))
            }
            UnconfirmedName::Keep => {
                if let Some(event) = self.batch.events.get_mut(claim.index) {
                    event.name = NameSource::Given;
                }
                self.unverified.push(Unverified { index: claim.index, expected: claim.expected });
                Ok(())
            }
            UnconfirmedName::Strip => {
                if let Some(event) = self.batch.events.get_mut(claim.index) {
                    rename(event, claim.name_at.clone());
                }
                if let Some(stripped) = self.stripped.get_mut(claim.index) {
                    stripped.push(NAME.to_owned());
                }
                Ok(())
            }
        }
    }
}

/// The most events of a document by default: as many as D1 stores in a few seconds, far within its limit of 30 s for a
/// transaction.
pub const MAX_EVENTS: usize = 30_000;

/// The longest `eventID`, in bytes.
pub const MAX_EVENT_ID: usize = 8192;

/// The longest event, in bytes of JSON. While it is hashed, compared and stored, several copies are in memory beside the
/// request body, and all of them must fit into a Worker.
pub const MAX_EVENT: usize = 8 << 20;

/// The longest name of a member, in bytes: it is repeated in an index, in answers and in XML.
pub const MAX_NAME: usize = 8192;

/// The length of a prefix's IRI, in bytes, above which the expanded words of an event are counted.
const LONG_PREFIX: usize = 256;

/// The most error declarations of one capture for which the store is asked about the event that they name.
pub const MAX_CLAIMS: usize = 200;

/// The most bytes of all JSON Pointers in one list: a long path may lead to many places.
const MAX_REPORT: usize = 4 << 20;

/// Prepares a document for the store.
///
/// **Shape**: an EPCISDocument, a bare event, an array of bare events; at least one event.
///
/// **Limits**: [`Limits::stored_bytes`] for all events together, as they are stored, and at most 4 MiB plus 32 times the length
/// of the document; 1,000 entries and 10,000 terms of a `@context`; 64 MiB of IRIs that the terms in force stand for, counted
/// once per event; 1,500,000 values and names.
///
/// # Errors
/// [`ErrorKind::Json`]; [`ErrorKind::NotCapturable`] for an EPCISQueryDocument; [`ErrorKind::Invalid`] with an entry for each
/// repeated member name, each context that is not accepted, each schema error, each `eventID` that is another event's hash, is
/// malformed as a hash, or is too long, the first name of each event with an undeclared prefix, and the first member name
/// longer than [`MAX_NAME`]; or with the first text or name that contains U+0000; [`ErrorKind::NoEvents`],
/// [`ErrorKind::NotAnEvent`]; [`BindingFault::TooManyEvents`]; [`ErrorKind::CaptureTooLarge`],
/// [`ErrorKind::CaptureTooComplex`], [`ErrorKind::TooManyValues`].
///
/// # Example
/// ```
/// use epcis_edge_gateway::call::{Call, Principal};
/// use epcis_edge_gateway::capture::{self, Policy};
/// use epcis_edge_document::validate::Validator;
/// let text = br#"{
///     "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
///     "type": "ObjectEvent", "action": "OBSERVE", "recordTime": "1999-01-01T00:00:00Z",
///     "eventTime": "2026-03-04T11:00:30.000+01:00", "eventTimeZoneOffset": "+01:00",
///     "epcList": ["urn:epc:id:sscc:9521141.1234567890"]
/// }"#;
/// let call = Call::new(1_772_618_430_000, Principal::local("https://example.com/accounts/1", "https://example.com/dock"));
/// let prepared = capture::prepare(text, &Validator::new()?, &Policy::new("https://example.com/ns/spine/"), &call)?;
/// assert_eq!(prepared.stripped, [["/recordTime"]]);
/// let event = &prepared.batch.events[0];
/// assert!(event.event.contains(r#""recordTime":"2026-03-04T10:00:30.000Z","spine:who":"https://example.com/dock""#));
/// assert!(event.event_id.starts_with("ni:///sha-256;"));
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
///
/// **Source**: EPCIS 2.0, 8.1 (core capture operations); CBV 2.0, 8.9 (event hash); JSON-LD 1.1, for the meaning of names.
pub fn prepare(
    text: &[u8],
    validator: &Validator,
    policy: &Policy<'_>,
    call: &Call,
) -> Result<Prepared, Error> {
    prepare_with(text, validator, policy, call, &Cell::new(0))
}

/// Prepares one of several documents that are captured together; `work` counts the work of all their contexts.
fn prepare_with(
    text: &[u8],
    validator: &Validator,
    policy: &Policy<'_>,
    call: &Call,
    work: &Cell<usize>,
) -> Result<Prepared, Error> {
    let document = Document::read_within(text, MAX_VALUES)?;
    let root = document.root();
    refuse_repeated_names(&document)?;
    refuse_zero(&document)?;
    let is_query_document =
        root.get("type").and_then(Value::as_str).as_deref() == Some("EPCISQueryDocument");
    if is_query_document {
        return Err(Error::new(ErrorKind::NotCapturable));
    }
    // Counts elements of any kind: elements that are no events are reported later, with their places.
    let (list, _) = strip::list_of(root);
    if list.is_some_and(|list| list.elements().nth(policy.max_events).is_some()) {
        let limit = policy.max_events;
        return Err(BindingFault::TooManyEvents { limit }.into());
    }
    // The limit depends on the length of the document, so that a small one with a large context cannot cause much work.
    let stored_bytes = call.limits.stored_bytes.min((4 << 20) + 32 * text.len());
    let call = &Call { limits: Limits { stored_bytes, ..call.limits }, ..call.clone() };
    let digest = DocumentDigest::of(text);
    let stripper = Stripper {
        namespace: policy.namespace,
        addresses: &Addresses::new(policy.allowed_contexts),
        stored_bytes,
        work,
    };
    let mut stripped = stripper.strip(root)?;
    let sent = sent_events(&document);
    let text = stripped.text.take();
    let clean = match &text {
        Some(text) => {
            // The text sent is no longer needed, and may be large.
            drop(document);
            Document::read(text.as_bytes())?
        }
        None => document,
    };
    let mut errors = schema_errors(&clean, validator)?;
    if errors.is_empty() {
        errors = std::mem::take(&mut stripped.unreadable);
    }
    if !errors.is_empty() {
        return Err(Error::invalid(errors));
    }
    Preparation { policy, call, record_time: Timestamp::from_milliseconds(call.now) }
        .batch(&clean, digest, stripped, &sent?)
}

/// What happens to the name of an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameOutcome {
    Kept,
    Unverified,
    /// It matched only with the stamps that are stripped. It is replaced, unless it is the hash of what is stored.
    Lost,
    /// The store must confirm it.
    Claimed(UnconfirmedName),
}

struct Preparation<'c> {
    policy: &'c Policy<'c>,
    call: &'c Call,
    record_time: Timestamp,
}

impl Preparation<'_> {
    fn batch(
        &self,
        clean: &Document<'_>,
        document: DocumentDigest,
        stripped: Stripped,
        sent: &[SentEvent],
    ) -> Result<Prepared, Error> {
        let principal = &self.call.principal;
        let account: Rc<str> = principal.account.as_str().into();
        let observer: Rc<str> = principal.observer.as_str().into();
        let Stripped { removed, gateway_entries, longest, is_rewritten, .. } = stripped;
        if gateway_entries.len() != sent.len() {
            // The events are at a place that no capture has; the schema refuses this earlier.
            return Err(Error::new(ErrorKind::NoEvents));
        }
        let mut names = NameChecker::new(clean);
        let namespace = self.policy.namespace;
        let mut stamper = Stamper::new(clean.root(), namespace, self.record_time, principal)?;
        let mut prepared = Prepared {
            batch: Batch::new(document, self.record_time),
            stripped: removed,
            unverified: Vec::new(),
            claims: Vec::new(),
            events_at: EventsAt::of(clean.root()),
        };
        prepared.batch.master_data = master_data(clean)?;
        prepared.batch.events.reserve_exact(sent.len());
        let mut errors = EventErrors::default();
        let mut bytes = 0;
        let events = hash::events(clean)?.zip(sent).zip(gateway_entries);
        for (index, ((event, sent), gateway_entry)) in events.enumerate() {
            let event = event?;
            let events_at = prepared.events_at;
            let path = || events_at.name_pointer(index);
            let was_stripped = prepared.stripped.get(index).is_some_and(|list| !list.is_empty());
            // The stripped text is checked again: prefixes used only in stripped members need no declaration, and the value numbers
            // found before are those of the text that was sent.
            let undeclared = match &sent.undeclared {
                Some(_) if is_rewritten => {
                    let undeclared = names.checked_hash(event)?.undeclared;
                    undeclared.map(|(kind, value)| (kind, value.number()))
                }
                other => other.clone(),
            };
            if let Some((kind, number)) = undeclared {
                errors.push_undeclared(&kind, number);
                if errors.is_full() {
                    break;
                }
                continue;
            }
            let outcome = self.name_outcome(event, sent, was_stripped, &mut names);
            let outcome = match outcome? {
                Ok(outcome) => outcome,
                Err((keyword, message)) => {
                    errors.push(DocumentError {
                        path: path(),
                        keyword: keyword.to_owned(),
                        message,
                    });
                    if errors.is_full() {
                        break;
                    }
                    continue;
                }
            };
            if !errors.is_empty() {
                continue;
            }
            let Stamped { text, record_time_at, name_at } = stamper.stamp(event, gateway_entry)?;
            bytes += text.len();
            if bytes > self.call.limits.stored_bytes {
                let limit = self.call.limits.stored_bytes;
                return Err(Error::new(ErrorKind::CaptureTooLarge { limit }));
            }
            let stored = Document::read_text(&text)?;
            let root = stored.root();
            let stamped_hash = Hasher::new(&stored, hashing(Profile::Cbv20)).hash(root)?;
            // Only long prefixes can expand short texts to long ones.
            if longest > LONG_PREFIX && Facts::indexed(root).is_excessive {
                return Err(Error::capture_too_complex(
                    4 * text.len() + (1 << 20),
                    "bytes in the words of an event, each with what its prefix stands for",
                ));
            }
            let outcome = match outcome {
                // This may be the name that the gateway gave the event, sent back without the stamps.
                NameOutcome::Unverified
                | NameOutcome::Lost
                | NameOutcome::Claimed(UnconfirmedName::Strip)
                    if NameChecker::new(&stored).is_met(sent.claim, root, &stamped_hash)? =>
                {
                    NameOutcome::Kept
                }
                other => other,
            };
            let declaration = declaration(root);
            let given = root.get("eventID").and_then(Value::as_str).map(Cow::into_owned);
            let mut new = NewEvent {
                identity: Identity {
                    stamped_hash,
                    declaration,
                    captured_by: account.clone(),
                    who: observer.clone(),
                },
                event_id: given.or_empty(),
                name: NameSource::Given,
                content_hash: sent.content_hash,
                event: text,
                record_time_at,
            };
            if name_at.is_empty() {
                name_by_hash(&mut new);
            }
            match outcome {
                NameOutcome::Kept if sent.claim.is_hash() => new.name = NameSource::GivenHash,
                NameOutcome::Kept => {}
                NameOutcome::Unverified => {
                    let expected = names.expected(sent.claim, event)?;
                    prepared.unverified.push(Unverified { index, expected });
                }
                NameOutcome::Lost => {
                    rename(&mut new, name_at);
                    if let Some(stripped) = prepared.stripped.get_mut(index) {
                        stripped.push(NAME.to_owned());
                    }
                }
                NameOutcome::Claimed(otherwise) => {
                    if prepared.claims.len() == MAX_CLAIMS {
                        return Err(too_many_claims());
                    }
                    new.name = NameSource::GivenHash;
                    let content_hash = names.content_hash(event)?;
                    prepared.claims.push(StoredClaim {
                        index,
                        content_hashes: [sent.content_hash, content_hash],
                        expected: names.expected(sent.claim, event)?,
                        if_unconfirmed: otherwise,
                        name_at,
                    });
                }
            }
            prepared.batch.events.push(new);
        }
        errors.into_result(clean)?;
        Ok(prepared)
    }

    /// What happens to a name, or the keyword and the message with which it is refused.
    fn name_outcome<'d>(
        &self,
        event: Value<'d>,
        sent: &SentEvent,
        was_stripped: bool,
        names: &mut NameChecker<'d>,
    ) -> Result<Result<NameOutcome, (&'static str, String)>, Error> {
        let name = event.get("eventID").and_then(Value::as_str);
        if name.is_some_and(|name| name.len() > MAX_EVENT_ID) {
            let message = format!("the `eventID` is longer than {MAX_EVENT_ID} bytes");
            return Ok(Err(("maxLength", message)));
        }
        let reports = self.policy.hash_event_ids == HashEventIds::Report;
        let declares_error = event.get("errorDeclaration").is_some();
        let outcome = match sent.claim {
            Claim::None => NameOutcome::Kept,
            // An ordinary URI.
            Claim::Malformed if reports => NameOutcome::Kept,
            Claim::Malformed => {
                let message = format!(
                    "the `eventID` begins as an event hash and is none: expected `ni:///sha-256;`, 64 hexadecimal digits \
                     and `?ver=CBV2.0` or `?ver=CBV2.1`; {WAY_OUT}"
                );
                return Ok(Err((EVENT_HASH, message)));
            }
            Claim::Hash { .. } => {
                let holds_clean = !was_stripped && sent.holds || names.holds(sent.claim, event)?;
                match (holds_clean, sent.holds, declares_error) {
                    (true, ..) => NameOutcome::Kept,
                    (false, true, true) => NameOutcome::Claimed(UnconfirmedName::Strip),
                    (false, true, false) => NameOutcome::Lost,
                    (false, false, true) if reports => NameOutcome::Claimed(UnconfirmedName::Keep),
                    (false, false, true) => NameOutcome::Claimed(UnconfirmedName::Refuse),
                    (false, false, false) if reports => NameOutcome::Unverified,
                    (false, false, false) => {
                        let expected = names.expected(sent.claim, event)?;
                        return Ok(Err((EVENT_HASH, not_its_hash(&expected))));
                    }
                }
            }
        };
        Ok(Ok(outcome))
    }
}

fn too_many_claims() -> Error {
    Error::capture_too_complex(
        MAX_CLAIMS,
        "error declarations whose `eventID` is the hash of another event",
    )
}

/// Gives an event the hash of what is stored as its name. The hash does not cover the name, so it can be added now.
fn name_by_hash(event: &mut NewEvent) {
    event.name = NameSource::Made;
    event.event_id = event.identity.stamped_hash.to_string();
    event.event.pop();
    event.event.push_str(&format!(",\"eventID\":\"{}\"}}", event.event_id));
}

/// Replaces the name of an event, which is at `name_at` in its text, by the hash of what is stored.
fn rename(event: &mut NewEvent, name_at: Range<usize>) {
    // The stamps are behind the name.
    event.record_time_at -= name_at.len();
    event.event.replace_range(name_at, "");
    name_by_hash(event);
}
