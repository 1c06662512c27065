//! The headers of answers, and the answers that many operations share.

use super::Object;
use super::prose::Prose;
use serde_json::{Value, json};

pub(super) const JSON: &str = "application/json";
pub(super) const JSON_LD: &str = "application/ld+json";
pub(super) const PROBLEM: &str = "application/problem+json";
pub(super) const XML: &str = "application/xml";
pub(super) const TEXT_XML: &str = "text/xml";
pub(super) const TEXT: &str = "text/plain";

/// A media type, and the schema of what has it.
pub(super) type Content = (&'static str, Value);

/// A reference to a schema.
pub(super) fn named(schema: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{schema}")})
}

pub(super) fn list_of(schema: &str) -> Value {
    json!({"type": "array", "items": named(schema)})
}

pub(super) fn text() -> Value {
    json!({"type": "string"})
}

/// Under which names all answers have a header.
const COMMON: [(&str, &str); 6] = [
    ("STD-EPCIS-Version", "Version"),
    ("GS1-EPCIS-Version", "Version"),
    ("STD-CBV-Version", "Version"),
    ("GS1-CBV-Version", "Version"),
    ("STD-Extensions", "Extensions"),
    ("GS1-Extensions", "Extensions"),
];

/// The headers of `OPTIONS`.
const OPTIONS: [&str; 9] = [
    "Allow",
    "GS1-EPCIS-Min",
    "GS1-EPCIS-Max",
    "GS1-CBV-Min",
    "GS1-CBV-Max",
    "GS1-Capture-Error-Behaviour",
    "GS1-EPCIS-Capture-Limit",
    "GS1-EPCIS-Capture-File-Size-Limit",
    "GS1-Vendor-Version",
];

/// The headers that an answer has, by their names, with those that every answer has.
pub(super) fn with_common<'n>(names: impl IntoIterator<Item = &'n str>) -> Object {
    let own = names.into_iter().map(|name| (name, name));
    let reference = |to: &str| json!({"$ref": format!("#/components/headers/{to}")});
    COMMON.into_iter().chain(own).map(|(name, to)| (name.to_owned(), reference(to))).collect()
}

pub(super) fn content(content: &[Content]) -> Object {
    let content = content.iter();
    content.map(|(kind, schema)| ((*kind).to_owned(), json!({"schema": schema}))).collect()
}

/// An answer, still without its description.
pub(super) fn response(headers: Object, kinds: &[Content]) -> Value {
    let mut response = json!({"description": "", "headers": headers});
    if !kinds.is_empty() {
        response["content"] = content(kinds).into();
    }
    response
}

/// The headers that an answer may have, by their names.
pub(super) fn headers(prose: &Prose) -> Result<Object, String> {
    let pattern = |pattern: &str| json!({"type": "string", "pattern": pattern});
    let mut headers = Object::new();
    for (name, text) in prose.list("Headers")? {
        let schema = match name {
            "Version" => json!({"type": "string", "const": "2.0.1"}),
            "Extensions" => pattern("^spine="),
            "Link" => pattern("^<[^<>]+nextPageToken=[A-Za-z0-9_-]+>; rel=\"next\"$"),
            "GS1-Next-Page-Token-Expires" => json!({"type": "string", "format": "date-time"}),
            "Spine-Feed-Cursor" => pattern("^[A-Za-z0-9_-]+$"),
            "Preference-Applied" => pattern("^wait=[0-9]+$"),
            "GS1-EPC-Format" => json!({
                "type": "string",
                "enum": ["Never_Translates", "Always_GS1_Digital_Link", "Always_EPC_URN"],
            }),
            "GS1-Capture-Error-Behaviour" => json!({"type": "string", "const": "all"}),
            "GS1-EPCIS-Capture-Limit"
            | "GS1-EPCIS-Capture-File-Size-Limit"
            | "Spine-Translation-Lossy-Paths" => pattern("^[0-9]+$"),
            "Retry-After" => json!({"type": "integer", "minimum": 1}),
            "Spine-Translation-Fidelity" => json!({"enum": ["round-trip-clean", "lossy"]}),
            "Spine-Translation-Losses" => pattern("^kept=[0-9]+, annotation=[0-9]+, lost=[0-9]+$"),
            _ => json!({"type": "string"}),
        };
        let mut header = json!({"description": text, "schema": schema});
        if name == "Retry-After" {
            header["required"] = true.into();
        }
        headers.insert(name.to_owned(), header);
    }
    Ok(headers)
}

/// The answers that many operations share, by their names.
pub(super) fn shared(prose: &Prose) -> Result<Object, String> {
    let mut shared = Object::new();
    for (name, description) in prose.list("Answers")? {
        let document = || named("QueryDocument");
        let (headers, content) = match name {
            "Options" => (with_common(OPTIONS), Vec::new()),
            "Events" => {
                let kinds = vec![(JSON, document()), (JSON_LD, document()), (XML, text())];
                (with_common(["GS1-EPC-Format"]), kinds)
            }
            "Collection" => (with_common([]), vec![(JSON, named("Collection"))]),
            problem => {
                let own: &[&str] = match problem {
                    "TooManyRequests" | "Unavailable" => &["Retry-After"],
                    "Unauthorised" => &["WWW-Authenticate"],
                    "CaptureLimitExceeded" => {
                        &["GS1-EPCIS-Capture-Limit", "GS1-EPCIS-Capture-File-Size-Limit"]
                    }
                    _ => &[],
                };
                (with_common(own.iter().copied()), vec![(PROBLEM, named("Problem"))])
            }
        };
        let mut answer = response(headers, &content);
        answer["description"] = description.into();
        shared.insert(name.to_owned(), answer);
    }
    Ok(shared)
}
