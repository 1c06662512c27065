//! The database that runs the statements: an object if the deployment has the binding `ACCOUNTS`, PostgreSQL if it has `HYPERDRIVE`,
//! otherwise D1.

mod d1;
mod object;
mod postgres;
mod queue;

use d1::D1;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::store::{Batch, NewJob, Receipt};
use epcis_edge_sql::store::Database;
use epcis_edge_sql::{Dialect, KeyRow, Statement};
pub(crate) use object::{Captures, Object, Objects};
use postgres::Session;
use serde::de::DeserializeOwned;
use worker::Env;
use worker::js_sys::Reflect;
use worker::wasm_bindgen::JsValue;

/// A database, on one of the engines.
#[derive(Debug)]
pub(crate) enum WorkerDatabase {
    /// D1, shared by all requests of an isolate.
    D1(D1),
    /// A session with PostgreSQL, for one request only.
    Postgres(Session),
    /// An object, shared by all requests of an isolate.
    Object(Object),
}

impl WorkerDatabase {
    /// The database of the binding `HYPERDRIVE`. If there is no such binding, of `DB`.
    ///
    /// # Errors
    /// A missing binding, or `HYPERDRIVE` in a Worker without the driver; the message names the binding.
    pub(crate) fn new(env: &Env) -> worker::Result<Self> {
        match Session::of(env)? {
            Some(session) => Ok(Self::Postgres(session)),
            None => Ok(Self::D1(D1::of(env)?)),
        }
    }

    /// Whether it can serve all requests, not only the one that it was made for.
    pub(crate) fn is_shared(&self) -> bool {
        !matches!(self, Self::Postgres(_))
    }
}

impl Database for WorkerDatabase {
    fn dialect(&self) -> Dialect {
        match self {
            Self::D1(_) | Self::Object(_) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
        }
    }

    async fn rows<T: DeserializeOwned>(&self, statement: Statement) -> Result<Vec<T>, Error> {
        match self {
            Self::D1(database) => database.rows(statement).await,
            Self::Postgres(session) => session.rows(statement).await,
            Self::Object(object) => object.rows(statement).await,
        }
    }

    async fn key(&self, statement: Statement) -> Result<Vec<KeyRow>, Error> {
        match self {
            Self::D1(database) => database.key(statement).await,
            Self::Postgres(session) => session.rows(statement).await,
            Self::Object(object) => object.rows(statement).await,
        }
    }

    async fn read<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        match self {
            Self::D1(database) => database.batch(statements).await,
            Self::Postgres(session) => session.batch(statements, None).await,
            Self::Object(object) => object.batch(statements).await,
        }
    }

    async fn write_log<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        match self {
            Self::D1(database) => database.batch(statements).await,
            Self::Postgres(session) => {
                session.batch(statements, Dialect::Postgres.log_turn()).await
            }
            Self::Object(object) => object.batch(statements).await,
        }
    }

    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Receipt, Error> {
        match self {
            Self::D1(database) => database.append(batch, job).await,
            Self::Postgres(session) => session.append(batch, job).await,
            Self::Object(object) => object.append(batch, job).await,
        }
    }
}

/// An object of the environment.
fn member(env: &Env, name: &str) -> Option<JsValue> {
    let value = Reflect::get(env, &JsValue::from_str(name)).ok();
    value.filter(|value| value.is_object())
}

/// The number of seconds after which callers may repeat a request that failed for a temporary reason.
const RETRY_AFTER: u16 = 5;

/// The error for a service that is temporarily unavailable. Its message goes to the log, never to the client.
pub(crate) fn unavailable(error: impl ToString) -> Error {
    Error::new(ErrorKind::Unavailable { seconds: RETRY_AFTER, detail: error.to_string() })
}

/// The error for a capture that may or may not be stored. The message of the database goes to the log.
pub(crate) fn unsettled(error: &Error) -> Error {
    Error::new(ErrorKind::Unsettled { seconds: RETRY_AFTER, detail: format!("{error:?}") })
}
