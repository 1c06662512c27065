//! Names that occur twice in one object.

use super::MAX_REPORT;
use epcis_edge_document::validate::MAX_ERRORS;
use epcis_edge_text::error::{DocumentError, Error, Location};
use epcis_edge_text::json::Document;

/// Refuses a document with repeated names: evidence must be unambiguous.
pub(super) fn refuse_repeated_names(document: &Document<'_>) -> Result<(), Error> {
    let errors = findings(document.repeated_names());
    if errors.is_empty() { Ok(()) } else { Err(Error::invalid(errors)) }
}

/// The findings for repeated names: the first ones, until their paths together are too long.
pub(super) fn findings(places: impl Iterator<Item = Location>) -> Vec<DocumentError> {
    let mut bytes = 0;
    let told = places.take(MAX_ERRORS).take_while(|place| {
        let is_first = bytes == 0;
        bytes += place.path.len() + 1;
        is_first || bytes <= MAX_REPORT
    });
    told.map(repeated_name).collect()
}

fn repeated_name(location: Location) -> DocumentError {
    DocumentError {
        path: location.path,
        keyword: "uniqueNames".to_owned(),
        message: "the name is repeated in its object; readers differ in which one they use"
            .to_owned(),
    }
}
