//! The statements of a capture in SQLite, which D1 is: one transaction, which first inserts the job.

use super::milliseconds;
use crate::pieces::PIECES;
use crate::rows::{Kind, List};
use crate::{Statement, Value};
use epcis_edge_core::store::{Batch, ErrorBehaviour, NewJob};

/// The placeholder of the list of rows in the text of a statement.
const LIST: &str = "{list}";

/// The job of the current capture: its transaction inserts it first, so it is the newest.
const NEWEST_JOB: &str = "(SELECT max(sequence) FROM capture_jobs)";

/// The data that the statements of one capture share.
#[derive(Debug)]
pub(crate) struct Sqlite {
    document: String,
    account: String,
    /// Whether some of the events are expected to be stored already, or to come earlier in the batch.
    has_duplicates: bool,
}

/// A statement over a list.
struct ListStatement {
    /// The text, with [`LIST`] for the list.
    text: String,
    /// The value bound as `?2`.
    other: Option<Value>,
}

impl ListStatement {
    fn new(text: String) -> Self {
        Self { text, other: None }
    }

    fn with(self, other: &str) -> Self {
        Self { other: Some(other.into()), ..self }
    }
}

impl Sqlite {
    pub(crate) fn of(batch: &Batch, job: &NewJob) -> Self {
        Self {
            document: batch.document.to_string(),
            account: job.account.clone(),
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
            values.extend(over.other);
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
            values.extend(over.other);
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
        match kind {
            Kind::Events => [
                Some(
                ListStatement::new(format!(
                    "INSERT INTO events (identity_key, position, identity, declares_error, captured_by, event_id, event_key, content_key, \
                     content_hash, event_type, action, biz_step, disposition, event_time, bytes, who, record_time, document) \
                     SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5, \
                     j.value ->> 6, j.value ->> 7, j.value ->> 8, j.value ->> 9, j.value ->> 10, j.value ->> 11, \
                     j.value ->> 12, j.value ->> 13, j.value ->> 14, j.value ->> 15, {}, ?2 \
                     FROM json_each({LIST}) AS j ORDER BY j.key",
                    recorded("000000")
                ))
                .with(&self.document)),
                // If none is expected but there is one, the transaction aborts at its end.
                self.has_duplicates.then(|| ListStatement::new(duplicates())),
            ].into_iter().flatten().collect(),
            Kind::Aliases => vec![ListStatement::new(format!(
                "INSERT OR IGNORE INTO aliases (event_key, sequence, event_id, job) \
                 SELECT j.value ->> 2, i.sequence, j.value ->> 3, {NEWEST_JOB} FROM json_each({LIST}) AS j \
                 CROSS JOIN events AS i ON i.identity_key = j.value ->> 0 AND i.identity = j.value ->> 1"
            ))],
            Kind::Parts => vec![ListStatement::new(format!(
                "INSERT OR IGNORE INTO event_parts (piece, text) SELECT e.sequence * {PIECES} + (j.value ->> 2), \
                 (j.value ->> 3) || coalesce(substr({}, j.value ->> 4, j.value ->> 5) || (j.value ->> 6), '') \
                 FROM json_each({LIST}) AS j {}",
                recorded(""),
                ours()
            ))],
            Kind::Terms => vec![ListStatement::new(format!(
                "INSERT OR IGNORE INTO terms (value, field, sequence) SELECT t.value ->> 1, t.value ->> 0, e.sequence \
                 FROM json_each({LIST}) AS j {} CROSS JOIN json_each(j.value, '$[2]') AS t ORDER BY 1, 2",
                ours()
            ))],
            Kind::Values => vec![
                ListStatement::new(format!(
                    "INSERT OR IGNORE INTO listed (account, collection, value) SELECT a.number, j.value ->> 0, j.value ->> 1 \
                     FROM accounts AS a CROSS JOIN json_each({LIST}) AS j WHERE a.account = ?2"
                ))
                .with(&self.account),
            ],
            // Only those that differ from the newest one of the same account, identifier and type.
            Kind::Elements => vec![
                ListStatement::new(format!(
                    "INSERT INTO master_data (account, job, position, kind, id_key, id, spelling, attributes, children, digest) \
                     SELECT a.number, {NEWEST_JOB}, j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, \
                     j.value ->> 5, j.value ->> 6, j.value ->> 7 FROM accounts AS a CROSS JOIN json_each({LIST}) AS j \
                     WHERE a.account = ?2 AND NOT EXISTS (SELECT 1 FROM master_data AS m WHERE m.digest = j.value ->> 7 \
                     AND m.number = (SELECT max(n.number) FROM master_data AS n WHERE n.id_key = j.value ->> 2 \
                     AND n.account = a.number AND n.kind = j.value ->> 1)) ORDER BY j.key"
                ))
                .with(&self.account),
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
}

/// A statement that inserts rows for elements, from rows `[position of the element, 0, [[…], …]]`.
fn of_elements(table: &str, columns: &str) -> ListStatement {
    ListStatement::new(format!(
        "INSERT OR IGNORE INTO {table} SELECT {columns} FROM json_each({LIST}) AS j \
         CROSS JOIN master_data AS m ON m.job = {NEWEST_JOB} AND m.position = j.value ->> 0 \
         CROSS JOIN json_each(j.value, '$[2]') AS t"
    ))
}

/// The record time of the current capture, from the newest job. `fraction` is `000000` for the column, which is sorted by, and empty
/// for the text of an event.
fn recorded(fraction: &str) -> String {
    format!(
        "(SELECT strftime('%Y-%m-%dT%H:%M:%S', c.time / 1000, 'unixepoch') || printf('.%03d{fraction}Z', c.time % 1000) \
         FROM capture_jobs AS c WHERE c.sequence = {NEWEST_JOB})"
    )
}

/// Joins the events of rows that begin with the key of an identity and a position. It finds only events that the current capture
/// stored, so nothing is stored for its duplicates.
fn ours() -> String {
    format!(
        "CROSS JOIN events AS e ON e.identity_key = j.value ->> 0 AND e.position = j.value ->> 1 \
         AND e.sequence > (SELECT before FROM capture_jobs WHERE sequence = {NEWEST_JOB})"
    )
}

/// Records which events of a list were stored before the capture, or came earlier in it. Looks for them only if fewer events have
/// been stored than the position of the last one requires.
fn duplicates() -> String {
    format!(
        "INSERT INTO capture_duplicates (job, position, event_id) SELECT c.sequence, j.value ->> 1, e.event_id \
         FROM capture_jobs AS c CROSS JOIN json_each({LIST}) AS j \
         CROSS JOIN events AS e ON e.identity_key = j.value ->> 0 AND e.identity = j.value ->> 2 \
         WHERE c.sequence = {NEWEST_JOB} AND (SELECT count(*) FROM events WHERE sequence > c.before) <= ({LIST} ->> '$[#-1][1]') \
         AND (e.sequence <= c.before OR e.position <> j.value ->> 1)"
    )
}

/// The first statement of a capture's transaction: inserts its job, with the number of the newest event before. A trigger gives a
/// new account its number.
///
/// It also gives the capture its `recordTime`, no earlier than that of the capture before.
pub(crate) fn begun(batch: &Batch, job: &NewJob) -> Statement {
    Statement {
        text: format!(
            "INSERT INTO capture_jobs (account, number, time, proceeds, success, document, events, before, report) \
             SELECT ?1, coalesce((SELECT max(number) FROM capture_jobs WHERE account = ?1), 0) + 1, \
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
pub(crate) fn numbers_begin(job: &NewJob) -> Option<Statement> {
    (job.begin > 0).then(|| Statement {
        text: "INSERT INTO sqlite_sequence (name, seq) \
               SELECT 'events', ?1 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'events')"
            .to_owned(),
        values: vec![job.begin.into()],
    })
}

/// The last statement of a capture's transaction: aborts it if more was stored than expected.
///
/// It counts the events that are not new, and the other stored events that have a name of the capture.
pub(crate) fn ended(job: &NewJob) -> Statement {
    let namesakes = "(SELECT count(*) FROM named AS n CROSS JOIN events AS f ON f.event_key = n.event_key \
         WHERE +f.captured_by = n.account AND f.declares_error = 0 AND +f.sequence <= n.before AND f.sequence <> n.sequence) \
         + (SELECT count(*) FROM named AS n CROSS JOIN aliases AS a ON a.event_key = n.event_key \
         CROSS JOIN events AS f ON f.sequence = a.sequence \
         WHERE +a.job < n.job AND a.sequence <> n.sequence AND f.captured_by = n.account AND f.declares_error = 0)";
    Statement {
        text: format!(
            "INSERT INTO expectations (duplicates, found_duplicates, namesakes, found_namesakes) WITH \
             newest AS (SELECT c.sequence AS job, c.account, c.before, c.events FROM capture_jobs AS c WHERE c.sequence = {NEWEST_JOB}), \
             named AS (SELECT c.job, c.account, c.before, e.event_key, e.sequence FROM newest AS c \
             CROSS JOIN events AS e ON e.sequence > c.before WHERE e.declares_error = 0 \
             UNION ALL SELECT c.job, c.account, c.before, a.event_key, a.sequence FROM newest AS c \
             CROSS JOIN aliases AS a ON a.job = c.job CROSS JOIN events AS e ON e.sequence = a.sequence WHERE e.declares_error = 0) \
             SELECT ?1, c.events - (SELECT count(*) FROM events AS e WHERE e.sequence > c.before), ?2, {namesakes} FROM newest AS c"
        ),
        values: vec![job.expected.duplicates.into(), job.expected.namesakes.into()],
    }
}
