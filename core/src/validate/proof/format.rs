//! The formats and patterns of the schema, as comparisons of bytes.
//!
//! Each accepts only what the schema engine accepts, but not all of it: leap seconds and bracketed hosts are left to that.

/// Whether this is surely a URI with a scheme, as RFC 3986 has it.
///
/// **Limits**: hosts in brackets (IPv6 and later) are not recognised.
#[must_use]
pub fn is_uri(text: &[u8]) -> bool {
    let Some(rest) = after_scheme(text) else {
        return false;
    };
    let path = match rest.strip_prefix(b"//") {
        Some(rest) => {
            let end = run(rest, AUTHORITY);
            let (Some(authority), Some(path)) = (rest.get(..end), rest.get(end..)) else {
                return false;
            };
            // What ended the run, if not a `/`, `?` or `#`, stands in no path either: the rest fails.
            if !is_authority(authority) {
                return false;
            }
            path
        }
        None => rest,
    };
    is_path_query_fragment(path)
}

/// What follows `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ) ":"`.
#[inline]
fn after_scheme(text: &[u8]) -> Option<&[u8]> {
    let end = text.iter().position(|&byte| class(byte) & SCHEME == 0)?;
    let starts_well = text.first().is_some_and(u8::is_ascii_alphabetic);
    let rest = text.get(end..)?.strip_prefix(b":")?;
    starts_well.then_some(rest)
}

/// `[ userinfo "@" ] host [ ":" port ]`, of bytes that may stand in an authority.
fn is_authority(authority: &[u8]) -> bool {
    let mut parts = authority.splitn(2, |&byte| byte == b'@');
    let (first, second) = (parts.next().unwrap_or_default(), parts.next());
    let host_and_port = second.unwrap_or(first);
    let mut parts = host_and_port.splitn(2, |&byte| byte == b':');
    let host = parts.next().unwrap_or_default();
    let port = parts.next().unwrap_or_default();
    !host.contains(&b'@') && port.iter().all(u8::is_ascii_digit)
}

#[inline]
fn is_path_query_fragment(text: &[u8]) -> bool {
    let mut rest = text;
    // A `?` leads from the path to the query, where it may stand; a `#` leads from either to the fragment.
    let mut allowed = PATH;
    loop {
        let end = run(rest, allowed);
        match rest.get(end) {
            None => return true,
            Some(b'?') if allowed == PATH => allowed = QUERY,
            Some(b'#') if allowed != FRAGMENT => allowed = FRAGMENT,
            Some(_) => return false,
        }
        rest = rest.get(end + 1..).unwrap_or_default();
    }
}

const SCHEME: u8 = 1;
const AUTHORITY: u8 = 2;
const PATH: u8 = 4;
const QUERY: u8 = 8;
/// The same bytes as in a query, and another name.
const FRAGMENT: u8 = 16;

/// In which parts of a URI each byte may stand.
static CLASSES: [u8; 256] = classes();

#[expect(
    clippy::indexing_slicing,
    reason = "runs when we build, where a wrong index is a build error"
)]
const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'-' | b'.' => {
                SCHEME | AUTHORITY | PATH | QUERY | FRAGMENT
            }
            b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b',' | b';' | b'='
            | b':' | b'@' => AUTHORITY | PATH | QUERY | FRAGMENT,
            b'/' => PATH | QUERY | FRAGMENT,
            b'?' => QUERY | FRAGMENT,
            _ => 0,
        };
        byte += 1;
    }
    table
}

#[inline]
fn class(byte: u8) -> u8 {
    CLASSES.get(usize::from(byte)).copied().unwrap_or_default()
}

/// How far the bytes of a class reach, sound percent-encodings among them.
#[inline]
fn run(text: &[u8], allowed: u8) -> usize {
    let mut at = 0;
    if allowed != AUTHORITY {
        while let Some(chunk) = text.get(at..).and_then(<[u8]>::first_chunk)
            && is_common(*chunk)
        {
            at += 8;
        }
        // What is left is part of the last eight bytes, and the others were seen.
        if text.len() < at + 8
            && let Some(chunk) = text.last_chunk()
            && is_common(*chunk)
        {
            return text.len();
        }
    }
    while let Some(&byte) = text.get(at) {
        if class(byte) & allowed != 0 {
            at += 1;
        } else if byte == b'%'
            && let Some([_, high, low]) = text.get(at..).and_then(<[u8]>::first_chunk)
            && high.is_ascii_hexdigit()
            && low.is_ascii_hexdigit()
        {
            at += 3;
        } else {
            break;
        }
    }
    at
}

/// Whether all eight bytes are of the frequent ones in paths: `&` to `;`, `@` to `Z`, `a` to `z`.
#[inline]
fn is_common(chunk: [u8; 8]) -> bool {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES << 7;
    let bytes = u64::from_le_bytes(chunk);
    // In ASCII no sum leaves its byte: the high bit of the first is set from `first` on, of the second behind `last`.
    let within = |first: u8, last: u8| {
        let from = bytes.wrapping_add(ONES * u64::from(0x80 - first));
        let behind = bytes.wrapping_add(ONES * u64::from(0x7f - last));
        from & !behind
    };
    let common = within(b'&', b';') | within(b'@', b'Z') | within(b'a', b'z');
    bytes & HIGHS == 0 && common & HIGHS == HIGHS
}

/// Whether a URI starts like a CBV word in a spelling that the JSON binding refuses.
pub(super) fn starts_like_cbv(uri: &[u8]) -> bool {
    uri.starts_with(b"urn:epcglobal:cbv")
        || after_web_scheme(uri).is_some_and(|rest| rest.starts_with(b"ns.gs1.org/cbv/"))
}

/// Whether a URI starts like a word of the GS1 Web Vocabulary in a spelling that the JSON binding refuses.
pub(super) fn starts_like_web_vocabulary(uri: &[u8]) -> bool {
    after_web_scheme(uri).is_some_and(|rest| {
        rest.strip_prefix(b"www.")
            .unwrap_or(rest)
            .starts_with(b"gs1.org/voc/")
    })
}

fn after_web_scheme(uri: &[u8]) -> Option<&[u8]> {
    let rest = uri.strip_prefix(b"http")?;
    rest.strip_prefix(b"s").unwrap_or(rest).strip_prefix(b"://")
}

/// Whether this is surely a date and time with an offset, as RFC 3339 has it.
///
/// **Limits**: leap seconds are not recognised.
#[must_use]
pub fn is_date_time(text: &[u8]) -> bool {
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
        |tens: u8, ones: u8, limit: u8| two_digits(tens, ones).is_some_and(|number| number < limit);
    if !(1..=days_in(century, year, month)).contains(&day)
        || !below(*h0, *h1, 24)
        || !below(*i0, *i1, 60)
        || !below(*s0, *s1, 60)
    {
        return false;
    }
    match after_fraction(tail) {
        Some([b'Z' | b'z']) => true,
        Some([b'+' | b'-', h0, h1, b':', m0, m1]) => below(*h0, *h1, 24) && below(*m0, *m1, 60),
        _ => false,
    }
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

/// An `eventTimeZoneOffset`, from `-14:00` to `+14:00`.
pub(super) fn is_offset(text: &[u8]) -> bool {
    let &[b'+' | b'-', h0, h1, b':', m0, m1] = text else {
        return false;
    };
    let (Some(hours), Some(minutes)) = (two_digits(h0, h1), two_digits(m0, m1)) else {
        return false;
    };
    (hours < 14 && minutes < 60) || (hours == 14 && minutes == 0)
}

/// A `schemaVersion`: numbers with dots between.
pub(super) fn is_version(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'.')
        .all(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
}

/// A unit of measure of a quantity: two or three capital letters or digits.
pub(super) fn is_unit(text: &[u8]) -> bool {
    matches!(text.len(), 2 | 3)
        && text
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// A `hexBinaryValue`.
pub(super) fn is_hexadecimal(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_hexdigit)
}
