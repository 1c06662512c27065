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
use std::marker::PhantomData;

/// Where the pieces of a document start.
#[derive(Debug, Default)]
pub(super) struct Places<'x> {
    pub(super) root: (String, usize),
    scopes: Vec<Scope>,
    events: Vec<Piece>,
    vocabularies: Vec<Vec<Piece>>,
    text: PhantomData<&'x str>,
}

/// What is around a piece.
#[derive(Debug)]
struct Scope {
    path: String,
    bindings: Vec<(String, Namespace)>,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    offset: usize,
    position: u32,
    scope: u32,
}

/// The same, apart from the text it was read from.
#[derive(Debug)]
pub(super) struct Kept {
    root: (String, usize),
    kind: Root,
    scopes: Vec<Scope>,
    events: Vec<Piece>,
    vocabularies: Vec<Vec<Piece>>,
    context: Context,
    namespaces: Namespaces,
}

impl<'x> Places<'x> {
    fn scope(&mut self, path: &str, bindings: &[Binding<'x>]) -> u32 {
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
        bindings: &[Binding<'x>],
        position: u32,
        offset: usize,
    ) {
        let scope = self.scope(path, bindings);
        self.events.push(Piece {
            offset,
            position,
            scope,
        });
    }

    pub(super) fn begin_vocabulary(&mut self) {
        self.vocabularies.push(Vec::new());
    }

    pub(super) fn add_vocabulary_element(
        &mut self,
        path: &str,
        bindings: &[Binding<'x>],
        position: u32,
        offset: usize,
    ) {
        let scope = self.scope(path, bindings);
        if let Some(list) = self.vocabularies.last_mut() {
            list.push(Piece {
                offset,
                position,
                scope,
            });
        }
    }

    pub(super) fn keep(self, kind: Root, context: Context, namespaces: Namespaces) -> Kept {
        Kept {
            root: self.root,
            kind,
            scopes: self.scopes,
            events: self.events,
            vocabularies: self.vocabularies,
            context,
            namespaces,
        }
    }
}

impl Kept {
    /// The place that the value at a JSON Pointer was made from; what no other place is known for is laid to the root.
    pub(super) fn locate(&self, text: &str, pointer: &str) -> Location {
        self.inside(text, pointer).unwrap_or_else(|| {
            let (mut path, offset) = self.root.clone();
            if matches!(pointer, "/creationDate" | "/schemaVersion") {
                path.push_str(&pointer.replace('/', "/@"));
            }
            location(text, path, offset)
        })
    }

    fn inside(&self, text: &str, pointer: &str) -> Option<Location> {
        if let Root::Event(_) = self.kind {
            return self.map_again(text, *self.events.first()?, pointer);
        }
        let list = match self.kind {
            Root::Query => "/epcisBody/queryResults/resultsBody/eventList/",
            _ => "/epcisBody/eventList/",
        };
        if let Some(rest) = pointer.strip_prefix(list) {
            let (number, inner) = split(rest);
            return self.map_again(text, *self.events.get(number?)?, inner);
        }
        let lists = match self.kind {
            Root::Query => "/epcisBody/queryResults/resultsBody/vocabularyList/",
            _ => "/epcisHeader/epcisMasterData/vocabularyList/",
        };
        let (number, inner) = split(pointer.strip_prefix(lists)?);
        let list = self.vocabularies.get(number?)?;
        let (number, inner) = split(inner.strip_prefix("/vocabularyElementList/")?);
        self.map_again(text, *list.get(number?)?, inner)
    }

    fn map_again(&self, text: &str, piece: Piece, pointer: &str) -> Option<Location> {
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
        let mut reader = Reader::at(text, piece.offset, &bindings);
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
        Some(location(text, path, element.offset()))
    }
}

/// The number at the start of a pointer without its slash, and what follows it.
fn split(pointer: &str) -> (Option<usize>, &str) {
    let end = pointer.find('/').unwrap_or(pointer.len());
    let (number, rest) = pointer.split_at_checked(end).unwrap_or((pointer, ""));
    (number.parse().ok(), rest)
}

/// A place with its line and column, both counted from 1, the column in bytes.
pub(super) fn location(text: &str, path: String, offset: usize) -> Location {
    let before = text
        .as_bytes()
        .get(..offset.min(text.len()))
        .unwrap_or_default();
    let (line, column) = crate::json::line_and_column(before);
    Location { path, line, column }
}
