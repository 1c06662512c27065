//! Values as texts.

use epcis_edge_text::json::Value;
use epcis_edge_text::slice::OrEmpty;

/// The text of a value as a cell shows it: a number as it is written; for an object, the text of `#text` or `@value`.
pub(super) fn text_of(value: Option<Value<'_>>) -> String {
    let Some(value) = value else { return String::new() };
    if let Some(text) = value.as_str() {
        return text.into_owned();
    }
    if let Some(inner) = value.get("#text").or_else(|| value.get("@value")) {
        return text_of(Some(inner));
    }
    if let Some(flag) = value.as_bool() {
        return flag.to_string();
    }
    value.as_number().map(str::to_owned).or_empty()
}
