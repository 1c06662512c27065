//! A batch of events as lists of rows, which [`statements`] store.

mod statements;
#[cfg(test)]
mod tests;

pub(super) use statements::{Statements, begun, ended, numbers_begin};

use super::binding::required;
use super::pieces::{PART, parts};
use super::rows::{Kind, List, RANGE, Rows, TERMS, ranges};
use data_encoding::HEXLOWER;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::hash::event_name;
use epcis_edge_core::query::{Collection, Facts, Field, MAX_LISTED, TimeField, index_key};
use epcis_edge_core::store::{AppendResult, Batch, Identity, NewEvent, NewJob, Receipt};
use epcis_edge_core::time::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The result of a batch: [`AppendResult::Unexpected`] if the transaction aborted because more was stored than expected.
///
/// # Errors
/// All other faults.
pub fn appending(appended: Result<Receipt, Error>) -> Result<AppendResult, Error> {
    match appended {
        Ok(receipt) => Ok(AppendResult::Done(receipt)),
        Err(error) => match error.kind() {
            ErrorKind::Overtaken { .. } => Ok(AppendResult::Unexpected),
            _ => Err(error),
        },
    }
}

/// A row of the statements that append: the number of a capture, or the number and the time of a job.
#[derive(Debug, Default, Deserialize)]
pub struct AppendedRow {
    pub(super) capture: Option<u64>,
    job: Option<u64>,
    time: Option<u64>,
}

/// A SHA-256 over the identity of an event, in hexadecimal: two events with the same one are the same event.
pub(super) fn identity_of(event: &NewEvent) -> String {
    let Identity { stamped_hash, declaration, captured_by, who } = &event.identity;
    // The lengths mark where each text ends, whatever it contains.
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

/// The rows of the events of a batch, in the order in which they are stored.
///
/// **Limits**: every list is shorter than 2 MB, however long the events are.
///
/// # Errors
/// An event that cannot be read. A prepared event always can.
pub(super) fn lists<'b>(
    batch: &'b Batch,
    job: &'b NewJob,
) -> impl Iterator<Item = Result<List, Error>> + 'b {
    let ranges = ranges(&batch.events, |event| event.event.len());
    ranges.flat_map(move |(first, events)| {
        let placed: Result<Vec<Placed<'_>>, Error> = (first..)
            .zip(events)
            .map(|(position, event)| {
                let identity = identity_of(event);
                Ok(Placed {
                    position,
                    event,
                    key: name_key(&identity),
                    identity,
                    is_alias: job.aliases.binary_search(&position).is_ok(),
                    facts: event.facts()?,
                })
            })
            .collect();
        let (events, error) = match placed {
            Ok(events) => (events, None),
            Err(error) => (Vec::new(), Some(Err(error))),
        };
        let range = Range { events };
        // One kind of rows after the other: all at once would take too much memory.
        let portions = (0..range.portions()).map(Step::Parts);
        let steps = [Step::Events, Step::Aliases].into_iter().chain(portions);
        let steps = steps.chain([Step::Terms, Step::Values]);
        let lists = steps.flat_map(move |step| match range.rows(step) {
            Ok(lists) => lists.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        });
        error.into_iter().chain(lists)
    })
}

/// A step that makes rows of one kind.
#[derive(Clone, Copy, Debug)]
enum Step {
    Events,
    Aliases,
    /// A portion of the texts of the events, by its number: [`PORTION`] parts of each. A long text at once would be in memory twice.
    Parts(usize),
    Terms,
    Values,
}

/// How many parts of an event are written at a time: at least all parts of an event in a range of several.
const PORTION: usize = RANGE.div_ceil(PART);

/// A range of the events of a batch.
struct Range<'b> {
    events: Vec<Placed<'b>>,
}

/// An event with the data for its rows. It holds the facts only while the rows are written.
struct Placed<'b> {
    /// Its place in the document.
    position: usize,
    event: &'b NewEvent,
    /// The number under which the identity is looked up.
    key: u64,
    identity: String,
    /// Whether its name is stored as an alias of the same event.
    is_alias: bool,
    facts: Facts,
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
    fn rows(&self, step: Step) -> Result<Vec<List>, Error> {
        match step {
            Step::Events => self.events(),
            Step::Aliases => self.aliases(),
            Step::Parts(portion) => self.parts(portion),
            Step::Terms => self.terms(),
            Step::Values => self.values(),
        }
    }

    /// The number of portions of the texts: one if there are several events.
    fn portions(&self) -> usize {
        let parts =
            |placed: &Placed<'_>| parts(&placed.event.event, placed.event.record_time_at).count();
        let most = self.events.iter().map(parts).max();
        most.unwrap_or_default().div_ceil(PORTION)
    }

    fn events(&self) -> Result<Vec<List>, Error> {
        let mut rows = Rows::new(Kind::Events);
        for placed in &self.events {
            let Placed { position, event, key, identity, facts, .. } = placed;
            let word = |field| Cell::Maybe(facts.first(field).map(index_key));
            let event_time = facts.time(TimeField::EventTime);
            let event_time = event_time.map_or_else(String::new, |time| time.to_sortable());
            let content_hash = event.content_hash.to_string();
            // Whether its name is not its own hash: then another event may have the same name.
            let name = event.event_id.as_str();
            let is_named = name != content_hash && name != event.identity.stamped_hash.to_string();
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
                Cell::Number(u64::from(is_named)),
            ])?;
        }
        Ok(rows.finish())
    }

    /// The aliases: other names of events that are stored already or come earlier in the batch.
    fn aliases(&self) -> Result<Vec<List>, Error> {
        let mut rows = Rows::new(Kind::Aliases);
        for placed in self.events.iter().filter(|placed| placed.is_alias) {
            let name = placed.event.event_id.as_str();
            let key = name_key(&event_name(name));
            rows.push(&(placed.key, &placed.identity, key, name))?;
        }
        Ok(rows.finish())
    }

    fn parts(&self, portion: usize) -> Result<Vec<List>, Error> {
        let mut rows = Rows::new(Kind::Parts);
        for placed in &self.events {
            let parts = parts(&placed.event.event, placed.event.record_time_at).enumerate();
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

    fn terms(&self) -> Result<Vec<List>, Error> {
        let mut rows = Rows::new(Kind::Terms);
        for placed in &self.events {
            let terms = placed.facts.terms.iter().filter(|term| is_indexed(term.field));
            let terms = terms.map(|term| (term.field as u8, index_key(&term.value)));
            // Some at a time: all terms of one long event would take more memory than all rows.
            let mut terms = terms.peekable();
            while terms.peek().is_some() {
                let some: Vec<_> = terms.by_ref().take(TERMS).collect();
                rows.push(&(placed.key, placed.position, some))?;
            }
        }
        Ok(rows.finish())
    }

    /// The values that the collections list, each once.
    fn values(&self) -> Result<Vec<List>, Error> {
        let terms = self.events.iter().flat_map(|placed| &placed.facts.terms);
        let values: BTreeSet<(u8, Cow<'_, str>)> = terms
            .filter_map(|term| {
                let collection = Collection::of(term.field)?;
                let value = index_key(&term.value);
                // A longer value is indexed by its start and a digest, which should not appear in a list.
                (value.len() <= MAX_LISTED).then_some((collection as u8, value))
            })
            .collect();
        let mut rows = Rows::new(Kind::Values);
        for value in &values {
            rows.push(value)?;
        }
        Ok(rows.finish())
    }
}

/// The time of the request for a capture, in milliseconds since 1970: the earliest possible `recordTime`.
fn milliseconds(batch: &Batch) -> u64 {
    let time = batch.record_time;
    u64::try_from(time.seconds()).unwrap_or_default() * 1000
        + u64::from(time.nanoseconds() / 1_000_000)
}

/// The result of a batch, from the rows of its statements.
///
/// # Errors
/// [`ErrorKind::Internal`] if the job is missing, which the transaction rules out.
pub fn appended(rows: impl IntoIterator<Item = AppendedRow>) -> Result<Receipt, Error> {
    let (mut number, mut time) = (None, None);
    for row in rows {
        number = row.job.or(number);
        time = row.time.or(time);
    }
    Ok(Receipt {
        job: required(number, "number of the job")?,
        record_time: Timestamp::from_milliseconds(required(time, "time of the job")?),
    })
}

/// Whether the texts of a field are stored as terms. Other fields have a column, or no index.
pub(super) fn is_indexed(field: Field) -> bool {
    (field as u8) < Field::EventType as u8
}

/// The number under which a name is looked up: 52 bits of its SHA-256, which a double represents exactly.
/// The predicate distinguishes names that share a number.
pub(super) fn name_key(name: &str) -> u64 {
    let digest = Sha256::digest(name.as_bytes());
    let start = digest.iter().take(8);
    start.fold(0, |number: u64, byte| (number << 8) | u64::from(*byte)) >> 12
}
