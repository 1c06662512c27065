//! The OpenAPI 3.1 description of the endpoints, made of the table of paths, the types that answer, and the prose in `openapi.md`.

mod answers;
mod operation;
mod parameters;
mod prose;
mod responses;
mod schemas;
mod shapes;
mod tables;

pub use answers::answers;

use epcis_edge_core::query::{Collection, SERVED};
use epcis_edge_core::rest;
use http::Method;
use operation::Operation;
use prose::Prose;
use serde_json::{Map, Value, json};

type Object = Map<String, Value>;

/// The path under which the whole binding is served once more.
const PREFIX: &str = "/epcis";

/// The OpenAPI 3.1 description of everything that `respond` of `rest` serves. Shells keep it as a file, and hand it in for
/// `GET /openapi.json`.
///
/// # Errors
/// A name that the description lacks, or that it has twice: an operation, a parameter or an answer without prose, prose about
/// nothing, a schema that nothing defines.
pub fn openapi() -> Result<Value, String> {
    let prose = Prose::read(include_str!("openapi.md"))?;
    let mut paths = Object::new();
    for (path, methods, is_of_binding) in rest::paths().filter(|(path, ..)| *path != "/index.html")
    {
        let path = path.replace("{*", "{");
        let mut item = Object::new();
        for method in methods {
            put(&mut item, tables::operation(method, &path)?, method, &path, &prose)?;
        }
        if is_of_binding {
            complete(&mut item, &path, &prose)?;
        }
        if path == "/events"
            && let Some(Value::Object(get)) = item.get_mut("get")
        {
            get.insert("x-served-parameters".to_owned(), json!(&SERVED[..]));
        }
        if path == "/mcp" {
            put(&mut item, tables::preflight_of_agents(), &Method::OPTIONS, &path, &prose)?;
        }
        paths.insert(path, Value::Object(item));
    }
    for collection in Collection::ALL {
        let name = collection.name();
        let one = name.strip_suffix('s').unwrap_or(name);
        for (suffix, is_value) in [("", false), ("/{}", true), ("/{}/events", true)] {
            let path = format!("/{name}{}", suffix.replace("{}", &format!("{{{one}}}")));
            let mut item = Object::new();
            let told = if is_value {
                format!("/{{collection}}{}", suffix.replace("{}", "{value}"))
            } else {
                path.clone()
            };
            let described = tables::of_collection(name, one, suffix);
            put(&mut item, described, &Method::GET, &told, &prose)?;
            complete(&mut item, &path, &prose)?;
            paths.insert(path, Value::Object(item));
        }
    }
    let tags = prose.list("Tags")?.map(|(name, text)| json!({"name": name, "description": text}));
    let about = prose.section("epcis-edge")?;
    let description = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "epcis-edge",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": about.summary,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            "description": about.description,
        },
        "servers": [{"url": "/"}],
        "tags": tags.collect::<Vec<_>>(),
        "paths": paths,
        "components": {
            "headers": responses::headers(&prose)?,
            "responses": responses::shared(&prose)?,
            "schemas": schemas::all(),
            "securitySchemes": parameters::keys(&prose)?,
            "parameters": parameters::shared(&prose)?,
        },
    });
    prose.require_used()?;
    require_defined(&description, &description)?;
    Ok(description)
}

/// Adds an operation to a path; `told` is the path under which its prose stands.
fn put(
    item: &mut Object,
    operation: Operation,
    method: &Method,
    told: &str,
    prose: &Prose,
) -> Result<(), String> {
    let section = prose.section(&format!("{method} {told}"))?;
    let name = method.as_str().to_lowercase();
    item.insert(name, operation.described(section)?);
    Ok(())
}

/// Adds what every path of the binding has: the variables in it, `OPTIONS`, and the second place where it is served.
fn complete(item: &mut Object, path: &str, prose: &Prose) -> Result<(), String> {
    let id = ["get", "delete", "post"]
        .into_iter()
        .find_map(|method| item.get(method)?["operationId"].as_str().map(tables::resource_of));
    let tag = if path.starts_with("/masterdata") { tables::FOLLOWING } else { tables::BINDING };
    let id = format!("optionsOf{}", id.unwrap_or_default());
    let options = Operation::new(&id, &[tag]).shared(204, "Options");
    put(item, options, &Method::OPTIONS, "*", prose)?;
    if path != PREFIX {
        let again = "the same once more, always with a key";
        let servers = json!([{"url": "/"}, {"url": PREFIX, "description": again}]);
        item.insert("servers".to_owned(), servers);
    }
    let variables = parameters::in_path(path, prose)?;
    if !variables.is_empty() {
        item.insert("parameters".to_owned(), Value::Array(variables));
    }
    Ok(())
}

/// Requires that every reference leads somewhere.
fn require_defined(part: &Value, description: &Value) -> Result<(), String> {
    if let Some(to) = part["$ref"].as_str() {
        let found = to.strip_prefix('#').and_then(|pointer| description.pointer(pointer));
        found.ok_or_else(|| format!("nothing defines {to}"))?;
    }
    let members = part.as_object().into_iter().flat_map(Map::values);
    let mut parts = members.chain(part.as_array().into_iter().flatten());
    parts.try_for_each(|part| require_defined(part, description))
}
