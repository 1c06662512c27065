//! The official schema as tables: which members an object has, and what their values must be.

use super::words::{Index, Uris, Words};
use crate::json::Kinds;
use crate::vocabulary;

/// What a value must be.
#[derive(Debug)]
pub(super) enum Check {
    /// A value of one of these kinds.
    Kind(Kinds),
    /// A string that passes a test of its bytes.
    Text(fn(&[u8]) -> bool),
    /// A string that is a URI.
    Uri,
    /// A word, or a URI in its place.
    Word(&'static Words),
    /// An object.
    Object(&'static Shape),
    /// An array.
    List {
        item: &'static Check,
        /// Whether it must not be empty.
        filled: bool,
        /// Whether its entries must differ.
        distinct: bool,
    },
    /// One or the other by the kind of the value: this one, unless it is an array.
    OneOrList(&'static Check, &'static Check),
    /// A JSON-LD context.
    Context,
}

/// An object whose members are known.
#[derive(Debug)]
pub(super) struct Shape {
    members: &'static [(&'static str, Check)],
    index: Index,
    /// One bit for each member.
    pub(super) required: u32,
    /// The members of which it must have one; 0 where there is no such choice.
    pub(super) choice: u32,
    pub(super) others: Others,
}

/// Which further names an object may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Others {
    /// None.
    None,
    /// Those that are URIs, whatever their value.
    Uris,
    /// All, whatever their value.
    All,
}

impl Shape {
    #[expect(
        clippy::indexing_slicing,
        reason = "runs when we build, where a wrong index is a build error"
    )]
    const fn new(
        members: &'static [(&'static str, Check)],
        required: &[&str],
        others: Others,
    ) -> Self {
        // One bit of a mask for each member.
        assert!(members.len() <= 32);
        let mut index = Index::EMPTY;
        let mut position = 0;
        while position < members.len() {
            index = index.with(members[position].0, position);
            position += 1;
        }
        Self {
            members,
            index,
            required: bits(members, required),
            choice: 0,
            others,
        }
    }

    /// The bit and the check of a member.
    #[inline]
    pub(super) fn find(&self, name: &[u8]) -> Option<(u32, &'static Check)> {
        let name_at = |position: usize| Some(self.members.get(position)?.0);
        let position = self.index.find(name, name_at)?;
        Some((1 << position, &self.members.get(position)?.1))
    }
}

/// The bits of some members; a name that is not among them stops the build.
#[expect(
    clippy::indexing_slicing,
    reason = "runs when we build, where a wrong index is a build error"
)]
const fn bits(members: &[(&str, Check)], names: &[&str]) -> u32 {
    let mut bits = 0;
    let mut at = 0;
    while at < names.len() {
        let mut position = 0;
        while !same(names[at].as_bytes(), members[position].0.as_bytes()) {
            position += 1;
        }
        bits |= 1 << position;
        at += 1;
    }
    bits
}

const fn same(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([a, one_rest @ ..], [b, other_rest @ ..]) = (one, other) {
        if *a != *b {
            return false;
        }
        one = one_rest;
        other = other_rest;
    }
    one.is_empty() && other.is_empty()
}

/// The bits of members of [`EVENT`].
pub(super) const fn event_bits(names: &[&str]) -> u32 {
    bits(&EVENT_MEMBERS, names)
}

const STRING: Check = Check::Kind(Kinds::STRING);
const NUMBER: Check = Check::Kind(Kinds::NUMBER);
const TIME: Check = Check::Text(super::format::is_date_time);

const fn list(item: &'static Check) -> Check {
    Check::List {
        item,
        filled: false,
        distinct: false,
    }
}

const fn filled_list(item: &'static Check) -> Check {
    Check::List {
        item,
        filled: true,
        distinct: false,
    }
}

const fn distinct_list(item: &'static Check) -> Check {
    Check::List {
        item,
        filled: false,
        distinct: true,
    }
}

const fn cbv(vocabulary: &vocabulary::Vocabulary) -> Words {
    Words::new(vocabulary.words, Uris::ExceptCbv)
}

const fn gs1(vocabulary: &vocabulary::Vocabulary) -> Words {
    Words::new(vocabulary.words, Uris::ExceptWebVocabulary)
}

static ACTION: Words = Words::new(&vocabulary::ACTIONS, Uris::None);
static BIZ_STEP: Words = cbv(&vocabulary::BIZ_STEP);
static BIZ_TRANSACTION_TYPE: Words = cbv(&vocabulary::BIZ_TRANSACTION_TYPE);
static COMPONENT: Words = cbv(&vocabulary::COMPONENT);
static DISPOSITION: Words = cbv(&vocabulary::DISPOSITION);
static ERROR_REASON: Words = cbv(&vocabulary::ERROR_REASON);
static MEASUREMENT_TYPE: Words = gs1(&vocabulary::MEASUREMENT_TYPE);
static SENSOR_ALERT_TYPE: Words = gs1(&vocabulary::SENSOR_ALERT_TYPE);
static SOURCE_DESTINATION_TYPE: Words = cbv(&vocabulary::SOURCE_DESTINATION_TYPE);

/// `epcisDocument`. The event list is judged entry by entry, elsewhere.
pub(super) static DOCUMENT: Shape = Shape::new(
    &[
        ("@context", Check::Context),
        ("type", STRING),
        ("id", Check::Uri),
        ("schemaVersion", Check::Text(super::format::is_version)),
        ("creationDate", TIME),
        ("instanceIdentifier", STRING),
        ("sender", STRING),
        ("receiver", STRING),
        ("epcisHeader", Check::Object(&HEADER)),
        ("epcisBody", Check::Object(&BODY)),
    ],
    &[
        "@context",
        "type",
        "schemaVersion",
        "creationDate",
        "epcisBody",
    ],
    Others::Uris,
);

static BODY: Shape = Shape::new(
    &[("eventList", Check::Kind(Kinds::ARRAY))],
    &["eventList"],
    Others::All,
);

static HEADER: Shape = Shape::new(
    &[("epcisMasterData", Check::Object(&MASTER_DATA))],
    &[],
    Others::Uris,
);

static MASTER_DATA: Shape = Shape::new(
    &[("vocabularyList", list(&Check::Object(&VOCABULARY)))],
    &[],
    Others::All,
);

static VOCABULARY: Shape = Shape::new(
    &[
        ("type", Check::Uri),
        (
            "vocabularyElementList",
            list(&Check::Object(&VOCABULARY_ELEMENT)),
        ),
    ],
    &["type"],
    Others::All,
);

static VOCABULARY_ELEMENT: Shape = Shape::new(
    &[
        ("id", Check::Uri),
        ("attributes", list(&Check::Object(&ATTRIBUTE))),
        ("children", list(&Check::Uri)),
    ],
    &["id"],
    Others::All,
);

static ATTRIBUTE: Shape = Shape::new(
    &[
        ("id", Check::Uri),
        (
            "attribute",
            Check::Kind(Kinds::NUMBER.or(Kinds::STRING).or(Kinds::OBJECT)),
        ),
    ],
    &["id"],
    Others::All,
);

/// `epcisQueryDocument`, likewise without the entries of its event list.
pub(super) static QUERY_DOCUMENT: Shape = Shape::new(
    &[
        ("@context", Check::Context),
        ("type", STRING),
        ("id", Check::Uri),
        ("schemaVersion", Check::Text(super::format::is_version)),
        ("creationDate", TIME),
        ("epcisBody", Check::Object(&QUERY_BODY)),
    ],
    &["@context", "type", "epcisBody"],
    Others::Uris,
);

static QUERY_BODY: Shape = Shape::new(
    &[("queryResults", Check::Object(&QUERY_RESULTS))],
    &["queryResults"],
    Others::Uris,
);

static QUERY_RESULTS: Shape = Shape::new(
    &[
        ("queryName", STRING),
        ("subscriptionID", STRING),
        ("resultsBody", Check::Object(&RESULTS_BODY)),
    ],
    &["queryName", "resultsBody"],
    Others::Uris,
);

static RESULTS_BODY: Shape = Shape::new(
    &[
        ("eventList", Check::Kind(Kinds::ARRAY)),
        ("vocabularyList", list(&Check::Object(&VOCABULARY))),
    ],
    &["eventList"],
    Others::Uris,
);

/// The members of the five events together; which of them an event has, and needs, is its kind's.
pub(super) static EVENT: Shape = Shape::new(
    &EVENT_MEMBERS,
    &["type", "eventTime", "eventTimeZoneOffset"],
    Others::Uris,
);

static EVENT_MEMBERS: [(&str, Check); 29] = [
    ("@context", Check::Context),
    ("type", STRING),
    ("eventTime", TIME),
    ("recordTime", TIME),
    ("eventTimeZoneOffset", Check::Text(super::format::is_offset)),
    ("eventID", Check::Uri),
    (
        "certificationInfo",
        Check::OneOrList(&Check::Uri, &list(&Check::Uri)),
    ),
    ("errorDeclaration", Check::Object(&ERROR_DECLARATION)),
    ("action", Check::Word(&ACTION)),
    ("bizStep", Check::Word(&BIZ_STEP)),
    ("disposition", Check::Word(&DISPOSITION)),
    (
        "persistentDisposition",
        Check::Object(&PERSISTENT_DISPOSITION),
    ),
    ("readPoint", Check::Object(&PLACE)),
    ("bizLocation", Check::Object(&PLACE)),
    ("bizTransactionList", list(&Check::Object(&BIZ_TRANSACTION))),
    ("sourceList", list(&Check::Object(&SOURCE))),
    ("destinationList", list(&Check::Object(&DESTINATION))),
    ("sensorElementList", list(&Check::Object(&SENSOR_ELEMENT))),
    ("ilmd", Check::Object(&ILMD)),
    ("parentID", Check::Uri),
    ("epcList", distinct_list(&Check::Uri)),
    ("childEPCs", list(&Check::Uri)),
    ("inputEPCList", distinct_list(&Check::Uri)),
    ("outputEPCList", distinct_list(&Check::Uri)),
    ("quantityList", list(&Check::Object(&QUANTITY))),
    ("childQuantityList", list(&Check::Object(&QUANTITY))),
    ("inputQuantityList", list(&Check::Object(&QUANTITY))),
    ("outputQuantityList", list(&Check::Object(&QUANTITY))),
    ("transformationID", Check::Uri),
];

/// The `epcList` of a TransactionEvent, which may repeat entries.
pub(super) static REPEATING_EPC_LIST: Check = list(&Check::Uri);

static ERROR_DECLARATION: Shape = Shape::new(
    &[
        ("declarationTime", TIME),
        ("reason", Check::Word(&ERROR_REASON)),
        ("correctiveEventIDs", list(&Check::Uri)),
    ],
    &["declarationTime"],
    Others::Uris,
);

static PERSISTENT_DISPOSITION: Shape = Shape {
    choice: bits(DISPOSITION_MEMBERS, &["set", "unset"]),
    ..Shape::new(DISPOSITION_MEMBERS, &[], Others::None)
};

const DISPOSITION_MEMBERS: &[(&str, Check)] = &[("set", DISPOSITIONS), ("unset", DISPOSITIONS)];

const DISPOSITIONS: Check = Check::List {
    item: &Check::Word(&DISPOSITION),
    filled: true,
    distinct: true,
};

static PLACE: Shape = Shape::new(&[("id", Check::Uri)], &["id"], Others::All);

static BIZ_TRANSACTION: Shape = Shape::new(
    &[
        ("type", Check::Word(&BIZ_TRANSACTION_TYPE)),
        ("bizTransaction", Check::Uri),
    ],
    &["bizTransaction"],
    Others::None,
);

static SOURCE: Shape = Shape::new(
    &[
        ("type", Check::Word(&SOURCE_DESTINATION_TYPE)),
        ("source", Check::Uri),
    ],
    &["type", "source"],
    Others::None,
);

static DESTINATION: Shape = Shape::new(
    &[
        ("type", Check::Word(&SOURCE_DESTINATION_TYPE)),
        ("destination", Check::Uri),
    ],
    &["type", "destination"],
    Others::None,
);

static QUANTITY: Shape = Shape::new(
    &[
        ("epcClass", Check::Uri),
        ("quantity", NUMBER),
        ("uom", Check::Text(super::format::is_unit)),
    ],
    &["epcClass"],
    Others::None,
);

static ILMD: Shape = Shape::new(&[], &[], Others::Uris);

static SENSOR_ELEMENT: Shape = Shape::new(
    &[
        ("sensorMetadata", Check::Object(&SENSOR_METADATA)),
        ("sensorReport", filled_list(&Check::Object(&SENSOR_REPORT))),
    ],
    &["sensorReport"],
    Others::Uris,
);

static SENSOR_METADATA: Shape = Shape::new(
    &[
        ("time", TIME),
        ("deviceID", Check::Uri),
        ("deviceMetadata", Check::Uri),
        ("rawData", Check::Uri),
        ("startTime", TIME),
        ("endTime", TIME),
        ("dataProcessingMethod", Check::Uri),
        ("bizRules", Check::Uri),
    ],
    &[],
    Others::Uris,
);

static SENSOR_REPORT: Shape = Shape::new(
    &[
        ("type", Check::Word(&MEASUREMENT_TYPE)),
        ("exception", Check::Word(&SENSOR_ALERT_TYPE)),
        ("deviceID", Check::Uri),
        ("deviceMetadata", Check::Uri),
        ("rawData", Check::Uri),
        ("dataProcessingMethod", Check::Uri),
        ("bizRules", Check::Uri),
        ("time", TIME),
        ("microorganism", Check::Uri),
        ("chemicalSubstance", Check::Uri),
        ("coordinateReferenceSystem", Check::Uri),
        ("value", NUMBER),
        ("component", Check::Word(&COMPONENT)),
        ("stringValue", STRING),
        ("booleanValue", Check::Kind(Kinds::BOOLEAN)),
        ("hexBinaryValue", Check::Text(super::format::is_hexadecimal)),
        ("uriValue", Check::Uri),
        ("minValue", NUMBER),
        ("maxValue", NUMBER),
        ("meanValue", NUMBER),
        ("sDev", NUMBER),
        ("percRank", NUMBER),
        ("percValue", NUMBER),
        ("uom", STRING),
    ],
    &["type"],
    Others::Uris,
);
