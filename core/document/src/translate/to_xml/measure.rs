//! Measures whether the written XML has the content of its JSON: it is translated back like any other XML and compared.
//!
//! Events are read back while they are written, one after the other, within the start tags around them: memory holds one
//! event. A place that a rule declared lossy is not reported again.
//!
//! What is compared?
//! The JSON translated back is compared with the source, value by value, and the report of that translation gives its losses.
//! The event hash of the XML must be that of the source, under every profile.
//! The XML must be valid by its schema if the JSON schema accepts the source.

use super::XmlPrinter;
use super::difference::{Comparison, Notes, ReportedPlaces};
use crate::hash::tree::{HashTree, Ignored};
use crate::hash::{Engine, Hasher, Hashing, Profile, UndeclaredPrefixRule};
use crate::translate::Translation;
use crate::translate::document::{Outlet, Translator};
use crate::translate::envelope::SBDH_MEMBER;
use crate::translate::hash::fill_with;
use crate::translate::json_to_xml::{NOT_READ_BACK, Table, XSD_REFUSES, XmlBuilder, XmlPrefixes};
use crate::translate::kinds::{Family, Root};
use crate::translate::reader::Pass;
use crate::translate::report::{Became, EVENT_HASH_CHANGED, MEASURED_DIFFERENCE, Note};
use crate::translate::tree::Element;
use crate::translate::{document, encoding};
use crate::validate::{MAX_ERRORS, Validator, XmlSchemaError, accepts_event};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, Value};
use epcis_edge_text::slice::{Known, OrEmpty, Part};
use std::ops::Range;

/// The most faults of an event that are located inside it; the others are located at the event.
const MAX_PLACED: usize = 64;

/// Returns start tags around a bare event, as if it were the only event of a document.
pub(super) fn opening_of_bare(family: Family) -> String {
    let (namespace, version) = match family {
        Family::One => ("urn:epcglobal:epcis:xsd:1", "1.2"),
        Family::Two => ("urn:epcglobal:epcis:xsd:2", "2.0"),
    };
    format!(
        "<epcis:EPCISDocument xmlns:epcis=\"{namespace}\" schemaVersion=\"{version}\" \
         creationDate=\"2000-01-01T00:00:00Z\"><EPCISBody><EventList>"
    )
}

/// Reads the written events of a document back.
#[derive(Debug)]
pub(super) struct BackReader {
    /// The start tags around the events.
    opening: String,
    /// The translator of the events; `None` before the first event, and after one that could not be read.
    translator: Option<Box<Translator>>,
    /// The written text that was not read to its end.
    text: String,
    engines: [Engine; 3],
    tree: HashTree<'static>,
    /// The newest `@context`, and the meanings of its prefixes.
    context: String,
    prefixes: XmlPrefixes,
}

impl BackReader {
    /// Returns a reader of events within these start tags.
    pub(super) fn within(opening: String) -> Self {
        Self {
            opening,
            translator: None,
            text: String::new(),
            engines: Profile::ALL.map(|profile| Engine::new(profile, 0)),
            tree: HashTree::default(),
            context: String::new(),
            prefixes: XmlPrefixes::default(),
        }
    }

    /// Reads an event back.
    fn read(&mut self, xml: &str) -> Result<Returned, Error> {
        let mut returned = None;
        let mut translator = match self.translator.take() {
            Some(translator) => translator,
            None => {
                let mut translator = Box::new(Translator::of_stream());
                self.text.clone_from(&self.opening);
                translator.read_on(&mut self.text, false, &mut returned)?;
                // Notes on these tags belong to the envelope, which is measured separately.
                translator.take_reported();
                translator
            }
        };
        self.text.push_str(xml);
        translator.read_on(&mut self.text, false, &mut returned)?;
        let mut returned =
            returned.ok_or_else(|| Error::impossible("an event did not come back"))?;
        let (report, errors) = translator.take_reported();
        returned.faults = faults_of(report.notes(), &errors).collect();
        for fault in &mut returned.faults {
            // A fault in a wrapper counts as a fault in the event.
            let inside = fault.path.strip_prefix(&*returned.path);
            fault.path = inside.known().to_owned();
        }
        fill_with(&mut self.tree, &translator.walk, &Ignored::default());
        self.translator = Some(translator);
        if self.context != returned.context {
            self.prefixes = prefixes_of_context(&returned.context);
            self.context.clone_from(&returned.context);
        }
        Ok(returned)
    }
}

/// Returns the prefixes of a context; `context` is the start of an object with it.
fn prefixes_of_context(context: &str) -> XmlPrefixes {
    let document = format!("{context}}}");
    let document = Document::read_text(&document).ok();
    document.map(|document| XmlPrefixes::of(document.root())).or_empty()
}

/// An event that was read back.
#[derive(Debug, Default)]
struct Returned {
    /// Its path in the XML that was read.
    path: String,
    context: String,
    event: String,
    faults: Vec<Fault>,
}

impl Outlet for Option<Returned> {
    fn event(
        &mut self,
        translator: &Translator,
        pass: &Pass<'_>,
        (context, event): (&str, &str),
    ) -> Result<(), Error> {
        *self = Some(Returned {
            path: translator.walk.path(&pass.reader),
            context: context.to_owned(),
            event: event.to_owned(),
            faults: Vec::new(),
        });
        Ok(())
    }

    fn vocabulary_element(&mut self, _: &Translator, _: &Pass<'_>, _: &str) {}
}

/// Returns a hasher for each profile; names with undeclared prefixes are kept.
pub(super) fn hashers<'d>(document: &'d Document<'d>) -> [Hasher<'d>; 3] {
    Profile::ALL.map(|profile| {
        let declared = UndeclaredPrefixRule::Keep.into();
        Hasher::new(document, Hashing { profile, declared })
    })
}

/// A measured fault: its path in the XML, and the note about it.
#[derive(Debug)]
struct Fault {
    path: String,
    note: Note,
}

impl<'d> XmlPrinter<'d> {
    /// Reads a written event back, and adds the faults found.
    pub(super) fn measure(
        &mut self,
        event: Value<'d>,
        pointer: &str,
        written: Range<usize>,
        notes: &mut Notes,
    ) {
        if let Err(error) = self.read_back(event, pointer, written, notes) {
            notes.add(not_read_back(pointer, &error));
        }
    }

    fn read_back(
        &mut self,
        event: Value<'d>,
        pointer: &str,
        written: Range<usize>,
        notes: &mut Notes,
    ) -> Result<(), Error> {
        let xml = self.state.out.text.get(written);
        let (Some(mut reader), Some(xml)) = (self.state.back_reader.take(), xml) else {
            return Err(Error::impossible("nothing reads back what was written"));
        };
        let returned = reader.read(xml);
        let compared = returned
            .and_then(|returned| self.compare(event, pointer, (&mut reader, returned), notes));
        self.state.back_reader = Some(reader);
        compared
    }

    fn compare(
        &mut self,
        event: Value<'d>,
        pointer: &str,
        (reader, returned): (&mut BackReader, Returned),
        notes: &mut Notes,
    ) -> Result<(), Error> {
        self.note_faults(event, pointer, returned.faults, notes);
        if notes.is_full() {
            return Ok(());
        }
        let document = Document::read_text(&returned.event)?;
        let mut comparison = Comparison {
            ours: &self.prefixes_of(event),
            theirs: &reader.prefixes,
            is_left_out: |_, name| name == "@context",
            found: Vec::new(),
        };
        comparison.compare(event, document.root(), &mut String::new());
        for place in comparison.found {
            let pointer = format!("{pointer}{place}");
            notes.add(Note::of(MEASURED_DIFFERENCE, pointer, None, None));
        }
        if notes.is_lossy() {
            return Ok(());
        }
        for (ours, theirs) in self.hashers.iter_mut().zip(&mut reader.engines) {
            if ours.hash(event)? != theirs.hash(&reader.tree)? {
                notes.push(EVENT_HASH_CHANGED, pointer.to_owned());
                break;
            }
        }
        Ok(())
    }

    /// Adds the faults measured inside an event, each at the JSON that its XML was written from.
    fn note_faults(
        &mut self,
        event: Value<'d>,
        pointer: &str,
        faults: Vec<Fault>,
        notes: &mut Notes,
    ) {
        let is_valid = accepts_event(event);
        let faults = faults.into_iter();
        let faults: Vec<_> =
            faults.filter(|fault| is_valid || fault.note.code != XSD_REFUSES.word).collect();
        if faults.is_empty() {
            return;
        }
        let table = self.table(event, self.prefixes_of(event));
        let paths = faults.iter().map(|fault| fault.path.as_str());
        let (nodes, built) = self.traced(&table, paths, |builder| {
            builder.event(event);
        });
        for (Fault { mut note, .. }, node) in faults.into_iter().zip(nodes) {
            note.path = format!("{pointer}{}", origin(&built.found, node).or_empty());
            notes.add(note);
        }
    }

    /// Builds XML once more, and returns the elements at these paths of it, with what tells the JSON that they were written from. Of
    /// too many paths, the others lead to the root.
    fn traced<'b, 'p>(
        &self,
        table: &'b Table,
        paths: impl Iterator<Item = &'p str>,
        build: impl Fn(&mut XmlBuilder<'b, 'b>),
    ) -> (Vec<usize>, XmlBuilder<'b, 'b>) {
        let mut builder = self.builder(table);
        build(&mut builder);
        let root = builder.tree.root();
        let placed = paths.enumerate().map(|(number, path)| match number {
            ..MAX_PLACED => deepest(root, path),
            _ => root.index(),
        });
        let nodes: Vec<usize> = placed.collect();
        let mut builder = self.builder(table);
        builder.want(nodes.iter().copied());
        build(&mut builder);
        (nodes, builder)
    }

    /// Reads the envelope back without its events, which are in these ranges of the text, and reports the faults found.
    pub(super) fn measure_envelope(
        &mut self,
        root: Value<'d>,
        kind: Root,
        events: &[Range<usize>],
    ) {
        if let Err(error) = self.read_envelope_back(root, kind, events) {
            self.state.report.push(not_read_back("", &error));
        }
    }

    fn read_envelope_back(
        &mut self,
        root: Value<'d>,
        kind: Root,
        events: &[Range<usize>],
    ) -> Result<(), Error> {
        let mut xml = String::new();
        let mut from = 0;
        for range in events {
            xml.push_str(self.state.out.text.part(from..range.start));
            from = range.end;
        }
        xml.push_str(self.state.out.text.part(from..));
        let back = document::translate(encoding::checked(&xml)?, document::Wanted::Verdict)?;
        let errors = back.source_verdict.as_ref().map(|verdict| verdict.errors.as_slice());
        let notes = back.fidelity_report.notes();
        let mut faults: Vec<Fault> = faults_of(notes, errors.unwrap_or(&[])).collect();
        if faults.iter().any(|fault| fault.note.code == XSD_REFUSES.word)
            && !self.is_envelope_valid()
        {
            faults.retain(|fault| fault.note.code != XSD_REFUSES.word);
        }
        self.place_in_envelope(root, kind, faults);
        self.compare_envelopes(root, &back)
    }

    /// Compares the envelope that was read back with the one that was sent.
    fn compare_envelopes(&mut self, root: Value<'d>, back: &Translation<'_>) -> Result<(), Error> {
        let document = Document::read_text(&back.document)?;
        let prefixes = XmlPrefixes::of(document.root());
        let mut comparison = Comparison {
            ours: &self.state.prefixes,
            theirs: &prefixes,
            // The version is that of the output, events are compared separately, and the kept header repeats values.
            is_left_out: |pointer, name| match name {
                "@context" => true,
                "schemaVersion" | SBDH_MEMBER => pointer.is_empty(),
                "eventList" => {
                    ["/epcisBody", "/epcisBody/queryResults/resultsBody"].contains(&pointer)
                }
                _ => false,
            },
            found: Vec::new(),
        };
        comparison.compare(root, document.root(), &mut String::new());
        let mut reported = ReportedPlaces::of(self.state.report.notes());
        for pointer in comparison.found {
            self.note_measured(&mut reported, Note::of(MEASURED_DIFFERENCE, pointer, None, None));
        }
        Ok(())
    }

    fn note_measured(&mut self, reported: &mut ReportedPlaces, note: Note) {
        if !reported.explains(&note) {
            reported.add(&note);
            self.state.report.push(note);
        }
    }

    /// Reports the faults of the envelope, each at the JSON that its XML was written from.
    fn place_in_envelope(&mut self, root: Value<'d>, kind: Root, faults: Vec<Fault>) {
        if faults.is_empty() {
            return;
        }
        let table = self.table_of_envelope(root, kind);
        // The first step of a path is the document element.
        let paths = faults.iter().map(|fault| {
            let inner = fault.path.strip_prefix('/').and_then(|path| path.split_once('/'));
            inner.map_or("", |(_, inner)| inner)
        });
        let (nodes, built) = self.traced(&table, paths, |builder| builder.envelope(root, kind));
        let mut reported = ReportedPlaces::of(self.state.report.notes());
        for (Fault { mut note, path }, node) in faults.into_iter().zip(nodes) {
            let slot = built.slots.iter().find(|slot| slot.node == node);
            note.path = match slot {
                // The slot has vocabulary elements, and the path of the XML gives the number of the element.
                Some(slot) => match number_of_vocabulary_element(&path) {
                    Some(number) => format!("{}/{number}", slot.pointer),
                    None => slot.pointer.clone(),
                },
                None => origin(&built.found, node).or_empty(),
            };
            self.note_measured(&mut reported, note);
        }
    }

    /// Whether the JSON schema accepts the document, whatever it reports about the events.
    fn is_envelope_valid(&self) -> bool {
        // The default validator cannot fail, and costs nothing to make.
        let verdict = Validator::default().validate(self.document);
        verdict.errors.len() < MAX_ERRORS
            && verdict.errors.iter().all(|error| error.path.contains("/eventList/"))
    }
}

/// The JSON Pointer to the origin of an element, if it was found.
fn origin(found: &[(usize, String)], node: usize) -> Option<String> {
    let (_, pointer) = found.iter().find(|(number, _)| *number == node)?;
    Some(pointer.clone())
}

/// Returns the note on what could not be read back.
fn not_read_back(pointer: &str, error: &Error) -> Note {
    Note::of(NOT_READ_BACK, pointer.to_owned(), None, Some(error.to_string()))
}

/// Returns the losses of the XML on the way back to JSON, and the errors by the XML schema, with their paths in the XML.
///
/// A value that the way back keeps in another form is no fault: that form is the JSON that the XML was written from.
fn faults_of(notes: &[Note], errors: &[XmlSchemaError]) -> impl Iterator<Item = Fault> {
    let lossy = notes
        .iter()
        .filter(|note| note.became == Some(Became::Lost))
        .map(|note| Fault { path: note.path.clone(), note: note.clone() });
    let refused = errors.iter().map(|error| {
        let text = format!("{}: {}", XSD_REFUSES.text, error.message);
        Fault {
            path: error.path.clone(),
            note: Note::of(XSD_REFUSES, String::new(), None, Some(text)),
        }
    });
    lossy.chain(refused)
}

/// Returns the innermost existing element on a path below this one, such as `/readPoint[1]/ex:a[2]/@b`.
fn deepest(root: Element<'_>, path: &str) -> usize {
    let mut element = root;
    for step in path.split('/').filter(|step| !step.is_empty()) {
        let name = step.strip_suffix(']').and_then(|step| step.rsplit_once('['));
        let Some((name, number)) = name else { break };
        let Ok(number) = number.parse::<usize>() else {
            break;
        };
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let mut same = element.children().filter(|child| {
            let name = child.name();
            name.local == local && name.prefix == prefix
        });
        let Some(child) = number.checked_sub(1).and_then(|before| same.nth(before)) else {
            break;
        };
        element = child;
    }
    element.index()
}

/// Returns the number of the vocabulary element that a path leads into, counted from 0.
fn number_of_vocabulary_element(path: &str) -> Option<usize> {
    let (_, rest) = path.split_once("/VocabularyElement[")?;
    let (number, _) = rest.split_once(']')?;
    number.parse::<usize>().ok()?.checked_sub(1)
}
