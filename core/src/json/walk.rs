//! One pass over the values of a document, for those who look at each value once and in order.

use super::{Document, Node, Tag, Value};

/// A place in the flat document that moves forward: the next value, or the next member name.
///
/// Overridden members are passed like all others: see [`Value::has_repeated_names`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk<'d> {
    nodes: &'d [Node],
    text: &'d [u8],
    at: usize,
}

impl<'d> Walk<'d> {
    /// Where the next value or name stands on the tape; ends are such places too.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Goes into the object that comes next; returns its end.
    #[inline]
    pub(crate) fn enter_object(&mut self) -> Option<usize> {
        self.enter(Tag::Object)
    }

    /// Goes into the array that comes next; returns its end.
    #[inline]
    pub(crate) fn enter_array(&mut self) -> Option<usize> {
        self.enter(Tag::Array)
    }

    /// Whether an array with something in it comes next.
    #[inline]
    pub(crate) fn is_before_filled_array(&self) -> bool {
        self.peek()
            .is_some_and(|node| node.tag() == Tag::Array && node.payload() > 0)
    }

    /// Passes one value, with all that is inside, if it is of one of these kinds.
    #[inline]
    pub(crate) fn pass(&mut self, kinds: Kinds) -> bool {
        self.peek()
            .filter(|node| kinds.0 & (1 << (node.meta >> 28)) != 0)
            .map(|node| self.at += node.span())
            .is_some()
    }

    /// Passes one name, or one value that is a string, if it is written without escapes.
    #[inline]
    pub(crate) fn plain_text(&mut self) -> Option<&'d [u8]> {
        let node = self.peek()?;
        if node.tag() != Tag::String {
            return None;
        }
        self.at += 1;
        let start = node.start as usize + 1;
        self.text.get(start..start + node.payload())
    }

    #[inline]
    fn enter(&mut self, tag: Tag) -> Option<usize> {
        let node = self.peek()?;
        if node.tag() != tag {
            return None;
        }
        self.at += 1;
        Some(self.at + node.payload())
    }

    #[inline]
    fn peek(&self) -> Option<Node> {
        self.nodes.get(self.at).copied()
    }
}

/// A set of kinds of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u32);

impl Kinds {
    pub(crate) const ANY: Self = Self(u32::MAX);
    pub(crate) const ARRAY: Self = Self(1 << Tag::Array as u32);
    pub(crate) const BOOLEAN: Self = Self(1 << Tag::False as u32 | 1 << Tag::True as u32);
    pub(crate) const NUMBER: Self = Self(1 << Tag::Number as u32);
    pub(crate) const OBJECT: Self = Self(1 << Tag::Object as u32);
    pub(crate) const STRING: Self = Self(1 << Tag::String as u32 | 1 << Tag::EscapedString as u32);

    /// The kinds of both sets.
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl<'d> Value<'d> {
    /// A walk that starts with this value.
    pub(crate) fn walk(self) -> Walk<'d> {
        Walk {
            nodes: &self.document.nodes,
            text: self.document.text.as_bytes(),
            at: self.index,
        }
    }

    /// Whether a member name is overridden in this value, at any depth.
    pub(crate) fn has_repeated_names(self) -> bool {
        self.overridden_within() > 0
    }

    /// Whether a member name is overridden in this value, but not in the other, which is inside of it.
    pub(crate) fn has_repeated_names_outside(self, inner: Self) -> bool {
        self.overridden_within() > inner.overridden_within()
    }

    fn overridden_within(self) -> usize {
        let Document {
            overridden, nodes, ..
        } = self.document;
        if overridden.is_empty() {
            return 0;
        }
        let span = nodes.get(self.index).map_or(0, |node| node.span());
        let before =
            |end: usize| overridden.partition_point(|&overridden| (overridden as usize) < end);
        before(self.index + span) - before(self.index)
    }
}
