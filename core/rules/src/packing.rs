//! Findings from the history of packing: a thing shipped by itself while inside of another, packed into something that was closed
//! before, taken out of something that it was never put into, or added twice.
//!
//! Uses of a thing are ordered by time, then by their place in the document.

use super::document_index::{EPC_LIST, Occurrence, role};
use super::document_rules::DocumentRules;
use super::inside::Inside;
use super::mark;
use std::collections::BTreeSet;

impl DocumentRules<'_> {
    /// Goes through the uses of one thing in order of time.
    pub(super) fn packing(&mut self, thing: u64, moments: &[(i64, u32)]) {
        let mut added: Option<Occurrence> = None;
        let mut inside = Inside::default();
        let mut parents = BTreeSet::new();
        let mut closed = Vec::new();
        for (time, place) in moments {
            let Some(found) = self.occurrence(*place as usize) else { continue };
            let (time, event) = (*time, self.event(found));
            let is_shipment = event.is_some_and(|event| event.is_shipment);
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
                    && let Some((parent, by)) = inside.0
                    && !self.is_emptied(parent, by.event, found.event)
                {
                    self.add_finding(found, mark::SHIPPED_INSIDE, Some(by));
                }
                closed.push((time, is_shipment));
            }
            inside.take(found, event, thing);
        }
        if let Some(history) = self.index.history.as_mut().filter(|_| !moments.is_empty()) {
            history.closed.insert(thing, closed);
        }
    }

    /// Reports the things that were put into a parent which was packed or shipped before, and not opened, unpacked or used in another
    /// way since; and those that were taken out of a parent into which only others were put.
    pub(super) fn packed_late(&mut self) {
        let Some(history) = self.index.history.take() else { return };
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
            let Some(closed) = history.closed.get(parent) else { continue };
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
