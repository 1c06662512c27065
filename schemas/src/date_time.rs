//! The format `date-time` of RFC 3339, section 5.6.
//!
//! The check of the `jsonschema` crate lets some texts pass that have no digits where digits must be, such as
//! `000--01-01T00:00:00Z`; this one replaces it, and otherwise agrees with it.

/// Whether a text is a date and time with its zone: any number of fraction digits, `T` and `Z` in either case, offsets to
/// 23:59, a leap second only at 23:59:60 UTC.
#[must_use]
pub fn is_date_time(text: &str) -> bool {
    parse(text.as_bytes()).is_some()
}

fn parse(text: &[u8]) -> Option<()> {
    let (year, text) = number(text, 4)?;
    let (month, text) = number(expect(text, b"-")?, 2)?;
    let (day, text) = number(expect(text, b"-")?, 2)?;
    let (hour, text) = number(expect(text, b"Tt")?, 2)?;
    let (minute, text) = number(expect(text, b":")?, 2)?;
    let (second, text) = number(expect(text, b":")?, 2)?;
    let text = match expect(text, b".") {
        Some(fraction) => {
            let digits = fraction
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            fraction.get(digits..).filter(|_| digits > 0)?
        }
        None => text,
    };
    let offset = match text.split_first()? {
        (b'Z' | b'z', []) => 0,
        (sign @ (b'+' | b'-'), rest) => {
            let (hours, rest) = number(rest, 2)?;
            let (minutes, rest) = number(expect(rest, b":")?, 2)?;
            if hours > 23 || minutes > 59 || !rest.is_empty() {
                return None;
            }
            let minutes = hours * 60 + minutes;
            if *sign == b'+' { minutes } else { -minutes }
        }
        _ => return None,
    };
    let is_leap_year = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap_year => 29,
        2 => 28,
        _ => return None,
    };
    let is_last_minute_of_day = (hour * 60 + minute - offset).rem_euclid(24 * 60) == 24 * 60 - 1;
    let is_second = second <= 59 || (second == 60 && is_last_minute_of_day);
    ((1..=days).contains(&day) && hour <= 23 && minute <= 59 && is_second).then_some(())
}

/// One of these bytes; what follows it.
fn expect<'t>(text: &'t [u8], bytes: &[u8]) -> Option<&'t [u8]> {
    text.split_first()
        .filter(|(first, _)| bytes.contains(first))
        .map(|(_, rest)| rest)
}

/// A number of so many digits; what follows it.
fn number(text: &[u8], digits: usize) -> Option<(i32, &[u8])> {
    let (number, rest) = text.split_at_checked(digits)?;
    let value = number.iter().try_fold(0, |value, byte| {
        byte.is_ascii_digit()
            .then(|| value * 10 + i32::from(byte - b'0'))
    })?;
    Some((value, rest))
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
        let theirs = jsonschema::options()
            .should_validate_formats(true)
            .build(&schema)
            .unwrap();
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
                // Digits stay digits, the rest is anything.
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
