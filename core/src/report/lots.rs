//! Where the lots of a report were made, received, worked on and sent, found without reading the events again.

use super::event::Told;
use crate::identifier::thing;
use std::collections::{BTreeMap, BTreeSet};

/// The lists of an event in which lots stand.
const LISTS: [&str; 4] = [
    "quantityList",
    "childQuantityList",
    "inputQuantityList",
    "outputQuantityList",
];

/// What events say of lots: places of events in their order, by the lot in normal form.
#[derive(Debug, Default)]
pub(super) struct Lots {
    made: BTreeMap<String, usize>,
    /// By lot and place of the event.
    received: BTreeMap<(String, String), Vec<usize>>,
    /// By lot and place, the last event that cools the lot or uses it.
    worked: BTreeMap<(String, String), usize>,
    cooled: BTreeMap<String, usize>,
    /// With the destination.
    sent: BTreeMap<String, Vec<(usize, String)>>,
}

impl Lots {
    /// Reads events, which are in order of time.
    pub(super) fn of(events: &[Told<'_>]) -> Self {
        let mut lots = Self::default();
        for (at, event) in events.iter().enumerate() {
            let named = LISTS.iter().flat_map(|list| event.quantities(list));
            let named: BTreeSet<String> = named.map(|lot| thing(&lot.class)).collect();
            let made: &[&str] = match event.kind.as_str() {
                "ObjectEvent" if event.action == "ADD" => &["quantityList"],
                "TransformationEvent" => &["outputQuantityList"],
                _ => &[],
            };
            for lot in made.iter().flat_map(|list| event.quantities(list)) {
                lots.made.entry(thing(&lot.class)).or_insert(at);
            }
            let destination = match event.step.as_str() {
                "transporting" | "shipping" => event.end("destination", "location"),
                _ => String::new(),
            };
            let is_cooling = event.is_cooling();
            for lot in named {
                let here = || (lot.clone(), event.place().to_owned());
                if event.step == "receiving" {
                    lots.received.entry(here()).or_default().push(at);
                }
                if is_cooling || event.kind == "TransformationEvent" {
                    lots.worked.insert(here(), at);
                }
                if is_cooling {
                    lots.cooled.entry(lot.clone()).or_insert(at);
                }
                if !destination.is_empty() {
                    let sent = lots.sent.entry(lot).or_default();
                    sent.push((at, destination.clone()));
                }
            }
        }
        lots
    }

    /// The event that made a lot.
    pub(super) fn made(&self, lot: &str) -> Option<usize> {
        self.made.get(lot).copied()
    }

    /// The first event that cooled a lot.
    pub(super) fn cooled(&self, lot: &str) -> Option<usize> {
        self.cooled.get(lot).copied()
    }

    /// The last event before another one that received a lot at a place.
    pub(super) fn received(&self, lot: &str, place: &str, before: usize) -> Option<usize> {
        let received = self.received.get(&(lot.to_owned(), place.to_owned()))?;
        let count = received.partition_point(|at| *at < before);
        received.get(count.checked_sub(1)?).copied()
    }

    /// Whether a lot is cooled or used at a place, after an event.
    pub(super) fn is_worked_on(&self, lot: &str, place: &str, after: usize) -> bool {
        let last = self.worked.get(&(lot.to_owned(), place.to_owned()));
        last.is_some_and(|last| *last > after)
    }

    /// Where a lot is sent by an event or the first one after it.
    pub(super) fn next_recipient(&self, lot: &str, from: usize) -> &str {
        let Some(sent) = self.sent.get(lot) else {
            return "";
        };
        let first = sent.partition_point(|(at, _)| *at < from);
        sent.get(first).map_or("", |(_, place)| place)
    }
}
