//! The vocabularies of CBV 2.0: their words, and the URN, web URI and CURIE forms of these.
//!
//! The words are the enumerations of the official EPCIS JSON schema 2.0.1, in its order.

use epcis_edge_schema::enumerations;

/// One vocabulary of the CBV: its words and the prefixes of their longer spellings. Two are equal if they have the same name.
#[derive(Debug, Eq)]
pub struct Vocabulary {
    /// What the standard calls a word of this vocabulary, such as `error reason`; for sentences. No two have the same.
    pub name: &'static str,
    /// The definition in the JSON schema that lists the words.
    pub(crate) definition: &'static str,
    /// The prefix of the URN form, such as `urn:epcglobal:cbv:bizstep:`; empty if there is no URN form.
    pub urn: &'static str,
    /// The prefix of the web URI form, such as `https://ref.gs1.org/cbv/BizStep-`.
    pub web: &'static str,
    /// The prefix of another web URI with the same meaning, such as `https://ref.gs1.org/voc/`; empty if there is none.
    ///
    /// The official context puts the measurement types below `web`; CBV 2.0 hashes them below this prefix.
    pub hashed_web: &'static str,
    /// The prefix of the CURIE form, such as `cbv:BizStep-`.
    pub curie: &'static str,
    /// The bare words of CBV 2.0.
    pub words: &'static [&'static str],
}

// Comparing all the words would be a fortieth of the time of a check.
impl PartialEq for Vocabulary {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Vocabulary {
    /// Whether a text is one of the bare words.
    #[must_use]
    pub fn contains(&self, word: &str) -> bool {
        // Few words share their length and first letter, so most comparisons end here.
        let first = word.as_bytes().first();
        self.words.iter().any(|known| {
            known.len() == word.len() && known.as_bytes().first() == first && *known == word
        })
    }

    /// A word without a prefix of the vocabulary.
    pub fn bare<'w>(&self, word: &'w str) -> &'w str {
        self.bare_part(word).unwrap_or(word)
    }

    /// The part of a word behind a prefix of the vocabulary: of a URN, a web URI or a CURIE.
    pub fn bare_part<'w>(&self, word: &'w str) -> Option<&'w str> {
        let prefixes = [self.urn, self.web, self.hashed_web, self.curie];
        prefixes
            .into_iter()
            .filter(|prefix| !prefix.is_empty())
            .find_map(|prefix| word.strip_prefix(prefix))
    }
}

/// A vocabulary of the CBV: its name, its definition in the schema, the prefix of its URNs, that of its words elsewhere, its words.
macro_rules! cbv {
    ($name:literal, $definition:literal, $urn:literal, $family:literal, $words:ident) => {
        Vocabulary {
            name: $name,
            definition: $definition,
            urn: concat!("urn:epcglobal:cbv:", $urn, ":"),
            web: concat!("https://ref.gs1.org/cbv/", $family),
            hashed_web: "",
            curie: concat!("cbv:", $family),
            words: enumerations::$words,
        }
    };
}

const fn gs1(
    name: &'static str,
    definition: &'static str,
    words: &'static [&'static str],
) -> Vocabulary {
    Vocabulary {
        name,
        definition,
        urn: "",
        web: "https://gs1.org/voc/",
        hashed_web: "https://ref.gs1.org/voc/",
        curie: "gs1:",
        words,
    }
}

/// Business steps. Field: `bizStep`.
pub const BIZ_STEP: Vocabulary = cbv!("bizStep", "bizStep", "bizstep", "BizStep-", BIZ_STEP);

/// Dispositions. Field: `disposition`, and the members of `persistentDisposition`.
pub const DISPOSITION: Vocabulary =
    cbv!("disposition", "disposition", "disp", "Disp-", DISPOSITION);

/// Business transaction types. Field: `type` of a business transaction.
pub const BIZ_TRANSACTION_TYPE: Vocabulary =
    cbv!("business transaction type", "bizTransaction-type", "btt", "BTT-", BIZ_TRANSACTION_TYPE);

/// Source and destination types. Field: `type` of a source or destination.
pub const SOURCE_DESTINATION_TYPE: Vocabulary =
    cbv!("source or destination type", "source-dest-type", "sdt", "SDT-", SOURCE_DEST_TYPE);

/// Error reasons. Field: `reason` of an error declaration.
pub const ERROR_REASON: Vocabulary =
    cbv!("error reason", "error-reason", "er", "ER-", ERROR_REASON);

/// Components of a sensor value. Field: `component` of a sensor report.
pub const COMPONENT: Vocabulary =
    Vocabulary { urn: "", ..cbv!("component", "component", "comp", "Comp-", COMPONENT) };

/// Measurement types. Field: `type` of a sensor report.
pub const MEASUREMENT_TYPE: Vocabulary =
    gs1("measurement type", "measurementType", enumerations::MEASUREMENT_TYPE);

/// Sensor alert types. Field: `exception` of a sensor report.
pub const SENSOR_ALERT_TYPE: Vocabulary =
    gs1("sensor alert type", "sensorAlertType", enumerations::SENSOR_ALERT_TYPE);

/// Every vocabulary above.
pub const ALL: [&Vocabulary; 8] = [
    &BIZ_STEP,
    &DISPOSITION,
    &BIZ_TRANSACTION_TYPE,
    &SOURCE_DESTINATION_TYPE,
    &ERROR_REASON,
    &COMPONENT,
    &MEASUREMENT_TYPE,
    &SENSOR_ALERT_TYPE,
];

/// The values of `action` (EPCIS 2.0, 7.3.2).
pub const ACTIONS: [&str; 3] = ["ADD", "OBSERVE", "DELETE"];

/// The five event types (EPCIS 2.0, 7.4), in the order of the bits in the table of fields.
pub const EVENT_TYPES: [&str; 5] = [
    "ObjectEvent",
    "AggregationEvent",
    "TransactionEvent",
    "TransformationEvent",
    "AssociationEvent",
];

/// The type of a vocabulary of master data: the last word of the standard's own types; other types unchanged.
pub fn element_type(kind: &str) -> &str {
    let starts =
        ["urn:epcglobal:epcis:vtype:", "https://ref.gs1.org/epcis/", "https://ns.gs1.org/epcis/"];
    starts.iter().find_map(|start| kind.strip_prefix(start)).unwrap_or(kind)
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn no_two_vocabularies_have_the_same_name() {
        for (number, one) in ALL.iter().enumerate() {
            let same = ALL.iter().filter(|other| other.name == one.name).count();
            assert_eq!(same, 1, "{number}: {}", one.name);
        }
    }
}
