//! The cost of statements and disclosures: `cargo run --release -p epcis-edge-tests --example log_speed`.
//!
//! It prints the median of five rounds, in milliseconds, for an event of about 12 MB with 300,000 EPCs, the 2,000 small events of
//! one integration, and a disclosure of 10,000 fields.

use epcis_edge_core::log::{
    Checkpoint, KeyKind, Proof, Signer, Statement, disclose, leaf_of, signed, verify_disclosure,
};
use std::hint::black_box;
use std::time::Instant;

const STAMPS: &str = r#""recordTime":"2026-11-21T10:00:01.000Z","spine:who":"https://id.gs1.org/417/9521141000009","spine:capturedBy":"https://example.com/accounts/1""#;
const SALT: [u8; 32] = [7; 32];

fn event(count: usize) -> String {
    let epcs: Vec<String> =
        (0..count).map(|at| format!(r#""urn:epc:id:sgtin:9521141.012345.{at}""#)).collect();
    let times = r#""eventTime":"2026-03-04T11:00:30.000+01:00","eventTimeZoneOffset":"+01:00""#;
    format!(
        r#"{{"type":"ObjectEvent","action":"OBSERVE",{times},"epcList":[{}],{STAMPS}}}"#,
        epcs.join(",")
    )
}

fn told(what: &str, work: impl Fn()) {
    let mut rounds: Vec<f64> = (0..5)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    println!("{:8.1} ms  {what}", rounds[2]);
}

fn main() {
    let document = "0".repeat(64);
    let large = event(300_000);
    let small = event(10);
    told(&format!("statement about one event of {} bytes, 300,000 EPCs", large.len()), || {
        black_box(Statement::of_stored(&large, &document, &SALT).unwrap());
    });
    told("2,000 statements about events with 10 EPCs", || {
        for _ in 0..2_000 {
            black_box(Statement::of_stored(&small, &document, &SALT).unwrap());
        }
    });
    let signer = Signer::new("epcis.example.com/log", KeyKind::Note, &[1; 32]).unwrap();
    let event = event(10_000);
    let statement = Statement::of_stored(&event, &document, &SALT).unwrap();
    let root = leaf_of(&statement.commitment(&SALT).unwrap());
    let head = Checkpoint { origin: "epcis.example.com/log".to_owned(), size: 1, root };
    let proof = Proof {
        extra: Some((SALT, statement.text().unwrap())),
        index: 0,
        path: Vec::new(),
        checkpoint: signed(&head.text(), std::slice::from_ref(&signer)),
    }
    .text();
    let show = ["epcList".to_owned()];
    told("a disclosure of 10,000 fields made", || {
        black_box(disclose(event.as_bytes(), &proof, &show).unwrap());
    });
    let disclosure = disclose(event.as_bytes(), &proof, &show).unwrap();
    let policy = format!("log {}\nquorum none\n", signer.key());
    told(&format!("the same verified, {} bytes", disclosure.len()), || {
        let verdict = verify_disclosure(disclosure.as_bytes(), &policy, u64::MAX).unwrap();
        assert!(verdict.proof.valid);
    });
}
