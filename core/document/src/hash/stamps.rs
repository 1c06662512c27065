//! The stamps of gateways: members that say who captured an event, in a namespace of the gateway.
//!
//! Which readings of an event can its `eventID` be the hash of?
//! An `eventID` made by a gateway is the hash of the event as stored, with the gateway's stamps. One made by the caller is the
//! hash of the event before it was stamped.
//! Each gateway adds its stamps after the existing ones, so the newest are left out first:
//! ```text
//! name made by the caller, captured at A, then at B:   hash without the stamps of B and of A
//! name made by A, then captured at B:                  hash without the stamps of B
//! name made by B:                                      hash of the event as it stands
//! ```

use super::EventHash;
use super::tree::{HashTree, NodeId};

/// The end of a gateway's namespace.
const ENDING: &str = "/ns/spine/";

/// The number of gateways whose stamps are left out step by step. For more, all stamps are left out at once as a last attempt.
const MAX_GATEWAYS: usize = 8;

/// The part of an event that is hashed.
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HashScope {
    /// The event as it stands.
    #[default]
    AsItStands,
    /// The event without the members of one or more namespaces that end in `/ns/spine/`, the newest first.
    WithoutStamps,
}

/// The namespaces of the gateways that stamped an event, in order of first appearance.
pub type StampNamespaces = Vec<Box<str>>;

/// The stamps of the event in a tree.
pub fn stamp_namespaces(tree: &HashTree<'_>) -> StampNamespaces {
    let mut stamps = StampNamespaces::new();
    let extensions = tree.children(NodeId::EVENT);
    for (name, _) in extensions.filter(|(name, _)| tree.names.is_extension(*name)) {
        let (Some(namespace), _) = tree.owned_name(name) else {
            continue;
        };
        if namespace.ends_with(ENDING) && !stamps.contains(&namespace) {
            stamps.push(namespace);
        }
    }
    stamps
}

/// The namespaces to leave out in each further reading of an event with these stamps. The event as it stands is not among them.
pub fn left_out(stamps: &[Box<str>]) -> impl Iterator<Item = &[Box<str>]> {
    let count = stamps.len();
    let all = (count > MAX_GATEWAYS).then_some(count);
    (1..=count.min(MAX_GATEWAYS)).chain(all).filter_map(move |newest| stamps.get(count - newest..))
}

/// The hash of an event in one reading, and the stamps that were part of it.
#[derive(Debug)]
pub struct HashWithStamps {
    /// The hash.
    pub hash: EventHash,
    /// The namespaces of the stamps.
    pub stamps: StampNamespaces,
}
