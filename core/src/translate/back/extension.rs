//! Extension members as elements, and as attributes where the JSON tells that they were ones.

use super::{Back, Step};
use crate::json::{Kind as JsonKind, Text, Value};
use crate::translate::namespace::Namespace;
use crate::translate::value::Kind;

impl<'a: 'd, 'd> Back<'a, 'd> {
    /// Writes an extension member inside of the innermost open element.
    pub(in crate::translate) fn extension(&mut self, key: Text<'d>, value: Value<'d>) {
        if key == "@context" {
            self.lose_member(key, super::EVENT_CONTEXT);
            return;
        }
        self.step(Step::Member(key), |back| match value.kind() {
            JsonKind::Array => {
                if value.elements().next().is_none() {
                    back.lose(super::EMPTY_ARRAY);
                }
                back.each(value, |back, element| {
                    if element.kind() == JsonKind::Array {
                        back.lose(super::NESTED_ARRAY);
                        back.each(element, |back, inner| back.single(key, inner));
                    } else {
                        back.single(key, element);
                    }
                });
            }
            _ => back.single(key, value),
        });
    }

    fn single(&mut self, key: Text<'d>, value: Value<'d>) {
        let Some(name) = self.names.name(key) else {
            let keyword = key.to_cow().starts_with(['@', '#']);
            self.lose(if keyword {
                super::KEYWORD
            } else {
                super::MEMBER_NO_HOME
            });
            return;
        };
        match value.kind() {
            JsonKind::Null => self.lose(super::NULL),
            JsonKind::Array => self.lose(super::NESTED_ARRAY),
            JsonKind::Object => {
                self.tree.open(name, 0);
                self.object(value);
                self.tree.close();
            }
            kind => {
                match kind {
                    JsonKind::Number => self.lose(super::NUMBER_AS_TEXT),
                    JsonKind::Boolean => self.lose(super::BOOLEAN_AS_TEXT),
                    _ => {}
                }
                if let Some(text) = self.scalar(value, Kind::Verbatim) {
                    if name.namespace == Namespace::XML {
                        // There are no elements in this namespace.
                        self.tree.attribute(name, text);
                    } else {
                        self.tree.leaf(name, text);
                    }
                }
            }
        }
    }

    /// The members of an object inside of an extension: attributes where a text stands beside nothing but strings.
    pub(super) fn object(&mut self, value: Value<'d>) {
        let text = value.get("#text");
        let only_strings = text.is_some()
            && value
                .members()
                .all(|(_, member)| member.kind() == JsonKind::String);
        // Attributes come before anything that is inside.
        for (key, member) in value.members() {
            let of_xml = self
                .names
                .name(key)
                .is_some_and(|name| name.namespace == Namespace::XML);
            if (only_strings || of_xml) && key != "#text" && member.kind() == JsonKind::String {
                match self.names.name(key) {
                    Some(name) => {
                        if let Some(text) = self.scalar(member, Kind::Verbatim) {
                            self.tree.attribute(name, text);
                        }
                    }
                    None => self.lose_member(key, super::KEYWORD),
                }
            }
        }
        if let Some(text) = text.and_then(|text| self.scalar(text, Kind::Verbatim)) {
            self.tree.text(text);
        }
        if only_strings {
            return;
        }
        for (key, member) in value.members() {
            let of_xml = self
                .names
                .name(key)
                .is_some_and(|name| name.namespace == Namespace::XML);
            if key != "#text" && !(of_xml && member.kind() == JsonKind::String) {
                self.extension(key, member);
            }
        }
    }

    /// Writes the members that are no field of the standard.
    pub(super) fn others(&mut self, value: Value<'d>, fields: &[&str]) {
        for (key, member) in value.members() {
            if !fields.iter().any(|field| key == *field) {
                self.extension(key, member);
            }
        }
    }
}
