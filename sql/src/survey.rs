//! A survey before each selection: how many events its conditions find, and which parts of the store the map leaves to search.
//!
//! An EPC finds few events. A place or a pattern may find most of the store; then it is faster to walk over the events in their
//! order and to leave the condition to the predicate.

use super::newest::NEWEST_EVENT;
use super::select::{Builder, MAX_CONDITIONS};
use super::zones::{self, SearchedParts};
use super::{Dialect, Statement, append::is_indexed};
use epcis_edge_core::error::Error;
use epcis_edge_core::query::{Condition, Field, OrderBy};
use epcis_edge_core::store::Selection;
use serde::Deserialize;
use std::collections::BTreeSet;

/// The number of terms from which a condition is wide: finding and sorting as many takes some 20 ms.
pub const WIDE: u64 = 100_000;

/// The same number for an order of time, in which each page looks up every event that a condition finds.
const WIDE_IN_TIME: u64 = 10_000;

/// The most conditions that are surveyed; others count as wide.
const SURVEYED: usize = 8;

/// The wide conditions of a predicate, by their positions. Statements leave them out, and the predicate checks them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wide(BTreeSet<usize>);

impl Wide {
    pub(super) fn contains(&self, place: usize) -> bool {
        self.0.contains(&place)
    }
}

/// The query that must run before a selection.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// The statement whose rows go to [`answered`](Self::answered); `None` if no query is needed.
    pub statement: Option<Statement>,
    asked: Vec<usize>,
    wide: BTreeSet<usize>,
    limit: u64,
    asks_zones: bool,
}

/// A row of a survey.
#[derive(Debug, Deserialize)]
pub struct SurveyedRow {
    widths: String,
    zones: String,
    newest: u64,
}

impl Survey {
    /// The survey of a selection. A condition is wide if it finds at least `limit` terms: see [`WIDE`].
    #[must_use]
    pub fn of(dialect: Dialect, selection: &Selection<'_>, limit: u64) -> Self {
        let limit = match selection.order.by {
            OrderBy::Capture => limit,
            OrderBy::EventTime | OrderBy::RecordTime => limit.min(WIDE_IN_TIME),
        };
        let conditions = selection.predicate.conditions.iter().enumerate().take(MAX_CONDITIONS);
        let mut builder = Builder::new(dialect);
        let mut counts = Vec::new();
        let mut asked = Vec::new();
        let mut wide = BTreeSet::new();
        let mut finds_few = false;
        for (place, condition) in conditions {
            match (reach(condition), condition) {
                (Some(Reach::Few), _) => finds_few = true,
                (Some(Reach::Unknown), Condition::Term { fields, matcher })
                    if asked.len() < SURVEYED =>
                {
                    asked.push(place);
                    let terms = builder.term_sequences(fields, matcher);
                    let limit = builder.bind(limit.into());
                    counts.push(format!(
                        "(SELECT count(*) FROM (SELECT 1 FROM ({terms}) AS found LIMIT {limit}) AS counted)"
                    ));
                }
                (Some(Reach::Unknown), _) => {
                    wide.insert(place);
                }
                (None, _) => {}
            }
        }
        if finds_few {
            wide.extend(asked.drain(..));
        }
        // The few events found are looked up wherever they are, so the map is not needed.
        let zones = if finds_few { None } else { zones::question(&mut builder, selection) };
        let asks_zones = zones.is_some();
        let statement = (asks_zones || !asked.is_empty()).then(|| Statement {
            text: format!(
                "SELECT {} AS widths, {} AS zones, {NEWEST_EVENT} AS newest",
                dialect.json_array(&counts.join(", ")),
                zones.as_deref().unwrap_or("'[]'")
            ),
            values: builder.values,
        });
        Self { statement, asked, wide, limit, asks_zones }
    }

    /// The wide conditions, and the parts of the store to search, from the rows of the statement.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`](epcis_edge_core::error::ErrorKind::Internal) if a row cannot be read.
    pub fn answered(
        self,
        rows: &[SurveyedRow],
        selection: &Selection<'_>,
    ) -> Result<(Wide, SearchedParts), Error> {
        let Some(row) = rows.first() else {
            return Ok((Wide(self.wide), SearchedParts::all()));
        };
        let widths: Vec<u64> = numbers(&row.widths)?;
        let parts = if self.asks_zones {
            SearchedParts::of(&numbers(&row.zones)?, row.newest, selection)
        } else {
            SearchedParts::all()
        };
        let mut wide = self.wide;
        let asked = self.asked.into_iter().zip(widths);
        wide.extend(asked.filter(|(_, width)| *width >= self.limit).map(|(place, _)| place));
        Ok((Wide(wide), parts))
    }
}

fn numbers(list: &str) -> Result<Vec<u64>, Error> {
    serde_json::from_str(list).map_err(|error| {
        Error::impossible(format!(
            "a survey returned `{list}`, expected a JSON array of numbers: {error}"
        ))
    })
}

/// How many events a condition finds.
enum Reach {
    Few,
    Unknown,
}

/// The reach of a condition; `None` if no index finds events by it.
fn reach(condition: &Condition) -> Option<Reach> {
    match condition {
        Condition::Named(_) => Some(Reach::Few),
        Condition::Term { fields, matcher } => {
            let is_single_thing = |field: &Field| {
                matches!(
                    field,
                    Field::Epc
                        | Field::ChildEpc
                        | Field::ParentId
                        | Field::InputEpc
                        | Field::OutputEpc
                        | Field::TransformationId
                        | Field::CorrectiveEventId
                        | Field::EventId
                )
            };
            if fields.iter().all(is_single_thing) && matcher.shapes().is_empty() {
                Some(Reach::Few)
            } else if fields.iter().all(|field| is_indexed(*field)) {
                Some(Reach::Unknown)
            } else {
                None
            }
        }
        _ => None,
    }
}
