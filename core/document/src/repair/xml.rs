//! One pass over XML, or over what would be XML.

use super::{Reason, edits::Edits, zones::Zones};
use epcis_edge_text::lookalike::{Look, look, mistaken, mixes};
use epcis_edge_text::slice::{OrEmpty, Part};
use std::borrow::Cow;

/// Cuts the text into markup and what is between.
pub(super) fn read(text: &str, edits: &mut Edits<'_>, zones: &mut Zones) {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    loop {
        let (content, markup) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        let (content, end) = value(content, text.len() - rest.len(), edits);
        let start = text.len() - markup.len();
        // In these nothing is repaired.
        let closed_by = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<!", ">")];
        let opaque = closed_by.iter().find(|(open, _)| markup.starts_with(open));
        if let Some((_, close)) = opaque {
            let length = markup.find(close).map_or(markup.len(), |at| at + close.len());
            rest = markup.part(length..);
        } else if markup.is_empty() {
            return;
        } else {
            let length = tag(markup, start, edits);
            let (inside, after) = markup.split_at(length);
            rest = after;
            if let Some(tag) = inside.strip_prefix("</") {
                zones.close(edits);
                zones.value(local_name(tag), &content, end);
            } else if !inside.ends_with("/>") && !inside.starts_with("<?") {
                zones.open();
            }
        }
    }
}

/// The name in a closing tag, without its prefix.
fn local_name(tag: &str) -> &str {
    let end = tag.find([' ', '\t', '\r', '\n', '>', '/']);
    let name = tag.part(..end.unwrap_or(tag.len()));
    name.rsplit(':').next().or_empty()
}

/// Repairs the text between markup. Returns it, without white space around it, and where it ends.
fn value<'t>(content: &'t str, start: usize, edits: &mut Edits<'_>) -> (Cow<'t, str>, usize) {
    let is_space = |each: char| {
        each.is_ascii_whitespace() || matches!(look(each), Some(Look::Nothing | Look::Like(' ')))
    };
    let own = content.trim_matches(is_space);
    if own.is_empty() {
        edits.replace_all(content, start);
        return (Cow::Borrowed(""), start);
    }
    // What cannot be seen at the ends is taken off; white space stays.
    let trimmed = content.trim_ascii();
    let at = start + content.len() - content.trim_ascii_start().len();
    let end = at + trimmed.len();
    match meant(trimmed) {
        Some(meant) => {
            edits.replace(at..end, &meant, Reason::LookAlike);
            (Cow::Owned(meant), end)
        }
        None => (Cow::Borrowed(trimmed), end),
    }
}

/// [`mistaken`] of a value as it is written: `2026&#x2010;03` has the hyphen U+2010, too. Not if markup would come of it: a quote of
/// typographers in an attribute value would end it.
fn meant(value: &str) -> Option<String> {
    let markup = |text: &str| text.matches(['<', '&', '"', '\'']).count();
    let plain = without_references(value);
    mistaken(&plain).filter(|meant| markup(meant) == markup(&plain))
}

/// The text with the characters that look like others in place of references to them. All other references stay.
fn without_references(value: &str) -> Cow<'_, str> {
    /// The most digits of a reference that is looked at: `&#x0002010;`.
    const DIGITS: usize = 8;
    let mut parts = value.split("&#");
    let first = parts.next().unwrap_or(value);
    if first.len() == value.len() {
        return Cow::Borrowed(value);
    }
    let mut plain = first.to_owned();
    for part in parts {
        let number = part.bytes().take(DIGITS + 2).position(|byte| byte == b';');
        let referred = number.and_then(|length| {
            let (number, rest) = (part.get(..length)?, part.get(length + 1..)?);
            let code = match number.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            let character = char::from_u32(code.ok()?)?;
            look(character).map(|_| (character, rest))
        });
        match referred {
            Some((character, rest)) => {
                plain.push(character);
                plain.push_str(rest);
            }
            None => {
                plain.push_str("&#");
                plain.push_str(part);
            }
        }
    }
    Cow::Owned(plain)
}

/// Repairs a tag, and returns its length.
fn tag(markup: &str, start: usize, edits: &mut Edits<'_>) -> usize {
    let mut at = 0;
    loop {
        let rest = markup.part(at..);
        let Some(next) = rest.find(|each| each == '>' || quote(each).is_some()) else {
            edits.replace_all(rest, start + at);
            return markup.len();
        };
        let (outside, found) = rest.split_at(next);
        outside_of_values(outside, start + at, edits);
        at += next;
        let Some(opening) = found.chars().next() else {
            return at;
        };
        if opening == '>' {
            return at + 1;
        }
        let is_plain = opening.is_ascii();
        let body = found.part(opening.len_utf8()..);
        let closes = |each: char| match is_plain {
            true => each == opening,
            false => quote(each) == quote(opening),
        };
        // A value does not go beyond the next tag: then its quote is missing.
        let length = body.find(|each| each == '<' || closes(each));
        edits.replace_all(found.part(..opening.len_utf8()), start + at);
        at += opening.len_utf8();
        let Some(length) = length else {
            return markup.len();
        };
        let (body, after) = body.split_at(length);
        if let Some(meant) = meant(body) {
            edits.replace(start + at..start + at + length, &meant, Reason::LookAlike);
        }
        at += length;
        let Some(closing) = after.chars().next().filter(|each| closes(*each)) else {
            return at;
        };
        edits.replace_all(after.part(..closing.len_utf8()), start + at);
        at += closing.len_utf8();
    }
}

/// The quote of ASCII that a character is or looks like.
fn quote(character: char) -> Option<char> {
    match look(character) {
        Some(Look::Like(like @ ('"' | '\''))) => Some(like),
        None if matches!(character, '"' | '\'') => Some(character),
        _ => None,
    }
}

/// Names, blanks and equals signs. Names in another script stay.
fn outside_of_values(part: &str, start: usize, edits: &mut Edits<'_>) {
    if part.is_ascii() {
        return;
    }
    let mut at = 0;
    for piece in part.split_inclusive(|each: char| !each.is_alphanumeric()) {
        let word = piece.trim_end_matches(|each: char| !each.is_alphanumeric());
        if mixes(word) {
            edits.replace_all(word, start + at);
        }
        let after = piece.part(word.len()..);
        edits.replace_all(after, start + at + word.len());
        at += piece.len();
    }
}
