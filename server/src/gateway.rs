//! The gateway of a thread, and what all threads share.

use crate::database::Sqlite;
use crate::documents::Kept;
use crate::postgres::Postgres;
use crate::settings::Settings;
use crate::tls;
use epcis_edge_core::service::{Configuration, Service};
use epcis_edge_core::store::{Account, Accounts, Store};
use epcis_edge_sql::store::DatabaseStore;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::{HeaderMap, HeaderName, Uri};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::sync::{Notify, Semaphore};
use tokio_rustls::TlsAcceptor;

/// The units of work that a caller may have in a minute, as `worker/wrangler.toml` says for the Worker.
const UNITS: NonZeroU32 = NonZeroU32::new(600).unwrap();

/// The KiB of all long bodies that are answered at a time, and of all short ones: many captures never wait for slow senders of long
/// documents. An answer takes up to nine times its body.
const ROOM: usize = 24 << 10;
const ROOM_FOR_SHORT: usize = 8 << 10;

/// The database of a server.
#[derive(Clone)]
pub(crate) enum Data {
    /// Has one store for all accounts.
    Sqlite(Sqlite),
    /// Has one for each.
    Postgres(Postgres),
}

/// What all threads of a server share.
pub(crate) struct Shared {
    configuration: Configuration,
    database: Data,
    documents: Kept,
    /// The header in which a proxy says whom it speaks for.
    address_header: Option<HeaderName>,
    /// `None` if callers are not limited.
    limiter: Option<DefaultKeyedRateLimiter<[u8; 8]>>,
    is_ending: AtomicBool,
    /// How many requests are being answered.
    pub(crate) in_flight: AtomicUsize,
    /// Room for the bodies of requests, in KiB. A request takes its place before its body is read, until it is answered.
    pub(crate) room: Arc<Semaphore>,
    /// The same for short bodies.
    pub(crate) room_for_short: Arc<Semaphore>,
    /// `None` without TLS.
    pub(crate) tls: Option<TlsAcceptor>,
    /// Told when events were stored, so that the log grows.
    pub(crate) grown: Arc<Notify>,
}

impl Shared {
    /// What the settings say.
    ///
    /// # Errors
    /// A setting that cannot be used.
    pub(crate) fn new(
        settings: &Settings,
        address: &Uri,
        database: Data,
        documents: Kept,
        grown: Arc<Notify>,
    ) -> Result<Self, String> {
        let text = |name: &str| settings.text(name);
        let read = || {
            let configuration = Configuration::read(&text, address)?;
            let is_limited = configuration.limits_callers(&text)?;
            Ok::<_, epcis_edge_core::service::SettingFault>((configuration, is_limited))
        };
        let (configuration, is_limited) = read().map_err(|fault| fault.to_string())?;
        let header = text("ADDRESS_HEADER").map(|name| name.parse());
        let address_header =
            header.transpose().map_err(|_| "ADDRESS_HEADER is not the name of a header")?;
        let units = settings.number("RATE_UNITS", 1_000_000)?.unwrap_or(UNITS);
        let limiter = is_limited.then(|| RateLimiter::keyed(Quota::per_minute(units)));
        Ok(Self {
            configuration,
            database,
            documents,
            address_header,
            limiter,
            is_ending: AtomicBool::new(false),
            in_flight: AtomicUsize::new(0),
            room: Arc::new(Semaphore::new(ROOM)),
            room_for_short: Arc::new(Semaphore::new(ROOM_FOR_SHORT)),
            tls: tls::of_server(settings)?,
            grown,
        })
    }

    /// From now on, no new request is taken.
    pub(crate) fn end(&self) {
        self.is_ending.store(true, Ordering::Release);
    }
}

/// The gateway of a thread.
pub(crate) struct Gateway {
    pub(crate) service: Service,
    /// The store in SQLite, which knows whether events were stored.
    store: Option<Rc<DatabaseStore<Sqlite, Kept>>>,
    pub(crate) shared: Arc<Shared>,
}

impl Gateway {
    /// The gateway over what all threads share.
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        let documents = shared.documents.clone();
        let (store, own): (_, Rc<dyn Store>) = match &shared.database {
            Data::Sqlite(sqlite) => {
                let store = Rc::new(DatabaseStore::over(sqlite.clone(), documents));
                (Some(Rc::clone(&store)), store)
            }
            Data::Postgres(postgres) => (None, Rc::new(by_account(postgres.clone(), documents))),
        };
        let service = Service::with_store(shared.configuration.clone(), own);
        Self { service, store, shared }
    }

    /// Whether the server ends: then it takes no new request.
    pub(crate) fn is_ending(&self) -> bool {
        self.shared.is_ending.load(Ordering::Acquire)
    }

    /// Whether the database answers. SQLite is in this process.
    pub(crate) async fn has_database(&self) -> bool {
        match &self.shared.database {
            Data::Sqlite(_) => true,
            Data::Postgres(postgres) => postgres.answers().await.is_ok(),
        }
    }

    /// Keeps the figures of the connections to PostgreSQL.
    pub(crate) fn measure(&self) {
        if let Data::Postgres(postgres) = &self.shared.database {
            for (pool, busy, waiting) in postgres.in_use() {
                metrics::gauge!("epcis_edge_connections", "pool" => pool).set(busy as f64);
                metrics::gauge!("epcis_edge_connections_waiting", "pool" => pool)
                    .set(waiting as f64);
            }
        }
    }

    /// Whether a caller may have one more unit of work.
    pub(crate) fn admits(&self, headers: &HeaderMap, from: IpAddr) -> bool {
        let header = self.shared.address_header.as_ref().and_then(|name| headers.get(name));
        let said = header.and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let from = said.unwrap_or(from);
        let limiter = self.shared.limiter.as_ref();
        limiter.is_none_or(|limiter| limiter.check_key(&network(from)).is_ok())
    }

    /// Tells the log if events were stored.
    pub(crate) fn tell_log(&self) {
        if self.store.as_ref().is_some_and(|store| store.take_growth()) {
            self.shared.grown.notify_one();
        }
    }
}

/// The store made of one for each account.
fn by_account(postgres: Postgres, documents: Kept) -> Accounts {
    let over = {
        let documents = documents.clone();
        move |number| Rc::new(DatabaseStore::over(postgres.account(number), documents.clone()))
    };
    Accounts {
        directory: over(0),
        log: over(0),
        documents: Rc::new(documents),
        open: Box::new(move |number| Ok(over(number) as Rc<dyn Account>)),
        memory: Rc::default(),
    }
}

/// The IPv4 address, or the /64 prefix of an IPv6 address, since a network assigns the other bits itself.
fn network(address: IpAddr) -> [u8; 8] {
    let bytes = match address.to_canonical() {
        IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
        IpAddr::V6(address) => address.octets(),
    };
    // The last four bytes of a mapped address stand for the first four of the prefix `::/64`.
    let [.., a, b, c, d] = bytes;
    match address.to_canonical() {
        IpAddr::V4(_) => [0, 0, 0, 0, a, b, c, d],
        IpAddr::V6(_) => bytes.first_chunk().copied().unwrap_or_default(),
    }
}
