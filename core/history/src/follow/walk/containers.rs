//! From a thing outwards: the containers that it is inside of, and the events that name them meanwhile.

use super::gaps::Missing;
use super::{Gap, How, LINKS_A_ROW, Link, Need, Portion, Presence, Roles, Walk, in_direction};
use crate::follow::containment::Stay;
use crate::follow::names::Thing;
use crate::follow::spans::{Span, Spans};
use epcis_edge_text::order::sort_stably_by;
use epcis_edge_text::slice::OrEmpty;
use std::collections::BTreeMap;

impl Walk<'_> {
    /// The events that name a container which the thing is inside of, through any number of containers.
    pub(super) fn outwards(&mut self, portion: Portion, span: Span, distance: usize) {
        let history = self.history;
        let mut seen: BTreeMap<Thing, Spans> = BTreeMap::new();
        // The thing is no container of itself.
        seen.entry(portion.thing).or_default().add((0, usize::MAX));
        let mut now = vec![(portion.thing, span, None, portion.is_certain)];
        let own = distance;
        let mut distance = distance;
        while !now.is_empty() {
            distance += 1;
            let mut next = Vec::new();
            for (child, span, within, is_certain) in now {
                let is_certain = is_certain && !history.is_divided(child);
                for stay in history.containment.of_child(child, span) {
                    if !self.step(portion.thing) {
                        return;
                    }
                    let Some(inside) = stay.within(span).filter(|_| self.is_tie(stay)) else {
                        continue;
                    };
                    if distance > self.request.depth {
                        let nearer = seen.get(&stay.parent).cloned();
                        for part in nearer.or_empty().add(inside) {
                            let missing = Missing::Container(portion.thing, own, part);
                            self.refuse(Gap::Depth, child, missing);
                        }
                        continue;
                    }
                    self.tie_stay(stay, inside);
                    if child == portion.thing && stay.to.is_none() && !stay.is_association {
                        // Of a lot in several containers, the one that it came into last.
                        let last = (stay.parent, stay.from);
                        let known = self.inside_of.entry(child).or_insert(last);
                        if known.1 < stay.from {
                            *known = last;
                        }
                    }
                    self.need_container(stay, inside);
                    let new = seen.entry(stay.parent).or_default().add(inside);
                    if new.is_empty() {
                        continue;
                    }
                    if self.links.len() >= LINKS_A_ROW * self.rows {
                        self.gaps.insert((Gap::Size, portion.thing));
                        return;
                    }
                    let container = stay.parent;
                    let chain = self.links.len() as u32;
                    self.links.push(Link { container, within });
                    for span in new {
                        self.container_events(
                            portion,
                            (container, chain),
                            span,
                            (distance, is_certain),
                        );
                        next.push((container, span, Some(chain), is_certain));
                    }
                }
            }
            // Of equally long ways to one container the first is kept.
            sort_stably_by(&mut next, &|one, other| self.ids(one.2).cmp(self.ids(other.2)));
            now = next;
        }
    }

    /// The identifiers of the containers of a chain.
    fn ids(&self, chain: Option<u32>) -> impl Iterator<Item = &str> {
        let names = self.history.names;
        self.chain(chain).map(|thing| names.id(thing))
    }

    /// Notes what must be known of the container of a stay: its events meanwhile, and what it was itself inside of.
    fn need_container(&mut self, stay: &Stay, (from, to): Span) {
        let container = stay.parent;
        if stay.is_association || self.history.names.is_quantity(container) {
            self.need(Need::All(container));
            return;
        }
        let is_to_the_end = to >= self.all().1 && stay.to != Some(to);
        let until = self.time(to).filter(|_| !is_to_the_end);
        self.need(Need::Span(Roles::Any, container, self.time(stay.from), until));
        self.need(Need::Span(Roles::Placed, container, None, self.time(from)));
    }

    /// The events of a container while the thing is inside.
    fn container_events(
        &mut self,
        portion: Portion,
        (container, chain): (Thing, u32),
        span: Span,
        (distance, is_certain): (usize, bool),
    ) {
        let history = self.history;
        let mentions = history.mentions_within(container, span);
        for mention in in_direction(mentions, portion.is_forth) {
            if !self.step(portion.thing) {
                return;
            }
            let Some(reference) = history.reference(*mention) else { continue };
            let presence =
                Presence { how: How::Inside, role: reference.role, chain: Some(chain), is_certain };
            let at = mention.0 as usize;
            let is_named = !history.mentions_within(portion.thing, (at, at)).is_empty();
            let is_added = if is_named {
                self.events.contains_key(&at) && !history.standing(at).is_void()
            } else {
                self.add_presence(at, portion.thing, None, presence)
            };
            if portion.is_forth && reference.role.is_input() {
                let leads_on = is_certain && !history.is_divided(container);
                self.through_transformation(container, at, true, (distance, leads_on), is_added);
            }
        }
    }
}
