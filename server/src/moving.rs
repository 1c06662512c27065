//! `move`: brings a store into the empty database of a server, from exports, or from a database of SQLite, which D1 is.
//!
//! Numbers, texts and hashes stay as they are. Where all accounts were in one database and each becomes one of its own in PostgreSQL, the
//! event 17 of account 7 becomes 7,000,000,017, and what names it follows; so do cursors, see `Places` of the core.
//!
//! The sources are read twice: first to check them and to learn whose each row is, then to write. A table `moving` says how many rows are
//! written. It is there until the end, and keeps a server from starting. At the end each row of the database is compared.

use crate::database;
use crate::export::{self, Columns, TakeRow};
use crate::postgres::Postgres;
use crate::settings::Settings;
use crate::{keys, serve};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use data_encoding::HEXLOWER;
use epcis_edge_core::query::{NUMBERS_OF_AN_ACCOUNT, account_of};
use epcis_edge_sql::{Statement, Value as Bound};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The tables that are moved, and their columns of bytes.
const TABLES: [(&str, &[&str]); 21] = [
    ("accounts", &[]),
    ("aliases", &[]),
    ("capture_duplicates", &[]),
    ("capture_jobs", &[]),
    ("documents", &["bytes"]),
    ("event_parts", &[]),
    ("events", &[]),
    ("keys", &[]),
    ("listed", &[]),
    ("log_cosignatures", &[]),
    ("log_halts", &[]),
    ("log_heads", &["root"]),
    ("log_leaves", &["salt", "commitment"]),
    ("log_tiles", &["root", "hashes"]),
    ("master_data", &[]),
    ("master_data_attributes", &[]),
    ("master_data_children", &[]),
    ("named_queries", &[]),
    ("terms", &[]),
    ("zone_words", &[]),
    ("zones", &[]),
];

/// What an object has of the directory is there for itself.
const DIRECTORY: [&str; 3] = ["accounts", "keys", "named_queries"];

/// The tables that are not moved: what is under way, and what follows from the others.
const LEFT: [&str; 5] = ["account_heads", "captures", "d1_migrations", "grown", "staged"];

/// The most rows, and the most bytes of them, in a transaction, unless one row has more.
const ROWS: usize = 1000;
const BYTES: usize = 4 << 20;

/// How a database of SQLite begins.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// How many pieces an event may have: their numbers are those of the event times this.
const PIECES: u64 = 1000;

/// How many numbers a zone of the map has.
const ZONE: u64 = 10_000;

/// The rows of each statement.
type Rows = Vec<Vec<Columns>>;

pub(crate) fn command() -> Command {
    let path = |name: &'static str, value| {
        Arg::new(name).long(name).value_name(value).value_parser(value_parser!(PathBuf))
    };
    Command::new("move")
        .about("Brings a store into an empty database; broken off, it goes on when it is called again")
        .arg(
            path("from", "FILE")
                .required(true)
                .action(ArgAction::Append)
                .help("An export, or a database of SQLite, such as D1; for objects both, the database for the keys"),
        )
        .arg(path("documents", "FOLDER").help("A folder with documents as they were received, each under its SHA-256"))
}

/// Runs `move`, and returns what is to be printed.
///
/// # Errors
/// A source that cannot be read or has no place here; a database that has other data; a fault of the database.
pub(crate) fn run(given: &ArgMatches, settings: &Settings) -> Result<String, String> {
    let files = given.get_many::<PathBuf>("from").into_iter().flatten().cloned().collect();
    let folder = given.get_one::<PathBuf>("documents");
    let postgres = settings.postgres(1, |_| ())?;
    let _lock = postgres.is_none().then(|| serve::take(&settings.data())).transpose()?;
    let target = match postgres {
        Some(postgres) => Target::Postgres(postgres),
        None => {
            let file = settings.data().join(database::FILE);
            let opened = database::open_and_migrate(&file);
            Target::Sqlite(opened.map_err(|error| format!("{error:?}"))?.0)
        }
    };
    let files = Files::of(files)?;
    let known = Known::of(&files, target.is_postgres())?;
    let done = target.begin(&known.identity)?;
    let mut sums = Sums::default();
    write(&files, &known, &target, done, &mut sums)?;
    let lost = documents(&known, &target, folder.map(PathBuf::as_path), &mut sums)?;
    let mut found = Sums::default();
    target.each_row(&mut |table, row| {
        if TABLES.iter().any(|(name, _)| *name == table) {
            found.add(table, &row);
        }
        Ok(())
    })?;
    if let Some(table) = sums.differs(&found) {
        return Err(format!("{table} is not what was moved: begin again in an empty database"));
    }
    if let Some(digest) = lost.first() {
        return Err(format!(
            "{} documents are missing, such as {digest}: name their folder with --documents, and move again",
            lost.len()
        ));
    }
    target.end()?;
    let rows: u64 = found.0.values().map(|(count, _)| count).sum();
    Ok(format!("{rows} rows are moved and compared"))
}

/// Whether a database has the beginning of a store that is being moved.
///
/// # Errors
/// A fault of the database.
pub(crate) fn is_under_way(database: keys::Run<'_>, is_postgres: bool) -> Result<bool, String> {
    let text = match is_postgres {
        true => "SELECT 1 AS one FROM pg_class WHERE oid = to_regclass('moving')",
        false => "SELECT 1 AS one FROM sqlite_master WHERE name = 'moving'",
    };
    let found = database(plain(text)).map_err(|error| format!("{error:?}"))?;
    Ok(!found.is_empty())
}

/// The database that a store is moved to.
enum Target {
    Sqlite(Connection),
    Postgres(Postgres),
}

impl Target {
    /// Runs statements as one transaction.
    fn run(&self, statements: Vec<Statement>) -> Result<Rows, String> {
        match self {
            Self::Postgres(postgres) => {
                postgres.transact(statements).map_err(|error| format!("{error:?}"))
            }
            Self::Sqlite(connection) => {
                let said = |error: rusqlite::Error| error.to_string();
                let transaction = connection.unchecked_transaction().map_err(said)?;
                let run = |one: &Statement| database::rows(connection, one);
                let rows: Result<Rows, _> = statements.iter().map(run).collect();
                let rows = rows.map_err(|error| format!("{error:?}"))?;
                transaction.commit().map_err(said)?;
                Ok(rows)
            }
        }
    }

    fn each_row(&self, take: &mut TakeRow<'_>) -> Result<(), String> {
        match self {
            Self::Postgres(postgres) => postgres.each_row(take),
            Self::Sqlite(connection) => export::each_row(connection, take),
        }
    }

    /// Begins a move, or goes on with it: returns how many rows are written. Triggers rest until the end, because rows come by table.
    fn begin(&self, identity: &str) -> Result<u64, String> {
        let one = |text: &str| self.run(vec![plain(text)]).map(|rows| rows.concat());
        let is_under_way = match self {
            Self::Postgres(postgres) => is_under_way(&|asked| postgres.run(asked), true),
            Self::Sqlite(database) => {
                is_under_way(&|asked| database::rows(database, &asked), false)
            }
        };
        if is_under_way? {
            let rows = one("SELECT source, done FROM moving")?;
            let row = rows.first().ok_or("the table moving is empty")?;
            if row.get("source").and_then(Value::as_str) != Some(identity) {
                return Err("another store is being moved into this database".to_owned());
            }
            return number(row, "done");
        }
        for (table, _) in TABLES {
            if !one(&format!("SELECT 1 AS one FROM {table} LIMIT 1"))?.is_empty() {
                return Err(format!(
                    "the database has {table}: a store is moved into an empty one, before the first start of a server"
                ));
            }
        }
        let mut statements = vec![
            plain("CREATE TABLE moving (source text PRIMARY KEY, done bigint NOT NULL)"),
            Statement {
                text: "INSERT INTO moving VALUES (?1, 0)".to_owned(),
                values: vec![identity.into()],
            },
        ];
        match self {
            Self::Postgres(_) => statements.extend(triggers("DISABLE")),
            Self::Sqlite(_) => {
                statements.push(plain(
                    "CREATE TABLE moving_triggers (name text PRIMARY KEY, sql text NOT NULL)",
                ));
                statements.push(plain(
                    "INSERT INTO moving_triggers SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
                ));
                for row in one("SELECT name FROM sqlite_master WHERE type = 'trigger'")? {
                    statements.push(plain(&format!("DROP TRIGGER {}", text(&row, "name")?)));
                }
            }
        }
        self.run(statements).map(|_| 0)
    }

    fn is_postgres(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    /// Writes rows of a table, of which all before `done` are written.
    fn write(&self, table: &str, rows: &[Columns], done: u64) -> Result<(), String> {
        let Some(first) = rows.first() else { return Ok(()) };
        let is_bytes = |column: &str| {
            TABLES.iter().any(|(name, bytes)| *name == table && bytes.contains(&column))
        };
        let columns: Vec<String> = first.keys().map(|name| format!("\"{name}\"")).collect();
        let values = first.keys().map(|name| match (self, is_bytes(name)) {
            (Self::Sqlite(_), false) => format!("r.value ->> '{name}'"),
            (Self::Sqlite(_), true) => format!("unhex(r.value ->> '{name}')"),
            (Self::Postgres(_), false) => format!("r.\"{name}\""),
            // The digits, taken for bytes.
            (Self::Postgres(_), true) => format!("unhex(convert_from(r.\"{name}\", 'UTF8'))"),
        });
        let values: Vec<String> = values.collect();
        let from = match self {
            Self::Sqlite(_) => "json_each(?1)".to_owned(),
            Self::Postgres(_) => {
                format!("json_populate_recordset(NULL::{table}, CAST(?1 AS json))")
            }
        };
        let insert = Statement {
            text: format!(
                "INSERT INTO {table} ({}) SELECT {} FROM {from} AS r",
                columns.join(", "),
                values.join(", ")
            ),
            values: vec![Bound::Text(
                serde_json::to_string(rows).map_err(|error| error.to_string())?,
            )],
        };
        let reached = Statement {
            text: "UPDATE moving SET done = ?2 WHERE done = ?1 RETURNING done".to_owned(),
            values: vec![done.into(), (done + rows.len() as u64).into()],
        };
        let found = self.run(vec![reached, insert])?;
        match found.first().is_some_and(|rows| !rows.is_empty()) {
            true => Ok(()),
            false => Err("another process moves a store into this database".to_owned()),
        }
    }

    /// Ends a move.
    fn end(&self) -> Result<(), String> {
        let mut statements = vec![plain("DROP TABLE moving")];
        match self {
            Self::Postgres(_) => {
                statements.push(plain(&format!(
                    "INSERT INTO grown (account, newest) SELECT n.number, n.newest FROM (SELECT a.number, \
                     (SELECT max(e.sequence) FROM events AS e WHERE e.owner = a.number) AS newest FROM accounts AS a) AS n \
                     WHERE n.newest > coalesce((SELECT max(l.sequence) FROM log_leaves AS l \
                     WHERE l.sequence BETWEEN n.number * {NUMBERS_OF_AN_ACCOUNT} AND n.newest), 0)"
                )));
                statements.push(plain(
                    "SELECT setval(pg_get_serial_sequence('accounts', 'number'), coalesce(max(number), 0) + 1, false) FROM accounts",
                ));
                statements.extend(triggers("ENABLE"));
            }
            Self::Sqlite(_) => {
                let kept = self.run(vec![plain("SELECT sql FROM moving_triggers")])?.concat();
                for row in kept {
                    statements.push(plain(text(&row, "sql")?));
                }
                statements.push(plain("DROP TABLE moving_triggers"));
            }
        }
        self.run(statements).map(drop)
    }
}

fn plain(text: &str) -> Statement {
    Statement { text: text.to_owned(), values: Vec::new() }
}

fn triggers(what: &str) -> impl Iterator<Item = Statement> {
    TABLES.iter().map(move |(table, _)| plain(&format!("ALTER TABLE {table} {what} TRIGGER USER")))
}

/// A number of a row.
fn number(row: &Columns, name: &str) -> Result<u64, String> {
    let found = row.get(name).and_then(Value::as_u64);
    found.ok_or_else(|| format!("a row has no number {name}"))
}

/// A text of a row.
fn text<'r>(row: &'r Columns, name: &str) -> Result<&'r str, String> {
    let found = row.get(name).and_then(Value::as_str);
    found.ok_or_else(|| format!("a row has no text {name}"))
}

/// The files of the store.
struct Files {
    paths: Vec<PathBuf>,
    /// Whether the events are in objects; then the database beside them is their directory and nothing else.
    has_objects: bool,
}

/// Takes a row with the names of its object and its table.
type Take<'t> = dyn FnMut(&str, &str, Columns) -> Result<(), String> + 't;

impl Files {
    fn of(paths: Vec<PathBuf>) -> Result<Self, String> {
        let mut has_objects = false;
        for path in &paths {
            if !begins(path, SQLITE)? && !begins(path, b"{\"object")? {
                let shown = path.display();
                return Err(format!("{shown} is neither an export nor a database of SQLite"));
            }
            // `npm run export` begins with the object of the log.
            has_objects |= begins(path, b"{\"object\":\"log\",")?;
        }
        Ok(Self { paths, has_objects })
    }

    /// Calls `take` with each row that is moved.
    fn each_row(&self, take: &mut Take<'_>) -> Result<(), String> {
        let mut take = |object: &str, table: &str, row| {
            let is_directory = DIRECTORY.contains(&table);
            let is_of_log = table.starts_with("log_");
            let is_moved = match object {
                "store" => !self.has_objects || is_directory,
                "log" => is_of_log,
                _ => !is_directory && !is_of_log,
            };
            if LEFT.contains(&table) || table.starts_with("_cf_") || !is_moved {
                return Ok(());
            }
            if !TABLES.iter().any(|(name, _)| *name == table) {
                return Err(format!("there is no place for the table {table}"));
            }
            take(object, table, row)
        };
        for path in &self.paths {
            match of_sqlite(path)? {
                None => drop(export::read(path, &mut take)?),
                Some(database) => {
                    export::each_row(&database, &mut |table, row| take("store", table, row))?;
                }
            }
        }
        Ok(())
    }
}

/// What is known of a store before it is written.
#[derive(Default)]
struct Known {
    /// Whether the rows are for the tables of PostgreSQL, and whether they come from there.
    by_account: bool,
    is_from_postgres: bool,
    /// A hash over all rows: it tells one store from another.
    identity: String,
    /// The accounts by their names.
    accounts: HashMap<String, u64>,
    /// The accounts of events and of master data, by their numbers, if these do not tell them.
    events: HashMap<u64, u64>,
    elements: HashMap<u64, u64>,
    /// The accounts of jobs and their numbers there, by the number of the account's own tables (0 if all share them) and the number in them.
    jobs: HashMap<(u64, u64), (u64, u64)>,
    /// The greatest number of an event in one store for all accounts.
    newest: u64,
    /// The documents of the events, and those that the files have.
    documents: HashSet<String>,
    kept: HashSet<String>,
}

impl Known {
    /// Reads and checks all files, for the tables of PostgreSQL if it is `by_account`, otherwise of SQLite.
    fn of(files: &Files, by_account: bool) -> Result<Self, String> {
        let mut known = Self { by_account, ..Self::default() };
        let mut hash = Sha256::new();
        files.each_row(&mut |object, table, row| {
            hash.update(json!([object, table, row]).to_string());
            known.learn(object, table, &row)
        })?;
        known.identity = HEXLOWER.encode(&hash.finalize());
        if files.has_objects && known.accounts.is_empty() {
            return Err(
                "the database with the keys of the objects is missing: name it with --from, too"
                    .to_owned(),
            );
        }
        let own: HashSet<u64> = known.jobs.keys().map(|(own, _)| *own).collect();
        if !by_account && own.len() > 1 {
            return Err(format!(
                "the store has {} accounts with numbers of their own, and SQLite numbers all together: move it to PostgreSQL",
                own.len()
            ));
        }
        Ok(known)
    }

    /// Learns what a row says about others.
    fn learn(&mut self, object: &str, table: &str, row: &Columns) -> Result<(), String> {
        let own = own_tables(object, row);
        self.is_from_postgres |= row.contains_key("owner");
        match table {
            "accounts" => {
                self.accounts.insert(text(row, "account")?.to_owned(), number(row, "number")?);
            }
            "events" => {
                self.documents.insert(text(row, "document")?.to_owned());
                if own.is_none() && self.by_account {
                    let sequence = number(row, "sequence")?;
                    self.events.insert(sequence, self.named(row, "captured_by")?);
                    self.newest = self.newest.max(sequence);
                }
            }
            "capture_jobs" => {
                let owner = own.map_or_else(|| self.named(row, "account"), Ok)?;
                let key = (own.unwrap_or(0), number(row, "sequence")?);
                self.jobs.insert(key, (owner, number(row, "number")?));
            }
            "documents" => {
                self.kept.insert(text(row, "digest")?.to_owned());
            }
            "master_data" if own.is_none() => {
                self.elements.insert(number(row, "number")?, number(row, "account")?);
            }
            _ => {}
        }
        Ok(())
    }

    /// The account that a column names.
    fn named(&self, row: &Columns, column: &str) -> Result<u64, String> {
        let name = text(row, column)?;
        let found = self.accounts.get(name).copied();
        found.ok_or_else(|| format!("the account {name} is not there"))
    }

    /// The account of an event.
    fn of_event(&self, sequence: u64) -> Result<u64, String> {
        let told = Some(account_of(sequence)).filter(|account| *account > 0);
        let found = self.events.get(&sequence).copied().or(told);
        found.ok_or_else(|| format!("the event {sequence} is not there"))
    }

    /// The account of a job, and the number of the job there.
    fn job(&self, own: Option<u64>, job: u64) -> Result<(u64, u64), String> {
        let found = self.jobs.get(&(own.unwrap_or(0), job)).copied();
        found.ok_or_else(|| format!("the job {job} is not there"))
    }

    /// The row as it is after the move.
    fn moved(&self, object: &str, table: &str, mut row: Columns) -> Result<Columns, String> {
        if let Some(owner) = object_number(object)
            && matches!(table, "listed" | "master_data" | "master_data_attributes")
        {
            // An object that has numbered its account itself says 1.
            row.insert("account".to_owned(), owner.into());
        }
        if !self.by_account {
            row.shift_remove("owner");
            return Ok(row);
        }
        if self.is_from_postgres {
            return Ok(row);
        }
        let own = own_tables(object, &row);
        let owner = match (table, own) {
            ("accounts", _) => {
                if account_of(self.newest) == 0 && self.newest > 0 {
                    row.insert("begins".to_owned(), self.newest.into());
                }
                return Ok(row);
            }
            ("log_leaves", _) => self.of_event(number(&row, "sequence")?)?,
            (table, _)
                if DIRECTORY.contains(&table)
                    || table == "documents"
                    || table.starts_with("log_") =>
            {
                return Ok(row);
            }
            (_, Some(own)) => own,
            ("events" | "zones" | "zone_words", None) => self.named(&row, "captured_by")?,
            ("aliases" | "terms", None) => self.of_event(number(&row, "sequence")?)?,
            ("event_parts", None) => self.of_event(number(&row, "piece")? / PIECES)?,
            ("capture_jobs", None) => self.named(&row, "account")?,
            ("capture_duplicates", None) => self.job(None, number(&row, "job")?)?.0,
            ("master_data_children", None) => {
                let found = self.elements.get(&number(&row, "number")?).copied();
                found.ok_or("the element of a child is not there")?
            }
            (_, None) => number(&row, "account")?,
        };
        let job = if table == "capture_jobs" { "sequence" } else { "job" };
        if row.contains_key(job) && table != "events" && table != "log_leaves" && table != "terms" {
            let number = self.job(own, number(&row, job)?)?.1;
            row.insert(job.to_owned(), number.into());
        }
        let of_account = NUMBERS_OF_AN_ACCOUNT;
        let numbered = match table {
            "aliases" | "events" | "log_leaves" | "terms" => Some(("sequence", of_account)),
            "capture_jobs" => Some(("before", of_account)),
            "event_parts" => Some(("piece", of_account * PIECES)),
            "zones" | "zone_words" => Some(("zone", of_account / ZONE)),
            _ => None,
        };
        if let Some((column, numbers)) = numbered {
            let found = number(&row, column)?;
            let moved = match found / numbers {
                // Before the first event.
                _ if found == 0 && column == "before" => 0,
                0 => owner * numbers + found,
                account if account == owner => found,
                _ => {
                    return Err(format!(
                        "{column} {found} in {table} is no number of account {owner}: what SQLite has numbered after a move from PostgreSQL cannot go back"
                    ));
                }
            };
            row.insert(column.to_owned(), moved.into());
        }
        if !matches!(table, "listed" | "log_leaves" | "master_data" | "master_data_attributes") {
            row.insert("owner".to_owned(), owner.into());
        }
        Ok(row)
    }
}

/// The account that has its own tables, or its own rows of PostgreSQL.
fn own_tables(object: &str, row: &Columns) -> Option<u64> {
    object_number(object).or_else(|| number(row, "owner").ok())
}

/// The number of the account whose object this is.
fn object_number(object: &str) -> Option<u64> {
    object.strip_prefix('a')?.parse().ok()
}

/// Whether a file begins with these bytes.
fn begins(file: &Path, with: &[u8]) -> Result<bool, String> {
    let said = |error: std::io::Error| format!("{}: {error}", file.display());
    let mut found = Vec::new();
    let open = File::open(file).map_err(said)?;
    open.take(with.len() as u64).read_to_end(&mut found).map_err(said)?;
    Ok(found == with)
}

/// A file as a database of SQLite, if it is one.
fn of_sqlite(file: &Path) -> Result<Option<Connection>, String> {
    if !begins(file, SQLITE)? {
        return Ok(None);
    }
    Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map(Some)
        .map_err(|error| format!("{}: {error}", file.display()))
}

/// Writes all rows after the first `done`, and adds up all.
fn write(
    files: &Files,
    known: &Known,
    target: &Target,
    mut done: u64,
    sums: &mut Sums,
) -> Result<(), String> {
    let mut table = String::new();
    let mut rows: Vec<Columns> = Vec::new();
    let (mut bytes, mut at) = (0, 0);
    files.each_row(&mut |object, of, row| {
        let row = known.moved(object, of, row)?;
        let length = sums.add(of, &row);
        at += 1;
        if at <= done {
            return Ok(());
        }
        if of != table || rows.len() >= ROWS || bytes + length > BYTES {
            target.write(&table, &rows, done)?;
            done += rows.len() as u64;
            rows.clear();
            bytes = 0;
            of.clone_into(&mut table);
        }
        bytes += length;
        rows.push(row);
        Ok(())
    })?;
    target.write(&table, &rows, done)
}

/// Keeps the documents that the source has no row of, from a folder. Returns those that are missing.
fn documents(
    known: &Known,
    target: &Target,
    folder: Option<&Path>,
    sums: &mut Sums,
) -> Result<Vec<String>, String> {
    let mut missing = Vec::new();
    let mut digests: Vec<_> = known.documents.difference(&known.kept).collect();
    digests.sort_unstable();
    for digest in digests {
        let places = folder.into_iter().flat_map(|folder| {
            [folder.join(digest.get(..2).unwrap_or("")).join(digest), folder.join(digest)]
        });
        let Some(place) = places.into_iter().find(|place| place.exists()) else {
            missing.push(digest.clone());
            continue;
        };
        let said = |error: std::io::Error| format!("{}: {error}", place.display());
        let bytes = fs::read(&place).map_err(said)?;
        if HEXLOWER.encode(&Sha256::digest(&bytes)) != *digest {
            return Err(format!("{} does not have the hash that it is named by", place.display()));
        }
        let bytes = HEXLOWER.encode(&bytes);
        let insert = "INSERT INTO documents (digest, bytes) SELECT ?1, unhex(?2) WHERE true ON CONFLICT DO NOTHING";
        target.run(vec![Statement {
            text: insert.to_owned(),
            values: vec![digest.as_str().into(), bytes.as_str().into()],
        }])?;
        let row = [("digest", digest.as_str()), ("bytes", bytes.as_str())];
        sums.add(
            "documents",
            &row.map(|(name, value)| (name.to_owned(), value.into())).into_iter().collect(),
        );
    }
    Ok(missing)
}

/// For each table how many rows it has, and the sum of their hashes, which does not depend on their order.
#[derive(Default)]
struct Sums(BTreeMap<String, (u64, u128)>);

impl Sums {
    /// Adds a row. Returns its length as text.
    fn add(&mut self, table: &str, row: &Columns) -> usize {
        let sorted: BTreeMap<&String, &Value> = row.iter().collect();
        let text = json!(sorted).to_string();
        let hash = Sha256::digest(&text);
        let hash = hash.first_chunk().copied().map_or(0, u128::from_be_bytes);
        let (count, sum) = self.0.entry(table.to_owned()).or_default();
        *count += 1;
        *sum = sum.wrapping_add(hash);
        text.len()
    }

    /// A table that others have otherwise.
    fn differs(&self, other: &Self) -> Option<&str> {
        let tables = TABLES.iter().map(|(table, _)| *table);
        tables.into_iter().find(|table| self.0.get(*table) != other.0.get(*table))
    }
}
