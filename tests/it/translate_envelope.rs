//! The data outside the events, compared by other code than the measurement: whole documents are translated to JSON and back.

use epcis_edge_core::json::Document;
use epcis_edge_core::translate::{XmlVersion, to_xml, translate};
use epcis_edge_tests::translate::documents;
use epcis_edge_tests::{Exceptions, read};
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;
use quick_xml::reader::NsReader;

/// Elements that the translation compares one by one.
const PIECES: [&str; 7] = [
    "ObjectEvent",
    "AggregationEvent",
    "TransactionEvent",
    "TransformationEvent",
    "AssociationEvent",
    "QuantityEvent",
    "VocabularyElement",
];

/// The name with its namespace. EPCIS's own namespaces are omitted.
fn expanded(namespace: &ResolveResult<'_>, local: &str) -> String {
    match namespace {
        ResolveResult::Bound(uri) if !uri.into_inner().starts_with("urn:epcglobal:epcis") => {
            format!("{{{}}}{local}", uri.into_inner())
        }
        _ => local.to_owned(),
    }
}

/// Every text and attribute outside the events with its path, sorted, without wrappers and without attributes that are not data.
fn envelope(xml: &str) -> Vec<String> {
    let mut reader = NsReader::from_str(xml);
    reader.config_mut().expand_empty_elements = true;
    let mut found = Vec::new();
    let mut path: Vec<String> = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    loop {
        match reader.read_resolved_event().unwrap() {
            (namespace, Event::Start(tag)) => {
                let local = tag.local_name();
                let name = expanded(&namespace, local.as_ref());
                if PIECES.contains(&name.as_str()) {
                    let end = tag.to_end().into_owned();
                    reader.read_to_end(end.name()).unwrap();
                    continue;
                }
                path.push(name);
                texts.push(String::new());
                let place = place(&path);
                for attribute in tag.attributes() {
                    let attribute = attribute.unwrap();
                    let (namespace, local) = reader.resolver().resolve_attribute(attribute.key);
                    let name = expanded(&namespace, local.as_ref());
                    let is_no_data = attribute.key.as_ref().starts_with("xmlns")
                        || name.contains("XMLSchema-instance")
                        || (path.len() == 1 && name == "schemaVersion");
                    if !is_no_data {
                        found.push(format!("{place}/@{name}={}", attribute.value.trim()));
                    }
                }
            }
            (_, Event::End(_)) => {
                let text = texts.pop().unwrap();
                let is_user = path.last().unwrap().starts_with('{');
                if is_user || !text.trim().is_empty() {
                    found.push(format!("{}={}", place(&path), text.trim()));
                }
                path.pop();
            }
            (_, Event::Text(text)) => {
                if let Some(inside) = texts.last_mut() {
                    inside.push_str(&text);
                }
            }
            (_, Event::CData(text)) => texts.last_mut().unwrap().push_str(&text),
            (_, Event::GeneralRef(name)) => {
                let reference = format!("&{};", &*name);
                texts.last_mut().unwrap().push_str(&reference);
            }
            (_, Event::Eof) => break,
            _ => {}
        }
    }
    found.sort();
    found
}

fn place(path: &[String]) -> String {
    let steps = path.iter().filter(|step| *step != "extension");
    steps.fold(String::new(), |all, step| all + "/" + step)
}

/// Whether a lossy path is outside the events.
fn is_around(path: &str) -> bool {
    !PIECES.iter().any(|piece| path.contains(&format!("{piece}[")))
}

#[test]
fn what_is_lost_around_the_events_is_on_the_list() {
    let (documents, has_outside) = documents();
    let mut cases = Exceptions::new(&[]);
    let (mut count, mut entries, mut differing) = ((0, 0), 0, 0);
    for (name, path) in documents {
        let bytes = read(&path);
        let Ok(text) = std::str::from_utf8(&bytes) else {
            continue;
        };
        let Ok(translation) = translate(&bytes) else {
            continue;
        };
        let json = Document::read(translation.document.as_bytes()).unwrap();
        if json.root().get("epcisBody").is_none() {
            continue;
        }
        let version = match translation.source_schema_version {
            "2.0" => XmlVersion::V2_0,
            _ => XmlVersion::V1_2,
        };
        let back = envelope(&to_xml(&json, version).unwrap().document);
        let mut rest = back;
        entries += rest.len();
        let mut missing = envelope(text.trim_start_matches('\u{feff}'));
        missing.retain(|entry| match rest.iter().position(|other| other == entry) {
            Some(at) => {
                rest.remove(at);
                false
            }
            None => true,
        });
        let lossy = translation.fidelity_report.lossy_paths().any(is_around);
        count.0 += 1;
        differing += usize::from(!missing.is_empty() || !rest.is_empty());
        count.1 += usize::from(!lossy);
        let outcome = if lossy || (missing.is_empty() && rest.is_empty()) {
            Ok(())
        } else {
            Err(format!("missing {missing:#?}, more {rest:#?}"))
        };
        cases.case(&name, outcome);
    }
    println!("{count:?}, {entries} entries, {differing} documents differ");
    cases.finish(if has_outside { 116 } else { 13 });
    if has_outside {
        assert!(count.1 > 100 && entries > 200 && differing > 5);
    }
}
