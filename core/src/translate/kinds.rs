//! What documents, events and schemas are told apart by.

use crate::field::{self, EventTypes};

/// The two families of schemas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Family {
    /// EPCIS 1.0 to 1.2.
    One,
    /// EPCIS 2.0.
    #[default]
    Two,
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

impl Root {
    /// What the document is in JSON: master data has no document of its own.
    pub(super) fn in_json(self) -> Self {
        match self {
            Self::MasterData => Self::Document,
            other => other,
        }
    }
}
