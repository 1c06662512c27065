//! Tiles: the tree in pieces of 256 hashes, which never change once they are full; and proofs computed from tiles.
//!
//! **Source**: C2SP, `tlog-tiles.md`.

use super::tree::{self, Hash};
use epcis_edge_text::error::Error;
use std::fmt;
use std::ops::{Range, RangeInclusive};

/// The number of hashes in a full tile.
pub const TILE_WIDTH: u16 = 256;

/// The highest level that a tile can have.
const MAX_LEVEL: u8 = 63;

/// A tile of a tree. Its hash `i` is the root over `256^level` leaves, from leaf `(number * 256 + i) * 256^level` on.
///
/// **Shape**: printed as the path of `tlog-tiles.md`, from `tile/` on.
///
/// # Example
/// ```
/// use epcis_edge_log::Tile;
/// let tile = Tile { level: 0, number: 1_234_067, width: 256 };
/// assert_eq!(tile.to_string(), "tile/0/x001/x234/067");
/// assert_eq!(Tile::named("0/x001/x234/067"), Some(tile));
/// assert_eq!(Tile::named("0/000.p/256"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tile {
    /// The level; level 0 has the leaf hashes.
    pub level: u8,
    /// The number of the tile within its level.
    pub number: u64,
    /// The number of hashes, 1 to 256.
    pub width: u16,
}

/// A bundle of entries: those of the leaves in a tile of level 0.
///
/// **Shape**: printed as the path of `tlog-tiles.md`, from `tile/` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryBundle {
    /// The number of the bundle.
    pub number: u64,
    /// The number of entries, 1 to 256.
    pub width: u16,
}

impl Tile {
    /// Parses a path after `tile/`; `None` unless it is the canonical path of a tile.
    #[must_use]
    pub fn named(path: &str) -> Option<Self> {
        let (level, rest) = path.split_once('/')?;
        let level = decimal(level)?;
        let level = u8::try_from(level).ok().filter(|level| *level <= MAX_LEVEL)?;
        let (number, width) = place(rest)?;
        Some(Self { level, number, width })
    }

    /// The sizes of the trees in which the tile has this width. A full tile stays in all larger trees; a partial one lasts until
    /// it gets another hash. `None` if no tree can be so large.
    #[must_use]
    pub fn sizes(&self) -> Option<RangeInclusive<u64>> {
        let shift = 8 * u32::from(self.level);
        let hashes = self.number.checked_mul(u64::from(TILE_WIDTH))?;
        let hashes = hashes.checked_add(self.width.into())?;
        let first = hashes.checked_mul(1_u64.checked_shl(shift)?)?;
        if self.width == TILE_WIDTH {
            return Some(first..=u64::MAX);
        }
        let next = hashes.checked_add(1)?;
        let last = next.checked_mul(1_u64.checked_shl(shift)?)?.checked_sub(1)?;
        Some(first..=last)
    }

    /// The tile with this level and number in a tree, with its width there; `None` if the tree has no such tile.
    #[must_use]
    pub fn of(level: u8, number: u64, size: u64) -> Option<Self> {
        let first = number.checked_mul(u64::from(TILE_WIDTH))?;
        let width = hashes_at(level, size).checked_sub(first)?;
        let width = u16::try_from(width.min(TILE_WIDTH.into())).ok()?;
        (width > 0).then_some(Self { level, number, width })
    }

    /// Inserts the tile into a sorted list, unless it is there. The lists are short.
    pub(super) fn add_to(self, tiles: &mut Vec<Self>) {
        let at = tiles.iter().position(|other| *other >= self);
        match at.and_then(|at| tiles.get(at)) {
            Some(other) if *other == self => {}
            _ => tiles.insert(at.unwrap_or(tiles.len()), self),
        }
    }

    /// The partial tiles of a tree, the lowest level first. The tree grows from these.
    #[must_use]
    pub fn edge(size: u64) -> Vec<Self> {
        let levels = 0..=7;
        levels
            .filter_map(|level| {
                let number = hashes_at(level, size) / u64::from(TILE_WIDTH);
                Self::of(level, number, size)
            })
            .collect()
    }
}

/// The number of hashes of a level in a tree of this size.
fn hashes_at(level: u8, size: u64) -> u64 {
    size.checked_shr(8 * u32::from(level)).unwrap_or(0)
}

impl EntryBundle {
    /// Parses a path after `tile/entries/`.
    #[must_use]
    pub fn named(path: &str) -> Option<Self> {
        let (number, width) = place(path)?;
        Some(Self { number, width })
    }

    /// The leaves whose entries are in the bundle.
    #[must_use]
    pub fn leaves(&self) -> Option<Range<u64>> {
        let start = self.number.checked_mul(u64::from(TILE_WIDTH))?;
        Some(start..start.checked_add(self.width.into())?)
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tile/{}/", self.level)?;
        print(f, self.number, self.width)
    }
}

impl fmt::Display for EntryBundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tile/entries/")?;
        print(f, self.number, self.width)
    }
}

fn print(f: &mut fmt::Formatter<'_>, number: u64, width: u16) -> fmt::Result {
    let mut groups = vec![number % 1000];
    let mut rest = number / 1000;
    while rest > 0 {
        groups.push(rest % 1000);
        rest /= 1000;
    }
    for (place, group) in groups.iter().enumerate().rev() {
        match place {
            0 => write!(f, "{group:03}")?,
            _ => write!(f, "x{group:03}/")?,
        }
    }
    if width == TILE_WIDTH { Ok(()) } else { write!(f, ".p/{width}") }
}

/// Parses a decimal number without leading zeros.
pub(crate) fn decimal(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let has_zeros = text.len() > 1 && text.starts_with('0');
    if is_plain && !has_zeros { text.parse().ok() } else { None }
}

/// Parses a number in groups of three digits, and a width.
fn place(path: &str) -> Option<(u64, u16)> {
    let (number, width) = match path.split_once(".p/") {
        None => (path, TILE_WIDTH),
        Some((number, width)) => {
            let width = u16::try_from(decimal(width)?).ok()?;
            let is_partial = (1..TILE_WIDTH).contains(&width);
            (number, is_partial.then_some(width)?)
        }
    };
    let parts = number.rsplit_once('/').map(|(above, last)| (Some(above), last));
    let (above, last) = parts.unwrap_or((None, number));
    let group = |text: &str| -> Option<u64> {
        let is_group = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_group { text.parse().ok() } else { None }
    };
    let mut found: u64 = 0;
    for text in above.into_iter().flat_map(|above| above.split('/')) {
        let value = group(text.strip_prefix('x')?)?;
        // No leading group of zeros, so that every number has one spelling.
        if found == 0 && value == 0 {
            return None;
        }
        found = found.checked_mul(1000)?.checked_add(value)?;
    }
    let number = found.checked_mul(1000)?.checked_add(group(last)?)?;
    Some((number, width))
}

/// A plan for a proof: first the tiles that it needs, then its hashes from these tiles.
///
/// # Example
/// ```
/// use epcis_edge_log::{ProofPlan, Tile, node_hash};
/// let leaves = [[1; 32], [2; 32], [3; 32]];
/// let plan = ProofPlan::inclusion(2, 3);
/// assert_eq!(plan.tiles(), [Tile { level: 0, number: 0, width: 3 }]);
/// let proof = plan.hashes_from(&[leaves.to_vec()])?;
/// assert_eq!(proof, [node_hash(&leaves[0], &leaves[1])]);
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProofPlan {
    size: u64,
    spans: Vec<Range<u64>>,
}

impl ProofPlan {
    /// Plans a proof that the leaf at an index is in a tree.
    #[must_use]
    pub fn inclusion(index: u64, size: u64) -> Self {
        Self { size, spans: tree::inclusion(index.min(size.saturating_sub(1)), size) }
    }

    /// Plans a proof that a tree is the beginning of another, which is at least as large.
    #[must_use]
    pub fn consistency(old: u64, new: u64) -> Self {
        let spans = if old == 0 { Vec::new() } else { tree::consistency(old.min(new), new) };
        Self { size: new, spans }
    }

    /// Plans the root over the first `of` leaves of a tree: one hash.
    #[must_use]
    pub fn root(of: u64, size: u64) -> Self {
        let of = of.min(size);
        let whole = 0..of;
        Self { size, spans: vec![whole] }
    }

    /// The tiles that the proof needs, each once, the lowest first.
    #[must_use]
    pub fn tiles(&self) -> Vec<Tile> {
        let mut tiles = Vec::new();
        for (height, number) in self.subtrees() {
            let (level, first, _) = in_tiles(height, number);
            if let Some(tile) = Tile::of(level, first / u64::from(TILE_WIDTH), self.size) {
                tile.add_to(&mut tiles);
            }
        }
        tiles
    }

    /// The hashes of the proof, given the hashes of [`tiles`](Self::tiles), in that order.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`](epcis_edge_text::error::ErrorKind::Internal) if a tile has too few hashes.
    pub fn hashes_from(&self, tiles: &[Vec<Hash>]) -> Result<Vec<Hash>, Error> {
        let wanted = self.tiles();
        let hash = |(height, number)| -> Option<Hash> {
            let (level, first, count) = in_tiles(height, number);
            let number = first / u64::from(TILE_WIDTH);
            let mut known = wanted.iter().zip(tiles);
            let (_, tile) = known.find(|(tile, _)| (tile.level, tile.number) == (level, number))?;
            let start = usize::try_from(first % u64::from(TILE_WIDTH)).ok()?;
            tile.get(start..start + count).map(tree::root_of)
        };
        let missing = || Error::impossible("a tile of the log has fewer hashes than the tree");
        self.spans
            .iter()
            .map(|span| {
                let hashes: Option<Vec<Hash>> = tree::subtrees(span.clone()).map(hash).collect();
                hashes.map(tree::fold).ok_or_else(missing)
            })
            .collect()
    }

    fn subtrees(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.spans.iter().cloned().flat_map(tree::subtrees)
    }
}

/// The position of a perfect subtree in tiles: the level, the index of its first hash in that level, and the number of hashes.
fn in_tiles(height: u32, number: u64) -> (u8, u64, usize) {
    let inner = height % 8;
    ((height / 8) as u8, number << inner, 1 << inner)
}

/// A tile that has just become full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullTile {
    /// The level.
    pub level: u8,
    /// The number of the tile within its level.
    pub number: u64,
    /// The 256 hashes.
    pub hashes: Vec<Hash>,
    /// The root over the hashes, which is a hash of the next level.
    pub root: Hash,
}

/// The right edge of a tree: all that is needed to append leaves.
///
/// # Example
/// ```
/// use epcis_edge_log::{Edge, root_of};
/// let leaves: Vec<_> = (0..=255).map(|byte| [byte; 32]).collect();
/// let mut edge = Edge::of(0, Vec::new())?;
/// let full: Vec<_> = leaves.iter().flat_map(|leaf| edge.push(*leaf)).collect();
/// assert_eq!(full[0].hashes, leaves);
/// assert_eq!(edge.root(), root_of(&leaves));
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Edge {
    size: u64,
    /// The hashes of the partial tiles, by level.
    levels: Vec<Vec<Hash>>,
}

impl Edge {
    /// The edge of a tree of this size, from the hashes of the tiles of [`Tile::edge`], in that order.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`](epcis_edge_text::error::ErrorKind::Internal) if a tile does not have the right number of hashes.
    pub fn of(size: u64, tiles: Vec<Vec<Hash>>) -> Result<Self, Error> {
        let mut levels: Vec<Vec<Hash>> = Vec::new();
        let wanted = Tile::edge(size);
        let fits = wanted.len() == tiles.len()
            && wanted
                .iter()
                .zip(&tiles)
                .all(|(tile, hashes)| usize::from(tile.width) == hashes.len());
        if !fits {
            return Err(Error::impossible(format!(
                "the right edge of the log of {size} leaves is not whole"
            )));
        }
        for (tile, hashes) in wanted.iter().zip(tiles) {
            levels.resize_with(usize::from(tile.level), Vec::new);
            levels.push(hashes);
        }
        Ok(Self { size, levels })
    }

    /// The number of leaves.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Appends the hash of a leaf. Returns the tiles that became full.
    pub fn push(&mut self, leaf: Hash) -> Vec<FullTile> {
        self.size += 1;
        let mut full = Vec::new();
        let mut hash = leaf;
        for level in 0..=7_u8 {
            let at = usize::from(level);
            if self.levels.len() == at {
                self.levels.push(Vec::new());
            }
            let Some(hashes) = self.levels.get_mut(at) else { break };
            hashes.push(hash);
            if hashes.len() < usize::from(TILE_WIDTH) {
                break;
            }
            let hashes = std::mem::take(hashes);
            hash = tree::root_of(&hashes);
            full.push(FullTile {
                level,
                number: hashes_at(level + 1, self.size) - 1,
                hashes,
                root: hash,
            });
        }
        full
    }

    /// The root of the tree.
    #[must_use]
    pub fn root(&self) -> Hash {
        let mut subtrees = Vec::new();
        for hashes in self.levels.iter().rev() {
            let count = hashes.len() as u64;
            for (height, number) in tree::subtrees(0..count) {
                let (start, end) = ((number << height) as usize, ((number + 1) << height) as usize);
                subtrees.extend(hashes.get(start..end).map(tree::root_of));
            }
        }
        tree::fold(subtrees)
    }
}
