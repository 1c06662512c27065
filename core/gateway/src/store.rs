//! The traits of a store, and the store in memory.
//!
//! A store keeps and finds data; it never validates, hashes or names events.
//! A selection may return too many events, depending on the indexes of the store: the predicate decides, in the layer above.

mod accounts;
mod job;
mod key;
mod log;
mod master_data;
mod memory;

pub(crate) use accounts::too_many_accounts;
pub use accounts::{
    Account, Accounts, AccountsLog, AccountsMemory, BareLeaf, Directory, OpenAccount,
};
pub use epcis_edge_document::master_data::NewElement;
pub use job::{CaptureId, ErrorBehaviour, Expected, JobEvents, NewJob, StoredJob};
pub use key::{Bearer, Key};
pub use log::{
    Backlog, Extension, Halt, Head, HeadCopy, LOGGED_BYTES, Leaf, Log, Logged, LoggedEvent,
    MAX_BACKLOG, NewLeaf, Unlogged,
};
pub use master_data::{
    ElementPlace, ElementSelection, FoundElements, IdentifierCondition, IdentifierSelection,
    MAX_LOOKED_AT, MasterData, StoredElement,
};
pub use memory::MemoryStore;

use crate::query::{Collection, Cursor, Facts, Order, Places, Predicate};
use async_trait::async_trait;
use data_encoding::HEXLOWER;
use epcis_edge_document::hash::EventHash;
use epcis_edge_text::error::{Error, ErrorKind};
use epcis_edge_text::json::Document;
use epcis_edge_text::time::Timestamp;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

/// The events: appended, never changed, never removed.
#[async_trait(?Send)]
pub trait Events {
    /// Appends all events of a capture and its job, or none of them.
    ///
    /// An event whose [`Identity`] is stored already is not appended, and neither is the second of two in the same batch.
    /// The store gives the events their numbers and their `recordTime`, both in ascending order over all captures.
    ///
    /// # Errors
    /// A fault of the storage; then nothing was appended.
    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<AppendResult, Error>;

    /// The events of a batch that an account has stored already, and other events that have the names of its events.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn known(&self, batch: &Batch, account: &str) -> Result<AlreadyStored, Error>;

    /// Stored events by their numbers, in the order of these numbers: as many as fit into `bytes`, at least one.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn numbered(&self, sequences: &[u64], bytes: usize) -> Result<Vec<StoredEvent>, Error>;

    /// The events of a selection, in its order: all that match, and perhaps others.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn select(&self, selection: &Selection<'_>) -> Result<Selected, Error>;

    /// The newest events of these accounts, or of all: those that a selection without an upper bound would end with.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn newest_events(&self, accounts: Option<&[&str]>) -> Result<Places, Error>;

    /// If these accounts, or all, are more than a question may read at once: some of them, each with its number, after that of
    /// another. `None` if they are not, as in a store that has all accounts.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn part(
        &self,
        _accounts: Option<&[&str]>,
        _after: u64,
    ) -> Result<Option<Vec<(u64, String)>>, Error> {
        Ok(None)
    }

    /// The events of leaves of the log that are in scope and behind these places, in the order of the leaves.
    ///
    /// # Errors
    /// [`ErrorKind::PageToken`] in a store that has no need of it; a fault of the storage.
    async fn by_leaf(
        &self,
        _leaves: Range<u64>,
        _since: &Places,
        _accounts: Option<&[&str]>,
    ) -> Result<LeafPage, Error> {
        Err(Error::new(ErrorKind::PageToken))
    }
}

/// The documents as they were received, each stored under its SHA-256.
#[async_trait(?Send)]
pub trait Documents {
    /// Stores a document, unless it is stored already.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn keep(&self, digest: &DocumentDigest, document: &[u8]) -> Result<(), Error>;

    /// The document with this digest, if it was stored.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error>;
}

/// The capture keys.
#[async_trait(?Send)]
pub trait Keys {
    /// The key with this identifier, revoked or not.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn key(&self, id: &str) -> Result<Option<Key>, Error>;
}

/// The capture jobs: appended with the events of their captures, never changed, never removed.
#[async_trait(?Send)]
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

    /// The names of a job's events: at most `limit` of those that it stored, and at most `limit` of its duplicates.
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

/// The values that occur in events, for lists of them.
#[async_trait(?Send)]
pub trait Values {
    /// The values of a collection in normal form, each once, in the order of their bytes.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn values(&self, selection: &ValueSelection<'_>) -> Result<Listed, Error>;
}

/// The named queries: the only data here that callers may remove.
#[async_trait(?Send)]
pub trait Queries {
    /// Stores a query of an account, unless the account has one of this name, or `limit` queries.
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

    /// The queries of an account that follow a name, in the byte order of their names; at most `limit`.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn queries(
        &self,
        account: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<NamedQuery>, Error>;

    /// Removes a query of an account, and returns whether there was one.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn remove_query(&self, account: &str, name: &str) -> Result<bool, Error>;
}

/// All traits that the operations need.
pub trait Store: Events + Documents + Keys + Jobs + Values + Queries + Log + MasterData {}

impl<S: Events + Documents + Keys + Jobs + Values + Queries + Log + MasterData> Store for S {}

/// A query that an account has stored under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedQuery {
    /// The name.
    pub name: String,
    /// Its parameters, as the text of a JSON object.
    pub query: String,
}

/// The result of storing a query.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryPut {
    /// It was stored.
    Added,
    /// The account has a query of this name already.
    Exists,
    /// The account has the most queries allowed.
    Full,
}

/// A selection of values.
#[derive(Clone, Copy, Debug)]
pub struct ValueSelection<'q> {
    /// The collection that the values belong to.
    pub collection: Collection,
    /// The accounts whose events are in scope; `None` for all.
    pub accounts: Option<&'q [&'q str]>,
    /// Only values after this place: see [`Listed::next`].
    pub after: Option<&'q str>,
    /// The most values to return.
    pub limit: usize,
}

/// The values of a selection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// The values in the order of their bytes.
    pub values: Vec<String>,
    /// The value after which there may be more. `None` if there are no more.
    pub next: Option<String>,
}

impl Listed {
    /// The result for a selection of `wanted` values.
    #[must_use]
    pub fn of(values: Vec<String>, wanted: usize) -> Self {
        let next = values.last().filter(|_| values.len() >= wanted).cloned();
        Self { values, next }
    }
}

/// The SHA-256 of a document as it was received.
///
/// **Shape**: printed as 64 lower-case hexadecimal digits.
///
/// # Example
/// ```
/// use epcis_edge_gateway::store::DocumentDigest;
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

/// The properties by which an event is recognised as one that is stored already.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    /// The hash of the event as it is stored, without its error declaration.
    pub stamped_hash: EventHash,
    /// The error declaration in normal form: its time, its reason and its corrective events. `None` if there is none.
    pub declaration: Option<String>,
    /// The account that vouches for the event; the events of a capture share the text.
    pub captured_by: Rc<str>,
    /// The observer, as attested by the key.
    pub who: Rc<str>,
}

impl Identity {
    /// Whether this is the identity of an error declaration.
    #[must_use]
    pub fn declares_error(&self) -> bool {
        self.declaration.is_some()
    }
}

/// The origin of a new event's name.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameSource {
    /// The caller gave it, and it is not a hash of the event.
    Given,
    /// The caller gave it, and it is a hash of the event under a published profile.
    GivenHash,
    /// The event had none, so the hash of the event as it is stored became its name.
    Made,
}

/// An event on its way into the store.
#[derive(Clone, Debug)]
pub struct NewEvent {
    /// The identity by which it is compared with stored events.
    pub identity: Identity,
    /// Its `eventID`.
    pub event_id: String,
    /// The origin of the `eventID`.
    pub name: NameSource,
    /// The hash of the event as it was sent.
    pub content_hash: EventHash,
    /// The event as it is stored, one complete JSON object, except that its `recordTime` is still that of the batch.
    pub event: String,
    /// The byte offset in that text where the [`RECORD_TIME`] bytes of its `recordTime` begin.
    pub record_time_at: usize,
}

/// The length of a `recordTime` in bytes: `2026-03-04T10:00:30.000Z`.
pub const RECORD_TIME: usize = 24;

impl NewEvent {
    /// The indexed fields. Parsed on each call: keeping them for a large capture would take too much memory.
    ///
    /// # Errors
    /// None for an event that was prepared.
    pub fn facts(&self) -> Result<Facts, Error> {
        Ok(Facts::indexed(Document::read_text(&self.event)?.root()))
    }

    /// The text of the event with this `recordTime`, as it is stored.
    #[must_use]
    pub fn recorded_at(&self, time: Timestamp) -> String {
        let at = self.record_time_at;
        let mut text = self.event.clone();
        text.replace_range(at..at + RECORD_TIME, &time.to_string());
        text
    }
}

/// The events of one capture.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The digest of the document that contained them.
    pub document: DocumentDigest,
    /// The earliest `recordTime` of the events: if the previous capture has a later one, the store uses that.
    pub record_time: Timestamp,
    /// The events, in the order of the document.
    pub events: Vec<NewEvent>,
    /// The master data of the document's header, one element for each type and identifier.
    pub master_data: Vec<NewElement>,
}

impl Batch {
    /// A batch without events.
    #[must_use]
    pub fn new(document: DocumentDigest, record_time: Timestamp) -> Self {
        Self { document, record_time, events: Vec::new(), master_data: Vec::new() }
    }
}

/// The result of appending a batch.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppendResult {
    /// The batch is stored.
    Done(Receipt),
    /// More of it is stored than [`NewJob::expected`] says, or more other events have its names: nothing was appended.
    Unexpected,
}

/// What a store already has of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlreadyStored {
    /// The events of the batch that are stored, in the order of the batch.
    pub events: Vec<KnownEvent>,
    /// The stored events that have the name of an event of the batch, in the order of the batch. Error declarations do not
    /// count, whether stored or in the batch.
    pub namesakes: Vec<Namesake>,
}

/// An event of a batch that is stored already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownEvent {
    /// Its position in the batch.
    pub position: usize,
    /// Its number.
    pub sequence: u64,
    /// The `eventID` of the stored event.
    pub event_id: String,
    /// The hash of the stored event as it was sent.
    pub content_hash: String,
}

/// A stored event that has the name of an event of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Namesake {
    /// The position of that event in the batch.
    pub position: usize,
    /// The number of the stored event, which may be the same event.
    pub sequence: u64,
    /// The observer of the stored event, if a column has it.
    pub who: Option<String>,
}

/// The most namesakes that a store reports for one batch.
pub const MAX_NAMESAKES: usize = 100_000;

/// The result of a batch that was appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The number of its job among those of the account.
    pub job: u64,
    /// When its events were recorded.
    pub record_time: Timestamp,
}

/// A selection of events.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'q> {
    /// The predicate that they must match.
    pub predicate: &'q Predicate,
    /// The accounts whose events are in scope; `None` for all.
    pub accounts: Option<&'q [&'q str]>,
    /// The order of the events.
    pub order: Order,
    /// Only events after this place.
    pub after: Option<&'q Cursor>,
    /// Only events recorded after these.
    pub since: &'q Places,
    /// Only events up to these; `None` for all.
    pub upper: Option<&'q Places>,
    /// The most events to return.
    pub limit: usize,
    /// The most bytes of events to return; the first event is always returned.
    pub bytes: usize,
}

/// The events of a selection.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The events, in the order of the selection.
    pub events: Vec<StoredEvent>,
    /// The upper bound of the selection; without one, the newest events when it was made.
    pub newest: Places,
    /// Whether no more events follow.
    pub is_last: bool,
}

/// Events of some leaves.
#[derive(Clone, Debug)]
pub struct LeafPage {
    /// The events, each with the index of its leaf.
    pub events: Vec<(u64, StoredEvent)>,
    /// The leaf to go on with.
    pub next: u64,
}

/// An event as a store returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its number; later events have higher numbers.
    pub sequence: u64,
    /// The hash of the event as it was sent.
    pub content_hash: String,
    /// The account that vouches for it.
    pub captured_by: String,
    /// The event, byte for byte as it was appended.
    pub event: String,
    /// The aliases of the event: other names under which it was captured again.
    pub aliases: Vec<String>,
}

impl StoredEvent {
    /// The facts that a predicate needs, with the aliases; parses the text.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if it cannot be read.
    pub fn facts(&self, predicate: &Predicate) -> Result<Facts, Error> {
        let document = self.document()?;
        Ok(predicate.facts(document.root()).also_named(&self.aliases))
    }

    /// The parsed text of the event.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if it cannot be read.
    pub fn document(&self) -> Result<Document<'_>, Error> {
        Document::read_text(&self.event)
            .map_err(|error| Error::impossible(format!("stored event {}: {error}", self.sequence)))
    }
}
