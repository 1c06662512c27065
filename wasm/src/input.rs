//! What callers may pass as a document.

use crate::error;
use js_sys::{ArrayBuffer, JsString, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};

#[wasm_bindgen]
extern "C" {
    /// `JSON.stringify`, which answers `undefined` for what JSON cannot say.
    #[wasm_bindgen(js_namespace = JSON, js_name = stringify, catch)]
    fn stringify(value: &JsValue) -> Result<JsValue, JsValue>;
}

/// The document as UTF-8: bytes as they are, a string encoded, anything else as `JSON.stringify` writes it.
///
/// # Errors
/// A `TypeError` for what JSON cannot say, such as `undefined` or a function; whatever `JSON.stringify` throws; a problem for a
/// string with half of a surrogate pair, which UTF-8 cannot say.
pub(crate) fn bytes(document: &JsValue) -> Result<Vec<u8>, JsValue> {
    if let Some(bytes) = document.dyn_ref::<Uint8Array>() {
        return Ok(bytes.to_vec());
    }
    if let Some(buffer) = document.dyn_ref::<ArrayBuffer>() {
        return Ok(Uint8Array::new(buffer).to_vec());
    }
    if let Some(text) = document.dyn_ref::<JsString>() {
        return utf8(text);
    }
    match stringify(document)?.dyn_into::<JsString>() {
        Ok(text) => utf8(&text),
        Err(_) => Err(error::type_error(
            "expected a document as Uint8Array, string or object",
        )),
    }
}

fn utf8(text: &JsString) -> Result<Vec<u8>, JsValue> {
    match text.as_string() {
        Some(utf8) if text.is_valid_utf16() => Ok(utf8.into_bytes()),
        _ => Err(error::lone_surrogate()),
    }
}
