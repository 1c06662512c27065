//! What an auditor checks who keeps the last head: that the log has grown from it, by tiles alone.

use super::dating::cosigned;
use super::note::{Checkpoint, Note};
use super::policy::Policy;
use super::tile::{Plan, Tile};
use super::tree::{Hash, verify_consistency};
use super::witness::require_signed;
use crate::error::LogFault;
use serde::Serialize;

/// A head that is to be held against an earlier one, and against the tiles of its log.
#[derive(Clone, Debug)]
pub struct Audit {
    old: Option<Checkpoint>,
    new: Checkpoint,
    witnesses: usize,
}

/// What an auditor saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Audited {
    /// Which log.
    pub origin: String,
    /// How many leaves the head before had, if there was one.
    pub old_size: Option<u64>,
    /// How many leaves it has.
    pub size: u64,
    /// How many trusted witnesses have cosigned the head.
    pub witnesses: usize,
}

impl Audit {
    /// Verifies the signatures of a head, and looks at the one that was kept.
    ///
    /// **Shape**: both are notes; the older one was verified when it was kept.
    ///
    /// # Errors
    /// [`LogFault::Note`], [`LogFault::Checkpoint`], [`LogFault::Policy`]; [`LogFault::UnknownOrigin`], [`LogFault::NotSigned`],
    /// [`LogFault::Signature`], [`LogFault::Quorum`]; [`LogFault::Origin`] where the heads are of
    /// two logs, [`LogFault::Shrunk`].
    pub fn of(old: Option<&str>, new: &str, policy: &str) -> Result<Self, LogFault> {
        let policy = Policy::read(policy)?;
        let note = Note::read(new)?;
        let new = Checkpoint::read(note.text())?;
        require_signed(&note, &new, &policy)?;
        let witnesses = cosigned(&note, &policy)?.iter().flatten().count();
        let old = match old {
            None => None,
            Some(old) => Some(Checkpoint::read(Note::read(old)?.text())?),
        };
        if let Some(old) = &old {
            if old.origin != new.origin {
                return Err(LogFault::Origin {
                    found: new.origin,
                    expected: old.origin.clone(),
                });
            }
            if old.size > new.size {
                let (old, new) = (old.size, new.size);
                return Err(LogFault::Shrunk { old, new });
            }
        }
        Ok(Self {
            old,
            new,
            witnesses,
        })
    }

    /// The tiles that are needed.
    #[must_use]
    pub fn tiles(&self) -> Vec<Tile> {
        let mut tiles = Vec::new();
        for plan in self.plans() {
            for tile in plan.tiles() {
                tile.put_into(&mut tiles);
            }
        }
        tiles
    }

    fn plans(&self) -> [Plan; 2] {
        let size = self.new.size;
        let old = self.old.as_ref().map_or(0, |old| old.size);
        [Plan::root(size, size), Plan::consistency(old, size)]
    }

    /// Checks that the tiles are those of the head, and that it has grown from the one before.
    ///
    /// **Shape**: what was fetched, in the order of [`tiles`](Self::tiles).
    ///
    /// # Errors
    /// [`LogFault::NoSuchPart`] where a tile has not the length that its width asks for; [`LogFault::Inclusion`] where they are
    /// not those of the head; [`LogFault::Consistency`].
    pub fn check(&self, tiles: &[Vec<u8>]) -> Result<Audited, LogFault> {
        let wanted = self.tiles();
        let mut read: Vec<(Tile, Vec<Hash>)> = Vec::new();
        for (at, tile) in wanted.iter().enumerate() {
            let bytes = tiles.get(at).map(Vec::as_slice).unwrap_or_default();
            let (hashes, rest) = bytes.as_chunks::<32>();
            if !rest.is_empty() || hashes.len() != usize::from(tile.width) {
                let path = tile.to_string();
                return Err(LogFault::NoSuchPart { path });
            }
            read.push((*tile, hashes.to_vec()));
        }
        let made = |plan: &Plan| -> Result<Vec<Hash>, LogFault> {
            let of_plan: Vec<Vec<Hash>> = plan
                .tiles()
                .iter()
                .filter_map(|tile| read.iter().find(|(other, _)| other == tile))
                .map(|(_, hashes)| hashes.clone())
                .collect();
            plan.made(&of_plan).map_err(|_| LogFault::ProofLength)
        };
        let [root, consistency] = self.plans();
        if made(&root)?.first().unwrap_or(&super::empty_root()) != &self.new.root {
            return Err(LogFault::Inclusion);
        }
        if let Some(old) = &self.old {
            let proof = made(&consistency)?;
            verify_consistency(old.size, &old.root, self.new.size, &self.new.root, &proof)?;
        }
        Ok(Audited {
            origin: self.new.origin.clone(),
            old_size: self.old.as_ref().map(|old| old.size),
            size: self.new.size,
            witnesses: self.witnesses,
        })
    }
}
