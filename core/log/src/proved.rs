//! A summary of the event that a proof is about, so that readers of a verdict see which event it is.

use epcis_edge_text::error::Location;
use epcis_edge_text::json::Value;
use epcis_edge_text::slice::{OrEmpty, Part};
use serde::Serialize;

/// The maximum length of a text in the summary, in bytes.
const MAX_TEXT: usize = 500;

/// The summary of a proved event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProvedEvent {
    /// The location of the event in the file: a JSON Pointer, empty if the event is the whole file.
    pub path: String,
    /// Its `type`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// Its `eventID`.
    #[serde(rename = "eventID")]
    pub event_id: String,
    /// The first object that the event names: the parent's EPC or the first EPC of a list, otherwise the first class of objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epc: Option<String>,
    /// The error declaration, if there is one. Such an event says that an earlier record was wrong, not that something happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_declaration: Option<ProvedDeclaration>,
}

/// The content of an error declaration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProvedDeclaration {
    /// The reason why the event is wrong, as a word of the CBV such as `did_not_occur`; absent if none is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The time of the declaration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declaration_time: Option<String>,
}

impl ProvedEvent {
    pub(super) fn of(event: Value<'_>) -> Self {
        let Location { path, .. } = event.location();
        let declaration = event.get("errorDeclaration");
        Self {
            path,
            event_type: text(event, "type").or_empty(),
            event_id: text(event, "eventID").or_empty(),
            epc: first_object(event),
            error_declaration: declaration.map(|declaration| ProvedDeclaration {
                reason: text(declaration, "reason"),
                declaration_time: text(declaration, "declarationTime"),
            }),
        }
    }
}

fn first_object(event: Value<'_>) -> Option<String> {
    let epcs = ["epcList", "childEPCs", "inputEPCList", "outputEPCList"];
    let quantities =
        ["quantityList", "childQuantityList", "inputQuantityList", "outputQuantityList"];
    let first = |list: &&str| event.get(list).and_then(|list| list.elements().next());
    let of_list = || epcs.iter().filter_map(first).find_map(short);
    let of_quantity = |quantity: Value<'_>| text(quantity, "epcClass");
    text(event, "parentID")
        .or_else(of_list)
        .or_else(|| quantities.iter().filter_map(first).find_map(of_quantity))
}

fn text(value: Value<'_>, name: &str) -> Option<String> {
    value.get(name).and_then(short)
}

/// A text, shortened to [`MAX_TEXT`] bytes.
fn short(value: Value<'_>) -> Option<String> {
    let text = value.as_str()?;
    let mut end = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let cut = if end < text.len() { "…" } else { "" };
    Some(format!("{}{cut}", text.part(..end)))
}
