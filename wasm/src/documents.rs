//! Verdicts and hashes of documents.

use crate::{error, input, service, to_plain};
use epcis_edge_core::error::Error;
use epcis_edge_core::hash::{self, Declared, EventHash, Hashing, Profile, Undeclared};
use epcis_edge_core::json::Document;
use epcis_edge_core::translate::{hash_xml, is_xml, pre_hash_xml, validate_xml, verify_xml};
use epcis_edge_core::validate::{Engine, SCHEMA_PIN};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Judges an EPCISDocument, an EPCISQueryDocument or a bare event against the official JSON schema; XML, told by its first
/// character, against the official XML schema of its version.
///
/// **Shape**: of JSON `[{path, keyword, message}]`, or `undefined` for a valid document: building an object here costs more
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
    let (text, is_xml) = input::json_or_xml(document)?;
    let hashes = profile_of(profile)
        .and_then(|profile| match is_xml {
            true => Declared::require_none(context.is_some(), undeclared.is_some())
                .and_then(|()| hash_xml(&text, profile)),
            false => declared(context.as_deref(), undeclared.as_deref(), |declared| {
                hash::hash_document(&Document::read(&text)?, Hashing { profile, declared })
            }),
        })
        .map_err(|error| error::to_js(&error))?;
    to_plain(&hashes)
}

/// Runs `work` with the prefixes of a context, which is JSON, around the document.
fn declared<T>(
    context: Option<&str>,
    undeclared: Option<&str>,
    work: impl FnOnce(Declared<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let undeclared = Undeclared::named(undeclared)?;
    match context {
        None => work(undeclared.into()),
        Some(context) => {
            let context = Document::read(context.as_bytes())?;
            work(Declared::by(context.root())?.with(undeclared))
        }
    }
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
    let (text, is_xml) = input::json_or_xml(document)?;
    let both = profile_of(profile)
        .and_then(|profile| match is_xml {
            true => Declared::require_none(context.is_some(), undeclared.is_some())
                .and_then(|()| pre_hash_xml(&text, profile)),
            false => declared(context.as_deref(), undeclared.as_deref(), |declared| {
                hash::pre_hash_document(&Document::read(&text)?, Hashing { profile, declared })
            }),
        })
        .map_err(|error| error::to_js(&error))?;
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
/// **Shape**: `[{result: "matches" | "matches-none" | "not-hash-form", profiles: [...]}]`, one an event.
///
/// # Errors
/// As [`hash()`].
#[wasm_bindgen(skip_typescript)]
pub fn verify(
    document: &JsValue,
    context: Option<String>,
    undeclared: Option<String>,
) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Verified {
        result: &'static str,
        profiles: Vec<Profile>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reading: Option<&'static str>,
    }
    let (text, is_xml) = input::json_or_xml(document)?;
    let verified = match is_xml {
        true => Declared::require_none(context.is_some(), undeclared.is_some())
            .and_then(|()| verify_xml(&text)),
        false => declared(context.as_deref(), undeclared.as_deref(), |declared| {
            hash::verify_with(&Document::read(&text)?, declared)
        }),
    }
    .map_err(|error| error::to_js(&error))?;
    let verified = verified.into_iter().map(|verification| Verified {
        result: verification.as_str(),
        profiles: verification.profiles().to_vec(),
        reading: verification.reading(),
    });
    to_plain(&verified.collect::<Vec<_>>())
}

fn profile_of(name: Option<String>) -> Result<Profile, Error> {
    name.map_or(Ok(Profile::default()), |name| name.parse())
}
