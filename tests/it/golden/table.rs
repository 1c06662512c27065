//! Every operation of the description: with a key and without, with what it takes and with what it refuses.

use super::gateway::{Asked, Gateway, key_of};
use super::growth::order;
use super::story::{Known, document, event};
use crate::support::description::{Description, OPENAPI};
use epcis_edge_tests::{own_vectors, read};
use serde_json::json;

/// A described operation with a value in place of each variable.
struct Operation {
    method: String,
    /// The path with its variables, by which the case is named.
    path: String,
    target: String,
    /// Whether it belongs to the REST binding, which is served again below `/epcis`.
    is_of_binding: bool,
}

/// All operations, in the order of the description's paths.
fn operations(known: &Known) -> Vec<Operation> {
    let description = Description::read(OPENAPI);
    let mut operations: Vec<Operation> = description
        .operations()
        .map(|(path, method, operation)| Operation {
            method: method.to_uppercase(),
            path: path.to_owned(),
            target: filled(path, known),
            is_of_binding: operation["tags"][0] == "EPCIS 2.0 REST binding",
        })
        .collect();
    // The order of members may change.
    operations.sort_by(|one, other| (&one.path, &one.method).cmp(&(&other.path, &other.method)));
    operations
}

/// A path with values for its variables, and with the query that its resource needs.
fn filled(path: &str, known: &Known) -> String {
    let type_or_name = [
        ("{captureID}", known.job.rsplit('/').next().unwrap_or_default()),
        ("{eventID}", &known.event),
        ("{eventType}", "ObjectEvent"),
        ("{epc}", "urn:epc:id:sgtin:9521141.012345.3"),
        ("{bizStep}", "shipping"),
        ("{bizLocation}", "urn:epc:id:sgln:9521141.00300.0"),
        ("{readPoint}", "urn:epc:id:sgln:9521141.00100.0"),
        ("{disposition}", "in_transit"),
        ("{type}", "Location"),
        ("{id}", "urn:epc:id:sgln:9521141.00300.0"),
        ("{queryName}", "SimpleEventQuery"),
        ("{subscriptionID}", "1"),
        ("{token}", "x"),
        ("{name}", "recall"),
        ("{tile}", "0/000"),
        ("{bundle}", "000"),
    ];
    let path =
        type_or_name.iter().fold(path.to_owned(), |path, (name, value)| path.replace(name, value));
    assert!(!path.contains('{'), "{path} has a variable without a value");
    if path.ends_with("/proof") { format!("{path}?event={}", known.event) } else { path }
}

/// A body that the operation takes, with its media type.
fn body_for(target: &str, now: u64) -> (&'static str, Vec<u8>) {
    let json = "application/json";
    let text = match target {
        "/capture" | "/check" | "/hash" | "/validate" => document(&json!([event(3)])).to_string(),
        "/events" => event(3).to_string(),
        "/follow" => json!({"items": "urn:epc:id:sgtin:9521141.012345.3"}).to_string(),
        "/queries" => json!({"name": "q", "query": {}}).to_string(),
        "/mcp" => json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string(),
        "/log/order" => return ("text/plain", order("check 0", now).into_bytes()),
        "/translate" => {
            let xml = read(&own_vectors("translate/v12-error-declaration/input.xml"));
            return ("application/xml", xml);
        }
        _ if target.starts_with("/report/") => json!({"items": "urn:x:1"}).to_string(),
        _ => json!({"dest": "https://x.example/", "stream": true}).to_string(),
    };
    (json, text.into_bytes())
}

/// Asks every operation of a gateway without events.
pub(super) fn ask_empty(gateway: &Gateway) {
    let known = Known { job: "/capture/c-1".to_owned(), event: "urn:uuid:1".to_owned() };
    for operation in operations(&known) {
        // What is sent is stored later.
        if operation.method == "GET" {
            gateway.get("empty", &operation.target);
        }
    }
}

/// Asks every operation in all ways.
pub(super) fn ask(gateway: &Gateway, known: &Known) {
    for operation in operations(known) {
        let Operation { method, path, target, .. } = &operation;
        let has_body = method == "POST";
        let (media_type, body) = match has_body {
            true => body_for(target, gateway.now()),
            false => ("", Vec::new()),
        };
        let authorization = format!("Bearer {}", key_of('a'));
        let foreign = format!("Bearer {}", key_of('f'));
        let key = ("authorization", authorization.as_str());
        let content = ("content-type", media_type);
        let more = if target.contains('?') { '&' } else { '?' };
        let ask = |note: &str, target: &str, headers: &[(&str, &str)], body: &[u8], admits| {
            let sent = headers.iter().filter(|(_, value)| !value.is_empty());
            let asked = Asked { method, target, headers: sent.copied().collect(), body };
            gateway.send_as(&format!("{note} {method} {path}"), &asked, admits);
        };
        ask("with key", target, &[key, content], &body, true);
        if method == "OPTIONS" {
            let origin = ("origin", "https://page.example");
            ask("preflight", target, &[origin], &body, true);
            continue;
        }
        ask("without key", target, &[content], &body, true);
        let revoked = ("authorization", foreign.as_str());
        ask("revoked key", target, &[revoked, content], &body, true);
        let unknown = format!("{target}{more}x=1");
        ask("unknown parameter", &unknown, &[key, content], &body, true);
        ask("limited", target, &[key, content], &body, false);
        if has_body {
            let plain = ("content-type", "text/csv");
            ask("another type", target, &[key, plain], &body, true);
            ask("no type", target, &[key], &body, true);
            ask("no body", target, &[key, content], b"", true);
            ask("half of a body", target, &[key, content], &body[..body.len() / 2], true);
            let xml = ("content-type", "application/xml");
            ask("XML", target, &[key, xml], b"<a/>", true);
        } else if method == "GET" {
            let asked = Asked { method: "HEAD", target, headers: vec![key], body: b"" };
            gateway.send(&format!("head {path}"), &asked);
            let asked = Asked { method: "PATCH", ..asked };
            gateway.send(&format!("patch {path}"), &asked);
        }
        if operation.is_of_binding {
            let below = format!("/epcis{target}");
            ask("below", &below, &[key, content], &body, true);
        }
    }
}
