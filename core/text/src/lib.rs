//! Texts as values with places: a strict JSON reader over the text itself, decimals as written, times, and failures as values.
//! A document is flat: eight bytes a value, and every value knows where it stands.
//!
//! ```rust
//! use epcis_edge_text::json::Document;
//!
//! let document = Document::read(br#"{"eventTime": "2026-03-04T11:00:00Z", "epcList": ["urn:x:1"]}"#)?;
//! let first = document.root().pointer("/epcList/0").and_then(|value| value.as_str());
//! assert_eq!(first.as_deref(), Some("urn:x:1"));
//! assert!(Document::read(br#"{"a": 1, }"#).is_err());
//! # Ok::<(), epcis_edge_text::error::Error>(())
//! ```

pub mod decimal;
pub mod digits;
pub mod error;
pub mod grow;
pub mod json;
pub mod lookalike;
pub mod order;
pub mod slice;
pub mod time;
pub mod window;
