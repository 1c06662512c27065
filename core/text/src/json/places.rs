//! The locations of several values, found in one walk.

use super::{Document, JsonNode, Location, Tag, Value, push_step};
use crate::slice::Part;
use std::fmt::Write as _;

/// The byte order mark. It takes no column: no editor shows one.
pub const MARK: &[u8] = "\u{feff}".as_bytes();

/// Line and column, both from 1, of the byte that follows `before` in a document, which may begin with a byte order mark.
pub(super) fn place_after(before: &[u8]) -> (usize, usize) {
    line_and_column(before.strip_prefix(MARK).unwrap_or(before))
}

/// As `place_after`, in a text that does not begin with a byte order mark.
pub fn line_and_column(before: &[u8]) -> (usize, usize) {
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
    (line, column)
}

/// An array or object that contains the current position of the walk.
struct Inside {
    /// The next child: an element, or the name of a member.
    next: usize,
    end: usize,
    is_object: bool,
    /// How many elements came before the next one.
    position: usize,
    /// The length of the path without a step into this container.
    path: usize,
}

impl<'d> Value<'d> {
    /// The number of this value among all values and names, in document order.
    pub fn number(self) -> u32 {
        // INVARIANT: a text has at most MAX_LENGTH bytes, and not more values than bytes.
        self.index as u32
    }

    /// The value of the same document with a number from [`number`](Self::number), as [`Document::value_of`].
    pub fn numbered(self, number: u32) -> Value<'d> {
        self.document.value_of(number)
    }
}

impl Document<'_> {
    /// The value with a number from [`Value::number`]; the outermost value for any other number.
    pub fn value_of(&self, number: u32) -> Value<'_> {
        let index = number as usize;
        Value { document: self, index: if index < self.nodes.len() { index } else { 0 } }
    }

    /// The locations of the values with these numbers, which must ascend. A number outside the document ends the list.
    ///
    /// All are found in one walk, which enters only containers that hold one of them.
    pub fn places(&self, numbers: &[u32]) -> Vec<Location> {
        self.places_of(numbers.iter().copied()).collect()
    }

    /// As [`places`](Self::places), but lazily: a caller that stops early does not pay for the rest.
    pub fn places_of<'s>(
        &'s self,
        numbers: impl Iterator<Item = u32> + 's,
    ) -> impl Iterator<Item = Location> + 's {
        let mut wanted = numbers.map(|number| number as usize).peekable();
        let mut path = String::new();
        let mut open: Vec<Inside> = Vec::new();
        let mut lines = Lines::new(self.text());
        let mut at = 0;
        std::iter::from_fn(move || {
            loop {
                let node = self.node(at)?;
                if wanted.next_if_eq(&at).is_some() {
                    let (line, column) = lines.at(node.start as usize);
                    let path = path.clone();
                    return Some(Location { path, line, column });
                }
                let next = *wanted.peek()?;
                if next < at {
                    return None;
                }
                if next < at + node.span() {
                    open.push(Inside {
                        next: at + 1,
                        end: at + node.span(),
                        is_object: node.tag() == Tag::Object,
                        position: 0,
                        path: path.len(),
                    });
                }
                at = self.step(&mut open, next, &mut path)?;
            }
        })
    }

    /// The location of the first string that contains U+0000; for a name, that of its value.
    pub fn first_zero(&self) -> Option<Location> {
        const ZERO: &str = "\\u0000";
        // The character itself is not allowed in JSON, so it must be escaped.
        if !self.text.contains(ZERO) {
            return None;
        }
        let strings = self.nodes.iter().enumerate();
        let mut strings = strings.filter(|(_, node)| node.tag() == Tag::EscapedString);
        let (index, _) = strings.find(|(index, _)| {
            self.text_of(*index).is_some_and(|text| text.to_cow().contains('\0'))
        })?;
        let number = index as u32;
        let places = self.places(&[number]);
        places.into_iter().next().or_else(|| self.places(&[number + 1]).into_iter().next())
    }

    /// Moves to the child that leads to the wanted value and appends its step to the path.
    fn step(&self, open: &mut Vec<Inside>, wanted: usize, path: &mut String) -> Option<usize> {
        loop {
            let inside = open.last_mut()?;
            path.truncate(inside.path);
            if inside.next >= inside.end || wanted >= inside.end {
                open.pop();
                continue;
            }
            let child = inside.next;
            let value = child + usize::from(inside.is_object);
            inside.next = value + self.node(value).map_or(1, JsonNode::span);
            let position = inside.position;
            inside.position += 1;
            if wanted >= inside.next {
                continue;
            }
            if inside.is_object {
                push_step(path, &self.text_of(child)?.to_cow());
            } else {
                write!(path, "/{position}").ok()?;
            }
            return Some(value);
        }
    }
}

/// Counts lines and columns for ascending offsets of a text, which may begin with a byte order mark.
pub struct Lines<'t> {
    text: &'t [u8],
    /// The offset up to which lines were counted.
    at: usize,
    line: usize,
    /// The offset of the start of the line.
    start: usize,
}

impl<'t> Lines<'t> {
    /// The lines of a text, from its start.
    pub fn new(text: &'t str) -> Self {
        let text = text.as_bytes();
        Self { text, at: 0, line: 1, start: if text.starts_with(MARK) { MARK.len() } else { 0 } }
    }

    /// Line and column, both from 1.
    pub fn at(&mut self, offset: usize) -> (usize, usize) {
        let passed = self.text.part(self.at..offset);
        for end in memchr::memchr_iter(b'\n', passed) {
            self.line += 1;
            self.start = self.at + end + 1;
        }
        self.at = self.at.max(offset);
        (self.line, offset.saturating_sub(self.start) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers<'d>(value: Value<'d>, found: &mut Vec<Value<'d>>) {
        found.push(value);
        for element in value.elements() {
            numbers(element, found);
        }
        for (_, member) in value.members() {
            numbers(member, found);
        }
    }

    #[test]
    fn one_walk_finds_what_each_search_finds() {
        let text = "{\"a\": [1,\n  {\"b/~c\": {}, \"d\": [[], \"x\\ny\"]}],\n\"e\": \"\u{fc}\", \"f\": {\"g\":\n null}}";
        let document = Document::read(text.as_bytes()).unwrap();
        let mut values = Vec::new();
        numbers(document.root(), &mut values);
        assert_eq!(values.len(), 11);
        // Every subset of the values, including those with gaps.
        for subset in 0..1_u32 << values.len() {
            let wanted: Vec<_> = values
                .iter()
                .enumerate()
                .filter(|(at, _)| subset & 1 << at != 0)
                .map(|(_, value)| *value)
                .collect();
            let numbers: Vec<u32> = wanted.iter().map(|value| value.number()).collect();
            let expected: Vec<_> = wanted.iter().map(|value| value.location()).collect();
            assert_eq!(document.places(&numbers), expected, "{subset:b}");
        }
        let root = document.root().number();
        assert_eq!(document.places(&[root, root]).len(), 2);
    }
}
