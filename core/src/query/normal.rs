//! Values in the form in which they are compared: one value, one text, however it was spelt.

use crate::context::{ActiveContext, official_prefix};
use crate::decimal::{self, Worth};
use crate::field::ValueKind;
use crate::hash::EventHash;
use crate::identifier;
use crate::vocabulary::{BIZ_STEP, DISPOSITION, EVENT_TYPES, MEASUREMENT_TYPE, Vocabulary};
use data_encoding::HEXLOWER;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::cmp::Ordering;

/// An identifier: GS1 identifiers as canonical Digital Link, all others byte for byte.
pub(super) fn identifier(text: &str) -> String {
    identifier::to_digital_link(text).map_or_else(|| text.to_owned(), Cow::into_owned)
}

/// A text of a certain kind.
pub(super) fn text(text: &str, kind: ValueKind) -> String {
    match kind {
        ValueKind::Identifier => identifier(text),
        ValueKind::EventId => event_id(text),
        ValueKind::HexBinary => text.to_ascii_uppercase(),
        _ => text.to_owned(),
    }
}

/// A word of a vocabulary as its web URI; a user's own words as the URIs that they stand for.
///
/// The two web URIs of a measurement type are one: their events have one hash.
pub(super) fn word(text: &str, vocabulary: &Vocabulary, context: &ActiveContext<'_>) -> String {
    let after = |text: &str, prefixes: &[&str]| {
        let mut prefixes = prefixes.iter().filter(|prefix| !prefix.is_empty());
        let word = prefixes.find_map(|prefix| text.strip_prefix(prefix));
        word.map(|word| format!("{}{word}", vocabulary.web))
    };
    if !text.contains(':') {
        return format!("{}{text}", vocabulary.web);
    }
    after(text, &[vocabulary.urn, vocabulary.curie]).unwrap_or_else(|| {
        let expanded = context.expand(text);
        after(&expanded, &[vocabulary.hashed_web]).unwrap_or_else(|| expanded.into_owned())
    })
}

/// The namespace of the CBV's words for master data.
const MDA: &str = "urn:epcglobal:cbv:mda";

/// The name of a member in two parts, namespace and rest, as names are compared: prefixes of the official context mean what it
/// says where nobody declares them; the CBV's words for master data have one namespace, written in three ways, and the GS1
/// vocabulary one, written in two.
pub(super) fn member_name<'t>(name: &'t str, context: &'t ActiveContext<'_>) -> (&'t str, &'t str) {
    let (start, rest) = context.name_parts(name);
    match start {
        "" => {
            let prefixed = rest.split_once(':');
            let official = prefixed.filter(|(_, local)| !local.starts_with("//"));
            let official =
                official.and_then(|(prefix, local)| Some((official_prefix(prefix)?, local)));
            official
                .or_else(|| Some((MDA_COLON, mda_word(rest)?)))
                .unwrap_or((start, rest))
        }
        MDA | MDA_HASH => (MDA_COLON, rest.trim_start_matches([':', '#'])),
        _ if start == MEASUREMENT_TYPE.hashed_web => (MEASUREMENT_TYPE.web, rest),
        _ => (start, rest),
    }
}

/// A word of the CBV for master data as a whole name.
pub(super) fn master_data_word(word: &str) -> String {
    format!("{MDA_COLON}{word}")
}

/// The name of an attribute of master data, in two parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeName<'t> {
    /// The namespace; empty where there is none.
    pub(crate) namespace: &'t str,
    /// The local name.
    pub(crate) local: &'t str,
}

impl<'t> AttributeName<'t> {
    /// The name that a text stands for: with a prefix that is bound, or a URI.
    pub(crate) fn of(text: &'t str, context: &'t ActiveContext<'_>) -> Self {
        let (namespace, local) = match member_name(text, context) {
            ("", whole) => {
                let end = whole.rfind(['#', '/', ':']).map_or(0, |at| at + 1);
                whole.split_at(end)
            }
            parts => parts,
        };
        Self { namespace, local }
    }
}

/// The identifier of an element of master data: a word of the CBV as its web URI, any other as identifiers are.
pub(crate) fn element_id(text: &str, context: &ActiveContext<'_>) -> String {
    if !text.contains(':') {
        return text.to_owned();
    }
    let word = [&BIZ_STEP, &DISPOSITION]
        .into_iter()
        .find_map(|vocabulary| {
            let word = word(text, vocabulary, context);
            word.starts_with(vocabulary.web).then_some(word)
        });
    word.unwrap_or_else(|| identifier(text))
}

/// The same of a name that is written as a whole.
pub(super) fn whole_name(name: &str) -> String {
    if let Some(word) = mda_word(name) {
        return format!("{MDA_COLON}{word}");
    }
    match name.strip_prefix(MEASUREMENT_TYPE.hashed_web) {
        Some(word) => format!("{}{word}", MEASUREMENT_TYPE.web),
        None => name.to_owned(),
    }
}

const MDA_COLON: &str = "urn:epcglobal:cbv:mda:";
const MDA_HASH: &str = "urn:epcglobal:cbv:mda#";

fn mda_word(name: &str) -> Option<&str> {
    let word = name.strip_prefix(MDA)?;
    Some(word.trim_start_matches([':', '#']))
}

/// An event type: the bare name of the standard's five, a user's own as a URI.
pub(super) fn event_type(text: &str, context: &ActiveContext<'_>) -> String {
    let expanded = context.expand(text);
    let bare = expanded.strip_prefix("https://ref.gs1.org/epcis/");
    match bare.filter(|bare| EVENT_TYPES.contains(bare)) {
        Some(bare) => bare.to_owned(),
        None => expanded.into_owned(),
    }
}

/// The name of an event: an event hash in lower case, any other URI byte for byte.
pub(super) fn event_id(text: &str) -> String {
    match text.parse::<EventHash>() {
        Ok(hash) => hash.to_string(),
        Err(_) => text.to_owned(),
    }
}

/// An identifier that belongs to a type, such as a purchase order: both in one text.
pub(super) fn typed(kind: &str, identifier: &str) -> String {
    // No URI has a space.
    format!("{kind} {identifier}")
}

/// The identifier of a text that [`typed`] has made.
pub(super) fn identifier_of_typed(text: &str) -> Option<&str> {
    // A type may have blanks in it, an identifier has none.
    text.rsplit_once(' ').map(|(_, identifier)| identifier)
}

/// How many bytes of a long text its key begins with.
const KEY_START: usize = 192;

/// The longest text that is its own key, in bytes.
const KEY_LENGTH: usize = 256;

/// The longest prefix of a text that its key has, too, whatever the text, in bytes.
pub const KEY_PREFIX: usize = KEY_START - 3;

/// The text under which an index keeps a value: the value itself, or, where it is longer than 256 bytes, its start and its
/// SHA-256.
///
/// # Example
/// ```
/// use epcis_edge_core::query::index_key;
/// assert_eq!(index_key("urn:epc:id:sscc:9521141.1234567890"), "urn:epc:id:sscc:9521141.1234567890");
/// assert_eq!(index_key(&"9".repeat(10_000)).len(), 192 + 1 + 64);
/// ```
#[must_use]
pub fn index_key(value: &str) -> Cow<'_, str> {
    if value.len() <= KEY_LENGTH {
        return Cow::Borrowed(value);
    }
    let mut key = start_of(value, KEY_START).to_owned();
    key.push('~');
    HEXLOWER.encode_append(&Sha256::digest(value.as_bytes()), &mut key);
    Cow::Owned(key)
}

/// The longest start of a text with at most so many bytes.
pub(super) fn start_of(text: &str, length: usize) -> &str {
    let mut end = length.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// A decimal number, compared by its value and never rounded.
///
/// **Limits**: exponents of up to nine digits.
///
/// # Example
/// ```
/// use epcis_edge_core::query::Decimal;
/// assert_eq!(Decimal::parse("5.50"), Decimal::parse("55e-1"));
/// assert!(Decimal::parse("9007199254740993") > Decimal::parse("9007199254740992"));
/// assert_eq!(Decimal::parse("many"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decimal {
    negative: bool,
    /// How many digits stand before the point; negative: so many zeros follow it.
    point: i64,
    /// Without zeros at either end; empty is zero.
    digits: String,
}

impl Decimal {
    /// The number that a text is, if it is one as JSON or XML Schema write them.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let Worth {
            is_negative: negative,
            point,
            digits,
        } = decimal::Decimal::read(text)?.worth()?;
        Some(Self {
            negative,
            point,
            digits,
        })
    }

    fn size(&self) -> (bool, i64, &str) {
        (!self.digits.is_empty(), self.point, &self.digits)
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.size().cmp(&other.size()),
            (true, true) => other.size().cmp(&self.size()),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_ordered_by_value() {
        let ascending = [
            "-1e3", "-12", "-2", "-0.5", "-0.05", "0", "0.001", "5e-2", "0.5", "1", "1.05", "1.5",
            "2", "10", "1e9",
        ];
        let numbers: Vec<_> = ascending.iter().map(|text| Decimal::parse(text)).collect();
        assert!(numbers.is_sorted_by(|one, next| one < next));
        assert_eq!(Decimal::parse("-0.0"), Decimal::parse("0"));
        assert_eq!(Decimal::parse("1000"), Decimal::parse("1e+3"));
        for text in ["", "-", ".", "1e", "1e5.0", "0x1", "inf", "1e9999999999"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_word_has_one_form() {
        let context = ActiveContext::new();
        for spelling in [
            "shipping",
            "cbv:BizStep-shipping",
            "urn:epcglobal:cbv:bizstep:shipping",
            "https://ref.gs1.org/cbv/BizStep-shipping",
        ] {
            let found = word(spelling, &BIZ_STEP, &context);
            assert_eq!(found, "https://ref.gs1.org/cbv/BizStep-shipping");
        }
        assert_eq!(word("urn:x:step", &BIZ_STEP, &context), "urn:x:step");
        for spelling in [
            "Temperature",
            "gs1:Temperature",
            "https://gs1.org/voc/Temperature",
            "https://ref.gs1.org/voc/Temperature",
        ] {
            let found = word(spelling, &MEASUREMENT_TYPE, &context);
            assert_eq!(found, "https://gs1.org/voc/Temperature");
        }
        let other = word("https://ref.gs1.org/voc/x", &BIZ_STEP, &context);
        assert_eq!(other, "https://ref.gs1.org/voc/x");
    }

    #[test]
    fn the_key_of_a_long_text_begins_as_the_text_does() {
        let text = "ä".repeat(5000);
        let key = index_key(&text);
        assert!(key.starts_with(start_of(&text, KEY_PREFIX)));
        assert!(key.len() < 260);
        assert_ne!(index_key(&format!("{text}x")), key);
    }
}
