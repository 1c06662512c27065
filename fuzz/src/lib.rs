//! The fuzz targets. Each is a function that takes any bytes and panics if an invariant is broken.
//!
//! `make fuzz` runs them under libFuzzer; a plain test runs them over the corpora (`tests/it/corpora.rs`).

use bytes::Bytes;
use epcis_edge_core::call::{Call, Incoming, Principal, Readable, Rights};
use epcis_edge_core::capture::{self, Policy};
use epcis_edge_core::error::ErrorKind;
use epcis_edge_core::hash::{Profile, hash_document};
use epcis_edge_core::json::{Document, Value};
use epcis_edge_core::query::{Facts, Query};
use epcis_edge_core::rest;
use epcis_edge_core::service::{Configuration, Found, Service, Translated};
use epcis_edge_core::store::{Bearer, Key, MemoryStore};
use epcis_edge_core::translate::{XmlVersion, hash_xml, to_xml, translate};
use epcis_edge_core::validate::{MAX_ERRORS, Validator};
use epcis_edge_tests::referee::Referee;
use std::rc::Rc;
use std::sync::OnceLock;

/// A target: its name, which is also the name of its corpus, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 5] = [
    ("capture_query", capture_query),
    ("contexts", contexts),
    ("http_request", http_request),
    ("json_document", json_document),
    ("xml_document", xml_document),
];

const NAMESPACE: &str = "https://epcis.example.com/ns/spine/";
const RECORD_TIME: &str = "https://ref.gs1.org/epcis/recordTime";
const OBSERVER: &str = "urn:the-observer";
const ACCOUNT: &str = "urn:the-account";

fn call() -> Call {
    Call::new(1_769_904_000_000, Principal::local(ACCOUNT, OBSERVER))
}

/// The input is a line with a query, followed by a document. A query over the captured events must find exactly the events that its
/// predicate matches one by one.
pub fn capture_query(input: &[u8]) {
    let end = input.iter().position(|byte| *byte == b'\n');
    let (line, rest) = input.split_at(end.unwrap_or(input.len()));
    let document = rest.get(1..).unwrap_or_default();
    let service = Service::new(Configuration::at("https://epcis.example.com"));
    let call = call();
    let Ok(captured) = pollster::block_on(service.capture(document, false, &call)) else {
        return;
    };
    let new = captured.events.iter();
    let new = new.filter(|event| !event.duplicate).count();
    for event in &captured.events {
        let found = pollster::block_on(service.get_event(&event.event_id, None, &call));
        assert!(!found.expect("what was captured is found").events.is_empty());
    }
    let all = Query::default().paged(Some(1000), None).expect("a page size");
    let all = walk(&service, &all, &call).expect("every event");
    assert_eq!(all.len(), new);
    let Some(query) = Document::read(line).ok() else {
        return;
    };
    let Ok(query) = Query::read(query.root()) else {
        return;
    };
    let is_limited = query.max_event_count.is_some() || query.event_count_limit.is_some();
    if is_limited || query.next_page_token.is_some() {
        return;
    }
    let found = match walk(&service, &query, &call) {
        Ok(found) => found,
        Err(ErrorKind::QueryTooLarge { .. } | ErrorKind::QueryTooComplex { .. }) => return,
        Err(kind) => panic!("{kind:?}"),
    };
    let matches = |text: &&String| {
        let stored = Document::read(text.as_bytes()).expect("stored events are JSON");
        // The hash may be empty: it names the event, and only queries by name compare it.
        query.predicate.matches(&Facts::of(stored.root()), "")
    };
    let mut expected: Vec<&String> = all.iter().filter(matches).collect();
    let mut found: Vec<&String> = found.iter().collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

/// All events of a query, collected page by page.
fn walk(service: &Service, query: &Query, call: &Call) -> Result<Vec<String>, ErrorKind> {
    let mut events = Vec::new();
    let mut query = query.clone();
    loop {
        let found = pollster::block_on(service.query(&query, call));
        let Found::Page(page) = found.map_err(|error| error.kind().clone())? else {
            return Ok(events);
        };
        events.extend(page.events.iter().map(|event| event.get().to_owned()));
        let Some(token) = page.next_page_token else {
            return Ok(events);
        };
        query = query.paged(None, Some(token)).expect("a token is taken");
    }
}

/// A document with contexts of any kind. Each of the gateway's stamps must occur exactly once in the stored event, and no other
/// member may have the name of a stamp. `spell` reads the names independently of the engine, from the contexts as written.
pub fn contexts(input: &[u8]) {
    static VALIDATOR: OnceLock<Validator> = OnceLock::new();
    let validator = VALIDATOR.get_or_init(Validator::default);
    let Ok(prepared) = capture::prepare(input, validator, &Policy::new(NAMESPACE), &call()) else {
        return;
    };
    for event in &prepared.batch.events {
        let stored = Document::read(event.event.as_bytes()).expect("stored events are JSON");
        let mut names = Vec::new();
        let mut prefixes = Vec::new();
        spell(stored.root(), &mut prefixes, &mut names);
        for (whole, value) in [
            (format!("{NAMESPACE}who"), OBSERVER),
            (format!("{NAMESPACE}capturedBy"), ACCOUNT),
            (RECORD_TIME.to_owned(), "2026-02-01T00:00:00.000Z"),
        ] {
            let found: Vec<&str> = names
                .iter()
                .filter(|(name, _)| *name == whole)
                .map(|(_, value)| value.as_str())
                .collect();
            assert_eq!(found, [value], "{whole} in {}", event.event);
        }
        // Captured again, a stored event has the same identity.
        let again =
            capture::prepare(event.event.as_bytes(), validator, &Policy::new(NAMESPACE), &call());
        let again = again.expect("what was stored is taken");
        assert_eq!(again.batch.events[0].identity, event.identity);
    }
}

/// Collects every member name in full, with its text, at any depth. Prefixes are expanded until nothing changes.
fn spell(object: Value<'_>, outer: &mut Vec<(String, String)>, names: &mut Vec<(String, String)>) {
    let before = outer.len();
    if let Some(context) = object.get("@context") {
        let entries = (context.elements()).chain(std::iter::once(context));
        for (term, definition) in entries.flat_map(Value::members) {
            let iri = definition.get("@id").or(Some(definition)).and_then(Value::as_str);
            outer.extend(iri.map(|iri| (term.to_cow().into_owned(), iri.into_owned())));
        }
    }
    for (name, value) in object.members() {
        let name = name.to_cow();
        if name == "@context" {
            continue;
        }
        let whole =
            if name == "recordTime" { RECORD_TIME.to_owned() } else { follow(&name, outer) };
        names.push((whole, value.as_str().unwrap_or_default().into_owned()));
        spell(value, outer, names);
    }
    for element in object.elements() {
        spell(element, outer, names);
    }
    outer.truncate(before);
}

fn follow(name: &str, terms: &[(String, String)]) -> String {
    let meaning = |term: &str| terms.iter().rev().find(|(found, _)| found == term);
    let mut whole = name.to_owned();
    // No term needs more steps than there are terms, because cycles have been refused before.
    for _ in 0..=terms.len().min(64) {
        let next = match whole.split_once(':') {
            Some((prefix, local)) if !local.starts_with("//") => {
                meaning(prefix).map(|(_, iri)| format!("{iri}{local}"))
            }
            Some(_) => None,
            None => meaning(&whole).map(|(_, iri)| iri.clone()),
        };
        match next {
            Some(next) if next != whole && next.len() < 10_000 => whole = next,
            _ => break,
        }
    }
    whole
}

/// Any request gets an answer, and a refusal is a problem document.
///
/// The input is a line with the method, the path and the media type, separated by spaces. The rest is the body.
pub fn http_request(input: &[u8]) {
    let end = input.iter().position(|byte| *byte == b'\n');
    let (line, body) = input.split_at(end.unwrap_or(input.len()));
    let mut words = line.splitn(3, |byte| *byte == b' ');
    let mut word = || words.next().unwrap_or_default();
    let (method, target, media_type) = (word(), word(), word());
    let body = Bytes::copy_from_slice(body.get(1..).unwrap_or_default());
    let key = format!("epcis_0123456789ab_{}", "s".repeat(43));
    let authorization = format!("Bearer {key}");
    let bearer = Bearer::read(Some(&authorization)).expect("a key");
    let store = MemoryStore::new();
    store.put_key(Key {
        id: bearer.id().to_owned(),
        digest: bearer.digest(),
        account: ACCOUNT.to_owned(),
        observer: OBSERVER.to_owned(),
        rights: Rights { capture: true, query: true },
        readable: Readable::All,
        revoked: false,
    });
    let service =
        Service::with_store(Configuration::at("https://epcis.example.com"), Rc::new(store));
    // Without a key, then with one.
    for key in [None, Some(&authorization)] {
        let mut request =
            http::Request::builder().method(method).uri(target).header("content-type", media_type);
        if let Some(key) = key {
            request = request.header("authorization", key);
        }
        let Ok(request) = request.body(body.clone()) else {
            return;
        };
        let response = pollster::block_on(rest::respond(&service, request, &Incoming::at(0)));
        let status = response.status();
        // 501 is allowed: some features of the standard are not implemented.
        assert!(
            !status.is_server_error() || status == http::StatusCode::NOT_IMPLEMENTED,
            "{status}"
        );
        if !status.is_success() && !response.body().is_empty() {
            let body: serde_json::Value =
                serde_json::from_slice(response.body()).expect("a problem document");
            assert!(body.is_object());
        }
    }
}

/// Any bytes as a JSON document: the verdict and its errors must be those of the independent validator.
pub fn json_document(text: &[u8]) {
    static REFEREE: OnceLock<Referee> = OnceLock::new();
    let judged = Validator::default().judge(text);
    let Ok(document) = Document::read(text) else {
        assert!(judged.is_err());
        return;
    };
    let verdict = Validator::default().validate(&document);
    assert_eq!(judged.as_ref(), Ok(&verdict));
    assert_eq!(verdict.valid, verdict.errors.is_empty());
    // A longer list of errors is truncated, so it cannot be compared.
    if verdict.errors.len() < MAX_ERRORS {
        let _ = REFEREE.get_or_init(Referee::new).agree(text);
    }
}

/// Any bytes as an XML document. A refusal must have a location. A translation must be JSON that translates back, and its fidelity
/// report must be true.
pub fn xml_document(xml: &[u8]) {
    let translation = match translate(xml) {
        Ok(translation) => translation,
        Err(error) => {
            assert!(error.location().is_some(), "{error}");
            return;
        }
    };
    let document = Document::read(translation.document.as_bytes()).expect("the output is JSON");
    let report = &translation.fidelity_report;
    assert!(!report.is_round_trip_clean() || report.measured_differences() == 0);
    for version in [XmlVersion::V1_2, XmlVersion::V2_0] {
        let back = to_xml(&document, version).expect("the output has an XML form");
        translate(back.document.as_bytes()).expect("that form is read again");
    }
    if report.is_round_trip_clean() && translation.metered_events > 0 {
        let before = hash_xml(xml, Profile::Cbv20).expect("hashes of the source");
        let after = hash_document(&document, Profile::Cbv20).expect("hashes of the output");
        assert_eq!(before, after);
    }
    let service = Service::new(Configuration::at("https://epcis.example.com"));
    if let Ok(Translated::Invalid(invalid)) = service.translate(xml) {
        assert!(!invalid.errors.is_empty());
    }
}
