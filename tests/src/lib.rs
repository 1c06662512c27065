//! Loader and runners of the test vectors.

pub mod rest;

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
