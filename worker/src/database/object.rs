//! Runs statements in the object of an account, or in that of the log, through worker/js/account.ts.

use super::queue::Queue;
use super::{member, unavailable, unsettled};
use epcis_edge_core::error::Error;
use epcis_edge_core::store::{Batch, NewJob, Receipt};
use epcis_edge_sql::store::fault;
use epcis_edge_sql::{AppendedRow, Dialect, Statement, Value, sqlite_fault};
use serde::de::DeserializeOwned;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use worker::Env;
use worker::js_sys::{Array, JsString, Promise, Reflect};
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::wasm_bindgen::{JsCast as _, JsValue};
use worker::wasm_bindgen_futures::JsFuture;

/// The binding that gives each account an object.
pub(crate) const BINDING: &str = "ACCOUNTS";

/// The variable that says which store is served: `d1` although there are objects, while a store is moved to them.
const CHOICE: &str = "STORE";

/// The member of the environment in which the Worker's entry puts [`Objects`].
const OBJECTS: &str = "OBJECTS";

#[wasm_bindgen(wasm_bindgen = worker::wasm_bindgen)]
extern "C" {
    /// The objects of a deployment, by their names.
    #[derive(Clone, Debug)]
    pub(crate) type Objects;

    /// Runs statements as one transaction. Returns the JSON text of an array with the rows of each.
    #[wasm_bindgen(method)]
    fn run(this: &Objects, name: &str, statements: Array) -> Promise;

    /// As `run`, for a capture: the log will be told.
    #[wasm_bindgen(method)]
    fn append(this: &Objects, name: &str, statements: Array) -> Promise;

    /// Wakes the log, so that it looks for events without a leaf, and asks its witnesses.
    #[wasm_bindgen(method)]
    fn wake(this: &Objects) -> Promise;
}

impl Objects {
    /// The objects; `None` if the deployment has no binding for them, or still serves D1.
    ///
    /// # Errors
    /// The deployment has the binding, but its Worker was built without the class; an unknown value of the variable `STORE`;
    /// `objects` without the binding.
    pub(crate) fn of(env: &Env) -> worker::Result<Option<Self>> {
        let choice = env.var(CHOICE).map(|value| value.to_string());
        let must_have = match choice.as_deref() {
            Err(_) | Ok("") => false,
            Ok("objects") => true,
            Ok("d1") => return Ok(None),
            Ok(_) => {
                let should = format!("the variable {CHOICE} must be d1, objects or empty");
                return Err(worker::Error::RustError(should));
            }
        };
        match (member(env, BINDING), member(env, OBJECTS)) {
            (None, _) if must_have => {
                let missing = format!(
                    "the variable {CHOICE} is objects, and the binding {BINDING} is missing"
                );
                Err(worker::Error::RustError(missing))
            }
            (None, _) => Ok(None),
            (Some(_), Some(objects)) => Ok(Some(objects.unchecked_into())),
            (Some(_), None) => Err(worker::Error::RustError(format!(
                "the binding {BINDING} needs the Worker with the class: deploy worker/build/objects.js"
            ))),
        }
    }

    /// Wakes the log.
    ///
    /// # Errors
    /// The log is not available.
    pub(crate) async fn wake_log(&self) -> Result<(), Error> {
        JsFuture::from(self.wake()).await.map_err(|said| Refusal::of(&said).of_reading())?;
        Ok(())
    }
}

/// How many accounts have a queue.
const QUEUES: usize = 1000;

/// The most statements in a call. Cloudflare counts the call, not its statements.
const STATEMENTS: usize = 1000;

/// The captures of an isolate that wait for the object of their account, by the number of the account.
#[derive(Debug, Default)]
pub(crate) struct Captures(RefCell<BTreeMap<u64, Rc<Queue<AppendedRow>>>>);

impl Captures {
    fn of(&self, number: u64) -> Rc<Queue<AppendedRow>> {
        let mut queues = self.0.borrow_mut();
        if queues.len() >= QUEUES {
            queues.clear();
        }
        Rc::clone(queues.entry(number).or_insert_with(|| Rc::new(Queue::of(STATEMENTS))))
    }
}

/// An object as a database.
#[derive(Debug)]
pub(crate) struct Object {
    objects: Objects,
    name: String,
    captures: Rc<Queue<AppendedRow>>,
}

impl Object {
    /// The object of an account, by the number of the account.
    pub(crate) fn of_account(objects: &Objects, number: u64, captures: &Captures) -> Self {
        let captures = captures.of(number);
        Self { objects: objects.clone(), name: format!("a{number}"), captures }
    }

    /// The object of the log.
    pub(crate) fn of_log(objects: &Objects) -> Self {
        Self {
            objects: objects.clone(),
            name: "log".to_owned(),
            captures: Rc::new(Queue::of(STATEMENTS)),
        }
    }

    /// As [`Database::rows`](super::Database::rows).
    pub(super) async fn rows<T: DeserializeOwned>(
        &self,
        statement: Statement,
    ) -> Result<Vec<T>, Error> {
        let all: Vec<Vec<T>> = self.batch(vec![statement]).await?;
        Ok(all.into_iter().flatten().collect())
    }

    /// Runs statements as one transaction and returns the rows of each.
    pub(super) async fn batch<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        let promise = self.objects.run(&self.name, sent(statements));
        rows_of(promise, Refusal::of_reading).await
    }

    /// As [`Database::append`](super::Database::append). Small captures of an account are sent together.
    pub(super) async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Receipt, Error> {
        epcis_edge_sql::append(
            Dialect::Sqlite,
            batch,
            job,
            epcis_edge_sql::AT_ONCE,
            async |statements| {
                let send = async |statements| {
                    let promise = self.objects.append(&self.name, sent(statements));
                    rows_of(promise, Refusal::of_append).await
                };
                let rows = self.captures.run(statements, send).await?;
                Ok(rows.into_iter().flatten().collect())
            },
        )
        .await
    }
}

/// Statements as `[[text, values], …]`.
fn sent(statements: Vec<Statement>) -> Array {
    let statements = statements.into_iter().map(|Statement { text, values }| {
        let values: Array = values
            .into_iter()
            .map(|value| match value {
                // Sequences and positions are below 2^53: see `query::account_of` of the core.
                Value::Integer(number) => JsValue::from_f64(number as f64),
                Value::Text(text) => JsValue::from_str(&text),
            })
            .collect();
        Array::of2(&JsValue::from_str(&text), &values)
    });
    statements.collect()
}

/// The rows of each statement. `refused` makes the error of a call that failed.
async fn rows_of<T: DeserializeOwned>(
    promise: Promise,
    refused: fn(Refusal) -> Error,
) -> Result<Vec<Vec<T>>, Error> {
    let text = JsFuture::from(promise).await.map_err(|said| refused(Refusal::of(&said)))?;
    let text = text.dyn_into::<JsString>().map_err(|_| fault("the object returned no text"))?;
    serde_json::from_str(&String::from(text)).map_err(fault)
}

/// Why a call of an object failed.
#[derive(Debug)]
struct Refusal {
    detail: String,
    /// SQLite refused a statement, and the transaction did nothing.
    is_of_statement: bool,
    /// The object has too much to do, and the call did not reach it.
    is_overloaded: bool,
}

impl Refusal {
    /// The refusal that a rejected promise tells of.
    ///
    /// What a statement throws is `remote`. All other errors are the platform's: the object ended before the call or during it, or the
    /// connection to it did. An object that ended because it used too much is `overloaded`, too.
    fn of(said: &JsValue) -> Self {
        let member = |name: &str| Reflect::get(said, &JsValue::from_str(name)).ok();
        let is = |name: &str| member(name).is_some_and(|value| value.is_truthy());
        let detail = member("message").and_then(|message| message.as_string());
        let is_overloaded = is("overloaded");
        let has_ended = is("durableObjectReset");
        Self {
            detail: detail.unwrap_or_else(|| format!("{said:?}")),
            is_of_statement: is("remote") && !is("retryable") && !is_overloaded && !has_ended,
            is_overloaded: is_overloaded && !has_ended,
        }
    }

    /// The error if the call may be repeated.
    fn of_reading(self) -> Error {
        if self.is_of_statement { sqlite_fault(self.detail) } else { unavailable(self.detail) }
    }

    /// The error of an append. If its answer did not come, it may be stored.
    fn of_append(self) -> Error {
        let is_settled = self.is_of_statement || self.is_overloaded;
        let error = self.of_reading();
        if is_settled { error } else { unsettled(&error) }
    }
}
