//! What queries find: all pages whole, over the events of the query vectors.

use super::json::call;
use super::masks::masked;
use super::recorder::Recorder;
use super::values::{refusal, text_of};
use epcis_edge_core::call::{Call, Principal};
use epcis_edge_core::error::Error;
use epcis_edge_core::json::Document;
use epcis_edge_core::query::Query;
use epcis_edge_core::service::{AcceptedDocuments, CaptureOptions, Configuration, Service};
use epcis_edge_tests::{entries, own_vectors, read, read_json};
use pollster::block_on;
use serde_json::{Value, json};
use std::fmt::Write as _;

const CONTEXT: &str = "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld";
/// Most queries are about events that have names of this namespace.
const EXAMPLE: &str = "https://ns.example.com/epcis/";

#[test]
fn every_query() {
    let mut recorder = Recorder::new("queries", &["whole", "by_twos"]);
    let service = Service::new(Configuration::at("https://epcis.example.com"));
    capture(&service, &read(&own_vectors("query").join("events.json")), &call());
    let cases = read_json(&own_vectors("query").join("queries.json"));
    record(&mut recorder, "queries", &service, &call(), &cases, false);
    for path in entries(&own_vectors("query/families")) {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let table = read_json(&path);
        let account = format!("https://example.com/accounts/{name}");
        let call = Call::new(call().now, Principal::local(&account, &account));
        for earlier in table["masterData"].as_array().into_iter().flatten() {
            let document = document(&json!([]), earlier).to_string();
            capture(&service, document.as_bytes(), &call);
        }
        let events = document(&table["events"], &Value::Null).to_string();
        capture(&service, events.as_bytes(), &call);
        record(&mut recorder, name, &service, &call, &table["cases"], true);
    }
    assert!(recorder.count() > 150, "{}", recorder.count());
    recorder.finish();
}

fn document(events: &Value, vocabularies: &Value) -> Value {
    let mut document = json!({
        "@context": [CONTEXT, {"ex": EXAMPLE}], "type": "EPCISDocument", "schemaVersion": "2.0",
        "creationDate": "2026-02-01T00:00:00Z", "epcisBody": {"eventList": events},
    });
    if vocabularies.is_array() {
        document["epcisHeader"] = json!({"epcisMasterData": {"vocabularyList": vocabularies}});
    }
    document
}

fn capture(service: &Service, document: &[u8], call: &Call) {
    let options = CaptureOptions { accepted: AcceptedDocuments::All, ..CaptureOptions::default() };
    block_on(service.capture_as(document, options, call)).unwrap();
}

/// Records the answers to the queries of a table, each named by its place and its note.
fn record(
    recorder: &mut Recorder,
    table: &str,
    service: &Service,
    call: &Call,
    cases: &Value,
    is_bound: bool,
) {
    for (at, case) in cases.as_array().unwrap().iter().enumerate() {
        let name = format!("{table}/{at}");
        recorder.case(&name, || {
            let mut query = case["query"].clone();
            if is_bound {
                let mut bound = json!({ "ex": EXAMPLE });
                if let Some(context) = query.get("@context").and_then(Value::as_object) {
                    bound.as_object_mut().unwrap().extend(context.clone());
                }
                query["@context"] = bound;
            }
            let whole = pages(service, query.clone(), call);
            let by_twos = match query.is_object() {
                true => {
                    query["perPage"] = 2.into();
                    pages(service, query, call)
                }
                false => String::new(),
            };
            vec![whole, by_twos]
        });
    }
}

/// All pages that a query finds.
fn pages(service: &Service, mut query: Value, call: &Call) -> String {
    let mut out = String::new();
    let page = |query: &Value| -> Result<String, Error> {
        let text = query.to_string();
        let query = Query::read(Document::read(text.as_bytes())?.root())?;
        Ok(text_of(block_on(service.query(&query, call))))
    };
    loop {
        let page = match page(&query) {
            Ok(page) => page,
            Err(error) => return out + &refusal(&error),
        };
        let _ = writeln!(out, "{}", masked(&page));
        let read: Value = serde_json::from_str(&page).unwrap_or_default();
        match read.get("nextPageToken") {
            Some(token) => query["nextPageToken"] = token.clone(),
            None => return out,
        }
    }
}
