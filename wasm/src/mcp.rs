//! The agent door of a local process: a store in memory, and one message after another.

use crate::error;
use epcis_edge_core::call::{Principal, Visit};
use epcis_edge_core::capture::HashEventIds;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::mcp::{self, Door, Reply};
use epcis_edge_core::service::{Configuration, Service};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A gateway of one's own, whose events live as long as itself.
#[wasm_bindgen(skip_typescript)]
#[derive(Debug)]
pub struct Agent {
    service: Service,
    principal: Principal,
    detail: Option<String>,
}

#[wasm_bindgen]
impl Agent {
    /// An empty store, and who it belongs to.
    ///
    /// **Shape**: the account that warrants what is captured and the attested observer, both URIs; the namespace of the
    /// gateway's own members, an absolute URI that ends as a prefix does, in `/`, `#` or `:`; the beginnings of the addresses of
    /// contexts that events may name besides the official ones, separated by blanks; `verify` or `keep`, for an `eventID` that is
    /// an event hash and not that of its event.
    ///
    /// # Errors
    /// Throws a sentence for another word.
    #[wasm_bindgen(constructor)]
    pub fn new(
        account: &str,
        observer: &str,
        namespace: &str,
        contexts: &str,
        hash_event_ids: &str,
    ) -> Result<Self, JsValue> {
        let hash_event_ids = HashEventIds::named(hash_event_ids)
            .ok_or_else(|| JsValue::from_str("expected `verify` or `keep`"))?;
        let configuration = Configuration {
            extension_namespace: namespace.to_owned(),
            allowed_contexts: contexts.split_whitespace().map(str::to_owned).collect(),
            hash_event_ids,
            ..Configuration::at("")
        };
        Ok(Self {
            service: Service::new(configuration),
            principal: Principal::local(account, observer),
            detail: None,
        })
    }

    /// Answers a JSON-RPC message in UTF-8, at a time in milliseconds since 1970; `undefined` where there is nothing to answer.
    ///
    /// # Errors
    /// Throws what should never happen: that the memory keeps somebody waiting.
    pub fn message(&mut self, message: &[u8], now: f64) -> Result<Option<String>, JsValue> {
        // Milliseconds of this century: far below 2^53.
        let visit = Visit::at(now as u64);
        let answer = mcp::answer(&self.service, message, Door::Local(&self.principal), &visit);
        // Nothing in memory is ever waited for: the first look finds the answer.
        let mut context = Context::from_waker(Waker::noop());
        let Poll::Ready(reply) = pin!(answer).poll(&mut context) else {
            let detail = "the store in memory is not ready".to_owned();
            return Err(error::to_js(&Error::new(ErrorKind::Internal { detail })));
        };
        Ok(reply.map(|Reply { text, detail, .. }| {
            self.detail = detail;
            text
        }))
    }

    /// What happened in the last message that its sender was not told, for the log.
    #[wasm_bindgen(js_name = takeDetail)]
    pub fn take_detail(&mut self) -> Option<String> {
        self.detail.take()
    }
}
