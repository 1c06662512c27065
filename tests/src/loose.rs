//! A comparison of JSON documents that shares no code with the engine's own comparison.

use epcis_edge_core::json::Value;
use epcis_edge_core::translate::SBDH_MEMBER;
use std::collections::BTreeMap;

/// The first difference between two documents, ignoring these: contexts, `schemaVersion`, the choice of prefix for a namespace, the
/// form of a vocabulary word, percent-encoding of names, the kept SBDH header, lists that EPCIS 1.2 writes empty, and an array of one value against the value.
#[must_use]
pub fn loose_difference(ours: Value<'_>, theirs: Value<'_>) -> Option<String> {
    let clean = |value: Value<'_>| -> serde_json::Value {
        let mut prefixes = BTreeMap::new();
        // The prefixes of the official context that the compared documents use.
        for (prefix, uri) in [
            ("cbvmda", "urn:epcglobal:cbv:mda"),
            ("epcis", "https://ref.gs1.org/epcis/"),
            ("gs1", "https://gs1.org/voc/"),
            ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
        ] {
            prefixes.insert(prefix.to_owned(), uri.to_owned());
        }
        let mut value = value.to_serde();
        expanded(&mut value, &prefixes);
        value
    };
    let (ours, theirs) = (clean(ours), clean(theirs));
    (ours != theirs).then(|| first(&ours, &theirs, ""))
}

fn learn(context: &serde_json::Value, prefixes: &mut BTreeMap<String, String>) {
    match context {
        serde_json::Value::Array(entries) => entries.iter().for_each(|e| learn(e, prefixes)),
        serde_json::Value::Object(members) => {
            for (name, uri) in members {
                if let Some(uri) = uri.as_str().or_else(|| uri["@id"].as_str()) {
                    prefixes.insert(name.clone(), uri.to_owned());
                }
            }
        }
        _ => {}
    }
}

fn expanded(value: &mut serde_json::Value, prefixes: &BTreeMap<String, String>) {
    match value {
        serde_json::Value::Object(members) => {
            let mut prefixes = prefixes.clone();
            if let Some(context) = members.remove("@context") {
                learn(&context, &mut prefixes);
            }
            members.remove("schemaVersion");
            members.remove(SBDH_MEMBER);
            // EPCIS 1.2 requires these lists, so they are written even when empty.
            for list in ["epcList", "childEPCs", "eventList"] {
                if members.get(list).is_some_and(|list| list == &serde_json::json!([])) {
                    members.remove(list);
                }
            }
            for (name, mut member) in std::mem::take(members) {
                expanded(&mut member, &prefixes);
                let name = match name.split_once(':') {
                    Some((prefix, local)) => prefixes
                        .get(prefix)
                        .map_or_else(|| name.clone(), |uri| format!("{uri}{local}")),
                    None => name,
                };
                members.insert(without_escapes(&name), member);
            }
        }
        serde_json::Value::Array(elements) => {
            elements.iter_mut().for_each(|element| expanded(element, prefixes));
            // In JSON-LD, and in XML, where repeated elements become an array, an array of one value equals the value.
            if elements.len() == 1 {
                *value = elements.remove(0);
            }
        }
        serde_json::Value::String(text) => {
            for prefix in ["https://ref.gs1.org/cbv/", "cbv:", "https://gs1.org/voc/", "gs1:"] {
                if let Some(rest) = text.strip_prefix(prefix) {
                    *text = rest.split_once('-').map_or(rest, |(_, word)| word).to_owned();
                    break;
                }
            }
        }
        _ => {}
    }
}

/// A name with its percent-encoded letters decoded: the event hash takes both spellings for one name, and reports say `renamed`.
fn without_escapes(name: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = name.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = (*first == b'%').then(|| after.get(..2)).flatten();
        let escaped = escaped.and_then(|digits| std::str::from_utf8(digits).ok());
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| name.to_owned())
}

/// The first place where two values differ, with both values.
#[must_use]
pub fn first(ours: &serde_json::Value, theirs: &serde_json::Value, path: &str) -> String {
    use serde_json::Value as V;
    match (ours, theirs) {
        (V::Object(a), V::Object(b)) => {
            for (name, value) in a {
                match b.get(name) {
                    Some(other) if other == value => {}
                    Some(other) => return first(value, other, &format!("{path}/{name}")),
                    None => return format!("{path}/{name}: not expected"),
                }
            }
            let missing = b.keys().find(|name| !a.contains_key(*name));
            format!("{path}/{}: missing", missing.map_or("", String::as_str))
        }
        (V::Array(a), V::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .find(|(_, (a, b))| a != b)
            .map_or_else(String::new, |(n, (a, b))| first(a, b, &format!("{path}/{n}"))),
        _ => format!("{path}: {ours} against {theirs}"),
    }
}
