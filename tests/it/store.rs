//! Capture, query, trace and keys: one suite over the store in memory, and over SQLite and PostgreSQL with the Worker's statements.

mod recording;

use crate::support::postgres::empty_postgres;
use crate::support::{SqliteStore, empty_sqlite};
use epcis_edge_core::call::{Call, Principal, Readable, Rights};
use epcis_edge_core::capture::HashEventIds;
use epcis_edge_core::error::{Error, ErrorKind, Problem};
use epcis_edge_core::hash::{self, Profile};
use epcis_edge_core::json::Document;
use epcis_edge_core::query::Query;
use epcis_edge_core::service::{CaptureOptions, Captured, Configuration, Found, Service};
use epcis_edge_core::store::{Bearer, DocumentDigest, Key, MemoryStore, Store};
use epcis_edge_core::validate::Validator;
use epcis_edge_tests::rest::matches;
use epcis_edge_tests::{entries, own_vectors, read, read_json};
use pollster::block_on;
use recording::*;
use serde_json::{Value, json};
use std::rc::Rc;

/// 2026-02-01T00:00:00Z
const NOW: u64 = 1_769_904_000_000;
const ACCOUNT: &str = "https://example.com/accounts/1";
const OTHER: &str = "https://example.com/accounts/2";
const OBSERVER: &str = "https://id.gs1.org/417/9521141000009";
const CONTEXT: &str = "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld";
const NAMESPACE: &str = "https://epcis.example.com/ns/spine/";

fn service(store: Rc<dyn Store>) -> Service {
    Service::with_store(Configuration::at("https://epcis.example.com"), store)
}

/// The same service, refusing eventIDs in hash form that do not match.
fn strict(service: Service) -> Service {
    let mut configuration = service.configuration().clone();
    configuration.hash_event_ids = HashEventIds::Refuse;
    Service::with_store(configuration, service.store().clone())
}

fn call() -> Call {
    Call::new(NOW, Principal::local(ACCOUNT, OBSERVER))
}

fn event(epc: &str) -> Value {
    json!({
        "@context": [CONTEXT], "type": "ObjectEvent", "action": "OBSERVE", "epcList": [epc],
        "eventTime": "2026-01-01T00:00:00.000Z", "eventTimeZoneOffset": "+00:00",
    })
}

fn document(events: &[Value]) -> Value {
    json!({
        "@context": [CONTEXT], "type": "EPCISDocument", "schemaVersion": "2.0",
        "creationDate": "2026-02-01T00:00:00Z", "epcisBody": {"eventList": events},
    })
}

fn capture(service: &Service, document: &Value) -> Result<Captured, Error> {
    block_on(service.capture(document.to_string().as_bytes(), false, &call()))
}

fn query(service: &Service, parameters: &Value, call: &Call) -> Result<Value, Error> {
    let text = parameters.to_string();
    let query = Query::read(Document::read(text.as_bytes())?.root())?;
    let found = block_on(service.query(&query, call))?;
    Ok(serde_json::from_str(&serde_json::to_string(&found).unwrap()).unwrap())
}

fn events(answer: &Value) -> Vec<Value> {
    let list = answer.pointer("/epcisBody/queryResults/resultsBody/eventList");
    list.and_then(Value::as_array).cloned().unwrap_or_default()
}

/// All events of a query, page by page.
fn walk(service: &Service, query_: &Value, call: &Call) -> Result<Vec<Value>, Error> {
    let mut all = Vec::new();
    let mut parameters = query_.clone();
    loop {
        let answer = query(service, &parameters, call)?;
        all.extend(events(&answer));
        let Some(token) = answer.get("nextPageToken") else {
            return Ok(all);
        };
        parameters["nextPageToken"] = token.clone();
    }
}

fn exception(error: &Error) -> (String, u16) {
    let problem = serde_json::to_value(Problem::from(error)).unwrap();
    let name = problem["type"].as_str().unwrap();
    let name = name.strip_prefix("epcisException:").unwrap();
    (name.to_owned(), Problem::from(error).status)
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, Error>, name: &str, status: u16) -> Error {
    let error = result.unwrap_err();
    assert_eq!(exception(&error), (name.to_owned(), status), "{error}");
    error
}

/// A store that stages the rows of every capture first, as it does for large captures.
fn staging() -> Rc<SqliteStore> {
    let store = empty_sqlite();
    store.database().at_once.set(0);
    store
}

/// Runs the suite on every store.
macro_rules! for_every_store {
    ($($name:ident)+) => {
        mod memory { $(#[test] fn $name() { super::$name(super::service(super::Rc::new(super::MemoryStore::new()))); })+ }
        mod sqlite_staging { $(#[test] #[ignore = "again, rows staged first: make test-all"] fn $name() { super::$name(super::service(super::staging())); })+ }
        mod sqlite { $(#[test] fn $name() { super::$name(super::service(super::empty_sqlite())); })+ }
        mod postgres { $(#[test] #[ignore = "needs PostgreSQL"] fn $name() { if let Some(store) = super::empty_postgres() { super::$name(super::service(store)); } })+ }
    };
}

for_every_store! {
    capture_vectors_become_what_they_say
    query_vectors_find_what_they_say
    a_document_is_stored_once
    a_duplicate_says_in_what_it_differs
    measurements_are_found_in_every_spelling
    a_caller_may_name_events_and_forge_nothing
    a_stored_event_stands_alone
    an_invalid_document_leaves_no_trace
    repeated_names_are_refused
    what_is_out_of_scope_is_absent
    keys_open_what_they_may
    pages_stay_consistent_while_events_are_appended
    altered_and_foreign_tokens_are_refused
    texts_are_found_literally_or_not_at_all
    long_events_are_stored_whole
    names_in_hash_form_hold_or_are_refused
    a_name_that_held_by_foreign_stamps_goes_with_them
    a_declaration_may_name_a_stored_event_of_the_same_content
    stale_hashes_are_kept_where_that_is_asked_for
    pages_are_bounded_by_bytes_and_work
    counting_ends
    a_second_name_finds_the_event
    one_name_is_not_given_to_two_events
    a_hash_comes_before_who_bears_it_as_a_name
    declarations_compare_whole
    a_job_tells_what_its_events_are
    record_times_never_go_back
    what_is_new_follows_a_cursor
}

fn query_vectors_find_what_they_say(service: Service) {
    let folder = own_vectors("query");
    let sent = read(&folder.join("events.json"));
    let captured = block_on(service.capture(&sent, false, &call())).unwrap();
    let hash = |event: &Value| {
        let declares = event.get("errorDeclaration").is_some();
        (event["eventTime"].clone(), declares)
    };
    let sent: Value = serde_json::from_slice(&sent).unwrap();
    let sent: Vec<_> =
        sent["epcisBody"]["eventList"].as_array().unwrap().iter().map(hash).collect();
    assert_eq!(captured.events.len(), sent.len());
    let cases = read_json(&folder.join("queries.json"));
    let mut wrong = Vec::new();
    for case in cases.as_array().unwrap() {
        let found = match walk(&service, &case["query"], &call()) {
            Err(error) => json!(format!("epcisException:{}", exception(&error).0)),
            Ok(found) => found
                .iter()
                .map(|event| sent.iter().position(|sent| *sent == hash(event)))
                .collect(),
        };
        let expected = case.get("finds").or(case.get("refused")).unwrap();
        if found != *expected {
            wrong.push(format!(
                "{}: {} found {found}, expected {expected}",
                case["note"], case["query"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn capture_vectors_become_what_they_say(service: Service) {
    let mut wrong = Vec::new();
    for path in entries(&own_vectors("capture")) {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let case = read_json(&path);
        // A separate account, so that the case does not see the events of others.
        let account = format!("{ACCOUNT}/{name}");
        let call = Call::new(NOW, Principal::local(&account, OBSERVER));
        let text = case["document"].to_string();
        let word = case.get("hashEventIDs").and_then(Value::as_str);
        let options = CaptureOptions {
            hash_event_ids: word.map(|word| HashEventIds::named(word).unwrap()),
            ..CaptureOptions::default()
        };
        let found = match block_on(service.capture_as(text.as_bytes(), options, &call)) {
            Ok(captured) => {
                let stored = json!(walk(&service, &json!({}), &call).unwrap()).to_string();
                let stored: Value =
                    serde_json::from_str(&stored.replace(&account, ACCOUNT)).unwrap();
                json!({"captured": captured, "stored": stored})
            }
            Err(error) => json!({"refused": Problem::from(&error)}),
        };
        for part in ["captured", "stored", "refused"] {
            if let Some(expected) = case.get(part)
                && let Err(difference) = matches(&found[part], expected, part)
            {
                wrong.push(format!("{name}: {difference}"));
            }
        }
        assert!(case.get("stored").or(case.get("refused")).is_some());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn a_document_is_stored_once(service: Service) {
    let sent = document(&[event("urn:x:1"), event("urn:x:2"), event("urn:x:1")]);
    let first = capture(&service, &sent).unwrap();
    let duplicates = |captured: &Captured| -> Vec<_> {
        captured.events.iter().map(|event| event.duplicate).collect()
    };
    assert_eq!(duplicates(&first), [false, false, true]);
    assert_eq!(first.events[2].event_id, first.events[0].event_id);
    let again = capture(&service, &sent).unwrap();
    assert_eq!(duplicates(&again), [true; 3]);
    assert_eq!(walk(&service, &json!({}), &call()).unwrap().len(), 2);

    // The same event with another eventID is a duplicate. The answer has the first eventID.
    let mut named = event("urn:x:1");
    named["eventID"] = json!("urn:uuid:11111111-1111-4111-8111-111111111111");
    let renamed = capture(&service, &named).unwrap();
    assert_eq!(duplicates(&renamed), [true]);
    assert_eq!(renamed.events[0].event_id, first.events[0].event_id);

    // An error declaration is a separate record with the same eventID.
    let mut wrong = event("urn:x:1");
    wrong["errorDeclaration"] = json!({"declarationTime": "2026-01-02T00:00:00Z"});
    let declared = capture(&service, &wrong).unwrap();
    assert_eq!(duplicates(&declared), [false]);
    assert_eq!(declared.events[0].event_id, first.events[0].event_id);
    assert_eq!(duplicates(&capture(&service, &wrong).unwrap()), [true]);
    let both = block_on(service.get_event(&first.events[0].event_id, None, &call())).unwrap();
    assert_eq!(both.events.len(), 2);
    let both =
        block_on(service.get_event(&first.events[0].content_hash.to_string(), None, &call()))
            .unwrap();
    assert_eq!(both.events.len(), 2);

    // Another observer's or another account's event is not a duplicate.
    for principal in
        [Principal::local(ACCOUNT, "https://example.com/dock"), Principal::local(OTHER, OBSERVER)]
    {
        let other = Call::new(NOW, principal);
        let captured =
            block_on(service.capture(sent.to_string().as_bytes(), false, &other)).unwrap();
        assert_eq!(duplicates(&captured), [false, false, true]);
        assert_ne!(captured.events[0].event_id, first.events[0].event_id);
        assert_eq!(captured.events[0].content_hash, first.events[0].content_hash);
    }
    // The document is kept byte for byte as evidence.
    let text = sent.to_string();
    let digest = DocumentDigest::of(text.as_bytes());
    assert_eq!(first.document, digest.to_string());
    assert_eq!(block_on(service.store().document(&digest)).unwrap(), Some(text.into_bytes()));
}

/// Differences in members that are not hashed are reported.
fn a_duplicate_says_in_what_it_differs(service: Service) {
    let differs = |captured: &Captured| -> Vec<Vec<String>> {
        captured
            .events
            .iter()
            .map(|event| {
                assert_eq!(event.compared, None);
                let paths = event.differs.iter();
                paths.map(|difference| difference.path.clone()).collect()
            })
            .collect()
    };
    let nothing: Vec<String> = Vec::new();
    let mut certified = event("urn:x:1");
    certified["certificationInfo"] = json!("https://example.com/certificates/1");
    certified["eventTime"] = json!("2026-01-01T00:00:00.0001Z");
    let plain = event("urn:x:1");
    let sent = document(&[plain.clone(), certified.clone(), plain]);
    let expected = vec!["/eventTime".to_owned(), "/certificationInfo".to_owned()];
    let first = capture(&service, &sent).unwrap();
    let all = [nothing.clone(), expected.clone(), nothing.clone()];
    assert_eq!(differs(&first), all);
    assert_eq!(differs(&capture(&service, &sent).unwrap()), all);

    // Each is compared with the stored event of the same content.
    let name = "urn:uuid:11111111-1111-4111-8111-111111111113";
    for epc in ["urn:x:2", "urn:x:3"] {
        let mut named = event(epc);
        named["eventID"] = json!(name.replace('3', epc.get(6..).unwrap()));
        named["certificationInfo"] = json!(epc);
        assert_eq!(differs(&capture(&service, &named).unwrap()), std::slice::from_ref(&nothing));
    }
    let mut again = event("urn:x:3");
    again["certificationInfo"] = json!("urn:x:2");
    let again = capture(&service, &again).unwrap();
    assert_eq!(again.events[0].event_id, name);
    assert_eq!(differs(&again), [["/certificationInfo"]]);

    // Only the first thousand are compared. The others say so.
    let many = document(&vec![event("urn:x:4"); 1200]);
    let many = capture(&service, &many).unwrap();
    let compared = many.events.iter().map(|event| event.compared);
    assert_eq!(compared.filter(|compared| *compared == Some(false)).count(), 199);
    let value = serde_json::to_value(&many.events[1]).unwrap();
    assert_eq!(value.get("differs"), None);
}

/// Spellings that are duplicates of each other find the same events.
fn measurements_are_found_in_every_spelling(service: Service) {
    let spellings = ["Temperature", "https://ref.gs1.org/voc/Temperature"];
    for (number, spelling) in spellings.into_iter().enumerate() {
        let mut measured = event("urn:x:1");
        measured["sensorElementList"] =
            json!([{"sensorReport": [{"type": spelling, "value": 1, "uom": "CEL"}]}]);
        let captured = capture(&service, &measured).unwrap();
        assert_eq!(captured.events[0].duplicate, number == 1);
        for asked in
            spellings.into_iter().chain(["gs1:Temperature", "https://gs1.org/voc/Temperature"])
        {
            let found = query(&service, &json!({"EQ_type": [asked]}), &call()).unwrap();
            assert_eq!(events(&found).len(), 1, "{spelling} {asked}");
        }
    }
}

fn a_caller_may_name_events_and_forge_nothing(service: Service) {
    let mut sent = event("urn:x:1");
    sent["@context"] =
        json!([CONTEXT, {"spine": "https://other.example/", "x": "https://epcis.example.com/ns/"}]);
    sent["recordTime"] = json!("1999-01-01T00:00:00Z");
    sent["x:spine/who"] = json!("https://mallory.example/");
    sent["spine:who"] = json!("a word of another namespace");
    // Members that are not hashed may have an undeclared prefix, which is never one of the gateway's.
    sent["rdfs:comment"] = json!({"spine2:who": "undeclared"});
    sent["eventID"] = json!("urn:uuid:11111111-1111-4111-8111-111111111111");
    let captured = capture(&service, &sent).unwrap();
    let one = &captured.events[0];
    assert_eq!(one.event_id, "urn:uuid:11111111-1111-4111-8111-111111111111");
    assert_eq!(one.stripped, ["/recordTime", "/x:spine~1who"]);
    let text = sent.to_string();
    let document = Document::read(text.as_bytes()).unwrap();
    let hashes = hash::hash_document(&document, Profile::Cbv20).unwrap();
    assert_eq!(one.content_hash, hashes[0]);
    let found = block_on(service.get_event(&one.event_id, None, &call())).unwrap();
    let stored: Value = serde_json::from_str(found.events[0].get()).unwrap();
    assert_eq!(stored["recordTime"], "2026-02-01T00:00:00.000Z");
    assert_eq!(stored["spine:who"], "a word of another namespace");
    assert_eq!(stored["spine3:who"], OBSERVER);
    assert_eq!(stored["spine3:capturedBy"], ACCOUNT);
    assert_eq!(stored["@context"][2], json!({"spine3": NAMESPACE}));
    assert_eq!(stored.get("x:spine/who"), None);

    let mut long = event("urn:x:1");
    long["eventID"] = json!(format!("urn:x:{}", "9".repeat(8192)));
    refused(capture(&service, &long), "ValidationException", 400);

    // An eventID in hash form is verified. The event's own hash is accepted under any profile.
    let mut named = event("urn:x:2");
    let text = named.to_string();
    let document = Document::read(text.as_bytes()).unwrap();
    for profile in [Profile::Cbv21, Profile::Cbv20] {
        named["eventID"] = json!(hash::hash_document(&document, profile).unwrap()[0].to_string());
        assert_eq!(capture(&service, &named).unwrap().events.len(), 1);
    }
    named["epcList"] = json!(["urn:x:3"]);
    let service = strict(service);
    let error = refused(capture(&service, &named), "ValidationException", 400);
    let problem = Problem::from(&error);
    assert_eq!(
        (problem.errors[0].path.as_str(), problem.errors[0].keyword.as_str()),
        ("/eventID", "eventHash")
    );
}

fn a_stored_event_stands_alone(service: Service) {
    // Digits and escapes, and prefixes declared by the document, the body and the event.
    let sent = format!(
        r#"{{"@context": ["{CONTEXT}", {{"a": "https://a.example/"}}, {{"spine": "{NAMESPACE}"}}], "type": "EPCISDocument",
        "schemaVersion": "2.0", "creationDate": "2026-02-01T00:00:00Z", "epcisBody": {{
        "@context": {{"b": "https://b.example/"}}, "eventList": [{{"type": "ObjectEvent", "action": "OBSERVE",
        "@context": ["{CONTEXT}", {{"a": "https://other.example/"}}],
        "eventTime": "2026-01-01T00:00:00.000Z", "eventTimeZoneOffset": "+00:00", "epcList": ["urn:x:1"],
        "a:number": 0.10000000000000000550, "b:text": "\u0041\n\"", "a:big": 12345678901234567890123 }}]}}}}"#
    );
    let captured = block_on(service.capture(sent.as_bytes(), false, &call())).unwrap();
    let found = block_on(service.get_event(&captured.events[0].event_id, None, &call())).unwrap();
    let text = found.events[0].get();
    assert!(text.contains(r#""a:number":0.10000000000000000550,"b:text":"\u0041\n\"","a:big":12345678901234567890123"#), "{text}");
    let stored: Value = serde_json::from_str(text).unwrap();
    let a = |namespace: &str| json!({"a": namespace});
    // The gateway's own entry is last, even if an outer context has it too.
    let own = json!({"spine": {"@id": NAMESPACE, "@prefix": true}});
    let expected = json!([CONTEXT, a("https://a.example/"), {"spine": NAMESPACE}, {"b": "https://b.example/"}, a("https://other.example/"), own]);
    assert_eq!(stored["@context"], expected);
    // Clients can check the returned event by the schema and by its eventID.
    let document = Document::read(text.as_bytes()).unwrap();
    assert_eq!(Validator::new().unwrap().validate(&document).errors, []);
    let hashes = hash::hash_document(&document, Profile::Cbv20).unwrap();
    assert_eq!(captured.events[0].event_id, hashes[0].to_string());
    // The whole answer is valid too.
    let answer = query(&service, &json!({}), &call()).unwrap().to_string();
    let answer = Document::read(answer.as_bytes()).unwrap();
    assert_eq!(Validator::new().unwrap().validate(&answer).errors, []);
    // A returned event can be captured again. Its stamps are stripped.
    let again = block_on(service.capture(text.as_bytes(), false, &call())).unwrap();
    assert_eq!(again.events[0].stripped, ["/recordTime", "/spine:who", "/spine:capturedBy"]);
    assert!(again.events[0].duplicate);
    // A dry run stores nothing, and reports what is stored already.
    let dry = block_on(service.capture(text.as_bytes(), true, &call())).unwrap();
    assert!(dry.events[0].duplicate);
    let other = event("urn:x:2").to_string();
    let dry = block_on(service.capture(other.as_bytes(), true, &call())).unwrap();
    assert!(!dry.events[0].duplicate);
    refused(
        block_on(service.get_event(&dry.events[0].event_id, None, &call())),
        "NoSuchResourceException",
        404,
    );
}

fn an_invalid_document_leaves_no_trace(service: Service) {
    let mut sent: Vec<Value> = (0..200).map(|n| event(&format!("urn:x:{n}"))).collect();
    sent[150]["bizStep"] = json!("shiping");
    sent[151].as_object_mut().unwrap().remove("eventTime");
    for (sent, above) in [(document(&sent), "/epcisBody/eventList"), (json!(sent), "")] {
        let error = refused(capture(&service, &sent), "ValidationException", 400);
        let errors = Problem::from(&error).errors;
        let found: Vec<_> =
            errors.iter().map(|error| (error.path.clone(), error.keyword.as_str())).collect();
        assert_eq!(
            found,
            [(format!("{above}/150/bizStep"), "anyOf"), (format!("{above}/151"), "required")]
        );
        let text = sent.to_string();
        let digest = DocumentDigest::of(text.as_bytes());
        assert_eq!(block_on(service.store().document(&digest)).unwrap(), None);
    }
    let results = query(&service, &json!({}), &call()).unwrap();
    assert_eq!(results["type"], "EMPTY");
    assert!(!results["message"].as_str().unwrap().is_empty());
    for nothing in [json!([]), document(&[]), json!([1]), json!("text"), json!({})] {
        refused(capture(&service, &nothing), "ValidationException", 400);
    }
    let stored = capture(&service, &event("urn:x:1")).unwrap();
    let answer = query(&service, &json!({}), &call()).unwrap();
    refused(capture(&service, &answer), "ValidationException", 400);
    assert_eq!(stored.events.len(), 1);
}

fn repeated_names_are_refused(service: Service) {
    let text = event("urn:x:1").to_string().replacen('{', r#"{"acti\u006fn":"ADD","#, 1);
    let result = block_on(service.capture(text.as_bytes(), false, &call()));
    let error = refused(result, "ValidationException", 400);
    assert!(matches!(error.kind(), ErrorKind::Invalid { errors } if errors[0].path == "/action"));
}

fn what_is_out_of_scope_is_absent(service: Service) {
    let stored = capture(&service, &event("urn:x:1")).unwrap();
    let id = &stored.events[0].event_id;
    let mut other = Call::new(NOW, Principal::local(OTHER, OBSERVER));
    for hidden in [id, &stored.events[0].content_hash.to_string(), "urn:x:none"] {
        refused(block_on(service.get_event(hidden, None, &other)), "NoSuchResourceException", 404);
    }
    assert_eq!(query(&service, &json!({"maxEventCount": 1}), &other).unwrap()["type"], "EMPTY");
    let traced = block_on(service.trace("urn:x:1", None, None, &other)).unwrap();
    assert!(matches!(traced, Found::Empty { .. }));
    for readable in
        [Readable::All, Readable::Accounts([ACCOUNT.to_owned(), OTHER.to_owned()].into())]
    {
        other.principal.readable = readable;
        assert_eq!(walk(&service, &json!({}), &other).unwrap().len(), 1);
        let traced = block_on(service.trace("urn:x:1", None, None, &other)).unwrap();
        assert!(matches!(traced, Found::Page(page) if page.events.len() == 1));
    }
}

fn keys_open_what_they_may(service: Service) {
    let mut call = call();
    call.principal.rights = Rights { capture: false, query: true };
    let text = event("urn:x:1").to_string();
    refused(block_on(service.capture(text.as_bytes(), false, &call)), "SecurityException", 403);
    call.principal.rights = Rights { capture: true, query: false };
    refused(query(&service, &json!({}), &call), "SecurityException", 403);
    refused(block_on(service.get_event("urn:x:1", None, &call)), "SecurityException", 403);
    refused(block_on(service.trace("urn:x:1", None, None, &call)), "SecurityException", 403);
    let shown = format!("Bearer epcis_0123456789ab_{}", "s".repeat(43));
    for header in
        [None, Some(""), Some("Bearer"), Some("Basic eDp5"), Some("Bearer x"), Some(&shown)]
    {
        refused(block_on(service.authenticate(header)), "SecurityException", 401);
    }
}

#[test]
fn a_key_is_valid_until_it_is_revoked() {
    let shown = format!("Bearer epcis_0123456789ab_{}", "s".repeat(43));
    let bearer = Bearer::read(Some(&shown)).unwrap();
    let digest: String = bearer.digest().iter().map(|byte| format!("{byte:02x}")).collect();
    let database = empty_sqlite();
    let sqlite = service(database.clone());
    let insert = "INSERT INTO keys VALUES ('0123456789ab', ?1, 'urn:a', 'urn:o', 1, 0, '[\"urn:a\",\"urn:b\"]', '', '', NULL)";
    database.database().connection.execute(insert, [&digest]).unwrap();
    let keys = Rc::new(MemoryStore::new());
    let memory = service(keys.clone());
    let key = Key {
        id: "0123456789ab".to_owned(),
        digest: bearer.digest(),
        account: "urn:a".to_owned(),
        observer: "urn:o".to_owned(),
        rights: Rights { capture: true, query: false },
        readable: Readable::Accounts(["urn:a".to_owned(), "urn:b".to_owned()].into()),
        revoked: false,
    };
    keys.put_key(key.clone());
    let one = block_on(sqlite.authenticate(Some(&shown))).unwrap();
    assert_eq!(one, block_on(memory.authenticate(Some(&shown))).unwrap());
    assert_eq!((one.account.as_str(), one.observer.as_str()), ("urn:a", "urn:o"));
    assert!(!format!("{one:?} {key:?} {bearer:?}").contains("sss"));
    let wrong = shown.replace("_ss", "_xs");
    refused(block_on(sqlite.authenticate(Some(&wrong))), "SecurityException", 401);
    refused(block_on(memory.authenticate(Some(&wrong))), "SecurityException", 401);
    database.database().connection.execute("UPDATE keys SET revoked_at = 'now'", []).unwrap();
    keys.put_key(Key { revoked: true, ..key });
    refused(block_on(sqlite.authenticate(Some(&shown))), "SecurityException", 401);
    refused(block_on(memory.authenticate(Some(&shown))), "SecurityException", 401);
}

fn many(range: std::ops::Range<u32>) -> Value {
    let events: Vec<_> = range
        .map(|n| {
            let mut one = event(&format!("urn:epc:id:sgtin:0614141.112345.{n}"));
            one["eventTime"] = json!(format!("2026-01-01T00:00:{:02}Z", n * 7 % 60));
            one
        })
        .collect();
    document(&events)
}

fn pages_stay_consistent_while_events_are_appended(service: Service) {
    capture(&service, &many(0..50)).unwrap();
    for order in [
        json!({}),
        json!({"orderBy": "eventTime"}),
        json!({"orderBy": "recordTime", "orderDirection": "ASC"}),
    ] {
        let mut parameters = order.clone();
        parameters["perPage"] = json!(7);
        let before = walk(&service, &order, &call()).unwrap();
        let first = query(&service, &parameters, &call()).unwrap();
        let next = 1000 + before.len() as u32;
        capture(&service, &many(next..next + 20)).unwrap();
        let mut all = events(&first);
        let mut token = first["nextPageToken"].clone();
        while token.is_string() {
            parameters["nextPageToken"] = token;
            // A token continues with any page size.
            parameters["perPage"] = json!(9);
            let page = query(&service, &parameters, &call()).unwrap();
            all.extend(events(&page));
            token = page["nextPageToken"].clone();
        }
        assert_eq!(all, before);
    }
    let traced =
        block_on(service.trace("urn:epc:idpat:sgtin:0614141.*.*", Some(1_000_000), None, &call()))
            .unwrap();
    assert!(
        matches!(traced, Found::Page(page) if page.events.len() == 110 && page.next_page_token.is_none())
    );
    assert_eq!(events(&query(&service, &json!({}), &call()).unwrap()).len(), 30);
}

fn altered_and_foreign_tokens_are_refused(service: Service) {
    capture(&service, &many(0..5)).unwrap();
    let first =
        query(&service, &json!({"perPage": 2, "EQ_action": ["ADD", "OBSERVE"]}), &call()).unwrap();
    let token = first["nextPageToken"].as_str().unwrap();
    // The same parameters in another order are the same query.
    let same = json!({"nextPageToken": token, "EQ_action": ["OBSERVE", "ADD"], "perPage": 3});
    assert_eq!(events(&query(&service, &same, &call()).unwrap()).len(), 3);
    let altered = token.replace(&token[..1], if token.starts_with('0') { "1" } else { "0" });
    for (token, action) in [
        (altered.as_str(), "ADD"),
        ("", "ADD"),
        ("é", "ADD"),
        (&token[1..], "ADD"),
        (token, "DELETE"),
    ] {
        let parameters = json!({"nextPageToken": token, "EQ_action": [action, "OBSERVE"]});
        refused(query(&service, &parameters, &call()), "QueryParameterException", 400);
    }
    let traced = block_on(service.trace("urn:x:1", None, Some(token.to_owned()), &call()));
    refused(traced, "QueryParameterException", 400);
    let mut other = call();
    other.principal.digest = [1; 32];
    refused(query(&service, &same, &other), "QueryParameterException", 400);
}

fn texts_are_found_literally_or_not_at_all(service: Service) {
    let long = format!("urn:x:{}", "9".repeat(10_000));
    let similar = format!("{}8", &long[..long.len() - 1]);
    let odd =
        ["urn:x:a%25b", "urn:x:'", "urn:x:_", "urn:x:*", "urn:epc:id:sgtin:0614141.112345.%25"];
    for epc in odd.iter().copied().chain([long.as_str()]) {
        capture(&service, &event(epc)).unwrap();
    }
    for epc in odd.iter().copied().chain([long.as_str()]) {
        let found = walk(&service, &json!({"MATCH_epc": epc}), &call()).unwrap();
        assert_eq!(found.len(), 1, "{epc}");
        assert_eq!(found[0]["epcList"][0], epc);
    }
    for text in [
        &similar,
        "%",
        "_",
        "*",
        "urn:x:%",
        "urn:x:?",
        "' OR '1'='1",
        "\u{10ffff}",
        "\0",
        "\u{0}urn:x:'",
        "urn:x:a%b",
    ] {
        for name in [
            "eventType",
            "EQ_bizStep",
            "EQ_disposition",
            "EQ_persistentDisposition_set",
            "EQ_readPoint",
            "EQ_bizLocation",
            "EQ_transformationID",
            "EQ_bizTransaction_po",
            "EQ_bizTransaction_' OR 1",
            "EQ_source_%",
            "EQ_destination_location",
            "MATCH_epc",
            "MATCH_parentID",
            "MATCH_inputEPC",
            "MATCH_outputEPC",
            "MATCH_anyEPC",
            "MATCH_epcClass",
            "MATCH_inputEPCClass",
            "MATCH_outputEPCClass",
            "MATCH_anyEPCClass",
            "EQ_eventID",
            "EQ_errorReason",
            "EQ_correctiveEventID",
            "EQ_stringValue",
            "EQ_https://x.example/y' --",
        ] {
            let found = walk(&service, &json!({name: text}), &call());
            assert_eq!(found, Ok(Vec::new()), "{name} {text:.40}");
        }
        refused(block_on(service.get_event(text, None, &call())), "NoSuchResourceException", 404);
    }
    let many: Vec<_> = (0..1001).map(|n| format!("urn:x:{n}")).collect();
    refused(query(&service, &json!({"MATCH_epc": many}), &call()), "QueryTooComplexException", 413);
    let mut wide = json!({});
    for n in 0..64 {
        wide[format!("EQ_bizTransaction_urn:x:{n}")] = json!("urn:x:1");
    }
    assert_eq!(walk(&service, &wide, &call()), Ok(Vec::new()));
    wide["EQ_action"] = json!("ADD");
    refused(query(&service, &wide, &call()), "QueryTooComplexException", 413);
}

fn long_events_are_stored_whole(service: Service) {
    let mut sent = event("urn:x:1");
    sent["@context"] = json!([CONTEXT, {"x": "https://x.example/"}]);
    let epcs: Vec<_> =
        (0..20_000).map(|n| format!("urn:epc:id:sgtin:0614141.112345.{n}")).collect();
    sent["epcList"] = json!(epcs);
    sent["x:text"] = json!("\"\\ä\u{1}".repeat(400_000));
    let captured = capture(&service, &sent).unwrap();
    let found =
        walk(&service, &json!({"MATCH_epc": "urn:epc:id:sgtin:0614141.112345.19999"}), &call())
            .unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["x:text"], sent["x:text"]);
    assert_eq!(found[0]["eventID"], captured.events[0].event_id.as_str());
}

fn pages_are_bounded_by_bytes_and_work(service: Service) {
    capture(&service, &many(0..40)).unwrap();
    let mut call = call();
    let all = walk(&service, &json!({}), &call).unwrap();
    call.limits.page_bytes = 1500;
    let page = query(&service, &json!({}), &call).unwrap();
    assert!((1..5).contains(&events(&page).len()));
    assert_eq!(walk(&service, &json!({}), &call).unwrap(), all);
    call.limits.page_bytes = 1;
    assert_eq!(
        walk(&service, &json!({"orderBy": "eventTime", "orderDirection": "ASC"}), &call)
            .unwrap()
            .len(),
        40
    );
    // No index narrows this query, so a page ends at the work limit and the next one continues there.
    call = self::call();
    call.limits.scanned_events = 10;
    assert_eq!(
        walk(&service, &json!({"EXISTS_INNER_#none": null}), &call).unwrap(),
        Vec::<Value>::new()
    );
    assert_eq!(walk(&service, &json!({"perPage": 3}), &call).unwrap(), all);
    call.limits.stored_bytes = 10_000;
    let text = many(100..200).to_string();
    refused(
        block_on(service.capture(text.as_bytes(), false, &call)),
        "CaptureLimitExceededException",
        413,
    );
}

fn counting_ends(service: Service) {
    capture(&service, &many(0..40)).unwrap();
    let mut call = call();
    assert_eq!(
        walk(&service, &json!({"maxEventCount": 40, "perPage": 11}), &call).unwrap().len(),
        40
    );
    refused(query(&service, &json!({"maxEventCount": 39}), &call), "QueryTooLargeException", 413);
    call.limits.counted_events = 20;
    refused(query(&service, &json!({"maxEventCount": 1000}), &call), "QueryTooLargeException", 413);
    let first = walk(
        &service,
        &json!({"orderBy": "eventTime", "eventCountLimit": 25, "perPage": 10}),
        &call,
    )
    .unwrap();
    assert_eq!(first.len(), 25);
    assert_eq!(first, walk(&service, &json!({"orderBy": "eventTime"}), &call).unwrap()[..25]);
}

fn count(store: &SqliteStore, table: &str) -> i64 {
    let text = format!("SELECT count(*) FROM {table}");
    let connection = &store.database().connection;
    connection.query_row(&text, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_killed_batch_leaves_nothing_and_can_be_sent_again() {
    for (store, least) in [(empty_sqlite(), 5), (staging(), 13)] {
        let service = service(store.clone());
        let sent = many(0..50);
        let mut at = 0;
        loop {
            store.database().dies_after.set(Some(at));
            let result = capture(&service, &sent);
            if result.is_ok() {
                break;
            }
            refused(result, "ImplementationException", 500);
            for table in ["events", "event_parts", "terms"] {
                assert_eq!(count(&store, table), 0);
            }
            at += 1;
        }
        assert!(at >= least, "only {at} statements");
        assert_eq!(count(&store, "events"), 50);
        assert_eq!(count(&store, "event_parts"), 50);
        // The terms are stored: the events are found by them.
        let found =
            walk(&service, &json!({"MATCH_epc": "urn:epc:id:sgtin:0614141.112345.49"}), &call());
        assert_eq!(found.unwrap().len(), 1);
    }
}

#[test]
fn what_is_put_aside_is_removed_and_never_taken_for_whole() {
    let store = staging();
    let service = service(store.clone());
    let connection = &store.database().connection;
    // Two interrupted captures: one long ago, one just now.
    connection
        .execute_batch(
            "INSERT INTO captures VALUES (1, unixepoch() - 4000), (2, unixepoch());
             INSERT INTO staged VALUES (1, 0, '[]'), (1, 1, '[]'), (2, 0, '[]');",
        )
        .unwrap();
    capture(&service, &many(0..50)).unwrap();
    let left: String = connection
        .query_row("SELECT group_concat(capture) FROM staged", [], |row| row.get(0))
        .unwrap();
    assert_eq!((left.as_str(), count(&store, "captures")), ("2", 1));
    // A lost piece makes the capture fail.
    connection
        .execute_batch(
            "CREATE TRIGGER lossy AFTER INSERT ON staged WHEN NEW.part = 1 BEGIN DELETE FROM staged WHERE part = 1; END",
        )
        .unwrap();
    refused(capture(&service, &many(50..100)), "ImplementationException", 500);
    assert_eq!(count(&store, "events"), 50);
}

#[test]
fn the_database_refuses_to_change_events() {
    let store = empty_sqlite();
    let service = service(store.clone());
    capture(&service, &many(0..3)).unwrap();
    let connection = &store.database().connection;
    for text in [
        "UPDATE events SET event_id = 'x'",
        "DELETE FROM events",
        "UPDATE event_parts SET text = 'x'",
        "DELETE FROM event_parts WHERE piece = 1000",
        "INSERT INTO event_parts (piece, text) VALUES (1001, 'behind the last')",
        "INSERT INTO event_parts (piece, text) VALUES (99000, 'of no event yet')",
        "UPDATE terms SET value = 'x'",
        "DELETE FROM terms",
        "INSERT OR REPLACE INTO events SELECT sequence, 'other', 0, 0, 'x', 'x', 0, 'x', 0, NULL, NULL, NULL, NULL, '', '', '', 0, 0, '' FROM events",
    ] {
        let error = connection.execute(text, []).unwrap_err().to_string();
        assert!(error.contains("append-only"), "{text}: {error}");
    }
    let columns = "identity, identity_key, declares_error, captured_by, event_id, event_key, content_hash, content_key, event_type, \
                   action, biz_step, disposition, event_time, record_time, document, position, bytes, who";
    let changed = columns.replace("event_id", "'forged'");
    for text in [
        format!("INSERT OR REPLACE INTO events ({columns}) SELECT {changed} FROM events"),
        "INSERT OR REPLACE INTO event_parts SELECT piece, 'forged' FROM event_parts".to_owned(),
    ] {
        connection.execute(&text, []).unwrap();
    }
    let negative = format!(
        "INSERT INTO events (sequence, {columns}) SELECT -1, {} FROM events LIMIT 1",
        columns.replace("identity,", "'other',")
    );
    let error = connection.execute(&negative, []).unwrap_err().to_string();
    assert!(error.contains("CHECK"), "{error}");
    let forged = "SELECT count(*) FROM events e, event_parts p WHERE event_id = 'forged' OR p.text = 'forged'";
    let forged: i64 = connection.query_row(forged, [], |row| row.get(0)).unwrap();
    assert_eq!((forged, count(&store, "events")), (0, 3));
}

/// A document of realistic size, with one faulty event.
#[test]
fn one_bad_event_among_ten_thousand_stores_none() {
    let service = service(Rc::new(MemoryStore::new()));
    let mut sent = many(0..10_000);
    sent["epcisBody"]["eventList"][9_998]["action"] = json!("LOOK");
    let error = refused(capture(&service, &sent), "ValidationException", 400);
    let errors = Problem::from(&error).errors;
    assert!(!errors.is_empty());
    for error in errors {
        assert!(error.path.starts_with("/epcisBody/eventList/9998"), "{}", error.path);
    }
    assert_eq!(query(&service, &json!({}), &call()).unwrap()["type"], "EMPTY");
}

fn hash_of(event: &Value) -> String {
    let text = event.to_string();
    let document = Document::read(text.as_bytes()).unwrap();
    hash::hash_document(&document, Profile::Cbv20).unwrap()[0].to_string()
}

fn named(service: &Service, name: &str, call: &Call) -> Vec<Value> {
    let found = block_on(service.get_event(name, None, call)).unwrap();
    let events = found.events.iter();
    events.map(|event| serde_json::from_str(event.get()).unwrap()).collect()
}

fn names_in_hash_form_hold_or_are_refused(service: Service) {
    let service = strict(service);
    let mut sent = event("urn:x:1");
    let name = hash_of(&sent);
    let digits = &name[14..78];
    for holds in [
        name.clone(),
        format!("NI:///SHA-256;{}?VER=CBV2.0", digits.to_uppercase()),
        format!("ni:///sha-256;{digits}"),
        format!("ni:///sha-256;{digits}?ver=CBV2.0&x=1"),
    ] {
        sent["eventID"] = json!(holds);
        let captured = capture(&service, &sent).unwrap();
        assert_eq!(captured.events[0].verified, None, "{holds}");
    }
    for fails in [
        format!("NI:///sha-256;{}?ver=CBV2.0", "0".repeat(64)),
        format!("ni:///sha-256;{}", "0".repeat(64)),
        format!("ni:///sha-256;{digits}?ver=CBV3.0"),
        format!("nI:///sha-256;{digits}0?ver=CBV2.0"),
        format!("ni://a.example/sha-256;{digits}?ver=CBV2.0"),
    ] {
        sent["eventID"] = json!(fails);
        let error = refused(capture(&service, &sent), "ValidationException", 400);
        let errors = Problem::from(&error).errors;
        assert_eq!((&*errors[0].path, &*errors[0].keyword), ("/eventID", "eventHash"));
        // The message says what to do.
        let message = &errors[0].message;
        assert!(message.contains("HASH_EVENT_IDS"), "{message}");
        assert!(!message.contains("  "), "{message}");
    }
}

fn a_name_that_held_by_foreign_stamps_goes_with_them(service: Service) {
    let first = capture(&service, &event("urn:x:1")).unwrap();
    let handed_out = &named(&service, &first.events[0].event_id, &call())[0];
    let other = Call::new(NOW, Principal::local(OTHER, OBSERVER));
    let text = handed_out.to_string();
    let handed_on = block_on(service.capture(text.as_bytes(), false, &other)).unwrap();
    let one = &handed_on.events[0];
    let mut stripped = one.stripped.clone();
    stripped.sort();
    assert_eq!(stripped, ["/eventID", "/recordTime", "/spine:capturedBy", "/spine:who"]);
    assert_ne!(one.event_id, first.events[0].event_id);
    // The returned eventID can be recomputed by anyone.
    let stored = &named(&service, &one.event_id, &other)[0];
    assert_eq!(stored["eventID"], json!(one.event_id));
    assert_eq!(hash_of(stored), one.event_id);
    // The account that captured it first keeps it unchanged.
    let again = capture(&service, handed_out).unwrap();
    assert!(again.events[0].duplicate);
    assert!(!again.events[0].stripped.contains(&"/eventID".to_owned()));
}

fn a_declaration_may_name_a_stored_event_of_the_same_content(service: Service) {
    let service = strict(service);
    let first = capture(&service, &event("urn:x:1")).unwrap();
    let first = &first.events[0];
    let mut wrong = event("urn:x:1");
    wrong["errorDeclaration"] = json!({"declarationTime": "2026-01-02T00:00:00Z"});
    wrong["eventID"] = json!(first.event_id);
    // Another observer of the same account, for whom the hash is different.
    let second = Call::new(NOW, Principal::local(ACCOUNT, "https://example.com/dock"));
    let declared = block_on(service.capture(wrong.to_string().as_bytes(), false, &second)).unwrap();
    assert_eq!(declared.events[0].event_id, first.event_id);
    assert_eq!(declared.events[0].verified, None);
    // Without an eventID, only the content identifies the event that is declared wrong.
    wrong.as_object_mut().unwrap().remove("eventID");
    let third = Call::new(NOW, Principal::local(ACCOUNT, "https://example.com/gate"));
    let nameless = block_on(service.capture(wrong.to_string().as_bytes(), false, &third)).unwrap();
    assert_ne!(nameless.events[0].event_id, first.event_id);
    // All three are found by each of the names.
    for name in [&first.event_id, &first.content_hash.to_string(), &nameless.events[0].event_id] {
        assert_eq!(named(&service, name, &call()).len(), 3, "{name}");
    }
    // Refused: the event of another account, other content, an event that is not stored.
    let other = Call::new(NOW, Principal::local(OTHER, OBSERVER));
    wrong["eventID"] = json!(first.event_id);
    let text = wrong.to_string();
    let refusal = block_on(service.capture(text.as_bytes(), false, &other));
    refused(refusal, "ValidationException", 400);
    wrong["epcList"] = json!(["urn:x:2"]);
    refused(capture(&service, &wrong), "ValidationException", 400);
    wrong["eventID"] = json!(format!("ni:///sha-256;{}?ver=CBV2.0", "0".repeat(64)));
    refused(capture(&service, &wrong), "ValidationException", 400);
    // An event and its declaration in one document.
    let both = event("urn:x:3");
    let stored = block_on(service.capture(both.to_string().as_bytes(), true, &call())).unwrap();
    let mut declaration = both.clone();
    declaration["errorDeclaration"] = json!({"declarationTime": "2026-01-02T00:00:00Z"});
    declaration["eventID"] = json!(stored.events[0].event_id);
    let captured = capture(&service, &document(&[both, declaration])).unwrap();
    assert_eq!(captured.events[0].event_id, captured.events[1].event_id);
}

fn stale_hashes_are_kept_where_that_is_asked_for(service: Service) {
    let service = strict(service);
    let right = event("urn:x:1");
    let name = hash_of(&right);
    let mut stale = event("urn:x:2");
    stale["eventID"] = json!(name);
    refused(capture(&service, &stale), "ValidationException", 400);
    let keep =
        CaptureOptions { hash_event_ids: Some(HashEventIds::Report), ..CaptureOptions::default() };
    let kept = block_on(service.capture_as(stale.to_string().as_bytes(), keep, &call())).unwrap();
    assert_eq!(kept.events[0].event_id, name);
    assert_eq!(kept.events[0].verified, Some(false));
    assert_eq!(
        serde_json::to_value(&kept.unverified).unwrap(),
        json!([{"path": "/eventID", "eventID": name, "expected": hash_of(&stale)}])
    );
    assert_eq!(named(&service, &name, &call())[0]["epcList"], json!(["urn:x:2"]));
    // An event whose content has the hash takes precedence, as soon as it is stored.
    capture(&service, &right).unwrap();
    let found = named(&service, &name, &call());
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["epcList"], json!(["urn:x:1"]));
    let mut malformed = event("urn:x:3");
    malformed["eventID"] = json!("ni:whatever");
    let kept =
        block_on(service.capture_as(malformed.to_string().as_bytes(), keep, &call())).unwrap();
    // A malformed hash is treated as an ordinary URI.
    assert_eq!(kept.events[0].verified, None);
    assert_eq!(named(&service, "ni:whatever", &call()).len(), 1);
}

#[test]
fn prefixes_that_stand_for_more_than_is_held_are_refused() {
    let service = service(Rc::new(MemoryStore::new()));
    let bomb = |terms: usize| {
        let mut event = event("urn:epc:id:sscc:9521141.1234567890");
        let mut context = serde_json::Map::new();
        context
            .insert("a".to_owned(), format!("https://example.com/{}/", "x".repeat(1 << 20)).into());
        for number in 0..terms {
            context.insert(format!("b{number}"), "a:".into());
        }
        event["@context"] = json!([CONTEXT, context]);
        event
    };
    let refused = capture(&service, &bomb(100)).unwrap_err();
    assert_eq!(refused.kind(), &ErrorKind::CaptureTooLarge { limit: 16 << 20 });
    assert_eq!(capture(&service, &bomb(3)).unwrap().events.len(), 1);
}
