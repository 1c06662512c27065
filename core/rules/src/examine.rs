//! Examines single values: which marks they have.

use super::mark::{self, ExaminedAs};
use super::texts::{MAX_OTHER_TEXT, open_text};
use epcis_edge_document::hash::{Claim, event_name};
use epcis_edge_document::identifier::mark::LOOK_ALIKE;
use epcis_edge_document::identifier::{Scanned, of_text, scan};
use epcis_edge_document::vocabulary;
use epcis_edge_text::json::{Text, Value};
use epcis_edge_text::lookalike::{mistaken, note};
use epcis_edge_text::window;
use std::borrow::Cow;

/// The tables made before any document is read: the words of the vocabularies.
#[derive(Debug)]
pub(super) struct ValueExaminer {
    /// For each vocabulary a hash table: a word is in its slot, or in the next free one after it.
    words: Vec<[Option<&'static str>; SLOTS]>,
}

/// More than three times the number of words in the largest vocabulary, and a power of two.
const SLOTS: usize = 256;

fn slot(word: &[u8]) -> usize {
    // Hashes the first and last bytes. Two words of one vocabulary hardly ever collide, and there is no loop.
    let last = word.last_chunk().map_or(0, |last| u64::from_le_bytes(*last));
    let mixed = window::first(word) ^ last.rotate_left(31) ^ word.len() as u64;
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize & (SLOTS - 1)
}

impl ValueExaminer {
    pub(super) fn new() -> Self {
        let words = vocabulary::ALL.iter().map(|vocabulary| {
            let mut table = [None; SLOTS];
            for word in vocabulary.words {
                let mut at = slot(word.as_bytes());
                while table.get(at).is_some_and(Option::is_some) {
                    at = (at + 1) % SLOTS;
                }
                if let Some(place) = table.get_mut(at) {
                    *place = Some(*word);
                }
            }
            table
        });
        Self { words: words.collect() }
    }

    /// Examines a value once.
    pub(super) fn examine(&self, examined_as: ExaminedAs, value: Value<'_>) -> Scanned {
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
            (ExaminedAs::Word(number), Some(text)) => Scanned {
                marks: match text.plain() {
                    // Most values are words of the vocabulary.
                    Some(plain) if self.is_word(number, plain) => mark::KNOWN_WORD,
                    _ => self.marks_of_word(number, &plain(text)),
                },
                identity: 0,
            },
        }
    }

    /// A word of the CBV without the prefix of its vocabulary; any other text as it is.
    pub(super) fn bare<'t>(&self, examined_as: ExaminedAs, text: &'t str) -> &'t str {
        let vocabularies = match examined_as {
            ExaminedAs::Word(number) => vocabulary::ALL.get(number..=number),
            _ => None,
        };
        let vocabularies = vocabularies.unwrap_or(&vocabulary::ALL).iter();
        let mut bare = vocabularies.filter_map(|vocabulary| vocabulary.bare_part(text));
        bare.next().unwrap_or(text)
    }

    fn is_word(&self, vocabulary: usize, word: &[u8]) -> bool {
        let Some(table) = self.words.get(vocabulary) else {
            return false;
        };
        let mut at = slot(word);
        while let Some(Some(known)) = table.get(at) {
            if window::are_same(known.as_bytes(), word) {
                return true;
            }
            at = (at + 1) % SLOTS;
        }
        false
    }

    fn marks_of_word(&self, number: usize, word: &str) -> u64 {
        if self.is_word(number, word.as_bytes()) {
            return mark::KNOWN_WORD;
        }
        let Some(vocabulary) = vocabulary::ALL.get(number) else {
            return 0;
        };
        if !word.contains(':') {
            return mark::UNKNOWN_WORD;
        }
        match vocabulary.bare_part(word) {
            None => 0,
            Some(bare) if self.is_word(number, bare.as_bytes()) => mark::KNOWN_LONG_FORM,
            Some(_) => mark::UNKNOWN_LONG_FORM,
        }
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
    // Most names can be judged by their first letters.
    let begins = text.trim_start().get(..3);
    let is_hash = begins.is_some_and(|begins| begins.eq_ignore_ascii_case("ni:"));
    let marks = match is_hash {
        false => 0,
        true if is_well_formed(&text) => mark::HASH,
        true if Claim::of(&text) == Claim::Malformed => mark::HASH | mark::MALFORMED_HASH,
        true => mark::HASH,
    };
    Scanned { marks, identity: of_text(event_name(&text).as_bytes()) }
}

/// Whether a text is an event hash in the form that every tool writes, which needs no parsing.
fn is_well_formed(text: &str) -> bool {
    let digest = text.strip_prefix("ni:///sha-256;");
    let digits = digest.and_then(|rest| {
        rest.strip_suffix("?ver=CBV2.0").or_else(|| rest.strip_suffix("?ver=CBV2.1"))
    });
    digits.is_some_and(|digits| {
        // Without stopping early, so that sixteen bytes are compared at once.
        let are_digits = digits.bytes().fold(true, |are, byte| {
            are & (byte.wrapping_sub(b'0') < 10) | are & (byte.wrapping_sub(b'a') < 6)
        });
        digits.len() == 64 && are_digits
    })
}

/// The marks of a number as it is written.
fn marks_of_number(written: &str) -> u64 {
    if written.bytes().all(|byte| byte.is_ascii_digit()) {
        return 0;
    }
    let Ok(number) = written.parse::<f64>() else {
        return 0;
    };
    let negative = if number < 0.0 { mark::NEGATIVE } else { 0 };
    negative | if number.fract() == 0.0 { 0 } else { mark::FRACTION }
}
