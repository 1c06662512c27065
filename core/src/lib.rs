#![doc = include_str!("../README.md")]

pub use epcis_edge_document::{hash, identifier, repair, translate, validate, vocabulary};
pub use epcis_edge_gateway::{call, capture, mcp, query, rest, service, store};
pub use epcis_edge_history::follow;
pub use epcis_edge_log as log;
pub use epcis_edge_reports as report;
pub use epcis_edge_rules as check;
pub use epcis_edge_text::{error, json, time};
