//! The fields of a stored event as leaves of a tree, so that each can be shown alone.
//!
//! A field is a member of the event, or an entry if the member is a list. Every field has its own salt, so a reader of one field
//! cannot test guesses about another.
//!
//! **Source**: RFC 6901 (pointers); RFC 6962, 2.1 (the tree).

use super::keyed::{LeafKeys, Salt};
use super::tree::{Hash, node_hash, root_of, sha256};
use epcis_edge_text::error::LogFault;
use epcis_edge_text::json::{Kind, Value, push_escaped, push_step};
use epcis_edge_text::order::sort_stably_by;
use epcis_edge_text::slice::Known;
use std::fmt::Write as _;

const FIELD: &[u8] = b"epcis-edge/field/v1\n";

/// The leaf hash of a field, from its salt, its pointer and its canonical value.
///
/// A canonical value has no line feed, so the last line feed in the hashed bytes ends the pointer.
pub(super) fn field_leaf(salt: &Salt, pointer: &str, value: &str) -> Hash {
    let (pointer, value) = (pointer.as_bytes(), value.as_bytes());
    sha256(&[&[0], FIELD, salt, pointer, b"\n", value])
}

/// Calls `see` with the pointer and value of each field of an event, in the order in which they are stored.
///
/// # Errors
/// [`LogFault::RepeatedName`] if an object has two members of one name.
pub(super) fn each_field<'d>(
    event: Value<'d>,
    see: &mut dyn FnMut(&str, Value<'d>) -> Result<(), LogFault>,
) -> Result<(), LogFault> {
    if event.has_repeated_names() {
        return Err(LogFault::RepeatedName);
    }
    let mut pointer = String::new();
    for (name, value) in event.members() {
        pointer.clear();
        push_step(&mut pointer, &name.to_cow());
        if value.kind() != Kind::Array {
            see(&pointer, value)?;
            continue;
        }
        let length = pointer.len();
        for (at, entry) in value.elements().enumerate() {
            pointer.truncate(length);
            let _ = write!(pointer, "/{at}");
            see(&pointer, entry)?;
        }
        if pointer.len() == length {
            see(&pointer, value)?;
        }
    }
    Ok(())
}

/// The leaf hashes of all fields of an event.
///
/// # Errors
/// As [`each_field`].
pub(super) fn field_leaves(event: Value<'_>, keys: &LeafKeys) -> Result<Vec<Hash>, LogFault> {
    let mut leaves = Vec::new();
    let mut canonical = String::new();
    each_field(event, &mut |pointer, value| {
        canonical.clear();
        push_canonical(&mut canonical, value);
        leaves.push(field_leaf(&keys.field(pointer), pointer, &canonical));
        Ok(())
    })?;
    Ok(leaves)
}

/// The number of fields of an event, and the root over them.
///
/// # Errors
/// As [`each_field`].
pub(super) fn field_root(event: Value<'_>, keys: &LeafKeys) -> Result<(u64, Hash), LogFault> {
    let leaves = field_leaves(event, keys)?;
    Ok((leaves.len() as u64, root_of(&leaves)))
}

/// All nodes of a tree, level by level from the leaves. With these, the paths of many leaves cost no more than one tree.
pub(super) struct Levels(Vec<Vec<Hash>>);

impl Levels {
    pub(super) fn of(leaves: Vec<Hash>) -> Self {
        let mut levels = vec![leaves];
        while let Some(below) = levels.last().filter(|level| level.len() > 1) {
            let pairs = below.chunks(2).filter_map(|pair| match pair {
                [left, right] => Some(node_hash(left, right)),
                // A node without a sibling moves up unchanged.
                alone => alone.first().copied(),
            });
            levels.push(pairs.collect());
        }
        Self(levels)
    }

    /// The hashes that prove a leaf, its sibling first.
    pub(super) fn path(&self, index: usize) -> Vec<Hash> {
        let mut at = index;
        let mut path = Vec::new();
        for level in &self.0 {
            path.extend(level.get(at ^ 1));
            at >>= 1;
        }
        path
    }
}

/// The number of hashes that prove a leaf among this many, as [`Levels::path`] returns them.
pub(super) fn path_length(mut leaves: usize, mut index: usize) -> usize {
    let mut length = 0;
    while leaves > 1 {
        length += usize::from(index ^ 1 < leaves);
        index >>= 1;
        leaves = leaves.div_ceil(2);
    }
    length
}

/// Appends a value in canonical form: without white space, members sorted by the bytes of their names, strings with as few
/// escapes as possible, numbers as they are written.
pub(super) fn push_canonical(out: &mut String, value: Value<'_>) {
    match value.kind() {
        Kind::Null | Kind::Boolean | Kind::Number => out.push_str(value.source()),
        Kind::String => {
            let text = value.as_text().known();
            match text.plain_text() {
                // Nothing needs an escape, because the JSON reader refuses control characters.
                Some(plain) => {
                    out.push('"');
                    out.push_str(plain);
                    out.push('"');
                }
                None => push_canonical_string(out, &text.to_cow()),
            }
        }
        Kind::Array => {
            out.push('[');
            for (at, entry) in value.elements().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                push_canonical(out, entry);
            }
            out.push(']');
        }
        Kind::Object => {
            let members = value.members();
            let mut members: Vec<_> = members.map(|(name, value)| (name.to_cow(), value)).collect();
            sort_stably_by(&mut members, &|(one, _), (other, _)| one.cmp(other));
            out.push('{');
            for (at, (name, value)) in members.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                push_canonical_string(out, &name);
                out.push(':');
                push_canonical(out, value);
            }
            out.push('}');
        }
    }
}

/// Appends a string with as few escapes as possible.
fn push_canonical_string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    // `push_escaped` does not use the short escapes of these two characters.
    while let Some((plain, behind)) = rest.split_once(['\u{8}', '\u{c}']) {
        push_escaped(out, plain);
        let is_backspace = rest.as_bytes().get(plain.len()) == Some(&8);
        out.push_str(if is_backspace { "\\b" } else { "\\f" });
        rest = behind;
    }
    push_escaped(out, rest);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::verify_inclusion;
    use epcis_edge_text::json::Document;

    #[test]
    fn a_path_is_as_long_as_is_foretold() {
        for count in 1..70 {
            let levels = Levels::of(vec![Hash::default(); count]);
            for at in 0..count {
                assert_eq!(levels.path(at).len(), path_length(count, at), "{at} of {count}");
            }
        }
    }

    #[test]
    fn a_value_has_one_spelling() {
        for (given, expected) in [
            (r#" { "b" : [ 1.50 , -0e+1 ] , "a" : null } "#, r#"{"a":null,"b":[1.50,-0e+1]}"#),
            (r#""\u0041\/\u00e9\n\u0008\f\u001F\"\\""#, r#""A/é\n\b\f\u001f\"\\""#),
            ("\"\\u007f\\ud83d\\ude00\"", "\"\u{7f}\u{1f600}\""),
            // Sorted by the UTF-8 bytes of the unescaped names: UTF-16 order would put U+FFFF after U+1F600.
            (
                r#"{"\ud83d\ude00":1,"\uffff":2,"\u0062":3,"a":4,"":5}"#,
                "{\"\":5,\"a\":4,\"b\":3,\"\u{ffff}\":2,\"\u{1f600}\":1}",
            ),
            (r#"{"\b\f\t":[{},[],""]}"#, r#"{"\b\f\t":[{},[],""]}"#),
        ] {
            let document = Document::read(given.as_bytes()).unwrap();
            let mut out = String::new();
            push_canonical(&mut out, document.root());
            assert_eq!(out, expected);
            // The canonical form of a canonical form is the same, without a line feed.
            let again = Document::read(expected.as_bytes()).unwrap();
            let mut out = String::new();
            push_canonical(&mut out, again.root());
            assert_eq!(out, expected);
            assert!(!out.contains('\n'));
        }
    }

    #[test]
    fn fields_are_members_and_entries_of_lists() {
        let event = r#"{"b":[],"a/~":{"x":[1]},"l":["y",["z"],{}],"":null,"l/0":1}"#;
        let document = Document::read(event.as_bytes()).unwrap();
        let mut seen = Vec::new();
        each_field(document.root(), &mut |pointer, value| {
            let mut canonical = String::new();
            push_canonical(&mut canonical, value);
            seen.push(format!("{pointer} {canonical}"));
            Ok(())
        })
        .unwrap();
        assert_eq!(
            seen,
            [
                "/b []",
                r#"/a~1~0 {"x":[1]}"#,
                r#"/l/0 "y""#,
                r#"/l/1 ["z"]"#,
                "/l/2 {}",
                "/ null",
                "/l~10 1",
            ]
        );
        let twice = Document::read(br#"{"a":{"b":1,"b":1}}"#).unwrap();
        let found = field_leaves(twice.root(), &LeafKeys::new(&[1; 32]));
        assert_eq!(found, Err(LogFault::RepeatedName));
    }

    #[test]
    fn the_paths_of_all_levels_are_those_of_the_tree() {
        for size in 0..70_u8 {
            let leaves: Vec<Hash> = (0..size).map(|at| [at; 32]).collect();
            let root = root_of(&leaves);
            let levels = Levels::of(leaves.clone());
            for (at, leaf) in leaves.iter().enumerate() {
                let path = levels.path(at);
                verify_inclusion(leaf, at as u64, size.into(), &root, &path).unwrap();
            }
        }
    }
}
