//! What the engine says of JSON documents.

use super::mutations::{is_sampled, json_mutants, parts};
use super::recorder::Recorder;
use super::values::{NOW, json, made, or_refusal, refusal, text_of};
use super::vectors::{JsonVector, json_vectors};
use epcis_edge_core::call::{Call, Principal};
use epcis_edge_core::capture::HashEventIds;
use epcis_edge_core::check::{Checks, Parameters, names_of_packs};
use epcis_edge_core::error::Error;
use epcis_edge_core::follow::{Request, follow_document};
use epcis_edge_core::hash::Profile;
use epcis_edge_core::json::Document;
use epcis_edge_core::query::Query;
use epcis_edge_core::report::{
    Report, ReportName, ReportRequest, Reporter, Sheet, exception_report, report_document,
};
use epcis_edge_core::service::{
    AcceptedDocuments, Calculation, CaptureOptions, Configuration, Service,
};
use epcis_edge_core::translate::{XmlStream, XmlVersion, to_xml};
use epcis_edge_core::validate::{Validator, VerdictStream};
use pollster::block_on;
use serde_json::{Value, json};
use std::fmt::Write as _;

const FACETS: [&str; 8] =
    ["verdict", "hash", "to_xml", "check", "follow", "report", "capture", "stream"];

/// The versions of XML that JSON is written as.
const VERSIONS: [XmlVersion; 2] = [XmlVersion::V2_0, XmlVersion::V1_2];

#[test]
fn every_json_vector() {
    let mut recorder = Recorder::new("vectors-json", &FACETS);
    let engine = Asked::new();
    for vector in json_vectors() {
        recorder.case(&vector.name, || engine.values(&vector, true));
    }
    assert!(recorder.count() > 600, "{}", recorder.count());
    recorder.finish();
}

#[test]
fn mutants_of_every_json_vector() {
    let mut recorder = Recorder::new("mutants-json", &FACETS);
    let engine = Asked::new();
    for vector in json_vectors() {
        // Most documents of the checks are alike.
        let count = if vector.name.starts_with("check/") { 1 } else { 9 };
        for mutant in json_mutants(&vector, count) {
            recorder.case(&mutant.name, || engine.values(&mutant, is_sampled(&mutant.name)));
        }
    }
    assert!(recorder.count() > 2000, "{}", recorder.count());
    recorder.finish();
}

/// What all documents of a group are asked with.
struct Asked {
    service: Service,
    validator: Validator,
    checks: Checks,
}

impl Asked {
    fn new() -> Self {
        Self {
            service: Service::new(Configuration::at("https://epcis.example.com")),
            validator: Validator::new().unwrap(),
            checks: Checks::named(&names_of_packs()).unwrap(),
        }
    }

    /// The values of a document, in the order of the facets.
    fn values(&self, vector: &JsonVector, with_reports: bool) -> Vec<String> {
        let text = &vector.text;
        let of_document = |make: &dyn Fn(&Document<'_>) -> String| match Document::read(text) {
            Ok(document) => make(&document),
            // The verdict has the refusal.
            Err(_) => String::new(),
        };
        let items = vector.question.clone().unwrap_or_else(|| question(text));
        vec![
            text_of(self.service.validate(text)),
            hashes(text, false),
            of_document(&xml_of),
            of_document(&|document| self.findings(document, vector.parameters.as_deref())),
            of_document(&|document| followed(document, &items)),
            if with_reports {
                of_document(&|document| reported(document, &items))
            } else {
                String::new()
            },
            captured(vector),
            self.streamed(vector),
        ]
    }

    fn findings(&self, document: &Document<'_>, parameters: Option<&str>) -> String {
        let found = |checks: &Checks| text_of(checks.check(document, Some(NOW)));
        let Some(parameters) = parameters else {
            return found(&self.checks);
        };
        let given = Document::read(parameters.as_bytes()).unwrap();
        let given = Parameters::read(given.root()).unwrap();
        let checks = Checks::named(&names_of_packs()).unwrap().given(&given);
        found(&checks.unwrap())
    }

    /// The verdict and the XML of a document that arrives in parts, and of one that ends too early.
    fn streamed(&self, vector: &JsonVector) -> String {
        let parts = parts(&vector.name, &vector.text);
        let mut out = String::new();
        for parts in [&parts[..], &parts[..1]] {
            let verdict = || {
                let mut stream = VerdictStream::new();
                for part in parts {
                    stream.push(part, &self.validator)?;
                }
                stream.finish(&self.validator)
            };
            let _ = writeln!(out, "{}", text_of(verdict()));
            for version in VERSIONS {
                let mut xml = String::new();
                let end = xml_in_parts(parts, version, &mut xml);
                let _ = writeln!(out, "{xml}\n{}", or_refusal(end));
            }
        }
        out
    }
}

fn xml_in_parts(parts: &[&[u8]], version: XmlVersion, xml: &mut String) -> Result<String, Error> {
    let mut first = XmlStream::new(version);
    for part in parts {
        first.push(part)?;
    }
    let mut second = first.finish()?;
    for part in parts {
        second.push(part, xml)?;
    }
    let end = second.finish(xml)?;
    Ok(format!("{} {}", end.metered_events, json(&end.report)))
}

/// The hashes and pre-hash strings under every profile, with both rules for undeclared prefixes, and what the declared hashes are.
pub(super) fn hashes(text: &[u8], is_xml: bool) -> String {
    let mut out = String::new();
    for profile in Profile::ALL {
        let hashed = |undeclared| {
            let calculation = Calculation {
                text,
                is_xml,
                profile: Some(profile.as_str()),
                undeclared,
                ..Calculation::default()
            };
            calculation.pre_hashes()
        };
        let refused = match hashed(None) {
            Ok(events) => {
                for event in events {
                    let _ = writeln!(out, "{}\n{}", event.hash, event.pre_hash);
                    for piece in event.pieces {
                        let _ = write!(out, "{} {:?} ", piece.field, piece.range);
                    }
                    out.push('\n');
                }
                continue;
            }
            Err(error) => error,
        };
        let _ = writeln!(out, "{}", refusal(&refused));
        if let Ok(events) = hashed(Some("keep")) {
            for event in events {
                let _ = writeln!(out, "{}\n{}", event.hash, event.pre_hash);
            }
        }
    }
    let calculation = Calculation { text, is_xml, ..Calculation::default() };
    out + &text_of(calculation.verifications())
}

pub(super) fn xml_of(document: &Document<'_>) -> String {
    let mut out = String::new();
    for version in VERSIONS {
        let _ = writeln!(out, "{}", text_of(to_xml(document, version)));
    }
    out
}

/// A request about the first items of a document.
pub(super) fn question(text: &[u8]) -> Value {
    let mut items = Vec::new();
    if let Ok(document) = serde_json::from_slice(text) {
        items_in(&document, &mut items);
    }
    items.truncate(3);
    json!({ "items": items, "contents": "followed" })
}

/// Collects the values of fields that name items.
fn items_in(value: &Value, items: &mut Vec<String>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|one| items_in(one, items)),
        Value::Object(members) => {
            for (name, member) in members {
                let named = match member {
                    Value::String(text) => std::slice::from_ref(text).to_vec(),
                    Value::Array(list) => {
                        let texts = list.iter().filter_map(Value::as_str);
                        texts.map(str::to_owned).collect()
                    }
                    _ => Vec::new(),
                };
                let is_of_items = name == "parentID" || name == "epcClass" || {
                    name == "epcList" || name.ends_with("EPCs") || name.ends_with("EPCList")
                };
                if is_of_items {
                    for item in named {
                        if !items.contains(&item) {
                            items.push(item);
                        }
                    }
                }
                items_in(member, items);
            }
        }
        _ => {}
    }
}

/// What happened to items, as asked, and with everything that is tied to them.
pub(super) fn followed(document: &Document<'_>, asked: &Value) -> String {
    let mut kin = asked.clone();
    kin["kin"] = true.into();
    let through = ["packing", "transformation", "association"];
    kin["through"] = json!(through);
    kin.as_object_mut().unwrap().remove("direction");
    let mut out = String::new();
    for asked in [asked.clone(), kin] {
        let asked = asked.to_string();
        let asked = Document::read(asked.as_bytes()).unwrap();
        let answer = Request::read(asked.root());
        let answer = answer.and_then(|request| follow_document(document, &request));
        let _ = writeln!(out, "{}", or_refusal(answer));
    }
    out
}

/// All reports, about all events and about items, as data, CSV and HTML; and the exception report.
pub(super) fn reported(document: &Document<'_>, items: &Value) -> String {
    let items = json!({ "items": items["items"] });
    let mut first = items.clone();
    if let Some(list) = first["items"].as_array_mut() {
        list.truncate(1);
    }
    let mut out = String::new();
    for name in ReportName::ALL {
        let about = match name {
            ReportName::Passport => &first,
            _ => &items,
        };
        for asked in [&json!({}), about] {
            let asked = asked.to_string();
            let asked = Document::read(asked.as_bytes()).unwrap();
            let report = ReportRequest::read(name, asked.root());
            let report = report.and_then(|request| report_document(&request, document, made()));
            let _ = writeln!(out, "{}", or_refusal(report.and_then(|report| forms(&report))));
        }
    }
    let reporter = Reporter {
        email: "quality@buyer.example".to_owned(),
        po_number: Some("4711".to_owned()),
        ..Reporter::default()
    };
    out + &or_refusal(exception_report(document, &reporter, made()))
}

fn forms(report: &Report) -> Result<String, Error> {
    let data = report.to_json()?;
    let sheets: String = report.sheets.iter().map(Sheet::to_csv).collect();
    let (flat, html) = (report.to_flat_csv(), report.to_html());
    Ok(format!("{data}\n{sheets}\n{flat}\n{html}"))
}

/// The answer of a capture into an empty store, and the events that it has then.
fn captured(vector: &JsonVector) -> String {
    let service = Service::new(Configuration::at("https://epcis.example.com"));
    let word = vector.hash_event_ids.as_deref();
    let options = CaptureOptions {
        hash_event_ids: word.map(|word| HashEventIds::named(word).unwrap()),
        accepted: AcceptedDocuments::All,
        ..CaptureOptions::default()
    };
    let answer = block_on(service.capture_as(&vector.text, options, &call()));
    format!("{}\n{}", text_of(answer), stored(&service))
}

pub(super) fn call() -> Call {
    let principal =
        Principal::local("https://example.com/accounts/1", "https://id.gs1.org/417/9521141000009");
    Call::new(NOW, principal)
}

/// The first page of what is stored.
pub(super) fn stored(service: &Service) -> String {
    let all = Document::read(b"{}").unwrap();
    let query = Query::read(all.root()).unwrap();
    text_of(block_on(service.query(&query, &call())))
}
