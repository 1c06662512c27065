//! The SQL for checking events, leaves and heads against each other.

use super::{heads_where, one_hash};
use crate::{Dialect, Statement};
use epcis_edge_core::error::Error;
use epcis_edge_core::store::LoggedEvent;
use serde::Deserialize;
use std::ops::Range;

/// The statement that finds the heads of these sizes.
#[must_use]
pub fn heads(sizes: &Range<u64>) -> Statement {
    let values = vec![sizes.start.into(), sizes.end.into()];
    heads_where(values, "h.size >= ?1 AND h.size < ?2 ORDER BY h.size")
}

/// The statement that finds the events of leaves, with a row for every piece of their texts. Only the last event may exceed
/// `bytes`.
#[must_use]
pub fn logged_events(dialect: Dialect, leaves: &Range<u64>, bytes: usize) -> Statement {
    Statement {
        text: format!(
            "SELECT p.leaf, p.sequence, p.salt, p.document, coalesce(t.text, '') AS text FROM (\
             SELECT l.leaf, l.sequence, lower(hex(l.salt)) AS salt, e.document, \
             sum(e.bytes) OVER (ORDER BY l.leaf ROWS UNBOUNDED PRECEDING) - e.bytes AS before \
             FROM log_leaves AS l JOIN events AS e ON e.sequence = l.sequence WHERE l.leaf >= ?1 AND l.leaf < ?2\
             ) AS p {} WHERE p.before < ?3 ORDER BY p.leaf, t.piece",
            dialect.pieces_of_page()
        ),
        values: vec![leaves.start.into(), leaves.end.into(), bytes.into()],
    }
}

/// A row of [`logged_events`]: a piece of an event.
#[derive(Debug, Deserialize)]
pub struct LoggedRow {
    leaf: u64,
    sequence: u64,
    salt: Option<String>,
    document: String,
    text: String,
}

/// The events that [`logged_events`] found.
///
/// # Errors
/// [`ErrorKind::Internal`](epcis_edge_core::error::ErrorKind::Internal) if a salt cannot be read.
pub fn logged_events_of(rows: Vec<LoggedRow>) -> Result<Vec<LoggedEvent>, Error> {
    let mut events: Vec<LoggedEvent> = Vec::new();
    for row in rows {
        match events.last_mut() {
            Some(event) if event.leaf == row.leaf => event.event.push_str(&row.text),
            _ => events.push(LoggedEvent {
                leaf: row.leaf,
                sequence: row.sequence,
                salt: match row.salt.as_deref() {
                    None | Some("") => None,
                    Some(salt) => Some(one_hash(salt)?),
                },
                event: row.text,
                document: row.document,
            }),
        }
    }
    Ok(events)
}

/// The statement that counts the events in the range of these leaves: after the event of the leaf before, up to that of the last.
#[must_use]
pub fn events_between(leaves: &Range<u64>) -> Statement {
    let before = |end: &str| {
        format!(
            "coalesce((SELECT sequence FROM log_leaves AS l WHERE leaf < {end} ORDER BY leaf DESC LIMIT 1), 0)"
        )
    };
    Statement {
        text: format!(
            "SELECT count(*) AS size FROM events WHERE sequence > {} AND sequence <= {}",
            before("?1"),
            before("?2")
        ),
        values: vec![leaves.start.into(), leaves.end.into()],
    }
}
