//! Paths: names of fields in an event, looked up in the one table of fields.

use super::mark::ExaminedAs;
use crate::field::{self, Content, Count, Field, Form, ValueKind, Word};
use crate::json::{Kind, Value};

/// How many paths a rule or a set may name.
pub(super) const MAX_PATHS: usize = 64;

/// What a rule judges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RuleTarget {
    /// The texts in `@context`, of the document and of events.
    Context,
    /// Each value of a field.
    Field(Path),
}

/// A field of an event, or something in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path {
    /// The number of the event's field.
    pub(super) number: u8,
    /// The names of the members from there to the value.
    pub(super) inner: Vec<Word>,
    pub(super) leaf: Leaf,
    /// Whether an event may have several values there.
    pub(super) is_many: bool,
}

/// The kind of value at the end of a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Leaf {
    /// An object, or the objects of a list.
    Group(&'static [Field]),
    /// A text, a number, a boolean.
    Value(ValueKind),
    /// The text in an object with a type: a business transaction, a source, a destination.
    TypedText,
}

impl PartialEq for Leaf {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Group(one), Self::Group(other)) => std::ptr::eq(*one, *other),
            (Self::Value(one), Self::Value(other)) => one == other,
            (Self::TypedText, Self::TypedText) => true,
            _ => false,
        }
    }
}

impl Eq for Leaf {}

impl Leaf {
    /// How these values are examined.
    pub(super) fn examined_as(self) -> ExaminedAs {
        match self {
            Self::Group(_) => ExaminedAs::Nothing,
            Self::Value(kind) => ExaminedAs::of(kind),
            Self::TypedText => ExaminedAs::Identifier,
        }
    }

    pub(super) fn is_text(self) -> bool {
        match self {
            Self::Group(_) => false,
            Self::Value(kind) => !matches!(kind, ValueKind::Number | ValueKind::Boolean),
            Self::TypedText => true,
        }
    }

    pub(super) fn is_time(self) -> bool {
        matches!(self, Self::Value(ValueKind::Time))
    }

    pub(super) fn is_number(self) -> bool {
        matches!(self, Self::Value(ValueKind::Number))
    }
}

/// A position on a path while it is resolved.
struct PathCursor {
    leaf: Leaf,
    is_many: bool,
    /// In an object with a type: the name of the member that holds the text.
    typed: Option<&'static str>,
}

impl PathCursor {
    fn of(field: &'static Field) -> Self {
        let (item, is_many) = match field.count {
            Count::List(item) | Count::Joined(item) => (item, true),
            Count::Many | Count::Each => (field, true),
            Count::One => (field, false),
        };
        match item.content {
            Content::Value(kind) => Self {
                leaf: Leaf::Value(kind),
                is_many,
                typed: None,
            },
            Content::Group(group) => Self {
                leaf: Leaf::Group(group.parts),
                is_many,
                typed: (group.form == Form::Typed).then_some(item.name),
            },
        }
    }

    fn step(self, name: &str) -> Option<(Self, Word)> {
        let Leaf::Group(parts) = self.leaf else {
            return None;
        };
        let word = Word::find(name)?;
        if self.typed == Some(name) {
            let at = Self {
                leaf: Leaf::TypedText,
                is_many: self.is_many,
                typed: None,
            };
            return Some((at, word));
        }
        let part = parts.iter().find(|part| part.word == word)?;
        let at = Self::of(part);
        let is_many = at.is_many || self.is_many;
        Some((Self { is_many, ..at }, word))
    }
}

/// How many names a path has at most.
const MAX_STEPS: usize = 8;

impl Path {
    /// The path with these names, if the standard has it.
    pub(super) fn find(text: &str) -> Option<Self> {
        let mut names = text.split('.').take(MAX_STEPS);
        let (number, field) = field::of_event(names.next()?)?;
        let mut at = PathCursor::of(field);
        let mut inner = Vec::new();
        for name in names {
            let (next, word) = at.step(name)?;
            inner.push(word);
            at = next;
        }
        Some(Self {
            number,
            inner,
            leaf: at.leaf,
            is_many: at.is_many,
        })
    }

    /// Resolves names relative to a value of this path: their words, the kind of value there, and whether there may be several.
    pub(super) fn below(&self, text: &str) -> Option<(Vec<Word>, Leaf, bool)> {
        let mut at = PathCursor {
            leaf: self.leaf,
            is_many: false,
            typed: self.typed(),
        };
        let mut inner = Vec::new();
        for name in text.split('.').take(MAX_STEPS) {
            let (next, word) = at.step(name)?;
            inner.push(word);
            at = next;
        }
        Some((inner, at.leaf, at.is_many))
    }

    /// The name of the member that holds the text, if the path leads to objects with a type.
    fn typed(&self) -> Option<&'static str> {
        let field = field::EVENT.get(usize::from(self.number))?;
        match field.count {
            Count::List(item) if item.is_typed() && self.inner.is_empty() => Some(item.name),
            _ => None,
        }
    }
}

/// Whether a test holds for a value at the end of a path; in a list, for any of its elements.
///
/// The recursion follows a path of the standard, not the document: a list in a list is skipped.
pub(super) fn any<'d>(
    value: Value<'d>,
    inner: &[Word],
    test: &mut dyn FnMut(Value<'d>) -> bool,
) -> bool {
    if value.kind() == Kind::Array {
        let mut elements = value.elements();
        return elements
            .any(|element| element.kind() != Kind::Array && any_in(element, inner, test));
    }
    any_in(value, inner, test)
}

fn any_in<'d>(value: Value<'d>, inner: &[Word], test: &mut dyn FnMut(Value<'d>) -> bool) -> bool {
    match inner.split_first() {
        None => test(value),
        Some((word, rest)) => value
            .get(word.name())
            .is_some_and(|member| any(member, rest, test)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_standard() {
        for (path, is_many, is_text) in [
            ("eventID", false, true),
            ("epcList", true, true),
            ("readPoint.id", false, true),
            ("readPoint", false, false),
            ("quantityList", true, false),
            ("quantityList.quantity", true, false),
            ("bizTransactionList.bizTransaction", true, true),
            ("bizTransactionList.type", true, true),
            ("sensorElementList.sensorReport.type", true, true),
            ("errorDeclaration.correctiveEventIDs", true, true),
            ("persistentDisposition.set", true, true),
        ] {
            let found = Path::find(path).unwrap_or_else(|| panic!("{path}"));
            assert_eq!(
                (found.is_many, found.leaf.is_text()),
                (is_many, is_text),
                "{path}"
            );
        }
        for path in [
            "",
            "epc",
            "epcList.epc",
            "eventID.x",
            "readPoint.name",
            "bizTransactionList.source",
            "sensorElementList.type",
            "readPoint.id.id",
        ] {
            assert_eq!(Path::find(path), None, "{path}");
        }
        let element = Path::find("sensorElementList").unwrap();
        assert!(element.below("sensorMetadata.startTime").is_some());
        assert!(element.below("startTime").is_none());
        let source = Path::find("sourceList").unwrap();
        assert_eq!(source.below("source").unwrap().1, Leaf::TypedText);
    }
}
