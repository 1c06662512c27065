//! The checks for JavaScript.

use crate::error::Thrown;
use crate::{input, to_plain};
use epcis_edge_core::check::{Checks, Pack, Parameters};
use epcis_edge_core::json::Document;
use epcis_edge_core::repair::{Repairs, repair as repaired};
use epcis_edge_core::report::{Reporter, exception_report};
use epcis_edge_core::time::Timestamp;
use epcis_edge_core::translate::translate_unmeasured;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Applies check rules to a document, JSON or XML.
///
/// **Shape**: `packs` are names of built-in packs separated by commas, `pack` and `parameters` are JSON text, `now` is in milliseconds
/// since 1970.
/// The result is `{packs, events, counts, rules, findings}`.
///
/// # Errors
/// Throws an `Error` with a `problem` member for a document that cannot be checked, an unknown pack, an invalid pack and wrong parameters.
#[wasm_bindgen(skip_typescript)]
pub fn check(
    document: &JsValue,
    packs: Option<String>,
    pack: Option<String>,
    parameters: Option<String>,
    now: Option<f64>,
) -> Result<JsValue, Thrown> {
    let (text, is_xml) = input::json_or_xml(document)?;
    // Milliseconds of this century are far below 2^53.
    let now = now.map(|now| now as u64);
    let pack = pack.map(|pack| Pack::read(pack.as_bytes())).transpose()?;
    let parameters =
        parameters.map(|text| Parameters::read(Document::read(text.as_bytes())?.root()));
    let checks = Checks::chosen(packs.as_deref(), pack, parameters.transpose()?.as_ref())?;
    to_plain(&match is_xml {
        true => checks.check_xml(&text, now)?,
        false => checks.check(&Document::read(&text)?, now)?,
    })
}

/// Repairs the characters of a document that only look right, and with `zones` the times that lack a zone.
///
/// **Shape**: the result is `{text, count, changes}`, as [`Repair`](epcis_edge_core::repair::Repair) has them.
///
/// # Errors
/// Throws an `Error` with a `problem` member for a text that is not UTF-8.
#[wasm_bindgen(skip_typescript)]
pub fn repair(document: &JsValue, zones: bool) -> Result<JsValue, Thrown> {
    let text = input::bytes(document)?;
    to_plain(&repaired(&text, Repairs { zones })?)
}

/// The exception report about a document, JSON or XML, for the seller of medicines: JSON text.
///
/// **Shape**: `sender` is JSON text, as [`Reporter::read`] reads it; `now` is in milliseconds since 1970.
///
/// # Errors
/// Throws an `Error` with a `problem` member for a document that cannot be checked or has nothing to report, and for a wrong sender.
#[wasm_bindgen(skip_typescript)]
pub fn exceptions(document: &JsValue, sender: &str, now: f64) -> Result<String, Thrown> {
    let (text, is_xml) = input::json_or_xml(document)?;
    // Milliseconds of this century are far below 2^53.
    let made = Timestamp::from_milliseconds(now as u64);
    let sender = Reporter::read(Document::read(sender.as_bytes())?.root())?;
    let report = |text: &[u8]| exception_report(&Document::read(text)?, &sender, made);
    Ok(match is_xml {
        true => report(translate_unmeasured(&text)?.document.as_bytes())?,
        false => report(&text)?,
    })
}
