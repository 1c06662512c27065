//! Validation of the third-party vectors and the project's own. `referee.rs` compares with the crate itself.
// Invariant: The embedded schema has the pinned digest.

use epcis_edge_core::json::Document;
use epcis_edge_core::validate::{MAX_ERRORS, SCHEMA_PIN, Validator, VerdictStream};
use epcis_edge_schema::TEXT as SCHEMA;
use epcis_edge_tests::referee::{Pairs, Referee, one_cause, pairs};
use epcis_edge_tests::{entries, outside_vectors, own_vectors, read, read_json};
use serde_json::Value;
use std::fmt::Write as _;

/// The pairs of `expected.json`, in the form that the crate reports.
fn pairs_of(expected: &Value) -> Pairs {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    expected.as_array().unwrap().iter().map(|pair| (text(&pair[0]), text(&pair[1]))).collect()
}

/// The files for which the one-cause rule changes what the crate reports, and the number of entries that it removes.
const ONE_CAUSE_EFFECT: [(&str, usize); 2] =
    [("i-own-event-no-type.json", 2), ("i-own-root-no-type.json", 4)];

#[test]
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
fn outside_vectors_have_the_verdict_and_the_errors_of_the_crate() {
    let folder = outside_vectors("validate").unwrap();
    let expected = read_json(&folder.join("expected.json"));
    let validator = Validator::new().unwrap();
    let mut effects = Vec::new();
    let mut count = 0;
    for (name, expected) in expected.as_object().unwrap() {
        count += 1;
        let bytes = read(&folder.join(name));
        let document = Document::read(&bytes);
        if expected["jsonschema"] == "parse error" {
            assert!(document.is_err(), "{name} must be refused");
            continue;
        }
        let verdict = validator.validate(&document.unwrap());
        assert_eq!(verdict.valid, expected["jsonschema"] == "valid", "{name}");
        let theirs = pairs_of(&expected["jsonschema_errors"]);
        let ruled = one_cause(&serde_json::from_slice(&bytes).unwrap(), &theirs);
        if ruled != theirs {
            effects.push((name.as_str(), theirs.len() - ruled.len()));
        }
        assert_eq!(pairs(&verdict), ruled, "{name}");
    }
    assert_eq!(count, 89);
    effects.sort_unstable();
    assert_eq!(effects, ONE_CAUSE_EFFECT);
}

#[test]
fn own_vectors_have_their_errors_and_messages() {
    let validator = Validator::new().unwrap();
    let cases = entries(&own_vectors("validate"));
    assert!(cases.len() >= 20, "{} cases", cases.len());
    let referee = Referee::new();
    for case in cases {
        let bytes = read(&case.join("input.json"));
        let verdict = validator.validate(&Document::read(&bytes).unwrap());
        let found = serde_json::to_value(&verdict.errors).unwrap();
        assert_eq!(found, read_json(&case.join("expected.json")), "{}", case.display());
        // The crate has the same verdict.
        assert_eq!(referee.agree(&bytes), Some(verdict.valid), "{}", case.display());
    }
}

#[test]
fn the_embedded_schema_is_the_pinned_one() {
    use sha2::Digest as _;
    let digest = sha2::Sha256::digest(SCHEMA.as_bytes());
    let digest = digest.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    });
    assert_eq!(digest, "0f46ff694efffd8d8ce840a33dfde84228add11b516b8b258f3200740ae210af");
    assert_eq!(digest, SCHEMA_PIN.sha256);
    assert_eq!(SCHEMA.len(), 55_680);
}

/// A document of many events. Those for which `faulty` is true have a misspelt `bizStep`.
fn many_events(count: usize, faulty: impl Fn(usize) -> bool) -> String {
    let mut text = String::from(
        r#"{"@context":"https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld","type":"EPCISDocument",
            "schemaVersion":"2.0","creationDate":"2026-01-04T08:30:00Z","epcisBody":{"eventList":["#,
    );
    for index in 0..count {
        let step = if faulty(index) { "shiping" } else { "shipping" };
        let comma = if index == 0 { "" } else { "," };
        write!(
            text,
            r#"{comma}{{"type":"ObjectEvent","eventTime":"2026-01-04T08:30:00Z","eventTimeZoneOffset":"+00:00","epcList":[],
               "action":"OBSERVE","bizStep":"{step}"}}"#
        )
        .unwrap();
    }
    text.push_str("]}}");
    text
}

#[test]
fn errors_keep_their_index_and_stop_at_the_limit() {
    let validator = Validator::new().unwrap();
    let text = many_events(300, |index| [0, 63, 64, 299].contains(&index));
    let verdict = validator.validate(&Document::read(text.as_bytes()).unwrap());
    let paths: Vec<_> = verdict.errors.iter().map(|error| error.path.as_str()).collect();
    assert_eq!(
        paths,
        [0, 63, 64, 299].map(|index| format!("/epcisBody/eventList/{index}/bizStep"))
    );

    let text = many_events(1500, |_| true);
    let verdict = validator.validate(&Document::read(text.as_bytes()).unwrap());
    assert_eq!(verdict.errors.len(), MAX_ERRORS);
    let last = &verdict.errors[MAX_ERRORS - 1];
    assert_eq!(last.path, "/epcisBody/eventList/999/bizStep");
    assert!(
        last.message.ends_with("; 501 errors from here on; the rest are not listed"),
        "{}",
        last.message
    );
}

#[test]
fn errors_stand_in_document_order() {
    let validator = Validator::new().unwrap();
    let text = r#"{"epcisBody":{"eventList":[{"epcList":["no uri"],"bizStep":"shiping","type":"ObjectEvent","action":"ADD",
        "eventTimeZoneOffset":"Z","eventTime":"2026"}]},"type":"EPCISDocument","schemaVersion":"x",
        "@context":[],"creationDate":"2026"}"#;
    let verdict = validator.validate(&Document::read(text.as_bytes()).unwrap());
    let paths: Vec<_> = verdict.errors.iter().map(|error| error.path.as_str()).collect();
    let event = "/epcisBody/eventList/0";
    assert_eq!(
        paths,
        [
            event,
            &format!("{event}/epcList/0"),
            &format!("{event}/bizStep"),
            &format!("{event}/eventTimeZoneOffset"),
            &format!("{event}/eventTime"),
            "/schemaVersion",
            "/creationDate"
        ]
    );
}

/// The location of an error is the same for every way to validate.
#[test]
fn errors_have_the_line_and_column_of_their_value() {
    let text = r#"{
  "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
  "type": "EPCISDocument", "schemaVersion": "2.0",
  "creationDate": "tödäy", "epcisBody": {"eventList": [
    {"type": "ObjectEvent", "eventTime": "2026-01-01T00:00:00Z", "eventTimeZoneOffset": "+00:00", "action": "ADD",
     "epcList": ["urn:epc:id:sscc:9521141.1234567890"]},
    {"type": "ObjectEvent", "eventTime": "2026-01-01T00:00:00Z",
     "action": "ADD", "epcList": [
       "no URI"]}, 42
  ]}, "ä": 1, "none": [
]}
"#;
    let validator = Validator::new().unwrap();
    let document = Document::read(text.as_bytes()).unwrap();
    let whole = validator.validate(&document);
    assert_eq!(validator.judge(text.as_bytes()).unwrap(), whole);
    for chunk in [1, 7, 64, 4096] {
        let mut stream = VerdictStream::new();
        for part in text.as_bytes().chunks(chunk) {
            stream.push(part, &validator).unwrap();
        }
        assert_eq!(stream.finish(&validator).unwrap(), whole, "{chunk}");
    }
    // An unexpected name is located at the name.
    let (of_names, of_values): (Vec<_>, Vec<_>) = whole.errors.iter().partition(|error| {
        error.keyword == "propertyNames" || error.keyword == "additionalProperties"
    });
    let [name] = of_names.as_slice() else { panic!("{of_names:?}") };
    assert_eq!((name.line, name.column), (Some(10), Some(7)), "{name:?}");
    let places: Vec<_> = of_values
        .into_iter()
        .map(|error| (error.path.as_str(), error.line.unwrap(), error.column.unwrap()))
        .collect();
    for (path, line, column) in &places {
        let value = document.root().pointer(path).unwrap();
        let (before, _) = text.split_at(value.offset());
        let found = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        assert_eq!((*line, *column), (found, before.len() - start + 1), "{path}");
    }
    assert!(places.contains(&("/creationDate", 4, 19)), "{places:?}");
    assert!(places.contains(&("/epcisBody/eventList/1/epcList/0", 9, 8)), "{places:?}");
    // If only events are faulty, they are validated again one by one.
    let events =
        text.replace("tödäy", "2026-01-01T00:00:00Z").replace(", \"ä\": 1, \"none\": [\n]", "");
    let document = Document::read(events.as_bytes()).unwrap();
    let whole = validator.validate(&document);
    assert!(!whole.valid);
    assert_eq!(validator.judge(events.as_bytes()).unwrap(), whole);
}
