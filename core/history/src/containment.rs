//! What an event says of where a thing is: inside of a parent, out of it, or at its end.
//!
//! **Source**: EPCIS 2.0, 7.4.2 (ObjectEvent), 7.4.3 (AggregationEvent), 7.4.5 (TransformationEvent), 7.4.6 (AssociationEvent).
//!
//! What does an event say that contradicts an earlier one?
//! The later one counts. An instance that is found in another parent is out of the first; one that is taken out of a parent in which it is
//! not, stays where it is. An input of a transformation is nowhere any more, nor is what an ObjectEvent DELETE ends.
//!
//! Following tells from this who was inside of what from when to when, and the checks what is packed, shipped and unpacked in an order that
//! cannot be. `tests/it/check_containment.rs` compares the two.

/// The `action` of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// `ADD`.
    Add,
    /// `OBSERVE`.
    Observe,
    /// `DELETE`.
    Delete,
}

/// How an event names a thing, as far as that tells where the thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mention {
    /// As a child of an AggregationEvent or an AssociationEvent.
    Child(Action),
    /// As an input of a TransformationEvent.
    Input,
    /// In the `epcList` of an ObjectEvent.
    Object(Action),
}

/// What that says of the thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It is inside of the parent.
    Inside,
    /// It is not inside of the parent.
    Out,
    /// It is not inside of anything.
    End,
}

impl Mention {
    /// What it says; `None` if that is nothing about where the thing is.
    pub fn effect(self) -> Option<Effect> {
        match self {
            Self::Child(Action::Add | Action::Observe) => Some(Effect::Inside),
            Self::Child(Action::Delete) => Some(Effect::Out),
            Self::Input | Self::Object(Action::Delete) => Some(Effect::End),
            Self::Object(Action::Add | Action::Observe) => None,
        }
    }
}

impl Effect {
    /// The parent in which an instance is after an event that names this parent, if it was in `now` before. What is its own parent is not
    /// inside of anything by that.
    pub fn after<T: PartialEq>(self, thing: &T, now: Option<T>, parent: T) -> Option<T> {
        match self {
            Self::End => None,
            _ if *thing == parent => now,
            Self::Inside => Some(parent),
            Self::Out => now.filter(|now| *now != parent),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Action, Effect, Mention};

    #[test]
    fn the_last_event_counts() {
        let after = |mention: Mention, now: Option<&'static str>, parent| {
            let effect: Effect = mention.effect().unwrap();
            effect.after(&"item", now, parent)
        };
        let (added, found, taken) = (
            Mention::Child(Action::Add),
            Mention::Child(Action::Observe),
            Mention::Child(Action::Delete),
        );
        assert_eq!(after(added, None, "one"), Some("one"));
        assert_eq!(after(found, Some("one"), "two"), Some("two"));
        assert_eq!(after(taken, Some("one"), "two"), Some("one"));
        assert_eq!(after(taken, Some("one"), "one"), None);
        assert_eq!(after(added, Some("one"), "item"), Some("one"));
        assert_eq!(after(Mention::Input, Some("one"), ""), None);
        assert_eq!(after(Mention::Object(Action::Delete), Some("one"), ""), None);
        assert_eq!(Mention::Object(Action::Observe).effect(), None);
    }
}
