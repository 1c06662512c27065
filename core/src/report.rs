//! Reports: tables for authorities and partners, made of what events say and of master data.
//!
//! A report is data first: sheets of columns and rows, all cells texts. What is not known is empty, and the last column of the row says
//! why. Every row cites its event and the event's content hash, so that whoever reads a spreadsheet can check each line.
//!
//! What events do not say is derived, and the report says that it is. Nothing is guessed.

mod columns;
mod csv;
mod directory;
mod event;
mod fsma204;
mod lots;
mod table;
#[cfg(test)]
mod tests;
mod units;

pub use table::{Column, Report, Sheet};

use crate::error::{Error, ErrorKind};
use crate::follow::{self, Request};
use crate::json::{Document, Value};
use crate::time::Timestamp;
use directory::Directory;
use event::Told;

/// The names of the reports.
pub const REPORTS: [&str; 1] = ["fsma204"];

/// The most rows of a report, all sheets together.
pub const MAX_ROWS: usize = 100_000;

/// The most bytes of all cells together.
pub const MAX_BYTES: usize = 32 << 20;

/// The report with a name about the events of a document; about some items, only of the events in which they are present.
///
/// **Shape** of the document: as for [`follow_document`](crate::follow::follow_document). Names and addresses come from the master data
/// in its header.
///
/// `made`: the time that the report bears.
///
/// # Errors
/// [`ErrorKind::Argument`] for another name; as [`follow_document`](crate::follow::follow_document) for what holds no events;
/// [`ErrorKind::CaptureTooComplex`] for more than [`MAX_ROWS`] rows or [`MAX_BYTES`] bytes, and for master data beyond the bounds of a capture.
///
/// # Example
/// ```
/// use epcis_edge_core::{json::Document, report::report_document, time::Timestamp};
/// let document = Document::read(br#"[{
///     "type": "ObjectEvent", "action": "ADD", "bizStep": "creating_class_instance",
///     "eventTime": "2026-03-04T10:00:00Z", "eventTimeZoneOffset": "-05:00",
///     "quantityList": [{"epcClass": "urn:epc:class:lgtin:9521141.012345.A1", "quantity": 40, "uom": "KGM"}],
///     "readPoint": {"id": "urn:epc:id:sgln:9521141.00100.0"}
/// }]"#)?;
/// let report = report_document("fsma204", &document, &[], Timestamp::default())?;
/// assert_eq!(report.sheets[0].name, "Harvesting");
/// assert_eq!(report.sheets[0].rows.len(), 1);
/// # Ok::<(), epcis_edge_core::error::Error>(())
/// ```
pub fn report_document(
    name: &str,
    document: &Document<'_>,
    items: &[String],
    made: Timestamp,
) -> Result<Report, Error> {
    if !REPORTS.contains(&name) {
        return Err(Error::new(ErrorKind::Argument {
            name: "report",
            found: Some(name.to_owned()),
            expected: "fsma204",
        }));
    }
    let directory = Directory::of(document)?;
    let places = places(document, items)?;
    let all: Vec<Value<'_>> = crate::hash::events(document)?.collect::<Result<_, _>>()?;
    let chosen = places.into_iter().filter_map(|at| all.get(at).copied());
    let events = Told::all(document, chosen);
    let mut report = fsma204::report(&events, &directory)?;
    report.made = made;
    report.asked = items.to_vec();
    Ok(report)
}

fn too_much(limit: usize, what: &'static str) -> Error {
    Error::new(ErrorKind::CaptureTooComplex { limit, what })
}

/// The places of the events that a report is about, in order of time. What is declared wrong is left out.
fn places(document: &Document<'_>, items: &[String]) -> Result<Vec<usize>, Error> {
    let effective = follow::effective_events(document)?;
    if items.is_empty() {
        return Ok(effective);
    }
    let request = Request {
        max_events: follow::MAX_EVENTS,
        ..Request::of(items.to_vec())
    };
    let answer = follow::follow_document(document, &request)?;
    let answer = Document::read_text(&answer)?;
    let events = answer.root().get("events");
    let events = events.into_iter().flat_map(Value::elements);
    let found = events.filter_map(|event| event.get("index")?.as_number()?.parse().ok());
    let found: std::collections::BTreeSet<usize> = found.collect();
    Ok(effective
        .into_iter()
        .filter(|place| found.contains(place))
        .collect())
}
