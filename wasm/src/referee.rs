//! Validation by a second engine, for processes only: the engine is too large for pages.

use crate::error::Thrown;
use crate::{input, to_plain};
use epcis_edge_referee::JSONSCHEMA;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Validates a document with the `jsonschema` crate: `{valid, schema, errors}`.
///
/// # Errors
/// Throws an `Error` with a `problem` member if the document is not JSON, or longer than 64 KiB.
#[wasm_bindgen(js_name = validateBySecondEngine, skip_typescript)]
pub fn validate_by_second_engine(document: &JsValue) -> Result<JsValue, Thrown> {
    to_plain(&JSONSCHEMA.judge(&input::bytes(document)?)?)
}
