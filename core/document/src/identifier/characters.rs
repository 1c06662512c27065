//! The characters of serials, lots and references: which are allowed, how many there are, and their digest.
//!
//! **Source**: GS1 General Specifications, 7.11 (the two sets of characters); TDS 2.0 for what is escaped in a URN.

use super::mark;
use epcis_edge_text::slice::Known;
use epcis_edge_text::window;

/// The text that may follow the digits of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// Nothing.
    None,
    /// At most this many characters of the larger set, which has 82.
    Any(usize),
    /// At most this many characters of the smaller set, which has 39.
    Part(usize),
    /// At most this many digits.
    Digits(usize),
    /// A number of at most this many digits, without leading zeros.
    Number(usize),
}

impl Tail {
    /// The maximum length, in characters.
    pub(super) fn longest(self) -> usize {
        match self {
            Self::None => 0,
            Self::Any(most) | Self::Part(most) | Self::Digits(most) | Self::Number(most) => most,
        }
    }
}

/// In the larger set, unescaped.
const ANY: u8 = 1;
/// In the smaller set, unescaped.
const PART: u8 = 2;
/// In the larger set, percent-escaped.
const ESCAPED: u8 = 4;
/// In the smaller set, percent-escaped.
const PART_ESCAPED: u8 = 8;

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated when the program is built: an index out of bounds does not compile"
)]
static CHARACTERS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let character = byte as u8;
        table[byte] = match character {
            b'0'..=b'9' | b'A'..=b'Z' | b'-' => ANY | PART,
            b'a'..=b'z'
            | b'!'
            | b'\''
            | b'('
            | b')'
            | b'*'
            | b'+'
            | b','
            | b'.'
            | b':'
            | b';'
            | b'='
            | b'_' => ANY,
            // Allowed in a path, escaped in a URN.
            b'&' => ANY | ESCAPED,
            b'"' | b'%' | b'<' | b'>' | b'?' => ESCAPED,
            b'/' => ESCAPED | PART_ESCAPED,
            b'#' => PART_ESCAPED,
            _ => 0,
        };
        byte += 1;
    }
    table
};

fn class(byte: u8) -> u8 {
    CHARACTERS.get(usize::from(byte)).copied().known()
}

/// The faults of a text that follows the digits of a key.
pub(super) fn marks(text: &[u8], tail: Tail) -> u64 {
    let (plain, escaped, most) = match tail {
        Tail::None => {
            return if text.is_empty() { 0 } else { mark::KEY_LENGTH };
        }
        Tail::Any(most) => (ANY, ESCAPED | ANY, most),
        Tail::Part(most) => (PART, PART_ESCAPED | PART, most),
        Tail::Digits(most) | Tail::Number(most) => {
            let is_number = text.iter().all(u8::is_ascii_digit);
            let long = if text.len() > most { mark::SERIAL_LENGTH } else { 0 };
            let empty = if text.is_empty() { mark::NO_SERIAL } else { 0 };
            let zero = match (tail, text) {
                (Tail::Number(_), [b'0', _, ..]) => mark::LEADING_ZERO,
                _ => 0,
            };
            return long | empty | zero | if is_number { 0 } else { mark::CHARACTERS };
        }
    };
    if text.is_empty() {
        return mark::NO_SERIAL;
    }
    // Fast path: few texts have an escape or an invalid character.
    let shared = text.iter().fold(plain, |shared, byte| shared & class(*byte));
    if shared != 0 {
        return if text.len() > most { mark::SERIAL_LENGTH } else { 0 };
    }
    let mut found = 0;
    let mut length = 0;
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        length += 1;
        if byte == b'%' {
            let Some((digits, after)) = rest.split_first_chunk() else {
                found |= mark::CHARACTERS;
                break;
            };
            rest = after;
            if unescaped(*digits).is_none_or(|byte| class(byte) & escaped == 0) {
                found |= mark::CHARACTERS;
            }
        } else if class(byte) & plain == 0 {
            found |= mark::CHARACTERS;
        }
    }
    if length > most {
        found |= mark::SERIAL_LENGTH;
    }
    found
}

/// The byte that two hexadecimal digits encode.
fn unescaped([high, low]: [u8; 2]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(high)? * 16 + digit(low)?) as u8)
}

/// The number of characters of a text; an escape counts as one.
pub(super) fn count(text: &[u8]) -> usize {
    let escapes = text.iter().filter(|byte| **byte == b'%').count();
    let continued = text.iter().filter(|byte| **byte & 0xc0 == 0x80).count();
    text.len().saturating_sub(2 * escapes + continued)
}

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// A digest of a text, computed eight bytes at a time.
pub(super) fn hash(text: &[u8]) -> u64 {
    let mut hash = (text.len() as u64).wrapping_mul(FACTOR);
    let mut rest = text;
    while let Some((chunk, after)) = rest.split_first_chunk() {
        hash = step(hash, u64::from_le_bytes(*chunk));
        rest = after;
    }
    step(hash, window::first(rest))
}

/// A digest of two texts joined, independent of where the first one ends.
pub(super) fn hash_of_two(one: &[u8], other: &[u8]) -> u64 {
    one.iter().chain(other).fold(FACTOR, |hash, byte| step(hash, u64::from(*byte)))
}

fn step(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(FACTOR).rotate_left(23)
}

/// One digest of the kind of a key, its number and the digest of its serial. Never 0, which means no identity.
pub(super) fn finished(kind: u64, number: u64, serial: u64) -> u64 {
    let mixed = step(step(serial, number), kind);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed ^ mixed >> 29) | 1
}
