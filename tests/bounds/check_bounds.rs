//! Checking any body stays within bounds: memory is a small multiple of its length, and time is linear in it.
//!
//! `EPCIS_EDGE_BOUNDS=full` tries bodies up to 10 MiB and checks the time as well. Build with `--release` for that.

use epcis_edge_core::check::{Checks, Pack};
use epcis_edge_core::json::Document;
use epcis_edge_tests::memory::{in_use, peak, reset_peak};
use epcis_edge_tests::time::{in_full, worked};
use serde_json::json;
use std::fmt::Write as _;
use std::time::Duration;

/// A name, the text before the pieces, a function that makes a piece, the text after them.
type Shape = (&'static str, &'static str, fn(usize) -> String, &'static str);

const TIMES: [&str; 3] = ["T10:00:00Z", "T11:00:00+02:00", "T09:00:00.5-03:00"];

const SHAPES: [Shape; 25] = [
    (
        "one instance, over and over",
        r#"[{"type":"ObjectEvent","epcList":["#,
        |_| r#""urn:epc:id:sgtin:9521141.012345.1""#.into(),
        "]}]",
    ),
    (
        "short texts as instances",
        r#"[{"type":"ObjectEvent","epcList":["#,
        |_| r#""a""#.into(),
        "]}]",
    ),
    (
        "instances that differ",
        r#"[{"type":"ObjectEvent","epcList":["#,
        |n| format!(r#""{n}""#),
        "]}]",
    ),
    (
        "URNs and Digital Links of one thing",
        r#"[{"type":"ObjectEvent","epcList":["#,
        |n| match n % 2 {
            0 => r#""urn:epc:id:sgtin:9521141.012345.1""#.into(),
            _ => r#""https://id.gs1.org/01/09521141123454/21/1""#.into(),
        },
        "]}]",
    ),
    (
        "a parent among its children",
        r#"[{"type":"AggregationEvent","parentID":"x:p","childEPCs":["#,
        |_| r#""x:p""#.into(),
        "]}]",
    ),
    (
        "one life of many events",
        "[",
        |n| {
            format!(
                r#"{{"type":"ObjectEvent","action":"{}","eventTime":"2026-01-{:02}{}","epcList":["x:1"]}}"#,
                ["ADD", "OBSERVE", "DELETE"][n % 3],
                n % 28 + 1,
                TIMES[n % 3]
            )
        },
        "]",
    ),
    (
        "one child in many parents",
        "[",
        |n| {
            format!(
                r#"{{"type":"AggregationEvent","action":"ADD","eventTime":"2026-01-{:02}T10:00:00Z","parentID":"x:{n}","childEPCs":["x:c"]}}"#,
                n % 28 + 1
            )
        },
        "]",
    ),
    (
        "one parent that is emptied again and again",
        "[",
        |n| {
            match n % 2 {
        0 => r#"{"type":"AggregationEvent","action":"ADD","eventTime":"2026-01-01T10:00:00Z","parentID":"x:p","childEPCs":["x:c"]}"#.into(),
        _ => r#"{"type":"AggregationEvent","action":"DELETE","eventTime":"2026-01-01T10:00:00Z","parentID":"x:p"}"#.to_owned(),
    }
        },
        "]",
    ),
    (
        "two parents in each other, again and again",
        "[",
        |n| {
            format!(
                r#"{{"type":"AggregationEvent","action":"ADD","eventTime":"2026-01-{:02}T10:00:00Z","parentID":"x:{}","childEPCs":["x:{}"]}}"#,
                n % 28 + 1,
                n % 2,
                (n + 1) % 2
            )
        },
        "]",
    ),
    (
        "many children that are parents, in two parents by turns",
        "[",
        |n| {
            let children: Vec<String> = (0..200).map(|child| format!(r#""{child}""#)).collect();
            format!(
                r#"{{"type":"AggregationEvent","action":"ADD","eventTime":"2026-01-01T10:00:00Z","parentID":"{}","childEPCs":[{}]}}"#,
                n % 200,
                children.join(",")
            )
        },
        "]",
    ),
    (
        "one input of many transformations",
        "[",
        |n| {
            format!(
                r#"{{"type":"TransformationEvent","transformationID":"x:{n}","eventTime":"2026-01-{:02}T10:00:00Z","inputEPCList":["x:1"]}}"#,
                n % 28 + 1
            )
        },
        "]",
    ),
    (
        "one event without a name, over and over",
        "[",
        |_| r#"{"type":"ObjectEvent","eventTime":""}"#.into(),
        "]",
    ),
    (
        "events without names that differ only inside",
        "[",
        |n| format!(r#"{{"type":"ObjectEvent","eventTime":"","x:a":{{"x:b":["c","{n}","a"]}}}}"#),
        "]",
    ),
    ("one name of many events", "[", |_| r#"{"type":"ObjectEvent","eventID":"x:1"}"#.into(), "]"),
    (
        "declarations of nothing",
        "[",
        |n| format!(r#"{{"type":"ObjectEvent","eventID":"x:{n}","errorDeclaration":{{}}}}"#),
        "]",
    ),
    (
        "corrective events that are absent",
        r#"[{"type":"ObjectEvent","eventID":"x:1","errorDeclaration":{"correctiveEventIDs":["#,
        |n| format!(r#""x:{n}""#),
        "]}}]",
    ),
    (
        "digits without end",
        r#"[{"type":"ObjectEvent","epcList":["urn:epc:id:sgtin:"#,
        |_| "1234567890123456".into(),
        r#""]}]"#,
    ),
    (
        "segments of a path",
        r#"[{"type":"ObjectEvent","epcList":["https://id.gs1.org/"#,
        |_| "01/".into(),
        r#"x"]}]"#,
    ),
    (
        "qualifiers of a link",
        r#"[{"type":"ObjectEvent","epcList":["https://id.gs1.org/01/09521141123454"#,
        |_| "/22/1".into(),
        r#""]}]"#,
    ),
    (
        "quantities",
        r#"[{"type":"ObjectEvent","quantityList":["#,
        |_| r#"{"quantity":0.5}"#.into(),
        "]}]",
    ),
    (
        "members of one quantity",
        r#"[{"type":"ObjectEvent","quantityList":[{"#,
        |n| format!(r#""quantity{n}":1"#),
        "}]}]",
    ),
    (
        "sensor reports",
        r#"[{"type":"ObjectEvent","sensorElementList":[{"sensorReport":["#,
        |_| r#"{"type":"x","minValue":2,"maxValue":1}"#.into(),
        "]}]}]",
    ),
    (
        "a context of many words",
        r#"{"@context":["#,
        |_| r#""https://ns.gs1.org/""#.into(),
        r#"],"type":"ObjectEvent"}"#,
    ),
    ("lists in lists", r#"[{"type":"ObjectEvent","epcList":["#, |_| r#"[["a"]]"#.into(), "]}]"),
    ("escapes", r#"[{"type":"ObjectEvent","epcList":["#, |_| r#""\u0061""#.into(), "]}]"),
];

fn text((_, head, piece, tail): &Shape, length: usize) -> String {
    let mut text = String::with_capacity(length + 200);
    text.push_str(head);
    // Digits and paths are joined into one text; other pieces are entries of a list.
    let separator = if head.ends_with(['[', '{']) { "," } else { "" };
    for number in 0.. {
        let next = piece(number);
        if number > 0 && text.len() + next.len() + tail.len() > length {
            break;
        }
        write!(text, "{}{next}", if number > 0 { separator } else { "" }).unwrap();
    }
    text.push_str(tail);
    text.shrink_to_fit();
    text
}

/// A pack that applies every text operator to every value.
fn hostile_pack() -> Pack {
    let texts: Vec<String> = (0..16).map(|text| format!("{}{text}", "a".repeat(390))).collect();
    let condition = json!({"any": [
        {"startsWith": texts}, {"endsWith": texts}, {"contains": texts}, {"longerThan": 1_048_576}, {"value": "bizStep", "contains": texts},
    ]});
    let rules: Vec<_> = (0..4)
        .map(|rule| json!({"id": format!("r{rule}"), "severity": "hint", "message": "m", "source": {"document": "d"}, "at": ["epcList", "childEPCs"], "when": condition}))
        .collect();
    Pack::read(json!({"version": 1, "name": "hostile", "rules": rules}).to_string().as_bytes())
        .unwrap()
}

/// The cost of checking a text: the most memory in addition to the text, and the time of the fastest round.
fn cost(checks: &Checks, text: &str, rounds: usize) -> (usize, Duration) {
    let mut best = Duration::MAX;
    let mut most = 0;
    for _ in 0..rounds {
        let before = in_use();
        reset_peak();
        let start = worked();
        // Read as the service reads it. A text with too many values is refused here.
        let document = Document::read(text.as_bytes()).unwrap();
        checks.check(&document, Some(1_780_315_200_000)).unwrap();
        best = best.min(worked() - start);
        most = most.max(peak() - before);
    }
    (most, best)
}

#[test]
fn memory_is_linear_in_the_body() {
    let is_full = in_full();
    let lengths: &[usize] =
        if is_full { &[5 << 17, 5 << 18, 5 << 19, 5 << 20, 10 << 20] } else { &[5 << 14, 5 << 16] };
    let ours = Checks::all().unwrap();
    let hostile = Checks::with(&[], hostile_pack()).unwrap();
    for (title, checks) in [("ours", &ours), ("hostile", &hostile)] {
        for shape in &SHAPES {
            let costs: Vec<_> = lengths
                .iter()
                .map(|length| {
                    let text = text(shape, *length);
                    (text.len(), cost(checks, &text, if is_full { 3 } else { 1 }))
                })
                .collect();
            let name = shape.0;
            for (length, (memory, time)) in &costs {
                println!(
                    "{title:8} {name:45} {:>6} kB {:>8} kB {:>8.1} ms",
                    length / 1000,
                    memory / 1000,
                    time.as_secs_f64() * 1e3
                );
                // A value of two characters and a comma takes eight bytes on the tape, and the checks keep up to 60 bytes about it.
                assert!(*memory < 24 * length + (1 << 20), "{name}: {memory} bytes for {length}");
            }
            if is_full {
                let ((_, (_, first)), (_, (_, last))) = (costs[1], costs[4]);
                let growth = last.as_secs_f64() / first.as_secs_f64();
                assert!(
                    growth < 8.0 * 2.5,
                    "{name}: {growth:.1} times the time for 8 times the length"
                );
                assert!(last < Duration::from_secs(5), "{name}: {last:?}");
            }
        }
    }
}
