//! The store of a deployment: events, keys and the log in a database, documents beside it.

mod homes;
mod log;

pub use crate::database::Database;
pub use crate::documents::Copies;

use crate::sql::{
    self, ElementRow, IdentifierRow, JobRow, KnownRow, NewestRow, QueryRow, SearchedParts,
    SelectedRow, Statement, Survey, SurveyedRow, TurnRow, ValueRow, Wide,
};
use async_trait::async_trait;
use epcis_edge_core::error::Error;
use epcis_edge_core::query::Places;
use epcis_edge_core::store::{
    AlreadyStored, AppendResult, Batch, DocumentDigest, Documents, ElementSelection, Events,
    FoundElements, IdentifierSelection, JobEvents, Jobs, Key, Keys, Listed, MasterData, NamedQuery,
    NewJob, Queries, QueryPut, Selected, Selection, StoredEvent, StoredJob, ValueSelection, Values,
};
use serde::de::DeserializeOwned;
use std::cell::Cell;

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

    /// Takes the turn of the log for this many milliseconds; false if it was not free. Over SQLite it always is.
    ///
    /// # Errors
    /// A fault of the storage.
    pub async fn take_log_turn(&self, milliseconds: u64) -> Result<bool, Error> {
        let Some(statement) = self.database.dialect().take_log_turn(milliseconds) else {
            return Ok(true);
        };
        let rows: Vec<TurnRow> = self.rows(statement).await?;
        Ok(rows.first().is_some_and(|row| row.taken == 1))
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
        let appending = sql::appending(self.database.append(batch, job).await)?;
        self.has_grown.set(self.has_grown.get() || appending != AppendResult::Unexpected);
        Ok(appending)
    }

    async fn known(&self, batch: &Batch, account: &str) -> Result<AlreadyStored, Error> {
        let mut rows: Vec<KnownRow> = Vec::new();
        for statement in sql::look_up(self.database.dialect(), batch, account) {
            rows.extend(self.rows::<KnownRow>(statement).await?);
        }
        sql::known(rows)
    }

    async fn numbered(&self, sequences: &[u64], bytes: usize) -> Result<Vec<StoredEvent>, Error> {
        let statement = sql::numbered(self.database.dialect(), sequences, bytes);
        sql::numbered_of(self.rows(statement).await?)
    }

    async fn select(&self, selection: &Selection<'_>) -> Result<Selected, Error> {
        let (wide, parts) = self.survey(selection).await?;
        let ask = async |part| {
            let statement = sql::select(self.database.dialect(), selection, &wide, part);
            let rows: Vec<SelectedRow> = self.rows(statement).await?;
            sql::selected(selection, rows)
        };
        parts.look(ask).await
    }

    async fn newest_events(&self) -> Result<Places, Error> {
        let statement = sql::newest_events(self.database.dialect());
        let rows: Vec<NewestRow> = self.rows(statement).await?;
        Ok(sql::newest_of(&rows))
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
        let mut rows = self.database.key(sql::key(id)).await?;
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
        let rows: Vec<JobRow> = self.rows(sql::jobs(account, before, limit)).await?;
        Ok(rows.into_iter().map(StoredJob::from).collect())
    }

    async fn job_events(
        &self,
        account: &str,
        number: u64,
        limit: usize,
    ) -> Result<JobEvents, Error> {
        let rows = self.rows(sql::job_events(account, number, limit)).await?;
        Ok(sql::job_events_of(rows))
    }
}

#[async_trait(?Send)]
impl<D: Database, P> Values for DatabaseStore<D, P> {
    async fn values(&self, selection: &ValueSelection<'_>) -> Result<Listed, Error> {
        let rows: Vec<ValueRow> =
            self.rows(sql::values(self.database.dialect(), selection)).await?;
        Ok(sql::values_of(selection, rows))
    }
}

#[async_trait(?Send)]
impl<D: Database, P> MasterData for DatabaseStore<D, P> {
    async fn newest_elements(&self) -> Result<Places, Error> {
        let rows: Vec<NewestRow> = self.rows(sql::newest_elements()).await?;
        Ok(sql::newest_of(&rows))
    }

    async fn identifiers(&self, selection: &IdentifierSelection<'_>) -> Result<Vec<String>, Error> {
        let statement = sql::identifiers(self.database.dialect(), selection);
        let rows: Vec<IdentifierRow> = self.rows(statement).await?;
        sql::identifiers_of(rows)
    }

    async fn elements(&self, selection: &ElementSelection<'_>) -> Result<FoundElements, Error> {
        let statement = sql::elements(self.database.dialect(), selection);
        let rows: Vec<ElementRow> = self.rows(statement).await?;
        Ok(sql::elements_of(selection, rows))
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
        let put = self.rows(sql::put_query(account, query, limit)).await?;
        let named = self.rows(sql::query_named(account, &query.name)).await?;
        Ok(sql::query_put(&put, &named))
    }

    async fn query_named(&self, account: &str, name: &str) -> Result<Option<NamedQuery>, Error> {
        let mut rows: Vec<QueryRow> = self.rows(sql::query_named(account, name)).await?;
        Ok(rows.pop().map(NamedQuery::from))
    }

    async fn queries(
        &self,
        account: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<NamedQuery>, Error> {
        let rows: Vec<QueryRow> = self.rows(sql::queries(account, after, limit)).await?;
        Ok(rows.into_iter().map(NamedQuery::from).collect())
    }

    async fn remove_query(&self, account: &str, name: &str) -> Result<bool, Error> {
        let rows: Vec<QueryRow> = self.rows(sql::remove_query(account, name)).await?;
        Ok(!rows.is_empty())
    }
}
