//! Runs statements in PostgreSQL, through worker/js/session.js and node-postgres.

use super::{member, unavailable, unsettled};
use epcis_edge_core::error::Error;
use epcis_edge_core::store::{Batch, NewJob, Receipt};
use epcis_edge_sql::store::fault;
use epcis_edge_sql::{
    self, AppendedRow, Dialect, Statement, SubmitStep, TakenBack, TakenBackRow, Value,
};
use serde::de::DeserializeOwned;
use worker::Env;
use worker::js_sys::{Array, JsString, Promise, Reflect};
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::wasm_bindgen::{JsCast as _, JsValue};
use worker::wasm_bindgen_futures::JsFuture;

/// The binding that selects PostgreSQL.
const BINDING: &str = "HYPERDRIVE";

/// The member of the environment in which the Worker's entry puts the session of a request.
const SESSION: &str = "SESSION";

/// How often a capture is tried if it conflicts with another transaction.
const ATTEMPTS: u32 = 5;

#[wasm_bindgen(wasm_bindgen = worker::wasm_bindgen)]
extern "C" {
    /// One request's connection to the database.
    #[derive(Debug)]
    pub(crate) type Session;

    /// Runs one statement, or several as one transaction, on one snapshot if they only read. Returns the JSON text of an array with
    /// the rows of each.
    #[wasm_bindgen(method)]
    fn run(this: &Session, statements: Array, is_transaction: bool, reads: bool) -> Promise;

    /// A unique name for a capture.
    #[wasm_bindgen(method)]
    fn token(this: &Session) -> String;

    /// Stages rows of a capture. Alone they have no effect.
    #[wasm_bindgen(method)]
    fn aside(this: &Session, statement: Array) -> Promise;

    /// Stores a capture. Returns the JSON text of an array with its row.
    #[wasm_bindgen(method)]
    fn capture(this: &Session, store: Array, settle: Array) -> Promise;

    /// Runs the statement that takes a capture back. Returns the JSON text of an array with its row.
    #[wasm_bindgen(method, js_name = takeBack)]
    fn take_back(this: &Session, statement: Array) -> Promise;

    /// Whether the outcome of the last failed capture is unknown: it may be stored, now or later.
    #[wasm_bindgen(method, getter, js_name = isUnsettled)]
    fn is_unsettled(this: &Session) -> bool;

    /// Whether the last failed capture may be tried again, because it was aborted in favour of another transaction.
    #[wasm_bindgen(method, getter, js_name = mayRetry)]
    fn may_retry(this: &Session) -> bool;
}

/// A statement as `[text, values]`.
fn sent(statement: Statement) -> Array {
    let Statement { text, values } = Dialect::Postgres.with_placeholders(statement);
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

/// The error of a rejected promise.
fn refused(said: &JsValue) -> Error {
    let member = |name: &str| Reflect::get(said, &JsValue::from_str(name)).ok();
    let detail = member("message").and_then(|message| message.as_string());
    let detail = detail.unwrap_or_else(|| format!("{said:?}"));
    let is_unavailable = member("isUnavailable").is_some_and(|is| is.is_truthy());
    if is_unavailable {
        return unavailable(detail);
    }
    let code = member("code").and_then(|code| code.as_string());
    epcis_edge_sql::postgres_fault(code.as_deref().unwrap_or(""), detail)
}

async fn done(promise: Promise) -> Result<JsValue, Error> {
    JsFuture::from(promise).await.map_err(|said| refused(&said))
}

/// The rows of each statement.
async fn answered<T: DeserializeOwned>(promise: Promise) -> Result<Vec<Vec<T>>, Error> {
    row(promise).await
}

impl Session {
    /// The session of the request; `None` if the deployment has no binding for PostgreSQL.
    ///
    /// # Errors
    /// The deployment has the binding, but its Worker was built without the driver.
    pub(super) fn of(env: &Env) -> worker::Result<Option<Self>> {
        match (member(env, BINDING), member(env, SESSION)) {
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

    /// As [`Database::read`](super::Database::read), or with a turn as [`Database::write_log`](super::Database::write_log).
    pub(super) async fn batch<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
        turn: Option<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        let has_turn = turn.is_some();
        let all: Vec<Statement> = turn.into_iter().chain(statements).collect();
        let text = done(self.run(all_sent(all), true, !has_turn)).await?;
        let text =
            text.dyn_into::<JsString>().map_err(|_| fault("the session returned no text"))?;
        let all: Vec<serde_json::Value> =
            serde_json::from_str(&String::from(text)).map_err(fault)?;
        let all = all.into_iter().skip(usize::from(has_turn));
        all.map(|rows| serde_json::from_value(rows).map_err(fault)).collect()
    }

    /// As [`Database::append`](super::Database::append). A transaction that conflicts with another is tried [`ATTEMPTS`] times.
    ///
    /// # Errors
    /// [`ErrorKind::Unsettled`](epcis_edge_core::error::ErrorKind::Unsettled) if the capture may have been stored. With any other
    /// error it is not stored, and will not be.
    pub(super) async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Receipt, Error> {
        for _ in 0..ATTEMPTS {
            let token = self.token();
            let error = match self.hand_in(batch, job, &token).await {
                Ok(row) => return epcis_edge_sql::appended(row),
                Err(error) => error,
            };
            if self.is_unsettled() {
                let told: Result<Vec<TakenBackRow>, Error> =
                    row(self.take_back(sent(epcis_edge_sql::take_back(&token)))).await;
                let told = told.ok().and_then(|mut rows| rows.pop());
                match epcis_edge_sql::taken_back(told) {
                    TakenBack::Gone => {}
                    TakenBack::TooLate(row) => return epcis_edge_sql::appended([row]),
                    TakenBack::Unknown => return Err(unsettled(&error)),
                }
            }
            if !self.may_retry() {
                return Err(error);
            }
        }
        Err(unavailable(format!("the capture conflicted with other captures {ATTEMPTS} times")))
    }

    async fn hand_in(
        &self,
        batch: &Batch,
        job: &NewJob,
        token: &str,
    ) -> Result<Vec<AppendedRow>, Error> {
        let mut under_way: Option<Promise> = None;
        for handing in epcis_edge_sql::handing_in(batch, job, token) {
            // One text is being sent while the next one is made.
            let handing = handing?;
            if let Some(promise) = under_way.take() {
                done(promise).await?;
            }
            match handing {
                SubmitStep::Aside(statement) => under_way = Some(self.aside(sent(statement))),
                SubmitStep::Last { store, settle } => {
                    return row(self.capture(sent(store), sent(settle))).await;
                }
            }
        }
        Err(fault("the capture was sent without its last part"))
    }
}

/// The entries of the JSON array that a promise resolves to.
async fn row<T: DeserializeOwned>(promise: Promise) -> Result<Vec<T>, Error> {
    let text = done(promise).await?;
    let text = text.dyn_into::<JsString>().map_err(|_| fault("the session returned no text"))?;
    serde_json::from_str(&String::from(text)).map_err(fault)
}
