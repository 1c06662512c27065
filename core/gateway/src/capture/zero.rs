//! The character U+0000, which JSON can contain but some databases cannot store.

use epcis_edge_text::error::{DocumentError, Error};
use epcis_edge_text::json::Document;

/// Refuses it even if the store accepts it: a gateway must be able to move all its events to another store.
pub(super) fn refuse_zero(document: &Document<'_>) -> Result<(), Error> {
    let Some(place) = document.first_zero() else {
        return Ok(());
    };
    Err(Error::invalid(vec![DocumentError {
        path: place.path,
        keyword: "noZero".to_owned(),
        message: "a text or a name contains U+0000, which cannot be stored".to_owned(),
    }]))
}
