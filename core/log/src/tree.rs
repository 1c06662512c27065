//! The Merkle tree: hashes of leaves and nodes, the subtrees that proofs consist of, and the verification of both kinds of
//! proofs.
//!
//! **Source**: RFC 6962, 2.1 (definitions); RFC 9162, 2.1.3.2 and 2.1.4.2 (verification).

use epcis_edge_text::error::LogFault;
use sha2::{Digest as _, Sha256};
use std::ops::Range;

/// A hash of the tree: SHA-256.
pub type Hash = [u8; 32];

/// The maximum number of hashes in a proof.
pub const MAX_PROOF: usize = 63;

/// SHA-256 over several pieces.
#[inline(never)]
pub(super) fn sha256(pieces: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new();
    for piece in pieces {
        hasher.update(piece);
    }
    hasher.finalize().into()
}

/// The hash of a leaf with this entry.
#[must_use]
pub fn leaf_hash(entry: &[u8]) -> Hash {
    sha256(&[&[0], entry])
}

/// The hash of a node over two others.
#[must_use]
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    sha256(&[&[1], left, right])
}

/// The root of the tree without leaves.
///
/// # Example
/// ```
/// assert_eq!(epcis_edge_log::empty_root()[..4], [0xe3, 0xb0, 0xc4, 0x42]);
/// ```
#[must_use]
pub fn empty_root() -> Hash {
    sha256(&[])
}

/// The root over the hashes of leaves, or over those of subtrees of equal size.
#[must_use]
pub fn root_of(hashes: &[Hash]) -> Hash {
    // A stack of perfect subtrees from left to right, each at most half as large as the one before: at most 64.
    let mut stack: Vec<(u32, Hash)> = Vec::new();
    for hash in hashes {
        let (mut height, mut hash) = (0, *hash);
        while let Some((_, left)) = stack.pop_if(|(other, _)| *other == height) {
            hash = node_hash(&left, &hash);
            height += 1;
        }
        stack.push((height, hash));
    }
    fold(stack.into_iter().map(|(_, hash)| hash).collect())
}

/// The root over perfect subtrees, given with the largest first.
pub(super) fn fold(mut subtrees: Vec<Hash>) -> Hash {
    let Some(mut root) = subtrees.pop() else { return empty_root() };
    while let Some(left) = subtrees.pop() {
        root = node_hash(&left, &root);
    }
    root
}

/// The largest power of two below a number of at least 2.
fn split(size: u64) -> u64 {
    1 << (63 - (size - 1).leading_zeros())
}

/// The ranges of leaves whose roots prove a leaf, the leaf's sibling first.
pub(super) fn inclusion(index: u64, size: u64) -> Vec<Range<u64>> {
    let (mut start, mut end) = (0, size);
    let mut spans = Vec::new();
    while end - start > 1 {
        let middle = start + split(end - start);
        if index < middle {
            spans.push(middle..end);
            end = middle;
        } else {
            spans.push(start..middle);
            start = middle;
        }
    }
    spans.reverse();
    spans
}

/// The ranges of leaves whose roots prove that a tree is the beginning of another. Neither tree may be empty.
pub(super) fn consistency(old: u64, new: u64) -> Vec<Range<u64>> {
    let (mut start, mut end) = (0, new);
    let mut spans = Vec::new();
    while end > old {
        let middle = start + split(end - start);
        if old <= middle {
            spans.push(middle..end);
            end = middle;
        } else {
            spans.push(start..middle);
            start = middle;
        }
    }
    // If `start` is 0, this range is the whole old tree, whose root the verifier has.
    if start > 0 {
        spans.push(start..end);
    }
    spans.reverse();
    spans
}

/// Splits a range of a proof into perfect subtrees, the largest first. Each is given by its height, and its number among the
/// subtrees of that height.
pub(super) fn subtrees(span: Range<u64>) -> impl Iterator<Item = (u32, u64)> {
    let mut start = span.start;
    std::iter::from_fn(move || {
        let left = span.end.checked_sub(start).filter(|left| *left > 0)?;
        let height = 63 - left.leading_zeros();
        let subtree = (height, start >> height);
        start += 1 << height;
        Some(subtree)
    })
}

/// Verifies that a leaf is in a tree.
///
/// # Errors
/// [`LogFault::Index`], [`LogFault::ProofLength`], [`LogFault::Inclusion`].
///
/// **Source**: RFC 9162, 2.1.3.2.
pub fn verify_inclusion(
    leaf: &Hash,
    index: u64,
    size: u64,
    root: &Hash,
    proof: &[Hash],
) -> Result<(), LogFault> {
    if inclusion_root(leaf, index, size, proof)? == *root {
        Ok(())
    } else {
        Err(LogFault::Inclusion)
    }
}

/// The root computed from a leaf and the hashes of its proof.
///
/// # Errors
/// [`LogFault::Index`], [`LogFault::ProofLength`].
pub(super) fn inclusion_root(
    leaf: &Hash,
    index: u64,
    size: u64,
    proof: &[Hash],
) -> Result<Hash, LogFault> {
    if index >= size {
        return Err(LogFault::Index { index, size });
    }
    let mut walk = Walk { first: index, second: size - 1 };
    let mut found = *leaf;
    for hash in proof {
        found = if walk.step()? { node_hash(hash, &found) } else { node_hash(&found, hash) };
    }
    walk.end()?;
    Ok(found)
}

/// Verifies that a tree is the beginning of another; every tree begins with the empty one.
///
/// # Errors
/// [`LogFault::Shrunk`], [`LogFault::ProofLength`], [`LogFault::Consistency`].
///
/// **Source**: RFC 9162, 2.1.4.2.
pub fn verify_consistency(
    old: u64,
    old_root: &Hash,
    new: u64,
    new_root: &Hash,
    proof: &[Hash],
) -> Result<(), LogFault> {
    if old > new {
        return Err(LogFault::Shrunk { old, new });
    }
    let equal = |is_equal: bool| {
        if is_equal { Ok(()) } else { Err(LogFault::Consistency) }
    };
    if old == 0 || old == new {
        let is_new = old == new;
        return match proof {
            [] if is_new => equal(old_root == new_root),
            [] => equal(*old_root == empty_root()),
            _ => Err(LogFault::ProofLength),
        };
    }
    let mut hashes = proof.iter();
    let seed = if old.is_power_of_two() {
        *old_root
    } else {
        *hashes.next().ok_or(LogFault::ProofLength)?
    };
    let shift = (old - 1).trailing_ones();
    let mut walk = Walk { first: (old - 1) >> shift, second: (new - 1) >> shift };
    let (mut old_found, mut new_found) = (seed, seed);
    for hash in hashes {
        if walk.step()? {
            old_found = node_hash(hash, &old_found);
            new_found = node_hash(hash, &new_found);
        } else {
            new_found = node_hash(&new_found, hash);
        }
    }
    walk.end()?;
    equal(old_found == *old_root && new_found == *new_root)
}

/// The walk from a leaf to the root, as in RFC 9162 (`fn` and `sn` there).
struct Walk {
    first: u64,
    second: u64,
}

impl Walk {
    /// Goes one level up. Returns whether the next hash is joined on the left of the hash so far.
    fn step(&mut self) -> Result<bool, LogFault> {
        if self.second == 0 {
            return Err(LogFault::ProofLength);
        }
        let is_left = self.first & 1 == 1 || self.first == self.second;
        if is_left && self.first & 1 == 0 {
            // On these levels the last subtree has no sibling.
            let alone = self.first.trailing_zeros().min(63);
            self.first >>= alone;
            self.second >>= alone;
        }
        self.first >>= 1;
        self.second >>= 1;
        Ok(is_left)
    }

    fn end(&self) -> Result<(), LogFault> {
        if self.second == 0 { Ok(()) } else { Err(LogFault::ProofLength) }
    }
}
