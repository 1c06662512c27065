//! The MCP server, natively: every message over HTTP and as a local process, and the promises of the list of tools.
// Invariant: `mcp::answer` is total, and one table of messages runs natively, over HTTP and through the process.

use bytes::Bytes;
use epcis_edge_core::call::{Incoming, Principal};
use epcis_edge_core::mcp::{self, Transport};
use epcis_edge_core::query::SERVED;
use epcis_edge_core::rest;
use epcis_edge_core::service::{Configuration, Family, Service};
use epcis_edge_tests::rest::{Body, matches};
use epcis_edge_tests::{own_vectors, read};
use http::Request;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A message and the expected answer of each transport.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    note: String,
    message: Option<Value>,
    send: Option<Body>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    http: Option<Http>,
    stdio: Option<Stdio>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Http {
    status: u16,
    /// `null` means that the header must be absent.
    #[serde(default)]
    headers: BTreeMap<String, Option<String>>,
    reply: Option<Value>,
    text: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stdio {
    reply: Option<Value>,
    text: Option<String>,
}

fn cases() -> Vec<Case> {
    serde_json::from_slice(&read(&own_vectors("mcp").join("messages.json"))).unwrap()
}

fn service() -> Service {
    let mut configuration = Configuration::at("https://gateway.example");
    configuration.family =
        Family::of_one("https://gateway.example").with_resolver("https://resolver.example/");
    Service::new(configuration)
}

fn text_of(case: &Case) -> Vec<u8> {
    match (&case.message, &case.send) {
        (Some(message), None) => serde_json::to_vec(message).unwrap(),
        (None, Some(body)) => body.bytes(),
        _ => panic!("{}: one of message and send", case.note),
    }
}

fn check(note: &str, found: Option<&str>, reply: Option<&Value>, text: Option<&str>) {
    let Some(found) = found.filter(|found| !found.is_empty()) else {
        assert!(reply.is_none() && text.is_none(), "{note}: no reply");
        return;
    };
    if let Some(text) = text {
        assert_eq!(found, text, "{note}");
        return;
    }
    let value: Value = serde_json::from_str(found).unwrap();
    let Some(reply) = reply else {
        panic!("{note}: an answer to what wants none: {found}");
    };
    matches(&value, reply, "").unwrap_or_else(|error| panic!("{note}: {error}"));
    assert_ne!(value.get("result").is_some(), value.get("error").is_some(), "{note}");
    assert!(!found.contains('\n'), "{note}: one line");
    let result = &value["result"];
    if let Some(structured) = result.get("structuredContent") {
        let content = result["content"][0]["text"].as_str().unwrap();
        let same: Value = serde_json::from_str(content).unwrap();
        assert_eq!(&same, structured, "{note}: the text is the content");
    }
}

#[test]
fn every_message_over_http() {
    let service = service();
    let mut count = 0;
    for case in cases() {
        let Some(expected) = &case.http else { continue };
        let mut request = Request::post("/mcp").header("content-type", "application/json");
        for (name, value) in &case.headers {
            request = request.header(name, value);
        }
        let request = request.body(Bytes::from(text_of(&case))).unwrap();
        let response = pollster::block_on(rest::respond(&service, request, &Incoming::at(0)));
        let text = std::str::from_utf8(response.body()).unwrap();
        assert_eq!(response.status(), expected.status, "{}: {text}", case.note);
        for (name, value) in &expected.headers {
            let found = response.headers().get(name).map(|value| value.to_str().unwrap());
            assert_eq!(found, value.as_deref(), "{}: {name}", case.note);
        }
        check(&case.note, Some(text), expected.reply.as_ref(), expected.text.as_deref());
        count += 1;
    }
    assert!(count >= 100, "only {count} cases");
}

#[test]
fn every_message_as_a_process() {
    let service = service();
    let principal = Principal::local("urn:example:account", "urn:example:observer");
    let mut count = 0;
    for case in cases() {
        let Some(expected) = &case.stdio else {
            continue;
        };
        let text = text_of(&case);
        let door = Transport::Local(&principal);
        let reply = pollster::block_on(mcp::answer(&service, &text, door, &Incoming::at(0)));
        let reply = reply.map(|reply| reply.text);
        check(&case.note, reply.as_deref(), expected.reply.as_ref(), expected.text.as_deref());
        count += 1;
    }
    assert!(count >= 80, "only {count} cases");
}

#[test]
fn a_reply_is_one_line_whatever_white_space_was_captured() {
    let service = service();
    let principal = Principal::local("urn:example:account", "urn:example:observer");
    let ask = |message: &str| {
        let door = Transport::Local(&principal);
        let reply =
            pollster::block_on(mcp::answer(&service, message.as_bytes(), door, &Incoming::at(0)));
        reply.unwrap().text
    };
    let captured = ask(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"capture\",\"arguments\":{\"document\":{\r\n\
         \"@context\":\"https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld\",\"type\":\"ObjectEvent\",\r\n\
         \"action\":\"OBSERVE\",\"epcList\":[\r\n\"urn:epc:id:sscc:9521141.1234567890\"\r],\"eventTime\":\"2026-03-04T10:00:00Z\",\
         \"eventTimeZoneOffset\":\"+00:00\"}}}}",
    );
    assert!(captured.contains(r#""duplicate":false"#), "{captured}");
    let found = ask(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query"}}"#);
    assert!(found.contains("9521141.1234567890"), "{found}");
    assert!(!found.contains(['\r', '\n']), "{found}");
    let value: Value = serde_json::from_str(&found).unwrap();
    let content = value["result"]["content"][0]["text"].as_str().unwrap();
    let same: Value = serde_json::from_str(content).unwrap();
    assert_eq!(same, value["result"]["structuredContent"]);
}

fn tools(door: Transport<'_>) -> Vec<Value> {
    let message = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let reply = pollster::block_on(mcp::answer(&service(), message, door, &Incoming::at(0)));
    let reply: Value = serde_json::from_str(&reply.unwrap().text).unwrap();
    reply["result"]["tools"].as_array().unwrap().clone()
}

/// Keywords that mean the same in draft-07 and 2020-12.
const KEYWORDS: [&str; 17] = [
    "additionalProperties",
    "anyOf",
    "const",
    "description",
    "enum",
    "format",
    "items",
    "maximum",
    "minimum",
    "properties",
    "required",
    "title",
    "type",
    "minItems",
    "maxItems",
    "default",
    "examples",
];

fn check_keywords(schema: &Value) {
    for (keyword, value) in schema.as_object().unwrap() {
        assert!(KEYWORDS.contains(&keyword.as_str()), "{keyword}");
        match (keyword.as_str(), value) {
            ("properties", Value::Object(members)) => members.values().for_each(check_keywords),
            ("anyOf", Value::Array(members)) => members.iter().for_each(check_keywords),
            ("items", members) => check_keywords(members),
            _ => {}
        }
    }
}

#[test]
fn schemas_are_plain_and_admit_every_refusal() {
    let principal = Principal::local("urn:example:account", "urn:example:observer");
    let problem = serde_json::json!({"type": "epcisException:SecurityException", "title": "x", "status": 401});
    for door in [Transport::Http(mcp::Headers::default()), Transport::Local(&principal)] {
        for tool in tools(door) {
            for name in ["inputSchema", "outputSchema"] {
                let schema = &tool[name];
                assert_eq!(schema["type"], "object");
                check_keywords(schema);
                for build in [jsonschema::draft7::new, jsonschema::draft202012::new] {
                    let validator = build(schema).unwrap();
                    if name == "outputSchema" {
                        assert!(validator.is_valid(&problem), "{}", tool["name"]);
                        assert!(
                            !validator.is_valid(&serde_json::json!({"type": "OK"})),
                            "{}",
                            tool["name"]
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn every_served_parameter_is_in_the_schema_of_query() {
    let query = tools(Transport::Http(mcp::Headers::default()))
        .into_iter()
        .find(|tool| tool["name"] == "query")
        .unwrap();
    let schema = &query["inputSchema"]["properties"]["query"];
    let description = schema["description"].as_str().unwrap();
    let named: BTreeSet<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert!(named.len() >= 53);
    for entry in SERVED.iter().flat_map(|entry| entry.split(", ")) {
        let is_there = named.iter().any(|name| *name == entry)
            || ["perPage", "nextPageToken"].contains(&entry)
            || description.contains(entry)
            || entry.split_once('_').is_some_and(|(operators, field)| {
                operators.split('|').all(|operator| {
                    named.iter().any(|name| **name == format!("{operator}_{field}"))
                })
            });
        assert!(is_there, "{entry}");
    }
    // The named parameters are supported.
    for name in named {
        let value = match &schema["properties"][name] {
            schema if schema["enum"].is_array() => schema["enum"][0].clone(),
            schema if schema["type"] == "boolean" || schema["const"] == true => true.into(),
            schema if schema["type"] == "number" || schema["type"] == "integer" => 1.into(),
            schema if schema["format"] == "date-time" => "2026-01-01T00:00:00Z".into(),
            _ if name == "EQ_action" => "ADD".into(),
            _ => "urn:epc:id:sgtin:9521141.012345.1".into(),
        };
        let mut text = serde_json::json!({ name: value });
        if name == "orderDirection" || name == "eventCountLimit" {
            text["orderBy"] = "eventTime".into();
        }
        let text = text.to_string();
        let document = epcis_edge_core::json::Document::read(text.as_bytes()).unwrap();
        let read = epcis_edge_core::query::Query::read(document.root());
        assert!(read.is_ok(), "{name}: {read:?}");
    }
}

#[test]
fn a_local_service_answers_to_loopback_names_alone() {
    let service = Service::new(Configuration::at("http://127.0.0.1:8787"));
    let ask = |host: &str, origin: Option<&str>| {
        let mut request =
            Request::post("/mcp").header("content-type", "application/json").header("host", host);
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        let body = Bytes::from_static(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
        let request = request.body(body).unwrap();
        pollster::block_on(rest::respond(&service, request, &Incoming::at(0))).status().as_u16()
    };
    for host in ["127.0.0.1:8787", "localhost:8787", "[::1]:8787", "LOCALHOST"] {
        assert_eq!(ask(host, None), 200, "{host}");
    }
    for host in
        ["evil.example", "evil.example:8787", "127.0.0.1.evil.example", "localhost.evil.example"]
    {
        assert_eq!(ask(host, None), 403, "{host}");
    }
    assert_eq!(ask("localhost", Some("http://localhost:5173")), 200);
    assert_eq!(ask("localhost", Some("http://[::1]:5173")), 200);
    for origin in [
        "http://evil.example",
        "null",
        "http://localhost.evil.example",
        "",
        "http://user@localhost@evil.example",
    ] {
        assert_eq!(ask("localhost", Some(origin)), 403, "{origin}");
    }
}

/// Calls a tool of the local process. Returns the structured content.
fn called(name: &str, arguments: Value) -> Value {
    let principal = Principal::local("urn:example:account", "urn:example:observer");
    let message = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    let (text, door) = (message.to_string(), Transport::Local(&principal));
    let visit = Incoming::at(0);
    let reply = pollster::block_on(mcp::answer(&service(), text.as_bytes(), door, &visit));
    let reply: Value = serde_json::from_str(&reply.unwrap().text).unwrap();
    reply["result"]["structuredContent"].clone()
}

#[test]
fn xml_is_validated_by_its_schema() {
    let xml = |action: &str| {
        format!(
            "<e:EPCISDocument xmlns:e=\"urn:epcglobal:epcis:xsd:1\" schemaVersion=\"1.2\" creationDate=\"2026-01-05T10:00:00Z\"><EPCISBody>\
             <EventList><ObjectEvent><eventTime>2026-01-05T10:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>\
             <epcList/><action>{action}</action></ObjectEvent></EventList></EPCISBody></e:EPCISDocument>"
        )
    };
    let fine = called("validate", serde_json::json!({"xml": xml("OBSERVE")}));
    assert_eq!((&fine["type"], &fine["valid"]), (&"OK".into(), &true.into()), "{fine}");
    let bad = called("validate", serde_json::json!({"xml": xml("OBSERVED")}));
    assert_eq!((&bad["type"], &bad["valid"]), (&"OK".into(), &false.into()), "{bad}");
    let path = bad["errors"][0]["path"].as_str().unwrap();
    assert!(path.ends_with("/action[1]") && bad["errors"][0]["line"] == 1, "{bad}");
    for arguments in [
        serde_json::json!({}),
        serde_json::json!({"xml": "no XML"}),
        serde_json::json!({"xml": xml("ADD"), "document": {}}),
        serde_json::json!({"xml": 7}),
    ] {
        let refused = called("validate", arguments.clone());
        assert!(
            refused["type"].as_str().unwrap().starts_with("epcisException:"),
            "{arguments}: {refused}"
        );
    }
    // Arguments that have no effect on XML are refused.
    for name in ["hash", "verify"] {
        assert_eq!(called(name, serde_json::json!({"xml": xml("ADD")}))["type"], "OK");
        for (argument, value) in [("context", serde_json::json!({})), ("undeclared", "keep".into())]
        {
            let refused = called(name, serde_json::json!({"xml": xml("ADD"), argument: value}));
            let detail = refused["detail"].as_str().unwrap();
            assert!(detail.contains(argument) && detail.contains("beside XML"), "{refused}");
        }
    }
}
