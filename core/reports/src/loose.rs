//! Loose lots: which receipts meet which shipments.
//!
//! The parts of a lot are not told apart, so a shipment is met by receipts that name what it names, up to the amount that was sent: first
//! those with its despatch advice; then those at a place that it was sent to; then those with any GLN that it was sent to, as place or as
//! party. A shipment that names no destination is met by any receipt of the lot. Events that take shipments back are matched in the same
//! way, by the despatch advice or by the place that it was sent from.

use super::directory::place_key;
use super::event::{Moment, Quantity, ReportedEvent, Transfer};
use super::fate::{Fate, rest};
use epcis_edge_document::event::{CHILD_QUANTITIES, DESTINATIONS, QUANTITIES};
use epcis_edge_document::identifier::thing;
use epcis_edge_history::follow::Amount;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// The most despatch advices, and the most destinations, by which an event is matched: one event may name very many, and many lots.
const MAX_NAMED: usize = 8;

/// What a receipt and a shipment have in common, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tie {
    Advice,
    Place,
    Gln,
    Lot,
}

/// Which shipments are matched with which receipts, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    /// Amounts that can be compared, and receipts without an amount.
    Comparable,
    /// Shipments without an amount.
    WithoutAmount,
    /// Shipments that nothing met, with receipts in another unit.
    OtherUnit,
}

/// A text, by a number.
type Name = usize;

/// The names by which an event is matched.
#[derive(Debug, Default)]
struct Ties {
    advices: Vec<Name>,
    places: Vec<Name>,
    glns: Vec<Name>,
    /// The same name for all receipts, and for shipments without a destination.
    lots: Vec<Name>,
    /// The place that goods were sent from.
    from: Vec<Name>,
}

impl Ties {
    fn of(&self, tie: Tie) -> &[Name] {
        match tie {
            Tie::Advice => &self.advices,
            Tie::Place => &self.places,
            Tie::Gln => &self.glns,
            Tie::Lot => &self.lots,
        }
    }

    /// The tie by which the place of sending counts, too: the first of the destinations'. So a receipt and an event that takes the shipment
    /// back are matched in the order of events.
    fn surest(&self) -> Tie {
        let ties = [Tie::Place, Tie::Gln];
        let mut named = ties.into_iter().filter(|tie| !self.of(*tie).is_empty());
        named.next().unwrap_or(Tie::Lot)
    }
}

/// A loose lot in a shipment.
#[derive(Debug)]
struct Shipment {
    at: usize,
    lot: Name,
    ties: Rc<Ties>,
    /// The amount that nothing met yet; `None` if it is not known.
    open: Option<Rc<Amount>>,
    is_met: bool,
    fate: Fate,
}

/// A loose lot in an event that receives it, or takes its shipment back: all of it that is in one unit.
#[derive(Debug)]
struct Receipt {
    at: usize,
    lot: Name,
    ties: Rc<Ties>,
    is_void: bool,
    /// What is not matched with a shipment yet; the inner value is missing if the event gives no amount.
    left: Option<Option<Rc<Amount>>>,
    is_used: bool,
}

/// The receipts of a lot with one name, in order.
#[derive(Debug, Default)]
struct Line {
    receipts: Vec<usize>,
    /// The first that may still be matched. Shipments come in order, so those that were skipped are not needed again.
    next: usize,
}

/// By lot, by name, whether that is the place of sending, and by unit; the last name is for receipts without an amount.
type Lines = BTreeMap<(Name, Name, bool, Option<Name>), Line>;

/// The loose lots in transfers.
#[derive(Debug, Default)]
pub(super) struct Loose {
    names: BTreeMap<String, Name>,
    shipments: Vec<Shipment>,
    receipts: Vec<Receipt>,
    /// The places of receipts in `receipts`, by event, lot and unit; without a unit if the event gives no amount.
    places: BTreeMap<(usize, Name, Option<Name>), usize>,
    fates: BTreeMap<(usize, Name), VecDeque<Fate>>,
}

impl Loose {
    fn name(&mut self, text: &str) -> Name {
        if let Some(name) = self.names.get(text) {
            return *name;
        }
        let name = self.names.len();
        self.names.insert(text.to_owned(), name);
        name
    }

    fn names(&mut self, texts: impl Iterator<Item = String>) -> Vec<Name> {
        let texts = texts.filter(|text| !text.is_empty());
        let mut names: Vec<Name> = texts.map(|text| self.name(&text)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn ties(&mut self, event: &ReportedEvent<'_>, kind: Transfer) -> Rc<Ties> {
        let advices = event.advices().into_iter().take(MAX_NAMED);
        let advices = self.names(advices.map(|advice| thing(&advice)));
        let from = vec![self.name(&place_key(event.place()))];
        if kind == Transfer::Void {
            return Rc::new(Ties { advices, from, ..Ties::default() });
        }
        let is_receipt = kind == Transfer::Received;
        let mut places = event.ends(DESTINATIONS, "location");
        places.truncate(MAX_NAMED);
        let mut parties = event.ends(DESTINATIONS, "possessing_party");
        parties.extend(event.ends(DESTINATIONS, "owning_party"));
        parties.truncate(MAX_NAMED);
        if is_receipt {
            places.extend([event.read_point.clone(), event.biz_location.clone()]);
        }
        let all = places.iter().chain(&parties);
        let glns = self.names(all.map(|end| place_key(end)));
        let lots = if is_receipt || glns.is_empty() { vec![self.name("")] } else { Vec::new() };
        Rc::new(Ties {
            advices,
            places: self.names(places.iter().map(|place| place_key(place))),
            glns,
            lots,
            from,
        })
    }

    /// Adds the loose lots of a shipment, those that count, in the order of the event.
    pub(super) fn add_shipment(&mut self, (at, event): Moment<'_>, counts: &dyn Fn(&str) -> bool) {
        let ties = self.ties(event, Transfer::Sent);
        for quantity in loose(event) {
            let lot = thing(&quantity.class);
            if counts(&lot) {
                let lot = self.name(&lot);
                self.shipments.push(Shipment {
                    at,
                    lot,
                    ties: Rc::clone(&ties),
                    open: quantity.amount(),
                    is_met: false,
                    fate: Fate { all: 1, ..Fate::default() },
                });
            }
        }
    }

    /// Adds the loose lots of an event that receives them, or takes their shipment back.
    pub(super) fn add_receipt(&mut self, (at, event): Moment<'_>, kind: Transfer) {
        let ties = self.ties(event, kind);
        for quantity in loose(event) {
            let amount = quantity.amount();
            let lot = self.name(&thing(&quantity.class));
            let unit = amount.as_ref().map(|amount| self.name(amount.texts().1));
            let known = self.places.get(&(at, lot, unit));
            if let Some(known) = known.and_then(|known| self.receipts.get_mut(*known)) {
                if let Some(left) = &mut known.left {
                    *left = Amount::sum(left.as_ref(), amount.as_ref());
                }
                continue;
            }
            self.places.insert((at, lot, unit), self.receipts.len());
            self.receipts.push(Receipt {
                at,
                lot,
                ties: Rc::clone(&ties),
                is_void: kind == Transfer::Void,
                left: Some(amount),
                is_used: false,
            });
        }
    }

    /// Matches all shipments with all receipts.
    pub(super) fn settle(&mut self) {
        let mut shipments = std::mem::take(&mut self.shipments);
        for round in [Round::Comparable, Round::WithoutAmount, Round::OtherUnit] {
            for tie in [Tie::Advice, Tie::Place, Tie::Gln, Tie::Lot] {
                // A shipment that nothing met yet comes before the rest of one that was met in part.
                for is_unknown in [true, false] {
                    let of_round = shipments.iter_mut().filter(|shipment| {
                        shipment.is_of(round) && shipment.fate.is_unknown() == is_unknown
                    });
                    let mut of_round = of_round.peekable();
                    if of_round.peek().is_none() {
                        continue;
                    }
                    let mut lines = self.lines(tie, round);
                    for shipment in of_round {
                        self.meet(shipment, (tie, round), &mut lines);
                    }
                }
            }
        }
        for shipment in shipments {
            let mut fate = shipment.fate;
            if !fate.is_unknown() && fate.other.is_none() && !shipment.is_met {
                fate.missing = shipment.open;
            }
            let fates = self.fates.entry((shipment.at, shipment.lot));
            fates.or_default().push_back(fate);
        }
    }

    /// The receipts that may still be matched, by their names of a tie.
    fn lines(&mut self, tie: Tie, round: Round) -> Lines {
        let mut lines = Lines::new();
        for number in 0..self.receipts.len() {
            let Some(receipt) = self.receipts.get(number) else { break };
            let unit = match (&receipt.left, round) {
                (None, _) => continue,
                (_, Round::OtherUnit) if receipt.is_used => continue,
                (Some(Some(amount)), Round::Comparable) => Some(amount.texts().1.to_owned()),
                _ => None,
            };
            let (lot, ties) = (receipt.lot, Rc::clone(&receipt.ties));
            let is_void = receipt.is_void;
            let unit = unit.map(|unit| self.name(&unit));
            let mut add = |name: Name, is_from: bool| {
                let line = lines.entry((lot, name, is_from, unit)).or_default();
                line.receipts.push(number);
            };
            ties.of(tie).iter().for_each(|name| add(*name, false));
            if is_void {
                ties.from.iter().for_each(|name| add(*name, true));
            }
        }
        lines
    }

    /// Matches a shipment with the receipts after it that have a tie with it, in order.
    fn meet(&mut self, shipment: &mut Shipment, (tie, round): (Tie, Round), lines: &mut Lines) {
        let open = shipment.open.as_ref().filter(|_| round == Round::Comparable);
        let unit = open.map(|open| self.name(open.texts().1));
        let ties = Rc::clone(&shipment.ties);
        let from = if tie == ties.surest() { ties.from.as_slice() } else { &[] };
        let names = ties.of(tie).iter().map(|name| (*name, false));
        let names = names.chain(from.iter().map(|name| (*name, true)));
        let mut keys: Vec<_> = names
            .flat_map(|(name, is_from)| {
                [unit, None].map(|unit| (shipment.lot, name, is_from, unit))
            })
            .collect();
        keys.dedup();
        while !shipment.is_met
            && let Some(number) = self.first_of(&keys, shipment.at, lines)
            && let Some(receipt) = self.receipts.get_mut(number)
        {
            shipment.take(receipt, round);
        }
    }

    /// The first receipt in these lines, after a shipment, of which something is left.
    fn first_of(
        &self,
        keys: &[(Name, Name, bool, Option<Name>)],
        at: usize,
        lines: &mut Lines,
    ) -> Option<usize> {
        let mut first: Option<usize> = None;
        for key in keys {
            let Some(line) = lines.get_mut(key) else { continue };
            while let Some(number) = line.receipts.get(line.next).copied() {
                let receipt = self.receipts.get(number);
                if receipt.is_some_and(|receipt| receipt.at > at && receipt.left.is_some()) {
                    // They are numbered in the order of events.
                    first = Some(first.map_or(number, |known| known.min(number)));
                    break;
                }
                line.next += 1;
            }
        }
        first
    }

    /// The fate of a loose lot in a shipment: of its next part, if the event names it several times.
    pub(super) fn fate(&mut self, at: usize, lot: &str) -> Option<Fate> {
        let lot = self.names.get(lot)?;
        self.fates.get_mut(&(at, *lot))?.pop_front()
    }

    /// Takes the amount in a receipt that no shipment has. `None` if nothing is left; `Some(None)` if the event gives no amount.
    pub(super) fn take_beyond(
        &mut self,
        at: usize,
        quantity: &Quantity,
    ) -> Option<Option<Rc<Amount>>> {
        let lot = *self.names.get(&thing(&quantity.class))?;
        let amount = quantity.amount();
        let unit = amount.and_then(|amount| self.names.get(amount.texts().1).copied());
        let place = *self.places.get(&(at, lot, unit))?;
        self.receipts.get_mut(place)?.left.take()
    }

    /// Whether a receipt was matched with a shipment.
    pub(super) fn is_receipt_of_shipment(&self, at: usize, lot: &str) -> bool {
        let Some(lot) = self.names.get(lot) else { return false };
        let of_lot = self.places.range((at, *lot, None)..);
        let mut of_lot = of_lot.take_while(|((event, known, _), _)| (*event, *known) == (at, *lot));
        of_lot.any(|(_, place)| {
            let receipt = self.receipts.get(*place);
            receipt.is_some_and(|receipt| receipt.is_used)
        })
    }
}

impl Shipment {
    /// Whether it takes part in a round.
    fn is_of(&self, round: Round) -> bool {
        let is_known = self.open.is_some();
        !self.is_met
            && match round {
                Round::Comparable => is_known,
                Round::WithoutAmount => !is_known,
                Round::OtherUnit => is_known && self.fate.is_unknown(),
            }
    }

    /// Takes as much of a receipt as was sent.
    fn take(&mut self, receipt: &mut Receipt, round: Round) {
        receipt.is_used = true;
        let mut taken = None;
        match (receipt.left.take().flatten(), &self.open) {
            (Some(amount), Some(_)) if round == Round::OtherUnit => {
                self.fate.other = Some(amount);
                self.is_met = true;
            }
            (Some(amount), Some(wanted)) => {
                let more = rest(&amount, wanted).filter(|more| !more.is_used_up());
                let open = rest(wanted, &amount).filter(|open| !open.is_used_up());
                taken = Some(match &more {
                    Some(_) => Rc::clone(wanted),
                    None => amount,
                });
                // An amount beyond the one that was sent belongs to another shipment.
                receipt.left = more.map(Some);
                self.is_met = open.is_none();
                self.open = open;
            }
            _ => self.is_met = true,
        }
        let fate = &mut self.fate;
        let (is_first, sum) = if receipt.is_void {
            let is_first = fate.void == 0;
            (fate.void, fate.voided_by) = (1, fate.voided_by.max(Some(receipt.at)));
            (is_first, &mut fate.voided)
        } else {
            let is_first = fate.received == 0;
            (fate.received, fate.receipt) = (1, fate.receipt.max(Some(receipt.at)));
            (is_first, &mut fate.came)
        };
        *sum = if is_first { taken } else { Amount::sum(sum.as_ref(), taken.as_ref()) };
    }
}

/// The lots that an event names in no unit.
fn loose(event: &ReportedEvent<'_>) -> Vec<Quantity> {
    if !event.parent.is_empty() {
        return Vec::new();
    }
    let mut lots = event.quantities(QUANTITIES);
    lots.extend(event.quantities(CHILD_QUANTITIES));
    lots
}
