//! One event, reduced to what following needs: the things that it names, their roles, the time, and whether it declares an error.

use super::amount::Amount;
use super::names::{NameNumbers, Thing};
use crate::containment::{Action, Mention};
use crate::withdrawn::Named;
use epcis_edge_document::event;
use epcis_edge_document::event::{Fields, kind_named};
use epcis_edge_document::field::{AGGREGATION, ASSOCIATION, EventTypes, OBJECT, TRANSFORMATION};
use epcis_edge_document::hash::event_name;
use epcis_edge_text::json::{Kind, Value};
use epcis_edge_text::order::sort_stably_by;
use epcis_edge_text::slice::OrEmpty;
use epcis_edge_text::time::Timestamp;
use std::borrow::Cow;
use std::rc::Rc;

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
const FIELDS: [(u8, Role); 9] = [
    (event::EPC_LIST, Role::Epc),
    (event::QUANTITIES, Role::Quantity),
    (event::PARENT, Role::Parent),
    (event::CHILDREN, Role::Child),
    (event::CHILD_QUANTITIES, Role::ChildQuantity),
    (event::INPUTS, Role::Input),
    (event::INPUT_QUANTITIES, Role::InputQuantity),
    (event::OUTPUTS, Role::Output),
    (event::OUTPUT_QUANTITIES, Role::OutputQuantity),
];

impl Role {
    /// The name of the field.
    pub(super) fn field(self) -> &'static str {
        let mut fields = FIELDS.iter();
        let field = fields.find(|(_, role)| *role == self);
        field.map_or("", |(field, _)| event::name(*field))
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
    /// The amount; unknown for instances, and for quantities without a number.
    pub(super) amount: Option<Rc<Amount>>,
}

/// The members of an error declaration.
#[derive(Clone, Debug)]
pub(super) struct Declaration {
    pub(super) time: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) correctives: Vec<String>,
}

/// The text of an event.
#[derive(Clone, Debug)]
pub(super) enum Source<'d> {
    /// In a document, where its end is looked for only if it is needed.
    Document(Value<'d>),
    /// By itself.
    Text(String),
}

impl Source<'_> {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Document(event) => event.source(),
            Self::Text(text) => text,
        }
    }
}

/// An event, and the data in it that following needs.
#[derive(Clone, Debug)]
pub(super) struct Event<'d> {
    /// The event itself, as JSON.
    pub(super) source: Source<'d>,
    /// Its place among the events that were given: the last key of the order.
    pub(super) place: u64,
    /// What tells whether it is withdrawn.
    pub(super) named: Named<'d>,
    /// `eventTime` as it is written.
    pub(super) event_time: Option<Cow<'d, str>>,
    /// `eventTime`; an event without a readable one comes last.
    pub(super) time: Option<Timestamp>,
    pub(super) record_time: Option<Timestamp>,
    /// The event type; no bit is set for a custom one.
    pub(super) kind: EventTypes,
    pub(super) action: Option<Action>,
    /// The `eventID` as it is written.
    pub(super) event_id: Option<Cow<'d, str>>,
    pub(super) declaration: Option<Declaration>,
    pub(super) references: Vec<Reference>,
    /// The `transformationID`, interned as a thing is.
    pub(super) transformation: Option<Thing>,
    /// The destinations, as one text to compare; empty if there are none.
    pub(super) destinations: String,
    /// `bizLocation`, else `readPoint`.
    pub(super) location: Option<Cow<'d, str>>,
    pub(super) disposition: Option<Cow<'d, str>>,
}

/// The text of a value.
fn text(value: Option<Value<'_>>) -> Option<Cow<'_, str>> {
    value?.as_str()
}

/// The text of a member.
fn member(of: Value<'_>, name: &str) -> Option<String> {
    text(of.get(name)).map(Cow::into_owned)
}

impl<'d> Event<'d> {
    /// Reads an event. Members that do not have the form of the schema are skipped.
    pub(super) fn read(
        value: Value<'d>,
        (place_in_order, account): (u64, Rc<str>),
        names: &mut NameNumbers,
    ) -> Self {
        let fields = Fields::of(value);
        let kind = text(fields.of_type).as_deref().and_then(kind_named).or_empty();
        let action = match fields.text(event::ACTION).as_deref() {
            Some("ADD") => Some(Action::Add),
            Some("OBSERVE") => Some(Action::Observe),
            Some("DELETE") => Some(Action::Delete),
            _ => None,
        };
        let mut references = Vec::new();
        for (named, role) in named(&fields) {
            match named.kind() {
                Kind::Array => {
                    if !role.is_quantity() {
                        references.reserve_exact(named.span());
                    }
                    for one in named.elements() {
                        references.extend(reference(one, role, names));
                    }
                }
                _ => references.extend(reference(named, role, names)),
            }
        }
        let event_id = fields.text(event::EVENT_ID);
        let name = event_id.as_deref().map(|id| Cow::Owned(event_name(id).into_owned()));
        let declaration = fields.get(event::ERROR_DECLARATION).and_then(declaration);
        let event_time = fields.text(event::EVENT_TIME);
        let time = |text: Option<&str>| text.and_then(Timestamp::parse);
        let transformation =
            fields.text(event::TRANSFORMATION_ID).map(|id| names.thing(&id, false));
        Self {
            source: Source::Document(value),
            place: place_in_order,
            named: Named { name, account, declares_error: declaration.is_some() },
            time: time(event_time.as_deref()),
            event_time,
            record_time: time(fields.text(event::RECORD_TIME).as_deref()),
            kind,
            action,
            event_id,
            declaration,
            references,
            transformation: transformation.filter(|_| kind == TRANSFORMATION),
            destinations: destinations(&fields),
            location: text(fields.id(event::BIZ_LOCATION))
                .or_else(|| text(fields.id(event::READ_POINT))),
            disposition: fields.text(event::DISPOSITION),
        }
    }

    /// The same event, which outlives the document that it was read from. Its text is empty.
    pub(super) fn without_text(self) -> Event<'static> {
        let owned = |text: Option<Cow<'d, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        Event {
            source: Source::Text(String::new()),
            event_time: owned(self.event_time),
            event_id: owned(self.event_id),
            named: Named { name: owned(self.named.name), ..self.named },
            location: owned(self.location),
            disposition: owned(self.disposition),
            ..self
        }
    }
}

impl Event<'_> {
    /// How the event mentions a thing; `None` if that says nothing about where the thing is.
    pub(super) fn mention(&self, role: Role) -> Option<Mention> {
        match (self.kind, role) {
            (AGGREGATION | ASSOCIATION, role) if role.is_child() => self.action.map(Mention::Child),
            (TRANSFORMATION, role) if role.is_input() => Some(Mention::Input),
            (OBJECT, Role::Epc) => self.action.map(Mention::Object),
            _ => None,
        }
    }

    /// The number of things that an event names; repeated things count each time.
    pub(super) fn count_references(event: Value<'_>) -> usize {
        named(&Fields::of(event)).map(|(named, _)| named.elements().count().max(1)).sum()
    }
}

/// The values of the fields that name things, with their roles.
fn named<'f, 'd>(fields: &'f Fields<'d>) -> impl Iterator<Item = (Value<'d>, Role)> + 'f {
    FIELDS.iter().filter_map(|(field, role)| Some((fields.get(*field)?, *role)))
}

/// The thing that an entry of a list names: a text, or a quantity element.
fn reference(entry: Value<'_>, role: Role, names: &mut NameNumbers) -> Option<Reference> {
    if !role.is_quantity() {
        let thing = names.thing(&entry.as_str()?, false);
        return Some(Reference { thing, role, amount: None });
    }
    let thing = names.thing(&entry.get("epcClass")?.as_str()?, true);
    let number = entry.get("quantity").and_then(Value::as_number);
    let unit = entry.get("uom").and_then(Value::as_str);
    Some(Reference {
        thing,
        role,
        amount: number.and_then(|number| Amount::read(number, unit.as_deref())).map(Rc::new),
    })
}

fn declaration(declared: Value<'_>) -> Option<Declaration> {
    if declared.kind() != Kind::Object {
        return None;
    }
    let correctives = declared.get("correctiveEventIDs").into_iter().flat_map(Value::elements);
    Some(Declaration {
        time: member(declared, "declarationTime"),
        reason: member(declared, "reason"),
        correctives: correctives.filter_map(|id| id.as_str().map(Cow::into_owned)).collect(),
    })
}

/// The destinations as a sorted text, so that equal ones compare equal.
fn destinations(fields: &Fields<'_>) -> String {
    let ends = fields.typed(event::DESTINATIONS);
    let mut all: Vec<String> = ends
        .filter_map(|(kind, end)| Some(format!("{} {}", text(kind).or_empty(), text(end)?)))
        .collect();
    sort_stably_by(&mut all, &|one, other| one.cmp(other));
    all.join("\n")
}
