//! A second opinion: the `jsonschema` crate, a general engine that reads the official schema itself, not our tables.
//!
//! It is large, and hostile lists take five hundred times their length in memory: it is for processes and tests, no part of a page or
//! of the Worker.
//!
//! On all vectors and on mutants of them it must have our verdict, and our errors by path and keyword (`tests/referees/referee.rs`).

use epcis_edge_core::validate::{Failure, SecondEngine};
use serde_json::Value;

/// The engine `jsonschema`, for documents of at most 64 KiB. It compiles the schema for each document, which takes milliseconds.
pub const JSONSCHEMA: SecondEngine = SecondEngine {
    name: "jsonschema",
    max_length: 64 << 10,
    failures: |document, tell| {
        Referee::compile()?.failures(document, tell);
        Ok(())
    },
};

/// The official schema, compiled by the crate.
pub struct Referee(jsonschema::Validator);

impl std::fmt::Debug for Referee {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Referee").finish_non_exhaustive()
    }
}

impl Referee {
    /// Compiles the schema, formats on. This takes milliseconds.
    ///
    /// # Errors
    /// A message if the schema were invalid; the tests show that it is valid.
    pub fn compile() -> Result<Self, String> {
        let schema =
            serde_json::from_str(epcis_edge_schema::TEXT).map_err(|error| error.to_string())?;
        let options = jsonschema::options()
            .should_validate_formats(true)
            .with_format("date-time", epcis_edge_schema::is_date_time);
        let compiled = options.build(&schema).map_err(|error| error.to_string())?;
        Ok(Self(compiled))
    }

    /// Whether the crate accepts a document.
    #[must_use]
    pub fn accepts(&self, document: &Value) -> bool {
        self.0.is_valid(document)
    }

    /// Reports the rules that a document breaks, in the order of the schema.
    ///
    /// **Limits**: the crate collects all errors before it returns the first, so this is for small documents.
    pub fn failures(&self, document: &Value, tell: &mut dyn FnMut(Failure)) {
        for error in self.0.iter_errors(document) {
            tell(Failure {
                path: error.instance_path().as_str().to_owned(),
                keyword: error.kind().keyword().to_owned(),
                sentence: error.masked().to_string(),
            });
        }
    }
}
