//! Which events are withdrawn, and which are disputed.
//!
//! **Source**: EPCIS 2.0, 7.4.1.2 (error declarations).

use super::event::Event;
use std::collections::{BTreeMap, BTreeSet};

/// The standing of an event, by the error declarations about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Standing {
    /// No declaration is about it: it counts.
    #[default]
    Good,
    /// The declaration at this place in the order withdraws it: it counts as if it had never been.
    Withdrawn(usize),
    /// The declaration at this place is by an account that has no such event: it is reported, and the event counts.
    Disputed(usize),
    /// It is an error declaration, and its event is here, too.
    Declaration,
    /// It is an error declaration, and its event is not here.
    LoneDeclaration,
}

impl Standing {
    /// Whether the event counts for nothing.
    pub(super) fn is_void(self) -> bool {
        !matches!(self, Self::Good | Self::Disputed(_))
    }
}

/// The standing of each event, by the error declarations among them.
pub(super) fn standings(events: &[Event<'_>]) -> Vec<Standing> {
    let mut declarations: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, event) in events.iter().enumerate() {
        if let (Some(_), Some(name)) = (&event.declaration, &event.name) {
            declarations.entry(name).or_default().push(at);
        }
    }
    // The accounts that captured the event with this name.
    let mut holders: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for event in events.iter().filter(|event| event.declaration.is_none()) {
        let name = event.name.as_deref();
        if let Some(name) = name.filter(|name| declarations.contains_key(name)) {
            holders.entry(name).or_default().insert(&event.account);
        }
    }
    let standing = |event: &Event<'_>| {
        let name = event.name.as_deref();
        let holders = name.and_then(|name| holders.get(name));
        if event.declaration.is_some() {
            return match holders {
                Some(_) => Standing::Declaration,
                None => Standing::LoneDeclaration,
            };
        }
        let declared = name.and_then(|name| declarations.get(name));
        let (Some(declared), Some(holders)) = (declared, holders) else {
            return Standing::Good;
        };
        let mut by_holders = declared.iter().filter(|at| {
            let declaration = events.get(**at);
            declaration.is_some_and(|event| holders.contains(event.account.as_ref()))
        });
        match (by_holders.next(), declared.first()) {
            (Some(at), _) => Standing::Withdrawn(*at),
            (None, Some(at)) => Standing::Disputed(*at),
            (None, None) => Standing::Good,
        }
    };
    events.iter().map(standing).collect()
}
