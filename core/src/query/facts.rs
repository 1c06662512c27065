//! What queries can ask about an event, drawn from it once and in normal form.

use super::normal::{self, Decimal};
use super::predicate::Predicate;
use crate::context::Context;
use crate::json::{Kind, Value};
use crate::time::Timestamp;
use crate::vocabulary::{
    BIZ_STEP, BIZ_TRANSACTION_TYPE, DISPOSITION, ERROR_REASON, MEASUREMENT_TYPE,
    SOURCE_DESTINATION_TYPE,
};
use serde::Serialize;
use std::collections::BTreeSet;

/// Where in an event a text stands that a query can ask for.
///
/// The numbers are those that stores keep.
/// Open: later versions add variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
#[repr(u8)]
pub enum Field {
    /// A member of `epcList`.
    Epc = 1,
    /// A member of `childEPCs`.
    ChildEpc = 2,
    /// `parentID`.
    ParentId = 3,
    /// A member of `inputEPCList`.
    InputEpc = 4,
    /// A member of `outputEPCList`.
    OutputEpc = 5,
    /// An `epcClass` of `quantityList`.
    EpcClass = 6,
    /// An `epcClass` of `childQuantityList`.
    ChildEpcClass = 7,
    /// An `epcClass` of `inputQuantityList`.
    InputEpcClass = 8,
    /// An `epcClass` of `outputQuantityList`.
    OutputEpcClass = 9,
    /// A business transaction: type, space, identifier.
    BizTransaction = 10,
    /// A source: type, space, identifier.
    Source = 11,
    /// A destination: type, space, identifier.
    Destination = 12,
    /// The `id` of `readPoint`.
    ReadPoint = 13,
    /// The `id` of `bizLocation`.
    BizLocation = 14,
    /// `transformationID`.
    TransformationId = 15,
    /// A member of `persistentDisposition.set`.
    PersistentDispositionSet = 16,
    /// A member of `persistentDisposition.unset`.
    PersistentDispositionUnset = 17,
    /// The `reason` of the error declaration.
    ErrorReason = 18,
    /// A member of `correctiveEventIDs` of the error declaration.
    CorrectiveEventId = 19,
    /// The event type.
    EventType = 32,
    /// `action`.
    Action = 33,
    /// `bizStep`.
    BizStep = 34,
    /// `disposition`.
    Disposition = 35,
    /// `eventID`.
    EventId = 36,
    /// The `type` of a sensor report.
    SensorType = 64,
    /// A `deviceID` of sensor metadata or a report.
    DeviceId = 65,
    /// A `dataProcessingMethod` of sensor metadata or a report.
    DataProcessingMethod = 66,
    /// `bizRules` of sensor metadata.
    BizRules = 67,
    /// `microorganism` of a sensor report.
    Microorganism = 68,
    /// `chemicalSubstance` of a sensor report.
    ChemicalSubstance = 69,
    /// `stringValue` of a sensor report.
    StringValue = 70,
    /// `hexBinaryValue` of a sensor report.
    HexBinaryValue = 71,
    /// `uriValue` of a sensor report.
    UriValue = 72,
    /// `booleanValue` of a sensor report.
    BooleanValue = 73,
}

/// Which time of an event a query can ask for.
///
/// Open: later versions add variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub enum TimeField {
    /// `declarationTime` of the error declaration.
    ErrorDeclarationTime,
    /// `eventTime`.
    EventTime,
    /// `recordTime`.
    RecordTime,
    /// `endTime` of sensor metadata.
    SensorEndTime,
    /// `startTime` of sensor metadata.
    SensorStartTime,
    /// `time` of sensor metadata or a report.
    SensorTime,
}

/// Which number of an event a query can ask for.
///
/// Open: later versions add variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub enum NumberField {
    /// `quantity` of any quantity element.
    Quantity,
    /// `value` of a sensor report.
    Value,
    /// `minValue` of a sensor report.
    MinValue,
    /// `maxValue` of a sensor report.
    MaxValue,
    /// `meanValue` of a sensor report.
    MeanValue,
    /// `sDev` of a sensor report.
    SDev,
    /// `percRank` of a sensor report.
    PercRank,
    /// `percValue` of a sensor report.
    PercValue,
}

/// Where an extension member stands.
///
/// Open: later versions add variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub enum Place {
    /// In the event itself, or inside one of its extensions.
    Event,
    /// In `ilmd`.
    Ilmd,
    /// In the error declaration.
    ErrorDeclaration,
}

/// A text with its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    /// Where it stands.
    pub field: Field,
    /// The text in normal form: identifiers as canonical Digital Link, words as web URIs.
    pub value: String,
}

/// A number with its place and unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Where it stands.
    pub field: NumberField,
    /// The `uom` beside it.
    pub unit: Option<String>,
    /// The number.
    pub value: Decimal,
}

/// An extension member with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// Where it stands.
    pub place: Place,
    /// Whether it stands deeper than directly there.
    pub is_inner: bool,
    /// The expanded name; a name without namespace is as written.
    pub name: String,
    /// The text of a scalar; `None` for an object.
    pub value: Option<String>,
}

/// What queries can ask about one event.
///
/// # Example
/// ```
/// use epcis_edge_core::{json::Document, query::{Facts, Field}};
/// let event = Document::read(br#"{"type": "ObjectEvent", "epcList": ["urn:epc:id:sgtin:4012345.011111.9876"]}"#)?;
/// let facts = Facts::of(event.root());
/// assert_eq!(facts.first(Field::Epc), Some("https://id.gs1.org/01/04012345111118/21/9876"));
/// # Ok::<(), epcis_edge_core::error::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The texts, sorted, each once.
    pub terms: Vec<Term>,
    /// The times.
    pub times: Vec<(TimeField, Timestamp)>,
    /// The numbers.
    pub numbers: Vec<Measure>,
    /// The extension members.
    pub extensions: Vec<Extension>,
    /// Whether there is an error declaration.
    pub declares_error: bool,
    /// Whether there is sensor data.
    pub has_sensors: bool,
    /// Whether texts were left out, because they would be four times as long as the event, and 1 MiB: no such event is captured.
    pub is_excessive: bool,
}

impl Facts {
    /// The facts of an event that stands alone, with its own `@context`.
    #[must_use]
    pub fn of(event: Value<'_>) -> Self {
        Self::drawn(event, Wanted::All)
    }

    /// The facts that a predicate asks about: extension members only of the names that it names.
    ///
    /// An event may have more extension members, and under longer names, than memory holds once they are expanded.
    #[must_use]
    pub fn asked(event: Value<'_>, predicate: &Predicate) -> Self {
        let names = predicate.extension_names();
        Self::drawn(event, Wanted::Named(names))
    }

    /// The facts that stores keep an index of: no extension members.
    #[must_use]
    pub fn indexed(event: Value<'_>) -> Self {
        Self::drawn(event, Wanted::Named(BTreeSet::new()))
    }

    fn drawn(event: Value<'_>, wanted: Wanted<'_>) -> Self {
        let mut context = Context::new();
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

    /// The first text of a field.
    #[must_use]
    pub fn first(&self, field: Field) -> Option<&str> {
        let mut terms = self.terms.iter().filter(|term| term.field == field);
        terms.next().map(|term| term.value.as_str())
    }

    /// The time of a field that an event has once.
    #[must_use]
    pub fn time(&self, field: TimeField) -> Option<Timestamp> {
        let mut times = self.times.iter().filter(|(found, _)| *found == field);
        times.next().map(|(_, time)| *time)
    }
}

/// The lists of identifiers.
const EPCS: [(&str, Field); 5] = [
    ("epcList", Field::Epc),
    ("childEPCs", Field::ChildEpc),
    ("parentID", Field::ParentId),
    ("inputEPCList", Field::InputEpc),
    ("outputEPCList", Field::OutputEpc),
];

/// The lists of quantities.
const CLASSES: [(&str, Field); 4] = [
    ("quantityList", Field::EpcClass),
    ("childQuantityList", Field::ChildEpcClass),
    ("inputQuantityList", Field::InputEpcClass),
    ("outputQuantityList", Field::OutputEpcClass),
];

/// Which extension members count.
enum Wanted<'p> {
    All,
    Named(BTreeSet<&'p str>),
}

impl Wanted<'_> {
    /// Whether a name counts, given in two parts: put together it may be far longer than it is written.
    fn has(&self, (start, rest): (&str, &str)) -> bool {
        match self {
            Self::All => true,
            Self::Named(names) => names
                .iter()
                .any(|name| name.strip_prefix(start) == Some(rest)),
        }
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Self::Named(names) if names.is_empty())
    }
}

struct Collector<'d, 'p> {
    facts: Facts,
    context: Context<'d>,
    wanted: Wanted<'p>,
    /// How many bytes the texts may have still: words of a long prefix are far longer than they are written.
    left: usize,
}

impl<'d> Collector<'d, '_> {
    fn event(&mut self, event: Value<'d>) {
        for (name, value) in event.members() {
            let name = name.to_cow();
            match name.as_ref() {
                "type" => {
                    if let Some(text) = texts(value).next() {
                        self.term(Field::EventType, normal::event_type(&text, &self.context));
                    }
                }
                "eventID" => self.each(Field::EventId, value, normal::event_id),
                "action" => self.each(Field::Action, value, str::to_owned),
                "eventTime" => self.time(TimeField::EventTime, value),
                "recordTime" => self.time(TimeField::RecordTime, value),
                "bizStep" => self.words(Field::BizStep, &BIZ_STEP, value),
                "disposition" => self.words(Field::Disposition, &DISPOSITION, value),
                "persistentDisposition" => {
                    for (member, field) in [
                        ("set", Field::PersistentDispositionSet),
                        ("unset", Field::PersistentDispositionUnset),
                    ] {
                        if let Some(list) = value.get(member) {
                            self.words(field, &DISPOSITION, list);
                        }
                    }
                }
                "readPoint" => self.id(Field::ReadPoint, value),
                "bizLocation" => self.id(Field::BizLocation, value),
                "transformationID" => {
                    self.each(Field::TransformationId, value, normal::identifier);
                }
                "bizTransactionList" => {
                    let kinds = (&BIZ_TRANSACTION_TYPE, "bizTransaction");
                    self.typed(Field::BizTransaction, kinds, value);
                }
                "sourceList" => {
                    self.typed(Field::Source, (&SOURCE_DESTINATION_TYPE, "source"), value);
                }
                "destinationList" => {
                    let kinds = (&SOURCE_DESTINATION_TYPE, "destination");
                    self.typed(Field::Destination, kinds, value);
                }
                "errorDeclaration" => self.error_declaration(value),
                "sensorElementList" => self.sensors(value),
                "ilmd" => self.extensions_in(Place::Ilmd, value),
                other => self.list_or_extension(other, value),
            }
        }
    }

    fn list_or_extension(&mut self, name: &str, value: Value<'d>) {
        if let Some((_, field)) = EPCS.iter().find(|(list, _)| *list == name) {
            self.each(*field, value, normal::identifier);
        } else if let Some((_, field)) = CLASSES.iter().find(|(list, _)| *list == name) {
            for element in value.elements() {
                if let Some(class) = element.get("epcClass") {
                    self.each(*field, class, normal::identifier);
                }
                self.number(NumberField::Quantity, element, "quantity");
            }
        } else if name.contains(':') {
            self.extension(Place::Event, false, name, value);
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

    /// The text, or every text of a list.
    fn each(&mut self, field: Field, value: Value<'d>, normal: impl Fn(&str) -> String) {
        for text in texts(value) {
            self.term(field, normal(&text));
        }
    }

    fn words(
        &mut self,
        field: Field,
        vocabulary: &crate::vocabulary::Vocabulary,
        value: Value<'d>,
    ) {
        for text in texts(value) {
            if self.facts.is_excessive {
                return;
            }
            let word = normal::word(&text, vocabulary, &self.context);
            self.term(field, word);
        }
    }

    fn id(&mut self, field: Field, place: Value<'d>) {
        if let Some(id) = place.get("id") {
            self.each(field, id, normal::identifier);
        }
    }

    fn typed(
        &mut self,
        field: Field,
        (vocabulary, member): (&crate::vocabulary::Vocabulary, &str),
        list: Value<'d>,
    ) {
        for element in list.elements() {
            if self.facts.is_excessive {
                return;
            }
            let kind = element.get("type").and_then(Value::as_str);
            let kind = kind.map_or(String::new(), |kind| {
                normal::word(&kind, vocabulary, &self.context)
            });
            if let Some(id) = element.get(member).and_then(Value::as_str) {
                self.term(field, normal::typed(&kind, &normal::identifier(&id)));
            }
        }
    }

    fn time(&mut self, field: TimeField, value: Value<'d>) {
        let time = value.as_str().and_then(|text| Timestamp::parse(&text));
        self.facts.times.extend(time.map(|time| (field, time)));
    }

    fn number(&mut self, field: NumberField, object: Value<'d>, member: &str) {
        let number = object.get(member).and_then(Value::as_number);
        if let Some(value) = number.and_then(Decimal::parse) {
            let unit = object.get("uom").and_then(Value::as_str);
            self.facts.numbers.push(Measure {
                field,
                unit: unit.map(|unit| unit.into_owned()),
                value,
            });
        }
    }

    fn error_declaration(&mut self, declaration: Value<'d>) {
        self.facts.declares_error = true;
        let outer = self.context.enter(declaration);
        for (name, value) in declaration.members() {
            match name.to_cow().as_ref() {
                "declarationTime" => self.time(TimeField::ErrorDeclarationTime, value),
                "reason" => self.words(Field::ErrorReason, &ERROR_REASON, value),
                "correctiveEventIDs" => {
                    self.each(Field::CorrectiveEventId, value, normal::event_id);
                }
                other if other.contains(':') => {
                    self.extension(Place::ErrorDeclaration, false, other, value);
                }
                _ => {}
            }
        }
        self.context.leave(outer);
    }

    fn sensors(&mut self, list: Value<'d>) {
        for element in list.elements() {
            self.facts.has_sensors = true;
            let parts = element
                .members()
                .filter(|(name, _)| *name == "sensorMetadata" || *name == "sensorReport");
            for (_, part) in parts {
                self.sensor(part);
                part.elements().for_each(|report| self.sensor(report));
            }
        }
    }

    /// Sensor metadata, or a sensor report.
    fn sensor(&mut self, part: Value<'d>) {
        for (name, value) in part.members() {
            match name.to_cow().as_ref() {
                "time" => self.time(TimeField::SensorTime, value),
                "startTime" => self.time(TimeField::SensorStartTime, value),
                "endTime" => self.time(TimeField::SensorEndTime, value),
                "type" => self.words(Field::SensorType, &MEASUREMENT_TYPE, value),
                "deviceID" => self.each(Field::DeviceId, value, normal::identifier),
                "dataProcessingMethod" => {
                    self.each(Field::DataProcessingMethod, value, normal::identifier);
                }
                "bizRules" => self.each(Field::BizRules, value, normal::identifier),
                "microorganism" => self.each(Field::Microorganism, value, normal::identifier),
                "chemicalSubstance" => {
                    self.each(Field::ChemicalSubstance, value, normal::identifier);
                }
                "stringValue" => self.each(Field::StringValue, value, str::to_owned),
                "hexBinaryValue" => {
                    self.each(Field::HexBinaryValue, value, str::to_ascii_uppercase);
                }
                "uriValue" => self.each(Field::UriValue, value, normal::identifier),
                "booleanValue" => {
                    let text = value.as_bool().map(|value| value.to_string());
                    if let Some(text) = text {
                        self.term(Field::BooleanValue, text);
                    }
                }
                "value" => self.number(NumberField::Value, part, "value"),
                "minValue" => self.number(NumberField::MinValue, part, "minValue"),
                "maxValue" => self.number(NumberField::MaxValue, part, "maxValue"),
                "meanValue" => self.number(NumberField::MeanValue, part, "meanValue"),
                "sDev" => self.number(NumberField::SDev, part, "sDev"),
                "percRank" => self.number(NumberField::PercRank, part, "percRank"),
                "percValue" => self.number(NumberField::PercValue, part, "percValue"),
                _ => {}
            }
        }
    }

    fn extensions_in(&mut self, place: Place, object: Value<'d>) {
        let outer = self.context.enter(object);
        for (name, value) in object.members() {
            self.extension(place, false, &name.to_cow(), value);
        }
        self.context.leave(outer);
    }

    /// An extension member, and everything inside of it.
    fn extension(&mut self, place: Place, is_inner: bool, name: &str, value: Value<'d>) {
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
                self.push_extension(place, is_inner, name, None);
                let outer = self.context.enter(value);
                for (inner, value) in value.members() {
                    self.extension(place, true, &inner.to_cow(), value);
                }
                self.context.leave(outer);
            }
            Kind::String => {
                let text = value.as_str().unwrap_or_default().into_owned();
                self.push_extension(place, is_inner, name, Some(text));
            }
            Kind::Boolean | Kind::Number => {
                let text = value.source().to_owned();
                self.push_extension(place, is_inner, name, Some(text));
            }
        }
    }

    fn push_extension(&mut self, place: Place, is_inner: bool, name: &str, value: Option<String>) {
        let parts = self.context.name_parts(name);
        if !self.wanted.has(parts) {
            return;
        }
        self.facts.extensions.push(Extension {
            place,
            is_inner,
            name: format!("{}{}", parts.0, parts.1),
            value,
        });
    }
}

/// A text, or the texts of a list.
fn texts<'d>(value: Value<'d>) -> impl Iterator<Item = std::borrow::Cow<'d, str>> {
    value
        .as_str()
        .into_iter()
        .chain(value.elements().filter_map(Value::as_str))
}
