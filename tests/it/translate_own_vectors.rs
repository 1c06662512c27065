//! The project's own vectors in `vectors/translate`: XML to JSON, with the report and the verdict on the source, or JSON to XML,
//! with the report.
//!
//! `EPCIS_EDGE_BLESS=1` rewrites the expected files. Read them before committing.

use epcis_edge_core::json::Document;
use epcis_edge_core::translate::{XmlVersion, to_xml, translate};
use epcis_edge_tests::variables::is_on;
use std::path::Path;

/// Vectors for which only a rule reports a loss although the measurement finds none, with the reason.
const RULES_ALONE: [(&str, &str); 1] = [(
    "reading-text",
    "section 8 calls every attribute of an extension lossy, section 11 brings it back where a text stands beside it",
)];

/// The result of a translation, and the file that has the expected output.
struct Outcome {
    file: &'static str,
    text: String,
    report: String,
    /// The XML schema verdict on XML input.
    verdict: Option<String>,
}

fn run(case: &Path) -> Outcome {
    let pretty = |value: &serde_json::Value| serde_json::to_string_pretty(value).unwrap() + "\n";
    if let Ok(xml) = std::fs::read(case.join("input.xml")) {
        let translation = translate(&xml).unwrap();
        let report = &translation.fidelity_report;
        let agree = report.is_round_trip_clean() == (report.measured_differences() == 0);
        let known = RULES_ALONE.iter().any(|(name, _)| case.ends_with(name));
        assert_eq!(agree, !known, "{}", case.display());
        return Outcome {
            file: "expected.json",
            text: translation.document.clone() + "\n",
            report: pretty(&serde_json::to_value(&translation.fidelity_report).unwrap()),
            verdict: Some(pretty(&serde_json::to_value(&translation.source_verdict).unwrap())),
        };
    }
    let json = std::fs::read(case.join("input.json")).unwrap();
    let version = if case.ends_with("back-to-1.2") { XmlVersion::V1_2 } else { XmlVersion::V2_0 };
    let translation = to_xml(&Document::read(&json).unwrap(), version).unwrap();
    Outcome {
        file: "expected.xml",
        text: translation.document,
        report: pretty(&serde_json::to_value(&translation.report).unwrap()),
        verdict: None,
    }
}

#[test]
fn own_vectors_translate_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/translate");
    let bless = is_on("EPCIS_EDGE_BLESS");
    let mut count = 0;
    for case in std::fs::read_dir(&folder).unwrap() {
        let case = case.unwrap().path();
        let outcome = run(&case);
        let verdict = outcome.verdict.map(|verdict| ("verdict.json", verdict));
        for (file, text) in [(outcome.file, outcome.text), ("report.json", outcome.report)]
            .into_iter()
            .chain(verdict)
        {
            if bless {
                std::fs::write(case.join(file), &text).unwrap();
            }
            let expected = std::fs::read_to_string(case.join(file)).unwrap();
            assert_eq!(text, expected, "{}/{file}", case.display());
        }
        assert!(case.join("case.json").is_file(), "{}", case.display());
        count += 1;
    }
    assert!(count >= 12, "{count} vectors");
}
