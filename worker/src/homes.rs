//! The homes of a gateway: a database for each, found by their bindings.

use crate::database::HomeDatabase;
use crate::documents::DocumentStore;
use crate::store::DatabaseStore;
use epcis_edge_core::error::Error;
use epcis_edge_core::query::MAX_HOMES;
use epcis_edge_core::store::{Homes, HomesMemory};
use std::rc::Rc;
use worker::Env;

/// The store of one home: a database in D1 or PostgreSQL, documents in KV or R2.
type HomeStore = DatabaseStore<HomeDatabase, DocumentStore>;

/// The store of a gateway: one home, or several.
pub(crate) type GatewayStore = Homes<HomeStore>;

/// The store over the bindings of the environment.
///
/// The first home has `HYPERDRIVE`; the others have the same name with `_1`, `_2` and so on. Without `HYPERDRIVE`, `DB` is the only
/// home. All have `DOCUMENTS_KV` and, if there is one, `DOCUMENTS_BUCKET`.
///
/// # Errors
/// A missing binding, or an unknown value of the variable that selects one; the message names it.
pub(crate) fn open(env: &Env, memory: &Rc<HomesMemory>) -> worker::Result<GatewayStore> {
    let home = |number| {
        let database = HomeDatabase::new(env, number)?;
        Ok::<_, worker::Error>(DatabaseStore::over(database, DocumentStore::of(env)?))
    };
    let mut stores = vec![home(0)?];
    for number in 1..MAX_HOMES {
        if !HomeDatabase::is_bound(env, number) {
            break;
        }
        stores.push(home(number)?);
    }
    Ok(Homes::remembering(stores, Rc::clone(memory)))
}

/// What the Worker asks of its store, besides the traits of the core.
pub(crate) trait Shared {
    /// Whether it can serve all requests, not only the one that it was made for.
    fn is_shared(&self) -> bool;

    /// Whether events were appended since the last call.
    fn take_growth(&self) -> bool;

    /// Takes the turn of the log for this many milliseconds; false if it was not free. Over D1 it always is.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn take_log_turn(&self, milliseconds: u64) -> Result<bool, Error>;
}

impl Shared for GatewayStore {
    fn is_shared(&self) -> bool {
        self.stores().iter().all(|store| store.database().is_shared())
    }

    fn take_growth(&self) -> bool {
        // All are asked: each forgets that it has grown.
        let grown = self.stores().iter().filter(|store| store.take_growth());
        grown.count() > 0
    }

    async fn take_log_turn(&self, milliseconds: u64) -> Result<bool, Error> {
        match self.stores().first() {
            Some(first) => first.take_log_turn(milliseconds).await,
            None => Ok(false),
        }
    }
}
