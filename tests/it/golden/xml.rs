//! What the engine says of XML documents.

use super::json::{call, followed, hashes, question, reported, stored, xml_of};
use super::mutations::{is_sampled, parts, xml_mutants};
use super::recorder::Recorder;
use super::values::{NOW, json, or_refusal, refusal, text_of};
use super::vectors::{XmlVector, xml_vectors};
use epcis_edge_core::check::{Checks, names_of_packs};
use epcis_edge_core::error::Error;
use epcis_edge_core::json::{Document, Kind, Value};
use epcis_edge_core::service::{
    AcceptedDocuments, CaptureOptions, Configuration, InvalidTranslation, Service, Translated,
};
use epcis_edge_core::translate::{
    StreamedEvent, Translation, TranslationStream, translate, validate_xml,
};
use pollster::block_on;
use std::fmt::Write as _;

/// A translation as JSON, its document as it was written.
fn with_report(translation: &Translation<'_>) -> String {
    let Translation { document, fidelity_report, metered_events, .. } = translation;
    let version = json(&translation.source_schema_version);
    let report = json(fidelity_report);
    let verdict = translation.source_verdict.as_ref();
    let verdict = verdict.map(|verdict| format!(r#","sourceVerdict":{}"#, json(verdict)));
    format!(
        r#"{{"document":{document},"fidelityReport":{report},"meteredEvents":{metered_events},"sourceSchemaVersion":{version}{}}}"#,
        verdict.unwrap_or_default()
    )
}

const FACETS: [&str; 9] =
    ["verdict", "hash", "to_json", "places", "to_xml", "check", "items", "capture", "stream"];

#[test]
fn every_xml_vector() {
    let mut recorder = Recorder::new("vectors-xml", &FACETS);
    let engine = Asked::new();
    for vector in xml_vectors() {
        recorder.case(&vector.name, || engine.values(&vector, true));
    }
    assert!(recorder.count() > 20, "{}", recorder.count());
    recorder.finish();
}

#[test]
fn mutants_of_every_xml_vector() {
    let mut recorder = Recorder::new("mutants-xml", &FACETS);
    let engine = Asked::new();
    for vector in xml_vectors() {
        for mutant in xml_mutants(&vector, 40) {
            recorder.case(&mutant.name, || engine.values(&mutant, is_sampled(&mutant.name)));
        }
    }
    assert!(recorder.count() > 900, "{}", recorder.count());
    recorder.finish();
}

/// The most places that are asked for in a translation.
const MAX_PLACES: usize = 200;

/// What all documents of a group are asked with.
struct Asked {
    service: Service,
    checks: Checks,
}

impl Asked {
    fn new() -> Self {
        Self {
            service: Service::new(Configuration::at("https://epcis.example.com")),
            checks: Checks::named(&names_of_packs()).unwrap(),
        }
    }

    /// The values of a document, in the order of the facets.
    fn values(&self, vector: &XmlVector, with_items: bool) -> Vec<String> {
        let text = &vector.text;
        let translation = translate(text).ok();
        let of_translation = |make: &dyn Fn(&Document<'_>) -> String| {
            let json = translation.as_ref().map(|done| done.document.as_bytes());
            json.map_or_else(String::new, |json| make(&Document::read(json).unwrap()))
        };
        vec![
            text_of(validate_xml(text)),
            hashes(text, true),
            self.translated(text),
            translation.as_ref().map(places).unwrap_or_default(),
            of_translation(&xml_of),
            text_of(self.checks.check_xml(text, Some(NOW))),
            if with_items {
                of_translation(&|document| {
                    let asked = question(document.text().as_bytes());
                    followed(document, &asked) + &reported(document, &asked)
                })
            } else {
                String::new()
            },
            captured(text),
            self.streamed(vector),
        ]
    }

    /// The translation and its report, or the errors of the JSON with their places in the XML.
    fn translated(&self, xml: &[u8]) -> String {
        match self.service.translate(xml) {
            Ok(Translated::Valid(translation)) => with_report(&translation),
            Ok(Translated::Invalid(invalid)) => {
                // What is written is recorded, although the schema refuses it.
                let written = translate(xml).unwrap().document;
                format!("{}\n{written}", json(&invalid.problem()))
            }
            Err(error) => refusal(&error),
        }
    }

    /// The translation of a document that arrives in parts, and of one that ends too early.
    fn streamed(&self, vector: &XmlVector) -> String {
        let parts = parts(&vector.name, &vector.text);
        let mut out = String::new();
        for parts in [&parts[..], &parts[..1]] {
            let mut events = Vec::new();
            let end = self.in_parts(parts, &mut events);
            for event in events {
                let _ = writeln!(out, "{}\n{}", event.line(), event.members().len());
            }
            let _ = writeln!(out, "{}", or_refusal(end));
        }
        out
    }

    fn in_parts(&self, parts: &[&[u8]], events: &mut Vec<StreamedEvent>) -> Result<String, Error> {
        let validator = self.service.validator();
        let mut stream = TranslationStream::new();
        for part in parts {
            stream.push(part, validator, events)?;
        }
        let end = stream.finish(validator, events)?;
        Ok(format!(
            "{} {} {} {} {} {}",
            end.document.as_deref().unwrap_or_default(),
            end.source_schema_version,
            end.metered_events,
            json(&end.fidelity_report),
            json(&end.source_verdict),
            json(&InvalidTranslation::of_stream(&end)),
        ))
    }
}

/// Where the values of a translation come from.
fn places(translation: &Translation<'_>) -> String {
    let document = Document::read(translation.document.as_bytes()).unwrap();
    let mut pointers = Vec::new();
    pointers_in(document.root(), &mut pointers);
    let places = translation.locate_all(pointers.iter().map(String::as_str));
    let mut out = String::new();
    for (pointer, place) in pointers.iter().zip(places) {
        let _ = writeln!(out, "{pointer} {place} {}:{}", place.line, place.column);
    }
    out
}

/// Collects the pointers to the first values below a value.
fn pointers_in(value: Value<'_>, pointers: &mut Vec<String>) {
    if pointers.len() == MAX_PLACES {
        return;
    }
    pointers.push(value.location().path);
    if value.kind() == Kind::Object {
        for (_, member) in value.members() {
            pointers_in(member, pointers);
        }
    }
    for element in value.elements() {
        pointers_in(element, pointers);
    }
}

/// The answer of a capture into an empty store, and the events that it has then.
fn captured(text: &[u8]) -> String {
    let service = Service::new(Configuration::at("https://epcis.example.com"));
    let options = CaptureOptions { accepted: AcceptedDocuments::All, ..CaptureOptions::default() };
    let answer = block_on(service.capture_xml(text, options, &call()));
    format!("{}\n{}", text_of(answer), stored(&service))
}
