//! Loader and runners of the test vectors.

pub mod events;
pub mod hash;
pub mod loose;
pub mod memory;
pub mod mutants;
pub mod packs;
pub mod random;
pub mod referee;
pub mod rest;
pub mod shapes;
pub mod time;
pub mod translate;
pub mod xml_mutants;

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
#[must_use]
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The project's own vectors of one area.
#[must_use]
pub fn own_vectors(area: &str) -> PathBuf {
    repository().join("tests/vectors").join(area)
}

/// Other people's vectors of one area, when they are there.
///
/// They lie in `../shared/vectors` beside the repository, or where `EPCIS_EDGE_VECTORS` says.
///
/// # Panics
/// When they are absent although `EPCIS_EDGE_REQUIRE_VECTORS=1` demands them.
#[must_use]
pub fn outside_vectors(area: &str) -> Option<PathBuf> {
    let base = std::env::var_os("EPCIS_EDGE_VECTORS")
        .map_or_else(|| repository().join("../shared/vectors"), PathBuf::from);
    let folder = base.join(area);
    if folder.is_dir() {
        return Some(folder);
    }
    let required = std::env::var("EPCIS_EDGE_REQUIRE_VECTORS").is_ok_and(|value| value == "1");
    assert!(
        !required,
        "the outside vectors are required, but {} is absent",
        folder.display()
    );
    eprintln!("outside vectors of `{area}` are absent: skipped");
    None
}

/// The official XML schemas, when they are there: beside the vectors of other people, in `official/xsd`.
///
/// # Panics
/// When they are absent although `EPCIS_EDGE_REQUIRE_VECTORS=1` demands them.
#[must_use]
pub fn official_xml_schemas() -> Option<PathBuf> {
    outside_vectors("../official/xsd")
}

/// The bytes of a file of the vectors.
///
/// # Panics
/// When the file cannot be read.
#[must_use]
pub fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The entries of a folder, sorted by name.
///
/// # Panics
/// When the folder cannot be read.
#[must_use]
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let listing =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = listing
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    paths
}

/// A file of the vectors as JSON.
///
/// # Panics
/// When it is none.
#[must_use]
pub fn read_json(path: &Path) -> serde_json::Value {
    serde_json::from_slice(&read(path))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of a file of the vectors.
///
/// # Panics
/// When the file cannot be read as UTF-8.
#[must_use]
pub fn read_text(path: &Path) -> String {
    String::from_utf8(read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Cases that are known to fail, each with its reason; a case that is listed and passes fails the run.
#[derive(Debug)]
pub struct Exceptions<'a> {
    listed: &'a [(&'a str, &'a str)],
    failures: Vec<String>,
    ran: usize,
}

impl<'a> Exceptions<'a> {
    /// The cases that are listed: name and reason.
    #[must_use]
    pub fn new(listed: &'a [(&'a str, &'a str)]) -> Self {
        Self {
            listed,
            failures: Vec::new(),
            ran: 0,
        }
    }

    /// Takes note of a case: `Err` says what is wrong.
    pub fn case(&mut self, name: &str, outcome: Result<(), String>) {
        self.ran += 1;
        let reason = self.listed.iter().find(|(listed, _)| *listed == name);
        match (reason, outcome) {
            (None, Ok(())) | (Some(_), Err(_)) => {}
            (None, Err(wrong)) => self.failures.push(format!("{name}: {wrong}")),
            (Some((_, reason)), Ok(())) => {
                let passed = "passes, but is listed as an exception";
                self.failures.push(format!("{name}: {passed} ({reason})"));
            }
        }
    }

    /// Ends the run, with the number of cases that were expected.
    ///
    /// # Panics
    /// Where a case failed, a listed case passed, or the number is another.
    pub fn finish(self, expected: usize) {
        assert!(self.failures.is_empty(), "{}", self.failures.join("\n"));
        assert_eq!(self.ran, expected, "number of cases");
    }
}
