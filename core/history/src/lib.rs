//! What happened to things: which events count, what was inside of what from when to when, what was made of what.
//!
//! ```rust
//! use epcis_edge_history::follow::{Request, follow_document};
//! use epcis_edge_text::json::Document;
//!
//! let events = Document::read(br#"[
//!     {"type": "AggregationEvent", "eventTime": "2026-03-04T10:00:00Z", "action": "ADD", "parentID": "urn:x:pallet", "childEPCs": ["urn:x:item"]},
//!     {"type": "ObjectEvent", "eventTime": "2026-03-04T11:00:00Z", "action": "OBSERVE", "epcList": ["urn:x:pallet"]}
//! ]"#)?;
//! let answer = follow_document(&events, &Request::of(vec!["urn:x:item".to_owned()]))?;
//! assert!(answer.contains(r#""how":"inside","role":"epcList","through":["urn:x:pallet"]"#));
//! # Ok::<(), epcis_edge_text::error::Error>(())
//! ```
//!
//! Over a store `follow` goes in rounds: `Seeker` says which events it wants next (`Wanted`), until the answer needs no more. The work of
//! one answer is bounded.

pub mod containment;
pub mod follow;
pub mod withdrawn;
