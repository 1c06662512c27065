//! Any request: an answer, always; a refusal is a problem document.
//!
//! The input is a line with the method, the path and the media type, parted by blanks; what follows is the body.

#![no_main]

use bytes::Bytes;
use epcis_edge_core::call::Visit;
use epcis_edge_core::rest;
use epcis_edge_core::service::{Configuration, Service};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let end = input.iter().position(|byte| *byte == b'\n');
    let (line, body) = input.split_at(end.unwrap_or(input.len()));
    let mut words = line.splitn(3, |byte| *byte == b' ');
    let mut word = || words.next().unwrap_or_default();
    let request = http::Request::builder()
        .method(word())
        .uri(word())
        .header("content-type", word())
        .body(Bytes::copy_from_slice(body.get(1..).unwrap_or_default()));
    let Ok(request) = request else { return };
    let service = Service::new(Configuration::at("https://epcis.example.com"));
    let response = pollster::block_on(rest::respond(&service, request, &Visit::at(0)));
    let status = response.status();
    assert!(!status.is_server_error(), "{status}");
    if status.is_client_error() && !response.body().is_empty() {
        let body: serde_json::Value =
            serde_json::from_slice(response.body()).expect("a problem document");
        assert!(body.is_object());
    }
});
