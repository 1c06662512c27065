//! Numbers, as queries compare them.

use epcis_edge_text::decimal::{self, NormalizedDecimal};
use serde::Serialize;
use std::cmp::Ordering;

/// A decimal number. It is compared by value and never rounded.
///
/// **Limits**: exponents of up to nine digits.
///
/// # Example
/// ```
/// use epcis_edge_gateway::query::Decimal;
/// assert_eq!(Decimal::parse("5.50"), Decimal::parse("55e-1"));
/// assert!(Decimal::parse("9007199254740993") > Decimal::parse("9007199254740992"));
/// assert_eq!(Decimal::parse("many"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decimal {
    negative: bool,
    /// The number of digits before the point; if negative, the number of zeros right after it.
    point: i64,
    /// The digits without zeros at either end; empty for zero.
    digits: String,
}

impl Decimal {
    /// Reads a number as JSON or XML Schema write it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let NormalizedDecimal { is_negative: negative, point, digits } =
            decimal::Decimal::read(text)?.normalized()?;
        Some(Self { negative, point, digits })
    }

    fn size(&self) -> (bool, i64, &str) {
        (!self.digits.is_empty(), self.point, &self.digits)
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.size().cmp(&other.size()),
            (true, true) => other.size().cmp(&self.size()),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_ordered_by_value() {
        let ascending = [
            "-1e3", "-12", "-2", "-0.5", "-0.05", "0", "0.001", "5e-2", "0.5", "1", "1.05", "1.5",
            "2", "10", "1e9",
        ];
        let numbers: Vec<_> = ascending.iter().map(|text| Decimal::parse(text)).collect();
        assert!(numbers.is_sorted_by(|one, next| one < next));
        assert_eq!(Decimal::parse("-0.0"), Decimal::parse("0"));
        assert_eq!(Decimal::parse("1000"), Decimal::parse("1e+3"));
        for text in ["", "-", ".", "1e", "1e5.0", "0x1", "inf", "1e9999999999"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }
}
