//! URIs by RFC 3986, section 3, for the format `uri` of the JSON schema, and URI references for `xsd:anyURI`.

use std::net::Ipv6Addr;

/// Whether a text is a URI with a scheme by RFC 3986.
#[must_use]
pub fn is_uri(text: &[u8]) -> bool {
    let Some(rest) = after_scheme(text) else {
        return false;
    };
    let path = match rest.strip_prefix(b"//") {
        Some(rest) => {
            // The usual case: the authority is only a host name.
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
            // If the byte that ended the run is not `/`, `?` or `#`, no path may have it either, so the rest fails below.
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

/// The text after the scheme and its colon, `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ) ":"`.
fn after_scheme(text: &[u8]) -> Option<&[u8]> {
    let end = text.iter().position(|&byte| class(byte) & SCHEME == 0)?;
    let starts_well = text.first().is_some_and(u8::is_ascii_alphabetic);
    let rest = text.get(end..)?.strip_prefix(b":")?;
    starts_well.then_some(rest)
}

/// Whether a text is `[ userinfo "@" ] host [ ":" port ]`, given that all its bytes are allowed in an authority.
fn is_authority(authority: &[u8]) -> bool {
    let mut parts = authority.splitn(2, |&byte| byte == b'@');
    let (first, second) = (parts.next().unwrap_or_default(), parts.next());
    let host_and_port = second.unwrap_or(first);
    let mut parts = host_and_port.splitn(2, |&byte| byte == b':');
    let host = parts.next().unwrap_or_default();
    let port = parts.next().unwrap_or_default();
    !host.contains(&b'@') && port.iter().all(u8::is_ascii_digit)
}

/// The text after an authority whose host is a literal in brackets. `user` is the text before the opening bracket, `literal` the
/// text after it.
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
    // Only a path, a query or a fragment may follow.
    let is_end = matches!(path.first(), None | Some(b'/' | b'?' | b'#'));
    (is_user && is_end && is_literal_host(host)).then_some(path)
}

/// Whether a host is an address of IP version 6, or of a later version.
fn is_literal_host(host: &[u8]) -> bool {
    let Some(later) = host.strip_prefix(b"v").or(host.strip_prefix(b"V")) else {
        let host = std::str::from_utf8(host).unwrap_or_default();
        return host.parse::<Ipv6Addr>().is_ok();
    };
    let mut parts = later.splitn(2, |&byte| byte == b'.');
    let (version, address) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let is_part = |byte: &u8| class(*byte) & AUTHORITY != 0 && *byte != b'@';
    !version.is_empty()
        && version.iter().all(u8::is_ascii_hexdigit)
        && !address.is_empty()
        && address.iter().all(is_part)
}

fn is_path_query_fragment(text: &[u8]) -> bool {
    let mut rest = text;
    // A `?` ends the path and begins the query, which may contain more of them; a `#` begins the fragment.
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
/// In a fragment: the same bytes as in a query.
const FRAGMENT: u8 = 16;
/// In the name of a host, the only part of a simple authority.
const HOST: u8 = 32;
/// In no part of a URI without being escaped, but in an `xsd:anyURI` as it is.
const ESCAPED: u8 = 64;

/// The parts of a URI in which each byte is allowed.
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

fn class(byte: u8) -> u8 {
    CLASSES.get(usize::from(byte)).copied().unwrap_or_default()
}

/// The length of the run of bytes of a class at the start of a text, including valid percent-encodings.
fn run(text: &[u8], allowed: u8) -> usize {
    let mut at = 0;
    if allowed & (PATH | QUERY | FRAGMENT) != 0 {
        while let Some(chunk) = text.get(at..).and_then(<[u8]>::first_chunk)
            && is_common(*chunk)
        {
            at += STRIDE;
        }
        // The last chunk contains all bytes that are left; the others in it were checked before.
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

/// How many bytes are checked at once.
#[cfg(target_feature = "simd128")]
const STRIDE: usize = 16;
#[cfg(not(target_feature = "simd128"))]
const STRIDE: usize = 8;

/// Whether all bytes are among those frequent in paths: `&` to `;`, `@` to `Z`, `a` to `z`.
#[cfg(target_feature = "simd128")]
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
    let common = v128_or(v128_or(within(b'&', b';'), within(b'@', b'Z')), within(b'a', b'z'));
    u8x16_all_true(common)
}

/// Whether all bytes are among those frequent in paths: `&` to `;`, `@` to `Z`, `a` to `z`.
#[cfg(not(target_feature = "simd128"))]
fn is_common(chunk: [u8; STRIDE]) -> bool {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES << 7;
    let bytes = u64::from_le_bytes(chunk);
    // With ASCII bytes no sum overflows into the next byte. The high bit of a byte of `from` is set if the byte is `first` or
    // above, that of `behind` if it is above `last`.
    let within = |first: u8, last: u8| {
        let from = bytes.wrapping_add(ONES * u64::from(0x80 - first));
        let behind = bytes.wrapping_add(ONES * u64::from(0x7f - last));
        from & !behind
    };
    let common = within(b'&', b';') | within(b'@', b'Z') | within(b'a', b'z');
    bytes & HIGHS == 0 && common & HIGHS == HIGHS
}

/// The bytes allowed in the user and the host of an `xsd:anyURI`; `REST` are those allowed after them.
const NAME: u8 = AUTHORITY | ESCAPED;
const REST: u8 = QUERY | ESCAPED;

/// The text after a run of bytes of a class.
fn over(text: &[u8], allowed: u8) -> &[u8] {
    text.get(run(text, allowed)..).unwrap_or_default()
}

/// The text after the authority of an `xsd:anyURI`, given the text after `//`; `None` if the authority is invalid.
fn after_authority(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes;
    // The text before an `@` is the user.
    let user =
        bytes.iter().position(|byte| *byte == b'@').and_then(|at| bytes.split_at_checked(at));
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
    // A path after an authority begins with a slash.
    matches!(rest.first(), None | Some(b'/' | b'?' | b'#')).then_some(rest)
}

/// Whether the text is an `xsd:anyURI`: a URI reference that may also contain the characters that XLink would escape.
///
/// **Source**: XML Schema 1.0, part 2, 3.2.17, which is vague; RFC 3986, 4.1, as libxml2 reads it.
pub(crate) fn is_uri_reference(text: &str) -> bool {
    let bytes = text.as_bytes();
    if after_scheme(bytes).is_some_and(is_hierarchy) {
        return true;
    }
    // Without a scheme, the first segment of the path must not contain a colon.
    let first =
        bytes.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(bytes.len());
    let first = bytes.get(..first).unwrap_or_default();
    !first.contains(&b':') && is_hierarchy(bytes)
}

/// Whether the text may follow the scheme of an `xsd:anyURI`.
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

/// Whether a text has the outer form of an IRI (RFC 3987, 2.2): a scheme, something after it, and no whitespace, control
/// characters, or `"`, `<`, `>`, `\`, `^`, `{`, `|`, `}` or backtick.
#[must_use]
pub fn has_form_of_iri(text: &str) -> bool {
    let is_foreign =
        |found: char| found.is_whitespace() || found.is_control() || "\"<>\\^`{|}".contains(found);
    after_scheme(text.as_bytes()).is_some_and(|rest| !rest.is_empty()) && !text.contains(is_foreign)
}
