//! Captures in which some events may fail, and captures of query results.
//!
//! **Source**: EPCIS 2.0, 12.6 (capture error behaviour).

use super::verdict::schema_errors;
use super::{
    EventsAt, MAX_CLAIMS, Policy, Prepared, Unverified, UnverifiedName, prepare_with,
    too_many_claims,
};
use crate::call::Call;
use crate::store::{Batch, DocumentDigest};
use epcis_edge_document::context::MAX_WORK;
use epcis_edge_document::master_data::master_data;
use epcis_edge_document::validate::{MAX_ERRORS, Validator};
use epcis_edge_text::error::{DocumentError, Error, ErrorKind};
use epcis_edge_text::json::{Document, Kind, MAX_VALUES, Value};
use epcis_edge_text::slice::Part;
use epcis_edge_text::time::Timestamp;
use std::cell::Cell;
use std::collections::BTreeSet;

/// The JSON Pointer of the events of an EPCISDocument.
pub(super) const EVENTS: &str = "/epcisBody/eventList";

/// The JSON Pointer of the events of an EPCISQueryDocument.
const RESULTS: &str = "/epcisBody/queryResults/resultsBody/eventList";

/// The most refused events that are reported.
const MAX_REFUSED: usize = 1000;

/// The most findings reported for one event.
const FINDINGS: usize = 20;

/// A capture without the events that cannot be captured.
#[derive(Clone, Debug)]
pub struct PartialCapture {
    /// The capture of the other events.
    pub prepared: Prepared,
    /// The index in the document of each event of `prepared`.
    pub places: Vec<usize>,
    /// The refused events, in document order: the first 1,000.
    pub refused: Vec<RefusedEvent>,
    /// The number of all refused events.
    pub refused_count: usize,
}

/// An event that cannot be captured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedEvent {
    /// Its index in the document.
    pub index: usize,
    /// The reasons; their paths are those of the document.
    pub errors: Vec<DocumentError>,
}

/// Prepares the events of an EPCISDocument that can be captured, and reports why the others cannot.
///
/// **Shape**: an EPCISDocument. `whole` is the error of [`prepare`](super::prepare); it is returned if there are fewer than two
/// events.
///
/// **Limits**: as [`prepare`](super::prepare), for all events together; the contexts around the events count once per event.
///
/// # Errors
/// `whole`; as [`prepare`](super::prepare), for errors of all events: in the text, around the events, and in their common
/// limits.
pub fn prepare_valid(
    text: &[u8],
    validator: &Validator,
    policy: &Policy<'_>,
    call: &Call,
    whole: Error,
) -> Result<PartialCapture, Error> {
    let document = Document::read(text)?;
    let root = document.root();
    let list = root.pointer(EVENTS).filter(|list| list.kind() == Kind::Array);
    // Nothing can be left out, so the error of the whole document stands.
    let Some(list) = list.filter(|list| list.elements().nth(1).is_some()) else {
        return Err(whole);
    };
    around_is_valid(&document, list, validator)?;
    let frame = SurroundingContexts::of(root);
    let limit = call.limits.stored_bytes;
    let mut partial = PartialCapture::nothing(text, &document, call)?;
    let (mut read, mut stored) = (0, 0);
    let work = Cell::new(0);
    for (index, event) in list.elements().enumerate() {
        let alone = frame.around(event);
        read += alone.len();
        if read > limit.max(text.len()) + (4 << 20) {
            return Err(Error::new(ErrorKind::CaptureTooLarge { limit }));
        }
        let prepared = prepare_with(alone.as_bytes(), validator, policy, call, &work);
        if work.get() > MAX_WORK {
            // No context of this event or of a later one can be computed any more.
            return Err(prepared.err().unwrap_or(whole));
        }
        match prepared {
            Ok(prepared) if partial.has_claims_for(&prepared) => {
                partial.refuse(&too_many_claims(), index)?;
            }
            Ok(prepared) => {
                stored += partial.take(prepared, index);
                if stored > limit {
                    return Err(Error::new(ErrorKind::CaptureTooLarge { limit }));
                }
            }
            Err(error) => partial.refuse(&error, index)?,
        }
    }
    Ok(partial)
}

impl PartialCapture {
    /// A capture of a document without events, which may have master data.
    ///
    /// # Errors
    /// [`ErrorKind::Json`]; [`ErrorKind::CaptureTooComplex`] for too much master data.
    pub fn without_events(text: &[u8], call: &Call) -> Result<Self, Error> {
        Self::nothing(text, &Document::read_within(text, MAX_VALUES)?, call)
    }

    /// An empty capture of a document, to which events are added.
    fn nothing(text: &[u8], document: &Document<'_>, call: &Call) -> Result<Self, Error> {
        let mut batch =
            Batch::new(DocumentDigest::of(text), Timestamp::from_milliseconds(call.now));
        batch.master_data = master_data(document)?;
        Ok(Self {
            prepared: Prepared {
                batch,
                stripped: Vec::new(),
                unverified: Vec::new(),
                claims: Vec::new(),
                events_at: EventsAt::List(EVENTS),
            },
            places: Vec::new(),
            refused: Vec::new(),
            refused_count: 0,
        })
    }

    /// The events whose names are hashes that do not match.
    pub fn unverified(&self) -> impl Iterator<Item = UnverifiedName> {
        let Prepared { unverified, events_at, batch, .. } = &self.prepared;
        unverified.iter().filter_map(|name| {
            Some(UnverifiedName {
                path: events_at.name_pointer(self.place(name.index)),
                event_id: batch.events.get(name.index)?.event_id.clone(),
                expected: name.expected,
            })
        })
    }

    /// The index in the document of an event of the batch.
    #[must_use]
    pub fn place(&self, position: usize) -> usize {
        self.places.get(position).copied().unwrap_or(position)
    }

    /// # Errors
    /// [`ErrorKind::Invalid`] if the document has events, and none of them can be captured.
    pub(crate) fn require_any(&mut self) -> Result<(), Error> {
        if !self.prepared.batch.events.is_empty() || self.refused.is_empty() {
            return Ok(());
        }
        let errors = std::mem::take(&mut self.refused);
        let errors = errors.into_iter().flat_map(|refused| refused.errors);
        let errors = errors.take(MAX_ERRORS).collect();
        Err(Error::invalid(errors))
    }

    /// The same capture with the paths of an EPCISQueryDocument, for events that come from one.
    #[must_use]
    pub fn in_results(mut self) -> Self {
        self.prepared.events_at = EventsAt::List(RESULTS);
        for refused in &mut self.refused {
            let errors = std::mem::take(&mut refused.errors);
            refused.errors = errors.into_iter().map(of_result).collect();
        }
        self
    }

    /// Whether the capture would exceed the limit of error declarations that only a store can confirm.
    fn has_claims_for(&self, more: &Prepared) -> bool {
        self.prepared.claims.len() + more.claims.len() > MAX_CLAIMS
    }

    /// Adds the capture of one event, and returns the length of the event.
    fn take(&mut self, prepared: Prepared, index: usize) -> usize {
        let at = self.prepared.batch.events.len();
        let bytes = prepared.batch.events.iter().map(|new| new.event.len()).sum();
        for mut claim in prepared.claims {
            claim.index = at;
            self.prepared.claims.push(claim);
        }
        let unverified = prepared.unverified.into_iter();
        let unverified = unverified.map(|name| Unverified { index: at, ..name });
        self.prepared.unverified.extend(unverified);
        self.prepared.stripped.extend(prepared.stripped);
        self.prepared.batch.events.extend(prepared.batch.events);
        self.places.push(index);
        bytes
    }

    /// # Errors
    /// The error, if it does not concern this event alone.
    fn refuse(&mut self, error: &Error, index: usize) -> Result<(), Error> {
        let first = format!("{EVENTS}/0");
        let is_events = |finding: &DocumentError| {
            finding
                .path
                .strip_prefix(&first)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let errors = match error.kind() {
            ErrorKind::Invalid { errors } if errors.iter().any(is_events) => errors
                .iter()
                .filter(|finding| is_events(finding))
                .take(FINDINGS)
                .map(|finding| DocumentError {
                    path: moved(&finding.path, index),
                    ..finding.clone()
                })
                .collect(),
            ErrorKind::Invalid { .. }
            | ErrorKind::Internal { .. }
            | ErrorKind::Overtaken { .. }
            | ErrorKind::Unavailable { .. } => return Err(error.clone()),
            _ => vec![DocumentError {
                path: format!("{EVENTS}/{index}"),
                keyword: "capture".to_owned(),
                message: error.to_string(),
            }],
        };
        self.refused_count += 1;
        if self.refused.len() < MAX_REFUSED {
            self.refused.push(RefusedEvent { index, errors });
        }
        Ok(())
    }

    /// Removes events, by their positions in the batch, and records why.
    pub(crate) fn drop_events(&mut self, dropped: Vec<(usize, Vec<DocumentError>)>) {
        if dropped.is_empty() {
            return;
        }
        let gone: BTreeSet<usize> = dropped.iter().map(|(at, _)| *at).collect();
        for (at, errors) in dropped {
            let index = self.place(at);
            self.refused_count += 1;
            self.refused.push(RefusedEvent { index, errors });
        }
        self.refused.sort_by_key(|refused| refused.index);
        self.refused.truncate(MAX_REFUSED);
        let Prepared { batch, stripped, unverified, .. } = &mut self.prepared;
        retain(&mut batch.events, &gone);
        retain(stripped, &gone);
        retain(&mut self.places, &gone);
        unverified.retain(|name| !gone.contains(&name.index));
        for name in unverified {
            name.index -= gone.range(..name.index).count();
        }
    }
}

fn retain<T>(list: &mut Vec<T>, gone: &BTreeSet<usize>) {
    let mut at = 0;
    list.retain(|_| {
        at += 1;
        !gone.contains(&(at - 1))
    });
}

/// Converts a path in the document of a single event to the path in the whole document.
fn moved(path: &str, index: usize) -> String {
    match path.strip_prefix(EVENTS).and_then(|rest| rest.strip_prefix("/0")) {
        Some(rest) => format!("{EVENTS}/{index}{rest}"),
        None => path.to_owned(),
    }
}

/// # Errors
/// [`ErrorKind::Invalid`] for errors around the events.
fn around_is_valid(
    document: &Document<'_>,
    list: Value<'_>,
    validator: &Validator,
) -> Result<(), Error> {
    let (start, end) = (list.offset(), list.offset() + list.source().len());
    let is_around = |number: &u32| !(start..end).contains(&document.value_of(*number).offset());
    let repeated = document.overridden().filter(is_around);
    let mut errors = super::repeated::findings(document.places_of(repeated));
    if errors.is_empty() {
        let text = document.text();
        let before = text.part(..start);
        let after = text.part(end..);
        let around = format!("{before}[]{after}");
        errors = schema_errors(&Document::read(around.as_bytes())?, validator)?;
    }
    if errors.is_empty() { Ok(()) } else { Err(Error::invalid(errors)) }
}

/// The contexts that must be around an event so that it means the same as in its document.
struct SurroundingContexts<'d> {
    context: Option<&'d str>,
    of_body: Option<&'d str>,
}

impl<'d> SurroundingContexts<'d> {
    fn of(root: Value<'d>) -> Self {
        let context = |value: Value<'d>| value.get("@context").map(Value::source);
        Self { context: context(root), of_body: root.get("epcisBody").and_then(context) }
    }

    fn around(&self, event: Value<'_>) -> String {
        let mut text = String::from("{");
        push_context(&mut text, self.context);
        text.push_str(
            r#""type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2000-01-01T00:00:00Z","epcisBody":{"#,
        );
        push_context(&mut text, self.of_body);
        text.push_str(r#""eventList":["#);
        text.push_str(event.source());
        text.push_str("]}}");
        text
    }
}

fn push_context(text: &mut String, context: Option<&str>) {
    if let Some(context) = context {
        text.push_str(r#""@context":"#);
        text.push_str(context);
        text.push(',');
    }
}

/// The events of an EPCISQueryDocument as an EPCISDocument; `None` for other documents.
///
/// # Errors
/// [`ErrorKind::Json`]; [`ErrorKind::Invalid`] if the schema does not accept it; [`ErrorKind::NotCapturable`] if there is a
/// context between the results and their events.
pub fn document_of_results(text: &[u8], validator: &Validator) -> Result<Option<String>, Error> {
    let document = Document::read(text)?;
    let root = document.root();
    let is_one = root.get("type").and_then(Value::as_str).as_deref() == Some("EPCISQueryDocument");
    if !is_one {
        return Ok(None);
    }
    let errors = schema_errors(&document, validator)?;
    if !errors.is_empty() {
        return Err(Error::invalid(errors));
    }
    let list = root.pointer(RESULTS).map_or("[]", Value::source);
    let mut out = String::with_capacity(list.len() + 256);
    out.push('{');
    push_context(&mut out, root.get("@context").map(Value::source));
    out.push_str(
        r#""type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2000-01-01T00:00:00Z","epcisBody":{"#,
    );
    let context = |pointer| root.pointer(pointer).and_then(|value| value.get("@context"));
    push_context(&mut out, context("/epcisBody").map(Value::source));
    if context("/epcisBody/queryResults")
        .or(context("/epcisBody/queryResults/resultsBody"))
        .is_some()
    {
        return Err(Error::new(ErrorKind::NotCapturable));
    }
    out.push_str(r#""eventList":"#);
    out.push_str(list);
    out.push_str("}}");
    Ok(Some(out))
}

/// Converts an error about the document made by [`document_of_results`], so that it has the paths of the EPCISQueryDocument.
#[must_use]
pub fn of_results(error: Error) -> Error {
    let ErrorKind::Invalid { errors } = error.kind() else {
        return error;
    };
    let errors = errors.iter().map(|finding| of_result(finding.clone())).collect();
    Error::invalid(errors)
}

/// Converts a finding, so that it has the path of the EPCISQueryDocument.
fn of_result(mut finding: DocumentError) -> DocumentError {
    if let Some(rest) = finding.path.strip_prefix(EVENTS) {
        finding.path = format!("{RESULTS}{rest}");
    }
    finding
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_moved_to_its_event() {
        assert_eq!(moved("/epcisBody/eventList/0/type", 12), "/epcisBody/eventList/12/type");
        assert_eq!(moved("/@context", 12), "/@context");
    }
}
