//! The differences between the engines: SQLite, which D1 is, and PostgreSQL.
//!
//! Most statements have one text for both: the migrations of PostgreSQL define the functions that it lacks (`unhex`, `hex`,
//! `texts_of`, `numbers_of`, `json_group_array`), and both know `ON CONFLICT DO NOTHING`, `string_agg` and joins with their condition
//! in `WHERE`. Where an engine needs a text of its own, a method here has the texts of both side by side.
//! Only placeholders are converted at run time: see [`Dialect::with_placeholders`].
//!
//! No text is made from input: values are bound in both.
//!
//! Two files of statements would say most of them twice, and a query builder would hide the SQL whose plans the tests pin.

use super::owned::owned;
use super::pieces::PIECES;
use super::{Statement, Value};

/// The engine that a statement is for.
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite, and so D1.
    #[default]
    Sqlite,
    /// PostgreSQL, and databases with its protocol and dialect: the store of the account with this number, or with 0 what all accounts
    /// share.
    Postgres(u64),
}

impl Dialect {
    /// A statement with the placeholders of this engine.
    ///
    /// SQLite reads `?1`. PostgreSQL reads `$1`, and would guess the type of the value from its context, so it gets `$1::text`.
    #[must_use]
    pub fn with_placeholders(self, statement: Statement) -> Statement {
        match self {
            Self::Sqlite => statement,
            Self::Postgres(account) => {
                let Statement { text, values } = owned(statement, account);
                Statement { text: typed(&text, &values), values }
            }
        }
    }

    /// Whether the store is that of one account.
    pub(super) fn is_of_one(self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    /// Whether a search is known to find nothing and need not be run: PostgreSQL does not accept a text with U+0000, and no row has
    /// one, since no capture stores it.
    #[must_use]
    pub fn finds_nothing(self, statement: &Statement) -> bool {
        let has_zero = |value: &Value| matches!(value, Value::Text(text) if text.contains('\0'));
        self != Self::Sqlite && statement.values.iter().any(has_zero)
    }

    /// The condition that a column has one of the texts of a list.
    pub(super) fn has_text(self, column: &str, list: &str) -> String {
        match self {
            Self::Sqlite => format!("{column} IN (SELECT value FROM json_each({list}))"),
            Self::Postgres(_) => format!("{column} = ANY (texts_of({list}))"),
        }
    }

    /// The condition that a column has one of the numbers of a list.
    pub(super) fn has_number(self, column: &str, list: &str) -> String {
        match self {
            Self::Sqlite => format!("{column} IN (SELECT value FROM json_each({list}))"),
            Self::Postgres(_) => format!("{column} = ANY (numbers_of({list}))"),
        }
    }

    /// Joins the pieces `t` of the texts of the events of a page `p`. An event whose pieces are lost has a row, too, without a text.
    pub(super) fn pieces_of_page(self) -> String {
        let is_of_event =
            format!("piece BETWEEN p.sequence * {PIECES} AND p.sequence * {PIECES} + {PIECES} - 1");
        match self {
            Self::Sqlite => format!("LEFT JOIN event_parts AS t ON t.{is_of_event}"),
            // OFFSET makes PostgreSQL look each event up: where it expects few rows, it would read all of the account for each event.
            Self::Postgres(_) => format!(
                "LEFT JOIN LATERAL (SELECT e.piece, e.text FROM event_parts AS e WHERE e.{is_of_event} OFFSET 0) AS t ON true"
            ),
        }
    }

    /// The sequences of the events whose `column` is one of the numbers of a list.
    pub(super) fn keyed(self, column: &str, list: &str) -> String {
        match self {
            Self::Sqlite => format!(
                "SELECT n.sequence FROM json_each({list}) AS k CROSS JOIN events AS n ON n.{column} = k.value"
            ),
            Self::Postgres(_) => {
                let keys = self.has_number(&format!("n.{column}"), list);
                // The sum keeps PostgreSQL from walking over a range of sequences in place of the names.
                format!("SELECT n.sequence + 0 AS sequence FROM events AS n WHERE {keys}")
            }
        }
    }

    /// The sequences of the events with an alias whose key is one of the numbers of a list.
    pub(super) fn also_keyed(self, list: &str) -> String {
        let keys = self.has_number("a.event_key", list);
        let sequence = match self {
            Self::Sqlite => "a.sequence",
            Self::Postgres(_) => "a.sequence + 0",
        };
        format!("SELECT {sequence} AS sequence FROM aliases AS a WHERE {keys}")
    }

    /// A prefix for a column that keeps SQLite from choosing an index for its condition. PostgreSQL weighs the indexes itself.
    pub(super) fn without_index(self) -> &'static str {
        match self {
            Self::Sqlite => "+",
            Self::Postgres(_) => "",
        }
    }

    /// The sequence column within `min` and `max`, written so that the engine does not search for them by walking over all sequences.
    pub(super) fn any_sequence(self) -> &'static str {
        match self {
            Self::Sqlite => "+sequence",
            Self::Postgres(_) => "sequence + 0",
        }
    }

    /// The rows `m` of master data that `newest` finds for each account `a`, which fulfils `accounts`. `newest` is a condition, order and
    /// limit for the rows `l` of one account.
    pub(super) fn newest_elements(self, newest: &str, accounts: &str) -> String {
        match self {
            Self::Sqlite => format!(
                "accounts AS a CROSS JOIN master_data AS m ON m.number IN (SELECT l.number FROM master_data AS l WHERE {newest}) \
                 WHERE {accounts}"
            ),
            Self::Postgres(_) => format!(
                "accounts AS a CROSS JOIN LATERAL (SELECT l.* FROM master_data AS l WHERE {newest}) AS m WHERE {accounts}"
            ),
        }
    }

    /// The second entry of the last row of a list, a number.
    pub(super) fn last_number(self, list: &str) -> String {
        match self {
            Self::Sqlite => format!("({list} ->> '$[#-1][1]')"),
            Self::Postgres(_) => format!("CAST(CAST({list} AS jsonb) -> -1 ->> 1 AS BIGINT)"),
        }
    }

    /// Numbers as the text of a JSON array.
    pub(super) fn json_array(self, members: &str) -> String {
        match self {
            Self::Sqlite => format!("json_array({members})"),
            Self::Postgres(_) => format!("json_build_array({members})::text"),
        }
    }

    /// The query for listed values, of some accounts or of all: `?1` is the collection, `?2` the value before the first, `?3` the limit.
    pub(super) fn values(self, accounts: Option<&str>) -> String {
        match self {
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
                    "SELECT DISTINCT v.value FROM {accounts} CROSS JOIN listed AS v ON v.account = a.number \
                     AND v.collection = ?1 AND v.value IN (SELECT l.value FROM listed AS l WHERE l.account = a.number \
                     AND l.collection = ?1 AND l.value > ?2 ORDER BY l.value LIMIT ?3) ORDER BY v.value LIMIT ?3"
                )
            }
            Self::Postgres(_) => {
                let accounts = accounts
                    .map_or_else(|| "true".to_owned(), |list| self.has_text("a.account", list));
                format!(
                    "SELECT DISTINCT v.value FROM accounts AS a CROSS JOIN LATERAL (SELECT l.value FROM listed AS l \
                     WHERE l.account = a.number AND l.collection = ?1 AND l.value > ?2 ORDER BY l.value LIMIT ?3) AS v \
                     WHERE {accounts} ORDER BY v.value LIMIT ?3"
                )
            }
        }
    }

    /// The query for the stored events of an account, `?2`, with given names, at most `?3`. `?1` is a list of rows that begin with a
    /// position and have the key of a name as their fourth entry.
    pub(super) fn namesakes(self) -> String {
        let (position, key) = match self {
            Self::Sqlite => ("j.value ->> 0", "j.value ->> 3"),
            Self::Postgres(_) => {
                ("CAST(j.value ->> 0 AS INTEGER)", "CAST(j.value ->> 3 AS BIGINT)")
            }
        };
        format!(
            "SELECT {position} AS position, f.sequence, f.who FROM json_each(?1) AS j {} AND f.declares_error = 0 \
             UNION ALL SELECT {position}, f.sequence, f.who FROM json_each(?1) AS j CROSS JOIN aliases AS a CROSS JOIN events AS f \
             WHERE a.event_key = {key} AND f.sequence = a.sequence AND f.captured_by = ?2 AND f.declares_error = 0 LIMIT ?3",
            self.bearers(key, "?2")
        )
    }

    /// Joins the events `f` of an account that have a name, by the key of the name. The text ends with a condition. It makes the engine
    /// use the index of names, which finds few events: the index of accounts would find all events of the account.
    pub(super) fn bearers(self, key: &str, account: &str) -> String {
        match self {
            Self::Sqlite => format!(
                "CROSS JOIN events AS f ON f.event_key = {key} WHERE +f.captured_by = {account}"
            ),
            Self::Postgres(_) => format!(
                "CROSS JOIN LATERAL (SELECT * FROM events WHERE event_key = {key} OFFSET 0) AS f \
                 WHERE f.captured_by = {account}"
            ),
        }
    }

    /// The statement that must begin every transaction that appends to the log, so that they run one after the other.
    #[must_use]
    pub fn log_turn(self) -> Option<Statement> {
        match self {
            // D1 runs one transaction at a time.
            Self::Sqlite => None,
            Self::Postgres(_) => {
                Some(Statement { text: "SELECT take_turn(2)".to_owned(), values: Vec::new() })
            }
        }
    }
}

/// The text with the placeholders of PostgreSQL, each with the type of its value, which it would guess otherwise.
fn typed(text: &str, values: &[Value]) -> String {
    let mut pieces = text.split('?');
    let mut typed = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digits =
            piece.find(|character: char| !character.is_ascii_digit()).unwrap_or(piece.len());
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
        Dialect::Postgres(0).with_placeholders(Statement { text, values }).text
    }

    #[test]
    fn a_placeholder_gets_the_type_of_its_value() {
        assert_eq!(
            translated("SELECT ?2, ?1 FROM t WHERE a = ?1", vec!["x".into(), 1_u64.into()]),
            "SELECT $2::bigint, $1::text FROM t WHERE a = $1::text"
        );
    }

    #[test]
    fn sqlite_reads_what_was_written() {
        let statement = Statement { text: "SELECT ?1".to_owned(), values: vec!["x".into()] };
        assert_eq!(Dialect::Sqlite.with_placeholders(statement.clone()), statement);
    }
}
