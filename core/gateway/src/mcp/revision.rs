//! Finds the revision of a request, and checks that its headers agree.

use super::fault::Fault;
use super::message::{Notification, Request, is_null};
use super::{MODERN, Revision, Transport, VERSION};
use epcis_edge_text::json::{Kind, Value};
use std::borrow::Cow;

/// The headers of a `POST /mcp` that the protocol uses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Headers<'a> {
    /// `Authorization`
    pub authorization: Option<&'a str>,
    /// `MCP-Protocol-Version`
    pub version: Option<&'a str>,
    /// `Mcp-Method`
    pub method: Option<&'a str>,
    /// `Mcp-Name`
    pub name: Option<&'a str>,
}

/// Whether the headers name [`MODERN`].
pub(super) fn says_modern(transport: Transport<'_>) -> bool {
    match transport {
        Transport::Http(headers) => headers.version.map(str::trim) == Some(MODERN),
        Transport::Local(_) => false,
    }
}

/// The handshake revisions that callers may name. For a server that has only tools they do not differ.
const HANDSHAKE_VERSIONS: [&str; 3] = ["2025-03-26", "2025-06-18", "2025-11-25"];

const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

impl Revision {
    /// The revision of a request, after its headers and members were checked against each other.
    pub(super) fn of(request: &Request<'_>, transport: Transport<'_>) -> Result<Self, Fault> {
        let meta = meta(request.params);
        let headers = match transport {
            Transport::Http(headers) => Some(headers),
            Transport::Local(_) => None,
        };
        let header = headers.and_then(|headers| headers.version).map(str::trim);
        let is_modern = meta.is_some_and(|meta| meta.get(VERSION).is_some())
            || says_modern(transport)
            || request.method == "server/discover";
        if is_modern {
            check_modern(request, meta, headers)?;
            return Ok(Self::Modern);
        }
        match header {
            // The handshake itself agrees on a version, so the header does not matter yet.
            Some(_) if request.method == "initialize" => Ok(Self::Legacy),
            Some(found) if !HANDSHAKE_VERSIONS.contains(&found) => {
                Err(Fault::unknown_version_header(found))
            }
            _ => Ok(Self::Legacy),
        }
    }
}

fn meta(params: Option<Value<'_>>) -> Option<Value<'_>> {
    params?.get("_meta").filter(|meta| !is_null(*meta))
}

fn check_modern(
    request: &Request<'_>,
    meta: Option<Value<'_>>,
    headers: Option<Headers<'_>>,
) -> Result<(), Fault> {
    let member = |name| meta.and_then(|meta| meta.get(name));
    let Some(version) = member(VERSION).and_then(Value::as_str) else {
        let message = format!("expected `{VERSION}` in `_meta`, as a string");
        return Err(Fault::incomplete_meta(&message));
    };
    if let Some(headers) = headers {
        match headers.version.map(str::trim) {
            Some(header) if header == version => {}
            Some(_) => {
                let message = "the header MCP-Protocol-Version and the version in `_meta` differ";
                return Err(Fault::header_mismatch(message));
            }
            None => {
                let message = "the header MCP-Protocol-Version is missing";
                return Err(Fault::header_mismatch(message));
            }
        }
    }
    if version != MODERN {
        return Err(Fault::unsupported_version(&version, &[MODERN]));
    }
    if member(CAPABILITIES).is_none_or(|value| value.kind() != Kind::Object) {
        let message = format!("expected `{CAPABILITIES}` in `_meta`, as an object");
        return Err(Fault::incomplete_meta(&message));
    }
    let Some(headers) = headers else {
        return Ok(());
    };
    if headers.method.map(str::trim) != Some(&request.method) {
        let message = format!("expected the header Mcp-Method to be `{}`", request.method);
        return Err(Fault::header_mismatch(&message));
    }
    let name = request.params.and_then(|params| params.get("name")).and_then(Value::as_str);
    if let ("tools/call", Some(name)) = (request.method.as_ref(), name)
        && headers.name.and_then(decoded).as_deref() != Some(&name)
    {
        let message = "expected the header Mcp-Name to be the name of the tool";
        return Err(Fault::header_mismatch(message));
    }
    Ok(())
}

/// Accepts notifications silently, unless their headers contradict them.
pub(super) fn check_notification(
    notification: &Notification<'_>,
    transport: Transport<'_>,
) -> Result<(), Fault> {
    let Transport::Http(headers) = transport else {
        return Ok(());
    };
    if headers.method.is_some_and(|method| method.trim() != notification.method) {
        let message = format!("expected the header Mcp-Method to be `{}`", notification.method);
        return Err(Fault::header_mismatch(&message));
    }
    let version =
        meta(notification.params).and_then(|meta| meta.get(VERSION)).and_then(Value::as_str);
    match (version, headers.version.map(str::trim)) {
        (Some(version), Some(header)) if version != header => {
            let message = "the header MCP-Protocol-Version and the version in `_meta` differ";
            Err(Fault::header_mismatch(message))
        }
        (_, Some(header)) if header != MODERN && !HANDSHAKE_VERSIONS.contains(&header) => {
            Err(Fault::unknown_version_header(header))
        }
        _ => Ok(()),
    }
}

/// The value of a header. It may be written as `=?base64?…?=`, since headers are ASCII.
fn decoded(header: &str) -> Option<Cow<'_, str>> {
    let header = header.trim();
    let encoded = header.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    match encoded {
        None => Some(Cow::Borrowed(header)),
        Some(encoded) => {
            let bytes = data_encoding::BASE64.decode(encoded.as_bytes()).ok()?;
            String::from_utf8(bytes).ok().map(Cow::Owned)
        }
    }
}
