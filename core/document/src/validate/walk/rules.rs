//! The rules of the schema for a value, written once for values as text and for values with nodes.

use super::{accepts, bytes, choice_end, node};
use crate::validate::message::refuses;
use epcis_edge_schema::{Choice, Id, Node, Test, Type};
use epcis_edge_text::json::{Cursor, Kind, Value};
use std::borrow::Cow;
use std::iter;

/// A value that rules are checked on. Rules that do not concern it, or that were checked while it was read, are met.
pub(super) trait Subject: Copy {
    fn kind(self) -> Kind;

    /// The text of a string, without its escapes; `None` for other values.
    fn text(&self) -> Option<Cow<'_, [u8]>>;

    /// Whether one of the nodes of a choice accepts it.
    fn fits(self, choice: &Choice) -> bool;

    /// Whether a list has at least this many entries.
    fn has_entries(self, _least: usize) -> bool {
        true
    }

    /// Whether all entries of a list differ. True for other values.
    fn is_unique(self) -> bool {
        true
    }

    /// Whether an object has all of these members.
    fn has_members(self, _names: &[&str]) -> bool {
        true
    }

    /// Whether a rule about names allows all members of an object.
    fn allows_names(self, _test: &Test) -> bool {
        true
    }
}

/// Whether a value fulfils a rule.
pub(super) fn holds(test: &Test, value: impl Subject) -> bool {
    match test {
        Test::AnyOf(choice) => value.fits(choice),
        Test::Nothing => false,
        Test::Type(wanted) => type_of(value.kind()) == *wanted,
        Test::OneOf(words) => value.text().is_some_and(|text| words.contains(&text)),
        Test::Format(format) => value.text().is_none_or(|text| format.matches(&text)),
        Test::Pattern(pattern) => value.text().is_none_or(|text| pattern.matches(&text)),
        Test::MinItems(least) => value.kind() != Kind::Array || value.has_entries(*least),
        Test::Unique => value.is_unique(),
        Test::Required(names) => value.kind() != Kind::Object || value.has_members(names),
        Test::Names(_) | Test::NoOther(_) => value.allows_names(test),
    }
}

pub(super) fn type_of(kind: Kind) -> Type {
    match kind {
        Kind::Null => Type::Null,
        Kind::Boolean => Type::Boolean,
        Kind::Number => Type::Number,
        Kind::String => Type::String,
        Kind::Array => Type::Array,
        Kind::Object => Type::Object,
    }
}

/// The rules of a node at the positions of the bits in `left`.
pub(super) fn rules(node: &'static Node, mut left: u32) -> impl Iterator<Item = &'static Test> {
    iter::from_fn(move || {
        let rule = node.rules.get(left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(&rule.test)
    })
}

/// Whether a node accepts a string, given without its escapes.
pub(super) fn accepts_string(node: &'static Node, text: &[u8]) -> bool {
    rules(node, node.left.strings).all(|test| holds(test, text))
}

/// A string without its escapes.
impl Subject for &[u8] {
    fn kind(self) -> Kind {
        Kind::String
    }

    fn text(&self) -> Option<Cow<'_, [u8]>> {
        Some(Cow::Borrowed(self))
    }

    fn fits(self, choice: &Choice) -> bool {
        let mut nodes = choice.strings.iter();
        nodes.any(|&id| node_of_string(id).is_some_and(|node| accepts_string(node, self)))
    }
}

/// The node with all rules for a string, if strings are allowed.
fn node_of_string(id: Id) -> Option<&'static Node> {
    let known = node(id);
    let chosen = match known.branch {
        Some(branch) => node(branch.no_object),
        None => known,
    };
    (chosen.kinds & Type::String as u8 != 0).then_some(chosen)
}

/// A value in a text that is not a string, and that was read to its end.
#[derive(Clone, Copy)]
pub(super) struct TextValue<'t> {
    pub(super) text: &'t str,
    /// The byte offset in the text where it begins.
    pub(super) place: usize,
    pub(super) depth: usize,
    pub(super) kind: Kind,
    /// The number of entries of a list.
    pub(super) count: usize,
}

impl Subject for TextValue<'_> {
    fn kind(self) -> Kind {
        self.kind
    }

    fn text(&self) -> Option<Cow<'_, [u8]>> {
        None
    }

    fn fits(self, choice: &Choice) -> bool {
        choice_end(choice, self.text, self.place, self.depth).is_some()
    }

    fn has_entries(self, least: usize) -> bool {
        self.count >= least
    }

    fn is_unique(self) -> bool {
        let value = Cursor::at(self.text, self.place, self.depth);
        self.kind != Kind::Array || value.is_unique() == Some(true)
    }
}

impl Subject for Value<'_> {
    fn kind(self) -> Kind {
        self.kind()
    }

    fn text(&self) -> Option<Cow<'_, [u8]>> {
        self.as_text().map(bytes)
    }

    fn fits(self, choice: &Choice) -> bool {
        choice.nodes.iter().any(|&id| accepts(id, self))
    }

    fn has_entries(self, least: usize) -> bool {
        self.elements().take(least).count() == least
    }

    fn is_unique(self) -> bool {
        self.repeated_entry().is_none()
    }

    fn has_members(self, names: &[&str]) -> bool {
        names.iter().all(|name| self.get(name).is_some())
    }

    fn allows_names(self, test: &Test) -> bool {
        let mut members = self.members();
        members.all(|(name, _)| !refuses(test, &bytes(name)))
    }
}
