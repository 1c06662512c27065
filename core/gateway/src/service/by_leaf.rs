//! Pages in the order of the log's leaves, for a question in the order of recording about more accounts than can be read at once.
//!
//! Each account has an order of its own. The log has all events in one order, so one number tells what was answered.

use super::Service;
use super::master_data::Resolved;
use super::right_to_query::{NextPositions, Page};
use crate::call::Call;
use crate::query::{Cursor, Query, Start};
use crate::store::too_many_accounts;
use epcis_edge_text::error::Error;
use std::ops::Range;

impl Service {
    /// The leaves that are left of an answer; `None` if it does not go by leaves.
    ///
    /// # Errors
    /// [`ErrorKind::QueryTooComplex`](epcis_edge_text::error::ErrorKind::QueryTooComplex) if it should and there is no log; a fault of
    /// the storage.
    pub(super) async fn leaves_of(
        &self,
        start: &Start,
        call: &Call,
    ) -> Result<Option<Range<u64>>, Error> {
        let begun = match start {
            Start::Behind(cursor) => return Ok(cursor.leaves.clone()),
            Start::Since(cursor) => cursor.leaves.clone(),
            Start::First => None,
        };
        let first = match begun {
            Some(leaves) => leaves.start,
            None => {
                let accounts = call.principal.readable_accounts();
                if self.store.part(accounts.as_deref(), 0).await?.is_none() {
                    return Ok(None);
                }
                0
            }
        };
        if self.configuration.log.is_none() {
            return Err(too_many_accounts());
        }
        let size = self.store.last_head().await?.map_or(0, |head| head.size);
        Ok(Some(first..size.max(first)))
    }

    /// A page of the events of these leaves that match.
    ///
    /// # Errors
    /// A fault of the storage.
    pub(super) async fn page_by_leaf(
        &self,
        query: &Query,
        resolved: &Resolved<'_>,
        leaves: Range<u64>,
        start: Start,
        call: &Call,
    ) -> Result<Page, Error> {
        let from = match start {
            Start::First => Cursor::default(),
            Start::Behind(cursor) | Start::Since(cursor) => cursor,
        };
        let accounts = call.principal.readable_accounts();
        let (wanted, left) = query.wanted(from.answered);
        let (mut next, mut events, mut bytes, mut scanned) = (leaves.start, Vec::new(), 0, 0);
        let is_full =
            |events: &Vec<_>, bytes| events.len() == wanted || bytes >= call.limits.page_bytes;
        while next < leaves.end && !is_full(&events, bytes) && scanned < call.limits.scanned_events
        {
            let found = self.store.by_leaf(next..leaves.end, &from.since, accounts.as_deref());
            let found = found.await?;
            let looked_at = found.next - next;
            next = found.next;
            scanned += usize::try_from(looked_at).unwrap_or(usize::MAX);
            for (leaf, stored) in found.events {
                if is_full(&events, bytes) {
                    next = leaf;
                    break;
                }
                let facts = stored.facts(&resolved.predicate)?;
                if call.principal.reads(&stored.captured_by)
                    && resolved.predicate.matches(&facts, &stored.content_hash)
                {
                    bytes += stored.event.len();
                    events.push((stored.sequence, stored.event));
                }
            }
        }
        let answered = from.answered + events.len() as u64;
        let place = |leaves| Cursor {
            since: from.since.clone(),
            master: resolved.master.clone(),
            leaves: Some(leaves),
            answered,
            ..Cursor::default()
        };
        let has_more = next < leaves.end && left != Some(events.len() as u64);
        let feed = query.is_feed().then(|| Cursor { answered: 0, ..place(next..next) });
        Ok(Page {
            events,
            places: NextPositions { next: has_more.then(|| place(next..leaves.end)), feed },
        })
    }
}
