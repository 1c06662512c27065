//! The bytes of short texts, compared and searched eight at a time as numbers, without a call.

// Also used to look up the words of the schema.
pub use epcis_edge_schema::digest::{are_same, first};

/// A number in which every byte has this value.
const fn all(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The position of the first such byte.
pub fn position(text: &[u8], byte: u8) -> Option<usize> {
    let mut rest = text;
    let mut before = 0;
    while let Some((chunk, after)) = rest.split_first_chunk() {
        let differing = u64::from_le_bytes(*chunk) ^ all(byte);
        // The lowest of these bits marks the first zero byte; higher bits may be wrong.
        let zeros = differing.wrapping_sub(all(1)) & !differing & all(0x80);
        if zeros != 0 {
            return Some(before + (zeros.trailing_zeros() / 8) as usize);
        }
        rest = after;
        before += 8;
    }
    let found = rest.iter().position(|known| *known == byte)?;
    Some(before + found)
}

/// Up to eight decimal digits at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    /// How many there are.
    pub count: u32,
    /// The number that they say.
    pub value: u64,
    /// The sum of the last digit, the last but two and so on.
    pub plain: u32,
    /// The sum of the other digits.
    pub weighed: u32,
}

/// Reads up to eight digits.
pub fn digits(text: &[u8]) -> Digits {
    let bytes = first(text) ^ all(b'0');
    // The lowest of these bits marks the first byte above 9; higher bits may be wrong.
    let others = (bytes.wrapping_add(all(0x76)) | bytes) & all(0x80);
    let count = others.trailing_zeros() / 8;
    // Moves the last digit to the highest byte and drops the bytes after it.
    let bytes = bytes.checked_shl(64 - 8 * count).unwrap_or(0);
    const PAIRS: u64 = 0x00ff_00ff_00ff_00ff;
    let (even, odd) = (bytes & PAIRS, bytes >> 8 & PAIRS);
    let sum = |pairs: u64| (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32;
    // Combines two digits in every second byte, then four, then eight.
    let pairs = even * 10 + odd;
    let fours = (pairs & 0xffff_0000_ffff) * 100 + (pairs >> 16 & 0xffff_0000_ffff);
    let value = (fours & 0xffff_ffff) * 10_000 + (fours >> 32);
    Digits { count, value, plain: sum(odd), weighed: sum(even) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_show_what_bytes_show() {
        let text = b"the quick brown fox, 0123456789";
        for start in 0..text.len() {
            for end in start..=text.len() {
                let part = text.get(start..end).unwrap();
                let mut padded = [0; 8];
                let shown = part.len().min(8);
                padded[..shown].copy_from_slice(&part[..shown]);
                assert_eq!(first(part), u64::from_le_bytes(padded), "{start}..{end}");
                for byte in [b'q', b' ', b'9', 0, 0xff] {
                    let expected = part.iter().position(|known| *known == byte);
                    assert_eq!(position(part, byte), expected, "{start}..{end}");
                }
                let mut other = part.to_vec();
                assert!(are_same(part, &other));
                for changed in 0..part.len() {
                    other[changed] ^= 0x20;
                    assert!(!are_same(part, &other), "{start}..{end}, {changed}");
                    other[changed] ^= 0x20;
                }
            }
        }
        assert!(!are_same(b"", b"\0"));
    }

    #[test]
    fn digits_are_read_up_to_anything_else() {
        for text in [
            "",
            "0",
            "7",
            "12x45678",
            "1234567",
            "12345678",
            "98765432109",
            "00000001",
            "x1",
            "9/",
            "9:",
        ] {
            let found = digits(text.as_bytes());
            let known = text.bytes().take(8).take_while(u8::is_ascii_digit).count();
            assert_eq!(found.count as usize, known, "{text}");
            let (read, _) = text.split_at(known);
            assert_eq!(found.value, read.parse().unwrap_or(0), "{text}");
            let sum = |from: usize| -> u32 {
                let each = read.bytes().rev().skip(from).step_by(2);
                each.map(|byte| u32::from(byte - b'0')).sum()
            };
            assert_eq!((found.plain, found.weighed), (sum(0), sum(1)), "{text}");
        }
        for byte in 0..=255_u8 {
            for at in 0..8 {
                let mut text = *b"31415926";
                text[at] = byte;
                let known = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
                assert_eq!(digits(&text).count as usize, known, "{byte} at {at}");
            }
        }
    }
}
