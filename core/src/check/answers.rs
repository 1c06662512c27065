//! What conditions came to that the event alone decides: kept until the next event.

use std::cell::Cell;

/// What the conditions that the event alone decides came to in the event that is looked at.
#[derive(Debug)]
pub(super) struct EventAnswers {
    /// Which event it is, counted from 1.
    event: Cell<u32>,
    /// For each condition the event that it was last asked of, and in the lowest bit what it came to.
    known: Vec<Cell<u32>>,
}

impl EventAnswers {
    /// For so many conditions; before the first event.
    pub(super) fn new(count: usize) -> Self {
        Self {
            event: Cell::new(1),
            known: vec![Cell::new(0); count],
        }
    }

    /// Begins another event.
    #[inline]
    pub(super) fn next_event(&self) {
        // A document has far fewer events than 31 bits can tell.
        self.event.set(self.event.get() + 1);
    }

    /// What a condition comes to in this event, asked for if it was not yet.
    #[inline]
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
