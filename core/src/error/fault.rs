//! Why a text is no acceptable JSON document, XML document or identifier.

use super::Quoted;
use std::fmt::{self, Formatter};

/// Why a text is no acceptable JSON document.
///
/// Open: later versions add variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonFault {
    /// Nothing but white space.
    #[error("the body is empty, expected a JSON document")]
    Empty,
    /// Bytes that are not UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// A byte order mark of UTF-16 or UTF-32, or zero bytes where text should begin.
    #[error("the text looks like UTF-16 or UTF-32, JSON must be UTF-8")]
    OtherUnicodeEncoding,
    /// The text ended inside a value.
    #[error("the JSON text ends too early")]
    Truncated,
    /// A character that the grammar does not allow here; the wanted token is named.
    #[error("the JSON text is malformed: expected {expected}")]
    Unexpected {
        /// What the grammar wants here.
        expected: &'static str,
    },
    /// A control character inside a string.
    #[error("a control character in a string must be escaped in JSON")]
    ControlCharacter,
    /// A `\` followed by something that is no escape.
    #[error("a backslash is followed by something that is not a JSON escape")]
    Escape,
    /// `\u` with half of a surrogate pair.
    #[error("a `\\u` escape is half of a surrogate pair")]
    LoneSurrogate,
    /// A number that is not written as JSON writes numbers.
    #[error("a number is not written as JSON requires")]
    NumberSyntax,
    /// A number outside of what a 64-bit float holds, such as `1e400`.
    #[error("a number is larger than a 64-bit float can hold")]
    NumberRange,
    /// More levels of arrays and objects than the limit.
    #[error("the document is nested deeper than {limit} levels")]
    Depth {
        /// The deepest nesting taken.
        limit: usize,
    },
    /// Something other than white space after the end of the document.
    #[error("text follows after the end of the JSON document")]
    TrailingText,
    /// More bytes than the reader addresses.
    #[error("the document is longer than {limit} bytes")]
    TooLong {
        /// The longest text taken, in bytes.
        limit: usize,
    },
    /// A document that is read twice and was another one the second time.
    #[error("the document has changed while it was read")]
    Changed,
    /// In a stream: an event that is longer than the limit.
    #[error("an event is longer than the {limit} bytes that a stream takes")]
    EventTooLong {
        /// The longest event taken, in bytes.
        limit: usize,
    },
    /// In a stream: more than the limit beside the events, all of which is kept until the end.
    #[error(
        "what the document holds beside its events is longer than the {limit} bytes that a stream takes"
    )]
    FrameTooLong {
        /// The most taken, in bytes.
        limit: usize,
    },
}

/// Why an identifier cannot be converted.
///
/// Open: later versions add variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IdentifierFault {
    /// The text is no GS1 Digital Link URI.
    #[error("the identifier is not a GS1 Digital Link URI")]
    NotDigitalLink,
    /// The company prefix is not 6 to 12 digits long, or the key is too short for it.
    #[error(
        "the company prefix is given as {found} digits long, expected 6 to 12 digits that the key has room for"
    )]
    CompanyPrefixLength {
        /// The length as given.
        found: usize,
    },
    /// The check digit does not fit the digits before it.
    #[error("the check digit is {found}, expected {expected}")]
    CheckDigit {
        /// The digit that would be right.
        expected: char,
        /// The digit as written.
        found: char,
    },
    /// The identifier is one for which there is no EPC URN.
    #[error("there is no EPC URN for this identifier")]
    NoUrn,
}

/// Why a text is no acceptable EPCIS XML document.
///
/// Open: later versions add variants.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum XmlFault {
    /// Nothing but white space.
    #[error("the body is empty, expected an XML document")]
    Empty,
    /// The text is something else, such as JSON.
    #[error("the text does not begin like XML")]
    NotXml,
    /// An encoding that is not read.
    #[error("the encoding {} is not supported, use UTF-8", Quoted(.found))]
    Encoding {
        /// The name in the XML declaration.
        found: String,
    },
    /// Bytes that do not belong to the encoding of the document.
    #[error("the text is not {encoding}")]
    NotInEncoding {
        /// The encoding.
        encoding: &'static str,
    },
    /// A character that XML 1.0 does not allow.
    #[error("this character is not allowed in XML")]
    Character,
    /// A document type declaration with an internal subset or an external identifier.
    #[error("a document type declaration with a subset or an external identifier is not allowed")]
    Doctype,
    /// A reference to an entity that XML does not define itself.
    #[error("the entity {} is not defined", Quoted(.name))]
    Entity {
        /// The name between `&` and `;`.
        name: String,
    },
    /// A rule of the grammar is broken; what was wanted is named.
    #[error("the XML text is malformed: expected {expected}")]
    Syntax {
        /// What the grammar wants here.
        expected: &'static str,
    },
    /// An attribute that stands twice in one tag.
    #[error("the attribute {} is repeated in one tag", Quoted(.name))]
    RepeatedAttribute {
        /// Its name.
        name: String,
    },
    /// A prefix that no namespace declaration binds, or that may not be bound so.
    #[error("the namespace prefix {} is not bound", Quoted(.prefix))]
    Prefix {
        /// The prefix.
        prefix: String,
    },
    /// An end tag that does not belong to the innermost open element.
    #[error(fmt = end_tag)]
    EndTag {
        /// The name of the innermost open element; empty when none is open.
        expected: String,
        /// The name in the end tag.
        found: String,
    },
    /// The text ended inside an element, a tag, a comment or the like.
    #[error("the XML text ends too early")]
    Truncated,
    /// Text or an element after the end of the document element, or text before it.
    #[error("there is content outside the document element")]
    OutsideRoot,
    /// More levels of elements than the limit.
    #[error("the document is nested deeper than {limit} levels")]
    Depth {
        /// The deepest nesting taken.
        limit: usize,
    },
    /// More attributes in one tag than the limit.
    #[error("a tag has more than {limit} attributes")]
    Attributes {
        /// The most attributes taken.
        limit: usize,
    },
    /// More namespace declarations in force than the limit.
    #[error("more than {limit} namespace declarations are in force")]
    Namespaces {
        /// The most declarations taken.
        limit: usize,
    },
    /// More different namespaces in one document than the limit, or longer names of them than that many may have.
    #[error("the document declares more than {limit} different namespaces, or more than {} bytes of their names", limit * 128)]
    DocumentNamespaces {
        /// The most namespaces taken.
        limit: usize,
    },
    /// More elements and attributes than the limit in what is translated in one piece, or around the pieces.
    #[error(
        "more than {limit} elements and attributes stand in one event, or outside of all events"
    )]
    Elements {
        /// The most taken.
        limit: usize,
    },
    /// A translation that is much longer than its source.
    #[error("the translation is longer than {limit} bytes, a multiple of the document")]
    Amplified {
        /// The longest translation of this document that is made, in bytes.
        limit: usize,
    },
    /// A version that is no number; one that no EPCIS has is noted, for the namespace tells the version.
    #[error("schemaVersion is {}, expected a decimal number such as 1.2 or 2.0", Quoted(.found))]
    SchemaVersion {
        /// What `schemaVersion` says.
        found: String,
    },
    /// A name longer than the limit.
    #[error("a name is longer than {limit} bytes")]
    NameLength {
        /// The longest name taken, in bytes.
        limit: usize,
    },
    /// More bytes than the reader takes.
    #[error("the document is longer than {limit} bytes")]
    TooLong {
        /// The longest text taken, in bytes.
        limit: usize,
    },
    /// In a stream: an event, or another piece that is translated as a whole, that is longer than the limit.
    #[error("an event is longer than the {limit} bytes that a stream takes")]
    EventTooLong {
        /// The longest piece taken, in bytes of UTF-8.
        limit: usize,
    },
    /// Beside the events more than the limit of texts that JSON writes in other bytes than the document.
    #[error(
        "beside its events the document has more than {limit} bytes of text with references, line ends, quotes, backslashes or tabs"
    )]
    FrameTextTooLong {
        /// The most taken, in bytes.
        limit: usize,
    },
    /// In a stream: more than the limit beside the events, all of which is kept until the end.
    #[error(
        "what the document holds beside its events is longer than the {limit} bytes that a stream takes"
    )]
    FrameTooLong {
        /// The most taken, in bytes.
        limit: usize,
    },
    /// A document element that is none of EPCIS with events or master data in it.
    #[error("the document element {} is not an EPCIS document, query document, master data document or event", Quoted(.found))]
    ForeignRoot {
        /// The name of the element.
        found: String,
    },
    /// A body without events, master data or query results: a request, a subscription, an exception.
    #[error(fmt = unsupported_body)]
    UnsupportedBody {
        /// The name of the element in the body; empty when there is none.
        found: String,
    },
}

fn end_tag(expected: &str, found: &str, f: &mut Formatter<'_>) -> fmt::Result {
    let found = Quoted(found);
    match expected {
        "" => write!(f, "the end tag of {found} has no start tag"),
        due => write!(
            f,
            "found the end tag of {found}, expected that of {}",
            Quoted(due)
        ),
    }
}

fn unsupported_body(found: &str, f: &mut Formatter<'_>) -> fmt::Result {
    match found {
        "" => f.write_str("the query document has no results in it"),
        found => write!(
            f,
            "{} cannot be translated, only events, master data and query results can",
            Quoted(found)
        ),
    }
}
