//! Writes extension members as elements, and as attributes if the JSON shows that they were attributes.

use super::{PointerStep, XmlBuilder};
use crate::field::ValueKind;
use crate::translate::namespace::{Name, Namespace};
use epcis_edge_text::json::{Kind, Text, Value};

impl<'a: 'd, 'd> XmlBuilder<'a, 'd> {
    /// Writes the members in XML's own namespace, such as `xml:lang`, as attributes of the element opened last: this namespace
    /// has no elements.
    pub(super) fn xml_attributes(&mut self, value: Value<'d>) {
        for (key, member) in value.members() {
            if let Some(name) = self.xml_attribute(key, member)
                && let Some(text) = self.scalar(member, ValueKind::Verbatim)
            {
                self.tree.attribute(name, &text);
            }
        }
    }

    fn xml_attribute(&self, key: Text<'d>, member: Value<'d>) -> Option<Name<'d>> {
        if member.kind() != Kind::String || !key.to_cow().starts_with("xml:") {
            return None;
        }
        let name = self.names.name(key)?;
        (name.namespace == Namespace::XML).then_some(name)
    }

    /// Writes an extension member inside the innermost open element; attributes in XML's own namespace were written before.
    pub(in crate::translate) fn extension(&mut self, key: Text<'d>, value: Value<'d>) {
        if self.xml_attribute(key, value).is_some() {
            return;
        }
        if key == "@context" {
            self.lose_member(key, super::EVENT_CONTEXT);
            return;
        }
        self.step(PointerStep::Member(key), |builder| match value.kind() {
            Kind::Array => {
                if value.elements().next().is_none() {
                    builder.lose(super::EMPTY_ARRAY);
                }
                builder.each(value, |builder, element| {
                    if element.kind() == Kind::Array {
                        builder.lose(super::NESTED_ARRAY);
                        builder.each(element, |builder, inner| builder.single(key, inner));
                    } else {
                        builder.single(key, element);
                    }
                });
            }
            _ => builder.single(key, value),
        });
    }

    fn single(&mut self, key: Text<'d>, value: Value<'d>) {
        let Some(name) = self.names.name(key) else {
            let keyword = key.to_cow().starts_with(['@', '#']);
            self.lose(if keyword { super::KEYWORD } else { super::MEMBER_NO_HOME });
            return;
        };
        if let Some(note) = self.names.note(key) {
            self.lose(note);
        }
        match value.kind() {
            // This namespace has no elements.
            _ if name.namespace == Namespace::XML => self.lose(super::MEMBER_NO_HOME),
            Kind::Null => self.lose(super::NULL),
            Kind::Array => self.lose(super::NESTED_ARRAY),
            Kind::Object => {
                self.tree.open(name);
                self.object(value);
                self.tree.close();
            }
            kind => {
                self.lose_type(kind);
                if let Some(text) = self.scalar(value, ValueKind::Verbatim) {
                    self.tree.leaf(name, &text);
                }
            }
        }
    }

    /// Writes the members of an object inside an extension: as attributes if the object has a `#text` and only strings.
    pub(super) fn object(&mut self, value: Value<'d>) {
        let text = value.get("#text");
        let only_strings =
            text.is_some() && value.members().all(|(_, member)| member.kind() == Kind::String);
        // Attributes must be written before any content.
        if only_strings {
            for (key, member) in value.members().filter(|(key, _)| *key != "#text") {
                match self.names.name(key) {
                    Some(name) => {
                        if let Some(note) = self.names.note(key) {
                            self.lose_member(key, note);
                        }
                        if let Some(text) = self.scalar(member, ValueKind::Verbatim) {
                            self.tree.attribute(name, &text);
                        }
                    }
                    None => self.lose_member(key, super::KEYWORD),
                }
            }
        } else {
            self.xml_attributes(value);
        }
        if let Some(text) = text.and_then(|text| self.scalar(text, ValueKind::Verbatim)) {
            self.tree.text(text);
        }
        if only_strings {
            return;
        }
        for (key, member) in value.members().filter(|(key, _)| *key != "#text") {
            self.extension(key, member);
        }
    }

    /// Writes a member of a standard object that is not a standard field.
    pub(super) fn extension_of_standard(&mut self, key: Text<'d>, value: Value<'d>) {
        match self.names.name(key) {
            Some(name) if !self.names.has_place(name) => {
                self.lose_member(key, super::MEMBER_NO_HOME);
            }
            _ => self.extension(key, value),
        }
    }

    /// Writes the members of a standard object that are not standard fields.
    pub(super) fn others(&mut self, value: Value<'d>, is_field: impl Fn(Text<'d>) -> bool) {
        for (key, member) in value.members() {
            if !is_field(key) {
                self.extension_of_standard(key, member);
            }
        }
    }
}
