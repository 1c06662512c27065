//! XML bodies that are expensive to process, of any length, for the tests that bound memory and time.

use std::sync::LazyLock;

/// A kind of XML body that can be made in any size.
pub struct Shape {
    /// What the body has many of.
    pub name: &'static str,
    template: String,
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
    ("\\r", "\r"),
    ("\\n", "\n"),
    ("\\t", "\t"),
];

/// The template with each `{9:…:}` written out. The innermost one ends first.
fn repeated(mut template: String) -> String {
    while let Some(end) = template.find(":}") {
        let (before, after) = (&template[..end], &template[end + 2..]);
        let is_start = |(at, _): &(usize, _)| {
            let count = before[at + 1..].trim_start_matches(|digit: char| digit.is_ascii_digit());
            count.len() < before.len() - at - 1 && count.starts_with(':')
        };
        let (start, _) = before.rmatch_indices('{').find(is_start).unwrap();
        let (count, text) = before[start + 1..].split_once(':').unwrap();
        let all: String = (0..count.parse().unwrap())
            .map(|number: usize| text.replace("{i}", &number.to_string()))
            .collect();
        template = format!("{}{all}{after}", &template[..start]);
    }
    template
}

impl Shape {
    /// A body of this shape, of this many bytes or slightly more.
    #[must_use]
    pub fn body(&self, size: usize) -> String {
        let parts: Vec<&str> = self.template.split(['«', '»']).collect();
        let mut text = String::with_capacity(size + 4096);
        text.push_str(parts[0]);
        let pairs = parts[1..].as_chunks::<2>().0;
        for (at, [item, after]) in pairs.iter().enumerate() {
            let size = size * (at + 1) / pairs.len();
            let mut number = 0;
            while text.len() + after.len() < size {
                if item.contains("{n") {
                    let item = item.replace("{n}", &number.to_string());
                    let item = item.replace("{n%240}", &(number % 240).to_string());
                    let item = item.replace("{n:030}", &format!("{number:030}"));
                    text.push_str(&item.replace("{n:0900}", &format!("{number:0900}")));
                } else {
                    text.push_str(item);
                }
                number += 1;
            }
            text.push_str(after);
        }
        text
    }
}

/// Every shape of XML.
pub static XML: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let rows = include_str!("shapes.txt").lines().filter_map(|line| line.split_once(" = "));
    rows.map(|(name, template)| {
        let text = |text: String, (piece, stands): &(&str, &str)| text.replace(piece, stands);
        Shape { name, template: repeated(PIECES.iter().fold(template.to_owned(), text)) }
    })
    .collect()
});
