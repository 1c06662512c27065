//! Converts a request of the runtime to the type that the core takes.

use async_trait::async_trait;
use bytes::Bytes;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::rest::{self, BodyFault};
use http::header::ACCEPT_ENCODING;
use http::{HeaderName, HeaderValue, Method, Request, Uri};
use http_body_util::BodyExt as _;
use worker::js_sys::{Array, JsString, Reflect};
use worker::wasm_bindgen::{JsCast as _, JsValue};
use worker::web_sys;

/// The request, with its body not yet read.
///
/// # Errors
/// [`ErrorKind::Header`] for a header that HTTP does not allow: the runtime lets control characters through.
/// [`ErrorKind::Target`] for an address or a method that cannot be parsed.
pub(crate) fn read(request: &web_sys::Request) -> Result<Request<Incoming>, Error> {
    let url = request.url();
    let uri: Uri = url.parse().map_err(|_| Error::new(ErrorKind::Target))?;
    let length = request.headers().get("content-length").ok().flatten();
    let body = request.body();
    let mut read = Request::new(Incoming {
        body: body.map(worker::Body::new),
        announced: length.and_then(|length| length.parse().ok()).unwrap_or_default(),
    });
    *read.uri_mut() = uri;
    *read.method_mut() = Method::from_bytes(request.method().as_bytes())
        .map_err(|_| Error::new(ErrorKind::Target))?;
    for entry in request.headers().entries() {
        let Ok(entry) = entry else { continue };
        let entry: Array = entry.unchecked_into();
        let text = |at| String::from(entry.get(at).unchecked_into::<JsString>());
        let (name, value) = (text(0), text(1));
        let header = HeaderName::from_bytes(name.as_bytes()).ok();
        let header = header.zip(HeaderValue::from_bytes(value.as_bytes()).ok());
        let Some((header, value)) = header else {
            return Err(Error::new(ErrorKind::Header { name }));
        };
        read.headers_mut().append(header, value);
    }
    Ok(read)
}

/// The caller's own `Accept-Encoding`: Cloudflare puts it into `cf`, and replaces the header.
fn own_codings(request: &web_sys::Request) -> Option<String> {
    let of_cloudflare = Reflect::get(request, &JsValue::from_str("cf")).ok()?;
    let accepted = Reflect::get(&of_cloudflare, &JsValue::from_str("clientAcceptEncoding"));
    accepted.ok()?.as_string()
}

/// Whether the caller accepts answers compressed with gzip.
pub(crate) fn takes_gzip(request: &web_sys::Request) -> bool {
    let header = || request.headers().get(ACCEPT_ENCODING.as_str()).ok().flatten();
    let accepted = own_codings(request).or_else(header);
    accepted.is_some_and(|accepted| rest::takes_gzip(&accepted))
}

/// A copy of the request without its body, to repeat it.
pub(crate) fn without_body(request: &Request<Incoming>) -> Request<()> {
    let mut head = Request::new(());
    *head.uri_mut() = request.uri().clone();
    *head.method_mut() = request.method().clone();
    head.headers_mut().clone_from(request.headers());
    head
}

/// The body of a request, which is read up to a limit.
pub(crate) struct Incoming {
    /// `None` once all of it was read, or it broke off.
    body: Option<worker::Body>,
    /// The length from `Content-Length`, in bytes; 0 if there is none.
    announced: usize,
}

impl Incoming {}

#[async_trait(?Send)]
impl rest::Body for Incoming {
    async fn read(&mut self, limit: usize) -> Result<Bytes, BodyFault> {
        // Reserves the announced length at once: growing would need twice the memory.
        let mut text = Vec::new();
        let announced = self.announced.min(limit);
        text.try_reserve_exact(announced).map_err(|_| BodyFault::NoMemory)?;
        while let Some(chunk) = self.chunk().await {
            let chunk = chunk?;
            if text.len() + chunk.len() > limit {
                return Err(BodyFault::TooLarge);
            }
            text.try_reserve(chunk.len()).map_err(|_| BodyFault::NoMemory)?;
            text.extend_from_slice(&chunk);
        }
        Ok(text.into())
    }

    async fn chunk(&mut self) -> Option<Result<Bytes, BodyFault>> {
        loop {
            match self.body.as_mut()?.frame().await {
                Some(Ok(frame)) => {
                    if let Ok(chunk) = frame.into_data() {
                        return Some(Ok(chunk));
                    }
                }
                Some(Err(_)) => {
                    self.body = None;
                    return Some(Err(BodyFault::Incomplete));
                }
                None => self.body = None,
            }
        }
    }
}
