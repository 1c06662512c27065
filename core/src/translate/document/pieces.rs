//! What is mapped in one piece: read into the tree, mapped, compared with its model, translated back and compared.

use super::{Container, Job, Root};
use crate::error::XmlFault;
use crate::field::ValueKind;
use crate::hash::tree::Ignored;
use crate::json::{Document, MAX_DEPTH};
use crate::translate::findings::{Finding, Findings, whole};
use crate::translate::hash_tree::{GivenPrefixes, fill};
use crate::translate::json_to_xml::{Back, Names, decoded_names};
use crate::translate::kinds::EventKind;
use crate::translate::namespace::Name;
use crate::translate::plain_proof::is_plain;
use crate::translate::print::excerpt;
use crate::translate::reader::{Fault, XmlReader};
use crate::translate::report::{self, Code};
use crate::translate::write::{JsonWriter, Spot};
use crate::translate::xml_tree::Piece;

/// What a document may take in memory with the translation back, in bytes: a Worker has 128 MB, its JavaScript needs some 30.
const MEASURING: usize = 80_000_000;

/// What the translation back of one piece may take in any case.
const LEAST: usize = 16 << 20;

/// The levels that documents put around an event.
const ENVELOPE_DEPTH: usize = 6;

/// What the pieces that come back are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceKind {
    Event,
    VocabularyElement,
}

impl<'x> Job<'x> {
    /// Reads an element into the tree.
    pub(super) fn read(
        &mut self,
        reader: &mut XmlReader<'x>,
        name: Name<'x>,
        offset: usize,
    ) -> Result<(), Fault> {
        let namespaces = &mut self.held.namespaces;
        let read = self.tree.read(reader, namespaces, name, offset);
        if read.is_err() {
            self.tree.close_all();
        }
        read
    }

    /// Takes an event that was read: the document element.
    pub(super) fn bare_event(
        &mut self,
        reader: &XmlReader<'x>,
        kind: EventKind,
    ) -> Result<(), Fault> {
        let (path, offset) = (&self.held.path, self.tree.root().offset());
        self.held.places.begin_event((path, &[]), 1, offset);
        // Of a document's attributes only the version has a home here.
        self.map_event(reader, kind, &["schemaVersion"])
    }

    /// Takes an event that was read.
    pub(super) fn event(
        &mut self,
        reader: &XmlReader<'x>,
        position: u32,
        kind: EventKind,
    ) -> Result<(), Fault> {
        let around = (outer(&self.held.path), reader.bindings());
        let offset = self.tree.root().offset();
        self.held.places.begin_event(around, position, offset);
        self.map_event(reader, kind, &[])
    }

    fn map_event(
        &mut self,
        reader: &XmlReader<'x>,
        kind: EventKind,
        known: &[&str],
    ) -> Result<(), Fault> {
        let offset = self.tree.root().offset();
        let mut findings = Findings::new(self.held.report.room());
        // Room enough for most events; without it the text would grow to the double.
        let length = (reader.offset() - offset) / 8 * 5 + 256;
        let text = &mut self.held.events.text;
        if text.capacity() - text.len() <= length {
            text.reserve_exact((length + 1).max(text.len() / 4));
        }
        if !text.is_empty() {
            text.push(',');
        }
        let start = self.held.events.text.len();
        if let Some(section) = &mut self.held.section {
            section.starts.push((start, None));
            self.held.context.begin_event();
        }
        let mut out = std::mem::take(&mut self.held.events);
        let mut mapper = self.held.mapper(reader.bindings(), &mut out, &mut findings);
        mapper.event(self.tree.root(), kind, known);
        self.held.events = out;
        self.held.metered += 1;
        if self.held.events.is_beyond_limit() {
            let limit = self.held.events.limit;
            return Err((XmlFault::Amplified { limit }, offset));
        }
        if self.held.events.deepest > MAX_DEPTH - ENVELOPE_DEPTH {
            let limit = MAX_DEPTH - ENVELOPE_DEPTH;
            return Err((XmlFault::Depth { limit }, offset));
        }
        let text = std::mem::take(&mut self.held.events.text);
        let written = text.get(start..).unwrap_or_default();
        let length = text.len();
        self.compare((written, length), &mut findings, PieceKind::Event);
        self.held.compared_events.add(written);
        self.held.events.text = text;
        self.note_context();
        self.tell(&findings);
        Ok(())
    }

    /// Takes a vocabulary element that was read.
    pub(super) fn vocabulary_element(
        &mut self,
        reader: &XmlReader<'x>,
        position: u32,
    ) -> Result<(), Fault> {
        let offset = self.tree.root().offset();
        let around = (outer(&self.held.path), reader.bindings());
        let element = self.text.get(offset..reader.offset()).unwrap_or_default();
        let places = &mut self.held.places;
        places.add_vocabulary_element(around, position, offset);
        places.retain_element(element, || self.lines.at(self.text, offset));
        let mut findings = Findings::new(self.held.report.room());
        let mut out = JsonWriter::new(self.held.vocabularies.limit);
        // Long ones are not to be copied while they grow.
        out.text.reserve_exact(element.len() / 8 * 7);
        let mut mapper = self.held.mapper(reader.bindings(), &mut out, &mut findings);
        mapper.vocabulary_element(self.tree.root());
        self.check_length(&out.text, offset)?;
        if out.deepest > MAX_DEPTH - 2 * ENVELOPE_DEPTH {
            let limit = MAX_DEPTH - 2 * ENVELOPE_DEPTH;
            return Err((XmlFault::Depth { limit }, offset));
        }
        // It is copied twice on its way into the document.
        let length = 3 * out.text.len() + self.held.events.text.len();
        let kind = PieceKind::VocabularyElement;
        self.compare((&out.text, length), &mut findings, kind);
        self.held.compared_elements.add(&out.text);
        self.held.vocabularies.raw(&out.text, (0, Spot::Element));
        self.tell(&findings);
        Ok(())
    }

    /// Compares what was written with its source, and adds what no rule has foretold; with what was written before it, it is
    /// so many bytes long.
    fn compare(
        &mut self,
        (written, length): (&str, usize),
        findings: &mut Findings,
        piece: PieceKind,
    ) {
        let is_plain = piece == PieceKind::Event
            && is_plain(
                self.tree.root(),
                written,
                &self.held.context,
                self.held.family,
            );
        // What comes back takes a tree of its own, what was written eight bytes a value and a name, and both are hashed.
        let is_reordered = |finding: &Finding| finding.code == report::SIBLING_ORDER;
        let rehashed = if findings.iter().any(is_reordered) {
            6 * written.len()
        } else {
            0
        };
        let cost = length + self.tree.cost() + 64 * findings.len() + rehashed;
        let is_measurable = self.has_room_for(cost);
        let is_compared = cfg!(feature = "proof") && is_measurable;
        if is_plain && !is_compared {
            return;
        }
        if !is_measurable {
            self.held.report.add_unmeasured(1);
            findings.push(whole(report::NOT_MEASURED, None));
            return;
        }
        let document = match Document::read_text(written) {
            Ok(document) => document,
            Err(error) => {
                findings.push(whole(report::MEASURED_DIFFERENCE, Some(error.to_string())));
                return;
            }
        };
        let before = (findings.len(), self.held.report.measured_differences());
        self.compare_trees(&document, findings, piece);
        if piece == PieceKind::Event {
            self.compare_hashes(&document, findings);
        }
        debug_assert!(
            !is_plain || (findings.len(), self.held.report.measured_differences()) == before,
            "{findings:?} {written}"
        );
    }

    /// Whether there is memory to measure the tree, when that takes so many bytes.
    pub(super) fn has_room_for(&self, cost: usize) -> bool {
        let taken = self.text.len()
            + self.held.events.text.len()
            + self.held.vocabularies.text.len()
            + self.tree.weight();
        cost <= MEASURING.saturating_sub(taken).max(LEAST)
    }

    /// Translates what was written back and compares it with its source.
    fn compare_trees(
        &mut self,
        document: &Document<'_>,
        findings: &mut Findings,
        piece: PieceKind,
    ) {
        let root = self.tree.root();
        let decoded = decoded_names(document);
        let names = Names::Given(&self.held.context, &decoded);
        let mut memory = std::mem::take(&mut self.held.spare).recycle();
        memory.reserve_like(&self.tree);
        let mut back = Back::new(names, self.held.family, memory);
        match piece {
            PieceKind::Event => {
                back.event(document.root());
            }
            PieceKind::VocabularyElement => back.vocabulary_element(document.root()),
        }
        if back.tree.is_empty() {
            let text = "it is lost in a round trip".to_owned();
            findings.push(whole(report::MEASURED_DIFFERENCE, Some(text)));
        } else {
            self.held.tree_comparison.compare(root, back.tree.root());
        }
        self.held.spare = back.tree.recycle();
        self.held.lost.clear();
        for finding in findings.iter().filter(|finding| finding.code.is_lossy()) {
            self.held.lost.add(finding.element, finding.place);
        }
        for difference in &self.held.tree_comparison.differences {
            let is_version = match difference.place {
                Spot::Attribute(number) if piece == PieceKind::Event => {
                    let mut attributes = root.attributes().iter().skip(number);
                    let attribute = attributes.next().filter(|_| difference.element == 0);
                    attribute.is_some_and(|attribute| attribute.name.local == "schemaVersion")
                }
                _ => false,
            };
            if is_version {
                continue;
            }
            self.held.report.add_measured(1);
            if !self.held.lost.foretells(difference, root) {
                let code = report::MEASURED_DIFFERENCE;
                findings.push(Finding::new(difference.element, difference.place, code));
            }
        }
        self.held
            .report
            .add_unmeasured(self.held.lost.unmeasured(root));
    }

    /// Compares the hash of what was written with that of its source.
    fn compare_hashes(&mut self, document: &Document<'_>, findings: &mut Findings) {
        // A loss explains why the hash is another; without one it must be the same.
        if findings.iter().any(|finding| finding.code.is_lossy()) {
            return;
        }
        let event = Piece {
            element: self.tree.root(),
            namespaces: &self.held.namespaces,
            is_document: matches!(self.held.root, Root::Event(_)),
        };
        fill(&mut self.hash_comparison.tree, &event, &Ignored::default());
        let prefixes = GivenPrefixes(&self.held.context, &self.held.namespaces);
        if !self.hash_comparison.is_same(document.root(), &prefixes) {
            self.held.report.add_measured(1);
            findings.push(whole(report::EVENT_HASH_CHANGED, None));
        }
    }

    /// Puts findings into the report, in document order.
    ///
    /// Once the report is full they are only counted: no path is made, for paths may be long and many.
    fn tell(&mut self, findings: &Findings) {
        if findings.len() == 0 {
            return;
        }
        let order = findings.in_order();
        // Counting siblings for each path anew would be quadratic where there are many.
        let positions = if order.len() > 8 && !self.held.report.is_full {
            self.tree.positions()
        } else {
            Vec::new()
        };
        let mut newest = None;
        for number in order {
            let Some(finding) = findings.get(number) else {
                continue;
            };
            let here = Some((finding.element, finding.place));
            let is_new_loss = finding.code.is_lossy() && newest != here;
            if finding.code.is_lossy() {
                newest = here;
            }
            if self.held.report.is_full || !findings.is_whole(number) {
                self.held.report.count(finding.code, is_new_loss);
                continue;
            }
            let element = self.tree.element(finding.element);
            let mut path = self.held.path.clone();
            element.push_path(&positions, &mut path);
            finding.place.push_to(element, &mut path);
            let (value, text) = match finding.detail.as_deref() {
                Some(detail) => (detail.value.clone(), detail.text.clone()),
                None => (None, None),
            };
            self.note(path, finding.code, value, text);
        }
    }

    /// The same for a piece of the envelope, which is compared as a whole when it is complete.
    pub(super) fn tell_of_envelope(&mut self, findings: &Findings) {
        let first = self.held.envelope.next();
        for finding in findings.iter().filter(|finding| finding.code.is_lossy()) {
            self.held
                .envelope
                .lost
                .add(first + finding.element, finding.place);
        }
        self.tell(findings);
    }

    /// A user element of the envelope becomes a member of the object that its parent is written to.
    pub(super) fn member(
        &mut self,
        reader: &XmlReader<'x>,
        container: Container,
    ) -> Result<(), Fault> {
        let root = self.tree.root();
        let (name, offset) = (root.name(), root.offset());
        let mut findings = Findings::new(self.held.report.room());
        let mut out = JsonWriter::new(self.held.vocabularies.limit);
        let mut mapper = self.held.mapper(reader.bindings(), &mut out, &mut findings);
        // The prefix is given here, before those of the names inside.
        mapper.context.prefix(name, mapper.namespaces);
        mapper.extension(self.tree.root());
        self.tell_of_envelope(&findings);
        self.check_length(&out.text, offset)?;
        let key = self.key(name);
        self.held.members_of(container).push(key, out.text);
        Ok(())
    }

    /// Fails when what stands outside of the events becomes too long with this.
    fn check_length(&self, more: &str, offset: usize) -> Result<(), Fault> {
        let limit = self.held.vocabularies.limit;
        let length = self.held.vocabularies.text.len()
            + self
                .held
                .members
                .iter()
                .map(|members| members.length)
                .sum::<usize>();
        if length + more.len() > limit {
            return Err((XmlFault::Amplified { limit }, offset));
        }
        Ok(())
    }

    /// A name as the key of a member, with its quotes and colon.
    pub(super) fn key(&mut self, name: Name<'_>) -> String {
        let prefix = self.held.context.prefix(name, &self.held.namespaces);
        let mut out = JsonWriter::default();
        out.qualified_key(self.held.context.text(prefix), name.local);
        out.text
    }

    /// A standard element of the envelope that has only text.
    pub(super) fn leaf(&mut self, reader: &XmlReader<'x>) -> String {
        let mut findings = Findings::new(self.held.report.room());
        let mut out = JsonWriter::default();
        let mut mapper = self.held.mapper(reader.bindings(), &mut out, &mut findings);
        mapper.leaf(None, ValueKind::Plain, self.tree.root());
        self.tell_of_envelope(&findings);
        out.text
    }

    /// An element of the envelope that has no home.
    pub(super) fn unknown(&mut self, container: Container) {
        let code = match container {
            Container::RootExtension
            | Container::HeaderExtension
            | Container::BodyExtension
            | Container::EventListExtension
            | Container::QueryResultsExtension
            | Container::VocabularyExtension => report::LOCAL_EXTENSION_NO_HOME,
            _ => report::UNKNOWN_ELEMENT,
        };
        self.leave_out(code);
    }

    /// Leaves an element of the envelope out, and says so with the element itself.
    pub(super) fn leave_out(&mut self, code: Code) {
        let mut findings = Findings::new(self.held.report.room());
        findings.push_value(whole(code, None), || {
            Some(excerpt(self.tree.root(), &self.held.namespaces))
        });
        self.tell_of_envelope(&findings);
    }
}

/// The path of the container around the element that a path leads to.
fn outer(path: &str) -> &str {
    let length = path.rfind('/').unwrap_or_default();
    path.get(..length).unwrap_or_default()
}
