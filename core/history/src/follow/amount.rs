//! Quantities that are added and subtracted exactly.

use epcis_edge_text::decimal::Decimal;
use std::rc::Rc;

/// A quantity with its unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amount {
    /// The number times ten to the power of `decimals`.
    value: i128,
    decimals: u32,
    /// The `uom`; empty for a number of pieces.
    unit: String,
}

/// The most decimals of a quantity: with more digits it counts as unknown.
const MAX_DECIMALS: u32 = 18;

impl Amount {
    /// Reads a `quantity` and its `uom`; `None` for a number of more than 18 decimals or 36 digits.
    pub fn read(number: &str, unit: Option<&str>) -> Option<Self> {
        let normal = Decimal::read(number)?.normalized()?;
        let digits: i128 = match normal.digits.as_str() {
            "" => 0,
            digits => digits.parse().ok()?,
        };
        let decimals = i64::try_from(normal.digits.len()).ok()? - normal.point;
        let value = if normal.is_negative { -digits } else { digits };
        let (value, decimals) = if decimals >= 0 {
            (value, u32::try_from(decimals).ok()?)
        } else {
            let zeros = u32::try_from(-decimals).ok()?;
            (value.checked_mul(10_i128.checked_pow(zeros)?)?, 0)
        };
        (decimals <= MAX_DECIMALS).then(|| Self {
            value,
            decimals,
            unit: unit.unwrap_or("").to_owned(),
        })
    }

    /// The sum; `None` if the units differ, or the number becomes too long.
    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        let decimals = self.decimals.max(other.decimals);
        let value = self.at(decimals)?.checked_add(other.at(decimals)?)?;
        (self.unit == other.unit).then(|| Self { value, decimals, unit: self.unit.clone() })
    }

    /// The sum of two amounts; unknown if one of them is.
    pub fn sum(one: Option<&Rc<Self>>, other: Option<&Rc<Self>>) -> Option<Rc<Self>> {
        one?.plus(other?).map(Rc::new)
    }

    /// The difference; `None` as for the sum.
    pub fn minus(&self, other: &Self) -> Option<Self> {
        let mut negated = other.clone();
        negated.value = negated.value.checked_neg()?;
        self.plus(&negated)
    }

    /// Whether nothing is left.
    pub fn is_used_up(&self) -> bool {
        self.value <= 0
    }

    /// The value with this many decimals.
    fn at(&self, decimals: u32) -> Option<i128> {
        let factor = 10_i128.checked_pow(decimals.checked_sub(self.decimals)?)?;
        self.value.checked_mul(factor)
    }

    /// The number in plain digits, and the unit.
    pub fn texts(&self) -> (String, &str) {
        let digits = self.value.unsigned_abs().to_string();
        let decimals = self.decimals as usize;
        let digits = format!("{digits:0>width$}", width = decimals + 1);
        let (whole, fraction) = digits.split_at(digits.len() - decimals);
        let fraction = fraction.trim_end_matches('0');
        let sign = if self.value < 0 { "-" } else { "" };
        let point = if fraction.is_empty() { "" } else { "." };
        (format!("{sign}{whole}{point}{fraction}"), &self.unit)
    }
}

#[cfg(test)]
mod tests {
    use super::Amount;

    #[test]
    fn sums_are_exact() {
        let amount = |number| Amount::read(number, Some("KGM")).unwrap();
        for (one, other, sum, difference) in [
            ("0.1", "0.2", "0.3", "-0.1"),
            ("10", "2.50", "12.5", "7.5"),
            ("1e3", "1", "1001", "999"),
            ("0", "0", "0", "0"),
        ] {
            let (one, other) = (amount(one), amount(other));
            assert_eq!(one.plus(&other).unwrap().texts().0, sum);
            assert_eq!(one.minus(&other).unwrap().texts().0, difference);
        }
        assert!(amount("1").minus(&amount("1.0")).unwrap().is_used_up());
        assert_eq!(amount("1").plus(&Amount::read("1", None).unwrap()), None);
        assert_eq!(Amount::read("1e40", None), None);
        assert_eq!(Amount::read("1e-19", None), None);
    }
}
