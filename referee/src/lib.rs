//! The `jsonschema` crate as a second opinion: a general engine that reads the schema itself, not our tables.

use serde_json::Value;

/// The official schema, compiled by the crate.
pub struct Referee(jsonschema::Validator);

impl std::fmt::Debug for Referee {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Referee").finish_non_exhaustive()
    }
}

/// One rule that a document breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// JSON Pointer of the value at fault.
    pub path: String,
    /// The outermost keyword that failed there.
    pub keyword: String,
    /// The crate's own message, with `value` in place of the value at fault.
    pub sentence: String,
}

impl Referee {
    /// Compiles the schema, formats on. This takes milliseconds.
    ///
    /// # Errors
    /// A message if the schema were invalid; the tests show that it is valid.
    #[inline(never)]
    pub fn compile() -> Result<Self, String> {
        let schema = serde_json::from_str(crate::TEXT).map_err(|error| error.to_string())?;
        let options = jsonschema::options()
            .should_validate_formats(true)
            .with_format("date-time", crate::is_date_time);
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
    #[inline(never)]
    pub fn failures(&self, document: &Value, mut tell: impl FnMut(Failure)) {
        for error in self.0.iter_errors(document) {
            tell(Failure {
                path: error.instance_path().as_str().to_owned(),
                keyword: error.kind().keyword().to_owned(),
                sentence: error.masked().to_string(),
            });
        }
    }
}
