#![doc = include_str!("../README.md")]

mod book;
mod csv;
mod directory;
mod dscsa;
mod event;
mod exceptions;
mod fate;
mod form;
mod fsma204;
mod html;
mod loose;
mod lots;
mod maker;
mod material;
mod moved;
mod named;
mod passport;
mod recall;
mod received;
mod request;
mod row;
mod stored;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod transfers;
mod transformations;
mod units;
mod whereabouts;

pub use event::Record;
pub use exceptions::{ExceptionReport, Reporter, exception_report};
pub use request::{ReportName, ReportRequest, Scope};
pub use stored::{StoredMaterial, identifiers_in};
pub use table::{Column, Outcome, Report, Sheet};

use directory::Directory;
use dscsa::Dscsa;
use epcis_edge_history::follow::follow_document;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::Document;
use epcis_edge_text::time::Timestamp;
use fsma204::Fsma204;
use maker::make;
use material::{Limits, Material};
use passport::Passport;
use recall::Recall;
use received::Received;

/// The most rows of a report, all sheets together.
pub const MAX_ROWS: usize = 100_000;

/// The most bytes of all cells together.
pub const MAX_BYTES: usize = 32 << 20;

/// A report about the events of a document.
///
/// **Shape** of the document: as for [`follow_document`]. Names and addresses come from the master data
/// in its header.
///
/// `made` is the time that is written on the report.
///
/// # Errors
/// As [`follow_document`] for a document without events;
/// [`ErrorKind::CaptureTooComplex`](epcis_edge_text::error::ErrorKind::CaptureTooComplex) for more than [`MAX_ROWS`] rows or [`MAX_BYTES`] bytes,
/// and for master data beyond the bounds of a capture.
///
/// # Example
/// ```
/// use epcis_edge_text::json::Document;
/// use epcis_edge_reports::{ReportName, ReportRequest, report_document};
/// use epcis_edge_text::time::Timestamp;
/// let document = Document::read(br#"[{
///     "type": "ObjectEvent", "action": "ADD", "bizStep": "creating_class_instance",
///     "eventTime": "2026-03-04T10:00:00Z", "eventTimeZoneOffset": "-05:00",
///     "quantityList": [{"epcClass": "urn:epc:class:lgtin:9521141.012345.A1", "quantity": 40, "uom": "KGM"}],
///     "readPoint": {"id": "urn:epc:id:sgln:9521141.00100.0"}
/// }]"#)?;
/// let request = ReportRequest::on_all(ReportName::Fsma204);
/// let report = report_document(&request, &document, Timestamp::default())?;
/// assert_eq!(report.sheets[0].name, "Harvesting");
/// assert_eq!(report.sheets[0].rows.len(), 1);
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
pub fn report_document(
    request: &ReportRequest,
    document: &Document<'_>,
    made: Timestamp,
) -> Result<Report, Error> {
    let directory = Directory::of(document)?;
    let limits = Limits { rows: MAX_ROWS, bytes: MAX_BYTES };
    let answer = match &request.scope {
        Scope::Items(items) => Some(follow_document(document, items)?),
        Scope::Events { .. } => None,
    };
    let answer = answer.as_deref().map(Document::read_text).transpose()?;
    let asked = (request, answer.as_ref().map(Document::root));
    let material = Material::of_document(document, &directory, asked, limits)?;
    report(&material, request, made)
}

fn report(
    material: &Material<'_>,
    request: &ReportRequest,
    made: Timestamp,
) -> Result<Report, Error> {
    let make = match request.name {
        ReportName::Fsma204 => make::<Fsma204>,
        ReportName::Dscsa => make::<Dscsa>,
        ReportName::Recall => make::<Recall>,
        ReportName::Passport => make::<Passport>,
        ReportName::Received => make::<Received>,
    };
    make(material, request, made)
}
