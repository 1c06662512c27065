//! What each operation takes and answers, by its target: a new target does not compile until it is described.

use super::operation::Operation;
use super::parameters::{EVENTS, EXTENSIONS, PAGE, SENT, SPELLINGS, VERSIONS};
use super::responses::{JSON, JSON_LD, PROBLEM, TEXT, TEXT_XML, XML, list_of, named, text};
use crate::rest::routes::{Endpoint, LogPart, LogResource, Mount, Resource, Target};
use epcis_edge_document::hash::Profile;
use epcis_edge_document::validate::SCHEMA_PIN;
use epcis_edge_reports::ReportName;
use http::{Method, StatusCode};
use serde_json::{Value, json};

pub(super) const BINDING: &str = "EPCIS 2.0 REST binding";
pub(super) const FOLLOWING: &str = "following";
const CALCULATORS: [&str; 1] = ["calculators"];
const ABOUT: [&str; 1] = ["about"];
const LOG: [&str; 1] = ["transparency log"];

const HTML: &str = "text/html";
const OCTETS: &str = "application/octet-stream";

const FOUND: (u16, &str) = (404, "NotFound");
const FORBIDDEN: (u16, &str) = (403, "Forbidden");
const NOT_SERVED: (u16, &str) = (501, "NotServed");
const MEDIA_TYPE: (u16, &str) = (415, "UnsupportedMediaTypeException");
const TOO_LONG: (u16, &str) = (413, "CaptureLimitExceededException");
/// What any call that is work may be refused with.
const BUSY: [(u16, &str); 2] = [(429, "TooManyRequests"), (503, "Unavailable")];
/// What a query may be refused with.
const COSTLY: [(u16, &str); 2] = [(413, "QueryTooCostly"), (414, "URITooLong")];

/// An operation of the table of paths.
pub(super) fn operation(target: Target, method: &Method) -> Operation {
    match target {
        Target::Binding(Mount::Prefix, _) => {
            bound("topLevelResources", BINDING).takes(&[&VERSIONS]).shared(200, "Collection")
        }
        Target::Binding(Mount::Root, resource) => binding(resource, method),
        Target::Endpoint(endpoint) => of_endpoint(endpoint),
        Target::Log(place) => log(place),
    }
}

/// The part of an operation's name that its `OPTIONS` has too.
pub(super) fn resource_of(id: &str) -> String {
    match id {
        "index" => "Top".to_owned(),
        "topLevelResources" => "Prefix".to_owned(),
        "captureJobs" => "Capture".to_owned(),
        "releasePageToken" => "PageToken".to_owned(),
        _ => {
            let (first, rest) = id.split_at_checked(1).unwrap_or((id, ""));
            first.to_uppercase() + rest
        }
    }
}

/// An operation of the binding that takes a key, whatever its rights.
fn bound(id: &str, tag: &'static str) -> Operation {
    let refusals = [(400, "BadRequest"), (401, "Unauthorised"), (406, "NotAcceptable")];
    Operation::new(id, &[tag]).with_key().refuses(&refusals).refuses(&BUSY)
}

/// An operation of the binding that takes a key with a right.
fn keyed(id: &str) -> Operation {
    bound(id, BINDING).refuses(&[FORBIDDEN])
}

/// The list of a collection, what there is of one value, and its events.
pub(super) fn of_collection(name: &str, one: &str, suffix: &str) -> Operation {
    match suffix {
        "" => keyed(name)
            .takes(&[&PAGE, &VERSIONS, &SPELLINGS, &EXTENSIONS])
            .shared(200, "Collection"),
        "/{}" => keyed(one).takes(&[&PAGE, &VERSIONS]).shared(200, "Collection").refuses(&[FOUND]),
        _ => keyed(&format!("{one}Events"))
            .takes(&[&EVENTS, &PAGE, &["feedCursor"], &VERSIONS, &SPELLINGS, &EXTENSIONS])
            .takes(&[&["Prefer"]])
            .shared(200, "Events")
            .refuses(&[FOUND])
            .refuses(&COSTLY),
    }
}

fn at_a_time(operation: Operation) -> Operation {
    operation.takes_own("query", "at", json!({"schema": {"type": "string", "format": "date-time"}}))
}

fn with_ids(operation: Operation) -> Operation {
    let list =
        json!({"type": "array", "items": text(), "maxItems": crate::service::MAX_ELEMENT_IDS});
    operation.takes_own("query", "id", json!({"schema": list, "style": "form", "explode": true}))
}

fn binding(resource: Resource, method: &Method) -> Operation {
    let is_get = *method == Method::GET;
    let (created, object) = (StatusCode::CREATED, json!({"type": "object"}));
    let event = [(JSON, named("Event")), (JSON_LD, named("Event")), (XML, text())];
    let master_data = |id| bound(id, FOLLOWING).refuses(&[FORBIDDEN]).json(named("MasterData"));
    match resource {
        Resource::Top => Operation::new("index", &["about", BINDING]).answers(
            StatusCode::OK,
            &[],
            &[(JSON, named("Index")), (HTML, text())],
        ),
        Resource::Jobs if is_get => {
            keyed("captureJobs").takes(&[&PAGE, &VERSIONS]).json(list_of("CaptureJob"))
        }
        Resource::Jobs => keyed("capture")
            .takes(&[&SENT, &["GS1-Capture-Error-Behaviour"]])
            .body(&[(JSON, object.clone()), (JSON_LD, object), (XML, text()), (TEXT_XML, text())])
            .answers(StatusCode::ACCEPTED, &["Location"], &[])
            .refuses(&[(413, "CaptureLimitExceeded"), MEDIA_TYPE]),
        Resource::Job => {
            keyed("captureJob").takes(&[&VERSIONS]).json(named("CaptureJob")).refuses(&[FOUND])
        }
        Resource::Events if is_get => events(),
        Resource::Events => keyed("captureEvent")
            .takes(&[&SENT])
            .json_body(object)
            .answers(created, &["Location"], &event)
            .refuses(&[(409, "AlreadyExists"), (413, "CaptureLimitExceeded"), MEDIA_TYPE]),
        Resource::Event => keyed("event")
            .takes(&[&["nextPageToken"], &VERSIONS, &SPELLINGS, &EXTENSIONS])
            .shared(200, "Events")
            .refuses(&[FOUND]),
        Resource::Values(_) | Resource::Value(_) => Operation::new("", &[]),
        Resource::MasterData => {
            let typed =
                master_data("masterData").takes_own("query", "type", json!({"schema": text()}));
            at_a_time(with_ids(typed)).takes(&[&PAGE, &VERSIONS])
        }
        Resource::MasterDataType => {
            at_a_time(with_ids(master_data("masterDataOfType"))).takes(&[&PAGE, &VERSIONS])
        }
        Resource::MasterDataElement => {
            at_a_time(master_data("masterDataOfId")).takes(&[&PAGE, &VERSIONS])
        }
        Resource::Queries if is_get => {
            keyed("queries").takes(&[&PAGE, &VERSIONS]).json(list_of("NamedQuery"))
        }
        Resource::Queries => keyed("nameQuery")
            .takes(&[&SENT])
            .body(&[(JSON, named("NamedQuery"))])
            .answers(created, &["Location"], &[(JSON, named("NamedQuery"))])
            .refuses(&[(409, "AlreadyExists"), (413, "QueryTooCostly"), MEDIA_TYPE]),
        Resource::Query if is_get => {
            keyed("query").takes(&[&VERSIONS]).json(named("NamedQuery")).refuses(&[FOUND])
        }
        Resource::Query => {
            keyed("removeQuery").answers(StatusCode::NO_CONTENT, &[], &[]).refuses(&[FOUND])
        }
        Resource::QueryEvents => keyed("queryEvents")
            .takes(&[&PAGE, &["feedCursor"], &VERSIONS, &SPELLINGS, &["Prefer"]])
            .shared(200, "Events")
            .refuses(&[FOUND, NOT_SERVED]),
        Resource::Subscriptions if is_get => keyed("subscriptions")
            .takes(&[&PAGE, &VERSIONS])
            .json(json!({"type": "array", "maxItems": 0}))
            .refuses(&[FOUND]),
        Resource::Subscriptions => {
            keyed("subscribe").body(&[(JSON, object)]).refuses(&[FOUND, NOT_SERVED])
        }
        Resource::Subscription if is_get => {
            keyed("subscription").takes(&[&VERSIONS]).refuses(&[FOUND])
        }
        Resource::Subscription => keyed("unsubscribe").refuses(&[FOUND, NOT_SERVED]),
        Resource::PageToken => bound("releasePageToken", BINDING).refuses(&[NOT_SERVED]),
    }
}

/// `GET /events`, which answers with the demo collection without a key.
fn events() -> Operation {
    let query_document = || named("QueryDocument");
    let any = json!({"oneOf": [named("DemoEvents"), named("Empty"), query_document()]});
    let problem = [(JSON, named("Blocked")), (PROBLEM, named("Problem"))];
    let own = ["kind", "tag", "scope"];
    let operation = Operation::new("events", &[BINDING, "demo"]);
    own.iter()
        .fold(operation, |operation, name| operation.takes_own("query", name, json!({"schema": text()})))
        .secured(json!([{}, {"captureKey": []}, {"captureKeyAsPassword": []}, {"captureKeyAsSecret": []}]))
        .takes(&[&EVENTS, &PAGE, &["feedCursor"], &VERSIONS, &SPELLINGS, &EXTENSIONS, &["Prefer"]])
        .answers(StatusCode::OK, &[], &[(JSON, any), (JSON_LD, query_document()), (XML, text())])
        .answers(StatusCode::FORBIDDEN, &[], &problem)
        .refuses(&[(400, "BadRequest"), (401, "Unauthorised"), (406, "NotAcceptable")])
        .refuses(&COSTLY)
        .refuses(&BUSY)
}

/// A calculator, which takes a document.
fn calculator(id: &str) -> Operation {
    Operation::new(id, &CALCULATORS)
        .refuses(&[(400, "ValidationException"), TOO_LONG, MEDIA_TYPE])
        .refuses(&BUSY)
}

/// A question about items, which takes a key.
fn asking(id: &str, request: &str) -> Operation {
    Operation::new(id, &[FOLLOWING])
        .with_key()
        .json_body(named(request))
        .refuses(&[(400, "BadRequest"), (401, "Unauthorised"), FORBIDDEN, TOO_LONG, MEDIA_TYPE])
        .refuses(&BUSY)
}

fn of_endpoint(endpoint: Endpoint) -> Operation {
    let any = || json!({});
    let about = |id| Operation::new(id, &ABOUT);
    match endpoint {
        Endpoint::Check => calculator("check")
            .takes_own(
                "query",
                "packs",
                json!({"schema": {"type": "string", "examples": ["identifiers,cbv"]}}),
            )
            .body(&[(JSON, any()), (JSON_LD, any()), (XML, text()), (TEXT_XML, text())])
            .json(named("CheckReport")),
        Endpoint::Family => about("family").json(named("Family")),
        Endpoint::Follow => asking("follow", "FollowRequest").json(named("Following")),
        Endpoint::Hash => hash(any()),
        Endpoint::Mcp => agents(),
        Endpoint::Namespace => about("namespace").answers(
            StatusCode::OK,
            &[],
            &[(JSON_LD, json!({"type": "object", "required": ["@context", "@graph"]}))],
        ),
        Endpoint::OpenApi => about("openapi")
            .json(json!({"type": "object", "required": ["openapi", "info", "paths"]})),
        Endpoint::Pricing => about("pricing").json(named("Pricing")),
        Endpoint::Report => asking("report", "ReportRequest")
            .takes_own(
                "path",
                "name",
                json!({"required": true, "schema": {"enum": ReportName::ALL.map(ReportName::text)}}),
            )
            .answers(
                StatusCode::OK,
                &[],
                &[(JSON, named("Report")), ("text/csv", text()), (HTML, text())],
            )
            .refuses(&[FOUND, (406, "NotAcceptable")]),
        Endpoint::Translate => {
            let headers = [
                "Spine-Translation-Fidelity",
                "Spine-Translation-Lossy-Paths",
                "Spine-Translation-Losses",
            ];
            calculator("translate")
                .body(&[(XML, text()), (TEXT_XML, text())])
                .answers(StatusCode::OK, &headers, &[(JSON, named("Translation"))])
                .answers(StatusCode::BAD_REQUEST, &[], &[(PROBLEM, named("FailedTranslation"))])
        }
        Endpoint::Validate => {
            let engine = SCHEMA_PIN.engine;
            let schema = json!({"schema": {"enum": [engine], "default": engine}});
            calculator("validate")
                .takes_own("query", "engine", schema)
                .json_body(any())
                .json(named("Verdict"))
        }
        // The same as the index of the binding, and the demo as the events of the binding.
        Endpoint::Index | Endpoint::Events => Operation::new("", &[]),
    }
}

fn hash(body: Value) -> Operation {
    let profile = json!({
        "enum": Profile::ALL.map(Profile::as_str),
        "default": Profile::default().as_str(),
    });
    calculator("hash")
        .takes_own("query", "profile", json!({"schema": profile}))
        .takes_own("query", "prehash", json!({"schema": {"type": "boolean", "default": false}}))
        .takes_own("query", "context", json!({"schema": text()}))
        .takes_own(
            "query",
            "undeclared",
            json!({"schema": {"enum": ["refuse", "keep"], "default": "refuse"}}),
        )
        .json_body(body)
        .json(named("Hashes"))
        .answers(StatusCode::BAD_REQUEST, &[], &[(PROBLEM, named("Problem"))])
}

fn agents() -> Operation {
    let request = json!({
        "type": "object",
        "required": ["jsonrpc", "method"],
        "properties": {
            "jsonrpc": {"const": "2.0"},
            "id": {"type": ["string", "integer"]},
            "method": text(),
            "params": {"type": "object"},
        },
    });
    let message = [(JSON, named("Message"))];
    let headers = ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"];
    let operation = Operation::new("mcp", &["agents"])
        .secured(json!([{}, {"captureKey": []}]))
        .body(&[(JSON, request)])
        .answers(StatusCode::ACCEPTED, &[], &[])
        .answers(StatusCode::SERVICE_UNAVAILABLE, &["Retry-After"], &message);
    let operation = headers.iter().fold(operation, |operation, name| {
        operation.takes_own("header", name, json!({"schema": text()}))
    });
    let answered = [
        StatusCode::OK,
        StatusCode::BAD_REQUEST,
        StatusCode::FORBIDDEN,
        StatusCode::NOT_FOUND,
        StatusCode::PAYLOAD_TOO_LARGE,
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        StatusCode::TOO_MANY_REQUESTS,
    ];
    answered
        .into_iter()
        .fold(operation, |operation, status| operation.answers(status, &[], &message))
}

/// `OPTIONS /mcp`, which tells pages of other origins apart.
pub(super) fn preflight_of_agents() -> Operation {
    Operation::new("mcpPreflight", &["agents"]).answers(StatusCode::NO_CONTENT, &[], &[]).answers(
        StatusCode::FORBIDDEN,
        &[],
        &[(JSON, named("Message"))],
    )
}

fn log(place: LogResource) -> Operation {
    let of = |id| {
        Operation::new(id, &LOG).refuses(&[(400, "QueryParameterException"), FOUND]).refuses(&BUSY)
    };
    let keyed = |id| of(id).with_key().refuses(&[(401, "Unauthorised"), FORBIDDEN]);
    let answers = |operation: Operation, content| operation.answers(StatusCode::OK, &[], content);
    let octets = [(OCTETS, json!({"type": "string", "contentEncoding": "binary"}))];
    let in_path = json!({"required": true, "schema": text()});
    match place {
        LogResource::Part(LogPart::Checkpoint) => answers(of("logCheckpoint"), &[(TEXT, text())]),
        LogResource::Part(LogPart::Policy) => answers(of("logPolicy"), &[(TEXT, text())]),
        LogResource::Part(LogPart::Proof) => {
            let event = json!({"required": true, "schema": {"type": "string", "minLength": 1}});
            let number = json!({"schema": {"type": "integer", "minimum": 1}});
            let receipt = json!({"type": "string", "format": "binary"});
            let operation = keyed("logProof")
                .takes_own("query", "event", event)
                .takes_own("query", "declaration", number)
                .takes_own(
                    "query",
                    "format",
                    json!({"schema": {"type": "string", "enum": ["tlog", "cose"]}}),
                );
            answers(operation, &[(TEXT, text()), ("application/cose", receipt)])
        }
        LogResource::Part(LogPart::Proofs) => keyed("logProofs")
            .takes(&[&EVENTS, &PAGE, &EXTENSIONS])
            .json(named("LogProofs"))
            .refuses(&COSTLY),
        LogResource::Part(LogPart::Tile) => {
            answers(of("logTile").takes_own("path", "tile", in_path), &octets)
        }
        LogResource::Part(LogPart::Entries) => {
            answers(of("logEntries").takes_own("path", "bundle", in_path), &octets)
        }
        LogResource::Status => of("logStatus").json(named("LogStatus")),
        LogResource::Order => {
            let problem = [(PROBLEM, named("Problem"))];
            of("logOrder")
                .body(&[(TEXT, text())])
                .json(json!({"anyOf": [named("LogStatus"), named("LogCheck")]}))
                .answers(StatusCode::BAD_REQUEST, &[], &problem)
                .answers(StatusCode::FORBIDDEN, &[], &problem)
                .refuses(&[TOO_LONG])
        }
    }
}
