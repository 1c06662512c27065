//! Translating any XML body takes memory and work proportional to its length.
//!
//! The short form runs with all tests, on bodies of 4 to 64 KiB. The long form goes up to 10 MiB and also checks the time:
//! `EPCIS_EDGE_BOUNDS=full cargo test --release -p epcis-edge-tests --test bounds translate_bounds:: -- --nocapture`.
// Invariant: Translating XML of up to 10 MiB takes at most 96 MB of wasm memory and linear time; what would exceed this is refused with
// its location.

use epcis_edge_core::json::Document;
use epcis_edge_core::translate::{TranslationStream, translate};
use epcis_edge_core::validate::Validator;
use epcis_edge_tests::memory::{in_use, peak, reset_peak, total};
use epcis_edge_tests::shapes::{Shape, XML};
use epcis_edge_tests::time::{in_full, worked};
use std::time::Duration;

/// The cost of one translation.
#[derive(Clone, Copy)]
struct Cost {
    /// The most bytes in use at once, the body included.
    peak: usize,
    /// The bytes of all allocations.
    total: usize,
    time: Duration,
}

/// The cost of validation alone. A stream validates as well, and that cost is tested elsewhere.
fn of_judging(body: &[u8], validator: &Validator) -> Cost {
    let document = translate(body).map(|translation| translation.document);
    cost(0, || {
        if let Ok(document) = document
            && let Ok(document) = Document::read(document.as_bytes())
        {
            let _ = validator.validate(&document);
        }
    })
}

fn cost(size: usize, work: impl FnOnce()) -> Cost {
    let before = in_use() - size;
    reset_peak();
    let earlier = total();
    let began = worked();
    work();
    Cost { time: worked() - began, peak: peak() - before, total: total() - earlier }
}

fn as_a_whole(body: &[u8]) {
    // Refusals are fine here. Other tests check which documents are refused.
    let _ = translate(body);
}

fn as_a_stream(body: &[u8], validator: &Validator) {
    let mut stream = TranslationStream::new();
    for chunk in body.chunks(64 << 10) {
        if stream.push(chunk, validator, &mut Vec::new()).is_err() {
            return;
        }
    }
    let _ = stream.finish(validator, &mut Vec::new());
}

/// The violations of the bounds by one shape at five sizes, each twice the one before.
fn beyond(
    shape: &Shape,
    smallest: usize,
    is_full: bool,
    work: &dyn Fn(&[u8]),
    apart: &dyn Fn(&[u8]) -> (usize, usize),
) -> Vec<String> {
    let mut found = Vec::new();
    let mut before: Option<Cost> = None;
    for size in (0..5).map(|doubling| smallest << doubling) {
        let body = shape.body(size).into_bytes();
        let size = body.capacity();
        let mut cost = cost(size, || work(&body));
        // Measured in a native build, where pointers take twice the bytes they take in wasm.
        let (peak, total) = apart(&body);
        let bound = 17 * size + (12 << 20) + peak;
        if cost.peak > bound {
            found.push(format!("{}: {} of {size} bytes in use", shape.name, cost.peak));
        }
        cost.total = cost.total.saturating_sub(total);
        if let Some(before) = before {
            if cost.total > before.total / 2 * 5 + (4 << 20) {
                let (from, to) = (before.total, cost.total);
                found.push(format!("{}: allocations from {from} to {to}", shape.name));
            }
            let limit = before.time.max(Duration::from_millis(100)) * 5 / 2;
            if is_full && cost.time > limit {
                let (from, to) = (before.time, cost.time);
                found.push(format!("{}: time from {from:?} to {to:?}", shape.name));
            }
        }
        before = Some(cost);
    }
    if let Some(Cost { peak, time, .. }) = before.filter(|_| is_full) {
        println!("{}: {} MB, {time:?}", shape.name, peak / 1_000_000);
    }
    found
}

/// Documents that consist almost entirely of one text that JSON must escape, so every copy of it counts.
const LONG_TEXTS: [&str; 7] = [
    "carriage returns",
    "carriage returns and line feeds",
    "carriage returns in a CDATA section",
    "carriage returns in a header",
    "carriage returns in master data",
    "one text of quotes",
    "tabs",
];

/// A long text may take ten times its size. A document with one in an event and much master data may take seven times, because the
/// output is put together after everything else is freed.
fn copies_of_long_texts() -> Vec<String> {
    let mut found = Vec::new();
    let name = "attributes of one vocabulary element, carriage returns";
    let shape = XML.iter().find(|shape| shape.name == name).unwrap();
    let body = shape.body(4 << 20).into_bytes();
    let size = body.capacity();
    let peak = cost(size, || as_a_whole(&body)).peak;
    if peak > 7 * size {
        found.push(format!("{name}: {peak} of {size} bytes in use"));
    }
    for name in LONG_TEXTS {
        let shape = XML.iter().find(|shape| shape.name == name).unwrap();
        let body = shape.body(1 << 20).into_bytes();
        let size = body.capacity();
        let peak = cost(size, || as_a_whole(&body)).peak;
        if peak > 10 * size + (1 << 20) {
            found.push(format!("{name}: {peak} of {size} bytes in use"));
        }
    }
    found
}

#[test]
fn every_body_takes_memory_and_work_in_proportion() {
    epcis_edge_core::translate::compare_as_a_release();
    let is_full = in_full();
    let smallest = if is_full { 640 << 10 } else { 4 << 10 };
    let validator = Validator::new().unwrap();
    assert!(XML.len() >= 40);
    let mut found = copies_of_long_texts();
    for shape in XML.iter() {
        found.extend(beyond(shape, smallest, is_full, &as_a_whole, &|_| (0, 0)));
        if !is_full {
            let stream = |body: &[u8]| as_a_stream(body, &validator);
            let judging = |body: &[u8]| {
                let Cost { peak, total, .. } = of_judging(body, &validator);
                (peak, total)
            };
            found.extend(beyond(shape, smallest, is_full, &stream, &judging));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
