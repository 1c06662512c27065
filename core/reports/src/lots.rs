//! Where the lots of a report were made, received, worked on and sent, found without reading the events again.

use super::directory::place_key;
use super::event::{ReportedEvent, Transfer};
use epcis_edge_document::event::{DESTINATIONS, LISTS_OF_QUANTITIES};
use epcis_edge_document::identifier::thing;
use epcis_edge_text::slice::Part;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The most shipments of a lot that are searched for its next recipients.
const MAX_SHIPMENTS: usize = 16;

/// A shipment: the event, the place that the lot was sent from, and the destinations, which all lots of the event share.
type Sent = (usize, String, Rc<[String]>);

/// The events about lots, as places in the order of events, by the lot in normal form.
#[derive(Debug, Default)]
pub(super) struct Lots {
    /// The event that made each lot or item.
    made: BTreeMap<String, usize>,
    /// The receipts, by lot and place of the event.
    received: BTreeMap<(String, String), Vec<usize>>,
    cooled: BTreeMap<String, Vec<usize>>,
    /// By lot and place, the last event that cools the lot, or packs it for the first time.
    worked: BTreeMap<(String, String), usize>,
    /// The shipments of each lot.
    sent: BTreeMap<String, Vec<Sent>>,
}

impl Lots {
    /// Reads events, which are in order of time.
    pub(super) fn of(events: &[ReportedEvent<'_>]) -> Self {
        let mut lots = Self::default();
        for (at, event) in events.iter().enumerate() {
            let named = LISTS_OF_QUANTITIES.into_iter().flat_map(|list| event.quantities(list));
            let named: BTreeSet<String> = named.map(|lot| thing(&lot.class)).collect();
            for id in event.made() {
                lots.made.entry(thing(&id)).or_insert(at);
            }
            let transfer = event.transfer();
            let destinations = match transfer {
                Some(Transfer::Sent | Transfer::OnTheWay) => event.partners(DESTINATIONS),
                _ => Vec::new(),
            };
            let destinations: Rc<[String]> = destinations.into();
            let here = place_key(event.place());
            for lot in named {
                if event.step == "receiving" {
                    let received = lots.received.entry((lot.clone(), here.clone()));
                    received.or_default().push(at);
                }
                if event.is_cooling() {
                    lots.cooled.entry(lot.clone()).or_default().push(at);
                    lots.worked.insert((lot.clone(), here.clone()), at);
                }
                if !destinations.is_empty() {
                    let sent = lots.sent.entry(lot).or_default();
                    sent.push((at, here.clone(), Rc::clone(&destinations)));
                }
            }
        }
        lots
    }

    /// Notes that a lot is packed for the first time, at a place.
    pub(super) fn is_packed(&mut self, lot: &str, place: &str, at: usize) {
        let last = self.worked.entry((lot.to_owned(), place_key(place))).or_insert(at);
        *last = at.max(*last);
    }

    /// The event that made a lot or an item.
    pub(super) fn made(&self, thing: &str) -> Option<usize> {
        self.made.get(thing).copied()
    }

    /// The last event before another one that cooled a lot.
    pub(super) fn cooled(&self, lot: &str, before: usize) -> Option<usize> {
        last(self.cooled.get(lot)?, before)
    }

    /// The last event before another one that received a lot at a place.
    pub(super) fn received(&self, lot: &str, place: &str, before: usize) -> Option<usize> {
        let key = (lot.to_owned(), place_key(place));
        last(self.received.get(&key)?, before)
    }

    /// Whether a lot is cooled, or packed for the first time, at a place after an event.
    pub(super) fn is_worked_on(&self, lot: &str, place: &str, after: usize) -> bool {
        let last = self.worked.get(&(lot.to_owned(), place_key(place)));
        last.is_some_and(|last| *last > after)
    }

    /// The destinations of a lot from a place, in an event or later; if nothing is sent from there, those of its next shipment.
    pub(super) fn next_recipients(&self, lot: &str, place: &str, from: usize) -> Vec<String> {
        let Some(sent) = self.sent.get(lot) else { return Vec::new() };
        let first = sent.partition_point(|(at, ..)| *at < from);
        let sent = sent.part(first..);
        let here = place_key(place);
        let from_here = sent.iter().take(MAX_SHIPMENTS).filter(|(_, place, _)| *place == here);
        let mut found: Vec<String> = Vec::new();
        for (.., destinations) in from_here {
            for destination in destinations.iter() {
                if !found.contains(destination) {
                    found.push(destination.clone());
                }
            }
        }
        match sent.first() {
            Some((.., destinations)) if found.is_empty() => destinations.to_vec(),
            _ => found,
        }
    }
}

/// The last of these places before another one.
fn last(places: &[usize], before: usize) -> Option<usize> {
    let count = places.partition_point(|at| *at < before);
    places.get(count.checked_sub(1)?).copied()
}
