//! The agent endpoint of a local process: a store in memory, and one message at a time.

use crate::error::Thrown;
use epcis_edge_core::call::{Incoming, Principal};
use epcis_edge_core::capture::HashEventIds;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::log::{KeyKind, Policy, Signer};
use epcis_edge_core::mcp::{self, Reply, Transport};
use epcis_edge_core::service::{Configuration, Integrated, LogSettings, Service};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use wasm_bindgen::prelude::wasm_bindgen;

/// A private gateway whose events live as long as the object.
#[wasm_bindgen(skip_typescript)]
pub struct Agent {
    service: Service,
    principal: Principal,
    detail: Option<String>,
    /// The number of leaves in the log.
    size: u64,
}

/// The name of the log of a process. Its key lives as long as the process.
const ORIGIN: &str = "local.epcis-edge/log";

fn bytes_32(bytes: &[u8]) -> Option<[u8; 32]> {
    bytes.try_into().ok()
}

/// Polls a future once: with a store in memory, nothing has to wait.
fn at_once<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

fn not_ready() -> Thrown {
    let detail = "the store in memory is not ready".to_owned();
    Error::new(ErrorKind::Internal { detail }).into()
}

#[wasm_bindgen]
impl Agent {
    /// A gateway with an empty store and its owner.
    ///
    /// **Shape**: the account that warrants captured events and the attested observer, both URIs; the namespace of the gateway's
    /// own members, an absolute URI that ends like a prefix, in `/`, `#` or `:`; allowed beginnings of context addresses besides
    /// the official ones, separated by blanks; `report` or `refuse`, for an `eventID` that is an event hash but not that of its
    /// event; 32 random bytes, from which the key of the log is made.
    ///
    /// # Errors
    /// Throws a string for another word than `report` or `refuse`, and for a seed that is not 32 bytes long.
    #[wasm_bindgen(constructor)]
    pub fn new(
        account: &str,
        observer: &str,
        namespace: &str,
        contexts: &str,
        hash_event_ids: &str,
        seed: &[u8],
    ) -> Result<Self, Thrown> {
        let log = bytes_32(seed).and_then(|seed| {
            let signer = Signer::new(ORIGIN, KeyKind::Note, &seed).ok()?;
            LogSettings::new(vec![signer], "", Policy::without_witnesses()).ok()
        });
        let log = log.ok_or("expected a seed of 32 bytes")?;
        let hash_event_ids =
            HashEventIds::named(hash_event_ids).ok_or("expected `report` or `refuse`")?;
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

    /// Answers a JSON-RPC message in UTF-8, at a time in milliseconds since 1970; `undefined` if no answer is due.
    ///
    /// # Errors
    /// Throws only if the store in memory were not ready at once, which should never happen.
    pub fn message(&mut self, message: &[u8], now: f64) -> Result<Option<String>, Thrown> {
        // Milliseconds of this century are far below 2^53.
        let visit = Incoming::at(now as u64);
        let answer = mcp::answer(&self.service, message, Transport::Local(&self.principal), &visit);
        let Poll::Ready(reply) = at_once(answer) else { return Err(not_ready()) };
        Ok(reply.map(|Reply { text, detail, .. }| {
            self.detail = detail;
            text
        }))
    }

    /// Appends the events of the last message to the log; needs 32 random bytes that are used for this call only.
    ///
    /// # Errors
    /// Throws if the bytes are not 32, and on faults that should never happen.
    pub fn integrate(&mut self, entropy: &[u8]) -> Result<(), Thrown> {
        let entropy = bytes_32(entropy);
        let entropy = entropy.ok_or("expected 32 random bytes")?;
        // Each call uses one set of salts; further events of a large capture are left to the next calls.
        let Poll::Ready(result) = at_once(self.service.integrate(entropy)) else {
            return Err(not_ready());
        };
        if let Integrated::Grown { size, .. } = result? {
            self.size = size;
        }
        Ok(())
    }

    /// The number of leaves in the log.
    #[wasm_bindgen(js_name = logSize)]
    pub fn log_size(&self) -> f64 {
        // The events are in memory, so the number is far below 2^53.
        self.size as f64
    }

    /// The cause of an error in the last message that its sender does not see, for the shell to log.
    #[wasm_bindgen(js_name = takeDetail)]
    pub fn take_detail(&mut self) -> Option<String> {
        self.detail.take()
    }
}
