//! Names that stand twice in one object.

use crate::error::{Error, ErrorKind, Finding, Location};
use crate::json::Document;
use crate::validate::MAX_ERRORS;

/// Evidence must be unambiguous.
pub(super) fn refuse_repeated_names(document: &Document<'_>) -> Result<(), Error> {
    let repeated = document.repeated_names().take(MAX_ERRORS);
    let errors: Vec<Finding> = repeated.map(repeated_name).collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Error::new(ErrorKind::Invalid { errors }))
    }
}

pub(super) fn repeated_name(location: Location) -> Finding {
    Finding {
        path: location.path,
        keyword: "uniqueNames".to_owned(),
        message: "the name is repeated in its object; readers differ in which one they use"
            .to_owned(),
    }
}
