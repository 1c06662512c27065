//! Values in normal form: times, words of the vocabularies, numbers and identifiers (CBV 2.0, 8.9).

use super::number;
use super::profile::Switches;
use crate::field::ValueKind;
use crate::identifier::{self, Escapes};
use crate::vocabulary::{
    BIZ_STEP, BIZ_TRANSACTION_TYPE, DISPOSITION, ERROR_REASON, SOURCE_DESTINATION_TYPE, Vocabulary,
};
use epcis_edge_text::time::Timestamp;

/// The vocabularies that have URNs.
const WITH_URN: [&Vocabulary; 5] =
    [&BIZ_STEP, &DISPOSITION, &BIZ_TRANSACTION_TYPE, &SOURCE_DESTINATION_TYPE, &ERROR_REASON];

/// Appends a trimmed value in normal form.
pub(super) fn push(text: &str, kind: ValueKind, switches: &Switches, out: &mut Vec<u8>) {
    let pushed = match kind {
        ValueKind::Offset => false,
        ValueKind::Time => Timestamp::parse(text).is_some_and(|time| time.push_to(out)),
        ValueKind::Word(vocabulary) => {
            let web = match vocabulary.hashed_web {
                "" => vocabulary.web,
                _ => switches.gs1_vocabulary,
            };
            push_word(text, web, out) || push_by_form(text, switches, out)
        }
        _ => push_by_form(text, switches, out),
    };
    if !pushed {
        out.extend_from_slice(text.as_bytes());
    }
}

/// Appends a bare word with the web URI prefix of its vocabulary, whether or not the vocabulary lists the word. False if the text
/// has a colon.
fn push_word(text: &str, prefix: &str, out: &mut Vec<u8>) -> bool {
    if text.contains(':') {
        return false;
    }
    out.extend_from_slice(prefix.as_bytes());
    out.extend_from_slice(text.as_bytes());
    true
}

/// Appends the normal form of a value recognised by its syntax. Returns false, and appends nothing, if it has none.
fn push_by_form(text: &str, switches: &Switches, out: &mut Vec<u8>) -> bool {
    match text.as_bytes().first() {
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => {
            if switches.rounds_numbers {
                number::push_rounded(text, out)
            } else {
                number::push_exact(text, out)
            }
        }
        Some(b'u' | b'h') => {
            let escapes = if switches.adds_escapes { Escapes::Added } else { Escapes::AsWritten };
            push_urn_of_word(text, out) || identifier::push_digital_link(text, escapes, out)
        }
        Some(b'c') => push_with_base(text, "cbv:", "https://ref.gs1.org/cbv/", out),
        Some(b'g') => push_with_base(text, "gs1:", switches.gs1_vocabulary, out),
        _ => false,
    }
}

fn push_urn_of_word(text: &str, out: &mut Vec<u8>) -> bool {
    text.starts_with("urn:epcglobal:cbv:")
        && WITH_URN
            .iter()
            .any(|vocabulary| push_with_base(text, vocabulary.urn, vocabulary.web, out))
}

/// Appends a value with its prefix replaced by `base`; false if it does not begin with the prefix.
fn push_with_base(text: &str, prefix: &str, base: &str, out: &mut Vec<u8>) -> bool {
    let Some(rest) = text.strip_prefix(prefix) else {
        return false;
    };
    out.extend_from_slice(base.as_bytes());
    out.extend_from_slice(rest.as_bytes());
    true
}
