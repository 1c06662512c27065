//! What the event alone decides: worked out once an event, however many of its values a rule judges.
//!
//! What recurses here follows an expression of a pack, whose depth is bounded when it is read.

use super::expression::{Expression, Operand, Subject, Test};
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

impl Expression {
    /// The same, each largest part that the event alone decides marked as such.
    pub(super) fn with_once(self) -> Self {
        let all = |all: Vec<Self>| all.into_iter().map(Self::with_once).collect();
        match self {
            of_event if of_event.is_of_event() => Self::Once {
                number: 0,
                of: Box::new(of_event),
            },
            Self::All(parts) => Self::All(all(parts)),
            Self::Any(parts) => Self::Any(all(parts)),
            Self::Not(one) => Self::Not(Box::new(one.with_once())),
            other => other,
        }
    }

    /// Whether it comes to the same for all values of an event.
    fn is_of_event(&self) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().all(Self::is_of_event),
            Self::Not(one) => one.is_of_event(),
            Self::Once { .. } => false,
            Self::Test { of, test } => {
                let is_event = |subject: &Subject| matches!(subject, Subject::Event(_));
                is_event(of) && test.other().is_none_or(is_event)
            }
        }
    }

    /// Numbers the parts that the event alone decides, from `next` on.
    pub(super) fn number_once(&mut self, next: &mut usize) {
        match self {
            Self::All(parts) | Self::Any(parts) => {
                parts.iter_mut().for_each(|part| part.number_once(next));
            }
            Self::Not(one) => one.number_once(next),
            Self::Once { number, .. } => {
                *number = *next;
                *next += 1;
            }
            Self::Test { .. } => {}
        }
    }
}

impl Test {
    /// What else it looks at than what it is asked about.
    pub(super) fn other(&self) -> Option<&Subject> {
        match self {
            Self::After(other) | Self::Before(other) | Self::OtherOffset(other) => Some(other),
            Self::Above(Operand::Of(other)) | Self::Below(Operand::Of(other)) => Some(other),
            Self::Unpaired { by, .. } => Some(by),
            Self::Is(_)
            | Self::In(_)
            | Self::StartsWith(_)
            | Self::EndsWith(_)
            | Self::Contains(_)
            | Self::LongerThan(_)
            | Self::Exists(_)
            | Self::AheadOfNow(_)
            | Self::Above(Operand::Number(_))
            | Self::Below(Operand::Number(_)) => None,
        }
    }
}
