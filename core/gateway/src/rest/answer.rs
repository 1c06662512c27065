//! Answers before they are sent: bodies, and the headers that all of them carry.
//!
//! A document is most of an answer and of the memory. So it goes through no serializer: the other members are written before and after
//! it, into the same buffer.

use crate::mcp::Reply;
use crate::service::{Configuration, Envelope};
use bytes::Bytes;
use epcis_edge_document::translate::FidelityReport;
use epcis_edge_text::error::{Error, Problem};
use epcis_edge_text::json::to_text;
use epcis_edge_text::slice::Known;
use http::header::{self, HeaderName, HeaderValue};
use http::{HeaderMap, Response, StatusCode};
use serde::Serialize;

/// The EPCIS version of all answers.
const EPCIS_VERSION: HeaderValue = HeaderValue::from_static("2.0.1");
/// The CBV version of all answers.
const CBV_VERSION: HeaderValue = HeaderValue::from_static("2.0.1");

/// Each of these headers is sent under two names: the gateway's own, and that of the standard, which clients of the standard use.
const EPCIS_VERSION_NAMES: [HeaderName; 2] =
    [HeaderName::from_static("std-epcis-version"), HeaderName::from_static("gs1-epcis-version")];
const CBV_VERSION_NAMES: [HeaderName; 2] =
    [HeaderName::from_static("std-cbv-version"), HeaderName::from_static("gs1-cbv-version")];
const EXTENSIONS_NAMES: [HeaderName; 2] =
    [HeaderName::from_static("std-extensions"), HeaderName::from_static("gs1-extensions")];

/// Whether the source of a translation can be restored from its result.
const FIDELITY: HeaderName = HeaderName::from_static("spine-translation-fidelity");
/// How many paths of the source cannot be restored.
const LOSSY_PATHS: HeaderName = HeaderName::from_static("spine-translation-lossy-paths");
/// The losses on these paths.
const LOSSES: HeaderName = HeaderName::from_static("spine-translation-losses");

/// The headers that pages of other origins may read.
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "STD-EPCIS-Version, STD-CBV-Version, STD-Extensions, GS1-EPCIS-Version, GS1-CBV-Version, GS1-Extensions, \
     Spine-Translation-Fidelity, Spine-Translation-Lossy-Paths, Spine-Translation-Losses, Allow, Link, Location, Retry-After, GS1-Next-Page-Token-Expires, \
     GS1-EPC-Format, GS1-CBV-XML-Format, GS1-EPCIS-Min, GS1-EPCIS-Max, GS1-CBV-Min, GS1-CBV-Max, GS1-Vendor-Version, \
     GS1-Capture-Error-Behaviour, GS1-EPCIS-Capture-Limit, GS1-EPCIS-Capture-File-Size-Limit, Spine-Feed-Cursor, \
     Preference-Applied",
);
/// The headers that pages of other origins may send, to every door but that of agents; `*` would not cover `Authorization`.
pub(super) const ALLOWED_HEADERS: HeaderValue = HeaderValue::from_static(
    "Content-Type, Accept, Authorization, API-KEY, API-KEY-SECRET, GS1-EPCIS-Version, GS1-EPCIS-Min, GS1-EPCIS-Max, GS1-CBV-Version, \
     GS1-CBV-Min, GS1-CBV-Max, GS1-EPC-Format, GS1-CBV-XML-Format, GS1-Extensions, GS1-Capture-Error-Behaviour, Prefer",
);

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const JSON_LD: HeaderValue = HeaderValue::from_static("application/ld+json");
const PROBLEM: HeaderValue = HeaderValue::from_static("application/problem+json");
const XML: HeaderValue = HeaderValue::from_static("application/xml; charset=utf-8");
const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// A response without the headers that all responses have.
#[derive(Debug)]
pub(super) struct Answer {
    status: StatusCode,
    content_type: Option<HeaderValue>,
    headers: HeaderMap,
    body: Bytes,
    readers: Readers,
    detail: Option<String>,
    long_poll: Option<LongPoll>,
    is_compressible: bool,
}

/// The origins whose pages may read an answer.
#[derive(Debug)]
enum Readers {
    All,
    /// Pages of this origin, or no pages.
    Of(Option<HeaderValue>),
}

/// The cause of an error, which the caller does not see: an extension of the response, for the shell to log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail(pub String);

/// The caller prefers to wait rather than get this empty answer: an extension of the response. The shell may repeat the request
/// once a second, and answers with the last result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongPoll {
    /// How long the caller is willing to wait, in seconds.
    pub seconds: u64,
}

/// The body is worth compressing: an extension of the response. The shell may compress it for callers that accept it; `Vary` is
/// already set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compressible;

impl Answer {
    pub(super) fn empty(status: StatusCode) -> Self {
        Self {
            status,
            content_type: None,
            headers: HeaderMap::new(),
            body: Bytes::new(),
            readers: Readers::All,
            detail: None,
            long_poll: None,
            is_compressible: false,
        }
    }

    /// The answer to a CORS preflight request.
    pub(super) fn preflight(methods: String, headers: HeaderValue) -> Self {
        let mut answer = Self::empty(StatusCode::NO_CONTENT).allowing(methods);
        if let Some(methods) = answer.headers.get(header::ALLOW).cloned() {
            let name = header::ACCESS_CONTROL_ALLOW_METHODS;
            answer.headers.insert(name, methods);
        }
        let name = header::ACCESS_CONTROL_ALLOW_HEADERS;
        answer.headers.insert(name, headers);
        let name = header::ACCESS_CONTROL_MAX_AGE;
        answer.headers.insert(name, HeaderValue::from_static("86400"));
        answer
    }

    /// A message of the agent endpoint.
    pub(super) fn message(reply: Reply) -> Self {
        let status =
            StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut answer = Self::with_body(status, JSON, reply.text.into());
        answer.detail = reply.detail;
        answer
    }

    /// Restricts an answer to pages of this origin, or to none.
    pub(super) fn for_origin(mut self, origin: Option<HeaderValue>) -> Self {
        self.readers = Readers::Of(origin);
        self
    }

    fn with_body(status: StatusCode, content_type: HeaderValue, body: Bytes) -> Self {
        Self { content_type: Some(content_type), body, ..Self::empty(status) }
    }

    /// An envelope: status 200, or 403 if blocked.
    pub(super) fn envelope<T: Serialize>(envelope: &Envelope<T>) -> Result<Self, Error> {
        let status = match envelope {
            Envelope::Blocked { .. } => StatusCode::FORBIDDEN,
            Envelope::Ok(_) | Envelope::Empty { .. } => StatusCode::OK,
        };
        Ok(Self::with_body(status, JSON, to_json(envelope)?))
    }

    /// JSON in a file.
    pub(super) fn json_bytes(bytes: Bytes) -> Self {
        Self::with_body(StatusCode::OK, JSON, bytes)
    }

    /// A value serialised as JSON.
    pub(super) fn json_of<T: Serialize + ?Sized>(value: &T) -> Result<Self, Error> {
        Ok(Self::with_body(StatusCode::OK, JSON, to_json(value)?))
    }

    /// Bytes with a media type.
    pub(super) fn bytes(media_type: &'static str, bytes: Vec<u8>) -> Self {
        let media_type = HeaderValue::from_static(media_type);
        Self::with_body(StatusCode::OK, media_type, bytes.into())
    }

    /// JSON-LD, already serialised.
    pub(super) fn json_ld_text(text: String) -> Self {
        Self::with_body(StatusCode::OK, JSON_LD, text.into())
    }

    /// XML, already serialised.
    pub(super) fn xml(text: String) -> Self {
        Self::with_body(StatusCode::OK, XML, text.into())
    }

    /// Changes the status.
    pub(super) fn status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// JSON, already serialised.
    pub(super) fn json(text: String) -> Self {
        Self::with_body(StatusCode::OK, JSON, text.into())
    }

    pub(super) fn json_ld<T: Serialize>(value: &T) -> Result<Self, Error> {
        Ok(Self::with_body(StatusCode::OK, JSON_LD, to_json(value)?))
    }

    pub(super) fn html(text: String) -> Self {
        Self::with_body(StatusCode::OK, HTML, text.into())
    }

    /// The problem response to an error.
    pub(super) fn problem(error: &Error) -> Self {
        let problem = Problem::from(error);
        let status =
            StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        // A problem consists of strings and numbers, so serialising it cannot fail.
        let mut answer = Self::with_body(status, PROBLEM, to_json(&problem).ok().known());
        answer.detail = error.for_the_log().map(str::to_owned);
        answer = answer.after(error);
        if status == StatusCode::UNAUTHORIZED {
            answer = answer.with(header::WWW_AUTHENTICATE, "Bearer".to_owned());
        }
        answer
    }

    /// Adds `Retry-After`, if repeating the request may help.
    pub(super) fn after(self, error: &Error) -> Self {
        match error.retry_after() {
            Some(seconds) => self.with(header::RETRY_AFTER, seconds.to_string()),
            None => self,
        }
    }

    /// A problem with extension members.
    pub(super) fn extended_problem<T: Serialize>(status: u16, problem: &T) -> Result<Self, Error> {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Ok(Self::with_body(status, PROBLEM, to_json(problem)?))
    }

    pub(super) fn allowing(self, methods: String) -> Self {
        self.with(header::ALLOW, methods)
    }

    pub(super) fn with(mut self, name: HeaderName, value: String) -> Self {
        if let Ok(value) = HeaderValue::try_from(value) {
            self.headers.insert(name, value);
        }
        self
    }

    /// Adds headers that report the losses of a translation.
    pub(super) fn translated(self, report: &FidelityReport) -> Self {
        let fidelity = if report.is_round_trip_clean() { "round-trip-clean" } else { "lossy" };
        self.with(FIDELITY, fidelity.to_owned())
            .with(LOSSY_PATHS, report.lossy_path_count().to_string())
            .with(LOSSES, report.losses().to_string())
    }

    /// Lets the shell compress the body.
    pub(super) fn compressible(mut self) -> Self {
        self.is_compressible = true;
        self.with(header::VARY, "Accept-Encoding".to_owned())
    }

    /// Lets the shell wait before it sends this answer.
    pub(super) fn long_polled(mut self, long_poll: LongPoll) -> Self {
        self.long_poll = Some(long_poll);
        self
    }

    /// The response, with the headers that all responses have.
    pub(super) fn into_response(
        self,
        configuration: &Configuration,
        is_head: bool,
    ) -> Response<Bytes> {
        let mut headers = self.headers;
        for name in EPCIS_VERSION_NAMES {
            headers.insert(name, EPCIS_VERSION);
        }
        for name in CBV_VERSION_NAMES {
            headers.insert(name, CBV_VERSION);
        }
        // A gateway that does not know its address has no extension namespace to announce.
        let namespace = &configuration.extension_namespace;
        let extensions = HeaderValue::try_from(format!("spine={namespace}"));
        if let Ok(extensions) = extensions
            && namespace.contains(':')
        {
            for name in EXTENSIONS_NAMES {
                headers.insert(name, extensions.clone());
            }
        }
        match self.readers {
            Readers::All => {
                let all = HeaderValue::from_static("*");
                headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, all);
            }
            Readers::Of(origin) => {
                headers.append(header::VARY, HeaderValue::from_static("Origin"));
                if let Some(origin) = origin {
                    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
                }
            }
        }
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if let Some(content_type) = self.content_type {
            headers.insert(header::CONTENT_TYPE, content_type);
        }
        let mut body = self.body;
        if is_head {
            headers.insert(header::CONTENT_LENGTH, body.len().into());
            body = Bytes::new();
        }
        let mut response = Response::new(body);
        *response.status_mut() = self.status;
        *response.headers_mut() = headers;
        if let Some(detail) = self.detail {
            response.extensions_mut().insert(Detail(detail));
        }
        if let Some(long_poll) = self.long_poll {
            response.extensions_mut().insert(long_poll);
        }
        if self.is_compressible {
            response.extensions_mut().insert(Compressible);
        }
        response
    }
}

fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<Bytes, Error> {
    Ok(to_text(value)?.into())
}
