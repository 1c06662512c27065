//! PostgreSQL by account: connections, a queue for each account, and what its faults mean.
//!
//! An account has one writer at a time. What waits for an account becomes one transaction, each capture under a savepoint of its own: so
//! the account is taken once for all of them, the disk is waited for once, and a capture that fails takes no other with it.
//!
//! A runtime of its own drives the connections, because the threads that answer requests share them.

use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime,
};
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::store::{Batch, DocumentDigest, NewJob, Receipt};
use epcis_edge_sql::log::grew;
use epcis_edge_sql::store::{Database, fault};
use epcis_edge_sql::{
    AppendedRow, Dialect, Statement, Value, hold, newest_events, newest_of, postgres_fault,
};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesOrdered;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, VecDeque};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config, Row, SimpleQueryMessage};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::ClientConfig;

/// The migrations, by their names.
const MIGRATIONS: [(&str, &str); 1] =
    [("0001_store.sql", include_str!("../migrations-postgres/0001_store.sql"))];

/// The migration that distributes the tables over the nodes of Citus.
const CITUS: (&str, &str) = ("citus.sql", include_str!("../migrations-postgres/citus.sql"));

/// The most captures of an account in one transaction, and the bytes of rows after which no other joins them.
const TOGETHER: usize = 32;
const TOGETHER_BYTES: usize = 4 << 20;

/// How many statements a connection keeps prepared.
const PREPARED: usize = 200;

/// The time limits for a connection, for a place in the pool, and for the answers of a transaction; each statement has less.
const CONNECTING: Duration = Duration::from_secs(8);
const WAITING: Duration = Duration::from_secs(10);
const ANSWERING: Duration = Duration::from_secs(55);

/// The time limit for the answer of a database that is asked whether it is there.
const ANSWERING_SHORTLY: Duration = Duration::from_secs(3);

/// The seconds after which callers may repeat a request that the database could not serve.
const RETRY_AFTER: u16 = 5;

/// The settings of all connections. Just-in-time compilation and parallel processes only slow the gateway down, and neither a table nor all
/// that is of an account is read to its end, even if there are no statistics yet.
const SETTINGS: &str = "-c statement_timeout=50s -c lock_timeout=20s -c idle_in_transaction_session_timeout=50s \
                        -c jit=off -c max_parallel_workers_per_gather=0 -c enable_seqscan=off -c enable_bitmapscan=off";

/// The settings of connections that capture: rows are looked up one by one, and statements are planned once.
const SETTINGS_OF_WRITERS: &str =
    "-c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan";

/// The settings of connections to Citus: a plan for any account would be for all nodes.
const SETTINGS_OF_CITUS: &str = "-c plan_cache_mode=force_custom_plan";

/// The tables, each with what to read of a row, bytes as hexadecimal digits, and with its key.
const TABLES: &str = "SELECT quote_ident(t.relname), \
     string_agg(CASE a.atttypid WHEN 'bytea'::regtype THEN format('encode(%1$I, ''hex'') AS %1$I', a.attname) ELSE quote_ident(a.attname) END, \
       ', ' ORDER BY a.attnum), \
     (SELECT string_agg(quote_ident(k.attname), ', ' ORDER BY p.place) FROM unnest(i.indkey::smallint[]) WITH ORDINALITY AS p (column_number, place) \
       JOIN pg_attribute AS k ON k.attrelid = t.oid AND k.attnum = p.column_number) \
     FROM pg_class AS t JOIN pg_index AS i ON i.indrelid = t.oid AND i.indisprimary JOIN pg_attribute AS a ON a.attrelid = t.oid \
     WHERE t.relnamespace = current_schema()::regnamespace AND t.relname <> 'server_migrations' AND a.attnum > 0 AND NOT a.attisdropped \
     GROUP BY t.oid, t.relname, i.indkey ORDER BY t.relname COLLATE \"C\"";

/// The columns of a row by their names.
type NamedRow = serde_json::Map<String, serde_json::Value>;

/// The database, to be shared by threads.
#[derive(Clone)]
pub(crate) struct Postgres {
    shared: Arc<Shared>,
}

/// The store of one account, or with 0 what all accounts share.
#[derive(Clone)]
pub(crate) struct OfAccount {
    shared: Arc<Shared>,
    account: u64,
}

struct Shared {
    readers: Pool,
    writers: Pool,
    /// Captures that wait, of accounts whose writer is at work.
    queues: Mutex<BTreeMap<u64, VecDeque<Waiting>>>,
    /// Called when a capture has stored this many events.
    stored: Box<dyn Fn(u64) + Send + Sync>,
    runtime: Option<tokio::runtime::Runtime>,
}

/// A capture that waits for its account.
struct Waiting {
    statements: Vec<Statement>,
    bytes: usize,
    answer: oneshot::Sender<Result<Vec<NamedRow>, Error>>,
}

impl Drop for Shared {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Postgres {
    /// The database at an address, with its tables made if they are missing. `connections` read at a time, and as many capture.
    /// `tls` says whose certificates are believed. `stored` is called when a capture has stored this many events.
    ///
    /// # Errors
    /// An address that cannot be used, a server that is away, a database that has other tables or a later version.
    pub(crate) fn open(
        address: &str,
        tls: ClientConfig,
        connections: usize,
        stored: impl Fn(u64) + Send + Sync + 'static,
    ) -> Result<Self, String> {
        let said = |error: &dyn std::fmt::Display| format!("DATABASE: {error}");
        let config: Config = address.parse().map_err(|error| said(&error))?;
        let tls = MakeRustlsConnect::new(tls);
        let pool = |settings: &str| {
            let mut config = config.clone();
            let own = config.get_options().unwrap_or("").to_owned();
            config.options(format!("{settings} {own}"));
            config.application_name("epcis-edge-server");
            config.connect_timeout(CONNECTING).keepalives_idle(Duration::from_secs(30));
            config.tcp_user_timeout(ANSWERING);
            let manager = ManagerConfig { recycling_method: RecyclingMethod::Fast };
            let manager = Manager::from_config(config, tls.clone(), manager);
            Pool::builder(manager)
                .max_size(connections)
                .runtime(Runtime::Tokio1)
                .timeouts(deadpool_postgres::Timeouts {
                    wait: Some(WAITING),
                    create: Some(CONNECTING),
                    recycle: Some(CONNECTING),
                })
                .build()
                .map_err(|error| said(&error))
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("postgres")
            .enable_all()
            .build()
            .map_err(|error| said(&error))?;
        let migrated = runtime.block_on(migrate(&pool(SETTINGS)?));
        let is_citus = migrated.map_err(|error| said(&format!("{error:?}")))?;
        let own = |settings| if is_citus { SETTINGS_OF_CITUS } else { settings };
        let readers = pool(&format!("{SETTINGS} {}", own("")))?;
        let writers = pool(&format!("{SETTINGS} {}", own(SETTINGS_OF_WRITERS)))?;
        let shared = Shared {
            readers,
            writers,
            queues: Mutex::default(),
            stored: Box::new(stored),
            runtime: Some(runtime),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// The store of the account with this number; with 0 what all accounts share.
    pub(crate) fn account(&self, account: u64) -> OfAccount {
        OfAccount { shared: Arc::clone(&self.shared), account }
    }

    /// Runs a statement over what all accounts share, for commands.
    ///
    /// # Errors
    /// A fault of the database.
    pub(crate) fn run(&self, statement: Statement) -> Result<Vec<NamedRow>, Error> {
        self.transact(vec![statement]).map(|rows| rows.concat())
    }

    /// Runs statements over what all accounts share as one transaction, for commands. Returns the rows of each.
    ///
    /// # Errors
    /// A fault of the database.
    pub(crate) fn transact(&self, statements: Vec<Statement>) -> Result<Vec<Vec<NamedRow>>, Error> {
        let statements = statements.into_iter();
        let shared = statements.map(|one| Dialect::Postgres(0).with_placeholders(one));
        let statements: Vec<_> = shared.collect();
        let Some(runtime) = &self.shared.runtime else { return Err(closed()) };
        runtime.block_on(transaction(&self.shared.writers, "BEGIN", &statements))
    }

    /// Calls `take` with each row of each table, bytes as hexadecimal digits, all as of one moment, while captures go on.
    ///
    /// # Errors
    /// That of `take`; a fault of the database.
    pub(crate) fn each_row(
        &self,
        take: &mut dyn FnMut(&str, NamedRow) -> Result<(), String>,
    ) -> Result<(), String> {
        let Some(runtime) = &self.shared.runtime else { return Err(closed().to_string()) };
        runtime.block_on(async {
            let client = connected(&self.shared.readers).await;
            // Never used again: its transaction and its settings end with it.
            let client = Object::take(client.map_err(|error| format!("{error:?}"))?);
            each_row(&client, take).await
        })
    }

    /// Asks the database for an answer.
    ///
    /// # Errors
    /// It is away.
    pub(crate) async fn answers(&self) -> Result<(), Error> {
        let shared = Arc::clone(&self.shared);
        let asked = async move {
            let client = connected(&shared.readers).await?;
            let asked = client.simple_query("SELECT 1").await;
            asked.map(drop).map_err(|error| of_postgres(&error, "SELECT 1"))
        };
        let asked = timeout(ANSWERING_SHORTLY, self.shared.there(asked)).await;
        asked.unwrap_or_else(|_| Err(late()))
    }

    /// Of the connections that read, and of those that capture: how many are in use, and how many requests wait for one.
    pub(crate) fn in_use(&self) -> [(&'static str, usize, usize); 2] {
        [("read", &self.shared.readers), ("capture", &self.shared.writers)].map(|(name, pool)| {
            let status = pool.status();
            (name, status.size.saturating_sub(status.available), status.waiting)
        })
    }

    /// Distributes the tables over the nodes of Citus, with what is stored. Returns whether they were not before.
    ///
    /// # Errors
    /// A database without the extension; a fault of the database.
    pub(crate) fn distribute(&self) -> Result<bool, String> {
        let Some(runtime) = &self.shared.runtime else { return Err(closed().to_string()) };
        let distributed = runtime.block_on(distribute(&self.shared.readers));
        distributed.map_err(|error| match error.kind() {
            ErrorKind::Internal { detail } => format!("DATABASE: {detail}; see docs/scale.md"),
            _ => format!("DATABASE: {error:?}"),
        })
    }

    /// Keeps a document.
    ///
    /// # Errors
    /// A fault of the database.
    pub(crate) async fn keep(&self, digest: &DocumentDigest, bytes: Vec<u8>) -> Result<(), Error> {
        let insert = "INSERT INTO documents (digest, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        self.with_document(insert, digest.to_string(), Some(bytes)).await.map(drop)
    }

    /// A document.
    ///
    /// # Errors
    /// A fault of the database.
    pub(crate) async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        let select = "SELECT bytes FROM documents WHERE digest = $1";
        self.with_document(select, digest.to_string(), None).await
    }

    async fn with_document(
        &self,
        text: &'static str,
        digest: String,
        bytes: Option<Vec<u8>>,
    ) -> Result<Option<Vec<u8>>, Error> {
        let shared = Arc::clone(&self.shared);
        let asked = async move {
            let client = connected(&shared.readers).await?;
            let ask = async {
                let failed = |error| of_postgres(&error, text);
                let prepared = client.prepare_cached(text).await.map_err(failed)?;
                let mut values: Vec<&(dyn ToSql + Sync)> = vec![&digest];
                values.extend(bytes.as_ref().map(|bytes| bytes as &(dyn ToSql + Sync)));
                let row = client.query_opt(&prepared, &values).await.map_err(failed)?;
                row.map(|row| row.try_get(0).map_err(fault)).transpose()
            };
            match timeout(ANSWERING, ask).await {
                Ok(found) => found,
                Err(_) => {
                    drop(Object::take(client));
                    Err(late())
                }
            }
        };
        self.shared.there(asked).await
    }
}

/// Begins a transaction that changes tables. Servers that start together wait for each other.
const BEGIN_MIGRATION: &str = "BEGIN; SELECT pg_advisory_xact_lock(1162889555, 1); SET LOCAL client_min_messages = warning; \
     CREATE TABLE IF NOT EXISTS server_migrations (name text PRIMARY KEY)";

/// Runs statements without values. Returns whether they found a row.
async fn finds(client: &Object, text: &str) -> Result<bool, Error> {
    let rows = client.simple_query(text).await.map_err(|error| of_postgres(&error, text))?;
    Ok(rows.iter().any(|row| matches!(row, SimpleQueryMessage::Row(_))))
}

/// Runs a migration, unless it was run before. Returns whether it was not.
async fn migrate_once(client: &Object, (name, text): (&str, &str)) -> Result<bool, Error> {
    let insert = format!(
        "INSERT INTO server_migrations VALUES ('{name}') ON CONFLICT DO NOTHING RETURNING 1"
    );
    let is_new = finds(client, &insert).await?;
    if is_new {
        finds(client, text).await?;
    }
    Ok(is_new)
}

/// Makes the tables that are missing. Returns whether they are distributed over the nodes of Citus.
async fn migrate(pool: &Pool) -> Result<bool, Error> {
    let client = connected(pool).await?;
    finds(&client, BEGIN_MIGRATION).await?;
    let known = MIGRATIONS.iter().chain([&CITUS]).map(|(name, _)| format!("'{name}'"));
    let known = known.collect::<Vec<_>>().join(", ");
    let later = format!("SELECT 1 FROM server_migrations WHERE name NOT IN ({known})");
    if finds(&client, &later).await? {
        return Err(fault("the database has a later version: it needs a later program"));
    }
    for migration in MIGRATIONS {
        migrate_once(&client, migration).await?;
    }
    let (name, _) = CITUS;
    let is_citus =
        finds(&client, &format!("SELECT 1 FROM server_migrations WHERE name = '{name}'")).await?;
    finds(&client, "COMMIT").await?;
    Ok(is_citus)
}

/// Distributes the tables. Returns whether they were not before.
async fn distribute(pool: &Pool) -> Result<bool, Error> {
    let client = connected(pool).await?;
    finds(&client, BEGIN_MIGRATION).await?;
    if !finds(&client, "SELECT 1 FROM pg_extension WHERE extname = 'citus'").await? {
        return Err(fault("the database does not have the extension citus"));
    }
    let refuses = "SELECT 1 FROM run_command_on_all_nodes('SHOW citus.enable_unsafe_triggers') WHERE result IS DISTINCT FROM 'on'";
    if finds(&client, refuses).await? {
        return Err(fault("set citus.enable_unsafe_triggers = on at each node"));
    }
    // What is stored is copied, however long that takes.
    finds(&client, "SET LOCAL statement_timeout = 0").await?;
    let is_new = migrate_once(&client, CITUS).await?;
    finds(&client, "COMMIT").await?;
    Ok(is_new)
}

impl Shared {
    /// Runs a task in the runtime of the connections.
    async fn there<T: Send + 'static>(
        &self,
        task: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        match &self.runtime {
            Some(runtime) => runtime.spawn(task).await.map_err(fault)?,
            None => Err(closed()),
        }
    }

    fn queues(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, VecDeque<Waiting>>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The captures of an account that go together next; none if none waits, and then the next capture finds no writer at work.
    fn next(&self, account: u64) -> Vec<Waiting> {
        let mut queues = self.queues();
        let mut together: Vec<Waiting> = Vec::new();
        let mut bytes = 0;
        if let Some(queue) = queues.get_mut(&account) {
            while together.len() < TOGETHER && bytes < TOGETHER_BYTES {
                let Some(waiting) = queue.pop_front() else { break };
                bytes += waiting.bytes;
                together.push(waiting);
            }
        }
        if together.is_empty() {
            queues.remove(&account);
        }
        together
    }

    /// Stores captures of an account, and answers them.
    async fn store(&self, account: u64, together: Vec<Waiting>) {
        let since = Instant::now();
        metrics::gauge!("epcis_edge_queue").decrement(together.len() as f64);
        metrics::histogram!("epcis_edge_commit_transactions").record(together.len() as f64);
        let done = match connected(&self.writers).await {
            Err(error) => Err(error),
            Ok(client) => {
                let done = timeout(ANSWERING, stored(&client, account, &together)).await;
                match done.unwrap_or_else(|_| Err(late())) {
                    Err(error) => {
                        // Without its connection, the database rolls a transaction back.
                        drop(Object::take(client));
                        Err(error)
                    }
                    Ok(done) => match timeout(ANSWERING, client.batch_execute("COMMIT")).await {
                        Ok(Ok(())) => Ok(done),
                        Ok(Err(error)) if error.as_db_error().is_some_and(is_refused) => {
                            drop(Object::take(client));
                            Err(of_postgres(&error, "COMMIT"))
                        }
                        broken => {
                            drop(Object::take(client));
                            let unknown = |_| {
                                let detail = format!("{broken:?}: COMMIT");
                                Err(Error::new(ErrorKind::Unsettled {
                                    seconds: RETRY_AFTER,
                                    detail,
                                }))
                            };
                            Ok(done.into_iter().map(|done| done.and_then(unknown)).collect())
                        }
                    },
                }
            }
        };
        metrics::histogram!("epcis_edge_commit_seconds").record(since.elapsed());
        match done {
            Ok(done) => {
                for (waiting, done) in together.into_iter().zip(done) {
                    // Who asked may be gone.
                    let _ = waiting.answer.send(done);
                }
            }
            Err(error) => {
                for waiting in together {
                    let _ = waiting.answer.send(Err(error.clone()));
                }
            }
        }
    }
}

/// Whether the server has answered and goes on: then it has rolled the transaction back.
fn is_refused(error: &tokio_postgres::error::DbError) -> bool {
    error.severity() == "ERROR"
}

/// A connection of a pool.
async fn connected(pool: &Pool) -> Result<Object, Error> {
    pool.get().await.map_err(|error| match error {
        PoolError::Backend(error) => of_postgres(&error, "connecting"),
        other => unavailable(other),
    })
}

/// Stores captures in a transaction that is not ended yet. Returns the rows of each, or why it stores nothing.
async fn stored(
    client: &Object,
    account: u64,
    together: &[Waiting],
) -> Result<Vec<Result<Vec<NamedRow>, Error>>, Error> {
    let named = |text: &str| Statement { text: text.to_owned(), values: Vec::new() };
    let [begin, savepoint, release, back] =
        ["BEGIN", "SAVEPOINT one", "RELEASE one", "ROLLBACK TO one; RELEASE one"].map(named);
    let shared = |statement| Dialect::Postgres(0).with_placeholders(statement);
    let hold = shared(hold(account));
    let mut done: Vec<Result<Vec<NamedRow>, Error>> = Vec::new();
    let mut head = vec![&begin, &hold];
    while done.len() < together.len() {
        // All that is left is sent at once. After a failure, the rest is sent again.
        let mut asked: Vec<&Statement> = std::mem::take(&mut head);
        let before = asked.len();
        for waiting in together.iter().skip(done.len()) {
            asked.push(&savepoint);
            asked.extend(&waiting.statements);
            asked.push(&release);
        }
        let mut prepared = Vec::new();
        for statement in &asked {
            prepared.push(prepare(client, statement).await?);
        }
        let mut answers: FuturesOrdered<_> = asked
            .iter()
            .zip(&prepared)
            .map(|(statement, prepared)| async move {
                let values: Vec<&(dyn ToSql + Sync)> = statement.values.iter().map(bound).collect();
                let rows = client.query(prepared, &values).await;
                rows.map_err(|error| of_postgres(&error, &statement.text))
            })
            .collect();
        let mut next = async || match answers.next().await {
            Some(rows) => rows,
            None => Err(Error::impossible("a statement without an answer")),
        };
        for _ in 0..before {
            next().await?;
        }
        for waiting in together.iter().skip(done.len()) {
            let mut rows = Vec::new();
            let mut failure = None;
            for _ in 0..waiting.statements.len() + 2 {
                match next().await {
                    Ok(found) => rows.extend(found.iter().map(row).collect::<Result<Vec<_>, _>>()?),
                    Err(error) => {
                        failure = Some(error);
                        break;
                    }
                }
            }
            let Some(error) = failure else {
                done.push(Ok(rows));
                continue;
            };
            if matches!(error.kind(), ErrorKind::Unavailable { .. }) {
                return Err(error);
            }
            done.push(Err(error));
            break;
        }
        drop(answers);
        if done.last().is_some_and(Result::is_err) {
            client
                .batch_execute(&back.text)
                .await
                .map_err(|error| of_postgres(&error, &back.text))?;
        }
    }
    if done.iter().any(Result::is_ok) {
        let newest = Dialect::Postgres(account).with_placeholders(newest_events());
        let newest = newest_of(&read(run(client, &newest).await?)?).single();
        // Nothing is stored yet if all captures were of master data.
        if newest > 0 {
            run(client, &shared(grew(newest))).await?;
        }
    }
    Ok(done)
}

/// A statement, prepared on a connection.
async fn prepare(
    client: &Object,
    statement: &Statement,
) -> Result<tokio_postgres::Statement, Error> {
    if client.statement_cache.size() >= PREPARED {
        client.statement_cache.clear();
    }
    let types: Vec<Type> = statement
        .values
        .iter()
        .map(|value| match value {
            Value::Integer(_) => Type::INT8,
            Value::Text(_) => Type::TEXT,
        })
        .collect();
    let prepared = client.prepare_typed_cached(&statement.text, &types).await;
    prepared.map_err(|error| of_postgres(&error, &statement.text))
}

fn bound(value: &Value) -> &(dyn ToSql + Sync) {
    match value {
        Value::Integer(number) => number,
        Value::Text(text) => text,
    }
}

/// Runs a statement, and returns its rows.
async fn run(client: &Object, statement: &Statement) -> Result<Vec<NamedRow>, Error> {
    let prepared = prepare(client, statement).await?;
    let values: Vec<&(dyn ToSql + Sync)> = statement.values.iter().map(bound).collect();
    let rows = client.query(&prepared, &values).await;
    rows.map_err(|error| of_postgres(&error, &statement.text))?.iter().map(row).collect()
}

/// Runs statements as one transaction that begins and ends with these words, and returns the rows of each.
async fn transaction(
    pool: &Pool,
    begin: &str,
    statements: &[Statement],
) -> Result<Vec<Vec<NamedRow>>, Error> {
    let client = connected(pool).await?;
    let all = async {
        let begun = client.batch_execute(begin).await;
        begun.map_err(|error| of_postgres(&error, begin))?;
        let mut all = Vec::new();
        for statement in statements {
            all.push(run(&client, statement).await?);
        }
        let ended = client.batch_execute("COMMIT").await;
        ended.map_err(|error| of_postgres(&error, "COMMIT"))?;
        Ok(all)
    };
    let all = timeout(ANSWERING, all).await.unwrap_or_else(|_| Err(late()));
    if all.is_err() && timeout(CONNECTING, client.batch_execute("ROLLBACK")).await.is_err() {
        drop(Object::take(client));
    }
    all
}

/// See [`Postgres::each_row`].
async fn each_row(
    client: &Client,
    take: &mut dyn FnMut(&str, NamedRow) -> Result<(), String>,
) -> Result<(), String> {
    let said = |error: tokio_postgres::Error| format!("{:?}", of_postgres(&error, "export"));
    let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0; \
                 SET LOCAL idle_in_transaction_session_timeout = 0";
    client.batch_execute(begin).await.map_err(said)?;
    let tables = client.query(TABLES, &[]).await.map_err(said)?;
    for table in tables {
        let [name, columns, key]: [String; 3] = [
            table.try_get(0).map_err(said)?,
            table.try_get(1).map_err(said)?,
            table.try_get(2).map_err(said)?,
        ];
        let rows = format!(
            "SELECT row_to_json(r)::text FROM (SELECT {columns} FROM {name} ORDER BY {key}) AS r"
        );
        let none: [&str; 0] = [];
        let mut rows = pin!(client.query_raw(&rows, none).await.map_err(said)?);
        while let Some(row) = rows.next().await {
            let text: String = row.and_then(|row| row.try_get(0)).map_err(said)?;
            take(&name, serde_json::from_str(&text).map_err(|error| error.to_string())?)?;
        }
    }
    client.batch_execute("COMMIT").await.map_err(said)
}

/// The columns of a row.
fn row(row: &Row) -> Result<NamedRow, Error> {
    let columns = row.columns().iter().enumerate().map(|(at, column)| {
        let value = match *column.type_() {
            Type::INT8 => row.try_get::<_, Option<i64>>(at).map(serde_json::Value::from),
            Type::INT4 => row.try_get::<_, Option<i32>>(at).map(serde_json::Value::from),
            Type::INT2 => row.try_get::<_, Option<i16>>(at).map(serde_json::Value::from),
            Type::TEXT => row.try_get::<_, Option<String>>(at).map(serde_json::Value::from),
            // The result of a function that returns nothing.
            Type::VOID => Ok(serde_json::Value::Null),
            ref other => {
                let name = column.name();
                return Err(fault(format!("the column {name} is {other}")));
            }
        };
        Ok((column.name().to_owned(), value.map_err(fault)?))
    });
    columns.collect()
}

fn read<T: DeserializeOwned>(rows: Vec<NamedRow>) -> Result<Vec<T>, Error> {
    let rows = rows.into_iter().map(serde_json::Value::Object);
    rows.map(|row| serde_json::from_value(row).map_err(fault)).collect()
}

fn unavailable(detail: impl ToString) -> Error {
    Error::new(ErrorKind::Unavailable { seconds: RETRY_AFTER, detail: detail.to_string() })
}

fn closed() -> Error {
    Error::impossible("the database is closed")
}

fn late() -> Error {
    unavailable("the database did not answer in time")
}

/// The error for a fault of PostgreSQL. What is no answer to a statement is a broken connection. Unavailable are: connections (08),
/// resources such as the disk (53), servers that end (57), their system (58), a standby (25006), an account that was not free
/// (55P03), and transactions that gave way to another (40001, 40P01). Citus has no code for the end of its own server.
fn of_postgres(error: &tokio_postgres::Error, text: &str) -> Error {
    let Some(said) = error.as_db_error() else {
        return unavailable(format!("{error:?}: {text}"));
    };
    let code = said.code().code();
    let detail = format!("{} ({code}): {text}", said.message());
    let is_away = ["08", "53", "57", "58", "25006", "55P03", "40001", "40P01"]
        .iter()
        .any(|start| code.starts_with(start))
        || said.message() == "postmaster was shut down, exiting";
    if is_away { unavailable(detail) } else { postgres_fault(code, detail) }
}

impl OfAccount {
    fn translated(&self, statement: Statement) -> Statement {
        self.dialect().with_placeholders(statement)
    }

    /// Stores a capture, together with others of the account that wait.
    async fn store(&self, statements: Vec<Statement>) -> Result<Vec<NamedRow>, Error> {
        let statements: Vec<_> =
            statements.into_iter().map(|statement| self.translated(statement)).collect();
        let bytes = statements.iter().map(Statement::bytes).sum();
        let (answer, answered) = oneshot::channel();
        metrics::gauge!("epcis_edge_queue").increment(1);
        let waiting = Waiting { statements, bytes, answer };
        let is_free = {
            let mut queues = self.shared.queues();
            let is_free = !queues.contains_key(&self.account);
            queues.entry(self.account).or_default().push_back(waiting);
            is_free
        };
        if is_free && let Some(runtime) = &self.shared.runtime {
            let (shared, account) = (Arc::clone(&self.shared), self.account);
            runtime.spawn(async move {
                loop {
                    let together = shared.next(account);
                    if together.is_empty() {
                        break;
                    }
                    shared.store(account, together).await;
                }
            });
        }
        answered.await.map_err(fault)?
    }
}

impl Database for OfAccount {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres(self.account)
    }

    async fn rows<T: DeserializeOwned>(&self, statement: Statement) -> Result<Vec<T>, Error> {
        if self.dialect().finds_nothing(&statement) {
            return Ok(Vec::new());
        }
        let (shared, statement) = (Arc::clone(&self.shared), self.translated(statement));
        let rows = self.shared.there(async move {
            let client = connected(&shared.readers).await?;
            match timeout(ANSWERING, run(&client, &statement)).await {
                Ok(rows) => rows,
                Err(_) => {
                    drop(Object::take(client));
                    Err(late())
                }
            }
        });
        read(rows.await?)
    }

    async fn read<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        let statements: Vec<_> =
            statements.into_iter().map(|statement| self.translated(statement)).collect();
        let shared = Arc::clone(&self.shared);
        let all = self.shared.there(async move {
            let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
            transaction(&shared.readers, begin, &statements).await
        });
        all.await?.into_iter().map(read).collect()
    }

    async fn write_log<T: DeserializeOwned>(
        &self,
        statements: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        let turn = self.dialect().log_turn();
        let turns = turn.iter().len();
        let statements: Vec<_> =
            turn.into_iter().chain(statements).map(|one| self.translated(one)).collect();
        let shared = Arc::clone(&self.shared);
        let all = self
            .shared
            .there(async move { transaction(&shared.writers, "BEGIN", &statements).await });
        all.await?.into_iter().skip(turns).map(read).collect()
    }

    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Receipt, Error> {
        let statements = epcis_edge_sql::statements(self.dialect(), batch, job);
        let rows = self.store(statements.collect::<Result<_, _>>()?).await?;
        let done = epcis_edge_sql::appended(read::<AppendedRow>(rows)?);
        if done.is_ok() {
            let new = batch.events.len().saturating_sub(job.expected.duplicates);
            (self.shared.stored)(new as u64);
        }
        done
    }
}
