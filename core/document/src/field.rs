//! The only table of the fields of events, for JSON and XML, hashing, translation and queries.
//!
//! Each field is defined here once. The event hash reads its order and its kinds of values from here, the translation its shapes
//! and kinds, and queries the fields that can be queried. The content models of the XML schemas are in `schemas/xml`, since each
//! version has its own order; the translation takes the positions of these fields from there.
//!
//! **Source**: EPCIS 2.0, 7.3 and 7.4; CBV 2.0, 8.9, for the order; EPCIS 1.2 and 2.0, chapters 9 and 10, for the shapes.

mod query_field;
#[cfg(test)]
mod tests;
mod word;

pub use query_field::{Field as QueryField, NumberField, TimeField};
pub use word::{WORDS, Word, key_of};

use crate::vocabulary::{
    BIZ_STEP, BIZ_TRANSACTION_TYPE, COMPONENT, DISPOSITION, ERROR_REASON, MEASUREMENT_TYPE,
    SENSOR_ALERT_TYPE, SOURCE_DESTINATION_TYPE, Vocabulary,
};
use Content::{Group as Of, Value as Is};
use Count::{Each, Joined, List, Many, One};
use QueryField as Text;
use ValueKind::{
    Boolean, EventId, HexBinary, Identifier, Number, Offset, Plain, Time, Verbatim, Word as Bare,
};

/// A field of an event, or of an object within an event.
#[derive(Debug)]
pub struct Field {
    /// The name, the same in JSON and XML.
    pub name: &'static str,
    /// The name in the pre-hash string, as a number.
    pub word: Word,
    /// The event types that have the field, as bits of [`EventTypes`]; all types for fields within a field.
    pub(crate) of: EventTypes,
    /// How often it may occur.
    pub count: Count,
    /// What it holds.
    pub content: Content,
    /// Whether the event hash includes it.
    pub(crate) is_hashed: bool,
    /// The query parameter that searches it.
    pub query_target: QueryTarget,
}

/// A set of event types, one bit each.
pub type EventTypes = u8;

/// A set of event fields, one bit each, by their index in [`EVENT`].
pub type FieldSet = u64;

/// `ObjectEvent`.
pub const OBJECT: EventTypes = 1;
/// `AggregationEvent`.
pub const AGGREGATION: EventTypes = 2;
/// `TransactionEvent`.
pub const TRANSACTION: EventTypes = 4;
/// `TransformationEvent`.
pub const TRANSFORMATION: EventTypes = 8;
/// `AssociationEvent`.
pub const ASSOCIATION: EventTypes = 16;
/// The event type that EPCIS 2.0 removed.
pub(crate) const QUANTITY: EventTypes = 32;
const ALL: EventTypes = 63;

/// How often a field may occur, and how repetition is written.
#[derive(Clone, Copy, Debug)]
pub enum Count {
    /// Once: one member, one element.
    One,
    /// Any number of elements. In JSON a plain value for one of them, an array for several.
    Many,
    /// Any number of elements; in JSON always an array.
    Each,
    /// An array. In XML one element that contains elements of this kind.
    List(&'static Field),
    /// As [`List`](Self::List), but several such elements become a single array in JSON.
    Joined(&'static Field),
}

/// The content of a field, or of each of its elements.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// One value.
    Value(ValueKind),
    /// An object.
    Group(&'static Group),
}

/// An object with members.
#[derive(Debug)]
pub struct Group {
    /// In hashing order.
    pub parts: &'static [Field],
    /// Its form in XML.
    pub form: Form,
    /// Whether the parts are in reverse order in XML.
    is_reversed_in_xml: bool,
}

/// The XML form of a group, and what else the group may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Elements only.
    Closed,
    /// Elements and extensions. Other names have no place in XML.
    Open,
    /// Elements and extensions. Other names are kept.
    Kept,
    /// Attributes.
    Attributes,
    /// The type as an attribute, and a text. In JSON the text has the name of the element.
    Typed,
}

/// How a value is written, and when two values are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A string with collapsed white space.
    Plain,
    /// A plain string that is an identifier; a GS1 identifier has several spellings.
    Identifier,
    /// A plain string that may be an event hash.
    EventId,
    /// A plain string of hexadecimal digits.
    HexBinary,
    /// A plain string that is the offset of a time zone; hashed as it is.
    Offset,
    /// A string, unchanged.
    Verbatim,
    /// A decimal number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A string interpreted as a time.
    Time,
    /// A bare word of a vocabulary in JSON; a longer form in XML.
    Word(&'static Vocabulary),
}

/// The query parameter that searches a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryTarget {
    /// No parameter.
    Nothing,
    /// Searched through the field that contains it.
    ThroughParent,
    /// One that compares texts.
    Text(Text),
    /// One that compares times.
    Time(TimeField),
    /// One that compares numbers.
    Number(NumberField),
}

const fn field(name: &'static str, count: Count, content: Content) -> Field {
    Field {
        name,
        word: Word::of(name),
        of: ALL,
        count,
        content,
        is_hashed: true,
        query_target: QueryTarget::Nothing,
    }
}

impl Field {
    const fn of(self, of: EventTypes) -> Self {
        Self { of, ..self }
    }

    const fn unhashed(self) -> Self {
        Self { is_hashed: false, ..self }
    }

    const fn queried(self, field: Text) -> Self {
        Self { query_target: QueryTarget::Text(field), ..self }
    }

    const fn queried_through_parent(self) -> Self {
        Self { query_target: QueryTarget::ThroughParent, ..self }
    }

    const fn queried_time(self, field: TimeField) -> Self {
        Self { query_target: QueryTarget::Time(field), ..self }
    }

    const fn queried_number(self, field: NumberField) -> Self {
        Self { query_target: QueryTarget::Number(field), ..self }
    }

    /// The content of the field in hashing order: the elements of a list, or the parts of a group.
    pub(crate) fn members(&self) -> &'static [Self] {
        match (self.count, self.content) {
            (List(item) | Joined(item), _) => std::slice::from_ref(item),
            (_, Of(group)) => group.parts,
            (_, Is(_)) => &[],
        }
    }

    /// The group that each of its elements consists of, if any.
    pub fn group(&self) -> Option<&'static Group> {
        match self.content {
            Of(group) => Some(group),
            Is(_) => None,
        }
    }

    /// The kind of its value; [`Plain`] if it has no value itself.
    pub fn kind(&self) -> ValueKind {
        match self.content {
            Is(kind) => kind,
            Of(_) => Plain,
        }
    }

    /// Whether it is a text with a type: a business transaction, a source or a destination.
    pub fn is_typed(&self) -> bool {
        self.group().is_some_and(|group| group.form == Form::Typed)
    }
}

impl Group {
    const fn of(form: Form, parts: &'static [Field]) -> Self {
        Self { parts, form, is_reversed_in_xml: false }
    }

    /// Marks the parts as being in reverse order in XML.
    const fn reversed_in_xml(self) -> Self {
        Self { is_reversed_in_xml: true, ..self }
    }

    /// The parts in the order of the XML schemas.
    pub(crate) fn in_xml(&self) -> impl Iterator<Item = &'static Field> {
        let last = self.parts.len().wrapping_sub(1);
        let parts = (0..self.parts.len())
            .map(move |number| if self.is_reversed_in_xml { last - number } else { number });
        parts.filter_map(|number| self.parts.get(number))
    }

    /// The part with this name.
    pub fn part(&self, name: &str) -> Option<&'static Field> {
        let word = Word::find(name)?;
        self.parts.iter().find(|part| part.word == word)
    }
}

/// The fields of events, in hashing order. At the end are those that are not hashed, or are hashed elsewhere.
#[rustfmt::skip]
pub static EVENT: [Field; 29] = [
    field("eventTime", One, Is(Time)).queried_time(TimeField::EventTime),
    field("eventTimeZoneOffset", One, Is(Offset)),
    field("certificationInfo", Many, Is(Plain)),
    field("epcList", List(&EPC), Is(Plain)).of(OBJECT | TRANSACTION).queried(Text::Epc),
    field("parentID", One, Is(Identifier)).of(AGGREGATION | TRANSACTION | ASSOCIATION).queried(Text::ParentId),
    field("inputEPCList", List(&EPC), Is(Plain)).of(TRANSFORMATION).queried(Text::InputEpc),
    field("childEPCs", List(&EPC), Is(Plain)).of(AGGREGATION | ASSOCIATION).queried(Text::ChildEpc),
    field("quantityList", List(&QUANTITY_ELEMENT), Is(Plain)).of(OBJECT | TRANSACTION).queried(Text::EpcClass),
    field("childQuantityList", List(&QUANTITY_ELEMENT), Is(Plain)).of(AGGREGATION | ASSOCIATION).queried(Text::ChildEpcClass),
    field("inputQuantityList", List(&QUANTITY_ELEMENT), Is(Plain)).of(TRANSFORMATION).queried(Text::InputEpcClass),
    field("outputEPCList", List(&EPC), Is(Plain)).of(TRANSFORMATION).queried(Text::OutputEpc),
    field("outputQuantityList", List(&QUANTITY_ELEMENT), Is(Plain)).of(TRANSFORMATION).queried(Text::OutputEpcClass),
    field("action", One, Is(Plain)).of(ALL & !TRANSFORMATION & !QUANTITY).queried(Text::Action),
    field("transformationID", One, Is(Identifier)).of(TRANSFORMATION).queried(Text::TransformationId),
    field("bizStep", One, Is(Bare(&BIZ_STEP))).queried(Text::BizStep),
    field("disposition", One, Is(Bare(&DISPOSITION))).queried(Text::Disposition),
    field("persistentDisposition", One, Of(&PERSISTENT_DISPOSITION)),
    field("readPoint", One, Of(&PLACE)).queried(Text::ReadPoint),
    field("bizLocation", One, Of(&PLACE)).queried(Text::BizLocation),
    field("bizTransactionList", List(&BIZ_TRANSACTION), Is(Plain)).queried(Text::BizTransaction),
    field("sourceList", List(&SOURCE), Is(Plain)).queried(Text::Source),
    field("destinationList", List(&DESTINATION), Is(Plain)).queried(Text::Destination),
    field("sensorElementList", List(&SENSOR_ELEMENT), Is(Plain)),
    field("ilmd", One, Of(&NOTHING)).of(OBJECT | TRANSFORMATION).unhashed(),
    field("recordTime", One, Is(Time)).unhashed().queried_time(TimeField::RecordTime),
    field("eventID", One, Is(EventId)).unhashed().queried(Text::EventId),
    field("errorDeclaration", One, Of(&ERROR_DECLARATION)).unhashed(),
    field("epcClass", One, Is(Identifier)).of(QUANTITY).unhashed(),
    field("quantity", One, Is(Number)).of(QUANTITY).unhashed(),
];

static EPC: Field = field("epc", One, Is(Identifier)).queried_through_parent();

static QUANTITY_ELEMENT: Field = field(
    "quantityElement",
    One,
    Of(&Group::of(
        Form::Closed,
        &[
            field("epcClass", One, Is(Identifier)).queried_through_parent(),
            field("quantity", One, Is(Number)).queried_number(NumberField::Quantity),
            field("uom", One, Is(Plain)),
        ],
    )),
);

static PLACE: Group =
    Group::of(Form::Kept, &[field("id", One, Is(Identifier)).queried_through_parent()]);

/// A group with nothing but extensions.
static NOTHING: Group = Group::of(Form::Open, &[]);

static PERSISTENT_DISPOSITION: Group = Group::of(
    Form::Closed,
    &[
        field("set", Each, Is(Bare(&DISPOSITION))).queried(Text::PersistentDispositionSet),
        field("unset", Each, Is(Bare(&DISPOSITION))).queried(Text::PersistentDispositionUnset),
    ],
)
.reversed_in_xml();

static ERROR_DECLARATION: Group = Group::of(
    Form::Open,
    &[
        field("declarationTime", One, Is(Time)).queried_time(TimeField::ErrorDeclarationTime),
        field("reason", One, Is(Bare(&ERROR_REASON))).queried(Text::ErrorReason),
        field("correctiveEventIDs", Joined(&CORRECTIVE_EVENT_ID), Is(Plain))
            .queried(Text::CorrectiveEventId),
    ],
);

static CORRECTIVE_EVENT_ID: Field =
    field("correctiveEventID", One, Is(EventId)).queried_through_parent();

static BIZ_TRANSACTION: Field = field(
    "bizTransaction",
    One,
    Of(&Group::of(Form::Typed, &[field("type", One, Is(Bare(&BIZ_TRANSACTION_TYPE)))])),
);

static SOURCE: Field = field("source", One, Of(&SOURCE_OR_DESTINATION));

static DESTINATION: Field = field("destination", One, Of(&SOURCE_OR_DESTINATION));

static SOURCE_OR_DESTINATION: Group =
    Group::of(Form::Typed, &[field("type", One, Is(Bare(&SOURCE_DESTINATION_TYPE)))]);

static SENSOR_ELEMENT: Field = field(
    "sensorElement",
    One,
    Of(&Group::of(
        Form::Open,
        &[
            field("sensorMetadata", One, Of(&SENSOR_METADATA)),
            field("sensorReport", Each, Of(&SENSOR_REPORT)),
        ],
    )),
);

#[rustfmt::skip]
static SENSOR_METADATA: Group = Group::of(Form::Attributes, &[
    field("time", One, Is(Time)).queried_time(TimeField::SensorTime),
    field("startTime", One, Is(Time)).queried_time(TimeField::SensorStartTime),
    field("endTime", One, Is(Time)).queried_time(TimeField::SensorEndTime),
    field("deviceID", One, Is(Identifier)).queried(Text::DeviceId),
    field("deviceMetadata", One, Is(Plain)),
    field("rawData", One, Is(Plain)),
    field("dataProcessingMethod", One, Is(Identifier)).queried(Text::DataProcessingMethod),
    field("bizRules", One, Is(Identifier)).queried(Text::BizRules),
]);

/// The JSON schema also allows `bizRules` here, but the hash does not include it.
#[rustfmt::skip]
static SENSOR_REPORT: Group = Group::of(Form::Attributes, &[
    field("type", One, Is(Bare(&MEASUREMENT_TYPE))).queried(Text::SensorType),
    field("exception", One, Is(Bare(&SENSOR_ALERT_TYPE))),
    field("deviceID", One, Is(Identifier)).queried(Text::DeviceId),
    field("deviceMetadata", One, Is(Plain)),
    field("rawData", One, Is(Plain)),
    field("dataProcessingMethod", One, Is(Identifier)).queried(Text::DataProcessingMethod),
    field("time", One, Is(Time)).queried_time(TimeField::SensorTime),
    field("microorganism", One, Is(Identifier)).queried(Text::Microorganism),
    field("chemicalSubstance", One, Is(Identifier)).queried(Text::ChemicalSubstance),
    field("value", One, Is(Number)).queried_number(NumberField::Value),
    field("component", One, Is(Bare(&COMPONENT))),
    field("stringValue", One, Is(Verbatim)).queried(Text::StringValue),
    field("booleanValue", One, Is(Boolean)).queried(Text::BooleanValue),
    field("hexBinaryValue", One, Is(HexBinary)).queried(Text::HexBinaryValue),
    field("uriValue", One, Is(Identifier)).queried(Text::UriValue),
    field("minValue", One, Is(Number)).queried_number(NumberField::MinValue),
    field("maxValue", One, Is(Number)).queried_number(NumberField::MaxValue),
    field("meanValue", One, Is(Number)).queried_number(NumberField::MeanValue),
    field("sDev", One, Is(Number)).queried_number(NumberField::SDev),
    field("percRank", One, Is(Number)).queried_number(NumberField::PercRank),
    field("percValue", One, Is(Number)).queried_number(NumberField::PercValue),
    field("uom", One, Is(Plain)),
    field("coordinateReferenceSystem", One, Is(Plain)),
    field("bizRules", One, Is(Identifier)).unhashed().queried(Text::BizRules),
]);

/// A vocabulary element of master data. In JSON its `attribute` elements become the array `attributes`.
pub(crate) static VOCABULARY_ELEMENT: Group = Group::of(
    Form::Kept,
    &[field("attribute", Each, Is(Verbatim)), field("children", List(&CHILD), Is(Plain))],
);

static CHILD: Field = field("id", One, Is(Identifier));

/// For each word, the number of the event field with that name; 255 if there is none.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated when the program is built: an index out of bounds does not compile"
)]
static NUMBERS: [u8; WORDS.len()] = {
    let mut numbers = [255; WORDS.len()];
    let mut number = 0;
    while number < EVENT.len() {
        numbers[EVENT[number].word.number()] = number as u8;
        number += 1;
    }
    numbers
};

/// The number of the event field with this name, for constants; an unknown name does not compile.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated when the program is built: an index out of bounds does not compile"
)]
pub(crate) const fn number_known(name: &str) -> u8 {
    let number = NUMBERS[Word::of(name).number()];
    assert!((number as usize) < EVENT.len(), "no field of events has this name");
    number
}

/// The number of the event field with this name.
pub(crate) fn number_of(name: &str) -> Option<u8> {
    number_of_word(Word::find(name)?)
}

/// The number of the event field that a word names.
pub fn number_of_word(word: Word) -> Option<u8> {
    let number = NUMBERS.get(word.number()).copied();
    number.filter(|number| usize::from(*number) < EVENT.len())
}

/// The event field with this name, and its number.
pub fn of_event(name: &str) -> Option<(u8, &'static Field)> {
    let number = number_of(name)?;
    Some((number, EVENT.get(usize::from(number))?))
}

/// The groups of event fields and of their parts, each with its element name.
fn groups() -> impl Iterator<Item = (&'static str, &'static Group)> {
    let of = |field: &'static Field| match field.count {
        List(item) => item.group().map(|group| (item.name, group)),
        _ => field.group().map(|group| (field.name, group)),
    };
    let outer = EVENT.iter().filter_map(of);
    outer.flat_map(move |outer| {
        let inner = outer.1.parts.iter().filter_map(of);
        std::iter::once(outer).chain(inner)
    })
}

/// Whether this is the name of an element within a group that also allows extensions.
pub(crate) fn is_part(name: &str) -> bool {
    let Some(word) = Word::find(name) else {
        return false;
    };
    let mut parts = groups()
        .filter(|(_, group)| matches!(group.form, Form::Open | Form::Kept))
        .flat_map(|(_, group)| group.parts);
    parts.any(|part| match part.count {
        Joined(item) => item.word == word,
        _ => part.word == word,
    })
}

/// Whether an element of this name contains only elements of its own: it is a list, or a closed group.
pub(crate) fn is_closed(name: &str) -> bool {
    let Some(word) = Word::find(name) else {
        return false;
    };
    let inner = groups().flat_map(|(_, group)| group.parts);
    let mut all = EVENT.iter().chain(inner).chain(VOCABULARY_ELEMENT.parts);
    all.any(|field| field.word == word && matches!(field.count, List(_) | Joined(_)))
        || groups().any(|(of, group)| of == name && group.form == Form::Closed)
}

/// The kind of the value of a standard element, wherever it occurs.
pub(crate) fn kind_of_element(name: &str) -> ValueKind {
    let Some(word) = Word::find(name) else {
        return Plain;
    };
    let inner = groups()
        .filter(|(_, group)| !matches!(group.form, Form::Attributes | Form::Typed))
        .flat_map(|(_, group)| group.parts);
    let mut all = EVENT.iter().chain(inner);
    all.find(|field| field.word == word).map_or(Plain, Field::kind)
}

/// The kind of the value of an attribute of a standard element.
pub(crate) fn kind_of_attribute(element: &str, name: &str) -> ValueKind {
    let mut groups = groups().filter(|(of, _)| *of == element);
    match groups.find(|(_, group)| matches!(group.form, Form::Attributes | Form::Typed)) {
        None => Plain,
        Some((_, group)) => group
            .part(name)
            .map_or(if group.form == Form::Typed { Plain } else { Verbatim }, Field::kind),
    }
}

/// The query parameter for the field with this name, and the kind of its value.
pub fn asked_by(name: &str) -> Option<(QueryTarget, ValueKind)> {
    let inner = groups().flat_map(|(_, group)| group.parts);
    EVENT.iter().chain(inner).find_map(|field| {
        let (is_named, kind) = match (field.count, field.content) {
            (List(_), _) => return None,
            (Joined(item), _) => (item.name == name, item.kind()),
            (_, Is(kind)) => (field.name == name, kind),
            // A place is queried by its identifier.
            (_, Of(group)) => (field.name == name, group.parts.first().map_or(Plain, Field::kind)),
        };
        let is_asked =
            !matches!(field.query_target, QueryTarget::Nothing | QueryTarget::ThroughParent);
        (is_named && is_asked).then_some((field.query_target, kind))
    })
}

/// The query parameter for a name such as `bizTransaction_po`, with the vocabulary of its types and the type after the `_`.
pub fn asked_with_type(name: &str) -> Option<(Text, &'static Vocabulary, &str)> {
    EVENT.iter().find_map(|field| {
        let (List(item), QueryTarget::Text(asked)) = (field.count, field.query_target) else {
            return None;
        };
        let kind = name.strip_prefix(item.name)?.strip_prefix('_')?;
        match item.group()?.parts {
            [of] if item.is_typed() => match of.kind() {
                Bare(vocabulary) => Some((asked, vocabulary, kind)),
                _ => None,
            },
            _ => None,
        }
    })
}
