//! Capture: a document is stripped, validated, stamped and hashed, and becomes a batch of events that stand alone.
//!
//! *Strip* takes out what only the gateway may say: `recordTime`, and every member in the gateway's namespace, whatever prefix
//! it uses and however deep it lies.
//! *Validate* asks the official schema, and recomputes each `eventID` that is an event hash.
//! *Stamp* writes `recordTime`, `who` and `capturedBy`, all from the call, and the complete `@context`.
//! *Hash* names the event that has no name, by what is stored.
//!
//! Texts and numbers are copied as they were written.
//!
//! **Limits**: no context is fetched: a prefix that only a foreign remote context binds to the gateway's namespace is not seen.

mod stamp;
mod strip;

use crate::call::Call;
use crate::error::{Error, ErrorKind, Finding};
use crate::hash::{self, Declared, EventHash, Hasher, Hashing, Profile, Undeclared, Verification};
use crate::json::{Document, Kind, Value};
use crate::query::{Facts, Field, Term};
use crate::store::{Batch, DocumentDigest, Identity, NewEvent};
use crate::time::Timestamp;
use crate::validate::{MAX_ERRORS, Validator};
use stamp::Stamper;

/// A capture that is ready for the store.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// What is to be stored.
    pub batch: Batch,
    /// What was stripped, an entry an event: the JSON Pointers of the members, seen from the event.
    pub stripped: Vec<Vec<String>>,
}

/// The longest `eventID`, in bytes.
pub const MAX_EVENT_ID: usize = 8192;

/// Prepares a document for the store.
///
/// **Shape**: an EPCISDocument, a bare event, an array of bare events; at least one event.
/// `namespace` is that of the gateway's own members.
///
/// **Limits**: [`Limits::stored_bytes`](crate::call::Limits::stored_bytes) for all events together, as they are stored.
///
/// # Errors
/// [`ErrorKind::Json`]; [`ErrorKind::NotCapturable`] for an EPCISQueryDocument; [`ErrorKind::Invalid`] with an entry for every
/// repeated member name, everything that the schema does not accept, every `eventID` that is another event's hash or too long;
/// [`ErrorKind::NoEvents`], [`ErrorKind::NotAnEvent`]; [`ErrorKind::CaptureTooLarge`].
///
/// # Example
/// ```
/// use epcis_edge_core::call::{Call, Principal};
/// use epcis_edge_core::{capture, validate::Validator};
/// let text = br#"{
///     "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
///     "type": "ObjectEvent", "action": "OBSERVE", "recordTime": "1999-01-01T00:00:00Z",
///     "eventTime": "2026-03-04T11:00:30.000+01:00", "eventTimeZoneOffset": "+01:00",
///     "epcList": ["urn:epc:id:sscc:9521141.1234567890"]
/// }"#;
/// let call = Call::new(1_772_618_430_000, Principal::local("https://example.com/accounts/1", "https://example.com/dock"));
/// let prepared = capture::prepare(text, &Validator::new()?, "https://example.com/ns/spine/", &call)?;
/// assert_eq!(prepared.stripped, [["/recordTime"]]);
/// let event = &prepared.batch.events[0];
/// assert!(event.event.contains(r#""recordTime":"2026-03-04T10:00:30.000Z","spine:who":"https://example.com/dock""#));
/// assert!(event.event_id.starts_with("ni:///sha-256;"));
/// # Ok::<(), epcis_edge_core::error::Error>(())
/// ```
///
/// **Source**: EPCIS 2.0, 8.1 (core capture operations); CBV 2.0, 8.9 (event hash).
pub fn prepare(
    text: &[u8],
    validator: &Validator,
    namespace: &str,
    call: &Call,
) -> Result<Prepared, Error> {
    let document = Document::read(text)?;
    let root = document.root();
    refuse_repeated_names(&document)?;
    let is_query_document =
        root.get("type").and_then(Value::as_str).as_deref() == Some("EPCISQueryDocument");
    if is_query_document {
        return Err(Error::new(ErrorKind::NotCapturable));
    }
    let strip::Stripped { text, removed } = strip::strip(root, namespace)?;
    let clean;
    let stripped = match &text {
        Some(text) => {
            clean = Document::read(text.as_bytes())?;
            &clean
        }
        None => &document,
    };
    let mut errors = schema_errors(stripped, validator)?;
    if errors.is_empty() {
        errors = name_errors(&document)?;
    }
    if !errors.is_empty() {
        return Err(Error::new(ErrorKind::Invalid { errors }));
    }
    let content_hashes = hash::hash_document(&document, hashing())?;
    let record_time = Timestamp::from_milliseconds(call.now);
    let mut stamper = Stamper::new(stripped.root(), namespace, record_time, &call.principal);
    let mut events = Vec::with_capacity(content_hashes.len());
    let mut bytes = 0;
    for (event, content_hash) in hash::events(stripped)?.zip(content_hashes) {
        let stamped = stamper.stamp(event?);
        bytes += stamped.len();
        if bytes > call.limits.stored_bytes {
            let limit = call.limits.stored_bytes;
            return Err(Error::new(ErrorKind::CaptureTooLarge { limit }));
        }
        events.push(new_event(stamped, content_hash, call)?);
    }
    Ok(Prepared {
        batch: Batch {
            document: DocumentDigest::of(document.text().as_bytes()),
            record_time,
            events,
        },
        stripped: removed,
    })
}

/// How events are hashed here. Names are kept whose prefix no `@context` in the document declares: a context that is not fetched
/// may do so, and the gateway's own prefix needs no declaration.
fn hashing() -> Hashing<'static> {
    Hashing {
        profile: Profile::Cbv20,
        declared: Declared::from(Undeclared::Keep),
    }
}

/// Evidence must be unambiguous.
fn refuse_repeated_names(document: &Document<'_>) -> Result<(), Error> {
    let errors: Vec<Finding> = document
        .repeated_names()
        .take(MAX_ERRORS)
        .map(|location| Finding {
            path: location.path,
            keyword: "uniqueNames".to_owned(),
            message:
                "the name stands twice in its object, readers would differ in which one counts"
                    .to_owned(),
        })
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Error::new(ErrorKind::Invalid { errors }))
    }
}

/// What the schema does not accept.
fn schema_errors(document: &Document<'_>, validator: &Validator) -> Result<Vec<Finding>, Error> {
    let root = document.root();
    if root.kind() != Kind::Array {
        return Ok(findings(validator, document, ""));
    }
    let mut errors = Vec::new();
    for (index, event) in hash::events(document)?.enumerate() {
        let event = Document::read(event?.source().as_bytes())?;
        errors.extend(findings(validator, &event, &format!("/{index}")));
        if errors.len() >= MAX_ERRORS {
            break;
        }
    }
    errors.truncate(MAX_ERRORS);
    Ok(errors)
}

fn findings(validator: &Validator, document: &Document<'_>, above: &str) -> Vec<Finding> {
    let errors = validator.validate(document).errors;
    let finding = |error: crate::validate::SchemaError| Finding {
        path: format!("{above}{}", error.path),
        keyword: error.keyword,
        message: error.message,
    };
    errors.into_iter().map(finding).collect()
}

/// Every `eventID` that is an event hash, and not that of its event, or that is too long.
fn name_errors(document: &Document<'_>) -> Result<Vec<Finding>, Error> {
    let root = document.root();
    let above = match root.kind() {
        Kind::Array => "/",
        _ if root.get("epcisBody").is_some() => "/epcisBody/eventList/",
        _ => "",
    };
    let mut errors = Vec::new();
    let verified = hash::verify_with(document, hashing().declared)?;
    for (index, (event, verification)) in hash::events(document)?.zip(verified).enumerate() {
        let name = event?.get("eventID").and_then(Value::as_str);
        let is_long = name.is_some_and(|name| name.len() > MAX_EVENT_ID);
        let (keyword, message) = if is_long {
            let message = format!("the `eventID` is longer than {MAX_EVENT_ID} bytes");
            ("maxLength", message)
        } else if verification == Verification::MatchesNone {
            let message = "the `eventID` is an event hash, but not that of this event";
            ("eventHash", message.to_owned())
        } else {
            continue;
        };
        let event = match above {
            "" => String::new(),
            above => format!("{above}{index}"),
        };
        errors.push(Finding {
            path: format!("{event}/eventID"),
            keyword: keyword.to_owned(),
            message,
        });
        if errors.len() == MAX_ERRORS {
            break;
        }
    }
    Ok(errors)
}

/// A stamped event with its name, its hashes and its facts.
fn new_event(mut text: String, content_hash: EventHash, call: &Call) -> Result<NewEvent, Error> {
    let stored = Document::read(text.as_bytes())?;
    let stamped_hash = Hasher::new(&stored, hashing()).hash(stored.root())?;
    let mut facts = Facts::of(stored.root());
    let given = stored.root().get("eventID").and_then(Value::as_str);
    let event_id = match given {
        Some(given) => given.into_owned(),
        None => {
            let event_id = stamped_hash.to_string();
            // The hash leaves the name out, so it may be written now.
            text.pop();
            text.push_str(&format!(",\"eventID\":\"{event_id}\"}}"));
            facts.terms.push(Term {
                field: Field::EventId,
                value: event_id.clone(),
            });
            facts.terms.sort_unstable();
            event_id
        }
    };
    Ok(NewEvent {
        identity: Identity {
            stamped_hash,
            declares_error: facts.declares_error,
            captured_by: call.principal.account.clone(),
            who: call.principal.observer.clone(),
        },
        event_id,
        content_hash,
        facts,
        event: text,
    })
}
