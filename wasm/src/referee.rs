//! The second opinion, for processes: the engine that gives it is too large for pages.

use crate::{error, input, service, to_plain};
use epcis_edge_core::validate::Engine;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Judges a document by the engine of this name: `{valid, schema, errors}`.
///
/// # Errors
/// Throws what is no JSON document, too long for the engine, or no engine, as an `Error` with a `problem` member.
#[wasm_bindgen(js_name = validateBy, skip_typescript)]
pub fn validate_by(document: &JsValue, engine: &str) -> Result<JsValue, JsValue> {
    let text = input::bytes(document)?;
    let verdict = engine
        .parse::<Engine>()
        .and_then(|engine| service(|service| service.validate(engine, &text)))
        .map_err(|error| error::to_js(&error))?;
    to_plain(&verdict)
}
