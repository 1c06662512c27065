//! Decodes bytes to text, in the encodings of XML 1.0 that EPCIS documents use.
//!
//! A byte order mark wins over the declaration, as in XML 1.0 (4.3.3, appendix F).

use super::limits::MAX_LENGTH;
use epcis_edge_text::error::{Error, ErrorKind, Location, XmlFault};
use epcis_edge_text::slice::Part;
use std::borrow::Cow;

/// The characters of windows-1252 from 0x80 to 0x9f; zero for an unassigned byte.
const WINDOWS_1252: [u16; 32] = [
    0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc,
    0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178,
];

/// Returns the document as text, without its byte order mark.
///
/// UTF-8 is borrowed; any other encoding costs a copy.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
    check_length(bytes)?;
    let (form, mark) = Form::of(bytes)?;
    let rest = bytes.part(mark..);
    let is_utf8 = match form {
        Form::Utf8 => true,
        Form::Utf16(_) => false,
        Form::OneByte(..) => rest.is_ascii(),
    };
    if is_utf8 && let Ok(text) = std::str::from_utf8(rest) {
        return Ok(Cow::Borrowed(text));
    }
    let mut text = String::with_capacity(rest.len() + rest.len() / 8);
    Decoder::of(form).decode(rest, true, &mut text)?;
    Ok(Cow::Owned(text))
}

fn check_length(bytes: &[u8]) -> Result<(), Error> {
    match bytes.len() {
        ..=MAX_LENGTH => Ok(()),
        _ => Err(fault_at(XmlFault::TooLong(MAX_LENGTH), bytes, 0, 1)),
    }
}

/// Returns a document that is text already, without its byte order mark, if it is not too long.
pub(super) fn checked(text: &str) -> Result<Cow<'_, str>, Error> {
    check_length(text.as_bytes())?;
    Ok(Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)))
}

/// The encoding family of a document.
#[derive(Clone, Copy, Debug)]
enum Form {
    Utf8,
    /// UTF-16, with the function that makes a code unit from two bytes.
    Utf16(fn([u8; 2]) -> u16),
    /// One byte per character: the name of the encoding, and its characters.
    OneByte(&'static str, fn(u8) -> Option<char>),
}

impl Form {
    /// Returns the form that the start of a document shows, and the length of its byte order mark.
    fn of(bytes: &[u8]) -> Result<(Self, usize), Error> {
        match bytes {
            [0xef, 0xbb, 0xbf, ..] => Ok((Self::Utf8, 3)),
            [0xff, 0xfe, ..] => Ok((Self::Utf16(u16::from_le_bytes), 2)),
            [0xfe, 0xff, ..] => Ok((Self::Utf16(u16::from_be_bytes), 2)),
            // XML itself forbids UTF-16 without a mark; zeros here are not text.
            [0, _, ..] | [_, 0, ..] => Err(fault_at(XmlFault::NotXml, bytes, 0, 1)),
            _ => Ok((Self::declared(bytes)?, 0)),
        }
    }

    fn declared(bytes: &[u8]) -> Result<Self, Error> {
        let Some(name) = declared_encoding(bytes) else {
            return Ok(Self::Utf8);
        };
        match name.to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" => Ok(Self::Utf8),
            "us-ascii" | "ascii" | "ansi_x3.4-1968" | "iso646-us" => {
                Ok(Self::OneByte("US-ASCII", |byte| byte.is_ascii().then_some(byte.into())))
            }
            "iso-8859-1" | "iso_8859-1" | "latin1" | "latin-1" | "l1" => {
                Ok(Self::OneByte("ISO-8859-1", |byte| Some(byte.into())))
            }
            "windows-1252" | "cp1252" => Ok(Self::OneByte("windows-1252", windows_1252)),
            _ => Err(fault_at(XmlFault::Encoding(name.into_owned()), bytes, 0, 1)),
        }
    }
}

fn windows_1252(byte: u8) -> Option<char> {
    match byte {
        0x80..=0x9f => WINDOWS_1252
            .get(usize::from(byte) - 0x80)
            .filter(|&&unit| unit != 0)
            .and_then(|&unit| char::from_u32(unit.into())),
        _ => Some(byte.into()),
    }
}

/// The length of the start of a document that is searched for the XML declaration, in bytes.
const HEAD: usize = 512;

/// Returns the encoding named in the XML declaration; the declaration itself is ASCII in every encoding accepted here.
fn declared_encoding(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let head = bytes.get(..bytes.len().min(HEAD))?;
    let inside = head.strip_prefix(b"<?xml")?;
    let end = inside.windows(2).position(|pair| pair == b"?>")?;
    let declaration = inside.get(..end)?;
    let at = declaration.windows(8).position(|window| window == b"encoding")?;
    let value = declaration.get(at + 8..)?.trim_ascii_start();
    let value = value.strip_prefix(b"=")?.trim_ascii_start();
    let (&quote, value) = value.split_first()?;
    let length = value.iter().position(|&byte| byte == quote)?;
    Some(String::from_utf8_lossy(value.get(..length)?))
}

/// Decodes a document chunk by chunk.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// The form, once enough of the document was seen.
    form: Option<Form>,
    /// The bytes not decoded yet: the head of the document, or the start of a character.
    rest: Vec<u8>,
    /// The number of line feeds decoded, and of units since the last one.
    lines: usize,
    columns: usize,
}

impl Decoder {
    /// Returns a decoder for the bytes after the byte order mark.
    fn of(form: Form) -> Self {
        Self { form: Some(form), ..Self::default() }
    }

    /// Appends the text of a chunk, up to a fault if there is one. After the last chunk an incomplete character is a fault.
    ///
    /// # Errors
    /// [`XmlFault::Encoding`], [`XmlFault::NotXml`] and [`XmlFault::NotInEncoding`], as for a whole document.
    pub(super) fn decode(
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
                bytes = bytes.part(mark..);
                form
            }
        };
        let mut used = bytes.len();
        let mut fault = None;
        let width = match form {
            Form::Utf8 => {
                if let Err(error) = std::str::from_utf8(bytes) {
                    used = error.valid_up_to();
                    fault = (error.error_len().is_some() || is_last).then_some("UTF-8");
                }
                // Valid text before a fault is still appended.
                let valid = bytes.utf8_chunks().next();
                text.push_str(valid.map_or("", |chunk| chunk.valid()));
                1
            }
            Form::Utf16(unit) => {
                let (pairs, odd) = bytes.as_chunks::<2>();
                used = 0;
                for character in char::decode_utf16(pairs.iter().map(|&pair| unit(pair))) {
                    let Ok(character) = character else {
                        // The other half may still be to come.
                        let is_cut = !is_last && used + 2 == pairs.len() * 2;
                        fault = (!is_cut).then_some("UTF-16");
                        break;
                    };
                    text.push(character);
                    used += character.len_utf16() * 2;
                }
                if is_last && !odd.is_empty() && fault.is_none() {
                    fault = Some("UTF-16");
                    used = bytes.len();
                }
                2
            }
            Form::OneByte(encoding, character) => {
                text.reserve(bytes.len());
                let characters = bytes.iter().map(|byte| character(*byte));
                used = characters
                    .map_while(|character| character.map(|character| text.push(character)))
                    .count();
                fault = (used < bytes.len()).then_some(encoding);
                1
            }
        };
        if let Some(encoding) = fault {
            return Err(self.fault(encoding, bytes, used, width));
        }
        self.count(bytes.part(..used), width);
        self.rest.extend_from_slice(bytes.part(used..));
        Ok(())
    }

    fn count(&mut self, bytes: &[u8], width: usize) {
        let line_feed = |unit: &&[u8]| unit.contains(&b'\n');
        let lines = bytes.chunks(width).filter(line_feed).count();
        let after = bytes.rchunks(width).take_while(|unit| !line_feed(unit)).count();
        self.columns = if lines == 0 { self.columns + after } else { after };
        self.lines += lines;
    }

    /// Returns a fault at `offset` bytes into a chunk, with its place in the document.
    fn fault(&self, encoding: &'static str, bytes: &[u8], offset: usize, width: usize) -> Error {
        let error = fault_at(XmlFault::NotInEncoding(encoding), bytes, offset, width);
        let Some(Location { path, line, column }) = error.location().cloned() else {
            return error;
        };
        let column = if line == 1 { self.columns + column } else { column };
        let line = self.lines + line;
        error.moved_to(Location { path, line, column })
    }
}

/// Whether the form of the document is still unknown because its XML declaration is not complete.
fn is_head_cut(head: &[u8]) -> bool {
    const DECLARATION: &[u8] = b"<?xml";
    head.len() < DECLARATION.len()
        || (head.len() < HEAD
            && head.starts_with(DECLARATION)
            && !head.windows(2).any(|pair| pair == b"?>"))
}

/// Returns a fault found before there is any text: line and column count units of the encoding, `width` bytes each.
fn fault_at(fault: XmlFault, bytes: &[u8], offset: usize, width: usize) -> Error {
    let before = bytes.part(..offset);
    let line_feed = |unit: &&[u8]| unit.contains(&b'\n');
    let units = before.chunks(width);
    let line = units.clone().filter(line_feed).count() + 1;
    let column = units.rev().take_while(|unit| !line_feed(unit)).count() + 1;
    let path = String::new();
    Error::at(ErrorKind::Xml(fault), Location { path, line, column })
}
