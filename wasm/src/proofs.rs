//! Proofs of the transparency log, and disclosures, for JavaScript.

use crate::{error, to_plain};
use epcis_edge_core::log;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Verifies that an event was logged: the bytes of the event, a proof, the policy that says whom to believe, and the time in
/// milliseconds since 1970.
///
/// **Shape**: `{valid, steps: [{step, holds, detail}], origin, event?: {path, type, eventID, epc?, errorDeclaration?}, index, size,
/// loggedBefore, loggedBeforeBy, cosignatures: [{name, time, doubt?}]}`.
///
/// # Errors
/// Throws a policy that is none, and an event that is no JSON document with events, as an `Error` with a `problem` member.
#[wasm_bindgen(js_name = verifyProof, skip_typescript)]
pub fn verify_proof(event: &[u8], proof: &str, policy: &str, now: f64) -> Result<JsValue, JsValue> {
    // Of a time that is no number of milliseconds the nearest that is one.
    let verdict = log::verify(event, proof, policy, now as u64);
    let verdict = verdict.map_err(|error| error::to_js(&error))?;
    to_plain(&verdict)
}

/// What an event has that can be shown: the bytes of the event, and its proof.
///
/// **Shape**: `[{name, pointer, count, canBeShown}]`, in the order of the event.
///
/// # Errors
/// Throws what is no event, no proof of it, and a proof of a leaf of version 1, as an `Error` with a `problem` member.
#[wasm_bindgen(skip_typescript)]
pub fn disclosable(event: &[u8], proof: &str) -> Result<JsValue, JsValue> {
    let fields = log::disclosable(event, proof).map_err(|error| error::to_js(&error))?;
    to_plain(&fields)
}

/// The text of a disclosure: the bytes of the event, its proof, and names or pointers of what is shown, divided by U+0000, which no
/// stored event has: a list of strings would be more glue.
///
/// # Errors
/// As [`disclosable`]; what the event does not have, and what cannot be shown.
#[wasm_bindgen(skip_typescript)]
pub fn disclose(event: &[u8], proof: &str, show: &str) -> Result<String, JsValue> {
    let show: Vec<String> = match show {
        "" => Vec::new(),
        show => show.split('\0').map(str::to_owned).collect(),
    };
    log::disclose(event, proof, &show).map_err(|error| error::to_js(&error))
}

/// Verifies a disclosure, by its bytes, a policy, and the time in milliseconds since 1970.
///
/// **Shape**: `{proof, fields: [{pointer, value}], withheld, recordTime, who, capturedBy}`; `proof` has the shape of [`verify_proof`],
/// `value` is JSON text.
///
/// # Errors
/// Throws a policy that is none as an `Error` with a `problem` member.
#[wasm_bindgen(js_name = verifyDisclosure, skip_typescript)]
pub fn verify_disclosure(disclosure: &[u8], policy: &str, now: f64) -> Result<JsValue, JsValue> {
    let verdict = log::verify_disclosure(disclosure, policy, now as u64)
        .map_err(|error| error::to_js(&error))?;
    to_plain(&verdict)
}

/// Verifies a page of proofs, by its bytes, a policy, and the time in milliseconds since 1970.
///
/// **Shape**: `{valid, steps, count, proved, failed: [{path, eventID?, step, detail}], unproved, origin, size, loggedBefore,
/// loggedBeforeBy, cosignatures}`.
///
/// # Errors
/// Throws a policy that is none, and what is no JSON, as an `Error` with a `problem` member.
#[wasm_bindgen(js_name = verifyProofs, skip_typescript)]
pub fn verify_proofs(file: &[u8], policy: &str, now: f64) -> Result<JsValue, JsValue> {
    let verdict = log::verify_proofs(file, policy, now as u64);
    let verdict = verdict.map_err(|error| error::to_js(&error))?;
    to_plain(&verdict)
}

/// Verifies that an event was logged by a COSE receipt: as [`verify_proof`], without a time, since a receipt dates nothing.
///
/// # Errors
/// As [`verify_proof`].
#[wasm_bindgen(js_name = verifyReceipt, skip_typescript)]
pub fn verify_receipt(event: &[u8], receipt: &[u8], policy: &str) -> Result<JsValue, JsValue> {
    let verdict = log::verify_receipt(event, receipt, policy);
    let verdict = verdict.map_err(|error| error::to_js(&error))?;
    to_plain(&verdict)
}
