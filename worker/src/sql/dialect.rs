//! Where the two engines differ: SQLite, which D1 is, and PostgreSQL.
//!
//! Most statements are one text that both read: functions that PostgreSQL lacks (`unhex`, `hex`, `texts_of`, `numbers_of`,
//! `json_group_array`) are made by its migrations, and `ON CONFLICT DO NOTHING`, `string_agg` and joins whose condition stands in
//! `WHERE` are SQL of both. What an engine must be asked in its own words is a method here, with the texts of both side by side.
//! Only placeholders are spelled at run time: see [`Dialect::with_placeholders`].
//!
//! Nothing here is made of input: a value is bound, in either.

use super::pieces::PIECES;
use super::{Statement, Value};
use epcis_edge_core::query::Collection;
use serde::Deserialize;

/// Which engine a statement is for.
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite, and so D1.
    #[default]
    Sqlite,
    /// PostgreSQL, and what speaks its protocol and dialect.
    Postgres,
}

impl Dialect {
    /// A statement with its placeholders as this engine writes them.
    ///
    /// SQLite reads `?1`. PostgreSQL reads `$1`, and would guess the type of a value from where it stands: `$1::text` says it.
    #[must_use]
    pub fn with_placeholders(self, statement: Statement) -> Statement {
        match self {
            Self::Sqlite => statement,
            Self::Postgres => Statement {
                text: typed(&statement.text, &statement.values),
                values: statement.values,
            },
        }
    }

    /// The rows of a list, with the columns `key` and `value`.
    pub(super) fn rows(self, list: &str) -> String {
        match self {
            Self::Sqlite => format!("json_each({list})"),
            Self::Postgres => format!("rows_of({list})"),
        }
    }

    /// Whether a statement that looks for something finds nothing, and need not be run: PostgreSQL does not take a text with U+0000,
    /// and no row has one, since no capture brings it in.
    #[must_use]
    pub fn finds_nothing(self, statement: &Statement) -> bool {
        let has_zero = |value: &Value| matches!(value, Value::Text(text) if text.contains('\0'));
        self == Self::Postgres && statement.values.iter().any(has_zero)
    }

    /// That a column has one of the texts of a list.
    pub(super) fn has_text(self, column: &str, list: &str) -> String {
        match self {
            Self::Sqlite => format!("{column} IN (SELECT value FROM json_each({list}))"),
            Self::Postgres => format!("{column} = ANY (texts_of({list}))"),
        }
    }

    /// That a column has one of the numbers of a list.
    pub(super) fn has_number(self, column: &str, list: &str) -> String {
        match self {
            Self::Sqlite => format!("{column} IN (SELECT value FROM json_each({list}))"),
            Self::Postgres => format!("{column} = ANY (numbers_of({list}))"),
        }
    }

    /// Joins the pieces of the texts of the events of a page `p`.
    pub(super) fn pieces_of_page(self) -> String {
        match self {
            Self::Sqlite => format!(
                "CROSS JOIN event_parts AS t ON t.piece BETWEEN p.sequence * {PIECES} AND p.sequence * {PIECES} + {PIECES} - 1"
            ),
            // Most texts stand in blocks there (worker/postgres/0010_size.sql).
            Self::Postgres => "CROSS JOIN LATERAL pieces_of(p.sequence) AS t".to_owned(),
        }
    }

    /// The sequences of the events whose `column` is one of the numbers of a list.
    pub(super) fn keyed(self, column: &str, list: &str) -> String {
        match self {
            Self::Sqlite => format!(
                "SELECT n.sequence FROM json_each({list}) AS k CROSS JOIN events AS n ON n.{column} = k.value"
            ),
            Self::Postgres => {
                let keys = self.has_number(&format!("n.{column}"), list);
                format!("SELECT n.sequence FROM events AS n WHERE {keys}")
            }
        }
    }

    /// The sequences of the events that have a further name whose key is one of the numbers of a list.
    pub(super) fn also_keyed(self, list: &str) -> String {
        let keys = self.has_number("a.event_key", list);
        format!("SELECT a.sequence FROM aliases AS a WHERE {keys}")
    }

    /// A condition that no index shall be chosen by. PostgreSQL weighs them itself.
    pub(super) fn without_index(self) -> &'static str {
        match self {
            Self::Sqlite => "+",
            Self::Postgres => "",
        }
    }

    /// The sequence, where neither its smallest nor its largest shall be looked for by walking over all of them.
    pub(super) fn any_sequence(self) -> &'static str {
        match self {
            Self::Sqlite => "+sequence",
            Self::Postgres => "sequence + 0",
        }
    }

    /// Numbers as the text of a JSON array.
    pub(super) fn json_array(self, members: &str) -> String {
        match self {
            Self::Sqlite => format!("json_array({members})"),
            Self::Postgres => format!("json_build_array({members})::text"),
        }
    }

    /// Whether what a collection lists is kept in a table of its own, which is read in its order. PostgreSQL finds EPCs among the
    /// terms, where each is in any case: they are most of what there is to list.
    pub(super) fn lists(self, collection: Collection) -> bool {
        self == Self::Sqlite || collection != Collection::Epcs
    }

    /// The values of a collection of some accounts, or of all: `?1` is the collection, `?2` the place before, `?3` how many.
    pub(super) fn values(self, collection: Collection, accounts: Option<&str>) -> String {
        match self {
            Self::Postgres if !self.lists(collection) => {
                let accounts =
                    accounts.map_or_else(|| "NULL".to_owned(), |list| format!("texts_of({list})"));
                // It takes the number of the collection for the sake of its place alone.
                format!("SELECT value, is_place FROM epcs_of({accounts}, ?2, ?3) WHERE ?1 > 0")
            }
            Self::Sqlite => {
                let accounts = accounts.map_or_else(
                    || "accounts AS a".to_owned(),
                    |list| {
                        format!(
                            "json_each({list}) AS j CROSS JOIN accounts AS a ON a.account = j.value"
                        )
                    },
                );
                format!(
                    "SELECT DISTINCT v.value, 0 AS is_place FROM {accounts} CROSS JOIN listed AS v ON v.account = a.number \
                     AND v.collection = ?1 AND v.value IN (SELECT l.value FROM listed AS l WHERE l.account = a.number \
                     AND l.collection = ?1 AND l.value > ?2 ORDER BY l.value LIMIT ?3) ORDER BY v.value LIMIT ?3"
                )
            }
            Self::Postgres => {
                let accounts = accounts.map_or_else(
                    || "true".to_owned(),
                    |list| self.has_text("a.account", list),
                );
                format!(
                    "SELECT DISTINCT v.value, 0 AS is_place FROM accounts AS a CROSS JOIN LATERAL (SELECT l.value FROM listed_values AS l \
                     WHERE l.account = a.number AND l.collection = ?1 AND l.value > ?2 ORDER BY l.value LIMIT ?3) AS v \
                     WHERE {accounts} ORDER BY v.value LIMIT ?3"
                )
            }
        }
    }

    /// Finds stored events by rows of a place, the key of an identity and the identity: `?1`.
    pub(super) fn same_events(self) -> String {
        match self {
            Self::Sqlite => {
                "SELECT j.value ->> 0 AS position, e.sequence, e.event_id, e.content_hash FROM json_each(?1) AS j \
                 CROSS JOIN events AS e ON e.identity_key = j.value ->> 1 AND e.identity = j.value ->> 2"
            }
            Self::Postgres => {
                "SELECT CAST(j.value ->> 0 AS INTEGER) AS position, e.sequence, e.event_id, e.content_hash \
                 FROM rows_of(?1) AS j JOIN identities AS i ON i.identity_key = CAST(j.value ->> 1 AS BIGINT) \
                 AND i.identity = unhex(j.value ->> 2) \
                 CROSS JOIN LATERAL (SELECT * FROM events WHERE sequence = i.sequence OFFSET 0) AS e"
            }
        }
        .to_owned()
    }

    /// Finds the stored events of an account, `?2`, that have a name, by rows whose fourth entry is its key: `?1`; `?3` at most.
    pub(super) fn namesakes(self) -> String {
        let (position, key) = match self {
            Self::Sqlite => ("j.value ->> 0", "j.value ->> 3"),
            Self::Postgres => (
                "CAST(j.value ->> 0 AS INTEGER)",
                "CAST(j.value ->> 3 AS BIGINT)",
            ),
        };
        let rows = self.rows("?1");
        format!(
            "SELECT {position} AS position, f.sequence, f.who FROM {rows} AS j {} AND f.declares_error = 0 \
             UNION ALL SELECT {position}, f.sequence, f.who FROM {rows} AS j CROSS JOIN aliases AS a CROSS JOIN events AS f \
             WHERE a.event_key = {key} AND f.sequence = a.sequence AND f.captured_by = ?2 AND f.declares_error = 0 LIMIT ?3",
            self.bearers(key, "?2")
        )
    }

    /// Joins the events `f` of an account that have a name, by its key: ends in a condition. The index of names finds few of them;
    /// that of the account would find all that it has.
    pub(super) fn bearers(self, key: &str, account: &str) -> String {
        match self {
            Self::Sqlite => format!(
                "CROSS JOIN events AS f ON f.event_key = {key} WHERE +f.captured_by = {account}"
            ),
            Self::Postgres => format!(
                "CROSS JOIN LATERAL (SELECT * FROM events WHERE event_key = {key} OFFSET 0) AS f \
                 WHERE f.captured_by = {account}"
            ),
        }
    }

    /// The statement that takes the turn of the log for a while, of all gateways: several transactions make a head. It answers a
    /// [`TurnRow`]; there is none where nobody shares the database.
    #[must_use]
    pub fn take_log_turn(self, milliseconds: u64) -> Option<Statement> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some(Statement {
                text: "SELECT take_log_turn(?1) AS taken".to_owned(),
                values: vec![milliseconds.into()],
            }),
        }
    }

    /// The statement that has to be the first of a transaction that appends to the log: one after the other.
    #[must_use]
    pub fn log_turn(self) -> Option<Statement> {
        match self {
            // D1 runs one transaction at a time.
            Self::Sqlite => None,
            Self::Postgres => Some(Statement {
                text: "SELECT take_turn(2)".to_owned(),
                values: Vec::new(),
            }),
        }
    }
}

/// A row of [`Dialect::take_log_turn`].
#[derive(Debug, Deserialize)]
pub struct TurnRow {
    /// 1 where the turn was free.
    pub taken: u8,
}

/// Placeholders as PostgreSQL writes them, each with the type of its value: it would guess otherwise.
fn typed(text: &str, values: &[Value]) -> String {
    let mut pieces = text.split('?');
    let mut typed = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digits = piece
            .find(|character: char| !character.is_ascii_digit())
            .unwrap_or(piece.len());
        let (number, rest) = piece.split_at(digits);
        let value = number.parse::<usize>().ok();
        let value = value.and_then(|number| values.get(number.checked_sub(1)?));
        typed.push('$');
        typed.push_str(number);
        typed.push_str(match value {
            Some(Value::Integer(_)) => "::bigint",
            _ => "::text",
        });
        typed.push_str(rest);
    }
    typed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(text: &str, values: Vec<Value>) -> String {
        let text = text.to_owned();
        Dialect::Postgres
            .with_placeholders(Statement { text, values })
            .text
    }

    #[test]
    fn a_placeholder_gets_the_type_of_its_value() {
        assert_eq!(
            translated(
                "SELECT ?2, ?1 FROM t WHERE a = ?1",
                vec!["x".into(), 1_u64.into()]
            ),
            "SELECT $2::bigint, $1::text FROM t WHERE a = $1::text"
        );
    }

    #[test]
    fn sqlite_reads_what_was_written() {
        let statement = Statement {
            text: "SELECT ?1".to_owned(),
            values: vec!["x".into()],
        };
        assert_eq!(
            Dialect::Sqlite.with_placeholders(statement.clone()),
            statement
        );
    }
}
