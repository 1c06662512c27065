//! The answer of queries: an EPCISQueryDocument.

use crate::query::{FEED_CURSOR, SIMPLE_EVENT_QUERY};
use epcis_edge_text::error::Error;
use epcis_edge_text::time::Timestamp;
use serde::Serialize;
use serde::ser::{SerializeStruct as _, Serializer};
use serde_json::value::RawValue;

/// The result of a query.
///
/// **Shape**: serialised as the document, or as `{"type": "EMPTY", "message": …}`.
///
/// Closed.
#[derive(Clone, Debug)]
pub enum Found {
    /// Nothing was found in scope.
    Empty {
        /// A message for people.
        message: &'static str,
        /// The token for events recorded later; only in an answer in the order of recording.
        feed_cursor: Option<String>,
    },
    /// A page of events.
    Page(QueryDocument),
}

/// A page of events, as an EPCISQueryDocument.
///
/// **Shape**: every event has its own `@context`; the document has the member `nextPageToken` if there are more events.
///
/// **Source**: EPCIS 2.0, 9 (JSON bindings) and 8.2.7 (results).
#[derive(Clone, Debug)]
pub struct QueryDocument {
    /// When the answer was made.
    pub creation_date: Timestamp,
    /// The events, byte for byte as they are stored.
    pub events: Vec<Box<RawValue>>,
    /// The name of the query that this answers.
    pub query_name: String,
    /// The token for the next page; `None` on the last.
    pub next_page_token: Option<String>,
    /// The token for events recorded after this page; only in an answer in the order of recording.
    pub feed_cursor: Option<String>,
}

impl QueryDocument {
    /// Whether the query found nothing. An empty page after an earlier one is just the last page.
    pub(super) fn is_nothing(&self, is_later: bool) -> bool {
        !is_later && self.events.is_empty() && self.next_page_token.is_none()
    }

    pub(super) fn new(creation_date: Timestamp, events: Vec<String>) -> Result<Self, Error> {
        let raw = |event: String| {
            RawValue::from_string(event)
                .map_err(|error| Error::impossible(format!("a stored event is no JSON: {error}")))
        };
        Ok(Self {
            creation_date,
            events: events.into_iter().map(raw).collect::<Result<_, _>>()?,
            query_name: SIMPLE_EVENT_QUERY.to_owned(),
            next_page_token: None,
            feed_cursor: None,
        })
    }
}

impl Serialize for Found {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Page(document) => document.serialize(serializer),
            Self::Empty { message, feed_cursor } => {
                let members = 2 + usize::from(feed_cursor.is_some());
                let mut empty = serializer.serialize_struct("Empty", members)?;
                empty.serialize_field("type", "EMPTY")?;
                empty.serialize_field("message", message)?;
                match feed_cursor {
                    Some(cursor) => empty.serialize_field(FEED_CURSOR, cursor)?,
                    None => empty.skip_field(FEED_CURSOR)?,
                }
                empty.end()
            }
        }
    }
}

const CONTEXT: [&str; 1] = ["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld"];

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    query_results: Results<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Results<'a> {
    query_name: &'a str,
    results_body: ResultsBody<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultsBody<'a> {
    event_list: &'a [Box<RawValue>],
}

impl Serialize for QueryDocument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let members = 5
            + usize::from(self.next_page_token.is_some())
            + usize::from(self.feed_cursor.is_some());
        let mut document = serializer.serialize_struct("EPCISQueryDocument", members)?;
        document.serialize_field("@context", &CONTEXT)?;
        document.serialize_field("type", "EPCISQueryDocument")?;
        document.serialize_field("schemaVersion", "2.0")?;
        document.serialize_field("creationDate", &self.creation_date.to_string())?;
        let body = Body {
            query_results: Results {
                query_name: &self.query_name,
                results_body: ResultsBody { event_list: &self.events },
            },
        };
        document.serialize_field("epcisBody", &body)?;
        match &self.next_page_token {
            Some(token) => document.serialize_field("nextPageToken", token)?,
            None => document.skip_field("nextPageToken")?,
        }
        match &self.feed_cursor {
            Some(cursor) => document.serialize_field(FEED_CURSOR, cursor)?,
            None => document.skip_field(FEED_CURSOR)?,
        }
        document.end()
    }
}
