//! The sheets of a report while they are filled.

use super::columns;
use super::directory::{gln_key, key_of, lot_code, lot_of, serial_of};
use super::event::{Quantity, Told};
use super::material::{Material, too_much};
use super::moved::Moved;
use super::request::{ReportRequest, Scope};
use super::table::{Column, MISSING, Outcome, Report, Row, Sheet, column, more};
use crate::error::Error;
use crate::identifier::product;
use crate::time::Timestamp;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The most serials in one cell.
const SERIALS_IN_A_CELL: usize = 1000;

/// The sheets of a report while they are filled.
#[derive(Debug)]
pub(super) struct Book<'m> {
    material: &'m Material<'m>,
    sheets: Vec<Sheet>,
    /// The rows about events.
    rows: usize,
    /// The rows of all sheets, and the bytes of their cells.
    all_rows: usize,
    bytes: usize,
    /// The places and products that rows name: each has a row in a sheet of its own.
    places: BTreeSet<String>,
    products: BTreeSet<String>,
}

impl<'m> Book<'m> {
    /// A book of sheets in which an event has one row or several.
    pub(super) fn new(material: &'m Material<'m>, sheets: Vec<Sheet>) -> Self {
        let cited = cited(material.is_logged);
        let sheets = sheets.into_iter().map(|mut sheet| {
            sheet.columns.extend(cited.iter().cloned());
            sheet
        });
        Self {
            material,
            sheets: sheets.collect(),
            rows: 0,
            all_rows: 0,
            bytes: 0,
            places: BTreeSet::new(),
            products: BTreeSet::new(),
        }
    }

    /// Adds a sheet whose rows are about no event.
    pub(super) fn add_sheet(&mut self, sheet: Sheet) {
        self.sheets.push(sheet);
    }

    /// A row that cites its event.
    pub(super) fn row(&self, event: &Told<'_>) -> Row {
        let mut row = Row::default();
        row.set("date", &*event.date);
        row.set("document", &*event.documents);
        if event.offset.is_empty() {
            row.note("the event has no readable time zone: the date is that of its time as it is written");
        } else {
            // With a sign in front, a spreadsheet would take the cell for a formula.
            row.set("offset", format!("UTC{}", event.offset));
        }
        row.set("event", &*event.name);
        row.set("hash", &*event.hash);
        if event.hash.is_empty() {
            row.note("the event cannot be hashed, because of a prefix that nobody declares");
        }
        if let Some(record) = &event.record
            && self.material.is_logged
        {
            row.set("proof", &*record.proof);
            match record.entry {
                Some(entry) => row.set("entry", entry.to_string()),
                None => row.note("the event has no entry in the log yet"),
            }
        }
        row
    }

    /// Adds a row to a sheet.
    ///
    /// # Errors
    /// [`ErrorKind::CaptureTooComplex`](crate::error::ErrorKind::CaptureTooComplex) beyond the limits.
    pub(super) fn add(&mut self, sheet: &str, row: &Row) -> Result<(), Error> {
        self.rows += 1;
        self.count(row)?;
        let sheet = self.sheets.iter_mut().find(|known| known.name == sheet);
        let sheet = sheet.ok_or_else(|| Error::impossible("a report has no sheet for a row"))?;
        sheet.add(row);
        Ok(())
    }

    /// Counts a row before it is made: a transformation of many inputs to many outputs has a row for each pair, and a long text may stand
    /// in every row of its event.
    fn count(&mut self, row: &Row) -> Result<(), Error> {
        let limits = self.material.limits;
        self.all_rows += 1;
        self.bytes += row.bytes();
        if self.all_rows > limits.rows {
            return Err(too_much(limits.rows, "rows in a report"));
        }
        if self.bytes > limits.bytes {
            return Err(too_much(limits.bytes, "bytes in the rows of a report"));
        }
        Ok(())
    }

    /// Sets the cells about the lot and its quantity.
    pub(super) fn set_lot(&mut self, row: &mut Row, quantity: &Quantity) {
        let (gtin, lot) = lot_code(&quantity.class, "");
        row.set("gtin", gtin);
        row.set("lot", lot);
        row.set("quantity", &*quantity.amount);
        row.set("unit", unit(quantity));
        self.set_product(row, &quantity.class);
    }

    /// Sets the cells about goods that a shipment or a receipt moves.
    pub(super) fn set_moved(&mut self, row: &mut Row, moved: &Moved) {
        self.set_lot(row, &moved.quantity);
        // The identifier of an item has no lot; the event that made it has.
        row.set("lot", &*moved.made.lot);
        if moved.is_named_twice {
            row.note("the event names the lot, and a unit that it is in: it may be counted twice");
        }
        if let Some(note) = moved.note {
            row.note(note);
        }
    }

    /// Sets the cells of the serials that are moved, and of the unit that they are in.
    pub(super) fn set_serials(&self, row: &mut Row, moved: &Moved) {
        let serials = moved.serials.iter().take(SERIALS_IN_A_CELL);
        let mut serials: Vec<String> = serials.map(|serial| serial_of(serial)).collect();
        let more = moved.serials.len().saturating_sub(SERIALS_IN_A_CELL);
        if more > 0 {
            serials.push(format!("and {more} more"));
        }
        row.set("serials", serials.join(", "));
        row.set("logistic-unit", key_of(&moved.unit));
    }

    /// Sets the name of a product, and gives the product a row of its own.
    pub(super) fn set_product(&mut self, row: &mut Row, class: &str) {
        if !lot_of(class).0.is_empty() {
            self.products.insert(product(class));
        }
        row.set("product", self.description(class));
    }

    pub(super) fn description(&self, class: &str) -> &'m str {
        self.material.directory.description(class)
    }

    /// Sets the name and the number of a place or a party, and gives it a row of its own.
    pub(super) fn set_place(&mut self, row: &mut Row, column: &'static str, id: &str) {
        if !id.is_empty() {
            self.places.insert(gln_key(id));
            row.set(column, self.material.directory.place(id));
        }
    }

    /// As [`set_place`](Self::set_place), of several.
    pub(super) fn set_places(&mut self, row: &mut Row, column: &'static str, ids: &[String]) {
        let mut places = Vec::new();
        for id in ids.iter().filter(|id| !id.is_empty()) {
            self.places.insert(gln_key(id));
            places.push(self.material.directory.place(id));
        }
        row.set(column, places.join("; "));
    }

    /// The report. `notes` say how it was made.
    ///
    /// # Errors
    /// [`ErrorKind::CaptureTooComplex`](crate::error::ErrorKind::CaptureTooComplex) beyond the limits.
    pub(super) fn finish(
        mut self,
        request: &ReportRequest,
        made: Timestamp,
        notes: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Report, Error> {
        let directory = self.material.directory;
        let is_empty = self.rows == 0;
        let mut locations = columns::locations(request.name);
        for place in &std::mem::take(&mut self.places) {
            let first = |attributes: &[&str]| directory.first(place, attributes);
            let mut row = Row::default();
            row.set("gln", key_of(place));
            row.set("name", directory.names(place));
            row.set("telephone", directory.telephone(place));
            row.set("street", directory.street(place));
            row.set("city", first(&["city"]));
            row.set("state", first(&["state"]));
            row.set("postal-code", first(&["postalCode"]));
            row.set("country", first(&["countryCode"]));
            self.count(&row)?;
            locations.add(&row);
        }
        let mut products = columns::products(request.name);
        for class in &std::mem::take(&mut self.products) {
            let first = |attributes: &[&str]| directory.first(class, attributes);
            let mut row = Row::default();
            row.set("gtin", key_of(class));
            row.set("product", directory.description(class));
            row.set("brand", first(&["brandName", "brand"]));
            row.set("variety", first(&["variety", "tradeItemVariety"]));
            row.set("size", first(&["netContentDescription", "packagingSize"]));
            self.count(&row)?;
            products.add(&row);
        }
        self.sheets.extend([locations, products]);
        let (asked, from, to) = match &request.scope {
            Scope::Items(asked) => (asked.items.clone(), asked.from, asked.to),
            Scope::Events { from, to } => (Vec::new(), *from, *to),
        };
        let mut report = Report {
            r#type: if is_empty {
                Outcome::Empty
            } else {
                Outcome::Ok
            },
            report: Cow::Borrowed(request.name.text()),
            made,
            asked,
            from,
            to,
            sheets: self.sheets,
            gaps: self.material.gaps.clone(),
        };
        let mut notes: Vec<String> = notes.into_iter().map(Into::into).collect();
        if self.material.repeated > 0 {
            notes.push(format!(
                "{} events are there more than once, and are counted once.",
                self.material.repeated
            ));
        }
        let about = about(&report, &notes);
        report.sheets.push(about);
        Ok(report)
    }

    /// Adds rows that are about no event to the last sheet.
    ///
    /// # Errors
    /// [`ErrorKind::CaptureTooComplex`](crate::error::ErrorKind::CaptureTooComplex) beyond the limits.
    pub(super) fn add_last(&mut self, row: &Row) -> Result<(), Error> {
        self.count(row)?;
        let sheet = self.sheets.last_mut();
        let sheet = sheet.ok_or_else(|| Error::impossible("a report has no sheet for a row"))?;
        sheet.add(row);
        Ok(())
    }
}

/// The name of the sheet that says what the report is about.
pub(super) const ABOUT: &str = "About";

/// The sheet that says what the report is about, how it was made, and what it does not know.
fn about(report: &Report, notes: &[String]) -> Sheet {
    let columns = vec![column("what", "What", ""), more("says", "It says", "")];
    let mut sheet = Sheet::new(ABOUT, columns);
    let mut say = |what: &str, says: String| sheet.rows.push(vec![what.to_owned(), says]);
    say("Report", report.title().to_owned());
    say("Made at", report.made.to_string());
    match report.asked.as_slice() {
        [] => say("About", "all events".to_owned()),
        items => items
            .iter()
            .for_each(|item| say("About the item", item.clone())),
    }
    if let Some(from) = report.from {
        say("From", from.to_string());
    }
    if let Some(to) = report.to {
        say("Until before", to.to_string());
    }
    let usual = "Dates are those of the time zone in their row. What these events and the master data with them do not tell is left \
                 empty, and named in the last column of the row. Events that were declared wrong are left out.";
    for note in notes.iter().map(String::as_str).chain([usual]) {
        say("How it was made", note.to_owned());
    }
    for gap in &report.gaps {
        say("Not complete", gap.clone());
    }
    sheet
}

/// The columns at the end of every sheet of events.
fn cited(is_logged: bool) -> Vec<Column> {
    let mut columns = vec![
        more("offset", "Time zone of the dates", ""),
        more("event", "Event", ""),
        more("hash", "Content hash of the event", ""),
    ];
    if is_logged {
        columns.push(more("entry", "Entry in the log", ""));
        columns.push(more("proof", "Proof that it was logged", ""));
    }
    columns.push(more(MISSING, "What is missing", ""));
    columns
}

/// The unit of a quantity; without one things are counted (EPCIS 2.0, 7.3.3.3).
pub(super) fn unit(quantity: &Quantity) -> &str {
    match quantity.unit.as_str() {
        "" if !quantity.amount.is_empty() => "each",
        unit => unit,
    }
}
