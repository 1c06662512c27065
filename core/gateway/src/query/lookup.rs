//! Conditions on master data, and the conditions on identifiers that they become once master data was queried.
//!
//! **Source**: EPCIS 2.0, 8.2.7.1: `WD_readPoint`, `WD_bizLocation`, `HASATTR_fieldname`, `EQATTR_fieldname_attrname`.

use super::facts::{EventPart, Facts};
use super::matcher::Matcher;
use super::{Condition, Field};
use epcis_edge_document::normal;
use serde::Serialize;
use std::collections::BTreeSet;

/// A condition on an identifier that depends on its master data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lookup {
    /// The part of the event that has the identifier.
    pub subject: IdentifierSource,
    /// The condition on the master data of the identifier.
    pub asked: MasterDataCondition,
}

/// A part of an event that has an identifier with master data.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum IdentifierSource {
    /// A text of any of these fields.
    Fields(Vec<Field>),
    /// The identifier in a typed text of this field.
    Typed(Field),
    /// An extension field of the event, by its expanded name.
    Extension(String),
}

/// A condition on the master data of an identifier.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum MasterDataCondition {
    /// The identifier is one of these, or lies below one of them, at any depth.
    Within(BTreeSet<String>),
    /// It has one of these attributes.
    HasAttribute(BTreeSet<String>),
    /// It has this attribute with one of these values.
    AttributeIs {
        /// The full name of the attribute.
        name: String,
        /// The values.
        values: BTreeSet<String>,
    },
}

impl Lookup {
    /// The condition on the event, given the identifiers that master data found.
    #[must_use]
    pub fn resolved(&self, identifiers: BTreeSet<String>) -> Condition {
        let fields = match &self.subject {
            IdentifierSource::Fields(fields) => fields.clone(),
            // Without identifiers nothing matches; as a term condition, stores see that quickly.
            IdentifierSource::Typed(field) if identifiers.is_empty() => vec![*field],
            IdentifierSource::Extension(_) if identifiers.is_empty() => vec![Field::Epc],
            subject => {
                return Condition::Identifier { subject: subject.clone(), identifiers };
            }
        };
        Condition::Term { fields, matcher: Matcher::exactly(identifiers) }
    }
}

impl IdentifierSource {
    /// The name of the extension field, if it is one.
    pub(super) fn extension(&self) -> Option<&str> {
        match self {
            Self::Extension(name) => Some(name),
            Self::Fields(_) | Self::Typed(_) => None,
        }
    }

    /// Whether the event has one of these identifiers in this part.
    pub(super) fn is_one_of(&self, identifiers: &BTreeSet<String>, facts: &Facts) -> bool {
        match self {
            Self::Fields(fields) => facts
                .terms
                .iter()
                .any(|term| fields.contains(&term.field) && identifiers.contains(&term.value)),
            Self::Typed(field) => facts.terms.iter().any(|term| {
                term.field == *field
                    && normal::identifier_of_typed(&term.value)
                        .is_some_and(|identifier| identifiers.contains(identifier))
            }),
            Self::Extension(name) => facts.extensions.iter().any(|found| {
                found.place == EventPart::Event
                    && !found.is_inner
                    && *found.name == **name
                    && found
                        .value
                        .as_deref()
                        .is_some_and(|value| identifiers.contains(&normal::identifier(value)))
            }),
        }
    }
}
