//! Proofs of the transparency log for JavaScript.

use crate::{error, to_plain};
use epcis_edge_core::log::verify;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Verifies that an event was logged: the bytes of the event, a proof, and the policy that says whom to believe.
///
/// **Shape**: `{valid, steps: [{step, holds, detail}], origin, index, size, loggedBefore, cosignatures: [{name, time}]}`.
///
/// # Errors
/// Throws a policy that is none, and an event that is no JSON document with events, as an `Error` with a `problem` member.
#[wasm_bindgen(js_name = verifyProof, skip_typescript)]
pub fn verify_proof(event: &[u8], proof: &str, policy: &str) -> Result<JsValue, JsValue> {
    let verdict = verify(event, proof, policy).map_err(|error| error::to_js(&error))?;
    to_plain(&verdict)
}
