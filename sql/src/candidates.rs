//! The candidates for a page of events, and their order.

use super::Dialect;
use epcis_edge_core::query::{Order, OrderBy};

/// The order of a selection, for any table that has its columns.
pub(super) struct Ordering {
    /// The column of the time to order by; `None` in the order of capture.
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

    /// Whether it is the order of capture, which is the order of the sequence numbers.
    fn is_by_capture(&self) -> bool {
        self.time.is_none()
    }

    /// The operator between a place and an earlier one.
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

/// The parts of the query for the candidates.
pub(super) struct Candidates<'a> {
    /// Queries for sequence numbers. If there are any, an event must be found by all of them. Never set together with `each_account`.
    pub(super) found: &'a [String],
    /// The list of accounts, each of which is searched by itself: in the conditions it is `account.value`.
    pub(super) each_account: Option<&'a str>,
    /// The conditions on events `e`.
    pub(super) wheres: &'a str,
    /// Those of the conditions that are about the sequence number alone, without the name of the table.
    pub(super) bounds: &'a [String],
    pub(super) order: &'a Ordering,
    /// The placeholder of the limit.
    pub(super) limit: &'a str,
}

impl Candidates<'_> {
    /// The query for the candidates after `FROM`, in the order of the page and at most `limit`.
    pub(super) fn text(&self, dialect: Dialect) -> String {
        let Candidates { found, each_account, wheres, bounds, order, limit } = self;
        let by = order.by("e");
        match (dialect, each_account) {
            (Dialect::Sqlite, Some(list)) => format!(
                "json_each({list}) AS account CROSS JOIN events AS e ON e.sequence IN (\
                 SELECT e.sequence FROM events AS e WHERE {wheres} ORDER BY {by} LIMIT {limit}) ORDER BY {by} LIMIT {limit}"
            ),
            (_, Some(list)) => format!(
                "unnest(texts_of({list})) AS account(value) CROSS JOIN LATERAL (\
                 SELECT * FROM events AS e WHERE {wheres} ORDER BY {by} LIMIT {limit}) AS e ORDER BY {by} LIMIT {limit}"
            ),
            (Dialect::Postgres(_), None) if !found.is_empty() => {
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
                // In the order of capture, the numbers are sorted first, so that events are looked up only until the page is full.
                let (found, by) = if order.is_by_capture() {
                    let by = order.by("f");
                    (format!("SELECT f.sequence FROM ({found}) AS f ORDER BY {by}"), by)
                } else {
                    (found, by)
                };
                // OFFSET makes PostgreSQL plan this query by itself: each event is looked up by its sequence number.
                format!(
                    "({found}) AS f CROSS JOIN LATERAL (\
                     SELECT * FROM events AS e WHERE e.sequence = f.sequence AND {wheres} OFFSET 0) AS e ORDER BY {by} LIMIT {limit}"
                )
            }
            (_, None) => format!("events AS e WHERE {wheres} ORDER BY {by} LIMIT {limit}"),
        }
    }
}
