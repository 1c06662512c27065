//! The SQL that moves a log that ends into the tables of ended logs.

use crate::sql::{Statement, Value};
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::store::EndedLog;
use serde::Deserialize;

/// How many rows of a table are moved in one portion.
const ROWS: usize = 4000;

/// How many tiles are moved in one portion: each has 8 KB.
const TILES: usize = 250;

/// The log that is being moved.
const MOVED: &str = "(SELECT number FROM ended_logs WHERE ended IS NULL)";

/// The statement that finds the logs that have ended, and the one that is being moved.
#[must_use]
pub fn ended_logs() -> Statement {
    Statement {
        text: "SELECT number, origin, policy, begun, ended, \
               coalesce((SELECT max(size) FROM ended_heads AS h WHERE h.log = e.number), 0) AS size \
               FROM ended_logs AS e ORDER BY number"
            .to_owned(),
        values: Vec::new(),
    }
}

/// A row of [`ended_logs`].
#[derive(Debug, Deserialize)]
pub struct EndedRow {
    number: u64,
    origin: String,
    policy: String,
    begun: String,
    ended: Option<String>,
    size: u64,
}

impl From<EndedRow> for EndedLog {
    fn from(row: EndedRow) -> Self {
        Self {
            number: row.number,
            origin: row.origin,
            size: row.size,
            policy: row.policy,
            begun: row.begun,
            ended: row.ended,
        }
    }
}

/// The statement that records that the log is to be moved.
#[must_use]
pub fn begin_ending(origin: &str, policy: &str, at: &str) -> Statement {
    Statement {
        text: "INSERT INTO ended_logs (number, origin, policy, begun) \
               SELECT coalesce(max(number), 0) + 1, ?1, ?2, ?3 FROM ended_logs \
               HAVING count(*) = count(ended)"
            .to_owned(),
        values: vec![origin.into(), policy.into(), at.into()],
    }
}

/// The statements that move a portion of each table and count what is left, to be run as one transaction.
#[must_use]
pub fn move_portion() -> Vec<Statement> {
    let mut statements = Vec::new();
    for (table, key, others, rows) in [
        ("leaves", "leaf", "sequence, salt, commitment", ROWS),
        ("tiles", "level, number", "root, hashes", TILES),
        ("cosignatures", "size, name", "line, latest", ROWS),
        ("heads", "size", "root, note, previous", ROWS),
    ] {
        // Rows are moved in the order of their key, so the rows to delete are those up to the last moved key.
        let descending = key.replace(',', " DESC,");
        statements.push(Statement {
            text: format!(
                "INSERT INTO ended_{table} (log, {key}, {others}) SELECT {MOVED} AS log, {key}, {others} FROM log_{table} ORDER BY {key} LIMIT ?1"
            ),
            values: vec![rows.into()],
        });
        statements.push(Statement {
            text: format!(
                "DELETE FROM log_{table} WHERE ({key}) <= (SELECT {key} FROM ended_{table} WHERE log = {MOVED} ORDER BY {descending} DESC LIMIT 1)"
            ),
            values: Vec::new(),
        });
    }
    statements.push(Statement {
        text: "SELECT coalesce((SELECT max(leaf) - min(leaf) + 1 FROM log_leaves), 0) AS leaves, \
               (SELECT count(*) FROM (SELECT 1 FROM log_tiles LIMIT 1) AS t) + (SELECT count(*) FROM (SELECT 1 FROM log_cosignatures LIMIT 1) AS c) \
               + (SELECT count(*) FROM (SELECT 1 FROM log_heads LIMIT 1) AS h) AS others"
            .to_owned(),
        values: Vec::<Value>::new(),
    });
    statements
}

/// The last row of [`move_portion`].
#[derive(Debug, Deserialize)]
pub struct LeftRow {
    leaves: u64,
    others: u64,
}

/// How many leaves are left to be moved; `None` if nothing is left.
///
/// # Errors
/// [`ErrorKind::Internal`] if there is no row.
pub fn left_of(row: Option<LeftRow>) -> Result<Option<u64>, Error> {
    match row {
        Some(LeftRow {
            leaves: 0,
            others: 0,
        }) => Ok(None),
        Some(row) => Ok(Some(row.leaves)),
        None => Err(Error::new(ErrorKind::Internal {
            detail: "the database did not return how many rows of the log are left to move"
                .to_owned(),
        })),
    }
}

/// The statement that records that the log has ended, if all of it was moved.
#[must_use]
pub fn finish_ending(at: &str) -> Statement {
    Statement {
        text: "UPDATE ended_logs SET ended = ?1 WHERE ended IS NULL \
               AND NOT EXISTS (SELECT 1 FROM log_heads) AND NOT EXISTS (SELECT 1 FROM log_leaves) \
               AND NOT EXISTS (SELECT 1 FROM log_tiles) AND NOT EXISTS (SELECT 1 FROM log_cosignatures)"
            .to_owned(),
        values: vec![at.into()],
    }
}
