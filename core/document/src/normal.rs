//! Normal forms for comparison: one text for each value, however it was spelt.

use crate::context::{ActiveContext, official_prefix};
use crate::field::ValueKind;
use crate::hash::event_name;
use crate::identifier;
use crate::vocabulary::{BIZ_STEP, DISPOSITION, EVENT_TYPES, MEASUREMENT_TYPE, Vocabulary};
use std::borrow::Cow;

/// The normal form of an identifier: a GS1 identifier as canonical Digital Link, any other byte for byte.
pub fn identifier(text: &str) -> String {
    identifier::to_digital_link(text).map_or_else(|| text.to_owned(), Cow::into_owned)
}

/// The normal form of a text, by its kind.
pub fn text(text: &str, kind: ValueKind) -> String {
    match kind {
        ValueKind::Identifier => identifier(text),
        ValueKind::EventId => event_name(text).into_owned(),
        ValueKind::HexBinary => text.to_ascii_uppercase(),
        _ => text.to_owned(),
    }
}

/// A word of a vocabulary as its web URI; a user's own word as its expanded URI.
///
/// The two web URIs of a measurement type become one: events that differ only in this have one hash.
pub fn word(text: &str, vocabulary: &Vocabulary, context: &ActiveContext<'_>) -> String {
    let after = |text: &str, prefixes: &[&str]| {
        let mut prefixes = prefixes.iter().filter(|prefix| !prefix.is_empty());
        let word = prefixes.find_map(|prefix| text.strip_prefix(prefix));
        word.map(|word| format!("{}{word}", vocabulary.web))
    };
    if !text.contains(':') {
        return format!("{}{text}", vocabulary.web);
    }
    after(text, &[vocabulary.urn, vocabulary.curie]).unwrap_or_else(|| {
        let expanded = context.expand(text);
        after(&expanded, &[vocabulary.hashed_web]).unwrap_or_else(|| expanded.into_owned())
    })
}

/// The namespace of the CBV's words for master data.
const MDA: &str = "urn:epcglobal:cbv:mda";

/// The normal name of a member in two parts, namespace and rest. A prefix of the official context has its official meaning unless
/// the document binds it. The namespace of the CBV's words for master data may be written in three ways, that of the GS1 vocabulary
/// in two; each becomes one.
pub fn member_name<'t>(name: &'t str, context: &'t ActiveContext<'_>) -> (&'t str, &'t str) {
    let (start, rest) = context.name_parts(name);
    match start {
        "" => {
            let prefixed = rest.split_once(':');
            let official = prefixed.filter(|(_, local)| !local.starts_with("//"));
            let official =
                official.and_then(|(prefix, local)| Some((official_prefix(prefix)?, local)));
            official.or_else(|| Some((MDA_COLON, mda_word(rest)?))).unwrap_or((start, rest))
        }
        MDA | MDA_HASH => (MDA_COLON, rest.trim_start_matches([':', '#'])),
        _ if start == MEASUREMENT_TYPE.hashed_web => (MEASUREMENT_TYPE.web, rest),
        _ => (start, rest),
    }
}

/// The full name of a CBV word for master data.
pub fn master_data_word(word: &str) -> String {
    format!("{MDA_COLON}{word}")
}

/// The name of an attribute of master data, in two parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeName<'t> {
    /// The namespace; empty if there is none.
    pub(crate) namespace: &'t str,
    /// The local name.
    pub(crate) local: &'t str,
}

impl<'t> AttributeName<'t> {
    /// The name in a text: a URI, or a local name with a bound prefix.
    pub(crate) fn of(text: &'t str, context: &'t ActiveContext<'_>) -> Self {
        let (namespace, local) = match member_name(text, context) {
            ("", whole) => {
                let end = whole.rfind(['#', '/', ':']).map_or(0, |at| at + 1);
                whole.split_at(end)
            }
            parts => parts,
        };
        Self { namespace, local }
    }
}

/// The identifier of an element of master data: a word of the CBV as its web URI, any other in the normal form of identifiers.
pub fn element_id(text: &str, context: &ActiveContext<'_>) -> String {
    if !text.contains(':') {
        return text.to_owned();
    }
    let word = [&BIZ_STEP, &DISPOSITION].into_iter().find_map(|vocabulary| {
        let word = word(text, vocabulary, context);
        word.starts_with(vocabulary.web).then_some(word)
    });
    word.unwrap_or_else(|| identifier(text))
}

/// The normal form of a name that is written in full; as [`member_name`], but in one part.
pub fn whole_name(name: &str) -> String {
    if let Some(word) = mda_word(name) {
        return format!("{MDA_COLON}{word}");
    }
    match name.strip_prefix(MEASUREMENT_TYPE.hashed_web) {
        Some(word) => format!("{}{word}", MEASUREMENT_TYPE.web),
        None => name.to_owned(),
    }
}

const MDA_COLON: &str = "urn:epcglobal:cbv:mda:";
const MDA_HASH: &str = "urn:epcglobal:cbv:mda#";

fn mda_word(name: &str) -> Option<&str> {
    let word = name.strip_prefix(MDA)?;
    Some(word.trim_start_matches([':', '#']))
}

/// An event type: the bare name for the five of the standard, a URI for a user's own.
pub fn event_type(text: &str, context: &ActiveContext<'_>) -> String {
    let expanded = context.expand(text);
    let bare = expanded.strip_prefix("https://ref.gs1.org/epcis/");
    match bare.filter(|bare| EVENT_TYPES.contains(bare)) {
        Some(bare) => bare.to_owned(),
        None => expanded.into_owned(),
    }
}

/// A typed identifier, such as a purchase order: type and identifier in one text.
pub fn typed(kind: &str, identifier: &str) -> String {
    // No URI has a space.
    format!("{kind} {identifier}")
}

/// The identifier in a text made by [`typed`].
pub fn identifier_of_typed(text: &str) -> Option<&str> {
    // A type may contain spaces, an identifier cannot.
    text.rsplit_once(' ').map(|(_, identifier)| identifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_one_form() {
        let context = ActiveContext::default();
        for spelling in [
            "shipping",
            "cbv:BizStep-shipping",
            "urn:epcglobal:cbv:bizstep:shipping",
            "https://ref.gs1.org/cbv/BizStep-shipping",
        ] {
            let found = word(spelling, &BIZ_STEP, &context);
            assert_eq!(found, "https://ref.gs1.org/cbv/BizStep-shipping");
        }
        assert_eq!(word("urn:x:step", &BIZ_STEP, &context), "urn:x:step");
        for spelling in [
            "Temperature",
            "gs1:Temperature",
            "https://gs1.org/voc/Temperature",
            "https://ref.gs1.org/voc/Temperature",
        ] {
            let found = word(spelling, &MEASUREMENT_TYPE, &context);
            assert_eq!(found, "https://gs1.org/voc/Temperature");
        }
        let other = word("https://ref.gs1.org/voc/x", &BIZ_STEP, &context);
        assert_eq!(other, "https://ref.gs1.org/voc/x");
    }
}
