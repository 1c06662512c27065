//! Estimates what a caller's own rules would cost on a document, before any of them runs.
//!
//! The unit is a step: about a nanosecond of the slower engine that this runs in. One pass over the events counts, for each path
//! that the rules name, the values there and their bytes. Each condition has a price per value and a price per byte. The estimate
//! assumes that no condition makes another one unnecessary, so it is an upper bound.
//!
//! The recursion here follows an expression of a pack, or a path of the standard, not the document.

use super::expression::{Expression, MAX_OTHER_TEXT, Subject, Test};
use super::fields::{COUNT, Fields};
use super::mark;
use super::pack::{Pack, Rule};
use super::path::{Path, RuleTarget};
use super::walk::{EventList, for_each_text};
use crate::field::Word;
use crate::json::{Document, Kind, Value};

/// The cost of evaluating one condition of any kind.
const CONDITION: u64 = 24;
/// The cost of skipping one member of an object in search of another.
const MEMBER: u64 = 10;
/// The cost of testing whether a text starts or ends with another, or can contain it at all.
const TEXT: u64 = 8;
/// The cost per byte of a text to search for: the search first scans it once.
const LOOKED_FOR: u64 = 6;
/// The cost per byte of the text that is searched.
const LOOKED_THROUGH: u64 = 2;
/// The cost of reading a time or a number.
const READ: u64 = 60;
/// The cost per byte of a time or a number.
const READ_BYTE: u64 = 3;
/// The cost of parsing an identifier.
const IDENTIFIER: u64 = 100;
/// The cost per byte of an identifier.
const IDENTIFIER_BYTE: u64 = 4;
/// The factor on bytes of a text with escapes, which is unescaped again for each condition.
const ESCAPED: u64 = 4;

/// The cost of rules on a document.
#[derive(Debug)]
pub(super) struct Cost {
    /// The steps of all rules.
    pub(super) steps: u64,
    /// The most expensive rule, as `pack/rule`, and its steps; none if there is no rule.
    pub(super) most: Option<(String, u64)>,
}

impl Cost {
    /// The cost of the caller's own packs on a document. The packs of this crate are not counted, since their cost is known.
    ///
    /// 0 if the document has no events; checking it then reports that.
    pub(super) fn of(packs: &[Pack], document: &Document<'_>) -> Self {
        let rules = || {
            let own = packs.iter().filter(|pack| !pack.is_built_in);
            own.flat_map(|pack| pack.rules.iter().map(move |rule| (pack, rule)))
        };
        let mut cost = Self {
            steps: 0,
            most: None,
        };
        if rules().next().is_none() {
            return cost;
        }
        let mut tally = Tally::new();
        for (_, rule) in rules() {
            tally.foresee(rule);
        }
        tally.count(document);
        for (pack, rule) in rules() {
            let steps = tally.steps_of(rule);
            cost.steps = cost.steps.saturating_add(steps);
            if cost.most.as_ref().is_none_or(|(_, most)| steps > *most) {
                cost.most = Some((format!("{}/{}", pack.name(), rule.id), steps));
            }
        }
        cost
    }
}

/// The number and size of the values at the end of a path, in all events together.
#[derive(Clone, Copy, Debug, Default)]
struct Amount {
    /// How many events have a value there.
    events: u64,
    /// The number of the last such event.
    last_event: u64,
    values: u64,
    /// The bytes of all texts and numbers, as written.
    bytes: u64,
    /// The bytes of the longest text or number.
    longest: u64,
    /// As `bytes` and `longest`, but only for texts short enough to be compared as another field.
    short_bytes: u64,
    longest_short: u64,
    /// The members of all objects, and of the largest one.
    members: u64,
    most_members: u64,
}

impl Amount {
    fn take_text(&mut self, value: Value<'_>) {
        let Some(text) = value.as_text() else { return };
        let mut length = value.source().len() as u64;
        if text.plain().is_none() {
            length *= ESCAPED;
        }
        self.take_bytes(length, text.least_length() <= MAX_OTHER_TEXT);
    }

    fn take_bytes(&mut self, length: u64, is_short: bool) {
        self.bytes += length;
        self.longest = self.longest.max(length);
        if is_short {
            self.short_bytes += length;
            self.longest_short = self.longest_short.max(length);
        }
    }
}

/// A place of events that rules name, or that lies on the way to one.
#[derive(Debug, Default)]
struct PathNode {
    amount: Amount,
    inner: Vec<(Word, Self)>,
}

impl PathNode {
    /// The place of a member, created if there is none.
    fn inner_made(&mut self, word: Word) -> Option<&mut Self> {
        let there = self.inner.iter().position(|(known, _)| *known == word);
        let at = there.unwrap_or_else(|| {
            self.inner.push((word, Self::default()));
            self.inner.len() - 1
        });
        self.inner.get_mut(at).map(|(_, place)| place)
    }

    fn inner(&self, word: Word) -> Option<&Self> {
        let mut inner = self.inner.iter();
        inner
            .find(|(known, _)| *known == word)
            .map(|(_, place)| place)
    }

    /// Counts a value of this place, or each element of a list.
    fn count(&mut self, value: Value<'_>, event: u64) {
        if value.kind() == Kind::Array {
            value
                .elements()
                .for_each(|element| self.count_one(element, event));
        } else {
            self.count_one(value, event);
        }
    }

    fn count_one(&mut self, value: Value<'_>, event: u64) {
        let amount = &mut self.amount;
        amount.values += 1;
        if amount.last_event != event {
            amount.last_event = event;
            amount.events += 1;
        }
        match value.kind() {
            Kind::String => amount.take_text(value),
            Kind::Number => amount.take_bytes(value.source().len() as u64, true),
            Kind::Object if !self.inner.is_empty() => {
                let mut members = 0;
                for (name, member) in value.members() {
                    members += 1;
                    let word = Word::of_text(name);
                    let inner = word.and_then(|word| {
                        let mut inner = self.inner.iter_mut();
                        inner.find(|(known, _)| *known == word)
                    });
                    if let Some((_, inner)) = inner {
                        inner.count(member, event);
                    }
                }
                let amount = &mut self.amount;
                amount.members += members;
                amount.most_members = amount.most_members.max(members);
            }
            Kind::Object | Kind::Array | Kind::Null | Kind::Boolean => {}
        }
    }
}

/// What a condition reads for one subject, over all its evaluations.
#[derive(Clone, Copy, Debug, Default)]
struct ReadVolume {
    values: u64,
    bytes: u64,
    longest: u64,
    /// The steps for finding the values.
    finding: u64,
}

/// How often a condition is evaluated, and on what.
#[derive(Clone, Copy)]
struct Evaluation<'r> {
    times: u64,
    /// The judged field and the size of its values; none if the event is judged.
    judged: Option<(Option<&'r Path>, Amount)>,
    /// How often each value is judged.
    again: u64,
    /// Whether it is evaluated once per event.
    is_once: bool,
}

/// The sizes of everything that the rules read.
#[derive(Debug)]
struct Tally {
    fields: Vec<Option<PathNode>>,
    context: Amount,
    events: u64,
}

impl Tally {
    fn new() -> Self {
        Self {
            fields: (0..COUNT).map(|_| None).collect(),
            context: Amount::default(),
            events: 0,
        }
    }

    /// Creates the places that a rule names.
    fn foresee(&mut self, rule: &Rule) {
        let paths = || {
            rule.at.iter().filter_map(|at| match at {
                RuleTarget::Field(path) => Some(path),
                RuleTarget::Context => None,
            })
        };
        for path in paths() {
            self.make(path, &[]);
        }
        rule.when.for_each_subject(&mut |subject| match subject {
            Subject::Judged(_) => {}
            Subject::Inside(inner, _) => paths().for_each(|path| self.make(path, inner)),
            Subject::Event(path) => self.make(path, &[]),
        });
    }

    fn make(&mut self, path: &Path, inner: &[Word]) {
        let Some(field) = self.fields.get_mut(usize::from(path.number)) else {
            return;
        };
        let mut place = field.get_or_insert_with(PathNode::default);
        for word in path.inner.iter().chain(inner) {
            match place.inner_made(*word) {
                Some(inner) => place = inner,
                None => return,
            }
        }
    }

    fn place(&self, path: &Path, inner: &[Word]) -> Option<&PathNode> {
        let field = self.fields.get(usize::from(path.number))?.as_ref()?;
        let mut words = path.inner.iter().chain(inner);
        words.try_fold(field, |place, word| place.inner(*word))
    }

    /// Counts the values at the places that were created.
    fn count(&mut self, document: &Document<'_>) {
        let root = document.root();
        let Some(events) = EventList::of(root) else {
            return;
        };
        let Self {
            fields,
            context,
            events: number,
        } = self;
        if let Some(around) = events.context_around(root) {
            for_each_text(around, |text| {
                context.values += 1;
                context.take_text(text);
            });
        }
        events.for_each(|event| {
            *number += 1;
            let found = Fields::of(document, event);
            if let Some(own) = found.context() {
                for_each_text(own, |text| {
                    context.values += 1;
                    context.take_text(text);
                });
            }
            for field in found.order() {
                let place = fields.get_mut(usize::from(*field)).and_then(Option::as_mut);
                if let (Some(place), Some(value)) = (place, found.get(*field)) {
                    place.count(value, *number);
                }
            }
        });
    }

    /// The cost of a rule.
    fn steps_of(&self, rule: &Rule) -> u64 {
        if rule.at.is_empty() {
            let asked = Evaluation {
                times: self.events,
                judged: None,
                again: 1,
                is_once: true,
            };
            return self.steps(&rule.when, asked);
        }
        // A rule on the whole document is evaluated once for each thing reported about a value.
        let told = rule.when.needed() & mark::OF_DOCUMENT;
        let again = u64::from(told.count_ones().max(1));
        let targets = rule.at.iter().map(|at| {
            let (path, amount) = match at {
                RuleTarget::Context => (None, self.context),
                RuleTarget::Field(path) => {
                    let place = self.place(path, &[]);
                    (
                        Some(path),
                        place.map_or_else(Amount::default, |place| place.amount),
                    )
                }
            };
            let asked = Evaluation {
                times: amount.values * again,
                judged: Some((path, amount)),
                again,
                is_once: false,
            };
            self.steps(&rule.when, asked)
        });
        targets.fold(0, u64::saturating_add)
    }

    fn steps(&self, expression: &Expression, asked: Evaluation<'_>) -> u64 {
        let here = asked.times.saturating_mul(CONDITION);
        let inside = match expression {
            Expression::All(parts) | Expression::Any(parts) => parts
                .iter()
                .map(|part| self.steps(part, asked))
                .fold(0, u64::saturating_add),
            Expression::Not(one) => self.steps(one, asked),
            Expression::Once { of, .. } => {
                let events = asked.judged.map_or(0, |(_, amount)| amount.events);
                let once = Evaluation {
                    times: events * asked.again,
                    is_once: true,
                    ..asked
                };
                self.steps(of, once)
            }
            Expression::Test { of, test } => {
                let looked = self.read_volume(of, asked);
                let is_judged = matches!(of, Subject::Judged(_));
                let (value, byte) = test.prices(is_judged, looked.longest);
                let other = test.other().map_or(0, |other| self.each(other, asked));
                looked
                    .values
                    .saturating_mul(value.saturating_add(other))
                    .saturating_add(looked.bytes.saturating_mul(byte))
                    .saturating_add(looked.finding)
            }
        };
        here.saturating_add(inside)
    }

    /// What a subject reads, in all.
    fn read_volume(&self, of: &Subject, asked: Evaluation<'_>) -> ReadVolume {
        match (of, asked.judged) {
            (Subject::Judged(_), Some((_, amount))) => ReadVolume {
                values: asked.times,
                bytes: amount.bytes * asked.again,
                longest: amount.longest,
                finding: 0,
            },
            (Subject::Inside(inner, _), Some((Some(path), _))) => {
                let Some(place) = self.place(path, inner) else {
                    return ReadVolume::default();
                };
                ReadVolume {
                    values: place.amount.values * asked.again,
                    bytes: place.amount.bytes * asked.again,
                    longest: place.amount.longest,
                    finding: self.finding(path, inner, |amount| amount.members) * asked.again,
                }
            }
            (Subject::Event(path), _) => {
                let Some(PathNode { amount, .. }) = self.place(path, &[]) else {
                    return ReadVolume::default();
                };
                let start = Path {
                    inner: Vec::new(),
                    ..path.clone()
                };
                if asked.is_once {
                    return ReadVolume {
                        values: amount.values * asked.again,
                        bytes: amount.short_bytes * asked.again,
                        longest: amount.longest_short,
                        finding: asked.again
                            * self.finding(&start, &path.inner, |amount| amount.members),
                    };
                }
                // A field with one value, read for each judged value.
                let finding = self.finding(&start, &path.inner, |amount| amount.most_members);
                ReadVolume {
                    values: asked.times,
                    bytes: asked.times.saturating_mul(amount.longest_short),
                    longest: amount.longest_short,
                    finding: asked.times.saturating_mul(finding),
                }
            }
            (Subject::Judged(_) | Subject::Inside(..), _) => ReadVolume::default(),
        }
    }

    /// The cost of comparing one value with the value of a subject.
    fn each(&self, other: &Subject, asked: Evaluation<'_>) -> u64 {
        let longest = |amount: Amount| READ + READ_BYTE * amount.longest;
        match (other, asked.judged) {
            (Subject::Judged(_), Some((_, amount))) => longest(amount),
            (Subject::Inside(inner, _), Some((Some(path), _))) => {
                let amount = self.place(path, inner).map(|place| place.amount);
                let finding = self.finding(path, inner, |amount| amount.most_members);
                amount.map_or(0, longest) + finding
            }
            (Subject::Event(path), _) => {
                let amount = self.place(path, &[]).map(|place| place.amount);
                let start = Path {
                    inner: Vec::new(),
                    ..path.clone()
                };
                let finding = self.finding(&start, &path.inner, |amount| amount.most_members);
                let read = amount.map_or(0, |amount| READ + READ_BYTE * amount.longest_short);
                read + finding
            }
            (Subject::Judged(_) | Subject::Inside(..), _) => 0,
        }
    }

    /// The cost of going from the values of a path to those below it; on the way every member may be skipped.
    fn finding(&self, path: &Path, inner: &[Word], members: fn(Amount) -> u64) -> u64 {
        let mut place = self.place(path, &[]);
        let mut steps = 0_u64;
        for word in inner {
            let Some(here) = place else { break };
            steps = steps.saturating_add(members(here.amount).saturating_mul(MEMBER));
            place = here.inner(*word);
        }
        steps
    }
}

impl Test {
    /// The price per value and per byte. `longest`: the bytes of the longest value.
    fn prices(&self, is_judged: bool, longest: u64) -> (u64, u64) {
        let of_texts = |price: &dyn Fn(u64) -> u64, texts: &[String]| {
            let lengths = texts.iter().map(|text| text.len() as u64);
            lengths.map(price).fold(0, u64::saturating_add)
        };
        let compared = |length: u64| TEXT + length.min(longest) / 8;
        match self {
            // The marks of the judged value are known already.
            Self::Is(_) if is_judged => (0, 0),
            Self::Is(_) => (IDENTIFIER, IDENTIFIER_BYTE),
            Self::In(texts) => {
                let rounds = u64::from(texts.len().max(1).ilog2()) + 1;
                (rounds * TEXT, 1 + rounds / 4)
            }
            Self::StartsWith(texts) | Self::EndsWith(texts) => (of_texts(&compared, texts), 1),
            Self::Contains(texts) => {
                let search = |length: u64| match length < longest {
                    true => TEXT + LOOKED_FOR * length,
                    false => TEXT + length.min(longest) / 8,
                };
                let through = 1 + LOOKED_THROUGH * texts.len() as u64;
                (of_texts(&search, texts), through)
            }
            Self::LongerThan(_) => (0, 2),
            Self::Exists(_) => (0, 0),
            Self::After(_)
            | Self::Before(_)
            | Self::AheadOfNow(_)
            | Self::Above(_)
            | Self::Below(_)
            | Self::OtherOffset(_) => (READ, READ_BYTE),
            Self::Unpaired { table, .. } => {
                let keys = table.iter().map(|(key, _)| compared(key.len() as u64));
                let rows = table.iter().map(|(_, words)| of_texts(&compared, words));
                let words = rows.max().unwrap_or_default();
                (keys.fold(words, u64::saturating_add), 2)
            }
        }
    }
}

impl Expression {
    /// Calls `subject` for everything that the conditions read.
    fn for_each_subject(&self, subject: &mut dyn FnMut(&Subject)) {
        match self {
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().for_each(|part| part.for_each_subject(subject));
            }
            Self::Not(one) | Self::Once { of: one, .. } => one.for_each_subject(subject),
            Self::Test { of, test } => {
                subject(of);
                if let Some(other) = test.other() {
                    subject(other);
                }
            }
        }
    }
}
