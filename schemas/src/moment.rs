//! Dates and times: one reader for RFC 3339, section 5.6, and XML Schema, part 2, 3.2.6 to 3.2.14.

/// A date and time as written, in the form of RFC 3339 and `xsd:dateTime`. Whether the day and the time exist is not checked.
///
/// # Example
/// ```
/// use epcis_edge_schema::moment::Written;
/// let written = Written::read(b"2026-03-04T11:00:30.5+01:00").unwrap();
/// assert_eq!((written.year, written.nanoseconds, written.offset), (2026, 500_000_000, Some(60)));
/// assert!(Written::read(b"2026-03-04").is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// Four digits.
    pub year: i64,
    /// Two digits, like the four fields below. Numbers out of range, such as 13, are accepted.
    pub month: i64,
    /// The day of the month.
    pub day: i64,
    /// The hour of the day.
    pub hour: i64,
    /// The minute of the hour.
    pub minute: i64,
    /// The second of the minute.
    pub second: i64,
    /// The fraction of the second; further digits are cut off.
    pub nanoseconds: u32,
    /// Whether the fraction is more than zero.
    pub has_fraction: bool,
    /// Minutes ahead of UTC, at most 23:59; `None` if there is no zone.
    pub offset: Option<i64>,
}

impl Written {
    /// Reads a date and time. The fraction may have any number of digits, and `t` and `z` may be lower-case.
    #[must_use]
    pub fn read(text: &[u8]) -> Option<Self> {
        let (head, tail) = text.split_first_chunk::<19>()?;
        let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1, b'T' | b't', time @ ..] = head else {
            return None;
        };
        let [h0, h1, b':', i0, i1, b':', s0, s1] = time else {
            return None;
        };
        let (nanoseconds, has_fraction, zone) = after_fraction(tail)?;
        Some(Self {
            year: two(*y0, *y1)? * 100 + two(*y2, *y3)?,
            month: two(*m0, *m1)?,
            day: two(*d0, *d1)?,
            hour: two(*h0, *h1)?,
            minute: two(*i0, *i1)?,
            second: two(*s0, *s1)?,
            nanoseconds,
            has_fraction,
            offset: match zone {
                [] => None,
                [b'Z' | b'z'] => Some(0),
                [sign @ (b'+' | b'-'), h0, h1, b':', m0, m1] => {
                    let (hours, minutes) = (two(*h0, *h1)?, two(*m0, *m1)?);
                    if hours > 23 || minutes > 59 {
                        return None;
                    }
                    let offset = hours * 60 + minutes;
                    Some(if *sign == b'+' { offset } else { -offset })
                }
                _ => return None,
            },
        })
    }

    /// Whether the day exists in this year, which may differ from the written one.
    fn is_day_of(&self, year: i64) -> bool {
        self.day >= 1 && self.day <= days_in_month(year, self.month)
    }

    /// Whether the day exists in the Gregorian calendar.
    #[must_use]
    pub fn is_day(&self) -> bool {
        self.is_day_of(self.year)
    }

    /// Whether it is 24:00:00, the end of a day (`xsd:dateTime`).
    #[must_use]
    pub fn is_end_of_day(&self) -> bool {
        self.hour == 24 && self.minute == 0 && self.second == 0 && !self.has_fraction
    }
}

fn two(tens: u8, ones: u8) -> Option<i64> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    (tens < 10 && ones < 10).then(|| i64::from(tens * 10 + ones))
}

/// The fraction of a second in nanoseconds, whether it is more than zero, and the text after it. A point needs a digit after it.
fn after_fraction(tail: &[u8]) -> Option<(u32, bool, &[u8])> {
    let Some(fraction) = tail.strip_prefix(b".") else {
        return Some((0, false, tail));
    };
    let (mut nanoseconds, mut unit, mut has_fraction) = (0, 100_000_000, false);
    let mut rest = fraction;
    while let Some((digit @ b'0'..=b'9', after)) = rest.split_first() {
        let digit = u32::from(digit - b'0');
        nanoseconds += digit * unit;
        unit /= 10;
        has_fraction |= digit > 0;
        rest = after;
    }
    (rest.len() < fraction.len()).then_some((nanoseconds, has_fraction, rest))
}

/// How many days a month of the Gregorian calendar has; 0 for a month that does not exist.
#[must_use]
pub fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 0,
    }
}

/// Whether a text is a `date-time` of RFC 3339, as the JSON schema requires: `T` and `Z` in either case, offsets to 23:59, a leap
/// second only at 23:59:60 UTC.
///
/// The check of the `jsonschema` crate accepts some texts without digits where digits are required, such as
/// `000--01-01T00:00:00Z`. This one replaces it, and otherwise agrees with it.
#[must_use]
pub fn is_date_time(text: &str) -> bool {
    is_date_time_in_bytes(text.as_bytes())
}

/// As [`is_date_time`], for a text as bytes.
pub(crate) fn is_date_time_in_bytes(text: &[u8]) -> bool {
    let Some(written) = Written::read(text) else {
        return false;
    };
    let Some(offset) = written.offset else {
        return false;
    };
    let minute = (written.hour * 60 + written.minute - offset).rem_euclid(24 * 60);
    let seconds = if minute == 24 * 60 - 1 { 61 } else { 60 };
    written.is_day() && written.hour < 24 && written.minute < 60 && written.second < seconds
}

/// Reads an `xsd:dateTime`: the zone is optional, and the year may have a sign and more than four digits.
fn of_xml(text: &str) -> Option<Written> {
    let text = text.as_bytes();
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let is_digit = |byte: &&u8| byte.is_ascii_digit();
    let count = unsigned.iter().take_while(is_digit).count();
    let (year, _) = unsigned.split_at_checked(count)?;
    if count > 4 && year.starts_with(b"0") || year.iter().all(|digit| *digit == b'0') {
        return None;
    }
    let rest = unsigned.get(count.checked_sub(4)?..)?;
    let written = Written::read(rest)?;
    // Leap years repeat every 400 years.
    let year = year.iter().fold(0, |year, digit| (year * 10 + i64::from(digit - b'0')) % 400);
    let year = if unsigned.len() < text.len() { -year } else { year };
    let is_time = written.hour < 24 && written.minute < 60 && written.second < 60;
    let is_zone = written.offset.is_none_or(|offset| offset.abs() <= 14 * 60);
    let is_large = rest.get(10) == Some(&b'T') && rest.last() != Some(&b'z');
    let is_fine = written.is_day_of(year) && (is_time || written.is_end_of_day());
    (is_fine && is_zone && is_large).then_some(written)
}

/// Whether a text is an `xsd:dateTime`, its zone optional.
///
/// **Source**: XML Schema 1.0, part 2, 3.2.7.
#[must_use]
pub fn is_xml_date_time(text: &str) -> bool {
    of_xml(text).is_some()
}

/// `xsd:dateTime` with four digits of the year and no sign, a zone, and no hour 24: the pattern of EPCIS 2.0.
pub(crate) fn is_stamp(text: &str) -> bool {
    text.as_bytes().get(4) == Some(&b'-')
        && !text.starts_with('-')
        && of_xml(text).is_some_and(|written| written.offset.is_some() && written.hour < 24)
}

/// Whether a text becomes an `xsd:dateTime` with `before` in front of it and `behind` after it, which goes before its zone.
pub(crate) fn completes(before: &str, text: &str, behind: &str) -> bool {
    let length = text.len();
    let is_offset = |at: usize| {
        let bytes = text.as_bytes();
        matches!(bytes.get(at), Some(b'+' | b'-')) && bytes.get(at + 3) == Some(&b':')
    };
    let end = match length.checked_sub(6).filter(|at| is_offset(*at)) {
        Some(at) => at,
        None => length - usize::from(text.ends_with('Z')),
    };
    let parts = text.split_at_checked(end);
    parts.is_some_and(|(part, zone)| is_xml_date_time(&[before, part, behind, zone].concat()))
}

/// `xsd:duration`: `P`, then numbers with their units from the largest to the smallest; hours, minutes and seconds follow a `T`.
pub(crate) fn is_duration(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let Some(text) = text.strip_prefix('P') else {
        return false;
    };
    match text.split_once('T') {
        Some((_, "")) => false,
        Some((days, time)) => has_units(days, "YMD") && has_units(time, "HMS"),
        None => !text.is_empty() && has_units(text, "YMD"),
    }
}

/// Whether a text has only numbers with units in this order; seconds may have a fraction.
fn has_units(text: &str, units: &str) -> bool {
    let mut units = units.chars();
    let mut rest = text;
    while let Some(at) = rest.find(|unit: char| unit.is_ascii_alphabetic()) {
        let (number, behind) = rest.split_at_checked(at).unwrap_or_default();
        let mut after = behind.chars();
        let unit = after.next();
        if !units.any(|known| Some(known) == unit) {
            return false;
        }
        let are_digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_number = match number.split_once('.') {
            Some((whole, part)) => unit == Some('S') && are_digits(whole) && are_digits(part),
            None => are_digits(number),
        };
        if !is_number {
            return false;
        }
        rest = after.as_str();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::is_date_time;

    const VALID: [&str; 8] = [
        "2026-03-04T11:00:30Z",
        "2026-03-04t11:00:30.123456789012z",
        "2024-02-29T00:00:00+14:00",
        "2000-02-29T23:59:59.9-23:59",
        "0000-01-01T00:00:00Z",
        "2016-12-31T23:59:60Z",
        "2017-01-01T00:59:60+01:00",
        "2016-12-31T18:29:60-05:30",
    ];

    #[test]
    fn what_rfc_3339_allows() {
        for text in VALID {
            assert!(is_date_time(text), "{text}");
        }
    }

    #[test]
    fn whatever_else_is_refused() {
        for text in [
            "",
            "2026-03-04",
            "2026-03-04T11:00:30",
            "2026-03-04 11:00:30Z",
            "2026-03-04T11:00Z",
            "2026-03-04T11:00:30.Z",
            "2026-03-04T11:00:30+0100",
            "2026-03-04T11:00:30+01",
            "2026-03-04T11:00:30+24:00",
            "2026-03-04T11:00:30+01:60",
            "2026-03-04T24:00:00Z",
            "2026-03-04T11:60:00Z",
            "2026-03-04T11:00:61Z",
            "2026-03-04T11:00:60Z",
            "2023-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2026-04-31T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-01-00T00:00:00Z",
            "02026-01-01T00:00:00Z",
            "2026-01-01T00:00:00ZZ",
            "000--01-01T00:00:00+23:59",
            "2026-02-28T23:59:59.123456+14:0,",
            "２026-01-01T00:00:00Z",
        ] {
            assert!(!is_date_time(text), "{text}");
        }
    }

    #[test]
    fn it_agrees_with_the_crate_where_all_digits_are_digits() {
        let schema = serde_json::json!({"type": "string", "format": "date-time"});
        let theirs = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
        let mut state = 20_261_120_u64;
        let mut below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % limit as u64) as usize
        };
        let mut valid = 0;
        for round in 0..200_000 {
            let mut text = VALID[round % VALID.len()].as_bytes().to_vec();
            for _ in 0..1 + below(2) {
                let at = below(text.len());
                // Digits stay digits; other characters become anything.
                text[at] = if text[at].is_ascii_digit() {
                    b'0' + below(10) as u8
                } else {
                    b"TtZz:-+. x"[below(10)]
                };
            }
            let text = String::from_utf8(text).unwrap();
            let ours = is_date_time(&text);
            valid += usize::from(ours);
            assert_eq!(ours, theirs.is_valid(&text.clone().into()), "{text}");
        }
        assert!(valid > 10_000, "{valid}");
    }
}
