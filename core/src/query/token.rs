//! Page tokens: where a walk goes on, signed so that a token serves one query and one key, unchanged.

use crate::time::Timestamp;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// A place in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The number of the last event that was looked at.
    pub sequence: u64,
    /// Its time, where the answer is ordered by one.
    pub time: Option<Timestamp>,
    /// The number of the last event that was stored when the walk began: later ones are not seen.
    pub upper: u64,
    /// How many events were answered so far.
    pub answered: u64,
}

/// How many bytes of the signature a token carries.
const SIGNATURE: usize = 16;

/// The token: place and signature, in hexadecimal.
pub(super) fn seal(cursor: &Cursor, fingerprint: &[u8; 32], key: &[u8; 32]) -> String {
    let mut bytes = Vec::new();
    for number in [cursor.sequence, cursor.upper, cursor.answered] {
        bytes.extend_from_slice(&number.to_be_bytes());
    }
    if let Some(time) = cursor.time {
        bytes.extend_from_slice(time.to_sortable().as_bytes());
    }
    let signature = sign(&bytes, fingerprint, key);
    bytes.extend_from_slice(&signature);
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The place that a token names, if it was made for this query and this key.
pub(super) fn open(text: &str, fingerprint: &[u8; 32], key: &[u8; 32]) -> Option<Cursor> {
    // Longer than any token.
    if text.len() > 256 {
        return None;
    }
    let bytes = from_hexadecimal(text)?;
    let (bytes, found) = bytes.split_at_checked(bytes.len().checked_sub(SIGNATURE)?)?;
    if !equal_in_constant_time(found, &sign(bytes, fingerprint, key)) {
        return None;
    }
    let (numbers, time) = bytes.split_at_checked(24)?;
    let mut numbers = numbers
        .as_chunks::<8>()
        .0
        .iter()
        .map(|bytes| u64::from_be_bytes(*bytes));
    let (sequence, upper, answered) = (numbers.next()?, numbers.next()?, numbers.next()?);
    let time = match time {
        [] => None,
        time => Some(Timestamp::parse(std::str::from_utf8(time).ok()?)?),
    };
    Some(Cursor {
        sequence,
        time,
        upper,
        answered,
    })
}

fn sign(bytes: &[u8], fingerprint: &[u8; 32], key: &[u8; 32]) -> [u8; SIGNATURE] {
    let code = authentication_code(key, &[b"page", fingerprint, bytes]);
    let mut signature = [0; SIGNATURE];
    signature
        .iter_mut()
        .zip(code)
        .for_each(|(to, from)| *to = from);
    signature
}

/// HMAC-SHA-256 (RFC 2104) with a key of 32 bytes.
fn authentication_code(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    let padded = |pad: u8| {
        let mut block = [pad; 64];
        block.iter_mut().zip(key).for_each(|(to, from)| *to ^= from);
        block
    };
    let mut inner = Sha256::new_with_prefix(padded(0x36));
    parts.iter().for_each(|part| inner.update(part));
    let mut outer = Sha256::new_with_prefix(padded(0x5c));
    outer.update(inner.finalize());
    outer.finalize().into()
}

/// Whether two texts are equal, in a time that does not tell where they differ.
pub(crate) fn equal_in_constant_time(one: &[u8], other: &[u8]) -> bool {
    let differing = one
        .iter()
        .zip(other)
        .fold(0, |differing, (one, other)| differing | (one ^ other));
    std::hint::black_box(differing) == 0 && one.len() == other.len()
}

fn from_hexadecimal(text: &str) -> Option<Vec<u8>> {
    // One spelling alone: a token has no capitals.
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs
        .iter()
        .map(|[high, low]| Some(digit(*high)? * 16 + digit(*low)?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_comes_back_and_no_altered_one_does() {
        let key = [7; 32];
        let fingerprint = [9; 32];
        for time in [None, Timestamp::parse("2026-03-04T11:00:30.123456789Z")] {
            let cursor = Cursor {
                sequence: 31,
                time,
                upper: u64::MAX,
                answered: 30,
            };
            let token = seal(&cursor, &fingerprint, &key);
            assert_eq!(open(&token, &fingerprint, &key), Some(cursor));
            assert_eq!(open(&token, &[8; 32], &key), None);
            assert_eq!(open(&token, &fingerprint, &[8; 32]), None);
            assert_eq!(open(&token.to_uppercase(), &fingerprint, &key), None);
            for at in 0..token.len() {
                let mut altered = token.clone().into_bytes();
                altered[at] = if altered[at] == b'0' { b'1' } else { b'0' };
                let altered = String::from_utf8(altered).unwrap();
                assert_eq!(open(&altered, &fingerprint, &key), None, "{at}");
                let (shorter, _) = token.split_at(at);
                assert_eq!(open(shorter, &fingerprint, &key), None);
            }
        }
        assert_eq!(open("", &fingerprint, &key), None);
        assert_eq!(open("é", &fingerprint, &key), None);
    }

    /// RFC 4231, test case 2, its key filled up with zeros as HMAC does.
    #[test]
    fn the_code_is_hmac() {
        let mut key = [0; 32];
        key[..4].copy_from_slice(b"Jefe");
        let code = authentication_code(&key, &[b"what do ya want ", b"for nothing?"]);
        assert_eq!(code[..4], [0x5b, 0xdc, 0xc1, 0x46]);
        assert_eq!(code[28..], [0x64, 0xec, 0x38, 0x43]);
    }
}
