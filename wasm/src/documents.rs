//! Validation and hashes of documents.

use crate::error::Thrown;
use crate::{input, to_plain, validator};
use epcis_edge_core::error::Error;
use epcis_edge_core::service::Calculation;
use epcis_edge_core::translate::{is_xml, validate_xml};
use epcis_edge_core::validate::SCHEMA_PIN;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Validates an EPCISDocument, an EPCISQueryDocument or a bare event against the official JSON schema. XML, recognised by its
/// first character, is validated against the official XML schema of its version.
///
/// **Shape**: for JSON `[{path, keyword, message, line, column}]`, or `undefined` for a valid document. Building an object here
/// costs more than validating a small event, so `wasm/js` builds the verdict. For XML the verdict, `{valid, schema, errors}`.
///
/// # Errors
/// Throws an `Error` with a `problem` member if the document is neither JSON nor well-formed XML.
#[wasm_bindgen(skip_typescript)]
pub fn validate(document: &JsValue) -> Result<JsValue, Thrown> {
    judge(&input::bytes(document)?)
}

/// As [`validate`], for a `Uint8Array`: one call from JavaScript, and no type checks.
///
/// # Errors
/// As [`validate`].
#[wasm_bindgen(js_name = validateBytes, skip_typescript)]
pub fn validate_bytes(document: &[u8]) -> Result<JsValue, Thrown> {
    judge(document)
}

fn judge(text: &[u8]) -> Result<JsValue, Thrown> {
    if is_xml(text) {
        return to_plain(&validate_xml(text)?);
    }
    let verdict = validator().judge(text)?;
    if verdict.valid { Ok(JsValue::UNDEFINED) } else { to_plain(&verdict.errors) }
}

/// The official schema that documents are validated against: `{artefact, version, sha256}`.
///
/// # Errors
/// None: the value is three strings.
#[wasm_bindgen(js_name = schemaPin, skip_typescript)]
pub fn schema_pin() -> Result<JsValue, Thrown> {
    to_plain(&SCHEMA_PIN)
}

/// The event hashes of a document, JSON or XML, as URIs in the order of its events.
///
/// # Errors
/// Throws an `Error` with a `problem` member if the document is neither JSON nor EPCIS XML, has no event or uses an undeclared
/// prefix, or if the profile is unknown.
#[wasm_bindgen(skip_typescript)]
pub fn hash(
    document: &JsValue,
    profile: Option<String>,
    context: Option<String>,
    undeclared: Option<String>,
) -> Result<JsValue, Thrown> {
    let hashes = calculated(document, (profile, context, undeclared), |asked| asked.hashes())?;
    to_plain(&hashes)
}

/// Runs a calculation on a document, with the profile, the context and the rule for undeclared names.
fn calculated<T>(
    document: &JsValue,
    (profile, context, undeclared): (Option<String>, Option<String>, Option<String>),
    work: impl FnOnce(Calculation<'_>) -> Result<T, Error>,
) -> Result<T, Thrown> {
    let (text, is_xml) = input::json_or_xml(document)?;
    let asked = Calculation {
        text: &text,
        is_xml,
        max_values: None,
        profile: profile.as_deref(),
        context: context.as_deref(),
        undeclared: undeclared.as_deref(),
    };
    Ok(work(asked)?)
}

/// The event hashes of a document, each with its pre-hash string.
///
/// **Shape**: `[{hash, preHash}]`, on request with `pieces: [{field, text}]`.
///
/// # Errors
/// As [`hash()`].
#[wasm_bindgen(js_name = preHash, skip_typescript)]
pub fn pre_hash(
    document: &JsValue,
    profile: Option<String>,
    context: Option<String>,
    undeclared: Option<String>,
    with_pieces: Option<bool>,
) -> Result<JsValue, Thrown> {
    let both = calculated(document, (profile, context, undeclared), |asked| asked.pre_hashes())?;
    let with_pieces = with_pieces.unwrap_or_default();
    to_plain(&both.iter().map(|both| both.shown(with_pieces)).collect::<Vec<_>>())
}

/// Recomputes every `eventID` that is an event hash.
///
/// **Shape**: one per event: `[{result: "matches" | "matches-none" | "not-hash-form", profiles: [...]}]`, with `reading` if
/// stamps were left out.
///
/// # Errors
/// As [`hash()`].
#[wasm_bindgen(skip_typescript)]
pub fn verify(
    document: &JsValue,
    context: Option<String>,
    undeclared: Option<String>,
) -> Result<JsValue, Thrown> {
    let asked = (None, context, undeclared);
    to_plain(&calculated(document, asked, |asked| asked.verifications())?)
}
