//! How a batch reaches D1: small ones at once, large ones piece by piece, and always as one transaction.
//!
//! A Worker has 128 MB.
//! A transaction of ten thousand events that is sent as a whole stands there several times over, so the rows of a large one are
//! put into a table first, piece by piece, and the transaction takes them from there.
//! Until then nothing is stored, and what broke off is never seen.

use super::append::{AppendedRow, Sqlite, appended, begun, ended, lists};
use super::binding::required;
use super::rows::List;
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
    let sqlite = Sqlite::of(batch, job);
    let mut all = lists(Dialect::Sqlite, batch, job).chain(master_data::lists(batch));
    let mut first: Vec<List> = Vec::new();
    let mut bytes = 0;
    while bytes <= at_once {
        let Some(list) = all.next() else {
            let mut statements = vec![begun(batch, job)];
            statements.extend(first.into_iter().flat_map(|list| sqlite.at_once(list)));
            statements.push(ended(job));
            return appended(run(statements).await?);
        };
        let list = list?;
        bytes += sqlite.bytes(&list);
        first.push(list);
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
    appended(rows?)
}

/// Puts the rows of a capture aside, and takes them in one transaction.
async fn put_and_taken<R>(
    capture: u64,
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
    let sqlite = Sqlite::of(batch, job);
    for (part, list) in lists.enumerate() {
        let (put, taken) = sqlite.staged(list?, capture, part);
        run(vec![put]).await?;
        later.extend(taken);
        parts = part + 1;
    }
    let mut statements = vec![all_are_there(capture, parts)];
    statements.push(begun(batch, job));
    statements.append(&mut later);
    statements.push(ended(job));
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

/// Breaks the transaction off if pieces are missing: a trigger of this view counts them.
fn all_are_there(capture: u64, parts: usize) -> Statement {
    Statement {
        text: "INSERT INTO staged_captures (capture, parts) VALUES (?1, ?2)".to_owned(),
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
