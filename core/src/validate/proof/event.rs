//! The kinds of event: which members each has and needs.

use super::shape::event_bits;

/// What the schema says of one kind of event; the masks are of bits of the shape of all events.
#[derive(Debug)]
pub(super) struct Kind {
    /// The members that it may have, beside those whose names are URIs.
    pub(super) members: u32,
    /// The members whose value nobody looks at.
    pub(super) unchecked: u32,
    /// The members that it must have, beside those that all events must have.
    required: u32,
    /// Whether any other name is a member whose value nobody looks at.
    pub(super) is_open: bool,
    /// Whether its `epcList` may repeat entries.
    pub(super) repeats: bool,
    choice: Choice,
}

/// Of which members an event needs one or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// None.
    Free,
    /// What was observed, and ILMD only when something comes into being.
    Observed,
    /// Children, unless the relation ends.
    Children,
    /// Members, unless the relation ends.
    Entries,
    /// Inputs and outputs, or inputs or outputs of a transformation with an id.
    Transformed,
}

/// What was seen of an event.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen<'d> {
    /// The members that are there.
    pub(super) members: u32,
    /// Those of them that are arrays with something in them.
    pub(super) filled: u32,
    pub(super) action: &'d [u8],
}

impl Kind {
    /// The kind of the events of this `type`, if the standard defines one.
    pub(super) fn of(event_type: &[u8]) -> Option<&'static Self> {
        Some(match event_type {
            b"ObjectEvent" => &OBJECT,
            b"AggregationEvent" => &AGGREGATION,
            b"TransactionEvent" => &TRANSACTION,
            b"TransformationEvent" => &TRANSFORMATION,
            b"AssociationEvent" => &ASSOCIATION,
            _ => return None,
        })
    }

    /// Whether the members that are there are enough.
    pub(super) fn accepts(&self, seen: &Seen<'_>) -> bool {
        let has = |names: u32| seen.members & names != 0;
        let has_filled = |names: u32| seen.filled & names != 0;
        let is_end = seen.action == b"DELETE";
        let chosen = match self.choice {
            Choice::Free => true,
            Choice::Observed => {
                let is_observed = has(EPC_LIST)
                    || has_filled(QUANTITY_LIST)
                    || (has_filled(SENSOR_ELEMENT_LIST) && has(READ_POINT));
                is_observed && (!has(ILMD) || seen.action == b"ADD")
            }
            Choice::Children => is_end || has_filled(CHILDREN),
            Choice::Entries => {
                has_filled(BIZ_TRANSACTION_LIST)
                    && (is_end || has(EPC_LIST) || has_filled(QUANTITY_LIST))
            }
            Choice::Transformed => {
                let (inputs, outputs) = (has_filled(INPUTS), has_filled(OUTPUTS));
                (inputs && outputs) || ((inputs || outputs) && has(TRANSFORMATION_ID))
            }
        };
        chosen && seen.members & self.required == self.required
    }
}

pub(super) const ACTION: u32 = event_bits(&["action"]);
const BIZ_TRANSACTION_LIST: u32 = event_bits(&["bizTransactionList"]);
const CHILDREN: u32 = event_bits(&["childEPCs", "childQuantityList"]);
pub(super) const EPC_LIST: u32 = event_bits(&["epcList"]);
const ILMD: u32 = event_bits(&["ilmd"]);
const INPUTS: u32 = event_bits(&["inputEPCList", "inputQuantityList"]);
const OUTPUTS: u32 = event_bits(&["outputEPCList", "outputQuantityList"]);
const PARENT_ID: u32 = event_bits(&["parentID"]);
const PERSISTENT_DISPOSITION: u32 = event_bits(&["persistentDisposition"]);
const QUANTITY_LIST: u32 = event_bits(&["quantityList"]);
const READ_POINT: u32 = event_bits(&["readPoint"]);
const SENSOR_ELEMENT_LIST: u32 = event_bits(&["sensorElementList"]);
const TRANSFORMATION_ID: u32 = event_bits(&["transformationID"]);

pub(super) const CONTEXT: u32 = event_bits(&["@context"]);

/// The members of every event.
const COMMON: u32 = event_bits(&[
    "@context",
    "type",
    "eventTime",
    "recordTime",
    "eventTimeZoneOffset",
    "eventID",
    "certificationInfo",
    "errorDeclaration",
]);

/// The members of the five events of the standard.
const STANDARD: u32 = COMMON
    | event_bits(&[
        "bizStep",
        "disposition",
        "persistentDisposition",
        "readPoint",
        "bizLocation",
        "bizTransactionList",
        "sourceList",
        "destinationList",
        "sensorElementList",
    ]);

static OBJECT: Kind = Kind {
    members: STANDARD | ACTION | EPC_LIST | QUANTITY_LIST | ILMD,
    unchecked: 0,
    required: ACTION,
    is_open: false,
    repeats: false,
    choice: Choice::Observed,
};

static AGGREGATION: Kind = Kind {
    members: STANDARD | ACTION | PARENT_ID | CHILDREN,
    // The schema names the member and says nothing of its value; the same below.
    unchecked: PERSISTENT_DISPOSITION,
    required: ACTION,
    is_open: false,
    repeats: false,
    choice: Choice::Children,
};

static TRANSACTION: Kind = Kind {
    members: STANDARD | ACTION | PARENT_ID | EPC_LIST | QUANTITY_LIST,
    unchecked: PERSISTENT_DISPOSITION,
    required: ACTION | BIZ_TRANSACTION_LIST,
    is_open: false,
    repeats: true,
    choice: Choice::Entries,
};

static TRANSFORMATION: Kind = Kind {
    members: STANDARD | INPUTS | OUTPUTS | TRANSFORMATION_ID | ILMD,
    unchecked: 0,
    required: 0,
    is_open: false,
    repeats: false,
    choice: Choice::Transformed,
};

static ASSOCIATION: Kind = Kind {
    members: STANDARD | ACTION | PARENT_ID | CHILDREN,
    unchecked: PERSISTENT_DISPOSITION,
    required: ACTION | PARENT_ID,
    is_open: false,
    repeats: false,
    choice: Choice::Children,
};

/// An event whose type is a URI.
pub(super) static EXTENSION: Kind = Kind {
    members: u32::MAX,
    unchecked: !COMMON,
    required: 0,
    is_open: true,
    repeats: true,
    choice: Choice::Free,
};
