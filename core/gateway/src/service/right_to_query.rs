//! The operations that need the right to query: query, trace, and one event by its name.

use super::master_data::Resolved;
use super::named::EventFamily;
use super::{Found, QueryDocument, Service};
use crate::call::{Call, Principal, Readable};
use crate::query::{
    Cursor, NUMBERS_OF_AN_ACCOUNT, Order, OrderBy, Places, Predicate, Query, Start, TimeField,
    account_of,
};
use crate::store::{Bearer, Selection, Store, StoredEvent};
use epcis_edge_text::error::{Error, ErrorKind};
use epcis_edge_text::slice::OrEmpty;
use epcis_edge_text::time::Timestamp;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// How many events are fetched at a time when many of them do not match.
const FETCHED: usize = 500;

impl Service {
    /// The principal who sends this `Authorization` header.
    ///
    /// # Errors
    /// [`ErrorKind::NoKey`], [`ErrorKind::KeyNotValid`]; a fault of the storage.
    pub async fn authenticate(&self, authorization: Option<&str>) -> Result<Principal, Error> {
        self.principal(&Bearer::read(authorization)?).await
    }

    /// The principal to whom this key belongs.
    ///
    /// # Errors
    /// [`ErrorKind::KeyNotValid`]; a fault of the storage.
    pub async fn principal(&self, shown: &Bearer) -> Result<Principal, Error> {
        let key = self.store.key(shown.id()).await?;
        let key = key.ok_or_else(|| Error::new(ErrorKind::KeyNotValid))?;
        key.principal(shown)
    }

    /// A page of the events in scope that match.
    ///
    /// # Errors
    /// [`ErrorKind::Forbidden`] without the right to query; [`ErrorKind::PageToken`]; [`ErrorKind::QueryTooLarge`] if more
    /// events match than `maxEventCount`, or than may be counted; a fault of the storage.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_gateway::call::{Call, Principal};
    /// use epcis_edge_gateway::query::Query;
    /// use epcis_edge_gateway::service::{Configuration, Found, Service};
    /// let service = Service::new(Configuration::at("https://epcis.example.com"));
    /// let call = Call::new(0, Principal::local("https://example.com/accounts/1", "https://example.com/dock"));
    /// let found = pollster::block_on(service.query(&Query::default(), &call))?;
    /// assert!(matches!(found, Found::Empty { .. }));
    /// # Ok::<(), epcis_edge_text::error::Error>(())
    /// ```
    ///
    /// **Source**: EPCIS 2.0, 8.2.7.1.
    pub async fn query(&self, query: &Query, call: &Call) -> Result<Found, Error> {
        let document = self.page(query, call).await?;
        Ok(if document.is_nothing(query.next_page_token.is_some()) {
            Found::Empty {
                message: match query.feed_cursor {
                    None => "no event in your scope matches the query",
                    Some(_) => "no event in your scope that matches the query was recorded since",
                },
                feed_cursor: document.feed_cursor,
            }
        } else {
            Found::Page(document)
        })
    }

    /// A page of the events in scope that name an EPC in any role: `MATCH_anyEPC`.
    ///
    /// # Errors
    /// As [`query`](Self::query); [`ErrorKind::QueryValue`] for an EPC pattern that makes no sense, an empty text, and a page size
    /// of 0.
    pub async fn trace(
        &self,
        epc: &str,
        per_page: Option<u64>,
        next_page_token: Option<String>,
        call: &Call,
    ) -> Result<Found, Error> {
        let is_later = next_page_token.is_some();
        let query = Query::trace(epc)?.paged(per_page, next_page_token)?;
        let document = self.page(&query, call).await?;
        Ok(if document.is_nothing(is_later) {
            Found::Empty {
                message: "no event in your scope names this EPC as an instance; a lot or a GTIN of a quantity is found by the \
                              query parameter MATCH_anyEPCClass",
                feed_cursor: None,
            }
        } else {
            Found::Page(document)
        })
    }

    /// The event with this name and its error declarations; the name may be that of any of them.
    ///
    /// The name is an `eventID`, or the hash of an event as it was sent.
    /// If it is a hash, an event with that content hash is preferred to one that only bears the name.
    /// An event with more declarations than fit on a page comes in several pages.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchEvent`] if there is none in scope; [`ErrorKind::Forbidden`] without the right to query; a fault of
    /// the storage.
    pub async fn get_event(
        &self,
        event_id: &str,
        next_page_token: Option<String>,
        call: &Call,
    ) -> Result<QueryDocument, Error> {
        let is_later = next_page_token.is_some();
        let query = Query::named(event_id).paged(None, next_page_token)?;
        call.principal.require_query()?;
        let start = query.start(&call.principal)?;
        let upper = match &start {
            Start::Behind(cursor) => Some(cursor.upper.clone()),
            Start::First | Start::Since(_) => None,
        };
        let family = EventFamily::of(&*self.store, &query, event_id, call, upper).await?;
        let page = self.page_of(&query, start, Some(&family), call).await?;
        let document = page.sealed(&query, call)?;
        if document.is_nothing(is_later) {
            return Err(Error::new(ErrorKind::NoSuchEvent { event_id: event_id.to_owned() }));
        }
        Ok(document)
    }

    async fn page(&self, query: &Query, call: &Call) -> Result<QueryDocument, Error> {
        call.principal.require_query()?;
        let start = query.start(&call.principal)?;
        self.page_of(query, start, None, call).await?.sealed(query, call)
    }

    /// A page of the events in scope that match, from `start`, and where the next page begins.
    ///
    /// The page token of the query is ignored.
    ///
    /// # Errors
    /// As [`query`](Self::query).
    pub(crate) async fn page_from(
        &self,
        query: &Query,
        start: Start,
        call: &Call,
    ) -> Result<(QueryDocument, NextPositions), Error> {
        let page = self.page_of(query, start, None, call).await?;
        let time = Timestamp::from_milliseconds(call.now);
        let Page { events, places } = page;
        Ok((QueryDocument::new(time, texts(events))?, places))
    }

    /// A page of a query, or of the events of a family.
    pub(super) async fn page_of(
        &self,
        query: &Query,
        start: Start,
        family: Option<&EventFamily>,
        call: &Call,
    ) -> Result<Page, Error> {
        call.principal.require_query()?;
        let call = &*narrowed(call, query.accounts.as_ref())?;
        let behind = match &start {
            Start::Behind(cursor) => Some(cursor),
            Start::First | Start::Since(_) => None,
        };
        let resolved = self.resolved(query, behind, call).await?;
        if let (Some(limit), Start::First) = (query.max_event_count, &start) {
            self.require_at_most(limit, query, &resolved, call).await?;
        }
        if let Some(field) = &query.order_field {
            let behind = behind.cloned();
            return self.page_by_field(query, field, &resolved, behind, call).await;
        }
        if query.order.is_of_recording()
            && let Some(leaves) = self.leaves_of(&start, call).await?
        {
            return self.page_by_leaf(query, &resolved, leaves, start, call).await;
        }
        let answered = behind.map_or(0, |cursor| cursor.answered);
        let (wanted, left) = query.wanted(answered);
        let in_turn = query.order.by == OrderBy::Capture && family.is_none();
        let part = match behind {
            _ if !in_turn => None,
            None => self.part(0, call).await?,
            // The page before ended with the last event of this account.
            Some(cursor) if cursor.upper.is_empty() => {
                self.part(account_of(cursor.sequence), call).await?
            }
            Some(_) => None,
        };
        let may_go_on = in_turn && (part.is_some() || behind.is_some());
        let of_part = narrowed(call, part.as_ref())?;
        let mut walk = Walk::new(query.order, &resolved, &of_part, start);
        walk.choose(family);
        let mut events: Vec<(u64, String)> = Vec::new();
        let mut bytes = 0;
        // The place after the last candidate of this page, and whether a page follows.
        let mut place = None;
        let mut has_more = false;
        while let Some((event, behind)) = walk.next(&*self.store, wanted - events.len()).await? {
            if let Some(StoredEvent { event, .. }) = event {
                let is_full = !events.is_empty() && bytes + event.len() > call.limits.page_bytes;
                if events.len() == wanted || is_full {
                    // There is no room for this event.
                    has_more = true;
                    break;
                }
                bytes += event.len();
                events.push((behind.sequence, event));
                if left == Some(events.len() as u64) {
                    break;
                }
            }
            place = Some(behind);
            if walk.is_exhausted() {
                has_more = !walk.is_over();
                break;
            }
        }
        let mut next = place.filter(|_| has_more);
        if may_go_on && !has_more {
            let last = walk.upper().accounts().last().unwrap_or(0);
            if self.part(last, call).await?.is_some_and(|part| !part.is_empty()) {
                let sequence = (last + 1) * NUMBERS_OF_AN_ACCOUNT - 1;
                next = Some(Cursor { sequence, ..Cursor::default() });
            }
        }
        if let Some(cursor) = &mut next {
            cursor.answered = answered + events.len() as u64;
        }
        let feed = query.is_feed().then(|| match &next {
            Some(next) => walk.feed_behind(next),
            None => walk.end(),
        });
        let places = NextPositions { next, feed };
        Ok(Page { events, places })
    }

    /// The accounts in scope that are read next, after one of this number, if a page cannot read all.
    async fn part(&self, after: u64, call: &Call) -> Result<Option<BTreeSet<String>>, Error> {
        let accounts = call.principal.readable_accounts();
        let part = self.store.part(accounts.as_deref(), after).await?;
        Ok(part.map(|part| part.into_iter().map(|(_, account)| account).collect()))
    }

    /// # Errors
    /// [`ErrorKind::QueryTooLarge`]; [`ErrorKind::QueryTooComplex`] if too many events in between do not match.
    async fn require_at_most(
        &self,
        limit: u64,
        query: &Query,
        resolved: &Resolved<'_>,
        call: &Call,
    ) -> Result<(), Error> {
        let limit = limit.min(call.limits.counted_events);
        let mut walk = Walk::new(query.order, resolved, call, Start::First);
        let mut count = 0;
        while let Some((event, _)) = walk.next(&*self.store, FETCHED).await? {
            count += u64::from(event.is_some());
            if count > limit {
                return Err(Error::new(ErrorKind::QueryTooLarge { limit }));
            }
            if walk.is_exhausted() && !walk.is_over() {
                return Err(Error::query_too_complex(
                    call.limits.scanned_events,
                    "events, or 64 MiB of them, to be looked at for `maxEventCount`",
                ));
            }
        }
        Ok(())
    }
}

/// A call for some accounts only, if any are named.
///
/// # Errors
/// [`ErrorKind::Forbidden`] if the key may not read one of them.
fn narrowed<'c>(
    call: &'c Call,
    accounts: Option<&BTreeSet<String>>,
) -> Result<Cow<'c, Call>, Error> {
    let Some(accounts) = accounts else {
        return Ok(Cow::Borrowed(call));
    };
    if !accounts.iter().all(|account| call.principal.reads(account)) {
        return Err(Error::new(ErrorKind::Forbidden { right: "read this account" }));
    }
    let mut call = call.clone();
    call.principal.readable = Readable::Accounts(accounts.clone());
    Ok(Cow::Owned(call))
}

/// The events of a page.
pub(super) struct Page {
    /// Each event with its number.
    pub(super) events: Vec<(u64, String)>,
    pub(super) places: NextPositions,
}

/// Where the answer continues after a page.
#[derive(Clone, Debug)]
pub(crate) struct NextPositions {
    /// The place where the next page begins; `None` on the last.
    pub(crate) next: Option<Cursor>,
    /// The place after everything seen, for events recorded later; only in an answer in the order of recording.
    pub(crate) feed: Option<Cursor>,
}

fn texts(events: Vec<(u64, String)>) -> Vec<String> {
    events.into_iter().map(|(_, event)| event).collect()
}

impl Page {
    /// The page as a document with its tokens: for the next page, and for events recorded later.
    fn sealed(self, query: &Query, call: &Call) -> Result<QueryDocument, Error> {
        let NextPositions { next, feed } = self.places;
        let principal = &call.principal;
        let time = Timestamp::from_milliseconds(call.now);
        let mut document = QueryDocument::new(time, texts(self.events))?;
        document.next_page_token = next.map(|next| query.token(&next, principal));
        document.feed_cursor = feed.map(|feed| query.feed_token(&feed, principal));
        Ok(document)
    }
}

/// A walk over the candidates that a store returns; the predicate decides which of them match.
pub(super) struct Walk<'q> {
    /// The predicate of the query, or that of a family.
    predicate: &'q Predicate,
    /// The newest master-data elements that the predicate was resolved with.
    master: &'q Places,
    family: Option<&'q EventFamily>,
    call: &'q Call,
    accounts: Option<Vec<&'q str>>,
    order: Order,
    after: Option<Cursor>,
    /// Only events recorded after these.
    since: Places,
    /// In an order of recording: the last examined event of each account, or `since` for an account without one.
    reached: Places,
    upper: Option<Places>,
    fetched: std::vec::IntoIter<StoredEvent>,
    was_last: bool,
    scanned: usize,
    scanned_bytes: usize,
}

impl<'q> Walk<'q> {
    pub(super) fn new(
        order: Order,
        resolved: &'q Resolved<'_>,
        call: &'q Call,
        start: Start,
    ) -> Self {
        let accounts = call.principal.readable_accounts();
        let (mut after, mut since, upper) = match start {
            Start::First => (None, Places::default(), None),
            Start::Behind(cursor) => {
                let (since, upper) = (cursor.since.clone(), cursor.upper.clone());
                (Some(cursor), since, Some(upper).filter(|upper| !upper.is_empty()))
            }
            Start::Since(cursor) => (Some(Cursor::default()), cursor.since, None),
        };
        // All events up to these numbers were seen, and later events are recorded in the order of their numbers.
        let is_by_number = after.as_ref().is_some_and(|cursor| cursor.time.is_none());
        let order = match order.is_of_recording() && is_by_number {
            true => Order::default(),
            false => order,
        };
        // A place in one store for all accounts is one in each account.
        if order == Order::default()
            && let Some(cursor) = after.take_if(|cursor| account_of(cursor.sequence) == 0)
        {
            since.put(cursor.sequence);
        }
        Self {
            predicate: &resolved.predicate,
            master: &resolved.master,
            family: None,
            call,
            accounts,
            order,
            reached: since.clone(),
            since,
            upper,
            after,
            fetched: Vec::new().into_iter(),
            was_last: false,
            scanned: 0,
            scanned_bytes: 0,
        }
    }

    /// Leaves out events behind these places, if they are given.
    pub(super) fn keep_below(&mut self, upper: Option<Places>) {
        self.upper = upper;
    }

    /// The places behind which events are left out; none before the first fetch.
    pub(super) fn upper(&self) -> Places {
        self.upper.clone().or_empty()
    }

    /// Whether the page has read as many events or bytes as it may.
    pub(super) fn is_exhausted(&self) -> bool {
        self.scanned >= self.call.limits.scanned_events
            || self.scanned_bytes >= self.call.limits.scanned_bytes
    }

    /// Limits the walk to the events of a family, as of the moment when the family was determined.
    fn choose(&mut self, family: Option<&'q EventFamily>) {
        if let Some(family) = family {
            self.predicate = &family.predicate;
            self.upper = Some(family.upper.clone());
            self.family = Some(family);
        }
    }

    /// The place after all events that existed when the walk began.
    fn end(&self) -> Cursor {
        let upper = self.upper();
        // An empty store has no newest event.
        let since = if upper.is_empty() { self.since.clone() } else { upper };
        Cursor { since, ..Cursor::default() }
    }

    /// The place after the last event that this page examined, for events recorded later. It has the last event seen in each account,
    /// because a later event may have an earlier time than one of another account.
    fn feed_behind(&self, place: &Cursor) -> Cursor {
        let mut seen = place.since.clone();
        if !self.order.is_of_recording() {
            // In the order of capture accounts follow one after the other.
            let account = account_of(place.sequence);
            let upper = self.upper();
            let before = upper.numbers().filter(|number| account_of(*number) < account);
            before.for_each(|number| seen.put(number));
            seen.put(place.sequence);
        }
        Cursor { since: seen, answered: place.answered, ..Cursor::default() }
    }

    /// Whether no candidate is left.
    pub(super) fn is_over(&self) -> bool {
        self.was_last && self.fetched.len() == 0
    }

    /// The next candidate, if it matches, and the place after it; `None` at the end.
    pub(super) async fn next(
        &mut self,
        store: &dyn Store,
        wanted: usize,
    ) -> Result<Option<(Option<StoredEvent>, Cursor)>, Error> {
        if self.fetched.len() == 0 {
            self.fetch(store, wanted).await?;
        }
        let Some(stored) = self.fetched.next() else {
            return Ok(None);
        };
        self.scanned += 1;
        self.scanned_bytes += stored.event.len();
        let facts = stored.facts(self.predicate)?;
        let time = match self.order.by {
            OrderBy::Capture => None,
            OrderBy::EventTime => facts.time(TimeField::EventTime),
            OrderBy::RecordTime => facts.time(TimeField::RecordTime),
        };
        if self.order.is_of_recording() {
            self.reached.put(stored.sequence);
        }
        let behind = Cursor {
            sequence: stored.sequence,
            time,
            since: self.reached.clone(),
            upper: self.upper(),
            master: self.master.clone(),
            ..Cursor::default()
        };
        self.after = Some(behind.clone());
        let matches = self.call.principal.reads(&stored.captured_by)
            && self.predicate.matches(&facts, &stored.content_hash)
            && self.family.map_or(Ok(true), |family| family.has(&stored))?;
        Ok(Some((matches.then_some(stored), behind)))
    }

    async fn fetch(&mut self, store: &dyn Store, wanted: usize) -> Result<(), Error> {
        if self.was_last {
            return Ok(());
        }
        // After a first fetch that was not enough, many candidates probably do not match.
        let limit = if self.scanned == 0 { wanted + 1 } else { FETCHED };
        let selection = Selection {
            predicate: self.predicate,
            accounts: self.accounts.as_deref(),
            order: self.order,
            after: self.after.as_ref(),
            since: &self.since,
            upper: self.upper.as_ref(),
            limit,
            bytes: self.call.limits.page_bytes,
        };
        let selected = store.select(&selection).await?;
        if self.upper.is_none() || !selected.newest.is_empty() {
            self.upper = Some(selected.newest);
        }
        self.was_last = selected.is_last || selected.events.is_empty();
        self.fetched = selected.events.into_iter();
        Ok(())
    }
}
