//! The store of a deployment: events and keys in D1, documents in KV.

use crate::sql::{self, AppendedRow, KeyRow, SelectedRow, Statement, Survey, SurveyedRow, Value};
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::store::{
    Appended, Batch, DocumentDigest, Documents, Events, Key, Keys, Selected, Selection,
};
use serde::de::DeserializeOwned;
use worker::wasm_bindgen::JsValue;
use worker::{D1Database, D1PreparedStatement, D1Result, Env, KvStore};

/// D1 and KV behind the traits of the core.
#[derive(Debug)]
pub struct D1Store {
    database: D1Database,
    documents: KvStore,
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
        })
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
    async fn append(&self, batch: &Batch) -> Result<Vec<Appended>, Error> {
        sql::append(batch, sql::AT_ONCE, async |statements| {
            let statements = statements
                .into_iter()
                .map(|statement| self.prepare(statement))
                .collect::<Result<_, _>>()?;
            // One transaction: all of it or nothing.
            let results = self.database.batch(statements).await.map_err(fault)?;
            let mut rows: Vec<AppendedRow> = Vec::new();
            for result in &results {
                rows.extend(rows_of(result)?);
            }
            Ok(rows)
        })
        .await
    }

    async fn select(&self, selection: &Selection<'_>) -> Result<Selected, Error> {
        let mut survey = Survey::of(selection, sql::WIDE);
        let widths: Vec<SurveyedRow> = match survey.statement.take() {
            Some(statement) => self.rows(statement).await?,
            None => Vec::new(),
        };
        let statement = sql::select(selection, &survey.answered(&widths));
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
