//! A document as it streams by: its containers are gone through, everything inside is mapped piece by piece.
//!
//! INVARIANT: between two tokens of the reader nothing is held but the output, the open containers and one tree.

mod containers;
mod finish;
mod header;
mod in_sections;
mod judged;
mod pieces;
mod source_envelope;
#[cfg(test)]
mod tests;
mod visit;

use containers::OpenContainer;
pub(super) use in_sections::Produced;
use in_sections::SectionEvents;
use source_envelope::{ComparedPieces, Hole, SourceEnvelope};
pub(super) use visit::{WantedPieces, for_each};

use super::characters::trimmed;
use super::comparison::{Lost, TreeComparison};
use super::findings::Findings;
use super::kinds::{Container, EventKind, Family, Root};
use super::namespace::{Name, Namespaces};
use super::output_context::OutputContext;
use super::places::{LineCounter, Places};
use super::reader::{Binding, Fault, Token, XmlReader};
use super::report::{self, Code, FidelityReport, Note};
use super::translation::Translation;
use super::verdict::{Told, verdict};
use super::write::{JsonWriter, Spot};
use super::xml_to_json::Mapper;
use super::xml_tree::{XmlTree, push_sparingly, push_text};
use crate::error::{Error, ErrorKind, Location, XmlFault};
use crate::hash::HashComparison;
use crate::validate::xml::{Found, Judge};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// One translation under way: a text, and what is held from one text to the next of a document that comes in sections.
#[derive(Debug)]
pub(super) struct Job<'x> {
    text: &'x str,
    lines: LineCounter,
    tree: XmlTree<'x>,
    hash_comparison: HashComparison<'x>,
    /// Whether the XML schemas are asked, too.
    is_judged: bool,
    /// What they said of the whole document.
    judged: Option<Found>,
    held: Held,
}

/// What a translation holds until the end of its document.
#[derive(Debug, Default)]
struct Held {
    namespaces: Namespaces,
    context: OutputContext,
    /// The memory of the tree that comes back, while nobody uses it.
    spare: XmlTree<'static>,
    tree_comparison: TreeComparison,
    lost: Lost,
    envelope: SourceEnvelope,
    report: FidelityReport,
    family: Family,
    root: Root,
    version: &'static str,
    open: Vec<OpenContainer>,
    /// The path of the innermost open container.
    path: String,
    events: JsonWriter,
    compared_events: ComparedPieces,
    /// Of a document that comes in sections: the events of this one.
    section: Option<SectionEvents>,
    /// Its judge, between two sections.
    judge: Option<Box<Judge<'static>>>,
    /// What the judge found so far, with its places.
    told: Told,
    metered: usize,
    vocabularies: JsonWriter,
    compared_elements: ComparedPieces,
    /// Where the vocabulary elements stand in `vocabularies`.
    element_lists: Vec<Hole>,
    places: Places,
    /// The members of the document, its header, its body, query results and the vocabulary that is open.
    members: [MemberTexts; 5],
    creation_date: Option<String>,
    /// The texts of query results: see [`RESULTS_TEXTS`].
    results: [Option<String>; 2],
    /// The kinds of containers that were begun, a bit for each.
    entered: u32,
    /// How many bytes of text beside the events do not lie in the source.
    frame_text: usize,
    sbdh: Option<String>,
    standard_header: [Option<String>; 3],
}

impl Held {
    /// Maps what is read next, under the declarations that are in force around it.
    fn mapper<'m>(
        &'m mut self,
        outer: &'m [Binding<'m>],
        out: &'m mut JsonWriter,
        findings: &'m mut Findings,
    ) -> Mapper<'m> {
        Mapper {
            namespaces: &self.namespaces,
            context: &mut self.context,
            outer,
            out,
            findings,
        }
    }

    /// Whether the body was found to hold something that is translated.
    fn has_content(&self) -> bool {
        use Container as C;
        let contents = [C::EventList, C::QueryResults, C::VocabularyList];
        contents.iter().any(|content| self.has_entered(*content))
    }

    fn has_entered(&self, container: Container) -> bool {
        self.entered & 1 << container as u32 != 0
    }

    /// The members of the object that elements in a container are written to.
    fn members_of(&mut self, container: Container) -> &mut MemberTexts {
        use Container as C;
        let [document, header, body, results, vocabulary] = &mut self.members;
        match container {
            C::Header | C::HeaderExtension => header,
            C::Body | C::BodyExtension => body,
            C::QueryResultsExtension => results,
            C::Vocabulary | C::VocabularyExtension => vocabulary,
            _ => document,
        }
    }

    /// Writes the members of an object, each with a comma before it, and forgets them.
    fn write_members(&mut self, container: Container, text: &mut String) {
        std::mem::take(self.members_of(container)).write(text);
    }
}

/// What query results have beside their body, in this order.
const RESULTS_TEXTS: [&str; 2] = ["queryName", "subscriptionID"];

/// Members of an object that come one after the other; equal names become one array.
#[derive(Debug, Default)]
struct MemberTexts {
    /// The key, the values with commas between them, and how many they are.
    values: Vec<(String, String, u32)>,
    numbers: BTreeMap<String, u32>,
    /// How long they are as text.
    length: usize,
    /// About how many bytes they take.
    size: usize,
}

impl MemberTexts {
    fn push(&mut self, key: String, value: String) {
        self.size += value.len() + 1;
        self.length += value.len() + 1;
        let number = match self.numbers.get(&key) {
            Some(&number) => number,
            None => {
                self.size += 2 * key.len() + 96;
                self.length += key.len() + 3;
                let number = self.values.len() as u32;
                self.numbers.insert(key.clone(), number);
                push_sparingly(&mut self.values, (key, String::new(), 0));
                number
            }
        };
        if let Some((_, values, count)) = self.values.get_mut(number as usize) {
            *count += 1;
            if *count == 1 {
                *values = value;
            } else {
                push_text(values, ",");
                push_text(values, &value);
            }
        }
    }

    /// Appends the members, each with a comma before it.
    fn write(self, text: &mut String) {
        for (key, values, count) in self.values {
            push_text(text, ",");
            push_text(text, &key);
            if count == 1 {
                push_text(text, &values);
            } else {
                push_text(text, "[");
                push_text(text, &values);
                push_text(text, "]");
            }
        }
    }
}

/// How long the translation of so many bytes may be: two and a half times as long and a megabyte more.
///
/// What documents say is written in fewer bytes than in XML; only long prefixes for short ones, default namespaces and events
/// with nothing in them make it longer.
fn longest(source: usize) -> usize {
    source / 2 * 5 + (1 << 20)
}

/// Translates the text of one document, and asks the XML schemas of it where that is wanted.
pub(super) fn translate<'x>(text: Cow<'x, str>, is_judged: bool) -> Result<Translation<'x>, Error> {
    // The job borrows the text that the translation then keeps, so it works on a reference.
    let ((done, places), judged) = {
        let mut job = Job::new(&text);
        job.is_judged = is_judged;
        let outcome = job.run();
        let judged = job.judged.take();
        outcome?;
        (job.finish(), judged)
    };
    let verdict = judged.map(|found| verdict(&text, found));
    Ok(Translation {
        document: done.document,
        source_schema_version: done.version,
        metered_events: done.metered,
        fidelity_report: done.report,
        source_verdict: verdict,
        text,
        kept: places,
    })
}

impl<'x> Job<'x> {
    fn new(text: &'x str) -> Self {
        let held = Held {
            version: "2.0",
            events: JsonWriter::new(longest(text.len())),
            vocabularies: JsonWriter::new(longest(text.len())),
            ..Held::default()
        };
        Self {
            text,
            lines: LineCounter::default(),
            tree: XmlTree::default(),
            hash_comparison: HashComparison::new(text),
            is_judged: false,
            judged: None,
            held,
        }
    }

    /// Goes through a whole document.
    fn run(&mut self) -> Result<(), Error> {
        let read = XmlReader::new(self.text).and_then(|mut reader| {
            if self.is_judged {
                reader.judge();
            }
            self.go_on(&mut reader, false)?;
            Ok(reader)
        });
        let mut reader = read.map_err(|fault| self.error(fault))?;
        if self.is_judged {
            self.judged = Some(reader.judged());
        }
        self.end(&reader)
    }

    /// Goes through what a reader has, as far as there are whole elements.
    fn go_on(&mut self, reader: &mut XmlReader<'x>, has_root: bool) -> Result<(), Fault> {
        if !has_root {
            let Some((name, offset)) = self.document_element(reader)? else {
                return Ok(());
            };
            if let Root::Event(kind) = self.held.root {
                self.read(reader, name, offset)?;
                self.bare_event(reader, kind)?;
            } else {
                self.enter_root(reader, name, offset);
            }
            self.place_findings(reader, None);
        }
        self.containers(reader)?;
        if self.held.open.is_empty() {
            while !matches!(reader.next(&mut self.held.namespaces)?, Token::Eof) {}
        }
        Ok(())
    }

    /// Begins the document element; none where it is not there yet.
    fn document_element(
        &mut self,
        reader: &mut XmlReader<'x>,
    ) -> Result<Option<(Name<'x>, usize)>, Fault> {
        let Token::Start { name, offset } = reader.next(&mut self.held.namespaces)? else {
            return Ok(None);
        };
        // An event alone is one element.
        if EventKind::of(name.local).is_some() && !reader.has_whole_element(offset) {
            reader.put_back(offset);
            return Ok(None);
        }
        self.held.path.push('/');
        name.push_to(&mut self.held.path);
        self.begin(reader, name, offset)?;
        self.held.places.root = self.location(self.held.path.clone(), offset);
        Ok(Some((name, offset)))
    }

    /// What is known when the document was read to its end.
    fn end(&mut self, reader: &XmlReader<'x>) -> Result<(), Error> {
        if self.held.root == Root::Query && !self.held.has_entered(Container::QueryResults) {
            let place = Location {
                path: self.held.path.clone(),
                ..self.held.places.root.clone()
            };
            let found = String::new();
            let fault = XmlFault::UnsupportedBody { found };
            return Err(Error::at(ErrorKind::Xml(fault), place));
        }
        self.document_notes(reader);
        Ok(())
    }

    /// Learns from the document element what it is and which version it is of.
    fn begin(
        &mut self,
        reader: &mut XmlReader<'x>,
        name: Name<'x>,
        offset: usize,
    ) -> Result<(), Fault> {
        let foreign = || {
            let mut found = String::new();
            name.push_to(&mut found);
            Err((XmlFault::ForeignRoot { found }, offset))
        };
        if !name.namespace.is_standard() {
            return foreign();
        }
        self.held.root = match (name.local, EventKind::of(name.local)) {
            ("EPCISDocument", _) => Root::Document,
            ("EPCISQueryDocument", _) => Root::Query,
            ("EPCISMasterDataDocument", _) => Root::MasterData,
            (_, Some(kind)) => Root::Event(kind),
            _ => return foreign(),
        };
        let written = reader
            .attributes
            .iter()
            .find(|attribute| {
                attribute.name.local == "schemaVersion" && attribute.name.prefix.is_empty()
            })
            .map(|attribute| trimmed(&attribute.value).to_owned());
        let claimed = match written.as_deref().map(decimal_version) {
            None => None,
            Some(Ok(claimed)) => claimed,
            Some(Err(found)) => {
                self.held.path.push_str("/@schemaVersion");
                return Err((XmlFault::SchemaVersion { found }, offset));
            }
        };
        let uri = self.held.namespaces.name(name.namespace);
        let family = match uri.as_bytes().last() {
            Some(b'1') => Some(Family::One),
            Some(b'2') => Some(Family::Two),
            _ => None,
        };
        self.held.family = family.unwrap_or(match claimed {
            Some((1, _)) => Family::One,
            _ => Family::Two,
        });
        self.held.version = match (self.held.family, claimed) {
            (Family::One, Some((1, 0))) => "1.0",
            (Family::One, Some((1, 1))) => "1.1",
            // Without a better word a 1.x document is read as the last 1.x, of which the others are subsets.
            (Family::One, _) => "1.2",
            (Family::Two, _) => "2.0",
        };
        let is_first = self.held.family == Family::One;
        let agrees =
            written.is_none() || claimed.is_some_and(|(major, _)| (major == 1) == is_first);
        if !agrees {
            let path = format!("{}/@schemaVersion", self.held.path);
            self.note(path, report::SCHEMA_VERSION, written, None);
        }
        Ok(())
    }

    fn note(&mut self, path: String, code: Code, value: Option<String>, text: Option<String>) {
        self.held.report.push(Note::of(code, path, value, text));
    }

    /// Says something about an element of the envelope, by its number there, or about a place of it.
    fn find(
        &mut self,
        element: usize,
        place: Spot,
        path: String,
        code: Code,
        value: Option<String>,
    ) {
        if code.is_lossy() {
            self.held.envelope.lost.add(element, place);
        }
        self.note(path, code, value, None);
    }

    /// The path of the document element.
    fn root_path(&self) -> &str {
        &self.held.places.root.path
    }

    /// What concerns the document as a whole comes last.
    fn document_notes(&mut self, reader: &XmlReader<'x>) {
        let counts = reader.counts;
        let root = || "/".to_owned();
        for (count, code) in [
            (counts.comments, report::COMMENTS),
            (
                counts.processing_instructions,
                report::PROCESSING_INSTRUCTIONS,
            ),
        ] {
            if count > 0 {
                self.note(root(), code, Some(count.to_string()), None);
            }
        }
        if counts.doctypes > 0 {
            self.note(root(), report::BARE_DOCTYPE, None, None);
        }
        for (code, value) in std::mem::take(&mut self.held.context.remarks) {
            self.note(root(), code, Some(value), None);
        }
    }

    fn error(&self, (fault, offset): Fault) -> Error {
        let mut path = self.held.path.clone();
        if let Some(element) = self.tree.innermost_open() {
            element.push_path(&[], &mut path);
        }
        Error::at(ErrorKind::Xml(fault), self.location(path, offset))
    }

    fn location(&self, path: String, offset: usize) -> Location {
        self.lines.first.location(self.text, path, offset)
    }

    fn enter_root(&mut self, reader: &mut XmlReader<'x>, name: Name<'x>, offset: usize) {
        if self.held.root == Root::MasterData {
            let code = report::MASTER_DATA_DOCUMENT;
            self.find(0, Spot::Element, self.held.path.clone(), code, None);
        }
        for (number, attribute) in reader.attributes.iter().enumerate() {
            self.root_attribute(number, attribute);
        }
        let attributes = std::mem::take(&mut reader.attributes);
        self.held.envelope.open(name, &attributes, 0, 0);
        self.held
            .open
            .push(OpenContainer::new(Container::Root, 0, 0, offset));
    }
}

/// The major and minor number of a schemaVersion, a decimal number of XML Schema: `01.20` is 1.2. None of one that no EPCIS has.
///
/// # Errors
/// The text, where it is no such number.
fn decimal_version(text: &str) -> Result<Option<(u32, u32)>, String> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (major, minor) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(major) || !is_number(minor) || major.is_empty() && minor.is_empty() {
        return Err(text.to_owned());
    }
    if text.starts_with('-') {
        return Ok(None);
    }
    let (major, minor) = (major.trim_start_matches('0'), minor.trim_end_matches('0'));
    Ok(match (major, minor) {
        ("1", "") => Some((1, 0)),
        ("1", "1") => Some((1, 1)),
        ("1", "2") => Some((1, 2)),
        ("2", "") => Some((2, 0)),
        _ => None,
    })
}
