//! A recall list: who got the items and what was made of them, and where each one is.

use super::book::{Book, unit};
use super::directory::{key_of, lot_of, serial_of};
use super::event::{Told, Transfer};
use super::fate::Fate;
use super::material::Material;
use super::moved::{Makings, Moved, moved};
use super::request::ReportRequest;
use super::table::{Report, Row, Sheet, column, more, yes};
use super::transfers::Transfers;
use super::units::Units;
use super::whereabouts::{ENDING, Part, Whereabouts};
use crate::error::Error;
use crate::follow::Amount;
use crate::time::Timestamp;
use std::collections::BTreeMap;
use std::rc::Rc;

const CONSIGNEES: &str = "Consignees";
const UNACCOUNTED: &str = "Not accounted for";
const LAST_SEEN: &str = "Last seen at";
const GONE: &str = "Gone";

#[rustfmt::skip]
fn sheets() -> Vec<Sheet> {
    let things = |name| Sheet::new(name, vec![
        more("product", "Product", ""),
        more("gtin", "GTIN", ""),
        more("lot", "Lot", ""),
        more("serial", "Serial number", ""),
        column("thing", "Identifier", ""),
        column("why", "What happened last", ""),
        more("quantity", "Quantity", ""),
        more("unit", "Unit", ""),
        column("date", "Date", ""),
        more("place", "Place", ""),
        more("inside", "Inside of", ""),
        more("sent-to", "Sent to", ""),
        column("sure", "Sure", ""),
    ]);
    vec![
        Sheet::new(CONSIGNEES, vec![
            column("to", "Consignee", ""),
            column("address", "Address", ""),
            more("telephone", "Telephone", ""),
            column("product", "Product", ""),
            more("gtin", "GTIN", ""),
            column("lot", "Lot", ""),
            column("quantity", "Quantity", ""),
            column("unit", "Unit", ""),
            more("serials", "Serial numbers", ""),
            more("logistic-unit", "Logistic unit", ""),
            column("date", "Date of shipping", ""),
            column("from", "Shipped from", ""),
            column("document", "Reference documents", ""),
            column("received", "Received", ""),
            column("sure", "Sure", ""),
        ]),
        things(UNACCOUNTED),
        things(LAST_SEEN),
        things(GONE),
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
        transfers: Transfers::of(&material.events, &mut units, true)?,
        items: BTreeMap::new(),
        lots: Whereabouts::default(),
        book: Book::new(material, sheets()),
    };
    for (at, event) in material.events.iter().enumerate() {
        if event.is_asked {
            maker.event((at, event), &mut units)?;
        }
        units.take(event);
    }
    maker.where_they_are(&units)?;
    let notes = [
        "A row of Consignees is a lot, or a product in one lot, in a unit of an event with the step `shipping`; also of one with the step `departing`, `transporting` or `consigning` that names a destination to which nothing shipped it before.",
        "Consignee: the destinations of the shipment; without one, the place that received it.",
        "Received: an item by the first event with the step `receiving` or `accepting` after the shipment in which it is present; a lot in a unit by the first one for its unit or its container; a loose lot by those that name its despatch advice, or happen at a place or name a party that it was sent to, as much as they say. A shipment is void if an event with the step `void_shipping` says so.",
        "Not accounted for: sent, and since then in no other event. Last seen at: where the last event found it; a lot may be at several places and in several containers, and has a row for each, with how much is left there, if the events tell. Gone: sold, dispensed, destroyed, decommissioned, or used up.",
        "Sure: `no` where the way leads through a lot that was divided, or where an event took some of a lot away and does not tell how much. Such a row is possible, not certain: the parts of a lot are not told apart.",
    ];
    maker.book.finish(request, made, notes)
}

/// The last event about an item.
#[derive(Clone, Debug)]
struct Last {
    at: usize,
    is_input: bool,
    is_certain: bool,
}

struct Maker<'m> {
    material: &'m Material<'m>,
    makings: Makings,
    transfers: Transfers,
    items: BTreeMap<String, Last>,
    lots: Whereabouts,
    book: Book<'m>,
}

impl Maker<'_> {
    fn event(&mut self, (at, event): (usize, &Told<'_>), units: &mut Units) -> Result<(), Error> {
        let mut has_lots = false;
        for presence in &event.presences {
            if !self.material.is_instance(&presence.item) {
                has_lots = true;
                continue;
            }
            let last = Last {
                at,
                is_input: presence.how == "input",
                is_certain: presence.is_certain,
            };
            self.items.insert(presence.item.clone().into_owned(), last);
        }
        let sends = matches!(event.transfer(), Some(Transfer::Sent | Transfer::OnTheWay));
        if !has_lots && !sends {
            return Ok(());
        }
        let unpacks = event.kind == "AggregationEvent" && event.action == "DELETE";
        let is_emptied = unpacks
            && event.ids("childEPCs").is_empty()
            && event.quantities("childQuantityList").is_empty();
        if is_emptied {
            self.lots.emptied((at, event), units);
            return Ok(());
        }
        for moved in moved(event, units, &self.makings)? {
            if sends {
                self.sent((at, event), &moved)?;
            }
            if moved.is_lot() {
                self.lots.moved((at, event), &moved, &self.transfers);
            }
        }
        for quantity in event.quantities("inputQuantityList") {
            if event.is_about(&quantity.class) {
                let why = format!("used: {}", event.step);
                self.lots
                    .end((at, event), &quantity, why.trim_end_matches(": "));
            }
        }
        for quantity in event.quantities("outputQuantityList") {
            if event.is_about(&quantity.class) {
                self.lots.made((at, event), &quantity);
            }
        }
        Ok(())
    }

    fn sent(&mut self, (at, event): (usize, &Told<'_>), moved: &Moved) -> Result<(), Error> {
        let mut to = event.partners("destination");
        let is_news = |thing: &String| self.transfers.is_news(at, thing);
        let is_on_the_way = event.transfer() == Some(Transfer::OnTheWay);
        if is_on_the_way && !moved.things().iter().any(is_news) {
            return Ok(());
        }
        let fate = self.transfers.fate(moved, at);
        let receipt = fate.receipt.and_then(|at| self.material.events.get(at));
        if let Some(receipt) = receipt
            && to.is_empty()
        {
            to.push(receipt.place().to_owned());
        }
        let things = moved.things();
        let is_sure = things.iter().all(|thing| event.is_certain(thing));
        let directory = self.material.directory;
        let mut row = self.book.row(event);
        self.book.set_places(&mut row, "to", &to);
        let addresses: Vec<String> = to.iter().map(|to| directory.address(to)).collect();
        row.set("address", joined(&addresses));
        let telephones: Vec<String> = to
            .iter()
            .map(|to| directory.telephone(to).to_owned())
            .collect();
        row.set("telephone", joined(&telephones));
        self.book.set_moved(&mut row, moved);
        self.book.set_serials(&mut row, moved);
        self.book.set_place(&mut row, "from", event.place());
        row.set("received", self.received(&fate, moved));
        row.set("sure", yes(is_sure));
        self.book.add(CONSIGNEES, &row)?;
        // Each part of a lot that was sent is accounted for by itself.
        let is_lost = moved.is_lot() && (fate.is_unknown() || fate.missing.is_some());
        if let (true, [lot]) = (is_lost, things.as_slice()) {
            let mut row = self.book.row(event);
            self.set_thing(&mut row, lot);
            row.set("why", format!("{}, and no event since", event.step));
            match &fate.missing {
                Some(missing) => set_amount(&mut row, Some(missing)),
                None => {
                    row.set("quantity", &*moved.quantity.amount);
                    row.set("unit", unit(&moved.quantity));
                }
            }
            row.set("inside", key_of(&moved.unit));
            self.book.set_place(&mut row, "place", event.place());
            self.book.set_places(&mut row, "sent-to", &to);
            row.set("sure", yes(is_sure));
            self.book.add(UNACCOUNTED, &row)?;
        }
        Ok(())
    }

    /// Says whether things that an event sent were received, and where and when.
    fn received(&self, fate: &Fate, moved: &Moved) -> String {
        let event = |at: Option<usize>| at.and_then(|at| self.material.events.get(at));
        let mut said = Vec::new();
        if let Some(receipt) = event(fate.receipt) {
            let place = self.material.directory.place(receipt.place());
            let when = [&*receipt.date, &place].join(" ");
            let when = when.trim();
            let part = fate.came.as_ref();
            let part = part.filter(|_| fate.missing.is_some() || fate.void > 0);
            said.push(match (part, &fate.other) {
                (Some(came), _) => {
                    format!("{} of {}, {when}", came.texts().0, moved.quantity.amount)
                }
                (None, Some(other)) => {
                    let (number, unit) = other.texts();
                    format!("{number} {unit}, another unit than in the shipment, {when}")
                }
                _ if moved.is_lot() && fate.void > 0 => format!("a part of it, {when}"),
                _ if fate.received == fate.all => format!("yes, {when}"),
                _ => format!("{} of {}, {when}", fate.received, fate.all),
            });
        }
        if let Some(void) = event(fate.voided_by) {
            let is_part = fate.received > 0 || fate.missing.is_some() || fate.other.is_some();
            said.push(match fate.void == fate.all {
                true if is_part => format!("a part of it was declared void, {}", void.date),
                true => format!("the shipment was declared void, {}", void.date),
                false => format!("{} declared void, {}", fate.void, void.date),
            });
        }
        match said.is_empty() {
            true => "no event says so".to_owned(),
            false => said.join("; "),
        }
    }

    /// A row for each item, and for each part of a lot: where it is, as far as the events show.
    fn where_they_are(&mut self, units: &Units) -> Result<(), Error> {
        for (id, last) in std::mem::take(&mut self.items) {
            self.item(&id, &last)?;
        }
        for ((lot, _), part) in std::mem::take(&mut self.lots.loose) {
            let step = self.step(&part);
            self.part(LAST_SEEN, (&lot, &part), "", &step)?;
        }
        for (lot, container, part) in self.lots.in_containers(units) {
            let step = self.step(&part);
            let is_sent = self
                .material
                .events
                .get(part.at)
                .is_some_and(|event| event.transfer() == Some(Transfer::Sent));
            match step.as_str() {
                // Goods that were shipped and not received have their row already.
                _ if is_sent => {}
                step if ENDING.contains(&step) => {
                    self.part(GONE, (&lot, &part), &container, step)?;
                }
                step => self.part(LAST_SEEN, (&lot, &part), &container, step)?,
            }
        }
        for ((lot, _, why), part) in std::mem::take(&mut self.lots.gone) {
            self.part(GONE, (&lot, &part), "", &why)?;
        }
        Ok(())
    }

    fn step(&self, part: &Part) -> String {
        let event = self.material.events.get(part.at);
        event.map(|event| event.step.clone()).unwrap_or_default()
    }

    /// The row of an item.
    fn item(&mut self, id: &str, last: &Last) -> Result<(), Error> {
        let Some(event) = self.material.events.get(last.at) else {
            return Ok(());
        };
        let is_deleted = event.action == "DELETE" && event.is_object();
        let is_sent = matches!(event.transfer(), Some(Transfer::Sent | Transfer::OnTheWay));
        let (sheet, why) = match event.step.as_str() {
            step if ENDING.contains(&step) => (GONE, step.to_owned()),
            _ if last.is_input || is_deleted => (GONE, "used up".to_owned()),
            step if is_sent => (UNACCOUNTED, format!("{step}, and no event since")),
            step => (LAST_SEEN, step.to_owned()),
        };
        let known = self.material.things.get(id);
        let mut row = self.book.row(event);
        self.set_thing(&mut row, id);
        row.set("why", why);
        let place = known.map_or("", |known| &*known.place);
        let place = if place.is_empty() {
            event.place()
        } else {
            place
        };
        self.book.set_place(&mut row, "place", place);
        row.set("inside", key_of(known.map_or("", |known| &*known.inside)));
        self.book
            .set_places(&mut row, "sent-to", &event.partners("destination"));
        let is_known = known.is_none_or(|known| known.is_certain);
        row.set("sure", yes(last.is_certain && is_known));
        self.book.add(sheet, &row)
    }

    /// The row of a part of a lot.
    fn part(
        &mut self,
        sheet: &str,
        (lot, part): (&str, &Part),
        container: &str,
        why: &str,
    ) -> Result<(), Error> {
        let Some(event) = self.material.events.get(part.at) else {
            return Ok(());
        };
        let mut row = self.book.row(event);
        self.set_thing(&mut row, lot);
        row.set("why", why);
        set_amount(&mut row, part.amount.as_ref());
        self.book.set_place(&mut row, "place", event.place());
        row.set("inside", key_of(container));
        row.set("sure", yes(part.is_certain));
        self.book.add(sheet, &row)
    }

    fn set_thing(&mut self, row: &mut Row, id: &str) {
        let (gtin, _) = lot_of(id);
        if !gtin.is_empty() {
            self.book.set_product(row, id);
        }
        row.set("gtin", gtin);
        row.set("lot", &*self.makings.get(id).lot);
        if id.contains("/21/") {
            row.set("serial", serial_of(id));
        }
        row.set("thing", id);
    }
}

fn set_amount(row: &mut Row, amount: Option<&Rc<Amount>>) {
    if let Some(amount) = amount {
        let (number, of) = amount.texts();
        row.set("quantity", number);
        row.set("unit", if of.is_empty() { "each" } else { of });
    }
}

/// Texts in one cell; those that are empty are left out.
fn joined(texts: &[String]) -> String {
    let texts = texts.iter().map(String::as_str);
    texts
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join("; ")
}
