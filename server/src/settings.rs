//! The settings of a server: each as a flag, a variable of the environment, or a line of a file. The Worker has the same names.

use crate::postgres::Postgres;
use crate::tls;
use clap::{Arg, ArgMatches, Command};
use epcis_edge_core::service::SETTINGS;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;

/// The settings that only a server has.
const OWN: [(&str, &str); 11] = [
    (
        "ADDRESS_HEADER",
        "The header in which a proxy says whom it speaks for, such as x-real-ip; the proxy must overwrite it. Default: none, the address of the connection",
    ),
    (
        "DATABASE",
        "The address of a PostgreSQL, such as postgres://user:password@host/name; default: SQLite in the folder",
    ),
    (
        "DATABASE_CERTIFICATES",
        "A PEM file with the certificates that vouch for the PostgreSQL; default: those of the web",
    ),
    (
        "LOG_KEY_BEFORE",
        "The key to verify with of the log whose secret key was lost or stolen, so that LOG_KEY takes its place at once",
    ),
    ("LISTEN", "The address and port to listen on; default 127.0.0.1:8787"),
    (
        "DATA",
        "The folder of the database, the documents and the key of the log; default ./epcis-edge-data",
    ),
    ("METRICS", "The address and port of the figures for Prometheus, at /metrics; default: none"),
    ("RATE_UNITS", "The units of work that a caller may have in a minute; default 600"),
    (
        "TLS_CERTIFICATE",
        "A PEM file with the certificate of the server and those above it; default: no TLS",
    ),
    ("TLS_KEY", "A PEM file with the key of the certificate"),
    ("WORKERS", "How many threads answer requests; default: one for each core"),
];

/// The name of the flag of a setting: `--base-url` for `BASE_URL`.
fn flag(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

/// A command with a flag for each setting, and `--settings` for a file of them.
pub(crate) fn with_settings(command: Command) -> Command {
    let known = OWN.into_iter().chain(SETTINGS);
    let arguments = known.map(|(name, what)| {
        let secret = matches!(name, "DATABASE" | "LOG_KEY");
        Arg::new(name)
            .long(flag(name))
            .env(name)
            .hide_env_values(secret)
            .value_name("…")
            .help(what)
            .global(true)
    });
    let file = Arg::new("settings")
        .long("settings")
        .value_name("FILE")
        .help("A file of settings, in TOML: LISTEN = \"0.0.0.0:8787\"; flags and variables go before it")
        .value_parser(clap::value_parser!(PathBuf))
        .global(true);
    command.args(arguments).arg(file)
}

/// The settings of a run.
#[derive(Clone, Debug)]
pub(crate) struct Settings(BTreeMap<String, String>);

impl Settings {
    /// Reads the flags, the environment and the file.
    ///
    /// # Errors
    /// A file that cannot be read, or with a name or a value that is none of a setting.
    pub(crate) fn read(given: &ArgMatches) -> Result<Self, String> {
        let mut all = BTreeMap::new();
        if let Some(file) = given.get_one::<PathBuf>("settings") {
            let shown = file.display();
            let text =
                std::fs::read_to_string(file).map_err(|error| format!("{shown}: {error}"))?;
            let table: toml::Table = text.parse().map_err(|error| format!("{shown}: {error}"))?;
            for (name, value) in table {
                let known = || OWN.into_iter().chain(SETTINGS).map(|(name, _)| name);
                if !known().any(|one| one == name) {
                    let known: Vec<&str> = known().collect();
                    return Err(format!(
                        "{shown}: there is no setting {name}, expected one of {}",
                        known.join(", ")
                    ));
                }
                let text = match value {
                    toml::Value::String(text) => text,
                    toml::Value::Integer(number) => number.to_string(),
                    other => {
                        return Err(format!(
                            "{shown}: {name} is {other}, expected a text or a number"
                        ));
                    }
                };
                all.insert(name, text);
            }
        }
        for (name, _) in OWN.into_iter().chain(SETTINGS) {
            if let Some(text) = given.get_one::<String>(name) {
                all.insert(name.to_owned(), text.clone());
            }
        }
        Ok(Self(all))
    }

    /// The text of a setting, if it has one.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.0.get(name).filter(|text| !text.is_empty()).cloned()
    }

    /// Gives a setting a text.
    pub(crate) fn set(&mut self, name: &str, text: String) {
        self.0.insert(name.to_owned(), text);
    }

    /// The address to listen on.
    pub(crate) fn listen(&self) -> String {
        self.text("LISTEN").unwrap_or_else(|| "127.0.0.1:8787".to_owned())
    }

    /// The folder of the data.
    pub(crate) fn data(&self) -> PathBuf {
        self.text("DATA").unwrap_or_else(|| "epcis-edge-data".to_owned()).into()
    }

    /// The PostgreSQL, with its tables made, if the settings name one: see [`Postgres::open`].
    ///
    /// # Errors
    /// A database that cannot be used.
    pub(crate) fn postgres(
        &self,
        connections: usize,
        stored: impl Fn(u64) + Send + Sync + 'static,
    ) -> Result<Option<Postgres>, String> {
        let Some(address) = self.text("DATABASE") else { return Ok(None) };
        // A certificate is verified in any case, if TLS is spoken.
        let address = address.replace("sslmode=verify-full", "sslmode=require");
        Postgres::open(&address, tls::to_database(self)?, connections, stored).map(Some)
    }

    /// The number of threads that answer requests.
    ///
    /// # Errors
    /// A text that is no number from 1 to 256.
    pub(crate) fn workers(&self) -> Result<usize, String> {
        let number = self.number("WORKERS", 256)?.map(|number| number.get() as usize);
        Ok(number.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)))
    }

    /// The number of a setting, from 1 to `most`, if it has one.
    ///
    /// # Errors
    /// A text that is no such number.
    pub(crate) fn number(&self, name: &str, most: u32) -> Result<Option<NonZeroU32>, String> {
        let read = |text: String| match text.parse::<NonZeroU32>() {
            Ok(number) if number.get() <= most => Ok(number),
            _ => Err(format!("{name} is {text}, expected a number from 1 to {most}")),
        };
        self.text(name).map(read).transpose()
    }
}
