//! One element with everything below it, in a flat arena that borrows from the text it was read from.
//!
//! An event is one tree; so is whatever else is mapped in one piece, such as a vocabulary element.
//! The calculators that want an event from XML (the event hash) walk the same tree.

use super::characters::is_blank;
use super::namespace::{Name, Namespace, Namespaces};
use super::reader::{Attribute, Binding, Fault, Reader, Token, lookup};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The elements of one tree, in document order.
#[derive(Debug, Default)]
pub(crate) struct Tree<'x> {
    nodes: Vec<Node<'x>>,
    attributes: Vec<Attribute<'x>>,
    declarations: Vec<(u32, Binding<'x>)>,
    open: Vec<u32>,
}

#[derive(Debug, Default)]
struct Node<'x> {
    name: Name<'x>,
    /// All character data directly inside, joined.
    text: Cow<'x, str>,
    /// How much of `text` stands before the first child.
    leading: u32,
    parent: u32,
    /// How many nodes this one and those below it are.
    span: u32,
    first_attribute: u32,
    attributes: u32,
    /// Bytes before it in the source.
    offset: usize,
}

impl<'x> Tree<'x> {
    /// Reads the element whose start tag the reader has just handed out.
    pub(super) fn read(
        &mut self,
        reader: &mut Reader<'x>,
        namespaces: &mut Namespaces,
        name: Name<'x>,
        offset: usize,
    ) -> Result<(), Fault> {
        self.clear();
        self.start(reader, name, offset);
        while !self.open.is_empty() {
            match reader.next(namespaces)? {
                Token::Start { name, offset } => self.start(reader, name, offset),
                Token::End => self.close(),
                Token::Text(text) => self.text(text),
                Token::Eof => break,
            }
        }
        Ok(())
    }

    fn start(&mut self, reader: &mut Reader<'x>, name: Name<'x>, offset: usize) {
        let node = self.nodes.len() as u32;
        if reader.declared > 0 {
            let bindings = reader.bindings();
            let inner = bindings.len() - reader.declared;
            let declared = bindings.get(inner..).unwrap_or_default();
            self.declarations
                .extend(declared.iter().map(|&binding| (node, binding)));
        }
        self.open(name, offset);
        if reader.attributes.is_empty() {
            return;
        }
        if let Some(node) = self.nodes.last_mut() {
            node.attributes = reader.attributes.len() as u32;
        }
        self.attributes.append(&mut reader.attributes);
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.attributes.clear();
        self.declarations.clear();
        self.open.clear();
    }

    /// The same memory, empty, for another text.
    pub(super) fn recycle<'y>(mut self) -> Tree<'y> {
        self.clear();
        // Collecting an emptied vector in place keeps its memory.
        Tree {
            nodes: self.nodes.into_iter().map(|_| Node::default()).collect(),
            attributes: self
                .attributes
                .into_iter()
                .map(|_| Attribute::default())
                .collect(),
            declarations: Vec::new(),
            open: self.open,
        }
    }

    /// Begins an element inside of the innermost open one.
    pub(super) fn open(&mut self, name: Name<'x>, offset: usize) {
        let index = self.nodes.len() as u32;
        let parent = self.open.last().copied().unwrap_or_default();
        self.nodes.push(Node {
            name,
            text: Cow::Borrowed(""),
            leading: 0,
            parent,
            span: 0,
            first_attribute: self.attributes.len() as u32,
            attributes: 0,
            offset,
        });
        self.open.push(index);
    }

    /// Adds an attribute to the element that was opened last.
    pub(super) fn attribute(&mut self, name: Name<'x>, value: Cow<'x, str>) {
        self.attributes.push(Attribute { name, value });
        if let Some(node) = self.nodes.last_mut() {
            node.attributes += 1;
        }
    }

    /// Adds to the text of the innermost open element.
    pub(super) fn text(&mut self, text: Cow<'x, str>) {
        let Some(&index) = self.open.last() else {
            return;
        };
        let last = self.nodes.len() as u32 - 1;
        let Some(node) = self.nodes.get_mut(index as usize) else {
            return;
        };
        let has_child = last > index;
        if has_child && is_blank(&text) && is_blank(&node.text) {
            return;
        }
        match &mut node.text {
            Cow::Borrowed("") => node.text = text,
            there => there.to_mut().push_str(&text),
        }
        if !has_child {
            node.leading = node.text.len() as u32;
        }
    }

    /// Ends the innermost open element.
    pub(super) fn close(&mut self) {
        if let Some(index) = self.open.pop() {
            let span = self.nodes.len() as u32 - index;
            if let Some(node) = self.nodes.get_mut(index as usize) {
                node.span = span;
            }
        }
    }

    /// An element with only text in it.
    pub(super) fn leaf(&mut self, name: Name<'x>, text: Cow<'x, str>) {
        self.open(name, 0);
        self.text(text);
        self.close();
    }

    /// How many elements there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The outermost element.
    pub(crate) fn root(&self) -> Element<'_, 'x> {
        self.element(0)
    }

    /// The outermost elements: one, unless a member of an envelope was an array.
    pub(super) fn roots(&self) -> impl Iterator<Item = Element<'_, 'x>> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let root = self.element(next);
            next += (root.node()?.span as usize).max(1);
            Some(root)
        })
    }

    pub(super) fn element(&self, index: usize) -> Element<'_, 'x> {
        Element { tree: self, index }
    }

    /// For each element its number among the siblings of its name.
    pub(super) fn positions(&self) -> Vec<u32> {
        let mut counts = BTreeMap::new();
        self.nodes
            .iter()
            .map(|node| {
                let key = (node.parent, node.name.namespace, node.name.local);
                let count = counts.entry(key).or_insert(0_u32);
                *count += 1;
                *count
            })
            .collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The innermost element that is not closed yet: where the reader stopped at a fault.
    pub(super) fn innermost_open(&self) -> Option<Element<'_, 'x>> {
        let &index = self.open.last()?;
        Some(self.element(index as usize))
    }

    /// Elements left open by a fault get their spans, so that paths can be told.
    pub(super) fn close_all(&mut self) {
        let innermost = self.open.clone();
        while !self.open.is_empty() {
            self.close();
        }
        self.open = innermost;
    }
}

/// An element of a [`Tree`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'t, 'x> {
    tree: &'t Tree<'x>,
    index: usize,
}

impl<'t, 'x> Element<'t, 'x> {
    fn node(self) -> Option<&'t Node<'x>> {
        self.tree.nodes.get(self.index)
    }

    /// Another element of the same tree, by its number.
    pub(super) fn at(self, index: usize) -> Self {
        self.tree.element(index)
    }

    /// Its number in the tree, in document order.
    pub(crate) fn index(self) -> usize {
        self.index
    }

    pub(crate) fn name(self) -> Name<'x> {
        self.node().map(|node| node.name).unwrap_or_default()
    }

    pub(crate) fn local(self) -> &'x str {
        self.name().local
    }

    pub(crate) fn namespace(self) -> Namespace {
        self.name().namespace
    }

    pub(crate) fn is_standard(self) -> bool {
        self.namespace().is_standard()
    }

    /// Whether this is the standard's element of this name.
    pub(crate) fn is(self, local: &str) -> bool {
        self.local() == local && self.is_standard()
    }

    /// All character data directly inside, joined.
    pub(crate) fn text(self) -> &'t str {
        self.node().map_or("", |node| &node.text)
    }

    /// The character data before the first child: what the event hash takes.
    pub(crate) fn leading_text(self) -> &'t str {
        let leading = self.node().map_or(0, |node| node.leading as usize);
        self.text().get(..leading).unwrap_or_default()
    }

    pub(crate) fn has_children(self) -> bool {
        self.node().is_some_and(|node| node.span > 1)
    }

    pub(super) fn offset(self) -> usize {
        self.node().map_or(0, |node| node.offset)
    }

    pub(crate) fn attributes(self) -> &'t [Attribute<'x>] {
        let range = self.node().map_or(0..0, |node| {
            let first = node.first_attribute as usize;
            first..first + node.attributes as usize
        });
        self.tree.attributes.get(range).unwrap_or_default()
    }

    /// The attribute of this name in no namespace.
    pub(crate) fn attribute(self, local: &str) -> Option<&'t str> {
        self.attributes()
            .iter()
            .find(|attribute| {
                attribute.name.local == local && attribute.name.namespace == Namespace::NONE
            })
            .map(|attribute| &*attribute.value)
    }

    /// Whether `xsi:nil` says that there is no value.
    pub(super) fn is_nil(self) -> bool {
        self.attributes().iter().any(|attribute| {
            attribute.name.namespace == Namespace::XSI
                && attribute.name.local == "nil"
                && matches!(attribute.value.trim(), "true" | "1")
        })
    }

    pub(crate) fn children(self) -> impl Iterator<Item = Element<'t, 'x>> + use<'t, 'x> {
        let tree = self.tree;
        let end = self.index + self.node().map_or(0, |node| node.span as usize);
        let mut next = self.index + 1;
        std::iter::from_fn(move || {
            if next >= end {
                return None;
            }
            let child = tree.element(next);
            next += child.node().map_or(1, |node| (node.span as usize).max(1));
            Some(child)
        })
    }

    pub(super) fn parent(self) -> Option<Element<'t, 'x>> {
        let node = self.node()?;
        (self.index > 0).then(|| self.tree.element(node.parent as usize))
    }

    /// Whether `other` is this element or stands below it.
    pub(super) fn holds(self, other: usize) -> bool {
        let span = self.node().map_or(0, |node| node.span as usize);
        (self.index..self.index + span).contains(&other)
    }

    /// What a prefix means here; `outer` are the declarations in force outside of the tree.
    pub(super) fn lookup(self, prefix: &str, outer: &[Binding<'_>]) -> Option<Namespace> {
        let mut at = Some(self);
        while let Some(element) = at {
            let found = element
                .declarations()
                .iter()
                .find(|(_, binding)| binding.prefix == prefix);
            if let Some((_, binding)) = found {
                return Some(binding.namespace);
            }
            at = element.parent();
        }
        lookup(outer, prefix)
    }

    pub(super) fn declarations(self) -> &'t [(u32, Binding<'x>)] {
        let all = &self.tree.declarations;
        let index = self.index as u32;
        let start = all.partition_point(|&(node, _)| node < index);
        let end = all.partition_point(|&(node, _)| node <= index);
        all.get(start..end).unwrap_or_default()
    }

    /// Appends the path from the outermost element of the tree, that one left out.
    pub(super) fn push_path(self, path: &mut String) {
        self.push_path_by(&[], path);
    }

    /// The same with the positions of [`Tree::positions`]; those that are missing or zero are counted.
    pub(super) fn push_path_by(self, positions: &[u32], path: &mut String) {
        let Some(parent) = self.parent() else { return };
        parent.push_path_by(positions, path);
        let name = self.name();
        let counted = || {
            let before = parent
                .children()
                .take_while(|other| other.index <= self.index);
            before.filter(|other| other.name().same_as(&name)).count() as u32
        };
        let known = positions.get(self.index).copied();
        let position = known.filter(|&known| known > 0).unwrap_or_else(counted);
        path.push('/');
        name.push_to(path);
        // Writing to a string does not fail.
        let _ = write!(path, "[{position}]");
    }
}
