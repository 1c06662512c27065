//! The tree of one event, the common form in which JSON and XML events reach the algorithm.
//!
//! # How a reader fills it
//! [`HashTree::add_event`] with the event type, then the event's members in any order, then [`HashTree::end`].
//! A member is a [`HashTree::leaf`], or [`HashTree::start`], its text and members, and [`HashTree::end`].
//! [`HashTree::name`] gives the names.
//!
//! What every reader leaves out: `null`, the event's `type` and `@context`, and names for which [`HashTree::name`] gives `None`.
//! What no reader needs to leave out: `recordTime`, `eventID`, `errorDeclaration`, comments, empty lists; the algorithm does.
//!
//! An XML reader
//! * gives every name with its namespace; EPCIS's own namespaces and none are the same to [`HashTree::name`],
//! * drops the elements for which [`is_wrapper`] holds, anywhere, also around a whole event, and promotes their children,
//! * gives attributes as leaves, in front of the child elements; of a bare event not `creationDate` and `schemaVersion`,
//! * gives as text what stands before the first child element, pieces split by comments or CDATA joined, in one call,
//! * bounds the depth, for the algorithm recurses,
//! * gives `bizTransaction`, `source` and `destination` as elements with the leaf `type` and a text; lists keep their elements
//!   (`epc`, `quantityElement`, `sensorElement`).

use super::name::{Name, Names, Namespace, offset_in};
use super::pieces::PieceBuffer;
use crate::grow::{push_text, reserve};
use crate::json::Text;
use std::collections::BTreeSet;

/// The nodes of one event, or of two that are compared; emptied and filled again for the next.
///
/// **Limits**: texts inside the source shorter than 2 GiB, texts of a node shorter than 2 GiB.
#[derive(Debug)]
pub(crate) struct HashTree<'s> {
    /// Texts that lie in here are not copied.
    source: &'s str,
    /// Every other text.
    copied: String,
    /// In document order: a node, then the nodes below it.
    nodes: Vec<Node>,
    /// The nodes that were started and not ended.
    open: Vec<u32>,
    names: Names<'s>,
}

/// Twelve bytes, because a list may have millions of members.
#[derive(Clone, Copy, Debug)]
struct Node {
    name: Name,
    /// Of a leaf: where its text starts, in the source or (flagged) among the copied texts.
    start: u32,
    /// Of a leaf the length of its text, else (flagged) how many nodes there are below.
    extent: u32,
}

const FLAG: u32 = 1 << 31;

/// Members of an event that do not count.
#[derive(Debug, Default)]
pub(crate) struct Ignored {
    /// Those that the document says do not, whichever event they stand in.
    names: BTreeSet<(Option<Box<str>>, Box<str>)>,
    /// The namespaces of gateways whose stamps are left out.
    stamps: Vec<Box<str>>,
}

impl Ignored {
    /// Takes up a name of a tree.
    pub(crate) fn insert(&mut self, tree: &HashTree<'_>, name: Name) {
        self.names.insert(tree.owned_name(name));
    }

    /// From now on events are read without the members of these namespaces, and with all others.
    pub(crate) fn leave_out(&mut self, stamps: &[Box<str>]) {
        self.stamps = stamps.to_vec();
    }

    /// Whether a name of a tree is one of them.
    pub(crate) fn contains(&self, tree: &HashTree<'_>, name: Name) -> bool {
        if self.names.is_empty() && self.stamps.is_empty() {
            return false;
        }
        let name = tree.owned_name(name);
        name.0
            .as_ref()
            .is_some_and(|namespace| self.stamps.contains(namespace))
            || self.names.contains(&name)
    }
}

/// A node of a [`HashTree`], by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At(u32);

impl At {
    /// The event itself, the first one of the tree.
    pub(super) const EVENT: Self = Self(0);
}

/// Whether an element is a wrapper of EPCIS 1.x that counts only for what is in it; the name tells, for a user's element of
/// this word is in a namespace.
pub(crate) fn is_wrapper(name: Name) -> bool {
    matches!(name, Name::EXTENSION | Name::BASE_EXTENSION)
}

impl<'s> HashTree<'s> {
    /// An empty tree; texts that lie inside the source will not be copied.
    pub(crate) fn new(source: &'s str) -> Self {
        Self {
            source,
            copied: String::new(),
            nodes: Vec::new(),
            open: Vec::new(),
            names: Names::new(source),
        }
    }

    /// The number of a namespace, by which it is given to [`name`](Self::name); it stays the same for all events.
    pub(crate) fn namespace(&mut self, text: &str) -> Namespace {
        self.names.namespace(text)
    }

    /// Whether a namespace is longer than one may be.
    pub(super) fn is_too_long(&self, namespace: Namespace) -> bool {
        self.names.is_too_long(namespace)
    }

    /// The name of a node; `None` where a node of this name is no data.
    pub(crate) fn name(&mut self, namespace: Option<Namespace>, local: &str) -> Option<Name> {
        match namespace {
            Some(namespace) => self.names.expanded(namespace, local),
            None => Some(self.names.literal(local)),
        }
    }

    /// The name of a node that is written as it is, such as one whose prefix is not declared.
    pub(crate) fn literal_name(&mut self, name: &str) -> Name {
        self.names.literal(name)
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Forgets all events and their names; namespaces keep their numbers.
    pub(crate) fn clear(&mut self) {
        self.names.clear();
        self.copied.clear();
        self.nodes.clear();
        self.open.clear();
    }

    /// Starts an event, behind those that are there; the first one is the one that is hashed.
    pub(crate) fn add_event(&mut self, event_type: &str) {
        // The event's own name is never written.
        self.start(Name::TYPE);
        self.leaf(Name::TYPE, event_type);
    }

    /// Starts a node below the one that is open.
    pub(crate) fn start(&mut self, name: Name) {
        self.open.push(self.nodes.len() as u32);
        self.push(Node {
            name,
            start: 0,
            extent: FLAG,
        });
    }

    /// The text of the open node; only the first counts.
    pub(crate) fn text(&mut self, text: &str) {
        self.leaf(Name::TEXT, text);
    }

    /// A whole node with a text and nothing below.
    pub(crate) fn leaf(&mut self, name: Name, text: &str) {
        let start = match offset_in(self.source, text) {
            Some(offset) => offset as u32,
            None => {
                let start = self.copied.len() as u32 | FLAG;
                push_text(&mut self.copied, text);
                start
            }
        };
        self.push(Node {
            name,
            start,
            extent: text.len() as u32,
        });
    }

    /// The same with a string of a JSON document: one with escapes is copied once, and without them.
    pub(crate) fn json_leaf(&mut self, name: Name, text: Text<'_>) {
        if let Some(plain) = text.plain_text() {
            return self.leaf(name, plain);
        }
        let start = self.copied.len() as u32;
        text.push_to(&mut self.copied, reserve);
        self.push(Node {
            name,
            start: start | FLAG,
            extent: self.copied.len() as u32 - start,
        });
    }

    /// Ends the node that was started last.
    pub(crate) fn end(&mut self) {
        let Some(start) = self.open.pop() else { return };
        let below = self.nodes.len() - start as usize - 1;
        if let Some(node) = self.nodes.get_mut(start as usize) {
            node.extent = below as u32 | FLAG;
        }
    }

    /// Grows by a quarter: doubling a large list would waste more than the list.
    fn push(&mut self, node: Node) {
        if self.nodes.len() == self.nodes.capacity() {
            self.nodes.reserve_exact(self.nodes.len() / 4 + 64);
        }
        self.nodes.push(node);
    }

    /// The `eventID` of the first event, if it has one.
    pub(crate) fn event_id(&self) -> Option<&str> {
        let mut members = self.children(At::EVENT);
        let found = members.find(|(name, _)| *name == Name::EVENT_ID);
        found.map(|(_, at)| self.text_of(at))
    }

    /// The event that was added behind the first one.
    pub(super) fn second_event(&self) -> At {
        let below = self.node(At::EVENT).map_or(0, Node::below);
        At(below as u32 + 1)
    }

    fn node(&self, at: At) -> Option<Node> {
        self.nodes.get(at.0 as usize).copied()
    }

    /// The nodes right below that are data, with their names; the text and comments are left out.
    pub(super) fn children(
        &self,
        at: At,
    ) -> impl Iterator<Item = (Name, At)> + Clone + use<'_, 's> {
        self.all_children(at)
            .filter(|(name, _)| !matches!(*name, Name::TEXT | Name::COMMENT))
    }

    fn all_children(&self, at: At) -> impl Iterator<Item = (Name, At)> + Clone + use<'_, 's> {
        let below = self.node(at).map_or(0, Node::below);
        let start = at.0 as usize + 1;
        let nodes = self.nodes.get(start..start + below).unwrap_or_default();
        Children {
            nodes,
            at: At(start as u32),
        }
    }

    /// The text of a node without the white space around it; empty where it has none.
    pub(super) fn text_of(&self, at: At) -> &str {
        let Some(node) = self.node(at) else { return "" };
        if node.extent & FLAG != 0 {
            let mut children = self.all_children(at);
            let text = children.find(|(name, _)| *name == Name::TEXT);
            return text.map_or("", |(_, text)| self.text_of(text));
        }
        self.raw_text(node).trim()
    }

    /// Whether two nodes are leaves whose texts are the same as they stand.
    pub(super) fn are_same_leaves(&self, one: At, other: At) -> bool {
        match (self.node(one), self.node(other)) {
            (Some(one), Some(other)) => {
                one.extent & FLAG == 0
                    && one.extent == other.extent
                    && self.raw_text(one) == self.raw_text(other)
            }
            _ => false,
        }
    }

    /// The text of a leaf as it stands.
    fn raw_text(&self, leaf: Node) -> &str {
        let texts = if leaf.start & FLAG == 0 {
            self.source
        } else {
            &self.copied
        };
        let start = (leaf.start & !FLAG) as usize;
        let text = texts.get(start..start + leaf.extent as usize);
        text.unwrap_or_default()
    }

    /// The name of a node.
    pub(super) fn name_of(&self, at: At) -> Option<Name> {
        self.node(at).map(|node| node.name)
    }

    /// A name of the standard, as it is written.
    pub(super) fn standard_name(&self, name: Name) -> &str {
        self.names.parts(name).1
    }

    /// A name as it is written: `{namespace}local`, or as it is.
    pub(super) fn full_name(&self, name: Name) -> String {
        match self.names.parts(name) {
            (Some(namespace), local) => format!("{{{namespace}}}{local}"),
            (None, local) => local.to_owned(),
        }
    }

    /// Writes a name: `{namespace}local`, or as it is.
    pub(super) fn push_name(&self, name: Name, pieces: &mut PieceBuffer) {
        let (namespace, local) = self.names.parts(name);
        if let Some(namespace) = namespace {
            for part in ["{", namespace, "}"] {
                pieces.push(part);
            }
        }
        pieces.push(local);
    }

    /// A name by itself, which outlasts [`clear`](Self::clear).
    pub(super) fn owned_name(&self, name: Name) -> (Option<Box<str>>, Box<str>) {
        let (namespace, local) = self.names.parts(name);
        (namespace.map(Box::from), local.into())
    }

    /// Whether two names are the same.
    pub(super) fn are_same_names(&self, one: Name, other: Name) -> bool {
        self.names.are_same(one, other)
    }

    /// Whether the name is one of a user's namespace, and not a bare word.
    pub(super) fn is_extension(&self, name: Name) -> bool {
        self.names.is_extension(name)
    }
}

impl Node {
    /// How many nodes there are below this one.
    fn below(self) -> usize {
        if self.extent & FLAG == 0 {
            0
        } else {
            (self.extent & !FLAG) as usize
        }
    }
}

#[derive(Clone)]
struct Children<'t> {
    nodes: &'t [Node],
    at: At,
}

impl Iterator for Children<'_> {
    type Item = (Name, At);

    fn next(&mut self) -> Option<(Name, At)> {
        let node = *self.nodes.first()?;
        let at = self.at;
        let span = node.below() + 1;
        self.nodes = self.nodes.get(span..).unwrap_or_default();
        self.at = At(at.0 + span as u32);
        Some((node.name, at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_source_are_not_copied() {
        let source = "one two";
        let (_, end) = source.split_at(4);
        let mut tree = HashTree::new(source);
        tree.add_event("ObjectEvent");
        let copied = tree.copied.len();
        tree.leaf(Name::of("action"), end);
        tree.leaf(Name::of("disposition"), end.split_at(3).1);
        assert_eq!(tree.copied.len(), copied);
        tree.leaf(Name::of("bizStep"), &"two".repeat(2));
        tree.end();
        let texts: Vec<_> = tree
            .children(At::EVENT)
            .map(|(name, at)| (tree.standard_name(name), tree.text_of(at)))
            .collect();
        assert_eq!(
            texts,
            [
                ("type", "ObjectEvent"),
                ("action", "two"),
                ("disposition", ""),
                ("bizStep", "twotwo")
            ]
        );
    }

    #[test]
    fn a_node_may_have_text_and_children() {
        let mut tree = HashTree::new("");
        tree.add_event("ObjectEvent");
        let namespace = tree.namespace("urn:x:");
        let outer = tree.name(Some(namespace), "outer").unwrap();
        tree.start(outer);
        tree.leaf(Name::COMMENT, "no data");
        tree.leaf(Name::TYPE, "po");
        tree.text(" words ");
        tree.text("more words");
        tree.end();
        tree.leaf(Name::of("action"), "ADD");
        tree.end();
        let children: Vec<_> = tree.children(At::EVENT).collect();
        assert_eq!(children.len(), 3);
        assert_eq!(tree.text_of(children[1].1), "words");
        assert_eq!(tree.children(children[1].1).count(), 1);
        assert_eq!(tree.text_of(children[2].1), "ADD");
        // The tree serves the next event.
        tree.clear();
        tree.add_event("TransactionEvent");
        tree.end();
        assert_eq!(tree.children(At::EVENT).count(), 1);
    }

    #[test]
    fn wrappers_are_known_by_name() {
        let mut tree = HashTree::new("");
        let epcis = tree.namespace("urn:epcglobal:epcis:xsd:1");
        let epcis = tree.name(Some(epcis), "extension");
        assert!(epcis.is_some_and(is_wrapper));
        let user = tree.namespace("urn:x:");
        let user = tree.name(Some(user), "extension");
        assert!(!user.is_some_and(is_wrapper));
    }
}
