//! The standard's own structures inside of events.

use super::Mapper;
use super::extension::Member;
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
        self.place_parts(place, false, &mut seen, &mut members);
        self.members(&members, place);
        self.out.end_object();
    }

    fn place_parts<'t, 'x>(
        &mut self,
        holder: Element<'t, 'x>,
        in_wrapper: bool,
        seen: &mut bool,
        members: &mut Vec<Member<'t, 'x>>,
    ) {
        self.check_no_text(holder);
        for child in holder.children() {
            match child.local() {
                _ if !child.is_standard() => members.push(Member::element(child)),
                "extension" => {
                    self.check_name(child);
                    self.extension_attributes(child, &[], members);
                    self.place_parts(child, true, seen, members);
                }
                "id" if !*seen => {
                    *seen = true;
                    self.check_name(child);
                    self.leaf(Some("id"), Kind::Text, child);
                }
                "id" => self.leave_out(child, report::REPEATED_ELEMENT),
                _ => {
                    // The schema is open here: the bare name is a home, if one without its wrapper.
                    let code = if in_wrapper {
                        report::LOCAL_EXTENSION
                    } else {
                        report::UNKNOWN_ELEMENT
                    };
                    self.find(child, code);
                    members.push(Member::element(child));
                }
            }
        }
    }

    /// Writes instance and lot master data: nothing but extensions.
    pub(super) fn ilmd(&mut self, ilmd: Element<'_, '_>) {
        self.out.key("ilmd");
        self.out.begin_object((ilmd.index(), Place::Element));
        let mut members = Vec::new();
        self.extension_attributes(ilmd, &[], &mut members);
        self.only_extensions(ilmd, false, &mut members);
        self.members(&members, ilmd);
        self.out.end_object();
    }

    /// Collects the extensions of an element that has nothing else, those in its wrappers included.
    pub(super) fn only_extensions<'t, 'x>(
        &mut self,
        holder: Element<'t, 'x>,
        in_wrapper: bool,
        members: &mut Vec<Member<'t, 'x>>,
    ) {
        self.check_no_text(holder);
        for child in holder.children() {
            if !child.is_standard() {
                members.push(Member::element(child));
            } else if child.local() == "extension" {
                self.extension_attributes(child, &[], members);
                self.only_extensions(child, true, members);
            } else {
                self.leave_out_unknown(child, in_wrapper);
            }
        }
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
        self.error_parts(element, false, &mut parts, &mut members);
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

    fn error_parts<'t, 'x>(
        &mut self,
        holder: Element<'t, 'x>,
        in_wrapper: bool,
        parts: &mut Parts<'t, 'x>,
        members: &mut Vec<Member<'t, 'x>>,
    ) {
        self.check_no_text(holder);
        for child in holder.children() {
            let local = child.local();
            match local {
                _ if !child.is_standard() => members.push(Member::element(child)),
                "extension" => {
                    self.check_name(child);
                    self.extension_attributes(child, &[], members);
                    self.error_parts(child, true, parts, members);
                }
                "correctiveEventIDs" => {
                    self.check_name(child);
                    parts.corrections.push(child);
                }
                "declarationTime" | "reason" => {
                    let seen = if local == "reason" {
                        &mut parts.reason
                    } else {
                        &mut parts.time
                    };
                    if std::mem::replace(seen, true) {
                        self.leave_out(child, report::REPEATED_ELEMENT);
                    } else {
                        self.check_name(child);
                        self.leaf(Some(local), kind_of_element(local), child);
                    }
                }
                _ => self.leave_out_unknown(child, in_wrapper),
            }
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
