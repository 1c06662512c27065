//! Following over the store: one question after the other, until the answer needs no more.

use super::Service;
use crate::call::Call;
use crate::error::{Error, ErrorKind};
use crate::follow::{FoundEvent, LookUp, Request, Seeker};
use crate::query::{Cursor, OrderBy, TimeField};
use crate::store::{Selection, Store};

/// The most bytes of events that are read for one answer. The answer may have them once more.
const MAX_BYTES: usize = 24 << 20;

impl<S: Store> Service<S> {
    /// Follows items through the events in scope, as of the moment of the first look-up. The answer is JSON.
    ///
    /// **Shape** as of [`follow_document`](crate::follow::follow_document), without `index`.
    ///
    /// # Errors
    /// [`ErrorKind::Forbidden`] without the right to query; [`ErrorKind::Argument`] for a class without `from` and `to`; a fault of
    /// the storage.
    pub async fn follow(&self, request: &Request, call: &Call) -> Result<String, Error> {
        call.principal.require_query()?;
        if request.has_class() && (request.from.is_none() || request.to.is_none()) {
            let name = if request.from.is_none() { "from" } else { "to" };
            return Err(Error::new(ErrorKind::Argument {
                name,
                found: None,
                expected: "`from` and `to`, since `items` has a class: a GTIN without lot and serial",
            }));
        }
        let mut seeker = Seeker::new(request);
        let mut moment = Moment {
            upper: None,
            left: MAX_BYTES,
        };
        loop {
            let round = seeker.next_round();
            if round.is_empty() {
                return Ok(seeker.answer());
            }
            for asked in round {
                let (found, is_last) = self.look_up(&asked, &mut moment, call).await?;
                seeker.add(&asked, found, is_last)?;
                if moment.left == 0 {
                    seeker.stop();
                }
            }
        }
    }

    /// The events that answer a question, and whether these are all.
    async fn look_up(
        &self,
        asked: &LookUp,
        moment: &mut Moment,
        call: &Call,
    ) -> Result<(Vec<FoundEvent>, bool), Error> {
        let accounts = call.principal.readable_accounts();
        let mut found = Vec::new();
        let mut after: Option<Cursor> = None;
        loop {
            let selection = Selection {
                predicate: &asked.predicate,
                accounts: accounts.as_deref(),
                order: asked.order,
                after: after.as_ref(),
                upper: moment.upper,
                limit: asked.limit + 1 - found.len(),
                bytes: call.limits.page_bytes.min(moment.left),
            };
            let selected = self.store.select(&selection).await?;
            if selected.newest > 0 {
                moment.upper.get_or_insert(selected.newest);
            }
            let is_last = selected.is_last || selected.events.is_empty();
            for stored in selected.events {
                let facts = stored.facts(&asked.predicate)?;
                let time = match asked.order.by {
                    OrderBy::EventTime => facts.time(TimeField::EventTime),
                    OrderBy::Capture | OrderBy::RecordTime => None,
                };
                after = Some(Cursor {
                    sequence: stored.sequence,
                    time,
                    upper: moment.upper.unwrap_or_default(),
                    master: 0,
                    answered: 0,
                });
                moment.left = moment.left.saturating_sub(stored.event.len());
                let matches = call.principal.reads(&stored.captured_by)
                    && asked.predicate.matches(&facts, &stored.content_hash);
                if matches && found.len() == asked.limit {
                    return Ok((found, false));
                }
                if matches {
                    found.push(FoundEvent {
                        sequence: stored.sequence,
                        captured_by: stored.captured_by,
                        event: stored.event,
                    });
                }
            }
            if is_last || moment.left == 0 {
                return Ok((found, is_last));
            }
        }
    }
}

/// What all look-ups of one answer have in common.
struct Moment {
    /// The number of the newest event of the first look-up; later ones do not exist for the others.
    upper: Option<u64>,
    /// How many bytes of events may still be read.
    left: usize,
}
