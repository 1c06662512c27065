//! A selection of events as one statement.
//!
//! It begins with the conditions that select few events. A condition beyond the limit of the survey, or, in an order of time, one that
//! matches ten thousand terms, is left to the predicate, because each page would look up every event that it finds. If the only
//! condition is a time span within two zones, the index of that time gives the range of numbers to search.

use super::append::{is_indexed, name_key};
use super::candidates::{Candidates, Ordering};
use super::newest::NEWEST_EVENT;
use super::{Dialect, Part, Statement, Value, Wide};
use epcis_edge_core::error::Error;
use epcis_edge_core::query::{Comparison, Condition, Field, Matcher, Places, TimeField, index_key};
use epcis_edge_core::store::{Selected, Selection, StoredEvent};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The most conditions in a statement, with at most two values each. The predicate checks the rest.
pub(super) const MAX_CONDITIONS: usize = 40;

/// A row of [`select`]: a piece of an event.
#[derive(Debug, Deserialize)]
pub struct SelectedRow {
    sequence: u64,
    content_hash: String,
    captured_by: String,
    /// The length of the whole event.
    bytes: u64,
    text: String,
    /// A JSON array.
    aliases: String,
    newest: u64,
    candidates: u64,
}

/// The aliases of an event of a page `p`, as a JSON array.
pub(super) const ALIASES: &str =
    "(SELECT json_group_array(a.event_id) FROM aliases AS a WHERE a.sequence = p.sequence)";

/// The statement that finds the events of a selection, with a row for every piece of their texts.
///
/// It leaves out conditions that are `wide`, and searches one part of the store. If there are none, a row tells of the newest event alone.
///
/// **Limits**: see [`Selection`]; at most 90 bound values.
#[must_use]
pub fn select(dialect: Dialect, selection: &Selection<'_>, wide: &Wide, part: Part) -> Statement {
    let mut builder = Builder::new(dialect);
    let mut found = Vec::new();
    let mut wheres = Vec::new();
    let mut is_selective = false;
    let order = Ordering::of(selection.order);
    let mut spans: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let conditions = selection.predicate.conditions.iter().enumerate();
    for (place, condition) in conditions.take(MAX_CONDITIONS) {
        if wide.contains(place) {
            continue;
        }
        if let Some((column, span)) = builder.span(condition) {
            // The plus keeps SQLite from using the index of another time than that of the order.
            let plus = if order.time == Some(column) { "" } else { dialect.without_index() };
            wheres.push(format!("{plus}e.{span}"));
            spans.entry(column).or_default().push(span);
        } else if let Some(narrowing) = builder.condition(condition) {
            is_selective |= narrowing.is_selective();
            match narrowing {
                Narrowing::Sequences(sequences) if dialect != Dialect::Sqlite => {
                    found.push(sequences);
                }
                Narrowing::Sequences(sequences) => {
                    wheres.push(format!("e.sequence IN ({sequences})"));
                }
                Narrowing::Wide(text) => wheres.push(text),
            }
        }
    }
    // With one account in scope, the indexes by account are used. With several, they are used for each in turn.
    let mut each_account = None;
    let mut one_account = None;
    match selection.accounts {
        None => {}
        Some([one]) => {
            let account = builder.bind((*one).into());
            let plus = if is_selective { dialect.without_index() } else { "" };
            wheres.push(format!("{plus}e.captured_by = {account}"));
            one_account = Some(account);
        }
        Some(several) => {
            let list = builder.bind_list(several);
            if is_selective {
                let column = format!("{}e.captured_by", dialect.without_index());
                wheres.push(dialect.has_text(&column, &list));
            } else {
                wheres.push("e.captured_by = account.value".to_owned());
                each_account = Some(list);
            }
        }
    }
    let is_large = part.bounds.is_some() && !part.is_narrow;
    if !is_selective && order.time.is_none() && !is_large {
        // Events of a span of time were mostly captured one after the other. The index of that time alone gives the first and
        // the last of their sequence numbers.
        for spans in spans.values() {
            let account = one_account.as_ref();
            let account =
                account.map_or_else(String::new, |account| format!("captured_by = {account} AND "));
            let of = format!("FROM events WHERE {account}{}", spans.join(" AND "));
            let any = dialect.any_sequence();
            wheres.push(format!(
                "e.sequence BETWEEN (SELECT min({any}) {of}) AND (SELECT max({any}) {of})"
            ));
        }
    }
    let mut bounds = Vec::new();
    let (first, last) = part.bounds.unzip();
    let since = selection.since.single();
    let first = first.unwrap_or_default().max(since + u64::from(since > 0));
    if first > 0 {
        bounds.push(format!("sequence >= {}", builder.bind(first.into())));
    }
    // Events that were stored after the map was read are not on it.
    let upper = selection.upper.map(Places::single).into_iter().chain(last).min();
    if let Some(upper) = upper {
        bounds.push(format!("sequence <= {}", builder.bind(upper.into())));
    }
    if let Some(cursor) = selection.after {
        let behind = order.behind();
        let sequence = builder.bind(cursor.sequence.into());
        match order.time {
            None => bounds.push(format!("sequence {behind} {sequence}")),
            Some(column) => {
                let time = cursor.time.map_or_else(String::new, |time| time.to_sortable());
                let time = builder.bind(Value::Text(time));
                wheres.push(format!("(e.{column}, e.sequence) {behind} ({time}, {sequence})"));
            }
        }
    }
    wheres.extend(bounds.iter().map(|bound| format!("e.{bound}")));
    let wheres = if wheres.is_empty() { "true".to_owned() } else { wheres.join(" AND ") };
    let limit = builder.bind(selection.limit.into());
    let bytes = builder.bind(selection.bytes.into());
    let candidates = Candidates {
        found: &found,
        each_account: each_account.as_deref(),
        wheres: &wheres,
        bounds: &bounds,
        order: &order,
        limit: &limit,
    };
    let candidates = candidates.text(dialect);
    let text = format!(
        "WITH candidate AS MATERIALIZED (\
         SELECT e.sequence, e.event_time, e.record_time, e.content_hash, e.captured_by, e.bytes \
         FROM {candidates}), \
         page AS (SELECT c.*, sum(c.bytes) OVER (ORDER BY {} ROWS UNBOUNDED PRECEDING) - c.bytes AS before \
         FROM candidate AS c UNION ALL SELECT 0, '', '', '', '', 0, 0 WHERE NOT EXISTS (SELECT 1 FROM candidate)) \
         SELECT p.sequence, p.content_hash, p.captured_by, p.bytes, coalesce(t.text, '') AS text, {ALIASES} AS aliases, \
         {NEWEST_EVENT} AS newest, (SELECT count(*) FROM candidate) AS candidates \
         FROM page AS p {} WHERE p.before < {bytes} ORDER BY {}, t.piece",
        order.by("c"),
        dialect.pieces_of_page(),
        order.by("p"),
    );
    Statement { text, values: builder.values }
}

/// The events of a selection, from the rows of [`select`].
///
/// # Errors
/// [`ErrorKind::Internal`](epcis_edge_core::error::ErrorKind::Internal) if a row cannot be read, or an event is not as long as it was when it was stored.
pub fn selected(selection: &Selection<'_>, rows: Vec<SelectedRow>) -> Result<Selected, Error> {
    let newest = rows.first().map_or(0, |row| row.newest);
    let newest = Places::at(newest);
    let candidates = rows.first().map_or(0, |row| row.candidates);
    let events = if candidates == 0 { Vec::new() } else { events_of(rows)? };
    let is_last =
        candidates < selection.limit as u64 && u64::try_from(events.len()) == Ok(candidates);
    Ok(Selected { events, newest, is_last })
}

/// The events, assembled from their pieces.
///
/// # Errors
/// [`ErrorKind::Internal`](epcis_edge_core::error::ErrorKind::Internal) if an event is not as long as it was when it was stored.
pub(super) fn events_of(rows: Vec<SelectedRow>) -> Result<Vec<StoredEvent>, Error> {
    let mut events: Vec<StoredEvent> = Vec::new();
    let mut lengths: Vec<u64> = Vec::new();
    for row in rows {
        if events.last().is_none_or(|event| event.sequence != row.sequence) {
            lengths.push(row.bytes);
        }
        match events.last_mut() {
            Some(event) if event.sequence == row.sequence => event.event.push_str(&row.text),
            _ => events.push(StoredEvent {
                aliases: serde_json::from_str(&row.aliases).map_err(|error| {
                    Error::impossible(format!(
                        "the names of event {} cannot be read: {error}",
                        row.sequence
                    ))
                })?,
                sequence: row.sequence,
                content_hash: row.content_hash,
                captured_by: row.captured_by,
                event: row.text,
            }),
        }
    }
    for (event, expected) in events.iter().zip(lengths) {
        let (number, found) = (event.sequence, event.event.len());
        if found as u64 != expected {
            return Err(Error::impossible(format!(
                "stored event {number} has {found} bytes, expected {expected}"
            )));
        }
    }
    Ok(events)
}

/// The column, the operator and the value of a condition on a time that has an index; `None` for any other condition.
pub(super) fn time_of(condition: &Condition) -> Option<(&'static str, &'static str, Value)> {
    let Condition::Time { field, comparison, time } = condition else {
        return None;
    };
    let column = match field {
        TimeField::EventTime => "event_time",
        TimeField::RecordTime => "record_time",
        _ => return None,
    };
    let operator = match comparison {
        Comparison::GreaterOrEqual => ">=",
        Comparison::Less => "<",
        _ => return None,
    };
    Some((column, operator, Value::Text(time.to_sortable())))
}

pub(super) struct Builder {
    pub(super) dialect: Dialect,
    pub(super) values: Vec<Value>,
}

/// A condition as SQL.
enum Narrowing {
    /// A query for the sequence numbers of the few events that an index finds.
    Sequences(String),
    /// A condition that many events fulfil.
    Wide(String),
}

impl Narrowing {
    fn is_selective(&self) -> bool {
        matches!(self, Self::Sequences(_))
    }
}

impl Builder {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { dialect, values: Vec::new() }
    }

    /// Binds a value and returns its placeholder.
    pub(super) fn bind(&mut self, value: Value) -> String {
        self.values.push(value);
        format!("?{}", self.values.len())
    }

    /// Binds a list as one value and returns its placeholder.
    pub(super) fn bind_list<T: serde::Serialize>(&mut self, list: T) -> String {
        self.bind(Value::Text(serde_json::json!(list).to_string()))
    }

    /// The SQL for a condition: all matching events fulfil it. `None` if no index helps.
    fn condition(&mut self, condition: &Condition) -> Option<Narrowing> {
        let dialect = self.dialect;
        match condition {
            Condition::DeclaresError => Some(Narrowing::Wide("e.declares_error = 1".to_owned())),
            Condition::Named(names) => {
                let keys: BTreeSet<_> = names.iter().map(|name| name_key(name)).collect();
                let keys = self.bind_list(keys);
                Some(Narrowing::Sequences(format!(
                    "{} UNION ALL {} UNION ALL {}",
                    dialect.keyed("event_key", &keys),
                    dialect.keyed("content_key", &keys),
                    dialect.also_keyed(&keys)
                )))
            }
            Condition::Term { fields, matcher } => match fields.as_slice() {
                [Field::EventId] => {
                    let keys: BTreeSet<_> =
                        matcher.exact.iter().map(|name| name_key(name)).collect();
                    let keys = self.bind_list(keys);
                    Some(Narrowing::Sequences(format!(
                        "{} UNION ALL {}",
                        dialect.keyed("event_key", &keys),
                        dialect.also_keyed(&keys)
                    )))
                }
                [field] if column(*field).is_some() => {
                    let column = column(*field)?;
                    let keys = self.bind_list(keys(matcher));
                    let column = format!("e.{column}");
                    Some(Narrowing::Wide(dialect.has_text(&column, &keys)))
                }
                fields if fields.iter().all(|field| is_indexed(*field)) => {
                    let sequences = self.term_sequences(fields, matcher);
                    Some(Narrowing::Sequences(sequences))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The column of a time, and the SQL condition on it; `None` for any other condition.
    fn span(&mut self, condition: &Condition) -> Option<(&'static str, String)> {
        let (column, operator, time) = time_of(condition)?;
        let time = self.bind(time);
        Some((column, format!("{column} {operator} {time}")))
    }

    /// A query for the sequence numbers of the events that have an accepted term in one of these fields.
    pub(super) fn term_sequences(&mut self, fields: &[Field], matcher: &Matcher) -> String {
        let mut numbers = String::new();
        for field in fields {
            let comma = if numbers.is_empty() { "" } else { ", " };
            let _ = write!(numbers, "{comma}{}", *field as u8);
        }
        let mut selects = Vec::new();
        if !matcher.exact.is_empty() {
            let keys = self.bind_list(keys(matcher));
            let has_key = self.dialect.has_text("t.value", &keys);
            selects.push(format!(
                "SELECT t.sequence FROM terms AS t WHERE {has_key} AND t.field IN ({numbers})"
            ));
        }
        if !matcher.shapes().is_empty() {
            let ranges: Vec<_> = matcher
                .shapes()
                .iter()
                .map(|shape| shape.key_range())
                .filter(|(start, end)| !start.contains('\0') && !end.contains('\0'))
                .collect();
            let ranges = self.bind_list(ranges);
            selects.push(format!(
                "SELECT t.sequence FROM json_each({ranges}) AS r CROSS JOIN terms AS t \
                 WHERE t.value >= r.value ->> 0 AND t.value < r.value ->> 1 AND t.field IN ({numbers})"
            ));
        }
        // Nothing is accepted.
        if selects.is_empty() {
            selects.push("SELECT 0 AS sequence WHERE false".to_owned());
        }
        selects.join(" UNION ALL ")
    }
}

/// The index keys of the accepted texts, except those with U+0000, which no store has.
pub(super) fn keys(matcher: &Matcher) -> BTreeSet<String> {
    matcher
        .exact
        .iter()
        .filter(|text| !text.contains('\0'))
        .map(|text| index_key(text).into_owned())
        .collect()
}

/// The column of a field, if it has one.
fn column(field: Field) -> Option<&'static str> {
    Some(match field {
        Field::EventType => "event_type",
        Field::Action => "action",
        Field::BizStep => "biz_step",
        Field::Disposition => "disposition",
        _ => return None,
    })
}
