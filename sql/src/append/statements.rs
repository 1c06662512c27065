//! The statements of a capture where a store has one writer at a time: one transaction, which first inserts the job.

use super::milliseconds;
use crate::pieces::PIECES;
use crate::rows::{Kind, List};
use crate::{Dialect, Statement, Value};
use epcis_edge_core::store::{Batch, ErrorBehaviour, NewJob};

/// The placeholder of the list of rows in the text of a statement.
const LIST: &str = "{list}";

/// The job of the current capture: its transaction inserts it first, so it is the newest.
const NEWEST_JOB: &str = "(SELECT max(sequence) FROM capture_jobs)";

/// The data that the statements of one capture share.
#[derive(Debug)]
pub(crate) struct Statements {
    dialect: Dialect,
    document: String,
    account: String,
    /// Where the numbers of the account begin.
    begin: u64,
    /// Whether some of the events are expected to be stored already, or to come earlier in the batch.
    has_duplicates: bool,
}

/// A statement over a list.
struct ListStatement {
    /// The text, with [`LIST`] for the list.
    text: String,
    /// The values bound as `?2` and so on.
    others: Vec<Value>,
}

impl ListStatement {
    fn new(text: String) -> Self {
        Self { text, others: Vec::new() }
    }

    fn with(self, others: Vec<Value>) -> Self {
        Self { others, ..self }
    }
}

impl Statements {
    pub(crate) fn of(dialect: Dialect, batch: &Batch, job: &NewJob) -> Self {
        Self {
            dialect,
            document: batch.document.to_string(),
            account: job.account.clone(),
            begin: job.begin,
            has_duplicates: job.expected.duplicates > 0,
        }
    }

    /// The length of a list, in bytes, once for each statement that it is bound to.
    pub(crate) fn bytes(&self, list: &List) -> usize {
        list.rows.len() * self.over(list.kind).len()
    }

    /// The statements, with the list as a bound value.
    pub(crate) fn at_once(&self, list: List) -> Vec<Statement> {
        let List { kind, mut rows } = list;
        let over = self.over(kind);
        let last = over.len().saturating_sub(1);
        let statements = over.into_iter().enumerate().map(|(at, over)| {
            let rows = if at == last { std::mem::take(&mut rows) } else { rows.clone() };
            let mut values = vec![Value::Text(rows)];
            values.extend(over.others);
            Statement { text: over.text.replace(LIST, "?1"), values }
        });
        statements.collect()
    }

    /// The statement that stages the list, and those that read it from the staging table.
    pub(crate) fn staged(
        &self,
        list: List,
        capture: u64,
        part: usize,
    ) -> (Statement, Vec<Statement>) {
        let taken = self.over(list.kind).into_iter().map(|over| {
            let mut values = vec![capture.into()];
            values.extend(over.others);
            values.push(part.into());
            let list = format!(
                "(SELECT list FROM staged WHERE capture = ?1 AND part = ?{})",
                values.len()
            );
            Statement { text: over.text.replace(LIST, &list), values }
        });
        let taken = taken.collect();
        let put = Statement {
            text: "INSERT INTO staged (capture, part, list) VALUES (?1, ?2, ?3)".to_owned(),
            values: vec![capture.into(), part.into(), Value::Text(list.rows)],
        };
        (put, taken)
    }

    /// The statements that store rows of a kind.
    fn over(&self, kind: Kind) -> Vec<ListStatement> {
        let rows = format!("json_each({LIST}) AS j");
        match kind {
            Kind::Events => {
                let events = ListStatement::new(self.events());
                let others = vec![self.document.as_str().into(), self.begin.into()];
                let others = others.into_iter().take(if self.dialect.is_of_one() { 2 } else { 1 });
                // If none is expected but there is one, the transaction aborts at its end.
                let duplicates =
                    self.has_duplicates.then(|| ListStatement::new(duplicates(self.dialect)));
                [events.with(others.collect())].into_iter().chain(duplicates).collect()
            }
            Kind::Aliases => vec![ListStatement::new(format!(
                "INSERT INTO aliases (event_key, sequence, event_id, job) \
                 SELECT {}, i.sequence, j.value ->> 3, {NEWEST_JOB} FROM {rows} CROSS JOIN events AS i \
                 WHERE i.identity_key = {} AND i.identity = j.value ->> 1 ON CONFLICT DO NOTHING",
                number("j", 2),
                number("j", 0)
            ))],
            Kind::Parts => vec![ListStatement::new(format!(
                "INSERT INTO event_parts (piece, text) SELECT e.sequence * {PIECES} + {}, \
                 (j.value ->> 3) || coalesce(substr({}, CAST(j.value ->> 4 AS INTEGER), CAST(j.value ->> 5 AS INTEGER)) || (j.value ->> 6), '') \
                 FROM {rows} CROSS JOIN events AS e WHERE {} ON CONFLICT DO NOTHING",
                number("j", 2),
                self.recorded(""),
                ours()
            ))],
            Kind::Terms => vec![ListStatement::new(format!(
                "INSERT INTO terms (value, field, sequence) SELECT t.value ->> 1 AS word, {} AS field, e.sequence \
                 FROM {rows} CROSS JOIN events AS e CROSS JOIN json_each(j.value, '$[2]') AS t WHERE {} ORDER BY word, field ON CONFLICT DO NOTHING",
                number("t", 0),
                ours()
            ))],
            Kind::Values => vec![
                ListStatement::new(format!(
                    "INSERT INTO listed (account, collection, value) SELECT a.number, {}, j.value ->> 1 \
                     FROM accounts AS a CROSS JOIN {rows} WHERE a.account = ?2 ON CONFLICT DO NOTHING",
                    number("j", 0)
                ))
                .with(vec![self.account.as_str().into()]),
            ],
            // Only those that differ from the newest one of the same account, identifier and type.
            Kind::Elements => vec![
                ListStatement::new(format!(
                    "INSERT INTO master_data (account, number, job, position, kind, id_key, id, spelling, attributes, children, digest) \
                     SELECT a.number, coalesce((SELECT max(number) FROM master_data), 0) + row_number() OVER (ORDER BY j.key), \
                     {NEWEST_JOB}, {}, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, \
                     j.value ->> 5, j.value ->> 6, j.value ->> 7 FROM accounts AS a CROSS JOIN {rows} \
                     WHERE a.account = ?2 AND NOT EXISTS (SELECT 1 FROM master_data AS m WHERE m.digest = j.value ->> 7 \
                     AND m.number = (SELECT max(n.number) FROM master_data AS n WHERE n.id_key = j.value ->> 2 \
                     AND n.account = a.number AND n.kind = j.value ->> 1)) ORDER BY j.key",
                    number("j", 0)
                ))
                .with(vec![self.account.as_str().into()]),
            ],
            Kind::Attributes => vec![of_elements(
                "master_data_attributes (account, name, value, number)",
                "m.account, t.value ->> 0, t.value ->> 1, m.number",
            )],
            Kind::Children => vec![of_elements(
                "master_data_children (number, child)",
                "m.number, t.value ->> 0",
            )],
        }
    }

    /// The statement that stores events. In SQLite the table numbers them, and a trigger leaves out those that are stored already.
    fn events(&self) -> String {
        let texts = |places: std::ops::RangeInclusive<usize>| {
            places.map(|at| format!("j.value ->> {at}")).collect::<Vec<_>>().join(", ")
        };
        let columns = "identity_key, position, identity, declares_error, captured_by, event_id, event_key, content_key, content_hash, \
                       event_type, action, biz_step, disposition, event_time, bytes, who, record_time, document";
        let [key, position, declares, event, content, bytes] =
            [0, 1, 3, 6, 7, 14].map(|at| number("j", at));
        let values = format!(
            "{key}, {position}, j.value ->> 2, {declares}, {}, {event}, {content}, {}, {bytes}, j.value ->> 15, {}, ?2",
            texts(4..=5),
            texts(8..=13),
            self.recorded("000000")
        );
        if !self.dialect.is_of_one() {
            return format!(
                "INSERT INTO events ({columns}) SELECT {values} FROM json_each({LIST}) AS j ORDER BY j.key"
            );
        }
        // Of the same event, the list has the first one.
        let rows = match self.has_duplicates {
            true => format!(
                "(SELECT DISTINCT ON (r.value ->> 2) r.key, r.value FROM json_each({LIST}) AS r ORDER BY r.value ->> 2, r.key)"
            ),
            false => format!("json_each({LIST})"),
        };
        format!(
            "INSERT INTO events (sequence, {columns}) \
             SELECT max(coalesce((SELECT max(k.sequence) FROM events AS k), 0), ?3) + row_number() OVER (ORDER BY j.key), {values} FROM {rows} AS j \
             WHERE (SELECT count(*) FROM events AS k WHERE k.identity_key = {key} AND k.identity = j.value ->> 2) = 0 ORDER BY j.key"
        )
    }

    /// The record time of the current capture, from the newest job. `fraction` is `000000` for the column, which is sorted by, and
    /// empty for the text of an event.
    fn recorded(&self, fraction: &str) -> String {
        let time = match self.dialect.is_of_one() {
            false => format!(
                "strftime('%Y-%m-%dT%H:%M:%S', c.time / 1000, 'unixepoch') || printf('.%03d{fraction}Z', c.time % 1000)"
            ),
            true => format!(
                r#"to_char(to_timestamp(c.time / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS') || '{fraction}Z'"#
            ),
        };
        format!("(SELECT {time} FROM capture_jobs AS c WHERE c.sequence = {NEWEST_JOB})")
    }
}

/// An entry of a row that is a number.
fn number(row: &str, at: usize) -> String {
    format!("CAST({row}.value ->> {at} AS BIGINT)")
}

/// A statement that inserts rows for elements, from rows `[position of the element, 0, [[…], …]]`.
fn of_elements(table: &str, columns: &str) -> ListStatement {
    let position = number("j", 0);
    ListStatement::new(format!(
        "INSERT INTO {table} SELECT {columns} FROM json_each({LIST}) AS j CROSS JOIN master_data AS m \
         CROSS JOIN json_each(j.value, '$[2]') AS t WHERE m.job = {NEWEST_JOB} AND m.position = {position} ON CONFLICT DO NOTHING"
    ))
}

/// The condition on events `e` for rows that begin with the key of an identity and a position. It finds only events that the current
/// capture stored, so nothing is stored for its duplicates. The sums here and below keep engines from walking over many events.
fn ours() -> String {
    format!(
        "e.identity_key = {} AND e.position = {} AND e.sequence + 0 > (SELECT before FROM capture_jobs WHERE sequence = {NEWEST_JOB})",
        number("j", 0),
        number("j", 1)
    )
}

/// Records which events of a list were stored before the capture, or came earlier in it. Looks for them only if fewer events have
/// been stored than the position of the last one requires.
fn duplicates(dialect: Dialect) -> String {
    let (key, position) = (number("j", 0), number("j", 1));
    let last = dialect.last_number(LIST);
    format!(
        "INSERT INTO capture_duplicates (job, position, event_id) SELECT c.sequence, {position}, e.event_id \
         FROM capture_jobs AS c CROSS JOIN json_each({LIST}) AS j CROSS JOIN events AS e \
         WHERE e.identity_key = {key} AND e.identity = j.value ->> 2 \
         AND c.sequence = {NEWEST_JOB} AND (SELECT count(*) FROM events WHERE sequence > c.before) <= {last} \
         AND (e.sequence <= c.before OR e.position <> {position})"
    )
}

/// The first statement of a capture's transaction: inserts its job, with the number of the newest event before. In SQLite a trigger
/// gives a new account its number.
///
/// It also gives the capture its `recordTime`, no earlier than that of the capture before.
pub(crate) fn begun(batch: &Batch, job: &NewJob) -> Statement {
    Statement {
        text: format!(
            "INSERT INTO capture_jobs (sequence, account, number, time, proceeds, success, document, events, before, report) \
             SELECT coalesce({NEWEST_JOB}, 0) + 1, ?1, coalesce((SELECT max(number) FROM capture_jobs WHERE account = ?1), 0) + 1, \
             max(?2, coalesce((SELECT time FROM capture_jobs WHERE sequence = {NEWEST_JOB}), 0)), ?3, ?4, ?5, ?6, \
             coalesce((SELECT max(sequence) FROM events), 0), ?7 RETURNING number AS job, time"
        ),
        values: vec![
            job.account.as_str().into(),
            milliseconds(batch).into(),
            usize::from(job.behaviour == ErrorBehaviour::Proceed).into(),
            usize::from(job.success).into(),
            Value::Text(batch.document.to_string()),
            batch.events.len().into(),
            job.report.as_str().into(),
        ],
    }
}

/// The statement that has the numbers of an account begin where they should, if it has a store of its own that has no event yet.
pub(crate) fn numbers_begin(dialect: Dialect, job: &NewJob) -> Option<Statement> {
    (job.begin > 0 && !dialect.is_of_one()).then(|| Statement {
        text: "INSERT INTO sqlite_sequence (name, seq) \
               SELECT 'events', ?1 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'events')"
            .to_owned(),
        values: vec![job.begin.into()],
    })
}

/// The last statements of a capture's transaction: abort it if more was stored than expected, and add its events to the map of zones. In
/// SQLite a trigger does both.
///
/// They count the events that are not new, and the other stored events that have a name of the capture.
pub(crate) fn ended(dialect: Dialect, job: &NewJob) -> Vec<Statement> {
    let plus = dialect.without_index();
    let namesakes = format!(
        "(SELECT count(*) FROM named AS n CROSS JOIN events AS f WHERE f.event_key = n.event_key \
         AND {plus}f.captured_by = n.account AND f.declares_error = 0 AND f.sequence + 0 <= n.before AND f.sequence <> n.sequence) \
         + (SELECT count(*) FROM named AS n CROSS JOIN aliases AS a CROSS JOIN events AS f \
         WHERE a.event_key = n.event_key AND f.sequence = a.sequence \
         AND {plus}a.job < n.job AND a.sequence <> n.sequence AND f.captured_by = n.account AND f.declares_error = 0)"
    );
    let duplicates = "c.events - (SELECT count(*) FROM events AS e WHERE e.sequence > c.before)";
    let end = match dialect.is_of_one() {
        false => format!(
            "INSERT INTO expectations (duplicates, found_duplicates, namesakes, found_namesakes) SELECT ?1, {duplicates}, ?2, {namesakes}"
        ),
        true => format!("SELECT expect(?1, {duplicates}, ?2, {namesakes}) AS expected"),
    };
    let expected = Statement {
        text: format!(
            "WITH newest AS (SELECT c.sequence AS job, c.account, c.before, c.events FROM capture_jobs AS c WHERE c.sequence = {NEWEST_JOB}), \
             named AS (SELECT c.job, c.account, c.before, e.event_key, e.sequence FROM newest AS c \
             CROSS JOIN events AS e WHERE e.sequence > c.before AND e.declares_error = 0 \
             UNION ALL SELECT c.job, c.account, c.before, a.event_key, a.sequence FROM newest AS c \
             CROSS JOIN aliases AS a CROSS JOIN events AS e WHERE a.job = c.job AND e.sequence = a.sequence AND e.declares_error = 0) \
             {end} FROM newest AS c"
        ),
        values: vec![job.expected.duplicates.into(), job.expected.namesakes.into()],
    };
    let zones = dialect.is_of_one().then(zones).into_iter().flatten();
    [expected].into_iter().chain(zones).collect()
}

/// The statements that add the events of a capture to the map of zones.
fn zones() -> [Statement; 2] {
    let before = format!("(SELECT before FROM capture_jobs WHERE sequence = {NEWEST_JOB})");
    let first = |column| format!("{column} = least(z.{column}, excluded.{column})");
    let last = |column| format!("{column} = greatest(z.{column}, excluded.{column})");
    [
        format!(
            "INSERT INTO zones AS z (captured_by, zone, first_event_time, last_event_time, first_record_time, last_record_time) \
             SELECT min(e.captured_by), e.sequence / 10000, min(e.event_time), max(e.event_time), min(e.record_time), max(e.record_time) \
             FROM events AS e WHERE e.sequence > {before} GROUP BY 2 ON CONFLICT (owner, zone) DO UPDATE SET {}, {}, {}, {}",
            first("first_event_time"),
            last("last_event_time"),
            first("first_record_time"),
            last("last_record_time")
        ),
        format!(
            "INSERT INTO zone_words (captured_by, field, value, zone) \
             SELECT DISTINCT e.captured_by, w.field, w.value, e.sequence / 10000 FROM events AS e CROSS JOIN LATERAL (\
             VALUES (1, e.event_type), (2, e.action), (3, e.biz_step), (4, e.disposition), (5, CASE e.declares_error WHEN 1 THEN '1' END)\
             ) AS w (field, value) WHERE e.sequence > {before} AND w.value IS NOT NULL ON CONFLICT DO NOTHING"
        ),
    ]
    .map(|text| Statement { text, values: Vec::new() })
}
