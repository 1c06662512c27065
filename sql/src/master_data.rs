//! Master data: the rows that are stored with the events of a capture, and the statements for queries.

use super::rows::{Kind, List, Rows, TERMS, ranges};
use super::{Dialect, Statement, Value};
use epcis_edge_core::error::Error;
use epcis_edge_core::query::index_key;
use epcis_edge_core::store::{
    Batch, IdentifierCondition, IdentifierSelection, MAX_LOOKED_AT, NewElement,
};
use serde::Deserialize;

/// The rows of the master data of a batch, to be stored after its events.
///
/// **Limits**: every list is shorter than 2 MB.
///
/// # Errors
/// An element that cannot be read. A prepared element always can.
pub(super) fn lists(batch: &Batch) -> impl Iterator<Item = Result<List, Error>> + '_ {
    Range::all_of(&batch.master_data).flat_map(|range| {
        // Rows are made one kind at a time, when they are needed.
        let rows = [Range::elements, Range::attributes, Range::children].into_iter();
        rows.flat_map(move |rows| match rows(&range) {
            Ok(lists) => lists.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        })
    })
}

/// A range of the elements of a batch, with the position of the first.
struct Range<'b> {
    first: usize,
    elements: &'b [NewElement],
}

impl<'b> Range<'b> {
    fn all_of(elements: &'b [NewElement]) -> impl Iterator<Item = Self> {
        let bytes = |element: &NewElement| element.attributes.len() + element.children.len();
        ranges(elements, bytes).map(|(first, elements)| Self { first, elements })
    }

    fn placed(&self) -> impl Iterator<Item = (usize, &NewElement)> {
        (self.first..).zip(self.elements)
    }

    fn elements(&self) -> Result<Vec<List>, Error> {
        let mut rows = Rows::new(Kind::Elements);
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

    fn attributes(&self) -> Result<Vec<List>, Error> {
        let mut rows = Rows::new(Kind::Attributes);
        for (position, element) in self.placed() {
            let texts = element.attribute_texts()?;
            let mut texts =
                texts.iter().map(|(name, value)| (index_key(name), index_key(value))).peekable();
            while texts.peek().is_some() {
                let some: Vec<_> = texts.by_ref().take(TERMS).collect();
                rows.push(&(position, 0, some))?;
            }
        }
        Ok(rows.finish())
    }

    fn children(&self) -> Result<Vec<List>, Error> {
        let mut rows = Rows::new(Kind::Children);
        for (position, element) in self.placed() {
            for some in element.child_ids.chunks(TERMS) {
                let some: Vec<_> = some.iter().map(|child| [child]).collect();
                rows.push(&(position, 0, some))?;
            }
        }
        Ok(rows.finish())
    }
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
        // No store has a text with U+0000.
        let texts = texts.filter(|text| !text.contains('\0'));
        let texts: Vec<_> = texts.map(|text| index_key(text)).collect();
        Value::Text(serde_json::json!(texts).to_string())
    };
    let upper = bind(selection.upper.single().into());
    let accounts = selection
        .accounts
        .map(|accounts| bind(Value::Text(serde_json::json!(accounts).to_string())));
    let newest = format!(
        "NOT EXISTS (SELECT 1 FROM master_data AS n WHERE n.id_key = m.id_key AND n.account = m.account AND n.kind = m.kind \
         AND n.number > m.number AND n.number <= {upper})"
    );
    let text = match selection.sought {
        IdentifierCondition::ChildOf(parents) => {
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
                 WHERE c.number = m.number AND {is_parent} AND m.number <= {upper}{scope} AND {newest} LIMIT {limit}"
            )
        }
        IdentifierCondition::Attribute { names, values: wanted } => {
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
                 WHERE t.account = a.number AND t.number <= {upper} AND {has} LIMIT {looked_at}) \
                 SELECT '' AS id, (SELECT count(*) FROM found) AS looked_at UNION ALL SELECT q.id, 0 FROM (\
                 SELECT DISTINCT m.id FROM found AS f CROSS JOIN master_data AS m WHERE m.number = f.number \
                 AND {newest} LIMIT {limit}) AS q"
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

/// The identifiers, from the rows of [`identifiers`].
///
/// # Errors
/// [`ErrorKind::QueryTooComplex`](epcis_edge_core::error::ErrorKind::QueryTooComplex) if there are more than [`MAX_LOOKED_AT`] attributes to read.
pub fn identifiers_of(rows: Vec<IdentifierRow>) -> Result<Vec<String>, Error> {
    if rows.iter().any(|row| row.looked_at > MAX_LOOKED_AT as u64) {
        return Err(Error::query_too_complex(
            MAX_LOOKED_AT,
            "attributes of master data to compare, expected values that match fewer elements",
        ));
    }
    let ids = rows.into_iter().map(|row| row.id);
    Ok(ids.filter(|id| !id.is_empty()).collect())
}
