//! The store of a gateway, found by its bindings.

use crate::database::WorkerDatabase;
use crate::documents::DocumentStore;
use epcis_edge_core::error::Error;
use epcis_edge_core::service::{Configuration, Service};
use epcis_edge_sql::store::DatabaseStore;
use std::rc::Rc;
use worker::Env;

/// The service of a gateway, and its store: a database in D1 or PostgreSQL, documents in KV or R2.
pub(crate) struct Opened {
    pub(crate) service: Service,
    store: Rc<DatabaseStore<WorkerDatabase, DocumentStore>>,
}

/// The service over the bindings of the environment: `HYPERDRIVE` or `DB`, `DOCUMENTS_KV` and, if there is one, `DOCUMENTS_BUCKET`.
///
/// # Errors
/// A missing binding, or an unknown value of the variable that selects one; the message names it.
pub(crate) fn open(env: &Env, configuration: Configuration) -> worker::Result<Opened> {
    let store = Rc::new(DatabaseStore::over(WorkerDatabase::new(env)?, DocumentStore::of(env)?));
    let service = Service::with_store(configuration, store.clone());
    Ok(Opened { service, store })
}

impl Opened {
    /// Whether it can serve all requests, not only the one that it was made for.
    pub(crate) fn is_shared(&self) -> bool {
        self.store.database().is_shared()
    }

    /// Whether events were appended since the last call.
    pub(crate) fn take_growth(&self) -> bool {
        self.store.take_growth()
    }

    /// Takes the turn of the log for this many milliseconds; false if it was not free. Over D1 it always is.
    ///
    /// # Errors
    /// A fault of the storage.
    pub(crate) async fn take_log_turn(&self, milliseconds: u64) -> Result<bool, Error> {
        self.store.take_log_turn(milliseconds).await
    }
}
