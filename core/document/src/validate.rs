//! Is this EPCIS 2.0? The verdict of the official JSON schema, with errors that a person can act on.
//!
//! The verdict is exactly that of the pinned schema, with formats checked (`uri` by RFC 3986, `date-time` by RFC 3339).
//! The build compiles that schema into tables (`schemas/`), and one walk over a document follows them.
//! `tests/referees/referee.rs` compares the verdicts with those of the `jsonschema` crate, on all vectors and on mutants of them.
//!
//! Why the one-cause rule?
//! An event without `type` satisfies every condition of the schema at once, so that all branches complain.
//! Only the missing `type` is reported; on the outside vectors this removes six entries in two files, which the test
//! names.
//!
//! Why two walks?
//! One goes through a text in its order and stops at the first fault; a valid document needs no nodes. The other reports the errors of
//! an object before those of its members, and judges the last of two members with one name, which a text tells too late. So a faulty
//! event is read again, and the whole document if the fault is elsewhere.

mod engine;
mod errors;
mod fault;
mod message;
mod nearest;
mod stream;
mod walk;
pub(crate) mod xml;

pub use engine::{Failure, Failures, SecondEngine};
pub(crate) use stream::{EventsApart, Frame, ListVerdict, Splitter, Taken};
pub use stream::{MAX_EVENT_LENGTH, MAX_FRAME_LENGTH, VerdictStream};
pub use xml::{XmlSchemaError, XmlSchemaPin, XmlVerdict};

use epcis_edge_schema::{Id, ROOT, node};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Cursor, Document, Kind, Value};
use errors::Errors;
use serde::Serialize;
use walk::{Faulty, Report};

/// The most errors that a verdict lists. If there are more, the last one says how many there are from it on.
pub const MAX_ERRORS: usize = 1000;

/// The schema that a verdict is against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SchemaPin {
    /// The file name under which the standards body publishes it.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA_PIN.artefact)))]
    pub artefact: &'static str,
    /// Its version.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA_PIN.version)))]
    pub version: &'static str,
    /// SHA-256 of its bytes, 64 lower-case hexadecimal digits.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA_PIN.sha256)))]
    pub sha256: &'static str,
    /// The engine that judged: `compiled` is the one that reads no schema, any other gives a second opinion.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA_PIN.engine)))]
    pub engine: &'static str,
}

/// The schema that every verdict is against.
pub const SCHEMA_PIN: SchemaPin = SchemaPin {
    artefact: "epcis-json-schema.json",
    version: "2.0.1",
    sha256: epcis_edge_schema::SHA256,
    engine: "compiled",
};

/// The verdict of the official schema on a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verdict {
    /// Whether the official schema accepts the document.
    pub valid: bool,
    /// The schema that was used.
    pub schema: SchemaPin,
    /// The errors in document order, at most 1,000; empty when valid. If there are more, the last one says how many there
    /// are from it on.
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_ERRORS)))]
    pub errors: Vec<SchemaError>,
}

/// One thing that the schema does not accept: one cause, one entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SchemaError {
    /// The JSON Pointer (RFC 6901) to the value at fault; `""` is the root.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "json-pointer")))]
    pub path: String,
    /// The schema keyword that failed there.
    pub keyword: String,
    /// What was found and what was expected, for a person.
    pub message: String,
    /// The line in the text where the value begins, counted from 1; absent if the judged JSON was made from XML.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub line: Option<usize>,
    /// Its column in bytes of UTF-8, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub column: Option<usize>,
}

/// Judges documents by the official schema.
///
/// It holds nothing: the schema was compiled when this crate was built.
#[derive(Clone, Copy, Debug, Default)]
pub struct Validator(());

impl Validator {
    /// A validator.
    ///
    /// # Errors
    /// None at present.
    pub fn new() -> Result<Self, Error> {
        Ok(Self::default())
    }

    /// Judges the text of an EPCISDocument, an EPCISQueryDocument or a bare event, in UTF-8.
    ///
    /// The answer is that of [`validate`](Self::validate), and comes sooner: a valid document is read once, without storing nodes.
    ///
    /// # Errors
    /// As [`Document::read`].
    pub fn judge(&self, text: &[u8]) -> Result<Verdict, Error> {
        let text = Cursor::decode(text)?;
        match judge_events(text) {
            Some(verdict) => Ok(verdict),
            None => Ok(self.validate(&Document::read_text(text.base())?)),
        }
    }

    /// Judges an EPCISDocument, an EPCISQueryDocument or a bare event.
    ///
    /// **Shape**: `path` is a JSON Pointer, `keyword` the outermost schema keyword that failed there.
    /// At most one error for each path and keyword, and none for `if`. An event or document without `type` gives only the
    /// `required` error for it, because every branch of the schema would complain.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_text::json::Document; use epcis_edge_document::validate::Validator;
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
    /// # Ok::<(), epcis_edge_text::error::Error>(())
    /// ```
    ///
    /// **Source**: EPCIS 2.0.1, `epcis-json-schema.json`.
    #[must_use]
    pub fn validate(&self, document: &Document<'_>) -> Verdict {
        let mut errors = Errors::default();
        Report::of(&mut errors).walk(ROOT, document.root());
        errors.place(document.text(), |place| place);
        errors.into()
    }
}

impl From<Errors> for Verdict {
    fn from(errors: Errors) -> Self {
        Self { valid: errors.total() == 0, schema: SCHEMA_PIN, errors: errors.finish() }
    }
}

/// The JSON Pointer to the events of an EPCISDocument.
pub(crate) const EVENT_LIST: &str = "/epcisBody/eventList";

/// The JSON Pointer to the events of an EPCISQueryDocument.
pub(crate) const QUERY_EVENT_LIST: &str = "/epcisBody/queryResults/resultsBody/eventList";

/// The JSON Pointer to the events in a document of this type.
fn list_of(document_type: &str) -> Option<&'static str> {
    match document_type {
        "EPCISDocument" => Some(EVENT_LIST),
        "EPCISQueryDocument" => Some(QUERY_EVENT_LIST),
        _ => None,
    }
}

/// The event list of a document or query document, with its path.
fn event_list(root: Value<'_>) -> Option<(Value<'_>, &'static str)> {
    let path = list_of(root.get("type")?.as_str()?.as_ref())?;
    let list = root.pointer(path)?;
    (list.kind() == Kind::Array).then_some((list, path))
}

/// Whether the schema accepts this as an event of a document.
pub(crate) fn accepts_event(event: Value<'_>) -> bool {
    entries_of(EVENT_LIST).is_some_and(|id| walk::accepts(id, event))
}

/// The errors of a vocabulary element, with pointers relative to the element and without lines.
pub(crate) fn vocabulary_element_errors(element: Value<'_>) -> Vec<SchemaError> {
    const LIST: &str = "/epcisHeader/epcisMasterData/vocabularyList/*/vocabularyElementList";
    let mut errors = Errors::default();
    if let Some(id) = entries_of(LIST)
        && !walk::accepts(id, element)
    {
        Report::of_entry("", 0, &mut errors).walk(id, element);
        errors.leave_unplaced();
    }
    let mut listed = errors.listed().to_vec();
    for error in &mut listed {
        error.path.drain(.."/0".len());
    }
    listed
}

/// The schema node for the entries of the list at this path; `*` stands for any entry of a list on the way.
fn entries_of(path: &str) -> Option<Id> {
    let document = if path == QUERY_EVENT_LIST { "EPCISQueryDocument" } else { "EPCISDocument" };
    let branch = node(ROOT).branch?;
    let case = branch.cases.find(document.as_bytes())?;
    let mut id = *branch.nodes.get(case)?;
    for name in path.split('/').skip(1) {
        if name == "*" {
            id = node(id).items?;
            continue;
        }
        let object = node(id).object?;
        id = *object.nodes.get(object.names.find(name.as_bytes())?)?;
    }
    node(id).items
}

/// The verdict when only events are faulty; only the faulty events are parsed into nodes.
fn judge_events(mut text: Cursor<'_>) -> Option<Verdict> {
    let faulty = Faulty::events_of(text);
    walk::reads(ROOT, &mut text, Some(&faulty))?;
    text.is_at_end().then(|| {
        let mut errors = faulty.errors();
        errors.place(text.base(), |place| place);
        errors.into()
    })
}
