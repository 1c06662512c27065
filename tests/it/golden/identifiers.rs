//! The other spellings of every identifier in the vectors, and of broken ones.

use super::mutations::random_of;
use super::recorder::Recorder;
use super::values::json;
use super::vectors::json_vectors;
use epcis_edge_core::error::Problem;
use epcis_edge_core::identifier::{keys, to_digital_link, to_epc_urn};
use epcis_edge_core::vocabulary::{BIZ_STEP, DISPOSITION};
use epcis_edge_tests::mutants::change_text;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

#[test]
fn every_identifier() {
    let mut recorder = Recorder::new("identifiers", &["spellings", "mutants"]);
    let mut all = BTreeSet::new();
    for vector in json_vectors() {
        if let Ok(document) = serde_json::from_slice(&vector.text) {
            texts_in(&document, &mut all);
        }
    }
    let mut by_kind: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for text in all {
        by_kind.entry(kind_of(&text)).or_default().push(text);
    }
    for (kind, texts) in by_kind {
        recorder.case(&kind, || {
            let mut random = random_of(&kind);
            let (mut spellings, mut broken) = (String::new(), String::new());
            for text in texts {
                spell(&text, &mut spellings);
                for _ in 0..5 {
                    let mut mutant = text.clone();
                    change_text(&mut mutant, &mut random);
                    spell(&mutant, &mut broken);
                }
            }
            vec![spellings, broken]
        });
    }
    recorder.case("the table of keys", || {
        let words = [BIZ_STEP, DISPOSITION].map(|known| {
            let names = [known.name, known.urn, known.web, known.hashed_web, known.curie];
            format!("{} {}", names.join(" "), known.words.join(" "))
        });
        vec![json(&keys()), words.join("\n")]
    });
    assert!(recorder.count() > 20, "{}", recorder.count());
    recorder.finish();
}

/// Collects the texts that look like identifiers.
fn texts_in(value: &Value, texts: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.len() < 200 && text.contains(':') => {
            texts.insert(text.clone());
        }
        Value::Array(elements) => elements.iter().for_each(|one| texts_in(one, texts)),
        Value::Object(members) => members.values().for_each(|one| texts_in(one, texts)),
        _ => {}
    }
}

/// What identifiers are listed together: the scheme of a URN, or the key of a Digital Link.
fn kind_of(text: &str) -> String {
    let start = |end: char, count: usize| -> String {
        let parts: Vec<&str> = text.split(end).take(count).collect();
        parts.join(&end.to_string())
    };
    let kind = match text {
        _ if text.starts_with("urn:epc:") => start(':', 4),
        _ if text.starts_with("https://id.gs1.org/") => start('/', 4),
        _ => "others".to_owned(),
    };
    kind.replace(['\t', '\n'], " ")
}

/// Appends the other spellings of an identifier.
fn spell(text: &str, out: &mut String) {
    let link = to_digital_link(text);
    let _ = writeln!(out, "{text:?} {link:?}");
    let link = link.as_deref().unwrap_or(text);
    for length in [6, 7, 12] {
        match to_epc_urn(link, length) {
            Ok(urn) => {
                let _ = writeln!(out, "{urn}");
            }
            Err(error) => {
                let _ = writeln!(out, "{:?}", Problem::from(&error).detail);
            }
        }
    }
}
