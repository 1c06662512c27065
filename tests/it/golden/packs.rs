//! What packs of a caller cost and find.

use super::recorder::Recorder;
use super::values::{NOW, text_of};
use epcis_edge_core::check::{Checks, Pack};
use epcis_edge_core::json::Document;
use epcis_edge_tests::packs::{COSTLY, SECOND};

/// The length of the documents: the packs are the most expensive that we know.
const LENGTH: usize = 2000;

#[test]
fn every_costly_pack() {
    let mut recorder = Recorder::new("packs", &["steps", "findings"]);
    for costly in COSTLY.iter().chain(SECOND) {
        recorder.case(costly.name, || {
            let pack = costly.pack().to_string();
            let checks = Checks::of(vec![Pack::read(pack.as_bytes()).unwrap()]);
            let text = costly.document(LENGTH);
            let document = Document::read(text.as_bytes()).unwrap();
            vec![
                text_of(checks.steps(&document)),
                text_of(checks.check(&document, Some(NOW))),
            ]
        });
    }
    assert!(recorder.count() > 10, "{}", recorder.count());
    recorder.finish();
}
