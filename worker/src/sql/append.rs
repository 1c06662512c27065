//! A batch of events as statements of one transaction.

use super::{Statement, Value};
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::query::{Facts, Field, TimeField, index_key};
use epcis_edge_core::store::{Appended, Batch, Identity, NewEvent};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// How long a bound JSON array grows, in bytes, but for its last row.
const CHUNK: usize = 900_000;

/// How long a piece of an event is, in bytes; as a JSON string it is at most twice as long.
const PART: usize = 400_000;

/// How many pieces an event has at most: more than all events of a capture together can have.
pub(super) const PIECES: u64 = 1000;

/// How many terms stand in one row of a bound JSON array.
const TERMS: usize = 1000;

/// A row of a statement of [`append`]: the first statement tells how far the events went, the last ones name what is stored.
#[derive(Debug, Deserialize)]
pub struct AppendedRow {
    newest: Option<u64>,
    event_id: Option<String>,
    sequence: Option<u64>,
    position: Option<u64>,
}

/// What an event is found by after it was inserted: it, or the one that it repeats. Every row begins with it.
struct Mark {
    key: u64,
    identity: String,
}

impl Mark {
    fn of(event: &NewEvent) -> Self {
        let Identity {
            stamped_hash,
            declares_error,
            captured_by,
            who,
        } = &event.identity;
        // Lengths tell where a text ends, whatever stands in it.
        let length = captured_by.len();
        let text = format!("{stamped_hash} {declares_error} {length} {captured_by} {who}");
        let mut identity = String::with_capacity(64);
        for byte in Sha256::digest(text.as_bytes()) {
            let _ = write!(identity, "{byte:02x}");
        }
        Self {
            key: name_key(&identity),
            identity,
        }
    }
}

const IS_MARKED: &str = "e.identity_key = j.value ->> 0 AND e.identity = j.value ->> 1";

/// The statements that append a batch: to be run as one transaction, in this order.
///
/// The rows of all statements, in order, go to [`appended`].
///
/// **Limits**: every bound text is shorter than 2 MB, however long the events are.
#[must_use]
pub fn append(batch: &Batch) -> Vec<Statement> {
    let document = batch.document.to_string();
    let record_time = batch.record_time.to_sortable();
    let mut statements = vec![Statement {
        text: "SELECT coalesce(max(sequence), 0) AS newest FROM events".to_owned(),
        values: Vec::new(),
    }];

    let marks: Vec<Mark> = batch.events.iter().map(Mark::of).collect();
    let mut rows = Rows::new(
        "INSERT INTO events (identity_key, identity, declares_error, captured_by, event_id, event_key, content_key, \
         content_hash, event_type, action, biz_step, disposition, event_time, bytes, position, record_time, document) \
         SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5, \
         j.value ->> 6, j.value ->> 7, j.value ->> 8, j.value ->> 9, j.value ->> 10, j.value ->> 11, \
         j.value ->> 12, j.value ->> 13, j.value ->> 14, ?2, ?3 FROM json_each(?1) AS j ORDER BY j.key"
            .to_owned(),
        vec![record_time.as_str().into(), document.as_str().into()],
    );
    for (position, (event, mark)) in batch.events.iter().zip(&marks).enumerate() {
        let facts = &event.facts;
        let event_time = facts.time(TimeField::EventTime);
        let content_hash = event.content_hash.to_string();
        rows.push(
            mark,
            [
                u8::from(event.identity.declares_error).into(),
                event.identity.captured_by.as_str().into(),
                event.event_id.as_str().into(),
                facts.first(Field::EventId).map(name_key).into(),
                name_key(&content_hash).into(),
                content_hash.into(),
                keyed(facts, Field::EventType),
                keyed(facts, Field::Action),
                keyed(facts, Field::BizStep),
                keyed(facts, Field::Disposition),
                event_time
                    .map_or_else(String::new, |time| time.to_sortable())
                    .into(),
                event.event.len().into(),
                position.into(),
            ],
        );
    }
    rows.finish(&mut statements);

    // What belongs to an event follows only where it was this document that brought it.
    let ours = format!(
        "CROSS JOIN events AS e ON {IS_MARKED} AND e.document = ?2 AND e.position = j.value ->> 2"
    );
    let mut rows = Rows::new(
        format!(
            "INSERT OR IGNORE INTO event_parts (piece, text) \
             SELECT e.sequence * {PIECES} + (j.value ->> 3), j.value ->> 4 FROM json_each(?1) AS j {ours}"
        ),
        vec![document.as_str().into()],
    );
    for (position, (event, mark)) in batch.events.iter().zip(&marks).enumerate() {
        for (part, text) in parts(&event.event).enumerate() {
            rows.push(mark, [position.into(), part.into(), text.into()]);
        }
    }
    rows.finish(&mut statements);

    let mut rows = Rows::new(
        format!(
            "INSERT OR IGNORE INTO terms (value, field, sequence) \
             SELECT t.value ->> 1, t.value ->> 0, e.sequence FROM json_each(?1) AS j {ours} \
             CROSS JOIN json_each(j.value, '$[3]') AS t ORDER BY 1, 2"
        ),
        vec![document.as_str().into()],
    );
    for (position, (event, mark)) in batch.events.iter().zip(&marks).enumerate() {
        let terms: Vec<_> = event
            .facts
            .terms
            .iter()
            .filter(|term| is_indexed(term.field))
            .map(|term| json!([term.field as u8, index_key(&term.value)]))
            .collect();
        for terms in terms.chunks(TERMS) {
            rows.push(mark, [position.into(), terms.into()]);
        }
    }
    rows.finish(&mut statements);

    let mut rows = Rows::new(
        format!(
            "SELECT e.event_id, e.sequence, e.position FROM json_each(?1) AS j CROSS JOIN events AS e ON {IS_MARKED} ORDER BY j.key"
        ),
        Vec::new(),
    );
    for mark in &marks {
        rows.push(mark, []);
    }
    rows.finish(&mut statements);
    statements
}

/// What became of the events of a batch, by the rows of its statements.
///
/// # Errors
/// [`ErrorKind::Internal`] where a row is missing, which the transaction excludes.
pub fn appended(batch: &Batch, rows: Vec<AppendedRow>) -> Result<Vec<Appended>, Error> {
    let mut newest = 0;
    let mut appended = Vec::with_capacity(batch.events.len());
    for row in rows {
        newest = row.newest.unwrap_or(newest);
        if let (Some(event_id), Some(sequence), Some(position)) =
            (row.event_id, row.sequence, row.position)
        {
            let is_ours = sequence > newest && position == appended.len() as u64;
            appended.push(Appended {
                event_id,
                duplicate: !is_ours,
            });
        }
    }
    if appended.len() != batch.events.len() {
        let detail = format!("{} of {} events stored", appended.len(), batch.events.len());
        return Err(Error::new(ErrorKind::Internal { detail }));
    }
    Ok(appended)
}

/// Whether the texts of a field are kept as terms; others have a column, or no index.
pub(super) fn is_indexed(field: Field) -> bool {
    (field as u8) < Field::EventType as u8
}

/// The text of a column.
fn keyed(facts: &Facts, field: Field) -> serde_json::Value {
    facts.first(field).map(index_key).into()
}

/// The number under which a name is looked up: 52 bits of its SHA-256, which any reader of numbers holds.
/// Names that share one are told apart by the predicate.
pub(super) fn name_key(name: &str) -> u64 {
    let digest = Sha256::digest(name.as_bytes());
    let start = digest.iter().take(8);
    start.fold(0, |number: u64, byte| (number << 8) | u64::from(*byte)) >> 12
}

/// The pieces of an event.
fn parts(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let mut end = PART.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let (part, rest) = text.split_at_checked(end)?;
        text = rest;
        (!part.is_empty()).then_some(part)
    })
}

/// Rows that are bound as JSON arrays, as many statements as it takes.
struct Rows {
    text: String,
    /// What is bound behind the array.
    others: Vec<Value>,
    array: String,
    done: Vec<Statement>,
}

impl Rows {
    fn new(text: String, others: Vec<Value>) -> Self {
        Self {
            text,
            others,
            array: String::new(),
            done: Vec::new(),
        }
    }

    fn push<const N: usize>(&mut self, mark: &Mark, values: [serde_json::Value; N]) {
        let mark = [mark.key.into(), mark.identity.as_str().into()];
        let row: Vec<_> = mark.into_iter().chain(values).collect();
        let row = serde_json::Value::from(row).to_string();
        if !self.array.is_empty() && self.array.len() + row.len() > CHUNK {
            self.close();
        }
        self.array
            .push(if self.array.is_empty() { '[' } else { ',' });
        self.array.push_str(&row);
    }

    fn close(&mut self) {
        let mut array = std::mem::take(&mut self.array);
        array.push(']');
        let mut values = vec![Value::Text(array)];
        values.extend(self.others.iter().cloned());
        self.done.push(Statement {
            text: self.text.clone(),
            values,
        });
    }

    fn finish(mut self, statements: &mut Vec<Statement>) {
        if !self.array.is_empty() {
            self.close();
        }
        statements.append(&mut self.done);
    }
}
