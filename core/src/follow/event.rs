//! One event, reduced to what following needs: who is named in which role, when, and whether it declares an error.

use super::amount::Amount;
use super::names::{Names, Thing};
use crate::json::{Kind, Value};
use crate::query::Query;
use crate::time::Timestamp;
use std::borrow::Cow;
use std::rc::Rc;

/// The kind of an event, as far as it moves things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventKind {
    Object,
    Aggregation,
    Transformation,
    Association,
    /// A transaction, or a custom type: it names things, but moves none.
    Other,
}

/// The `action` of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Add,
    Observe,
    Delete,
}

/// The role of a thing in an event: the field that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Epc,
    Quantity,
    Parent,
    Child,
    ChildQuantity,
    Input,
    InputQuantity,
    Output,
    OutputQuantity,
}

/// The fields that name things, with their roles.
const FIELDS: [(&str, Role); 9] = [
    ("epcList", Role::Epc),
    ("quantityList", Role::Quantity),
    ("parentID", Role::Parent),
    ("childEPCs", Role::Child),
    ("childQuantityList", Role::ChildQuantity),
    ("inputEPCList", Role::Input),
    ("inputQuantityList", Role::InputQuantity),
    ("outputEPCList", Role::Output),
    ("outputQuantityList", Role::OutputQuantity),
];

impl Role {
    /// The name of the field.
    pub(super) fn field(self) -> &'static str {
        let mut fields = FIELDS.iter();
        let field = fields.find(|(_, role)| *role == self);
        field.map_or("", |(name, _)| name)
    }

    /// Whether the field has quantities of classes, so that the thing is a lot or a class.
    pub(super) fn is_quantity(self) -> bool {
        matches!(
            self,
            Self::Quantity | Self::ChildQuantity | Self::InputQuantity | Self::OutputQuantity
        )
    }

    pub(super) fn is_child(self) -> bool {
        matches!(self, Self::Child | Self::ChildQuantity)
    }

    pub(super) fn is_input(self) -> bool {
        matches!(self, Self::Input | Self::InputQuantity)
    }

    pub(super) fn is_output(self) -> bool {
        matches!(self, Self::Output | Self::OutputQuantity)
    }
}

/// A thing in an event.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) thing: Thing,
    pub(super) role: Role,
    /// How much of it; unknown for instances, and for quantities without a number.
    pub(super) amount: Option<Amount>,
}

/// The members of an error declaration.
#[derive(Clone, Debug)]
pub(super) struct Declaration {
    pub(super) time: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) correctives: Vec<String>,
}

/// An event, and what following needs of it.
#[derive(Clone, Debug)]
pub(super) struct Event<'d> {
    /// The event itself, as JSON.
    pub(super) source: Cow<'d, str>,
    /// Its place among the events that were given: the last key of the order.
    pub(super) place: u64,
    /// The account that captured it; empty for the events of a document.
    pub(super) account: Rc<str>,
    /// `eventTime` as it is written.
    pub(super) event_time: Option<String>,
    /// `eventTime`; an event without a readable one comes last.
    pub(super) time: Option<Timestamp>,
    pub(super) record_time: Option<Timestamp>,
    pub(super) kind: EventKind,
    pub(super) action: Option<Action>,
    /// The `eventID` as it is written.
    pub(super) event_id: Option<String>,
    /// The name by which error declarations find it: the `eventID` in normal form; without one, the content hash if it is needed.
    pub(super) name: Option<String>,
    pub(super) declaration: Option<Declaration>,
    pub(super) references: Vec<Reference>,
    /// The `transformationID`, interned as a thing is.
    pub(super) transformation: Option<Thing>,
    /// The destinations, as one text to compare; empty if there are none.
    pub(super) destinations: String,
    /// `bizLocation`, else `readPoint`.
    pub(super) location: Option<String>,
    pub(super) disposition: Option<String>,
}

/// The text of a member.
fn text(event: Value<'_>, name: &str) -> Option<String> {
    event.get(name)?.as_str().map(Cow::into_owned)
}

/// The time in a member.
fn time(event: Value<'_>, name: &str) -> Option<Timestamp> {
    Timestamp::parse(&text(event, name)?)
}

/// The `id` of a place.
fn place(event: Value<'_>, name: &str) -> Option<String> {
    text(event.get(name)?, "id")
}

impl<'d> Event<'d> {
    /// Reads an event, whose text is `source`. Members that do not have the form of the schema are skipped.
    pub(super) fn read(
        value: Value<'_>,
        source: Cow<'d, str>,
        (place_in_order, account): (u64, Rc<str>),
        names: &mut Names,
    ) -> Self {
        let kind = match text(value, "type").as_deref() {
            Some("ObjectEvent") => EventKind::Object,
            Some("AggregationEvent") => EventKind::Aggregation,
            Some("TransformationEvent") => EventKind::Transformation,
            Some("AssociationEvent") => EventKind::Association,
            _ => EventKind::Other,
        };
        let action = match text(value, "action").as_deref() {
            Some("ADD") => Some(Action::Add),
            Some("OBSERVE") => Some(Action::Observe),
            Some("DELETE") => Some(Action::Delete),
            _ => None,
        };
        let mut references = Vec::new();
        for (field, role) in FIELDS {
            let Some(named) = value.get(field) else {
                continue;
            };
            match named.kind() {
                Kind::Array => {
                    for one in named.elements() {
                        references.extend(reference(one, role, names));
                    }
                }
                _ => references.extend(reference(named, role, names)),
            }
        }
        let event_id = text(value, "eventID");
        let event_time = text(value, "eventTime");
        let transformation = text(value, "transformationID").map(|id| names.thing(&id, false));
        Self {
            source,
            place: place_in_order,
            account,
            time: event_time.as_deref().and_then(Timestamp::parse),
            event_time,
            record_time: time(value, "recordTime"),
            kind,
            action,
            name: event_id.as_deref().map(Query::canonical_name),
            event_id,
            declaration: declaration(value),
            references,
            transformation: transformation.filter(|_| kind == EventKind::Transformation),
            destinations: destinations(value),
            location: place(value, "bizLocation").or_else(|| place(value, "readPoint")),
            disposition: text(value, "disposition"),
        }
    }
}

impl Event<'_> {
    /// How many things an event names, each time counted.
    pub(super) fn count_references(event: Value<'_>) -> usize {
        let lists = FIELDS.iter().filter_map(|(field, _)| event.get(field));
        lists.map(|named| named.elements().count().max(1)).sum()
    }
}

/// The thing that an entry of a list names: a text, or a quantity element.
fn reference(entry: Value<'_>, role: Role, names: &mut Names) -> Option<Reference> {
    if !role.is_quantity() {
        let thing = names.thing(&entry.as_str()?, false);
        return Some(Reference {
            thing,
            role,
            amount: None,
        });
    }
    let thing = names.thing(&entry.get("epcClass")?.as_str()?, true);
    let number = entry.get("quantity").and_then(Value::as_number);
    let unit = entry.get("uom").and_then(Value::as_str);
    Some(Reference {
        thing,
        role,
        amount: number.and_then(|number| Amount::read(number, unit.as_deref())),
    })
}

fn declaration(event: Value<'_>) -> Option<Declaration> {
    let declared = event.get("errorDeclaration")?;
    if declared.kind() != Kind::Object {
        return None;
    }
    let correctives = declared.get("correctiveEventIDs");
    let correctives = correctives.into_iter().flat_map(Value::elements);
    Some(Declaration {
        time: text(declared, "declarationTime"),
        reason: text(declared, "reason"),
        correctives: correctives
            .filter_map(|id| id.as_str().map(Cow::into_owned))
            .collect(),
    })
}

/// The destinations as a sorted text, so that equal ones compare equal.
fn destinations(event: Value<'_>) -> String {
    let list = event.get("destinationList");
    let each = list.into_iter().flat_map(Value::elements);
    let mut all: Vec<String> = each
        .filter_map(|one| {
            let kind = text(one, "type").unwrap_or_default();
            Some(format!("{kind} {}", text(one, "destination")?))
        })
        .collect();
    all.sort_unstable();
    all.join("\n")
}
