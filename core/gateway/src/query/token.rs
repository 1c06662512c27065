//! Page tokens: the place where an answer continues, encrypted. A token works for one query and one key, unaltered, and reveals
//! nothing.

use super::places::Places;
use aes_gcm_siv::aead::{Aead as _, KeyInit as _, Payload};
use aes_gcm_siv::{Aes256GcmSiv, Nonce};
use data_encoding::HEXLOWER;
use epcis_edge_text::slice::{Known, OrEmpty};
use epcis_edge_text::time::Timestamp;
use sha2::{Digest as _, Sha256};
use std::ops::Range;
use subtle::ConstantTimeEq as _;

/// A place in an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The number of the last event that was examined; 0 in a feed cursor.
    pub sequence: u64,
    /// The time of that event, if the answer is ordered by time.
    pub time: Option<Timestamp>,
    /// The last events that were answered before, if this answer has only events recorded since; in the order of recording, the last
    /// one examined in each account.
    pub since: Places,
    /// The last events that were stored when the answer began; later ones are not included.
    pub upper: Places,
    /// The last elements of master data stored at that time, if the query needs master data.
    pub master: Places,
    /// How many events were answered so far.
    pub answered: u64,
    /// The leaves of the log that are left, if the answer goes by them.
    pub leaves: Option<Range<u64>>,
}

/// The token: the encrypted place in hexadecimal.
///
/// The number of an event would reveal how many events the whole gateway stores, so it is encrypted. The cipher (AES-GCM-SIV, RFC
/// 8452) needs no unique nonce: one place of one query always gives the same token.
pub(super) fn seal(cursor: &Cursor, fingerprint: &[u8; 32], key: &[u8; 32]) -> String {
    let mut bytes = Vec::new();
    write(cursor, &mut bytes);
    HEXLOWER.encode(&encrypt(&bytes, fingerprint, key))
}

/// Writes the bytes of a place.
pub(super) fn write(cursor: &Cursor, out: &mut Vec<u8>) {
    for number in [cursor.sequence, cursor.answered] {
        out.extend_from_slice(&number.to_be_bytes());
    }
    let time = cursor.time.map(Timestamp::to_sortable).or_empty();
    out.push(u8::try_from(time.len()).ok().known());
    out.extend_from_slice(time.as_bytes());
    for places in [&cursor.since, &cursor.upper, &cursor.master] {
        places.write(out);
    }
    out.push(u8::from(cursor.leaves.is_some()));
    for number in cursor.leaves.iter().flat_map(|leaves| [leaves.start, leaves.end]) {
        out.extend_from_slice(&number.to_be_bytes());
    }
}

/// Reads a place that [`write`] wrote. Returns it with the rest of the bytes.
pub(super) fn read(bytes: &[u8]) -> Option<(Cursor, &[u8])> {
    let (sequence, rest) = read_number(bytes)?;
    let (answered, rest) = read_number(rest)?;
    let (length, rest) = rest.split_first()?;
    let (time, rest) = rest.split_at_checked(usize::from(*length))?;
    let time = match time {
        [] => None,
        time => Some(Timestamp::parse(std::str::from_utf8(time).ok()?)?),
    };
    let (since, rest) = Places::read(rest)?;
    let (upper, rest) = Places::read(rest)?;
    let (master, rest) = Places::read(rest)?;
    let (has_leaves, mut rest) = rest.split_first()?;
    let mut leaves = None;
    if *has_leaves == 1 {
        let (start, behind) = read_number(rest)?;
        let (end, behind) = read_number(behind)?;
        (leaves, rest) = (Some(start..end), behind);
    }
    let cursor = Cursor { sequence, time, since, upper, master, answered, leaves };
    Some((cursor, rest))
}

/// Reads a number of eight bytes. Returns it with the rest of the bytes.
pub(super) fn read_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u64::from_be_bytes(*number), rest))
}

/// Encrypts a text for a capture key, bound to a purpose.
pub(super) fn encrypt(text: &[u8], bound_to: &[u8], key: &[u8; 32]) -> Vec<u8> {
    let payload = Payload { msg: text, aad: bound_to };
    // It fails only for texts of many gigabytes.
    let sealed = cipher(key).encrypt(&Nonce::default(), payload);
    sealed.ok().known()
}

/// Decrypts a text, if it was encrypted for this key and this purpose.
pub(super) fn decrypt(sealed: &[u8], bound_to: &[u8], key: &[u8; 32]) -> Option<Vec<u8>> {
    let payload = Payload { msg: sealed, aad: bound_to };
    cipher(key).decrypt(&Nonce::default(), payload).ok()
}

/// The place in a token, if the token was made for this query and this key.
pub(super) fn open(text: &str, fingerprint: &[u8; 32], key: &[u8; 32]) -> Option<Cursor> {
    // No token is as long as this: it has three places in each account.
    if text.len() > 4096 {
        return None;
    }
    // Only one spelling is accepted: a token has no capitals.
    let sealed = HEXLOWER.decode(text.as_bytes()).ok()?;
    let bytes = decrypt(&sealed, fingerprint, key)?;
    let (cursor, rest) = read(&bytes)?;
    rest.is_empty().then_some(cursor)
}

/// The cipher for a capture key. The prefix `page` makes its key one that is used for page tokens only.
fn cipher(key: &[u8; 32]) -> Aes256GcmSiv {
    let key: [u8; 32] = Sha256::new_with_prefix(b"page").chain_update(key).finalize().into();
    Aes256GcmSiv::new(&key.into())
}

/// Whether two texts are equal, in a time that does not depend on where they differ.
pub(crate) fn equal_in_constant_time(one: &[u8], other: &[u8]) -> bool {
    one.ct_eq(other).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_comes_back_and_no_altered_one_does() {
        let key = [7; 32];
        let fingerprint = [9; 32];
        let times = [None, Timestamp::parse("2026-03-04T11:00:30.123456789Z")];
        let places = [Places::at(9), [9, 1_000_000_007].into_iter().collect()];
        for (time, upper) in
            times.into_iter().flat_map(|time| places.clone().map(|upper| (time, upper)))
        {
            let cursor = Cursor {
                sequence: 31,
                time,
                since: Places::default(),
                upper,
                master: Places::at(7),
                answered: 30,
                leaves: time.map(|_| 7..9),
            };
            let token = seal(&cursor, &fingerprint, &key);
            assert_eq!(open(&token, &fingerprint, &key), Some(cursor));
            let sealed = HEXLOWER.decode(token.as_bytes()).unwrap();
            let number = 31_u64.to_be_bytes();
            assert!(sealed.windows(8).all(|window| window != number));
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
}
