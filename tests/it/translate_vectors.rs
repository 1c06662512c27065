//! Every translation vector: the output as data, the report, the refusals, and the translation back.

use epcis_edge_core::error::{ErrorKind, Problem, XmlFault};
use epcis_edge_core::json::Document;
use epcis_edge_core::translate::{SBDH_MEMBER, translate};
use epcis_edge_tests::outside_vectors;
use epcis_edge_tests::translate::{Vector, difference, vectors};
use std::collections::BTreeSet;

/// Where a derived expectation is wrong: vector, aspect, rule of the mapping.
const EXCEPTIONS: [(&str, &str, &str); 8] = [
    (
        "openepcis-12/Document_with_namespace",
        "notes",
        "2: qualified names are noted once for the highest such element, the trial notes the fields below an event",
    ),
    (
        "openepcis-12/Single_event_with_namespace",
        "notes",
        "2: as above, the fields inside of a qualified field or event are not noted again",
    ),
    ("openepcis-20/Namespace_document", "notes", "2: as above"),
    (
        "openepcis-20/CurieString_document",
        "notes",
        "5.2 rule 3 names this document: `cbv:my_own_party` is to be noted",
    ),
    ("openepcis-query/CurieString_document", "notes", "5.2 rule 3: as above"),
    (
        "openepcis-conv/ObjectEvent",
        "notes",
        "2: a comment before the document element is a comment too",
    ),
    (
        "own/own-11-v20-vocabulary-forms",
        "lossyPaths",
        "5.2: `https://gs1.org/voc/x` becomes `x` or `gs1:x`, which CBV 2.0 hashes as `https://ref.gs1.org/voc/x`",
    ),
    ("own/own-11-v20-vocabulary-forms", "notes", "5.2: as above, `event-hash-changed`"),
];

/// Codes that the mapping requires but that the trial behind the derived reports lacked.
const CODES_OF_OURS: [&str; 4] =
    ["namespace-no-delimiter", "number-beyond-float", "plain-name", "schema-version-contradiction"];

fn without_positions(path: &str) -> String {
    path.split('[').map(|part| part.split_once(']').map_or(part, |(_, rest)| rest)).collect()
}

/// The differences from the expectation: the aspect, and a description.
fn departures(vector: &Vector) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let translation = match translate(&vector.xml) {
        Ok(translation) => translation,
        Err(error) => {
            if vector.report.status != "refused" {
                found.push(("refusal", error.to_string()));
            }
            assert_eq!(Problem::from(&error).status, 400, "{}", vector.name);
            let reason = vector.report.reason.as_deref().unwrap_or_default();
            let matches = match error.kind() {
                ErrorKind::Xml(XmlFault::Doctype) => reason == "doctype",
                ErrorKind::Xml(XmlFault::ForeignRoot(..)) => reason.starts_with("root"),
                ErrorKind::Xml(XmlFault::UnsupportedBody(found)) => {
                    reason == format!("unsupported body {found}")
                }
                _ => false,
            };
            if !matches {
                found.push(("refusal", format!("{error} against {reason}")));
            }
            return found;
        }
    };
    if vector.report.status == "refused" {
        return vec![("refusal", "translated".to_owned())];
    }
    // Our only addition is the whole SBDH, kept beside the fields that have parts of it.
    let output = without_header(&translation.document);
    let ours = Document::read(output.as_bytes()).unwrap();
    let expected = vector.expected.as_deref().unwrap();
    let expected = Document::read(expected).unwrap();
    if let Some(difference) = difference("", ours.root(), expected.root()) {
        found.push(("document", difference));
    }
    let report = &translation.fidelity_report;
    let clean = report.is_round_trip_clean();
    if clean != vector.report.round_trip_clean {
        found.push(("verdict", format!("{clean}")));
    }
    if clean != (report.measured_differences() == 0) {
        found.push(("measurement", report.measured_differences().to_string()));
    }
    let lossy: Vec<&str> = report.lossy_paths().collect();
    if lossy != vector.report.lossy_paths {
        found.push(("lossyPaths", format!("{lossy:#?} against {:#?}", vector.report.lossy_paths)));
    }
    let codes: BTreeSet<(String, String)> = report
        .notes()
        .iter()
        .filter(|note| !CODES_OF_OURS.contains(&note.code))
        .map(|note| (note.code.to_owned(), note.path.clone()))
        .collect();
    let wanted: BTreeSet<(String, String)> =
        vector.report.notes.iter().map(|note| (note.code.clone(), note.path.clone())).collect();
    if codes != wanted {
        let more: Vec<_> = codes.difference(&wanted).take(5).collect();
        let less: Vec<_> = wanted.difference(&codes).take(5).collect();
        found.push(("notes", format!("more {more:?}, less {less:?}")));
    }
    for wanted in &vector.report.notes {
        // Serialized elements may declare their namespaces differently.
        let Some(serde_json::Value::String(value)) = &wanted.value else {
            continue;
        };
        let ours = report
            .notes()
            .iter()
            .filter(|note| note.code == wanted.code && note.path == wanted.path)
            .any(|note| note.value.as_ref() == Some(value));
        if !value.starts_with('<') && !ours {
            found.push(("values", format!("{} {value}", wanted.path)));
        }
    }
    // The verdict on the source reports departures from the XML schema, at the element or at one of its children.
    let verdict = translation.source_verdict.as_ref().unwrap();
    let told: BTreeSet<String> =
        verdict.errors.iter().map(|error| without_positions(&error.path)).collect();
    for departure in &vector.report.structure {
        let wanted = without_positions(&departure.path);
        let is_told = |path: &String| {
            let rest = path.strip_prefix(&wanted);
            rest.is_some_and(|rest| rest.matches('/').count() <= 1)
        };
        if !told.iter().any(is_told) {
            found.push(("structure", format!("{told:?} against {wanted}")));
        }
    }
    found
}

fn without_header(document: &str) -> String {
    let read = Document::read(document.as_bytes()).unwrap();
    let Some(header) = read.root().get(SBDH_MEMBER) else {
        return document.to_owned();
    };
    let member = format!(",\"{SBDH_MEMBER}\":{}", header.source());
    document.replacen(&member, "", 1)
}

#[test]
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
fn all_vectors_translate_as_expected() {
    let folder = outside_vectors("translate").unwrap();
    let vectors = vectors(&folder);
    let mut failures = Vec::new();
    let mut excepted = BTreeSet::new();
    for vector in &vectors {
        for (aspect, departure) in departures(vector) {
            let known =
                EXCEPTIONS.iter().position(|(name, of, _)| *name == vector.name && *of == aspect);
            match known {
                Some(number) => {
                    excepted.insert(number);
                }
                None => failures.push(format!("{} {aspect}: {departure}", vector.name)),
            }
        }
    }
    for (number, (name, aspect, _)) in EXCEPTIONS.iter().enumerate() {
        if !excepted.contains(&number) {
            failures.push(format!("{name} {aspect}: listed as an exception, but passes"));
        }
    }
    println!("{} vectors", vectors.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
