//! The newest event, and the newest element of master data: where answers begin that see one moment.

use super::Statement;
use epcis_edge_core::query::Places;
use serde::Deserialize;

/// The number of the newest event; 0 if there is none.
pub(super) const NEWEST_EVENT: &str = "coalesce((SELECT max(sequence) FROM events), 0)";

/// The statement that finds the number of the newest event.
#[must_use]
pub fn newest_events() -> Statement {
    Statement { text: format!("SELECT {NEWEST_EVENT} AS newest"), values: Vec::new() }
}

/// The statement that finds the number of the newest element of master data.
#[must_use]
pub fn newest_elements() -> Statement {
    Statement {
        // PostgreSQL finds a greatest number by an index in a query of its own only.
        text: "SELECT coalesce((SELECT max(number) FROM master_data), 0) AS newest".to_owned(),
        values: Vec::new(),
    }
}

/// A row of [`newest_events`] or [`newest_elements`].
#[derive(Debug, Deserialize)]
pub struct NewestRow {
    /// The number; 0 if there is none.
    newest: u64,
}

/// The place in the row.
#[must_use]
pub fn newest_of(rows: &[NewestRow]) -> Places {
    rows.iter().map(|row| row.newest).collect()
}
