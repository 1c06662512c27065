//! Whether a text is a value of a simple type.

use super::builtin::Lexical;
use super::table::Simple;
use super::{name, number};
use crate::{moment, uri};

const BLANKS: [char; 4] = [' ', '\n', '\t', '\r'];

impl Simple {
    /// Whether every text is a value.
    #[must_use]
    pub fn takes_all(&self) -> bool {
        matches!(self.lexical, Lexical::Text | Lexical::Token) && self.words.is_empty()
    }

    /// Whether the text, with references and line ends resolved, is a value. The prefix of a qualified name is not looked up.
    ///
    /// **Source**: XML Schema 1.0, part 2, chapters 3 and 4; 4.3.6 for blanks.
    #[must_use]
    pub fn accepts(&self, text: &str) -> bool {
        let is_trimmed = |byte: Option<&u8>| byte.is_none_or(|byte| *byte > b' ');
        let text = if self.lexical == Lexical::Text
            || (is_trimmed(text.as_bytes().first()) && is_trimmed(text.as_bytes().last()))
        {
            text
        } else {
            text.trim_matches(BLANKS)
        };
        self.lexical.accepts(text) && (self.words.is_empty() || self.words.contains(&text))
    }
}

impl Lexical {
    fn accepts(self, text: &str) -> bool {
        let integer =
            |least: Option<i128>, most: Option<i128>| number::is_integer(text, least, most);
        let all = |is: fn(&str) -> bool| {
            let mut parts = text.split(BLANKS).filter(|part| !part.is_empty()).peekable();
            parts.peek().is_some() && parts.all(is)
        };
        let after_hyphens = |hyphens: &str, before: &str, behind: &str| {
            text.strip_prefix(hyphens).is_some_and(|rest| moment::completes(before, rest, behind))
        };
        match self {
            Self::AnyUri => uri::is_uri_reference(text),
            Self::Base64Binary => is_base64(text),
            Self::Boolean => matches!(text, "true" | "false" | "1" | "0"),
            Self::Date => moment::completes("", text, "T00:00:00"),
            Self::DateTime => moment::is_xml_date_time(text),
            Self::DateTimeStamp => moment::is_stamp(text),
            Self::Day => after_hyphens("---", "2000-01-", "T00:00:00"),
            Self::Decimal => number::is_decimal(text),
            Self::Double => number::is_double(text),
            Self::Duration => moment::is_duration(text),
            Self::HexBinary => {
                text.len().is_multiple_of(2) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
            }
            Self::Integer(least, most) => integer(least.map(i128::from), most.map(i128::from)),
            Self::Language => name::is_language(text),
            Self::Month => after_hyphens("--", "2000-", "-01T00:00:00"),
            Self::MonthDay => after_hyphens("--", "2000-", "T00:00:00"),
            Self::Name => name::is_name(text),
            Self::NameToken => name::is_token(text),
            Self::NameTokens => all(name::is_token),
            Self::Notation => false,
            Self::PlainName => name::is_plain_name(text),
            Self::PlainNames => all(name::is_plain_name),
            Self::QualifiedName => name::qualified(text).is_some(),
            Self::Signed(bits) => integer(Some(-(1 << (bits - 1))), Some((1 << (bits - 1)) - 1)),
            Self::Text | Self::Token => true,
            Self::Time => moment::completes("2000-01-01T", text, ""),
            Self::Unsigned(bits) => {
                text.starts_with(|first: char| first.is_ascii_digit())
                    && integer(Some(0), Some((1 << bits) - 1))
            }
            Self::Year => moment::completes("", text, "-01-01T00:00:00"),
            Self::YearMonth => moment::completes("", text, "-01T00:00:00"),
        }
    }
}

/// `xsd:base64Binary`, with blanks anywhere.
fn is_base64(text: &str) -> bool {
    let (mut digits, mut padding, mut last) = (0_usize, 0_usize, b'A');
    for byte in text.bytes().filter(|byte| !BLANKS.contains(&char::from(*byte))) {
        match byte {
            b'=' => padding += 1,
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' if padding == 0 => {
                digits += 1;
                last = byte;
            }
            _ => return false,
        }
    }
    // The unused bits of the last digit must be zero.
    match (digits % 4, padding) {
        (0, 0) => true,
        (2, 2) => matches!(last, b'A' | b'Q' | b'g' | b'w'),
        (3, 1) => b"AEIMQUYcgkosw048".contains(&last),
        _ => false,
    }
}
