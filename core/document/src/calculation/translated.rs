//! The answer of the translation calculator.

use crate::translate::{FidelityReport, StreamedTranslation, Translation};
use crate::validate::{SchemaError, Validator, XmlVerdict};
use epcis_edge_text::error::{Error, ExceptionType, Location, Problem};
use epcis_edge_text::slice::{OrEmpty, Part};
use serde::Serialize;
use std::borrow::Cow;

/// The result of translating an XML document.
#[derive(Debug)]
pub enum Translated<'x> {
    /// The official schema accepts the translation.
    Valid(Box<Translation<'x>>),
    /// The XML was translated, but the official schema does not accept the result.
    Invalid(Box<InvalidTranslation>),
}

/// A translation that the official schema does not accept: the source says something that EPCIS 2.0 does not allow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InvalidTranslation {
    /// The fidelity report of the translation.
    pub fidelity_report: FidelityReport,
    /// The verdict of the XML schema on the source, if it was validated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_verdict: Option<XmlVerdict>,
    /// The schema errors, in document order.
    #[cfg_attr(feature = "schema", schemars(length(max = crate::validate::MAX_ERRORS)))]
    pub errors: Vec<TranslationError>,
}

/// A schema error of a translation, with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TranslationError {
    /// The error, its path leading into the JSON.
    #[serde(flatten)]
    pub error: SchemaError,
    /// The element that the value was made from: its XML path, line and column.
    pub source: Location,
}

impl TranslationError {
    /// An error with the place of its source. Its line and column are dropped: the caller does not get the text they refer to.
    fn at(error: SchemaError, source: Location) -> Self {
        let (line, column) = (None, None);
        let error = SchemaError { line, column, ..error };
        Self { error, source }
    }

    /// The schema errors of a translation, each with its place in the source.
    #[must_use]
    pub fn located(errors: Vec<SchemaError>, translation: &Translation<'_>) -> Vec<Self> {
        let places = translation.locate_all(errors.iter().map(|error| error.path.as_str()));
        errors.into_iter().zip(places).map(|(error, source)| Self::at(error, source)).collect()
    }
}

/// What is told of a translation beside its document.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("required" = ["fidelityReport", "meteredEvents", "sourceSchemaVersion", "sourceVerdict"])))]
#[serde(rename_all = "camelCase")]
pub struct TranslationFacts<'t> {
    /// What a round trip does not restore of the source.
    pub fidelity_report: &'t FidelityReport,
    /// The number of events translated.
    pub metered_events: usize,
    /// The version of the source.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["1.0", "1.1", "1.2", "2.0"])))]
    pub source_schema_version: &'static str,
    /// The verdict of the official XML schema on the source. The source is translated even if it is not valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "XmlVerdict"))]
    pub source_verdict: Option<&'t XmlVerdict>,
}

/// The problem document of a failed translation: `fidelityReport`, `sourceVerdict` and `errors` are its extension members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailedTranslation<'a> {
    /// The problem document.
    #[serde(flatten)]
    pub problem: Problem,
    /// Its extension members.
    #[serde(flatten)]
    pub invalid: &'a InvalidTranslation,
}

impl InvalidTranslation {
    /// The errors of a streamed translation, if it has any.
    #[must_use]
    pub fn of_stream(translation: &StreamedTranslation) -> Option<Self> {
        let error = |(error, source): &(SchemaError, Location)| {
            TranslationError::at(error.clone(), source.clone())
        };
        (!translation.errors.is_empty()).then(|| Self {
            fidelity_report: translation.fidelity_report.clone(),
            source_verdict: Some(translation.source_verdict.clone()),
            errors: translation.errors.iter().map(error).collect(),
        })
    }

    /// The problem document for this translation.
    #[must_use]
    pub fn problem(&self) -> FailedTranslation<'_> {
        let count = self.errors.len();
        let first = self
            .errors
            .first()
            .map(|first| format!("; the first, {}: {}", first.source, first.error.message));
        let problem = Problem {
            exception: ExceptionType::Validation,
            title: Cow::Borrowed("Translation failed"),
            status: 400,
            detail: Some(format!(
                "the official schema does not accept what the document says, {count} {}{}",
                if count == 1 { "error" } else { "errors" },
                first.or_empty()
            )),
            instance: None,
            location: None,
            errors: Vec::new(),
        };
        FailedTranslation { problem, invalid: self }
    }
}

/// Serialises a translation as an `OK` envelope, and returns it with the fidelity report.
///
/// The text is what `serde_json` would write, but it reuses the memory of the document: a Worker may have no room for a copy.
///
/// # Errors
/// [`ErrorKind::Internal`](epcis_edge_text::error::ErrorKind::Internal) if the report cannot be serialised, which is impossible.
pub fn into_envelope(translation: Translation<'_>) -> Result<(String, FidelityReport), Error> {
    const HEAD: &str = "{\"type\":\"OK\",\"document\":";
    let facts = TranslationFacts {
        fidelity_report: &translation.fidelity_report,
        metered_events: translation.metered_events,
        source_schema_version: translation.source_schema_version,
        source_verdict: translation.source_verdict.as_ref(),
    };
    let facts = serde_json::to_string(&facts).map_err(Error::impossible)?;
    let mut text = translation.document;
    text.reserve_exact(HEAD.len() + facts.len());
    text.insert_str(0, HEAD);
    // The members follow the document.
    text.push(',');
    text.push_str(facts.part(1..));
    Ok((text, translation.fidelity_report))
}

impl<'x> Translated<'x> {
    /// The verdict of the schema on a translation.
    ///
    /// # Errors
    /// For a translation that is no JSON, which never happens.
    pub fn judge(mut translation: Translation<'x>, validator: &Validator) -> Result<Self, Error> {
        let errors = validator.judge(translation.document.as_bytes())?.errors;
        if errors.is_empty() {
            return Ok(Self::Valid(Box::new(translation)));
        }
        // The document is not part of this answer, and locating errors takes memory.
        translation.document = String::new();
        let errors = TranslationError::located(errors, &translation);
        Ok(Self::Invalid(Box::new(InvalidTranslation {
            fidelity_report: translation.fidelity_report,
            source_verdict: translation.source_verdict,
            errors,
        })))
    }
}
