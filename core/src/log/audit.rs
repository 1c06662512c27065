//! What an auditor checks who keeps the last head: that the log has grown from it, by tiles alone.

use super::dating::cosigned;
use super::note::{Checkpoint, Note};
use super::policy::Policy;
use super::tile::{Plan, Tile};
use super::tree::{Hash, verify_consistency};
use super::witness::require_signed;
use crate::error::LogFault;
use crate::time::Timestamp;
use serde::Serialize;

/// A head that is to be held against an earlier one, and against the tiles of its log.
#[derive(Clone, Debug)]
pub struct Audit {
    old: Option<Checkpoint>,
    new: Checkpoint,
    /// The witnesses that have cosigned, or why the policy is not met.
    cosigned: Result<Vec<LastCosigned>, LogFault>,
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
    /// Which these are, and when each says that it saw the head.
    pub cosignatures: Vec<LastCosigned>,
}

/// A witness that has cosigned a head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastCosigned {
    /// What the policy calls it.
    pub name: String,
    /// When it says that it saw the head: the latest of its cosignatures. What is later than the year 9999 is its last moment.
    pub time: String,
}

/// The witnesses of a policy that have cosigned a head, if they are enough.
fn last_cosigned(note: &Note<'_>, policy: &Policy) -> Result<Vec<LastCosigned>, LogFault> {
    let times = cosigned(note, policy)?;
    let all = policy.witnesses().iter().zip(times);
    let all = all.filter_map(|(witness, at)| {
        // A witness may say any number.
        let milliseconds = at?.last.saturating_mul(1000);
        let (name, time) = (&witness.name, Timestamp::from_milliseconds(milliseconds));
        let (name, time) = (name.clone(), time.to_string());
        Some(LastCosigned { name, time })
    });
    Ok(all.collect())
}

/// How a head that the log has signed contradicts the head before, or the tiles that are served.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Contradiction {
    /// The log has signed two histories: neither head is the beginning of the other.
    Fork,
    /// The later head is the smaller one. It may be an old one, or a fork: the tiles of the larger one tell.
    Smaller,
    /// The tiles are not those of the head. Nobody has signed them.
    Tiles,
}

impl Contradiction {
    /// What the fault of an audit shows; none for a head that the log has not signed, which shows nothing.
    #[must_use]
    pub fn of(fault: &LogFault) -> Option<Self> {
        match fault {
            LogFault::Forked { .. } | LogFault::Consistency => Some(Self::Fork),
            LogFault::Shrunk { .. } => Some(Self::Smaller),
            LogFault::Inclusion | LogFault::NoSuchPart { .. } => Some(Self::Tiles),
            _ => None,
        }
    }
}

/// Reads a head, and requires that the log has signed it.
pub(super) fn signed_head<'n>(
    note: &'n str,
    policy: &Policy,
) -> Result<(Note<'n>, Checkpoint), LogFault> {
    let note = Note::read(note)?;
    let head = Checkpoint::read(note.text())?;
    match require_signed(&note, &head, policy) {
        Ok(()) => Ok((note, head)),
        // An auditor has no registration to ask for.
        Err(LogFault::UnknownOrigin { origin }) => {
            let names: Vec<_> = policy.logs().iter().map(|log| log.key.name()).collect();
            Err(LogFault::Origin {
                found: origin,
                expected: names.join(" or "),
            })
        }
        Err(fault) => Err(fault),
    }
}

impl Audit {
    /// Verifies the signature of the log on a head, and looks at the head that was kept.
    ///
    /// Whether enough witnesses have cosigned is for [`check`](Self::check) to say: a fork without witnesses is a fork.
    ///
    /// **Shape**: both are notes; the older one was verified when it was kept.
    ///
    /// # Errors
    /// [`LogFault::Note`], [`LogFault::Checkpoint`], [`LogFault::Policy`]; [`LogFault::NotSigned`], [`LogFault::Signature`];
    /// [`LogFault::Origin`] where the heads are of two logs, or the log is not in the policy;
    /// [`LogFault::Forked`], [`LogFault::Shrunk`].
    pub fn of(old: Option<&str>, new: &str, policy: &str) -> Result<Self, LogFault> {
        let policy = Policy::read(policy)?;
        let (note, new) = signed_head(new, &policy)?;
        let cosigned = last_cosigned(&note, &policy);
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
            if old.size == new.size && old.root != new.root {
                return Err(LogFault::Forked { size: new.size });
            }
            if old.size > new.size {
                let (old, new) = (old.size, new.size);
                return Err(LogFault::Shrunk { old, new });
            }
        }
        Ok(Self { old, new, cosigned })
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
    /// not those of the head; [`LogFault::Consistency`]; [`LogFault::Quorum`], and a cosignature that does not hold.
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
        let cosignatures = self.cosigned.clone()?;
        Ok(Audited {
            origin: self.new.origin.clone(),
            old_size: self.old.as_ref().map(|old| old.size),
            size: self.new.size,
            witnesses: cosignatures.len(),
            cosignatures,
        })
    }
}
