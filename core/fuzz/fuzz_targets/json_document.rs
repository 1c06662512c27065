//! Any bytes as a JSON document: what the quick proof accepts, the schema engine accepts, and so does the verdict.

#![no_main]

use epcis_edge_core::json::Document;
use epcis_edge_core::validate::Validator;
use epcis_edge_core::validate::proof::{Proof, prove};
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

static ENGINE: OnceLock<jsonschema::Validator> = OnceLock::new();

fn engine() -> &'static jsonschema::Validator {
    ENGINE.get_or_init(|| {
        let schema = serde_json::from_str(epcis_edge_schema::TEXT).expect("the schema is JSON");
        jsonschema::options()
            .should_validate_formats(true)
            .with_format("date-time", epcis_edge_schema::is_date_time)
            .build(&schema)
            .expect("the schema compiles")
    })
}

fuzz_target!(|text: &[u8]| {
    let Ok(document) = Document::read(text) else {
        return;
    };
    let verdict = Validator::default().validate(&document);
    assert_eq!(verdict.valid, verdict.errors.is_empty());
    if prove(&document) == Proof::Valid {
        assert!(verdict.valid, "{:?}", verdict.errors);
        assert!(engine().is_valid(&document.root().to_serde()));
    }
});
