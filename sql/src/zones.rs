//! A map of the store. For each account, and for each zone of [`ZONE`] sequence numbers, it has the first and last times of the
//! events, and the words that occur in them.
//!
//! Without it, a search for a word that never occurs, or for an open-ended span of time, would read the whole account. Each capture
//! updates the map in its transaction, so what is not on the map is not in the store.

use super::select::{Builder, MAX_CONDITIONS, keys, time_of};
use super::{Dialect, Value};
use epcis_edge_core::error::Error;
use epcis_edge_core::query::{Condition, Field, NUMBERS_OF_AN_ACCOUNT, OrderBy, Places};
use epcis_edge_core::store::{Selected, Selection};
use std::collections::BTreeSet;

/// How many sequence numbers a zone has.
pub(super) const ZONE: u64 = 10_000;

/// The most zones that a selection reads from the map.
const ASKED: usize = 64;

/// How many parts of the store are searched one after the other, before the rest is searched as one part.
const PARTS: usize = 4;

/// The most zones of a narrow part, which has few enough events to look for the first and the last one of a span of time.
const NARROW: u64 = 2;

/// The number of a condition's field in the map, and the accepted words; `None` for any other condition. That an event declares an
/// error counts as a word.
fn word_of(condition: &Condition) -> Option<(u8, BTreeSet<String>)> {
    match condition {
        Condition::DeclaresError => Some((5, BTreeSet::from(["1".to_owned()]))),
        Condition::Term { fields, matcher } => {
            let number = match fields.as_slice() {
                [Field::EventType] => 1,
                [Field::Action] => 2,
                [Field::BizStep] => 3,
                [Field::Disposition] => 4,
                _ => return None,
            };
            Some((number, keys(matcher)))
        }
        _ => None,
    }
}

/// The sub-query for the zones of a selection, as a JSON array; `None` if no condition concerns the map.
pub(super) fn question(builder: &mut Builder, selection: &Selection<'_>) -> Option<String> {
    let dialect = builder.dialect;
    let mut words = Vec::new();
    let mut wheres = Vec::new();
    let conditions = selection.predicate.conditions.iter();
    for condition in conditions.take(MAX_CONDITIONS) {
        if let Some((number, values)) = word_of(condition) {
            let list = builder.bind_list(values);
            words.push((number, list));
        } else if let Some(text) = span(builder, condition) {
            wheres.push(text);
        }
    }
    if words.is_empty() && wheres.is_empty() {
        return None;
    }
    let accounts = selection.accounts.map(|accounts| builder.bind_list(accounts));
    if let Some(accounts) = &accounts {
        wheres.push(dialect.has_text("z.captured_by", accounts));
    }
    let mut from = "zones AS z".to_owned();
    for (place, (number, list)) in words.iter().enumerate() {
        let has_word = dialect.has_text("w.value", list);
        let of_word = format!("w.field = {number} AND {has_word}");
        if place == 0 {
            // The table of words leads to the zones.
            let of_account = accounts.as_ref().map_or_else(String::new, |accounts| {
                format!(" AND {}", dialect.has_text("w.captured_by", accounts))
            });
            from = "zone_words AS w CROSS JOIN zones AS z".to_owned();
            wheres.push("z.captured_by = w.captured_by AND z.zone = w.zone".to_owned());
            wheres.push(format!("{of_word}{of_account}"));
        } else {
            wheres.push(format!(
                "EXISTS (SELECT 1 FROM zone_words AS w WHERE w.captured_by = z.captured_by AND w.zone = z.zone AND {of_word})"
            ));
        }
    }
    if let Some(upper) = selection.upper {
        let zone = builder.bind((upper.single() / ZONE).into());
        wheres.push(format!("z.zone <= {zone}"));
    }
    let since = selection.since.single();
    if since > 0 {
        let zone = builder.bind((since / ZONE).into());
        wheres.push(format!("z.zone >= {zone}"));
    }
    let is_descending = selection.order.descending;
    if let (OrderBy::Capture, Some(cursor)) = (selection.order.by, selection.after) {
        let operator = if is_descending { "<=" } else { ">=" };
        let zone = builder.bind((cursor.sequence / ZONE).into());
        wheres.push(format!("z.zone {operator} {zone}"));
    }
    let direction = if is_descending { "DESC" } else { "ASC" };
    let limit = builder.bind(Value::from(ASKED + 1));
    Some(format!(
        "(SELECT {} FROM (SELECT DISTINCT z.zone FROM {from} WHERE {} ORDER BY z.zone {direction} LIMIT {limit}) AS q)",
        dialect.json_list("q.zone"),
        wheres.join(" AND ")
    ))
}

/// The condition on zones for a condition on a time: a zone fulfils it if its events may.
fn span(builder: &mut Builder, condition: &Condition) -> Option<String> {
    let (column, operator, time) = time_of(condition)?;
    let edge = if operator == "<" { "first" } else { "last" };
    let time = builder.bind(time);
    Some(format!("z.{edge}_{column} {operator} {time}"))
}

/// A part of the store that a statement searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The first and the last sequence number; `None` if the map was not asked.
    pub(super) bounds: Option<(u64, u64)>,
    /// Whether it has at most [`NARROW`] zones.
    pub(super) is_narrow: bool,
}

/// The parts of the store that a selection searches, one after the other, until it finds events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedParts {
    parts: Vec<Part>,
    newest: Option<u64>,
}

impl SearchedParts {
    /// The whole store, for a selection that did not ask the map.
    pub(super) fn all() -> Self {
        Self { parts: vec![Part::default()], newest: None }
    }

    /// The parts made of some zones. `newest` is the number of the newest event when the map was read.
    pub(super) fn of(zones: &[u64], newest: u64, selection: &Selection<'_>) -> Self {
        // Where the numbers of the store begin: one for all accounts may have more than an account.
        let first = zones.iter().min().map_or(0, |zone| zone * ZONE);
        let begin = first.min(newest / NUMBERS_OF_AN_ACCOUNT * NUMBERS_OF_AN_ACCOUNT);
        let is_cut = zones.len() > ASKED;
        let mut known: Vec<u64> = zones.iter().copied().take(ASKED).collect();
        known.sort_unstable();
        let is_descending = selection.order.descending;
        let mut runs: Vec<(u64, u64)> = Vec::new();
        for zone in known {
            let (first, last) = (zone * ZONE, (zone * ZONE + ZONE - 1).min(newest));
            match runs.last_mut() {
                Some(run) if run.1 + 1 == first => run.1 = last,
                _ => runs.push((first, last)),
            }
        }
        if is_cut {
            // The map was read only up to here: everything beyond must be searched.
            if let (true, Some(run)) = (is_descending, runs.first_mut()) {
                run.0 = begin;
            } else if let Some(run) = runs.last_mut() {
                run.1 = newest;
            }
        }
        let part = |bounds: (u64, u64)| Part {
            bounds: Some(bounds),
            is_narrow: bounds.1 - bounds.0 < NARROW * ZONE,
        };
        let whole = runs.first().zip(runs.last()).map(|(first, last)| (first.0, last.1));
        let parts = match whole {
            None => Vec::new(),
            // In an order of time, the index of that time leads through all zones.
            Some(_) if selection.order.by != OrderBy::Capture => vec![part((begin, newest))],
            Some((start, end)) => {
                if is_descending {
                    runs.reverse();
                }
                let mut parts: Vec<Part> = runs.iter().take(PARTS).copied().map(part).collect();
                if let Some(next) = runs.get(PARTS) {
                    let rest = if is_descending { (start, next.1) } else { (next.0, end) };
                    parts.push(part(rest));
                }
                parts
            }
        };
        Self { parts, newest: Some(newest) }
    }

    /// The result of a selection. `ask` searches a part.
    ///
    /// # Errors
    /// The errors of `ask`.
    pub async fn look<A>(&self, mut ask: A) -> Result<Selected, Error>
    where
        A: AsyncFnMut(Part) -> Result<Selected, Error>,
    {
        let mut found = Selected { events: Vec::new(), newest: Places::default(), is_last: true };
        for (place, part) in self.parts.iter().enumerate() {
            found = ask(*part).await?;
            if !found.events.is_empty() {
                found.is_last &= place + 1 == self.parts.len();
                break;
            }
        }
        // The selection covers the events that were stored when the map was read.
        found.newest = self.newest.map_or(found.newest, Places::at);
        Ok(found)
    }
}

impl Dialect {
    /// A column of numbers as a JSON array.
    fn json_list(self, column: &str) -> String {
        match self {
            Self::Sqlite => format!("json_group_array({column})"),
            _ => format!("coalesce(json_agg({column})::text, '[]')"),
        }
    }
}
