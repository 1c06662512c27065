//! What a page is taken from, and its order.

use super::Dialect;
use epcis_edge_core::query::{Order, OrderBy};

/// The order of a selection, for any table that has its columns.
pub(super) struct Ordering {
    /// The column of a time, where it is not the order of capture.
    pub(super) time: Option<&'static str>,
    is_descending: bool,
}

impl Ordering {
    pub(super) fn of(order: Order) -> Self {
        Self {
            time: match order.by {
                OrderBy::Capture => None,
                OrderBy::EventTime => Some("event_time"),
                OrderBy::RecordTime => Some("record_time"),
            },
            is_descending: order.descending,
        }
    }

    /// Whether it is the order of capture, which is that of the sequence.
    fn is_by_capture(&self) -> bool {
        self.time.is_none()
    }

    /// How a place compares with those before it.
    pub(super) fn behind(&self) -> &'static str {
        if self.is_descending { "<" } else { ">" }
    }

    pub(super) fn by(&self, table: &str) -> String {
        let direction = if self.is_descending { "DESC" } else { "ASC" };
        match self.time {
            None => format!("{table}.sequence {direction}"),
            Some(column) => {
                format!("{table}.{column} {direction}, {table}.sequence {direction}")
            }
        }
    }
}

/// What makes the candidates of a page.
pub(super) struct Candidates<'a> {
    /// Selections of sequences; an event must be in all of these, where there are any. Not beside `each_account`.
    pub(super) found: &'a [String],
    /// The list of accounts each of which gives its candidates; its value is `account.value` in the conditions.
    pub(super) each_account: Option<&'a str>,
    /// The conditions on events `e`.
    pub(super) wheres: &'a str,
    /// Those of them that are about the sequence alone, without a table.
    pub(super) bounds: &'a [String],
    pub(super) order: &'a Ordering,
    /// How many there are at most.
    pub(super) limit: &'a str,
}

impl Candidates<'_> {
    /// The rows that a page is taken from, in its order, as many as it may have.
    pub(super) fn text(&self, dialect: Dialect) -> String {
        let Candidates {
            found,
            each_account,
            wheres,
            bounds,
            order,
            limit,
        } = self;
        let by = order.by("e");
        match (dialect, each_account) {
            (Dialect::Sqlite, Some(list)) => format!(
                "json_each({list}) AS account CROSS JOIN events AS e ON e.sequence IN (\
                 SELECT e.sequence FROM events AS e WHERE {wheres} ORDER BY {by} LIMIT {limit}) ORDER BY {by} LIMIT {limit}"
            ),
            (Dialect::Postgres, Some(list)) => format!(
                "unnest(texts_of({list})) AS account(value) CROSS JOIN LATERAL (\
                 SELECT * FROM events AS e WHERE {wheres} ORDER BY {by} LIMIT {limit}) AS e ORDER BY {by} LIMIT {limit}"
            ),
            (Dialect::Postgres, None) if !found.is_empty() => {
                let found: Vec<_> = found
                    .iter()
                    .map(|found| {
                        let mut bounds = bounds.iter().map(|bound| format!("s.{bound}"));
                        let first = bounds.next().unwrap_or_else(|| "true".to_owned());
                        let bounds = bounds.fold(first, |all, bound| format!("{all} AND {bound}"));
                        format!("SELECT DISTINCT s.sequence FROM ({found}) AS s WHERE {bounds}")
                    })
                    .collect();
                let found = found.join(" INTERSECT ");
                // In the order of capture the numbers are sorted before any event is looked up, and that ends with the page.
                let (found, by) = if order.is_by_capture() {
                    let by = order.by("f");
                    (
                        format!("SELECT f.sequence FROM ({found}) AS f ORDER BY {by}"),
                        by,
                    )
                } else {
                    (found, by)
                };
                // What is behind OFFSET is planned by itself: each event is looked up by its sequence.
                format!(
                    "({found}) AS f CROSS JOIN LATERAL (\
                     SELECT * FROM events AS e WHERE e.sequence = f.sequence AND {wheres} OFFSET 0) AS e ORDER BY {by} LIMIT {limit}"
                )
            }
            (_, None) => format!("events AS e WHERE {wheres} ORDER BY {by} LIMIT {limit}"),
        }
    }
}
