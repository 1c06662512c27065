//! The reasons why a text is not an acceptable JSON document, XML document or identifier.

use super::Quoted;
use crate::lookalike::{self, Number, Seen, note};
use std::fmt::{self, Formatter};

/// The reason why a text is not an acceptable JSON document.
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
    /// A character that the grammar does not allow here, where it expects this token.
    #[error("the JSON text is malformed: expected {0}")]
    Unexpected(&'static str),
    /// The same, where the character looks like one of ASCII or cannot be seen.
    #[error("the JSON text is malformed: expected {expected}, found {}, which {}", Number(*.found), Seen(*.found))]
    LookAlike {
        /// The token that the grammar expects here.
        expected: &'static str,
        /// The character, such as U+201C.
        found: char,
    },
    /// A control character inside a string.
    #[error("a control character in a string must be escaped in JSON")]
    ControlCharacter,
    /// A `\` followed by something that is not an escape.
    #[error("a backslash is followed by something that is not a JSON escape")]
    Escape,
    /// `\u` with half of a surrogate pair.
    #[error("a `\\u` escape is half of a surrogate pair")]
    LoneSurrogate,
    /// A number that is not written in the syntax of JSON.
    #[error("a number is not written as JSON requires")]
    NumberSyntax,
    /// A number outside the range of a 64-bit float, such as `1e400`.
    #[error("a number is larger than a 64-bit float can hold")]
    NumberRange,
    /// More levels of arrays and objects than the limit.
    #[error("the document is nested deeper than {0} levels")]
    Depth(usize),
    /// Something other than white space after the end of the document.
    #[error("text follows after the end of the JSON document")]
    TrailingText,
    /// More bytes than the reader can address.
    #[error("the document is longer than {0} bytes")]
    TooLong(usize),
    /// A document that is read twice, and was different the second time.
    #[error("the document has changed while it was read")]
    Changed,
    /// In a stream: an event that is longer than the limit.
    #[error("an event is longer than {0} bytes, the limit for streams")]
    EventTooLong(usize),
    /// In a stream: more bytes than the limit outside of the events. All of them are kept until the end.
    #[error("the document without its events is longer than {0} bytes, the limit for streams")]
    FrameTooLong(usize),
}

impl JsonFault {
    /// The fault at a text that begins with what was found.
    pub fn at(self, text: &str) -> Self {
        let expected = match self {
            Self::Unexpected(expected) => expected,
            Self::TrailingText => "the end of the document",
            other => return other,
        };
        match lookalike::first(text) {
            Some(found) => Self::LookAlike { expected, found },
            None => self,
        }
    }
}

/// The reason why an identifier cannot be converted.
///
/// Open: later versions add variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IdentifierFault {
    /// The text is not a GS1 Digital Link URI.
    #[error("the identifier is not a GS1 Digital Link URI")]
    NotDigitalLink,
    /// The company prefix is not 6 to 12 digits long but as long as this, or the key is too short for it.
    #[error(
        "the length of the company prefix is {0}, expected 6 to 12 digits, and no more than the key has room for"
    )]
    CompanyPrefixLength(usize),
    /// The check digit does not match the digits before it.
    #[error("the check digit is {found}, expected {expected}")]
    CheckDigit {
        /// The correct digit.
        expected: char,
        /// The digit as written.
        found: char,
    },
    /// There is no EPC URN for this identifier.
    #[error("there is no EPC URN for this identifier")]
    NoUrn,
}

/// The reason why a text is not an acceptable EPCIS XML document.
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
    /// An encoding that is not supported, as the XML declaration names it.
    #[error("the encoding {} is not supported, use UTF-8{}", Quoted(.0), note(.0))]
    Encoding(String),
    /// Bytes that are not valid in this encoding, that of the document.
    #[error("the text is not {0}")]
    NotInEncoding(&'static str),
    /// A character that XML 1.0 does not allow.
    #[error("this character is not allowed in XML")]
    Character,
    /// A document type declaration with an internal subset or an external identifier.
    #[error("a document type declaration with a subset or an external identifier is not allowed")]
    Doctype,
    /// A reference to an entity of this name, which XML does not define itself.
    #[error("the entity {} is not defined", Quoted(.0))]
    Entity(String),
    /// A rule of the grammar is broken, which requires this.
    #[error("the XML text is malformed: expected {0}")]
    Syntax(&'static str),
    /// The same, where the character looks like one of ASCII or cannot be seen.
    #[error("the XML text is malformed: expected {expected}, found {}, which {}", Number(*.found), Seen(*.found))]
    LookAlike {
        /// What the grammar requires here.
        expected: &'static str,
        /// The character, such as U+201D.
        found: char,
    },
    /// An attribute that occurs twice in one tag.
    #[error("the attribute {} is repeated in one tag", Quoted(.0))]
    RepeatedAttribute(String),
    /// A prefix that no namespace declaration binds, or that may not be bound in this way.
    #[error("the namespace prefix {} is not bound", Quoted(.0))]
    Prefix(String),
    /// An end tag that does not belong to the innermost open element.
    #[error(fmt = end_tag)]
    EndTag {
        /// The name of the innermost open element; empty if none is open.
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
    #[error("the document is nested deeper than {0} levels")]
    Depth(usize),
    /// More attributes in one tag than the limit.
    #[error("a tag has more than {0} attributes")]
    Attributes(usize),
    /// More namespace declarations in force than the limit.
    #[error("more than {0} namespace declarations are in force")]
    Namespaces(usize),
    /// More different namespaces in one document than the limit, or more than 128 times as many bytes of their names.
    #[error("the document declares more than {limit} different namespaces, or more than {} bytes of their names", .0 * 128, limit = .0)]
    DocumentNamespaces(usize),
    /// More elements and attributes than the limit in one event or other part that is translated as a whole, or outside of these.
    #[error("there are more than {0} elements and attributes in one event, or outside all events")]
    Elements(usize),
    /// A translation that is much longer than its source.
    #[error("the translation is longer than {0} bytes, which is out of proportion to the document")]
    Amplified(usize),
    /// A `schemaVersion` with this value, which is not a number. A number that is no EPCIS version is only noted, since the namespace decides the
    /// version.
    #[error("schemaVersion is {}, expected a decimal number such as 1.2 or 2.0", Quoted(.0))]
    SchemaVersion(String),
    /// A name longer than the limit.
    #[error("a name is longer than {0} bytes")]
    NameLength(usize),
    /// More bytes than the reader accepts.
    #[error("the document is longer than {0} bytes")]
    TooLong(usize),
    /// In a stream: an event, or another part that is translated as a whole, that is longer than the limit.
    #[error("an event is longer than {0} bytes, the limit for streams")]
    EventTooLong(usize),
    /// Outside of the events: too many bytes of text that JSON writes differently, such as text with quotes or references.
    #[error(
        "outside its events the document has more than {0} bytes of text with references, line ends, quotes, backslashes or tabs"
    )]
    FrameTextTooLong(usize),
    /// In a stream: more bytes than the limit outside of the events. All of them are kept until the end.
    #[error("the document without its events is longer than {0} bytes, the limit for streams")]
    FrameTooLong(usize),
    /// A document element that is not one of EPCIS with events or master data.
    #[error("the document element {} is not an EPCIS document, query document, master data document or event", Quoted(.0))]
    ForeignRoot(String),
    /// A body without events, master data or query results, by the name of the element in it: a request, a subscription, an exception.
    /// Empty if there is none.
    #[error(fmt = unsupported_body)]
    UnsupportedBody(String),
}

impl XmlFault {
    /// The fault at a text that begins with what was found.
    pub fn at(self, text: &str) -> Self {
        match (self, lookalike::first(text)) {
            (Self::Syntax(expected), Some(found)) => Self::LookAlike { expected, found },
            (other, _) => other,
        }
    }
}

fn end_tag(expected: &str, found: &str, f: &mut Formatter<'_>) -> fmt::Result {
    let found = Quoted(found);
    match expected {
        "" => write!(f, "the end tag of {found} has no start tag"),
        due => write!(f, "found the end tag of {found}, expected that of {}", Quoted(due)),
    }
}

fn unsupported_body(found: &str, f: &mut Formatter<'_>) -> fmt::Result {
    match found {
        "" => f.write_str("the query document has no results"),
        found => write!(
            f,
            "{} cannot be translated, expected events, master data or query results",
            Quoted(found)
        ),
    }
}
