//! Captures documents, one per line, and writes each as stored, one per line: `cargo run --example capture -- <namespace>`.
//!
//! It lets JSON-LD readers in other languages check what a stored event means.

use epcis_edge_core::call::{Call, Principal};
use epcis_edge_core::capture::{self, Policy};
use epcis_edge_core::error::Problem;
use epcis_edge_core::validate::Validator;
use serde_json::{Value, json};
use std::io::{BufRead as _, Write as _};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let namespace = std::env::args().nth(1).ok_or("expected a namespace")?;
    let principal = Principal::local("urn:the-account", "urn:the-observer");
    let call = Call::new(1_769_904_000_000, principal);
    let validator = Validator::new()?;
    let policy = Policy::new(&namespace);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let answer = match capture::prepare(line?.as_bytes(), &validator, &policy, &call) {
            Ok(prepared) => {
                let events = prepared.batch.events.iter();
                let events: Result<Vec<Value>, _> =
                    events.map(|event| serde_json::from_str(&event.event)).collect();
                json!({"stored": events?, "stripped": prepared.stripped})
            }
            Err(error) => json!({"refused": Problem::from(&error)}),
        };
        writeln!(out, "{answer}")?;
    }
    Ok(())
}
