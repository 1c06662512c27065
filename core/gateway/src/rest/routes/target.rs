//! The targets of paths: an endpoint of the gateway's own, a resource of the REST binding, or a part of a log.

use crate::query::Collection;

/// The handler of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rest) enum Target {
    Endpoint(Endpoint),
    /// The REST binding of the standard.
    Binding(Mount, Resource),
    /// The transparency log.
    Log(LogResource),
}

/// An endpoint of the gateway's own, outside the REST binding and the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rest) enum Endpoint {
    Check,
    Events,
    Family,
    Follow,
    Hash,
    Index,
    Mcp,
    Namespace,
    OpenApi,
    Pricing,
    Report,
    Translate,
    Validate,
}

/// The prefix under which the binding exists a second time, always with a key.
const PREFIX: &str = "/epcis";

/// The base path under which the binding was requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rest) enum Mount {
    /// At the root, beside the other endpoints.
    Root,
    /// Under `/epcis`.
    Prefix,
}

impl Mount {
    /// The base path, to put before the path of a resource.
    pub(in crate::rest) fn path(self) -> &'static str {
        match self {
            Self::Root => "",
            Self::Prefix => PREFIX,
        }
    }
}

/// A resource of the binding. The route gives the values in its path by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rest) enum Resource {
    Top,
    Jobs,
    Job,
    Events,
    Event,
    Values(Collection),
    /// A value of a collection, or the events of a value. Values may contain slashes, so the end of the path decides which.
    Value(Collection),
    /// Captured master data: all of it, of a type, or of an identifier.
    MasterData,
    MasterDataType,
    MasterDataElement,
    Queries,
    Query,
    QueryEvents,
    Subscriptions,
    Subscription,
    PageToken,
}

/// The target of a path of the transparency log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rest) enum LogResource {
    Part(LogPart),
    Status,
    Order,
}

/// A part of a log. All parts are public, except proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rest) enum LogPart {
    Checkpoint,
    Policy,
    Proof,
    Proofs,
    /// A tile; its path is the value `tile` of the request path.
    Tile,
    /// An entry bundle; its path is the value `bundle` of the request path.
    Entries,
}

impl LogPart {
    /// Whether the part takes query parameters.
    pub(in crate::rest) fn takes_parameters(self) -> bool {
        matches!(self, Self::Proof | Self::Proofs)
    }
}
