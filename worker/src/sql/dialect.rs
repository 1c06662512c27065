//! Where the two engines differ: SQLite, which D1 is, and PostgreSQL.
//!
//! Statements are written once, as SQLite reads them. [`Dialect::translate`] spells one for PostgreSQL: its placeholders with their
//! types, its joins, and what becomes of rows that are there already. Functions that PostgreSQL has not (`unhex`, `hex`, `rows_of`,
//! `texts_of`, `numbers_of`, `refuse`, `json_group_array`) are made by its migrations. What must be asked in another way, so that the planner finds by
//! an index what it is to find, is written here, beside the way of SQLite.
//!
//! Nothing here is made of input: a value is bound, in either.

use super::append::{LIST, UNEXPECTED};
use super::select::Ordering;
use super::{Statement, Value};

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

/// The columns of a row of events in PostgreSQL: the place in the list, the name, the type.
const EVENT: [(usize, &str, &str); 14] = [
    (1, "position", "INTEGER"),
    (3, "declares_error", "SMALLINT"),
    (4, "captured_by", "TEXT"),
    (5, "event_id", "TEXT"),
    (6, "event_key", "BIGINT"),
    (7, "content_key", "BIGINT"),
    (8, "content_hash", "TEXT"),
    (9, "event_type", "TEXT"),
    (10, "action", "TEXT"),
    (11, "biz_step", "TEXT"),
    (12, "disposition", "TEXT"),
    (13, "event_time", "TEXT"),
    (14, "bytes", "INTEGER"),
    (15, "who", "TEXT"),
];

/// The job of the capture that is under way: the first row of its transaction.
pub(super) const NEWEST_JOB: &str = "(SELECT max(sequence) FROM capture_jobs)";

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

    /// The values of a collection of some accounts, or of all: `?1` is the collection, `?2` the value before, `?3` how many.
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
            Self::Postgres => {
                let accounts = accounts.map_or_else(
                    || "true".to_owned(),
                    |list| self.has_text("a.account", list),
                );
                format!(
                    "SELECT DISTINCT v.value FROM accounts AS a CROSS JOIN LATERAL (SELECT l.value FROM listed AS l \
                     WHERE l.account = a.number AND l.collection = ?1 AND l.value > ?2 ORDER BY l.value LIMIT ?3) AS v \
                     WHERE {accounts} ORDER BY v.value LIMIT ?3"
                )
            }
        }
    }

    /// The function that tells the larger of two numbers.
    pub(super) fn larger(self) -> &'static str {
        match self {
            Self::Sqlite => "max",
            Self::Postgres => "greatest",
        }
    }

    /// When the capture that is under way was recorded, as the newest job says: as it sorts, or as it stands in events.
    fn record_time(self, fraction: &str) -> String {
        let time = match self {
            Self::Sqlite => format!(
                "strftime('%Y-%m-%dT%H:%M:%S', c.time / 1000, 'unixepoch') || printf('.%03d{fraction}Z', c.time % 1000)"
            ),
            Self::Postgres => format!(
                "to_char(to_timestamp(c.time / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS') \
                 || '.' || lpad((c.time % 1000)::text, 3, '0') || '{fraction}Z'"
            ),
        };
        format!("(SELECT {time} FROM capture_jobs AS c WHERE c.sequence = {NEWEST_JOB})")
    }

    /// The text of a piece of an event, by its row: what stands before the `recordTime`, and where some of it stands in the piece
    /// the place and the number of its characters, and what stands behind.
    pub(super) fn text_of_part(self) -> String {
        let time = self.record_time("");
        let number = |at: usize| match self {
            Self::Sqlite => format!("j.value ->> {at}"),
            Self::Postgres => format!("CAST(j.value ->> {at} AS INTEGER)"),
        };
        format!(
            "(j.value ->> 3) || coalesce(substr({time}, {}, {}) || (j.value ->> 6), '')",
            number(4),
            number(5)
        )
    }

    /// Inserts further names of events; rows have the key of an identity, the identity, the key of the name and the name.
    pub(super) fn insert_aliases(self) -> String {
        let (identities, key, identity, name_key) = match self {
            Self::Sqlite => ("events", "j.value ->> 0", "j.value ->> 1", "j.value ->> 2"),
            Self::Postgres => (
                "identities",
                "CAST(j.value ->> 0 AS BIGINT)",
                "unhex(j.value ->> 1)",
                "CAST(j.value ->> 2 AS BIGINT)",
            ),
        };
        format!(
            "INSERT OR IGNORE INTO aliases (event_key, sequence, event_id, job) \
             SELECT {name_key}, i.sequence, j.value ->> 3, {NEWEST_JOB} \
             FROM json_each({LIST}) AS j CROSS JOIN {identities} AS i ON i.identity_key = {key} AND i.identity = {identity}"
        )
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

    /// Breaks a transaction off where a capture finds more stored than it expected: `?1` duplicates and `?2` namesakes.
    pub(super) fn expect(self, tables: &str, duplicates: &str, namesakes: &str) -> String {
        match self {
            Self::Sqlite => format!(
                "INSERT INTO expectations (duplicates, found_duplicates, namesakes, found_namesakes) \
                 WITH {tables} SELECT ?1, {duplicates}, ?2, {namesakes}"
            ),
            Self::Postgres => format!(
                "WITH {tables} SELECT CASE WHEN {duplicates} = ?1 AND {namesakes} = ?2 THEN 0 \
                 ELSE refuse('{UNEXPECTED}') END AS is_expected"
            ),
        }
    }

    /// Inserts a list of events that are new; `?2` is the document.
    pub(super) fn insert_events(self) -> String {
        let time = self.record_time("000000");
        match self {
            Self::Sqlite => format!(
                "INSERT INTO events (identity_key, position, identity, declares_error, captured_by, event_id, event_key, content_key, \
                 content_hash, event_type, action, biz_step, disposition, event_time, bytes, who, record_time, document) \
                 SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5, \
                 j.value ->> 6, j.value ->> 7, j.value ->> 8, j.value ->> 9, j.value ->> 10, j.value ->> 11, \
                 j.value ->> 12, j.value ->> 13, j.value ->> 14, j.value ->> 15, {time}, ?2 \
                 FROM json_each({LIST}) AS j ORDER BY j.key"
            ),
            // Captures come one after the other: numbers without gaps, and nobody between a question and its answer.
            Self::Postgres => {
                let read = EVENT
                    .map(|(at, name, kind)| format!("CAST(j.value ->> {at} AS {kind}) AS {name}"));
                let names = EVENT.map(|(_, name, _)| name).join(", ");
                format!(
                    "WITH given AS MATERIALIZED (SELECT CAST(j.value ->> 0 AS BIGINT) AS identity_key, \
                     unhex(j.value ->> 2) AS identity, {} FROM json_each({LIST}) AS j), \
                     fresh AS (SELECT DISTINCT ON (g.identity) g.* FROM given AS g WHERE NOT EXISTS (\
                     SELECT 1 FROM identities AS i WHERE i.identity_key = g.identity_key AND i.identity = g.identity OFFSET 0) \
                     ORDER BY g.identity, g.position), \
                     numbered AS MATERIALIZED (SELECT f.*, (SELECT coalesce(max(sequence), 0) FROM events) \
                     + row_number() OVER (ORDER BY f.position) AS sequence FROM fresh AS f), \
                     named AS (INSERT INTO identities (identity_key, identity, sequence) \
                     SELECT identity_key, identity, sequence FROM numbered) \
                     INSERT INTO events (sequence, {names}, record_time, document) SELECT sequence, {names}, {time}, ?2 FROM numbered",
                    read.join(", ")
                )
            }
        }
    }

    /// Writes down which events of a list were there before the capture, or came earlier in it: looked for only where events are
    /// missing up to the last of these.
    pub(super) fn insert_duplicates(self) -> String {
        let of = format!(
            "WHERE c.sequence = {NEWEST_JOB} AND (SELECT count(*) FROM events WHERE sequence > c.before) <="
        );
        match self {
            Self::Sqlite => format!(
                "INSERT INTO capture_duplicates (job, position, event_id) SELECT c.sequence, j.value ->> 1, e.event_id \
                 FROM capture_jobs AS c CROSS JOIN json_each({LIST}) AS j \
                 CROSS JOIN events AS e ON e.identity_key = j.value ->> 0 AND e.identity = j.value ->> 2 \
                 {of} ({LIST} ->> '$[#-1][1]') AND (e.sequence <= c.before OR e.position <> j.value ->> 1)"
            ),
            // Materialized: counted once, whatever is joined first.
            Self::Postgres => format!(
                "WITH missing AS MATERIALIZED (SELECT c.sequence, c.before FROM capture_jobs AS c \
                 {of} CAST(CAST({LIST} AS JSONB) -> -1 ->> 1 AS INTEGER)) \
                 INSERT INTO capture_duplicates (job, position, event_id) \
                 SELECT c.sequence, CAST(j.value ->> 1 AS INTEGER), e.event_id \
                 FROM missing AS c CROSS JOIN json_each({LIST}) AS j \
                 CROSS JOIN identities AS i ON i.identity_key = CAST(j.value ->> 0 AS BIGINT) \
                 AND i.identity = unhex(j.value ->> 2) \
                 CROSS JOIN LATERAL (SELECT event_id, position FROM events WHERE sequence = i.sequence OFFSET 0) AS e \
                 WHERE i.sequence <= c.before OR e.position <> CAST(j.value ->> 1 AS INTEGER)"
            ),
        }
    }

    /// Joins the events of rows that begin with the key of an identity and a position; what belongs to an event follows only where
    /// it was the capture under way that brought it.
    pub(super) fn ours(self) -> String {
        match self {
            Self::Sqlite => format!(
                "CROSS JOIN events AS e ON e.identity_key = j.value ->> 0 AND e.position = j.value ->> 1 \
                 AND e.sequence > (SELECT before FROM capture_jobs WHERE sequence = {NEWEST_JOB})"
            ),
            Self::Postgres => format!(
                "CROSS JOIN identities AS i ON i.identity_key = CAST(j.value ->> 0 AS BIGINT) \
                 CROSS JOIN LATERAL (SELECT sequence FROM events WHERE sequence = i.sequence \
                 AND sequence > (SELECT before FROM capture_jobs WHERE sequence = {NEWEST_JOB}) \
                 AND position = CAST(j.value ->> 1 AS INTEGER) OFFSET 0) AS e"
            ),
        }
    }

    /// Lists of terms, each a field and a value, in the third place of rows.
    pub(super) fn listed_terms(self) -> &'static str {
        match self {
            Self::Sqlite => "json_each(j.value, '$[2]')",
            Self::Postgres => "jsonb_array_elements(j.value -> 2)",
        }
    }

    /// That texts are sorted by their bytes.
    pub(super) fn bytewise(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " COLLATE \"C\"",
        }
    }

    /// What names the columns of a function of rows.
    pub(super) fn of_value(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => "(value)",
        }
    }

    /// The statement that has to be the first of a transaction that appends to the events or to the log: one after the other.
    #[must_use]
    pub fn turn(self, of: Turn) -> Option<Statement> {
        match self {
            // D1 runs one transaction at a time.
            Self::Sqlite => None,
            Self::Postgres => Some(Statement {
                text: format!("SELECT take_turn({})", of as u8),
                values: Vec::new(),
            }),
        }
    }
}

/// What is appended to, one transaction after the other.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The events, with what belongs to them.
    Events = 1,
    /// The transparency log.
    Log = 2,
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

/// Functions that have another name: what breaks a transaction off, and the rows of a list.
fn renamed(text: &str) -> String {
    text.replace(" json('", " refuse('")
        .replace("json_each(", "rows_of(")
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
