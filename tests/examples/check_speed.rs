//! How much the checks cost beside validation: reading alone, the verdict, the checks of all packs.
//!
//! `cargo run --release -p epcis-edge-tests --example check_speed`: milliseconds, the median of rounds in which the contenders take
//! turns; the last column is what the checks cost beyond reading as a part of what validation costs in all.
//! With the name of a contender and a number of events it repeats that one alone, for a profiler.

use epcis_edge_core::check::Checks;
use epcis_edge_core::json::Document;
use epcis_edge_core::validate::Validator;
use epcis_edge_tests::events::{self, Envelope};
use std::hint::black_box;
use std::time::Instant;

type Contender = (&'static str, Box<dyn Fn(&[u8])>);

fn contenders() -> Vec<Contender> {
    let checks = |names: &[&str]| {
        let checks = Checks::named(names).unwrap();
        Box::new(move |text: &[u8]| {
            let document = Document::read(text).unwrap();
            black_box(checks.check(&document, Some(1_800_000_000_000)).unwrap());
        })
    };
    let validator = Validator::new().unwrap();
    vec![
        (
            "read",
            Box::new(|text| {
                black_box(Document::read(text).unwrap());
            }),
        ),
        (
            "validate",
            Box::new(move |text| {
                black_box(validator.validate(&Document::read(text).unwrap()));
            }),
        ),
        ("identifiers", checks(&["identifiers"])),
        ("consistency", checks(&["consistency"])),
        ("cbv", checks(&["cbv"])),
        ("all", checks(&["identifiers", "consistency", "cbv"])),
    ]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let contenders = contenders();
    if let [name, events] = arguments.as_slice() {
        let text = events::document(Envelope::Document, events.parse().unwrap(), 1).to_string();
        let (_, run) = contenders.iter().find(|(known, _)| known == name).unwrap();
        for _ in 0..1_000_000_000 / text.len() {
            run(text.as_bytes());
        }
        return;
    }
    print!("ms                     ");
    contenders.iter().for_each(|(name, _)| print!("{name:>12}"));
    println!("   checks/validate");
    for count in [1, 100, 1000, 10_000] {
        let document = events::document(Envelope::Document, count, 1);
        row(
            &format!("{count} events"),
            &document.to_string(),
            &contenders,
        );
        row(
            &format!("{count} events, clean"),
            &clean(&document.to_string()),
            &contenders,
        );
        if count == 10_000 {
            let pretty = serde_json::to_string_pretty(&document).unwrap();
            row(&format!("{count} events, pretty"), &pretty, &contenders);
        }
    }
}

/// The document with the check digits and the offsets that it should have: most Digital Links of the maker have others.
fn clean(text: &str) -> String {
    let mut text = text
        .replace("+02:00\"", "Z\"")
        .replace(".004-05:00\"", "Z\"");
    for (key, length) in [("/01/", 14), ("/414/", 13), ("/417/", 13)] {
        let places: Vec<usize> = text
            .match_indices(key)
            .map(|(at, _)| at + key.len())
            .collect();
        for at in places {
            let digits = &text[at..at + length - 1];
            if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            let weighed = digits.bytes().rev().enumerate();
            let sum: u32 = weighed
                .map(|(place, digit)| u32::from(digit - b'0') * if place % 2 == 0 { 3 } else { 1 })
                .sum();
            let check = ((10 - sum % 10) % 10).to_string();
            text.replace_range(at + length - 1..at + length, &check);
        }
    }
    text
}

fn row(title: &str, text: &str, contenders: &[Contender]) {
    let turns = (3_000_000 / text.len()).max(1);
    let mut rounds: Vec<Vec<f64>> = vec![Vec::new(); contenders.len()];
    for _ in 0..15 {
        for ((_, run), times) in contenders.iter().zip(&mut rounds) {
            let start = Instant::now();
            for _ in 0..turns {
                run(black_box(text.as_bytes()));
            }
            times.push(start.elapsed().as_secs_f64() / turns as f64 * 1e3);
        }
    }
    print!("{title:23}");
    let mut medians = Vec::new();
    for mut times in rounds {
        times.sort_by(f64::total_cmp);
        let median = times[times.len() / 2];
        print!("{median:>12.4}");
        medians.push(median);
    }
    println!("{:>18.2}", (medians[5] - medians[0]) / medians[1]);
}
