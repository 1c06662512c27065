//! What a store keeps of the transparency log.
//!
//! Why does the database keep commitments, not leaf hashes?
//! The entry bundles that go with the tiles are made of commitments. A leaf hash is the SHA-256 of a commitment, but a
//! commitment cannot be computed from its leaf hash.
//!
//! Why does each full tile keep its root?
//! The root of a tile is a hash in the tile above. Without it, a partial tile of level 1 would have to be computed from up to
//! 255 tiles, 2 MB, whenever the log grows.
//!
//! Why is the digest of an event's text not kept beside it?
//! The text gets its `recordTime` in the transaction that stores it, and SQLite has no SHA-256. Integration reads the texts of
//! the events without a leaf, some megabytes at a time.

use super::{Selection, StoredEvent};
use async_trait::async_trait;
use epcis_edge_log::{FullTile, Hash, Salt, Statement, Tile};
use epcis_edge_text::error::Error;
use std::ops::{Range, RangeInclusive};

/// The log. Leaves, full tiles and heads are appended, never changed, never removed; only a salt may be removed.
#[async_trait(?Send)]
pub trait Log {
    /// The newest head; `None` before the first.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn last_head(&self) -> Result<Option<Head>, Error>;

    /// The newest head that has a cosignature.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn last_cosigned_head(&self) -> Result<Option<Head>, Error>;

    /// The head of this size.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn head(&self, size: u64) -> Result<Option<Head>, Error>;

    /// Whether a head has one of these sizes.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn has_head(&self, sizes: RangeInclusive<u64>) -> Result<bool, Error>;

    /// The events after the last leaf, in the order of their numbers; at most `limit`.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn unlogged(&self, limit: usize) -> Result<Vec<Unlogged>, Error>;

    /// The hashes of tiles, one entry per tile, in their order; shorter than the tile's width if the log does not reach so far.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<Hash>>, Error>;

    /// The commitments of leaves, as many as exist.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn commitments(&self, leaves: Range<u64>) -> Result<Vec<Hash>, Error>;

    /// Appends leaves, tiles and a head, or nothing. Returns false if the previous head is no longer the newest.
    ///
    /// # Errors
    /// A fault of the storage; then nothing was appended.
    async fn extend(&self, extension: &Extension) -> Result<bool, Error>;

    /// The events of a selection with their leaves, and the newest head, all of one moment: the head covers all of these leaves.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn select_logged(&self, selection: &Selection<'_>) -> Result<Logged, Error>;

    /// The leaves of events, given by their numbers in ascending order, and the newest head, all of one moment; events without
    /// a leaf are left out.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn leaves(&self, sequences: &[u64]) -> Result<(Vec<(u64, Leaf)>, Option<Head>), Error>;

    /// Stores cosignatures of the head of a size, by the names of their keys. For each key, the first and the latest are kept.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn keep_cosignatures(&self, size: u64, lines: &[(String, String)]) -> Result<(), Error>;

    /// The newest head that a key has cosigned: its size, and the latest line of that key.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn last_cosigned_by(&self, name: &str) -> Result<Option<(u64, String)>, Error>;

    /// The last halt; nothing is signed until it has ended.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn last_halt(&self) -> Result<Option<Halt>, Error>;

    /// Records why nothing is signed from now on; if the log is halted already, that halt stays.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn halt(&self, halt: &Halt) -> Result<(), Error>;

    /// Ends the halt, at a time as in [`Halt::begun`]; the halt stays on record.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn resume(&self, at: &str) -> Result<(), Error>;

    /// The events that have no leaf yet.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn backlog(&self) -> Result<Backlog, Error>;

    /// The heads of these sizes, the smallest first.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn heads(&self, sizes: Range<u64>) -> Result<Vec<Head>, Error>;

    /// The events of these leaves as they are stored, in their order: as many as fit into a page, at least one. A leaf without
    /// a stored event is left out.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn logged_events(&self, leaves: Range<u64>) -> Result<Vec<LoggedEvent>, Error>;

    /// How many events are stored in the range of these leaves: after the event of the leaf before, up to that of the last.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn events_between(&self, leaves: Range<u64>) -> Result<u64, Error>;

    /// The copy of the newest head that is kept apart from the log; it may be older than the head.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn head_copy(&self) -> Result<Option<HeadCopy>, Error>;

    /// Keeps a copy of a head apart from the log.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn copy_head(&self, copy: &HeadCopy) -> Result<(), Error>;
}

/// An event as it is stored, with its leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedEvent {
    /// The leaf, counted from 0.
    pub leaf: u64,
    /// The number of the event.
    pub sequence: u64,
    /// The salt, unless it was removed.
    pub salt: Option<Salt>,
    /// The text of the event.
    pub event: String,
    /// The digest of its document.
    pub document: String,
}

/// How many bytes of events are read at once to make or check their leaves; the event that exceeds them is read, too.
pub const LOGGED_BYTES: usize = 8 << 20;

/// The number up to which events without a leaf are counted.
pub const MAX_BACKLOG: u64 = 1_000_000;

/// The events that have no leaf yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Their number, at most [`MAX_BACKLOG`].
    pub events: u64,
    /// The `recordTime` of the oldest.
    pub oldest: Option<String>,
}

/// A halt: from `begun` on nothing is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halt {
    /// Since when: `YYYY-MM-DDThh:mm:ss.nnnZ`.
    pub begun: String,
    /// The reason, in words.
    pub reason: String,
    /// When an operator ended it; `None` while it lasts.
    pub ended: Option<String>,
}

/// A head of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// How many leaves there are.
    pub size: u64,
    /// The root over them.
    pub root: Hash,
    /// The signed checkpoint.
    pub note: String,
    /// The first cosignature line of each key, in the order of the keys' names.
    pub cosignatures: Vec<String>,
    /// The latest line of each key.
    pub latest: Vec<String>,
}

impl Head {
    /// The checkpoint with the first cosignature of each witness: these date it.
    #[must_use]
    pub fn published(&self) -> String {
        [self.note.as_str(), &self.cosignatures.concat()].concat()
    }

    /// The checkpoint with the latest cosignature of each witness: these show that it is still the newest.
    #[must_use]
    pub fn fresh(&self) -> String {
        [self.note.as_str(), &self.latest.concat()].concat()
    }
}

/// A copy of a head, kept apart from the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadCopy {
    /// The origin of the log.
    pub origin: String,
    /// How many leaves there were.
    pub size: u64,
    /// The root over them.
    pub root: Hash,
}

/// An event that has no leaf yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unlogged {
    /// Its number.
    pub sequence: u64,
    /// Its text, as it is stored.
    pub event: String,
    /// The digest of its document.
    pub document: String,
}

impl Unlogged {
    /// The commitment of its leaf, with this salt.
    ///
    /// # Errors
    /// As [`Statement::of_stored`]; [`LogFault::Statement`](epcis_edge_text::error::LogFault::Statement).
    pub fn commitment(&self, salt: &Salt) -> Result<Hash, Error> {
        Ok(Statement::of_stored(&self.event, &self.document, salt)?.commitment(salt)?)
    }
}

/// The leaf of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its index, counted from 0.
    pub index: u64,
    /// Its salt, unless that was removed.
    pub salt: Option<Salt>,
    /// The commitment.
    pub commitment: Hash,
    /// The digest of the document that contained the event.
    pub document: String,
}

/// The events of a selection with their leaves.
#[derive(Clone, Debug)]
pub struct Logged {
    /// The events, in the order of the selection, each with its leaf if it has one yet.
    pub events: Vec<(StoredEvent, Option<Leaf>)>,
    /// The newest head; `None` before the first.
    pub head: Option<Head>,
}

/// A leaf on its way into the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLeaf {
    /// The number of the event.
    pub sequence: u64,
    /// Its salt.
    pub salt: Salt,
    /// The commitment to its statement.
    pub commitment: Hash,
}

/// An extension of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// The size of the previous head; `None` before the first.
    pub previous: Option<u64>,
    /// The new leaves; the index of the first is the number of earlier leaves.
    pub leaves: Vec<NewLeaf>,
    /// The tiles that became full.
    pub tiles: Vec<FullTile>,
    /// The head.
    pub head: Head,
}

impl Extension {
    /// How many leaves there were before.
    #[must_use]
    pub fn first(&self) -> u64 {
        self.previous.unwrap_or(0)
    }
}
