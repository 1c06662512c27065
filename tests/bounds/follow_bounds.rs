//! Following takes a time in proportion to the document, whatever it says: chains, fans, knots, lots without end.
//!
//! `EPCIS_EDGE_BOUNDS=full` goes up to 10 MiB.

use epcis_edge_core::follow::{Request, follow_document};
use epcis_edge_core::json::Document;
use epcis_edge_tests::time::{in_full, seconds};
use serde_json::{Value, json};

/// A document, by the number of its parts, with the question to ask.
type Shape = (&'static str, fn(usize) -> Vec<Value>, fn() -> Value);

fn packed(number: usize, action: &str, parent: String, children: &[String]) -> Value {
    json!({
        "type": "AggregationEvent", "action": action, "parentID": parent, "childEPCs": children, "eventTime": time(number),
    })
}

fn seen(number: usize, epcs: &[String]) -> Value {
    json!({"type": "ObjectEvent", "action": "OBSERVE", "epcList": epcs, "eventTime": time(number)})
}

/// A time for each number; a thousand of them are equal.
fn time(number: usize) -> String {
    let minute = number / 1000;
    format!("2026-03-{:02}T{:02}:{:02}:00Z", 1 + minute / 1440, minute / 60 % 24, minute % 60)
}

fn thing(number: usize) -> String {
    format!("urn:x:{number}")
}

fn things(count: usize) -> Vec<String> {
    (0..count).map(thing).collect()
}

fn lots(count: usize) -> Vec<Value> {
    (0..count).map(|number| json!({"epcClass": thing(number), "quantity": 1})).collect()
}

const SHAPES: [Shape; 9] = [
    (
        "a chain: each in the next",
        |parts| (0..parts).map(|n| packed(n, "ADD", thing(n + 1), &[thing(n)])).collect(),
        || json!({"items": "urn:x:0", "depth": 64}),
    ),
    (
        "a fan: all in one, which is seen often",
        |parts| {
            let pack = packed(0, "ADD", "urn:x:all".to_owned(), &things(parts));
            let later = (1..parts / 10 + 2).map(|n| seen(n, &["urn:x:all".to_owned()]));
            std::iter::once(pack).chain(later).collect()
        },
        || json!({"items": "urn:x:all", "contents": "followed", "maxEvents": 10_000}),
    ),
    (
        "a knot: everything in everything",
        |parts| {
            let all = things(20);
            (0..parts / 20 + 1).map(|n| packed(n, "ADD", thing(n % 20), &all)).collect()
        },
        || json!({"items": ["urn:x:0", "urn:x:7"], "contents": "followed", "depth": 64, "maxEvents": 10_000}),
    ),
    (
        "a knot of lots",
        |parts| {
            (0..parts / 20 + 1)
                .map(|n| {
                    json!({
                        "type": "AggregationEvent", "action": "ADD", "parentID": thing(n % 20), "childQuantityList": lots(20),
                        "eventTime": time(n),
                    })
                })
                .collect()
        },
        || json!({"items": "urn:x:0", "contents": "followed", "depth": 64, "maxEvents": 10_000}),
    ),
    (
        "a batch: everything made of everything",
        |parts| {
            let made = json!({
                "type": "TransformationEvent", "inputEPCList": things(parts), "eventTime": time(0),
                "outputEPCList": (0..parts).map(|n| thing(parts + n)).collect::<Vec<_>>(),
            });
            vec![made]
        },
        || json!({"items": "urn:x:0", "kin": true}),
    ),
    (
        "outputs that are their inputs",
        |parts| {
            let all = things(20);
            let made = |n| json!({"type": "TransformationEvent", "inputEPCList": all, "outputEPCList": all, "eventTime": time(n)});
            (0..parts / 40 + 1).map(made).collect()
        },
        || json!({"items": "urn:x:3", "kin": true, "depth": 64, "maxEvents": 10_000}),
    ),
    (
        "a lot in many containers",
        |parts| {
            (0..parts)
                .map(|n| {
                    json!({
                        "type": "AggregationEvent", "action": "ADD", "parentID": thing(n), "eventTime": time(n),
                        "childQuantityList": [{"epcClass": "urn:x:lot", "quantity": 1}],
                    })
                })
                .collect()
        },
        || json!({"items": "urn:x:lot", "maxEvents": 10_000}),
    ),
    (
        "a crate that is used again and again",
        |parts| {
            let uses = |n: usize| {
                let (crated, item) = ("urn:x:crate".to_owned(), thing(n / 2 % 50));
                packed(n, if n.is_multiple_of(2) { "ADD" } else { "DELETE" }, crated, &[item])
            };
            (0..parts).map(uses).collect()
        },
        || json!({"items": ["urn:x:crate", "urn:x:3"], "contents": "followed", "maxEvents": 10_000}),
    ),
    (
        "many declarations of one event",
        |parts| {
            let declared = |n| {
                let mut event = seen(n, &["urn:x:0".to_owned()]);
                event["eventID"] = "urn:uuid:one".into();
                if !n.is_multiple_of(2) {
                    event["errorDeclaration"] = json!({"declarationTime": time(n)});
                }
                event
            };
            (0..parts).map(declared).collect()
        },
        || json!({"items": "urn:x:0", "maxEvents": 10_000}),
    ),
];

/// The document of a shape with about this many bytes.
fn document(parts_to_events: fn(usize) -> Vec<Value>, bytes: usize) -> String {
    let sample = Value::from(parts_to_events(2000)).to_string().len();
    Value::from(parts_to_events(2000 * bytes / sample)).to_string()
}

#[test]
#[ignore = "compares times: make bench-growth"]
fn time_grows_with_the_document() {
    let is_full = in_full();
    let last = if is_full { 10 << 20 } else { 128 << 10 };
    for (name, shape, question) in SHAPES {
        let asked = question().to_string();
        let request = Request::read(Document::read(asked.as_bytes()).unwrap().root()).unwrap();
        let mut before = f64::MAX;
        let mut bytes = 64 << 10;
        loop {
            let text = document(shape, bytes);
            let parsed = Document::read(text.as_bytes()).unwrap();
            let took = seconds(|| follow_document(&parsed, &request).unwrap());
            println!("{name}: {} bytes, {took:.3} s", text.len());
            // Shapes that meet the bound of a walk take no longer afterwards; sorting and maps take a little more than in proportion.
            assert!(
                took < 3.2 * before.max(0.02),
                "{name}: {bytes} bytes took {took} s, half of them {before} s"
            );
            before = took;
            if bytes == last {
                break;
            }
            bytes = (2 * bytes).min(last);
        }
        assert!(before < 20.0, "{name}: {before} s");
    }
}
