//! The server's life: opens the folder, listens, answers, and ends when it is told to.

use crate::database::{self, Sqlite};
use crate::documents::Kept;
use crate::gateway::{Data, Gateway, Shared};
use crate::settings::Settings;
use crate::{http, keys, log, metrics, moving, tls};
use epcis_edge_core::service::Configuration;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use rustix::process::{Resource, getrlimit, setrlimit};
use std::fs::{self, File, TryLockError};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Notify, mpsc};
use tokio::task::LocalSet;
use tokio_io_timeout::TimeoutStream;
use tokio_rustls::rustls::StreamOwned;

/// The longest head of a request, in bytes.
const MAX_HEAD: usize = 64 << 10;

/// The most connections of a thread at a time.
const MAX_CONNECTIONS: usize = 20_000;

/// How many connections to PostgreSQL read at a time; as many capture.
const CONNECTIONS: usize = 16;

/// How long requests in flight may take after the server was told to end.
const LAST: Duration = Duration::from_secs(25);

/// Serves until the process is told to end; returns a last word.
///
/// # Errors
/// A setting, a folder or an address that cannot be used.
pub(crate) fn run(settings: &Settings) -> Result<String, String> {
    tracing_subscriber::fmt()
        .json()
        .with_writer(std::io::stderr)
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_default_env()
                .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info")),
        )
        .init();
    let said = |what: &str| {
        let what = what.to_owned();
        move |error: std::io::Error| format!("{what}: {error}")
    };
    // Each connection needs a file.
    let mut files = getrlimit(Resource::Nofile);
    files.current = files.maximum;
    setrlimit(Resource::Nofile, files).map_err(|error| format!("the limit of files: {error}"))?;
    let data = settings.data();
    let shown = data.display().to_string();
    let _lock = take(&data)?;
    let workers = settings.workers()?;
    let listen = settings.listen();
    let listener = TcpListener::bind(&listen).map_err(said(&listen))?;
    listener.set_nonblocking(true).map_err(said(&listen))?;
    let address = listener.local_addr().map_err(said(&listen))?;
    let scheme = if settings.text("TLS_CERTIFICATE").is_some() { "https" } else { "http" };
    let base = format!("{scheme}://{address}");
    // Before the first figure.
    if let Some(address) = settings.text("METRICS") {
        metrics::serve(&address)?;
    }
    let file = data.join(database::FILE);
    let grown = Arc::new(Notify::new());
    let told = Arc::clone(&grown);
    let stored = move |events| {
        database::count(events);
        told.notify_one();
    };
    let database = match settings.postgres(CONNECTIONS, stored)? {
        Some(postgres) => Data::Postgres(postgres),
        None => {
            let sqlite = Sqlite::open(&file, 2 * workers);
            Data::Sqlite(sqlite.map_err(|error| format!("{shown}: {error:?}"))?)
        }
    };
    if is_being_moved(&database, &file)? {
        return Err("a store is being moved into the database: call move again, until it says that all is compared".to_owned());
    }
    let documents = Kept::open(&data.join("documents"), database.clone()).map_err(said(&shown))?;
    let mut settings = settings.clone();
    let uri = base.parse().map_err(|error| format!("{base}: {error}"))?;
    if settings.text("LOG_KEY").is_none() {
        // A start that is refused makes no key, which would keep its name.
        let known = Configuration::read(&|name| settings.text(name), &uri);
        let base_url = known.map_err(|fault| fault.to_string())?.base_url;
        settings.set("LOG_KEY", log::kept_key(&data, &base_url)?);
    }
    let shared = Arc::new(Shared::new(&settings, &uri, database.clone(), documents, grown)?);
    match &database {
        Data::Postgres(postgres) => {
            let gateway = Gateway::new(Arc::clone(&shared));
            in_thread(log::claim(&gateway, settings.text("LOG_KEY_BEFORE")))?;
            welcome(&base, &|statement| postgres.run(statement))?;
        }
        Data::Sqlite(_) => {
            let connection = database::writer(&file).map_err(|error| error.to_string())?;
            welcome(&base, &|statement| database::rows(&connection, &statement))?;
        }
    }
    let mut threads = Vec::new();
    let mut doors = Vec::new();
    for number in 0..workers {
        let (door, connections) = mpsc::unbounded_channel();
        let shared = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name(format!("answers-{number}"));
        let answers = move || in_thread(answers(shared, connections, number == 0));
        threads.push(thread.spawn(answers).map_err(said("a thread"))?);
        doors.push(door);
    }
    // Only under systemd.
    let _ = sd_notify::notify(&[sd_notify::NotifyState::Ready]);
    in_thread(accept(listener, doors, Arc::clone(&shared)))?;
    let _ = sd_notify::notify(&[sd_notify::NotifyState::Stopping]);
    for thread in threads {
        if thread.join().is_err() {
            return Err("a thread that answers has ended".to_owned());
        }
    }
    Ok("ended".to_owned())
}

fn is_being_moved(database: &Data, file: &Path) -> Result<bool, String> {
    match database {
        Data::Postgres(postgres) => moving::is_under_way(&|asked| postgres.run(asked), true),
        Data::Sqlite(_) => {
            let connection = database::writer(file).map_err(|error| error.to_string())?;
            moving::is_under_way(&|asked| database::rows(&connection, &asked), false)
        }
    }
}

/// Runs a future, and what it spawns, in this thread.
fn in_thread(future: impl Future<Output = Result<(), String>>) -> Result<(), String> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("a runtime: {error}"))?;
    runtime.block_on(LocalSet::new().run_until(future))
}

/// Takes connections, each for the thread whose turn it is, until the process is told to end.
async fn accept(
    listener: TcpListener,
    doors: Vec<mpsc::UnboundedSender<(TcpStream, SocketAddr)>>,
    shared: Arc<Shared>,
) -> Result<(), String> {
    let listener =
        tokio::net::TcpListener::from_std(listener).map_err(|error| error.to_string())?;
    let mut told = signal(SignalKind::terminate()).map_err(|error| error.to_string())?;
    let mut turns = doors.iter().cycle();
    let mut hand_over = |stream: tokio::net::TcpStream, from| {
        let stream = stream.into_std().map_err(|error| error.to_string())?;
        if let Some(door) = turns.next() {
            // A thread that is gone is found when it is joined.
            let _ = door.send((stream, from));
        }
        Ok::<(), String>(())
    };
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, from)) => hand_over(stream, from)?,
                Err(error) => {
                    tracing::error!("cannot accept a connection: {error}");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            _ = told.recv() => break,
            _ = tokio::signal::ctrl_c() => break,
        }
    }
    shared.end();
    // Who comes now is told to come back, until all that is in flight is answered.
    let last = Instant::now() + LAST;
    while shared.in_flight.load(Ordering::Acquire) > 0 && Instant::now() < last {
        let accepted = tokio::time::timeout(Duration::from_millis(50), listener.accept());
        if let Ok(Ok((stream, from))) = accepted.await {
            hand_over(stream, from)?;
        }
    }
    Ok(())
}

/// Answers the requests of connections, until no more come and those in flight are answered.
async fn answers(
    shared: Arc<Shared>,
    mut connections: mpsc::UnboundedReceiver<(TcpStream, SocketAddr)>,
    keeps_log: bool,
) -> Result<(), String> {
    let tls = shared.tls.clone();
    let gateway = Rc::new(Gateway::new(shared));
    if keeps_log {
        tokio::task::spawn_local(log::grow(Rc::clone(&gateway)));
        tokio::task::spawn_local(log::cosign(Rc::clone(&gateway)));
        tokio::task::spawn_local(log::measure(Rc::clone(&gateway)));
    }
    let mut server = http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(http::PATIENCE)
        .max_buf_size(MAX_HEAD)
        .max_headers(256);
    let open = GracefulShutdown::new();
    while let Some((stream, from)) = connections.recv().await {
        if open.count() >= MAX_CONNECTIONS {
            tracing::warn!("more than {MAX_CONNECTIONS} connections: one is closed");
            continue;
        }
        let stream = match tokio::net::TcpStream::from_std(stream) {
            Ok(stream) => stream,
            Err(error) => {
                tracing::error!("a connection cannot be used: {error}");
                continue;
            }
        };
        let gateway = Rc::clone(&gateway);
        let answer = service_fn(move |request| {
            let gateway = Rc::clone(&gateway);
            async move { http::answer(&gateway, request, from.ip()).await }
        });
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(http::PATIENCE));
        let (server, tls, watcher) = (server.clone(), tls.clone(), open.watcher());
        tokio::task::spawn_local(async move {
            // Callers that break off are no fault of ours.
            match tls {
                None => {
                    let connection =
                        server.serve_connection(TokioIo::new(Box::pin(stream)), answer);
                    let _ = watcher.watch(connection).await;
                }
                Some(tls) => {
                    let greeted =
                        tokio::time::timeout(http::PATIENCE, tls.accept(Box::pin(stream)));
                    if let Ok(Ok(stream)) = greeted.await {
                        let connection = server.serve_connection(TokioIo::new(stream), answer);
                        let _ = watcher.watch(connection).await;
                    }
                }
            }
        });
    }
    let _ = tokio::time::timeout(LAST, open.shutdown()).await;
    Ok(())
}

/// Takes the folder for this process, and makes it if it is missing: two servers over one folder would overwrite each other's documents and
/// log.
///
/// # Errors
/// A folder that another server uses, or that cannot be written.
pub(crate) fn take(data: &Path) -> Result<File, String> {
    let shown = data.display();
    fs::create_dir_all(data).map_err(|error| format!("{shown}: {error}"))?;
    let file = File::create(data.join("lock")).map_err(|error| format!("{shown}: {error}"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(format!(
            "{shown} is used by another server: end it, or name another folder with --data"
        )),
        Err(TryLockError::Error(error)) => Err(format!("{shown}: {error}")),
    }
}

/// Says where the server is. At the first start, makes a key and prints it, once.
fn welcome(base: &str, database: keys::Run<'_>) -> Result<(), String> {
    let mut text = format!(
        "epcis-edge is at {base}: the page in a browser, the API for programs. Ctrl-C ends it.\n"
    );
    if !keys::any(database)? {
        let account = "https://example.com/accounts/demo";
        let readable = serde_json::json!([account]).to_string();
        let observer = "https://id.gs1.org/417/9521141000007";
        let key = keys::create(
            database,
            account,
            observer,
            [true; 2],
            &readable,
            "made by the first start",
        )?;
        text.push_str(&format!("\nA demo key, shown only once (epcis-edge-server keys create makes others):\n\n  export KEY={key}\n"));
    }
    let _ = writeln!(std::io::stdout(), "{text}");
    Ok(())
}

/// Asks the server that runs with these settings whether it is ready.
///
/// # Errors
/// It does not answer, or is not ready.
pub(crate) fn healthy(settings: &Settings) -> Result<String, String> {
    let listen = settings.listen();
    let said = |error: std::io::Error| format!("{listen}: {error}");
    let mut addresses = listen.to_socket_addrs().map_err(said)?;
    let mut address = addresses.next().ok_or_else(|| format!("{listen} is no address"))?;
    if address.ip().is_unspecified() {
        address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
    }
    let limit = Duration::from_secs(5);
    let stream = TcpStream::connect_timeout(&address, limit).map_err(said)?;
    stream.set_read_timeout(Some(limit)).map_err(said)?;
    let answer = match tls::to_itself(settings)? {
        None => asked(stream),
        Some(tls) => asked(StreamOwned::new(tls, stream)),
    };
    let answer = answer.map_err(said)?;
    let line = answer.lines().next().unwrap_or("");
    if line.contains(" 200 ") { Ok("ready".to_owned()) } else { Err(format!("not ready: {line}")) }
}

/// The answer of a server to the question whether it is ready.
fn asked(mut stream: impl Read + Write) -> std::io::Result<String> {
    stream.write_all(b"GET /readyz HTTP/1.0\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}
