//! The elements of a tree: their names, texts, attributes, children and positions.

use super::{AttributeEntry, Declaration, TextEntry, XmlNode, XmlTree};
use crate::translate::characters::trimmed;
use crate::translate::namespace::{Binding, Name, Namespace, lookup};
use crate::translate::value::boolean;
use epcis_edge_text::slice::{Known, Part};

/// One attribute with its normalised value; never a namespace declaration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute<'t> {
    pub(crate) name: Name<'t>,
    pub(crate) value: &'t str,
}

/// The attributes of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes<'t> {
    tree: &'t XmlTree,
    list: &'t [AttributeEntry],
}

impl<'t> Attributes<'t> {
    pub(crate) fn len(self) -> usize {
        self.list.len()
    }

    pub(crate) fn is_empty(self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn get(self, number: usize) -> Option<Attribute<'t>> {
        self.list.get(number).map(|of| self.attribute(of))
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Attribute<'t>> + use<'t> {
        self.list.iter().map(move |of| self.attribute(of))
    }

    fn attribute(self, of: &AttributeEntry) -> Attribute<'t> {
        Attribute { name: self.tree.numbered_name(of.name), value: self.tree.text_in(of.value) }
    }
}

/// The part of an element that a JSON value was made from: the element itself, one of its attributes, or its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::translate) enum ElementPart {
    Element,
    /// The number of the attribute.
    Attribute(usize),
    Text,
}

impl ElementPart {
    /// Appends this part to the path of the element.
    pub(in crate::translate) fn push_to(self, element: Element<'_>, path: &mut String) {
        match self {
            Self::Element => {}
            Self::Text => path.push_str("/text()"),
            Self::Attribute(number) => {
                path.push_str("/@");
                if let Some(attribute) = element.attributes().get(number) {
                    attribute.name.push_to(path);
                }
            }
        }
    }
}

/// An element of an [`XmlTree`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'t> {
    pub(super) tree: &'t XmlTree,
    pub(super) index: usize,
}

impl<'t> Element<'t> {
    fn node(self) -> Option<&'t XmlNode> {
        self.tree.nodes.get(self.index)
    }

    fn text_of(self) -> Option<&'t TextEntry> {
        let number = self.node()?.text.checked_sub(1)?;
        self.tree.texts.get(number as usize)
    }

    /// Returns another element of the same tree, by its number.
    pub(in crate::translate) fn at(self, index: usize) -> Self {
        self.tree.element(index)
    }

    /// The number of the element in the tree, in document order.
    pub(crate) fn index(self) -> usize {
        self.index
    }

    pub(crate) fn name(self) -> Name<'t> {
        self.node().map(|node| self.tree.numbered_name(node.name)).known()
    }

    pub(crate) fn local(self) -> &'t str {
        self.name().local
    }

    pub(crate) fn namespace(self) -> Namespace {
        self.name().namespace
    }

    pub(crate) fn is_standard(self) -> bool {
        self.namespace().is_standard()
    }

    /// Whether this is the element of this name in the standard.
    pub(crate) fn is(self, local: &str) -> bool {
        self.local() == local && self.is_standard()
    }

    /// All character data directly inside the element, joined.
    pub(crate) fn text(self) -> &'t str {
        let Some(of) = self.text_of() else { return "" };
        if !self.tree.mixed.is_empty()
            && let Some(mixed) = self.tree.mixed.get(&(self.index as u32))
        {
            return mixed;
        }
        self.tree.text_in(of.text)
    }

    /// The character data before the first child, which the event hash uses.
    pub(crate) fn leading_text(self) -> &'t str {
        let of = self.text_of();
        of.and_then(|of| self.text().get(..of.leading as usize)).unwrap_or("")
    }

    pub(crate) fn has_children(self) -> bool {
        self.node().is_some_and(|node| node.span > 1)
    }

    /// The number of bytes in the source from the first element of the tree to this one.
    pub(in crate::translate) fn offset(self) -> usize {
        self.node().map_or(0, |node| node.offset as usize)
    }

    /// The number of the element among siblings of the same name; zero if unknown.
    pub(super) fn position(self) -> u32 {
        self.node().map_or(0, |node| node.position)
    }

    pub(crate) fn attributes(self) -> Attributes<'t> {
        let tree = self.tree;
        let range = self.node().map(|node| {
            let next = tree.nodes.get(self.index + 1);
            let end = next.map_or(tree.attributes.len(), |next| next.first_attribute as usize);
            node.first_attribute as usize..end
        });
        let list = range.and_then(|range| tree.attributes.get(range));
        Attributes { tree, list: list.unwrap_or(&[]) }
    }

    /// Whether `xsi:nil` is true: the element has no value.
    pub(in crate::translate) fn is_nil(self) -> bool {
        self.says_nil(true)
    }

    /// Whether `xsi:nil` has this value.
    pub(in crate::translate) fn says_nil(self, said: bool) -> bool {
        self.attributes().iter().any(|attribute| {
            attribute.name.namespace == Namespace::XSI
                && attribute.name.local == "nil"
                && boolean(trimmed(attribute.value)) == Some(said)
        })
    }

    pub(crate) fn children(self) -> impl Iterator<Item = Element<'t>> + use<'t> {
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

    pub(in crate::translate) fn parent(self) -> Option<Element<'t>> {
        let node = self.node()?;
        (self.index > 0).then(|| self.tree.element(node.parent as usize))
    }

    /// This element and those around it, the innermost first.
    pub(in crate::translate) fn with_ancestors(self) -> impl Iterator<Item = Element<'t>> {
        std::iter::successors(Some(self), |element| element.parent())
    }

    /// Whether `other` is the number of this element or of one below it.
    pub(in crate::translate) fn holds(self, other: usize) -> bool {
        let span = self.node().map_or(0, |node| node.span as usize);
        (self.index..self.index + span).contains(&other)
    }

    /// Returns the namespace of a prefix at this element; `outer` are the declarations in force outside of the tree.
    pub(in crate::translate) fn lookup(self, prefix: &str, outer: &[Binding]) -> Option<Namespace> {
        let mut declared = self.with_ancestors().flat_map(Self::declarations);
        let found = declared.find(|declaration| self.tree.text_in(declaration.prefix) == prefix);
        found.map(|declaration| declaration.namespace).or_else(|| lookup(outer, prefix))
    }

    fn declarations(self) -> &'t [Declaration] {
        let all = &self.tree.declarations;
        let index = self.index as u32;
        let start = all.partition_point(|declaration| declaration.node < index);
        let end = all.partition_point(|declaration| declaration.node <= index);
        all.part(start..end)
    }

    /// Appends the path from the outermost element of the tree, which is itself omitted.
    pub(in crate::translate) fn push_path(self, path: &mut String) {
        let Some(parent) = self.parent() else { return };
        parent.push_path(path);
        self.push_step(path);
    }

    /// Appends this element's step of a path.
    pub(in crate::translate) fn push_step(self, path: &mut String) {
        self.name().push_step(self.position(), path);
    }
}
