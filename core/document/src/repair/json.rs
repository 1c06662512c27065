//! One pass over JSON, or over what would be JSON.

use super::{Reason, edits::Edits, zones::Zones};
use epcis_edge_text::json::{plain_string, push_escaped};
use epcis_edge_text::lookalike::{Look, look, mistaken};
use epcis_edge_text::slice::Part;
use std::borrow::Cow;

/// Cuts the text into strings and what is between them.
pub(super) fn read(text: &str, edits: &mut Edits<'_>, zones: &mut Zones) {
    // The name of the next value.
    let mut name = Cow::Borrowed("");
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    while let Some(quote) = rest.find(is_quote) {
        let (between, string) = rest.split_at(quote);
        passed(between, text.len() - rest.len(), edits, zones);
        let start = text.len() - string.len();
        let opening = string.chars().next().map_or(0, char::len_utf8);
        // A string that begins with a quote of ASCII ends with one; the others are part of it.
        let is_plain = string.starts_with('"');
        let body = string.part(opening..);
        let Some(length) = end(body, is_plain) else {
            edits.replace_all(string.part(..opening), start);
            return;
        };
        let (body, after) = body.split_at(length);
        let closing = after.chars().next().map_or(0, char::len_utf8);
        edits.replace_all(string.part(..opening), start);
        let repaired = value(body, start + opening, edits);
        let end = start + opening + length;
        let (closing, after) = after.split_at(closing);
        edits.replace_all(closing, end);
        if after.trim_start().starts_with([':', '：']) {
            name = repaired;
        } else {
            zones.value(&name, &repaired, end);
            name = Cow::Borrowed("");
        }
        rest = after;
    }
    passed(rest, text.len() - rest.len(), edits, zones);
}

/// What stands between strings.
fn passed(between: &str, start: usize, edits: &mut Edits<'_>, zones: &mut Zones) {
    edits.replace_all(between, start);
    for byte in between.bytes() {
        match byte {
            b'{' => zones.open(),
            b'}' => zones.close(edits),
            _ => {}
        }
    }
}

fn is_quote(character: char) -> bool {
    character == '"' || look(character) == Some(Look::Like('"'))
}

/// The length of a string's content.
fn end(body: &str, is_plain: bool) -> Option<usize> {
    let mut is_escaped = false;
    for (at, character) in body.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(at),
            other if !is_plain && is_quote(other) => return Some(at),
            _ => {}
        }
    }
    None
}

/// Repairs the content of a string, and returns its text.
fn value<'t>(body: &'t str, start: usize, edits: &mut Edits<'_>) -> Cow<'t, str> {
    let text = plain_string(body);
    let Some(meant) = mistaken(&text) else {
        return text;
    };
    let mut written = String::new();
    push_escaped(&mut written, &meant);
    edits.replace(start..start + body.len(), &written, Reason::LookAlike);
    Cow::Owned(meant)
}
