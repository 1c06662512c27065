//! Comparing a source tree with the tree that its translation leads back to.
//!
//! Equal are: wrappers and what stands in them directly, siblings of different names in any order, prefixes, the places of
//! schemas, numbers by value, vocabulary words across their forms, white space in standard values, and the empty forms of a
//! nil quantity.

use super::map::is_field;
use super::namespace::{Name, Namespace};
use super::tree::Element;
use super::value::{Kind, kind_of_attribute, kind_of_element, same};
use super::write::Place;
use std::cmp::Ordering;

/// Where a source tree and what came back of it differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) element: usize,
    pub(super) place: Place,
    /// Something came back inside of this element that the source does not have.
    extra: bool,
}

impl Difference {
    /// Whether the rules said that something is lost here: at this place, around it, or, where something came back that is
    /// not in the source, below it. `lost` are the elements of lossy findings, sorted.
    pub(super) fn is_foretold(&self, tree: Element<'_, '_>, lost: &[usize]) -> bool {
        let element = tree.at(self.element);
        let mut around = Some(element);
        while let Some(holder) = around {
            if lost.binary_search(&holder.index()).is_ok() {
                return true;
            }
            around = holder.parent();
        }
        let next = lost.partition_point(|&index| index < self.element);
        self.extra && lost.get(next).is_some_and(|&index| element.holds(index))
    }
}

/// A child as its parent's content counts it.
#[derive(Clone, Copy)]
struct Entry<'t, 'x> {
    element: Element<'t, 'x>,
    /// Somebody's local extension, for which the wrapper is all the place it has.
    wrapped: bool,
}

/// Compares trees; keeps its memory from one to the next.
#[derive(Debug, Default)]
pub(super) struct Measure {
    pub(super) differences: Vec<Difference>,
}

impl Measure {
    /// Compares two standard elements with everything below them.
    pub(super) fn compare(&mut self, source: Element<'_, '_>, back: Element<'_, '_>) {
        self.differences.clear();
        if !same_name(source.name(), back.name()) {
            self.differ(source, Place::Element, false);
            return;
        }
        self.standard(source, back);
    }

    fn differ(&mut self, element: Element<'_, '_>, place: Place, extra: bool) {
        self.differences.push(Difference {
            element: element.index(),
            place,
            extra,
        });
    }

    fn standard(&mut self, source: Element<'_, '_>, back: Element<'_, '_>) {
        let local = source.local();
        self.attributes(source, back, |name| {
            if name.namespace == Namespace::NONE {
                kind_of_attribute(local, name.local)
            } else {
                Kind::Verbatim
            }
        });
        if !source.has_children() && !back.has_children() {
            // Most values come back as they were; only others need a look at what they are.
            if source.text() == back.text() {
                return;
            }
            let kind = match local {
                // In master data the text of an attribute is the user's.
                "attribute" => Kind::Verbatim,
                _ => kind_of_element(local),
            };
            if !same(kind, source.text(), back.text()) {
                self.differ(source, Place::Text, false);
            }
            return;
        }
        let (here, there) = (source.text(), back.text());
        if !(here.is_empty() && there.is_empty()) && here.trim() != there.trim() {
            self.differ(source, Place::Text, false);
        }
        let in_extension = local == "attribute";
        if are_aligned(source, back) {
            for (here, there) in source.children().zip(back.children()) {
                if in_extension || !here.is_standard() {
                    self.user(here, there);
                } else {
                    self.standard(here, there);
                }
            }
            return;
        }
        let (mut here, mut there) = (Vec::new(), Vec::new());
        flatten(source, false, &mut here);
        flatten(back, false, &mut there);
        self.children(source, here, there, in_extension);
    }

    fn user(&mut self, source: Element<'_, '_>, back: Element<'_, '_>) {
        self.attributes(source, back, |_| Kind::Verbatim);
        let has_children = source.has_children();
        let differs = if has_children || back.has_children() {
            let (a, b) = (source.text(), back.text());
            a != b && !(a.trim().is_empty() && b.trim().is_empty())
        } else {
            source.text() != back.text()
        };
        if differs {
            self.differ(source, Place::Text, false);
        }
        if has_children || back.has_children() {
            let entry = |element| Entry {
                element,
                wrapped: false,
            };
            let here = source.children().map(entry).collect();
            let there = back.children().map(entry).collect();
            self.children(source, here, there, true);
        }
    }

    fn children<'s, 'x, 'b, 'y>(
        &mut self,
        source: Element<'s, 'x>,
        mut here: Vec<Entry<'s, 'x>>,
        mut there: Vec<Entry<'b, 'y>>,
        in_extension: bool,
    ) {
        let in_order = here.len() == there.len()
            && here
                .iter()
                .zip(&there)
                .all(|(a, b)| order(a, b) == Ordering::Equal);
        if !in_order {
            // Order between different names is not data, order within one name is: the sort is stable.
            here.sort_by(order);
            there.sort_by(order);
        }
        let (mut here, mut there) = (here.iter().peekable(), there.iter().peekable());
        loop {
            let ordering = match (here.peek(), there.peek()) {
                (None, None) => return,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(_), Some(_)) if in_order => Ordering::Equal,
                (Some(a), Some(b)) => order(a, b),
            };
            match ordering {
                Ordering::Less => {
                    if let Some(entry) = here.next() {
                        self.differ(entry.element, Place::Element, false);
                    }
                }
                Ordering::Greater => {
                    there.next();
                    self.differ(source, Place::Element, true);
                }
                Ordering::Equal => {
                    if let (Some(a), Some(b)) = (here.next(), there.next()) {
                        if in_extension || !a.element.is_standard() || a.wrapped {
                            self.user(a.element, b.element);
                        } else {
                            self.standard(a.element, b.element);
                        }
                    }
                }
            }
        }
    }

    fn attributes(
        &mut self,
        source: Element<'_, '_>,
        back: Element<'_, '_>,
        kind: impl Fn(Name<'_>) -> Kind,
    ) {
        let (here, there) = (source.attributes(), back.attributes());
        if here.is_empty() && there.is_empty() {
            return;
        }
        for (number, attribute) in here.iter().enumerate() {
            let name = attribute.name;
            if name.namespace == Namespace::XSI && !matches!(name.local, "type" | "nil") {
                continue;
            }
            if name.namespace == Namespace::XSI && name.local == "nil" && !source.is_nil() {
                continue;
            }
            // Written in the same order, most are found at once.
            let partner = there
                .get(number)
                .filter(|other| other.name.same_as(&name))
                .or_else(|| there.iter().find(|other| other.name.same_as(&name)));
            let fits = partner.is_some_and(|other| {
                attribute.value == other.value || same(kind(name), &attribute.value, &other.value)
            });
            if !fits {
                self.differ(source, Place::Attribute(number), false);
            }
        }
        for attribute in there {
            if !here.iter().any(|other| other.name.same_as(&attribute.name)) {
                self.differ(source, Place::Element, true);
            }
        }
    }
}

/// Whether both have the same children in the same order and nothing that is to be flattened: the usual case, for which
/// no list is made.
fn are_aligned(source: Element<'_, '_>, back: Element<'_, '_>) -> bool {
    let (mut here, mut there) = (source.children(), back.children());
    loop {
        match (here.next(), there.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) => {
                let transparent = matches!(
                    a.local(),
                    "extension" | "baseExtension" | "correctiveEventIDs" | "quantity"
                );
                if transparent || !same_name(a.name(), b.name()) {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

/// The content of a standard element, without its wrappers and without nil quantities.
fn flatten<'t, 'x>(element: Element<'t, 'x>, in_wrapper: bool, entries: &mut Vec<Entry<'t, 'x>>) {
    for child in element.children() {
        if child.is_standard() {
            match child.local() {
                "extension" | "baseExtension" => {
                    // Attributes of a wrapper do not come back; they count as the wrapper's.
                    flatten(child, true, entries);
                    continue;
                }
                "correctiveEventIDs" => {
                    flatten(child, false, entries);
                    continue;
                }
                "quantity" if child.is_nil() => continue,
                _ => {}
            }
        }
        entries.push(Entry {
            element: child,
            wrapped: in_wrapper && child.is_standard() && !is_field(child.local()),
        });
    }
}

fn same_name(a: Name<'_>, b: Name<'_>) -> bool {
    a.local == b.local
        && (a.namespace == b.namespace || a.namespace.is_standard() && b.namespace.is_standard())
}

fn order(a: &Entry<'_, '_>, b: &Entry<'_, '_>) -> Ordering {
    let key = |namespace: Namespace| {
        if namespace.is_standard() {
            Namespace::NONE
        } else {
            namespace
        }
    };
    let (a_name, b_name) = (a.element.name(), b.element.name());
    a_name
        .local
        .cmp(b_name.local)
        .then_with(|| key(a_name.namespace).cmp(&key(b_name.namespace)))
        .then_with(|| a.wrapped.cmp(&b.wrapped))
}
