//! The patterns of the schema, each implemented as a comparison of bytes. The build stops at an unknown pattern.

/// A regular expression of the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One of these words, and nothing else.
    Word(&'static str),
    /// Hexadecimal digits, at least one.
    Hexadecimal,
    /// Two or three capital letters or digits.
    Unit,
    /// An offset of a time zone, from `-14:00` to `+14:00`.
    Offset,
    /// Numbers with dots between.
    Version,
    /// Anything that does not start like the URN or the web URI of a CBV word.
    NoCbv,
    /// Anything that does not start like a word of the GS1 Web Vocabulary.
    NoWebVocabulary,
}

/// The regular expressions as the schema writes them.
pub const TEXTS: [(&str, Pattern); 9] = [
    ("^ADD$", Pattern::Word("ADD")),
    ("^OBSERVE$", Pattern::Word("OBSERVE")),
    ("^DELETE$", Pattern::Word("DELETE")),
    ("^[A-Fa-f0-9]+$", Pattern::Hexadecimal),
    ("^[A-Z0-9]{2,3}$", Pattern::Unit),
    ("^([+]|[-])((0[0-9]|1[0-3]):([0-5][0-9])|14:00)$", Pattern::Offset),
    (r"^\d+(\.\d+)*$", Pattern::Version),
    (r"^(?!(urn:epcglobal:cbv|https?:\/\/ns\.gs1\.org/cbv\/))", Pattern::NoCbv),
    (
        r"^(?!(https?:\/\/gs1\.org\/voc\/|https?:\/\/www\.gs1\.org\/voc\/))",
        Pattern::NoWebVocabulary,
    ),
];

impl Pattern {
    /// Whether a text, with its escapes resolved, matches.
    #[must_use]
    pub fn matches(self, text: &[u8]) -> bool {
        match self {
            Self::Word(word) => text == word.as_bytes(),
            Self::Hexadecimal => !text.is_empty() && text.iter().all(u8::is_ascii_hexdigit),
            Self::Unit => {
                matches!(text.len(), 2 | 3)
                    && text.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
            }
            Self::Offset => is_offset(text),
            Self::Version => text
                .split(|&byte| byte == b'.')
                .all(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit)),
            Self::NoCbv => !starts_like_cbv(text),
            Self::NoWebVocabulary => !starts_like_web_vocabulary(text),
        }
    }
}

fn is_offset(text: &[u8]) -> bool {
    let &[b'+' | b'-', h0, h1, b':', m0, m1] = text else {
        return false;
    };
    match (h0, h1, m0, m1) {
        (b'0', b'0'..=b'9', b'0'..=b'5', b'0'..=b'9')
        | (b'1', b'0'..=b'3', b'0'..=b'5', b'0'..=b'9') => true,
        found => found == (b'1', b'4', b'0', b'0'),
    }
}

fn starts_like_cbv(text: &[u8]) -> bool {
    text.starts_with(b"urn:epcglobal:cbv")
        || after_web_scheme(text).is_some_and(|rest| rest.starts_with(b"ns.gs1.org/cbv/"))
}

fn starts_like_web_vocabulary(text: &[u8]) -> bool {
    after_web_scheme(text)
        .is_some_and(|rest| rest.strip_prefix(b"www.").unwrap_or(rest).starts_with(b"gs1.org/voc/"))
}

fn after_web_scheme(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b"http")?;
    rest.strip_prefix(b"s").unwrap_or(rest).strip_prefix(b"://")
}
