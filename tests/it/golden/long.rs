//! Documents that are longer than the portions in which streams work.

use super::mutations::parts;
use super::recorder::Recorder;
use super::values::{NOW, json, or_refusal, text_of};
use epcis_edge_core::check::Checks;
use epcis_edge_core::error::Error;
use epcis_edge_core::hash::{Profile, hash_document};
use epcis_edge_core::json::Document;
use epcis_edge_core::translate::{
    TranslationStream, XmlStream, XmlVersion, hash_xml, translate, validate_xml,
};
use epcis_edge_core::validate::{Validator, Verdict, VerdictStream};
use std::fmt::Write as _;

/// Enough for three portions of JSON.
const EVENTS: usize = 2500;

/// The words for the step of an event; the second is no word of the CBV.
const STEPS: [&str; 3] = ["shipping", "shiping", "receiving"];

/// The text of a document: its start, what stands between two events, its end, and one event by its number and the word of its step.
struct Form {
    start: &'static str,
    between: &'static str,
    end: &'static str,
    event: fn(usize, &str) -> String,
}

const JSON: Form = Form {
    start: r#"{"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-11-20T08:00:00Z","epcisBody":{"eventList":["#,
    between: ",\n",
    end: r#"]},"ex:after":"x","@context":["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",{"ex":"https://example.com/"}]}"#,
    event: |number, step| {
        format!(
            r#"{{"type":"ObjectEvent","action":"OBSERVE","bizStep":"{step}","eventTime":"2026-11-20T08:00:00.{:03}Z","eventTimeZoneOffset":"+00:00","epcList":["urn:epc:id:sscc:9521141.{number:010}"],"ex:plain {number}":1}}"#,
            number % 1000
        )
    },
};

const XML: Form = Form {
    start: r#"<e:EPCISDocument xmlns:e="urn:epcglobal:epcis:xsd:2" xmlns:ex="https://example.com/" schemaVersion="2.0" creationDate="2026-11-20T08:00:00Z"><EPCISBody><EventList>"#,
    between: "\n",
    end: "</EventList></EPCISBody></e:EPCISDocument>",
    event: |number, step| {
        format!(
            "<ObjectEvent><eventTime>2026-11-20T08:00:00.{:03}Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>urn:epc:id:sscc:9521141.{number:010}</epc></epcList><action>OBSERVE</action><bizStep>urn:epcglobal:cbv:bizstep:{step}</bizStep><ex:note>{number}</ex:note></ObjectEvent>",
            number % 1000
        )
    },
};

/// A document; one in seven of its events may be faulty.
fn document(form: &Form, has_faults: bool) -> Vec<u8> {
    let event = |number: usize| {
        let is_faulty = has_faults && number % 7 == 6;
        let step = STEPS[if is_faulty { 1 } else { number % 2 * 2 }];
        (form.event)(number, step)
    };
    let events: Vec<String> = (0..EVENTS).map(event).collect();
    [form.start, &events.join(form.between), form.end].concat().into_bytes()
}

/// A short document whose list is repeated, so that the first one does not count, and a fault behind both.
fn list_twice() -> Vec<u8> {
    let list = |number| format!(r#""eventList":[{}]"#, (JSON.event)(number, STEPS[0]));
    format!(
        r#"{{"@context":["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",{{"ex":"https://example.com/"}}],"type":"EPCISDocument","creationDate":"2026-11-20T08:00:00Z","epcisBody":{{{},{}}},"schemaVersion":7}}"#,
        list(1),
        list(2)
    )
    .into_bytes()
}

#[test]
fn long_documents() {
    let mut recorder = Recorder::new("long", &["verdict", "hash", "check", "other"]);
    let validator = Validator::new().unwrap();
    for (name, text) in [
        ("good.json", document(&JSON, false)),
        ("faulty.json", document(&JSON, true)),
        ("list-twice.json", list_twice()),
    ] {
        recorder.case(name, || {
            let parts = parts(name, &text);
            let read = Document::read(&text).unwrap();
            let checks = Checks::all().unwrap();
            vec![
                text_of(verdict(&parts, &validator)),
                text_of(hash_document(&read, Profile::Cbv20).map(as_texts)),
                text_of(checks.check(&read, Some(NOW))),
                or_refusal(to_xml(&parts)),
            ]
        });
    }
    for (word, has_faults) in [("good", false), ("faulty", true)] {
        let name = format!("{word}.xml");
        recorder.case(&name, || {
            let text = document(&XML, has_faults);
            let parts = parts(&name, &text);
            let checks = Checks::all().unwrap();
            let translation = translate(&text).unwrap();
            vec![
                text_of(validate_xml(&text)),
                text_of(hash_xml(&text, Profile::Cbv20).map(as_texts)),
                text_of(checks.check_translation(&translation, Some(NOW))),
                or_refusal(to_json(&parts, &validator)),
            ]
        });
    }
    recorder.finish();
}

fn as_texts(hashes: Vec<impl ToString>) -> Vec<String> {
    hashes.iter().map(ToString::to_string).collect()
}

fn verdict(parts: &[&[u8]], validator: &Validator) -> Result<Verdict, Error> {
    let mut stream = VerdictStream::new();
    for part in parts {
        stream.push(part, validator)?;
    }
    stream.finish(validator)
}

fn to_xml(parts: &[&[u8]]) -> Result<String, Error> {
    let mut first = XmlStream::new(XmlVersion::V2_0);
    for part in parts {
        first.push(part)?;
    }
    let (mut second, mut xml) = (first.finish()?, String::new());
    for part in parts {
        second.push(part, &mut xml)?;
        let _ = writeln!(xml, "<!-- a part -->");
    }
    let end = second.finish(&mut xml)?;
    Ok(format!("{xml}\n{} {}", end.metered_events, json(&end.report)))
}

fn to_json(parts: &[&[u8]], validator: &Validator) -> Result<String, Error> {
    let (mut stream, mut events) = (TranslationStream::new(), Vec::new());
    let mut out = String::new();
    for part in parts {
        stream.push(part, validator, &mut events)?;
        for event in events.drain(..) {
            let _ = writeln!(out, "{}", event.line());
        }
        out.push_str("a part\n");
    }
    let end = stream.finish(validator, &mut events)?;
    let report = json(&end.fidelity_report);
    let faults: Vec<_> = end.errors.iter().map(|(error, place)| (error, place)).collect();
    Ok(format!("{out}{} {report} {}", end.metered_events, json(&faults)))
}
