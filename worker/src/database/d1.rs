//! Statements in D1.

use super::fault;
use super::queue::Queue;
use crate::sql::{self, Statement, Value};
use epcis_edge_core::error::Error;
use epcis_edge_core::store::{Batch, NewJob, Receipt};
use serde::de::DeserializeOwned;
use worker::wasm_bindgen::JsValue;
use worker::{D1Database, D1PreparedStatement, D1Result};

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
    database
        .prepare(statement.text)
        .bind(&values)
        .map_err(fault)
}

fn rows_of<T: DeserializeOwned>(result: &D1Result) -> Result<Vec<T>, Error> {
    if let Some(error) = result.error() {
        return Err(fault(error));
    }
    result.results().map_err(fault)
}

pub(super) async fn rows<T: DeserializeOwned>(
    database: &D1Database,
    statement: Statement,
) -> Result<Vec<T>, Error> {
    let result = prepare(database, statement)?.all().await.map_err(fault)?;
    rows_of(&result)
}

/// One transaction: all of it or nothing.
pub(super) async fn batch<T: DeserializeOwned>(
    database: &D1Database,
    statements: Vec<Statement>,
) -> Result<Vec<Vec<T>>, Error> {
    let statements = statements.into_iter();
    let statements = statements.map(|statement| prepare(database, statement));
    let statements = statements.collect::<Result<_, _>>()?;
    let results = database.batch(statements).await.map_err(fault)?;
    results.iter().map(rows_of).collect()
}

pub(super) async fn append(
    database: &D1Database,
    queue: &Queue,
    new: &Batch,
    job: &NewJob,
) -> Result<Receipt, Error> {
    sql::append(new, job, sql::AT_ONCE, async |statements| {
        let send = async |statements| batch(database, statements).await;
        let rows = queue.run(statements, send).await?;
        Ok(rows.into_iter().flatten().collect())
    })
    .await
}
