//! The Standard Business Document Header: three of its values have a home, the whole is kept beside them.
//!
//! Where is the standard business document header kept?
//! Whole, as text, under one member of the document whose name is a full IRI (`standard_header::SBDH_MEMBER`), so that
//! nothing is lost even where its paths count as lossy.

use super::Job;
use crate::translate::characters::{collapse, trimmed};
use crate::translate::findings::whole;
use crate::translate::findings::{Finding, Findings};
use crate::translate::namespace::Namespace;
use crate::translate::print::{XmlWriter, excerpt};
use crate::translate::reader::XmlReader;
use crate::translate::report;
use crate::translate::write::{Spot, push_string};
use crate::translate::xml_tree::Element;

impl<'x> Job<'x> {
    /// Takes the header that was read.
    pub(super) fn standard_header(&mut self, reader: &XmlReader<'x>) {
        let mut findings = Findings::new(self.held.report.room());
        let mut taken: [Option<String>; 3] = [None, None, None];
        let mut seen = [false; 3];
        let length = reader.offset() - self.tree.root().offset();
        self.keep_header(length);
        let root = self.tree.root();
        self.lose_beside(root, &mut findings);
        for child in root.children() {
            let homes = ["Sender", "Receiver", "DocumentIdentification"];
            let number = homes.iter().position(|home| is_header_part(child, home));
            let slot = number.and_then(|number| taken.get_mut(number));
            let wanted = match number {
                Some(2) => "InstanceIdentifier",
                _ => "Identifier",
            };
            // Only the first sender and the first receiver count.
            let seen = number.and_then(|number| seen.get_mut(number));
            let is_first = seen.is_some_and(|seen| !std::mem::replace(seen, true));
            let value = child
                .children()
                .find(|part| is_first && is_header_part(*part, wanted));
            let (Some(value), Some(slot)) = (value, slot) else {
                self.lose_part(child, &mut findings);
                continue;
            };
            self.lose_beside(child, &mut findings);
            for part in child.children() {
                if part.index() == value.index() {
                    self.lose_attributes(part, &mut findings);
                    for inner in part.children() {
                        self.lose_part(inner, &mut findings);
                    }
                } else {
                    self.lose_part(part, &mut findings);
                }
            }
            let mut text = String::new();
            push_string(&mut text, &collapse(value.text()));
            *slot = Some(text);
        }
        // It is held until the end, and read again from what is kept of it.
        let weight = 5 * self.tree.weight() + 3 * length;
        if !self.has_room_for(weight) {
            findings.push(whole(report::NOT_MEASURED, None));
        }
        self.tell_of_envelope(&findings);
        self.held.envelope.stands_aside(self.tree.len());
        self.held.standard_header = taken;
    }

    /// What no field takes, because it stands beside the elements that there are fields for.
    fn lose_beside(&self, element: Element<'_, '_>, findings: &mut Findings) {
        self.lose_attributes(element, findings);
        let text = trimmed(element.text());
        if !text.is_empty() {
            let finding = Finding::new(element.index(), Spot::Text, report::SBDH_NO_HOME);
            findings.push_value(finding, || Some(text.to_owned()));
        }
    }

    fn lose_attributes(&self, element: Element<'_, '_>, findings: &mut Findings) {
        for (number, attribute) in element.attributes().iter().enumerate() {
            let is_location = attribute.name.namespace == Namespace::XSI
                && attribute.name.local == "schemaLocation";
            let code = if is_location {
                report::SCHEMA_LOCATION
            } else {
                report::SBDH_NO_HOME
            };
            let finding = Finding::new(element.index(), Spot::Attribute(number), code);
            findings.push_value(finding, || {
                (!is_location).then(|| attribute.value.to_string())
            });
        }
    }

    fn lose_part(&self, element: Element<'_, '_>, findings: &mut Findings) {
        let finding = Finding::new(element.index(), Spot::Element, report::SBDH_NO_HOME);
        findings.push_value(finding, || {
            Some(if element.has_children() {
                excerpt(element, &self.held.namespaces)
            } else {
                element.text().to_owned()
            })
        });
    }

    /// The header of a query document: the schema has no home for it at all.
    pub(super) fn query_header(&mut self) {
        self.leave_out(report::QUERY_HEADER);
        let sbdh = self
            .tree
            .root()
            .children()
            .find(|child| child.namespace() == Namespace::SBDH);
        if let Some(sbdh) = sbdh
            && self.held.sbdh.is_none()
        {
            self.held.sbdh = Some(self.printed(sbdh, 0));
        }
    }

    /// An element as XML text, from so many bytes of the source.
    fn printed(&self, element: Element<'_, '_>, length: usize) -> String {
        // It comes out about as long as it went in.
        let mut out = XmlWriter::default();
        out.text.reserve_exact(length + length / 16);
        out.element(element, &self.held.namespaces);
        out.text
    }

    /// Keeps the header as XML text: its attributes, its repeated parts and its order have no other form.
    fn keep_header(&mut self, length: usize) {
        if self.held.sbdh.is_none() {
            self.held.sbdh = Some(self.printed(self.tree.root(), length));
        }
    }
}

fn is_header_part(element: Element<'_, '_>, local: &str) -> bool {
    element.namespace() == Namespace::SBDH && element.local() == local
}
