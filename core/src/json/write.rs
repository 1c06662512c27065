//! Writing JSON: what the core puts together itself.

use crate::error::{Error, ErrorKind};
use serde::Serialize;
use std::fmt::Write as _;
use std::io;

/// Appends a text as a JSON string (RFC 8259, section 7).
pub(crate) fn push_string(out: &mut String, text: &str) {
    out.push('"');
    push_escaped(out, text);
    out.push('"');
}

/// Appends a text as it stands between the quotes of a JSON string.
pub(crate) fn push_escaped(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(is_escaped) {
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
}

/// How many bytes [`push_escaped`] appends.
pub(crate) fn escaped_length(text: &str) -> usize {
    let longer = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' => 1,
        _ if is_escaped(byte) => 5,
        _ => 0,
    };
    text.len() + text.bytes().map(longer).sum::<usize>()
}

fn is_escaped(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
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

/// A value as JSON text, in no more memory than the text takes: it is written twice, first to learn its length.
///
/// # Errors
/// [`ErrorKind::Internal`] where it cannot be written.
pub(crate) fn to_text(value: &(impl Serialize + ?Sized)) -> Result<String, Error> {
    let internal = |error: serde_json::Error| {
        let detail = error.to_string();
        Error::new(ErrorKind::Internal { detail })
    };
    let mut length = 0;
    serde_json::to_writer(Parts(|part: &str| length += part.len()), value).map_err(internal)?;
    let mut text = String::with_capacity(length);
    serde_json::to_writer(Parts(|part: &str| text.push_str(part)), value).map_err(internal)?;
    Ok(text)
}

/// Takes JSON text part by part, as it is written.
pub(crate) struct Parts<F>(pub(crate) F);

impl<F: FnMut(&str)> io::Write for Parts<F> {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(part).map_err(io::Error::other)?;
        (self.0)(text);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
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
            assert_eq!(out.len(), escaped_length(text) + 3);
        }
    }
}
