//! The families of the query language, tested with tables of cases over the store in memory, SQLite and PostgreSQL.
//!
//! Each file of `tests/vectors/query/families` has events to capture, and queries with the indices of the events that they find or
//! the name of the exception.
// Invariant: Each family of the query language has a table of cases that runs over every store.

use crate::support::empty_sqlite;
use crate::support::postgres::empty_postgres;
use epcis_edge_core::call::{Call, Principal};
use epcis_edge_core::error::{Error, Problem};
use epcis_edge_core::json::Document;
use epcis_edge_core::query::Query;
use epcis_edge_core::service::{AcceptedDocuments, CaptureOptions, Configuration, Service};
use epcis_edge_core::store::{MemoryStore, Store};
use epcis_edge_tests::{entries, own_vectors, read_json};
use pollster::block_on;
use serde_json::{Value, json};
use std::rc::Rc;

/// 2026-02-01T00:00:00Z
const NOW: u64 = 1_769_904_000_000;
const ACCOUNT: &str = "https://example.com/accounts/1";

fn service(store: Rc<dyn Store>) -> Service {
    Service::with_store(Configuration::at("https://epcis.example.com"), store)
}

fn call(account: &str) -> Call {
    Call::new(NOW, Principal::local(account, "https://example.com/dock"))
}

fn capture(service: &Service, document: &Value, call: &Call) {
    let options = CaptureOptions { accepted: AcceptedDocuments::All, ..CaptureOptions::default() };
    block_on(service.capture_as(document.to_string().as_bytes(), options, call)).unwrap();
}

fn document(events: &Value, header: &Value) -> Value {
    let mut document = json!({
        "@context": ["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld", {"ex": "https://ns.example.com/epcis/"}],
        "type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-02-01T00:00:00Z",
        "epcisBody": {"eventList": events},
    });
    if !header.is_null() {
        document["epcisHeader"] = json!({"epcisMasterData": {"vocabularyList": header}});
    }
    document
}

/// The events that a query finds, page by page, each mapped by `place`.
fn walk(
    service: &Service,
    query: &Value,
    call: &Call,
    place: &impl Fn(&Value) -> Value,
) -> Result<Vec<Value>, Error> {
    let mut all = Vec::new();
    let mut parameters = query.clone();
    loop {
        let text = parameters.to_string();
        let query = Query::read(Document::read(text.as_bytes())?.root())?;
        let found = block_on(service.query(&query, call))?;
        let page: Value = serde_json::from_str(&serde_json::to_string(&found).unwrap()).unwrap();
        let list = page.pointer("/epcisBody/queryResults/resultsBody/eventList");
        all.extend(list.and_then(Value::as_array).into_iter().flatten().map(place));
        match page.get("nextPageToken") {
            Some(token) => parameters["nextPageToken"] = token.clone(),
            None => return Ok(all),
        }
    }
}

fn families_find_what_they_say(service: &Service) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in entries(&own_vectors("query/families")) {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let table = read_json(&path);
        let account = format!("{ACCOUNT}/{name}");
        let call = call(&account);
        for earlier in table["masterData"].as_array().into_iter().flatten() {
            capture(service, &document(&json!([]), earlier), &call);
        }
        capture(service, &document(&table["events"], &Value::Null), &call);
        let times = table["events"].as_array().unwrap();
        let times: Vec<&Value> = times.iter().map(|event| &event["eventTime"]).collect();
        let place =
            |event: &Value| json!(times.iter().position(|time| **time == event["eventTime"]));
        for case in table["cases"].as_array().unwrap() {
            count += 1;
            let mut expected = case["finds"].clone();
            if let Some(name) = case.get("refused") {
                expected = name.clone();
            }
            assert!(!expected.is_null(), "{case}");
            // All in one page, and one event per page.
            for per_page in [30, 1] {
                let mut query = case["query"].clone();
                query["perPage"] = per_page.into();
                let mut bound = json!({"ex": "https://ns.example.com/epcis/"});
                if let Some(context) = query.get("@context").and_then(Value::as_object) {
                    bound.as_object_mut().unwrap().extend(context.clone());
                }
                query["@context"] = bound;
                let found = match walk(service, &query, &call, &place) {
                    Ok(found) => json!(found),
                    Err(error) => {
                        let problem = serde_json::to_value(Problem::from(&error)).unwrap();
                        let exception = problem["type"].as_str().unwrap();
                        json!(exception.strip_prefix("epcisException:").unwrap())
                    }
                };
                if found != expected {
                    wrong.push(format!(
                        "{name}: {}: {query} found {found}, expected {expected}",
                        case["note"]
                    ));
                }
            }
        }
    }
    assert!(count > 30, "only {count} cases");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Sorting by a field works across pages, or is refused. Events captured meanwhile are not included.
fn an_order_by_a_field_is_whole_or_refused(service: &Service) {
    let account = format!("{ACCOUNT}/many");
    let plain = call(&account);
    let mut call = plain.clone();
    let event = |number: u64| {
        json!({
            "type": "ObjectEvent", "action": "OBSERVE", "epcList": [], "eventTimeZoneOffset": "+00:00",
            "eventTime": format!("2026-01-01T00:{:02}:{:02}Z", number / 60, number % 60),
            // Each number below 61 once, unsorted.
            "ex:place": number * 17 % 61,
        })
    };
    let captured = |numbers: std::ops::Range<u64>| {
        let events: Vec<Value> = numbers.map(event).collect();
        capture(service, &document(&json!(events), &Value::Null), &plain);
    };
    captured(1..51);
    let place = |event: &Value| event["ex:place"].clone();
    let context = json!({"ex": "https://ns.example.com/epcis/"});
    let query =
        json!({"@context": context, "orderBy": "ex:place", "orderDirection": "ASC", "perPage": 7});
    let mut expected: Vec<u64> = (1..51).map(|number| number * 17 % 61).collect();
    expected.sort_unstable();
    let walked = walk(service, &query, &call, &place).unwrap();
    assert_eq!(json!(walked), json!(expected));

    // Pages limited by bytes, and events captured during the walk.
    call.limits.page_bytes = 1500;
    let first = serde_json::to_string(&query).unwrap();
    let read = Query::read(Document::read(first.as_bytes()).unwrap().root()).unwrap();
    let page = serde_json::to_string(&block_on(service.query(&read, &call)).unwrap()).unwrap();
    let page: Value = serde_json::from_str(&page).unwrap();
    let list = page.pointer("/epcisBody/queryResults/resultsBody/eventList").unwrap();
    let mut found: Vec<Value> = list.as_array().unwrap().iter().map(place).collect();
    assert!((1..7).contains(&found.len()), "{found:?}");
    captured(51..60);
    let mut rest = query.clone();
    rest["nextPageToken"] = page["nextPageToken"].clone();
    found.extend(walk(service, &rest, &call, &place).unwrap());
    assert_eq!(json!(found), json!(expected));

    // The token is valid for one order only.
    rest["orderDirection"] = "DESC".into();
    assert!(walk(service, &rest, &call, &place).is_err());
    // Without sorting by a field, a page ends when the work limit is reached, and the next page continues there.
    call.limits.scanned_bytes = 2000;
    let short = json!({"perPage": 30});
    assert_eq!(walk(service, &short, &call, &place).unwrap().len(), 59);
    for (events, bytes) in [(20, 1 << 20), (1000, 5000)] {
        call.limits.scanned_events = events;
        call.limits.scanned_bytes = bytes;
        let error = walk(service, &query, &call, &place).unwrap_err();
        let problem = serde_json::to_value(Problem::from(&error)).unwrap();
        assert_eq!(problem["type"], "epcisException:QueryTooComplexException");
        // Fewer events can be sorted.
        let mut few = query.clone();
        few["LT_eventTime"] = "2026-01-01T00:00:04Z".into();
        assert_eq!(walk(service, &few, &call, &place).unwrap(), [17, 34, 51]);
    }
}

/// Runs the suite on every store.
macro_rules! for_every_store {
    ($($name:ident)+) => {
        mod memory { $(#[test] fn $name() { super::$name(&super::service(super::Rc::new(super::MemoryStore::new()))); })+ }
        mod sqlite { $(#[test] fn $name() { super::$name(&super::service(super::empty_sqlite())); })+ }
        mod postgres { $(#[test] #[ignore = "needs PostgreSQL"] fn $name() { if let Some(store) = super::empty_postgres() { super::$name(&super::service(store)); } })+ }
    };
}

for_every_store! {
    families_find_what_they_say
    an_order_by_a_field_is_whole_or_refused
}
