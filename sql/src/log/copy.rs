//! The copy of the newest head, as a text that is kept outside the database.

use super::{broken, one_hash};
use data_encoding::HEXLOWER;
use epcis_edge_core::error::Error;
use epcis_edge_core::store::HeadCopy;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Serialize, Deserialize)]
struct Copied {
    origin: String,
    size: u64,
    root: String,
}

/// The copy of a head as a text, for a store outside the database.
#[must_use]
pub fn copy_text(copy: &HeadCopy) -> String {
    json!(Copied {
        origin: copy.origin.clone(),
        size: copy.size,
        root: HEXLOWER.encode(&copy.root),
    })
    .to_string()
}

/// The copy of a head, from its text.
///
/// # Errors
/// [`ErrorKind::Internal`](epcis_edge_core::error::ErrorKind::Internal) if it cannot be read.
pub fn copy_of(text: &str) -> Result<HeadCopy, Error> {
    let copied: Copied = serde_json::from_str(text).map_err(|_| broken("copied head"))?;
    Ok(HeadCopy { origin: copied.origin, size: copied.size, root: one_hash(&copied.root)? })
}
