//! The tokens and the grammar of JSON, used both to store nodes and to skip values.

use super::Tag;
use super::scan::{STRIDE, plain_length, white_length};
use crate::error::JsonFault;
use crate::slice::Part;

/// A position in a text, where reading continues.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

/// Receives the values as they are read, in document order.
pub(super) trait Sink {
    /// Whether the innermost open container is an object; `None` if none is open.
    fn is_in_object(&self) -> Option<bool>;
    /// An array or object begins at this byte.
    ///
    /// # Errors
    /// [`JsonFault::Depth`] if it is nested too deep.
    fn open(&mut self, tag: Tag, start: usize) -> Result<(), JsonFault>;
    /// The innermost array or object ends.
    fn close(&mut self);
    /// A member name: the position of its opening quote, and its length in bytes between the quotes.
    fn name(&mut self, tag: Tag, start: usize, length: usize);
    /// Any other value. The length of a string is that between its quotes.
    fn scalar(&mut self, tag: Tag, start: usize, length: usize);
}

/// What the grammar allows next.
enum State {
    /// A value must come.
    Value,
    /// A value or the end of the array just opened.
    ValueOrEnd,
    /// A member name must come.
    Name,
    /// A member name or the end of the object just opened.
    NameOrEnd,
    /// A value ended.
    After,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str, at: usize) -> Self {
        Self { text, at }
    }

    /// The tokens of a whole text, after a byte order mark if there is one.
    pub(super) fn of(text: &'t str) -> Self {
        let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Self { text, at }
    }

    /// The whole text.
    #[inline(always)]
    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    #[inline(always)]
    fn bytes(&self) -> &'t [u8] {
        self.text.as_bytes()
    }

    /// The position of the next token or of white space before it; after a fault, that of the fault.
    #[inline(always)]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Reads a text that must consist of one value.
    pub(super) fn only_value(&mut self, sink: &mut impl Sink) -> Result<(), JsonFault> {
        if self.next().is_none() {
            return Err(JsonFault::Empty);
        }
        self.value(sink)?;
        match self.next() {
            None => Ok(()),
            Some(_) => Err(JsonFault::TrailingText),
        }
    }

    /// Reads the next value with everything inside it, without recursion.
    #[inline(always)]
    pub(super) fn value(&mut self, sink: &mut impl Sink) -> Result<(), JsonFault> {
        let mut state = State::Value;
        loop {
            if let State::After = state
                && sink.is_in_object().is_none()
            {
                return Ok(());
            }
            state = match (state, self.next()) {
                (State::ValueOrEnd, Some(b']')) | (State::NameOrEnd, Some(b'}')) => {
                    self.close(sink)
                }
                (State::Value | State::ValueOrEnd, Some(byte)) => self.begin(byte, sink)?,
                (State::Name | State::NameOrEnd, Some(b'"')) => {
                    let start = self.at;
                    let (tag, length) = self.string()?;
                    sink.name(tag, start, length);
                    self.colon()?;
                    let byte = self.next().ok_or(JsonFault::Truncated)?;
                    self.begin(byte, sink)?
                }
                (State::NameOrEnd, Some(_)) => {
                    return Err(JsonFault::Unexpected("a member name in double quotes or `}`"));
                }
                (State::Name, Some(_)) => {
                    return Err(JsonFault::Unexpected("a member name in double quotes"));
                }
                (State::After, found) => match (sink.is_in_object() == Some(true), found) {
                    (is_object, Some(b',')) => {
                        self.at += 1;
                        if is_object { State::Name } else { State::Value }
                    }
                    (true, Some(b'}')) | (false, Some(b']')) => self.close(sink),
                    (_, None) => return Err(JsonFault::Truncated),
                    (true, Some(_)) => {
                        return Err(JsonFault::Unexpected("`,` or `}`"));
                    }
                    (false, Some(_)) => {
                        return Err(JsonFault::Unexpected("`,` or `]`"));
                    }
                },
                (_, None) => return Err(JsonFault::Truncated),
            };
        }
    }

    /// Reads a scalar, or the opening bracket of a container.
    #[inline(always)]
    fn begin(&mut self, byte: u8, sink: &mut impl Sink) -> Result<State, JsonFault> {
        let start = self.at;
        match byte {
            b'"' => {
                let (tag, length) = self.string()?;
                sink.scalar(tag, start, length);
            }
            b'{' => {
                sink.open(Tag::Object, start)?;
                self.at += 1;
                return Ok(State::NameOrEnd);
            }
            b'[' => {
                sink.open(Tag::Array, start)?;
                self.at += 1;
                return Ok(State::ValueOrEnd);
            }
            _ => {
                let tag = self.number_or_literal(byte)?;
                sink.scalar(tag, start, self.at - start);
            }
        }
        Ok(State::After)
    }

    #[inline(always)]
    fn close(&mut self, sink: &mut impl Sink) -> State {
        self.at += 1;
        sink.close();
        State::After
    }

    /// Reads the colon after a name.
    #[inline(always)]
    pub(super) fn colon(&mut self) -> Result<(), JsonFault> {
        match self.next() {
            Some(b':') => {
                self.at += 1;
                // Most programs write a space here.
                if self.peek() == Some(b' ') {
                    self.at += 1;
                }
                Ok(())
            }
            None => Err(JsonFault::Truncated),
            Some(_) => Err(JsonFault::Unexpected("`:` after a member name")),
        }
    }

    /// Runs a function on a copy, so that the original can stay in registers.
    #[inline(always)]
    fn apart<T>(&mut self, then: fn(&mut Self) -> T) -> T {
        let mut copy = *self;
        let done = then(&mut copy);
        self.at = copy.at;
        done
    }

    /// Skips one byte that was already inspected.
    #[inline(always)]
    pub(super) fn skip_byte(&mut self) {
        self.at += 1;
    }

    /// As [`skip_byte`](Self::skip_byte), for a bracket or comma: usually the next token follows at once, or on a new, indented line.
    #[inline(always)]
    pub(super) fn skip_to_line(&mut self) {
        self.at += 1;
        if self.peek() == Some(b'\n')
            && let Some(chunk) = self.bytes().get(self.at..).and_then(<[u8]>::first_chunk)
        {
            self.at += white_length(chunk);
        }
    }

    /// Reads a value that is neither a string nor a container.
    #[inline(always)]
    pub(super) fn number_or_literal(&mut self, byte: u8) -> Result<Tag, JsonFault> {
        match byte {
            b'-' | b'0'..=b'9' => self.apart(Self::number).map(|()| Tag::Number),
            _ => self.apart(Self::literal),
        }
    }

    /// Reads `true`, `false` or `null`.
    #[inline(never)]
    fn literal(&mut self) -> Result<Tag, JsonFault> {
        let (word, tag): (&[u8], _) = match self.peek() {
            Some(b't') => (b"true", Tag::True),
            Some(b'f') => (b"false", Tag::False),
            Some(b'n') => (b"null", Tag::Null),
            _ => {
                return Err(JsonFault::Unexpected("a value"));
            }
        };
        let rest = self.bytes().part(self.at..);
        if rest.starts_with(word) {
            self.at += word.len();
            return Ok(tag);
        }
        if word.starts_with(rest) {
            return Err(JsonFault::Truncated);
        }
        Err(JsonFault::Unexpected("a value"))
    }

    /// Reads the string that starts here; returns its kind and its length between the quotes.
    #[inline(always)]
    pub(super) fn string(&mut self) -> Result<(Tag, usize), JsonFault> {
        let start = self.at + 1;
        self.at = start;
        let mut tag = Tag::String;
        loop {
            self.skip_plain();
            match self.peek() {
                Some(b'"') => {
                    let length = self.at - start;
                    self.at += 1;
                    return Ok((tag, length));
                }
                Some(b'\\') => {
                    tag = Tag::EscapedString;
                    self.apart(Self::escape)?;
                }
                Some(_) => return Err(JsonFault::ControlCharacter),
                None => return Err(JsonFault::Truncated),
            }
        }
    }

    /// Skips to the next quote, backslash or control character.
    #[inline(always)]
    fn skip_plain(&mut self) {
        let rest = self.bytes().part(self.at..);
        let mut chunks = rest.as_chunks::<STRIDE>().0.iter();
        let ended = chunks.find_map(|chunk| match plain_length(chunk) {
            STRIDE => {
                self.at += STRIDE;
                None
            }
            length => Some(length),
        });
        if let Some(length) = ended {
            self.at += length;
            return;
        }
        while let Some(byte) = self.peek()
            && byte != b'"'
            && byte != b'\\'
            && byte >= 0x20
        {
            self.at += 1;
        }
    }

    #[inline(never)]
    fn escape(&mut self) -> Result<(), JsonFault> {
        match self.bytes().get(self.at + 1) {
            None => Err(JsonFault::Truncated),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 2;
                Ok(())
            }
            Some(b'u') => match self.code_unit(self.at)? {
                0xd800..=0xdbff => {
                    let low = self.at + 6;
                    if self.bytes().get(low..low + 2) != Some(b"\\u") {
                        return Err(JsonFault::LoneSurrogate);
                    }
                    match self.code_unit(low)? {
                        0xdc00..=0xdfff => {
                            self.at += 12;
                            Ok(())
                        }
                        _ => Err(JsonFault::LoneSurrogate),
                    }
                }
                0xdc00..=0xdfff => Err(JsonFault::LoneSurrogate),
                _ => {
                    self.at += 6;
                    Ok(())
                }
            },
            Some(_) => Err(JsonFault::Escape),
        }
    }

    /// The code unit of the `\uXXXX` that starts at `at`.
    fn code_unit(&self, at: usize) -> Result<u16, JsonFault> {
        let digits = self.bytes().get(at + 2..at + 6).ok_or(JsonFault::Truncated)?;
        hexadecimal(digits).ok_or(JsonFault::Escape)
    }

    #[inline(never)]
    fn number(&mut self) -> Result<(), JsonFault> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits()?,
            None => return Err(JsonFault::Truncated),
            Some(_) => return Err(JsonFault::NumberSyntax),
        }
        if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(JsonFault::NumberSyntax);
        }
        let mut has_exponent = false;
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            has_exponent = true;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        // Without an exponent, a number needs more than 300 digits to exceed the range.
        if has_exponent || self.at - start > 300 {
            let written = self.bytes().part(start..self.at);
            let finite = std::str::from_utf8(written)
                .ok()
                .and_then(|written| written.parse::<f64>().ok())
                .is_some_and(f64::is_finite);
            if !finite {
                self.at = start;
                return Err(JsonFault::NumberRange);
            }
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), JsonFault> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        match (self.at - start, self.peek()) {
            (0, None) => Err(JsonFault::Truncated),
            (0, Some(_)) => Err(JsonFault::NumberSyntax),
            _ => Ok(()),
        }
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    /// The next byte that is not white space. Skips the white space before it.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<u8> {
        match self.peek() {
            Some(byte) if byte > b' ' => Some(byte),
            _ => self.apart(Self::next_after_white_space),
        }
    }

    #[inline(never)]
    fn next_after_white_space(&mut self) -> Option<u8> {
        let rest = self.bytes().part(self.at..);
        for chunk in rest.as_chunks::<STRIDE>().0 {
            match white_length(chunk) {
                STRIDE => self.at += STRIDE,
                length => {
                    self.at += length;
                    return self.peek();
                }
            }
        }
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
        self.peek()
    }
}

pub(super) fn hexadecimal(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0_u16, |value, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some((value << 4) | digit as u16)
    })
}
