//! Compares the counted cost of expensive packs with the measured one. The count should be an upper bound.
//!
//! `cargo run --release -p epcis-edge-tests --example check_cost [part of a name]` prints the steps, the CPU milliseconds of reading
//! and counting, and those of evaluating the rules without a budget. The document doubles in length as long as evaluation takes less
//! than 20 s.

use epcis_edge_core::check::{Checks, Pack};
use epcis_edge_core::json::Document;
use epcis_edge_tests::packs::{COSTLY, SECOND};
use epcis_edge_tests::time::seconds;

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    for costly in COSTLY
        .iter()
        .chain(SECOND)
        .filter(|costly| costly.name.contains(&wanted))
    {
        let pack = costly.pack().to_string();
        for halvings in [5, 3, 2, 1, 0] {
            let text = costly.document((10 << 20 >> halvings) - pack.len().min(1 << 17));
            let document = Document::read(text.as_bytes()).unwrap();
            let checks = || {
                let pack = Pack::read(pack.as_bytes()).unwrap();
                Checks::with(&[], pack).unwrap().within(u64::MAX)
            };
            let mut steps = 0;
            let counting = seconds(|| steps = checks().steps(&document).unwrap());
            let all = seconds(|| checks().check(&document, Some(1_780_315_200_000)).unwrap());
            let asking = all - counting;
            println!(
                "{:55} {:>6} kB {:>12.3} G steps, counted in {:>6.1} ms, asked in {:>9.1} ms, {:.2} ns a step",
                costly.name,
                text.len() / 1000,
                steps as f64 / 1e9,
                counting * 1e3,
                asking * 1e3,
                asking * 1e9 / steps as f64
            );
            if asking > 10.0 {
                break;
            }
        }
    }
}
