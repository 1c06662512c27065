//! Sensor data: attributes in XML, members in JSON (EPCIS 2.0, 7.3.7).

use super::Mapper;
use crate::translate::namespace::Namespace;
use crate::translate::report;
use crate::translate::tree::Element;
use crate::translate::value::{Kind, metadata_attribute, report_attribute};
use crate::translate::write::Place;

impl Mapper<'_> {
    /// Writes the list of sensor elements.
    pub(super) fn sensors(&mut self, list: Element<'_, '_>) {
        self.check_attributes(list, &[]);
        self.check_no_text(list);
        self.out.key("sensorElementList");
        self.out.begin_array((list.index(), Place::Element));
        for child in list.children() {
            if child.is("sensorElement") {
                self.check_name(child);
                self.sensor_element(child);
            } else {
                self.leave_out(child, report::UNKNOWN_ELEMENT);
            }
        }
        self.out.end_array();
    }

    fn sensor_element(&mut self, element: Element<'_, '_>) {
        self.out.begin_object((element.index(), Place::Element));
        let mut members = Vec::new();
        let mut parts = Parts::default();
        self.extension_attributes(element, &[], &mut members);
        self.parts(
            element,
            false,
            &mut members,
            &mut |mapper, child, in_wrapper, _| match child.local() {
                "sensorMetadata" if parts.metadata.is_none() => {
                    mapper.check_name(child);
                    parts.metadata = Some(child);
                }
                "sensorMetadata" => mapper.leave_out(child, report::REPEATED_ELEMENT),
                "sensorReport" => {
                    mapper.check_name(child);
                    parts.reports.push(child);
                }
                _ => mapper.leave_out_unknown(child, in_wrapper),
            },
        );
        if let Some(metadata) = parts.metadata {
            self.out.key("sensorMetadata");
            self.attribute_object(metadata, metadata_attribute);
        }
        if let Some(first) = parts.reports.first() {
            self.out.key("sensorReport");
            self.out.begin_array((first.index(), Place::Element));
            for &element in &parts.reports {
                self.attribute_object(element, report_attribute);
            }
            self.out.end_array();
        }
        self.members(&members, element);
        self.out.end_object();
    }

    /// An element that is nothing but attributes: those of users come back as attributes too, so they are clean.
    fn attribute_object(&mut self, element: Element<'_, '_>, kind_of: fn(&str) -> Option<Kind>) {
        self.check_no_text(element);
        self.check_no_children(element);
        self.out.begin_object((element.index(), Place::Element));
        for (number, attribute) in element.attributes().iter().enumerate() {
            let place = Place::Attribute(number);
            let local = attribute.name.local;
            match attribute.name.namespace {
                Namespace::NONE => match kind_of(local) {
                    Some(kind) => {
                        self.value(Some(local), kind, &attribute.value, element, place);
                    }
                    None => {
                        let value = Some(&*attribute.value);
                        self.find_at(element, place, report::ATTRIBUTE_NO_HOME, value);
                    }
                },
                Namespace::XSI => {
                    self.check_instance_attribute(element, number, attribute);
                }
                _ => {
                    let prefix = self.context.prefix(attribute.name, self.namespaces);
                    let prefix = self.context.text(prefix);
                    self.out.qualified_key(prefix, local);
                    self.out.string(&attribute.value, (element.index(), place));
                }
            }
        }
        self.out.end_object();
    }
}

/// What a sensor element was found to have.
#[derive(Default)]
struct Parts<'t, 'x> {
    metadata: Option<Element<'t, 'x>>,
    reports: Vec<Element<'t, 'x>>,
}
