//! When are two of them the same? Every room is asked the same twenty questions.
//!
//! `tests/vectors/same.json` has pairs of names of events, things, places, times and units, whether both are the same, and under
//! `differs` the rooms that answer otherwise, each with its reason.

use epcis_edge_core::call::{Call, Principal};
use epcis_edge_core::check::Checks;
use epcis_edge_core::follow::{Request, follow_document};
use epcis_edge_core::hash::{Hashing, hash_document};
use epcis_edge_core::json::Document;
use epcis_edge_core::query::Query;
use epcis_edge_core::report::{ReportName, ReportRequest, report_document};
use epcis_edge_core::service::{CaptureOptions, Configuration, Service};
use epcis_edge_core::time::Timestamp;
use epcis_edge_tests::{own_vectors, read_json};
use pollster::block_on;
use serde_json::{Value, json};

const THING: &str = "urn:epc:id:sscc:9521141.1234567890";
const PLACE: &str = "urn:epc:id:sgln:9521141.00300.0";

fn event(more: Value) -> Value {
    let mut event = json!({
        "type": "ObjectEvent", "eventTime": "2026-03-04T10:00:00Z", "eventTimeZoneOffset": "+00:00", "action": "OBSERVE",
        "epcList": [THING],
    });
    for (name, value) in more.as_object().unwrap() {
        event[name] = value.clone();
    }
    event
}

fn document(events: &[Value]) -> String {
    json!({
        "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld", "type": "EPCISDocument", "schemaVersion": "2.0",
        "creationDate": "2026-03-04T11:00:00Z", "epcisBody": {"eventList": events},
    })
    .to_string()
}

/// A gateway in memory that holds the events, and the caller who captured them.
fn gateway(events: &[Value]) -> (Service, Call) {
    let service = Service::new(Configuration::at("https://epcis.example.com"));
    let call = Call::new(
        1_780_315_200_000,
        Principal::local("https://example.com/1", "https://example.com/2"),
    );
    let captured = document(events);
    block_on(service.capture_as(captured.as_bytes(), CaptureOptions::default(), &call)).unwrap();
    (service, call)
}

/// Whether a stored event is found by a query.
fn is_found(event: Value, query: Value) -> bool {
    let (service, call) = gateway(&[event]);
    let query = query.to_string();
    let query = Document::read(query.as_bytes()).unwrap();
    let query = Query::read(query.root()).unwrap();
    let page = block_on(service.query(&query, &call)).unwrap();
    serde_json::to_string(&page).unwrap().contains("\"eventTime\"")
}

fn has_one_hash(one: Value, other: Value) -> bool {
    let hash = |event: Value| {
        let text = document(&[event]);
        hash_document(&Document::read(text.as_bytes()).unwrap(), Hashing::default()).unwrap()
    };
    hash(one) == hash(other)
}

fn request(item: &str) -> Request {
    let request = json!({"items": [item]}).to_string();
    Request::read(Document::read(request.as_bytes()).unwrap().root()).unwrap()
}

/// What following answers about an item of a document.
fn followed(events: &[Value], item: &str) -> Value {
    let text = document(events);
    let document = Document::read(text.as_bytes()).unwrap();
    serde_json::from_str(&follow_document(&document, &request(item)).unwrap()).unwrap()
}

/// What a gateway that captured the events answers about an item.
fn followed_at_gateway(events: &[Value], item: &str) -> Value {
    let (service, call) = gateway(events);
    serde_json::from_str(&block_on(service.follow(&request(item), &call)).unwrap()).unwrap()
}

fn has_events(followed: &Value, count: usize) -> bool {
    let events = followed["events"].as_array();
    events.is_some_and(|events| events.len() == count)
}

/// An amount of a lot in place of [`THING`], from an amount as `5 KGM`.
fn lot(amount: &str) -> Value {
    let (quantity, unit) = amount.split_once(' ').unwrap();
    let quantity: Value = serde_json::from_str(quantity).unwrap();
    json!({
        "epcList": [],
        "quantityList": [{"epcClass": "urn:epc:class:lgtin:9521141.012345.L1", "quantity": quantity, "uom": unit}],
    })
}

/// A shipment to a place; `more` is what differs.
fn shipment(to: &str, more: Value) -> Value {
    let mut shipped = event(json!({
        "bizStep": "shipping", "readPoint": {"id": "urn:epc:id:sgln:9521141.00100.0"},
        "destinationList": [{"type": "location", "destination": to}],
    }));
    shipped.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    shipped
}

/// Its receipt an hour later.
fn receipt(at: &str, more: Value) -> Value {
    let mut received = event(json!({
        "eventTime": "2026-03-04T11:00:00Z", "bizStep": "receiving", "readPoint": {"id": at},
    }));
    received.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    received
}

/// How many rows a sheet of the report `received` has.
fn rows(events: &[Value], sheet: &str) -> usize {
    let text = document(events);
    let report = report_document(
        &ReportRequest::on_all(ReportName::Received),
        &Document::read(text.as_bytes()).unwrap(),
        Timestamp::default(),
    );
    report.unwrap().sheet(sheet).unwrap().rows.len()
}

fn has_finding(events: &[Value], rule: &str) -> bool {
    let text = document(events);
    let report =
        Checks::all().unwrap().check(&Document::read(text.as_bytes()).unwrap(), None).unwrap();
    report.findings.iter().any(|found| found.rule == rule)
}

/// The answers of all rooms about a pair.
fn answers(kind: &str, one: &str, other: &str) -> Vec<(&'static str, bool)> {
    let declaration =
        json!({"eventID": other, "errorDeclaration": {"declarationTime": "2026-03-05T10:00:00Z"}});
    match kind {
        "event" => vec![
            ("query", is_found(event(json!({"eventID": one})), json!({"EQ_eventID": other}))),
            (
                "check",
                !has_finding(
                    &[event(json!({"eventID": one})), event(declaration.clone())],
                    "consistency/declared-event-absent",
                ),
            ),
            (
                "check, twice",
                has_finding(
                    &[
                        event(json!({"eventID": one})),
                        event(json!({"eventID": other, "action": "ADD"})),
                    ],
                    "consistency/event-id-twice",
                ),
            ),
            (
                "follow",
                followed(&[event(json!({"eventID": one})), event(declaration.clone())], THING)["events"]
                    [0]["withdrawn"]
                    == json!(true),
            ),
            (
                "capture",
                followed_at_gateway(
                    &[event(json!({"eventID": one})), event(declaration.clone())],
                    THING,
                )["events"][0]["withdrawn"]
                    == json!(true),
            ),
            ("report", {
                let shipped = shipment(PLACE, json!({"eventID": one}));
                let mut withdrawn = shipped.clone();
                for (name, value) in declaration.as_object().unwrap() {
                    withdrawn[name] = value.clone();
                }
                rows(&[shipped, withdrawn], "Not received") == 0
            }),
        ],
        "thing" => vec![
            ("query", is_found(event(json!({"epcList": [one]})), json!({"MATCH_epc": other}))),
            (
                "check",
                has_finding(
                    &[event(json!({"epcList": [one, other]}))],
                    "consistency/instance-twice",
                ),
            ),
            ("follow", has_events(&followed(&[event(json!({"epcList": [one]}))], other), 1)),
            (
                "capture",
                has_events(&followed_at_gateway(&[event(json!({"epcList": [one]}))], other), 1),
            ),
            (
                "report",
                rows(
                    &[
                        shipment(PLACE, json!({"epcList": [one]})),
                        receipt(PLACE, json!({"epcList": [other]})),
                    ],
                    "Received as shipped",
                ) == 1,
            ),
            ("inside", {
                let packed = json!({"type": "AggregationEvent", "parentID": one, "childEPCs": [THING], "action": "ADD", "epcList": null});
                let seen = event(json!({"eventTime": "2026-03-04T11:00:00Z", "epcList": [other]}));
                let mut packed = event(packed);
                packed.as_object_mut().unwrap().remove("epcList");
                has_events(&followed(&[packed, seen], THING), 2)
            }),
            (
                "hash",
                has_one_hash(event(json!({"epcList": [one]})), event(json!({"epcList": [other]}))),
            ),
        ],
        "place" => {
            let at = |id: &str| event(json!({"bizLocation": {"id": id}}));
            vec![
                ("query", is_found(at(one), json!({"EQ_bizLocation": other}))),
                ("hash", has_one_hash(at(one), at(other))),
                (
                    "report",
                    rows(
                        &[shipment(one, lot("5 KGM")), receipt(other, lot("5 KGM"))],
                        "Received as shipped",
                    ) == 1,
                ),
            ]
        }
        "time" => {
            let at = |time: &str| event(json!({"eventTime": time}));
            vec![
                (
                    "query",
                    is_found(at(one), json!({"GE_eventTime": other}))
                        && !is_found(at(one), json!({"LT_eventTime": other})),
                ),
                ("hash", has_one_hash(at(one), at(other))),
            ]
        }
        "unit" => {
            let of = |amount: &str| event(lot(amount));
            vec![
                ("hash", has_one_hash(of(one), of(other))),
                (
                    "report",
                    rows(
                        &[shipment(PLACE, lot(one)), receipt(PLACE, lot(other))],
                        "Received as shipped",
                    ) == 1,
                ),
            ]
        }
        other => panic!("no rooms for {other}"),
    }
}

#[test]
fn every_room_gives_the_same_answer() {
    let questions = read_json(&own_vectors("same.json"));
    let questions = questions.as_array().unwrap();
    assert_eq!(questions.len(), 20);
    let mut faults = Vec::new();
    for question in questions {
        let text = |name: &str| question[name].as_str().unwrap();
        let expected = question["same"].as_bool().unwrap();
        let differing = question["differs"].as_object().cloned().unwrap_or_default();
        let answers = answers(text("kind"), text("one"), text("other"));
        for (room, answer) in &answers {
            if (*answer != expected) != differing.contains_key(*room) {
                faults.push(format!("{}: {room} says {answer}", text("question")));
            }
        }
        for room in differing.keys() {
            assert!(answers.iter().any(|(name, _)| name == room), "no room {room}");
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
