//! The tree of one event, the common form of JSON and XML events for the hash algorithm.
//!
//! # How a reader fills it
//! [`HashTree::add_event`] with the event type, then the event's members in any order, then [`HashTree::end`].
//! A member is a [`HashTree::leaf`], or [`HashTree::start`], its text and members, and [`HashTree::end`].
//! [`HashTree::name`] gives the names.
//!
//! Every reader leaves out `null`, the event's `type` and `@context`, and names for which [`HashTree::name`] returns `None`.
//! No reader needs to leave out `recordTime`, `eventID`, `errorDeclaration`, comments or empty lists; the algorithm does.
//!
//! An XML reader
//! * gives every name with its namespace; [`HashTree::name`] treats EPCIS's own namespaces like none,
//! * drops the elements for which [`is_wrapper`] holds, anywhere, also around a whole event, and promotes their children,
//! * gives attributes as leaves before the child elements; of a bare event not `creationDate` and `schemaVersion`,
//! * gives as text, in one call, everything before the first child element, and joins pieces split by comments or CDATA,
//! * limits the depth, because the algorithm is recursive,
//! * gives `bizTransaction`, `source` and `destination` as elements with the leaf `type` and a text; lists keep their elements
//!   (`epc`, `quantityElement`, `sensorElement`).

use super::name::{Name, Namespace, SeenNames, offset_in};
use super::pieces::PieceBuffer;
use epcis_edge_text::grow::{push_text, reserve};
use epcis_edge_text::json::Text;
use epcis_edge_text::slice::Part;
use std::collections::BTreeSet;

/// The nodes of one event, or of two events to be compared; the memory is reused for the next event.
///
/// **Limits**: the source, the copied texts and each text of a node must be shorter than 2 GiB.
#[derive(Debug, Default)]
pub struct HashTree<'s> {
    /// The document's text. Texts that are slices of it are not copied.
    source: &'s str,
    /// All other texts, concatenated.
    copied: String,
    /// The nodes in document order: each node before its descendants.
    nodes: Vec<HashNode>,
    /// The positions of nodes that were started but not ended.
    open: Vec<u32>,
    pub(crate) names: SeenNames<'s>,
}

/// A node, in twelve bytes because a list may have millions of members.
#[derive(Clone, Copy, Debug)]
struct HashNode {
    name: Name,
    /// For a leaf, the offset of its text in the source, or (flagged) in the copied texts.
    start: u32,
    /// For a leaf, the length of its text; otherwise (flagged) the number of nodes below.
    extent: u32,
}

const FLAG: u32 = 1 << 31;

/// Members of an event that are left out of the hash.
#[derive(Debug, Default)]
pub(crate) struct Ignored {
    /// The names that the document excludes, in every event.
    names: BTreeSet<(Option<Box<str>>, Box<str>)>,
    /// The namespaces of gateways whose stamps are left out.
    stamps: Vec<Box<str>>,
}

impl Ignored {
    /// Adds a name of a tree.
    pub(crate) fn insert(&mut self, tree: &HashTree<'_>, name: Name) {
        self.names.insert(tree.owned_name(name));
    }

    /// Leaves out the members in these namespaces, instead of those of an earlier call.
    pub(crate) fn leave_out(&mut self, stamps: &[Box<str>]) {
        self.stamps = stamps.to_vec();
    }

    /// Whether a name of a tree is left out.
    pub(crate) fn contains(&self, tree: &HashTree<'_>, name: Name) -> bool {
        if self.names.is_empty() && self.stamps.is_empty() {
            return false;
        }
        let name = tree.owned_name(name);
        name.0.as_ref().is_some_and(|namespace| self.stamps.contains(namespace))
            || self.names.contains(&name)
    }
}

/// A node of a [`HashTree`], by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(u32);

impl NodeId {
    /// The event itself, the first one of the tree.
    pub(super) const EVENT: Self = Self(0);
}

/// Whether an element is a wrapper of EPCIS 1.x, which is replaced by its children. The name is enough, because a user's element
/// `extension` is in a namespace.
pub(crate) fn is_wrapper(name: Name) -> bool {
    matches!(name, Name::EXTENSION | Name::BASE_EXTENSION)
}

impl<'s> HashTree<'s> {
    /// An empty tree. Texts that are slices of `source` will not be copied.
    pub(crate) fn new(source: &'s str) -> Self {
        Self { source, names: SeenNames::new(source), ..Self::default() }
    }

    /// The name of a node; `None` if a node of this name is not data.
    pub(crate) fn name(&mut self, namespace: Option<Namespace>, local: &str) -> Option<Name> {
        match namespace {
            Some(namespace) => self.names.expanded(namespace, local),
            None => Some(self.names.literal(local)),
        }
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Removes all events and their names; namespaces keep their numbers.
    pub(crate) fn clear(&mut self) {
        self.names.clear();
        self.copied.clear();
        self.nodes.clear();
        self.open.clear();
    }

    /// Starts an event after those in the tree. The first event is the one that is hashed.
    pub(crate) fn add_event(&mut self, event_type: &str) {
        // The name of the event's root node is never written.
        self.start(Name::TYPE);
        self.leaf(Name::TYPE, event_type);
    }

    /// Starts a node below the open one.
    pub(crate) fn start(&mut self, name: Name) {
        self.open.push(self.nodes.len() as u32);
        self.push(HashNode { name, start: 0, extent: FLAG });
    }

    /// Adds a text to the open node; only the first one counts.
    pub(crate) fn text(&mut self, text: &str) {
        self.leaf(Name::TEXT, text);
    }

    /// Adds a leaf: a node with a text and no children.
    pub(crate) fn leaf(&mut self, name: Name, text: &str) {
        let start = match offset_in(self.source, text) {
            Some(offset) => offset as u32,
            None => {
                let start = self.copied.len() as u32 | FLAG;
                push_text(&mut self.copied, text);
                start
            }
        };
        self.push(HashNode { name, start, extent: text.len() as u32 });
    }

    /// Adds a leaf whose text is a JSON string. A string with escapes is unescaped while it is copied.
    pub(crate) fn json_leaf(&mut self, name: Name, text: Text<'_>) {
        if let Some(plain) = text.plain_text() {
            return self.leaf(name, plain);
        }
        let start = self.copied.len() as u32;
        text.push_to(&mut self.copied, reserve);
        self.push(HashNode { name, start: start | FLAG, extent: self.copied.len() as u32 - start });
    }

    /// Ends the open node.
    pub(crate) fn end(&mut self) {
        let Some(start) = self.open.pop() else { return };
        let below = self.nodes.len() - start as usize - 1;
        if let Some(node) = self.nodes.get_mut(start as usize) {
            node.extent = below as u32 | FLAG;
        }
    }

    /// Adds a node. The list grows by a quarter, because doubling a large one would waste memory.
    fn push(&mut self, node: HashNode) {
        if self.nodes.len() == self.nodes.capacity() {
            self.nodes.reserve_exact(self.nodes.len() / 4 + 64);
        }
        self.nodes.push(node);
    }

    /// The `eventID` of the first event, if it has one.
    pub(crate) fn event_id(&self) -> Option<&str> {
        let mut members = self.children(NodeId::EVENT);
        let found = members.find(|(name, _)| *name == Name::EVENT_ID);
        found.map(|(_, at)| self.text_of(at))
    }

    /// The event that was added after the first one.
    pub(super) fn second_event(&self) -> NodeId {
        let below = self.node(NodeId::EVENT).map_or(0, HashNode::below);
        NodeId(below as u32 + 1)
    }

    fn node(&self, at: NodeId) -> Option<HashNode> {
        self.nodes.get(at.0 as usize).copied()
    }

    /// The children of a node with their names, without text and comments.
    pub(super) fn children(
        &self,
        at: NodeId,
    ) -> impl Iterator<Item = (Name, NodeId)> + Clone + use<'_, 's> {
        self.all_children(at).filter(|(name, _)| !matches!(*name, Name::TEXT | Name::COMMENT))
    }

    fn all_children(
        &self,
        at: NodeId,
    ) -> impl Iterator<Item = (Name, NodeId)> + Clone + use<'_, 's> {
        let below = self.node(at).map_or(0, HashNode::below);
        let start = at.0 as usize + 1;
        let nodes = self.nodes.part(start..start + below);
        Children { nodes, at: NodeId(start as u32) }
    }

    /// The text of a node, trimmed; empty if it has none.
    pub(super) fn text_of(&self, at: NodeId) -> &str {
        let Some(node) = self.node(at) else { return "" };
        if node.extent & FLAG != 0 {
            let mut children = self.all_children(at);
            let text = children.find(|(name, _)| *name == Name::TEXT);
            return text.map_or("", |(_, text)| self.text_of(text));
        }
        self.raw_text(node).trim()
    }

    /// Whether two nodes are leaves with the same text, untrimmed.
    pub(super) fn are_same_leaves(&self, one: NodeId, other: NodeId) -> bool {
        match (self.node(one), self.node(other)) {
            (Some(one), Some(other)) => {
                one.extent & FLAG == 0
                    && one.extent == other.extent
                    && self.raw_text(one) == self.raw_text(other)
            }
            _ => false,
        }
    }

    /// The text of a leaf, untrimmed.
    fn raw_text(&self, leaf: HashNode) -> &str {
        let texts = if leaf.start & FLAG == 0 { self.source } else { &self.copied };
        let start = (leaf.start & !FLAG) as usize;
        texts.part(start..start + leaf.extent as usize)
    }

    /// The name of a node.
    pub(super) fn name_of(&self, at: NodeId) -> Option<Name> {
        self.node(at).map(|node| node.name)
    }

    /// The text of a name of the standard.
    pub(super) fn standard_name(&self, name: Name) -> &str {
        self.names.parts(name).1
    }

    /// A name as the pre-hash string has it: `{namespace}local`, or without a namespace as it is.
    pub(super) fn full_name(&self, name: Name) -> String {
        match self.names.parts(name) {
            (Some(namespace), local) => format!("{{{namespace}}}{local}"),
            (None, local) => local.to_owned(),
        }
    }

    /// Appends a name to the pre-hash string, in the form of [`full_name`](Self::full_name).
    pub(super) fn push_name(&self, name: Name, pieces: &mut PieceBuffer) {
        let (namespace, local) = self.names.parts(name);
        if let Some(namespace) = namespace {
            for part in ["{", namespace, "}"] {
                pieces.push(part);
            }
        }
        pieces.push(local);
    }

    /// The namespace and local part of a name, as a copy that outlives [`clear`](Self::clear).
    pub(super) fn owned_name(&self, name: Name) -> (Option<Box<str>>, Box<str>) {
        let (namespace, local) = self.names.parts(name);
        (namespace.map(Box::from), local.into())
    }
}

impl HashNode {
    /// The number of nodes below this one, at any depth.
    fn below(self) -> usize {
        if self.extent & FLAG == 0 { 0 } else { (self.extent & !FLAG) as usize }
    }
}

/// The nodes on one level, each with its name.
#[derive(Clone)]
struct Children<'t> {
    nodes: &'t [HashNode],
    at: NodeId,
}

impl Iterator for Children<'_> {
    type Item = (Name, NodeId);

    fn next(&mut self) -> Option<(Name, NodeId)> {
        let node = *self.nodes.first()?;
        let at = self.at;
        let span = node.below() + 1;
        self.nodes = self.nodes.part(span..);
        self.at = NodeId(at.0 + span as u32);
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
            .children(NodeId::EVENT)
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
        let namespace = tree.names.namespace("urn:x:");
        let outer = tree.name(Some(namespace), "outer").unwrap();
        tree.start(outer);
        tree.leaf(Name::COMMENT, "no data");
        tree.leaf(Name::TYPE, "po");
        tree.text(" words ");
        tree.text("more words");
        tree.end();
        tree.leaf(Name::of("action"), "ADD");
        tree.end();
        let children: Vec<_> = tree.children(NodeId::EVENT).collect();
        assert_eq!(children.len(), 3);
        assert_eq!(tree.text_of(children[1].1), "words");
        assert_eq!(tree.children(children[1].1).count(), 1);
        assert_eq!(tree.text_of(children[2].1), "ADD");
        // The tree is reused for the next event.
        tree.clear();
        tree.add_event("TransactionEvent");
        tree.end();
        assert_eq!(tree.children(NodeId::EVENT).count(), 1);
    }

    #[test]
    fn wrappers_are_known_by_name() {
        let mut tree = HashTree::new("");
        let epcis = tree.names.namespace("urn:epcglobal:epcis:xsd:1");
        let epcis = tree.name(Some(epcis), "extension");
        assert!(epcis.is_some_and(is_wrapper));
        let user = tree.names.namespace("urn:x:");
        let user = tree.name(Some(user), "extension");
        assert!(!user.is_some_and(is_wrapper));
    }
}
