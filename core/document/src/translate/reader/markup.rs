//! Reads the content of markup: start tags with their names, attributes and declarations, references, the XML declaration.

use super::Pass;
use crate::translate::characters::{is_ncname, is_space, reference};
use crate::translate::limits::{
    MAX_ATTRIBUTES, MAX_DOCUMENT_NAMESPACES, MAX_NAME_LENGTH, MAX_NAMESPACES,
};
use crate::translate::namespace::{Binding, Name, Namespace, Namespaces, lookup};
use crate::validate::xml::{AttributeOf, StartTag};
use epcis_edge_text::error::XmlFault;
use epcis_edge_text::lookalike;
use epcis_edge_text::slice::Part;
use std::borrow::Cow;

/// The start tag that was read last.
#[derive(Clone, Copy, Debug)]
pub(in crate::translate) struct Tag<'p, 't> {
    pub(in crate::translate) name: Name<'t>,
    pub(in crate::translate) attributes: &'p [TagAttribute<'t>],
    /// Its namespace declarations.
    pub(in crate::translate) declared: &'p [Binding],
    /// The byte offset of the tag in the text.
    pub(in crate::translate) offset: usize,
    /// The number of the element among siblings of the same name; zero if there are too many names to count.
    pub(in crate::translate) position: u32,
}

/// One attribute with its normalised value; never a namespace declaration.
#[derive(Clone, Debug)]
pub(in crate::translate) struct TagAttribute<'t> {
    pub(in crate::translate) name: Name<'t>,
    pub(in crate::translate) value: Cow<'t, str>,
    /// The byte offset of the attribute in the text.
    at: usize,
}

impl<'t> Pass<'t> {
    /// Reads the part of a start tag after its name; namespace declarations take effect at once.
    pub(super) fn read_attributes(
        &mut self,
        text: &'t str,
        offset: usize,
        namespaces: &mut Namespaces,
    ) -> Result<(), Fault> {
        let bytes = text.as_bytes();
        let syntax = |expected, at: usize| Err((XmlFault::Syntax(expected), offset + at));
        let blanks = |from: usize| {
            let rest = bytes.part(from..);
            from + rest.iter().take_while(|byte| is_space(**byte)).count()
        };
        let mut at = 0;
        let mut declarations = 0;
        let outer = self.reader.bindings.len();
        loop {
            let name_at = blanks(at);
            if name_at == bytes.len() {
                return Ok(());
            }
            if name_at == at {
                return syntax("white space before an attribute", at);
            }
            at = name_at;
            while bytes.get(at).is_some_and(|&byte| byte != b'=' && !is_space(byte)) {
                at += 1;
            }
            let name = text.part(name_at..at);
            at = blanks(at);
            if bytes.get(at) != Some(&b'=') {
                return syntax("`=` after the name of an attribute", at);
            }
            at = blanks(at + 1);
            let quote = match bytes.get(at) {
                Some(&quote @ (b'"' | b'\'')) => quote,
                _ => return syntax("an attribute value in quotes", at),
            };
            let start = at + 1;
            let rest = bytes.part(start..);
            let Some(length) = rest.iter().position(|&byte| byte == quote) else {
                return syntax("the closing quote of an attribute value", at);
            };
            at = start + length + 1;
            let raw = text.part(start..start + length);
            let value = attribute_value(raw, offset + start)?;
            let prefix = match name.strip_prefix("xmlns") {
                Some("") => Some(""),
                Some(rest) => rest.strip_prefix(':'),
                None => None,
            };
            if self.attributes.len() + declarations == MAX_ATTRIBUTES {
                return Err((XmlFault::Attributes(MAX_ATTRIBUTES), offset + name_at));
            }
            if let Some(prefix) = prefix {
                declarations += 1;
                let declared = self.reader.bindings.part(outer..);
                if declared.iter().any(|binding| binding.prefix == prefix) {
                    return Err((XmlFault::RepeatedAttribute(name.to_owned()), offset + name_at));
                }
                self.bind(name, prefix, &value, offset + name_at, namespaces)?;
            } else {
                // The name is split and resolved once all declarations of the tag are known.
                self.attributes.push(TagAttribute {
                    name: Name::unqualified(name),
                    value,
                    at: offset + name_at,
                });
            }
        }
    }

    fn bind(
        &mut self,
        name: &str,
        prefix: &str,
        uri: &str,
        at: usize,
        namespaces: &mut Namespaces,
    ) -> Result<(), Fault> {
        if name.len() > MAX_NAME_LENGTH || uri.len() > MAX_NAME_LENGTH {
            return Err((XmlFault::NameLength(MAX_NAME_LENGTH), at));
        }
        let namespace = namespaces.intern(uri);
        let allowed = match prefix {
            "" => namespace != Namespace::XML && uri != "http://www.w3.org/2000/xmlns/",
            "xml" => namespace == Namespace::XML,
            "xmlns" => false,
            _ => {
                is_ncname(prefix)
                    && !uri.is_empty()
                    && namespace != Namespace::XML
                    && uri != "http://www.w3.org/2000/xmlns/"
            }
        };
        if !allowed {
            return Err((XmlFault::Prefix(prefix.to_owned()), at));
        }
        if self.reader.bindings.len() == MAX_NAMESPACES {
            return Err((XmlFault::Namespaces(MAX_NAMESPACES), at));
        }
        if namespaces.is_beyond_limit() {
            return Err((XmlFault::DocumentNamespaces(MAX_DOCUMENT_NAMESPACES), at));
        }
        let prefix = prefix.to_owned();
        self.reader.bindings.push(Binding { prefix, namespace });
        Ok(())
    }

    pub(super) fn resolve_attributes(&mut self) -> Result<(), Fault> {
        let mut attributes = std::mem::take(&mut self.attributes);
        for index in 0..attributes.len() {
            let (earlier, rest) = attributes.split_at_mut(index);
            let Some(attribute) = rest.first_mut() else {
                break;
            };
            let qualified = attribute.name.local;
            attribute.name = self.resolve(qualified, attribute.at, false)?;
            if earlier.iter().any(|other| other.name.same_as(&attribute.name)) {
                return Err((XmlFault::RepeatedAttribute(qualified.to_owned()), attribute.at));
            }
        }
        self.attributes = attributes;
        Ok(())
    }

    pub(super) fn resolve(
        &self,
        qualified: &'t str,
        at: usize,
        is_element: bool,
    ) -> Result<Name<'t>, Fault> {
        if qualified.len() > MAX_NAME_LENGTH {
            return Err((XmlFault::NameLength(MAX_NAME_LENGTH), at));
        }
        // Names are short: a plain loop is faster than setting up a search.
        let colon = qualified.bytes().position(|byte| byte == b':');
        let (prefix, local) = match colon {
            None => ("", qualified),
            Some(at) => match (qualified.get(..at), qualified.get(at + 1..)) {
                (Some(prefix), Some(local)) if is_ncname(prefix) => (prefix, local),
                _ => ("", ""),
            },
        };
        if !is_ncname(local) {
            return Err((XmlFault::Syntax("a name"), at));
        }
        let namespace = match prefix {
            "" if !is_element => Namespace::NONE,
            "xml" => Namespace::XML,
            _ => match lookup(&self.reader.bindings, prefix) {
                Some(namespace) => namespace,
                None if prefix.is_empty() => Namespace::NONE,
                None => {
                    return Err((XmlFault::Prefix(prefix.to_owned()), at));
                }
            },
        };
        Ok(Name { prefix, local, namespace })
    }
}

/// A start tag in the form that the schema check needs.
pub(super) struct TagForJudge<'r, 't> {
    pub(super) name: Name<'t>,
    pub(super) attributes: &'r [TagAttribute<'t>],
    pub(super) bindings: &'r [Binding],
    pub(super) namespaces: &'r Namespaces,
}

impl StartTag for TagForJudge<'_, '_> {
    fn name(&self) -> Cow<'_, str> {
        let mut name = String::new();
        self.name.push_to(&mut name);
        name.into()
    }

    fn local(&self) -> &str {
        self.name.local
    }

    fn namespace(&self) -> &str {
        self.namespaces.name(self.name.namespace)
    }

    fn has_attributes(&self) -> bool {
        !self.attributes.is_empty()
    }

    fn attributes(&self) -> impl Iterator<Item = AttributeOf<'_>> {
        self.attributes.iter().map(|attribute| AttributeOf {
            prefix: attribute.name.prefix,
            local: attribute.name.local,
            namespace: self.namespaces.name(attribute.name.namespace),
            value: &attribute.value,
        })
    }

    fn has_instance_attributes(&self) -> bool {
        let mut attributes = self.attributes.iter();
        attributes.any(|attribute| attribute.name.namespace == Namespace::XSI)
    }

    fn resolve(&self, prefix: &str) -> Option<&str> {
        let namespace = lookup(self.bindings, prefix)?;
        Some(self.namespaces.name(namespace))
    }
}

/// A fault and its byte offset.
pub(in crate::translate) type Fault = (XmlFault, usize);

/// Returns the character of a reference.
pub(super) fn resolve(name: &str, offset: usize) -> Result<char, Fault> {
    match reference(name) {
        Some(character) => Ok(character),
        None if name.starts_with('#') => {
            Err((XmlFault::Syntax("a character reference to a character that XML allows"), offset))
        }
        None => Err((XmlFault::Entity(name.to_owned()), offset)),
    }
}

/// Returns an attribute value, normalised as XML 1.0 (3.3.3) requires for CDATA attributes.
pub(super) fn attribute_value(raw: &str, offset: usize) -> Result<Cow<'_, str>, Fault> {
    if !raw.bytes().any(|byte| matches!(byte, b'&' | b'<' | b'\n' | b'\t' | b'\r')) {
        return Ok(Cow::Borrowed(raw));
    }
    let mut value = String::with_capacity(raw.len());
    let mut characters = raw.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '<' => {
                let expected = "`&lt;` where an attribute value has this character";
                return Err((XmlFault::Syntax(expected), offset + at));
            }
            '&' => {
                let rest = raw.part(at + 1..);
                let Some((name, _)) = rest.split_once(';') else {
                    let expected = "`;` after a reference, `&amp;` where an ampersand is meant";
                    return Err((XmlFault::Syntax(expected), offset + at));
                };
                value.push(resolve(name, offset + at)?);
                while characters.next_if(|&(next, _)| next <= at + 1 + name.len()).is_some() {}
            }
            '\r' => {
                characters.next_if(|&(_, next)| next == '\n');
                value.push(' ');
            }
            '\n' | '\t' => value.push(' '),
            other => value.push(other),
        }
    }
    Ok(Cow::Owned(value))
}

/// Whether a text is an encoding name (XML 1.0, production 81, `EncName`).
fn is_encoding_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

/// Checks the XML declaration: at the very start, version first. Its encoding was read by the decoder.
pub(super) fn declaration(markup: &str, offset: usize, is_later: bool) -> Result<(), Fault> {
    let syntax = |expected| Err((XmlFault::Syntax(expected), offset));
    if offset != 0 || is_later {
        return syntax("the XML declaration at the very start, or not at all");
    }
    let inside = markup.part(5..markup.len().saturating_sub(2));
    let mut rest = inside.trim_start_matches([' ', '\n', '\t', '\r']);
    for (name, required) in [("version", true), ("encoding", false), ("standalone", false)] {
        let Some(value) = rest.strip_prefix(name) else {
            if required {
                return syntax("`version` in the XML declaration");
            }
            continue;
        };
        let value = value.trim_start_matches([' ', '\n', '\t', '\r']);
        let value = value.strip_prefix('=').unwrap_or("");
        let value = value.trim_start_matches([' ', '\n', '\t', '\r']);
        let quoted = value
            .strip_prefix('"')
            .and_then(|value| value.split_once('"'))
            .or_else(|| value.strip_prefix('\'').and_then(|value| value.split_once('\'')));
        let Some((value, after)) = quoted else {
            return syntax("a value in quotes in the XML declaration");
        };
        match name {
            "version" if value != "1.0" => return syntax("XML version 1.0"),
            "encoding" if !lookalike::note(value).is_empty() => {
                return Err((XmlFault::Encoding(value.to_owned()), offset));
            }
            "encoding" if !is_encoding_name(value) => {
                return syntax(
                    "the name of an encoding: a letter, then letters, digits, `.`, `_` and `-`",
                );
            }
            "standalone" if !matches!(value, "yes" | "no") => {
                return syntax("`yes` or `no` for `standalone`");
            }
            _ => {}
        }
        rest = after.trim_start_matches([' ', '\n', '\t', '\r']);
        if !rest.is_empty() && rest.len() == after.len() {
            return syntax("white space between the parts of the XML declaration");
        }
    }
    if rest.is_empty() {
        return Ok(());
    }
    syntax("`version`, `encoding`, `standalone` and nothing else in the XML declaration")
}
