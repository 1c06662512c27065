//! The places of the parts of lots, while the events of a recall are read in order of time.
//!
//! A part is loose at a place, or in a container. Amounts are added and subtracted if the events give them.

use super::directory::place_key;
use super::event::{Moment, Quantity, Transfer};
use super::moved::Moved;
use super::transfers::Transfers;
use super::units::Units;
use epcis_edge_document::identifier::thing;
use epcis_edge_history::follow::Amount;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The steps after which the thing is in no shop or warehouse any more.
pub(super) const ENDING: [&str; 5] =
    ["retail_selling", "dispensing", "destroying", "decommissioning", "killing"];

/// A part of a lot.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The last event about it.
    pub(super) at: usize,
    /// The amount; `None` if it is not known.
    pub(super) amount: Option<Rc<Amount>>,
    pub(super) is_certain: bool,
}

/// The parts of all lots.
#[derive(Debug, Default)]
pub(super) struct Whereabouts {
    /// By lot and place.
    pub(super) loose: BTreeMap<(String, String), Part>,
    /// By container and lot.
    packed: BTreeMap<(String, String), Part>,
    /// The parts that were sold, destroyed or used up, by lot, by place, and by what happened.
    pub(super) gone: BTreeMap<(String, String, String), Part>,
}

impl Whereabouts {
    /// Applies an event that moves a lot.
    pub(super) fn moved(&mut self, (at, event): Moment<'_>, moved: &Moved, transfers: &Transfers) {
        let lot = thing(&moved.quantity.class);
        let amount = moved.quantity.amount();
        let part = part((at, event), &lot, amount.clone());
        let here = (lot.clone(), place_key(event.place()));
        // Goods in a child stay there.
        let is_of_parent = moved.container == thing(&event.parent);
        if event.kind == "AggregationEvent" && !event.parent.is_empty() && is_of_parent {
            match event.action.as_str() {
                "DELETE" => return self.add(here, part),
                "ADD" => self.take(&here, (at, amount.clone())),
                _ => {}
            }
        }
        if !moved.container.is_empty() {
            self.packed.insert((moved.container.clone(), lot), part);
            return;
        }
        let is_end = event.is_object() && event.action == "DELETE";
        if is_end || ENDING.contains(&event.step.as_str()) {
            return self.end((at, event), &moved.quantity, &event.step);
        }
        match event.transfer() {
            Some(Transfer::Sent | Transfer::OnTheWay) => self.take(&here, (at, amount)),
            Some(Transfer::Void) => self.add(here, part),
            Some(Transfer::Received) if transfers.loose.is_receipt_of_shipment(at, &lot) => {
                self.add(here, part);
            }
            _ if event.is_object() && event.action == "ADD" => self.add(here, part),
            _ => self.see(here, part),
        }
    }

    /// Takes everything out of a unit.
    pub(super) fn emptied(&mut self, (at, event): Moment<'_>, units: &Units) {
        for (lot, amount) in units.lots_in(&event.parent) {
            if event.is_about_key(lot) || event.is_about(&event.parent) {
                let here = (lot.to_owned(), place_key(event.place()));
                self.add(here, part((at, event), lot, amount.cloned()));
            }
        }
    }

    /// Adds an output of a transformation.
    pub(super) fn made(&mut self, (at, event): Moment<'_>, quantity: &Quantity) {
        let lot = thing(&quantity.class);
        let part = part((at, event), &lot, quantity.amount());
        self.add((lot, place_key(event.place())), part);
    }

    /// Records goods that were sold, destroyed or used up.
    pub(super) fn end(&mut self, (at, event): Moment<'_>, quantity: &Quantity, why: &str) {
        let lot = thing(&quantity.class);
        let amount = quantity.amount();
        let here = (lot.clone(), place_key(event.place()));
        self.take(&here, (at, amount.clone()));
        let part = part((at, event), &lot, amount);
        let known = self.gone.entry((lot, here.1, why.to_owned()));
        known
            .and_modify(|known| {
                known.at = at;
                known.is_certain &= part.is_certain;
                known.amount = Amount::sum(known.amount.as_ref(), part.amount.as_ref());
            })
            .or_insert(part);
    }

    fn add(&mut self, here: (String, String), part: Part) {
        match self.loose.get_mut(&here) {
            None => {
                self.loose.insert(here, part);
            }
            Some(known) => {
                known.amount = Amount::sum(known.amount.as_ref(), part.amount.as_ref());
                known.at = part.at;
                known.is_certain &= part.is_certain;
            }
        }
    }

    /// Takes some of a lot away. If the amount is not known, some of the lot may be left.
    fn take(&mut self, here: &(String, String), (at, amount): (usize, Option<Rc<Amount>>)) {
        let Some(known) = self.loose.get_mut(here) else { return };
        let both = known.amount.as_ref().zip(amount.as_ref());
        let rest = both.and_then(|(known, taken)| known.minus(taken));
        if rest.as_ref().is_some_and(Amount::is_used_up) {
            self.loose.remove(here);
            return;
        }
        known.is_certain &= rest.is_some();
        known.amount = rest.map(Rc::new);
        known.at = at;
    }

    /// Records that a lot is seen at a place. A known amount there stays as it is.
    fn see(&mut self, here: (String, String), part: Part) {
        self.loose.entry(here).and_modify(|known| known.at = part.at).or_insert(part);
    }

    /// The parts in containers at the end: the lot, the container, and the part.
    pub(super) fn in_containers(&self, units: &Units) -> Vec<(String, String, Part)> {
        let mut found = Vec::new();
        let mut current = ("", BTreeMap::new());
        for ((container, lot), part) in &self.packed {
            if current.0 != container {
                current = (container, units.lots_in(container));
            }
            if let Some(rest) = current.1.get(lot.as_str()) {
                let part = Part { amount: rest.cloned(), ..part.clone() };
                found.push((lot.clone(), container.clone(), part));
            }
        }
        found
    }
}

fn part((at, event): Moment<'_>, lot: &str, amount: Option<Rc<Amount>>) -> Part {
    Part { at, amount, is_certain: event.is_certain(lot) }
}
