//! The core for JavaScript: text, bytes or objects in, plain objects out.
//!
//! The package's entry points in `wasm/js` load this module; they differ in nothing but how.

mod error;
mod input;

use epcis_edge_core::json::Document;
use epcis_edge_core::validate::Validator;
use serde::Serialize;
use std::cell::OnceCell;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};

thread_local! {
    /// Built at the first call, never at start-up.
    static VALIDATOR: OnceCell<Validator> = const { OnceCell::new() };
}

/// Judges an EPCISDocument, an EPCISQueryDocument or a bare event against the official schema.
///
/// **Shape**: `{valid, schema: {artefact, version, sha256}, errors: [{path, keyword, message}]}`.
///
/// # Errors
/// Throws what is no JSON document as an `Error` with a `problem` member.
#[wasm_bindgen(skip_typescript)]
pub fn validate(document: &JsValue) -> Result<JsValue, JsValue> {
    let text = input::bytes(document)?;
    let document = Document::read(&text).map_err(|error| error::to_js(&error))?;
    let verdict = VALIDATOR.with(|kept| {
        if kept.get().is_none() {
            let _ = kept.set(Validator::new().map_err(|error| error::to_js(&error))?);
        }
        kept.get()
            .map(|validator| validator.validate(&document))
            .ok_or(JsValue::UNDEFINED)
    })?;
    to_plain(&verdict)
}

/// As plain objects and arrays, never as `Map`s.
fn to_plain<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    value
        .serialize(&serde_wasm_bindgen::Serializer::json_compatible())
        .map_err(|error| JsValue::from(error).unchecked_into())
}
