//! The data that a condition is evaluated on, and the values that its tests read.

use super::answers::EventAnswers;
use super::facts::{PackFacts, Place};
use super::fuel::{self, Fuel};
use super::mark::{ExaminedAs, Marks};
use super::names::NamesAt;
use super::path::{Path, Step, any};
use super::texts::{MAX_OTHER_TEXT, open_text, text};
use epcis_edge_document::event::Fields;
use epcis_edge_document::field::FieldSet;
use epcis_edge_text::json::{Document, Value};
use epcis_edge_text::time::Timestamp;
use std::borrow::Cow;

/// The values that a test reads; the test holds if it holds for one of them.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    /// The value that the rule judges.
    Judged(ExaminedAs),
    /// A value inside of it.
    Inside(Vec<Step>, ExaminedAs),
    /// A field of the event.
    Event(Path),
    /// A value from another place of the document, found by an identifier.
    Joined(Box<Joined>),
}

/// A value elsewhere in the document, found by an identifier.
#[derive(Clone, Debug)]
pub(super) struct Joined {
    /// Where the identifier stands.
    pub(super) key: Subject,
    pub(super) place: Place,
}

/// The data that an expression is evaluated on.
pub(super) struct Scope<'s, 'd> {
    pub(super) fields: &'s Fields<'d>,
    /// The value that the rule judges, or the event.
    pub(super) judged: Value<'d>,
    /// The marks of `judged`.
    pub(super) marks: Marks,
    pub(super) now: Option<&'s Now>,
    pub(super) answers: &'s EventAnswers,
    pub(super) document: &'d Document<'d>,
    /// The names of the rule's pack, at the place of the event.
    pub(super) names: NamesAt<'s, 'd>,
    /// The facts about the whole document that its pack needs.
    pub(super) facts: &'s PackFacts,
    /// The steps that it may take.
    pub(super) fuel: &'s Fuel,
}

/// The present.
#[derive(Debug)]
pub(super) struct Now {
    /// In seconds since 1970.
    pub(super) seconds: i64,
    /// A date so early that no time up to it is in the future, whatever its offset.
    pub(super) past: String,
}

impl Now {
    pub(super) fn at(milliseconds: u64) -> Self {
        const DAY: u64 = 86_400_000;
        let past = Timestamp::from_milliseconds(milliseconds.saturating_sub(2 * DAY));
        let mut past = past.to_string();
        past.truncate("YYYY-MM-DD".len());
        Self { seconds: Timestamp::from_milliseconds(milliseconds).seconds(), past }
    }
}

impl Subject {
    /// The field as a bit.
    pub(super) fn field(&self) -> FieldSet {
        match self {
            Self::Event(path) => path.field_bit(),
            Self::Judged(_) | Self::Inside(..) | Self::Joined(_) => 0,
        }
    }

    /// The first member on the path from the judged value.
    pub(super) fn word(&self) -> u128 {
        match self {
            Self::Inside(inner, _) => match inner.first() {
                Some(Step::Word(word)) => 1 << word.number(),
                Some(Step::Name(_)) | None => 0,
            },
            Self::Judged(_) | Self::Event(_) | Self::Joined(_) => 0,
        }
    }

    pub(super) fn examined_as(&self) -> ExaminedAs {
        match self {
            Self::Judged(examined_as) | Self::Inside(_, examined_as) => *examined_as,
            Self::Event(path) => path.leaf.examined_as(),
            Self::Joined(_) => ExaminedAs::Open,
        }
    }

    /// Whether its values may be of any kind and are then read as texts.
    pub(super) fn is_open(&self) -> bool {
        self.examined_as() == ExaminedAs::Open
    }

    /// Whether a test holds for one of the values.
    pub(super) fn any<'d>(
        &self,
        scope: &Scope<'_, 'd>,
        test: &mut dyn FnMut(Value<'d>) -> bool,
    ) -> bool {
        match self {
            Self::Judged(_) => test(scope.judged),
            Self::Inside(inner, _) => any(scope.judged, inner, (scope.names, scope.fuel), test),
            Self::Event(path) => {
                let value = scope.fields.get(path.number);
                value.is_some_and(|value| any(value, &path.inner, (scope.names, scope.fuel), test))
            }
            Self::Joined(joined) => joined.value(scope).is_some_and(test),
        }
    }

    /// As [`any`](Self::any), for the texts. An open value also gives the text of a number or boolean, and that beside attributes.
    pub(super) fn any_text(
        &self,
        scope: &Scope<'_, '_>,
        test: &mut dyn FnMut(&str) -> bool,
    ) -> bool {
        let most = match self {
            Self::Event(_) | Self::Joined(_) => MAX_OTHER_TEXT,
            Self::Judged(_) | Self::Inside(..) => usize::MAX,
        };
        let is_open = self.is_open();
        self.any(scope, &mut |value| {
            if !scope.fuel.take_with(|| fuel::reading(value, most)) {
                return true;
            }
            let found = if is_open { open_text(value, most) } else { text(value, most) };
            found.is_some_and(|text| test(&text))
        })
    }

    /// As [`any_text`](Self::any_text), for the other side of a comparison: of names outside of the standard, only the first value
    /// counts, so that two lists are never compared with each other.
    pub(super) fn any_other_text(
        &self,
        scope: &Scope<'_, '_>,
        test: &mut dyn FnMut(&str) -> bool,
    ) -> bool {
        if !self.is_open() {
            return self.any_text(scope, test);
        }
        let mut holds = false;
        self.any_text(scope, &mut |text| {
            holds = test(text);
            true
        });
        holds
    }

    /// As [`any`](Self::any), for the numbers.
    pub(super) fn any_number(
        &self,
        scope: &Scope<'_, '_>,
        test: &mut dyn FnMut(f64) -> bool,
    ) -> bool {
        let is_open = self.is_open();
        self.any(scope, &mut |value| {
            let written = match value.as_number() {
                Some(number) => Some(Cow::Borrowed(number)),
                None if is_open
                    && scope.fuel.take_with(|| fuel::reading(value, MAX_OTHER_TEXT)) =>
                {
                    open_text(value, MAX_OTHER_TEXT)
                }
                None => None,
            };
            let written = written.filter(|text| scope.fuel.take_with(|| fuel::number(text.len())));
            let number = written.and_then(|text| text.parse().ok());
            number.is_some_and(|number: f64| number.is_finite() && test(number))
        })
    }
}

impl Joined {
    /// The value, if the document has it.
    pub(super) fn value<'d>(&self, scope: &Scope<'_, 'd>) -> Option<Value<'d>> {
        let mut number = None;
        self.key.any_text(scope, &mut |id| {
            number = scope.facts.joined(self.place, id, scope.fuel);
            true
        });
        number.map(|number| scope.document.value_of(number))
    }
}
