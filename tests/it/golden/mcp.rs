//! The messages to the agent door, as it answers them whole, over HTTP and as a local process.

use super::gateway::shown;
use super::masks::masked;
use super::recorder::Recorder;
use bytes::Bytes;
use epcis_edge_core::call::{Incoming, Principal};
use epcis_edge_core::mcp::{self, Transport};
use epcis_edge_core::rest;
use epcis_edge_core::service::{Configuration, Family, Service};
use epcis_edge_tests::rest::Body;
use epcis_edge_tests::{own_vectors, read_json};
use http::Request;
use pollster::block_on;
use serde_json::Value;

#[test]
fn every_message() {
    let mut recorder = Recorder::new("messages", &["http", "process"]);
    let base = "https://gateway.example";
    let mut configuration = Configuration::at(base);
    configuration.family = Family::of_one(base).with_resolver("https://resolver.example/");
    let service = Service::new(configuration);
    let principal = Principal::local("urn:example:account", "urn:example:observer");
    let cases = read_json(&own_vectors("mcp").join("messages.json"));
    for case in cases.as_array().unwrap() {
        let note = case["note"].as_str().unwrap();
        recorder.case(note, || {
            let text = text_of(case);
            let mut request = Request::post("/mcp").header("content-type", "application/json");
            for (name, value) in case["headers"].as_object().into_iter().flatten() {
                request = request.header(name, value.as_str().unwrap());
            }
            let request = request.body(Bytes::from(text.clone())).unwrap();
            let answer = block_on(rest::respond(&service, request, &Incoming::at(0)));
            // A process keeps nothing from one message to the next but its store, which no vector fills.
            let door = Transport::Local(&principal);
            let reply = block_on(mcp::answer(&service, &text, door, &Incoming::at(0)));
            let reply = reply.map_or_else(|| "no reply".to_owned(), |reply| reply.text);
            vec![shown("/mcp", &answer), masked(&reply)]
        });
    }
    assert!(recorder.count() > 150, "{}", recorder.count());
    recorder.finish();
}

/// The bytes of a message.
fn text_of(case: &Value) -> Vec<u8> {
    match case.get("message") {
        Some(message) => serde_json::to_vec(message).unwrap(),
        None => {
            let body: Body = serde_json::from_value(case["send"].clone()).unwrap();
            body.bytes()
        }
    }
}
