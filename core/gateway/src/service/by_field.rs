//! Pages in the order of an extension field.
//!
//! No store has an index of extension fields. So every page reads all candidates and keeps those that belong to it, at most a
//! page of events. If there are more candidates than one page may read, the query is refused: that is better than a wrong
//! order.
//!
//! Why does the page token not contain the field's value?
//! The value may be as long as an event. The token has the number of the last event that was answered; events never change, so
//! its value is read again.

use super::Service;
use super::master_data::Resolved;
use super::right_to_query::{NextPositions, Page, Walk};
use crate::call::Call;
use crate::query::{Cursor, Order, OrderField, Places, Query, Rank, Start};
use crate::store::{Selection, StoredEvent};
use epcis_edge_text::error::{Error, ErrorKind};
use epcis_edge_text::json::Document;
use std::collections::BTreeMap;

/// How many events are fetched at a time.
const FETCHED: usize = 500;

impl Service {
    /// A page of the events that match, in the order of a field.
    ///
    /// # Errors
    /// [`ErrorKind::QueryTooComplex`] if more events must be read than a page may; [`ErrorKind::PageToken`] if the last event
    /// of the previous page is no longer in scope; a fault of the storage.
    pub(super) async fn page_by_field(
        &self,
        query: &Query,
        field: &OrderField,
        resolved: &Resolved<'_>,
        start: Option<Cursor>,
        call: &Call,
    ) -> Result<Page, Error> {
        let is_descending = query.order.descending;
        let rank = |event: &str, sequence| {
            let document = Document::read_text(event)?;
            Ok::<_, Error>(field.rank(document.root(), sequence, is_descending))
        };
        let answered = start.as_ref().map_or(0, |cursor| cursor.answered);
        let after = match &start {
            Some(cursor) => {
                let event = self.answered_last(cursor, resolved, call).await?;
                Some(rank(&event, cursor.sequence)?)
            }
            None => None,
        };
        let (wanted, left) = query.wanted(answered);
        let mut sorted = SortedPage::new(wanted, call.limits.page_bytes);
        let mut walk = Walk::new(Order::default(), resolved, call, Start::First);
        walk.keep_below(start.map(|cursor| cursor.upper));
        while let Some((event, behind)) = walk.next(&*self.store, FETCHED).await? {
            if let Some(StoredEvent { event, .. }) = event {
                let rank = rank(&event, behind.sequence)?;
                if after.as_ref().is_none_or(|after| rank > *after) {
                    sorted.insert(rank, behind, event);
                }
            }
            if walk.is_exhausted() && !walk.is_over() {
                return Err(Error::query_too_complex(
                    call.limits.scanned_events,
                    "events, or 64 MiB of them, to be looked at for `orderBy` of an extension field: more parameters, such as a span of time, select fewer",
                ));
            }
        }
        let count = sorted.events.len() as u64;
        let has_more = sorted.has_more && left != Some(count);
        let last = sorted.events.last_key_value();
        let next = last.filter(|_| has_more).map(|(_, (place, _))| Cursor {
            upper: walk.upper(),
            answered: answered + count,
            ..place.clone()
        });
        let events = sorted.events.into_values().map(|(place, event)| (place.sequence, event));
        Ok(Page { events: events.collect(), places: NextPositions { next, feed: None } })
    }

    /// The last event of the previous page.
    ///
    /// # Errors
    /// [`ErrorKind::PageToken`] if it is no longer in scope; a fault of the storage.
    async fn answered_last(
        &self,
        cursor: &Cursor,
        resolved: &Resolved<'_>,
        call: &Call,
    ) -> Result<String, Error> {
        let before = Cursor { sequence: cursor.sequence.saturating_sub(1), ..cursor.clone() };
        let accounts = call.principal.readable_accounts();
        let selection = Selection {
            predicate: &resolved.predicate,
            accounts: accounts.as_deref(),
            order: Order::default(),
            after: Some(&before),
            since: &Places::default(),
            upper: Some(&Places::at(cursor.sequence)),
            limit: 1,
            bytes: 1,
        };
        let selected = self.store.select(&selection).await?;
        let found = selected.events.into_iter().find(|stored| {
            stored.sequence == cursor.sequence && call.principal.reads(&stored.captured_by)
        });
        let found = found.ok_or_else(|| Error::new(ErrorKind::PageToken))?;
        Ok(found.event)
    }
}

/// The first events, in order, of all that were inserted: at most a page of them.
struct SortedPage {
    events: BTreeMap<Rank, (Cursor, String)>,
    bytes: usize,
    wanted: usize,
    page_bytes: usize,
    /// Whether events follow after this page.
    has_more: bool,
}

impl SortedPage {
    fn new(wanted: usize, page_bytes: usize) -> Self {
        Self { events: BTreeMap::new(), bytes: 0, wanted, page_bytes, has_more: false }
    }

    /// Inserts an event and drops those at the end that do not fit. A dropped event never fits later: each insertion only takes
    /// room.
    fn insert(&mut self, rank: Rank, place: Cursor, event: String) {
        self.bytes += event.len();
        self.events.insert(rank, (place, event));
        while self.events.len() > self.wanted
            || self.events.len() > 1 && self.bytes > self.page_bytes
        {
            let Some((_, (_, event))) = self.events.pop_last() else {
                break;
            };
            self.bytes -= event.len();
            self.has_more = true;
        }
    }
}
