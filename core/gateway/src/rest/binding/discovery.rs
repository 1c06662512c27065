//! The binding's description of itself: `OPTIONS`, and the list of top-level resources.

use crate::query::Collection;
use crate::rest::answer::{ALLOWED_HEADERS, Answer};
use crate::rest::routes::MatchedRoute;
use crate::service::Service;
use http::header::HeaderName;
use serde::Serialize;
use serde_json::json;

/// The JSON-LD context that defines the terms of the standard.
pub(super) const CONTEXT: &str = "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld";

const CAPTURE_LIMIT: HeaderName = HeaderName::from_static("gs1-epcis-capture-limit");
const FILE_SIZE_LIMIT: HeaderName = HeaderName::from_static("gs1-epcis-capture-file-size-limit");

/// The answer to `OPTIONS`: CORS preflight, and the versions and options served. Needs no look-up.
///
/// **Source**: EPCIS 2.0, 12 (discovery); Fetch, CORS protocol.
pub(super) fn options(service: &Service, route: &MatchedRoute<'_>) -> Answer {
    let mut answer = Answer::preflight(route.allow(), ALLOWED_HEADERS);
    for (name, value) in [
        ("gs1-epcis-min", "1.0.0"),
        ("gs1-epcis-max", "2.0.1"),
        ("gs1-cbv-min", "1.0.0"),
        ("gs1-cbv-max", "2.0.1"),
        ("gs1-epc-format", "No_Preference"),
        ("gs1-cbv-xml-format", "Always_URN"),
        ("gs1-capture-error-behaviour", "all"),
        ("gs1-vendor-version", concat!("epcis-edge/", env!("CARGO_PKG_VERSION"))),
    ] {
        answer = answer.with(HeaderName::from_static(name), value.to_owned());
    }
    with_limits(service, answer)
}

/// Adds the headers that state the limits of one capture: how many events, and how many octets.
pub(super) fn with_limits(service: &Service, answer: Answer) -> Answer {
    let configuration = service.configuration();
    answer
        .with(CAPTURE_LIMIT, configuration.max_capture_events.to_string())
        .with(FILE_SIZE_LIMIT, configuration.max_body_bytes.to_string())
}

/// The names of the top-level resources.
pub(in crate::rest) fn top() -> Vec<&'static str> {
    let collections = Collection::ALL.map(Collection::name);
    let mut names = vec!["events"];
    names.extend(collections);
    names.extend(["capture", "queries"]);
    names
}

/// The list of top-level resources.
pub(super) fn collection() -> impl Serialize {
    json!({"@context": CONTEXT, "type": "Collection", "member": top()})
}
