//! Validating any body stays within bounds: memory is a small multiple of its length, and time is linear in it.
//!
//! `EPCIS_EDGE_BOUNDS=full` tries bodies up to 10 MiB and checks the time as well. Build with `--release` for that.

use epcis_edge_core::validate::{MAX_ERRORS, Validator, VerdictStream};
use epcis_edge_tests::memory::{in_use, peak, reset_peak};
use epcis_edge_tests::time::{in_full, worked};
use std::fmt::Write as _;
use std::time::Duration;

const DOCUMENT: &str = r#"{"@context":[],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-01-01T00:00:00Z","epcisBody":{"eventList":["#;
const EVENT: &str = r#""type":"ObjectEvent","eventTime":"2026-01-01T00:00:00Z","eventTimeZoneOffset":"+00:00","action":"ADD""#;

/// The number of errors that a shape must have, relative to its pieces.
#[derive(Clone, Copy)]
enum Errors {
    None,
    Some,
    /// At least one error per piece.
    Each,
}

struct Shape {
    name: &'static str,
    head: String,
    piece: Box<dyn Fn(usize) -> String>,
    tail: &'static str,
    errors: Errors,
}

fn shape(
    name: &'static str,
    head: &str,
    tail: &'static str,
    errors: Errors,
    piece: impl Fn(usize) -> String + 'static,
) -> Shape {
    Shape { name, head: format!("{DOCUMENT}{head}"), piece: Box::new(piece), tail, errors }
}

/// A shape with this member in one event of a document.
fn in_event(
    name: &'static str,
    member: &str,
    tail: &'static str,
    errors: Errors,
    piece: impl Fn(usize) -> String + 'static,
) -> Shape {
    shape(name, &format!("{{{EVENT},{member}"), tail, errors, piece)
}

impl Shape {
    /// The text, with as many pieces as fit this length, and the number of pieces.
    fn text(&self, length: usize) -> (Vec<u8>, usize) {
        let mut text = String::with_capacity(length + 1000);
        text.push_str(&self.head);
        let mut pieces = 0;
        loop {
            let piece = (self.piece)(pieces);
            if text.len() + piece.len() + 1 + self.tail.len() > length {
                break;
            }
            write!(text, "{piece},").unwrap();
            pieces += 1;
        }
        text.pop();
        text.push_str(self.tail);
        text.shrink_to_fit();
        (text.into_bytes(), pieces)
    }
}

fn shapes() -> Vec<Shape> {
    use Errors::{Each, None, Some};
    let long = "x".repeat(20_000);
    let deep = format!("{}{}", "[".repeat(122), "]".repeat(122));
    let fault = format!("{{{EVENT},\"epcList\":[],\"bizStep\":\"{long}\"}}");
    let valid = format!(
        "{{{EVENT},\"epcList\":[\"urn:epc:id:sscc:9521141.1234567890\"],\"bizStep\":\"shipping\",\"readPoint\":{{\"id\":\"urn:x\"}}}}"
    );
    let names = move |n: usize| {
        // The shortest names, so that a text has as many as possible.
        let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        let mut name = String::new();
        let mut rest = n;
        loop {
            name.push(char::from(letters[rest % letters.len()]));
            rest /= letters.len();
            if rest == 0 {
                return name;
            }
        }
    };
    let bare = |name: &'static str, head: &str, tail, errors, piece: fn(usize) -> String| Shape {
        head: head.to_owned(),
        ..shape(name, "", tail, errors, piece)
    };
    vec![
        shape("events", "", "]}}", None, move |_| valid.clone()),
        shape("numbers as events", "", "]}}", Each, |_| "1".into()),
        shape("events without type", "", "]}}", Each, |_| "{}".into()),
        shape("empty strings as events", "", "]}}", Each, |_| "\"\"".into()),
        shape("arrays as events", "", "]}}", Each, |_| "[]".into()),
        shape("nulls as events", "", "]}}", Each, |_| "null".into()),
        shape("events of a type that is no URI", "", "]}}", Each, |_| r#"{"type":"x"}"#.into()),
        shape("events of a type alone", "", "]}}", Each, |_| r#"{"type":"ObjectEvent"}"#.into()),
        shape("extension events", "", "]}}", Each, |_| r#"{"type":"x:y","a":[1]}"#.into()),
        shape("20 kB of fault in every event", "", "]}}", Each, move |_| fault.clone()),
        in_event("numbers as EPCs", "\"epcList\":[", "]}]}}", Each, |_| "1".into()),
        in_event("faulty EPCs", "\"epcList\":[", "]}]}}", Each, |n| format!("\"no uri {n}\"")),
        in_event("EPCs", "\"epcList\":[", "]}]}}", None, |n| format!("\"a:{n}\"")),
        in_event("the same EPC", "\"epcList\":[", "]}]}}", Some, |_| "\"a:b\"".into()),
        in_event("EPCs with long equal heads", "\"epcList\":[", "]}]}}", None, |n| {
            format!("\"urn:{}{n:08}\"", "x".repeat(1000))
        }),
        in_event("EPCs with equal ends", "\"epcList\":[", "]}]}}", None, |n| {
            format!("\"urn:xxxxxxxx{n:08}xxxxxxxx\"")
        }),
        in_event("EPCs written with escapes", "\"epcList\":[", "]}]}}", None, |n| {
            format!("\"\\u0061:{n}\"")
        }),
        in_event("objects as EPCs", "\"epcList\":[", "]}]}}", Each, |n| format!("{{\"a\":{n}}}")),
        in_event("equal objects as EPCs", "\"epcList\":[", "]}]}}", Each, |_| "{\"a\":1}".into()),
        in_event("faulty inputs", "\"inputEPCList\":[", "]}]}}", Some, |_| "1".into()),
        in_event("faulty names", "\"epcList\":[],", "}]}}", Some, |n| format!("\"n{n}\":1")),
        in_event("the shortest names", "\"epcList\":[],", "}]}}", Some, move |n| {
            format!("\"{}\":1", names(n))
        }),
        in_event("one unknown name", "\"epcList\":[],", "}]}}", Some, |_| "\"n\":1".into()),
        in_event("one name of an extension", "\"epcList\":[],", "}]}}", None, |_| {
            "\"a:b\":1".into()
        }),
        in_event("extensions", "\"epcList\":[],", "}]}}", None, |n| format!("\"a:{n}\":1")),
        in_event("names written with escapes", "\"epcList\":[],", "}]}}", Some, |n| {
            format!("\"\\u0061{n}\":1")
        }),
        in_event("one known name", "\"epcList\":[],", "}]}}", Some, |_| "\"bizStep\":1".into()),
        in_event("an extension of numbers", "\"epcList\":[],\"a:b\":[", "]}]}}", None, |_| {
            "1".into()
        }),
        in_event(
            "an extension as deep as can be",
            "\"epcList\":[],\"a:b\":[",
            "]}]}}",
            None,
            move |_| deep.clone(),
        ),
        in_event("empty quantities", "\"quantityList\":[", "]}]}}", Each, |_| "{}".into()),
        in_event("quantities", "\"quantityList\":[", "]}]}}", None, |_| {
            r#"{"epcClass":"a:"}"#.into()
        }),
        in_event("quantities with unknown names", "\"quantityList\":[{", "}]}]}}", Some, |n| {
            format!("\"n{n}\":1")
        }),
        in_event("numbers as quantities", "\"quantityList\":[", "]}]}}", Each, |_| "1".into()),
        in_event(
            "empty sensor elements",
            "\"epcList\":[],\"sensorElementList\":[",
            "]}]}}",
            Each,
            |_| "{}".into(),
        ),
        in_event(
            "numbers as sensor elements",
            "\"epcList\":[],\"sensorElementList\":[",
            "]}]}}",
            Each,
            |_| "1".into(),
        ),
        in_event(
            "empty sensor reports",
            "\"epcList\":[],\"sensorElementList\":[{\"sensorReport\":[",
            "]}]}]}}",
            Each,
            |_| "{}".into(),
        ),
        in_event(
            "misspelt transactions",
            "\"epcList\":[],\"bizTransactionList\":[",
            "]}]}}",
            Each,
            |_| r#"{"type":"desdav","bizTransactoin":1}"#.into(),
        ),
        in_event(
            "dispositions",
            "\"epcList\":[],\"persistentDisposition\":{\"set\":[",
            "]}}]}}",
            Some,
            |_| "\"active\"".into(),
        ),
        in_event(
            "misspelt dispositions",
            "\"epcList\":[],\"persistentDisposition\":{\"set\":[",
            "]}}]}}",
            Each,
            |n| format!("\"activ{n}\""),
        ),
        in_event("one long string", "\"epcList\":[],\"bizStep\":\"", "\"}]}}", Some, |_| {
            "x".repeat(999)
        }),
        in_event(
            "one long string of escapes",
            "\"epcList\":[],\"bizStep\":\"",
            "\"}]}}",
            Some,
            |_| "\\n\\u00e9".repeat(99),
        ),
        in_event("one long name", "\"epcList\":[],\"", "\":1}]}}", Some, |_| "x".repeat(999)),
        in_event("one long URI", "\"epcList\":[\"urn:", "\"]}]}}", None, |_| "x".repeat(999)),
        in_event("certificates", "\"epcList\":[],\"certificationInfo\":[", "]}]}}", Some, |_| {
            "1".into()
        }),
        bare("an array of numbers", "[", "]", Some, |_| "1".into()),
        bare("an array of empty objects", "[", "]", Some, |_| "{}".into()),
        bare("an array of empty strings", "[", "]", Some, |_| "\"\"".into()),
        bare("an object of numbers", "{", "}", Some, |n| format!("\"{n}\":1")),
        bare("a context of numbers", r#"{"type":"x:y","@context":["#, "]}", Some, |_| "1".into()),
        bare("a context of empty objects", r#"{"type":"x:y","@context":["#, "]}", Some, |_| {
            "{}".into()
        }),
        bare("a context of objects", r#"{"type":"x:y","@context":["#, "]}", Some, |n| {
            format!("{{\"a\":{n}}}")
        }),
        bare("two large contexts", r#"{"type":"x:y","@context":[{"b":1},{"#, "}]}", Some, |n| {
            format!("\"a{n}\":1")
        }),
        bare(
            "a large context of numbers",
            r#"{"type":"x:y","@context":[{"b":1},{"a":["#,
            "]}]}",
            Some,
            |_| "1".into(),
        ),
        in_event(
            "a large context of an event",
            r#""epcList":["x"],"@context":[{"b":1},{"a":["#,
            "]}]}]}}",
            Some,
            |_| "1".into(),
        ),
        in_event(
            "names that differ in the middle, with an escape",
            "\"epcList\":[\"x\"],",
            "}]}}",
            Some,
            |n| format!("\"\\u0061:aaaaaa{n:07}aaaaaaaa\":1"),
        ),
        bare("contexts as deep as can be", r#"{"type":"x:y","@context":["#, "]}", Some, |n| {
            format!("{}{n}{}", "[".repeat(120), "]".repeat(120))
        }),
        bare(
            "master data",
            r#"{"type":"EPCISDocument","epcisHeader":{"epcisMasterData":{"vocabularyList":["#,
            "]}}}",
            Some,
            |_| r#"{"vocabularyElementList":[{},1]}"#.into(),
        ),
    ]
}

/// The cost of validation: memory in addition to the body, and the shortest of some times.
fn judge(text: &[u8], pieces: usize, shape: &Shape, rounds: usize) -> (usize, Duration) {
    let validator = Validator::default();
    let mut times = Vec::new();
    let before = in_use();
    reset_peak();
    for _ in 0..rounds {
        let before = worked();
        let verdict = validator.judge(text).unwrap();
        times.push(worked() - before);
        let name = shape.name;
        match shape.errors {
            Errors::None => assert!(verdict.valid, "{name}: {:?}", verdict.errors),
            Errors::Some => assert!(!verdict.valid, "{name}"),
            Errors::Each => {
                let listed = verdict.errors.len();
                assert!(listed >= pieces.min(MAX_ERRORS), "{name}: {listed} of {pieces}");
            }
        }
        let in_order = |pair: &[epcis_edge_core::validate::SchemaError]| pair[0] != pair[1];
        assert!(verdict.errors.windows(2).all(in_order), "{name}");
    }
    let peak = peak() - before;
    (peak, times.into_iter().min().unwrap())
}

#[test]
fn any_body_is_judged_within_bounds() {
    let is_full = in_full();
    let sizes: &[usize] = if is_full {
        &[1280 << 10, 2560 << 10, 5 << 20, 10 << 20]
    } else {
        &[128 << 10, 512 << 10]
    };
    a_stream_of_faulty_events_is_judged_within_bounds();
    let mut worst = (0, "", 0);
    let mut faults = Vec::new();
    for shape in shapes() {
        let mut first: Option<Duration> = None;
        for &size in sizes {
            let (text, pieces) = shape.text(size);
            let rounds = if is_full { 3 } else { 1 };
            let (peak, time) = judge(&text, pieces, &shape, rounds);
            let in_all = peak + text.len();
            // The worst case is five million numbers in ten million bytes, at eight bytes each, with one reallocation. A verdict
            // adds a thousand messages.
            let bound = 11 * text.len() / 2 + (1 << 19);
            if is_full {
                println!(
                    "{:36} {:>9} bytes: {:>9} in all, {:>7.1} ms",
                    shape.name,
                    text.len(),
                    in_all,
                    time.as_secs_f64() * 1e3
                );
                let limit = Duration::from_secs(1);
                let first = *first.get_or_insert(time.max(Duration::from_millis(5)));
                // Allows a factor of 3 per doubling instead of 2, because large documents do not fit into the processor's caches.
                let doublings = (size / sizes[0]).ilog2();
                let grown = time.as_secs_f64() / first.as_secs_f64();
                if grown > 3.0_f64.powi(doublings as i32) || time > limit {
                    let name = shape.name;
                    faults.push(format!("{name} {size}: {time:?}, grown by {grown:.1}"));
                }
            }
            if in_all > bound {
                faults.push(format!("{} {size}: {in_all} bytes in all", shape.name));
            }
            if in_all * 100 / text.len() > worst.2 {
                worst = (size, shape.name, in_all * 100 / text.len());
            }
        }
    }
    println!(
        "at most {} % of the body, itself included: {} of {} bytes",
        worst.2, worst.1, worst.0
    );
    assert!(faults.is_empty(), "{faults:#?}");
}

/// A stream of events holds one event and the listed errors.
fn a_stream_of_faulty_events_is_judged_within_bounds() {
    let validator = Validator::default();
    let before = in_use();
    reset_peak();
    let mut stream = VerdictStream::new();
    stream.push(DOCUMENT.as_bytes(), &validator).unwrap();
    for _ in 0..100_000 {
        stream.push(b"{\"type\":\"ObjectEvent\"},", &validator).unwrap();
    }
    stream.push(b"1]}}", &validator).unwrap();
    let verdict = stream.finish(&validator).unwrap();
    assert_eq!(verdict.errors.len(), MAX_ERRORS);
    let peak = peak() - before;
    assert!(peak < 2 << 20, "{peak}");
}
