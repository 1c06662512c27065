#![doc = include_str!("../README.md")]

mod append;
mod binding;
mod candidates;
mod dialect;
mod directory;
mod elements;
mod known;
pub mod log;
mod master_data;
mod newest;
mod owned;
mod pieces;
mod rows;
mod select;
pub mod store;
mod survey;
mod transaction;
mod zones;

pub use append::{AppendedRow, appended, appending};
pub use binding::{
    JobEventRow, JobRow, QueryRow, ValueRow, job_events, job_events_of, jobs, put_query, queries,
    query_named, query_put, remove_query, values, values_of,
};
pub use dialect::Dialect;
pub use directory::{AccountRow, accounts, begin, begins_of};
pub use elements::{ElementRow, elements, elements_of};
pub use known::{KnownRow, known, look_up, numbered, numbered_of};
pub use master_data::{IdentifierRow, identifiers, identifiers_of};
pub use newest::{NewestRow, newest_elements, newest_events, newest_of};
pub use owned::hold;
pub use select::{SelectedRow, select, selected};
pub use survey::{Survey, SurveyedRow, WIDE, Wide};
pub use transaction::{AT_ONCE, append, statements};
pub use zones::{Part, SearchedParts};

use data_encoding::HEXLOWER_PERMISSIVE;
use epcis_edge_core::call::{Readable, Rights};
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::store::Key;
use serde::Deserialize;

/// The SQLSTATE that the migrations raise if another transaction was first: see [`ErrorKind::Overtaken`].
const OVERTAKEN: &str = "EE001";

/// The error for a fault of SQLite. It lets triggers give a message, but no code: ours stands before the message, as in
/// `D1_ERROR: EE001: the log has grown meanwhile: SQLITE_CONSTRAINT`.
#[must_use]
pub fn sqlite_fault(detail: String) -> Error {
    let is_overtaken = detail.split(": ").any(|part| part == OVERTAKEN);
    fault(is_overtaken, detail)
}

/// The error for a fault of PostgreSQL with this SQLSTATE. A row whose key is taken (`23505`) was stored by another transaction, too.
#[must_use]
pub fn postgres_fault(code: &str, detail: String) -> Error {
    fault(matches!(code, OVERTAKEN | "23505"), detail)
}

fn fault(is_overtaken: bool, detail: String) -> Error {
    Error::new(match is_overtaken {
        true => ErrorKind::Overtaken { detail },
        false => ErrorKind::Internal { detail },
    })
}

/// A statement with the values of its `?1`, `?2` and so on.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The text.
    pub text: String,
    /// The values.
    pub values: Vec<Value>,
}

impl Statement {
    /// The length of its text and its values together, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let values = self.values.iter().map(|value| match value {
            Value::Integer(_) => 8,
            Value::Text(text) => text.len(),
        });
        self.text.len() + values.sum::<usize>()
    }
}

/// A bound value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer.
    Integer(i64),
    /// A text.
    Text(String),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

/// The statement that finds a capture key.
#[must_use]
pub fn key(id: &str) -> Statement {
    Statement {
        text: "SELECT id, digest, account, observer, can_capture, can_query, readable, \
               CASE WHEN revoked_at IS NULL THEN 0 ELSE 1 END AS revoked FROM keys WHERE id = ?1"
            .to_owned(),
        values: vec![id.into()],
    }
}

/// A row of [`key`].
#[derive(Debug, Deserialize)]
pub struct KeyRow {
    id: String,
    digest: String,
    account: String,
    observer: String,
    can_capture: u8,
    can_query: u8,
    readable: String,
    revoked: u8,
}

impl TryFrom<KeyRow> for Key {
    type Error = Error;

    fn try_from(row: KeyRow) -> Result<Self, Error> {
        let broken =
            |what: &str| Error::impossible(format!("the {what} of key {} cannot be read", row.id));
        let digest = HEXLOWER_PERMISSIVE.decode(row.digest.as_bytes()).ok();
        let digest = digest.and_then(|digest| digest.try_into().ok());
        let digest: [u8; 32] = digest.ok_or_else(|| broken("digest"))?;
        let readable = match row.readable.as_str() {
            "*" => Readable::All,
            list => Readable::Accounts(
                serde_json::from_str(list).map_err(|_| broken("list of accounts"))?,
            ),
        };
        Ok(Self {
            digest,
            rights: Rights { capture: row.can_capture == 1, query: row.can_query == 1 },
            readable,
            revoked: row.revoked == 1,
            id: row.id,
            account: row.account,
            observer: row.observer,
        })
    }
}
