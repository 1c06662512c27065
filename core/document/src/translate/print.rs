//! Prints a tree as XML text.

use super::namespace::{Name, Namespace, Namespaces};
use super::report::EXCERPT;
use super::tree::Element;
use epcis_edge_text::grow::push_with_escapes;
use epcis_edge_text::grow::reserve;
use epcis_edge_text::slice::Part;
use std::collections::BTreeMap;

/// XML text under construction; namespaces that are not in scope are declared at their first use.
#[derive(Clone, Debug, Default)]
pub(super) struct XmlWriter {
    pub(super) text: String,
    /// The declarations in force.
    in_force: BTreeMap<String, Namespace>,
    /// The declared prefixes, the innermost last, each with its previous namespace.
    bindings: Vec<(String, Option<Namespace>)>,
    /// The declarations for the next start tag, needed or not.
    next: Vec<(String, Namespace)>,
}

impl XmlWriter {
    /// Returns a writer with the same declarations in force and an empty text.
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

    /// Writes the declaration that a name needs, if it is not in force.
    fn provide(&mut self, name: Name<'_>, namespaces: &Namespaces) {
        let found = self.in_force.get(name.prefix);
        let meaning = found.copied().unwrap_or(Namespace::NONE);
        if name.namespace != Namespace::XML && meaning != name.namespace {
            self.declare(name.prefix, name.namespace, namespaces);
        }
    }

    /// Adds a declaration to the next start tag, unless it is in force.
    pub(super) fn declare_next(&mut self, prefix: &str, namespace: Namespace) {
        if self.in_force.get(prefix) != Some(&namespace) {
            self.next.push((prefix.to_owned(), namespace));
        }
    }

    /// Removes the declarations after the first `outer` ones, and restores the previous namespaces.
    fn leave(&mut self, outer: usize) {
        while self.bindings.len() > outer {
            match self.bindings.pop() {
                Some((prefix, Some(before))) => drop(self.in_force.insert(prefix, before)),
                Some((prefix, None)) => drop(self.in_force.remove(&prefix)),
                None => break,
            }
        }
    }

    /// Writes an element with its whole content.
    pub(super) fn element(&mut self, element: Element<'_>, namespaces: &Namespaces) {
        self.element_within(usize::MAX, element, namespaces);
    }

    /// The same, but stops once the text is longer than `limit` bytes.
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
            push_escaped(text.part(..end), false, &mut self.text);
            for child in element.children() {
                self.element_within(limit, child, namespaces);
            }
            self.end_tag(element);
        }
        self.leave(outer);
    }

    /// Writes a start tag except for its end, with the missing declarations; returns the number of declarations before it.
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

    /// Begins an element; returns the number that [`end`](Self::end) needs.
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

/// Appends text with references that make it read back unchanged: for carriage returns, in attributes for tabs and line feeds, too.
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

/// Returns an element as text for a note, cut at 400 characters; printing stops soon after these.
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
