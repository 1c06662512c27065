//! The HTTP doors over memory: every vector, held against our own OpenAPI description.

use bytes::Bytes;
use epcis_edge_core::call::Incoming;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::hash::{self, Profile};
use epcis_edge_core::json::Document;
use epcis_edge_core::rest::{self, Body, BodyFault, OPENAPI};
use epcis_edge_core::service::{Configuration, DemoFilter, Family, Service};
use epcis_edge_core::validate::Engine;

use epcis_edge_tests::rest::{Case, matches};
use epcis_edge_tests::{entries, own_vectors, read};
use http::{Request, Response};
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::future::ready;

/// The tag of the operations of the REST binding.
const BINDING: &str = "EPCIS 2.0 REST binding";

/// That of the transparency log, which `log_doors.rs` sees to.
const LOG: &str = "transparency log";

fn service() -> Service {
    let mut configuration = Configuration::at("https://gateway.example/");
    configuration.family =
        Family::of_one("https://gateway.example/").with_resolver("https://resolver.example/");
    Service::new(configuration)
}

fn send(service: &Service, case: &Case) -> Response<Bytes> {
    let mut request = Request::builder()
        .method(case.request.method.as_str())
        .uri(&case.request.path);
    for (name, value) in &case.request.headers {
        request = request.header(name, value);
    }
    let visit = Incoming {
        now: 0,
        admit: || ready(!case.request.limited),
    };
    let body = case
        .request
        .body
        .as_ref()
        .map(|body| body.bytes())
        .unwrap_or_default();
    if case.request.body.is_some() && case.request.content_length.as_deref() != Some("absent") {
        request = request.header("content-length", body.len());
    }
    let request = request
        .body(Sent {
            text: body.into(),
            fits: !case.request.no_memory,
        })
        .unwrap();
    pollster::block_on(rest::respond(service, request, &visit))
}

/// A body that there may be no memory for.
struct Sent {
    text: Bytes,
    fits: bool,
}

impl Body for Sent {
    async fn read(&mut self, limit: usize) -> Result<Bytes, BodyFault> {
        if self.fits {
            self.text.read(limit).await
        } else {
            Err(BodyFault::NoMemory)
        }
    }

    async fn discard(&mut self, limit: usize) {
        self.text.discard(limit).await;
    }
}

#[test]
fn every_vector_is_answered_as_written() {
    let service = service();
    let description: Value = serde_json::from_str(OPENAPI).unwrap();
    let mut answered = BTreeSet::new();
    let files = entries(&own_vectors("rest"));
    assert!(files.len() >= 60);
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let case: Case =
            serde_json::from_slice(&read(&file)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let response = send(&service, &case);
        assert_eq!(
            response.status(),
            case.response.status,
            "{name}: {:?}",
            response.body()
        );
        for (header, value) in &case.response.headers {
            let found = response
                .headers()
                .get(header)
                .map(|found| found.to_str().unwrap());
            assert_eq!(found, Some(value.as_str()), "{name}: {header}");
        }
        for header in &case.response.absent_headers {
            assert!(!response.headers().contains_key(header), "{name}: {header}");
        }
        if case.request.method == "HEAD" {
            assert!(response.body().is_empty(), "{name}");
        }
        let is_json = response
            .headers()
            .get("content-type")
            .is_some_and(|value| value.to_str().unwrap().contains("json"));
        if is_json && case.request.method != "HEAD" {
            let body: Value = serde_json::from_slice(response.body()).unwrap();
            if let Some(expected) = &case.response.body {
                matches(&body, expected, "")
                    .unwrap_or_else(|difference| panic!("{name}: {difference}"));
            }
            if let Some(described) = check_description(&description, &case, &response, &body, &name)
            {
                answered.insert(described);
            }
        } else {
            assert!(
                case.response.body.is_none(),
                "{name}: a JSON body was expected"
            );
            let (path, method) = (&case.request.path, case.request.method.to_lowercase());
            let status = response.status().as_str().to_owned();
            let promised = &description["paths"][path][&method]["responses"][&status];
            if promised.is_object() && promised.get("content").is_none() {
                assert!(response.body().is_empty(), "{name}");
                answered.insert((path.clone(), method, status));
            }
        }
    }
    // Every operation and status that the description promises was seen; those of the binding need keys, and are seen to by
    // `binding.rs`.
    let mut promised: BTreeSet<_> = operations(&description)
        .filter(|(_, _, operation)| operation["tags"][0] != BINDING && operation["tags"][0] != LOG)
        .flat_map(|(path, method, operation)| {
            let statuses = operation["responses"].as_object().unwrap().keys().cloned();
            statuses
                .map(move |status| (path.clone(), method.clone(), status))
                .collect::<Vec<_>>()
        })
        .collect();
    let demo = ["200", "400", "403"];
    promised.extend(demo.map(|status| ("/events".to_owned(), "get".to_owned(), status.to_owned())));
    let missing: Vec<_> = promised.difference(&answered).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn operations(description: &Value) -> impl Iterator<Item = (String, String, &Value)> {
    description["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, methods)| {
            methods
                .as_object()
                .unwrap()
                .iter()
                .filter(|(_, operation)| operation.get("responses").is_some())
                .map(move |(method, operation)| (path.clone(), method.clone(), operation))
        })
}

/// The answer must be one that the description promises; problems of any door must fit `Problem`.
fn check_description(
    description: &Value,
    case: &Case,
    response: &Response<Bytes>,
    body: &Value,
    name: &str,
) -> Option<(String, String, String)> {
    let path = case.request.path.split('?').next().unwrap().to_owned();
    let method = case.request.method.to_lowercase();
    let status = response.status().as_str().to_owned();
    let media_type = response.headers()["content-type"]
        .to_str()
        .unwrap()
        .split(';')
        .next()
        .unwrap();
    let mut promised = &description["paths"][&path][&method]["responses"][&status];
    let is_promised = !promised.is_null();
    if let Some(reference) = promised["$ref"].as_str() {
        promised = description
            .pointer(reference.strip_prefix('#').unwrap())
            .unwrap();
    }
    let schema = if is_promised {
        promised["content"][media_type]["schema"].clone()
    } else {
        // Under the prefix of the binding stands what is described at the root.
        assert!(
            [404, 405].contains(&response.status().as_u16()) || path.starts_with("/epcis"),
            "{name}: {status} is not described"
        );
        json!({"$ref": "#/components/schemas/Problem"})
    };
    assert!(!schema.is_null(), "{name}: {media_type} is not described");
    let mut root = schema;
    root["components"] = description["components"].clone();
    let validator = jsonschema::draft202012::options()
        .should_validate_formats(true)
        .build(&root)
        .unwrap();
    let errors: Vec<_> = validator
        .iter_errors(body)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
    if is_promised {
        for header in promised["headers"].as_object().unwrap().keys() {
            assert!(response.headers().contains_key(header), "{name}: {header}");
        }
    }
    is_promised.then_some((path, method, status))
}

#[test]
fn head_announces_the_length_of_get() {
    let service = service();
    for path in [
        "/",
        "/events",
        "/family.json",
        "/ns/spine/",
        "/openapi.json",
        "/pricing",
    ] {
        let ask = |method: &str| {
            let request = Request::builder()
                .method(method)
                .uri(path)
                .body(Bytes::new())
                .unwrap();
            pollster::block_on(rest::respond(&service, request, &Incoming::at(0)))
        };
        let (get, head) = (ask("GET"), ask("HEAD"));
        assert_eq!(head.status(), 200);
        assert!(head.body().is_empty() && !get.body().is_empty());
        assert_eq!(
            head.headers()["content-length"],
            get.body().len().to_string()
        );
    }
}

/// A body that counts how often it is read, and may be longer than it says.
struct Spy<'a> {
    reads: &'a Cell<usize>,
    discarded: &'a Cell<usize>,
    length: usize,
    breaks: bool,
}

impl Body for Spy<'_> {
    async fn read(&mut self, limit: usize) -> Result<Bytes, BodyFault> {
        self.reads.set(self.reads.get() + 1);
        match (self.breaks, self.length > limit) {
            (true, _) => Err(BodyFault::Incomplete),
            (_, true) => Err(BodyFault::TooLarge),
            _ => Ok(Bytes::from(vec![b' '; std::mem::take(&mut self.length)])),
        }
    }

    async fn discard(&mut self, limit: usize) {
        self.discarded.set(self.length.min(limit));
    }
}

#[test]
fn bodies_are_read_only_when_they_can_be_served() {
    let service = service();
    let limit = service.configuration().max_body_bytes;
    let ask = |method: &str,
               path: &str,
               media_type: &str,
               announced: usize,
               length: usize,
               breaks: bool| {
        let (reads, discarded) = (Cell::new(0), Cell::new(0));
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("content-type", media_type);
        let request = request
            .header("content-length", announced)
            .body(Spy {
                reads: &reads,
                discarded: &discarded,
                length,
                breaks,
            })
            .unwrap();
        let status = pollster::block_on(rest::respond(&service, request, &Incoming::at(0)))
            .status()
            .as_u16();
        (status, reads.get(), discarded.get())
    };
    let json = "application/json";
    assert_eq!(
        ask("POST", "/validate", json, limit + 1, limit + 1, false),
        (413, 0, limit + 1),
        "judged by its announced length"
    );
    assert_eq!(
        ask("POST", "/validate", json, 5, limit + 1, false),
        (413, 1, limit + 1),
        "a lie is found while reading"
    );
    assert_eq!(
        ask("POST", "/validate", json, 5, 5, true),
        (400, 1, 5),
        "a body that breaks off"
    );
    assert_eq!(
        ask("POST", "/validate", "text/xml", 5, 5, false),
        (415, 0, 5)
    );
    assert_eq!(ask("POST", "/nothing", json, 5, 5, false), (404, 0, 5));
    assert_eq!(ask("PUT", "/validate", json, 5, 5, false), (405, 0, 5));
    assert_eq!(ask("POST", "/pricing", json, 5, 5, false), (405, 0, 5));
    // What is not wanted is read all the same, within reason, so that the answer arrives.
    let most = 32 << 20;
    assert_eq!(
        ask("POST", "/nothing", json, most, most, false),
        (404, 0, most)
    );
    assert_eq!(
        ask("POST", "/nothing", json, most + 1, most + 1, false),
        (404, 0, 0)
    );
    assert_eq!(
        ask("POST", "/nothing", json, 5, most + 1, false),
        (404, 0, most)
    );
}

#[test]
fn demo_events_are_valid_and_tell_one_story() {
    let service = service();
    let events = service.demo_events(&DemoFilter::default());
    assert_eq!(events.len(), 13);
    let tags: BTreeSet<_> = events.iter().map(|event| event.tag.clone()).collect();
    assert_eq!(tags.len(), events.len(), "every step has its own tag");
    let kinds: BTreeSet<_> = events.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds.len(), 5, "all five event types");
    let mut times = Vec::new();
    for event in &events {
        let document = Document::read(event.event.get().as_bytes()).unwrap();
        let verdict = service
            .validate(Engine::default(), event.event.get().as_bytes())
            .unwrap();
        assert!(verdict.valid, "{}: {:?}", event.tag, verdict.errors);
        assert_eq!(
            document.root().get("type").unwrap().as_str().unwrap(),
            event.kind
        );
        assert_eq!(event.label, "DEMO");
        let verified = hash::verify(&document).unwrap();
        assert!(
            matches!(&verified[..], [one] if one.profiles().contains(&Profile::Cbv20)),
            "{}: its eventID is its own hash",
            event.tag
        );
        times.push(
            document
                .root()
                .get("eventTime")
                .unwrap()
                .as_str()
                .unwrap()
                .into_owned(),
        );
    }
    assert!(times.is_sorted(), "in the order of the story");
}

#[test]
fn a_gateway_without_an_address_announces_no_namespace() {
    let fault = ErrorKind::Internal {
        detail: "no address".to_owned(),
    };
    let names = ["std-extensions", "gs1-extensions"];
    for (base, announced) in [
        ("", None),
        (
            "https://g.example",
            Some("spine=https://g.example/ns/spine/"),
        ),
    ] {
        let service = Service::new(Configuration::at(base));
        let answer = rest::refuse(&service, &Error::new(fault.clone()));
        assert_eq!(answer.status(), 500);
        for name in names {
            let found = answer.headers().get(name);
            assert_eq!(found.map(|value| value.to_str().unwrap()), announced);
        }
    }
}
