//! The hash vectors: JSON and XML documents with the hashes and pre-hash strings of their events.

use crate::{Exceptions, entries, read, read_text};
use epcis_edge_core::hash::{PreHashed, Profile, hash_document, pre_hash_document};
use epcis_edge_core::json::Document;
use epcis_edge_core::translate::{hash_xml, pre_hash_xml};
use std::path::{Path, PathBuf};

/// The events of a document with their pre-hash strings. A file is read as XML if its name ends in `.xml`.
///
/// # Panics
/// When the document cannot be hashed, or hashing without the strings gives other hashes.
#[must_use]
pub fn pre_hashes(document: &Path, profile: Profile) -> Vec<PreHashed> {
    let bytes = read(document);
    let (strings, hashes) = if document.extension().is_some_and(|kind| kind == "xml") {
        (pre_hash_xml(&bytes, profile), hash_xml(&bytes, profile))
    } else {
        let json = Document::read(&bytes).expect("JSON");
        (pre_hash_document(&json, profile), hash_document(&json, profile))
    };
    let (strings, hashes) = (strings.expect("strings"), hashes.expect("hashes"));
    assert!(hashes.iter().eq(strings.iter().map(|event| &event.hash)));
    strings
}

/// The files in a folder that have one of these extensions.
#[must_use]
pub fn documents(folder: &Path, kinds: &[&str]) -> Vec<PathBuf> {
    let mut documents = entries(folder);
    documents.retain(|path| {
        let kind = path.extension().and_then(|kind| kind.to_str());
        kind.is_some_and(|kind| kinds.contains(&kind))
    });
    documents
}

/// The name of a file without its extension.
///
/// # Panics
/// When the name is not UTF-8.
#[must_use]
pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.expect("a name that is text").to_owned()
}

/// Compares documents with the `.hashes` and `.prehashes` of the same name in a folder. Skips documents that have none.
///
/// # Panics
/// When they differ, or the number of documents or events is not the expected one.
pub fn check(documents: &[PathBuf], expected: &Path, profile: Profile, counts: (usize, usize)) {
    let mut cases = Exceptions::new(&[]);
    let mut events = 0;
    for document in documents {
        let name = stem(document);
        if expected.join(format!("{name}.hashes")).exists() {
            let outcome = check_one(document, expected, profile);
            events += outcome.as_ref().map_or(0, |count| *count);
            cases.case(&name, outcome.map(|_| ()));
        }
    }
    cases.finish(counts.0);
    assert_eq!(events, counts.1, "number of events");
}

fn check_one(document: &Path, expected: &Path, profile: Profile) -> Result<usize, String> {
    let found = pre_hashes(document, profile);
    let lines = |kind: &str| -> Vec<String> {
        let path = expected.join(format!("{}.{kind}", stem(document)));
        read_text(&path).lines().map(str::to_owned).collect()
    };
    let (hashes, strings) = (lines("hashes"), lines("prehashes"));
    if found.len() != hashes.len() {
        return Err(format!("{} events, expected {}", found.len(), hashes.len()));
    }
    for (number, (found, hash)) in found.iter().zip(&hashes).enumerate() {
        let string = strings.get(number);
        // The hash first: a published string that does not match the published hash proves nothing.
        if found.hash.to_string() != *hash {
            let found = &found.pre_hash;
            return Err(format!("event {number}\n found {found}\n wants {string:?}"));
        }
        if Some(&found.pre_hash) != string {
            return Err(format!("event {number}: the hash is right, the published string is not"));
        }
    }
    Ok(found.len())
}
