//! The search for events of a batch that are stored already, and for stored events by their numbers.

use super::append::{identity_of, name_key};
use super::select::{ALIASES, SelectedRow, events_of};
use super::{Dialect, Statement, Value};
use epcis_edge_core::error::Error;
use epcis_edge_core::hash::event_name;
use epcis_edge_core::store::{
    AlreadyStored, Batch, KnownEvent, MAX_NAMESAKES, Namesake, StoredEvent,
};
use serde::Deserialize;

/// How many events are looked up at a time: their rows together stay below the limit of a bound value.
const ASKED: usize = 5000;

/// The query for the stored events with given identities. `?1` is a list of rows: position, key of the identity, identity.
const SAME_EVENTS: &str = "SELECT CAST(j.value ->> 0 AS INTEGER) AS position, e.sequence, e.event_id, e.content_hash FROM json_each(?1) AS j \
                           CROSS JOIN events AS e WHERE e.identity_key = CAST(j.value ->> 1 AS BIGINT) AND e.identity = j.value ->> 2";

/// The statements that find the events of a batch that an account has stored already, and its other events with the same names. Each
/// returns rows for [`known`].
#[must_use]
pub fn look_up(dialect: Dialect, batch: &Batch, account: &str) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut first = 0;
    for events in batch.events.chunks(ASKED) {
        let rows: Vec<_> = (first..)
            .zip(events)
            .map(|(position, event)| {
                let identity = identity_of(event);
                let name = event_name(&event.event_id);
                let name = (!event.identity.declares_error()).then(|| name_key(&name));
                (position, name_key(&identity), identity, name)
            })
            .collect();
        first += events.len();
        let list = serde_json::json!(rows).to_string();
        statements.push(Statement {
            text: SAME_EVENTS.to_owned(),
            values: vec![Value::Text(list.clone())],
        });
        statements.push(Statement {
            text: dialect.namesakes(),
            values: vec![Value::Text(list), account.into(), (MAX_NAMESAKES + 1).into()],
        });
    }
    statements
}

/// A row of [`look_up`]: the same event, or another one with the same name.
#[derive(Debug, Deserialize)]
pub struct KnownRow {
    position: usize,
    sequence: u64,
    event_id: Option<String>,
    content_hash: Option<String>,
    who: Option<String>,
}

/// The stored events and namesakes of a batch, from the rows of [`look_up`].
///
/// # Errors
/// [`ErrorKind::CaptureTooComplex`](epcis_edge_core::error::ErrorKind::CaptureTooComplex) if there are more than [`MAX_NAMESAKES`] namesakes.
pub fn known(rows: impl IntoIterator<Item = KnownRow>) -> Result<AlreadyStored, Error> {
    let mut known = AlreadyStored::default();
    for row in rows {
        let (position, sequence) = (row.position, row.sequence);
        match (row.event_id, row.content_hash) {
            (Some(event_id), Some(content_hash)) => {
                known.events.push(KnownEvent { position, sequence, event_id, content_hash })
            }
            _ => known.namesakes.push(Namesake { position, sequence, who: row.who }),
        }
    }
    if known.namesakes.len() > MAX_NAMESAKES {
        return Err(Error::capture_too_complex(
            MAX_NAMESAKES,
            "matches of eventIDs with stored events, expected several smaller documents",
        ));
    }
    known.events.sort_by_key(|event| event.position);
    Ok(known)
}

/// The statement that finds stored events by their numbers: see `Events::numbered` of the core.
#[must_use]
pub fn numbered(dialect: Dialect, sequences: &[u64], bytes: usize) -> Statement {
    let is_asked = dialect.has_number("e.sequence", "?1");
    Statement {
        text: format!(
            "WITH page AS (SELECT e.sequence, e.content_hash, e.captured_by, e.bytes, \
             sum(e.bytes) OVER (ORDER BY e.sequence ROWS UNBOUNDED PRECEDING) - e.bytes AS before \
             FROM events AS e WHERE {is_asked}) \
             SELECT p.sequence, p.content_hash, p.captured_by, p.bytes, coalesce(t.text, '') AS text, {ALIASES} AS aliases, 0 AS newest, 0 AS candidates \
             FROM page AS p {} WHERE p.before < ?2 ORDER BY p.sequence, t.piece",
            dialect.pieces_of_page()
        ),
        values: vec![Value::Text(serde_json::json!(sequences).to_string()), bytes.into()],
    }
}

/// The events that [`numbered`] found, from its rows.
///
/// # Errors
/// [`ErrorKind::Internal`](epcis_edge_core::error::ErrorKind::Internal) if a row cannot be read, or an event is not as long as it was when it was stored.
pub fn numbered_of(rows: Vec<SelectedRow>) -> Result<Vec<StoredEvent>, Error> {
    events_of(rows)
}
