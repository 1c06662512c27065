//! Values: numbers, booleans and vocabulary words, from XML to JSON, back, and compared.

use super::characters::collapse;
use super::report::{self, Code};
use crate::field::Kind;
use crate::vocabulary::Vocabulary;
use std::borrow::Cow;
use std::cmp::Ordering;

/// The number as JSON writes it, its digits untouched; none where JSON has no such number.
///
/// `Err` is for what is no number at all.
pub(super) fn number(text: &str) -> Result<Option<Cow<'_, str>>, ()> {
    if matches!(text, "INF" | "-INF" | "+INF" | "NaN") {
        return Ok(None);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fraction = fraction.unwrap_or_default();
    let exponent_digits = exponent.map(|text| text.strip_prefix(['+', '-']).unwrap_or(text));
    if !digits(whole)
        || !digits(fraction)
        || (whole.is_empty() && fraction.is_empty())
        || exponent_digits.is_some_and(|text| text.is_empty() || !digits(text))
    {
        return Err(());
    }
    // A reader of JSON numbers holds no more than a 64-bit float does.
    if (exponent.is_some() || text.len() > 300) && !text.parse::<f64>().is_ok_and(f64::is_finite) {
        return Ok(None);
    }
    let has_bare_point = fraction.is_empty() && mantissa.contains('.');
    let has_leading_zeros = whole.len() > 1 && whole.starts_with('0');
    let plain = !(text.starts_with('+') || whole.is_empty() || has_leading_zeros || has_bare_point);
    if plain {
        return Ok(Some(Cow::Borrowed(text)));
    }
    let mut written = String::with_capacity(text.len() + 1);
    if text.starts_with('-') {
        written.push('-');
    }
    match whole.trim_start_matches('0') {
        "" => written.push('0'),
        whole => written.push_str(whole),
    }
    if !fraction.is_empty() {
        written.push('.');
        written.push_str(fraction);
    }
    if let Some(exponent) = exponent {
        written.push('e');
        written.push_str(exponent);
    }
    Ok(Some(Cow::Owned(written)))
}

/// What stands before the word in the URN form and in the forms of old drafts.
fn draft_forms(vocabulary: &Vocabulary) -> [String; 2] {
    let family = vocabulary.curie.trim_start_matches("cbv:");
    [
        format!("https://ns.gs1.org/cbv/{family}"),
        format!("http://ns.gs1.org/cbv/{family}"),
    ]
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

/// The word of a vocabulary as JSON has it, and what is to be said about it.
pub(super) fn word<'v>(
    vocabulary: &'static Vocabulary,
    value: &'v str,
) -> (Cow<'v, str>, Option<Code>) {
    if is_gs1(vocabulary) {
        return gs1_word(vocabulary, value);
    }
    let urn = Some(vocabulary.urn)
        .filter(|urn| !urn.is_empty())
        .and_then(|urn| value.strip_prefix(urn));
    if let Some(word) = urn {
        if vocabulary.contains(word) {
            return (Cow::Borrowed(word), None);
        }
        let web = format!("{}{word}", vocabulary.web);
        return (Cow::Owned(web), Some(report::CBV_NOT_IN_2_0));
    }
    let listed = |prefix: &str| {
        value
            .strip_prefix(prefix)
            .filter(|w| vocabulary.contains(w))
    };
    if let Some(word) = listed(vocabulary.curie).or_else(|| listed(vocabulary.web)) {
        return (Cow::Borrowed(word), Some(report::CBV_URI_FORM));
    }
    if value.starts_with("http") && value.contains("://ns.gs1.org/cbv/") {
        for draft in draft_forms(vocabulary) {
            if let Some(word) = value.strip_prefix(draft.as_str()) {
                if vocabulary.contains(word) {
                    return (Cow::Borrowed(word), Some(report::CBV_URI_FORM));
                }
                let web = format!("{}{word}", vocabulary.web);
                return (Cow::Owned(web), Some(report::CBV_NOT_IN_2_0));
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

/// The word as XML writes it: a listed bare word gets its URN form, or its CURIE where it has none.
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

/// Whether two values of one kind say the same, whatever their spelling.
pub(super) fn same(kind: Kind, a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    if kind == Kind::Verbatim {
        return false;
    }
    let (a, b) = (collapse(a), collapse(b));
    if a == b {
        return true;
    }
    match kind {
        Kind::Number => matches!((number(&a), number(&b)), (Ok(Some(a)), Ok(Some(b)))
            if compare_numbers(&a, &b) == Some(Ordering::Equal)),
        Kind::Boolean => boolean(&a).is_some() && boolean(&a) == boolean(&b),
        Kind::Word(vocabulary) => spelt_out(vocabulary, &a) == spelt_out(vocabulary, &b),
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

/// One spelling for the forms of a listed word; a bare word stands for itself, since in XML it is no CBV word.
fn spelt_out<'v>(vocabulary: &'static Vocabulary, value: &'v str) -> Cow<'v, str> {
    if is_gs1(vocabulary) {
        return match GS1_LONG.iter().find_map(|long| value.strip_prefix(long)) {
            Some(word) => Cow::Owned(format!("gs1:{word}")),
            None => Cow::Borrowed(value),
        };
    }
    match word(vocabulary, value) {
        (word, None) if word == value => Cow::Borrowed(value),
        (word, None) => Cow::Owned(format!("{}{word}", vocabulary.curie)),
        (word, Some(code)) if code == report::CBV_URI_FORM => {
            Cow::Owned(format!("{}{word}", vocabulary.curie))
        }
        _ => Cow::Borrowed(value),
    }
}

/// Compares two decimal numbers by value, without a float in between; none when an exponent is beyond reason.
fn compare_numbers(a: &str, b: &str) -> Option<Ordering> {
    let (a, b) = (normal(a)?, normal(b)?);
    Some(if a == b {
        Ordering::Equal
    } else {
        Ordering::Less
    })
}

/// Sign, digits without zeros at either end, and the power of ten of the last one.
fn normal(text: &str) -> Option<(bool, String, i64)> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let negative = mantissa.starts_with('-');
    let mantissa = mantissa.trim_start_matches('-');
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = format!("{whole}{fraction}");
    let mut power = exponent - fraction.len() as i64;
    while digits.ends_with('0') {
        digits.pop();
        power += 1;
    }
    let digits = digits.trim_start_matches('0').to_owned();
    if digits.is_empty() {
        // Minus zero and zero are one value.
        return Some((false, digits, 0));
    }
    Some((negative, digits, power))
}
