//! Checking any body stays within bounds: memory is a small multiple of its length, and time is linear in it.
//!
//! `EPCIS_EDGE_BOUNDS=full` tries bodies up to 10 MiB and checks the time as well. Build with `--release` for that.

use epcis_edge_core::check::{Checks, Pack};
use epcis_edge_core::json::Document;
use epcis_edge_tests::memory::{in_use, peak, reset_peak};
use epcis_edge_tests::template::Template;
use epcis_edge_tests::time::{in_full, worked};
use serde_json::json;
use std::time::Duration;

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
        for (name, template) in
            include_str!("check.txt").lines().filter_map(|line| line.split_once(" = "))
        {
            let template = Template::new(template, &[]);
            let costs: Vec<_> = lengths
                .iter()
                .map(|length| {
                    let mut text = template.body(*length).0;
                    text.shrink_to_fit();
                    (text.len(), cost(checks, &text, if is_full { 3 } else { 1 }))
                })
                .collect();
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
