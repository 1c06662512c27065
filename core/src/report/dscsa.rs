//! Transaction information and transaction statement: FD&C Act 581(26) and (27).
//!
//! A row is a product and a lot in a shipment. Serials have a sheet of their own.

use super::book::Book;
use super::directory::{key_of, lot_of, serial_of};
use super::event::Told;
use super::material::Material;
use super::moved::{Making, Makings, Moved, moved};
use super::request::ReportRequest;
use super::table::{MISSING, Report, Row, Sheet, column, more};
use super::text::text_of;
use super::transfers::Transfers;
use super::units::Units;
use crate::error::Error;
use crate::follow::Amount;
use crate::identifier::thing;
use crate::time::Timestamp;
use std::collections::BTreeMap;

const INFORMATION: &str = "Transaction information";
const STATEMENT: &str = "Transaction statement";
const SERIALS: &str = "Serial numbers";

#[rustfmt::skip]
fn sheets() -> Vec<Sheet> {
    vec![
        Sheet::new(INFORMATION, vec![
            column("shipment", "Shipment", ""),
            column("product", "Proprietary or established name", "FD&C Act 581(26)(A)"),
            column("strength", "Strength", "FD&C Act 581(26)(B)"),
            column("form", "Dosage form", "FD&C Act 581(26)(B)"),
            column("ndc", "National Drug Code", "FD&C Act 581(26)(C)"),
            column("size", "Container size", "FD&C Act 581(26)(D)"),
            column("containers", "Number of containers", "FD&C Act 581(26)(E)"),
            column("lot", "Lot number", "FD&C Act 581(26)(F)"),
            column("transaction-date", "Date of the transaction", "FD&C Act 581(26)(G)"),
            column("date", "Date of the shipment", "FD&C Act 581(26)(H)"),
            column("from", "Transferred from", "FD&C Act 581(26)(I)"),
            column("from-address", "Address of the seller", "FD&C Act 581(26)(I)"),
            column("to", "Transferred to", "FD&C Act 581(26)(J)"),
            column("to-address", "Address of the buyer", "FD&C Act 581(26)(J)"),
            column("gtin", "GTIN", ""),
            more("expiry", "Expiry date", ""),
            more("document", "Reference documents", ""),
            more("drop-shipment", "Drop shipment", ""),
            more("direct-purchase", "Direct purchase", ""),
        ]),
        Sheet::new(SERIALS, vec![
            column("shipment", "Shipment", ""),
            column("gtin", "GTIN", ""),
            column("serial", "Serial number", ""),
            column("lot", "Lot number", ""),
            more("expiry", "Expiry date", ""),
            more("unit", "Inside of", ""),
        ]),
    ]
}

fn statement_sheet() -> Sheet {
    let source = "FD&C Act 581(27)";
    let columns = vec![
        column("statement", "Statement", source),
        column("affirmed", "Affirmed", source),
        more("release", "Guideline that the document names", ""),
        more(MISSING, "What is missing", ""),
    ];
    Sheet::new(STATEMENT, columns)
}

/// The report.
///
/// # Errors
/// [`ErrorKind::CaptureTooComplex`](crate::error::ErrorKind::CaptureTooComplex) beyond the bounds of rows and of units inside of units.
pub(super) fn report(
    material: &Material<'_>,
    request: &ReportRequest,
    made: Timestamp,
) -> Result<Report, Error> {
    let mut units = Units::before(&material.events, request);
    let mut maker = Maker {
        material,
        makings: Makings::of(&material.events),
        transfers: Transfers::of(&material.events, &mut units, false)?,
        units,
        book: Book::new(material, sheets()),
    };
    for (at, event) in material.events.iter().enumerate() {
        if event.is_asked && event.step == "shipping" {
            maker.shipment(event, at)?;
        }
        maker.units.take(event);
    }
    let mut book = maker.book;
    book.add_sheet(statement_sheet());
    book.add_last(&statement(material))?;
    let notes = [
        "A row is a product and a lot in an event with the step `shipping`.",
        "Containers are counted: the innermost packages that these events put into what is shipped. A case that nothing was packed into counts as one.",
        "The date of the transaction is `transactionDate` of the shipment; without one it is the date of the shipment.",
        "Seller and buyer are the owning parties of the shipment.",
        "Shipments, and items in them, that were declared void are left out.",
    ];
    book.finish(request, made, notes)
}

struct Maker<'m> {
    material: &'m Material<'m>,
    makings: Makings,
    transfers: Transfers,
    units: Units,
    book: Book<'m>,
}

impl Maker<'_> {
    fn shipment(&mut self, event: &Told<'_>, at: usize) -> Result<(), Error> {
        // Goods in several units of a shipment have one row for each product and lot.
        let mut rows: BTreeMap<(String, Making, String), Vec<Moved>> = BTreeMap::new();
        for moved in moved(event, &mut self.units, &self.makings)? {
            let Some(moved) = self.transfers.without_void(moved, at) else {
                continue;
            };
            // A unit with unknown content has a row of its own.
            let unknown = match moved.quantity.class.as_str() {
                "" => moved.unit.clone(),
                _ => String::new(),
            };
            let key = (thing(&moved.quantity.class), moved.made.clone(), unknown);
            rows.entry(key).or_default().push(moved);
        }
        for parts in rows.values() {
            self.rows(event, parts)?;
        }
        Ok(())
    }

    /// The rows of a product and lot in a shipment.
    fn rows(&mut self, event: &Told<'_>, parts: &[Moved]) -> Result<(), Error> {
        let Some(first) = parts.first() else {
            return Ok(());
        };
        let (seller, buyer) = (
            event.end("source", "owning_party"),
            event.end("destination", "owning_party"),
        );
        let (book, directory) = (&mut self.book, self.material.directory);
        let class = &*first.quantity.class;
        let mut row = book.row(event);
        row.set("shipment", shipment_name(event));
        book.set_moved(&mut row, first);
        // The law asks for the proprietary or established name.
        row.set("product", directory.first(class, &["regulatedProductName"]));
        row.set("strength", directory.first(class, &["strengthDescription"]));
        row.set("form", directory.first(class, &["dosageFormType"]));
        row.set("ndc", ndc(self.material, class));
        row.set("size", directory.first(class, &["netContentDescription"]));
        row.set("containers", containers(parts));
        row.set("expiry", &*first.made.expiry);
        row.set("transaction-date", &*event.date);
        row.set("transaction-date", event.named("transactionDate"));
        book.set_place(&mut row, "from", &seller);
        book.set_place(&mut row, "to", &buyer);
        row.set("from-address", directory.address(&seller));
        row.set("to-address", directory.address(&buyer));
        row.set("drop-shipment", event.named("dropShipment"));
        row.set("direct-purchase", event.named("directPurchase"));
        book.add(INFORMATION, &row)?;
        for part in parts {
            for serial in &part.serials {
                let mut row = book.row(event);
                row.set("shipment", shipment_name(event));
                row.set("gtin", lot_of(serial).0);
                row.set("serial", serial_of(serial));
                row.set("lot", &*part.made.lot);
                row.set("expiry", &*part.made.expiry);
                row.set("unit", key_of(&part.unit));
                book.add(SERIALS, &row)?;
            }
        }
        Ok(())
    }
}

/// The name of a shipment: the number of its despatch advice; else the unit that is shipped, if it is one; else the event.
fn shipment_name(event: &Told<'_>) -> String {
    let mut documents = event.documents.split("; ");
    if let Some(advice) = documents.find_map(|document| document.strip_prefix("desadv ")) {
        return advice.to_owned();
    }
    match event.ids("epcList").as_slice() {
        [unit] => key_of(unit),
        _ => event.name.clone(),
    }
}

/// How many containers there are; empty if an amount is not a whole number of things.
fn containers(parts: &[Moved]) -> String {
    let mut sum: Option<Amount> = None;
    for part in parts {
        let amount = part.quantity.amount();
        let amount = amount.filter(|_| part.quantity.unit.is_empty());
        let Some(amount) = amount else {
            return String::new();
        };
        let total = match &sum {
            None => Some(Amount::clone(&amount)),
            Some(sum) => sum.plus(&amount),
        };
        if total.is_none() {
            return String::new();
        }
        sum = total;
    }
    let number = sum.map(|sum| sum.texts().0).unwrap_or_default();
    match number.contains('.') {
        true => String::new(),
        false => number,
    }
}

/// The National Drug Code of a product: its additional identification, if the type of that is one of the FDA.
fn ndc(material: &Material<'_>, class: &str) -> String {
    let first = |name| material.directory.first(class, &[name]);
    let kind = first("additionalTradeItemIdentificationTypeCode");
    match kind.contains("NDC") {
        true => first("additionalTradeItemIdentification").to_owned(),
        false => String::new(),
    }
}

/// The transaction statement in the header of the document. Some senders put it into `extension`.
fn statement(material: &Material<'_>) -> Row {
    let header = material.header;
    let places = [header, header.and_then(|header| header.get("extension"))];
    let mut places = places.into_iter().flatten();
    let namer = &material.namer;
    let find = |local| places.clone().find_map(|place| namer.member(place, local));
    let said = find("dscsaTransactionStatement");
    // Inside of the statement, names need no prefix.
    let part = |local| said.and_then(|said| namer.member(said, local).or_else(|| said.get(local)));
    let mut row = Row::default();
    row.set("statement", text_of(part("legalNotice")));
    row.set("affirmed", text_of(part("affirmTransactionStatement")));
    row.set("release", text_of(find("guidelineVersion")));
    if material.is_stored {
        row.note("a statement stands in the header of a document, which a gateway does not keep with the events");
    } else if places.next().is_none() {
        row.note("a statement stands in the header of a document, and there is none");
    }
    row
}
