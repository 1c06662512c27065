//! Compares the hashes of two spellings of one event, without computing a digest if the trees are alike.

use super::Engine;
use super::name::{Name, is_excluded};
use super::profile::{Profile, Switches};
use super::reader::{EventReader, Prefixes};
use super::tree::{HashTree, NodeId};
use super::value;
use super::writer::standard;
use crate::field::{EVENT, Field, ValueKind};
use epcis_edge_text::json::Value;

/// The profiles of the standard. The third one exists only for old tools.
const COMPARED: [Profile; 2] = [Profile::Cbv20, Profile::Cbv21];

const SWITCHES: Switches = Profile::Cbv20.switches();

/// Compares pairs of events; reuses its memory for the next pair.
#[derive(Debug, Default)]
pub(crate) struct HashComparison {
    /// The first event, and the second after it.
    pub(crate) tree: HashTree<'static>,
    engines: Option<[Engine; 2]>,
    values: [Vec<u8>; 2],
}

impl HashComparison {
    /// Whether the event in the tree has the same hash as this one.
    pub(crate) fn is_same(&mut self, event: Value<'_>, prefixes: &dyn Prefixes) -> bool {
        // Undeclared prefixes are not refused here; such names stay as written.
        if EventReader::with_prefixes(Some(prefixes), &SWITCHES)
            .read(event, &mut self.tree)
            .is_err()
        {
            return false;
        }
        let second = self.tree.second_event();
        // One comparison serves both profiles: they differ only in where pieces are placed, not in how values are normalised.
        if are_alike(
            &self.tree,
            (NodeId::EVENT, second),
            (&EVENT, ValueKind::Plain),
            &mut self.values,
        ) {
            return true;
        }
        let engines = || COMPARED.map(|profile| Engine::new(profile, 0));
        self.engines.get_or_insert_with(engines).iter_mut().all(|engine| {
            let one = engine.hash_of(&self.tree, NodeId::EVENT);
            let other = engine.hash_of(&self.tree, second);
            matches!((one, other), (Ok(one), Ok(other)) if one == other)
        })
    }
}

/// Whether two nodes have the same values in normal form, and the same children in the same order.
///
/// Alike nodes are written alike. Unlike nodes may still be, once their children are sorted.
fn are_alike(
    tree: &HashTree<'_>,
    (one, other): (NodeId, NodeId),
    (fields, kind): (&'static [Field], ValueKind),
    values: &mut [Vec<u8>; 2],
) -> bool {
    let texts = [tree.text_of(one), tree.text_of(other)];
    if texts[0] != texts[1] && !is_same_value(texts, kind, values) {
        return false;
    }
    // Members that are never hashed may be in any position.
    let is_event = one == NodeId::EVENT;
    let counts =
        |(name, _): &(Name, NodeId)| !is_event || *name == Name::TYPE || !is_excluded(*name);
    let mut here = tree.children(one).filter(counts);
    let mut there = tree.children(other).filter(counts);
    loop {
        match (here.next(), there.next()) {
            (None, None) => return true,
            (Some((name, one)), Some((other_name, other)))
                if tree.names.are_same(name, other_name) =>
            {
                // Most leaves have the same text, and need no normal form.
                if tree.are_same_leaves(one, other) {
                    continue;
                }
                let inner = match standard(tree, name, fields) {
                    Some(field) => (field.members(), field.kind()),
                    None => (&[][..], ValueKind::Plain),
                };
                if !are_alike(tree, (one, other), inner, values) {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

fn is_same_value(texts: [&str; 2], kind: ValueKind, values: &mut [Vec<u8>; 2]) -> bool {
    for (text, value) in texts.into_iter().zip(values.iter_mut()) {
        value.clear();
        if text.is_empty() {
            return false;
        }
        value::push(text, kind, &SWITCHES, value);
    }
    values[0] == values[1]
}
