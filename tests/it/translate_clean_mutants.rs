//! No changed document is reported as clean: mutants are translated to the other format and back, and compared without the engine's
//! own comparison.
//!
//! `EPCIS_EDGE_MUTANTS=20000` sets the number of mutants of each kind.
// Invariant: What a clean translation to XML has written comes back with the same hash under every profile.

use epcis_edge_core::hash::{Hashing, Profile, UndeclaredPrefixRule, hash_document};
use epcis_edge_core::json::Document;
use epcis_edge_core::translate::{XmlVersion, hash_xml, to_xml, translate};
use epcis_edge_core::validate::Validator;
use epcis_edge_tests::loose::loose_difference;
use epcis_edge_tests::mutants::{Pool, rounds};
use epcis_edge_tests::random::Random;
use epcis_edge_tests::translate::{documents, files};
use epcis_edge_tests::{outside_vectors, own_vectors, read, xml_mutants};
use serde_json::Value;

/// The hashes of all events under every profile. `None` if an event cannot be hashed.
fn hashes(document: &Document<'_>) -> Option<Vec<String>> {
    let of_profile = |profile| {
        let declared = UndeclaredPrefixRule::Keep.into();
        let hashes = hash_document(document, Hashing { profile, declared }).ok()?;
        Some(hashes.into_iter().map(|hash| hash.to_string()))
    };
    let all: Option<Vec<_>> = Profile::ALL.into_iter().map(of_profile).collect();
    Some(all?.into_iter().flatten().collect())
}

#[test]
fn json_that_goes_clean_to_xml_comes_back() {
    let folders = [outside_vectors("hash"), outside_vectors("validate")];
    let own = ["hash", "translate", "validate"].map(|area| Some(own_vectors(area)));
    let folders = folders.into_iter().chain(own).flatten();
    let documents: Vec<Value> = folders
        .flat_map(|folder| [".json", ".jsonld"].map(|end| files(&folder, end)))
        .flatten()
        .filter_map(|path| serde_json::from_slice(&read(&path)).ok())
        .filter(|value: &Value| {
            let text = value.to_string();
            let document = Document::read(text.as_bytes());
            text.len() < 20_000
                && document.is_ok_and(|document| to_xml(&document, XmlVersion::V2_0).is_ok())
        })
        .collect();
    assert!(documents.len() > 20);
    let pool = Pool::of(&documents);
    let mut random = Random::new(29);
    let validator = Validator::new().unwrap();
    let (mut clean, mut failures) = ([0; 2], Vec::new());
    for _ in 0..rounds(1000) {
        let mut mutant = random.pick(&documents).clone();
        for _ in 0..=random.below(3) {
            pool.mutate(&mut mutant, &mut random);
        }
        let text = mutant.to_string();
        let Ok(source) = Document::read(text.as_bytes()) else {
            continue;
        };
        let is_valid = validator.validate(&source).valid;
        for (number, version) in [XmlVersion::V2_0, XmlVersion::V1_2].into_iter().enumerate() {
            let Ok(xml) = to_xml(&source, version) else {
                continue;
            };
            if !xml.report.is_clean() {
                continue;
            }
            clean[number] += 1;
            let mut tell = |what: String| {
                failures.push(format!("{version:?} {what}\n{text}\n{}", xml.document))
            };
            let back = match translate(xml.document.as_bytes()) {
                Ok(back) => back,
                Err(error) => {
                    tell(error.to_string());
                    continue;
                }
            };
            let verdict = back.source_verdict.unwrap();
            if is_valid && !verdict.valid && source.root().get("epcisBody").is_some() {
                tell(verdict.errors[0].message.clone());
            }
            let back = Document::read(back.document.as_bytes()).unwrap();
            if let Some(found) = loose_difference(back.root(), source.root()) {
                tell(found);
            } else if hashes(&back) != hashes(&source) {
                tell("another hash".to_owned());
            }
        }
    }
    println!("{clean:?} clean");
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures[..failures.len().min(8)].join("\n\n")
    );
    assert!(clean[0] > rounds(1000) / 20, "{clean:?}");
}

#[test]
fn xml_that_translates_clean_comes_back() {
    let (paths, _) = documents();
    let documents: Vec<xml_mutants::Document> = paths
        .into_iter()
        .filter_map(|(_, path)| {
            xml_mutants::Document::read(std::str::from_utf8(&read(&path)).ok()?)
        })
        .filter(|document| document.text().len() < 20_000)
        .collect();
    assert!(documents.len() > 10);
    let mut names = Vec::new();
    documents.iter().for_each(|document| document.names(&mut names));
    names.sort();
    names.dedup();
    let mut random = Random::new(31);
    let (mut clean, mut failures) = (0, Vec::new());
    for _ in 0..rounds(1000) {
        let mut mutant = random.pick(&documents).clone();
        for _ in 0..=random.below(3) {
            mutant.mutate(&names, &mut random);
        }
        let text = mutant.text();
        let Ok(translation) = translate(text.as_bytes()) else {
            continue;
        };
        if !translation.fidelity_report.is_round_trip_clean() {
            continue;
        }
        clean += 1;
        let document = Document::read(translation.document.as_bytes()).unwrap();
        let of_xml: Option<Vec<String>> = Profile::ALL
            .into_iter()
            .map(|profile| {
                let hashes = hash_xml(text.as_bytes(), profile).ok()?;
                Some(hashes.into_iter().map(|hash| hash.to_string()).collect::<Vec<_>>())
            })
            .collect::<Option<Vec<_>>>()
            .map(|all| all.concat());
        if hashes(&document) != of_xml {
            failures.push(format!("another hash\n{text}\n{}", translation.document));
        }
        let version = if translation.source_schema_version == "2.0" {
            XmlVersion::V2_0
        } else {
            XmlVersion::V1_2
        };
        let Ok(xml) = to_xml(&document, version) else {
            continue;
        };
        let again = match translate(xml.document.as_bytes()) {
            Ok(again) => again,
            Err(error) => {
                failures.push(format!("{error}\n{text}\n{}", xml.document));
                continue;
            }
        };
        let again = Document::read(again.document.as_bytes()).unwrap();
        if let Some(found) = loose_difference(again.root(), document.root()) {
            failures.push(format!("{found}\n{text}\n{}\n{}", translation.document, xml.document));
        }
    }
    println!("{clean} clean");
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures[..failures.len().min(8)].join("\n\n")
    );
    assert!(clean > rounds(1000) / 20, "{clean}");
}
