//! What a store must do, and the store that lives in memory.
//!
//! A store keeps and finds; it never validates, hashes or gives names.
//! It may narrow a selection by whatever index it has and hand out too much: the predicate decides, above the store.

mod ended;
mod job;
mod key;
mod log;
mod master_data;
mod memory;

pub use ended::{EndedLog, EndedLogs, WhichLog};
pub use job::{CaptureId, ErrorBehaviour, Expected, JobEvents, NewJob, StoredJob};
pub use key::{Bearer, Key};
pub use log::{
    Backlog, Extension, Halt, Head, HeadCopy, Leaf, Log, Logged, LoggedEvent, MAX_BACKLOG, NewLeaf,
    Unlogged,
};
pub use master_data::{IdentifierSelection, MAX_LOOKED_AT, MasterData, NewElement, Sought};
pub use memory::MemoryStore;

use crate::error::{Error, ErrorKind};
use crate::hash::EventHash;
use crate::json::Document;
use crate::query::{Collection, Cursor, Facts, Order, Predicate};
use crate::time::Timestamp;
use data_encoding::HEXLOWER;
use std::fmt;
use std::rc::Rc;

/// The events: appended, never changed, never removed.
#[expect(
    async_fn_in_trait,
    reason = "workers have one thread: nobody needs the future to be Send"
)]
pub trait Events {
    /// Appends all events of a capture and its job, or none of them.
    ///
    /// An event whose [`Identity`] is stored already is not appended, and neither is the second of two in the same batch.
    /// Here the events get their numbers and their `recordTime`, in one order: neither ever goes back.
    ///
    /// # Errors
    /// A fault of the storage; then nothing was appended.
    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Appending, Error>;

    /// What is stored already of a batch of one account: its events, and others that have the names of its events.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn known(&self, batch: &Batch, account: &str) -> Result<Known, Error>;

    /// Stored events by their numbers, in the order of these: as many as fit into so many bytes, the first one always.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn numbered(&self, sequences: &[u64], bytes: usize) -> Result<Vec<StoredEvent>, Error>;

    /// The events of a selection, in its order: all that match, and perhaps others.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn select(&self, selection: &Selection<'_>) -> Result<Selected, Error>;
}

/// The documents as they were received, each under its SHA-256.
#[expect(
    async_fn_in_trait,
    reason = "workers have one thread: nobody needs the future to be Send"
)]
pub trait Documents {
    /// Keeps a document; one that is kept already stays.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn keep(&self, digest: &DocumentDigest, document: &[u8]) -> Result<(), Error>;

    /// The document of a digest, if it was kept.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error>;
}

/// The capture keys.
#[expect(
    async_fn_in_trait,
    reason = "workers have one thread: nobody needs the future to be Send"
)]
pub trait Keys {
    /// The key of an identifier, revoked or not.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn key(&self, id: &str) -> Result<Option<Key>, Error>;
}

/// The capture jobs: appended with the events of their captures, never changed, never removed.
#[expect(
    async_fn_in_trait,
    reason = "workers have one thread: nobody needs the future to be Send"
)]
pub trait Jobs {
    /// The jobs of an account with numbers below `before`, the newest first; at most `limit`.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn jobs(
        &self,
        account: &str,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<StoredJob>, Error>;

    /// The names of the events of a job, at most `limit` of those that it stored and as many of those that it repeats.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn job_events(
        &self,
        account: &str,
        number: u64,
        limit: usize,
    ) -> Result<JobEvents, Error>;
}

/// The values that events have, for lists of them.
#[expect(
    async_fn_in_trait,
    reason = "workers have one thread: nobody needs the future to be Send"
)]
pub trait Values {
    /// The values of a collection in normal form, each once, in the order of their bytes.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn values(&self, selection: &ValueSelection<'_>) -> Result<Listed, Error>;
}

/// The named queries: the only thing here that callers may remove.
#[expect(
    async_fn_in_trait,
    reason = "workers have one thread: nobody needs the future to be Send"
)]
pub trait Queries {
    /// Keeps a query of an account, unless it has one of this name, or `limit` of them.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn put_query(
        &self,
        account: &str,
        query: &NamedQuery,
        limit: usize,
    ) -> Result<QueryPut, Error>;

    /// The query of an account with this name.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn query_named(&self, account: &str, name: &str) -> Result<Option<NamedQuery>, Error>;

    /// The queries of an account behind a name, in the order of the bytes of their names; at most `limit`.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn queries(
        &self,
        account: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<NamedQuery>, Error>;

    /// Removes a query of an account; whether there was one.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn remove_query(&self, account: &str, name: &str) -> Result<bool, Error>;
}

/// Everything that the operations need.
pub trait Store:
    Events + Documents + Keys + Jobs + Values + Queries + Log + EndedLogs + MasterData
{
}

impl<S: Events + Documents + Keys + Jobs + Values + Queries + Log + EndedLogs + MasterData> Store
    for S
{
}

/// A query that an account has given a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedQuery {
    /// The name.
    pub name: String,
    /// Its parameters, as the text of a JSON object.
    pub query: String,
}

/// What became of a query that was to be kept.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryPut {
    /// It is kept.
    Added,
    /// There is one of its name.
    Exists,
    /// There are as many as are kept.
    Full,
}

/// Which values are wanted.
#[derive(Clone, Copy, Debug)]
pub struct ValueSelection<'q> {
    /// Of what.
    pub collection: Collection,
    /// The accounts whose events are in scope; `None` where all are.
    pub accounts: Option<&'q [&'q str]>,
    /// Only those behind this place: see [`Listed::next`].
    pub after: Option<&'q str>,
    /// How many at most.
    pub limit: usize,
}

/// Values that were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// In the order of their bytes.
    pub values: Vec<String>,
    /// Behind which value there may be more, whether that is one of these or not: a store may end before it has found so many as
    /// were wanted, where it has looked at much. None where there are no more.
    pub next: Option<String>,
}

impl Listed {
    /// What was found where so many were wanted; `ended_at` is the value at which a store ended before.
    #[must_use]
    pub fn of(values: Vec<String>, wanted: usize, ended_at: Option<String>) -> Self {
        let last = values.last().filter(|_| values.len() >= wanted).cloned();
        Self {
            next: ended_at.or(last),
            values,
        }
    }
}

/// The SHA-256 of a document as it was received.
///
/// **Shape**: printed as 64 lower-case hexadecimal digits.
///
/// # Example
/// ```
/// use epcis_edge_core::store::DocumentDigest;
/// let digest = DocumentDigest::of(b"");
/// assert_eq!(digest.to_string(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentDigest([u8; 32]);

impl DocumentDigest {
    /// The digest of a document.
    #[must_use]
    pub fn of(document: &[u8]) -> Self {
        use sha2::Digest as _;
        Self(sha2::Sha256::digest(document).into())
    }
}

impl fmt::Display for DocumentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

/// What makes an event the same as one that is stored.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    /// The hash of the event as it is stored; it leaves the error declaration out.
    pub stamped_hash: EventHash,
    /// The error declaration in normal form: its time, its reason and its corrective events. `None` where there is none.
    pub declaration: Option<String>,
    /// The account that warrants it; the events of a capture share the text.
    pub captured_by: Rc<str>,
    /// The attested observer.
    pub who: Rc<str>,
}

impl Identity {
    /// Whether it is that of an error declaration.
    #[must_use]
    pub fn declares_error(&self) -> bool {
        self.declaration.is_some()
    }
}

/// Where the name of a new event comes from.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameSource {
    /// The caller gave it, and it says nothing of the event.
    Given,
    /// The caller gave it, and it is a hash of the event under a published reading.
    GivenHash,
    /// The event had none: it is the hash of the event as it is stored.
    Made,
}

/// An event on its way into the store.
#[derive(Clone, Debug)]
pub struct NewEvent {
    /// What makes it the same as another.
    pub identity: Identity,
    /// Its `eventID`.
    pub event_id: String,
    /// Where that comes from.
    pub name: NameSource,
    /// The hash of the event as it was sent.
    pub content_hash: EventHash,
    /// The event as it is stored, but for its `recordTime`, which is that of the batch here: one JSON object that stands alone.
    pub event: String,
}

/// What the rows of an event are made of, beside its text.
#[derive(Clone, Debug)]
pub struct Indexed {
    /// What stores keep an index of.
    pub facts: Facts,
    /// The byte of the text at which the [`RECORD_TIME`] bytes of its `recordTime` begin.
    pub record_time_at: usize,
}

/// How long a `recordTime` is, in bytes: `2026-03-04T10:00:30.000Z`.
pub const RECORD_TIME: usize = 24;

impl NewEvent {
    /// What stores keep an index of, drawn from the event anew at each call: what is held of a large capture is its text.
    ///
    /// # Errors
    /// None for an event that was prepared.
    pub fn indexed(&self) -> Result<Indexed, Error> {
        let stored = Document::read_text(&self.event)?;
        let time = stored.root().get("recordTime");
        let time = time.filter(|time| time.source().len() == RECORD_TIME + 2);
        let time = time.ok_or_else(|| {
            Error::new(ErrorKind::Internal {
                detail: "an event on its way into the store has no recordTime".to_owned(),
            })
        })?;
        Ok(Indexed {
            facts: Facts::indexed(stored.root()),
            record_time_at: time.offset() + 1,
        })
    }

    /// The event as it is stored when it was recorded at this time.
    ///
    /// # Errors
    /// None for an event that was prepared.
    pub fn recorded_at(&self, time: Timestamp) -> Result<String, Error> {
        let at = self.indexed()?.record_time_at;
        let mut text = self.event.clone();
        text.replace_range(at..at + RECORD_TIME, &time.to_string());
        Ok(text)
    }
}

/// The events of one capture.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The document that they came in.
    pub document: DocumentDigest,
    /// The earliest time at which they are recorded: the store takes that of the capture before, where it is later.
    pub record_time: Timestamp,
    /// The events, in the order of the document.
    pub events: Vec<NewEvent>,
    /// The master data of its header, each type and identifier once.
    pub master_data: Vec<NewElement>,
}

impl Batch {
    /// A capture of nothing so far.
    #[must_use]
    pub fn new(document: DocumentDigest, record_time: Timestamp) -> Self {
        Self {
            document,
            record_time,
            events: Vec::new(),
            master_data: Vec::new(),
        }
    }
}

/// What became of a batch that was to be appended.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Appending {
    /// It is stored.
    Done(Receipt),
    /// The store has other events of it, or other events with its names, than [`NewJob::expected`] says: nothing was appended.
    Unexpected,
}

/// What a store has already of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The events of the batch that are stored, in the order of the batch.
    pub events: Vec<KnownEvent>,
    /// The stored events that bear a name of an event of the batch, by the places of these. Error declarations, here and there,
    /// do not count.
    pub namesakes: Vec<Namesake>,
}

/// An event of a batch that is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownEvent {
    /// Its place in the batch.
    pub position: usize,
    /// Its number.
    pub sequence: u64,
    /// Its `eventID`, as it is stored.
    pub event_id: String,
    /// The hash of the event as it was sent then.
    pub content_hash: String,
}

/// A stored event that bears the name of an event of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Namesake {
    /// The place of that event in the batch.
    pub position: usize,
    /// The number of the stored event, which may be the very same.
    pub sequence: u64,
    /// The observer of the stored event, where a column has it.
    pub who: Option<String>,
}

/// How many namesakes a store tells of one batch.
pub const MAX_NAMESAKES: usize = 100_000;

/// What became of a batch that was appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The number of its job, among those of the account.
    pub job: u64,
    /// When its events were recorded.
    pub record_time: Timestamp,
}

/// Which events are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'q> {
    /// What they must fulfil.
    pub predicate: &'q Predicate,
    /// The accounts whose events are in scope; `None` where all are.
    pub accounts: Option<&'q [&'q str]>,
    /// In which order.
    pub order: Order,
    /// Only those behind this place.
    pub after: Option<&'q Cursor>,
    /// Only events up to this number; `None` where the newest stored one is the last.
    pub upper: Option<u64>,
    /// How many at most.
    pub limit: usize,
    /// How many bytes of events at most; the first one is always handed out.
    pub bytes: usize,
}

/// The events of a selection.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The events, in the order of the selection.
    pub events: Vec<StoredEvent>,
    /// The number of the newest event that was stored when the selection was made, if one was found.
    pub newest: u64,
    /// Whether no further event follows.
    pub is_last: bool,
}

/// An event as a store hands it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its number: later events have higher ones.
    pub sequence: u64,
    /// The hash of the event as it was sent.
    pub content_hash: String,
    /// The account that warrants it.
    pub captured_by: String,
    /// The event, byte for byte as it was appended.
    pub event: String,
    /// Further names of it: those under which it was captured again.
    pub aliases: Vec<String>,
}

impl StoredEvent {
    /// What a predicate asks about, with the further names; the text is read.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] where it cannot be read.
    pub fn facts(&self, predicate: &Predicate) -> Result<Facts, Error> {
        let document = self.document()?;
        Ok(predicate.facts(document.root()).also_named(&self.aliases))
    }

    /// The event, read.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] where it cannot be read.
    pub fn document(&self) -> Result<Document<'_>, Error> {
        Document::read_text(&self.event).map_err(|error| {
            let detail = format!("stored event {}: {error}", self.sequence);
            Error::new(ErrorKind::Internal { detail })
        })
    }
}
