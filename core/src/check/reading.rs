//! Reads the places and conditions of rules; an error has the place in the pack of anything that the language does not have.
//!
//! The recursion here goes at most [`MAX_DEPTH`] levels deep.

use super::expression::{Expression, Operand, Subject, Test};
use super::mark::ExaminedAs;
use super::path::{Leaf, MAX_PATHS, RuleTarget};
use super::subject::{Subjects, marks, place};
use super::values::{count, list, members, refused, text};
use crate::error::{Error, excerpt};
use crate::field;
use crate::json::{Kind, Value};

/// How deep conditions may be nested.
const MAX_DEPTH: usize = 8;
/// How many conditions a rule may have.
const MAX_CONDITIONS: usize = 32;
/// How many texts a pack may have.
const MAX_TEXTS: usize = 4096;
/// How many texts one `startsWith`, `endsWith` or `contains` may have; they are tried one by one.
const MAX_PARTS: usize = 16;
/// How long a text to compare with may be, in bytes.
const MAX_TEXT: usize = 400;

/// A pack that is being read.
pub(super) struct Reading {
    sets: Vec<(String, Vec<RuleTarget>)>,
    texts: usize,
    conditions: usize,
}

/// The operators; each condition has exactly one.
const OPERATORS: [&str; 17] = [
    "all",
    "any",
    "not",
    "is",
    "in",
    "startsWith",
    "endsWith",
    "contains",
    "longerThan",
    "exists",
    "after",
    "before",
    "aheadOfNow",
    "above",
    "below",
    "otherOffsetThan",
    "unpairedWith",
];

impl Reading {
    pub(super) fn new(sets: Option<Value<'_>>) -> Result<Self, Error> {
        let mut reading = Self {
            sets: Vec::new(),
            texts: 0,
            conditions: 0,
        };
        let Some(sets) = sets else {
            return Ok(reading);
        };
        if sets.kind() != Kind::Object || sets.repeated_name().is_some() {
            return Err(refused(
                sets,
                "an object of lists of fields, each name once",
            ));
        }
        for (name, paths) in sets.members() {
            if reading.sets.len() == MAX_PATHS {
                return Err(refused(sets, format!("at most {MAX_PATHS} sets")));
            }
            let mut found = Vec::new();
            for path in list(paths, MAX_PATHS)? {
                found.push(place(path)?);
            }
            reading.sets.push((name.to_cow().into_owned(), found));
        }
        Ok(reading)
    }

    /// The fields that a rule judges: one field, a set, or a list of both.
    pub(super) fn places(&self, value: Value<'_>) -> Result<Vec<RuleTarget>, Error> {
        let mut places = Vec::new();
        if value.kind() == Kind::Array {
            for element in list(value, MAX_PATHS)? {
                self.add_places(element, &mut places)?;
            }
        } else {
            self.add_places(value, &mut places)?;
        }
        Ok(places)
    }

    fn add_places(&self, value: Value<'_>, places: &mut Vec<RuleTarget>) -> Result<(), Error> {
        let name = value.as_str().unwrap_or_default();
        let found = match name.strip_prefix('$') {
            None => vec![place(value)?],
            Some(name) => {
                let set = self.sets.iter().find(|(known, _)| known == name);
                let set = set.ok_or_else(|| refused(value, "`$` and the name of a set"))?;
                set.1.clone()
            }
        };
        for at in found {
            if places.contains(&at) {
                return Err(refused(value, "each field once"));
            }
            places.push(at);
        }
        if places.len() > MAX_PATHS {
            return Err(refused(value, format!("at most {MAX_PATHS} fields")));
        }
        Ok(())
    }

    /// The condition of a rule.
    pub(super) fn condition(
        &mut self,
        value: Value<'_>,
        at: &[RuleTarget],
    ) -> Result<Expression, Error> {
        self.conditions = 0;
        self.expression(value, at, 0, true)
    }

    /// `is_certain`: whether the condition must hold for the rule to hold, so only `all` is around it.
    fn expression(
        &mut self,
        value: Value<'_>,
        at: &[RuleTarget],
        depth: usize,
        is_certain: bool,
    ) -> Result<Expression, Error> {
        self.conditions += 1;
        if depth == MAX_DEPTH || self.conditions > MAX_CONDITIONS {
            let limits = format!("at most {MAX_DEPTH} levels and {MAX_CONDITIONS} conditions");
            return Err(refused(value, limits));
        }
        if value.kind() != Kind::Object || value.repeated_name().is_some() {
            return Err(refused(value, "a condition: an object, each member once"));
        }
        let mut subject = None;
        let mut operator = None;
        for (name, member) in value.members() {
            let name = name.to_cow();
            if name == "value" {
                subject = Some(member);
            } else if let Some(known) = OPERATORS.iter().find(|known| **known == name) {
                if operator.replace((*known, member)).is_some() {
                    return Err(refused(member, "one operator in a condition"));
                }
            } else {
                let operators = OPERATORS.join(", ");
                let expected =
                    format!("no `{}` here: there are value, {operators}", excerpt(&name));
                return Err(refused(member, expected));
            }
        }
        let (operator, operand) = operator
            .ok_or_else(|| refused(value, format!("an operator: {}", OPERATORS.join(", "))))?;
        let joined = matches!(operator, "all" | "any" | "not");
        if joined && let Some(subject) = subject {
            return Err(refused(subject, format!("no `value` beside `{operator}`")));
        }
        let mut several = |is_certain| {
            let several = list(operand, MAX_CONDITIONS)?;
            several
                .map(|one| self.expression(one, at, depth + 1, is_certain))
                .collect::<Result<Vec<_>, _>>()
        };
        match operator {
            "all" => return several(is_certain).map(Expression::All),
            "any" => return several(false).map(Expression::Any),
            "not" => {
                let one = self.expression(operand, at, depth + 1, false)?;
                return Ok(Expression::Not(Box::new(one)));
            }
            _ => {}
        }
        let judged = Subjects::of(value, subject, at, operator)?;
        let test = self.test(operator, operand, &judged, at, is_certain)?;
        Ok(Expression::Test {
            of: judged.subject,
            test,
        })
    }

    fn test(
        &mut self,
        operator: &str,
        operand: Value<'_>,
        of: &Subjects<'_>,
        at: &[RuleTarget],
        is_certain: bool,
    ) -> Result<Test, Error> {
        Ok(match operator {
            "is" => Test::Is(marks(operand, of, is_certain)?),
            "in" => {
                of.require("texts", Leaf::is_text)?;
                let mut texts = self.texts(operand, MAX_TEXTS)?;
                crate::order::sort_stably_by(&mut texts, &|one, other| one.cmp(other));
                Test::In(texts)
            }
            "startsWith" | "endsWith" | "contains" => {
                of.require("texts", Leaf::is_text)?;
                let texts = self.texts(operand, MAX_PARTS)?;
                match operator {
                    "startsWith" => Test::StartsWith(texts),
                    "endsWith" => Test::EndsWith(texts),
                    _ => Test::Contains(texts),
                }
            }
            "longerThan" => {
                of.require("texts", Leaf::is_text)?;
                Test::LongerThan(count(operand, 1 << 20)? as usize)
            }
            "exists" => match operand.as_bool() {
                Some(wanted) => Test::Exists(wanted),
                None => return Err(refused(operand, "true or false")),
            },
            "after" => Test::After(other_time(of, operand, at)?),
            "before" => Test::Before(other_time(of, operand, at)?),
            "aheadOfNow" => {
                of.require("times", Leaf::is_time)?;
                Test::AheadOfNow(count(operand, u32::MAX)?.into())
            }
            "above" => Test::Above(number(of, operand, at)?),
            "below" => Test::Below(number(of, operand, at)?),
            "otherOffsetThan" => {
                of.require("times", Leaf::is_time)?;
                let other = Subjects::other(operand, at)?;
                other.require("offsets of time zones", |leaf| {
                    matches!(leaf, Leaf::Value(field::ValueKind::Offset))
                })?;
                Test::OtherOffset(other.subject)
            }
            _ => self.unpaired(operand, of, at)?,
        })
    }

    fn unpaired(
        &mut self,
        operand: Value<'_>,
        of: &Subjects<'_>,
        at: &[RuleTarget],
    ) -> Result<Test, Error> {
        const MAX_KEYS: usize = 64;
        let is_word = |leaf: Leaf| matches!(leaf.examined_as(), ExaminedAs::Word(_));
        of.require("words of the CBV", is_word)?;
        let [value, table] = members(operand, ["value", "table"], &["value", "table"])?;
        let (Some(value), Some(table)) = (value, table) else {
            return Err(refused(operand, "`value` and `table`"));
        };
        let by = Subjects::other(value, at)?;
        by.require("words of the CBV", is_word)?;
        if table.kind() != Kind::Object || table.repeated_name().is_some() {
            return Err(refused(
                table,
                "an object of lists of words, each name once",
            ));
        }
        let mut rows = Vec::new();
        for (key, words) in table.members() {
            if rows.len() == MAX_KEYS {
                return Err(refused(table, format!("at most {MAX_KEYS} words")));
            }
            rows.push((key.to_cow().into_owned(), self.texts(words, MAX_KEYS)?));
        }
        Ok(Test::Unpaired {
            by: by.subject,
            table: rows,
        })
    }

    /// Reads one text or a list of them.
    fn texts(&mut self, value: Value<'_>, most: usize) -> Result<Vec<String>, Error> {
        let texts = if value.kind() == Kind::Array {
            let texts = list(value, most)?.map(|one| text(one, MAX_TEXT));
            texts.collect::<Result<Vec<_>, _>>()?
        } else {
            vec![text(value, MAX_TEXT)?]
        };
        self.texts += texts.len();
        if self.texts > MAX_TEXTS {
            return Err(refused(
                value,
                format!("at most {MAX_TEXTS} texts in a pack"),
            ));
        }
        Ok(texts)
    }
}

fn other_time(of: &Subjects<'_>, operand: Value<'_>, at: &[RuleTarget]) -> Result<Subject, Error> {
    of.require("times", Leaf::is_time)?;
    let other = Subjects::other(operand, at)?;
    other.require("times", Leaf::is_time)?;
    Ok(other.subject)
}

fn number(of: &Subjects<'_>, operand: Value<'_>, at: &[RuleTarget]) -> Result<Operand, Error> {
    of.require("numbers", Leaf::is_number)?;
    if let Some(number) = operand.as_number() {
        let number = number.parse().ok();
        return number
            .map(Operand::Number)
            .ok_or_else(|| refused(operand, "a number"));
    }
    let other = Subjects::other(operand, at)?;
    other.require("numbers", Leaf::is_number)?;
    Ok(Operand::Of(other.subject))
}
