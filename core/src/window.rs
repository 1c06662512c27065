//! The bytes of short texts as numbers: compared and looked through eight at a time, without a call.

/// Every byte of a number the same.
const fn all(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The first eight bytes of a text, the first of them lowest; zeros where it ends.
#[inline]
pub(crate) fn first(text: &[u8]) -> u64 {
    if let Some(first) = text.first_chunk() {
        return u64::from_le_bytes(*first);
    }
    if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        // Where both have the same bytes, these fall together: of `bizStep` the `S`.
        let behind = 8 * (text.len() - size_of::<u32>());
        return u64::from(u32::from_le_bytes(*first))
            | u64::from(u32::from_le_bytes(*last)) << behind;
    }
    let byte = |number: usize| text.get(number).map_or(0, |byte| u64::from(*byte));
    byte(0) | byte(1) << 8 | byte(2) << 16
}

/// Whether two texts are the same; up to 24 bytes no function is called for it.
#[inline]
pub(crate) fn are_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    if one.len() < 8 {
        return first(one) == first(other);
    }
    let is_middle_same = match one.len() {
        ..=16 => true,
        17..=24 => one.get(8..16) == other.get(8..16),
        _ => return one == other,
    };
    is_middle_same
        && one.first_chunk::<8>() == other.first_chunk()
        && one.last_chunk::<8>() == other.last_chunk()
}

/// Where a byte stands first.
#[inline]
pub(crate) fn position(text: &[u8], byte: u8) -> Option<usize> {
    let mut rest = text;
    let mut before = 0;
    while let Some((chunk, after)) = rest.split_first_chunk() {
        let differing = u64::from_le_bytes(*chunk) ^ all(byte);
        // The lowest of these bits is that of the first zero; higher ones may be wrong.
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
pub(crate) struct Digits {
    pub(crate) count: u32,
    pub(crate) value: u64,
    /// The sum of the last one, the last but two and so on.
    pub(crate) plain: u32,
    /// The sum of the others.
    pub(crate) weighed: u32,
}

/// Reads up to eight digits.
#[inline]
pub(crate) fn digits(text: &[u8]) -> Digits {
    let bytes = first(text) ^ all(b'0');
    // The lowest of these bits is that of the first byte above 9; higher ones may be wrong.
    let others = (bytes.wrapping_add(all(0x76)) | bytes) & all(0x80);
    let count = others.trailing_zeros() / 8;
    // The last digit becomes the highest byte, and what stands behind it is gone.
    let bytes = bytes.checked_shl(64 - 8 * count).unwrap_or_default();
    const PAIRS: u64 = 0x00ff_00ff_00ff_00ff;
    let (even, odd) = (bytes & PAIRS, bytes >> 8 & PAIRS);
    let sum = |pairs: u64| (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32;
    // Two digits in every second byte, then four, then eight.
    let pairs = even * 10 + odd;
    let fours = (pairs & 0xffff_0000_ffff) * 100 + (pairs >> 16 & 0xffff_0000_ffff);
    let value = (fours & 0xffff_ffff) * 10_000 + (fours >> 32);
    Digits {
        count,
        value,
        plain: sum(odd),
        weighed: sum(even),
    }
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
