//! Proofs of the transparency log, and disclosures, for JavaScript.

use crate::error::Thrown;
use crate::to_plain;
use epcis_edge_core::log;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Verifies that an event was logged, from the bytes of the event, a proof, the policy of trusted keys, and the time in
/// milliseconds since 1970.
///
/// **Shape**: `{valid, steps: [{step, holds, detail}], origin, event?: {path, type, eventID, epc?, errorDeclaration?}, index, size,
/// loggedBefore, loggedBeforeBy, cosignatures: [{name, time, doubt?}]}`.
///
/// # Errors
/// Throws an `Error` with a `problem` member for an invalid policy, and if the event is not a JSON document with events.
#[wasm_bindgen(js_name = verifyProof, skip_typescript)]
pub fn verify_proof(event: &[u8], proof: &str, policy: &str, now: f64) -> Result<JsValue, Thrown> {
    // The cast turns any other number into the nearest valid one.
    to_plain(&log::verify(event, proof, policy, now as u64)?)
}

/// The fields of an event that can be disclosed, from the bytes of the event and its proof.
///
/// **Shape**: `[{name, pointer, count, canBeShown}]`, in the order of the event.
///
/// # Errors
/// Throws an `Error` with a `problem` member for an invalid event and a proof of something else.
#[wasm_bindgen(skip_typescript)]
pub fn disclosable(event: &[u8], proof: &str) -> Result<JsValue, Thrown> {
    to_plain(&log::disclosable(event, proof)?)
}

/// The text of a disclosure, from the bytes of the event, its proof, and the names or pointers of the fields to show. These are
/// separated by U+0000, which no stored event contains; a list of strings would need more glue code.
///
/// # Errors
/// As [`disclosable`]; also for fields that the event does not have or that cannot be shown.
#[wasm_bindgen(skip_typescript)]
pub fn disclose(event: &[u8], proof: &str, show: &str) -> Result<String, Thrown> {
    let show: Vec<String> = match show {
        "" => Vec::new(),
        show => show.split('\0').map(str::to_owned).collect(),
    };
    Ok(log::disclose(event, proof, &show)?)
}

/// Verifies a disclosure, given its bytes, a policy, and the time in milliseconds since 1970.
///
/// **Shape**: `{proof, fields: [{pointer, value}], withheld, recordTime, who, capturedBy}`. `proof` has the shape of
/// [`verify_proof`], and `value` is JSON text.
///
/// # Errors
/// Throws an `Error` with a `problem` member for an invalid policy.
#[wasm_bindgen(js_name = verifyDisclosure, skip_typescript)]
pub fn verify_disclosure(disclosure: &[u8], policy: &str, now: f64) -> Result<JsValue, Thrown> {
    to_plain(&log::verify_disclosure(disclosure, policy, now as u64)?)
}

/// Verifies a page of proofs, given its bytes, a policy, and the time in milliseconds since 1970.
///
/// **Shape**: `{valid, steps, count, proved, failed: [{path, eventID?, step, detail}], unproved, origin, size, loggedBefore,
/// loggedBeforeBy, cosignatures}`.
///
/// # Errors
/// Throws an `Error` with a `problem` member for an invalid policy, and if the file is not JSON.
#[wasm_bindgen(js_name = verifyProofs, skip_typescript)]
pub fn verify_proofs(file: &[u8], policy: &str, now: f64) -> Result<JsValue, Thrown> {
    to_plain(&log::verify_proofs(file, policy, now as u64)?)
}

/// Verifies by a COSE receipt that an event was logged: as [`verify_proof`], but without a time, since a receipt dates nothing.
///
/// # Errors
/// As [`verify_proof`].
#[wasm_bindgen(js_name = verifyReceipt, skip_typescript)]
pub fn verify_receipt(event: &[u8], receipt: &[u8], policy: &str) -> Result<JsValue, Thrown> {
    to_plain(&log::verify_receipt(event, receipt, policy)?)
}
