//! The envelope of the source, held until the output is complete: then the output's is written back and compared with it.
//!
//! Pieces (events and vocabulary elements) are compared one by one while the document streams by.
//! In the envelopes only their numbers stand, that of the output counted from the pieces that were compared and that the
//! bytes between the brackets are made of.

use super::{Job, Root};
use crate::json::{Document, Value};
use crate::order::sort_stably_by;
use crate::translate::comparison::{Lost, TreeComparison};
use crate::translate::json_to_xml::{Back, Names, PIECES, Table, XmlPrefixes, envelope_names};
use crate::translate::kinds::Container;
use crate::translate::namespace::{Name, Namespace, Namespaces};
use crate::translate::reader::{Attribute, Token, XmlReader};
use crate::translate::report::{self, Note};
use crate::translate::standard_header::SBDH_MEMBER;
use crate::translate::write::Spot;
use crate::translate::xml_tree::{Element, XmlTree, push_sparingly, push_text};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The most elements that may stand around the pieces of a document: of each the source, the output and what comes back of it
/// are compared when the output is complete.
pub(super) const MAX_ENVELOPE: usize = 1 << 17;

/// How many elements that are lost as a whole are held: of more the comparison would find the same.
const MAX_LOST: usize = 1 << 12;

/// What stands around the pieces of the source, step by step.
///
/// It owns its text: a document that comes in sections has no other by the time that the envelope is compared.
#[derive(Debug, Default)]
pub(super) struct SourceEnvelope {
    /// What comes next, and how long its parts are: see [`EnvelopeStep`].
    steps: Vec<u32>,
    /// The names, values and texts of the steps, one behind the other.
    text: String,
    /// How long both were when the last element was begun, if nothing followed yet and it has no attributes.
    bare: Option<(usize, usize)>,
    /// How many elements there are.
    len: usize,
    /// How many of them belong to the standard header, which is as large as it is.
    of_header: usize,
    /// How many of them are lost as a whole.
    lost_wholes: usize,
    /// For each element its number among the siblings of its name; zero inside of what is no container.
    positions: Vec<u32>,
    /// For each element how many notes there were before it.
    notes: Vec<u32>,
    /// Where the rules say that something is lost.
    pub(super) lost: Lost,
    /// The first element of each container that may stand only once.
    once: BTreeMap<Container, usize>,
    /// Those of them that others were joined to.
    joined: BTreeSet<usize>,
}

/// A step on the way around the envelope: its kind in the two lowest bits, a number above.
#[derive(Clone, Copy, Debug)]
enum EnvelopeStep {
    /// An element; the number of its attributes. Its name follows, and of each attribute the name and the length of the value.
    Open = 0,
    /// Character data; its length.
    Text = 1,
    Close = 2,
}

/// The steps again, in order.
struct EnvelopeSteps<'e> {
    steps: std::slice::Iter<'e, u32>,
    text: &'e str,
}

impl<'e> EnvelopeSteps<'e> {
    fn number(&mut self) -> usize {
        self.steps.next().map_or(0, |number| *number as usize)
    }

    fn text(&mut self, length: usize) -> &'e str {
        let (text, rest) = self
            .text
            .split_at_checked(length)
            .unwrap_or((self.text, ""));
        self.text = rest;
        text
    }

    fn name(&mut self) -> Name<'e> {
        let namespace = Namespace::of_number(self.number() as u32);
        let (prefix, local) = (self.number(), self.number());
        Name {
            prefix: self.text(prefix),
            local: self.text(local),
            namespace,
        }
    }

    /// Takes the next step in a tree; false where there is none.
    fn take(&mut self, tree: &mut XmlTree<'e>) -> bool {
        let Some(&step) = self.steps.next() else {
            return false;
        };
        let number = (step >> 2) as usize;
        match step & 3 {
            open if open == EnvelopeStep::Open as u32 => {
                tree.open(self.name(), 0);
                for _ in 0..number {
                    let name = self.name();
                    let length = self.number();
                    tree.attribute(name, Cow::Borrowed(self.text(length)));
                }
            }
            text if text == EnvelopeStep::Text as u32 => {
                tree.text(Cow::Borrowed(self.text(number)))
            }
            _ => tree.close(),
        }
        true
    }
}

/// Pieces that were compared, as they stand in the output one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ComparedPieces {
    count: usize,
    length: usize,
}

impl ComparedPieces {
    pub(super) fn add(&mut self, text: &str) {
        self.count += 1;
        self.length += text.len();
    }
}

/// Where pieces stand in a text.
#[derive(Clone, Debug)]
pub(super) struct Hole {
    pub(super) range: Range<usize>,
    pub(super) pieces: ComparedPieces,
    /// How many bytes stood there before they were given out, where they were.
    pub(super) given: Option<usize>,
}

impl SourceEnvelope {
    /// The number that the next element will have.
    pub(super) fn next(&self) -> usize {
        self.len
    }

    /// Whether there are more elements than there may be.
    pub(super) fn is_beyond_limit(&self) -> bool {
        self.len.saturating_sub(self.of_header) > MAX_ENVELOPE
    }

    /// So many elements of the standard header come next; they do not count for the limit.
    pub(super) fn stands_aside(&mut self, elements: usize) {
        self.of_header = elements;
    }

    /// About how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        self.text.len() + size_of::<u32>() * (self.steps.len() + 2 * self.len)
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
        self.notes.push(notes as u32);
    }

    pub(super) fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.bare = None;
            self.step(EnvelopeStep::Text, text.len());
            push_text(&mut self.text, text);
        }
    }

    /// Ends a container with so many pieces in it; a wrapper with nothing else in it is forgotten.
    pub(super) fn close(&mut self, container: Container, pieces: usize) {
        if pieces > 0 {
            self.begin(Name::unqualified(PIECES), &[]);
            self.text(&pieces.to_string());
            self.step(EnvelopeStep::Close, 0);
        }
        match self.bare {
            Some((steps, text)) if container == Container::EventListExtension => {
                self.steps.truncate(steps);
                self.text.truncate(text);
                self.len -= 1;
            }
            _ => self.step(EnvelopeStep::Close, 0),
        }
        self.bare = None;
        self.positions.resize(self.len, 0);
        self.notes.resize(self.len, u32::MAX);
    }

    /// Adds an element that is no container.
    pub(super) fn add(&mut self, tree: &XmlTree<'_>, position: u32, notes: usize) {
        self.copy(tree.root());
        self.positions.push(position);
        self.positions.resize(self.len, 0);
        self.notes.resize(self.len, notes as u32);
    }

    /// Whether an element that is lost as a whole is still held.
    pub(super) fn holds_lost(&self) -> bool {
        self.lost_wholes < MAX_LOST
    }

    /// Adds an element that is lost as a whole, the one that is on the list of losses; nothing else of it is held.
    pub(super) fn add_lost(&mut self, name: Name<'_>, position: u32, notes: usize) {
        if !self.holds_lost() {
            self.lost.remove(self.len, Spot::Element);
            return;
        }
        self.lost_wholes += 1;
        self.begin(name, &[]);
        self.begin(Name::unqualified(PIECES), &[]);
        self.step(EnvelopeStep::Close, 0);
        self.step(EnvelopeStep::Close, 0);
        self.bare = None;
        self.positions.extend([position, 0]);
        self.notes.extend([notes as u32; 2]);
    }

    fn step(&mut self, step: EnvelopeStep, number: usize) {
        push_sparingly(&mut self.steps, step as u32 | (number as u32) << 2);
    }

    fn name(&mut self, name: Name<'_>) {
        for number in [name.namespace.number(), name.prefix.len(), name.local.len()] {
            push_sparingly(&mut self.steps, number as u32);
        }
        push_text(&mut self.text, name.prefix);
        push_text(&mut self.text, name.local);
    }

    fn begin(&mut self, name: Name<'_>, attributes: &[Attribute<'_>]) {
        self.bare = (attributes.is_empty()).then_some((self.steps.len(), self.text.len()));
        self.step(EnvelopeStep::Open, attributes.len());
        self.name(name);
        for attribute in attributes {
            self.name(attribute.name);
            push_sparingly(&mut self.steps, attribute.value.len() as u32);
            push_text(&mut self.text, &attribute.value);
        }
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
        self.bare = None;
        self.step(EnvelopeStep::Close, 0);
    }

    /// The tree that the steps go around.
    fn tree(&self) -> XmlTree<'_> {
        let mut tree = XmlTree::default();
        let mut steps = EnvelopeSteps {
            steps: self.steps.iter(),
            text: &self.text,
        };
        while steps.take(&mut tree) {}
        tree
    }

    /// Whether a container of this kind, of which there may be one, was opened before; the next element is one.
    pub(super) fn stood_before(&mut self, container: Container) -> bool {
        let next = self.next();
        let first = *self.once.entry(container).or_insert(next);
        if first < next {
            self.joined.insert(first);
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
fn without_pieces<'t>(text: &'t str, holes: &[Hole]) -> Cow<'t, str> {
    let is_empty =
        |hole: &Hole| hole.pieces.count == 0 && hole.range.is_empty() && hole.given.is_none();
    if holes.iter().all(is_empty) {
        return Cow::Borrowed(text);
    }
    let length = |hole: &Hole| hole.range.len();
    let outside = text.len() - holes.iter().map(length).sum::<usize>().min(text.len());
    let mut out = String::with_capacity(outside + 8 * holes.len());
    let mut at = 0;
    for hole in holes {
        out.push_str(text.get(at..hole.range.start).unwrap_or_default());
        let ComparedPieces { count, length } = hole.pieces;
        let standing = hole.given.unwrap_or(hole.range.len());
        if standing != length + count.saturating_sub(1) {
            out.push_str("null");
        } else if count > 0 {
            out.push_str(&count.to_string());
        }
        at = hole.range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Cow::Owned(out)
}

impl<'x> Job<'x> {
    /// Writes the envelope of the output back and compares it with that of the source.
    ///
    /// What the header keeps of an SBDH beside the three fields of the standard does not count as coming back, but must be
    /// the whole of it.
    pub(super) fn measure_envelope(&mut self, output: &str, holes: &[Hole]) {
        let text = without_pieces(output, holes);
        let mut envelope = std::mem::take(&mut self.held.envelope);
        let mut lost = std::mem::take(&mut envelope.lost);
        envelope.steps.shrink_to_fit();
        let tree = envelope.tree();
        let found = self.envelope_differences((&envelope, &tree), &mut lost, &text);
        let (found, unmeasured) = match found {
            Ok(found) => found,
            // It was written by this translation.
            Err(error) => (vec![(0, Spot::Element, Some(error))], 0),
        };
        self.held.report.add_unmeasured(unmeasured);
        // Those behind come first, so that the places of the others stay as they are.
        for (element, place, text) in found.into_iter().rev() {
            let mut path = self.root_path().to_owned();
            let element = tree.element(element);
            element.push_path(&envelope.positions, &mut path);
            place.push_to(element, &mut path);
            let note = Note::of(report::MEASURED_DIFFERENCE, path, None, text);
            let at = envelope.notes.get(element.index());
            self.held
                .report
                .insert(at.map_or(usize::MAX, |at| *at as usize), note);
        }
    }

    /// What no rule has foretold, sorted, and how much of what the rules foretold comes back all the same.
    #[expect(
        clippy::type_complexity,
        reason = "places, each with what is to be said"
    )]
    fn envelope_differences(
        &mut self,
        (envelope, tree): (&SourceEnvelope, &XmlTree<'_>),
        lost: &mut Lost,
        text: &str,
    ) -> Result<(Vec<(usize, Spot, Option<String>)>, usize), String> {
        let document = Document::read_text(text).map_err(|error| error.to_string())?;
        let root = document.root();
        let mut prefixes = XmlPrefixes::default();
        if let Some(context) = root.get("@context") {
            prefixes.read(context);
        }
        let mut found = Vec::new();
        if let Some(prefix) = self.unbound_prefix(&mut prefixes) {
            let text = format!("`@context` does not bind the prefix `{prefix}` as it is used");
            found.push((0, Spot::Element, Some(text)));
            self.held.report.add_measured(1);
        }
        if matches!(self.held.root, Root::Event(_)) {
            return Ok((found, 0));
        }
        let mut table = Table::new();
        envelope_names(root, &mut prefixes, &mut self.held.namespaces, &mut table);
        let mut back = Back::new(Names::Table(&table), self.held.family, XmlTree::default());
        back.is_measured = true;
        back.envelope(root, self.held.root == Root::Query);
        let source = tree.root();
        self.held
            .tree_comparison
            .compare_envelopes(source, back.tree.root());
        self.held
            .report
            .add_measured(self.held.tree_comparison.differences.len());
        for difference in &self.held.tree_comparison.differences {
            let element = source.at(difference.element);
            if lost.foretells(difference, source) || envelope.is_joined(element) {
                continue;
            }
            match element.parent().filter(|_| element.local() == PIECES) {
                Some(list) => {
                    let text = "what the output has for the elements of this list is not what was compared with them";
                    found.push((list.index(), Spot::Element, Some(text.to_owned())));
                }
                None => found.push((difference.element, difference.place, None)),
            }
        }
        if let Some(header) = header_not_kept(source, root, &mut self.held.namespaces) {
            self.held.report.add_measured(1);
            if !lost.has(header, Spot::Element) {
                let text = "what is kept of the header is not the whole of it".to_owned();
                found.push((header, Spot::Element, Some(text)));
            }
        }
        sort_stably_by(&mut found, &Ord::cmp);
        Ok((found, lost.unmeasured(source)))
    }

    /// A prefix that the output uses for another namespace than its `@context` binds it to.
    fn unbound_prefix(&mut self, prefixes: &mut XmlPrefixes) -> Option<String> {
        let given = self.held.context.given();
        given.into_iter().find_map(|(prefix, namespace)| {
            let mut table = Table::new();
            let key = format!("{prefix}:a");
            prefixes.add(&key, &mut self.held.namespaces, &mut table);
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
        let mut comparison = TreeComparison::default();
        comparison.compare_extensions(header, tree.root());
        comparison.differences.is_empty()
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
fn read<'t>(text: &'t str, namespaces: &mut Namespaces) -> Option<XmlTree<'t>> {
    let mut reader = XmlReader::new(text).ok()?;
    let Token::Start { name, offset } = reader.next(namespaces).ok()? else {
        return None;
    };
    let mut tree = XmlTree::default();
    tree.read(&mut reader, namespaces, name, offset).ok()?;
    Some(tree)
}
