//! A capture in PostgreSQL: one call of a function of worker/postgres/0001_store.sql, with all rows as text.
//!
//! The rows are complete before the capture takes its numbers. Those of a long capture are staged first, one text at a time.

use super::{AppendedRow, lists, milliseconds};
use crate::rows::{Kind, List};
use crate::{Dialect, Statement, Value, master_data};
use epcis_edge_core::error::Error;
use epcis_edge_core::store::{Batch, ErrorBehaviour, NewJob};
use serde::Deserialize;

/// The most bytes of a text of lists, unless its only list is longer.
const TEXT: usize = 900_000;

impl Kind {
    /// Its name in `store_capture`.
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

/// A step that submits a capture.
#[derive(Clone, Debug, PartialEq)]
pub enum SubmitStep {
    /// Stages rows, as a transaction of its own.
    Aside(Statement),
    /// Stores the capture.
    Last {
        /// Stores it, as a transaction of its own.
        store: Statement,
        /// Waits until all readers see its events, and returns the outcome.
        settle: Statement,
    },
}

/// The statements that submit a capture, in order; the last one is [`SubmitStep::Last`]. `token` is a unique name for the capture.
///
/// # Errors
/// An event that cannot be read. A prepared event always can.
pub fn handing_in<'b>(
    batch: &'b Batch,
    job: &'b NewJob,
    token: &'b str,
) -> impl Iterator<Item = Result<SubmitStep, Error>> + 'b {
    let mut lists =
        lists(Dialect::Postgres, batch, job).chain(master_data::lists(batch)).peekable();
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
        Some(Ok(SubmitStep::Aside(Statement {
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

fn last(batch: &Batch, job: &NewJob, token: &str, lists: String) -> SubmitStep {
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
    SubmitStep::Last {
        store: Statement {
            text: "SELECT capture_beside(?1, ?2, ?3)".to_owned(),
            values: vec![token.into(), Value::Text(described.to_string()), Value::Text(lists)],
        },
        settle: Statement {
            text: "SELECT * FROM capture_settled(?1)".to_owned(),
            values: vec![token.into()],
        },
    }
}

/// The statement that takes back a capture whose outcome is unknown. It returns a [`TakenBackRow`].
#[must_use]
pub fn take_back(token: &str) -> Statement {
    Statement { text: "SELECT * FROM take_back(?1)".to_owned(), values: vec![token.into()] }
}

/// A row of [`take_back`].
#[derive(Debug, Deserialize)]
pub struct TakenBackRow {
    was_there: bool,
    #[serde(flatten)]
    outcome: AppendedRow,
}

/// The outcome of taking a capture back.
#[derive(Debug)]
pub enum TakenBack {
    /// Nothing of the capture is stored, and nothing will be.
    Gone,
    /// It was too late: this is the outcome of the capture.
    TooLate(AppendedRow),
    /// The outcome of the capture is still unknown.
    Unknown,
}

/// The outcome, from the row of [`take_back`].
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
