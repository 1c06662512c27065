//! Classifies an identifier and finds its faults in one pass over its bytes, without allocating.
//!
//! **Source**: TDS 2.0 for the URNs; GS1 Digital Link URI syntax 1.3; GS1 General Specifications for the lengths of keys, check
//! digits and the characters of serials.

use super::characters::{self, Tail};
use super::key_digits::{Digits, marks_of_pieces, marks_of_prefix, marks_of_prefix_digits, power};
use super::link::{self, Candidate, Link};
use super::mark;
use super::scheme::Scheme;
use super::urn::{NonKeyUrn, Urn, UrnParts};
use epcis_edge_text::slice::Part;

/// The result of a scan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scanned {
    /// Bits of [`mark`].
    pub marks: u64,
    /// A hash: equal for all spellings of one identifier. It may collide; compare the identifiers to be sure.
    pub identity: u64,
}

impl Scanned {
    /// A result without an identity.
    fn nothing(marks: u64) -> Self {
        Self { marks, identity: 0 }
    }

    /// A result whose identity is made of the number of a key and its serial.
    fn key(marks: u64, kind: u64, number: u64, serial: &[u8]) -> Self {
        Self { marks, identity: characters::finished(kind, number, characters::hash(serial)) }
    }

    /// Sets the identity to that of the text, if there is none.
    fn or_text(self, text: &[u8]) -> Self {
        if self.identity != 0 {
            return self;
        }
        Self { identity: of_text(text), ..self }
    }
}

/// The identity of a text that is not a known identifier.
pub fn of_text(text: &[u8]) -> u64 {
    characters::finished(1, 0, characters::hash(text))
}

/// Scans an identifier.
pub fn scan(text: &[u8]) -> Scanned {
    if let Some(urn) = text.strip_prefix(b"urn:epc:") {
        return of_urn(urn).or_text(text);
    }
    if text.starts_with(b"http")
        && let Some((_, link)) = scan_link(text)
    {
        return link.or_text(text);
    }
    let is_uri = memchr::memchr(b':', text).is_some();
    Scanned::nothing(if is_uri { 0 } else { mark::BARE }).or_text(text)
}

/// Scans an EPC URN, given without `urn:epc:`.
fn of_urn(urn: &[u8]) -> Scanned {
    let urn = match Urn::read(urn) {
        Ok(urn) => urn,
        Err(NonKeyUrn::Tag) => return Scanned::nothing(mark::URN | mark::TAG),
        Err(NonKeyUrn::WithoutKey) => return Scanned::nothing(mark::URN),
        Err(NonKeyUrn::Unknown) => return Scanned::nothing(mark::URN | mark::UNKNOWN_SCHEME),
    };
    if !urn.is_pattern {
        let mut scanned = of_parts(urn.scheme, &urn.parts());
        scanned.marks |= mark::URN | urn.scheme.marks();
        return scanned;
    }
    // Every pattern names a class, whatever its stars leave open.
    let class = mark::URN | mark::PATTERN | mark::CLASS;
    let serial = urn.body.strip_suffix(b".*");
    match serial.filter(|body| memchr::memchr(b'*', body).is_none()) {
        Some(body) => {
            let parts = UrnParts::of(urn.scheme, body);
            let scanned = of_parts(urn.scheme, &parts);
            let mut faults = scanned.marks & !mark::NO_SERIAL;
            // In a scheme without serials the star replaces the reference, so the length of the key is open.
            if !urn.scheme.has_serial() && parts.reference.is_none() {
                faults &= !mark::KEY_LENGTH;
            }
            Scanned::nothing(faults | class | urn.scheme.marks() & !mark::INSTANCE)
        }
        None => Scanned::nothing(class),
    }
}

/// The marks and the identity of the parts of a URN.
fn of_parts(scheme: Scheme, parts: &UrnParts<'_>) -> Scanned {
    let (prefix, other) = Digits::read_unchecked(parts.prefix);
    if !other.is_empty() {
        return Scanned::nothing(mark::NO_DIGITS);
    }
    let Some(reference) = parts.reference else {
        return Scanned::nothing(mark::KEY_LENGTH);
    };
    let mut marks = if (6..=12).contains(&prefix.count) {
        marks_of_prefix_digits(parts.prefix)
    } else {
        mark::PREFIX_LENGTH
    };
    let mut number = if scheme.key.is_text() {
        marks |= characters::marks(reference, scheme.key.text) | raw_ampersand(reference);
        if prefix.count + characters::count(reference) > scheme.key.text.longest() {
            marks |= mark::KEY_LENGTH;
        }
        characters::hash_of_two(parts.prefix, reference)
    } else {
        match of_digits(scheme, prefix, reference) {
            Ok((number, faults)) => {
                marks |= faults;
                number
            }
            Err(fault) => return Scanned::nothing(marks | fault),
        }
    };
    if let Some(parts) = parts.pieces {
        let Some(pieces) = pieces(parts) else {
            return Scanned::nothing(marks | mark::KEY_LENGTH);
        };
        marks |= marks_of_pieces(pieces);
        number = number.wrapping_mul(10_000).wrapping_add(pieces);
    }
    let serial = match parts.serial {
        Some(serial) if scheme.absent().map(str::as_bytes) == Some(serial) => b"",
        Some(serial) => {
            marks |= characters::marks(serial, scheme.tail());
            if !scheme.key.is_text() {
                marks |= raw_ampersand(serial);
            }
            serial
        }
        None => {
            if scheme.has_serial() {
                marks |= mark::NO_SERIAL;
            }
            b""
        }
    };
    Scanned::key(marks, scheme.marks(), number, serial)
}

/// The number that the digits of a key form without their check digit, and their faults.
fn of_digits(scheme: Scheme, prefix: Digits, reference: &[u8]) -> Result<(u64, u64), u64> {
    let key = scheme.key;
    let first = reference.first().map_or(0, |byte| byte.wrapping_sub(b'0'));
    let (reference, other) = Digits::read_unchecked(reference);
    if !other.is_empty() {
        return Err(mark::NO_DIGITS);
    }
    let fits = prefix.count + reference.count == key.digits_of_urn();
    let faults = match fits && !(key.leads && reference.count == 0) {
        true => 0,
        false => mark::KEY_LENGTH,
    };
    if !key.leads {
        let above = prefix.value.wrapping_mul(power(reference.count));
        return Ok((above.wrapping_add(reference.value), faults));
    }
    let behind = power(reference.count.saturating_sub(1));
    let first = if reference.count > 0 { first.into() } else { 0 };
    let rest = reference.value.wrapping_sub(behind.wrapping_mul(first));
    let number = first
        .wrapping_mul(power(key.digits_of_urn() - 1))
        .wrapping_add(prefix.value.wrapping_mul(behind))
        .wrapping_add(rest);
    Ok((number, faults))
}

/// Piece number and total, two digits each, as one number.
fn pieces(parts: [&[u8]; 2]) -> Option<u64> {
    let [piece, total] = parts.map(|part| match Digits::read_unchecked(part) {
        (Digits { value, count: 2, .. }, b"") => Some(value),
        _ => None,
    });
    Some(piece? * 100 + total?)
}

/// The fault of an unescaped ampersand: a path may contain it, a URN must escape it.
fn raw_ampersand(text: &[u8]) -> u64 {
    memchr::memchr(b'&', text).map_or(0, |_| mark::CHARACTERS)
}

/// Scans a URI that starts with `http`; `None` if it is not a Digital Link. Its parts are `None` if the value of its key is malformed.
pub(super) fn scan_link(text: &[u8]) -> Option<(Option<Link<'_>>, Scanned)> {
    let (link, mut scanned) = link::find(text, |found| {
        let parts = match link::KeyParts::of(found.key, found.value) {
            Ok(parts) => parts,
            // On another host this may be an ordinary path.
            Err(fault) if found.is_official => {
                return Some((None, Scanned::nothing(found.key.marks & !LEVELS | fault)));
            }
            Err(_) => return None,
        };
        let faults = faults_of(found, &parts);
        // On another host, a number after `/01/` may be part of an ordinary path. It counts only if it is a faultless key of full
        // length, or if more of a key follows.
        let is_numbered = found.segment.first().is_some_and(u8::is_ascii_digit);
        let is_short = found.key.shorter.contains(&parts.digits.len());
        if is_numbered
            && !found.is_official
            && found.rest.is_none()
            && (found.key.is_text() || parts.tail.is_empty())
            && (is_short || faults & mark::KEY_FAULTS != 0)
        {
            return None;
        }
        let link = found.qualified(parts)?;
        Some((Some(link), of_link(&link, faults)))
    })?;
    scanned.marks |= mark::DIGITAL_LINK;
    Some((link, scanned))
}

const LEVELS: u64 = mark::INSTANCE | mark::CLASS;

/// The marks and the identity of a Digital Link.
fn of_link(link: &Link<'_>, faults: u64) -> Scanned {
    let Link { key, parts, .. } = link;
    let (named, serial) = match link.finest {
        Some((qualifier, value)) => (qualifier.marks, value),
        None if key.is_text() => (key.marks, &b""[..]),
        None if !parts.tail.is_empty() => (key.marks & !LEVELS | mark::INSTANCE, parts.tail),
        None => (key.marks, parts.tail),
    };
    // For a key with its serial directly behind it, such as a GRAI, class and instance have the same kind, as in URNs.
    let kind = match key.tail {
        Tail::None => named,
        _ => key.marks & !LEVELS | mark::INSTANCE,
    };
    let number = match key.is_text() {
        true => characters::hash_of_two(parts.tail, b""),
        false if key.has_pieces => {
            (parts.number.value / 10).wrapping_mul(10_000).wrapping_add(parts.pieces)
        }
        false => parts.number.value / 10,
    };
    Scanned::key(named | faults | link.faults, kind, number, serial)
}

/// The faults in the value of a key.
fn faults_of(found: Candidate<'_>, parts: &link::KeyParts<'_>) -> u64 {
    let key = found.key;
    if key.is_text() {
        let (prefix, _) = Digits::read(parts.tail);
        let no_prefix = if prefix.count < 4 { mark::NO_DIGITS } else { 0 };
        return characters::marks(parts.tail, key.text) | no_prefix;
    }
    let mut faults = if parts.number.are_checked() { 0 } else { mark::CHECK_DIGIT };
    if key.has_pieces {
        faults |= marks_of_pieces(parts.pieces);
    }
    if !parts.tail.is_empty() {
        faults |= characters::marks(parts.tail, key.tail);
    }
    // A key of full length has at least twelve digits, more than the prefix check needs.
    let before = key.before_prefix();
    if parts.number.count == key.digits {
        let prefix = parts.digits.part(before..);
        return faults | marks_of_prefix_digits(prefix);
    }
    let count = key.digits.saturating_sub(1 + before);
    faults | marks_of_prefix(parts.number.value / 10 % power(count), count)
}
