//! Documents as they come from `wasm/js`, which has looked at what the caller passed.
//!
//! Text is encoded by `wasm/js` right where it is read: a character that crosses to here by itself costs a call, and bytes that
//! are made first and copied then cost the memory twice.

use crate::error;

use js_sys::Uint8Array;
use std::cell::Cell;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};

thread_local! {
    /// The text of the next call.
    static TEXT: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The memory of the engine.
#[wasm_bindgen(js_name = memoryOfEngine, skip_typescript)]
#[must_use]
pub fn memory() -> JsValue {
    wasm_bindgen::memory()
}

/// Makes room for the text of the next call, so many bytes; gives where in the memory it begins. What was written into less
/// room is kept.
#[wasm_bindgen(js_name = roomForText, skip_typescript)]
#[must_use]
pub fn room_for_text(length: usize) -> usize {
    let mut text = TEXT.take();
    text.reserve_exact(length.saturating_sub(text.len()));
    text.resize(length, 0);
    let at = text.as_ptr() as usize;
    TEXT.set(text);
    at
}

/// Says how many bytes the text of the next call has.
#[wasm_bindgen(js_name = endOfText, skip_typescript)]
pub fn end_of_text(length: usize) {
    let mut text = TEXT.take();
    text.truncate(length);
    TEXT.set(text);
}

/// The bytes of a document or of a part of it; where it is `undefined`, those that were written here.
///
/// Text with half of a surrogate pair comes as it is: UTF-8 cannot say it, and the encoder of JavaScript would replace it.
///
/// # Errors
/// A problem for such a text.
pub(crate) fn bytes(document: &JsValue) -> Result<Vec<u8>, JsValue> {
    if document.is_undefined() {
        return Ok(TEXT.take());
    }
    document
        .dyn_ref::<Uint8Array>()
        .map(Uint8Array::to_vec)
        .ok_or_else(error::lone_surrogate)
}

/// A document that is JSON or XML, and whether it is XML.
///
/// # Errors
/// As [`bytes`].
#[cfg(any(feature = "documents", feature = "checks"))]
pub(crate) fn json_or_xml(document: &JsValue) -> Result<(Vec<u8>, bool), JsValue> {
    let text = bytes(document)?;
    let is_xml = epcis_edge_core::translate::is_xml(&text);
    Ok((text, is_xml))
}
