//! A captured event is found by its own eventID and can be declared an error. Names with an undeclared prefix are refused before
//! they are stored, by the same rule as in `hash`.
// Invariant: A captured event is found by its own name, and can be declared an error.

use epcis_edge_core::call::{Call, Principal};
use epcis_edge_core::capture::{HashEventIds, MAX_CLAIMS, MAX_EVENT};
use epcis_edge_core::error::{DocumentError, Error, ErrorKind};
use epcis_edge_core::hash::{Profile, hash_document, verify};
use epcis_edge_core::json::Document;
use epcis_edge_core::service::{CaptureOptions, Captured, Configuration, Service};
use epcis_edge_core::store::ErrorBehaviour;
use epcis_edge_core::translate::{XmlVersion, to_xml, verify_xml};
use pollster::block_on;
use serde_json::{Value, json};

const CONTEXT: &str = "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld";

fn gateway() -> Service {
    let configuration = Configuration {
        allowed_contexts: vec!["https://allowed.example/".to_owned()],
        ..Configuration::at("https://epcis.example.com")
    };
    Service::new(configuration)
}

fn call() -> Call {
    let principal = Principal::local("https://example.com/accounts/1", "https://example.com/dock");
    Call::new(1_769_904_000_000, principal)
}

/// An event with additional members.
fn event(members: &Value) -> Value {
    let mut event = json!({
        "@context": [CONTEXT, {"x": "https://x.example/"}], "type": "ObjectEvent", "action": "ADD", "epcList": ["urn:x:1"],
        "eventTime": "2026-01-01T00:00:00.000Z", "eventTimeZoneOffset": "+00:00",
    });
    let members = members.as_object().unwrap().clone();
    event.as_object_mut().unwrap().extend(members);
    event
}

fn capture(service: &Service, document: &Value) -> Result<Captured, Error> {
    block_on(service.capture(document.to_string().as_bytes(), false, &call()))
}

fn findings(error: &Error) -> &[DocumentError] {
    match error.kind() {
        ErrorKind::Invalid { errors } => errors,
        other => panic!("{other:?}"),
    }
}

/// Asserts that a document is refused at this path, with the message that `hash` gives.
#[track_caller]
fn refused(document: &Value, path: &str) {
    let error = capture(&gateway(), document).unwrap_err();
    let [finding] = findings(&error) else { panic!("{error:?}") };
    let text = document.to_string();
    let read = Document::read(text.as_bytes()).unwrap();
    let hash_error = hash_document(&read, Profile::Cbv20).unwrap_err();
    assert_eq!(finding.path, path);
    assert_eq!(hash_error.location().unwrap().path, path);
    assert_eq!(finding.message, hash_error.kind().to_string());
}

#[test]
fn a_prefix_that_is_declared_nowhere_is_refused_as_hash_refuses_it() {
    let document = |events: Value| {
        json!({
            "@context": [CONTEXT], "type": "EPCISDocument", "schemaVersion": "2.0",
            "creationDate": "2026-02-01T00:00:00Z", "epcisBody": {"eventList": events},
        })
    };
    refused(&event(&json!({"foo:bar": 1})), "/foo:bar");
    refused(
        &event(&json!({"ilmd": {"x:a": [{"x:b": {"foo:b~r/": "y"}}]}})),
        "/ilmd/x:a/0/x:b/foo:b~0r~1",
    );
    refused(
        &document(json!([event(&json!({})), event(&json!({"foo:bar": {"x:a": 1}}))])),
        "/epcisBody/eventList/1/foo:bar",
    );
    // Declared in a sibling object only, so out of scope.
    refused(
        &event(
            &json!({"x:a": {"@context": {"foo": "https://foo.example/"}, "foo:a": 1}, "x:b": {"foo:a": 1}}),
        ),
        "/x:b/foo:a",
    );
}

#[test]
fn places_are_right_where_something_was_stripped() {
    let document = event(&json!({
        "spine:who": "urn:forged", "x:a": [{"spine:who": "urn:forged"}, {"spine:who": "urn:forged", "foo:bar": 1}],
    }));
    let error = capture(&gateway(), &document).unwrap_err();
    let paths: Vec<&str> = findings(&error).iter().map(|finding| finding.path.as_str()).collect();
    assert_eq!(paths, ["/x:a/1/foo:bar"]);
    // Stamps are stripped, so their prefix needs no declaration.
    let forged = event(&json!({"spine:who": "urn:forged"}));
    assert!(capture(&gateway(), &forged).is_ok());
}

#[test]
fn the_others_are_captured_where_the_capture_is_to_proceed() {
    let events = json!([event(&json!({"foo:bar": 1})), event(&json!({}))]);
    let document = json!({
        "@context": [CONTEXT], "type": "EPCISDocument", "schemaVersion": "2.0",
        "creationDate": "2026-02-01T00:00:00Z", "epcisBody": {"eventList": events},
    });
    let options =
        CaptureOptions { behaviour: ErrorBehaviour::Proceed, ..CaptureOptions::default() };
    let captured =
        block_on(gateway().capture_as(document.to_string().as_bytes(), options, &call()));
    assert_eq!(captured.unwrap().events.len(), 1);
}

#[test]
fn a_namespace_that_is_too_long_concerns_its_event_alone() {
    let long = json!([CONTEXT, {"x": format!("https://x.example/{}/", "x".repeat(9000))}]);
    let events = json!([event(&json!({"@context": long, "x:a": 1})), event(&json!({"x:a": 1}))]);
    let document = json!({
        "@context": [CONTEXT], "type": "EPCISDocument", "schemaVersion": "2.0",
        "creationDate": "2026-02-01T00:00:00Z", "epcisBody": {"eventList": events},
    });
    let error = capture(&gateway(), &document).unwrap_err();
    assert_eq!(findings(&error).first().unwrap().path, "/epcisBody/eventList/0");
    let options =
        CaptureOptions { behaviour: ErrorBehaviour::Proceed, ..CaptureOptions::default() };
    let captured =
        block_on(gateway().capture_as(document.to_string().as_bytes(), options, &call()));
    assert_eq!(captured.unwrap().events.len(), 1);
}

#[test]
fn so_many_declarations_ask_the_store_whatever_the_behaviour() {
    let declaration = |number: usize| {
        event(&json!({
            "eventID": format!("ni:///sha-256;{number:064x}?ver=CBV2.0"),
            "errorDeclaration": {"declarationTime": "2026-01-02T00:00:00Z"},
        }))
    };
    let events: Vec<Value> =
        (0..MAX_CLAIMS + 5).map(declaration).chain([event(&json!({}))]).collect();
    let document = json!({
        "@context": [CONTEXT], "type": "EPCISDocument", "schemaVersion": "2.0",
        "creationDate": "2026-02-01T00:00:00Z", "epcisBody": {"eventList": events},
    });
    let error = capture(&gateway(), &document).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::CaptureTooComplex { .. }), "{error:?}");
    // With `proceed`, the first `MAX_CLAIMS` declarations are looked up, and the others are refused as too many. The valid event is
    // captured.
    let options = CaptureOptions {
        behaviour: ErrorBehaviour::Proceed,
        hash_event_ids: Some(HashEventIds::Report),
        ..CaptureOptions::default()
    };
    let captured =
        block_on(gateway().capture_as(document.to_string().as_bytes(), options, &call()));
    // The declarations keep their eventIDs as unverified names. They have the same content, so they are the same declaration.
    assert_eq!(captured.unwrap().events.len(), MAX_CLAIMS + 1);
}

/// Captures an event, finds it by its eventID and by its content hash, captures it again as a duplicate, and declares it an error.
#[track_caller]
fn found(members: &Value) {
    let service = gateway();
    let event = event(members);
    let captured = capture(&service, &event).unwrap();
    let stored = captured.events.first().unwrap();
    for name in [stored.event_id.clone(), stored.content_hash.to_string()] {
        let found = block_on(service.get_event(&name, None, &call()));
        assert!(found.is_ok(), "{members}: {name}: {found:?}");
    }
    let again = capture(&service, &event).unwrap();
    assert!(again.events.first().unwrap().duplicate, "{members}");
    let mut declaration = event;
    declaration["eventID"] = json!(stored.event_id);
    declaration["errorDeclaration"] = json!({"declarationTime": "2026-01-02T00:00:00Z"});
    assert!(capture(&service, &declaration).is_ok(), "{members}");
}

#[test]
fn what_is_captured_is_found_by_its_own_name() {
    found(&json!({}));
    found(&json!({"x:a": {"x:b": ["foo:bar"]}}));
    // Values are hashed as written, even if they have a colon.
    found(&json!({"bizStep": "foo:bar"}));
    found(&json!({"persistentDisposition": {"set": ["foo:bar"]}}));
    found(&json!({"type": "foo:Event"}));
    // Members that are not hashed, or that add nothing to the hash.
    found(&json!({"certificationInfo": "foo:bar"}));
    found(&json!({"rdfs:comment": {"foo:bar": 1}}));
    found(&json!({"foo:bar": null}));
    found(&json!({"https://x.example/a": 1, "urn:x:a": 2}));
    // A context that the deployment allows but that is not read here may declare any prefix.
    let context = json!([CONTEXT, "https://allowed.example/one.jsonld"]);
    found(&json!({"@context": context, "foo:bar": 1}));
}

#[test]
fn a_context_that_is_not_read_declares_nothing_outside_of_it() {
    let inner = json!({"@context": "https://allowed.example/one.jsonld", "foo:a": 1});
    let error =
        capture(&gateway(), &event(&json!({"x:a": inner, "x:b": {"foo:a": 1}}))).unwrap_err();
    assert_eq!(findings(&error).first().unwrap().path, "/x:b/foo:a");
}

/// An XML event with an extension element that has these children.
fn xml(children: &str) -> String {
    format!(
        r#"<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:2" schemaVersion="2.0" creationDate="2026-01-01T00:00:00Z"><EPCISBody><EventList><ObjectEvent><eventTime>2026-01-01T00:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>urn:x:1</epc></epcList><action>OBSERVE</action><x:a xmlns:x="https://x.example/">{children}</x:a></ObjectEvent></EventList></EPCISBody></epcis:EPCISDocument>"#
    )
}

#[test]
fn elements_that_readers_take_for_keywords_are_refused_where_they_are_none() {
    let capture = |children: &str| {
        let options = CaptureOptions::default();
        block_on(gateway().capture_xml(xml(children).as_bytes(), options, &call()))
    };
    let above = "/epcisBody/eventList/0/x:a";
    for (children, name) in [
        ("<id>1</id><id>2</id>", "id"),
        ("<id><x:b>1</x:b></id>", "id"),
        ("<id>1</id><eventID>2</eventID>", "eventID"),
        ("<type><x:b>1</x:b></type>", "type"),
        ("<baseURL>urn:x:</baseURL>", "baseURL"),
    ] {
        let error = capture(children).unwrap_err();
        let [finding] = findings(&error) else { panic!("{children}: {error:?}") };
        assert_eq!(finding.path, format!("{above}/{name}"), "{children}");
        assert_eq!(finding.keyword, "jsonLd", "{children}");
    }
    for children in [
        "<id>1</id>",
        "<type>a</type><type>b</type>",
        "<x:id>1</x:id><x:id>2</x:id>",
        "<hasOwnProperty>1</hasOwnProperty>",
    ] {
        assert!(capture(children).is_ok(), "{children}");
    }
}

/// Each quote of XML is two bytes of JSON. An event like this would be held in memory several times, at twice the length of its
/// body.
#[test]
fn an_event_that_xml_makes_longer_than_a_body_may_be_is_refused() {
    let xml = |quotes: usize| {
        format!(
            r#"<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:2" xmlns:x="https://x.example/" schemaVersion="2.0" creationDate="2026-01-01T00:00:00Z"><EPCISBody><EventList><ObjectEvent><eventTime>2026-01-01T00:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>urn:x:1</epc></epcList><action>OBSERVE</action><x:text>{}</x:text></ObjectEvent></EventList></EPCISBody></epcis:EPCISDocument>"#,
            "\"".repeat(quotes)
        )
    };
    let captured = |quotes: usize| {
        let options = CaptureOptions::default();
        block_on(gateway().capture_xml(xml(quotes).as_bytes(), options, &call()))
    };
    assert!(captured(MAX_EVENT / 2 - 1000).is_ok());
    let error = captured(MAX_EVENT / 2).unwrap_err();
    let limit = MAX_EVENT;
    let what = "bytes of JSON in one event";
    assert_eq!(*error.kind(), ErrorKind::CaptureTooComplex { limit, what });
}

/// A gateway adds who captured an event. A hash made before that still matches, at this gateway and at another one.
#[test]
fn an_event_that_a_gateway_handed_out_is_right_wherever_it_goes() {
    let other = Service::new(Configuration::at("https://other.example.com"));
    let hash_of = |event: &Value| {
        let text = event.to_string();
        hash_document(&Document::read(text.as_bytes()).unwrap(), Profile::Cbv20).unwrap()[0]
            .to_string()
    };
    let verified = |event: &Value| {
        let text = event.to_string();
        let verified = verify(&Document::read(text.as_bytes()).unwrap()).unwrap();
        (verified[0].as_str(), verified[0].reading())
    };
    let mut named = event(&json!({"x:a": "1"}));
    named["eventID"] = json!(hash_of(&named));
    for (event, reading) in [
        (named.clone(), Some("without the stamps of a gateway")),
        (event(&json!({"x:a": "2"})), None),
    ] {
        let service = gateway();
        let handed_out = |service: &Service, event: &Value| {
            let captured = capture(service, event).unwrap();
            let name = &captured.events[0].event_id;
            let found = block_on(service.get_event(name, None, &call())).unwrap();
            let stored: Value =
                serde_json::from_str(&serde_json::to_string(&found).unwrap()).unwrap();
            stored["epcisBody"]["queryResults"]["resultsBody"]["eventList"][0].clone()
        };
        let first = handed_out(&service, &event);
        assert_eq!(verified(&first), ("matches", reading));
        let text = first.to_string();
        let xml = to_xml(&Document::read(text.as_bytes()).unwrap(), XmlVersion::V2_0).unwrap();
        let of_xml = verify_xml(xml.document.as_bytes()).unwrap();
        assert_eq!((of_xml[0].as_str(), of_xml[0].reading()), ("matches", reading));
        // Captured again here, and at another gateway.
        let again = handed_out(&service, &first);
        assert_eq!(verified(&again), ("matches", reading));
        let elsewhere = handed_out(&other, &first);
        assert_eq!(verified(&elsewhere).0, "matches", "{elsewhere}");
    }
    // A changed event still does not match.
    named["x:a"] = json!("3");
    assert_eq!(verified(&named), ("matches-none", None));
}
