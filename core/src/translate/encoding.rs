//! From bytes to text: the encodings of XML 1.0 that EPCIS documents come in.
//!
//! A byte order mark wins over the declaration, as XML 1.0 (4.3.3, appendix F) wants it.

mod decoder;

pub(super) use decoder::Decoder;

use super::limits::MAX_LENGTH;
use crate::error::{Error, ErrorKind, Location, XmlFault};
use std::borrow::Cow;

/// The characters of windows-1252 from 0x80 to 0x9f; zero where it has none.
const WINDOWS_1252: [u16; 32] = [
    0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc,
    0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178,
];

/// The document as text, without its byte order mark.
///
/// UTF-8 is borrowed; any other encoding costs a copy.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
    if bytes.len() > MAX_LENGTH {
        return Err(fault_at(
            XmlFault::TooLong { limit: MAX_LENGTH },
            bytes,
            0,
            1,
        ));
    }
    let (form, mark) = Form::of(bytes)?;
    let rest = bytes.get(mark..).unwrap_or_default();
    match form {
        Form::Utf8 => utf8(rest),
        Form::OneByte(..) if rest.is_ascii() => utf8(rest),
        _ => {
            let mut text = String::with_capacity(rest.len() + rest.len() / 8);
            Decoder::of(form).decode(rest, true, &mut text)?;
            Ok(Cow::Owned(text))
        }
    }
}

/// A document that is text already, without its byte order mark.
pub(super) fn checked(text: &str) -> Result<Cow<'_, str>, Error> {
    if text.len() > MAX_LENGTH {
        let fault = XmlFault::TooLong { limit: MAX_LENGTH };
        return Err(fault_at(fault, text.as_bytes(), 0, 1));
    }
    Ok(Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)))
}

/// How the bytes of a document are read.
#[derive(Clone, Copy, Debug)]
enum Form {
    Utf8,
    /// With what makes a unit of two bytes.
    Utf16(fn([u8; 2]) -> u16),
    /// One byte a character: the name of the encoding, and its characters.
    OneByte(&'static str, fn(u8) -> Option<char>),
}

impl Form {
    /// The form that the start of a document tells, and how long its byte order mark is.
    fn of(bytes: &[u8]) -> Result<(Self, usize), Error> {
        match bytes {
            [0xef, 0xbb, 0xbf, ..] => Ok((Self::Utf8, 3)),
            [0xff, 0xfe, ..] => Ok((Self::Utf16(u16::from_le_bytes), 2)),
            [0xfe, 0xff, ..] => Ok((Self::Utf16(u16::from_be_bytes), 2)),
            // UTF-16 without a mark is refused by XML itself; zeros here are no text.
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
                Ok(Self::OneByte("US-ASCII", |byte| {
                    byte.is_ascii().then_some(byte.into())
                }))
            }
            "iso-8859-1" | "iso_8859-1" | "latin1" | "latin-1" | "l1" => {
                Ok(Self::OneByte("ISO-8859-1", |byte| Some(byte.into())))
            }
            "windows-1252" | "cp1252" => Ok(Self::OneByte("windows-1252", windows_1252)),
            _ => {
                let found = name.into_owned();
                Err(fault_at(XmlFault::Encoding { found }, bytes, 0, 1))
            }
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

/// How much of the start of a document tells its form.
const HEAD: usize = 512;

/// The encoding that the XML declaration names; the declaration itself is ASCII in every encoding read here.
fn declared_encoding(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let head = bytes.get(..bytes.len().min(HEAD))?;
    let inside = head.strip_prefix(b"<?xml")?;
    let end = inside.windows(2).position(|pair| pair == b"?>")?;
    let declaration = inside.get(..end)?;
    let at = declaration
        .windows(8)
        .position(|window| window == b"encoding")?;
    let value = declaration.get(at + 8..)?.trim_ascii_start();
    let value = value.strip_prefix(b"=")?.trim_ascii_start();
    let (&quote, value) = value.split_first()?;
    let length = value.iter().position(|&byte| byte == quote)?;
    Some(String::from_utf8_lossy(value.get(..length)?))
}

fn utf8(bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
    std::str::from_utf8(bytes)
        .map(Cow::Borrowed)
        .map_err(|error| {
            let encoding = "UTF-8";
            fault_at(
                XmlFault::NotInEncoding { encoding },
                bytes,
                error.valid_up_to(),
                1,
            )
        })
}

/// A fault before there is any text: line and column count the units of the encoding, `width` bytes each.
fn fault_at(fault: XmlFault, bytes: &[u8], offset: usize, width: usize) -> Error {
    let before = bytes.get(..offset).unwrap_or_default();
    let line_feed = |unit: &&[u8]| unit.contains(&b'\n');
    let units = before.chunks(width);
    let line = units.clone().filter(line_feed).count() + 1;
    let column = units.rev().take_while(|unit| !line_feed(unit)).count() + 1;
    let path = String::new();
    Error::at(ErrorKind::Xml(fault), Location { path, line, column })
}
