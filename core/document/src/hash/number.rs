//! Numbers as plain decimals.

use epcis_edge_text::decimal::Decimal;
use epcis_edge_text::slice::{Known, Part};
use std::io::Write as _;

/// The largest exponent, positive or negative, that is expanded. A number such as `1e999999999` stays as it is written.
const MAX_EXPONENT: i64 = 400;

/// Appends the plain decimal form of a number, with its exact value. Returns false, and appends nothing, if the text is no number
/// or its exponent is too large.
///
/// The form has no plus sign, no leading zero (except one before the point), no trailing zero, no bare point and no exponent;
/// `-0` becomes `0`.
pub(super) fn push_exact(text: &str, out: &mut Vec<u8>) -> bool {
    let Some((decimal, exponent)) = read(text) else {
        return false;
    };
    let (integer, fraction) = (decimal.whole, decimal.fraction.unwrap_or(""));
    let is_zero = |byte: &u8| *byte == b'0';
    let digits = || integer.bytes().chain(fraction.bytes());
    let leading = digits().take_while(is_zero).count();
    let all = integer.len() + fraction.len();
    if leading == all {
        out.push(b'0');
        return true;
    }
    let end = all - digits().rev().take_while(is_zero).count();
    // Appends the digits in a range, counted through integer and fraction.
    let push = |out: &mut Vec<u8>, from: usize, to: usize| {
        let split = integer.len();
        let whole = integer.as_bytes().get(from.min(split)..to.min(split));
        let part = fraction.as_bytes().get(from.saturating_sub(split)..to.saturating_sub(split));
        for digits in [whole, part].into_iter().flatten() {
            out.extend_from_slice(digits);
        }
    };
    let push_zeros = |out: &mut Vec<u8>, count: usize| out.resize(out.len() + count, b'0');
    // The number of significant digits before the point; if negative, the number of zeros right after it.
    let point = integer.len() as i64 - leading as i64 + exponent;
    if decimal.is_negative() {
        out.push(b'-');
    }
    if point <= 0 {
        out.extend_from_slice(b"0.");
        push_zeros(out, point.unsigned_abs() as usize);
        push(out, leading, end);
        return true;
    }
    let behind = leading + point as usize;
    push(out, leading, behind.min(end));
    if behind >= end {
        push_zeros(out, behind - end);
    } else {
        out.push(b'.');
        push(out, behind, end);
    }
    true
}

/// Appends a number as the reference implementation of 2025 writes it, rounded to a 64-bit float. Whole numbers have all their
/// digits. Others have the fewest digits that identify the float, with an exponent below 0.0001.
///
/// Returns false, and appends nothing, if the text is no number or too large for a float.
pub(super) fn push_rounded(text: &str, out: &mut Vec<u8>) -> bool {
    if read(text).is_none() {
        return false;
    }
    let Some(number) = text.parse::<f64>().ok().filter(|number| number.is_finite()) else {
        return false;
    };
    if number == 0.0 {
        out.push(b'0');
        return true;
    }
    if number.fract() == 0.0 {
        push_whole(number, out);
        return true;
    }
    // The fewest digits that identify the float, perhaps with an exponent. The standard library's formatter gives the same
    // digits, but adds eight kilobytes (gzip) to the WebAssembly file.
    let mut buffer = ryu::Buffer::new();
    let start = out.len();
    if !push_exact(buffer.format_finite(number), out) {
        return false;
    }
    if number.abs() < 1e-4 {
        with_exponent(out, start);
    }
    true
}

/// Rewrites the number that begins at `start` with an exponent of at least two digits: `-0.0000125` becomes `-1.25e-05`.
fn with_exponent(out: &mut Vec<u8>, start: usize) {
    let plain = out.split_off(start);
    let is_significant = |byte: &u8| (b'1'..=b'9').contains(byte);
    let first = plain.iter().position(is_significant).known();
    let point = plain.iter().position(|byte| *byte == b'.').known();
    let digits = plain.part(first..);
    if plain.starts_with(b"-") {
        out.push(b'-');
    }
    out.extend(digits.first());
    if digits.len() > 1 {
        out.push(b'.');
        out.extend(digits.iter().skip(1));
    }
    let _ = write!(out, "e-{:02}", first.saturating_sub(point));
}

/// Appends a whole number with all its digits, up to 309.
///
/// The standard library's formatter gives the same digits but takes ten times as long, and a document may have a million such
/// numbers.
fn push_whole(number: f64, out: &mut Vec<u8>) {
    /// The base of one chunk: nine decimal digits.
    const CHUNK: u64 = 1_000_000_000;
    /// The most bits to multiply by at once, so that a carry is less than a chunk.
    const BITS: u32 = 29;
    if number.abs() < 1e15 {
        let _ = write!(out, "{}", number as i64);
        return;
    }
    if number < 0.0 {
        out.push(b'-');
    }
    // IEEE 754 stores 52 bits of the mantissa; its first bit, a 1, is implicit. The exponent of the last bit is at least 0 from
    // 2^52 on, and at most 971.
    let bits = number.abs().to_bits();
    let exponent = (bits >> 52) as u32;
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    let whole = mantissa >> 1075_u32.saturating_sub(exponent);
    let mut chunks = vec![whole % CHUNK, whole / CHUNK];
    let mut missing = exponent.saturating_sub(1075);
    while missing > 0 {
        let bits = missing.min(BITS);
        let mut carry = 0;
        for chunk in &mut chunks {
            let product = (*chunk << bits) + carry;
            (*chunk, carry) = (product % CHUNK, product / CHUNK);
        }
        chunks.push(carry);
        missing -= bits;
    }
    let mut chunks = chunks.iter().rev().skip_while(|chunk| **chunk == 0);
    if let Some(first) = chunks.next() {
        let _ = write!(out, "{first}");
    }
    for chunk in chunks {
        let _ = write!(out, "{chunk:09}");
    }
}

/// A number and its exponent; `None` if the exponent exceeds [`MAX_EXPONENT`].
fn read(text: &str) -> Option<(Decimal<'_>, i64)> {
    let decimal = Decimal::read(text)?;
    Some((decimal, decimal.exponent_within(MAX_EXPONENT)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, exact: &str, rounded: &str) {
        let printed = |push: fn(&str, &mut Vec<u8>) -> bool| {
            let mut out = Vec::new();
            if push(text, &mut out) {
                return String::from_utf8(out).unwrap();
            }
            assert!(out.is_empty());
            "-".to_owned()
        };
        assert_eq!(printed(push_exact), exact, "{text}, exact");
        assert_eq!(printed(push_rounded), rounded, "{text}, rounded");
    }

    #[test]
    fn numbers_are_plain_decimals() {
        for (text, printed) in [
            ("0", "0"),
            ("-0", "0"),
            ("+0.00", "0"),
            ("0e7", "0"),
            ("0012", "12"),
            ("7.0", "7"),
            ("+5.50", "5.5"),
            ("-5.050", "-5.05"),
            (".5", "0.5"),
            ("5.", "5"),
            ("00.10", "0.1"),
            ("1e5", "100000"),
            ("1.25E+1", "12.5"),
            ("1.25e3", "1250"),
            ("125e-2", "1.25"),
            ("125e-3", "0.125"),
            ("10.0e-3", "0.01"),
            ("100e-2", "1"),
            ("9007199254740992", "9007199254740992"),
        ] {
            check(text, printed, printed);
        }
    }

    #[test]
    fn exact_and_rounded_numbers_differ() {
        check("111100001111000011110000", "111100001111000011110000", "111100001111000003641344");
        check("9007199254740993", "9007199254740993", "9007199254740992");
        check("0.1000000000000000055", "0.1000000000000000055", "0.1");
        check("-0.00001", "-0.00001", "-1e-05");
        check("1.25e-123", &format!("0.{}125", "0".repeat(122)), "1.25e-123");
        check("0.0001", "0.0001", "0.0001");
        check("1e400", &format!("1{}", "0".repeat(400)), "-");
        check("1e-400", &format!("0.{}1", "0".repeat(399)), "0");
    }

    /// The expected digits come from the standard library's formatter.
    #[test]
    fn rounded_numbers_have_their_fewest_digits() {
        let mut seed = 7_u64;
        let mut count = 0;
        while count < 100_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let scale = 10_f64.powi((seed >> 59) as i32 - 24);
            let number = (seed >> 11) as f64 / (1_u64 << 53) as f64 * scale;
            let number = if seed & 1 == 0 { number } else { -number };
            if number.fract() == 0.0 {
                continue;
            }
            count += 1;
            let expected = if number.abs() >= 1e-4 {
                number.to_string()
            } else {
                let written = format!("{number:e}");
                let (mantissa, exponent) = written.split_once("e-").unwrap();
                format!("{mantissa}e-{exponent:0>2}")
            };
            let mut out = Vec::new();
            assert!(push_rounded(&format!("{number:.60}"), &mut out));
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{number:e}");
        }
    }

    #[test]
    fn whole_numbers_have_all_their_digits() {
        let mut number = 0.7;
        let mut seed = 1_u64;
        let mut numbers =
            vec![1e15, 1e22, 1e23, 2_f64.powi(52), 2_f64.powi(53), 2_f64.powi(64), f64::MAX];
        while number < 1e300 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            number *= 1.0 + (seed >> 40) as f64 / 1e7;
            numbers.push(number.floor());
        }
        for number in numbers {
            for number in [number, -number] {
                let mut out = Vec::new();
                push_whole(number, &mut out);
                assert_eq!(String::from_utf8(out).unwrap(), format!("{number:.0}"));
            }
        }
    }

    #[test]
    fn nothing_else_is_a_number() {
        for text in [
            "",
            "-",
            "+",
            ".",
            "e5",
            "1e",
            "1e+",
            "1e5.0",
            "1 000",
            "1_000",
            "1,5",
            "0x10",
            "inf",
            "nan",
            "--1",
            "+-1",
            "1e+-5",
            "1.2.3",
            "12a",
            "1e401",
            "1e999999999",
            "1e99999999999999999999",
            "٣",
            "-.e1",
        ] {
            check(text, "-", "-");
        }
    }
}
