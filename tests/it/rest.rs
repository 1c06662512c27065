//! The HTTP endpoints over memory: every vector, checked against the OpenAPI description.
// Invariant: Every answer of every door fits the served description, and tests see every operation and status of it. `rest::respond` is
// total: every failure becomes a problem document.

use crate::support::description::{Description, Given, OPENAPI, file};
use async_trait::async_trait;
use bytes::Bytes;
use epcis_edge_core::call::Incoming;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::hash::{self, Profile};
use epcis_edge_core::json::Document;
use epcis_edge_core::rest::{self, Body, BodyFault};
use epcis_edge_core::service::{Configuration, DemoFilter, Family, Service};

use epcis_edge_tests::rest::{Case, matches};
use epcis_edge_tests::{entries, own_vectors, read};
use http::{Request, Response};
use serde_json::Value;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::future::ready;

/// The tag of the operations of the REST binding.
const BINDING: &str = "EPCIS 2.0 REST binding";

/// The tag of the transparency log, which `log_doors.rs` tests.
const LOG: &str = "transparency log";

/// The tag of following, which needs a key: `binding.rs` tests it.
const FOLLOWING: &str = "following";

/// Described members that no answer here has, with the reason.
const ELSEWHERE: [(&str, &str); 8] = [
    ("Family/log", "a gateway with a log has it: `log_doors.rs`"),
    ("LogStatus/", "`log_doors.rs` sees the members of the status of a log"),
    ("Pricing/hardCeiling", "of a service that costs something; this one is free"),
    ("Pricing/ledgerUrl", "the same"),
    ("Pricing/price", "the same"),
    ("Pricing/termsUrl", "the same"),
    ("Pricing/unit", "the same"),
    ("Problem/instance", "of captures: `binding.rs`"),
];

/// A gateway without a store, as the HTTP vectors expect it.
pub(crate) fn service() -> Service {
    let mut configuration = Configuration::at("https://gateway.example/");
    configuration.family =
        Family::of_one("https://gateway.example/").with_resolver("https://resolver.example/");
    Service::new(configuration)
}

/// Sends the request of a vector.
pub(crate) fn send(service: &Service, case: &Case) -> Response<Bytes> {
    let mut request =
        Request::builder().method(case.request.method.as_str()).uri(&case.request.path);
    for (name, value) in &case.request.headers {
        request = request.header(name, value);
    }
    let admit = || Box::pin(ready(!case.request.limited)) as _;
    let visit = Incoming { now: 0, admit: &admit, description: &file };
    let body = case.request.body.as_ref().map(|body| body.bytes()).unwrap_or_default();
    if case.request.body.is_some() && case.request.content_length.as_deref() != Some("absent") {
        request = request.header("content-length", body.len());
    }
    let request = request.body(Sent { text: body.into(), fits: !case.request.no_memory }).unwrap();
    pollster::block_on(rest::respond(service, request, &visit))
}

/// A body that may not fit in memory.
struct Sent {
    text: Bytes,
    fits: bool,
}

#[async_trait(?Send)]
impl Body for Sent {
    async fn read(&mut self, limit: usize) -> Result<Bytes, BodyFault> {
        if self.fits { self.text.read(limit).await } else { Err(BodyFault::NoMemory) }
    }

    async fn chunk(&mut self) -> Option<Result<Bytes, BodyFault>> {
        self.text.chunk().await
    }
}

#[test]
fn every_vector_is_answered_as_written() {
    let service = service();
    let description = Description::read(OPENAPI);
    let mut answered = BTreeSet::new();
    let files = entries(&own_vectors("rest"));
    assert!(files.len() >= 60);
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let case: Case =
            serde_json::from_slice(&read(&file)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let response = send(&service, &case);
        assert_eq!(response.status(), case.response.status, "{name}: {:?}", response.body());
        for (header, value) in &case.response.headers {
            let found = response.headers().get(header).map(|found| found.to_str().unwrap());
            assert_eq!(found, Some(value.as_str()), "{name}: {header}");
        }
        for header in &case.response.absent_headers {
            assert!(!response.headers().contains_key(header), "{name}: {header}");
        }
        if case.request.method == "HEAD" {
            assert!(response.body().is_empty(), "{name}");
        }
        let media_type = response.headers().get("content-type");
        let media_type = media_type.map(|value| value.to_str().unwrap());
        let is_json = media_type.is_some_and(|value| value.contains("json"));
        let body = (is_json && case.request.method != "HEAD")
            .then(|| serde_json::from_slice::<Value>(response.body()).unwrap());
        if let Some(expected) = &case.response.body {
            let body = body.as_ref().unwrap_or_else(|| panic!("{name}: no JSON body"));
            matches(body, expected, "").unwrap_or_else(|difference| panic!("{name}: {difference}"));
        }
        let given = Given {
            method: &case.request.method,
            target: &case.request.path,
            status: response.status().as_u16(),
            content_type: media_type,
            headers: response.headers().keys().map(ToString::to_string).collect(),
            body: body.as_ref(),
        };
        let kept = description.check(&given);
        answered.extend(kept.unwrap_or_else(|error| panic!("{name}: {error}")));
    }
    // Asserts that every promised operation and status was seen. `binding.rs` tests those of the REST binding, which need keys, and
    // `log_doors.rs` those of the log.
    let tags = description.operations().map(|(_, _, operation)| operation["tags"][0].as_str());
    let own = tags
        .filter(|tag| ![Some(BINDING), Some(LOG), Some(FOLLOWING)].contains(tag))
        .collect::<BTreeSet<_>>();
    let mut promised = BTreeSet::new();
    for tag in own {
        promised.extend(description.promised_by(tag));
        let mut never = description.never_answered(tag);
        never.retain(|member| !ELSEWHERE.iter().any(|(start, _)| member.starts_with(start)));
        assert!(never.is_empty(), "{tag:?}: described, and in no answer: {never:#?}");
    }
    let demo = ["200", "400", "403"];
    promised.extend(demo.map(|status| ("/events".to_owned(), "get".to_owned(), status.to_owned())));
    let missing: Vec<_> = promised.difference(&answered).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn head_announces_the_length_of_get() {
    let service = service();
    for path in ["/", "/events", "/family.json", "/ns/spine/", "/openapi.json", "/pricing"] {
        let ask = |method: &str| {
            let request = Request::builder().method(method).uri(path).body(Bytes::new()).unwrap();
            let visit = Incoming { description: &file, ..Incoming::at(0) };
            pollster::block_on(rest::respond(&service, request, &visit))
        };
        let (get, head) = (ask("GET"), ask("HEAD"));
        assert_eq!(head.status(), 200);
        assert!(head.body().is_empty() && !get.body().is_empty());
        assert_eq!(head.headers()["content-length"], get.body().len().to_string());
    }
}

/// A body that counts how often it is read, and may be longer than announced.
struct Spy<'a> {
    reads: &'a Cell<usize>,
    discarded: &'a Cell<usize>,
    length: usize,
    breaks: bool,
}

#[async_trait(?Send)]
impl Body for Spy<'_> {
    async fn read(&mut self, limit: usize) -> Result<Bytes, BodyFault> {
        self.reads.set(self.reads.get() + 1);
        match (self.breaks, self.length > limit) {
            (true, _) => Err(BodyFault::Incomplete),
            (_, true) => Err(BodyFault::TooLarge),
            _ => Ok(Bytes::from(vec![b' '; std::mem::take(&mut self.length)])),
        }
    }

    async fn chunk(&mut self) -> Option<Result<Bytes, BodyFault>> {
        let length = self.length.min(64 << 10);
        self.length -= length;
        self.discarded.set(self.discarded.get() + length);
        (length > 0).then(|| Ok(Bytes::from(vec![b' '; length])))
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
        let request =
            Request::builder().method(method).uri(path).header("content-type", media_type);
        let request = request
            .header("content-length", announced)
            .body(Spy { reads: &reads, discarded: &discarded, length, breaks })
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
    assert_eq!(ask("POST", "/validate", json, 5, 5, true), (400, 1, 5), "a body that breaks off");
    assert_eq!(ask("POST", "/validate", "text/xml", 5, 5, false), (415, 0, 5));
    assert_eq!(ask("POST", "/nothing", json, 5, 5, false), (404, 0, 5));
    assert_eq!(ask("PUT", "/validate", json, 5, 5, false), (405, 0, 5));
    assert_eq!(ask("POST", "/pricing", json, 5, 5, false), (405, 0, 5));
    // An unwanted body is still read up to a limit, so that the client receives the answer.
    let most = 32 << 20;
    assert_eq!(ask("POST", "/nothing", json, most, most, false), (404, 0, most));
    assert_eq!(ask("POST", "/nothing", json, most + 1, most + 1, false), (404, 0, 0));
    assert_eq!(ask("POST", "/nothing", json, 5, most + 1, false), (404, 0, most));
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
        let verdict = service.validate(event.event.get().as_bytes()).unwrap();
        assert!(verdict.valid, "{}: {:?}", event.tag, verdict.errors);
        assert_eq!(document.root().get("type").unwrap().as_str().unwrap(), event.kind);
        assert_eq!(event.label, "DEMO");
        let verified = hash::verify(&document).unwrap();
        assert!(
            matches!(&verified[..], [one] if one.profiles().contains(&Profile::Cbv20)),
            "{}: its eventID is its own hash",
            event.tag
        );
        times.push(document.root().get("eventTime").unwrap().as_str().unwrap().into_owned());
    }
    assert!(times.is_sorted(), "in the order of the story");
}

#[test]
fn a_gateway_without_an_address_announces_no_namespace() {
    let fault = ErrorKind::Internal { detail: "no address".to_owned() };
    let names = ["std-extensions", "gs1-extensions"];
    for (base, announced) in
        [("", None), ("https://g.example", Some("spine=https://g.example/ns/spine/"))]
    {
        let service = Service::new(Configuration::at(base));
        let answer = rest::refuse(service.configuration(), &Error::new(fault.clone()));
        assert_eq!(answer.status(), 500);
        for name in names {
            let found = answer.headers().get(name);
            assert_eq!(found.map(|value| value.to_str().unwrap()), announced);
        }
    }
}
