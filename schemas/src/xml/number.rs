//! Numbers in the notation of XML Schema.

fn without_sign(text: &str) -> (bool, &str) {
    (text.starts_with('-'), text.strip_prefix(['+', '-']).unwrap_or(text))
}

/// `xsd:decimal`: digits with at most one point among them, and at least one digit.
pub(super) fn is_decimal(text: &str) -> bool {
    let (_, unsigned) = without_sign(text);
    let points = unsigned.bytes().filter(|byte| *byte == b'.').count();
    let is_part = |byte: u8| byte == b'.' || byte.is_ascii_digit();
    points < 2 && unsigned.len() > points && unsigned.bytes().all(is_part)
}

/// `xsd:double` and `xsd:float`.
pub(super) fn is_double(text: &str) -> bool {
    let is_exponent = |text: &str| {
        let (_, digits) = without_sign(text);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => is_decimal(mantissa) && is_exponent(exponent),
        None => matches!(text, "INF" | "-INF" | "NaN") || is_decimal(text),
    }
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
