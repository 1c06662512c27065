//! Numbers as plain decimals.

use std::io::Write as _;

/// A number with an exponent that adds more digits than this stays as written: nobody's quantity is `1e999999999`.
const MAX_EXPONENT: u32 = 400;

/// A decimal number taken apart.
struct Decimal<'a> {
    negative: bool,
    integer: &'a str,
    fraction: &'a str,
    exponent: i32,
}

/// Appends a number without changing its value; false, and nothing is appended, where the text is no number.
///
/// There is no plus sign, leading zero (but the one before the point), trailing zero, bare point or exponent; `-0` is `0`.
pub(super) fn push_exact(text: &str, out: &mut Vec<u8>) -> bool {
    let Some(decimal) = read(text) else {
        return false;
    };
    let digits = || decimal.integer.bytes().chain(decimal.fraction.bytes());
    let leading = digits().take_while(|&digit| digit == b'0').count();
    let all = decimal.integer.len() + decimal.fraction.len();
    if leading == all {
        out.push(b'0');
        return true;
    }
    let trailing = digits().rev().take_while(|&digit| digit == b'0').count();
    let significant = || digits().skip(leading).take(all - leading - trailing);
    // How many significant digits stand before the point; negative: so many zeros stand behind it.
    let point = decimal.integer.len() as i64 - leading as i64 + i64::from(decimal.exponent);
    if decimal.negative {
        out.push(b'-');
    }
    if point <= 0 {
        out.extend_from_slice(b"0.");
        out.extend(std::iter::repeat_n(b'0', point.unsigned_abs() as usize));
        out.extend(significant());
        return true;
    }
    let point = point as usize;
    out.extend(significant().chain(std::iter::repeat(b'0')).take(point));
    if significant().nth(point).is_some() {
        out.push(b'.');
        out.extend(significant().skip(point));
    }
    true
}

/// Appends a number as it is after a 64-bit float held it, written the way the reference implementation of 2025 did: whole
/// numbers with all their digits, others with the fewest digits that name the float, below 0.0001 with an exponent.
///
/// False, and nothing is appended, where the text is no number.
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
        return write!(out, "{number:.0}").is_ok();
    }
    if number.abs() >= 1e-4 {
        return write!(out, "{number}").is_ok();
    }
    let written = format!("{number:e}");
    match written.split_once("e-") {
        Some((mantissa, exponent)) => write!(out, "{mantissa}e-{exponent:0>2}").is_ok(),
        None => write!(out, "{written}").is_ok(),
    }
}

/// An optional sign, digits with an optional fraction, an optional exponent, and nothing else.
fn read(text: &str) -> Option<Decimal<'_>> {
    let negative = text.starts_with('-');
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, read_exponent(exponent)?),
        None => (unsigned, 0),
    };
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !(integer.is_empty() && fraction.is_empty());
    (has_digits && are_digits(integer) && are_digits(fraction)).then_some(Decimal {
        negative,
        integer,
        fraction,
        exponent,
    })
}

fn read_exponent(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size: u32 = digits.parse().ok()?;
    let signed = if text.starts_with('-') {
        -(size as i32)
    } else {
        size as i32
    };
    (size <= MAX_EXPONENT).then_some(signed)
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
        check(
            "111100001111000011110000",
            "111100001111000011110000",
            "111100001111000003641344",
        );
        check("9007199254740993", "9007199254740993", "9007199254740992");
        check("0.1000000000000000055", "0.1000000000000000055", "0.1");
        check("-0.00001", "-0.00001", "-1e-05");
        check(
            "1.25e-123",
            &format!("0.{}125", "0".repeat(122)),
            "1.25e-123",
        );
        check("0.0001", "0.0001", "0.0001");
        check("1e400", &format!("1{}", "0".repeat(400)), "-");
        check("1e-400", &format!("0.{}1", "0".repeat(399)), "0");
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
