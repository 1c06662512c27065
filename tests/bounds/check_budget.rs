//! A custom pack cannot exceed its budget: its steps are counted while it runs, and end the check at the limit.
//!
//! Uses the packs of `tests/src/packs.rs`. `EPCIS_EDGE_BOUNDS=full cargo test --release -p epcis-edge-tests --test bounds check_budget::`
//! goes up to 10 MiB and also checks the time per step.
// Invariant: A caller's own pack takes a bounded number of steps: a counter ends the check and names the rule that was at work.

use bytes::Bytes;
use epcis_edge_core::call::Incoming;
use epcis_edge_core::check::{Checks, MAX_STEPS, MAX_STEPS_WITHOUT_KEY, PACKS, Pack};
use epcis_edge_core::error::ErrorKind;
use epcis_edge_core::json::Document;
use epcis_edge_core::rest;
use epcis_edge_core::service::{Configuration, Service};
use epcis_edge_tests::events::{self, Envelope};
use epcis_edge_tests::packs::{COSTLY, pack};
use epcis_edge_tests::time::{in_full, seconds};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn own(pack: &Value) -> Checks {
    Checks::with(&[], Pack::read(pack.to_string().as_bytes()).unwrap()).unwrap()
}

fn steps(checks: &Checks, text: &str) -> u64 {
    let document = Document::read(text.as_bytes()).unwrap();
    checks.check(&document, None).unwrap().steps
}

/// A condition on another field of the event is evaluated once per event, not once per value.
#[test]
fn what_the_event_alone_decides_is_asked_once_an_event() {
    let costly =
        COSTLY.iter().find(|costly| costly.name.starts_with("texts in another field")).unwrap();
    let checks = own(&costly.pack());
    let (short, long) = (costly.document(4_000), costly.document(64_000));
    let (few, many) = (steps(&checks, &short), steps(&checks, &long));
    assert!(many < 2 * few, "{few} steps, {many} with sixteen times the EPCs");
}

/// Such a condition is evaluated again for the next event, and combines with conditions that depend on the whole document.
#[test]
fn what_the_event_alone_decides_is_that_of_its_own_event() {
    let is_add = json!({"value": "action", "in": "ADD"});
    let pack = pack(3, |number| {
        let conditions = [
            json!({"all": [{"endsWith": "1"}, is_add]}),
            json!({"any": [{"not": {"any": [is_add, {"value": "bizStep", "exists": true}]}}, {"longerThan": 100}]}),
            json!({"all": [{"is": "repeated"}, is_add]}),
        ];
        json!({"at": "epcList", "when": conditions[number]})
    });
    let event = |action: &str| json!({"type": "ObjectEvent", "action": action, "epcList": ["urn:x:1", "urn:x:2", "urn:x:1"]});
    let document =
        json!([event("ADD"), event("OBSERVE"), event("ADD"), event("DELETE")]).to_string();
    let report = own(&pack).check(&Document::read(document.as_bytes()).unwrap(), None).unwrap();
    let found: BTreeSet<_> = report
        .findings
        .iter()
        .map(|found| format!("{} {}", found.rule, found.place.path))
        .collect();
    let mut expected = BTreeSet::new();
    for event in [0, 2] {
        expected.insert(format!("own/r0 /{event}/epcList/0"));
        expected.insert(format!("own/r0 /{event}/epcList/2"));
        expected.insert(format!("own/r2 /{event}/epcList/2"));
    }
    for event in [1, 3] {
        expected.extend((0..3).map(|epc| format!("own/r1 /{event}/epcList/{epc}")));
    }
    assert_eq!(found, expected);
}

/// A pack ends at its budget, whatever it costs. The refusal names the budget and the rule that was at work.
#[test]
fn a_pack_ends_at_its_budget() {
    const SHORT: usize = 2000;
    for costly in COSTLY.iter() {
        let text = costly.document(SHORT);
        let document = Document::read(text.as_bytes()).unwrap();
        let check = |budget| own(&costly.pack()).within(budget).check(&document, None);
        let whole = check(u64::MAX).unwrap();
        let all = whole.steps;
        assert!(all > 0, "{}", costly.name);
        assert_eq!(check(all).unwrap(), whole, "{}", costly.name);
        for budget in [0, all / 7, all / 2, all - 1] {
            let error = check(budget).unwrap_err();
            let ErrorKind::PackTooCostly { limit, rule } = error.kind() else {
                panic!("{}: {error}", costly.name);
            };
            assert_eq!(*limit, budget, "{}", costly.name);
            // Facts about the document are for all rules of a pack.
            assert!(rule.starts_with("own/r") || rule == "own", "{}: {rule}", costly.name);
        }
    }
}

/// A step takes at most a nanosecond, in packs that end by themselves and in those that the budget ends.
#[test]
#[ignore = "measures time: make bench-growth"]
fn a_step_takes_a_nanosecond() {
    let mut refused = 0;
    for costly in COSTLY.iter() {
        for halvings in [2, 1, 0] {
            let text = costly.document(10 << 20 >> halvings);
            let document = Document::read(text.as_bytes()).unwrap();
            let checks = own(&costly.pack());
            let mut report = None;
            let time = seconds(|| report = Some(checks.check(&document, None)));
            let steps = report.unwrap().map_or(MAX_STEPS, |report| report.steps);
            refused += usize::from(halvings == 0 && steps > MAX_STEPS_WITHOUT_KEY);
            println!("{:55} {:.2} G steps, {time:.2} s", costly.name, steps as f64 / 1e9);
            // The bound of a native build, and what the walk itself takes. Wasm takes up to twice as long.
            assert!(
                time < 0.5 + steps as f64 * 1e-9,
                "{}: {time} s for {steps} steps",
                costly.name
            );
        }
    }
    assert!(refused > COSTLY.len() / 2, "{refused} are refused without a key");
}

/// The cost is proportional to the number and length of the values and to the number of conditions.
#[test]
fn the_cost_grows_with_values_bytes_and_conditions() {
    let rule = |when: Value| {
        let mut pack = pack(1, |_| json!({"at": "epcList", "when": when}));
        // Otherwise each event is looked at once more, to find those that are withdrawn.
        pack["judgesWithdrawn"] = true.into();
        own(&pack)
    };
    let event = |epcs: usize, length: usize| {
        json!({"type": "ObjectEvent", "epcList": vec!["a".repeat(length); epcs]}).to_string()
    };
    let contains = |texts: usize| json!({"contains": vec!["bcd"; texts]});
    let at = |texts, epcs, length| steps(&rule(contains(texts)), &event(epcs, length));
    let base = at(1, 10, 100);
    assert_eq!(at(1, 20, 100), 2 * base);
    assert!(at(1, 10, 1000) > 5 * base);
    assert!(at(10, 10, 100) > 5 * base);
    assert!(steps(&rule(json!({"any": vec![contains(1); 10]})), &event(10, 100)) > 9 * base);
    // Events without the field cost nothing.
    assert_eq!(steps(&rule(contains(1)), r#"[{"type":"ObjectEvent"}]"#), 0);
    // Built-in packs are not counted, because their cost is known.
    assert_eq!(steps(&Checks::all().unwrap(), &event(10, 100)), 0);
}

/// Copies of the built-in packs as custom packs, under the budget without a key, on ordinary documents of 10 MiB.
#[test]
fn packs_like_ours_are_never_refused_on_ordinary_documents() {
    let length = if in_full() { 10 << 20 } else { 1 << 20 };
    let mut count = 100;
    let mut text = String::new();
    while text.len() < length {
        let document = events::document(Envelope::Document, count, 1);
        text = document.to_string();
        count = count * (length + length / 20) / text.len();
    }
    let document = Document::read(text.as_bytes()).unwrap();
    for (name, pack) in PACKS {
        // The built-in pack is not even counted.
        assert!(Checks::named(&[name]).unwrap().within(0).check(&document, None).is_ok());
        let pack = pack.replace(&format!("\"name\": \"{name}\""), "\"name\": \"own\"");
        let checks = Checks::with(&[], Pack::read(pack.as_bytes()).unwrap()).unwrap();
        let steps = checks.check(&document, None).unwrap().steps;
        println!("{name}: {:.1} M steps for {} kB", steps as f64 / 1e6, text.len() / 1000);
        let budget = MAX_STEPS_WITHOUT_KEY as f64 * text.len() as f64 / (10 << 20) as f64;
        assert!(steps > 0 && (steps as f64) < budget, "{name}: {steps} steps, {budget}");
    }
}

/// Without a key, the budget is a tenth. A pack over it is refused, whether the document is JSON or XML.
#[test]
fn the_door_without_a_key_has_a_tenth() {
    const XML: &str = "<e:EPCISDocument xmlns:e=\"urn:epcglobal:epcis:xsd:2\" schemaVersion=\"2.0\" creationDate=\"2026-10-05T09:30:00Z\"><EPCISBody><EventList><ObjectEvent><eventTime>2026-10-05T09:30:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList>EPCS</epcList><action>OBSERVE</action></ObjectEvent></EventList></EPCISBody></e:EPCISDocument>";
    let service = Service::new(Configuration::at("https://gateway.example"));
    let costly = COSTLY.iter().find(|costly| costly.name == "long texts in long EPCs").unwrap();
    let ask = |document: &Value| {
        let body = json!({"document": document, "pack": costly.pack()}).to_string();
        let request = http::Request::post("/check")
            .header("content-type", "application/json")
            .body(Bytes::from(body))
            .unwrap();
        let answer = pollster::block_on(rest::respond(&service, request, &Incoming::at(0)));
        let body: Value = serde_json::from_slice(answer.body()).unwrap();
        (answer.status().as_u16(), body)
    };
    let json: Value = serde_json::from_str(&costly.document(300_000)).unwrap();
    let epcs = format!("<epc>{}</epc>", "a".repeat(2000)).repeat(150);
    for document in [json, Value::String(XML.replace("EPCS", &epcs))] {
        let (status, problem) = ask(&document);
        assert_eq!(
            (status, &problem["type"]),
            (413, &json!("epcisException:CaptureLimitExceededException"))
        );
        let detail = problem["detail"].as_str().unwrap();
        assert!(
            detail.contains(&MAX_STEPS_WITHOUT_KEY.to_string()) && detail.contains("`own/r"),
            "{detail}"
        );
    }
    let (status, answer) = ask(&json!([{"type": "ObjectEvent", "epcList": ["urn:x:1"]}]));
    assert_eq!((status, &answer["type"]), (200, &json!("OK")));
}
