//! Normal forms for comparison: one text for each value, however it was spelt.

use crate::context::{ActiveContext, official_prefix};
use crate::decimal::{self, NormalizedDecimal};
use crate::field::ValueKind;
use crate::hash::event_name;
use crate::identifier;
use crate::slice::Part;
use crate::vocabulary::{BIZ_STEP, DISPOSITION, EVENT_TYPES, MEASUREMENT_TYPE, Vocabulary};
use data_encoding::HEXLOWER;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::cmp::Ordering;

/// The normal form of an identifier: a GS1 identifier as canonical Digital Link, any other byte for byte.
pub(super) fn identifier(text: &str) -> String {
    identifier::to_digital_link(text).map_or_else(|| text.to_owned(), Cow::into_owned)
}

/// The normal form of a text, by its kind.
pub(super) fn text(text: &str, kind: ValueKind) -> String {
    match kind {
        ValueKind::Identifier => identifier(text),
        ValueKind::EventId => event_name(text).into_owned(),
        ValueKind::HexBinary => text.to_ascii_uppercase(),
        _ => text.to_owned(),
    }
}

/// A word of a vocabulary as its web URI; a user's own word as its expanded URI.
///
/// The two web URIs of a measurement type become one: events that differ only in this have one hash.
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

/// The normal name of a member in two parts, namespace and rest. A prefix of the official context has its official meaning unless
/// the document binds it. The namespace of the CBV's words for master data may be written in three ways, that of the GS1 vocabulary
/// in two; each becomes one.
pub(super) fn member_name<'t>(name: &'t str, context: &'t ActiveContext<'_>) -> (&'t str, &'t str) {
    let (start, rest) = context.name_parts(name);
    match start {
        "" => {
            let prefixed = rest.split_once(':');
            let official = prefixed.filter(|(_, local)| !local.starts_with("//"));
            let official =
                official.and_then(|(prefix, local)| Some((official_prefix(prefix)?, local)));
            official.or_else(|| Some((MDA_COLON, mda_word(rest)?))).unwrap_or((start, rest))
        }
        MDA | MDA_HASH => (MDA_COLON, rest.trim_start_matches([':', '#'])),
        _ if start == MEASUREMENT_TYPE.hashed_web => (MEASUREMENT_TYPE.web, rest),
        _ => (start, rest),
    }
}

/// The full name of a CBV word for master data.
pub(super) fn master_data_word(word: &str) -> String {
    format!("{MDA_COLON}{word}")
}

/// The name of an attribute of master data, in two parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeName<'t> {
    /// The namespace; empty if there is none.
    pub(crate) namespace: &'t str,
    /// The local name.
    pub(crate) local: &'t str,
}

impl<'t> AttributeName<'t> {
    /// The name in a text: a URI, or a local name with a bound prefix.
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

/// The identifier of an element of master data: a word of the CBV as its web URI, any other in the normal form of identifiers.
pub(crate) fn element_id(text: &str, context: &ActiveContext<'_>) -> String {
    if !text.contains(':') {
        return text.to_owned();
    }
    let word = [&BIZ_STEP, &DISPOSITION].into_iter().find_map(|vocabulary| {
        let word = word(text, vocabulary, context);
        word.starts_with(vocabulary.web).then_some(word)
    });
    word.unwrap_or_else(|| identifier(text))
}

/// The normal form of a name that is written in full; as [`member_name`], but in one part.
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

/// An event type: the bare name for the five of the standard, a URI for a user's own.
pub(super) fn event_type(text: &str, context: &ActiveContext<'_>) -> String {
    let expanded = context.expand(text);
    let bare = expanded.strip_prefix("https://ref.gs1.org/epcis/");
    match bare.filter(|bare| EVENT_TYPES.contains(bare)) {
        Some(bare) => bare.to_owned(),
        None => expanded.into_owned(),
    }
}

/// A typed identifier, such as a purchase order: type and identifier in one text.
pub(super) fn typed(kind: &str, identifier: &str) -> String {
    // No URI has a space.
    format!("{kind} {identifier}")
}

/// The identifier in a text made by [`typed`].
pub(super) fn identifier_of_typed(text: &str) -> Option<&str> {
    // A type may contain spaces, an identifier cannot.
    text.rsplit_once(' ').map(|(_, identifier)| identifier)
}

/// The length of the start of a long text that its key keeps, in bytes.
const KEY_START: usize = 192;

/// The longest text that is its own key, in bytes.
const KEY_LENGTH: usize = 256;

/// The length of the start of any text that its key is sure to keep, in bytes. A long text is cut between characters, so up to
/// three bytes are missing.
pub const KEY_PREFIX: usize = KEY_START - 3;

/// The text under which an index keeps a value: the value itself, or, if that is longer than 256 bytes, its start and its SHA-256.
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

/// The longest start of a text with at most `length` bytes.
pub(super) fn start_of(text: &str, length: usize) -> &str {
    let mut end = length.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.part(..end)
}

/// A decimal number. It is compared by value and never rounded.
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
    /// The number of digits before the point; if negative, the number of zeros right after it.
    point: i64,
    /// The digits without zeros at either end; empty for zero.
    digits: String,
}

impl Decimal {
    /// Reads a number as JSON or XML Schema write it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let NormalizedDecimal { is_negative: negative, point, digits } =
            decimal::Decimal::read(text)?.normalized()?;
        Some(Self { negative, point, digits })
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
