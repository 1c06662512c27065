//! Translates a document that is longer than memory: its events are given out one by one.
//!
//! Memory holds the text from the current piece on, and the content of the document outside of its events.
//! The events, the notes, the verdict on the source and the place of a fault are the same as from
//! [`translate`](super::translate) on the whole document.
//!
//! Why does a line of `translateStream` carry its own `@context`?
//! Each line of NDJSON is read by itself, and an extension with an undeclared prefix would have another hash.
//! The report has the document around the events, so that both together are the document that `translate` returns.
//!
//! Why does `translateStream` hold back invalid events and fail at the end?
//! `translate` refuses such a document. A stream that failed at the first error would report only one of many, and a stream
//! that gave out invalid events would pass on events that other functions refuse.

use super::document::{Outlet, Translator};
use super::encoding::Decoder;
use super::kinds::Root;
use super::limits::{MAX_EVENT_LENGTH, MAX_FRAME_LENGTH};
use super::places::{list_of, places_in};
use super::reader::Pass;
use super::report::FidelityReport;
use crate::validate::{
    ListVerdict, MAX_ERRORS, SchemaError, Validator, XmlVerdict, vocabulary_element_errors,
};
use epcis_edge_text::error::{Error, ErrorKind, Location, XmlFault};
use epcis_edge_text::json::Document;
use epcis_edge_text::slice::{OrEmpty, Part};
use memchr::memchr;
use std::collections::BTreeMap;

/// The number of bytes of a chunk that are processed together.
const CHUNK: usize = 64 << 10;

/// How often an incomplete token is tried again at every `>`. Later it is tried only after growing by an eighth, so that a
/// comment full of `>` costs time in proportion to its length.
const FREE_LOOKS: usize = 16;

/// An event from a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamedEvent {
    json: String,
    context: usize,
}

impl StreamedEvent {
    /// The event with its own `@context`, so that it is complete by itself: one line of JSON text.
    #[must_use]
    pub fn line(&self) -> &str {
        &self.json
    }

    /// The members after `@context`, as they stand in the list of events of the document.
    #[must_use]
    pub fn members(&self) -> &str {
        self.json.part(self.context..)
    }
}

/// The result at the end of a stream.
#[derive(Debug)]
pub struct StreamedTranslation {
    /// The document around the events, as text with an empty list of events; `None` for a bare event.
    pub document: Option<String>,
    /// The version of the source XML: `1.0`, `1.1`, `1.2` or `2.0`.
    pub source_schema_version: &'static str,
    /// The number of events translated.
    pub metered_events: usize,
    /// The report of what a round trip does not restore.
    pub fidelity_report: FidelityReport,
    /// The verdict of the official XML schema on the source.
    pub source_verdict: XmlVerdict,
    /// The errors by the official JSON schema, each with its place in the source, in document order.
    pub errors: Vec<(SchemaError, Location)>,
}

/// A translation of a document that arrives in chunks.
///
/// **Shape**: as for [`translate`](super::translate).
/// An event that is invalid by the official schema is not given out; the errors are returned at the end.
/// **Limits**: those of [`translate`](super::translate), but no limit of length; [`MAX_EVENT_LENGTH`], [`MAX_FRAME_LENGTH`].
/// A document with two faults may be refused for another one than by `translate`: a stream reports the first.
///
/// # Example
/// ```
/// use epcis_edge_document::{translate::TranslationStream, validate::Validator};
/// let validator = Validator::new()?;
/// let mut stream = TranslationStream::new();
/// let mut events = Vec::new();
/// for chunk in [b"<ObjectEvent><action>AD".as_slice(), b"D</action></ObjectEvent>"] {
///     stream.push(chunk, &validator, &mut events)?;
/// }
/// let end = stream.finish(&validator, &mut events)?;
/// assert_eq!((end.metered_events, events.len()), (1, 0));
/// assert_eq!(end.errors[0].1.path, "/ObjectEvent");
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
///
/// **Source**: as for [`translate`](super::translate).
#[derive(Debug)]
pub struct TranslationStream {
    decoder: Decoder,
    text: String,
    /// How often the token at the end of the text was tried and found incomplete.
    failed_tries: usize,
    /// The length of the text at which it is tried again in any case.
    wanted: usize,
    /// `None` after an error.
    translator: Option<Box<Translator>>,
    schema_results: SchemaResults,
}

/// The results of validating the output by the official JSON schema.
#[derive(Debug, Default)]
struct SchemaResults {
    /// The verdict on the list of events; made at the first event, which shows which list that is.
    events: Option<ListVerdict>,
    /// The places of the errors listed in that verdict.
    places: Vec<Location>,
    /// The errors of a bare event.
    bare: Vec<(SchemaError, Location)>,
    /// The places of errors in vocabulary elements, by JSON Pointer; these errors are reported at the end.
    of_master_data: BTreeMap<String, Location>,
}

/// An outlet that validates events and gives out the valid ones.
#[derive(Debug)]
struct ValidatingOutlet<'o> {
    results: &'o mut SchemaResults,
    validator: &'o Validator,
    events: &'o mut Vec<StreamedEvent>,
}

impl Default for TranslationStream {
    fn default() -> Self {
        Self::new()
    }
}

impl TranslationStream {
    /// Starts a stream for one document.
    #[must_use]
    pub fn new() -> Self {
        Self {
            decoder: Decoder::default(),
            text: String::new(),
            failed_tries: 0,
            wanted: 0,
            translator: Some(Box::new(Translator::of_stream())),
            schema_results: SchemaResults::default(),
        }
    }

    /// Takes the next bytes of the document, and appends the events that are complete.
    ///
    /// # Errors
    /// As [`translate`](super::translate), and [`XmlFault::EventTooLong`], [`XmlFault::FrameTooLong`].
    /// After an error the stream cannot be used any more; events before the fault were appended.
    pub fn push(
        &mut self,
        bytes: &[u8],
        validator: &Validator,
        events: &mut Vec<StreamedEvent>,
    ) -> Result<(), Error> {
        for chunk in bytes.chunks(CHUNK) {
            let before = self.text.len();
            let decoded = self.decoder.decode(chunk, false, &mut self.text);
            let new = self.text.as_bytes().part(before..);
            let may_be_whole = self.failed_tries < FREE_LOOKS && memchr(b'>', new).is_some();
            if self.failed_tries == 0
                || may_be_whole
                || self.text.len() >= self.wanted
                || decoded.is_err()
            {
                self.read(false, validator, events)?;
            }
            // The text before bytes that are invalid in the encoding was read already.
            decoded?;
            if self.text.len() > MAX_EVENT_LENGTH {
                return Err(self.fault(XmlFault::EventTooLong(MAX_EVENT_LENGTH)));
            }
        }
        Ok(())
    }

    /// Ends the document, and appends the last events.
    ///
    /// # Errors
    /// As [`push`](Self::push), and for a document that ends too early.
    pub fn finish(
        mut self,
        validator: &Validator,
        events: &mut Vec<StreamedEvent>,
    ) -> Result<StreamedTranslation, Error> {
        let decoded = self.decoder.decode(&[], true, &mut self.text);
        // The events before bytes that are invalid in the encoding are given out before the error is returned.
        self.read(decoded.is_ok(), validator, events)?;
        decoded?;
        let translator = self.translator.take().ok_or_else(spent)?;
        let done = translator.finish()?;
        let SchemaResults { events: of_events, places, bare, mut of_master_data } =
            self.schema_results;
        let is_bare = matches!(done.kept.kind, Root::Event(_));
        let errors = if is_bare {
            bare
        } else {
            let list = list_of(done.kept.kind);
            let frame = Document::read(done.document.as_bytes())?;
            let of_events = of_events.unwrap_or_else(|| ListVerdict::new(list));
            let verdict = of_events.finish(&frame);
            let entry = format!("{list}/");
            let mut places = places.into_iter();
            let locate = |error: SchemaError| {
                let of_event = error.path.starts_with(&entry).then(|| places.next());
                let place = of_event
                    .flatten()
                    .or_else(|| of_master_data.remove(&error.path))
                    .unwrap_or_else(|| done.kept.root_place(&error.path));
                (error, place)
            };
            verdict.errors.into_iter().map(locate).collect()
        };
        Ok(StreamedTranslation {
            document: (!is_bare).then_some(done.document),
            source_schema_version: done.version,
            metered_events: done.metered,
            fidelity_report: done.report,
            source_verdict: done.verdict.ok_or_else(spent)?,
            errors,
        })
    }

    /// Reads the text that has arrived.
    fn read(
        &mut self,
        is_last: bool,
        validator: &Validator,
        events: &mut Vec<StreamedEvent>,
    ) -> Result<(), Error> {
        let mut translator = self.translator.take().ok_or_else(spent)?;
        let mut outlet = ValidatingOutlet { results: &mut self.schema_results, validator, events };
        translator.read_on(&mut self.text, is_last, &mut outlet)?;
        let cut = self.text.len() - translator.reader.offset();
        self.failed_tries = if cut > 0 { self.failed_tries + 1 } else { 0 };
        self.wanted = self.text.len() + (cut / 8).max(32);
        let size = translator.size();
        self.translator = Some(translator);
        if size > MAX_FRAME_LENGTH {
            return Err(self.fault(XmlFault::FrameTooLong(MAX_FRAME_LENGTH)));
        }
        Ok(())
    }

    /// Returns a fault at the start of the text in memory.
    fn fault(&self, fault: XmlFault) -> Error {
        let here = |translator: &Translator| translator.here(&self.text);
        let place = self.translator.as_deref().map(here).or_empty();
        Error::at(ErrorKind::Xml(fault), place)
    }
}

impl Outlet for ValidatingOutlet<'_> {
    /// Validates an event, and gives it out if it is valid.
    fn event(
        &mut self,
        translator: &Translator,
        pass: &Pass<'_>,
        (context, event): (&str, &str),
    ) -> Result<(), Error> {
        let members = event.strip_prefix('{');
        let members = members.ok_or_else(|| Error::impossible("an event is no object"))?;
        let json = format!("{context},{members}");
        let line = StreamedEvent { context: context.len() + 1, json };
        let judged = &mut *self.results;
        if let Root::Event(_) = translator.walk.root {
            let document = Document::read(line.json.as_bytes())?;
            let errors = self.validator.validate(&document).errors;
            let places = locate(translator, pass, &errors);
            judged.bare = errors.into_iter().zip(places).collect();
            if judged.bare.is_empty() {
                self.events.push(line);
            }
            return Ok(());
        }
        let list = list_of(translator.walk.root);
        let verdict = judged.events.get_or_insert_with(|| ListVerdict::new(list));
        let document = Document::read(event.as_bytes())?;
        if verdict.event(document.root()) {
            self.events.push(line);
            return Ok(());
        }
        let unplaced = verdict.listed().get(judged.places.len()..);
        let unplaced = unplaced.ok_or_else(|| Error::impossible("places without errors"))?;
        let inside = format!("{list}/{}", verdict.count() - 1);
        let inner: Vec<SchemaError> = unplaced
            .iter()
            .map(|error| SchemaError { path: error.path.replacen(&inside, "", 1), ..error.clone() })
            .collect();
        judged.places.extend(locate(translator, pass, &inner));
        Ok(())
    }

    /// Records the places of the schema errors in a vocabulary element.
    fn vocabulary_element(&mut self, translator: &Translator, pass: &Pass<'_>, written: &str) {
        if self.results.of_master_data.len() >= MAX_ERRORS {
            return;
        }
        let Ok(document) = Document::read_text(written) else {
            return;
        };
        let errors = vocabulary_element_errors(document.root());
        let places = locate(translator, pass, &errors);
        let (list, number) = translator.vocabulary;
        let holder = match translator.walk.root {
            Root::Query => "/epcisBody/queryResults/resultsBody",
            _ => "/epcisHeader/epcisMasterData",
        };
        for (error, place) in errors.iter().zip(places) {
            let list = list.saturating_sub(1);
            let element = format!(
                "{holder}/vocabularyList/{list}/vocabularyElementList/{number}{}",
                error.path
            );
            self.results.of_master_data.insert(element, place);
        }
    }
}

/// Returns the places in the source of the errors in the piece that was read last.
fn locate(translator: &Translator, pass: &Pass<'_>, errors: &[SchemaError]) -> Vec<Location> {
    if errors.is_empty() {
        return Vec::new();
    }
    let pointers = errors.iter().map(|error| error.path.as_str());
    let mut context = translator.context.clone();
    places_in(&translator.walk, pass, &mut context, pointers)
        .into_iter()
        .map(|(path, offset)| pass.reader.location(pass.text, path, offset))
        .collect()
}

/// The error for a stream without a translator, which has failed before.
fn spent() -> Error {
    Error::impossible("the stream has failed before")
}
