//! What can go wrong, where, and the one table from failure to EPCIS exception.
//!
//! A failure is an [`Error`]: its [`ErrorKind`] carries values, its [`Location`] says where.
//! [`Problem`] is the same failure as every face shows it: the RFC 7807 problem document whose `type` callers match on.

mod problem;

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
    /// JSON Pointer (RFC 6901) of the innermost value that was being read; `""` is the root.
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
    /// The body is longer than the limit, in bytes.
    BodyTooLarge {
        /// The largest body taken, in bytes.
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
    /// The pre-hash string of one event would be longer than the limit, in bytes.
    PreHashTooLong {
        /// The longest pre-hash string made, in bytes.
        limit: usize,
    },
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
    /// The path exists, the method does not.
    Method {
        /// The method as sent.
        found: String,
        /// The methods that the path has, as in the `Allow` header.
        allowed: String,
    },
    /// Something that this crate holds impossible happened.
    Internal {
        /// For the log, never for the client.
        detail: String,
    },
}

/// Why a text is no acceptable JSON document.
///
/// Open: later versions add variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonFault {
    /// Nothing but white space.
    Empty,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// A byte order mark of UTF-16 or UTF-32, or zero bytes where text should begin.
    OtherUnicodeEncoding,
    /// The text ended inside a value.
    Truncated,
    /// A character that the grammar does not allow here; the wanted token is named.
    Unexpected {
        /// What the grammar wants here.
        expected: &'static str,
    },
    /// A control character inside a string.
    ControlCharacter,
    /// A `\` followed by something that is no escape.
    Escape,
    /// `\u` with half of a surrogate pair.
    LoneSurrogate,
    /// A number that is not written as JSON writes numbers.
    NumberSyntax,
    /// A number outside of what a 64-bit float holds, such as `1e400`.
    NumberRange,
    /// More levels of arrays and objects than the limit.
    Depth {
        /// The deepest nesting taken.
        limit: usize,
    },
    /// Something other than white space after the end of the document.
    TrailingText,
    /// More bytes than the reader addresses.
    TooLong {
        /// The longest text taken, in bytes.
        limit: usize,
    },
}

/// Why an identifier cannot be converted.
///
/// Open: later versions add variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IdentifierFault {
    /// The text is no GS1 Digital Link URI.
    NotDigitalLink,
    /// The company prefix is not 6 to 12 digits long, or the key is too short for it.
    CompanyPrefixLength {
        /// The length as given.
        found: usize,
    },
    /// The check digit does not fit the digits before it.
    CheckDigit {
        /// The digit that would be right.
        expected: char,
        /// The digit as written.
        found: char,
    },
    /// The identifier is one for which there is no EPC URN.
    NoUrn,
}

impl fmt::Display for IdentifierFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotDigitalLink => f.write_str("the identifier is no GS1 Digital Link URI"),
            Self::CompanyPrefixLength { found } => write!(
                f,
                "the company prefix is given as {found} digits long, expected 6 to 12 digits that the key has room for"
            ),
            Self::CheckDigit { expected, found } => {
                write!(f, "the check digit is {found}, expected {expected}")
            }
            Self::NoUrn => f.write_str("there is no EPC URN for this identifier"),
        }
    }
}

impl fmt::Display for JsonFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the body is empty, a JSON document was expected"),
            Self::NotUtf8 => f.write_str("the text is not UTF-8"),
            Self::OtherUnicodeEncoding => {
                f.write_str("the text looks like UTF-16 or UTF-32, JSON is exchanged as UTF-8")
            }
            Self::Truncated => f.write_str("the JSON text ends too early"),
            Self::Unexpected { expected } => {
                write!(f, "the JSON text is malformed: expected {expected}")
            }
            Self::ControlCharacter => {
                f.write_str("a control character stands in a string, JSON wants it escaped")
            }
            Self::Escape => {
                f.write_str("a backslash is followed by something that is no JSON escape")
            }
            Self::LoneSurrogate => f.write_str("a `\\u` escape is half of a surrogate pair"),
            Self::NumberSyntax => f.write_str("a number is not written as JSON writes numbers"),
            Self::NumberRange => f.write_str("a number is larger than a 64-bit float can hold"),
            Self::Depth { limit } => write!(f, "the document is nested deeper than {limit} levels"),
            Self::TrailingText => f.write_str("text follows after the end of the JSON document"),
            Self::TooLong { limit } => write!(f, "the document is longer than {limit} bytes"),
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(fault) => fault.fmt(f),
            Self::BodyTooLarge { limit } => {
                write!(f, "the body is longer than the limit of {limit} bytes")
            }
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
                "the pre-hash string of an event is longer than the limit of {limit} bytes"
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
            Self::Method { found, allowed } => {
                write!(
                    f,
                    "the method {} is not served here, allowed are {allowed}",
                    Quoted(found)
                )
            }
            Self::Internal { .. } => f.write_str("an unexpected fault, nothing was changed"),
        }
    }
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
