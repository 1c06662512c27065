//! Examines single values: which marks they have.

use super::mark::{self, ExaminedAs};
use super::texts::{MAX_OTHER_TEXT, open_text};
use epcis_edge_document::hash::{Claim, event_name, is_printed_hash};
use epcis_edge_document::identifier::mark::LOOK_ALIKE;
use epcis_edge_document::identifier::{Scanned, of_text, scan};
use epcis_edge_document::vocabulary;
use epcis_edge_text::json::{Text, Value};
use epcis_edge_text::lookalike::{mistaken, note};
use std::borrow::Cow;

/// Examines a value once.
pub(super) fn examine(examined_as: ExaminedAs, value: Value<'_>) -> Scanned {
    match (examined_as, value.as_text()) {
        (ExaminedAs::Nothing, _) => Scanned::default(),
        (ExaminedAs::Number, _) => {
            Scanned { marks: value.as_number().map_or(0, marks_of_number), identity: 0 }
        }
        (ExaminedAs::Open, _) => match open_text(value, MAX_OTHER_TEXT) {
            // It may be prose, whose dashes and quotes are what they should be.
            Some(text) => marked(scan(text.as_bytes()), || mistaken(&text).is_some()),
            None => Scanned::default(),
        },
        (_, None) => Scanned::default(),
        (ExaminedAs::Identifier, Some(text)) => {
            let text = plain(text);
            marked(scan(text.as_bytes()), || !note(&text).is_empty())
        }
        (ExaminedAs::EventId, Some(text)) => event_id(text),
        (ExaminedAs::Word(number), Some(text)) => {
            Scanned { marks: marks_of_word(number, &plain(text)), identity: 0 }
        }
    }
}

/// A word of the CBV without the prefix of its vocabulary; any other text as it is.
pub(super) fn bare(examined_as: ExaminedAs, text: &str) -> &str {
    let vocabularies = match examined_as {
        ExaminedAs::Word(number) => vocabulary::ALL.get(number..=number),
        _ => None,
    };
    let vocabularies = vocabularies.unwrap_or(&vocabulary::ALL).iter();
    let mut bare = vocabularies.filter_map(|vocabulary| vocabulary.bare_part(text));
    bare.next().unwrap_or(text)
}

fn marks_of_word(number: usize, word: &str) -> u64 {
    let Some(vocabulary) = vocabulary::ALL.get(number) else { return 0 };
    if vocabulary.contains(word) {
        return mark::KNOWN_WORD;
    }
    if !word.contains(':') {
        return mark::UNKNOWN_WORD;
    }
    match vocabulary.bare_part(word) {
        None => 0,
        Some(bare) if vocabulary.contains(bare) => mark::KNOWN_LONG_FORM,
        Some(_) => mark::UNKNOWN_LONG_FORM,
    }
}

/// What was scanned, marked if it has characters that only look right.
fn marked(scanned: Scanned, is_alike: impl FnOnce() -> bool) -> Scanned {
    let mark = if is_alike() { LOOK_ALIKE } else { 0 };
    Scanned { marks: scanned.marks | mark, ..scanned }
}

fn plain(text: Text<'_>) -> Cow<'_, str> {
    match text.plain_text() {
        Some(plain) => Cow::Borrowed(plain),
        None => text.to_cow(),
    }
}

fn event_id(text: Text<'_>) -> Scanned {
    let text = plain(text);
    if is_printed_hash(&text) {
        return Scanned { marks: mark::HASH, identity: of_text(text.as_bytes()) };
    }
    // Most names can be judged by their first letters.
    let begins = text.trim_start().get(..3);
    let is_hash = begins.is_some_and(|begins| begins.eq_ignore_ascii_case("ni:"));
    let marks = match is_hash {
        false => 0,
        true if Claim::of(&text) == Claim::Malformed => mark::HASH | mark::MALFORMED_HASH,
        true => mark::HASH,
    };
    Scanned { marks, identity: of_text(event_name(&text).as_bytes()) }
}

/// The marks of a number as it is written.
fn marks_of_number(written: &str) -> u64 {
    if written.bytes().all(|byte| byte.is_ascii_digit()) {
        return 0;
    }
    let Ok(number) = written.parse::<f64>() else { return 0 };
    let negative = if number < 0.0 { mark::NEGATIVE } else { 0 };
    negative | if number.fract() == 0.0 { 0 } else { mark::FRACTION }
}
