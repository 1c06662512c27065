//! Leaves out what may differ: tokens of pages, which only their gateway reads, and the version of the product.

use serde_json::Value;
use std::borrow::Cow;

/// A text without tokens and version.
pub(super) fn masked(text: &str) -> String {
    let mut text = Cow::Borrowed(text);
    for name in ["nextPageToken", "feedCursor"] {
        // In an address, in JSON, and in JSON that is the text of a message.
        for (between, ends) in [("=", "&>\""), ("\":\"", "\""), ("\\\":\\\"", "\\")] {
            text = Cow::Owned(without(&text, &format!("{name}{between}"), ends));
        }
    }
    let version = env!("CARGO_PKG_VERSION");
    ["\"version\":\"", "\\\"version\\\":\\\"", "epcis-edge ", "epcis-edge/"]
        .iter()
        .fold(text.into_owned(), |text, before| {
            text.replace(&format!("{before}{version}"), &format!("{before}VERSION"))
        })
}

/// A text without what follows each `start` up to one of the characters `ends`.
fn without(text: &str, start: &str, ends: &str) -> String {
    let mut parts = text.split(start);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|character| ends.contains(character));
        let rest = &part[end.unwrap_or(part.len())..];
        out.push_str(start);
        // An empty token stays empty.
        out.push_str(if end == Some(0) { "" } else { "TOKEN" });
        out.push_str(rest);
    }
    out
}

/// JSON whose members are sorted.
pub(super) fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(sorted).collect(),
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            let members = members.into_iter();
            Value::Object(members.map(|(name, value)| (name.clone(), sorted(value))).collect())
        }
        other => other.clone(),
    }
}
