//! The SQL of the transparency log. Bytes go in and out in hexadecimal: as blobs they would come back as arrays of numbers.

mod accounts;
mod check;
mod copy;
mod state;

pub use accounts::{
    BareLeafRow, DocumentRow, SpanRow, backlog_after, bare_leaves, bare_leaves_in, bare_leaves_of,
    count_between, documents_at, documents_of, events_after, events_at, grew, grown, logged_spans,
    spans_of,
};
pub use check::{LoggedRow, events_between, heads, logged_events, logged_events_of};
pub use copy::{copy_of, copy_text};
pub use state::{
    BacklogRow, CosignedRow, HaltRow, backlog, halt, keep_cosignatures, last_cosigned_by,
    last_halt, resume,
};

use super::{Dialect, Part, SelectedRow, Statement, Value, Wide, select, selected};
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use epcis_edge_core::error::Error;
use epcis_edge_core::log::{Hash, Salt, TILE_WIDTH, Tile, leaf_of};
use epcis_edge_core::store::{Extension, Head, Leaf, Logged, Selection, Unlogged};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

fn broken(what: &str) -> Error {
    Error::impossible(format!("the {what} of the log cannot be read"))
}

/// The hashes in a text of hexadecimal digits.
fn hashes(text: &str) -> Result<Vec<Hash>, Error> {
    let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).map_err(|_| broken("hashes"))?;
    let (hashes, rest) = bytes.as_chunks::<32>();
    if rest.is_empty() { Ok(hashes.to_vec()) } else { Err(broken("hashes")) }
}

fn one_hash(text: &str) -> Result<Hash, Error> {
    match hashes(text)?.as_slice() {
        [hash] => Ok(*hash),
        _ => Err(broken("hash")),
    }
}

/// The statement that finds heads `h` of the log. `condition` is the text after `WHERE`.
fn heads_where(values: Vec<Value>, condition: &str) -> Statement {
    let lines = |line: &str| {
        format!(
            "(SELECT json_group_array(line) FROM (SELECT {line} FROM log_cosignatures AS c WHERE size = h.size ORDER BY name) AS l)"
        )
    };
    let (first, latest) = (lines("line"), lines("coalesce(latest, line) AS line"));
    Statement {
        text: format!(
            "SELECT h.size, lower(hex(h.root)) AS root, h.note, {first} AS cosignatures, {latest} AS latest \
             FROM log_heads AS h WHERE {condition}"
        ),
        values,
    }
}

/// The statement that finds the newest head.
#[must_use]
pub fn last_head() -> Statement {
    heads_where(Vec::new(), "h.size = (SELECT max(size) FROM log_heads AS n)")
}

/// The statement that finds the newest head that has a cosignature.
#[must_use]
pub fn last_cosigned_head() -> Statement {
    heads_where(Vec::new(), "h.size = (SELECT max(size) FROM log_cosignatures AS n)")
}

/// The statement that finds the head of a size.
#[must_use]
pub fn head(size: u64) -> Statement {
    heads_where(vec![size.into()], "h.size = ?1")
}

/// A row of [`last_head`], [`last_cosigned_head`] and [`head`].
#[derive(Debug, Deserialize)]
pub struct HeadRow {
    size: u64,
    root: String,
    note: String,
    cosignatures: String,
    latest: String,
}

impl TryFrom<HeadRow> for Head {
    type Error = Error;

    fn try_from(row: HeadRow) -> Result<Self, Error> {
        let lines = |text: &str| {
            let lines: Result<Vec<String>, _> = serde_json::from_str(text);
            lines.map_err(|_| broken("cosignatures"))
        };
        Ok(Self {
            size: row.size,
            root: one_hash(&row.root)?,
            cosignatures: lines(&row.cosignatures)?,
            latest: lines(&row.latest)?,
            note: row.note,
        })
    }
}

/// The statement that finds a head with one of these sizes.
#[must_use]
pub fn has_head(sizes: &RangeInclusive<u64>) -> Statement {
    Statement {
        text: "SELECT size FROM log_heads AS h WHERE size BETWEEN ?1 AND ?2 LIMIT 1".to_owned(),
        values: vec![(*sizes.start()).into(), (*sizes.end()).into()],
    }
}

/// A row with a size.
#[derive(Debug, Deserialize)]
pub struct SizeRow {
    /// The size.
    pub size: u64,
}

/// The statement that finds the events after the last leaf, with a row for every piece of their texts. Only the last event may
/// exceed `bytes`.
#[must_use]
pub fn unlogged(dialect: Dialect, limit: usize, bytes: usize) -> Statement {
    let found = "SELECT sequence, document, bytes FROM events \
                 WHERE sequence > (SELECT coalesce(max(sequence), 0) FROM log_leaves) ORDER BY sequence LIMIT ?1";
    Statement { text: texts_of(dialect, found, "?2"), values: vec![limit.into(), bytes.into()] }
}

/// The text of a statement that finds the texts of events, with a row for every piece. `found` is a query for them. Only the last event
/// may exceed `bytes`.
fn texts_of(dialect: Dialect, found: &str, bytes: &str) -> String {
    format!(
        "SELECT p.sequence, p.document, t.text FROM (\
         SELECT e.sequence, e.document, sum(e.bytes) OVER (ORDER BY e.sequence ROWS UNBOUNDED PRECEDING) - e.bytes AS before \
         FROM ({found}) AS e) AS p {} WHERE p.before < {bytes} ORDER BY p.sequence, t.piece",
        dialect.pieces_of_page()
    )
}

/// A row of [`unlogged`]: a piece of an event.
#[derive(Debug, Deserialize)]
pub struct UnloggedRow {
    sequence: u64,
    document: String,
    text: String,
}

/// The events that [`unlogged`] found.
#[must_use]
pub fn unlogged_of(rows: Vec<UnloggedRow>) -> Vec<Unlogged> {
    let mut events: Vec<Unlogged> = Vec::new();
    for row in rows {
        match events.last_mut() {
            Some(event) if event.sequence == row.sequence => event.event.push_str(&row.text),
            _ => events.push(Unlogged {
                sequence: row.sequence,
                event: row.text,
                document: row.document,
            }),
        }
    }
    events
}

/// The statement that finds the hashes of a tile, in one row.
#[must_use]
pub fn tile(tile: &Tile) -> Statement {
    let Tile { level, number, width } = *tile;
    if width == TILE_WIDTH {
        return Statement {
            text:
                "SELECT hex(hashes) AS hashes FROM log_tiles AS t WHERE level = ?1 AND number = ?2"
                    .to_owned(),
            values: vec![u64::from(level).into(), number.into()],
        };
    }
    let first = number.saturating_mul(TILE_WIDTH.into());
    let end = first.saturating_add(width.into());
    if level == 0 {
        return commitments(&(first..end));
    }
    Statement {
        text: "SELECT coalesce(string_agg(hex(root), '' ORDER BY number), '') AS hashes FROM log_tiles AS t \
               WHERE level = ?1 AND number >= ?2 AND number < ?3"
            .to_owned(),
        values: vec![u64::from(level - 1).into(), first.into(), end.into()],
    }
}

/// The statement that finds the commitments of leaves, in one row.
#[must_use]
pub fn commitments(leaves: &Range<u64>) -> Statement {
    Statement {
        text: "SELECT coalesce(string_agg(hex(commitment), '' ORDER BY leaf), '') AS hashes FROM log_leaves AS l \
               WHERE leaf >= ?1 AND leaf < ?2"
            .to_owned(),
        values: vec![leaves.start.into(), leaves.end.into()],
    }
}

/// A row of [`tile`] and [`commitments`].
#[derive(Debug, Deserialize)]
pub struct HashesRow {
    hashes: String,
}

/// The hashes of rows.
///
/// # Errors
/// [`ErrorKind::Internal`](epcis_edge_core::error::ErrorKind::Internal) if they are not hashes.
pub fn hashes_of(rows: &[HashesRow]) -> Result<Vec<Hash>, Error> {
    let mut all = Vec::new();
    for row in rows {
        all.extend(hashes(&row.hashes)?);
    }
    Ok(all)
}

/// The hashes of a tile, from the rows of its statement.
///
/// # Errors
/// As [`hashes_of`].
pub fn tile_of(tile: &Tile, rows: &[HashesRow]) -> Result<Vec<Hash>, Error> {
    let hashes = hashes_of(rows)?;
    Ok(if tile.level == 0 && tile.width < TILE_WIDTH {
        hashes.iter().map(leaf_of).collect()
    } else {
        hashes
    })
}

/// The statements that extend the log, to be run as one transaction, in this order.
#[must_use]
pub fn extend(extension: &Extension) -> Vec<Statement> {
    let rows = |rows: Vec<serde_json::Value>| Value::Text(json!(rows).to_string());
    let leaves = (extension.first()..).zip(&extension.leaves).map(|(at, leaf)| {
        json!([at, leaf.sequence, HEXLOWER.encode(&leaf.salt), HEXLOWER.encode(&leaf.commitment)])
    });
    let leaves: Vec<_> = leaves.collect();
    let mut statements = Vec::new();
    if !leaves.is_empty() {
        statements.push(Statement {
            text: "INSERT INTO log_leaves (leaf, sequence, salt, commitment) SELECT CAST(value ->> 0 AS BIGINT), \
                   CAST(value ->> 1 AS BIGINT), unhex(value ->> 2), unhex(value ->> 3) FROM json_each(?1) ORDER BY key"
                .to_owned(),
            values: vec![rows(leaves)],
        });
    }
    for tile in &extension.tiles {
        statements.push(Statement {
            text: "INSERT INTO log_tiles (level, number, root, hashes) VALUES (?1, ?2, unhex(?3), unhex(?4))".to_owned(),
            values: vec![
                u64::from(tile.level).into(),
                tile.number.into(),
                Value::Text(HEXLOWER.encode(&tile.root)),
                Value::Text(HEXLOWER.encode(&tile.hashes.concat())),
            ],
        });
    }
    let Head { size, root, note, .. } = &extension.head;
    let previous = extension.previous.map_or(Value::Integer(-1), Value::from);
    statements.push(Statement {
        text: "INSERT INTO log_heads (size, root, note, previous) VALUES (?1, unhex(?2), ?3, ?4)"
            .to_owned(),
        values: vec![
            (*size).into(),
            Value::Text(HEXLOWER.encode(root)),
            note.as_str().into(),
            previous,
        ],
    });
    statements
}

/// The statement that finds the leaves of events. `found` is a query for their numbers, with a column `sequence`.
fn leaves_of(found: &str, values: Vec<Value>) -> Statement {
    Statement {
        text: format!(
            "WITH found AS MATERIALIZED ({found}) \
             SELECT l.leaf, lower(hex(l.salt)) AS salt, lower(hex(l.commitment)) AS commitment, e.sequence, e.document \
             FROM found AS f CROSS JOIN log_leaves AS l CROSS JOIN events AS e \
             WHERE l.sequence = f.sequence AND e.sequence = l.sequence ORDER BY e.sequence"
        ),
        values,
    }
}

/// The statements that find the leaves of events by their numbers, and the newest head, to be run as one transaction.
#[must_use]
pub fn leaves(sequences: &[u64]) -> [Statement; 2] {
    let numbers = vec![Value::Text(json!(sequences).to_string())];
    let found = "SELECT CAST(value AS BIGINT) AS sequence FROM json_each(?1)";
    [leaves_of(found, numbers), last_head()]
}

/// The leaves that [`leaves`] found, each with the number of its event.
///
/// # Errors
/// [`ErrorKind::Internal`](epcis_edge_core::error::ErrorKind::Internal) if a row cannot be read.
pub fn leaves_by_number(rows: Vec<LeafRow>) -> Result<Vec<(u64, Leaf)>, Error> {
    let rows = rows.into_iter();
    rows.map(|row| Ok((row.sequence, row.leaf()?))).collect()
}

/// The statements that find the events of a selection, their leaves, and the newest head, to be run as one transaction.
#[must_use]
pub fn select_logged(dialect: Dialect, selection: &Selection<'_>, wide: &Wide) -> [Statement; 3] {
    let events = select(dialect, selection, wide, Part::default());
    let found = format!("SELECT DISTINCT sequence FROM ({}) AS selected", events.text);
    let leaves = leaves_of(&found, events.values.clone());
    [events, leaves, last_head()]
}

/// The result of [`select_logged`], from the rows of its statements.
///
/// # Errors
/// [`ErrorKind::Internal`](epcis_edge_core::error::ErrorKind::Internal) if a row cannot be read.
pub fn logged(
    selection: &Selection<'_>,
    events: Vec<SelectedRow>,
    leaves: Vec<LeafRow>,
    head: Option<Head>,
) -> Result<Logged, Error> {
    let leaves = leaves.into_iter().map(|row| (row.sequence, row));
    let mut leaves: BTreeMap<u64, LeafRow> = leaves.collect();
    let events = selected(selection, events)?.events.into_iter();
    let events = events.map(|event| {
        let leaf = leaves.remove(&event.sequence);
        let leaf = leaf.map(LeafRow::leaf).transpose()?;
        Ok((event, leaf))
    });
    Ok(Logged { events: events.collect::<Result<_, Error>>()?, head })
}

/// A row of the leaves of [`select_logged`] and [`leaves`].
#[derive(Debug, Deserialize)]
pub struct LeafRow {
    leaf: u64,
    salt: String,
    commitment: String,
    sequence: u64,
    document: String,
}

impl LeafRow {
    /// The leaf of an event.
    fn leaf(self) -> Result<Leaf, Error> {
        let salt: Option<Salt> = match self.salt.as_str() {
            "" => None,
            salt => Some(one_hash(salt)?),
        };
        Ok(Leaf {
            index: self.leaf,
            salt,
            commitment: one_hash(&self.commitment)?,
            document: self.document,
        })
    }
}
