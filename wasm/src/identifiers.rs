//! Identifiers for JavaScript: EPC URN to GS1 Digital Link and back.

use crate::error::Thrown;
use crate::to_plain;
use epcis_edge_core::{hash, identifier};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The canonical GS1 Digital Link URI of an EPC URN, class, pattern or other Digital Link; `undefined` for anything else.
#[wasm_bindgen(js_name = toDigitalLink, skip_typescript)]
pub fn to_digital_link(identifier: &str) -> Option<String> {
    identifier::to_digital_link(identifier.trim()).map(|link| link.into_owned())
}

/// The EPC URN of a GS1 Digital Link URI, given how many digits its company prefix has.
///
/// # Errors
/// Throws an `Error` with a `problem` member if the identifier cannot be converted.
#[wasm_bindgen(js_name = toEpcUrn, skip_typescript)]
pub fn to_epc_urn(digital_link: &str, company_prefix_length: usize) -> Result<String, Thrown> {
    Ok(identifier::to_epc_urn(digital_link.trim(), company_prefix_length)?)
}

/// The check digit to append to these digits.
#[wasm_bindgen(js_name = checkDigit, skip_typescript)]
pub fn check_digit(digits: &str) -> char {
    char::from(identifier::check_digit(digits.as_bytes()))
}

/// The form in which the names of events are compared: an event hash in lower case, any other URI as it is.
#[wasm_bindgen(js_name = eventName, skip_typescript)]
pub fn event_name(event_id: &str) -> String {
    hash::event_name(event_id).into_owned()
}

/// The GS1 keys, each with its parts and what may follow it.
///
/// # Errors
/// None: the result is constant.
#[wasm_bindgen(js_name = keys, skip_typescript)]
pub fn keys() -> Result<JsValue, Thrown> {
    to_plain(&identifier::keys())
}
