//! HTTP vectors: a request, and what must be answered.

use crate::{read, repository};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// One exchange.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Case {
    /// What it shows.
    pub note: String,
    /// What is sent.
    pub request: Request,
    /// What must come back.
    pub response: Response,
}

/// What is sent.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Request {
    /// The HTTP method.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Header names, lower case, with their values.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The body, if there is one.
    pub body: Option<Body>,
    /// `absent` where the length is not announced.
    pub content_length: Option<String>,
    /// Whether the caller has asked too often.
    #[serde(default)]
    pub limited: bool,
    /// Whether there is no memory for the body.
    #[serde(default)]
    pub no_memory: bool,
}

/// How a body is written down.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Body {
    /// Below `tests/vectors`.
    File(String),
    /// Hexadecimal bytes.
    Hex(String),
    /// What opens, how often, what closes.
    Nest(String, usize, String),
    /// What, how often.
    Repeat(String, usize),
    /// As it is.
    Text(String),
}

impl Body {
    /// The bytes.
    ///
    /// # Panics
    /// When the vector is broken.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::File(path) => read(&repository().join("tests/vectors").join(path)),
            Self::Hex(digits) => {
                let pairs = digits
                    .as_bytes()
                    .chunks(2)
                    .map(|pair| std::str::from_utf8(pair).expect("ASCII"));
                pairs
                    .map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal"))
                    .collect()
            }
            Self::Nest(open, depth, close) => [open.repeat(*depth), close.repeat(*depth)]
                .concat()
                .into_bytes(),
            Self::Repeat(unit, count) => unit.repeat(*count).into_bytes(),
            Self::Text(text) => text.clone().into_bytes(),
        }
    }
}

/// What must come back.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// Headers that must have these values.
    pub headers: BTreeMap<String, String>,
    /// Headers that must not be there.
    #[serde(default)]
    pub absent_headers: Vec<String>,
    /// Members that the JSON body must have: see [`matches()`].
    pub body: Option<Value>,
}

/// Whether a value has what is expected of it: objects may have more members, `{"$any": "string"}` is any value of the type,
/// `{"$length": 3}` an array of that length; everything else is equal.
///
/// # Errors
/// Where they differ, and how.
pub fn matches(found: &Value, expected: &Value, path: &str) -> Result<(), String> {
    let differ = || Err(format!("at `{path}`: found {found}, expected {expected}"));
    match expected {
        Value::Object(members) => {
            if let Some(kind) = members.get("$any") {
                let is_of_kind = match kind.as_str() {
                    Some("string") => found.as_str().is_some_and(|text| !text.is_empty()),
                    Some("number") => found.is_number(),
                    Some("array") => found
                        .as_array()
                        .is_some_and(|elements| !elements.is_empty()),
                    _ => false,
                };
                return if is_of_kind { Ok(()) } else { differ() };
            }
            if let Some(length) = members.get("$length") {
                let found = found.as_array().map(Vec::len);
                return if found.is_some() && found == length.as_u64().map(|length| length as usize)
                {
                    Ok(())
                } else {
                    differ()
                };
            }
            for (name, expected) in members {
                let Some(found) = found.get(name) else {
                    return Err(format!("at `{path}`: `{name}` is missing in {found}"));
                };
                matches(found, expected, &format!("{path}/{name}"))?;
            }
            Ok(())
        }
        Value::Array(expected) => {
            let Some(found) = found
                .as_array()
                .filter(|found| found.len() == expected.len())
            else {
                return differ();
            };
            found
                .iter()
                .zip(expected)
                .enumerate()
                .try_for_each(|(index, (found, expected))| {
                    matches(found, expected, &format!("{path}/{index}"))
                })
        }
        _ if found == expected => Ok(()),
        _ => differ(),
    }
}
