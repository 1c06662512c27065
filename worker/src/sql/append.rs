//! A batch of events as statements of one transaction.

use super::binding::required;
use super::{Statement, Value};
use data_encoding::HEXLOWER;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::query::{Facts, Field, MAX_LISTED, TimeField, index_key};
use epcis_edge_core::store::{
    Appended, Batch, ErrorBehaviour, Identity, NewEvent, NewJob, Receipt,
};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use std::rc::Rc;

/// Where the list of rows stands in a text.
const LIST: &str = "{list}";

/// How many bytes of events are worked on at a time.
const RANGE: usize = 700_000;

/// How long a bound JSON array grows, in bytes, but for its last row.
const CHUNK: usize = 900_000;

/// How long a piece of an event is, in bytes; as a JSON string it is at most twice as long.
const PART: usize = 400_000;

/// How many pieces an event has at most: more than all events of a capture together can have.
pub(super) const PIECES: u64 = 1000;

/// How many terms stand in one row of a bound JSON array.
const TERMS: usize = 1000;

/// The collection that lists a term, by the number of its field; none where no collection does.
const LISTED: &str = "CASE WHEN t.value ->> 0 BETWEEN 1 AND 5 THEN 2 WHEN t.value ->> 0 = 13 THEN 5 \
                      WHEN t.value ->> 0 = 14 THEN 4 END";

/// The collections that list columns of events, with the places of these in a row.
const WORDS: &str =
    "SELECT 1 AS collection, 8 AS place UNION ALL SELECT 3, 10 UNION ALL SELECT 6, 11";

/// A row of a transaction that appends: it tells how far the events went before, or what is stored, or the number of a capture.
#[derive(Debug, Deserialize)]
pub struct AppendedRow {
    pub(super) capture: Option<u64>,
    newest: Option<u64>,
    job: Option<u64>,
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
        let identity = HEXLOWER.encode(&Sha256::digest(text.as_bytes()));
        Self {
            key: name_key(&identity),
            identity,
        }
    }
}

const IS_MARKED: &str = "e.identity_key = j.value ->> 0 AND e.identity = j.value ->> 1";

/// What appends a batch: to be run as one transaction, in this order; the last steps answer what is stored.
///
/// **Limits**: every bound text is shorter than 2 MB, however long the events are.
///
/// # Errors
/// An event that cannot be read, which none is that was prepared.
pub(super) fn steps<'b>(
    batch: &'b Batch,
    job: &'b NewJob,
) -> impl Iterator<Item = Result<Step, Error>> + 'b {
    let mut start = 0;
    let ranges = std::iter::from_fn(move || {
        let rest = batch.events.get(start..).filter(|rest| !rest.is_empty())?;
        let mut bytes = 0;
        let count = rest
            .iter()
            .take_while(|event| {
                bytes += event.event.len();
                bytes <= RANGE
            })
            .count();
        let range = rest.get(..count.max(1))?;
        let first = start;
        start += range.len();
        Some((first, range))
    });
    let document = batch.document.to_string();
    let record_time = batch.record_time.to_sortable();
    let stored = ranges.flat_map(move |(first, events)| {
        let placed: Result<Vec<Placed<'_>>, Error> = (first..)
            .zip(events)
            .map(|(position, event)| {
                Ok(Placed {
                    position,
                    event,
                    mark: Mark::of(event),
                    facts: event.facts()?,
                })
            })
            .collect();
        let (document, record_time) = (document.clone(), record_time.clone());
        let account = &job.account;
        let (events, error) = match placed {
            Ok(events) => (events, None),
            Err(error) => (Vec::new(), Some(Err(error))),
        };
        // One kind of rows after the other: all of them at once would be too much.
        let rows = [inserted_events, inserted_parts, inserted_terms].into_iter();
        let steps = rows.flat_map(move |rows| rows(&events, &document, &record_time, account));
        error.into_iter().chain(steps.map(Ok))
    });
    let found = std::iter::once_with(|| {
        // The names of those that are this capture's own are known: all of them once more would take much memory.
        let mut rows = Rows::new(
            format!(
                "SELECT CASE WHEN e.document = ?2 AND e.record_time = ?3 AND e.position = j.value ->> 2 THEN NULL \
                 ELSE e.event_id END AS event_id, e.sequence, e.position FROM json_each({LIST}) AS j \
                 CROSS JOIN events AS e ON {IS_MARKED} ORDER BY j.key"
            ),
            &[
                &batch.document.to_string(),
                &batch.record_time.to_sortable(),
            ],
        );
        // What was there before the capture, or came earlier in it, is written down with the job.
        rows.also(
            format!(
                "INSERT INTO capture_duplicates (job, position, event_id) \
                 SELECT c.sequence, j.value ->> 2, e.event_id FROM capture_jobs AS c CROSS JOIN json_each({LIST}) AS j \
                 CROSS JOIN events AS e ON {IS_MARKED} WHERE c.sequence = (SELECT max(sequence) FROM capture_jobs) \
                 AND (e.sequence <= c.before OR e.position <> j.value ->> 2)"
            ),
            &[],
        );
        for (position, event) in batch.events.iter().enumerate() {
            rows.push(&Mark::of(event), [position.into()]);
        }
        rows.finish()
    });
    stored.chain(found.flatten().map(Ok))
}

/// An event with what its rows need; the facts only while they are written.
struct Placed<'b> {
    /// Its place in the document.
    position: usize,
    event: &'b NewEvent,
    mark: Mark,
    facts: Facts,
}

fn inserted_events(
    events: &[Placed<'_>],
    document: &str,
    record_time: &str,
    account: &str,
) -> Vec<Step> {
    let mut rows = Rows::new(
        format!(
            "INSERT INTO events (identity_key, identity, declares_error, captured_by, event_id, event_key, content_key, \
             content_hash, event_type, action, biz_step, disposition, event_time, bytes, position, who, digest, record_time, document) \
             SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5, \
             j.value ->> 6, j.value ->> 7, j.value ->> 8, j.value ->> 9, j.value ->> 10, j.value ->> 11, \
             j.value ->> 12, j.value ->> 13, j.value ->> 14, j.value ->> 15, unhex(j.value ->> 16), ?2, ?3 FROM json_each({LIST}) AS j ORDER BY j.key"
        ),
        &[record_time, document],
    );
    rows.also(
        format!(
            "INSERT OR IGNORE INTO listed (account, collection, value) \
             SELECT DISTINCT a.number, c.collection, j.value ->> c.place FROM accounts AS a CROSS JOIN json_each({LIST}) AS j \
             CROSS JOIN ({WORDS}) AS c WHERE a.account = ?2 AND length(CAST(j.value ->> c.place AS BLOB)) <= {MAX_LISTED}"
        ),
        &[account],
    );
    for placed in events {
        let Placed {
            position,
            event,
            mark,
            facts,
        } = placed;
        let event_time = facts.time(TimeField::EventTime);
        let content_hash = event.content_hash.to_string();
        rows.push(
            mark,
            [
                u8::from(event.identity.declares_error).into(),
                event.identity.captured_by.as_ref().into(),
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
                (*position).into(),
                event.identity.who.as_ref().into(),
                HEXLOWER
                    .encode(&Sha256::digest(event.event.as_bytes()))
                    .into(),
            ],
        );
    }
    rows.finish()
}

/// Joins the events of the rows; what belongs to an event follows only where it was this capture of this document that brought
/// it.
fn ours() -> String {
    format!(
        "CROSS JOIN events AS e ON {IS_MARKED} AND e.document = ?2 AND e.record_time = ?3 \
         AND e.position = j.value ->> 2"
    )
}

fn inserted_parts(
    events: &[Placed<'_>],
    document: &str,
    record_time: &str,
    _account: &str,
) -> Vec<Step> {
    let ours = ours();
    let mut rows = Rows::new(
        format!(
            "INSERT OR IGNORE INTO event_parts (piece, text) \
             SELECT e.sequence * {PIECES} + (j.value ->> 3), j.value ->> 4 FROM json_each({LIST}) AS j {ours}"
        ),
        &[document, record_time],
    );
    for placed in events {
        let Placed {
            position,
            event,
            mark,
            ..
        } = placed;
        for (part, text) in parts(&event.event).enumerate() {
            rows.push(mark, [(*position).into(), part.into(), text.into()]);
        }
    }
    rows.finish()
}

fn inserted_terms(
    events: &[Placed<'_>],
    document: &str,
    record_time: &str,
    account: &str,
) -> Vec<Step> {
    let ours = ours();
    let mut rows = Rows::new(
        format!(
            "INSERT OR IGNORE INTO terms (value, field, sequence) \
             SELECT t.value ->> 1, t.value ->> 0, e.sequence FROM json_each({LIST}) AS j {ours} \
             CROSS JOIN json_each(j.value, '$[3]') AS t ORDER BY 1, 2"
        ),
        &[document, record_time],
    );
    rows.also(
        format!(
            "INSERT OR IGNORE INTO listed (account, collection, value) \
             SELECT DISTINCT a.number, {LISTED}, t.value ->> 1 FROM accounts AS a CROSS JOIN json_each({LIST}) AS j \
             CROSS JOIN json_each(j.value, '$[3]') AS t WHERE a.account = ?2 AND {LISTED} IS NOT NULL \
             AND length(CAST(t.value ->> 1 AS BLOB)) <= {MAX_LISTED} ORDER BY 2, 3"
        ),
        &[account],
    );
    for placed in events {
        let Placed {
            position,
            mark,
            facts,
            ..
        } = placed;
        let terms = facts.terms.iter().filter(|term| is_indexed(term.field));
        let terms = terms.map(|term| json!([term.field as u8, index_key(&term.value)]));
        // Row by row: the terms of one long event would take more memory than all rows.
        let mut terms = terms.peekable();
        while terms.peek().is_some() {
            let some: Vec<_> = terms.by_ref().take(TERMS).collect();
            rows.push(mark, [(*position).into(), some.into()]);
        }
    }
    rows.finish()
}

/// What begins the transaction of a capture: its job, which says how far the events went before, and its account.
pub(super) fn begun(batch: &Batch, job: &NewJob) -> Vec<Statement> {
    let mut statements = Vec::new();
    if let Some(name) = &job.unless_named {
        statements.push(Statement {
            // No JSON function takes this text: the transaction ends here.
            text: "SELECT CASE WHEN EXISTS (SELECT 1 FROM events WHERE event_key = ?1 AND event_id = ?2 \
                   AND captured_by = ?3 AND declares_error = 0) THEN json('the name is taken') ELSE 0 END AS is_taken"
                .to_owned(),
            values: vec![
                name_key(name).into(),
                name.as_str().into(),
                job.account.as_str().into(),
            ],
        });
    }
    let milliseconds = u64::try_from(job.time.seconds()).unwrap_or_default() * 1000
        + u64::from(job.time.nanoseconds() / 1_000_000);
    statements.push(Statement {
        text: "INSERT INTO capture_jobs (account, number, time, proceeds, success, document, events, before, report) \
               SELECT ?1, coalesce((SELECT max(number) FROM capture_jobs WHERE account = ?1), 0) + 1, ?2, ?3, ?4, ?5, ?6, \
               coalesce((SELECT max(sequence) FROM events), 0), ?7 RETURNING number AS job, before AS newest"
            .to_owned(),
        values: vec![
            job.account.as_str().into(),
            milliseconds.into(),
            usize::from(job.behaviour == ErrorBehaviour::Proceed).into(),
            usize::from(job.success).into(),
            Value::Text(batch.document.to_string()),
            batch.events.len().into(),
            job.report.as_str().into(),
        ],
    });
    statements.push(Statement {
        text: "INSERT OR IGNORE INTO accounts (account) VALUES (?1)".to_owned(),
        values: vec![job.account.as_str().into()],
    });
    statements
}

/// What became of the events of a batch, by the rows of its statements.
///
/// # Errors
/// [`ErrorKind::Internal`] where a row is missing, which the transaction excludes.
pub(super) fn appended(batch: &Batch, rows: Vec<AppendedRow>) -> Result<Receipt, Error> {
    let mut newest = 0;
    let mut job = None;
    let mut appended = Vec::with_capacity(batch.events.len());
    for row in rows {
        newest = row.newest.unwrap_or(newest);
        job = row.job.or(job);
        if let (Some(sequence), Some(position)) = (row.sequence, row.position) {
            let is_ours = sequence > newest && position == appended.len() as u64;
            appended.push(Appended {
                duplicate: !is_ours,
                event_id: row.event_id,
            });
        }
    }
    if appended.len() != batch.events.len() {
        let detail = format!("{} of {} events stored", appended.len(), batch.events.len());
        return Err(Error::new(ErrorKind::Internal { detail }));
    }
    Ok(Receipt {
        job: required(job, "number of the job")?,
        events: appended,
    })
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

/// Statements over a list of rows.
#[derive(Debug)]
pub(super) struct Step {
    over: Rc<[Over]>,
    /// The rows, as a JSON array.
    list: String,
}

/// A statement over a list.
#[derive(Debug)]
struct Over {
    /// The text, with [`LIST`] for the list.
    text: String,
    /// What is bound as `?2` and so on.
    others: Vec<Value>,
}

impl Over {
    fn new(text: String, others: &[&str]) -> Self {
        Self {
            text,
            others: others.iter().map(|other| (*other).into()).collect(),
        }
    }
}

impl Step {
    /// How long the lists are that are bound.
    pub(super) fn bytes(&self) -> usize {
        self.list.len() * self.over.len()
    }

    /// The statements with their list.
    pub(super) fn at_once(self) -> Vec<Statement> {
        let Self { over, mut list } = self;
        let last = over.len().saturating_sub(1);
        let statements = over.iter().enumerate().map(|(at, over)| {
            let list = if at == last {
                std::mem::take(&mut list)
            } else {
                list.clone()
            };
            let mut values = vec![Value::Text(list)];
            values.extend(over.others.iter().cloned());
            Statement {
                text: over.text.replace(LIST, "?1"),
                values,
            }
        });
        statements.collect()
    }

    /// The statement that puts the list aside, and those that take it from there.
    pub(super) fn staged(self, capture: u64, part: usize) -> (Statement, Vec<Statement>) {
        let taken = self.over.iter().map(|over| {
            let mut values = vec![capture.into()];
            values.extend(over.others.iter().cloned());
            values.push(part.into());
            let list = format!(
                "(SELECT list FROM staged WHERE capture = ?1 AND part = ?{})",
                values.len()
            );
            Statement {
                text: over.text.replace(LIST, &list),
                values,
            }
        });
        let taken = taken.collect();
        let put = Statement {
            text: "INSERT INTO staged (capture, part, list) VALUES (?1, ?2, ?3)".to_owned(),
            values: vec![capture.into(), part.into(), Value::Text(self.list)],
        };
        (put, taken)
    }
}

/// Rows as JSON arrays, as many steps as it takes.
struct Rows {
    over: Vec<Over>,
    list: String,
    done: Vec<String>,
}

impl Rows {
    fn new(text: String, others: &[&str]) -> Self {
        Self {
            over: vec![Over::new(text, others)],
            list: String::new(),
            done: Vec::new(),
        }
    }

    /// One more statement over the same lists.
    fn also(&mut self, text: String, others: &[&str]) {
        self.over.push(Over::new(text, others));
    }

    fn push<const N: usize>(&mut self, mark: &Mark, values: [serde_json::Value; N]) {
        let mark = [mark.key.into(), mark.identity.as_str().into()];
        let row: Vec<_> = mark.into_iter().chain(values).collect();
        self.push_row(&row.into());
    }

    fn push_row(&mut self, row: &serde_json::Value) {
        let row = row.to_string();
        if !self.list.is_empty() && self.list.len() + row.len() > CHUNK {
            self.close();
        }
        self.list.push(if self.list.is_empty() { '[' } else { ',' });
        self.list.push_str(&row);
    }

    fn close(&mut self) {
        let mut list = std::mem::take(&mut self.list);
        list.push(']');
        self.done.push(list);
    }

    fn finish(mut self) -> Vec<Step> {
        if !self.list.is_empty() {
            self.close();
        }
        let over: Rc<[Over]> = self.over.into();
        let step = |list| Step {
            over: Rc::clone(&over),
            list,
        };
        self.done.into_iter().map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use epcis_edge_core::query::Collection;

    #[test]
    fn the_collections_are_those_of_the_core() {
        for (field, collection) in [
            (Field::Epc, 2),
            (Field::ChildEpc, 2),
            (Field::ParentId, 2),
            (Field::InputEpc, 2),
            (Field::OutputEpc, 2),
            (Field::ReadPoint, 5),
            (Field::BizLocation, 4),
            (Field::EventType, 1),
            (Field::BizStep, 3),
            (Field::Disposition, 6),
        ] {
            let listed = Collection::of(field).map(|collection| collection as u8);
            assert_eq!(listed, Some(collection), "{field:?}");
        }
        let numbers = [
            Field::Epc,
            Field::OutputEpc,
            Field::ReadPoint,
            Field::BizLocation,
        ];
        assert_eq!(numbers.map(|field| field as u8), [1, 5, 13, 14]);
        for field in [
            Field::EpcClass,
            Field::Source,
            Field::EventId,
            Field::Action,
        ] {
            assert_eq!(Collection::of(field), None);
        }
        // What is longer is indexed by its start and its digest, which nobody should read in a list.
        let long = "ä".repeat(MAX_LISTED);
        assert!(index_key(&long).len() > MAX_LISTED);
        assert!(
            (MAX_LISTED + 1..600).all(|length| index_key(&"x".repeat(length)).len() > MAX_LISTED)
        );
    }
}
