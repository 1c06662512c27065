//! PostgreSQL behind PgBouncer, accessed as the Worker does, with a separate database for each store.

#[path = "../../../server/src/postgres.rs"]
mod by_account;

use crate::support::{Engine, NamedRow, TestStore, store_over};
use async_trait::async_trait;
use by_account::OfAccount;
use epcis_edge_core::error::Error;
use epcis_edge_core::store::{Account, Accounts, DocumentDigest, Documents};
use epcis_edge_sql::store::{Copies, DatabaseStore};
use epcis_edge_sql::{self as sql, Dialect, Statement, Value};
use epcis_edge_tests::repository;
use postgres::types::{ToSql, Type};
use postgres::{Client, NoTls, Row};
use std::cell::RefCell;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::{Mutex, OnceLock};

/// The servers of this process. They end with it, because they read from it.
struct Servers {
    direct: String,
    pooled: String,
    /// A connection that creates and drops databases, and the number created so far.
    administrator: Mutex<(Client, usize)>,
    _program: Child,
}

/// The servers, or the reason why they are missing.
fn servers() -> Result<&'static Servers, &'static str> {
    static SERVERS: OnceLock<Result<Servers, String>> = OnceLock::new();
    let servers = SERVERS.get_or_init(|| {
        let started = start();
        if let Err(missing) = &started {
            assert!(
                !epcis_edge_tests::variables::is_on("EPCIS_EDGE_REQUIRE_POSTGRES"),
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
        direct,
        pooled: address("pooled"),
        administrator: Mutex::new((administrator, 0)),
        _program: program,
    })
}

/// A separate database, which is dropped at the end.
struct Separate {
    name: String,
}

impl Separate {
    /// A database like another one. `None` if PostgreSQL is not installed, which is reported once.
    fn like(template: &str) -> Option<Self> {
        let servers = servers().ok()?;
        let mut administrator = servers.administrator.lock().unwrap();
        administrator.1 += 1;
        let name = format!("epcis_{}", administrator.1);
        let create = format!("CREATE DATABASE {name} TEMPLATE {template}");
        administrator.0.batch_execute(&create).unwrap();
        Some(Self { name })
    }
}

impl Drop for Separate {
    fn drop(&mut self) {
        let Ok(servers) = servers() else { return };
        // A test that panicked leaves this state consistent.
        let mut administrator = match servers.administrator.lock() {
            Ok(administrator) => administrator,
            Err(poisoned) => poisoned.into_inner(),
        };
        let drop = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        let _ = administrator.0.batch_execute(&drop);
    }
}

/// The documents in the server's database; copies are not kept.
pub struct AccountDocuments(by_account::Postgres);

#[async_trait(?Send)]
impl Documents for AccountDocuments {
    async fn keep(&self, digest: &DocumentDigest, document: &[u8]) -> Result<(), Error> {
        self.0.keep(digest, document.to_owned()).await
    }

    async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        self.0.document(digest).await
    }
}

impl Copies for AccountDocuments {
    async fn copy(&self, _: &str) -> Result<Option<String>, Error> {
        Ok(None)
    }

    async fn keep_copy(&self, _: &str, _: String) -> Result<(), Error> {
        Ok(())
    }
}

/// The store of one account in the server's database, or with number 0 of what all accounts share.
pub type AccountStore = DatabaseStore<OfAccount, AccountDocuments>;

/// The stores of the accounts in a new database, as the server has them, by the numbers of the accounts. `None` if PostgreSQL is not
/// installed, which is reported once.
pub fn empty_accounts() -> Option<impl Fn(u64) -> Rc<AccountStore> + 'static> {
    static TEMPLATE: OnceLock<()> = OnceLock::new();
    let servers = servers().ok()?;
    let open = |name: &str| {
        by_account::Postgres::open(&format!("{}{name}", servers.direct), None, 4, |_| ()).unwrap()
    };
    TEMPLATE.get_or_init(|| {
        let mut administrator = servers.administrator.lock().unwrap();
        administrator.0.batch_execute("CREATE DATABASE template_accounts").unwrap();
        drop(open("template_accounts"));
    });
    let separate = Separate::like("template_accounts")?;
    let database = open(&separate.name);
    Some(move |number| {
        let _kept = &separate;
        let documents = AccountDocuments(database.clone());
        Rc::new(DatabaseStore::over(database.account(number), documents))
    })
}

/// The server's store over a new database. See [`empty_accounts`].
pub fn empty_by_account() -> Option<Rc<Accounts>> {
    by_account_with(Vec::new())
}

/// The server's store over a new database in which statements have run.
pub fn by_account_with(statements: Vec<Statement>) -> Option<Rc<Accounts>> {
    let store = empty_accounts()?;
    let shared = store(0);
    for statement in statements {
        shared.documents().0.run(statement).unwrap();
    }
    Some(Rc::new(Accounts {
        directory: shared.clone(),
        log: shared.clone(),
        documents: shared,
        open: Box::new(move |number| Ok(store(number) as Rc<dyn Account>)),
        memory: Rc::default(),
    }))
}

/// A database, and a connection to it through the pooler.
pub struct Postgres {
    client: RefCell<Client>,
    _database: Separate,
}

/// The Worker's PostgreSQL store.
pub type PostgresStore = TestStore<Postgres>;

/// A store over a new database. See [`Postgres::new`].
pub fn empty_postgres() -> Option<Rc<PostgresStore>> {
    Postgres::new().map(store_over)
}

impl Postgres {
    /// An empty database. `None` if PostgreSQL is not installed, which is reported once.
    ///
    /// # Panics
    /// When it is not installed although `EPCIS_EDGE_REQUIRE_POSTGRES` is set.
    pub fn new() -> Option<Self> {
        let database = Separate::like("template_epcis")?;
        let address = format!("{}{}", servers().ok()?.pooled, database.name);
        let client = Client::connect(&address, NoTls).unwrap();
        Some(Self { client: RefCell::new(client), _database: database })
    }

    fn execute(&self, text: &str) {
        self.client.borrow_mut().batch_execute(text).unwrap();
    }
}

/// The columns of a row in JSON, as the Worker receives them.
fn named(row: &Row) -> NamedRow {
    let columns = row.columns().iter().enumerate();
    columns
        .map(|(at, column)| {
            let value = match *column.type_() {
                Type::INT8 => row.get::<_, Option<i64>>(at).into(),
                Type::INT4 => row.get::<_, Option<i32>>(at).into(),
                Type::INT2 => row.get::<_, Option<i16>>(at).into(),
                Type::TEXT => row.get::<_, Option<String>>(at).into(),
                // The result of a function that returns nothing.
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
        let Statement { text, values } = Dialect::Postgres.with_placeholders(statement.clone());
        let values: Vec<(&(dyn ToSql + Sync), Type)> = values
            .iter()
            .map(|value| match value {
                Value::Integer(number) => (number as &(dyn ToSql + Sync), Type::INT8),
                Value::Text(text) => (text as &(dyn ToSql + Sync), Type::TEXT),
            })
            .collect();
        // Not as a named prepared statement: the next transaction may use another connection of the pool.
        let rows = self.client.borrow_mut().query_typed(&text, &values);
        let rows = rows.map_err(|error| {
            let said = error.as_db_error();
            let code = said.map_or("", |said| said.code().code());
            let message = said.map_or_else(|| error.to_string(), |said| said.message().to_owned());
            sql::postgres_fault(code, format!("{message}: {text}"))
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
