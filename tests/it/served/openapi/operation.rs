//! An operation as it is built up: what is sent, and what is answered.

use super::Object;
use super::prose::Section;
use super::responses::{self, Content, JSON, JSON_LD};
use http::StatusCode;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) struct Operation {
    id: String,
    tags: Vec<&'static str>,
    security: Option<Value>,
    /// References, and parameters of this operation alone, which have their descriptions in its section.
    parameters: Vec<Value>,
    body: Vec<Content>,
    answers: BTreeMap<u16, Value>,
}

impl Operation {
    pub(super) fn new(id: &str, tags: &[&'static str]) -> Self {
        Self {
            id: id.to_owned(),
            tags: tags.to_vec(),
            security: None,
            parameters: Vec::new(),
            body: Vec::new(),
            answers: BTreeMap::new(),
        }
    }

    /// Takes a key, in each of the ways in which a key may be shown.
    pub(super) fn with_key(self) -> Self {
        self.secured(
            json!([{"captureKey": []}, {"captureKeyAsPassword": []}, {"captureKeyAsSecret": []}]),
        )
    }

    pub(super) fn secured(mut self, security: Value) -> Self {
        self.security = Some(security);
        self
    }

    /// Takes shared parameters.
    pub(super) fn takes(mut self, names: &[&[&str]]) -> Self {
        let names = names.iter().copied().flatten();
        let reference = |name: &&str| json!({"$ref": format!("#/components/parameters/{name}")});
        self.parameters.extend(names.map(reference));
        self
    }

    /// Takes a parameter of its own.
    pub(super) fn takes_own(mut self, place: &str, name: &str, more: Value) -> Self {
        let mut parameter = json!({"name": name, "in": place});
        if let (Some(parameter), Value::Object(more)) = (parameter.as_object_mut(), more) {
            parameter.extend(more);
        }
        self.parameters.push(parameter);
        self
    }

    pub(super) fn body(mut self, body: &[Content]) -> Self {
        self.body = body.to_vec();
        self
    }

    /// Takes JSON under both of its names.
    pub(super) fn json_body(self, schema: Value) -> Self {
        self.body(&[(JSON, schema.clone()), (JSON_LD, schema)])
    }

    /// Answers with a shared answer.
    pub(super) fn shared(mut self, status: u16, name: &str) -> Self {
        let reference = json!({"$ref": format!("#/components/responses/{name}")});
        self.answers.insert(status, reference);
        self
    }

    /// Answers with shared answers.
    pub(super) fn refuses(self, answers: &[(u16, &str)]) -> Self {
        answers.iter().fold(self, |own, (status, name)| own.shared(*status, name))
    }

    /// Answers with something of its own.
    pub(super) fn answers(
        mut self,
        status: StatusCode,
        headers: &[&str],
        content: &[Content],
    ) -> Self {
        let headers = responses::with_common(headers.iter().copied());
        self.answers.insert(status.as_u16(), responses::response(headers, content));
        self
    }

    pub(super) fn json(self, schema: Value) -> Self {
        self.answers(StatusCode::OK, &[], &[(JSON, schema)])
    }

    /// The operation with its prose.
    pub(super) fn described(self, section: &Section) -> Result<Value, String> {
        let mut operation = Object::new();
        let mut put = |name: &str, value: Value| drop(operation.insert(name.to_owned(), value));
        put("operationId", self.id.into());
        put("tags", json!(self.tags));
        put("summary", section.summary.as_str().into());
        if !section.description.is_empty() {
            put("description", section.description.as_str().into());
        }
        if let Some(security) = self.security {
            put("security", security);
        }
        let mut parameters = self.parameters;
        for parameter in &mut parameters {
            if let Some(name) = parameter["name"].as_str() {
                parameter["description"] = section.entry(name)?.into();
            }
        }
        if !parameters.is_empty() {
            put("parameters", parameters.into());
        }
        let mut body = self.body;
        if let Ok(text) = section.entry("body") {
            for (_, schema) in body.iter_mut().filter(|(kind, _)| kind.contains("json")) {
                schema["description"] = text.into();
            }
        }
        if !body.is_empty() {
            put("requestBody", json!({"required": true, "content": responses::content(&body)}));
        }
        let mut answers = Object::new();
        for (status, mut answer) in self.answers {
            let status = status.to_string();
            if answer["$ref"].is_null() {
                // What a call answers need not be said twice.
                let summary = Some(section.summary.as_str()).filter(|_| status == "200");
                let text = section.entry(&status).or_else(|lacks| summary.ok_or(lacks))?;
                answer["description"] = text.into();
            }
            let kinds = answer.get_mut("content").and_then(Value::as_object_mut);
            for (kind, content) in kinds.into_iter().flatten() {
                if let Ok(text) = section.entry(kind) {
                    content["schema"]["description"] = text.into();
                }
            }
            answers.insert(status, answer);
        }
        put("responses", answers.into());
        Ok(operation.into())
    }
}
