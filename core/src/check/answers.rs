//! Cached results of conditions that depend on the event alone: kept until the next event.

use std::cell::Cell;

/// The results, in the current event, of the conditions that depend on the event alone.
#[derive(Debug)]
pub(super) struct EventAnswers {
    /// The number of the current event, counted from 1.
    event: Cell<u32>,
    /// For each condition: the event in which it was last evaluated, and the result in the lowest bit.
    known: Vec<Cell<u32>>,
}

impl EventAnswers {
    /// Makes room for `count` conditions; before the first event.
    pub(super) fn new(count: usize) -> Self {
        Self {
            event: Cell::new(1),
            known: vec![Cell::new(0); count],
        }
    }

    /// Begins the next event.
    pub(super) fn next_event(&self) {
        // A document has far fewer events than 31 bits can count.
        self.event.set(self.event.get() + 1);
    }

    /// The result of a condition in this event, evaluated if it was not yet.
    pub(super) fn of(&self, number: usize, ask: impl FnOnce() -> bool) -> bool {
        let Some(known) = self.known.get(number) else {
            return ask();
        };
        let event = self.event.get() << 1;
        if known.get() & !1 == event {
            return known.get() & 1 == 1;
        }
        let holds = ask();
        known.set(event | u32::from(holds));
        holds
    }
}
