//! Master data as XML: one vocabulary element at a time.

use super::Back;
use crate::field::{VOCABULARY_ELEMENT, ValueKind};
use crate::json::{Kind, Value};
use crate::translate::namespace::Name;

impl<'a: 'd, 'd> Back<'a, 'd> {
    /// Builds a vocabulary element.
    pub(in crate::translate) fn vocabulary_element(&mut self, value: Value<'d>) {
        self.tree.open(Name::unqualified("VocabularyElement"));
        self.attribute(value, "id", ValueKind::Plain);
        self.xml_attributes(value);
        self.member(value, "attributes", |back, attributes| {
            back.each(attributes, Self::master_data_attribute);
        });
        self.member(value, "children", |back, children| {
            if let Some(part) = VOCABULARY_ELEMENT.part("children") {
                back.part(part, children);
            }
        });
        self.others(value, |key| {
            ["id", "attributes", "children"]
                .iter()
                .any(|known| key == **known)
        });
        self.tree.close();
    }

    fn master_data_attribute(&mut self, value: Value<'d>) {
        if !self.is_object(value) {
            return;
        }
        self.tree.open(Name::unqualified("attribute"));
        self.attribute(value, "id", ValueKind::Plain);
        self.member(value, "attribute", |back, attribute| {
            if attribute.kind() == Kind::Object {
                back.object(attribute);
            } else if let Some(text) = back.scalar(attribute, ValueKind::Verbatim) {
                if attribute.kind() != Kind::String {
                    back.lose(super::NUMBER_AS_TEXT);
                }
                back.tree.text(text);
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
