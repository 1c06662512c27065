//! Generates the lists of supported parameters from the code, and checks that they are current. `EPCIS_EDGE_BLESS=1` writes them.

use epcis_edge_core::query::SERVED;
use epcis_edge_tests::variables::is_on;
use epcis_edge_tests::{read, read_json, repository};
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

#[test]
fn openapi_lists_the_parameters_that_are_served() {
    let list = SERVED.iter().map(|entry| format!("\n          \"{entry}\""));
    let list: Vec<String> = list.collect();
    holds(
        "core/gateway/src/rest/openapi.json",
        "\"x-served-parameters\": [",
        "\n        ],",
        &list.join(","),
    );
    let description = read_json(&repository().join("core/gateway/src/rest/openapi.json"));
    let served = &description["paths"]["/events"]["get"]["x-served-parameters"];
    let served = served.as_array().unwrap().iter();
    assert!(served.map(|entry| entry.as_str().unwrap()).eq(SERVED));
}

#[test]
fn the_documentation_lists_the_parameters_that_are_served() {
    let mut list = String::from("\n\n```\n");
    for entry in SERVED {
        let _ = writeln!(list, "{entry}");
    }
    list.push_str("```\n\n");
    holds(
        "docs/rest.md",
        "<!-- made by EPCIS_EDGE_BLESS=1 cargo test -p epcis-edge-tests --test it served:: -->",
        "<!-- end of what is made -->",
        &list,
    );
}
