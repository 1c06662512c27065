//! The checks for JavaScript.

use crate::{error, input, service, to_plain};
use epcis_edge_core::check::{Checks, Pack};
use epcis_edge_core::json::Document;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Applies check rules to a document, JSON or XML.
///
/// **Shape**: `packs` are names of built-in packs separated by commas, `pack` is JSON text, `now` is in milliseconds since 1970.
/// The result is `{packs, events, counts, rules, findings}`.
///
/// # Errors
/// Throws an `Error` with a `problem` member for a document that cannot be checked, an unknown pack and an invalid pack.
#[wasm_bindgen(skip_typescript)]
pub fn check(
    document: &JsValue,
    packs: Option<String>,
    pack: Option<String>,
    now: Option<f64>,
) -> Result<JsValue, JsValue> {
    let (text, is_xml) = input::json_or_xml(document)?;
    // Milliseconds of this century are far below 2^53.
    let now = now.map(|now| now as u64);
    let report = pack
        .map(|pack| Pack::read(pack.as_bytes()))
        .transpose()
        .and_then(|pack| Checks::chosen(packs.as_deref(), pack))
        .and_then(|checks| match is_xml {
            true => service(|service| service.check_xml_with(&text, &checks, now)),
            false => checks.check(&Document::read(&text)?, now),
        })
        .map_err(|error| error::to_js(&error))?;
    to_plain(&report)
}
