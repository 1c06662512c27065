//! The keys under which indexes keep long values.

use data_encoding::HEXLOWER;
use epcis_edge_text::slice::Part;
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;

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
/// use epcis_edge_gateway::query::index_key;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_a_long_text_begins_as_the_text_does() {
        let text = "ä".repeat(5000);
        let key = index_key(&text);
        assert!(key.starts_with(start_of(&text, KEY_PREFIX)));
        assert!(key.len() < 260);
        assert_ne!(index_key(&format!("{text}x")), key);
    }
}
