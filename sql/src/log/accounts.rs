//! The SQL for one log over several accounts: see `AccountsLog` and `Account` of the core.

use super::one_hash;
use crate::{Dialect, Statement, Value};
use epcis_edge_core::error::Error;
use epcis_edge_core::query::{NUMBERS_OF_AN_ACCOUNT, account_of};
use epcis_edge_core::store::{BareLeaf, MAX_BACKLOG};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::ops::Range;

/// The statement that keeps the newest event of an account that has events without leaf. A trigger leaves out what has its leaf.
#[must_use]
pub fn grew(newest: u64) -> Statement {
    Statement {
        text: "INSERT INTO grown (account, newest) VALUES (?1, ?2) \
               ON CONFLICT (account) DO UPDATE SET newest = max(grown.newest, excluded.newest)"
            .to_owned(),
        values: vec![account_of(newest).into(), newest.into()],
    }
}

/// The statement that finds the accounts that have events without leaf, with rows for [`spans_of`].
#[must_use]
pub fn grown(limit: usize) -> Statement {
    let of_an_account = NUMBERS_OF_AN_ACCOUNT;
    Statement {
        text: format!(
            "SELECT coalesce((SELECT max(l.sequence) FROM log_leaves AS l WHERE l.sequence BETWEEN g.account * {of_an_account} AND g.newest), \
             g.account * {of_an_account}) AS after, g.newest AS up_to FROM grown AS g ORDER BY g.told LIMIT ?1"
        ),
        values: vec![limit.into()],
    }
}

/// The statement that finds the leaves of events by their numbers.
#[must_use]
pub fn bare_leaves(sequences: &[u64]) -> Statement {
    Statement {
        text: "SELECT l.leaf, l.sequence, lower(hex(l.salt)) AS salt, lower(hex(l.commitment)) AS commitment \
               FROM json_each(?1) AS j CROSS JOIN log_leaves AS l WHERE l.sequence = CAST(j.value AS BIGINT) ORDER BY l.sequence"
            .to_owned(),
        values: vec![Value::Text(json!(sequences).to_string())],
    }
}

/// The statement that finds leaves by their indexes.
#[must_use]
pub fn bare_leaves_in(leaves: &Range<u64>) -> Statement {
    Statement {
        text: "SELECT l.leaf, l.sequence, lower(hex(l.salt)) AS salt, lower(hex(l.commitment)) AS commitment \
               FROM log_leaves AS l WHERE l.leaf >= ?1 AND l.leaf < ?2 ORDER BY l.leaf"
            .to_owned(),
        values: vec![leaves.start.into(), leaves.end.into()],
    }
}

/// A row of [`bare_leaves`] or [`bare_leaves_in`].
#[derive(Debug, Deserialize)]
pub struct BareLeafRow {
    leaf: u64,
    sequence: u64,
    salt: Option<String>,
    commitment: String,
}

/// The leaves that were found.
///
/// # Errors
/// [`ErrorKind::Internal`](epcis_edge_core::error::ErrorKind::Internal) if a row cannot be read.
pub fn bare_leaves_of(rows: Vec<BareLeafRow>) -> Result<Vec<BareLeaf>, Error> {
    let leaf = |row: BareLeafRow| {
        Ok(BareLeaf {
            index: row.leaf,
            sequence: row.sequence,
            salt: match row.salt.as_deref() {
                None | Some("") => None,
                Some(salt) => Some(one_hash(salt)?),
            },
            commitment: one_hash(&row.commitment)?,
        })
    };
    rows.into_iter().map(leaf).collect()
}

/// The statement that finds, for each account, the event of the leaf before the first of these leaves, and that of the last.
#[must_use]
pub fn logged_spans(leaves: &Range<u64>) -> Statement {
    let of_an_account = NUMBERS_OF_AN_ACCOUNT;
    Statement {
        text: format!(
            "SELECT coalesce((SELECT max(b.sequence) FROM log_leaves AS b WHERE b.sequence >= s.account * {of_an_account} \
             AND b.sequence < s.first), s.account * {of_an_account}) AS after, s.last AS up_to FROM (\
             SELECT l.sequence / {of_an_account} AS account, min(l.sequence) AS first, max(l.sequence) AS last \
             FROM log_leaves AS l WHERE l.leaf >= ?1 AND l.leaf < ?2 GROUP BY 1) AS s"
        ),
        values: vec![leaves.start.into(), leaves.end.into()],
    }
}

/// A row of [`logged_spans`].
#[derive(Debug, Deserialize)]
pub struct SpanRow {
    after: u64,
    up_to: u64,
}

/// The spans that [`logged_spans`] found: each after a number, up to another.
#[must_use]
pub fn spans_of(rows: &[SpanRow]) -> Vec<(u64, u64)> {
    rows.iter().map(|row| (row.after, row.up_to)).collect()
}

/// The statement that finds the events of an account after a number, as [`unlogged`](super::unlogged) does after the last leaf.
#[must_use]
pub fn events_after(dialect: Dialect, after: u64, limit: usize, bytes: usize) -> Statement {
    let found = "SELECT sequence, document, bytes FROM events WHERE sequence > ?3 ORDER BY sequence LIMIT ?1";
    Statement {
        text: super::texts_of(dialect, found, "?2"),
        values: vec![limit.into(), bytes.into(), after.into()],
    }
}

/// The statement that finds events by their numbers, with the rows of [`unlogged`](super::unlogged).
#[must_use]
pub fn events_at(dialect: Dialect, sequences: &[u64], bytes: usize) -> Statement {
    let is_asked = dialect.has_number("sequence", "?1");
    let found = format!("SELECT sequence, document, bytes FROM events WHERE {is_asked}");
    Statement {
        text: super::texts_of(dialect, &found, "?2"),
        values: vec![Value::Text(json!(sequences).to_string()), bytes.into()],
    }
}

/// The statement that finds the documents of events.
#[must_use]
pub fn documents_at(dialect: Dialect, sequences: &[u64]) -> Statement {
    let is_asked = dialect.has_number("sequence", "?1");
    Statement {
        text: format!("SELECT sequence, document FROM events WHERE {is_asked}"),
        values: vec![Value::Text(json!(sequences).to_string())],
    }
}

/// A row of [`documents_at`].
#[derive(Debug, Deserialize)]
pub struct DocumentRow {
    sequence: u64,
    document: String,
}

/// The documents that [`documents_at`] found, by the numbers of the events.
#[must_use]
pub fn documents_of(rows: Vec<DocumentRow>) -> BTreeMap<u64, String> {
    let rows = rows.into_iter();
    rows.map(|row| (row.sequence, row.document)).collect()
}

/// The statement that counts the events after a number, up to another.
#[must_use]
pub fn count_between(after: u64, up_to: u64) -> Statement {
    Statement {
        text: "SELECT count(*) AS size FROM events WHERE sequence > ?1 AND sequence <= ?2"
            .to_owned(),
        values: vec![after.into(), up_to.into()],
    }
}

/// The statement that counts the events after a number, as those without a leaf.
#[must_use]
pub fn backlog_after(after: u64) -> Statement {
    Statement {
        text: "SELECT count(*) AS events, (SELECT record_time FROM events WHERE sequence > ?1 ORDER BY sequence LIMIT 1) AS oldest \
               FROM (SELECT sequence FROM events WHERE sequence > ?1 LIMIT ?2) AS e"
            .to_owned(),
        values: vec![after.into(), MAX_BACKLOG.into()],
    }
}
