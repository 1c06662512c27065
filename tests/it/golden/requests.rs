//! The HTTP vectors, as the gateway answers them whole: `rest.rs` compares only what a vector names.

use super::gateway::shown;
use super::recorder::Recorder;
use bytes::Bytes;
use epcis_edge_core::call::Incoming;
use epcis_edge_core::rest::{self, Body, BodyFault};
use epcis_edge_core::service::{Configuration, Family, Service};
use epcis_edge_tests::rest::Case;
use epcis_edge_tests::{entries, own_vectors, read};
use http::Request;
use pollster::block_on;
use std::future::ready;

/// A body that may not fit in memory.
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
fn every_http_vector() {
    let mut recorder = Recorder::new("requests", &["answer"]);
    let mut configuration = Configuration::at("https://gateway.example/");
    configuration.family =
        Family::of_one("https://gateway.example/").with_resolver("https://resolver.example/");
    let service = Service::new(configuration);
    for file in entries(&own_vectors("rest")) {
        let name = file.file_stem().unwrap().to_str().unwrap();
        recorder.case(name, || {
            let case: Case = serde_json::from_slice(&read(&file)).unwrap();
            vec![answer(&service, &case)]
        });
    }
    assert!(recorder.count() > 150, "{}", recorder.count());
    recorder.finish();
}

fn answer(service: &Service, case: &Case) -> String {
    let asked = &case.request;
    let mut request = Request::builder()
        .method(asked.method.as_str())
        .uri(&asked.path);
    for (name, value) in &asked.headers {
        request = request.header(name, value);
    }
    let visit = Incoming {
        now: 0,
        admit: || ready(!asked.limited),
    };
    let body = asked.body.as_ref().map(|body| body.bytes());
    let body = body.unwrap_or_default();
    if asked.body.is_some() && asked.content_length.as_deref() != Some("absent") {
        request = request.header("content-length", body.len());
    }
    let sent = Sent {
        text: body.into(),
        fits: !asked.no_memory,
    };
    let answer = block_on(rest::respond(service, request.body(sent).unwrap(), &visit));
    shown(&asked.path, &answer)
}
