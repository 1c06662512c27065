//! Writing JSON: what the core puts together itself.

use std::fmt::Write as _;

/// Appends a text as a JSON string (RFC 8259, section 7).
pub(crate) fn push_string(out: &mut String, text: &str) {
    let is_plain = |byte: u8| byte >= 0x20 && byte != b'"' && byte != b'\\';
    if text.bytes().all(is_plain) {
        out.reserve(text.len() + 2);
        out.push('"');
        out.push_str(text);
        out.push('"');
        return;
    }
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| !is_plain(byte)) {
        let (plain, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(plain);
        let mut characters = from.chars();
        match characters.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            other => {
                let _ = write!(out, "\\u{:04x}", u32::from(other.unwrap_or_default()));
            }
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// Appends one step to a JSON Pointer, `~` and `/` escaped (RFC 6901, section 3).
pub(crate) fn push_step(pointer: &mut String, step: &str) {
    pointer.push('/');
    for character in step.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_is_written_as_every_json_writer_writes_it() {
        for text in [
            "",
            "plain é",
            "\"\\/",
            "\n\r\t",
            "a\u{1}b\u{1f}\u{7f}",
            "\\\"end\"",
        ] {
            let mut out = String::from("x");
            push_string(&mut out, text);
            let read: String = serde_json::from_str(out.strip_prefix('x').unwrap()).unwrap();
            assert_eq!(read, text);
        }
    }
}
