//! The core of `epcis-edge`: EPCIS 2.0 without I/O, values in and values out. This crate is the facade over seven: text, document, history,
//! rules, reports, log and gateway.
//!
//! Begin with `json::Document`, `validate::Validator`, `hash::Profile`, `translate::translate`, `follow::follow_document`, `check::Checks`,
//! `report::report_document`, and `service::Service` for a gateway. A failure is an `error::Error`.
//!
//! **Supported**: EPCIS 2.0 JSON and JSON-LD (schema 2.0.1, CBV 2.0.1), and XML of EPCIS 1.0, 1.1, 1.2 and 2.0. **Not supported**: JSON-LD
//! expansion and remote contexts (the algorithms need neither); whole documents over 256 MiB (streams have any length).

pub use epcis_edge_document::{hash, identifier, repair, translate, validate, vocabulary};
pub use epcis_edge_gateway::{call, capture, mcp, query, rest, service, store};
pub use epcis_edge_history::follow;
pub use epcis_edge_log as log;
pub use epcis_edge_reports as report;
pub use epcis_edge_rules as check;
pub use epcis_edge_text::{error, json, time};
