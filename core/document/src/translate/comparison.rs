//! Compares a source tree with the tree translated back from its output.
//!
//! These differences are ignored: wrappers around elements, the order of siblings with different names, prefixes, schema
//! locations, the spelling of numbers, the form of vocabulary words, white space in standard values, and the ways to write a
//! nil quantity.

use super::characters::is_blank;
use super::findings::PieceFindings;
use super::namespace::{Name, Namespace};
use super::tree::Element;
use super::tree::ElementPart;
use super::value::same;
use crate::field::{
    VOCABULARY_ELEMENT, ValueKind, is_closed, is_part, kind_of_attribute, kind_of_element,
    number_of,
};
use epcis_edge_text::order::sort_stably_by;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A place where the source tree and the tree translated back differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) element: usize,
    pub(super) place: ElementPart,
    /// Whether the element came back with content that the source does not have.
    extra: bool,
}

/// The places that the rules declared lossy, each with whether the measurement found it.
#[derive(Debug)]
pub(super) struct PredictedLosses(BTreeMap<(usize, ElementPart), bool>);

impl PredictedLosses {
    pub(super) fn of(findings: &PieceFindings) -> Self {
        let lossy = findings.iter().filter(|finding| finding.code.is_lossy());
        // Collecting would compile a sort of its own, six kilobytes of the page's file.
        let mut all = BTreeMap::new();
        for finding in lossy {
            all.insert((finding.element, finding.place), false);
        }
        Self(all)
    }

    pub(super) fn has(&self, element: usize, place: ElementPart) -> bool {
        self.0.contains_key(&(element, place))
    }

    fn mark(&mut self, element: usize, place: ElementPart) -> bool {
        let found = self.0.get_mut(&(element, place));
        found.is_some_and(|found| {
            *found = true;
            true
        })
    }

    /// Whether the rules predicted a difference: at its place, at an element around it, or, if content came back that the
    /// source does not have, anywhere below it.
    pub(super) fn explains(&mut self, difference: &Difference, tree: Element<'_>) -> bool {
        let element = tree.at(difference.element);
        if self.mark(difference.element, difference.place) {
            return true;
        }
        let mut around = element.with_ancestors();
        if around.any(|holder| self.mark(holder.index(), ElementPart::Element)) {
            return true;
        }
        if difference.extra {
            let mut below = self.0.range((difference.element, ElementPart::Element)..);
            if below.next().is_some_and(|((index, _), _)| element.holds(*index)) {
                return true;
            }
        }
        element.parent().is_some_and(|parent| {
            // Strings beside a joined text come back as attributes. An attribute that became a member is in one array with the
            // elements of the same name.
            let mut attributes = parent.attributes().iter().enumerate();
            self.mark(parent.index(), ElementPart::Text)
                || attributes.any(|(number, attribute)| {
                    attribute.name.same_as(&element.name())
                        && self.mark(parent.index(), ElementPart::Attribute(number))
                })
        })
    }

    /// Returns the number of lossy places that the measurement did not find, except those inside a lost element.
    pub(super) fn unmeasured(&self, tree: Element<'_>) -> usize {
        let not_found = self.0.iter().filter(|(_, is_found)| !**is_found);
        let not_covered = not_found.filter(|((index, place), _)| {
            let element = tree.at(*index);
            let is_element = *place == ElementPart::Element;
            element.with_ancestors().skip(usize::from(is_element)).all(|holder| {
                // The siblings of a joined text come back in another form.
                let beside = holder.parent().map(Element::index);
                !self.has(holder.index(), ElementPart::Element)
                    && !beside.is_some_and(|parent| self.has(parent, ElementPart::Text))
            })
        });
        not_covered.count()
    }
}

/// A child in the flattened content of its parent.
#[derive(Clone, Copy)]
struct FlatChild<'t> {
    element: Element<'t>,
    /// Whether it is a local extension of a user, whose only place is the wrapper.
    wrapped: bool,
    /// Whether it is in a list element that is flattened.
    listed: bool,
}

/// Compares trees, and reuses its memory for the next comparison.
#[derive(Debug, Default)]
pub(super) struct TreeComparison {
    pub(super) differences: Vec<Difference>,
    in_envelope: bool,
}

impl TreeComparison {
    /// Compares two standard elements with their whole content.
    pub(super) fn compare(&mut self, source: Element<'_>, back: Element<'_>) {
        self.differences.clear();
        if !same_name(source.name(), back.name()) {
            self.differ(source, ElementPart::Element, false);
            return;
        }
        self.standard(source, back);
    }

    /// Compares two envelopes, in which empty containers and the schema version are not data.
    pub(super) fn compare_envelopes(&mut self, source: Element<'_>, back: Element<'_>) {
        self.in_envelope = true;
        self.compare(source, back);
        self.in_envelope = false;
    }

    /// Compares two user elements with their whole content.
    pub(super) fn compare_extensions(&mut self, source: Element<'_>, back: Element<'_>) {
        self.compare_alone(source, back);
        if same_name(source.name(), back.name()) {
            self.user_below(source, back);
        }
    }

    fn differ(&mut self, element: Element<'_>, place: ElementPart, extra: bool) {
        self.differences.push(Difference { element: element.index(), place, extra });
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
        // Most values come back unchanged; only the others are compared by their kind.
        if source.text() != back.text() {
            let is_leaf = !source.has_children() && !back.has_children();
            let kind = match local {
                // The text of a master data attribute is the user's.
                "attribute" if is_leaf => ValueKind::Verbatim,
                _ => kind_of_element(local),
            };
            if !same(kind, source.text(), back.text()) {
                self.differ(source, ElementPart::Text, false);
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

    /// Reports the attributes and text of flattened wrappers, and the content of nil quantities, which a round trip does not
    /// restore.
    fn wrappers(&mut self, holder: Element<'_>) {
        for child in holder.children().filter(|child| is_transparent(holder, *child)) {
            self.own_parts(child);
            if child.local() == "quantity" {
                for inner in child.children() {
                    self.differ(inner, ElementPart::Element, false);
                }
            } else {
                self.wrappers(child);
            }
        }
    }

    /// Compares two user elements without their children.
    pub(super) fn compare_alone(&mut self, source: Element<'_>, back: Element<'_>) {
        self.differences.clear();
        if same_name(source.name(), back.name()) {
            self.user_alone(source, back);
        } else {
            self.differ(source, ElementPart::Element, false);
        }
    }

    fn user_alone(&mut self, source: Element<'_>, back: Element<'_>) {
        // `same_name` treats all standard namespaces as one, but in an extension the exact namespace is data.
        if source.namespace() != back.namespace() {
            self.differ(source, ElementPart::Element, false);
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
            self.differ(source, ElementPart::Text, false);
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
            let entry = |element| FlatChild { element, wrapped: false, listed: false };
            let here = source.children().map(entry).collect();
            let there = back.children().map(entry).collect();
            self.children(source, here, there, true);
        }
    }

    fn children<'s, 'b>(
        &mut self,
        source: Element<'s>,
        mut here: Vec<FlatChild<'s>>,
        mut there: Vec<FlatChild<'b>>,
        in_extension: bool,
    ) {
        let in_order = here.len() == there.len()
            && here.iter().zip(&there).all(|(a, b)| order(a, b) == Ordering::Equal);
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
                        self.differ(source, ElementPart::Element, true);
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
            // Attributes are mostly in the same order, so the partner is usually found at once.
            let partner = there
                .get(number)
                .filter(|other| other.name.same_as(&name))
                .or_else(|| there.iter().find(|other| other.name.same_as(&name)));
            let fits = partner.is_some_and(|other| {
                attribute.value == other.value || same(kind(name), attribute.value, other.value)
            });
            if !fits {
                self.differ(source, ElementPart::Attribute(number), false);
            }
        }
        for attribute in there.iter() {
            if !here.iter().any(|other| other.name.same_as(&attribute.name))
                && !self.is_version(source, attribute.name)
            {
                self.differ(source, ElementPart::Element, true);
            }
        }
    }

    fn is_hollow(&self, element: Element<'_>) -> bool {
        self.in_envelope && is_hollow(element)
    }

    /// Reports an element that did not come back; for a container of the envelope, its content.
    fn missing(&mut self, element: Element<'_>, in_extension: bool) {
        if in_extension || !self.in_envelope || !is_container(element) {
            self.differ(element, ElementPart::Element, false);
            return;
        }
        self.own_parts(element);
        for child in element.children() {
            self.missing(child, !element.is_standard());
        }
    }

    /// Reports the attributes and the text of an element, except `xsi:nil` on a quantity.
    fn own_parts(&mut self, element: Element<'_>) {
        for (number, attribute) in element.attributes().iter().enumerate() {
            let name = attribute.name;
            let is_nil = name.namespace == Namespace::XSI && name.local == "nil";
            if is_data(element, name) && !(is_nil && element.local() == "quantity") {
                self.differ(element, ElementPart::Attribute(number), false);
            }
        }
        if !is_blank(element.text()) {
            self.differ(element, ElementPart::Text, false);
        }
    }

    /// Whether this is the schema version, which every document gets anew.
    fn is_version(&self, element: Element<'_>, name: Name<'_>) -> bool {
        self.in_envelope
            && element.index() == 0
            && name.namespace == Namespace::NONE
            && name.local == "schemaVersion"
    }
}

/// Whether an attribute is data: schema locations and `xsi:nil="false"` are not.
fn is_data(element: Element<'_>, name: Name<'_>) -> bool {
    name.namespace != Namespace::XSI
        || match name.local {
            "schemaLocation" | "noNamespaceSchemaLocation" => false,
            "nil" => !element.says_nil(false),
            _ => true,
        }
}

/// Whether an element inside this holder is replaced by its content.
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

/// Whether this is a container of the envelope, which carries no data when it is empty.
fn is_container(element: Element<'_>) -> bool {
    match element.local() {
        "EPCISHeader" | "EPCISMasterData" | "VocabularyList" | "EPCISBody" | "EventList"
        | "resultsBody" | "extension" => element.is_standard(),
        "StandardBusinessDocumentHeader" => element.namespace() == Namespace::SBDH,
        _ => false,
    }
}

/// Whether a container is empty, except for other empty containers.
fn is_hollow(element: Element<'_>) -> bool {
    let mut attributes = element.attributes().iter();
    is_container(element)
        && !attributes.any(|attribute| is_data(element, attribute.name))
        && is_blank(element.text())
        && element.children().all(|child| element.is_standard() && is_hollow(child))
}

/// Whether both have the same children in the same order, and none that must be flattened. This is the usual case, which needs
/// no lists.
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

/// Collects the content of a standard element, without its wrappers and nil quantities.
fn flatten<'t>(element: Element<'t>, in_wrapper: bool, entries: &mut Vec<FlatChild<'t>>) {
    for child in element.children() {
        if is_transparent(element, child) {
            // Attributes of a wrapper do not come back; they are reported at the wrapper.
            if child.local() != "quantity" {
                flatten(child, child.local() != "correctiveEventIDs", entries);
            }
            continue;
        }
        let is_known = is_field(child.local()) || is_container(child);
        entries.push(FlatChild {
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

fn order(a: &FlatChild<'_>, b: &FlatChild<'_>) -> Ordering {
    let key = |namespace: Namespace| {
        if namespace.is_standard() { Namespace::NONE } else { namespace }
    };
    let (a_name, b_name) = (a.element.name(), b.element.name());
    a_name
        .local
        .cmp(b_name.local)
        .then_with(|| key(a_name.namespace).cmp(&key(b_name.namespace)))
        .then_with(|| (a.wrapped, a.listed).cmp(&(b.wrapped, b.listed)))
}

/// Whether the standard has an element of this name anywhere in an event or in master data.
fn is_field(local: &str) -> bool {
    number_of(local).is_some() || is_part(local) || VOCABULARY_ELEMENT.part(local).is_some()
}
