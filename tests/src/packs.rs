//! Custom rule packs that are expensive to evaluate, and documents to check with them.

mod beyond;

pub use beyond::BEYOND;

use serde_json::{Value, json};

/// A pack and a document that are expensive together. `document` takes the approximate size in bytes.
pub struct Costly {
    /// What makes the pair expensive.
    pub name: &'static str,
    pack: fn() -> Value,
    document: fn(usize) -> String,
}

impl Costly {
    /// The pack, as JSON.
    #[must_use]
    pub fn pack(&self) -> Value {
        (self.pack)()
    }

    /// The document, of this many bytes or slightly more.
    #[must_use]
    pub fn document(&self, size: usize) -> String {
        (self.document)(size)
    }
}

/// A pack with this number of rules. `rule` returns the members of a rule that are not common to all.
#[must_use]
pub fn pack(rules: usize, rule: impl Fn(usize) -> Value) -> Value {
    let rules = (0..rules).map(|number| {
        let mut whole = json!({"id": format!("r{number}"), "severity": "hint", "message": "m", "source": {"document": "d"}});
        if let (Value::Object(whole), Value::Object(more)) = (&mut whole, rule(number)) {
            whole.extend(more);
        }
        whole
    });
    json!({"version": 1, "name": "own", "rules": rules.collect::<Vec<_>>()})
}

/// Texts of this length in bytes that differ only in the last four digits.
fn texts(count: usize, length: usize) -> Vec<String> {
    let text = |number: usize| format!("{}{number:04}", "a".repeat(length - 4));
    (0..count).map(text).collect()
}

/// A text of 400 bytes, different for each number.
fn long(number: usize) -> String {
    format!("{}{number:05}", "a".repeat(395))
}

/// A JSON array of these items, of this many bytes or slightly more.
fn events(size: usize, event: impl Fn(usize) -> String) -> String {
    let mut text = "[".to_owned();
    let mut number = 0;
    while number == 0 || text.len() < size {
        if number > 0 {
            text.push(',');
        }
        text.push_str(&event(number));
        number += 1;
    }
    text.push(']');
    text
}

/// An array with one event that has these members and a list of these entries.
fn list(size: usize, members: &str, name: &str, entry: impl Fn(usize) -> String) -> String {
    let entries = events(size, entry);
    format!(r#"[{{"type":"ObjectEvent","action":"ADD",{members}"{name}":{entries}}}]"#)
}

fn epc(number: usize) -> String {
    format!("\"urn:epc:id:sgtin:9521141.012345.{number}\"")
}

fn of_epcs(rules: usize, when: &dyn Fn(usize) -> Value) -> Value {
    pack(rules, |number| json!({"at": "epcList", "when": when(number)}))
}

/// Expensive pairs whose rules look at the fields of one event.
pub const COSTLY: &[Costly] = &[
    Costly {
        name: "texts in another field, asked about for each EPC",
        pack: || {
            let condition = |number| json!({"value": "bizStep", "contains": long(number)});
            of_epcs(
                128,
                &|rule| json!({"any": (0..31).map(|one| condition(rule * 32 + one)).collect::<Vec<_>>()}),
            )
        },
        document: |size| {
            let step = format!("\"bizStep\":\"{}\",", "a".repeat(2000));
            list(size, &step, "epcList", epc)
        },
    },
    Costly {
        name: "long texts in long EPCs",
        pack: || {
            of_epcs(
                200,
                &|rule| json!({"contains": (0..16).map(|one| long(rule * 16 + one)).collect::<Vec<_>>()}),
            )
        },
        document: |size| list(size, "", "epcList", |n| format!("\"{}{n}\"", "a".repeat(2000))),
    },
    Costly {
        name: "long texts in one long EPC",
        pack: || {
            of_epcs(
                8,
                &|rule| json!({"contains": (0..16).map(|one| long(rule * 16 + one)).collect::<Vec<_>>()}),
            )
        },
        document: |size| list(20, "", "epcList", |_| format!("\"{}\"", "a".repeat(size))),
    },
    Costly {
        name: "short texts in EPCs",
        pack: || {
            of_epcs(
                20,
                &|rule| json!({"contains": (0..16).map(|one| format!("{rule}.{one}x")).collect::<Vec<_>>()}),
            )
        },
        document: |size| list(size, "", "epcList", epc),
    },
    Costly {
        name: "starts and ends of EPCs",
        pack: || {
            of_epcs(40, &|rule| {
                let near = |one| format!("urn:epc:id:sgtin:9521141.012345.{rule}.{one}");
                json!({"any": [{"startsWith": (0..16).map(near).collect::<Vec<_>>()}, {"endsWith": (0..16).map(near).collect::<Vec<_>>()}]})
            })
        },
        document: |size| list(size, "", "epcList", epc),
    },
    Costly {
        name: "many rules",
        pack: || of_epcs(200, &|_| json!({"longerThan": 1000})),
        document: |size| list(size, "", "epcList", epc),
    },
    Costly {
        name: "deep conditions",
        pack: || {
            of_epcs(200, &|_| {
                (0..7).fold(json!({"longerThan": 1000}), |inner, _| json!({"not": inner}))
            })
        },
        document: |size| list(size, "", "epcList", |_| "\"a\"".into()),
    },
    Costly {
        name: "conditions of the event alone",
        pack: || {
            of_epcs(200, &|_| json!({"all": vec![json!({"value": "action", "exists": true}); 31]}))
        },
        document: |size| list(size, "", "epcList", |_| "\"a\"".into()),
    },
    Costly {
        name: "conditions of events with one EPC each",
        pack: || {
            of_epcs(100, &|_| json!({"all": vec![json!({"value": "action", "in": "ADD"}); 31]}))
        },
        document: |size| {
            events(size, |_| r#"{"type":"ObjectEvent","action":"ADD","epcList":["a"]}"#.into())
        },
    },
    Costly {
        name: "words of one list",
        pack: || of_epcs(1, &|_| json!({"in": texts(4000, 400)})),
        document: |size| list(size, "", "epcList", |_| format!("\"{}\"", "a".repeat(400))),
    },
    Costly {
        name: "everything found",
        pack: || of_epcs(200, &|_| json!({"value": ".", "exists": true})),
        document: |size| list(size, "", "epcList", |_| "\"a\"".into()),
    },
    Costly {
        name: "what only the document tells",
        pack: || {
            of_epcs(
                200,
                &|_| json!({"all": [{"is": ["repeated", "two-forms", "after-delete"]}, {"any": vec![json!({"longerThan": 1000}); 29]}]}),
            )
        },
        document: |size| {
            list(size, "", "epcList", |_| "\"urn:epc:id:sgtin:9521141.012345.1\"".into())
        },
    },
    Costly {
        name: "members of quantities",
        pack: || {
            pack(
                100,
                |_| json!({"at": "quantityList", "when": {"any": vec![json!({"value": ".quantity", "above": 1000}); 31]}}),
            )
        },
        document: |size| {
            list(size, "", "quantityList", |n| {
                format!(
                    r#"{{"epcClass":"urn:epc:class:lgtin:9521141.012345.L{n}","quantity":{n}.5,"uom":"KGM"}}"#
                )
            })
        },
    },
    Costly {
        name: "members of one quantity",
        pack: || {
            pack(
                100,
                |_| json!({"at": "quantityList", "when": {"any": vec![json!({"value": ".quantity", "above": 1000}); 31]}}),
            )
        },
        document: |size| {
            let members: String = (0..size / 12).map(|n| format!("\"x:{n:06}\":1,")).collect();
            format!(r#"[{{"type":"ObjectEvent","quantityList":[{{{members}"quantity":1}}]}}]"#)
        },
    },
    Costly {
        name: "names with escapes",
        pack: || {
            pack(
                100,
                |_| json!({"at": "quantityList", "when": {"any": vec![json!({"value": ".quantity", "above": 1000}); 31]}}),
            )
        },
        document: |size| {
            format!(
                r#"[{{"type":"ObjectEvent","quantityList":[{{"{}":1,"quantity":1}}]}}]"#,
                "\\u0061".repeat(size / 6)
            )
        },
    },
    Costly {
        name: "texts with escapes",
        pack: || of_epcs(100, &|_| json!({"any": vec![json!({"longerThan": 1_000_000}); 31]})),
        document: |size| list(20, "", "epcList", |_| format!("\"{}\"", "\\u0061".repeat(size / 6))),
    },
    Costly {
        name: "another field with escapes",
        pack: || {
            pack(
                100,
                |_| json!({"at": "sensorElementList.sensorReport.time", "when": {"any": vec![json!({"after": "eventTime"}); 31]}}),
            )
        },
        document: |size| {
            let time = "\\u0061".repeat(size / 12);
            let reports = events(size / 2, |_| r#"{"time":"2026-01-01T00:00:00Z"}"#.into());
            format!(
                r#"[{{"type":"ObjectEvent","eventTime":"{time}","sensorElementList":[{{"sensorReport":{reports}}}]}}]"#
            )
        },
    },
    Costly {
        name: "times of sensor reports",
        pack: || {
            pack(
                100,
                |_| json!({"at": "sensorElementList.sensorReport", "when": {"any": vec![json!({"value": ".time", "after": "eventTime"}); 31]}}),
            )
        },
        document: |size| {
            let time = format!("2026-01-01T00:00:00.{}Z", "0".repeat(2000));
            let reports =
                events(size, |_| r#"{"type":"x","value":1,"time":"2026-01-01T00:00:00Z"}"#.into());
            format!(
                r#"[{{"type":"ObjectEvent","eventTime":"{time}","sensorElementList":[{{"sensorReport":{reports}}}]}}]"#
            )
        },
    },
    Costly {
        name: "words that do not go together",
        pack: || {
            let row = || texts(60, 400);
            let table: serde_json::Map<_, _> =
                (0..60).map(|key| (texts(60, 400)[key].clone(), json!(row()))).collect();
            pack(
                1,
                |_| json!({"at": "bizStep", "when": {"value": "disposition", "unpairedWith": {"value": ".", "table": table}}}),
            )
        },
        document: |size| {
            let word = format!("{}0059", "a".repeat(396));
            events(size, |_| {
                format!(r#"{{"type":"ObjectEvent","bizStep":"{word}","disposition":"{word}"}}"#)
            })
        },
    },
    Costly {
        name: "identifiers of another list",
        pack: || {
            pack(
                100,
                |_| json!({"when": {"any": vec![json!({"value": "epcList", "is": "wrong-characters"}); 31]}}),
            )
        },
        document: |size| list(size, "", "epcList", epc),
    },
    Costly {
        name: "words of a context",
        pack: || {
            pack(
                200,
                |_| json!({"at": "@context", "when": {"any": vec![json!({"startsWith": texts(1, 400)}); 20]}}),
            )
        },
        document: |size| {
            let words = events(size, |n| format!("\"https://ns.example/{n}\""));
            format!(r#"{{"@context":{words},"type":"ObjectEvent"}}"#)
        },
    },
];
