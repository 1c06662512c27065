//! The subject of a condition, and which words of `is` apply to it.

use super::expression::Subject;
use super::mark::{self, ExaminedAs, WordTarget};
use super::path::{Leaf, Path, RuleTarget};
use super::values::{list, refused};
use crate::error::Error;
use crate::field;
use crate::json::{Kind, Value};

/// The subject of a condition: to the language one thing, though it may be several fields.
pub(super) struct Subjects<'d> {
    pub(super) subject: Subject,
    /// The kind of value of each field.
    leaves: Vec<Leaf>,
    /// The fields, if the subject is the judged value.
    fields: Vec<Path>,
    /// Whether it may have several values.
    is_many: bool,
    /// Whether it is the event as a whole.
    is_event: bool,
    written: Value<'d>,
}

impl<'d> Subjects<'d> {
    /// `operator`: that of the condition. Only `is` can apply to the event as a whole.
    pub(super) fn of(
        condition: Value<'d>,
        named: Option<Value<'d>>,
        at: &[RuleTarget],
        operator: &str,
    ) -> Result<Self, Error> {
        match named {
            Some(named) => Self::named(named, at),
            None if at.is_empty() && operator == "is" => Ok(Self {
                is_event: true,
                ..Self::judged(condition, at)
            }),
            None if at.is_empty() => {
                let expected =
                    "the member `value`: a rule without `at` judges the event, not one value";
                Err(refused(condition, expected))
            }
            None => Ok(Self::judged(condition, at)),
        }
    }

    fn judged(written: Value<'d>, at: &[RuleTarget]) -> Self {
        let mut fields = Vec::new();
        let mut leaves = Vec::new();
        for place in at {
            match place {
                RuleTarget::Context => leaves.push(Leaf::Value(field::ValueKind::Plain)),
                RuleTarget::Field(path) => {
                    leaves.push(path.leaf);
                    fields.push(path.clone());
                }
            }
        }
        let examined_as = leaves
            .first()
            .map_or(ExaminedAs::Nothing, |leaf| leaf.examined_as());
        Self {
            subject: Subject::Judged(examined_as),
            is_many: false,
            is_event: false,
            leaves,
            fields,
            written,
        }
    }

    /// The other side of a comparison: a field with one value.
    pub(super) fn other(value: Value<'d>, at: &[RuleTarget]) -> Result<Self, Error> {
        let other = Self::named(value, at)?;
        if other.is_many {
            return Err(refused(value, ONE_VALUE));
        }
        Ok(other)
    }

    /// `.` is the judged value, `.name` a member in it, any other path a field of the event.
    pub(super) fn named(value: Value<'d>, at: &[RuleTarget]) -> Result<Self, Error> {
        let Some(path) = value.as_str() else {
            return Err(refused(value, "a path, as a text"));
        };
        if path == "." && !at.is_empty() {
            return Ok(Self::judged(value, at));
        }
        let Some(inner) = path.strip_prefix('.') else {
            return Self::of_event(value, at);
        };
        let mut way = None;
        let mut is_many = false;
        let mut leaves = Vec::new();
        for place in at {
            let below = match place {
                RuleTarget::Field(path) => path.below(inner),
                RuleTarget::Context => None,
            };
            let Some((words, leaf, many)) = below else {
                return Err(refused(
                    value,
                    "something in each value that the rule judges",
                ));
            };
            leaves.push(leaf);
            is_many |= many;
            way = Some((words, leaf));
        }
        let Some((words, leaf)) = way else {
            return Err(refused(value, "a field of events: the rule has no `at`"));
        };
        Ok(Self {
            subject: Subject::Inside(words, leaf.examined_as()),
            leaves,
            is_many,
            is_event: false,
            fields: Vec::new(),
            written: value,
        })
    }

    fn of_event(value: Value<'d>, at: &[RuleTarget]) -> Result<Self, Error> {
        if at.contains(&RuleTarget::Context) {
            return Err(refused(value, "`.`: what is judged is no part of an event"));
        }
        let RuleTarget::Field(path) = place(value)? else {
            return Err(refused(value, "a field of events"));
        };
        // Reading a list again for each value of another list would cost too much.
        if path.is_many && !at.is_empty() {
            return Err(refused(value, ONE_VALUE));
        }
        Ok(Self {
            leaves: vec![path.leaf],
            is_many: path.is_many,
            is_event: false,
            subject: Subject::Event(path),
            fields: Vec::new(),
            written: value,
        })
    }

    pub(super) fn require(&self, what: &str, test: impl Fn(Leaf) -> bool) -> Result<(), Error> {
        if !self.leaves.is_empty() && self.leaves.iter().all(|leaf| test(*leaf)) {
            Ok(())
        } else {
            Err(refused(
                self.written,
                format!("a field of {what}, for this operator"),
            ))
        }
    }
}

const ONE_VALUE: &str =
    "a field with one value: a list cannot be asked about once for every value of another one";

/// A field of events, or `@context`.
pub(super) fn place(value: Value<'_>) -> Result<RuleTarget, Error> {
    let Some(path) = value.as_str() else {
        return Err(refused(value, "a path, as a text"));
    };
    if path == "@context" {
        return Ok(RuleTarget::Context);
    }
    Path::find(&path).map(RuleTarget::Field).ok_or_else(|| {
        refused(
            value,
            "a field of the standard, such as `bizStep`, `readPoint.id`, `quantityList.epcClass`",
        )
    })
}

/// The words of `is`, as bits.
pub(super) fn marks(operand: Value<'_>, of: &Subjects<'_>, is_certain: bool) -> Result<u64, Error> {
    let mut marks = 0;
    let mut add = |word: Value<'_>| {
        marks |= mark_of(word, of)?;
        Ok::<_, Error>(())
    };
    if operand.kind() == Kind::Array {
        for word in list(operand, 64)? {
            add(word)?;
        }
    } else {
        add(operand)?;
    }
    let of_document = marks & mark::OF_DOCUMENT;
    if of_document != 0 && (of_document != marks || !is_certain) {
        let expected = "what only the document tells by itself, and only in `all`";
        return Err(refused(operand, expected));
    }
    Ok(marks)
}

fn mark_of(value: Value<'_>, of: &Subjects<'_>) -> Result<u64, Error> {
    let name = value.as_str().unwrap_or_default();
    let Some(word) = mark::named(&name) else {
        let known: Vec<_> = mark::words().map(|word| word.name).collect();
        return Err(refused(value, format!("one of {}", known.join(", "))));
    };
    let fits = match word.target {
        WordTarget::Identifier => of
            .leaves
            .iter()
            .all(|leaf| leaf.examined_as() == ExaminedAs::Identifier),
        WordTarget::EventId => of
            .leaves
            .iter()
            .all(|leaf| leaf.examined_as() == ExaminedAs::EventId),
        WordTarget::Number => of.leaves.iter().all(|leaf| leaf.is_number()),
        WordTarget::Word => of
            .leaves
            .iter()
            .all(|leaf| matches!(leaf.examined_as(), ExaminedAs::Word(_))),
        WordTarget::Instance => of.are_fields(&[
            "epcList",
            "parentID",
            "childEPCs",
            "inputEPCList",
            "outputEPCList",
        ]),
        WordTarget::Child => of.are_fields(&["childEPCs"]),
        WordTarget::Name => of.are_fields(&["eventID"]),
        WordTarget::Corrective => of.are_fields(&["errorDeclaration.correctiveEventIDs"]),
        WordTarget::Event => of.is_event,
    };
    if fits
        && (of.is_event == (word.target == WordTarget::Event))
        && (of.is_event || !of.leaves.is_empty())
    {
        Ok(word.bit)
    } else {
        let of = word.target.described();
        Err(refused(value, format!("`{}` of {of} alone", word.name)))
    }
}

impl Subjects<'_> {
    /// Whether the judged values are all from these fields.
    fn are_fields(&self, names: &[&str]) -> bool {
        let known = |path: &Path| {
            names
                .iter()
                .any(|name| Path::find(name).as_ref() == Some(path))
        };
        !self.fields.is_empty()
            && self.fields.len() == self.leaves.len()
            && self.fields.iter().all(known)
    }
}
