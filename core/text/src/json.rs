//! Strict reading of JSON into a flat, borrowed document.
//!
//! The reader accepts exactly the RFC 8259 texts that every JSON reader reads alike: UTF-8 (a byte order mark is skipped), no
//! lone surrogates, numbers within the range of a 64-bit float, at most [`MAX_DEPTH`] levels.
//! All other texts are refused with the location of the fault.
//! Numbers keep their digits as written. Repeated member names are recorded, and the last one counts.
//!
//! A document takes eight bytes per value and borrows the rest from the text.

mod cursor;
mod equality;
mod first;
mod places;
mod reader;
mod scan;
#[cfg(test)]
mod tests;
mod text;
mod tokens;
mod write;

use crate::slice::{Known, Part};
pub use cursor::Cursor;
use places::place_after;
pub use places::{Lines, MARK, line_and_column};
pub use reader::decode;
pub use scan::Nesting;
pub use text::Text;
pub use text::plain_string;
pub use write::{
    PartWriter, escaped_length, has_escapes, push_escaped, push_step, push_string, to_text,
};

use crate::error::{Error, ErrorKind, Location, excerpt};
use std::borrow::Cow;
use std::fmt::Write as _;

/// The greatest accepted nesting depth of arrays and objects.
pub const MAX_DEPTH: usize = 128;

/// The most values, names included, in a document at an endpoint that needs memory for each value besides the text.
pub const MAX_VALUES: usize = 1_500_000;

/// The longest accepted text, in bytes: 256 MiB less one.
pub const MAX_LENGTH: usize = (1 << 28) - 1;

/// A parsed JSON text: its values in document order, which point into the text.
#[derive(Debug)]
pub struct Document<'t> {
    text: &'t str,
    nodes: Vec<JsonNode>,
    /// Whether a name is overridden by a later member of the same name.
    has_repeated_names: bool,
}

/// One value or member name: its start, its type, and its extent.
#[derive(Clone, Copy, Debug)]
struct JsonNode {
    start: u32,
    /// Bit 31: whether this is a name that a later member overrides. Bits 28 to 30: the [`Tag`]. Bits 0 to 27: for a scalar its
    /// length in bytes (for a string, without the quotes), for an array or object the number of nodes inside.
    meta: u32,
}

const PAYLOAD: u32 = (1 << 28) - 1;
const OVERRIDDEN: u32 = 1 << 31;

impl JsonNode {
    fn new(tag: Tag, start: usize, payload: usize) -> Self {
        // INVARIANT: the reader refuses texts longer than MAX_LENGTH, so both numbers fit.
        Self { start: start as u32, meta: ((tag as u32) << 28) | (payload as u32 & PAYLOAD) }
    }

    fn tag(self) -> Tag {
        match (self.meta & !OVERRIDDEN) >> 28 {
            0 => Tag::Null,
            1 => Tag::False,
            2 => Tag::True,
            3 => Tag::Number,
            4 => Tag::String,
            5 => Tag::EscapedString,
            6 => Tag::Array,
            _ => Tag::Object,
        }
    }

    fn payload(self) -> usize {
        (self.meta & PAYLOAD) as usize
    }

    /// The number of nodes of this value, itself included.
    fn span(self) -> usize {
        match self.tag() {
            Tag::Array | Tag::Object => self.payload() + 1,
            _ => 1,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    Null = 0,
    False = 1,
    True = 2,
    Number = 3,
    String = 4,
    EscapedString = 5,
    Array = 6,
    Object = 7,
}

impl<'t> Document<'t> {
    /// Reads one JSON document.
    ///
    /// **Limits**: [`MAX_DEPTH`] levels, [`MAX_LENGTH`] bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Json`] with the location, for any text that is not the JSON described above.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_text::json::Document;
    /// let document = Document::read(br#"{"quantity": 5.50}"#)?;
    /// let quantity = document.root().get("quantity").and_then(|value| value.as_number());
    /// assert_eq!(quantity, Some("5.50"));
    /// # Ok::<(), epcis_edge_text::error::Error>(())
    /// ```
    pub fn read(text: &'t [u8]) -> Result<Self, Error> {
        reader::read_inside(decode(text)?, 0)
    }

    /// Reads a text of at most `limit` values, for callers that need memory for each value.
    ///
    /// # Errors
    /// As [`read`](Self::read); [`ErrorKind::TooManyValues`].
    pub fn read_within(text: &'t [u8], limit: usize) -> Result<Self, Error> {
        let document = Self::read(text)?;
        if document.nodes.len() > limit {
            return Err(Error::new(ErrorKind::TooManyValues { limit }));
        }
        Ok(document)
    }

    /// Reads a text that this crate wrote itself.
    pub fn read_text(text: &'t str) -> Result<Self, Error> {
        reader::read_inside(text, 0)
    }

    /// Reads a text nested `levels` deep in another text, whose depth limit applies.
    pub fn read_inside(text: &'t str, levels: usize) -> Result<Self, Error> {
        reader::read_inside(text, levels)
    }

    /// The outermost value.
    #[must_use]
    pub fn root(&self) -> Value<'_> {
        Value { document: self, index: 0 }
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The locations of the members that a later member of the same name overrides, in document order.
    pub fn repeated_names(&self) -> impl Iterator<Item = Location> + '_ {
        self.places_of(self.overridden())
    }

    /// The numbers of the values whose locations [`repeated_names`](Self::repeated_names) returns.
    pub fn overridden(&self) -> impl Iterator<Item = u32> + '_ {
        let nodes = if self.has_repeated_names { self.nodes.as_slice() } else { &[] };
        let overridden = nodes.iter().enumerate().filter(|(_, node)| node.meta & OVERRIDDEN != 0);
        // The value after the name; its pointer ends in that name.
        overridden.map(|(index, _)| index as u32 + 1)
    }

    fn node(&self, index: usize) -> Option<JsonNode> {
        self.nodes.get(index).copied()
    }

    fn text_of(&self, index: usize) -> Option<Text<'_>> {
        let node = self.node(index)?;
        let escaped = match node.tag() {
            Tag::String => false,
            Tag::EscapedString => true,
            _ => return None,
        };
        let start = node.start as usize + 1;
        Some(Text { whole: self.text, start, end: start + node.payload(), escaped })
    }

    fn is_overridden(&self, index: usize) -> bool {
        self.node(index).is_some_and(|node| node.meta & OVERRIDDEN != 0)
    }

    fn location(&self, path: String, offset: usize) -> Location {
        let before = self.text.as_bytes().part(..offset);
        let (line, column) = place_after(before);
        Location { path, line, column }
    }
}

/// The six kinds of JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// A value in a [`Document`].
#[derive(Clone, Copy, Debug)]
pub struct Value<'d> {
    document: &'d Document<'d>,
    index: usize,
}

impl<'d> Value<'d> {
    /// The kind of this value.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self.tag() {
            Tag::Null => Kind::Null,
            Tag::False | Tag::True => Kind::Boolean,
            Tag::Number => Kind::Number,
            Tag::String | Tag::EscapedString => Kind::String,
            Tag::Array => Kind::Array,
            Tag::Object => Kind::Object,
        }
    }

    /// The boolean, if this is one.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.tag() {
            Tag::True => Some(true),
            Tag::False => Some(false),
            _ => None,
        }
    }

    /// The number as written, if this is one.
    #[must_use]
    pub fn as_number(self) -> Option<&'d str> {
        (self.tag() == Tag::Number).then(|| self.source())
    }

    /// The string, if this is one.
    #[must_use]
    pub fn as_text(self) -> Option<Text<'d>> {
        self.document.text_of(self.index)
    }

    /// The string without its escapes, if this is one.
    #[must_use]
    pub fn as_str(self) -> Option<Cow<'d, str>> {
        self.as_text().map(Text::to_cow)
    }

    /// The member of this name, if this is an object that has one; the last one if the name is repeated.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Value<'d>> {
        self.members().find_map(|(key, value)| (key == name).then_some(value))
    }

    /// The members in document order, if this is an object; overridden members are skipped.
    pub fn members(self) -> impl Iterator<Item = (Text<'d>, Value<'d>)> + Clone + use<'d> {
        let document = self.document;
        let names = self.children(Tag::Object).filter(move |name| !document.is_overridden(*name));
        names.filter_map(move |name| {
            Some((document.text_of(name)?, Value { document, index: name + 1 }))
        })
    }

    /// The first name of this object that a later member overrides; nested objects are not searched.
    #[must_use]
    pub fn repeated_name(self) -> Option<Cow<'d, str>> {
        let document = self.document;
        let mut names = self.children(Tag::Object).filter(|name| document.is_overridden(*name));
        let repeated = document.has_repeated_names.then(|| names.next()).flatten()?;
        document.text_of(repeated).map(Text::to_cow)
    }

    /// Requires that this object, the arguments of a caller, has only these members, each once.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownArgument`] for an unknown name: to ignore the argument would make the answer look like that to another
    /// question. [`ErrorKind::RepeatedArgument`] for a name that is given twice.
    pub fn require_arguments(self, known: &[&str]) -> Result<(), Error> {
        if let Some(name) = self.repeated_name() {
            let name = name.into_owned();
            return Err(Error::new(ErrorKind::RepeatedArgument { name }));
        }
        for (name, _) in self.members() {
            let name = name.to_cow();
            if !known.contains(&name.as_ref()) {
                return Err(Error::new(ErrorKind::UnknownArgument {
                    name: excerpt(&name),
                    known: known.join(", "),
                }));
            }
        }
        Ok(())
    }

    /// The number of values and names in this value, itself included.
    pub fn span(self) -> usize {
        self.document.node(self.index).map_or(1, JsonNode::span)
    }

    /// Whether any object of the whole document repeats a name.
    pub fn has_repeated_names(self) -> bool {
        self.document.has_repeated_names
    }

    /// The elements, if this is an array.
    pub fn elements(self) -> impl Iterator<Item = Value<'d>> + Clone + use<'d> {
        let document = self.document;
        self.children(Tag::Array).map(move |index| Value { document, index })
    }

    /// Whether this is the outermost value.
    #[must_use]
    pub fn is_root(self) -> bool {
        self.index == 0
    }

    /// Whether both are the same value of the same document, not merely equal ones.
    #[must_use]
    pub fn is_same_place(self, other: Self) -> bool {
        std::ptr::eq(self.document, other.document) && self.index == other.index
    }

    fn children(self, of: Tag) -> Children<'d> {
        let document = self.document;
        let (next, end) = match document.node(self.index) {
            Some(node) if node.tag() == of => (self.index + 1, self.index + node.span()),
            _ => (0, 0),
        };
        let names = usize::from(of == Tag::Object);
        Children { document, next, end, names }
    }

    /// The value as written in the text.
    #[must_use]
    pub fn source(self) -> &'d str {
        let Some(node) = self.document.node(self.index) else {
            return "";
        };
        let start = node.start as usize;
        let end = match node.tag() {
            Tag::Array | Tag::Object => scan::end_of_container(self.document.text, start),
            Tag::String | Tag::EscapedString => start + node.payload() + 2,
            _ => start + node.payload(),
        };
        self.document.text.part(start..end)
    }

    /// The byte offset of this value in the text.
    #[must_use]
    pub fn offset(self) -> usize {
        self.document.node(self.index).map_or(0, |node| node.start as usize)
    }

    /// The value at a JSON Pointer (RFC 6901), relative to this value.
    #[must_use]
    pub fn pointer(self, pointer: &str) -> Option<Value<'d>> {
        let Some(steps) = pointer.strip_prefix('/') else {
            return pointer.is_empty().then_some(self);
        };
        steps.split('/').try_fold(self, |value, step| match value.kind() {
            Kind::Array => value.elements().nth(step.parse().ok()?),
            _ => value.get(&step.replace("~1", "/").replace("~0", "~")),
        })
    }

    /// The location of this value in the document.
    ///
    /// This walks the document from its root: suitable for reports, too slow for loops.
    #[must_use]
    pub fn location(self) -> Location {
        self.located().known()
    }

    fn located(self) -> Option<Location> {
        let mut path = String::new();
        let mut at = self.document.root();
        while at.index != self.index {
            at = at.step_towards(self.index, &mut path)?;
        }
        Some(self.document.location(path, self.offset()))
    }

    /// The child that contains the node. Appends its step to the path.
    fn step_towards(self, index: usize, path: &mut String) -> Option<Value<'d>> {
        let document = self.document;
        let holds = |child: usize| {
            let span = document.node(child).map_or(0, JsonNode::span);
            (child..child + span).contains(&index).then_some(Value { document, index: child })
        };
        if self.tag() == Tag::Array {
            let (position, child) = self
                .elements()
                .enumerate()
                .find_map(|(n, child)| Some((n, holds(child.index)?)))?;
            write!(path, "/{position}").ok()?;
            return Some(child);
        }
        let (name, child) = self
            .children(Tag::Object)
            .find_map(|name| Some((document.text_of(name)?, holds(name + 1)?)))?;
        push_step(path, &name.to_cow());
        Some(child)
    }

    /// This value as a `serde_json::Value`, with numbers as that crate reads them.
    #[must_use]
    pub fn to_serde(self) -> serde_json::Value {
        match self.tag() {
            Tag::Null => serde_json::Value::Null,
            Tag::False => serde_json::Value::Bool(false),
            Tag::True => serde_json::Value::Bool(true),
            Tag::Number => number_to_serde(self.source()),
            Tag::String | Tag::EscapedString => {
                serde_json::Value::String(self.as_str().known().into_owned())
            }
            Tag::Array => serde_json::Value::Array(self.elements().map(Value::to_serde).collect()),
            Tag::Object => serde_json::Value::Object(
                self.members()
                    .map(|(name, value)| (name.to_cow().into_owned(), value.to_serde()))
                    .collect(),
            ),
        }
    }

    fn tag(self) -> Tag {
        self.document.node(self.index).map_or(Tag::Null, JsonNode::tag)
    }
}

/// An iterator over the starts of the children of an array or object: its elements, or the names of its members.
#[derive(Clone, Copy, Debug)]
struct Children<'d> {
    document: &'d Document<'d>,
    next: usize,
    end: usize,
    /// How many nodes precede the value of a child: 1 for its name in an object, else 0.
    names: usize,
}

impl Iterator for Children<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.next >= self.end {
            return None;
        }
        let child = self.next;
        let value = child + self.names;
        // After a syntax error, the last name may have no value.
        self.next = value + self.document.node(value).map_or(1, JsonNode::span);
        Some(child)
    }
}

fn number_to_serde(written: &str) -> serde_json::Value {
    if let Ok(number) = written.parse::<u64>() {
        return number.into();
    }
    // `-0` is a float, as `serde_json` reads it.
    match written.parse::<i64>() {
        Ok(number) if number != 0 => number.into(),
        _ => written.parse::<f64>().map_or(serde_json::Value::Null, serde_json::Value::from),
    }
}
