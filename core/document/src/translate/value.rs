//! Values: converts numbers, booleans and vocabulary words from XML to JSON and back, and compares them.

use super::characters::collapse;
use super::report::{self, Code};
use crate::field::ValueKind;
use crate::vocabulary::Vocabulary;
use epcis_edge_text::decimal::Decimal;
use std::borrow::Cow;

/// Returns the number as JSON writes it, with the same digits; `None` if JSON has no such number.
///
/// `Err` if the text is not a number.
pub(super) fn number(text: &str) -> Result<Option<Cow<'_, str>>, ()> {
    if matches!(text, "INF" | "-INF" | "+INF" | "NaN") {
        return Ok(None);
    }
    let decimal = Decimal::read(text).ok_or(())?;
    // Readers of JSON commonly hold numbers as 64-bit floats, so a number beyond their range has no JSON form.
    let is_long = decimal.exponent.is_some() || text.len() > 300;
    if is_long && !text.parse::<f64>().is_ok_and(f64::is_finite) {
        return Ok(None);
    }
    if decimal.is_json() {
        return Ok(Some(Cow::Borrowed(text)));
    }
    let mut written = String::with_capacity(text.len() + 1);
    if decimal.is_negative() {
        written.push('-');
    }
    match decimal.whole.trim_start_matches('0') {
        "" => written.push('0'),
        whole => written.push_str(whole),
    }
    for (mark, part) in [(".", decimal.fraction), ("e", decimal.exponent)] {
        if let Some(part) = part.filter(|part| !part.is_empty()) {
            written.push_str(mark);
            written.push_str(part);
        }
    }
    Ok(Some(Cow::Owned(written)))
}

/// The prefixes of a vocabulary's words in the URIs of old CBV drafts.
fn draft_forms(vocabulary: &Vocabulary) -> [String; 2] {
    let family = vocabulary.curie.trim_start_matches("cbv:");
    [format!("https://ns.gs1.org/cbv/{family}"), format!("http://ns.gs1.org/cbv/{family}")]
}

fn is_gs1(vocabulary: &Vocabulary) -> bool {
    vocabulary.curie == "gs1:"
}

const GS1_LONG: [&str; 4] = [
    "https://gs1.org/voc/",
    "https://www.gs1.org/voc/",
    "http://gs1.org/voc/",
    "http://www.gs1.org/voc/",
];

/// Returns the word of a vocabulary as JSON writes it, and the code of a note about it, if any.
pub(super) fn word<'v>(
    vocabulary: &'static Vocabulary,
    value: &'v str,
) -> (Cow<'v, str>, Option<Code>) {
    if is_gs1(vocabulary) {
        return gs1_word(vocabulary, value);
    }
    let urn =
        Some(vocabulary.urn).filter(|urn| !urn.is_empty()).and_then(|urn| value.strip_prefix(urn));
    let unlisted = |word: &str| {
        (Cow::Owned(format!("{}{word}", vocabulary.web)), Some(report::CBV_NOT_IN_2_0))
    };
    if let Some(word) = urn {
        if vocabulary.contains(word) {
            return (Cow::Borrowed(word), None);
        }
        return unlisted(word);
    }
    let listed = |prefix: &str| value.strip_prefix(prefix).filter(|w| vocabulary.contains(w));
    if let Some(word) = listed(vocabulary.curie).or_else(|| listed(vocabulary.web)) {
        return (Cow::Borrowed(word), Some(report::CBV_URI_FORM));
    }
    if value.starts_with("http") && value.contains("://ns.gs1.org/cbv/") {
        for draft in draft_forms(vocabulary) {
            if let Some(word) = value.strip_prefix(draft.as_str()) {
                if vocabulary.contains(word) {
                    return (Cow::Borrowed(word), Some(report::CBV_URI_FORM));
                }
                return unlisted(word);
            }
        }
    }
    let code = if value.starts_with("cbv:") || value.starts_with("https://ref.gs1.org/cbv/") {
        Some(report::CBV_UNKNOWN)
    } else if vocabulary.contains(value) {
        Some(report::BARE_WORD)
    } else {
        None
    };
    (Cow::Borrowed(value), code)
}

fn gs1_word<'v>(vocabulary: &Vocabulary, value: &'v str) -> (Cow<'v, str>, Option<Code>) {
    if let Some(word) = value.strip_prefix("gs1:") {
        if vocabulary.contains(word) {
            return (Cow::Borrowed(word), None);
        }
        return (Cow::Borrowed(value), Some(report::GS1_UNKNOWN));
    }
    if let Some(word) = GS1_LONG.iter().find_map(|long| value.strip_prefix(long)) {
        if vocabulary.contains(word) {
            return (Cow::Borrowed(word), Some(report::GS1_URI_FORM));
        }
        return (Cow::Owned(format!("gs1:{word}")), Some(report::GS1_UNKNOWN));
    }
    let code = vocabulary.contains(value).then_some(report::BARE_WORD);
    (Cow::Borrowed(value), code)
}

/// Returns the word as XML writes it: a listed bare word gets its URN form, or its CURIE if the vocabulary has no URN.
pub(super) fn word_for_xml<'v>(vocabulary: &'static Vocabulary, value: &'v str) -> Cow<'v, str> {
    if !vocabulary.contains(value) {
        return Cow::Borrowed(value);
    }
    let prefix = match vocabulary.urn {
        "" => vocabulary.curie,
        urn => urn,
    };
    Cow::Owned(format!("{prefix}{value}"))
}

/// Whether two values of one kind mean the same, in whatever spelling.
pub(super) fn same(kind: ValueKind, a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    if kind == ValueKind::Verbatim {
        return false;
    }
    let (a, b) = (collapse(a), collapse(b));
    if a == b {
        return true;
    }
    match kind {
        ValueKind::Number => {
            let worth = |text: &str| {
                let number = number(text).ok().flatten();
                Decimal::read(&number?)?.normalized()
            };
            matches!((worth(&a), worth(&b)), (Some(a), Some(b)) if a == b)
        }
        ValueKind::Boolean => boolean(&a).is_some() && boolean(&a) == boolean(&b),
        ValueKind::Word(vocabulary) => spelt_out(vocabulary, &a) == spelt_out(vocabulary, &b),
        _ => false,
    }
}

pub(super) fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// Returns one spelling for all forms of a listed word. A bare word is kept, because in XML it is not a CBV word.
fn spelt_out<'v>(vocabulary: &'static Vocabulary, value: &'v str) -> Cow<'v, str> {
    if is_gs1(vocabulary) {
        return match GS1_LONG.iter().find_map(|long| value.strip_prefix(long)) {
            Some(word) => Cow::Owned(format!("gs1:{word}")),
            None => Cow::Borrowed(value),
        };
    }
    let (word, code) = word(vocabulary, value);
    if word == value || code.is_some_and(|code| code != report::CBV_URI_FORM) {
        return Cow::Borrowed(value);
    }
    Cow::Owned(format!("{}{word}", vocabulary.curie))
}
