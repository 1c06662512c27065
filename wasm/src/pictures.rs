//! What the picture of the playground shows, for JavaScript.

use crate::error::Thrown;
use crate::input;
use epcis_edge_core::follow;
use epcis_edge_core::json::Document;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The events of a JSON document in order, and what each puts into containers and takes out of them, as a JSON text.
///
/// # Errors
/// Throws an `Error` with a `problem` member for a document without events.
#[wasm_bindgen(skip_typescript)]
pub fn course(document: &JsValue) -> Result<String, Thrown> {
    let text = input::bytes(document)?;
    Ok(follow::course(&Document::read(&text)?)?)
}
