//! Whether what was written says what its JSON says: it is read as anybody's XML is, and what comes back is compared.
//!
//! Events are read back a portion at a time, within the start tags that stand around them: the memory is a portion's.
//! What a rule has foretold of a place is not told of it again.
//!
//! What is compared?
//! The report of the translation back holds the XML against the JSON that comes of it, value by value.
//! The event hashes hold that JSON against the source, under every profile.
//! The XML schema is asked where the JSON schema accepts the source: a valid event is to become a valid one.

use super::Printer;
use super::difference::{Comparison, Notes, Told};
use crate::error::Error;
use crate::hash::{Hasher, Hashing, Profile, Undeclared, events};
use crate::json::{Document, Value};
use crate::translate::Translation;
use crate::translate::envelope::SBDH_MEMBER;
use crate::translate::json_to_xml::{NOT_READ_BACK, XSD_REFUSES, XmlPrefixes};
use crate::translate::kinds::{Family, Root};
use crate::translate::namespace::Name;
use crate::translate::reader::MAX_TOLD;
use crate::translate::report::{Became, EVENT_HASH_CHANGED, MEASURED_DIFFERENCE, Note};
use crate::translate::tree::Element;
use crate::translate::{document, encoding};
use crate::validate::{MAX_ERRORS, Validator, accepts_event};
use std::collections::BTreeMap;
use std::ops::Range;

/// How much XML is read back at once, in bytes; more where the start tags around the events are long, which each portion has.
const PORTION: usize = 256 << 10;

/// What an event counts for at least.
const LEAST: usize = 512;

/// Of how many faults of an event the places inside of it are worked out; the others are laid to the event.
const MAX_PLACED: usize = 64;

/// An event that was written.
#[derive(Debug)]
pub(super) struct Written<'d> {
    pub(super) event: Value<'d>,
    /// Its JSON Pointer.
    pub(super) pointer: String,
    /// Where it stands in the text, wrappers included.
    pub(super) range: Range<usize>,
    /// The names of its element and of the wrappers around, outermost first; none where its type has no element.
    pub(super) path: Vec<&'static str>,
    pub(super) notes: Notes,
}

/// What stands around the events of a document.
#[derive(Debug, Default)]
pub(super) struct Around {
    pub(super) opening: String,
    pub(super) closing: String,
    /// The path of the element that holds the events.
    pub(super) path: String,
}

impl Around {
    /// The elements that are open, outermost first, with the places of their start tags in the text.
    pub(super) fn of(text: &str, open: &[(Name<'_>, Range<usize>)]) -> Self {
        let mut around = Self::default();
        for (depth, (name, range)) in open.iter().enumerate() {
            around
                .opening
                .push_str(text.get(range.clone()).unwrap_or_default());
            if depth == 0 {
                around.path.push('/');
                name.push_to(&mut around.path);
            } else {
                name.push_step(1, &mut around.path);
            }
        }
        for (name, _) in open.iter().rev() {
            around.closing.push_str("</");
            name.push_to(&mut around.closing);
            around.closing.push('>');
        }
        around
    }

    /// What stands around an event that is the whole document, as if it were one's only event.
    pub(super) fn of_bare(family: Family) -> Self {
        let (namespace, version) = match family {
            Family::One => ("urn:epcglobal:epcis:xsd:1", "1.2"),
            Family::Two => ("urn:epcglobal:epcis:xsd:2", "2.0"),
        };
        Self {
            opening: format!(
                "<epcis:EPCISDocument xmlns:epcis=\"{namespace}\" schemaVersion=\"{version}\" \
                 creationDate=\"2000-01-01T00:00:00Z\"><EPCISBody><EventList>"
            ),
            closing: "</EventList></EPCISBody></epcis:EPCISDocument>".to_owned(),
            path: "/epcis:EPCISDocument/EPCISBody[1]/EventList[1]".to_owned(),
        }
    }
}

/// Events that wait to be read back.
#[derive(Debug)]
pub(super) struct Portion<'d> {
    events: Vec<Written<'d>>,
    length: usize,
    hashers: [Hasher<'d>; 3],
}

impl<'d> Portion<'d> {
    pub(super) fn new(document: &'d Document<'d>) -> Self {
        Self {
            events: Vec::new(),
            length: 0,
            hashers: hashers(document),
        }
    }

    /// Adds an event; whether it is time to read all of them back.
    pub(super) fn add(&mut self, written: Written<'d>, around: &Around) -> bool {
        // One that has no XML takes memory, too.
        self.length += written.range.len().max(LEAST);
        self.events.push(written);
        self.length >= PORTION.max(4 * around.opening.len())
    }
}

/// A hasher for each profile; names whose prefix nobody declares stay as they are.
fn hashers<'d>(document: &'d Document<'d>) -> [Hasher<'d>; 3] {
    Profile::ALL.map(|profile| {
        let declared = Undeclared::Keep.into();
        Hasher::new(document, Hashing { profile, declared })
    })
}

/// Something that was measured: the path into the XML, and what is said of it.
struct Fault {
    path: String,
    note: Note,
}

impl<'d> Printer<'d> {
    /// Reads the events back that wait, and tells what was found of each.
    pub(super) fn measure(&mut self) {
        let mut events = std::mem::take(&mut self.portion.events);
        self.portion.length = 0;
        self.measure_events(&mut events);
        for event in events {
            event.notes.tell(&mut self.kept.report);
        }
    }

    /// The same for some of them; where there is too much to say of all, for one half after the other.
    fn measure_events(&mut self, events: &mut [Written<'d>]) {
        let written = events.iter().filter(|event| !event.path.is_empty()).count();
        if written == 0 {
            return;
        }
        let mut xml = self.kept.around.opening.clone();
        for event in &*events {
            xml.push_str(
                self.kept
                    .out
                    .text
                    .get(event.range.clone())
                    .unwrap_or_default(),
            );
        }
        xml.push_str(&self.kept.around.closing);
        let back = read_back(&xml);
        let is_complete = back.as_ref().is_ok_and(|back| {
            back.metered_events == written && !back.fidelity_report.is_full && !is_cut(back)
        });
        if !is_complete && events.len() > 1 {
            let (one, other) = events.split_at_mut(events.len() / 2);
            self.measure_events(one);
            self.measure_events(other);
            return;
        }
        match back {
            Ok(back) => self.compare(&back, events),
            Err(error) => not_read_back(events, &error),
        }
    }

    fn compare(&mut self, back: &Translation<'_>, events: &mut [Written<'d>]) {
        // The paths of the elements, each with its number in the portion.
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (number, event) in events.iter().enumerate() {
            let Some((outermost, inner)) = event.path.split_first() else {
                continue;
            };
            let count = counts.entry(outermost).or_default();
            *count += 1;
            let mut path = format!("{}/{outermost}[{count}]", self.kept.around.path);
            for name in inner {
                path.push_str(&format!("/{name}[1]"));
            }
            numbers.insert(path, number);
        }
        let mut faults: BTreeMap<usize, Vec<Fault>> = BTreeMap::new();
        for fault in faults_of(back) {
            if let Some((number, path)) = inside(&fault.path, &numbers) {
                let fault = Fault { path, ..fault };
                faults.entry(number).or_default().push(fault);
            }
        }
        for (number, faults) in faults {
            if let Some(event) = events.get_mut(number) {
                self.tell_faults(event, faults);
            }
        }
        let outcome = Document::read_text(&back.document).and_then(|document| {
            let mut theirs = hashers(&document);
            let returned: Vec<_> = self::events(&document)?.collect::<Result<_, _>>()?;
            let written = events.iter_mut().filter(|event| !event.path.is_empty());
            let mut prefixes = XmlPrefixes::default();
            if let Some(context) = document.root().get("@context") {
                prefixes.read(context);
            }
            for (event, returned) in written.zip(returned) {
                if event.notes.is_full() {
                    continue;
                }
                let mut comparison = Comparison {
                    ours: &self.prefixes_of(event.event),
                    theirs: &prefixes,
                    is_left_out: |_, name| name == "@context",
                    found: Vec::new(),
                };
                comparison.compare(event.event, returned, &mut String::new());
                for place in comparison.found {
                    let pointer = format!("{}{place}", event.pointer);
                    event
                        .notes
                        .add(Note::of(MEASURED_DIFFERENCE, pointer, None, None));
                }
                if event.notes.is_lossy() {
                    continue;
                }
                for (ours, theirs) in self.portion.hashers.iter_mut().zip(&mut theirs) {
                    if ours.hash(event.event)? != theirs.hash(returned)? {
                        event.notes.push(EVENT_HASH_CHANGED, event.pointer.clone());
                        break;
                    }
                }
            }
            Ok(())
        });
        if let Err(error) = outcome {
            not_read_back(events, &error);
        }
    }

    /// Adds what was measured inside of an event, each at the JSON that it was written from.
    fn tell_faults(&mut self, event: &mut Written<'d>, faults: Vec<Fault>) {
        let is_valid = accepts_event(event.event);
        let faults = faults.into_iter();
        let faults: Vec<_> = faults
            .filter(|fault| is_valid || fault.note.code != XSD_REFUSES.word)
            .collect();
        if faults.is_empty() {
            return;
        }
        let paths = faults.iter().map(|fault| fault.path.as_str());
        let places = self.places_in_event(event.event, paths);
        for (Fault { mut note, .. }, place) in faults.into_iter().zip(places) {
            note.path = format!("{}{place}", event.pointer);
            event.notes.add(note);
        }
    }

    /// The JSON Pointers, from an event on, that elements of its XML were written from.
    fn places_in_event<'p>(
        &mut self,
        event: Value<'d>,
        paths: impl Iterator<Item = &'p str>,
    ) -> Vec<String> {
        let table = self.table(event, self.prefixes_of(event));
        let mut back = self.back(&table);
        back.event(event);
        let nodes: Vec<_> = paths
            .enumerate()
            .map(|(number, path)| (number < MAX_PLACED).then(|| deepest(back.tree.root(), path)))
            .collect();
        let mut back = self.back(&table);
        back.wanted = nodes.iter().flatten().copied().collect();
        back.event(event);
        let found = back.found;
        let place = |node: Option<usize>| found.get(&node?).cloned();
        nodes
            .into_iter()
            .map(|node| place(node).unwrap_or_default())
            .collect()
    }

    /// Reads the envelope back without its events, which stand in these places of the text, and tells what was found.
    pub(super) fn measure_envelope(
        &mut self,
        root: Value<'d>,
        kind: Root,
        events: &[Range<usize>],
    ) {
        let mut xml = String::new();
        let mut from = 0;
        for range in events {
            xml.push_str(
                self.kept
                    .out
                    .text
                    .get(from..range.start)
                    .unwrap_or_default(),
            );
            from = range.end;
        }
        xml.push_str(self.kept.out.text.get(from..).unwrap_or_default());
        let back = match read_back(&xml) {
            Ok(back) => back,
            Err(error) => {
                let text = Some(error.to_string());
                let note = Note::of(NOT_READ_BACK, String::new(), None, text);
                return self.kept.report.push(note);
            }
        };
        let mut faults = faults_of(&back);
        if faults
            .iter()
            .any(|fault| fault.note.code == XSD_REFUSES.word)
            && !self.is_envelope_valid()
        {
            faults.retain(|fault| fault.note.code != XSD_REFUSES.word);
        }
        self.place_in_envelope(root, kind, faults);
        self.compare_envelopes(root, &back);
    }

    /// Holds the envelope that came back against the one that was sent.
    fn compare_envelopes(&mut self, root: Value<'d>, back: &Translation<'_>) {
        let document = match Document::read_text(&back.document) {
            Ok(document) => document,
            Err(error) => {
                let text = Some(error.to_string());
                return self
                    .kept
                    .report
                    .push(Note::of(NOT_READ_BACK, String::new(), None, text));
            }
        };
        let mut prefixes = XmlPrefixes::default();
        if let Some(context) = document.root().get("@context") {
            prefixes.read(context);
        }
        let mut comparison = Comparison {
            ours: &self.kept.prefixes,
            theirs: &prefixes,
            // The version is the one of the output, the events are compared apart, and the header is kept beside its values.
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
        let mut told = Told::of(self.kept.report.notes());
        for pointer in comparison.found {
            self.tell_measured(
                &mut told,
                Note::of(MEASURED_DIFFERENCE, pointer, None, None),
            );
        }
    }

    fn tell_measured(&mut self, told: &mut Told, note: Note) {
        if !told.explains(&note) {
            told.add(&note);
            self.kept.report.push(note);
        }
    }

    /// Tells the faults of the envelope, each at the JSON that it was written from.
    fn place_in_envelope(&mut self, root: Value<'d>, kind: Root, faults: Vec<Fault>) {
        if faults.is_empty() {
            return;
        }
        let table = self.table_of_envelope(root, kind);
        let mut back = self.back(&table);
        back.envelope(root, kind);
        let root_of_xml = back.tree.root();
        let nodes: Vec<usize> = faults
            .iter()
            .enumerate()
            .map(|(number, fault)| {
                if number >= MAX_PLACED {
                    return 0;
                }
                let inner = fault.path.get(1..).and_then(|path| path.find('/'));
                let inner = inner.and_then(|at| fault.path.get(at + 1..));
                deepest(root_of_xml, inner.unwrap_or_default())
            })
            .collect();
        let mut back = self.back(&table);
        back.wanted = nodes.iter().copied().collect();
        back.envelope(root, kind);
        let (found, slots) = (back.found, back.slots);
        let mut told = Told::of(self.kept.report.notes());
        for (Fault { mut note, path }, node) in faults.into_iter().zip(nodes) {
            let slot = slots.iter().find(|slot| slot.node == node);
            note.path = match slot {
                // A vocabulary element: its number stands in the path.
                Some(slot) => match number_of_vocabulary_element(&path) {
                    Some(number) => format!("{}/{number}", slot.pointer),
                    None => slot.pointer.clone(),
                },
                None => found.get(&node).cloned().unwrap_or_default(),
            };
            self.tell_measured(&mut told, note);
        }
    }

    /// Whether the JSON schema accepts the document, whatever it says of the events.
    fn is_envelope_valid(&self) -> bool {
        // It holds nothing, and nothing of it fails.
        let verdict = Validator::default().validate(self.document);
        verdict.errors.len() < MAX_ERRORS
            && verdict
                .errors
                .iter()
                .all(|error| error.path.contains("/eventList/"))
    }
}

fn read_back(xml: &str) -> Result<Translation<'_>, Error> {
    document::translate(encoding::checked(xml)?, true)
}

/// Whether the verdict on the XML may leave something out.
fn is_cut(back: &Translation<'_>) -> bool {
    let errors = back
        .source_verdict
        .iter()
        .flat_map(|verdict| &verdict.errors);
    let told: usize = errors
        .clone()
        .map(|error| error.path.len() + error.message.len())
        .sum();
    errors.count() >= MAX_ERRORS || told >= MAX_TOLD / 2
}

/// What of the XML is not in the JSON that comes of it, and what the XML schema refuses, with the paths in the XML.
///
/// What is kept there in another form is the JSON that the XML was written from.
fn faults_of(back: &Translation<'_>) -> Vec<Fault> {
    let lossy = back
        .fidelity_report
        .notes()
        .iter()
        .filter(|note| note.became == Some(Became::Lost));
    let lossy = lossy.map(|note| Fault {
        path: note.path.clone(),
        note: note.clone(),
    });
    let errors = back
        .source_verdict
        .iter()
        .flat_map(|verdict| &verdict.errors);
    let refused = errors.map(|error| Fault {
        path: error.path.clone(),
        note: Note::of(
            XSD_REFUSES,
            String::new(),
            None,
            Some(format!("{}: {}", XSD_REFUSES.text, error.message)),
        ),
    });
    lossy.chain(refused).collect()
}

/// The event that a path leads into, and the path from there on.
fn inside(path: &str, numbers: &BTreeMap<String, usize>) -> Option<(usize, String)> {
    let ends = path
        .match_indices('/')
        .map(|(at, _)| at)
        .chain([path.len()]);
    ends.filter_map(|end| Some((path.get(..end)?, path.get(end..)?)))
        .find_map(|(start, rest)| Some((*numbers.get(start)?, rest.to_owned())))
}

/// The innermost element on a path, such as `/readPoint[1]/ex:a[2]/@b`, that there is below this one.
fn deepest(root: Element<'_>, path: &str) -> usize {
    let mut element = root;
    for step in path.split('/').filter(|step| !step.is_empty()) {
        let name = step
            .strip_suffix(']')
            .and_then(|step| step.rsplit_once('['));
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

/// The number of the vocabulary element that a path leads into, counted from 0.
fn number_of_vocabulary_element(path: &str) -> Option<usize> {
    let (_, rest) = path.split_once("/VocabularyElement[")?;
    let (number, _) = rest.split_once(']')?;
    number.parse::<usize>().ok()?.checked_sub(1)
}

/// Says of events that nothing of them was measured.
fn not_read_back(events: &mut [Written<'_>], error: &Error) {
    for event in events {
        let text = Some(error.to_string());
        let note = Note::of(NOT_READ_BACK, event.pointer.clone(), None, text);
        event.notes.add(note);
    }
}
