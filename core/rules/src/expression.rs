//! Conditions ready to be evaluated: small, typed, without loops.
//!
//! The recursion here follows an expression of a pack, whose depth is bounded when it is read.

use super::compare::{Operand, compare, is_offset, offset};
use super::examine::{bare, examine};
use super::facts::Share;
use super::form::Form;
use super::mark::{Marks, OF_DOCUMENT};
use super::ndc::is_other_ndc;
use super::parameters::{Parameters, own_key};
use super::path::Path;
use super::scope::{Scope, Subject};
use super::text_filter::TextFilter;
use super::texts::{MAX_OTHER_TEXT, exists};
use super::{conflict, fuel};
use epcis_edge_document::field::FieldSet;
use epcis_edge_document::identifier::thing;
use epcis_edge_text::time::Timestamp;
use std::collections::BTreeSet;

/// A condition.
#[derive(Debug)]
pub(super) enum Expression {
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
    /// A part that depends on the event alone, and its number: it is evaluated once per event.
    Once {
        number: usize,
        of: Box<Self>,
    },
    Test {
        of: Subject,
        test: Test,
    },
    /// How many events of the document fulfil a condition of the pack, given by its number.
    Events {
        number: usize,
        wanted: Share,
    },
}

/// A test of a value.
#[derive(Debug)]
pub(super) enum Test {
    /// The value has one of these marks.
    Is(Marks),
    /// The value is one of these texts, which are sorted.
    In(Vec<String>),
    StartsWith(Vec<String>),
    EndsWith(Vec<String>),
    Contains(Vec<String>),
    /// The value has more characters than this.
    LongerThan(usize),
    /// Whether there is a value at all; an empty list, an empty object, an empty text and `null` do not count.
    Exists(bool),
    /// The value is a later time, by more than this number of seconds.
    After(Subject, i64),
    /// The value is an earlier time, by more than this number of seconds.
    Before(Subject, i64),
    /// A time more than this many seconds later than now.
    AheadOfNow(i64),
    Above(Operand),
    Below(Operand),
    /// A time with another offset than this; a time in UTC has none.
    OtherOffset(Subject),
    /// A word that is not in the table's row for the word `by`; the test fails if the table has no such row.
    Unpaired {
        by: Subject,
        table: Vec<(String, Vec<String>)>,
    },
    /// The value is one of these words of its vocabulary, in any spelling.
    Word(Vec<String>),
    /// The value has one of these forms.
    Form(Vec<Form>),
    /// The number of values is within these bounds.
    Count(usize, usize),
    /// The identifier is also in this field of the event, in any spelling.
    Amongst(Path),
    /// The event gives a product another value than the first event did: the number of a [`Conflict`](super::facts::Conflict).
    OtherThanFor(usize),
    /// The digits of a National Drug Code differ from those in this GTIN.
    OtherNdcThan(Subject),
    /// The identifier is one of those that the caller gave for a parameter, in the form of [`own_key`].
    Given {
        parameter: String,
        keys: BTreeSet<String>,
    },
    /// An earlier element of the vocabulary has the same identifier and another text for an attribute.
    UnlikeBefore,
}

impl Expression {
    /// Whether it holds. Without fuel the result means nothing.
    pub(super) fn holds(&self, scope: &Scope<'_, '_>) -> bool {
        if !scope.fuel.take(fuel::CONDITION) {
            return false;
        }
        match self {
            Self::All(all) => all.iter().all(|one| one.holds(scope)),
            Self::Any(any) => any.iter().any(|one| one.holds(scope)),
            Self::Not(one) => !one.holds(scope),
            Self::Once { number, of } => scope.answers.of(*number, || of.holds(scope)),
            Self::Test { of, test } => test.holds(of, scope),
            Self::Events { number, wanted } => scope.facts.events(*number, *wanted),
        }
    }

    /// Marks: this holds only if the judged value has at least one of them. 0 if any value may do.
    pub(super) fn needed(&self) -> Marks {
        match self {
            // Any of several would do. Marks of the whole document come first, then the fewest marks.
            Self::All(all) => {
                let needed = all.iter().map(Self::needed).filter(|marks| *marks != 0);
                let rank = |marks: &Marks| (marks & OF_DOCUMENT == 0, marks.count_ones());
                needed.min_by_key(rank).unwrap_or(0)
            }
            Self::Any(any) => {
                let mut all = 0;
                for one in any {
                    match one.needed() {
                        0 => return 0,
                        marks => all |= marks,
                    }
                }
                all
            }
            Self::Test { of: Subject::Judged(_), test: Test::Is(marks) } => *marks,
            Self::Test { .. } | Self::Not(_) | Self::Once { .. } | Self::Events { .. } => 0,
        }
    }

    /// The filter that the judged text must pass for this to hold; none if any text may do.
    pub(super) fn needed_filter(&self) -> Option<TextFilter> {
        match self {
            Self::All(all) => all.iter().find_map(Self::needed_filter),
            Self::Test { of: Subject::Judged(_), test } => match test {
                Test::StartsWith(texts) => Some(TextFilter::starting(texts)),
                Test::In(texts) => Some(TextFilter::among(texts.iter().map(String::as_str))),
                Test::OtherOffset(_) => Some(TextFilter::local()),
                Test::AheadOfNow(_) => Some(TextFilter::recent()),
                _ => None,
            },
            Self::Test { test: Test::Unpaired { by: Subject::Judged(_), table }, .. } => {
                Some(TextFilter::among(table.iter().map(|(key, _)| key.as_str())))
            }
            _ => None,
        }
    }

    /// The members that the judged object must have for this to hold, as bits.
    pub(super) fn needed_words(&self) -> u128 {
        self.needed_of(&Subject::word)
    }

    /// Inserts the caller's values for parameters. Returns false if a value is missing.
    pub(super) fn fill(&mut self, given: &Parameters) -> bool {
        match self {
            Self::All(several) | Self::Any(several) => {
                several.iter_mut().fold(true, |is_filled, one| one.fill(given) & is_filled)
            }
            Self::Not(one) | Self::Once { of: one, .. } => one.fill(given),
            Self::Test { test: Test::Given { parameter, keys }, .. } => {
                let texts = given.get(parameter);
                *keys = texts.into_iter().flatten().map(|text| own_key(text)).collect();
                texts.is_some()
            }
            Self::Test { .. } | Self::Events { .. } => true,
        }
    }

    /// Whether this only tests marks of the judged value.
    pub(super) fn is_mark(&self) -> bool {
        matches!(self, Self::Test { of: Subject::Judged(_), test: Test::Is(_) })
    }

    /// The fields that the event must have for this to hold, as bits.
    pub(super) fn needed_fields(&self) -> FieldSet {
        self.needed_of(&|subject| subject.field().into()) as FieldSet
    }

    /// What must be there for this to hold, as bits: what its subjects need.
    fn needed_of(&self, needs: &dyn Fn(&Subject) -> u128) -> u128 {
        match self {
            Self::All(all) => all.iter().fold(0, |bits, one| bits | one.needed_of(needs)),
            Self::Test { test, .. } if test.holds_of_nothing() => 0,
            Self::Test { of, test } => needs(of) | test.other().map_or(0, needs),
            Self::Once { of, .. } => of.needed_of(needs),
            Self::Any(_) | Self::Not(_) | Self::Events { .. } => 0,
        }
    }
}

fn time(text: &str) -> Option<Timestamp> {
    (text.len() <= MAX_OTHER_TEXT).then(|| Timestamp::parse(text)).flatten()
}

impl Test {
    /// The second subject of a comparison.
    pub(super) fn other(&self) -> Option<&Subject> {
        match self {
            Self::After(other, _)
            | Self::Before(other, _)
            | Self::OtherOffset(other)
            | Self::OtherNdcThan(other) => Some(other),
            Self::Above(Operand::Of(other)) | Self::Below(Operand::Of(other)) => Some(other),
            Self::Unpaired { by, .. } => Some(by),
            _ => None,
        }
    }

    /// Whether it may hold although there is no value.
    fn holds_of_nothing(&self) -> bool {
        matches!(self, Self::Exists(false) | Self::Count(0, _))
    }

    fn holds(&self, of: &Subject, scope: &Scope<'_, '_>) -> bool {
        let may_test = |text: &str| scope.fuel.take_with(|| self.price(text.len()));
        match self {
            Self::Is(marks) => match of {
                Subject::Judged(_) => scope.marks & marks != 0,
                other => {
                    let examined_as = other.examined_as();
                    other.any(scope, &mut |value| {
                        let length = value.as_text().map_or(0, |text| text.least_length());
                        let is_short = length <= MAX_OTHER_TEXT;
                        let steps = || self.price(length) + fuel::reading(value, MAX_OTHER_TEXT);
                        is_short && scope.fuel.take_with(steps) && {
                            let seen = examine(examined_as, value);
                            Marks::from(seen.marks) & marks != 0
                        }
                    })
                }
            },
            Self::In(texts) => of.any_text(scope, &mut |text| {
                may_test(text) && texts.binary_search_by(|known| known.as_str().cmp(text)).is_ok()
            }),
            Self::StartsWith(texts) => of.any_text(scope, &mut |text| {
                may_test(text) && texts.iter().any(|known| text.starts_with(known.as_str()))
            }),
            Self::EndsWith(texts) => of.any_text(scope, &mut |text| {
                may_test(text) && texts.iter().any(|known| text.ends_with(known.as_str()))
            }),
            Self::Contains(texts) => of.any_text(scope, &mut |text| {
                may_test(text) && texts.iter().any(|known| text.contains(known.as_str()))
            }),
            Self::LongerThan(most) => of.any_text(scope, &mut |text| {
                may_test(text) && text.len() > *most && text.chars().nth(*most).is_some()
            }),
            Self::Exists(wanted) => {
                of.any(scope, &mut |value| {
                    scope.fuel.take_with(|| fuel::entering(value)) && exists(value)
                }) == *wanted
            }
            Self::After(other, seconds) => {
                compare(of, other, scope, &mut |one, other| one.is_after(other, *seconds))
            }
            Self::Before(other, seconds) => {
                compare(of, other, scope, &mut |one, other| other.is_after(one, *seconds))
            }
            Self::AheadOfNow(seconds) => {
                let Some(now) = scope.now else { return false };
                let latest = now.seconds.saturating_add(*seconds);
                of.any_text(scope, &mut |text| {
                    may_test(text)
                        && text > now.past.as_str()
                        && time(text).is_some_and(|time| time.seconds() > latest)
                })
            }
            Self::Above(operand) => operand.any(of, scope, &mut |one, other| one > other),
            Self::Below(operand) => operand.any(of, scope, &mut |one, other| one < other),
            Self::OtherOffset(other) => of.any_text(scope, &mut |time| {
                may_test(time)
                    && offset(time).is_some_and(|found| {
                        other.any_other_text(scope, &mut |text| found != text && is_offset(text))
                    })
            }),
            Self::Unpaired { by, table } => by.any_text(scope, &mut |key| {
                let mut rows = table.iter().filter(|_| may_test(key));
                let allowed = rows.find(|(known, _)| known == key);
                allowed.is_some_and(|(_, words)| {
                    of.any_text(scope, &mut |word| {
                        scope.fuel.take_with(|| fuel::comparing_with(words, word.len()))
                            && !word.contains(':')
                            && !words.iter().any(|known| known == word)
                    })
                })
            }),
            Self::Word(words) => {
                let examined_as = of.examined_as();
                of.any_text(scope, &mut |text| {
                    if !may_test(text) {
                        return false;
                    }
                    let bare = bare(examined_as, text);
                    words.iter().any(|word| word == bare)
                })
            }
            Self::Form(forms) => of.any_text(scope, &mut |text| {
                may_test(text) && forms.iter().any(|form| form.has(text))
            }),
            Self::Count(least, most) => {
                let mut count = 0_usize;
                of.any(scope, &mut |value| {
                    count += usize::from(
                        scope.fuel.take_with(|| fuel::entering(value)) && exists(value),
                    );
                    count > *most
                });
                (*least..=*most).contains(&count)
            }
            Self::Amongst(path) => of.any_text(scope, &mut |text| {
                if !may_test(text) {
                    return false;
                }
                let own = &thing(text);
                let read = || {
                    let mut known = BTreeSet::new();
                    Subject::Event(path.clone()).any_text(scope, &mut |text| {
                        if !may_test(text) {
                            return true;
                        }
                        known.insert(thing(text));
                        false
                    });
                    known
                };
                scope.answers.list(path, read, |known| known.contains(own))
            }),
            Self::OtherThanFor(number) => conflict::is_other(*number, scope),
            Self::Given { keys, .. } => of.any_text(scope, &mut |text| {
                text.len() <= MAX_OTHER_TEXT && may_test(text) && keys.contains(&own_key(text))
            }),
            Self::UnlikeBefore => of.any(scope, &mut |element| {
                scope.fuel.take_with(|| fuel::look_up(0, 1))
                    && scope.facts.is_unlike_before(element)
            }),
            Self::OtherNdcThan(gtin) => of.any_text(scope, &mut |code| {
                gtin.any_other_text(scope, &mut |gtin| {
                    may_test(code) && may_test(gtin) && is_other_ndc(code, gtin)
                })
            }),
        }
    }
}

impl Test {
    /// The steps of testing one text of this many bytes.
    fn price(&self, length: usize) -> u64 {
        let bytes = length as u64;
        match self {
            Self::In(texts) => {
                let rounds = u64::from(texts.len().max(1).ilog2()) + 1;
                rounds * (fuel::TEXT + bytes / 8)
            }
            Self::StartsWith(texts) | Self::EndsWith(texts) => fuel::comparing_with(texts, length),
            Self::Contains(texts) => {
                let search = |text: &String| match text.len() < length {
                    true => {
                        fuel::TEXT
                            + fuel::LOOKED_FOR * text.len() as u64
                            + fuel::LOOKED_THROUGH * bytes
                    }
                    false => fuel::TEXT + bytes / 8,
                };
                texts.iter().map(search).fold(0, u64::saturating_add)
            }
            Self::LongerThan(_) => 2 * bytes,
            Self::AheadOfNow(_) => fuel::time(length),
            Self::OtherOffset(_) => fuel::TEXT,
            // For each row of the table.
            Self::Unpaired { .. } => fuel::TEXT + bytes / 8,
            Self::Word(words) => fuel::READ + bytes + fuel::comparing_with(words, length),
            Self::Form(forms) => forms.len() as u64 * fuel::number(length),
            Self::Amongst(_) => fuel::look_up(length, 1) + fuel::identifier(length),
            Self::Is(_) | Self::OtherNdcThan(_) => fuel::identifier(length),
            Self::Given { keys, .. } => fuel::look_up(length.min(MAX_OTHER_TEXT), keys.len()),
            // These test no texts, or take their steps where they read them.
            Self::Exists(_)
            | Self::After(..)
            | Self::Before(..)
            | Self::Above(_)
            | Self::Below(_)
            | Self::Count(..)
            | Self::OtherThanFor(_)
            | Self::UnlikeBefore => 0,
        }
    }
}
