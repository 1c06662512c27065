//! The rows that a capture stores, as JSON arrays of one kind each, short enough to be bound.

use epcis_edge_core::error::{Error, ErrorKind};
use serde::Serialize;

/// How many bytes of events are worked on at a time.
pub(super) const RANGE: usize = 700_000;

/// How long a bound JSON array grows, in bytes, but for its last row.
const CHUNK: usize = 900_000;

/// How many terms, attributes or children stand in one row of a bound JSON array.
pub(super) const TERMS: usize = 1000;

/// What a list of rows holds, in the order in which they are stored.
///
/// Closed: each engine has its statements for every one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Events: key of the identity, position, identity, and their columns.
    Events,
    /// Further names of events that are stored, or stand in the batch before: key of the identity, identity, key of the name, name.
    Aliases,
    /// Pieces of the texts of events: key of the identity, position, number of the piece, what stands before the `recordTime`, and
    /// where some of it stands there the place and number of its characters and what stands behind.
    Parts,
    /// Terms of events: key of the identity, position, list of fields and values.
    Terms,
    /// What collections list: collection, value.
    Values,
    /// Elements of master data: position, type, key and spellings of the identifier, attributes, children, digest.
    Elements,
    /// Attributes of elements: position, 0, list of names and values.
    Attributes,
    /// Children of elements: position, 0, list of identifiers, each a list of one.
    Children,
}

/// Rows of one kind.
#[derive(Debug)]
pub(super) struct List {
    pub(super) kind: Kind,
    /// A JSON array of rows.
    pub(super) rows: String,
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

/// Rows as JSON arrays, as many lists as it takes.
pub(super) struct Rows {
    kind: Kind,
    /// The row that is being written.
    row: Vec<u8>,
    list: String,
    done: Vec<String>,
}

impl Rows {
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            row: Vec::new(),
            list: String::new(),
            done: Vec::new(),
        }
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

    pub(super) fn finish(mut self) -> Vec<List> {
        if !self.list.is_empty() {
            self.done.push(self.list + "]");
        }
        let kind = self.kind;
        let list = |rows| List { kind, rows };
        self.done.into_iter().map(list).collect()
    }
}

fn internal(error: impl ToString) -> Error {
    Error::new(ErrorKind::Internal {
        detail: error.to_string(),
    })
}
