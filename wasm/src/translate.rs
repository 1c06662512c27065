//! Translation for JavaScript, in both directions.

use crate::error::{self, Thrown};
use crate::{input, object, to_plain, validator};
use epcis_edge_core::error::Error;
use epcis_edge_core::json::Document;
use epcis_edge_core::service::{Translated, TranslationError, TranslationFacts};
use epcis_edge_core::translate::{
    Translation, XmlVersion, to_xml as core_to_xml, translate as core_translate,
};
use js_sys::{JSON, Object, Reflect};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

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
pub fn translate(xml: &JsValue, as_text: bool, errors_kept: bool) -> Result<JsValue, Thrown> {
    let xml = input::bytes(xml)?;
    let translation = core_translate(&xml)?;
    let (translation, errors) = if errors_kept {
        let errors = errors_of(&translation)?;
        (Box::new(translation), Some(errors))
    } else {
        match Translated::judge(translation, validator())? {
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
    let facts = TranslationFacts {
        fidelity_report: &report,
        metered_events: translation.metered_events,
        source_schema_version: translation.source_schema_version,
        source_verdict: translation.source_verdict.as_ref(),
    };
    let answer = with_facts(document, facts)?;
    if let Some(errors) = errors {
        // Setting a member of a fresh object cannot fail.
        let _ = Reflect::set(&answer, &"errors".into(), &to_plain(&errors)?);
    }
    Ok(answer.into())
}

/// The document of a translation, or what is around its events, with what is told of it.
pub(crate) fn with_facts(document: JsValue, facts: TranslationFacts<'_>) -> Result<Object, Thrown> {
    Ok(Object::assign(&object([("document", document)]), &to_plain(&facts)?.into()))
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
pub fn to_xml(document: &JsValue, version: Option<String>) -> Result<JsValue, Thrown> {
    let text = input::bytes(document)?;
    let version = XmlVersion::named(version.as_deref())?;
    to_plain(&core_to_xml(&Document::read(&text)?, version)?)
}
