//! Bytes that come in chunks to text: what a chunk cuts in two waits for the next one.

use super::{Form, HEAD, fault_at};
use crate::error::{Error, Location, XmlFault};

/// Decodes a document chunk by chunk.
#[derive(Debug, Default)]
pub(in crate::translate) struct Decoder {
    /// Known when enough of the document was seen.
    form: Option<Form>,
    /// What was not decoded yet: the head of the document, or the start of a character.
    rest: Vec<u8>,
    /// How many line feeds were decoded, and how many units since the last one.
    lines: usize,
    columns: usize,
}

impl Decoder {
    /// For a document of this form, behind its byte order mark, which counts as a unit of UTF-16.
    pub(super) fn of(form: Form) -> Self {
        Self {
            form: Some(form),
            columns: usize::from(matches!(form, Form::Utf16(_))),
            ..Self::default()
        }
    }

    /// Appends the text of a chunk, up to the fault where there is one; with the last one nothing may be left over.
    ///
    /// # Errors
    /// [`XmlFault::Encoding`], [`XmlFault::NotXml`] and [`XmlFault::NotInEncoding`], as for a whole document.
    pub(in crate::translate) fn decode(
        &mut self,
        bytes: &[u8],
        is_last: bool,
        text: &mut String,
    ) -> Result<(), Error> {
        let joined;
        let mut bytes = bytes;
        if !self.rest.is_empty() || self.form.is_none() {
            self.rest.extend_from_slice(bytes);
            if self.form.is_none() && !is_last && is_head_cut(&self.rest) {
                return Ok(());
            }
            joined = std::mem::take(&mut self.rest);
            bytes = &joined;
        }
        let form = match self.form {
            Some(form) => form,
            None => {
                let (form, mark) = Form::of(bytes)?;
                *self = Self::of(form);
                bytes = bytes.get(mark..).unwrap_or_default();
                form
            }
        };
        let used = match form {
            Form::Utf8 => self.utf8(bytes, is_last, text)?,
            Form::Utf16(unit) => self.utf16(bytes, is_last, unit, text)?,
            Form::OneByte(encoding, character) => {
                text.reserve(bytes.len());
                for (at, &byte) in bytes.iter().enumerate() {
                    match character(byte) {
                        Some(character) => text.push(character),
                        None => return Err(self.fault(encoding, bytes, at, 1)),
                    }
                }
                self.count(bytes, 1);
                bytes.len()
            }
        };
        self.rest
            .extend_from_slice(bytes.get(used..).unwrap_or_default());
        Ok(())
    }

    fn utf8(&mut self, bytes: &[u8], is_last: bool, text: &mut String) -> Result<usize, Error> {
        let valid = match std::str::from_utf8(bytes) {
            Ok(valid) => valid,
            Err(error) => {
                let at = error.valid_up_to();
                // Cannot fail: this much was found valid.
                let valid =
                    std::str::from_utf8(bytes.get(..at).unwrap_or_default()).unwrap_or_default();
                if error.error_len().is_some() || is_last {
                    // What stands before the fault is text all the same.
                    text.push_str(valid);
                    return Err(self.fault("UTF-8", bytes, at, 1));
                }
                valid
            }
        };
        text.push_str(valid);
        self.count(valid.as_bytes(), 1);
        Ok(valid.len())
    }

    fn utf16(
        &mut self,
        bytes: &[u8],
        is_last: bool,
        unit: fn([u8; 2]) -> u16,
        text: &mut String,
    ) -> Result<usize, Error> {
        let (mut pairs, odd) = bytes.as_chunks::<2>();
        if !is_last
            && let Some((last, before)) = pairs.split_last()
            && (0xd800..0xdc00).contains(&unit(*last))
        {
            // The other half is still to come.
            pairs = before;
        }
        let length = pairs.len() * 2;
        let mut used = 0;
        for character in char::decode_utf16(pairs.iter().map(|&pair| unit(pair))) {
            match character {
                Ok(character) => {
                    text.push(character);
                    used += character.len_utf16() * 2;
                }
                Err(_) => return Err(self.fault("UTF-16", bytes, used, 2)),
            }
        }
        if is_last && !odd.is_empty() {
            return Err(self.fault("UTF-16", bytes, bytes.len(), 2));
        }
        self.count(bytes.get(..length).unwrap_or_default(), 2);
        Ok(length)
    }

    fn count(&mut self, bytes: &[u8], width: usize) {
        let line_feed = |unit: &&[u8]| unit.contains(&b'\n');
        let lines = bytes.chunks(width).filter(line_feed).count();
        let after = bytes
            .rchunks(width)
            .take_while(|unit| !line_feed(unit))
            .count();
        self.columns = if lines == 0 {
            self.columns + after
        } else {
            after
        };
        self.lines += lines;
    }

    /// A fault so many bytes into a chunk, with its place in the document.
    fn fault(&self, encoding: &'static str, bytes: &[u8], offset: usize, width: usize) -> Error {
        let error = fault_at(XmlFault::NotInEncoding { encoding }, bytes, offset, width);
        let Some(Location { path, line, column }) = error.location().cloned() else {
            return error;
        };
        let column = if line == 1 {
            self.columns + column
        } else {
            column
        };
        let line = self.lines + line;
        error.moved_to(Location { path, line, column })
    }
}

/// Whether more of a document is needed to know how it is read.
fn is_head_cut(head: &[u8]) -> bool {
    const DECLARATION: &[u8] = b"<?xml";
    head.len() < DECLARATION.len()
        || (head.len() < HEAD
            && head.starts_with(DECLARATION)
            && !head.windows(2).any(|pair| pair == b"?>"))
}
