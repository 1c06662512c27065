//! SimpleEventQuery: reads parameters into a typed predicate, and evaluates that on the facts of an event.
//!
//! A query is a JSON object whose members are the parameters of EPCIS 2.0, 8.2.7.1. Parameters are ANDed, the values of a list are
//! ORed, and an unknown parameter is refused by name: to ignore it would make a wide answer look like a filtered one. Values are
//! compared in normal form, so a query in one spelling finds events written in another.
//!
//! **Served**: [`SERVED`] lists the parameters and families.

mod collection;
mod facts;
mod key;
mod lookup;
mod matcher;
mod number;
mod order_field;
mod parameter;
mod places;
mod predicate;
mod question;
mod token;

pub use collection::{Collection, MAX_LISTED};
pub use epcis_edge_document::field::{NumberField, QueryField as Field, TimeField};
pub use facts::{EventPart, Extension, Facts, Measure, Term};
pub use key::{KEY_PREFIX, index_key};
pub use lookup::{IdentifierSource, Lookup, MasterDataCondition};
pub use matcher::{Matcher, Shape};
pub use number::Decimal;
pub use order_field::OrderField;
pub(crate) use order_field::Rank;
pub use parameter::SERVED;
pub(crate) use parameter::{ANY_CLASS, ANY_EPC};
pub use places::{MAX_ACCOUNTS, NUMBERS_OF_AN_ACCOUNT, Places, account_of};
pub use predicate::{Comparison, Condition, Predicate, ValueTest};
pub(crate) use question::require_size;
pub use question::{Continuation, Holder, Question, SIMPLE_EVENT_QUERY, TOKEN_LIFE};
pub use token::Cursor;
pub(crate) use token::equal_in_constant_time;

use crate::call::Principal;
use epcis_edge_document::hash::event_name;
use epcis_edge_text::error::{Error, ErrorKind};
use epcis_edge_text::json::Value;
use epcis_edge_text::slice::Known;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;

/// How many events a page has by default.
pub const DEFAULT_PER_PAGE: usize = 30;

/// The parameter of REST and MCP that continues with the events recorded since an earlier answer.
pub const FEED_CURSOR: &str = "feedCursor";

/// How many events a page may have.
pub const MAX_PER_PAGE: usize = 1000;

/// A query, read from its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The conditions that events must fulfil.
    pub predicate: Predicate,
    /// `spine_account`: the accounts whose events are asked for; `None` for all that the key may read.
    pub accounts: Option<BTreeSet<String>>,
    /// The order of the answer.
    pub order: Order,
    /// The extension field to order by, in place of `order.by`; the direction is that of `order`.
    pub order_field: Option<OrderField>,
    /// `eventCountLimit`: answers only this many events.
    pub event_count_limit: Option<u64>,
    /// `maxEventCount`: answers an error if more events match.
    pub max_event_count: Option<u64>,
    /// `perPage`: how many events a page has.
    pub per_page: usize,
    /// `nextPageToken`: the page to continue with.
    pub next_page_token: Option<String>,
    /// The cursor after which to continue with newly recorded events: see [`following`](Self::following).
    pub feed_cursor: Option<String>,
}

/// The place where an answer begins.
///
/// Closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// At the first event.
    #[default]
    First,
    /// After a page. Events stored since the first page are not included.
    Behind(Cursor),
    /// After the events seen before. The answer ends at the newest event that there is now.
    Since(Cursor),
}

/// The order of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Order {
    /// The key to order by.
    pub by: OrderBy,
    /// Whether the greatest comes first, such as the latest time.
    pub descending: bool,
}

/// The key that an answer is ordered by. Events of the same time are in the order of their capture.
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum OrderBy {
    /// The order of capture.
    #[default]
    Capture,
    /// `eventTime`
    EventTime,
    /// `recordTime`
    RecordTime,
}

impl Order {
    /// Whether this is the order of recording, oldest first: `orderBy=recordTime&orderDirection=ASC` in a request.
    #[must_use]
    pub fn is_of_recording(self) -> bool {
        self.by == OrderBy::RecordTime && !self.descending
    }
}

impl Default for Query {
    /// Every event, in the order of capture, in pages of [`DEFAULT_PER_PAGE`].
    fn default() -> Self {
        Self {
            predicate: Predicate::default(),
            accounts: None,
            order: Order::default(),
            order_field: None,
            event_count_limit: None,
            max_event_count: None,
            per_page: DEFAULT_PER_PAGE,
            next_page_token: None,
            feed_cursor: None,
        }
    }
}

impl Query {
    /// Reads the parameters of a query.
    ///
    /// **Shape**: an object with parameters as members, lists as arrays (a bare text is a list of one), flags as `true`, `1`,
    /// `null` or `""`; its `@context` binds prefixes.
    ///
    /// **Limits**: 64 parameters, 1,000 values in all.
    ///
    /// # Errors
    /// [`ErrorKind::QueryNotObject`]; [`ErrorKind::NoSuchParameter`], [`ErrorKind::PrefixNotBound`],
    /// [`ErrorKind::RepeatedParameter`] and [`ErrorKind::QueryValue`] by name; [`ErrorKind::ParameterNeeds`] and
    /// [`ErrorKind::ParametersExclude`]; [`ErrorKind::QueryTooComplex`] past the limits.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_text::json::Document; use epcis_edge_gateway::query::Query;
    /// let text = br#"{"MATCH_anyEPC": "urn:epc:idpat:sgtin:4012345.*.*", "EQ_bizStep": ["shipping", "receiving"]}"#;
    /// let query = Query::read(Document::read(text)?.root())?;
    /// assert_eq!(query.predicate.conditions.len(), 2);
    /// let refused = Query::read(Document::read(br#"{"EQ_bizstep": "shipping"}"#)?.root()).unwrap_err();
    /// assert_eq!(refused.to_string(), "there is no query parameter `EQ_bizstep`");
    /// # Ok::<(), epcis_edge_text::error::Error>(())
    /// ```
    ///
    /// **Source**: EPCIS 2.0, 8.2.7.1.
    pub fn read(parameters: Value<'_>) -> Result<Self, Error> {
        parameter::read(parameters)
    }

    /// The query for every event that names an EPC in any role: `MATCH_anyEPC`.
    ///
    /// # Errors
    /// [`ErrorKind::QueryValue`] for an invalid pattern and for an empty text.
    pub fn trace(epc: &str) -> Result<Self, Error> {
        let matcher = parameter::epc_matcher("epc", epc)?;
        let condition = Condition::Term { fields: ANY_EPC.to_vec(), matcher };
        Ok(Self { predicate: Predicate { conditions: vec![condition] }, ..Self::default() })
    }

    /// The query for one event: by its `eventID`, or by the hash of the event as it was sent.
    #[must_use]
    pub fn named(event_id: &str) -> Self {
        Self::named_any([event_id])
    }

    /// The query for the events that have one of several names.
    #[must_use]
    pub fn named_any<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let names = names.into_iter().map(|name| event_name(name).into_owned()).collect();
        Self {
            predicate: Predicate { conditions: vec![Condition::Named(names)] },
            per_page: MAX_PER_PAGE,
            ..Self::default()
        }
    }

    /// The same query with a page size and the token of the page to continue with.
    ///
    /// # Errors
    /// [`ErrorKind::QueryValue`] for a page size of 0. One above [`MAX_PER_PAGE`] becomes that instead.
    pub fn paged(
        mut self,
        per_page: Option<u64>,
        next_page_token: Option<String>,
    ) -> Result<Self, Error> {
        if let Some(per_page) = per_page {
            self.per_page = parameter::page_size("perPage", &per_page.to_string())?;
        }
        if next_page_token.is_some() {
            self.next_page_token = next_page_token;
        }
        Ok(self)
    }

    /// The same query for the events recorded since a cursor was issued.
    ///
    /// # Errors
    /// [`ErrorKind::ParameterNeeds`] for a query that is not in the order of recording, [`ErrorKind::ParametersExclude`] for one
    /// with a limit of its own, or with a page token.
    pub fn following(mut self, feed_cursor: Option<String>) -> Result<Self, Error> {
        let Some(cursor) = feed_cursor else {
            return Ok(self);
        };
        let excludes =
            |other| Err(Error::new(ErrorKind::ParametersExclude { name: FEED_CURSOR, other }));
        if self.next_page_token.is_some() {
            return excludes("nextPageToken");
        }
        if self.event_count_limit.is_some() {
            return excludes("eventCountLimit");
        }
        if self.max_event_count.is_some() {
            return excludes("maxEventCount");
        }
        if !self.order.is_of_recording() {
            return Err(Error::new(ErrorKind::ParameterNeeds {
                name: FEED_CURSOR,
                needs: "orderBy=recordTime&orderDirection=ASC",
            }));
        }
        self.feed_cursor = Some(cursor);
        Ok(self)
    }

    /// Whether its answer has a cursor for later events: it is in the order of recording and has no limit of its own.
    #[must_use]
    pub fn is_feed(&self) -> bool {
        self.order.is_of_recording()
            && self.event_count_limit.is_none()
            && self.max_event_count.is_none()
    }

    /// The place where its page token or feed cursor continues, if it has one.
    ///
    /// # Errors
    /// [`ErrorKind::PageToken`] for a token of another query or key, or one that was altered.
    pub fn start(&self, principal: &Principal) -> Result<Start, Error> {
        let open = |text: &str, purpose: &[u8; 32]| {
            token::open(text, purpose, &principal.digest)
                .ok_or_else(|| Error::new(ErrorKind::PageToken))
        };
        match (&self.next_page_token, &self.feed_cursor) {
            (Some(token), _) => Ok(Start::Behind(open(token, &self.fingerprint())?)),
            (None, Some(cursor)) => Ok(Start::Since(open(cursor, &self.feed_fingerprint())?)),
            (None, None) => Ok(Start::First),
        }
    }

    /// The size of the next page after `answered` events, and how many events are left of `eventCountLimit`.
    pub(crate) fn wanted(&self, answered: u64) -> (usize, Option<u64>) {
        let left = self.event_count_limit.map(|limit| limit.saturating_sub(answered));
        let wanted = left
            .and_then(|left| usize::try_from(left).ok())
            .map_or(self.per_page, |left| left.min(self.per_page));
        (wanted, left)
    }

    /// The token of the page that begins after `cursor`.
    #[must_use]
    pub fn token(&self, cursor: &Cursor, principal: &Principal) -> String {
        token::seal(cursor, &self.fingerprint(), &principal.digest)
    }

    /// The feed cursor for the events after `cursor`. It has no upper end and does not expire.
    #[must_use]
    pub fn feed_token(&self, cursor: &Cursor, principal: &Principal) -> String {
        token::seal(cursor, &self.feed_fingerprint(), &principal.digest)
    }

    /// Its prefix keeps page tokens from being used as feed cursors.
    fn feed_fingerprint(&self) -> [u8; 32] {
        Sha256::new_with_prefix(b"feed").chain_update(self.fingerprint()).finalize().into()
    }

    /// A hash of the question. It does not depend on the order of the parameters or on the page.
    pub(crate) fn fingerprint(&self) -> [u8; 32] {
        let Self { predicate, order, order_field, event_count_limit, max_event_count, .. } = self;
        let accounts = self.accounts.as_ref().map(as_text);
        let limits = (order, order_field, event_count_limit, max_event_count);
        let conditions = predicate.conditions.iter().map(as_text);
        let mut parts: Vec<String> = conditions.chain([as_text(&limits)]).chain(accounts).collect();
        parts.sort_unstable();
        Sha256::digest(parts.join("\n").as_bytes()).into()
    }
}

/// A part of a query as JSON. Writing fails only for maps whose keys are not texts, and a query has none.
fn as_text<T: Serialize>(part: &T) -> String {
    serde_json::to_string(part).ok().known()
}
