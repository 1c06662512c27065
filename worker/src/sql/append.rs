//! A batch of events as statements of one transaction.

#[cfg(test)]
mod tests;

use super::binding::required;
use super::dialect::NEWEST_JOB;
use super::pieces::{PART, PIECES, parts};
use super::{Dialect, Statement, Value};
use data_encoding::HEXLOWER;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::query::{Collection, Facts, Field, MAX_LISTED, Query, TimeField, index_key};
use epcis_edge_core::store::{
    Appending, Batch, ErrorBehaviour, Identity, Indexed, NewEvent, NewJob, Receipt,
};
use epcis_edge_core::time::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Where the list of rows stands in a text.
pub(super) const LIST: &str = "{list}";

/// How many bytes of events are worked on at a time.
const RANGE: usize = 700_000;

/// How long a bound JSON array grows, in bytes, but for its last row.
const CHUNK: usize = 900_000;

/// How many terms stand in one row of a bound JSON array.
const TERMS: usize = 1000;

/// What the database says where a capture finds more stored than it expected: so do the migrations of D1.
pub(super) const UNEXPECTED: &str = "more is stored than was expected";

/// What became of a batch, where the transaction broke off because more was stored than was expected.
///
/// # Errors
/// Every other fault.
pub fn appending(appended: Result<Receipt, Error>) -> Result<Appending, Error> {
    match appended {
        Ok(receipt) => Ok(Appending::Done(receipt)),
        Err(error) => match error.kind() {
            ErrorKind::Internal { detail } if detail.contains(UNEXPECTED) => {
                Ok(Appending::Unexpected)
            }
            _ => Err(error),
        },
    }
}

/// A row of a transaction that appends: the number of a capture, the number and the time of a job, or how many events were stored.
#[derive(Debug, Deserialize)]
pub struct AppendedRow {
    pub(super) capture: Option<u64>,
    job: Option<u64>,
    time: Option<u64>,
    stored: Option<u64>,
}

/// What makes an event the same as another, as one text.
pub(super) fn identity_of(event: &NewEvent) -> String {
    let Identity {
        stamped_hash,
        declaration,
        captured_by,
        who,
    } = &event.identity;
    // Lengths tell where a text ends, whatever stands in it.
    let length = captured_by.len();
    let text = match declaration {
        None => format!("{stamped_hash} false {length} {captured_by} {who}"),
        Some(declaration) => {
            let of_declaration = declaration.len();
            format!("{stamped_hash} {of_declaration} {declaration} {length} {captured_by} {who}")
        }
    };
    HEXLOWER.encode(&Sha256::digest(text.as_bytes()))
}

/// What appends the events of a batch: to be run as one transaction, in this order.
///
/// **Limits**: every bound text is shorter than 2 MB, however long the events are.
///
/// # Errors
/// An event that cannot be read, which none is that was prepared.
pub(super) fn steps<'b>(
    dialect: Dialect,
    batch: &'b Batch,
    job: &'b NewJob,
) -> impl Iterator<Item = Result<ListStatements, Error>> + 'b {
    let ranges = ranges(&batch.events, |event| event.event.len());
    ranges.flat_map(move |(first, events)| {
        let placed: Result<Vec<Placed<'_>>, Error> = (first..)
            .zip(events)
            .map(|(position, event)| {
                let identity = identity_of(event);
                let Indexed {
                    facts,
                    record_time_at,
                } = event.indexed()?;
                Ok(Placed {
                    position,
                    event,
                    key: name_key(&identity),
                    identity,
                    is_alias: job.aliases.binary_search(&position).is_ok(),
                    facts,
                    record_time_at,
                })
            })
            .collect();
        let (events, error) = match placed {
            Ok(events) => (events, None),
            Err(error) => (Vec::new(), Some(Err(error))),
        };
        let range = Range {
            dialect,
            events,
            document: batch.document.to_string(),
            account: &job.account,
        };
        // One kind of rows after the other: all of them at once would be too much.
        let portions = (0..range.portions()).map(Kind::Parts);
        let rows = [Kind::Events, Kind::Aliases].into_iter().chain(portions);
        let rows = rows.chain([Kind::Terms, Kind::Values]);
        let steps = rows.flat_map(move |kind| match range.rows(kind) {
            Ok(steps) => steps.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        });
        error.into_iter().chain(steps)
    })
}

/// The items of a list in ranges of [`RANGE`] bytes, each with the place of its first item. An item that is longer than that is a
/// range of its own.
pub(super) fn ranges<T>(
    items: &[T],
    bytes_of: impl Fn(&T) -> usize,
) -> impl Iterator<Item = (usize, &[T])> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = items.get(start..).filter(|rest| !rest.is_empty())?;
        let mut bytes = 0;
        let count = rest
            .iter()
            .take_while(|item| {
                bytes += bytes_of(item);
                bytes <= RANGE
            })
            .count();
        let range = rest.get(..count.max(1))?;
        let first = start;
        start += range.len();
        Some((first, range))
    })
}

/// Rows that are written one after the other.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Events,
    Aliases,
    /// The texts of the events, of each so many parts from there on: a long text as a whole would be there twice.
    Parts(usize),
    Terms,
    Values,
}

/// How many parts of an event are written at a time: those of events that are worked on together, at least.
const PORTION: usize = RANGE.div_ceil(PART);

/// Some of the events of a batch, and what their rows have in common.
struct Range<'b> {
    dialect: Dialect,
    events: Vec<Placed<'b>>,
    document: String,
    account: &'b str,
}

/// An event with what its rows need; the facts only while they are written.
struct Placed<'b> {
    /// Its place in the document.
    position: usize,
    event: &'b NewEvent,
    /// The number under which the identity is looked up.
    key: u64,
    identity: String,
    /// Whether its name is kept as a further one of the same event.
    is_alias: bool,
    facts: Facts,
    /// The byte of its text at which its `recordTime` begins.
    record_time_at: usize,
}

/// A value of a row.
#[derive(Serialize)]
#[serde(untagged)]
enum Cell<'c> {
    Number(u64),
    Text(&'c str),
    Maybe(Option<Cow<'c, str>>),
}

impl Range<'_> {
    fn rows(&self, kind: Kind) -> Result<Vec<ListStatements>, Error> {
        match kind {
            Kind::Events => self.events(),
            Kind::Aliases => self.aliases(),
            Kind::Parts(portion) => self.parts(portion),
            Kind::Terms => self.terms(),
            Kind::Values => self.values(),
        }
    }

    /// In how many portions the texts are written: in one where there are several events.
    fn portions(&self) -> usize {
        let parts = |placed: &Placed<'_>| parts(&placed.event.event, placed.record_time_at).count();
        let most = self.events.iter().map(parts).max();
        most.unwrap_or_default().div_ceil(PORTION)
    }

    fn events(&self) -> Result<Vec<ListStatements>, Error> {
        let mut rows = Rows::new(self.dialect.insert_events(), &[&self.document]);
        rows.also(self.dialect.insert_duplicates(), &[]);
        for placed in &self.events {
            let Placed {
                position,
                event,
                key,
                identity,
                facts,
                ..
            } = placed;
            let word = |field| Cell::Maybe(facts.first(field).map(index_key));
            let event_time = facts.time(TimeField::EventTime);
            let event_time = event_time.map_or_else(String::new, |time| time.to_sortable());
            let content_hash = event.content_hash.to_string();
            let event_key = facts.first(Field::EventId).map(name_key);
            rows.push(&[
                Cell::Number(*key),
                Cell::Number(*position as u64),
                Cell::Text(identity),
                Cell::Number(event.identity.declares_error().into()),
                Cell::Text(&event.identity.captured_by),
                Cell::Text(event.event_id.as_str()),
                event_key.map_or(Cell::Maybe(None), Cell::Number),
                Cell::Number(name_key(&content_hash)),
                Cell::Text(&content_hash),
                word(Field::EventType),
                word(Field::Action),
                word(Field::BizStep),
                word(Field::Disposition),
                Cell::Text(&event_time),
                Cell::Number(event.event.len() as u64),
                Cell::Text(&event.identity.who),
            ])?;
        }
        Ok(rows.finish())
    }

    /// The further names of events that are stored, or stand in the batch before.
    fn aliases(&self) -> Result<Vec<ListStatements>, Error> {
        let mut rows = Rows::new(self.dialect.insert_aliases(), &[]);
        for placed in self.events.iter().filter(|placed| placed.is_alias) {
            let name = placed.event.event_id.as_str();
            let key = name_key(&Query::canonical_name(name));
            rows.push(&(placed.key, &placed.identity, key, name))?;
        }
        Ok(rows.finish())
    }

    fn parts(&self, portion: usize) -> Result<Vec<ListStatements>, Error> {
        let mut rows = Rows::new(
            format!(
                "INSERT OR IGNORE INTO event_parts (piece, text) \
                 SELECT e.sequence * {PIECES} + CAST(j.value ->> 2 AS BIGINT), {} FROM json_each({LIST}) AS j {}",
                self.dialect.text_of_part(),
                self.dialect.ours()
            ),
            &[],
        );
        for placed in &self.events {
            let parts = parts(&placed.event.event, placed.record_time_at).enumerate();
            for (part, piece) in parts.skip(portion * PORTION).take(PORTION) {
                let (key, position) = (placed.key, placed.position);
                match piece.time {
                    None => rows.push(&(key, position, part, piece.before))?,
                    Some((from, length)) => {
                        rows.push(&(key, position, part, piece.before, from, length, piece.after))?
                    }
                }
            }
        }
        Ok(rows.finish())
    }

    fn terms(&self) -> Result<Vec<ListStatements>, Error> {
        let mut rows = Rows::new(
            format!(
                "INSERT OR IGNORE INTO terms (value, field, sequence) \
                 SELECT (t.value ->> 1){}, CAST(t.value ->> 0 AS BIGINT), e.sequence FROM json_each({LIST}) AS j {} \
                 CROSS JOIN {} AS t{} ORDER BY 1, 2",
                self.dialect.bytewise(),
                self.dialect.ours(),
                self.dialect.listed_terms(),
                self.dialect.of_value()
            ),
            &[],
        );
        for placed in &self.events {
            let terms = placed.facts.terms.iter();
            let terms = terms.filter(|term| is_indexed(term.field));
            let terms = terms.map(|term| (term.field as u8, index_key(&term.value)));
            // Row by row: the terms of one long event would take more memory than all rows.
            let mut terms = terms.peekable();
            while terms.peek().is_some() {
                let some: Vec<_> = terms.by_ref().take(TERMS).collect();
                rows.push(&(placed.key, placed.position, some))?;
            }
        }
        Ok(rows.finish())
    }

    /// What the collections list, each value once.
    fn values(&self) -> Result<Vec<ListStatements>, Error> {
        let terms = self.events.iter().flat_map(|placed| &placed.facts.terms);
        let values: BTreeSet<(u8, Cow<'_, str>)> = terms
            .filter_map(|term| {
                let collection = Collection::of(term.field)?;
                let value = index_key(&term.value);
                // What is longer is indexed by its start and its digest, which nobody should read in a list.
                (value.len() <= MAX_LISTED).then_some((collection as u8, value))
            })
            .collect();
        let mut rows = Rows::new(
            format!(
                "INSERT OR IGNORE INTO listed (account, collection, value) SELECT a.number, CAST(j.value ->> 0 AS BIGINT), j.value ->> 1 \
                 FROM accounts AS a CROSS JOIN json_each({LIST}) AS j WHERE a.account = ?2"
            ),
            &[self.account],
        );
        for value in &values {
            rows.push(value)?;
        }
        Ok(rows.finish())
    }
}

/// What begins the transaction of a capture: its job, which says how far the events went before, and its account.
///
/// Here a capture gets its `recordTime`, no earlier than that of the capture before.
pub(super) fn begun(dialect: Dialect, batch: &Batch, job: &NewJob) -> [Statement; 2] {
    let time = batch.record_time;
    let milliseconds = u64::try_from(time.seconds()).unwrap_or_default() * 1000
        + u64::from(time.nanoseconds() / 1_000_000);
    let inserted = Statement {
        text: format!(
            "INSERT INTO capture_jobs (account, number, time, proceeds, success, document, events, before, report) \
             SELECT ?1, coalesce((SELECT max(number) FROM capture_jobs WHERE account = ?1), 0) + 1, \
             {}(?2, coalesce((SELECT time FROM capture_jobs WHERE sequence = {NEWEST_JOB}), 0)), ?3, ?4, ?5, ?6, \
             coalesce((SELECT max(sequence) FROM events), 0), ?7 RETURNING number AS job, time",
            dialect.larger()
        ),
        values: vec![
            job.account.as_str().into(),
            milliseconds.into(),
            usize::from(job.behaviour == ErrorBehaviour::Proceed).into(),
            usize::from(job.success).into(),
            Value::Text(batch.document.to_string()),
            batch.events.len().into(),
            job.report.as_str().into(),
        ],
    };
    let account = Statement {
        text: "INSERT OR IGNORE INTO accounts (account) VALUES (?1)".to_owned(),
        values: vec![job.account.as_str().into()],
    };
    [inserted, account]
}

/// What ends the transaction of a capture: it breaks off where more was stored than was expected, and answers how many events were
/// stored.
pub(super) fn ended(dialect: Dialect, job: &NewJob) -> [Statement; 2] {
    let newest = format!("FROM capture_jobs AS c WHERE c.sequence = {NEWEST_JOB}");
    let without_index = dialect.without_index();
    // The names that the capture brings, and how many other events have them.
    let namesakes = format!(
        "(SELECT count(*) FROM named AS n {} AND f.declares_error = 0 AND {without_index}f.sequence <= n.before \
         AND f.sequence <> n.sequence) \
         + (SELECT count(*) FROM named AS n CROSS JOIN aliases AS a ON a.event_key = n.event_key \
         CROSS JOIN events AS f ON f.sequence = a.sequence \
         WHERE {without_index}a.job < n.job AND a.sequence <> n.sequence AND f.captured_by = n.account AND f.declares_error = 0)",
        dialect.bearers("n.event_key", "n.account")
    );
    let named = format!(
        "newest AS (SELECT c.sequence AS job, c.account, c.before {newest}), \
         named AS (SELECT c.job, c.account, c.before, e.event_key, e.sequence FROM newest AS c \
         CROSS JOIN events AS e ON e.sequence > c.before WHERE e.declares_error = 0 \
         UNION ALL SELECT c.job, c.account, c.before, a.event_key, a.sequence FROM newest AS c \
         CROSS JOIN aliases AS a ON a.job = c.job CROSS JOIN events AS e ON e.sequence = a.sequence WHERE e.declares_error = 0)"
    );
    let duplicates =
        "(SELECT count(*) FROM capture_duplicates AS d WHERE d.job = (SELECT job FROM newest))";
    [
        Statement {
            text: dialect.expect(&named, duplicates, &namesakes),
            values: vec![
                job.expected.duplicates.into(),
                job.expected.namesakes.into(),
            ],
        },
        Statement {
            text: format!(
                "SELECT (SELECT count(*) FROM events WHERE sequence > c.before) AS stored {newest}"
            ),
            values: Vec::new(),
        },
    ]
}

/// What became of a batch, by the rows of its statements.
///
/// # Errors
/// [`ErrorKind::Internal`] where the events that are stored now and those that were before are not all of them, which the
/// transaction excludes.
pub(super) fn appended(
    batch: &Batch,
    job: &NewJob,
    rows: Vec<AppendedRow>,
) -> Result<Receipt, Error> {
    let (mut number, mut time, mut stored) = (None, None, None);
    for row in rows {
        number = row.job.or(number);
        time = row.time.or(time);
        stored = row.stored.or(stored);
    }
    let stored = required(stored, "number of stored events")?;
    let known = job.expected.duplicates as u64;
    if stored + known != batch.events.len() as u64 {
        let count = batch.events.len();
        let detail = format!("{stored} events stored and {known} known, of {count}");
        return Err(Error::new(ErrorKind::Internal { detail }));
    }
    Ok(Receipt {
        job: required(number, "number of the job")?,
        record_time: Timestamp::from_milliseconds(required(time, "time of the job")?),
    })
}

/// Whether the texts of a field are kept as terms; others have a column, or no index.
pub(super) fn is_indexed(field: Field) -> bool {
    (field as u8) < Field::EventType as u8
}

/// The number under which a name is looked up: 52 bits of its SHA-256, which any reader of numbers holds.
/// Names that share one are told apart by the predicate.
pub(super) fn name_key(name: &str) -> u64 {
    let digest = Sha256::digest(name.as_bytes());
    let start = digest.iter().take(8);
    start.fold(0, |number: u64, byte| (number << 8) | u64::from(*byte)) >> 12
}

/// Statements over a list of rows.
#[derive(Debug)]
pub(super) struct ListStatements {
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

impl ListStatements {
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
pub(super) struct Rows {
    over: Vec<Over>,
    /// The row that is being written.
    row: Vec<u8>,
    list: String,
    done: Vec<String>,
}

impl Rows {
    pub(super) fn new(text: String, others: &[&str]) -> Self {
        Self {
            over: vec![Over::new(text, others)],
            row: Vec::new(),
            list: String::new(),
            done: Vec::new(),
        }
    }

    /// One more statement over the same lists.
    fn also(&mut self, text: String, others: &[&str]) {
        self.over.push(Over::new(text, others));
    }

    /// Adds a row, which is a list.
    pub(super) fn push(&mut self, row: &impl Serialize) -> Result<(), Error> {
        self.row.clear();
        serde_json::to_writer(&mut self.row, row).map_err(internal)?;
        let row = str::from_utf8(&self.row).map_err(internal)?;
        let is_full = !self.list.is_empty() && self.list.len() + row.len() > CHUNK;
        let mut list = std::mem::take(&mut self.list);
        if is_full {
            self.done.push(list + "]");
            list = String::new();
        }
        list.push(if list.is_empty() { '[' } else { ',' });
        list.push_str(row);
        self.list = list;
        Ok(())
    }

    pub(super) fn finish(mut self) -> Vec<ListStatements> {
        if !self.list.is_empty() {
            self.done.push(self.list + "]");
        }
        let over: Rc<[Over]> = self.over.into();
        let step = |list| ListStatements {
            over: Rc::clone(&over),
            list,
        };
        self.done.into_iter().map(step).collect()
    }
}

fn internal(error: impl ToString) -> Error {
    Error::new(ErrorKind::Internal {
        detail: error.to_string(),
    })
}
