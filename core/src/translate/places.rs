//! From a JSON Pointer into the output to the place in the source that it was made from.
//!
//! Kept is where each event starts; the way inside of an event is found by mapping that event again, only when asked for.

use super::findings::Findings;
use super::kinds::EventKind;
use super::kinds::Root;
use super::namespace::{Namespace, Namespaces};
use super::output_context::OutputContext;
use super::reader::{Binding, Token, XmlReader};
use super::write::JsonWriter;
use super::xml_to_json::Mapper;
use super::xml_tree::{XmlTree, push_sparingly, push_text};
use crate::error::Location;
use crate::json::{Document, Elements, Kind, Value};

/// How many bytes of paths and declarations are kept to find places with; pieces in others have the place of the document.
///
/// Nearly all documents have one or two of these; those with events in wrappers have as many as wrappers.
const MAX_SCOPES: usize = 8 << 20;

/// Where the pieces of a document start.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) root: Location,
    scopes: PieceScopes,
    events: Vec<PieceStart>,
    /// How many events came before those.
    earlier_events: usize,
    vocabularies: Vec<Vec<PieceStart>>,
    /// What of the scopes is needed for vocabulary elements.
    lasting: Lengths,
    retained: Option<Retained>,
}

/// Of a document that comes in sections: the vocabulary elements, since errors in them show only at its end.
#[derive(Debug, Default)]
struct Retained {
    text: String,
    /// For each vocabulary, where its elements stand in the document.
    starts: Vec<Vec<Start>>,
}

/// What is around pieces.
#[derive(Clone, Debug, Default)]
struct PieceScopes {
    list: Vec<PieceScope>,
    /// The declarations that are in force in some of them.
    bindings: Vec<Vec<(String, Namespace)>>,
    /// About how many bytes all of this takes.
    size: usize,
}

/// How much of some scopes there is.
#[derive(Clone, Copy, Debug, Default)]
struct Lengths {
    scopes: usize,
    bindings: usize,
    size: usize,
}

#[derive(Clone, Debug)]
struct PieceScope {
    path: String,
    /// The number of the declarations.
    bindings: u32,
}

impl PieceScopes {
    /// The number of a scope; one that nothing is known of where there is no room.
    fn number(&mut self, path: &str, bindings: &[Binding<'_>]) -> u32 {
        let is_same = |known: &Vec<(String, Namespace)>| {
            known.len() == bindings.len()
                && known
                    .iter()
                    .zip(bindings)
                    .all(|(a, b)| a.0 == b.prefix && a.1 == b.namespace)
        };
        let is_bound = self.bindings.last().is_some_and(is_same);
        let is_here = |scope: &PieceScope| {
            scope.path == path && scope.bindings as usize + 1 == self.bindings.len()
        };
        if !(is_bound && self.list.last().is_some_and(is_here)) {
            if self.size > MAX_SCOPES {
                return u32::MAX;
            }
            if !is_bound {
                self.size += bindings
                    .iter()
                    .map(|binding| binding.prefix.len() + 32)
                    .sum::<usize>();
                let bindings = bindings
                    .iter()
                    .map(|binding| (binding.prefix.to_owned(), binding.namespace));
                self.bindings.push(bindings.collect());
            }
            self.size += path.len() + 32;
            let scope = PieceScope {
                path: path.to_owned(),
                bindings: self.bindings.len() as u32 - 1,
            };
            push_sparingly(&mut self.list, scope);
        }
        self.list.len() as u32 - 1
    }

    fn lengths(&self) -> Lengths {
        Lengths {
            scopes: self.list.len(),
            bindings: self.bindings.len(),
            size: self.size,
        }
    }

    fn truncate(&mut self, to: Lengths) {
        self.list.truncate(to.scopes);
        self.bindings.truncate(to.bindings);
        self.size = to.size;
    }

    /// A path and what is bound there.
    fn get(&self, number: u32) -> Option<(&str, Vec<Binding<'_>>)> {
        let scope = self.list.get(number as usize)?;
        let bindings = self.bindings.get(scope.bindings as usize)?;
        let bindings = bindings.iter().map(|(prefix, namespace)| Binding {
            prefix,
            namespace: *namespace,
        });
        Some((&scope.path, bindings.collect()))
    }
}

/// Where a piece starts: twelve bytes, for there may be one for every few bytes of a document.
#[derive(Clone, Copy, Debug)]
struct PieceStart {
    /// How many bytes stand before it in the document, or in what was retained of it.
    offset: u32,
    position: u32,
    scope: u32,
}

/// Places, with what they need to be found again, apart from the text.
#[derive(Debug)]
pub(super) struct KeptPlaces {
    places: Places,
    /// What the document element is.
    pub(super) kind: Root,
    context: OutputContext,
    namespaces: Namespaces,
}

impl Places {
    fn piece_start(
        &mut self,
        (path, bindings): (&str, &[Binding<'_>]),
        position: u32,
        offset: usize,
    ) -> PieceStart {
        PieceStart {
            offset: offset as u32,
            position,
            scope: self.scopes.number(path, bindings),
        }
    }

    /// Takes note of an event, of what is around it, and of its number there.
    pub(super) fn begin_event(
        &mut self,
        around: (&str, &[Binding<'_>]),
        position: u32,
        offset: usize,
    ) {
        let piece = self.piece_start(around, position, offset);
        push_sparingly(&mut self.events, piece);
    }

    /// Makes these the places of a document that comes in sections.
    pub(super) fn retain(&mut self) {
        self.retained = Some(Retained::default());
    }

    /// How many bytes are kept until the end of a document that comes in sections.
    pub(super) fn retained_size(&self) -> usize {
        self.retained
            .as_ref()
            .map_or(0, |retained| retained.text.len())
            + self.lasting.size
            + self
                .vocabularies
                .iter()
                .map(|list| 24 * list.len() + 64)
                .sum::<usize>()
    }

    /// Forgets where the events are, at the end of a section of the document.
    pub(super) fn forget_events(&mut self) {
        self.earlier_events += self.events.len();
        self.events.clear();
        self.scopes.truncate(self.lasting);
    }

    /// What is known so far of the places of events.
    pub(super) fn of_events(&self) -> Self {
        Self {
            root: self.root.clone(),
            scopes: self.scopes.clone(),
            events: self.events.clone(),
            earlier_events: self.earlier_events,
            ..Self::default()
        }
    }

    pub(super) fn begin_vocabulary(&mut self) {
        push_sparingly(&mut self.vocabularies, Vec::new());
        if let Some(retained) = &mut self.retained {
            retained.starts.push(Vec::new());
        }
    }

    /// Takes note of a vocabulary element.
    pub(super) fn add_vocabulary_element(
        &mut self,
        around: (&str, &[Binding<'_>]),
        position: u32,
        offset: usize,
    ) {
        let piece = self.piece_start(around, position, offset);
        self.lasting = self.scopes.lengths();
        if let Some(list) = self.vocabularies.last_mut() {
            push_sparingly(list, piece);
        }
    }

    /// Retains the text of the vocabulary element that was added last, when the document comes in sections.
    pub(super) fn retain_element(&mut self, text: &str, start: impl FnOnce() -> Start) {
        let Some(retained) = &mut self.retained else {
            return;
        };
        let list = self.vocabularies.last_mut();
        if let Some(piece) = list.and_then(|list| list.last_mut())
            && let Some(starts) = retained.starts.last_mut()
        {
            piece.offset = retained.text.len() as u32;
            starts.push(start());
            push_text(&mut retained.text, text);
        }
    }

    pub(super) fn keep(
        self,
        kind: Root,
        context: OutputContext,
        namespaces: Namespaces,
    ) -> KeptPlaces {
        KeptPlaces {
            places: self,
            kind,
            context,
            namespaces,
        }
    }
}

impl KeptPlaces {
    /// The place that the value at a JSON Pointer was made from; what no other place is known for is laid to the root.
    pub(super) fn locate(&self, text: &str, pointer: &str) -> Location {
        self.locate_all(text, [pointer])
            .pop()
            .unwrap_or_else(|| self.root_place(pointer))
    }

    /// The places of several values, in their order; a piece that many of them in a row were made from is mapped once.
    pub(super) fn locate_all<'p>(
        &self,
        text: &str,
        pointers: impl IntoIterator<Item = &'p str>,
    ) -> Vec<Location> {
        self.locate_in(text, Start::default(), pointers)
    }

    /// The same for a section of a document that comes in sections, and for events in that section.
    pub(super) fn locate_in<'p>(
        &self,
        text: &str,
        start: Start,
        pointers: impl IntoIterator<Item = &'p str>,
    ) -> Vec<Location> {
        let mut again = Again {
            kept: self,
            text,
            lines: LineCounter::from(start),
            names: None,
        };
        let mut places = Vec::new();
        let mut pointers = pointers.into_iter().peekable();
        while let Some(pointer) = pointers.next() {
            let Some((which, inner)) = self.piece(pointer) else {
                places.push(self.root_place(pointer));
                continue;
            };
            let mut of_piece = vec![(pointer, inner)];
            while let Some(&next) = pointers.peek()
                && let Some((other, inner)) = self.piece(next)
                && other == which
            {
                of_piece.push((next, inner));
                pointers.next();
            }
            match again.places(which, &of_piece) {
                Some(found) => places.extend(found),
                None => places.extend(of_piece.iter().map(|(pointer, _)| self.root_place(pointer))),
            }
        }
        places
    }

    fn root_place(&self, pointer: &str) -> Location {
        let mut root = self.places.root.clone();
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
        let list = match self.kind {
            Root::Query => "/epcisBody/queryResults/resultsBody/eventList/",
            _ => "/epcisBody/eventList/",
        };
        if let Some(rest) = pointer.strip_prefix(list) {
            let (number, inner) = split(rest);
            let number = number?.checked_sub(self.places.earlier_events)?;
            return Some((Which::Event(number), inner));
        }
        let lists = match self.kind {
            Root::Query => "/epcisBody/queryResults/resultsBody/vocabularyList/",
            _ => "/epcisHeader/epcisMasterData/vocabularyList/",
        };
        let (list, inner) = split(pointer.strip_prefix(lists)?);
        let (number, inner) = split(inner.strip_prefix("/vocabularyElementList/")?);
        Some((Which::VocabularyElement(list?, number?), inner))
    }
}

/// Which piece of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// The number of the event.
    Event(usize),
    /// The number of the vocabulary, and of the element in it.
    VocabularyElement(usize, usize),
}

/// Pieces that are mapped once more.
struct Again<'k, 't> {
    kept: &'k KeptPlaces,
    text: &'t str,
    lines: LineCounter,
    /// What names mean, copied once for all pieces.
    names: Option<(Namespaces, OutputContext)>,
}

impl Again<'_, '_> {
    /// The places of pointers into one piece.
    fn places(&mut self, which: Which, pointers: &[(&str, &str)]) -> Option<Vec<Location>> {
        let kept = self.kept;
        let places = &kept.places;
        let (piece, retained) = match which {
            Which::Event(number) => (*places.events.get(number)?, None),
            Which::VocabularyElement(list, number) => {
                let piece = *places.vocabularies.get(list)?.get(number)?;
                let start = match &places.retained {
                    Some(retained) => Some((
                        retained.text.as_str(),
                        *retained.starts.get(list)?.get(number)?,
                    )),
                    None => None,
                };
                (piece, start)
            }
        };
        let offset = piece.offset as usize;
        let (whole, start) = match retained {
            Some((text, start)) => (text, start),
            None => (self.text, self.lines.at(self.text, offset)),
        };
        let text = whole.get(offset..)?;
        let (outer, bindings) = places.scopes.get(piece.scope)?;
        let (namespaces, context) = self
            .names
            .get_or_insert_with(|| (kept.namespaces.clone(), kept.context.clone()));
        let mut reader = XmlReader::at(text, 0, &bindings);
        let Ok(Token::Start { name, offset }) = reader.next(namespaces) else {
            return None;
        };
        let mut tree = XmlTree::default();
        tree.read(&mut reader, namespaces, name, offset).ok()?;
        let mut out = JsonWriter::default();
        out.trace = Some(Vec::new());
        let mut mapper = Mapper {
            namespaces,
            context,
            outer: &bindings,
            out: &mut out,
            findings: &mut Findings::default(),
        };
        match EventKind::of(name.local) {
            Some(kind) => mapper.event(tree.root(), kind, &[]),
            None => mapper.vocabulary_element(tree.root()),
        }
        let document = Document::read(out.text.as_bytes()).ok()?;
        let trace = out.trace?;
        let mut path = outer.to_owned();
        if !matches!(kept.kind, Root::Event(_)) {
            name.push_step(piece.position, &mut path);
        }
        // Counting siblings for each path anew would be quadratic where there are many.
        let positions = if pointers.len() > 8 {
            tree.positions()
        } else {
            Vec::new()
        };
        let mut walker = Walker::default();
        let mut lines = LineCounter::from(start);
        let mut places = Vec::with_capacity(pointers.len());
        for (whole, pointer) in pointers {
            let at = walker.nearest(document.root(), pointer);
            let behind = trace.partition_point(|(offset, _)| *offset <= at);
            let Some((_, (element, place))) = behind.checked_sub(1).and_then(|at| trace.get(at))
            else {
                places.push(kept.root_place(whole));
                continue;
            };
            let element = tree.root().at(*element);
            let mut path = path.clone();
            element.push_path(&positions, &mut path);
            place.push_to(element, &mut path);
            let Start { line, column } = lines.at(text, element.offset());
            places.push(Location { path, line, column });
        }
        Some(places)
    }
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

/// Where in its document a text starts: line and column, both counted from 1, the column in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Default for Start {
    fn default() -> Self {
        Self { line: 1, column: 1 }
    }
}

impl Start {
    /// Where what follows this text starts.
    pub(super) fn after(self, text: &str) -> Self {
        let Location { line, column, .. } = self.location(text, String::new(), text.len());
        Self { line, column }
    }

    /// A place so many bytes into the text.
    pub(super) fn location(self, text: &str, path: String, offset: usize) -> Location {
        // A fault may lie inside of a character.
        let before = text.as_bytes().get(..offset.min(text.len()));
        let (line, column) = crate::json::line_and_column(before.unwrap_or_default());
        let column = if line == 1 {
            self.column + column - 1
        } else {
            column
        };
        let line = self.line + line - 1;
        Location { path, line, column }
    }
}

/// Counts the lines of a text, once as long as places come in its order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineCounter {
    /// Where the text starts in its document.
    pub(super) first: Start,
    /// How many bytes were gone through, and where that is.
    passed: (usize, Start),
}

impl LineCounter {
    /// A counter for a text that starts there.
    pub(super) fn from(first: Start) -> Self {
        let passed = (0, first);
        Self { first, passed }
    }

    /// Where the text goes on behind so many bytes.
    pub(super) fn at(&mut self, text: &str, offset: usize) -> Start {
        if offset < self.passed.0 {
            *self = Self::from(self.first);
        }
        let (passed, start) = self.passed;
        let start = start.after(text.get(passed..offset).unwrap_or_default());
        self.passed = (offset, start);
        start
    }
}
