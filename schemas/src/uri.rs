//! URIs: as RFC 3986, section 3, has them, for the format `uri` of the JSON schema; and references to them as `xsd:anyURI` takes them.

use std::net::Ipv6Addr;

/// Whether this is a URI with a scheme, as RFC 3986 has it.
#[must_use]
#[inline]
pub fn is_uri(text: &[u8]) -> bool {
    let Some(rest) = after_scheme(text) else {
        return false;
    };
    let path = match rest.strip_prefix(b"//") {
        Some(rest) => {
            // A name alone, as a rule.
            let end = rest.iter().position(|&byte| class(byte) & HOST == 0);
            if let Some(path) = rest.get(end.unwrap_or(rest.len())..)
                && let None | Some(b'/' | b'?' | b'#') = path.first()
            {
                return is_path_query_fragment(path);
            }
            let end = run(rest, AUTHORITY);
            let (Some(authority), Some(path)) = (rest.get(..end), rest.get(end..)) else {
                return false;
            };
            // What ended the run, if not a `/`, `?` or `#`, stands in no path either: the rest fails.
            match path.strip_prefix(b"[") {
                Some(literal) => match after_literal_host(authority, literal) {
                    Some(path) => path,
                    None => return false,
                },
                None if is_authority(authority) => path,
                None => return false,
            }
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

/// What follows the authority whose host is a literal in brackets, given what stands before and behind the bracket that opens.
fn after_literal_host<'t>(user: &[u8], literal: &'t [u8]) -> Option<&'t [u8]> {
    let is_user = match user.split_last() {
        None => true,
        Some((b'@', user)) => !user.contains(&b'@'),
        Some(_) => false,
    };
    let end = literal.iter().position(|&byte| byte == b']')?;
    let (host, rest) = (literal.get(..end)?, literal.get(end + 1..)?);
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let path = match rest.strip_prefix(b":") {
        Some(port) => port.get(digits(port)..)?,
        None => rest,
    };
    // What is no part of a path ends it here.
    let is_end = matches!(path.first(), None | Some(b'/' | b'?' | b'#'));
    (is_user && is_end && is_literal_host(host)).then_some(path)
}

/// An address of IP version 6, or of a later version.
fn is_literal_host(host: &[u8]) -> bool {
    let Some(later) = host.strip_prefix(b"v").or(host.strip_prefix(b"V")) else {
        let host = std::str::from_utf8(host).unwrap_or_default();
        return host.parse::<Ipv6Addr>().is_ok();
    };
    let mut parts = later.splitn(2, |&byte| byte == b'.');
    let (version, address) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    let is_part = |byte: &u8| class(*byte) & AUTHORITY != 0 && *byte != b'@';
    !version.is_empty()
        && version.iter().all(u8::is_ascii_hexdigit)
        && !address.is_empty()
        && address.iter().all(is_part)
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
/// In a name that is a host, and nothing else of an authority.
const HOST: u8 = 32;
/// Whoever wants a URI escapes it: in an `xsd:anyURI` it may stand as it is.
const ESCAPED: u8 = 64;

/// In which parts of a URI each byte may stand.
static CLASSES: [u8; 256] = classes();

#[expect(
    clippy::indexing_slicing,
    reason = "runs when we build, where a wrong index is a build error"
)]
const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'-' | b'.' => {
                SCHEME | AUTHORITY | PATH | QUERY | FRAGMENT | HOST
            }
            b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b',' | b';' | b'='
            | b':' | b'@' => AUTHORITY | PATH | QUERY | FRAGMENT,
            b'/' => PATH | QUERY | FRAGMENT,
            b'?' => QUERY | FRAGMENT,
            b'"'
            | b'<'
            | b'>'
            | b'\\'
            | b'^'
            | b'`'
            | b'{'
            | b'|'
            | b'}'
            | b' '
            | 0..=31
            | 127.. => ESCAPED,
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
    if allowed & (PATH | QUERY | FRAGMENT) != 0 {
        while let Some(chunk) = text.get(at..).and_then(<[u8]>::first_chunk)
            && is_common(*chunk)
        {
            at += STRIDE;
        }
        // What is left is part of the last bytes, and the others were seen.
        if text.len() < at + STRIDE
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

/// How many bytes are looked at together.
#[cfg(target_feature = "simd128")]
const STRIDE: usize = 16;
#[cfg(not(target_feature = "simd128"))]
const STRIDE: usize = 8;

/// Whether all bytes are of the frequent ones in paths: `&` to `;`, `@` to `Z`, `a` to `z`.
#[cfg(target_feature = "simd128")]
#[inline]
fn is_common(chunk: [u8; STRIDE]) -> bool {
    use std::arch::wasm32::{u8x16_all_true, u8x16_le, u8x16_splat, u8x16_sub, u64x2, v128_or};

    let (Some(low), Some(high)) = (chunk.first_chunk(), chunk.last_chunk()) else {
        return false;
    };
    let bytes = u64x2(u64::from_le_bytes(*low), u64::from_le_bytes(*high));
    let within = |first: u8, last: u8| {
        let from = u8x16_sub(bytes, u8x16_splat(first));
        u8x16_le(from, u8x16_splat(last - first))
    };
    let common = v128_or(
        v128_or(within(b'&', b';'), within(b'@', b'Z')),
        within(b'a', b'z'),
    );
    u8x16_all_true(common)
}

/// Whether all bytes are of the frequent ones in paths: `&` to `;`, `@` to `Z`, `a` to `z`.
#[cfg(not(target_feature = "simd128"))]
#[inline]
fn is_common(chunk: [u8; STRIDE]) -> bool {
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

/// What stands in the user and the host of an `xsd:anyURI`, and what behind them.
const NAME: u8 = AUTHORITY | ESCAPED;
const REST: u8 = QUERY | ESCAPED;

/// What follows the bytes of a class.
fn over(text: &[u8], allowed: u8) -> &[u8] {
    text.get(run(text, allowed)..).unwrap_or_default()
}

/// Goes over what stands behind `//`.
fn after_authority(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes;
    // Everything up to an `@` is about the user.
    let user = bytes
        .iter()
        .position(|byte| *byte == b'@')
        .and_then(|at| bytes.split_at_checked(at));
    if let Some((user, [_, host @ ..])) = user
        && over(user, NAME).is_empty()
    {
        rest = host;
    }
    if let Some(inside) = rest.strip_prefix(b"[") {
        let end = inside.iter().position(|byte| *byte == b']')?;
        rest = inside.get(end + 1..).unwrap_or_default();
    } else {
        while let Some(&byte) = rest.first() {
            if matches!(byte, b':' | b'@') {
                break;
            }
            let after = match byte {
                b'%' => over(rest.get(..3).unwrap_or_default(), NAME)
                    .is_empty()
                    .then(|| rest.get(3..))
                    .flatten(),
                _ if class(byte) & NAME != 0 => rest.get(1..),
                _ => None,
            };
            let Some(after) = after else { break };
            rest = after;
        }
    }
    if let Some(port) = rest.strip_prefix(b":") {
        let digits = port.iter().take_while(|byte| byte.is_ascii_digit()).count();
        rest = port.get(digits..).unwrap_or_default();
        let number = port.get(..port.len() - rest.len()).unwrap_or_default();
        let number = number.iter().skip_while(|digit| **digit == b'0').count();
        if rest.len() == port.len() || number > 9 {
            return None;
        }
    }
    // A path that follows begins with a slash.
    matches!(rest.first(), None | Some(b'/' | b'?' | b'#')).then_some(rest)
}

/// Whether the text is an `xsd:anyURI`: a URI reference, in which whatever XLink would escape may stand as it is.
///
/// **Source**: XML Schema 1.0, part 2, 3.2.17, which is vague; RFC 3986, 4.1, as libxml2 reads it.
pub(crate) fn is_uri_reference(text: &str) -> bool {
    let bytes = text.as_bytes();
    if after_scheme(bytes).is_some_and(is_hierarchy) {
        return true;
    }
    // Without a scheme there is no colon in the first part of a path.
    let first = bytes
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?' | b'#'))
        .unwrap_or(bytes.len());
    let first = bytes.get(..first).unwrap_or_default();
    !first.contains(&b':') && is_hierarchy(bytes)
}

/// Whether the text goes on as a URI does behind its scheme.
fn is_hierarchy(bytes: &[u8]) -> bool {
    let path = match bytes {
        [b'/', b'/', rest @ ..] => match after_authority(rest) {
            Some(path) => path,
            None => return false,
        },
        _ => bytes,
    };
    let rest = over(path, REST);
    match rest {
        [] => true,
        [b'#', fragment @ ..] => {
            let mut rest = over(fragment, REST);
            while let [b'[' | b']', after @ ..] = rest {
                rest = over(after, REST);
            }
            rest.is_empty()
        }
        _ => false,
    }
}

/// Whether a text has the outer form of an IRI (RFC 3987, 2.2): a scheme, something behind it, and neither blanks nor quotes.
#[must_use]
pub fn has_form_of_iri(text: &str) -> bool {
    let is_foreign =
        |found: char| found.is_whitespace() || found.is_control() || "\"<>\\^`{|}".contains(found);
    after_scheme(text.as_bytes()).is_some_and(|rest| !rest.is_empty()) && !text.contains(is_foreign)
}
