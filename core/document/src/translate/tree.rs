//! A tree of one XML element with everything below it, in a flat arena that owns its texts.
//!
//! An event is one tree, and so is every other piece, such as a vocabulary element. The envelope of a document is a tree too, in
//! which each list has the number of its pieces in place of them.
//! The event hash of XML reads the same tree.

mod element;

pub(super) use element::ElementPart;
pub(crate) use element::{Attribute, Element};

use super::characters::is_blank;
use super::namespace::{Name, Namespace};
use super::reader::Tag;
use epcis_edge_text::grow::{push, push_text};
use epcis_edge_text::json::has_escapes;
use epcis_edge_text::slice::{Known, Part};

use epcis_edge_text::window::are_same;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The elements of one tree, in document order.
#[derive(Debug, Default)]
pub(crate) struct XmlTree {
    nodes: Vec<XmlNode>,
    /// The names of elements and attributes; recent names are shared.
    names: Vec<NameEntry>,
    /// A cache of the numbers of recent names.
    name_cache: NameCache,
    texts: Vec<TextEntry>,
    attributes: Vec<AttributeEntry>,
    declarations: Vec<Declaration>,
    open: Vec<u32>,
    /// All names, values and texts, concatenated.
    text: String,
    /// The texts that came in parts with elements between them, by the number of the element.
    mixed: BTreeMap<u32, String>,
    /// White space that is dropped unless more text follows.
    blank: String,
}

#[derive(Clone, Copy, Debug, Default)]
struct XmlNode {
    name: u32,
    /// The number of its text, counted from 1; zero if it has none.
    text: u32,
    parent: u32,
    /// The number of nodes in the subtree, this node included.
    span: u32,
    /// The first of its attributes, which end where those of the next node begin.
    first_attribute: u32,
    /// The number of bytes in the source from the first element of the tree to this one.
    offset: u32,
    /// Its number among siblings of the same name.
    position: u32,
}

/// A range in the text of a tree.
#[derive(Clone, Copy, Debug, Default)]
struct TextRange {
    start: u32,
    length: u32,
}

#[derive(Clone, Copy, Debug)]
struct NameEntry {
    prefix: TextRange,
    local: TextRange,
    namespace: Namespace,
}

/// The character data directly inside an element, joined.
#[derive(Clone, Copy, Debug)]
struct TextEntry {
    text: TextRange,
    /// The length of the text before the first child, in bytes.
    leading: u32,
    /// Whether JSON writes it in other bytes than the document.
    is_escaped: bool,
}

#[derive(Clone, Copy, Debug)]
struct AttributeEntry {
    name: u32,
    value: TextRange,
    is_other: bool,
}

#[derive(Clone, Copy, Debug)]
struct Declaration {
    node: u32,
    prefix: TextRange,
    namespace: Namespace,
}

/// A cache of the numbers of recent names, by a cheap hash, so that elements of the same name share it.
#[derive(Clone, Copy, Debug)]
struct NameCache([u32; 256]);

impl Default for NameCache {
    fn default() -> Self {
        Self([u32::MAX; 256])
    }
}

impl XmlTree {
    /// Begins an element of a document inside the innermost open one.
    pub(super) fn start(&mut self, tag: &Tag<'_, '_>, offset: usize) {
        let node = self.nodes.len() as u32;
        self.open_at(tag.name, (offset, tag.position));
        for attribute in tag.attributes {
            self.add_attribute(
                attribute.name,
                &attribute.value,
                matches!(attribute.value, Cow::Owned(_)) || has_escapes(&attribute.value),
            );
        }
        for binding in tag.declared {
            let prefix = self.push_text(&binding.prefix);
            push(
                &mut self.declarations,
                Declaration { node, prefix, namespace: binding.namespace },
            );
        }
    }

    pub(super) fn clear(&mut self) {
        // The memory of one large piece is not kept for the small ones after it.
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
        self.name_cache = NameCache::default();
        self.open.clear();
        self.text.clear();
        self.text.shrink_to(16 * KEPT);
        self.mixed.clear();
        self.blank.clear();
    }

    fn push_text(&mut self, text: &str) -> TextRange {
        let start = self.text.len() as u32;
        push_text(&mut self.text, text);
        TextRange { start, length: text.len() as u32 }
    }

    fn text_in(&self, part: TextRange) -> &str {
        let start = part.start as usize;
        self.text.part(start..start + part.length as usize)
    }

    /// Returns the number of a name, adding the name if the cache does not have it.
    fn name(&mut self, name: Name<'_>) -> u32 {
        let ends = [name.local.as_bytes().first(), name.local.as_bytes().last()];
        let ends = ends.map(|byte| usize::from(byte.copied().unwrap_or(0)));
        let look = name.local.len() * 7 + ends[0] * 3 + ends[1] * 5 + name.namespace.number() * 11;
        let slot = look % 256;
        let known = self.name_cache.0.get(slot).copied().unwrap_or(u32::MAX);
        if let Some(of) = self.names.get(known as usize) {
            let there = self.name_of(*of);
            if there.same_as(&name) && are_same(there.prefix.as_bytes(), name.prefix.as_bytes()) {
                return known;
            }
        }
        let number = self.names.len() as u32;
        if let Some(slot) = self.name_cache.0.get_mut(slot) {
            *slot = number;
        }
        let of = NameEntry {
            prefix: self.push_text(name.prefix),
            local: self.push_text(name.local),
            namespace: name.namespace,
        };
        push(&mut self.names, of);
        number
    }

    fn name_of(&self, of: NameEntry) -> Name<'_> {
        Name {
            prefix: self.text_in(of.prefix),
            local: self.text_in(of.local),
            namespace: of.namespace,
        }
    }

    fn numbered_name(&self, number: u32) -> Name<'_> {
        let of = self.names.get(number as usize);
        of.map(|of| self.name_of(*of)).known()
    }

    /// Begins an element inside the innermost open one.
    pub(super) fn open(&mut self, name: Name<'_>) {
        self.open_at(name, (0, 0));
    }

    /// The same, with its offset in the source and its number among siblings of the same name.
    pub(super) fn open_at(&mut self, name: Name<'_>, (offset, position): (usize, u32)) {
        self.end_text();
        let index = self.nodes.len() as u32;
        let parent = self.open.last().copied().unwrap_or(0);
        let node = XmlNode {
            name: self.name(name),
            text: 0,
            parent,
            span: 0,
            first_attribute: self.attributes.len() as u32,
            // No piece is too long for 32 bits.
            offset: offset as u32,
            position,
        };
        push(&mut self.nodes, node);
        self.open.push(index);
    }

    /// Adds an attribute to the element that was opened last.
    pub(super) fn attribute(&mut self, name: Name<'_>, value: &str) {
        self.add_attribute(name, value, false);
    }

    fn add_attribute(&mut self, name: Name<'_>, value: &str, is_other: bool) {
        let attribute =
            AttributeEntry { name: self.name(name), value: self.push_text(value), is_other };
        push(&mut self.attributes, attribute);
    }

    /// Adds to the text of the innermost open element.
    pub(super) fn text(&mut self, text: Cow<'_, str>) {
        let last = self.nodes.len() as u32 - 1;
        let has_child = self.open.last().is_some_and(|index| *index < last);
        self.add_text(&text, matches!(text, Cow::Owned(_)), has_child);
    }

    /// Adds text where only elements belong: white space is dropped.
    pub(super) fn stray_text(&mut self, text: Cow<'_, str>) {
        self.add_text(&text, matches!(text, Cow::Owned(_)), true);
    }

    /// Marks the end of a text, so that white space after it is not added to it.
    pub(super) fn end_text(&mut self) {
        self.blank.clear();
    }

    fn add_text(&mut self, text: &str, is_decoded: bool, has_child: bool) {
        let Some(&index) = self.open.last() else {
            return;
        };
        let Some(number) = self.nodes.get(index as usize).map(|node| node.text) else {
            return;
        };
        let there = number.checked_sub(1).map(|number| number as usize);
        if has_child && is_blank(text) && is_blank(self.element(index as usize).text()) {
            return push_text(&mut self.blank, text);
        }
        if !self.blank.is_empty() {
            let text = std::mem::take(&mut self.blank) + text;
            return self.add_text(&text, is_decoded, has_child);
        }
        if text.is_empty() {
            return;
        }
        let is_other = is_decoded || has_escapes(text);
        let Some(of) = there.and_then(|number| self.texts.get_mut(number)) else {
            let part = self.push_text(text);
            push(
                &mut self.texts,
                TextEntry {
                    text: part,
                    leading: if has_child { 0 } else { part.length },
                    is_escaped: is_other,
                },
            );
            if let Some(node) = self.nodes.get_mut(index as usize) {
                node.text = self.texts.len() as u32;
            }
            return;
        };
        of.is_escaped |= is_other;
        if !has_child {
            of.leading += text.len() as u32;
        }
        let part = of.text;
        if let Some(mixed) = self.mixed.get_mut(&index) {
            push_text(mixed, text);
        } else if (part.start + part.length) as usize == self.text.len() {
            of.text.length += text.len() as u32;
            push_text(&mut self.text, text);
        } else {
            let mixed = format!("{}{text}", self.text_in(part));
            self.mixed.insert(index, mixed);
        }
    }

    /// Ends the innermost open element.
    pub(super) fn close(&mut self) {
        self.end_text();
        if let Some(index) = self.open.pop() {
            let span = self.nodes.len() as u32 - index;
            if let Some(node) = self.nodes.get_mut(index as usize) {
                node.span = span;
            }
        }
    }

    /// Removes the innermost open element, to which nothing was added.
    pub(super) fn take_back(&mut self) {
        self.open.pop();
        self.nodes.pop();
    }

    /// Whether nothing was added to the innermost open element.
    pub(super) fn is_bare(&self) -> bool {
        let last = self.nodes.last();
        self.open.last().map(|open| *open as usize + 1) == Some(self.nodes.len())
            && last.is_some_and(|node| {
                node.text == 0 && node.first_attribute as usize == self.attributes.len()
            })
    }

    /// Adds an element that contains only text.
    pub(super) fn leaf(&mut self, name: Name<'_>, text: &str) {
        self.open(name);
        self.text(Cow::Borrowed(text));
        self.close();
    }

    /// Copies a tree into the innermost open element; all copied elements get this offset.
    pub(super) fn add(&mut self, tree: &Self, offset: usize) {
        // Growing step by step would fragment the heap.
        self.nodes.reserve(tree.nodes.len());
        self.texts.reserve(tree.texts.len());
        self.attributes.reserve(tree.attributes.len());
        self.text.reserve(tree.text.len());
        self.copy(tree.root(), offset);
    }

    /// Copies an element with everything below it; the reader limits its depth.
    fn copy(&mut self, element: Element<'_>, offset: usize) {
        self.open_at(element.name(), (offset, element.position()));
        for attribute in element.attributes().iter() {
            self.attribute(attribute.name, attribute.value);
        }
        let (text, leading) = (element.text(), element.leading_text());
        self.text(Cow::Borrowed(leading));
        for child in element.children() {
            self.copy(child, offset);
        }
        let rest = text.part(leading.len()..);
        self.text(Cow::Borrowed(rest));
        self.close();
    }

    /// The number of elements.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The size of the tree in bytes, computed the same on every machine.
    pub(super) fn weight(&self) -> usize {
        let mixed: usize = self.mixed.values().map(String::len).sum();
        28 * self.nodes.len()
            + 20 * self.names.len()
            + 16 * (self.texts.len() + self.attributes.len() + self.declarations.len())
            + self.text.len()
            + mixed
    }

    /// The total length of its texts and values that JSON writes in other bytes than the source, in bytes.
    pub(super) fn escaped_length(&self) -> usize {
        let texts = self.texts.iter().filter(|text| text.is_escaped);
        let values = self.attributes.iter().filter(|value| value.is_other);
        let mixed: usize = self.mixed.values().map(String::len).sum();
        let texts: usize = texts.map(|text| text.text.length as usize).sum();
        let values: usize = values.map(|value| value.value.length as usize).sum();
        texts + values + mixed
    }

    /// The number of elements and attributes.
    pub(super) fn items(&self) -> usize {
        self.nodes.len() + self.attributes.len()
    }

    /// The outermost element.
    pub(crate) fn root(&self) -> Element<'_> {
        self.element(0)
    }

    pub(super) fn element(&self, index: usize) -> Element<'_> {
        Element { tree: self, index }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether any element is open.
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }
}
