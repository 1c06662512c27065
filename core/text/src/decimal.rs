//! Decimal numbers as written, with one parser for all uses.

/// A parsed decimal number: an optional sign, digits with an optional point, an optional exponent.
#[derive(Clone, Copy, Debug)]
pub struct Decimal<'t> {
    /// `+`, `-` or nothing.
    pub(crate) sign: &'t str,
    /// The digits before the point; empty in `.5`.
    pub whole: &'t str,
    /// The digits after the point, if there is one.
    pub fraction: Option<&'t str>,
    /// The exponent with its sign, if there is one.
    pub exponent: Option<&'t str>,
}

/// The value of a number, in the same form for equal numbers. A zero has no digits and no sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalizedDecimal {
    /// Whether it is below zero.
    pub is_negative: bool,
    /// How many digits precede the point. If negative, how many zeros follow it.
    pub point: i64,
    /// The digits, without zeros at either end.
    pub digits: String,
}

impl<'t> Decimal<'t> {
    /// Parses a text that is a decimal number.
    pub fn read(text: &'t str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (sign, _) = text.split_at_checked(text.len() - unsigned.len())?;
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (unsigned, None),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (mantissa, None),
        };
        let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_exponent = |text: &str| {
            let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
            !digits.is_empty() && are_digits(digits)
        };
        let has_digits = whole.len() + fraction.map_or(0, str::len) > 0;
        let are_numbers = are_digits(whole)
            && fraction.is_none_or(are_digits)
            && exponent.is_none_or(is_exponent);
        (has_digits && are_numbers).then_some(Self { sign, whole, fraction, exponent })
    }

    /// Whether it has the sign `-`.
    pub fn is_negative(self) -> bool {
        self.sign == "-"
    }

    /// The exponent, unless its absolute value exceeds the limit.
    pub fn exponent_within(self, limit: i64) -> Option<i64> {
        match self.exponent {
            None => Some(0),
            Some(exponent) => exponent.parse().ok().filter(|size: &i64| size.abs() <= limit),
        }
    }

    /// Whether JSON allows this spelling (RFC 8259, 6).
    pub fn is_json(self) -> bool {
        self.sign != "+"
            && !self.whole.is_empty()
            && (self.whole == "0" || !self.whole.starts_with('0'))
            && self.fraction != Some("")
    }

    /// Whether the value is exactly preserved by readers that use 64-bit floats, such as `JSON.parse`.
    pub fn survives_a_float(self) -> bool {
        let digits = self.whole.len() + self.fraction.map_or(0, str::len);
        if digits <= 15 && self.exponent_within(200).is_some() {
            return true;
        }
        let written = [
            self.sign,
            self.whole,
            ".",
            self.fraction.unwrap_or(""),
            "e",
            self.exponent.unwrap_or("0"),
        ]
        .concat();
        let float: Option<f64> = written.parse().ok();
        let Some(float) = float.filter(|float| float.is_finite()) else {
            return false;
        };
        // The shortest digits of the float, as JavaScript writes them.
        let mut buffer = ryu::Buffer::new();
        let held = Decimal::read(buffer.format_finite(float)).and_then(Decimal::normalized);
        held.is_some() && held == self.normalized()
    }

    /// The value of the number; `None` for exponents of more than nine digits.
    pub fn normalized(self) -> Option<NormalizedDecimal> {
        let exponent = self.exponent_within(999_999_999)?;
        let all = [self.whole, self.fraction.unwrap_or("")].concat();
        let trimmed = all.trim_start_matches('0');
        let leading = all.len() - trimmed.len();
        let digits = trimmed.trim_end_matches('0').to_owned();
        let is_zero = digits.is_empty();
        Some(NormalizedDecimal {
            is_negative: self.is_negative() && !is_zero,
            point: if is_zero { 0 } else { self.whole.len() as i64 - leading as i64 + exponent },
            digits,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn a_float_holds_what_it_gives_back() {
        for (text, survives) in [
            ("0", true),
            ("-0.0", true),
            ("1.50", true),
            ("0.1", true),
            ("0.12345678901234568", true),
            ("0.12345678901234567890", false),
            ("9007199254740992", true),
            ("9007199254740993", false),
            ("9007199254740993.0", false),
            ("12345678901234567890", false),
            ("100000000000000000000000", true),
            ("1e22", true),
            ("1e-300", true),
            ("1e-400", false),
            ("1e999999999999", false),
            ("0.00000000000000000000", true),
            ("5e-324", true),
            ("1.7976931348623157e308", true),
        ] {
            let found = Decimal::read(text).map(Decimal::survives_a_float);
            assert_eq!(found, Some(survives), "{text}");
        }
    }

    #[test]
    fn numbers_are_told_by_their_form() {
        for (text, is_json) in [
            ("0", true),
            ("-1.50", true),
            ("1e3", true),
            ("1E-3", true),
            ("0.5e+1", true),
            ("+1", false),
            ("01", false),
            (".5", false),
            ("5.", false),
            ("00", false),
        ] {
            let found = Decimal::read(text).map(Decimal::is_json);
            assert_eq!(found, Some(is_json), "{text}");
        }
        for text in [
            "", "-", ".", "e5", "1e", "1e+", "1.2.3", "--1", "1 2", "0x1", "1e5.0", "inf",
            "\u{663}",
        ] {
            assert!(Decimal::read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn equal_numbers_are_worth_the_same() {
        let worth = |text| Decimal::read(text).and_then(Decimal::normalized);
        for (one, other) in [("1e3", "1000.0"), ("-0", "0"), ("5.50", "55e-1"), ("+.5", "0.5")] {
            assert_eq!(worth(one), worth(other));
        }
        assert_ne!(worth("9007199254740993"), worth("9007199254740992"));
        assert_eq!(worth("1e9999999999"), None);
    }
}
