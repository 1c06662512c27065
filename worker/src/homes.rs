//! The homes of a gateway: a database for each, found by their bindings.

use crate::database::HomeDatabase;
use crate::documents::DocumentStore;
use epcis_edge_core::error::Error;
use epcis_edge_core::query::MAX_HOMES;
use epcis_edge_core::service::{Configuration, Service};
use epcis_edge_core::store::{Home, Homes, HomesMemory};
use epcis_edge_sql::store::DatabaseStore;
use std::rc::Rc;
use worker::Env;

/// The store of one home: a database in D1 or PostgreSQL, documents in KV or R2.
type HomeStore = DatabaseStore<HomeDatabase, DocumentStore>;

/// The service of a gateway, and the stores of its homes.
pub(crate) struct Opened {
    pub(crate) service: Service,
    homes: Vec<Rc<HomeStore>>,
}

/// The service over the bindings of the environment.
///
/// The first home has `HYPERDRIVE`; the others have the same name with `_1`, `_2` and so on. Without `HYPERDRIVE`, `DB` is the only
/// home. All have `DOCUMENTS_KV` and, if there is one, `DOCUMENTS_BUCKET`.
///
/// # Errors
/// A missing binding, or an unknown value of the variable that selects one; the message names it.
pub(crate) fn open(
    env: &Env,
    configuration: Configuration,
    memory: &Rc<HomesMemory>,
) -> worker::Result<Opened> {
    let home = |number| {
        let database = HomeDatabase::new(env, number)?;
        Ok::<_, worker::Error>(Rc::new(DatabaseStore::over(database, DocumentStore::of(env)?)))
    };
    let mut homes = vec![home(0)?];
    for number in 1..MAX_HOMES {
        if !HomeDatabase::is_bound(env, number) {
            break;
        }
        homes.push(home(number)?);
    }
    let stores = homes.iter().map(|home| Rc::clone(home) as Rc<dyn Home>).collect();
    let store = Rc::new(Homes::remembering(stores, Rc::clone(memory)));
    Ok(Opened { service: Service::with_store(configuration, store), homes })
}

impl Opened {
    /// Whether it can serve all requests, not only the one that it was made for.
    pub(crate) fn is_shared(&self) -> bool {
        self.homes.iter().all(|store| store.database().is_shared())
    }

    /// Whether events were appended since the last call.
    pub(crate) fn take_growth(&self) -> bool {
        // All are asked: each forgets that it has grown.
        let grown = self.homes.iter().filter(|store| store.take_growth());
        grown.count() > 0
    }

    /// Takes the turn of the log for this many milliseconds; false if it was not free. Over D1 it always is.
    ///
    /// # Errors
    /// A fault of the storage.
    pub(crate) async fn take_log_turn(&self, milliseconds: u64) -> Result<bool, Error> {
        match self.homes.first() {
            Some(first) => first.take_log_turn(milliseconds).await,
            None => Ok(false),
        }
    }
}
