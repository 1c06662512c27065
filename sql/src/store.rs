//! The store of a deployment: events, keys and the log in a database, documents beside it.

mod accounts;
mod log;

use crate::{
    Dialect, ElementRow, IdentifierRow, JobRow, KeyRow, KnownRow, NewestRow, QueryRow,
    SearchedParts, SelectedRow, Statement, Survey, SurveyedRow, ValueRow, WIDE, Wide,
};
use async_trait::async_trait;
use epcis_edge_core::error::Error;
use epcis_edge_core::query::Places;
use epcis_edge_core::store::{
    AlreadyStored, AppendResult, Batch, DocumentDigest, Documents, ElementSelection, Events,
    FoundElements, IdentifierSelection, JobEvents, Jobs, Key, Keys, Listed, MasterData, NamedQuery,
    NewJob, Queries, QueryPut, Receipt, Selected, Selection, StoredEvent, StoredJob,
    ValueSelection, Values,
};
use serde::de::DeserializeOwned;
use std::cell::Cell;

/// A database that runs the statements of this crate.
#[expect(async_fn_in_trait, reason = "workers have one thread: nobody needs the future to be Send")]
pub trait Database {
    /// The SQL dialect of its statements.
    fn dialect(&self) -> Dialect;

    /// The number of terms from which a condition of a query counts as wide: see [`WIDE`].
    fn wide_from(&self) -> u64 {
        WIDE
    }

    /// Runs one statement and returns its rows.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`](epcis_edge_core::error::ErrorKind::Internal) with the message of the database; [`ErrorKind::Unavailable`](epcis_edge_core::error::ErrorKind::Unavailable) if it is temporarily unavailable.
    async fn rows<T: DeserializeOwned>(&self, statement: Statement) -> Result<Vec<T>, Error>;

    /// Runs the statement that finds a key and returns its row.
    ///
    /// # Errors
    /// As [`rows`](Self::rows).
    async fn key(&self, statement: Statement) -> Result<Vec<KeyRow>, Error> {
        self.rows(statement).await
    }

    /// Runs read-only statements on one snapshot and returns the rows of each.
    ///
    /// # Errors
    /// As [`rows`](Self::rows).
    async fn read<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error>;

    /// Runs statements that write to the log as one transaction and returns the rows of each. Such transactions run one after the
    /// other.
    ///
    /// # Errors
    /// As [`rows`](Self::rows); nothing was done then.
    async fn write_log<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error>;

    /// Appends the events of a capture and its job: see `Events::append` of the core.
    ///
    /// # Errors
    /// As [`rows`](Self::rows); nothing was appended then. [`ErrorKind::Unsettled`](epcis_edge_core::error::ErrorKind::Unsettled) if it is unknown whether something was.
    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Receipt, Error>;
}

/// A place for copies of small texts, outside of the database.
#[expect(async_fn_in_trait, reason = "workers have one thread: nobody needs the future to be Send")]
pub trait Copies {
    /// The copy under a name, if there is one.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn copy(&self, name: &str) -> Result<Option<String>, Error>;

    /// Keeps a copy under a name, in place of the one before.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn keep_copy(&self, name: &str, text: String) -> Result<(), Error>;
}

/// A store over a database, which has events and keys, and a place for documents and copies: the store traits of the core.
#[derive(Debug)]
pub struct DatabaseStore<D, P> {
    database: D,
    documents: P,
    /// Whether events were appended since the last [`take_growth`](Self::take_growth).
    has_grown: Cell<bool>,
}

impl<D: Database, P> DatabaseStore<D, P> {
    /// A store over a database whose tables exist.
    #[must_use]
    pub fn over(database: D, documents: P) -> Self {
        Self { database, documents, has_grown: Cell::new(false) }
    }

    /// The database.
    #[must_use]
    pub fn database(&self) -> &D {
        &self.database
    }

    /// The place of its documents and copies.
    #[must_use]
    pub fn documents(&self) -> &P {
        &self.documents
    }

    /// Whether events were appended since the last call.
    pub fn take_growth(&self) -> bool {
        self.has_grown.take()
    }

    /// The wide conditions of a selection, and the parts of the store to search.
    async fn survey(&self, selection: &Selection<'_>) -> Result<(Wide, SearchedParts), Error> {
        let dialect = self.database.dialect();
        let mut survey = Survey::of(dialect, selection, self.database.wide_from());
        let widths: Vec<SurveyedRow> = match survey.statement.take() {
            Some(statement) => self.rows(statement).await?,
            None => Vec::new(),
        };
        survey.answered(&widths, selection)
    }

    async fn rows<T: DeserializeOwned>(&self, statement: Statement) -> Result<Vec<T>, Error> {
        self.database.rows(statement).await
    }
}

#[async_trait(?Send)]
impl<D: Database, P> Events for DatabaseStore<D, P> {
    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<AppendResult, Error> {
        let appending = crate::appending(self.database.append(batch, job).await)?;
        self.has_grown.set(self.has_grown.get() || appending != AppendResult::Unexpected);
        Ok(appending)
    }

    async fn known(&self, batch: &Batch, account: &str) -> Result<AlreadyStored, Error> {
        let mut rows: Vec<KnownRow> = Vec::new();
        for statement in crate::look_up(self.database.dialect(), batch, account) {
            rows.extend(self.rows::<KnownRow>(statement).await?);
        }
        crate::known(rows)
    }

    async fn numbered(&self, sequences: &[u64], bytes: usize) -> Result<Vec<StoredEvent>, Error> {
        let statement = crate::numbered(self.database.dialect(), sequences, bytes);
        crate::numbered_of(self.rows(statement).await?)
    }

    async fn select(&self, selection: &Selection<'_>) -> Result<Selected, Error> {
        let accounts = selection.accounts.filter(|_| !self.database.dialect().is_of_one());
        let selection = &Selection { accounts, ..*selection };
        let (wide, parts) = self.survey(selection).await?;
        let ask = async |part| {
            let statement = crate::select(self.database.dialect(), selection, &wide, part);
            let rows: Vec<SelectedRow> = self.rows(statement).await?;
            crate::selected(selection, rows)
        };
        let mut found = parts.look(ask).await?;
        if let Some(upper) = selection.upper {
            found.newest = upper.clone();
        }
        Ok(found)
    }

    async fn newest_events(&self, _: Option<&[&str]>) -> Result<Places, Error> {
        let statement = crate::newest_events();
        let rows: Vec<NewestRow> = self.rows(statement).await?;
        Ok(crate::newest_of(&rows))
    }
}

#[async_trait(?Send)]
impl<D, P: Documents> Documents for DatabaseStore<D, P> {
    async fn keep(&self, digest: &DocumentDigest, document: &[u8]) -> Result<(), Error> {
        self.documents.keep(digest, document).await
    }

    async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        self.documents.document(digest).await
    }
}

#[async_trait(?Send)]
impl<D: Database, P> Keys for DatabaseStore<D, P> {
    async fn key(&self, id: &str) -> Result<Option<Key>, Error> {
        let mut rows = self.database.key(crate::key(id)).await?;
        rows.pop().map(Key::try_from).transpose()
    }
}

#[async_trait(?Send)]
impl<D: Database, P> Jobs for DatabaseStore<D, P> {
    async fn jobs(
        &self,
        account: &str,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<StoredJob>, Error> {
        let rows: Vec<JobRow> = self.rows(crate::jobs(account, before, limit)).await?;
        Ok(rows.into_iter().map(StoredJob::from).collect())
    }

    async fn job_events(
        &self,
        account: &str,
        number: u64,
        limit: usize,
    ) -> Result<JobEvents, Error> {
        let rows = self.rows(crate::job_events(account, number, limit)).await?;
        Ok(crate::job_events_of(rows))
    }
}

#[async_trait(?Send)]
impl<D: Database, P> Values for DatabaseStore<D, P> {
    async fn values(&self, selection: &ValueSelection<'_>) -> Result<Listed, Error> {
        let rows: Vec<ValueRow> =
            self.rows(crate::values(self.database.dialect(), selection)).await?;
        Ok(crate::values_of(selection, rows))
    }
}

#[async_trait(?Send)]
impl<D: Database, P> MasterData for DatabaseStore<D, P> {
    async fn newest_elements(&self, _: Option<&[&str]>) -> Result<Places, Error> {
        let rows: Vec<NewestRow> = self.rows(crate::newest_elements()).await?;
        Ok(crate::newest_of(&rows))
    }

    async fn identifiers(&self, selection: &IdentifierSelection<'_>) -> Result<Vec<String>, Error> {
        let statement = crate::identifiers(self.database.dialect(), selection);
        let rows: Vec<IdentifierRow> = self.rows(statement).await?;
        crate::identifiers_of(rows)
    }

    async fn elements(&self, selection: &ElementSelection<'_>) -> Result<FoundElements, Error> {
        let statement = crate::elements(self.database.dialect(), selection);
        let rows: Vec<ElementRow> = self.rows(statement).await?;
        Ok(crate::elements_of(selection, rows))
    }
}

#[async_trait(?Send)]
impl<D: Database, P> Queries for DatabaseStore<D, P> {
    async fn put_query(
        &self,
        account: &str,
        query: &NamedQuery,
        limit: usize,
    ) -> Result<QueryPut, Error> {
        let put = self.rows(crate::put_query(account, query, limit)).await?;
        let named = self.rows(crate::query_named(account, &query.name)).await?;
        Ok(crate::query_put(&put, &named))
    }

    async fn query_named(&self, account: &str, name: &str) -> Result<Option<NamedQuery>, Error> {
        let mut rows: Vec<QueryRow> = self.rows(crate::query_named(account, name)).await?;
        Ok(rows.pop().map(NamedQuery::from))
    }

    async fn queries(
        &self,
        account: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<NamedQuery>, Error> {
        let rows: Vec<QueryRow> = self.rows(crate::queries(account, after, limit)).await?;
        Ok(rows.into_iter().map(NamedQuery::from).collect())
    }

    async fn remove_query(&self, account: &str, name: &str) -> Result<bool, Error> {
        let rows: Vec<QueryRow> = self.rows(crate::remove_query(account, name)).await?;
        Ok(!rows.is_empty())
    }
}

/// The error for a fault of a database, KV or R2. Its message goes to the log, never to the client.
pub fn fault(error: impl ToString) -> Error {
    Error::impossible(error.to_string())
}
