//! The standard's own structures inside of events.

use super::Mapper;
use crate::translate::report;
use crate::translate::tree::Element;
use crate::translate::value::{Kind, kind_of_attribute, kind_of_element};
use crate::translate::write::Place;

impl Mapper<'_> {
    /// Writes a list of strings; an empty one stays a list.
    pub(super) fn strings(&mut self, key: &str, item: &str, list: Element<'_, '_>) {
        self.check_attributes(list, &[]);
        self.check_no_text(list);
        self.out.key(key);
        self.out.begin_array((list.index(), Place::Element));
        for child in list.children() {
            if child.is(item) {
                self.check_name(child);
                self.leaf(None, Kind::Text, child);
            } else {
                self.leave_out(child, report::UNKNOWN_ELEMENT);
            }
        }
        self.out.end_array();
    }

    /// Writes a list of quantity elements.
    pub(super) fn quantities(&mut self, list: Element<'_, '_>) {
        self.check_attributes(list, &[]);
        self.check_no_text(list);
        self.out.key(list.local());
        self.out.begin_array((list.index(), Place::Element));
        for child in list.children() {
            if child.is("quantityElement") {
                self.check_name(child);
                self.quantity_element(child);
            } else {
                self.leave_out(child, report::UNKNOWN_ELEMENT);
            }
        }
        self.out.end_array();
    }

    fn quantity_element(&mut self, element: Element<'_, '_>) {
        self.check_attributes(element, &[]);
        self.check_no_text(element);
        self.out.begin_object((element.index(), Place::Element));
        let mut seen = [false; 3];
        for child in element.children() {
            let number = match child.local() {
                "epcClass" => 0,
                "quantity" => 1,
                "uom" => 2,
                _ => 3,
            };
            let slot = seen.get_mut(number).filter(|_| child.is_standard());
            match slot {
                Some(seen) if !*seen => *seen = true,
                Some(_) => {
                    self.leave_out(child, report::REPEATED_ELEMENT);
                    continue;
                }
                None => {
                    self.leave_out(child, report::UNKNOWN_ELEMENT);
                    continue;
                }
            }
            self.check_name(child);
            if number == 1 && child.is_nil() {
                self.check_attributes(child, &[]);
                self.check_no_text(child);
                self.check_no_children(child);
                self.find(child, report::NIL_QUANTITY);
            } else {
                self.leaf(Some(child.local()), kind_of_element(child.local()), child);
            }
        }
        self.out.end_object();
    }

    /// Writes a list of elements that have a type and a text: business transactions, sources, destinations.
    pub(super) fn typed_list(&mut self, list: Element<'_, '_>, item: &str) {
        self.check_attributes(list, &[]);
        self.check_no_text(list);
        self.out.key(list.local());
        self.out.begin_array((list.index(), Place::Element));
        for child in list.children() {
            if !child.is(item) {
                self.leave_out(child, report::UNKNOWN_ELEMENT);
                continue;
            }
            self.check_name(child);
            self.check_attributes(child, &["type"]);
            self.check_no_children(child);
            self.out.begin_object((child.index(), Place::Element));
            let of_type = child.attributes().iter().position(|attribute| {
                attribute.name.local == "type" && attribute.name.prefix.is_empty()
            });
            if let Some(number) = of_type
                && let Some(attribute) = child.attributes().get(number)
            {
                let kind = kind_of_attribute(item, "type");
                let place = Place::Attribute(number);
                self.value(Some("type"), kind, &attribute.value, child, place);
            }
            self.value(Some(item), Kind::Text, child.text(), child, Place::Element);
            self.out.end_object();
        }
        self.out.end_array();
    }

    /// Writes a read point or business location: always an object.
    pub(super) fn place(&mut self, place: Element<'_, '_>) {
        self.out.key(place.local());
        self.out.begin_object((place.index(), Place::Element));
        let mut members = Vec::new();
        let mut seen = false;
        self.extension_attributes(place, &[], &mut members);
        self.parts(
            place,
            false,
            &mut members,
            &mut |mapper, child, in_wrapper, members| match child.local() {
                "id" if std::mem::replace(&mut seen, true) => {
                    mapper.leave_out(child, report::REPEATED_ELEMENT);
                }
                "id" => {
                    mapper.check_name(child);
                    mapper.leaf(Some("id"), Kind::Text, child);
                }
                _ => mapper.keep_unknown(child, in_wrapper, members),
            },
        );
        self.members(&members, place);
        self.out.end_object();
    }

    /// Writes instance and lot master data: nothing but extensions.
    pub(super) fn ilmd(&mut self, ilmd: Element<'_, '_>) {
        self.out.key("ilmd");
        self.out.begin_object((ilmd.index(), Place::Element));
        let mut members = Vec::new();
        self.extension_attributes(ilmd, &[], &mut members);
        self.parts(
            ilmd,
            false,
            &mut members,
            &mut |mapper, child, in_wrapper, _| mapper.leave_out_unknown(child, in_wrapper),
        );
        self.members(&members, ilmd);
        self.out.end_object();
    }

    /// Writes what a persistent disposition sets and unsets.
    pub(super) fn persistent_disposition(&mut self, element: Element<'_, '_>) {
        self.check_attributes(element, &[]);
        self.check_no_text(element);
        self.out.key("persistentDisposition");
        self.out.begin_object((element.index(), Place::Element));
        for list in ["unset", "set"] {
            let mut first = true;
            for child in element.children().filter(|child| child.is(list)) {
                self.check_name(child);
                if first {
                    self.out.key(list);
                    self.out.begin_array((child.index(), Place::Element));
                    first = false;
                }
                self.leaf(None, kind_of_element(list), child);
            }
            if !first {
                self.out.end_array();
            }
        }
        for child in element.children() {
            if !child.is("set") && !child.is("unset") {
                self.leave_out(child, report::UNKNOWN_ELEMENT);
            }
        }
        self.out.end_object();
    }

    /// Writes an error declaration; its children may stand in any order, and several lists of corrections become one.
    pub(super) fn error_declaration(&mut self, element: Element<'_, '_>) {
        self.out.key("errorDeclaration");
        self.out.begin_object((element.index(), Place::Element));
        let mut members = Vec::new();
        let mut parts = Parts::default();
        self.extension_attributes(element, &[], &mut members);
        self.parts(
            element,
            false,
            &mut members,
            &mut |mapper, child, in_wrapper, _| mapper.error_part(child, in_wrapper, &mut parts),
        );
        if let Some(first) = parts.corrections.first() {
            self.out.key("correctiveEventIDs");
            self.out.begin_array((first.index(), Place::Element));
            for &list in &parts.corrections {
                self.check_attributes(list, &[]);
                self.check_no_text(list);
                for child in list.children() {
                    if child.is("correctiveEventID") {
                        self.check_name(child);
                        self.leaf(None, Kind::Text, child);
                    } else {
                        self.leave_out(child, report::UNKNOWN_ELEMENT);
                    }
                }
            }
            self.out.end_array();
        }
        self.members(&members, element);
        self.out.end_object();
    }

    fn error_part<'t, 'x>(
        &mut self,
        child: Element<'t, 'x>,
        in_wrapper: bool,
        parts: &mut Parts<'t, 'x>,
    ) {
        let local = child.local();
        let seen = match local {
            "correctiveEventIDs" => {
                self.check_name(child);
                parts.corrections.push(child);
                return;
            }
            "declarationTime" => &mut parts.time,
            "reason" => &mut parts.reason,
            _ => return self.leave_out_unknown(child, in_wrapper),
        };
        if std::mem::replace(seen, true) {
            self.leave_out(child, report::REPEATED_ELEMENT);
        } else {
            self.check_name(child);
            self.leaf(Some(local), kind_of_element(local), child);
        }
    }
}

/// What an error declaration was found to have.
#[derive(Default)]
struct Parts<'t, 'x> {
    time: bool,
    reason: bool,
    corrections: Vec<Element<'t, 'x>>,
}
