//! The capture keys: created, listed and revoked in the database of a server. A key is shown once; only its SHA-256 is stored.

use clap::{Arg, ArgMatches, Command};
use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use epcis_edge_core::error::Error;
use epcis_edge_core::time::Timestamp;
use epcis_edge_sql::{Statement, Value};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::io::Write as _;

/// The columns of a row by their names.
type NamedRow = serde_json::Map<String, serde_json::Value>;

/// Runs a statement in the database of the keys.
pub(crate) type Run<'r> = &'r dyn Fn(Statement) -> Result<Vec<NamedRow>, Error>;

fn rows(database: Run<'_>, text: &str, values: Vec<Value>) -> Result<Vec<NamedRow>, String> {
    let rows = database(Statement { text: text.to_owned(), values });
    rows.map_err(|error| format!("{error:?}"))
}

/// The command `keys`, with its own commands.
pub(crate) fn command() -> Command {
    let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
    let create = Command::new("create")
        .about("Makes a key and prints it, once")
        .arg(option("account", "The account that warrants the events captured with the key: a URI, stamped as capturedBy").required(true))
        .arg(option("observer", "The attested observer: a URI, stamped as who").required(true))
        .arg(option("rights", "What the key may do: capture, query or capture,query").default_value("capture,query"))
        .arg(option("read", "The accounts whose events it may read, separated by commas, or * for all; default: its own"))
        .arg(option("note", "A remark for lists of keys").default_value(""));
    let revoke = Command::new("revoke")
        .about("Revokes a key")
        .arg(Arg::new("id").required(true).help("The 12 hexadecimal digits of the key"));
    Command::new("keys")
        .about("Creates, lists and revokes capture keys")
        .subcommand_required(true)
        .subcommand(create)
        .subcommand(Command::new("list").about("Lists the keys, without their secrets"))
        .subcommand(revoke)
}

/// Runs `keys`, and returns what is to be printed.
///
/// # Errors
/// An argument that cannot be used; a fault of the database.
pub(crate) fn run(given: &ArgMatches, database: Run<'_>) -> Result<String, String> {
    match given.subcommand() {
        Some(("create", given)) => {
            let text = |name: &str| given.get_one::<String>(name).map(String::as_str);
            let account = uri("account", text("account").unwrap_or(""))?;
            let observer = uri("observer", text("observer").unwrap_or(""))?;
            let rights = text("rights").unwrap_or("");
            let [mut capture, mut query] = [false; 2];
            for right in rights.split(',') {
                match right {
                    "capture" => capture = true,
                    "query" => query = true,
                    other => {
                        return Err(format!(
                            "there is no right '{other}', expected capture or query"
                        ));
                    }
                }
            }
            let readable = match text("read") {
                Some("*") => "*".to_owned(),
                None => serde_json::json!([account]).to_string(),
                Some(list) => {
                    let all = list.split(',').map(|one| uri("read", one));
                    serde_json::json!(all.collect::<Result<Vec<_>, _>>()?).to_string()
                }
            };
            let key = create(
                database,
                account,
                observer,
                [capture, query],
                &readable,
                text("note").unwrap_or(""),
            )?;
            let id = key.split('_').nth(1).unwrap_or("");
            // Apart from the key, so that a script can take it.
            let _ = writeln!(
                std::io::stderr(),
                "The key {id}, for the header 'Authorization: Bearer …'. It is shown only once:\n"
            );
            Ok(key)
        }
        Some(("revoke", given)) => {
            let id = given.get_one::<String>("id").map_or("", String::as_str);
            if id.len() != 12 || !id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
                return Err("the id of a key is 12 hexadecimal digits".to_owned());
            }
            let revoke =
                "UPDATE keys SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1 RETURNING id";
            let known = rows(database, revoke, vec![id.into(), Value::Text(now())])?;
            match known.is_empty() {
                true => Err(format!("there is no key {id}")),
                false => Ok(format!("the key {id} is revoked")),
            }
        }
        _ => list(database),
    }
}

/// Makes a key. Returns it.
///
/// # Errors
/// A fault of the database, or of the source of random bytes.
pub(crate) fn create(
    database: Run<'_>,
    account: &str,
    observer: &str,
    rights: [bool; 2],
    readable: &str,
    note: &str,
) -> Result<String, String> {
    let mut random = [0; 38];
    getrandom::fill(&mut random).map_err(|error| error.to_string())?;
    let (id, secret) = random.split_at(6);
    let id = HEXLOWER.encode(id);
    let key = format!("epcis_{id}_{}", BASE64URL_NOPAD.encode(secret));
    let digest = HEXLOWER.encode(&Sha256::digest(key.as_bytes()));
    let mut values: Vec<Value> =
        vec![Value::Text(id), Value::Text(digest), account.into(), observer.into()];
    values.extend(rights.map(|right| Value::from(usize::from(right))));
    values.extend([readable.into(), note.into(), Value::Text(now())]);
    let insert = "INSERT INTO keys (id, digest, account, observer, can_capture, can_query, readable, note, created_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    rows(database, insert, values)?;
    Ok(key)
}

/// Whether there is any key, revoked or not.
///
/// # Errors
/// A fault of the database.
pub(crate) fn any(database: Run<'_>) -> Result<bool, String> {
    Ok(!rows(database, "SELECT id FROM keys LIMIT 1", Vec::new())?.is_empty())
}

/// A key as it is listed.
#[derive(Deserialize)]
struct Row {
    id: String,
    state: String,
    can_capture: u8,
    can_query: u8,
    account: String,
    observer: String,
    readable: String,
    created_at: String,
    note: String,
}

fn list(database: Run<'_>) -> Result<String, String> {
    let select = "SELECT id, coalesce('revoked ' || revoked_at, 'in force') AS state, can_capture, can_query, account, observer, readable, created_at, \
         note FROM keys ORDER BY created_at, id";
    let mut out = String::new();
    for row in rows(database, select, Vec::new())? {
        let row: Row = serde_json::from_value(serde_json::Value::Object(row))
            .map_err(|error| error.to_string())?;
        let rights = match (row.can_capture, row.can_query) {
            (1, 1) => "capture,query",
            (1, _) => "capture",
            _ => "query",
        };
        // Writing to a text never fails.
        let _ = write!(
            out,
            "{}  {}  {rights}\n  account   {}\n  observer  {}\n  reads     {}\n  created   {}  {}\n",
            row.id, row.state, row.account, row.observer, row.readable, row.created_at, row.note
        );
    }
    if out.is_empty() {
        out.push_str("there are no keys");
    }
    Ok(out.trim_end().to_owned())
}

/// A URI as in RFC 3986: a scheme, and no white space or quotes.
fn uri<'t>(name: &str, text: &'t str) -> Result<&'t str, String> {
    let is_one = text.split_once(':').is_some_and(|(scheme, rest)| {
        let mut letters = scheme.chars();
        letters.next().is_some_and(|first| first.is_ascii_alphabetic())
            && letters.all(|letter| letter.is_ascii_alphanumeric() || "+.-".contains(letter))
            && !rest.is_empty()
            && !rest
                .contains(|letter: char| letter.is_whitespace() || "\"<>\\^`{|}".contains(letter))
    });
    if is_one { Ok(text) } else { Err(format!("--{name} must be a URI, not {text}")) }
}

/// The time in the format of the database, to the second.
fn now() -> String {
    let time = Timestamp::from_milliseconds(crate::http::now() / 1000 * 1000).to_string();
    time.replace(".000Z", "Z")
}
