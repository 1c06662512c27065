//! What all reports have in common: spans of time, gaps, the forms in which they are written.

use super::{PACKED, Report, cell, chain, made, rows};
use serde_json::json;

#[test]
fn a_span_of_time_bounds_the_rows_and_not_what_is_known() {
    let asked = json!({"from": "2026-03-04T11:00:00Z", "to": "2026-03-04T12:00:00Z"});
    let report = made("fsma204", &chain().to_string(), &asked).unwrap();
    let shipping = &rows(&report, "Shipping")[0];
    // Packed and made before.
    assert_eq!(cell(shipping, "lot"), "007");
    assert_eq!(cell(shipping, "source"), "9521141002001");
    assert_eq!(rows(&report, "Harvesting").len(), 0);
    assert_eq!(rows(&report, "Receiving").len(), 0);
}

#[test]
fn what_a_bound_hides_is_a_gap() {
    let asked = json!({"items": PACKED, "maxEvents": 2});
    let report = made("fsma204", &chain().to_string(), &asked).unwrap();
    assert_eq!(report.gaps.len(), 1, "{:?}", report.gaps);
    let about = rows(&report, "About");
    assert!(about.iter().any(|row| cell(row, "says") == report.gaps[0]));
    assert!(report.to_html().contains("Not complete."));
}

#[test]
fn a_report_is_read_as_it_was_written() {
    let report = made("fsma204", &chain().to_string(), &json!({})).unwrap();
    let text = report.to_json().unwrap();
    let read = Report::read(&text).unwrap();
    assert_eq!(read.to_json().unwrap(), text);
    assert_eq!(read.to_flat_csv(), report.to_flat_csv());
    let wrong = text.replacen("\"rows\":[[", "\"rows\":[[\"one more\",", 1);
    assert!(Report::read(&wrong).unwrap_err().to_string().contains("a cell for each column"));
    assert!(report.sheet("Harvest").is_err());
}

/// Names in every script, right to left, with line ends, with markup.
#[test]
fn a_page_shows_texts_as_they_are() {
    let mut document = chain();
    let name = "مزرعة <b>&\"'\nzwei\u{7} Zeilen";
    document["epcisHeader"]["epcisMasterData"]["vocabularyList"][0]["vocabularyElementList"][0]["attributes"]
        [0]["attribute"] = json!(name);
    let report = made("fsma204", &document.to_string(), &json!({})).unwrap();
    let html = report.to_html();
    assert!(html.contains("dir=\"auto\">مزرعة &lt;b&gt;&amp;&quot;'\nzwei Zeilen"), "{html}");
    assert!(!html.contains("<script"));
    assert!(report.to_flat_csv().contains("\"مزرعة <b>&\"\"'\nzwei"));
}
