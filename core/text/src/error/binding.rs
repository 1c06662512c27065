//! Failures that only the endpoints of the standard's REST binding have.

use super::{DocumentError, ExceptionType, Quoted};
use std::fmt::{self, Formatter};

/// The reason why a request of the REST binding is refused.
///
/// Open: later versions add variants.
///
/// **Source**: EPCIS 2.0, 12 (REST bindings).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BindingFault {
    /// A header asks for something that is not served.
    #[error("the header `{header}` is {}, but only {expected} can be served", Quoted(.found))]
    NotAcceptable {
        /// The name of the header.
        header: &'static str,
        /// Its value as sent.
        found: String,
        /// What is served.
        expected: &'static str,
    },
    /// A header has a value that cannot be parsed.
    #[error("the header `{header}` is {}, expected {expected}", Quoted(.found))]
    HeaderValue {
        /// The name of the header.
        header: &'static str,
        /// Its value as sent.
        found: String,
        /// The accepted values.
        expected: &'static str,
    },
    /// The same event is already stored.
    #[error("the event {} is stored already", Quoted(.event_id))]
    EventExists {
        /// Its `eventID`.
        event_id: String,
        /// The address of the stored event.
        instance: String,
        /// The members in which the sent event differs from the stored one; the event hash does not cover them.
        differs: Vec<DocumentError>,
    },
    /// Another event has this name.
    #[error(
        "another event already has the `eventID` {}, expected a different one: only error declarations may repeat an `eventID`",
        Quoted(.event_id)
    )]
    NameTaken {
        /// The `eventID`.
        event_id: String,
        /// The address of the event that has it.
        instance: String,
    },
    /// A query with this name exists already.
    #[error("a query {} exists already", Quoted(.name))]
    QueryExists {
        /// The name of the query.
        name: String,
        /// The address of the query.
        instance: String,
    },
    /// No query of the account has this name.
    #[error("there is no query {}", Quoted(.name))]
    NoSuchName {
        /// The name as sent.
        name: String,
    },
    /// No capture job of the account has this name.
    #[error("there is no capture job {}", Quoted(.id))]
    NoSuchJob {
        /// The name as sent.
        id: String,
    },
    /// No subscription has this name: subscriptions are not supported.
    #[error("there is no subscription {}, this service has no subscriptions", Quoted(.id))]
    NoSuchSubscription {
        /// The name as sent.
        id: String,
    },
    /// The predefined query cannot be removed.
    #[error("the query `SimpleEventQuery` is predefined and cannot be removed")]
    Predefined,
    /// The name of a query is missing or not allowed.
    #[error(fmt = query_name)]
    QueryName {
        /// The name as sent; none if it is missing.
        found: Option<String>,
    },
    /// The body is not the definition of a query.
    #[error("the body is not a query, expected an object with only the members `name` and `query`")]
    QueryDefinition,
    /// The account has as many named queries as allowed.
    #[error("the account already has {limit} queries, the maximum: delete one first")]
    TooManyQueries {
        /// How many are allowed.
        limit: usize,
    },
    /// The definition of a query is longer than the limit, in bytes.
    #[error("the query is longer than the limit of {limit} bytes")]
    QueryTooLong {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The query string is longer than the limit, in bytes.
    #[error(
        "the query string is longer than the limit of {limit} bytes: use a named query instead"
    )]
    UriTooLong {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The body is compressed.
    #[error("the body has the Content-Encoding {}, expected an uncompressed body", Quoted(.found))]
    ContentEncoding {
        /// The `Content-Encoding` as sent.
        found: String,
    },
    /// The document has more events than one capture accepts.
    #[error(
        "the document has more than {limit} events, the limit of one capture, expected several documents"
    )]
    TooManyEvents {
        /// How many one capture accepts.
        limit: usize,
    },
    /// The body is not a bare event.
    #[error(
        "the body is not a bare event, expected one event with its `@context` and its `type`; send documents to /capture"
    )]
    NotABareEvent,
    /// The value in the path cannot be the name of anything.
    #[error("the path names {}, expected {expected}", Quoted(.found))]
    PathValue {
        /// The value as sent.
        found: String,
        /// The accepted values.
        expected: &'static str,
    },
    /// The page token has expired.
    #[error(
        "the page token has expired: send the query again; GS1-Next-Page-Token-Expires says until when a token is valid"
    )]
    PageTokenExpired,
    /// A resource or request of the standard that this service does not serve.
    #[error("{what}, {instead}")]
    NotServed {
        /// The resource or request, as the beginning of a sentence.
        what: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
}

impl BindingFault {
    /// The exception type, HTTP status and title.
    pub(super) fn row(&self) -> (ExceptionType, u16, &'static str) {
        use ExceptionType as E;
        match self {
            Self::NotAcceptable { .. } => {
                (E::NotAcceptable, 406, "Conflicting request and response headers")
            }
            Self::HeaderValue { .. } => (E::Validation, 400, "Malformed request"),
            Self::EventExists { .. } | Self::NameTaken { .. } | Self::QueryExists { .. } => {
                (E::ResourceAlreadyExists, 409, "Resource already exists")
            }
            Self::NoSuchName { .. } => (E::NoSuchName, 404, "Resource not found"),
            Self::NoSuchJob { .. } | Self::NoSuchSubscription { .. } | Self::PathValue { .. } => {
                (E::NoSuchResource, 404, "Resource not found")
            }
            Self::Predefined => (E::Security, 403, "Access to resource forbidden"),
            Self::QueryName { .. } | Self::QueryDefinition => {
                (E::QueryValidation, 400, "Not a query")
            }
            Self::TooManyQueries { .. } | Self::QueryTooLong { .. } => {
                (E::QueryTooComplex, 413, "Query too complex")
            }
            Self::UriTooLong { .. } => (E::UriTooLong, 414, "URI Too Long"),
            Self::ContentEncoding { .. } => {
                (E::UnsupportedMediaType, 415, "Unsupported Media Type")
            }
            Self::TooManyEvents { .. } => {
                (E::CaptureLimitExceeded, 413, "Capture Payload too large")
            }
            Self::NotABareEvent => (E::Validation, 400, "Not an event"),
            Self::PageTokenExpired => (E::QueryParameter, 400, "Query parameter refused"),
            Self::NotServed { .. } => (E::Implementation, 501, "Not served"),
        }
    }

    /// The address of the thing that the refusal is about.
    pub(super) fn instance(&self) -> Option<&str> {
        match self {
            Self::EventExists { instance, .. }
            | Self::NameTaken { instance, .. }
            | Self::QueryExists { instance, .. } => Some(instance),
            _ => None,
        }
    }

    /// The differences, by their paths.
    pub(super) fn findings(&self) -> &[DocumentError] {
        match self {
            Self::EventExists { differs, .. } => differs,
            _ => &[],
        }
    }
}

fn query_name(found: &Option<String>, f: &mut Formatter<'_>) -> fmt::Result {
    match found {
        None => f.write_str("the query has no name, expected the member `name` as a string"),
        Some(found) => write!(
            f,
            "the name of the query is {}, expected 1 to 255 bytes that make one segment of a path",
            Quoted(found)
        ),
    }
}
