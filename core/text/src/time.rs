//! Instants as EPCIS writes them: read, compared, and printed in UTC.
//!
//! EPCIS times are RFC 3339 date-times, that is, `xsd:dateTime` values with a time zone.
//! A text that is not such a time is not an error here: the caller keeps the text.
//!
//! Why not `jiff`?
//! It accepts what RFC 3339 forbids (`11Z`, `+0100`, a blank for `T`), refuses ten digits of a fraction, 24:00 and the end of the year
//! 9999, and is seven times as large.

use crate::slice::Known;
use epcis_edge_schema::moment::Written;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// An instant in UTC with a fraction of a second, ordered by time.
///
/// **Unit**: whole seconds since 1970-01-01T00:00:00Z plus nanoseconds; further digits are cut off.
///
/// **Limits**: the years 0000 to 9999 in UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    seconds: i64,
    nanoseconds: u32,
}

const SECONDS_PER_DAY: i64 = 86_400;
/// The first second of the year 0000.
const FIRST: i64 = days_from_civil(0, 1, 1) * SECONDS_PER_DAY;
/// The first second of the year 10000.
const END: i64 = days_from_civil(10_000, 1, 1) * SECONDS_PER_DAY;

impl Timestamp {
    /// Parses the text of an instant.
    ///
    /// **Shape**: `YYYY-MM-DDThh:mm:ss`, an optional fraction of any length, and `Z` or `±hh:mm`; `t` and `z` may be lower case.
    /// `24:00:00` is the end of the day (`xsd:dateTime`), second 60 is the first of the next minute (RFC 3339, leap seconds).
    /// A time without a zone is not an instant.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_text::time::Timestamp;
    /// let time = Timestamp::parse("2020-03-04T11:00:30.1415+01:00").unwrap();
    /// assert_eq!(time.to_string(), "2020-03-04T10:00:30.142Z");
    /// assert!(time < Timestamp::parse("2020-03-04T10:00:31Z").unwrap());
    /// assert_eq!(Timestamp::parse("yesterday"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let written = Written::read(text.as_bytes())?;
        let offset = written.offset?;
        let is_time = written.hour < 24 && written.minute < 60 && written.second <= 60;
        if !written.is_day() || !(is_time || written.is_end_of_day()) {
            return None;
        }
        let seconds = days_from_civil(written.year, written.month, written.day) * SECONDS_PER_DAY
            + written.hour * 3600
            + written.minute * 60
            + written.second
            - offset * 60;
        (FIRST..END)
            .contains(&seconds)
            .then_some(Self { seconds, nanoseconds: written.nanoseconds })
    }

    /// The next instant: a nanosecond later.
    pub fn next(self) -> Self {
        match self.nanoseconds {
            999_999_999 => Self { seconds: self.seconds + 1, nanoseconds: 0 },
            nanoseconds => Self { nanoseconds: nanoseconds + 1, ..self },
        }
    }

    /// Whole seconds since 1970-01-01T00:00:00Z; negative for earlier times.
    #[must_use]
    pub fn seconds(self) -> i64 {
        self.seconds
    }

    /// The nanoseconds in addition to [`seconds`](Self::seconds), less than one second.
    #[must_use]
    pub fn nanoseconds(self) -> u32 {
        self.nanoseconds
    }

    /// The instant this many milliseconds after 1970-01-01T00:00:00Z; at most the last millisecond of the year 9999.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_text::time::Timestamp;
    /// assert_eq!(Timestamp::from_milliseconds(1_500).to_string(), "1970-01-01T00:00:01.500Z");
    /// ```
    #[must_use]
    pub fn from_milliseconds(milliseconds: u64) -> Self {
        let seconds = i64::try_from(milliseconds / 1000).unwrap_or(i64::MAX);
        if seconds >= END {
            return Self { seconds: END - 1, nanoseconds: 999_000_000 };
        }
        Self { seconds, nanoseconds: (milliseconds % 1000) as u32 * 1_000_000 }
    }

    /// `YYYY-MM-DDThh:mm:ss.nnnnnnnnnZ`: texts of this form sort like their instants.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_text::time::Timestamp;
    /// let time = Timestamp::parse("2020-03-04T11:00:30.5+01:00").unwrap();
    /// assert_eq!(time.to_sortable(), "2020-03-04T10:00:30.500000000Z");
    /// ```
    #[must_use]
    pub fn to_sortable(self) -> String {
        let whole = Self { seconds: self.seconds, nanoseconds: 0 };
        let mut text = whole.to_string();
        text.truncate("YYYY-MM-DDThh:mm:ss".len());
        format!("{text}.{:09}Z", self.nanoseconds)
    }

    /// Appends `YYYY-MM-DDThh:mm:ss.mmmZ`. Only the fourth digit of the fraction decides whether the third is rounded up.
    ///
    /// Returns false, and appends nothing, if rounding would pass the end of the year 9999.
    pub fn push_to(self, out: &mut Vec<u8>) -> bool {
        let tenths = self.nanoseconds / 100_000;
        let rounded = i64::from(tenths / 10 + u32::from(tenths % 10 >= 5));
        let seconds = self.seconds + rounded / 1000;
        if seconds >= END {
            return false;
        }
        let (year, month, day) = civil_from_days(seconds.div_euclid(SECONDS_PER_DAY));
        let second = seconds.rem_euclid(SECONDS_PER_DAY);
        push_digits(out, year, 4);
        for (mark, number, width) in [
            (b'-', month, 2),
            (b'-', day, 2),
            (b'T', second / 3600, 2),
            (b':', second / 60 % 60, 2),
            (b':', second % 60, 2),
            (b'.', rounded % 1000, 3),
        ] {
            out.push(mark);
            push_digits(out, number, width);
        }
        out.push(b'Z');
        true
    }
}

/// From any form that [`Timestamp::parse`] reads.
impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let refused = || {
            serde::de::Error::custom("expected a time with its zone, such as 2026-03-04T10:00:00Z")
        };
        Self::parse(&text).ok_or_else(refused)
    }
}

/// In the form of [`Timestamp::to_sortable`], which keeps full precision.
impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_sortable())
    }
}

/// `YYYY-MM-DDThh:mm:ss.mmmZ`, rounded half up by the fourth digit of the fraction (CBV 2.0, 8.9).
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::with_capacity(24);
        if !self.push_to(&mut text) {
            return f.write_str("9999-12-31T23:59:59.999Z");
        }
        f.write_str(std::str::from_utf8(&text).ok().known())
    }
}

/// The number of days from 1970-01-01 to a day of the Gregorian calendar.
///
/// The year is counted from March, so that the leap day is its last day.
const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The day of the Gregorian calendar that is this many days after 1970-01-01.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
}

fn push_digits(out: &mut Vec<u8>, number: i64, width: u32) {
    for place in (0..width).rev() {
        let digit = number / 10_i64.pow(place) % 10;
        out.push(b'0' + digit as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let printed = Timestamp::parse(text).map(|time| time.to_string());
        assert_eq!(printed.as_deref(), Some(expected), "{text}");
    }

    #[test]
    fn times_are_printed_in_utc_with_milliseconds() {
        check("2020-03-04T11:00:30.000+01:00", "2020-03-04T10:00:30.000Z");
        check("2020-03-04T11:00:30Z", "2020-03-04T11:00:30.000Z");
        check("2020-03-04t11:00:30.5z", "2020-03-04T11:00:30.500Z");
        check("2020-02-28T23:30:00-01:00", "2020-02-29T00:30:00.000Z");
        check("1969-12-31T23:59:59.25Z", "1969-12-31T23:59:59.250Z");
        check("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z");
        check("1900-02-28T24:00:00Z", "1900-03-01T00:00:00.000Z");
        check("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z");
        check("2024-02-29T12:00:00+14:00", "2024-02-28T22:00:00.000Z");
    }

    #[test]
    fn the_fourth_digit_rounds_with_carry() {
        check("2020-01-01T00:00:00.1414999Z", "2020-01-01T00:00:00.141Z");
        check("2020-01-01T00:00:00.1415Z", "2020-01-01T00:00:00.142Z");
        check("2020-01-01T00:00:00.1425Z", "2020-01-01T00:00:00.143Z");
        check("2020-12-31T23:59:59.9995Z", "2021-01-01T00:00:00.000Z");
        check("2020-12-31T23:59:59.9994999Z", "2020-12-31T23:59:59.999Z");
        // There is no year 10000, so the last printable instant is used.
        check("9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn whatever_is_no_time_is_none() {
        for text in [
            "",
            "yesterday",
            "2020-03-04",
            "2020-03-04T11:00:30",
            "2020-03-04T11:00Z",
            "2020-03-04 11:00:30Z",
            "2020-03-04T11:00:30.Z",
            "2020-03-04T11:00:30,5Z",
            "2020-13-04T11:00:30Z",
            "2020-00-04T11:00:30Z",
            "2021-02-29T11:00:30Z",
            "1900-02-29T11:00:30Z",
            "2020-04-31T11:00:30Z",
            "2020-04-00T11:00:30Z",
            "2020-03-04T24:00:01Z",
            "2020-03-04T11:60:30Z",
            "2020-03-04T11:00:61Z",
            "2020-03-04T11:00:30+0100",
            "2020-03-04T11:00:30+01",
            "2020-03-04T11:00:30+24:00",
            "2020-03-04T11:00:30Z ",
            "12020-03-04T11:00:30Z",
            "-020-03-04T11:00:30Z",
            "2020-03-04T11:00:30Zé",
            "２020-03-04T11:00:30Z",
            "0000-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01",
            "99999999999999999999",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_day_of_four_centuries_comes_back() {
        let (mut year, mut month, mut day) = (1899, 12, 31);
        let first = super::days_from_civil(year, month, day);
        for days in first..first + 146_097 {
            assert_eq!(super::civil_from_days(days), (year, month, day));
            assert_eq!(super::days_from_civil(year, month, day), days);
            day += 1;
            if day > epcis_edge_schema::moment::days_in_month(year, month) {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
    }

    #[test]
    fn instants_are_ordered_whatever_their_zone() {
        let instant = |text| Timestamp::parse(text).unwrap();
        assert_eq!(instant("2020-01-01T01:00:00.10+01:00"), instant("2020-01-01T00:00:00.1Z"));
        assert!(instant("2020-01-01T00:00:00.0001Z") > instant("2020-01-01T00:00:00Z"));
        assert!(instant("1969-12-31T23:59:59.9Z") < instant("1970-01-01T00:00:00Z"));
        assert_eq!(instant("1970-01-01T00:00:01.5Z").seconds(), 1);
        assert_eq!(instant("1970-01-01T00:00:01.5Z").nanoseconds(), 500_000_000);
    }
}
