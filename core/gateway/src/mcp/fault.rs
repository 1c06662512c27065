//! JSON-RPC errors: replies to messages that are not understood.

use super::Reply;
use super::Revision;
use epcis_edge_text::error::{Error, ErrorKind, JsonFault, Problem, Quoted, excerpt};
use serde_json::{Value as Json, json};

/// The text is not JSON.
const PARSE_ERROR: i32 = -32700;
/// The JSON is not a message.
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const INTERNAL_ERROR: i32 = -32603;
/// Headers and message contradict each other.
const HEADER_MISMATCH: i32 = -32020;
/// The revision is not offered.
const UNSUPPORTED_VERSION: i32 = -32022;

/// An error of the protocol.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    code: i32,
    status: u16,
    message: String,
    data: Option<Box<Json>>,
    /// For the log.
    detail: Option<String>,
}

impl Fault {
    fn new(code: i32, status: u16, message: &str) -> Self {
        Self { code, status, message: message.to_owned(), data: None, detail: None }
    }

    /// A text that cannot be read as JSON.
    pub(super) fn unreadable(error: &Error) -> Self {
        // The grammar allows these, but JSON readers differ in them or have limits, so they are not accepted as messages.
        let is_json = matches!(
            error.kind(),
            ErrorKind::Json(
                JsonFault::Depth(..) | JsonFault::NumberRange | JsonFault::LoneSurrogate
            ) | ErrorKind::TooManyValues { .. }
        );
        let code = if is_json { INVALID_REQUEST } else { PARSE_ERROR };
        Self::new(code, 400, &error.to_string()).with_problem(error)
    }

    /// Whether the text is JSON by the grammar.
    pub(super) fn is_json(&self) -> bool {
        self.code == INVALID_REQUEST
    }

    /// A request that was refused before its message was read.
    pub(super) fn refused(error: &Error, status: u16) -> Self {
        let code = match error.kind() {
            ErrorKind::BodyIncomplete => PARSE_ERROR,
            ErrorKind::Internal { .. } | ErrorKind::Overtaken { .. } => INTERNAL_ERROR,
            _ => INVALID_REQUEST,
        };
        Self::new(code, status, &error.to_string()).with_problem(error)
    }

    pub(super) fn request(message: &str) -> Self {
        Self::new(INVALID_REQUEST, 400, message)
    }

    pub(super) fn params(message: &str) -> Self {
        Self::new(INVALID_PARAMS, 200, message)
    }

    pub(super) fn no_such_method(method: &str, revision: Revision) -> Self {
        let status = match revision {
            Revision::Legacy => 200,
            Revision::Modern => 404,
        };
        let message = format!("there is no method {}", Quoted(method));
        Self::new(METHOD_NOT_FOUND, status, &message)
    }

    pub(super) fn no_such_tool(name: &str, known: &str) -> Self {
        Self::params(&format!("there is no tool {}, the tools are {known}", Quoted(name)))
    }

    /// A request of the modern revision with a required member of `_meta` missing or wrong.
    pub(super) fn incomplete_meta(message: &str) -> Self {
        Self::new(INVALID_PARAMS, 400, message)
    }

    pub(super) fn header_mismatch(message: &str) -> Self {
        Self::new(HEADER_MISMATCH, 400, message)
    }

    pub(super) fn unsupported_version(requested: &str, supported: &[&str]) -> Self {
        let message = format!(
            "the protocol version {} is not offered, offered are {}",
            Quoted(requested),
            supported.join(" and ")
        );
        let mut fault = Self::new(UNSUPPORTED_VERSION, 400, &message);
        fault.data =
            Some(Box::new(json!({"supported": supported, "requested": excerpt(requested)})));
        fault
    }

    /// The header `MCP-Protocol-Version` names an unknown revision.
    pub(super) fn unknown_version_header(found: &str) -> Self {
        Self::request(&format!(
            "the header MCP-Protocol-Version names {}, which is not served here",
            Quoted(found)
        ))
    }

    /// An internal error, without details for the caller.
    pub(super) fn internal(detail: String) -> Self {
        let mut fault = Self::new(INTERNAL_ERROR, 200, "an unexpected fault");
        fault.detail = Some(detail);
        fault
    }

    fn with_problem(mut self, error: &Error) -> Self {
        self.data = serde_json::to_value(Problem::from(error)).ok().map(Box::new);
        self
    }

    /// The reply to the message with this `id`, or to one whose `id` could not be read.
    pub(super) fn reply(self, id: Option<&str>) -> Reply {
        let mut error = json!({"code": self.code, "message": self.message});
        if let (Some(data), Some(members)) = (self.data, error.as_object_mut()) {
            members.insert("data".to_owned(), *data);
        }
        let id = id.unwrap_or("null");
        Reply {
            status: self.status,
            text: format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#),
            detail: self.detail,
        }
    }
}
