//! The table of keys as those need it who build identifiers, or take element strings apart.

use super::characters::Tail;
use super::scheme::{KEYS, Qualifier};
use serde::Serialize;

/// A key of GS1, and what may stand behind it.
///
/// **Shape**, serialised: `ai`, `name` and `digits` always, all else where the key has it; `digits` is empty for free text.
///
/// **Source**: GS1 General Specifications; GS1 Digital Link URI syntax 1.3.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DescribedKey {
    /// Its application identifier, such as `01`.
    ai: &'static str,
    /// What GS1 calls it, such as `GTIN`.
    name: &'static str,
    /// What sets it apart from another key of that name, such as `of a party`.
    #[serde(skip_serializing_if = "str::is_empty")]
    whose: &'static str,
    /// With how many digits it is written, the check digit among them.
    digits: Vec<usize>,
    /// A zero before these digits in a Digital Link and an element string.
    #[serde(skip_serializing_if = "str::is_empty")]
    filler: &'static str,
    /// Whether the number of a piece and their total follow, two digits each.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    has_pieces: bool,
    /// What a key of free text is written with, company prefix and reference together.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Characters>,
    /// The serial right behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    serial: Option<Characters>,
    /// What may follow it in a Digital Link, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    qualifiers: Vec<DescribedQualifier>,
}

/// What may follow a key.
#[derive(Debug, Serialize)]
struct DescribedQualifier {
    ai: &'static str,
    name: &'static str,
    #[serde(flatten)]
    characters: Characters,
}

/// What a text is written with, and how long it may be, in characters.
#[derive(Debug, Serialize)]
struct Characters {
    longest: usize,
    /// `any`: the 82 characters of application identifiers; `part`: the 39 of component parts; `digits`; `number`: digits without
    /// a zero before them.
    characters: &'static str,
}

impl Characters {
    fn of(tail: Tail) -> Option<Self> {
        let characters = match tail {
            Tail::None => return None,
            Tail::Any(_) => "any",
            Tail::Part(_) => "part",
            Tail::Digits(_) => "digits",
            Tail::Number(_) => "number",
        };
        Some(Self {
            longest: tail.longest(),
            characters,
        })
    }
}

/// Every key of GS1 that an identifier may be of; what is first is what an element string with several keys is about.
///
/// # Example
/// ```
/// use epcis_edge_core::identifier::keys;
/// let sscc = serde_json::to_value(keys().into_iter().find(|key| key.ai() == "00")).unwrap();
/// assert_eq!(sscc["name"], "SSCC");
/// assert_eq!(sscc["digits"], serde_json::json!([18]));
/// ```
#[must_use]
pub fn keys() -> Vec<DescribedKey> {
    let keys = KEYS.iter().map(|key| DescribedKey {
        ai: key.ai,
        name: key.name,
        whose: key.whose,
        digits: match key.is_text() {
            true => Vec::new(),
            false => {
                let shorter = key.shorter.iter().copied();
                shorter.chain([key.digits - key.filler.len()]).collect()
            }
        },
        filler: key.filler,
        has_pieces: key.has_pieces,
        text: Characters::of(key.text),
        serial: Characters::of(key.tail),
        qualifiers: key.qualifiers.iter().filter_map(described).collect(),
    });
    keys.collect()
}

fn described(qualifier: &Qualifier) -> Option<DescribedQualifier> {
    Some(DescribedQualifier {
        ai: qualifier.ai(),
        name: qualifier.name,
        characters: Characters::of(qualifier.tail)?,
    })
}

impl DescribedKey {
    /// Its application identifier.
    #[must_use]
    pub fn ai(&self) -> &'static str {
        self.ai
    }
}
