//! Translates EPCIS XML 1.0, 1.1, 1.2 and 2.0 to EPCIS 2.0 JSON-LD and back, with a verified report of the losses.
//!
//! No loss is silent: the [`FidelityReport`] lists everything that the output has no place for, with its path and value.
//! No claim is untested: each event is translated back to XML of the version it came in and compared with its source. Every
//! difference is listed as a lossy path, whether a mapping rule predicted it or not, and so is an event whose hash changes.
//! Most events are written so plainly that comparing the two texts side by side proves both, without translating back.
//!
//! A document is processed as a stream: memory holds the output, the envelope, the open containers and one event.
//! UTF-8 is borrowed; a document in another encoding costs a decoded copy.
//!
//! Which versions of XML are accepted?
//! A `schemaVersion` that is not a number is refused with its place.
//! A number that is no version of EPCIS, or contradicts the namespace, is noted with its place, and the namespace decides:
//! public documents have such contradictions, and no data depends on the number.
//! A document type declaration with content is refused with its place; a bare `<!DOCTYPE name>` declares nothing, occurs in
//! public files, and is noted.
//!
//! The steps of `translate`, in the loop `Translator::go_on` of `document`:
//!
//! 1. Bytes become text (`encoding`); UTF-8 is borrowed, a stream is decoded chunk by chunk.
//! 2. Text becomes tokens (`reader`). A `Reader` holds the state between two tokens and borrows nothing; a `Pass` moves it over the text
//!    received so far, and answers `More` if it needs more. So a whole document is a stream whose text comes at once. The judge of the
//!    XML schema sees each token.
//! 3. Tokens become steps (`walk`): the start or the end of a container, a text, or a piece, read whole into one tree. A piece is an
//!    event, a vocabulary element, or another element of the envelope; the table `PARTS` of `envelope` tells them apart, both ways.
//! 4. Pieces become JSON (`xml_to_json`), are compared (`measure`), and are appended, or handed out by a stream.
//! 5. The envelope becomes JSON (`document/end`) and is compared, then its lists get their pieces.
//! 6. Locations are found on demand (`places`): the piece of a pointer is mapped again, with a trace of the source of each value.
//!
//! The way back (`to_xml`) builds such a tree from JSON (`json_to_xml`), prints it (`print`), and reads the result like any XML.

mod characters;
mod comparison;
mod document;
mod encoding;
mod envelope;
mod findings;
mod hash;
mod json_to_xml;
mod kinds;
mod limits;
mod lines;
mod measure;
mod namespace;
mod output_context;
mod places;
mod plain_proof;
mod print;
mod reader;
mod report;
mod stream;
#[cfg(test)]
mod tests;
mod to_xml;
mod tree;
mod value;
mod verdict;
mod walk;
mod write;
mod xml_to_json;

pub use envelope::SBDH_MEMBER;
pub(crate) use hash::for_each_event as for_each_xml_event;
pub use hash::{hash_xml, is_xml, pre_hash_xml, verify_xml};
pub use limits::{
    MAX_ATTRIBUTES, MAX_DEPTH, MAX_DOCUMENT_NAMESPACES, MAX_ELEMENTS, MAX_EVENT_LENGTH,
    MAX_FRAME_LENGTH, MAX_FRAME_TEXT, MAX_LENGTH, MAX_NAME_LENGTH, MAX_NAMESPACES,
};
pub use measure::compare_as_a_release;
pub use report::{Became, FidelityReport, Losses, Note};
pub use stream::{StreamedEvent, StreamedTranslation, TranslationStream};
pub use to_xml::{
    StreamedXml, XmlEvents, XmlReport, XmlStream, XmlTranslation, XmlVersion, to_xml,
};
pub use verdict::{validate_xml, validate_xml_text};

use self::document::Wanted;
use crate::validate::XmlVerdict;
use epcis_edge_text::error::{Error, Location};
use places::KeptPlaces;
use std::borrow::Cow;

/// Translates an EPCIS XML document to EPCIS 2.0 JSON-LD.
///
/// **Shape**: a document, a query document with results, a master data document, or one event, of EPCIS 1.0, 1.1, 1.2 or
/// 2.0, with fields in the places of any of these versions; UTF-8, UTF-16 (with its byte order mark), ISO-8859-1, US-ASCII or
/// windows-1252.
/// The output need not be valid by the official schema: a wrong value in the source stays wrong, and the schema refuses it.
/// [`Translation::source_verdict`] is the verdict of the official XML schema on the source, from the same reading.
///
/// **Limits**: [`MAX_LENGTH`], [`MAX_FRAME_TEXT`], [`MAX_DEPTH`], [`MAX_ELEMENTS`], [`MAX_ATTRIBUTES`], [`MAX_NAMESPACES`],
/// [`MAX_DOCUMENT_NAMESPACES`], [`MAX_NAME_LENGTH`].
///
/// # Errors
/// [`ErrorKind::Xml`](epcis_edge_text::error::ErrorKind::Xml) with path, line and column: for XML that is not well-formed or not in one
/// of these encodings, for a document type declaration with content, beyond the limits, and for anything but an EPCIS
/// document with events or master data.
///
/// # Example
/// ```
/// let xml = br#"<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:1" schemaVersion="1.2"
///     creationDate="2026-11-20T08:00:00Z"><EPCISBody><EventList><ObjectEvent>
///   <eventTime>2026-11-20T07:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>
///   <epcList><epc>urn:epc:id:sgtin:9521141.012345.1</epc></epcList><action>OBSERVE</action>
///   <bizStep>urn:epcglobal:cbv:bizstep:shipping</bizStep>
/// </ObjectEvent></EventList></EPCISBody></epcis:EPCISDocument>"#;
/// let translation = epcis_edge_document::translate::translate(xml)?;
/// assert_eq!(translation.source_schema_version, "1.2");
/// assert!(translation.document.contains(r#""bizStep":"shipping""#));
/// assert!(translation.fidelity_report.is_round_trip_clean());
/// assert!(translation.source_verdict.unwrap().valid);
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
///
/// **Source**: EPCIS 1.2 and 2.0, chapters 9 (XML) and 10 (JSON); CBV 2.0, chapter 7, for the forms of its words.
pub fn translate(xml: &[u8]) -> Result<Translation<'_>, Error> {
    document::translate(encoding::decode(xml)?, Wanted::Verdict)
}

/// Translates an EPCIS XML document without checking it against the XML schema, for callers that do not return that verdict.
///
/// # Errors
/// As [`translate`].
pub fn translate_unjudged(xml: &[u8]) -> Result<Translation<'_>, Error> {
    document::translate(encoding::decode(xml)?, Wanted::Report)
}

/// Translates an EPCIS XML document that is text already, such as a JSON string or a JavaScript string.
///
/// The same as [`translate`], but the encoding named in the XML declaration is ignored: it describes the bytes that the text
/// was decoded from.
///
/// # Errors
/// As [`translate`].
///
/// # Example
/// ```
/// let xml = "<?xml version='1.0' encoding='ISO-8859-1'?><ObjectEvent><bizStep>https://example.com/K\u{fc}hlung</bizStep></ObjectEvent>";
/// let translation = epcis_edge_document::translate::translate_text(xml)?;
/// assert!(translation.document.contains("K\u{fc}hlung"));
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
///
/// **Source**: XML 1.0, 4.3.3: the encoding given by a higher-level protocol wins over the declaration.
pub fn translate_text(xml: &str) -> Result<Translation<'_>, Error> {
    document::translate(encoding::checked(xml)?, Wanted::Verdict)
}

/// Translates an EPCIS XML document for callers that need its document and places alone: the source is not judged, and the report says
/// of each event that may differ from its source that it was not compared.
///
/// # Errors
/// As [`translate`].
pub fn translate_unmeasured(xml: &[u8]) -> Result<Translation<'_>, Error> {
    document::translate(encoding::decode(xml)?, Wanted::Nothing)
}

/// As [`translate_unmeasured`], of text: see [`translate_text`].
///
/// # Errors
/// As [`translate`].
pub fn translate_text_unmeasured(xml: &str) -> Result<Translation<'_>, Error> {
    document::translate(encoding::checked(xml)?, Wanted::Nothing)
}

/// A translated document.
#[derive(Debug)]
pub struct Translation<'x> {
    /// The EPCIS 2.0 JSON-LD document, as text: numbers keep the digits of the source.
    pub document: String,
    /// The version of the source XML: `1.0`, `1.1`, `1.2` or `2.0`.
    pub source_schema_version: &'static str,
    /// The number of events translated.
    pub metered_events: usize,
    /// The report of what a round trip does not restore.
    pub fidelity_report: FidelityReport,
    /// The verdict of the official XML schema on the source; `None` from
    /// [`translate_unjudged`] and [`translate_unmeasured`].
    pub source_verdict: Option<XmlVerdict>,
    text: Cow<'x, str>,
    kept: KeptPlaces,
}

impl Translation<'_> {
    /// Returns the place in the source XML that the value at a JSON Pointer (RFC 6901) into the output was made from: its path,
    /// and line and column of the element.
    ///
    /// Used for schema errors. A missing value is located at the element that should contain it; anything else without a place
    /// of its own, at the document element.
    /// Each call maps one event again.
    ///
    /// # Example
    /// ```
    /// let xml = b"<ObjectEvent>\n  <eventTime>yesterday</eventTime>\n</ObjectEvent>";
    /// let translation = epcis_edge_document::translate::translate(xml)?;
    /// let place = translation.locate("/eventTime");
    /// assert_eq!(place.path, "/ObjectEvent/eventTime[1]");
    /// assert_eq!(place.line, 2);
    /// # Ok::<(), epcis_edge_text::error::Error>(())
    /// ```
    #[must_use]
    pub fn locate(&self, pointer: &str) -> Location {
        self.kept.locate(&self.text, pointer)
    }

    /// Returns the places of several values, in their order, as [`Self::locate`] does.
    /// The source is read once and each event mapped once, a thousand pointers cost little more than one.
    #[must_use]
    pub fn locate_all<'p>(&self, pointers: impl IntoIterator<Item = &'p str>) -> Vec<Location> {
        self.kept.locate_all(&self.text, pointers)
    }
}
