//! Compares the published schema of packs with the language as it is read.

use super::mark;
use super::path::Path;
use epcis_edge_document::field::{self, Content, Count, Field};
use serde_json::Value as Json;
use std::collections::BTreeSet;

fn schema() -> Json {
    serde_json::from_str(include_str!("../../../schemas/check-pack.schema.json")).unwrap()
}

#[test]
fn the_schema_has_every_word_of_is() {
    let schema = schema();
    let words = schema["$defs"]["word"]["oneOf"].as_array().unwrap();
    let published: Vec<_> = words.iter().map(|word| word["const"].as_str().unwrap()).collect();
    let known: Vec<_> = mark::words().map(|(name, ..)| name).collect();
    assert_eq!(published, known);
    let bits = mark::words().fold(0, |bits, (name, bit, _)| {
        assert_eq!(bit.count_ones(), 1, "{name}");
        bits | bit
    });
    assert_eq!(bits.count_ones() as usize, mark::words().count(), "each has a bit of its own");
}

/// The paths of a field and of everything in it.
fn paths(above: &str, field: &'static Field, found: &mut BTreeSet<String>) {
    let path = format!("{above}{}", field.name);
    let item = match field.count {
        Count::List(item) | Count::Joined(item) => item,
        _ => field,
    };
    if let Content::Group(group) = item.content {
        for part in group.parts {
            paths(&format!("{path}."), part, found);
        }
        if item.is_typed() {
            found.insert(format!("{path}.{}", item.name));
        }
    }
    found.insert(path);
}

#[test]
fn the_schema_has_every_field() {
    let mut known = BTreeSet::new();
    for field in &field::EVENT {
        paths("", field, &mut known);
    }
    let schema = schema();
    let published = schema["$defs"]["eventField"]["enum"].as_array().unwrap();
    let published: BTreeSet<_> =
        published.iter().map(|path| path.as_str().unwrap().to_owned()).collect();
    assert_eq!(published, known);
    for path in &known {
        assert!(Path::find(path).is_some(), "{path}");
    }
}
