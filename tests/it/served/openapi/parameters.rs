//! The parameters that operations share, the variables in paths, and the ways to show a key.

use super::Object;
use super::prose::Prose;
use epcis_edge_core::query::Collection;
use serde_json::{Value, json};

/// The parameters of the query language that every query may have; `x-served-parameters` lists all.
pub(super) const EVENTS: [&str; 19] = [
    "eventType",
    "GE_eventTime",
    "LT_eventTime",
    "GE_recordTime",
    "LT_recordTime",
    "EQ_action",
    "EQ_bizStep",
    "EQ_disposition",
    "EQ_readPoint",
    "EQ_bizLocation",
    "EQ_eventID",
    "MATCH_epc",
    "MATCH_anyEPC",
    "MATCH_epcClass",
    "MATCH_anyEPCClass",
    "orderBy",
    "orderDirection",
    "eventCountLimit",
    "maxEventCount",
];
pub(super) const PAGE: [&str; 2] = ["perPage", "nextPageToken"];
pub(super) const VERSIONS: [&str; 4] =
    ["GS1-EPCIS-Min", "GS1-EPCIS-Max", "GS1-CBV-Min", "GS1-CBV-Max"];
/// The versions of a document that is sent.
pub(super) const SENT: [&str; 2] = ["GS1-EPCIS-Version", "GS1-CBV-Version"];
pub(super) const SPELLINGS: [&str; 2] = ["GS1-EPC-Format", "GS1-CBV-XML-Format"];
pub(super) const EXTENSIONS: [&str; 1] = ["GS1-Extensions"];

/// The shared parameters, by their names.
pub(super) fn shared(prose: &Prose) -> Result<Object, String> {
    let mut shared = Object::new();
    for (name, text) in prose.list("Parameters")? {
        let is_header = name.contains('-') || name == "Prefer";
        let schema = schema_of(name);
        let mut parameter = json!({
            "name": name,
            "in": if is_header { "header" } else { "query" },
            "description": text,
            "schema": schema,
        });
        if schema["type"] == "array" {
            parameter["style"] = "pipeDelimited".into();
            parameter["explode"] = false.into();
        }
        shared.insert(name.to_owned(), parameter);
    }
    Ok(shared)
}

fn schema_of(name: &str) -> Value {
    let list = |items: Value| json!({"type": "array", "minItems": 1, "items": items});
    let number = || json!({"type": "integer", "minimum": 1});
    match name {
        "eventCountLimit" | "maxEventCount" | "perPage" => number(),
        "nextPageToken" | "feedCursor" | "GS1-Extensions" | "Prefer" => json!({"type": "string"}),
        "orderBy" => json!({"type": "string", "minLength": 1}),
        "orderDirection" => json!({"enum": ["ASC", "DESC"]}),
        "EQ_action" => list(json!({"enum": ["ADD", "OBSERVE", "DELETE"]})),
        "GS1-EPC-Format" => json!({
            "enum": ["No_Preference", "Always_GS1_Digital_Link", "Always_EPC_URN", "Never_Translates"],
        }),
        "GS1-CBV-XML-Format" => {
            json!({"enum": ["No_Preference", "Always_Web_URI", "Always_URN", "Never_Translates"]})
        }
        "GS1-Capture-Error-Behaviour" => json!({"enum": ["rollback", "proceed"]}),
        _ if name.starts_with("GS1-") => {
            json!({"type": "string", "pattern": "^[0-9]+([.][0-9]+)*$"})
        }
        _ if name.ends_with("Time") => json!({"type": "string", "format": "date-time"}),
        _ if name.starts_with("MATCH_") => list(json!({"type": "string", "format": "uri"})),
        _ => list(json!({"type": "string", "minLength": 1})),
    }
}

/// The variables in a path.
pub(super) fn in_path(path: &str, prose: &Prose) -> Result<Vec<Value>, String> {
    let section = prose.section("Variables")?;
    let collection =
        Collection::ALL.into_iter().find(|one| path.split('/').nth(1) == Some(one.name()));
    let names = path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    let variable = |name: &str| {
        let text = section.entry(match collection {
            Some(Collection::EventTypes | Collection::BizSteps | Collection::Dispositions) => {
                "word"
            }
            Some(_) => "value",
            None => name,
        })?;
        Ok(json!({
            "name": name,
            "in": "path",
            "required": true,
            "description": text,
            "schema": {"type": "string", "minLength": 1},
        }))
    };
    names.map(variable).collect()
}

/// The ways to show a key.
pub(super) fn keys(prose: &Prose) -> Result<Object, String> {
    let mut keys = Object::new();
    for (name, text) in prose.list("Keys")? {
        let way = match name {
            "captureKey" => json!({"type": "http", "scheme": "bearer", "description": text}),
            "captureKeyAsPassword" => {
                json!({"type": "http", "scheme": "basic", "description": text})
            }
            _ => {
                json!({"type": "apiKey", "in": "header", "name": "API-KEY-SECRET", "description": text})
            }
        };
        keys.insert(name.to_owned(), way);
    }
    Ok(keys)
}
