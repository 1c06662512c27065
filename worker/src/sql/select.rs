//! A selection of events as one statement.

use super::append::{PIECES, is_indexed, name_key};
use super::{Statement, Value};
use epcis_edge_core::query::{
    Comparison, Condition, Field, Matcher, OrderBy, TimeField, index_key,
};
use epcis_edge_core::store::{Selected, Selection, StoredEvent};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// How many conditions are put into a statement, at most two values each; the predicate sees to the rest.
const MAX_CONDITIONS: usize = 40;

/// A row of [`select`]: a piece of an event.
#[derive(Debug, Deserialize)]
pub struct SelectedRow {
    sequence: u64,
    content_hash: String,
    captured_by: String,
    text: String,
    newest: u64,
    candidates: u64,
}

/// The statement that finds the events of a selection, a row for every piece of their texts.
///
/// **Limits**: see [`Selection`]; at most 90 bound values.
#[must_use]
pub fn select(selection: &Selection<'_>) -> Statement {
    let mut builder = Builder::default();
    let mut wheres = Vec::new();
    let mut is_selective = false;
    for condition in selection.predicate.conditions.iter().take(MAX_CONDITIONS) {
        if let Some(narrowing) = builder.condition(condition) {
            is_selective |= narrowing.is_selective;
            wheres.push(narrowing.text);
        }
    }
    if let Some(accounts) = selection.accounts {
        // A plus keeps the index of accounts out of the way of a better one.
        let plus = if is_selective { "+" } else { "" };
        wheres.push(match accounts {
            [one] => format!("{plus}e.captured_by = {}", builder.bind((*one).into())),
            several => {
                let list = builder.bind_list(several);
                format!("{plus}e.captured_by IN (SELECT value FROM json_each({list}))")
            }
        });
    }
    if let Some(upper) = selection.upper {
        wheres.push(format!("e.sequence <= {}", builder.bind(upper.into())));
    }
    let direction = if selection.order.descending {
        "DESC"
    } else {
        "ASC"
    };
    let time = match selection.order.by {
        OrderBy::Capture => None,
        OrderBy::EventTime => Some("event_time"),
        OrderBy::RecordTime => Some("record_time"),
    };
    if let Some(cursor) = selection.after {
        let behind = if selection.order.descending { "<" } else { ">" };
        let sequence = builder.bind(cursor.sequence.into());
        wheres.push(match time {
            None => format!("e.sequence {behind} {sequence}"),
            Some(column) => {
                let text = cursor
                    .time
                    .map_or_else(String::new, |time| time.to_sortable());
                let time = builder.bind(Value::Text(text));
                format!("(e.{column}, e.sequence) {behind} ({time}, {sequence})")
            }
        });
    }
    let order = |table: &str| match time {
        None => format!("{table}.sequence {direction}"),
        Some(column) => format!("{table}.{column} {direction}, {table}.sequence {direction}"),
    };
    let wheres = if wheres.is_empty() {
        "true".to_owned()
    } else {
        wheres.join(" AND ")
    };
    let limit = builder.bind(selection.limit.into());
    let bytes = builder.bind(selection.bytes.into());
    let text = format!(
        "WITH candidate AS MATERIALIZED (\
         SELECT e.sequence, e.event_time, e.record_time, e.content_hash, e.captured_by, e.bytes \
         FROM events AS e WHERE {wheres} ORDER BY {} LIMIT {limit}), \
         page AS (SELECT c.*, sum(c.bytes) OVER (ORDER BY {} ROWS UNBOUNDED PRECEDING) - c.bytes AS before \
         FROM candidate AS c) \
         SELECT p.sequence, p.content_hash, p.captured_by, t.text, \
         (SELECT max(sequence) FROM events) AS newest, (SELECT count(*) FROM candidate) AS candidates \
         FROM page AS p CROSS JOIN event_parts AS t \
         ON t.piece BETWEEN p.sequence * {PIECES} AND p.sequence * {PIECES} + {PIECES} - 1 \
         WHERE p.before < {bytes} ORDER BY {}, t.piece",
        order("e"),
        order("c"),
        order("p"),
    );
    Statement {
        text,
        values: builder.values,
    }
}

/// The events of a selection, by the rows of its statement.
#[must_use]
pub fn selected(selection: &Selection<'_>, rows: Vec<SelectedRow>) -> Selected {
    let newest = rows.first().map_or(0, |row| row.newest);
    let candidates = rows.first().map_or(0, |row| row.candidates);
    let mut events: Vec<StoredEvent> = Vec::new();
    for row in rows {
        match events.last_mut() {
            Some(event) if event.sequence == row.sequence => event.event.push_str(&row.text),
            _ => events.push(StoredEvent {
                sequence: row.sequence,
                content_hash: row.content_hash,
                captured_by: row.captured_by,
                event: row.text,
            }),
        }
    }
    let is_last =
        candidates < selection.limit as u64 && u64::try_from(events.len()) == Ok(candidates);
    Selected {
        events,
        newest,
        is_last,
    }
}

#[derive(Default)]
struct Builder {
    values: Vec<Value>,
}

/// A condition as SQL.
struct Narrowing {
    text: String,
    /// Whether an index finds few events by it.
    is_selective: bool,
}

impl Builder {
    /// The name of a bound value.
    fn bind(&mut self, value: Value) -> String {
        self.values.push(value);
        format!("?{}", self.values.len())
    }

    /// A list as one bound value.
    fn bind_list<T: serde::Serialize>(&mut self, list: T) -> String {
        self.bind(Value::Text(serde_json::json!(list).to_string()))
    }

    /// A condition that every event that matches fulfils; none where no index helps.
    fn condition(&mut self, condition: &Condition) -> Option<Narrowing> {
        let selective = |text| Narrowing {
            text,
            is_selective: true,
        };
        let wide = |text| Narrowing {
            text,
            is_selective: false,
        };
        match condition {
            Condition::DeclaresError => Some(wide("e.declares_error = 1".to_owned())),
            Condition::Named(name) => {
                let key = self.bind(name_key(name).into());
                Some(selective(format!(
                    "e.sequence IN (SELECT sequence FROM events WHERE event_key = {key} \
                     UNION ALL SELECT sequence FROM events WHERE content_key = {key})"
                )))
            }
            Condition::Time {
                field,
                comparison,
                time,
            } => {
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
                let time = self.bind(Value::Text(time.to_sortable()));
                Some(wide(format!("e.{column} {operator} {time}")))
            }
            Condition::Term { fields, matcher } => match fields.as_slice() {
                [Field::EventId] => {
                    let keys: BTreeSet<_> =
                        matcher.exact.iter().map(|name| name_key(name)).collect();
                    let keys = self.bind_list(keys);
                    Some(selective(format!(
                        "e.event_key IN (SELECT value FROM json_each({keys}))"
                    )))
                }
                [field] if column(*field).is_some() => {
                    let column = column(*field)?;
                    let keys = self.bind_list(keys(matcher));
                    Some(wide(format!(
                        "e.{column} IN (SELECT value FROM json_each({keys}))"
                    )))
                }
                fields if fields.iter().all(|field| is_indexed(*field)) => {
                    Some(selective(self.terms(fields, matcher)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The events that a term of these fields finds.
    fn terms(&mut self, fields: &[Field], matcher: &Matcher) -> String {
        let mut numbers = String::new();
        for field in fields {
            let comma = if numbers.is_empty() { "" } else { ", " };
            let _ = write!(numbers, "{comma}{}", *field as u8);
        }
        let mut selects = Vec::new();
        if !matcher.exact.is_empty() {
            let keys = self.bind_list(keys(matcher));
            selects.push(format!(
                "SELECT t.sequence FROM terms AS t \
                 WHERE t.value IN (SELECT value FROM json_each({keys})) AND t.field IN ({numbers})"
            ));
        }
        if !matcher.shapes.is_empty() {
            let ranges: Vec<_> = matcher
                .shapes
                .iter()
                .map(|shape| shape.key_range())
                .collect();
            let ranges = self.bind_list(ranges);
            selects.push(format!(
                "SELECT t.sequence FROM json_each({ranges}) AS r CROSS JOIN terms AS t \
                 ON t.value >= r.value ->> 0 AND t.value < r.value ->> 1 WHERE t.field IN ({numbers})"
            ));
        }
        format!("e.sequence IN ({})", selects.join(" UNION ALL "))
    }
}

/// The keys of the texts that are accepted.
fn keys(matcher: &Matcher) -> BTreeSet<String> {
    matcher
        .exact
        .iter()
        .map(|text| index_key(text).into_owned())
        .collect()
}

/// The column of a field that has one.
fn column(field: Field) -> Option<&'static str> {
    Some(match field {
        Field::EventType => "event_type",
        Field::Action => "action",
        Field::BizStep => "biz_step",
        Field::Disposition => "disposition",
        _ => return None,
    })
}
