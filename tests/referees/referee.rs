//! Compares the validator with the `jsonschema` crate: the same verdict, and the same errors by path and keyword.
//!
//! `EPCIS_EDGE_MUTANTS` sets how many mutants are tried. In release mode, millions take minutes.

use epcis_edge_schema::{PATTERNS, TEXT as SCHEMA, is_date_time, is_uri};
use epcis_edge_tests::events::{self, Envelope};
use epcis_edge_tests::mutants::{Pool, change_source, change_text, rounds};
use epcis_edge_tests::random::Random;
use epcis_edge_tests::referee::Referee;
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

fn mutants() -> usize {
    rounds(20_000)
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

/// All JSON documents among the vectors of any area.
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

#[test]
fn all_vectors_are_judged_alike() {
    let referee = Referee::new();
    let (mut valid, mut invalid) = (0, 0);
    for (_, text) in documents() {
        match referee.agree(&text) {
            Some(true) => valid += 1,
            Some(false) => invalid += 1,
            None => {}
        }
    }
    println!("{valid} valid vectors, {invalid} invalid ones");
    assert!(valid >= 5 && invalid >= 20, "{valid} {invalid}");
}

#[test]
fn generated_documents_are_valid() {
    let referee = Referee::new();
    for envelope in [Envelope::Document, Envelope::Query] {
        let document = events::document(envelope, 300, 7);
        assert_eq!(referee.agree(document.to_string().as_bytes()), Some(true));
        let pretty = serde_json::to_string_pretty(&document).unwrap();
        assert_eq!(referee.agree(pretty.as_bytes()), Some(true));
    }
}

/// Documents of one event each, so that a mutant is cheap.
fn seeds() -> Vec<Value> {
    let mut seeds = Vec::new();
    let generated = [Envelope::Document, Envelope::Query]
        .map(|envelope| events::document(envelope, 60, 11).to_string().into_bytes());
    let vectors = documents().into_iter().map(|(_, text)| text);
    for text in vectors.chain(generated) {
        let Ok(document) = serde_json::from_slice::<Value>(&text) else {
            continue;
        };
        let paths = ["/epcisBody/eventList", "/epcisBody/queryResults/resultsBody/eventList"];
        let list =
            paths.into_iter().find(|path| document.pointer(path).is_some_and(Value::is_array));
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
fn mutants_are_judged_alike() {
    let referee = Referee::new();
    let seeds = seeds();
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let mut known = seeds.clone();
    // Includes the names and words of the schema itself.
    known.push(schema);
    let pool = Pool::of(&known);
    let mut random = Random::new(20_261_121);
    let (mut valid, mut invalid) = (0, 0);
    for round in 0..mutants() {
        let mut mutant = random.pick(&seeds).clone();
        // Some mutants have many faults, so that faults interact.
        let changes = if round % 8 == 0 { 12 } else { 2 };
        for _ in 0..=random.below(changes) {
            pool.mutate(&mut mutant, &mut random);
        }
        let mut text = mutant.to_string();
        if random.percent(15) {
            change_source(&mut text, &mut random);
        }
        match referee.agree(text.as_bytes()) {
            Some(true) => valid += 1,
            Some(false) => invalid += 1,
            None => {}
        }
    }
    println!(
        "{} seeds, {} mutants compared, {invalid} of them invalid: the same verdicts, paths and keywords",
        seeds.len(),
        valid + invalid
    );
    assert!(
        valid * 20 > invalid && invalid * 20 > valid,
        "{valid} valid, {invalid} invalid: too few to say anything"
    );
}

/// Lists in which entries may repeat, short and long, of all kinds of values.
#[test]
fn repeated_entries_are_found_alike() {
    let schema = json!({"type": "array", "uniqueItems": true});
    let unique = stock(&schema);
    let referee = Referee::new();
    let pool = [
        "1",
        "1.0",
        "10e-1",
        "-0",
        "0",
        "0.0",
        "9007199254740993",
        "9007199254740992.0",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "0.1",
        "1e300",
        "null",
        "true",
        "false",
        r#""""#,
        r#""a""#,
        r#""\u0061""#,
        "[]",
        "[1]",
        "[1.0]",
        "[[1]]",
        "{}",
        r#"{"a":1}"#,
        r#"{"a":1.0}"#,
        r#"{"\u0061":1}"#,
        r#"{"a":1,"b":2}"#,
        r#"{"b":2,"a":1}"#,
        r#"{"a":{"b":[1,2]}}"#,
        r#"{"a":{"b":[2,1]}}"#,
    ];
    let mut random = Random::new(11);
    let (mut same, mut other) = (0, 0);
    for round in 0..mutants() / 10 {
        // Up to 60 different entries, and two that may be equal.
        let many = random.below(if round % 2 == 0 { 5 } else { 60 });
        let mut entries: Vec<String> = (0..many).map(|n| format!("\"entry {n}\"")).collect();
        for _ in 0..2 {
            let at = random.below(entries.len() + 1);
            entries.insert(at, (*random.pick(&pool)).to_owned());
        }
        let list = format!("[{}]", entries.join(","));
        let is_unique = unique.is_valid(&serde_json::from_str(&list).unwrap());
        if is_unique {
            other += 1
        } else {
            same += 1
        }
        let text = format!(
            r#"{{"@context":{list},"type":"ObjectEvent","action":"ADD","eventTime":"2026-01-01T00:00:00Z","eventTimeZoneOffset":"+00:00","epcList":{list}}}"#
        );
        assert_eq!(referee.agree(text.as_bytes()), Some(false), "{text}");
    }
    println!("{same} lists with repeated entries, {other} without");
    assert!(same > 50 && other > 500, "{same} {other}");
}

/// The schema's regular expressions, which the validator implements as byte comparisons.
#[test]
fn patterns_are_those_of_the_engine() {
    let samples = [
        "ADD",
        "OBSERVE",
        "DELETE",
        "0aF9",
        "KGM",
        "E4",
        "+14:00",
        "-13:59",
        "+00:00",
        "2.0",
        "10.1.22",
        "",
        "urn:epcglobal:cbv:bizstep:shipping",
        "https://ns.gs1.org/cbv/x",
        "http://ns.gs1.org/cbv",
        "https://gs1.org/voc/x",
        "http://www.gs1.org/voc/Mass",
        "https://www.gs1.org/vocabulary",
    ];
    let mut random = Random::new(3);
    for (expression, pattern) in PATTERNS {
        assert!(SCHEMA.contains(&json!(expression).to_string()), "{expression}");
        let engine = stock(&json!({"type": "string", "pattern": expression}));
        let mut matching = 0;
        for _ in 0..mutants() / 8 {
            let mut text = (*random.pick(&samples)).to_owned();
            for _ in 0..random.below(3) {
                change_text(&mut text, &mut random);
            }
            let accepted = engine.is_valid(&json!(text));
            assert_eq!(pattern.matches(text.as_bytes()), accepted, "{expression}: {text:?}");
            matching += usize::from(accepted);
        }
        assert!(matching > 20, "{expression}: {matching}");
    }
}

const URIS: [&str; 14] = [
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
    "http://[2001:db8::7]:80/a?b#c",
    "http://user@[::ffff:1.2.3.4]",
    "a://[1:2:3:4:5:6:7:8]?",
    "a://[v1f.a:b+c]:/",
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
    let (mut uris, mut times) = (0, 0);
    for _ in 0..mutants() * 4 {
        let mut text = (*random.pick(&URIS)).to_owned();
        for _ in 0..random.below(3) {
            change_text(&mut text, &mut random);
        }
        let accepted = uri.is_valid(&json!(text));
        assert_eq!(is_uri(text.as_bytes()), accepted, "`{text}` as a URI");
        uris += usize::from(accepted);
        let mut text = (*random.pick(&TIMES)).to_owned();
        for _ in 0..random.below(3) {
            change_text(&mut text, &mut random);
        }
        let accepted = time.is_valid(&json!(text));
        assert!(is_date_time(&text) == accepted || !has_digits(&text), "`{text}` as a time");
        times += usize::from(accepted);
    }
    println!("{uris} valid URIs, {times} valid times");
    assert!(uris > 100 && times > 100, "{uris} {times}");
}

/// Whether every digit is an ASCII digit. The crate accepts some other characters, as in `000--01-01T00:00:00Z`.
fn has_digits(time: &str) -> bool {
    let shape: String = time
        .to_uppercase()
        .chars()
        .map(|character| if character.is_ascii_digit() { '0' } else { character })
        .collect();
    shape
        .strip_prefix("0000-00-00T00:00:00")
        .map(|rest| rest.trim_start_matches('.').trim_start_matches('0'))
        .is_some_and(|zone| ["Z", "+00:00", "-00:00"].contains(&zone))
}

/// Every number in every part of a date and time.
#[test]
fn all_dates_and_times_are_those_of_the_engine() {
    let time = stock(&json!({"type": "string", "format": "date-time"}));
    let check = |text: String| {
        let accepted = time.is_valid(&json!(text));
        assert_eq!(is_date_time(&text), accepted, "{text}");
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

/// Every byte in every part of a URI, alone and at the places where the check reads several bytes at once.
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
