//! The life of one thing, in order.

use super::book::Book;
use super::directory::key_of;
use super::event::Told;
use super::material::Material;
use super::moved::Makings;
use super::request::{ReportRequest, Scope};
use super::table::{MISSING, Report, Row, Sheet, column, more, yes};
use super::text::text_of;
use crate::error::Error;
use crate::json::Value;
use crate::time::Timestamp;

const LIFE: &str = "Life";
const WITHDRAWN: &str = "Declared wrong";

#[rustfmt::skip]
fn sheets() -> Vec<Sheet> {
    vec![
        Sheet::new(LIFE, vec![
            column("time", "Time", ""),
            column("step", "Step", ""),
            more("disposition", "Disposition", ""),
            column("place", "Place", ""),
            column("thing", "Of which thing", ""),
            column("how", "How it is there", ""),
            more("through", "Inside of", ""),
            column("sure", "Sure", ""),
            more("from", "From", ""),
            more("to", "To", ""),
            more("document", "Reference documents", ""),
        ]),
        Sheet::new(WITHDRAWN, vec![
            column("time", "Time", ""),
            column("step", "Step", ""),
            column("reason", "Declared wrong: when, and why", ""),
        ]),
    ]
}

fn contents_sheet() -> Sheet {
    let columns = vec![
        column("thing", "What was inside", ""),
        column("container", "Inside of", ""),
        column("from", "From", ""),
        more("to", "Until", ""),
        more("quantity", "Quantity", ""),
        more("unit", "Unit", ""),
        column("sure", "Sure", ""),
        more(MISSING, "What is missing", ""),
    ];
    Sheet::new("Contents", columns)
}

/// The report.
///
/// # Errors
/// [`ErrorKind::CaptureTooComplex`](crate::error::ErrorKind::CaptureTooComplex) beyond the bounds of rows.
pub(super) fn report(
    material: &Material<'_>,
    request: &ReportRequest,
    made: Timestamp,
) -> Result<Report, Error> {
    let makings = Makings::of(&material.events);
    let mut book = Book::new(material, sheets());
    for event in material.events.iter().filter(|event| event.is_asked) {
        for presence in &event.presences {
            let mut row = row(&mut book, event);
            row.set("thing", &*presence.item);
            row.set("how", &*presence.how);
            let through = presence.through.into_iter().flat_map(Value::elements);
            let through: Vec<String> = through.map(|unit| text_of(Some(unit))).collect();
            row.set("through", through.join(", "));
            row.set("sure", yes(presence.is_certain));
            // Gives the product a row in the sheet of products.
            let mut product = Row::default();
            book.set_product(&mut product, &presence.item);
            book.add(LIFE, &row)?;
        }
    }
    for (event, reason) in &material.withdrawn {
        let mut row = row(&mut book, event);
        row.set("reason", &**reason);
        book.add(WITHDRAWN, &row)?;
    }
    book.add_sheet(contents_sheet());
    for content in &material.contents {
        let mut row = Row::default();
        row.set("thing", &*content.item);
        row.set("container", key_of(&content.container));
        row.set("from", &*content.from);
        row.set("to", &*content.to);
        row.set("quantity", &*content.quantity);
        row.set("unit", &*content.unit);
        row.set("sure", yes(content.is_certain));
        book.add_last(&row)?;
    }
    let mut notes = vec![
        "A row is an event in which the thing was present, or something that it was made of or that was made of it.".to_owned(),
        "How: `named` by the event, `inside` of a container that the event names, `input` or `output` of a transformation.".to_owned(),
        "Sure: `no` where the way leads through a lot that was divided.".to_owned(),
    ];
    if let Scope::Items(asked) = &request.scope {
        for item in &asked.items {
            let making = makings.get(item);
            for (what, text) in [("lot", making.lot), ("expiry date", making.expiry)] {
                if !text.is_empty() {
                    notes.push(format!(
                        "The event that made {item} says of its {what}: {text}"
                    ));
                }
            }
        }
    }
    book.finish(request, made, notes)
}

fn row(book: &mut Book<'_>, event: &Told<'_>) -> Row {
    let mut row = book.row(event);
    row.set("time", &*event.time);
    row.set("step", &*event.step);
    row.set("disposition", &*event.disposition);
    book.set_place(&mut row, "place", event.place());
    for (column, end) in [("from", "source"), ("to", "destination")] {
        book.set_places(&mut row, column, &event.partners(end));
    }
    row
}
