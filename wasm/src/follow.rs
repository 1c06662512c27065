//! Following for JavaScript.

use crate::{error, input};
use epcis_edge_core::follow::{Request, follow_document};
use epcis_edge_core::json::Document;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Follows items through the events of a JSON document. The request and the answer are JSON texts.
///
/// # Errors
/// Throws an `Error` with a `problem` member for a document without events, and for a request that is not accepted.
#[wasm_bindgen(skip_typescript)]
pub fn follow(document: &JsValue, request: &str) -> Result<String, JsValue> {
    let text = input::bytes(document)?;
    Document::read(request.as_bytes())
        .and_then(|asked| Request::read(asked.root()))
        .and_then(|request| follow_document(&Document::read(&text)?, &request))
        .map_err(|error| error::to_js(&error))
}
