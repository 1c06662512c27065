//! Documents as passed in by `wasm/js`, which has checked the type of the caller's value.
//!
//! `wasm/js` encodes text directly into this memory. Passing single characters would cost a call each, and encoding first and
//! copying then would take the memory twice.

use crate::error::{self, Thrown};
use js_sys::Uint8Array;
use std::cell::Cell;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};

thread_local! {
    /// The text for the next call.
    static TEXT: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The memory of this module.
#[wasm_bindgen(js_name = memoryOfEngine, skip_typescript)]
#[must_use]
pub fn memory() -> JsValue {
    wasm_bindgen::memory()
}

/// Makes room for the text of the next call, and returns its address in the memory. Bytes already written into a smaller room are kept.
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

/// Sets the length in bytes of the text for the next call.
#[wasm_bindgen(js_name = endOfText, skip_typescript)]
pub fn end_of_text(length: usize) {
    let mut text = TEXT.take();
    text.truncate(length);
    TEXT.set(text);
}

/// The bytes of a document or of a part of it. If it is `undefined`, the text written by [`room_for_text`].
///
/// Text with half of a surrogate pair is passed as a string: UTF-8 cannot express it, and JavaScript's encoder would replace it.
///
/// # Errors
/// A problem for such a string.
pub(crate) fn bytes(document: &JsValue) -> Result<Vec<u8>, Thrown> {
    if document.is_undefined() {
        return Ok(TEXT.take());
    }
    document.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec).ok_or_else(error::lone_surrogate)
}

/// A document, and whether it is XML; otherwise it must be JSON.
///
/// # Errors
/// As [`bytes`].
#[cfg(any(feature = "documents", feature = "checks"))]
pub(crate) fn json_or_xml(document: &JsValue) -> Result<(Vec<u8>, bool), Thrown> {
    let text = bytes(document)?;
    let is_xml = epcis_edge_core::translate::is_xml(&text);
    Ok((text, is_xml))
}
