//! The JSON-RPC 2.0 envelope.

use super::fault::Fault;
use crate::json::{Document, Kind, Value};
use std::borrow::Cow;

/// A message, as far as it is understood.
pub(super) enum Message<'m> {
    Request(Request<'m>),
    Notification(Notification<'m>),
    /// A response to a request that we never sent.
    Response,
}

/// What wants an answer.
pub(super) struct Request<'m> {
    /// As it was written, so that it goes back with every digit.
    pub(super) id: &'m str,
    pub(super) method: Cow<'m, str>,
    /// An object, where there are any.
    pub(super) params: Option<Value<'m>>,
}

/// What wants none.
pub(super) struct Notification<'m> {
    pub(super) method: Cow<'m, str>,
    pub(super) params: Option<Value<'m>>,
}

pub(super) fn is_null(value: Value<'_>) -> bool {
    value.kind() == Kind::Null
}

/// Reads the text of a message.
pub(super) fn document(text: &[u8]) -> Result<Document<'_>, Fault> {
    Document::read(text).map_err(|error| Fault::unreadable(&error))
}

/// Reads the envelope; a fault comes with the `id`, where one was readable.
pub(super) fn read<'m>(
    document: &'m Document<'_>,
) -> Result<Message<'m>, (Fault, Option<&'m str>)> {
    let root = document.root();
    match root.kind() {
        Kind::Object => {}
        Kind::Array => {
            return Err((
                Fault::request("a batch is not served, expected one message"),
                None,
            ));
        }
        _ => return Err((Fault::request("expected an object"), None)),
    }
    let id = id(root).map_err(|fault| (fault, None))?;
    let text = |name| root.get(name).and_then(Value::as_str);
    let refuse = |sentence: &str| Err((Fault::request(sentence), id));
    if text("jsonrpc").as_deref() != Some("2.0") {
        return refuse("expected the member `jsonrpc` to be \"2.0\"");
    }
    let Some(method) = root.get("method") else {
        let is_response = root.get("result").is_some() || root.get("error").is_some();
        return if is_response && id.is_some() {
            Ok(Message::Response)
        } else {
            refuse("expected the member `method`")
        };
    };
    let Some(method) = method.as_str() else {
        return refuse("expected the member `method` to be a string");
    };
    let params = root.get("params").filter(|params| !is_null(*params));
    if params.is_some_and(|params| params.kind() != Kind::Object) {
        return Err((
            Fault::params("expected the member `params` to be an object"),
            id,
        ));
    }
    match id {
        Some(id) => Ok(Message::Request(Request { id, method, params })),
        None if method.starts_with("notifications/") => {
            Ok(Message::Notification(Notification { method, params }))
        }
        None => Err((
            Fault::request(
                "the member `id` is missing: without one this is no request, and nothing was done",
            ),
            None,
        )),
    }
}

/// The `id` as it was written: a string or a whole number.
fn id(root: Value<'_>) -> Result<Option<&str>, Fault> {
    let Some(id) = root.get("id") else {
        return Ok(None);
    };
    let is_whole = |number: &str| {
        let digits = number.strip_prefix('-').unwrap_or(number);
        digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    if id.kind() == Kind::String || id.as_number().is_some_and(is_whole) {
        Ok(Some(id.source()))
    } else {
        Err(Fault::request(
            "expected the member `id` to be a string or a whole number",
        ))
    }
}
