//! Why a text is no acceptable JSON document, XML document or identifier.

use super::Quoted;
use std::fmt;

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
    /// In a stream: an event that is longer than the limit.
    EventTooLong {
        /// The longest event taken, in bytes.
        limit: usize,
    },
    /// In a stream: more than the limit beside the events, all of which is kept until the end.
    FrameTooLong {
        /// The most taken, in bytes.
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
            Self::EventTooLong { limit } => {
                write!(
                    f,
                    "an event is longer than the {limit} bytes that a stream takes"
                )
            }
            Self::FrameTooLong { limit } => write!(
                f,
                "what the document holds beside its events is longer than the {limit} bytes that a stream takes"
            ),
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
    /// More different namespaces in one document than the limit, or longer names of them than that many may have.
    DocumentNamespaces {
        /// The most namespaces taken.
        limit: usize,
    },
    /// More elements and attributes than the limit in what is translated in one piece, or around the pieces.
    Elements {
        /// The most taken.
        limit: usize,
    },
    /// A translation that is much longer than its source.
    Amplified {
        /// The longest translation of this document that is made, in bytes.
        limit: usize,
    },
    /// A version that no EPCIS has.
    SchemaVersion {
        /// What `schemaVersion` says.
        found: String,
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
    /// In a stream: an event, or another piece that is translated as a whole, that is longer than the limit.
    EventTooLong {
        /// The longest piece taken, in bytes of UTF-8.
        limit: usize,
    },
    /// In a stream: more than the limit beside the events, all of which is kept until the end.
    FrameTooLong {
        /// The most taken, in bytes.
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
            Self::DocumentNamespaces { limit } => write!(
                f,
                "the document declares more than {limit} different namespaces, or more than {} bytes of their names",
                limit * 128
            ),
            Self::Elements { limit } => write!(
                f,
                "more than {limit} elements and attributes stand in one event, or outside of all events"
            ),
            Self::Amplified { limit } => write!(
                f,
                "the translation is longer than {limit} bytes, a multiple of the document"
            ),
            Self::SchemaVersion { found } => write!(
                f,
                "schemaVersion is {}, expected 1.0, 1.1, 1.2 or 2.0",
                Quoted(found)
            ),
            Self::NameLength { limit } => write!(f, "a name is longer than {limit} bytes"),
            Self::TooLong { limit } => write!(f, "the document is longer than {limit} bytes"),
            Self::EventTooLong { limit } => {
                write!(
                    f,
                    "an event is longer than the {limit} bytes that a stream takes"
                )
            }
            Self::FrameTooLong { limit } => write!(
                f,
                "what the document holds beside its events is longer than the {limit} bytes that a stream takes"
            ),
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
