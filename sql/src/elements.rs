//! The statement that lists elements of master data.

use super::{Dialect, Statement, Value};
use epcis_edge_core::query::index_key;
use epcis_edge_core::store::{ElementPlace, ElementSelection, FoundElements, StoredElement};
use epcis_edge_core::time::Timestamp;
use serde::Deserialize;

/// The statement that finds elements: see `MasterData::elements` of the core.
///
/// The newest elements of each account are read from an index in their order, so that a page costs the same wherever it begins. Texts
/// are read last, and only as many as fit.
#[must_use]
pub fn elements(dialect: Dialect, selection: &ElementSelection<'_>) -> Statement {
    let mut values: Vec<Value> = Vec::new();
    let mut bind = |value: Value| {
        values.push(value);
        format!("?{}", values.len())
    };
    let list = |texts: &mut dyn Iterator<Item = &str>| {
        // No store has a text with U+0000.
        let texts: Vec<_> = texts.filter(|text| !text.contains('\0')).collect();
        Value::Text(serde_json::json!(texts).to_string())
    };
    let upper = bind(selection.upper.single().into());
    let mut of_account = vec!["l.account = a.number".to_owned(), format!("l.number <= {upper}")];
    let mut newer = format!(
        "n.account = l.account AND n.kind = l.kind AND n.id_key = l.id_key AND n.number > l.number AND n.number <= {upper}"
    );
    if let Some(kind) = selection.kind {
        let kind = bind(kind.into());
        of_account.push(format!("l.kind = {kind}"));
    }
    if let Some(ids) = selection.ids {
        let keys: Vec<_> = ids.iter().map(|id| index_key(id)).collect();
        let ids = bind(list(&mut keys.iter().map(AsRef::as_ref)));
        of_account.push(dialect.has_text("l.id_key", &ids));
    }
    if let Some(at) = selection.at {
        let at = bind(milliseconds(at));
        let stored = |element: &str| {
            format!(
                "(SELECT j.time FROM capture_jobs AS j WHERE j.sequence = {element}.job) <= {at}"
            )
        };
        of_account.push(stored("l"));
        newer = format!("{newer} AND {}", stored("n"));
    }
    let mut accounts = vec!["true".to_owned()];
    if let Some(readable) = selection.accounts {
        let readable = bind(list(&mut readable.iter().copied()));
        accounts.push(dialect.has_text("a.account", &readable));
    }
    if let Some(after) = selection.after {
        let account = bind(after.account.as_str().into());
        let account = format!("(SELECT b.number FROM accounts AS b WHERE b.account = {account})");
        let kind = bind(after.kind.as_str().into());
        let id = bind(Value::Text(index_key(&after.id).into_owned()));
        accounts.push(format!("a.number >= {account}"));
        of_account.push(format!("(l.account, l.kind, l.id_key) > ({account}, {kind}, {id})"));
    }
    // One element more shows whether there are more.
    let limit = bind((selection.limit + 1).into());
    let bytes = bind(selection.bytes.into());
    // A few identifiers are looked up, then sorted: an expression keeps engines from reading all elements in this order instead.
    let kind = if selection.ids.is_some() { "l.kind || ''" } else { "l.kind" };
    let newest = format!(
        "{} AND NOT EXISTS (SELECT 1 FROM master_data AS n WHERE {newer}) ORDER BY {kind}, l.id_key LIMIT {limit}",
        of_account.join(" AND ")
    );
    let each = dialect.newest_elements(&newest, &accounts.join(" AND "));
    let text = format!(
        "WITH page AS MATERIALIZED (SELECT m.number, m.account, m.kind, m.id_key, length(m.attributes) + length(m.children) AS bytes \
         FROM {each} ORDER BY m.account, m.kind, m.id_key LIMIT {limit}) \
         SELECT a.account, m.kind, m.id, m.spelling, m.attributes, m.children, j.time, j.document, p.found FROM (\
         SELECT page.*, count(*) OVER () AS found, sum(bytes) OVER (ORDER BY account, kind, id_key) - bytes AS before FROM page\
         ) AS p CROSS JOIN master_data AS m CROSS JOIN capture_jobs AS j CROSS JOIN accounts AS a \
         WHERE p.before < {bytes} AND m.number = p.number AND j.sequence = m.job AND a.number = m.account \
         ORDER BY p.account, p.kind, p.id_key"
    );
    Statement { text, values }
}

/// A row of [`elements`].
#[derive(Debug, Deserialize)]
pub struct ElementRow {
    account: String,
    kind: String,
    id: String,
    spelling: String,
    attributes: String,
    children: String,
    time: u64,
    document: String,
    /// How many elements the statement found, whether they fit or not.
    found: usize,
}

/// The elements, from the rows of [`elements`].
#[must_use]
pub fn elements_of(selection: &ElementSelection<'_>, rows: Vec<ElementRow>) -> FoundElements {
    let found = rows.first().map_or(0, |row| row.found);
    let elements: Vec<_> =
        rows.into_iter().take(selection.limit).map(StoredElement::from).collect();
    FoundElements { is_last: elements.len() == found, elements }
}

impl From<ElementRow> for StoredElement {
    fn from(row: ElementRow) -> Self {
        Self {
            place: ElementPlace { account: row.account, kind: row.kind, id: row.id },
            spelling: row.spelling,
            attributes: row.attributes,
            children: row.children,
            record_time: Timestamp::from_milliseconds(row.time),
            document: row.document,
        }
    }
}

/// A time in milliseconds since 1970, rounded down: record times have no smaller unit.
fn milliseconds(time: Timestamp) -> Value {
    let milliseconds = i64::from(time.nanoseconds() / 1_000_000);
    Value::Integer(time.seconds().saturating_mul(1000).saturating_add(milliseconds))
}
