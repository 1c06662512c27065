//! Events as XML: the fields in the order and the homes that the content model of the version gives them.

use super::{Back, Step};
use crate::json::{Kind as JsonKind, Text, Value};
use crate::translate::map::field_number;
use crate::translate::model::{Content, Family, Model};
use crate::translate::namespace::{Name, Namespace};
use crate::translate::value::{
    Kind, kind_of_attribute, kind_of_element, metadata_attribute, report_attribute,
};
use crate::vocabulary::EVENT_TYPES;
use std::borrow::Cow;

/// The fields of one event, by number.
type Fields<'d> = [Option<Value<'d>>; 32];

impl<'a: 'd, 'd> Back<'a, 'd> {
    /// Builds an event; false when its type has no XML form.
    pub(in crate::translate) fn event(&mut self, event: Value<'d>) -> bool {
        let of_type = event.get("type").and_then(Value::as_str);
        let local =
            of_type.and_then(|of_type| EVENT_TYPES.into_iter().find(|known| *known == of_type));
        let Some((local, model)) = local.and_then(|local| Some((local, self.family.event(local)?)))
        else {
            self.lose(super::TYPE_NO_HOME);
            return false;
        };
        self.tree.open(Name::plain(local), 0);
        let mut fields: Fields<'d> = [None; 32];
        let mut extensions: Vec<(Text<'d>, Value<'d>)> = Vec::new();
        for (key, value) in event.members() {
            if key == "type" || (self.is_bare && key == "@context") {
                continue;
            }
            // A bare event may carry what documents have, but not in XML.
            if self.is_bare && (key == "creationDate" || key == "schemaVersion") {
                self.lose_member(key, super::MEMBER_NO_HOME);
                continue;
            }
            let number = match key.to_cow() {
                Cow::Borrowed(name) => field_number(name),
                Cow::Owned(name) => field_number(&name),
            };
            match number.and_then(|number| fields.get_mut(number)) {
                Some(slot) => *slot = Some(value),
                None => extensions.push((key, value)),
            }
        }
        self.xml_attributes(event);
        self.fields(model, &mut fields);
        for (key, value) in extensions {
            self.extension(key, value);
        }
        // What the model has no place for; the fields of a quantity event never had one.
        let is_left = fields.iter().any(Option::is_some);
        for (key, _) in event.members().filter(|_| is_left) {
            let number = field_number(&key.to_cow());
            if number.is_some_and(|number| fields.get(number).is_some_and(Option::is_some)) {
                self.lose_member(key, super::MEMBER_NO_HOME);
            }
        }
        self.tree.close();
        true
    }

    /// Writes the fields that a model has, in its order; a wrapper is written around fields only.
    fn fields(&mut self, model: &'static Model, fields: &mut Fields<'d>) {
        for particle in model.particles {
            if matches!(particle.name, "extension" | "baseExtension") {
                if let Content::Group(inner) = particle.content
                    && has_any(inner, fields)
                {
                    self.tree.open(Name::plain(particle.name), 0);
                    self.fields(inner, fields);
                    self.tree.close();
                }
                continue;
            }
            let slot = fields.get_mut(usize::from(particle.field));
            match slot.and_then(Option::take) {
                Some(value) => self.step(Step::Named(particle.name), |back| {
                    // An association event was noted as a whole.
                    if model.lax && model.particles.len() <= 2 {
                        back.lose(super::BEYOND_1_2);
                    }
                    back.field(particle.name, value);
                }),
                None if self.complete
                    && particle.required
                    && matches!(particle.name, "epcList" | "childEPCs") =>
                {
                    self.tree
                        .leaf(Name::plain(particle.name), Cow::Borrowed(""));
                }
                None => {}
            }
        }
    }

    fn field(&mut self, name: &'static str, value: Value<'d>) {
        match name {
            "epcList" | "childEPCs" | "inputEPCList" | "outputEPCList" => {
                self.list(name, "epc", value);
            }
            "quantityList" | "childQuantityList" | "inputQuantityList" | "outputQuantityList" => {
                self.tree.open(Name::plain(name), 0);
                self.each(value, Self::quantity_element);
                self.tree.close();
            }
            "readPoint" | "bizLocation" => self.place(name, value),
            "bizTransactionList" => self.typed_list(name, "bizTransaction", value),
            "sourceList" => self.typed_list(name, "source", value),
            "destinationList" => self.typed_list(name, "destination", value),
            "persistentDisposition" => self.persistent_disposition(value),
            "sensorElementList" => {
                self.tree.open(Name::plain(name), 0);
                self.each(value, Self::sensor_element);
                self.tree.close();
            }
            "errorDeclaration" => self.error_declaration(value),
            "ilmd" if self.is_object(value) => {
                self.tree.open(Name::plain(name), 0);
                self.xml_attributes(value);
                self.others(value, &[]);
                self.tree.close();
            }
            "certificationInfo" => {
                if self.family == Family::Two && value.elements().nth(1).is_some() {
                    self.lose(super::CERTIFICATES);
                }
                self.each(value, |back, value| back.leaf(name, value, Kind::Text));
            }
            "ilmd" => {}
            _ => self.leaf(name, value, kind_of_element(name)),
        }
    }

    pub(super) fn strings(&mut self, name: &'static str, item: &'static str, value: Value<'d>) {
        self.step(Step::Named(name), |back| back.list(name, item, value));
    }

    fn list(&mut self, name: &'static str, item: &'static str, value: Value<'d>) {
        self.tree.open(Name::plain(name), 0);
        self.each(value, |back, value| back.leaf(item, value, Kind::Text));
        self.tree.close();
    }

    fn quantity_element(&mut self, value: Value<'d>) {
        if !self.is_object(value) {
            return;
        }
        self.tree.open(Name::plain("quantityElement"), 0);
        for name in ["epcClass", "quantity", "uom"] {
            match value.get(name) {
                Some(member) => {
                    self.step(Step::Named(name), |back| {
                        back.leaf(name, member, kind_of_element(name));
                    });
                }
                // A unit without a quantity: the quantity was nil.
                None if name == "quantity" && value.get("uom").is_some() => {
                    self.tree.open(Name::plain(name), 0);
                    let nil = Name {
                        prefix: "xsi",
                        local: "nil",
                        namespace: Namespace::XSI,
                    };
                    self.tree.attribute(nil, Cow::Borrowed("true"));
                    self.tree.close();
                }
                None => {}
            }
        }
        self.no_others(value, &["epcClass", "quantity", "uom"]);
        self.tree.close();
    }

    pub(super) fn no_others(&mut self, value: Value<'d>, fields: &[&str]) {
        if self.losses.is_none() {
            return;
        }
        for (key, _) in value.members() {
            if !fields.iter().any(|field| key == *field) {
                self.lose_member(key, super::MEMBER_NO_HOME);
            }
        }
    }

    fn place(&mut self, name: &'static str, value: Value<'d>) {
        if !self.is_object(value) {
            return;
        }
        self.tree.open(Name::plain(name), 0);
        self.xml_attributes(value);
        if let Some(id) = value.get("id") {
            self.step(Step::Named("id"), |back| back.leaf("id", id, Kind::Text));
        }
        self.others(value, &["id"]);
        self.tree.close();
    }

    fn typed_list(&mut self, name: &'static str, item: &'static str, value: Value<'d>) {
        self.tree.open(Name::plain(name), 0);
        self.each(value, |back, value| {
            if !back.is_object(value) {
                return;
            }
            back.tree.open(Name::plain(item), 0);
            if let Some(of_type) = value.get("type") {
                let text = back.step(Step::Named("type"), |back| {
                    back.scalar(of_type, kind_of_attribute(item, "type"))
                });
                if let Some(text) = text {
                    back.tree.attribute(Name::plain("type"), text);
                }
            }
            if let Some(value) = value.get(item) {
                let text = back.step(Step::Named(item), |back| back.scalar(value, Kind::Text));
                if let Some(text) = text {
                    back.tree.text(text);
                }
            }
            back.no_others(value, &["type", item]);
            back.tree.close();
        });
        self.tree.close();
    }

    fn persistent_disposition(&mut self, value: Value<'d>) {
        if !self.is_object(value) {
            return;
        }
        self.tree.open(Name::plain("persistentDisposition"), 0);
        for name in ["unset", "set"] {
            if let Some(words) = value.get(name) {
                self.step(Step::Named(name), |back| {
                    back.each(words, |back, word| {
                        back.leaf(name, word, kind_of_element(name));
                    });
                });
            }
        }
        self.no_others(value, &["unset", "set"]);
        self.tree.close();
    }

    fn sensor_element(&mut self, value: Value<'d>) {
        if !self.is_object(value) {
            return;
        }
        self.tree.open(Name::plain("sensorElement"), 0);
        self.xml_attributes(value);
        if let Some(metadata) = value.get("sensorMetadata") {
            self.step(Step::Named("sensorMetadata"), |back| {
                back.attribute_element("sensorMetadata", metadata, metadata_attribute);
            });
        }
        if let Some(reports) = value.get("sensorReport") {
            self.step(Step::Named("sensorReport"), |back| {
                back.each(reports, |back, value| {
                    back.attribute_element("sensorReport", value, report_attribute);
                });
            });
        }
        self.others(value, &["sensorMetadata", "sensorReport"]);
        self.tree.close();
    }

    fn attribute_element(
        &mut self,
        name: &'static str,
        value: Value<'d>,
        kind_of: fn(&str) -> Option<Kind>,
    ) {
        if !self.is_object(value) {
            return;
        }
        self.tree.open(Name::plain(name), 0);
        for (key, member) in value.members() {
            let (name, kind) = match key.to_cow() {
                Cow::Borrowed(local) if !local.contains(':') => match kind_of(local) {
                    Some(kind) => (Some(Name::plain(local)), kind),
                    None => (None, Kind::Verbatim),
                },
                _ => (self.names.name(key), Kind::Verbatim),
            };
            let Some(name) = name else {
                self.lose_member(key, super::MEMBER_NO_HOME);
                continue;
            };
            self.step(Step::Member(key), |back| {
                let is_extension = name.namespace != Namespace::NONE;
                match member.kind() {
                    JsonKind::Number if is_extension => back.lose(super::NUMBER_AS_TEXT),
                    JsonKind::Boolean if is_extension => back.lose(super::BOOLEAN_AS_TEXT),
                    _ => {}
                }
                if let Some(text) = back.scalar(member, kind) {
                    back.tree.attribute(name, text);
                }
            });
        }
        self.tree.close();
    }

    fn error_declaration(&mut self, value: Value<'d>) {
        if !self.is_object(value) {
            return;
        }
        self.tree.open(Name::plain("errorDeclaration"), 0);
        self.xml_attributes(value);
        for name in ["declarationTime", "reason"] {
            if let Some(member) = value.get(name) {
                self.step(Step::Named(name), |back| {
                    back.leaf(name, member, kind_of_element(name));
                });
            }
        }
        if let Some(ids) = value.get("correctiveEventIDs") {
            self.strings("correctiveEventIDs", "correctiveEventID", ids);
        }
        self.others(value, &["declarationTime", "reason", "correctiveEventIDs"]);
        self.tree.close();
    }
}

/// Whether a model, or one inside of its wrappers, has a place for a field that is still to be written.
fn has_any(model: &'static Model, fields: &Fields<'_>) -> bool {
    model
        .particles
        .iter()
        .any(|particle| match particle.content {
            Content::Group(inner) if particle.field == 255 => has_any(inner, fields),
            _ => fields
                .get(usize::from(particle.field))
                .is_some_and(Option::is_some),
        })
}
