//! Generates the description of the endpoints and the list of supported parameters from the code, and checks that they are current. `EPCIS_EDGE_BLESS=1` writes them.
// Invariant: The OpenAPI description and the lists of parameters are made of the code.

use epcis_edge_core::query::SERVED;
use epcis_edge_tests::variables::is_on;
use epcis_edge_tests::{read, repository};
use std::fmt::Write as _;

/// Asserts that the text between two marks in a file is the generated one.
fn holds(file: &str, begin: &str, end: &str, made: &str) {
    let path = repository().join(file);
    let text = String::from_utf8(read(&path)).unwrap();
    let (before, rest) =
        text.split_once(begin).unwrap_or_else(|| panic!("{file} has no `{begin}`"));
    let (_, after) = rest.split_once(end).unwrap();
    let expected = format!("{before}{begin}{made}{end}{after}");
    if is_on("EPCIS_EDGE_BLESS") {
        std::fs::write(&path, expected).unwrap();
        return;
    }
    assert!(
        text == expected,
        "the parameters in {file} are not those that are served: EPCIS_EDGE_BLESS=1 writes them anew"
    );
}

/// A line for each operation and each component.
fn by_line(value: &serde_json::Value, depth: usize) -> String {
    match value.as_object() {
        Some(members) if depth > 0 => {
            let member = |(name, member)| format!("\"{name}\": {}", by_line(member, depth - 1));
            let members: Vec<_> = members.iter().map(member).collect();
            format!("{{\n{}\n}}", members.join(",\n"))
        }
        _ => value.to_string(),
    }
}

#[test]
fn the_description_is_made_of_the_code() {
    let path = repository().join("www/public/openapi.json");
    let made = by_line(&epcis_edge_core::rest::openapi().unwrap(), 3) + "\n";
    if is_on("EPCIS_EDGE_BLESS") {
        std::fs::write(&path, made).unwrap();
        return;
    }
    assert!(
        read(&path) == made.as_bytes(),
        "the code no longer has the description in www/public/openapi.json: EPCIS_EDGE_BLESS=1 writes it anew"
    );
}

#[test]
fn the_documentation_lists_the_parameters_that_are_served() {
    let mut list = String::from("\n\n```text\n");
    for entry in SERVED {
        let _ = writeln!(list, "{entry}");
    }
    list.push_str("```\n\n");
    holds(
        "docs/queries.md",
        "<!-- made by EPCIS_EDGE_BLESS=1 cargo test -p epcis-edge-tests --test it served:: -->",
        "<!-- end of what is made -->",
        &list,
    );
}
