//! Numbers in the notation of XML Schema.

fn without_sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, text.get(1..).unwrap_or_default()),
        Some(b'+') => (false, text.get(1..).unwrap_or_default()),
        _ => (false, text),
    }
}

/// Digits with at most one point among them, and at least one digit.
fn is_unsigned_decimal(text: &str) -> bool {
    let (mut digits, mut points) = (0_usize, 0_usize);
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => digits += 1,
            b'.' => points += 1,
            _ => return false,
        }
    }
    digits > 0 && points < 2
}

/// `xsd:decimal`.
pub(super) fn is_decimal(text: &str) -> bool {
    is_unsigned_decimal(without_sign(text).1)
}

/// `xsd:double` and `xsd:float`.
pub(super) fn is_double(text: &str) -> bool {
    if matches!(text, "INF" | "-INF" | "NaN") {
        return true;
    }
    let (mantissa, exponent) = match text.bytes().position(|byte| matches!(byte, b'e' | b'E')) {
        None => (text, None),
        Some(at) => {
            (text.get(..at).unwrap_or_default(), Some(text.get(at + 1..).unwrap_or_default()))
        }
    };
    is_decimal(mantissa)
        && exponent.is_none_or(|exponent| {
            let digits = without_sign(exponent).1;
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
}

/// `xsd:integer`, within bounds if there are any.
pub(super) fn is_integer(text: &str, least: Option<i128>, most: Option<i128>) -> bool {
    let (negative, digits) = without_sign(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let digits = digits.trim_start_matches('0');
    // A longer number exceeds every bound.
    let magnitude = if digits.len() > 30 {
        i128::MAX
    } else {
        digits.bytes().fold(0, |sum, digit| sum * 10 + i128::from(digit - b'0'))
    };
    let value = if negative { -magnitude } else { magnitude };
    least.is_none_or(|least| value >= least) && most.is_none_or(|most| value <= most)
}
