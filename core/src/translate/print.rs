//! XML text from a tree.

use super::namespace::{Name, Namespace, Namespaces};
use super::report::EXCERPT;
use super::tree::Element;
use crate::grow::push_with_escapes;
use crate::grow::reserve;
use std::collections::BTreeMap;

/// XML text under construction; namespaces that are not in scope are declared where they are first used.
#[derive(Clone, Debug, Default)]
pub(super) struct XmlWriter {
    pub(super) text: String,
    /// The declarations in force.
    in_force: BTreeMap<String, Namespace>,
    /// The prefixes that were declared, the innermost last, each with what it meant before.
    bindings: Vec<(String, Option<Namespace>)>,
    /// What the next start tag is to declare, needed or not.
    next: Vec<(String, Namespace)>,
}

impl XmlWriter {
    /// Writes on from here, into a text of its own.
    pub(super) fn apart(&self) -> Self {
        Self {
            text: String::new(),
            in_force: self.in_force.clone(),
            bindings: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Writes a declaration into the start tag that is being written.
    pub(super) fn declare(&mut self, prefix: &str, namespace: Namespace, namespaces: &Namespaces) {
        let before = self.in_force.insert(prefix.to_owned(), namespace);
        self.bindings.push((prefix.to_owned(), before));
        self.text.push_str(" xmlns");
        if !prefix.is_empty() {
            self.text.push(':');
            self.text.push_str(prefix);
        }
        self.value(namespaces.name(namespace));
    }

    /// Writes the declaration that a name needs and does not have yet.
    fn provide(&mut self, name: Name<'_>, namespaces: &Namespaces) {
        let found = self.in_force.get(name.prefix);
        let meaning = found.copied().unwrap_or(Namespace::NONE);
        if name.namespace != Namespace::XML && meaning != name.namespace {
            self.declare(name.prefix, name.namespace, namespaces);
        }
    }

    /// Has the next start tag declare a prefix, unless it is in force as it is.
    pub(super) fn declare_next(&mut self, prefix: &str, namespace: Namespace) {
        if self.in_force.get(prefix) != Some(&namespace) {
            self.next.push((prefix.to_owned(), namespace));
        }
    }

    /// Puts back what was in force when there were so many declarations.
    fn leave(&mut self, outer: usize) {
        while self.bindings.len() > outer {
            match self.bindings.pop() {
                Some((prefix, Some(before))) => drop(self.in_force.insert(prefix, before)),
                Some((prefix, None)) => drop(self.in_force.remove(&prefix)),
                None => break,
            }
        }
    }

    /// Writes an element with everything in it.
    pub(super) fn element(&mut self, element: Element<'_>, namespaces: &Namespaces) {
        self.element_within(usize::MAX, element, namespaces);
    }

    /// The same, but no more than it takes to have so many bytes.
    fn element_within(&mut self, limit: usize, element: Element<'_>, namespaces: &Namespaces) {
        if self.text.len() > limit {
            return;
        }
        let outer = self.begin_tag(element, namespaces);
        let text = element.text();
        if text.is_empty() && !element.has_children() {
            self.text.push_str("/>");
        } else {
            self.text.push('>');
            let end = text.floor_char_boundary(limit);
            push_escaped(text.get(..end).unwrap_or_default(), false, &mut self.text);
            for child in element.children() {
                self.element_within(limit, child, namespaces);
            }
            self.end_tag(element);
        }
        self.leave(outer);
    }

    /// Writes a start tag but for its end, with the declarations that are missing; gives how many were in force before.
    fn begin_tag(&mut self, element: Element<'_>, namespaces: &Namespaces) -> usize {
        let outer = self.bindings.len();
        reserve(&mut self.text, 8 << 10);
        self.text.push('<');
        element.name().push_to(&mut self.text);
        for (prefix, namespace) in std::mem::take(&mut self.next) {
            self.declare(&prefix, namespace, namespaces);
        }
        self.provide(element.name(), namespaces);
        for attribute in element.attributes().iter() {
            if !attribute.name.prefix.is_empty() {
                self.provide(attribute.name, namespaces);
            }
        }
        self.attributes(element);
        outer
    }

    /// Begins an element; gives what [`end`](Self::end) takes.
    pub(super) fn begin(&mut self, element: Element<'_>, namespaces: &Namespaces) -> usize {
        let outer = self.begin_tag(element, namespaces);
        self.text.push('>');
        outer
    }

    /// Ends an element.
    pub(super) fn end(&mut self, element: Element<'_>, outer: usize) {
        self.end_tag(element);
        self.leave(outer);
    }

    pub(super) fn attributes(&mut self, element: Element<'_>) {
        for attribute in element.attributes().iter() {
            self.text.push(' ');
            attribute.name.push_to(&mut self.text);
            self.value(attribute.value);
        }
    }

    fn value(&mut self, value: &str) {
        self.text.push_str("=\"");
        push_escaped(value, true, &mut self.text);
        self.text.push('"');
    }

    fn end_tag(&mut self, element: Element<'_>) {
        self.text.push_str("</");
        element.name().push_to(&mut self.text);
        self.text.push('>');
    }
}

/// Appends text so that reading gives it again: carriage returns, and in attributes every white space, as references.
fn push_escaped(text: &str, attribute: bool, out: &mut String) {
    let is_special = |byte: u8| {
        matches!(byte, b'&' | b'<' | b'>' | b'\r')
            || (attribute && matches!(byte, b'"' | b'\n' | b'\t'))
    };
    push_with_escapes(out, text, is_special, |character| match character {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        '\n' => "&#10;",
        '\t' => "&#9;",
        _ => "&#13;",
    });
}

/// An element as text for a note, cut at 400 characters; no more of it is printed than it takes to fill these.
pub(super) fn excerpt(element: Element<'_>, namespaces: &Namespaces) -> String {
    let mut out = XmlWriter::default();
    // A character has four bytes at most.
    out.element_within(4 * EXCERPT, element, namespaces);
    let mut text = out.text;
    if let Some((at, _)) = text.char_indices().nth(EXCERPT) {
        text.truncate(at);
    }
    text
}
