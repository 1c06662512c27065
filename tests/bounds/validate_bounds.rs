//! Validating any body stays within bounds: memory is a small multiple of its length, and time is linear in it.
//!
//! `EPCIS_EDGE_BOUNDS=full` tries bodies up to 10 MiB and checks the time as well. Build with `--release` for that.

use epcis_edge_core::validate::{MAX_ERRORS, Validator, VerdictStream};
use epcis_edge_tests::memory::{in_use, peak, reset_peak};
use epcis_edge_tests::template::Template;
use epcis_edge_tests::time::{in_full, worked};
use std::time::Duration;

const DOCUMENT: &str = r#"{"@context":[],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-01-01T00:00:00Z","epcisBody":{"eventList":["#;
const EVENT: &str = r#""type":"ObjectEvent","eventTime":"2026-01-01T00:00:00Z","eventTimeZoneOffset":"+00:00","action":"ADD""#;

/// What the templates name. A piece may have those behind it.
const PIECES: &[(&str, &str)] = &[
    ("{one}", "{document}{{event}"),
    ("{/one}", "}]}}"),
    ("{document}", DOCUMENT),
    ("{event}", EVENT),
];

/// A name and the text, with the number of its pieces and of the errors that it must have: `none`, `some`, or `each` piece one.
struct Shape<'a> {
    name: &'a str,
    text: Vec<u8>,
    pieces: usize,
    errors: &'a str,
}

/// The cost of validation: memory in addition to the body, and the shortest of some times.
fn judge(shape: &Shape<'_>, rounds: usize) -> (usize, Duration) {
    let validator = Validator::default();
    let mut times = Vec::new();
    let before = in_use();
    reset_peak();
    for _ in 0..rounds {
        let before = worked();
        let verdict = validator.judge(&shape.text).unwrap();
        times.push(worked() - before);
        let name = shape.name;
        match shape.errors {
            "none" => assert!(verdict.valid, "{name}: {:?}", verdict.errors),
            "some" => assert!(!verdict.valid, "{name}"),
            "each" => {
                let (listed, pieces) = (verdict.errors.len(), shape.pieces);
                assert!(listed >= pieces.min(MAX_ERRORS), "{name}: {listed} of {pieces}");
            }
            other => panic!("{name}: {other}"),
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
    for line in include_str!("validate.txt").lines().filter(|line| !line.starts_with('#')) {
        let (errors, (name, template)) = line
            .split_once(": ")
            .map(|(errors, rest)| (errors, rest.split_once(" = ").unwrap()))
            .unwrap();
        let template = Template::new(template, PIECES);
        let mut first: Option<Duration> = None;
        for &size in sizes {
            let (mut text, pieces) = template.body(size);
            text.shrink_to_fit();
            let shape = Shape { name, text: text.into_bytes(), pieces, errors };
            let (peak, time) = judge(&shape, if is_full { 3 } else { 1 });
            let length = shape.text.len();
            let in_all = peak + length;
            // The worst case is five million numbers in ten million bytes, at eight bytes each, with one reallocation. A verdict
            // adds a thousand messages.
            let bound = 11 * length / 2 + (1 << 19);
            if is_full {
                println!(
                    "{:36} {:>9} bytes: {:>9} in all, {:>7.1} ms",
                    name,
                    length,
                    in_all,
                    time.as_secs_f64() * 1e3
                );
                let limit = Duration::from_secs(1);
                let first = *first.get_or_insert(time.max(Duration::from_millis(5)));
                // Allows a factor of 3 per doubling instead of 2, because large documents do not fit into the processor's caches.
                let doublings = (size / sizes[0]).ilog2();
                let grown = time.as_secs_f64() / first.as_secs_f64();
                if grown > 3.0_f64.powi(doublings as i32) || time > limit {
                    faults.push(format!("{name} {size}: {time:?}, grown by {grown:.1}"));
                }
            }
            if in_all > bound {
                faults.push(format!("{name} {size}: {in_all} bytes in all"));
            }
            if in_all * 100 / length > worst.2 {
                worst = (size, name, in_all * 100 / length);
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
