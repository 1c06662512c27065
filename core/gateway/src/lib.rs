//! Every operation of the gateway, once: capture, query, following, reports and the log over a store, and the doors that callers use.
//!
//! ```rust
//! use epcis_edge_gateway::call::{Call, Principal};
//! use epcis_edge_gateway::service::{Configuration, Service};
//!
//! let service = Service::new(Configuration::at("https://epcis.example.com"));
//! let call = Call::new(1_772_618_430_000, Principal::local("https://example.com/accounts/1", "https://example.com/dock"));
//! let event = br#"{
//!     "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
//!     "type": "ObjectEvent", "action": "OBSERVE", "epcList": ["urn:epc:id:sscc:9521141.1234567890"],
//!     "eventTime": "2026-03-04T11:00:30.000+01:00", "eventTimeZoneOffset": "+01:00"
//! }"#;
//! assert!(!pollster::block_on(service.capture(event, false, &call))?.events[0].duplicate);
//! # Ok::<(), epcis_edge_text::error::Error>(())
//! ```
//!
//! `rest` is one total function from a request to a response, `mcp` one from a message to at most one reply; `service` has every operation
//! without HTTP, and `store` the traits of a store with `MemoryStore`. A shell hands in time and random bytes.

pub mod call;
pub mod capture;
pub mod mcp;
pub mod query;
pub mod rest;
pub mod service;
pub mod store;
