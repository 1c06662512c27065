//! All paths of the gateway in one table, from which routing, `Allow`, `OPTIONS` and the index are derived.
//!
//! A path is written as in OpenAPI. `{*name}` is a value that may contain slashes and extends to the end of the path.

mod target;

pub(super) use target::{Endpoint, LogPart, LogResource, Mount, Resource, Target};

use crate::query::Collection;
use epcis_edge_text::error::Error;
use http::Method;
use matchit::{Params, Router};
use std::sync::OnceLock;

/// A path, its target, and its methods.
pub(super) struct Route {
    pub(super) path: &'static str,
    pub(super) target: Target,
    pub(super) operations: &'static [Operation],
}

/// A method of a path.
pub(super) struct Operation {
    pub(super) method: &'static Method,
    /// False if the standard describes the method but this gateway answers it with 501; then it is not in `Allow`.
    is_served: bool,
    /// A description for the index; empty if the index omits the method.
    pub(super) does: &'static str,
}

const fn get(does: &'static str) -> Operation {
    served(&Method::GET, does)
}

const fn post(does: &'static str) -> Operation {
    served(&Method::POST, does)
}

const fn served(method: &'static Method, does: &'static str) -> Operation {
    Operation { method, is_served: true, does }
}

/// A method that the standard describes but this gateway does not serve.
const fn unserved(method: &'static Method) -> Operation {
    Operation { method, is_served: false, does: "" }
}

const fn endpoint(
    path: &'static str,
    endpoint: Endpoint,
    operations: &'static [Operation],
) -> Route {
    let target = Target::Endpoint(endpoint);
    Route { path, target, operations }
}

const fn binding(path: &'static str, at: Resource, operations: &'static [Operation]) -> Route {
    let target = Target::Binding(Mount::Root, at);
    Route { path, target, operations }
}

const fn log(path: &'static str, place: LogResource, operations: &'static [Operation]) -> Route {
    let target = Target::Log(place);
    Route { path, target, operations }
}

/// The paths, in the order of the index. Each path of the binding exists again under [`Mount::Prefix`]; the paths of the
/// [`Collection`]s are added to these.
pub(super) static ROUTES: &[Route] = &[
    binding("/", Resource::Top, &[get("this list")]),
    endpoint("/index.html", Endpoint::Index, &[get("the same, under the name of its file")]),
    binding(
        "/capture",
        Resource::Jobs,
        &[get(""), post("capture a document, with a key: the REST binding of EPCIS 2.0")],
    ),
    binding("/capture/{captureID}", Resource::Job, &[get("")]),
    binding(
        "/events",
        Resource::Events,
        &[
            get("demo events; parameters kind, tag, scope. With a key the stored events"),
            post("capture one event, with a key"),
        ],
    ),
    binding("/events/{*eventID}", Resource::Event, &[get("")]),
    binding(
        "/masterdata",
        Resource::MasterData,
        &[get("captured master data, with a key; parameters type, id, at")],
    ),
    binding("/masterdata/{type}", Resource::MasterDataType, &[get("")]),
    binding("/masterdata/{type}/{*id}", Resource::MasterDataElement, &[get("")]),
    binding("/queries", Resource::Queries, &[get("named queries, with a key"), post("")]),
    binding("/queries/{queryName}", Resource::Query, &[get(""), served(&Method::DELETE, "")]),
    binding("/queries/{queryName}/events", Resource::QueryEvents, &[get("")]),
    binding(
        "/queries/{queryName}/subscriptions",
        Resource::Subscriptions,
        &[get(""), unserved(&Method::POST)],
    ),
    binding(
        "/queries/{queryName}/subscriptions/{subscriptionID}",
        Resource::Subscription,
        &[get(""), unserved(&Method::DELETE)],
    ),
    binding("/nextPageToken/{token}", Resource::PageToken, &[unserved(&Method::DELETE)]),
    Route {
        path: "/epcis",
        target: Target::Binding(Mount::Prefix, Resource::Top),
        operations: &[get("the whole binding once more, always with a key")],
    },
    endpoint(
        "/check",
        Endpoint::Check,
        &[post(
            "EPCIS JSON or XML in, what no schema says out: keys, contradictions, words; parameter packs",
        )],
    ),
    endpoint("/family.json", Endpoint::Family, &[get("sibling services and their relations")]),
    endpoint(
        "/follow",
        Endpoint::Follow,
        &[post(
            "items in, with a key: what happened to them, what they were made of, what was made of them",
        )],
    ),
    endpoint(
        "/hash",
        Endpoint::Hash,
        &[post("EPCIS 2.0 JSON in, CBV event hashes out; parameters profile, prehash")],
    ),
    endpoint(
        "/mcp",
        Endpoint::Mcp,
        &[post(
            "capture, query, trace, follow, report, master_data, translate and prove for agents: Model Context Protocol",
        )],
    ),
    endpoint(
        "/ns/spine/",
        Endpoint::Namespace,
        &[get("the gateway's extension members, described")],
    ),
    endpoint("/openapi.json", Endpoint::OpenApi, &[get("these doors as OpenAPI 3.1")]),
    endpoint("/pricing", Endpoint::Pricing, &[get("what the service costs: nothing")]),
    endpoint(
        "/report/{name}",
        Endpoint::Report,
        &[post(
            "fsma204, dscsa, recall, passport or received about items, with a key: tables whose rows cite events and proofs, as JSON, CSV or HTML",
        )],
    ),
    endpoint(
        "/translate",
        Endpoint::Translate,
        &[post("EPCIS 1.x or 2.0 XML in, EPCIS 2.0 JSON-LD out, with a report of every loss")],
    ),
    endpoint(
        "/validate",
        Endpoint::Validate,
        &[post("EPCIS 2.0 JSON in, the verdict of the official schema out; parameter engine")],
    ),
    log(
        "/log/checkpoint",
        LogResource::Part(LogPart::Checkpoint),
        &[get("the head of the transparency log: signed, and cosigned by its witnesses")],
    ),
    log(
        "/log/policy",
        LogResource::Part(LogPart::Policy),
        &[get("the keys of the log and its witnesses, as a policy")],
    ),
    log(
        "/log/proof",
        LogResource::Part(LogPart::Proof),
        &[get(
            "the proof that an event was logged, with a key; parameters event, declaration, format=cose for a COSE receipt",
        )],
    ),
    log(
        "/log/proofs",
        LogResource::Part(LogPart::Proofs),
        &[get(
            "all events that a query finds, each with its proof, page by page, with a key; parameters as of /events",
        )],
    ),
    log(
        "/log/status",
        LogResource::Status,
        &[get("the state of the log: ok, lagging or halted, and when each witness cosigned last")],
    ),
    log(
        "/log/order",
        LogResource::Order,
        &[post("what an operator orders, signed with the key of the log: restart, check")],
    ),
    log(
        "/log/tile/{*tile}",
        LogResource::Part(LogPart::Tile),
        &[get("the log in tiles of 256 hashes, such as 0/000: C2SP tlog-tiles")],
    ),
    log(
        "/log/tile/entries/{*bundle}",
        LogResource::Part(LogPart::Entries),
        &[get("the entries of the log, such as 000; they tell nothing without their salts")],
    ),
];

/// The paths, in the order of the index, each with its methods, and whether it is one of the REST binding; without the collections.
#[cfg(feature = "schema")]
pub fn paths() -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static Method>, bool)>
{
    ROUTES.iter().map(|route| {
        let methods = route.operations.iter().map(|operation| operation.method);
        (route.path, methods, matches!(route.target, Target::Binding(..)))
    })
}

/// The methods of a collection, of its values, and of the events of a value.
static READ: [Operation; 1] = [get("")];

/// The route of a request, with the values in its path.
pub(super) struct MatchedRoute<'p> {
    pub(super) target: Target,
    operations: &'static [Operation],
    values: Params<'static, 'p>,
}

impl<'p> MatchedRoute<'p> {
    /// A value in the path, not decoded.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`](epcis_edge_text::error::ErrorKind::Internal) if the path of the route has no value of this name.
    pub(super) fn value(&self, name: &str) -> Result<&'p str, Error> {
        let missing = || Error::impossible("a route lacks the value that its door asks for");
        self.values.get(name).ok_or_else(missing)
    }

    /// The `Allow` header.
    pub(super) fn allow(&self) -> String {
        let mut allow = String::new();
        for operation in self.operations.iter().filter(|one| one.is_served) {
            allow.push_str(operation.method.as_str());
            allow.push_str(", ");
            if *operation.method == Method::GET {
                allow.push_str("HEAD, ");
            }
        }
        allow + "OPTIONS"
    }

    /// Whether the method has its own answer: it is served, or it is described by the standard and answered as not served.
    pub(super) fn has(&self, method: &Method) -> bool {
        let wanted = match *method {
            Method::HEAD => &Method::GET,
            _ => method,
        };
        self.operations.iter().any(|one| one.method == wanted)
    }
}

type Targets = Router<(Target, &'static [Operation])>;

/// The route of a path, if one matches.
///
/// # Errors
/// [`ErrorKind::Internal`](epcis_edge_text::error::ErrorKind::Internal) if two paths in the table are the same, which a test rules out.
pub(super) fn find(path: &str) -> Result<Option<MatchedRoute<'_>>, Error> {
    static ROUTER: OnceLock<Option<Targets>> = OnceLock::new();
    let router = ROUTER.get_or_init(|| router().ok()).as_ref();
    let router = router.ok_or_else(|| Error::impossible("two routes have the same path"))?;
    Ok(router.at(path).ok().map(|found| MatchedRoute {
        target: found.value.0,
        operations: found.value.1,
        values: found.params,
    }))
}

fn router() -> Result<Targets, matchit::InsertError> {
    let mut router = Router::new();
    for route in ROUTES {
        router.insert(route.path, (route.target, route.operations))?;
        if let Target::Binding(Mount::Root, resource) = route.target {
            let target = Target::Binding(Mount::Prefix, resource);
            let path = format!("{}{}", Mount::Prefix.path(), route.path);
            router.insert(path, (target, route.operations))?;
        }
    }
    for mount in [Mount::Root, Mount::Prefix] {
        for collection in Collection::ALL {
            let path = format!("{}/{}", mount.path(), collection.name());
            let target = |resource| (Target::Binding(mount, resource), &READ[..]);
            router.insert(format!("{path}/{{*value}}"), target(Resource::Value(collection)))?;
            router.insert(path, target(Resource::Values(collection)))?;
        }
    }
    Ok(router)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(path: &str) -> Option<Target> {
        find(path).unwrap().map(|found| found.target)
    }

    #[track_caller]
    fn check(path: &str, target: Target, values: &[(&str, &str)]) {
        let found = find(path).unwrap().unwrap();
        assert_eq!(found.target, target, "{path}");
        for (name, value) in values {
            assert_eq!(found.value(name).unwrap(), *value, "{path}");
        }
    }

    #[test]
    fn a_path_names_its_resource() {
        use Mount::{Prefix, Root};
        let at = Target::Binding;
        check("/", at(Root, Resource::Top), &[]);
        check("/epcis", at(Prefix, Resource::Top), &[]);
        check("/epcis/", at(Prefix, Resource::Top), &[]);
        check("/epcs", at(Root, Resource::Values(Collection::Epcs)), &[]);
        check("/capture", at(Root, Resource::Jobs), &[]);
        check("/epcis/capture/c-1", at(Prefix, Resource::Job), &[("captureID", "c-1")]);
        for none in [
            "",
            "/nothing",
            "/epcisx",
            "/capture/",
            "/capture/a/b",
            "/epcs/",
            "/queries/a/b",
            "/queries/a/subscriptions/",
            "/nextPageToken",
            "/epcis//events",
        ] {
            assert_eq!(target(none), None, "{none}");
        }
        check(
            "/events/ni:///sha-256;ab",
            at(Root, Resource::Event),
            &[("eventID", "ni:///sha-256;ab")],
        );
        check(
            "/epcs/https://id.gs1.org/01/1/21/events/events",
            at(Root, Resource::Value(Collection::Epcs)),
            &[("value", "https://id.gs1.org/01/1/21/events/events")],
        );
        check(
            "/queries/a%2Fb/subscriptions/c",
            at(Root, Resource::Subscription),
            &[("queryName", "a%2Fb"), ("subscriptionID", "c")],
        );
        check(
            "/log/tile/entries/x001/000",
            Target::Log(LogResource::Part(LogPart::Entries)),
            &[("bundle", "x001/000")],
        );
    }

    #[test]
    fn a_value_that_the_path_lacks_is_an_error() {
        assert!(find("/capture").unwrap().unwrap().value("captureID").is_err());
    }

    #[test]
    fn what_is_allowed_is_derived() {
        let found = |path| find(path).unwrap().unwrap();
        assert_eq!(found("/capture").allow(), "GET, HEAD, POST, OPTIONS");
        assert_eq!(found("/queries/q").allow(), "GET, HEAD, DELETE, OPTIONS");
        assert_eq!(found("/hash").allow(), "POST, OPTIONS");
        let subscriptions = found("/queries/q/subscriptions");
        assert_eq!(subscriptions.allow(), "GET, HEAD, OPTIONS");
        assert!(subscriptions.has(&Method::POST));
        assert!(!found("/").has(&Method::POST));
        assert!(!found("/hash").has(&Method::HEAD));
    }
}
