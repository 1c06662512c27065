//! States of a database that cannot be: whoever asks gets a named error, and the operator's log a line that says what is wrong.
//!
//! The triggers that keep the database append-only are removed first: with them, none of these states comes about.

use crate::support::{SqliteStore, empty_sqlite};
use bytes::Bytes;
use epcis_edge_core::call::Incoming;
use epcis_edge_core::log::{KeyKind, Policy, Signer};
use epcis_edge_core::rest::{self, Detail};
use epcis_edge_core::service::{Configuration, Integrated, LogSettings, Service};
use epcis_edge_core::store::Bearer;
use http::Request;
use pollster::block_on;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::rc::Rc;

const NOW: u64 = 1_795_255_200_000;
const ACCOUNT: &str = "https://example.com/accounts/a";
const KEY: &str = "epcis_00000000000a_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

fn gateway() -> (Service, Rc<SqliteStore>) {
    let store = empty_sqlite();
    let bearer = Bearer::read(Some(&format!("Bearer {KEY}"))).unwrap();
    let digest = bearer.digest();
    let digest = digest.iter().map(|byte| format!("{byte:02x}"));
    store
        .database()
        .connection
        .execute(
            "INSERT INTO keys (id, digest, account, observer, can_capture, can_query, readable, note, created_at) \
             VALUES (?1, ?2, ?3, 'https://id.gs1.org/417/9521141000009', 1, 1, ?4, '', '2026-01-01T00:00:00Z')",
            rusqlite::params![bearer.id(), digest.collect::<String>(), ACCOUNT, json!([ACCOUNT]).to_string()],
        )
        .unwrap();
    let origin = "epcis.example.com/log";
    let mut configuration = Configuration::at("https://epcis.example.com");
    let keys = vec![Signer::new(origin, KeyKind::Note, &[1; 32]).unwrap()];
    let policy = Policy::read("quorum none\n").unwrap();
    configuration.log = Some(LogSettings::new(keys, &format!("https://{origin}"), policy).unwrap());
    (Service::with_store(configuration, store.clone()), store)
}

/// The status of an answer, its problem, and the line for the operator.
fn ask(service: &Service, method: &str, target: &str, body: &str) -> (u16, Value, String) {
    let request = Request::builder()
        .method(method)
        .uri(target)
        .header("authorization", format!("Bearer {KEY}"))
        .header("content-type", "application/json")
        .body(Bytes::from(body.to_owned()))
        .unwrap();
    let visit = Incoming::at(NOW);
    let answer = block_on(rest::respond(service, request, &visit));
    let line = answer.extensions().get().map_or_else(String::new, |Detail(line)| line.clone());
    let body = serde_json::from_slice(answer.body())
        .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(answer.body()).into_owned()));
    (answer.status().as_u16(), body, line)
}

/// Five events and two places, captured, with their leaves in the log, and a named query.
fn filled() -> (Service, Rc<SqliteStore>) {
    let (service, store) = gateway();
    let events: Vec<Value> = (0..5)
        .map(|number| {
            json!({
                "type": "ObjectEvent", "eventID": format!("urn:x:{number}"), "action": "OBSERVE",
                "epcList": [format!("urn:epc:id:sgtin:9521141.012345.{number}")],
                "eventTime": "2026-03-04T10:00:00Z", "eventTimeZoneOffset": "+00:00",
                "bizLocation": {"id": "urn:epc:id:sgln:9521141.00001.0"},
            })
        })
        .collect();
    let document = json!({
        "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld", "type": "EPCISDocument",
        "schemaVersion": "2.0", "creationDate": "2026-03-04T11:00:00Z",
        "epcisHeader": {"epcisMasterData": {"vocabularyList": [{
            "type": "urn:epcglobal:epcis:vtype:Location",
            "vocabularyElementList": [{"id": "urn:epc:id:sgln:9521141.00001.0", "attributes": [
                {"id": "urn:epcglobal:cbv:mda#name", "attribute": "Farm"},
            ]}],
        }]}},
        "epcisBody": {"eventList": events},
    });
    assert_eq!(ask(&service, "POST", "/capture", &document.to_string()).0, 202);
    let query = json!({"name": "all", "query": {"eventType": ["ObjectEvent"]}});
    assert_eq!(ask(&service, "POST", "/queries", &query.to_string()).0, 201);
    while !matches!(block_on(service.integrate([7; 32])).unwrap(), Integrated::Complete { .. }) {}
    without_guards(&store.database().connection);
    (service, store)
}

/// Removes the triggers and checks of a database.
fn without_guards(connection: &Connection) {
    let mut triggers =
        connection.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").unwrap();
    let triggers: Vec<String> =
        triggers.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    for trigger in triggers {
        connection.execute_batch(&format!("DROP TRIGGER {trigger}")).unwrap();
    }
    connection.execute_batch("PRAGMA ignore_check_constraints = 1").unwrap();
}

/// A fault, the line for the operator, and the requests that meet it.
const FAULTS: [(&str, &str, &[Asked]); 10] = [
    (
        "UPDATE event_parts SET text = substr(text, 1, 40) WHERE piece = 1000",
        "stored event 1 has 40 bytes, expected 499",
        &[
            get("/events/urn:x:0"),
            get("/events"),
            ("POST", "/follow", ITEM),
            ("POST", "/report/recall", ITEM),
        ],
    ),
    (
        "DELETE FROM event_parts WHERE piece = 1000",
        "stored event 1 has 0 bytes, expected 499",
        &[get("/events"), get("/log/proof?event=urn:x:0")],
    ),
    (
        "UPDATE events SET document = 'x'",
        "the step `leaf`: the commitment of the leaf is not to the statement about its event",
        &[get("/log/proof?event=urn:x:0")],
    ),
    (
        "UPDATE log_leaves SET salt = x'00'",
        "the hashes of the log cannot be read",
        &[get("/log/proof?event=urn:x:0")],
    ),
    (
        "UPDATE log_heads SET note = 'x'",
        "head 5 of the log cannot be read: this is not a signed note, expected an empty line between text and signatures",
        &[get("/log/checkpoint"), get("/log/proof?event=urn:x:0")],
    ),
    (
        "UPDATE log_heads SET root = x'00'",
        "the hashes of the log cannot be read",
        &[get("/log/checkpoint"), get("/log/proof?event=urn:x:0")],
    ),
    (
        "UPDATE named_queries SET query = '5'",
        "the stored query `all` cannot be read: the query is not a JSON object, expected the parameters of SimpleEventQuery by name",
        &[get("/queries/all/events"), get("/queries/all")],
    ),
    (
        "UPDATE master_data SET attributes = '5'",
        "the master data of `https://id.gs1.org/414/9521141000014` cannot be read: invalid type: integer `5`, expected a sequence at line 1 column 1",
        &[get("/masterdata")],
    ),
    (
        "UPDATE capture_jobs SET report = 'x'",
        "the report of job 1 cannot be read: expected value at line 1 column 1",
        &[get("/capture")],
    ),
    (
        "UPDATE keys SET readable = '5'",
        "the list of accounts of key 00000000000a cannot be read",
        &[get("/events"), get("/capture"), ("POST", "/report/recall", ITEM)],
    ),
];

/// A method, a target and a body.
type Asked = (&'static str, &'static str, &'static str);

const fn get(target: &'static str) -> Asked {
    ("GET", target, "")
}

const ITEM: &str = r#"{"items":["urn:epc:id:sgtin:9521141.012345.0"]}"#;

#[test]
fn what_cannot_be_is_said() {
    let (service, store) = filled();
    let connection = &store.database().connection;
    let mut silent = Vec::new();
    for (fault, line, requests) in FAULTS {
        for (method, target, body) in requests {
            assert_eq!(ask(&service, method, target, body).0, 200, "{target}");
            connection.execute_batch("SAVEPOINT before").unwrap();
            connection.execute_batch(fault).unwrap();
            let (status, problem, said) = ask(&service, method, target, body);
            connection.execute_batch("ROLLBACK TO before; RELEASE before").unwrap();
            let problem = &problem["type"];
            if status != 500 || problem != "epcisException:ImplementationException" || said != line
            {
                silent.push(format!("{fault}, {target}: {status} {problem}, {said}"));
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}
