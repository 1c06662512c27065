//! Which thing was inside of which, from which event to which.
//!
//! `crate::containment` defines what an event says about the place of a thing.

use super::amount::Amount;
use super::by_thing::ByThing;
use super::event::{Event, Reference, Role};
use super::names::{NameNumbers, Thing};
use super::request::Ties;
use super::spans::Span;
use crate::containment::{Action, Effect};
use epcis_edge_document::field::{AGGREGATION, ASSOCIATION};
use epcis_edge_text::slice::Part;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A child in a parent. Both events, which put it in and took it out, belong to the interval.
#[derive(Clone, Debug)]
pub(super) struct Stay {
    pub(super) child: Thing,
    pub(super) parent: Thing,
    /// The first event, as its place in the order.
    pub(super) from: usize,
    /// The last event; `None` if it is still inside.
    pub(super) to: Option<usize>,
    /// Whether it was only observed inside: no event that put it in was found.
    pub(super) is_observed: bool,
    /// Whether its end is implied: no event says that it was taken out.
    pub(super) is_implied: bool,
    /// Whether an AssociationEvent tied it.
    pub(super) is_association: bool,
    /// The amount of a lot or class that was put in.
    pub(super) amount: Option<Rc<Amount>>,
}

impl Stay {
    /// The part of a range of events in which the child was inside; both ends belong to it.
    pub(super) fn within(&self, (from, to): (usize, usize)) -> Option<(usize, usize)> {
        let from = from.max(self.from);
        let to = to.min(self.to.unwrap_or(usize::MAX));
        (from <= to).then_some((from, to))
    }
}

/// All stays, found by child and by parent.
#[derive(Debug, Default)]
pub(super) struct Containment {
    stays: Vec<Stay>,
    by_child: Stays,
    by_parent: Stays,
}

impl Containment {
    /// The stays by the effective events, in their order.
    pub(super) fn of(
        events: &[Event<'_>],
        is_void: &[bool],
        names: &NameNumbers,
        through: Ties,
    ) -> Self {
        let things = names.len();
        let mut reader = Reader::new(names, through);
        for (at, event) in events.iter().enumerate() {
            if is_void.get(at) != Some(&true) {
                reader.take(at, event, names);
            }
        }
        // The list is made in the memory of the longer entries before it.
        let mut stays: Vec<Stay> = reader.stays.into_iter().map(|open| open.stay).collect();
        stays.shrink_to_fit();
        let by = |thing: fn(&Stay) -> Thing| {
            let entries = (0..).zip(&stays);
            let entry = |(number, stay): (u32, &Stay)| {
                (thing(stay), (number, stay.to.map_or(u32::MAX, |to| to as u32)))
            };
            let mut lists = Stays::of(things, entries.map(entry));
            lists.each(|list| {
                let mut latest = 0;
                for (_, ended) in list {
                    latest = latest.max(*ended);
                    *ended = latest;
                }
            });
            lists
        };
        Self { by_child: by(|stay| stay.child), by_parent: by(|stay| stay.parent), stays }
    }

    /// The stays of a list that may be within a range of events, in order.
    fn listed<'c>(
        &'c self,
        list: &'c [(u32, u32)],
        (from, to): Span,
    ) -> impl Iterator<Item = &'c Stay> {
        let first = list.partition_point(|(_, ended)| (*ended as usize) < from);
        let stays = list.part(first..).iter();
        let stays = stays.filter_map(|(number, _)| self.stays.get(*number as usize));
        stays.take_while(move |stay| stay.from <= to)
    }

    /// The stays of a child that may be within a range of events, in order.
    pub(super) fn of_child(&self, child: Thing, span: Span) -> impl Iterator<Item = &Stay> {
        self.listed(self.by_child.get(child), span)
    }

    /// The stays in a parent that may be within a range of events, in order.
    pub(super) fn in_parent(&self, parent: Thing, span: Span) -> impl Iterator<Item = &Stay> {
        self.listed(self.by_parent.get(parent), span)
    }
}

/// The stays of each thing by their numbers, in the order of their beginning, each with the last event of itself and all before it.
type Stays = ByThing<(u32, u32)>;

/// A stay while events are read.
#[derive(Debug)]
struct Open {
    stay: Stay,
    is_quantity: bool,
    /// The amount of a lot that is still inside; `None` if it is not known.
    rest: Option<Rc<Amount>>,
    /// The stays in the same parent that began before it and after it, and have not ended either.
    before: Option<u32>,
    after: Option<u32>,
}

/// An index for a thing and the kind of its tie, packing or association: a sensor may be tied to a crate that stands on a pallet.
#[derive(Clone, Copy)]
struct Place(usize);

impl Place {
    fn of(thing: Thing, is_association: bool) -> Self {
        Self(2 * thing.number() + usize::from(is_association))
    }
}

/// The contents of things after the events that were read.
#[derive(Debug)]
pub(super) struct Reader {
    through: Ties,
    stays: Vec<Open>,
    /// The open stay of each instance, by its place: an instance is in one parent.
    open: Vec<Option<u32>>,
    /// The open stays of lots and classes, by place and parent.
    open_lots: BTreeMap<(usize, Thing), u32>,
    /// The last open stay in each parent, by the parent's place.
    inside: Vec<Option<u32>>,
    /// The stays that the last event began, changed or ended.
    changed: Vec<u32>,
}

impl Reader {
    /// The state before any event. `names`: those of all events.
    pub(super) fn new(names: &NameNumbers, through: Ties) -> Self {
        let places = 2 * names.len();
        Self {
            through,
            stays: Vec::new(),
            open: vec![None; places],
            open_lots: BTreeMap::new(),
            inside: vec![None; places],
            changed: Vec::new(),
        }
    }

    /// Takes the next event, which must be effective.
    pub(super) fn take(&mut self, at: usize, event: &Event<'_>, names: &NameNumbers) {
        self.changed.clear();
        let is_association = event.kind == ASSOCIATION;
        if is_association && !self.through.association {
            return;
        }
        let mut parents = event.references.iter();
        let parent = parents.find(|reference| reference.role == Role::Parent);
        let parent = parent.map(|parent| parent.thing);
        let mut is_without_children = true;
        for named in &event.references {
            let effect = event.mention(named.role).and_then(|mention| mention.effect());
            let Some(effect) = effect else { continue };
            is_without_children &= !named.role.is_child();
            let is_quantity = names.is_quantity(named.thing);
            match parent.filter(|_| named.role.is_child()) {
                Some(parent) if is_quantity => {
                    self.lot(at, event, named, (parent, is_association));
                }
                Some(parent) => {
                    self.instance((at, event), named.thing, effect, (parent, is_association))
                }
                // A thing that ends is in no parent, neither packed nor associated.
                None if effect == Effect::End && !is_quantity => {
                    for is_association in [false, true] {
                        self.instance(
                            (at, event),
                            named.thing,
                            effect,
                            (named.thing, is_association),
                        );
                    }
                }
                None => {}
            }
        }
        let is_unpacking =
            matches!(event.kind, AGGREGATION | ASSOCIATION) && event.action == Some(Action::Delete);
        if let Some(parent) = parent.filter(|_| is_unpacking && is_without_children) {
            let inside = Place::of(parent, is_association);
            while let Some(number) = self.inside.get(inside.0).copied().flatten() {
                self.end(number, at, false);
            }
        }
    }

    /// The stays that the last event began, changed or ended, each with the amount that is still inside, if that is known.
    pub(super) fn changed(&self) -> impl Iterator<Item = (&Stay, Option<&Rc<Amount>>)> {
        let changed = self.changed.iter().filter_map(|number| self.stays.get(*number as usize));
        changed.map(|open| (&open.stay, open.rest.as_ref()))
    }

    /// The things directly inside of a thing now, each with its amount, if that is known.
    pub(super) fn inside(
        &self,
        parent: Thing,
    ) -> impl Iterator<Item = (Thing, Option<&Rc<Amount>>)> {
        let lists = [false, true].map(|is_association| {
            let last = self.inside.get(Place::of(parent, is_association).0);
            let stay = |number: u32| self.stays.get(number as usize);
            let first = last.copied().flatten().and_then(stay);
            std::iter::successors(first, move |open| open.before.and_then(stay))
        });
        let all = lists.into_iter().flatten();
        all.map(|open| (open.stay.child, open.rest.as_ref()))
    }

    /// Puts an instance where an event says that it is.
    fn instance(
        &mut self,
        (at, event): (usize, &Event<'_>),
        thing: Thing,
        effect: Effect,
        (parent, is_association): (Thing, bool),
    ) {
        let place = Place::of(thing, is_association);
        let open = self.open.get(place.0).copied().flatten();
        let now = open.and_then(|number| Some(self.stays.get(number as usize)?.stay.parent));
        let next = effect.after(&thing, now, parent);
        if next == now {
            return;
        }
        if let Some(number) = open {
            self.end(number, at, effect != Effect::Out);
        }
        if let Some(parent) = next {
            let tie = (parent, is_association);
            let number = self.begin((at, event), (thing, false), tie, None);
            if let Some(open) = self.open.get_mut(place.0) {
                *open = Some(number);
            }
        }
    }

    /// Puts some of a lot into a parent, or takes it out.
    fn lot(
        &mut self,
        at: usize,
        event: &Event<'_>,
        child: &Reference,
        (parent, is_association): (Thing, bool),
    ) {
        if child.thing == parent {
            return;
        }
        let place = Place::of(child.thing, is_association);
        let known = self.open_lots.get(&(place.0, parent)).copied();
        self.changed.extend(known);
        let open = known.and_then(|number| self.stays.get_mut(number as usize));
        match (open, event.action) {
            (Some(open), Some(Action::Add)) => {
                open.rest = Amount::sum(open.rest.as_ref(), child.amount.as_ref());
                open.stay.amount = Amount::sum(open.stay.amount.as_ref(), child.amount.as_ref());
            }
            (Some(open), Some(Action::Delete)) => {
                if let Some(taken) = &child.amount {
                    let rest = open.rest.as_ref().and_then(|rest| rest.minus(taken));
                    open.rest = rest.map(Rc::new);
                    if !open.rest.as_ref().is_some_and(|rest| rest.is_used_up()) {
                        return;
                    }
                }
                if let Some(number) = known {
                    self.end(number, at, false);
                }
            }
            (None, Some(Action::Add | Action::Observe)) => {
                let amount = child.amount.clone();
                let tie = (parent, is_association);
                let number = self.begin((at, event), (child.thing, true), tie, amount);
                self.open_lots.insert((place.0, parent), number);
            }
            _ => {}
        }
    }

    /// Begins a stay, and returns its number.
    fn begin(
        &mut self,
        (at, event): (usize, &Event<'_>),
        (child, is_quantity): (Thing, bool),
        (parent, is_association): (Thing, bool),
        amount: Option<Rc<Amount>>,
    ) -> u32 {
        let number = self.stays.len() as u32;
        self.changed.push(number);
        let inside = Place::of(parent, is_association);
        let last = self.inside.get_mut(inside.0);
        let before = last.and_then(|last| last.replace(number));
        if let Some(before) = before.and_then(|before| self.stays.get_mut(before as usize)) {
            before.after = Some(number);
        }
        self.stays.push(Open {
            stay: Stay {
                child,
                parent,
                from: at,
                to: None,
                is_observed: event.action == Some(Action::Observe),
                is_implied: false,
                is_association,
                amount: amount.clone(),
            },
            is_quantity,
            rest: amount,
            before,
            after: None,
        });
        number
    }

    fn end(&mut self, number: u32, at: usize, is_implied: bool) {
        let Some(open) = self.stays.get_mut(number as usize) else { return };
        let stay = &mut open.stay;
        if stay.to.is_some() {
            return;
        }
        self.changed.push(number);
        stay.to = Some(at);
        stay.is_implied = is_implied;
        let place = Place::of(stay.child, stay.is_association);
        let inside = Place::of(stay.parent, stay.is_association);
        if open.is_quantity {
            self.open_lots.remove(&(place.0, stay.parent));
        } else if let Some(open) = self.open.get_mut(place.0) {
            *open = None;
        }
        let (before, after) = (open.before.take(), open.after.take());
        if let Some(before) = before.and_then(|before| self.stays.get_mut(before as usize)) {
            before.after = after;
        }
        match after.and_then(|after| self.stays.get_mut(after as usize)) {
            Some(after) => after.before = before,
            None => {
                if let Some(last) = self.inside.get_mut(inside.0) {
                    *last = before;
                }
            }
        }
    }
}
