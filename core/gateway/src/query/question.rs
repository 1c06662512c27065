//! A query as it was sent, and the token that carries it from page to page.
//!
//! The token of the REST binding is self-contained: a client needs to send no query with it.
//!
//! Why do page tokens of the REST binding hold the query?
//! Clients read `Link` in different ways, and one client follows only an address whose single parameter is the token. A table of
//! tokens would be state that any client can make grow.

use super::token::{self, decrypt, encrypt};
use super::{Cursor, DEFAULT_PER_PAGE, Query};
use crate::call::Principal;
use data_encoding::BASE64URL_NOPAD;
use epcis_edge_text::error::{BindingFault, Error, ErrorKind};
use epcis_edge_text::json::Document;
use epcis_edge_text::slice::OrEmpty;
use epcis_edge_text::time::Timestamp;

/// How long a page token is valid, in milliseconds: a day.
pub const TOKEN_LIFE: u64 = 86_400_000;

/// The longest question that a token can carry, in bytes.
const MAX_CARRIED: usize = 3 << 10;

/// The purposes of tokens: pages, and feed cursors.
const PAGES: &str = "events";
const FEEDS: &str = "feed";

/// The longest token that is accepted, in bytes.
const MAX_TOKEN: usize = 8 << 10;

/// The query whose name is predefined.
pub const SIMPLE_EVENT_QUERY: &str = "SimpleEventQuery";

/// A query as it was sent: parts whose parameters must all hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The name of the query, if it has one.
    pub name: Option<String>,
    /// JSON objects of parameters: see [`Query::read`].
    pub parts: Vec<String>,
}

impl Question {
    /// Whether there are no parameters at all.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.parts.is_empty()
    }

    /// The name of the query in answers.
    #[must_use]
    pub fn query_name(&self) -> &str {
        self.name.as_deref().unwrap_or(SIMPLE_EVENT_QUERY)
    }

    /// The query: the order and the limits are those of the first part, the conditions and the accounts those that all parts allow.
    ///
    /// # Errors
    /// As [`Query::read`].
    pub fn query(&self) -> Result<Query, Error> {
        let mut query: Option<Query> = None;
        for part in &self.parts {
            let read = Query::read(Document::read_text(part)?.root())?;
            match &mut query {
                None => query = Some(read),
                Some(query) => {
                    query.predicate.conditions.extend(read.predicate.conditions);
                    query.accounts = match (query.accounts.take(), read.accounts) {
                        (Some(some), Some(others)) => Some(&some & &others),
                        (some, others) => some.or(others),
                    };
                }
            }
        }
        Ok(query.or_empty())
    }

    fn text(&self) -> String {
        serde_json::json!([self.name, self.parts]).to_string()
    }

    fn of(text: &str) -> Option<Self> {
        let (name, parts) = serde_json::from_str(text).ok()?;
        Some(Self { name, parts })
    }
}

/// The place where an answer continues, with everything needed to continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The question; `None` if it is too long for a token.
    pub question: Option<Question>,
    /// How many events a page has.
    pub per_page: usize,
    /// The place to continue from.
    pub cursor: Cursor,
    fingerprint: [u8; 32],
}

/// The holder of a token: a key of a gateway, and the present time.
#[derive(Clone, Copy, Debug)]
pub struct Holder<'c> {
    /// The namespace of the gateway, different for each gateway.
    pub gateway: &'c str,
    /// The principal who holds the key.
    pub principal: &'c Principal,
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub now: u64,
}

impl Holder<'_> {
    /// When a token that is made now expires.
    #[must_use]
    pub fn expires(&self) -> Timestamp {
        Timestamp::from_milliseconds(self.now + TOKEN_LIFE)
    }

    /// A token: an expiry time and a text, encrypted, in base64url without padding.
    fn seal(&self, purpose: &str, expires: u64, text: &[u8]) -> String {
        let mut bytes = expires.to_be_bytes().to_vec();
        bytes.extend_from_slice(text);
        let sealed = encrypt(&bytes, &self.bound_to(purpose), &self.principal.digest);
        BASE64URL_NOPAD.encode(&sealed)
    }

    /// # Errors
    /// [`ErrorKind::PageToken`], [`BindingFault::PageTokenExpired`].
    fn open(&self, purpose: &str, token: &str) -> Result<Vec<u8>, Error> {
        let refused = || Error::new(ErrorKind::PageToken);
        if token.len() > MAX_TOKEN {
            return Err(refused());
        }
        let sealed = BASE64URL_NOPAD.decode(token.as_bytes()).map_err(|_| refused())?;
        let digest = &self.principal.digest;
        let mut bytes = decrypt(&sealed, &self.bound_to(purpose), digest).ok_or_else(refused)?;
        if bytes.len() < 8 {
            return Err(refused());
        }
        let rest = bytes.split_off(8);
        let expires = bytes.try_into().map(u64::from_be_bytes);
        if expires.is_ok_and(|expires| expires < self.now) {
            return Err(BindingFault::PageTokenExpired.into());
        }
        Ok(rest)
    }

    fn bound_to(&self, purpose: &str) -> Vec<u8> {
        format!("rest {purpose} {}", self.gateway).into_bytes()
    }

    /// The token of a place in a list, with the number of entries per page.
    #[must_use]
    pub fn place_token(&self, list: &str, per_page: usize, place: &str) -> String {
        let text = format!("{per_page} {place}");
        let expires = self.now + TOKEN_LIFE;
        self.seal(&format!("page of {list}"), expires, text.as_bytes())
    }

    /// The page size and the place in a list that a token contains.
    ///
    /// # Errors
    /// [`ErrorKind::PageToken`] for a token of another list, key or gateway, or one that was altered;
    /// [`BindingFault::PageTokenExpired`].
    pub fn place(&self, list: &str, token: &str) -> Result<(usize, String), Error> {
        let bytes = self.open(&format!("page of {list}"), token)?;
        let text = std::str::from_utf8(&bytes).ok();
        let parts = text.and_then(|text| text.split_once(' '));
        let place = parts.and_then(|(size, place)| Some((size.parse().ok()?, place.to_owned())));
        place.ok_or_else(|| Error::new(ErrorKind::PageToken))
    }

    /// The page size of a list, and the place after which the page begins; `None` for the first page.
    ///
    /// # Errors
    /// As [`place`](Self::place); [`ErrorKind::QueryValue`] for a page size other than that of the token.
    pub fn page(
        &self,
        list: &str,
        per_page: Option<usize>,
        token: Option<&str>,
    ) -> Result<(usize, Option<String>), Error> {
        let Some(token) = token else {
            return Ok((per_page.unwrap_or(DEFAULT_PER_PAGE), None));
        };
        let (size, place) = self.place(list, token)?;
        require_size(per_page, size)?;
        Ok((size, Some(place)))
    }
}

/// Refuses a page size that differs from that of the page token.
///
/// # Errors
/// [`ErrorKind::QueryValue`].
pub(crate) fn require_size(found: Option<usize>, size: usize) -> Result<(), Error> {
    match found {
        Some(found) if found != size => Err(Error::query_value(
            "perPage".to_owned(),
            found.to_string(),
            "none beside a page token, or the one that the token was made with",
        )),
        _ => Ok(()),
    }
}

impl Continuation {
    /// The continuation after a page of a query.
    #[must_use]
    pub fn of(question: &Question, query: &Query, cursor: Cursor) -> Self {
        Self {
            question: Some(question.clone()).filter(|asked| asked.text().len() <= MAX_CARRIED),
            per_page: query.per_page,
            cursor,
            fingerprint: query.fingerprint(),
        }
    }

    /// Whether this continues the answer to a query.
    #[must_use]
    pub fn belongs_to(&self, query: &Query) -> bool {
        self.fingerprint == query.fingerprint()
    }

    /// The page token: valid for one query of one key at one gateway, for a day.
    #[must_use]
    pub fn token(&self, holder: &Holder<'_>) -> String {
        holder.seal(PAGES, holder.now + TOKEN_LIFE, &self.bytes())
    }

    /// The feed cursor: valid for one query of one key at one gateway, without expiry.
    #[must_use]
    pub fn feed_token(&self, holder: &Holder<'_>) -> String {
        holder.seal(FEEDS, u64::MAX, &self.bytes())
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        token::write(&self.cursor, &mut bytes);
        bytes.extend_from_slice(&(self.per_page as u64).to_be_bytes());
        bytes.extend_from_slice(&self.fingerprint);
        if let Some(question) = &self.question {
            bytes.extend_from_slice(question.text().as_bytes());
        }
        bytes
    }

    /// Reads a page token.
    ///
    /// # Errors
    /// [`ErrorKind::PageToken`] for a token of another key or gateway, or one that was altered;
    /// [`BindingFault::PageTokenExpired`].
    pub fn open(token: &str, holder: &Holder<'_>) -> Result<Self, Error> {
        let bytes = holder.open(PAGES, token)?;
        Self::read(&bytes).ok_or_else(|| Error::new(ErrorKind::PageToken))
    }

    /// Reads a feed cursor: see [`feed_token`](Self::feed_token).
    ///
    /// # Errors
    /// As [`open`](Self::open), except that it does not expire.
    pub fn open_feed(token: &str, holder: &Holder<'_>) -> Result<Self, Error> {
        let bytes = holder.open(FEEDS, token)?;
        Self::read(&bytes).ok_or_else(|| Error::new(ErrorKind::PageToken))
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (cursor, rest) = token::read(bytes)?;
        let (per_page, rest) = token::read_number(rest)?;
        let (fingerprint, question) = rest.split_first_chunk::<32>()?;
        Some(Self {
            question: match question {
                [] => None,
                text => Some(Question::of(std::str::from_utf8(text).ok()?)?),
            },
            per_page: usize::try_from(per_page).ok()?,
            cursor,
            fingerprint: *fingerprint,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Places;

    #[test]
    fn a_token_serves_one_key_of_one_gateway_for_a_day() {
        let mut principal = Principal::local("https://a.example/1", "https://a.example/dock");
        let question =
            Question { name: None, parts: vec![r#"{"EQ_bizStep":["shipping"]}"#.to_owned()] };
        let query = question.query().unwrap();
        for time in [None, Timestamp::parse("2026-03-04T11:00:30.123456789Z")] {
            let cursor = Cursor {
                sequence: 31,
                time,
                since: Places::at(3_000_000_001),
                upper: Places::at(40),
                master: Places::at(7),
                answered: 30,
                leaves: None,
            };
            let continuation = Continuation::of(&question, &query, cursor);
            let holder =
                Holder { gateway: "https://g.example/ns/", principal: &principal, now: 1000 };
            let token = continuation.token(&holder);
            assert!(!token.contains(['=', '+', '/']));
            assert_eq!(Continuation::open(&token, &holder).unwrap(), continuation);
            let at = |now, gateway| {
                let holder = Holder { gateway, now, ..holder };
                Continuation::open(&token, &holder).map_err(|error| error.kind().clone())
            };
            let expired = ErrorKind::Binding(BindingFault::PageTokenExpired);
            let feed = continuation.feed_token(&holder);
            let later = Holder { now: u64::MAX, ..holder };
            assert_eq!(Continuation::open_feed(&feed, &later).unwrap(), continuation);
            assert!(Continuation::open_feed(&token, &holder).is_err());
            assert!(Continuation::open(&feed, &holder).is_err());
            let until = 1000 + TOKEN_LIFE;
            assert!(at(until, holder.gateway).is_ok());
            assert_eq!(at(until + 1, holder.gateway), Err(expired));
            assert_eq!(at(1000, "https://h.example/ns/"), Err(ErrorKind::PageToken));
            assert!(holder.place("jobs", &token).is_err());
            for at in 0..token.len() {
                let mut altered = token.clone().into_bytes();
                altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
                let altered = String::from_utf8(altered).unwrap();
                assert!(Continuation::open(&altered, &holder).is_err(), "{at}");
                assert!(Continuation::open(token.split_at(at).0, &holder).is_err());
            }
        }
        let place = |principal: &Principal, list| {
            let gateway = "https://g.example/ns/";
            let holder = Holder { gateway, principal, now: 0 };
            let token = holder.place_token("jobs", 30, "7 8");
            (holder.place(list, &token).ok(), token)
        };
        let (found, token) = place(&principal, "jobs");
        assert_eq!(found, Some((30, "7 8".to_owned())));
        assert_eq!(place(&principal, "queries").0, None);
        principal.digest = [1; 32];
        assert_ne!(place(&principal, "jobs").1, token);
    }
}
