#![doc = include_str!("../README.md")]

pub mod call;
pub mod capture;
pub mod mcp;
pub mod query;
pub mod rest;
pub mod service;
pub mod store;

pub use epcis_edge_document::{hash, identifier, repair, translate, validate, vocabulary};
pub use epcis_edge_history::follow;
pub use epcis_edge_log as log;
pub use epcis_edge_reports as report;
pub use epcis_edge_rules as check;
pub use epcis_edge_text::{error, json, time};

use epcis_edge_document::{calculation, context, event, field, master_data, normal};
use epcis_edge_text::{decimal, digits, slice};
