//! The reader behind [`Document::read`]: one pass, no recursion.
//!
//! Why is a UTF-8 byte order mark skipped?
//! RFC 8259 allows it, and common editors write it.
//! UTF-16 and UTF-32 are refused with a sentence that names them.

use super::scan::{STRIDE, count_values, plain_length};
use super::{Document, MAX_DEPTH, MAX_LENGTH, Node, OVERRIDDEN, Tag, Value, line_and_column};
use crate::error::{Error, ErrorKind, JsonFault, Location};
use crate::order::sort_stably_by;
use epcis_edge_schema::digest::digest;
use std::borrow::Cow;

/// Objects up to this many members compare the digests of their names, to tell whether a name may be repeated at all.
const SOME_MEMBERS: usize = 64;

pub(super) fn read(bytes: &[u8]) -> Result<Document<'_>, Error> {
    read_text(decode(bytes)?)
}

pub(super) fn read_text(text: &str) -> Result<Document<'_>, Error> {
    read_inside(text, 0)
}

/// Reads a text that stands so many levels deep in another one.
pub(super) fn read_inside(text: &str, levels: usize) -> Result<Document<'_>, Error> {
    if text.len() > MAX_LENGTH {
        let fault = JsonFault::TooLong { limit: MAX_LENGTH };
        return Err(Error::new(ErrorKind::Json(fault)));
    }
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut reader = JsonReader {
        bytes: text.as_bytes(),
        at: start,
        document: Document {
            text,
            // Real documents hold a value or a name every sixteen bytes, or fewer.
            nodes: Vec::with_capacity(text.len() / 16 + 16),
            has_repeated_names: false,
        },
        open: Vec::new(),
        deepest: MAX_DEPTH.saturating_sub(levels),
        digests: Vec::new(),
    };
    match reader.run() {
        Ok(()) => Ok(reader.document),
        Err(fault) => Err(reader.error(fault)),
    }
}

/// The bytes as text, or why they are none.
fn decode(bytes: &[u8]) -> Result<&str, Error> {
    let fault = |fault, offset: usize| {
        let (line, column) = line_and_column(bytes.get(..offset).unwrap_or_default());
        let path = String::new();
        Error::at(ErrorKind::Json(fault), Location { path, line, column })
    };
    if bytes.len() > MAX_LENGTH {
        return Err(fault(JsonFault::TooLong { limit: MAX_LENGTH }, 0));
    }
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..] => {
            return Err(fault(JsonFault::OtherUnicodeEncoding, 0));
        }
        _ => {}
    }
    // Quick to say yes; where it says no, the place is looked for.
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        return Ok(text);
    }
    std::str::from_utf8(bytes).map_err(|error| fault(JsonFault::NotUtf8, error.valid_up_to()))
}

struct JsonReader<'t> {
    bytes: &'t [u8],
    at: usize,
    document: Document<'t>,
    open: Vec<Open>,
    /// How many may be open at once.
    deepest: usize,
    /// The digests of the names so far in the objects that are open, the innermost last.
    digests: Vec<u32>,
}

/// An array or object whose end was not reached yet.
struct Open {
    node: u32,
    is_object: bool,
    /// Where the digests of its names start.
    digests: u32,
    maybe_repeated: bool,
}

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

impl JsonReader<'_> {
    fn run(&mut self) -> Result<(), JsonFault> {
        self.skip_white_space();
        if self.at == self.bytes.len() {
            return Err(JsonFault::Empty);
        }
        let mut state = State::Value;
        loop {
            self.skip_white_space();
            state = match (state, self.peek()) {
                (State::ValueOrEnd, Some(b']')) | (State::NameOrEnd, Some(b'}')) => {
                    self.close();
                    State::After
                }
                (State::Value | State::ValueOrEnd, Some(byte)) => self.value(byte)?,
                (State::Name | State::NameOrEnd, Some(b'"')) => {
                    self.name()?;
                    self.skip_white_space();
                    let byte = self.peek().ok_or(JsonFault::Truncated)?;
                    self.value(byte)?
                }
                (State::NameOrEnd, Some(_)) => {
                    return Err(JsonFault::Unexpected {
                        expected: "a member name in double quotes or `}`",
                    });
                }
                (State::Name, Some(_)) => {
                    return Err(JsonFault::Unexpected {
                        expected: "a member name in double quotes",
                    });
                }
                (State::After, found) => match (self.open.last().map(|open| open.is_object), found)
                {
                    (None, None) => return Ok(()),
                    (None, Some(_)) => return Err(JsonFault::TrailingText),
                    (Some(is_object), Some(b',')) => {
                        self.at += 1;
                        if is_object { State::Name } else { State::Value }
                    }
                    (Some(true), Some(b'}')) | (Some(false), Some(b']')) => {
                        self.close();
                        State::After
                    }
                    (Some(_), None) => return Err(JsonFault::Truncated),
                    (Some(true), Some(_)) => {
                        return Err(JsonFault::Unexpected {
                            expected: "`,` or `}`",
                        });
                    }
                    (Some(false), Some(_)) => {
                        return Err(JsonFault::Unexpected {
                            expected: "`,` or `]`",
                        });
                    }
                },
                (_, None) => return Err(JsonFault::Truncated),
            };
        }
    }

    #[inline(always)]
    fn value(&mut self, byte: u8) -> Result<State, JsonFault> {
        let start = self.at;
        match byte {
            b'"' => {
                self.string()?;
                Ok(State::After)
            }
            b'{' => {
                self.open(Tag::Object)?;
                Ok(State::NameOrEnd)
            }
            b'[' => {
                self.open(Tag::Array)?;
                Ok(State::ValueOrEnd)
            }
            b'-' | b'0'..=b'9' => {
                self.number()?;
                self.push(Tag::Number, start, self.at - start);
                Ok(State::After)
            }
            b't' => self.literal("true", Tag::True),
            b'f' => self.literal("false", Tag::False),
            b'n' => self.literal("null", Tag::Null),
            _ => Err(JsonFault::Unexpected {
                expected: "a value",
            }),
        }
    }

    fn literal(&mut self, word: &'static str, tag: Tag) -> Result<State, JsonFault> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if rest.starts_with(word.as_bytes()) {
            self.push(tag, self.at, word.len());
            self.at += word.len();
            return Ok(State::After);
        }
        if word.as_bytes().starts_with(rest) {
            return Err(JsonFault::Truncated);
        }
        Err(JsonFault::Unexpected {
            expected: "a value",
        })
    }

    #[inline(always)]
    fn open(&mut self, tag: Tag) -> Result<(), JsonFault> {
        if self.open.len() >= self.deepest {
            return Err(JsonFault::Depth { limit: MAX_DEPTH });
        }
        self.open.push(Open {
            node: self.document.nodes.len() as u32,
            is_object: tag == Tag::Object,
            digests: self.digests.len() as u32,
            maybe_repeated: false,
        });
        self.push(tag, self.at, 0);
        self.at += 1;
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self) {
        self.at += 1;
        let Some(open) = self.open.pop() else { return };
        let inside = self.document.nodes.len() - open.node as usize - 1;
        if let Some(node) = self.document.nodes.get_mut(open.node as usize) {
            node.meta |= inside as u32;
        }
        if open.maybe_repeated {
            self.find_repeated_names(open.node);
        }
        self.digests.truncate(open.digests as usize);
    }

    #[inline(always)]
    fn name(&mut self) -> Result<(), JsonFault> {
        let start = self.at + 1;
        let is_escaped = self.string()? == Tag::EscapedString;
        let name = self.bytes.get(start..self.at - 1).unwrap_or_default();
        let digest = digest(name);
        if let Some(open) = self.open.last_mut() {
            let others = self.digests.get(open.digests as usize..);
            let others = others.unwrap_or_default();
            // An escaped name may equal one that is written otherwise.
            open.maybe_repeated |=
                is_escaped || others.len() >= SOME_MEMBERS || others.contains(&digest);
            if !open.maybe_repeated {
                self.digests.push(digest);
            }
        }
        self.skip_white_space();
        match self.peek() {
            Some(b':') => {
                self.at += 1;
                Ok(())
            }
            None => Err(JsonFault::Truncated),
            Some(_) => Err(JsonFault::Unexpected {
                expected: "`:` after a member name",
            }),
        }
    }

    /// Marks the names of an object that a later member overrides. Time: that of sorting; memory: eight bytes a name.
    fn find_repeated_names(&mut self, node: u32) {
        let document = &mut self.document;
        let object = Value {
            document,
            index: node as usize,
        };
        let names = object.children(Tag::Object);
        let mut keys: Vec<u64> = Vec::with_capacity(names.count());
        keys.extend(names.map(|index| {
            let digest = digest(name_of(document, index as u64).as_bytes());
            (u64::from(digest) << 32) | index as u64
        }));
        keys.sort_unstable();
        for same in keys.chunk_by_mut(|one, other| one >> 32 == other >> 32) {
            if same.len() < 2 {
                continue;
            }
            // Of equal digests, equal names become neighbours, the last of them behind all that it overrides.
            sort_stably_by(same, &|&one, &other| {
                let by_name = name_of(document, one).cmp(&name_of(document, other));
                by_name.then(one.cmp(&other))
            });
            for pair in same.windows(2) {
                if let [earlier, later] = *pair
                    && name_of(document, earlier) == name_of(document, later)
                    && let Some(node) = document.nodes.get_mut(earlier as u32 as usize)
                {
                    node.meta |= OVERRIDDEN;
                    document.has_repeated_names = true;
                }
            }
        }
    }

    /// Reads a string; its node is pushed, with the quotes left out of its length.
    #[inline(always)]
    fn string(&mut self) -> Result<Tag, JsonFault> {
        let start = self.at;
        self.at += 1;
        let mut tag = Tag::String;
        loop {
            self.skip_plain();
            match self.peek() {
                Some(b'"') => {
                    self.push(tag, start, self.at - start - 1);
                    self.at += 1;
                    return Ok(tag);
                }
                Some(b'\\') => {
                    tag = Tag::EscapedString;
                    self.escape()?;
                }
                Some(_) => return Err(JsonFault::ControlCharacter),
                None => return Err(JsonFault::Truncated),
            }
        }
    }

    /// Goes on to the next quote, backslash or control character.
    #[inline(always)]
    fn skip_plain(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
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

    fn escape(&mut self) -> Result<(), JsonFault> {
        match self.bytes.get(self.at + 1) {
            None => Err(JsonFault::Truncated),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 2;
                Ok(())
            }
            Some(b'u') => match self.code_unit(self.at)? {
                0xd800..=0xdbff => {
                    let low = self.at + 6;
                    if self.bytes.get(low..low + 2) != Some(b"\\u") {
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
        let digits = self.bytes.get(at + 2..at + 6).ok_or(JsonFault::Truncated)?;
        hexadecimal(digits).ok_or(JsonFault::Escape)
    }

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
        // Without an exponent it takes more than 300 digits to leave the range.
        if has_exponent || self.at - start > 300 {
            let written = self.bytes.get(start..self.at).unwrap_or_default();
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
    fn push(&mut self, tag: Tag, start: usize, payload: usize) {
        if self.document.nodes.len() == self.document.nodes.capacity() {
            self.make_room(start);
        }
        self.document.nodes.push(Node::new(tag, start, payload));
    }

    /// Makes room for all values from here on, once: growing by doubling, a list of short values would take twice its memory.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, start: usize) {
        let rest = self.bytes.get(start..).unwrap_or_default();
        // What is no JSON may look like more values than there can be.
        let most = rest.len() / 2 + MAX_DEPTH + 1;
        let values = count_values(rest).min(most);
        self.document.nodes.reserve_exact(values.max(1));
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline(always)]
    fn skip_white_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// The fault with its place: the innermost value that was being read, and where the reader stopped.
    fn error(&mut self, fault: JsonFault) -> Error {
        let last = self.document.nodes.len();
        // Close what is open, so that the tree can be walked.
        for open in &self.open {
            if let Some(node) = self.document.nodes.get_mut(open.node as usize) {
                node.meta = (node.meta & !super::PAYLOAD) | (last - open.node as usize - 1) as u32;
            }
        }
        let mut path = String::new();
        for pair in self.open.windows(2) {
            if let [outer, inner] = pair {
                let outer = Value {
                    document: &self.document,
                    index: outer.node as usize,
                };
                let _ = outer.step_towards(inner.node as usize, &mut path);
            }
        }
        if let Some(innermost) = self.open.last() {
            let container = Value {
                document: &self.document,
                index: innermost.node as usize,
            };
            if innermost.is_object {
                // A name whose value did not come yet stands last, without a partner.
                let names: Vec<usize> = container.children(Tag::Object).collect();
                if let Some(&name) = names.last()
                    && name + 1 == last
                    && let Some(name) = self.document.text_of(name)
                {
                    super::push_step(&mut path, &name.to_cow());
                }
            }
        }
        let at = self.at.min(self.bytes.len());
        Error::at(ErrorKind::Json(fault), self.document.location(path, at))
    }
}

/// The name whose node the lower half of a key tells.
fn name_of<'d>(document: &'d Document<'_>, key: u64) -> Cow<'d, str> {
    let text = document.text_of(key as u32 as usize);
    text.unwrap_or_default().to_cow()
}

fn hexadecimal(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0_u16, |value, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some((value << 4) | digit as u16)
    })
}

/// A string without its escapes; they were checked when it was read.
pub(super) fn unescape(raw: &str) -> String {
    let mut plain = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let mut characters = after.chars();
        rest = match characters.next() {
            Some('u') => {
                let (character, length) = unicode_escape(after);
                plain.push(character);
                after.get(length..).unwrap_or_default()
            }
            Some(letter) => {
                plain.push(match letter {
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    same => same,
                });
                characters.as_str()
            }
            None => "",
        };
    }
    plain.push_str(rest);
    plain
}

/// The character of `uXXXX` or `uXXXX\uXXXX`, and how long that is.
fn unicode_escape(after: &str) -> (char, usize) {
    let unit = |from: usize| after.as_bytes().get(from..from + 4).and_then(hexadecimal);
    let first = unit(1).unwrap_or_default();
    if let Some(character) = char::from_u32(u32::from(first)) {
        return (character, 5);
    }
    let pair = [first, unit(7).unwrap_or_default()];
    let character = char::decode_utf16(pair).next().and_then(Result::ok);
    (character.unwrap_or(char::REPLACEMENT_CHARACTER), 11)
}
