//! Documents as they come from `wasm/js`, which has looked at what the caller passed.

use crate::error;
use epcis_edge_core::translate::is_xml;
use js_sys::Uint8Array;
use wasm_bindgen::{JsCast as _, JsValue};

/// The bytes of a document or of a part of it.
///
/// `wasm/js` encodes text itself, since each character that crosses to here costs a call. Text with half of a surrogate pair
/// comes as it is: UTF-8 cannot say it, nor would the encoder of JavaScript.
///
/// # Errors
/// A problem for whatever is not bytes, which is such a text.
pub(crate) fn bytes(document: &JsValue) -> Result<Vec<u8>, JsValue> {
    document
        .dyn_ref::<Uint8Array>()
        .map(Uint8Array::to_vec)
        .ok_or_else(error::lone_surrogate)
}

/// A document that is JSON or XML, and whether it is XML.
///
/// # Errors
/// As [`bytes`].
pub(crate) fn json_or_xml(document: &JsValue) -> Result<(Vec<u8>, bool), JsValue> {
    let text = bytes(document)?;
    let is_xml = is_xml(&text);
    Ok((text, is_xml))
}
