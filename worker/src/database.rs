//! The database that runs the statements: an object if the deployment has the binding `ACCOUNTS`, otherwise D1.

mod d1;
mod object;
mod queue;

use d1::D1;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::store::{Batch, NewJob, Receipt};
use epcis_edge_sql::store::Database;
use epcis_edge_sql::{Dialect, KeyRow, Statement};
pub(crate) use object::{Captures, Object, Objects};
use serde::de::DeserializeOwned;
use worker::Env;
use worker::js_sys::Reflect;
use worker::wasm_bindgen::JsValue;

/// A database, shared by all requests of an isolate.
#[derive(Debug)]
pub(crate) enum WorkerDatabase {
    /// D1, the binding `DB`.
    D1(D1),
    /// An object, of the binding `ACCOUNTS`.
    Object(Object),
}

impl WorkerDatabase {
    /// The database of the binding `DB`.
    ///
    /// # Errors
    /// The binding is missing.
    pub(crate) fn new(env: &Env) -> worker::Result<Self> {
        D1::of(env).map(Self::D1)
    }
}

impl Database for WorkerDatabase {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    async fn rows<T: DeserializeOwned>(&self, statement: Statement) -> Result<Vec<T>, Error> {
        match self {
            Self::D1(database) => database.rows(statement).await,
            Self::Object(object) => object.rows(statement).await,
        }
    }

    async fn key(&self, statement: Statement) -> Result<Vec<KeyRow>, Error> {
        match self {
            Self::D1(database) => database.key(statement).await,
            Self::Object(object) => object.rows(statement).await,
        }
    }

    async fn read<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        match self {
            Self::D1(database) => database.batch(statements).await,
            Self::Object(object) => object.batch(statements).await,
        }
    }

    async fn write_log<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        // Either runs one transaction at a time.
        self.read(statements).await
    }

    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Receipt, Error> {
        match self {
            Self::D1(database) => database.append(batch, job).await,
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
