//! What the build makes of the schema: one node for each set of rules that meet at one place of a document.
//!
//! `allOf`, `$ref` and conditions are gone: what they lead to is merged into one node, so that a value is looked at once, and
//! all that is wrong with it is known together.

use crate::pattern::Pattern;
use crate::words::Words;

/// Where a node stands in the table.
pub type Id = u16;

/// What the schema says of a value at one place.
#[derive(Debug)]
pub struct Node {
    /// What it says of the value itself, in the order in which the schema says it.
    pub rules: &'static [Rule],
    /// The kinds of value that all rules about the type allow: bits of [`Type`].
    pub kinds: u8,
    /// Which of them are left to ask.
    pub left: Left,
    /// What it says of the members of an object.
    pub object: Option<&'static Object>,
    /// The node of the entries of an array.
    pub items: Option<Id>,
    /// Other nodes that take the place of this one, by the value of a member.
    pub branch: Option<&'static Branch>,
    /// Whether entries with a branch of their own are somewhere below: the events of a document.
    pub holds_branches: bool,
}

/// The rules that may still refuse a value when its type is among [`Node::kinds`] and its members were looked at, of equal ones
/// the first: a bit for each position in [`Node::rules`].
#[derive(Debug)]
pub struct Left {
    /// Of a string.
    pub strings: u32,
    /// Of an array.
    pub arrays: u32,
    /// Of any other value.
    pub others: u32,
}

/// One keyword of the schema.
#[derive(Debug)]
pub struct Rule {
    /// JSON Pointer of the keyword in the schema, references resolved.
    pub place: &'static str,
    /// What it wants.
    pub test: Test,
}

/// What a keyword wants of a value.
#[derive(Debug)]
pub enum Test {
    /// `additionalProperties: false`: no members but these, which are all in `properties`.
    NoOther(&'static [&'static str]),
    /// `anyOf`: what one of some nodes says.
    AnyOf(Choice),
    /// `enum`: one of these words.
    OneOf(Words),
    /// `format`.
    Format(Format),
    /// `minItems`.
    MinItems(usize),
    /// `not: {}`: nothing at all.
    Nothing,
    /// `pattern`.
    Pattern(Pattern),
    /// `propertyNames`.
    Names(Names),
    /// `required`.
    Required(&'static [&'static str]),
    /// `type`.
    Type(Type),
    /// `uniqueItems`.
    Unique,
}

impl Test {
    /// A bit of its own for each keyword.
    #[must_use]
    pub fn bit(&self) -> u16 {
        1 << match self {
            Self::NoOther(_) => 0,
            Self::AnyOf(_) => 1,
            Self::OneOf(_) => 2,
            Self::Format(_) => 3,
            Self::MinItems(_) => 4,
            Self::Nothing => 5,
            Self::Pattern(_) => 6,
            Self::Names(_) => 7,
            Self::Required(_) => 8,
            Self::Type(_) => 9,
            Self::Unique => 10,
        }
    }

    /// The keyword.
    #[must_use]
    pub fn keyword(&self) -> &'static str {
        match self {
            Self::NoOther(_) => "additionalProperties",
            Self::AnyOf(_) => "anyOf",
            Self::OneOf(_) => "enum",
            Self::Format(_) => "format",
            Self::MinItems(_) => "minItems",
            Self::Nothing => "not",
            Self::Pattern(_) => "pattern",
            Self::Names(_) => "propertyNames",
            Self::Required(_) => "required",
            Self::Type(_) => "type",
            Self::Unique => "uniqueItems",
        }
    }
}

/// Nodes of which one must accept a value.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The nodes.
    pub nodes: &'static [Id],
    /// Those that may accept a string, lists of words first: they are told the soonest.
    pub strings: &'static [Id],
    /// The same for an object whose members are valid by themselves: sets of what may be known of them, each of which is
    /// enough. Empty where that does not decide.
    pub given: &'static [u64],
}

/// Which names the members of an object may have.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// These.
    pub words: Words,
    /// Those that are in format `uri`.
    pub uris: bool,
}

/// A format of the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `date-time` of RFC 3339.
    DateTime,
    /// `uri` of RFC 3986.
    Uri,
}

impl Format {
    /// The name of the format.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DateTime => "date-time",
            Self::Uri => "uri",
        }
    }

    /// Whether a text, without its escapes, is in this format.
    #[must_use]
    #[inline]
    pub fn matches(self, text: &[u8]) -> bool {
        match self {
            Self::DateTime => crate::moment::is_date_time_in_bytes(text),
            Self::Uri => crate::uri::is_uri(text),
        }
    }
}

/// The types of JSON that the schema speaks of; each is a bit of [`Node::kinds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `null`, which the schema never asks for.
    Null = 1,
    /// `boolean`
    Boolean = 2,
    /// `number`
    Number = 4,
    /// `string`
    String = 8,
    /// `array`
    Array = 16,
    /// `object`
    Object = 32,
}

impl Type {
    /// The name of the type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// What the schema says of the members of an object.
#[derive(Debug)]
pub struct Object {
    /// The names that it knows; their positions are those of the lists and bits below.
    pub names: Words,
    /// The nodes of the values.
    pub nodes: &'static [Id],
    /// The names that must be there.
    pub required: u64,
    /// The names that no rule refuses.
    pub allowed: u64,
    /// What other names may be there.
    pub others: Others,
    /// The names of which [`facts`](Self::facts) tell.
    pub asked: u64,
    /// What choices ask of members, beyond that they are there: bits that no name has.
    pub facts: &'static [Fact],
}

/// That a member is not there, or is what a node says.
#[derive(Debug)]
pub struct Fact {
    /// The bit of the name.
    pub member: u64,
    /// The node.
    pub node: Id,
    /// The bit of the fact.
    pub bit: u64,
}

/// What names may be there that the schema does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// All.
    Any,
    /// Those in format `uri`.
    Uris,
    /// None.
    None,
}

/// Nodes by the value of one member, which must be there.
#[derive(Debug)]
pub struct Branch {
    /// The name of the member.
    pub member: &'static str,
    /// JSON Pointer of the `required` that asks for the member.
    pub place: &'static str,
    /// The nodes of the values that are named.
    pub cases: Words,
    /// As many as there are cases.
    pub nodes: &'static [Id],
    /// The node of all other values.
    pub otherwise: Id,
    /// The node of what is no object.
    pub no_object: Id,
}
