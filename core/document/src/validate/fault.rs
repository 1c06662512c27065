//! Explains why a text is not a date and time, or not a URI, if the reason is simple.
//!
//! The schema decides whether it is one; this only explains.

use epcis_edge_schema::{is_date_time, is_uri};
use epcis_edge_text::error::Quoted;
use epcis_edge_text::lookalike;

/// The reason why a text is not a date and time; empty if there is no simple one.
pub(super) fn time_fault(text: &str) -> String {
    let alike = lookalike::advice(text, is_date_time);
    if alike.is_empty() { time_part_fault(text).to_owned() } else { alike }
}

fn time_part_fault(text: &str) -> &'static str {
    let (date, time) =
        text.split_at(text.len().min(text.find(['T', 't', ' ']).unwrap_or(text.len())));
    if time.is_empty() {
        return "; the time is missing";
    }
    if time.starts_with(' ') {
        return "; a `T` must stand between date and time";
    }
    if !time.ends_with(['Z', 'z']) && !time.contains(['+', '-']) {
        return "; the time zone is missing";
    }
    if let Some((_, zone)) = time.rsplit_once(['+', '-'])
        && zone.len() != 5
    {
        return "; the time zone must be written `+hh:mm`, `-hh:mm` or `Z`";
    }
    if date.len() == 10 { "; no such date or time exists" } else { "" }
}

/// The reason why a text is not a URI; empty if there is no simple one. An empty text needs no reason: the message says so already.
pub(super) fn uri_fault(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    // Percent-encoded, it would be another identifier.
    let alike = lookalike::advice(text, |plain| is_uri(plain.as_bytes()));
    if !alike.is_empty() {
        return alike;
    }
    let odd = text.chars().enumerate().find(|(_, character)| {
        !character.is_ascii_alphanumeric() && !"-._~:/?#[]@!$&'()*+,;=%".contains(*character)
    });
    if let Some((position, character)) = odd {
        let name = match character {
            ' ' => "a space".to_owned(),
            other => Quoted(other.encode_utf8(&mut [0; 4])).to_string(),
        };
        return format!("; {name}, character {}, must be percent-encoded", position + 1);
    }
    let scheme = text.split_once(':').map(|(scheme, _)| scheme);
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character))
    };
    match scheme {
        None => return "; the scheme, such as `urn:` or `https:`, is missing".to_owned(),
        Some(scheme) if !is_scheme(scheme) => {
            return format!("; {} is not a valid URI scheme", Quoted(scheme));
        }
        Some(_) => {}
    }
    let bytes = text.as_bytes();
    let is_escape = |at: usize| {
        bytes.get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
    };
    match bytes.iter().enumerate().find(|&(at, &byte)| byte == b'%' && !is_escape(at)) {
        Some((at, _)) => {
            format!("; the `%`, character {}, is not followed by two hexadecimal digits", at + 1)
        }
        None => String::new(),
    }
}
