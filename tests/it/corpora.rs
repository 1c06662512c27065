//! Runs the fuzz targets as plain tests, on each file of `fuzz/corpus` and on suitable vectors.

use epcis_edge_fuzz::{TARGETS, capture_query, contexts, json_document, xml_document};
use epcis_edge_tests::{entries, own_vectors, read, read_json, repository};
use std::path::{Path, PathBuf};

/// The largest total size of all corpora, in bytes.
const LARGEST: u64 = 3 << 20;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}

#[test]
fn every_input_of_the_corpora_keeps_the_invariants() {
    let corpora = repository().join("fuzz/corpus");
    let mut bytes = 0;
    for (name, target) in TARGETS {
        let folder = corpora.join(name);
        let inputs = files(&folder);
        assert!(!inputs.is_empty(), "{name} has no corpus");
        for path in inputs {
            let input = read(&path);
            bytes += input.len() as u64;
            target(&input);
        }
    }
    assert!(bytes <= LARGEST, "the corpora have {bytes} bytes");
}

#[test]
fn the_vectors_are_seeds_too() {
    let query = read_json(&own_vectors("query").join("queries.json"));
    let events = read(&own_vectors("query").join("events.json"));
    for case in query.as_array().unwrap().iter().step_by(7) {
        let mut input = format!("{}\n", case["query"]).into_bytes();
        input.extend_from_slice(&events);
        capture_query(&input);
    }
    for path in entries(&own_vectors("capture")) {
        let document = read_json(&path)["document"].to_string();
        contexts(document.as_bytes());
        json_document(document.as_bytes());
    }
    for path in files(&own_vectors("translate")) {
        if path.extension().is_some_and(|extension| extension == "xml") {
            xml_document(&read(&path));
        }
    }
}
