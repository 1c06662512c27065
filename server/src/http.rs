//! HTTP/1.1: a request of hyper to the core, and its answer back.

use crate::gateway::Gateway;
use crate::page;
use async_trait::async_trait;
use bytes::Bytes;
use epcis_edge_core::call::Incoming;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::rest::{self, BodyFault, Compressible, Detail, LongPoll};
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HOST, VARY,
};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming as Received;
use std::convert::Infallible;
use std::io::Write as _;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

/// How long a caller may send nothing in the middle of a body.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// How long a body may take for each 64 KiB, besides [`PATIENCE`].
const PACE: Duration = Duration::from_secs(1);

/// How many bytes of room a body without an announced length takes at a time.
const STEP: usize = 64 << 10;

/// Answers shorter than this are not compressed.
const WORTH_IT: usize = 1024;

/// The time, in milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Answers a request, and counts it.
pub(crate) async fn answer(
    gateway: &Gateway,
    request: Request<Received>,
    from: IpAddr,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let begun = Instant::now();
    let door = door(request.uri().path());
    gateway.shared.in_flight.fetch_add(1, Ordering::AcqRel);
    let answer = answered(gateway, request, from).await;
    gateway.shared.in_flight.fetch_sub(1, Ordering::AcqRel);
    let status = answer.status().as_u16().to_string();
    metrics::counter!("epcis_edge_requests_total", "door" => door, "status" => status).increment(1);
    metrics::histogram!("epcis_edge_request_seconds", "door" => door).record(begun.elapsed());
    Ok(answer.map(Full::new))
}

/// The door of a path, for figures: the first part of a path that we know.
fn door(path: &str) -> &'static str {
    const DOORS: [&str; 16] = [
        "capture",
        "check",
        "events",
        "follow",
        "hash",
        "log",
        "masterdata",
        "mcp",
        "queries",
        "report",
        "topLevelResources",
        "translate",
        "validate",
        "epcs",
        "bizSteps",
        "openapi.json",
    ];
    let first = path.trim_start_matches("/epcis/").trim_start_matches('/').split('/').next();
    DOORS.into_iter().find(|door| Some(*door) == first).unwrap_or("other")
}

async fn answered(gateway: &Gateway, request: Request<Received>, from: IpAddr) -> Response<Bytes> {
    let (mut head, body) = request.into_parts();
    if let Some(answer) = of_operators(gateway, &head.uri).await {
        return answer;
    }
    if gateway.is_ending() {
        let detail = "the server ends".to_owned();
        let error = Error::new(ErrorKind::Unavailable { seconds: 5, detail });
        let mut answer = rest::refuse(gateway.service.configuration(), &error);
        answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        return answer;
    }
    let is_read = matches!(head.method, Method::GET | Method::HEAD);
    let path = head.uri.path().to_owned();
    let is_page = is_read && matches!(path.as_str(), "/" | "/index.html");
    if is_read
        && !is_page
        && path != "/openapi.json"
        && let Some(file) = page::file(&head.method, &path, &head.headers)
    {
        return compressed(file, &head.headers);
    }
    let service = &gateway.service;
    let answer = match absolute(&head.uri, &head.headers) {
        Some(uri) => {
            head.uri = uri;
            let (method, headers) = (head.method.clone(), head.headers.clone());
            let mut again = Request::new(Bytes::new());
            again.method_mut().clone_from(&head.method);
            again.uri_mut().clone_from(&head.uri);
            again.headers_mut().clone_from(&head.headers);
            let incoming = Incoming {
                now: now(),
                admit: &|| Box::pin(std::future::ready(gateway.admits(&headers, from))),
                description: &|| Box::pin(std::future::ready(page::description())),
            };
            let announced = announced(&head.headers);
            let room = match announced {
                1..=STEP => &gateway.shared.room_for_short,
                _ => &gateway.shared.room,
            };
            let body = Sent {
                body: Some(body),
                announced,
                room: Arc::clone(room),
                taken: Vec::new(),
                deadline: Instant::now() + PATIENCE,
            };
            let request = Request::from_parts(head, body);
            let mut answer = rest::respond(service, request, &incoming).await;
            if let Some(LongPoll { seconds }) = answer.extensions().get().copied() {
                answer = wait(gateway, &again, answer, seconds).await;
            }
            gateway.tell_log();
            let is_html = answer
                .headers()
                .get(CONTENT_TYPE)
                .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
            // `/` is the playground for who prefers HTML, and the index for programs.
            if is_page
                && (is_html || path != "/")
                && let Some(page) = page::file(&method, "/index.html", &headers)
            {
                let (head, body) = page.into_parts();
                *answer.status_mut() = head.status;
                answer.headers_mut().extend(head.headers);
                answer.headers_mut().remove(CONTENT_LENGTH);
                *answer.body_mut() = body;
            }
            compressed(answer, &headers)
        }
        None => rest::refuse(service.configuration(), &Error::new(ErrorKind::Target)),
    };
    if let Some(Detail(detail)) = answer.extensions().get() {
        tracing::error!(status = answer.status().as_u16(), "{detail}");
    }
    answer
}

/// The doors of operators: whether the process lives, and whether it can answer.
async fn of_operators(gateway: &Gateway, uri: &Uri) -> Option<Response<Bytes>> {
    let (is_ready, said) = match uri.path() {
        "/healthz" => (true, "ok\n"),
        "/readyz" if gateway.is_ending() => (false, "ending\n"),
        "/readyz" if !gateway.has_database().await => (false, "without the database\n"),
        "/readyz" => (true, "ok\n"),
        _ => return None,
    };
    let mut answer = Response::new(Bytes::from_static(said.as_bytes()));
    answer
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    if !is_ready {
        *answer.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    }
    Some(answer)
}

/// The address of a request with its host, as the core takes it; `None` if it has none.
fn absolute(uri: &Uri, headers: &HeaderMap) -> Option<Uri> {
    if uri.authority().is_some() {
        return Some(uri.clone());
    }
    let mut hosts = headers.get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return None;
    };
    let target = uri.path_and_query()?.as_str();
    target.starts_with('/').then_some(())?;
    Uri::builder().scheme("http").authority(host.as_bytes()).path_and_query(target).build().ok()
}

fn announced(headers: &HeaderMap) -> usize {
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    length.unwrap_or(0)
}

/// Repeats a long poll once a second until it has a result or the time is over.
async fn wait(
    gateway: &Gateway,
    request: &Request<Bytes>,
    mut answer: Response<Bytes>,
    seconds: u64,
) -> Response<Bytes> {
    for _ in 0..seconds {
        if gateway.is_ending() {
            break;
        }
        sleep(Duration::from_secs(1)).await;
        answer = rest::respond(&gateway.service, request.clone(), &Incoming::at(now())).await;
        if answer.extensions().get::<LongPoll>().is_none() {
            break;
        }
    }
    answer
}

/// Compresses an answer that may be compressed, for a caller that accepts it (RFC 9110, 12.5.3).
fn compressed(mut answer: Response<Bytes>, headers: &HeaderMap) -> Response<Bytes> {
    let kind = answer.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let is_file =
        ["text/", "application/wasm", "image/svg"].iter().any(|start| kind.starts_with(start));
    let may_be = answer.extensions().get::<Compressible>().is_some() || is_file;
    // The answer to HEAD has a length, and no body.
    let length = answer.body().len().max(announced(answer.headers()));
    if !may_be || length < WORTH_IT || !takes_gzip(headers) {
        return answer;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    // Writing to memory cannot fail; if it did, the answer would go as it is.
    let shorter = encoder.write_all(answer.body()).and_then(|()| encoder.finish());
    if let Ok(shorter) = shorter {
        if !answer.body().is_empty() {
            *answer.body_mut() = shorter.into();
        }
        let headers = answer.headers_mut();
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        if !headers.get_all(VARY).iter().any(|value| value == "Accept-Encoding") {
            headers.append(VARY, HeaderValue::from_static("Accept-Encoding"));
        }
        headers.remove(CONTENT_LENGTH);
    }
    answer
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    let mut accepted = headers.get_all(ACCEPT_ENCODING).iter();
    accepted.any(|value| value.to_str().is_ok_and(rest::takes_gzip))
}

/// The body of a request, which is read up to a limit.
struct Sent {
    /// `None` once all of it was read, or it broke off.
    body: Option<Received>,
    /// The length from `Content-Length`, in bytes; 0 if there is none.
    announced: usize,
    /// The room for bodies, and what this one has of it.
    room: Arc<Semaphore>,
    taken: Vec<OwnedSemaphorePermit>,
    /// When it must be there; later with everything for which it took room.
    deadline: Instant,
}

impl Sent {
    /// Waits for room for more bytes.
    async fn take(&mut self, bytes: usize) -> Result<(), BodyFault> {
        let kib = u32::try_from(bytes.div_ceil(1024)).map_err(|_| BodyFault::NoMemory)?;
        let room = Arc::clone(&self.room).acquire_many_owned(kib);
        let taken = timeout(PATIENCE, room).await.map_err(|_| BodyFault::NoMemory)?;
        self.taken.push(taken.map_err(|_| BodyFault::NoMemory)?);
        self.deadline += PACE * kib.div_ceil(64);
        Ok(())
    }
}

#[async_trait(?Send)]
impl rest::Body for Sent {
    async fn read(&mut self, limit: usize) -> Result<Bytes, BodyFault> {
        let mut text = Vec::new();
        let mut room = self.announced.min(limit);
        self.take(room).await?;
        // A caller may announce more than it sends.
        text.try_reserve(room.min(1 << 20)).map_err(|_| BodyFault::NoMemory)?;
        while let Some(chunk) = self.chunk().await {
            let chunk = chunk?;
            let length = text.len() + chunk.len();
            if length > limit {
                return Err(BodyFault::TooLarge);
            }
            if length > room {
                let more = (length - room).max(STEP);
                self.take(more).await?;
                room += more;
            }
            text.try_reserve(chunk.len()).map_err(|_| BodyFault::NoMemory)?;
            text.extend_from_slice(&chunk);
        }
        Ok(text.into())
    }

    async fn chunk(&mut self) -> Option<Result<Bytes, BodyFault>> {
        loop {
            let patience = PATIENCE.min(self.deadline.saturating_duration_since(Instant::now()));
            match timeout(patience, self.body.as_mut()?.frame()).await {
                Ok(Some(Ok(frame))) => {
                    if let Ok(chunk) = frame.into_data() {
                        return Some(Ok(chunk));
                    }
                }
                Ok(None) => self.body = None,
                Ok(Some(Err(_))) | Err(_) => {
                    self.body = None;
                    return Some(Err(BodyFault::Incomplete));
                }
            }
        }
    }
}
