//! Writing JSON that the core builds itself.

use crate::error::Error;
use crate::grow::{push_text, push_with_escapes};
use crate::slice::Known;
use serde::Serialize;
use std::io;

/// Appends a text as a JSON string (RFC 8259, section 7).
pub fn push_string(out: &mut String, text: &str) {
    push_text(out, "\"");
    push_escaped(out, text);
    push_text(out, "\"");
}

/// Appends a text as the content of a JSON string, without the quotes.
pub fn push_escaped(out: &mut String, text: &str) {
    if has_escapes(text) {
        push_with_escapes(out, text, is_escaped, escape);
    } else {
        push_text(out, text);
    }
}

/// How many bytes [`push_escaped`] appends.
pub fn escaped_length(text: &str) -> usize {
    let special = text.bytes().filter(|byte| is_escaped(*byte));
    let more = special.map(|byte| escape(char::from(byte)).len() - 1);
    text.len() + more.sum::<usize>()
}

/// Whether the JSON string of a text differs from the text.
pub fn has_escapes(text: &str) -> bool {
    // Most strings need no escapes. Without an early exit the compiler makes vector code of this.
    let bytes = text.bytes();
    bytes.fold(false, |found, byte| found | is_escaped(byte))
}

fn is_escaped(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// The escape of a character that a string must not contain.
fn escape(character: char) -> &'static str {
    const CONTROLS: [&str; 32] = [
        "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007",
        "\\u0008", "\\t", "\\n", "\\u000b", "\\u000c", "\\r", "\\u000e", "\\u000f", "\\u0010",
        "\\u0011", "\\u0012", "\\u0013", "\\u0014", "\\u0015", "\\u0016", "\\u0017", "\\u0018",
        "\\u0019", "\\u001a", "\\u001b", "\\u001c", "\\u001d", "\\u001e", "\\u001f",
    ];
    match character {
        '"' => "\\\"",
        '\\' => "\\\\",
        control => CONTROLS.get(control as usize).copied().known(),
    }
}

/// Appends one step to a JSON Pointer, `~` and `/` escaped (RFC 6901, section 3).
pub fn push_step(pointer: &mut String, step: &str) {
    pointer.push('/');
    for character in step.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// Serialises a value without excess memory: it is written twice, first to learn its length.
///
/// # Errors
/// [`ErrorKind::Internal`](crate::error::ErrorKind::Internal) if the value cannot be serialised.
pub fn to_text(value: &(impl Serialize + ?Sized)) -> Result<String, Error> {
    let mut length = 0;
    serde_json::to_writer(PartWriter(|part: &str| length += part.len()), value)
        .map_err(Error::impossible)?;
    let mut text = String::with_capacity(length);
    serde_json::to_writer(PartWriter(|part: &str| text.push_str(part)), value)
        .map_err(Error::impossible)?;
    Ok(text)
}

/// A writer that passes on each part of the JSON text as it is written.
pub struct PartWriter<F>(pub F);

impl<F: FnMut(&str)> io::Write for PartWriter<F> {
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
        for text in ["", "plain é", "\"\\/", "\n\r\t", "a\u{1}b\u{1f}\u{7f}", "\\\"end\""] {
            let mut out = String::from("x");
            push_string(&mut out, text);
            let read: String = serde_json::from_str(out.strip_prefix('x').unwrap()).unwrap();
            assert_eq!(read, text);
            assert_eq!(out.len(), escaped_length(text) + 3);
        }
    }
}
