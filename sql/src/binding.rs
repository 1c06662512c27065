//! The SQL of the REST binding other than for events: capture jobs, lists of values, named queries.

use super::{Dialect, Statement, Value};
use epcis_edge_core::error::Error;
use epcis_edge_core::store::{
    ErrorBehaviour, JobEvents, Listed, NamedQuery, QueryPut, StoredJob, ValueSelection,
};
use epcis_edge_core::time::Timestamp;
use serde::Deserialize;

/// The most bytes of reports in a list of jobs, before its last job.
const REPORTS: u64 = 1 << 20;

/// The statement that finds jobs: see `Jobs::jobs` of the core.
#[must_use]
pub fn jobs(account: &str, before: Option<u64>, limit: usize) -> Statement {
    Statement {
        text: "SELECT number, time, proceeds, success, document, events, report, \
               (SELECT count(*) FROM capture_duplicates AS d WHERE d.job = found.sequence) AS duplicates FROM (\
               SELECT *, sum(length(report)) OVER (ORDER BY number DESC ROWS UNBOUNDED PRECEDING) - length(report) AS above \
               FROM (SELECT * FROM capture_jobs WHERE account = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3) AS newest\
               ) AS found WHERE above < ?4 ORDER BY number DESC"
            .to_owned(),
        values: vec![
            account.into(),
            before.unwrap_or(u64::MAX).into(),
            limit.into(),
            REPORTS.into(),
        ],
    }
}

/// A row of [`jobs`].
#[derive(Debug, Deserialize)]
pub struct JobRow {
    number: u64,
    time: u64,
    proceeds: u8,
    success: u8,
    document: String,
    events: u64,
    duplicates: u64,
    report: String,
}

impl From<JobRow> for StoredJob {
    fn from(row: JobRow) -> Self {
        Self {
            number: row.number,
            time: Timestamp::from_milliseconds(row.time),
            behaviour: if row.proceeds == 1 {
                ErrorBehaviour::Proceed
            } else {
                ErrorBehaviour::Rollback
            },
            success: row.success == 1,
            document: row.document,
            events: row.events,
            duplicates: row.duplicates,
            report: row.report,
        }
    }
}

/// The statement that finds the events of a job: see `Jobs::job_events` of the core.
#[must_use]
pub fn job_events(account: &str, number: u64, limit: usize) -> Statement {
    Statement {
        // Each end is looked up before: PostgreSQL would compare all events with a joined job.
        text: "SELECT event_id, 0 AS duplicate, sequence AS place FROM (\
               SELECT e.event_id, e.sequence FROM events AS e \
               WHERE e.sequence > (SELECT c.before FROM capture_jobs AS c WHERE c.account = ?1 AND c.number = ?2) \
               AND e.sequence <= (SELECT coalesce((SELECT n.before FROM capture_jobs AS n WHERE n.sequence > c.sequence ORDER BY n.sequence LIMIT 1), \
               9223372036854775807) FROM capture_jobs AS c WHERE c.account = ?1 AND c.number = ?2) ORDER BY e.sequence LIMIT ?3) AS stored \
               UNION ALL SELECT event_id, 1, position FROM (\
               SELECT d.event_id, d.position FROM capture_jobs AS c CROSS JOIN capture_duplicates AS d WHERE d.job = c.sequence \
               AND c.account = ?1 AND c.number = ?2 ORDER BY d.position LIMIT ?3) AS known ORDER BY duplicate, place"
            .to_owned(),
        values: vec![account.into(), number.into(), limit.into()],
    }
}

/// A row of [`job_events`].
#[derive(Debug, Deserialize)]
pub struct JobEventRow {
    event_id: String,
    duplicate: u8,
}

/// The names of the events of a job, from the rows of [`job_events`].
#[must_use]
pub fn job_events_of(rows: Vec<JobEventRow>) -> JobEvents {
    let mut events = JobEvents::default();
    for row in rows {
        let names = if row.duplicate == 1 { &mut events.duplicates } else { &mut events.stored };
        names.push(row.event_id);
    }
    events
}

/// The statement that lists values: see `Values::values` of the core.
#[must_use]
pub fn values(dialect: Dialect, selection: &ValueSelection<'_>) -> Statement {
    let mut values: Vec<Value> = vec![
        (selection.collection as usize).into(),
        selection.after.unwrap_or_default().into(),
        selection.limit.into(),
    ];
    let accounts = selection.accounts.map(|accounts| {
        values.push(Value::Text(serde_json::json!(accounts).to_string()));
        "?4"
    });
    Statement { text: dialect.values(accounts), values }
}

/// A row of [`values`].
#[derive(Debug, Deserialize)]
pub struct ValueRow {
    value: String,
}

/// The values that [`values`] found.
#[must_use]
pub fn values_of(selection: &ValueSelection<'_>, rows: Vec<ValueRow>) -> Listed {
    Listed::of(rows.into_iter().map(|row| row.value).collect(), selection.limit)
}

/// The statement that stores a query. It returns a row if it did.
#[must_use]
pub fn put_query(account: &str, query: &NamedQuery, limit: usize) -> Statement {
    Statement {
        text: "INSERT INTO named_queries (account, name, query) SELECT ?1, ?2, ?3 \
               WHERE (SELECT count(*) FROM named_queries WHERE account = ?1) < ?4 ON CONFLICT DO NOTHING RETURNING name, query"
            .to_owned(),
        values: vec![
            account.into(),
            query.name.as_str().into(),
            query.query.as_str().into(),
            limit.into(),
        ],
    }
}

/// The result of storing a query, from the rows of [`put_query`] and of [`query_named`] after it.
#[must_use]
pub fn query_put(put: &[QueryRow], named: &[QueryRow]) -> QueryPut {
    match (put.is_empty(), named.is_empty()) {
        (false, _) => QueryPut::Added,
        (true, false) => QueryPut::Exists,
        (true, true) => QueryPut::Full,
    }
}

/// The statement that finds a query.
#[must_use]
pub fn query_named(account: &str, name: &str) -> Statement {
    Statement {
        text: "SELECT name, query FROM named_queries WHERE account = ?1 AND name = ?2".to_owned(),
        values: vec![account.into(), name.into()],
    }
}

/// The statement that lists queries: see `Queries::queries` of the core.
#[must_use]
pub fn queries(account: &str, after: Option<&str>, limit: usize) -> Statement {
    Statement {
        text: "SELECT name, query FROM named_queries WHERE account = ?1 AND name > ?2 ORDER BY name LIMIT ?3"
            .to_owned(),
        values: vec![
            account.into(),
            after.unwrap_or_default().into(),
            limit.into(),
        ],
    }
}

/// The statement that removes a query. It returns the query if there was one.
#[must_use]
pub fn remove_query(account: &str, name: &str) -> Statement {
    Statement {
        text: "DELETE FROM named_queries WHERE account = ?1 AND name = ?2 RETURNING name, query"
            .to_owned(),
        values: vec![account.into(), name.into()],
    }
}

/// A row of the statements about queries.
#[derive(Debug, Deserialize)]
pub struct QueryRow {
    name: String,
    query: String,
}

impl From<QueryRow> for NamedQuery {
    fn from(row: QueryRow) -> Self {
        Self { name: row.name, query: row.query }
    }
}

/// A number that a transaction must have returned.
///
/// # Errors
/// [`ErrorKind::Internal`](epcis_edge_core::error::ErrorKind::Internal) if it is missing.
pub(super) fn required(number: Option<u64>, what: &str) -> Result<u64, Error> {
    number.ok_or_else(|| Error::impossible(format!("the {what} is missing")))
}
