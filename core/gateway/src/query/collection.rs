//! The top-level resources of the REST binding that list values: what each lists, and which parameter selects the events of one.

use super::Field;
use epcis_edge_document::event::{BIZ_LOCATION, Fields, LISTS_OF_EPCS, PARENT, READ_POINT};
use epcis_edge_document::normal;
use epcis_edge_document::vocabulary::{BIZ_STEP, DISPOSITION, EVENT_TYPES, Vocabulary};
use epcis_edge_schema::has_form_of_iri;
use epcis_edge_text::json::Value;
use std::borrow::Cow;

/// A resource that lists values of events.
///
/// The numbers are those that stores keep. Closed.
///
/// **Source**: EPCIS 2.0, 12 (top-level resources).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Collection {
    /// `/eventTypes`
    EventTypes = 1,
    /// `/epcs`
    Epcs = 2,
    /// `/bizSteps`
    BizSteps = 3,
    /// `/bizLocations`
    BizLocations = 4,
    /// `/readPoints`
    ReadPoints = 5,
    /// `/dispositions`
    Dispositions = 6,
}

/// The longest value that is listed, in bytes; queries find events with longer ones too.
///
/// An index keeps texts of this length unchanged: see [`index_key`](super::index_key).
pub const MAX_LISTED: usize = 253;

impl Collection {
    /// All collections, in the order of the standard.
    pub const ALL: [Self; 6] = [
        Self::EventTypes,
        Self::Epcs,
        Self::BizSteps,
        Self::BizLocations,
        Self::ReadPoints,
        Self::Dispositions,
    ];

    /// The name of the collection in a path.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::EventTypes => "eventTypes",
            Self::Epcs => "epcs",
            Self::BizSteps => "bizSteps",
            Self::BizLocations => "bizLocations",
            Self::ReadPoints => "readPoints",
            Self::Dispositions => "dispositions",
        }
    }

    /// The parameter that selects the events of one value.
    #[must_use]
    pub fn parameter(self) -> &'static str {
        match self {
            Self::EventTypes => "eventType",
            Self::Epcs => "MATCH_anyEPC",
            Self::BizSteps => "EQ_bizStep",
            Self::BizLocations => "EQ_bizLocation",
            Self::ReadPoints => "EQ_readPoint",
            Self::Dispositions => "EQ_disposition",
        }
    }

    /// The collection that lists the values of a field, if one does.
    #[must_use]
    pub fn of(field: Field) -> Option<Self> {
        Some(match field {
            Field::EventType => Self::EventTypes,
            Field::Epc | Field::ChildEpc | Field::ParentId | Field::InputEpc | Field::OutputEpc => {
                Self::Epcs
            }
            Field::BizStep => Self::BizSteps,
            Field::BizLocation => Self::BizLocations,
            Field::ReadPoint => Self::ReadPoints,
            Field::Disposition => Self::Dispositions,
            _ => return None,
        })
    }

    /// The words that are listed even if no event has them.
    #[must_use]
    pub fn standard_words(self) -> &'static [&'static str] {
        match self {
            Self::EventTypes => &EVENT_TYPES,
            Self::BizSteps => BIZ_STEP.words,
            Self::Dispositions => DISPOSITION.words,
            Self::Epcs | Self::BizLocations | Self::ReadPoints => &[],
        }
    }

    /// Whether a value in normal form is a word of the standard.
    #[must_use]
    pub fn is_standard(self, value: &str) -> bool {
        let of = |vocabulary: &Vocabulary| {
            let word = value.strip_prefix(vocabulary.web);
            word.is_some_and(|word| vocabulary.contains(word))
        };
        match self {
            Self::EventTypes => EVENT_TYPES.contains(&value),
            Self::BizSteps => of(&BIZ_STEP),
            Self::Dispositions => of(&DISPOSITION),
            Self::Epcs | Self::BizLocations | Self::ReadPoints => false,
        }
    }

    /// The values of an event as captured; empty for collections of words.
    pub(crate) fn captured<'d>(self, event: Value<'d>) -> Vec<Cow<'d, str>> {
        let mut found = Vec::new();
        for (field, value) in Fields::of(event).each() {
            match (self, field) {
                (Self::Epcs, PARENT) => found.extend(value.as_str()),
                (Self::Epcs, list) if LISTS_OF_EPCS.contains(&list) => {
                    found.extend(value.elements().filter_map(Value::as_str));
                }
                (Self::BizLocations, BIZ_LOCATION) | (Self::ReadPoints, READ_POINT) => {
                    found.extend(value.get("id").and_then(Value::as_str));
                }
                _ => {}
            }
        }
        found
    }

    /// The form in which an identifier is listed.
    pub(crate) fn normal_form(captured: &str) -> String {
        normal::identifier(captured)
    }

    /// Whether a text could be a value: a URI, or a word.
    #[must_use]
    pub fn could_be_value(text: &str) -> bool {
        let is_word = || {
            text.starts_with(|first: char| first.is_ascii_alphanumeric())
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
        };
        has_form_of_iri(text) || is_word()
    }
}
