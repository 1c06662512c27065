//! The bridge from the trees of XML events to those of the event hash.
//!
//! Wrappers of EPCIS 1.x are dropped where the standard has them; below a user's element these words are the user's.

use super::namespace::{MDA_COLON, Name, Namespace, Namespaces};
use super::output_context::OutputContext;
use super::tree::Element;
use crate::hash::Prefixes;
use crate::hash::name::Name as HashName;
use crate::hash::tree::{HashTree, Ignored, is_wrapper};

/// A piece of a document.
pub(super) struct Piece<'p> {
    pub(super) element: Element<'p>,
    pub(super) namespaces: &'p Namespaces,
    /// Whether it is the document element.
    pub(super) is_document: bool,
}

/// Fills a tree of the algorithm with an event, as a piece of a document, and nothing else; `ignored` are the members that do
/// not count, because the document says so.
pub(super) fn fill(tree: &mut HashTree<'_>, event: &Piece<'_>, ignored: &Ignored) {
    tree.clear();
    let mut filling = Filling {
        tree,
        namespaces: event.namespaces,
        ignored,
    };
    filling.event(event.element, event.is_document);
}

struct Filling<'f, 's> {
    tree: &'f mut HashTree<'s>,
    namespaces: &'f Namespaces,
    ignored: &'f Ignored,
}

impl Filling<'_, '_> {
    /// Adds an event; as the document element it may have the attributes of one.
    fn event(&mut self, event: Element<'_>, is_document: bool) {
        self.tree.add_event(event.local());
        self.attributes(event, |name| {
            is_document
                && name.namespace == Namespace::NONE
                && matches!(name.local, "creationDate" | "schemaVersion")
        });
        self.children(event, true, self.ignored);
        self.tree.end();
    }

    fn attributes(&mut self, element: Element<'_>, is_left_out: impl Fn(Name<'_>) -> bool) {
        for attribute in element.attributes().iter() {
            if !is_left_out(attribute.name)
                && let Some(name) = name_of(self.tree, self.namespaces, attribute.name)
            {
                self.tree.leaf(name, attribute.value);
            }
        }
    }

    fn children(&mut self, holder: Element<'_>, in_standard: bool, ignored: &Ignored) {
        for child in holder.children() {
            let Some(name) = name_of(self.tree, self.namespaces, child.name()) else {
                continue;
            };
            if in_standard && is_wrapper(name) {
                self.attributes(child, |_| false);
                self.children(child, true, ignored);
            } else if !ignored.contains(self.tree, name) {
                self.element(name, child, in_standard && child.is_standard());
            }
        }
    }

    fn element(&mut self, name: HashName, element: Element<'_>, is_standard: bool) {
        if !element.has_children() && element.attributes().is_empty() {
            self.tree.leaf(name, element.text());
            return;
        }
        self.tree.start(name);
        self.attributes(element, |_| false);
        self.tree.text(element.leading_text());
        self.children(element, is_standard, &Ignored::default());
        self.tree.end();
    }
}

pub(super) fn name_of(
    tree: &mut HashTree<'_>,
    namespaces: &Namespaces,
    name: Name<'_>,
) -> Option<HashName> {
    let namespace = if name.namespace.is_standard() {
        None
    } else {
        Some(tree.namespace(namespaces.name(name.namespace)))
    };
    tree.name(namespace, name.local)
}

/// The prefixes of a translation that is under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct GivenPrefixes<'c>(pub(super) &'c OutputContext, pub(super) &'c Namespaces);

impl Prefixes for GivenPrefixes<'_> {
    fn namespace(&self, prefix: &str) -> Option<&str> {
        let Self(context, namespaces) = self;
        if prefix == "cbvmda" {
            return context.declares_mda().then_some(MDA_COLON);
        }
        context
            .user_namespace(prefix)
            .map(|namespace| namespaces.name(namespace))
    }
}
