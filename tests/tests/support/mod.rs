//! The store of a deployment over real SQLite, or over PostgreSQL for suites with `postgres.rs`: its migrations, its statements,
//! and D1's limits.

use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::query::Places;
use epcis_edge_core::store::{
    AlreadyStored, AppendResult, Batch, DocumentDigest, Documents, ElementSelection, Events,
    FoundElements, IdentifierSelection, JobEvents, Jobs, Key, Keys, Listed, MasterData,
    MasterDataBacklog, MemoryStore, NamedQuery, NewElement, NewJob, Queries, QueryPut, Selected,
    Selection, StoredEvent, StoredJob, UnreadCapture, ValueSelection, Values,
};
use epcis_edge_tests::{entries, read_text, repository};
use epcis_edge_worker::sql::{
    self, AppendedRow, Dialect, ElementRow, Handing, IdentifierRow, JobRow, KeyRow, KnownRow,
    NewestRow, Parts, QueryRow, Statement, Survey, SurveyedRow, UnreadCaptureRow, Value, ValueRow,
    Wide,
};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params_from_iter};
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

mod homes;
mod log;

/// A row by column names.
pub type NamedRow = serde_json::Map<String, serde_json::Value>;

/// A database that runs statements.
pub trait Engine {
    fn dialect(&self) -> Dialect;

    /// Runs a statement. Returns its rows.
    fn rows(&self, statement: &Statement) -> Result<Vec<NamedRow>, Error>;

    fn begin(&self);

    fn commit(&self);

    fn rollback(&self);
}

/// The Worker's D1 store, over SQLite.
pub type SqliteStore = DatabaseStore<Connection>;

/// The Worker's store over a database. Documents stay in memory.
pub struct DatabaseStore<E> {
    pub connection: E,
    documents: MemoryStore,
    /// The number of statements after which the next one fails, if any.
    pub dies_after: Cell<Option<usize>>,
    /// Whether captures store their master data, as older versions of the gateway did not.
    pub keeps_master_data: Cell<bool>,
    /// The digest of a document that is lost.
    pub lost: RefCell<Option<String>>,
    /// Whether the database refuses connections.
    pub is_down: Cell<bool>,
    /// The most bytes of rows sent in one batch.
    pub at_once: Cell<usize>,
    /// The number of captures so far.
    handed_in: Cell<u64>,
    /// The number of terms from which a condition counts as wide.
    pub wide_from: Cell<u64>,
    /// The copy of the newest head.
    pub copy: RefCell<Option<String>>,
    /// The copies of the heads signed as a witness, by log.
    pub witnessed_copies: RefCell<BTreeMap<String, String>>,
}

impl SqliteStore {
    pub fn new() -> Self {
        let connection = Connection::open_in_memory().unwrap();
        for migration in entries(&repository().join("worker/migrations")) {
            connection.execute_batch(&read_text(&migration)).unwrap();
        }
        Self::over(connection)
    }
}

impl Engine for Connection {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn rows(&self, statement: &Statement) -> Result<Vec<NamedRow>, Error> {
        let values = statement.values.iter().map(|value| match value {
            Value::Integer(number) => rusqlite::types::Value::from(*number),
            Value::Text(text) => rusqlite::types::Value::from(text.clone()),
        });
        let fault = |error: rusqlite::Error| {
            Error::new(ErrorKind::Internal {
                detail: format!("{error}: {}", statement.text),
            })
        };
        let mut prepared = self.prepare_cached(&statement.text).map_err(fault)?;
        let names: Vec<String> = prepared
            .column_names()
            .into_iter()
            .map(str::to_owned)
            .collect();
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

    fn begin(&self) {
        self.execute_batch("BEGIN IMMEDIATE").unwrap();
    }

    fn commit(&self) {
        self.execute_batch("COMMIT").unwrap();
    }

    fn rollback(&self) {
        self.execute_batch("ROLLBACK").unwrap();
    }
}

impl<E: Engine> DatabaseStore<E> {
    /// A store over a database whose tables exist.
    pub fn over(connection: E) -> Self {
        Self {
            connection,
            documents: MemoryStore::new(),
            dies_after: Cell::new(None),
            keeps_master_data: Cell::new(true),
            lost: RefCell::new(None),
            is_down: Cell::new(false),
            at_once: Cell::new(sql::AT_ONCE),
            handed_in: Cell::new(0),
            wide_from: Cell::new(sql::WIDE),
            copy: RefCell::new(None),
            witnessed_copies: RefCell::default(),
        }
    }

    fn survey(&self, selection: &Selection<'_>) -> Result<(Wide, Parts), Error> {
        let dialect = self.connection.dialect();
        let mut survey = Survey::of(dialect, selection, self.wide_from.get());
        let widths: Vec<SurveyedRow> = match survey.statement.take() {
            Some(statement) => self.rows(&statement)?,
            None => Vec::new(),
        };
        survey.answered(&widths, selection)
    }

    fn rows<T: DeserializeOwned>(&self, statement: &Statement) -> Result<Vec<T>, Error> {
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
        let rows = self.connection.rows(statement)?.into_iter();
        let read = |row| serde_json::from_value(serde_json::Value::Object(row)).unwrap();
        Ok(rows.map(read).collect())
    }

    /// Runs statements of a transaction. `ran` counts its statements so far.
    fn piece(
        &self,
        statements: &[Statement],
        ran: &Cell<usize>,
    ) -> Result<Vec<AppendedRow>, Error> {
        let mut rows = Vec::new();
        for statement in statements {
            let is_killed = self.dies_after.get() == Some(ran.get());
            ran.set(ran.get() + 1);
            if is_killed {
                return Err(Error::new(ErrorKind::Internal {
                    detail: "killed".to_owned(),
                }));
            }
            rows.extend(self.rows(statement)?);
        }
        Ok(rows)
    }

    /// Runs statements that store master data as one transaction. The connection is the only one, so no turn is taken.
    /// `dies_after` counts the statements of all such transactions.
    fn transaction(&self, statements: &[Statement]) -> Result<(), Error> {
        self.connection.begin();
        let ran = Cell::new(0);
        let result = self.ended(self.piece(statements, &ran)).map(drop);
        let left = self.dies_after.get();
        self.dies_after
            .set(left.map(|left| left.saturating_sub(ran.get())));
        result
    }

    /// Commits or rolls back a transaction, depending on its result.
    fn ended<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        match &result {
            Ok(_) => self.connection.commit(),
            Err(_) => self.connection.rollback(),
        }
        result
    }
}

impl<E: Engine> Events for DatabaseStore<E> {
    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<AppendResult, Error> {
        let ran = Cell::new(0);
        let mut batch = Cow::Borrowed(batch);
        if !self.keeps_master_data.get() {
            batch.to_mut().master_data.clear();
        }
        let batch = batch.as_ref();
        if self.connection.dialect() == Dialect::Sqlite {
            let appended = sql::append(batch, job, self.at_once.get(), async |statements| {
                self.connection.begin();
                self.ended(self.piece(&statements, &ran))
            });
            return sql::appending(appended.await);
        }
        self.handed_in.set(self.handed_in.get() + 1);
        let token = self.handed_in.get().to_string();
        for handing in sql::handing_in(batch, job, &token) {
            match handing? {
                Handing::Aside(statement) => drop(self.piece(&[statement], &ran)?),
                Handing::Last { store, settle } => {
                    let stored = self.piece(&[store], &ran);
                    let stored = stored.and_then(|_| self.piece(&[settle], &ran));
                    return sql::appending(stored.and_then(sql::appended));
                }
            }
        }
        unreachable!("a capture has an end")
    }

    async fn known(&self, batch: &Batch, account: &str) -> Result<AlreadyStored, Error> {
        let mut rows: Vec<KnownRow> = Vec::new();
        for statement in sql::look_up(self.connection.dialect(), batch, account) {
            rows.extend(self.rows::<KnownRow>(&statement)?);
        }
        sql::known(rows)
    }

    async fn numbered(&self, sequences: &[u64], bytes: usize) -> Result<Vec<StoredEvent>, Error> {
        let statement = sql::numbered(self.connection.dialect(), sequences, bytes);
        sql::numbered_of(self.rows(&statement)?)
    }

    async fn select(&self, selection: &Selection<'_>) -> Result<Selected, Error> {
        let dialect = self.connection.dialect();
        let (wide, parts) = self.survey(selection)?;
        let ask = async |part| {
            let rows = self.rows(&sql::select(dialect, selection, &wide, part))?;
            sql::selected(selection, rows)
        };
        parts.look(ask).await
    }

    async fn newest_events(&self) -> Result<Places, Error> {
        let rows: Vec<NewestRow> = self.rows(&sql::newest_events(self.connection.dialect()))?;
        Ok(sql::newest_of(&rows))
    }
}

impl<E: Engine> Documents for DatabaseStore<E> {
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

impl<E: Engine> Keys for DatabaseStore<E> {
    async fn key(&self, id: &str) -> Result<Option<Key>, Error> {
        let mut rows: Vec<KeyRow> = self.rows(&sql::key(id))?;
        rows.pop().map(Key::try_from).transpose()
    }
}

impl<E: Engine> Jobs for DatabaseStore<E> {
    async fn jobs(
        &self,
        account: &str,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<StoredJob>, Error> {
        let rows: Vec<JobRow> = self.rows(&sql::jobs(account, before, limit))?;
        Ok(rows.into_iter().map(StoredJob::from).collect())
    }

    async fn job_events(
        &self,
        account: &str,
        number: u64,
        limit: usize,
    ) -> Result<JobEvents, Error> {
        let rows = self.rows(&sql::job_events(account, number, limit))?;
        Ok(sql::job_events_of(rows))
    }
}

impl<E: Engine> Values for DatabaseStore<E> {
    async fn values(&self, selection: &ValueSelection<'_>) -> Result<Listed, Error> {
        let rows: Vec<ValueRow> = self.rows(&sql::values(self.connection.dialect(), selection))?;
        Ok(sql::values_of(selection, rows))
    }
}

impl<E: Engine> MasterData for DatabaseStore<E> {
    async fn newest_elements(&self) -> Result<Places, Error> {
        let rows: Vec<NewestRow> = self.rows(&sql::newest_elements())?;
        Ok(sql::newest_of(&rows))
    }

    async fn identifiers(&self, selection: &IdentifierSelection<'_>) -> Result<Vec<String>, Error> {
        let statement = sql::identifiers(self.connection.dialect(), selection);
        let rows: Vec<IdentifierRow> = self.rows(&statement)?;
        sql::identifiers_of(rows)
    }

    async fn elements(&self, selection: &ElementSelection<'_>) -> Result<FoundElements, Error> {
        let rows: Vec<ElementRow> =
            self.rows(&sql::elements(self.connection.dialect(), selection))?;
        Ok(sql::elements_of(selection, rows))
    }
}

impl<E: Engine> MasterDataBacklog for DatabaseStore<E> {
    async fn unread_captures(&self, limit: usize) -> Result<Vec<UnreadCapture>, Error> {
        self.transaction(&[sql::begin_backlog()])?;
        let rows: Vec<UnreadCaptureRow> = self.rows(&sql::unread_captures(limit))?;
        rows.into_iter().map(UnreadCapture::try_from).collect()
    }

    async fn fill(&self, capture: &UnreadCapture, elements: &[NewElement]) -> Result<(), Error> {
        for statements in sql::fill(self.connection.dialect(), capture, elements) {
            self.transaction(&statements?)?;
        }
        Ok(())
    }
}

impl<E: Engine> Queries for DatabaseStore<E> {
    async fn put_query(
        &self,
        account: &str,
        query: &NamedQuery,
        limit: usize,
    ) -> Result<QueryPut, Error> {
        let put = self.rows(&sql::put_query(account, query, limit))?;
        let named = self.rows(&sql::query_named(account, &query.name))?;
        Ok(sql::query_put(&put, &named))
    }

    async fn query_named(&self, account: &str, name: &str) -> Result<Option<NamedQuery>, Error> {
        let mut rows: Vec<QueryRow> = self.rows(&sql::query_named(account, name))?;
        Ok(rows.pop().map(NamedQuery::from))
    }

    async fn queries(
        &self,
        account: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<NamedQuery>, Error> {
        let rows: Vec<QueryRow> = self.rows(&sql::queries(account, after, limit))?;
        Ok(rows.into_iter().map(NamedQuery::from).collect())
    }

    async fn remove_query(&self, account: &str, name: &str) -> Result<bool, Error> {
        let rows: Vec<QueryRow> = self.rows(&sql::remove_query(account, name))?;
        Ok(!rows.is_empty())
    }
}
