//! Maps the tree of an event, or of another piece of a document, to EPCIS 2.0 JSON.
//!
//! Source: EPCIS 1.2 and 2.0, XML bindings; EPCIS 2.0, JSON binding; where they are silent, public documents and the
//! official JSON schema 2.0.1.

mod envelope;
mod event;
mod extension;

pub(super) use envelope::{EnvelopePositions, JsonListRange};

use super::characters::trimmed;
use super::findings::{PieceFinding, PieceFindings};
use super::namespace::{Binding, Namespace, Namespaces};
use super::output_context::OutputContext;
use super::print::excerpt;
use super::report::{self, Code};
use super::tree::ElementPart;
use super::tree::{Attribute, Element};
use super::value::boolean;
use super::write::JsonWriter;
use crate::field::ValueKind;
use epcis_edge_text::decimal::Decimal;

/// Maps one tree; its output and findings are in `out` and `findings` afterwards.
pub(super) struct Mapper<'m> {
    pub(super) namespaces: &'m Namespaces,
    pub(super) context: &'m mut OutputContext,
    /// The declarations in force outside of the tree.
    pub(super) outer: &'m [Binding],
    pub(super) out: &'m mut JsonWriter,
    pub(super) findings: &'m mut PieceFindings,
}

impl Mapper<'_> {
    fn find(&mut self, element: Element<'_>, code: Code) {
        self.find_at(element, ElementPart::Element, code, None);
    }

    fn find_at(
        &mut self,
        element: Element<'_>,
        place: ElementPart,
        code: Code,
        value: Option<&str>,
    ) {
        let finding = PieceFinding::new(element.index(), place, code);
        self.findings.push_value(finding, || value.map(str::to_owned));
    }

    /// Leaves an element out, with a finding that has the element as its value.
    fn leave_out(&mut self, element: Element<'_>, code: Code) {
        let finding = PieceFinding::new(element.index(), ElementPart::Element, code);
        let value = || Some(excerpt(element, self.namespaces));
        self.findings.push_value(finding, value);
    }

    /// Leaves out an element that the standard does not have here; inside a wrapper it is a user's local extension.
    fn leave_out_unknown(&mut self, element: Element<'_>, in_wrapper: bool) {
        let code =
            if in_wrapper { report::LOCAL_EXTENSION_NO_HOME } else { report::UNKNOWN_ELEMENT };
        self.leave_out(element, code);
    }

    /// Reports a standard element in an EPCIS namespace, where the schemas want none; once for an element with all its content.
    fn check_name(&mut self, element: Element<'_>) {
        let inside = element.parent().is_some_and(|parent| parent.namespace().is_epcis());
        if element.namespace().is_epcis() && !inside {
            self.find(element, report::QUALIFIED);
        }
    }

    /// Reports text where only elements belong.
    fn check_no_text(&mut self, element: Element<'_>) {
        let text = element.text();
        if text.is_empty() {
            return;
        }
        let text = trimmed(text);
        if !text.is_empty() {
            self.find_at(element, ElementPart::Text, report::TEXT_NO_HOME, Some(text));
        }
    }

    /// Leaves out the attributes that JSON has no members for; those in `known` were handled before.
    fn check_attributes(&mut self, element: Element<'_>, known: &[&str]) {
        for (number, attribute) in element.attributes().iter().enumerate() {
            let is_known = attribute.name.namespace == Namespace::NONE
                && known.contains(&attribute.name.local);
            if !is_known {
                self.leave_out_attribute(element, number, attribute);
            }
        }
    }

    /// Leaves out an attribute that JSON has no member for, with a finding.
    fn leave_out_attribute(
        &mut self,
        element: Element<'_>,
        number: usize,
        attribute: Attribute<'_>,
    ) {
        if !self.check_instance_attribute(element, number, attribute) {
            let (place, value) = (ElementPart::Attribute(number), Some(attribute.value));
            self.find_at(element, place, report::ATTRIBUTE_NO_HOME, value);
        }
    }

    /// Whether this is an `xsi` attribute (XML Schema instance); if it is, a necessary finding was made.
    fn check_instance_attribute(
        &mut self,
        element: Element<'_>,
        number: usize,
        attribute: Attribute<'_>,
    ) -> bool {
        if attribute.name.namespace != Namespace::XSI {
            return false;
        }
        let code = match attribute.name.local {
            "schemaLocation" | "noNamespaceSchemaLocation" => Some(report::SCHEMA_LOCATION),
            "type" => Some(report::XSI_TYPE),
            // On a quantity, true means that there is none. False carries no information.
            "nil" => match boolean(trimmed(attribute.value)) {
                Some(true) if !element.is("quantity") => Some(report::XSI_NIL),
                Some(_) => None,
                None => Some(report::ATTRIBUTE_NO_HOME),
            },
            _ => Some(report::ATTRIBUTE_NO_HOME),
        };
        if let Some(code) = code {
            let value = (code != report::SCHEMA_LOCATION).then_some(attribute.value);
            self.find_at(element, ElementPart::Attribute(number), code, value);
        }
        true
    }

    /// Leaves out elements inside an element that has only text.
    fn check_no_children(&mut self, element: Element<'_>) {
        for child in element.children() {
            self.leave_out(child, report::UNKNOWN_ELEMENT);
        }
    }

    /// Makes sure that `@context` declares the prefix of a CURIE that remains in a value.
    fn note_curie(&mut self, element: Element<'_>, place: ElementPart, value: &str) {
        let Some((prefix, rest)) = value.split_once(':') else {
            return;
        };
        if rest.starts_with("//") || prefix.contains(['/', '#', '?', '.']) {
            return;
        }
        let meaning = element.lookup(prefix, self.outer);
        if !self.context.declare_curie(prefix, meaning, self.namespaces) {
            self.find_at(element, place, report::CURIE_PREFIX, Some(value));
        }
    }

    /// Writes a standard value of any kind; returns false if JSON has no form for it, and then writes nothing.
    fn value(
        &mut self,
        key: Option<&str>,
        kind: ValueKind,
        text: &str,
        element: Element<'_>,
        place: ElementPart,
    ) -> bool {
        use super::characters::collapse;
        use super::value::{number, word};
        let origin = (element.index(), place);
        if kind == ValueKind::Verbatim {
            self.begin_member(key);
            self.out.string(text, origin);
            return true;
        }
        let collapsed = collapse(text);
        match kind {
            ValueKind::Number => match number(&collapsed) {
                Ok(Some(digits)) => {
                    if !Decimal::read(&digits).is_some_and(Decimal::survives_a_float) {
                        self.find_at(element, place, report::NUMBER_DIGITS, Some(&collapsed));
                    }
                    self.begin_member(key);
                    self.out.raw(&digits, origin);
                    return true;
                }
                Ok(None) => {
                    self.find_at(element, place, report::NOT_A_NUMBER, Some(&collapsed));
                    return false;
                }
                Err(()) => {}
            },
            ValueKind::Boolean => {
                if let Some(truth) = boolean(&collapsed) {
                    if collapsed.len() == 1 {
                        self.find_at(element, place, report::BOOLEAN_LEXICAL, Some(&collapsed));
                    }
                    self.begin_member(key);
                    self.out.raw(if truth { "true" } else { "false" }, origin);
                    return true;
                }
            }
            ValueKind::Word(vocabulary) => {
                let (word, code) = word(vocabulary, &collapsed);
                if let Some(code) = code {
                    self.find_at(element, place, code, Some(&collapsed));
                }
                self.note_curie(element, place, &word);
                self.begin_member(key);
                self.out.string(&word, origin);
                return true;
            }
            _ => {}
        }
        // A value that should be a number or boolean but is not is kept as a string, for the schema to refuse.
        self.begin_member(key);
        self.out.string(&collapsed, origin);
        true
    }

    fn begin_member(&mut self, key: Option<&str>) {
        if let Some(key) = key {
            self.out.key(key);
        }
    }

    /// Writes a standard element that contains only text.
    pub(super) fn leaf(
        &mut self,
        key: Option<&str>,
        kind: ValueKind,
        element: Element<'_>,
    ) -> bool {
        self.check_attributes(element, &[]);
        self.check_no_children(element);
        self.value(key, kind, element.text(), element, ElementPart::Element)
    }
}
