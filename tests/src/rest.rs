//! HTTP vectors: requests, each with the response it must get.

use crate::{read, repository};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// One request with its expected response.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Case {
    /// What the case shows.
    pub note: String,
    /// The request to send.
    pub request: Request,
    /// The expected response.
    pub response: Response,
}

/// The request of a case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Request {
    /// The HTTP method.
    pub method: String,
    /// The path and the query string.
    pub path: String,
    /// Header names in lower case, with their values.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The body, if there is one.
    pub body: Option<Body>,
    /// `absent` if the request has a body but no `Content-Length`.
    pub content_length: Option<String>,
    /// Whether the caller has exceeded the rate limit.
    #[serde(default)]
    pub limited: bool,
    /// Whether there is too little memory for the body.
    #[serde(default)]
    pub no_memory: bool,
}

/// How a vector gives its body.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Body {
    /// A file below `tests/vectors`.
    File(String),
    /// Hexadecimal bytes.
    Hex(String),
    /// The opening text, the depth, the closing text: nested brackets, for example.
    Nest(String, usize, String),
    /// A text and how often to repeat it.
    Repeat(String, usize),
    /// The body itself.
    Text(String),
}

impl Body {
    /// The bytes of the body.
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
                pairs.map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal")).collect()
            }
            Self::Nest(open, depth, close) => {
                [open.repeat(*depth), close.repeat(*depth)].concat().into_bytes()
            }
            Self::Repeat(unit, count) => unit.repeat(*count).into_bytes(),
            Self::Text(text) => text.clone().into_bytes(),
        }
    }
}

/// The expected response.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// Headers that must have these values.
    pub headers: BTreeMap<String, String>,
    /// Headers that must be absent.
    #[serde(default)]
    pub absent_headers: Vec<String>,
    /// The expected JSON body, compared by [`matches()`].
    pub body: Option<Value>,
}

/// Compares a value with an expected pattern. Objects may have further members. `{"$any": "string"}` matches a string that is not
/// empty, `"array"` an array that is not empty, `"number"` any number. `{"$length": 3}` matches an array of that length. Everything
/// else must be equal.
///
/// # Errors
/// The path of the first difference and both values.
pub fn matches(found: &Value, expected: &Value, path: &str) -> Result<(), String> {
    let differ = || Err(format!("at `{path}`: found {found}, expected {expected}"));
    match expected {
        Value::Object(members) => {
            if let Some(kind) = members.get("$any") {
                let is_of_kind = match kind.as_str() {
                    Some("string") => found.as_str().is_some_and(|text| !text.is_empty()),
                    Some("number") => found.is_number(),
                    Some("array") => found.as_array().is_some_and(|elements| !elements.is_empty()),
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
            let Some(found) = found.as_array().filter(|found| found.len() == expected.len()) else {
                return differ();
            };
            found.iter().zip(expected).enumerate().try_for_each(|(index, (found, expected))| {
                matches(found, expected, &format!("{path}/{index}"))
            })
        }
        _ if found == expected => Ok(()),
        _ => differ(),
    }
}
