//! What a store must do, and the store that lives in memory.
//!
//! A store keeps and finds; it never validates, hashes or gives names.
//! It may narrow a selection by whatever index it has and hand out too much: the predicate decides, above the store.

mod job;
mod key;
mod log;
mod master_data;
mod memory;

pub use job::{CaptureId, ErrorBehaviour, JobEvents, NewJob, StoredJob};
pub use key::{Bearer, Key};
pub use log::{Extension, Head, HeadCopy, Leaf, Log, Logged, NewLeaf, Unlogged};
pub use master_data::{IdentifierSelection, MAX_LOOKED_AT, MasterData, NewElement, Sought};
pub use memory::MemoryStore;

use crate::error::Error;
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
    ///
    /// # Errors
    /// A fault of the storage, and whatever error where [`NewJob::unless_named`] is taken; then nothing was appended.
    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Receipt, Error>;

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
    async fn values(&self, selection: &ValueSelection<'_>) -> Result<Vec<String>, Error>;
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
pub trait Store: Events + Documents + Keys + Jobs + Values + Queries + Log + MasterData {}

impl<S: Events + Documents + Keys + Jobs + Values + Queries + Log + MasterData> Store for S {}

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
    /// Only those behind this value.
    pub after: Option<&'q str>,
    /// How many at most.
    pub limit: usize,
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
    /// The hash of the event as it is stored.
    pub stamped_hash: EventHash,
    /// Whether it declares the event wrong that has this hash.
    pub declares_error: bool,
    /// The account that warrants it; the events of a capture share the text.
    pub captured_by: Rc<str>,
    /// The attested observer.
    pub who: Rc<str>,
}

/// An event on its way into the store.
#[derive(Clone, Debug)]
pub struct NewEvent {
    /// What makes it the same as another.
    pub identity: Identity,
    /// Its `eventID`.
    pub event_id: String,
    /// The hash of the event as it was sent.
    pub content_hash: EventHash,
    /// The event as it is stored: one JSON object that stands alone.
    pub event: String,
}

impl NewEvent {
    /// What stores keep an index of, drawn from the event anew at each call: what is held of a large capture is its text.
    ///
    /// # Errors
    /// None for an event that was prepared.
    pub fn facts(&self) -> Result<Facts, Error> {
        let stored = Document::read_text(&self.event)?;
        Ok(Facts::indexed(stored.root()))
    }
}

/// The events of one capture.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The document that they came in.
    pub document: DocumentDigest,
    /// When they were recorded.
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

/// What became of one event of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// Whether it was stored already.
    pub duplicate: bool,
    /// The `eventID` of the first one, where it was stored already; `None` where it is that of the event itself.
    pub event_id: Option<String>,
}

/// What became of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The number of its job, among those of the account.
    pub job: u64,
    /// What became of its events: one entry an event, in its order.
    pub events: Vec<Appended>,
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
}
