//! The texts of values.

use epcis_edge_text::json::{Kind, Value};
use std::borrow::Cow;

/// The longest text of another field, in bytes: it may be read again for every value of a list.
pub(super) const MAX_OTHER_TEXT: usize = 2048;

/// The text of a value outside of the standard. XML has only texts; the text of an element with attributes becomes `#text`. JSON-LD
/// has `@value` for the same.
pub(super) fn open_text(value: Value<'_>, most: usize) -> Option<Cow<'_, str>> {
    match value.kind() {
        Kind::Boolean | Kind::Number => Some(Cow::Borrowed(value.source())),
        Kind::Object => text(value.get("#text").or_else(|| value.get("@value"))?, most),
        _ => text(value, most),
    }
}

/// An unescaped string of at most `most` bytes.
pub(super) fn text(value: Value<'_>, most: usize) -> Option<Cow<'_, str>> {
    let text = value.as_text()?;
    let text = match text.plain_text() {
        Some(plain) => Cow::Borrowed(plain),
        // A text that is certainly too long is not unescaped.
        None if text.least_length() > most => return None,
        None => text.to_cow(),
    };
    (text.len() <= most).then_some(text)
}

/// Whether a value is present: neither `null` nor empty.
pub(super) fn exists(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Null => false,
        Kind::Array => value.elements().next().is_some(),
        Kind::Object => value.members().next().is_some(),
        Kind::String => value.as_text().is_some_and(|text| text != ""),
        Kind::Boolean | Kind::Number => true,
    }
}
