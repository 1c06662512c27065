//! What runs statements: D1, or PostgreSQL where the deployment has the binding `HYPERDRIVE`.

mod d1;
mod postgres;
mod queue;

use crate::sql::{Dialect, KeyRow, Statement};
use d1::D1;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::store::{Batch, NewJob, Receipt};
use postgres::Session;
use serde::de::DeserializeOwned;
use worker::Env;

/// A database of one of the two engines.
#[derive(Debug)]
pub(crate) enum Database {
    /// D1: one for all requests of an isolate.
    D1(D1),
    /// A session with PostgreSQL: of one request alone.
    Postgres(Session),
}

impl Database {
    /// The database of the bindings: `HYPERDRIVE` where there is one, `DB` otherwise.
    ///
    /// # Errors
    /// A binding that the deployment has not; the message names it.
    pub(crate) fn new(env: &Env) -> worker::Result<Self> {
        match Session::of(env)? {
            Some(session) => Ok(Self::Postgres(session)),
            None => Ok(Self::D1(D1::of(env)?)),
        }
    }

    /// Whether it may serve other requests than the one that it was made for.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self, Self::D1(..))
    }

    /// How its statements are spelt.
    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::D1(..) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Runs one statement; its rows.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] with what the database says; [`ErrorKind::Unavailable`] where it cannot be asked for now.
    pub(crate) async fn rows<T: DeserializeOwned>(
        &self,
        statement: Statement,
    ) -> Result<Vec<T>, Error> {
        match self {
            Self::D1(database) => database.rows(statement).await,
            Self::Postgres(session) => session.rows(statement).await,
        }
    }

    /// The row of a key.
    ///
    /// # Errors
    /// As [`rows`](Self::rows).
    pub(crate) async fn key(&self, statement: Statement) -> Result<Vec<KeyRow>, Error> {
        match self {
            Self::D1(database) => database.key(statement).await,
            Self::Postgres(session) => session.rows(statement).await,
        }
    }

    /// Runs statements that only read, at one moment; the rows of each.
    ///
    /// # Errors
    /// As [`rows`](Self::rows).
    pub(crate) async fn read<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        match self {
            Self::D1(database) => database.batch(statements).await,
            Self::Postgres(session) => session.batch(statements, None).await,
        }
    }

    /// Runs statements that write to the log as one transaction, all of them or none, after others that do; the rows of each.
    ///
    /// # Errors
    /// As [`rows`](Self::rows); nothing was done then.
    pub(crate) async fn write_log<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        match self {
            Self::D1(database) => database.batch(statements).await,
            Self::Postgres(session) => {
                session
                    .batch(statements, Dialect::Postgres.log_turn())
                    .await
            }
        }
    }

    /// Appends the events of a capture and its job: see `Events::append` of the core.
    ///
    /// # Errors
    /// As [`rows`](Self::rows); nothing was appended then.
    pub(crate) async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Receipt, Error> {
        match self {
            Self::D1(database) => database.append(batch, job).await,
            Self::Postgres(session) => session.append(batch, job).await,
        }
    }
}

/// After how many seconds callers may ask again where something is away that comes back.
const RETRY_AFTER: u16 = 5;

/// What cannot be asked for now: what it says goes to the log, never to the client.
pub(crate) fn unavailable(error: impl ToString) -> Error {
    Error::new(ErrorKind::Unavailable {
        seconds: RETRY_AFTER,
        detail: error.to_string(),
    })
}

/// A capture of which nobody can tell for now whether it was stored: what the database said goes to the log.
pub(crate) fn unsettled(error: &Error) -> Error {
    Error::new(ErrorKind::Unsettled {
        seconds: RETRY_AFTER,
        detail: format!("{error:?}"),
    })
}

/// What a database, KV or R2 says goes to the log, never to the client.
pub(crate) fn fault(error: impl ToString) -> Error {
    Error::new(ErrorKind::Internal {
        detail: error.to_string(),
    })
}
