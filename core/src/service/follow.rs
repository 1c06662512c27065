//! Following over the store: one question after the other, until the answer needs no more.

use super::Service;
use super::master_data::Resolved;
use super::right_to_query::Walk;
use crate::call::Call;
use crate::error::{Error, ErrorKind};
use crate::follow::{FoundEvent, LookUp, Request, Seeker};
use crate::query::Start;
use crate::store::Store;
use std::borrow::Cow;

/// The most bytes of events that are read for one answer, which has most of them once more: together a quarter of an isolate's memory.
const MAX_BYTES: usize = 12 << 20;

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
        moment: &mut Moment,
        call: &Call,
    ) -> Result<(Vec<FoundEvent>, bool), Error> {
        let resolved = Resolved {
            predicate: Cow::Borrowed(&asked.predicate),
            master: 0,
        };
        let mut walk = Walk::new(asked.order, &resolved, call, Start::First);
        walk.keep_below(moment.upper);
        let mut found = Vec::new();
        let mut is_last = true;
        while let Some((event, behind)) = walk.next(&self.store, asked.limit).await? {
            if let Some(stored) = event {
                if found.len() == asked.limit {
                    is_last = false;
                    break;
                }
                moment.left = moment.left.saturating_sub(stored.event.len());
                found.push(FoundEvent {
                    sequence: behind.sequence,
                    captured_by: stored.captured_by,
                    event: stored.event,
                });
            }
            if moment.left == 0 || walk.is_exhausted() {
                is_last = walk.is_over();
                break;
            }
        }
        // A look-up that found nothing does not know the newest event.
        moment.upper = Some(walk.upper()).filter(|upper| *upper > 0);
        Ok((found, is_last))
    }
}

/// What all look-ups of one answer have in common.
struct Moment {
    /// The number of the newest event of the first look-up; later ones do not exist for the others.
    upper: Option<u64>,
    /// How many bytes of events may still be read.
    left: usize,
}
