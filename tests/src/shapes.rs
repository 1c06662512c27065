//! XML bodies that are expensive to process, of any length, for the tests that bound memory and time.

use crate::template::Template;
use std::sync::LazyLock;

/// A kind of XML body that can be made in any size.
pub struct Shape {
    /// What the body has many of.
    pub name: &'static str,
    template: Template,
}

/// What the templates in `shapes.txt` name. A piece may have those below it.
const PIECES: &[(&str, &str)] = &[
    ("{add}", "{event}<epcList/><action>ADD</action>"),
    ("{sensor}", "{observe}<sensorElementList>"),
    ("{/sensor}", "</sensorElementList>{/event}"),
    ("{observe}", "{event}<epcList/><action>OBSERVE</action>"),
    ("{event}", "{events}<ObjectEvent>{times}"),
    ("{/event}", "</ObjectEvent>{/events}"),
    ("{events}", "{head}<EPCISBody><EventList>"),
    ("{/events}", "</EventList></EPCISBody>{/head}"),
    (
        "{object}",
        "{times}<epcList><epc>urn:epc:id:sgtin:9521141.012345.{n}</epc></epcList><action>OBSERVE</action><bizStep>urn:epcglobal:cbv:bizstep:shipping</bizStep>",
    ),
    (
        "{times}",
        "<eventTime>2026-10-05T09:30:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>",
    ),
    ("{declared}", "<errorDeclaration><declarationTime>2026-10-05T09:30:00Z</declarationTime>"),
    ("{header}", "{head}<EPCISHeader>"),
    ("{/header}", "</EPCISHeader><EPCISBody><EventList/></EPCISBody>{/head}"),
    (
        "{sbdh}",
        "<s:StandardBusinessDocumentHeader xmlns:s=\"http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader\">",
    ),
    ("{/sbdh}", "</s:StandardBusinessDocumentHeader>"),
    ("{master}", "<extension><EPCISMasterData><VocabularyList>"),
    ("{/master}", "</VocabularyList></EPCISMasterData></extension>"),
    (
        "{place}",
        "<Vocabulary type=\"urn:epcglobal:epcis:vtype:BusinessLocation\"><VocabularyElementList><VocabularyElement id=\"urn:epc:id:sgln:9521141.00001.0\">",
    ),
    ("{list}", "<Vocabulary type=\"urn:t\"><VocabularyElementList>"),
    ("{/list}", "</VocabularyElementList></Vocabulary>"),
    (
        "{head}",
        "<e:EPCISDocument xmlns:e=\"urn:epcglobal:epcis:xsd:2\" xmlns:a=\"urn:a:\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" schemaVersion=\"2.0\" creationDate=\"2026-10-05T09:30:00Z\">",
    ),
    ("{/head}", "</e:EPCISDocument>"),
];

impl Shape {
    /// A body of this shape, of this many bytes or slightly more.
    #[must_use]
    pub fn body(&self, size: usize) -> String {
        self.template.body(size).0
    }
}

/// Every shape of XML.
pub static XML: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let rows = include_str!("shapes.txt").lines().filter_map(|line| line.split_once(" = "));
    rows.map(|(name, text)| Shape { name, template: Template::new(text, PIECES) }).collect()
});
