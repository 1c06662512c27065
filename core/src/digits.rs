//! Base64 and hexadecimal digits, each in one fixed spelling.
//!
//! Written by hand because pages load this: a crate with all alphabets is ten kilobytes of WebAssembly. The tests compare it with one.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const DIGITS: &[u8; 16] = b"0123456789abcdef";

fn letter(alphabet: &[u8], at: u32) -> char {
    let found = alphabet.get(at as usize);
    found.map_or('=', |letter| char::from(*letter))
}

/// Encodes bytes in standard base64, padded.
pub(crate) fn to_base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let three = [0, 1, 2].map(|at| u32::from(chunk.get(at).copied().unwrap_or_default()));
        let [a, b, c] = three;
        let bits = a << 16 | b << 8 | c;
        for at in 0..4 {
            // Padding follows the last byte.
            let sextet = if at > chunk.len() {
                64
            } else {
                bits >> (18 - 6 * at) & 63
            };
            text.push(letter(ALPHABET, sextet));
        }
    }
    text
}

/// Decodes standard base64. Requires padding, and refuses other characters and leftover bits.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let (groups, rest) = text.as_bytes().as_chunks::<4>();
    if !rest.is_empty() {
        return None;
    }
    let mut bytes = Vec::with_capacity(groups.len() * 3);
    for (at, group) in groups.iter().enumerate() {
        let is_last = at + 1 == groups.len();
        let count = match group {
            [_, _, b'=', b'='] if is_last => 1,
            [_, _, _, b'='] if is_last => 2,
            _ => 3,
        };
        let mut bits = 0;
        for (place, letter) in group.iter().enumerate() {
            let value = if place > count { 0 } else { sextet(*letter)? };
            bits = bits << 6 | value;
        }
        let [_, a, b, c] = u32::to_be_bytes(bits);
        let whole = [a, b, c];
        let (kept, left) = whole.split_at_checked(count)?;
        if left.iter().any(|byte| *byte != 0) {
            return None;
        }
        bytes.extend_from_slice(kept);
    }
    Some(bytes)
}

fn sextet(letter: u8) -> Option<u32> {
    Some(u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

/// Encodes bytes as lower-case hexadecimal digits.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.push(letter(DIGITS, u32::from(byte >> 4)));
        text.push(letter(DIGITS, u32::from(byte & 15)));
    }
    text
}

/// Decodes 64 lower-case hexadecimal digits to 32 bytes.
pub(crate) fn digest_of_hex(text: &str) -> Option<[u8; 32]> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != 32 || !rest.is_empty() {
        return None;
    }
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let mut bytes = [0; 32];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::{BASE64, HEXLOWER};

    #[test]
    fn they_agree_with_a_crate() {
        let mut bytes = Vec::new();
        for length in 0..300_usize {
            let text = to_base64(&bytes);
            assert_eq!(text, BASE64.encode(&bytes));
            assert_eq!(from_base64(&text), Some(bytes.clone()));
            assert_eq!(to_hex(&bytes), HEXLOWER.encode(&bytes));
            bytes.push((length * 167 % 256) as u8);
        }
        for text in [
            "A", "AA", "AAA", "AA==AA==", "AB==", "AAB=", "A===", "====", "AA=A", "AA-A", "AAA\n",
            "AAAA=",
        ] {
            assert_eq!(from_base64(text), None, "{text}");
            assert!(
                BASE64.decode(text.as_bytes()).is_err() || text == "AA==AA==",
                "{text}"
            );
        }
        let digest = [0xa5; 32];
        assert_eq!(digest_of_hex(&to_hex(&digest)), Some(digest));
        assert_eq!(digest_of_hex(&to_hex(&digest).to_uppercase()), None);
        assert_eq!(digest_of_hex("a5"), None);
    }
}
