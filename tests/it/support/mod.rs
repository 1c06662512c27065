//! The Worker's store over real SQLite, with its migrations, D1's limits, and faults on demand; in `postgres.rs` that of the server over
//! PostgreSQL.

pub mod description;
pub mod postgres;

use async_trait::async_trait;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::store::{Batch, DocumentDigest, Documents, MemoryStore, NewJob, Receipt};
use epcis_edge_sql::store::{Copies, Database, DatabaseStore};
use epcis_edge_sql::{self as sql, AppendedRow, Dialect, Statement, Value};
use epcis_edge_tests::{entries, read_text, repository};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params_from_iter};
use serde::de::DeserializeOwned;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A row by column names.
pub type NamedRow = serde_json::Map<String, serde_json::Value>;

/// The Worker's D1 store, over SQLite.
pub type SqliteStore = DatabaseStore<TestDatabase, TestDocuments>;

/// A store over a new SQLite database.
pub fn empty_sqlite() -> Rc<SqliteStore> {
    let connection = Connection::open_in_memory().unwrap();
    for migration in entries(&repository().join("worker/migrations")) {
        connection.execute_batch(&read_text(&migration)).unwrap();
    }
    store_over(connection)
}

/// A store over a database whose tables exist.
pub fn store_over(connection: Connection) -> Rc<SqliteStore> {
    let database = TestDatabase {
        connection,
        dies_after: Cell::new(None),
        is_down: Cell::new(false),
        answered: Cell::new((0, 0)),
        at_once: Cell::new(sql::AT_ONCE),
        wide_from: Cell::new(sql::WIDE),
    };
    Rc::new(DatabaseStore::over(database, TestDocuments::default()))
}

/// A database, with faults on demand.
pub struct TestDatabase {
    pub connection: Connection,
    /// The number of statements after which the next one fails, if any.
    pub dies_after: Cell<Option<usize>>,
    /// Whether the database refuses connections.
    pub is_down: Cell<bool>,
    /// How many statements it has run, and how many rows they returned.
    pub answered: Cell<(usize, usize)>,
    /// The most bytes of rows sent in one batch.
    pub at_once: Cell<usize>,
    /// The number of terms from which a condition counts as wide.
    pub wide_from: Cell<u64>,
}

/// Documents and copies in memory.
#[derive(Default)]
pub struct TestDocuments {
    documents: MemoryStore,
    /// The digest of a document that is lost.
    pub lost: RefCell<Option<String>>,
    copies: RefCell<BTreeMap<String, String>>,
}

#[async_trait(?Send)]
impl Documents for TestDocuments {
    async fn keep(&self, digest: &DocumentDigest, document: &[u8]) -> Result<(), Error> {
        self.documents.keep(digest, document).await
    }

    async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        if self.lost.borrow().as_deref() == Some(&digest.to_string()) {
            return Ok(None);
        }
        self.documents.document(digest).await
    }
}

impl Copies for TestDocuments {
    async fn copy(&self, name: &str) -> Result<Option<String>, Error> {
        Ok(self.copies.borrow().get(name).cloned())
    }

    async fn keep_copy(&self, name: &str, text: String) -> Result<(), Error> {
        self.copies.borrow_mut().insert(name.to_owned(), text);
        Ok(())
    }
}

impl TestDatabase {
    /// Runs a statement, whatever its limits. Returns its rows.
    pub fn named(&self, statement: &Statement) -> Result<Vec<NamedRow>, Error> {
        let values = statement.values.iter().map(|value| match value {
            Value::Integer(number) => rusqlite::types::Value::from(*number),
            Value::Text(text) => rusqlite::types::Value::from(text.clone()),
        });
        let fault =
            |error: rusqlite::Error| sql::sqlite_fault(format!("{error}: {}", statement.text));
        let mut prepared = self.connection.prepare_cached(&statement.text).map_err(fault)?;
        let names: Vec<String> = prepared.column_names().into_iter().map(str::to_owned).collect();
        let mut rows = prepared.query(params_from_iter(values)).map_err(fault)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(fault)? {
            let members = names.iter().enumerate().map(|(at, name)| {
                let value = match row.get_ref(at).unwrap() {
                    ValueRef::Null => serde_json::Value::Null,
                    ValueRef::Integer(number) => number.into(),
                    ValueRef::Text(text) => String::from_utf8(text.to_vec()).unwrap().into(),
                    other => panic!("{other:?}"),
                };
                (name.clone(), value)
            });
            found.push(members.collect());
        }
        Ok(found)
    }

    fn run<T: DeserializeOwned>(&self, statement: &Statement) -> Result<Vec<T>, Error> {
        if self.is_down.get() {
            let detail = "connection refused".to_owned();
            return Err(Error::new(ErrorKind::Unavailable { seconds: 5, detail }));
        }
        // The limits of D1.
        assert!(statement.values.len() <= 100, "{}", statement.text);
        assert!(statement.text.len() < 100_000);
        for value in &statement.values {
            if let Value::Text(text) = value {
                assert!(text.len() < 2_000_000, "{} bytes", text.len());
            }
        }
        let rows = self.named(statement)?.into_iter();
        let (statements, before) = self.answered.get();
        self.answered.set((statements + 1, before + rows.len()));
        let read = |row| serde_json::from_value(serde_json::Value::Object(row)).unwrap();
        Ok(rows.map(read).collect())
    }

    /// Runs statements of a transaction. `ran` counts its statements so far.
    fn piece<T: DeserializeOwned>(
        &self,
        statements: &[Statement],
        ran: &Cell<usize>,
    ) -> Result<Vec<T>, Error> {
        let mut rows = Vec::new();
        for statement in statements {
            let is_killed = self.dies_after.get() == Some(ran.get());
            ran.set(ran.get() + 1);
            if is_killed {
                return Err(Error::new(ErrorKind::Internal { detail: "killed".to_owned() }));
            }
            rows.extend(self.run(statement)?);
        }
        Ok(rows)
    }

    /// Runs a transaction, which is rolled back after an error.
    fn at_once<T>(&self, run: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        // Tests may have begun a transaction, to undo what they change.
        self.connection.execute_batch("SAVEPOINT begun").unwrap();
        let result = run();
        let end = if result.is_ok() { "" } else { "ROLLBACK TO begun; " };
        self.connection.execute_batch(&format!("{end}RELEASE begun")).unwrap();
        result
    }
}

impl Database for TestDatabase {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn wide_from(&self) -> u64 {
        self.wide_from.get()
    }

    async fn rows<T: DeserializeOwned>(&self, statement: Statement) -> Result<Vec<T>, Error> {
        self.run(&statement)
    }

    async fn read<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        self.at_once(|| statements.iter().map(|each| self.run(each)).collect())
    }

    async fn write_log<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        self.read(statements).await
    }

    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Receipt, Error> {
        let ran = Cell::new(0);
        let run = async |statements: Vec<Statement>| {
            self.at_once(|| self.piece::<AppendedRow>(&statements, &ran))
        };
        sql::append(Dialect::Sqlite, batch, job, self.at_once.get(), run).await
    }
}
