//! The order by an extension field.
//!
//! Numbers come before times, times before texts. Numbers are ordered by value, times as instants, texts by code point. An event
//! with several values is ordered by the first of them in the requested direction. Events without a value come last in either
//! direction. Events with the same value come in the order of capture, in the requested direction.

use super::facts::{EventPart, Facts};
use super::number::Decimal;
use epcis_edge_text::json::Value;
use epcis_edge_text::time::Timestamp;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A top-level extension field that an answer is ordered by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OrderField {
    /// The expanded name.
    pub(super) name: String,
}

/// The rank of an event in an order by a field; lower ranks come first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(Direction);

/// Both directions are variants, but ranks of one order always have the same direction.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Direction {
    Ascending(bool, Option<FieldValue>, u64),
    Descending(bool, Reverse<Option<FieldValue>>, Reverse<u64>),
}

/// A value to order by; the variants are in ascending order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FieldValue {
    Number(Decimal),
    Time(Timestamp),
    Text(String),
}

impl FieldValue {
    fn of(text: &str) -> Self {
        if let Some(number) = Decimal::parse(text) {
            return Self::Number(number);
        }
        match Timestamp::parse(text) {
            Some(time) => Self::Time(time),
            None => Self::Text(text.to_owned()),
        }
    }
}

impl OrderField {
    /// The rank of an event; `sequence` is its number among all events.
    pub(crate) fn rank(&self, event: Value<'_>, sequence: u64, is_descending: bool) -> Rank {
        let facts = Facts::named(event, BTreeSet::from([self.name.as_str()]));
        let found = facts.extensions.iter();
        let found = found.filter(|found| found.place == EventPart::Event && !found.is_inner);
        let values = found.filter_map(|found| found.value.as_deref().map(FieldValue::of));
        Rank(if is_descending {
            let value = values.max();
            Direction::Descending(value.is_none(), Reverse(value), Reverse(sequence))
        } else {
            let value = values.min();
            Direction::Ascending(value.is_none(), value, sequence)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use epcis_edge_text::json::Document;

    #[test]
    fn values_of_all_kinds_have_one_order() {
        let ascending = [
            "-1",
            "\"9\"",
            "10",
            "1e2",
            "\"2026-01-01T00:00:00+01:00\"",
            "\"2026-01-01T00:00:00Z\"",
            "\"B\"",
            "[\"z\", \"a\"]",
            "true",
            "\"\u{ffff}\"",
            "\"\u{10000}\"",
            "{}",
            "null",
        ];
        let field = OrderField { name: "https://n.example/f".to_owned() };
        let rank = |value: &str, is_descending| {
            let text = format!(r#"{{"@context":{{"n":"https://n.example/"}},"n:f":{value}}}"#);
            let document = Document::read(text.as_bytes()).unwrap();
            field.rank(document.root(), 1, is_descending)
        };
        let ranks: Vec<_> = ascending.iter().map(|value| rank(value, false)).collect();
        assert!(ranks.is_sorted());
        assert!(rank("1", false) < rank("\"1.5\"", false));
        assert!(rank("1", true) > rank("\"1.5\"", true));
        // The greatest value counts, and events without a value are last.
        assert!(rank("[1, 9]", true) < rank("8", true));
        assert!(rank("1", true) < rank("{}", true));
    }
}
