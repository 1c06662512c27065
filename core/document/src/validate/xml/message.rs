//! The messages of the findings: what was found, what was expected, and the nearest name.

use super::super::fault::time_fault;
use super::super::nearest::{list, meant, nearest, suggest, with_suggestion};
use super::{AttributeOf, StartTag};
use epcis_edge_schema::xml::{
    Attribute, Element, Lexical, Particle, Simple, Wanted, Wildcard, namespace_name,
};
use epcis_edge_text::error::Quoted;
use epcis_edge_text::lookalike;
use epcis_edge_text::slice::{Known, OrEmpty};
use std::borrow::Cow;

/// The most names in one message.
const NAMED: usize = 6;

/// A text of the document in backticks, cut.
pub(super) fn quoted(text: &str) -> String {
    Quoted(text).to_string()
}

/// The name of an element in backticks, cut.
pub(super) fn tag(tag: &impl StartTag) -> String {
    quoted(&tag.name())
}

/// A namespace in words.
fn in_namespace(name: &str) -> String {
    match name {
        "" => "in no namespace".to_owned(),
        name => format!("in the namespace {}", quoted(name)),
    }
}

fn element_name(element: &Element) -> String {
    match element.namespace {
        0 => format!("`{}`", element.name()),
        id => format!("`{}` of the namespace `{}`", element.name(), namespace_name(id)),
    }
}

/// The names that a slot takes.
fn slot_names(particles: &[Particle], slot: u8) -> Vec<String> {
    let of_slot = particles.iter().filter(|particle| particle.slot == slot);
    let name = |particle: &Particle| match &particle.wanted {
        Wanted::Element(element) => element_name(element),
        Wanted::Wildcard(Wildcard::Any) => "any element".to_owned(),
        Wanted::Wildcard(Wildcard::Local) => "an element in no namespace".to_owned(),
        Wanted::Wildcard(Wildcard::Other(_)) => "an element of another namespace".to_owned(),
    };
    of_slot.map(name).collect()
}

/// Joins names, the last behind `or`; of a long list only the first few.
fn one_of(mut names: Vec<String>) -> String {
    if names.len() > NAMED {
        let more = names.len() - NAMED;
        names.truncate(NAMED);
        return format!("{} or one of {more} more", names.join(", "));
    }
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// The name of the model that is nearest to a misspelt one.
pub(super) fn nearest_name(name: &str, particles: &'static [Particle]) -> Option<&'static str> {
    let names: Vec<&'static str> = particles
        .iter()
        .filter_map(|particle| match &particle.wanted {
            Wanted::Element(element) => Some(element.name()),
            Wanted::Wildcard(_) => None,
        })
        .collect();
    let near = nearest(name, &names)?.to_owned();
    names.into_iter().find(|name| **name == near)
}

/// A document element that the schema does not have.
pub(super) fn root(found: &impl StartTag, wanted: &str, namespace: &str) -> String {
    format!(
        "found {} {}, expected `{wanted}` in the namespace `{namespace}`",
        tag(found),
        in_namespace(found.namespace())
    )
}

/// A child that the model does not know.
pub(super) fn unexpected(
    found: &impl StartTag,
    particles: &'static [Particle],
    expected: &[u8],
    near: Option<&str>,
) -> String {
    let names: Vec<String> =
        expected.iter().flat_map(|slot| slot_names(particles, *slot)).collect();
    let wanted = match &names[..] {
        [] => "no element".to_owned(),
        _ => one_of(names),
    };
    let place = match found.namespace() {
        "" => String::new(),
        namespace => format!(" {}", in_namespace(namespace)),
    };
    let suggestion = near.map(suggest).or_empty();
    format!("found {}{place}, expected {wanted}{suggestion}", tag(found))
}

/// The right name in the wrong namespace.
pub(super) fn misnamed(found: &impl StartTag, wanted: &Element) -> String {
    format!(
        "found {} {}, expected it {}",
        tag(found),
        in_namespace(found.namespace()),
        in_namespace(namespace_name(wanted.namespace))
    )
}

/// A child that comes too early: something required must come first.
pub(super) fn too_early(
    found: &impl StartTag,
    particles: &'static [Particle],
    missing: u8,
) -> String {
    format!("found {}, expected {} before it", tag(found), one_of(slot_names(particles, missing)))
}

/// A child that comes too late: it belongs before one that was there already.
pub(super) fn too_late(
    found: &impl StartTag,
    particles: &'static [Particle],
    slot: u8,
    seen: u32,
) -> String {
    let later = particles.iter().find(|particle| {
        particle.slot > slot && seen.checked_shr(u32::from(particle.slot)).known() & 1 == 1
    });
    match later {
        Some(later) => format!(
            "{} comes too late: it belongs before {}",
            tag(found),
            one_of(slot_names(particles, later.slot))
        ),
        None => format!("{} comes too late", tag(found)),
    }
}

/// A child that is there already.
pub(super) fn repeated(found: &impl StartTag, particles: &'static [Particle], slot: u8) -> String {
    let names = slot_names(particles, slot);
    if names.len() > 1 {
        return format!(
            "found {}, expected only one of {}",
            tag(found),
            one_of(names).replace(" or ", " and ")
        );
    }
    format!("found {} again, expected it at most once", tag(found))
}

/// A child that never came.
pub(super) fn missing(particles: &'static [Particle], slot: u8) -> String {
    let names = slot_names(particles, slot);
    if names.len() > 1 {
        format!("one of {} is missing", one_of(names))
    } else {
        format!("{} is missing", names.concat())
    }
}

/// An attribute that must not be there.
pub(super) fn attribute(
    found: &impl StartTag,
    attribute: &AttributeOf<'_>,
    names: &[&str],
) -> String {
    let name = with_suggestion(attribute.local, names);
    match names {
        [] => format!("{} must not have the attribute {name}; it has none", tag(found)),
        _ => format!(
            "{} must not have the attribute {name}; it has {} and no other",
            tag(found),
            list(names, "and")
        ),
    }
}

/// An attribute that must be there.
pub(super) fn attribute_missing(found: &impl StartTag, name: &str, all: &[Attribute]) -> String {
    let known = |name: &str| all.iter().any(|attribute| attribute.name == name);
    let misspelt =
        found.attributes().find(|one| !known(one.local) && nearest(one.local, &[name]).is_some());
    match misspelt {
        Some(one) => format!(
            "{} lacks the attribute `{name}` (did you mean that by {}?)",
            tag(found),
            quoted(one.local)
        ),
        None => format!("{} lacks the attribute `{name}`", tag(found)),
    }
}

/// A value that its type does not allow: the rule that it breaks, and why.
pub(super) fn value(simple: &Simple, found: &str) -> (&'static str, String) {
    if !simple.words.is_empty() {
        let words = list(simple.words, "or");
        let message =
            format!("found {}, expected {words}{}", quoted(found), meant(found, simple.words));
        return ("cvc-enumeration-valid", message);
    }
    let expected = expected(simple.lexical);
    let why = match simple.lexical {
        Lexical::DateTime | Lexical::DateTimeStamp => time_fault(found.trim()),
        _ => lookalike::advice(found, |plain| simple.accepts(plain)),
    };
    let keyword = match simple.lexical {
        Lexical::DateTimeStamp => "cvc-pattern-valid",
        _ => "cvc-datatype-valid.1",
    };
    (keyword, format!("found {}, expected {expected}{why}", quoted(found)))
}

/// The form that a value should have.
fn expected(lexical: Lexical) -> Cow<'static, str> {
    Cow::Borrowed(match lexical {
        Lexical::AnyUri => "a URI",
        Lexical::Base64Binary => "bytes in base64",
        Lexical::Boolean => "`true` or `false`",
        Lexical::Date => "a date such as `2026-11-20`",
        Lexical::DateTime => "a date and time such as `2026-11-20T08:00:00Z`",
        Lexical::DateTimeStamp => {
            "a date and time with its zone such as `2026-11-20T08:00:00.000+01:00`"
        }
        Lexical::Day => "a day such as `---20`",
        Lexical::Decimal => "a decimal number",
        Lexical::Double => "a number such as `12.5` or `1.25E1`",
        Lexical::Duration => "a duration such as `P1DT12H`",
        Lexical::HexBinary => "pairs of hexadecimal digits",
        Lexical::Integer(None, Some(0)) => "a whole number up to 0",
        Lexical::Integer(None, Some(_)) => "a whole number below 0",
        Lexical::Integer(Some(least), _) => {
            return format!("a whole number from {least} on").into();
        }
        Lexical::Integer(None, None) => "a whole number",
        Lexical::Language => "a language such as `en`",
        Lexical::Month => "a month such as `--11`",
        Lexical::MonthDay => "a month and day such as `--11-20`",
        Lexical::Name | Lexical::PlainName | Lexical::QualifiedName => "a name",
        Lexical::NameToken => "a word of letters, digits, `.`, `-`, `_` and `:`",
        Lexical::NameTokens => "words of letters, digits, `.`, `-`, `_` and `:`",
        Lexical::Notation => "something that the schema declares, which it does not",
        Lexical::PlainNames => "names",
        Lexical::Signed(bits) => return format!("a whole number of {bits} bits").into(),
        Lexical::Text | Lexical::Token => "a text",
        Lexical::Time => "a time such as `08:00:00`",
        Lexical::Unsigned(bits @ (32 | 64)) => {
            return format!("a whole number from 0 on, of {bits} bits").into();
        }
        Lexical::Unsigned(bits) => {
            return format!("a whole number from 0 to {}", (1_u32 << bits) - 1).into();
        }
        Lexical::Year => "a year such as `2026`",
        Lexical::YearMonth => "a year and month such as `2026-11`",
    })
}
