//! Broken documents, made of the vectors. A mutant depends on its vector and its number alone, so that each can be made by itself,
//! and a new vector changes no mutant of another.

use super::vectors::{JsonVector, XmlVector};
use epcis_edge_tests::mutants::{Pool, change_source, change_text};
use epcis_edge_tests::random::Random;
use epcis_edge_tests::xml_mutants::Document;
use epcis_edge_tests::{own_vectors, read_json, read_text};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The random numbers of a case.
pub(super) fn random_of(name: &str) -> Random {
    let digest = Sha256::digest(name);
    let seed = digest.first_chunk().copied().unwrap_or_default();
    Random::new(u64::from_be_bytes(seed))
}

/// A vector whose fields are put into mutants of all others.
fn rich_json() -> Value {
    read_json(&own_vectors("validate/valid-all-event-types").join("input.json"))
}

/// The mutants of a JSON document, each as a vector of its own.
pub(super) fn json_mutants(vector: &JsonVector, count: usize) -> impl Iterator<Item = JsonVector> {
    let parsed: Option<Value> = serde_json::from_slice(&vector.text).ok();
    let documents: Vec<Value> = parsed.iter().cloned().chain([rich_json()]).collect();
    let pool = Pool::of(&documents);
    (0..count).map(move |number| {
        let name = format!("{}~{number}", vector.name);
        let mut random = random_of(&name);
        let mut text = match &parsed {
            Some(value) => {
                let mut value = value.clone();
                for _ in 0..=random.below(3) {
                    pool.mutate(&mut value, &mut random);
                }
                value.to_string()
            }
            None => String::from_utf8_lossy(&vector.text).into_owned(),
        };
        if random.percent(15) {
            change_source(&mut text, &mut random);
        }
        JsonVector { name, text: text.into_bytes(), ..vector.clone() }
    })
}

/// The mutants of an XML document.
pub(super) fn xml_mutants(vector: &XmlVector, count: usize) -> impl Iterator<Item = XmlVector> {
    let text = String::from_utf8_lossy(&vector.text).into_owned();
    let parsed = Document::read(&text);
    let rich = read_text(&own_vectors("xml").join("events-2.0.xml"));
    let mut names = Vec::new();
    for document in parsed.iter().chain(&Document::read(&rich)) {
        document.names(&mut names);
    }
    names.sort();
    names.dedup();
    (0..count).map(move |number| {
        let name = format!("{}~{number}", vector.name);
        let mut random = random_of(&name);
        let mut text = match &parsed {
            Some(document) => {
                let mut document = document.clone();
                for _ in 0..=random.below(3) {
                    document.mutate(&names, &mut random);
                }
                document.text()
            }
            None => text.clone(),
        };
        if random.percent(5) {
            change_text(&mut text, &mut random);
        }
        XmlVector { name, text: text.into_bytes() }
    })
}

/// Whether a mutant is one of the tenth for which everything is computed, also what takes long.
pub(super) fn is_sampled(name: &str) -> bool {
    random_of(&format!("{name} in full")).percent(10)
}

/// A document in three parts, cut at places that its name decides.
pub(super) fn parts<'t>(name: &str, text: &'t [u8]) -> [&'t [u8]; 3] {
    let mut random = random_of(&format!("{name} in parts"));
    let [one, other] = [(); 2].map(|()| random.below(text.len() + 1));
    let (start, end) = (one.min(other), one.max(other));
    [&text[..start], &text[start..end], &text[end..]]
}
