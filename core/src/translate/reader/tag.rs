//! Start tags: names, attributes and declarations.

use super::{Fault, Pass};
use crate::error::XmlFault;
use crate::translate::characters::{is_ncname, is_space};
use crate::translate::limits::{
    MAX_ATTRIBUTES, MAX_DOCUMENT_NAMESPACES, MAX_NAME_LENGTH, MAX_NAMESPACES,
};
use crate::translate::markup::attribute_value;
use crate::translate::namespace::{Binding, Name, Namespace, Namespaces, lookup};
use crate::validate::xml::{AttributeOf, StartTag};
use std::borrow::Cow;

/// The start tag that was read last.
#[derive(Clone, Copy, Debug)]
pub(in crate::translate) struct Tag<'p, 't> {
    pub(in crate::translate) name: Name<'t>,
    pub(in crate::translate) attributes: &'p [TagAttribute<'t>],
    /// What it declares.
    pub(in crate::translate) declared: &'p [Binding],
    /// How many bytes of the text stand before it.
    pub(in crate::translate) offset: usize,
    /// Its number among the siblings of its name; zero where they are too many to be counted.
    pub(in crate::translate) position: u32,
}

/// One attribute, its value normalised; namespace declarations are none.
#[derive(Clone, Debug)]
pub(in crate::translate) struct TagAttribute<'t> {
    pub(in crate::translate) name: Name<'t>,
    pub(in crate::translate) value: Cow<'t, str>,
    /// How many bytes of the text stand before it.
    at: usize,
}

impl<'t> Pass<'t> {
    /// Reads what follows the name in a start tag; declarations come into force at once.
    pub(super) fn read_attributes(
        &mut self,
        text: &'t str,
        offset: usize,
        namespaces: &mut Namespaces,
    ) -> Result<(), Fault> {
        let bytes = text.as_bytes();
        let syntax = |expected, at: usize| Err((XmlFault::Syntax { expected }, offset + at));
        let blanks = |from: usize| {
            let rest = bytes.get(from..).unwrap_or_default();
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
            while bytes
                .get(at)
                .is_some_and(|&byte| byte != b'=' && !is_space(byte))
            {
                at += 1;
            }
            let name = text.get(name_at..at).unwrap_or_default();
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
            let rest = bytes.get(start..).unwrap_or_default();
            let Some(length) = rest.iter().position(|&byte| byte == quote) else {
                return syntax("the closing quote of an attribute value", at);
            };
            at = start + length + 1;
            let raw = text.get(start..start + length).unwrap_or_default();
            let value = attribute_value(raw, offset + start)?;
            let prefix = match name.strip_prefix("xmlns") {
                Some("") => Some(""),
                Some(rest) => rest.strip_prefix(':'),
                None => None,
            };
            if self.attributes.len() + declarations == MAX_ATTRIBUTES {
                let limit = MAX_ATTRIBUTES;
                return Err((XmlFault::Attributes { limit }, offset + name_at));
            }
            if let Some(prefix) = prefix {
                declarations += 1;
                let declared = self.reader.bindings.get(outer..).unwrap_or_default();
                if declared.iter().any(|binding| binding.prefix == prefix) {
                    let name = name.to_owned();
                    return Err((XmlFault::RepeatedAttribute { name }, offset + name_at));
                }
                self.bind(name, prefix, &value, offset + name_at, namespaces)?;
            } else {
                // The name is split and resolved when all declarations of the tag are known.
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
            let limit = MAX_NAME_LENGTH;
            return Err((XmlFault::NameLength { limit }, at));
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
            let prefix = prefix.to_owned();
            return Err((XmlFault::Prefix { prefix }, at));
        }
        if self.reader.bindings.len() == MAX_NAMESPACES {
            let limit = MAX_NAMESPACES;
            return Err((XmlFault::Namespaces { limit }, at));
        }
        if namespaces.is_beyond_limit() {
            let limit = MAX_DOCUMENT_NAMESPACES;
            return Err((XmlFault::DocumentNamespaces { limit }, at));
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
            if earlier
                .iter()
                .any(|other| other.name.same_as(&attribute.name))
            {
                let name = qualified.to_owned();
                return Err((XmlFault::RepeatedAttribute { name }, attribute.at));
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
            let limit = MAX_NAME_LENGTH;
            return Err((XmlFault::NameLength { limit }, at));
        }
        // Names are short: a plain loop finds the colon before a search is set up.
        let colon = qualified.bytes().position(|byte| byte == b':');
        let (prefix, local) = match colon {
            None => ("", qualified),
            Some(at) => match (qualified.get(..at), qualified.get(at + 1..)) {
                (Some(prefix), Some(local)) if is_ncname(prefix) => (prefix, local),
                _ => ("", ""),
            },
        };
        if !is_ncname(local) {
            let expected = "a name";
            return Err((XmlFault::Syntax { expected }, at));
        }
        let namespace = match prefix {
            "" if !is_element => Namespace::NONE,
            "xml" => Namespace::XML,
            _ => match lookup(&self.reader.bindings, prefix) {
                Some(namespace) => namespace,
                None if prefix.is_empty() => Namespace::NONE,
                None => {
                    let prefix = prefix.to_owned();
                    return Err((XmlFault::Prefix { prefix }, at));
                }
            },
        };
        Ok(Name {
            prefix,
            local,
            namespace,
        })
    }
}

/// A start tag as the judge wants it.
pub(super) struct Judged<'r, 't> {
    pub(super) name: Name<'t>,
    pub(super) attributes: &'r [TagAttribute<'t>],
    pub(super) bindings: &'r [Binding],
    pub(super) namespaces: &'r Namespaces,
}

impl StartTag for Judged<'_, '_> {
    fn name(&self) -> Cow<'_, str> {
        let mut name = String::new();
        self.name.push_to(&mut name);
        name.into()
    }

    #[inline]
    fn local(&self) -> &str {
        self.name.local
    }

    #[inline]
    fn namespace(&self) -> &str {
        self.namespaces.name(self.name.namespace)
    }

    #[inline]
    fn is_unqualified(&self) -> bool {
        self.name.namespace == Namespace::NONE
    }

    #[inline]
    fn attributes(&self) -> usize {
        self.attributes.len()
    }

    #[inline]
    fn attribute(&self, number: usize) -> Option<AttributeOf<'_>> {
        let attribute = self.attributes.get(number)?;
        Some(AttributeOf {
            prefix: attribute.name.prefix,
            local: attribute.name.local,
            namespace: self.namespaces.name(attribute.name.namespace),
            value: &attribute.value,
        })
    }

    #[inline]
    fn has_instance_attributes(&self) -> bool {
        let mut attributes = self.attributes.iter();
        attributes.any(|attribute| attribute.name.namespace == Namespace::XSI)
    }

    fn resolve(&self, prefix: &str) -> Option<&str> {
        let namespace = lookup(self.bindings, prefix)?;
        Some(self.namespaces.name(namespace))
    }
}
