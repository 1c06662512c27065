//! From a JSON Pointer into the output to the place in the source that it was made from.
//!
//! Kept is where each event starts; the way inside of an event is found by mapping that event again, only when asked for.

use super::context::Context;
use super::document::Root;
use super::map::{EventKind, Mapper};
use super::namespace::{Namespace, Namespaces};
use super::reader::{Binding, Reader, Token};
use super::tree::Tree;
use super::write::Writer;
use crate::error::Location;
use crate::json::Document;
use std::fmt::Write as _;

/// Where the pieces of a document start.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) root: Location,
    scopes: Vec<Scope>,
    events: Vec<Piece>,
    /// How many events came before those.
    earlier_events: usize,
    vocabularies: Vec<Vec<Piece>>,
    /// How many of the scopes are needed for vocabulary elements.
    lasting_scopes: usize,
    /// Of a document that comes in pieces: the vocabulary elements, since errors in them show only at its end.
    retained: Option<String>,
}

/// What is around a piece.
#[derive(Clone, Debug)]
struct Scope {
    path: String,
    bindings: Vec<(String, Namespace)>,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    offset: usize,
    position: u32,
    scope: u32,
    /// Where it stands in the document, when its offset is one into what was retained.
    start: Option<Start>,
}

/// The same, apart from the text it was read from.
#[derive(Debug)]
pub(super) struct Kept {
    root: Location,
    kind: Root,
    scopes: Vec<Scope>,
    events: Vec<Piece>,
    earlier_events: usize,
    vocabularies: Vec<Vec<Piece>>,
    retained: Option<String>,
    context: Context,
    namespaces: Namespaces,
}

impl Places {
    fn scope(&mut self, path: &str, bindings: &[Binding<'_>]) -> u32 {
        let same = self.scopes.last().is_some_and(|scope| {
            scope.path == path
                && scope.bindings.len() == bindings.len()
                && scope
                    .bindings
                    .iter()
                    .zip(bindings)
                    .all(|(a, b)| a.0 == b.prefix && a.1 == b.namespace)
        });
        if !same {
            let bindings = bindings
                .iter()
                .map(|binding| (binding.prefix.to_owned(), binding.namespace))
                .collect();
            let path = path.to_owned();
            self.scopes.push(Scope { path, bindings });
        }
        self.scopes.len() as u32 - 1
    }

    pub(super) fn begin_event(
        &mut self,
        path: &str,
        bindings: &[Binding<'_>],
        position: u32,
        offset: usize,
    ) {
        let scope = self.scope(path, bindings);
        self.events.push(Piece {
            offset,
            position,
            scope,
            start: None,
        });
    }

    /// Makes these the places of a document that comes in pieces.
    pub(super) fn retain(&mut self) {
        self.retained = Some(String::new());
    }

    /// How many bytes are kept until the end of a document that comes in pieces.
    pub(super) fn retained_size(&self) -> usize {
        self.retained.as_ref().map_or(0, String::len)
            + self.lasting_scopes * 1024
            + self
                .vocabularies
                .iter()
                .map(|list| 24 * list.len())
                .sum::<usize>()
    }

    /// Forgets where the events are, at the end of a piece of the document.
    pub(super) fn forget_events(&mut self) {
        self.earlier_events += self.events.len();
        self.events.clear();
        self.scopes.truncate(self.lasting_scopes);
    }

    /// What is known so far.
    pub(super) fn so_far(&self, kind: Root, context: &Context, namespaces: &Namespaces) -> Kept {
        Kept {
            root: self.root.clone(),
            kind,
            scopes: self.scopes.clone(),
            events: self.events.clone(),
            earlier_events: self.earlier_events,
            vocabularies: Vec::new(),
            retained: None,
            context: context.clone(),
            namespaces: namespaces.clone(),
        }
    }

    pub(super) fn begin_vocabulary(&mut self) {
        self.vocabularies.push(Vec::new());
    }

    /// Takes note of a vocabulary element.
    pub(super) fn add_vocabulary_element(
        &mut self,
        (path, bindings): (&str, &[Binding<'_>]),
        position: u32,
        offset: usize,
    ) {
        let scope = self.scope(path, bindings);
        self.lasting_scopes = self.scopes.len();
        if let Some(list) = self.vocabularies.last_mut() {
            list.push(Piece {
                offset,
                position,
                scope,
                start: None,
            });
        }
    }

    /// Retains the text of the vocabulary element that was added last, when the document comes in pieces.
    pub(super) fn retain_element(&mut self, text: &str, start: impl FnOnce() -> Start) {
        let Some(retained) = &mut self.retained else {
            return;
        };
        if let Some(piece) = self
            .vocabularies
            .last_mut()
            .and_then(|list| list.last_mut())
        {
            piece.offset = retained.len();
            piece.start = Some(start());
            retained.push_str(text);
        }
    }

    pub(super) fn keep(self, kind: Root, context: Context, namespaces: Namespaces) -> Kept {
        Kept {
            root: self.root,
            kind,
            scopes: self.scopes,
            events: self.events,
            earlier_events: self.earlier_events,
            vocabularies: self.vocabularies,
            retained: self.retained,
            context,
            namespaces,
        }
    }
}

impl Kept {
    /// What the document element is.
    pub(super) fn kind(&self) -> Root {
        self.kind
    }

    /// The place that the value at a JSON Pointer was made from; what no other place is known for is laid to the root.
    pub(super) fn locate(&self, text: &str, pointer: &str) -> Location {
        self.locate_in(text, Start::default(), pointer)
    }

    /// The same for a piece of a document that comes in pieces, and for events in that piece.
    pub(super) fn locate_in(&self, text: &str, start: Start, pointer: &str) -> Location {
        self.inside(text, start, pointer).unwrap_or_else(|| {
            let mut root = self.root.clone();
            if matches!(pointer, "/creationDate" | "/schemaVersion") {
                root.path.push_str(&pointer.replace('/', "/@"));
            }
            root
        })
    }

    fn inside(&self, text: &str, start: Start, pointer: &str) -> Option<Location> {
        if let Root::Event(_) = self.kind {
            return self.map_again((text, start), *self.events.first()?, pointer);
        }
        let list = match self.kind {
            Root::Query => "/epcisBody/queryResults/resultsBody/eventList/",
            _ => "/epcisBody/eventList/",
        };
        if let Some(rest) = pointer.strip_prefix(list) {
            let (number, inner) = split(rest);
            let number = number?.checked_sub(self.earlier_events)?;
            return self.map_again((text, start), *self.events.get(number)?, inner);
        }
        let lists = match self.kind {
            Root::Query => "/epcisBody/queryResults/resultsBody/vocabularyList/",
            _ => "/epcisHeader/epcisMasterData/vocabularyList/",
        };
        let (number, inner) = split(pointer.strip_prefix(lists)?);
        let list = self.vocabularies.get(number?)?;
        let (number, inner) = split(inner.strip_prefix("/vocabularyElementList/")?);
        let text = self.retained.as_deref().unwrap_or(text);
        self.map_again((text, start), *list.get(number?)?, inner)
    }

    fn map_again(
        &self,
        (text, start): (&str, Start),
        piece: Piece,
        pointer: &str,
    ) -> Option<Location> {
        let before = text.get(..piece.offset)?;
        let start = piece.start.unwrap_or_else(|| start.after(before));
        let text = text.get(piece.offset..)?;
        let scope = self.scopes.get(piece.scope as usize)?;
        let bindings: Vec<Binding<'_>> = scope
            .bindings
            .iter()
            .map(|(prefix, namespace)| Binding {
                prefix,
                namespace: *namespace,
            })
            .collect();
        let mut namespaces = self.namespaces.clone();
        let mut context = self.context.clone();
        let mut reader = Reader::at(text, 0, &bindings);
        let Ok(Token::Start { name, offset }) = reader.next(&mut namespaces) else {
            return None;
        };
        let mut tree = Tree::default();
        tree.read(&mut reader, &mut namespaces, name, offset).ok()?;
        let mut out = Writer::default();
        out.trace = Some(Vec::new());
        let mut mapper = Mapper {
            namespaces: &namespaces,
            context: &mut context,
            outer: &bindings,
            out: &mut out,
            findings: &mut Vec::new(),
        };
        match EventKind::of(name.local) {
            Some(kind) => mapper.event(tree.root(), kind, &[]),
            None => mapper.vocabulary_element(tree.root()),
        }
        let document = Document::read(out.text.as_bytes()).ok()?;
        // A member that is not there is laid to the object that should have it.
        let mut pointer = pointer;
        let at = loop {
            match document.root().pointer(pointer) {
                Some(value) => break value.offset(),
                None => pointer = pointer.rsplit_once('/')?.0,
            }
        };
        let trace = out.trace?;
        let (_, (element, place)) = trace.iter().rev().find(|(offset, _)| *offset <= at)?;
        let element = tree.root().at(*element);
        let mut path = scope.path.clone();
        if !matches!(self.kind, Root::Event(_)) {
            path.push('/');
            name.push_to(&mut path);
            // Writing to a string does not fail.
            let _ = write!(path, "[{}]", piece.position);
        }
        element.push_path(&mut path);
        place.push_to(element, &mut path);
        Some(start.location(text, path, element.offset()))
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
    line: usize,
    column: usize,
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
