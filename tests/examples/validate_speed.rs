//! The speed of validation: reading alone, reading with the verdict, and the `jsonschema` crate.
//!
//! `cargo run --release -p epcis-edge-tests --example validate_speed` prints megabytes per second, the median of rounds in which
//! the contenders take turns. With the name of a contender and a number of events, it repeats that contender alone, for a profiler.
//! With `generate`, a number of events and a path, it writes the document.

use epcis_edge_core::json::Document;
use epcis_edge_core::validate::Validator;
use epcis_edge_tests::events::{self, Envelope};
use std::hint::black_box;
use std::time::Instant;

type Contender = (&'static str, Box<dyn Fn(&[u8])>);

fn contenders() -> Vec<Contender> {
    let schema = serde_json::from_str(epcis_edge_schema::TEXT).unwrap();
    let stock = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    let ours = Validator::new().unwrap();
    vec![
        (
            "tape",
            Box::new(|text| {
                black_box(Document::read(text).unwrap());
            }),
        ),
        (
            "validate",
            Box::new(move |text| {
                black_box(ours.validate(&Document::read(text).unwrap()));
            }),
        ),
        (
            "judge",
            Box::new(move |text| {
                black_box(ours.judge(text).unwrap());
            }),
        ),
        (
            "engine",
            Box::new(move |text| {
                let value = serde_json::from_slice(text).unwrap();
                black_box(stock.iter_errors(&value).count());
            }),
        ),
    ]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["generate", events, path] => {
            let document = events::document(Envelope::Document, events.parse().unwrap(), 1);
            std::fs::write(path, document.to_string()).unwrap();
        }
        [name, events] => {
            let text = events::document(Envelope::Document, events.parse().unwrap(), 1).to_string();
            let contenders = contenders();
            let (_, run) = contenders.iter().find(|(known, _)| *known == name).unwrap();
            for _ in 0..1_000_000_000 / text.len() {
                run(text.as_bytes());
            }
        }
        _ => table(),
    }
}

fn table() {
    let contenders = contenders();
    print!("MB/s, median of rounds      ");
    contenders.iter().for_each(|(name, _)| print!("{name:>10}"));
    println!();
    for count in [1, 100, 10_000] {
        let mut document = events::document(Envelope::Document, count, 1);
        row(&format!("{count} events"), &document.to_string(), &contenders);
        let pretty = serde_json::to_string_pretty(&document).unwrap();
        row(&format!("{count} events, pretty"), &pretty, &contenders);
        if count == 10_000 {
            document["epcisBody"]["eventList"][5_000]["bizStep"] = "shiping".into();
            row("one of 10000 faulty", &document.to_string(), &contenders);
            for event in document["epcisBody"]["eventList"].as_array_mut().unwrap() {
                event["bizStep"] = "shiping".into();
            }
            row("all of 10000 faulty", &document.to_string(), &contenders);
        }
    }
}

/// One line of the table.
fn row(title: &str, text: &str, contenders: &[Contender]) {
    let turns = (4_000_000 / text.len()).max(1);
    let mut rounds: Vec<Vec<f64>> = vec![Vec::new(); contenders.len()];
    for _ in 0..9 {
        for ((_, run), speeds) in contenders.iter().zip(&mut rounds) {
            let start = Instant::now();
            for _ in 0..turns {
                run(black_box(text.as_bytes()));
            }
            speeds.push((turns * text.len()) as f64 / start.elapsed().as_secs_f64() / 1e6);
        }
    }
    print!("{title:22}{:>5}k", text.len() / 1000);
    for mut speeds in rounds {
        speeds.sort_by(f64::total_cmp);
        print!("{:>10.0}", speeds[speeds.len() / 2]);
    }
    println!();
}
