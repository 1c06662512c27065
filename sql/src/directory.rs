//! The accounts and where their numbers begin: see `Directory` of the core.

use super::{Dialect, Statement, Value};
use epcis_edge_core::query::NUMBERS_OF_AN_ACCOUNT;
use serde::Deserialize;
use serde_json::json;

/// The columns of an [`AccountRow`].
fn columns() -> String {
    format!("a.account, a.number * {NUMBERS_OF_AN_ACCOUNT} + a.begins AS begin")
}

/// The statement that finds accounts.
#[must_use]
pub fn begins_of(dialect: Dialect, accounts: &[&str]) -> Statement {
    let columns = columns();
    let is_asked = dialect.has_text("a.account", "?1");
    Statement {
        text: format!("SELECT {columns} FROM accounts AS a WHERE {is_asked}"),
        values: vec![Value::Text(json!(accounts).to_string())],
    }
}

/// The statement that finds an account, and gives it its number if it has none.
#[must_use]
pub fn begin(account: &str) -> Statement {
    Statement {
        text: format!(
            "INSERT INTO accounts AS a (account, begins) SELECT ?1, coalesce(max(begins), 0) FROM accounts WHERE true \
             ON CONFLICT (account) DO UPDATE SET account = excluded.account RETURNING {}",
            columns().replace("a.", "")
        ),
        values: vec![account.into()],
    }
}

/// The statement that finds the accounts after one of this number.
#[must_use]
pub fn accounts(after: u64, limit: usize) -> Statement {
    let columns = columns();
    Statement {
        text: format!(
            "SELECT {columns} FROM accounts AS a WHERE a.number > ?1 ORDER BY a.number LIMIT ?2"
        ),
        values: vec![after.into(), limit.into()],
    }
}

/// A row of these statements.
#[derive(Debug, Deserialize)]
pub struct AccountRow {
    /// The account.
    pub account: String,
    /// Where its numbers begin.
    pub begin: u64,
}
