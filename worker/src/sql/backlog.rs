//! The statements that store master data of captures from before the store kept it: see `MasterDataBacklog` of the core.

use super::rows::{Kind, List};
use super::{Dialect, Statement, Value, master_data};
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::store::{DocumentDigest, NewElement, UnreadCapture};
use serde::Deserialize;

/// The statement that notes which captures have to be read, unless that is noted already: those before the first one that stored master
/// data itself.
#[must_use]
pub fn begin_backlog() -> Statement {
    Statement {
        text: "INSERT INTO master_data_backlog (is_one, read, until) SELECT 1, 0, \
             coalesce((SELECT min(m.job) - 1 FROM master_data AS m), (SELECT max(c.sequence) FROM capture_jobs AS c), 0) \
             WHERE NOT EXISTS (SELECT 1 FROM master_data_backlog)"
            .to_owned(),
        values: Vec::new(),
    }
}

/// The statement that finds the captures to read next, the oldest first.
#[must_use]
pub fn unread_captures(limit: usize) -> Statement {
    Statement {
        text: "SELECT c.sequence AS job, c.account, c.document FROM master_data_backlog AS b CROSS JOIN capture_jobs AS c \
             WHERE c.sequence > b.read AND c.sequence <= b.until ORDER BY c.sequence LIMIT ?1"
            .to_owned(),
        values: vec![limit.into()],
    }
}

/// A row of [`unread_captures`].
#[derive(Debug, Deserialize)]
pub struct UnreadCaptureRow {
    job: u64,
    account: String,
    document: String,
}

impl TryFrom<UnreadCaptureRow> for UnreadCapture {
    type Error = Error;

    fn try_from(row: UnreadCaptureRow) -> Result<Self, Error> {
        let document = DocumentDigest::read(&row.document);
        let document = document.ok_or_else(|| {
            Error::new(ErrorKind::Internal {
                detail: format!(
                    "the document of job {} is {:?}, expected a SHA-256",
                    row.job, row.document
                ),
            })
        })?;
        Ok(Self {
            job: row.job,
            account: row.account,
            document,
        })
    }
}

/// The transactions that store the elements of a capture, and mark it as read. Each is at most a few megabytes long, and stores some
/// elements whole.
///
/// # Errors
/// An element that cannot be read. A prepared element always can.
pub fn fill<'e>(
    dialect: Dialect,
    capture: &'e UnreadCapture,
    elements: &'e [NewElement],
) -> impl Iterator<Item = Result<Vec<Statement>, Error>> + 'e {
    let stored = master_data::ranges_of(elements).map(move |lists| {
        let lists = lists?.into_iter();
        Ok(lists
            .map(|list| stored(dialect, capture, list))
            .collect::<Vec<_>>())
    });
    stored.chain(std::iter::once_with(|| Ok(vec![is_read(capture)])))
}

fn is_read(capture: &UnreadCapture) -> Statement {
    Statement {
        text: "UPDATE master_data_backlog SET read = ?1 WHERE read < ?1".to_owned(),
        values: vec![capture.job.into()],
    }
}

/// The statement that stores the rows of a list.
fn stored(dialect: Dialect, capture: &UnreadCapture, list: List) -> Statement {
    let rows = dialect.rows("?1");
    let position = "CAST(j.value ->> 0 AS INTEGER)";
    let of_elements = |table: &str, columns: &str| {
        let texts = dialect.members("j.value", 2);
        format!(
            "INSERT INTO {table} SELECT {columns} FROM {rows} AS j CROSS JOIN master_data AS m CROSS JOIN {texts} AS t \
             WHERE m.job = ?2 AND m.position = {position} ON CONFLICT DO NOTHING"
        )
    };
    let mut values = vec![Value::Text(list.rows), capture.job.into()];
    let text = match list.kind {
        Kind::Attributes => of_elements(
            "master_data_attributes (account, name, value, number)",
            "m.account, t.value ->> 0, t.value ->> 1, m.number",
        ),
        Kind::Children => of_elements(
            "master_data_children (number, child)",
            "m.number, t.value ->> 0",
        ),
        _ => {
            values.push(capture.account.as_str().into());
            let same =
                "m.id_key = j.value ->> 2 AND m.account = a.number AND m.kind = j.value ->> 1";
            format!(
                "INSERT INTO master_data (account, job, position, kind, id_key, id, spelling, attributes, children, digest) \
                 SELECT a.number, ?2, {position}, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, \
                 j.value ->> 5, j.value ->> 6, j.value ->> 7 FROM accounts AS a CROSS JOIN {rows} AS j WHERE a.account = ?3 \
                 AND NOT EXISTS (SELECT 1 FROM master_data AS m WHERE {same} AND m.job >= ?2) \
                 AND NOT EXISTS (SELECT 1 FROM master_data AS m WHERE m.digest = j.value ->> 7 AND m.number = (\
                 SELECT max(m.number) FROM master_data AS m WHERE {same})) ORDER BY j.key"
            )
        }
    };
    Statement { text, values }
}
