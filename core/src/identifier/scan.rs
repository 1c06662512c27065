//! What an identifier is, and what is wrong with it: one look at its bytes, nothing is built.
//!
//! **Source**: TDS 2.0 for the URNs; GS1 Digital Link URI syntax 1.3; GS1 General Specifications for the lengths of keys, check
//! digits and the characters of serials.

use super::mark;
use super::scan_link::scan_link;
use super::scan_urn::scan_urn;
use super::scanned::{Scanned, of_text};

/// Looks at an identifier.
pub(crate) fn scan(text: &[u8]) -> Scanned {
    if let Some(urn) = text.strip_prefix(b"urn:epc:") {
        return scan_urn(text, urn);
    }
    if text.starts_with(b"http")
        && let Some(link) = scan_link(text)
    {
        return link;
    }
    let marks = if memchr::memchr(b':', text).is_none() {
        mark::BARE
    } else {
        0
    };
    Scanned {
        marks,
        identity: of_text(text),
    }
}
