//! What the packs find in every vector, our own and third-party: a table of rules. With the name of a rule, it lists each finding.
//!
//! `cargo run -p epcis-edge-tests --example check_vectors [rule]`

use epcis_edge_core::check::{CheckReport, Checks};
use epcis_edge_core::json::Document;
use epcis_edge_core::translate::{is_xml, translate};
use epcis_edge_tests::{entries, outside_vectors, own_vectors, read, repository};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// 2026-11-22T00:00:00Z.
const NOW: u64 = 1_795_305_600_000;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn report(checks: &Checks, bytes: &[u8]) -> Option<CheckReport> {
    if is_xml(bytes) {
        return checks.check_translation(&translate(bytes).ok()?, Some(NOW)).ok();
    }
    checks.check(&Document::read(bytes).ok()?, Some(NOW)).ok()
}

fn main() {
    let wanted = std::env::args().nth(1);
    let checks = Checks::all().unwrap();
    let mut all = Vec::new();
    let areas = ["capture", "hash", "query", "rest", "translate", "validate", "xml"];
    for area in areas {
        let own = own_vectors(area);
        for folder in outside_vectors(area).into_iter().chain(own.is_dir().then_some(own)) {
            files(&folder, &mut all);
        }
    }
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let (mut documents, mut events) = (0, 0);
    for path in all {
        let Some(report) = report(&checks, &read(&path)) else {
            continue;
        };
        if report.events == 0 {
            continue;
        }
        documents += 1;
        events += report.events;
        for rule in &report.rules {
            let count = counts.entry(rule.rule.clone()).or_default();
            *count = (count.0 + 1, count.1 + rule.count);
        }
        for found in report.findings.iter().filter(|found| Some(&found.rule) == wanted.as_ref()) {
            let name = path.strip_prefix(repository()).unwrap_or(&path).display();
            println!(
                "{name}:{}: {} `{}`",
                found.place.line,
                found.place.path,
                found.found.as_deref().unwrap_or_default()
            );
        }
    }
    if wanted.is_none() {
        println!(
            "{documents} documents, {events} events\n\n| rule | documents | findings |\n|---|---|---|"
        );
        for (rule, (documents, findings)) in counts {
            println!("| `{rule}` | {documents} | {findings} |");
        }
    }
}
