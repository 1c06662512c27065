//! The facts of an event: everything queries can compare, extracted once and in normal form.
//!
//! Why do a stored event's facts not go to the store with it?
//! They are as long as the event, and a capture of 10 MiB would hold both in memory. The store extracts them from the text for the
//! rows that it writes.

use super::number::Decimal;
use epcis_edge_document::context::ActiveContext;
use epcis_edge_document::event::{ERROR_DECLARATION, Fields, SENSORS};
use epcis_edge_document::field::{
    self, Content, Count, Form, Group, NumberField, QueryField as Field, QueryTarget, TimeField,
};
use epcis_edge_document::hash::event_name;
use epcis_edge_document::normal;
use epcis_edge_text::json::{Kind, Text, Value};
use epcis_edge_text::slice::Known;
use epcis_edge_text::time::Timestamp;
use serde::Serialize;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The part of an event that has an extension member.
///
/// Open: later versions add variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub enum EventPart {
    /// In the event itself, or inside one of its extensions.
    Event,
    /// In `ilmd`.
    Ilmd,
    /// In the error declaration.
    ErrorDeclaration,
    /// In an element of `sensorElementList`.
    SensorElement,
    /// In `sensorMetadata`.
    SensorMetadata,
    /// In an element of `sensorReport`.
    SensorReport,
    /// In `readPoint`.
    ReadPoint,
    /// In `bizLocation`.
    BizLocation,
}

impl EventPart {
    /// The place for a field of the standard, by the name of its elements; none if it has no extension members.
    fn within(field: &str) -> Option<Self> {
        Some(match field {
            "ilmd" => Self::Ilmd,
            "errorDeclaration" => Self::ErrorDeclaration,
            "sensorElement" => Self::SensorElement,
            "sensorMetadata" => Self::SensorMetadata,
            "sensorReport" => Self::SensorReport,
            "readPoint" => Self::ReadPoint,
            "bizLocation" => Self::BizLocation,
            _ => return None,
        })
    }
}

/// A text with its field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    /// The field that has the text.
    pub field: Field,
    /// The text in normal form: identifiers as canonical Digital Links, words as web URIs.
    pub value: String,
}

/// A number with its field and unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The field that has the number.
    pub field: NumberField,
    /// The `uom` beside it.
    pub unit: Option<String>,
    /// The number.
    pub value: Decimal,
}

/// An extension member with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// The part of the event that has the member.
    pub place: EventPart,
    /// Whether the member is nested deeper in that part, not directly in it.
    pub is_inner: bool,
    /// The expanded name; a name without namespace is as written. Members with the same name share the text: expanded, it may be
    /// far longer than in the event.
    pub name: Rc<str>,
    /// The text of a scalar; `None` for an object that is not empty.
    pub value: Option<String>,
}

/// Everything that queries can compare in one event.
///
/// # Example
/// ```
/// use epcis_edge_text::json::Document; use epcis_edge_gateway::query::{Facts, Field};
/// let event = Document::read(br#"{"type": "ObjectEvent", "epcList": ["urn:epc:id:sgtin:4012345.011111.9876"]}"#)?;
/// let facts = Facts::of(event.root());
/// assert_eq!(facts.first(Field::Epc), Some("https://id.gs1.org/01/04012345111118/21/9876"));
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The texts, sorted, each once; then the names that [`also_named`](Self::also_named) added.
    pub terms: Vec<Term>,
    /// The times.
    pub times: Vec<(TimeField, Timestamp)>,
    /// The numbers.
    pub numbers: Vec<Measure>,
    /// The extension members.
    pub extensions: Vec<Extension>,
    /// The names of the extension members, each once, in the order of their bytes.
    pub(super) names: BTreeSet<Rc<str>>,
    /// Whether there is an error declaration.
    pub declares_error: bool,
    /// Whether there is sensor data.
    pub has_sensors: bool,
    /// Whether texts were left out because all together would exceed four times the event's length plus 1 MiB; such an event is not
    /// captured.
    pub is_excessive: bool,
}

impl Facts {
    /// The facts of a bare event with its own `@context`.
    #[must_use]
    pub fn of(event: Value<'_>) -> Self {
        Self::extract(event, Wanted::All)
    }

    /// The facts of an event, with extension members of these names only.
    pub(super) fn named(event: Value<'_>, names: BTreeSet<&str>) -> Self {
        Self::extract(event, Wanted::Named(names.into_iter().collect()))
    }

    /// The facts that stores index: no extension members.
    #[must_use]
    pub fn indexed(event: Value<'_>) -> Self {
        Self::extract(event, Wanted::Named(Vec::new()))
    }

    fn extract(event: Value<'_>, wanted: Wanted<'_>) -> Self {
        let mut context = ActiveContext::default();
        context.enter(event);
        let mut collector = Collector {
            facts: Self::default(),
            context,
            wanted,
            left: 4 * event.source().len() + (1 << 20),
        };
        collector.event(event);
        let mut facts = collector.facts;
        facts.terms.sort_unstable();
        facts.terms.dedup();
        facts
    }

    /// The first text of a field in sorted order.
    #[must_use]
    pub fn first(&self, field: Field) -> Option<&str> {
        let mut terms = self.terms.iter().filter(|term| term.field == field);
        terms.next().map(|term| term.value.as_str())
    }

    /// The same facts with further names of the event.
    #[must_use]
    pub fn also_named(mut self, names: &[String]) -> Self {
        self.terms.extend(
            names
                .iter()
                .map(|name| Term { field: Field::EventId, value: event_name(name).into_owned() }),
        );
        self
    }

    /// The names of the event in normal form: its `eventID` and those that were added.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.terms.iter().filter(|term| term.field == Field::EventId);
        names.map(|term| term.value.as_str())
    }

    /// Whether the event has a name, given in normal form.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.names().any(|found| found == name)
    }

    /// The time of a field that an event has once.
    #[must_use]
    pub fn time(&self, field: TimeField) -> Option<Timestamp> {
        let mut times = self.times.iter().filter(|(found, _)| *found == field);
        times.next().map(|(_, time)| *time)
    }
}

/// The extension members to extract.
enum Wanted<'p> {
    All,
    Named(Vec<&'p str>),
}

impl Wanted<'_> {
    /// Whether a name is wanted. It comes in two parts, since both together may be far longer than it is written.
    fn has(&self, (start, rest): (&str, &str)) -> bool {
        match self {
            Self::All => true,
            // The end is compared first: names with the same long namespace differ there.
            Self::Named(names) => names.iter().any(|name| name.strip_suffix(rest) == Some(start)),
        }
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Self::Named(names) if names.is_empty())
    }
}

struct Collector<'d, 'p> {
    facts: Facts,
    context: ActiveContext<'d>,
    wanted: Wanted<'p>,
    /// How many more bytes the texts may have. With a long prefix, expanded words are far longer than they are written.
    left: usize,
}

impl<'d> Collector<'d, '_> {
    fn event(&mut self, event: Value<'d>) {
        let fields = Fields::of(event);
        self.facts.declares_error = fields.get(ERROR_DECLARATION).is_some();
        self.facts.has_sensors = fields.elements(SENSORS).next().is_some();
        if let Some(text) = fields.of_type.and_then(|of_type| texts(of_type).next()) {
            self.term(Field::EventType, normal::event_type(&text, &self.context));
        }
        for (number, value) in fields.each() {
            if let Some(field) = field::EVENT.get(usize::from(number)) {
                self.field(field, value, (event, QueryTarget::Nothing));
            }
        }
        for (name, value) in fields.others() {
            let name = name.to_cow();
            if name.contains(':') {
                self.extension(EventPart::Event, false, &name, value);
            }
        }
    }

    /// Extracts a field of the standard. `around`: the object that has it, and the target that a `ThroughParent` field inherits.
    fn field(
        &mut self,
        field: &'static field::Field,
        value: Value<'d>,
        around: (Value<'d>, QueryTarget),
    ) {
        let target = match field.query_target {
            QueryTarget::ThroughParent => around.1,
            target => target,
        };
        match (field.count, field.content) {
            (Count::List(item) | Count::Joined(item), _) => match item.content {
                Content::Value(kind) => self.value(target, kind, value, around.0),
                Content::Group(group) if group.form == Form::Typed => {
                    self.typed(target, item, value)
                }
                Content::Group(group) => self.groups(item, group, value, target),
            },
            (_, Content::Value(kind)) => self.value(target, kind, value, around.0),
            (_, Content::Group(group)) => self.groups(field, group, value, target),
        }
    }

    /// Extracts an object of the standard, or those of a list, with their extension members.
    fn groups(
        &mut self,
        field: &'static field::Field,
        group: &'static Group,
        value: Value<'d>,
        target: QueryTarget,
    ) {
        if value.kind() == Kind::Array {
            for element in value.elements() {
                self.groups(field, group, element, target);
            }
            return;
        }
        let place = EventPart::within(field.name);
        let outer = self.context.enter(value);
        for (name, member) in value.members() {
            let name = name.to_cow();
            if let Some(part) = group.part(&name) {
                self.field(part, member, (value, target));
            } else if let Some(place) = place
                // A name without a colon is the standard's, except in master data.
                && (place == EventPart::Ilmd || name.contains(':'))
            {
                self.extension(place, false, &name, member);
            }
        }
        self.context.leave(outer);
    }

    /// Extracts a value or the values of a list, in `object`.
    fn value(
        &mut self,
        target: QueryTarget,
        kind: field::ValueKind,
        value: Value<'d>,
        object: Value<'d>,
    ) {
        match (target, kind) {
            (QueryTarget::Text(target), field::ValueKind::Word(vocabulary)) => {
                self.each(target, value, |text, context| normal::word(text, vocabulary, context));
            }
            (QueryTarget::Text(target), field::ValueKind::Boolean) => {
                if let Some(value) = value.as_bool() {
                    self.term(target, value.to_string());
                }
            }
            (QueryTarget::Text(target), kind) => {
                self.each(target, value, |text, _| normal::text(text, kind))
            }
            (QueryTarget::Time(target), _) => {
                let time = value.as_str().and_then(|text| Timestamp::parse(&text));
                self.facts.times.extend(time.map(|time| (target, time)));
            }
            (QueryTarget::Number(target), _) => {
                if let Some(value) = value.as_number().and_then(Decimal::parse) {
                    let unit = object.get("uom").and_then(Value::as_str);
                    self.facts.numbers.push(Measure {
                        field: target,
                        unit: unit.map(|unit| unit.into_owned()),
                        value,
                    });
                }
            }
            (QueryTarget::Nothing | QueryTarget::ThroughParent, _) => {}
        }
    }

    fn term(&mut self, field: Field, value: String) {
        match self.left.checked_sub(value.len()) {
            Some(left) => {
                self.left = left;
                self.facts.terms.push(Term { field, value });
            }
            None => self.facts.is_excessive = true,
        }
    }

    /// Extracts a text, or every text of a list.
    fn each(
        &mut self,
        field: Field,
        value: Value<'d>,
        normal: impl Fn(&str, &ActiveContext<'d>) -> String,
    ) {
        for text in texts(value) {
            if self.facts.is_excessive {
                return;
            }
            let text = normal(&text, &self.context);
            self.term(field, text);
        }
    }

    /// Extracts a list of texts with types.
    fn typed(&mut self, target: QueryTarget, item: &'static field::Field, list: Value<'d>) {
        let (QueryTarget::Text(field), Some([part])) =
            (target, item.group().map(|group| group.parts))
        else {
            return;
        };
        for element in list.elements() {
            if self.facts.is_excessive {
                return;
            }
            let kind = element.get(part.name).and_then(Value::as_str);
            let kind = kind.map_or(String::new(), |kind| match part.kind() {
                field::ValueKind::Word(vocabulary) => {
                    normal::word(&kind, vocabulary, &self.context)
                }
                _ => kind.into_owned(),
            });
            if let Some(id) = element.get(item.name).and_then(Value::as_str) {
                self.term(field, normal::typed(&kind, &normal::identifier(&id)));
            }
        }
    }

    /// Extracts an extension member and everything inside it.
    fn extension(&mut self, place: EventPart, is_inner: bool, name: &str, value: Value<'d>) {
        if name.starts_with('@') || self.wanted.is_nothing() {
            return;
        }
        match value.kind() {
            Kind::Null => {}
            Kind::Array => {
                for element in value.elements() {
                    self.extension(place, is_inner, name, element);
                }
            }
            Kind::Object => {
                // An empty object is like an empty text: nothing exists.
                let is_something = |(name, value): (Text<'_>, Value<'_>)| {
                    name != "@context" && value.kind() != Kind::Null
                };
                if value.members().any(is_something) {
                    self.push_extension(place, is_inner, name, None);
                }
                let outer = self.context.enter(value);
                for (inner, value) in value.members() {
                    self.extension(place, true, &inner.to_cow(), value);
                }
                self.context.leave(outer);
            }
            Kind::String => {
                let text = value.as_str().known().into_owned();
                self.push_extension(place, is_inner, name, Some(text));
            }
            Kind::Boolean | Kind::Number => {
                let text = value.source().to_owned();
                self.push_extension(place, is_inner, name, Some(text));
            }
        }
    }

    fn push_extension(
        &mut self,
        place: EventPart,
        is_inner: bool,
        name: &str,
        value: Option<String>,
    ) {
        let parts = normal::member_name(name, &self.context);
        if !self.wanted.has(parts) {
            return;
        }
        let whole = format!("{}{}", parts.0, parts.1);
        let name = match self.facts.names.get(whole.as_str()) {
            Some(name) => Rc::clone(name),
            None => {
                let name: Rc<str> = whole.into();
                self.facts.names.insert(Rc::clone(&name));
                name
            }
        };
        self.facts.extensions.push(Extension { place, is_inner, name, value });
    }
}

/// A text, or the texts of a list.
fn texts<'d>(value: Value<'d>) -> impl Iterator<Item = std::borrow::Cow<'d, str>> {
    value.as_str().into_iter().chain(value.elements().filter_map(Value::as_str))
}
