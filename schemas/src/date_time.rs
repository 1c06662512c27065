//! The format `date-time` of RFC 3339, section 5.6.
//!
//! The check of the `jsonschema` crate lets some texts pass that have no digits where digits must be, such as
//! `000--01-01T00:00:00Z`; this one replaces it, and otherwise agrees with it.

/// Whether a text is a date and time with its zone: any number of fraction digits, `T` and `Z` in either case, offsets to
/// 23:59, a leap second only at 23:59:60 UTC.
#[must_use]
pub fn is_date_time(text: &str) -> bool {
    is_date_time_in_bytes(text.as_bytes())
}

/// The same of a text that is at hand as bytes.
#[must_use]
#[inline]
pub(crate) fn is_date_time_in_bytes(text: &[u8]) -> bool {
    let Some((head, tail)) = text.split_first_chunk::<19>() else {
        return false;
    };
    let [
        y0,
        y1,
        y2,
        y3,
        b'-',
        m0,
        m1,
        b'-',
        d0,
        d1,
        b'T' | b't',
        time @ ..,
    ] = head
    else {
        return false;
    };
    let [h0, h1, b':', i0, i1, b':', s0, s1] = time else {
        return false;
    };
    let (Some(century), Some(year)) = (two_digits(*y0, *y1), two_digits(*y2, *y3)) else {
        return false;
    };
    let (Some(month), Some(day)) = (two_digits(*m0, *m1), two_digits(*d0, *d1)) else {
        return false;
    };
    let below =
        |tens: u8, ones: u8, limit: u8| two_digits(tens, ones).filter(|number| *number < limit);
    let (Some(hour), Some(minute), Some(second)) = (
        below(*h0, *h1, 24),
        below(*i0, *i1, 60),
        below(*s0, *s1, 61),
    ) else {
        return false;
    };
    if !(1..=days_in(century, year, month)).contains(&day) {
        return false;
    }
    let offset = match after_fraction(tail) {
        Some([b'Z' | b'z']) => 0,
        Some([sign @ (b'+' | b'-'), h0, h1, b':', m0, m1]) => {
            let (Some(hours), Some(minutes)) = (below(*h0, *h1, 24), below(*m0, *m1, 60)) else {
                return false;
            };
            let offset = i32::from(hours) * 60 + i32::from(minutes);
            if *sign == b'+' { offset } else { -offset }
        }
        _ => return false,
    };
    let utc = (i32::from(hour) * 60 + i32::from(minute) - offset).rem_euclid(24 * 60);
    second < 60 || utc == 24 * 60 - 1
}

/// What follows the fraction of a second, which may be missing, but has digits.
fn after_fraction(tail: &[u8]) -> Option<&[u8]> {
    let Some(fraction) = tail.strip_prefix(b".") else {
        return Some(tail);
    };
    let digits = fraction
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    (digits > 0).then(|| fraction.get(digits..))?
}

/// 0 for a month that there is not.
fn days_in(century: u8, year: u8, month: u8) -> u8 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (year != 0 || century.is_multiple_of(4)) => 29,
        2 => 28,
        _ => 0,
    }
}

#[inline]
fn two_digits(tens: u8, ones: u8) -> Option<u8> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    (tens < 10 && ones < 10).then(|| tens * 10 + ones)
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
