//! The typed predicate of a query, and its evaluation.

use super::facts::{EventPart, Facts};
use super::lookup::{IdentifierSource, Lookup};
use super::matcher::Matcher;
use super::number::Decimal;
use super::{Field, NumberField, TimeField};
use epcis_edge_document::normal;
use epcis_edge_text::json::Value;
use epcis_edge_text::time::Timestamp;
use serde::Serialize;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The conditions of a query, all of which an event must fulfil (EPCIS 2.0, 8.2.7.1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Predicate {
    /// The conditions; if there are none, every event matches.
    pub conditions: Vec<Condition>,
}

/// One condition on an event. An event without the field does not fulfil it.
///
/// Open: later versions add variants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Condition {
    /// There is an error declaration.
    DeclaresError,
    /// An extension member with this name is present, and its value passes the test.
    Extension {
        /// The part of the event that has it.
        place: EventPart,
        /// Whether it is nested deeper in that part, not directly in it.
        is_inner: bool,
        /// The expanded name.
        name: String,
        /// The test of its value; `None` if presence is enough.
        test: Option<ValueTest>,
    },
    /// There is sensor data.
    HasSensors,
    /// The identifier of a subject is one of these.
    Identifier {
        /// The part of the event that has the identifier.
        subject: IdentifierSource,
        /// The identifiers, in normal form.
        identifiers: BTreeSet<String>,
    },
    /// A condition on master data; no event fulfils it before it is [resolved](Lookup::resolved).
    MasterData(Lookup),
    /// The event has one of these names: its `eventID`, or the hash of the event as it was sent.
    Named(Vec<String>),
    /// The number of a field, in this unit if one is given, passes a comparison.
    Number {
        /// The field of the number.
        field: NumberField,
        /// The unit; `None` for any.
        unit: Option<String>,
        /// How it compares.
        comparison: Comparison,
        /// The values to compare with; one of them is enough.
        values: BTreeSet<Decimal>,
    },
    /// A text of any of the fields matches.
    Term {
        /// The fields of the texts.
        fields: Vec<Field>,
        /// The texts that match.
        matcher: Matcher,
    },
    /// The time of a field is not before (`GE`) or before (`LT`) another.
    Time {
        /// The field of the time.
        field: TimeField,
        /// How it compares.
        comparison: Comparison,
        /// The time to compare with.
        time: Timestamp,
    },
}

/// A test for the value of an extension member. A time compares with a time, a number with a number; texts can only be equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ValueTest {
    comparison: Comparison,
    numbers: BTreeSet<Decimal>,
    times: BTreeSet<Timestamp>,
    /// As written and, for identifiers, in normal form.
    texts: BTreeSet<String>,
}

/// How two values compare; the names are those of the query language.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Comparison {
    /// `EQ_`
    Equal,
    /// `GT_`
    Greater,
    /// `GE_`
    GreaterOrEqual,
    /// `LT_`
    Less,
    /// `LE_`
    LessOrEqual,
}

impl Comparison {
    /// Whether the comparison holds for two values.
    #[must_use]
    pub fn holds<T: Ord>(self, found: &T, wanted: &T) -> bool {
        let order = found.cmp(wanted);
        match self {
            Self::Equal => order.is_eq(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
        }
    }

    /// Whether the comparison holds for a value and any of the others, in logarithmic time.
    fn holds_with_any<T: Ord>(self, found: &T, wanted: &BTreeSet<T>) -> bool {
        match self {
            Self::Equal => wanted.contains(found),
            Self::Greater | Self::GreaterOrEqual => {
                wanted.first().is_some_and(|least| self.holds(found, least))
            }
            Self::Less | Self::LessOrEqual => {
                wanted.last().is_some_and(|most| self.holds(found, most))
            }
        }
    }
}

impl Predicate {
    /// Whether an event fulfils all conditions.
    ///
    /// `content_hash`: the hash of the event as it was sent, which is also a name of the event.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_text::json::Document; use epcis_edge_gateway::query::{Facts, Query};
    /// let query = Document::read(br#"{"EQ_action": ["ADD", "DELETE"]}"#)?;
    /// let predicate = Query::read(query.root())?.predicate;
    /// let event = Document::read(br#"{"type": "ObjectEvent", "action": "ADD"}"#)?;
    /// assert!(predicate.matches(&Facts::of(event.root()), ""));
    /// # Ok::<(), epcis_edge_text::error::Error>(())
    /// ```
    #[must_use]
    pub fn matches(&self, facts: &Facts, content_hash: &str) -> bool {
        self.conditions.iter().all(|condition| condition.matches(facts, content_hash))
    }
}

impl Predicate {
    /// Whether it has conditions on extension members, which the facts of an index do not contain.
    pub(crate) fn asks_about_extensions(&self) -> bool {
        !self.extension_names().is_empty()
    }

    /// Whether master data must be queried before events are compared.
    pub(crate) fn asks_master_data(&self) -> bool {
        let mut conditions = self.conditions.iter();
        conditions.any(|condition| matches!(condition, Condition::MasterData(_)))
    }

    /// The facts that it needs: extension members only of the names in its conditions.
    ///
    /// An event may have more extension members, and with longer names, than fit in memory once expanded.
    #[must_use]
    pub fn facts(&self, event: Value<'_>) -> Facts {
        Facts::named(event, self.extension_names())
    }

    /// The names of the extension members in its conditions.
    fn extension_names(&self) -> BTreeSet<&str> {
        let named = self.conditions.iter();
        named
            .filter_map(|condition| match condition {
                Condition::Extension { name, .. } => Some(name.as_str()),
                Condition::Identifier { subject, .. } => subject.extension(),
                _ => None,
            })
            .collect()
    }
}

impl Condition {
    fn matches(&self, facts: &Facts, content_hash: &str) -> bool {
        match self {
            Self::DeclaresError => facts.declares_error,
            Self::HasSensors => facts.has_sensors,
            Self::Identifier { subject, identifiers } => subject.is_one_of(identifiers, facts),
            Self::MasterData(_) => false,
            Self::Named(names) => {
                names.iter().any(|name| name == content_hash || facts.is_named(name))
            }
            Self::Term { fields, matcher } => facts
                .terms
                .iter()
                .any(|term| fields.contains(&term.field) && matcher.matches(&term.value)),
            Self::Time { field, comparison, time } => facts
                .times
                .iter()
                .any(|(found, value)| found == field && comparison.holds(value, time)),
            Self::Number { field, unit, comparison, values } => facts.numbers.iter().any(|found| {
                found.field == *field
                    && (unit.is_none() || found.unit == *unit)
                    && comparison.holds_with_any(&found.value, values)
            }),
            Self::Extension { place, is_inner, name, test } => {
                // Names may be long and members many, so the name is looked up once.
                let Some(name) = facts.names.get(name.as_str()) else {
                    return false;
                };
                facts.extensions.iter().any(|found| {
                    found.place == *place
                        && found.is_inner == *is_inner
                        && Rc::ptr_eq(&found.name, name)
                        && match (test, &found.value) {
                            (None, value) => value.as_deref() != Some(""),
                            (Some(test), Some(value)) => test.holds(value),
                            (Some(_), None) => false,
                        }
                })
            }
        }
    }
}

impl ValueTest {
    /// A comparison with values as they are written; one of them is enough.
    #[must_use]
    pub fn new(comparison: Comparison, values: Vec<String>) -> Self {
        let parsed = values.iter();
        let numbers = parsed.clone().filter_map(|text| Decimal::parse(text));
        let times = parsed.clone().filter_map(|text| Timestamp::parse(text));
        let normal = parsed.map(|text| normal::identifier(text));
        Self {
            comparison,
            numbers: numbers.collect(),
            times: times.collect(),
            texts: normal.chain(values.iter().cloned()).collect(),
        }
    }

    /// Whether a value is a number or a time; only these have an order.
    pub(super) fn is_ordered(value: &str) -> bool {
        Decimal::parse(value).is_some() || Timestamp::parse(value).is_some()
    }

    fn holds(&self, found: &str) -> bool {
        if !self.times.is_empty()
            && let Some(found) = Timestamp::parse(found)
        {
            return self.comparison.holds_with_any(&found, &self.times);
        }
        if !self.numbers.is_empty()
            && let Some(found) = Decimal::parse(found)
        {
            return self.comparison.holds_with_any(&found, &self.numbers);
        }
        self.comparison == Comparison::Equal
            && (self.texts.contains(found) || self.texts.contains(&normal::identifier(found)))
    }
}
