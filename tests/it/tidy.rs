//! House rules that no compiler checks: circles of modules, the size of files, the imports of the wasm file.
// Invariant: Hashing never uses the schema, and validation never uses a hash. Modules use each other in one direction.

use epcis_edge_tests::{entries, read, repository};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The sources of the product. A crate cannot use one above it: the compiler sees to that.
const RUST: [&str; 12] = [
    "core/document/src",
    "core/gateway/src",
    "core/history/src",
    "core/log/src",
    "core/reports/src",
    "core/rules/src",
    "core/src",
    "core/text/src",
    "schemas/src",
    "sql/src",
    "wasm/src",
    "worker/src",
];

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

fn text(path: &Path) -> String {
    String::from_utf8(read(path)).unwrap()
}

/// Every Rust file of a folder: name, module path, text.
fn files_of(folder: &str) -> Vec<(String, Vec<String>, String)> {
    let folder = repository().join(folder);
    let files = rust_files(&folder).into_iter().map(|path| {
        let name = path.strip_prefix(&folder).unwrap();
        let module = name.with_extension("");
        let module = module.to_str().unwrap().split('/').map(str::to_owned);
        (name.display().to_string(), module.collect(), text(&path))
    });
    files.collect()
}

/// The paths used in a file, in full: those with `crate::` or `super::`, and the first names of a group after either.
fn paths_in(text: &str, module: &[String]) -> Vec<Vec<String>> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let names = |path: &str| -> Vec<String> {
        let path = path.split(|character| !is_part(character) && character != ':');
        let path = path.into_iter().next().unwrap_or_default();
        path.split("::").map(str::to_owned).collect()
    };
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            if text[..at].ends_with(|character| is_part(character) || character == ':') {
                continue;
            }
            let rest = &text[at..];
            let mut path = names(rest);
            let mut from = if path[0] == "crate" { Vec::new() } else { module.to_vec() };
            while path.first().is_some_and(|name| name == "super") {
                path.remove(0);
                from.pop();
            }
            path.retain(|name| name != "crate");
            from.append(&mut path);
            let group =
                rest[rest.find(|c| !is_part(c) && c != ':').unwrap_or(0)..].strip_prefix('{');
            let Some(group) = group.filter(|_| from.last().is_some_and(String::is_empty)) else {
                from.retain(|name| !name.is_empty());
                found.push(from);
                continue;
            };
            from.pop();
            let mut depth = 0;
            for item in group.split_inclusive([',', '{', '}']) {
                if depth == 0 {
                    found.push([&from[..], &names(item.trim_start())[..]].concat());
                }
                depth += match item.chars().last() {
                    Some('{') => 1,
                    Some('}') => -1,
                    _ => 0,
                };
                if depth < 0 {
                    break;
                }
            }
        }
    }
    found
}

/// Modules of one parent module must not use each other in circles. They may use the parent's own file.
#[test]
fn rooms_use_each_other_in_one_direction() {
    let rooms: usize = RUST.into_iter().map(rooms_without_circles).sum();
    assert!(rooms > 15, "only {rooms} rooms seen: is the test looking at the right files?");
}

/// Checks the modules of a crate. Returns how many of them have modules that use each other.
fn rooms_without_circles(folder: &str) -> usize {
    let files: BTreeMap<Vec<String>, String> = files_of(folder)
        .into_iter()
        .filter(|(name, ..)| name != "lib.rs" && !name.ends_with("tests.rs"))
        .map(|(_, module, text)| {
            let without_tests = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            (module, without_tests.to_owned())
        })
        .collect();
    let mut uses: BTreeMap<Vec<String>, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (module, text) in &files {
        for mut path in paths_in(text, module) {
            while !path.is_empty() && !files.contains_key(&path) {
                path.pop();
            }
            let shared = module.iter().zip(&path).take_while(|(one, other)| one == other);
            let shared = shared.count();
            if let (Some(from), Some(to)) = (module.get(shared), path.get(shared)) {
                let of_room = uses.entry(module[..shared].to_vec()).or_default();
                of_room.entry(from.clone()).or_default().insert(to.clone());
            }
        }
    }
    let rooms = uses.len();
    for (room, uses) in uses {
        let circle = circle_in(uses);
        assert!(circle.is_empty(), "in {folder} {}: {circle:#?}", room.join("::"));
    }
    rooms
}

/// What is left of modules and those that each uses, without those that are part of no circle.
fn circle_in(mut uses: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    // A module that uses no remaining module, or that none of them uses, is not part of a circle.
    loop {
        let count = uses.len();
        let users: BTreeSet<String> = uses.keys().cloned().collect();
        uses.retain(|_, used| used.iter().any(|other| users.contains(other)));
        let used: BTreeSet<String> = uses.values().flatten().cloned().collect();
        uses.retain(|user, _| used.contains(user));
        if uses.len() == count {
            return uses;
        }
    }
}

/// The folders of JavaScript that is shipped, served, or run by the commands of the repository.
const JAVASCRIPT: [&str; 8] = [
    "bench",
    "editors/vscode/src",
    "scripts",
    "wasm/document",
    "wasm/js",
    "wasm/lsp",
    "worker/js",
    "www/src",
];

fn javascript_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in entries(folder) {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_dir() {
            files.extend(javascript_files(&path));
        } else if matches!(extension, Some("js" | "mjs" | "ts")) {
            files.push(path);
        }
    }
    files
}

/// Modules of JavaScript must not import each other in circles. What is imported later, by `import()`, does not count.
#[test]
fn javascript_modules_use_each_other_in_one_direction() {
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for folder in JAVASCRIPT {
        for path in javascript_files(&repository().join(folder)) {
            let text = text(&path);
            let imported = text.split("from '").skip(1).filter_map(|rest| {
                let name = rest.split_once('\'')?.0;
                let file = name.starts_with('.').then(|| path.with_file_name(name))?;
                Some(file.canonicalize().ok()?.display().to_string())
            });
            let imported = imported.collect();
            let path = path.canonicalize().unwrap().display().to_string();
            uses.insert(path, imported);
        }
    }
    let arrows: usize = uses.values().map(BTreeSet::len).sum();
    assert!(arrows > 200, "only {arrows} imports seen");
    let circle = circle_in(uses);
    assert!(circle.is_empty(), "{circle:#?}");
}

/// Hashing works for events that no schema knows, and a verdict does not depend on a hash.
#[test]
fn hashing_never_sees_the_schema_nor_validating_a_hash() {
    let uses = |module: &str, others: &[&str]| {
        let core = repository().join("core/document/src");
        let mut files = rust_files(&core.join(module));
        files.push(core.join(format!("{module}.rs")));
        assert!(files.len() > 5, "{module}");
        for path in files {
            let text = text(&path);
            for other in others {
                assert!(!text.contains(other), "{}: `{other}`", path.display());
            }
        }
    };
    uses("hash", &["crate::validate", "epcis_edge_schema", "crate::{"]);
    uses("validate", &["crate::hash", "EventHash", "crate::{"]);
}

/// Files that may be longer than 600 lines, with the reason.
const LONG: [(&str, &str); 3] = [
    ("wasm/js/cbv/index.ts", "made from the schema"),
    ("wasm/js/engine/answers.ts", "made from the types of the engine"),
    ("wasm/js/engine/epcis.ts", "made from the schema"),
];

#[test]
fn files_stay_short_enough_to_enter() {
    let rust = RUST.map(|folder| rust_files(&repository().join(folder)));
    let javascript = JAVASCRIPT.map(|folder| javascript_files(&repository().join(folder)));
    for files in rust.into_iter().chain(javascript) {
        for path in files {
            let name = path.strip_prefix(repository()).unwrap().display().to_string();
            let lines = text(&path).lines().count();
            let may_be_long =
                name.ends_with("tests.rs") || LONG.iter().any(|(long, _)| *long == name);
            assert!(
                lines <= 600 || may_be_long,
                "{name} has {lines} lines: split it, or name the reason in LONG"
            );
        }
    }
}

#[test]
fn no_absolute_path_of_a_machine_is_committed() {
    for folder in [
        "core",
        "docs",
        "schemas",
        "scripts",
        "sql",
        "tests",
        "editors/vscode/src",
        "editors/vscode/tests",
        "wasm/document",
        "wasm/src",
        "wasm/js",
        "wasm/lsp",
        "wasm/tests",
        "worker/src",
        "worker/tests",
        "www/public",
        "www/src",
        "www/tests",
    ] {
        check_folder(&repository().join(folder));
    }
}

fn check_folder(folder: &Path) {
    for path in entries(folder) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if ["target", "node_modules"].contains(&name) {
            continue;
        }
        if path.is_dir() {
            check_folder(&path);
            continue;
        }
        let bytes = read(&path);
        let text = String::from_utf8_lossy(&bytes);
        // Built here, so that this file does not match itself.
        for start in ["home", "root", "work"].map(|folder| format!("/{folder}/")) {
            let found = text.match_indices(&start).find(|(at, _)| {
                let before = text[..*at].chars().next_back();
                before.is_none_or(|character| " \"'`(=".contains(character))
            });
            assert!(found.is_none(), "{}: `{start}`", path.display());
        }
    }
}

/// The lints run natively alone: they see everything that is compiled for WebAssembly.
#[test]
fn no_code_is_for_one_target_alone() {
    for folder in RUST {
        for path in rust_files(&repository().join(folder)) {
            let text = text(&path);
            for word in ["target_arch", "target_family", "target_os", "target_pointer_width"] {
                assert!(!text.contains(word), "{}: {word}", path.display());
            }
        }
    }
}
