//! Transformations: the events with one `transformationID`, or one event without (EPCIS 2.0, 7.4.5).

use super::event::{Moment, Quantity, ReportedEvent};
use super::moved::{Makings, by_product};
use epcis_edge_document::event::{INPUT_QUANTITIES, INPUTS, OUTPUT_QUANTITIES, OUTPUTS};
use epcis_edge_document::identifier::thing;
use epcis_edge_text::slice::OrEmpty;
use std::collections::BTreeMap;

/// The places of the events of each transformation.
pub(super) type Transformations = BTreeMap<(String, usize), Vec<usize>>;

/// What tells transformations apart: the `transformationID`; without one, the place of the event.
pub(super) fn key((at, event): Moment<'_>) -> (String, usize) {
    match thing(&event.transformation) {
        name if name.is_empty() => (name, at),
        name => (name, 0),
    }
}

/// The transformations in events.
pub(super) fn transformations(events: &[ReportedEvent<'_>]) -> Transformations {
    let mut all = Transformations::new();
    for (at, event) in events.iter().enumerate() {
        if event.kind == "TransformationEvent" {
            all.entry(key((at, event))).or_default().push(at);
        }
    }
    all
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

/// The inputs, or the outputs, of the events at these places.
pub(super) fn parts(
    events: &[ReportedEvent<'_>],
    places: &[usize],
    are_inputs: bool,
    makings: &Makings,
) -> Vec<Part> {
    let lists = if are_inputs { (INPUTS, INPUT_QUANTITIES) } else { (OUTPUTS, OUTPUT_QUANTITIES) };
    let moments = places.iter().filter_map(|at| Some((*at, events.get(*at)?)));
    moments.flat_map(|moment| named(moment, lists, makings, &|_| true)).collect()
}

/// What two lists of an event name, as far as it is chosen: the list of items, and that of lots.
pub(super) fn named(
    (at, event): Moment<'_>,
    (items, lots): (u8, u8),
    makings: &Makings,
    is_chosen: &dyn Fn(&str) -> bool,
) -> Vec<Part> {
    let lots = event.quantities(lots).into_iter().filter(|lot| is_chosen(&lot.class));
    let lots = lots.map(|quantity| Part {
        at,
        lot: makings.get(&quantity.class).lot.to_string(),
        thing: thing(&quantity.class),
        is_asked: event.is_about(&quantity.class),
        quantity,
    });
    let mut items = event.ids(items);
    items.retain(|item| is_chosen(item));
    let items = by_product(&items, makings).into_iter().map(|group| Part {
        at,
        lot: group.made.lot.to_string(),
        thing: group.serials.first().map(|item| thing(item)).or_empty(),
        is_asked: group.serials.iter().any(|item| event.is_about(item)),
        quantity: group.quantity,
    });
    lots.chain(items).collect()
}
