//! A capture in PostgreSQL: one call of the functions that worker/postgres/0008_captures.sql makes, with all rows as texts.
//!
//! Rows are complete before the turn is asked for. Those of a long capture are put aside first, a text at a time.

use super::{AppendedRow, lists, milliseconds};
use crate::sql::rows::{Kind, List};
use crate::sql::{Dialect, Statement, Value, master_data};
use epcis_edge_core::error::Error;
use epcis_edge_core::store::{Batch, ErrorBehaviour, NewJob};
use serde::Deserialize;

/// How long a text of lists grows, in bytes, but for its last list.
const TEXT: usize = 900_000;

impl Kind {
    /// What `store_capture` calls it.
    fn name(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Aliases => "aliases",
            Self::Parts => "parts",
            Self::Terms => "terms",
            Self::Values => "values",
            Self::Elements => "elements",
            Self::Attributes => "attributes",
            Self::Children => "children",
        }
    }
}

/// What hands a capture in.
#[derive(Clone, Debug, PartialEq)]
pub enum Handing {
    /// Puts rows aside, by itself.
    Aside(Statement),
    /// Has the capture stored: `store` answers a row where the turn was free; where it answers none, `wait` does.
    Last {
        /// Stores it now, or leaves it to whoever has the turn next.
        store: Statement,
        /// Waits for that.
        wait: Statement,
    },
}

/// The statements that hand a capture in, in their order; the last one is [`Handing::Last`]. `token` is a name that no other capture
/// has.
///
/// # Errors
/// An event that cannot be read, which none is that was prepared.
pub fn handing_in<'b>(
    batch: &'b Batch,
    job: &'b NewJob,
    token: &'b str,
) -> impl Iterator<Item = Result<Handing, Error>> + 'b {
    let mut lists = lists(Dialect::Postgres, batch, job)
        .chain(master_data::lists(batch))
        .peekable();
    let mut part = 0;
    let mut is_over = false;
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let mut text = String::new();
        loop {
            match lists.next_if(|list| {
                let length = list.as_ref().map_or(0, |list| list.rows.len());
                text.is_empty() || text.len() + length <= TEXT
            }) {
                Some(Ok(list)) => push(&mut text, &list),
                Some(Err(error)) => {
                    is_over = true;
                    return Some(Err(error));
                }
                None => break,
            }
        }
        text.push_str(if text.is_empty() { "[]" } else { "]" });
        is_over = lists.peek().is_none();
        if is_over {
            return Some(Ok(last(batch, job, token, text)));
        }
        part += 1;
        Some(Ok(Handing::Aside(Statement {
            text: "SELECT put_aside(?1, CAST(?2 AS integer), ?3)".to_owned(),
            values: vec![token.into(), Value::Integer(part), Value::Text(text)],
        })))
    })
}

fn push(text: &mut String, list: &List) {
    text.push(if text.is_empty() { '[' } else { ',' });
    text.push_str("[\"");
    text.push_str(list.kind.name());
    text.push_str("\",");
    text.push_str(&list.rows);
    text.push(']');
}

fn last(batch: &Batch, job: &NewJob, token: &str, lists: String) -> Handing {
    let described = serde_json::json!([
        job.account,
        milliseconds(batch),
        u8::from(job.behaviour == ErrorBehaviour::Proceed),
        u8::from(job.success),
        batch.document.to_string(),
        batch.events.len(),
        job.report,
        job.expected.duplicates,
        job.expected.namesakes,
    ]);
    Handing::Last {
        store: Statement {
            text: "SELECT * FROM capture(?1, ?2, ?3)".to_owned(),
            values: vec![
                token.into(),
                Value::Text(described.to_string()),
                Value::Text(lists),
            ],
        },
        wait: Statement {
            text: "SELECT * FROM capture_waiting(?1)".to_owned(),
            values: vec![token.into()],
        },
    }
}

/// The statement that takes a capture back of which it is not known what became of it; it answers a [`TakenBackRow`].
#[must_use]
pub fn take_back(token: &str) -> Statement {
    Statement {
        text: "SELECT * FROM take_back(?1)".to_owned(),
        values: vec![token.into()],
    }
}

/// A row of [`take_back`].
#[derive(Debug, Deserialize)]
pub struct TakenBackRow {
    was_there: bool,
    #[serde(flatten)]
    outcome: AppendedRow,
}

/// What became of a capture that was to be taken back.
#[derive(Debug)]
pub enum TakenBack {
    /// Nothing of it is stored, nor will be.
    Gone,
    /// It was too late: this became of it.
    TooLate(AppendedRow),
    /// Nobody knows.
    Unknown,
}

/// What [`take_back`] found.
#[must_use]
pub fn taken_back(row: Option<TakenBackRow>) -> TakenBack {
    match row {
        Some(row) if row.was_there => TakenBack::Gone,
        Some(row) if row.outcome.job.is_some() || row.outcome.problem.is_some() => {
            TakenBack::TooLate(row.outcome)
        }
        _ => TakenBack::Unknown,
    }
}
