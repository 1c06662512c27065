//! The HTTP doors: one total function from request to response.
//!
//! There is no error to return: every failure is already a problem response.
//! The route table is data, so `OPTIONS`, `Allow` and the index are derived from it.
//!
//! **Source**: the interface of the gateway; EPCIS 2.0, section 12 (REST binding) for exceptions and headers.

mod agent;
mod answer;
mod binding;
mod body;
mod doors;
mod log;
mod media;
mod openapi;
mod query;

pub use answer::{Compressible, Detail, Patience};
pub use body::{Body, BodyFault};
pub use openapi::OPENAPI;

use crate::call::Incoming;
use crate::error::{Error, ErrorKind};
use crate::service::Service;
use crate::store::Store;
use answer::{ALLOWED_HEADERS, Answer};
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderValue, Method, Request, Response};

/// What stands behind a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Door {
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

/// A path with its one method besides `HEAD` and `OPTIONS`.
struct Route {
    path: &'static str,
    method: Method,
    door: Door,
    /// What it does, for the index.
    does: &'static str,
}

const ROUTES: [Route; 12] = [
    Route {
        path: "/",
        method: Method::GET,
        door: Door::Index,
        does: "this list",
    },
    Route {
        path: "/check",
        method: Method::POST,
        door: Door::Check,
        does: "EPCIS JSON or XML in, what no schema says out: keys, contradictions, words; parameter packs",
    },
    Route {
        path: "/events",
        method: Method::GET,
        door: Door::Events,
        does: "demo events; parameters kind, tag, scope. With a key the stored events",
    },
    Route {
        path: "/family.json",
        method: Method::GET,
        door: Door::Family,
        does: "sibling services and their relations",
    },
    Route {
        path: "/hash",
        method: Method::POST,
        door: Door::Hash,
        does: "EPCIS 2.0 JSON in, CBV event hashes out; parameters profile, prehash",
    },
    Route {
        path: "/index.html",
        method: Method::GET,
        door: Door::Index,
        does: "the same, under the name of its file",
    },
    Route {
        path: "/mcp",
        method: Method::POST,
        door: Door::Mcp,
        does: "capture, query, get_event, trace and translate for agents: Model Context Protocol",
    },
    Route {
        path: "/ns/spine/",
        method: Method::GET,
        door: Door::Namespace,
        does: "the gateway's extension members, described",
    },
    Route {
        path: "/openapi.json",
        method: Method::GET,
        door: Door::OpenApi,
        does: "these doors as OpenAPI 3.1",
    },
    Route {
        path: "/pricing",
        method: Method::GET,
        door: Door::Pricing,
        does: "what the service costs: nothing",
    },
    Route {
        path: "/translate",
        method: Method::POST,
        door: Door::Translate,
        does: "EPCIS 1.x or 2.0 XML in, EPCIS 2.0 JSON-LD out, with a report of every loss",
    },
    Route {
        path: "/validate",
        method: Method::POST,
        door: Door::Validate,
        does: "EPCIS 2.0 JSON in, the verdict of the official schema out; parameter engine",
    },
];

impl Route {
    /// As [`without_body`].
    fn without_body(&self, method: &Method, allowed_headers: HeaderValue) -> Option<Answer> {
        without_body(&self.method, method, allowed_headers)
    }
}

/// The `Allow` header of a path with one method.
fn allow(own: &Method) -> String {
    if *own == Method::GET {
        "GET, HEAD, OPTIONS".to_owned()
    } else {
        format!("{own}, OPTIONS")
    }
}

/// The answer to a method that is not worked for: `OPTIONS`, and what a path with one method does not have.
fn without_body(own: &Method, method: &Method, allowed_headers: HeaderValue) -> Option<Answer> {
    if *method == Method::OPTIONS {
        return Some(Answer::preflight(allow(own), allowed_headers));
    }
    let is_served = method == own || (*method == Method::HEAD && *own == Method::GET);
    if is_served {
        return None;
    }
    let kind = ErrorKind::Method {
        found: method.to_string(),
        allowed: allow(own),
    };
    Some(Answer::problem(&Error::new(kind)).allowing(allow(own)))
}

/// Answers a request.
///
/// **Limits**: the body is kept up to [`Configuration::max_body_bytes`](crate::service::Configuration::max_body_bytes), and not
/// at all when it cannot be served; 32 MiB more are read and dropped, so that whoever still sends gets the answer.
///
/// # Example
/// ```
/// use bytes::Bytes;
/// use epcis_edge_core::{call::Incoming, rest, service::{Configuration, Service}};
/// let service = Service::new(Configuration::at("https://epcis.example.com"));
/// let request = http::Request::get("/pricing").body(Bytes::new()).expect("a request");
/// let response = pollster::block_on(rest::respond(&service, request, &Incoming::at(0)));
/// assert_eq!(response.status(), 200);
/// assert!(response.body().starts_with(b"{\"type\":\"OK\",\"model\":\"free\""));
/// ```
pub async fn respond<S: Store, B: Body, A: AsyncFn() -> bool>(
    service: &Service<S>,
    request: Request<B>,
    visit: &Incoming<A>,
) -> Response<Bytes> {
    let (head, mut body) = request.into_parts();
    let answer = match answer(service, &head, &mut body, visit).await {
        Ok(answer) => answer,
        Err(error) => Answer::problem(&error),
    };
    body::discard(body::announced(&head), &mut body).await;
    answer.into_response(service, head.method == Method::HEAD)
}

/// The answer where a shell cannot even begin: a request that it cannot read, or a fault of its own.
#[must_use]
pub fn refuse<S>(service: &Service<S>, error: &Error) -> Response<Bytes> {
    Answer::problem(error).into_response(service, false)
}

/// Whether the binding answers a request for one of its paths: `/` and `/events` at the root are shared with other doors.
fn is_of_binding((mount, resource): (binding::Mount, binding::Resource<'_>), head: &Parts) -> bool {
    use binding::{Mount, Resource};
    let is_get = matches!(head.method, Method::GET | Method::HEAD);
    match (mount, resource) {
        (Mount::Root, Resource::Top) => !is_get,
        (Mount::Root, Resource::Events) => !(is_get && binding::is_for_the_demo(head)),
        _ => true,
    }
}

async fn answer<S: Store, B: Body, A: AsyncFn() -> bool>(
    service: &Service<S>,
    head: &Parts,
    body: &mut B,
    visit: &Incoming<A>,
) -> Result<Answer, Error> {
    let path = head.uri.path();
    if let Some(place) = binding::find(path)
        && is_of_binding(place, head)
    {
        return Ok(binding::answer(service, place, head, body, visit).await);
    }
    if let Some(place) = log::find(path) {
        return log::answer(service, place, head, body, visit).await;
    }
    let route = ROUTES.iter().find(|route| route.path == path);
    let route = route.ok_or_else(|| {
        Error::new(ErrorKind::NoSuchResource {
            path: path.to_owned(),
        })
    })?;
    if route.door != Door::Mcp {
        if let Some(answer) = route.without_body(&head.method, ALLOWED_HEADERS) {
            return Ok(answer);
        }
        if route.method == Method::POST {
            visit.admitted().await?;
        }
    }
    match route.door {
        Door::Check => {
            let sent = media::sent(head)?;
            let text = body::read(head, body, service.configuration().max_body_bytes).await?;
            visit.admitted_length(text.len()).await?;
            doors::check(service, head, sent, &text, visit).await
        }
        Door::Events => doors::events(service, head),
        Door::Family => doors::family(service, visit.now).await,
        Door::Hash => {
            let text = body::read_json(head, body, service.configuration().max_body_bytes).await?;
            visit.admitted_length(text.len()).await?;
            doors::hash(head, &text)
        }
        Door::Index => doors::index(head),
        // With rules of its own for origins, which come before all others.
        Door::Mcp => Ok(agent::answer(service, route, head, body, visit).await),
        Door::Namespace => doors::namespace(service),
        Door::OpenApi => Ok(doors::openapi()),
        Door::Pricing => doors::pricing(service),
        Door::Translate => {
            let xml = body::read_xml(head, body, service.configuration().max_body_bytes).await?;
            visit.admitted_length(xml.len()).await?;
            doors::translate(service, &xml)
        }
        Door::Validate => {
            let engine = doors::engine(head)?;
            let limit = service.configuration().max_body_bytes;
            let text = body::read_for_engine(head, body, limit, engine).await?;
            visit.admitted_length(text.len()).await?;
            doors::validate(service, engine, &text)
        }
    }
}
