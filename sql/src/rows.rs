//! The rows that a capture stores, as JSON arrays of one kind each, short enough to be bound.

use epcis_edge_core::error::Error;
use serde::Serialize;

/// How many bytes of events are worked on at a time.
pub(super) const RANGE: usize = 700_000;

/// The most bytes of a bound JSON array, unless its only row is longer.
const CHUNK: usize = 900_000;

/// The most terms, attributes or children in one row of a bound JSON array.
pub(super) const TERMS: usize = 1000;

/// The kinds of rows, in the order in which they are stored.
///
/// Closed: there are statements for every kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Events: key of the identity, position, identity, and their columns.
    Events,
    /// Aliases of events that are stored already or come earlier in the batch: key of the identity, identity, key of the name, name.
    Aliases,
    /// Pieces of the texts of events: key of the identity, position, number of the piece, text before the `recordTime`. If the piece has
    /// a part of the `recordTime`: also the first character of this part, its length, and the text after it.
    Parts,
    /// Terms of events: key of the identity, position, list of fields and values.
    Terms,
    /// Values that collections list: collection, value.
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

/// The items of a list in ranges of at most [`RANGE`] bytes, each with the position of its first item. A longer item is a range of
/// its own.
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

/// Writes rows as JSON arrays, into as many lists as needed.
pub(super) struct Rows {
    kind: Kind,
    /// The row that is being written.
    row: Vec<u8>,
    list: String,
    done: Vec<String>,
}

impl Rows {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, row: Vec::new(), list: String::new(), done: Vec::new() }
    }

    /// Adds a row, which must serialise to an array.
    pub(super) fn push(&mut self, row: &impl Serialize) -> Result<(), Error> {
        self.row.clear();
        serde_json::to_writer(&mut self.row, row).map_err(Error::impossible)?;
        let row = str::from_utf8(&self.row).map_err(Error::impossible)?;
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
