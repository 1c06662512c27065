//! The envelope of the source, held until the output is complete: then the output's is written back and compared with it.
//!
//! Pieces (events and vocabulary elements) are compared one by one while the document streams by.
//! In the envelopes only their numbers stand, that of the output counted from the pieces that were compared and that the
//! bytes between the brackets are made of.

use super::containers::Container;
use super::{Job, Root};
use crate::json::{Document, Value};
use crate::translate::SBDH_MEMBER;
use crate::translate::back::{Back, Names, PIECES, Table, envelope_names};
use crate::translate::measure::{Lost, Measure};
use crate::translate::namespace::{Name, Namespace, Namespaces};
use crate::translate::reader::{Attribute, Reader, Token};
use crate::translate::report::{self, Note};
use crate::translate::to_xml::Prefixes;
use crate::translate::tree::{Element, Tree};
use crate::translate::write::Place;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// What stands around the pieces of the source, step by step.
///
/// It owns its text: a document that comes in pieces has no other by the time that the envelope is compared.
#[derive(Debug, Default)]
pub(super) struct Envelope {
    steps: Vec<Step>,
    /// How many elements there are.
    len: usize,
    /// About how many bytes it takes.
    size: usize,
    /// For each element its number among the siblings of its name; zero inside of what is no container.
    positions: Vec<u32>,
    /// For each element how many notes there were before it.
    notes: Vec<usize>,
    /// Where the rules say that something is lost.
    pub(super) lost: Lost,
    /// The first element of each container that may stand only once.
    once: BTreeMap<Container, usize>,
    /// Those of them that others were joined to.
    joined: Vec<usize>,
}

/// A step on the way around the envelope.
#[derive(Debug)]
enum Step {
    Open(OwnName, Vec<(OwnName, Box<str>)>),
    Text(Box<str>),
    Close,
}

#[derive(Debug)]
struct OwnName {
    prefix: Box<str>,
    local: Box<str>,
    namespace: Namespace,
}

impl OwnName {
    fn of(name: Name<'_>) -> Self {
        Self {
            prefix: name.prefix.into(),
            local: name.local.into(),
            namespace: name.namespace,
        }
    }

    fn name(&self) -> Name<'_> {
        Name {
            prefix: &self.prefix,
            local: &self.local,
            namespace: self.namespace,
        }
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.prefix.len() + self.local.len()
    }
}

/// Pieces that were compared, as they stand in the output one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pieces {
    count: usize,
    length: usize,
}

impl Pieces {
    pub(super) fn add(&mut self, text: &str) {
        self.count += 1;
        self.length += text.len();
    }
}

/// Where pieces stand in a text.
#[derive(Clone, Debug)]
pub(super) struct Hole {
    pub(super) range: Range<usize>,
    pub(super) pieces: Pieces,
    /// How many bytes stood there before they were given out, where they were.
    pub(super) given: Option<usize>,
}

impl Envelope {
    /// The number that the next element will have.
    pub(super) fn next(&self) -> usize {
        self.len
    }

    /// About how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn open(
        &mut self,
        name: Name<'_>,
        attributes: &[Attribute<'_>],
        position: u32,
        notes: usize,
    ) {
        self.begin(name, attributes);
        self.positions.push(position);
        self.notes.push(notes);
    }

    pub(super) fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.size += size_of::<Step>() + text.len();
            self.steps.push(Step::Text(text.into()));
        }
    }

    /// Ends a container with so many pieces in it; a wrapper with nothing else in it is forgotten.
    pub(super) fn close(&mut self, container: Container, pieces: usize) {
        if pieces > 0 {
            self.begin(Name::plain(PIECES), &[]);
            self.text(&pieces.to_string());
            self.steps.push(Step::Close);
        }
        let is_empty =
            matches!(self.steps.last(), Some(Step::Open(_, attributes)) if attributes.is_empty());
        if container == Container::EventListExtension && is_empty {
            self.steps.pop();
            self.len -= 1;
        } else {
            self.steps.push(Step::Close);
        }
        self.positions.resize(self.len, 0);
        self.notes.resize(self.len, usize::MAX);
    }

    /// Adds an element that is no container.
    pub(super) fn add(&mut self, tree: &Tree<'_>, position: u32, notes: usize) {
        self.copy(tree.root());
        self.positions.push(position);
        self.positions.resize(self.len, 0);
        self.notes.resize(self.len, notes);
    }

    /// Adds an element that is lost as a whole; nothing else of it is held.
    pub(super) fn add_lost(&mut self, name: Name<'_>, position: u32, notes: usize) {
        self.begin(name, &[]);
        self.begin(Name::plain(PIECES), &[]);
        self.steps.extend([Step::Close, Step::Close]);
        self.positions.extend([position, 0]);
        self.notes.extend([notes; 2]);
    }

    fn begin(&mut self, name: Name<'_>, attributes: &[Attribute<'_>]) {
        let name = OwnName::of(name);
        let attributes: Vec<_> = attributes
            .iter()
            .map(|attribute| (OwnName::of(attribute.name), attribute.value.as_ref().into()))
            .collect();
        let of_attributes = attributes
            .iter()
            .map(|(name, value): &(OwnName, Box<str>)| name.size() + value.len());
        self.size += size_of::<Step>() + name.size() + of_attributes.sum::<usize>();
        self.steps.push(Step::Open(name, attributes));
        self.len += 1;
    }

    /// Copies an element with everything below it; the reader bounds its depth.
    fn copy(&mut self, element: Element<'_, '_>) {
        self.begin(element.name(), element.attributes());
        let (text, leading) = (element.text(), element.leading_text());
        self.text(leading);
        for child in element.children() {
            self.copy(child);
        }
        self.text(text.get(leading.len()..).unwrap_or_default());
        self.steps.push(Step::Close);
    }

    /// The tree that the steps go around.
    fn tree(&self) -> Tree<'_> {
        let mut tree = Tree::default();
        for step in &self.steps {
            match step {
                Step::Open(name, attributes) => {
                    tree.open(name.name(), 0);
                    for (name, value) in attributes {
                        tree.attribute(name.name(), Cow::Borrowed(value));
                    }
                }
                Step::Text(text) => tree.text(Cow::Borrowed(text)),
                Step::Close => tree.close(),
            }
        }
        tree
    }

    /// Whether a container of this kind, of which there may be one, was opened before; the next element is one.
    pub(super) fn stood_before(&mut self, container: Container) -> bool {
        let next = self.next();
        let first = *self.once.entry(container).or_insert(next);
        if first < next {
            self.joined.push(first);
        }
        first < next
    }

    /// Whether other containers were joined to this one, or to the one that it counts the pieces of.
    fn is_joined(&self, element: Element<'_, '_>) -> bool {
        let is_joined = |element: Element<'_, '_>| self.joined.contains(&element.index());
        is_joined(element) || (element.local() == PIECES && element.parent().is_some_and(is_joined))
    }
}

/// The text without its pieces: in their place stands how many there are, `null` where it is made of anything else.
fn without_pieces(text: &str, holes: &[Hole]) -> String {
    let mut out = String::new();
    let mut at = 0;
    for hole in holes {
        out.push_str(text.get(at..hole.range.start).unwrap_or_default());
        let Pieces { count, length } = hole.pieces;
        let standing = hole.given.unwrap_or(hole.range.len());
        if standing != length + count.saturating_sub(1) {
            out.push_str("null");
        } else if count > 0 {
            out.push_str(&count.to_string());
        }
        at = hole.range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

impl<'x> Job<'x> {
    /// Writes the envelope of the output back and compares it with that of the source.
    ///
    /// What the header keeps of an SBDH beside the three fields of the standard does not count as coming back, but must be
    /// the whole of it.
    pub(super) fn measure_envelope(&mut self, output: &str, holes: &[Hole]) {
        let text = without_pieces(output, holes);
        let mut envelope = std::mem::take(&mut self.envelope);
        let mut lost = std::mem::take(&mut envelope.lost);
        let tree = envelope.tree();
        let found = self.envelope_differences((&envelope, &tree), &mut lost, &text);
        let (found, unmeasured) = match found {
            Ok(found) => found,
            // It was written by this translation.
            Err(error) => (vec![(0, Place::Element, Some(error))], 0),
        };
        self.report.add_unmeasured(unmeasured);
        // Those behind come first, so that the places of the others stay as they are.
        for (element, place, text) in found.into_iter().rev() {
            let mut path = self.root_path().to_owned();
            let element = tree.element(element);
            element.push_path_by(&envelope.positions, &mut path);
            place.push_to(element, &mut path);
            let code = report::MEASURED_DIFFERENCE;
            let note = Note {
                path,
                code: code.word,
                value: None,
                text: text.unwrap_or_else(|| code.text.to_owned()),
                lossy: true,
            };
            let at = envelope.notes.get(element.index());
            self.report.insert(at.copied().unwrap_or(usize::MAX), note);
        }
    }

    /// What no rule has foretold, sorted, and how much of what the rules foretold comes back all the same.
    #[expect(
        clippy::type_complexity,
        reason = "places, each with what is to be said"
    )]
    fn envelope_differences(
        &mut self,
        (envelope, tree): (&Envelope, &Tree<'_>),
        lost: &mut Lost,
        text: &str,
    ) -> Result<(Vec<(usize, Place, Option<String>)>, usize), String> {
        let document = Document::read_text(text).map_err(|error| error.to_string())?;
        let root = document.root();
        let mut prefixes = Prefixes::default();
        if let Some(context) = root.get("@context") {
            prefixes.read(context);
        }
        let mut found = Vec::new();
        if let Some(prefix) = self.unbound_prefix(&mut prefixes) {
            let text = format!("`@context` does not bind the prefix `{prefix}` as it is used");
            found.push((0, Place::Element, Some(text)));
            self.measured += 1;
        }
        if matches!(self.root, Root::Event(_)) {
            return Ok((found, 0));
        }
        let mut table = Table::new();
        envelope_names(root, &mut prefixes, &mut self.namespaces, &mut table);
        let mut back = Back::new(Names::Table(&table), self.family, Tree::default());
        back.is_measured = true;
        if self.root == Root::Query {
            back.query(root);
        } else {
            back.document(root);
        }
        let source = tree.root();
        self.measure.compare_envelopes(source, back.tree.root());
        self.measured += self.measure.differences.len();
        for difference in &self.measure.differences {
            let element = source.at(difference.element);
            if lost.foretells(difference, source) || envelope.is_joined(element) {
                continue;
            }
            match element.parent().filter(|_| element.local() == PIECES) {
                Some(list) => {
                    let text = "what the output has for the elements of this list is not what was compared with them";
                    found.push((list.index(), Place::Element, Some(text.to_owned())));
                }
                None => found.push((difference.element, difference.place, None)),
            }
        }
        if let Some(header) = header_not_kept(source, root, &mut self.namespaces) {
            self.measured += 1;
            if !lost.has(header, Place::Element) {
                let text = "what is kept of the header is not the whole of it".to_owned();
                found.push((header, Place::Element, Some(text)));
            }
        }
        found.sort();
        Ok((found, lost.unmeasured(source)))
    }

    /// A prefix that the output uses for another namespace than its `@context` binds it to.
    fn unbound_prefix(&mut self, prefixes: &mut Prefixes) -> Option<String> {
        let given = self.context.given();
        given.into_iter().find_map(|(prefix, namespace)| {
            let mut table = Table::new();
            let key = format!("{prefix}:a");
            prefixes.add(&key, &mut self.namespaces, &mut table);
            let resolved = table.get(&key).map(|resolved| resolved.namespace);
            (resolved != Some(namespace)).then_some(prefix)
        })
    }
}

/// The first Standard Business Document Header of the source, if the one that the output keeps is another.
fn header_not_kept(
    source: Element<'_, '_>,
    output: Value<'_>,
    namespaces: &mut Namespaces,
) -> Option<usize> {
    let header = first_header(source)?;
    let kept = output.get(SBDH_MEMBER).and_then(Value::as_str);
    let tree = kept.as_deref().and_then(|kept| read(kept, namespaces));
    let is_whole = tree.is_some_and(|tree| {
        let mut measure = Measure::default();
        measure.compare_extensions(header, tree.root());
        measure.differences.is_empty()
    });
    (!is_whole).then(|| header.index())
}

fn first_header<'t, 'x>(root: Element<'t, 'x>) -> Option<Element<'t, 'x>> {
    let headers = root.children().filter(|child| child.is("EPCISHeader"));
    headers
        .flat_map(Element::children)
        .find(|child| child.namespace() == Namespace::SBDH)
}

/// The tree of a well-formed document.
fn read<'t>(text: &'t str, namespaces: &mut Namespaces) -> Option<Tree<'t>> {
    let mut reader = Reader::new(text).ok()?;
    let Token::Start { name, offset } = reader.next(namespaces).ok()? else {
        return None;
    };
    let mut tree = Tree::default();
    tree.read(&mut reader, namespaces, name, offset).ok()?;
    Some(tree)
}
