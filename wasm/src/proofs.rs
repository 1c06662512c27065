//! Proofs of the transparency log for JavaScript.

use crate::{error, to_plain};
use epcis_edge_core::log::verify;
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
    let verdict = verify(event, proof, policy, now as u64);
    let verdict = verdict.map_err(|error| error::to_js(&error))?;
    to_plain(&verdict)
}
