//! The sheets of a report while they are filled.

use super::directory::key_of;
use super::event::ReportedEvent;
use super::form::{Form, shared};
use super::material::Material;
use super::request::{ReportRequest, Scope};
use super::row::Row;
use super::table::{ABOUT, Outcome, Report, Sheet};
use epcis_edge_text::error::Error;
use epcis_edge_text::time::Timestamp;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The sheets of a report while they are filled.
#[derive(Debug)]
pub(super) struct Book<'m> {
    material: &'m Material<'m>,
    sheets: Vec<Sheet>,
    /// How many of the sheets are about events.
    about_events: usize,
    is_empty: bool,
    /// The rows of all sheets, and the bytes of their cells.
    rows: usize,
    bytes: usize,
    /// The places and products that rows name: each has a row in a sheet of its own.
    places: BTreeSet<String>,
    products: BTreeSet<String>,
}

impl<'m> Book<'m> {
    pub(super) fn new(material: &'m Material<'m>, form: Form) -> Self {
        let Form { mut sheets, about_events, .. } = form;
        let cited: &[&str] =
            if material.is_logged { &["cited", "logged", "last"] } else { &["cited", "last"] };
        for sheet in sheets.iter_mut().take(about_events) {
            sheet.columns.extend(cited.iter().flat_map(|group| shared(group)));
        }
        Self {
            material,
            sheets,
            about_events,
            is_empty: true,
            rows: 0,
            bytes: 0,
            places: BTreeSet::new(),
            products: BTreeSet::new(),
        }
    }

    /// A row that cites its event.
    pub(super) fn row(&self, event: &ReportedEvent<'_>) -> Row<'m> {
        let mut row = Row::new(self.material.directory);
        row.set("date", &*event.date)
            .set("document", &*event.documents)
            .set("event", &*event.name)
            .set("hash", &*event.hash);
        if event.offset.is_empty() {
            row.note("the event has no readable time zone: the date is that of its time as it is written");
        } else {
            // With a sign in front, a spreadsheet would take the cell for a formula.
            row.set("offset", format!("UTC{}", event.offset));
        }
        if event.hash.is_empty() {
            row.note("the event cannot be hashed, because of a prefix that nobody declares");
        }
        if let Some(record) = event.record.as_ref().filter(|_| self.material.is_logged) {
            row.set("proof", &*record.proof);
            match record.entry {
                Some(entry) => row.set("entry", entry.to_string()),
                None => row.note("the event has no entry in the log yet"),
            };
        }
        row
    }

    /// Adds a row to a sheet. It is counted first: a transformation of many inputs to many outputs has a row for each pair, and a long
    /// text may stand in every row of its event.
    ///
    /// # Errors
    /// [`ErrorKind::CaptureTooComplex`](epcis_edge_text::error::ErrorKind::CaptureTooComplex) beyond the limits.
    pub(super) fn add(&mut self, sheet: &str, row: Row<'_>) -> Result<(), Error> {
        let limits = self.material.limits;
        self.rows += 1;
        self.bytes += row.cells.values().map(String::len).sum::<usize>();
        if self.rows > limits.rows {
            return Err(Error::capture_too_complex(limits.rows, "rows in a report"));
        }
        if self.bytes > limits.bytes {
            return Err(Error::capture_too_complex(limits.bytes, "bytes in the rows of a report"));
        }
        let mut sheets = self.sheets.iter_mut().enumerate();
        let sheet = sheets.find(|(_, known)| known.name == sheet);
        let (at, sheet) =
            sheet.ok_or_else(|| Error::impossible("a report has no sheet for a row"))?;
        sheet.add(&row);
        self.is_empty &= at >= self.about_events;
        self.places.extend(row.places);
        self.products.extend(row.products);
        Ok(())
    }

    /// The report. `notes` say how it was made.
    ///
    /// # Errors
    /// [`ErrorKind::CaptureTooComplex`](epcis_edge_text::error::ErrorKind::CaptureTooComplex) beyond the limits.
    pub(super) fn finish(
        mut self,
        request: &ReportRequest,
        made: Timestamp,
        mut notes: Vec<String>,
    ) -> Result<Report, Error> {
        let directory = self.material.directory;
        for place in &std::mem::take(&mut self.places) {
            let mut row = Row::new(directory);
            row.set("gln", key_of(place))
                .set("name", directory.names(place))
                .set("telephone", directory.telephone(place))
                .set("street", directory.street(place))
                .set("city", directory.first(place, "city"))
                .set("state", directory.first(place, "state"))
                .set("postal-code", directory.first(place, "postalCode"))
                .set("country", directory.first(place, "countryCode"));
            self.add("Locations", row)?;
        }
        for class in &std::mem::take(&mut self.products) {
            let first = |attributes: &str| directory.first(class, attributes);
            let mut row = Row::new(directory);
            row.set("gtin", key_of(class))
                .set("product", directory.description(class))
                .set("brand", first("brandName brand"))
                .set("variety", first("variety tradeItemVariety"))
                .set("size", first("netContentDescription packagingSize"));
            self.add("Products", row)?;
        }
        if self.material.repeated > 0 {
            notes.push(format!(
                "{} events are there more than once, and are counted once.",
                self.material.repeated
            ));
        }
        let (asked, from, to) = match &request.scope {
            Scope::Items(asked) => (asked.items.clone(), asked.from, asked.to),
            Scope::Events { from, to } => (Vec::new(), *from, *to),
        };
        let mut report = Report {
            r#type: if self.is_empty { Outcome::Empty } else { Outcome::Ok },
            report: Cow::Borrowed(request.name.text()),
            made,
            asked,
            from,
            to,
            sheets: self.sheets,
            gaps: self.material.gaps.clone(),
        };
        let about = about(&report, notes);
        report.sheets.push(about);
        Ok(report)
    }
}

/// The sheet that says what the report is about, how it was made, and what it does not know.
fn about(report: &Report, notes: Vec<String>) -> Sheet {
    let mut rows = Vec::new();
    let mut say = |what: &str, says: String| rows.push(vec![what.to_owned(), says]);
    say("Report", report.title().to_owned());
    say("Made at", report.made.to_string());
    if report.asked.is_empty() {
        say("About", "all events".to_owned());
    }
    for item in &report.asked {
        say("About the item", item.clone());
    }
    for (what, time) in [("From", report.from), ("Until before", report.to)] {
        if let Some(time) = time {
            say(what, time.to_string());
        }
    }
    let usual = "Dates are those of the time zone in their row. What these events and the master data with them do not tell is left \
                 empty, and named in the last column of the row. Events that were declared wrong are left out.";
    for note in notes.into_iter().chain([usual.to_owned()]) {
        say("How it was made", note);
    }
    for gap in &report.gaps {
        say("Not complete", gap.clone());
    }
    Sheet { name: Cow::Borrowed(ABOUT), columns: shared("about"), rows }
}
