//! Checks for a mirror, a full copy of a log. Parents come before children, so that each part is checked before it is kept.

use super::audit::signed_head;
use super::note::Checkpoint;
use super::policy::Policy;
use super::tile::{Edge, EntryBundle, TILE_WIDTH, Tile};
use super::tree::{Hash, leaf_hash, root_of};
use crate::error::LogFault;

/// A copy of a log under one head.
///
/// The partial tiles give the root of the head. The hashes of a tile are the roots of the full tiles below it, or the hashes of
/// entries.
///
/// # Example
/// ```
/// use epcis_edge_core::log::{Checkpoint, KeyKind, Mirror, Signer, leaf_hash, signed};
/// let key = Signer::new("example.com/log", KeyKind::Note, &[1; 32])?;
/// let root = leaf_hash(b"entry");
/// let head = Checkpoint { origin: "example.com/log".to_owned(), size: 1, root };
/// let policy = format!("log {}\nquorum none\n", key.key());
/// let mirror = Mirror::of(&signed(&head.text(), &[key]), &policy)?;
/// let edge = mirror.edge();
/// assert_eq!(edge[0].to_string(), "tile/0/000.p/1");
/// mirror.check_edge(&[root.to_vec()])?;
/// let entries = edge[0].entries().expect("a tile of leaves");
/// entries.check(b"\0\x05entry", &root)?;
/// # Ok::<(), epcis_edge_core::error::LogFault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mirror {
    head: Checkpoint,
}

impl Mirror {
    /// A mirror of the log under a signed head.
    ///
    /// # Errors
    /// As [`Audit::of`](super::Audit::of) without an old head.
    pub fn of(head: &str, policy: &str) -> Result<Self, LogFault> {
        let (_, head) = signed_head(head, &Policy::read(policy)?)?;
        Ok(Self { head })
    }

    /// The partial tiles, the lowest first: a mirror begins with these.
    #[must_use]
    pub fn edge(&self) -> Vec<Tile> {
        Tile::edge(self.head.size)
    }

    /// Checks that the tiles of [`edge`](Self::edge), given in that order, give the root of the head.
    ///
    /// # Errors
    /// [`LogFault::NotOfTheLog`] if a tile has the wrong length; [`LogFault::Inclusion`].
    pub fn check_edge(&self, tiles: &[Vec<u8>]) -> Result<(), LogFault> {
        let mut read = Vec::new();
        for (at, tile) in self.edge().iter().enumerate() {
            let bytes = tiles.get(at).map(Vec::as_slice).unwrap_or_default();
            read.push(hashes_of(tile, bytes)?.to_vec());
        }
        let edge = Edge::of(self.head.size, read).map_err(|_| LogFault::Inclusion)?;
        if edge.root() == self.head.root {
            Ok(())
        } else {
            Err(LogFault::Inclusion)
        }
    }
}

impl Tile {
    /// The full tiles one level below, whose roots are the hashes of this tile; empty for a tile of leaves.
    #[must_use]
    pub fn below(&self) -> Vec<Self> {
        let first = self.number.checked_mul(TILE_WIDTH.into());
        let (Some(level), Some(first)) = (self.level.checked_sub(1), first) else {
            return Vec::new();
        };
        (first..)
            .take(self.width.into())
            .map(|number| Self {
                level,
                number,
                width: TILE_WIDTH,
            })
            .collect()
    }

    /// The entries whose hashes are those of this tile; `None` for a tile above the leaves.
    #[must_use]
    pub fn entries(&self) -> Option<EntryBundle> {
        let (number, width) = (self.number, self.width);
        (self.level == 0).then_some(EntryBundle { number, width })
    }

    /// Checks the bytes of this full tile against those of its parent, the tile that has it in [`below`](Self::below).
    ///
    /// # Errors
    /// [`LogFault::NotOfTheLog`].
    pub fn check_below(&self, bytes: &[u8], above: &[u8]) -> Result<(), LogFault> {
        let root = root_of(hashes_of(self, bytes)?);
        let (above, _) = above.as_chunks::<32>();
        let at = usize::try_from(self.number % u64::from(TILE_WIDTH)).ok();
        if at.and_then(|at| above.get(at)) == Some(&root) {
            Ok(())
        } else {
            Err(LogFault::NotOfTheLog {
                path: self.to_string(),
                expected: "hashes that give the one in the tile above",
            })
        }
    }
}

impl EntryBundle {
    /// Checks the bytes of this bundle against those of the tile with its leaf hashes.
    ///
    /// # Errors
    /// [`LogFault::NotOfTheLog`].
    ///
    /// **Source**: C2SP, `tlog-tiles.md`, Log Entries.
    pub fn check(&self, bytes: &[u8], tile: &[u8]) -> Result<(), LogFault> {
        let fault = |expected| LogFault::NotOfTheLog {
            path: self.to_string(),
            expected,
        };
        let (leaves, _) = tile.as_chunks::<32>();
        if leaves.len() != usize::from(self.width) {
            return Err(fault("the tile with its hashes beside it"));
        }
        let mut rest = bytes;
        for leaf in leaves {
            let entry = rest.split_first_chunk::<2>().and_then(|(length, behind)| {
                let length = u16::from_be_bytes(*length);
                behind.split_at_checked(length.into())
            });
            let (entry, behind) = entry.ok_or_else(|| fault("as many entries as leaves"))?;
            if leaf_hash(entry) != *leaf {
                return Err(fault("entries that give the hashes of its tile"));
            }
            rest = behind;
        }
        if rest.is_empty() {
            Ok(())
        } else {
            Err(fault("nothing behind the last entry"))
        }
    }
}

/// The hashes of a tile.
fn hashes_of<'b>(tile: &Tile, bytes: &'b [u8]) -> Result<&'b [Hash], LogFault> {
    match bytes.as_chunks::<32>() {
        (hashes, []) if hashes.len() == usize::from(tile.width) => Ok(hashes),
        _ => Err(LogFault::NotOfTheLog {
            path: tile.to_string(),
            expected: "32 bytes for each of its hashes",
        }),
    }
}
