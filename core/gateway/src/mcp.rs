//! The endpoint for agents: the Model Context Protocol, from one message to at most one reply.
//!
//! Two revisions are served over both transports, HTTP and standard input: [`LEGACY`], with a handshake, and [`MODERN`], without
//! one, in which every request names its revision. The server is stateless and has tools only: no session, no stream, no messages
//! that were not requested. A refusal is the result of a tool, `isError` with the problem document; a JSON-RPC error is for
//! messages that are not understood.
//!
//! A refusal has the HTTP status 200: a client that sees a 401 would search for an OAuth server that does not exist, and the agent could
//! not read the reason. The handshake does not offer 2025-03-26, which demands batches.
//!
//! **Source**: Model Context Protocol, revisions 2025-06-18 and 2026-07-28; JSON-RPC 2.0.

mod arguments;
mod calls;
mod fault;
mod local;
mod message;
mod revision;
mod rpc_result;
mod tools;

pub use revision::Headers;

use crate::call::{Incoming, Principal};
use crate::service::Service;
use calls::ToolCall;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, MAX_VALUES, Value};
use fault::Fault;
use message::{Message, Recovered, Request};
use rpc_result::RpcResult;
use serde_json::{Value as Json, json};

/// The revision that the handshake always agrees on.
pub const LEGACY: &str = "2025-06-18";

/// The revision without a handshake.
pub const MODERN: &str = "2026-07-28";

/// The two revisions of the protocol that are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Revision {
    /// With a handshake.
    Legacy,
    /// Every request names its revision.
    Modern,
}

/// The member of `_meta` with the revision of a request.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// How long clients may cache a list of tools, in milliseconds: an hour.
const TIME_TO_LIVE: u32 = 3_600_000;

/// The transport that a message came by.
#[derive(Clone, Copy, Debug)]
pub enum Transport<'a> {
    /// `POST /mcp`, with its headers.
    Http(Headers<'a>),
    /// Standard input and output of a process, whose store belongs to the user who started it.
    Local(&'a Principal),
}

/// The reply to a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status; not used on standard output.
    pub status: u16,
    /// The message, one line of JSON.
    pub text: String,
    /// Details for the log, which the caller does not get.
    pub detail: Option<String>,
}

/// Answers a message; returns `None` for a message that needs no reply, such as a notification.
///
/// Never fails: a message that is not understood, or work that fails, is reported in the reply.
///
/// # Example
/// ```
/// use epcis_edge_gateway::call::{Principal, Incoming};
/// use epcis_edge_gateway::mcp::{self, Transport};
/// use epcis_edge_gateway::service::{Configuration, Service};
/// let service = Service::new(Configuration::at("https://epcis.example.com"));
/// let principal = Principal::local("https://example.com/accounts/1", "https://example.com/dock");
/// let message = br#"{"jsonrpc": "2.0", "id": "a", "method": "ping"}"#;
/// let reply = pollster::block_on(mcp::answer(&service, message, Transport::Local(&principal), &Incoming::at(0)));
/// assert_eq!(reply.unwrap().text, r#"{"jsonrpc":"2.0","id":"a","result":{}}"#);
/// ```
pub async fn answer(
    service: &Service,
    message: &[u8],
    transport: Transport<'_>,
    visit: &Incoming<'_>,
) -> Option<Reply> {
    let request = match ParsedRequest::read(service, message, transport, visit.now) {
        Ok(request) => request,
        Err(reply) => return reply,
    };
    let result = match request.task {
        Task::Answered(result) => result,
        Task::Call(call) => call.result(service, message, transport, visit).await,
    };
    let reply = result.reply(&request.id, request.revision);
    Some(reply.unwrap_or_else(|fault| fault.reply(Some(&request.id))))
}

/// A request that was read; it no longer borrows from the message's document.
struct ParsedRequest {
    /// The `id` as it was written.
    id: String,
    revision: Revision,
    task: Task,
}

enum Task {
    /// Nothing is left to do.
    Answered(RpcResult),
    Call(ToolCall),
}

impl ParsedRequest {
    /// # Errors
    /// The reply, or none, to a message that is not a request, or that requests a method or tool which does not exist.
    fn read(
        service: &Service,
        message: &[u8],
        transport: Transport<'_>,
        now: u64,
    ) -> Result<Self, Option<Reply>> {
        let document = Document::read_within(message, MAX_VALUES)
            .map_err(|error| Some(unreadable(message, &error, transport)))?;
        let request = match message::read(&document) {
            Ok(Message::Request(request)) => request,
            Ok(Message::Notification(notification)) => {
                let fault = revision::check_notification(&notification, transport).err();
                return Err(fault.map(|fault| fault.reply(None)));
            }
            Ok(Message::Response) => return Err(None),
            Err((fault, id)) => return Err(Some(fault.reply(id))),
        };
        let task = || {
            let revision = Revision::of(&request, transport)?;
            Ok((revision, Task::read(service, &request, transport, (revision, now))?))
        };
        match task() {
            Ok((revision, task)) => Ok(Self { id: request.id.to_owned(), revision, task }),
            Err(fault) => Err(Some(Fault::reply(fault, Some(request.id)))),
        }
    }
}

impl Task {
    fn read(
        service: &Service,
        request: &Request<'_>,
        transport: Transport<'_>,
        (revision, now): (Revision, u64),
    ) -> Result<Self, Fault> {
        let answer = match (request.method.as_ref(), revision) {
            ("initialize", Revision::Legacy) => initialize(transport),
            ("ping", Revision::Legacy) => json!({}),
            ("server/discover", Revision::Modern) => discover(transport),
            ("tools/list", _) => {
                require_first_page(request)?;
                let tools =
                    tools::list(transport).map_err(|error| Fault::internal(error.to_string()))?;
                let mut list = json!({"tools": tools});
                if revision == Revision::Modern {
                    keepable(&mut list);
                }
                list
            }
            ("tools/call", _) => {
                return ToolCall::read(service, request.params, transport, now).map(Self::Call);
            }
            _ => return Err(Fault::no_such_method(&request.method, revision)),
        };
        Ok(Self::Answered(answer.into()))
    }
}

/// The reply to a text that cannot be read.
///
/// A text that only some JSON readers accept, such as one with half of a surrogate pair, still has an `id` and a method. If it is a
/// call of a tool, the reply is a refusal of the tool, as for any other document.
fn unreadable(message: &[u8], error: &Error, transport: Transport<'_>) -> Reply {
    let fault = Fault::unreadable(error);
    let Some(recovered) = Recovered::of(message).filter(|_| fault.is_json()) else {
        return fault.reply(None);
    };
    match recovered.id().filter(|_| recovered.is_call()) {
        Some(id) => {
            let is_modern = recovered.says_version() || revision::says_modern(transport);
            let revision = if is_modern { Revision::Modern } else { Revision::Legacy };
            let reply = calls::refusal(error).reply(id, revision);
            reply.unwrap_or_else(|fault| fault.reply(Some(id)))
        }
        None => fault.reply(recovered.id()),
    }
}

/// The reply to a message that was not received at all, such as a body that is too long.
#[must_use]
pub fn refusal(error: &Error, status: u16) -> Reply {
    Fault::refused(error, status).reply(None)
}

/// Refuses any cursor: all tools are on one page, so none was ever issued.
fn require_first_page(request: &Request<'_>) -> Result<(), Fault> {
    let cursor = request.params.and_then(|params| params.get("cursor"));
    match cursor.filter(|cursor| !message::is_null(*cursor)) {
        None => Ok(()),
        Some(cursor) => Err(Fault::params(&format!(
            "the cursor {} was not issued here, all tools are on one page",
            quoted(cursor)
        ))),
    }
}

/// A value as sent, shortened.
fn quoted(value: Value<'_>) -> String {
    epcis_edge_text::error::Quoted(value.source()).to_string()
}

fn initialize(transport: Transport<'_>) -> Json {
    json!({
        "protocolVersion": LEGACY,
        "capabilities": {"tools": {}},
        "serverInfo": server_info(),
        "instructions": tools::instructions(transport),
    })
}

fn discover(transport: Transport<'_>) -> Json {
    let mut result = json!({
        "supportedVersions": [MODERN, LEGACY],
        "capabilities": {"tools": {}},
        "instructions": tools::instructions(transport),
    });
    keepable(&mut result);
    result
}

/// Marks a result as one that may be cached: it is the same for all callers, with a key or without.
fn keepable(result: &mut Json) {
    if let Some(members) = result.as_object_mut() {
        members.insert("ttlMs".to_owned(), TIME_TO_LIVE.into());
        members.insert("cacheScope".to_owned(), "public".into());
    }
}

fn server_info() -> Json {
    json!({
        "name": "epcis-edge",
        "title": "epcis-edge: EPCIS 2.0 capture gateway",
        "version": env!("CARGO_PKG_VERSION"),
    })
}
