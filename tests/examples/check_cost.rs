//! Measures how long a step of expensive packs takes, so that the limit on steps bounds the time.
//!
//! `cargo run --release -p epcis-edge-tests --example check_cost [part of a name]` prints the steps and the CPU time of a check, for
//! documents that double in length up to 10 MiB. A check ends at the limit of a call with a key.

use epcis_edge_core::check::{Checks, MAX_STEPS, Pack};
use epcis_edge_core::error::ErrorKind;
use epcis_edge_core::json::Document;
use epcis_edge_tests::packs::COSTLY;
use epcis_edge_tests::time::seconds;

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let costly = COSTLY.iter();
    for costly in costly.filter(|costly| costly.name.contains(&wanted)) {
        let pack = costly.pack().to_string();
        for halvings in [5, 4, 3, 2, 1, 0] {
            let text = costly.document((10 << 20 >> halvings) - pack.len().min(1 << 17));
            let document = Document::read(text.as_bytes()).unwrap();
            let pack = Pack::read(pack.as_bytes()).unwrap();
            let checks = Checks::with(&[], pack).unwrap();
            let mut report = None;
            let time = seconds(|| report = Some(checks.check(&document, Some(1_780_315_200_000))));
            let (steps, end) = match report.unwrap() {
                Ok(report) => (report.steps, ""),
                Err(error) => match error.kind() {
                    ErrorKind::PackTooCostly { .. } => (MAX_STEPS, ", ended"),
                    _ => panic!("{}: {error}", costly.name),
                },
            };
            println!(
                "{:48} {:>6} kB {:>7.3} G steps in {:>8.1} ms, {:.2} ns a step{end}",
                costly.name,
                text.len() / 1000,
                steps as f64 / 1e9,
                time * 1e3,
                time * 1e9 / steps as f64
            );
        }
    }
}
