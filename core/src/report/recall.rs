//! A recall list: who got the items and what was made of them, and where each one is.

use super::book::{Book, unit};
use super::directory::{key_of, lot_of, serial_of};
use super::event::{Quantity, Told};
use super::material::Material;
use super::moved::{Makings, Moved, moved};
use super::request::ReportRequest;
use super::table::{Report, Row, Sheet, column, more, yes};
use super::units::Units;
use crate::error::Error;
use crate::identifier::thing;
use crate::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

const CONSIGNEES: &str = "Consignees";
const UNACCOUNTED: &str = "Not accounted for";
const LAST_SEEN: &str = "Last seen at";
const GONE: &str = "Gone";

/// The steps by which something is sent. Of all others, none sends.
const SENDING: [&str; 4] = ["shipping", "departing", "transporting", "consigning"];
/// The steps by which what was sent is there.
const RECEIVING: [&str; 2] = ["receiving", "accepting"];
/// The step that takes a shipment back.
const VOID: &str = "void_shipping";
/// The steps after which nobody has the thing in a shop or a warehouse.
const ENDING: [&str; 5] = [
    "retail_selling",
    "dispensing",
    "destroying",
    "decommissioning",
    "killing",
];

/// The most serials in one cell.
const SERIALS_IN_A_CELL: usize = 1000;

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
    let mut maker = Maker {
        material,
        makings: Makings::of(&material.events),
        transfers: Transfers::of(material),
        items: BTreeMap::new(),
        parts: BTreeMap::new(),
        book: Book::new(material, sheets()),
    };
    let mut units = Units::default();
    for (at, event) in material.events.iter().enumerate() {
        if event.is_asked {
            maker.event(event, at, &mut units)?;
        }
        units.take(event);
    }
    maker.where_they_are()?;
    let notes = [
        "A row of Consignees is a lot, or a product in one lot, in a unit of an event with the step `shipping`.",
        "Consignee: the destination of the shipment; without one, the place that received it.",
        "Received: by the first event with the step `receiving` or `accepting` after the shipment in which the item is present, or the lot in the unit that was shipped.",
        "Not accounted for: sent, and since then in no other event. Last seen at: where the last event found it; a lot may be in several containers, and has a row for each. How much of a lot is left where a part of it was packed or used is not told. Gone: sold, dispensed, destroyed, decommissioned, or used up.",
        "Sure: `no` where the way leads through a lot that was divided. Such a row is possible, not certain: the parts of a lot are not told apart.",
    ];
    let notes: Vec<String> = notes.map(str::to_owned).to_vec();
    Ok(maker.book.finish(request, made, &notes))
}

/// The events that send or receive things, in order, by the thing that they name or, of an instance, that is present in them.
#[derive(Debug, Default)]
struct Transfers(BTreeMap<String, Vec<usize>>);

impl Transfers {
    fn of(material: &Material<'_>) -> Self {
        let mut transfers = Self::default();
        for (at, event) in material.events.iter().enumerate() {
            let step = event.step.as_str();
            let is_transfer = step == "shipping" || step == VOID || RECEIVING.contains(&step);
            if !event.is_asked || !is_transfer {
                continue;
            }
            let mut names: BTreeSet<String> = BTreeSet::new();
            for list in ["epcList", "childEPCs"] {
                names.extend(event.ids(list).iter().map(|id| thing(id)));
            }
            let lots = event.quantities("quantityList");
            names.extend(lots.iter().map(|lot| thing(&lot.class)));
            names.insert(thing(&event.parent));
            let present = event.presences.iter().map(|presence| &*presence.item);
            names.extend(
                present
                    .filter(|item| is_instance(material, item))
                    .map(str::to_owned),
            );
            // An event without a parent, and an item that is no logistic unit, have no name there.
            names.remove("");
            for name in names {
                transfers.0.entry(name).or_default().push(at);
            }
        }
        transfers
    }

    /// The first event behind another that sends or receives a thing.
    fn after(&self, thing: &str, at: usize) -> Option<usize> {
        let events = self.0.get(thing)?;
        events
            .get(events.partition_point(|known| *known <= at))
            .copied()
    }
}

/// Whether a thing is an instance: a lot or a class may be in several places.
fn is_instance(material: &Material<'_>, thing: &str) -> bool {
    material
        .things
        .get(thing)
        .is_none_or(|seen| seen.is_instance)
}

/// The last event that says something of a thing.
#[derive(Clone, Debug)]
struct Last {
    at: usize,
    is_input: bool,
    is_certain: bool,
    /// How much it is, of a lot.
    quantity: Quantity,
}

struct Maker<'m> {
    material: &'m Material<'m>,
    makings: Makings,
    transfers: Transfers,
    /// The last event of each instance.
    items: BTreeMap<String, Last>,
    /// The last event of each part of a lot: by the lot, and the container that it is in.
    parts: BTreeMap<(String, String), Last>,
    book: Book<'m>,
}

impl Maker<'_> {
    fn event(&mut self, event: &Told<'_>, at: usize, units: &mut Units) -> Result<(), Error> {
        let mut has_lots = false;
        for presence in &event.presences {
            if !is_instance(self.material, &presence.item) {
                has_lots = true;
                continue;
            }
            let is_input = presence.how == "input";
            let last = Last {
                at,
                is_input,
                is_certain: presence.is_certain,
                quantity: Quantity::default(),
            };
            self.items.insert(presence.item.clone().into_owned(), last);
        }
        if !has_lots && event.step != "shipping" {
            return Ok(());
        }
        for moved in moved(event, units, &self.makings)? {
            if event.step == "shipping" {
                self.sent(event, at, &moved)?;
            }
            if moved.serials.is_empty() && !moved.quantity.class.is_empty() {
                let lot = thing(&moved.quantity.class);
                if !moved.container.is_empty() {
                    // It is not loose any more.
                    self.parts.remove(&(lot.clone(), String::new()));
                }
                self.part(event, at, (lot, moved.container), moved.quantity);
            }
        }
        for (list, is_input) in [("inputQuantityList", true), ("outputQuantityList", false)] {
            for quantity in event.quantities(list) {
                if event.is_about(&quantity.class) {
                    let key = (thing(&quantity.class), String::new());
                    self.part(event, at, key.clone(), quantity);
                    if let Some(last) = self.parts.get_mut(&key) {
                        last.is_input = is_input;
                    }
                }
            }
        }
        Ok(())
    }

    fn part(&mut self, event: &Told<'_>, at: usize, key: (String, String), quantity: Quantity) {
        let last = Last {
            at,
            is_input: false,
            is_certain: is_certain(event, &key.0),
            quantity,
        };
        self.parts.insert(key, last);
    }

    fn sent(&mut self, event: &Told<'_>, at: usize, moved: &Moved) -> Result<(), Error> {
        let things = match moved.serials.as_slice() {
            [] if moved.quantity.class.is_empty() => vec![thing(&moved.unit)],
            [] => vec![thing(&moved.quantity.class)],
            serials => serials.iter().map(|serial| thing(serial)).collect(),
        };
        let receipts: Vec<Option<&Told<'_>>> = match moved.serials.as_slice() {
            [] => vec![self.receipt_of_part(&things, moved, at)],
            _ => things.iter().map(|thing| self.receipt(thing, at)).collect(),
        };
        let mut to = event.partner("destination");
        let found = receipts
            .iter()
            .flatten()
            .find(|receipt| receipt.step != VOID);
        if let Some(receipt) = found
            && to.is_empty()
        {
            receipt.place().clone_into(&mut to);
        }
        let received = self.received(&receipts);
        let is_lost = receipts.iter().flatten().next().is_none();
        let mut row = self.book.row(event);
        self.book.set_place(&mut row, "to", &to);
        row.set("address", self.material.directory.address(&to));
        row.set("telephone", self.material.directory.telephone(&to));
        self.book.set_lot(&mut row, &moved.quantity);
        row.set("lot", &*moved.made.lot);
        let serials = moved.serials.iter().take(SERIALS_IN_A_CELL);
        let mut serials: Vec<String> = serials.map(|serial| serial_of(serial)).collect();
        let more = moved.serials.len().saturating_sub(SERIALS_IN_A_CELL);
        if more > 0 {
            serials.push(format!("and {more} more"));
        }
        row.set("serials", serials.join(", "));
        row.set("logistic-unit", key_of(&moved.unit));
        self.book.set_place(&mut row, "from", event.place());
        row.set("received", received);
        let is_sure = things.iter().all(|thing| is_certain(event, thing));
        row.set("sure", yes(is_sure));
        self.book.add(CONSIGNEES, &row)?;
        // Of a lot, each part that was sent is accounted for by itself.
        if let [thing] = things.as_slice()
            && !is_instance(self.material, thing)
            && is_lost
        {
            let mut row = self.book.row(event);
            self.set_thing(&mut row, thing);
            row.set("why", format!("{}, and no event since", event.step));
            row.set("quantity", &*moved.quantity.amount);
            row.set("unit", unit(&moved.quantity));
            row.set("inside", key_of(&moved.unit));
            self.book.set_place(&mut row, "place", event.place());
            self.book.set_place(&mut row, "sent-to", &to);
            row.set("sure", yes(is_sure));
            self.book.add(UNACCOUNTED, &row)?;
        }
        Ok(())
    }

    /// Whether things that an event sent were received, and where and when.
    fn received(&self, receipts: &[Option<&Told<'_>>]) -> String {
        let count = receipts.iter().flatten().count();
        let Some(last) = receipts.iter().flatten().last() else {
            return "no event says so".to_owned();
        };
        if last.step == VOID {
            return format!("the shipment was declared void, {}", last.date);
        }
        let place = self.material.directory.place(last.place());
        let said = [&*last.date, &place].join(" ");
        let said = said.trim();
        match receipts.len() {
            all if all == count => format!("yes, {said}"),
            all => format!("{count} of {all}, {said}"),
        }
    }

    /// The event after a shipment that receives a thing, or says that it was not sent; none if it is sent again before.
    fn receipt(&self, thing: &str, sent: usize) -> Option<&Told<'_>> {
        let next = self.transfers.after(thing, sent)?;
        let event = self.material.events.get(next)?;
        (event.step != "shipping").then_some(event)
    }

    /// As [`receipt`](Self::receipt), of what was sent in a unit: other parts of the lot may be sent and received in other units.
    fn receipt_of_part(&self, things: &[String], moved: &Moved, sent: usize) -> Option<&Told<'_>> {
        if moved.unit.is_empty() {
            return things.iter().find_map(|thing| self.receipt(thing, sent));
        }
        let unit = self.receipt(&thing(&moved.unit), sent);
        // It may be received by its container, without the pallet that the container was on.
        unit.or_else(|| self.receipt(&moved.container, sent))
    }

    /// A row for each item, and for each part of a lot: where it is, as far as the events tell.
    fn where_they_are(&mut self) -> Result<(), Error> {
        for (id, last) in std::mem::take(&mut self.items) {
            self.last_seen(&id, None, &last)?;
        }
        for ((lot, container), last) in std::mem::take(&mut self.parts) {
            self.last_seen(&lot, Some(&container), &last)?;
        }
        Ok(())
    }

    /// The row of an item, or of the part of a lot that is in a container.
    fn last_seen(&mut self, id: &str, container: Option<&str>, last: &Last) -> Result<(), Error> {
        let Some(event) = self.material.events.get(last.at) else {
            return Ok(());
        };
        let is_lot = container.is_some();
        let is_deleted = event.action == "DELETE" && event.is_object();
        let (sheet, why) = match event.step.as_str() {
            step if ENDING.contains(&step) => (GONE, step.to_owned()),
            _ if !is_lot && (last.is_input || is_deleted) => (GONE, "used up".to_owned()),
            step if last.is_input => (LAST_SEEN, format!("used: {step}")),
            // Of a lot, what was shipped and did not come has its row already.
            "shipping" if is_lot => return Ok(()),
            step if SENDING.contains(&step) => (UNACCOUNTED, format!("{step}, and no event since")),
            step => (LAST_SEEN, step.to_owned()),
        };
        let known = self.material.things.get(id).filter(|_| !is_lot);
        let mut row = self.book.row(event);
        self.set_thing(&mut row, id);
        row.set("why", why);
        row.set("quantity", &*last.quantity.amount);
        row.set("unit", unit(&last.quantity));
        let place = known.map_or("", |known| &*known.place);
        let place = if place.is_empty() {
            event.place()
        } else {
            place
        };
        self.book.set_place(&mut row, "place", place);
        let inside = known.map_or("", |known| &*known.inside);
        row.set("inside", key_of(container.unwrap_or(inside)));
        self.book
            .set_place(&mut row, "sent-to", &event.partner("destination"));
        let is_known = known.is_none_or(|known| known.is_certain);
        row.set("sure", yes(last.is_certain && is_known));
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

/// Whether it is certain that a thing was there in an event.
fn is_certain(event: &Told<'_>, thing: &str) -> bool {
    let found = event
        .presences
        .binary_search_by(|presence| (*presence.item).cmp(thing));
    let found = found.ok().and_then(|at| event.presences.get(at));
    found.is_none_or(|presence| presence.is_certain)
}
