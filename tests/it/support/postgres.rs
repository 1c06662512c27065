//! The server's store over PostgreSQL, with a separate database for each store.

#[expect(dead_code, reason = "only the server exports and is watched")]
#[path = "../../../server/src/postgres.rs"]
mod server;

use async_trait::async_trait;
use epcis_edge_core::error::Error;
use epcis_edge_core::store::{Account, Accounts, DocumentDigest, Documents};
use epcis_edge_sql::Statement;
use epcis_edge_sql::store::{Copies, DatabaseStore};
use epcis_edge_tests::repository;
use postgres::{Client, NoTls};
use server::OfAccount;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::{Mutex, OnceLock};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// The PostgreSQL of this process. It ends with it, because its program reads from it.
struct Started {
    /// The address of a database, without its name.
    address: String,
    /// A connection that creates and drops databases, and the number created so far.
    administrator: Mutex<(Client, usize)>,
    _program: Child,
}

/// The PostgreSQL, or the reason why it is missing.
fn running() -> Result<&'static Started, &'static str> {
    static RUNNING: OnceLock<Result<Started, String>> = OnceLock::new();
    let running = RUNNING.get_or_init(|| {
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
    running.as_ref().map_err(String::as_str)
}

fn start() -> Result<Started, String> {
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
    let address = said["address"].as_str().unwrap().to_owned();
    let administrator = Client::connect(&format!("{address}postgres"), NoTls).unwrap();
    Ok(Started { address, administrator: Mutex::new((administrator, 0)), _program: program })
}

/// A separate database, which is dropped at the end.
struct Separate {
    name: String,
}

impl Separate {
    /// A database like `template_accounts`. `None` if PostgreSQL is not installed, which is reported once.
    fn new() -> Option<Self> {
        let running = running().ok()?;
        let mut administrator = running.administrator.lock().unwrap();
        administrator.1 += 1;
        let name = format!("epcis_{}", administrator.1);
        let create = format!("CREATE DATABASE {name} TEMPLATE template_accounts");
        administrator.0.batch_execute(&create).unwrap();
        Some(Self { name })
    }
}

impl Drop for Separate {
    fn drop(&mut self) {
        let Ok(running) = running() else { return };
        // A test that panicked leaves this state consistent.
        let mut administrator = match running.administrator.lock() {
            Ok(administrator) => administrator,
            Err(poisoned) => poisoned.into_inner(),
        };
        let drop = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        let _ = administrator.0.batch_execute(&drop);
    }
}

/// The documents in the server's database; copies are not kept.
pub struct AccountDocuments(server::Postgres, String);

impl AccountDocuments {
    /// The address of the database.
    pub fn address(&self) -> String {
        self.1.clone()
    }
}

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
    let running = running().ok()?;
    let open = |name: &str| {
        let tls = ClientConfig::builder().with_root_certificates(RootCertStore::empty());
        let tls = tls.with_no_client_auth();
        server::Postgres::open(&format!("{}{name}", running.address), tls, 4, |_| ()).unwrap()
    };
    TEMPLATE.get_or_init(|| {
        let mut administrator = running.administrator.lock().unwrap();
        administrator.0.batch_execute("CREATE DATABASE template_accounts").unwrap();
        drop(open("template_accounts"));
    });
    let separate = Separate::new()?;
    let database = open(&separate.name);
    let address = format!("{}{}", running.address, separate.name);
    Some(move |number| {
        let _kept = &separate;
        let documents = AccountDocuments(database.clone(), address.clone());
        Rc::new(DatabaseStore::over(database.account(number), documents))
    })
}

/// The server's store over a new database. See [`empty_accounts`].
pub fn empty_postgres() -> Option<Rc<Accounts>> {
    postgres_with(Vec::new())
}

/// The server's store over a new database in which statements have run.
pub fn postgres_with(statements: Vec<Statement>) -> Option<Rc<Accounts>> {
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
