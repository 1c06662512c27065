//! Reports against tables that were worked out by hand.
//!
//! Each file of `tests/vectors/report` has a document, its events in words, and reports about it: the name, the question if there is one,
//! why the tables are as they are, and all rows of every sheet about events, by the columns that matter. A sheet that is not named is empty.

use epcis_edge_core::json::Document;
use epcis_edge_core::report::{Report, ReportName, ReportRequest, Sheet, report_document};
use epcis_edge_core::time::Timestamp;
use epcis_edge_tests::{entries, own_vectors, read};
use serde_json::{Map, Value, json};

/// The sheets that hold places, products and notes: a vector names them only if they matter.
const BESIDE: [&str; 3] = ["Locations", "Products", "About"];

fn made(vector: &Value, asked: &Value) -> Report {
    let document = vector["document"].to_string();
    let document = Document::read(document.as_bytes()).unwrap();
    let question = asked.get("question").unwrap_or(&json!({})).to_string();
    let question = Document::read(question.as_bytes()).unwrap();
    let name = ReportName::read(asked["report"].as_str().unwrap()).unwrap();
    let request = ReportRequest::read(name, question.root()).unwrap();
    report_document(&request, &document, Timestamp::default()).unwrap()
}

/// The rows of a sheet, as objects with these columns each.
fn rows(sheet: &Sheet, columns: &Map<String, Value>) -> Vec<Value> {
    let row = |row: &Vec<String>| {
        let cell = |id: &String| {
            let at = sheet.columns.iter().position(|column| column.id == *id);
            let at = at.unwrap_or_else(|| panic!("{} has no column {id}", sheet.name));
            (id.clone(), Value::from(&*row[at]))
        };
        columns.keys().map(cell).collect::<Map<_, _>>().into()
    };
    sheet.rows.iter().map(row).collect()
}

#[test]
fn reports_are_the_tables_that_were_worked_out_by_hand() {
    let mut faults = Vec::new();
    let mut tables = 0;
    for path in entries(&own_vectors("report")) {
        let vector: Value = serde_json::from_slice(&read(&path)).unwrap();
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        for asked in vector["reports"].as_array().unwrap() {
            let report = made(&vector, asked);
            let expected = asked["sheets"].as_object().unwrap();
            for name in expected.keys() {
                assert!(report.sheet(name).is_ok(), "{file}: no sheet {name}");
            }
            for sheet in &report.sheets {
                let wanted = expected.get(&*sheet.name).and_then(Value::as_array);
                if wanted.is_none() && BESIDE.contains(&&*sheet.name) {
                    continue;
                }
                tables += 1;
                let first = wanted.and_then(|rows| rows.first()?.as_object());
                let found = rows(sheet, first.unwrap_or(&Map::new()));
                let wanted = wanted.map_or(&[][..], Vec::as_slice);
                if found != wanted {
                    let text = |rows: &[Value]| {
                        let rows = rows.iter().map(|row| format!("    {row}"));
                        rows.collect::<Vec<_>>().join("\n")
                    };
                    faults.push(format!(
                        "{file}, {}, {}:\n  found\n{}\n  by hand\n{}",
                        report.report,
                        sheet.name,
                        text(&found),
                        text(wanted)
                    ));
                }
            }
            if let Some(says) = asked.get("says").and_then(Value::as_str) {
                let about = report.sheet("About").unwrap();
                let is_said = about.rows.iter().any(|row| row[1] == says);
                assert!(is_said, "{file}: {says}");
            }
        }
    }
    assert!(tables > 100, "{tables} tables");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
