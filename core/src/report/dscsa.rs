//! Transaction information and transaction statement: FD&C Act 581(26) and (27).
//!
//! A row is a product and a lot in a shipment. Serials have a sheet of their own.

use super::book::Book;
use super::directory::{key_of, lot_of, serial_of};
use super::event::{Told, text_of};
use super::material::Material;
use super::moved::{Making, Makings, Moved, moved};
use super::request::ReportRequest;
use super::table::{MISSING, Report, Row, Sheet, column, more};
use super::units::Units;
use crate::error::Error;
use crate::json::Value;
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
    let makings = Makings::of(&material.events);
    let mut units = Units::default();
    let mut book = Book::new(material, sheets());
    for event in &material.events {
        if event.is_asked && event.step == "shipping" {
            shipment(event, &mut units, &makings, material, &mut book)?;
        }
        units.take(event);
    }
    book.add_sheet(statement(material));
    let notes = [
        "A row is a product and a lot in an event with the step `shipping`.",
        "Containers are counted: the innermost packages that these events put into what is shipped. A case that nothing was packed into counts as one.",
        "The date of the transaction is `transactionDate` of the shipment; without one it is the date of the shipment.",
        "Seller and buyer are the owning parties of the shipment.",
    ];
    let notes: Vec<String> = notes.map(str::to_owned).to_vec();
    Ok(book.finish(request, made, &notes))
}

fn shipment(
    event: &Told<'_>,
    units: &mut Units,
    makings: &Makings,
    material: &Material<'_>,
    book: &mut Book<'_>,
) -> Result<(), Error> {
    // What is in several units of a shipment is one row for each product and lot.
    let mut rows: BTreeMap<(String, Making, String), Vec<Moved>> = BTreeMap::new();
    for moved in moved(event, units, makings)? {
        // Nothing is told of what is in it: it has a row of its own.
        let unknown = match moved.quantity.class.as_str() {
            "" => moved.unit.clone(),
            _ => String::new(),
        };
        let key = (moved.quantity.class.clone(), moved.made.clone(), unknown);
        rows.entry(key).or_default().push(moved);
    }
    let directory = material.directory;
    let (seller, buyer) = (
        event.end("source", "owning_party"),
        event.end("destination", "owning_party"),
    );
    for ((class, ..), parts) in rows {
        let Some(first) = parts.first() else { continue };
        let mut row = book.row(event);
        row.set("shipment", shipment_name(event, first));
        book.set_product(&mut row, &class);
        row.set(
            "strength",
            directory.first(&class, &["strengthDescription"]),
        );
        row.set("form", directory.first(&class, &["dosageFormType"]));
        row.set("ndc", ndc(material, &class));
        row.set("size", directory.first(&class, &["netContentDescription"]));
        row.set("containers", containers(&parts));
        row.set("lot", &*first.made.lot);
        row.set("expiry", &*first.made.expiry);
        row.set("gtin", lot_of(&class).0);
        let transaction = event.named("transactionDate");
        row.set("transaction-date", &*event.date);
        row.set("transaction-date", transaction);
        book.set_place(&mut row, "from", &seller);
        book.set_place(&mut row, "to", &buyer);
        row.set("from-address", directory.address(&seller));
        row.set("to-address", directory.address(&buyer));
        row.set("drop-shipment", event.named("dropShipment"));
        row.set("direct-purchase", event.named("directPurchase"));
        book.add(INFORMATION, &row)?;
        for part in &parts {
            for serial in &part.serials {
                let mut row = book.row(event);
                row.set("shipment", shipment_name(event, part));
                row.set("gtin", lot_of(serial).0);
                row.set("serial", serial_of(serial));
                row.set("lot", &*part.made.lot);
                row.set("expiry", &*part.made.expiry);
                row.set("unit", key_of(&part.unit));
                book.add(SERIALS, &row)?;
            }
        }
    }
    Ok(())
}

/// What a shipment is called: the number of its despatch advice, else the unit that is shipped.
fn shipment_name(event: &Told<'_>, moved: &Moved) -> String {
    let mut documents = event.documents.split("; ");
    let advice = documents.find_map(|document| document.strip_prefix("desadv "));
    advice.map_or_else(|| key_of(&moved.unit), str::to_owned)
}

/// How many containers there are; empty if an amount is not a whole number of things.
fn containers(parts: &[Moved]) -> String {
    let mut sum: u64 = 0;
    for part in parts {
        let is_counted = part.quantity.unit.is_empty();
        let amount = part
            .quantity
            .amount
            .trim_end_matches('0')
            .trim_end_matches('.');
        let amount = if part.quantity.amount.contains('.') {
            amount
        } else {
            &part.quantity.amount
        };
        match amount.parse::<u64>() {
            Ok(amount) if is_counted => sum = sum.saturating_add(amount),
            _ => return String::new(),
        }
    }
    sum.to_string()
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
fn statement(material: &Material<'_>) -> Sheet {
    let header = material.header;
    let places = [header, header.and_then(|header| header.get("extension"))];
    let places: Vec<Value<'_>> = places.into_iter().flatten().collect();
    let find = |local| places.iter().find_map(|place| member(*place, local));
    let said = find("dscsaTransactionStatement");
    let text = |local| text_of(said.and_then(|said| member(said, local)));
    let mut sheet = statement_sheet();
    let mut row = Row::default();
    row.set("statement", text("legalNotice"));
    let affirmed = said.and_then(|said| member(said, "affirmTransactionStatement"));
    let affirmed = match affirmed.and_then(Value::as_bool) {
        Some(affirmed) => affirmed.to_string(),
        None => text_of(affirmed),
    };
    row.set("affirmed", affirmed);
    row.set("release", text_of(find("guidelineVersion")));
    if header.is_none() {
        row.note("a statement stands in the header of a document, which a gateway does not keep with the events");
    }
    sheet.add(&row);
    sheet
}

/// A member by the last part of its name, which is outside of the standard.
fn member<'d>(value: Value<'d>, local: &str) -> Option<Value<'d>> {
    let mut members = value.members();
    let found =
        members.find(|(name, _)| name.to_cow().rsplit([':', '/', '#']).next() == Some(local));
    found.map(|(_, value)| value)
}
