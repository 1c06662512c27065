//! The answer of the translation calculator.

use crate::error::{Error, ErrorKind, ExceptionType, Location, Problem};
use crate::translate::{FidelityReport, StreamedTranslation, Translation};
use crate::validate::{SchemaError, Validator, XmlVerdict};
use serde::Serialize;
use std::borrow::Cow;

/// What became of an XML document.
#[derive(Debug)]
pub enum Translated<'x> {
    /// The official schema accepts what it was translated to.
    Valid(Box<Translation<'x>>),
    /// It was translated, but the official schema does not accept the result.
    Invalid(Box<InvalidTranslation>),
}

/// A translation that the official schema does not accept: the source says something that EPCIS 2.0 does not allow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InvalidTranslation {
    /// What became of the source.
    pub fidelity_report: FidelityReport,
    /// What the XML schema says of the source, where it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_verdict: Option<XmlVerdict>,
    /// What the schema does not accept, in document order.
    pub errors: Vec<TranslationError>,
}

/// A schema error of a translation, with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TranslationError {
    /// The error, its path leading into the JSON.
    #[serde(flatten)]
    pub error: SchemaError,
    /// The element that the value was made from: its XML path, line and column.
    pub source: Location,
}

impl TranslationError {
    /// An error of the translation, and where its source is. The text of the translation is nobody's, so lines in it are none.
    fn at(error: SchemaError, source: Location) -> Self {
        let (line, column) = (None, None);
        let error = SchemaError {
            line,
            column,
            ..error
        };
        Self { error, source }
    }

    /// What the official schema does not accept of a translation, each with its place in the source.
    #[must_use]
    pub fn located(errors: Vec<SchemaError>, translation: &Translation<'_>) -> Vec<Self> {
        let places = translation.locate_all(errors.iter().map(|error| error.path.as_str()));
        errors
            .into_iter()
            .zip(places)
            .map(|(error, source)| Self::at(error, source))
            .collect()
    }
}

/// The problem document of a failed translation: `fidelityReport`, `sourceVerdict` and `errors` are its extension members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailedTranslation<'a> {
    /// The refusal.
    #[serde(flatten)]
    pub problem: Problem,
    /// Why.
    #[serde(flatten)]
    pub invalid: &'a InvalidTranslation,
}

impl InvalidTranslation {
    /// What is wrong with a document that was translated as a stream, if anything is.
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

    /// The refusal that this is.
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
                first.unwrap_or_default()
            )),
            instance: None,
            location: None,
            errors: Vec::new(),
        };
        FailedTranslation {
            problem,
            invalid: self,
        }
    }
}

/// A translation as the JSON text of the interface, behind a first member, and its report.
///
/// The same bytes as `serde_json` would write, but in the memory of the document: a copy of it is what a Worker may have no
/// room for.
///
/// # Errors
/// [`ErrorKind::Internal`] when the report cannot be written, which cannot be.
pub(crate) fn into_envelope(
    translation: Translation<'_>,
) -> Result<(String, FidelityReport), Error> {
    const HEAD: &str = "{\"type\":\"OK\",\"document\":";
    let internal = |error: serde_json::Error| {
        let detail = error.to_string();
        Error::new(ErrorKind::Internal { detail })
    };
    let report = serde_json::to_string(&translation.fidelity_report).map_err(internal)?;
    let mut tail = format!(
        ",\"meteredEvents\":{},\"sourceSchemaVersion\":\"{}\"",
        translation.metered_events, translation.source_schema_version
    );
    if let Some(verdict) = &translation.source_verdict {
        tail.push_str(",\"sourceVerdict\":");
        tail.push_str(&serde_json::to_string(verdict).map_err(internal)?);
    }
    tail.push('}');
    const REPORT: &str = ",\"fidelityReport\":";
    let mut text = translation.document;
    text.reserve_exact(HEAD.len() + REPORT.len() + report.len() + tail.len());
    text.insert_str(0, HEAD);
    text.push_str(REPORT);
    text.push_str(&report);
    text.push_str(&tail);
    Ok((text, translation.fidelity_report))
}

impl<'x> Translated<'x> {
    pub(super) fn judge(
        mut translation: Translation<'x>,
        validator: &Validator,
    ) -> Result<Self, Error> {
        let errors = validator.judge(translation.document.as_bytes())?.errors;
        if errors.is_empty() {
            return Ok(Self::Valid(Box::new(translation)));
        }
        // The document is no part of this answer, and finding places takes memory.
        translation.document = String::new();
        let errors = TranslationError::located(errors, &translation);
        Ok(Self::Invalid(Box::new(InvalidTranslation {
            fidelity_report: translation.fidelity_report,
            source_verdict: translation.source_verdict,
            errors,
        })))
    }
}
