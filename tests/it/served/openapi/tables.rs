//! What each operation takes and answers, by its method and path.

use super::operation::Operation;
use super::parameters::{EVENTS, EXTENSIONS, PAGE, SENT, SPELLINGS, VERSIONS};
use super::responses::{JSON, JSON_LD, PROBLEM, TEXT, TEXT_XML, XML, list_of, named, text};
use epcis_edge_core::hash::Profile;
use epcis_edge_core::report::ReportName;
use epcis_edge_core::validate::SCHEMA_PIN;
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
    let list = json!({"type": "array", "items": text(), "maxItems": epcis_edge_core::service::MAX_ELEMENT_IDS});
    operation.takes_own("query", "id", json!({"schema": list, "style": "form", "explode": true}))
}

/// The operation of a method of a path.
///
/// # Errors
/// A path that the tables below do not have.
pub(super) fn operation(method: &Method, path: &str) -> Result<Operation, String> {
    let found = binding(method, path).or_else(|| door(path)).or_else(|| log(path));
    found.ok_or_else(|| format!("nothing describes {method} {path}"))
}

const SUBSCRIPTION: &str = "/queries/{queryName}/subscriptions/{subscriptionID}";

fn binding(method: &Method, path: &str) -> Option<Operation> {
    let (created, object) = (StatusCode::CREATED, json!({"type": "object"}));
    let event = [(JSON, named("Event")), (JSON_LD, named("Event")), (XML, text())];
    let master_data = |id| bound(id, FOLLOWING).refuses(&[FORBIDDEN]).json(named("MasterData"));
    Some(match (method.as_str(), path) {
        (_, "/epcis") => {
            bound("topLevelResources", BINDING).takes(&[&VERSIONS]).shared(200, "Collection")
        }
        (_, "/") => Operation::new("index", &["about", BINDING]).answers(
            StatusCode::OK,
            &[],
            &[(JSON, named("Index")), (HTML, text())],
        ),
        ("GET", "/capture") => {
            keyed("captureJobs").takes(&[&PAGE, &VERSIONS]).json(list_of("CaptureJob"))
        }
        (_, "/capture") => keyed("capture")
            .takes(&[&SENT, &["GS1-Capture-Error-Behaviour"]])
            .body(&[(JSON, object.clone()), (JSON_LD, object), (XML, text()), (TEXT_XML, text())])
            .answers(StatusCode::ACCEPTED, &["Location"], &[])
            .refuses(&[(413, "CaptureLimitExceeded"), MEDIA_TYPE]),
        (_, "/capture/{captureID}") => {
            keyed("captureJob").takes(&[&VERSIONS]).json(named("CaptureJob")).refuses(&[FOUND])
        }
        ("GET", "/events") => events(),
        (_, "/events") => keyed("captureEvent")
            .takes(&[&SENT])
            .json_body(object)
            .answers(created, &["Location"], &event)
            .refuses(&[(409, "AlreadyExists"), (413, "CaptureLimitExceeded"), MEDIA_TYPE]),
        (_, "/events/{eventID}") => keyed("event")
            .takes(&[&["nextPageToken"], &VERSIONS, &SPELLINGS, &EXTENSIONS])
            .shared(200, "Events")
            .refuses(&[FOUND]),
        (_, "/masterdata") => {
            let typed =
                master_data("masterData").takes_own("query", "type", json!({"schema": text()}));
            at_a_time(with_ids(typed)).takes(&[&PAGE, &VERSIONS])
        }
        (_, "/masterdata/{type}") => {
            at_a_time(with_ids(master_data("masterDataOfType"))).takes(&[&PAGE, &VERSIONS])
        }
        (_, "/masterdata/{type}/{id}") => {
            at_a_time(master_data("masterDataOfId")).takes(&[&PAGE, &VERSIONS])
        }
        ("GET", "/queries") => {
            keyed("queries").takes(&[&PAGE, &VERSIONS]).json(list_of("NamedQuery"))
        }
        (_, "/queries") => keyed("nameQuery")
            .takes(&[&SENT])
            .body(&[(JSON, named("NamedQuery"))])
            .answers(created, &["Location"], &[(JSON, named("NamedQuery"))])
            .refuses(&[(409, "AlreadyExists"), (413, "QueryTooCostly"), MEDIA_TYPE]),
        ("GET", "/queries/{queryName}") => {
            keyed("query").takes(&[&VERSIONS]).json(named("NamedQuery")).refuses(&[FOUND])
        }
        (_, "/queries/{queryName}") => {
            keyed("removeQuery").answers(StatusCode::NO_CONTENT, &[], &[]).refuses(&[FOUND])
        }
        (_, "/queries/{queryName}/events") => keyed("queryEvents")
            .takes(&[&PAGE, &["feedCursor"], &VERSIONS, &SPELLINGS, &["Prefer"]])
            .shared(200, "Events")
            .refuses(&[FOUND, NOT_SERVED]),
        ("GET", "/queries/{queryName}/subscriptions") => keyed("subscriptions")
            .takes(&[&PAGE, &VERSIONS])
            .json(json!({"type": "array", "maxItems": 0}))
            .refuses(&[FOUND]),
        (_, "/queries/{queryName}/subscriptions") => {
            keyed("subscribe").body(&[(JSON, object)]).refuses(&[FOUND, NOT_SERVED])
        }
        ("GET", SUBSCRIPTION) => keyed("subscription").takes(&[&VERSIONS]).refuses(&[FOUND]),
        (_, SUBSCRIPTION) => keyed("unsubscribe").refuses(&[FOUND, NOT_SERVED]),
        (_, "/nextPageToken/{token}") => bound("releasePageToken", BINDING).refuses(&[NOT_SERVED]),
        _ => return None,
    })
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

fn door(path: &str) -> Option<Operation> {
    let any = || json!({});
    let about = |id| Operation::new(id, &ABOUT);
    Some(match path {
        "/check" => calculator("check")
            .takes_own(
                "query",
                "packs",
                json!({"schema": {"type": "string", "examples": ["identifiers,cbv"]}}),
            )
            .body(&[(JSON, any()), (JSON_LD, any()), (XML, text()), (TEXT_XML, text())])
            .json(named("CheckReport")),
        "/family.json" => about("family").json(named("Family")),
        "/follow" => asking("follow", "FollowRequest").json(named("Following")),
        "/hash" => hash(any()),
        "/mcp" => agents(),
        "/ns/spine/" => about("namespace").answers(
            StatusCode::OK,
            &[],
            &[(JSON_LD, json!({"type": "object", "required": ["@context", "@graph"]}))],
        ),
        "/openapi.json" => about("openapi")
            .json(json!({"type": "object", "required": ["openapi", "info", "paths"]})),
        "/pricing" => about("pricing").json(named("Pricing")),
        "/report/{name}" => asking("report", "ReportRequest")
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
        "/translate" => {
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
        "/validate" => {
            let engine = SCHEMA_PIN.engine;
            let schema = json!({"schema": {"enum": [engine], "default": engine}});
            calculator("validate")
                .takes_own("query", "engine", schema)
                .json_body(any())
                .json(named("Verdict"))
        }
        _ => return None,
    })
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

fn log(path: &str) -> Option<Operation> {
    let of = |id| {
        Operation::new(id, &LOG).refuses(&[(400, "QueryParameterException"), FOUND]).refuses(&BUSY)
    };
    let keyed = |id| of(id).with_key().refuses(&[(401, "Unauthorised"), FORBIDDEN]);
    let answers = |operation: Operation, content| operation.answers(StatusCode::OK, &[], content);
    let octets = [(OCTETS, json!({"type": "string", "contentEncoding": "binary"}))];
    let in_path = json!({"required": true, "schema": text()});
    Some(match path {
        "/log/checkpoint" => answers(of("logCheckpoint"), &[(TEXT, text())]),
        "/log/policy" => answers(of("logPolicy"), &[(TEXT, text())]),
        "/log/proof" => {
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
        "/log/proofs" => keyed("logProofs")
            .takes(&[&EVENTS, &PAGE, &EXTENSIONS])
            .json(named("LogProofs"))
            .refuses(&COSTLY),
        "/log/tile/{tile}" => answers(of("logTile").takes_own("path", "tile", in_path), &octets),
        "/log/tile/entries/{bundle}" => {
            answers(of("logEntries").takes_own("path", "bundle", in_path), &octets)
        }
        "/log/status" => of("logStatus").json(named("LogStatus")),
        "/log/order" => {
            let problem = [(PROBLEM, named("Problem"))];
            of("logOrder")
                .body(&[(TEXT, text())])
                .json(json!({"anyOf": [named("LogStatus"), named("LogCheck")]}))
                .answers(StatusCode::BAD_REQUEST, &[], &problem)
                .answers(StatusCode::FORBIDDEN, &[], &problem)
                .refuses(&[TOO_LONG])
        }
        _ => return None,
    })
}
