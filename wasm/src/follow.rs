//! Following for JavaScript.

use crate::error::Thrown;
use crate::input;
use epcis_edge_core::error::Error;
use epcis_edge_core::follow::{Follower, Request, follow_document};
use epcis_edge_core::json::Document;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Follows items through the events of a JSON document. The request and the answer are JSON texts.
///
/// # Errors
/// Throws an `Error` with a `problem` member for a document without events, and for a request that is not accepted.
#[wasm_bindgen(skip_typescript)]
pub fn follow(document: &JsValue, request: &str) -> Result<String, Thrown> {
    let text = input::bytes(document)?;
    Ok(follow_document(&Document::read(&text)?, &request_of(request)?)?)
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
    pub fn new(document: &JsValue) -> Result<Self, Thrown> {
        let text = input::bytes(document)?;
        Ok(Self(Follower::read(&Document::read(&text)?)?))
    }

    /// Follows items, as [`follow`].
    ///
    /// # Errors
    /// Throws an `Error` with a `problem` member for a request that is not accepted.
    pub fn follow(&self, request: &str) -> Result<String, Thrown> {
        Ok(self.0.follow(&request_of(request)?))
    }
}
