//! What became of a shipment: was it received, or did it not take place?
//!
//! An item or a unit is one thing, so the next event that receives it, or says that it was not shipped, decides. A lot may have
//! many shipments: `loose` matches them with receipts.

use super::directory::place_key;
use super::event::{END_TYPES, Moment, ReportedEvent, Transfer};
use super::fate::{Fate, rest};
use super::loose::Loose;
use super::moved::{Moved, named_in};
use super::units::Units;
use epcis_edge_document::event::{DESTINATIONS, LISTS_OF_QUANTITIES, QUANTITIES};
use epcis_edge_document::identifier::thing;
use epcis_edge_history::follow::Amount;
use epcis_edge_text::error::Error;
use epcis_edge_text::slice::Part;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where an event sends things, and where it happens, as they are compared.
#[derive(Debug, Default)]
struct Ends {
    /// The partners that its rows name, and all destinations, whatever their types.
    partners: Vec<String>,
    destinations: BTreeSet<String>,
    place: String,
}

/// The events that send or receive things, or take that back.
#[derive(Debug, Default)]
pub(super) struct Transfers {
    ends: BTreeMap<usize, Ends>,
    /// In order, by each thing that they name, or that is inside of a named thing.
    by_thing: BTreeMap<String, Vec<(usize, Transfer)>>,
    /// The amount of each lot in a receipt, or in an event that takes a shipment back; `None` if the event gives none.
    amounts: BTreeMap<usize, BTreeMap<String, Option<Rc<Amount>>>>,
    pub(super) loose: Loose,
    /// By receipt and lot: the received amount in a unit that is not matched with a container yet.
    unit_left: BTreeMap<(usize, String), Rc<Amount>>,
}

impl Transfers {
    /// Reads events, which are in order of time. `units` must be before the first of them, and is there again afterwards.
    /// `with_the_way`: whether an event on the way is a shipment, too, if it names destinations that no shipment named.
    ///
    /// # Errors
    /// As [`Units::inside`].
    pub(super) fn of(
        events: &[ReportedEvent<'_>],
        units: &mut Units,
        with_the_way: bool,
    ) -> Result<Self, Error> {
        let mut transfers = Self::default();
        let mut loose = Loose::default();
        for (at, event) in events.iter().enumerate() {
            if let Some(kind) = event.transfer() {
                transfers.take((at, event), kind, units)?;
                match kind {
                    Transfer::Sent => loose.add_shipment((at, event), &|_| true),
                    Transfer::OnTheWay if with_the_way => {
                        let is_news = |lot: &str| transfers.is_news(at, lot);
                        loose.add_shipment((at, event), &is_news);
                    }
                    Transfer::OnTheWay => {}
                    Transfer::Received | Transfer::Void => loose.add_receipt((at, event), kind),
                }
            }
            units.take(event);
        }
        units.restart();
        loose.settle();
        transfers.loose = loose;
        Ok(transfers)
    }

    /// Whether an event on the way gives a thing destinations that the last event that sent it did not name.
    pub(super) fn is_news(&self, at: usize, thing: &str) -> bool {
        let Some(ends) = self.ends.get(&at) else { return false };
        let sent = self.sent_before(thing, at);
        let known = sent.and_then(|sent| self.ends.get(&sent));
        let is_known = |to| known.is_some_and(|known| known.destinations.contains(to));
        !ends.partners.iter().all(is_known)
    }

    fn take(
        &mut self,
        (at, event): Moment<'_>,
        kind: Transfer,
        units: &mut Units,
    ) -> Result<(), Error> {
        let named = named_in(event);
        let mut names: BTreeSet<String> = named.iter().map(|id| thing(id)).collect();
        // The contents of a unit go with it.
        units.inside(&named, &|_| true, &mut |_, inside| {
            names.insert(inside.container.to_owned());
            if !inside.is_quantity {
                names.insert(inside.id.to_owned());
            }
        })?;
        let keys = |ends: Vec<String>| ends.into_iter().map(|end| place_key(&end));
        let all = END_TYPES.iter().map(|kind| event.ends(DESTINATIONS, kind));
        let ends = Ends {
            partners: keys(event.partners(DESTINATIONS)).collect(),
            destinations: all.flat_map(keys).collect(),
            place: place_key(event.place()),
        };
        self.ends.insert(at, ends);
        let lots = event.quantities(QUANTITIES);
        if matches!(kind, Transfer::Received | Transfer::Void) {
            self.amounts.insert(at, amounts_in(event));
        }
        names.extend(lots.iter().map(|lot| thing(&lot.class)));
        names.insert(thing(&event.parent));
        // An event without a parent has an empty name for it.
        names.remove("");
        for name in names {
            self.by_thing.entry(name).or_default().push((at, kind));
        }
        Ok(())
    }

    /// The amount of a lot in a receipt, or in an event that takes a shipment back.
    fn amount(&self, at: usize, lot: &str) -> Option<Rc<Amount>> {
        self.amounts.get(&at)?.get(lot)?.clone()
    }

    /// The transfers of a thing after an event.
    fn after(&self, thing: &str, at: usize) -> &[(usize, Transfer)] {
        let all = self.by_thing.get(thing).map_or(&[][..], Vec::as_slice);
        let first = all.partition_point(|(known, _)| *known <= at);
        all.part(first..)
    }

    /// The last event before another that sends a thing; `None` if it was received in between.
    pub(super) fn sent_before(&self, thing: &str, at: usize) -> Option<usize> {
        let all = self.by_thing.get(thing)?;
        let before = all.get(..all.partition_point(|(known, _)| *known < at))?;
        let (last, kind) = before.last()?;
        matches!(kind, Transfer::Sent | Transfer::OnTheWay).then_some(*last)
    }

    /// The event that receives an instance after an event that sent it, or that takes the shipment back. `None` if it is sent again
    /// first.
    pub(super) fn next(&self, thing: &str, at: usize) -> Option<(usize, Transfer)> {
        let mut after = self.after(thing, at).iter();
        let next = after.find(|(_, kind)| *kind != Transfer::OnTheWay)?;
        (next.1 != Transfer::Sent).then_some(*next)
    }

    /// The event before a shipment that received a thing where the shipment goes, if no shipment before that one sent it: the clocks
    /// of the two events may differ.
    pub(super) fn came_before(&self, at: usize, thing: &str) -> Option<usize> {
        let all = self.by_thing.get(thing)?;
        let before = all.get(..all.partition_point(|(known, _)| *known < at))?;
        let (receipt, Transfer::Received) = before.last()? else { return None };
        let is_matched = self.sent_before(thing, *receipt).is_some()
            || self.loose.is_receipt_of_shipment(*receipt, thing);
        let place = &self.ends.get(receipt)?.place;
        let is_there = self.ends.get(&at)?.destinations.contains(place);
        (is_there && !is_matched).then_some(*receipt)
    }

    /// The goods that an event sent, without those whose shipment was taken back; `None` if nothing is left.
    /// Called once for each, in the order of events.
    pub(super) fn without_void(&mut self, mut moved: Moved, at: usize) -> Option<Moved> {
        if moved.serials.is_empty() {
            let fate = self.fate(&moved, at);
            return fate.without_void(moved);
        }
        let serials = std::mem::take(&mut moved.serials);
        let is_void = |item: &String| {
            let next = self.next(&thing(item), at);
            matches!(next, Some((_, Transfer::Void)))
        };
        let left: Vec<String> = serials.into_iter().filter(|item| !is_void(item)).collect();
        (!left.is_empty()).then(|| moved.with(left))
    }

    /// The fate of goods that an event sent. Called once for each, in the order of events.
    pub(super) fn fate(&mut self, moved: &Moved, at: usize) -> Fate {
        if !moved.is_lot() {
            let mut fate = Fate::default();
            for thing in moved.things() {
                fate.all += 1;
                fate.count(self.next(&thing, at));
            }
            return fate;
        }
        let mut fate = Fate { all: 1, ..Fate::default() };
        let lot = thing(&moved.quantity.class);
        if moved.unit.is_empty() {
            return self.loose.fate(at, &lot).unwrap_or(fate);
        }
        // It may be received by its container, without the pallet that the container was on.
        let next = self.next(&thing(&moved.unit), at);
        let next = next.or_else(|| self.next(&moved.container, at));
        fate.count(next);
        if let Some((receipt, Transfer::Received)) = next
            && let (Some(sent), Some(received)) =
                (moved.quantity.amount(), self.amount(receipt, &lot))
        {
            // The lot may have been in several containers of the unit.
            let key = (receipt, lot);
            let received = self.unit_left.get(&key).cloned().unwrap_or(received);
            let (Some(missing), Some(more)) = (rest(&sent, &received), rest(&received, &sent))
            else {
                fate.other = Some(received);
                return fate;
            };
            if more.is_used_up() {
                let nothing = rest(&received, &received);
                fate.came = Some(received);
                self.unit_left.extend(nothing.map(|nothing| (key, nothing)));
            } else {
                fate.came = Some(sent);
                self.unit_left.insert(key, more);
            }
            fate.missing = Some(missing).filter(|missing| !missing.is_used_up());
        }
        fate
    }
}

/// The amount of each lot in an event; `None` if the event gives none.
fn amounts_in(event: &ReportedEvent<'_>) -> BTreeMap<String, Option<Rc<Amount>>> {
    let mut amounts: BTreeMap<String, Option<Rc<Amount>>> = BTreeMap::new();
    for list in LISTS_OF_QUANTITIES {
        for quantity in event.quantities(list) {
            let amount = quantity.amount();
            let known = amounts.entry(thing(&quantity.class));
            known
                .and_modify(|known| *known = Amount::sum(known.as_ref(), amount.as_ref()))
                .or_insert(amount);
        }
    }
    amounts
}
