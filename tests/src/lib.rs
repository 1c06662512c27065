//! Loaders and runners for the test vectors, and generators of test documents.

pub mod events;
pub mod hash;
pub mod log;
pub mod loose;
pub mod memory;
pub mod mutants;
pub mod packs;
pub mod random;
pub mod referee;
pub mod rest;
pub mod shapes;
pub mod template;
pub mod time;
pub mod translate;
pub mod variables;
pub mod witness;
pub mod xml_mutants;

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
#[must_use]
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folder of the project's own vectors for one area, such as `hash`.
#[must_use]
pub fn own_vectors(area: &str) -> PathBuf {
    repository().join("tests/vectors").join(area)
}

/// The folder of third-party vectors for one area, if present.
///
/// It is looked for in `../shared/vectors` beside the repository, or in the folder that `EPCIS_EDGE_VECTORS` names.
///
/// # Panics
/// When it is absent although `EPCIS_EDGE_REQUIRE_VECTORS=1` demands it.
#[must_use]
pub fn outside_vectors(area: &str) -> Option<PathBuf> {
    let base = std::env::var_os("EPCIS_EDGE_VECTORS")
        .map_or_else(|| repository().join("../shared/vectors"), PathBuf::from);
    let folder = base.join(area);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(
        !variables::is_on("EPCIS_EDGE_REQUIRE_VECTORS"),
        "the outside vectors are required, but {} is absent",
        folder.display()
    );
    eprintln!("outside vectors of `{area}` are absent: skipped");
    None
}

/// The folder of the official XML schemas, if present: `official/xsd`, beside the third-party vectors.
///
/// # Panics
/// When it is absent although `EPCIS_EDGE_REQUIRE_VECTORS=1` demands it.
#[must_use]
pub fn official_xml_schemas() -> Option<PathBuf> {
    outside_vectors("../official/xsd")
}

/// The bytes of a vector file.
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
    let mut paths: Vec<PathBuf> = listing.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// A vector file parsed as JSON.
///
/// # Panics
/// When the file cannot be read or is not JSON.
#[must_use]
pub fn read_json(path: &Path) -> serde_json::Value {
    serde_json::from_slice(&read(path))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of a vector file.
///
/// # Panics
/// When the file cannot be read as UTF-8.
#[must_use]
pub fn read_text(path: &Path) -> String {
    String::from_utf8(read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A run of named cases, some of which are known to fail for a listed reason. A listed case that passes fails the run.
#[derive(Debug)]
pub struct Exceptions<'a> {
    listed: &'a [(&'a str, &'a str)],
    failures: Vec<String>,
    ran: usize,
}

impl<'a> Exceptions<'a> {
    /// Starts a run. `listed`: the name of each case that is known to fail, and the reason.
    #[must_use]
    pub fn new(listed: &'a [(&'a str, &'a str)]) -> Self {
        Self { listed, failures: Vec::new(), ran: 0 }
    }

    /// Records the outcome of a case. `Err` describes the failure.
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

    /// Ends the run. `expected`: the number of cases that should have run.
    ///
    /// # Panics
    /// When an unlisted case failed, a listed case passed, or another number of cases ran.
    pub fn finish(self, expected: usize) {
        assert!(self.failures.is_empty(), "{}", self.failures.join("\n"));
        assert_eq!(self.ran, expected, "number of cases");
    }
}
