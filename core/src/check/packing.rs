//! Findings from the history of packing: shipped by itself while inside of something, packed into what was closed already, taken out of
//! what it was never put into, added twice.
//!
//! The order is that of time, then of the document.
//!
//! What was inside of what is told as in following (`follow/containment.rs`): the last event that puts or finds a thing in a parent counts,
//! and it leaves that parent alone, into a transformation, or by an ObjectEvent DELETE. `tests/tests/check_containment.rs` compares the two.

use super::document_index::{CHILDREN, EPC_LIST, Occurrence, role};
use super::document_rules::DocumentRules;
use super::mark;
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
        crate::order::sort_stably_by(&mut moments, &|one, other| {
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
            if found.role & role::PACKED != 0 {
                let parent = self.container(found);
                // What is its own parent is not inside of anything.
                if parent != self.identity(found) {
                    inside = Some((parent, found));
                }
                parents.insert(parent);
                closed.push((time, true));
                if let Some(history) = &mut self.index.history {
                    history.filled.insert(parent);
                    history.put.push((parent, time, found));
                }
            } else if found.role & role::UNPACKED != 0 {
                let parent = self.container(found);
                if !parents.contains(&parent)
                    && let Some(history) = &mut self.index.history
                {
                    history.taken.push((parent, found));
                }
                inside = inside.filter(|(known, _)| *known != parent);
                closed.push((time, false));
            } else if found.field == CHILDREN && is_aggregation {
                let parent = self.container(found);
                if ![0, self.identity(found)].contains(&parent) {
                    inside = Some((parent, found));
                }
            } else if found.role & role::INPUT != 0 {
                inside = None;
            } else if found.field == EPC_LIST {
                if is_shipment
                    && let Some((parent, by)) = inside
                    && !self.is_emptied(parent, by.event, found.event)
                {
                    self.add_finding(found, mark::SHIPPED_INSIDE, Some(by));
                }
                closed.push((time, is_shipment));
                if found.role & role::DELETED != 0 {
                    inside = None;
                }
            }
        }
        let Some(first) = moments.first().map(|(.., found)| *found) else {
            return;
        };
        let thing = self.identity(first);
        if let Some(history) = &mut self.index.history {
            history.closed.insert(thing, closed);
        }
    }

    /// Reports what was put into something that was packed or shipped before and not opened since, and what was taken out of something
    /// that only others were put into.
    pub(super) fn packed_late(&mut self) {
        let Some(history) = self.index.history.take() else {
            return;
        };
        for (parent, time, found) in &history.put {
            let Some(closed) = history.closed.get(parent) else {
                continue;
            };
            // What happens to the parent at the same time has no order.
            let before = closed.partition_point(|(at, _)| at < time);
            let last = before.checked_sub(1).and_then(|last| closed.get(last));
            if last.is_some_and(|(_, is_closed)| *is_closed) {
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
