//! Finds the place in the source XML that the value at a JSON Pointer into the output was made from.
//!
//! The piece that the pointer leads into is mapped once more, with a trace of the source of each value. In a stream this
//! happens while the piece is in memory; a whole document is read again. Translations without errors do not pay for it.

use super::envelope::{Child, Container, EnvelopeNode};
use super::findings::PieceFindings;
use super::kinds::Root;
use super::lines::{LineCounter, Start};
use super::output_context::OutputContext;
use super::reader::{Fault, Pass, Reader};
use super::walk::{Step, Walk};
use super::write::JsonWriter;
use super::xml_to_json::Mapper;
use crate::validate::{EVENT_LIST, QUERY_EVENT_LIST};
use epcis_edge_text::error::Location;
use epcis_edge_text::json::{Document, Value};
use epcis_edge_text::slice::Known;
use std::collections::BTreeMap;

/// The data kept, beside its text, to find places in a translated document.
#[derive(Debug)]
pub(super) struct KeptPlaces {
    /// The place of the document element.
    pub(super) root: Location,
    /// The kind of the document element.
    pub(super) kind: Root,
    pub(super) context: OutputContext,
}

/// The number of a piece in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PieceNumber {
    /// The number of the event.
    Event(usize),
    /// The number of the vocabulary, and of the element in it.
    VocabularyElement(usize, usize),
}

/// The pointers into each piece, relative to it, each with its index in the list of all pointers.
type Wanted<'p> = BTreeMap<PieceNumber, Vec<(usize, &'p str)>>;

impl KeptPlaces {
    /// Returns the place that the value at a JSON Pointer was made from; the document element if no other place is known.
    pub(super) fn locate(&self, text: &str, pointer: &str) -> Location {
        let place = self.locate_all(text, [pointer]).pop();
        place.unwrap_or_else(|| self.root_place(pointer))
    }

    /// Returns the places of several values, in their order; the document is read once.
    pub(super) fn locate_all<'p>(
        &self,
        text: &str,
        pointers: impl IntoIterator<Item = &'p str>,
    ) -> Vec<Location> {
        let mut places = Vec::new();
        let mut wanted = Wanted::new();
        for (number, pointer) in pointers.into_iter().enumerate() {
            places.push(self.root_place(pointer));
            if let Some((which, inner)) = self.piece(pointer) {
                wanted.entry(which).or_default().push((number, inner));
            }
        }
        // The document was read to its end before, so this does not fail.
        let _ = self.find(text, wanted, &mut places);
        places
    }

    fn find(
        &self,
        text: &str,
        mut wanted: Wanted<'_>,
        places: &mut [Location],
    ) -> Result<(), Fault> {
        let mut context = self.context.clone();
        let mut walk = Walk::default();
        let mut pass = Pass::new(Reader::default(), text, true);
        let mut lines = LineCounter::default();
        let (mut events, mut lists, mut elements) = (0, 0_usize, 0);
        pass.look()?;
        let mut missing = wanted.len();
        while missing > 0 {
            let which = match walk.step(&mut pass)? {
                Step::End | Step::More => return Ok(()),
                Step::Enter(container) if container == Container::of(EnvelopeNode::Vocabulary) => {
                    (lists, elements) = (lists + 1, 0);
                    continue;
                }
                Step::Piece(Child::Event(_)) => {
                    events += 1;
                    PieceNumber::Event(events - 1)
                }
                Step::Piece(Child::VocabularyElement) => {
                    elements += 1;
                    PieceNumber::VocabularyElement(lists.saturating_sub(1), elements - 1)
                }
                _ => continue,
            };
            let Some(here) = taken(wanted.get_mut(&which)) else {
                continue;
            };
            missing -= 1;
            let pointers = here.iter().map(|(_, pointer)| *pointer);
            let found = places_in(&walk, &pass, &mut context, pointers);
            for ((number, _), (path, offset)) in here.iter().zip(found) {
                let Start { line, column } = lines.at(text, offset);
                if let Some(place) = places.get_mut(*number) {
                    *place = Location { path, line, column };
                }
            }
        }
        Ok(())
    }

    pub(super) fn root_place(&self, pointer: &str) -> Location {
        let mut root = self.root.clone();
        if matches!(pointer, "/creationDate" | "/schemaVersion") {
            root.path.push_str(&pointer.replace('/', "/@"));
        }
        root
    }

    /// Returns the piece that a pointer leads into, and the rest of the pointer.
    fn piece<'p>(&self, pointer: &'p str) -> Option<(PieceNumber, &'p str)> {
        if let Root::Event(_) = self.kind {
            return Some((PieceNumber::Event(0), pointer));
        }
        let entry = |list: &str| pointer.strip_prefix(list)?.strip_prefix('/');
        if let Some(rest) = entry(list_of(self.kind)) {
            let (number, inner) = split(rest);
            return Some((PieceNumber::Event(number?), inner));
        }
        let (list, inner) = split(entry(match self.kind {
            Root::Query => "/epcisBody/queryResults/resultsBody/vocabularyList",
            _ => "/epcisHeader/epcisMasterData/vocabularyList",
        })?);
        let (number, inner) = split(inner.strip_prefix("/vocabularyElementList/")?);
        Some((PieceNumber::VocabularyElement(list?, number?), inner))
    }
}

/// The JSON Pointer to the list of events.
pub(super) fn list_of(root: Root) -> &'static str {
    match root {
        Root::Query => QUERY_EVENT_LIST,
        _ => EVENT_LIST,
    }
}

/// Returns the path and the byte offset in the text that each pointer into the piece read last leads to.
pub(super) fn places_in<'p>(
    walk: &Walk,
    pass: &Pass<'_>,
    context: &mut OutputContext,
    pointers: impl Iterator<Item = &'p str>,
) -> Vec<(String, usize)> {
    let tree = &walk.tree;
    let mut out = JsonWriter::default();
    out.trace = Some(Vec::new());
    let mut mapper = Mapper {
        namespaces: &walk.namespaces,
        context,
        outer: pass.bindings(),
        out: &mut out,
        findings: &mut PieceFindings::default(),
    };
    match super::kinds::EventKind::of(tree.root().local()) {
        Some(kind) => mapper.event(tree.root(), kind, &[]),
        None => mapper.vocabulary_element(tree.root()),
    }
    let trace = out.trace.known();
    let piece = walk.path(&pass.reader);
    let wanted: Vec<(&str, usize)> = pointers.enumerate().map(|(at, rest)| (rest, at)).collect();
    let mut starts = vec![0; wanted.len()];
    // The text was written just now, so it is well-formed.
    if let Ok(document) = Document::read_text(&out.text) {
        find_nearest(document.root(), wanted, &mut starts);
    }
    starts
        .into_iter()
        .map(|at| {
            let behind = trace.partition_point(|(offset, _)| *offset <= at);
            let origin = behind.checked_sub(1).and_then(|at| trace.get(at));
            let mut path = piece.clone();
            let Some((_, (element, place))) = origin else {
                return (path, walk.start);
            };
            let element = tree.element(*element);
            element.push_path(&mut path);
            place.push_to(element, &mut path);
            (path, walk.start + element.offset())
        })
        .collect()
}

/// Records the start of the value that each pointer leads to, by the number of the pointer. A missing member is located at
/// the object that should contain it.
fn find_nearest<'p>(value: Value<'_>, wanted: Vec<(&'p str, usize)>, starts: &mut [usize]) {
    let mut inside: BTreeMap<String, Vec<(&'p str, usize)>> = BTreeMap::new();
    for (rest, number) in wanted {
        if let Some(start) = starts.get_mut(number) {
            *start = value.offset();
        }
        if let Some(rest) = rest.strip_prefix('/') {
            let (step, rest) =
                rest.split_at_checked(rest.find('/').unwrap_or(rest.len())).unwrap_or((rest, ""));
            let step = step.replace("~1", "/").replace("~0", "~");
            inside.entry(step).or_default().push((rest, number));
        }
    }
    for (name, member) in value.members() {
        if let Some(wanted) = taken(inside.get_mut(&*name.to_cow())) {
            find_nearest(member, wanted, starts);
        }
    }
    let mut missing = inside.len();
    for (number, element) in value.elements().enumerate() {
        if missing == 0 {
            return;
        }
        if let Some(wanted) = taken(inside.get_mut(&number.to_string())) {
            missing -= 1;
            find_nearest(element, wanted, starts);
        }
    }
}

/// Takes the list out of a map entry; a second call finds it empty. Removing the entry itself would add five kilobytes of code.
fn taken<T>(wanted: Option<&mut Vec<T>>) -> Option<Vec<T>> {
    wanted.map(std::mem::take).filter(|list| !list.is_empty())
}

/// Splits a pointer without its leading slash into the number at its start and the rest.
fn split(pointer: &str) -> (Option<usize>, &str) {
    let end = pointer.find('/').unwrap_or(pointer.len());
    let (number, rest) = pointer.split_at_checked(end).unwrap_or((pointer, ""));
    (number.parse().ok(), rest)
}
