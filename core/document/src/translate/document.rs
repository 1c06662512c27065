//! The translation of a document: each piece is mapped and compared as soon as it is read, the envelope at the end.
//!
//! A whole document is handled as a stream whose text comes at once.

mod end;
#[cfg(test)]
mod tests;

use super::Translation;
use super::envelope::{Child, Container, EnvelopeNode, PIECES};
use super::findings::{PieceFinding, PieceFindings, whole};
use super::kinds::{EventKind, Root};
use super::limits::{MAX_FRAME_LENGTH, MAX_FRAME_TEXT};
use super::measure::{Meanings, PieceKind, RoundTripCheck};
use super::namespace::{Name, Namespace};
use super::output_context::OutputContext;
use super::print::excerpt;
use super::reader::{Pass, Reader};
use super::report::{self, Code, FidelityReport, Note};
use super::tree::{Element, XmlTree};
use super::walk::{Step, Walk};
use super::write::JsonWriter;
use super::xml_to_json::Mapper;
use crate::context::EPCIS_CONTEXT;
use crate::validate::XmlSchemaError;
use epcis_edge_text::error::{Error, ErrorKind, Location, XmlFault};
use epcis_edge_text::json::{MAX_DEPTH, push_string};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// The number of JSON levels around an event in a document.
const ENVELOPE_DEPTH: usize = 6;

/// The most elements around the pieces of a document, the standard header aside. At the end their source, their output and
/// the tree translated back from it are in memory together.
const MAX_ENVELOPE: usize = 1 << 17;

/// The longest translation of a source of this length, in bytes: two and a half times the length and a megabyte more.
///
/// JSON is usually shorter than XML. It gets longer only with long prefixes for short ones, default namespaces, and empty
/// events.
fn longest(source: usize) -> usize {
    source / 2 * 5 + (1 << 20)
}

/// The pieces of one list that were compared with their source. They stand one after another in the text written from them.
#[derive(Clone, Debug, Default)]
pub(super) struct ComparedList {
    count: usize,
    length: usize,
    /// The range of the list in that text.
    pub(super) range: Range<usize>,
}

impl ComparedList {
    fn add(&mut self, written: &str) {
        self.count += 1;
        self.length += written.len();
    }

    /// Returns the number of pieces as text; `null` if the compared pieces do not account for every byte of the list.
    fn number(&self) -> String {
        match self.count {
            _ if self.range.len() != self.length + self.count.saturating_sub(1) => {
                "null".to_owned()
            }
            0 => String::new(),
            count => count.to_string(),
        }
    }
}

/// Receives the pieces of a stream.
pub(super) trait Outlet {
    /// Takes an event: the start of an object with its `@context`, and the event as it stands in the list.
    fn event(
        &mut self,
        translator: &Translator,
        pass: &Pass<'_>,
        written: (&str, &str),
    ) -> Result<(), Error>;

    /// Inspects a vocabulary element, which stays in the translator.
    fn vocabulary_element(&mut self, translator: &Translator, pass: &Pass<'_>, written: &str);
}

/// A translation in progress.
#[derive(Debug, Default)]
pub(super) struct Translator {
    pub(super) reader: Reader,
    pub(super) walk: Walk,
    pub(super) context: OutputContext,
    report: FidelityReport,
    round_trip: RoundTripCheck,
    /// The place of the document element, for errors and pointers without a place of their own.
    root: Location,
    /// The envelope of the source. The `offset` of its elements is the number of notes made before them.
    envelope: XmlTree,
    /// The number of its elements that belong to the standard header, which [`MAX_ENVELOPE`] does not limit.
    of_header: usize,
    /// The names of the elements seen that may occur only once.
    once: BTreeSet<String>,
    /// The total length of the text outside of events that JSON writes in other bytes than the source, in bytes.
    frame_text: usize,
    /// The number of pieces in each open container, outermost first.
    pieces: Vec<usize>,
    pub(super) events: JsonWriter,
    pub(super) compared_events: ComparedList,
    metered: usize,
    vocabularies: JsonWriter,
    /// The lists of vocabulary elements.
    pub(super) lists: Vec<ComparedList>,
    /// The number of vocabularies so far, and of elements in the newest.
    pub(super) vocabulary: (usize, usize),
    /// Whether events are given out as soon as they are translated.
    is_stream: bool,
    /// The newest `@context` of an event, with the number of prefixes declared then and the namespaces that it covers.
    newest: Option<(usize, BTreeSet<Namespace>, Rc<str>)>,
}

/// What a caller wants beside the document.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted {
    /// The report, and the verdict of the XML schemas on the source.
    Verdict,
    /// The report.
    Report,
    /// Nothing: no piece is compared with its source, and the report says so of each that may differ.
    Nothing,
}

/// Translates the text of one document.
pub(super) fn translate(text: Cow<'_, str>, wanted: Wanted) -> Result<Translation<'_>, Error> {
    let mut translator = Translator::default();
    match wanted {
        Wanted::Verdict => translator.reader.judge(),
        Wanted::Report => {}
        Wanted::Nothing => translator.round_trip.is_off = true,
    }
    translator.limit(longest(text.len()));
    translator.read(&text, true, None)?;
    let done = translator.finish()?;
    Ok(Translation {
        document: done.document,
        source_schema_version: done.version,
        metered_events: done.metered,
        fidelity_report: done.report,
        source_verdict: done.verdict,
        text,
        kept: done.kept,
    })
}

impl Translator {
    /// Returns a translator that gives out its events as soon as they are translated.
    pub(super) fn of_stream() -> Self {
        let mut translator = Self::default();
        translator.reader.judge();
        translator.is_stream = true;
        translator.vocabularies.limit = 2 * MAX_FRAME_LENGTH;
        translator
    }

    /// Limits the length of the output.
    fn limit(&mut self, limit: usize) {
        self.events.limit = limit;
        self.vocabularies.limit = limit;
    }

    /// The approximate number of bytes that are held until the end of a stream.
    pub(super) fn size(&self) -> usize {
        self.vocabularies.text.len()
            + self.envelope.weight()
            + 64 * self.lists.len()
            + self.walk.namespaces.len() * 256
            + self.reader.size()
    }

    /// The place where the text starts, in the innermost open container.
    pub(super) fn here(&self, text: &str) -> Location {
        self.reader.location(text, self.reader.path(), 0)
    }

    /// Continues over `text`, which begins where the previous text was released.
    pub(super) fn read(
        &mut self,
        text: &str,
        is_last: bool,
        mut outlet: Option<&mut dyn Outlet>,
    ) -> Result<(), Error> {
        if self.is_stream {
            self.events.limit = longest(text.len());
        }
        let mut pass = Pass::new(std::mem::take(&mut self.reader), text, is_last);
        let outcome = match pass.look() {
            Ok(()) => self.go_on(&mut pass, &mut outlet),
            Err(fault) => Err(self.walk.error(&pass, fault)),
        };
        self.reader = pass.end();
        outcome
    }

    /// Reads on in `text`, and removes the part of it that is not needed any more.
    pub(super) fn read_on(
        &mut self,
        text: &mut String,
        is_last: bool,
        outlet: &mut dyn Outlet,
    ) -> Result<(), Error> {
        self.read(text, is_last, Some(outlet))?;
        let passed = self.walk.passed(&self.reader);
        self.reader.forget(text, passed);
        self.walk.forget(passed);
        text.drain(..passed);
        Ok(())
    }

    /// Takes what was reported so far: the notes on pieces, and the errors of the XML schema.
    pub(super) fn take_reported(&mut self) -> (FidelityReport, Vec<XmlSchemaError>) {
        (std::mem::take(&mut self.report), self.reader.take_errors())
    }

    fn go_on(
        &mut self,
        pass: &mut Pass<'_>,
        outlet: &mut Option<&mut dyn Outlet>,
    ) -> Result<(), Error> {
        loop {
            let step = self.walk.step(pass).map_err(|fault| self.walk.error(pass, fault))?;
            if let Step::Piece(_) = step {
                self.envelope.end_text();
            }
            match step {
                Step::Root => {
                    self.begin(pass);
                    self.open(pass);
                }
                Step::Enter(container) => self.enter(pass, container)?,
                Step::Text(text) => self.envelope.stray_text(text),
                Step::Leave(container) => self.leave(container),
                Step::Piece(Child::Event(kind)) => self.event(pass, kind, outlet)?,
                Step::Piece(Child::VocabularyElement) => self.vocabulary_element(pass, outlet)?,
                Step::Piece(child) => self.part(pass, child)?,
                Step::More => return Ok(()),
                Step::End => {
                    pass.check_end()?;
                    return self.end();
                }
            }
        }
    }

    /// Records the place of the document element.
    fn begin(&mut self, pass: &Pass<'_>) {
        let (path, offset) = match self.walk.root {
            Root::Event(_) => (self.walk.path(&pass.reader), self.walk.start),
            _ => (pass.reader.path(), pass.tag().offset),
        };
        if let Some(written) = self.walk.contradiction.take() {
            let path = format!("{path}/@schemaVersion");
            self.note(path, report::SCHEMA_VERSION, Some(written), None);
        }
        self.root = pass.reader.location(pass.text, path, offset);
    }

    /// Opens an element of the envelope.
    fn open(&mut self, pass: &Pass<'_>) {
        let tag = pass.tag();
        for attribute in tag.attributes {
            // The attributes of the document element become members and need prefixes.
            let namespace = attribute.name.namespace;
            if self.envelope.is_empty() && ![Namespace::NONE, Namespace::XSI].contains(&namespace) {
                self.context.prefix(attribute.name, &self.walk.namespaces);
            }
        }
        self.envelope.start(&tag, self.notes());
    }

    /// The number of notes so far, which becomes the offset of the next element in the envelope.
    fn notes(&self) -> usize {
        if self.report.is_full { u32::MAX as usize } else { self.report.len() }
    }

    fn enter(&mut self, pass: &Pass<'_>, container: Container) -> Result<(), Error> {
        self.check_envelope(pass, pass.tag().offset)?;
        self.open(pass);
        match container.holder {
            EnvelopeNode::Vocabulary if !container.in_extension => {
                self.vocabulary = (self.vocabulary.0 + 1, 0);
            }
            EnvelopeNode::VocabularyElementList => {
                let start = self.vocabularies.text.len();
                self.lists.push(ComparedList { range: start..start, ..ComparedList::default() });
                // Every list is written without a separator before its first element.
                self.vocabularies.text.push('[');
            }
            _ => {}
        }
        self.pieces.push(0);
        Ok(())
    }

    fn check_envelope(&self, pass: &Pass<'_>, offset: usize) -> Result<(), Error> {
        if self.envelope.len().saturating_sub(self.of_header) <= MAX_ENVELOPE {
            return Ok(());
        }
        Err(self.walk.error(pass, (XmlFault::Elements(MAX_ENVELOPE), offset)))
    }

    fn leave(&mut self, container: Container) {
        // The document element has no list of its own.
        let mut pieces = self.pieces.pop().unwrap_or(0);
        if container.holder == EnvelopeNode::EventList && container.in_extension {
            // The 1.x wrapper of an event carries no data, so its events count for the list around it.
            if let Some(around) = self.pieces.last_mut() {
                *around += std::mem::take(&mut pieces);
            }
            if self.envelope.is_bare() {
                return self.envelope.take_back();
            }
        }
        if container.holder == EnvelopeNode::VocabularyElementList
            && let Some(list) = self.lists.last_mut()
        {
            list.range = list.range.start + 1..self.vocabularies.text.len();
        }
        if pieces > 0 {
            let number = pieces.to_string();
            self.envelope.leaf(Name::unqualified(PIECES), &number);
        }
        self.envelope.close();
    }

    /// Returns a fault in the piece that was read last.
    fn fault(&self, pass: &Pass<'_>, fault: XmlFault) -> Error {
        let path = self.walk.path(&pass.reader);
        let fault = (fault, self.walk.start);
        pass.reader.error_in(pass.text, path, fault)
    }

    fn note(&mut self, path: String, code: Code, value: Option<String>, text: Option<String>) {
        self.report.push(Note::of(code, path, value, text));
    }

    /// Notes that a standard element is in an EPCIS namespace.
    fn check_name(&mut self, pass: &Pass<'_>) {
        let is_root = matches!(self.walk.root, Root::Event(_));
        if self.walk.tree.root().namespace().is_epcis() && !is_root {
            let path = self.walk.path(&pass.reader);
            self.note(path, report::QUALIFIED, None, None);
        }
    }

    /// Maps the piece that was read last with `work`, and returns its findings; `around` is the number of JSON levels around it.
    fn map(
        &mut self,
        pass: &Pass<'_>,
        (out, around): (&mut JsonWriter, usize),
        work: impl FnOnce(&mut Mapper<'_>, Element<'_>),
    ) -> Result<PieceFindings, Error> {
        if let Some(pieces) = self.pieces.last_mut() {
            *pieces += 1;
        }
        let mut findings = PieceFindings::new(self.report.room());
        let mut mapper = Mapper {
            namespaces: &self.walk.namespaces,
            context: &mut self.context,
            outer: pass.bindings(),
            out: &mut *out,
            findings: &mut findings,
        };
        work(&mut mapper, self.walk.tree.root());
        if out.is_beyond_limit() {
            return Err(self.fault(pass, XmlFault::Amplified(out.limit)));
        }
        let limit = MAX_DEPTH - around;
        if out.deepest > limit {
            return Err(self.fault(pass, XmlFault::Depth(limit)));
        }
        Ok(findings)
    }

    fn event(
        &mut self,
        pass: &Pass<'_>,
        kind: EventKind,
        outlet: &mut Option<&mut dyn Outlet>,
    ) -> Result<(), Error> {
        // A bare event may have the attributes of a document; only `schemaVersion` needs no note.
        let known: &[&str] = match self.walk.root {
            Root::Event(_) => {
                self.begin(pass);
                &["schemaVersion"]
            }
            _ => &[],
        };
        self.check_name(pass);
        let mut out = std::mem::take(&mut self.events);
        if !out.text.is_empty() {
            out.text.push(',');
        }
        let start = out.text.len();
        if outlet.is_some() {
            self.context.begin_event();
        }
        let mut findings = self.map(pass, (&mut out, ENVELOPE_DEPTH), |mapper, event| {
            mapper.event(event, kind, known);
        })?;
        self.metered += 1;
        let written = out.text.get(start..).ok_or_else(cut)?;
        let taken = pass.text.len() + out.text.len();
        self.measure((written, taken), &mut findings, PieceKind::Event);
        self.compared_events.add(written);
        self.report_findings(pass, &findings);
        if let Some(outlet) = outlet {
            let separator = usize::from(self.compared_events.range.end > 0);
            self.compared_events.range.end += separator + written.len();
            let context = self.context_of_event();
            outlet.event(self, pass, (&context, written))?;
            out.text.clear();
        }
        self.events = out;
        Ok(())
    }

    fn vocabulary_element(
        &mut self,
        pass: &Pass<'_>,
        outlet: &mut Option<&mut dyn Outlet>,
    ) -> Result<(), Error> {
        self.check_frame_text(pass)?;
        self.check_name(pass);
        let mut out = std::mem::take(&mut self.vocabularies);
        let separator = usize::from(!out.text.ends_with('['));
        let start = out.text.len() + separator;
        let mut findings = self.map(pass, (&mut out, 2 * ENVELOPE_DEPTH), |mapper, element| {
            mapper.vocabulary_element(element);
        })?;
        let written = out.text.get(start..).ok_or_else(cut)?;
        // The text is copied twice on its way into the document.
        let taken = pass.text.len() + self.events.text.len() + 3 * out.text.len();
        let kind = PieceKind::VocabularyElement;
        self.measure((written, taken), &mut findings, kind);
        if let Some(list) = self.lists.last_mut() {
            list.add(written);
        }
        self.report_findings(pass, &findings);
        if let Some(outlet) = outlet {
            outlet.vocabulary_element(self, pass, written);
        }
        self.vocabulary.1 += 1;
        self.vocabularies = out;
        Ok(())
    }

    fn measure(&mut self, written: (&str, usize), findings: &mut PieceFindings, kind: PieceKind) {
        let meanings = Meanings::of(&self.walk, &self.context);
        self.round_trip.piece(
            (&self.walk.tree, kind),
            written,
            meanings,
            findings,
            &mut self.report,
        );
    }

    /// Fails if too much text outside of events is written in other bytes than the source.
    fn check_frame_text(&mut self, pass: &Pass<'_>) -> Result<(), Error> {
        self.frame_text += self.walk.tree.escaped_length();
        if self.frame_text <= MAX_FRAME_TEXT {
            return Ok(());
        }
        Err(self.fault(pass, XmlFault::FrameTextTooLong(MAX_FRAME_TEXT)))
    }

    /// Takes an element of the envelope that is not a container: adds it to the envelope, or leaves it out with a note.
    fn part(&mut self, pass: &Pass<'_>, child: Child) -> Result<(), Error> {
        self.check_envelope(pass, self.walk.start)?;
        self.check_frame_text(pass)?;
        let element = self.walk.tree.root();
        let is_first = match child {
            Child::Header | Child::Text => self.once.insert(element.local().to_owned()),
            _ => true,
        };
        let code = match child {
            Child::Unknown if self.walk.is_in_extension() => report::LOCAL_EXTENSION_NO_HOME,
            Child::Unknown => report::UNKNOWN_ELEMENT,
            _ if !is_first => report::REPEATED_ELEMENT,
            _ => {
                if child == Child::Member {
                    self.context.prefix_all(element, &self.walk.namespaces);
                }
                let before = self.envelope.len();
                let notes = self.notes();
                self.envelope.add(&self.walk.tree, notes);
                if child == Child::Header {
                    self.of_header = self.envelope.len() - before;
                }
                return Ok(());
            }
        };
        self.check_name(pass);
        let mut findings = PieceFindings::new(self.report.room());
        findings.push_value(whole(code, None), || {
            Some(excerpt(self.walk.tree.root(), &self.walk.namespaces))
        });
        self.report_findings(pass, &findings);
        self.report.add_measured(1);
        Ok(())
    }

    /// Adds the findings on a piece to the report, in document order.
    ///
    /// Once the report is full, findings are only counted and no paths are built: paths may be long and many.
    fn report_findings(&mut self, pass: &Pass<'_>, findings: &PieceFindings) {
        if findings.len() == 0 {
            return;
        }
        let piece = self.walk.path(&pass.reader);
        for reported in findings.in_order() {
            if reported.is_whole && !self.report.is_full {
                let note = note_of(reported.finding, &self.walk.tree, piece.clone());
                self.report.push(note);
            } else {
                self.report.count(reported.finding.code, reported.is_new_loss);
            }
        }
    }

    /// Checks what is known only at the end: a query document must have results.
    fn end(&self) -> Result<(), Error> {
        if self.walk.root == Root::Query && !self.walk.has_results {
            let fault = XmlFault::UnsupportedBody(String::new());
            return Err(Error::at(ErrorKind::Xml(fault), self.root.clone()));
        }
        Ok(())
    }

    /// Returns the `@context` of the event that was just mapped. It declares only the prefixes that the event uses, because
    /// there may be many events and many namespaces.
    fn context_of_event(&mut self) -> Rc<str> {
        let declared = self.context.declared().len();
        let nothing = BTreeSet::new();
        let used = self.context.used().unwrap_or(&nothing);
        let context: Rc<str> = match &self.newest {
            Some((of, by, context)) if *of == declared && by == used => return context.clone(),
            _ => head_of(self.context.declared_for(used)).into(),
        };
        self.newest = Some((declared, used.clone(), context.clone()));
        context
    }
}

/// The error for a piece that left no text after the earlier output.
fn cut() -> Error {
    Error::impossible("what was written of a piece is not in the output")
}

/// Returns the note on a finding; `path` is the path of the first element of the tree.
fn note_of(finding: &PieceFinding, tree: &XmlTree, mut path: String) -> Note {
    let element = tree.element(finding.element);
    element.push_path(&mut path);
    finding.place.push_to(element, &mut path);
    let (value, text) = match finding.detail.as_deref() {
        Some(detail) => (detail.value.clone(), detail.text.clone()),
        None => (None, None),
    };
    Note::of(finding.code, path, value, text)
}

/// Returns the start of an object whose `@context` has these entries behind the official one.
fn head_of<'c>(declared: impl IntoIterator<Item = &'c (String, String)>) -> String {
    let mut head = String::from("{\"@context\":[");
    push_string(&mut head, EPCIS_CONTEXT);
    for (prefix, uri) in declared {
        head.push_str(",{");
        push_string(&mut head, prefix);
        head.push(':');
        push_string(&mut head, uri);
        head.push('}');
    }
    head.push(']');
    head
}
