//! The store of a deployment: events and keys in D1, documents in KV.

mod log;

use crate::sql::{
    self, AppendedRow, JobRow, KeyRow, QueryRow, SelectedRow, Statement, Survey, SurveyedRow,
    Value, ValueRow, Wide,
};
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::store::{
    Batch, DocumentDigest, Documents, Events, JobEvents, Jobs, Key, Keys, NamedQuery, NewJob,
    Queries, QueryPut, Receipt, Selected, Selection, StoredJob, ValueSelection, Values,
};
use serde::de::DeserializeOwned;
use std::cell::Cell;
use worker::wasm_bindgen::JsValue;
use worker::{D1Database, D1PreparedStatement, D1Result, Env, KvStore};

/// D1 and KV behind the traits of the core.
#[derive(Debug)]
pub struct D1Store {
    database: D1Database,
    documents: KvStore,
    /// Whether events were appended that nobody has asked about.
    has_grown: Cell<bool>,
}

impl D1Store {
    /// The store of the bindings `DB` and `DOCUMENTS`.
    ///
    /// # Errors
    /// A binding that the deployment has not; the message names it.
    pub fn new(env: &Env) -> worker::Result<Self> {
        Ok(Self {
            database: env.d1("DB")?,
            documents: env.kv("DOCUMENTS")?,
            has_grown: Cell::new(false),
        })
    }

    /// Whether events were appended since this was asked last.
    pub fn take_growth(&self) -> bool {
        self.has_grown.take()
    }

    fn prepare(&self, statement: Statement) -> Result<D1PreparedStatement, Error> {
        let values: Vec<JsValue> = statement
            .values
            .into_iter()
            .map(|value| match value {
                // Sequences and positions: far below 2^53.
                Value::Integer(number) => JsValue::from_f64(number as f64),
                Value::Text(text) => JsValue::from_str(&text),
            })
            .collect();
        self.database
            .prepare(statement.text)
            .bind(&values)
            .map_err(fault)
    }

    /// The conditions of a selection that a statement should not begin with.
    async fn wide(&self, selection: &Selection<'_>) -> Result<Wide, Error> {
        let mut survey = Survey::of(selection, sql::WIDE);
        let widths: Vec<SurveyedRow> = match survey.statement.take() {
            Some(statement) => self.rows(statement).await?,
            None => Vec::new(),
        };
        Ok(survey.answered(&widths))
    }

    /// The results of statements, all run in one transaction.
    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<D1Result>, Error> {
        let statements = statements
            .into_iter()
            .map(|statement| self.prepare(statement))
            .collect::<Result<_, _>>()?;
        self.database.batch(statements).await.map_err(fault)
    }

    async fn rows<T: DeserializeOwned>(&self, statement: Statement) -> Result<Vec<T>, Error> {
        let result = self.prepare(statement)?.all().await.map_err(fault)?;
        rows_of(&result)
    }
}

/// What D1 or KV says goes to the log, never to the client.
fn fault(error: impl ToString) -> Error {
    Error::new(ErrorKind::Internal {
        detail: error.to_string(),
    })
}

fn rows_of<T: DeserializeOwned>(result: &D1Result) -> Result<Vec<T>, Error> {
    if let Some(error) = result.error() {
        return Err(fault(error));
    }
    result.results().map_err(fault)
}

impl Events for D1Store {
    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Receipt, Error> {
        sql::append(batch, job, sql::AT_ONCE, async |statements| {
            let results = self.batch(statements).await?;
            self.has_grown.set(true);
            let mut rows: Vec<AppendedRow> = Vec::new();
            for result in &results {
                rows.extend(rows_of(result)?);
            }
            Ok(rows)
        })
        .await
    }

    async fn select(&self, selection: &Selection<'_>) -> Result<Selected, Error> {
        let statement = sql::select(selection, &self.wide(selection).await?);
        let rows: Vec<SelectedRow> = self.rows(statement).await?;
        Ok(sql::selected(selection, rows))
    }
}

/// What is kept under a digest must be what it is the digest of.
fn same(kept: &[u8], document: &[u8]) -> Result<(), Error> {
    if kept == document {
        Ok(())
    } else {
        Err(fault("KV has another document under this SHA-256"))
    }
}

impl Documents for D1Store {
    async fn keep(&self, digest: &DocumentDigest, document: &[u8]) -> Result<(), Error> {
        // KV takes one write a second of one name: what is there need not be written.
        if let Some(kept) = self.document(digest).await? {
            return same(&kept, document);
        }
        let put = self.documents.put_bytes(&digest.to_string(), document);
        match put.map_err(fault)?.execute().await {
            Ok(()) => Ok(()),
            // Somebody else may have kept the same document meanwhile.
            Err(error) => match self.document(digest).await? {
                Some(kept) => same(&kept, document),
                None => Err(fault(error)),
            },
        }
    }

    async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        let document = self.documents.get(&digest.to_string());
        document.bytes().await.map_err(fault)
    }
}

impl Keys for D1Store {
    async fn key(&self, id: &str) -> Result<Option<Key>, Error> {
        let mut rows: Vec<KeyRow> = self.rows(sql::key(id)).await?;
        rows.pop().map(Key::try_from).transpose()
    }
}

impl Jobs for D1Store {
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

impl Values for D1Store {
    async fn values(&self, selection: &ValueSelection<'_>) -> Result<Vec<String>, Error> {
        let rows: Vec<ValueRow> = self.rows(sql::values(selection)).await?;
        Ok(rows.into_iter().map(|row| row.value).collect())
    }
}

impl Queries for D1Store {
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
