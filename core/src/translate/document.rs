//! The translation of a document, as it is gone through: each piece is mapped and compared when it was read, the envelope at the end.
//!
//! A whole document is a stream whose text comes at once.

mod end;
#[cfg(test)]
mod tests;

use super::Translation;
use super::envelope::{Child, Container, Holder, PIECES};
use super::findings::{Finding, Findings, whole};
use super::kinds::{EventKind, Root};
use super::limits::{MAX_FRAME_LENGTH, MAX_FRAME_TEXT};
use super::measure::{Meanings, Measuring, PieceKind};
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
use crate::error::{Error, ErrorKind, Location, XmlFault};
use crate::json::{MAX_DEPTH, push_string};
use crate::validate::XmlSchemaError;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// The levels that documents put around an event.
const ENVELOPE_DEPTH: usize = 6;

/// The most elements that may stand around the pieces of a document: of each the source, the output and what comes back of it
/// are compared when the output is complete.
const MAX_ENVELOPE: usize = 1 << 17;

/// How long the translation of so many bytes may be: two and a half times as long and a megabyte more.
///
/// What documents say is written in fewer bytes than in XML; only long prefixes for short ones, default namespaces and events
/// with nothing in them make it longer.
fn longest(source: usize) -> usize {
    source / 2 * 5 + (1 << 20)
}

/// Pieces that were compared, one behind the other in the text that they were written to.
#[derive(Clone, Debug, Default)]
pub(super) struct Compared {
    count: usize,
    length: usize,
    /// Where the list begins and ends in that text.
    pub(super) range: Range<usize>,
}

impl Compared {
    fn add(&mut self, written: &str) {
        self.count += 1;
        self.length += written.len();
    }

    /// How many pieces there are between the brackets, as text; `null` where the bytes there are not those that were compared.
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

/// Where the events of a stream go.
pub(super) trait Outlet {
    /// Takes an event: its `@context`, as the start of an object, and the event as it stands in the list.
    fn event(
        &mut self,
        translator: &Translator,
        pass: &Pass<'_>,
        written: (&str, &str),
    ) -> Result<(), Error>;

    /// Looks at a vocabulary element, which stays.
    fn vocabulary_element(&mut self, translator: &Translator, pass: &Pass<'_>, written: &str);
}

/// A document that is being translated.
#[derive(Debug, Default)]
pub(super) struct Translator {
    pub(super) reader: Reader,
    pub(super) walk: Walk,
    pub(super) context: OutputContext,
    report: FidelityReport,
    measuring: Measuring,
    /// The place of the document element.
    root: Location,
    /// The envelope of the source. As offset its elements have how many notes there were before them.
    envelope: XmlTree,
    /// How many elements of it belong to the standard header, which is as large as it is.
    of_header: usize,
    /// What of it may stand only once, and was there.
    once: BTreeSet<String>,
    /// How many bytes of text beside the events JSON writes in others than the source.
    frame_text: usize,
    /// How many pieces the open lists have, outermost first.
    pieces: Vec<usize>,
    pub(super) events: JsonWriter,
    pub(super) compared_events: Compared,
    metered: usize,
    vocabularies: JsonWriter,
    /// The lists of vocabulary elements.
    pub(super) lists: Vec<Compared>,
    /// How many vocabularies there are, and how many elements the newest has.
    pub(super) vocabulary: (usize, usize),
    /// Whether events are given out as they come.
    is_stream: bool,
    /// The newest `@context` of an event, the namespaces that it is for, and how many prefixes there were.
    newest: Option<(usize, BTreeSet<Namespace>, Rc<str>)>,
}

/// Translates the text of one document, and asks the XML schemas of it where that is wanted.
pub(super) fn translate(text: Cow<'_, str>, is_judged: bool) -> Result<Translation<'_>, Error> {
    let mut translator = Translator::default();
    if is_judged {
        translator.reader.judge();
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
    /// For a document whose events are given out as they come.
    pub(super) fn of_stream() -> Self {
        let mut translator = Self::default();
        translator.reader.judge();
        translator.is_stream = true;
        translator.vocabularies.limit = 2 * MAX_FRAME_LENGTH;
        translator
    }

    /// Bounds what is written.
    fn limit(&mut self, limit: usize) {
        self.events.limit = limit;
        self.vocabularies.limit = limit;
    }

    /// About how many bytes it holds of a stream until the end.
    pub(super) fn size(&self) -> usize {
        self.vocabularies.text.len()
            + self.envelope.weight()
            + 64 * self.lists.len()
            + self.walk.namespaces.len() * 256
            + self.reader.size()
    }

    /// Where the text starts, in the innermost open container.
    pub(super) fn here(&self, text: &str) -> Location {
        self.reader.location(text, self.reader.path(), 0)
    }

    /// Goes on, over a text that begins where the one before was let go.
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

    /// Takes what a text has come to, and lets go of it as far as it was read.
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

    /// Takes what was told so far: the notes on pieces, and the errors of the judge.
    pub(super) fn take_told(&mut self) -> (FidelityReport, Vec<XmlSchemaError>) {
        (std::mem::take(&mut self.report), self.reader.take_errors())
    }

    fn go_on(
        &mut self,
        pass: &mut Pass<'_>,
        outlet: &mut Option<&mut dyn Outlet>,
    ) -> Result<(), Error> {
        loop {
            let step = self.walk.step(pass);
            let step = step.map_err(|fault| self.walk.error(pass, fault))?;
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

    /// Takes note of the document element.
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

    /// Begins an element of the envelope.
    fn open(&mut self, pass: &Pass<'_>) {
        let tag = pass.tag();
        for attribute in tag.attributes {
            // Those of the document element become members.
            let namespace = attribute.name.namespace;
            if self.envelope.is_empty() && ![Namespace::NONE, Namespace::XSI].contains(&namespace) {
                self.context.prefix(attribute.name, &self.walk.namespaces);
            }
        }
        self.envelope.start(&tag, self.notes());
    }

    /// How many notes there are, as the offset of what comes next in the envelope.
    fn notes(&self) -> usize {
        if self.report.is_full {
            u32::MAX as usize
        } else {
            self.report.len()
        }
    }

    fn enter(&mut self, pass: &Pass<'_>, container: Container) -> Result<(), Error> {
        self.check_envelope(pass, pass.tag().offset)?;
        self.open(pass);
        match container.holder {
            Holder::Vocabulary if !container.in_extension => {
                self.vocabulary = (self.vocabulary.0 + 1, 0);
            }
            Holder::VocabularyElementList => {
                let start = self.vocabularies.text.len();
                self.lists.push(Compared {
                    range: start..start,
                    ..Compared::default()
                });
                // Each list is written as if it were the first.
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
        let limit = MAX_ENVELOPE;
        Err(self
            .walk
            .error(pass, (XmlFault::Elements { limit }, offset)))
    }

    fn leave(&mut self, container: Container) {
        let mut pieces = self.pieces.pop().unwrap_or_default();
        if container.holder == Holder::EventList && container.in_extension {
            // The wrapper of an event of 1.x says nothing by itself.
            if let Some(around) = self.pieces.last_mut() {
                *around += std::mem::take(&mut pieces);
            }
            if self.envelope.is_bare() {
                return self.envelope.take_back();
            }
        }
        if container.holder == Holder::VocabularyElementList
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

    /// A fault in the piece that was read last.
    fn fault(&self, pass: &Pass<'_>, fault: XmlFault) -> Error {
        let path = self.walk.path(&pass.reader);
        let fault = (fault, self.walk.start);
        pass.reader.error_in(pass.text, path, fault)
    }

    fn note(&mut self, path: String, code: Code, value: Option<String>, text: Option<String>) {
        self.report.push(Note::of(code, path, value, text));
    }

    /// Says of a standard element that stands in a namespace that it does.
    fn check_name(&mut self, pass: &Pass<'_>) {
        let is_root = matches!(self.walk.root, Root::Event(_));
        if self.walk.tree.root().namespace().is_epcis() && !is_root {
            let path = self.walk.path(&pass.reader);
            self.note(path, report::QUALIFIED, None, None);
        }
    }

    /// Maps the piece that was read last with this, for so many levels around it; what it finds comes back.
    fn map(
        &mut self,
        pass: &Pass<'_>,
        (out, around): (&mut JsonWriter, usize),
        work: impl FnOnce(&mut Mapper<'_>, Element<'_>),
    ) -> Result<Findings, Error> {
        if let Some(pieces) = self.pieces.last_mut() {
            *pieces += 1;
        }
        let mut findings = Findings::new(self.report.room());
        let mut mapper = Mapper {
            namespaces: &self.walk.namespaces,
            context: &mut self.context,
            outer: pass.bindings(),
            out: &mut *out,
            findings: &mut findings,
        };
        work(&mut mapper, self.walk.tree.root());
        if out.is_beyond_limit() {
            let limit = out.limit;
            return Err(self.fault(pass, XmlFault::Amplified { limit }));
        }
        let limit = MAX_DEPTH - around;
        if out.deepest > limit {
            return Err(self.fault(pass, XmlFault::Depth { limit }));
        }
        Ok(findings)
    }

    fn event(
        &mut self,
        pass: &Pass<'_>,
        kind: EventKind,
        outlet: &mut Option<&mut dyn Outlet>,
    ) -> Result<(), Error> {
        // Of a document's attributes only the version has a home in an event.
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
        self.tell(pass, &findings);
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
        // It is copied twice on its way into the document.
        let taken = pass.text.len() + self.events.text.len() + 3 * out.text.len();
        let kind = PieceKind::VocabularyElement;
        self.measure((written, taken), &mut findings, kind);
        if let Some(list) = self.lists.last_mut() {
            list.add(written);
        }
        self.tell(pass, &findings);
        if let Some(outlet) = outlet {
            outlet.vocabulary_element(self, pass, written);
        }
        self.vocabulary.1 += 1;
        self.vocabularies = out;
        Ok(())
    }

    fn measure(&mut self, written: (&str, usize), findings: &mut Findings, kind: PieceKind) {
        let meanings = Meanings::of(&self.walk, &self.context);
        self.measuring.piece(
            (&self.walk.tree, kind),
            written,
            meanings,
            findings,
            &mut self.report,
        );
    }

    /// Fails when too much of what stands outside of the events is written in other bytes.
    fn check_frame_text(&mut self, pass: &Pass<'_>) -> Result<(), Error> {
        self.frame_text += self.walk.tree.in_other_bytes();
        if self.frame_text <= MAX_FRAME_TEXT {
            return Ok(());
        }
        let limit = MAX_FRAME_TEXT;
        Err(self.fault(pass, XmlFault::FrameTextTooLong { limit }))
    }

    /// Takes an element of the envelope that is no container: it is held, or else left out, and that is said.
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
        let mut findings = Findings::new(self.report.room());
        findings.push_value(whole(code, None), || {
            Some(excerpt(self.walk.tree.root(), &self.walk.namespaces))
        });
        self.tell(pass, &findings);
        self.report.add_measured(1);
        Ok(())
    }

    /// Puts what was found in a piece into the report, in document order.
    ///
    /// Once the report is full it is only counted: no path is made, for paths may be long and many.
    fn tell(&mut self, pass: &Pass<'_>, findings: &Findings) {
        if findings.len() == 0 {
            return;
        }
        let piece = self.walk.path(&pass.reader);
        for told in findings.in_order() {
            if told.is_whole && !self.report.is_full {
                let note = note_of(told.finding, &self.walk.tree, piece.clone());
                self.report.push(note);
            } else {
                self.report.count(told.finding.code, told.is_new_loss);
            }
        }
    }

    /// What is known when the document was read to its end.
    fn end(&self) -> Result<(), Error> {
        if self.walk.root == Root::Query && !self.walk.has_results {
            let found = String::new();
            let fault = XmlFault::UnsupportedBody { found };
            return Err(Error::at(ErrorKind::Xml(fault), self.root.clone()));
        }
        Ok(())
    }

    /// The `@context` that the event that was just mapped needs: what it used, and no more, for there may be many events
    /// and many namespaces.
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

/// A piece was written behind what was there before.
fn cut() -> Error {
    Error::impossible("what was written of a piece is not in the output")
}

/// What there is to say of a finding in a tree, whose first element has this path.
fn note_of(finding: &Finding, tree: &XmlTree, mut path: String) -> Note {
    let element = tree.element(finding.element);
    element.push_path(&mut path);
    finding.place.push_to(element, &mut path);
    let (value, text) = match finding.detail.as_deref() {
        Some(detail) => (detail.value.clone(), detail.text.clone()),
        None => (None, None),
    };
    Note::of(finding.code, path, value, text)
}

/// The start of an object with this context behind the official one.
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
