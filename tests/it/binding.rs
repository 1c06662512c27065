//! The REST binding, tested by one suite over two stores: the one in memory, and SQLite with the Worker's statements. Parts of it run
//! over PostgreSQL, too.
// Invariant: A capture and its job are one transaction through every door: no events without a job, no job without its events.

use crate::support::description::{Description, Given, OPENAPI, Promise, file};
use crate::support::empty_sqlite;
use crate::support::postgres::postgres_with;
use bytes::Bytes;
use epcis_edge_core::call::{Incoming, Readable, Rights};
use epcis_edge_core::rest;
use epcis_edge_core::service::{Configuration, Service};
use epcis_edge_core::store::{Bearer, Key, MemoryStore};
use epcis_edge_core::validate::Validator;
use epcis_edge_sql as sql;
use http::{Request, Response};
use pollster::block_on;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::future::ready;
use std::rc::Rc;

/// 2026-02-01T00:00:00Z
const NOW: u64 = 1_769_904_000_000;
const CONTEXT: &str = "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld";
const JSON: (&str, &str) = ("content-type", "application/json");
const XML: (&str, &str) = ("content-type", "application/xml");

/// A gateway with two accounts and the callers' keys.
struct Gateway {
    service: Service,
    now: Cell<u64>,
    /// Whether the rate limit admits another call.
    admits: Cell<bool>,
}

thread_local! {
    /// The OpenAPI description of the gateway, and which of its promises this thread has seen kept.
    static DESCRIPTION: Description = Description::read(OPENAPI);
    static KEPT: RefCell<BTreeSet<Promise>> = const { RefCell::new(BTreeSet::new()) };
}

/// The API key with this letter. `a` and `b` have both rights, each for its own account. For account `a`, `c` may only capture, `d`
/// may only query, and `f` is revoked.
fn key_of(name: char) -> String {
    format!("epcis_00000000000{name}_{}", name.to_string().repeat(43))
}

fn keys() -> Vec<Key> {
    let key = |name: char, account: &str, capture, query| {
        let authorization = format!("Bearer {}", key_of(name));
        let bearer = Bearer::read(Some(&authorization)).unwrap();
        let account = format!("https://example.com/accounts/{account}");
        Key {
            id: bearer.id().to_owned(),
            digest: bearer.digest(),
            account: account.clone(),
            observer: "https://id.gs1.org/417/9521141000009".to_owned(),
            rights: Rights { capture, query },
            readable: Readable::Accounts([account].into()),
            revoked: name == 'f',
        }
    };
    let reads_both = Key {
        readable: Readable::Accounts(
            ["a", "b"].map(|name| format!("https://example.com/accounts/{name}")).into(),
        ),
        ..key('e', "a", true, true)
    };
    vec![
        reads_both,
        key('a', "a", true, true),
        key('b', "b", true, true),
        key('c', "a", true, false),
        key('d', "a", false, true),
        key('f', "a", true, true),
    ]
}

fn configuration() -> Configuration {
    Configuration::at("https://epcis.example.com")
}

fn memory() -> Gateway {
    let store = MemoryStore::new();
    for key in keys() {
        store.put_key(key);
    }
    gateway(Service::with_store(configuration(), Rc::new(store)))
}

fn sqlite() -> Gateway {
    let store = empty_sqlite();
    for statement in with_keys() {
        store.database().named(&statement).unwrap();
    }
    gateway(Service::with_store(configuration(), store))
}

/// `None` where PostgreSQL is not installed, which is reported.
fn postgres() -> Option<Gateway> {
    let store = postgres_with(with_keys())?;
    Some(gateway(Service::with_store(configuration(), store)))
}

/// The statements that store the keys.
fn with_keys() -> Vec<sql::Statement> {
    let statement = |key: Key| {
        let digest: String = key.digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let revoked = if key.revoked { "'2026-01-02T00:00:00Z'" } else { "NULL" };
        let text = format!(
            "INSERT INTO keys (id, digest, account, observer, can_capture, can_query, readable, note, created_at, revoked_at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, '', '2026-01-01T00:00:00Z', {revoked})"
        );
        let readable = match &key.readable {
            Readable::All => "*".to_owned(),
            Readable::Accounts(accounts) => json!(accounts).to_string(),
        };
        let texts = [&key.id, &digest, &key.account, &key.observer];
        let mut values: Vec<_> = texts.map(|text| sql::Value::Text(text.clone())).into();
        let rights = [key.rights.capture, key.rights.query];
        values.extend(rights.map(|right| sql::Value::Integer(right.into())));
        values.push(sql::Value::Text(readable));
        sql::Statement { text, values }
    };
    keys().into_iter().map(statement).collect()
}

fn gateway(service: Service) -> Gateway {
    Gateway { service, now: Cell::new(NOW), admits: Cell::new(true) }
}

/// An answer with its parsed body.
struct Answer {
    status: u16,
    response: Response<Bytes>,
    body: Value,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        let value = self.response.headers().get(name)?;
        Some(value.to_str().unwrap())
    }

    fn text(&self) -> String {
        String::from_utf8(self.response.body().to_vec()).unwrap()
    }

    fn events(&self) -> Vec<Value> {
        let list = self.body.pointer("/epcisBody/queryResults/resultsBody/eventList");
        list.unwrap_or_else(|| panic!("{}", self.body)).as_array().unwrap().clone()
    }

    fn members(&self) -> Vec<String> {
        assert_eq!(self.body["type"], "Collection", "{}", self.body);
        serde_json::from_value(self.body["member"].clone()).unwrap()
    }

    /// The address of the next page.
    fn next(&self) -> Option<String> {
        let link = self.header("link")?;
        assert!(self.header("gs1-next-page-token-expires").is_some());
        let address = link.strip_prefix('<').unwrap();
        let address = address.strip_suffix(">; rel=\"next\"").unwrap();
        assert!(!address.contains(['<', '>']));
        Some(address.to_owned())
    }

    /// Asserts that one of the errors is at this path.
    #[track_caller]
    fn names(&self, path: &str) {
        let errors = self.body["errors"].as_array().unwrap();
        assert!(errors.iter().any(|error| error["path"] == path), "{}", self.body);
    }

    #[track_caller]
    fn is_problem(&self, exception: &str, status: u16) -> &Self {
        let found = (self.body["type"].as_str(), self.status);
        let expected = format!("epcisException:{exception}");
        assert_eq!(found, (Some(expected.as_str()), status), "{}", self.body);
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        assert!(self.body["title"].is_string() && self.body["status"] == status);
        self
    }
}

impl Gateway {
    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Bytes::from(body.to_owned())).unwrap();
        let admit = || Box::pin(ready(self.admits.get())) as _;
        let visit = Incoming { now: self.now.get(), admit: &admit, description: &file };
        let response = block_on(rest::respond(&self.service, request, &visit));
        let answer = Answer {
            status: response.status().as_u16(),
            body: serde_json::from_slice(response.body()).unwrap_or_default(),
            response,
        };
        let given = Given {
            method,
            target: path,
            status: answer.status,
            content_type: answer.header("content-type"),
            headers: answer.response.headers().keys().map(ToString::to_string).collect(),
            body: Some(&answer.body).filter(|_| method != "HEAD"),
        };
        let kept = DESCRIPTION.with(|description| description.check(&given));
        let kept = kept.unwrap_or_else(|wrong| panic!("{wrong}\n{}", answer.text()));
        KEPT.with(|all| all.borrow_mut().extend(kept));
        answer
    }

    fn keyed(
        &self,
        name: char,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let authorization = format!("Bearer {}", key_of(name));
        let mut all = vec![("authorization", authorization.as_str())];
        all.extend(headers);
        self.send(method, path, &all, body)
    }

    fn get(&self, path: &str) -> Answer {
        self.keyed('a', "GET", path, &[], "")
    }

    fn post(&self, path: &str, body: &Value) -> Answer {
        self.keyed('a', "POST", path, &[JSON], &body.to_string())
    }

    /// Captures a document that must be accepted. Returns its job.
    #[track_caller]
    fn capture(&self, events: &[Value]) -> Value {
        let answer = self.post("/capture", &document(events));
        assert_eq!(answer.status, 202, "{}", answer.body);
        assert!(answer.response.body().is_empty());
        let job = self.get(answer.header("location").unwrap());
        assert_eq!(job.status, 200, "{}", job.body);
        job.body
    }

    /// All events at an address, page by page, following the links as clients do.
    fn walk(&self, path: &str) -> Vec<Value> {
        let mut events = Vec::new();
        let mut next = Some(path.to_owned());
        while let Some(path) = next {
            let page = self.get(&path);
            assert_eq!(page.status, 200, "{path}: {}", page.body);
            events.extend(page.events());
            next = page.next();
        }
        events
    }
}

fn event(epc: &str) -> Value {
    json!({
        "@context": [CONTEXT], "type": "ObjectEvent", "action": "OBSERVE", "epcList": [epc],
        "eventTime": "2026-01-01T00:00:00.000Z", "eventTimeZoneOffset": "+00:00",
    })
}

fn numbered(count: usize) -> Vec<Value> {
    let epc = |number| event(&format!("urn:epc:id:sgtin:0614141.112345.{number}"));
    (1..=count).map(epc).collect()
}

fn with(mut event: Value, more: Value) -> Value {
    for (name, value) in more.as_object().unwrap() {
        event[name] = value.clone();
    }
    event
}

fn document(events: &[Value]) -> Value {
    json!({
        "@context": [CONTEXT], "type": "EPCISDocument", "schemaVersion": "2.0",
        "creationDate": "2026-02-01T00:00:00Z", "epcisBody": {"eventList": events},
    })
}

fn epcs(events: &[Value]) -> Vec<&str> {
    let epc = |event: &'_ Value| event["epcList"][0].as_str().map(str::len);
    assert!(events.iter().all(|event| epc(event).is_some()));
    events.iter().map(|event| event["epcList"][0].as_str().unwrap()).collect()
}

macro_rules! for_every_store {
    ($($name:ident)+) => {
        mod in_memory { $(#[test] fn $name() { super::$name(super::memory()); })+ }
        /// Runs all tests in one thread, so that the promises they keep are recorded together.
        fn everything() { $($name(memory());)+ }
        mod in_sqlite { $(#[test] fn $name() { super::$name(super::sqlite()); })+ }
        mod in_postgres { $(#[test] #[ignore = "needs PostgreSQL"] fn $name() { super::postgres().into_iter().for_each(super::$name); })+ }
    };
}

for_every_store! {
    a_capture_is_answered_with_a_finished_job
    what_cannot_be_captured_is_refused_with_places
    documents_without_events_and_answers_are_taken
    duplicates_are_named_by_the_job
    a_job_counts_what_it_does_not_list
    jobs_are_listed_newest_first
    one_event_is_captured_once
    what_is_valid_is_stored_where_that_is_asked_for
    xml_is_captured_and_answered
    xml_answers_tell_what_is_lost
    pages_are_followed_as_every_client_does
    tokens_serve_one_query_one_key_and_a_day
    headers_that_cannot_be_met_are_refused
    keys_are_shown_in_four_ways
    the_demo_stays_for_whoever_shows_no_key
    parameters_are_refused_by_name
    paths_name_values_in_any_spelling
    collections_list_what_is_in_scope
    master_data_comes_without_events
    queries_have_names
    subscriptions_are_there_and_not_served
    discovery_needs_no_key
    identifiers_are_spelt_as_asked
    lists_are_spelt_as_asked
    what_is_not_there_has_the_exception_of_its_kind
    lists_of_one_page_take_the_parameters_of_pages
    what_is_empty_does_not_exist
    foreign_things_are_absent
    limits_are_announced_and_kept
    the_tree_stands_under_a_prefix_too
    a_capture_through_the_agent_door_has_a_job
    items_are_followed
    items_are_reported
    master_data_is_looked_up
}

fn a_capture_is_answered_with_a_finished_job(gateway: Gateway) {
    let answer = gateway.post("/capture", &document(&numbered(3)));
    assert_eq!(answer.status, 202, "{}", answer.body);
    let location = answer.header("location").unwrap().to_owned();
    assert!(location.starts_with("/capture/c-"));
    let job = gateway.get(&location).body;
    assert_eq!(job["captureID"].as_str(), location.rsplit('/').next());
    assert_eq!(job["createdAt"], "2026-02-01T00:00:00.000Z");
    assert_eq!(
        (&job["running"], &job["success"], &job["errors"]),
        (&json!(false), &json!(true), &json!([]))
    );
    assert_eq!(job["captureErrorBehaviour"], "rollback");
    let found = gateway.walk("/events");
    let names: Vec<_> = found.iter().map(|event| event["eventID"].clone()).collect();
    assert_eq!(job["epcisEdge:eventIDs"], json!(names));
    assert!(found.iter().all(|event| event["recordTime"].is_string()));
    let page = gateway.get("/events");
    assert_eq!(page.body["type"], "EPCISQueryDocument");
    assert!(page.body["@context"].is_array());
    let text = page.text();
    let verdict = Validator::new()
        .unwrap()
        .validate(&epcis_edge_core::json::Document::read(text.as_bytes()).unwrap());
    assert!(verdict.valid, "{:?}", verdict.errors);
    assert_eq!(page.header("gs1-epc-format"), Some("Never_Translates"));
    assert_eq!(page.header("cache-control"), Some("no-store"));
}

fn what_cannot_be_captured_is_refused_with_places(gateway: Gateway) {
    let bad = with(event("urn:x:1"), json!({"action": "LOOK"}));
    let answer = gateway.post("/capture", &document(&[event("urn:x:0"), bad]));
    answer.is_problem("ValidationException", 400);
    answer.names("/epcisBody/eventList/1/action");
    let send = |headers: &[(&str, &str)], body: &str| {
        gateway.keyed('a', "POST", "/capture", headers, body)
    };
    send(&[JSON], "{").is_problem("ValidationException", 400);
    send(&[JSON], "[]").is_problem("ValidationException", 400);
    send(&[JSON], r#"{"type":"EPCISDocument"}"#).is_problem("ValidationException", 400);
    send(&[], "{}").is_problem("UnsupportedMediaTypeException", 415);
    send(&[("content-type", "text/plain")], "{}").is_problem("UnsupportedMediaTypeException", 415);
    send(&[JSON, ("content-encoding", "gzip")], "{}")
        .is_problem("UnsupportedMediaTypeException", 415);
    send(&[XML], "<a/>").is_problem("ValidationException", 400);
    gateway
        .keyed('a', "POST", "/capture?dryRun=true", &[JSON], "{}")
        .is_problem("QueryParameterException", 400);
    assert!(gateway.walk("/events").is_empty());
    assert_eq!(gateway.get("/capture").body, json!([]));
    // Repeated names are refused, because evidence must be unambiguous.
    let twice = document(&[event("urn:x:1")])
        .to_string()
        .replace(r#""action""#, r#""action":"ADD","action""#);
    let refused = send(&[JSON], &twice);
    refused.is_problem("ValidationException", 400);
    assert_eq!(refused.body["errors"][0]["keyword"], "uniqueNames");
}

fn documents_without_events_and_answers_are_taken(gateway: Gateway) {
    let job = gateway.capture(&[]);
    assert_eq!((&job["success"], &job["epcisEdge:eventCount"]), (&json!(true), &json!(0)));
    gateway.capture(&numbered(2));
    // A gateway accepts what another one answers. Here it is the same gateway, so all events are duplicates.
    let answer = gateway.get("/events").body;
    assert!(answer["epcisBody"]["queryResults"].is_object());
    let taken = gateway.post("/capture", &answer);
    assert_eq!(taken.status, 202, "{}", taken.body);
    let job = gateway.get(taken.header("location").unwrap()).body;
    assert_eq!(job["epcisEdge:duplicateCount"], 2);
    let mut wrong = answer.clone();
    wrong["epcisBody"]["queryResults"]["resultsBody"]["eventList"][1]["action"] = "LOOK".into();
    let refused = gateway.post("/capture", &wrong);
    refused.is_problem("ValidationException", 400);
    refused.names("/epcisBody/queryResults/resultsBody/eventList/1/action");
    let nothing = gateway.get("/events?EQ_bizStep=shipping").body;
    assert_eq!(gateway.post("/capture", &nothing).status, 202);
    // Bare events are accepted too.
    assert_eq!(gateway.post("/capture", &event("urn:x:bare")).status, 202);
    let many = json!([event("urn:x:array")]);
    assert_eq!(gateway.post("/capture", &many).status, 202);
    assert_eq!(gateway.walk("/events").len(), 4);
}

fn duplicates_are_named_by_the_job(gateway: Gateway) {
    let events = numbered(3);
    let first = gateway.capture(&events);
    let mut more = events.clone();
    more.insert(1, event("urn:x:new"));
    more.push(event("urn:x:new"));
    let second = gateway.capture(&more);
    assert_eq!(second["epcisEdge:eventCount"], 5);
    assert_eq!(second["epcisEdge:duplicateCount"], 4);
    let stored = second["epcisEdge:eventIDs"].as_array().unwrap();
    assert_eq!(stored.len(), 1);
    let mut duplicates = first["epcisEdge:eventIDs"].as_array().unwrap().clone();
    duplicates.push(stored[0].clone());
    assert_eq!(second["epcisEdge:duplicates"], json!(duplicates));
    // A later job does not change an earlier one.
    let path = format!("/capture/{}", first["captureID"].as_str().unwrap());
    assert_eq!(gateway.get(&path).body, first);
}

/// With 1001 findings of each kind, a job lists the first ones and counts all of them.
fn a_job_counts_what_it_does_not_list(gateway: Gateway) {
    let one = |number: usize, name: &str, more: Value| {
        let named = with(event(&format!("urn:x:{number}")), json!({"eventID": name}));
        with(named, more)
    };
    let name =
        |first: char, number: usize| format!("urn:uuid:{first}0000000-0000-4000-8000-{number:012}");
    let long = "https://example.com/".to_owned() + &"x".repeat(2000);
    let first = (0..1001).map(|n| {
        let what = match n {
            1 => json!({"certificationInfo": &long}),
            2 => json!({"certificationInfo": "https://example.com/2"}),
            _ => json!({}),
        };
        one(n, &name('a', n), what)
    });
    gateway.capture(&first.collect::<Vec<_>>());
    let again = (0..1001).map(|n| {
        let what = if n == 0 { &long } else { "https://example.com/1" };
        one(n, &name('b', n), json!({"certificationInfo": what}))
    });
    let job = gateway.capture(&again.collect::<Vec<_>>());
    for list in ["aliases", "differs"] {
        let listed = job[format!("epcisEdge:{list}")].as_array().unwrap().len();
        assert!(listed > 10 && listed < 1001, "{list}: {listed}");
    }
    assert_eq!(job["epcisEdge:aliasesCount"], 1001);
    assert_eq!(job["epcisEdge:notComparedCount"], 1);
    let differs = |n: usize| &job["epcisEdge:differs"][n]["differs"][0];
    assert_eq!(differs(0)["sentBytes"], 2022);
    assert_eq!(differs(1)["storedBytes"], 2022);
    assert_eq!(differs(2)["stored"], "https://example.com/2");
    let hash = |number: usize| format!("ni:///sha-256;{number:064}?ver=CBV2.0");
    let unproven = (0..1001).map(|n| one(n, &hash(n), json!({"bizStep": "packing"})));
    let job = gateway.capture(&unproven.collect::<Vec<_>>());
    assert_eq!(job["epcisEdge:unverifiedCount"], 1001);
    // A long list of translation notes is replaced by its count.
    for (count, lists) in [(2, true), (1001, false)] {
        let typed = |n| format!("<x:a{n} xmlns:x='https://x.example/' unit='m'>1</x:a{n}>");
        let typed: String = (0..count).map(typed).collect();
        let xml = XML_DOCUMENT.replace("</ObjectEvent>", &format!("{typed}</ObjectEvent>"));
        let answer = gateway.keyed('a', "POST", "/capture", &[XML], &xml);
        assert_eq!(answer.status, 202, "{}", answer.body);
        let job = gateway.get(answer.header("location").unwrap()).body;
        let report = &job["epcisEdge:fidelityReport"];
        let listed = report["noteList"].as_array().unwrap().len();
        assert_eq!(listed > 0, lists, "{report}");
    }
}

fn jobs_are_listed_newest_first(gateway: Gateway) {
    let ids: Vec<Value> = (1..=5)
        .map(|number| {
            gateway.now.set(NOW + number);
            gateway.capture(&[event(&format!("urn:x:{number}"))])["captureID"].clone()
        })
        .collect();
    let mut found: Vec<Value> = Vec::new();
    let mut next = Some("/capture?perPage=2".to_owned());
    let mut pages = 0;
    while let Some(path) = next {
        let page = gateway.get(&path);
        assert_eq!(page.status, 200, "{}", page.body);
        let jobs = page.body.as_array().unwrap();
        found.extend(jobs.iter().map(|job| job["captureID"].clone()));
        next = page.next().map(|path| format!("{path}&perPage=2"));
        pages += 1;
    }
    assert_eq!(pages, 3);
    let newest_first: Vec<_> = ids.into_iter().rev().collect();
    assert_eq!(found, newest_first);
    // HTML forms send an empty token.
    assert_eq!(gateway.get("/capture?nextPageToken=&perPage=1").status, 200);
    for bad in ["perPage=0", "perPage=x", "perPage=1&perPage=2", "nextPageToken=x", "x=1"] {
        let refused = gateway.get(&format!("/capture?{bad}"));
        refused.is_problem("QueryParameterException", 400);
    }
    gateway.keyed('d', "GET", "/capture", &[], "").is_problem("SecurityException", 403);
}

fn one_event_is_captured_once(gateway: Gateway) {
    let sent = with(event("urn:x:1"), json!({"eventID": "urn:uuid:1"}));
    let answer = gateway.post("/events", &sent);
    assert_eq!(answer.status, 201, "{}", answer.body);
    assert_eq!(answer.header("location"), Some("/events/urn%3Auuid%3A1"));
    assert_eq!(answer.body["eventID"], "urn:uuid:1");
    assert!(answer.body["recordTime"].is_string());
    let again = gateway.post("/events", &sent);
    again.is_problem("ResourceAlreadyExistsException", 409);
    let stored = "https://epcis.example.com/events/urn%3Auuid%3A1";
    assert_eq!(again.body["instance"], stored);
    // The eventID is already used, whatever the content.
    let other = with(event("urn:x:2"), json!({"eventID": "urn:uuid:1"}));
    let taken = gateway.post("/events", &other);
    taken.is_problem("ResourceAlreadyExistsException", 409);
    assert_eq!(taken.body["instance"], stored);
    // A second eventID also finds the event. Differences in other members are reported.
    let renamed = with(event("urn:x:1"), json!({"eventID": "urn:uuid:2"}));
    let answer = gateway.post("/events", &renamed);
    assert_eq!(answer.status, 201, "{}", answer.body);
    assert_eq!(answer.header("location"), Some("/events/urn%3Auuid%3A2"));
    assert_eq!(answer.body["eventID"], "urn:uuid:1");
    let by_name = gateway.get("/events/urn%3Auuid%3A2");
    assert_eq!(by_name.events(), std::slice::from_ref(&answer.body));
    let certified = with(renamed, json!({"certificationInfo": "https://example.com/1"}));
    let refused = gateway.post("/events", &certified);
    refused.is_problem("ResourceAlreadyExistsException", 409);
    let second = "https://epcis.example.com/events/urn%3Auuid%3A2";
    assert_eq!(refused.body["instance"], second);
    assert_eq!(refused.body["errors"][0]["path"], "/certificationInfo");
    assert_eq!(refused.body["errors"][0]["keyword"], "differs");
    // Another account may use the same eventID.
    let foreign = gateway.keyed('b', "POST", "/events", &[JSON], &other.to_string());
    assert_eq!(foreign.status, 201, "{}", foreign.body);
    // An error declaration is a new record with the same eventID.
    let declared = json!({"errorDeclaration": {"declarationTime": "2026-01-02T00:00:00Z"}});
    let declaration = gateway.post("/events", &with(sent.clone(), declared));
    assert_eq!(declaration.status, 201, "{}", declaration.body);
    let both = gateway.get("/events/urn%3Auuid%3A1");
    assert_eq!(both.events().len(), 2);
    assert!(both.next().is_none());
    // An event without an eventID gets its hash as eventID, which a path contains percent-encoded.
    let unnamed = gateway.post("/events", &event("urn:x:3"));
    assert_eq!(unnamed.status, 201, "{}", unnamed.body);
    let location = unnamed.header("location").unwrap();
    assert!(location.starts_with("/events/ni%3A%2F%2F%2Fsha-256%3B"));
    assert_eq!(gateway.get(location).events()[0], unnamed.body);
    for wrong in [document(&[event("urn:x:9")]), json!([event("urn:x:9")]), json!({}), json!(1)] {
        gateway.post("/events", &wrong).is_problem("ValidationException", 400);
    }
    gateway
        .keyed('d', "POST", "/events", &[JSON], &sent.to_string())
        .is_problem("SecurityException", 403);
    gateway
        .keyed('a', "POST", "/events", &[XML], "<ObjectEvent/>")
        .is_problem("UnsupportedMediaTypeException", 415);
    // The hash in the path is not encoded, so it is cut at its question mark.
    let id = unnamed.body["eventID"].as_str().unwrap();
    let hint = gateway.get(&format!("/events/{id}"));
    hint.is_problem("NoSuchResourceException", 404);
    assert!(hint.body["detail"].as_str().unwrap().contains("%3F"));
    let greedy = gateway.get(&format!("/events/{}", id.replace('?', "%3F")));
    assert_eq!(greedy.events().len(), 1);
}

fn what_is_valid_is_stored_where_that_is_asked_for(gateway: Gateway) {
    let mut events = numbered(200);
    events[150]["action"] = "LOOK".into();
    events[7]["eventID"] = "urn:uuid:7".into();
    events[5]["eventID"] = "urn:uuid:7".into();
    let text = document(&events).to_string();
    let proceed = [JSON, ("gs1-capture-error-behaviour", "proceed")];
    let rollback = [JSON, ("gs1-capture-error-behaviour", "rollback")];
    let refused = gateway.keyed('a', "POST", "/capture", &rollback, &text);
    refused.is_problem("ValidationException", 400);
    assert!(gateway.walk("/events").is_empty());
    let answer = gateway.keyed('a', "POST", "/capture", &proceed, &text);
    assert_eq!(answer.status, 202, "{}", answer.body);
    let job = gateway.get(answer.header("location").unwrap()).body;
    assert_eq!(
        (&job["running"], &job["success"], &job["captureErrorBehaviour"]),
        (&json!(false), &json!(false), &json!("proceed"))
    );
    let places: Vec<_> = job["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| error["errors"].as_array().unwrap().last().unwrap()["path"].clone())
        .collect();
    let expected = ["/epcisBody/eventList/7/eventID", "/epcisBody/eventList/150/action"];
    assert_eq!(json!(places), json!(expected));
    assert_eq!(job["epcisEdge:eventCount"], 198);
    let found = gateway.walk("/events?perPage=1000");
    assert_eq!(found.len(), 198);
    // A valid document also succeeds with `proceed`.
    let good = gateway.keyed(
        'a',
        "POST",
        "/capture",
        &proceed,
        &document(&[event("urn:x:1")]).to_string(),
    );
    let job = gateway.get(good.header("location").unwrap()).body;
    assert_eq!(job["success"], true);
    // `proceed` skips faulty events, but not errors outside the events, nor a document without any valid event.
    let mut around = document(&events);
    around["schemaVersion"] = 2.into();
    let mut nothing = document(&events[150..151]);
    nothing["epcisBody"]["eventList"][0]["epcList"] = 1.into();
    let mut context = document(&events);
    context["@context"] = json!([CONTEXT, "https://unknown.example/context"]);
    for wrong in [around, nothing, context, json!({"type": "EPCISDocument"})] {
        let text = wrong.to_string();
        gateway
            .keyed('a', "POST", "/capture", &proceed, &text)
            .is_problem("ValidationException", 400);
    }
    for unknown in ["all", "Rollback", ""] {
        let headers = [JSON, ("gs1-capture-error-behaviour", unknown)];
        gateway
            .keyed('a', "POST", "/capture", &headers, &text)
            .is_problem("NotAcceptableException", 406);
    }
    // The eventID of a declaration whose original is not stored is unverified, and the job says so.
    let original = event("urn:x:declared");
    let stored = gateway.capture(std::slice::from_ref(&original));
    let name = stored["epcisEdge:eventIDs"][0].clone();
    let declaration = |epc: &str| {
        let error = json!({"declarationTime": "2026-01-02T00:00:00Z"});
        with(event(epc), json!({"eventID": name, "errorDeclaration": error}))
    };
    let both = [declaration("urn:x:other"), declaration("urn:x:declared"), event("urn:x:last")];
    let text = document(&both).to_string();
    let answer = gateway.keyed('a', "POST", "/capture", &proceed, &text);
    let job = gateway.get(answer.header("location").unwrap()).body;
    assert_eq!(job["epcisEdge:eventCount"], 3, "{job}");
    let unverified = job["epcisEdge:unverified"].as_array().unwrap();
    assert_eq!(unverified.len(), 1, "{job}");
    assert_eq!(unverified[0]["path"], "/epcisBody/eventList/0/eventID");
    assert_eq!(unverified[0]["eventID"], name);
}

const XML_DOCUMENT: &str = r#"<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:1" schemaVersion="1.2" creationDate="2026-01-01T00:00:00Z">
<EPCISBody><EventList><ObjectEvent><eventTime>2026-01-01T00:00:00.000Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>
<epcList><epc>urn:epc:id:sgtin:0614141.112345.400</epc></epcList><action>OBSERVE</action>
<bizStep>urn:epcglobal:cbv:bizstep:shipping</bizStep></ObjectEvent></EventList></EPCISBody></epcis:EPCISDocument>"#;

fn xml_is_captured_and_answered(gateway: Gateway) {
    for media_type in ["application/xml", "text/xml; charset=utf-8"] {
        let headers = [("content-type", media_type), ("gs1-epcis-version", "1.2")];
        let answer = gateway.keyed('a', "POST", "/capture", &headers, XML_DOCUMENT);
        assert_eq!(answer.status, 202, "{}", answer.body);
        let job = gateway.get(answer.header("location").unwrap()).body;
        assert_eq!(job["epcisEdge:fidelityReport"]["roundTripClean"], true);
    }
    let found = gateway.walk("/events?EQ_bizStep=shipping");
    assert_eq!(found.len(), 1);
    let xml = gateway.keyed('a', "GET", "/events", &[("accept", "application/xml")], "");
    assert_eq!(xml.status, 200);
    assert!(xml.header("content-type").unwrap().starts_with("application/xml"));
    assert!(xml.header("spine-translation-fidelity").is_some());
    let text = xml.text();
    assert!(text.contains("EPCISQueryDocument"), "{text}");
    assert!(text.contains("urn:epcglobal:cbv:bizstep:shipping"), "{text}");
    assert!(text.contains("<recordTime>"), "{text}");
    // XML answers can be captured as XML.
    let taken = gateway.keyed('a', "POST", "/capture", &[XML], &text);
    assert_eq!(taken.status, 202, "{}", taken.body);
    let invalid = XML_DOCUMENT.replace("OBSERVE", "LOOK");
    let refused = gateway.keyed('a', "POST", "/capture", &[XML], &invalid);
    refused.is_problem("ValidationException", 400);
    assert!(refused.body["fidelityReport"].is_object());
    assert!(refused.body["errors"][0]["source"]["line"].is_number());
    let no_range = [JSON, ("gs1-epcis-version", "1.2")];
    gateway
        .keyed('a', "POST", "/capture", &no_range, "{}")
        .is_problem("NotAcceptableException", 406);
    let one = gateway.keyed(
        'a',
        "POST",
        "/events",
        &[JSON, ("accept", "text/xml")],
        &event("urn:x:1").to_string(),
    );
    assert_eq!(one.status, 201);
    assert!(one.text().contains("<ObjectEvent"), "{}", one.text());
}

fn xml_answers_tell_what_is_lost(gateway: Gateway) {
    let context = json!([CONTEXT, {"x": "https://x.example/", "step": "https://steps.example/", "unused": "https://u.example/"}]);
    let extended = with(
        event("urn:x:1"),
        json!({"@context": context, "x:lot": "7", "x:inner": {"x:a": ["1", "2"]}, "bizStep": "step:weighing"}),
    );
    gateway.capture(&[event("urn:x:0"), extended]);
    gateway.capture(&[event("urn:x:2")]);
    let xml = |path: &str| {
        let answer = gateway.keyed('a', "GET", path, &[("accept", "application/xml")], "");
        assert_eq!(answer.status, 200, "{}", answer.body);
        let header = |name| answer.header(name).unwrap().to_owned();
        let told = [header("spine-translation-fidelity"), header("spine-translation-lossy-paths")];
        (answer.text(), told)
    };
    // Every event and every stamp comes back, with any prefix.
    let expanded = |events: Vec<Value>, outer: &Value| -> Vec<Value> {
        let mut prefixes: Vec<(String, String)> = Vec::new();
        let learn = |context: &Value, prefixes: &mut Vec<(String, String)>| {
            for entry in context.as_array().into_iter().flatten() {
                for (name, value) in entry.as_object().into_iter().flatten() {
                    let uri = value.as_str().or_else(|| value["@id"].as_str()).unwrap();
                    prefixes.push((format!("{name}:"), uri.to_owned()));
                }
            }
        };
        learn(outer, &mut prefixes);
        let spelt_out = |mut event: Value| {
            let mut prefixes = prefixes.clone();
            let own = event.as_object_mut().unwrap().remove("@context");
            learn(&own.unwrap_or_default(), &mut prefixes);
            let mut text = event.to_string();
            for (prefix, uri) in &prefixes {
                text = text.replace(&format!("\"{prefix}"), &format!("\"{uri}"));
            }
            serde_json::from_str(&text).unwrap()
        };
        events.into_iter().map(spelt_out).collect()
    };
    let stored = expanded(gateway.get("/events").events(), &Value::Null);
    assert!(stored.iter().all(|event| {
        let stamps =
            ["who", "capturedBy"].map(|name| format!("https://epcis.example.com/ns/spine/{name}"));
        stamps.iter().all(|stamp| event[stamp].is_string()) && event["recordTime"].is_string()
    }));
    let (text, told) = xml("/events");
    assert_eq!(told, ["round-trip-clean", "0"], "{text}");
    let back = epcis_edge_core::translate::translate(text.as_bytes()).unwrap();
    assert!(back.fidelity_report.is_round_trip_clean());
    let back: Value = serde_json::from_str(&back.document).unwrap();
    let list = back["epcisBody"]["queryResults"]["resultsBody"]["eventList"].as_array().unwrap();
    assert_eq!(expanded(list.clone(), &back["@context"]), stored);
    // A single event, and the answer to its capture.
    let one = stored[1]["eventID"].as_str().unwrap().replace('?', "%3F");
    assert_eq!(xml(&format!("/events/{one}")).1, ["round-trip-clean", "0"]);
    let made = gateway.keyed(
        'a',
        "POST",
        "/events",
        &[JSON, ("accept", "text/xml")],
        &event("urn:x:3").to_string(),
    );
    assert_eq!(made.header("spine-translation-fidelity"), Some("round-trip-clean"));
    assert!(made.text().contains(":who"), "{}", made.text());
    // Numbers and booleans become texts. A `@vocab` and the context of an inner object have no XML form. Each counts as one loss.
    let context = json!([CONTEXT, {"x": "https://x.example/", "@vocab": "https://v.example/"}]);
    let lossy = with(
        event("urn:x:4"),
        json!({"@context": context, "bizStep": "shipping", "x:number": 7, "x:flag": [true, "a"], "x:text": "7"}),
    );
    gateway.capture(&[lossy]);
    assert_eq!(xml("/events?EQ_bizStep=shipping").1, ["lossy", "3"]);
    assert_eq!(xml("/events?MATCH_epc=urn:x:0").1, ["round-trip-clean", "0"]);
    // All losses are counted, even 20,000.
    let numbers: Vec<u32> = (0..20_000).collect();
    let context = json!([CONTEXT, {"x": "https://x.example/"}]);
    let more =
        json!({"@context": context, "bizStep": "packing", "x:a-name-of-some-length": numbers});
    gateway.capture(&[with(event("urn:x:5"), more)]);
    assert_eq!(xml("/events?EQ_bizStep=packing").1, ["lossy", "20000"]);
}

fn pages_are_followed_as_every_client_does(gateway: Gateway) {
    gateway.capture(&numbered(25));
    let expected = gateway.walk("/events");
    assert_eq!(expected.len(), 25);
    // The standard's form, which capture checkers also expect.
    let first = gateway.get("/events?perPage=10&EQ_action=OBSERVE");
    let link = first.header("link").unwrap();
    let (address, rest) = link.split_at(link.find('>').unwrap());
    assert_eq!(rest, ">; rel=\"next\"");
    let token = address.strip_prefix("</events?nextPageToken=").unwrap();
    assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
    assert_eq!(gateway.walk("/events?perPage=10&EQ_action=OBSERVE"), expected);
    // OpenEPCIS takes the text between the brackets, deletes `/events?` and splits at `=`. It stops when there is no header.
    let mut found = first.events();
    let mut page = first;
    while let Some(link) = page.header("link") {
        let inside = link.split(['<', '>']).nth(1).unwrap().to_owned();
        let parts: Vec<_> = inside.split("/events?").nth(1).unwrap().split('=').collect();
        assert_eq!(parts.len(), 2);
        page = gateway.get(&format!("/events?{}={}", parts[0], parts[1]));
        found.extend(page.events());
    }
    assert_eq!(found, expected);
    // FasTnT appends the token to the address it requested first.
    let asked = "/events?perPage=10&EQ_action=OBSERVE";
    let mut page = gateway.get(asked);
    let mut found = page.events();
    while let Some(next) = page.next() {
        let token = next.split_once("nextPageToken=").unwrap().1;
        page = gateway.get(&format!("{asked}&nextPageToken={token}"));
        found.extend(page.events());
    }
    assert_eq!(found, expected);
    // Paging also works for the events of a path value and of a named query.
    let named = json!({"name": "all", "query": {"EQ_action": ["OBSERVE"]}});
    assert_eq!(gateway.post("/queries", &named).status, 201);
    for path in [
        "/eventTypes/ObjectEvent/events?perPage=7",
        "/epcs/urn:epc:idpat:sgtin:0614141.112345.*/events?perPage=7&GE_eventTime=2020-01-01T00:00:00Z",
        "/queries/all/events?perPage=7",
        "/queries/SimpleEventQuery/events?perPage=24",
    ] {
        assert_eq!(gateway.walk(path), expected, "{path}");
    }
    let second = gateway.get(&gateway.get("/queries/all/events?perPage=7").next().unwrap());
    assert_eq!(second.body["epcisBody"]["queryResults"]["queryName"], "all");
    // Paging keeps the order, and works for a query that is too long for a token.
    let ordered = "/events?orderBy=eventTime&orderDirection=ASC&perPage=4";
    assert_eq!(gateway.walk(ordered), expected);
    let many: Vec<String> =
        (1..=150).map(|number| format!("urn:epc:id:sgtin:0614141.112345.{number}")).collect();
    let long = format!("/events?perPage=9&MATCH_anyEPC={}", many.join("%7C"));
    let first = gateway.get(&long);
    assert!(first.next().unwrap().starts_with(&long));
    assert!(first.next().unwrap().contains("&nextPageToken="));
    assert_eq!(gateway.walk(&long), expected);
    // A query that finds nothing returns an empty list without a next page.
    let nothing = gateway.get("/events?EQ_bizStep=shipping");
    assert_eq!(nothing.events().len(), 0);
    assert!(nothing.header("link").is_none());
}

fn tokens_serve_one_query_one_key_and_a_day(gateway: Gateway) {
    gateway.capture(&numbered(5));
    let first = gateway.get("/events?perPage=2&EQ_action=OBSERVE");
    let next = first.next().unwrap();
    let token = next.split_once('=').unwrap().1;
    let refused = |name: char, path: &str| {
        let answer = gateway.keyed(name, "GET", path, &[], "");
        answer.is_problem("QueryParameterException", 400);
        answer.body["detail"].as_str().unwrap().to_owned()
    };
    refused('b', &next);
    refused('d', &next);
    refused('a', &format!("/events?EQ_action=ADD&nextPageToken={token}"));
    refused('a', &format!("/epcs/urn:x:1/events?nextPageToken={token}"));
    refused('a', &format!("/capture?nextPageToken={token}"));
    refused('a', &format!("/epcs?nextPageToken={token}"));
    refused('a', &format!("{next}&nextPageToken={token}"));
    refused('a', &next[..next.len() - 1]);
    refused('a', &format!("{next}A"));
    refused('a', "/events?nextPageToken=x");
    refused('a', &format!("/events?nextPageToken={}", "A".repeat(8100)));
    let mut changed = token.to_owned();
    let last = changed.pop().unwrap();
    changed.insert(0, last);
    refused('a', &format!("/events?nextPageToken={changed}"));
    // The page size stays the same during a walk, whether repeated or not.
    for path in [&next, &format!("{next}&perPage=2")] {
        assert_eq!(gateway.get(path).events().len(), 2, "{path}");
    }
    for size in [1, 3, 1000, 5000] {
        let detail = refused('a', &format!("{next}&perPage={size}"));
        assert!(detail.contains("perPage"), "{detail}");
        refused('a', &format!("/events?EQ_action=OBSERVE&perPage={size}&nextPageToken={token}"));
    }
    for path in ["/capture", "/epcs", "/queries"] {
        gateway.capture(&[event("urn:x:more")]);
        let name = json!({"name": "more", "query": {}});
        assert!([201, 409].contains(&gateway.post("/queries", &name).status));
        let next = gateway.get(&format!("{path}?perPage=1")).next().unwrap();
        let entries = |answer: Answer| {
            let member = answer.body.get("member").cloned();
            let list = member.unwrap_or(answer.body);
            list.as_array().unwrap().len()
        };
        assert_eq!(entries(gateway.get(&next)), 1, "{path}");
        assert_eq!(entries(gateway.get(&format!("{next}&perPage=1"))), 1);
        let detail = refused('a', &format!("{next}&perPage=2"));
        assert!(detail.contains("perPage"), "{detail}");
    }
    // Events captured during the walk are not included.
    gateway.capture(&[event("urn:x:later")]);
    assert_eq!(gateway.walk(&next).len(), 3);
    gateway.now.set(NOW + 86_400_001);
    assert!(refused('a', &next).contains("expired"));
}

fn headers_that_cannot_be_met_are_refused(gateway: Gateway) {
    let status = |header: &str, value: &str| {
        let answer = gateway.keyed('a', "GET", "/events", &[(header, value)], "");
        match answer.status {
            200 => {}
            400 => drop(answer.is_problem("ValidationException", 400)),
            _ => drop(answer.is_problem("NotAcceptableException", 406)),
        }
        answer.status
    };
    for (header, value, expected) in [
        ("gs1-epcis-version", "2", 200),
        ("gs1-epcis-version", "2.0.9", 200),
        ("gs1-epcis-version", "1.2", 406),
        ("gs1-epcis-version", "2.1", 406),
        ("gs1-epcis-version", "two", 406),
        ("gs1-epcis-version", "2.0, 2.0", 406),
        ("gs1-epcis-version", "2.0.x", 406),
        ("gs1-cbv-version", "2.0.0", 200),
        ("gs1-cbv-version", "", 406),
        ("gs1-cbv-version", "2..0", 406),
        ("gs1-epcis-min", "1.2.0", 200),
        ("gs1-epcis-min", "2.0.5", 200),
        ("gs1-epcis-min", "2.1", 406),
        ("gs1-epcis-max", "2.0.0", 200),
        ("gs1-epcis-max", "10.0", 200),
        ("gs1-epcis-max", "1.9", 406),
        ("gs1-epcis-max", "x", 406),
        ("gs1-epcis-min", "", 406),
        ("gs1-cbv-min", "-1", 406),
        ("gs1-cbv-max", "1.2", 406),
        ("accept", "*/*", 200),
        ("accept", "text/html, */*;q=0.1", 200),
        ("accept", "application/ld+json", 200),
        ("accept", "application/*", 200),
        ("accept", "text/html", 406),
        ("accept", "application/json;q=0", 406),
        ("accept", "nonsense", 406),
        ("gs1-epc-format", "No_Preference", 200),
        ("gs1-epc-format", "Always_EPC_URN", 200),
        ("gs1-epc-format", "always", 406),
        ("gs1-cbv-xml-format", "Always_Web_URI", 200),
        ("gs1-cbv-xml-format", "always", 406),
        ("gs1-extensions", "ext=https://ns.example/", 200),
        ("gs1-extensions", "ext", 400),
        ("gs1-extensions", "ext=https://a.example/,ext=https://b.example/", 400),
    ] {
        assert_eq!(status(header, value), expected, "{header}: {value}");
    }
    let none = gateway.keyed(
        'a',
        "GET",
        "/events",
        &[("accept", "application/xml"), ("gs1-cbv-xml-format", "Always_Web_URI")],
        "",
    );
    none.is_problem("NotAcceptableException", 406);
    // Collections are answered only as JSON.
    for path in ["/capture", "/epcs", "/queries", "/epcs/urn:x:1"] {
        gateway
            .keyed('a', "GET", path, &[("accept", "application/xml")], "")
            .is_problem("NotAcceptableException", 406);
    }
    let ld = gateway.keyed('a', "GET", "/events", &[("accept", "application/ld+json")], "");
    assert_eq!(ld.header("content-type"), Some("application/ld+json"));
    for (header, value) in [
        ("gs1-epcis-version", "2.0"),
        ("gs1-epcis-max", "2.0"),
        ("gs1-epc-format", "No_Preference"),
        ("gs1-cbv-xml-format", "No_Preference"),
    ] {
        let twice = [(header, value), (header, value)];
        gateway.keyed('a', "GET", "/events", &twice, "").is_problem("NotAcceptableException", 406);
    }
    let text = document(&[event("urn:x:1")]).to_string();
    for headers in [
        [JSON, ("gs1-epcis-version", "x")],
        [JSON, ("gs1-cbv-version", "2.0, 2.0")],
        [XML, ("gs1-epcis-version", "one")],
    ] {
        let refused = gateway.keyed('a', "POST", "/capture", &headers, &text);
        refused.is_problem("NotAcceptableException", 406);
    }
    // Collections contain no CBV words in XML form, but refuse an invalid format all the same.
    for path in ["/bizSteps", "/dispositions", "/epcs"] {
        for (word, expected) in [("Always_URN", 200), ("Never_Translates", 200), ("x", 406)] {
            let headers = [("gs1-cbv-xml-format", word)];
            let answer = gateway.keyed('a', "GET", path, &headers, "");
            assert_eq!(answer.status, expected, "{path}: {word}");
        }
    }
}

fn keys_are_shown_in_four_ways(gateway: Gateway) {
    let key = key_of('a');
    let basic = |text: String| format!("Basic {}", data_encoding::BASE64.encode(text.as_bytes()));
    let status = |headers: &[(&str, &str)]| {
        let answer = gateway.send("GET", "/epcis/events", headers, "");
        if answer.status != 200 {
            answer.is_problem("SecurityException", 401);
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
            assert_eq!(answer.body["title"], "Unauthorised request");
        }
        answer.status
    };
    assert_eq!(status(&[("authorization", &format!("Bearer {key}"))]), 200);
    assert_eq!(status(&[("authorization", &basic(format!("anyone:{key}")))]), 200);
    assert_eq!(status(&[("authorization", &basic(format!(":{key}")))]), 200);
    assert_eq!(status(&[("api-key", "x"), ("api-key-secret", &key)]), 200);
    let bearer = format!("Bearer {key}");
    assert_eq!(status(&[("authorization", &bearer), ("api-key-secret", &key)]), 200);
    assert_eq!(status(&[]), 401);
    assert_eq!(status(&[("authorization", "Bearer nothing")]), 401);
    assert_eq!(status(&[("authorization", "Digest x")]), 401);
    assert_eq!(status(&[("authorization", "Basic %%%")]), 401);
    assert_eq!(status(&[("authorization", &basic(key.clone()))]), 401);
    assert_eq!(status(&[("authorization", &basic(format!("{key}:")))]), 401);
    assert_eq!(status(&[("api-key", &key)]), 401);
    let (revoked, other) = (key_of('f'), key_of('b'));
    assert_eq!(status(&[("api-key-secret", &revoked)]), 401);
    assert_eq!(status(&[("authorization", &bearer), ("api-key-secret", &other)]), 401);
    gateway.keyed('c', "GET", "/events", &[], "").is_problem("SecurityException", 403);
    gateway.keyed('d', "POST", "/capture", &[JSON], "{}").is_problem("SecurityException", 403);
}

fn the_demo_stays_for_whoever_shows_no_key(gateway: Gateway) {
    let ask = |path: &str, headers: &[(&str, &str)]| gateway.send("GET", path, headers, "");
    for path in ["/events", "/events?kind=ObjectEvent", "/events?tag=x"] {
        let demo = ask(path, &[("gs1-epcis-min", "9"), ("gs1-cbv-version", "x")]);
        assert_eq!(demo.status, 200, "{path}");
        assert!(demo.body["type"] == "OK" || demo.body["type"] == "EMPTY");
        assert_eq!(demo.header("vary"), Some("Authorization, Accept, API-KEY-SECRET"));
    }
    assert_eq!(ask("/events?scope=admin", &[]).body["type"], "BLOCKED");
    ask("/events?knid=x", &[]).is_problem("QueryParameterException", 400);
    for path in [
        "/events?EQ_bizStep=shipping",
        "/events?kind=ObjectEvent&eventType=ObjectEvent",
        "/events?perPage=5",
        "/events?nextPageToken=x",
        "/events/urn:x:1",
        "/epcis/events",
        "/epcis",
        "/epcs",
        "/capture",
        "/queries",
    ] {
        ask(path, &[]).is_problem("SecurityException", 401);
    }
    ask("/events", &[("gs1-epc-format", "No_Preference")]).is_problem("SecurityException", 401);
    ask("/events", &[("authorization", "Bearer x")]).is_problem("SecurityException", 401);
    // With a key, the parameters of the demo are unknown.
    let refused = gateway.get("/events?kind=ObjectEvent");
    refused.is_problem("QueryParameterException", 400);
    assert!(refused.body["detail"].as_str().unwrap().contains("kind"));
    assert_eq!(gateway.send("HEAD", "/events", &[], "").status, 200);
    gateway.send("POST", "/events", &[JSON], "{}").is_problem("SecurityException", 401);
}

fn parameters_are_refused_by_name(gateway: Gateway) {
    for (query, name) in [
        ("EQ_bizStp=shipping", "EQ_bizStp"),
        ("HASATTR_epcList=x", "HASATTR_epcList"),
        ("GE_eventTime=yesterday", "GE_eventTime"),
        ("GE_eventTime=2026-01-01T00:00:00Z&GE_eventTime=2026-01-02T00:00:00Z", "GE_eventTime"),
        ("EQ_action=LOOK", "EQ_action"),
        ("EQ_action=ADD%7C%7CDELETE", "EQ_action"),
        ("EQ_bizStep=", "EQ_bizStep"),
        ("MATCH_epc=", "MATCH_epc"),
        ("MATCH_epc=urn:epc:idpat:sgtin:*.1.*", "MATCH_epc"),
        ("orderBy=color", "orderBy"),
        ("orderDirection=ASC", "orderDirection"),
        ("eventCountLimit=1&maxEventCount=1&orderBy=eventTime", "eventCountLimit"),
        ("maxEventCount=0", "maxEventCount"),
        ("perPage=-1", "perPage"),
        ("perPage=1&perPage=1", "perPage"),
        ("%40context=x", "@context"),
        ("=x", ""),
        ("EXISTS_sensorElementList=perhaps", "EXISTS_sensorElementList"),
    ] {
        let refused = gateway.get(&format!("/events?{query}"));
        refused.is_problem("QueryParameterException", 400);
        let detail = refused.body["detail"].as_str().unwrap();
        assert!(detail.contains(name), "{query}: {detail}");
    }
    let long = gateway.get(&format!("/events?EQ_bizStep={}", "x".repeat(8192)));
    long.is_problem("URITooLongException", 414);
    gateway.capture(&numbered(4));
    assert_eq!(gateway.get("/events?maxEventCount=4").events().len(), 4);
    gateway.get("/events?maxEventCount=3").is_problem("QueryTooLargeException", 413);
    // Lists of values, separated by bars or as a repeated parameter.
    let step = |step: &str| with(event(&format!("urn:x:{step}")), json!({"bizStep": step}));
    gateway.capture(&[step("shipping"), step("receiving"), step("packing")]);
    for query in ["EQ_bizStep=shipping%7Creceiving", "EQ_bizStep=shipping&EQ_bizStep=receiving"] {
        assert_eq!(gateway.walk(&format!("/events?{query}")).len(), 2, "{query}");
    }
    // A header defines the prefixes of parameter names.
    let mut sent = with(event("urn:x:extended"), json!({}));
    sent["@context"] =
        json!([CONTEXT, {"mine": {"@id": "https://ns.example/x#", "@prefix": true}}]);
    sent["mine:batch"] = "7".into();
    gateway.capture(&[sent]);
    let headers = [("gs1-extensions", "ext=https://ns.example/x#")];
    let found = gateway.keyed('a', "GET", "/events?EQ_ext:batch=7", &headers, "");
    assert_eq!(found.events().len(), 1, "{}", found.body);
    // An undefined prefix is an error rather than an empty answer, here and in a named query.
    let unbound = gateway.get("/events?EQ_ext:batch=7");
    let named = json!({"name": "unbound", "query": {"EQ_ext:batch": "7"}});
    for refused in [unbound, gateway.post("/queries", &named)] {
        assert_eq!(refused.status, 400, "{}", refused.body);
        assert_eq!(refused.body["type"], "epcisException:QueryParameterException");
        let detail = refused.body["detail"].as_str().unwrap();
        assert!(detail.contains("the prefix `ext` of the parameter `EQ_ext:batch`"), "{detail}");
    }
    assert_eq!(gateway.get("/queries/unbound").status, 404);
    // A value with an undeclared prefix is queried by path in the form in which the collection lists it.
    let word = with(event("urn:x:worded"), json!({"bizStep": "unbound:step"}));
    gateway.capture(&[word]);
    assert_eq!(gateway.get("/events?EQ_bizStep=unbound:step").status, 400);
    assert_eq!(gateway.walk("/bizSteps/unbound:step/events").len(), 1);
    let cbv = gateway.get("/bizSteps/cbv:BizStep-shipping/events");
    assert_eq!(cbv.status, 200, "{}", cbv.body);
}

/// A document may contain only master data. Queries then find events through it.
fn master_data_comes_without_events(gateway: Gateway) {
    let sent = json!({
        "@context": [CONTEXT], "type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-02-01T00:00:00Z",
        "epcisHeader": {"epcisMasterData": {"vocabularyList": [{
            "type": "urn:epcglobal:epcis:vtype:Location",
            "vocabularyElementList": [{
                "id": "urn:x:site", "children": ["urn:x:dock"],
                "attributes": [{"id": "cbvmda:countryCode", "attribute": "DE"}],
            }],
        }]}},
        "epcisBody": {"eventList": []},
    });
    assert_eq!(gateway.post("/capture", &sent).status, 202);
    let at = |place: &str| with(event(place), json!({"readPoint": {"id": place}}));
    gateway.capture(&[at("urn:x:site"), at("urn:x:dock"), at("urn:x:other")]);
    for (query, count) in [
        ("WD_readPoint=urn:x:site", 2),
        ("WD_readPoint=urn:x:dock%7Curn:x:other", 2),
        ("HASATTR_readPoint=cbvmda:countryCode", 1),
        ("EQATTR_readPoint_countryCode=AT%7CDE", 1),
        ("EQATTR_readPoint_countryCode=AT", 0),
    ] {
        let found = gateway.walk(&format!("/events?{query}&perPage=1"));
        assert_eq!(found.len(), count, "{query}");
    }
    let named = json!({"name": "site", "query": {"WD_readPoint": ["urn:x:site"]}});
    assert_eq!(gateway.post("/queries", &named).status, 201);
    assert_eq!(gateway.walk("/queries/site/events?perPage=1").len(), 2);
    let by_field = gateway.walk("/events?orderBy=https://n.example/x&orderDirection=ASC&perPage=1");
    assert_eq!(by_field.len(), 3);
}

/// Captured master data: by type, by identifier in any spelling, as of a time, page by page.
fn master_data_is_looked_up(gateway: Gateway) {
    let empty = gateway.get("/masterdata");
    assert_eq!((empty.status, &empty.body["type"]), (200, &json!("EMPTY")));
    let gln = "urn:epc:id:sgln:0614141.00777.0";
    let site = json!({
        "id": gln, "children": ["urn:x:dock"],
        "attributes": [
            {"id": "cbvmda:name", "attribute": "Hill Orchard"},
            {"id": "urn:x:size", "attribute": {"ha": 12.50}},
            {"id": "urn:x:nothing"},
        ],
    });
    let dock =
        json!({"id": "urn:x:dock", "attributes": [{"id": "cbvmda:name", "attribute": "Dock"}]});
    let vocabulary =
        |kind: &str, elements: &[&Value]| json!({"type": kind, "vocabularyElementList": elements});
    let sent = json!({
        "@context": [CONTEXT], "type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-02-01T00:00:00Z",
        "epcisHeader": {"epcisMasterData": {"vocabularyList": [
            vocabulary("urn:epcglobal:epcis:vtype:Location", &[&site, &dock]),
            vocabulary("https://x.example/Field", &[&dock]),
        ]}},
        "epcisBody": {"eventList": []},
    });
    assert_eq!(gateway.post("/capture", &sent).status, 202);
    let link = "https://id.gs1.org/414/0614141007776";
    let shown = gateway.get("/masterdata/Location/https%3A%2F%2Fid.gs1.org%2F414%2F0614141007776");
    assert_eq!(shown.status, 200, "{}", shown.body);
    assert_eq!(shown.header("cache-control"), Some("no-store"));
    let element = &shown.body["elements"][0];
    assert_eq!(
        (&shown.body["type"], &element["id"], &element["spelling"], &element["type"]),
        (&json!("OK"), &json!(link), &json!(gln), &json!("Location"))
    );
    assert_eq!(element["children"], json!(["urn:x:dock"]));
    assert_eq!(
        element["attributes"],
        json!([
            {"id": "urn:epcglobal:cbv:mda:name", "attribute": "Hill Orchard"},
            {"id": "urn:x:size", "attribute": {"ha": 12.50}},
            {"id": "urn:x:nothing"},
        ])
    );
    assert_eq!(element["recordTime"], "2026-02-01T00:00:00.000Z");
    assert_eq!(element["document"].as_str().map(str::len), Some(64));
    assert!(element["capturedBy"].is_string());
    for (path, names) in [
        ("/masterdata", vec![link, "urn:x:dock", "urn:x:dock"]),
        ("/epcis/masterdata?perPage=9", vec![link, "urn:x:dock", "urn:x:dock"]),
        ("/masterdata/Location", vec![link, "urn:x:dock"]),
        ("/masterdata/urn:epcglobal:epcis:vtype:Location", vec![link, "urn:x:dock"]),
        ("/masterdata/https%3A%2F%2Fx.example%2FField", vec!["urn:x:dock"]),
        ("/masterdata?type=Location&id=urn:x:dock", vec!["urn:x:dock"]),
        (
            "/masterdata?id=urn:x:dock&id=urn:epc:id:sgln:0614141.00777.0",
            vec![link, "urn:x:dock", "urn:x:dock"],
        ),
        ("/masterdata/Location?at=2026-02-01T00:00:00Z", vec![link, "urn:x:dock"]),
        ("/masterdata/Location/urn:x:dock?at=2026-01-31T00:00:00Z", vec![]),
        ("/masterdata/Location/urn:x:nowhere", vec![]),
        ("/masterdata/Place", vec![]),
    ] {
        let answer = gateway.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        let elements = answer.body["elements"].as_array();
        let found: Vec<_> =
            elements.into_iter().flatten().map(|one| one["id"].as_str().unwrap()).collect();
        assert_eq!(found, names, "{path}");
        assert_eq!(answer.body["type"], if names.is_empty() { "EMPTY" } else { "OK" });
    }
    let first = gateway.get("/masterdata?type=Location&perPage=1");
    let next = first.header("link").unwrap();
    assert!(next.starts_with("</masterdata?type=Location&perPage=1&nextPageToken="), "{next}");
    let next = next[1..].split_once('>').unwrap().0;
    let second = gateway.get(next);
    assert_eq!(second.body["elements"][0]["id"], "urn:x:dock");
    assert_eq!(second.header("link"), None);
    gateway.keyed('b', "GET", next, &[], "").is_problem("QueryParameterException", 400);
    for path in [
        "/masterdata?at=yesterday",
        "/masterdata?kind=Location",
        "/masterdata?type=Location&type=Location",
        "/masterdata/Location?type=Location",
        "/masterdata/Location/urn:x:dock?id=urn:x:dock",
        "/masterdata/Location?perPage=0",
        "/masterdata/Location?nextPageToken=x",
        &format!("/masterdata?{}", "id=a&".repeat(101)),
    ] {
        gateway.get(path).is_problem("QueryParameterException", 400);
    }
    gateway.post("/masterdata", &sent).is_problem("ImplementationException", 405);
}

fn paths_name_values_in_any_spelling(gateway: Gateway) {
    let place = "urn:epc:id:sgln:0614141.07346.1234";
    let sent = with(
        event("urn:epc:id:sgtin:0614141.112345.400"),
        json!({
            "bizStep": "shipping", "disposition": "in_transit",
            "readPoint": {"id": place}, "bizLocation": {"id": "https://example.org/414/9521141000009"},
        }),
    );
    gateway.capture(&[sent, event("urn:x:other")]);
    for path in [
        "/epcs/urn:epc:id:sgtin:0614141.112345.400/events",
        "/epcs/https:%2f%2fexample.org%2f01%2f10614141123459%2f21%2f400/events",
        "/epcs/https://id.gs1.org/01/10614141123459/21/400/events",
        "/eventTypes/ObjectEvent/events?EQ_bizStep=shipping",
        "/bizSteps/shipping/events",
        "/bizSteps/cbv:BizStep-shipping/events",
        "/bizSteps/https%3A%2F%2Fref.gs1.org%2Fcbv%2FBizStep-shipping/events",
        "/dispositions/in_transit/events?EQ_disposition=in_transit",
        "/readPoints/urn:epc:id:sgln:0614141.07346.1234/events",
        "/bizLocations/https%3A%2F%2Fid.gs1.org%2F414%2F9521141000009/events",
    ] {
        assert_eq!(gateway.walk(path).len(), 1, "{path}");
        let value = path.split("/events").next().unwrap();
        assert_eq!(gateway.get(value).members(), ["events"], "{value}");
    }
    // Both the path and the query string must match.
    assert!(gateway.walk("/bizSteps/shipping/events?EQ_bizStep=packing").is_empty());
    assert!(gateway.walk("/epcs/urn:x:none/events").is_empty());
    assert_eq!(gateway.get("/epcs/urn:x:none").members(), ["events"]);
    assert_eq!(gateway.get("/readPoints/some.word").members(), ["events"]);
    assert!(gateway.walk("/readPoints/some.word/events").is_empty());
    for path in [
        "/epcs/two%20words",
        "/epcs/-word/events",
        "/epcs/https%253A%252F%252Fid.gs1.org/events",
        "/epcs/%00/events",
        "/epcs/urn:x:%00",
        "/epcs/%ff",
        "/epcs/%2",
        "/bizSteps/two%20words",
        "/bizSteps/..%2F..%2Fkeys",
        "/readPoints/..",
        "/events/%00",
        "/events/urn:x:nothing",
        "/capture/..%2fevents",
        "/capture/c-0",
        "/capture/%00",
        "/eventTypes/",
        "/epcis/nothing",
        "/epcs//events",
    ] {
        gateway.get(path).is_problem("NoSuchResourceException", 404);
    }
    gateway.get("/epcs/urn:x:1?x=1").is_problem("QueryParameterException", 400);
    // Here `urn:x:events` is an EPC, although it ends in the name of another resource.
    assert!(gateway.walk("/epcs/urn:x:events/events").is_empty());
}

fn collections_list_what_is_in_scope(gateway: Gateway) {
    let custom = json!({
        "bizStep": "https://steps.example/weighing", "disposition": "https://disp.example/wet",
        "readPoint": {"id": "urn:epc:id:sgln:0614141.07346.1234"}, "bizLocation": {"id": "urn:x:here"},
    });
    let own = with(event("urn:epc:id:sgtin:0614141.112345.400"), custom);
    gateway.capture(&[own, event("urn:x:2"), event("urn:x:3")]);
    let foreign = document(&[event("urn:x:foreign")]).to_string();
    assert_eq!(gateway.keyed('b', "POST", "/capture", &[JSON], &foreign).status, 202);
    let epc = "https://id.gs1.org/01/10614141123459/21/400";
    assert_eq!(gateway.get("/epcs").members(), [epc, "urn:x:2", "urn:x:3"]);
    assert_eq!(gateway.keyed('b', "GET", "/epcs", &[], "").members(), ["urn:x:foreign"]);
    assert_eq!(gateway.get("/bizLocations").members(), ["urn:x:here"]);
    assert_eq!(
        gateway.get("/readPoints").members(),
        ["https://id.gs1.org/414/0614141073467/254/1234"]
    );
    let mut types = gateway.get("/eventTypes").members();
    types.sort_unstable();
    assert_eq!(
        types,
        [
            "AggregationEvent",
            "AssociationEvent",
            "ObjectEvent",
            "TransactionEvent",
            "TransformationEvent"
        ]
    );
    let all = |path: &str| {
        let mut found: Vec<String> = Vec::new();
        let mut next = Some(path.to_owned());
        while let Some(path) = next {
            let page = gateway.get(&path);
            found.extend(page.members());
            next = page.next();
        }
        found
    };
    let steps = all("/bizSteps");
    assert_eq!(steps.len(), 42);
    assert_eq!(steps.last().unwrap(), "https://steps.example/weighing");
    assert_eq!(steps[0], "accepting");
    assert_eq!(all("/dispositions").last().unwrap(), "https://disp.example/wet");
    assert_eq!(all("/bizSteps?perPage=41"), steps);
    assert_eq!(all("/epcs?perPage=1"), [epc, "urn:x:2", "urn:x:3"]);
    // The prefixes of the header shorten the listed values.
    let short = gateway.keyed('a', "GET", "/bizLocations", &[("gs1-extensions", "x=urn:x:")], "");
    assert_eq!(short.members(), ["x:here"]);
    assert_eq!(short.body["@context"][1], json!({"x": "urn:x:"}));
    gateway.keyed('c', "GET", "/epcs", &[], "").is_problem("SecurityException", 403);
    gateway.get("/epcs?EQ_bizStep=shipping").is_problem("QueryParameterException", 400);
}

fn queries_have_names(gateway: Gateway) {
    let step = |step: &str| with(event(&format!("urn:x:{step}")), json!({"bizStep": step}));
    gateway.capture(&[step("shipping"), step("receiving"), step("packing")]);
    let query = json!({"eventType": ["ObjectEvent"], "EQ_bizStep": ["shipping", "receiving"]});
    let body = json!({"name": "q 1-é", "query": query});
    let made = gateway.post("/queries", &body);
    assert_eq!(made.status, 201, "{}", made.body);
    let location = made.header("location").unwrap().to_owned();
    assert_eq!(location, "/queries/q%201-%C3%A9");
    assert_eq!(gateway.get(&location).body, body);
    let found = gateway.get(&format!("{location}/events"));
    assert_eq!(epcs(&found.events()), ["urn:x:shipping", "urn:x:receiving"]);
    assert_eq!(found.body["epcisBody"]["queryResults"]["queryName"], body["name"]);
    let again = gateway.post("/queries", &body);
    again.is_problem("ResourceAlreadyExistsException", 409);
    let instance = format!("https://epcis.example.com{location}");
    assert_eq!(again.body["instance"], instance);
    assert_eq!(gateway.get("/queries").body[1], body);
    let names = |path: &str| {
        let mut found: Vec<String> = Vec::new();
        let mut next = Some(path.to_owned());
        while let Some(path) = next {
            let page = gateway.get(&path);
            let queries = page.body.as_array().unwrap().clone();
            found.extend(queries.iter().map(|query| query["name"].as_str().unwrap().to_owned()));
            next = page.next().map(|path| format!("{path}&perPage=1"));
        }
        found
    };
    assert_eq!(gateway.post("/queries", &json!({"name": "A", "query": {}})).status, 201);
    assert_eq!(names("/queries?perPage=1"), ["SimpleEventQuery", "A", "q 1-é"]);
    // Named queries belong to the account.
    gateway.keyed('b', "GET", &location, &[], "").is_problem("NoSuchNameException", 404);
    gateway
        .keyed('b', "GET", &format!("{location}/events"), &[], "")
        .is_problem("NoSuchNameException", 404);
    gateway.keyed('b', "DELETE", &location, &[], "").is_problem("NoSuchNameException", 404);
    assert_eq!(gateway.keyed('d', "GET", &location, &[], "").status, 200);
    // The predefined query.
    assert_eq!(
        gateway.get("/queries/SimpleEventQuery").body,
        json!({"name": "SimpleEventQuery", "query": {}})
    );
    assert_eq!(gateway.walk("/queries/SimpleEventQuery/events").len(), 3);
    gateway
        .post("/queries", &json!({"name": "SimpleEventQuery", "query": {}}))
        .is_problem("ResourceAlreadyExistsException", 409);
    gateway
        .keyed('a', "DELETE", "/queries/SimpleEventQuery", &[], "")
        .is_problem("SecurityException", 403);
    for (bad, exception) in [
        (json!({"name": "x"}), "QueryValidationException"),
        (json!({"query": {}}), "QueryValidationException"),
        (json!({"name": 1, "query": {}}), "QueryValidationException"),
        (json!({"name": "", "query": {}}), "QueryValidationException"),
        (json!({"name": "a/b", "query": {}}), "QueryValidationException"),
        (json!({"name": "..", "query": {}}), "QueryValidationException"),
        (json!({"name": "x".repeat(256), "query": {}}), "QueryValidationException"),
        (json!({"name": "x", "query": [], }), "QueryValidationException"),
        (json!({"name": "x", "query": {}, "more": 1}), "QueryValidationException"),
        (json!([]), "QueryValidationException"),
        (json!({"name": "x", "query": {"EQ_bizStp": "x"}}), "QueryParameterException"),
        (json!({"name": "x", "query": {"nextPageToken": "x"}}), "QueryParameterException"),
        (json!({"name": "x", "query": {"GE_eventTime": 5}}), "QueryParameterException"),
    ] {
        gateway.post("/queries", &bad).is_problem(exception, 400);
    }
    let large = json!({"name": "x", "query": {"EQ_eventID": ["x".repeat(66_000)]}});
    gateway.post("/queries", &large).is_problem("QueryTooComplexException", 413);
    gateway
        .keyed('a', "POST", "/queries", &[], "{}")
        .is_problem("UnsupportedMediaTypeException", 415);
    gateway
        .get(&format!("{location}/events?EQ_bizStep=packing"))
        .is_problem("QueryParameterException", 400);
    let removed = gateway.keyed('a', "DELETE", &location, &[], "");
    assert_eq!((removed.status, removed.response.body().len()), (204, 0));
    gateway.get(&location).is_problem("NoSuchNameException", 404);
    gateway.keyed('a', "DELETE", &location, &[], "").is_problem("NoSuchNameException", 404);
    // The prefixes of a named query come from its own context.
    let bound = json!({"name": "bound", "query": {"@context": {"e": "https://ns.example/"}, "EXISTS_e:x": true}});
    assert_eq!(gateway.post("/queries", &bound).status, 201);
    assert_eq!(gateway.walk("/queries/bound/events").len(), 0);
}

fn subscriptions_are_there_and_not_served(gateway: Gateway) {
    let path = "/queries/SimpleEventQuery/subscriptions";
    assert_eq!(gateway.get(path).body, json!([]));
    let subscription = json!({"dest": "https://x.example/", "stream": true});
    gateway.post(path, &subscription).is_problem("ImplementationException", 501);
    gateway.get(&format!("{path}/1")).is_problem("NoSuchResourceException", 404);
    gateway
        .keyed('a', "DELETE", &format!("{path}/1"), &[], "")
        .is_problem("ImplementationException", 501);
    for path in [format!("{path}?stream=true"), format!("{path}/1?x=1"), format!("{path}?x=1")] {
        gateway.get(&path).is_problem("QueryParameterException", 400);
    }
    gateway.get("/queries/none/subscriptions").is_problem("NoSuchNameException", 404);
    gateway
        .post("/queries/none/subscriptions", &subscription)
        .is_problem("NoSuchNameException", 404);
    let socket = [("upgrade", "websocket"), ("connection", "Upgrade")];
    gateway
        .keyed('a', "GET", "/queries/SimpleEventQuery/events", &socket, "")
        .is_problem("ImplementationException", 501);
    gateway
        .get("/queries/SimpleEventQuery/events?stream=true")
        .is_problem("QueryParameterException", 400);
    gateway
        .keyed('a', "DELETE", "/nextPageToken/x", &[], "")
        .is_problem("ImplementationException", 501);
    let options = gateway.send("OPTIONS", path, &[], "");
    assert_eq!(options.header("allow"), Some("GET, HEAD, OPTIONS"));
}

fn discovery_needs_no_key(gateway: Gateway) {
    for (path, allow) in [
        ("/", "GET, HEAD, OPTIONS"),
        ("/epcis", "GET, HEAD, OPTIONS"),
        ("/capture", "GET, HEAD, POST, OPTIONS"),
        ("/capture/c-1", "GET, HEAD, OPTIONS"),
        ("/events", "GET, HEAD, POST, OPTIONS"),
        ("/events/urn:x:1", "GET, HEAD, OPTIONS"),
        ("/epcs", "GET, HEAD, OPTIONS"),
        ("/epcs/urn:x:1", "GET, HEAD, OPTIONS"),
        ("/bizSteps/shipping/events", "GET, HEAD, OPTIONS"),
        ("/queries", "GET, HEAD, POST, OPTIONS"),
        ("/queries/none", "GET, HEAD, DELETE, OPTIONS"),
        ("/queries/none/events", "GET, HEAD, OPTIONS"),
        ("/epcis/nextPageToken/x", "OPTIONS"),
    ] {
        let found = gateway.send("OPTIONS", path, &[], "");
        assert_eq!((found.status, found.response.body().len()), (204, 0), "{path}");
        assert_eq!(found.header("allow"), Some(allow), "{path}");
        assert_eq!(found.header("access-control-allow-methods"), Some(allow));
        assert!(found.header("access-control-allow-headers").unwrap().contains("Authorization"));
        for (name, value) in [
            ("gs1-epcis-min", "1.0.0"),
            ("gs1-epcis-max", "2.0.1"),
            ("gs1-cbv-min", "1.0.0"),
            ("gs1-cbv-max", "2.0.1"),
            ("gs1-capture-error-behaviour", "all"),
            ("gs1-epcis-capture-limit", "30000"),
            ("gs1-epcis-capture-file-size-limit", "10485760"),
        ] {
            assert_eq!(found.header(name), Some(value), "{path}: {name}");
        }
        assert!(found.header("gs1-vendor-version").unwrap().starts_with("epcis-edge/"));
        let wrong = gateway.keyed('a', "PATCH", path, &[], "");
        wrong.is_problem("ImplementationException", 405);
        assert_eq!(wrong.header("allow"), Some(allow));
    }
    for path in ["/validate", "/pricing", "/follow", "/report/recall", "/log/status"] {
        let other = gateway.send("OPTIONS", path, &[], "");
        assert!(other.header("gs1-vendor-version").is_none());
        // Pages of other origins may use a key at every door.
        let headers = other.header("access-control-allow-headers").unwrap();
        assert!(headers.contains("Authorization"), "{path}");
    }
    let top = gateway.keyed('a', "GET", "/epcis", &[], "");
    let expected = [
        "events",
        "eventTypes",
        "epcs",
        "bizSteps",
        "bizLocations",
        "readPoints",
        "dispositions",
        "capture",
        "queries",
    ];
    assert_eq!(top.members(), expected);
    assert_eq!(top.body.as_object().unwrap().len(), 3);
    let shared = gateway.send("GET", "/", &[], "");
    assert_eq!(shared.members(), expected);
    assert!(shared.body["doors"].is_array());
    let exposed = top.header("access-control-expose-headers").unwrap();
    for name in ["Location", "Link", "GS1-Next-Page-Token-Expires"] {
        assert!(exposed.contains(name));
    }
    let (get, head) = (gateway.get("/events"), gateway.keyed('a', "HEAD", "/events", &[], ""));
    assert_eq!(head.header("content-length"), Some(get.text().len().to_string().as_str()));
}

fn identifiers_are_spelt_as_asked(gateway: Gateway) {
    let urn = "urn:epc:id:sgtin:0614141.112345.400";
    let sent = with(
        event(urn),
        json!({"readPoint": {"id": "urn:epc:id:sgln:0614141.07346.1234"}, "bizLocation": {"id": "urn:x:here"}}),
    );
    gateway.capture(&[sent]);
    let ask = |format: &str| {
        let headers = [("gs1-epc-format", format)];
        gateway.keyed('a', "GET", "/events", &headers, "")
    };
    let stored = gateway.get("/events").events();
    for format in ["No_Preference", "Never_Translates", "Always_EPC_URN"] {
        assert_eq!(ask(format).events(), stored, "{format}");
    }
    let linked = ask("Always_GS1_Digital_Link");
    assert_eq!(linked.header("gs1-epc-format"), Some("Always_GS1_Digital_Link"));
    let mut expected = stored[0].clone();
    expected["epcList"][0] = "https://id.gs1.org/01/10614141123459/21/400".into();
    expected["readPoint"]["id"] = "https://id.gs1.org/414/0614141073467/254/1234".into();
    assert_eq!(linked.events()[0], expected);
    gateway.capture(&[event("https://id.gs1.org/01/10614141123459/21/401")]);
    ask("Always_EPC_URN").is_problem("NotAcceptableException", 406);
}

fn lists_are_spelt_as_asked(gateway: Gateway) {
    let urn = "urn:epc:id:sgtin:0614141.112345.400";
    let link = "https://example.org/01/10614141123459/21/401";
    let place = "urn:epc:id:sgln:0614141.07346.1234";
    let more = json!({"readPoint": {"id": place}, "bizLocation": {"id": "urn:x:here"}});
    gateway.capture(&[with(event(urn), more)]);
    let pallet = json!({
        "@context": [CONTEXT], "type": "AggregationEvent", "action": "ADD",
        "parentID": "urn:epc:id:sscc:0614141.1234567890",
        "childEPCs": [urn, "urn:epc:id:gid:1.2.3", "urn:epc:id:sgtin:0614141.112345.402"],
        "eventTime": "2026-01-01T00:00:00.000Z", "eventTimeZoneOffset": "+00:00",
    });
    gateway.capture(&[pallet]);
    let ask = |path: &str, format: &str| {
        gateway.keyed('a', "GET", path, &[("gs1-epc-format", format)], "")
    };
    let normal = [
        "https://id.gs1.org/00/106141412345678908",
        "https://id.gs1.org/01/10614141123459/21/400",
        "https://id.gs1.org/01/10614141123459/21/402",
        "urn:epc:id:gid:1.2.3",
    ];
    let captured = [
        "urn:epc:id:sscc:0614141.1234567890",
        urn,
        "urn:epc:id:sgtin:0614141.112345.402",
        "urn:epc:id:gid:1.2.3",
    ];
    for (format, applied, expected) in [
        ("No_Preference", "Always_GS1_Digital_Link", normal),
        ("Always_GS1_Digital_Link", "Always_GS1_Digital_Link", normal),
        ("Never_Translates", "Never_Translates", captured),
        ("Always_EPC_URN", "Always_EPC_URN", captured),
    ] {
        let answer = ask("/epcs", format);
        assert_eq!(answer.members(), expected, "{format}");
        assert_eq!(answer.header("gs1-epc-format"), Some(applied));
        let here = ask("/bizLocations", format);
        assert_eq!(here.members(), ["urn:x:here"], "{format}");
        // The same, page by page.
        let mut found: Vec<String> = Vec::new();
        let mut next = Some("/epcs?perPage=1".to_owned());
        while let Some(path) = next {
            let page = ask(&path, format);
            found.extend(page.members());
            next = page.next();
        }
        assert_eq!(found, expected, "{format}");
    }
    assert_eq!(ask("/readPoints", "Never_Translates").members(), [place]);
    assert_eq!(ask("/readPoints", "Always_EPC_URN").members(), [place]);
    // Each thing is listed once, spelled as in an event in scope. A Digital Link does not show the length of its company prefix, so
    // it has no EPC URN.
    gateway.capture(&[event(link), event("https://other.example/01/10614141123459/21/400")]);
    let found = ask("/epcs", "Never_Translates").members();
    assert_eq!(found, [captured[0], captured[1], link, captured[2], captured[3]]);
    ask("/epcs", "Always_EPC_URN").is_problem("NotAcceptableException", 406);
    assert_eq!(ask("/epcs?perPage=2", "Always_EPC_URN").members(), captured[..2]);
    // Spellings captured only by another account are not used.
    let foreign = document(&[event("https://id.gs1.org/01/10614141123459/21/400")]).to_string();
    gateway.keyed('b', "POST", "/capture", &[JSON], &foreign);
    let headers = [("gs1-epc-format", "Never_Translates")];
    let found = gateway.keyed('b', "GET", "/epcs", &headers, "");
    assert_eq!(found.members(), [normal[1]]);
    // Few original spellings are looked up per page, so such pages have at most 30 members.
    gateway.capture(&numbered(70));
    let page = ask("/epcs?perPage=1000", "Never_Translates");
    assert_eq!(page.members().len(), 30);
    let mut found = page.members();
    let mut next = page.next();
    while let Some(path) = next {
        let page = ask(&path, "Never_Translates");
        found.extend(page.members());
        next = page.next();
    }
    assert_eq!(found.len(), gateway.get("/epcs?perPage=1000").members().len());
    // Vocabulary words have no EPC spellings.
    for format in ["Never_Translates", "Always_EPC_URN"] {
        assert_eq!(ask("/bizSteps", format).status, 200);
    }
    ask("/bizSteps", "x").is_problem("NotAcceptableException", 406);
}

fn what_is_not_there_has_the_exception_of_its_kind(gateway: Gateway) {
    for path in [
        "/queries/none",
        "/queries/none/events",
        "/queries/none/subscriptions",
        "/queries/none/subscriptions/1",
        "/queries/%00",
        "/queries/%ff/events",
        "/queries/%2/subscriptions",
        "/queries/%00/subscriptions/1",
        "/epcis/queries/none",
    ] {
        gateway.get(path).is_problem("NoSuchNameException", 404);
    }
    gateway.keyed('a', "DELETE", "/queries/%00", &[], "").is_problem("NoSuchNameException", 404);
    for path in [
        "/events/urn:x:none",
        "/capture/none",
        "/capture/%00",
        "/epcs/%00",
        "/bizSteps/two%20words/events",
        "/queries/SimpleEventQuery/subscriptions/1",
        "/queries/SimpleEventQuery/subscriptions/%00",
        "/queries/SimpleEventQuery/none",
        "/none",
        "/epcis/none",
    ] {
        gateway.get(path).is_problem("NoSuchResourceException", 404);
    }
}

fn lists_of_one_page_take_the_parameters_of_pages(gateway: Gateway) {
    gateway.capture(&numbered(3));
    let token = gateway.get("/epcs?perPage=1").next().unwrap();
    let token = token.split_once('=').unwrap().1.to_owned();
    for path in [
        "/eventTypes/ObjectEvent",
        "/epcs/urn:x:1",
        "/bizSteps/shipping",
        "/bizLocations/urn:x:1",
        "/readPoints/urn:x:1",
        "/dispositions/in_transit",
        "/queries/SimpleEventQuery/subscriptions",
    ] {
        for query in ["perPage=1", "perPage=30&nextPageToken=", "nextPageToken="] {
            let answer = gateway.get(&format!("{path}?{query}"));
            assert_eq!(answer.status, 200, "{path}?{query}");
            assert!(answer.header("link").is_none());
        }
        for bad in ["perPage=0", "perPage=x", "perPage=1&perPage=1", "x=1", "nextPageToken=x"] {
            let refused = gateway.get(&format!("{path}?{bad}"));
            refused.is_problem("QueryParameterException", 400);
        }
        let refused = gateway.get(&format!("{path}?nextPageToken={token}"));
        refused.is_problem("QueryParameterException", 400);
    }
    // The page size for the events of one eventID is fixed.
    gateway.get("/events/urn:x:1?perPage=1").is_problem("QueryParameterException", 400);
}

fn what_is_empty_does_not_exist(gateway: Gateway) {
    let context = json!([CONTEXT, {"x": "https://x.example/"}]);
    let extended = |name: &str, value: Value| {
        with(event(&format!("urn:x:{name}")), json!({"@context": context, "x:field": value}))
    };
    gateway.capture(&[
        extended("none", json!({})),
        extended("null", json!(null)),
        extended("text", json!("")),
        extended("list", json!([])),
        extended("lists", json!([{}, "", [], null])),
        extended("nulls", json!({"x:inner": null})),
        extended("number", json!(0)),
        extended("false", json!(false)),
        extended("object", json!({"x:inner": ""})),
        extended("some", json!([{}, {"x:inner": "1"}])),
    ]);
    let headers = [("gs1-extensions", "x=https://x.example/")];
    let found = |query: &str| {
        let answer = gateway.keyed('a', "GET", &format!("/events?{query}"), &headers, "");
        let events = answer.events();
        let names = epcs(&events).into_iter();
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    let some = ["urn:x:number", "urn:x:false", "urn:x:object", "urn:x:some"];
    assert_eq!(found("EXISTS_x:field"), some);
    assert_eq!(found("EXISTS_x:field=true"), some);
    assert_eq!(found("EXISTS_INNER_x:inner"), ["urn:x:some"]);
    assert_eq!(found("EQ_x:field="), ["urn:x:text", "urn:x:lists"]);
    // A boolean parameter takes one value, `true` or `false`.
    for wrong in ["maybe", "", "1", "True", "true%7Cfalse", "true&EQ_booleanValue=true"] {
        let refused = gateway.get(&format!("/events?EQ_booleanValue={wrong}"));
        refused.is_problem("QueryParameterException", 400);
        let detail = refused.body["detail"].as_str().unwrap();
        assert!(detail.contains("EQ_booleanValue"), "{detail}");
    }
    let sensor = |value: bool| {
        let report = json!([{"type": "Temperature", "booleanValue": value}]);
        let list = json!([{"sensorReport": report}]);
        with(event(&format!("urn:x:{value}")), json!({"sensorElementList": list}))
    };
    gateway.capture(&[sensor(true), sensor(false)]);
    assert_eq!(found("EQ_booleanValue=true"), ["urn:x:true"]);
    assert_eq!(found("EQ_booleanValue=false"), ["urn:x:false"]);
}

fn foreign_things_are_absent(gateway: Gateway) {
    let foreign = document(&[with(event("urn:x:foreign"), json!({"eventID": "urn:uuid:foreign"}))]);
    let made = gateway.keyed('b', "POST", "/capture", &[JSON], &foreign.to_string());
    let job = made.header("location").unwrap();
    // The caller's account has as many jobs, made in the same millisecond.
    gateway.capture(&[event("urn:x:own")]);
    let same = |one: Answer, other: Answer, name: (&str, &str)| {
        assert_eq!(one.status, 404);
        assert_eq!(one.text().replace(name.0, name.1), other.text());
        let headers = |answer: &Answer| format!("{:?}", answer.response.headers());
        assert_eq!(headers(&one), headers(&other));
    };
    let absent = job.replace("/capture/c-0", "/capture/c-f");
    let names = (job.rsplit('/').next().unwrap(), absent.rsplit('/').next().unwrap());
    same(gateway.get(job), gateway.get(&absent), names);
    same(
        gateway.get("/events/urn:uuid:foreign"),
        gateway.get("/events/urn:uuid:absent1"),
        ("foreign", "absent1"),
    );
    assert_eq!(gateway.walk("/events").len(), 1);
    assert!(gateway.walk("/epcs/urn:x:foreign/events").is_empty());
    // Another key of the same account sees the account's data.
    let own = gateway.keyed('c', "GET", "/capture", &[], "");
    assert_eq!(own.body.as_array().unwrap().len(), 1);
}

fn limits_are_announced_and_kept(gateway: Gateway) {
    let mut configuration = configuration();
    configuration.max_capture_events = 2;
    configuration.max_body_bytes = 2000;
    let small = self::gateway(Service::with_store(configuration, gateway.service.store().clone()));
    let check = |answer: Answer| {
        answer.is_problem("CaptureLimitExceededException", 413);
        assert_eq!(answer.header("gs1-epcis-capture-limit"), Some("2"));
        assert_eq!(answer.header("gs1-epcis-capture-file-size-limit"), Some("2000"));
    };
    check(small.post("/capture", &document(&numbered(3))));
    assert_eq!(small.post("/capture", &document(&numbered(2))).status, 202);
    let long = with(event("urn:x:long"), json!({"rdfs:comment": "x".repeat(2000)}));
    check(small.post("/capture", &document(std::slice::from_ref(&long))));
    check(small.post("/events", &long));
    assert_eq!(small.walk("/events").len(), 2);
}

fn the_tree_stands_under_a_prefix_too(gateway: Gateway) {
    let answer = gateway.post("/epcis/capture", &document(&numbered(3)));
    assert_eq!(answer.status, 202, "{}", answer.body);
    let location = answer.header("location").unwrap();
    assert!(location.starts_with("/epcis/capture/c-"));
    assert_eq!(gateway.get(location).status, 200);
    let page = gateway.get("/epcis/events?perPage=2");
    assert!(page.next().unwrap().starts_with("/epcis/events?nextPageToken="));
    assert_eq!(gateway.walk("/epcis/events?perPage=2").len(), 3);
    assert_eq!(gateway.get("/epcis/epcs").members().len(), 3);
    let one = gateway.post("/epcis/events", &event("urn:x:1"));
    assert!(one.header("location").unwrap().starts_with("/epcis/events/ni%3A"));
    let again = gateway.post("/epcis/events", &event("urn:x:1"));
    assert!(
        again.body["instance"]
            .as_str()
            .unwrap()
            .starts_with("https://epcis.example.com/epcis/events/")
    );
    gateway
        .send("GET", "/epcis/events?kind=ObjectEvent", &[], "")
        .is_problem("SecurityException", 401);
}

fn a_capture_through_the_agent_door_has_a_job(gateway: Gateway) {
    let call = |dry_run: bool| {
        let message = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "capture", "arguments": {"document": event("urn:x:1"), "dryRun": dry_run}},
        });
        let answer = gateway.keyed('a', "POST", "/mcp", &[JSON], &message.to_string());
        answer.body["result"]["structuredContent"].clone()
    };
    assert!(call(true).get("captureID").is_none());
    assert_eq!(gateway.get("/capture").body, json!([]));
    let captured = call(false);
    let id = captured["captureID"].as_str().unwrap();
    let job = gateway.get(&format!("/capture/{id}")).body;
    assert_eq!(job["epcisEdge:eventIDs"][0], captured["events"][0]["eventID"]);
    assert_eq!(job["epcisEdge:document"], captured["document"]);
}

fn items_are_followed(gateway: Gateway) {
    let at = |minute: usize, more: Value| {
        let time = json!({"eventTime": format!("2026-01-01T00:{minute:02}:00Z"), "eventTimeZoneOffset": "+00:00"});
        with(more, time)
    };
    let packed = |minute, action: &str, parent: &str, children: Value| {
        let event = json!({"type": "AggregationEvent", "action": action, "parentID": parent, "childEPCs": children});
        at(minute, event)
    };
    let seen = |minute, action: &str, epc: &str| {
        let event = json!({
            "type": "ObjectEvent", "action": action, "epcList": [epc], "disposition": "in_transit",
            "bizLocation": {"id": "urn:x:dock"},
        });
        at(minute, event)
    };
    let milk = json!({"epcClass": "urn:x:milk", "quantity": 5.50, "uom": "LTR"});
    let made = json!({"type": "TransformationEvent", "inputQuantityList": [milk], "outputEPCList": ["urn:x:cheese"]});
    let sent = with(seen(4, "OBSERVE", "urn:x:pallet"), json!({"eventID": "urn:uuid:sent"}));
    let events = [
        with(packed(0, "ADD", "urn:x:tank", json!([])), json!({"childQuantityList": [milk]})),
        at(1, made),
        packed(2, "ADD", "urn:x:case", json!(["urn:x:cheese"])),
        packed(3, "ADD", "urn:x:pallet", json!(["urn:x:case"])),
        sent.clone(),
        with(seen(5, "OBSERVE", "urn:x:pallet"), json!({"eventID": "urn:uuid:wrong"})),
        packed(6, "DELETE", "urn:x:pallet", json!(["urn:x:case"])),
        packed(7, "OBSERVE", "urn:x:shelf", json!(["urn:x:cheese"])),
        seen(8, "DELETE", "urn:x:cheese"),
        seen(9, "OBSERVE", "urn:x:cheese"),
    ];
    gateway.capture(&events);
    // The same account withdraws one event; another account, which has no such event, disputes another.
    let declared = |event: &Value, corrective: &str| {
        let declaration = json!({
            "declarationTime": "2026-01-02T00:00:00Z", "reason": "incorrect_data", "correctiveEventIDs": [corrective],
        });
        with(event.clone(), json!({"errorDeclaration": declaration}))
    };
    gateway.capture(&[declared(&events[5], "urn:uuid:right")]);
    let foreign = document(&[declared(&sent, "urn:uuid:theirs")]).to_string();
    let taken = gateway.keyed('b', "POST", "/capture", &[JSON], &foreign);
    assert_eq!(taken.status, 202, "{}", taken.body);

    let follow = |name, question: Value| {
        gateway.keyed(name, "POST", "/follow", &[JSON], &question.to_string())
    };
    let answer = follow('e', json!({"items": ["urn:x:cheese"]}));
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let found = answer.body["events"].as_array().unwrap();
    assert_eq!(found.len(), 10, "{}", answer.body);
    // The number of a stored event would reveal how many the whole gateway has.
    assert!(found.iter().all(|event| event.get("index").is_none()));
    assert_eq!(found[4]["disputed"]["correctiveEventIDs"], json!(["urn:uuid:theirs"]));
    assert_eq!(found[4]["presences"][0]["through"], json!(["urn:x:pallet", "urn:x:case"]));
    assert_eq!(found[5]["withdrawn"], true);
    assert_eq!(found[5]["declaration"]["reason"], "incorrect_data");
    assert_eq!(found[9]["presences"][0]["afterEnd"], true);
    // Nothing of the other account exists for a key that cannot read it.
    let own = follow('a', json!({"items": ["urn:x:cheese"]}));
    assert_eq!(own.body["events"][4].get("disputed"), None);
    assert_eq!(follow('b', json!({"items": "urn:x:cheese"})).body["type"], "EMPTY");

    let pallet = follow('a', json!({"items": "urn:x:pallet", "contents": "followed"}));
    assert_eq!(pallet.body["contents"].as_array().map(Vec::len), Some(2), "{}", pallet.body);
    assert_eq!(pallet.body["events"].as_array().map(Vec::len), Some(10), "{}", pallet.body);
    let near = follow('a', json!({"items": "urn:x:cheese", "direction": "forth", "depth": 1}));
    assert_eq!(
        near.body["incomplete"],
        json!([{"reason": "depth", "at": ["urn:x:case"], "total": 1}])
    );
    let shelf = follow('a', json!({"items": "urn:x:shelf"}));
    assert_eq!(shelf.body["contents"][0]["from"]["observed"], true, "{}", shelf.body);
    let case = follow('a', json!({"items": "urn:x:case"}));
    assert_eq!(case.body["contents"][0]["to"]["implied"], true, "{}", case.body);
    let tank = follow('a', json!({"items": "urn:x:tank"}));
    assert_eq!(tank.body["contents"][0]["quantity"], json!({"quantity": 5.5, "uom": "LTR"}));

    for (question, argument) in [
        (json!({}), "items"),
        (json!({"items": []}), "items"),
        (json!({"items": ["no identifier"]}), "items"),
        (json!({"items": "urn:x:1", "depth": 65}), "depth"),
        (json!({"items": "urn:x:1", "maxEvents": 10_001}), "maxEvents"),
        (json!({"items": "urn:x:1", "through": []}), "through"),
        (json!({"items": "urn:x:1", "contents": "all"}), "contents"),
        (json!({"items": "urn:x:1", "from": "2026-01-02"}), "from"),
        (
            json!({"items": "urn:x:1", "from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"}),
            "to",
        ),
        (json!({"items": "https://id.gs1.org/01/09521141001233"}), "from"),
        (json!({"items": "urn:x:1", "kin": true, "direction": "back"}), "kin"),
        (json!({"items": "urn:x:1", "item": 1}), "item"),
    ] {
        let refused = follow('a', question);
        assert_eq!(refused.status, 400, "{}", refused.body);
        assert!(refused.text().contains(&format!("`{argument}`")), "{}", refused.text());
    }
    assert_eq!(gateway.keyed('a', "POST", "/follow", &[XML], "<a/>").status, 415);
    let long = json!({"items": "x".repeat(300_000)});
    assert_eq!(follow('a', long).status, 413);
}

fn items_are_reported(gateway: Gateway) {
    let [lot, case] =
        ["urn:epc:class:lgtin:9521141.012345.1E10", "urn:epc:id:sscc:9521141.1234567890"];
    let [farm, shop] = ["urn:epc:id:sgln:9521141.00100.0", "urn:epc:id:sgln:9521141.00300.0"];
    let at = |hour: usize, kind: &str, more: Value| {
        let event = json!({"type": kind, "eventTime": format!("2026-03-04T{hour:02}:00:00Z"), "eventTimeZoneOffset": "-05:00"});
        with(event, more)
    };
    let list = json!([{"epcClass": lot, "quantity": 40, "uom": "KGM"}]);
    let sent = at(
        11,
        "ObjectEvent",
        json!({"action": "OBSERVE", "bizStep": "shipping", "epcList": [case], "readPoint": {"id": farm}, "destinationList": [{"type": "location", "destination": shop}]}),
    );
    let events = [
        at(
            9,
            "ObjectEvent",
            json!({"action": "ADD", "bizStep": "creating_class_instance", "quantityList": list, "readPoint": {"id": farm}}),
        ),
        at(
            10,
            "AggregationEvent",
            json!({"action": "ADD", "bizStep": "packing", "parentID": case, "childQuantityList": list, "readPoint": {"id": farm}}),
        ),
        sent,
        at(
            20,
            "ObjectEvent",
            json!({"action": "OBSERVE", "bizStep": "receiving", "epcList": [case], "readPoint": {"id": shop}}),
        ),
    ];
    let attribute = |name: &str, text: &str| json!({"id": format!("urn:epcglobal:cbv:mda#{name}"), "attribute": text});
    let mut captured = document(&events);
    captured["epcisHeader"] = json!({"epcisMasterData": {"vocabularyList": [
        {"type": "urn:epcglobal:epcis:vtype:Location", "vocabularyElementList": [
            {"id": shop, "attributes": [attribute("name", "<Shop> & \"Söhne\""), attribute("city", "=Durham")]}]},
        {"type": "urn:epcglobal:epcis:vtype:EPCClass", "vocabularyElementList": [
            {"id": "urn:epc:idpat:sgtin:9521141.012345.*", "attributes": [attribute("descriptionShort", "Lettuce")]}]}]}});
    assert_eq!(gateway.post("/capture", &captured).status, 202);
    let report = |key, name: &str, question: &Value, accept: &str| {
        let path = format!("/report/{name}");
        let headers = [JSON, ("accept", accept)];
        gateway.keyed(key, "POST", &path, &headers, &question.to_string())
    };
    let asked = json!({"items": lot, "from": "2026-03-01T00:00:00Z", "to": "2026-04-01T00:00:00Z"});
    let recall = report('a', "recall", &asked, "application/json");
    assert_eq!(recall.status, 200, "{}", recall.body);
    assert_eq!(recall.header("cache-control"), Some("no-store"));
    let sheet = |report: &Answer, name: &str| {
        let sheets = report.body["sheets"].as_array().unwrap();
        let sheet = sheets.iter().find(|sheet| sheet["name"] == name).unwrap();
        let rows = sheet["rows"].as_array().unwrap().iter().map(|row| {
            let columns = sheet["columns"].as_array().unwrap().iter().zip(row.as_array().unwrap());
            columns
                .map(|(column, cell)| {
                    (column["id"].as_str().unwrap().to_owned(), cell.as_str().unwrap().to_owned())
                })
                .collect()
        });
        rows.collect::<Vec<BTreeMap<String, String>>>()
    };
    let consignees = sheet(&recall, "Consignees");
    assert_eq!(consignees.len(), 1, "{}", recall.body);
    let row = &consignees[0];
    assert_eq!(row["to"], "<Shop> & \"Söhne\" (9521141003008)");
    assert_eq!(row["address"], "=Durham");
    assert_eq!(row["product"], "Lettuce");
    assert_eq!((&*row["lot"], &*row["quantity"], &*row["unit"]), ("1E10", "40", "KGM"));
    assert_eq!(row["received"], "yes, 2026-03-04 <Shop> & \"Söhne\" (9521141003008)");
    // The content hash finds the event, and this gateway keeps no log.
    let found =
        gateway.get(&format!("/events/{}", row["hash"].replace('/', "%2F").replace('?', "%3F")));
    assert_eq!(found.status, 200, "{} {}", row["hash"], found.body);
    assert!(!row.contains_key("proof"));
    // What happened before `from` is not read, and the report says so.
    assert_eq!(recall.body["gaps"].as_array().map(Vec::len), Some(1));

    let fsma = report('a', "fsma204", &json!({"items": [lot]}), "*/*");
    let harvested = sheet(&fsma, "Harvesting");
    assert_eq!(harvested[0]["product"], "Lettuce");
    assert_eq!(fsma.body["gaps"], json!([]));
    assert_eq!(sheet(&report('a', "passport", &json!({"items": case}), "*/*"), "Life").len(), 3);
    let nothing = report('b', "dscsa", &json!({"items": case}), "*/*");
    assert_eq!(nothing.body["type"], "EMPTY", "{}", nothing.body);

    let csv = report('a', "recall", &json!({"items": lot}), "text/csv");
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8; header=present"));
    assert_eq!(csv.header("content-disposition"), Some("attachment; filename=\"recall.csv\""));
    assert!(csv.text().contains(",\"'=Durham\","), "{}", csv.text());
    let html = report('a', "recall", &json!({"items": lot}), "text/html, application/json;q=0.5");
    assert_eq!(
        html.header("content-security-policy"),
        Some("default-src 'none'; style-src 'unsafe-inline'")
    );
    assert!(html.text().contains("&lt;Shop&gt; &amp; &quot;Söhne&quot;"), "{}", html.text());

    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "report", "arguments": {"report": "recall", "items": [lot]},
    }});
    let told = gateway.keyed('a', "POST", "/mcp", &[JSON], &message.to_string());
    let told = &told.body["result"]["structuredContent"];
    assert_eq!(
        told["sheets"][0],
        report('a', "recall", &json!({"items": lot}), "*/*").body["sheets"][0]
    );

    for (name, question, argument) in [
        ("recall", json!({}), "items"),
        ("fsma204", json!({}), "items"),
        ("fsma204", json!({"depth": 3}), "depth"),
        ("passport", json!({"items": [lot, case]}), "items"),
        ("recall", json!({"items": lot, "report": "recall"}), "report"),
    ] {
        let refused = report('a', name, &question, "*/*");
        assert_eq!(refused.status, 400, "{}", refused.body);
        assert!(refused.text().contains(&format!("`{argument}`")), "{}", refused.text());
    }
    assert_eq!(report('a', "fsma", &json!({"items": lot}), "*/*").status, 404);
    assert_eq!(report('a', "recall", &json!({"items": lot}), "application/pdf").status, 406);
    assert_eq!(report('c', "recall", &json!({"items": lot}), "*/*").status, 403);
    let long = json!({"items": "x".repeat(300_000)});
    assert_eq!(report('a', "recall", &long, "*/*").status, 413);
    assert_eq!(gateway.keyed('a', "POST", "/report/recall", &[XML], "<a/>").status, 415);
}

/// A path template filled with values for its parameters.
fn filled(template: &str) -> String {
    [
        ("{captureID}", "c-1"),
        ("{eventID}", "urn:x:1"),
        ("{eventType}", "ObjectEvent"),
        ("{epc}", "urn:x:1"),
        ("{bizStep}", "shipping"),
        ("{bizLocation}", "urn:x:1"),
        ("{readPoint}", "urn:x:1"),
        ("{disposition}", "in_transit"),
        ("{queryName}", "SimpleEventQuery"),
        ("{name}", "recall"),
        ("{subscriptionID}", "1"),
        ("{token}", "x"),
    ]
    .iter()
    .fold(template.to_owned(), |path, (name, value)| path.replace(name, value))
}

#[test]
fn every_promise_of_the_description_is_kept() {
    everything();
    let gateway = memory();
    let store = empty_sqlite();
    store.database().is_down.set(true);
    let down = self::gateway(Service::with_store(configuration(), store));
    let of_tags = |of: fn(&Description, Option<&str>) -> BTreeSet<Promise>| {
        let tags = ["EPCIS 2.0 REST binding", "following"];
        let of_tag = |tag| DESCRIPTION.with(|known| of(known, Some(tag)));
        tags.into_iter().flat_map(of_tag).collect::<BTreeSet<_>>()
    };
    let promised = of_tags(Description::promised_by);
    for (template, method, status) in &promised {
        let path = filled(template);
        let method = method.to_uppercase();
        let send = |headers: &[(&str, &str)], path: &str| {
            let answer = gateway.send(&method, path, headers, "{}");
            assert_eq!(answer.status.to_string(), *status, "{method} {path}");
        };
        let key = |name: char| format!("Bearer {}", key_of(name));
        let whole = key('a');
        let keyed = [JSON, ("authorization", whole.as_str())];
        match status.as_str() {
            "204" if method == "OPTIONS" => send(&[], &path),
            "401" => send(&[JSON, ("gs1-epc-format", "No_Preference")], &path),
            "429" => {
                gateway.admits.set(false);
                send(&keyed, &path);
                gateway.admits.set(true);
            }
            "503" => {
                let answer = down.send(&method, &path, &keyed, "{}");
                assert_eq!(answer.status, 503, "{method} {path}");
                assert_eq!(answer.header("retry-after"), Some("5"));
                answer.is_problem("ImplementationException", 503);
            }
            "406" if template.starts_with("/report") => {
                send(&[keyed[0], keyed[1], ("accept", "application/pdf")], &path);
            }
            "406" => send(&[keyed[0], keyed[1], ("gs1-epcis-version", "9")], &path),
            "400" => send(&keyed, &format!("{path}?x=1")),
            "414" => send(&keyed, &format!("{path}?{}", "x".repeat(9000))),
            "403" => {
                let captures =
                    template.starts_with("/capture") || method == "POST" && template == "/events";
                let other = key(if captures { 'd' } else { 'c' });
                send(&[JSON, ("authorization", &other)], &path);
            }
            "404" if template.contains("{queryName}") => {
                send(&keyed, &path.replace("SimpleEventQuery", "none"));
            }
            "404" if template.ends_with('}') || template.ends_with("/events") => {
                let value = template.split('/').nth(2).unwrap();
                send(&keyed, &template.replace(value, "%00"));
            }
            "413" if method == "GET" => {
                let events = [1, 2].map(|number| {
                    let more = json!({
                        "bizStep": "shipping", "disposition": "in_transit",
                        "readPoint": {"id": "urn:x:1"}, "bizLocation": {"id": "urn:x:1"},
                        "eventTime": format!("2026-01-0{number}T00:00:00Z"),
                    });
                    with(event("urn:x:1"), more)
                });
                gateway.capture(&events);
                send(&keyed, &format!("{path}?maxEventCount=1"));
            }
            _ => {}
        }
    }
    let kept = KEPT.with(|kept| kept.borrow().clone());
    let missing: Vec<_> = promised.difference(&kept).collect();
    assert!(missing.is_empty(), "{missing:#?}");
    for tag in ["EPCIS 2.0 REST binding", "following"] {
        let never = DESCRIPTION.with(|known| known.never_answered(Some(tag)));
        assert!(never.is_empty(), "described, and in no answer: {never:#?}");
    }
}

#[test]
fn while_nothing_is_stored_questions_are_answered() {
    let open = memory();
    open.capture(&[event("urn:x:1")]);
    let name = r#"{"name": "kept", "query": {}}"#;
    open.keyed('a', "POST", "/queries", &[JSON], name);
    let configuration = Configuration { read_only: true, ..configuration() };
    let gateway = gateway(Service::with_store(configuration, open.service.store().clone()));
    let one = event("urn:x:2").to_string();
    for (method, path, body) in [
        ("POST", "/capture", document(&[event("urn:x:2")]).to_string()),
        ("POST", "/events", one),
        ("POST", "/queries", name.replace("kept", "other")),
        ("DELETE", "/queries/kept", String::new()),
    ] {
        let answer = gateway.keyed('a', method, path, &[JSON], &body);
        assert_eq!(answer.header("retry-after"), Some("120"), "{method} {path}");
        answer.is_problem("ImplementationException", 503);
    }
    assert_eq!(gateway.walk("/events").len(), 1);
    assert_eq!(gateway.get("/queries/kept").status, 200);
}

fn refuses_zeros(gateway: &Gateway) {
    for (put, path) in [
        (r#""urn:x:\u0000""#, "/epcisBody/eventList/1/epcList/0"),
        (r#""urn:x:1"], "x:\u0000": ["1""#, "/epcisBody/eventList/1/x:\0"),
        (
            r#""urn:x:1"], "x:o": [{"x:p": ["1", "\\\u0000"]}], "x:q": ["1""#,
            "/epcisBody/eventList/1/x:o/0/x:p/1",
        ),
    ] {
        let text = document(&[event("urn:x:1"), event("urn:x:zero")]).to_string();
        let text = text.replace(r#""urn:x:zero""#, put);
        let answer = gateway.keyed('a', "POST", "/capture", &[JSON], &text);
        assert_eq!(answer.body["errors"][0]["path"], path, "{}", answer.body);
        assert_eq!(answer.body["errors"][0]["keyword"], "noZero");
        answer.is_problem("ValidationException", 400);
    }
    assert_eq!(gateway.walk("/events").len(), 0);
    // `\\u0000` is an escaped backslash followed by text, not a zero character.
    let context = json!([CONTEXT, {"x": "https://x.example/"}]);
    let more = json!({"@context": context, "x:text": "\\u0000"});
    let text = with(event("urn:x:1"), more).to_string();
    assert!(text.contains(r"\\u0000"));
    let answer = gateway.keyed('a', "POST", "/events", &[JSON], &text);
    assert_eq!(answer.status, 201, "{}", answer.body);
}

#[test]
fn a_zero_is_refused_with_its_place() {
    refuses_zeros(&memory());
    refuses_zeros(&sqlite());
}

#[test]
fn a_job_tells_of_so_many_events_and_counts_the_others() {
    let gateway = memory();
    let mut events = numbered(1500);
    for event in events.iter_mut().skip(2) {
        event["action"] = "LOOK".into();
    }
    let headers = [JSON, ("gs1-capture-error-behaviour", "proceed")];
    let text = document(&events).to_string();
    let answer = gateway.keyed('a', "POST", "/capture", &headers, &text);
    let job = gateway.get(answer.header("location").unwrap()).body;
    assert_eq!(job["epcisEdge:refusedCount"], 1498);
    let errors = job["errors"].as_array().unwrap();
    assert!(errors.len() > 100 && errors.len() <= 1001, "{}", errors.len());
    let told = format!("{} more events were not stored", 1498 - (errors.len() - 1));
    assert_eq!(errors.last().unwrap()["detail"], told);
    assert_eq!(gateway.walk("/events").len(), 2);
}

#[test]
fn a_document_of_numbers_is_too_much() {
    let gateway = memory();
    let mut text = document(&[event("urn:x:1")]).to_string();
    let numbers = format!("[{}1]", "1,".repeat(1_500_000));
    text = text.replace(r#"["urn:x:1"]"#, &numbers);
    for behaviour in ["rollback", "proceed"] {
        let headers = [JSON, ("gs1-capture-error-behaviour", behaviour)];
        gateway
            .keyed('a', "POST", "/capture", &headers, &text)
            .is_problem("CaptureLimitExceededException", 413);
    }
}
