//! A deployment that requires checks refuses a capture with an error of theirs, and names its place.

use epcis_edge_core::call::{Call, Principal};
use epcis_edge_core::error::{Error, ErrorKind, Problem};
use epcis_edge_core::service::{AcceptedDocuments, CaptureOptions, Configuration, Service};
use serde_json::{Value, json};

fn capture(required: &[&str], document: &Value) -> Result<usize, Error> {
    let configuration = Configuration {
        required_checks: required.iter().map(|name| (*name).to_owned()).collect(),
        ..Configuration::at("https://gateway.example")
    };
    let service = Service::new(configuration);
    let principal = Principal::local("https://a.example/1", "https://a.example/dock");
    let call = Call::new(1_780_315_200_000, principal);
    let options = CaptureOptions { accepted: AcceptedDocuments::All, ..CaptureOptions::default() };
    let text = document.to_string();
    let captured = pollster::block_on(service.capture_as(text.as_bytes(), options, &call))?;
    Ok(captured.events.len())
}

fn document(epc: &str, offset: &str) -> Value {
    json!({
        "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
        "type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-03-04T11:00:30.000+01:00",
        "epcisBody": {"eventList": [
            {"type": "ObjectEvent", "action": "OBSERVE", "eventTime": "2026-03-04T11:00:30.000+01:00", "eventTimeZoneOffset": offset, "epcList": [epc]},
        ]},
    })
}

const GOOD: &str = "https://id.gs1.org/01/09521141123454/21/1";
const BAD: &str = "https://id.gs1.org/01/09521141123455/21/1";

#[test]
fn an_error_refuses_with_its_place_and_a_hint_does_not() {
    assert_eq!(capture(&[], &document(BAD, "+01:00")).unwrap(), 1);
    assert_eq!(capture(&["cbv"], &document(BAD, "+01:00")).unwrap(), 1);
    assert_eq!(capture(&["identifiers", "consistency"], &document(GOOD, "+02:00")).unwrap(), 1);

    let error = capture(&["identifiers", "consistency"], &document(BAD, "+02:00")).unwrap_err();
    let ErrorKind::Invalid { errors } = error.kind() else { panic!("{error}") };
    let [only] = errors.as_slice() else { panic!("{errors:?}") };
    assert_eq!(only.path, "/epcisBody/eventList/0/epcList/0");
    assert_eq!(only.keyword, "identifiers/check-digit");
    assert!(only.message.contains(BAD), "{}", only.message);
    assert_eq!(Problem::from(&error).status, 400);
}

#[test]
fn what_the_schema_refuses_is_told_first_and_nothing_is_asked_of_nothing() {
    let mut document = document(BAD, "+01:00");
    document["epcisBody"]["eventList"][0]["action"] = "LOOK".into();
    let error = capture(&["identifiers"], &document).unwrap_err();
    let ErrorKind::Invalid { errors } = error.kind() else { panic!("{error}") };
    assert!(errors.iter().all(|error| error.keyword != "identifiers/check-digit"), "{errors:?}");
    document["epcisBody"]["eventList"] = json!([]);
    assert_eq!(capture(&["identifiers"], &document).unwrap(), 0);
}
