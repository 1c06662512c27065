//! What can go wrong, where, and the one table from failure to EPCIS exception.
//!
//! A failure is an [`Error`]: its [`ErrorKind`] carries values, its [`Location`] says where.
//! [`Problem`] is the same failure as every face shows it: the RFC 7807 problem document whose `type` callers match on.

mod problem;

pub use problem::{ExceptionType, Problem};

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

/// Why a text is no acceptable EPCIS XML document.
///
/// Open: later versions add variants.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum XmlFault {
    /// Nothing but white space.
    Empty,
    /// The text is something else, such as JSON.
    NotXml,
    /// An encoding that is not read.
    Encoding {
        /// The name in the XML declaration.
        found: String,
    },
    /// Bytes that do not belong to the encoding of the document.
    NotInEncoding {
        /// The encoding.
        encoding: &'static str,
    },
    /// A character that XML 1.0 does not allow.
    Character,
    /// A document type declaration with an internal subset or an external identifier.
    Doctype,
    /// A reference to an entity that XML does not define itself.
    Entity {
        /// The name between `&` and `;`.
        name: String,
    },
    /// A rule of the grammar is broken; what was wanted is named.
    Syntax {
        /// What the grammar wants here.
        expected: &'static str,
    },
    /// An attribute that stands twice in one tag.
    RepeatedAttribute {
        /// Its name.
        name: String,
    },
    /// A prefix that no namespace declaration binds, or that may not be bound so.
    Prefix {
        /// The prefix.
        prefix: String,
    },
    /// An end tag that does not belong to the innermost open element.
    EndTag {
        /// The name of the innermost open element; empty when none is open.
        expected: String,
        /// The name in the end tag.
        found: String,
    },
    /// The text ended inside an element, a tag, a comment or the like.
    Truncated,
    /// Text or an element after the end of the document element, or text before it.
    OutsideRoot,
    /// More levels of elements than the limit.
    Depth {
        /// The deepest nesting taken.
        limit: usize,
    },
    /// More attributes in one tag than the limit.
    Attributes {
        /// The most attributes taken.
        limit: usize,
    },
    /// More namespace declarations in force than the limit.
    Namespaces {
        /// The most declarations taken.
        limit: usize,
    },
    /// A name longer than the limit.
    NameLength {
        /// The longest name taken, in bytes.
        limit: usize,
    },
    /// More bytes than the reader takes.
    TooLong {
        /// The longest text taken, in bytes.
        limit: usize,
    },
    /// A document element that is none of EPCIS with events or master data in it.
    ForeignRoot {
        /// The name of the element.
        found: String,
    },
    /// A body without events, master data or query results: a request, a subscription, an exception.
    UnsupportedBody {
        /// The name of the element in the body; empty when there is none.
        found: String,
    },
}

impl fmt::Display for XmlFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the body is empty, an XML document was expected"),
            Self::NotXml => f.write_str("the text does not begin as XML does"),
            Self::Encoding { found } => {
                write!(
                    f,
                    "the encoding {} is not read, UTF-8 always is",
                    Quoted(found)
                )
            }
            Self::NotInEncoding { encoding } => write!(f, "the text is not {encoding}"),
            Self::Character => f.write_str("a character stands here that XML does not allow"),
            Self::Doctype => f.write_str(
                "a document type declaration with a subset or an external identifier is never read",
            ),
            Self::Entity { name } => {
                write!(f, "the entity {} is not defined", Quoted(name))
            }
            Self::Syntax { expected } => {
                write!(f, "the XML text is malformed: expected {expected}")
            }
            Self::RepeatedAttribute { name } => {
                write!(f, "the attribute {} stands twice in one tag", Quoted(name))
            }
            Self::Prefix { prefix } => {
                write!(f, "the namespace prefix {} is not bound", Quoted(prefix))
            }
            Self::EndTag { expected, found } if expected.is_empty() => {
                write!(f, "the end tag of {} closes nothing", Quoted(found))
            }
            Self::EndTag { expected, found } => {
                write!(
                    f,
                    "the end tag of {} stands where that of {} is due",
                    Quoted(found),
                    Quoted(expected)
                )
            }
            Self::Truncated => f.write_str("the XML text ends too early"),
            Self::OutsideRoot => f.write_str("something stands outside of the document element"),
            Self::Depth { limit } => write!(f, "the document is nested deeper than {limit} levels"),
            Self::Attributes { limit } => write!(f, "a tag has more than {limit} attributes"),
            Self::Namespaces { limit } => {
                write!(f, "more than {limit} namespace declarations are in force")
            }
            Self::NameLength { limit } => write!(f, "a name is longer than {limit} bytes"),
            Self::TooLong { limit } => write!(f, "the document is longer than {limit} bytes"),
            Self::ForeignRoot { found } => {
                write!(
                    f,
                    "the document element {} is no EPCIS document, query document, master data document or event",
                    Quoted(found)
                )
            }
            Self::UnsupportedBody { found } if found.is_empty() => {
                f.write_str("the query document has no results in it")
            }
            Self::UnsupportedBody { found } => {
                write!(
                    f,
                    "the body holds {}, only events, master data and query results are translated",
                    Quoted(found)
                )
            }
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(fault) => fault.fmt(f),
            Self::Xml(fault) => fault.fmt(f),
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
