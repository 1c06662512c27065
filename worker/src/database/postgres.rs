//! Statements in PostgreSQL: worker/js/session.js speaks with it, over node-postgres.

use super::{fault, unavailable};
use crate::sql::{self, AppendedRow, Dialect, Statement, Turn, Value};
use epcis_edge_core::error::Error;
use epcis_edge_core::store::{Batch, NewJob, Receipt};
use serde::de::DeserializeOwned;
use worker::Env;
use worker::js_sys::{Array, JsString, Promise, Reflect};
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::wasm_bindgen::{JsCast as _, JsValue};
use worker::wasm_bindgen_futures::JsFuture;

/// The binding that chooses PostgreSQL.
const BINDING: &str = "HYPERDRIVE";

/// Where the Worker's entry puts the session of a request.
const SESSION: &str = "SESSION";

/// How often a capture begins anew that another transaction got in the way of.
const ATTEMPTS: u32 = 5;

#[wasm_bindgen(wasm_bindgen = worker::wasm_bindgen)]
extern "C" {
    /// One request's connection to the database.
    #[derive(Debug)]
    pub(crate) type Session;

    /// Runs one statement, or several as one transaction, which sees one moment where it only reads: the text of a JSON array with
    /// the rows of each.
    #[wasm_bindgen(method)]
    fn run(this: &Session, statements: Array, is_transaction: bool, reads: bool) -> Promise;

    /// Begins a transaction; `attempt` counts from 0, each waits a little longer.
    #[wasm_bindgen(method)]
    fn begin(this: &Session, attempt: u32, turn: Array) -> Promise;

    /// Runs statements of the transaction, as `run` does.
    #[wasm_bindgen(method)]
    fn piece(this: &Session, statements: Array) -> Promise;

    #[wasm_bindgen(method)]
    fn commit(this: &Session) -> Promise;

    #[wasm_bindgen(method)]
    fn rollback(this: &Session) -> Promise;

    /// Whether the transaction that was rolled back last may go well when it begins anew.
    #[wasm_bindgen(method, getter, js_name = mayRetry)]
    fn may_retry(this: &Session) -> bool;
}

/// A statement as `[text, values]`.
fn sent(statement: Statement) -> Array {
    let Statement { text, values } = Dialect::Postgres.translate(statement);
    let values: Array = values
        .into_iter()
        .map(|value| match value {
            Value::Integer(number) => JsValue::from_str(&number.to_string()),
            Value::Text(text) => JsValue::from_str(&text),
        })
        .collect();
    Array::of2(&JsValue::from_str(&text), &values)
}

fn all_sent(statements: Vec<Statement>) -> Array {
    statements.into_iter().map(sent).collect()
}

/// What a rejected promise says.
fn refused(said: &JsValue) -> Error {
    let member = |name: &str| Reflect::get(said, &JsValue::from_str(name)).ok();
    let detail = member("message").and_then(|message| message.as_string());
    let detail = detail.unwrap_or_else(|| format!("{said:?}"));
    let is_unavailable = member("isUnavailable").is_some_and(|is| is.is_truthy());
    if is_unavailable {
        return unavailable(detail);
    }
    fault(detail)
}

async fn done(promise: Promise) -> Result<JsValue, Error> {
    JsFuture::from(promise).await.map_err(|said| refused(&said))
}

/// The rows of each statement.
async fn answered<T: DeserializeOwned>(promise: Promise) -> Result<Vec<Vec<T>>, Error> {
    let text = done(promise).await?;
    let text = text.dyn_into::<JsString>().map_err(|_| fault("no rows"))?;
    serde_json::from_str(&String::from(text)).map_err(fault)
}

impl Session {
    /// The session of the request, where the deployment has chosen PostgreSQL.
    ///
    /// # Errors
    /// A Worker that was built without the driver.
    pub(super) fn of(env: &Env) -> worker::Result<Option<Self>> {
        let member = |name: &str| {
            let value = Reflect::get(env, &JsValue::from_str(name)).ok();
            value.filter(|value| value.is_object())
        };
        match (member(BINDING), member(SESSION)) {
            (_, Some(session)) => Ok(Some(session.unchecked_into())),
            (None, None) => Ok(None),
            (Some(_), None) => Err(worker::Error::RustError(format!(
                "the binding {BINDING} needs the Worker with the driver: deploy worker/build/postgres.js"
            ))),
        }
    }

    /// As [`Database::rows`](super::Database::rows).
    pub(super) async fn rows<T: DeserializeOwned>(
        &self,
        statement: Statement,
    ) -> Result<Vec<T>, Error> {
        if Dialect::Postgres.finds_nothing(&statement) {
            return Ok(Vec::new());
        }
        let all = answered(self.run(Array::of1(&sent(statement)), false, true)).await?;
        Ok(all.into_iter().flatten().collect())
    }

    /// As [`Database::write`](super::Database::write).
    pub(super) async fn batch<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
        turn: Option<Turn>,
    ) -> Result<Vec<Vec<T>>, Error> {
        let turn = turn.and_then(|turn| Dialect::Postgres.turn(turn));
        let has_turn = turn.is_some();
        let all: Vec<Statement> = turn.into_iter().chain(statements).collect();
        let text = done(self.run(all_sent(all), true, !has_turn)).await?;
        let text = text.dyn_into::<JsString>().map_err(|_| fault("no rows"))?;
        let all: Vec<serde_json::Value> =
            serde_json::from_str(&String::from(text)).map_err(fault)?;
        let all = all.into_iter().skip(usize::from(has_turn));
        all.map(|rows| serde_json::from_value(rows).map_err(fault))
            .collect()
    }

    /// As [`Database::append`](super::Database::append): a transaction that was in the way of another begins anew, some times.
    pub(super) async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Receipt, Error> {
        let mut attempt = 0;
        loop {
            let error = match self.append_once(batch, job, attempt).await {
                Ok(receipt) => return Ok(receipt),
                Err(error) => error,
            };
            // Where this fails, too, the connection is gone, and the transaction with it.
            let _ = done(self.rollback()).await;
            attempt += 1;
            if !self.may_retry() || attempt == ATTEMPTS {
                return Err(error);
            }
        }
    }

    async fn append_once(
        &self,
        batch: &Batch,
        job: &NewJob,
        attempt: u32,
    ) -> Result<Receipt, Error> {
        let turn = Dialect::Postgres.turn(Turn::Events);
        let turn = turn.map_or_else(Array::new, sent);
        done(self.begin(attempt, turn)).await?;
        let run = |statements| {
            // Under way before it is waited for.
            let promise = self.piece(all_sent(statements));
            async move {
                let rows: Vec<Vec<AppendedRow>> = answered(promise).await?;
                Ok(rows.into_iter().flatten().collect())
            }
        };
        let receipt = sql::append_in_pieces(Dialect::Postgres, batch, job, run).await?;
        done(self.commit()).await?;
        Ok(receipt)
    }
}
