//! The public vectors of the event hash.

use epcis_edge_core::hash::{Profile, pre_hash_document};
use epcis_edge_core::identifier;
use epcis_edge_core::json::Document;
use epcis_edge_tests::hash::{self, check, pre_hashes};
use epcis_edge_tests::{Exceptions, outside_vectors, read_text};
use std::path::{Path, PathBuf};

/// The JSON documents in a folder.
fn documents(folder: &Path) -> Vec<PathBuf> {
    hash::documents(folder, JSON)
}

const JSON: &[&str] = &["json", "jsonld"];
const XML: &[&str] = &["xml"];

#[test]
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
fn the_reference_of_2025() {
    let folder = outside_vectors("hash/ref2025").unwrap();
    for (kinds, counts) in [(JSON, (13, 31)), (XML, (11, 38))] {
        check(&hash::documents(&folder, kinds), &folder, Profile::Ref2025, counts);
    }
}

#[test]
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
fn the_reference_of_2026() {
    let folder = outside_vectors("hash/cbv2026").unwrap();
    for (kinds, profile, counts) in [
        (JSON, Profile::Cbv20, (15, 31)),
        (JSON, Profile::Cbv21, (17, 35)),
        (XML, Profile::Cbv20, (13, 38)),
        (XML, Profile::Cbv21, (15, 42)),
    ] {
        let documents = hash::documents(&folder.join("documents"), kinds);
        check(&documents, &folder.join(profile.as_str()), profile, counts);
    }
}

/// CBV 2.0 has no published hashes for these documents, but they contain nothing that the two versions treat differently.
#[test]
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
fn what_only_cbv_2_1_published_is_the_same_in_cbv_2_0() {
    let folder = outside_vectors("hash/cbv2026").unwrap();
    for name in [
        "epcisDocWithCustomSchemaInContext.jsonld",
        "persistentDisposition.jsonld",
        "epcisDocWith2DifferentTransformationEvents.xml",
        "persistentDisposition.xml",
    ] {
        let document = folder.join("documents").join(name);
        let strings = |profile| -> Vec<String> {
            let events = pre_hashes(&document, profile).into_iter();
            events.map(|event| event.pre_hash).collect()
        };
        assert_eq!(strings(Profile::Cbv20), strings(Profile::Cbv21), "{name}");
    }
}

#[test]
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
fn all_events_of_an_equality_document_are_one() {
    let folder = outside_vectors("hash/equal").unwrap();
    let mut cases = Exceptions::new(&[]);
    for document in hash::documents(&folder, &[JSON, XML].concat()) {
        for profile in Profile::ALL {
            let events = pre_hashes(&document, profile);
            assert!(events.len() > 1);
            let differs = events.iter().find(|event| **event != events[0]);
            let outcome = match differs {
                None => Ok(()),
                Some(event) => Err(format!("{}\n{}", events[0].pre_hash, event.pre_hash)),
            };
            cases.case(&format!("{} {profile}", document.display()), outcome);
        }
    }
    cases.finish(21);
}

#[test]
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
fn identifiers_have_one_canonical_form() {
    let folder = outside_vectors("hash").unwrap();
    // The published form of 2025 is the one that REF2025 gives to a converted value.
    let hashed = |identifier: &str, profile| {
        let event = format!(r#"{{"type": "ObjectEvent", "epcList": ["{identifier}"]}}"#);
        let event = Document::read(event.as_bytes()).unwrap();
        let events = pre_hash_document(&event, profile).unwrap();
        let string = &events[0].pre_hash;
        let value = string.strip_prefix("eventType=ObjectEventepcListepc=");
        value.unwrap().to_owned()
    };
    let mut cases = Exceptions::new(&[]);
    for line in read_text(&folder.join("dl-pairs.tsv")).lines().skip(1) {
        let columns: Vec<_> = line.split('\t').collect();
        let [input, of_2025, of_2026] = columns[..] else { panic!("{line}") };
        let wanted = |form| if form == "-" { input } else { form };
        let found = [
            hashed(input, Profile::Ref2025),
            hashed(input, Profile::Cbv20),
            hashed(input, Profile::Cbv21),
            identifier::to_digital_link(input).unwrap_or_default().into_owned(),
        ];
        let public = if of_2026 == "-" { "" } else { of_2026 };
        let expected = [wanted(of_2025), wanted(of_2026), wanted(of_2026), public];
        let outcome = if found == expected { Ok(()) } else { Err(format!("{found:?}")) };
        cases.case(input, outcome);
    }
    cases.finish(41);
}

/// All JSON documents of the parity pairs can be hashed, and comments and error declarations do not change a hash. `hash_xml.rs`
/// tests the XML documents.
#[test]
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
fn the_json_side_of_the_parity_pairs() {
    let folder = outside_vectors("hash/parity").unwrap();
    let mut count = 0;
    for part in ["Capture/Documents", "Capture/Events", "Query"] {
        for document in documents(&folder.join(part)) {
            for profile in Profile::ALL {
                assert!(!pre_hashes(&document, profile).is_empty());
            }
            count += 1;
        }
    }
    assert_eq!(count, 22);
    let hashes = |name: &str| {
        let path = folder.join(format!("Capture/Documents/{name}.json"));
        pre_hashes(&path, Profile::Cbv20)
    };
    let plain = hashes("ObjectEvent");
    assert_eq!(plain, hashes("ObjectEvent_with_comment"));
    assert_eq!(plain, hashes("ObjectEvent_with_error_declaration"));
}
