//! Repairs the characters of a document that only look right, and offers the zone that a time lacks. It repairs nothing else.
//!
//! A text that was copied out of a PDF file has U+2010 for `-` and U+00A0 for a blank, between values as well as in them; then it is not
//! even JSON or XML. So nothing is parsed here: one pass cuts the text into values and what stands between them. Between values every
//! such character is replaced. In a value they are, if it is one that nobody would write so: an identifier, a time, a word; prose keeps
//! its dashes and quotes.

mod edits;
mod json;
mod xml;
mod zones;

use edits::Edits;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::decode;
use serde::Serialize;
use zones::Zones;

/// The most changes that a [`Repair`] lists.
pub const MAX_CHANGES: usize = 1_000;

/// A document with its repairs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Repair {
    /// The document as it should be; the given one, if nothing was to repair.
    pub text: String,
    /// How many places were changed.
    pub count: usize,
    /// The changes in document order, at most 1,000.
    pub changes: Vec<Change>,
}

/// One change. Adjacent characters are one change, and so is a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RepairChange"))]
pub struct Change {
    /// Line in the given document, counted from 1.
    pub line: usize,
    /// Column in UTF-16 code units, as editors count, from 1.
    pub column: usize,
    /// Where it begins in the given document, in UTF-16 code units.
    pub from: usize,
    /// Where it ends there.
    pub to: usize,
    /// What was found, with numbers such as `U+2010` for what cannot be told by looking, cut to 100 characters.
    pub found: String,
    /// What was written in its place, in full.
    pub written: String,
    /// Why it was changed.
    pub reason: Reason,
}

/// Why a place was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RepairReason"))]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Characters that only look right.
    LookAlike,
    /// `eventTime` or `declarationTime` without a zone.
    NoZone,
}

/// What is to be repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Whether times without a zone get the `eventTimeZoneOffset` of their event, if it has one: `2026-03-04T11:00:30` becomes
    /// `2026-03-04T11:00:30+01:00`. This is a guess about what the sender meant.
    pub zones: bool,
}

/// Repairs a document, JSON, NDJSON or XML, in one pass. A text that is neither comes back with its characters repaired.
///
/// **Limits**: 256 MiB; time and memory grow with the length of the text.
///
/// # Errors
/// [`ErrorKind::Json`](epcis_edge_text::error::ErrorKind::Json) if the text is not UTF-8, or longer than the limit.
pub fn repair(text: &[u8], repairs: Repairs) -> Result<Repair, Error> {
    Ok(repair_text(decode(text)?, repairs))
}

fn repair_text(text: &str, repairs: Repairs) -> Repair {
    let mut edits = Edits::of(text);
    let mut zones = Zones::new(repairs.zones);
    let is_xml = text
        .trim_start_matches(|first: char| !first.is_ascii() || first.is_ascii_whitespace())
        .starts_with('<');
    if is_xml {
        xml::read(text, &mut edits, &mut zones);
    } else {
        json::read(text, &mut edits, &mut zones);
    }
    edits.finish()
}

#[cfg(test)]
mod tests {
    use super::{Reason, Repairs, repair_text as repair};

    fn repaired(text: &str) -> String {
        repair(text, Repairs::default()).text
    }

    fn zoned(text: &str) -> String {
        repair(text, Repairs { zones: true }).text
    }

    #[test]
    fn characters_between_and_in_values_of_json() {
        for (found, expected) in [
            ("{\u{a0}“action”: “ADD”}", "{ \"action\": \"ADD\"}"),
            ("{\"action\"： −5， \"x\": [1\u{200b}]}", "{\"action\": -5, \"x\": [1]}"),
            ("\u{feff}\u{feff}{}", "\u{feff}{}"),
            (
                r#"{"eventTime": "2026\u201003\u201004T11:00:30Z"}"#,
                r#"{"eventTime": "2026-03-04T11:00:30Z"}"#,
            ),
            ("{\"a\\\"b\": \"ship\u{ad}ping\"}", "{\"a\\\"b\": \"shipping\"}"),
            ("{\"асtion\": 1}", "{\"action\": 1}"),
            ("{\"bizStep\": \"shipping\u{a0}\"", "{\"bizStep\": \"shipping\""),
        ] {
            assert_eq!(repaired(found), expected);
        }
    }

    #[test]
    fn characters_between_and_in_values_of_xml() {
        for (found, expected) in [
            ("<?xml version=”1.0” encoding='UTF‐8'?>", "<?xml version=\"1.0\" encoding='UTF-8'?>"),
            ("<a>\n\u{a0}\u{a0}<b\u{a0}c=“1.2”/></a>", "<a>\n  <b c=\"1.2\"/></a>"),
            (
                "<epc> urn:epc:id:sscc:9521141.1234567890\u{a0}\n</epc>",
                "<epc> urn:epc:id:sscc:9521141.1234567890\n</epc>",
            ),
            ("\u{feff}\u{feff}<a/>", "\u{feff}<a/>"),
            ("<e>&lt;2026‐03‐04&gt;</e>", "<e>&lt;2026-03-04&gt;</e>"),
            ("<e>2026&#x2010;03&#8208;04</e>", "<e>2026-03-04</e>"),
            ("<e a='1.2&#xA0;'>&#38;1&#x200B;</e>", "<e a='1.2'>&#38;1</e>"),
        ] {
            assert_eq!(repaired(found), expected);
        }
    }

    #[test]
    fn prose_comments_and_other_scripts_stay() {
        for text in [
            r#"{"name": "Farm – North", "ex:name": "Москва", "by": "O’Neill", "x": "a “quote” 5"}"#,
            "<a><!-- “1.2”\u{a0} --><name>Farm – North</name><![CDATA[2026‐03]]></a>",
            "<a b=\"1“2”\">1＜2&#xFF1C;</a><a>&#x2010</a><a>2026&#x41;&#;&#x;03</a>",
            "plain",
            "",
        ] {
            let repair = repair(text, Repairs { zones: true });
            assert_eq!((repair.text.as_str(), repair.count), (text, 0));
        }
    }

    #[test]
    fn a_zone_comes_from_the_event_alone() {
        let json = r#"{"eventList": [
            {"eventTime": "2026-03-04T11:00:30", "errorDeclaration": {"declarationTime": "2026-03-05T08:00:00"}, "eventTimeZoneOffset": "+01:00", "recordTime": "2026-03-04T12:00:00"},
            {"eventTime": "2026-03-04T11:00:30"},
            {"eventTimeZoneOffset": "−05:00", "eventTime": "2026-03-04T11:00:30.5"}, {"eventTimeZoneOffset": "soon", "eventTime": "2026-03-04T11:00:30"}]}"#;
        let fixed = zoned(json);
        assert_eq!(
            fixed,
            json.replacen("11:00:30\"", "11:00:30+01:00\"", 1)
                .replace("08:00:00", "08:00:00+01:00")
                .replace("30.5", "30.5-05:00")
                .replace('−', "-")
        );
        assert_eq!(zoned(&fixed), fixed);
        let xml = "<EventList><ObjectEvent><eventTime>2026-03-04T11:00:30</eventTime><eventTimeZoneOffset>+01:00</eventTimeZoneOffset><baseExtension><errorDeclaration><declarationTime> 2026-03-04T11:00:31 </declarationTime></errorDeclaration></baseExtension></ObjectEvent><ObjectEvent><eventTime>2026-03-04T11:00:32</eventTime></ObjectEvent></EventList>";
        assert_eq!(
            zoned(xml),
            xml.replace("11:00:30", "11:00:30+01:00").replace("11:00:31", "11:00:31+01:00")
        );
        // Only if it is asked for.
        assert_eq!(repaired(xml), xml);
    }

    #[test]
    fn places_are_those_of_editors() {
        let text = "{\n \"é😀\": \"2026\u{2010}03\"}";
        let repair = repair(text, Repairs::default());
        let [change] = repair.changes.as_slice() else { panic!("{repair:?}") };
        assert_eq!((change.line, change.column), (2, 10));
        assert_eq!((change.from, change.to), (11, 18));
        assert_eq!((change.found.as_str(), change.written.as_str()), ("2026U+201003", "2026-03"));
        assert_eq!(change.reason, Reason::LookAlike);
    }
}
