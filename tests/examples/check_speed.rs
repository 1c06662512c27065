//! What the checks cost in addition to validation: reading alone, the verdict, the checks of all packs.
//!
//! `cargo run --release -p epcis-edge-tests --example check_speed` prints CPU milliseconds, the median of rounds in which the
//! contenders take turns. The last column is the cost of the checks without reading, as a fraction of the whole cost of validation,
//! also the median of the rounds.
//! With the name of a contender, a number of events and a number of rounds, it repeats that contender alone, for a profiler, on a
//! document without errors.

use epcis_edge_core::check::Checks;
use epcis_edge_core::json::Document;
use epcis_edge_core::validate::Validator;
use epcis_edge_tests::events::{self, Envelope};
use epcis_edge_tests::time::seconds;
use epcis_edge_tests::{own_vectors, read_json};
use serde_json::Value;
use std::hint::black_box;

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
        ("dscsa", checks(&["dscsa"])),
        ("fsma204", checks(&["fsma204"])),
        ("gdst", checks(&["gdst"])),
    ]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let contenders = contenders();
    if let [name, events, rounds] = arguments.as_slice() {
        let document = events::document(Envelope::Document, events.parse().unwrap(), 1);
        let text = clean(document);
        let (_, run) = contenders.iter().find(|(known, _)| known == name).unwrap();
        for _ in 0..rounds.parse().unwrap() {
            run(text.as_bytes());
        }
        return;
    }
    print!("ms                     ");
    contenders.iter().for_each(|(name, _)| print!("{name:>12}"));
    println!("   checks/validate");
    for count in [1, 100, 1000, 10_000] {
        let document = events::document(Envelope::Document, count, 1);
        let without_errors = clean(document.clone());
        let found = Checks::all().unwrap();
        let found = found.check(&Document::read(without_errors.as_bytes()).unwrap(), None);
        assert_eq!(found.unwrap().findings, [], "{count} events");
        row(&format!("{count} events"), &document.to_string(), &contenders);
        row(&format!("{count} events, clean"), &without_errors, &contenders);
        if count == 10_000 {
            let pretty = serde_json::to_string_pretty(&document).unwrap();
            row(&format!("{count} events, pretty"), &pretty, &contenders);
        }
    }
    row("10000 of medicines", &medicines(), &contenders);
}

/// Ten thousand events about medicines with serials, as the vectors of `dscsa` have them: no pack finds anything.
fn medicines() -> String {
    let mut document = read_json(&own_vectors("check/bases/medicine.json"));
    let events = document.pointer_mut("/epcisBody/eventList").unwrap();
    let of_one = events.as_array().unwrap().clone();
    let again = |number: usize| {
        let text = Value::from(of_one.clone()).to_string();
        let text = text.replace(".012345.", &format!(".012345.{number}"));
        let text = text.replace(".112345.", &format!(".112345.{number}"));
        let text = text.replace("1234567890", &format!("1{number:09}"));
        let events: Vec<Value> = serde_json::from_str(&text).unwrap();
        events
    };
    *events = (0..10_000 / 6).flat_map(again).collect();
    let text = document.to_string();
    let report = Checks::named(&["dscsa"]).unwrap();
    let report = report.check(&Document::read(text.as_bytes()).unwrap(), None);
    assert_eq!(report.unwrap().findings, []);
    text
}

/// The document with correct check digits and offsets, which most generated Digital Links lack, and without error declarations,
/// whose original events are absent.
fn clean(mut document: Value) -> String {
    let events = document.pointer_mut("/epcisBody/eventList").unwrap();
    for event in events.as_array_mut().unwrap() {
        let event = event.as_object_mut().unwrap();
        event.shift_remove("errorDeclaration");
        // These steps require a particular action.
        let step = event.get("bizStep").and_then(Value::as_str);
        if step.is_some_and(|step| ["commissioning", "packing", "unpacking"].contains(&step)) {
            event["bizStep"] = "inspecting".into();
        }
    }
    let mut text = document.to_string().replace("+02:00\"", "Z\"").replace(".004-05:00\"", "Z\"");
    for (key, length) in [("/01/", 14), ("/414/", 13), ("/417/", 13)] {
        let places: Vec<usize> = text.match_indices(key).map(|(at, _)| at + key.len()).collect();
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
            let seconds = seconds(|| (0..turns).for_each(|_| run(black_box(text.as_bytes()))));
            times.push(seconds / turns as f64 * 1e3);
        }
    }
    print!("{title:23}");
    let shares = (0..rounds[0].len())
        .map(|round| (rounds[5][round] - rounds[0][round]) / rounds[1][round])
        .collect();
    for times in rounds {
        print!("{:>12.4}", median(times));
    }
    println!("{:>18.2}", median(shares));
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
