//! Parsing of EPC URNs.
//!
//! **Source**: TDS 2.0, 6.

use super::key_digits::split;
use super::scheme::{Scheme, WITHOUT_KEY};
use epcis_edge_text::slice::OrEmpty;

/// The parts of an EPC URN of a GS1 key, as written. Any of them may be wrong.
#[derive(Clone, Copy, Debug)]
pub(super) struct Urn<'t> {
    pub(super) scheme: Scheme,
    /// Whether it is a pattern (`idpat`).
    pub(super) is_pattern: bool,
    /// The text after the scheme.
    pub(super) body: &'t [u8],
}

/// The kinds of EPC URNs that name no GS1 key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NonKeyUrn {
    /// A URN of tags and readers: `tag`, `raw`, `pat`.
    Tag,
    /// A URN of a scheme without a GS1 key.
    WithoutKey,
    Unknown,
}

impl<'t> Urn<'t> {
    /// Reads the text after `urn:epc:`.
    pub(super) fn read(urn: &'t [u8]) -> Result<Self, NonKeyUrn> {
        let (form, rest) = split(urn, b':').ok_or(NonKeyUrn::Unknown)?;
        let is_pattern = match form {
            b"id" | b"class" => false,
            b"idpat" => true,
            b"tag" | b"raw" | b"pat" => return Err(NonKeyUrn::Tag),
            _ => return Err(NonKeyUrn::Unknown),
        };
        // A scheme without a body counts as a key that is too short.
        let (name, body) = split(rest, b':').unwrap_or((rest, b""));
        match Scheme::named(name) {
            Some(scheme) if scheme.is_of_classes() == (form == b"class") => {
                Ok(Self { scheme, is_pattern, body })
            }
            None if WITHOUT_KEY.contains(&name) => Err(NonKeyUrn::WithoutKey),
            _ => Err(NonKeyUrn::Unknown),
        }
    }

    pub(super) fn parts(&self) -> UrnParts<'t> {
        UrnParts::of(self.scheme, self.body)
    }
}

/// The parts between the dots.
#[derive(Clone, Copy, Debug)]
pub(super) struct UrnParts<'t> {
    /// The company prefix.
    pub(super) prefix: &'t [u8],
    /// `None` if nothing follows the company prefix.
    pub(super) reference: Option<&'t [u8]>,
    /// The piece number and the total of pieces, if the key has them.
    pub(super) pieces: Option<[&'t [u8]; 2]>,
    /// A serial, lot or extension, or a star.
    pub(super) serial: Option<&'t [u8]>,
}

impl<'t> UrnParts<'t> {
    pub(super) fn of(scheme: Scheme, body: &'t [u8]) -> Self {
        let next = |text: Option<&'t [u8]>| match text.map(|text| (text, split(text, b'.'))) {
            Some((_, Some((part, rest)))) => (Some(part), Some(rest)),
            Some((text, None)) => (Some(text), None),
            None => (None, None),
        };
        let (prefix, rest) = next(Some(body));
        let (reference, mut rest) = match (scheme.key.is_text(), rest) {
            (true, Some(text)) if scheme.has_serial() => last_point(text),
            (true, text) => (text, None),
            (false, text) => next(text),
        };
        let mut pieces = None;
        if scheme.key.has_pieces {
            let (piece, behind) = next(rest);
            let (total, behind) = next(behind);
            rest = behind;
            pieces = piece.map(|piece| [piece, total.or_empty()]);
        }
        Self { prefix: prefix.unwrap_or(body), reference, pieces, serial: rest }
    }
}

/// The text before the last dot, and the text after it.
fn last_point(text: &[u8]) -> (Option<&[u8]>, Option<&[u8]>) {
    let cut = memchr::memrchr(b'.', text).and_then(|at| text.split_at_checked(at));
    match cut {
        Some((before, behind)) => (Some(before), behind.get(1..)),
        None => (Some(text), None),
    }
}
