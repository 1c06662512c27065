//! What the event hash leaves out, so that two events of one hash may differ in it.
//!
//! Source: CBV 2.0, 8.9, in the reading of [`Profile::Cbv20`](crate::hash::Profile::Cbv20).

use crate::context::ActiveContext;
use crate::hash::is_left_out;
use crate::json::{Kind, Value, push_step};
use crate::time::Timestamp;
use std::collections::BTreeMap;

/// How many JSON Pointers are told of one event; beyond, `""` stands for the whole of it.
pub(crate) const MAX_DIFFERENCES: usize = 100;

/// The fields that are times.
const TIMES: [&str; 4] = ["eventTime", "time", "startTime", "endTime"];

/// Where two events of one hash differ: the JSON Pointers, in the order of their bytes, of what one of them has and the other
/// has not, or otherwise.
///
/// Left out of this, too: `@context`, `recordTime`, and `eventID`, which an answer tells anyway.
///
/// # Example
/// An event with `"certificationInfo": "https://example.com/1"` that is stored without it: `["/certificationInfo"]`.
pub(crate) fn differences(event: Value<'_>, stored: Value<'_>) -> Vec<String> {
    let (ours, theirs) = (LeftOut::of(event), LeftOut::of(stored));
    let mut pointers: Vec<String> = ours
        .iter()
        .filter(|(pointer, value)| theirs.get(*pointer) != Some(*value))
        .map(|(pointer, _)| pointer)
        .chain(theirs.keys().filter(|pointer| !ours.contains_key(*pointer)))
        .cloned()
        .collect();
    pointers.sort_unstable();
    if pointers.len() > MAX_DIFFERENCES {
        pointers.truncate(MAX_DIFFERENCES - 1);
        pointers.push(String::new());
    }
    pointers
}

/// Collects what is left out of one event: JSON Pointers and values.
struct LeftOut<'d> {
    context: ActiveContext<'d>,
    pointer: String,
    found: BTreeMap<String, String>,
}

impl<'d> LeftOut<'d> {
    fn of(event: Value<'d>) -> BTreeMap<String, String> {
        let mut collector = Self {
            context: ActiveContext::new(),
            pointer: String::new(),
            found: BTreeMap::new(),
        };
        collector.context.enter(event);
        for (name, value) in event.members() {
            let name = name.to_cow();
            match name.as_ref() {
                "@context" | "recordTime" | "eventID" => {}
                "certificationInfo" | "schemaVersion" | "creationDate" => {
                    collector.below(&name, |collector| collector.keep(value));
                }
                "errorDeclaration" => collector.below(&name, |collector| {
                    for (name, value) in value.members() {
                        collector.below(&name.to_cow(), |collector| collector.keep(value));
                    }
                }),
                _ => collector.member(&name, value, true),
            }
        }
        collector.found
    }

    fn below(&mut self, step: &str, work: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        push_step(&mut self.pointer, step);
        work(self);
        self.pointer.truncate(length);
    }

    fn keep(&mut self, value: Value<'_>) {
        let mut text = String::new();
        push_normal(value, &mut text);
        self.found.insert(self.pointer.clone(), text);
    }

    /// A member that the hash takes in, but perhaps not whole.
    fn member(&mut self, name: &str, value: Value<'d>, in_standard: bool) {
        // Names of the standard have no colon, and none of them is left out here.
        if name.contains(':') {
            let (start, rest) = self.context.name_parts(name);
            if is_left_out(start, rest) || name == "rdfs:comment" {
                self.below(name, |collector| collector.keep(value));
                return;
            }
        }
        let in_standard = in_standard && !name.contains(':') && name != "ilmd";
        if in_standard && TIMES.contains(&name) {
            // Hashes count milliseconds.
            let time = value.as_str().and_then(|text| Timestamp::parse(&text));
            if let Some(beyond) = time.map(|time| time.nanoseconds() % 1_000_000)
                && beyond != 0
            {
                let text = beyond.to_string();
                self.below(name, |collector| {
                    collector.found.insert(collector.pointer.clone(), text);
                });
            }
            return;
        }
        if matches!(value.kind(), Kind::Array | Kind::Object) {
            self.below(name, |collector| collector.inside(value, in_standard));
        }
    }

    fn inside(&mut self, value: Value<'d>, in_standard: bool) {
        match value.kind() {
            Kind::Array => {
                for (index, element) in value.elements().enumerate() {
                    if matches!(element.kind(), Kind::Array | Kind::Object) {
                        self.below(&index.to_string(), |collector| {
                            collector.inside(element, in_standard);
                        });
                    }
                }
            }
            Kind::Object => {
                let outer = self.context.enter(value);
                for (name, value) in value.members() {
                    let name = name.to_cow();
                    if name != "@context" {
                        self.member(&name, value, in_standard);
                    }
                }
                self.context.leave(outer);
            }
            _ => {}
        }
    }
}

/// A value as text, the same however it is laid out: strings without their escapes, members by name, times of the same moment
/// alike.
fn push_normal(value: Value<'_>, out: &mut String) {
    match value.kind() {
        Kind::Object => {
            let mut members: Vec<_> = value.members().map(|(key, _)| key.to_cow()).collect();
            members.sort_unstable();
            members.dedup();
            out.push('{');
            for name in members {
                if let Some(value) = value.get(&name) {
                    crate::json::push_string(out, &name);
                    push_normal(value, out);
                }
            }
            out.push('}');
        }
        Kind::Array => {
            out.push('[');
            for element in value.elements() {
                push_normal(element, out);
                out.push(',');
            }
            out.push(']');
        }
        Kind::String => {
            let text = value.as_str().unwrap_or_default();
            match Timestamp::parse(&text) {
                Some(time) => out.push_str(&time.to_sortable()),
                None => crate::json::push_string(out, &text),
            }
        }
        Kind::Null | Kind::Boolean | Kind::Number => out.push_str(value.source()),
    }
}

#[cfg(test)]
mod tests {
    use super::differences;
    use crate::hash::{Profile, hash_document};
    use crate::json::Document;

    /// What differs between two events, of which each lists its members; their hashes must be equal.
    fn found(one: &str, other: &str) -> Vec<String> {
        let text = |members: &str| {
            format!(
                r#"{{"@context":{{"r":"http://www.w3.org/2000/01/rdf-schema#","x":"urn:x/"}},"type":"ObjectEvent"{members}}}"#
            )
        };
        let (one, other) = (text(one), text(other));
        let one = Document::read(one.as_bytes()).unwrap();
        let other = Document::read(other.as_bytes()).unwrap();
        let hashes = [&one, &other].map(|event| hash_document(event, Profile::Cbv20).unwrap());
        assert_eq!(hashes[0], hashes[1]);
        differences(one.root(), other.root())
    }

    #[test]
    fn what_the_hash_leaves_out_is_found() {
        let certified = r#","certificationInfo":"https://example.com/1""#;
        assert_eq!(found(certified, ""), ["/certificationInfo"]);
        assert_eq!(found("", certified), ["/certificationInfo"]);
        assert_eq!(found(certified, certified), [""; 0]);
        assert_eq!(
            found(
                r#","eventTime":"2026-01-01T00:00:00.0001Z""#,
                r#","eventTime":"2026-01-01T00:00:00.000Z""#
            ),
            ["/eventTime"]
        );
        let times = |time: &str| {
            format!(r#","sensorElementList":[{{"sensorMetadata":{{"time":"{time}"}}}}]"#)
        };
        assert_eq!(
            found(
                &times("2026-01-01T00:00:00Z"),
                &times("2026-01-01T00:00:00.0000001Z")
            ),
            ["/sensorElementList/0/sensorMetadata/time"]
        );
        let declared = |more: &str| {
            format!(r#","errorDeclaration":{{"declarationTime":"2026-01-01T00:00:00Z"{more}}}"#)
        };
        assert_eq!(
            found(&declared(r#","reason":"did_not_occur""#), &declared("")),
            ["/errorDeclaration/reason"]
        );
        assert_eq!(
            found(
                r#","x:a":{"r:comment":"one","x:b":"1"},"rdfs:comment":"two""#,
                r#","x:a":{"x:b":"1"}"#
            ),
            ["/rdfs:comment", "/x:a/r:comment"]
        );
    }

    #[test]
    fn other_spellings_are_no_differences() {
        assert_eq!(
            found(
                r#","eventTime":"2026-01-01T01:00:00.5+01:00","eventID":"urn:x:1","recordTime":"2026-01-01T00:00:00Z""#,
                r#","eventTime":"2026-01-01T00:00:00.500Z""#
            ),
            [""; 0]
        );
        assert_eq!(
            found(
                r#","certificationInfo":["a","\u0062"],"bizStep":"shipping""#,
                r#","bizStep":"cbv:BizStep-shipping","certificationInfo": ["a", "b"]"#
            ),
            [""; 0]
        );
    }

    #[test]
    fn many_differences_end_in_the_whole() {
        let comments = (0..200).map(|number| format!(r#","x:a{number}":{{"rdfs:comment":"1"}}"#));
        let (one, other) = comments.enumerate().fold(
            (String::new(), String::new()),
            |(one, other), (number, text)| (one + &text, format!(r#"{other},"x:a{number}":{{}}"#)),
        );
        let found = found(&one, &other);
        assert_eq!(found.len(), super::MAX_DIFFERENCES);
        assert_eq!(found.last().map(String::as_str), Some(""));
    }
}
