//! The project's own vectors of the event hash, and the answers to bad input.

use epcis_edge_core::error::{ErrorKind, Problem};
use epcis_edge_core::hash::{
    self, EventHash, HashScope, Hasher, Hashing, Profile, UndeclaredPrefixRule, Verification,
};
use epcis_edge_core::json::Document;
use epcis_edge_tests::{Exceptions, entries, own_vectors, read_text};
use serde_json::Value;

/// The hashes and strings of every profile, in the form of `expected.json`.
fn found(text: &str, undeclared: UndeclaredPrefixRule) -> Result<Value, String> {
    let document = Document::read(text.as_bytes()).map_err(|error| error.to_string())?;
    let mut profiles = serde_json::Map::new();
    for profile in Profile::ALL {
        let declared = undeclared.into();
        let hashing = Hashing { profile, declared };
        let events =
            hash::pre_hash_document(&document, hashing).map_err(|error| error.to_string())?;
        // Hashing without the strings must give the same hashes.
        let hashes = hash::hash_document(&document, hashing).map_err(|error| error.to_string())?;
        assert!(hashes.iter().eq(events.iter().map(|event| &event.hash)));
        let events = events.into_iter().map(
            |event| serde_json::json!({"hash": event.hash.to_string(), "preHash": event.pre_hash}),
        );
        profiles.insert(profile.to_string(), events.collect());
    }
    Ok(profiles.into())
}

#[test]
fn our_own_vectors() {
    let mut cases = Exceptions::new(&[]);
    for folder in entries(&own_vectors("hash")) {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let json =
            |file: &str| serde_json::from_str::<Value>(&read_text(&folder.join(file))).unwrap();
        let case = json("case.json");
        for member in ["source", "clause", "licence", "note"] {
            assert!(case[member].is_string(), "{name}: {member}");
        }
        let expected = json("expected.json");
        let input = read_text(&folder.join("input.json"));
        let undeclared = UndeclaredPrefixRule::named(case["undeclared"].as_str()).unwrap();
        if undeclared == UndeclaredPrefixRule::Keep {
            // Only cases with undeclared prefixes may set `undeclared`.
            let refusal = found(&input, UndeclaredPrefixRule::Refuse).unwrap_err();
            assert!(refusal.contains("is not declared"), "{name}: {refusal}");
        }
        let outcome = found(&input, undeclared).and_then(|found| {
            let differs = Profile::ALL
                .iter()
                .find(|profile| found[profile.as_str()] != expected[profile.as_str()]);
            match differs.map(|profile| profile.as_str()) {
                None => Ok(()),
                Some(profile) => Err(format!(
                    "{profile}\n found {:#}\n wants {:#}",
                    found[profile], expected[profile]
                )),
            }
        });
        cases.case(&name, outcome);
    }
    cases.finish(19);
}

fn hashes(text: &str) -> Result<Vec<EventHash>, (ErrorKind, String)> {
    let document = Document::read(text.as_bytes()).unwrap();
    hash::hash_document(&document, Profile::Cbv20).map_err(|error| {
        let problem = Problem::from(&error);
        assert!(matches!(problem.status, 400 | 413), "{problem:?}");
        let path = error.location().map(|location| location.path.clone());
        (error.kind().clone(), path.unwrap_or_default())
    })
}

#[test]
fn a_document_without_events_is_refused() {
    for text in [
        "null",
        "1",
        r#""ObjectEvent""#,
        "{}",
        "[]",
        r#"{"type": "EPCISDocument"}"#,
        r#"{"type": "person"}"#,
        r#"{"type": 5}"#,
        r#"{"type": "ObjectEvent", "epcisBody": {}}"#,
        r#"{"epcisBody": {"eventList": []}}"#,
        r#"{"epcisBody": {"eventList": null}}"#,
        r#"{"epcisBody": {"event": "ObjectEvent"}}"#,
        r#"{"epcisBody": [{"type": "ObjectEvent"}]}"#,
        r#"{"epcisBody": {"queryResults": {"resultsBody": {}}}}"#,
    ] {
        assert_eq!(hashes(text), Err((ErrorKind::NoEvents, String::new())), "{text}");
    }
}

#[test]
fn what_is_no_event_is_refused_with_its_place() {
    for (text, path) in [
        (r#"[{"type": "ObjectEvent"}, {"a": 1}]"#, "/1"),
        (r#"[[{"type": "ObjectEvent"}]]"#, "/0"),
        (r#"{"epcisBody": {"eventList": [{"type": "ObjectEvent"}, 5]}}"#, "/epcisBody/eventList/1"),
        (r#"{"epcisBody": {"eventList": [null]}}"#, "/epcisBody/eventList/0"),
    ] {
        assert_eq!(hashes(text), Err((ErrorKind::NotAnEvent, path.to_owned())), "{text}");
    }
}

#[test]
fn odd_shapes_are_hashed_without_a_panic() {
    let values = [
        "null",
        "true",
        "0",
        "-1e300",
        r#""""#,
        r#"" ""#,
        r#""x""#,
        "[]",
        "[[[]]]",
        "[null, [1, {}]]",
        "{}",
        r##"{"#text": {"type": []}}"##,
        r#"{"@context": 5}"#,
        r#"{"@context": {"a": [1], "": ""}, ":": 1, "::": 2, "a:": 3, ":a": 4}"#,
        r#"{"type": {"type": "x"}, "id": [1, 2], "epc": {"epc": 1}}"#,
        r#""urn:epc:id:sgtin:""#,
        r#""https://""#,
        r#""99999999999999999999-01-01T00:00:00Z""#,
        r#""é:%C3""#,
        r#"{"%": 1, "%zz": 2, "a:%C3": 3, "%C3%BC": 4}"#,
    ];
    let names = [
        "type",
        "@context",
        "@xmlns:p",
        "@type",
        "#text",
        "eventTime",
        "eventTimeZoneOffset",
        "certificationInfo",
        "epcList",
        "parentID",
        "quantityList",
        "action",
        "bizStep",
        "persistentDisposition",
        "readPoint",
        "bizTransactionList",
        "sourceList",
        "destinationList",
        "sensorElementList",
        "ilmd",
        "recordTime",
        "x",
        "p:x",
        "repository-x:ignoreFields",
    ];
    for name in names {
        for value in values {
            for text in [
                format!(
                    r#"{{"epcisBody": {{"eventList": [{{"type": "t", "{name}": {value}}}]}}}}"#
                ),
                format!(
                    r#"{{"epcisBody": {{"eventList": [{{"type": "t", "{name}": [{value}, {{"{name}": {value}}}]}}]}}}}"#
                ),
                format!(
                    r#"{{"{name}": {value}, "epcisBody": {{"event": {{"type": "t", "q:x": {{"{name}": {value}}}}}}}}}"#
                ),
            ] {
                // An object without a type is not an event.
                let is_event = found(&text, UndeclaredPrefixRule::Keep).is_ok();
                assert!(is_event || name == "type", "{text}");
            }
        }
    }
}

#[test]
fn nesting_is_bounded_by_the_reader() {
    let nested = |depth: usize| {
        let (open, close) = (r#"{"x:y":"#.repeat(depth), "}".repeat(depth));
        format!(r#"{{"type": "ObjectEvent", "x:y": {open}1{close}}}"#)
    };
    assert!(found(&nested(126), UndeclaredPrefixRule::Keep).is_ok());
    assert!(Document::read(nested(128).as_bytes()).is_err());
}

#[test]
fn a_string_out_of_all_proportion_is_refused() {
    // A long namespace, repeated for each of many short members.
    let text = |namespace: usize, members: usize| {
        format!(
            r#"{{"@context": {{"x": "{}"}}, "type": "ObjectEvent", "x:y": [{}1]}}"#,
            "n".repeat(namespace),
            "1,".repeat(members),
        )
    };
    let long = text(8192, 10_000);
    let limit = (32 << 20) + 4 * long.len();
    let refused = Err((ErrorKind::PreHashTooLong { limit }, String::new()));
    assert_eq!(hashes(&long), refused);
    assert_eq!(hashes(&text(8192, 4000)).map(|hashes| hashes.len()), Ok(1));
    // One byte above the limit for namespaces.
    let name = "x:y".to_owned();
    let refused = Err((ErrorKind::NamespaceTooLong { name, limit: 8192 }, String::new()));
    assert_eq!(hashes(&text(8193, 1)), refused);
    assert_eq!(
        hashes(&text(8193, 1).replace("x:y", "y:y")),
        Err((
            ErrorKind::UndeclaredPrefix { name: "y:y".to_owned(), unread: None },
            "/y:y".to_owned()
        ))
    );
}

#[test]
fn event_ids_in_hash_form_are_recomputed() {
    let event = |id: &str| {
        format!(
            r#"{{"@context": {{"x": "urn:x:"}}, "type": "ObjectEvent", "eventID": "{id}", "readPoint": {{"id": "urn:r", "x:y": 1}}, "action": "ADD",
            "certificationInfo": "c"}}"#
        )
    };
    let verified = |id: &str| {
        let text = event(id);
        let document = Document::read(text.as_bytes()).unwrap();
        hash::verify(&document).unwrap()
    };
    assert_eq!(verified("urn:uuid:1"), [Verification::NotHashForm]);
    assert_eq!(verified(""), [Verification::NotHashForm]);
    let zeros = format!("ni:///sha-256;{}?ver=CBV2.0", "0".repeat(64));
    assert_eq!(verified(&zeros), [Verification::MatchesNone]);
    for profile in Profile::ALL {
        let text = event("");
        let document = Document::read(text.as_bytes()).unwrap();
        let id = Hasher::new(&document, profile).hash(document.root()).unwrap().to_string();
        assert_eq!(
            verified(&id),
            [Verification::Matches { profiles: vec![profile], reading: HashScope::AsItStands }],
            "{profile}"
        );
        let other =
            id.replace("CBV2.0", "CBV2.x").replace("CBV2.1", "CBV2.0").replace("CBV2.x", "CBV2.1");
        assert_eq!(verified(&other), [Verification::MatchesNone], "{profile}");
    }
}

#[test]
fn profiles_have_names() {
    for profile in Profile::ALL {
        assert_eq!(profile.as_str().parse(), Ok(profile));
    }
    let error = "CBV1.2".parse::<Profile>().unwrap_err();
    let problem = Problem::from(&error);
    assert_eq!((problem.status, problem.detail.unwrap()), (400, error.to_string()));
    assert_eq!(
        error.to_string(),
        "the parameter `profile` is `CBV1.2`, expected `CBV2.0`, `CBV2.1` or `REF2025`"
    );
}

/// The pieces of a pre-hash string make up the whole string, and each has its field.
#[test]
fn the_pieces_of_every_string_are_labelled() {
    let mut count = 0;
    for folder in entries(&own_vectors("hash")) {
        let input = read_text(&folder.join("input.json"));
        let document = Document::read(input.as_bytes()).unwrap();
        for profile in Profile::ALL {
            let hashing = Hashing { profile, declared: UndeclaredPrefixRule::Keep.into() };
            for event in hash::pre_hash_document(&document, hashing).unwrap() {
                let mut end = 0;
                for piece in &event.pieces {
                    assert_eq!(piece.range.start, end);
                    assert!(!piece.field.is_empty() && !piece.range.is_empty(), "{event:#?}");
                    end = piece.range.end;
                    count += 1;
                }
                assert_eq!(end, event.pre_hash.len());
                let first = event.pieces.first();
                assert_eq!(first.map(|piece| &*piece.field), Some("eventType"));
            }
        }
    }
    assert!(count > 300, "{count}");
}

/// Extensions are sorted by their expanded names and keep their labels.
#[test]
fn sorted_extensions_keep_their_labels() {
    let text = br#"{"@context":{"x":"https://x.example/"},"type":"ObjectEvent","action":"ADD","x:b":"1","x:a":{"x:d":"2","x:c":"3"},"x:aa":"4",
        "bizTransactionList":[{"type":"po","bizTransaction":"urn:x:1"}]}"#;
    let document = Document::read(text).unwrap();
    for (profile, expected) in [
        (
            Profile::Cbv20,
            "eventType action bizTransactionList {https://x.example/}aa {https://x.example/}a {https://x.example/}b",
        ),
        (
            Profile::Ref2025,
            "eventType action bizTransactionList {https://x.example/}aa {https://x.example/}a {https://x.example/}b",
        ),
    ] {
        let events = hash::pre_hash_document(&document, profile).unwrap();
        let fields: Vec<_> = events[0].pieces.iter().map(|piece| &*piece.field).collect();
        assert_eq!(fields.join(" "), expected);
        for piece in &events[0].pieces {
            assert!(events[0].pre_hash[piece.range.clone()].starts_with(&*piece.field));
        }
    }
}
