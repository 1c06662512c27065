//! The costs of conditions, in steps of about a nanosecond.

use super::expression::Test;

/// The cost of evaluating one condition of any kind.
pub(super) const CONDITION: u64 = 24;
/// The cost of skipping one member of an object in search of another.
pub(super) const MEMBER: u64 = 10;
/// The cost of testing whether a text starts or ends with another, or can contain it at all.
pub(super) const TEXT: u64 = 8;
/// The cost per byte of a text to search for: the search first scans it once.
pub(super) const LOOKED_FOR: u64 = 6;
/// The cost per byte of the text that is searched.
pub(super) const LOOKED_THROUGH: u64 = 2;
/// The cost of reading a time or a number.
pub(super) const READ: u64 = 60;
/// The cost per byte of a time or a number.
pub(super) const READ_BYTE: u64 = 3;
/// The cost of parsing an identifier.
pub(super) const IDENTIFIER: u64 = 100;
/// The cost per byte of an identifier.
pub(super) const IDENTIFIER_BYTE: u64 = 4;
/// The cost of one step of a look-up by identifier: the identifier in normal form, and the way through a tree of all of them.
pub(super) const LOOK_UP: u64 = 600;
/// The cost per byte of a document of collecting data about identifiers from its events and its header.
pub(super) const COLLECTED_BYTE: u64 = 8;
/// The cost per text of an attribute or member with a name outside of the standard: its prefix is looked up.
pub(super) const NAME: u64 = 60;
/// The factor on bytes of a text with escapes, which is unescaped again for each condition.
pub(super) const ESCAPED: u64 = 4;

impl Test {
    /// The price per value and per byte. `longest`: the bytes of the longest value.
    pub(super) fn prices(&self, is_judged: bool, longest: u64) -> (u64, u64) {
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
            Self::After(..)
            | Self::Before(..)
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
            Self::Word(words) => (of_texts(&compared, words), 1),
            Self::Form(forms) => {
                let forms = forms.len() as u64;
                (READ * forms, READ_BYTE * forms)
            }
            Self::Count(..) => (MEMBER, 0),
            Self::Amongst(_) => (LOOK_UP + IDENTIFIER, IDENTIFIER_BYTE),
            Self::OtherThanFor(_) => (LOOK_UP, IDENTIFIER_BYTE),
            Self::OtherNdcThan(_) => (IDENTIFIER, IDENTIFIER_BYTE),
            Self::Given { .. } => (LOOK_UP + IDENTIFIER, IDENTIFIER_BYTE),
            Self::UnlikeBefore => (LOOK_UP, 0),
        }
    }
}
