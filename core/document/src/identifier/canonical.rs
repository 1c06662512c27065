//! The canonical form of identifiers, which is a GS1 Digital Link, and its conversion to an EPC URN.
//!
//! **Source**: CBV 2.0, 8.9; TDS 2.0.

use super::check_digit;
use super::link::Link;
use super::scheme::Scheme;
use super::urn::{Urn, UrnParts};
use epcis_edge_text::error::IdentifierFault;
use std::str;

/// The host of canonical GS1 Digital Link URIs.
const HOST: &str = "https://id.gs1.org/";

/// Whether converting a URN adds percent-escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// Escapes and all other characters are copied.
    AsWritten,
    /// `! ( ) * + , :` are escaped too, as the reference implementation of 2025 did.
    Added,
}

/// Appends the canonical form of a Digital Link.
pub(super) fn push_link(link: &Link<'_>, out: &mut Vec<u8>) {
    begin(link.key.ai, out);
    if !link.key.shorter.is_empty() {
        let missing = link.key.digits.saturating_sub(link.value.len());
        out.extend(std::iter::repeat_n(b'0', missing));
    }
    out.extend_from_slice(link.value);
    if let Some((qualifier, value)) = link.finest {
        out.extend_from_slice(qualifier.step.as_bytes());
        out.extend_from_slice(value);
    }
}

/// Appends the Digital Link of a URN. On `None` the caller must remove what was appended.
pub(super) fn push_urn(urn: &Urn<'_>, escapes: Escapes, out: &mut Vec<u8>) -> Option<()> {
    let scheme = urn.scheme;
    let parts = urn.parts();
    let reference = parts.reference?;
    if !(6..=12).contains(&parts.prefix.len()) || !are_digits(parts.prefix) {
        return None;
    }
    begin(scheme.key.ai, out);
    if scheme.key.is_text() {
        out.extend_from_slice(parts.prefix);
        push_text(reference, escapes, out)?;
    } else {
        push_digits(scheme, &parts, reference, out)?;
    }
    match parts.serial {
        None => (!scheme.has_serial() && !urn.is_pattern).then_some(()),
        Some(_) if !scheme.has_serial() => None,
        Some(b"*") if urn.is_pattern && scheme.absent().is_none() => Some(()),
        Some(_) if urn.is_pattern => None,
        Some(serial) if scheme.absent().map(str::as_bytes) == Some(serial) => Some(()),
        Some(serial) => {
            let step = scheme.qualifier.map_or("", |qualifier| qualifier.step);
            out.extend_from_slice(step.as_bytes());
            push_text(serial, escapes, out)
        }
    }
}

fn begin(ai: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(HOST.as_bytes());
    out.extend_from_slice(ai.as_bytes());
    out.push(b'/');
}

/// Appends the digits of a key with their check digit, and the piece and total of an ITIP.
fn push_digits(
    scheme: Scheme,
    parts: &UrnParts<'_>,
    reference: &[u8],
    out: &mut Vec<u8>,
) -> Option<()> {
    let key = scheme.key;
    if parts.prefix.len() + reference.len() != key.digits_of_urn() || !are_digits(reference) {
        return None;
    }
    let (first, reference) = reference.split_at_checked(usize::from(key.leads))?;
    let start = out.len();
    for part in [key.filler.as_bytes(), first, parts.prefix, reference] {
        out.extend_from_slice(part);
    }
    let check = check_digit(out.get(start..)?);
    out.push(check);
    if key.has_pieces {
        for piece in parts.pieces? {
            if piece.len() != 2 || !are_digits(piece) {
                return None;
            }
            out.extend_from_slice(piece);
        }
    }
    Some(())
}

/// Appends a serial or a reference, which must not be empty.
fn push_text(text: &[u8], escapes: Escapes, out: &mut Vec<u8>) -> Option<()> {
    if text.is_empty() {
        return None;
    }
    if escapes == Escapes::AsWritten {
        out.extend_from_slice(text);
        return Some(());
    }
    for byte in text {
        let escaped: &[u8] = match byte {
            b'!' => b"%21",
            b'(' => b"%28",
            b')' => b"%29",
            b'*' => b"%2A",
            b'+' => b"%2B",
            b',' => b"%2C",
            b':' => b"%3A",
            other => std::slice::from_ref(other),
        };
        out.extend_from_slice(escaped);
    }
    Some(())
}

fn are_digits(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_digit)
}

/// The EPC URN of a Digital Link.
pub(super) fn urn_of(link: &Link<'_>, prefix_length: usize) -> Result<String, IdentifierFault> {
    let wrong_length = || IdentifierFault::CompanyPrefixLength(prefix_length);
    if !(6..=12).contains(&prefix_length) {
        return Err(wrong_length());
    }
    let key = link.key;
    let qualifier = link.finest.map(|(qualifier, _)| qualifier);
    let body = if key.is_text() {
        let (prefix, text) = link
            .value
            .split_at_checked(prefix_length)
            .filter(|(prefix, text)| !text.is_empty() && are_digits(prefix))
            .ok_or_else(wrong_length)?;
        format!("{}.{}", shown(prefix)?, escaped(text)?)
    } else {
        let digits = format!("{:0>1$}", shown(link.parts.digits)?, key.digits);
        let digits = digits.strip_prefix(key.filler).ok_or(IdentifierFault::NoUrn)?;
        let (digits, found) = digits
            .split_at_checked(digits.len().saturating_sub(1))
            .ok_or(IdentifierFault::NotDigitalLink)?;
        let expected = char::from(check_digit(digits.as_bytes()));
        match found.chars().next() {
            Some(found) if found == expected => {}
            Some(found) => return Err(IdentifierFault::CheckDigit { expected, found }),
            None => return Err(IdentifierFault::NotDigitalLink),
        }
        let (first, rest) =
            digits.split_at_checked(usize::from(key.leads)).ok_or_else(wrong_length)?;
        let (prefix, reference) = rest.split_at_checked(prefix_length).ok_or_else(wrong_length)?;
        let mut body = format!("{prefix}.{first}{reference}");
        if key.has_pieces {
            let pieces = link.parts.pieces;
            body += &format!(".{:02}.{:02}", pieces / 100, pieces % 100);
        }
        body
    };
    let scheme = key.scheme(qualifier).ok_or(IdentifierFault::NoUrn)?;
    let name = scheme.name();
    let serial = match link.finest {
        Some((_, serial)) => serial,
        None if key.is_text() => b"",
        None => link.parts.tail,
    };
    Ok(match (serial, scheme.absent()) {
        _ if !scheme.has_serial() => format!("urn:epc:id:{name}:{body}"),
        (b"", Some(absent)) => format!("urn:epc:id:{name}:{body}.{absent}"),
        (b"", None) => format!("urn:epc:idpat:{name}:{body}.*"),
        (serial, _) => {
            let form = if scheme.is_of_classes() { "class" } else { "id" };
            format!("urn:epc:{form}:{name}:{body}.{}", escaped(serial)?)
        }
    })
}

/// A serial as written in a URN: `&` is valid in a path but escaped in a URN.
fn escaped(serial: &[u8]) -> Result<String, IdentifierFault> {
    Ok(shown(serial)?.replace('&', "%26"))
}

/// A part of an identifier as `str`.
fn shown(part: &[u8]) -> Result<&str, IdentifierFault> {
    str::from_utf8(part).map_err(|_| IdentifierFault::NotDigitalLink)
}
