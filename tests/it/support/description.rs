//! Checks answers against our OpenAPI description.

use bytes::Bytes;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::future::{Future, ready};
use std::pin::Pin;
use std::rc::Rc;

/// The description, as shells serve it; `served.rs` holds it to the code.
pub const OPENAPI: &str = include_str!("../../../www/public/openapi.json");

/// The file that a shell hands in.
#[must_use]
pub fn file<'a>() -> Pin<Box<dyn Future<Output = Option<Bytes>> + 'a>> {
    Box::pin(ready(Some(Bytes::from_static(OPENAPI.as_bytes()))))
}

/// An operation with a status: the described path, the method in lower case, the status.
pub type Promise = (String, String, String);

/// An answer to check, with its request.
#[derive(Debug)]
pub struct Given<'a> {
    /// The method.
    pub method: &'a str,
    /// The path and query of the request.
    pub target: &'a str,
    /// The status.
    pub status: u16,
    /// The `Content-Type`, if there is one.
    pub content_type: Option<&'a str>,
    /// The names of the headers, in lower case.
    pub headers: BTreeSet<String>,
    /// The body, if it is JSON.
    pub body: Option<&'a Value>,
}

/// The description that the gateway serves.
#[derive(Debug)]
pub struct Description {
    text: Value,
    validators: RefCell<BTreeMap<String, Rc<jsonschema::Validator>>>,
    /// The described members that answers had, as paths such as `Problem/status`.
    seen: RefCell<BTreeSet<String>>,
}

impl Description {
    /// Parses a description.
    ///
    /// # Panics
    /// When it is not JSON.
    #[must_use]
    pub fn read(text: &str) -> Self {
        Self {
            text: serde_json::from_str(text).expect("a description"),
            validators: RefCell::default(),
            seen: RefCell::default(),
        }
    }

    /// The operations: path, method in lower case, and description.
    pub fn operations(&self) -> impl Iterator<Item = (&str, &str, &Value)> {
        let paths = self.text["paths"].as_object().into_iter().flatten();
        paths.flat_map(|(path, item)| {
            let methods = item.as_object().into_iter().flatten();
            methods
                .filter(|(_, operation)| operation.get("responses").is_some())
                .map(|(method, operation)| (path.as_str(), method.as_str(), operation))
        })
    }

    /// The promises of the operations with a tag.
    #[must_use]
    pub fn promised_by(&self, tag: Option<&str>) -> BTreeSet<Promise> {
        let operations =
            self.operations().filter(|(_, _, operation)| operation["tags"][0].as_str() == tag);
        let promises = operations.flat_map(|(path, method, operation)| {
            let statuses = operation["responses"].as_object().into_iter().flatten();
            let promise =
                move |status: &String| (path.to_owned(), method.to_owned(), status.clone());
            statuses.map(move |(status, _)| promise(status))
        });
        promises.collect()
    }

    /// The template of a path, such as `/events/{eventID}`. The binding is also served below `/epcis`.
    #[must_use]
    pub fn path_of(&self, path: &str) -> Option<&str> {
        let path = match path.strip_prefix("/epcis") {
            Some(rest) if rest.starts_with('/') => rest,
            // The name of the file of the page.
            _ if path == "/index.html" => "/",
            _ => path,
        };
        let paths = self.text["paths"].as_object()?;
        let (first, second): (Vec<&String>, Vec<&String>) =
            paths.keys().partition(|template| !template.contains('{'));
        let exact = first.into_iter().find(|template| *template == path);
        // Longer templates first, since they are more specific.
        let mut templates = second;
        templates.sort_by_key(|template| std::cmp::Reverse(template.len()));
        let fits = |template: &&String| {
            let (before, rest) = template.split_once('{').unwrap_or((template, ""));
            let after = rest.split_once('}').map_or("", |(_, after)| after);
            let middle = after.split('{').next().unwrap_or_default();
            let inner = path.strip_prefix(before);
            inner.is_some_and(|inner| match (middle, after.contains('{')) {
                ("", _) => !inner.is_empty(),
                (suffix, false) => {
                    inner.strip_suffix(suffix).is_some_and(|value| !value.is_empty())
                }
                (middle, true) => inner.split_once(middle).is_some_and(|(_, id)| !id.is_empty()),
            })
        };
        exact.or_else(|| templates.into_iter().find(fits)).map(String::as_str)
    }

    fn resolved<'d>(&'d self, value: &'d Value) -> &'d Value {
        match value["$ref"].as_str().and_then(|to| to.strip_prefix('#')) {
            Some(pointer) => self.text.pointer(pointer).expect("a reference that leads somewhere"),
            None => value,
        }
    }

    /// Checks an answer against the description. Returns the promise that it keeps, or `None` if the path is not described.
    ///
    /// # Errors
    /// Parts of the answer that are undescribed or differ. Only 404 and 405 may be undescribed.
    pub fn check(&self, given: &Given<'_>) -> Result<Option<Promise>, String> {
        let path = given.target.split('?').next().unwrap_or_default();
        let method = given.method.to_lowercase().replace("head", "get");
        let status = given.status.to_string();
        let wrong = |what: String| Err(format!("{} {}: {what}", given.method, given.target));
        let template = self.path_of(path);
        let promise = template
            .map(|template| &self.text["paths"][template][&method]["responses"][&status])
            .filter(|promise| !promise.is_null());
        let Some(promise) = promise else {
            // Preflights may be undescribed too.
            let is_preflight = given.method == "OPTIONS" && given.status == 204;
            return if [404, 405].contains(&given.status) || is_preflight {
                Ok(None)
            } else {
                wrong(format!("{status} is not described"))
            };
        };
        let promise = self.resolved(promise);
        for (name, _) in promise["headers"].as_object().into_iter().flatten() {
            if !given.headers.contains(&name.to_lowercase()) {
                return wrong(format!("the header {name} is missing"));
            }
        }
        let kept = Some((template.unwrap_or_default().to_owned(), method, status));
        let Some(content) = promise.get("content") else {
            return if given.content_type.is_none() {
                Ok(kept)
            } else {
                wrong("a body is there that is not described".to_owned())
            };
        };
        let essence = given.content_type.unwrap_or_default();
        let essence = essence.split(';').next().unwrap_or_default();
        let Some(schema) = content.get(essence).map(|content| &content["schema"]) else {
            return wrong(format!("`{essence}` is not described"));
        };
        if let Some(body) = given.body.filter(|_| essence.contains("json")) {
            let errors: Vec<String> = self
                .validator(schema)
                .iter_errors(body)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            if !errors.is_empty() {
                return wrong(errors.join("; "));
            }
            self.notice(schema, "", body);
        }
        Ok(kept)
    }

    /// The described members of a tag's answers that no answer had.
    #[must_use]
    pub fn never_answered(&self, tag: Option<&str>) -> BTreeSet<String> {
        let mut members = BTreeSet::new();
        for (_, _, operation) in self.operations() {
            if operation["tags"][0].as_str() != tag {
                continue;
            }
            for promise in operation["responses"].as_object().into_iter().flatten() {
                let content = self.resolved(promise.1)["content"].as_object();
                for (media_type, content) in content.into_iter().flatten() {
                    if media_type.contains("json") {
                        self.list(&content["schema"], "", &mut members);
                    }
                }
            }
        }
        &members - &self.seen.borrow()
    }

    /// Follows the reference of a schema. Returns the schema, and the path for its members.
    fn named<'d>(&'d self, schema: &'d Value, path: &str) -> (&'d Value, String) {
        match schema["$ref"].as_str() {
            Some(to) => {
                let name = to.rsplit('/').next().unwrap_or_default();
                (self.resolved(schema), name.to_owned())
            }
            None => (schema, path.to_owned()),
        }
    }

    /// Records which described members a value has.
    fn notice(&self, schema: &Value, path: &str, value: &Value) {
        let (schema, path) = &self.named(schema, path);
        for part in parts(schema) {
            if self.validator(part).is_valid(value) {
                self.notice(part, path, value);
            }
        }
        for (name, member) in value.as_object().into_iter().flatten() {
            if let Some(described) = schema["properties"].get(name) {
                let path = format!("{path}/{name}");
                self.notice(described, &path, member);
                self.seen.borrow_mut().insert(path);
            }
        }
        for entry in value.as_array().into_iter().flatten() {
            self.notice(&schema["items"], path, entry);
        }
    }

    /// Collects the members that a schema describes.
    fn list(&self, schema: &Value, path: &str, members: &mut BTreeSet<String>) {
        let (schema, path) = &self.named(schema, path);
        for part in parts(schema).chain(schema.get("items")) {
            self.list(part, path, members);
        }
        for (name, described) in schema["properties"].as_object().into_iter().flatten() {
            let path = format!("{path}/{name}");
            if members.insert(path.clone()) {
                self.list(described, &path, members);
            }
        }
    }

    fn validator(&self, schema: &Value) -> Rc<jsonschema::Validator> {
        let mut validators = self.validators.borrow_mut();
        let known = validators.entry(schema.to_string()).or_insert_with(|| {
            let mut root = schema.clone();
            root["components"] = json!({"schemas": self.text["components"]["schemas"]});
            let validator =
                jsonschema::draft202012::options().should_validate_formats(true).build(&root);
            Rc::new(validator.expect("a schema"))
        });
        Rc::clone(known)
    }
}

/// The schemas combined in a schema by `allOf`, `anyOf` or `oneOf`.
fn parts(schema: &Value) -> impl Iterator<Item = &Value> {
    let lists = ["allOf", "anyOf", "oneOf"].map(|keyword| schema[keyword].as_array());
    lists.into_iter().flatten().flatten()
}
