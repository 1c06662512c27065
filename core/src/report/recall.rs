//! A recall list: who got the items and what was made of them, and where each one is.

use super::book::{Book, unit};
use super::directory::{key_of, lot_of};
use super::dscsa::serial_of;
use super::event::Told;
use super::material::Material;
use super::moved::{Makings, Moved, moved};
use super::request::ReportRequest;
use super::table::{Report, Row, Sheet, column, more};
use super::units::Units;
use crate::error::Error;
use crate::identifier::{self, thing};
use crate::time::Timestamp;
use std::collections::BTreeMap;

const CONSIGNEES: &str = "Consignees";
const UNACCOUNTED: &str = "Not accounted for";
const LAST_SEEN: &str = "Last seen at";
const GONE: &str = "Gone";

/// The steps by which something is sent. Of all others, none sends.
const SENDING: [&str; 4] = ["shipping", "departing", "transporting", "consigning"];
/// The steps by which what was sent is there.
const RECEIVING: [&str; 2] = ["receiving", "accepting"];
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
    let stories = stories(&material.events);
    let makings = Makings::of(&material.events);
    let mut maker = Maker {
        material,
        stories,
        makings,
        book: Book::new(material, sheets()),
    };
    let mut units = Units::default();
    for (at, event) in material.events.iter().enumerate() {
        if event.is_asked && event.step == "shipping" {
            for moved in moved(event, &mut units, &maker.makings)? {
                maker.sent(event, at, &moved)?;
            }
        }
        units.take(event);
    }
    maker.where_they_are()?;
    let notes = [
        "A row of Consignees is a lot, or a product in one lot, in a unit of an event with the step `shipping`.",
        "Consignee: the destination of the shipment; without one, the place that received it.",
        "Received: by the first event with the step `receiving` or `accepting` after the shipment in which the item is present, or the lot in the unit that was shipped.",
        "Not accounted for: sent, and since then in no other event. Last seen at: where the last event found it; a lot may be in several containers, and has a row for each. Gone: sold, dispensed, destroyed, decommissioned, or used up.",
        "Sure: `no` where the way leads through a lot that was divided. Such a row is possible, not certain: the parts of a lot are not told apart.",
    ];
    let notes: Vec<String> = notes.map(str::to_owned).to_vec();
    Ok(maker.book.finish(request, made, &notes))
}

/// An event in which a thing is present.
#[derive(Clone, Debug)]
struct Seen {
    /// The place of the event.
    at: usize,
    /// The containers around the thing, from the outermost to the innermost, in normal form; none if the event names the thing.
    through: Vec<String>,
    is_input: bool,
    is_certain: bool,
}

/// The events in which each thing is present, in order.
fn stories(events: &[Told<'_>]) -> BTreeMap<String, Vec<Seen>> {
    let mut stories: BTreeMap<String, Vec<Seen>> = BTreeMap::new();
    for (at, event) in events
        .iter()
        .enumerate()
        .filter(|(_, event)| event.is_asked)
    {
        for presence in &event.presences {
            let story = stories.entry(presence.item.clone()).or_default();
            story.push(Seen {
                at,
                through: presence
                    .through
                    .iter()
                    .map(|container| thing(container))
                    .collect(),
                is_input: presence.how == "input",
                is_certain: presence.is_certain,
            });
        }
    }
    stories
}

struct Maker<'m> {
    material: &'m Material<'m>,
    stories: BTreeMap<String, Vec<Seen>>,
    makings: Makings,
    book: Book<'m>,
}

impl<'m> Maker<'m> {
    fn is_instance(&self, thing: &str) -> bool {
        self.material
            .things
            .get(thing)
            .is_none_or(|seen| seen.is_instance)
    }

    fn sent(&mut self, event: &Told<'_>, at: usize, moved: &Moved) -> Result<(), Error> {
        let things = match moved.serials.as_slice() {
            [] if moved.quantity.class.is_empty() => vec![thing(&moved.unit)],
            [] => vec![thing(&moved.quantity.class)],
            serials => serials.iter().map(|serial| thing(serial)).collect(),
        };
        let receipts: Vec<Option<&'m Told<'m>>> = things
            .iter()
            .map(|thing| self.receipt(thing, &moved.unit, at))
            .collect();
        let mut to = recipient(event);
        let found = receipts
            .iter()
            .flatten()
            .find(|receipt| RECEIVING.contains(&&*receipt.step));
        if let Some(receipt) = found
            && to.is_empty()
        {
            receipt.place().clone_into(&mut to);
        }
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
        row.set("received", self.received(&receipts));
        let is_sure = things.iter().all(|thing| {
            let story = self.stories.get(thing).into_iter().flatten();
            let mut here = story.filter(|seen| seen.at == at);
            here.next().is_none_or(|seen| seen.is_certain)
        });
        row.set("sure", yes(is_sure));
        self.book.add(CONSIGNEES, &row)?;
        // Of a lot, each part that was sent is accounted for by itself.
        if let [thing] = things.as_slice()
            && !self.is_instance(thing)
            && receipts.iter().flatten().next().is_none()
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
        if last.step == "void_shipping" {
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

    /// The first event after a shipment that receives the thing, or says that it was not sent; none behind its next shipment.
    ///
    /// Other parts of a lot may be sent and received in other units: only the unit of the shipment counts.
    fn receipt(&self, thing: &str, unit: &str, sent: usize) -> Option<&'m Told<'m>> {
        let story = self.stories.get(thing)?;
        let from = story.partition_point(|seen| seen.at <= sent);
        let is_in_unit = |seen: &&Seen| {
            let is_any = unit.is_empty() || self.is_instance(thing);
            is_any || seen.through.contains(&identifier::thing(unit))
        };
        let later = story.get(from..)?.iter().filter(is_in_unit);
        let later = later.filter_map(|seen| self.material.events.get(seen.at));
        later
            .take_while(|event| event.step != "shipping")
            .find(|event| RECEIVING.contains(&&*event.step) || event.step == "void_shipping")
    }

    /// A row for each thing: where it is, as far as the events tell. A lot has a row for each container that it was last seen in.
    fn where_they_are(&mut self) -> Result<(), Error> {
        for (id, story) in std::mem::take(&mut self.stories) {
            let is_instance = self.is_instance(&id);
            let mut last: BTreeMap<Option<String>, &Seen> = BTreeMap::new();
            for seen in &story {
                let container = seen.through.last().cloned().filter(|_| !is_instance);
                last.insert(container, seen);
            }
            for (container, seen) in last {
                let Some(event) = self.material.events.get(seen.at) else {
                    continue;
                };
                // Where it went is in the row of the container.
                let is_packed = event.kind == "AggregationEvent" && event.action != "DELETE";
                if !is_instance && container.is_none() && is_packed {
                    continue;
                }
                self.last_seen(&id, seen, event, container.as_deref())?;
            }
        }
        Ok(())
    }

    fn last_seen(
        &mut self,
        id: &str,
        seen: &Seen,
        event: &Told<'_>,
        container: Option<&str>,
    ) -> Result<(), Error> {
        let is_instance = self.is_instance(id);
        let is_deleted = event.action == "DELETE" && event.is_object();
        let (sheet, why) = match event.step.as_str() {
            step if ENDING.contains(&step) => (GONE, step.to_owned()),
            _ if is_instance && (seen.is_input || is_deleted) => (GONE, "used up".to_owned()),
            step if seen.is_input => (LAST_SEEN, format!("used: {step}")),
            // Of a lot, what was sent has its rows already.
            step if SENDING.contains(&step) && !is_instance && step == "shipping" => return Ok(()),
            step if SENDING.contains(&step) => (UNACCOUNTED, format!("{step}, and no event since")),
            step => (LAST_SEEN, step.to_owned()),
        };
        let known = self.material.things.get(id).filter(|_| is_instance);
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
        let inside = known.map_or("", |known| &*known.inside);
        row.set("inside", key_of(container.unwrap_or(inside)));
        self.book.set_place(&mut row, "sent-to", &recipient(event));
        let is_known = known.is_none_or(|known| known.is_certain);
        row.set("sure", yes(seen.is_certain && is_known));
        self.book.add(sheet, &row)
    }

    fn set_thing(&mut self, row: &mut Row, id: &str) {
        let (gtin, _) = lot_of(id);
        if !gtin.is_empty() {
            self.book.set_product(row, id);
        }
        row.set("gtin", gtin);
        row.set("lot", self.makings.get(id).lot);
        if id.contains("/21/") {
            row.set("serial", serial_of(id));
        }
        row.set("thing", id);
    }
}

/// Where an event sends things: the location, else the owner.
fn recipient(event: &Told<'_>) -> String {
    let location = event.end("destination", "location");
    if location.is_empty() {
        return event.end("destination", "owning_party");
    }
    location
}

pub(super) fn yes(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}
