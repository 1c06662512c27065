//! Maps events and vocabulary elements: a field is found in any of its places, whatever version the document claims.
//!
//! Source: EPCIS 1.2, 9.5 and EPCIS 2.0, 9.5 (XML), EPCIS 2.0, 10 (JSON).

use super::Mapper;
use super::extension::Member;
use crate::field::{self, Content, Count, EventTypes, Field, FieldSet, Form, Group, ValueKind};
use crate::translate::kinds::EventKind;
use crate::translate::namespace::Namespace;
use crate::translate::report;
use crate::translate::tree::Element;
use crate::translate::tree::ElementPart;
use epcis_edge_text::grow::push;

/// The fields that an element may have: those of an event type, or the parts of a group.
#[derive(Clone, Copy)]
pub(super) struct FieldScope {
    parts: &'static [Field],
    /// The event type whose fields are accepted.
    of: EventTypes,
    form: Form,
    is_event: bool,
    /// Names that JSON uses for something else.
    taken: &'static [&'static str],
}

impl FieldScope {
    pub(super) const VOCABULARY_ELEMENT: Self =
        Self { taken: &["id", "attributes"], ..Self::of_group(&field::VOCABULARY_ELEMENT) };

    const fn of_group(group: &'static Group) -> Self {
        Self {
            parts: group.parts,
            of: EventTypes::MAX,
            form: group.form,
            is_event: false,
            taken: &[],
        }
    }

    /// Returns the part with this name, with its number.
    fn find(self, local: &str) -> Option<(usize, &'static Field)> {
        if self.is_event {
            let (number, field) = field::of_event(local)?;
            return (field.of & self.of != 0).then_some((number.into(), field));
        }
        let mut parts = self.parts.iter().enumerate();
        parts.find(|(_, part)| part.name == local)
    }
}

/// The parts and extensions found while the children of an element are read.
#[derive(Default)]
pub(super) struct FoundParts<'t> {
    /// The parts seen, as bits.
    seen: FieldSet,
    /// The elements that are written after the others, such as those of parts that may be repeated, with the number of the part.
    pub(super) later: Vec<(usize, Element<'t>)>,
    pub(super) extensions: Vec<Member<'t>>,
}

impl Mapper<'_> {
    /// Writes an event as an object.
    ///
    /// A bare event may have attributes of a document; those in `known` were handled before.
    pub(in crate::translate) fn event(
        &mut self,
        event: Element<'_>,
        kind: EventKind,
        known: &[&str],
    ) {
        let origin = (event.index(), ElementPart::Element);
        self.out.begin_object(origin);
        self.out.key("type");
        self.out.string(kind.name(), origin);
        let holder = FieldScope {
            parts: &field::EVENT,
            of: kind.bit(),
            form: Form::Open,
            is_event: true,
            taken: &[],
        };
        let mut found = FoundParts::default();
        self.extension_attributes(event, known, &mut found.extensions);
        self.children(event, holder, false, &mut found);
        if kind == EventKind::QUANTITY {
            self.find(event, report::QUANTITY_EVENT);
            let is_own = |(number, _): &(usize, _)| {
                field::EVENT.get(*number).is_some_and(|field| field.of == field::QUANTITY)
            };
            let own = found.later.iter().copied().filter(is_own).collect::<Vec<_>>();
            found.later.retain(|entry| !is_own(entry));
            self.later(holder.parts, &found.later);
            self.quantity_event(event, &own);
        } else {
            self.later(holder.parts, &found.later);
        }
        self.members(&found.extensions, event);
        self.out.end_object();
    }

    /// Collects attributes in a namespace, which become members; the others have no home.
    pub(super) fn extension_attributes<'t>(
        &mut self,
        element: Element<'t>,
        known: &[&str],
        members: &mut Vec<Member<'t>>,
    ) {
        for (number, attribute) in element.attributes().iter().enumerate() {
            let namespace = attribute.name.namespace;
            if namespace.is_foreign() || namespace == Namespace::XML {
                members.push(Member::attribute(element, number));
            } else if !known.contains(&attribute.name.local) {
                self.leave_out_attribute(element, number, attribute);
            }
        }
    }

    /// Reads the children of an element, including those in wrappers: writes the parts that come once, collects the others.
    pub(super) fn children<'t>(
        &mut self,
        element: Element<'t>,
        holder: FieldScope,
        in_wrapper: bool,
        found: &mut FoundParts<'t>,
    ) {
        self.check_no_text(element);
        for child in element.children() {
            let local = child.local();
            if !child.is_standard() {
                match holder.form {
                    Form::Closed => self.leave_out(child, report::UNKNOWN_ELEMENT),
                    _ => push(&mut found.extensions, Member::element(child)),
                }
            } else if holder.form != Form::Closed
                && (local == "extension" || holder.is_event && local == "baseExtension")
            {
                self.check_name(child);
                self.extension_attributes(child, &[], &mut found.extensions);
                self.children(child, holder, true, found);
            } else if let Some((number, part)) = holder.find(local) {
                let is_once = matches!(part.count, Count::One | Count::List(_));
                let bit: FieldSet = 1 << number;
                if found.seen & bit != 0 && is_once {
                    self.leave_out(child, report::REPEATED_ELEMENT);
                    continue;
                }
                found.seen |= bit;
                self.check_name(child);
                // The fields that only a quantity event has are written in the list that replaces them.
                if is_once && part.of != field::QUANTITY {
                    self.part(child, part, holder.form);
                } else {
                    push(&mut found.later, (number, child));
                }
            } else {
                match holder.form {
                    Form::Kept if !holder.taken.contains(&local) => {
                        self.keep_unknown(child, in_wrapper, &mut found.extensions)
                    }
                    Form::Closed => self.leave_out(child, report::UNKNOWN_ELEMENT),
                    _ => self.leave_out_unknown(child, in_wrapper),
                }
            }
        }
    }

    /// Writes a part that comes once.
    fn part(&mut self, element: Element<'_>, part: &'static Field, form: Form) {
        match (part.count, part.content) {
            (Count::List(item), _) => {
                self.out.key(part.name);
                self.out.begin_array((element.index(), ElementPart::Element));
                self.items(element, item);
                self.out.end_array();
            }
            // A unit without a quantity: the quantity is nil.
            (_, Content::Value(ValueKind::Number)) if form == Form::Closed && element.is_nil() => {
                self.check_attributes(element, &[]);
                self.check_no_text(element);
                self.check_no_children(element);
                self.find(element, report::NIL_QUANTITY);
            }
            (_, Content::Value(kind)) => {
                self.leaf(Some(part.name), kind, element);
            }
            (_, Content::Group(group)) => {
                self.out.key(part.name);
                self.group(element, part.name, group);
            }
        }
    }

    /// Writes the parts that may be repeated, in the order of the first element of each.
    fn later(&mut self, parts: &'static [Field], later: &[(usize, Element<'_>)]) {
        let mut written: FieldSet = 0;
        for &(number, first) in later {
            let Some(part) = parts.get(number).filter(|_| written & 1 << number == 0) else {
                continue;
            };
            written |= 1 << number;
            let same =
                || later.iter().filter(|(other, _)| *other == number).map(|(_, element)| *element);
            if let (Count::Many, None) = (part.count, same().nth(1)) {
                self.leaf(Some(part.name), part.kind(), first);
                continue;
            }
            self.out.key(part.name);
            self.out.begin_array((first.index(), ElementPart::Element));
            for (number, element) in same().enumerate() {
                match part.count {
                    Count::Joined(item) => {
                        if number > 0 {
                            self.find(element, report::REPEATED_CONTAINER);
                        }
                        self.items(element, item);
                    }
                    _ => self.item(element, part),
                }
            }
            self.out.end_array();
        }
    }

    /// Writes the items of a list; an empty list stays a list.
    fn items(&mut self, list: Element<'_>, item: &'static Field) {
        self.check_attributes(list, &[]);
        self.check_no_text(list);
        for child in list.children() {
            if child.is(item.name) {
                self.check_name(child);
                self.item(child, item);
            } else {
                self.leave_out(child, report::UNKNOWN_ELEMENT);
            }
        }
    }

    fn item(&mut self, element: Element<'_>, item: &'static Field) {
        match item.content {
            Content::Value(kind) => {
                self.leaf(None, kind, element);
            }
            Content::Group(group) => self.group(element, item.name, group),
        }
    }

    /// Writes a group as an object.
    fn group(&mut self, element: Element<'_>, name: &str, group: &'static Group) {
        self.out.begin_object((element.index(), ElementPart::Element));
        match group.form {
            Form::Attributes => self.attributes_as_members(element, group),
            Form::Typed => self.typed(element, name, group),
            form => {
                let mut found = FoundParts::default();
                if form == Form::Closed {
                    self.check_attributes(element, &[]);
                } else {
                    self.extension_attributes(element, &[], &mut found.extensions);
                }
                self.children(element, FieldScope::of_group(group), false, &mut found);
                self.later(group.parts, &found.later);
                self.members(&found.extensions, element);
            }
        }
        self.out.end_object();
    }

    /// Writes the members of an element with a type and a text: a business transaction, a source, a destination.
    fn typed(&mut self, element: Element<'_>, name: &str, group: &'static Group) {
        self.check_attributes(element, &["type"]);
        self.check_no_children(element);
        for part in group.parts {
            self.attribute_as_member(element, part.name, part.kind());
        }
        self.value(Some(name), ValueKind::Plain, element.text(), element, ElementPart::Element);
    }

    /// Writes a standard attribute as a member, if it is there.
    pub(super) fn attribute_as_member(
        &mut self,
        element: Element<'_>,
        name: &str,
        kind: ValueKind,
    ) {
        let mut attributes = element.attributes().iter().enumerate();
        let found = attributes.find(|(_, attribute)| {
            attribute.name.local == name && attribute.name.prefix.is_empty()
        });
        if let Some((number, attribute)) = found {
            let place = ElementPart::Attribute(number);
            self.value(Some(name), kind, attribute.value, element, place);
        }
    }

    /// Writes the members of an element that has only attributes. Users' attributes come back as attributes too, so they are
    /// clean (EPCIS 2.0, 7.3.7).
    fn attributes_as_members(&mut self, element: Element<'_>, group: &'static Group) {
        self.check_no_text(element);
        self.check_no_children(element);
        for (number, attribute) in element.attributes().iter().enumerate() {
            let place = ElementPart::Attribute(number);
            let local = attribute.name.local;
            match attribute.name.namespace {
                Namespace::NONE => match group.part(local) {
                    Some(part) => {
                        self.value(Some(local), part.kind(), attribute.value, element, place);
                    }
                    None => self.leave_out_attribute(element, number, attribute),
                },
                Namespace::XSI => self.leave_out_attribute(element, number, attribute),
                _ => {
                    let prefix = self.context.prefix(attribute.name, self.namespaces);
                    let prefix = self.context.text(prefix);
                    self.out.qualified_key(prefix, local);
                    self.out.string(attribute.value, (element.index(), place));
                }
            }
        }
    }

    /// Writes the fields that replace a quantity event, as EPCIS 1.1 (7.2.11) prescribes.
    fn quantity_event(&mut self, event: Element<'_>, own: &[(usize, Element<'_>)]) {
        let origin = (event.index(), ElementPart::Element);
        self.out.key("epcList");
        self.out.begin_array(origin);
        self.out.end_array();
        self.out.key("action");
        self.out.string("OBSERVE", origin);
        self.out.key("quantityList");
        self.out.begin_array(origin);
        self.out.begin_object(origin);
        for field in &field::EVENT {
            let mut fields = own.iter().filter(|(_, element)| element.is(field.name));
            if let Some((_, element)) = fields.next() {
                self.leaf(Some(field.name), field.kind(), *element);
            }
        }
        self.out.end_object();
        self.out.end_array();
    }
}

/// Master data: one vocabulary element at a time (EPCIS 1.2, 9.4; EPCIS 2.0, 9.4).
impl Mapper<'_> {
    /// Writes a vocabulary element as an object.
    pub(in crate::translate) fn vocabulary_element(&mut self, element: Element<'_>) {
        self.out.begin_object((element.index(), ElementPart::Element));
        self.attribute_as_member(element, "id", ValueKind::Plain);
        let mut found = FoundParts::default();
        self.extension_attributes(element, &["id"], &mut found.extensions);
        self.children(element, FieldScope::VOCABULARY_ELEMENT, false, &mut found);
        if let Some((_, first)) = found.later.first() {
            self.out.key("attributes");
            self.out.begin_array((first.index(), ElementPart::Element));
            for &(_, attribute) in &found.later {
                self.master_data_attribute(attribute);
            }
            self.out.end_array();
        }
        self.members(&found.extensions, element);
        self.out.end_object();
    }

    /// Writes a master data attribute: its value is a string, never a number, or an object if it has child elements.
    fn master_data_attribute(&mut self, element: Element<'_>) {
        self.out.begin_object((element.index(), ElementPart::Element));
        self.attribute_as_member(element, "id", ValueKind::Plain);
        self.check_attributes(element, &["id"]);
        self.out.key("attribute");
        if element.has_children() {
            self.object(element, &mut Vec::new());
        } else {
            let origin = (element.index(), ElementPart::Element);
            self.out.string(element.text(), origin);
        }
        self.out.end_object();
    }
}
