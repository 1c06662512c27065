//! The report of `to_xml`: if clean, the output has the same event hash, and is valid if the source was.

use epcis_edge_core::hash::{Hashing, Profile, UndeclaredPrefixRule, hash_document};
use epcis_edge_core::json::Document;
use epcis_edge_core::translate::{XmlVersion, to_xml, translate};
use epcis_edge_core::validate::Validator;
use serde_json::{Value, json};

/// A document of one event with these members. The prefixes are in the document's context.
fn document(context: Value, members: Value) -> String {
    let mut event = json!({
        "type": "ObjectEvent", "action": "OBSERVE", "epcList": ["urn:epc:id:sscc:9521141.1234567890"],
        "eventTime": "2026-01-05T10:00:00Z", "eventTimeZoneOffset": "+00:00",
    });
    for (name, value) in members.as_object().unwrap() {
        event[name] = value.clone();
    }
    json!({
        "@context": ["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld", context],
        "type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-01-05T10:00:00Z",
        "epcisBody": {"eventList": [event]},
    })
    .to_string()
}

fn hashes(text: &str) -> Vec<String> {
    let document = Document::read(text.as_bytes()).unwrap();
    let hash = |profile| {
        let hashing = Hashing { profile, declared: UndeclaredPrefixRule::Keep.into() };
        let hashes = hash_document(&document, hashing).unwrap();
        hashes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    Profile::ALL.into_iter().flat_map(hash).collect()
}

/// The lossy pointers in both versions, from the event on, with their codes. Asserts that clean translations are clean.
#[track_caller]
fn losses(text: &str) -> Vec<Vec<(String, &'static str)>> {
    let source = Document::read(text.as_bytes()).unwrap();
    let is_valid = Validator::new().unwrap().validate(&source).valid;
    [XmlVersion::V2_0, XmlVersion::V1_2]
        .into_iter()
        .map(|version| {
            let xml = to_xml(&source, version).unwrap();
            if xml.report.is_clean() {
                let back = translate(xml.document.as_bytes()).unwrap();
                assert_eq!(hashes(&back.document), hashes(text), "{}", xml.document);
                let verdict = back.source_verdict.unwrap();
                assert!(!is_valid || verdict.valid, "{verdict:?}\n{}", xml.document);
            }
            let notes = xml.report.notes().iter().filter(|note| note.is_lossy());
            notes
                .map(|note| {
                    let path = note.path.strip_prefix("/epcisBody/eventList/0");
                    (path.unwrap_or(&note.path).to_owned(), note.code)
                })
                .collect()
        })
        .collect()
}

/// Asserts the losses of both versions.
#[track_caller]
fn check(context: Value, members: Value, expected: &[(&str, &str)]) {
    let text = document(context, members);
    for found in losses(&text) {
        let found: Vec<_> = found.iter().map(|(path, code)| (path.as_str(), *code)).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn plain_names_in_standard_objects_are_left_out_and_told() {
    let ex = || json!({"ex": "https://ns.example.com/"});
    check(ex(), json!({"foo": "1"}), &[("/foo", "member-no-home")]);
    let place = json!({"id": "urn:epc:id:sgln:9521141.00001.0", "foo": "1"});
    check(ex(), json!({"readPoint": place}), &[("/readPoint/foo", "member-no-home")]);
    check(
        ex(),
        json!({"ilmd": {"foo": "1", "ex:a": "2"}, "action": "ADD"}),
        &[("/ilmd/foo", "member-no-home")],
    );
    // In a user's object, a plain name is the user's own.
    check(ex(), json!({"ex:o": {"foo": "1"}}), &[]);
}

#[test]
fn names_that_xml_cannot_have_are_told() {
    let ex = || json!({"ex": "https://ns.example.com/"});
    for (name, code) in [
        ("gdst:vesselName", "undeclared-prefix"),
        ("ex:a/b", "name-split-elsewhere"),
        ("urn:x:y", "name-split-elsewhere"),
        ("https://q.example/z", "name-split-elsewhere"),
        ("@xmlns:x", "json-ld-keyword"),
    ] {
        let pointer = format!("/{}", name.replace('/', "~1"));
        check(ex(), json!({name: "1"}), &[(&pointer, code)]);
        check(ex(), json!({"ex:o": {name: {"ex:b": "1"}}}), &[(&format!("/ex:o{pointer}"), code)]);
        check(
            ex(),
            json!({"ex:o": {name: "1", "#text": "2"}}),
            &[(&format!("/ex:o{pointer}"), code)],
        );
    }
    check(ex(), json!({"ex:a": "1", "ex:o": {"ex:b": ["2", {"ex:c": "3"}]}}), &[]);
}

#[test]
fn what_the_xml_schema_refuses_is_told_where_the_source_was_valid() {
    // The XML schema requires a business document header with a sender in every header. The JSON schema does not.
    let mut value: Value = serde_json::from_str(&document(json!({}), json!({}))).unwrap();
    value["@context"][1] = json!({"ex": "https://ns.example.com/"});
    value["epcisHeader"] = json!({"ex:h": "1"});
    for found in losses(&value.to_string()) {
        assert_eq!(found, [("/epcisHeader/ex:h".to_owned(), "xml-schema-refuses")]);
    }
    // If the source is invalid, this is not reported.
    value["epcisHeader"]["none"] = json!({"foo": 1});
    value["creationDate"] = json!("today");
    let codes = losses(&value.to_string());
    assert!(codes.iter().flatten().all(|(_, code)| *code == "member-no-home"), "{codes:?}");
}

#[test]
fn every_event_of_many_is_measured_and_told_at_its_place() {
    let text =
        document(json!({"ex": "https://ns.example.com/"}), json!({"ex:note": "x".repeat(3000)}));
    let mut value: Value = serde_json::from_str(&text).unwrap();
    let event = value["epcisBody"]["eventList"][0].clone();
    let mut events = vec![event; 500];
    events[3]["ex:a/b"] = json!("1");
    events[250]["foo"] = json!("1");
    events[499]["type"] = json!("AggregationEvent");
    value["epcisBody"]["eventList"] = events.into();
    let text = value.to_string();
    let source = Document::read(text.as_bytes()).unwrap();
    let xml = to_xml(&source, XmlVersion::V2_0).unwrap();
    let found: Vec<_> = xml.report.fidelity().lossy_paths().collect();
    let list = "/epcisBody/eventList";
    assert_eq!(
        found,
        [format!("{list}/3/ex:a~1b"), format!("{list}/250/foo"), format!("{list}/499/epcList")]
    );
}

#[test]
fn names_that_come_back_in_another_spelling_are_told_and_lose_nothing() {
    let ex = json!({"ex": "https://ns.example.com/"});
    for (name, is_told) in [
        ("ex:\u{e9}", true),
        ("ex:%C3%A9", false),
        ("ex:%c3%a9", true),
        ("ex:%67ate", true),
        ("ex:gate", false),
        ("\u{e9}", true),
    ] {
        for members in [
            json!({"ex:o": {name: "1"}}),
            json!({"ex:o": {name: ["1", "2"]}}),
            json!({"ex:o": {name: "1", "#text": "2"}}),
        ] {
            let text = document(ex.clone(), members);
            let document = Document::read(text.as_bytes()).unwrap();
            for version in [XmlVersion::V2_0, XmlVersion::V1_2] {
                let xml = to_xml(&document, version).unwrap();
                assert!(xml.report.is_clean(), "{text}: {:?}", xml.report);
                let told = |note: &epcis_edge_core::translate::Note| note.code == "renamed";
                assert_eq!(xml.report.notes().iter().any(told), is_told, "{text}");
                let report = serde_json::to_value(&xml.report).unwrap();
                let summary = report["summary"].as_str().unwrap();
                assert_eq!(summary.contains("in another spelling"), is_told, "{text}: {summary}");
            }
            assert_eq!(losses(&text), [vec![], vec![]], "{text}");
        }
    }
}
