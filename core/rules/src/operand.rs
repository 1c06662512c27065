//! Reads the operands of conditions; an error has the place in the pack of anything that the language does not have.

use super::expression::Test;
use super::mark::ExaminedAs;
use super::subject::Subjects;
use super::values::{count, list, refused, require_members};
use epcis_edge_document::event::kind_named;
use epcis_edge_document::field::EventTypes;
use epcis_edge_document::vocabulary;
use epcis_edge_text::error::{Error, excerpt};
use epcis_edge_text::json::{Kind, Value};

/// # Errors
/// If a word is not in the vocabulary of its field: no value would ever match it.
pub(crate) fn require_known(
    words: &[String],
    operand: Value<'_>,
    of: &Subjects<'_>,
) -> Result<(), Error> {
    let ExaminedAs::Word(number) = of.subject.examined_as() else { return Ok(()) };
    let Some(vocabulary) = vocabulary::ALL.get(number) else { return Ok(()) };
    match words.iter().find(|word| !vocabulary.contains(word)) {
        None => Ok(()),
        Some(word) => {
            let (word, name) = (excerpt(word), vocabulary.name);
            Err(refused(operand, format!("bare words of {name} in the CBV; `{word}` is none")))
        }
    }
}

/// The member `byMoreThan`, in seconds; 0 if it is absent.
pub(super) fn seconds(value: Option<Value<'_>>) -> Result<i64, Error> {
    let Some(value) = value else { return Ok(0) };
    require_members(value, "days, hours, minutes", "")?;
    let mut sum = 0;
    for (name, seconds) in [("days", 86_400), ("hours", 3600), ("minutes", 60)] {
        if let Some(part) = value.get(name) {
            sum += i64::from(count(part, 1_000_000)?) * seconds;
        }
    }
    if sum == 0 {
        return Err(refused(value, "`days`, `hours` or `minutes`, more than 0"));
    }
    Ok(sum)
}

/// The operand of `count`: a number, or an object with `least`, `most` or both.
pub(super) fn counted(operand: Value<'_>) -> Result<Test, Error> {
    const MOST: u32 = 1_000_000;
    if operand.kind() == Kind::Number {
        let number = count(operand, MOST)? as usize;
        return Ok(Test::Count(number, number));
    }
    require_members(operand, "least, most", "")?;
    let (least, most) = (operand.get("least"), operand.get("most"));
    if least.is_none() && most.is_none() {
        return Err(refused(operand, "a number, or an object with `least`, `most` or both"));
    }
    let least = least.map_or(Ok(0), |least| count(least, MOST))? as usize;
    let most = most.map_or(Ok(MOST), |most| count(most, MOST))? as usize;
    if least > most {
        return Err(refused(operand, "a `least` that is not above `most`"));
    }
    Ok(Test::Count(least, most))
}

pub(super) fn types(value: Value<'_>) -> Result<EventTypes, Error> {
    let mut types = 0;
    for kind in list(value, 5)? {
        let found = kind.as_str().as_deref().and_then(kind_named);
        types |= found.ok_or_else(|| {
            refused(
                kind,
                "an event type: ObjectEvent, AggregationEvent, TransactionEvent, TransformationEvent, AssociationEvent",
            )
        })?;
    }
    Ok(types)
}
