//! Captures in PostgreSQL, from the document to the commit, without HTTP:
//! `cargo run --release -p epcis-edge-tests --example captures_postgres -- SECONDS beside=postgres://… account=postgres://…`.
//!
//! `account` is the store of the server, over an empty database. `beside` is `capture_beside` of a database that `npm run migrate` has made, with a queue in front: as many captures at a time as
//! there are connections. Documents have new events; senders send the next one when the one before is stored.

#[path = "../../server/src/postgres.rs"]
#[expect(dead_code, reason = "documents are not measured")]
mod postgres;

use epcis_edge_core::call::{Call, Principal};
use epcis_edge_core::error::Error;
use epcis_edge_core::service::{Configuration, Service};
use epcis_edge_core::store::Store;
use epcis_edge_core::store::{
    Account, Accounts, Batch, DocumentDigest, Documents, MemoryStore, NewJob, Receipt,
};
use epcis_edge_sql::store::{Copies, Database, DatabaseStore, fault};
use epcis_edge_sql::{AppendedRow, Dialect, Statement, SubmitStep, Value};
use postgres::Postgres;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, NoTls, Row};

/// How many captures run at a time beside each other.
const CONNECTIONS: usize = 16;

/// Captures in flight, events of a document, accounts.
const RUNS: [(usize, usize, usize); 6] =
    [(16, 1, 48), (1, 1, 48), (16, 1, 48), (64, 1, 48), (64, 1, 1), (2, 10_000, 2)];

/// Documents and copies, which are not measured.
struct Elsewhere(MemoryStore);

#[async_trait::async_trait(?Send)]
impl Documents for Elsewhere {
    async fn keep(&self, _: &DocumentDigest, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        self.0.document(digest).await
    }
}

impl Copies for Elsewhere {
    async fn copy(&self, _: &str) -> Result<Option<String>, Error> {
        Ok(None)
    }

    async fn keep_copy(&self, _: &str, _: String) -> Result<(), Error> {
        Ok(())
    }
}

/// Connections to a database with `capture_beside`.
struct Beside {
    idle: RefCell<Vec<Client>>,
    queue: Semaphore,
    token: Cell<u64>,
}

async fn rows(client: &Client, statement: Statement) -> Result<Vec<Row>, Error> {
    let Statement { text, values } = Dialect::Postgres.with_placeholders(statement);
    let values: Vec<(&(dyn ToSql + Sync), Type)> = values
        .iter()
        .map(|value| match value {
            Value::Integer(number) => (number as &(dyn ToSql + Sync), Type::INT8),
            Value::Text(text) => (text as &(dyn ToSql + Sync), Type::TEXT),
        })
        .collect();
    client.query_typed(&text, &values).await.map_err(|error| fault(format!("{error:?}")))
}

fn read<T: DeserializeOwned>(rows: &[Row]) -> Result<Vec<T>, Error> {
    let row = |row: &Row| {
        let columns = row.columns().iter().enumerate();
        let columns = columns.map(|(at, column)| {
            let value: serde_json::Value = match *column.type_() {
                Type::INT8 => row.get::<_, Option<i64>>(at).into(),
                Type::INT4 => row.get::<_, Option<i32>>(at).into(),
                Type::INT2 => row.get::<_, Option<i16>>(at).into(),
                Type::TEXT => row.get::<_, Option<String>>(at).into(),
                _ => serde_json::Value::Null,
            };
            (column.name().to_owned(), value)
        });
        serde_json::from_value(serde_json::Value::Object(columns.collect())).map_err(fault)
    };
    rows.iter().map(row).collect()
}

impl Beside {
    async fn with<T>(
        &self,
        work: impl AsyncFnOnce(&Client) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let _turn = self.queue.acquire().await.map_err(fault)?;
        let client = self.idle.borrow_mut().pop().unwrap();
        let done = work(&client).await;
        self.idle.borrow_mut().push(client);
        done
    }
}

impl Database for Beside {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    async fn rows<T: DeserializeOwned>(&self, statement: Statement) -> Result<Vec<T>, Error> {
        self.with(async |client| read(&rows(client, statement).await?)).await
    }

    async fn read<T: DeserializeOwned>(&self, _: Vec<Statement>) -> Result<Vec<Vec<T>>, Error> {
        unimplemented!("nothing is read together")
    }

    async fn write_log<T: DeserializeOwned>(
        &self,
        _: Vec<Statement>,
    ) -> Result<Vec<Vec<T>>, Error> {
        unimplemented!("the log is not measured")
    }

    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Receipt, Error> {
        self.token.set(self.token.get() + 1);
        let token = format!("{}-{}", std::process::id(), self.token.get());
        self.with(async |client| {
            for step in epcis_edge_sql::handing_in(batch, job, &token) {
                match step? {
                    SubmitStep::Aside(statement) => drop(rows(client, statement).await?),
                    SubmitStep::Last { store, settle } => {
                        let (stored, settled) =
                            futures_util::join!(rows(client, store), rows(client, settle));
                        stored?;
                        return epcis_edge_sql::appended(read::<AppendedRow>(&settled?)?);
                    }
                }
            }
            unreachable!("a capture has an end")
        })
        .await
    }
}

async fn beside(address: &str) -> Rc<dyn Store> {
    let mut idle = Vec::new();
    for _ in 0..CONNECTIONS {
        let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(connection)
        });
        idle.push(client);
    }
    let queue = Semaphore::new(CONNECTIONS);
    let database = Beside { idle: RefCell::new(idle), queue, token: Cell::new(0) };
    Rc::new(DatabaseStore::over(database, Elsewhere(MemoryStore::new())))
}

fn account(address: &str) -> Rc<dyn Store> {
    // Opened by a thread without a runtime, as the server does.
    let address = address.to_owned();
    let opened =
        std::thread::spawn(move || Postgres::open(&address, None, CONNECTIONS, |_| ())).join();
    let database = opened.unwrap().unwrap();
    let over = |database| Rc::new(DatabaseStore::over(database, Elsewhere(MemoryStore::new())));
    Rc::new(Accounts {
        directory: over(database.account(0)),
        log: over(database.account(0)),
        documents: Rc::new(Elsewhere(MemoryStore::new())),
        open: Box::new(move |number| Ok(over(database.account(number)) as Rc<dyn Account>)),
        memory: Rc::default(),
    })
}

/// A document of new events: one object each, shipped from one of nine places.
fn document(first: usize, events: usize) -> Vec<u8> {
    let event = |at: usize| {
        json!({
            "type": "ObjectEvent", "action": "OBSERVE", "bizStep": "shipping", "disposition": "in_transit",
            "eventTime": format!("2026-03-04T11:{:02}:{:02}.000+01:00", at / 60 % 60, at % 60), "eventTimeZoneOffset": "+01:00",
            "epcList": [format!("https://id.gs1.org/01/09521141000007/21/{at}"), format!("urn:epc:id:sscc:9521141.{at:010}")],
            "readPoint": {"id": format!("https://id.gs1.org/414/952114100000{}", at % 9)},
            "bizLocation": {"id": "https://id.gs1.org/414/9521141000009"},
            "bizTransactionList": [{"type": "desadv", "bizTransaction": format!("urn:epcglobal:cbv:bt:9521141000009:{}", at / 5)}],
        })
    };
    let events: Vec<_> = (first..first + events).map(event).collect();
    let document = json!({
        "@context": ["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld"],
        "type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-03-04T12:00:00Z",
        "epcisBody": {"eventList": events},
    });
    document.to_string().into_bytes()
}

/// Hundredths of a second of processor that all processes of PostgreSQL have used.
fn worked() -> u64 {
    let mut ticks = 0;
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(stat) = std::fs::read_to_string(process.path().join("stat")) else { continue };
        let Some((name, rest)) = stat.split_once(") ") else { continue };
        if name.ends_with("(postgres") {
            let fields: Vec<&str> = rest.split(' ').collect();
            ticks += fields[11..13].iter().map(|ticks| ticks.parse::<u64>().unwrap()).sum::<u64>();
        }
    }
    ticks
}

async fn measured(name: &str, service: Rc<Service>, run: (usize, usize, usize), seconds: f64) {
    let (in_flight, events, accounts) = run;
    let made = Rc::new(Cell::new(0));
    let base = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let base = base.as_micros() as usize % 1_000_000_000_000_000;
    let (before, began) = (worked(), Instant::now());
    let senders = (0..in_flight).map(|_| {
        let (service, made) = (Rc::clone(&service), Rc::clone(&made));
        tokio::task::spawn_local(async move {
            let mut times = Vec::new();
            while began.elapsed().as_secs_f64() < seconds {
                let number = made.replace(made.get() + 1);
                let account = format!("https://example.com/accounts/{}", number % accounts);
                let principal = Principal::local(&account, "https://id.gs1.org/417/9521141000009");
                let document = document(base + number * events, events);
                let from = Instant::now();
                let call = Call::new(1_780_000_000_000, principal);
                service.capture(&document, false, &call).await.unwrap();
                times.push(from.elapsed());
            }
            times
        })
    });
    let mut times: Vec<Duration> = Vec::new();
    for sender in senders.collect::<Vec<_>>() {
        times.extend(sender.await.unwrap());
    }
    let took = began.elapsed().as_secs_f64();
    times.sort();
    let part = |part: f64| {
        times[((times.len() as f64 * part) as usize).min(times.len() - 1)].as_secs_f64() * 1000.0
    };
    let spent = (worked() - before) as f64 * 10.0 / times.len() as f64;
    println!(
        "| {name} | {in_flight} | {events} | {accounts} | {:.0} | {:.0} | {:.1} | {:.1} | {spent:.1} |",
        times.len() as f64 / took,
        (times.len() * events) as f64 / took,
        part(0.5),
        part(0.99),
    );
}

async fn all() {
    let mut given = std::env::args().skip(1);
    let seconds: f64 = given.next().unwrap().parse().unwrap();
    let mut services = Vec::new();
    for target in given {
        let (name, address) = target.split_once('=').unwrap();
        let store = match name {
            "beside" => beside(address).await,
            "account" => account(address),
            other => panic!("{other}"),
        };
        let configuration = Configuration::at("https://epcis.example.com");
        services.push((name.to_owned(), Rc::new(Service::with_store(configuration, store))));
    }
    println!(
        "| store | in flight | events | accounts | captures/s | events/s | p50, ms | p99, ms | processor of PostgreSQL, ms |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (at, run) in RUNS.into_iter().enumerate() {
        for (name, service) in &services {
            // The first run warms up.
            let seconds = if at == 0 { 1.0 } else { seconds };
            measured(name, Rc::clone(service), run, seconds).await;
        }
    }
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(tokio::task::LocalSet::new().run_until(all()));
}
