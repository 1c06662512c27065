//! What a query asks of master data, and the condition that it becomes once master data has answered.
//!
//! **Source**: EPCIS 2.0, 8.2.7.1: `WD_readPoint`, `WD_bizLocation`, `HASATTR_fieldname`, `EQATTR_fieldname_attrname`.

use super::facts::{Facts, Place};
use super::matcher::Matcher;
use super::{Condition, Field, normal};
use serde::Serialize;
use std::collections::BTreeSet;

/// A condition on identifiers that only master data names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lookup {
    /// Where the identifier stands.
    pub subject: Subject,
    /// What master data must say of it.
    pub asked: AskedOfMasterData,
}

/// Where an identifier stands that master data describes.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Subject {
    /// A text of any of these fields.
    Fields(Vec<Field>),
    /// The identifier of a text with a type, of this field.
    Typed(Field),
    /// An extension field of the event, by its expanded name.
    Extension(String),
}

/// What master data must say of an identifier.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum AskedOfMasterData {
    /// It is one of these, or below one of them, at any depth.
    Within(BTreeSet<String>),
    /// It has one of these attributes.
    HasAttribute(BTreeSet<String>),
    /// It has this attribute with one of these values.
    AttributeIs {
        /// The whole name of the attribute.
        name: String,
        /// The values.
        values: BTreeSet<String>,
    },
}

impl Lookup {
    /// The condition with the identifiers that master data has named.
    #[must_use]
    pub fn resolved(&self, identifiers: BTreeSet<String>) -> Condition {
        let fields = match &self.subject {
            Subject::Fields(fields) => fields.clone(),
            // Where there is none, no text of whatever field is accepted, which stores find out quickly.
            Subject::Typed(field) if identifiers.is_empty() => vec![*field],
            Subject::Extension(_) if identifiers.is_empty() => vec![Field::Epc],
            subject => {
                return Condition::Identifier {
                    subject: subject.clone(),
                    identifiers,
                };
            }
        };
        Condition::Term {
            fields,
            matcher: Matcher::exactly(identifiers),
        }
    }
}

impl Subject {
    /// The extension field that it is, if it is one.
    pub(super) fn extension(&self) -> Option<&str> {
        match self {
            Self::Extension(name) => Some(name),
            Self::Fields(_) | Self::Typed(_) => None,
        }
    }

    /// Whether the event has one of these identifiers there.
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
                found.place == Place::Event
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
