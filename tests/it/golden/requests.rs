//! The HTTP vectors, as the gateway answers them whole: `rest.rs` compares only what a vector names.

use super::gateway::shown;
use super::recorder::Recorder;
use crate::rest::{send, service};
use epcis_edge_tests::rest::Case;
use epcis_edge_tests::{entries, own_vectors, read};

#[test]
fn every_http_vector() {
    let mut recorder = Recorder::new("requests", &["answer"]);
    let service = service();
    for file in entries(&own_vectors("rest")) {
        let name = file.file_stem().unwrap().to_str().unwrap();
        recorder.case(name, || {
            let case: Case = serde_json::from_slice(&read(&file)).unwrap();
            vec![shown(&case.request.path, &send(&service, &case))]
        });
    }
    assert!(recorder.count() > 150, "{}", recorder.count());
    recorder.finish();
}
