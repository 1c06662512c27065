//! Comparisons of times and numbers, and the offsets of times.

use super::form;
use super::fuel::{self, Fuel};
use super::scope::{Scope, Subject};
use super::texts::MAX_OTHER_TEXT;
use epcis_edge_text::time::Timestamp;

const SECONDS_PER_DAY: i64 = 86_400;

/// The number to compare with.
#[derive(Debug)]
pub(super) enum Operand {
    Number(f64),
    Of(Subject),
}

/// A time, or a day.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    /// The day as it is written, in days since 1970-01-01.
    day: i64,
    /// The instant; none if only the day is written.
    time: Option<Timestamp>,
}

impl Moment {
    /// Reads a time; where `may_be_day`, also a date alone.
    fn read(text: &str, may_be_day: bool, fuel: &Fuel) -> Option<Self> {
        if text.len() > MAX_OTHER_TEXT || !fuel.take_with(|| fuel::time(text.len())) {
            return None;
        }
        let time = Timestamp::parse(text);
        let date = text.get(.."YYYY-MM-DD".len())?;
        if time.is_none() && !(may_be_day && form::is_date(text)) {
            return None;
        }
        let start = Timestamp::parse(&format!("{date}T00:00:00Z"))?;
        Some(Self { day: start.seconds().div_euclid(SECONDS_PER_DAY), time })
    }

    /// Whether this time is later than another by more than `seconds`.
    /// If one of them is a day alone, days are compared: each as it is written, in its own offset.
    pub(super) fn is_after(self, other: Self, seconds: i64) -> bool {
        match (self.time, other.time) {
            (Some(one), Some(two)) if seconds == 0 => one > two,
            (Some(one), Some(two)) => one.seconds().saturating_sub(two.seconds()) > seconds,
            _ => self.day.saturating_sub(other.day) > seconds / SECONDS_PER_DAY,
        }
    }
}

/// Compares two times; false if one is missing or no time.
pub(super) fn compare(
    one: &Subject,
    other: &Subject,
    scope: &Scope<'_, '_>,
    test: &mut dyn FnMut(Moment, Moment) -> bool,
) -> bool {
    one.any_text(scope, &mut |text| {
        let Some(first) = Moment::read(text, one.is_open(), scope.fuel) else { return false };
        other.any_other_text(scope, &mut |text| {
            Moment::read(text, other.is_open(), scope.fuel)
                .is_some_and(|second| test(first, second))
        })
    })
}

impl Operand {
    pub(super) fn any(
        &self,
        of: &Subject,
        scope: &Scope<'_, '_>,
        test: &mut dyn FnMut(f64, f64) -> bool,
    ) -> bool {
        of.any_number(scope, &mut |one| match self {
            Self::Number(other) => test(one, *other),
            Self::Of(other) => {
                let mut first = None;
                other.any_number(scope, &mut |number| {
                    first = Some(number);
                    true
                });
                first.is_some_and(|other| test(one, other))
            }
        })
    }
}

/// The offset of a time as it is written; none in UTC, which says nothing about local time.
pub(super) fn offset(time: &str) -> Option<&str> {
    let at = time.len().checked_sub("+hh:mm".len())?;
    let offset = time.get(at..)?;
    (is_offset(offset) && !offset.ends_with("00:00")).then_some(offset)
}

pub(super) fn is_offset(text: &str) -> bool {
    matches!(
        text.as_bytes(),
        [b'+' | b'-', b'0'..=b'9', b'0'..=b'9', b':', b'0'..=b'9', b'0'..=b'9']
    )
}
