//! The documents of all vectors of the project, each with what its vector says of how to ask about it.

use epcis_edge_tests::translate::files;
use epcis_edge_tests::{entries, own_vectors, read, read_json, repository};
use serde_json::Value;
use std::path::Path;

/// A JSON document.
#[derive(Clone, Debug, Default)]
pub(super) struct JsonVector {
    /// The path of the vector below `tests/vectors`, and the place in it.
    pub(super) name: String,
    pub(super) text: Vec<u8>,
    /// A request to follow, as JSON.
    pub(super) question: Option<Value>,
    /// The parameters of packs, as JSON.
    pub(super) parameters: Option<String>,
    /// How a capture treats an `eventID` that is an event hash.
    pub(super) hash_event_ids: Option<String>,
}

/// An XML document.
#[derive(Clone, Debug)]
pub(super) struct XmlVector {
    pub(super) name: String,
    pub(super) text: Vec<u8>,
}

/// A path below `tests/vectors`, without the ending of the file.
fn name_of(path: &Path) -> String {
    let folder = repository().join("tests/vectors");
    let name = path.strip_prefix(folder).unwrap().with_extension("");
    name.to_str().unwrap().to_owned()
}

/// All JSON documents, by name.
pub(super) fn json_vectors() -> Vec<JsonVector> {
    let mut found = Vec::new();
    for area in ["hash", "validate", "translate", "follow"] {
        for folder in entries(&own_vectors(area)) {
            for file in ["input.json", "expected.json"] {
                let path = folder.join(file);
                if !path.exists() || (file == "expected.json" && area != "translate") {
                    continue;
                }
                let question = folder.join("question.json");
                found.push(JsonVector {
                    name: name_of(&path),
                    text: read(&path),
                    question: question.exists().then(|| read_json(&question)),
                    ..JsonVector::default()
                });
            }
        }
    }
    for path in ["log/event.json", "log/keyed.json", "query/events.json"] {
        let path = repository().join("tests/vectors").join(path);
        found.push(JsonVector { name: name_of(&path), text: read(&path), ..JsonVector::default() });
    }
    for path in entries(&own_vectors("capture")) {
        let case = read_json(&path);
        found.push(JsonVector {
            name: name_of(&path),
            text: case["document"].to_string().into_bytes(),
            hash_event_ids: case["hashEventIDs"].as_str().map(str::to_owned),
            ..JsonVector::default()
        });
    }
    found.extend(checked());
    found
}

/// The documents of the checks: those that break a rule, those that almost do, and the documents that many of them are made of.
fn checked() -> Vec<JsonVector> {
    let mut found = Vec::new();
    for path in files(&own_vectors("check"), ".json") {
        let vector = read_json(&path);
        let name = name_of(&path);
        if name.starts_with("check/bases/") {
            found.push(JsonVector { name, text: read(&path), ..JsonVector::default() });
            continue;
        }
        for list in ["breaks", "nearly"] {
            for (at, case) in vector[list].as_array().unwrap().iter().enumerate() {
                found.push(JsonVector {
                    name: format!("{name}/{list}/{at}"),
                    text: document_of(case).to_string().into_bytes(),
                    parameters: case.get("parameters").map(Value::to_string),
                    ..JsonVector::default()
                });
            }
        }
    }
    found
}

/// The document of a case: its own, or a base of several vectors with changes (RFC 6902).
fn document_of(case: &Value) -> Value {
    let Some(base) = case["base"].as_str() else {
        return case["document"].clone();
    };
    let mut document = read_json(&own_vectors("check/bases").join(format!("{base}.json")));
    let patch: json_patch::Patch = serde_json::from_value(case["patch"].clone()).unwrap();
    json_patch::patch(&mut document, &patch).unwrap();
    document
}

/// All XML documents, by name.
pub(super) fn xml_vectors() -> Vec<XmlVector> {
    let folders = ["translate", "xml"].map(own_vectors);
    let files = folders.iter().flat_map(|folder| files(folder, ".xml"));
    let vector = |path: std::path::PathBuf| XmlVector { name: name_of(&path), text: read(&path) };
    files.map(vector).collect()
}
