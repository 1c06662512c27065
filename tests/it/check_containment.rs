//! Checks and following tell alike what is inside of what: the mark `shipped-inside` is found where following has the thing in a container.

use epcis_edge_core::check::{Checks, Pack};
use epcis_edge_core::follow::{Request, follow_document};
use epcis_edge_core::json::Document;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const PACK: &str = r#"{"version": 1, "name": "own", "rules": [{"id": "inside", "severity": "warning", "message": "inside",
    "source": {"document": "a test"}, "at": "epcList", "when": {"all": [{"value": "bizStep", "word": "shipping"}, {"is": "shipped-inside"}]}}]}"#;

/// Numbers that look random, the same for a seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

fn item(number: u64) -> String {
    format!("urn:epc:id:sgtin:9521141.012345.{number}")
}

fn parent(number: u64) -> String {
    format!("urn:epc:id:sscc:9521141.{number:010}")
}

/// Events about two items and three parents, a minute apart.
fn events(numbers: &mut Numbers) -> Vec<Value> {
    let event = |minute: u64, numbers: &mut Numbers| {
        let time = format!("2026-03-04T10:{minute:02}:00Z");
        let (items, parent) = (vec![item(numbers.below(2))], parent(numbers.below(3)));
        let mut event = match numbers.below(9) {
            0 | 1 => {
                json!({"type": "AggregationEvent", "action": "ADD", "parentID": parent, "childEPCs": items})
            }
            2 => {
                json!({"type": "AggregationEvent", "action": "OBSERVE", "parentID": parent, "childEPCs": items})
            }
            3 => {
                json!({"type": "AggregationEvent", "action": "DELETE", "parentID": parent, "childEPCs": items})
            }
            4 => {
                json!({"type": "AggregationEvent", "action": "DELETE", "parentID": parent, "childEPCs": []})
            }
            5 => {
                json!({"type": "TransformationEvent", "inputEPCList": items, "outputEPCList": ["urn:epc:id:sgtin:9521141.012345.9"]})
            }
            6 => {
                json!({"type": "ObjectEvent", "action": "DELETE", "bizStep": "destroying", "epcList": items})
            }
            _ => {
                json!({"type": "ObjectEvent", "action": "OBSERVE", "bizStep": "shipping", "epcList": items})
            }
        };
        event["eventTime"] = json!(time);
        event["eventTimeZoneOffset"] = json!("+00:00");
        event
    };
    (0..12).map(|minute| event(minute, numbers)).collect()
}

/// The places of the events that ship an item which is inside of a container, as following tells it.
fn followed(document: &Document<'_>, events: &[Value]) -> BTreeSet<usize> {
    let request = Request::of((0..3).map(parent).collect());
    let answer: Value =
        serde_json::from_str(&follow_document(document, &request).unwrap()).unwrap();
    let is_inside = |item: &str, time: &str| {
        let link = epcis_edge_core::identifier::to_digital_link(item).unwrap();
        let contents = answer["contents"].as_array().unwrap().iter();
        let mut stays = contents.filter(|content| content["item"] == *link);
        stays.any(|stay| {
            let is_over = stay["to"]["at"].as_str().is_some_and(|to| to < time);
            stay["from"]["at"].as_str().unwrap() < time && !is_over
        })
    };
    let shipped = events.iter().enumerate().filter(|(_, event)| event["bizStep"] == "shipping");
    let shipped = shipped.filter(|(_, event)| {
        is_inside(event["epcList"][0].as_str().unwrap(), event["eventTime"].as_str().unwrap())
    });
    shipped.map(|(at, _)| at).collect()
}

#[test]
fn what_is_shipped_inside_is_inside_for_following_too() {
    let checks = Checks::with(&[], Pack::read(PACK.as_bytes()).unwrap()).unwrap();
    let mut found_in_all = 0;
    for seed in 0..5000 {
        let events = events(&mut Numbers(seed));
        let text = Value::from(events.clone()).to_string();
        let document = Document::read(text.as_bytes()).unwrap();
        let report = checks.check(&document, None).unwrap();
        let findings = report.findings.iter().map(|finding| {
            let at = finding.place.path.trim_start_matches('/').split('/').next().unwrap();
            at.parse().unwrap()
        });
        let found: BTreeSet<usize> = findings.collect();
        assert_eq!(found, followed(&document, &events), "seed {seed}: {text}");
        found_in_all += found.len();
    }
    assert!(found_in_all > 1000, "{found_in_all}");
}

#[test]
fn a_child_is_in_two_parents_if_it_never_left_the_first() {
    let pack = PACK.replace("shipped-inside", "in-two-parents").replace("epcList", "childEPCs");
    let pack = pack.replace(r#"{"value": "bizStep", "word": "shipping"}, "#, "");
    let checks = Checks::with(&[], Pack::read(pack.as_bytes()).unwrap()).unwrap();
    let packed = |action: &str, into: u64| json!({"type": "AggregationEvent", "action": action, "parentID": parent(into), "childEPCs": [item(1)]});
    for (between, is_found) in [
        (packed("OBSERVE", 0), true),
        (packed("DELETE", 2), true),
        (packed("DELETE", 0), false),
        (packed("OBSERVE", 2), false),
        (json!({"type": "TransformationEvent", "inputEPCList": [item(1)]}), false),
        (json!({"type": "ObjectEvent", "action": "DELETE", "epcList": [item(1)]}), false),
    ] {
        let mut events = [packed("ADD", 0), between, packed("ADD", 1)];
        for (minute, event) in events.iter_mut().enumerate() {
            event["eventTime"] = json!(format!("2026-03-04T10:{minute:02}:00Z"));
            event["eventTimeZoneOffset"] = json!("+00:00");
        }
        let text = json!(events).to_string();
        let report = checks.check(&Document::read(text.as_bytes()).unwrap(), None).unwrap();
        assert_eq!(!report.findings.is_empty(), is_found, "{text}");
    }
}
