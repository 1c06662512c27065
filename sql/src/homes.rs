//! Which account lives in which home: see `AccountHomes` of the core. Only a gateway over PostgreSQL has several homes.

use super::{Statement, Value};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

/// The statement that finds the home that a database was made for.
#[must_use]
pub fn own_home() -> Statement {
    Statement {
        text: "SELECT last_value AS newest FROM event_numbers".to_owned(),
        values: Vec::new(),
    }
}

/// The statement that finds the homes of accounts. An account without a row that has captured something lives in the first home.
#[must_use]
pub fn homes_of(accounts: &[&str]) -> Statement {
    Statement {
        text: "SELECT h.account, h.home FROM account_homes AS h WHERE h.account = ANY (texts_of(?1)) UNION ALL \
               SELECT a.account, 0 AS home FROM accounts AS a WHERE a.account = ANY (texts_of(?1)) \
               AND NOT EXISTS (SELECT 1 FROM account_homes AS h WHERE h.account = a.account)"
            .to_owned(),
        values: vec![Value::Text(json!(accounts).to_string())],
    }
}

/// The statement that gives an account a home, unless it has one: that with the fewest accounts among the first `homes`.
#[must_use]
pub fn settle(account: &str, homes: u64) -> Statement {
    Statement {
        text: "SELECT settle_account(?1, ?2)".to_owned(),
        values: vec![account.into(), homes.into()],
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
