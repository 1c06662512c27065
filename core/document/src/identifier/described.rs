//! The table of keys in a form for code that builds identifiers or parses element strings.

use super::characters::Tail;
use super::scheme::{KEYS, Qualifier};
use serde::Serialize;

/// A GS1 key, and what may follow it.
///
/// **Shape**, serialised: `ai`, `name` and `digits` are always present, the others only if they apply; `digits` is empty for free text.
///
/// **Source**: GS1 General Specifications; GS1 Digital Link URI syntax 1.3.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "GS1Key"))]
#[serde(rename_all = "camelCase")]
pub struct DescribedKey {
    /// The application identifier, such as `01`.
    ai: &'static str,
    /// The name at GS1, such as `GTIN`.
    name: &'static str,
    /// What distinguishes it from another key of that name, such as `of a party`.
    #[serde(skip_serializing_if = "str::is_empty")]
    whose: &'static str,
    /// The possible numbers of digits, the check digit included.
    digits: Vec<usize>,
    /// A zero that precedes these digits in a Digital Link and an element string.
    #[serde(skip_serializing_if = "str::is_empty")]
    filler: &'static str,
    /// Whether a piece number and the total of pieces follow, two digits each.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    has_pieces: bool,
    /// The characters of a free text key, company prefix and reference together.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Characters>,
    /// The serial directly after the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    serial: Option<Characters>,
    /// The qualifiers that may follow in a Digital Link, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    qualifiers: Vec<DescribedQualifier>,
}

/// A qualifier that may follow a key.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "GS1Qualifier"))]
struct DescribedQualifier {
    /// The application identifier.
    ai: &'static str,
    /// The name at GS1.
    name: &'static str,
    #[serde(flatten)]
    characters: Characters,
}

/// The allowed characters of a text, and its maximum length in characters.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "GS1Characters"))]
struct Characters {
    /// The most characters.
    longest: usize,
    /// The character set. `any`: the 82 characters of application identifiers; `part`: the 39 of component parts; `digits`; `number`: digits without
    /// leading zeros.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["any", "part", "digits", "number"])))]
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
        Some(Self { longest: tail.longest(), characters })
    }
}

/// Every GS1 key that an identifier may have. If an element string has several, the first in this list is its primary key.
///
/// # Example
/// ```
/// use epcis_edge_document::identifier::keys;
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
    /// The application identifier.
    #[must_use]
    pub fn ai(&self) -> &'static str {
        self.ai
    }
}
