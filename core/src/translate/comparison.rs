//! Comparing a source tree with the tree that its translation leads back to.
//!
//! Equal are: wrappers and what stands in them directly, siblings of different names in any order, prefixes, the places of
//! schemas, numbers by value, vocabulary words across their forms, white space in standard values, and the empty forms of a
//! nil quantity.

use super::characters::is_blank;
use super::namespace::{Name, Namespace};
use super::tree::Element;
use super::tree::Spot;
use super::value::same;
use crate::field::{
    VOCABULARY_ELEMENT, ValueKind, is_closed, is_part, kind_of_attribute, kind_of_element,
    number_of,
};
use crate::order::sort_stably_by;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Where a source tree and what came back of it differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) element: usize,
    pub(super) place: Spot,
    /// Something came back inside of this element that the source does not have.
    extra: bool,
}

/// Where rules said that something is lost, and which of these places the measurement found.
#[derive(Debug, Default)]
pub(super) struct Lost(BTreeMap<(usize, Spot), bool>);

impl Lost {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn add(&mut self, element: usize, place: Spot) {
        self.0.insert((element, place), false);
    }

    pub(super) fn has(&self, element: usize, place: Spot) -> bool {
        self.0.contains_key(&(element, place))
    }

    fn mark(&mut self, element: usize, place: Spot) -> bool {
        let found = self.0.get_mut(&(element, place));
        found.is_some_and(|found| {
            *found = true;
            true
        })
    }

    /// Whether the rules said so: of this place, of an element around it, or, where something came back that is not in the
    /// source, of anything below it.
    pub(super) fn foretells(&mut self, difference: &Difference, tree: Element<'_>) -> bool {
        let element = tree.at(difference.element);
        if self.mark(difference.element, difference.place) {
            return true;
        }
        let mut around = Some(element);
        while let Some(holder) = around {
            if self.mark(holder.index(), Spot::Element) {
                return true;
            }
            around = holder.parent();
        }
        if difference.extra {
            let mut below = self.0.range((difference.element, Spot::Element)..);
            if below
                .next()
                .is_some_and(|((index, _), _)| element.holds(*index))
            {
                return true;
            }
        }
        element.parent().is_some_and(|parent| {
            // Strings beside a joined text come back as attributes; an attribute that became a member stands in one array
            // with the elements of its name.
            let mut attributes = parent.attributes().iter().enumerate();
            self.mark(parent.index(), Spot::Text)
                || attributes.any(|(number, attribute)| {
                    attribute.name.same_as(&element.name())
                        && self.mark(parent.index(), Spot::Attribute(number))
                })
        })
    }

    /// How many places the measurement did not find, those aside that stand in a lost element.
    pub(super) fn unmeasured(&self, tree: Element<'_>) -> usize {
        let not_found = self.0.iter().filter(|(_, is_found)| !**is_found);
        let not_covered = not_found.filter(|((index, place), _)| {
            let element = tree.at(*index);
            let mut around = match place {
                Spot::Element => element.parent(),
                Spot::Attribute(_) | Spot::Text => Some(element),
            };
            while let Some(holder) = around {
                let parent = holder.parent();
                // What stands beside a joined text comes back as another thing.
                if self.has(holder.index(), Spot::Element)
                    || parent.is_some_and(|parent| self.has(parent.index(), Spot::Text))
                {
                    return false;
                }
                around = parent;
            }
            true
        });
        not_covered.count()
    }
}

/// A child as its parent's content counts it.
#[derive(Clone, Copy)]
struct Entry<'t> {
    element: Element<'t>,
    /// Somebody's local extension, for which the wrapper is all the place it has.
    wrapped: bool,
    /// Stands in a list that does not count itself.
    listed: bool,
}

/// Compares trees; keeps its memory from one to the next.
#[derive(Debug, Default)]
pub(super) struct TreeComparison {
    pub(super) differences: Vec<Difference>,
    in_envelope: bool,
}

impl TreeComparison {
    /// Compares two standard elements with everything below them.
    pub(super) fn compare(&mut self, source: Element<'_>, back: Element<'_>) {
        self.differences.clear();
        if !same_name(source.name(), back.name()) {
            self.differ(source, Spot::Element, false);
            return;
        }
        self.standard(source, back);
    }

    /// Compares two envelopes: containers with nothing in them say nothing there, nor does the version of the schema.
    pub(super) fn compare_envelopes(&mut self, source: Element<'_>, back: Element<'_>) {
        self.in_envelope = true;
        self.compare(source, back);
        self.in_envelope = false;
    }

    /// Compares two elements of users with everything below them.
    pub(super) fn compare_extensions(&mut self, source: Element<'_>, back: Element<'_>) {
        self.compare_alone(source, back);
        if same_name(source.name(), back.name()) {
            self.user_below(source, back);
        }
    }

    fn differ(&mut self, element: Element<'_>, place: Spot, extra: bool) {
        self.differences.push(Difference {
            element: element.index(),
            place,
            extra,
        });
    }

    fn standard(&mut self, source: Element<'_>, back: Element<'_>) {
        let local = source.local();
        self.attributes(source, back, |name| {
            if name.namespace == Namespace::NONE {
                kind_of_attribute(local, name.local)
            } else {
                ValueKind::Verbatim
            }
        });
        // Most values come back as they were; only others need a look at what they are.
        if source.text() != back.text() {
            let is_leaf = !source.has_children() && !back.has_children();
            let kind = match local {
                // In master data the text of an attribute is the user's.
                "attribute" if is_leaf => ValueKind::Verbatim,
                _ => kind_of_element(local),
            };
            if !same(kind, source.text(), back.text()) {
                self.differ(source, Spot::Text, false);
            }
        }
        if !source.has_children() && !back.has_children() {
            return;
        }
        let in_extension = local == "attribute";
        if are_aligned(source, back, is_transparent) {
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
        self.wrappers(source);
        self.children(source, here, there, in_extension);
    }

    /// What is in no list of children because its own children are, and what stands for nothing: nothing else of it comes
    /// back.
    fn wrappers(&mut self, holder: Element<'_>) {
        for child in holder
            .children()
            .filter(|child| is_transparent(holder, *child))
        {
            self.own_parts(child);
            if child.local() == "quantity" {
                for inner in child.children() {
                    self.differ(inner, Spot::Element, false);
                }
            } else {
                self.wrappers(child);
            }
        }
    }

    /// Compares two elements of users without what is below them.
    pub(super) fn compare_alone(&mut self, source: Element<'_>, back: Element<'_>) {
        self.differences.clear();
        if same_name(source.name(), back.name()) {
            self.user_alone(source, back);
        } else {
            self.differ(source, Spot::Element, false);
        }
    }

    fn user_alone(&mut self, source: Element<'_>, back: Element<'_>) {
        // What is no element of the standard is a name with its namespace, one of EPCIS too.
        if source.namespace() != back.namespace() {
            self.differ(source, Spot::Element, false);
        }
        self.attributes(source, back, |_| ValueKind::Verbatim);
        let differs = if source.has_children() || back.has_children() {
            let (a, b) = (source.text(), back.text());
            a != b && !(is_blank(a) && is_blank(b))
        } else if self.in_envelope && source.namespace() == Namespace::SBDH {
            !same(ValueKind::Plain, source.text(), back.text())
        } else {
            source.text() != back.text()
        };
        if differs {
            self.differ(source, Spot::Text, false);
        }
    }

    fn user(&mut self, source: Element<'_>, back: Element<'_>) {
        self.user_alone(source, back);
        self.user_below(source, back);
    }

    fn user_below(&mut self, source: Element<'_>, back: Element<'_>) {
        if source.has_children() || back.has_children() {
            if are_aligned(source, back, |_, _| false) {
                for (here, there) in source.children().zip(back.children()) {
                    self.user(here, there);
                }
                return;
            }
            let entry = |element| Entry {
                element,
                wrapped: false,
                listed: false,
            };
            let here = source.children().map(entry).collect();
            let there = back.children().map(entry).collect();
            self.children(source, here, there, true);
        }
    }

    fn children<'s, 'b>(
        &mut self,
        source: Element<'s>,
        mut here: Vec<Entry<'s>>,
        mut there: Vec<Entry<'b>>,
        in_extension: bool,
    ) {
        let in_order = here.len() == there.len()
            && here
                .iter()
                .zip(&there)
                .all(|(a, b)| order(a, b) == Ordering::Equal);
        if !in_order {
            // Order between different names is not data, order within one name is.
            sort_stably_by(&mut here, &order);
            sort_stably_by(&mut there, &order);
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
                        self.missing(entry.element, in_extension);
                    }
                }
                Ordering::Greater => {
                    if there
                        .next()
                        .is_some_and(|entry| in_extension || !self.is_hollow(entry.element))
                    {
                        self.differ(source, Spot::Element, true);
                    }
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
        source: Element<'_>,
        back: Element<'_>,
        kind: impl Fn(Name<'_>) -> ValueKind,
    ) {
        let (here, there) = (source.attributes(), back.attributes());
        if here.is_empty() && there.is_empty() {
            return;
        }
        for (number, attribute) in here.iter().enumerate() {
            let name = attribute.name;
            if !is_data(source, name) || self.is_version(source, name) {
                continue;
            }
            // Written in the same order, most are found at once.
            let partner = there
                .get(number)
                .filter(|other| other.name.same_as(&name))
                .or_else(|| there.iter().find(|other| other.name.same_as(&name)));
            let fits = partner.is_some_and(|other| {
                attribute.value == other.value || same(kind(name), attribute.value, other.value)
            });
            if !fits {
                self.differ(source, Spot::Attribute(number), false);
            }
        }
        for attribute in there.iter() {
            if !here.iter().any(|other| other.name.same_as(&attribute.name))
                && !self.is_version(source, attribute.name)
            {
                self.differ(source, Spot::Element, true);
            }
        }
    }

    fn is_hollow(&self, element: Element<'_>) -> bool {
        self.in_envelope && is_hollow(element)
    }

    /// What did not come back: of a container of the envelope everything that is in it.
    fn missing(&mut self, element: Element<'_>, in_extension: bool) {
        if in_extension || !self.in_envelope || !is_container(element) {
            self.differ(element, Spot::Element, false);
            return;
        }
        self.own_parts(element);
        for child in element.children() {
            self.missing(child, !element.is_standard());
        }
    }

    /// What is lost of an element itself: its attributes, but for that of a nil quantity, and its text.
    fn own_parts(&mut self, element: Element<'_>) {
        for (number, attribute) in element.attributes().iter().enumerate() {
            let name = attribute.name;
            let is_nil = name.namespace == Namespace::XSI && name.local == "nil";
            if is_data(element, name) && !(is_nil && element.local() == "quantity") {
                self.differ(element, Spot::Attribute(number), false);
            }
        }
        if !is_blank(element.text()) {
            self.differ(element, Spot::Text, false);
        }
    }

    /// Whether this is the version of the schema, which every document is given anew.
    fn is_version(&self, element: Element<'_>, name: Name<'_>) -> bool {
        self.in_envelope
            && element.index() == 0
            && name.namespace == Namespace::NONE
            && name.local == "schemaVersion"
    }
}

/// Whether an attribute says something: not where a schema is to be found, nor that an element is not nil.
fn is_data(element: Element<'_>, name: Name<'_>) -> bool {
    name.namespace != Namespace::XSI
        || match name.local {
            "schemaLocation" | "noNamespaceSchemaLocation" => false,
            "nil" => !element.says_nil(false),
            _ => true,
        }
}

/// Whether an element of this holder does not count, but what is inside of it.
fn is_transparent(holder: Element<'_>, element: Element<'_>) -> bool {
    element.is_standard()
        && match element.local() {
            "extension" | "baseExtension" => {
                let local = holder.local();
                !is_closed(local) && !matches!(local, "VocabularyList" | "VocabularyElementList")
            }
            "correctiveEventIDs" => true,
            "quantity" => element.is_nil(),
            _ => false,
        }
}

/// Whether this is a container of the envelope, which says nothing when there is nothing in it.
fn is_container(element: Element<'_>) -> bool {
    match element.local() {
        "EPCISHeader" | "EPCISMasterData" | "VocabularyList" | "EPCISBody" | "EventList"
        | "resultsBody" | "extension" => element.is_standard(),
        "StandardBusinessDocumentHeader" => element.namespace() == Namespace::SBDH,
        _ => false,
    }
}

/// Whether there is nothing in a container, but for other such containers.
fn is_hollow(element: Element<'_>) -> bool {
    let mut attributes = element.attributes().iter();
    is_container(element)
        && !attributes.any(|attribute| is_data(element, attribute.name))
        && is_blank(element.text())
        && element
            .children()
            .all(|child| element.is_standard() && is_hollow(child))
}

/// Whether both have the same children in the same order and none that may have to be flattened: the usual case, for which
/// no list is made.
fn are_aligned(
    source: Element<'_>,
    back: Element<'_>,
    is_flattened: fn(Element<'_>, Element<'_>) -> bool,
) -> bool {
    let mut there = back.children();
    source.children().all(|here| {
        let stays =
            |there: Element<'_>| same_name(here.name(), there.name()) && !is_flattened(back, there);
        !is_flattened(source, here) && there.next().is_some_and(stays)
    }) && there.next().is_none()
}

/// The content of a standard element, without its wrappers and without nil quantities.
fn flatten<'t>(element: Element<'t>, in_wrapper: bool, entries: &mut Vec<Entry<'t>>) {
    for child in element.children() {
        if is_transparent(element, child) {
            // Attributes of a wrapper do not come back; they count as the wrapper's.
            if child.local() != "quantity" {
                flatten(child, child.local() != "correctiveEventIDs", entries);
            }
            continue;
        }
        let is_known = is_field(child.local()) || is_container(child);
        entries.push(Entry {
            element: child,
            wrapped: in_wrapper && child.is_standard() && !is_known,
            listed: element.is("correctiveEventIDs"),
        });
    }
}

fn same_name(a: Name<'_>, b: Name<'_>) -> bool {
    a.local == b.local
        && (a.namespace == b.namespace || a.namespace.is_standard() && b.namespace.is_standard())
}

fn order(a: &Entry<'_>, b: &Entry<'_>) -> Ordering {
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
        .then_with(|| (a.wrapped, a.listed).cmp(&(b.wrapped, b.listed)))
}

/// Whether the standard has an element of this name in an event or in master data, wherever that is.
fn is_field(local: &str) -> bool {
    number_of(local).is_some() || is_part(local) || VOCABULARY_ELEMENT.part(local).is_some()
}
