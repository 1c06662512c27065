//! Translation for JavaScript, in both directions.

use crate::{error, input, to_plain, validator};
use epcis_edge_core::error::Error;
use epcis_edge_core::json::Document;
use epcis_edge_core::service::{Translated, TranslationError};
use epcis_edge_core::translate::{
    Translation, XmlVersion, to_xml as core_to_xml, translate as core_translate,
};
use js_sys::{JSON, Object, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Translates EPCIS XML to EPCIS 2.0 JSON-LD.
///
/// **Shape**: `{document, fidelityReport, meteredEvents, sourceSchemaVersion, sourceVerdict}`. With `as_text` the document is
/// JSON text, with the digits of numbers as in the source; otherwise it is an object. With `errors_kept` the document is returned
/// even if the official schema does not accept it; the member `errors` lists the errors, each with its location in the source.
///
/// # Errors
/// Throws an `Error` with a `problem` member if the document cannot be translated, and, unless `errors_kept`, if the official
/// schema does not accept the translation.
#[wasm_bindgen(skip_typescript)]
pub fn translate(xml: &JsValue, as_text: bool, errors_kept: bool) -> Result<JsValue, JsValue> {
    let xml = input::bytes(xml)?;
    let thrown = |error| error::to_js(&error);
    let (translation, errors) = if errors_kept {
        let translation = core_translate(&xml).map_err(thrown)?;
        let errors = errors_of(&translation).map_err(thrown)?;
        (Box::new(translation), Some(errors))
    } else {
        let judged = core_translate(&xml);
        let judged = judged.and_then(|translation| Translated::judge(translation, validator()));
        match judged.map_err(thrown)? {
            Translated::Valid(translation) => (translation, None),
            Translated::Invalid(invalid) => return Err(error::invalid_translation(&invalid)),
        }
    };
    let (document, report) = if as_text {
        let document = (&translation.document).into();
        (document, translation.fidelity_report)
    } else {
        let document = JSON::parse(&translation.document)?;
        (document, translation.fidelity_report.with_numbers_as_floats())
    };
    let answer = Object::new();
    // Setting a member of a fresh object cannot fail.
    for (name, member) in [
        ("document", document),
        ("fidelityReport", to_plain(&report)?),
        ("meteredEvents", (translation.metered_events as f64).into()),
        ("sourceSchemaVersion", translation.source_schema_version.into()),
        ("sourceVerdict", to_plain(&translation.source_verdict)?),
    ] {
        let _ = Reflect::set(&answer, &name.into(), &member);
    }
    if let Some(errors) = errors {
        let _ = Reflect::set(&answer, &"errors".into(), &to_plain(&errors)?);
    }
    Ok(answer.into())
}

/// The schema errors of a translation.
fn errors_of(translation: &Translation<'_>) -> Result<Vec<TranslationError>, Error> {
    let text = translation.document.as_bytes();
    let errors = validator().judge(text)?.errors;
    Ok(TranslationError::located(errors, translation))
}

/// Translates EPCIS 2.0 JSON-LD to XML of version `2.0` or `1.2`.
///
/// **Shape**: `{document, report: {clean, lossyPointers, noteList, losses, summary}, meteredEvents}`, the document as text.
///
/// # Errors
/// Throws an `Error` with a `problem` member if the document is not JSON or cannot be translated, and for an unknown version.
#[wasm_bindgen(js_name = toXml, skip_typescript)]
pub fn to_xml(document: &JsValue, version: Option<String>) -> Result<JsValue, JsValue> {
    let text = input::bytes(document)?;
    let translation = XmlVersion::named(version.as_deref())
        .and_then(|version| core_to_xml(&Document::read(&text)?, version))
        .map_err(|error| error::to_js(&error))?;
    to_plain(&translation)
}
