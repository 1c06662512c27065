//! What a judge of the XML schemas is told of, while the reader goes on.

use super::{Attribute, Binding, XmlReader, lookup};
use crate::translate::namespace::{Name, Namespace, Namespaces};
use crate::validate::xml::{AttributeOf, Found, Judge, StartTag};
use std::borrow::Cow;

/// A start tag that the reader has just read.
pub(super) struct Opened<'r, 'x> {
    pub(super) attributes: &'r [Attribute<'x>],
    pub(super) bindings: &'r [Binding<'x>],
    pub(super) namespaces: &'r Namespaces,
    pub(super) name: &'r Name<'x>,
    pub(super) offset: usize,
}

impl StartTag for Opened<'_, '_> {
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
    fn offset(&self) -> usize {
        self.offset
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

impl<'x> XmlReader<'x> {
    /// From here on a judge is told of every token.
    pub(in crate::translate) fn judge(&mut self) {
        self.judge = Some(Box::new(Judge::new()));
    }

    /// What the judge found.
    pub(in crate::translate) fn judged(&mut self) -> Found {
        let judge = self.judge.take().unwrap_or_else(|| Box::new(Judge::new()));
        judge.finish()
    }
}
