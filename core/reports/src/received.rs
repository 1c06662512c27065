//! Compares shipments with receipts: by item, and by lot and amount.

use super::event::{Moment, ReportedEvent, Transfer};
use super::fate::Fate;
use super::maker::{Kind, Maker};
use super::moved::{Moved, moved};
use super::row::Row;
use epcis_edge_document::event::{DESTINATIONS, SOURCES};
use epcis_edge_document::identifier::thing;
use epcis_edge_text::error::Error;
use std::collections::BTreeSet;

const MISSING: &str = "Not received";
const EXTRA: &str = "Not shipped";
const DIFFERENT: &str = "Other amounts";
const MATCHED: &str = "Received as shipped";

#[derive(Default)]
pub(super) struct Received {
    /// The receipts that match a shipment: the place of the event, and the thing in normal form.
    shipped: BTreeSet<(usize, String)>,
    /// The receipts of things that were shipped to the same place later, as in `shipped`.
    early: BTreeSet<(usize, String)>,
    /// The received goods, in the order of events.
    receipts: Vec<(usize, Moved)>,
}

impl Kind for Received {
    const FORM: &'static str = include_str!("forms/received.txt");
    const TRANSFERS: Option<bool> = Some(false);

    fn event(maker: &mut Maker<'_, Self>, (at, event): Moment<'_>) -> Result<(), Error> {
        match event.transfer() {
            // What came in the time asked for may have been shipped before.
            Some(Transfer::Sent) => {
                for moved in moved(event, &mut maker.units, &maker.makings)? {
                    maker.sent((at, event), moved)?;
                }
            }
            Some(Transfer::Received) if event.is_asked => {
                let moved = moved(event, &mut maker.units, &maker.makings)?;
                let moved = moved.into_iter().map(|moved| (at, moved));
                maker.own.receipts.extend(moved);
            }
            _ => {}
        }
        Ok(())
    }

    /// Reports the goods that were received without a shipment.
    fn end(maker: &mut Maker<'_, Self>) -> Result<(), Error> {
        for (at, moved) in std::mem::take(&mut maker.own.receipts) {
            let Some(event) = maker.material.events.get(at) else { continue };
            let is_extra = |thing: String| !maker.own.shipped.contains(&(at, thing));
            let extra = if !moved.serials.is_empty() {
                let serials = moved.serials.iter();
                let extra = serials.filter(|serial| is_extra(thing(serial)));
                let extra: Vec<String> = extra.cloned().collect();
                (!extra.is_empty()).then(|| moved.with(extra))
            } else if moved.is_lot() && moved.unit.is_empty() {
                let beyond = maker.transfers.loose.take_beyond(at, &moved.quantity);
                beyond.map(|amount| {
                    let mut extra = moved;
                    extra.quantity.amount = amount.map_or_else(String::new, |left| left.texts().0);
                    extra
                })
            } else {
                let is_extra = moved.things().into_iter().any(is_extra);
                is_extra.then_some(moved)
            };
            let Some(mut extra) = extra else { continue };
            let is_early = |thing| maker.own.early.contains(&(at, thing));
            if extra.things().into_iter().any(is_early) {
                extra.note = Some(
                    "an event after the receipt shipped it there: the clocks of the two may differ",
                );
            }
            let mut row = maker.book.row(event);
            row.moved(&extra)
                .serials(&extra)
                .place("received-at", event.place())
                .places("sender", &event.partners(SOURCES));
            maker.book.add(EXTRA, row)?;
        }
        Ok(())
    }
}

impl<'m> Maker<'m, Received> {
    fn sent(&mut self, (at, event): Moment<'_>, moved: Moved) -> Result<(), Error> {
        if !moved.serials.is_empty() {
            return self.items((at, event), &moved);
        }
        let fate = self.transfers.fate(&moved, at);
        if let Some(receipt) = fate.receipt {
            let things = moved.things().into_iter();
            self.own.shipped.extend(things.map(|thing| (receipt, thing)));
        }
        let Some(moved) = fate.without_void(moved).filter(|_| event.is_asked) else {
            return Ok(());
        };
        match fate.receipt {
            None => self.missing((at, event), moved),
            Some(_) if fate.missing.is_some() || fate.other.is_some() => {
                self.different(event, moved, &fate)
            }
            Some(_) => {
                let row = self.shipment(event, &moved, fate.receipt);
                self.book.add(MATCHED, row)
            }
        }
    }

    /// Items that were shipped together: those that came, by their receipt, and those that did not.
    fn items(&mut self, (at, event): Moment<'_>, moved: &Moved) -> Result<(), Error> {
        let mut came: Vec<(usize, Vec<String>)> = Vec::new();
        let mut missing = Vec::new();
        for serial in &moved.serials {
            let item = thing(serial);
            match self.transfers.next(&item, at) {
                Some((receipt, Transfer::Received)) => {
                    self.own.shipped.insert((receipt, item));
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
            let row = self.shipment(event, &moved.with(serials), Some(receipt));
            self.book.add(MATCHED, row)?;
        }
        if missing.is_empty() { Ok(()) } else { self.missing((at, event), moved.with(missing)) }
    }

    /// A row about a shipment.
    fn shipment(
        &self,
        event: &ReportedEvent<'_>,
        moved: &Moved,
        receipt: Option<usize>,
    ) -> Row<'m> {
        let mut row = self.book.row(event);
        row.moved(moved)
            .serials(moved)
            .place("from", event.place())
            .places("to", &event.partners(DESTINATIONS));
        if let Some(receipt) = receipt.and_then(|at| self.material.events.get(at)) {
            row.set("received-date", receipt.date_beside(event))
                .place("received-at", receipt.place());
        }
        row
    }

    /// Adds a shipment that no event after it received.
    fn missing(&mut self, (at, event): Moment<'_>, mut moved: Moved) -> Result<(), Error> {
        for thing in moved.things() {
            if let Some(receipt) = self.transfers.came_before(at, &thing) {
                moved.note = Some(
                    "an event before the shipment received it where it was shipped to: the clocks of the two may differ",
                );
                self.own.early.insert((receipt, thing));
            }
        }
        let row = self.shipment(event, &moved, None);
        self.book.add(MISSING, row)
    }

    /// Adds a lot of which another amount was received than was shipped.
    fn different(
        &mut self,
        event: &ReportedEvent<'_>,
        mut moved: Moved,
        fate: &Fate,
    ) -> Result<(), Error> {
        if fate.other.is_some() {
            moved.note = Some(
                "it was received in another unit than it was shipped in: the amounts cannot be compared",
            );
        }
        let mut row = self.shipment(event, &moved, fate.receipt);
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
        self.book.add(DIFFERENT, row)
    }
}
