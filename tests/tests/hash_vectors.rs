//! The public vectors of the event hash, JSON side.

use epcis_edge_core::hash::{self, PreHashed, Profile};
use epcis_edge_core::identifier;
use epcis_edge_core::json::Document;
use epcis_edge_tests::{Exceptions, entries, outside_vectors, read_text};
use std::path::{Path, PathBuf};

fn pre_hashes(text: &str, profile: Profile) -> Vec<PreHashed> {
    let document = Document::read(text.as_bytes()).unwrap();
    hash::pre_hash_document(&document, profile).unwrap()
}

/// The documents in JSON.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let mut documents = entries(folder);
    documents.retain(|path| {
        path.extension()
            .is_some_and(|kind| kind == "json" || kind == "jsonld")
    });
    documents
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// Compares the events of a document with `.hashes` and `.prehashes` of its name in the folder; gives the number of events.
fn check(document: &Path, expected: &Path, profile: Profile) -> Result<usize, String> {
    let found = pre_hashes(&read_text(document), profile);
    let lines = |kind: &str| -> Vec<String> {
        let path = expected.join(format!("{}.{kind}", stem(document)));
        read_text(&path).lines().map(str::to_owned).collect()
    };
    let (hashes, strings) = (lines("hashes"), lines("prehashes"));
    let count = found.len();
    if count != hashes.len() {
        return Err(format!("{count} events, expected {}", hashes.len()));
    }
    for (number, found) in found.iter().enumerate() {
        // The hash first: a published string that does not match the published hash proves nothing.
        if found.hash.to_string() != hashes[number] {
            let expected = strings.get(number).map_or("", |line| line.as_str());
            return Err(format!(
                "event {number}\n found {}\n wants {expected}",
                found.pre_hash
            ));
        }
        if Some(&found.pre_hash) != strings.get(number) {
            return Err(format!(
                "event {number}: the hash is right, the published string is not"
            ));
        }
    }
    Ok(count)
}

#[test]
fn the_reference_of_2025() {
    let Some(folder) = outside_vectors("hash/ref2025") else {
        return;
    };
    let mut cases = Exceptions::new(&[]);
    let mut events = 0;
    for document in documents(&folder) {
        let outcome = check(&document, &folder, Profile::Ref2025);
        events += outcome.as_ref().map_or(0, |count| *count);
        cases.case(&stem(&document), outcome.map(|_| ()));
    }
    cases.finish(13);
    assert_eq!(events, 31);
}

fn reference_of_2026(profile: Profile, count: usize, count_of_events: usize) {
    let Some(folder) = outside_vectors("hash/cbv2026") else {
        return;
    };
    let expected = folder.join(profile.as_str());
    let mut cases = Exceptions::new(&[]);
    let mut events = 0;
    for document in documents(&folder.join("documents")) {
        if expected
            .join(format!("{}.hashes", stem(&document)))
            .exists()
        {
            let outcome = check(&document, &expected, profile);
            events += outcome.as_ref().map_or(0, |count| *count);
            cases.case(&stem(&document), outcome.map(|_| ()));
        }
    }
    cases.finish(count);
    assert_eq!(events, count_of_events);
}

#[test]
fn the_reference_of_2026_for_cbv_2_0() {
    reference_of_2026(Profile::Cbv20, 15, 31);
}

#[test]
fn the_reference_of_2026_for_cbv_2_1() {
    reference_of_2026(Profile::Cbv21, 17, 35);
}

/// CBV 2.0 has no published hashes for these; nothing in them differs between the versions.
#[test]
fn what_only_cbv_2_1_published_is_the_same_in_cbv_2_0() {
    let Some(folder) = outside_vectors("hash/cbv2026") else {
        return;
    };
    for name in ["epcisDocWithCustomSchemaInContext", "persistentDisposition"] {
        let document = folder.join("documents").join(format!("{name}.jsonld"));
        let text = read_text(&document);
        let strings = |profile| -> Vec<String> {
            let events = pre_hashes(&text, profile).into_iter();
            events.map(|event| event.pre_hash).collect()
        };
        assert_eq!(strings(Profile::Cbv20), strings(Profile::Cbv21), "{name}");
    }
}

#[test]
fn all_events_of_an_equality_document_are_one() {
    let Some(folder) = outside_vectors("hash/equal") else {
        return;
    };
    let documents = documents(&folder);
    assert_eq!(documents.len(), 1);
    for document in documents {
        for profile in Profile::ALL {
            let events = pre_hashes(&read_text(&document), profile);
            assert!(events.len() > 1);
            assert!(events.iter().all(|event| *event == events[0]), "{profile}");
        }
    }
}

#[test]
fn identifiers_have_one_canonical_form() {
    let Some(folder) = outside_vectors("hash") else {
        return;
    };
    // The form of 2025 is that of a converted value in REF2025.
    let hashed = |identifier: &str, profile| {
        let event = format!(r#"{{"type": "ObjectEvent", "epcList": ["{identifier}"]}}"#);
        let string = pre_hashes(&event, profile).remove(0).pre_hash;
        let value = string.strip_prefix("eventType=ObjectEventepcListepc=");
        value.unwrap().to_owned()
    };
    let mut cases = Exceptions::new(&[]);
    for line in read_text(&folder.join("dl-pairs.tsv")).lines().skip(1) {
        let columns: Vec<_> = line.split('\t').collect();
        let [input, of_2025, of_2026] = columns[..] else {
            panic!("{line}")
        };
        let wanted = |form| if form == "-" { input } else { form };
        let found = [
            hashed(input, Profile::Ref2025),
            hashed(input, Profile::Cbv20),
            hashed(input, Profile::Cbv21),
            identifier::to_digital_link(input)
                .unwrap_or_default()
                .into_owned(),
        ];
        let public = if of_2026 == "-" { "" } else { of_2026 };
        let expected = [wanted(of_2025), wanted(of_2026), wanted(of_2026), public];
        let outcome = if found == expected {
            Ok(())
        } else {
            Err(format!("{found:?}"))
        };
        cases.case(input, outcome);
    }
    cases.finish(41);
}

/// The XML side needs the XML reader; here the JSON side is hashed, and what must not count does not.
#[test]
fn the_json_side_of_the_parity_pairs() {
    let Some(folder) = outside_vectors("hash/parity") else {
        return;
    };
    let mut count = 0;
    for part in ["Capture/Documents", "Capture/Events", "Query"] {
        for document in documents(&folder.join(part)) {
            for profile in Profile::ALL {
                assert!(!pre_hashes(&read_text(&document), profile).is_empty());
            }
            count += 1;
        }
    }
    assert_eq!(count, 22);
    let hashes = |name: &str| {
        let path = folder.join(format!("Capture/Documents/{name}.json"));
        pre_hashes(&read_text(&path), Profile::Cbv20)
    };
    let plain = hashes("ObjectEvent");
    assert_eq!(plain, hashes("ObjectEvent_with_comment"));
    assert_eq!(plain, hashes("ObjectEvent_with_error_declaration"));
}
