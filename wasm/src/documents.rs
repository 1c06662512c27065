//! Verdicts and hashes of documents.

use crate::{error, input, service, to_plain};
use epcis_edge_core::error::Error;
use epcis_edge_core::hash::EventHash;
use epcis_edge_core::service::Calculation;
use epcis_edge_core::translate::{is_xml, validate_xml};
use epcis_edge_core::validate::{Engine, SCHEMA_PIN};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Judges an EPCISDocument, an EPCISQueryDocument or a bare event against the official JSON schema; XML, told by its first
/// character, against the official XML schema of its version.
///
/// **Shape**: of JSON `[{path, keyword, message, line, column}]`, or `undefined` for a valid document: building an object here costs more
/// than validating a small event, so `wasm/js` makes the verdict; of XML the verdict, `{valid, schema, errors}`.
///
/// # Errors
/// Throws what is neither JSON nor well-formed XML as an `Error` with a `problem` member.
#[wasm_bindgen(skip_typescript)]
pub fn validate(document: &JsValue) -> Result<JsValue, JsValue> {
    judge(&input::bytes(document)?)
}

/// The same of a `Uint8Array`: one crossing, and nothing is asked of what is passed.
///
/// # Errors
/// As [`validate`].
#[wasm_bindgen(js_name = validateBytes, skip_typescript)]
pub fn validate_bytes(document: &[u8]) -> Result<JsValue, JsValue> {
    judge(document)
}

fn judge(text: &[u8]) -> Result<JsValue, JsValue> {
    if is_xml(text) {
        let verdict = validate_xml(text).map_err(|error| error::to_js(&error))?;
        return to_plain(&verdict);
    }
    let verdict = service(|service| service.validate(Engine::default(), text));
    let verdict = verdict.map_err(|error| error::to_js(&error))?;
    if verdict.valid {
        Ok(JsValue::UNDEFINED)
    } else {
        to_plain(&verdict.errors)
    }
}

/// Which official schema verdicts are against: `{artefact, version, sha256}`.
///
/// # Errors
/// None: it is three strings.
#[wasm_bindgen(js_name = schemaPin, skip_typescript)]
pub fn schema_pin() -> Result<JsValue, JsValue> {
    to_plain(&SCHEMA_PIN)
}

/// The event hashes of a document, JSON or XML, as URIs, in the order of its events.
///
/// # Errors
/// Throws what is neither JSON nor EPCIS XML, holds no event, has a prefix that nobody declares, or names an unknown profile
/// as an `Error` with a `problem` member.
#[wasm_bindgen(skip_typescript)]
pub fn hash(
    document: &JsValue,
    profile: Option<String>,
    context: Option<String>,
    undeclared: Option<String>,
) -> Result<JsValue, JsValue> {
    let hashes = calculated(document, (profile, context, undeclared), |asked| {
        asked.hashes()
    })?;
    to_plain(&hashes)
}

/// Calculates with a document, and with the profile, the context and the rule for what is undeclared that stand beside it.
fn calculated<T>(
    document: &JsValue,
    (profile, context, undeclared): (Option<String>, Option<String>, Option<String>),
    work: impl FnOnce(Calculation<'_>) -> Result<T, Error>,
) -> Result<T, JsValue> {
    let (text, is_xml) = input::json_or_xml(document)?;
    let asked = Calculation {
        text: &text,
        is_xml,
        max_values: None,
        profile: profile.as_deref(),
        context: context.as_deref(),
        undeclared: undeclared.as_deref(),
    };
    work(asked).map_err(|error| error::to_js(&error))
}

/// The event hashes of a document with the strings that they are digests of.
///
/// **Shape**: `[{hash, preHash}]`, with `pieces: [{field, text}]` where they are wanted.
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
) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Piece<'p> {
        field: &'p str,
        text: &'p str,
    }
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct PreHashed<'p> {
        hash: EventHash,
        pre_hash: &'p str,
        #[serde(skip_serializing_if = "Option::is_none")]
        pieces: Option<Vec<Piece<'p>>>,
    }
    let both = calculated(document, (profile, context, undeclared), |asked| {
        asked.pre_hashes()
    })?;
    let both = both.iter().map(|both| PreHashed {
        hash: both.hash,
        pre_hash: &both.pre_hash,
        pieces: with_pieces.unwrap_or_default().then(|| {
            let pieces = both.pieces.iter().map(|piece| Piece {
                field: &piece.field,
                text: both.pre_hash.get(piece.range.clone()).unwrap_or_default(),
            });
            pieces.collect()
        }),
    });
    to_plain(&both.collect::<Vec<_>>())
}

/// Recomputes every `eventID` that is an event hash.
///
/// **Shape**: `[{result: "matches" | "matches-none" | "not-hash-form", profiles: [...]}]`, with `reading` where stamps were left out; one an event.
///
/// # Errors
/// As [`hash()`].
#[wasm_bindgen(skip_typescript)]
pub fn verify(
    document: &JsValue,
    context: Option<String>,
    undeclared: Option<String>,
) -> Result<JsValue, JsValue> {
    let asked = (None, context, undeclared);
    to_plain(&calculated(document, asked, |asked| asked.verifications())?)
}
