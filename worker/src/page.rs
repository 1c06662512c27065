//! The playground's page, which shares the address `/` with the index: static files lie in the binding `ASSETS`.
//!
//! How does the playground share `/` with the index of doors?
//! The core answers as ever; where its answer is HTML, the Worker puts the page's file in the place of the body and
//! adds the file's headers (`worker/src/page.rs`).
//! So the negotiation stays in the core, and a deployment without the page keeps the core's own.
//! `html_handling` and `not_found_handling` are off: no file stands for a path of another name, and what is no file
//! reaches the Worker and its typed problems.

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, header};
use http_body_util::BodyExt as _;
use worker::{Env, Headers, RequestInit, Result};

/// A request for `/` or `/index.html`, as far as the page's file depends on it.
pub(crate) struct PageRequest {
    /// Whether it asks for the file by its name: then it gets the file, whatever it prefers.
    is_for_file: bool,
    method: worker::Method,
    headers: HeaderMap,
}

impl PageRequest {
    /// What to remember of a request; `None` when it is for another path, or does not read.
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
            Self {
                is_for_file: request.uri().path() == "/index.html",
                method,
                headers,
            }
        })
    }

    /// The page, where the core answered with the index as HTML: its status, the headers of both, its bytes.
    ///
    /// `None` for the index as JSON, and in a deployment without the page, which keeps the core's own.
    ///
    /// # Errors
    ///
    /// When the binding fails.
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
        init.with_method(self.method)
            .with_headers(Headers::from(self.headers));
        // The host is not looked at.
        let answer = assets
            .fetch("https://assets.example/index.html", Some(init))
            .await?;
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
