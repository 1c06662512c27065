//! The store of a gateway: one database for all accounts, or an object for each.

use crate::database::{Captures, Object, Objects, WorkerDatabase};
use crate::documents::DocumentStore;
use epcis_edge_core::service::{Configuration, Service};
use epcis_edge_core::store::{Account, Accounts};
use epcis_edge_sql::store::DatabaseStore;
use std::rc::Rc;
use worker::Env;

/// Events in a database, documents in KV or R2.
type WorkerStore = DatabaseStore<WorkerDatabase, DocumentStore>;

/// The service of a gateway, and its store.
pub(crate) struct Opened {
    pub(crate) service: Service,
    store: Opening,
}

/// Where the events are.
enum Opening {
    /// In one database, which has everything else, too.
    Together(Rc<WorkerStore>),
    /// In an object for each account.
    Apart(Objects),
}

/// The service over the bindings of the environment.
///
/// With `ACCOUNTS`, each account has an object, the log has another, and `DB` has keys, accounts and named queries. Without it,
/// `DB` has everything. Both have `DOCUMENTS_KV` and, if there is one, `DOCUMENTS_BUCKET`.
///
/// # Errors
/// A missing binding, or an unknown value of the variable that selects one; the message names it.
pub(crate) fn open(env: &Env, configuration: Configuration) -> worker::Result<Opened> {
    let documents = DocumentStore::of(env)?;
    let first = |documents| {
        Ok::<_, worker::Error>(Rc::new(DatabaseStore::over(WorkerDatabase::new(env)?, documents)))
    };
    let Some(objects) = Objects::of(env)? else {
        let store = first(documents)?;
        let service = Service::with_store(configuration, Rc::clone(&store) as _);
        return Ok(Opened { service, store: Opening::Together(store) });
    };
    let over =
        |object, documents| Rc::new(DatabaseStore::over(WorkerDatabase::Object(object), documents));
    let accounts = Accounts {
        directory: first(documents.clone())?,
        log: over(Object::of_log(&objects), documents.clone()),
        documents: Rc::new(documents.clone()),
        open: {
            let (objects, captures) = (objects.clone(), Captures::default());
            Box::new(move |number| {
                let object = Object::of_account(&objects, number, &captures);
                Ok(over(object, documents.clone()) as Rc<dyn Account>)
            })
        },
        memory: Rc::default(),
    };
    let service = Service::with_store(configuration, Rc::new(accounts));
    Ok(Opened { service, store: Opening::Apart(objects) })
}

impl Opened {
    /// The objects of the accounts, if each account has one: the object of the log gives leaves then.
    pub(crate) fn objects(&self) -> Option<&Objects> {
        match &self.store {
            Opening::Together(_) => None,
            Opening::Apart(objects) => Some(objects),
        }
    }

    /// Whether events were appended since the last call, and this isolate gives them their leaves.
    pub(crate) fn take_growth(&self) -> bool {
        match &self.store {
            Opening::Together(store) => store.take_growth(),
            Opening::Apart(_) => false,
        }
    }
}
