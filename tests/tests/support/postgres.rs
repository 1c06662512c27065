//! PostgreSQL behind PgBouncer, as the Worker speaks with it: a database for each store.

use crate::support::{DatabaseStore, Engine, NamedRow};
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_tests::repository;
use epcis_edge_worker::sql::{Dialect, Statement, Value};
use postgres::types::{ToSql, Type};
use postgres::{Client, NoTls, Row};
use std::cell::RefCell;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock};

/// The servers of this process: they end with it, since they read from it.
struct Servers {
    pooled: String,
    /// Makes and removes databases; and how many there were.
    administrator: Mutex<(Client, usize)>,
    _program: Child,
}

/// The servers, or why there are none.
fn servers() -> Result<&'static Servers, &'static str> {
    static SERVERS: OnceLock<Result<Servers, String>> = OnceLock::new();
    let servers = SERVERS.get_or_init(|| {
        let started = start();
        if let Err(missing) = &started {
            assert!(
                std::env::var_os("EPCIS_EDGE_REQUIRE_POSTGRES").is_none(),
                "{missing}"
            );
            eprintln!("SKIPPED over PostgreSQL: {missing}");
        }
        started
    });
    servers.as_ref().map_err(String::as_str)
}

fn start() -> Result<Servers, String> {
    let mut program = Command::new("node")
        .arg(repository().join("tests/postgres.mjs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("node cannot be started: {error}"))?;
    let mut line = String::new();
    let output = program.stdout.take().unwrap();
    BufReader::new(output).read_line(&mut line).unwrap();
    let said: serde_json::Value = serde_json::from_str(&line)
        .map_err(|_| "tests/postgres.mjs does not run: are the npm packages installed?")?;
    if let Some(missing) = said["missing"].as_str() {
        return Err(missing.to_owned());
    }
    let address = |name: &str| said[name].as_str().unwrap().to_owned();
    let direct = address("direct");
    let administrator = Client::connect(&format!("{direct}postgres"), NoTls).unwrap();
    Ok(Servers {
        pooled: address("pooled"),
        administrator: Mutex::new((administrator, 0)),
        _program: program,
    })
}

/// A database of its own, and a connection to it by way of the pooler.
pub struct Postgres {
    name: String,
    client: RefCell<Client>,
}

/// What the Worker does with PostgreSQL.
pub type PostgresStore = DatabaseStore<Postgres>;

impl PostgresStore {
    /// See [`Postgres::new`].
    pub fn new() -> Option<Self> {
        Postgres::new().map(Self::over)
    }
}

impl Postgres {
    /// An empty one; none where PostgreSQL is not here, which is said once.
    ///
    /// # Panics
    /// Where it is not here, and `EPCIS_EDGE_REQUIRE_POSTGRES` is set.
    pub fn new() -> Option<Self> {
        let servers = servers().ok()?;
        let mut administrator = servers.administrator.lock().unwrap();
        administrator.1 += 1;
        let name = format!("epcis_{}", administrator.1);
        let create = format!("CREATE DATABASE {name} TEMPLATE template_epcis");
        administrator.0.batch_execute(&create).unwrap();
        let client = Client::connect(&format!("{}{name}", servers.pooled), NoTls).unwrap();
        Some(Self {
            name,
            client: RefCell::new(client),
        })
    }

    fn execute(&self, text: &str) {
        self.client.borrow_mut().batch_execute(text).unwrap();
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let Ok(servers) = servers() else { return };
        // A test that failed has poisoned nothing here.
        let mut administrator = match servers.administrator.lock() {
            Ok(administrator) => administrator,
            Err(poisoned) => poisoned.into_inner(),
        };
        let drop = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        let _ = administrator.0.batch_execute(&drop);
    }
}

/// The columns of a row as the Worker gets them: JSON.
fn named(row: &Row) -> NamedRow {
    let columns = row.columns().iter().enumerate();
    columns
        .map(|(at, column)| {
            let value = match *column.type_() {
                Type::INT8 => row.get::<_, Option<i64>>(at).into(),
                Type::INT4 => row.get::<_, Option<i32>>(at).into(),
                Type::INT2 => row.get::<_, Option<i16>>(at).into(),
                Type::TEXT => row.get::<_, Option<String>>(at).into(),
                // What a function returns that answers nothing.
                Type::VOID => serde_json::Value::Null,
                ref other => panic!("{}: {other}", column.name()),
            };
            (column.name().to_owned(), value)
        })
        .collect()
}

impl Engine for Postgres {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn rows(&self, statement: &Statement) -> Result<Vec<NamedRow>, Error> {
        if Dialect::Postgres.finds_nothing(statement) {
            return Ok(Vec::new());
        }
        let Statement { text, values } = Dialect::Postgres.translate(statement.clone());
        let values: Vec<(&(dyn ToSql + Sync), Type)> = values
            .iter()
            .map(|value| match value {
                Value::Integer(number) => (number as &(dyn ToSql + Sync), Type::INT8),
                Value::Text(text) => (text as &(dyn ToSql + Sync), Type::TEXT),
            })
            .collect();
        // Not prepared under a name: the next transaction may have another connection of the pool.
        let rows = self.client.borrow_mut().query_typed(&text, &values);
        let rows = rows.map_err(|error| {
            let said = error.as_db_error().map(|said| said.message().to_owned());
            let said = said.unwrap_or_else(|| error.to_string());
            Error::new(ErrorKind::Internal {
                detail: format!("{said}: {text}"),
            })
        })?;
        Ok(rows.iter().map(named).collect())
    }

    fn begin(&self) {
        self.execute("BEGIN");
    }

    fn commit(&self) {
        self.execute("COMMIT");
    }

    fn rollback(&self) {
        self.execute("ROLLBACK");
    }
}
