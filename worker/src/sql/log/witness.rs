//! The SQL of the gateway as a witness of other logs, and the texts of the copies that are kept outside the database.

use super::{broken, one_hash};
use crate::sql::{Statement, Value};
use data_encoding::HEXLOWER;
use epcis_edge_core::error::Error;
use epcis_edge_core::log::LastCosignedCheckpoint;
use epcis_edge_core::store::HeadCopy;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The statement that finds the last signature as a witness of a log.
#[must_use]
pub fn witnessed(digest: &str) -> Statement {
    Statement {
        text:
            "SELECT origin, size, lower(hex(root)) AS root, note FROM witnessed WHERE digest = ?1"
                .to_owned(),
        values: vec![digest.into()],
    }
}

/// A row of [`witnessed`], and its copy outside the database.
#[derive(Debug, Serialize, Deserialize)]
pub struct WitnessedRow {
    origin: String,
    size: u64,
    root: String,
    note: String,
}

impl TryFrom<WitnessedRow> for LastCosignedCheckpoint {
    type Error = Error;

    fn try_from(row: WitnessedRow) -> Result<Self, Error> {
        Ok(Self {
            origin: row.origin,
            size: row.size,
            root: one_hash(&row.root)?,
            note: row.note,
        })
    }
}

/// The statement that stores the next signature as a witness, and returns a row, if `last` is still the last one.
#[must_use]
pub fn keep_witnessed(
    digest: &str,
    last: Option<&LastCosignedCheckpoint>,
    next: &LastCosignedCheckpoint,
) -> Statement {
    let (size, root) = match last {
        Some(last) => (Value::from(last.size), HEXLOWER.encode(&last.root)),
        None => (Value::Integer(-1), String::new()),
    };
    Statement {
        text: "INSERT INTO witnessed (digest, origin, size, root, note) VALUES (?1, ?2, ?3, unhex(?4), ?5) \
               ON CONFLICT (digest) DO UPDATE SET size = excluded.size, root = excluded.root, note = excluded.note \
               WHERE witnessed.size = ?6 AND lower(hex(witnessed.root)) = ?7 RETURNING size"
            .to_owned(),
        values: vec![
            digest.into(),
            next.origin.as_str().into(),
            next.size.into(),
            Value::Text(HEXLOWER.encode(&next.root)),
            next.note.as_str().into(),
            size,
            Value::Text(root),
        ],
    }
}

#[derive(Serialize, Deserialize)]
struct Copied {
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
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
    Ok(HeadCopy {
        origin: copied.origin,
        size: copied.size,
        root: one_hash(&copied.root)?,
    })
}

/// The copy of the last signature as a witness, as a text for a store outside the database.
#[must_use]
pub fn witnessed_text(witnessed: &LastCosignedCheckpoint) -> String {
    json!(WitnessedRow {
        origin: witnessed.origin.clone(),
        size: witnessed.size,
        root: HEXLOWER.encode(&witnessed.root),
        note: witnessed.note.clone(),
    })
    .to_string()
}

/// The copy of the last signature as a witness, from its text.
///
/// # Errors
/// [`ErrorKind::Internal`](epcis_edge_core::error::ErrorKind::Internal) if it cannot be read.
pub fn witnessed_of(text: &str) -> Result<LastCosignedCheckpoint, Error> {
    let row: WitnessedRow = serde_json::from_str(text).map_err(|_| broken("copied cosignature"))?;
    row.try_into()
}
