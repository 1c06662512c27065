//! Is this EPCIS 2.0? The verdict of the official JSON schema, with errors that a person can act on.
//!
//! The verdict is the pinned schema's and nothing else's, judged by the `jsonschema` crate with formats on (`uri` by
//! RFC 3986, `date-time` by RFC 3339).
//! That is slow, so the parts of a document that [`proof`] shows to be valid never come before it.
//! The other events are judged in groups, so that no second copy of the whole document is made.

mod fault;
mod message;
mod nearest;
mod place;
pub mod proof;
mod schema;
mod stream;

pub(crate) use stream::Gradual;
pub use stream::{MAX_EVENT_LENGTH, MAX_FRAME_LENGTH, VerdictStream};

use crate::error::Error;
use crate::json::{Document, Kind, Value};
use epcis_edge_schema::Schema;
use message::Finding;
use place::Walker;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// How many errors a verdict lists at most; the last one then says how many more there are.
pub const MAX_ERRORS: usize = 1000;

/// How many errors are counted at most: past that, a verdict says that there are more, and its work ends.
pub const MAX_COUNTED: usize = 20_000;

/// How many events are judged together. Small, so that their errors need not all be held at once.
const GROUP: usize = 64;

/// Which schema a verdict is against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SchemaPin {
    /// The file name under which the standards body publishes it.
    pub artefact: &'static str,
    /// Its version.
    pub version: &'static str,
    /// SHA-256 of its bytes, 64 lower-case hexadecimal digits.
    pub sha256: &'static str,
}

/// The schema that every verdict is against.
pub const SCHEMA_PIN: SchemaPin = SchemaPin {
    artefact: "epcis-json-schema.json",
    version: "2.0.1",
    sha256: epcis_edge_schema::SHA256,
};

/// The answer of [`Validator::validate`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Whether the official schema accepts the document.
    pub valid: bool,
    /// The schema that was asked.
    pub schema: SchemaPin,
    /// What it does not accept, in document order, at most [`MAX_ERRORS`]; empty when valid. The last one then says how many more there are,
    /// counted up to [`MAX_COUNTED`].
    pub errors: Vec<SchemaError>,
}

/// One thing that the schema does not accept: one cause, one entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SchemaError {
    /// JSON Pointer (RFC 6901) of the value that is at fault; `""` is the root.
    pub path: String,
    /// The schema keyword that failed there.
    pub keyword: String,
    /// What was found and what was expected, for a person.
    pub message: String,
}

/// Judges documents by the official schema.
///
/// Building one costs nothing, compiling the schema milliseconds: that is done for the first document that is not plainly
/// valid, so keep one for many calls.
#[derive(Debug, Default)]
pub struct Validator {
    schema: OnceLock<Result<Schema, String>>,
}

impl Validator {
    /// A validator that has compiled nothing yet.
    ///
    /// # Errors
    /// None at present: a schema that does not compile would show in the verdicts, and the tests show that it does.
    pub fn new() -> Result<Self, Error> {
        Ok(Self::default())
    }

    /// Judges an EPCISDocument, an EPCISQueryDocument or a bare event.
    ///
    /// **Shape**: `path` is a JSON Pointer, `keyword` the outermost schema keyword that failed there.
    /// At most one error per pair of them; no `if` entries; an event or document without `type` gives the `required` error for
    /// it and nothing else, since all branches of the schema would complain.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_core::{json::Document, validate::Validator};
    /// let document = Document::read(br#"{
    ///     "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
    ///     "type": "ObjectEvent", "action": "OBSERVE", "bizStep": "shiping",
    ///     "eventTime": "2026-03-04T11:00:30.000+01:00", "eventTimeZoneOffset": "+01:00",
    ///     "epcList": ["urn:epc:id:sscc:9521141.1234567890"]
    /// }"#)?;
    /// let verdict = Validator::new()?.validate(&document);
    /// let error = &verdict.errors[0];
    /// assert_eq!((error.path.as_str(), error.keyword.as_str()), ("/bizStep", "anyOf"));
    /// assert!(error.message.contains("did you mean `shipping`?"));
    /// # Ok::<(), epcis_edge_core::error::Error>(())
    /// ```
    ///
    /// **Source**: EPCIS 2.0.1, `epcis-json-schema.json`.
    #[must_use]
    pub fn validate(&self, document: &Document<'_>) -> Verdict {
        let root = document.root();
        let mut errors = Errors::default();
        self.collect(root, &mut errors);
        Verdict {
            valid: errors.total == 0,
            schema: SCHEMA_PIN,
            errors: errors.finish(),
        }
    }

    /// All that the schema does not accept.
    fn collect(&self, root: Value<'_>, errors: &mut Errors) {
        if is_typeless(root) {
            errors.add(message::missing_type_of_document());
            return;
        }
        let Some((list, path)) = event_list(root) else {
            if !proof::is_valid_bare_event(root) {
                errors.add_all(self.findings(root, &root.to_serde(), None));
            }
            return;
        };
        // The document without its events first, then the events, a group at a time.
        let (before, after) = self.frame(root, list);
        errors.add_all(before);
        let mut doubtful = list
            .elements()
            .enumerate()
            .filter(|&(_, event)| !proof::is_valid_entry(event));
        while !errors.is_full() {
            let events: Vec<(usize, Value<'_>)> = doubtful.by_ref().take(GROUP).collect();
            if events.is_empty() {
                break;
            }
            let shown = enveloped(&events);
            errors.add_all(self.findings(root, &shown, Some(&Group { path, events })));
        }
        errors.add_all(after);
    }

    /// What the schema does not accept of a document without its events: what stands before them, and what behind.
    fn frame(&self, root: Value<'_>, list: Value<'_>) -> (Vec<Finding>, Vec<Finding>) {
        if proof::is_valid_frame(root, list) {
            return (Vec::new(), Vec::new());
        }
        let mut findings = self.findings(root, &without_events(root, list), None);
        let after = findings
            .iter()
            .position(|finding| finding.offset > list.offset());
        let after = findings.split_off(after.unwrap_or(findings.len()));
        (findings, after)
    }

    fn schema(&self) -> Result<&Schema, &str> {
        let schema = self.schema.get_or_init(Schema::compile);
        schema.as_ref().map_err(String::as_str)
    }

    /// What the schema says of what is shown of a document, one entry per path and keyword, in document order.
    fn findings(
        &self,
        root: Value<'_>,
        shown: &serde_json::Value,
        group: Option<&Group<'_>>,
    ) -> Vec<Finding> {
        let schema = match self.schema() {
            Ok(schema) => schema,
            // Cannot be: the build pins the bytes of the schema, and the tests compile them.
            Err(detail) => return vec![message::no_schema(detail, root)],
        };
        let mut findings: Vec<Finding> = Vec::new();
        let mut known: BTreeMap<(String, String), usize> = BTreeMap::new();
        let mut walker = Walker::default();
        for failure in schema.failures(shown, MAX_COUNTED) {
            let path = &failure.instance_path;
            let place = match group {
                None => Place::in_document(root, path, &mut walker),
                // What the document says outside of the group was reported with the document.
                Some(group) => group.place(path, &mut walker),
            };
            let Some(place) = place else { continue };
            if place.is_in_typeless_event {
                let key = (place.path.clone(), "required".to_owned());
                known.entry(key).or_insert_with(|| {
                    findings.push(message::missing_type_of_event(place.path, place.instance));
                    findings.len() - 1
                });
                continue;
            }
            let key = (place.path.clone(), failure.keyword.clone());
            let index = *known.entry(key).or_insert_with(|| {
                findings.push(Finding::new(
                    place.path.clone(),
                    &failure.keyword,
                    place.instance,
                ));
                findings.len() - 1
            });
            if let Some(finding) = findings.get_mut(index) {
                message::note(
                    finding,
                    schema.value(),
                    &failure,
                    place.instance,
                    place.parent,
                );
            }
        }
        // Stable: errors of one value stay in the order of the schema.
        findings.sort_by_key(|finding| finding.offset);
        findings
    }
}

/// The value that an error is about.
struct Place<'d> {
    path: String,
    instance: Value<'d>,
    parent: Option<Value<'d>>,
    is_in_typeless_event: bool,
}

impl<'d> Place<'d> {
    fn in_document(root: Value<'d>, path: &str, walker: &mut Walker<'d>) -> Option<Self> {
        let (instance, parent) = walker.follow("", root, path)?;
        Some(Self {
            instance,
            parent,
            path: path.to_owned(),
            is_in_typeless_event: false,
        })
    }
}

/// The events of a group, with where they stand in the document.
struct Group<'d> {
    path: &'static str,
    events: Vec<(usize, Value<'d>)>,
}

impl<'d> Group<'d> {
    /// The place in the document of a path in the [`enveloped`] group, if it leads into the events.
    fn place(&self, path: &str, walker: &mut Walker<'d>) -> Option<Place<'d>> {
        let below = path.strip_prefix(EVENT_LIST)?.strip_prefix('/')?;
        let (index, rest) = below.split_at(below.find('/').unwrap_or(below.len()));
        let index = index.parse::<usize>().ok()?;
        let &(index, event) = self.events.get(index)?;
        let base = format!("{}/{index}", self.path);
        if is_typeless(event) {
            return Some(Place {
                path: base,
                instance: event,
                parent: None,
                is_in_typeless_event: true,
            });
        }
        let (instance, parent) = walker.follow(&base, event, rest)?;
        Some(Place {
            instance,
            parent,
            path: base + rest,
            is_in_typeless_event: false,
        })
    }
}

/// Without `type` every branch of the schema applies at once: only the missing `type` is worth saying.
fn is_typeless(value: Value<'_>) -> bool {
    value.kind() == Kind::Object && value.get("type").is_none()
}

/// Where the events of an EPCISDocument are.
pub(crate) const EVENT_LIST: &str = "/epcisBody/eventList";

/// Where the events of an EPCISQueryDocument are.
pub(crate) const QUERY_EVENT_LIST: &str = "/epcisBody/queryResults/resultsBody/eventList";

/// Events in the shortest document that is valid but for them: an error of an event depends on that event alone.
fn enveloped(events: &[(usize, Value<'_>)]) -> serde_json::Value {
    let events: Vec<serde_json::Value> = events.iter().map(|(_, event)| event.to_serde()).collect();
    serde_json::json!({
        "@context": [],
        "type": "EPCISDocument",
        "schemaVersion": "2.0",
        "creationDate": "2026-01-01T00:00:00Z",
        "epcisBody": { "eventList": events },
    })
}

/// A document with its event list emptied.
fn without_events(value: Value<'_>, list: Value<'_>) -> serde_json::Value {
    if value.is_same_place(list) {
        return serde_json::Value::Array(Vec::new());
    }
    match value.kind() {
        Kind::Object => value
            .members()
            .map(|(name, member)| (name.to_cow().into_owned(), without_events(member, list)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        _ => value.to_serde(),
    }
}

/// The event list of a document or query document, with its path.
fn event_list(root: Value<'_>) -> Option<(Value<'_>, &'static str)> {
    let path = match root.get("type")?.as_str()?.as_ref() {
        "EPCISDocument" => EVENT_LIST,
        "EPCISQueryDocument" => QUERY_EVENT_LIST,
        _ => return None,
    };
    let list = root.pointer(path)?;
    (list.kind() == Kind::Array).then_some((list, path))
}

/// The errors so far, and how many there were.
#[derive(Debug, Default)]
struct Errors {
    listed: Vec<SchemaError>,
    total: usize,
}

impl Errors {
    fn add(&mut self, finding: Finding) {
        self.total += 1;
        if self.listed.len() < MAX_ERRORS {
            self.listed.push(finding.into_error());
        }
    }

    fn add_all(&mut self, findings: Vec<Finding>) {
        findings.into_iter().for_each(|finding| self.add(finding));
    }

    /// Adds errors that were found apart.
    fn append(&mut self, others: Self) {
        self.total += others.total;
        let room = MAX_ERRORS.saturating_sub(self.listed.len());
        self.listed.extend(others.listed.into_iter().take(room));
    }

    /// Whether no more need be counted.
    fn is_full(&self) -> bool {
        self.total >= MAX_COUNTED
    }

    fn finish(mut self) -> Vec<SchemaError> {
        if self.total > self.listed.len() {
            let more = self.total - self.listed.len() + 1;
            let at_least = if self.is_full() { "at least " } else { "" };
            if let Some(last) = self.listed.last_mut() {
                last.message = format!(
                    "{}; {at_least}{more} errors in all from here on, the rest is not listed",
                    last.message
                );
            }
        }
        self.listed
    }
}
