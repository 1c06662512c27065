//! What became of a shipment: was it received, or did it not take place?
//!
//! An item or a unit is one thing, so the next event that receives it, or says that it was not shipped, decides. A lot may have
//! many shipments, so a receipt of a loose lot is matched with shipments to the same place, up to the received amount.

use super::event::{Told, Transfer};
use super::moved::{Moved, named_in};
use super::units::Units;
use crate::error::Error;
use crate::field::lists_of_things;
use crate::follow::Amount;
use crate::identifier::thing;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What became of things that were shipped together.
#[derive(Clone, Debug, Default)]
pub(super) struct Fate {
    /// How many things there are; one for a lot.
    pub(super) all: usize,
    /// How many were received, and by which event last.
    pub(super) received: usize,
    pub(super) receipt: Option<usize>,
    /// How many were declared not to be shipped, and by which event last.
    pub(super) void: usize,
    pub(super) voided_by: Option<usize>,
    /// For a lot: how much less was received than sent; `None` if nothing is missing, or if that is not known.
    pub(super) missing: Option<Rc<Amount>>,
}

impl Fate {
    /// Whether no event shows what became of any of them.
    pub(super) fn is_unknown(&self) -> bool {
        self.received + self.void == 0
    }
}

/// The rest of a loose lot in an event that receives it, or takes its shipment back.
#[derive(Clone, Debug)]
enum Left {
    /// The amount that is not matched with a shipment yet.
    Known(Rc<Amount>),
    /// The event gives no amount.
    Unknown,
    Nothing,
}

/// The events that receive a loose lot at a place, or take its shipments from there back, in order.
#[derive(Clone, Debug, Default)]
struct Line {
    /// The place of each event, and its index in `Transfers::left`.
    events: Vec<(usize, usize)>,
    /// The first event that may still be matched with a shipment.
    next: usize,
}

/// The events that send or receive things, or take that back.
#[derive(Debug, Default)]
pub(super) struct Transfers {
    /// In order, by each thing that they name, or that is inside of a named thing.
    by_thing: BTreeMap<String, Vec<(usize, Transfer)>>,
    /// The amount of each lot in a receipt, or in an event that takes a shipment back; `None` if the event gives none.
    amounts: BTreeMap<usize, BTreeMap<String, Option<Rc<Amount>>>>,
    /// By lot, whether shipments are taken back, and place; an empty place is any place.
    lines: BTreeMap<(String, bool, String), Line>,
    left: Vec<Left>,
    /// By receipt and lot: the received amount in a unit that is not matched with a container yet.
    unit_left: BTreeMap<(usize, String), Rc<Amount>>,
    /// The receipts of loose lots that were matched with a shipment.
    used: BTreeSet<(usize, String)>,
}

impl Transfers {
    /// Reads events, which are in order of time. `units` must be before the first of them, and is there again afterwards.
    ///
    /// # Errors
    /// As [`Units::inside`].
    pub(super) fn of(events: &[Told<'_>], units: &mut Units) -> Result<Self, Error> {
        let mut transfers = Self::default();
        for (at, event) in events.iter().enumerate() {
            if let Some(kind) = event.transfer() {
                transfers.take((at, event), kind, units)?;
            }
            units.take(event);
        }
        units.restart();
        Ok(transfers)
    }

    fn take(
        &mut self,
        (at, event): (usize, &Told<'_>),
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
        let lots = event.quantities("quantityList");
        let lots: BTreeSet<String> = lots.iter().map(|lot| thing(&lot.class)).collect();
        if matches!(kind, Transfer::Received | Transfer::Void) {
            self.amounts.insert(at, amounts_in(event));
            for lot in &lots {
                self.add_loose((at, event), kind, lot);
            }
        }
        names.extend(lots);
        names.insert(thing(&event.parent));
        // An event without a parent has an empty name for it.
        names.remove("");
        for name in names {
            self.by_thing.entry(name).or_default().push((at, kind));
        }
        Ok(())
    }

    fn add_loose(&mut self, (at, event): (usize, &Told<'_>), kind: Transfer, lot: &str) {
        let is_void = kind == Transfer::Void;
        let number = self.left.len();
        self.left.push(match self.amount(at, lot) {
            Some(amount) => Left::Known(amount),
            None => Left::Unknown,
        });
        let mut places = BTreeSet::new();
        if is_void {
            // A shipment is taken back at the place that it was sent from.
            places.insert(place_key(event.place()));
        } else {
            places.extend([&event.read_point, &event.biz_location].map(|place| place_key(place)));
            places.insert(String::new());
        }
        for place in places {
            let line = self.lines.entry((lot.to_owned(), is_void, place));
            line.or_default().events.push((at, number));
        }
    }

    /// The amount of a lot in a receipt, or in an event that takes a shipment back.
    fn amount(&self, at: usize, lot: &str) -> Option<Rc<Amount>> {
        self.amounts.get(&at)?.get(lot)?.clone()
    }

    /// The transfers of a thing after an event.
    fn after(&self, thing: &str, at: usize) -> &[(usize, Transfer)] {
        let all = self.by_thing.get(thing).map_or(&[][..], Vec::as_slice);
        let first = all.partition_point(|(known, _)| *known <= at);
        all.get(first..).unwrap_or_default()
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

    /// The goods that an event sent to these partners, without those whose shipment was taken back; `None` if nothing is left.
    /// Called once for each, in the order of events.
    pub(super) fn without_void(
        &mut self,
        events: &[Told<'_>],
        mut moved: Moved,
        at: usize,
        to: &[String],
    ) -> Option<Moved> {
        if !moved.serials.is_empty() {
            let serials = std::mem::take(&mut moved.serials);
            let is_void = |item: &String| {
                let next = self.next(&thing(item), at);
                matches!(next, Some((_, Transfer::Void)))
            };
            let left: Vec<String> = serials.into_iter().filter(|item| !is_void(item)).collect();
            moved.quantity.amount = left.len().to_string();
            moved.serials = left;
            return (!moved.serials.is_empty()).then_some(moved);
        }
        let fate = self.fate(events, &moved, at, to);
        moved.is_partly_void = fate.void > 0;
        let is_void = fate.void == fate.all && fate.received == 0 && fate.missing.is_none();
        (!is_void).then_some(moved)
    }

    /// The fate of goods that an event sent to these partners. Called once for each, in the order of events.
    pub(super) fn fate(
        &mut self,
        events: &[Told<'_>],
        moved: &Moved,
        at: usize,
        to: &[String],
    ) -> Fate {
        if !moved.is_lot() {
            let mut fate = Fate::default();
            for thing in moved.things() {
                fate.all += 1;
                fate.count(self.next(&thing, at));
            }
            return fate;
        }
        let mut fate = Fate {
            all: 1,
            ..Fate::default()
        };
        let lot = thing(&moved.quantity.class);
        let sent = moved.quantity.amount();
        if moved.unit.is_empty() {
            let from = events.get(at).map_or("", |event| event.place());
            self.fate_of_loose((&lot, sent), (at, from), (to, &mut fate));
            return fate;
        }
        // It may be received by its container, without the pallet that the container was on.
        let next = self.next(&thing(&moved.unit), at);
        let next = next.or_else(|| self.next(&moved.container, at));
        fate.count(next);
        if let Some((receipt, Transfer::Received)) = next
            && let (Some(sent), Some(received)) = (sent, self.amount(receipt, &lot))
        {
            // The lot may have been in several containers of the unit.
            let key = (receipt, lot);
            let received = self.unit_left.get(&key).cloned().unwrap_or(received);
            fate.missing = rest(&sent, &received).filter(|rest| !rest.is_used_up());
            let more = rest(&received, &sent).filter(|more| !more.is_used_up());
            let nothing = || rest(&received, &received);
            if let Some(more) = more.or_else(nothing) {
                self.unit_left.insert(key, more);
            }
        }
        fate
    }

    fn fate_of_loose(
        &mut self,
        (lot, sent): (&str, Option<Rc<Amount>>),
        (at, from): (usize, &str),
        (to, fate): (&[String], &mut Fate),
    ) {
        let mut places: BTreeSet<String> = to.iter().map(|place| place_key(place)).collect();
        if places.is_empty() {
            places.insert(String::new());
        }
        let mut lines: Vec<(String, bool, String)> = places
            .into_iter()
            .map(|place| (lot.to_owned(), false, place))
            .collect();
        lines.push((lot.to_owned(), true, place_key(from)));
        let is_known = sent.is_some();
        let mut open = sent;
        while let Some((receipt, number, is_void)) = self.first_of(&lines, at) {
            let Some(left) = self.left.get_mut(number) else {
                break;
            };
            match (std::mem::replace(left, Left::Nothing), &open) {
                (Left::Known(amount), Some(wanted)) => {
                    // An amount beyond the one that was sent belongs to another shipment.
                    if let Some(more) = rest(&amount, wanted).filter(|more| !more.is_used_up()) {
                        *left = Left::Known(more);
                    }
                    open = rest(wanted, &amount).filter(|open| !open.is_used_up());
                }
                _ => open = None,
            }
            if is_void {
                (fate.void, fate.voided_by) = (1, Some(receipt));
            } else {
                (fate.received, fate.receipt) = (1, Some(receipt));
                self.used.insert((receipt, lot.to_owned()));
            }
            if open.is_none() {
                break;
            }
        }
        if is_known && !fate.is_unknown() {
            fate.missing = open;
        }
    }

    /// The first event of these lines, after another one, that has an unmatched amount. Shipments come in order, so events that
    /// were skipped are not needed again.
    fn first_of(
        &mut self,
        lines: &[(String, bool, String)],
        at: usize,
    ) -> Option<(usize, usize, bool)> {
        let mut first: Option<(usize, usize, bool)> = None;
        for key in lines {
            let Some(line) = self.lines.get_mut(key) else {
                continue;
            };
            while let Some((event, number)) = line.events.get(line.next).copied() {
                if event > at && !matches!(self.left.get(number), Some(Left::Nothing) | None) {
                    if first.is_none_or(|(known, ..)| event < known) {
                        first = Some((event, number, key.1));
                    }
                    break;
                }
                line.next += 1;
            }
        }
        first
    }

    /// The amount of a loose lot in a receipt that is matched with no shipment, once `fate` was called for all shipments. `None` if
    /// nothing is left; `Some(None)` if the event gives no amount.
    pub(super) fn beyond_shipments(&self, at: usize, lot: &str) -> Option<Option<Rc<Amount>>> {
        let line = self.lines.get(&(lot.to_owned(), false, String::new()))?;
        let place = line
            .events
            .binary_search_by(|(known, _)| known.cmp(&at))
            .ok()?;
        let (_, number) = line.events.get(place)?;
        match self.left.get(*number)? {
            Left::Known(amount) => Some(Some(Rc::clone(amount))),
            Left::Unknown => Some(None),
            Left::Nothing => None,
        }
    }

    /// Whether a receipt of a loose lot was matched with a shipment in these events.
    pub(super) fn is_receipt_of_shipment(&self, at: usize, lot: &str) -> bool {
        self.used.contains(&(at, lot.to_owned()))
    }
}

impl Fate {
    fn count(&mut self, next: Option<(usize, Transfer)>) {
        match next {
            Some((at, Transfer::Received)) => {
                self.received += 1;
                self.receipt = self.receipt.max(Some(at));
            }
            Some((at, Transfer::Void)) => {
                self.void += 1;
                self.voided_by = self.voided_by.max(Some(at));
            }
            _ => {}
        }
    }
}

/// The amount of each lot in an event; `None` if the event gives none.
fn amounts_in(event: &Told<'_>) -> BTreeMap<String, Option<Rc<Amount>>> {
    let mut amounts: BTreeMap<String, Option<Rc<Amount>>> = BTreeMap::new();
    for list in lists_of_things(true) {
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

fn rest(of: &Amount, taken: &Amount) -> Option<Rc<Amount>> {
    of.minus(taken).map(Rc::new)
}

/// A place without the extension for its parts: goods for a warehouse are received at one of its docks.
pub(super) fn place_key(place: &str) -> String {
    let mut key = thing(place);
    if let Some(at) = key.find("/254/") {
        key.truncate(at);
    }
    key
}
