//! The demo collection: one story, from orchard to shop, told in events.

use epcis_edge_text::slice::Known;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The seed records: every one schema-valid, GS1's demonstration prefix 952.
const SEED: &str = include_str!("demo.json");

/// One record of the demo collection.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DemoEvent {
    /// The event type.
    pub kind: String,
    /// The step of the story.
    pub tag: String,
    /// Always `DEMO`: these events are no evidence.
    #[cfg_attr(feature = "schema", schemars(extend("const" = "DEMO")))]
    pub label: String,
    /// The event, with its own `@context`.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    pub event: Box<RawValue>,
}

/// A filter of demo events; both conditions must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DemoFilter {
    /// Only events of this kind.
    pub kind: Option<String>,
    /// Only this step of the story.
    pub tag: Option<String>,
}

pub(super) fn events(filter: &DemoFilter) -> Vec<DemoEvent> {
    // The seed is ours and tested: it parses.
    let mut events: Vec<DemoEvent> = serde_json::from_str(SEED).ok().known();
    events.retain(|event| {
        filter.kind.as_ref().is_none_or(|kind| *kind == event.kind)
            && filter.tag.as_ref().is_none_or(|tag| *tag == event.tag)
    });
    events
}
