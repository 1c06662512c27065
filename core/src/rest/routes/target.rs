//! What answers for a path: a door of the gateway's own, a resource of the REST binding, or a part of a log.

use crate::query::Collection;

/// What answers for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rest) enum Target {
    Door(Door),
    /// The REST binding of the standard.
    Binding(Mount, Resource),
    /// The transparency log and the witness.
    Log(Place),
}

/// A door of the gateway's own: neither of the REST binding nor of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rest) enum Door {
    Check,
    Events,
    Family,
    Hash,
    Index,
    Mcp,
    Namespace,
    OpenApi,
    Pricing,
    Translate,
    Validate,
}

/// The prefix under which the binding stands once more, always with a key.
const PREFIX: &str = "/epcis";

/// Under which path the binding was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rest) enum Mount {
    /// Beside the other doors.
    Root,
    /// Under `/epcis`.
    Prefix,
}

impl Mount {
    /// What stands before the path of a resource.
    pub(in crate::rest) fn path(self) -> &'static str {
        match self {
            Self::Root => "",
            Self::Prefix => PREFIX,
        }
    }
}

/// A resource of the binding; the values in its path are asked from the route by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rest) enum Resource {
    Top,
    Jobs,
    Job,
    Events,
    Event,
    Values(Collection),
    /// A value of a collection, or the events of one: a value may hold slashes, so only its end tells which.
    Value(Collection),
    Queries,
    Query,
    QueryEvents,
    Subscriptions,
    Subscription,
    PageToken,
}

/// What stands behind a path of the transparency log or the witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rest) enum Place {
    /// A part of the log that grows.
    Growing(Part),
    /// A part of a log that has ended, whose `number` is in the path.
    Ended(Part),
    Status,
    Order,
    AddCheckpoint,
    /// What was last cosigned of a log; the digest of its `origin` is in the path.
    Witnessed,
}

/// A part of a log. Anybody may see it, but for proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rest) enum Part {
    Checkpoint,
    Policy,
    Proof,
    Proofs,
    /// The path of the `tile` is in that of the request.
    Tile,
    /// The path of the `bundle` is in that of the request.
    Entries,
}

impl Part {
    /// Whether a query string says which part is meant.
    pub(in crate::rest) fn takes_parameters(self) -> bool {
        matches!(self, Self::Proof | Self::Proofs)
    }
}
