//! A document translated to XML in chunks gives the same result as in one piece, for any chunk size.

use epcis_edge_core::error::{Error, ErrorKind, JsonFault};
use epcis_edge_core::json::Document;
use epcis_edge_core::translate::{XmlReport, XmlStream, XmlVersion, to_xml};
use epcis_edge_tests::mutants::{Pool, rounds};
use epcis_edge_tests::random::Random;
use epcis_edge_tests::translate::files;
use epcis_edge_tests::{outside_vectors, own_vectors, read};

const VERSIONS: [XmlVersion; 2] = [XmlVersion::V2_0, XmlVersion::V1_2];

/// XML, notes, whether clean, number of events. The notes are sorted, because a stream reports those of the envelope first.
type Outcome = (String, Vec<String>, bool, usize);

fn outcome(xml: String, report: &XmlReport, count: usize) -> Outcome {
    let mut notes: Vec<_> = report.notes().iter().map(|n| format!("{n:?}")).collect();
    notes.sort();
    (xml, notes, report.is_clean(), count)
}

fn whole(json: &[u8], version: XmlVersion) -> Result<Outcome, Error> {
    let xml = to_xml(&Document::read(json)?, version)?;
    Ok(outcome(xml.document, &xml.report, xml.metered_events))
}

fn in_parts(json: &[u8], chunk: usize, version: XmlVersion) -> Result<Outcome, Error> {
    let mut first = XmlStream::new(version);
    for part in json.chunks(chunk) {
        first.push(part)?;
    }
    let mut second = first.finish()?;
    let mut xml = String::new();
    for part in json.chunks(chunk) {
        second.push(part, &mut xml)?;
    }
    let end = second.finish(&mut xml)?;
    Ok(outcome(xml, &end.report, end.metered_events))
}

#[track_caller]
fn same(name: &str, json: &[u8], chunk: usize) -> bool {
    for version in VERSIONS {
        let (one, two) = (whole(json, version), in_parts(json, chunk, version));
        match (one, two) {
            (Err(one), Err(two)) => {
                assert_eq!(one.to_string(), two.to_string(), "{name} by {chunk}");
                return false;
            }
            (one, two) => assert_eq!(one, two, "{name} by {chunk}"),
        }
    }
    true
}

fn documents() -> Vec<(String, Vec<u8>)> {
    let others = ["translate", "hash", "validate"].map(outside_vectors);
    ["translate", "hash", "validate", "query", "check"]
        .map(own_vectors)
        .into_iter()
        .chain(others.into_iter().flatten())
        .flat_map(|folder| files(&folder, ".json"))
        .map(|path| (path.display().to_string(), read(&path)))
        .collect()
}

#[test]
fn written_in_parts_every_vector_is_what_it_is_as_a_whole() {
    let mut written = 0;
    for (name, json) in documents() {
        written += usize::from(same(&name, &json, 64 << 10));
        same(&name, &json, 7);
    }
    assert!(written > 40, "{written}");
}

#[test]
fn mutants_are_written_in_parts_as_they_are_as_a_whole() {
    let mut random = Random::new(29);
    let documents: Vec<_> = documents().into_iter().filter(|(_, json)| json.len() < 6000).collect();
    let values: Vec<serde_json::Value> =
        documents.iter().filter_map(|(_, json)| serde_json::from_slice(json).ok()).collect();
    let pool = Pool::of(&values);
    let mut written = 0;
    let rounds = rounds(2000);
    for number in 0..rounds {
        let mut value = random.pick(&values).clone();
        for _ in 0..=random.below(3) {
            pool.mutate(&mut value, &mut random);
        }
        let text = value.to_string();
        written += usize::from(same(&text, text.as_bytes(), 100 + number));
    }
    assert!(written * 20 > rounds * 3, "{written}");
}

fn event(number: usize) -> String {
    format!(
        r#"{{"type":"ObjectEvent","action":"OBSERVE","eventTime":"2026-11-20T08:00:00Z","eventTimeZoneOffset":"+00:00","epcList":["urn:epc:id:sscc:9521141.{number:010}"],"ex:plain {number}":1}}"#
    )
}

fn document(number: usize) -> String {
    let events: Vec<_> = (0..number).map(event).collect();
    format!(
        r#"{{"epcisBody":{{"eventList":[{}]}},"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-11-20T08:00:00Z","ex:after":"x","@context":["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",{{"ex":"https://example.com/"}}]}}"#,
        events.join(",")
    )
}

#[test]
fn portions_leave_no_trace() {
    // Several portions. Members that determine the start of the output are at the end.
    same("portions", document(3000).as_bytes(), 1000);
    // An overridden list, empty lists, values that should be lists, a byte order mark.
    let list = format!("[{},{}]", event(1), event(2));
    let head =
        r#""type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-11-20T08:00:00Z""#;
    let query = r#""type":"EPCISQueryDocument","schemaVersion":"2.0","creationDate":"2026-11-20T08:00:00Z""#;
    let vocabularies = r#""vocabularyList":[{"type":"urn:epcglobal:epcis:vtype:ReadPoint","vocabularyElementList":[{"id":"urn:x:1"}]}]"#;
    for text in [
        format!(r#"{{{head},"epcisBody":{{"eventList":{list},"eventList":[{}]}}}}"#, event(3)),
        format!(r#"{{{head},"epcisBody":{{"eventList":{list},"eventList":7}}}}"#),
        format!(r#"{{{head},"epcisBody":{{"eventList":{list}}},"epcisBody":{{}}}}"#),
        format!(
            r#"{{{head},"epcisBody":{{"eventList":[{}]}},"epcisBody":{{"eventList":{list}}}}}"#,
            event(3)
        ),
        format!(r#"{{{head},"epcisBody":{{"eventList":[]}}}}"#),
        format!(r#"{{{head},"epcisBody":{{"eventList":[1, null, "x", [2]]}}}}"#),
        format!(
            r#"{{{head},"epcisBody":{{"queryResults":{{"resultsBody":{{"eventList":{list}}}}}}}}}"#
        ),
        format!("\u{feff}{{{head},\"epcisBody\":{{\"eventList\":{list}}}}}"),
        format!(
            r#"{{{query},"epcisBody":{{"queryResults":{{"queryName":"q","resultsBody":{{"eventList":{list}}}}}}}}}"#
        ),
        format!(
            r#"{{{query},"epcisBody":{{"queryResults":{{"resultsBody":{{"eventList":{list},{vocabularies}}}}}}}}}"#
        ),
        format!(
            r#"{{{query},"epcisBody":{{"queryResults":{{"resultsBody":{{{vocabularies},"eventList":[]}}}}}}}}"#
        ),
        event(4),
        format!(r#"{{"type":"EPCISDocument","epcisBody":{{"eventList":{list}}}"#),
        format!(r#"{{"type":"Other","epcisBody":{{"eventList":{list}}}}}"#),
        format!(r#"{{{head},"epcisBody":{{"eventList":[{} {}]}}}}"#, event(1), event(2)),
        format!("[{list}]"),
        String::new(),
    ] {
        for chunk in [1, 3, 64, 1 << 20] {
            same(&text, text.as_bytes(), chunk);
        }
    }
}

#[test]
fn a_document_that_changes_between_its_two_readings_is_refused() {
    let json = document(5);
    let longer = document(6);
    let shorter = document(4);
    let other = json.replace("schemaVersion", "schemaversion");
    let faulty = json.replace("},{", "} {");
    for changed in [&longer, &shorter, &other, &faulty, &json[..json.len() - 1], ""] {
        let mut first = XmlStream::new(XmlVersion::V2_0);
        first.push(json.as_bytes()).unwrap();
        let mut second = first.finish().unwrap();
        let mut xml = String::new();
        let pushed = second.push(changed.as_bytes(), &mut xml);
        let error = pushed.and_then(|()| second.finish(&mut xml).map(drop)).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::Json(JsonFault::Changed), "{changed}");
    }
}
