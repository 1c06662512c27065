//! The checks of an auditor who keeps the last head: the log has grown from it. Only tiles are needed.

use super::dating::{cosigned, time_of};
use super::note::{Checkpoint, Note};
use super::policy::Policy;
use super::tile::{ProofPlan, Tile};
use super::tree::{Hash, verify_consistency};
use epcis_edge_text::error::LogFault;
use serde::Serialize;

/// A head to be compared with an earlier one, and with the tiles of its log.
#[derive(Clone, Debug)]
pub struct Audit {
    old: Option<Checkpoint>,
    new: Checkpoint,
    /// The witnesses that have cosigned, or the reason why the policy is not satisfied.
    cosigned: Result<Vec<LastCosigned>, LogFault>,
}

/// The result of an audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Audit"))]
#[serde(rename_all = "camelCase")]
pub struct AuditResult {
    /// The origin of the log.
    pub origin: String,
    /// The number of leaves of the previous head, if there is one.
    pub old_size: Option<u64>,
    /// The number of leaves of the new head.
    pub size: u64,
    /// The number of trusted witnesses that have cosigned the head.
    pub witnesses: usize,
    /// These witnesses, with the time at which each says it saw the head.
    pub cosignatures: Vec<LastCosigned>,
}

/// A witness that has cosigned a head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LastCosigned {
    /// The name of the witness in the policy.
    pub name: String,
    /// The time at which it says it saw the head; the latest, if it cosigned several times. Times after the year 9999 become the
    /// last moment of that year.
    pub time: String,
}

/// The witnesses of a policy that have cosigned a head. It is an error if they are too few.
fn last_cosigned(note: &Note<'_>, policy: &Policy) -> Result<Vec<LastCosigned>, LogFault> {
    let times = cosigned(note, policy)?;
    let all = policy.witnesses().iter().zip(times);
    let all = all.filter_map(|(witness, at)| {
        Some(LastCosigned { name: witness.name.clone(), time: time_of(at?.last) })
    });
    Ok(all.collect())
}

/// The way in which a signed head contradicts the previous head, or the tiles that are served.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Contradiction {
    /// The log has signed two histories: neither head is the beginning of the other.
    Fork,
    /// The later head is smaller. It may be an old head, or a fork: the tiles of the larger head show which.
    Smaller,
    /// The tiles do not belong to the head. Tiles are not signed.
    Tiles,
}

impl Contradiction {
    /// The contradiction that a fault of an audit proves. `None` for other faults: a head that the log has not signed proves
    /// nothing.
    #[must_use]
    pub fn of(fault: &LogFault) -> Option<Self> {
        match fault {
            LogFault::Forked(_) | LogFault::Consistency => Some(Self::Fork),
            LogFault::Shrunk { .. } => Some(Self::Smaller),
            LogFault::Inclusion | LogFault::NoSuchPart { .. } => Some(Self::Tiles),
            _ => None,
        }
    }
}

impl Audit {
    /// Verifies the log's signature on a head, and compares the head with the one that was kept.
    ///
    /// [`check`](Self::check) reports whether enough witnesses have cosigned: a fork is a fork even without witnesses.
    ///
    /// **Shape**: both heads are notes. The old one is not verified again, since it was verified when it was kept.
    ///
    /// # Errors
    /// [`LogFault::Note`], [`LogFault::Checkpoint`], [`LogFault::Policy`]; [`LogFault::NotSigned`], [`LogFault::Signature`];
    /// [`LogFault::Origin`] if the heads are of different logs, or the log is not in the policy; [`LogFault::Forked`],
    /// [`LogFault::Shrunk`].
    pub fn of(old: Option<&str>, new: &str, policy: &str) -> Result<Self, LogFault> {
        let policy = Policy::read(policy)?;
        let note = Note::read(new)?;
        let new = Checkpoint::read(note.text())?;
        policy.require_signed(&note, &new)?;
        let cosigned = last_cosigned(&note, &policy);
        let old = old.map(|old| Checkpoint::read(Note::read(old)?.text())).transpose()?;
        if let Some(old) = &old {
            if old.origin != new.origin {
                return Err(LogFault::Origin { found: new.origin, expected: old.origin.clone() });
            }
            if old.size == new.size && old.root != new.root {
                return Err(LogFault::Forked(new.size));
            }
            if old.size > new.size {
                let (old, new) = (old.size, new.size);
                return Err(LogFault::Shrunk { old, new });
            }
        }
        Ok(Self { old, new, cosigned })
    }

    /// The tiles that [`check`](Self::check) needs.
    #[must_use]
    pub fn tiles(&self) -> Vec<Tile> {
        let mut tiles = Vec::new();
        for plan in self.plans() {
            for tile in plan.tiles() {
                tile.add_to(&mut tiles);
            }
        }
        tiles
    }

    fn plans(&self) -> [ProofPlan; 2] {
        let size = self.new.size;
        let old = self.old.as_ref().map_or(0, |old| old.size);
        [ProofPlan::root(size, size), ProofPlan::consistency(old, size)]
    }

    /// Checks that the tiles belong to the head, and that the tree begins with that of the previous head.
    ///
    /// **Shape**: the bytes of the tiles, in the order of [`tiles`](Self::tiles).
    ///
    /// # Errors
    /// [`LogFault::NoSuchPart`] if the length of a tile does not match its width; [`LogFault::Inclusion`] if the tiles do not
    /// belong to the head; [`LogFault::Consistency`]; [`LogFault::Quorum`], and [`LogFault::Signature`] for an invalid
    /// cosignature.
    pub fn check(&self, tiles: &[Vec<u8>]) -> Result<AuditResult, LogFault> {
        let wanted = self.tiles();
        let mut read: Vec<(Tile, Vec<Hash>)> = Vec::new();
        for (at, tile) in wanted.iter().enumerate() {
            let bytes = tiles.get(at).map_or(&[][..], Vec::as_slice);
            let (hashes, rest) = bytes.as_chunks::<32>();
            if !rest.is_empty() || hashes.len() != usize::from(tile.width) {
                let path = tile.to_string();
                return Err(LogFault::NoSuchPart { path });
            }
            read.push((*tile, hashes.to_vec()));
        }
        let hashes = |plan: &ProofPlan| -> Result<Vec<Hash>, LogFault> {
            let of_plan: Vec<Vec<Hash>> = plan
                .tiles()
                .iter()
                .filter_map(|tile| read.iter().find(|(other, _)| other == tile))
                .map(|(_, hashes)| hashes.clone())
                .collect();
            plan.hashes_from(&of_plan).map_err(|_| LogFault::ProofLength)
        };
        let [root, consistency] = self.plans();
        if hashes(&root)?.first().unwrap_or(&super::empty_root()) != &self.new.root {
            return Err(LogFault::Inclusion);
        }
        if let Some(old) = &self.old {
            let proof = hashes(&consistency)?;
            verify_consistency(old.size, &old.root, self.new.size, &self.new.root, &proof)?;
        }
        let cosignatures = self.cosigned.clone()?;
        Ok(AuditResult {
            origin: self.new.origin.clone(),
            old_size: self.old.as_ref().map(|old| old.size),
            size: self.new.size,
            witnesses: cosignatures.len(),
            cosignatures,
        })
    }
}
