//! The stamps of gateways: who captured an event, in a namespace of the gateway's own.
//!
//! Which readings of an event can its name be the hash of?
//! A name that a gateway makes is the hash of the event as it is stored, with its stamps; one that the caller made is the hash of
//! the event before that.
//! Each gateway adds its stamps behind those that are there, so the newest are left out first:
//! ```text
//! name made by the caller, captured at A, then at B:   hash without the stamps of B and of A
//! name made by A, then captured at B:                  hash without the stamps of B
//! name made by B:                                      hash of the event as it stands
//! ```

use super::EventHash;
use super::tree::{At, HashTree};

/// How the namespace of a gateway ends.
const ENDING: &str = "/ns/spine/";

/// How many gateways are told apart; where there were more, all stamps are left out at once.
const MAX_GATEWAYS: usize = 8;

/// What of an event its hash is taken of.
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// The event as it stands.
    #[default]
    AsItStands,
    /// The event without the members of one or more namespaces that end in `/ns/spine/`, the newest first.
    WithoutStamps,
}

/// The namespaces of gateways, as they come first in an event.
pub(crate) type Stamps = Vec<Box<str>>;

/// The stamps of the event in a tree.
pub(crate) fn stamps_of(tree: &HashTree<'_>) -> Stamps {
    let mut stamps = Stamps::new();
    let extensions = tree.children(At::EVENT);
    for (name, _) in extensions.filter(|(name, _)| tree.is_extension(*name)) {
        let (Some(namespace), _) = tree.owned_name(name) else {
            continue;
        };
        if namespace.ends_with(ENDING) && !stamps.contains(&namespace) {
            stamps.push(namespace);
        }
    }
    stamps
}

/// What is left out in the readings of an event with these stamps, those aside in which it stands as it is.
pub(crate) fn left_out(stamps: &[Box<str>]) -> impl Iterator<Item = &[Box<str>]> {
    let count = stamps.len();
    let all = (count > MAX_GATEWAYS).then_some(count);
    (1..=count.min(MAX_GATEWAYS))
        .chain(all)
        .filter_map(move |newest| stamps.get(count - newest..))
}

/// The hash of an event in one reading, and the stamps that counted.
#[derive(Debug)]
pub(crate) struct Stamped {
    pub(crate) hash: EventHash,
    pub(crate) stamps: Stamps,
}
