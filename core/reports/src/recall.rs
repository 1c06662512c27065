//! A recall list: who got the items and what was made of them, and where each one is.

use super::columns::{GOODS, PLACES};
use super::directory::{key_of, lot_of, serial_of};
use super::event::{ReportedEvent, Transfer};
use super::fate::Fate;
use super::maker::{Kind, Maker};
use super::moved::{Moved, moved};
use super::row::Row;
use super::table::{Column, Form, column, more};
use super::whereabouts::{ENDING, Part, Whereabouts};
use epcis_edge_document::event::{
    CHILD_QUANTITIES, CHILDREN, DESTINATIONS, INPUT_QUANTITIES, OUTPUT_QUANTITIES,
};
use epcis_edge_text::error::Error;
use std::collections::BTreeMap;

const CONSIGNEES: &str = "Consignees";
const UNACCOUNTED: &str = "Not accounted for";
const LAST_SEEN: &str = "Last seen at";
const GONE: &str = "Gone";

#[rustfmt::skip]
const THINGS: &[Column] = &[
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
];

#[rustfmt::skip]
static FORM: Form = Form {
    sheets: &[
        (CONSIGNEES, &[&[
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
        ]]),
        (UNACCOUNTED, &[THINGS]),
        (LAST_SEEN, &[THINGS]),
        (GONE, &[THINGS]),
    ],
    beside: &[PLACES, GOODS],
    notes: &[
        "A row of Consignees is a lot, or a product in one lot, in a unit of an event with the step `shipping`; also of one with the step `departing`, `transporting` or `consigning` that names a destination to which nothing shipped it before.",
        "Consignee: the destinations of the shipment; without one, the place that received it.",
        "Received: an item by the first event with the step `receiving` or `accepting` after the shipment in which it is present; a lot in a unit by the first one for its unit or its container; a loose lot by those that name its despatch advice, or happen at a place or name a party that it was sent to, as much as they say. A shipment is void if an event with the step `void_shipping` says so.",
        "Not accounted for: sent, and since then in no other event. Last seen at: where the last event found it; a lot may be at several places and in several containers, and has a row for each, with how much is left there, if the events tell. Gone: sold, dispensed, destroyed, decommissioned, or used up.",
        "Sure: `no` where the way leads through a lot that was divided, or where an event took some of a lot away and does not tell how much. Such a row is possible, not certain: the parts of a lot are not told apart.",
    ],
    transfers: Some(true),
};

/// The last event about an item.
#[derive(Clone, Debug)]
struct Last {
    at: usize,
    is_input: bool,
    is_certain: bool,
}

#[derive(Default)]
pub(super) struct Recall {
    items: BTreeMap<String, Last>,
    lots: Whereabouts,
}

impl Kind for Recall {
    const FORM: &'static Form = &FORM;

    fn event(
        maker: &mut Maker<'_, Self>,
        at: usize,
        event: &ReportedEvent<'_>,
    ) -> Result<(), Error> {
        if !event.is_asked {
            return Ok(());
        }
        let mut has_lots = false;
        for presence in &event.presences {
            if !maker.material.is_instance(&presence.item) {
                has_lots = true;
                continue;
            }
            let last =
                Last { at, is_input: presence.how == "input", is_certain: presence.is_certain };
            maker.own.items.insert(presence.item.to_string(), last);
        }
        let sends = matches!(event.transfer(), Some(Transfer::Sent | Transfer::OnTheWay));
        if !has_lots && !sends {
            return Ok(());
        }
        let unpacks = event.kind == "AggregationEvent" && event.action == "DELETE";
        let is_emptied = unpacks
            && event.ids(CHILDREN).is_empty()
            && event.quantities(CHILD_QUANTITIES).is_empty();
        if is_emptied {
            maker.own.lots.emptied((at, event), &maker.units);
            return Ok(());
        }
        for moved in moved(event, &mut maker.units, &maker.makings)? {
            if sends {
                maker.sent((at, event), &moved)?;
            }
            if moved.is_lot() {
                let (lots, transfers) = (&mut maker.own.lots, &maker.transfers);
                lots.moved((at, event), &moved, transfers);
            }
        }
        for quantity in event.quantities(INPUT_QUANTITIES) {
            if event.is_about(&quantity.class) {
                let why = format!("used: {}", event.step);
                let why = why.trim_end_matches(": ");
                maker.own.lots.end((at, event), &quantity, why);
            }
        }
        for quantity in event.quantities(OUTPUT_QUANTITIES) {
            if event.is_about(&quantity.class) {
                maker.own.lots.made((at, event), &quantity);
            }
        }
        Ok(())
    }

    /// A row for each item, and for each part of a lot: where it is, as far as the events show.
    fn end(maker: &mut Maker<'_, Self>) -> Result<(), Error> {
        for (id, last) in std::mem::take(&mut maker.own.items) {
            maker.item(&id, &last)?;
        }
        for ((lot, _), part) in std::mem::take(&mut maker.own.lots.loose) {
            maker.part(LAST_SEEN, (&lot, &part), "", None)?;
        }
        for (lot, container, part) in maker.own.lots.in_containers(&maker.units) {
            let event = maker.material.events.get(part.at);
            let sheet = match event {
                // Goods that were shipped and not received have their row already.
                Some(event) if event.transfer() == Some(Transfer::Sent) => continue,
                Some(event) if ENDING.contains(&&*event.step) => GONE,
                _ => LAST_SEEN,
            };
            maker.part(sheet, (&lot, &part), &container, None)?;
        }
        for ((lot, _, why), part) in std::mem::take(&mut maker.own.lots.gone) {
            maker.part(GONE, (&lot, &part), "", Some(&why))?;
        }
        Ok(())
    }
}

impl<'m> Maker<'m, Recall> {
    fn sent(
        &mut self,
        (at, event): (usize, &ReportedEvent<'_>),
        moved: &Moved,
    ) -> Result<(), Error> {
        let things = moved.things();
        let is_news = |thing: &String| self.transfers.is_news(at, thing);
        if event.transfer() == Some(Transfer::OnTheWay) && !things.iter().any(is_news) {
            return Ok(());
        }
        let fate = self.transfers.fate(moved, at);
        let mut to = event.partners(DESTINATIONS);
        let receipt = fate.receipt.and_then(|at| self.material.events.get(at));
        if let Some(receipt) = receipt
            && to.is_empty()
        {
            to.push(receipt.place().to_owned());
        }
        let is_sure = things.iter().all(|thing| event.is_certain(thing));
        let directory = self.material.directory;
        let mut row = self.book.row(event);
        row.moved(moved)
            .serials(moved)
            .places("to", &to)
            .set("address", joined(&to, |to| directory.address(to)))
            .set("telephone", joined(&to, |to| directory.telephone(to).to_owned()))
            .place("from", event.place())
            .set("received", self.received(&fate, moved))
            .is("sure", is_sure);
        self.book.add(CONSIGNEES, row)?;
        // Each part of a lot that was sent is accounted for by itself.
        let is_lost = moved.is_lot() && (fate.is_unknown() || fate.missing.is_some());
        if let (true, [lot]) = (is_lost, things.as_slice()) {
            let mut row = self.thing(event, lot);
            row.quantity(&moved.quantity)
                .amount(fate.missing.as_deref())
                .set("why", format!("{}, and no event since", event.step))
                .set("inside", key_of(&moved.unit))
                .place("place", event.place())
                .places("sent-to", &to)
                .is("sure", is_sure);
            self.book.add(UNACCOUNTED, row)?;
        }
        Ok(())
    }

    /// Says whether things that an event sent were received, and where and when.
    fn received(&self, fate: &Fate, moved: &Moved) -> String {
        let event = |at: Option<usize>| self.material.events.get(at?);
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
        if said.is_empty() {
            said.push("no event says so".to_owned());
        }
        said.join("; ")
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
        let place = known.map(|known| &*known.place);
        let place = place.filter(|place| !place.is_empty());
        let is_known = known.is_none_or(|known| known.is_certain);
        let mut row = self.thing(event, id);
        row.set("why", why)
            .place("place", place.unwrap_or(event.place()))
            .set("inside", key_of(known.map_or("", |known| &*known.inside)))
            .places("sent-to", &event.partners(DESTINATIONS))
            .is("sure", last.is_certain && is_known);
        self.book.add(sheet, row)
    }

    /// The row of a part of a lot. Without another reason, what happened last is the step of the event.
    fn part(
        &mut self,
        sheet: &str,
        (lot, part): (&str, &Part),
        container: &str,
        why: Option<&str>,
    ) -> Result<(), Error> {
        let Some(event) = self.material.events.get(part.at) else {
            return Ok(());
        };
        let mut row = self.thing(event, lot);
        row.set("why", why.unwrap_or(&event.step))
            .amount(part.amount.as_deref())
            .place("place", event.place())
            .set("inside", key_of(container))
            .is("sure", part.is_certain);
        self.book.add(sheet, row)
    }

    /// A row about an item or a lot.
    fn thing(&self, event: &ReportedEvent<'_>, id: &str) -> Row<'m> {
        let (gtin, _) = lot_of(id);
        let mut row = self.book.row(event);
        if !gtin.is_empty() {
            row.product(id);
        }
        if id.contains("/21/") {
            row.set("serial", serial_of(id));
        }
        row.set("gtin", gtin).set("lot", &*self.makings.get(id).lot).set("thing", id);
        row
    }
}

/// What is known of places, in one cell.
fn joined(places: &[String], told: impl Fn(&str) -> String) -> String {
    let mut texts: Vec<String> = places.iter().map(|place| told(place)).collect();
    texts.retain(|text| !text.is_empty());
    texts.join("; ")
}
