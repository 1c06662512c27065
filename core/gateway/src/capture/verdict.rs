//! The findings about a document that is to be captured: schema errors, and errors of its events.

use epcis_edge_document::hash;
use epcis_edge_document::validate::{MAX_ERRORS, Validator};
use epcis_edge_text::error::{DocumentError, Error, ErrorKind};
use epcis_edge_text::json::{Document, Kind};

/// The findings, event by event.
#[derive(Default)]
pub(super) struct EventErrors {
    errors: Vec<DocumentError>,
    /// The indexes of findings about undeclared prefixes, and their value numbers: all their places are found in one walk.
    undeclared: Vec<(usize, u32)>,
}

impl EventErrors {
    pub(super) fn push(&mut self, finding: DocumentError) {
        self.errors.push(finding);
    }

    /// Adds an undeclared prefix: the error that gives the message, and the number of the value with such a name.
    pub(super) fn push_undeclared(&mut self, kind: &ErrorKind, number: u32) {
        self.undeclared.push((self.errors.len(), number));
        self.errors.push(DocumentError {
            path: String::new(),
            keyword: "prefix".to_owned(),
            message: kind.to_string(),
        });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// Whether no more findings are reported.
    pub(super) fn is_full(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    /// # Errors
    /// [`ErrorKind::Invalid`] with all findings, if there are any.
    pub(super) fn into_result(self, document: &Document<'_>) -> Result<(), Error> {
        let Self { mut errors, undeclared } = self;
        let numbers: Vec<u32> = undeclared.iter().map(|(_, number)| *number).collect();
        for ((at, _), place) in undeclared.into_iter().zip(document.places(&numbers)) {
            if let Some(error) = errors.get_mut(at) {
                error.path = place.path;
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(Error::invalid(errors)) }
    }
}

/// The schema errors of a document.
pub(super) fn schema_errors(
    document: &Document<'_>,
    validator: &Validator,
) -> Result<Vec<DocumentError>, Error> {
    let root = document.root();
    if root.kind() != Kind::Array {
        return Ok(findings(validator, document, ""));
    }
    let mut errors = Vec::new();
    for (index, event) in hash::events(document)?.enumerate() {
        let event = Document::read(event?.source().as_bytes())?;
        errors.extend(findings(validator, &event, &format!("/{index}")));
        if errors.len() >= MAX_ERRORS {
            break;
        }
    }
    errors.truncate(MAX_ERRORS);
    Ok(errors)
}

fn findings(validator: &Validator, document: &Document<'_>, above: &str) -> Vec<DocumentError> {
    let errors = validator.validate(document).errors;
    let finding = |error: epcis_edge_document::validate::SchemaError| DocumentError {
        path: format!("{above}{}", error.path),
        keyword: error.keyword,
        message: error.message,
    };
    errors.into_iter().map(finding).collect()
}
