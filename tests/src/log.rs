//! The Merkle tree of a log, built in the simplest way.

use epcis_edge_core::log::{Hash, root_of};
use std::collections::BTreeMap;

/// All tiles over the leaves, by level and number.
#[must_use]
pub fn tiles(leaves: &[Hash]) -> BTreeMap<(u8, u64), Vec<u8>> {
    let mut tiles = BTreeMap::new();
    let mut hashes = leaves.to_vec();
    for level in 0.. {
        if hashes.is_empty() {
            break;
        }
        let mut above = Vec::new();
        for (number, tile) in (0..).zip(hashes.chunks(256)) {
            tiles.insert((level, number), tile.concat());
            if tile.len() == 256 {
                above.push(root_of(tile));
            }
        }
        hashes = above;
    }
    tiles
}
