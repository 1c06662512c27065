//! Reading values on the fly, without storing anything about them.

use super::reader::decode;
use super::tokens::{Sink, Tokens};
use super::{Document, Kind, MAX_DEPTH, Tag, Text, Value};
use crate::error::{Error, JsonFault};
use epcis_edge_schema::digest::{are_same, digest};
use std::num::NonZeroUsize;

/// A position in a text where a value is expected. Copies of a cursor read the same text again.
///
/// A method returns `None` if the text here is not JSON, is nested too deep, or does not have the requested form.
/// Names repeated in one object are not detected.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'t> {
    tokens: Tokens<'t>,
    /// How many arrays and objects are open at this position.
    depth: usize,
}

impl<'t> Cursor<'t> {
    /// A cursor at the value of a whole text.
    ///
    /// # Errors
    /// As [`Document::read`], for text in a wrong encoding or of excessive length.
    pub fn decode(bytes: &'t [u8]) -> Result<Self, Error> {
        let tokens = Tokens::of(decode(bytes)?);
        Ok(Self { tokens, depth: 0 })
    }

    /// A cursor at a value that was read before. Its depth was checked then and counts from zero here.
    pub fn of(value: Value<'t>) -> Self {
        Self::at(value.document.text, value.offset(), 0)
    }

    /// A cursor at a byte offset of a decoded text, nested `depth` levels deep.
    #[inline(always)]
    pub fn at(text: &'t str, place: usize, depth: usize) -> Self {
        let tokens = Tokens::new(text, place);
        Self { tokens, depth }
    }

    /// The whole text.
    #[inline(always)]
    pub fn base(&self) -> &'t str {
        self.tokens.text()
    }

    /// The current position, in bytes.
    #[inline(always)]
    pub fn place(&self) -> usize {
        self.tokens.at()
    }

    /// Moves to another position of the same depth.
    #[inline(always)]
    pub fn go_to(&mut self, place: NonZeroUsize) {
        self.tokens = Tokens::new(self.base(), place.get());
    }

    /// How many arrays and objects are open at this position.
    #[inline(always)]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The kind of the next value, judged by its first byte.
    #[inline(always)]
    pub fn kind(&mut self) -> Option<Kind> {
        match self.tokens.next()? {
            b'"' => Some(Kind::String),
            b'{' => Some(Kind::Object),
            b'[' => Some(Kind::Array),
            b'-' | b'0'..=b'9' => Some(Kind::Number),
            b't' | b'f' => Some(Kind::Boolean),
            b'n' => Some(Kind::Null),
            _ => None,
        }
    }

    /// Reads a string.
    #[inline(always)]
    pub fn string(&mut self) -> Option<Text<'t>> {
        if self.tokens.next()? != b'"' {
            return None;
        }
        let start = self.tokens.at() + 1;
        let (tag, length) = self.tokens.string().ok()?;
        Some(Text {
            whole: self.tokens.text(),
            start,
            end: start + length,
            escaped: tag == Tag::EscapedString,
        })
    }

    /// Enters the next array or object. Returns true, the initial `is_first` for [`member`](Self::member) and [`entry`](Self::entry).
    #[inline(always)]
    pub fn open(&mut self) -> Option<bool> {
        self.tokens.next()?;
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        self.tokens.skip_to_line();
        Some(true)
    }

    /// Reads the name of the next member. At the end of the object, moves past it and returns `Some(None)`.
    #[inline(always)]
    pub fn member(&mut self, is_first: &mut bool) -> Option<Option<Text<'t>>> {
        if !self.goes_on(is_first, b'}')? {
            return Some(None);
        }
        let name = self.string()?;
        self.tokens.colon().ok()?;
        Some(Some(name))
    }

    /// Whether another entry follows. If not, moves past the end of the array.
    #[inline(always)]
    pub fn entry(&mut self, is_first: &mut bool) -> Option<bool> {
        self.goes_on(is_first, b']')
    }

    /// Skips the next value.
    #[inline(always)]
    pub fn pass(&mut self) -> Option<()> {
        match self.tokens.next()? {
            b'"' => {
                self.tokens.string().ok()?;
            }
            b'{' | b'[' => self.go_to(self.behind_container()?),
            byte => {
                self.tokens.number_or_literal(byte).ok()?;
            }
        }
        Some(())
    }

    /// The position after the array or object that starts here.
    #[inline(never)]
    fn behind_container(mut self) -> Option<NonZeroUsize> {
        let mut sink =
            SkipSink { objects: 0, open: 0, deepest: MAX_DEPTH.checked_sub(self.depth)? };
        self.tokens.value(&mut sink).ok()?;
        NonZeroUsize::new(self.place())
    }

    /// Reads the next value into a document of its own and returns it with a cursor after it.
    pub fn read(mut self) -> Option<(Document<'t>, Self)> {
        self.tokens.next()?;
        let start = self.tokens.at();
        self.pass()?;
        let text = self.tokens.text().get(start..self.tokens.at())?;
        Some((Document::read_inside(text, self.depth).ok()?, self))
    }

    /// Whether only white space is left.
    pub fn is_at_end(&mut self) -> bool {
        self.tokens.next().is_none()
    }

    /// Whether another member or entry follows. If not, moves past the closing bracket.
    #[inline(always)]
    fn goes_on(&mut self, is_first: &mut bool, end: u8) -> Option<bool> {
        let byte = self.tokens.next()?;
        if byte == end {
            self.tokens.skip_byte();
            self.depth -= 1;
            return Some(false);
        }
        if std::mem::take(is_first) {
            return Some(true);
        }
        if byte != b',' {
            return None;
        }
        self.tokens.skip_to_line();
        Some(true)
    }

    /// Whether all entries of a list differ. Returns `None` if that takes more than a glance: with more than 16 strings, a string
    /// with an escape, or more than one entry of another kind.
    pub(super) fn are_few_and_unique(mut self) -> Option<bool> {
        const FEW: usize = 16;
        let mut known: [(u32, &[u8]); FEW] = [(0, &[]); FEW];
        let mut count = 0;
        let mut inside = self.open()?;
        let mut is_another = false;
        while self.entry(&mut inside)? {
            if self.kind()? != Kind::String {
                if std::mem::replace(&mut is_another, true) {
                    return None;
                }
                self.pass()?;
                continue;
            }
            let plain = self.string()?.plain()?;
            let digest = digest(plain);
            let is_known = |(other, text): &(u32, &[u8])| *other == digest && are_same(text, plain);
            if known.iter().take(count).any(is_known) {
                return Some(false);
            }
            *known.get_mut(count)? = (digest, plain);
            count += 1;
        }
        Some(true)
    }
}

/// A sink that stores only which kinds of containers are open.
struct SkipSink {
    /// One bit for each open container, set for an object; the innermost is the lowest bit.
    objects: u128,
    open: usize,
    deepest: usize,
}

const _: () = assert!(MAX_DEPTH <= u128::BITS as usize, "a bit for each level");

impl Sink for SkipSink {
    #[inline(always)]
    fn is_in_object(&self) -> Option<bool> {
        (self.open > 0).then_some(self.objects & 1 == 1)
    }

    #[inline(always)]
    fn open(&mut self, tag: Tag, _start: usize) -> Result<(), JsonFault> {
        if self.open >= self.deepest {
            return Err(JsonFault::Depth(MAX_DEPTH));
        }
        self.open += 1;
        self.objects = self.objects << 1 | u128::from(tag == Tag::Object);
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self) {
        self.open -= 1;
        self.objects >>= 1;
    }

    #[inline(always)]
    fn name(&mut self, _tag: Tag, _start: usize, _length: usize) {}

    #[inline(always)]
    fn scalar(&mut self, _tag: Tag, _start: usize, _length: usize) {}
}
