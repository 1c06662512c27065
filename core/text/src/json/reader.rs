//! The reader behind [`Document::read`]: one pass, no recursion, one node kept per value.
//!
//! Why is a UTF-8 byte order mark skipped?
//! RFC 8259 allows it, and common editors write it.
//! UTF-16 and UTF-32 are refused with an error that names them.

use super::equality::{Hashed, for_each_repeated, hash_of_text, key};
use super::scan::count_values;
use super::tokens::{Sink, Tokens};
use super::{Document, JsonNode, MAX_DEPTH, MAX_LENGTH, OVERRIDDEN, Tag, Text, Value, place_after};
use crate::error::{Error, ErrorKind, JsonFault, Location};
use crate::slice::{Known, Part};
use epcis_edge_schema::digest::digest;
use std::cmp::Ordering;

/// Up to this many members, digests of the names rule out repeated names. In larger objects the names are always sorted.
const SOME_MEMBERS: usize = 64;

/// Reads a text nested `levels` deep in another one.
pub(super) fn read_inside(text: &str, levels: usize) -> Result<Document<'_>, Error> {
    if text.len() > MAX_LENGTH {
        let fault = JsonFault::TooLong(MAX_LENGTH);
        return Err(Error::new(ErrorKind::Json(fault)));
    }
    let mut tokens = Tokens::of(text);
    let mut reader = JsonReader {
        bytes: text.as_bytes(),
        document: Document {
            text,
            // Real documents have at most one value or name per sixteen bytes.
            nodes: Vec::with_capacity(text.len() / 16 + 16),
            has_repeated_names: false,
        },
        open: Vec::new(),
        deepest: MAX_DEPTH.saturating_sub(levels),
        digests: Vec::new(),
    };
    match tokens.only_value(&mut reader) {
        Ok(()) => {
            let mut document = reader.document;
            shrink_if_sparse(&mut document.nodes);
            Ok(document)
        }
        Err(fault) => Err(reader.error(fault, tokens.at())),
    }
}

/// Frees nodes that were reserved but not used: with long strings, those take half as much memory as the text.
fn shrink_if_sparse(nodes: &mut Vec<JsonNode>) {
    const LARGE: usize = 1 << 15;
    if nodes.capacity() > LARGE.max(4 * nodes.len()) {
        nodes.shrink_to_fit();
    }
}

/// The bytes as text, or the fault if they are not UTF-8.
pub fn decode(bytes: &[u8]) -> Result<&str, Error> {
    let fault = |fault, offset: usize| {
        let (line, column) = place_after(bytes.part(..offset));
        let path = String::new();
        Error::at(ErrorKind::Json(fault), Location { path, line, column })
    };
    if bytes.len() > MAX_LENGTH {
        return Err(fault(JsonFault::TooLong(MAX_LENGTH), 0));
    }
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..] => {
            return Err(fault(JsonFault::OtherUnicodeEncoding, 0));
        }
        _ => {}
    }
    // The fast check says only yes or no; the slow one locates the fault.
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        return Ok(text);
    }
    std::str::from_utf8(bytes).map_err(|error| fault(JsonFault::NotUtf8, error.valid_up_to()))
}

/// A sink that stores a node for each value.
struct JsonReader<'t> {
    bytes: &'t [u8],
    document: Document<'t>,
    open: Vec<Open>,
    /// How many containers may be open at once.
    deepest: usize,
    /// The digests of the names read so far in all open objects, the innermost last.
    digests: Vec<u32>,
}

/// An array or object that is not closed yet.
struct Open {
    node: u32,
    is_object: bool,
    /// The start of its names in `digests`.
    digests: u32,
    maybe_repeated: bool,
}

impl Sink for JsonReader<'_> {
    #[inline(always)]
    fn is_in_object(&self) -> Option<bool> {
        self.open.last().map(|open| open.is_object)
    }

    #[inline(always)]
    fn open(&mut self, tag: Tag, start: usize) -> Result<(), JsonFault> {
        if self.open.len() >= self.deepest {
            return Err(JsonFault::Depth(MAX_DEPTH));
        }
        self.open.push(Open {
            node: self.document.nodes.len() as u32,
            is_object: tag == Tag::Object,
            digests: self.digests.len() as u32,
            maybe_repeated: false,
        });
        self.scalar(tag, start, 0);
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self) {
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
    fn name(&mut self, tag: Tag, start: usize, length: usize) {
        self.scalar(tag, start, length);
        let digest = digest(self.bytes.part(start + 1..start + 1 + length));
        if let Some(open) = self.open.last_mut() {
            let others = self.digests.part(open.digests as usize..);
            // A name with escapes may equal one with another spelling.
            open.maybe_repeated |= tag == Tag::EscapedString
                || others.len() >= SOME_MEMBERS
                || others.contains(&digest);
            if !open.maybe_repeated {
                self.digests.push(digest);
            }
        }
    }

    #[inline(always)]
    fn scalar(&mut self, tag: Tag, start: usize, length: usize) {
        if self.document.nodes.len() == self.document.nodes.capacity() {
            self.make_room(start);
        }
        self.document.nodes.push(JsonNode::new(tag, start, length));
    }
}

impl JsonReader<'_> {
    /// Marks the names of an object that a later member overrides. Time: that of sorting. Memory: eight bytes per name.
    fn find_repeated_names(&mut self, node: u32) {
        let document = &mut self.document;
        let object = Value { document, index: node as usize };
        let names = object.children(Tag::Object);
        let mut keys: Vec<u64> = Vec::with_capacity(names.count());
        let places = NamesOfNodes(document);
        keys.extend(names.map(|index| key(places.hash(index, 0), index)));
        // One bit for each node of the object.
        let first = node as usize;
        let mut overridden = vec![0_u64; (document.nodes.len() - first) / 64 + 1];
        for_each_repeated(&mut keys, &places, 0, &mut |earlier, _| {
            if let Some(bits) = overridden.get_mut((earlier - first) / 64) {
                *bits |= 1 << ((earlier - first) % 64);
            }
        });
        // The nodes of nested objects are covered again at each level, so only set bits are visited.
        for (number, mut bits) in overridden.into_iter().enumerate() {
            while bits != 0 {
                let name = first + 64 * number + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if let Some(node) = document.nodes.get_mut(name) {
                    node.meta |= OVERRIDDEN;
                    document.has_repeated_names = true;
                }
            }
        }
    }

    /// Reserves nodes for all remaining values at once: growth by doubling would take twice the memory for a list of short values.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, start: usize) {
        let rest = self.bytes.part(start..);
        // A text that is not JSON may seem to have more values than possible.
        let most = rest.len() / 2 + MAX_DEPTH + 1;
        let values = count_values(rest).min(most);
        self.document.nodes.reserve_exact(values.max(1));
    }

    /// The fault with its location: the path of the innermost value being read, and the position where reading stopped.
    fn error(&mut self, fault: JsonFault, at: usize) -> Error {
        let last = self.document.nodes.len();
        // Closes the open containers, so that the tree can be walked.
        for open in &self.open {
            if let Some(node) = self.document.nodes.get_mut(open.node as usize) {
                node.meta = (node.meta & !super::PAYLOAD) | (last - open.node as usize - 1) as u32;
            }
        }
        let mut path = String::new();
        for pair in self.open.windows(2) {
            if let [outer, inner] = pair {
                let outer = Value { document: &self.document, index: outer.node as usize };
                let _ = outer.step_towards(inner.node as usize, &mut path);
            }
        }
        if let Some(innermost) = self.open.last() {
            let container = Value { document: &self.document, index: innermost.node as usize };
            if innermost.is_object {
                // If a name has no value yet, it is the last node.
                let names: Vec<usize> = container.children(Tag::Object).collect();
                if let Some(&name) = names.last()
                    && name + 1 == last
                    && let Some(name) = self.document.text_of(name)
                {
                    super::push_step(&mut path, &name.to_cow());
                }
            }
        }
        let at = at.min(self.bytes.len());
        let fault = fault.at(self.document.text.part(at..));
        Error::at(ErrorKind::Json(fault), self.document.location(path, at))
    }
}

/// The names of a document, by node index.
struct NamesOfNodes<'d, 't>(&'d Document<'t>);

impl<'d> NamesOfNodes<'d, '_> {
    fn at(&self, node: usize) -> Text<'d> {
        self.0.text_of(node).known()
    }
}

impl Hashed for NamesOfNodes<'_, '_> {
    fn hash(&self, node: usize, round: u64) -> u64 {
        hash_of_text(self.at(node), round)
    }

    fn compare(&self, one: usize, other: usize) -> Ordering {
        self.at(one).to_cow().cmp(&self.at(other).to_cow())
    }
}

/// A string without its escapes, which were validated when the string was read.
pub(super) fn unescape(raw: &str) -> String {
    let mut plain = String::with_capacity(plain_length(raw));
    unescape_into(raw, &mut plain);
    plain
}

/// As [`unescape`], but appends to `plain`.
pub(super) fn unescape_into(raw: &str, plain: &mut String) {
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let mut characters = after.chars();
        rest = match characters.next() {
            Some('u') => {
                let (character, length) = unicode_escape(after);
                plain.push(character);
                after.part(length..)
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
}

/// The maximum length of a string without its escapes; closer for a long one, which may take a large part of the memory.
pub(super) fn plain_length(raw: &str) -> usize {
    const LONG: usize = 1 << 16;
    if raw.len() < LONG {
        return raw.len();
    }
    let mut escapes = 0;
    let mut bytes = raw.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'\\' {
            escapes += 1;
            bytes.next();
        }
    }
    raw.len() - escapes
}

/// The character of `uXXXX` or `uXXXX\uXXXX`, and the length of the escape without its first backslash.
fn unicode_escape(after: &str) -> (char, usize) {
    let unit =
        |from: usize| after.as_bytes().get(from..from + 4).and_then(super::tokens::hexadecimal);
    let first = unit(1).known();
    if let Some(character) = char::from_u32(u32::from(first)) {
        return (character, 5);
    }
    let pair = [first, unit(7).unwrap_or(0)];
    let character = char::decode_utf16(pair).next().and_then(Result::ok);
    (character.unwrap_or(char::REPLACEMENT_CHARACTER), 11)
}
