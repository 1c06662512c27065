//! What was inside of what, from which event to which.
//!
//! **Source**: EPCIS 2.0, 7.4.3 (AggregationEvent) and 7.4.6 (AssociationEvent).
//!
//! What does an event say that contradicts an earlier one?
//! The later one counts. An instance that is found in another parent is out of the first (`implied`); one that is taken out of a parent
//! in which it is not, stays where it is. An input of a transformation is nowhere any more.

use super::amount::Amount;
use super::event::{Action, Event, EventKind, Reference, Role};
use super::names::{Names, Thing};
use super::request::Ties;
use super::spans::Span;
use std::collections::BTreeMap;

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
    pub(super) amount: Option<Amount>,
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
    by_child: Vec<List>,
    by_parent: Vec<List>,
}

impl Containment {
    /// The stays that effective events tell, in their order.
    pub(super) fn of(events: &[Event<'_>], is_void: &[bool], names: &Names, through: Ties) -> Self {
        let things = names.len();
        let mut reader = Reader {
            names,
            stays: Vec::new(),
            open: BTreeMap::new(),
            inside: BTreeMap::new(),
        };
        for (at, event) in events.iter().enumerate() {
            if is_void.get(at) == Some(&true) {
                continue;
            }
            match event.kind {
                EventKind::Aggregation => reader.moved(at, event, false),
                EventKind::Association if through.association => reader.moved(at, event, true),
                EventKind::Transformation => reader.used_up(at, event),
                _ => {}
            }
        }
        let mut containment = Self {
            stays: reader.stays.into_iter().map(|open| open.stay).collect(),
            by_child: vec![Vec::new(); things],
            by_parent: vec![Vec::new(); things],
        };
        for (number, stay) in (0..).zip(&containment.stays) {
            for (lists, thing) in [
                (&mut containment.by_child, stay.child),
                (&mut containment.by_parent, stay.parent),
            ] {
                if let Some(list) = lists.get_mut(thing.number()) {
                    let ended = stay.to.unwrap_or(usize::MAX);
                    let before = list.last().map_or(0, |(_, before)| *before);
                    list.push((number, ended.max(before)));
                }
            }
        }
        containment
    }

    /// The stays of a list that may be within a range of events, in order.
    fn listed<'c>(
        &'c self,
        list: Option<&'c List>,
        (from, to): Span,
    ) -> impl Iterator<Item = &'c Stay> {
        let list = list.map_or(&[] as &[_], |list| list.as_slice());
        let first = list.partition_point(|(_, ended)| *ended < from);
        let stays = list.get(first..).unwrap_or_default().iter();
        let stays = stays.filter_map(|(number, _)| self.stays.get(*number as usize));
        stays.take_while(move |stay| stay.from <= to)
    }

    /// The stays of a child that may be within a range of events, in order.
    pub(super) fn of_child(&self, child: Thing, span: Span) -> impl Iterator<Item = &Stay> {
        self.listed(self.by_child.get(child.number()), span)
    }

    /// The stays in a parent that may be within a range of events, in order.
    pub(super) fn in_parent(&self, parent: Thing, span: Span) -> impl Iterator<Item = &Stay> {
        self.listed(self.by_parent.get(parent.number()), span)
    }
}

/// Stays in the order of their beginning, each with the last event of itself and all before it.
type List = Vec<(u32, usize)>;

/// A stay while events are read.
struct Open {
    stay: Stay,
    /// How much of a lot is still inside; `None` if that is not known.
    rest: Option<Amount>,
}

/// A child, and whether an association is meant: a sensor may be tied to a crate that stands on a pallet.
type Place = (Thing, bool);

struct Reader<'n> {
    names: &'n Names,
    stays: Vec<Open>,
    /// The stays that have not ended, by child, kind and parent.
    open: BTreeMap<(Place, Thing), usize>,
    /// The children in a parent, by parent and kind: what an unpacking without children takes out. Those that left are still listed.
    inside: BTreeMap<Place, Vec<usize>>,
}

impl Reader<'_> {
    /// Packs, unpacks or observes the children of an event.
    fn moved(&mut self, at: usize, event: &Event<'_>, is_association: bool) {
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
            match action {
                Action::Delete => self.taken_out(at, child, parent, is_association),
                Action::Add | Action::Observe => {
                    self.found_inside(at, child, parent, (action, is_association));
                }
            }
        }
        if is_without_children && action == Action::Delete {
            let inside = self.inside.remove(&(parent, is_association));
            for number in inside.into_iter().flatten() {
                self.end(number, at, false);
            }
        }
    }

    fn found_inside(
        &mut self,
        at: usize,
        child: &Reference,
        parent: Thing,
        (action, is_association): (Action, bool),
    ) {
        let place = (child.thing, is_association);
        if let Some(open) = self.open.get(&(place, parent)) {
            let open = self.stays.get_mut(*open);
            if let (Some(open), Action::Add) = (open, action) {
                open.rest = sum(open.rest.as_ref(), child.amount.as_ref());
                open.stay.amount = sum(open.stay.amount.as_ref(), child.amount.as_ref());
            }
            return;
        }
        if !self.names.is_quantity(child.thing) {
            self.end_all(child.thing, is_association, at);
        }
        let number = self.stays.len();
        self.stays.push(Open {
            stay: Stay {
                child: child.thing,
                parent,
                from: at,
                to: None,
                is_observed: action == Action::Observe,
                is_implied: false,
                is_association,
                amount: child.amount.clone(),
            },
            rest: child.amount.clone(),
        });
        self.open.insert((place, parent), number);
        let inside = self.inside.entry((parent, is_association)).or_default();
        inside.push(number);
    }

    /// Takes a child, or some of a lot, out of its parent.
    fn taken_out(&mut self, at: usize, child: &Reference, parent: Thing, is_association: bool) {
        let place = (child.thing, is_association);
        let Some(number) = self.open.get(&(place, parent)).copied() else {
            return;
        };
        if let Some(taken) = &child.amount
            && let Some(open) = self.stays.get_mut(number)
        {
            open.rest = open.rest.as_ref().and_then(|rest| rest.minus(taken));
            if !open.rest.as_ref().is_some_and(Amount::is_used_up) {
                return;
            }
        }
        self.end(number, at, false);
    }

    /// Ends the stays of the instances that an event uses up.
    fn used_up(&mut self, at: usize, event: &Event<'_>) {
        for input in &event.references {
            if input.role == Role::Input && !self.names.is_quantity(input.thing) {
                self.end_all(input.thing, false, at);
                self.end_all(input.thing, true, at);
            }
        }
    }

    /// Ends all stays of an instance.
    fn end_all(&mut self, child: Thing, is_association: bool, at: usize) {
        let place = (child, is_association);
        let open = self
            .open
            .range((place, Thing::FIRST)..=(place, Thing::LAST));
        let open: Vec<usize> = open.map(|(_, number)| *number).collect();
        for number in open {
            self.end(number, at, true);
        }
    }

    fn end(&mut self, number: usize, at: usize, is_implied: bool) {
        if let Some(Open { stay, .. }) = self.stays.get_mut(number)
            && stay.to.is_none()
        {
            stay.to = Some(at);
            stay.is_implied = is_implied;
            let place = (stay.child, stay.is_association);
            self.open.remove(&(place, stay.parent));
        }
    }
}

/// The sum of two amounts; not known if one of them is not.
fn sum(one: Option<&Amount>, other: Option<&Amount>) -> Option<Amount> {
    one?.plus(other?)
}
