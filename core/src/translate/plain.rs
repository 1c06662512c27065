//! Whether an event was written in the plainest way, told from the JSON in one pass.
//!
//! Most events are: every field and extension stands in the JSON once, in the order of the source, with the same text or the
//! bare word for its URN. Such an event comes back as it was and has the hash of its source, so neither needs to be worked
//! out.
//!
//! INVARIANT: this never says yes where the comparison with what comes back finds a difference, or where the hashes differ;
//! builds with debug assertions check that for every event.

use super::characters::is_blank;
use super::context::Context;
use super::map::{Shape, field};
use super::model::{Content, Family, Model};
use super::namespace::{Name, Namespace};
use super::tree::Element;
use super::value::{
    Kind, kind_of_attribute, kind_of_element, metadata_attribute, report_attribute,
};
use crate::json::{Elements, Kind as JsonKind, Members, Text, Value};
use std::borrow::Cow;

/// Whether the JSON says, of an event, the same as the source in the plainest way.
pub(super) fn is_plain(
    event: Element<'_, '_>,
    json: Value<'_>,
    context: &Context,
    family: Family,
) -> bool {
    let Some(model) = family.event(event.local()) else {
        return false;
    };
    let reader = Plain {
        context,
        placed: placed(model),
    };
    reader.event(event, json)
}

/// The fields that a model has a place for, as bits.
fn placed(model: &Model) -> u32 {
    model
        .particles
        .iter()
        .map(|particle| match particle.content {
            Content::Group(inner) if particle.field == 255 => placed(inner),
            _ => 1_u32.checked_shl(particle.field.into()).unwrap_or_default(),
        })
        .fold(0, |all, bits| all | bits)
}

struct Plain<'p> {
    context: &'p Context,
    placed: u32,
}

impl Plain<'_> {
    fn event(&self, event: Element<'_, '_>, json: Value<'_>) -> bool {
        let mut members = json.members();
        let mut extensions = Vec::new();
        event.attributes().is_empty()
            && named(&mut members, "type").is_some_and(|name| is_text(name, event.local()))
            && self.fields(event, &mut members, &mut extensions)
            && self.extensions(&extensions, &mut members)
    }

    /// The fields of an event, those in its wrappers included; its extensions are collected.
    fn fields<'t, 'x>(
        &self,
        holder: Element<'t, 'x>,
        members: &mut Members<'_>,
        extensions: &mut Vec<Element<'t, 'x>>,
    ) -> bool {
        is_blank(holder.text())
            && holder.children().all(|child| {
                if !child.is_standard() {
                    extensions.push(child);
                    return true;
                }
                if !child.attributes().is_empty() {
                    return false;
                }
                let local = child.local();
                if matches!(local, "extension" | "baseExtension") {
                    return self.fields(child, members, extensions);
                }
                named(members, local).is_some_and(|value| self.field(child, value))
            })
    }

    fn field(&self, element: Element<'_, '_>, value: Value<'_>) -> bool {
        let Some((number, _, shape)) = field(element.local()) else {
            return false;
        };
        if self.placed & (1_u32 << number) == 0 {
            return false;
        }
        match shape {
            Shape::Leaf => is_leaf(element, value, kind_of_element(element.local())),
            Shape::Strings(item) => is_list(element, value, |child, value| {
                child.is(item) && is_leaf(child, value, Kind::Text)
            }),
            Shape::Quantities => is_list(element, value, is_quantity_element),
            Shape::Place => self.place(element, value),
            Shape::Transactions => is_list(element, value, |child, value| {
                is_typed(child, value, "bizTransaction")
            }),
            Shape::Endpoints(item) => {
                is_list(element, value, |child, value| is_typed(child, value, item))
            }
            Shape::Sensors => is_list(element, value, |child, value| {
                self.sensor_element(child, value)
            }),
            Shape::Ilmd => {
                let extensions: Vec<_> = element.children().collect();
                is_object(element, value) && self.extensions(&extensions, &mut value.members())
            }
            Shape::Leaves
            | Shape::PersistentDisposition
            | Shape::ErrorDeclaration
            | Shape::OfQuantityEvent => false,
        }
    }

    fn place(&self, place: Element<'_, '_>, value: Value<'_>) -> bool {
        let mut members = value.members();
        let mut extensions = Vec::new();
        is_object(place, value)
            && place.children().all(|child| {
                if !child.is_standard() {
                    extensions.push(child);
                    return true;
                }
                child.local() == "id"
                    && named(&mut members, "id")
                        .is_some_and(|value| is_leaf(child, value, Kind::Text))
            })
            && self.extensions(&extensions, &mut members)
    }

    fn sensor_element(&self, element: Element<'_, '_>, value: Value<'_>) -> bool {
        if !element.is("sensorElement") || !element.attributes().is_empty() {
            return false;
        }
        let mut members = value.members();
        let mut extensions = Vec::new();
        let mut reports: Option<Elements<'_>> = None;
        is_object(element, value)
            && element.children().all(|child| match child.local() {
                _ if !child.is_standard() => {
                    extensions.push(child);
                    true
                }
                "sensorMetadata" if reports.is_none() => named(&mut members, "sensorMetadata")
                    .is_some_and(|value| are_attributes(child, value, metadata_attribute)),
                "sensorReport" => {
                    if reports.is_none() {
                        reports = named(&mut members, "sensorReport").map(Value::elements);
                    }
                    let report = reports.as_mut().and_then(Iterator::next);
                    report.is_some_and(|value| are_attributes(child, value, report_attribute))
                }
                _ => false,
            })
            && reports.is_none_or(|mut rest| rest.next().is_none())
            && self.extensions(&extensions, &mut members)
    }

    /// Extensions of different names, and nothing behind them.
    fn extensions(&self, extensions: &[Element<'_, '_>], members: &mut Members<'_>) -> bool {
        let are_written = extensions.iter().all(|extension| {
            extension.namespace().is_foreign()
                && members.next().is_some_and(|(key, value)| {
                    self.is_key(key, extension.name()) && self.extension(*extension, value)
                })
        });
        are_written && members.next().is_none()
    }

    fn extension(&self, element: Element<'_, '_>, value: Value<'_>) -> bool {
        if !element.attributes().is_empty() {
            return false;
        }
        if !element.has_children() {
            return is_text(value, element.text());
        }
        let mut members = value.members();
        is_object(element, value)
            && element.children().all(|child| {
                members.next().is_some_and(|(key, value)| {
                    self.is_key(key, child.name()) && self.extension(child, value)
                })
            })
            && members.next().is_none()
    }

    fn is_key(&self, key: Text<'_>, name: Name<'_>) -> bool {
        let Cow::Borrowed(key) = key.to_cow() else {
            return false;
        };
        if name.namespace.is_standard() {
            return key == name.local && !key.contains(['%', ':']);
        }
        let colon = key.len().checked_sub(name.local.len() + 1);
        let parts = colon.and_then(|at| Some((key.get(..at)?, key.get(at..)?)));
        let Some((prefix, rest)) = parts else {
            return false;
        };
        name.namespace.is_foreign()
            && rest.strip_prefix(':') == Some(name.local)
            && self.context.namespace(prefix) == Some(name.namespace)
    }
}

/// Whether an element without a text of its own became an object.
fn is_object(element: Element<'_, '_>, value: Value<'_>) -> bool {
    value.kind() == JsonKind::Object && is_blank(element.text())
}

/// The next member, if it has this name.
fn named<'d>(members: &mut Members<'d>, name: &str) -> Option<Value<'d>> {
    let (key, value) = members.next()?;
    (key == *name).then_some(value)
}

/// Whether a value is this string, written without escapes.
fn is_text(value: Value<'_>, text: &str) -> bool {
    matches!(value.as_str(), Some(Cow::Borrowed(written)) if written == text)
}

fn is_leaf(element: Element<'_, '_>, value: Value<'_>, kind: Kind) -> bool {
    !element.has_children()
        && element.attributes().is_empty()
        && is_value(element.text(), value, kind)
}

fn is_value(text: &str, value: Value<'_>, kind: Kind) -> bool {
    says(text, value, kind)
        || (kind != Kind::Verbatim && {
            let trimmed = text.trim_matches([' ', '\n', '\t', '\r']);
            trimmed.len() < text.len() && says(trimmed, value, kind)
        })
}

fn says(text: &str, value: Value<'_>, kind: Kind) -> bool {
    match kind {
        Kind::Number => value.kind() == JsonKind::Number && value.source() == text,
        Kind::Boolean => value.kind() == JsonKind::Boolean && value.source() == text,
        Kind::Verbatim | Kind::Text | Kind::Time => is_text(value, text),
        Kind::Word(vocabulary) => {
            let Some(Cow::Borrowed(word)) = value.as_str() else {
                return false;
            };
            // The long forms of measurement types are other URIs to the hash; those of the CBV are not.
            let forms = match vocabulary.curie {
                "gs1:" => ["gs1:"; 3],
                curie => [vocabulary.urn, curie, vocabulary.web],
            };
            let mut forms = forms.into_iter().filter(|form| !form.is_empty());
            if forms.any(|form| text.strip_prefix(form) == Some(word)) {
                return vocabulary.contains(word);
            }
            // A word of the vocabulary has no colon.
            word == text && word.contains(':')
        }
    }
}

/// Whether a list has these members, each of its kind.
fn is_list(
    list: Element<'_, '_>,
    value: Value<'_>,
    is_member: impl Fn(Element<'_, '_>, Value<'_>) -> bool,
) -> bool {
    if value.kind() != JsonKind::Array || !is_blank(list.text()) {
        return false;
    }
    let mut values = value.elements();
    list.children()
        .all(|child| values.next().is_some_and(|value| is_member(child, value)))
        && values.next().is_none()
}

fn is_quantity_element(element: Element<'_, '_>, value: Value<'_>) -> bool {
    let mut members = value.members();
    element.is("quantityElement")
        && element.attributes().is_empty()
        && is_object(element, value)
        && element.children().all(|child| {
            let local = child.local();
            child.is_standard()
                && matches!(local, "epcClass" | "quantity" | "uom")
                && named(&mut members, local)
                    .is_some_and(|value| is_leaf(child, value, kind_of_element(local)))
        })
        && members.next().is_none()
}

/// A business transaction, source or destination: its type, then its text.
fn is_typed(element: Element<'_, '_>, value: Value<'_>, item: &str) -> bool {
    if !element.is(item) || element.has_children() {
        return false;
    }
    let mut members = value.members();
    element.attributes().iter().all(|attribute| {
        attribute.name.local == "type"
            && attribute.name.namespace == Namespace::NONE
            && named(&mut members, "type").is_some_and(|value| {
                is_value(&attribute.value, value, kind_of_attribute(item, "type"))
            })
    }) && named(&mut members, item).is_some_and(|value| is_value(element.text(), value, Kind::Text))
        && members.next().is_none()
}

/// Whether an object has the attributes of an element that has nothing else.
fn are_attributes(
    element: Element<'_, '_>,
    value: Value<'_>,
    kind_of: fn(&str) -> Option<Kind>,
) -> bool {
    let mut members = value.members();
    !element.has_children()
        && is_object(element, value)
        && element.attributes().iter().all(|attribute| {
            attribute.name.namespace == Namespace::NONE
                && named(&mut members, attribute.name.local).is_some_and(|value| {
                    kind_of(attribute.name.local)
                        .is_some_and(|kind| is_value(&attribute.value, value, kind))
                })
        })
        && members.next().is_none()
}
