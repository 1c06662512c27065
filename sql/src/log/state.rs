//! The SQL of the state of the log: the cosignatures of its heads, its halts, the events that wait for their leaves.

use crate::{Statement, Value};
use epcis_edge_core::store::{Backlog, Halt, MAX_BACKLOG};
use serde::Deserialize;
use serde_json::json;

/// The statements that store cosignatures: the first one of each key, and the latest one beside it.
#[must_use]
pub fn keep_cosignatures(size: u64, lines: &[(String, String)]) -> Vec<Statement> {
    let first = Statement {
        text: "INSERT INTO log_cosignatures (size, name, line) SELECT ?1, value ->> 0, value ->> 1 FROM json_each(?2)"
            .to_owned(),
        values: vec![size.into(), Value::Text(json!(lines).to_string())],
    };
    let latest = lines.iter().map(|(name, line)| Statement {
        text: "UPDATE log_cosignatures SET latest = ?3 WHERE size = ?1 AND name = ?2 AND coalesce(latest, line) <> ?3"
            .to_owned(),
        values: vec![size.into(), name.as_str().into(), line.as_str().into()],
    });
    std::iter::once(first).chain(latest).collect()
}

/// The statement that finds the newest head that a key has cosigned.
#[must_use]
pub fn last_cosigned_by(name: &str) -> Statement {
    Statement {
        text: "SELECT size, coalesce(latest, line) AS line FROM log_cosignatures WHERE name = ?1 ORDER BY size DESC LIMIT 1"
            .to_owned(),
        values: vec![name.into()],
    }
}

/// A row of [`last_cosigned_by`].
#[derive(Debug, Deserialize)]
pub struct CosignedRow {
    /// How many leaves the head has.
    pub size: u64,
    /// The latest cosignature.
    pub line: String,
}

/// The statement that finds the last halt.
#[must_use]
pub fn last_halt() -> Statement {
    Statement {
        text: "SELECT begun, reason, ended FROM log_halts ORDER BY number DESC LIMIT 1".to_owned(),
        values: Vec::new(),
    }
}

/// A row of [`last_halt`].
#[derive(Debug, Deserialize)]
pub struct HaltRow {
    begun: String,
    reason: String,
    ended: Option<String>,
}

impl From<HaltRow> for Halt {
    fn from(row: HaltRow) -> Self {
        let HaltRow { begun, reason, ended } = row;
        Self { begun, reason, ended }
    }
}

/// The statement that records a halt with its reason, unless the log is halted already.
#[must_use]
pub fn halt(Halt { begun, reason, .. }: &Halt) -> Statement {
    Statement {
        text: "INSERT INTO log_halts (number, begun, reason) \
               SELECT (SELECT coalesce(max(number), 0) + 1 FROM log_halts), ?1, ?2 \
               WHERE NOT EXISTS (SELECT 1 FROM log_halts WHERE ended IS NULL)"
            .to_owned(),
        values: vec![begun.as_str().into(), reason.as_str().into()],
    }
}

/// The statement that ends a halt.
#[must_use]
pub fn resume(at: &str) -> Statement {
    Statement {
        text: "UPDATE log_halts SET ended = ?1 WHERE ended IS NULL".to_owned(),
        values: vec![at.into()],
    }
}

/// The statement that counts the events after the last leaf.
#[must_use]
pub fn backlog() -> Statement {
    Statement {
        text: "SELECT count(*) AS events, (SELECT record_time FROM events \
               WHERE sequence > (SELECT coalesce(max(sequence), 0) FROM log_leaves) ORDER BY sequence LIMIT 1) AS oldest \
               FROM (SELECT sequence FROM events WHERE sequence > (SELECT coalesce(max(sequence), 0) FROM log_leaves) LIMIT ?1) AS e"
            .to_owned(),
        values: vec![MAX_BACKLOG.into()],
    }
}

/// A row of [`backlog`].
#[derive(Debug, Deserialize)]
pub struct BacklogRow {
    events: u64,
    oldest: Option<String>,
}

impl From<BacklogRow> for Backlog {
    fn from(BacklogRow { events, oldest }: BacklogRow) -> Self {
        Self { events, oldest }
    }
}
