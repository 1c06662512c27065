//! Follows items over the store: look-ups, round after round, until the answer needs no more.

#[cfg(test)]
mod tests;

use super::Service;
use super::master_data::Resolved;
use super::right_to_query::Walk;
use crate::call::Call;
use crate::query::{
    ANY_CLASS, ANY_EPC, Comparison, Condition, Field, Matcher, Order, OrderBy, Places, Predicate,
    Query, Start, TimeField,
};
use epcis_edge_history::follow::{FoundEvent, LookUp, Request, Roles, Seeker, Wanted};
use epcis_edge_text::error::Error;
use futures_util::future::join_all;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// The most bytes of events that are read for one answer. The answer repeats most of them; both together take a quarter of an
/// isolate's memory.
const MAX_BYTES: usize = 12 << 20;

/// How many look-ups run at once: with a distant database, the round trips take most of the time.
/// Each may read a page more than [`MAX_BYTES`] allows, because none knows what the others read.
const AT_ONCE: usize = 4;

impl Service {
    /// Follows items through the events in scope, as of the moment of the first look-up. The answer is JSON.
    ///
    /// **Shape** as of [`follow_document`](epcis_edge_history::follow::follow_document), without `index`.
    ///
    /// # Errors
    /// [`ErrorKind::Forbidden`](epcis_edge_text::error::ErrorKind::Forbidden) without the right to query; [`ErrorKind::Argument`](epcis_edge_text::error::ErrorKind::Argument) for a class without `from` and `to`; a fault of
    /// the storage.
    pub async fn follow(&self, request: &Request, call: &Call) -> Result<String, Error> {
        let (seeker, _) = self.sought(request, call).await?;
        Ok(seeker.answer())
    }

    /// As [`follow`](Self::follow), but each event has its number as `index`. The content hashes are returned by these numbers.
    pub(super) async fn follow_numbered(
        &self,
        request: &Request,
        call: &Call,
    ) -> Result<(String, BTreeMap<u64, String>), Error> {
        let (seeker, hashes) = self.sought(request, call).await?;
        Ok((seeker.numbered_answer(), hashes))
    }

    /// A seeker with all events that the answer needs, and their content hashes by their numbers.
    async fn sought<'r>(
        &self,
        request: &'r Request,
        call: &Call,
    ) -> Result<(Seeker<'r>, BTreeMap<u64, String>), Error> {
        call.principal.require_query()?;
        if request.has_class() && (request.from.is_none() || request.to.is_none()) {
            let name = if request.from.is_none() { "from" } else { "to" };
            return Err(Error::argument(
                name,
                None,
                "`from` and `to`, since `items` has a class: a GTIN without lot and serial",
            ));
        }
        let mut seeker = Seeker::new(request);
        let moment = Moment {
            upper: RefCell::new(None),
            left: Cell::new(MAX_BYTES),
            hashes: RefCell::default(),
        };
        loop {
            let round = seeker.next_round();
            if round.is_empty() {
                return Ok((seeker, moment.hashes.into_inner()));
            }
            for asked in round.chunks(AT_ONCE) {
                let answers = asked.iter().map(|asked| self.look_up(asked, &moment, call));
                for (asked, answer) in asked.iter().zip(join_all(answers).await) {
                    let (found, is_last) = answer?;
                    seeker.add(asked, found, is_last)?;
                }
                if moment.left.get() == 0 {
                    seeker.stop();
                }
                if seeker.is_over() {
                    break;
                }
            }
        }
    }

    /// The events that answer a question, and whether these are all.
    async fn look_up(
        &self,
        asked: &LookUp,
        moment: &Moment,
        call: &Call,
    ) -> Result<(Vec<FoundEvent>, bool), Error> {
        let (predicate, order) = question(asked);
        let resolved = Resolved { predicate: Cow::Owned(predicate), master: Places::default() };
        let mut walk = Walk::new(order, &resolved, call, Start::First);
        walk.keep_below(moment.upper.borrow().clone());
        let mut found = Vec::new();
        let mut is_last = true;
        while let Some((event, behind)) = walk.next(&*self.store, asked.limit).await? {
            if let Some(stored) = event {
                if found.len() == asked.limit {
                    is_last = false;
                    break;
                }
                let left = moment.left.get().saturating_sub(stored.event.len());
                moment.left.set(left);
                let mut hashes = moment.hashes.borrow_mut();
                hashes.insert(behind.sequence, stored.content_hash);
                found.push(FoundEvent {
                    sequence: behind.sequence,
                    captured_by: stored.captured_by,
                    event: stored.event,
                });
            }
            if moment.left.get() == 0 || walk.is_exhausted() {
                is_last = walk.is_over();
                break;
            }
        }
        // An empty store has no newest event.
        if moment.upper.borrow().is_none() {
            let upper = Some(walk.upper()).filter(|upper| !upper.is_empty());
            moment.upper.replace(upper);
        }
        Ok((found, is_last))
    }
}

/// A look-up in the terms of queries.
fn question(asked: &LookUp) -> (Predicate, Order) {
    let term = |fields: &[Field], matcher| Condition::Term { fields: fields.to_vec(), matcher };
    let mut conditions = match &asked.wanted {
        Wanted::Things { roles, ids, starts } => {
            let matcher = Matcher::exactly(ids.clone()).or_beginning_with(starts.clone());
            let fields = match roles {
                Roles::Any => &[&ANY_EPC[..], &ANY_CLASS[..]].concat()[..],
                Roles::Placed => &[Field::ChildEpc, Field::InputEpc],
                Roles::Filled => &[Field::ParentId],
            };
            vec![term(fields, matcher)]
        }
        Wanted::Transformations(ids) => {
            vec![term(&[Field::TransformationId], Matcher::exactly(ids.clone()))]
        }
        Wanted::Declarations(names) => {
            let named = Query::named_any(names.iter().map(String::as_str)).predicate;
            named.conditions.into_iter().chain([Condition::DeclaresError]).collect()
        }
    };
    let times = [(Comparison::GreaterOrEqual, asked.from), (Comparison::Less, asked.before)];
    conditions.extend(times.into_iter().filter_map(|(comparison, time)| {
        Some(Condition::Time { field: TimeField::EventTime, comparison, time: time? })
    }));
    let order = asked
        .latest_first
        .map_or_else(Order::default, |descending| Order { by: OrderBy::EventTime, descending });
    (Predicate { conditions }, order)
}

/// What all look-ups of one answer have in common.
struct Moment {
    /// The newest events at the first look-up. The other look-ups ignore all later events.
    upper: RefCell<Option<Places>>,
    /// How many bytes of events may still be read.
    left: Cell<usize>,
    /// The content hashes of the events that were read, by their numbers.
    hashes: RefCell<BTreeMap<u64, String>>,
}
