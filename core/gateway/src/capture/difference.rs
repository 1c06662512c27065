//! Compares an event with the stored event of the same hash: they may differ in spelling, in order, and in what the hash leaves
//! out.

use epcis_edge_text::error::DocumentError;
use epcis_edge_text::json::{Kind, Value, push_step};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};

/// The most differences reported for one event.
const MAX_DIFFERENCES: usize = 100;

/// The longest value that is reported, in bytes; for a longer value, its length is reported.
const MAX_REPORTED: usize = 1000;

/// A difference between two events with the same hash.
///
/// # Example
/// An event with `"certificationInfo": "https://example.com/1"` that is stored without it:
/// `{"path": "/certificationInfo", "sent": "https://example.com/1"}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The JSON Pointer, relative to the event; `""` in a last entry that stands for all further differences, if there are over 100
    /// of them or their paths are long.
    pub path: String,
    /// The value that was sent.
    pub sent: ReportedValue,
    /// The value that is stored.
    pub stored: ReportedValue,
}

impl Serialize for Difference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("path", &self.path)?;
        self.sent.put(["sent", "sentBytes"], &mut map)?;
        self.stored.put(["stored", "storedBytes"], &mut map)?;
        map.end()
    }
}

/// A value in one of the two events.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportedValue {
    /// There is no value.
    Absent,
    /// The value as JSON, as it was written.
    Value(String),
    /// The length of a value that is longer than 1,000 bytes.
    Bytes(usize),
}

impl ReportedValue {
    fn of(value: Option<Value<'_>>) -> Self {
        match value.map(Value::source) {
            None => Self::Absent,
            Some(source) if source.len() > MAX_REPORTED => Self::Bytes(source.len()),
            Some(source) => Self::Value(source.to_owned()),
        }
    }

    fn length(&self) -> usize {
        match self {
            Self::Value(source) => source.len(),
            Self::Absent | Self::Bytes(_) => 0,
        }
    }

    fn put<M: SerializeMap>(
        &self,
        [name, of_length]: [&'static str; 2],
        map: &mut M,
    ) -> Result<(), M::Error> {
        match self {
            Self::Absent => Ok(()),
            Self::Value(source) => {
                let value: Result<&RawValue, _> = serde_json::from_str(source);
                map.serialize_entry(name, value.map_err(serde::ser::Error::custom)?)
            }
            Self::Bytes(length) => map.serialize_entry(of_length, length),
        }
    }
}

impl From<&Difference> for DocumentError {
    fn from(difference: &Difference) -> Self {
        let said = |told: &ReportedValue| match told {
            ReportedValue::Absent => "nothing".to_owned(),
            ReportedValue::Value(source) => source.clone(),
            ReportedValue::Bytes(length) => format!("a value of {length} bytes"),
        };
        let message = match difference.path.as_str() {
            "" => "there are more differences".to_owned(),
            _ => format!(
                "{} was sent, {} is stored; the event hash is the same for both",
                said(&difference.sent),
                said(&difference.stored)
            ),
        };
        Self { path: difference.path.clone(), keyword: "differs".to_owned(), message }
    }
}

impl Difference {
    /// The approximate length of the report, in bytes.
    pub(crate) fn length(&self) -> usize {
        self.path.len() + self.sent.length() + self.stored.length() + 40
    }
}

/// The differences between two stamped events with the same hash, in the order of the one that was sent.
///
/// Skips `@context`, the stamps, and `eventID`, which the answer has anyway.
pub(crate) fn differences(sent: Value<'_>, stored: Value<'_>) -> Vec<Difference> {
    let mut comparison = ValueComparison {
        path: String::new(),
        found: Vec::new(),
        left: sent.source().len() + 1024,
        is_cut: false,
    };
    // The stamps are at the end, beginning with `recordTime`.
    let own =
        |event| move |name: &str| matches!(name, "@context" | "eventID") || is_stamp(event, name);
    comparison.members((sent, &own(sent)), (stored, &own(stored)));
    let ValueComparison { mut found, is_cut, .. } = comparison;
    if is_cut || found.len() > MAX_DIFFERENCES {
        found.truncate(MAX_DIFFERENCES - 1);
        found.push(Difference {
            path: String::new(),
            sent: ReportedValue::Absent,
            stored: ReportedValue::Absent,
        });
    }
    found
}

/// Whether a member of a stamped event is among the stamps.
fn is_stamp(event: Value<'_>, name: &str) -> bool {
    let place = |name: &str| event.get(name).map(Value::offset);
    let stamps = place("recordTime");
    stamps.is_some() && place(name) >= stamps
}

/// An object, and a test for its members that are not compared.
type Counted<'d, 'f> = (Value<'d>, &'f dyn Fn(&str) -> bool);

struct ValueComparison {
    path: String,
    found: Vec<Difference>,
    /// How many bytes the paths of further reports may have: a long path may lead to many places.
    left: usize,
    /// Whether differences are left out.
    is_cut: bool,
}

impl ValueComparison {
    fn members(&mut self, (sent, of_sent): Counted<'_, '_>, (stored, of_stored): Counted<'_, '_>) {
        let theirs: BTreeMap<_, _> = stored
            .members()
            .map(|(name, value)| (name.to_cow(), value))
            .filter(|(name, _)| !of_stored(name))
            .collect();
        let mut ours = BTreeSet::new();
        for (name, value) in sent.members() {
            let name = name.to_cow();
            if !of_sent(&name) {
                let other = theirs.get(&name).copied();
                self.below(&name, |comparison| comparison.pair(Some(value), other));
                ours.insert(name);
            }
        }
        for (name, value) in theirs {
            if !ours.contains(&name) {
                self.below(&name, |comparison| comparison.pair(None, Some(value)));
            }
        }
    }

    fn below(&mut self, step: &str, work: impl FnOnce(&mut Self)) {
        if self.is_cut || self.found.len() > MAX_DIFFERENCES {
            return;
        }
        let length = self.path.len();
        push_step(&mut self.path, step);
        work(self);
        self.path.truncate(length);
    }

    fn pair(&mut self, sent: Option<Value<'_>>, stored: Option<Value<'_>>) {
        if let (Some(ours), Some(theirs)) = (sent, stored) {
            if ours.source() == theirs.source() {
                return;
            }
            match (ours.kind(), theirs.kind()) {
                (Kind::Object, Kind::Object) => {
                    let all = |_: &str| false;
                    return self.members((ours, &all), (theirs, &all));
                }
                (Kind::Array, Kind::Array)
                    if ours.elements().count() == theirs.elements().count() =>
                {
                    let pairs = ours.elements().zip(theirs.elements()).enumerate();
                    for (index, (ours, theirs)) in pairs {
                        self.below(&index.to_string(), |comparison| {
                            comparison.pair(Some(ours), Some(theirs));
                        });
                    }
                    return;
                }
                // The strings differ only in their escapes.
                (Kind::String, Kind::String) if ours.as_str() == theirs.as_str() => return,
                _ => {}
            }
        }
        let Some(left) = self.left.checked_sub(self.path.len()) else {
            self.is_cut = true;
            return;
        };
        self.left = left;
        self.found.push(Difference {
            path: self.path.clone(),
            sent: ReportedValue::of(sent),
            stored: ReportedValue::of(stored),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_DIFFERENCES, differences};
    use epcis_edge_document::hash::{Profile, hash_document};
    use epcis_edge_text::json::Document;

    /// The differences between two events, given by their members; their hashes must be equal.
    fn found(one: &str, other: &str) -> Vec<String> {
        let text = |members: &str| {
            format!(
                r#"{{"@context":{{"rdfs":"http://www.w3.org/2000/01/rdf-schema#","x":"urn:x/"}},"type":"ObjectEvent"{members},
                    "recordTime":"2026-01-01T00:00:00.000Z","eventID":"urn:x:{}"}}"#,
                members.len()
            )
        };
        let (one, other) = (text(one), text(other));
        let one = Document::read(one.as_bytes()).unwrap();
        let other = Document::read(other.as_bytes()).unwrap();
        let hashes = [&one, &other].map(|event| hash_document(event, Profile::Cbv20).unwrap());
        assert_eq!(hashes[0], hashes[1]);
        let found = differences(one.root(), other.root());
        found.iter().map(|difference| serde_json::to_string(difference).unwrap()).collect()
    }

    #[test]
    fn what_the_hash_leaves_out_is_told_with_both_values() {
        let certified = r#","certificationInfo":"https://example.com/1""#;
        let other = r#","certificationInfo":"https://example.com/2""#;
        assert_eq!(
            found(certified, ""),
            [r#"{"path":"/certificationInfo","sent":"https://example.com/1"}"#]
        );
        assert_eq!(
            found("", certified),
            [r#"{"path":"/certificationInfo","stored":"https://example.com/1"}"#]
        );
        assert_eq!(
            found(certified, other),
            [
                r#"{"path":"/certificationInfo","sent":"https://example.com/1","stored":"https://example.com/2"}"#
            ]
        );
        assert_eq!(found(certified, certified), [""; 0]);
        assert_eq!(
            found(
                r#","eventTime":"2026-01-01T00:00:00.0001Z""#,
                r#","eventTime":"2026-01-01T00:00:00.000Z""#
            ),
            [
                r#"{"path":"/eventTime","sent":"2026-01-01T00:00:00.0001Z","stored":"2026-01-01T00:00:00.000Z"}"#
            ]
        );
        assert_eq!(
            found(r#","x:a":{"rdfs:comment":"one","x:b":"1"}"#, r#","x:a":{"x:b":"1"}"#),
            [r#"{"path":"/x:a/rdfs:comment","sent":"one"}"#]
        );
    }

    #[test]
    fn spelling_and_order_are_differences_and_layout_is_none() {
        assert_eq!(
            found(
                r#","bizStep":"shipping","epcList":["urn:x:1","urn:x:2"]"#,
                r#","epcList":["urn:x:2","urn:x:1"],"bizStep":"cbv:BizStep-shipping""#
            ),
            [
                r#"{"path":"/bizStep","sent":"shipping","stored":"cbv:BizStep-shipping"}"#,
                r#"{"path":"/epcList/0","sent":"urn:x:1","stored":"urn:x:2"}"#,
                r#"{"path":"/epcList/1","sent":"urn:x:2","stored":"urn:x:1"}"#,
            ]
        );
        assert_eq!(
            found(
                r#","certificationInfo":["a","\u0062"],"bizStep":"shipping""#,
                r#","bizStep":"shipping","certificationInfo": ["a", "b"]"#
            ),
            [""; 0]
        );
    }

    #[test]
    fn many_and_long_differences_are_cut() {
        let comments = |count: usize, text: &str| -> String {
            let comments = (0..count).map(|n| format!(r#","x:a{n}":{{"rdfs:comment":"{text}"}}"#));
            comments.collect()
        };
        let all = found(&comments(200, "1"), &comments(200, "2"));
        assert_eq!(all.len(), MAX_DIFFERENCES);
        assert_eq!(all.last().map(String::as_str), Some(r#"{"path":""}"#));
        let long = "y".repeat(2000);
        assert_eq!(
            found(&comments(1, &long), &comments(1, "2")),
            [r#"{"path":"/x:a0/rdfs:comment","sentBytes":2002,"stored":"2"}"#]
        );
    }
}
