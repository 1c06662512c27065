//! The database of a server in its folder: SQLite with one writer, and readers beside it.
//!
//! The writer is a thread. What waits for it becomes one transaction, each capture under a savepoint of its own: so the disk is waited for
//! once for all of them, and a capture that fails takes no other with it. A long capture has the transaction for itself, without a savepoint,
//! which would keep a copy of each page in memory.

use crate::spool::Spool;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::store::{Batch, DocumentDigest, NewJob, Receipt};
use epcis_edge_sql::store::{Database, fault};
use epcis_edge_sql::{AppendedRow, Dialect, Statement, Value};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, ToSql, params_from_iter};
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, oneshot};

/// The migrations of the store in SQLite, which D1 has, too.
#[derive(rust_embed::Embed)]
#[folder = "../worker/migrations"]
struct Migrations;

/// The name of the database in the folder of a server.
pub(crate) const FILE: &str = "store.sqlite";

/// Short documents as they were received: what D1 has no table for.
const DOCUMENTS: &str =
    "CREATE TABLE IF NOT EXISTS documents (digest TEXT PRIMARY KEY, bytes BLOB NOT NULL)";

/// The pages that the writer and each reader keep in memory, in KiB.
const CACHE: i64 = 32 << 10;
const CACHE_OF_READER: i64 = 4 << 10;

/// Where SQLite keeps what it sorts and may have to undo: it would have files in a folder of the system, which a container may not have.
const TEMPORARY: &str = "MEMORY";

/// The pages after which the writer moves what it appended to its place: 16 MB.
const CHECKPOINT: u32 = 4096;

/// The most transactions that are committed together.
const TOGETHER: usize = 64;

/// The seconds after which callers may repeat a request that the disk could not serve.
const RETRY_AFTER: u16 = 5;

/// The columns of a row by their names.
type NamedRow = serde_json::Map<String, serde_json::Value>;

/// The rows of each statement.
type Rows = Vec<Vec<NamedRow>>;

/// What a transaction does.
type Work = Box<dyn FnOnce(&Connection) -> Result<Rows, Error> + Send>;

/// A transaction for the writer.
struct Write {
    work: Work,
    /// Whether it has a transaction for itself.
    is_long: bool,
    answer: oneshot::Sender<Result<Rows, Error>>,
}

/// The database, to be shared by threads.
#[derive(Clone, Debug)]
pub(crate) struct Sqlite {
    folder: Arc<Path>,
    writer: mpsc::Sender<Write>,
    readers: Arc<Readers>,
}

/// Connections that read. Each is used by one request at a time.
#[derive(Debug)]
struct Readers {
    file: PathBuf,
    idle: Mutex<Vec<Connection>>,
    places: Semaphore,
}

impl Sqlite {
    /// Opens a database, with its tables made if they are missing, and up to `readers` connections that read at a time.
    ///
    /// # Errors
    /// A file that is no database of ours, or of a later version.
    pub(crate) fn open(file: &Path, readers: usize) -> Result<Self, Error> {
        let (connection, _) = open_and_migrate(file)?;
        let (writer, jobs) = mpsc::channel();
        std::thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || write(&connection, &jobs))
            .map_err(fault)?;
        let readers = Readers {
            file: file.to_owned(),
            idle: Mutex::default(),
            places: Semaphore::new(readers),
        };
        let folder =
            file.parent().ok_or_else(|| Error::impossible("a database without a folder"))?;
        Ok(Self { folder: folder.into(), writer, readers: Arc::new(readers) })
    }

    /// Runs statements as one transaction of the writer.
    async fn write(&self, statements: Vec<Statement>) -> Result<Rows, Error> {
        self.work(false, move |connection| {
            statements.iter().map(|statement| rows(connection, statement)).collect()
        })
        .await
    }

    /// Does work as one transaction of the writer.
    async fn work(
        &self,
        is_long: bool,
        work: impl FnOnce(&Connection) -> Result<Rows, Error> + Send + 'static,
    ) -> Result<Rows, Error> {
        let (answer, answered) = oneshot::channel();
        metrics::gauge!("epcis_edge_queue").increment(1);
        self.writer.send(Write { work: Box::new(work), is_long, answer }).map_err(fault)?;
        answered.await.map_err(fault)?
    }

    /// Keeps a short document, which shares the wait for the disk with all that is written.
    ///
    /// # Errors
    /// A fault of the database.
    pub(crate) async fn keep(&self, digest: &DocumentDigest, bytes: Vec<u8>) -> Result<(), Error> {
        let digest = digest.to_string();
        let insert = "INSERT OR IGNORE INTO documents (digest, bytes) VALUES (?1, ?2)";
        self.work(false, move |connection| {
            let prepared = connection.prepare_cached(insert);
            let done = prepared.and_then(|mut prepared| prepared.execute((digest, bytes)));
            done.map(|_| Rows::new()).map_err(|error| of_sqlite(&error, insert))
        })
        .await
        .map(drop)
    }

    /// A short document.
    ///
    /// # Errors
    /// A fault of the database.
    pub(crate) async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        let digest = digest.to_string();
        let select = "SELECT bytes FROM documents WHERE digest = ?1";
        self.with_reader(move |connection| {
            let mut prepared =
                connection.prepare_cached(select).map_err(|error| of_sqlite(&error, select))?;
            let found = prepared.query_row([digest], |row| row.get(0)).optional();
            found.map_err(|error| of_sqlite(&error, select))
        })
        .await
    }

    /// Runs statements on one snapshot; `None` if one of them writes.
    async fn snapshot(&self, statements: &[Statement]) -> Result<Option<Rows>, Error> {
        let statements = statements.to_vec();
        self.with_reader(move |connection| snapshot(connection, &statements)).await
    }

    async fn with_reader<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let _place = self.readers.places.acquire().await.map_err(fault)?;
        let readers = Arc::clone(&self.readers);
        tokio::task::spawn_blocking(move || readers.run(read)).await.map_err(fault)?
    }
}

impl Readers {
    fn run<T>(&self, read: impl FnOnce(&Connection) -> Result<T, Error>) -> Result<T, Error> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = idle().pop();
        let connection = match kept {
            Some(connection) => connection,
            None => reader(&self.file).map_err(|error| of_sqlite(&error, "open"))?,
        };
        let found = read(&connection);
        // A connection that failed may be in the middle of a transaction.
        if found.is_ok() {
            idle().push(connection);
        }
        found
    }
}

fn snapshot(connection: &Connection, statements: &[Statement]) -> Result<Option<Rows>, Error> {
    for statement in statements {
        let prepared = connection.prepare_cached(&statement.text);
        if !prepared.map_err(|error| of_sqlite(&error, &statement.text))?.readonly() {
            return Ok(None);
        }
    }
    if let [statement] = statements {
        return Ok(Some(vec![rows(connection, statement)?]));
    }
    run(connection, "BEGIN")?;
    let all: Result<Rows, Error> =
        statements.iter().map(|statement| rows(connection, statement)).collect();
    run(connection, "COMMIT")?;
    all.map(Some)
}

/// Opens the database to write to it.
///
/// # Errors
/// A file that cannot be opened.
pub(crate) fn writer(file: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(file)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(256);
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "cache_size", -CACHE)?;
    connection.pragma_update(None, "temp_store", TEMPORARY)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT)?;
    Ok(connection)
}

fn reader(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(256);
    connection.pragma_update(None, "cache_size", -CACHE_OF_READER)?;
    connection.pragma_update(None, "temp_store", TEMPORARY)?;
    Ok(connection)
}

/// Opens the database to write to it, and makes the tables that are missing, in one transaction. Returns the version, too.
///
/// # Errors
/// A file that is no database of ours, or of a later version.
pub(crate) fn open_and_migrate(file: &Path) -> Result<(Connection, usize), Error> {
    let mut connection = writer(file).map_err(fault)?;
    let mut files: Vec<_> = Migrations::iter().collect();
    files.sort();
    let transaction = connection.transaction().map_err(fault)?;
    let done: u32 =
        transaction.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(fault)?;
    let done = usize::try_from(done).map_err(fault)?;
    if done > files.len() {
        let known = files.len();
        return Err(fault(format!(
            "the database has the version {done}, and this program knows {known}: it needs a later program"
        )));
    }
    for name in files.iter().skip(done) {
        let text = Migrations::get(name).ok_or_else(|| Error::impossible("a migration is away"))?;
        let text = std::str::from_utf8(&text.data).map_err(fault)?;
        transaction.execute_batch(text).map_err(fault)?;
    }
    transaction.execute_batch(DOCUMENTS).map_err(fault)?;
    transaction.pragma_update(None, "user_version", files.len() as u32).map_err(fault)?;
    transaction.commit().map_err(fault)?;
    Ok((connection, files.len()))
}

/// Counts a capture that stored this many events.
pub(crate) fn count(events: u64) {
    metrics::counter!("epcis_edge_captures_total").increment(1);
    metrics::counter!("epcis_edge_captured_events_total").increment(events);
}

/// Copies a database that is in use to a new file.
///
/// # Errors
/// A file that is there already; a fault of SQLite.
pub(crate) fn backup(from: &Connection, to: &Path) -> Result<(), String> {
    if to.exists() {
        return Err(format!("{} is there already", to.display()));
    }
    let copy = || {
        let mut to = Connection::open(to)?;
        rusqlite::backup::Backup::new(from, &mut to)?.run_to_completion(1000, Duration::ZERO, None)
    };
    copy().map_err(|error: rusqlite::Error| format!("{}: {error}", to.display()))
}

/// The writer: runs what waits together, until nobody can ask any more.
fn write(connection: &Connection, jobs: &mpsc::Receiver<Write>) {
    let mut held = None;
    while let Some(first) = held.take().or_else(|| jobs.recv().ok()) {
        let since = Instant::now();
        let mut waiting = vec![first];
        while waiting.len() < TOGETHER && waiting.iter().all(|one| !one.is_long) {
            match jobs.try_recv() {
                Ok(long) if long.is_long => {
                    held = Some(long);
                    break;
                }
                Ok(short) => waiting.push(short),
                Err(_) => break,
            }
        }
        let is_alone = waiting.len() == 1;
        let mut answers = Vec::new();
        let mut begun = run(connection, "BEGIN IMMEDIATE");
        for Write { work, answer, .. } in waiting {
            metrics::gauge!("epcis_edge_queue").decrement(1);
            let done = match &begun {
                Ok(()) if is_alone => work(connection),
                Ok(()) => in_savepoint(connection, work),
                Err(error) => Err(error.clone()),
            };
            // A full disk may end the whole transaction. What follows must not be stored by itself.
            if begun.is_ok() && connection.is_autocommit() {
                begun = Err(unavailable("a full disk ended the transaction".to_owned()));
            }
            answers.push((answer, done));
        }
        let together = answers.len();
        let is_undone = is_alone && answers.iter().any(|(_, done)| done.is_err());
        if begun.is_ok() {
            begun = if is_undone { run(connection, "ROLLBACK") } else { commit(connection) };
        }
        metrics::histogram!("epcis_edge_commit_seconds").record(since.elapsed());
        metrics::histogram!("epcis_edge_commit_transactions").record(together as f64);
        for (answer, done) in answers {
            let done = match &begun {
                Ok(()) => done,
                Err(error) => Err(error.clone()),
            };
            // Who asked may be gone.
            let _ = answer.send(done);
        }
    }
}

/// Commits. If the disk fails meanwhile, it is unknown whether all of it is there after the next start.
fn commit(connection: &Connection) -> Result<(), Error> {
    let done = connection.execute_batch("COMMIT");
    if done.is_err() && !connection.is_autocommit() {
        let _ = run(connection, "ROLLBACK");
    }
    done.map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::SystemIoFailure) => {
            let detail = format!("{error}: COMMIT");
            Error::new(ErrorKind::Unsettled { seconds: RETRY_AFTER, detail })
        }
        _ => of_sqlite(&error, "COMMIT"),
    })
}

fn in_savepoint(connection: &Connection, work: Work) -> Result<Rows, Error> {
    run(connection, "SAVEPOINT one")?;
    let done = work(connection);
    let end = if done.is_ok() { "RELEASE one" } else { "ROLLBACK TO one; RELEASE one" };
    run(connection, end)?;
    done
}

fn run(connection: &Connection, text: &str) -> Result<(), Error> {
    connection.execute_batch(text).map_err(|error| of_sqlite(&error, text))
}

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.0 {
            Value::Integer(number) => ToSqlOutput::Borrowed(ValueRef::Integer(*number)),
            Value::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}

/// A value to bind.
struct Bound<'s>(&'s Value);

/// Runs a statement and returns its rows.
///
/// # Errors
/// A fault of SQLite.
pub(crate) fn rows(connection: &Connection, statement: &Statement) -> Result<Vec<NamedRow>, Error> {
    let failed = |error: rusqlite::Error| of_sqlite(&error, &statement.text);
    let mut prepared = connection.prepare_cached(&statement.text).map_err(failed)?;
    let names: Vec<String> = prepared.column_names().into_iter().map(str::to_owned).collect();
    let values = params_from_iter(statement.values.iter().map(Bound));
    let mut rows = prepared.query(values).map_err(failed)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        let columns = names.iter().enumerate().map(|(at, name)| {
            let value = match row.get_ref(at).map_err(failed)? {
                ValueRef::Null => serde_json::Value::Null,
                ValueRef::Integer(number) => number.into(),
                ValueRef::Text(text) => std::str::from_utf8(text).map_err(fault)?.into(),
                ValueRef::Real(_) | ValueRef::Blob(_) => {
                    return Err(fault(format!("the column {name} is neither text nor a number")));
                }
            };
            Ok((name.clone(), value))
        });
        found.push(columns.collect::<Result<_, _>>()?);
    }
    Ok(found)
}

fn unavailable(detail: String) -> Error {
    Error::new(ErrorKind::Unavailable { seconds: RETRY_AFTER, detail })
}

/// The error for a fault of SQLite: what the disk or another program is to blame for goes away.
fn of_sqlite(error: &rusqlite::Error, text: &str) -> Error {
    let detail = format!("{error}: {text}");
    match error.sqlite_error_code() {
        Some(
            ErrorCode::DiskFull
            | ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::SystemIoFailure
            | ErrorCode::CannotOpen
            | ErrorCode::ReadOnly,
        ) => unavailable(detail),
        _ => epcis_edge_sql::sqlite_fault(detail),
    }
}

fn of_spool(error: std::io::Error) -> Error {
    unavailable(format!("the file of a capture: {error}"))
}

fn read<T: DeserializeOwned>(rows: Vec<NamedRow>) -> Result<Vec<T>, Error> {
    let rows = rows.into_iter().map(serde_json::Value::Object);
    rows.map(|row| serde_json::from_value(row).map_err(fault)).collect()
}

fn read_each<T: DeserializeOwned>(rows: Rows) -> Result<Vec<Vec<T>>, Error> {
    rows.into_iter().map(read).collect()
}

impl Database for Sqlite {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    async fn rows<T: DeserializeOwned>(&self, statement: Statement) -> Result<Vec<T>, Error> {
        let statements = vec![statement];
        let found = match self.snapshot(&statements).await? {
            Some(found) => found,
            None => self.write(statements).await?,
        };
        read(found.into_iter().flatten().collect())
    }

    async fn read<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        let found = self.snapshot(&statements).await?;
        read_each(found.ok_or_else(|| Error::impossible("a statement that reads would write"))?)
    }

    async fn write_log<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        read_each(self.write(statements).await?)
    }

    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Receipt, Error> {
        let mut spool = Spool::new(Arc::clone(&self.folder));
        for statement in epcis_edge_sql::statements(Dialect::Sqlite, batch, job) {
            spool.push(statement?).map_err(of_spool)?;
        }
        let rows = self.work(spool.is_long(), move |connection| {
            let statements = spool.statements().map_err(of_spool)?;
            statements.map(|statement| rows(connection, &statement.map_err(of_spool)?)).collect()
        });
        let rows = rows.await?.into_iter().flatten().collect();
        let appended = epcis_edge_sql::appended(read::<AppendedRow>(rows)?);
        if appended.is_ok() {
            let new = batch.events.len().saturating_sub(job.expected.duplicates) as u64;
            count(new);
        }
        appended
    }
}
