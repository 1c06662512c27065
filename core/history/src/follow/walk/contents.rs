//! From a thing inwards: its contents, and when they were inside.

use super::gaps::Missing;
use super::{Gap, Need, Portion, Roles, Walk};
use crate::follow::amount::Amount;
use crate::follow::containment::Stay;
use crate::follow::names::Thing;
use crate::follow::request::ContentsRule;
use crate::follow::spans::{Span, overlap};
use std::rc::Rc;

/// Something that was inside of a container.
#[derive(Clone, Debug)]
pub(in crate::follow) struct Content {
    is_top: bool,
    /// The event that put it in; whether it was only observed.
    pub(in crate::follow) from: (usize, bool),
    /// The event that took it out; whether that is implied.
    pub(in crate::follow) to: Option<(usize, bool)>,
    pub(in crate::follow) quantity: Option<Rc<Amount>>,
    pub(in crate::follow) is_certain: bool,
}

/// A row of contents: the container, the first event, the thing, the containers between, and the last event.
pub(in crate::follow) type ContentKey = (Thing, usize, Thing, Vec<Thing>, Option<usize>);

impl Walk<'_> {
    /// Adds the contents of the thing, through any number of containers.
    pub(super) fn inwards(&mut self, portion: Portion, span: Span, distance: usize) {
        let history = self.history;
        let top = portion.thing;
        let all = (0, usize::MAX);
        // A container, the time in which it was inside of the top one, and the containers between.
        let mut now = vec![(top, all, Content::top(portion.is_certain), Vec::new())];
        let own = distance;
        let mut distance = distance;
        while !now.is_empty() {
            distance += 1;
            let mut next = Vec::new();
            for (container, time, outer, between) in now {
                let is_certain = outer.is_certain && !history.is_divided(container);
                for stay in history.containment.in_parent(container, time) {
                    if !self.step(top) {
                        return;
                    }
                    let child = stay.child;
                    let inside = stay.within(time).filter(|_| self.is_tie(stay));
                    let Some(inside) = inside.filter(|inside| overlap(*inside, span).is_some())
                    else {
                        continue;
                    };
                    if child == top || between.contains(&child) {
                        continue;
                    }
                    if distance > self.request.depth {
                        let missing = Missing::Contents(top, own, inside);
                        self.refuse(Gap::Depth, container, missing);
                        continue;
                    }
                    self.need_content(stay);
                    let content = outer.and(stay, inside, is_certain);
                    let end = content.to.map(|to| to.0);
                    let key = (top, inside.0, child, between.clone(), end);
                    if !self.add_content(key, &content) {
                        continue;
                    }
                    if self.request.contents == ContentsRule::Followed {
                        let end = self.all().1;
                        let bound = if portion.is_forth { inside.0 } else { inside.1.min(end) };
                        let inner = Portion::new(child, (content.is_certain, false, false));
                        let is_forth = portion.is_forth;
                        self.push_reached(Portion { is_forth, bound, ..inner }, distance);
                    }
                    let mut between = between.clone();
                    between.push(child);
                    next.push((child, inside, content, between));
                }
            }
            now = next;
        }
    }

    /// Adds a row of contents. Returns false if there are too many.
    fn add_content(&mut self, key: ContentKey, content: &Content) -> bool {
        if let Some(known) = self.contents.get_mut(&key) {
            known.is_certain |= content.is_certain;
            return true;
        }
        // A row is as long as the containers between.
        let names = 1 + key.3.len();
        if self.content_names + names > self.rows {
            self.gaps.insert((Gap::Size, key.0));
            return false;
        }
        self.content_names += names;
        self.contents.insert(key, content.clone());
        true
    }

    /// Notes what must be known of something inside: when it left, and what it held.
    fn need_content(&mut self, stay: &Stay) {
        let child = stay.child;
        if stay.is_association || self.history.names.is_quantity(child) {
            self.need(Need::All(child));
            return;
        }
        let from = self.time(stay.from);
        let until = stay.to.and_then(|to| self.time(to));
        self.need(Need::Span(Roles::Any, child, from, until));
        self.need(Need::Span(Roles::Filled, child, None, from));
    }
}

impl Content {
    /// The start of a way inwards: the container itself.
    fn top(is_certain: bool) -> Self {
        Self { is_top: true, from: (0, false), to: None, quantity: None, is_certain }
    }

    /// The content that is one stay further inside.
    fn and(&self, stay: &Stay, (from, to): Span, is_certain: bool) -> Self {
        // If several stays begin or end at one event, the row is observed or implied only if all of them are.
        let outer = Some(self.from).filter(|outer| outer.0 == from && !self.is_top);
        let is_observed = match (stay.from == from, outer) {
            (true, outer) => stay.is_observed && outer.is_none_or(|outer| outer.1),
            (false, _) => self.from.1,
        };
        let outer = self.to.filter(|outer| outer.0 == to);
        let end = match (stay.to == Some(to), outer) {
            (true, outer) => {
                let is_implied = stay.is_implied && outer.is_none_or(|outer| outer.1);
                Some((to, is_implied))
            }
            (false, outer) => outer,
        };
        Self {
            is_top: false,
            from: (from, is_observed),
            to: end,
            quantity: stay.amount.clone(),
            is_certain,
        }
    }
}
