//! Runs statements in D1.

use super::queue::Queue;
use epcis_edge_core::error::Error;
use epcis_edge_core::store::{Batch, NewJob, Receipt};
use epcis_edge_sql::{AppendedRow, Dialect, KeyRow, Statement, Value};
use serde::de::DeserializeOwned;
use worker::wasm_bindgen::JsValue;
use worker::{D1Database, D1PreparedStatement, D1Result, Env};

/// The error for a fault of D1.
fn fault(error: impl ToString) -> Error {
    epcis_edge_sql::sqlite_fault(error.to_string())
}

fn prepare(database: &D1Database, statement: Statement) -> Result<D1PreparedStatement, Error> {
    let values: Vec<JsValue> = statement
        .values
        .into_iter()
        .map(|value| match value {
            // Sequences and positions: far below 2^53.
            Value::Integer(number) => JsValue::from_f64(number as f64),
            Value::Text(text) => JsValue::from_str(&text),
        })
        .collect();
    database.prepare(statement.text).bind(&values).map_err(fault)
}

fn rows_of<T: DeserializeOwned>(result: &D1Result) -> Result<Vec<T>, Error> {
    if let Some(error) = result.error() {
        return Err(fault(error));
    }
    result.results().map_err(fault)
}

/// The most statements in a batch. With the look-up of its key, a request stays below the 50 of Cloudflare's free plan.
const STATEMENTS: usize = 45;

/// The database of an isolate, with the queues of statements that wait for it.
#[derive(Debug)]
pub(crate) struct D1 {
    database: D1Database,
    captures: Queue<AppendedRow>,
    keys: Queue<KeyRow>,
}

impl D1 {
    /// The database of the binding `DB`.
    ///
    /// # Errors
    /// A deployment without this binding.
    pub(super) fn of(env: &Env) -> worker::Result<Self> {
        let (captures, keys) = (Queue::of(STATEMENTS), Queue::of(STATEMENTS));
        Ok(Self { database: env.d1("DB")?, captures, keys })
    }

    /// As [`Database::rows`](super::Database::rows).
    pub(super) async fn rows<T: DeserializeOwned>(
        &self,
        statement: Statement,
    ) -> Result<Vec<T>, Error> {
        let prepared = prepare(&self.database, statement)?;
        rows_of(&prepared.all().await.map_err(fault)?)
    }

    /// Runs statements as one transaction and returns the rows of each.
    pub(super) async fn batch<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        let statements = statements.into_iter().map(|statement| prepare(&self.database, statement));
        let statements = statements.collect::<Result<_, _>>()?;
        let results = self.database.batch(statements).await.map_err(fault)?;
        results.iter().map(rows_of).collect()
    }

    /// As [`Database::key`](super::Database::key). The look-ups of several requests are sent together.
    pub(super) async fn key(&self, statement: Statement) -> Result<Vec<KeyRow>, Error> {
        let send = async |statements| self.batch(statements).await;
        let rows = self.keys.run(vec![statement], send).await?;
        Ok(rows.into_iter().flatten().collect())
    }

    /// As [`Database::append`](super::Database::append). Small captures are sent together.
    pub(super) async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Receipt, Error> {
        epcis_edge_sql::append(
            Dialect::Sqlite,
            batch,
            job,
            epcis_edge_sql::AT_ONCE,
            async |statements| {
                let send = async |statements| self.batch(statements).await;
                let rows = self.captures.run(statements, send).await?;
                Ok(rows.into_iter().flatten().collect())
            },
        )
        .await
    }
}
