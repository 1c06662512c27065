//! GS1 Digital Links: what they are and what is wrong with them.

use super::characters;
use super::key_digits::{
    Digits, marks_of_pieces, marks_of_prefix, marks_of_prefix_digits, power, split,
};
use super::mark;
use super::scanned::{Scanned, of_text};
use super::scheme::{self, LinkKey, LinkValue, Qualifier};

/// The value of a primary key.
struct Read {
    marks: u64,
    number: u64,
    serial: u64,
    /// Whether a serial stands right behind the digits.
    has_serial: bool,
}

/// Looks at a URI that begins as `http` does; none where it is no Digital Link.
pub(super) fn scan_link(text: &[u8]) -> Option<Scanned> {
    primary_key(text).map(|(_, _, link)| link)
}

/// The primary key of a Digital Link, the segment that is its value, and what the link is.
#[inline]
pub(super) fn primary_key(text: &[u8]) -> Option<(&'static LinkKey, &[u8], Scanned)> {
    const HOST: &[u8] = b"id.gs1.org";
    const OFFICIAL: &[u8] = b"https://id.gs1.org/";
    let (path, is_official) = match text.strip_prefix(OFFICIAL) {
        Some(path) => (path, true),
        None => {
            let rest = text
                .strip_prefix(b"https://")
                .or_else(|| text.strip_prefix(b"http://"))?;
            let (host, path) = split(rest, b'/')?;
            if host.iter().any(|byte| matches!(byte, b'?' | b'#')) {
                return None;
            }
            (path, host == HOST)
        }
    };
    let end = memchr::memchr2(b'?', b'#', path);
    let (path, _) = path.split_at_checked(end.unwrap_or(path.len()))?;
    let mut path = path.strip_suffix(b"/").unwrap_or(path);
    loop {
        let (segment, behind) = split(path, b'/')?;
        if let Some(key) = scheme::of_link(segment)
            && let Some(mut link) = behind_key(key, behind, Place::of(segment, is_official))
        {
            link.marks |= mark::DIGITAL_LINK;
            if link.identity == 0 {
                link.identity = of_text(text);
            }
            let value = split(behind, b'/').map_or(behind, |(value, _)| value);
            return Some((key, value, link));
        }
        path = behind;
    }
}

/// How sure it is that a segment of a path names a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// On the host of GS1.
    Official,
    /// On another, by the name of the key, such as `gtin`.
    Named,
    /// On another, by a number, such as `01`.
    Numbered,
}

impl Place {
    fn of(segment: &[u8], is_official: bool) -> Self {
        match segment.first() {
            _ if is_official => Self::Official,
            Some(byte) if byte.is_ascii_digit() => Self::Numbered,
            _ => Self::Named,
        }
    }
}

/// The link that starts with a primary key, if its value is plausible and everything behind belongs to it; no identity where
/// its key is none.
fn behind_key(key: &LinkKey, rest: &[u8], place: Place) -> Option<Scanned> {
    let (value, mut rest) = match split(rest, b'/') {
        Some((value, rest)) => (value, Some(rest)),
        None => (rest, None),
    };
    let read = match read(key, value) {
        Ok(read) => read,
        // Elsewhere this may be anybody's path.
        Err(fault) if place == Place::Official => {
            return Some(Scanned {
                marks: key.mark | fault,
                identity: 0,
            });
        }
        Err(_) => return None,
    };
    // A number behind `/01/` is anybody's, unless it is a key to its last digit, or more of a key follows.
    if place == Place::Numbered && rest.is_none() && !read.has_serial {
        let has_fault = read.marks & mark::KEY_FAULTS != 0;
        if has_fault || !is_full(key, value) {
            return None;
        }
    }
    let mut marks = read.marks;
    let mut finest: Option<(Qualifier, &[u8])> = None;
    let mut seen = 0_u8;
    while let Some(path) = rest {
        let (name, behind) = split(path, b'/')?;
        let qualifier = scheme::qualifier(key.key, name)?;
        let (value, after) = match split(behind, b'/') {
            Some((value, after)) => (value, Some(after)),
            None => (behind, None),
        };
        // The same rank twice, such as two serials, names nothing.
        if value.is_empty() || seen & 1 << qualifier.rank != 0 {
            return None;
        }
        seen |= 1 << qualifier.rank;
        marks |= characters::marks(value, qualifier.tail);
        if qualifier.rank > 0 && finest.is_none_or(|(known, _)| known.rank < qualifier.rank) {
            finest = Some((qualifier, value));
        }
        rest = after;
    }
    let (kind, serial) = match finest {
        Some((qualifier, value)) => {
            marks |= qualifier.mark | qualifier.level;
            (qualifier.key, characters::hash(value))
        }
        None if read.has_serial => {
            marks |= key.mark | mark::INSTANCE;
            (key.key, read.serial)
        }
        None => {
            marks |= key.mark | key.level;
            (key.key, read.serial)
        }
    };
    Some(Scanned {
        marks,
        identity: characters::finished(kind as u64, read.number, serial),
    })
}

/// Whether a value has all the digits of its key: a GTIN is written with fourteen.
fn is_full(key: &LinkKey, value: &[u8]) -> bool {
    match key.value {
        LinkValue::Digits { counts, .. } => counts.iter().all(|count| *count <= value.len()),
        _ => true,
    }
}

/// The value of a primary key, or why it is none.
fn read(key: &LinkKey, value: &[u8]) -> Result<Read, u64> {
    let empty = characters::hash(b"");
    match key.value {
        LinkValue::Digits { counts, before } => {
            let digits = digits(value)?;
            if !counts.contains(&digits.count) {
                return Err(mark::KEY_LENGTH);
            }
            let longest = counts.iter().copied().max().unwrap_or_default();
            Ok(Read {
                marks: marks_of(value, &digits, longest, before),
                number: digits.value / 10,
                serial: empty,
                has_serial: false,
            })
        }
        LinkValue::Pieces => {
            let (key, pieces) = value.split_at_checked(14).ok_or(mark::KEY_LENGTH)?;
            let (gtin, pieces) = (digits(key)?, digits(pieces)?);
            if pieces.count != 4 {
                return Err(mark::KEY_LENGTH);
            }
            Ok(Read {
                marks: marks_of(key, &gtin, 14, 1) | marks_of_pieces(pieces.value),
                number: (gtin.value / 10).wrapping_mul(10_000) + pieces.value,
                serial: empty,
                has_serial: false,
            })
        }
        LinkValue::Headed {
            count,
            before,
            tail,
        } => {
            let (head, serial) = value.split_at_checked(count).ok_or(mark::KEY_LENGTH)?;
            let head = digits(head)?;
            let faults = match serial {
                b"" => 0,
                serial => characters::marks(serial, tail),
            };
            Ok(Read {
                marks: marks_of(value, &head, count, before) | faults,
                number: head.value / 10,
                serial: characters::hash(serial),
                has_serial: !serial.is_empty(),
            })
        }
        LinkValue::Free { most, reference } => {
            let count = characters::count(value);
            if count == 0 || count > most {
                return Err(mark::KEY_LENGTH);
            }
            let (prefix, _) = Digits::read(value);
            let no_prefix = if prefix.count < 4 { mark::NO_DIGITS } else { 0 };
            Ok(Read {
                marks: characters::marks(value, reference) | no_prefix,
                number: characters::hash_of_two(value, b""),
                serial: empty,
                has_serial: false,
            })
        }
    }
}

/// A text of digits and nothing else.
fn digits(text: &[u8]) -> Result<Digits, u64> {
    let (digits, rest) = Digits::read(text);
    if rest.is_empty() && digits.count > 0 {
        Ok(digits)
    } else {
        Err(mark::NO_DIGITS)
    }
}

/// What is wrong with a key whose last digit is a check digit: the text that starts with it, the key, its full length, and how
/// many digits precede the prefix.
fn marks_of(text: &[u8], digits: &Digits, longest: usize, before: usize) -> u64 {
    let wrong = if digits.are_checked() {
        0
    } else {
        mark::CHECK_DIGIT
    };
    // None is shorter than twelve digits at its full length.
    if digits.count == longest {
        return wrong | marks_of_prefix_digits(text.get(before..).unwrap_or_default());
    }
    let count = longest.saturating_sub(1 + before);
    wrong | marks_of_prefix(digits.value / 10 % power(count), count)
}
