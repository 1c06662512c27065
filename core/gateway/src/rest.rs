//! The HTTP interface: one total function from request to response.
//!
//! The function returns no error: every failure is already a problem response.
//! The table of all paths is in `routes.rs`. A "door" is an endpoint of the gateway's own, as opposed to one of the REST binding.
//!
//! **Source**: the interface of the gateway; EPCIS 2.0, section 12 (REST binding) for exceptions and headers.

mod agent;
mod answer;
mod binding;
mod body;
mod doors;
mod log;
mod media;
mod query;
mod routes;

pub use answer::{Compressible, Detail, LongPoll};
pub use body::{Body, BodyFault};
pub use media::takes_gzip;
#[cfg(feature = "schema")]
pub use routes::paths;

use crate::call::{Call, Incoming};
use crate::service::{Configuration, Service};
use answer::{ALLOWED_HEADERS, Answer};
use bytes::Bytes;
use epcis_edge_reports::ReportName;
use epcis_edge_text::error::{Error, ErrorKind};
use futures_util::future::LocalBoxFuture;
use http::request::Parts;
use http::{HeaderValue, Method, Request, Response};
use routes::{Endpoint, MatchedRoute, Mount, Resource, Target};

/// The schemas of the answers whose types have no other use outside: the family, the demo, the index, and a named query.
#[cfg(feature = "schema")]
pub fn own_schemas(generator: &mut schemars::SchemaGenerator) -> [schemars::Schema; 4] {
    use schemars::JsonSchema as _;
    [
        doors::ShownFamily::json_schema(generator),
        doors::DemoEvents::json_schema(generator),
        doors::Index::json_schema(generator),
        binding::Definition::json_schema(generator),
    ]
}

/// The longest body of `POST /follow` and `POST /report/{name}`, in bytes.
const MAX_QUESTION: usize = 256 << 10;

/// The answer to `OPTIONS`, and to a method that a path does not support.
fn without_body(
    route: &MatchedRoute<'_>,
    method: &Method,
    allowed_headers: HeaderValue,
) -> Option<Answer> {
    if *method == Method::OPTIONS {
        return Some(Answer::preflight(route.allow(), allowed_headers));
    }
    (!route.has(method)).then(|| no_such_method(route, method))
}

fn no_such_method(route: &MatchedRoute<'_>, method: &Method) -> Answer {
    let kind = ErrorKind::Method { found: method.to_string(), allowed: route.allow() };
    Answer::problem(&Error::new(kind)).allowing(route.allow())
}

fn no_such_resource(head: &Parts) -> Error {
    let path = head.uri.path().to_owned();
    Error::new(ErrorKind::NoSuchResource { path })
}

/// Answers a request.
///
/// **Limits**: at most [`Configuration::max_body_bytes`](crate::service::Configuration::max_body_bytes) of the body are kept, and
/// nothing of it if the request is refused first. Up to 32 MiB more are read and dropped, so that a client that is still sending
/// receives the answer.
///
/// # Example
/// ```
/// use bytes::Bytes;
/// use epcis_edge_gateway::{call::Incoming, rest, service::{Configuration, Service}};
/// let service = Service::new(Configuration::at("https://epcis.example.com"));
/// let request = http::Request::get("/pricing").body(Bytes::new()).expect("a request");
/// let response = pollster::block_on(rest::respond(&service, request, &Incoming::at(0)));
/// assert_eq!(response.status(), 200);
/// assert!(response.body().starts_with(b"{\"type\":\"OK\",\"model\":\"free\""));
/// ```
pub async fn respond(
    service: &Service,
    request: Request<impl Body>,
    visit: &Incoming<'_>,
) -> Response<Bytes> {
    let (head, mut body) = request.into_parts();
    responded(service, &head, &mut body, visit).await
}

/// As [`respond`]. Boxed, so that all doors are compiled here and not with each shell.
fn responded<'a>(
    service: &'a Service,
    head: &'a Parts,
    body: &'a mut dyn Body,
    visit: &'a Incoming<'_>,
) -> LocalBoxFuture<'a, Response<Bytes>> {
    Box::pin(async move {
        let answer = match answer(service, head, body, visit).await {
            Ok(answer) => answer,
            Err(error) => Answer::problem(&error),
        };
        body::discard(body::announced(head), body).await;
        answer.into_response(service.configuration(), head.method == Method::HEAD)
    })
}

/// The answer of a shell that cannot read a request, or that fails by itself.
#[must_use]
pub fn refuse(configuration: &Configuration, error: &Error) -> Response<Bytes> {
    Answer::problem(error).into_response(configuration, false)
}

async fn answer(
    service: &Service,
    head: &Parts,
    body: &mut dyn Body,
    visit: &Incoming<'_>,
) -> Result<Answer, Error> {
    let route = &routes::find(head.uri.path())?.ok_or_else(|| no_such_resource(head))?;
    let is_get = matches!(head.method, Method::GET | Method::HEAD);
    let door = match route.target {
        // At the root, two paths are shared with the binding: `/` always serves the index, which is also the standard's list;
        // `/events` serves the demo to requests without a key.
        Target::Binding(Mount::Root, Resource::Top) if is_get => Endpoint::Index,
        Target::Binding(Mount::Root, Resource::Events)
            if is_get && binding::is_for_the_demo(head) =>
        {
            Endpoint::Events
        }
        Target::Binding(mount, resource) => {
            let place = (route, mount, resource);
            return Ok(binding::answer(service, place, head, body, visit).await);
        }
        Target::Log(place) => return log::answer(service, (route, place), head, body, visit).await,
        Target::Endpoint(door) => door,
    };
    // The agent endpoint has its own origin rules, which apply before everything else.
    if door == Endpoint::Mcp {
        return Ok(agent::answer(service, route, head, body, visit).await);
    }
    if let Some(answer) = without_body(route, &head.method, ALLOWED_HEADERS) {
        return Ok(answer);
    }
    if head.method == Method::POST {
        visit.admitted().await?;
    }
    match door {
        Endpoint::Check => {
            let sent = media::body_format(head)?;
            let text = body::read(head, body, service.configuration().max_body_bytes).await?;
            visit.admitted_length(text.len()).await?;
            doors::check(service, head, sent, text, visit).await
        }
        Endpoint::Events => doors::events(service, head),
        Endpoint::Follow => {
            query::parameters(head.uri.query(), [])?;
            let call = &Call::new(visit.now, binding::principal(service, head).await?);
            call.principal.require_query()?;
            let limit = service.configuration().max_body_bytes.min(MAX_QUESTION);
            let asked = body::read_json(head, body, limit).await?;
            doors::follow(service, &asked, call).await
        }
        Endpoint::Family => doors::family(service, visit.now).await,
        Endpoint::Hash => {
            let text = body::read_json(head, body, service.configuration().max_body_bytes).await?;
            visit.admitted_length(text.len()).await?;
            doors::hash(head, &text)
        }
        Endpoint::Index => doors::index(head),
        Endpoint::Mcp => Err(Error::impossible("the door of agents answers before the others")),
        Endpoint::Namespace => doors::namespace(service),
        Endpoint::OpenApi => {
            let description = (visit.description)().await;
            description.map(Answer::json_bytes).ok_or_else(|| no_such_resource(head))
        }
        Endpoint::Pricing => doors::pricing(service),
        Endpoint::Report => {
            query::parameters(head.uri.query(), [])?;
            let call = &Call::new(visit.now, binding::principal(service, head).await?);
            call.principal.require_query()?;
            let name = ReportName::in_path(route.value("name")?)?;
            let form = media::report_form(head)?;
            let limit = service.configuration().max_body_bytes.min(MAX_QUESTION);
            let asked = body::read_json(head, body, limit).await?;
            doors::report(service, name, form, &asked, call).await
        }
        Endpoint::Translate => {
            let xml = body::read_xml(head, body, service.configuration().max_body_bytes).await?;
            visit.admitted_length(xml.len()).await?;
            doors::translate(service, &xml)
        }
        Endpoint::Validate => {
            doors::require_engine(head)?;
            let limit = service.configuration().max_body_bytes;
            let text = body::read_json(head, body, limit).await?;
            visit.admitted_length(text.len()).await?;
            doors::validate(service, &text)
        }
    }
}
