//! One element with everything below it, in a flat arena that borrows from the text it was read from.
//!
//! An event is one tree; so is whatever else is mapped in one piece, such as a vocabulary element.
//! The calculators that want an event from XML (the event hash) walk the same tree.

use super::characters::{has_escapes, is_blank, trimmed};
use super::limits::MAX_ELEMENTS;
use super::namespace::{Name, Namespace, Namespaces};
use super::reader::{Attribute, Binding, Fault, Token, XmlReader, lookup};
use super::value::boolean;
use crate::error::XmlFault;
use crate::order::sort_numbers;
use crate::window::are_same;
use std::borrow::Cow;

/// The elements of one tree, in document order.
///
/// An element takes 24 bytes, and more only for a name, a text or attributes of its own: a tree has to fit beside its
/// document where memory is 128 MB.
#[derive(Debug, Default)]
pub(crate) struct XmlTree<'x> {
    nodes: Vec<Node>,
    /// The names of elements; one that was met lately is not there twice.
    names: Vec<Name<'x>>,
    /// Where names were put, by what they look like.
    met: Met,
    texts: Vec<TextOf<'x>>,
    attributes: Vec<Attribute<'x>>,
    declarations: Vec<(u32, Binding<'x>)>,
    open: Vec<u32>,
    /// How many bytes of its texts do not lie in the text that it was read from.
    owned: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    name: u32,
    /// The number of its text, counted from 1; zero where it has none.
    text: u32,
    parent: u32,
    /// How many nodes this one and those below it are.
    span: u32,
    /// Its attributes end where those of the next node begin.
    first_attribute: u32,
    /// Bytes before it in the source.
    offset: u32,
}

/// The character data of an element.
#[derive(Debug, Default)]
struct TextOf<'x> {
    /// All that stands directly inside, joined.
    text: Cow<'x, str>,
    /// How much of it stands before the first child.
    leading: u32,
}

/// The names that were met last, so that elements of one name share it.
#[derive(Clone, Copy, Debug)]
struct Met([u32; 256]);

impl Default for Met {
    fn default() -> Self {
        Self([u32::MAX; 256])
    }
}

/// From how many elements on a list is large.
const LARGE: usize = 1 << 14;

/// Adds to a list that may be a large part of the memory there is: it grows by a quarter, not to the double.
pub(super) fn push_sparingly<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() && list.len() >= LARGE {
        list.reserve_exact(list.len() / 4);
    }
    list.push(item);
}

/// The same for a text.
pub(super) fn push_text(text: &mut String, more: &str) {
    if text.capacity() - text.len() < more.len() && text.len() >= 16 * LARGE {
        text.reserve_exact(more.len().max(text.len() / 4));
    }
    text.push_str(more);
}

impl<'x> XmlTree<'x> {
    /// Reads the element whose start tag the reader has just handed out.
    pub(super) fn read(
        &mut self,
        reader: &mut XmlReader<'x>,
        namespaces: &mut Namespaces,
        name: Name<'x>,
        offset: usize,
    ) -> Result<(), Fault> {
        self.clear();
        self.start(reader, name, offset);
        while !self.open.is_empty() {
            match reader.next(namespaces)? {
                Token::Start { name, offset } => {
                    self.start(reader, name, offset);
                    if self.nodes.len() == LARGE {
                        self.foresee(reader.rest());
                    }
                    if self.items() > MAX_ELEMENTS {
                        let limit = MAX_ELEMENTS;
                        return Err((XmlFault::Elements { limit }, offset));
                    }
                }
                Token::End => self.close(),
                Token::Text(text) => self.text(text),
                Token::Eof => break,
            }
        }
        Ok(())
    }

    /// Makes room for as much as there will be if the rest of the document, of so many bytes, goes on like this: a list that
    /// grows in steps leaves holes behind that nothing else fits in.
    fn foresee(&mut self, rest: usize) {
        let offset = |node: Option<&Node>| node.map_or(0, |node| node.offset as usize);
        let seen = offset(self.nodes.last()) - offset(self.nodes.first());
        let more = |count: usize| (count * (rest / seen.max(1)) + count).min(MAX_ELEMENTS);
        let attributes = more(self.attributes.len());
        self.nodes
            .reserve_exact(more(self.nodes.len()).min(rest / 4));
        self.texts
            .reserve_exact(more(self.texts.len()).min(rest / 5));
        self.attributes.reserve_exact(attributes.min(rest / 5));
    }

    /// Makes room for as much as there is in another tree, if that is much.
    pub(super) fn reserve_like(&mut self, other: &XmlTree<'_>) {
        if other.nodes.len() >= LARGE {
            self.nodes.reserve_exact(other.nodes.len());
            self.texts.reserve_exact(other.texts.len());
            self.attributes.reserve_exact(other.attributes.len());
        }
    }

    fn start(&mut self, reader: &mut XmlReader<'x>, name: Name<'x>, offset: usize) {
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
        for attribute in reader.attributes.drain(..) {
            push_sparingly(&mut self.attributes, attribute);
        }
    }

    pub(super) fn clear(&mut self) {
        // What one large piece took is not kept for the small ones behind it.
        const KEPT: usize = 1 << 15;
        fn empty<T>(list: &mut Vec<T>) {
            list.clear();
            list.shrink_to(KEPT);
        }
        empty(&mut self.nodes);
        empty(&mut self.names);
        empty(&mut self.texts);
        empty(&mut self.attributes);
        empty(&mut self.declarations);
        self.met = Met::default();
        self.open.clear();
        self.owned = 0;
    }

    /// The same memory, empty, for another text.
    pub(super) fn recycle<'y>(mut self) -> XmlTree<'y> {
        self.clear();
        // Collecting an emptied vector in place keeps its memory.
        XmlTree {
            nodes: self.nodes,
            names: self.names.into_iter().map(|_| Name::default()).collect(),
            met: self.met,
            texts: self.texts.into_iter().map(|_| TextOf::default()).collect(),
            attributes: self
                .attributes
                .into_iter()
                .map(|_| Attribute::default())
                .collect(),
            declarations: Vec::new(),
            open: self.open,
            owned: 0,
        }
    }

    /// The number of a name.
    fn name(&mut self, name: Name<'x>) -> u32 {
        let ends = [name.local.as_bytes().first(), name.local.as_bytes().last()];
        let ends = ends.map(|byte| usize::from(byte.copied().unwrap_or_default()));
        let look = name.local.len() * 7 + ends[0] * 3 + ends[1] * 5 + name.namespace.number() * 11;
        let Some(slot) = self.met.0.get_mut(look % 256) else {
            return 0;
        };
        if let Some(there) = self.names.get(*slot as usize)
            && there.same_as(&name)
            && are_same(there.prefix.as_bytes(), name.prefix.as_bytes())
        {
            return *slot;
        }
        *slot = self.names.len() as u32;
        let number = *slot;
        push_sparingly(&mut self.names, name);
        number
    }

    /// Begins an element inside of the innermost open one.
    pub(super) fn open(&mut self, name: Name<'x>, offset: usize) {
        let index = self.nodes.len() as u32;
        let parent = self.open.last().copied().unwrap_or_default();
        let name = self.name(name);
        let node = Node {
            name,
            text: 0,
            parent,
            span: 0,
            first_attribute: self.attributes.len() as u32,
            // No document is longer than MAX_LENGTH.
            offset: offset as u32,
        };
        push_sparingly(&mut self.nodes, node);
        self.open.push(index);
    }

    /// Adds an attribute to the element that was opened last.
    pub(super) fn attribute(&mut self, name: Name<'x>, value: Cow<'x, str>) {
        push_sparingly(&mut self.attributes, Attribute { name, value });
    }

    /// Adds to the text of the innermost open element.
    pub(super) fn text(&mut self, text: Cow<'x, str>) {
        let Some(&index) = self.open.last() else {
            return;
        };
        if text.is_empty() {
            return;
        }
        let last = self.nodes.len() as u32 - 1;
        let Some(node) = self.nodes.get_mut(index as usize) else {
            return;
        };
        let has_child = last > index;
        let there = match node.text.checked_sub(1) {
            Some(number) => self.texts.get_mut(number as usize),
            None => None,
        };
        if has_child && is_blank(&text) && there.as_ref().is_none_or(|there| is_blank(&there.text))
        {
            return;
        }
        let length = match there {
            Some(there) => {
                self.owned += text.len();
                if let Cow::Borrowed(before) = &there.text {
                    self.owned += before.len();
                }
                push_text(there.text.to_mut(), &text);
                if !has_child {
                    there.leading = there.text.len() as u32;
                }
                return;
            }
            None if has_child => 0,
            None => text.len() as u32,
        };
        if matches!(text, Cow::Owned(_)) {
            self.owned += text.len();
        }
        let text = TextOf {
            text,
            leading: length,
        };
        push_sparingly(&mut self.texts, text);
        node.text = self.texts.len() as u32;
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

    /// How many bytes it takes in wasm, the texts themselves aside: the same number on every machine.
    pub(super) fn weight(&self) -> usize {
        24 * self.nodes.len()
            + 20 * self.names.len()
            + 16 * self.texts.len()
            + 32 * self.attributes.len()
    }

    /// How many bytes it takes to translate back what was made of it, and to compare.
    pub(super) fn cost(&self) -> usize {
        // A text of its own is there because it is written in other bytes: what is compared holds it up to seven times, here, in
        // the JSON with its escapes, in what comes back and in both hashes.
        self.weight() + 20 * self.items() + 100 * self.names.len() + 7 * self.owned
    }

    /// How many bytes of its texts and values JSON writes in others than the text that it was read from.
    pub(super) fn in_other_bytes(&self) -> usize {
        let texts = self.texts.iter().map(|text| &text.text);
        let values = self.attributes.iter().map(|attribute| &attribute.value);
        let is_other = |text: &&Cow<'x, str>| matches!(text, Cow::Owned(_)) || has_escapes(text);
        texts
            .chain(values)
            .filter(is_other)
            .map(|text| text.len())
            .sum()
    }

    /// How many elements and attributes there are.
    pub(super) fn items(&self) -> usize {
        self.nodes.len() + self.attributes.len()
    }

    /// The outermost element.
    pub(crate) fn root(&self) -> Element<'_, 'x> {
        self.element(0)
    }

    pub(super) fn element(&self, index: usize) -> Element<'_, 'x> {
        Element { tree: self, index }
    }

    /// For each element its number among the siblings of its name.
    pub(super) fn positions(&self) -> Vec<u32> {
        let key = |&node: &u32| {
            let node = self.nodes.get(node as usize).copied().unwrap_or_default();
            let name = self.name_of(node);
            (node.parent, name.namespace, name.local)
        };
        // Sorted, those that are counted together stand together, in their order.
        let mut order: Vec<u32> = (0..self.nodes.len() as u32).collect();
        sort_numbers(&mut order, &|a, b| key(a).cmp(&key(b)).then(a.cmp(b)));
        let mut positions = vec![0; order.len()];
        let (mut before, mut count) = (None, 0);
        for node in order {
            let of = Some(key(&node));
            count = if of == before { count + 1 } else { 1 };
            before = of;
            if let Some(position) = positions.get_mut(node as usize) {
                *position = count;
            }
        }
        positions
    }

    fn name_of(&self, node: Node) -> Name<'x> {
        self.names
            .get(node.name as usize)
            .copied()
            .unwrap_or_default()
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

/// A piece of a document.
pub(super) struct Piece<'p, 'x> {
    pub(super) element: Element<'p, 'x>,
    pub(super) namespaces: &'p Namespaces,
    /// Whether it is the document element.
    pub(super) is_document: bool,
}

/// An element of an [`XmlTree`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'t, 'x> {
    tree: &'t XmlTree<'x>,
    index: usize,
}

impl<'t, 'x> Element<'t, 'x> {
    fn node(self) -> Option<Node> {
        self.tree.nodes.get(self.index).copied()
    }

    fn text_of(self) -> Option<&'t TextOf<'x>> {
        let number = self.node()?.text.checked_sub(1)?;
        self.tree.texts.get(number as usize)
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
        self.node()
            .map(|node| self.tree.name_of(node))
            .unwrap_or_default()
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
        self.text_of().map_or("", |of| &of.text)
    }

    /// The character data before the first child: what the event hash takes.
    pub(crate) fn leading_text(self) -> &'t str {
        let of = self.text_of();
        of.and_then(|of| of.text.get(..of.leading as usize))
            .unwrap_or_default()
    }

    pub(crate) fn has_children(self) -> bool {
        self.node().is_some_and(|node| node.span > 1)
    }

    pub(super) fn offset(self) -> usize {
        self.node().map_or(0, |node| node.offset as usize)
    }

    pub(crate) fn attributes(self) -> &'t [Attribute<'x>] {
        let Some(node) = self.node() else { return &[] };
        let next = self.tree.nodes.get(self.index + 1);
        let end = next.map_or(self.tree.attributes.len(), |next| {
            next.first_attribute as usize
        });
        let range = node.first_attribute as usize..end;
        self.tree.attributes.get(range).unwrap_or_default()
    }

    /// Whether `xsi:nil` says that there is no value.
    pub(super) fn is_nil(self) -> bool {
        self.says_nil(true)
    }

    /// Whether `xsi:nil` says this.
    pub(super) fn says_nil(self, said: bool) -> bool {
        self.attributes().iter().any(|attribute| {
            attribute.name.namespace == Namespace::XSI
                && attribute.name.local == "nil"
                && boolean(trimmed(&attribute.value)) == Some(said)
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

    /// Appends the path from the outermost element of the tree, that one left out; positions that are missing or zero in
    /// those of [`XmlTree::positions`] are counted.
    pub(super) fn push_path(self, positions: &[u32], path: &mut String) {
        let Some(parent) = self.parent() else { return };
        parent.push_path(positions, path);
        let name = self.name();
        let counted = || {
            let before = parent
                .children()
                .take_while(|other| other.index <= self.index);
            before.filter(|other| other.name().same_as(&name)).count() as u32
        };
        let known = positions.get(self.index).copied();
        let position = known.filter(|&known| known > 0).unwrap_or_else(counted);
        name.push_step(position, path);
    }
}
