//! What callers may pass as a document.

use crate::error;
use epcis_edge_core::translate::is_xml;
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
    if let Some(bytes) = written(document)? {
        return Ok(bytes);
    }
    match stringify(document)?.dyn_into::<JsString>() {
        Ok(text) => utf8(&text),
        Err(_) => Err(error::type_error(
            "expected a document as Uint8Array, string or object",
        )),
    }
}

/// The XML document as its bytes: bytes as they are, in whatever encoding, or a string, marked as the UTF-8 that it becomes:
/// whatever encoding its declaration names, it was decoded before it was a string.
///
/// # Errors
/// A `TypeError` for anything else; a problem for a string with half of a surrogate pair.
pub(crate) fn xml(document: &JsValue) -> Result<Vec<u8>, JsValue> {
    let text = written(document)?
        .ok_or_else(|| error::type_error("expected XML as Uint8Array or string"))?;
    Ok(marked(document, text))
}

/// A document that is JSON or XML, as its bytes, and whether it is XML.
///
/// # Errors
/// As [`bytes`].
pub(crate) fn json_or_xml(document: &JsValue) -> Result<(Vec<u8>, bool), JsValue> {
    let text = bytes(document)?;
    if is_xml(&text) {
        Ok((marked(document, text), true))
    } else {
        Ok((text, false))
    }
}

/// The bytes of an XML document: with a byte order mark, where they were made from a string.
fn marked(document: &JsValue, text: Vec<u8>) -> Vec<u8> {
    if document.is_string() && !text.starts_with(BYTE_ORDER_MARK) {
        [BYTE_ORDER_MARK, &text].concat()
    } else {
        text
    }
}

/// A chunk of a document as its bytes: bytes as they are, text encoded as UTF-8.
///
/// # Errors
/// A `TypeError` for anything else; a problem for a string with half of a surrogate pair.
pub(crate) fn chunk(chunk: &JsValue) -> Result<Vec<u8>, JsValue> {
    written(chunk)?
        .ok_or_else(|| error::type_error("expected chunks of Uint8Array, ArrayBuffer or string"))
}

/// U+FEFF as UTF-8: it wins over the declaration (XML 1.0, 4.3.3).
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes or a string, if it is one.
fn written(document: &JsValue) -> Result<Option<Vec<u8>>, JsValue> {
    if let Some(bytes) = document.dyn_ref::<Uint8Array>() {
        return Ok(Some(bytes.to_vec()));
    }
    if let Some(buffer) = document.dyn_ref::<ArrayBuffer>() {
        return Ok(Some(Uint8Array::new(buffer).to_vec()));
    }
    document.dyn_ref::<JsString>().map(utf8).transpose()
}

fn utf8(text: &JsString) -> Result<Vec<u8>, JsValue> {
    match text.as_string() {
        Some(utf8) if text.is_valid_utf16() => Ok(utf8.into_bytes()),
        _ => Err(error::lone_surrogate()),
    }
}
