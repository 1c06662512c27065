//! The quick proof beside the stock schema engine: what it proves, the engine must accept, without exception.
//!
//! `EPCIS_EDGE_MUTANTS` sets how many mutants are tried; in release mode millions take minutes.

use epcis_edge_core::json::Document;
use epcis_edge_core::validate::proof::{Proof, is_date_time, is_uri, prove};
use epcis_edge_schema::TEXT as SCHEMA;
use epcis_edge_tests::events::{self, Envelope};
use epcis_edge_tests::mutants::{Pool, change_source, change_text};
use epcis_edge_tests::random::Random;
use epcis_edge_tests::{entries, outside_vectors, own_vectors, read};
use jsonschema::Validator;
use serde_json::{Value, json};
use std::path::Path;

fn stock(schema: &Value) -> Validator {
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft7)
        .should_validate_formats(true)
        .build(schema)
        .unwrap()
}

/// The official schema, its one format corrected as the product has it.
fn official() -> Validator {
    jsonschema::options()
        .should_validate_formats(true)
        .with_format("date-time", epcis_edge_schema::is_date_time)
        .build(&serde_json::from_str(SCHEMA).unwrap())
        .unwrap()
}

fn mutants() -> usize {
    std::env::var("EPCIS_EDGE_MUTANTS").map_or(60_000, |number| number.parse().unwrap())
}

fn is_proven(text: &[u8]) -> bool {
    Document::read(text).is_ok_and(|document| prove(&document) == Proof::Valid)
}

fn add_documents(folder: &Path, documents: &mut Vec<(String, Vec<u8>)>) {
    for path in entries(folder) {
        if path.is_dir() {
            add_documents(&path, documents);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "json" || extension == "jsonld")
        {
            documents.push((path.display().to_string(), read(&path)));
        }
    }
}

/// All that is JSON among the vectors, of whatever area.
fn documents() -> Vec<(String, Vec<u8>)> {
    let mut documents = Vec::new();
    for area in ["validate", "hash", "translate"] {
        for folder in [Some(own_vectors(area)), outside_vectors(area)] {
            if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
                add_documents(&folder, &mut documents);
            }
        }
    }
    documents
}

/// Valid vectors that are not proven, and what the proof does not look into.
const UNPROVEN: [(&str, &str); 4] = [
    ("validate/repeated-member/input.json", "repeated names"),
    ("validate/v-own-duplicate-keys.json", "repeated names"),
    ("validate/v-own-key-escapes.json", "escapes in names"),
    ("validate/v-own-leap-second.json", "leap seconds"),
];

#[test]
fn all_valid_documents_but_the_odd_are_proven() {
    let stock = official();
    let (mut valid, mut unproven) = (0, 0);
    for (name, text) in documents() {
        let Ok(document) = Document::read(&text) else {
            continue;
        };
        let accepted = stock.is_valid(&serde_json::from_slice(&text).unwrap());
        let proven = prove(&document) == Proof::Valid;
        assert!(accepted || !proven, "{name}");
        let listed = UNPROVEN.iter().find(|(odd, _)| name.ends_with(odd));
        assert_eq!(accepted && !proven, listed.is_some(), "{name}: {listed:?}");
        valid += usize::from(accepted);
        unproven += usize::from(listed.is_some());
    }
    println!("{valid} valid vectors, {unproven} of them not proven");
    assert!(valid >= 5, "{valid}");
}

#[test]
fn generated_documents_are_valid_and_proven() {
    let stock = official();
    for envelope in [Envelope::Document, Envelope::Query] {
        let document = events::document(envelope, 300, 7);
        assert!(stock.is_valid(&document));
        assert!(is_proven(document.to_string().as_bytes()));
        let pretty = serde_json::to_string_pretty(&document).unwrap();
        assert!(is_proven(pretty.as_bytes()));
    }
}

/// Documents of one event each, so that a mutant costs little.
fn seeds() -> Vec<Value> {
    let mut seeds = Vec::new();
    let generated = [Envelope::Document, Envelope::Query]
        .map(|envelope| events::document(envelope, 60, 11).to_string().into_bytes());
    let vectors = documents().into_iter().map(|(_, text)| text);
    for text in vectors.chain(generated) {
        let Ok(document) = serde_json::from_slice::<Value>(&text) else {
            continue;
        };
        let paths = [
            "/epcisBody/eventList",
            "/epcisBody/queryResults/resultsBody/eventList",
        ];
        let list = paths
            .into_iter()
            .find(|path| document.pointer(path).is_some_and(Value::is_array));
        let Some(list) = list else {
            if text.len() < 10_000 {
                seeds.push(document);
            }
            continue;
        };
        let mut frame = document.clone();
        let events = frame.pointer_mut(list).unwrap().take();
        let context = frame["@context"].clone();
        let frame_is_small = frame.to_string().len() < 2_000;
        for event in events.as_array().unwrap().iter().take(40) {
            if event.to_string().len() > 4_000 {
                continue;
            }
            let mut seed = frame.clone();
            *seed.pointer_mut(list).unwrap() = json!([event]);
            if frame_is_small {
                seeds.push(seed);
            }
            if event.is_object() {
                let mut bare = event.clone();
                bare["@context"] = context.clone();
                seeds.push(bare);
            }
        }
    }
    seeds.sort_by_cached_key(Value::to_string);
    seeds.dedup();
    seeds
}

#[test]
fn what_is_proven_is_valid() {
    let stock = official();
    let seeds = seeds();
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let mut known = seeds.clone();
    // The names and words of the schema itself.
    known.push(schema);
    let pool = Pool::of(&known);
    let mut random = Random::new(20_261_121);
    let (mut read, mut proven) = (0, 0);
    let (mut sampled_valid, mut sampled_unproven) = (0, 0);
    for _ in 0..mutants() {
        let mut mutant = random.pick(&seeds).clone();
        for _ in 0..=random.below(2) {
            pool.mutate(&mut mutant, &mut random);
        }
        let mut text = mutant.to_string();
        if random.percent(15) {
            change_source(&mut text, &mut random);
        }
        let Ok(document) = Document::read(text.as_bytes()) else {
            continue;
        };
        read += 1;
        let is_proven = prove(&document) == Proof::Valid;
        proven += usize::from(is_proven);
        let is_sample = read % 16 == 0;
        if is_proven || is_sample {
            let value = serde_json::from_str(&text).unwrap();
            let valid = stock.is_valid(&value);
            assert!(valid || !is_proven, "proven, but not valid: {text}");
            if is_sample && valid {
                sampled_valid += 1;
                sampled_unproven += usize::from(!is_proven);
            }
        }
    }
    println!(
        "{} seeds, {read} mutants read, {proven} proven valid, none wrongly; of {sampled_valid} valid ones in a sample \
         {sampled_unproven} not proven",
        seeds.len()
    );
    assert!(
        proven * 20 > read,
        "{proven} of {read}: too few to say anything"
    );
}

const URIS: [&str; 10] = [
    "https://id.gs1.org/01/09521141012345/21/1234",
    "urn:epc:id:sgtin:9521141.012345.12",
    "ni:///sha-256;00ff?ver=CBV2.0",
    "http://user:pw@host.example:8080/a%20b?c=d#e",
    "a:",
    "a://",
    "a+b-c.1://@:/?#",
    "file:///etc/x",
    "mailto:a@b.example",
    "geo:52.1,4.3;u=35",
];

const TIMES: [&str; 6] = [
    "2026-02-28T23:59:59.123456+14:00",
    "2024-02-29t00:00:00z",
    "1900-02-28T12:30:00-00:00",
    "2000-02-29T12:30:00.0Z",
    "0000-01-01T00:00:00+23:59",
    "9999-12-31T23:59:60Z",
];

#[test]
fn uris_and_times_are_those_of_the_engine() {
    let uri = stock(&json!({"type": "string", "format": "uri"}));
    let time = stock(&json!({"type": "string", "format": "date-time"}));
    let mut random = Random::new(5);
    let mut unproven = 0;
    let mut valid = 0;
    for _ in 0..mutants() * 2 {
        let mut text = (*random.pick(&URIS)).to_owned();
        for _ in 0..random.below(3) {
            change_text(&mut text, &mut random);
        }
        let accepted = uri.is_valid(&json!(text));
        let proven = is_uri(text.as_bytes());
        assert!(accepted || !proven, "`{text}` is no URI");
        assert!(
            proven || !accepted || text.contains('['),
            "`{text}` is a URI without brackets"
        );
        let mut text = (*random.pick(&TIMES)).to_owned();
        for _ in 0..random.below(3) {
            change_text(&mut text, &mut random);
        }
        let accepted = time.is_valid(&json!(text));
        let proven = is_date_time(text.as_bytes());
        assert!(accepted || !proven, "`{text}` is no time");
        assert!(
            proven || !accepted || text.contains(":60") || !has_digits(&text),
            "`{text}` is a time without a leap second"
        );
        valid += usize::from(accepted);
        unproven += usize::from(accepted && !proven);
    }
    println!("{valid} valid times, {unproven} of them not proven");
}

/// Whether digits stand where they must: the engine takes some other characters for them, as in `000--01-01T00:00:00Z`.
fn has_digits(time: &str) -> bool {
    let shape: String = time
        .to_uppercase()
        .chars()
        .map(|character| {
            if character.is_ascii_digit() {
                '0'
            } else {
                character
            }
        })
        .collect();
    shape
        .strip_prefix("0000-00-00T00:00:00")
        .map(|rest| rest.trim_start_matches('.').trim_start_matches('0'))
        .is_some_and(|zone| ["Z", "+00:00", "-00:00"].contains(&zone))
}

/// Every number in every place of a date and time.
#[test]
fn all_dates_and_times_are_those_of_the_engine() {
    let time = stock(&json!({"type": "string", "format": "date-time"}));
    let check = |text: String| {
        let accepted = time.is_valid(&json!(text));
        assert_eq!(is_date_time(text.as_bytes()), accepted, "{text}");
    };
    for year in [0, 1, 4, 100, 400, 1900, 1999, 2000, 2024, 2025, 2100, 9999] {
        for month in 0..=13 {
            for day in 0..=32 {
                check(format!("{year:04}-{month:02}-{day:02}T00:00:00Z"));
            }
        }
    }
    for number in 0..=99 {
        check(format!("2026-01-01T{number:02}:00:00Z"));
        check(format!("2026-01-01T00:{number:02}:00Z"));
        check(format!("2026-01-01T00:00:{number:02}+00:00"));
        check(format!("2026-01-01T00:00:00+{number:02}:00"));
        check(format!("2026-01-01T00:00:00-00:{number:02}"));
    }
}

/// Every byte in every part of a URI, alone and where the check goes in strides.
#[test]
fn all_characters_of_uris_are_those_of_the_engine() {
    let uri = stock(&json!({"type": "string", "format": "uri"}));
    let filler = "abcdefghijklmnopqrstuvwxyz";
    for character in (0..=0x17f).filter_map(char::from_u32) {
        let parts = [
            format!("{character}"),
            format!("{character}:a"),
            format!("a{character}:a"),
            format!("a:{character}"),
            format!("a:{filler}{character}{filler}"),
            format!("a://{character}"),
            format!("a://{filler}{character}/"),
            format!("a://b:{character}"),
            format!("a://b@{character}c"),
            format!("a:?{filler}{character}"),
            format!("a:#{filler}{character}"),
            format!("a:?{character}#{character}"),
            format!("a:%{character}a"),
            format!("a:%a{character}"),
        ];
        for text in parts {
            let accepted = uri.is_valid(&json!(text));
            assert_eq!(is_uri(text.as_bytes()), accepted, "{text:?}");
        }
    }
}
