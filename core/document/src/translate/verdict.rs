//! The verdict of the XML schemas on a source document. The reader passes each token to the judge and locates its findings.

use super::encoding;
use super::namespace::Namespaces;
use super::reader::{Pass, Reader, Token};
use crate::validate::XmlVerdict;
use epcis_edge_text::error::Error;

/// Judges an EPCIS XML document by the official XML schema of its version.
///
/// **Shape**: a document, query document or master data document of EPCIS 1.0, 1.1, 1.2 (all by the schema of 1.2) or 2.0, in
/// the encodings of [`translate`](super::translate()); other well-formed XML is invalid at its document element.
/// The schema is chosen by the namespace of the document element, or by its `schemaVersion` if that is not an EPCIS namespace.
///
/// **Limits**: as [`translate`](super::translate()), but any number of elements. Memory holds the open elements and the errors.
///
/// # Errors
/// [`ErrorKind::Xml`](epcis_edge_text::error::ErrorKind::Xml) with path, line and column: for XML that is not well-formed or not in one of
/// these encodings, for a document type declaration with content, and beyond the limits.
///
/// # Example
/// ```
/// let xml = br#"<e:EPCISDocument xmlns:e="urn:epcglobal:epcis:xsd:2" schemaVersion="2.0"
///     creationDate="2026-11-20T08:00:00Z"><EPCISBody><EventList><ObjectEvent>
///   <eventTime>2026-11-20T07:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>
///   <epcList/><action>OBSERVED</action>
/// </ObjectEvent></EventList></EPCISBody></e:EPCISDocument>"#;
/// let verdict = epcis_edge_document::translate::validate_xml(xml)?;
/// assert_eq!(verdict.schema.artefact, "EPCglobal-epcis-2_0.xsd");
/// let error = &verdict.errors[0];
/// assert_eq!(error.path, "/e:EPCISDocument/EPCISBody[1]/EventList[1]/ObjectEvent[1]/action[1]");
/// assert_eq!((error.line, error.keyword), (4, "cvc-enumeration-valid"));
/// assert!(error.message.contains("did you mean `OBSERVE`?"));
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
///
/// **Source**: the XML schemas of EPCIS 1.2 and 2.0; XML Schema 1.0.
pub fn validate_xml(xml: &[u8]) -> Result<XmlVerdict, Error> {
    validate(&encoding::decode(xml)?)
}

/// Judges an EPCIS XML document that is text already, as [`validate_xml`]; the encoding named in its declaration is ignored.
///
/// # Errors
/// As [`validate_xml`].
pub fn validate_xml_text(xml: &str) -> Result<XmlVerdict, Error> {
    validate(&encoding::checked(xml)?)
}

fn validate(text: &str) -> Result<XmlVerdict, Error> {
    let mut namespaces = Namespaces::default();
    let mut reader = Reader::default();
    reader.judge();
    let mut pass = Pass::new(reader, text, true);
    let mut read = || {
        pass.look()?;
        while !matches!(pass.next(&mut namespaces)?, Token::Eof) {}
        Ok(())
    };
    match read() {
        Ok(()) => {
            pass.check_end()?;
            let verdict = pass.end().verdict();
            verdict.ok_or_else(|| Error::impossible("the reader had no judge"))
        }
        Err(fault) => Err(pass.reader.error(text, fault)),
    }
}
