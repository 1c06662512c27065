//! The content models of EPCIS XML 1.x and 2.0, as tables.
//!
//! They serve twice: a document is compared with them for the report, and the way back writes elements in their order.
//! Versions 1.0 and 1.1 are read as 1.2, of which they are subsets.
//!
//! Source: the XML schemas of EPCIS 1.2 and 2.0.

/// What may stand inside of an element.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) particles: &'static [Particle],
    /// Whether elements of other namespaces may follow.
    pub(super) open: bool,
    /// Whether the particles may come in any order and number.
    pub(super) any_order: bool,
    /// Whether anything may stand here; the particles are those that real documents have.
    pub(super) lax: bool,
    /// Attributes that must be there.
    pub(super) attributes: &'static [&'static str],
}

/// One element of a content model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Particle {
    pub(super) name: &'static str,
    pub(super) required: bool,
    pub(super) repeats: bool,
    pub(super) content: Content,
    /// The number of the field of events that this is; 255 for what is none.
    pub(super) field: u8,
}

/// What is inside of a particle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content {
    Any,
    Leaf(Lexical),
    Group(&'static Model),
}

/// Lexical types that are worth a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lexical {
    Text,
    Action,
    Decimal,
    /// xsd:dateTime, its zone optional.
    DateTime,
    /// The pattern of EPCIS 2.0, its zone required.
    ZonedTime,
}

use crate::field::{self, EventTypes, number_known as number_of};
use Content::{Any, Group, Leaf};
use Lexical::{Action, DateTime, Decimal, Text, ZonedTime};

const fn one(name: &'static str, content: Content) -> Particle {
    particle(name, true, false, content)
}

const fn opt(name: &'static str, content: Content) -> Particle {
    particle(name, false, false, content)
}

const fn many(name: &'static str, content: Content) -> Particle {
    particle(name, false, true, content)
}

const fn some(name: &'static str, content: Content) -> Particle {
    particle(name, true, true, content)
}

const fn particle(name: &'static str, required: bool, repeats: bool, content: Content) -> Particle {
    Particle {
        name,
        required,
        repeats,
        content,
        field: number_of(name),
    }
}

const fn closed(particles: &'static [Particle]) -> Model {
    Model {
        particles,
        open: false,
        any_order: false,
        lax: false,
        attributes: &[],
    }
}

const fn open(particles: &'static [Particle]) -> Model {
    Model {
        open: true,
        ..closed(particles)
    }
}

const fn lax(particles: &'static [Particle]) -> Model {
    Model {
        lax: true,
        open: true,
        ..closed(particles)
    }
}

/// How many particles there are in all runs.
const fn length(runs: &[&[Particle]]) -> usize {
    let (mut length, mut rest) = (0, runs);
    while let Some((run, tail)) = rest.split_first() {
        length += run.len();
        rest = tail;
    }
    length
}

/// One run behind the other.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated when the program is built: an index out of bounds does not compile"
)]
const fn joined<const N: usize>(runs: &[&[Particle]]) -> [Particle; N] {
    let mut all = [WRAPPER; N];
    let (mut run, mut at, mut number) = (0, 0, 0);
    while number < N {
        if at == runs[run].len() {
            run += 1;
            at = 0;
            continue;
        }
        all[number] = runs[run][at];
        number += 1;
        at += 1;
    }
    all
}

const TEXT: Content = Leaf(Text);
static TYPED: Model = Model {
    attributes: &["type"],
    ..closed(&[])
};
static EPCS: Model = closed(&[many("epc", TEXT)]);
static QUANTITY_ELEMENT: Model = closed(&[
    one("epcClass", TEXT),
    opt("quantity", Leaf(Decimal)),
    opt("uom", TEXT),
]);
static QUANTITIES: Model = closed(&[many("quantityElement", Group(&QUANTITY_ELEMENT))]);
static TRANSACTIONS: Model = closed(&[some("bizTransaction", TEXT)]);
static SOURCES: Model = closed(&[some("source", Group(&TYPED))]);
static DESTINATIONS: Model = closed(&[some("destination", Group(&TYPED))]);
static PLACE: Model = open(&[one("id", TEXT), opt("extension", Any)]);
static ILMD: Model = open(&[opt("extension", Any)]);
static PERSISTENT: Model = closed(&[many("unset", TEXT), many("set", TEXT)]);
static SENSOR_ELEMENT: Model = open(&[
    opt("sensorMetadata", Any),
    some("sensorReport", Any),
    opt("extension", Any),
]);
static SENSORS: Model = closed(&[some("sensorElement", Group(&SENSOR_ELEMENT))]);
static CORRECTIONS: Model = closed(&[many("correctiveEventID", TEXT)]);
static ERROR_1: Model = open(&[
    one("declarationTime", Leaf(DateTime)),
    opt("reason", TEXT),
    opt("correctiveEventIDs", Group(&CORRECTIONS)),
    opt("extension", Any),
]);
static ERROR_2: Model = Model {
    any_order: true,
    ..open(&[
        many("declarationTime", Leaf(ZonedTime)),
        many("reason", TEXT),
        many("correctiveEventIDs", Group(&CORRECTIONS)),
        many("extension", Any),
    ])
};

// Particles that several events share.
const STEP: Particle = opt("bizStep", TEXT);
const DISPOSITION: Particle = opt("disposition", TEXT);
const READ_POINT: Particle = opt("readPoint", Group(&PLACE));
const LOCATION: Particle = opt("bizLocation", Group(&PLACE));
const TRANSACTION_LIST: Particle = opt("bizTransactionList", Group(&TRANSACTIONS));
const SOURCE_LIST: Particle = opt("sourceList", Group(&SOURCES));
const DESTINATION_LIST: Particle = opt("destinationList", Group(&DESTINATIONS));
const SENSOR_LIST: Particle = opt("sensorElementList", Group(&SENSORS));
const PERSISTENT_DISPOSITION: Particle = opt("persistentDisposition", Group(&PERSISTENT));
const ACTION: Particle = one("action", Leaf(Action));
const ILMD_1: Particle = opt("ilmd", Group(&ILMD));
const OFFSET: Particle = one("eventTimeZoneOffset", TEXT);
const EVENT_TIME_1: Particle = one("eventTime", Leaf(DateTime));
const RECORD_TIME_1: Particle = opt("recordTime", Leaf(DateTime));
const EVENT_TIME_2: Particle = one("eventTime", Leaf(ZonedTime));
const RECORD_TIME_2: Particle = opt("recordTime", Leaf(ZonedTime));
const EVENT_ID: Particle = opt("eventID", TEXT);
const ERROR_DECLARATION_2: Particle = opt("errorDeclaration", Group(&ERROR_2));
const CERTIFICATION: Particle = opt("certificationInfo", TEXT);
const WRAPPER: Particle = opt("extension", Any);
const BASE_WRAPPER: Particle = opt("baseExtension", Any);

// What 1.x has no place for stands in the extension of the extension: not standard, but in use.
static LATER: Model = lax(&[SENSOR_LIST, PERSISTENT_DISPOSITION]);
static BASE_LATER: Model = lax(&[particle("certificationInfo", false, true, TEXT)]);
static BASE_EXTENSION: Model = closed(&[
    EVENT_ID,
    opt("errorDeclaration", Group(&ERROR_1)),
    opt("extension", Group(&BASE_LATER)),
]);
const BASE_1: Particle = opt("baseExtension", Group(&BASE_EXTENSION));
static OBJECT_EXTENSION: Model = closed(&[
    opt("quantityList", Group(&QUANTITIES)),
    SOURCE_LIST,
    DESTINATION_LIST,
    ILMD_1,
    opt("extension", Group(&LATER)),
]);
static AGGREGATION_EXTENSION: Model = closed(&[
    opt("childQuantityList", Group(&QUANTITIES)),
    SOURCE_LIST,
    DESTINATION_LIST,
    opt("extension", Group(&LATER)),
]);
static TRANSACTION_EXTENSION: Model = closed(&[
    opt("quantityList", Group(&QUANTITIES)),
    SOURCE_LIST,
    DESTINATION_LIST,
    opt("extension", Group(&LATER)),
]);

// Runs of particles that several events share.
const WHAT_1: &[Particle] = &[EVENT_TIME_1, RECORD_TIME_1, OFFSET, BASE_1];
const WHAT_2: &[Particle] = &[
    EVENT_TIME_2,
    RECORD_TIME_2,
    OFFSET,
    EVENT_ID,
    ERROR_DECLARATION_2,
    CERTIFICATION,
    BASE_WRAPPER,
];
const WHY: &[Particle] = &[STEP, DISPOSITION, READ_POINT, LOCATION];
const PARTIES: &[Particle] = &[SOURCE_LIST, DESTINATION_LIST];
const HOW: &[Particle] = &[SENSOR_LIST, PERSISTENT_DISPOSITION];
const INPUTS: &[Particle] = &[
    opt("inputEPCList", Group(&EPCS)),
    opt("inputQuantityList", Group(&QUANTITIES)),
    opt("outputEPCList", Group(&EPCS)),
    opt("outputQuantityList", Group(&QUANTITIES)),
    opt("transformationID", TEXT),
];
const PARENT: Particle = opt("parentID", TEXT);
const CHILDREN: Particle = opt("childEPCs", Group(&EPCS));
const QUANTITY_LIST: Particle = opt("quantityList", Group(&QUANTITIES));
const CHILD_QUANTITY_LIST: Particle = opt("childQuantityList", Group(&QUANTITIES));

/// The model of an event, from runs of particles.
macro_rules! event {
    ($name:ident: $($run:expr),+) => {
        pub(super) static $name: Model = {
            const RUNS: &[&[Particle]] = &[$($run),+];
            static PARTICLES: [Particle; length(RUNS)] = joined(RUNS);
            open(&PARTICLES)
        };
    };
}

#[rustfmt::skip]
mod events {
    use super::*;

    event!(OBJECT_1: WHAT_1, &[one("epcList", Group(&EPCS)), ACTION], WHY,
        &[TRANSACTION_LIST, opt("extension", Group(&OBJECT_EXTENSION))]);
    event!(AGGREGATION_1: WHAT_1, &[PARENT, one("childEPCs", Group(&EPCS)), ACTION], WHY,
        &[TRANSACTION_LIST, opt("extension", Group(&AGGREGATION_EXTENSION))]);
    event!(TRANSACTION_1: WHAT_1, &[one("bizTransactionList", Group(&TRANSACTIONS)), PARENT, one("epcList", Group(&EPCS)), ACTION], WHY,
        &[opt("extension", Group(&TRANSACTION_EXTENSION))]);
    event!(TRANSFORMATION_1: WHAT_1, INPUTS, WHY, &[TRANSACTION_LIST], PARTIES,
        &[ILMD_1, opt("extension", Group(&LATER))]);
    event!(QUANTITY_1: WHAT_1, &[one("epcClass", TEXT), one("quantity", Leaf(Decimal))], WHY,
        &[TRANSACTION_LIST, WRAPPER]);

    event!(OBJECT_2: WHAT_2, &[opt("epcList", Group(&EPCS)), ACTION], WHY,
        &[TRANSACTION_LIST, QUANTITY_LIST], PARTIES, HOW, &[ILMD_1, WRAPPER]);
    event!(AGGREGATION_2: WHAT_2, &[PARENT, CHILDREN, ACTION], WHY,
        &[TRANSACTION_LIST, CHILD_QUANTITY_LIST], PARTIES, HOW, &[WRAPPER]);
    event!(TRANSACTION_2: WHAT_2, &[one("bizTransactionList", Group(&TRANSACTIONS)), PARENT, opt("epcList", Group(&EPCS)), ACTION], WHY,
        &[QUANTITY_LIST], PARTIES, HOW, &[WRAPPER]);
    event!(TRANSFORMATION_2: WHAT_2, INPUTS, WHY, &[TRANSACTION_LIST], PARTIES, HOW, &[ILMD_1, WRAPPER]);
    event!(ASSOCIATION_2: WHAT_2, &[one("parentID", TEXT), CHILDREN, CHILD_QUANTITY_LIST, ACTION], WHY,
        &[TRANSACTION_LIST], PARTIES, HOW, &[WRAPPER]);
}
use events::{
    AGGREGATION_1, AGGREGATION_2, ASSOCIATION_2, OBJECT_1, OBJECT_2, QUANTITY_1, TRANSACTION_1,
    TRANSACTION_2, TRANSFORMATION_1, TRANSFORMATION_2,
};

/// In 1.x an association event can only stand in the extension of an extension, where anything may: as in 2.0.
static ASSOCIATION_1: Model = Model {
    lax: true,
    ..open(ASSOCIATION_2.particles)
};

static EVENT_LIST_1: Model = Model {
    any_order: true,
    ..closed(&[
        many("ObjectEvent", Group(&OBJECT_1)),
        many("AggregationEvent", Group(&AGGREGATION_1)),
        many("QuantityEvent", Group(&QUANTITY_1)),
        many("TransactionEvent", Group(&TRANSACTION_1)),
        many("extension", Any),
    ])
};
static EVENT_LIST_2: Model = Model {
    any_order: true,
    ..closed(&[
        many("ObjectEvent", Group(&OBJECT_2)),
        many("AggregationEvent", Group(&AGGREGATION_2)),
        many("TransactionEvent", Group(&TRANSACTION_2)),
        many("TransformationEvent", Group(&TRANSFORMATION_2)),
        many("AssociationEvent", Group(&ASSOCIATION_2)),
        many("extension", Any),
    ])
};
static EVENT_LIST_EXTENSION_1: Model = lax(&[
    opt("TransformationEvent", Group(&TRANSFORMATION_1)),
    opt("AssociationEvent", Group(&ASSOCIATION_1)),
    opt("extension", Any),
]);

static HEADER: Model = open(&[opt("extension", Any)]);
static BODY: Model = open(&[opt("EventList", Any), opt("extension", Any)]);
static DOCUMENT: Model = Model {
    attributes: &["schemaVersion", "creationDate"],
    ..open(&[
        opt("EPCISHeader", Any),
        one("EPCISBody", Any),
        opt("extension", Any),
    ])
};
static VOCABULARY: Model = Model {
    attributes: &["type"],
    ..open(&[opt("VocabularyElementList", Any), opt("extension", Any)])
};
static VOCABULARY_ATTRIBUTE: Model = Model {
    attributes: &["id"],
    lax: true,
    ..open(&[])
};
static IDS: Model = closed(&[many("id", TEXT)]);
static VOCABULARY_ELEMENT: Model = Model {
    attributes: &["id"],
    ..open(&[
        many("attribute", Group(&VOCABULARY_ATTRIBUTE)),
        opt("children", Group(&IDS)),
        opt("extension", Any),
    ])
};

/// The containers of a document whose content is compared with a model while it streams by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Document,
    Header,
    Body,
    EventList,
    EventListExtension,
    Vocabulary,
}

/// The two families of schemas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Family {
    /// EPCIS 1.0 to 1.2.
    One,
    /// EPCIS 2.0.
    #[default]
    Two,
}

impl Family {
    /// The model of a container.
    pub(super) fn part(self, part: Part) -> &'static Model {
        match (part, self) {
            (Part::Document, _) => &DOCUMENT,
            (Part::Header, _) => &HEADER,
            (Part::Body, _) => &BODY,
            (Part::EventList, Self::One) => &EVENT_LIST_1,
            (Part::EventList, Self::Two) => &EVENT_LIST_2,
            (Part::EventListExtension, _) => &EVENT_LIST_EXTENSION_1,
            (Part::Vocabulary, _) => &VOCABULARY,
        }
    }

    /// The model of an event, by its name.
    pub(super) fn event(self, local: &str) -> Option<&'static Model> {
        Some(match (local, self) {
            ("ObjectEvent", Self::One) => &OBJECT_1,
            ("AggregationEvent", Self::One) => &AGGREGATION_1,
            ("TransactionEvent", Self::One) => &TRANSACTION_1,
            ("TransformationEvent", Self::One) => &TRANSFORMATION_1,
            ("AssociationEvent", Self::One) => &ASSOCIATION_1,
            ("QuantityEvent", Self::One) => &QUANTITY_1,
            ("ObjectEvent", Self::Two) => &OBJECT_2,
            ("AggregationEvent", Self::Two) => &AGGREGATION_2,
            ("TransactionEvent", Self::Two) => &TRANSACTION_2,
            ("TransformationEvent", Self::Two) => &TRANSFORMATION_2,
            ("AssociationEvent", Self::Two) => &ASSOCIATION_2,
            _ => return None,
        })
    }

    /// The model of a vocabulary element.
    pub(super) fn vocabulary_element(self) -> &'static Model {
        &VOCABULARY_ELEMENT
    }
}

/// The event types of XML, the one that is gone in 2.0 included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventKind {
    Object,
    Aggregation,
    Transaction,
    Transformation,
    Association,
    Quantity,
}

impl EventKind {
    pub(super) fn of(local: &str) -> Option<Self> {
        Some(match local {
            "ObjectEvent" => Self::Object,
            "AggregationEvent" => Self::Aggregation,
            "TransactionEvent" => Self::Transaction,
            "TransformationEvent" => Self::Transformation,
            "AssociationEvent" => Self::Association,
            "QuantityEvent" => Self::Quantity,
            _ => return None,
        })
    }

    /// The type in JSON: EPCIS 1.1 itself names the object event as what replaces the quantity event.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Object | Self::Quantity => "ObjectEvent",
            Self::Aggregation => "AggregationEvent",
            Self::Transaction => "TransactionEvent",
            Self::Transformation => "TransformationEvent",
            Self::Association => "AssociationEvent",
        }
    }

    /// Its bit in the table of fields.
    pub(super) fn bit(self) -> EventTypes {
        match self {
            Self::Object => field::OBJECT,
            Self::Aggregation => field::AGGREGATION,
            Self::Transaction => field::TRANSACTION,
            Self::Transformation => field::TRANSFORMATION,
            Self::Association => field::ASSOCIATION,
            Self::Quantity => field::QUANTITY,
        }
    }
}

/// What the document element is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Root {
    #[default]
    Document,
    Query,
    MasterData,
    Event(EventKind),
}

/// What is gone through without being held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Container {
    Root,
    RootExtension,
    Header,
    HeaderExtension,
    MasterData,
    VocabularyList,
    Vocabulary,
    VocabularyExtension,
    VocabularyElementList,
    Body,
    BodyExtension,
    QueryResults,
    QueryResultsExtension,
    ResultsBody,
    EventList,
    EventListExtension,
}
