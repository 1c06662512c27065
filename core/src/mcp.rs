//! The agent door: the Model Context Protocol, from one message to at most one reply.
//!
//! Two revisions stand side by side on both doors: [`LEGACY`], with its handshake, and [`MODERN`], without one, in which
//! every request says its revision itself.
//! The server is stateless and has tools alone; no session, no stream, nothing that it would send unasked.
//! A refusal is the result of a tool, `isError` with the problem document; a JSON-RPC error is for messages that are not
//! understood.
//!
//! **Source**: Model Context Protocol, revisions 2025-06-18 and 2026-07-28; JSON-RPC 2.0.

mod arguments;
mod calls;
mod era;
mod fault;
mod local;
mod message;
mod tools;

pub use era::Headers;

use crate::call::{Principal, Visit};
use crate::error::{Error, ErrorKind};
use crate::json::{Document, Value};
use crate::service::Service;
use crate::store::Store;
use era::Era;
use fault::Fault;
use message::{Message, Recovered, Request};
use serde_json::{Value as Json, json};

/// The revision that the handshake always agrees on.
pub const LEGACY: &str = "2025-06-18";

/// The revision without a handshake.
pub const MODERN: &str = "2026-07-28";

/// How long a list of tools may be kept, in milliseconds: an hour.
const TIME_TO_LIVE: u32 = 3_600_000;

/// How many values a message may have: a tool reads its document once more, and each value takes eight bytes both times.
const MAX_VALUES: usize = 1_500_000;

/// The door that a message came through.
#[derive(Clone, Copy, Debug)]
pub enum Door<'a> {
    /// `POST /mcp`, with what its headers say.
    Http(Headers<'a>),
    /// Standard input and output of a process, whose store belongs to whoever started it.
    Local(&'a Principal),
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status; standard output has no use for it.
    pub status: u16,
    /// The message, one line of JSON.
    pub text: String,
    /// What happened that the caller is not told, for the log.
    pub detail: Option<String>,
}

/// Answers a message; what needs no answer, such as a notification, gets none.
///
/// Total: what cannot be understood or done is told in the reply.
///
/// # Example
/// ```
/// use epcis_edge_core::call::{Principal, Visit};
/// use epcis_edge_core::mcp::{self, Door};
/// use epcis_edge_core::service::{Configuration, Service};
/// let service = Service::new(Configuration::at("https://epcis.example.com"));
/// let principal = Principal::local("https://example.com/accounts/1", "https://example.com/dock");
/// let message = br#"{"jsonrpc": "2.0", "id": "a", "method": "ping"}"#;
/// let reply = pollster::block_on(mcp::answer(&service, message, Door::Local(&principal), &Visit::at(0)));
/// assert_eq!(reply.unwrap().text, r#"{"jsonrpc":"2.0","id":"a","result":{}}"#);
/// ```
pub async fn answer<S: Store, A: AsyncFn() -> bool>(
    service: &Service<S>,
    message: &[u8],
    door: Door<'_>,
    visit: &Visit<A>,
) -> Option<Reply> {
    let document = match Document::read(message) {
        Ok(document) => document,
        Err(error) => return Some(unreadable(message, &error, door)),
    };
    if document.values() > MAX_VALUES {
        let limit = MAX_VALUES;
        let error = Error::new(ErrorKind::TooManyValues { limit });
        drop(document);
        return Some(unreadable(message, &error, door));
    }
    let request = match message::read(&document) {
        Ok(Message::Request(request)) => request,
        Ok(Message::Notification(notification)) => {
            return era::check_notification(&notification, door)
                .err()
                .map(|fault| fault.reply(None));
        }
        Ok(Message::Response) => return None,
        Err((fault, id)) => return Some(fault.reply(id)),
    };
    let done = match Era::of(&request, door) {
        Ok(era) => respond(service, &request, door, visit, era).await,
        Err(fault) => Err(fault),
    };
    Some(match done {
        Ok(result) => result.reply(request.id),
        Err(fault) => fault.reply(Some(request.id)),
    })
}

/// The reply to a text that cannot be read.
///
/// What only some readers take for JSON, such as half of a surrogate pair, still tells who asks and for what: to a call it is
/// a refusal like any other of a document.
fn unreadable(message: &[u8], error: &Error, door: Door<'_>) -> Reply {
    let fault = Fault::unreadable(error);
    let Some(recovered) = Recovered::of(message).filter(|_| fault.is_json()) else {
        return fault.reply(None);
    };
    match recovered.id().filter(|_| recovered.is_call()) {
        Some(id) => {
            let is_modern = recovered.says_version() || era::says_modern(door);
            let era = if is_modern { Era::Modern } else { Era::Legacy };
            match calls::refusal(error) {
                Ok(answered) => answered.of(era).reply(id),
                Err(fault) => fault.reply(Some(id)),
            }
        }
        None => fault.reply(recovered.id()),
    }
}

/// The reply to a message that could not even be read, such as a body that is too long.
#[must_use]
pub fn refusal(error: &Error, status: u16) -> Reply {
    Fault::refused(error, status).reply(None)
}

/// A result on its way out.
struct Answered {
    /// A JSON object.
    text: String,
    /// For the log.
    detail: Option<String>,
}

impl Answered {
    /// As the result of an era.
    fn of(self, era: Era) -> Self {
        match era {
            Era::Legacy => self,
            Era::Modern => complete(self),
        }
    }

    /// The message, in one line: what is stored keeps the white space that it was sent with.
    fn reply(self, id: &str) -> Reply {
        let mut text = String::with_capacity(self.text.len() + id.len() + 40);
        text.push_str(r#"{"jsonrpc":"2.0","id":"#);
        text.push_str(id);
        text.push_str(r#","result":"#);
        text.push_str(&self.text);
        text.push('}');
        drop(self.text);
        if text.contains(['\r', '\n']) {
            // Between tokens alone: inside of strings they are escaped.
            text = text.replace(['\r', '\n'], " ");
        }
        Reply {
            status: 200,
            text,
            detail: self.detail,
        }
    }
}

impl From<Json> for Answered {
    fn from(value: Json) -> Self {
        Self {
            text: value.to_string(),
            detail: None,
        }
    }
}

async fn respond<S: Store, A: AsyncFn() -> bool>(
    service: &Service<S>,
    request: &Request<'_>,
    door: Door<'_>,
    visit: &Visit<A>,
    era: Era,
) -> Result<Answered, Fault> {
    let answered = match (request.method.as_ref(), era) {
        ("initialize", Era::Legacy) => Answered::from(initialize(door)),
        ("ping", Era::Legacy) => Answered::from(json!({})),
        ("server/discover", Era::Modern) => Answered::from(discover(door)),
        ("tools/list", _) => {
            require_first_page(request)?;
            let mut list = json!({"tools": tools::list(door)});
            if era == Era::Modern {
                keepable(&mut list);
            }
            Answered::from(list)
        }
        ("tools/call", _) => calls::call(service, request, door, visit).await?,
        _ => return Err(Fault::no_such_method(&request.method, era)),
    };
    Ok(answered.of(era))
}

/// There is one page alone, and so no cursor that anybody could have from us.
fn require_first_page(request: &Request<'_>) -> Result<(), Fault> {
    let cursor = request.params.and_then(|params| params.get("cursor"));
    match cursor.filter(|cursor| !message::is_null(*cursor)) {
        None => Ok(()),
        Some(cursor) => Err(Fault::params(&format!(
            "the cursor {} was not given out here, all tools are on one page",
            quoted(cursor)
        ))),
    }
}

/// A value as sent, cut to a length.
fn quoted(value: Value<'_>) -> String {
    crate::error::Quoted(value.source()).to_string()
}

fn initialize(door: Door<'_>) -> Json {
    json!({
        "protocolVersion": LEGACY,
        "capabilities": {"tools": {}},
        "serverInfo": server_info(),
        "instructions": tools::instructions(door),
    })
}

fn discover(door: Door<'_>) -> Json {
    let mut result = json!({
        "supportedVersions": [MODERN, LEGACY],
        "capabilities": {"tools": {}},
        "instructions": tools::instructions(door),
    });
    keepable(&mut result);
    result
}

/// The same for everyone, with and without a key.
fn keepable(result: &mut Json) {
    if let Some(members) = result.as_object_mut() {
        members.insert("ttlMs".to_owned(), TIME_TO_LIVE.into());
        members.insert("cacheScope".to_owned(), "public".into());
    }
}

/// What the modern revision wants of every result, before its members.
fn complete(mut answered: Answered) -> Answered {
    let meta = json!({"io.modelcontextprotocol/serverInfo": server_info()});
    let rest = answered.text.strip_prefix('{').unwrap_or_default();
    let comma = if rest == "}" { "" } else { "," };
    answered.text = format!(r#"{{"resultType":"complete","_meta":{meta}{comma}{rest}"#);
    answered
}

fn server_info() -> Json {
    json!({
        "name": "epcis-edge",
        "title": "epcis-edge: EPCIS 2.0 capture gateway",
        "version": env!("CARGO_PKG_VERSION"),
    })
}
