//! `xsd:anyURI`: a URI reference, in which whatever XLink would escape may stand as it is.
//!
//! **Source**: XML Schema 1.0, part 2, 3.2.17, which is vague; RFC 3986, 4.1, as libxml2 reads it.

/// What a byte may be in a URI: bits.
const PART: u8 = 1;
const SCHEME: u8 = 2;
const DIGIT: u8 = 4;
/// What is part of a path or query and of nothing else.
const SLASH: u8 = 8;

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated when the program is built: an index out of bounds does not compile"
)]
const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let character = byte as u8;
        class[byte] = match character {
            b'0'..=b'9' => PART | SCHEME | DIGIT,
            b'A'..=b'Z' | b'a'..=b'z' | b'+' | b'-' | b'.' => PART | SCHEME,
            b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b',' | b';' | b'='
            | b':' | b'@' => PART,
            b'/' | b'?' => SLASH,
            // These are escaped by whoever wants a URI.
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
            | 127.. => PART,
            _ => 0,
        };
        byte += 1;
    }
    class
};

fn class(byte: u8) -> u8 {
    CLASS.get(usize::from(byte)).copied().unwrap_or_default()
}

/// Goes over bytes of a class, and escapes where `PART` is in it.
fn over(bytes: &[u8], wanted: u8) -> &[u8] {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if class(byte) & wanted != 0 {
            at += 1;
        } else if byte == b'%'
            && wanted & PART != 0
            && bytes
                .get(at + 1..at + 3)
                .is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
        {
            at += 3;
        } else {
            break;
        }
    }
    bytes.get(at..).unwrap_or_default()
}

/// Goes over what stands behind `//`.
fn authority(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes;
    // Everything up to an `@` is about the user.
    let user = bytes
        .iter()
        .position(|byte| *byte == b'@')
        .and_then(|at| bytes.split_at_checked(at));
    if let Some((user, [_, host @ ..])) = user
        && over(user, PART).is_empty()
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
                b'%' => over(rest.get(..3).unwrap_or_default(), PART)
                    .is_empty()
                    .then(|| rest.get(3..))
                    .flatten(),
                _ if class(byte) & PART != 0 => rest.get(1..),
                _ => None,
            };
            let Some(after) = after else { break };
            rest = after;
        }
    }
    if let Some(port) = rest.strip_prefix(b":") {
        rest = over(port, DIGIT);
        let number = port.get(..port.len() - rest.len()).unwrap_or_default();
        let number = number.iter().skip_while(|digit| **digit == b'0').count();
        if rest.len() == port.len() || number > 9 {
            return None;
        }
    }
    // A path that follows begins with a slash.
    matches!(rest.first(), None | Some(b'/' | b'?' | b'#')).then_some(rest)
}

/// Whether there are only letters, digits and `-`, `.`, `/`, `:`, `_`; no early exit, so that it becomes vector code.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |plain, &byte| {
        plain & (byte.is_ascii_alphabetic() | matches!(byte, b'-'..=b':' | b'_'))
    })
}

/// Whether the text is a URI reference.
pub(super) fn is_uri_reference(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Nearly all are names of plain characters.
    if let [b'u', b'r', b'n', b':', rest @ ..] = bytes
        && !rest.starts_with(b"//")
        && is_plain(rest)
    {
        return true;
    }
    let scheme = bytes
        .iter()
        .take_while(|byte| class(**byte) & SCHEME != 0)
        .count();
    let has_scheme =
        bytes.get(scheme) == Some(&b':') && bytes.first().is_some_and(u8::is_ascii_alphabetic);
    if has_scheme && is_hierarchy(bytes.get(scheme + 1..).unwrap_or_default()) {
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
        [b'/', b'/', rest @ ..] => match authority(rest) {
            Some(path) => path,
            None => return false,
        },
        _ => bytes,
    };
    let rest = over(path, PART | SLASH);
    match rest {
        [] => true,
        [b'#', fragment @ ..] => {
            let mut rest = over(fragment, PART | SLASH);
            while let [b'[' | b']', after @ ..] = rest {
                rest = over(after, PART | SLASH);
            }
            rest.is_empty()
        }
        _ => false,
    }
}
