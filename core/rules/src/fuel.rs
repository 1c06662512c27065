//! The fuel of a caller's own packs: a counter of steps that ends a check at a limit.
//!
//! The unit is a step: about a nanosecond of the slower engine that this runs in. Work whose cost depends on both the pack and the
//! document takes its steps before it begins. The packs of this crate take none: their cost is known, and is proportional to the
//! document.

use super::texts::MAX_OTHER_TEXT;
use epcis_edge_text::json::{Kind, Text, Value};
use std::cell::Cell;

/// Deciding that a rule cannot hold, by the marks and fields alone.
pub(super) const FILTER: u64 = 4;
/// Evaluating a condition of any kind.
pub(super) const CONDITION: u64 = 24;
/// Passing a member of an object, or an element of a list.
pub(super) const MEMBER: u64 = 16;
/// Comparing the name of a member with a name outside of the standard.
pub(super) const NAME: u64 = 60;
/// Comparing the beginning or the end of a text.
pub(super) const TEXT: u64 = 8;
/// Reading the text of a value, whatever its length.
const VALUE: u64 = 16;
/// Reading a time, a number or a form.
pub(super) const READ: u64 = 60;
const READ_BYTE: u64 = 3;
/// Parsing an identifier.
const IDENTIFIER: u64 = 100;
/// A byte of an identifier that is parsed.
const IDENTIFIER_BYTE: u64 = 4;
/// Finding an identifier in a tree of all of them.
const LOOK_UP: u64 = 600;
/// A byte of a text whose escapes are resolved.
const ESCAPED_BYTE: u64 = 4;
/// A byte of a text to search for: the search first scans it once.
pub(super) const LOOKED_FOR: u64 = 6;
/// A byte of a text that is searched.
pub(super) const LOOKED_THROUGH: u64 = 2;
/// A value of a `@context` that is read.
const TERM: u64 = 300;
/// Comparing an instance with its other uses in the document, apart from sorting all of them.
const INSTANCE: u64 = 600;
/// Hashing a value of an event.
const HASHED: u64 = 300;
/// Hashing a byte of an event.
const HASHED_BYTE: u64 = 20;

/// The work that steps are taken for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Work {
    /// Collecting facts about the document for the pack of this number.
    Facts(usize),
    /// A condition on all events, by the numbers of its pack and its own.
    Condition(usize, usize),
    /// Evaluating the rule of this number.
    Rule(u16),
}

/// The steps that the caller's own packs may still take.
#[derive(Debug)]
pub(super) struct Fuel {
    limit: u64,
    left: Cell<u64>,
    is_empty: Cell<bool>,
    /// Whether the current work takes steps.
    is_counted: Cell<bool>,
    work: Cell<Work>,
}

impl Fuel {
    /// Fuel for `limit` steps.
    pub(super) fn new(limit: u64) -> Self {
        Self {
            limit,
            left: Cell::new(limit),
            is_empty: Cell::new(false),
            is_counted: Cell::new(false),
            work: Cell::new(Work::Facts(0)),
        }
    }

    /// Begins some work; `is_counted`: whether it is that of a caller's own pack.
    pub(super) fn begin(&self, work: Work, is_counted: bool) {
        // What was at work when the fuel ran out stays known, and nothing runs after it.
        if !self.is_empty.get() {
            self.work.set(work);
            self.is_counted.set(is_counted);
        }
    }

    /// Takes steps for the current work. Returns false if there are too few left; nothing may run then.
    pub(super) fn take(&self, steps: u64) -> bool {
        if !self.is_counted.get() {
            return true;
        }
        match self.left.get().checked_sub(steps) {
            Some(left) => self.left.set(left),
            None => {
                self.left.set(0);
                self.is_empty.set(true);
            }
        }
        !self.is_empty.get()
    }

    /// As [`take`](Self::take), for steps that are only counted if the current work takes any.
    pub(super) fn take_with(&self, steps: impl FnOnce() -> u64) -> bool {
        !self.is_counted.get() || self.take(steps())
    }

    /// Whether the limit was reached.
    pub(super) fn is_empty(&self) -> bool {
        self.is_empty.get()
    }

    /// The steps taken so far; if they were not enough, the work for which they were not.
    pub(super) fn taken(&self) -> Result<u64, Work> {
        if self.is_empty.get() { Err(self.work.get()) } else { Ok(self.limit - self.left.get()) }
    }

    /// The most steps.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }
}

/// The steps of finding a member by its name in the standard: of passing those before it.
pub(super) fn finding(value: Value<'_>, word: &str) -> u64 {
    let mut steps = 0;
    for (name, _) in value.members() {
        steps += if name.plain_text().is_some() { MEMBER } else { NAME };
        if name == word {
            break;
        }
    }
    steps
}

/// The steps of passing a member, to compare its name with one outside of the standard.
pub(super) fn naming(name: Text<'_>) -> u64 {
    match name.plain_text() {
        Some(plain) => NAME + plain.len() as u64 / 8,
        None => NAME + unescaping(name),
    }
}

fn unescaping(text: Text<'_>) -> u64 {
    ESCAPED_BYTE * text.written_length() as u64
}

/// The steps of looking into an object. Members that a later one overrides are passed in silence, so all are counted if there may be
/// any.
pub(super) fn entering(value: Value<'_>) -> u64 {
    match value.kind() == Kind::Object && value.has_repeated_names() {
        true => MEMBER * value.span() as u64,
        false => 0,
    }
}

/// The steps of reading the text of a value, if it has at most `most` bytes.
pub(super) fn reading(value: Value<'_>, most: usize) -> u64 {
    VALUE
        + match (value.kind(), value.as_text()) {
            (Kind::Object, _) => {
                MEMBER * value.span() as u64 + ESCAPED_BYTE * value.source().len() as u64
            }
            (_, Some(text)) if text.plain_text().is_none() && text.least_length() <= most => {
                unescaping(text)
            }
            _ => 0,
        }
}

/// The steps of reading a number, a time or a form of this many bytes.
pub(super) fn number(length: usize) -> u64 {
    READ + READ_BYTE * length as u64
}

/// The steps of reading a time of this many bytes, and its day.
pub(super) fn time(length: usize) -> u64 {
    READ + number(length.min(MAX_OTHER_TEXT))
}

/// The steps of parsing an identifier of this many bytes.
pub(super) fn identifier(length: usize) -> u64 {
    IDENTIFIER + IDENTIFIER_BYTE * length as u64
}

/// The steps of finding an identifier of this many bytes among `count`.
pub(super) fn look_up(length: usize, count: usize) -> u64 {
    let rounds = u64::from(count.max(1).ilog2());
    LOOK_UP + length as u64 * (IDENTIFIER_BYTE + rounds / 2)
}

/// The steps of reading the `@context` of an object.
pub(super) fn declaring(value: Value<'_>) -> u64 {
    TERM * value.get("@context").map_or(0, Value::span) as u64
}

/// The steps of passing over an event, or an element of master data, with its `@context`.
pub(super) fn passing_object(value: Value<'_>) -> u64 {
    CONDITION + 4 * value.span() as u64 + declaring(value)
}

/// The steps of sorting and comparing this many uses of instances.
pub(super) fn comparing(count: usize) -> u64 {
    let rounds = u64::from(count.max(1).ilog2());
    count as u64 * (INSTANCE + TEXT * rounds)
}

/// The steps of hashing an event.
pub(super) fn hashing(event: Value<'_>) -> u64 {
    HASHED * event.span() as u64 + HASHED_BYTE * event.source().len() as u64
}

/// The steps of comparing a text of this length with each of some.
pub(super) fn comparing_with(texts: &[String], length: usize) -> u64 {
    let texts = texts.iter();
    texts.map(|text| TEXT + text.len().min(length) as u64 / 8).fold(0, u64::saturating_add)
}
