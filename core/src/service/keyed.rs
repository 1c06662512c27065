//! The operations that need a capture key: capture, query, trace, and one event by its name.

use super::named::{self, Family};
use super::{Configuration, Found, QueryDocument, Service};
use crate::call::{Call, Principal, Readable};
use crate::capture::{self, HashEventIds, Policy, Prepared};
use crate::error::{Error, ErrorKind};
use crate::hash::EventHash;
use crate::json::Document;
use crate::query::{Cursor, Facts, OrderBy, Predicate, Query, TimeField};
use crate::store::{Bearer, Selection, Store, StoredEvent};
use crate::time::Timestamp;
use serde::Serialize;

/// What became of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Captured {
    /// SHA-256 of the document as it was received: 64 lower-case hexadecimal digits.
    pub document: String,
    /// When it was recorded.
    pub record_time: String,
    /// Whether nothing was stored because nothing was to be.
    pub dry_run: bool,
    /// What became of its events, in its order.
    pub events: Vec<CapturedEvent>,
}

/// What became of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CapturedEvent {
    /// The name of the stored event: of the first one, where it was stored already.
    #[serde(rename = "eventID")]
    pub event_id: String,
    /// The hash of the event as it was sent; serialised as its URI.
    pub content_hash: EventHash,
    /// Whether it was stored already; not known of a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplicate: Option<bool>,
    /// The JSON Pointers of what was stripped, seen from the event.
    pub stripped: Vec<String>,
    /// `false` where the `eventID` begins as an event hash and holds for nothing: it was kept as a mere name, because that was
    /// asked for. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
}

/// How a document is captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaptureOptions {
    /// Do everything but store.
    pub dry_run: bool,
    /// What becomes of an `eventID` that is an event hash; `None` for what the deployment set.
    pub hash_event_ids: Option<HashEventIds>,
}

/// How many events are fetched at a time where many of them do not match.
const FETCHED: usize = 500;

impl<S: Store> Service<S> {
    /// Who shows this `Authorization` header.
    ///
    /// # Errors
    /// [`ErrorKind::NoKey`], [`ErrorKind::KeyNotValid`]; a fault of the storage.
    pub async fn authenticate(&self, authorization: Option<&str>) -> Result<Principal, Error> {
        let shown = Bearer::read(authorization)?;
        let key = self.store.key(shown.id()).await?;
        let key = key.ok_or_else(|| Error::new(ErrorKind::KeyNotValid))?;
        key.principal(&shown)
    }

    /// Captures a document: all of its events, or none.
    ///
    /// **Shape**: see [`capture::prepare`].
    /// A dry run does everything but store.
    ///
    /// # Errors
    /// [`ErrorKind::Forbidden`] without the right to capture; those of [`capture::prepare`]; a fault of the storage.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_core::call::{Call, Principal};
    /// use epcis_edge_core::service::{Configuration, Service};
    /// let service = Service::new(Configuration::at("https://epcis.example.com"));
    /// let call = Call::new(1_772_618_430_000, Principal::local("https://example.com/accounts/1", "https://example.com/dock"));
    /// let event = br#"{
    ///     "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
    ///     "type": "ObjectEvent", "action": "OBSERVE", "epcList": ["urn:epc:id:sscc:9521141.1234567890"],
    ///     "eventTime": "2026-03-04T11:00:30.000+01:00", "eventTimeZoneOffset": "+01:00"
    /// }"#;
    /// let first = pollster::block_on(service.capture(event, false, &call))?;
    /// let again = pollster::block_on(service.capture(event, false, &call))?;
    /// assert_eq!(first.events[0].duplicate, Some(false));
    /// assert_eq!(again.events[0].duplicate, Some(true));
    /// assert_eq!(again.events[0].event_id, first.events[0].event_id);
    /// # Ok::<(), epcis_edge_core::error::Error>(())
    /// ```
    pub async fn capture(
        &self,
        document: &[u8],
        dry_run: bool,
        call: &Call,
    ) -> Result<Captured, Error> {
        let options = CaptureOptions {
            dry_run,
            ..CaptureOptions::default()
        };
        self.capture_as(document, options, call).await
    }

    /// Captures a document as [`capture`](Self::capture) does, in a manner of the caller's.
    ///
    /// # Errors
    /// As [`capture`](Self::capture).
    pub async fn capture_as(
        &self,
        document: &[u8],
        options: CaptureOptions,
        call: &Call,
    ) -> Result<Captured, Error> {
        call.principal.require_capture()?;
        let Configuration {
            extension_namespace,
            allowed_contexts,
            hash_event_ids,
            ..
        } = &self.configuration;
        let policy = Policy {
            namespace: extension_namespace,
            allowed_contexts,
            hash_event_ids: options.hash_event_ids.unwrap_or(*hash_event_ids),
        };
        let mut prepared = capture::prepare(document, self.validator(), &policy, call)?;
        self.settle(&mut prepared, call).await?;
        let Prepared {
            batch,
            stripped,
            unverified,
            ..
        } = prepared;
        let appended = if options.dry_run {
            Vec::new()
        } else {
            // First the evidence, then what refers to it: a document without events harms nobody.
            self.store.keep(&batch.document, document).await?;
            self.store.append(&batch).await?
        };
        let mut appended = appended.into_iter();
        let document = batch.document.to_string();
        // Each event goes as its answer comes: both together would be too much. Its name is copied, since one that stays behind
        // would keep the room around it from being used as a whole.
        let events = batch.events.into_iter().zip(stripped).enumerate();
        let events = events.map(|(index, (event, stripped))| {
            let appended = appended.next();
            let duplicate = appended.as_ref().map(|appended| appended.duplicate);
            let first = appended.and_then(|appended| appended.event_id);
            CapturedEvent {
                event_id: first.unwrap_or_else(|| event.event_id.clone()),
                content_hash: event.content_hash,
                duplicate,
                stripped,
                verified: unverified.binary_search(&index).is_ok().then_some(false),
            }
        });
        Ok(Captured {
            document,
            record_time: batch.record_time.to_string(),
            dry_run: options.dry_run,
            events: events.collect(),
        })
    }

    /// Asks for the events that error declarations name by a hash which is not their own: in the batch, then in the store.
    async fn settle(&self, prepared: &mut Prepared, call: &Call) -> Result<(), Error> {
        for claim in std::mem::take(&mut prepared.claims) {
            let events = &prepared.batch.events;
            let Some(declaration) = events.get(claim.index) else {
                continue;
            };
            let name = declaration.event_id.clone();
            let is_beside = events.iter().any(|event| {
                !event.identity.declares_error
                    && event.event_id == name
                    && claim.content_hashes.contains(&event.content_hash)
            });
            let hashes = claim.content_hashes.map(|hash| hash.to_string());
            let account = &call.principal.account;
            let is_confirmed =
                is_beside || named::is_stored(&self.store, &name, &hashes, account).await?;
            prepared.settle(&claim, is_confirmed)?;
        }
        // The answer looks them up.
        prepared.unverified.sort_unstable();
        Ok(())
    }

    /// A page of the events in scope that match.
    ///
    /// # Errors
    /// [`ErrorKind::Forbidden`] without the right to query; [`ErrorKind::PageToken`]; [`ErrorKind::QueryTooLarge`] where more
    /// events match than `maxEventCount`, or than are counted; a fault of the storage.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_core::call::{Call, Principal};
    /// use epcis_edge_core::query::Query;
    /// use epcis_edge_core::service::{Configuration, Found, Service};
    /// let service = Service::new(Configuration::at("https://epcis.example.com"));
    /// let call = Call::new(0, Principal::local("https://example.com/accounts/1", "https://example.com/dock"));
    /// let found = pollster::block_on(service.query(&Query::default(), &call))?;
    /// assert!(matches!(found, Found::Empty { .. }));
    /// # Ok::<(), epcis_edge_core::error::Error>(())
    /// ```
    ///
    /// **Source**: EPCIS 2.0, 8.2.7.1.
    pub async fn query(&self, query: &Query, call: &Call) -> Result<Found, Error> {
        let document = self.page(query, call).await?;
        Ok(if document.is_nothing(query.next_page_token.is_some()) {
            Found::Empty {
                message: "no event in your scope matches the query",
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
            }
        } else {
            Found::Page(document)
        })
    }

    /// The event of a name, with its error declarations, whichever of their names is asked for.
    ///
    /// The name is an `eventID`, or the hash of an event as it was sent.
    /// Where it is a hash, the event whose content has it is preferred to one that merely bears the name.
    /// An event with more declarations than a page holds comes in several.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchEvent`] where none is in scope; [`ErrorKind::Forbidden`] without the right to query; a fault of the
    /// storage.
    pub async fn get_event(
        &self,
        event_id: &str,
        next_page_token: Option<String>,
        call: &Call,
    ) -> Result<QueryDocument, Error> {
        let is_later = next_page_token.is_some();
        let query = Query::named(event_id).paged(None, next_page_token)?;
        call.principal.require_query()?;
        let start = query.cursor(&call.principal)?;
        let upper = start.map(|cursor| cursor.upper);
        let family = Family::of(&self.store, &query, event_id, call, upper).await?;
        let document = self.page_of(&query, Some(&family), call).await?;
        if document.is_nothing(is_later) {
            return Err(Error::new(ErrorKind::NoSuchEvent {
                event_id: event_id.to_owned(),
            }));
        }
        Ok(document)
    }

    async fn page(&self, query: &Query, call: &Call) -> Result<QueryDocument, Error> {
        self.page_of(query, None, call).await
    }

    /// A page of a query, or of the events that belong to a name.
    async fn page_of(
        &self,
        query: &Query,
        family: Option<&Family>,
        call: &Call,
    ) -> Result<QueryDocument, Error> {
        call.principal.require_query()?;
        let start = query.cursor(&call.principal)?;
        if let (Some(limit), None) = (query.max_event_count, &start) {
            self.require_at_most(limit, query, call).await?;
        }
        let answered = start.as_ref().map_or(0, |cursor| cursor.answered);
        let left = query
            .event_count_limit
            .map(|limit| limit.saturating_sub(answered));
        let wanted = left
            .and_then(|left| usize::try_from(left).ok())
            .map_or(query.per_page, |left| left.min(query.per_page));
        let mut walk = Walk::new(query, call, start);
        walk.choose(family);
        let mut events: Vec<String> = Vec::new();
        let mut bytes = 0;
        // Behind the last candidate of this page; whether a page follows.
        let mut place = None;
        let mut has_more = false;
        while let Some((event, behind)) = walk.next(&self.store, wanted - events.len()).await? {
            if let Some(event) = event {
                let is_full = !events.is_empty() && bytes + event.len() > call.limits.page_bytes;
                if events.len() == wanted || is_full {
                    // One more than there is room for.
                    has_more = true;
                    break;
                }
                bytes += event.len();
                events.push(event);
                if left == Some(events.len() as u64) {
                    break;
                }
            }
            place = Some(behind);
            if walk.scanned >= call.limits.scanned_events {
                has_more = !walk.is_over();
                break;
            }
        }
        let next = place.filter(|_| has_more);
        let next = next.map(|mut cursor| {
            cursor.answered = answered + events.len() as u64;
            query.token(&cursor, &call.principal)
        });
        QueryDocument::new(Timestamp::from_milliseconds(call.now), events, next)
    }

    /// # Errors
    /// [`ErrorKind::QueryTooLarge`]; [`ErrorKind::QueryTooComplex`] where too many events that do not match stand between.
    async fn require_at_most(&self, limit: u64, query: &Query, call: &Call) -> Result<(), Error> {
        let limit = limit.min(call.limits.counted_events);
        let mut walk = Walk::new(query, call, None);
        let mut count = 0;
        while let Some((event, _)) = walk.next(&self.store, FETCHED).await? {
            count += u64::from(event.is_some());
            if count > limit {
                return Err(Error::new(ErrorKind::QueryTooLarge { limit }));
            }
            if walk.scanned >= call.limits.scanned_events && !walk.is_over() {
                return Err(Error::new(ErrorKind::QueryTooComplex {
                    limit: call.limits.scanned_events,
                    what: "events to be looked at for `maxEventCount`",
                }));
            }
        }
        Ok(())
    }
}

/// A walk over the candidates that a store hands out; the predicate decides.
struct Walk<'q> {
    query: &'q Query,
    /// The query's, or that of a family.
    predicate: &'q Predicate,
    family: Option<&'q Family>,
    call: &'q Call,
    accounts: Option<Vec<&'q str>>,
    after: Option<Cursor>,
    upper: Option<u64>,
    fetched: std::vec::IntoIter<StoredEvent>,
    was_last: bool,
    scanned: usize,
}

impl<'q> Walk<'q> {
    fn new(query: &'q Query, call: &'q Call, start: Option<Cursor>) -> Self {
        let accounts = match &call.principal.readable {
            Readable::All => None,
            Readable::Accounts(accounts) => Some(accounts.iter().map(String::as_str).collect()),
        };
        Self {
            query,
            predicate: &query.predicate,
            family: None,
            call,
            accounts,
            upper: start.as_ref().map(|cursor| cursor.upper),
            after: start,
            fetched: Vec::new().into_iter(),
            was_last: false,
            scanned: 0,
        }
    }

    /// Looks only for what belongs to a name, as it was when that was found out.
    fn choose(&mut self, family: Option<&'q Family>) {
        if let Some(family) = family {
            self.predicate = &family.predicate;
            self.upper = Some(family.upper);
            self.family = Some(family);
        }
    }

    /// Whether no candidate is left.
    fn is_over(&self) -> bool {
        self.was_last && self.fetched.len() == 0
    }

    /// The next candidate, if it matches, and the place behind it.
    async fn next<S: Store>(
        &mut self,
        store: &S,
        wanted: usize,
    ) -> Result<Option<(Option<String>, Cursor)>, Error> {
        if self.fetched.len() == 0 {
            self.fetch(store, wanted).await?;
        }
        let Some(stored) = self.fetched.next() else {
            return Ok(None);
        };
        self.scanned += 1;
        let facts = Document::read(stored.event.as_bytes())
            .map(|document| Facts::asked(document.root(), self.predicate))
            .map_err(|error| {
                Error::new(ErrorKind::Internal {
                    detail: format!("stored event {}: {error}", stored.sequence),
                })
            })?;
        let time = match self.query.order.by {
            OrderBy::Capture => None,
            OrderBy::EventTime => facts.time(TimeField::EventTime),
            OrderBy::RecordTime => facts.time(TimeField::RecordTime),
        };
        let behind = Cursor {
            sequence: stored.sequence,
            time,
            upper: self.upper.unwrap_or_default(),
            answered: 0,
        };
        self.after = Some(behind.clone());
        let matches = self.call.principal.reads(&stored.captured_by)
            && self.predicate.matches(&facts, &stored.content_hash)
            && self.family.map_or(Ok(true), |family| family.has(&stored))?;
        Ok(Some((matches.then_some(stored.event), behind)))
    }

    async fn fetch<S: Store>(&mut self, store: &S, wanted: usize) -> Result<(), Error> {
        if self.was_last {
            return Ok(());
        }
        // Where many candidates fell through, more will.
        let limit = if self.scanned == 0 {
            wanted + 1
        } else {
            FETCHED
        };
        let selection = Selection {
            predicate: self.predicate,
            accounts: self.accounts.as_deref(),
            order: self.query.order,
            after: self.after.as_ref(),
            upper: self.upper,
            limit,
            bytes: self.call.limits.page_bytes,
        };
        let selected = store.select(&selection).await?;
        self.upper.get_or_insert(selected.newest);
        self.was_last = selected.is_last || selected.events.is_empty();
        self.fetched = selected.events.into_iter();
        Ok(())
    }
}
