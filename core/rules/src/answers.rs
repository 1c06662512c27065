//! Cached results of conditions that depend on the event alone: kept until the next event.

use super::path::Path;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// The results, in the current event, of the conditions that depend on the event alone.
#[derive(Debug)]
pub(super) struct EventAnswers {
    /// The number of the current event, counted from 1.
    event: Cell<u32>,
    /// For each condition: the event in which it was last evaluated, and the result in the lowest bit.
    known: Vec<Cell<u32>>,
    /// The identifiers in lists of the event, in normal form, each list with the event in which it was read.
    lists: RefCell<Vec<(u32, Path, BTreeSet<String>)>>,
}

impl EventAnswers {
    /// Makes room for `count` conditions; before the first event.
    pub(super) fn new(count: usize) -> Self {
        Self { event: Cell::new(1), known: vec![Cell::new(0); count], lists: RefCell::default() }
    }

    /// Begins the next event.
    pub(super) fn next_event(&self) {
        // A document has far fewer events than 31 bits can count.
        self.event.set(self.event.get() + 1);
    }

    /// The result of a condition in this event, evaluated if it was not yet.
    pub(super) fn of(&self, number: usize, ask: impl FnOnce() -> bool) -> bool {
        let Some(known) = self.known.get(number) else { return ask() };
        let event = self.event.get() << 1;
        if known.get() & !1 == event {
            return known.get() & 1 == 1;
        }
        let holds = ask();
        known.set(event | u32::from(holds));
        holds
    }

    /// Calls `test` with the identifiers at a path of the current event, in normal form; they are read once per event.
    pub(super) fn list(
        &self,
        path: &Path,
        read: impl FnOnce() -> BTreeSet<String>,
        test: impl FnOnce(&BTreeSet<String>) -> bool,
    ) -> bool {
        let event = self.event.get();
        let mut lists = self.lists.borrow_mut();
        lists.retain(|(of, ..)| *of == event);
        if let Some((.., known)) = lists.iter().find(|(_, known, _)| known == path) {
            return test(known);
        }
        let known = read();
        let holds = test(&known);
        lists.push((event, path.clone(), known));
        holds
    }
}
