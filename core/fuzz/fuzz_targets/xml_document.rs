//! Any bytes as an XML document: a refusal with its place, or JSON that leads back, with a report that does not lie.

#![no_main]

use epcis_edge_core::hash::{Profile, hash_document};
use epcis_edge_core::json::Document;
use epcis_edge_core::service::{Configuration, Service, Translated};
use epcis_edge_core::translate::{XmlVersion, hash_xml, to_xml, translate};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|xml: &[u8]| {
    let translation = match translate(xml) {
        Ok(translation) => translation,
        Err(error) => {
            assert!(error.location().is_some(), "{error}");
            return;
        }
    };
    let document = Document::read(translation.document.as_bytes()).expect("the output is JSON");
    let report = &translation.fidelity_report;
    assert!(!report.is_round_trip_clean() || report.measured_differences() == 0);
    for version in [XmlVersion::V1_2, XmlVersion::V2_0] {
        let back = to_xml(&document, version).expect("the output has an XML form");
        translate(back.document.as_bytes()).expect("that form is read again");
    }
    if report.is_round_trip_clean() && translation.metered_events > 0 {
        let before = hash_xml(xml, Profile::Cbv20).expect("hashes of the source");
        let after = hash_document(&document, Profile::Cbv20).expect("hashes of the output");
        assert_eq!(before, after);
    }
    let service = Service::new(Configuration::at("https://epcis.example.com"));
    if let Ok(Translated::Invalid(invalid)) = service.translate(xml) {
        assert!(!invalid.errors.is_empty());
    }
});
