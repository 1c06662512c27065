//! `epcis-edge-server`: the gateway on one's own machine, over SQLite in a folder or over PostgreSQL.
//!
//! Requests are answered by some threads, each with a runtime and a gateway of its own, because the core's futures stay in one thread.

mod database;
mod documents;
mod export;
mod gateway;
mod http;
mod keys;
mod log;
mod metrics;
mod moving;
mod page;
mod postgres;
mod serve;
mod settings;
mod spool;
mod tls;

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};
use settings::Settings;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

fn command() -> Command {
    let command = Command::new("epcis-edge-server")
        .version(env!("CARGO_PKG_VERSION"))
        .about("An EPCIS 2.0 gateway: captures, queries and traces events over HTTP, with a page and a door for agents at the same address")
        .subcommand(keys::command())
        .subcommand(Command::new("healthy").about("Asks the server that runs with these settings; ends with 1 if it is not ready"))
        .subcommand(
            Command::new("backup")
                .about("Copies the database while the server runs; long documents are files below documents/, to be copied after it")
                .arg(Arg::new("file").required(true).help("A file that is not there yet")),
        )
        .subcommand(
            Command::new("migrate").about("Makes the tables that this version needs; a start does the same").arg(
                Arg::new("citus")
                    .long("citus")
                    .action(ArgAction::SetTrue)
                    .help("Distributes the accounts over the nodes of Citus, with what they have; all servers are started again after it"),
            ),
        )
        .subcommand(
            Command::new("export")
                .about("Writes everything that the database has as lines of JSON with hashes, while the server runs")
                .arg(Arg::new("to").long("to").value_name("FILE").help("The file to write; it must not be there"))
                .arg(
                    Arg::new("check")
                        .long("check")
                        .value_name("FILE")
                        .conflicts_with("to")
                        .help("Reads a file again: are all lines there, and unchanged?"),
                )
                .group(ArgGroup::new("what").args(["to", "check"]).required(true)),
        )
        .subcommand(moving::command())
        .subcommand(log::command());
    settings::with_settings(command)
}

fn main() -> ExitCode {
    match run(&command().get_matches()) {
        Ok(text) => {
            // Who reads it may be gone.
            let _ = writeln!(std::io::stdout(), "{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "epcis-edge-server: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a command, and returns what is to be printed.
fn run(given: &ArgMatches) -> Result<String, String> {
    let settings = Settings::read(given)?;
    let file = settings.data().join(database::FILE);
    match given.subcommand() {
        None => serve::run(&settings),
        Some(("keys", given)) => match settings.postgres(1, |_| ())? {
            Some(postgres) => keys::run(given, &|statement| postgres.run(statement)),
            None => {
                let connection = existing(&file)?;
                keys::run(given, &|statement| database::rows(&connection, &statement))
            }
        },
        Some(("healthy", _)) => serve::healthy(&settings),
        Some(("backup", _)) if settings.text("DATABASE").is_some() => {
            Err("this is for SQLite: pg_dump copies a PostgreSQL".to_owned())
        }
        Some(("backup", given)) => {
            let to = given.get_one::<String>("file").map_or("", String::as_str);
            database::backup(&existing(&file)?, Path::new(to))?;
            Ok(format!("the database is copied to {to}"))
        }
        Some(("migrate", given)) => {
            let is_citus = given.get_flag("citus");
            if let Some(postgres) = settings.postgres(1, |_| ())? {
                let done = match is_citus && postgres.distribute()? {
                    true => "the accounts are distributed over the nodes: start all servers again",
                    false => "the database has the tables of this version",
                };
                return Ok(done.to_owned());
            }
            if is_citus {
                return Err("--citus is for a PostgreSQL: name it with --database".to_owned());
            }
            let _lock = serve::take(&settings.data())?;
            let version =
                database::open_and_migrate(&file).map_err(|error| format!("{error:?}"))?.1;
            Ok(format!("{} has the version {version}", file.display()))
        }
        Some(("export", given)) => {
            let path = |name| given.get_one::<String>(name).map(Path::new);
            match (path("to"), path("check")) {
                (Some(to), _) => match settings.postgres(1, |_| ())? {
                    Some(postgres) => export::write(to, |take| postgres.each_row(take)),
                    None => {
                        let database = existing(&file)?;
                        export::write(to, |take| export::each_row(&database, take))
                    }
                },
                (None, Some(check)) => {
                    let rows = export::read(check, |_, _, _| Ok(()))?;
                    Ok(format!("{rows} rows, all as they were written"))
                }
                (None, None) => Err("--to or --check is given".to_owned()),
            }
        }
        Some(("move", given)) => moving::run(given, &settings),
        Some(("log", given)) => log::run(given, &settings),
        Some((other, _)) => Err(format!("there is no command {other}")),
    }
}

/// The database of a server that was started before.
fn existing(file: &Path) -> Result<rusqlite::Connection, String> {
    if !file.exists() {
        let shown = file.display();
        return Err(format!(
            "{shown} is not there: start the server once, or name its folder with --data"
        ));
    }
    database::writer(file).map_err(|error| format!("{}: {error}", file.display()))
}
