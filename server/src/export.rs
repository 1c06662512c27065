//! `export`: everything that is stored, as lines of JSON with hashes, in the form of `npm run export`; and how such a file is read.

use data_encoding::HEXLOWER;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;

/// The name of the one database in the lines.
const OBJECT: &str = "store";

/// The columns of a row by their names, bytes as hexadecimal digits.
pub(crate) type Columns = Map<String, Value>;

/// Takes a row with the name of its table.
pub(crate) type TakeRow<'t> = dyn FnMut(&str, Columns) -> Result<(), String> + 't;

/// Writes a line to a new file for each row that `each_row` hands over. Returns what is to be printed.
///
/// # Errors
/// A file that is there, or cannot be written; a fault of the database.
pub(crate) fn write(
    to: &Path,
    each_row: impl FnOnce(&mut TakeRow<'_>) -> Result<(), String>,
) -> Result<String, String> {
    let said = |error: std::io::Error| format!("{}: {error}", to.display());
    let part = to.with_extension("part");
    if to.exists() {
        return Err(format!("{} is there already", to.display()));
    }
    let mut out = BufWriter::new(File::create(&part).map_err(said)?);
    let (mut all, mut own) = (Sha256::new(), Sha256::new());
    let mut rows: u64 = 0;
    each_row(&mut |table, row| {
        let line = format!("{}\n", json!({"object": OBJECT, "table": table, "row": row}));
        all.update(&line);
        own.update(&line);
        rows += 1;
        out.write_all(line.as_bytes()).map_err(said)
    })?;
    let end = format!("{}\n", json!({"object": OBJECT, "rows": rows, "sha256": hex(own)}));
    all.update(&end);
    let last = format!("{}\n", json!({"objects": 1, "sha256": hex(all)}));
    let mut finish = || {
        out.write_all(end.as_bytes())?;
        out.write_all(last.as_bytes())?;
        out.flush()?;
        out.get_ref().sync_all()?;
        std::fs::rename(&part, to)
    };
    finish().map_err(said)?;
    Ok(format!("{rows} rows are in {}", to.display()))
}

fn hex(hash: Sha256) -> String {
    HEXLOWER.encode(&hash.finalize())
}

/// Calls `take` with each row of each table of an SQLite, all as of one moment.
///
/// # Errors
/// That of `take`; a fault of the database.
pub(crate) fn each_row(database: &Connection, take: &mut TakeRow<'_>) -> Result<(), String> {
    let said = |error: rusqlite::Error| error.to_string();
    let moment = database.unchecked_transaction().map_err(said)?;
    let tables = "SELECT m.name, (SELECT group_concat('\"' || name || '\"', ', ') FROM (SELECT name FROM pragma_table_info(m.name) \
         WHERE pk > 0 ORDER BY pk)) FROM sqlite_master AS m WHERE m.type = 'table' AND m.name NOT GLOB 'sqlite_*' ORDER BY m.name";
    let mut tables = moment.prepare(tables).map_err(said)?;
    let tables = tables
        .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
        .and_then(Iterator::collect::<rusqlite::Result<Vec<_>>>)
        .map_err(said)?;
    for (table, key) in tables {
        let select = format!("SELECT * FROM \"{table}\" ORDER BY {key}");
        let mut select = moment.prepare(&select).map_err(said)?;
        let columns: Vec<String> = select.column_names().into_iter().map(str::to_owned).collect();
        let mut rows = select.query([]).map_err(said)?;
        while let Some(row) = rows.next().map_err(said)? {
            take(&table, members(&columns, row).map_err(said)?)?;
        }
    }
    Ok(())
}

/// The columns of a row.
fn members(columns: &[String], row: &Row<'_>) -> rusqlite::Result<Columns> {
    let member = |(at, name): (usize, &String)| {
        let value = match row.get_ref(at)? {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => number.into(),
            ValueRef::Real(number) => number.into(),
            ValueRef::Text(text) => String::from_utf8_lossy(text).into(),
            ValueRef::Blob(bytes) => HEXLOWER.encode(bytes).into(),
        };
        Ok((name.clone(), value))
    };
    columns.iter().enumerate().map(member).collect()
}

/// What a line of an export has.
const FORM: &str = r#"the form of a row, {"object":…,"table":…,"row":{…}}, or of a sum"#;

/// Reads an export: are all lines there, and unchanged? Calls `take` with the object, the table and the columns of each row, and returns
/// their number.
///
/// # Errors
/// The first line that does not fit those before it; that of `take`.
pub(crate) fn read(
    file: &Path,
    mut take: impl FnMut(&str, &str, Columns) -> Result<(), String>,
) -> Result<u64, String> {
    let shown = file.display();
    let open = File::open(file).map_err(|error| format!("{shown}: {error}"))?;
    let (mut all, mut own) = (Sha256::new(), Sha256::new());
    let [mut count, mut rows] = [0; 2];
    let mut lines = BufReader::new(open).lines().zip(1_u64..);
    while let Some((line, number)) = lines.next() {
        let line = line.map_err(|error| format!("{shown}: {error}"))?;
        let unfit = |what: &str| format!("{shown}: line {number} does not fit {what}");
        let mut read: Columns = serde_json::from_str(&line).map_err(|_| unfit(FORM))?;
        let sha256 = read.get("sha256").cloned();
        let is = |hash: &str| sha256.as_ref().and_then(Value::as_str) == Some(hash);
        if read.contains_key("objects") {
            if !is(&hex(all)) || lines.next().is_some() {
                return Err(unfit("the lines before it"));
            }
            return Ok(rows);
        }
        let line = format!("{line}\n");
        all.update(&line);
        if let Some(row) = read.remove("row") {
            own.update(&line);
            count += 1;
            rows += 1;
            let [object, table] = ["object", "table"].map(|name| read.get(name)?.as_str());
            match (object, table, row) {
                (Some(object), Some(table), Value::Object(row)) => take(object, table, row)?,
                _ => return Err(unfit(FORM)),
            }
            continue;
        }
        if !is(&hex(std::mem::take(&mut own))) || read.get("rows") != Some(&json!(count)) {
            return Err(unfit("the rows before it"));
        }
        count = 0;
    }
    Err(format!("{shown}: the last line is missing"))
}
