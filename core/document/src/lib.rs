//! One EPCIS document: read, judged, hashed, translated.
//!
//! ```rust
//! use epcis_edge_document::{hash::{self, Profile}, validate::Validator};
//! use epcis_edge_text::json::Document;
//!
//! let document = Document::read(br#"{
//!     "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
//!     "type": "ObjectEvent", "action": "OBSERVE", "bizStep": "shipping",
//!     "eventTime": "2026-03-04T11:00:30.000+01:00", "eventTimeZoneOffset": "+01:00",
//!     "epcList": ["urn:epc:id:sscc:9521141.1234567890"]
//! }"#)?;
//! assert!(Validator::new()?.validate(&document).valid);
//! assert!(hash::hash_document(&document, Profile::Cbv20)?[0].to_string().starts_with("ni:///sha-256;"));
//! # Ok::<(), epcis_edge_text::error::Error>(())
//! ```
//!
//! `validate` gives one entry for each cause, `hash` knows no schema, and `translate` reports every loss.

pub mod calculation;
pub mod context;
pub mod event;
pub mod field;
pub mod hash;
pub mod identifier;
pub mod master_data;
pub mod normal;
pub mod repair;
pub mod translate;
pub mod validate;
pub mod vocabulary;
