//! Which conditions the event alone decides: they are asked once an event, however many of its values a rule judges.
//!
//! What recurses here follows an expression of a pack, whose depth is bounded when it is read.

use super::expression::{Expression, Subject};

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
