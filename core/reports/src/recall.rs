//! A recall list: who got the items and what was made of them, and where each one is.

use super::directory::{key_of, lot_of, serial_of};
use super::event::{Moment, ReportedEvent, Transfer};
use super::fate::Fate;
use super::maker::{Kind, Maker};
use super::moved::{Moved, moved};
use super::row::Row;
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
    const FORM: &'static str = include_str!("forms/recall.txt");
    const TRANSFERS: Option<bool> = Some(true);

    fn event(maker: &mut Maker<'_, Self>, (at, event): Moment<'_>) -> Result<(), Error> {
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
    fn sent(&mut self, (at, event): Moment<'_>, moved: &Moved) -> Result<(), Error> {
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
        let Some(event) = self.material.events.get(last.at) else { return Ok(()) };
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
        let Some(event) = self.material.events.get(part.at) else { return Ok(()) };
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
