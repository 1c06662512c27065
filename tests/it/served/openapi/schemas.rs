//! The schemas of what is sent and answered, made of the types.

use super::Object;
use super::shapes;
use epcis_edge_core::check::CheckReport;
use epcis_edge_core::error::Problem;
use epcis_edge_core::follow::{Followed, MAX_EVENTS};
use epcis_edge_core::report::Report;
use epcis_edge_core::rest;
use epcis_edge_core::service::{Checked, ElementPage, LogStatus, Pricing};
use epcis_edge_core::service::{Hashes, InvalidTranslation, TranslationError, TranslationFacts};
use epcis_edge_core::translate::FidelityReport;
use epcis_edge_core::validate::{SchemaError, Verdict, XmlVerdict};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

/// Where references lead.
const PATH: &str = "/components/schemas";

/// The schemas, by their names. What has no name among them is written where it is used.
pub(super) fn all() -> Object {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with(|settings| settings.definitions_path = PATH.into());
    let mut generator = settings.into_generator();
    let mut named = Object::new();
    {
        let of = &mut generator;
        let [family, demo_events, index, query] = rest::own_schemas(of);
        let mut put = |name: &str, schema: Value| drop(named.insert(name.to_owned(), schema));
        put("Verdict", ok::<Verdict>(of));
        put("Hashes", ok::<Hashes>(of));
        put("Translation", translation(of));
        put("XmlVerdict", plain::<XmlVerdict>(of));
        put("FidelityReport", plain::<FidelityReport>(of));
        put("FailedTranslation", failed_translation(of));
        put("SchemaError", plain::<SchemaError>(of));
        put("Pricing", ok::<Pricing>(of));
        put("Family", in_envelope(family));
        put("DemoEvents", in_envelope(demo_events));
        put("Index", index.to_value());
        put("Empty", plain::<shapes::Empty>(of));
        put("Blocked", plain::<shapes::Blocked>(of));
        put("Problem", plain::<Problem>(of));
        put("Message", plain::<shapes::Message>(of));
        put("Collection", plain::<shapes::Collection>(of));
        put("Event", plain::<shapes::Event>(of));
        put("QueryDocument", plain::<shapes::QueryDocument>(of));
        put("CaptureJob", plain::<shapes::CaptureJob>(of));
        put("NamedQuery", query.to_value());
        put("CheckReport", ok::<CheckReport>(of));
        put("LogStatus", plain::<LogStatus>(of));
        put("LogCheck", plain::<Checked>(of));
        put("LogProofs", plain::<shapes::LogProofs>(of));
        put("FollowRequest", plain::<shapes::FollowRequest>(of));
        put("Following", plain::<Followed<'_>>(of));
        put("ReportRequest", report_request(of));
        put("Report", plain::<Report>(of));
        let page = ok::<ElementPage>(of);
        put("MasterData", json!({"oneOf": [page, plain::<shapes::Empty>(of)]}));
    }
    let mut definitions = generator.take_definitions(true);
    definitions["FollowedEvent"]["properties"]["event"] = json!({"$ref": format!("#{PATH}/Event")});
    // A store tells no places of events.
    for (schema, name) in
        [(&mut named["Following"], "repeated"), (&mut definitions["FollowedEvent"], "index")]
    {
        schema["properties"].as_object_mut().and_then(|members| members.remove(name));
        schema["required"].as_array_mut().into_iter().for_each(|all| all.retain(|one| one != name));
    }
    let element = definitions.remove("MasterDataElement").unwrap_or_default();
    named.insert("MasterDataElement".to_owned(), element);
    let names: Vec<String> = named.keys().cloned().collect();
    for schema in named.values_mut() {
        tidy(schema, &definitions, &names);
    }
    named
}

fn plain<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    T::json_schema(generator).to_value()
}

fn ok<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    in_envelope(T::json_schema(generator))
}

/// The schema of an answer in the envelope `OK`.
fn in_envelope(mut schema: Schema) -> Value {
    if let Some(Value::Object(members)) = schema.get_mut("properties") {
        members.shift_insert(0, "type".to_owned(), json!({"const": "OK"}));
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.insert(0, "type".into());
    }
    schema.to_value()
}

/// The document stands before what is told of it.
fn translation(generator: &mut SchemaGenerator) -> Value {
    let mut schema = ok::<TranslationFacts<'_>>(generator);
    schema["description"] = "A translation, with its report and the verdict on its source.".into();
    if let Some(members) = schema["properties"].as_object_mut() {
        members.shift_insert(1, "document".to_owned(), json!({"type": "object"}));
    }
    if let Some(required) = schema["required"].as_array_mut() {
        required.insert(1, "document".into());
    }
    schema
}

/// A problem with the members of a failed translation.
fn failed_translation(generator: &mut SchemaGenerator) -> Value {
    let mut error = plain::<TranslationError>(generator);
    // The caller does not get the text that these would lead into.
    for name in ["line", "column"] {
        error["properties"].as_object_mut().and_then(|members| members.remove(name));
    }
    let mut members = plain::<InvalidTranslation>(generator)["properties"].take();
    members["errors"]["items"] = error;
    json!({
        "allOf": [{"$ref": format!("#{PATH}/Problem")}],
        "additionalProperties": true,
        "properties": members,
    })
}

/// As a request to follow, less what is usual for another report.
fn report_request(generator: &mut SchemaGenerator) -> Value {
    let mut schema = plain::<shapes::FollowRequest>(generator);
    schema["description"] = "As FollowRequest. `maxEvents` is 10,000 if not given; for `recall`, `direction` is `forth` and `contents` \
         `followed`; `passport` takes one item, which is no class."
        .into();
    let members = &mut schema["properties"];
    members["maxEvents"]["default"] = MAX_EVENTS.into();
    for name in ["direction", "contents"] {
        members[name].as_object_mut().and_then(|member| member.remove("default"));
    }
    schema
}

/// Makes a schema what it says of an answer, and nothing of Rust.
///
/// A type without a name of its own is written in place of its reference. What is absent is never `null`. Objects have no other
/// members, unless their types say so.
fn tidy(schema: &mut Value, definitions: &Map<String, Value>, names: &[String]) {
    if let Value::Array(parts) = schema {
        parts.iter_mut().for_each(|part| tidy(part, definitions, names));
    }
    let Value::Object(own) = schema else { return };
    if let Some(Value::Array(parts)) = own.get("anyOf")
        && let [part, Value::Object(null)] = &parts[..]
        && null.get("type") == Some(&"null".into())
        && let Value::Object(part) = part.clone()
    {
        own.remove("anyOf");
        own.extend(part);
        own.insert("nullable".to_owned(), true.into());
    }
    let to = own.get("$ref").and_then(Value::as_str).and_then(|to| to.rsplit('/').next());
    if let Some(name) = to.filter(|name| !names.iter().any(|known| known == name)) {
        let definition = definitions.get(name).and_then(Value::as_object).cloned();
        own.remove("$ref");
        for (name, value) in definition.unwrap_or_default() {
            own.entry(name).or_insert(value);
        }
    } else if to.is_some() {
        // What the reference leads to describes itself.
        own.remove("description");
    }
    if let Some(Value::Array(kinds)) = own.get("type")
        && let [kind, null] = &kinds[..]
        && *null == "null"
    {
        let kind = kind.clone();
        own.insert("type".to_owned(), kind);
        own.insert("nullable".to_owned(), true.into());
    }
    if let Some(Value::Array(words)) = own.get("oneOf")
        && words.iter().all(|word| word.get("const").is_some())
    {
        let words: Vec<Value> = words.iter().map(|word| word["const"].clone()).collect();
        own.remove("oneOf");
        own.insert("enum".to_owned(), words.into());
    }
    if own.contains_key("const") || own.contains_key("enum") {
        for said in ["type", "items", "minimum", "maximum"] {
            own.remove(said);
        }
    }
    if own.get("items") == Some(&true.into()) {
        own.remove("items");
    }
    if own.get("format").is_some_and(|format| format.as_str().is_some_and(is_of_rust)) {
        own.remove("format");
    }
    if let Some(Value::String(text)) = own.get_mut("description") {
        *text = without_links(text);
    }
    for (name, part) in own.iter_mut().filter(|(name, _)| *name != "properties") {
        if !["const", "enum", "default", "examples", "required"].contains(&name.as_str()) {
            tidy(part, definitions, names);
        }
    }
    if own.contains_key("properties") {
        tidy_members(own, definitions, names);
    }
    if own.get("additionalProperties") == Some(&true.into()) {
        own.remove("additionalProperties");
    }
}

fn tidy_members(own: &mut Object, definitions: &Map<String, Value>, names: &[String]) {
    let mut absent = Vec::new();
    for (name, member) in own["properties"].as_object_mut().into_iter().flatten() {
        tidy(member, definitions, names);
        let is_absent = member.as_object_mut().and_then(|member| member.remove("nullable"));
        if is_absent.is_some() {
            absent.push(name.clone());
        }
    }
    if let Some(Value::Array(required)) = own.get_mut("required") {
        required.retain(|name| !absent.iter().any(|absent| *name == **absent));
    }
    own.entry("additionalProperties").or_insert(false.into());
}

/// Whether a format is the width of a number.
fn is_of_rust(format: &str) -> bool {
    format.starts_with("uint") || format.starts_with("int") || ["double", "float"].contains(&format)
}

/// A doc comment without the links into the documentation of the code, as one line for each paragraph.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("[`") {
        plain.push_str(before);
        let (name, after) = link.split_once("`]").unwrap_or((link, ""));
        plain.push('`');
        plain.push_str(name);
        plain.push('`');
        let target = after.strip_prefix('(').and_then(|target| target.split_once(')'));
        rest = target.map_or(after, |(_, after)| after);
    }
    plain.push_str(rest);
    let paragraphs = plain.split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
    paragraphs.collect::<Vec<_>>().join("\n")
}
