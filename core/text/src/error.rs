//! The failures of this crate, their places, and the one table from failure to EPCIS exception.
//!
//! A failure is an [`Error`]: its [`ErrorKind`] carries values, its [`Location`] the place. [`Problem`] is the same failure as
//! every interface shows it: the RFC 7807 problem document, whose `type` callers match on.

mod binding;
mod fault;
mod location;
mod log;
mod problem;
mod words;

pub use binding::BindingFault;
pub use fault::{IdentifierFault, JsonFault, XmlFault};
pub use location::Location;
pub use log::LogFault;
pub use problem::{DocumentError, ExceptionType, Problem};
pub use words::{Quoted, excerpt};

use std::fmt;

/// A failure with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    location: Option<Location>,
}

impl Error {
    /// A failure that has no place in a document.
    #[must_use]
    pub fn new(kind: ErrorKind) -> Self {
        Self { kind, location: None }
    }

    /// The error for a state that should be impossible; it is reported, not replaced by a default.
    pub fn impossible(detail: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Internal { detail: detail.to_string() })
    }

    /// [`ErrorKind::Invalid`].
    #[must_use]
    pub fn invalid(errors: Vec<DocumentError>) -> Self {
        Self::new(ErrorKind::Invalid { errors })
    }

    /// [`ErrorKind::CaptureTooComplex`].
    #[must_use]
    pub fn capture_too_complex(limit: usize, what: &'static str) -> Self {
        Self::new(ErrorKind::CaptureTooComplex { limit, what })
    }

    /// [`ErrorKind::QueryTooComplex`].
    #[must_use]
    pub fn query_too_complex(limit: usize, what: &'static str) -> Self {
        Self::new(ErrorKind::QueryTooComplex { limit, what })
    }

    /// [`ErrorKind::Argument`].
    #[must_use]
    pub fn argument(name: &'static str, found: Option<String>, expected: &'static str) -> Self {
        Self::new(ErrorKind::Argument { name, found, expected })
    }

    /// [`ErrorKind::QueryParameter`].
    pub fn query_parameter(
        name: &'static str,
        found: impl Into<String>,
        expected: &'static str,
    ) -> Self {
        Self::new(ErrorKind::QueryParameter { name, found: found.into(), expected })
    }

    /// [`ErrorKind::QueryValue`].
    pub fn query_value(
        name: impl Into<String>,
        found: impl Into<String>,
        expected: &'static str,
    ) -> Self {
        Self::new(ErrorKind::QueryValue { name: name.into(), found: found.into(), expected })
    }

    /// A failure at a place in a document.
    #[must_use]
    pub fn at(kind: ErrorKind, location: Location) -> Self {
        Self { kind, location: Some(location) }
    }

    /// The same failure at another place.
    pub fn moved_to(self, location: Location) -> Self {
        Self { location: Some(location), ..self }
    }

    /// Details for the log of the service, never for a client.
    pub fn for_the_log(&self) -> Option<&str> {
        match &self.kind {
            ErrorKind::Internal { detail }
            | ErrorKind::Overtaken { detail }
            | ErrorKind::Unavailable { detail, .. }
            | ErrorKind::Unsettled { detail, .. } => Some(detail),
            _ => None,
        }
    }

    /// After how many seconds the same request may succeed; none if it will not.
    #[must_use]
    pub fn retry_after(&self) -> Option<u16> {
        match self.kind {
            ErrorKind::Unavailable { seconds, .. }
            | ErrorKind::Unsettled { seconds, .. }
            | ErrorKind::ReadOnly { seconds }
            | ErrorKind::NoMemory { seconds } => Some(seconds),
            // Rate limits count per minute; an operator may repair the log in that time, too.
            ErrorKind::TooManyRequests
            | ErrorKind::Log(
                LogFault::Halted { .. }
                | LogFault::OtherLog { .. }
                | LogFault::Misconfigured { .. },
            ) => Some(60),
            ErrorKind::Log(LogFault::NotYetLogged { .. }) => Some(2),
            _ => None,
        }
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// The place of the failure in a document, if it has one.
    #[must_use]
    pub fn location(&self) -> Option<&Location> {
        self.location.as_ref()
    }
}

impl From<BindingFault> for Error {
    fn from(fault: BindingFault) -> Self {
        Self::new(ErrorKind::Binding(fault))
    }
}

impl From<LogFault> for Error {
    fn from(fault: LogFault) -> Self {
        Self::new(ErrorKind::Log(fault))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        match &self.location {
            Some(location) => write!(f, ", at {location}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// Every way an operation of this crate can fail.
///
/// Open: later versions add variants.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is not JSON that every JSON reader would read alike.
    #[error(transparent)]
    Json(JsonFault),
    /// The text is not XML that this crate reads as EPCIS.
    #[error(transparent)]
    Xml(XmlFault),
    /// The body is longer than the limit, in bytes.
    #[error("the body is longer than the limit of {limit} bytes")]
    BodyTooLarge {
        /// The largest accepted body, in bytes.
        limit: usize,
    },
    /// The document is too long for the chosen validation engine.
    #[error(
        "the engine `{engine}` accepts documents of at most {limit} bytes, because it needs many times as much memory; without `engine` there is no such limit"
    )]
    TooLongForEngine {
        /// The name of the engine.
        engine: &'static str,
        /// The longest document that it accepts, in bytes.
        limit: usize,
    },
    /// The body stopped before its end.
    #[error("the body is shorter than its Content-Length")]
    BodyIncomplete,
    /// The media type of the body is missing, or this endpoint does not accept it.
    #[error(fmt = words::media_type)]
    MediaType {
        /// The `Content-Type` as sent.
        found: Option<String>,
        /// The accepted types, and where to send other kinds.
        expected: &'static str,
    },
    /// A header of the request contains a character that HTTP does not allow.
    #[error("the header {} holds a control character, expected visible text", Quoted(.name))]
    Header {
        /// The name of the header as sent.
        name: String,
    },
    /// The method or the address of the request cannot be parsed.
    #[error(
        "the method or the address of the request is malformed, expected a path that `GET /` lists"
    )]
    Target,
    /// A query parameter has a value that is not accepted.
    #[error("the parameter `{name}` is {}, expected {expected}", Quoted(.found))]
    QueryParameter {
        /// The name of the parameter.
        name: &'static str,
        /// The value as sent.
        found: String,
        /// The accepted values.
        expected: &'static str,
    },
    /// A query parameter that this endpoint does not have.
    #[error("there is no parameter {}, the parameters are {known}", Quoted(.name))]
    UnknownParameter {
        /// The name as sent.
        name: String,
        /// The parameters of the endpoint.
        known: String,
    },
    /// There is nothing at this path.
    #[error("there is nothing at {}; `GET /` lists what is served", Quoted(.path))]
    NoSuchResource {
        /// The path as sent.
        path: String,
    },
    /// An identifier cannot be converted.
    #[error(transparent)]
    Identifier(IdentifierFault),
    /// The document has no event.
    #[error(
        "no event was found, expected an EPCISDocument, an EPCISQueryDocument, an event or an array of events"
    )]
    NoEvents,
    /// A value in the place of an event is not an object.
    #[error("expected an event: an object with a `type`")]
    NotAnEvent,
    /// The pre-hash strings of a document would be longer than the limit, in bytes.
    #[error("the pre-hash strings of the events are longer than the limit of {limit} bytes")]
    PreHashTooLong {
        /// How long they may be together, in bytes.
        limit: usize,
    },
    /// A message or document has more values and names than there is memory for beside the work on it.
    #[error("the body has more than {limit} values and names, expected several smaller documents")]
    TooManyValues {
        /// How many are allowed.
        limit: usize,
    },
    /// The document has more events than one answer may have.
    #[error("the document has more than {0} events, expected several documents")]
    TooManyEvents(usize),
    /// A member whose name is part of the event hash has a prefix that is not declared.
    #[error(fmt = words::undeclared_prefix)]
    UndeclaredPrefix {
        /// The name as written, shortened.
        name: String,
        /// The address of a context in force there that is not fetched.
        unread: Option<String>,
    },
    /// A member whose name is part of the event hash has a prefix whose namespace is too long.
    #[error("the prefix of {} has a namespace longer than {limit} bytes; use a shorter one", Quoted(.name))]
    NamespaceTooLong {
        /// The name as written, shortened.
        name: String,
        /// How long a namespace may be, in bytes.
        limit: usize,
    },
    /// The value given as a context is not one.
    #[error(
        "this is not a context, expected the address of one, an object that binds prefixes, or an array of these"
    )]
    NotAContext,
    /// The text is not an event hash URI.
    #[error("{} is not an event hash, expected `ni:///sha-256;`, 64 hexadecimal digits and `?ver=CBV2.0`", Quoted(.0))]
    EventHash(String),
    /// The document is invalid and cannot be captured.
    #[error(fmt = words::invalid)]
    Invalid {
        /// One entry for every error, in document order.
        errors: Vec<DocumentError>,
    },
    /// The document has events but is of a kind that cannot be captured, such as an EPCISQueryDocument.
    #[error(
        "the document cannot be captured, expected an EPCISDocument, an event or an array of events"
    )]
    NotCapturable,
    /// The events of one capture would become longer than the limit, in bytes.
    #[error(
        "the events, each with the `@context` of its document, would be longer than the limit of {limit} bytes"
    )]
    CaptureTooLarge {
        /// The longest text stored, in bytes.
        limit: usize,
    },
    /// A document needs more work than its length explains.
    #[error("the document has more than {limit} {what}")]
    CaptureTooComplex {
        /// The limit.
        limit: usize,
        /// The things that were counted.
        what: &'static str,
    },
    /// No capture key was sent.
    #[error("no capture key was sent, expected the header `Authorization: Bearer` with a key")]
    NoKey,
    /// The capture key is malformed, unknown or revoked, or two different keys were sent.
    #[error("the capture key is unknown or revoked")]
    KeyNotValid,
    /// The capture key does not have the right that the request needs.
    #[error("the capture key has no right to `{right}`")]
    Forbidden {
        /// The right.
        right: &'static str,
    },
    /// The query is not a JSON object of parameters.
    #[error("the query is not a JSON object, expected the parameters of SimpleEventQuery by name")]
    QueryNotObject,
    /// A parameter of a query has a value that is not accepted.
    #[error("the parameter {} is {}, expected {expected}", Quoted(.name), Quoted(.found))]
    QueryValue {
        /// The name of the parameter as sent.
        name: String,
        /// The value as sent.
        found: String,
        /// The accepted values.
        expected: &'static str,
    },
    /// The name of an extension field in a query has a prefix that is not bound.
    #[error(
        "the prefix {} of the parameter {} is not bound, expected it in the `@context` of the query, or in the header `GS1-Extensions` of a query string",
        Quoted(.prefix), Quoted(.name)
    )]
    PrefixNotBound {
        /// The name of the parameter as sent.
        name: String,
        /// The prefix.
        prefix: String,
    },
    /// The query language has no parameter of this name.
    #[error("there is no query parameter {}", Quoted(.name))]
    NoSuchParameter {
        /// The name as sent.
        name: String,
    },
    /// A parameter is given without another one that it needs.
    #[error("the parameter `{name}` needs `{needs}`")]
    ParameterNeeds {
        /// The parameter.
        name: &'static str,
        /// The other one.
        needs: &'static str,
    },
    /// Two parameters are given that exclude each other.
    #[error("the parameters `{name}` and `{other}` exclude each other")]
    ParametersExclude {
        /// One of the two.
        name: &'static str,
        /// The other.
        other: &'static str,
    },
    /// The page token was not issued for this query and this key, or was altered.
    #[error(
        "the page token does not belong to this query and this key, expected the `nextPageToken` of the previous page, unchanged"
    )]
    PageToken,
    /// More events match than the query allows, or than are counted.
    #[error("the query matches more than {limit} events")]
    QueryTooLarge {
        /// The limit that was exceeded.
        limit: u64,
    },
    /// The query has more parameters or values than the limit, or needs more data to be read than the limit allows.
    #[error("the query has more than {limit} {what}")]
    QueryTooComplex {
        /// The limit.
        limit: usize,
        /// The things that were counted.
        what: &'static str,
    },
    /// No event has this name, or none that the key may read.
    #[error("there is no event {} in your scope", Quoted(.event_id))]
    NoSuchEvent {
        /// The name as sent.
        event_id: String,
    },
    /// No report has this name.
    #[error("there is no report {}, the reports are fsma204, dscsa, recall and passport", Quoted(.name))]
    NoSuchReport {
        /// The name as sent.
        name: String,
    },
    /// The document has nothing that an exception report could be about.
    #[error("there is nothing to report: {reason}")]
    NothingToReport {
        /// Why.
        reason: String,
    },
    /// An argument of a tool is missing, or has a value that is not accepted.
    #[error(fmt = words::argument)]
    Argument {
        /// The name of the argument.
        name: &'static str,
        /// The value as sent; none if nothing was sent.
        found: Option<String>,
        /// The accepted values.
        expected: &'static str,
    },
    /// An argument that this tool does not have.
    #[error("there is no argument {}, the arguments are {known}", Quoted(.name))]
    UnknownArgument {
        /// The name as sent.
        name: String,
        /// The arguments of the tool.
        known: String,
    },
    /// An argument is given twice, and readers differ in which one counts.
    #[error("the argument {} is given twice", Quoted(.name))]
    RepeatedArgument {
        /// The name as sent.
        name: String,
    },
    /// A parameter of a query is given twice.
    #[error("the parameter {} is given twice", Quoted(.name))]
    RepeatedParameter {
        /// The name as sent.
        name: String,
    },
    /// The tool is listed but always refuses.
    #[error("{instead}")]
    ToolNotServed {
        /// The tool.
        tool: &'static str,
        /// The reason, and what to do instead.
        instead: String,
    },
    /// The request comes from a page of an origin that is not allowed.
    #[error("pages of the origin {} may not call this service", Quoted(.found))]
    ForeignOrigin {
        /// The `Origin` as sent.
        found: String,
    },
    /// The `Host` of the request is not a name of this service, as when a page rebinds its own name to this machine.
    #[error("the request is addressed to {}, but this local service answers only to loopback names such as localhost", Quoted(.found))]
    ForeignHost {
        /// The `Host` as sent.
        found: String,
    },
    /// The caller is over the rate limit.
    #[error(
        "too many requests, or too large ones, came from this address: wait a minute and ask again"
    )]
    TooManyRequests,
    /// The path exists, but not with this method.
    #[error("the method {} is not served here, allowed are {allowed}", Quoted(.found))]
    Method {
        /// The method as sent.
        found: String,
        /// The methods that the path has, as in the `Allow` header.
        allowed: String,
    },
    /// A request of the REST binding is refused.
    #[error(transparent)]
    Binding(BindingFault),
    /// Something is wrong with the transparency log, or with a proof, policy or witness.
    #[error(transparent)]
    Log(LogFault),
    /// A pack of checks contains something that the language does not have.
    #[error("the pack has {} here, expected {expected}", Quoted(.found))]
    Pack {
        /// The value as written, shortened.
        found: String,
        /// The accepted values.
        expected: String,
    },
    /// A name or value given for the parameters of packs of checks is refused.
    #[error("the argument `parameters` has {}, expected {expected}", Quoted(.found))]
    Parameters {
        /// The name or the value as written, shortened.
        found: String,
        /// The accepted ones.
        expected: String,
    },
    /// A pack of checks takes more steps on a document than allowed.
    #[error(
        "the rules of the pack take more than {limit} steps on this document; the last at work was {}: use fewer conditions or texts, or check the document in parts",
        Quoted(.rule)
    )]
    PackTooCostly {
        /// How many steps are allowed.
        limit: u64,
        /// The rule that was at work: the name of its pack, `/`, and its own. The name of the pack alone if it was at work for all of
        /// its rules.
        rule: String,
    },
    /// There is no pack of checks with this name.
    #[error("there is no pack {}, the packs are {known}", Quoted(.name))]
    NoSuchPack {
        /// Its name as given.
        name: String,
        /// The names of the packs.
        known: String,
    },
    /// The store is not available for now: it cannot be reached, has no room, or other requests blocked it for too long.
    #[error("the store is not available for now: send the same request again in {seconds} seconds")]
    Unavailable {
        /// After how many seconds callers may try again.
        seconds: u16,
        /// For the log, never for the client.
        detail: String,
    },
    /// The connection to the store was lost during a capture: it is not known for now whether the capture was stored.
    #[error(
        "the store is not available for now, and the capture may have been stored: send the same request again in {seconds} \
         seconds; no event is stored twice"
    )]
    Unsettled {
        /// After how many seconds callers may try again.
        seconds: u16,
        /// For the log, never for the client.
        detail: String,
    },
    /// The deployment accepts only queries for now, such as while its store is moved.
    #[error(
        "this service is read-only for now, nothing is stored: send the request again in {seconds} seconds"
    )]
    ReadOnly {
        /// After how many seconds callers may try again.
        seconds: u16,
    },
    /// There is no memory for the body of a request beside other requests.
    #[error(
        "there is not enough memory for this body beside the other requests, so it was not processed: send it again in a few seconds, or send less at once"
    )]
    NoMemory {
        /// After how many seconds callers may try again.
        seconds: u16,
    },
    /// Another transaction was first: the database has more than a capture expected, or the log has grown meanwhile. A store tries
    /// again where that helps.
    #[error("an unexpected error, nothing was changed")]
    Overtaken {
        /// For the log, never for the client.
        detail: String,
    },
    /// A state occurred that this crate considers impossible.
    #[error("an unexpected error, nothing was changed")]
    Internal {
        /// For the log, never for the client.
        detail: String,
    },
}
