//! The tables that the build makes from the schema: one node for each set of rules that apply at one place of a document.
//!
//! `allOf`, `$ref` and conditions are resolved: the rules that they lead to are merged into one node, so that a value is read once
//! and all its errors are found together.

use crate::pattern::Pattern;
use crate::words::Words;

/// The index of a node in the table.
pub type Id = u16;

/// The rules of the schema for a value at one place.
#[derive(Debug)]
pub struct Node {
    /// The rules for the value itself, in the order in which their errors are reported.
    pub rules: &'static [Rule],
    /// The types that all rules about the type allow together: bits of [`Type`].
    pub kinds: u8,
    /// The rules that remain to be checked after type and members.
    pub left: Left,
    /// The rules for the members, if the value is an object.
    pub object: Option<&'static Object>,
    /// The node of the entries of an array.
    pub items: Option<Id>,
    /// The nodes that replace this one, depending on the value of a member.
    pub branch: Option<&'static Branch>,
    /// Whether a node below this one has a branch, as that of the events of a document does.
    pub holds_branches: bool,
}

/// The rules that may still refuse a value when its type is among [`Node::kinds`] and its members were checked: a bit for each
/// position in [`Node::rules`]. Of equal rules only the first is included.
#[derive(Debug)]
pub struct Left {
    /// For a string.
    pub strings: u32,
    /// For an array.
    pub arrays: u32,
    /// For any other value.
    pub others: u32,
}

/// One keyword of the schema.
#[derive(Debug)]
pub struct Rule {
    /// JSON Pointer of the keyword in the schema, references resolved.
    pub place: &'static str,
    /// The test.
    pub test: Test,
}

/// The test of a keyword.
#[derive(Debug)]
pub enum Test {
    /// `additionalProperties: false`: no members but these, which are all in `properties`.
    NoOther(&'static [&'static str]),
    /// `anyOf`: one of some nodes must accept the value.
    AnyOf(Choice),
    /// `enum`: one of these words.
    OneOf(Words),
    /// `format`.
    Format(Format),
    /// `minItems`.
    MinItems(usize),
    /// `not: {}`: no value is accepted.
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

/// A choice of nodes, one of which must accept the value.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The nodes.
    pub nodes: &'static [Id],
    /// Those that may accept a string; those with an `enum` come first because they are checked the fastest.
    pub strings: &'static [Id],
    /// For an object whose members are valid by themselves: sets of facts about the members. The object is accepted if all facts of
    /// one set hold. Empty if the choice depends on more than such facts.
    pub given: &'static [u64],
}

/// Which names the members of an object may have.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// The allowed words.
    pub words: Words,
    /// Whether names in format `uri` are allowed as well.
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

    /// Whether a text, with its escapes resolved, is in this format.
    #[must_use]
    pub fn matches(self, text: &[u8]) -> bool {
        match self {
            Self::DateTime => crate::moment::is_date_time_in_bytes(text),
            Self::Uri => crate::uri::is_uri(text),
        }
    }
}

/// The types of JSON values; each is a bit of [`Node::kinds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `null`, which the schema never allows explicitly.
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

/// The rules of the schema for the members of an object.
#[derive(Debug)]
pub struct Object {
    /// The known names. Their positions are those of the lists and bits below.
    pub names: Words,
    /// The nodes of the members' values.
    pub nodes: &'static [Id],
    /// The required names.
    pub required: u64,
    /// The names that no rule refuses.
    pub allowed: u64,
    /// The other names that are allowed.
    pub others: Others,
    /// The names that occur in [`facts`](Self::facts).
    pub asked: u64,
    /// The facts about members that choices depend on, besides their presence. Their bits differ from those of the names.
    pub facts: &'static [Fact],
}

/// The fact that a member is absent or matches a node.
#[derive(Debug)]
pub struct Fact {
    /// The bit of the name.
    pub member: u64,
    /// The node.
    pub node: Id,
    /// The bit of the fact.
    pub bit: u64,
}

/// The allowed names among those that the schema does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// All names.
    Any,
    /// Those in format `uri`.
    Uris,
    /// No other names.
    None,
}

/// Nodes by the value of one member, which is required.
#[derive(Debug)]
pub struct Branch {
    /// The name of the member.
    pub member: &'static str,
    /// JSON Pointer of the `required` keyword that names the member.
    pub place: &'static str,
    /// The listed values.
    pub cases: Words,
    /// The node of each listed value.
    pub nodes: &'static [Id],
    /// The node of all other values.
    pub otherwise: Id,
    /// The node of a value that is not an object.
    pub no_object: Id,
}
