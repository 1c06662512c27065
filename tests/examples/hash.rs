//! Prints the hash and the pre-hash string of every event of JSON documents, for comparison scripts.
//!
//! `cargo run -p epcis-edge-tests --example hash -- PROFILE FILE...` prints a line `= FILE` for each file, then for each event its
//! hash, a tab and the string.

use epcis_edge_core::hash::{self, Profile};
use epcis_edge_core::json::Document;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let profile: Profile = arguments.next().unwrap_or_default().parse()?;
    for file in arguments {
        println!("= {file}");
        let text = std::fs::read(&file)?;
        for event in hash::pre_hash_document(&Document::read(&text)?, profile)? {
            println!("{}\t{}", event.hash, event.pre_hash);
        }
    }
    Ok(())
}
