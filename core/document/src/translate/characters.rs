//! Characters, names and white space as XML 1.0 and Namespaces in XML define them.

use epcis_edge_schema::xml::is_plain_name;
use epcis_edge_text::slice::Part;
use std::borrow::Cow;

/// The result of one scan over a text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scan {
    /// The byte offset of the first character that XML 1.0 (2.2) forbids.
    pub(super) forbidden: Option<usize>,
    /// Whether the text has a carriage return.
    pub(super) has_return: bool,
    /// Whether the text has a closing bracket; without one it has no `]]>`.
    pub(super) has_bracket: bool,
}

/// Scans a text.
pub(crate) fn scan(text: &str) -> Scan {
    let mut scan = Scan::default();
    for (number, block) in text.as_bytes().chunks(256).enumerate() {
        // No early exit inside a block, so that the compiler vectorises the loop.
        let (mut forbidden, mut marker) = (false, false);
        for &byte in block {
            forbidden |= byte < 0x20 && byte != b'\n' && byte != b'\t' && byte != b'\r';
            marker |= byte == 0xef;
            scan.has_return |= byte == b'\r';
            scan.has_bracket |= byte == b']';
        }
        if forbidden || marker {
            let start = number * 256;
            // U+FFFE and U+FFFF begin with 0xef and may reach into the next block.
            let reach = text.as_bytes().part(start..);
            let found = (0..block.len()).find(|&at| match reach.get(at..) {
                Some([0xef, 0xbf, 0xbe | 0xbf, ..]) => true,
                Some([byte, ..]) => *byte < 0x20 && !matches!(byte, b'\n' | b'\t' | b'\r'),
                _ => false,
            });
            if let Some(found) = found {
                scan.forbidden = Some(start + found);
                return scan;
            }
        }
    }
    scan
}

/// Whether XML 1.0 (2.2) allows this character.
pub(super) fn is_character(character: char) -> bool {
    !matches!(character, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// Whether XML counts this byte as white space: fewer characters than Unicode does.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// Returns the text without XML white space at its ends. Other white space, such as U+0085 and U+2028, is data to XML.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\n', '\t', '\r'])
}

/// Whether the text is empty or only white space.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(is_space)
}

/// Whether this is a name without a colon (Namespaces in XML, NCName).
pub(super) fn is_ncname(name: &str) -> bool {
    let bytes = name.as_bytes();
    match bytes.first() {
        Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => {}
        Some(byte) if !byte.is_ascii() => return is_plain_name(name),
        _ => return false,
    }
    let plain = |byte: &u8| PLAIN.get(usize::from(*byte)).copied().unwrap_or(false);
    bytes.iter().all(plain) || (!name.is_ascii() && is_plain_name(name))
}

/// The ASCII characters of names.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated when the program is built: an index out of bounds does not compile"
)]
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let character = byte as u8;
        plain[byte] = character.is_ascii_alphanumeric() || matches!(character, b'_' | b'-' | b'.');
        byte += 1;
    }
    plain
};

/// Returns the text with its ends trimmed and each inner run of white space replaced by one space (XML Schema, `collapse`).
pub(super) fn collapse(text: &str) -> Cow<'_, str> {
    // Most values have no white space at all; no early exit, so that the compiler vectorises the loop.
    if !text.bytes().fold(false, |found, byte| found | (byte <= b' ')) {
        return Cow::Borrowed(text);
    }
    let trimmed = trimmed(text);
    let mut before = b'x';
    let clean = trimmed.bytes().all(|byte| {
        let fine = !is_space(byte) || (byte == b' ' && before != b' ');
        before = byte;
        fine
    });
    if clean {
        return Cow::Borrowed(trimmed);
    }
    let mut collapsed = String::with_capacity(trimmed.len());
    for word in trimmed.split([' ', '\n', '\t', '\r']).filter(|word| !word.is_empty()) {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    Cow::Owned(collapsed)
}

/// Returns the text between two tags with its line ends normalised (XML 1.0, 2.11).
pub(super) fn line_ends(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') {
        return Cow::Borrowed(text);
    }
    // Allocates the exact length: a text may be most of a document, and growing the string would take twice the memory.
    let pairs = text.matches("\r\n").count();
    let mut lines = String::with_capacity(text.len() - pairs);
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\r') {
        lines.push_str(line);
        lines.push('\n');
        rest = after.strip_prefix('\n').unwrap_or(after);
    }
    lines.push_str(rest);
    Cow::Owned(lines)
}

/// Returns the character of a reference, which is given without its `&` and `;`.
pub(super) fn reference(name: &str) -> Option<char> {
    let number = match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => name.strip_prefix('#')?,
    };
    let (digits, radix) = match number.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    // `from_str_radix` would accept a sign.
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let code = u32::from_str_radix(digits, radix).ok()?;
    char::from_u32(code).filter(|&character| is_character(character))
}
