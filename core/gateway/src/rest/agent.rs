//! `POST /mcp`: the origin check, and how a message travels over HTTP. Its content is handled by [`crate::mcp`].

use super::answer::Answer;
use super::routes::MatchedRoute;
use super::{Body, body, media, without_body};
use crate::call::Incoming;
use crate::mcp::{self, Headers, Transport};
use crate::service::{Origins, Service};
use epcis_edge_text::error::{Error, ErrorKind, Problem};
use http::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN};
use http::request::Parts;
use http::{HeaderValue, StatusCode};

const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// The headers that pages of allowed origins may send; `*` would not cover `Authorization`.
const ALLOWED_HEADERS: HeaderValue = HeaderValue::from_static(
    "Content-Type, Accept, Authorization, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID",
);

/// The longest message, in bytes, that is read without counting against the rate limit.
const FREE_LENGTH: u64 = 64 << 10;

pub(super) async fn answer(
    service: &Service,
    route: &MatchedRoute<'_>,
    head: &Parts,
    body: &mut dyn Body,
    visit: &Incoming<'_>,
) -> Answer {
    let origin = match allowed_origin(head, &service.configuration().origins) {
        Ok(origin) => origin,
        Err(error) => return refusal(&error).for_origin(None),
    };
    let answer = match without_body(route, &head.method, ALLOWED_HEADERS) {
        Some(answer) => answer,
        None => match post(service, head, body, visit).await {
            Ok(answer) => answer,
            Err(error) => refusal(&error),
        },
    };
    answer.for_origin(origin)
}

async fn post(
    service: &Service,
    head: &Parts,
    body: &mut dyn Body,
    visit: &Incoming<'_>,
) -> Result<Answer, Error> {
    media::require_message(head)?;
    // Reading a long message counts as work by itself, whatever the message requests.
    if body::announced(head).is_none_or(|length| length > FREE_LENGTH) {
        visit.admitted().await?;
    }
    let text = body::read(head, body, service.configuration().max_body_bytes).await?;
    let header = |name| {
        let value: Option<&HeaderValue> = head.headers.get(name);
        value.map(|value| String::from_utf8_lossy(value.as_bytes()))
    };
    let (authorization, version) = (header(AUTHORIZATION), header(PROTOCOL_VERSION));
    let (method, name) = (header(METHOD), header(NAME));
    let door = Transport::Http(Headers {
        authorization: authorization.as_deref(),
        version: version.as_deref(),
        method: method.as_deref(),
        name: name.as_deref(),
    });
    let reply = mcp::answer(service, &text, door, visit).await;
    Ok(reply.map_or_else(|| Answer::empty(StatusCode::ACCEPTED), Answer::message))
}

/// A refusal at the HTTP level, as a JSON-RPC error with the problem as its data.
fn refusal(error: &Error) -> Answer {
    Answer::message(mcp::refusal(error, Problem::from(error).status)).after(error)
}

/// The `Origin` of the request if that origin is allowed; `None` if the request does not come from a page.
fn allowed_origin(head: &Parts, origins: &Origins) -> Result<Option<HeaderValue>, Error> {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let host = match head.headers.get(HOST) {
        Some(host) => Some(text(host)),
        None => head.uri.authority().map(ToString::to_string),
    };
    if let Some(found) = host.filter(|host| !origins.admits_host(host)) {
        return Err(Error::new(ErrorKind::ForeignHost { found }));
    }
    match head.headers.get(ORIGIN) {
        Some(origin) if !origins.admits_origin(&text(origin)) => {
            let found = text(origin);
            Err(Error::new(ErrorKind::ForeignOrigin { found }))
        }
        origin => Ok(origin.cloned()),
    }
}
