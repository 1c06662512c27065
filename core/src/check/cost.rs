//! Estimates what a caller's own rules would cost on a document, before any of them runs.
//!
//! The unit is a step: about a nanosecond of the slower engine that this runs in. One pass over the events counts, for each path
//! that the rules name, the values there and their bytes. Each condition has a price per value and a price per byte. The estimate
//! assumes that no condition makes another one unnecessary, so it is an upper bound.
//!
//! The recursion here follows an expression of a pack, or a path of the standard, not the document.

use super::event_list::{EventList, for_each_text};
use super::expression::{Expression, Test};
use super::fields::{COUNT, Fields};
use super::header;
use super::mark;
use super::names::Names;
use super::pack::{Pack, Rule};
use super::path::{Path, RuleTarget, Step, WHOLE};
use super::prices::{
    COLLECTED_BYTE, CONDITION, ESCAPED, IDENTIFIER_BYTE, LOOK_UP, MEMBER, NAME, READ, READ_BYTE,
};
use super::scope::Subject;
use super::texts::{MAX_OTHER_TEXT, open_text};
use crate::context::ActiveContext;
use crate::field::Word;
use crate::json::{Document, Kind, Value};

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
        let mut cost = Self {
            steps: 0,
            most: None,
        };
        for pack in packs.iter().filter(|pack| !pack.is_built_in) {
            let mut tally = Tally::new(pack);
            pack.rules.iter().for_each(|rule| tally.foresee(rule));
            pack.for_each_condition(&mut |when| tally.foresee_condition(when, &[]));
            tally.count(document);
            let length = document.text().len() as u64;
            if pack.needs.asks_identifiers() {
                cost.steps = cost.steps.saturating_add(COLLECTED_BYTE * length);
            }
            // The conditions that are evaluated for every event before the rules, and once for the document.
            pack.for_each_condition(&mut |when| {
                let asked = Evaluation {
                    times: tally.events + 1,
                    judged: None,
                    again: 1,
                    is_once: true,
                };
                cost.steps = cost.steps.saturating_add(tally.steps(when, asked));
            });
            for rule in &pack.rules {
                let steps = tally.steps_of(rule);
                cost.steps = cost.steps.saturating_add(steps);
                if cost.most.as_ref().is_none_or(|(_, most)| steps > *most) {
                    cost.most = Some((format!("{}/{}", pack.name(), rule.id), steps));
                }
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
        let Some(text) = value.as_text() else {
            // Numbers and booleans are texts outside of the standard.
            if open_text(value, MAX_OTHER_TEXT).is_some() {
                self.take_bytes(value.source().len() as u64, true);
            }
            return;
        };
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
    inner: Vec<(Step, Self)>,
}

impl PathNode {
    /// The place of a member, created if there is none.
    fn inner_made(&mut self, step: Step) -> Option<&mut Self> {
        let there = self.inner.iter().position(|(known, _)| *known == step);
        let at = there.unwrap_or_else(|| {
            self.inner.push((step, Self::default()));
            self.inner.len() - 1
        });
        self.inner.get_mut(at).map(|(_, place)| place)
    }

    fn inner(&self, step: Step) -> Option<&Self> {
        let mut inner = self.inner.iter();
        inner
            .find(|(known, _)| *known == step)
            .map(|(_, place)| place)
    }

    /// Counts a value of this place, or each element of a list.
    fn count(&mut self, value: Value<'_>, event: u64, names: Names<'_, '_>) {
        if value.kind() == Kind::Array {
            value
                .elements()
                .for_each(|element| self.count_one(element, event, names));
        } else {
            self.count_one(value, event, names);
        }
    }

    fn count_one(&mut self, value: Value<'_>, event: u64, names: Names<'_, '_>) {
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
                    let word = Word::of_text(name).map(Step::Word);
                    let named = names.find(&name.to_cow()).map(Step::Name);
                    let mut inner = self.inner.iter_mut();
                    let inner =
                        inner.find(|(known, _)| word == Some(*known) || named == Some(*known));
                    if let Some((_, inner)) = inner {
                        inner.count(member, event, names);
                    }
                }
                let amount = &mut self.amount;
                amount.members += members;
                amount.most_members = amount.most_members.max(members);
            }
            Kind::Boolean => amount.take_bytes(5, true),
            Kind::Object | Kind::Array | Kind::Null => {}
        }
    }
}

/// The amount of data that a condition reads for one subject, over all its evaluations.
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

/// The sizes of everything that the rules of a pack read.
#[derive(Debug)]
struct Tally<'p> {
    pack: &'p Pack,
    /// The fields of events; last the event itself, and the document.
    fields: Vec<Option<PathNode>>,
    /// The elements of master data.
    elements: Amount,
    context: Amount,
    events: u64,
}

impl<'p> Tally<'p> {
    fn new(pack: &'p Pack) -> Self {
        Self {
            pack,
            fields: (0..=COUNT).map(|_| None).collect(),
            elements: Amount::default(),
            context: Amount::default(),
            events: 0,
        }
    }

    /// Creates the places that a rule names.
    fn foresee(&mut self, rule: &Rule) {
        let paths: Vec<&Path> = rule.at.iter().filter_map(RuleTarget::path).collect();
        for path in &paths {
            self.make(path, &[]);
        }
        self.foresee_condition(&rule.when, &paths);
    }

    fn foresee_condition(&mut self, when: &Expression, judged: &[&Path]) {
        self.foresee_lists(when);
        when.for_each_subject(&mut |subject| {
            let subject = match subject {
                Subject::Joined(joined) => &joined.key,
                subject => subject,
            };
            match subject {
                Subject::Judged(_) | Subject::Joined(_) => {}
                Subject::Inside(inner, _) => judged.iter().for_each(|path| self.make(path, inner)),
                Subject::Event(path) => self.make(path, &[]),
            }
        });
    }

    fn foresee_lists(&mut self, when: &Expression) {
        let pack = self.pack;
        let mut paths = Vec::new();
        when.for_each_test(&mut |test| match test {
            Test::Amongst(path) => paths.push(path.clone()),
            Test::OtherThanFor(number) => {
                let conflict = pack.needs.conflicts.get(*number);
                paths.extend(conflict.map(|conflict| conflict.class.clone()));
            }
            _ => {}
        });
        paths.iter().for_each(|path| self.make(path, &[]));
    }

    fn make(&mut self, path: &Path, inner: &[Step]) {
        let Some(field) = self.fields.get_mut(usize::from(path.number)) else {
            return;
        };
        let mut place = field.get_or_insert_with(PathNode::default);
        for step in path.inner.iter().chain(inner) {
            match place.inner_made(*step) {
                Some(inner) => place = inner,
                None => return,
            }
        }
    }

    fn place(&self, path: &Path, inner: &[Step]) -> Option<&PathNode> {
        let field = self.fields.get(usize::from(path.number))?.as_ref()?;
        let mut steps = path.inner.iter().chain(inner);
        steps.try_fold(field, |place, step| place.inner(*step))
    }

    /// Counts the values at the places that were created.
    fn count(&mut self, document: &Document<'_>) {
        let root = document.root();
        let Some(events) = EventList::of(root) else {
            return;
        };
        let asked = &self.pack.names;
        let Self {
            fields,
            elements,
            context,
            events: number,
            ..
        } = self;
        if let Some(declared) = events.context_around(root) {
            for_each_text(declared, |text| {
                context.values += 1;
                context.take_text(text);
            });
        }
        let mut prefixes = ActiveContext::new();
        prefixes.enter(root);
        let names = Names {
            asked,
            context: &prefixes,
        };
        if let Some(Some(whole)) = fields.get_mut(usize::from(WHOLE)) {
            whole.count_one(root, 0, names);
        }
        let mut inside = prefixes.clone();
        header::for_each_element(root, &mut inside, |_, element, _| {
            let length = element.source().len() as u64;
            elements.values += 1;
            elements.take_bytes(length, true);
            elements.members += 1 + length / 8;
            elements.most_members = elements.most_members.max(1 + length / 8);
        });
        events.for_each(|event| {
            *number += 1;
            let outer = inside.enter(event);
            let names = Names {
                asked,
                context: &inside,
            };
            let found = Fields::of(document, event);
            if let Some(own) = found.context() {
                for_each_text(own, |text| {
                    context.values += 1;
                    context.take_text(text);
                });
            }
            for field in found.order().iter().chain(&[WHOLE]) {
                let place = fields.get_mut(usize::from(*field)).and_then(Option::as_mut);
                if let (Some(place), Some(value)) = (place, found.get(*field)) {
                    place.count(value, *number, names);
                }
            }
            inside.leave(outer);
        });
    }

    /// The cost of a rule.
    fn steps_of(&self, rule: &Rule) -> u64 {
        if rule.at.is_empty() {
            let asked = Evaluation {
                times: self.events.max(1),
                judged: None,
                again: 1,
                is_once: true,
            };
            return self.steps(&rule.when, asked);
        }
        // A rule that needs the whole document is evaluated once for each thing reported about a value.
        let told = rule.when.needed() & mark::OF_DOCUMENT;
        let again = u64::from(told.count_ones().max(1));
        let targets = rule.at.iter().map(|at| {
            let (path, amount) = match at {
                RuleTarget::Context => (None, self.context),
                RuleTarget::MasterData(_) => (None, self.elements),
                RuleTarget::Field(path) | RuleTarget::Named(path) => {
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
            // A name outside of the standard is looked for in each event anew.
            let finding = match at {
                RuleTarget::Named(path) => {
                    let start = Path {
                        inner: Vec::new(),
                        ..path.clone()
                    };
                    let found = self.finding(&start, &path.inner, |amount| amount.members);
                    found.saturating_add(self.events.saturating_mul(CONDITION))
                }
                _ => 0,
            };
            self.steps(&rule.when, asked).saturating_add(finding)
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
                let elsewhere = self.lists(test, asked);
                let looked = self.read_volume(of, asked);
                let is_judged = matches!(of, Subject::Judged(_));
                let (value, byte) = test.prices(is_judged, looked.longest);
                let other = test.other().map_or(0, |other| self.each(other, asked));
                looked
                    .values
                    .saturating_mul(value.saturating_add(other))
                    .saturating_add(looked.bytes.saturating_mul(byte))
                    .saturating_add(looked.finding)
                    .saturating_add(elsewhere)
            }
            // Evaluated before any rule runs.
            Expression::Events { .. } => 0,
        };
        here.saturating_add(inside)
    }

    /// The cost of reading other lists of the events, once per event: the list of `amongst`, the products of `otherThanFor`.
    fn lists(&self, test: &Test, asked: Evaluation<'_>) -> u64 {
        let conflict = match test {
            Test::OtherThanFor(number) => self.pack.needs.conflicts.get(*number),
            _ => None,
        };
        let path = match (test, conflict) {
            (Test::Amongst(path), _) => Some(path),
            (_, Some(conflict)) => Some(&conflict.class),
            _ => None,
        };
        let amount = path.and_then(|path| self.place(path, &[]));
        let amount = amount.map_or_else(Amount::default, |place| place.amount);
        let once = amount.values.saturating_mul(LOOK_UP) + amount.bytes * IDENTIFIER_BYTE;
        once.saturating_mul(asked.again)
    }

    /// The total amount of data that is read for a subject.
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
            // The members of an element of master data are counted together.
            (Subject::Inside(inner, _), Some((None, amount))) => ReadVolume {
                values: amount.values * asked.again,
                bytes: amount.bytes * asked.again,
                longest: amount.longest,
                finding: amount.members.saturating_mul(NAME * inner.len() as u64),
            },
            (Subject::Joined(joined), _) => {
                let key = self.read_volume(&joined.key, asked);
                let longest = MAX_OTHER_TEXT as u64;
                ReadVolume {
                    values: asked.times,
                    bytes: asked.times.saturating_mul(longest),
                    longest,
                    finding: (asked.times.saturating_mul(LOOK_UP))
                        .saturating_add(key.bytes.saturating_mul(IDENTIFIER_BYTE))
                        .saturating_add(key.finding),
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
            (Subject::Joined(_), _) => LOOK_UP + READ + READ_BYTE * MAX_OTHER_TEXT as u64,
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
    fn finding(&self, path: &Path, inner: &[Step], members: fn(Amount) -> u64) -> u64 {
        let mut place = self.place(path, &[]);
        let mut steps = 0_u64;
        for step in inner {
            let Some(here) = place else { break };
            let price = match step {
                Step::Word(_) => MEMBER,
                Step::Name(_) => NAME,
            };
            steps = steps.saturating_add(members(here.amount).saturating_mul(price));
            place = here.inner(*step);
        }
        steps
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
            Self::Events { .. } => {}
            Self::Test { of, test } => {
                subject(of);
                if let Some(other) = test.other() {
                    subject(other);
                }
            }
        }
    }

    fn for_each_test(&self, take: &mut dyn FnMut(&Test)) {
        match self {
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().for_each(|part| part.for_each_test(take));
            }
            Self::Not(one) | Self::Once { of: one, .. } => one.for_each_test(take),
            Self::Events { .. } => {}
            Self::Test { test, .. } => take(test),
        }
    }
}
