//! The translation of a document that is longer than memory: its events come out one by one.
//!
//! Held are the text up to the next whole element, and what stands outside of the events.
//! The events, the notes, the verdict on the source, and the place of a fault, are those of [`translate`](super::translate) on the whole document.
//!
//! Why does a line of `translateStream` carry its own `@context`?
//! A line of NDJSON is read alone, and an extension whose prefix is not declared would have another hash.
//! The document around the events is in the report, so that both together are the document that `translate` gives.
//!
//! Why does `translateStream` hold back invalid events and fail at the end?
//! `translate` refuses such a document; a stream that failed at the first error would tell one of many, and one that
//! gave out invalid events would hand on what the calculator refuses.

mod splitter;

use super::document::{Job, Produced};
use super::encoding::Decoder;
use super::kinds::Root;
use super::limits::{MAX_EVENT_LENGTH, MAX_FRAME_LENGTH};
use super::places::KeptPlaces;
use super::reader::{Section, Suspended};
use super::report::FidelityReport;
use crate::error::{Error, ErrorKind, Location, XmlFault};
use crate::json::Document;
use crate::validate::{ListVerdict, SchemaError, Validator, XmlVerdict};
use splitter::Splitter;
use std::cell::OnceCell;

/// How much of a chunk is looked at together.
const CHUNK: usize = 64 << 10;

/// An event that a stream gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamedEvent {
    json: String,
    context: usize,
}

impl StreamedEvent {
    /// The event with its own `@context`, so that it stands alone: one line of JSON text.
    #[must_use]
    pub fn line(&self) -> &str {
        &self.json
    }

    /// The members behind `@context`, as they stand in the list of events of the document.
    #[must_use]
    pub fn members(&self) -> &str {
        self.json.get(self.context..).unwrap_or_default()
    }
}

/// What a stream knows at its end.
#[derive(Debug)]
pub struct StreamedTranslation {
    /// The document that the events stood in, as text, its list of events empty; of a bare event `None`.
    pub document: Option<String>,
    /// The version of the XML that was sent: `1.0`, `1.1`, `1.2` or `2.0`.
    pub source_schema_version: &'static str,
    /// How many events were translated.
    pub metered_events: usize,
    /// What became of the source.
    pub fidelity_report: FidelityReport,
    /// What the official XML schema says of the source.
    pub source_verdict: XmlVerdict,
    /// What the official schema does not accept, each error with its place in the source, in document order.
    pub errors: Vec<(SchemaError, Location)>,
}

/// A document that is translated while it comes.
///
/// **Shape**: as for [`translate`](super::translate).
/// An event that the official schema does not accept is not given out; the errors come at the end.
/// **Limits**: those of [`translate`](super::translate), but no limit of length; [`MAX_EVENT_LENGTH`], [`MAX_FRAME_LENGTH`].
/// A document with two faults may be refused for another one than as a whole: a stream names the first.
///
/// # Example
/// ```
/// use epcis_edge_core::{translate::TranslationStream, validate::Validator};
/// let validator = Validator::new()?;
/// let mut stream = TranslationStream::new();
/// let mut events = Vec::new();
/// for chunk in [b"<ObjectEvent><action>AD".as_slice(), b"D</action></ObjectEvent>"] {
///     stream.push(chunk, &validator, &mut events)?;
/// }
/// let end = stream.finish(&validator, &mut events)?;
/// assert_eq!((end.metered_events, events.len()), (1, 0));
/// assert_eq!(end.errors[0].1.path, "/ObjectEvent");
/// # Ok::<(), epcis_edge_core::error::Error>(())
/// ```
///
/// **Source**: as for [`translate`](super::translate).
#[derive(Debug)]
pub struct TranslationStream {
    decoder: Decoder,
    text: String,
    splitter: Splitter,
    suspended: Suspended,
    job: Option<Box<Job<'static>>>,
    is_later: bool,
    judged: Judged,
}

/// What the official schema says of the events.
#[derive(Debug)]
struct Judged {
    /// Made when the first event shows which list it stands in.
    events: Option<ListVerdict>,
    /// The places of the errors that are listed.
    places: Vec<Location>,
    /// The errors of a bare event.
    bare: Vec<(SchemaError, Location)>,
}

impl Default for TranslationStream {
    fn default() -> Self {
        Self::new()
    }
}

impl TranslationStream {
    /// A document of which nothing was seen yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            decoder: Decoder::default(),
            text: String::new(),
            splitter: Splitter::default(),
            suspended: Suspended::default(),
            job: Some(Box::new(Job::in_sections())),
            is_later: false,
            judged: Judged {
                events: None,
                places: Vec::new(),
                bare: Vec::new(),
            },
        }
    }

    /// Takes the next bytes of the document; appends the events that became whole.
    ///
    /// # Errors
    /// As [`translate`](super::translate), and [`XmlFault::EventTooLong`], [`XmlFault::FrameTooLong`].
    /// After an error the stream is of no more use; events that came before the fault were appended.
    pub fn push(
        &mut self,
        bytes: &[u8],
        validator: &Validator,
        events: &mut Vec<StreamedEvent>,
    ) -> Result<(), Error> {
        for chunk in bytes.chunks(CHUNK) {
            let decoded = self.decoder.decode(chunk, false, &mut self.text);
            self.splitter.go_on(&self.text);
            if self.is_worth_reading() {
                self.read(false, validator, events)?;
            }
            // What stands before bytes that are no text was read.
            decoded?;
            self.check_length()?;
        }
        Ok(())
    }

    /// Ends the document; appends the last events.
    ///
    /// # Errors
    /// As [`push`](Self::push), for what ends too early too.
    pub fn finish(
        mut self,
        validator: &Validator,
        events: &mut Vec<StreamedEvent>,
    ) -> Result<StreamedTranslation, Error> {
        let decoded = self.decoder.decode(&[], true, &mut self.text);
        self.splitter.finish(&self.text);
        // What stands before bytes that are no text is given out before they are refused.
        self.read(decoded.is_ok(), validator, events)?;
        decoded?;
        let Some(mut job) = self.job.take() else {
            return Err(spent());
        };
        let source_verdict = job.take_verdict();
        let is_bare = matches!(job.root(), Root::Event(_));
        let (done, kept) = job.finish();
        let errors = if is_bare {
            self.judged.bare
        } else {
            let list = list_of(kept.kind);
            let frame = Document::read(done.document.as_bytes())?;
            let of_events = self.judged.events.unwrap_or_else(|| ListVerdict::new(list));
            let verdict = of_events.finish(validator, &frame);
            let entry = format!("{list}/");
            let mut places = self.judged.places.into_iter();
            let locate = |error: SchemaError| {
                let of_event = error.path.starts_with(&entry).then(|| places.next());
                let place = of_event
                    .flatten()
                    .unwrap_or_else(|| kept.locate("", &error.path));
                (error, place)
            };
            verdict.errors.into_iter().map(locate).collect()
        };
        Ok(StreamedTranslation {
            document: (!is_bare).then_some(done.document),
            source_schema_version: done.version,
            metered_events: done.metered,
            fidelity_report: done.report,
            source_verdict,
            errors,
        })
    }

    /// Whether the text has more for the reader than it had before.
    fn is_worth_reading(&mut self) -> bool {
        let open = self.suspended.depth();
        let is_foreign = !self.is_later
            && self
                .text
                .bytes()
                .find(|byte| !super::characters::is_space(*byte))
                .is_some_and(|byte| byte != b'<');
        is_foreign
            || self
                .splitter
                .take_shallowest()
                .is_some_and(|depth| depth <= open)
            || (self.splitter.cut >= CHUNK && self.splitter.depth <= open)
    }

    /// Reads as far as there are whole elements.
    fn read(
        &mut self,
        is_last: bool,
        validator: &Validator,
        events: &mut Vec<StreamedEvent>,
    ) -> Result<(), Error> {
        let Some(job) = self.job.take() else {
            return Err(spent());
        };
        let is_markup = self.text.trim_start().starts_with('<');
        let cut = if is_last || !is_markup && !self.is_later {
            self.text.len()
        } else {
            self.splitter.cut
        };
        let text = self.text.get(..cut).unwrap_or_default();
        let mut job = job.over(text);
        let section = Section {
            ends: &self.splitter.ends,
            is_later: self.is_later,
            is_last,
        };
        let advanced = job.advance(&self.suspended, section);
        let produced = job.take_events();
        let places = OnceCell::new();
        for produced in produced {
            self.judged
                .take((&job, &places), produced, validator, events)?;
        }
        let (suspended, consumed) = advanced?;
        job.leave_section(consumed);
        let job = Box::new(job.over(""));
        let size = job.size();
        self.job = Some(job);
        self.suspended = suspended;
        self.is_later |= consumed > 0;
        self.text.drain(..consumed);
        self.splitter.shift(consumed);
        if size > MAX_FRAME_LENGTH {
            let limit = MAX_FRAME_LENGTH;
            return Err(self.fault(XmlFault::FrameTooLong { limit }));
        }
        Ok(())
    }

    fn check_length(&self) -> Result<(), Error> {
        if self.text.len() <= MAX_EVENT_LENGTH {
            return Ok(());
        }
        let limit = MAX_EVENT_LENGTH;
        Err(self.fault(XmlFault::EventTooLong { limit }))
    }

    /// A fault where the text starts that is held.
    fn fault(&self, fault: XmlFault) -> Error {
        let place = self.job.as_ref().map(|job| job.here()).unwrap_or_default();
        Error::at(ErrorKind::Xml(fault), place)
    }
}

impl Judged {
    /// Judges an event, and gives it out if the schema accepts it; where the events of its section stand is worked out once for
    /// all of them.
    fn take(
        &mut self,
        (job, places): (&Job<'_>, &OnceCell<KeptPlaces>),
        produced: Produced,
        validator: &Validator,
        events: &mut Vec<StreamedEvent>,
    ) -> Result<(), Error> {
        let Produced { context, event } = produced;
        let mut json = String::with_capacity(context.len() + event.len());
        json.push_str(&context);
        json.push(',');
        json.push_str(event.get(1..).unwrap_or_default());
        let line = StreamedEvent {
            json,
            context: context.len() + 1,
        };
        if let Root::Event(_) = job.root() {
            let document = Document::read(line.json.as_bytes())?;
            let verdict = validator.validate(&document);
            let kept = places.get_or_init(|| job.places());
            let pointers = verdict.errors.iter().map(|error| error.path.as_str());
            let places = job.locate(kept, pointers);
            self.bare = verdict.errors.into_iter().zip(places).collect();
            if self.bare.is_empty() {
                events.push(line);
            }
            return Ok(());
        }
        let list = list_of(job.root());
        let judge = self.events.get_or_insert_with(|| ListVerdict::new(list));
        let document = Document::read(event.as_bytes())?;
        if judge.event(validator, document.root()) {
            events.push(line);
            return Ok(());
        }
        let unplaced = judge.listed().get(self.places.len()..).unwrap_or_default();
        if !unplaced.is_empty() {
            let kept = places.get_or_init(|| job.places());
            let pointers = unplaced.iter().map(|error| error.path.as_str());
            self.places.extend(job.locate(kept, pointers));
        }
        Ok(())
    }
}

fn list_of(root: Root) -> &'static str {
    match root {
        Root::Query => crate::validate::QUERY_EVENT_LIST,
        _ => crate::validate::EVENT_LIST,
    }
}

/// Only a stream that has failed is without its job.
fn spent() -> Error {
    Error::new(ErrorKind::Internal {
        detail: "the stream has failed before".to_owned(),
    })
}
