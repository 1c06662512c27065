//! The event that a proof is about, in a few words: who reads a verdict must see which it was.

use crate::error::Location;
use crate::json::Value;
use serde::Serialize;

/// The longest text that is said of an event, in bytes.
const MAX_TEXT: usize = 500;

/// An event that was proved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProvedEvent {
    /// Where it stands in the file: a JSON Pointer, empty where it is the file.
    pub path: String,
    /// Its `type`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// Its `eventID`.
    #[serde(rename = "eventID")]
    pub event_id: String,
    /// The first object that it names: an EPC or the EPC of its parent, else a class of objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epc: Option<String>,
    /// What it declares, where it declares another event to be wrong: such an event does not say that something happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_declaration: Option<ProvedDeclaration>,
}

/// What an error declaration says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProvedDeclaration {
    /// Why the event is wrong, as a word of the CBV such as `did_not_occur`; absent where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When it was declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declaration_time: Option<String>,
}

impl ProvedEvent {
    pub(super) fn of(event: Value<'_>) -> Self {
        let Location { path, .. } = event.location();
        let declaration = event.get("errorDeclaration");
        Self {
            path,
            event_type: text(event, "type").unwrap_or_default(),
            event_id: text(event, "eventID").unwrap_or_default(),
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
    let quantities = [
        "quantityList",
        "childQuantityList",
        "inputQuantityList",
        "outputQuantityList",
    ];
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

/// A text, or its beginning.
fn short(value: Value<'_>) -> Option<String> {
    let text = value.as_str()?;
    let mut end = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let cut = if end < text.len() { "…" } else { "" };
    Some(format!("{}{cut}", text.get(..end).unwrap_or_default()))
}
