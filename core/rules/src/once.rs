//! Finds the conditions that depend on the event alone. They are evaluated once per event, however many values a rule judges.
//!
//! The recursion here follows an expression of a pack, whose depth is bounded when it is read.

use super::expression::Expression;
use super::scope::Subject;

impl Expression {
    /// Wraps each largest part that depends on the event alone in [`Once`](Self::Once).
    pub(super) fn with_once(self) -> Self {
        let all = |all: Vec<Self>| all.into_iter().map(Self::with_once).collect();
        match self {
            of_event if of_event.is_of_event() => Self::Once { number: 0, of: Box::new(of_event) },
            Self::All(parts) => Self::All(all(parts)),
            Self::Any(parts) => Self::Any(all(parts)),
            Self::Not(one) => Self::Not(Box::new(one.with_once())),
            other => other,
        }
    }

    /// Whether the result is the same for all values of an event.
    fn is_of_event(&self) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().all(Self::is_of_event),
            Self::Not(one) => one.is_of_event(),
            Self::Once { .. } => false,
            Self::Test { of, test } => {
                of.is_of_event() && test.other().is_none_or(Subject::is_of_event)
            }
            Self::Events { .. } => true,
        }
    }

    /// Whether it contains a condition on all events whose number passes a test.
    pub(super) fn has_events(&self, test: &dyn Fn(usize) -> bool) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().any(|part| part.has_events(test)),
            Self::Not(one) | Self::Once { of: one, .. } => one.has_events(test),
            Self::Test { .. } => false,
            Self::Events { number, .. } => test(*number),
        }
    }

    /// Numbers the [`Once`](Self::Once) parts, starting at `next`.
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
            Self::Test { .. } | Self::Events { .. } => {}
        }
    }
}

impl Subject {
    /// Whether it reads the same values whichever value of the event a rule judges.
    fn is_of_event(&self) -> bool {
        match self {
            Self::Event(_) => true,
            Self::Joined(joined) => joined.key.is_of_event(),
            Self::Judged(_) | Self::Inside(..) => false,
        }
    }
}
