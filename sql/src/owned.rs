//! One account of a PostgreSQL that has the rows of all accounts in the same tables.
//!
//! A statement is written for a store of one account. Here it gets the condition on the account, in one place: before the statement, each
//! table that it names is said to be the rows of the account. PostgreSQL takes such a definition as if it stood in the statement.

use super::Statement;

/// The tables with rows of each account, and the columns that tell whose they are.
const TABLES: [(&str, &str); 13] = [
    ("accounts", "number"),
    ("aliases", OWNER),
    ("capture_duplicates", OWNER),
    ("capture_jobs", OWNER),
    ("event_parts", OWNER),
    ("events", OWNER),
    ("listed", "account"),
    ("master_data", "account"),
    ("master_data_attributes", "account"),
    ("master_data_children", OWNER),
    ("terms", OWNER),
    ("zone_words", OWNER),
    ("zones", OWNER),
];

/// The column that SQLite does not have: statements that insert a row do not name it either.
const OWNER: &str = "owner";

/// The statement over the rows of an account; the same statement for account 0, which stands for what all accounts share.
pub(super) fn owned(statement: Statement, account: u64) -> Statement {
    if account == 0 {
        return statement;
    }
    let Statement { mut text, mut values } = statement;
    let named: Vec<_> = TABLES.iter().filter(|(table, _)| names(&text, table)).collect();
    if named.is_empty() {
        return Statement { text, values };
    }
    values.push(account.into());
    let number = format!("?{}", values.len());
    let insert = inserted(&text, &number);
    let rows = named.iter().map(|(table, column)| {
        let rows = match (*table, &insert) {
            // The job of the capture, which is inserted first, is of the account. Citus sends what reads a table of all accounts to every node.
            ("accounts", Some(_)) => format!(
                "SELECT owner AS number, account FROM capture_jobs WHERE owner = {number} ORDER BY sequence DESC LIMIT 1"
            ),
            _ => format!("SELECT * FROM {table} WHERE {column} = {number}"),
        };
        format!("{table} AS NOT MATERIALIZED ({rows})")
    });
    let rows = rows.collect::<Vec<_>>().join(", ");
    text = match (insert, text.strip_prefix("WITH ")) {
        (Some((insert, select)), _) => format!("{insert} WITH {rows} {select}"),
        (None, Some(rest)) => format!("WITH {rows}, {rest}"),
        (None, None) => format!("WITH {rows} {text}"),
    };
    Statement { text, values }
}

/// The two halves of a statement that inserts what it selects. Each row gets its owner from the row that the transaction has taken: so Citus
/// sees that all that is read and written is in one place, and sends the whole statement there. Where SQLite has the number of the account,
/// too, it is the first that is inserted.
fn inserted(text: &str, owner: &str) -> Option<(String, String)> {
    let (insert, select) = text.strip_prefix("INSERT INTO ")?.split_once(" SELECT ")?;
    let (_, column) = TABLES.iter().find(|(table, _)| insert.split(' ').next() == Some(table))?;
    let (insert, select) = match *column {
        OWNER => (insert.replacen('(', "(owner, ", 1), select),
        _ => (insert.to_owned(), select.split_once(", ")?.1),
    };
    let end = [" ON CONFLICT", " RETURNING"].iter().filter_map(|end| select.find(end)).min();
    let (select, end) = select.split_at(end.unwrap_or(select.len()));
    let select = format!(
        "SELECT h.owner, q.* FROM account_heads AS h CROSS JOIN (SELECT {select}) AS q WHERE h.owner = {owner}{end}"
    );
    Some((format!("INSERT INTO {insert}"), select))
}

/// Whether a text has a name as a whole word that is no column of something.
fn names(text: &str, name: &str) -> bool {
    let is_part = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
    };
    let bytes = text.as_bytes();
    text.match_indices(name).any(|(at, _)| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        !is_part(before) && !is_part(bytes.get(at + name.len()))
    })
}

/// The first statement of a transaction that stores something of an account: takes the account, which has one writer at a time.
#[must_use]
pub fn hold(account: u64) -> Statement {
    Statement {
        text: "INSERT INTO account_heads AS h (owner, taken) VALUES (?1, 1) ON CONFLICT (owner) DO UPDATE SET taken = h.taken + 1"
            .to_owned(),
        values: vec![account.into()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    fn of_seven(text: &str, values: Vec<Value>) -> Statement {
        owned(Statement { text: text.to_owned(), values }, 7)
    }

    #[test]
    fn each_table_is_the_rows_of_the_account() {
        let found =
            of_seven("SELECT max(sequence), c.terms FROM events, log_events", vec!["x".into()]);
        assert_eq!(
            found.text,
            "WITH events AS NOT MATERIALIZED (SELECT * FROM events WHERE owner = ?2) SELECT max(sequence), c.terms FROM events, log_events"
        );
        assert_eq!(found.values, ["x".into(), Value::Integer(7)]);
        let found = of_seven("WITH a AS (SELECT 1) SELECT number FROM listed", Vec::new());
        assert_eq!(
            found.text,
            "WITH listed AS NOT MATERIALIZED (SELECT * FROM listed WHERE account = ?1), a AS (SELECT 1) SELECT number FROM listed"
        );
    }

    #[test]
    fn what_is_inserted_has_its_owner() {
        let text = "INSERT INTO zones (zone) SELECT 1 FROM events ON CONFLICT DO NOTHING";
        assert_eq!(
            of_seven(text, Vec::new()).text,
            "INSERT INTO zones (owner, zone) \
             WITH events AS NOT MATERIALIZED (SELECT * FROM events WHERE owner = ?1), zones AS NOT MATERIALIZED (SELECT * FROM zones WHERE owner = ?1) \
             SELECT h.owner, q.* FROM account_heads AS h CROSS JOIN (SELECT 1 FROM events) AS q WHERE h.owner = ?1 ON CONFLICT DO NOTHING"
        );
        let found = of_seven("INSERT INTO listed (account, value) SELECT a, 1", Vec::new());
        assert!(found.text.ends_with("CROSS JOIN (SELECT 1) AS q WHERE h.owner = ?1"));
    }

    #[test]
    fn what_all_share_is_as_it_was() {
        let shared = Statement { text: "SELECT 1 FROM log_leaves".to_owned(), values: Vec::new() };
        assert_eq!(owned(shared.clone(), 7), shared);
        let all = Statement { text: "SELECT 1 FROM accounts".to_owned(), values: Vec::new() };
        assert_eq!(owned(all.clone(), 0), all);
    }
}
