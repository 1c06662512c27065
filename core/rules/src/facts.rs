//! The facts about a document that the rules of a pack need, collected before any of them runs.

use super::fuel::{self, Fuel};
use super::path::Path;
use epcis_edge_document::identifier::{product, thing};
use epcis_edge_text::json::Value;
use epcis_edge_text::slice::Known;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How many events must fulfil a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    Some,
    Every,
    No,
}

/// The place from which a value is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The event that brings the thing into being.
    Made,
    /// A value in that event: the number of its path in the pack.
    InMade(usize),
    /// The first event, in document order, that packs something into the thing.
    Packed,
    /// The first event, in document order, that puts the thing into another one.
    Put,
    /// The first shipment, in document order, that names the thing; else the one of a unit that it was put into.
    Shipped,
    /// A value in that event: the number of its path in the pack.
    InShipped(usize),
    /// The element of master data: the number of its vocabulary in the pack.
    Element(usize),
    /// The value of an attribute of that element: the numbers of the vocabulary and of the attribute in the pack.
    Attribute(usize, usize),
}

/// Values that must be the same in all events with the same product and the same further value: the expiry of a lot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Conflict {
    pub(super) class: Path,
    pub(super) by: Path,
    pub(super) value: Path,
}

/// The most levels of units inside of units that are searched.
const MAX_LEVELS: usize = 16;

/// The event that made or shipped a thing.
#[derive(Debug)]
pub(super) struct OriginEvent {
    pub(super) event: u32,
    /// The first value at each path of `in_made` or `in_shipped` in the needs of the pack.
    pub(super) values: Vec<Option<u32>>,
}

/// Events, and for each thing, by its normal form, the place of its event among them.
#[derive(Debug, Default)]
pub(super) struct ByThing {
    pub(super) events: Vec<OriginEvent>,
    pub(super) places: BTreeMap<String, usize>,
}

impl ByThing {
    fn get(&self, thing: &str) -> Option<&OriginEvent> {
        self.events.get(*self.places.get(thing)?)
    }
}

/// An element of master data in the header.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) value: u32,
    /// The first value of each attribute in the needs of the pack.
    pub(super) attributes: Vec<Option<u32>>,
}

/// How many events there are, and how many of them fulfil a condition.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fulfilled {
    pub(super) events: usize,
    pub(super) fulfil: usize,
}

/// The facts about a document for one pack. Values are given by their numbers.
#[derive(Debug, Default)]
pub(super) struct PackFacts {
    pub(super) made: ByThing,
    pub(super) shipped: ByThing,
    pub(super) packed: BTreeMap<String, u32>,
    /// For each thing: the event that puts it into another one, and that other thing.
    pub(super) put: BTreeMap<String, (u32, String)>,
    /// For each vocabulary of the pack: its elements in the header, by identifier.
    pub(super) elements: Vec<BTreeMap<String, Element>>,
    /// The elements of master data in which an attribute has another text than in an earlier element with the same identifier.
    pub(super) unlike: BTreeSet<u32>,
    pub(super) events: Vec<Fulfilled>,
    pub(super) conflicts: Vec<(Conflict, ByProduct)>,
    /// The release that the document follows, as its place among those of the pack.
    pub(super) release: Option<usize>,
    /// Whether the pack is for another kind of document.
    pub(super) is_foreign: bool,
    /// The events that do not count because of an error declaration: rules are not applied to them.
    pub(super) void: Option<Void>,
    /// The identifier that was looked up last, and its normal form.
    last: RefCell<(String, Rc<str>)>,
}

/// The numbers of events.
pub(super) type Void = Rc<BTreeSet<u32>>;

/// For a product and a further value: the first value that an event gave.
pub(super) type ByProduct = BTreeMap<(String, String), String>;

impl PackFacts {
    /// No facts yet. `void`: the events that rules are not applied to.
    pub(super) fn without(void: Option<Void>) -> Self {
        Self { void, ..Self::default() }
    }

    /// The value that belongs to an identifier; none without fuel.
    pub(super) fn joined(&self, place: Place, id: &str, fuel: &Fuel) -> Option<u32> {
        let count = match place {
            Place::Made | Place::InMade(_) => self.made.places.len(),
            Place::Packed => self.packed.len(),
            Place::Put => self.put.len(),
            Place::Shipped | Place::InShipped(_) => self.shipped.places.len(),
            Place::Element(vocabulary) | Place::Attribute(vocabulary, _) => {
                self.elements.get(vocabulary).map_or(0, BTreeMap::len)
            }
        };
        if !fuel.take_with(|| fuel::look_up(id.len(), count)) {
            return None;
        }
        match place {
            Place::Made => self.made.get(&self.thing(id)).map(|told| told.event),
            Place::InMade(path) => {
                let told = self.made.get(&self.thing(id))?;
                told.values.get(path).copied().flatten()
            }
            Place::Packed => self.packed.get(&*self.thing(id)).copied(),
            Place::Put => self.put.get(&*self.thing(id)).map(|(event, _)| *event),
            Place::Shipped => self.shipment(id, fuel).map(|told| told.event),
            Place::InShipped(path) => self.shipment(id, fuel)?.values.get(path).copied().flatten(),
            Place::Element(vocabulary) => self.element(vocabulary, id).map(|found| found.value),
            Place::Attribute(vocabulary, attribute) => {
                let element = self.element(vocabulary, id)?;
                element.attributes.get(attribute).copied().flatten()
            }
        }
    }

    /// Whether an attribute of an element of master data has another text than in an earlier element with the same identifier.
    pub(super) fn is_unlike_before(&self, element: Value<'_>) -> bool {
        self.unlike.contains(&element.number())
    }

    /// Whether rules are not applied to an event.
    pub(super) fn is_void(&self, event: Value<'_>) -> bool {
        self.void.as_ref().is_some_and(|void| void.contains(&event.number()))
    }

    /// The first shipment, in document order, that names a thing; else the one of a unit that it was put into. It is asked which event of
    /// the document tells of a thing, whenever that was, so it does not follow the thing through time.
    fn shipment(&self, id: &str, fuel: &Fuel) -> Option<&OriginEvent> {
        let first = self.thing(id);
        let mut outer: &str = &first;
        for _ in 0..MAX_LEVELS {
            if !fuel.take_with(|| 2 * fuel::look_up(outer.len(), self.put.len())) {
                return None;
            }
            if let Some(told) = self.shipped.get(outer) {
                return Some(told);
            }
            (_, outer) = self.put.get(outer).map(|(event, parent)| (*event, parent.as_str()))?;
        }
        None
    }

    fn element(&self, vocabulary: usize, id: &str) -> Option<&Element> {
        let elements = self.elements.get(vocabulary)?;
        // A product has one element for all of its instances and lots.
        let direct = elements.get(&*self.thing(id));
        direct.or_else(|| elements.get(&product(id)))
    }

    /// The normal form of an identifier. It is kept, because several rules in a row ask for the same one.
    fn thing(&self, id: &str) -> Rc<str> {
        let mut last = self.last.borrow_mut();
        if last.0 != id {
            *last = (id.to_owned(), thing(id).into());
        }
        last.1.clone()
    }

    /// Whether as many events fulfil a condition as a rule wants: some, all, or none.
    pub(super) fn events(&self, number: usize, wanted: Share) -> bool {
        let found = self.events.get(number).copied().known();
        match wanted {
            Share::Some => found.fulfil > 0,
            Share::Every => found.fulfil == found.events,
            Share::No => found.fulfil == 0,
        }
    }
}
