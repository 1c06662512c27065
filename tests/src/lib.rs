//! Loader and runners of the test vectors.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a suite that cannot read its vectors stops, and says so"
)]

use std::path::{Path, PathBuf};

/// The folder of a set of public vectors that is not part of the repository; `None`, with a line to say so, where it is absent.
///
/// It is looked for in `../shared/vectors` beside the workspace, or in what the variable `EPCIS_EDGE_VECTORS` names.
///
/// # Panics
/// Where it is absent and the variable `EPCIS_EDGE_REQUIRE_VECTORS` is `1`.
#[must_use]
pub fn shared_vectors(area: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("EPCIS_EDGE_VECTORS") {
        Some(folder) => PathBuf::from(folder),
        None => workspace().join("../shared/vectors"),
    }
    .join(area);
    if folder.is_dir() {
        return Some(folder);
    }
    let required = std::env::var("EPCIS_EDGE_REQUIRE_VECTORS").is_ok_and(|value| value == "1");
    assert!(!required, "no vectors in {}", folder.display());
    eprintln!("skipped: no vectors in {}", folder.display());
    None
}

/// The folder of an area of the vectors that are part of the repository.
#[must_use]
pub fn own_vectors(area: &str) -> PathBuf {
    workspace().join("tests/vectors").join(area)
}

/// The root of the workspace.
#[must_use]
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The entries of a folder, in order of their names.
///
/// # Panics
/// Where the folder cannot be read.
#[must_use]
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir();
    let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    paths.sort();
    paths
}

/// The text of a file.
///
/// # Panics
/// Where the file cannot be read as UTF-8.
#[must_use]
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
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
