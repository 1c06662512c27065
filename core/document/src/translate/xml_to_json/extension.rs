//! User extensions: elements and attributes in namespaces of their own.

use super::Mapper;
use crate::translate::characters::{collapse, is_blank, trimmed};
use crate::translate::namespace::{Name, Namespace};
use crate::translate::report;
use crate::translate::tree::Element;
use crate::translate::tree::ElementPart;
use epcis_edge_text::grow::push;
use epcis_edge_text::order::sort_numbers;
use epcis_edge_text::slice::Known;

/// The most members of an object whose names are compared pair by pair; the members of larger objects are sorted.
const FEW_MEMBERS: usize = 16;

/// A member of an extension object before it is written.
#[derive(Clone, Copy, Debug)]
pub(in crate::translate) struct Member<'t> {
    element: Element<'t>,
    /// The number of the attribute, counted from 1; zero if the member is the element.
    attribute: u32,
}

impl<'t> Member<'t> {
    pub(super) fn element(element: Element<'t>) -> Self {
        Self { element, attribute: 0 }
    }

    pub(super) fn attribute(element: Element<'t>, number: usize) -> Self {
        Self { element, attribute: number as u32 + 1 }
    }

    /// The number of the attribute, counted from 0; `None` if the member is the element.
    fn number(self) -> Option<usize> {
        self.attribute.checked_sub(1).map(|number| number as usize)
    }

    fn name(self) -> Name<'t> {
        match self.number() {
            None => self.element.name(),
            Some(number) => {
                let attribute = self.element.attributes().get(number);
                attribute.map(|attribute| attribute.name).known()
            }
        }
    }
}

impl Mapper<'_> {
    /// Keeps an unknown element in an object whose schema is open, under its bare name; a wrapper around it is lost.
    pub(super) fn keep_unknown<'t>(
        &mut self,
        child: Element<'t>,
        in_wrapper: bool,
        members: &mut Vec<Member<'t>>,
    ) {
        let code =
            if in_wrapper { report::LOCAL_EXTENSION } else { report::UNKNOWN_ELEMENT_CARRIED };
        self.find(child, code);
        members.push(Member::element(child));
    }

    /// Writes members; members of the same name become one array, in document order.
    pub(in crate::translate) fn members(&mut self, members: &[Member<'_>], parent: Element<'_>) {
        let count = members.len();
        if count == 0 {
            return;
        }
        // For each member, the number of the first member of its name, and of the next one.
        let end = count as u32;
        let mut same: Vec<(u32, u32)> = (0..end).map(|number| (number, end)).collect();
        if count <= FEW_MEMBERS {
            for number in 1..count {
                let earlier =
                    (0..number).rev().find(|&other| self.same_key(members, other, number));
                if let Some(earlier) = earlier {
                    link(&mut same, earlier, number);
                }
            }
        } else {
            for member in members {
                self.context.prefix(member.name(), self.namespaces);
            }
            let key = |number: u32| {
                let name = members.get(number as usize).map(|member| member.name()).known();
                (self.context.assigned(name.namespace), name.local)
            };
            let mut sorted: Vec<u32> = (0..end).collect();
            if !sorted.is_sorted_by_key(|&number| key(number)) {
                sort_numbers(&mut sorted, &|&a, &b| key(a).cmp(&key(b)).then(a.cmp(&b)));
            }
            for pair in sorted.windows(2) {
                if let [earlier, number] = *pair
                    && key(earlier) == key(number)
                {
                    link(&mut same, earlier as usize, number as usize);
                }
            }
        }
        let mut stood_apart = false;
        for (number, &member) in members.iter().enumerate() {
            let Some(&(first, next)) = same.get(number) else {
                continue;
            };
            if first as usize != number {
                continue;
            }
            let name = member.name();
            let prefix = self.context.prefix(name, self.namespaces);
            let prefix = self.context.text(prefix);
            self.out.qualified_key(prefix, name.local);
            if next == end {
                self.member_value(member);
                continue;
            }
            self.out.begin_array((member.element.index(), ElementPart::Element));
            let mut at = number;
            while let (Some(&member), Some(&(_, next))) = (members.get(at), same.get(at)) {
                self.member_value(member);
                let next = next as usize;
                stood_apart |= next != count && next != at + 1 && member.attribute == 0;
                at = next;
            }
            self.out.end_array();
        }
        if stood_apart {
            self.find(parent, report::SIBLING_ORDER);
        }
    }

    fn same_key(&mut self, members: &[Member<'_>], a: usize, b: usize) -> bool {
        let (Some(a), Some(b)) = (members.get(a), members.get(b)) else {
            return false;
        };
        let (a, b) = (a.name(), b.name());
        a.local == b.local
            && self.context.prefix(a, self.namespaces) == self.context.prefix(b, self.namespaces)
    }

    fn member_value(&mut self, member: Member<'_>) {
        match member.number() {
            None => self.extension(member.element),
            Some(number) => {
                let place = ElementPart::Attribute(number);
                let attribute = member.element.attributes().get(number);
                let value = attribute.map_or("", |attribute| attribute.value);
                let code = if member.name().namespace.is_epcis() {
                    report::EPCIS_NAME
                } else {
                    report::ATTRIBUTE_AS_MEMBER
                };
                self.find_at(member.element, place, code, Some(value));
                self.out.string(value, (member.element.index(), place));
            }
        }
    }

    /// Writes the value of an extension element: a string without a type, or an object.
    pub(in crate::translate) fn extension(&mut self, element: Element<'_>) {
        let origin = (element.index(), ElementPart::Element);
        for (number, attribute) in element.attributes().iter().enumerate() {
            self.check_instance_attribute(element, number, attribute);
        }
        let is_member = |number: &usize| {
            let attribute = element.attributes().get(*number);
            attribute.is_some_and(|attribute| attribute.name.namespace != Namespace::XSI)
        };
        let mut attributes = (0..element.attributes().len()).filter(is_member).peekable();
        let has_children = element.has_children();
        if !has_children && attributes.peek().is_none() {
            self.out.string(element.text(), origin);
            return;
        }
        let mut members: Vec<Member<'_>> =
            attributes.map(|number| Member::attribute(element, number)).collect();
        self.object(element, &mut members);
    }

    /// Writes an object with these members and with the content of an element.
    pub(super) fn object<'t>(&mut self, element: Element<'t>, members: &mut Vec<Member<'t>>) {
        self.out.begin_object((element.index(), ElementPart::Element));
        let text = element.text();
        let has_children = element.has_children();
        let is_mixed = has_children && !is_blank(text);
        if is_mixed {
            let text = Some(trimmed(text));
            self.find_at(element, ElementPart::Text, report::MIXED_CONTENT, text);
        }
        if is_mixed || !has_children && !text.is_empty() {
            let text = if is_mixed { collapse(text) } else { text.into() };
            self.out.key("#text");
            self.out.string(&text, (element.index(), ElementPart::Text));
        }
        for child in element.children() {
            push(members, Member::element(child));
        }
        for child in element.children() {
            if child.namespace().is_epcis() {
                self.find(child, report::EPCIS_NAME);
            }
        }
        let mut children = element.children();
        let plain = children.find(|child| child.namespace() == Namespace::NONE);
        if let Some(plain) = plain
            && element.namespace().is_foreign()
        {
            self.find(plain, report::PLAIN_NAME);
        }
        self.members(members, element);
        self.out.end_object();
    }
}

fn link(same: &mut [(u32, u32)], earlier: usize, number: usize) {
    let first = same.get(earlier).map_or(number as u32, |&(first, _)| first);
    if let Some(slot) = same.get_mut(earlier) {
        slot.1 = number as u32;
    }
    if let Some(slot) = same.get_mut(number) {
        slot.0 = first;
    }
}
