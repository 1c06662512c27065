//! Master data: the statements that append it with the events of a capture, and those that queries ask.

use super::append::{LIST, ListStatements, Rows, ranges};
use super::dialect::NEWEST_JOB;
use super::{Dialect, Statement, Value};
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::query::index_key;
use epcis_edge_core::store::{
    Batch, IdentifierSelection, MAX_LOOKED_AT, NewElement, NewJob, Sought,
};
use serde::Deserialize;

/// How many attributes or children stand in one row of a bound JSON array.
const TERMS: usize = 1000;

/// What appends the master data of a batch: to be run behind its events, in their transaction.
///
/// **Limits**: every bound text is shorter than 2 MB.
///
/// # Errors
/// An element that cannot be read, which none is that was prepared.
pub(super) fn steps<'b>(
    dialect: Dialect,
    batch: &'b Batch,
    job: &'b NewJob,
) -> impl Iterator<Item = Result<ListStatements, Error>> + 'b {
    let ranges = ranges(&batch.master_data, |element| {
        element.attributes.len() + element.children.len()
    });
    ranges.flat_map(move |(first, elements)| {
        let range = Range {
            dialect,
            first,
            elements,
            account: &job.account,
        };
        // The statements of one range are made when it is their turn.
        let rows = [Range::elements, Range::attributes, Range::children].into_iter();
        rows.flat_map(move |rows| match rows(&range) {
            Ok(steps) => steps.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        })
    })
}

/// Some elements of a batch, from a place on.
struct Range<'b> {
    dialect: Dialect,
    first: usize,
    elements: &'b [NewElement],
    account: &'b str,
}

impl Range<'_> {
    fn placed(&self) -> impl Iterator<Item = (usize, &NewElement)> {
        (self.first..).zip(self.elements)
    }

    /// Elements that say something else than the newest of their account, identifier and type.
    fn elements(&self) -> Result<Vec<ListStatements>, Error> {
        let text = format!(
            "INSERT INTO master_data (account, job, position, kind, id_key, id, spelling, attributes, children, digest) \
             SELECT a.number, {NEWEST_JOB}, CAST(j.value ->> 0 AS BIGINT), j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, \
             j.value ->> 5, j.value ->> 6, j.value ->> 7 FROM accounts AS a CROSS JOIN json_each({LIST}) AS j \
             WHERE a.account = ?2 AND NOT EXISTS (SELECT 1 FROM master_data AS m WHERE m.digest = j.value ->> 7 \
             AND m.number = (SELECT max(n.number) FROM master_data AS n WHERE n.id_key = j.value ->> 2 \
             AND n.account = a.number AND n.kind = j.value ->> 1)) ORDER BY j.key"
        );
        let mut rows = Rows::new(text, &[self.account]);
        for (position, element) in self.placed() {
            rows.push(&(
                position,
                &element.kind,
                index_key(&element.id),
                &element.id,
                &element.spelling,
                &element.attributes,
                &element.children,
                element.digest()?,
            ))?;
        }
        Ok(rows.finish())
    }

    /// The attributes of those that were appended.
    fn attributes(&self) -> Result<Vec<ListStatements>, Error> {
        let mut rows = self.of_elements(
            "master_data_attributes (account, name, value, number)",
            "m.account, t.value ->> 0, t.value ->> 1, m.number",
        );
        for (position, element) in self.placed() {
            let texts = element.attribute_texts()?;
            let mut texts = texts
                .iter()
                .map(|(name, value)| (index_key(name), index_key(value)))
                .peekable();
            while texts.peek().is_some() {
                let some: Vec<_> = texts.by_ref().take(TERMS).collect();
                rows.push(&(position, 0, some))?;
            }
        }
        Ok(rows.finish())
    }

    /// The children of those that were appended.
    fn children(&self) -> Result<Vec<ListStatements>, Error> {
        let mut rows = self.of_elements(
            "master_data_children (number, child)",
            "m.number, t.value ->> 0",
        );
        for (position, element) in self.placed() {
            for some in element.child_ids.chunks(TERMS) {
                let some: Vec<_> = some.iter().map(|child| [child]).collect();
                rows.push(&(position, 0, some))?;
            }
        }
        Ok(rows.finish())
    }

    /// Rows over lists in the third place of others, each of the element with the position that stands first.
    fn of_elements(&self, table: &str, columns: &str) -> Rows {
        let text = format!(
            "INSERT OR IGNORE INTO {table} SELECT {columns} FROM json_each({LIST}) AS j \
             CROSS JOIN master_data AS m ON m.job = {NEWEST_JOB} AND m.position = CAST(j.value ->> 0 AS BIGINT) \
             CROSS JOIN {} AS t{}",
            self.dialect.listed_terms(),
            self.dialect.of_value()
        );
        Rows::new(text, &[])
    }
}

/// The statement that finds the number of the newest element.
#[must_use]
pub fn newest_element() -> Statement {
    Statement {
        text: "SELECT coalesce(max(number), 0) AS newest FROM master_data".to_owned(),
        values: Vec::new(),
    }
}

/// A row of [`newest_element`].
#[derive(Debug, Deserialize)]
pub struct NewestElementRow {
    /// The number.
    pub newest: u64,
}

/// The statement that finds identifiers: see `MasterData::identifiers` of the core.
#[must_use]
pub fn identifiers(dialect: Dialect, selection: &IdentifierSelection<'_>) -> Statement {
    let mut values: Vec<Value> = Vec::new();
    let mut bind = |value: Value| {
        values.push(value);
        format!("?{}", values.len())
    };
    let list = |texts: &mut dyn Iterator<Item = &String>| {
        // One with U+0000 in it is in no store.
        let texts = texts.filter(|text| !text.contains('\0'));
        let texts: Vec<_> = texts.map(|text| index_key(text)).collect();
        Value::Text(serde_json::json!(texts).to_string())
    };
    let upper = bind(selection.upper.into());
    let accounts = selection
        .accounts
        .map(|accounts| bind(Value::Text(serde_json::json!(accounts).to_string())));
    let newest = format!(
        "NOT EXISTS (SELECT 1 FROM master_data AS n WHERE n.id_key = m.id_key AND n.account = m.account AND n.kind = m.kind \
         AND n.number > m.number AND n.number <= {upper})"
    );
    let text = match selection.sought {
        Sought::ChildOf(parents) => {
            let parents = bind(list(&mut parents.iter()));
            let is_parent = dialect.has_text("m.id_key", &parents);
            let scope = accounts.map_or_else(String::new, |accounts| {
                let has_account = dialect.has_text("a.account", &accounts);
                format!(
                    " AND m.account IN (SELECT a.number FROM accounts AS a WHERE {has_account})"
                )
            });
            let limit = bind(selection.limit.into());
            format!(
                "SELECT DISTINCT c.child AS id, 0 AS looked_at FROM master_data AS m CROSS JOIN master_data_children AS c \
                 ON c.number = m.number WHERE {is_parent} AND m.number <= {upper}{scope} AND {newest} LIMIT {limit}"
            )
        }
        Sought::Attribute {
            names,
            values: wanted,
        } => {
            let names = bind(list(&mut names.iter()));
            let mut has = dialect.has_text("t.name", &names);
            if let Some(wanted) = wanted {
                let wanted = bind(list(&mut wanted.iter()));
                has.push_str(" AND ");
                has.push_str(&dialect.has_text("t.value", &wanted));
            }
            if let Some(accounts) = accounts {
                has.push_str(" AND ");
                has.push_str(&dialect.has_text("a.account", &accounts));
            }
            let looked_at = bind((MAX_LOOKED_AT + 1).into());
            let limit = bind(selection.limit.into());
            format!(
                "WITH found AS MATERIALIZED (SELECT t.number FROM accounts AS a CROSS JOIN master_data_attributes AS t \
                 ON t.account = a.number WHERE t.number <= {upper} AND {has} LIMIT {looked_at}) \
                 SELECT '' AS id, (SELECT count(*) FROM found) AS looked_at UNION ALL SELECT q.id, 0 FROM (\
                 SELECT DISTINCT m.id FROM found AS f CROSS JOIN master_data AS m ON m.number = f.number \
                 WHERE {newest} LIMIT {limit}) AS q"
            )
        }
    };
    Statement { text, values }
}

/// A row of [`identifiers`].
#[derive(Debug, Deserialize)]
pub struct IdentifierRow {
    id: String,
    looked_at: u64,
}

/// The identifiers, by the rows of their statement.
///
/// # Errors
/// [`ErrorKind::QueryTooComplex`] where not all attributes could be looked at.
pub fn identifiers_of(rows: Vec<IdentifierRow>) -> Result<Vec<String>, Error> {
    if rows.iter().any(|row| row.looked_at > MAX_LOOKED_AT as u64) {
        return Err(Error::new(ErrorKind::QueryTooComplex {
            limit: MAX_LOOKED_AT,
            what: "attributes of master data to be looked at",
        }));
    }
    let ids = rows.into_iter().map(|row| row.id);
    Ok(ids.filter(|id| !id.is_empty()).collect())
}
