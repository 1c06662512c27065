//! Writes events and vocabulary elements as XML, with the fields in the order and the places of the schema of the version.

use super::{PointerStep, XmlBuilder};
use crate::event::{self, Fields};
use crate::field::{self, Content, Count, Field, Form, Group, VOCABULARY_ELEMENT, ValueKind};
use crate::translate::kinds::{EventKind, Family, Homes};
use crate::translate::namespace::{Name, Namespace};
use crate::vocabulary::EVENT_TYPES;
use epcis_edge_text::json::{Kind, Text, Value};
use std::borrow::Cow;

impl<'a: 'd, 'd> XmlBuilder<'a, 'd> {
    /// Builds an event; false when its type has no XML form.
    pub(in crate::translate) fn event(&mut self, event: Value<'d>) -> bool {
        let fields = Fields::of(event);
        let of_type = fields.of_type.and_then(Value::as_str);
        let local =
            of_type.and_then(|of_type| EVENT_TYPES.into_iter().find(|known| *known == of_type));
        let homes = |local| Homes::of(self.family, EventKind::of(local)?);
        let Some((local, homes)) = local.and_then(|local| Some((local, homes(local)?))) else {
            self.lose(super::TYPE_NO_HOME);
            return false;
        };
        self.tree.open(Name::unqualified(local));
        // A bare event may have these members of a document, but its XML may not.
        let is_bare = self.is_bare;
        let is_of_document =
            |key: Text<'_>| is_bare && (key == "creationDate" || key == "schemaVersion");
        for (key, _) in fields.others().filter(|(key, _)| is_of_document(*key)) {
            self.lose_member(key, super::MEMBER_NO_HOME);
        }
        self.xml_attributes(event);
        self.fields(homes, &fields);
        for (key, value) in fields.others().filter(|(key, _)| !is_of_document(*key)) {
            self.extension_of_standard(key, value);
        }
        // Those of a quantity event never have a home.
        for (field, _) in fields.each().filter(|(field, _)| !homes.has(*field)) {
            let step = PointerStep::Named(event::name(field));
            self.step(step, |builder| builder.lose(super::MEMBER_NO_HOME));
        }
        self.tree.close();
        true
    }

    /// Writes the fields that have a home, in the order of the homes; wrappers are written only around fields.
    fn fields(&mut self, homes: &'static Homes, fields: &Fields<'d>) {
        let mut open: &[&'static str] = &[];
        for home in &homes.list {
            let Some(field) = field::EVENT.get(usize::from(home.field)) else {
                continue;
            };
            let value = fields.get(home.field);
            let is_empty = self.writes_required_lists
                && home.is_required
                && matches!(field.name, "epcList" | "childEPCs");
            if value.is_none() && !is_empty {
                continue;
            }
            self.wrap(&mut open, &home.wrappers);
            let Some(value) = value else {
                self.tree.leaf(Name::unqualified(field.name), "");
                continue;
            };
            self.step(PointerStep::Named(field.name), |builder| {
                if home.is_later {
                    builder.lose(super::BEYOND_1_2);
                }
                if builder.family == Family::Two
                    && matches!(field.count, Count::Many)
                    && value.elements().nth(1).is_some()
                {
                    builder.lose(super::CERTIFICATES);
                }
                builder.part(field, value);
            });
        }
        self.wrap(&mut open, &[]);
    }

    /// Closes the wrappers that the next field is not in, and opens those that it is in.
    fn wrap(&mut self, open: &mut &[&'static str], wanted: &'static [&'static str]) {
        let both = open.iter().zip(wanted);
        let shared = both.take_while(|(one, other)| one == other).count();
        for _ in open.iter().skip(shared) {
            self.tree.close();
        }
        for name in wanted.iter().skip(shared) {
            self.tree.open(Name::unqualified(name));
        }
        *open = wanted;
    }

    /// Writes a field, or a part of one.
    pub(super) fn part(&mut self, part: &'static Field, value: Value<'d>) {
        match part.count {
            Count::List(item) | Count::Joined(item) => {
                self.tree.open(Name::unqualified(part.name));
                self.each(value, |builder, value| builder.item(item, value));
                self.tree.close();
            }
            Count::One => self.item(part, value),
            Count::Many | Count::Each => {
                self.each(value, |builder, value| builder.item(part, value))
            }
        }
    }

    fn item(&mut self, item: &'static Field, value: Value<'d>) {
        match item.content {
            Content::Value(kind) => self.leaf(item.name, value, kind),
            Content::Group(group) if self.is_object(value) => {
                self.tree.open(Name::unqualified(item.name));
                match group.form {
                    Form::Typed => self.typed(item.name, group, value),
                    Form::Attributes => self.attributes(group, value),
                    _ => self.group(group, value),
                }
                self.tree.close();
            }
            Content::Group(_) => {}
        }
    }

    /// Writes the parts of a group, and its other members.
    fn group(&mut self, group: &'static Group, value: Value<'d>) {
        let is_closed = group.form == Form::Closed;
        if !is_closed {
            self.xml_attributes(value);
        }
        for part in group.in_xml() {
            match value.get(part.name) {
                Some(member) => {
                    self.step(PointerStep::Named(part.name), |builder| builder.part(part, member))
                }
                // A unit without a quantity means that the quantity was nil.
                None if part.kind() == ValueKind::Number && value.get("uom").is_some() => {
                    self.tree.open(Name::unqualified(part.name));
                    let nil = Name { prefix: "xsi", local: "nil", namespace: Namespace::XSI };
                    self.tree.attribute(nil, "true");
                    self.tree.close();
                }
                None => {}
            }
        }
        let is_part = |key: Text<'_>| group.part(&key.to_cow()).is_some();
        if is_closed {
            self.no_others(value, is_part);
        } else {
            self.others(value, is_part);
        }
    }

    /// Records the loss of the members that `is_known` does not accept.
    pub(super) fn no_others(&mut self, value: Value<'d>, is_known: impl Fn(Text<'d>) -> bool) {
        if !self.records_losses {
            return;
        }
        for (key, _) in value.members() {
            if !is_known(key) {
                self.lose_member(key, super::MEMBER_NO_HOME);
            }
        }
    }

    /// Writes the type as an attribute, and the member with the name of the element as its text.
    fn typed(&mut self, name: &'static str, group: &'static Group, value: Value<'d>) {
        for part in group.parts {
            self.attribute(value, part.name, part.kind());
        }
        let text =
            self.member(value, name, |builder, member| builder.scalar(member, ValueKind::Plain));
        if let Some(text) = text.flatten() {
            self.tree.text(text);
        }
        self.no_others(value, |key| key == name || group.part(&key.to_cow()).is_some());
    }

    /// Writes a member as an attribute, if it is there.
    pub(super) fn attribute(&mut self, value: Value<'d>, name: &'static str, kind: ValueKind) {
        let text = self.member(value, name, |builder, member| builder.scalar(member, kind));
        if let Some(text) = text.flatten() {
            self.tree.attribute(Name::unqualified(name), &text);
        }
    }

    /// Writes the members of an object as attributes.
    fn attributes(&mut self, group: &'static Group, value: Value<'d>) {
        for (key, member) in value.members() {
            let (name, kind) = match key.to_cow() {
                Cow::Borrowed(local) if !local.contains(':') => match group.part(local) {
                    Some(part) => (Some(Name::unqualified(local)), part.kind()),
                    None => (None, ValueKind::Verbatim),
                },
                _ => (self.names.name(key), ValueKind::Verbatim),
            };
            let Some(name) = name else {
                self.lose_member(key, super::MEMBER_NO_HOME);
                continue;
            };
            self.step(PointerStep::Member(key), |builder| {
                if let Some(note) = builder.names.note(key) {
                    builder.lose(note);
                }
                if name.namespace != Namespace::NONE {
                    builder.lose_type(member.kind());
                }
                if let Some(text) = builder.scalar(member, kind) {
                    builder.tree.attribute(name, &text);
                }
            });
        }
    }
}

/// Master data: one vocabulary element at a time.
impl<'a: 'd, 'd> XmlBuilder<'a, 'd> {
    /// Builds a vocabulary element.
    pub(in crate::translate) fn vocabulary_element(&mut self, value: Value<'d>) {
        self.tree.open(Name::unqualified("VocabularyElement"));
        self.attribute(value, "id", ValueKind::Plain);
        self.xml_attributes(value);
        self.member(value, "attributes", |builder, attributes| {
            builder.each(attributes, Self::master_data_attribute);
        });
        self.member(value, "children", |builder, children| {
            if let Some(part) = VOCABULARY_ELEMENT.part("children") {
                builder.part(part, children);
            }
        });
        self.others(value, |key| {
            ["id", "attributes", "children"].iter().any(|known| key == **known)
        });
        self.tree.close();
    }

    fn master_data_attribute(&mut self, value: Value<'d>) {
        if !self.is_object(value) {
            return;
        }
        self.tree.open(Name::unqualified("attribute"));
        self.attribute(value, "id", ValueKind::Plain);
        self.member(value, "attribute", |builder, attribute| {
            if attribute.kind() == Kind::Object {
                builder.object(attribute);
            } else if let Some(text) = builder.scalar(attribute, ValueKind::Verbatim) {
                if attribute.kind() != Kind::String {
                    builder.lose(super::NUMBER_AS_TEXT);
                }
                builder.tree.text(text);
            }
        });
        for (key, _) in value.members() {
            if key != "id" && key != "attribute" {
                self.lose_member(key, super::MEMBER_NO_HOME);
            }
        }
        self.tree.close();
    }
}
