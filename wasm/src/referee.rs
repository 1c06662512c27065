//! Validation by a second engine, for processes only: the engine is too large for pages.

use crate::{error, input, service, to_plain};
use epcis_edge_core::validate::Engine;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Validates a document with the engine of this name: `{valid, schema, errors}`.
///
/// # Errors
/// Throws an `Error` with a `problem` member if the document is not JSON or too long for the engine, or if the engine is unknown.
#[wasm_bindgen(js_name = validateBy, skip_typescript)]
pub fn validate_by(document: &JsValue, engine: &str) -> Result<JsValue, JsValue> {
    let text = input::bytes(document)?;
    let verdict = engine
        .parse::<Engine>()
        .and_then(|engine| service(|service| service.validate(engine, &text)))
        .map_err(|error| error::to_js(&error))?;
    to_plain(&verdict)
}
