//! What can go wrong, where, and the one table from failure to EPCIS exception.
//!
//! A failure is an [`Error`]: its [`ErrorKind`] carries values, its [`Location`] says where.
//! [`Problem`] is the same failure as every face shows it: the RFC 7807 problem document whose `type` callers match on.

mod binding;
mod fault;
mod problem;

pub use binding::BindingFault;
pub use fault::{IdentifierFault, JsonFault, XmlFault};
pub use problem::{ExceptionType, Finding, Problem};

use serde::Serialize;
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
        Self {
            kind,
            location: None,
        }
    }

    /// A failure at a place in a document.
    #[must_use]
    pub fn at(kind: ErrorKind, location: Location) -> Self {
        Self {
            kind,
            location: Some(location),
        }
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// Where it went wrong, when it was at a place in a document.
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

/// A place in a document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Location {
    /// Of a JSON text the JSON Pointer (RFC 6901) of the innermost value that was being read, of an XML text the path of the
    /// innermost open element; `""` is the root.
    pub path: String,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in bytes of UTF-8, counted from 1.
    pub column: usize,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} column {}", self.line, self.column)?;
        if self.path.is_empty() {
            return Ok(());
        }
        write!(f, ", in {}", Quoted(&self.path))
    }
}

/// Every way an operation of this crate can fail.
///
/// Open: later versions add variants.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is no JSON document that every JSON reader would read alike.
    Json(JsonFault),
    /// The text is no XML document that this crate reads as EPCIS.
    Xml(XmlFault),
    /// The body is longer than the limit, in bytes.
    BodyTooLarge {
        /// The largest body taken, in bytes.
        limit: usize,
    },
    /// The document is longer than an engine for verdicts takes.
    TooLongForEngine {
        /// The name of the engine.
        engine: &'static str,
        /// The longest document that it takes, in bytes.
        limit: usize,
    },
    /// The body stopped before its end.
    BodyIncomplete,
    /// The media type of the body is missing, or is not one that this door takes.
    MediaType {
        /// The `Content-Type` as sent.
        found: Option<String>,
        /// What the door takes, and where the other kinds belong.
        expected: &'static str,
    },
    /// A header of the request holds what HTTP does not allow.
    Header {
        /// Its name as sent.
        name: String,
    },
    /// The method or the address of the request does not read.
    Target,
    /// A query parameter has a value that cannot be served.
    QueryParameter {
        /// The name of the parameter.
        name: &'static str,
        /// The value as sent.
        found: String,
        /// What would be served.
        expected: &'static str,
    },
    /// A query parameter that this door does not have.
    UnknownParameter {
        /// Its name as sent.
        name: String,
        /// The names that the door has.
        known: String,
    },
    /// There is nothing at this path.
    NoSuchResource {
        /// The path as sent.
        path: String,
    },
    /// An identifier cannot be converted.
    Identifier(IdentifierFault),
    /// The document holds no event.
    NoEvents,
    /// Something else than an object stands where an event must.
    NotAnEvent,
    /// The pre-hash strings of a document would be longer than the limit, in bytes.
    PreHashTooLong {
        /// How long they may be together, in bytes.
        limit: usize,
    },
    /// A message has more values than are held beside what its tool needs.
    TooManyValues {
        /// How many are held.
        limit: usize,
    },
    /// The document has more events than are answered in one answer.
    TooManyEvents {
        /// How many are answered.
        limit: usize,
    },
    /// A member whose name counts in the event hash has a prefix that nobody declares.
    UndeclaredPrefix {
        /// The name as written, cut.
        name: String,
        /// The address of a context that is in force there and is not read.
        unread: Option<String>,
    },
    /// A member whose name counts in the event hash has a prefix that stands for more than a namespace has.
    NamespaceTooLong {
        /// The name as written, cut.
        name: String,
        /// How long a namespace may be, in bytes.
        limit: usize,
    },
    /// What is given as a context is none.
    NotAContext,
    /// The text is no event hash URI.
    EventHash {
        /// The text as given.
        found: String,
    },
    /// The document cannot be captured: what is wrong with it, by its paths.
    Invalid {
        /// One entry for every thing that is wrong, in document order.
        errors: Vec<Finding>,
    },
    /// The document is an EPCISQueryDocument or something else that holds events but is nobody's to capture.
    NotCapturable,
    /// The events of one capture would become longer than the limit, in bytes.
    CaptureTooLarge {
        /// The longest text stored, in bytes.
        limit: usize,
    },
    /// A capture asks for more work than its length explains.
    CaptureTooComplex {
        /// The largest number.
        limit: usize,
        /// Of what.
        what: &'static str,
    },
    /// No capture key was sent.
    NoKey,
    /// The capture key is not one that is in force.
    KeyNotValid,
    /// The capture key has not the right that this needs.
    Forbidden {
        /// The right.
        right: &'static str,
    },
    /// The query is no JSON object of parameters.
    QueryNotObject,
    /// A parameter of a query has a value that cannot be served.
    QueryValue {
        /// The name of the parameter as sent.
        name: String,
        /// The value as sent.
        found: String,
        /// What would be served.
        expected: &'static str,
    },
    /// A parameter of the query language that this service does not serve.
    ParameterNotServed {
        /// Its name as sent.
        name: String,
    },
    /// A name that is no parameter of the query language.
    NoSuchParameter {
        /// Its name as sent.
        name: String,
    },
    /// A parameter is given without another one that it needs.
    ParameterNeeds {
        /// The parameter.
        name: &'static str,
        /// The other one.
        needs: &'static str,
    },
    /// Two parameters are given that exclude each other.
    ParametersExclude {
        /// The one.
        name: &'static str,
        /// The other.
        other: &'static str,
    },
    /// The page token was not given out for this query and this key, or was changed.
    PageToken,
    /// More events match than were asked for at most, or than are counted.
    QueryTooLarge {
        /// The number that was passed.
        limit: u64,
    },
    /// The query has more parameters or values than are served.
    QueryTooComplex {
        /// How many are served.
        limit: usize,
        /// Of what.
        what: &'static str,
    },
    /// No event of this name is there, or none that the key may read.
    NoSuchEvent {
        /// The name as sent.
        event_id: String,
    },
    /// An argument of a tool is missing, or has a value that cannot be served.
    Argument {
        /// The name of the argument.
        name: &'static str,
        /// What was sent; none where nothing was.
        found: Option<String>,
        /// What would be served.
        expected: &'static str,
    },
    /// An argument that this tool does not have.
    UnknownArgument {
        /// Its name as sent.
        name: String,
        /// The names that the tool has.
        known: String,
    },
    /// An argument that is given twice: readers differ in which one counts.
    RepeatedArgument {
        /// Its name as sent.
        name: String,
    },
    /// A parameter of a query that is given twice.
    RepeatedParameter {
        /// Its name as sent.
        name: String,
    },
    /// A tool that is listed, and always refuses.
    ToolNotServed {
        /// The tool.
        tool: &'static str,
        /// Why, and what to do.
        instead: String,
    },
    /// The page that asks is of an origin that may not.
    ForeignOrigin {
        /// The `Origin` as sent.
        found: String,
    },
    /// The request was sent to a name that is not this service's, as when a page rebinds its own name to this machine.
    ForeignHost {
        /// The `Host` as sent.
        found: String,
    },
    /// The caller asks more often than the service answers.
    TooManyRequests,
    /// The path exists, the method does not.
    Method {
        /// The method as sent.
        found: String,
        /// The methods that the path has, as in the `Allow` header.
        allowed: String,
    },
    /// A request of the REST binding asks for what it does not give.
    Binding(BindingFault),
    /// Something that this crate holds impossible happened.
    Internal {
        /// For the log, never for the client.
        detail: String,
    },
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(fault) => fault.fmt(f),
            Self::Xml(fault) => fault.fmt(f),
            Self::BodyTooLarge { limit } => {
                write!(f, "the body is longer than the limit of {limit} bytes")
            }
            Self::TooLongForEngine { engine, limit } => write!(
                f,
                "the engine `{engine}` takes documents of at most {limit} bytes, since its memory grows many times faster than they do; \
                 without `engine` there is no such limit"
            ),
            Self::BodyIncomplete => f.write_str("the body ended before its announced length"),
            Self::MediaType {
                found: None,
                expected,
            } => write!(f, "no Content-Type was sent, {expected}"),
            Self::MediaType {
                found: Some(found),
                expected,
            } => {
                write!(
                    f,
                    "the Content-Type {} is not served here, {expected}",
                    Quoted(found)
                )
            }
            Self::Header { name } => write!(
                f,
                "the header {} holds a control character, expected visible text",
                Quoted(name)
            ),
            Self::Target => f.write_str(
                "the method or the address of the request is malformed, expected a path as `GET /` lists them",
            ),
            Self::QueryParameter {
                name,
                found,
                expected,
            } => {
                write!(
                    f,
                    "the parameter `{name}` is {}, expected {expected}",
                    Quoted(found)
                )
            }
            Self::UnknownParameter { name, known } => {
                write!(
                    f,
                    "there is no parameter {}, the parameters are {known}",
                    Quoted(name)
                )
            }
            Self::NoSuchResource { path } => {
                write!(
                    f,
                    "there is nothing at {}, `GET /` lists what is served",
                    Quoted(path)
                )
            }
            Self::Identifier(fault) => fault.fmt(f),
            Self::NoEvents => f.write_str(
                "no event was found, expected an EPCISDocument, an EPCISQueryDocument, an event or an array of events",
            ),
            Self::NotAnEvent => f.write_str("an event was expected: an object with its `type`"),
            Self::PreHashTooLong { limit } => write!(
                f,
                "the pre-hash strings of the events are longer than the limit of {limit} bytes"
            ),
            Self::TooManyValues { limit } => write!(
                f,
                "the body has more than {limit} values and names, expected its document in several"
            ),
            Self::TooManyEvents { limit } => write!(
                f,
                "the document has more than {limit} events, expected several documents"
            ),
            Self::UndeclaredPrefix { name, unread } => {
                let prefix = name.split(':').next().unwrap_or_default();
                write!(
                    f,
                    "nobody declares the prefix {} of {}, expected an `@context` that binds it, on the event, around it or given \
                     as `context`",
                    Quoted(prefix),
                    Quoted(name)
                )?;
                match unread {
                    Some(address) => write!(f, "; {} is not fetched", Quoted(address)),
                    None => Ok(()),
                }
            }
            Self::NamespaceTooLong { name, limit } => write!(
                f,
                "the prefix of {} stands for more than {limit} bytes, which every name with it would repeat",
                Quoted(name)
            ),
            Self::NotAContext => f.write_str(
                "this is no context, expected the address of one, an object that binds prefixes, or an array of these",
            ),
            Self::EventHash { found } => write!(
                f,
                "{} is no event hash, expected `ni:///sha-256;`, 64 hexadecimal digits and `?ver=CBV2.0`",
                Quoted(found)
            ),
            Self::Invalid { errors } => match errors.as_slice() {
                [one] => write!(f, "{}, nothing was stored", one.message),
                several => write!(
                    f,
                    "{} errors were found in the document, nothing was stored",
                    several.len()
                ),
            },
            Self::NotCapturable => f.write_str(
                "the document cannot be captured, expected an EPCISDocument, an event or an array of events",
            ),
            Self::CaptureTooLarge { limit } => write!(
                f,
                "the events, each with the `@context` of its document, would be longer than the limit of {limit} bytes"
            ),
            Self::CaptureTooComplex { limit, what } => {
                write!(f, "the document has more than {limit} {what}")
            }
            Self::NoKey => f.write_str(
                "no capture key was sent, expected the header `Authorization: Bearer` with a key",
            ),
            Self::KeyNotValid => f.write_str("the capture key is unknown or revoked"),
            Self::Forbidden { right } => {
                write!(f, "the capture key has no right to `{right}`")
            }
            Self::QueryNotObject => f.write_str(
                "the query is no JSON object, expected the parameters of SimpleEventQuery by name",
            ),
            Self::QueryValue {
                name,
                found,
                expected,
            } => write!(
                f,
                "the parameter {} is {}, expected {expected}",
                Quoted(name),
                Quoted(found)
            ),
            Self::ParameterNotServed { name } => {
                write!(f, "the parameter {} is not served", Quoted(name))
            }
            Self::NoSuchParameter { name } => {
                write!(f, "there is no query parameter {}", Quoted(name))
            }
            Self::ParameterNeeds { name, needs } => {
                write!(f, "the parameter `{name}` needs `{needs}`")
            }
            Self::ParametersExclude { name, other } => {
                write!(f, "the parameters `{name}` and `{other}` exclude each other")
            }
            Self::PageToken => f.write_str(
                "the page token was not given out for this query and this key, expected `nextPageToken` as it was answered",
            ),
            Self::QueryTooLarge { limit } => {
                write!(f, "the query matches more than {limit} events")
            }
            Self::QueryTooComplex { limit, what } => {
                write!(f, "the query has more than {limit} {what}")
            }
            Self::NoSuchEvent { event_id } => {
                write!(f, "there is no event {} in your scope", Quoted(event_id))
            }
            Self::Argument {
                name,
                found: None,
                expected,
            } => write!(f, "the argument `{name}` is missing, expected {expected}"),
            Self::Argument {
                name,
                found: Some(found),
                expected,
            } => write!(
                f,
                "the argument `{name}` is {}, expected {expected}",
                Quoted(found)
            ),
            Self::UnknownArgument { name, known } => write!(
                f,
                "there is no argument {}, the arguments are {known}",
                Quoted(name)
            ),
            Self::RepeatedArgument { name } => {
                write!(f, "the argument {} is given twice", Quoted(name))
            }
            Self::RepeatedParameter { name } => {
                write!(f, "the parameter {} is given twice", Quoted(name))
            }
            Self::ToolNotServed { instead, .. } => f.write_str(instead),
            Self::ForeignOrigin { found } => write!(
                f,
                "pages of the origin {} may not ask this door",
                Quoted(found)
            ),
            Self::ForeignHost { found } => write!(
                f,
                "the request is addressed to {}, this local service answers to loopback names alone",
                Quoted(found)
            ),
            Self::TooManyRequests => {
                f.write_str("too many requests came from this address, wait a minute and ask again")
            }
            Self::Method { found, allowed } => {
                write!(
                    f,
                    "the method {} is not served here, allowed are {allowed}",
                    Quoted(found)
                )
            }
            Self::Binding(fault) => fault.fmt(f),
            Self::Internal { .. } => f.write_str("an unexpected fault, nothing was changed"),
        }
    }
}

/// The start of somebody else's text, as much of it as is ever shown.
pub(crate) fn excerpt(text: &str) -> String {
    text.chars().take(100).collect()
}

/// Somebody else's text inside one of our sentences: in backticks, cut to 80 characters, control characters replaced.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LIMIT: usize = 80;
        f.write_str("`")?;
        for character in self.0.chars().take(LIMIT) {
            let shown = if character.is_control() {
                '\u{fffd}'
            } else {
                character
            };
            fmt::Write::write_char(f, shown)?;
        }
        if self.0.chars().nth(LIMIT).is_some() {
            f.write_str("…")?;
        }
        f.write_str("`")
    }
}
