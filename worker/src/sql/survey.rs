//! Which conditions a selection begins with: those that find little.
//!
//! An EPC names few events. A place or a pattern may name most of the store; then it is quicker to walk over the events in
//! their order and to leave the condition to the predicate.

use super::select::{Builder, MAX_CONDITIONS};
use super::{Dialect, Statement, append::is_indexed};
use epcis_edge_core::query::{Condition, Field};
use epcis_edge_core::store::Selection;
use serde::Deserialize;
use std::collections::BTreeSet;

/// From how many terms on a condition is wide: so many are found and sorted in some 20 ms.
pub const WIDE: u64 = 100_000;

/// How many conditions are looked into; others count as wide.
const SURVEYED: usize = 8;

/// Conditions of a predicate, by their places, that a statement does not begin with: the predicate sees to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wide(BTreeSet<usize>);

impl Wide {
    pub(super) fn contains(&self, place: usize) -> bool {
        self.0.contains(&place)
    }
}

/// What must be asked before a selection is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// The statement whose rows go to [`answered`](Self::answered); none where it is known without.
    pub statement: Option<Statement>,
    asked: Vec<usize>,
    wide: BTreeSet<usize>,
    limit: u64,
}

/// A row of a survey.
#[derive(Debug, Deserialize)]
pub struct SurveyedRow {
    widths: String,
}

impl Survey {
    /// The survey of a selection; a condition is wide that finds so many terms as `limit`, see [`WIDE`].
    #[must_use]
    pub fn of(dialect: Dialect, selection: &Selection<'_>, limit: u64) -> Self {
        let conditions = selection.predicate.conditions.iter().enumerate();
        let conditions = conditions.take(MAX_CONDITIONS);
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
        let statement = (!asked.is_empty()).then(|| Statement {
            text: format!(
                "SELECT {} AS widths",
                dialect.json_array(&counts.join(", "))
            ),
            values: builder.values,
        });
        Self {
            statement,
            asked,
            wide,
            limit,
        }
    }

    /// The conditions that are wide, by the rows of the statement.
    #[must_use]
    pub fn answered(self, rows: &[SurveyedRow]) -> Wide {
        let widths = rows.first().map_or("[]", |row| row.widths.as_str());
        let widths: Vec<u64> = serde_json::from_str(widths).unwrap_or_default();
        let mut wide = self.wide;
        let asked = self.asked.into_iter().zip(widths);
        wide.extend(
            asked
                .filter(|(_, width)| *width >= self.limit)
                .map(|(place, _)| place),
        );
        Wide(wide)
    }
}

/// How many events a condition finds.
enum Reach {
    Few,
    Unknown,
}

/// The reach of a condition by which an index finds events.
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
