//! The agent door of a local process: a store in memory, and one message after another.

use crate::error;
use epcis_edge_core::call::{Incoming, Principal};
use epcis_edge_core::capture::HashEventIds;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::log::{KeyKind, Policy, Signer};
use epcis_edge_core::mcp::{self, Door, Reply};
use epcis_edge_core::service::{Configuration, Integrated, LogSettings, Service};
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
    /// How many leaves the log has.
    size: u64,
}

/// What the log of a process is called; its key lives as long as it.
const ORIGIN: &str = "local.epcis-edge/log";

fn bytes_32(bytes: &[u8]) -> Option<[u8; 32]> {
    bytes.try_into().ok()
}

/// Nothing in memory is ever waited for: the first look finds the answer.
fn at_once<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

fn not_ready() -> JsValue {
    let detail = "the store in memory is not ready".to_owned();
    error::to_js(&Error::new(ErrorKind::Internal { detail }))
}

#[wasm_bindgen]
impl Agent {
    /// An empty store, and who it belongs to.
    ///
    /// **Shape**: the account that warrants what is captured and the attested observer, both URIs; the namespace of the
    /// gateway's own members, an absolute URI that ends as a prefix does, in `/`, `#` or `:`; the beginnings of the addresses of
    /// contexts that events may name besides the official ones, separated by blanks; `verify` or `keep`, for an `eventID` that is
    /// an event hash and not that of its event; 32 random bytes, of which the key of its log is made.
    ///
    /// # Errors
    /// Throws a sentence for another word, and for other than 32 bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(
        account: &str,
        observer: &str,
        namespace: &str,
        contexts: &str,
        hash_event_ids: &str,
        seed: &[u8],
    ) -> Result<Self, JsValue> {
        let log = bytes_32(seed).and_then(|seed| {
            let signer = Signer::new(ORIGIN, KeyKind::Note, &seed).ok()?;
            LogSettings::new(vec![signer], "", Policy::without_witnesses()).ok()
        });
        let log = log.ok_or_else(|| JsValue::from_str("expected a seed of 32 bytes"))?;
        let hash_event_ids = HashEventIds::named(hash_event_ids)
            .ok_or_else(|| JsValue::from_str("expected `verify` or `keep`"))?;
        let configuration = Configuration {
            extension_namespace: namespace.to_owned(),
            allowed_contexts: contexts.split_whitespace().map(str::to_owned).collect(),
            hash_event_ids,
            log: Some(log),
            ..Configuration::at("")
        };
        Ok(Self {
            service: Service::new(configuration),
            principal: Principal::local(account, observer),
            detail: None,
            size: 0,
        })
    }

    /// Answers a JSON-RPC message in UTF-8, at a time in milliseconds since 1970; `undefined` where there is nothing to answer.
    ///
    /// # Errors
    /// Throws what should never happen: that the memory keeps somebody waiting.
    pub fn message(&mut self, message: &[u8], now: f64) -> Result<Option<String>, JsValue> {
        // Milliseconds of this century: far below 2^53.
        let visit = Incoming::at(now as u64);
        let answer = mcp::answer(&self.service, message, Door::Local(&self.principal), &visit);
        let Poll::Ready(reply) = at_once(answer) else {
            return Err(not_ready());
        };
        Ok(reply.map(|Reply { text, detail, .. }| {
            self.detail = detail;
            text
        }))
    }

    /// Gives the events of the last message their leaves in the log; 32 random bytes that serve this call alone.
    ///
    /// # Errors
    /// Throws what should never happen, and other than 32 bytes.
    pub fn integrate(&mut self, entropy: &[u8]) -> Result<(), JsValue> {
        let entropy = bytes_32(entropy);
        let entropy = entropy.ok_or_else(|| JsValue::from_str("expected 32 random bytes"))?;
        // One call has one set of salts: what a capture of more events leaves, the next calls take.
        let Poll::Ready(result) = at_once(self.service.integrate(entropy)) else {
            return Err(not_ready());
        };
        match result {
            Ok(Integrated::Grown { size, .. }) => {
                self.size = size;
                Ok(())
            }
            Ok(_) => Ok(()),
            Err(error) => Err(error::to_js(&error)),
        }
    }

    /// How many leaves the log has.
    #[wasm_bindgen(js_name = logSize)]
    pub fn log_size(&self) -> f64 {
        // Of events in memory: far below 2^53.
        self.size as f64
    }

    /// What happened in the last message that its sender was not told, for the log.
    #[wasm_bindgen(js_name = takeDetail)]
    pub fn take_detail(&mut self) -> Option<String> {
        self.detail.take()
    }
}
