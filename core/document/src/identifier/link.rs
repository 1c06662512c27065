//! Parsing of GS1 Digital Link URIs.
//!
//! **Source**: GS1 Digital Link URI syntax 1.3.

use super::characters::{self, Tail};
use super::key_digits::{Digits, split};
use super::mark;
use super::scheme::{self, Key, Qualifier};

/// A segment of a URI's path that names a key, and what follows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<'t> {
    pub(super) key: &'static Key,
    /// The segment that names the key, by number or short name.
    pub(super) segment: &'t [u8],
    /// The segment after it.
    pub(super) value: &'t [u8],
    /// What follows the value, if anything does.
    pub(super) rest: Option<&'t [u8]>,
    /// Whether the host is `id.gs1.org`.
    pub(super) is_official: bool,
}

/// Calls `take` for each key in the path of a URI, from left to right, until it returns a value; `None` if the URI has no path.
pub(super) fn find<'t, T>(
    uri: &'t [u8],
    mut take: impl FnMut(Candidate<'t>) -> Option<T>,
) -> Option<T> {
    const HOST: &[u8] = b"id.gs1.org";
    let rest = uri.strip_prefix(b"https://").or_else(|| uri.strip_prefix(b"http://"))?;
    let (host, path) = split(rest, b'/')?;
    if host.iter().any(|byte| matches!(byte, b'?' | b'#')) {
        return None;
    }
    let end = memchr::memchr2(b'?', b'#', path);
    let (path, _) = path.split_at_checked(end.unwrap_or(path.len()))?;
    let mut path = path.strip_suffix(b"/").unwrap_or(path);
    loop {
        let (segment, behind) = split(path, b'/')?;
        if let Some(key) = scheme::of_link(segment) {
            let (value, rest) = cut(behind);
            let found = take(Candidate { key, segment, value, rest, is_official: host == HOST });
            if found.is_some() {
                return found;
            }
        }
        path = behind;
    }
}

/// The parts of a GS1 Digital Link that identify a thing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link<'t> {
    pub(super) key: &'static Key,
    /// The value of the key as written.
    pub(super) value: &'t [u8],
    pub(super) parts: KeyParts<'t>,
    /// The finest qualifier with its value.
    pub(super) finest: Option<(&'static Qualifier, &'t [u8])>,
    /// The faults in the values of the qualifiers.
    pub(super) faults: u64,
}

/// The parts of the value of a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyParts<'t> {
    /// The digits as written; empty for free text.
    pub(super) digits: &'t [u8],
    pub(super) number: Digits,
    /// The piece number and total, as four digits.
    pub(super) pieces: u64,
    /// The text directly after the digits.
    pub(super) tail: &'t [u8],
}

impl<'t> Link<'t> {
    /// Parses a Digital Link. Checks only lengths, and that numbers consist of digits.
    pub(super) fn of(uri: &'t [u8]) -> Option<Self> {
        find(uri, |found| {
            let parts = KeyParts::of(found.key, found.value).ok()?;
            let fits = match found.key.tail {
                Tail::Any(most) => characters::count(parts.tail) <= most,
                _ if parts.tail.is_empty() || found.key.is_text() => true,
                tail => characters::marks(parts.tail, tail) == 0,
            };
            fits.then(|| found.qualified(parts)).flatten()
        })
    }
}

impl<'t> Candidate<'t> {
    /// The link that starts with this key, if all following segments are qualifiers of the key.
    pub(super) fn qualified(self, parts: KeyParts<'t>) -> Option<Link<'t>> {
        let mut link = Link { key: self.key, value: self.value, parts, finest: None, faults: 0 };
        let mut seen = 0_u8;
        let mut rest = self.rest;
        while let Some(path) = rest {
            let (name, behind) = split(path, b'/')?;
            let qualifier = self.key.qualifier(name)?;
            let (value, after) = cut(behind);
            // Two qualifiers of the same rank, such as two serials, identify nothing.
            if value.is_empty() || seen & 1 << qualifier.rank != 0 {
                return None;
            }
            if qualifier.rank > 0 && seen >> qualifier.rank == 0 {
                link.finest = Some((qualifier, value));
            }
            seen |= 1 << qualifier.rank;
            link.faults |= characters::marks(value, qualifier.tail);
            rest = after;
        }
        Some(link)
    }
}

impl<'t> KeyParts<'t> {
    /// Splits the value of a key into its parts.
    ///
    /// # Errors
    /// The fault of the value: [`mark::KEY_LENGTH`] or [`mark::NO_DIGITS`].
    pub(super) fn of(key: &Key, value: &'t [u8]) -> Result<Self, u64> {
        if key.is_text() {
            let count = characters::count(value);
            if count == 0 || count > key.text.longest() {
                return Err(mark::KEY_LENGTH);
            }
            return Ok(Self { digits: b"", number: Digits::default(), pieces: 0, tail: value });
        }
        let ends = key.tail == Tail::None && !key.has_pieces;
        let (digits, tail) = match ends {
            true => (value, &b""[..]),
            false => value.split_at_checked(key.digits).ok_or(mark::KEY_LENGTH)?,
        };
        let number = number(digits)?;
        if !key.may_have(number.count) {
            return Err(mark::KEY_LENGTH);
        }
        let mut parts = Self { digits, number, pieces: 0, tail };
        if key.has_pieces {
            let pieces = self::number(tail)?;
            if pieces.count != 4 {
                return Err(mark::KEY_LENGTH);
            }
            (parts.pieces, parts.tail) = (pieces.value, b"");
        }
        Ok(parts)
    }
}

/// A text that consists of digits only.
fn number(text: &[u8]) -> Result<Digits, u64> {
    let (digits, rest) = Digits::read(text);
    if rest.is_empty() && digits.count > 0 { Ok(digits) } else { Err(mark::NO_DIGITS) }
}

/// The first segment of a path, and the rest.
fn cut(path: &[u8]) -> (&[u8], Option<&[u8]>) {
    match split(path, b'/') {
        Some((segment, rest)) => (segment, Some(rest)),
        None => (path, None),
    }
}
