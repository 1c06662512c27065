//! The contents of units at one moment, while events are read in order.

use super::amount::Amount;
use super::containment::Reader;
use super::event::Event;
use super::names::{NameNumbers, Thing};
use super::request::Ties;
use epcis_edge_text::json::Value;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The contents of units, by the same rules as for following.
///
/// Memory: the identifiers of all events, and some bytes for each time that something is put into something.
#[derive(Debug)]
pub struct Packing {
    names: NameNumbers,
    through: Ties,
    reader: Reader,
    taken: usize,
}

/// Something inside of a unit.
pub struct Inside<'p> {
    /// The unit that it is directly in, in normal form; the unit itself if its content is not known.
    pub container: &'p str,
    /// Its identifier in normal form.
    pub id: &'p str,
    /// Its identifier as it was first written.
    pub spelling: &'p str,
    /// Whether it is a lot or a class, which may have an amount.
    pub is_quantity: bool,
    /// The amount; `None` if it is not known, and for instances.
    pub amount: Option<&'p Rc<Amount>>,
    /// Whether it, or a unit around it, is chosen.
    pub is_chosen: bool,
}

/// A search in units that are named together. A thing that is found twice counts once.
pub struct Search<'c> {
    /// The number of things that may still be searched.
    pub left: usize,
    /// Whether a thing, given by its identifier in normal form, is chosen; everything inside of a chosen thing is chosen too.
    pub(crate) is_chosen: &'c dyn Fn(&str) -> bool,
    seen: BTreeSet<Thing>,
}

impl<'c> Search<'c> {
    /// A search that takes at most so many things.
    pub fn new(left: usize, is_chosen: &'c dyn Fn(&str) -> bool) -> Self {
        Self { left, is_chosen, seen: BTreeSet::new() }
    }
}

/// The most levels of units inside of units that are searched.
const MAX_LEVELS: usize = 16;

impl Packing {
    /// The state before the first of these events, which are in order of time.
    pub fn before<'d>(events: impl Iterator<Item = Value<'d>>, through: Ties) -> Self {
        let mut names = NameNumbers::default();
        for event in events {
            drop(Event::read(event, (0, Rc::from("")), &mut names));
        }
        let reader = Reader::new(&names, through);
        Self { names, through, reader, taken: 0 }
    }

    /// Goes back before the first event.
    pub fn restart(&mut self) {
        self.reader = Reader::new(&self.names, self.through);
        self.taken = 0;
    }

    /// Takes the next event.
    pub fn take(&mut self, event: Value<'_>) {
        let event = Event::read(event, (0, Rc::from("")), &mut self.names);
        self.reader.take(self.taken, &event, &self.names);
        self.taken += 1;
    }

    /// Calls `take` for each quantity in a unit, at any depth, and for each innermost instance in it; for the unit itself, if its
    /// content is not known. Returns false if `search.left` things were searched before all were found.
    pub fn find<'p>(
        &'p self,
        unit: &str,
        search: &mut Search<'_>,
        take: &mut dyn FnMut(Inside<'p>),
    ) -> bool {
        let Some(unit) = self.names.find(unit) else {
            // All identifiers of the events are known, so no event names this unit.
            return true;
        };
        self.look_into(unit, unit, (MAX_LEVELS, false), search, take)
    }

    /// The lots and classes that are directly in a unit, in normal form, each with its amount, if that is known.
    pub fn lots_in(&self, unit: &str) -> impl Iterator<Item = (&str, Option<&Rc<Amount>>)> {
        let unit = self.names.find(unit);
        let inside = unit.into_iter().flat_map(|unit| self.reader.inside(unit));
        let lots = inside.filter(|(thing, _)| self.names.is_quantity(*thing));
        lots.map(|(thing, amount)| (self.names.id(thing), amount))
    }

    /// The recursion is bounded by the levels.
    fn look_into<'p>(
        &'p self,
        thing: Thing,
        container: Thing,
        (levels, is_chosen): (usize, bool),
        search: &mut Search<'_>,
        take: &mut dyn FnMut(Inside<'p>),
    ) -> bool {
        let Some(left) = search.left.checked_sub(1) else { return false };
        search.left = left;
        // A thing that contains itself, or that is found in two ways, is searched once.
        if levels == 0 || !search.seen.insert(thing) {
            return true;
        }
        let is_chosen = is_chosen || (search.is_chosen)(self.names.id(thing));
        let children: Vec<_> = self.reader.inside(thing).collect();
        let is_innermost = children.is_empty();
        // `inside` gives the newest child first; here the oldest comes first.
        for (child, amount) in children.into_iter().rev() {
            if self.names.is_quantity(child) {
                let Some(left) = search.left.checked_sub(1) else { return false };
                search.left = left;
                let id = self.names.id(child);
                take(Inside {
                    container: self.names.id(thing),
                    id,
                    spelling: self.names.spelling(child),
                    is_quantity: true,
                    amount,
                    is_chosen: is_chosen || (search.is_chosen)(id),
                });
            } else if !self.look_into(child, thing, (levels - 1, is_chosen), search, take) {
                return false;
            }
        }
        if is_innermost {
            take(Inside {
                container: self.names.id(container),
                id: self.names.id(thing),
                spelling: self.names.spelling(thing),
                is_quantity: false,
                amount: None,
                is_chosen,
            });
        }
        true
    }
}
