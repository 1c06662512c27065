//! Says which material of other people is there, so that tests which need it are ignored elsewhere and counted as such.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-env-changed=EPCIS_EDGE_VECTORS");
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors");
    let vectors = std::env::var_os("EPCIS_EDGE_VECTORS").map_or(beside, PathBuf::from);
    for (name, folder) in [
        ("outside_vectors", vectors.clone()),
        ("official_schemas", vectors.join("../official/xsd")),
    ] {
        println!("cargo::rustc-check-cfg=cfg({name})");
        println!("cargo::rerun-if-changed={}", folder.display());
        if folder.is_dir() {
            println!("cargo::rustc-cfg={name}");
        }
    }
}
