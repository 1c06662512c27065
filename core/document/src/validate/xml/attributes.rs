//! The attributes of an element.

use super::judge::{Judge, XSI};
use super::{AttributeOf, StartTag, message};
use epcis_edge_schema::xml::{Attribute, Complex, TypeKind, look, type_of};
use epcis_edge_text::window::are_same;

/// Whether XML Schema itself allows an attribute on every element.
fn is_everywhere(attribute: &AttributeOf<'_>) -> bool {
    attribute.namespace == XSI
        && matches!(
            attribute.local,
            "type" | "nil" | "schemaLocation" | "noNamespaceSchemaLocation"
        )
}

fn path_of(attribute: &AttributeOf<'_>) -> String {
    match attribute.prefix {
        "" => format!("/@{}", attribute.local),
        prefix => format!("/@{prefix}:{}", attribute.local),
    }
}

impl Judge {
    /// Judges the attributes of an element whose type may have some.
    pub(super) fn attributes(&mut self, tag: &impl StartTag, complex: &'static Complex) {
        let mut required = 0_usize;
        for attribute in tag.attributes() {
            let look = look(attribute.local);
            let declared = complex
                .attributes
                .iter()
                .find(|known| {
                    known.look == look
                        && are_same(known.name.as_bytes(), attribute.local.as_bytes())
                })
                .filter(|_| attribute.namespace.is_empty());
            if let Some(declared) = declared {
                required += usize::from(declared.required);
                if let TypeKind::Simple(simple) = &type_of(declared.of).kind
                    && !simple.takes_all()
                    && !simple.accepts(attribute.value)
                    && self.is_told()
                {
                    let (keyword, message) = message::value(simple, attribute.value);
                    self.find(true, path_of(&attribute), keyword, message);
                }
            } else if !complex.any_attribute && !is_everywhere(&attribute) && self.is_told() {
                let names: Vec<&str> = complex.attributes.iter().map(|known| known.name).collect();
                let message = message::attribute(tag, &attribute, &names);
                self.find(true, path_of(&attribute), "cvc-complex-type.3.2.2", message);
            }
        }
        // No attribute name occurs twice, so equal counts mean that all required ones are there.
        if required == usize::from(complex.required) {
            return;
        }
        let is_there = |wanted: &Attribute| {
            tag.attributes().any(|found| found.local == wanted.name && found.namespace.is_empty())
        };
        for wanted in complex.attributes.iter().filter(|wanted| wanted.required) {
            if !is_there(wanted) && self.is_told() {
                let message = message::attribute_missing(tag, wanted.name, complex.attributes);
                self.find(true, String::new(), "cvc-complex-type.4", message);
            }
        }
    }

    /// Judges the attributes of an element that may have none.
    pub(super) fn no_attributes(&mut self, tag: &impl StartTag) {
        for attribute in tag.attributes() {
            if !is_everywhere(&attribute) && self.is_told() {
                let message = message::attribute(tag, &attribute, &[]);
                self.find(true, path_of(&attribute), "cvc-type.3.1.1", message);
            }
        }
    }
}
