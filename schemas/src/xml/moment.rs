//! Dates, times and durations as XML Schema writes them (part 2, 3.2.6 to 3.2.14).

/// What is left of a text.
#[derive(Clone, Copy)]
struct Rest<'t>(&'t [u8]);

impl Rest<'_> {
    /// Goes over one byte, if it is there.
    fn take(&mut self, byte: u8) -> Option<()> {
        let rest = self.0.strip_prefix(&[byte])?;
        self.0 = rest;
        Some(())
    }

    /// Goes over digits; gives how many and their value, as far as it is of use.
    fn digits(&mut self) -> (usize, u64) {
        let count = self
            .0
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let (digits, rest) = self.0.split_at_checked(count).unwrap_or_default();
        self.0 = rest;
        let value = digits.iter().fold(0_u64, |sum, digit| {
            sum.saturating_mul(10)
                .saturating_add(u64::from(digit - b'0'))
        });
        (count, value)
    }

    /// Goes over two digits within bounds.
    #[inline]
    fn two(&mut self, least: u64, most: u64) -> Option<u64> {
        let [tens @ b'0'..=b'9', ones @ b'0'..=b'9', rest @ ..] = self.0 else {
            return None;
        };
        let value = u64::from(tens - b'0') * 10 + u64::from(ones - b'0');
        self.0 = rest;
        (least..=most).contains(&value).then_some(value)
    }

    /// Goes over a year; gives it within a span of 400, which is how often leap years come around.
    fn year(&mut self) -> Option<u64> {
        // Four digits from 1000 on are what is written.
        if let [
            a @ b'1'..=b'9',
            b @ b'0'..=b'9',
            c @ b'0'..=b'9',
            d @ b'0'..=b'9',
            rest @ ..,
        ] = self.0
            && rest.first() == Some(&b'-')
        {
            self.0 = rest;
            let digit = |byte: &u8| u64::from(byte - b'0');
            return Some((digit(a) * 1000 + digit(b) * 100 + digit(c) * 10 + digit(d)) % 400);
        }
        let negative = self.take(b'-').is_some();
        let leading_zero = self.0.first() == Some(&b'0');
        let before = self.0;
        let (count, _) = self.digits();
        if count < 4 || (count > 4 && leading_zero) {
            return None;
        }
        let digits = before.get(..count)?;
        if digits.iter().all(|digit| *digit == b'0') {
            return None;
        }
        let year = digits
            .iter()
            .fold(0, |year, digit| (year * 10 + u64::from(digit - b'0')) % 400);
        Some(if negative { (400 - year) % 400 } else { year })
    }

    /// Goes over a time of day.
    fn time(&mut self) -> Option<()> {
        let hour = self.two(0, 24)?;
        self.take(b':')?;
        let minute = self.two(0, 59)?;
        self.take(b':')?;
        let second = self.two(0, 59)?;
        let mut fraction = 0;
        if self.take(b'.').is_some() {
            let before = self.0;
            let (count, _) = self.digits();
            if count == 0 {
                return None;
            }
            let digits = before.get(..count)?;
            fraction = u64::from(digits.iter().any(|digit| *digit != b'0'));
        }
        (hour < 24 || minute + second + fraction == 0).then_some(())
    }

    /// Goes over the end: nothing, or a zone.
    fn zone(mut self) -> bool {
        if self.0.is_empty() || self.0 == b"Z" {
            return true;
        }
        if self.take(b'+').is_none() && self.take(b'-').is_none() {
            return false;
        }
        let read = |rest: &mut Self| {
            let hour = rest.two(0, 14)?;
            rest.take(b':')?;
            let minute = rest.two(0, 59)?;
            Some(hour < 14 || minute == 0)
        };
        read(&mut self) == Some(true) && self.0.is_empty()
    }
}

fn days(year: u64, month: u64) -> u64 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn date<'t>(text: &'t str) -> Option<Rest<'t>> {
    let mut rest = Rest(text.as_bytes());
    let year = rest.year()?;
    rest.take(b'-')?;
    let month = rest.two(1, 12)?;
    rest.take(b'-')?;
    rest.two(1, days(year, month))?;
    Some(rest)
}

/// Whether a text is an `xsd:dateTime`, its zone optional.
///
/// **Source**: XML Schema 1.0, part 2, 3.2.7.
#[must_use]
pub fn is_date_time(text: &str) -> bool {
    let read = || {
        let mut rest = date(text)?;
        rest.take(b'T')?;
        rest.time()?;
        Some(rest.zone())
    };
    read() == Some(true)
}

/// `xsd:dateTime` with four digits of the year and no sign, a zone, and no hour 24: the pattern of EPCIS 2.0.
pub(super) fn is_stamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has_zone = bytes.last() == Some(&b'Z')
        || bytes
            .len()
            .checked_sub(6)
            .and_then(|at| bytes.get(at))
            .is_some_and(|sign| matches!(sign, b'+' | b'-'));
    has_zone
        && bytes.get(4) == Some(&b'-')
        && bytes.first() != Some(&b'-')
        && bytes.get(11..13) != Some(b"24")
        && is_date_time(text)
}

/// `xsd:date`.
pub(super) fn is_date(text: &str) -> bool {
    date(text).is_some_and(Rest::zone)
}

/// `xsd:time`.
pub(super) fn is_time(text: &str) -> bool {
    let mut rest = Rest(text.as_bytes());
    rest.time().is_some() && rest.zone()
}

/// `xsd:gYear`.
pub(super) fn is_year(text: &str) -> bool {
    let mut rest = Rest(text.as_bytes());
    rest.year().is_some() && rest.zone()
}

/// `xsd:gYearMonth`.
pub(super) fn is_year_month(text: &str) -> bool {
    let mut rest = Rest(text.as_bytes());
    let read = |rest: &mut Rest<'_>| {
        rest.year()?;
        rest.take(b'-')?;
        rest.two(1, 12)
    };
    read(&mut rest).is_some() && rest.zone()
}

/// `xsd:gMonthDay`, `xsd:gMonth` and `xsd:gDay`, by which of the two they have.
pub(super) fn is_month_day(text: &str, has_month: bool, has_day: bool) -> bool {
    let mut rest = Rest(text.as_bytes());
    let read = |rest: &mut Rest<'_>| {
        rest.take(b'-')?;
        rest.take(b'-')?;
        let month = if has_month { rest.two(1, 12)? } else { 1 };
        if has_day {
            rest.take(b'-')?;
            rest.two(1, days(0, month))?;
        }
        Some(())
    };
    read(&mut rest).is_some() && rest.zone()
}

/// `xsd:duration`.
pub(super) fn is_duration(text: &str) -> bool {
    let mut rest = Rest(text.as_bytes());
    let _ = rest.take(b'-');
    if rest.take(b'P').is_none() || rest.0.is_empty() {
        return false;
    }
    let mut in_time = false;
    let mut units: &[u8] = b"YMD";
    while !rest.0.is_empty() {
        if !in_time && rest.take(b'T').is_some() {
            in_time = true;
            units = b"HMS";
            if rest.0.is_empty() {
                return false;
            }
            continue;
        }
        let (count, _) = rest.digits();
        let mut is_fraction = false;
        if count > 0 && in_time && rest.take(b'.').is_some() {
            is_fraction = true;
            if rest.digits().0 == 0 {
                return false;
            }
        }
        let Some((&unit, after)) = rest.0.split_first() else {
            return false;
        };
        let Some(at) = units.iter().position(|known| *known == unit) else {
            return false;
        };
        if count == 0 || (is_fraction && unit != b'S') {
            return false;
        }
        units = units.get(at + 1..).unwrap_or_default();
        rest.0 = after;
    }
    true
}
