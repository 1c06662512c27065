//! Findings from the history of packing: a thing shipped by itself while inside of another, packed into something that was closed
//! before, taken out of something that it was never put into, or added twice.
//!
//! Uses of a thing are ordered by time, then by their place in the document.
//!
//! `epcis_edge_history::containment` says where a thing is after an event, as for following.

use super::document_index::{CHILDREN, EPC_LIST, Occurrence, role};
use super::document_rules::DocumentRules;
use super::mark;
use epcis_edge_history::containment::{Action, Effect, Mention};
use std::collections::BTreeSet;

impl DocumentRules<'_> {
    /// Goes through the uses of one thing in order of time.
    pub(super) fn packing(&mut self, places: &[usize]) {
        let mut moments: Vec<(i64, usize, Occurrence)> = Vec::new();
        for place in places {
            let found = self.occurrence(*place);
            if let Some((time, found)) = found.and_then(|found| Some((self.time(found)?, found))) {
                moments.push((time, *place, found));
            }
        }
        epcis_edge_text::order::sort_stably_by(&mut moments, &|one, other| {
            (one.0, one.1).cmp(&(other.0, other.1))
        });
        let mut added: Option<Occurrence> = None;
        let mut inside: Option<(u64, Occurrence)> = None;
        let mut parents = BTreeSet::new();
        let mut closed = Vec::new();
        for (time, _, found) in &moments {
            let (time, found) = (*time, *found);
            let event = self.event(found);
            let is_shipment = event.is_some_and(|event| event.is_shipment);
            let is_aggregation = event.is_some_and(|event| event.is_aggregation);
            if found.role & role::ADDED != 0 && found.field == EPC_LIST {
                match added {
                    Some(first) => self.add_finding(found, mark::ADDED_TWICE, Some(first)),
                    None => added = Some(found),
                }
            }
            let parent = self.container(found);
            if found.role & role::PACKED != 0 {
                parents.insert(parent);
                closed.push((time, true));
                if let Some(history) = &mut self.index.history {
                    history.filled.insert(parent);
                    history.put.push((parent, time, found));
                }
            } else if found.role & role::UNPACKED != 0 {
                if let Some(history) = &mut self.index.history {
                    history.opened.push((parent, time));
                    if !parents.contains(&parent) {
                        history.taken.push((parent, found));
                    }
                }
                closed.push((time, false));
            } else if found.field == EPC_LIST {
                if is_shipment
                    && let Some((parent, by)) = inside
                    && !self.is_emptied(parent, by.event, found.event)
                {
                    self.add_finding(found, mark::SHIPPED_INSIDE, Some(by));
                }
                closed.push((time, is_shipment));
            }
            let effect = mention(found, is_aggregation).and_then(Mention::effect);
            let Some(effect) = effect else { continue };
            let now = inside.map(|(parent, _)| parent);
            // 0 is the container of an event that names none.
            let thing = if parent == 0 { 0 } else { self.identity(found) };
            inside = match effect.after(&thing, now, parent) {
                None => None,
                // Also if the parent is the same: everything may have been taken out of it in between.
                Some(parent) if effect == Effect::Inside => Some((parent, found)),
                Some(_) => inside,
            };
        }
        let Some(first) = moments.first().map(|(.., found)| *found) else {
            return;
        };
        let thing = self.identity(first);
        if let Some(history) = &mut self.index.history {
            history.closed.insert(thing, closed);
        }
    }

    /// Reports the things that were put into a parent which was packed or shipped before, and not opened, unpacked or used in another
    /// way since; and those that were taken out of a parent into which only others were put.
    pub(super) fn packed_late(&mut self) {
        let Some(history) = self.index.history.take() else {
            return;
        };
        let emptied = self.index.emptied.iter();
        let emptied = emptied.filter_map(|(parent, event)| {
            let event = self.index.events.get(*event as usize)?;
            Some((*parent, self.time_of(event)?))
        });
        let mut opened: Vec<(u64, i64)> = history.opened.into_iter().chain(emptied).collect();
        epcis_edge_text::order::sort_stably_by(&mut opened, &|one, other| one.cmp(other));
        // Events at the same time have no order: only earlier ones close a parent, but it may be opened in the same moment.
        let is_opened = |parent: u64, from: i64, to: i64| {
            let first = opened.partition_point(|one| *one < (parent, from));
            let next = opened.get(first);
            next.is_some_and(|(opened, at)| *opened == parent && *at <= to)
        };
        for (parent, time, found) in &history.put {
            let Some(closed) = history.closed.get(parent) else {
                continue;
            };
            let before = closed.partition_point(|(at, _)| at < time);
            let last = before.checked_sub(1).and_then(|last| closed.get(last));
            if last.is_some_and(|(at, is_closed)| *is_closed && !is_opened(*parent, *at, *time)) {
                self.add_finding(*found, mark::PACKED_LATE, None);
            }
        }
        for (parent, found) in &history.taken {
            if history.filled.contains(parent) {
                self.add_finding(*found, mark::UNPACKED_ONLY, None);
            }
        }
    }
}

/// How an event mentions a thing; `None` if that says nothing about where the thing is.
fn mention(found: Occurrence, is_aggregation: bool) -> Option<Mention> {
    let is = |role: u8| found.role & role != 0;
    if found.field == CHILDREN && is_aggregation {
        return Some(Mention::Child(match () {
            () if is(role::PACKED) => Action::Add,
            () if is(role::UNPACKED) => Action::Delete,
            () => Action::Observe,
        }));
    }
    if is(role::INPUT) {
        return Some(Mention::Input);
    }
    let ends = found.field == EPC_LIST && is(role::DELETED);
    ends.then_some(Mention::Object(Action::Delete))
}
