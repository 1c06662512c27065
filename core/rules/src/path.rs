//! Paths: names of fields in an event, looked up in the one table of fields.

use super::fuel::{self, Fuel};
use super::mark::ExaminedAs;
use super::names::{NameId, NamesAt, PackNames};
use epcis_edge_document::event::WHOLE;
use epcis_edge_document::field::{self, Content, Count, Field, FieldSet, Form, ValueKind, Word};
use epcis_edge_text::json::{Kind, Value};

/// The most paths that a rule or a set may name.
pub(super) const MAX_PATHS: usize = 64;

/// The values that a rule judges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RuleTarget {
    /// The texts in `@context`, of the document and of events.
    Context,
    /// Each value of a field.
    Field(Path),
    /// Each value at a name outside of the standard, or in the document around the events.
    Named(Path),
    /// Each element of a vocabulary in the header, which has this type.
    MasterData(String),
}

/// A step of a path: the name of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A name of the standard.
    Word(Word),
    /// Any other name.
    Name(NameId),
}

/// A field of an event, or a value inside of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path {
    /// The number of the event's field, or [`WHOLE`].
    pub(super) number: u8,
    /// The names of the members from there to the value.
    pub(super) inner: Vec<Step>,
    pub(super) leaf: Leaf,
    /// Whether an event may have several values there. For names outside of the standard this is unknown, and false.
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
    /// Whatever a name outside of the standard has: a text, a number, a boolean, or an object of such names.
    Open,
}

impl PartialEq for Leaf {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Group(one), Self::Group(other)) => std::ptr::eq(*one, *other),
            (Self::Value(one), Self::Value(other)) => one == other,
            (Self::TypedText, Self::TypedText) | (Self::Open, Self::Open) => true,
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
            Self::Open => ExaminedAs::Open,
        }
    }

    pub(super) fn is_text(self) -> bool {
        match self {
            Self::Group(_) => false,
            Self::Value(kind) => !matches!(kind, ValueKind::Number | ValueKind::Boolean),
            Self::TypedText | Self::Open => true,
        }
    }

    pub(super) fn is_time(self) -> bool {
        matches!(self, Self::Value(ValueKind::Time) | Self::Open)
    }

    pub(super) fn is_number(self) -> bool {
        matches!(self, Self::Value(ValueKind::Number) | Self::Open)
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
            Content::Value(kind) => Self { leaf: Leaf::Value(kind), is_many, typed: None },
            Content::Group(group) => Self {
                leaf: Leaf::Group(group.parts),
                is_many,
                typed: (group.form == Form::Typed).then_some(item.name),
            },
        }
    }

    /// In a value of a name outside of the standard.
    const OPEN: Self = Self { leaf: Leaf::Open, is_many: false, typed: None };

    /// The next step. `names`: those of the pack, if its language has names outside of the standard.
    fn step(self, name: &str, names: Option<&mut PackNames>) -> Option<(Self, Step)> {
        let parts = match self.leaf {
            Leaf::Group(parts) => parts,
            Leaf::Open => {
                let id = names?.number(name, true)?;
                return Some((Self::OPEN, Step::Name(id)));
            }
            Leaf::Value(_) | Leaf::TypedText => return None,
        };
        if name.contains(':') {
            let id = names?.number(name, false)?;
            return Some((Self::OPEN, Step::Name(id)));
        }
        let word = Word::find(name)?;
        if self.typed == Some(name) {
            let at = Self { leaf: Leaf::TypedText, is_many: self.is_many, typed: None };
            return Some((at, Step::Word(word)));
        }
        let part = parts.iter().find(|part| part.word == word)?;
        let at = Self::of(part);
        let is_many = at.is_many || self.is_many;
        Some((Self { is_many, ..at }, Step::Word(word)))
    }

    /// Where steps lead from here; the steps are added to `inner`.
    fn follow<'t>(
        mut self,
        steps: impl Iterator<Item = &'t str>,
        mut names: Option<&mut PackNames>,
        mut inner: Vec<Step>,
    ) -> Option<(Vec<Step>, Leaf, bool)> {
        for name in steps {
            let (next, step) = self.step(name, names.as_deref_mut())?;
            inner.push(step);
            self = next;
        }
        Some((inner, self.leaf, self.is_many))
    }
}

/// Resolves names in an element of master data. Its attributes are no members of it, but elements of a list.
pub(super) fn below_element(text: &str, names: &mut PackNames) -> Option<(Vec<Step>, Leaf, bool)> {
    if text.contains(':') {
        return None;
    }
    PathCursor::OPEN.follow(steps_of(text)?, Some(names), Vec::new())
}

/// The most names in a path.
const MAX_STEPS: usize = 8;

/// The names of a path; none if there are too many.
fn steps_of(path: &str) -> Option<impl Iterator<Item = &str>> {
    (path.split('.').count() <= MAX_STEPS).then(|| path.split('.'))
}

/// The members of a document around its events that rules may name.
const OF_DOCUMENT: [&str; 6] =
    ["schemaVersion", "creationDate", "sender", "receiver", "instanceIdentifier", "epcisHeader"];

impl Path {
    /// The path with these names, if the standard has it.
    pub(super) fn find(text: &str) -> Option<Self> {
        Self::in_event(text, None)
    }

    /// The path in an event; `names` as in [`PathCursor::step`].
    pub(super) fn in_event(text: &str, mut names: Option<&mut PackNames>) -> Option<Self> {
        let mut steps = steps_of(text)?;
        let first = steps.next()?;
        let (number, at, inner) = if first.contains(':') {
            let id = names.as_deref_mut()?.number(first, false)?;
            (WHOLE, PathCursor::OPEN, vec![Step::Name(id)])
        } else {
            let (number, field) = field::of_event(first)?;
            (number, PathCursor::of(field), Vec::new())
        };
        let (inner, leaf, is_many) = at.follow(steps, names, inner)?;
        Some(Self { number, inner, leaf, is_many })
    }

    /// The path in the document around the events.
    pub(super) fn in_document(text: &str, names: &mut PackNames) -> Option<Self> {
        let first = text.split('.').next()?;
        if !OF_DOCUMENT.contains(&first) {
            return None;
        }
        let steps = steps_of(text)?.map(|name| names.number(name, true).map(Step::Name));
        Some(Self {
            number: WHOLE,
            inner: steps.collect::<Option<_>>()?,
            leaf: Leaf::Open,
            is_many: false,
        })
    }

    /// Whether all its names are of the standard.
    pub(super) fn is_of_standard(&self) -> bool {
        self.number != WHOLE && !self.inner.iter().any(|step| matches!(step, Step::Name(_)))
    }

    /// The field as a bit; none for the event itself, which is always there.
    pub(super) fn field_bit(&self) -> FieldSet {
        if self.number == WHOLE {
            return 0;
        }
        1 << self.number
    }

    /// Resolves names relative to a value of this path: their steps, the kind of value there, and whether there may be several.
    pub(super) fn below(
        &self,
        text: &str,
        names: Option<&mut PackNames>,
    ) -> Option<(Vec<Step>, Leaf, bool)> {
        let at = PathCursor { leaf: self.leaf, is_many: false, typed: self.typed() };
        at.follow(steps_of(text)?, names, Vec::new())
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

/// Whether a test holds for a value at the end of a path; in a list, for any of its elements. Ends early without fuel.
///
/// The recursion follows a path of a pack, not the document: a list in a list is skipped.
#[inline]
pub(super) fn any<'d>(
    value: Value<'d>,
    inner: &[Step],
    (names, fuel): (NamesAt<'_, '_>, &Fuel),
    test: &mut dyn FnMut(Value<'d>) -> bool,
) -> bool {
    if value.kind() == Kind::Array {
        let mut elements = value.elements();
        return elements.any(|element| {
            !fuel.take(fuel::MEMBER)
                || element.kind() != Kind::Array && any_in(element, inner, (names, fuel), test)
        });
    }
    any_in(value, inner, (names, fuel), test)
}

fn any_in<'d>(
    value: Value<'d>,
    inner: &[Step],
    (names, fuel): (NamesAt<'_, '_>, &Fuel),
    test: &mut dyn FnMut(Value<'d>) -> bool,
) -> bool {
    let Some((step, rest)) = inner.split_first() else { return test(value) };
    if !fuel.take_with(|| fuel::entering(value)) {
        return true;
    }
    match step {
        Step::Word(word) => {
            let word = word.name();
            if !fuel.take_with(|| fuel::finding(value, word)) {
                return true;
            }
            value.get(word).is_some_and(|member| any(member, rest, (names, fuel), test))
        }
        // Two members may have the same name, written in two ways.
        Step::Name(id) => value.members().any(|(name, member)| {
            if !fuel.take_with(|| fuel::naming(name)) {
                return true;
            }
            let is_it = match name.plain_text() {
                Some(plain) => names.are(*id, plain),
                None => names.are(*id, &name.to_cow()),
            };
            is_it && any(member, rest, (names, fuel), test)
        }),
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
            assert_eq!((found.is_many, found.leaf.is_text()), (is_many, is_text), "{path}");
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
        assert!(element.below("sensorMetadata.startTime", None).is_some());
        assert!(element.below("startTime", None).is_none());
        let source = Path::find("sourceList").unwrap();
        assert_eq!(source.below("source", None).unwrap().1, Leaf::TypedText);
    }
}
