//! What a translation gives.

use super::places::KeptPlaces;
use super::report::FidelityReport;
use crate::error::Location;
use crate::validate::XmlVerdict;
use serde::Serialize;
use std::borrow::Cow;

/// A document that was translated.
#[derive(Debug)]
pub struct Translation<'x> {
    /// The EPCIS 2.0 JSON-LD document, as text: numbers have the digits of the source.
    pub document: String,
    /// The version of the XML that was sent: `1.0`, `1.1`, `1.2` or `2.0`.
    pub source_schema_version: &'static str,
    /// How many events were translated.
    pub metered_events: usize,
    /// What became of the source.
    pub fidelity_report: FidelityReport,
    /// What the official XML schema says of the source; none where it was not asked, by [`translate_unjudged`](super::translate_unjudged).
    pub source_verdict: Option<XmlVerdict>,
    pub(super) text: Cow<'x, str>,
    pub(super) kept: KeptPlaces,
}

impl Translation<'_> {
    /// The place in the source XML that the value at a JSON Pointer (RFC 6901) into the output was made from: its path,
    /// and line and column of the element.
    ///
    /// For schema errors: a value that the output should have but has not is laid to what should hold it, and what has no
    /// place of its own to the document element.
    /// Each call maps one event again.
    ///
    /// # Example
    /// ```
    /// let xml = b"<ObjectEvent>\n  <eventTime>yesterday</eventTime>\n</ObjectEvent>";
    /// let translation = epcis_edge_core::translate::translate(xml)?;
    /// let place = translation.locate("/eventTime");
    /// assert_eq!(place.path, "/ObjectEvent/eventTime[1]");
    /// assert_eq!(place.line, 2);
    /// # Ok::<(), epcis_edge_core::error::Error>(())
    /// ```
    #[must_use]
    pub fn locate(&self, pointer: &str) -> Location {
        self.kept.locate(&self.text, pointer)
    }

    /// The places of several values, in their order: as [`Self::locate`], but an event that many of them in a row lie in is
    /// mapped once, so that many cost little more than one when they come in document order.
    #[must_use]
    pub fn locate_all<'p>(&self, pointers: impl IntoIterator<Item = &'p str>) -> Vec<Location> {
        self.kept.locate_all(&self.text, pointers)
    }
}

impl Serialize for Translation<'_> {
    /// The members of the interface: `document` as an object, `fidelityReport`, `meteredEvents`, `sourceSchemaVersion`, and
    /// `sourceVerdict` where there is one.
    /// Only the serializers of `serde_json` can write it, because the document is handed on as the text that it is.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::{Error as _, SerializeStruct};
        // As text, so that numbers keep their digits.
        let document: &serde_json::value::RawValue =
            serde_json::from_str(&self.document).map_err(S::Error::custom)?;
        let mut members = serializer.serialize_struct("Translation", 5)?;
        members.serialize_field("document", document)?;
        members.serialize_field("fidelityReport", &self.fidelity_report)?;
        members.serialize_field("meteredEvents", &self.metered_events)?;
        members.serialize_field("sourceSchemaVersion", self.source_schema_version)?;
        if let Some(verdict) = &self.source_verdict {
            members.serialize_field("sourceVerdict", verdict)?;
        }
        members.end()
    }
}
