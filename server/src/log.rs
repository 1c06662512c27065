//! The work on the log: gives events their leaves, and asks the witnesses.

use crate::gateway::Gateway;
use crate::http::now;
use crate::settings::Settings;
use async_trait::async_trait;
use clap::{Arg, ArgAction, ArgMatches, Command};
use epcis_edge_core::error::{Error, ErrorKind, LogFault};
use epcis_edge_core::log::{KeyKind, Note, Signer, VerifierKey};
use epcis_edge_core::service::{Integrated, LogState, Witnesses};
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// The file of the key in the folder of a server.
const FILE: &str = "log.key";

/// How often the log grows at most, and how long an event may wait for its leaf.
const REST: Duration = Duration::from_secs(1);

/// When the log looks for events without a leaf, even if it was not told of any.
const AGAIN: Duration = Duration::from_secs(10);

/// The time limit for the answer of a witness.
const PATIENCE: Duration = Duration::from_secs(5);

/// The longest answer of a witness that is accepted, in bytes.
const MAX_ANSWER: u64 = 64 << 10;

/// The key of the log that the folder keeps, made at the first start and named by the address of the gateway: the origin of a log never
/// changes, even if the address does.
///
/// # Errors
/// A file that cannot be read or written, or an address that is no name.
pub(crate) fn kept_key(data: &Path, base_url: &str) -> Result<String, String> {
    let path = data.join(FILE);
    let said = |error: std::io::Error| format!("{}: {error}", path.display());
    if !path.exists() {
        let place = base_url.split_once("://").map_or(base_url, |(_, place)| place);
        let text = new_key(&format!("{place}/log"), KeyKind::Note)?;
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)
            .map_err(said)?;
        writeln!(file, "{text}").and_then(|()| file.sync_all()).map_err(said)?;
    }
    let mut text = String::new();
    File::open(&path).and_then(|mut file| file.read_to_string(&mut text)).map_err(said)?;
    Ok(text.trim().to_owned())
}

/// A new private key.
fn new_key(name: &str, kind: KeyKind) -> Result<String, String> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|error| error.to_string())?;
    Signer::text_of(name, kind, &seed).map_err(|_| {
        format!("the name of a key is {name}, expected host and path, without white space or +")
    })
}

/// The command `log`, with its own commands.
pub(crate) fn command() -> Command {
    let new_key = Command::new("new-key")
        .about("Makes a key, and prints its secret half and the half to verify with")
        .arg(Arg::new("name").required(true).help("The origin of a log, or the name of a witness: host and path, such as epcis.example.com/log"))
        .arg(Arg::new("witness").long("witness").action(ArgAction::SetTrue).help("Makes the key of a witness"));
    Command::new("log")
        .about("Makes keys of the log and of witnesses, and says which ones are used")
        .subcommand_required(true)
        .subcommand(new_key)
        .subcommand(Command::new("keys").about(
            "Prints the keys to verify the log with: those of LOG_KEY, or that of the folder",
        ))
}

/// Runs `log`, and returns what is to be printed.
///
/// # Errors
/// A setting, a name or a file that cannot be used.
pub(crate) fn run(given: &ArgMatches, settings: &Settings) -> Result<String, String> {
    match given.subcommand() {
        Some(("new-key", given)) => {
            let name = given.get_one::<String>("name").map_or("", String::as_str);
            let is_witness = given.get_flag("witness");
            let kind = if is_witness { KeyKind::Cosignature } else { KeyKind::Note };
            let secret = new_key(name, kind)?;
            let key = Signer::named(&secret).map_err(|error| error.to_string())?;
            Ok(format!("{secret}\n{}", key.key()))
        }
        _ => {
            let file = settings.data().join(FILE);
            let secrets =
                settings.text("LOG_KEY").map_or_else(|| std::fs::read_to_string(&file), Ok);
            let secrets = secrets.map_err(|error| format!("{}: {error}", file.display()))?;
            let key = |secret| Signer::named(secret).map(|signer| signer.key().to_string());
            let keys: Result<Vec<String>, _> = secrets.split_whitespace().map(key).collect();
            Ok(keys.map_err(|error| error.to_string())?.join("\n"))
        }
    }
}

/// Makes sure that the log in the database is that of the key, so that servers with different keys do not sign one log: a new log gets its
/// first head. `before` is the key that another has replaced.
///
/// # Errors
/// The log is of another origin, or its newest head is signed by none of the keys; a fault of the storage.
pub(crate) async fn claim(gateway: &Gateway, before: Option<String>) -> Result<(), String> {
    let service = &gateway.service;
    let Some(log) = &service.configuration().log else { return Ok(()) };
    let said = |error: Error| error.to_string();
    let before = before.map(|key| VerifierKey::named(&key)).transpose();
    let before = before.map_err(|error| format!("LOG_KEY_BEFORE: {error}"))?;
    loop {
        let head = match service.served_log().map_err(said)?.checkpoint().await {
            Ok(head) => head,
            Err(error) if is_without_head(&error) && !service.configuration().read_only => {
                // As before any growth: a witness may know a log that the database has lost.
                if service.must_consult(None).await.map_err(said)? {
                    told(service.consult(&Web, now()).await);
                }
                let mut entropy = [0; 32];
                getrandom::fill(&mut entropy).map_err(|error| error.to_string())?;
                match service.integrate(entropy).await {
                    Ok(_) => continue,
                    // Told as long as it lasts, and nothing is signed.
                    Err(error) if is_halted(&error) => return Ok(()),
                    Err(error) => return Err(said(error)),
                }
            }
            Err(error) if is_without_head(&error) => return Ok(()),
            Err(error) => return Err(said(error)),
        };
        let note = Note::read(&head).map_err(|error| error.to_string())?;
        if log.keys().chain(&before).any(|key| note.is_signed_by(key) == Ok(true)) {
            return Ok(());
        }
        let own = log.keys().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        return Err(format!(
            "the log in the database is signed by another key than LOG_KEY, {own}: set LOG_KEY to that of the other servers; \
             only if it was lost or stolen, set LOG_KEY_BEFORE to the key to verify it with"
        ));
    }
}

fn is_halted(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Log(LogFault::Halted { .. }))
}

fn is_without_head(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Log(LogFault::NoSuchPart { .. }))
}

/// Gives leaves to all events that have none, again and again.
pub(crate) async fn grow(gateway: Rc<Gateway>) {
    let service = &gateway.service;
    if let Some(fault) = &service.configuration().log_fault {
        tracing::error!("the log is off: {fault}");
    }
    if service.configuration().log.is_none() || service.configuration().read_only {
        return;
    }
    let mut consulted = None;
    loop {
        match service.must_consult(consulted).await {
            Ok(false) => integrate(&gateway).await,
            Ok(true) => {
                let at = now();
                if told(service.consult(&Web, at).await) {
                    consulted = Some(at);
                    continue;
                }
            }
            Err(error) => tracing::error!("cannot find out whether the log may sign: {error:?}"),
        }
        sleep(REST).await;
        let _ = timeout(AGAIN, gateway.shared.grown.notified()).await;
    }
}

/// Asks the witnesses for cosignatures, apart from the growth of the log: no leaf waits for a slow witness.
pub(crate) async fn cosign(gateway: Rc<Gateway>) {
    if gateway.service.configuration().log.is_none() || gateway.service.configuration().read_only {
        return;
    }
    loop {
        told(gateway.service.cosign(&Web, now()).await);
        sleep(REST).await;
    }
}

/// Keeps the figures of the log and of the database.
pub(crate) async fn measure(gateway: Rc<Gateway>) {
    loop {
        gateway.measure();
        if let Ok(status) = gateway.service.log_status(now()).await {
            let is_halted = status.state == LogState::Halted;
            metrics::gauge!("epcis_edge_log_leaves").set(status.size as f64);
            metrics::gauge!("epcis_edge_log_waiting").set(status.events_without_leaf as f64);
            let oldest = status.oldest_waits_seconds.unwrap_or(0);
            metrics::gauge!("epcis_edge_log_oldest_seconds").set(oldest as f64);
            metrics::gauge!("epcis_edge_log_halted").set(f64::from(u8::from(is_halted)));
        }
        sleep(AGAIN).await;
    }
}

async fn integrate(gateway: &Gateway) {
    loop {
        let mut entropy = [0; 32];
        if let Err(error) = getrandom::fill(&mut entropy) {
            tracing::error!("the log cannot grow without random bytes: {error}");
            return;
        }
        match gateway.service.integrate(entropy).await {
            Ok(Integrated::NoLog | Integrated::Complete { .. }) => return,
            Ok(Integrated::Grown { copy, .. }) => {
                if let Some(error) = copy {
                    tracing::error!("cannot store the copy of the head: {error:?}");
                }
            }
            Ok(Integrated::Overtaken) => {}
            Err(error) => {
                tracing::error!("the log cannot grow: {error} ({error:?})");
                return;
            }
        }
    }
}

/// Logs the errors of witnesses. Returns false if the store failed.
fn told(troubles: Result<Vec<String>, Error>) -> bool {
    match troubles {
        Ok(troubles) => {
            for trouble in troubles {
                tracing::warn!("{trouble}");
            }
            true
        }
        Err(error) => {
            tracing::error!("the store failed while cosignatures were collected: {error:?}");
            false
        }
    }
}

/// Witnesses that are reached over HTTP.
struct Web;

#[async_trait(?Send)]
impl Witnesses for Web {
    async fn ask(&self, url: &str, body: String) -> Option<(u16, String, String)> {
        let url = url.to_owned();
        let asked = tokio::task::spawn_blocking(move || {
            let agent: ureq::Agent = ureq::Agent::config_builder()
                .timeout_global(Some(PATIENCE))
                .max_redirects(0)
                .http_status_as_error(false)
                .build()
                .into();
            let request = agent.post(&url).header("content-type", "text/plain; charset=utf-8");
            let mut answer = request.send(body).ok()?;
            let kind = answer.headers().get("content-type").and_then(|kind| kind.to_str().ok());
            let kind = kind.unwrap_or("").to_owned();
            let text = answer.body_mut().with_config().limit(MAX_ANSWER).read_to_string().ok()?;
            Some((answer.status().as_u16(), kind, text))
        });
        asked.await.ok()?
    }
}
