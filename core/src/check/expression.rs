//! Conditions ready to be evaluated: small, typed, without loops.
//!
//! The recursion here follows an expression of a pack, whose depth is bounded when it is read.

use super::answers::EventAnswers;
use super::examine::ValueExaminer;
use super::fields::Fields;
use super::mark::ExaminedAs;
use super::path::{Path, any};
use crate::field::{FieldSet, Word};
use crate::json::{Kind, Value};
use crate::time::Timestamp;
use crate::window;
use std::borrow::Cow;

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
}

/// The values that a test reads; the test holds if it holds for one of them.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    /// The value that the rule judges.
    Judged(ExaminedAs),
    /// Something in it.
    Inside(Vec<Word>, ExaminedAs),
    /// A field of the event.
    Event(Path),
}

/// A test of a value.
#[derive(Debug)]
pub(super) enum Test {
    /// The value has one of these marks.
    Is(u64),
    /// The value is one of these texts, which are sorted.
    In(Vec<String>),
    StartsWith(Vec<String>),
    EndsWith(Vec<String>),
    Contains(Vec<String>),
    /// The value has more characters than this.
    LongerThan(usize),
    /// Whether there is a value at all; an empty list, an empty object, an empty text and `null` do not count.
    Exists(bool),
    After(Subject),
    Before(Subject),
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
}

/// The number to compare with.
#[derive(Debug)]
pub(super) enum Operand {
    Number(f64),
    Of(Subject),
}

/// How long a text of another field may be, in bytes: it may be read again for every value of a list.
pub(super) const MAX_OTHER_TEXT: usize = 2048;

/// The data that an expression is evaluated on.
pub(super) struct Scope<'s, 'd> {
    pub(super) fields: &'s Fields<'d>,
    /// The value that the rule judges, or the event.
    pub(super) judged: Value<'d>,
    /// The marks of `judged`.
    pub(super) marks: u64,
    pub(super) examiner: &'s ValueExaminer,
    pub(super) now: Option<&'s Now>,
    pub(super) answers: &'s EventAnswers,
}

/// The present.
#[derive(Debug)]
pub(super) struct Now {
    /// In seconds since 1970.
    seconds: i64,
    /// A date so early that no time up to it is in the future, whatever its offset.
    past: String,
}

impl Now {
    pub(super) fn at(milliseconds: u64) -> Self {
        const DAY: u64 = 86_400_000;
        let past = Timestamp::from_milliseconds(milliseconds.saturating_sub(2 * DAY));
        let mut past = past.to_string();
        past.truncate("YYYY-MM-DD".len());
        Self {
            seconds: Timestamp::from_milliseconds(milliseconds).seconds(),
            past,
        }
    }
}

impl Expression {
    /// Whether it holds.
    pub(super) fn holds(&self, scope: &Scope<'_, '_>) -> bool {
        match self {
            Self::All(all) => all.iter().all(|one| one.holds(scope)),
            Self::Any(any) => any.iter().any(|one| one.holds(scope)),
            Self::Not(one) => !one.holds(scope),
            Self::Once { number, of } => scope.answers.of(*number, || of.holds(scope)),
            Self::Test { of, test } => test.holds(of, scope),
        }
    }

    /// Marks of which the judged value must have at least one for this to hold; 0 if any value may do.
    pub(super) fn needed(&self) -> u64 {
        match self {
            // Any of several would do. Marks of the whole document come first, then the fewest marks.
            Self::All(all) => {
                let needed = all.iter().map(Self::needed).filter(|marks| *marks != 0);
                let rank =
                    |marks: &u64| (marks & super::mark::OF_DOCUMENT == 0, marks.count_ones());
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
            Self::Test {
                of: Subject::Judged(_),
                test: Test::Is(marks),
            } => *marks,
            Self::Test { .. } | Self::Not(_) | Self::Once { .. } => 0,
        }
    }

    /// The filter that the judged text must pass for this to hold; none if any text may do.
    pub(super) fn needed_filter(&self) -> Option<TextFilter> {
        match self {
            Self::All(all) => all.iter().find_map(Self::needed_filter),
            Self::Test {
                of: Subject::Judged(_),
                test,
            } => match test {
                Test::StartsWith(texts) => Some(TextFilter::starting(texts)),
                Test::In(texts) => Some(TextFilter::among(texts.iter().map(String::as_str))),
                Test::OtherOffset(_) => Some(TextFilter {
                    is_local: true,
                    ..TextFilter::default()
                }),
                Test::AheadOfNow(_) => Some(TextFilter {
                    is_recent: true,
                    ..TextFilter::default()
                }),
                _ => None,
            },
            Self::Test {
                test:
                    Test::Unpaired {
                        by: Subject::Judged(_),
                        table,
                    },
                ..
            } => Some(TextFilter::among(table.iter().map(|(key, _)| key.as_str()))),
            Self::Any(_) | Self::Not(_) | Self::Once { .. } | Self::Test { .. } => None,
        }
    }

    /// The members that the judged object must have for this to hold, as bits.
    pub(super) fn needed_words(&self) -> u128 {
        match self {
            Self::All(all) => all.iter().fold(0, |words, one| words | one.needed_words()),
            Self::Test {
                test: Test::Exists(false),
                ..
            } => 0,
            Self::Test { of, test } => of.word() | test.other().map_or(0, Subject::word),
            Self::Any(_) | Self::Not(_) | Self::Once { .. } => 0,
        }
    }

    /// Whether this only tests marks of the judged value.
    pub(super) fn is_mark(&self) -> bool {
        matches!(
            self,
            Self::Test {
                of: Subject::Judged(_),
                test: Test::Is(_)
            }
        )
    }

    /// The fields that the event must have for this to hold, as bits.
    pub(super) fn needed_fields(&self) -> FieldSet {
        match self {
            Self::All(all) => all
                .iter()
                .fold(0, |fields, one| fields | one.needed_fields()),
            Self::Test {
                test: Test::Exists(false),
                ..
            } => 0,
            Self::Test { of, test } => of.field() | test.other().map_or(0, Subject::field),
            Self::Once { of, .. } => of.needed_fields(),
            Self::Any(_) | Self::Not(_) => 0,
        }
    }
}

/// A cheap filter on texts: most that cannot satisfy a test are recognised at a glance.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextFilter {
    /// The first bytes that all the texts of the test share.
    start: u64,
    mask: u64,
    /// The allowed lengths: for each the bit of its remainder by 64.
    lengths: u64,
    /// Times in UTC do not fit.
    is_local: bool,
    /// Times that are certainly past do not fit.
    is_recent: bool,
}

impl Default for TextFilter {
    /// A filter that every text passes.
    fn default() -> Self {
        Self {
            start: 0,
            mask: 0,
            lengths: u64::MAX,
            is_local: false,
            is_recent: false,
        }
    }
}

impl TextFilter {
    fn starting(texts: &[String]) -> Self {
        let mut starts = texts.iter().map(|text| window::first(text.as_bytes()));
        let shortest = texts.iter().map(String::len).min().unwrap_or_default();
        let Some(start) = starts.next() else {
            return Self::default();
        };
        let differing = starts.fold(0, |differing, other| differing | (start ^ other));
        // The first byte is the lowest. Bytes from the first difference on are ignored.
        let shared = (differing.trailing_zeros() / 8).min(shortest.min(8) as u32);
        let mask = if shared >= 8 {
            u64::MAX
        } else {
            (1 << (8 * shared)) - 1
        };
        Self {
            start: start & mask,
            mask,
            ..Self::default()
        }
    }

    fn among<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let lengths = texts.fold(0, |lengths, text| lengths | 1 << (text.len() % 64));
        Self {
            lengths,
            ..Self::default()
        }
    }

    /// Whether a text, given with its first bytes, may satisfy the test.
    pub(super) fn fits(&self, (text, first): (&[u8], u64), now: Option<&Now>) -> bool {
        self.lengths & 1 << (text.len() % 64) != 0
            && first & self.mask == self.start
            && !(self.is_local && text.last() == Some(&b'Z'))
            && !(self.is_recent && now.is_none_or(|now| text <= now.past.as_bytes()))
    }
}

impl Subject {
    fn field(&self) -> FieldSet {
        match self {
            Self::Event(path) => 1 << path.number,
            Self::Judged(_) | Self::Inside(..) => 0,
        }
    }

    /// The first member on the way from the judged value.
    fn word(&self) -> u128 {
        match self {
            Self::Inside(inner, _) => inner.first().map_or(0, |word| 1 << word.number()),
            Self::Judged(_) | Self::Event(_) => 0,
        }
    }

    fn examined_as(&self) -> ExaminedAs {
        match self {
            Self::Judged(examined_as) | Self::Inside(_, examined_as) => *examined_as,
            Self::Event(path) => path.leaf.examined_as(),
        }
    }

    /// Whether a test holds for one of the values.
    fn any<'d>(&self, scope: &Scope<'_, 'd>, test: &mut dyn FnMut(Value<'d>) -> bool) -> bool {
        match self {
            Self::Judged(_) => test(scope.judged),
            Self::Inside(inner, _) => any(scope.judged, inner, test),
            Self::Event(path) => {
                let value = scope.fields.get(path.number);
                value.is_some_and(|value| any(value, &path.inner, test))
            }
        }
    }

    fn any_text(&self, scope: &Scope<'_, '_>, test: &mut dyn FnMut(&str) -> bool) -> bool {
        let most = match self {
            Self::Event(_) => MAX_OTHER_TEXT,
            Self::Judged(_) | Self::Inside(..) => usize::MAX,
        };
        self.any(scope, &mut |value| {
            text(value, most).is_some_and(|text| test(&text))
        })
    }
}

/// An unescaped string of at most `most` bytes.
fn text(value: Value<'_>, most: usize) -> Option<Cow<'_, str>> {
    let text = value.as_text()?;
    let text = match text.plain_text() {
        Some(plain) => Cow::Borrowed(plain),
        // A text that is certainly too long is not unescaped.
        None if text.least_length() > most => return None,
        None => text.to_cow(),
    };
    (text.len() <= most).then_some(text)
}

fn time(text: &str) -> Option<Timestamp> {
    (text.len() <= MAX_OTHER_TEXT)
        .then(|| Timestamp::parse(text))
        .flatten()
}

fn number(value: Value<'_>) -> Option<f64> {
    value.as_number()?.parse().ok()
}

impl Test {
    /// The second subject of a comparison.
    pub(super) fn other(&self) -> Option<&Subject> {
        match self {
            Self::After(other) | Self::Before(other) | Self::OtherOffset(other) => Some(other),
            Self::Above(Operand::Of(other)) | Self::Below(Operand::Of(other)) => Some(other),
            Self::Unpaired { by, .. } => Some(by),
            Self::Is(_)
            | Self::In(_)
            | Self::StartsWith(_)
            | Self::EndsWith(_)
            | Self::Contains(_)
            | Self::LongerThan(_)
            | Self::Exists(_)
            | Self::AheadOfNow(_)
            | Self::Above(Operand::Number(_))
            | Self::Below(Operand::Number(_)) => None,
        }
    }

    fn holds(&self, of: &Subject, scope: &Scope<'_, '_>) -> bool {
        match self {
            Self::Is(marks) => match of {
                Subject::Judged(_) => scope.marks & marks != 0,
                other => {
                    let examined_as = other.examined_as();
                    other.any(scope, &mut |value| {
                        let is_short = value
                            .as_text()
                            .is_none_or(|text| text.least_length() <= MAX_OTHER_TEXT);
                        is_short && scope.examiner.examine(examined_as, value).marks & marks != 0
                    })
                }
            },
            Self::In(texts) => of.any_text(scope, &mut |text| {
                texts
                    .binary_search_by(|known| known.as_str().cmp(text))
                    .is_ok()
            }),
            Self::StartsWith(texts) => of.any_text(scope, &mut |text| {
                texts.iter().any(|known| text.starts_with(known.as_str()))
            }),
            Self::EndsWith(texts) => of.any_text(scope, &mut |text| {
                texts.iter().any(|known| text.ends_with(known.as_str()))
            }),
            Self::Contains(texts) => of.any_text(scope, &mut |text| {
                texts.iter().any(|known| text.contains(known.as_str()))
            }),
            Self::LongerThan(most) => of.any_text(scope, &mut |text| {
                text.len() > *most && text.chars().nth(*most).is_some()
            }),
            Self::Exists(wanted) => of.any(scope, &mut exists) == *wanted,
            Self::After(other) => compare(of, other, scope, &mut |one, other| one > other),
            Self::Before(other) => compare(of, other, scope, &mut |one, other| one < other),
            Self::AheadOfNow(seconds) => {
                let Some(now) = scope.now else { return false };
                let latest = now.seconds.saturating_add(*seconds);
                of.any_text(scope, &mut |text| {
                    text > now.past.as_str()
                        && time(text).is_some_and(|time| time.seconds() > latest)
                })
            }
            Self::Above(operand) => operand.any(of, scope, &mut |one, other| one > other),
            Self::Below(operand) => operand.any(of, scope, &mut |one, other| one < other),
            Self::OtherOffset(other) => of.any_text(scope, &mut |time| {
                offset(time).is_some_and(|found| {
                    other.any_text(scope, &mut |text| found != text && is_offset(text))
                })
            }),
            Self::Unpaired { by, table } => by.any_text(scope, &mut |key| {
                let allowed = table.iter().find(|(known, _)| known == key);
                allowed.is_some_and(|(_, words)| {
                    of.any_text(scope, &mut |word| {
                        !word.contains(':') && !words.iter().any(|known| known == word)
                    })
                })
            }),
        }
    }
}

/// Whether a value is present: neither `null` nor empty.
fn exists(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Null => false,
        Kind::Array => value.elements().next().is_some(),
        Kind::Object => value.members().next().is_some(),
        Kind::String => value.as_text().is_some_and(|text| text != ""),
        Kind::Boolean | Kind::Number => true,
    }
}

/// Compares two times; false if one is missing or no time.
fn compare(
    one: &Subject,
    other: &Subject,
    scope: &Scope<'_, '_>,
    test: &mut dyn FnMut(Timestamp, Timestamp) -> bool,
) -> bool {
    one.any_text(scope, &mut |one| {
        let Some(one) = time(one) else { return false };
        other.any_text(scope, &mut |other| {
            time(other).is_some_and(|other| test(one, other))
        })
    })
}

impl Operand {
    fn any(
        &self,
        of: &Subject,
        scope: &Scope<'_, '_>,
        test: &mut dyn FnMut(f64, f64) -> bool,
    ) -> bool {
        of.any(scope, &mut |value| {
            let Some(one) = number(value) else {
                return false;
            };
            match self {
                Self::Number(other) => test(one, *other),
                Self::Of(other) => other.any(scope, &mut |value| {
                    number(value).is_some_and(|other| test(one, other))
                }),
            }
        })
    }
}

/// The offset of a time as it is written; none in UTC, which says nothing about local time.
fn offset(time: &str) -> Option<&str> {
    let at = time.len().checked_sub("+hh:mm".len())?;
    let offset = time.get(at..)?;
    (is_offset(offset) && !offset.ends_with("00:00")).then_some(offset)
}

fn is_offset(text: &str) -> bool {
    matches!(
        text.as_bytes(),
        [
            b'+' | b'-',
            b'0'..=b'9',
            b'0'..=b'9',
            b':',
            b'0'..=b'9',
            b'0'..=b'9'
        ]
    )
}
