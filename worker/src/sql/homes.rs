//! Which account lives in which home: see `AccountHomes` of the core.

use super::{Dialect, Statement, Value};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

/// The statement that finds the home that a database was made for.
#[must_use]
pub fn own_home(dialect: Dialect) -> Statement {
    let newest = match dialect {
        Dialect::Sqlite => "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)",
        Dialect::Postgres => "(SELECT last_value FROM event_numbers)",
    };
    Statement {
        text: format!("SELECT {newest} AS newest"),
        values: Vec::new(),
    }
}

/// The statement that finds the homes of accounts. An account without a row that has captured something lives in the first home.
#[must_use]
pub fn homes_of(dialect: Dialect, accounts: &[&str]) -> Statement {
    Statement {
        text: format!(
            "SELECT h.account, h.home FROM account_homes AS h WHERE {} UNION ALL \
             SELECT a.account, 0 AS home FROM accounts AS a WHERE {} \
             AND NOT EXISTS (SELECT 1 FROM account_homes AS h WHERE h.account = a.account)",
            dialect.has_text("h.account", "?1"),
            dialect.has_text("a.account", "?1"),
        ),
        values: vec![Value::Text(json!(accounts).to_string())],
    }
}

/// The statement that gives an account a home, unless it has one: that with the fewest accounts among the first `homes`.
#[must_use]
pub fn settle(dialect: Dialect, account: &str, homes: u64) -> Statement {
    if dialect == Dialect::Postgres {
        return Statement {
            text: "SELECT settle_account(?1, ?2)".to_owned(),
            values: vec![account.into(), homes.into()],
        };
    }
    let all: Vec<u64> = (0..homes).collect();
    Statement {
        text: "INSERT INTO account_homes (account, home) SELECT ?1, n.value FROM json_each(?2) AS n \
               WHERE NOT EXISTS (SELECT 1 FROM accounts AS a WHERE a.account = ?1) \
               ORDER BY (SELECT count(*) FROM account_homes AS h WHERE h.home = n.value) + CASE WHEN n.value = 0 THEN (\
                 SELECT count(*) FROM accounts AS a WHERE NOT EXISTS (SELECT 1 FROM account_homes AS h WHERE h.account = a.account)\
               ) ELSE 0 END, n.value LIMIT 1 ON CONFLICT DO NOTHING"
            .to_owned(),
        values: vec![account.into(), Value::Text(json!(all).to_string())],
    }
}

/// A row of [`homes_of`].
#[derive(Debug, Deserialize)]
pub struct HomeRow {
    account: String,
    home: u64,
}

/// The homes that [`homes_of`] found.
#[must_use]
pub fn homes(rows: Vec<HomeRow>) -> BTreeMap<String, u64> {
    let rows = rows.into_iter();
    rows.map(|row| (row.account, row.home)).collect()
}
