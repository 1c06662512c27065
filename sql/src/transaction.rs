//! Sends a batch to D1: a small one at once, a large one piece by piece, and always as one transaction.
//!
//! A Worker has 128 MB.
//! A transaction of ten thousand events, sent as a whole, would be in this memory several times. So the rows of a large batch are
//! first put into a staging table, piece by piece, and the transaction reads them from there.
//! Until then no event is stored, and an aborted capture is never visible.

use super::append::{AppendedRow, Statements, appended, begun, ended, lists, numbers_begin};
use super::binding::required;
use super::rows::List;
use super::{Dialect, Statement, Value, master_data};
use epcis_edge_core::error::Error;
use epcis_edge_core::store::{Batch, NewJob, Receipt};

/// The most bytes of rows that are sent at once; the rows of a longer batch are staged.
pub const AT_ONCE: usize = 2_000_000;

/// The time in seconds after which the staged rows of a capture that has not ended are removed.
const GIVEN_UP: u64 = 3600;

/// Appends a batch and its job. `run` runs statements as one transaction and returns their rows in order.
///
/// `at_once` is the number of bytes up to which no rows are staged: see [`AT_ONCE`].
///
/// # Errors
/// The errors of `run`; an internal fault if a row is missing, which the transaction rules out.
pub async fn append<R>(
    dialect: Dialect,
    batch: &Batch,
    job: &NewJob,
    at_once: usize,
    run: R,
) -> Result<Receipt, Error>
where
    R: AsyncFn(Vec<Statement>) -> Result<Vec<AppendedRow>, Error>,
{
    let over = Statements::of(dialect, batch, job);
    let mut all = lists(batch, job).chain(master_data::lists(batch));
    let mut first: Vec<List> = Vec::new();
    let mut bytes = 0;
    while bytes <= at_once {
        let Some(list) = all.next() else {
            let rows = first.into_iter().flat_map(|list| over.at_once(list)).map(Ok);
            let statements = framed(dialect, batch, job, rows).collect::<Result<_, _>>()?;
            return appended(run(statements).await?);
        };
        let list = list?;
        bytes += over.bytes(&list);
        first.push(list);
    }
    // Old leftovers of other captures are removed first: a database full of them could not store anything.
    let mut statements = removed(None).to_vec();
    statements.push(begin());
    let numbered = run(statements).await?;
    let capture = numbered.first().and_then(|row| row.capture);
    let capture = required(capture, "number of the capture")?;
    let all = first.into_iter().map(Ok).chain(all);
    let rows = put_and_taken(capture, &over, batch, job, all, &run).await;
    if rows.is_err() {
        // If this fails too, a later large capture removes the rows.
        let _ = run(removed(Some(capture)).to_vec()).await;
    }
    appended(rows?)
}

/// The statements of a batch and its job, to be run in this order as one transaction. Their rows are for [`appended`].
///
/// **Limits**: one statement has less than 2 MB, however long the batch is.
///
/// # Errors
/// An event that cannot be read. A prepared event always can.
pub fn statements<'b>(
    dialect: Dialect,
    batch: &'b Batch,
    job: &'b NewJob,
) -> impl Iterator<Item = Result<Statement, Error>> + 'b {
    let over = Statements::of(dialect, batch, job);
    let lists = lists(batch, job).chain(master_data::lists(batch));
    let rows = lists.flat_map(move |list| match list {
        Ok(list) => over.at_once(list).into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    });
    framed(dialect, batch, job, rows)
}

/// The statements of a capture's rows, between those that begin and those that end its transaction.
fn framed(
    dialect: Dialect,
    batch: &Batch,
    job: &NewJob,
    rows: impl Iterator<Item = Result<Statement, Error>>,
) -> impl Iterator<Item = Result<Statement, Error>> {
    let first = std::iter::once(begun(batch, job)).chain(numbers_begin(dialect, job));
    first.map(Ok).chain(rows).chain(ended(dialect, job).into_iter().map(Ok))
}

/// Stages the rows of a capture, then stores them in one transaction.
async fn put_and_taken<R>(
    capture: u64,
    over: &Statements,
    batch: &Batch,
    job: &NewJob,
    lists: impl Iterator<Item = Result<List, Error>>,
    run: &R,
) -> Result<Vec<AppendedRow>, Error>
where
    R: AsyncFn(Vec<Statement>) -> Result<Vec<AppendedRow>, Error>,
{
    let mut later = Vec::new();
    let mut parts = 0;
    for (part, list) in lists.enumerate() {
        let (put, taken) = over.staged(list?, capture, part);
        run(vec![put]).await?;
        later.extend(taken);
        parts = part + 1;
    }
    let stored = framed(Dialect::Sqlite, batch, job, later.into_iter().map(Ok));
    let stored = stored.collect::<Result<Vec<_>, _>>()?;
    let first = [all_are_there(capture, parts)].into_iter();
    run(first.chain(stored).chain(removed(Some(capture))).collect()).await
}

/// The statement that gives a capture its number.
fn begin() -> Statement {
    Statement {
        text: "INSERT INTO captures DEFAULT VALUES RETURNING id AS capture".to_owned(),
        values: Vec::new(),
    }
}

/// The statement that aborts the transaction if pieces are missing: a trigger of this view counts them.
fn all_are_there(capture: u64, parts: usize) -> Statement {
    Statement {
        text: "INSERT INTO staged_captures (capture, parts) VALUES (?1, ?2)".to_owned(),
        values: vec![capture.into(), parts.into()],
    }
}

/// The statements that remove the staged rows of a capture, and old leftovers of others.
fn removed(capture: Option<u64>) -> [Statement; 2] {
    // 0 is the number of no capture.
    let values: Vec<Value> = vec![capture.unwrap_or_default().into(), GIVEN_UP.into()];
    let ended = "SELECT id FROM captures WHERE id = ?1 OR begun_at < unixepoch() - ?2";
    [
        format!("DELETE FROM staged WHERE capture IN ({ended})"),
        format!("DELETE FROM captures WHERE id IN ({ended})"),
    ]
    .map(|text| Statement { text, values: values.clone() })
}
