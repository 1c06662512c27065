//! What was inside of what, from which event to which.
//!
//! **Source**: EPCIS 2.0, 7.4.3 (AggregationEvent) and 7.4.6 (AssociationEvent).
//!
//! What does an event say that contradicts an earlier one?
//! The later one counts. An instance that is found in another parent is out of the first (`implied`); one that is taken out of a parent
//! in which it is not, stays where it is. An input of a transformation is nowhere any more, nor is what an ObjectEvent DELETE ends.

use super::amount::Amount;
use super::by_thing::ByThing;
use super::event::{Action, Event, EventKind, Reference, Role};
use super::names::{Names, Thing};
use super::request::Ties;
use super::spans::Span;
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
    /// Whether it was not taken out by an event that says so.
    pub(super) is_implied: bool,
    /// Whether an AssociationEvent tied it.
    pub(super) is_association: bool,
    /// How much of a lot or class was put in.
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
    /// The stays that effective events tell, in their order.
    pub(super) fn of(events: &[Event<'_>], is_void: &[bool], names: &Names, through: Ties) -> Self {
        let things = names.len();
        let mut reader = Reader::new(names, through);
        for (at, event) in events.iter().enumerate() {
            if is_void.get(at) != Some(&true) {
                reader.take(at, event, names);
            }
        }
        let stays: Vec<Stay> = reader.stays.into_iter().map(|open| open.stay).collect();
        let by = |thing: fn(&Stay) -> Thing| {
            let entries = (0..).zip(&stays);
            let entry = |(number, stay): (u32, &Stay)| {
                (thing(stay), (number, stay.to.unwrap_or(usize::MAX)))
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
        Self {
            by_child: by(|stay| stay.child),
            by_parent: by(|stay| stay.parent),
            stays,
        }
    }

    /// The stays of a list that may be within a range of events, in order.
    fn listed<'c>(
        &'c self,
        list: &'c [(u32, usize)],
        (from, to): Span,
    ) -> impl Iterator<Item = &'c Stay> {
        let first = list.partition_point(|(_, ended)| *ended < from);
        let stays = list.get(first..).unwrap_or_default().iter();
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
type Stays = ByThing<(u32, usize)>;

/// A stay while events are read.
#[derive(Debug)]
struct Open {
    stay: Stay,
    is_quantity: bool,
    /// How much of a lot is still inside; `None` if that is not known.
    rest: Option<Rc<Amount>>,
    /// The stays in the same parent that began before it and after it, and have not ended either.
    before: Option<usize>,
    after: Option<usize>,
}

/// A thing, and whether an association is meant: a sensor may be tied to a crate that stands on a pallet. As the place in a list.
#[derive(Clone, Copy)]
struct Place(usize);

impl Place {
    fn of(thing: Thing, is_association: bool) -> Self {
        Self(2 * thing.number() + usize::from(is_association))
    }

    fn is_association(self) -> bool {
        self.0 % 2 == 1
    }
}

/// What is inside of what, after the events that were read.
#[derive(Debug)]
pub(super) struct Reader {
    through: Ties,
    stays: Vec<Open>,
    /// The stay of each instance that has not ended, by its place: it is in one parent.
    open: Vec<Option<usize>>,
    /// The stays of lots and classes that have not ended, by place and parent.
    open_lots: BTreeMap<(usize, Thing), usize>,
    /// The last stay in each parent that has not ended, by the parent's place.
    inside: Vec<Option<usize>>,
}

impl Reader {
    /// Before any event. `names`: those of all events.
    pub(super) fn new(names: &Names, through: Ties) -> Self {
        let places = 2 * names.len();
        Self {
            through,
            stays: Vec::new(),
            open: vec![None; places],
            open_lots: BTreeMap::new(),
            inside: vec![None; places],
        }
    }

    /// Takes up the next event, which counts.
    pub(super) fn take(&mut self, at: usize, event: &Event<'_>, names: &Names) {
        match event.kind {
            EventKind::Aggregation => self.moved(at, event, false, names),
            EventKind::Association if self.through.association => {
                self.moved(at, event, true, names);
            }
            EventKind::Transformation => self.ended(at, event, Role::is_input, names),
            EventKind::Object if event.action == Some(Action::Delete) => {
                self.ended(at, event, |role| role == Role::Epc, names);
            }
            _ => {}
        }
    }

    /// What is directly inside of a thing now: each with how much of it, if that is known.
    pub(super) fn inside(
        &self,
        parent: Thing,
    ) -> impl Iterator<Item = (Thing, Option<&Rc<Amount>>)> {
        let lists = [false, true].map(|is_association| {
            let last = self.inside.get(Place::of(parent, is_association).0);
            let stay = |number: usize| self.stays.get(number);
            let first = last.copied().flatten().and_then(stay);
            std::iter::successors(first, move |open| open.before.and_then(stay))
        });
        let all = lists.into_iter().flatten();
        all.map(|open| (open.stay.child, open.rest.as_ref()))
    }

    /// Packs, unpacks or observes the children of an event.
    fn moved(&mut self, at: usize, event: &Event<'_>, is_association: bool, names: &Names) {
        let mut parents = event.references.iter();
        let parent = parents.find(|reference| reference.role == Role::Parent);
        let (Some(parent), Some(action)) = (parent, event.action) else {
            return;
        };
        let parent = parent.thing;
        let children = event
            .references
            .iter()
            .filter(|child| child.role.is_child());
        let mut is_without_children = true;
        for child in children {
            is_without_children = false;
            if child.thing == parent {
                continue;
            }
            let place = Place::of(child.thing, is_association);
            let is_quantity = names.is_quantity(child.thing);
            match action {
                Action::Delete => self.taken_out(at, child, parent, place, is_quantity),
                Action::Add | Action::Observe => {
                    self.found_inside(at, child, parent, (place, is_quantity), action);
                }
            }
        }
        if is_without_children && action == Action::Delete {
            let inside = Place::of(parent, is_association);
            while let Some(number) = self.inside.get(inside.0).copied().flatten() {
                self.end(number, at, false);
            }
        }
    }

    fn found_inside(
        &mut self,
        at: usize,
        child: &Reference,
        parent: Thing,
        (place, is_quantity): (Place, bool),
        action: Action,
    ) {
        if let Some(open) = self.open_in(place, parent, is_quantity) {
            let open = self.stays.get_mut(open);
            if let (Some(open), Action::Add) = (open, action) {
                open.rest = sum(open.rest.as_ref(), child.amount.as_ref());
                open.stay.amount = sum(open.stay.amount.as_ref(), child.amount.as_ref());
            }
            return;
        }
        let number = self.stays.len();
        if is_quantity {
            self.open_lots.insert((place.0, parent), number);
        } else {
            self.end_instance(place, at);
            if let Some(open) = self.open.get_mut(place.0) {
                *open = Some(number);
            }
        }
        let inside = Place::of(parent, place.is_association());
        let last = self.inside.get_mut(inside.0);
        let before = last.and_then(|last| last.replace(number));
        if let Some(before) = before.and_then(|before| self.stays.get_mut(before)) {
            before.after = Some(number);
        }
        self.stays.push(Open {
            stay: Stay {
                child: child.thing,
                parent,
                from: at,
                to: None,
                is_observed: action == Action::Observe,
                is_implied: false,
                is_association: place.is_association(),
                amount: child.amount.clone(),
            },
            is_quantity,
            rest: child.amount.clone(),
            before,
            after: None,
        });
    }

    /// The stay of a thing in a parent that has not ended.
    fn open_in(&self, place: Place, parent: Thing, is_quantity: bool) -> Option<usize> {
        if is_quantity {
            return self.open_lots.get(&(place.0, parent)).copied();
        }
        let number = self.open.get(place.0).copied().flatten()?;
        let open = self.stays.get(number)?;
        (open.stay.parent == parent).then_some(number)
    }

    /// Takes a child, or some of a lot, out of its parent.
    fn taken_out(
        &mut self,
        at: usize,
        child: &Reference,
        parent: Thing,
        place: Place,
        is_quantity: bool,
    ) {
        let Some(number) = self.open_in(place, parent, is_quantity) else {
            return;
        };
        if let Some(taken) = &child.amount
            && let Some(open) = self.stays.get_mut(number)
        {
            open.rest = open
                .rest
                .as_ref()
                .and_then(|rest| rest.minus(taken))
                .map(Rc::new);
            if !open.rest.as_ref().is_some_and(|rest| rest.is_used_up()) {
                return;
            }
        }
        self.end(number, at, false);
    }

    /// Ends the stays of the instances that an event uses up or ends.
    fn ended(&mut self, at: usize, event: &Event<'_>, ends: fn(Role) -> bool, names: &Names) {
        for ended in &event.references {
            if ends(ended.role) && !names.is_quantity(ended.thing) {
                self.end_instance(Place::of(ended.thing, false), at);
                self.end_instance(Place::of(ended.thing, true), at);
            }
        }
    }

    /// Ends the stay of an instance, if it is in a parent.
    fn end_instance(&mut self, place: Place, at: usize) {
        if let Some(number) = self.open.get(place.0).copied().flatten() {
            self.end(number, at, true);
        }
    }

    fn end(&mut self, number: usize, at: usize, is_implied: bool) {
        let Some(open) = self.stays.get_mut(number) else {
            return;
        };
        let stay = &mut open.stay;
        if stay.to.is_some() {
            return;
        }
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
        if let Some(before) = before.and_then(|before| self.stays.get_mut(before)) {
            before.after = after;
        }
        match after.and_then(|after| self.stays.get_mut(after)) {
            Some(after) => after.before = before,
            None => {
                if let Some(last) = self.inside.get_mut(inside.0) {
                    *last = before;
                }
            }
        }
    }
}

/// The sum of two amounts; not known if one of them is not.
fn sum(one: Option<&Rc<Amount>>, other: Option<&Rc<Amount>>) -> Option<Rc<Amount>> {
    one?.plus(other?).map(Rc::new)
}
