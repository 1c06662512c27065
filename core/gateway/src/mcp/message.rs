//! The JSON-RPC 2.0 envelope.

use super::fault::Fault;
use epcis_edge_text::error::Quoted;
use epcis_edge_text::json::{Document, Kind, Value};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A message, as far as it is understood.
pub(super) enum Message<'m> {
    Request(Request<'m>),
    Notification(Notification<'m>),
    /// A response to a request that we never sent.
    Response,
}

/// A message that needs an answer.
pub(super) struct Request<'m> {
    /// As it was written, so that it is returned with every digit.
    pub(super) id: &'m str,
    pub(super) method: Cow<'m, str>,
    /// An object, if given.
    pub(super) params: Option<Value<'m>>,
}

/// A message that needs no answer.
pub(super) struct Notification<'m> {
    pub(super) method: Cow<'m, str>,
    pub(super) params: Option<Value<'m>>,
}

pub(super) fn is_null(value: Value<'_>) -> bool {
    value.kind() == Kind::Null
}

/// Reads the envelope; a fault comes with the `id` if that was readable.
pub(super) fn read<'m>(
    document: &'m Document<'_>,
) -> Result<Message<'m>, (Fault, Option<&'m str>)> {
    let root = document.root();
    match root.kind() {
        Kind::Object => {}
        Kind::Array => {
            return Err((Fault::request("a batch is not served, expected one message"), None));
        }
        _ => return Err((Fault::request("expected an object"), None)),
    }
    let text = |name| root.get(name).and_then(Value::as_str);
    let method = root.get("method");
    let is_jsonrpc = text("jsonrpc").as_deref() == Some("2.0");
    let is_response = root.get("result").is_some() || root.get("error").is_some();
    if method.is_none() && is_response && is_jsonrpc {
        return Ok(Message::Response);
    }
    let id = id(root).map_err(|fault| (fault, None))?;
    let refuse = |sentence: &str| Err((Fault::request(sentence), id));
    if let Some(name) = root.repeated_name() {
        return refuse(&format!("the member {} is repeated", Quoted(&name)));
    }
    if !is_jsonrpc {
        return refuse("expected the member `jsonrpc` to be \"2.0\"");
    }
    let Some(method) = method else {
        return refuse("expected the member `method`");
    };
    let Some(method) = method.as_str() else {
        return refuse("expected the member `method` to be a string");
    };
    let params = root.get("params").filter(|params| !is_null(*params));
    let Some(id) = id else {
        return if method.starts_with("notifications/") {
            Ok(Message::Notification(Notification { method, params }))
        } else {
            refuse(
                "the member `id` is missing: without one this is no request, and nothing was done",
            )
        };
    };
    let refuse = |sentence: &str| Err((Fault::params(sentence), Some(id)));
    if params.is_some_and(|params| params.kind() != Kind::Object) {
        return refuse("expected the member `params` to be an object");
    }
    if let Some(name) = params.and_then(Value::repeated_name) {
        return refuse(&format!("the member {} is repeated in `params`", Quoted(&name)));
    }
    Ok(Message::Request(Request { id, method, params }))
}

/// The readable members of a message that is JSON by the grammar, but not to every reader.
#[derive(Deserialize)]
pub(super) struct Recovered<'m> {
    #[serde(borrow)]
    id: Option<&'m RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'m, str>>,
    params: Option<RecoveredParams>,
}

#[derive(Deserialize)]
struct RecoveredParams {
    #[serde(rename = "_meta")]
    meta: Option<BTreeMap<String, IgnoredAny>>,
}

impl<'m> Recovered<'m> {
    pub(super) fn of(text: &'m [u8]) -> Option<Self> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        serde_json::from_slice(text).ok()
    }

    /// The `id`, if it is a valid one.
    pub(super) fn id(&self) -> Option<&'m str> {
        let text = self.id?.get();
        let is_one = text.starts_with('"') || is_whole(text);
        is_one.then_some(text)
    }

    pub(super) fn is_call(&self) -> bool {
        self.method.as_deref() == Some("tools/call")
    }

    /// Whether the message names its revision.
    pub(super) fn says_version(&self) -> bool {
        let meta = self.params.as_ref().and_then(|params| params.meta.as_ref());
        meta.is_some_and(|meta| meta.contains_key(super::VERSION))
    }
}

/// Whether a JSON number is written as a whole number.
fn is_whole(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The `id` as it was written: a string or a whole number.
fn id(root: Value<'_>) -> Result<Option<&str>, Fault> {
    let Some(id) = root.get("id") else {
        return Ok(None);
    };
    if id.kind() == Kind::String || id.as_number().is_some_and(is_whole) {
        Ok(Some(id.source()))
    } else {
        Err(Fault::request("expected the member `id` to be a string or a whole number"))
    }
}
