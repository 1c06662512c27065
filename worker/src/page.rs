//! The playground's page, which shares the address `/` with the core's index, and the description of the endpoints, which the core
//! answers with. Their files are in the binding `ASSETS`.
//!
//! How does the playground share `/` with the index?
//! The core answers the request. If the answer is HTML, the Worker replaces its body with the page's file and adds the headers of
//! the file. So content negotiation stays in the core, and a deployment without the page answers with the core's own.
//! `html_handling` and `not_found_handling` are off: a file answers only under its own name, and every other path reaches the Worker
//! and its typed problems.

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, header};
use http_body_util::BodyExt as _;
use worker::{Env, Headers, RequestInit, Result};

/// The OpenAPI description of the endpoints; `None` in a deployment without files.
pub(crate) async fn description(env: &Env) -> Option<Bytes> {
    let files = env.assets("ASSETS").ok()?;
    let file = files.fetch("https://assets.example/openapi.json", None).await.ok()?;
    let (head, body) = file.into_parts();
    let body = body.collect().await.ok()?;
    (head.status == StatusCode::OK).then(|| body.to_bytes())
}

/// A request for `/` or `/index.html`, reduced to the parts that matter for the page's file.
pub(crate) struct PageRequest {
    /// Whether the path is `/index.html`: then the answer is the file, whatever the request accepts.
    is_for_file: bool,
    method: worker::Method,
    headers: HeaderMap,
}

impl PageRequest {
    /// Keeps these parts of a request; `None` for another path, or a method other than GET and HEAD.
    pub(crate) fn of<B>(request: &http::Request<B>) -> Option<Self> {
        let method = match *request.method() {
            Method::GET => worker::Method::Get,
            Method::HEAD => worker::Method::Head,
            _ => return None,
        };
        matches!(request.uri().path(), "/" | "/index.html").then(|| {
            let mut headers = HeaderMap::new();
            if let Some(tag) = request.headers().get(header::IF_NONE_MATCH) {
                headers.insert(header::IF_NONE_MATCH, tag.clone());
            }
            Self { is_for_file: request.uri().path() == "/index.html", method, headers }
        })
    }

    /// The page, if the core answered with the index as HTML or the request is for the file: status of the file, headers of both,
    /// bytes of the file.
    ///
    /// `None` for the index as JSON, and in a deployment without the page: then the core's answer stays.
    ///
    /// # Errors
    ///
    /// If the binding fails.
    pub(crate) async fn page(
        self,
        env: &Env,
        index: &http::response::Parts,
    ) -> Result<Option<(StatusCode, HeaderMap, Bytes)>> {
        let is_html = index
            .headers
            .get(header::CONTENT_TYPE)
            .is_some_and(|essence| essence.as_bytes().starts_with(b"text/html"));
        let Ok(assets) = env.assets("ASSETS") else {
            return Ok(None);
        };
        if !is_html && !self.is_for_file {
            return Ok(None);
        }
        let mut init = RequestInit::new();
        init.with_method(self.method).with_headers(Headers::from(self.headers));
        // The host is ignored.
        let answer = assets.fetch("https://assets.example/index.html", Some(init)).await?;
        let (head, body) = answer.into_parts();
        if head.status != StatusCode::OK && head.status != StatusCode::NOT_MODIFIED {
            return Ok(None);
        }
        let mut headers = index.headers.clone();
        for (name, value) in &head.headers {
            headers.insert(name, value.clone());
        }
        let bytes = body.collect().await?.to_bytes();
        Ok(Some((head.status, headers, bytes)))
    }
}
