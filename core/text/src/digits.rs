//! Base64 and hexadecimal digits, each in one fixed spelling.
//!
//! Pages load this. `data-encoding`, with its tables for all alphabets, is ten kilobytes of WebAssembly; the tests compare the two.

use base64ct::{Base64, Encoding as _};

/// Encodes bytes in standard base64, padded.
pub fn to_base64(bytes: &[u8]) -> String {
    Base64::encode_string(bytes)
}

/// Decodes standard base64. Requires padding, and refuses other characters and leftover bits.
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    Base64::decode_vec(text).ok()
}

/// Encodes bytes as lower-case hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(bytes)
}

/// Decodes 64 lower-case hexadecimal digits to 32 bytes.
pub fn digest_of_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    let read = base16ct::lower::decode(text, &mut bytes).ok()?;
    (read.len() == 32).then_some(bytes)
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
            assert!(BASE64.decode(text.as_bytes()).is_err() || text == "AA==AA==", "{text}");
        }
        let digest = [0xa5; 32];
        assert_eq!(digest_of_hex(&to_hex(&digest)), Some(digest));
        assert_eq!(digest_of_hex(&to_hex(&digest).to_uppercase()), None);
        assert_eq!(digest_of_hex("a5"), None);
    }
}
