//! Compares shipments with receipts: by item, and by lot and amount.

use super::book::Book;
use super::event::{Quantity, Told, Transfer};
use super::fate::Fate;
use super::material::Material;
use super::moved::{Makings, Moved, moved};
use super::request::ReportRequest;
use super::table::{Column, Report, Row, Sheet, column, more};
use super::transfers::Transfers;
use super::units::Units;
use crate::error::Error;
use crate::identifier::thing;
use crate::time::Timestamp;
use std::collections::BTreeSet;

const MISSING: &str = "Not received";
const EXTRA: &str = "Not shipped";
const DIFFERENT: &str = "Other amounts";
const MATCHED: &str = "Received as shipped";

#[rustfmt::skip]
fn sheets() -> Vec<Sheet> {
    let what = || vec![
        more("product", "Product", ""),
        more("gtin", "GTIN", ""),
        more("lot", "Lot", ""),
        more("serials", "Serial numbers", ""),
        more("logistic-unit", "Logistic unit", ""),
    ];
    let amount = || vec![more("quantity", "Quantity", ""), more("unit", "Unit", "")];
    let shipment = || vec![
        column("date", "Date of shipping", ""),
        column("from", "Shipped from", ""),
        column("to", "Shipped to", ""),
        column("document", "Reference documents", ""),
    ];
    let receipt = || vec![
        column("received-date", "Date of receiving", ""),
        column("received-at", "Received at", ""),
    ];
    let sheet = |name, parts: &[Vec<Column>]| Sheet::new(name, parts.concat());
    vec![
        sheet(MISSING, &[what(), amount(), shipment()]),
        sheet(EXTRA, &[what(), amount(), vec![
            column("date", "Date of receiving", ""),
            column("received-at", "Received at", ""),
            more("sender", "From", ""),
            more("document", "Reference documents", ""),
        ]]),
        sheet(DIFFERENT, &[what(), vec![
            column("shipped", "Quantity shipped", ""),
            column("received", "Quantity received", ""),
            column("difference", "Difference", ""),
            more("unit", "Unit", ""),
        ], shipment(), receipt()]),
        sheet(MATCHED, &[what(), amount(), shipment(), receipt()]),
    ]
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
        shipped: BTreeSet::new(),
        early: BTreeSet::new(),
        receipts: Vec::new(),
        book: Book::new(material, sheets()),
    };
    for (at, event) in material.events.iter().enumerate() {
        match event.transfer() {
            // What came in the time asked for may have been shipped before.
            Some(Transfer::Sent) => maker.sent((at, event), &mut units)?,
            Some(Transfer::Received) if event.is_asked => {
                let moved = moved(event, &mut units, &maker.makings)?;
                maker.received(at, moved);
            }
            _ => {}
        }
        units.take(event);
    }
    maker.unexpected()?;
    let notes = [
        "Shipped: events with the step `shipping`. Received: events with the step `receiving` or `accepting`. Both must be in these events: give the documents of both sides.",
        "An item, or a unit, is received by the first such event after the shipment that names it, or the unit that it was shipped in. An event that lists which items of a unit it received is about these alone.",
        "A lot in a unit is received with the unit, and as much of it as the event says; a loose lot by events that name its despatch advice, or happen at a place or name a party that it was shipped to, as much as they say. A place and a party of one GLN are the same.",
        "Of several receipts, a row has the date and the place of the last. Units such as KGM and LBR are not converted.",
        "Shipments that were declared void are left out. Not received means: no event here says so.",
    ];
    maker.book.finish(request, made, notes)
}

struct Maker<'m> {
    material: &'m Material<'m>,
    makings: Makings,
    transfers: Transfers,
    /// The receipts that match a shipment: the place of the event, and the thing in normal form.
    shipped: BTreeSet<(usize, String)>,
    /// The receipts of things that were shipped to the same place later, as in `shipped`.
    early: BTreeSet<(usize, String)>,
    /// The received goods, in the order of events.
    receipts: Vec<(usize, Moved)>,
    book: Book<'m>,
}

impl Maker<'_> {
    fn sent(&mut self, (at, event): (usize, &Told<'_>), units: &mut Units) -> Result<(), Error> {
        let to = event.partners("destination");
        for moved in moved(event, units, &self.makings)? {
            if !moved.serials.is_empty() {
                self.items((at, event), &moved, &to)?;
                continue;
            }
            let fate = self.transfers.fate(&moved, at);
            if let Some(receipt) = fate.receipt {
                for thing in moved.things() {
                    self.shipped.insert((receipt, thing));
                }
            }
            let Some(moved) = fate.without_void(moved).filter(|_| event.is_asked) else {
                continue;
            };
            let (sheet, row) = match fate.receipt {
                Some(receipt) if fate.missing.is_some() || fate.other.is_some() => (
                    DIFFERENT,
                    self.different((event, receipt), moved, &fate, &to),
                ),
                Some(receipt) => (MATCHED, self.shipment(event, &moved, &to, Some(receipt))),
                None => (MISSING, self.missing((at, event), moved, &to)),
            };
            self.book.add(sheet, &row)?;
        }
        Ok(())
    }

    /// Items that were shipped together: those that came, by their receipt, and those that did not.
    fn items(
        &mut self,
        (at, event): (usize, &Told<'_>),
        moved: &Moved,
        to: &[String],
    ) -> Result<(), Error> {
        let mut came: Vec<(usize, Vec<String>)> = Vec::new();
        let mut missing = Vec::new();
        for serial in &moved.serials {
            let item = thing(serial);
            match self.transfers.next(&item, at) {
                Some((receipt, Transfer::Received)) => {
                    self.shipped.insert((receipt, item));
                    match came.last_mut().filter(|(known, _)| *known == receipt) {
                        Some((_, serials)) => serials.push(serial.clone()),
                        None => came.push((receipt, vec![serial.clone()])),
                    }
                }
                Some((_, Transfer::Void)) => {}
                _ => missing.push(serial.clone()),
            }
        }
        if !event.is_asked {
            return Ok(());
        }
        for (receipt, serials) in came {
            let some = moved.with(serials);
            let row = self.shipment(event, &some, to, Some(receipt));
            self.book.add(MATCHED, &row)?;
        }
        if !missing.is_empty() {
            let some = moved.with(missing);
            let row = self.missing((at, event), some, to);
            self.book.add(MISSING, &row)?;
        }
        Ok(())
    }

    fn received(&mut self, at: usize, moved: Vec<Moved>) {
        self.receipts
            .extend(moved.into_iter().map(|moved| (at, moved)));
    }

    /// Reports the goods that were received without a shipment.
    fn unexpected(&mut self) -> Result<(), Error> {
        for (at, moved) in std::mem::take(&mut self.receipts) {
            let Some(event) = self.material.events.get(at) else {
                continue;
            };
            let is_expected = |thing: String| self.shipped.contains(&(at, thing));
            let extra = if !moved.serials.is_empty() {
                let serials = moved.serials.iter();
                let extra = serials.filter(|serial| !is_expected(thing(serial)));
                let extra: Vec<String> = extra.cloned().collect();
                (!extra.is_empty()).then(|| moved.with(extra))
            } else if moved.is_lot() && moved.unit.is_empty() {
                let beyond = self.transfers.take_beyond(at, &moved.quantity);
                beyond.map(|amount| Moved {
                    quantity: Quantity {
                        amount: amount.map(|amount| amount.texts().0).unwrap_or_default(),
                        ..moved.quantity.clone()
                    },
                    ..moved
                })
            } else {
                let is_expected = moved.things().into_iter().all(is_expected);
                (!is_expected).then_some(moved)
            };
            if let Some(mut extra) = extra {
                if extra
                    .things()
                    .into_iter()
                    .any(|thing| self.early.contains(&(at, thing)))
                {
                    extra.note = Some(
                        "an event after the receipt shipped it there: the clocks of the two may differ",
                    );
                }
                let mut row = self.book.row(event);
                self.set(&mut row, &extra);
                self.book.set_place(&mut row, "received-at", event.place());
                self.book
                    .set_places(&mut row, "sender", &event.partners("source"));
                self.book.add(EXTRA, &row)?;
            }
        }
        Ok(())
    }

    /// A row about a shipment.
    fn shipment(
        &mut self,
        event: &Told<'_>,
        moved: &Moved,
        to: &[String],
        receipt: Option<usize>,
    ) -> Row {
        let mut row = self.book.row(event);
        self.set(&mut row, moved);
        self.book.set_place(&mut row, "from", event.place());
        self.book.set_places(&mut row, "to", to);
        if let Some(receipt) = receipt.and_then(|at| self.material.events.get(at)) {
            row.set("received-date", receipt.date_beside(event));
            self.book
                .set_place(&mut row, "received-at", receipt.place());
        }
        row
    }

    /// A row about a shipment that no event after it received.
    fn missing(&mut self, (at, event): (usize, &Told<'_>), mut moved: Moved, to: &[String]) -> Row {
        for thing in moved.things() {
            if let Some(receipt) = self.transfers.came_before(at, &thing) {
                moved.note = Some(
                    "an event before the shipment received it where it was shipped to: the clocks of the two may differ",
                );
                self.early.insert((receipt, thing));
            }
        }
        self.shipment(event, &moved, to, None)
    }

    /// A row about a lot of which another amount was received than was shipped.
    fn different(
        &mut self,
        (event, receipt): (&Told<'_>, usize),
        mut moved: Moved,
        fate: &Fate,
        to: &[String],
    ) -> Row {
        if fate.other.is_some() {
            moved.note = Some(
                "it was received in another unit than it was shipped in: the amounts cannot be compared",
            );
        }
        let mut row = self.shipment(event, &moved, to, Some(receipt));
        row.set("shipped", &*moved.quantity.amount);
        if let Some(came) = &fate.came {
            row.set("received", came.texts().0);
        }
        if let Some(other) = &fate.other {
            let (number, unit) = other.texts();
            row.set("received", format!("{number} {unit}").trim());
        }
        if let Some(missing) = &fate.missing {
            row.set("difference", format!("-{}", missing.texts().0));
        }
        row
    }

    fn set(&mut self, row: &mut Row, moved: &Moved) {
        self.book.set_moved(row, moved);
        self.book.set_serials(row, moved);
    }
}
