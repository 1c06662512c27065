//! Reports for JavaScript.

use crate::error::Thrown;
use crate::input;
use epcis_edge_core::json::Document;
use epcis_edge_core::report::{Report, ReportName, ReportRequest, report_document};
use epcis_edge_core::time::Timestamp;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Makes a report of the events of a JSON document. The request and the report are JSON texts.
///
/// `made`: the time that the report bears, in milliseconds since 1970.
///
/// # Errors
/// Throws an `Error` with a `problem` member for a document without events, and for a request that is not accepted.
#[wasm_bindgen(skip_typescript)]
pub fn report(document: &JsValue, name: &str, request: &str, made: f64) -> Result<String, Thrown> {
    let text = input::bytes(document)?;
    // Milliseconds of this century are far below 2^53.
    let made = Timestamp::from_milliseconds(made as u64);
    let asked = Document::read(request.as_bytes())?;
    let asked = ReportRequest::read(ReportName::read(name)?, asked.root())?;
    Ok(report_document(&asked, &Document::read(&text)?, made)?.to_json()?)
}

/// A report as CSV: a sheet, or all sheets as one table.
///
/// # Errors
/// Throws an `Error` with a `problem` member for a text that is no report, and for a sheet that the report does not have.
#[wasm_bindgen(skip_typescript)]
pub fn csv(report: &str, sheet: Option<String>) -> Result<String, Thrown> {
    let report = Report::read(report)?;
    Ok(match sheet {
        None => report.to_flat_csv(),
        Some(sheet) => report.sheet(&sheet)?.to_csv(),
    })
}

/// A report as a page that prints.
///
/// # Errors
/// Throws an `Error` with a `problem` member for a text that is no report.
#[wasm_bindgen(skip_typescript)]
pub fn html(report: &str) -> Result<String, Thrown> {
    Ok(Report::read(report)?.to_html())
}
