//! Events hashed per second from bytes, parsing included, one thread: ours and the crate `epcis-hash`.
//!
//! `cargo run --release --manifest-path tests/peers/hash/Cargo.toml [-- ROUNDS]`
//!
//! The contenders take turns, round after round; what counts is the median of the ratios of the rounds.
//! A target that is missed is printed as missed.

use epcis_edge_core::hash::{self, Profile};
use epcis_edge_core::json::Document;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

const EVENTS: usize = 1000;

fn plain(n: usize, out: &mut String) {
    write!(
        out,
        r#"{{"type":"ObjectEvent","eventTime":"2026-03-04T11:00:{:02}.{:03}+01:00","eventTimeZoneOffset":"+01:00","recordTime":"2026-03-04T11:05:00.000+01:00","epcList":["urn:epc:id:sscc:9521321.0{:09}","urn:epc:id:sscc:9521321.1{:09}","urn:epc:id:sscc:9521321.2{:09}"],"action":"OBSERVE","bizStep":"departing","readPoint":{{"id":"urn:epc:id:sgln:9521321.00011.{}"}},"example:line":{{"example:speed":"12","example:shift":"5"}},"example:note":"0","example:checks":{{"example:check":["3","1"]}}}}"#,
        n % 60,
        n % 1000,
        n * 3,
        n * 2,
        n,
        n
    )
    .expect("a string takes everything");
}

fn sensor(n: usize, out: &mut String) {
    write!(
        out,
        r#"{{"type":"ObjectEvent","eventTime":"2026-07-19T13:00:{:02}.000+02:00","eventTimeZoneOffset":"+02:00","action":"OBSERVE","bizStep":"inspecting","readPoint":{{"id":"urn:epc:id:sgln:9521321.00005.{}"}},"sensorElementList":[{{"sensorMetadata":{{"deviceID":"urn:epc:id:giai:9521321.{}","deviceMetadata":"https://id.gs1.org/8004/9521321{}"}},"sensorReport":[{{"type":"AbsoluteHumidity","value":{}.1,"uom":"A93"}},{{"type":"MassConcentration","chemicalSubstance":"https://identifiers.org/inchikey:CZMRCDWAGMRECN-UGDNZRGBSA-N","value":0.18,"uom":"C35"}},{{"type":"MassConcentration","microorganism":"https://www.ncbi.nlm.nih.gov/taxonomy/1126011","value":0.05,"uom":"C35"}},{{"type":"Temperature","value":{}.0,"uom":"CEL"}}]}}]}}"#,
        n % 60,
        n,
        n,
        n,
        n % 90,
        n % 30
    )
    .expect("a string takes everything");
}

fn document(event: fn(usize, &mut String)) -> String {
    let mut text = String::from(
        r#"{"@context":["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",{"example":"https://ns.example.com/epcis/"}],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-03-04T12:00:00Z","epcisBody":{"eventList":["#,
    );
    for n in 0..EVENTS {
        if n > 0 {
            text.push(',');
        }
        event(n, &mut text);
    }
    text.push_str("]}}");
    text
}

/// Every hash URI of the document, as text.
fn ours(text: &[u8], profile: Profile) -> Vec<String> {
    let document = Document::read(text).expect("well-formed");
    let hashes = hash::hash_document(&document, profile).expect("events");
    hashes.iter().map(ToString::to_string).collect()
}

/// The same as users of the crate get it.
fn theirs(text: &[u8]) -> Vec<String> {
    let value = serde_json::from_slice(text).expect("well-formed");
    let strings = epcis_hash::canonicalize_json(&value, true).expect("events");
    strings
        .lines()
        .map(epcis_hash::compute_hash_from_prehash)
        .collect()
}

fn events_per_second(mut run: impl FnMut() -> Vec<String>) -> f64 {
    let start = Instant::now();
    let hashes = black_box(run());
    hashes.len() as f64 / start.elapsed().as_secs_f64()
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn main() {
    let rounds = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .unwrap_or(30);
    println!("{EVENTS} events a document, {rounds} rounds, medians; events per second\n");
    println!("| events | bytes | CBV2.0 | REF2025 | epcis-hash 0.2.0 | ratio | target |");
    println!("|---|---|---|---|---|---|---|");
    let kinds: [(&str, fn(usize, &mut String)); 2] = [("plain", plain), ("sensor", sensor)];
    for (name, event) in kinds {
        let text = document(event);
        let bytes = text.as_bytes();
        // Both must have done the same work.
        assert_eq!(ours(bytes, Profile::Ref2025), theirs(bytes));
        let mut rates = [const { Vec::new() }; 4];
        for _ in 0..rounds {
            let cbv20 = events_per_second(|| ours(bytes, Profile::Cbv20));
            let peer = events_per_second(|| theirs(bytes));
            let ref2025 = events_per_second(|| ours(bytes, Profile::Ref2025));
            for (list, rate) in rates.iter_mut().zip([cbv20, ref2025, peer, ref2025 / peer]) {
                list.push(rate);
            }
        }
        let [cbv20, ref2025, peer, ratio] = rates.map(median);
        let verdict = if ratio >= 5.0 { "5x met" } else { "5x MISSED" };
        println!(
            "| {name} | {} | {cbv20:.0} | {ref2025:.0} | {peer:.0} | {ratio:.1}x | {verdict} |",
            bytes.len()
        );
    }
}
