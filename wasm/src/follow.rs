//! Following for JavaScript.

use crate::{error, input};
use epcis_edge_core::error::Error;
use epcis_edge_core::follow::{Follower, Request, follow_document};
use epcis_edge_core::json::Document;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Follows items through the events of a JSON document. The request and the answer are JSON texts.
///
/// # Errors
/// Throws an `Error` with a `problem` member for a document without events, and for a request that is not accepted.
#[wasm_bindgen(skip_typescript)]
pub fn follow(document: &JsValue, request: &str) -> Result<String, JsValue> {
    let text = input::bytes(document)?;
    request_of(request)
        .and_then(|request| follow_document(&Document::read(&text)?, &request))
        .map_err(|error| error::to_js(&error))
}

fn request_of(request: &str) -> Result<Request, Error> {
    Request::read(Document::read(request.as_bytes())?.root())
}

/// The events of a JSON document, kept for several requests.
#[wasm_bindgen(skip_typescript)]
#[derive(Debug)]
pub struct Following(Follower);

#[wasm_bindgen]
impl Following {
    /// Reads the events.
    ///
    /// # Errors
    /// Throws an `Error` with a `problem` member for a document without events.
    #[wasm_bindgen(constructor)]
    pub fn new(document: &JsValue) -> Result<Self, JsValue> {
        let text = input::bytes(document)?;
        Document::read(&text)
            .and_then(|document| Follower::read(&document))
            .map(Self)
            .map_err(|error| error::to_js(&error))
    }

    /// Follows items, as [`follow`].
    ///
    /// # Errors
    /// Throws an `Error` with a `problem` member for a request that is not accepted.
    pub fn follow(&self, request: &str) -> Result<String, JsValue> {
        let request = request_of(request).map_err(|error| error::to_js(&error))?;
        Ok(self.0.follow(&request))
    }
}
