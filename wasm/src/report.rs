//! Reports for JavaScript.

use crate::{error, input};
use epcis_edge_core::error::Error;
use epcis_edge_core::json::Document;
use epcis_edge_core::report::{Report, ReportName, ReportRequest, report_document};
use epcis_edge_core::time::Timestamp;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Makes a report of the events of a JSON document. The request and the report are JSON texts.
///
/// `made`: the time that the report bears, in milliseconds since 1970.
///
/// # Errors
/// Throws an `Error` with a `problem` member for a document without events, and for a request that is not accepted.
#[wasm_bindgen(skip_typescript)]
pub fn report(document: &JsValue, name: &str, request: &str, made: f64) -> Result<String, JsValue> {
    let text = input::bytes(document)?;
    // Milliseconds of this century are far below 2^53.
    let made = Timestamp::from_milliseconds(made as u64);
    let report = || {
        let asked = Document::read(request.as_bytes())?;
        let asked = ReportRequest::read(ReportName::read(name)?, asked.root())?;
        report_document(&asked, &Document::read(&text)?, made)?.to_json()
    };
    report().map_err(|error| error::to_js(&error))
}

/// A report as CSV: a sheet, or all sheets as one table.
///
/// # Errors
/// Throws an `Error` with a `problem` member for a text that is no report, and for a sheet that the report does not have.
#[wasm_bindgen(skip_typescript)]
pub fn csv(report: &str, sheet: Option<String>) -> Result<String, JsValue> {
    let written = |report: Report| match sheet {
        None => Ok(report.to_flat_csv()),
        Some(sheet) => Ok(report.sheet(&sheet)?.to_csv()),
    };
    let written: Result<String, Error> = Report::read(report).and_then(written);
    written.map_err(|error| error::to_js(&error))
}

/// A report as a page that prints.
///
/// # Errors
/// Throws an `Error` with a `problem` member for a text that is no report.
#[wasm_bindgen(skip_typescript)]
pub fn html(report: &str) -> Result<String, JsValue> {
    let report = Report::read(report).map_err(|error| error::to_js(&error))?;
    Ok(report.to_html())
}
