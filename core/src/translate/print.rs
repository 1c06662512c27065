//! XML text from a tree.

use super::namespace::{Name, Namespace, Namespaces};
use super::report::EXCERPT;
use super::xml_tree::{Element, push_text};

/// Namespace declarations in force while printing.
#[derive(Debug, Default)]
pub(super) struct PrefixScope {
    pub(super) bindings: Vec<(String, Namespace)>,
}

impl PrefixScope {
    pub(super) fn declare(&mut self, prefix: &str, namespace: Namespace) {
        self.bindings.push((prefix.to_owned(), namespace));
    }

    fn meaning(&self, prefix: &str) -> Namespace {
        let found = self
            .bindings
            .iter()
            .rev()
            .find(|(bound, _)| bound == prefix);
        found.map_or(Namespace::NONE, |(_, namespace)| *namespace)
    }

    /// Writes the declaration that a name needs and does not have yet.
    fn provide(&mut self, name: Name<'_>, namespaces: &Namespaces, out: &mut String) {
        if name.namespace == Namespace::XML || self.meaning(name.prefix) == name.namespace {
            return;
        }
        self.declare(name.prefix, name.namespace);
        push_declaration(name.prefix, namespaces.name(name.namespace), out);
    }
}

pub(super) fn push_declaration(prefix: &str, uri: &str, out: &mut String) {
    out.push_str(" xmlns");
    if !prefix.is_empty() {
        out.push(':');
        out.push_str(prefix);
    }
    out.push_str("=\"");
    push_escaped(uri, true, out);
    out.push('"');
}

/// Appends an element with everything in it; namespaces that are not in scope are declared where they are first used.
pub(super) fn print(
    element: Element<'_, '_>,
    namespaces: &Namespaces,
    scope: &mut PrefixScope,
    out: &mut String,
) {
    print_within(usize::MAX, element, namespaces, scope, out);
}

/// The same, but no more than it takes to have so many bytes.
fn print_within(
    limit: usize,
    element: Element<'_, '_>,
    namespaces: &Namespaces,
    scope: &mut PrefixScope,
    out: &mut String,
) {
    if out.len() > limit {
        return;
    }
    let outer = scope.bindings.len();
    begin_tag(element, namespaces, scope, out);
    let text = element.text();
    if text.is_empty() && !element.has_children() {
        out.push_str("/>");
    } else {
        out.push('>');
        let end = text.floor_char_boundary(limit);
        push_escaped(text.get(..end).unwrap_or_default(), false, out);
        for child in element.children() {
            print_within(limit, child, namespaces, scope, out);
        }
        end_tag(element, out);
    }
    scope.bindings.truncate(outer);
}

/// Appends a start tag but for its end, with the declarations that are missing.
pub(super) fn begin_tag(
    element: Element<'_, '_>,
    namespaces: &Namespaces,
    scope: &mut PrefixScope,
    out: &mut String,
) {
    out.push('<');
    element.name().push_to(out);
    scope.provide(element.name(), namespaces, out);
    for attribute in element.attributes() {
        if !attribute.name.prefix.is_empty() {
            scope.provide(attribute.name, namespaces, out);
        }
    }
    push_attributes(element, out);
}

pub(super) fn push_attributes(element: Element<'_, '_>, out: &mut String) {
    for attribute in element.attributes() {
        out.push(' ');
        attribute.name.push_to(out);
        out.push_str("=\"");
        push_escaped(&attribute.value, true, out);
        out.push('"');
    }
}

pub(super) fn end_tag(element: Element<'_, '_>, out: &mut String) {
    out.push_str("</");
    element.name().push_to(out);
    out.push('>');
}

/// Appends text so that reading gives it again: carriage returns, and in attributes every white space, as references.
pub(super) fn push_escaped(text: &str, attribute: bool, out: &mut String) {
    let special = |byte: u8| {
        matches!(byte, b'&' | b'<' | b'>' | b'\r')
            || (attribute && matches!(byte, b'"' | b'\n' | b'\t'))
    };
    let mut rest = text;
    while let Some(at) = rest.bytes().position(special) {
        let (plain, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        push_text(out, plain);
        let mut characters = from.chars();
        out.push_str(match characters.next() {
            Some('&') => "&amp;",
            Some('<') => "&lt;",
            Some('>') => "&gt;",
            Some('"') => "&quot;",
            Some('\n') => "&#10;",
            Some('\t') => "&#9;",
            _ => "&#13;",
        });
        rest = characters.as_str();
    }
    push_text(out, rest);
}

/// An element as text for a note, cut at 400 characters; no more of it is printed than it takes to fill these.
pub(super) fn excerpt(element: Element<'_, '_>, namespaces: &Namespaces) -> String {
    let mut text = String::new();
    // A character has four bytes at most.
    let limit = 4 * EXCERPT;
    print_within(
        limit,
        element,
        namespaces,
        &mut PrefixScope::default(),
        &mut text,
    );
    if let Some((at, _)) = text.char_indices().nth(EXCERPT) {
        text.truncate(at);
    }
    text
}
