//! From a JSON Pointer into the output to the place in the source that it was made from.
//!
//! The piece that a pointer leads into is mapped once more, with a trace of what each value was made from: in a stream while it is
//! there, of a whole document by going through it again. Only who asks for a place pays for it.

use super::envelope::{Child, Container, Holder};
use super::findings::Findings;
use super::kinds::Root;
use super::lines::{LineCounter, Start};
use super::output_context::OutputContext;
use super::reader::{Fault, Pass, Reader};
use super::walk::{Step, Walk};
use super::write::JsonWriter;
use super::xml_to_json::Mapper;
use crate::error::Location;
use crate::json::{Document, Elements, Kind, Value};
use crate::validate::{EVENT_LIST, QUERY_EVENT_LIST};
use std::collections::BTreeMap;

/// What is needed to find the places of a document that was translated, beside its text.
#[derive(Debug)]
pub(super) struct KeptPlaces {
    /// The place of the document element.
    pub(super) root: Location,
    /// What that is.
    pub(super) kind: Root,
    pub(super) context: OutputContext,
}

/// Which piece of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Which {
    /// The number of the event.
    Event(usize),
    /// The number of the vocabulary, and of the element in it.
    VocabularyElement(usize, usize),
}

/// The pointers into each piece, each with its number among all.
type Wanted<'p> = BTreeMap<Which, Vec<(usize, &'p str)>>;

impl KeptPlaces {
    /// The place that the value at a JSON Pointer was made from; what no other place is known for is laid to the root.
    pub(super) fn locate(&self, text: &str, pointer: &str) -> Location {
        let place = self.locate_all(text, [pointer]).pop();
        place.unwrap_or_else(|| self.root_place(pointer))
    }

    /// The places of several values, in their order; the document is gone through once.
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
        // It was read to its end before.
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
        while !wanted.is_empty() {
            let which = match walk.step(&mut pass)? {
                Step::End | Step::More => return Ok(()),
                Step::Enter(container) if container == Container::of(Holder::Vocabulary) => {
                    (lists, elements) = (lists + 1, 0);
                    continue;
                }
                Step::Piece(Child::Event(_)) => {
                    events += 1;
                    Which::Event(events - 1)
                }
                Step::Piece(Child::VocabularyElement) => {
                    elements += 1;
                    Which::VocabularyElement(lists.saturating_sub(1), elements - 1)
                }
                _ => continue,
            };
            let Some(here) = wanted.remove(&which) else {
                continue;
            };
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

    /// The piece that a pointer leads into, and the rest of the pointer.
    fn piece<'p>(&self, pointer: &'p str) -> Option<(Which, &'p str)> {
        if let Root::Event(_) = self.kind {
            return Some((Which::Event(0), pointer));
        }
        let entry = |list: &str| pointer.strip_prefix(list)?.strip_prefix('/');
        if let Some(rest) = entry(list_of(self.kind)) {
            let (number, inner) = split(rest);
            return Some((Which::Event(number?), inner));
        }
        let (list, inner) = split(entry(match self.kind {
            Root::Query => "/epcisBody/queryResults/resultsBody/vocabularyList",
            _ => "/epcisHeader/epcisMasterData/vocabularyList",
        })?);
        let (number, inner) = split(inner.strip_prefix("/vocabularyElementList/")?);
        Some((Which::VocabularyElement(list?, number?), inner))
    }
}

/// The JSON Pointer to the list of events.
pub(super) fn list_of(root: Root) -> &'static str {
    match root {
        Root::Query => QUERY_EVENT_LIST,
        _ => EVENT_LIST,
    }
}

/// The paths of what pointers into the piece that was read last lead to, and how many bytes of the text stand before each.
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
        findings: &mut Findings::default(),
    };
    match super::kinds::EventKind::of(tree.root().local()) {
        Some(kind) => mapper.event(tree.root(), kind, &[]),
        None => mapper.vocabulary_element(tree.root()),
    }
    let trace = out.trace.unwrap_or_default();
    let piece = walk.path(&pass.reader);
    // It was written just now.
    let document = Document::read_text(&out.text);
    let mut walker = Walker::default();
    pointers
        .map(|pointer| {
            let at = match &document {
                Ok(document) => walker.nearest(document.root(), pointer),
                Err(_) => 0,
            };
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

/// Follows pointers that come in document order: long arrays are gone through once for all of them.
#[derive(Default)]
struct Walker<'d> {
    /// For each array on the way to the newest place: the pointer to it, what of it comes next and its number, and what came
    /// last.
    arrays: Vec<(String, Elements<'d>, usize, Option<Value<'d>>)>,
}

impl<'d> Walker<'d> {
    /// Where the value starts that a pointer leads to; a member that is not there is laid to the object that should have it.
    fn nearest(&mut self, root: Value<'d>, pointer: &str) -> usize {
        let mut value = root;
        let mut depth = 0;
        let mut done = 0;
        for step in pointer.split('/').skip(1) {
            let next = if value.kind() == Kind::Array {
                let before = pointer.get(..done).unwrap_or_default();
                depth += 1;
                step.parse()
                    .ok()
                    .and_then(|number| self.element(depth - 1, before, value, number))
            } else {
                value.get(&step.replace("~1", "/").replace("~0", "~"))
            };
            match next {
                Some(next) => value = next,
                None => break,
            }
            done += step.len() + 1;
        }
        value.offset()
    }

    fn element(
        &mut self,
        depth: usize,
        before: &str,
        array: Value<'d>,
        number: usize,
    ) -> Option<Value<'d>> {
        let is_known = |known: &(String, Elements<'d>, usize, Option<Value<'d>>)| {
            known.0 == before && number + 1 >= known.2
        };
        if !self.arrays.get(depth).is_some_and(is_known) {
            self.arrays.truncate(depth);
            let known = (before.to_owned(), array.elements(), 0, None);
            self.arrays.push(known);
        }
        let (_, elements, next, newest) = self.arrays.get_mut(depth)?;
        if number + 1 > *next {
            *newest = elements.nth(number - *next);
            *next = number + 1;
        }
        *newest
    }
}

/// The number at the start of a pointer without its slash, and what follows it.
fn split(pointer: &str) -> (Option<usize>, &str) {
    let end = pointer.find('/').unwrap_or(pointer.len());
    let (number, rest) = pointer.split_at_checked(end).unwrap_or((pointer, ""));
    (number.parse().ok(), rest)
}
