//! The rate limit counts units of work: one for a call, one for each 256 KiB of a body, and some for the steps of a pack.
// Invariant: The rate limit counts the work that callers request, not their requests.

use bytes::Bytes;
use epcis_edge_core::call::{BYTES_A_UNIT, Incoming, STEPS_A_UNIT};
use epcis_edge_core::check::{Checks, MAX_STEPS_WITHOUT_KEY, Pack};
use epcis_edge_core::json::Document;
use epcis_edge_core::rest;
use epcis_edge_core::service::{Configuration, Service};
use epcis_edge_tests::packs::pack;
use http::Response;
use serde_json::{Value, json};
use std::cell::Cell;
use std::future::ready;

/// The answer to a caller with this many units left, and the number of units requested.
fn ask(path: &str, media_type: &str, body: &str, left: u64) -> (Response<Bytes>, u64) {
    let service = Service::new(Configuration::at("https://gateway.example"));
    let asked = Cell::new(0);
    let visit = Incoming {
        now: 0,
        admit: &|| {
            asked.set(asked.get() + 1);
            Box::pin(ready(asked.get() <= left))
        },
        description: &|| Box::pin(ready(None)),
    };
    let request = http::Request::post(path)
        .header("content-type", media_type)
        .header("host", "gateway.example")
        .header("content-length", body.len());
    let request = request.body(Bytes::copy_from_slice(body.as_bytes())).unwrap();
    let answer = pollster::block_on(rest::respond(&service, request, &visit));
    (answer, asked.get())
}

/// An event followed by white space, of this many bytes together.
fn event(length: usize) -> String {
    let mut text = r#"{"type":"ObjectEvent","epcList":["urn:x:1"]}"#.to_owned();
    text.push_str(&" ".repeat(length - text.len()));
    text
}

#[test]
fn a_body_costs_a_unit_for_each_part_that_was_begun() {
    for path in ["/check", "/hash", "/validate"] {
        for (length, units) in [(100, 1), (BYTES_A_UNIT, 1), (BYTES_A_UNIT + 1, 2), (10 << 20, 40)]
        {
            let (answer, asked) = ask(path, "application/json", &event(length), u64::MAX);
            assert_eq!((answer.status().as_u16(), asked), (200, units), "{path} {length}");
        }
    }
    let (_, asked) = ask("/translate", "application/xml", &" ".repeat(3 * BYTES_A_UNIT), u64::MAX);
    assert_eq!(asked, 3);
}

#[test]
fn who_has_too_few_units_left_is_refused_and_told_when_to_come_back() {
    for left in [0, 1, 3] {
        let (answer, asked) = ask("/check", "application/json", &event(4 * BYTES_A_UNIT), left);
        let problem: Value = serde_json::from_slice(answer.body()).unwrap();
        assert_eq!((answer.status().as_u16(), asked), (429, left + 1));
        assert_eq!(problem["type"], "epcisException:ImplementationException");
        assert_eq!(answer.headers()["retry-after"], "60");
    }
    assert_eq!(ask("/check", "application/json", &event(4 * BYTES_A_UNIT), 4).0.status(), 200);
}

#[test]
fn a_pack_costs_the_steps_that_it_took() {
    let document = json!({"type": "ObjectEvent", "epcList": vec!["a".repeat(2000); 120]});
    let of_texts = |texts: usize| {
        pack(
            1,
            |_| json!({"at": "epcList", "when": {"any": (0..texts).map(|text| json!({"contains": format!("{}{text}", "a".repeat(390))})).collect::<Vec<_>>()}}),
        )
    };
    let units = |pack: &Value| {
        let own = Pack::read(pack.to_string().as_bytes()).unwrap();
        let text = document.to_string();
        let steps = Checks::with(&[], own)
            .unwrap()
            .check(&Document::read(text.as_bytes()).unwrap(), None)
            .unwrap()
            .steps;
        assert!(steps < MAX_STEPS_WITHOUT_KEY);
        let body = json!({"document": document, "pack": pack}).to_string();
        let (answer, asked) = ask("/check", "application/json", &body, u64::MAX);
        assert_eq!(answer.status(), 200);
        (asked - body.len().div_ceil(BYTES_A_UNIT) as u64, steps)
    };
    let (few, few_steps) = units(&of_texts(1));
    assert!(few_steps < STEPS_A_UNIT);
    assert_eq!(few, 0);
    let many = json!({"version": 1, "name": "own", "rules": (0..20).map(|rule| {
        let mut of_rule = of_texts(10)["rules"][0].clone();
        of_rule["id"] = json!(format!("r{rule}"));
        of_rule
    }).collect::<Vec<_>>()});
    let (asked, steps) = units(&many);
    assert_eq!(asked, steps / STEPS_A_UNIT, "{steps} steps");
    assert!(asked > 0, "{steps} steps are less than a unit");
    // A caller without enough units gets no answer.
    let body = json!({"document": document, "pack": many}).to_string();
    let of_body = body.len().div_ceil(BYTES_A_UNIT) as u64;
    let answer = ask("/check", "application/json", &body, of_body + asked - 1).0;
    assert_eq!(answer.status(), 429);
    // A pack that is refused costs the whole budget.
    let document = vec![document; 40];
    let body = json!({"document": document, "pack": many}).to_string();
    let (answer, asked) = ask("/check", "application/json", &body, u64::MAX);
    assert_eq!(answer.status(), 413);
    let of_body = body.len().div_ceil(BYTES_A_UNIT) as u64;
    assert_eq!(asked, of_body + MAX_STEPS_WITHOUT_KEY / STEPS_A_UNIT);
}

#[test]
fn the_tool_translate_costs_what_its_xml_is_long() {
    let message = |xml: &str| {
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "translate", "arguments": {"xml": xml}}}).to_string()
    };
    let short = ask("/mcp", "application/json", &message("<a/>"), u64::MAX).1;
    let long = ask(
        "/mcp",
        "application/json",
        &message(&format!("<a>{}</a>", "x".repeat(4 * BYTES_A_UNIT))),
        u64::MAX,
    )
    .1;
    // The long message costs one more for reading it.
    assert_eq!((short, long), (1, 1 + 1 + 4));
}
