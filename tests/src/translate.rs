//! The translation vectors: finding, reading and comparing them.

use crate::{outside_vectors, own_vectors};
use epcis_edge_core::hash::{Profile, pre_hash_document};
use epcis_edge_core::json::Document;
use epcis_edge_core::translate::{Translation, pre_hash_xml};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// One XML document and its expected translation.
#[derive(Debug)]
pub struct Vector {
    /// The folder and name, such as `own/own-05-v20-user-extensions-clean`.
    pub name: String,
    /// The document.
    pub xml: Vec<u8>,
    /// The expected output, or `None` if the document must be refused.
    pub expected: Option<Vec<u8>>,
    /// The expected report.
    pub report: Report,
}

/// The expected report of a vector.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Report {
    /// `translated`, `schema-invalid` or `refused`.
    pub status: String,
    /// Why the document is refused.
    pub reason: Option<String>,
    /// Whether a round trip must lose nothing.
    pub round_trip_clean: bool,
    /// The paths of losses.
    pub lossy_paths: Vec<String>,
    /// The expected notes.
    pub notes: Vec<ExpectedNote>,
    /// The expected departures from the XML schema.
    pub structure: Vec<Departure>,
}

/// An expected note.
#[derive(Debug, Deserialize)]
pub struct ExpectedNote {
    /// Where the note is.
    pub path: String,
    /// The code of the note.
    pub code: String,
    /// The source text that the note quotes.
    pub value: Option<serde_json::Value>,
}

/// An expected departure from the XML schema.
#[derive(Debug, Deserialize)]
pub struct Departure {
    /// Where the departure is.
    pub path: String,
}

/// All files below a folder whose names have this ending, sorted.
///
/// # Panics
/// When a folder cannot be read.
#[must_use]
pub fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            found.extend(files(&path, end));
        } else if path.to_string_lossy().ends_with(end) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The XML documents of all translation vectors, as name and path: those of the repository and the third-party ones if present.
/// Also returns whether the third-party ones are present.
///
/// # Panics
/// When a folder cannot be read.
#[must_use]
pub fn documents() -> (Vec<(String, PathBuf)>, bool) {
    let outside = outside_vectors("translate");
    let has_outside = outside.is_some();
    let outside = outside.into_iter().map(|folder| (folder, ".xml"));
    let own = [(own_vectors("translate"), "input.xml")];
    let mut found = Vec::new();
    for (folder, end) in outside.chain(own) {
        for path in files(&folder, end) {
            let name = path.strip_prefix(&folder).expect("a path below the folder");
            found.push((name.to_string_lossy().into_owned(), path));
        }
    }
    (found, has_outside)
}

/// The vectors below a folder: every `.xml` with its `.report.json` and, unless refused, its `.derived.json`.
///
/// # Panics
/// When a file of a vector is missing or malformed.
#[must_use]
pub fn vectors(folder: &Path) -> Vec<Vector> {
    files(folder, ".xml")
        .into_iter()
        .map(|path| {
            let name = path
                .strip_prefix(folder)
                .expect("a path below the folder")
                .with_extension("")
                .to_string_lossy()
                .into_owned();
            let beside = |end: &str| folder.join(format!("{name}{end}"));
            let report = std::fs::read(beside(".report.json")).expect("a report");
            Vector {
                xml: std::fs::read(&path).expect("a document"),
                expected: std::fs::read(beside(".derived.json")).ok(),
                report: serde_json::from_slice(&report).expect("a report that can be read"),
                name,
            }
        })
        .collect()
}

/// The first difference between two JSON values as data. The order of members is ignored, and numbers are compared by their digits.
#[must_use]
pub fn difference(
    path: &str,
    ours: epcis_edge_core::json::Value<'_>,
    theirs: epcis_edge_core::json::Value<'_>,
) -> Option<String> {
    use epcis_edge_core::json::Kind;
    if ours.kind() != theirs.kind() {
        return Some(format!("{path}: {} against {}", ours.source(), theirs.source()));
    }
    match ours.kind() {
        Kind::Object => {
            for (name, value) in ours.members() {
                let name = name.to_cow();
                let path = format!("{path}/{name}");
                match theirs.get(&name) {
                    Some(other) => {
                        if let Some(found) = difference(&path, value, other) {
                            return Some(found);
                        }
                    }
                    None => return Some(format!("{path}: not expected")),
                }
            }
            theirs
                .members()
                .find(|(name, _)| ours.get(&name.to_cow()).is_none())
                .map(|(name, _)| format!("{path}/{}: missing", name.to_cow()))
        }
        Kind::Array => {
            if ours.elements().count() != theirs.elements().count() {
                return Some(format!("{path}: {} against {}", ours.source(), theirs.source()));
            }
            ours.elements()
                .zip(theirs.elements())
                .enumerate()
                .find_map(|(n, (a, b))| difference(&format!("{path}/{n}"), a, b))
        }
        Kind::String => (ours.as_str() != theirs.as_str())
            .then(|| format!("{path}: {} against {}", ours.source(), theirs.source())),
        Kind::Number | Kind::Boolean | Kind::Null => {
            let same = ours.source().eq_ignore_ascii_case(theirs.source());
            (!same).then(|| format!("{path}: {} against {}", ours.source(), theirs.source()))
        }
    }
}

/// An event whose hash changed in translation.
#[derive(Debug)]
pub struct HashChange {
    /// The index of the event in its document.
    pub event: usize,
    /// The path of the event in the source.
    pub path: String,
    /// The codes of the lossy notes on the event or inside it.
    pub lossy: Vec<&'static str>,
    /// The pre-hash strings before and after translation, 160 characters from the first difference.
    pub strings: [String; 2],
}

/// The events whose hash changed in translation, under one profile.
///
/// # Panics
/// When source and translation have different numbers of events.
#[must_use]
pub fn hash_changes(
    xml: &[u8],
    translation: &Translation<'_>,
    profile: Profile,
) -> Vec<HashChange> {
    if translation.metered_events == 0 {
        return Vec::new();
    }
    let json = Document::read(translation.document.as_bytes()).expect("JSON");
    let before = pre_hash_xml(xml, profile).expect("hashes of the XML");
    let after = pre_hash_document(&json, profile).expect("hashes of the JSON");
    let counts = [before.len(), after.len()];
    assert_eq!(counts, [translation.metered_events; 2], "numbers of events");
    let list = match json.root().get("epcisBody") {
        None => "",
        Some(body) if body.get("eventList").is_some() => "/epcisBody/eventList/",
        Some(_) => "/epcisBody/queryResults/resultsBody/eventList/",
    };
    let pairs = before.into_iter().zip(after).enumerate();
    pairs
        .filter(|(_, (before, after))| before != after)
        .map(|(event, (before, after))| {
            let pointer = match list {
                "" => String::new(),
                list => format!("{list}{event}"),
            };
            let path = translation.locate(&pointer).path;
            let notes = translation.fidelity_report.notes().iter();
            let is_inside = |other: &str| {
                let rest = other.strip_prefix(path.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            let lossy = notes
                .filter(|note| note.is_lossy() && is_inside(&note.path))
                .map(|note| note.code)
                .collect();
            let shared = before.pre_hash.chars().zip(after.pre_hash.chars());
            let shared = shared.take_while(|(a, b)| a == b).count();
            let rest = |text: &str| text.chars().skip(shared).take(160).collect();
            let strings = [rest(&before.pre_hash), rest(&after.pre_hash)];
            HashChange { event, path, lossy, strings }
        })
        .collect()
}
