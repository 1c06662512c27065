//! Transformations: the events with one `transformationID`, or one event without (EPCIS 2.0, 7.4.5).

use super::event::{Quantity, ReportedEvent};
use super::moved::{Makings, by_product};
use epcis_edge_document::event::{INPUT_QUANTITIES, INPUTS, OUTPUT_QUANTITIES, OUTPUTS};
use epcis_edge_document::identifier::thing;
use epcis_edge_text::slice::OrEmpty;
use std::collections::BTreeMap;

/// The transformations in events.
#[derive(Debug, Default)]
pub(super) struct Transformations {
    /// For each transformation, the places of its events.
    events: Vec<Vec<usize>>,
    /// The number of the transformation, by the place of an event.
    of: BTreeMap<usize, usize>,
}

/// An input or an output: a lot, or items of a product that were made together.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The place of the event that names it.
    pub(super) at: usize,
    pub(super) quantity: Quantity,
    /// The lot code; empty if it has none.
    pub(super) lot: String,
    /// What was used or made, in normal form: the lot, or one of the items.
    pub(super) thing: String,
    /// Whether the report is about it.
    pub(super) is_asked: bool,
}

impl Transformations {
    /// Reads events.
    pub(super) fn of(events: &[ReportedEvent<'_>]) -> Self {
        let mut all = Self::default();
        let mut named: BTreeMap<String, usize> = BTreeMap::new();
        for (at, event) in events.iter().enumerate() {
            if event.kind != "TransformationEvent" {
                continue;
            }
            let next = all.events.len();
            let number = match thing(&event.transformation) {
                name if name.is_empty() => next,
                name => *named.entry(name).or_insert(next),
            };
            if number == next {
                all.events.push(Vec::new());
            }
            if let Some(events) = all.events.get_mut(number) {
                events.push(at);
            }
            all.of.insert(at, number);
        }
        all
    }

    /// The places of the events of each transformation.
    pub(super) fn all(&self) -> impl Iterator<Item = &[usize]> {
        self.events.iter().map(Vec::as_slice)
    }

    /// The places of the events of the transformation that an event belongs to.
    pub(super) fn with(&self, at: usize) -> &[usize] {
        let number = self.of.get(&at).copied();
        let events = number.and_then(|number| self.events.get(number));
        events.map_or(&[], Vec::as_slice)
    }
}

/// The inputs, or the outputs, of the events at these places.
pub(super) fn parts(
    events: &[ReportedEvent<'_>],
    places: &[usize],
    are_inputs: bool,
    makings: &Makings,
) -> Vec<Part> {
    let (items, lots) =
        if are_inputs { (INPUTS, INPUT_QUANTITIES) } else { (OUTPUTS, OUTPUT_QUANTITIES) };
    let mut found = Vec::new();
    for at in places {
        let Some(event) = events.get(*at) else {
            continue;
        };
        for quantity in event.quantities(lots) {
            found.push(Part {
                at: *at,
                lot: makings.get(&quantity.class).lot.to_string(),
                thing: thing(&quantity.class),
                is_asked: event.is_about(&quantity.class),
                quantity,
            });
        }
        for group in by_product(&event.ids(items), makings) {
            let first = group.serials.first();
            found.push(Part {
                at: *at,
                lot: group.made.lot.to_string(),
                thing: first.map(|item| thing(item)).or_empty(),
                is_asked: group.serials.iter().any(|item| event.is_about(item)),
                quantity: group.quantity,
            });
        }
    }
    found
}
