//! What became of things that were shipped.

use super::event::Transfer;
use super::moved::Moved;
use epcis_edge_history::follow::Amount;
use std::rc::Rc;

/// What became of things that were shipped together.
#[derive(Clone, Debug, Default)]
pub(super) struct Fate {
    /// How many things there are; one for a lot.
    pub(super) all: usize,
    /// How many were received, and by which event last.
    pub(super) received: usize,
    pub(super) receipt: Option<usize>,
    /// How many were declared not to be shipped, and by which event last.
    pub(super) void: usize,
    pub(super) voided_by: Option<usize>,
    /// For a lot: how much of it was received, and declared not to be shipped; `None` if that is not known.
    pub(super) came: Option<Rc<Amount>>,
    pub(super) voided: Option<Rc<Amount>>,
    /// For a lot: how much less was received than sent; `None` if nothing is missing, or if that is not known.
    pub(super) missing: Option<Rc<Amount>>,
    /// For a lot: the amount of the event about it, if it is in another unit than the shipment, so that nobody can compare them.
    pub(super) other: Option<Rc<Amount>>,
}

impl Fate {
    /// Whether no event shows what became of any of them.
    pub(super) fn is_unknown(&self) -> bool {
        self.received + self.void == 0
    }

    /// A lot that was sent, without what was taken back of it; `None` if nothing is left.
    pub(super) fn without_void(&self, mut moved: Moved) -> Option<Moved> {
        if self.void == 0 {
            return Some(moved);
        }
        let is_left = self.missing.is_some() || self.other.is_some() || self.received > 0;
        if !is_left {
            return None;
        }
        let left = moved.quantity.amount();
        let left = left.and_then(|sent| rest(&sent, self.voided.as_ref()?));
        moved.note = Some(match left {
            Some(left) => {
                moved.quantity.amount = left.texts().0;
                "a part of it was declared void, and is not counted"
            }
            None => "a part of it was declared void, and no event says how much",
        });
        Some(moved)
    }

    /// Counts what became of one thing.
    pub(super) fn count(&mut self, next: Option<(usize, Transfer)>) {
        match next {
            Some((at, Transfer::Received)) => {
                self.received += 1;
                self.receipt = self.receipt.max(Some(at));
            }
            Some((at, Transfer::Void)) => {
                self.void += 1;
                self.voided_by = self.voided_by.max(Some(at));
            }
            _ => {}
        }
    }
}

/// How much is left of an amount; `None` if the units differ.
pub(super) fn rest(of: &Amount, taken: &Amount) -> Option<Rc<Amount>> {
    of.minus(taken).map(Rc::new)
}
