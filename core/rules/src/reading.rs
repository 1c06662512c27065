//! Reads the places and conditions of rules; an error has the place in the pack of anything that the language does not have.
//!
//! The recursion here goes at most [`MAX_DEPTH`] levels deep.

use super::asked::Asked;
use super::compare::Operand;
use super::expression::{Expression, Test};
use super::facts::{Conflict, Share};
use super::form::Form;
use super::mark::ExaminedAs;
use super::names::PackNames;
use super::needs::OnEvents;
use super::operand::{counted, require_known, seconds, types};
use super::parameters::{self, Parameter};
use super::path::{Leaf, MAX_PATHS, Path, RuleTarget};
use super::scope::Subject;
use super::subject::{Subjects, marks, place};
use super::values::{
    count, flag, list, member, named_once, refused, require_members, several, text,
};
use epcis_edge_document::field;
use epcis_edge_text::error::{Error, excerpt};
use epcis_edge_text::json::{Kind, Value};
use epcis_edge_text::slice::OrEmpty;
use std::collections::BTreeSet;

/// The deepest nesting of conditions.
const MAX_DEPTH: usize = 8;
/// The most conditions of a rule.
const MAX_CONDITIONS: usize = 32;
/// The most texts of a pack.
const MAX_TEXTS: usize = 4096;
/// The most texts of one `startsWith`, `endsWith` or `contains`; they are tried one by one.
const MAX_PARTS: usize = 16;
/// The longest text to compare with, in bytes.
const MAX_TEXT: usize = 400;

/// A pack that is being read.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) asked: Asked,
    /// The conditions about all events, as they are written.
    on_events: Vec<String>,
    sets: Vec<(String, Vec<RuleTarget>)>,
    /// The parameters that conditions may use.
    pub(super) parameters: Vec<Parameter>,
    texts: usize,
    conditions: usize,
}

/// The operators; each condition has exactly one.
const OPERATORS: &str = "all, any, not, is, in, startsWith, endsWith, contains, longerThan, exists, after, before, aheadOfNow, above, \
                         below, otherOffsetThan, unpairedWith, some, every, no, word, form, count, amongst, otherThanFor, \
                         otherNdcThan, given, unlikeBefore";

/// The most conditions on all events that a pack may have, and the most values that must agree.
const MAX_ON_EVENTS: usize = 64;

/// A condition with its parts.
struct ConditionParts<'d> {
    operator: &'static str,
    operand: Value<'d>,
    whole: Value<'d>,
}

impl Reading {
    pub(super) fn new(names: PackNames) -> Self {
        Self { asked: Asked { names, ..Asked::default() }, ..Self::default() }
    }

    /// Reads the member `sets` of the pack.
    pub(super) fn read_sets(&mut self, sets: Option<Value<'_>>) -> Result<(), Error> {
        let Some(sets) = sets else { return Ok(()) };
        for (name, paths) in named_once(sets, "an object of lists of fields, each name once")? {
            if self.sets.len() == MAX_PATHS {
                return Err(refused(sets, format!("at most {MAX_PATHS} sets")));
            }
            let found = list(paths, MAX_PATHS)?.map(|path| place(path, &mut self.asked));
            let found = found.collect::<Result<_, _>>()?;
            self.sets.push((name.to_cow().into_owned(), found));
        }
        Ok(())
    }

    /// The fields that a rule judges: one field, a set, or a list of both.
    pub(super) fn places(&mut self, value: Value<'_>) -> Result<Vec<RuleTarget>, Error> {
        let mut places = Vec::new();
        several(value, MAX_PATHS, |one| self.add_places(one, &mut places))?;
        Ok(places)
    }

    fn add_places(&mut self, value: Value<'_>, places: &mut Vec<RuleTarget>) -> Result<(), Error> {
        let name = value.as_str().or_empty();
        let found = match name.strip_prefix('$') {
            None => vec![place(value, &mut self.asked)?],
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
        let parts = parts(value)?;
        let ConditionParts { operator, operand, .. } = parts;
        let subject = value.get("value");
        let stands_alone = matches!(operator, "all" | "any" | "not" | "some" | "every" | "no");
        if stands_alone && let Some(subject) = subject {
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
            "some" => return self.on_events(&parts, depth, Share::Some),
            "every" => return self.on_events(&parts, depth, Share::Every),
            "no" => return self.on_events(&parts, depth, Share::No),
            _ => {}
        }
        let judged =
            Subjects::of(value, (subject, value.get("of")), at, operator, &mut self.asked)?;
        let test = self.test(&parts, &judged, at, is_certain)?;
        let is_list = matches!(&judged.subject, Subject::Event(path) if !path.is_of_standard());
        let is_of_value = |other: &Subject| !matches!(other, Subject::Event(_));
        if is_list && !at.is_empty() && test.other().is_some_and(is_of_value) {
            let expected =
                "the judged value on the other side: `\"value\": \".\"`, compared with this field";
            return Err(refused(value, expected));
        }
        Ok(Expression::Test { of: judged.subject, test })
    }

    /// A condition that some, all or no events must fulfil. It judges events, even in a rule on the document.
    fn on_events(
        &mut self,
        parts: &ConditionParts<'_>,
        depth: usize,
        wanted: Share,
    ) -> Result<Expression, Error> {
        let around = std::mem::replace(&mut self.asked.is_of_document, false);
        // Conditions on all events are evaluated before any rule, so they use no parameters.
        let parameters = std::mem::take(&mut self.parameters);
        let when = self.expression(parts.operand, &[], depth + 1, false);
        self.asked.is_of_document = around;
        self.parameters = parameters;
        let on = parts.whole.get("on").map(types).transpose()?.or_empty();
        let when = when?;
        if when.has_events(&|_| true) {
            return Err(refused(parts.operand, "no condition about all events in another one"));
        }
        // The same condition in another rule is evaluated once.
        let written = format!("{on} {}", parts.operand.source());
        if let Some(number) = self.on_events.iter().position(|known| *known == written) {
            return Ok(Expression::Events { number, wanted });
        }
        if self.asked.needs.events.len() == MAX_ON_EVENTS {
            let expected = format!("at most {MAX_ON_EVENTS} conditions about all events in a pack");
            return Err(refused(parts.operand, expected));
        }
        self.on_events.push(written);
        self.asked.needs.events.push(OnEvents { on, when });
        Ok(Expression::Events { number: self.asked.needs.events.len() - 1, wanted })
    }

    fn test(
        &mut self,
        parts: &ConditionParts<'_>,
        of: &Subjects<'_>,
        at: &[RuleTarget],
        is_certain: bool,
    ) -> Result<Test, Error> {
        let (operand, more) = (parts.operand, parts.whole.get("byMoreThan"));
        const OF_TEXTS: &str =
            "in, startsWith, endsWith, contains, longerThan, form, amongst, given";
        if OF_TEXTS.split(", ").any(|known| known == parts.operator) {
            of.require("texts", Leaf::is_text)?;
        }
        Ok(match parts.operator {
            "is" => Test::Is(marks(operand, of, is_certain)?),
            "in" => {
                let mut texts = self.texts(operand, MAX_TEXTS)?;
                epcis_edge_text::order::sort_stably_by(&mut texts, &|one, other| one.cmp(other));
                Test::In(texts)
            }
            "startsWith" | "endsWith" | "contains" => {
                let texts = self.texts(operand, MAX_PARTS)?;
                match parts.operator {
                    "startsWith" => Test::StartsWith(texts),
                    "endsWith" => Test::EndsWith(texts),
                    _ => Test::Contains(texts),
                }
            }
            "longerThan" => Test::LongerThan(count(operand, 1 << 20)? as usize),
            "exists" => Test::Exists(flag(operand)?),
            "after" => Test::After(self.other(of, (operand, at), TIMES)?, seconds(more)?),
            "before" => Test::Before(self.other(of, (operand, at), TIMES)?, seconds(more)?),
            "aheadOfNow" => {
                of.require("times", Leaf::is_time)?;
                Test::AheadOfNow(count(operand, u32::MAX)?.into())
            }
            "above" => Test::Above(self.number(of, operand, at)?),
            "below" => Test::Below(self.number(of, operand, at)?),
            "otherOffsetThan" => {
                of.require("times", Leaf::is_time)?;
                let other = Subjects::other(operand, at, &mut self.asked)?;
                other.require("offsets of time zones", |leaf| {
                    matches!(leaf, Leaf::Value(field::ValueKind::Offset))
                })?;
                Test::OtherOffset(other.subject)
            }
            "word" => {
                of.require("words of the CBV, or texts", Leaf::is_text)?;
                let words = self.texts(operand, MAX_PARTS)?;
                require_known(&words, operand, of)?;
                Test::Word(words)
            }
            "form" => {
                let named = |text: Value<'_>| {
                    let form = text.as_str().and_then(|name| Form::named(&name));
                    form.ok_or_else(|| refused(text, format!("one of {}", Form::known())))
                };
                Test::Form(several(operand, MAX_PARTS, named)?)
            }
            "count" => counted(operand)?,
            "amongst" => {
                let path = operand.as_str().and_then(|path| Path::find(&path));
                let path = path.filter(|path| path.leaf.is_text());
                let expected = "a field of identifiers of the event, such as `inputEPCList`";
                Test::Amongst(path.ok_or_else(|| refused(operand, expected))?)
            }
            "otherThanFor" => self.conflict(operand, of)?,
            "given" => Test::Given {
                parameter: parameters::named(&self.parameters, operand)?,
                keys: BTreeSet::new(),
            },
            "unlikeBefore" => {
                for target in at {
                    if let RuleTarget::MasterData(kind) = target {
                        self.asked.needs.note_repeated(kind);
                    }
                }
                let is_element = |target: &RuleTarget| matches!(target, RuleTarget::MasterData(_));
                let is_judged = matches!(of.subject, Subject::Judged(_));
                if at.is_empty() || !is_judged || !at.iter().all(is_element) {
                    let expected =
                        "a rule that judges elements of master data, such as `masterData.EPCClass`";
                    return Err(refused(operand, expected));
                }
                if operand.as_bool() != Some(true) {
                    return Err(refused(operand, "true"));
                }
                Test::UnlikeBefore
            }
            "otherNdcThan" => Test::OtherNdcThan(self.other(of, (operand, at), TEXTS)?),
            _ => self.unpaired(operand, of, at)?,
        })
    }

    /// Values that must be the same for a product and a further value.
    fn conflict(&mut self, operand: Value<'_>, of: &Subjects<'_>) -> Result<Test, Error> {
        require_members(operand, "class, value", "class, value")?;
        let mut path = |name: &str| {
            let value = member(operand, name)?;
            let found = value.as_str();
            let names = Some(&mut self.asked.names);
            let path = found.and_then(|found| Path::in_event(&found, names));
            path.filter(|path| path.leaf.is_text())
                .ok_or_else(|| refused(value, "a field of texts of the event"))
        };
        let (class, by) = (path("class")?, path("value")?);
        let Subject::Event(value) = &of.subject else {
            return Err(refused(operand, "a field of the event beside it, as `value`"));
        };
        let conflict = Conflict { class, by, value: value.clone() };
        let known = &mut self.asked.needs.conflicts;
        if let Some(number) = known.iter().position(|known| *known == conflict) {
            return Ok(Test::OtherThanFor(number));
        }
        if known.len() == MAX_PARTS {
            return Err(refused(operand, format!("at most {MAX_PARTS} of these in a pack")));
        }
        known.push(conflict);
        Ok(Test::OtherThanFor(known.len() - 1))
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
        require_members(operand, "value, table", "value, table")?;
        let (value, table) = (member(operand, "value")?, member(operand, "table")?);
        let by = Subjects::other(value, at, &mut self.asked)?;
        by.require("words of the CBV", is_word)?;
        let mut rows = Vec::new();
        for (key, words) in named_once(table, "an object of lists of words, each name once")? {
            if rows.len() == MAX_KEYS {
                return Err(refused(table, format!("at most {MAX_KEYS} words")));
            }
            rows.push((key.to_cow().into_owned(), self.texts(words, MAX_KEYS)?));
        }
        Ok(Test::Unpaired { by: by.subject, table: rows })
    }

    /// Reads one text or a list of them.
    fn texts(&mut self, value: Value<'_>, most: usize) -> Result<Vec<String>, Error> {
        let texts = several(value, most, |one| text(one, MAX_TEXT))?;
        self.texts += texts.len();
        if self.texts > MAX_TEXTS {
            return Err(refused(value, format!("at most {MAX_TEXTS} texts in a pack")));
        }
        Ok(texts)
    }
}

impl Reading {
    /// The other side of a comparison; both must be of one kind.
    fn other(
        &mut self,
        of: &Subjects<'_>,
        (operand, at): (Value<'_>, &[RuleTarget]),
        (what, is): (&str, fn(Leaf) -> bool),
    ) -> Result<Subject, Error> {
        of.require(what, is)?;
        let other = Subjects::other(operand, at, &mut self.asked)?;
        other.require(what, is)?;
        Ok(other.subject)
    }

    fn number(
        &mut self,
        of: &Subjects<'_>,
        operand: Value<'_>,
        at: &[RuleTarget],
    ) -> Result<Operand, Error> {
        let Some(number) = operand.as_number() else {
            return Ok(Operand::Of(self.other(of, (operand, at), NUMBERS)?));
        };
        of.require(NUMBERS.0, NUMBERS.1)?;
        let number = number.parse().ok();
        number.map(Operand::Number).ok_or_else(|| refused(operand, "a number"))
    }
}

/// Kinds of values that an operator may require, with the test of a leaf.
const TEXTS: (&str, fn(Leaf) -> bool) = ("texts", Leaf::is_text);
const TIMES: (&str, fn(Leaf) -> bool) = ("times", Leaf::is_time);
const NUMBERS: (&str, fn(Leaf) -> bool) = ("numbers", Leaf::is_number);

/// The members of a condition.
fn parts(value: Value<'_>) -> Result<ConditionParts<'_>, Error> {
    let mut operator = None;
    for (name, member) in value.members() {
        let name = name.to_cow();
        match name.as_ref() {
            "value" | "of" | "byMoreThan" | "on" => {}
            _ => {
                let Some(known) = OPERATORS.split(", ").find(|known| *known == name) else {
                    let name = excerpt(&name);
                    let expected = format!("no `{name}` here: there are value, {OPERATORS}");
                    return Err(refused(member, expected));
                };
                if operator.replace((known, member)).is_some() {
                    return Err(refused(member, "one operator in a condition"));
                }
            }
        }
    }
    let (operator, operand) =
        operator.ok_or_else(|| refused(value, format!("an operator: {OPERATORS}")))?;
    let misplaced = [
        ("byMoreThan", matches!(operator, "after" | "before")),
        ("on", matches!(operator, "some" | "every" | "no")),
        ("of", value.get("value").is_some()),
    ];
    for (name, belongs) in misplaced {
        if let Some(member) = value.get(name).filter(|_| !belongs) {
            return Err(refused(member, format!("no `{name}` beside `{operator}`")));
        }
    }
    Ok(ConditionParts { operator, operand, whole: value })
}
