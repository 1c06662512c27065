//! Where the two engines differ: SQLite, which D1 is, and PostgreSQL.
//!
//! Statements are written once, as SQLite reads them. [`Dialect::translate`] spells one for PostgreSQL: its placeholders with their
//! types, its joins, and what becomes of rows that are there already. Functions that PostgreSQL has not (`unhex`, `hex`, `rows_of`,
//! `texts_of`, `numbers_of`, `json_group_array`) are made by its migrations. What must be asked in another way, so that the planner finds by
//! an index what it is to find, is written here, beside the way of SQLite.
//!
//! Nothing here is made of input: a value is bound, in either.

use super::pieces::PIECES;
use super::select::Ordering;
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

/// What makes the candidates of a page.
pub(super) struct Candidates<'a> {
    /// Selections of sequences; an event must be in all of these, where there are any. Not beside `each_account`.
    pub(super) found: &'a [String],
    /// The list of accounts each of which gives its candidates; its value is `account.value` in the conditions.
    pub(super) each_account: Option<&'a str>,
    /// The conditions on events `e`.
    pub(super) wheres: &'a str,
    /// Those of them that are about the sequence alone, without a table.
    pub(super) bounds: &'a [String],
    pub(super) order: &'a Ordering,
    /// How many there are at most.
    pub(super) limit: &'a str,
}

impl Dialect {
    /// A statement as this engine reads it.
    #[must_use]
    pub fn translate(self, statement: Statement) -> Statement {
        match self {
            Self::Sqlite => statement,
            Self::Postgres => Statement {
                text: typed(&joined(&renamed(&kept(&statement.text))), &statement.values),
                values: statement.values,
            },
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

    /// The rows that a page is taken from, in its order, as many as it may have.
    pub(super) fn candidates(self, of: &Candidates<'_>) -> String {
        let Candidates {
            found,
            each_account,
            wheres,
            bounds,
            order,
            limit,
        } = of;
        let by = order.by("e");
        match (self, each_account) {
            (Self::Sqlite, Some(list)) => format!(
                "json_each({list}) AS account CROSS JOIN events AS e ON e.sequence IN (\
                 SELECT e.sequence FROM events AS e WHERE {wheres} ORDER BY {by} LIMIT {limit}) ORDER BY {by} LIMIT {limit}"
            ),
            (Self::Postgres, Some(list)) => format!(
                "unnest(texts_of({list})) AS account(value) CROSS JOIN LATERAL (\
                 SELECT * FROM events AS e WHERE {wheres} ORDER BY {by} LIMIT {limit}) AS e ORDER BY {by} LIMIT {limit}"
            ),
            (Self::Postgres, None) if !found.is_empty() => {
                let found: Vec<_> = found
                    .iter()
                    .map(|found| {
                        let mut bounds = bounds.iter().map(|bound| format!("s.{bound}"));
                        let first = bounds.next().unwrap_or_else(|| "true".to_owned());
                        let bounds = bounds.fold(first, |all, bound| format!("{all} AND {bound}"));
                        format!("SELECT DISTINCT s.sequence FROM ({found}) AS s WHERE {bounds}")
                    })
                    .collect();
                let found = found.join(" INTERSECT ");
                // In the order of capture the numbers are sorted before any event is looked up, and that ends with the page.
                let (found, by) = if order.is_by_capture() {
                    let by = order.by("f");
                    (
                        format!("SELECT f.sequence FROM ({found}) AS f ORDER BY {by}"),
                        by,
                    )
                } else {
                    (found, by)
                };
                // What is behind OFFSET is planned by itself: each event is looked up by its sequence.
                format!(
                    "({found}) AS f CROSS JOIN LATERAL (\
                     SELECT * FROM events AS e WHERE e.sequence = f.sequence AND {wheres} OFFSET 0) AS e ORDER BY {by} LIMIT {limit}"
                )
            }
            (_, None) => format!("events AS e WHERE {wheres} ORDER BY {by} LIMIT {limit}"),
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
                 FROM json_each(?1) AS j CROSS JOIN identities AS i ON i.identity_key = CAST(j.value ->> 1 AS BIGINT) \
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
        format!(
            "SELECT {position} AS position, f.sequence, f.who FROM json_each(?1) AS j {} AND f.declares_error = 0 \
             UNION ALL SELECT {position}, f.sequence, f.who FROM json_each(?1) AS j \
             CROSS JOIN aliases AS a ON a.event_key = {key} \
             CROSS JOIN events AS f ON f.sequence = a.sequence WHERE f.captured_by = ?2 AND f.declares_error = 0 LIMIT ?3",
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

/// What is there already stays as it is.
fn kept(text: &str) -> String {
    let Some(rest) = text.strip_prefix("INSERT OR IGNORE ") else {
        return text.to_owned();
    };
    let (insert, returning) = match rest.find(" RETURNING ") {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    format!("INSERT {insert} ON CONFLICT DO NOTHING{returning}")
}

/// Functions that have another name.
fn renamed(text: &str) -> String {
    text.replace("json_each(", "rows_of(")
        .replace("group_concat(", "string_agg(")
}

/// A join with a condition is no cross join.
fn joined(text: &str) -> String {
    const CROSS: &str = "CROSS JOIN ";
    let mut pieces = text.split(CROSS);
    let mut joined = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        // The name of a table, the call of a function, or a selection in brackets, and a short name.
        let has_condition = piece.split_once(" AS ").is_some_and(|(table, rest)| {
            let is_selection = table.starts_with('(') && table.ends_with(')');
            (is_selection || !table.contains(' ')) && rest.split(' ').nth(1) == Some("ON")
        });
        joined.push_str(if has_condition { "JOIN " } else { CROSS });
        joined.push_str(piece);
    }
    joined
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
        Dialect::Postgres.translate(Statement { text, values }).text
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
    fn rows_that_are_there_stay() {
        assert_eq!(
            translated(
                "INSERT OR IGNORE INTO t (a) VALUES (?1) RETURNING a",
                vec!["x".into()]
            ),
            "INSERT INTO t (a) VALUES ($1::text) ON CONFLICT DO NOTHING RETURNING a"
        );
    }

    #[test]
    fn a_join_has_a_condition_or_none() {
        assert_eq!(
            translated(
                "FROM a AS x CROSS JOIN b AS y ON y.a = x.a CROSS JOIN json_each(?1) AS j CROSS JOIN LATERAL (SELECT 1 AS z) AS q ON",
                vec!["x".into()]
            ),
            "FROM a AS x JOIN b AS y ON y.a = x.a CROSS JOIN rows_of($1::text) AS j CROSS JOIN LATERAL (SELECT 1 AS z) AS q ON"
        );
    }

    #[test]
    fn sqlite_reads_what_was_written() {
        let statement = Statement {
            text: "INSERT OR IGNORE INTO t SELECT ?1".to_owned(),
            values: vec!["x".into()],
        };
        assert_eq!(Dialect::Sqlite.translate(statement.clone()), statement);
    }
}
