//! How a batch reaches the database: small ones at once, large ones piece by piece, and always as one transaction.
//!
//! A Worker has 128 MB.
//! A transaction of ten thousand events that is sent as a whole stands there several times over, so the rows of a large one are
//! put into a table first, piece by piece, and the transaction takes them from there.
//! Until then nothing is stored, and what broke off is never seen.

use super::append::{AppendedRow, ListStatements, appended, begun, ended, steps};
use super::binding::required;
use super::{Dialect, Statement, Value, master_data};
use epcis_edge_core::error::Error;
use epcis_edge_core::store::{Batch, NewJob, Receipt};

/// Up to how many bytes of rows are sent at once.
pub const AT_ONCE: usize = 2_000_000;

/// After how many seconds a capture that did not end is given up.
const GIVEN_UP: u64 = 3600;

/// Appends a batch and its job: `run` runs statements as one transaction, and answers their rows in order.
///
/// `at_once` is the number of bytes up to which no rows are put aside, see [`AT_ONCE`].
///
/// # Errors
/// What `run` says, and an internal fault where a row is missing, which the transaction excludes.
pub async fn append<R>(
    batch: &Batch,
    job: &NewJob,
    at_once: usize,
    run: R,
) -> Result<Receipt, Error>
where
    R: AsyncFn(Vec<Statement>) -> Result<Vec<AppendedRow>, Error>,
{
    let master_data = master_data::steps(Dialect::Sqlite, batch, job);
    let mut all = steps(Dialect::Sqlite, batch, job).chain(master_data);
    let mut first: Vec<ListStatements> = Vec::new();
    let mut bytes = 0;
    while bytes <= at_once {
        let Some(step) = all.next() else {
            let mut statements = begun(Dialect::Sqlite, batch, job).to_vec();
            statements.extend(first.into_iter().flat_map(ListStatements::at_once));
            statements.extend(ended(Dialect::Sqlite, job));
            return appended(batch, job, run(statements).await?);
        };
        let step = step?;
        bytes += step.bytes();
        first.push(step);
    }
    // What others left is removed first: a database that is full of it would take nothing more.
    let mut statements = removed(None).to_vec();
    statements.push(begin());
    let numbered = run(statements).await?;
    let capture = numbered.first().and_then(|row| row.capture);
    let capture = required(capture, "number of the capture")?;
    let all = first.into_iter().map(Ok).chain(all);
    let rows = put_and_taken(capture, batch, job, all, &run).await;
    if rows.is_err() {
        // Where this fails, too, the next large capture sees to it.
        let _ = run(removed(Some(capture)).to_vec()).await;
    }
    appended(batch, job, rows?)
}

/// Appends a batch and its job within a transaction that `run` runs statements in, and answers their rows in order.
///
/// One piece of rows is under way while the next one is made; `run` begins at once, without being polled.
///
/// # Errors
/// As [`append`]; then the transaction must be rolled back.
pub async fn append_in_pieces<R, F>(
    dialect: Dialect,
    batch: &Batch,
    job: &NewJob,
    run: R,
) -> Result<Receipt, Error>
where
    R: Fn(Vec<Statement>) -> F,
    F: Future<Output = Result<Vec<AppendedRow>, Error>>,
{
    let mut rows = Vec::new();
    let mut under_way = run(begun(dialect, batch, job).into());
    let master_data = master_data::steps(dialect, batch, job);
    for step in steps(dialect, batch, job).chain(master_data) {
        let next = step?.at_once();
        rows.extend(under_way.await?);
        under_way = run(next);
    }
    rows.extend(under_way.await?);
    rows.extend(run(ended(dialect, job).into()).await?);
    appended(batch, job, rows)
}

/// Puts the rows of a capture aside, and takes them in one transaction.
async fn put_and_taken<R>(
    capture: u64,
    batch: &Batch,
    job: &NewJob,
    steps: impl Iterator<Item = Result<ListStatements, Error>>,
    run: &R,
) -> Result<Vec<AppendedRow>, Error>
where
    R: AsyncFn(Vec<Statement>) -> Result<Vec<AppendedRow>, Error>,
{
    let mut later = Vec::new();
    let mut parts = 0;
    for (part, step) in steps.enumerate() {
        let (put, taken) = step?.staged(capture, part);
        run(vec![put]).await?;
        later.extend(taken);
        parts = part + 1;
    }
    let mut statements = vec![all_are_there(capture, parts)];
    statements.extend(begun(Dialect::Sqlite, batch, job));
    statements.append(&mut later);
    statements.extend(ended(Dialect::Sqlite, job));
    statements.extend(removed(Some(capture)));
    run(statements).await
}

/// A number for a capture.
fn begin() -> Statement {
    Statement {
        text: "INSERT INTO captures DEFAULT VALUES RETURNING id AS capture".to_owned(),
        values: Vec::new(),
    }
}

/// Breaks the transaction off where pieces are missing: no JSON function takes this text.
fn all_are_there(capture: u64, parts: usize) -> Statement {
    Statement {
        text: "SELECT CASE WHEN count(*) = ?2 THEN 0 ELSE json('pieces of the capture are missing') END AS staged \
               FROM staged WHERE capture = ?1"
            .to_owned(),
        values: vec![capture.into(), parts.into()],
    }
}

/// Removes what a capture put aside, and what others left.
fn removed(capture: Option<u64>) -> [Statement; 2] {
    // Numbers begin at one.
    let values: Vec<Value> = vec![capture.unwrap_or_default().into(), GIVEN_UP.into()];
    let ended = "SELECT id FROM captures WHERE id = ?1 OR begun_at < unixepoch() - ?2";
    [
        format!("DELETE FROM staged WHERE capture IN ({ended})"),
        format!("DELETE FROM captures WHERE id IN ({ended})"),
    ]
    .map(|text| Statement {
        text,
        values: values.clone(),
    })
}
