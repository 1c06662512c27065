//! One event, reduced to what following needs: the things that it names, their roles, the time, and whether it declares an error.

use super::amount::Amount;
use super::names::{NameNumbers, Thing};
use crate::containment::{Action, Mention};
use crate::hash::event_name;
use crate::json::{Kind, Value};
use crate::slice::OrEmpty;
use crate::time::Timestamp;
use crate::withdrawn::Named;
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
    /// The account that captured it; empty for the events of a document.
    pub(super) account: Rc<str>,
    /// `eventTime` as it is written.
    pub(super) event_time: Option<Cow<'d, str>>,
    /// `eventTime`; an event without a readable one comes last.
    pub(super) time: Option<Timestamp>,
    pub(super) record_time: Option<Timestamp>,
    pub(super) kind: EventKind,
    pub(super) action: Option<Action>,
    /// The `eventID` as it is written.
    pub(super) event_id: Option<Cow<'d, str>>,
    /// As [`Named::name`].
    pub(super) name: Option<Cow<'d, str>>,
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

/// The members of an event that following reads; those that name things are [`FIELDS`].
#[derive(Default)]
struct Members<'d> {
    kind: Option<Value<'d>>,
    action: Option<Value<'d>>,
    event_id: Option<Value<'d>>,
    event_time: Option<Value<'d>>,
    record_time: Option<Value<'d>>,
    transformation: Option<Value<'d>>,
    declaration: Option<Value<'d>>,
    destinations: Option<Value<'d>>,
    biz_location: Option<Value<'d>>,
    read_point: Option<Value<'d>>,
    disposition: Option<Value<'d>>,
    /// In the order of [`FIELDS`].
    naming: [Option<Value<'d>>; FIELDS.len()],
}

impl<'d> Members<'d> {
    /// Finds the members in one pass.
    fn of(event: Value<'d>) -> Self {
        let mut members = Self::default();
        for (name, value) in event.members() {
            if let Some(place) = members.place(&name.to_cow()) {
                *place = Some(value);
            }
        }
        members
    }

    fn place(&mut self, name: &str) -> Option<&mut Option<Value<'d>>> {
        Some(match name {
            "type" => &mut self.kind,
            "action" => &mut self.action,
            "eventID" => &mut self.event_id,
            "eventTime" => &mut self.event_time,
            "recordTime" => &mut self.record_time,
            "transformationID" => &mut self.transformation,
            "errorDeclaration" => &mut self.declaration,
            "destinationList" => &mut self.destinations,
            "bizLocation" => &mut self.biz_location,
            "readPoint" => &mut self.read_point,
            "disposition" => &mut self.disposition,
            _ => {
                let at = FIELDS.iter().position(|(field, _)| *field == name)?;
                self.naming.get_mut(at)?
            }
        })
    }
}

/// The text of a value.
fn text(value: Option<Value<'_>>) -> Option<Cow<'_, str>> {
    value?.as_str()
}

/// The text of a member.
fn member<'d>(of: Value<'d>, name: &str) -> Option<String> {
    of.get(name)?.as_str().map(Cow::into_owned)
}

impl<'d> Event<'d> {
    /// Reads an event. Members that do not have the form of the schema are skipped.
    pub(super) fn read(
        value: Value<'d>,
        (place_in_order, account): (u64, Rc<str>),
        names: &mut NameNumbers,
    ) -> Self {
        let members = Members::of(value);
        let kind = match text(members.kind).as_deref() {
            Some("ObjectEvent") => EventKind::Object,
            Some("AggregationEvent") => EventKind::Aggregation,
            Some("TransformationEvent") => EventKind::Transformation,
            Some("AssociationEvent") => EventKind::Association,
            _ => EventKind::Other,
        };
        let action = match text(members.action).as_deref() {
            Some("ADD") => Some(Action::Add),
            Some("OBSERVE") => Some(Action::Observe),
            Some("DELETE") => Some(Action::Delete),
            _ => None,
        };
        let mut references = Vec::new();
        for ((_, role), named) in FIELDS.iter().zip(members.naming) {
            let Some(named) = named else {
                continue;
            };
            match named.kind() {
                Kind::Array => {
                    if !role.is_quantity() {
                        references.reserve_exact(named.span());
                    }
                    for one in named.elements() {
                        references.extend(reference(one, *role, names));
                    }
                }
                _ => references.extend(reference(named, *role, names)),
            }
        }
        let event_id = text(members.event_id);
        let event_time = text(members.event_time);
        let time = |text: Option<&str>| text.and_then(Timestamp::parse);
        let transformation = text(members.transformation).map(|id| names.thing(&id, false));
        let id = |place: Option<Value<'d>>| place.and_then(|place| text(place.get("id")));
        Self {
            source: Source::Document(value),
            place: place_in_order,
            account,
            time: time(event_time.as_deref()),
            event_time,
            record_time: time(text(members.record_time).as_deref()),
            kind,
            action,
            name: event_id.as_deref().map(|id| Cow::Owned(event_name(id).into_owned())),
            event_id,
            declaration: members.declaration.and_then(declaration),
            references,
            transformation: transformation.filter(|_| kind == EventKind::Transformation),
            destinations: members.destinations.map_or_else(String::new, destinations),
            location: id(members.biz_location).or_else(|| id(members.read_point)),
            disposition: text(members.disposition),
        }
    }

    /// The same event, which outlives the document that it was read from. Its text is empty.
    pub(super) fn without_text(self) -> Event<'static> {
        let owned = |text: Option<Cow<'d, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        Event {
            source: Source::Text(String::new()),
            place: self.place,
            account: self.account,
            event_time: owned(self.event_time),
            time: self.time,
            record_time: self.record_time,
            kind: self.kind,
            action: self.action,
            event_id: owned(self.event_id),
            name: owned(self.name),
            declaration: self.declaration,
            references: self.references,
            transformation: self.transformation,
            destinations: self.destinations,
            location: owned(self.location),
            disposition: owned(self.disposition),
        }
    }
}

impl Named for Event<'_> {
    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn set_name(&mut self, name: String) {
        self.name = Some(name.into());
    }

    fn account(&self) -> &str {
        &self.account
    }

    fn declares_error(&self) -> bool {
        self.declaration.is_some()
    }
}

impl Event<'_> {
    /// How the event mentions a thing; `None` if that says nothing about where the thing is.
    pub(super) fn mention(&self, role: Role) -> Option<Mention> {
        match (self.kind, role) {
            (EventKind::Aggregation | EventKind::Association, role) if role.is_child() => {
                self.action.map(Mention::Child)
            }
            (EventKind::Transformation, role) if role.is_input() => Some(Mention::Input),
            (EventKind::Object, Role::Epc) => self.action.map(Mention::Object),
            _ => None,
        }
    }

    /// The number of things that an event names; repeated things count each time.
    pub(super) fn count_references(event: Value<'_>) -> usize {
        let lists = Members::of(event).naming.into_iter().flatten();
        lists.map(|named| named.elements().count().max(1)).sum()
    }
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
fn destinations(list: Value<'_>) -> String {
    let mut all: Vec<String> = list
        .elements()
        .filter_map(|one| {
            let kind = member(one, "type").or_empty();
            Some(format!("{kind} {}", member(one, "destination")?))
        })
        .collect();
    all.sort_unstable();
    all.join("\n")
}
