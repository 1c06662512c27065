//! The log of a gateway: growing, reading, proofs and cosignatures.

mod check;
mod cosigning;
mod many;
mod orders;
mod served;
mod settings;
mod signing;
mod status;

pub use check::{CheckFault, Checked};
pub use cosigning::Witnesses;
pub use many::{MAX_PROOFS, ProofsPage};
pub use orders::Ordered;
pub use served::{Proven, ServedLog};
pub use settings::{LogSettings, ShownLog};
pub use status::{LogState, LogStatus, WitnessSeen};

use super::Service;
use crate::store::{Extension, Head, HeadCopy, NewLeaf};
use epcis_edge_log::{Checkpoint, Edge, Tile, leaf_of, salts, signed};
use epcis_edge_text::error::{Error, LogFault};

/// The most leaves that one integration adds. Under load an integration takes a second or more, whatever it adds: with 2,000 leaves
/// the log fell behind captures of 6,000 events a second. [`LOGGED_BYTES`](crate::store::LOGGED_BYTES) bounds the memory.
pub const MAX_LEAVES: usize = 8000;

/// The result of an integration.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Integrated {
    /// No log is kept here.
    NoLog,
    /// Every event has its leaf.
    Complete {
        /// How many leaves there are.
        size: u64,
    },
    /// The log has grown; more events may be waiting.
    Grown {
        /// How many leaves there are.
        size: u64,
        /// The error of copying the head, for the log of the service; the head is valid all the same.
        copy: Option<Error>,
    },
    /// Another integration was stored first; the head signed here was discarded.
    Overtaken,
}

impl Service {
    /// The settings of the log.
    ///
    /// # Errors
    /// [`LogFault::NotKept`].
    pub fn log_settings(&self) -> Result<&LogSettings, Error> {
        self.require_log_settings()?;
        let settings = self.configuration.log.as_ref();
        settings.ok_or_else(|| LogFault::NotKept.into())
    }

    /// # Errors
    /// [`LogFault::Misconfigured`].
    fn require_log_settings(&self) -> Result<(), Error> {
        match &self.configuration.log_fault {
            None => Ok(()),
            Some(fault) => Err(LogFault::Misconfigured { fault: fault.clone() }.into()),
        }
    }

    /// The log as the family registry shows it.
    #[must_use]
    pub fn shown_log(&self) -> Option<ShownLog> {
        let log = self.configuration.log.as_ref()?;
        Some(ShownLog {
            origin: log.origin().to_owned(),
            url: log.url.clone(),
            vkeys: log.keys().map(ToString::to_string).collect(),
        })
    }
}

impl Service {
    /// Adds leaves for events that have none, at most [`MAX_LEAVES`], and signs the head over them.
    ///
    /// `entropy` is 32 random bytes for this call alone: the salts are derived from them. The head is signed before it is
    /// stored, and published only afterwards: of two integrations that begin at the same head, only one is stored.
    ///
    /// # Errors
    /// [`LogFault::Halted`]; [`LogFault::OtherLog`]; [`LogFault::Restored`] if the store lacks the head that was signed last; [`LogFault::Statement`];
    /// [`ErrorKind::Internal`](epcis_edge_text::error::ErrorKind::Internal) if the tiles do not match the head; a fault of the storage. Nothing is signed then.
    pub async fn integrate(&self, entropy: [u8; 32]) -> Result<Integrated, Error> {
        let Some(settings) = &self.configuration.log else {
            return Ok(Integrated::NoLog);
        };
        let last = self.store.last_head().await?;
        let size = last.as_ref().map_or(0, |head| head.size);
        self.require_signable(last.as_ref()).await?;
        let unlogged = self.store.unlogged(MAX_LEAVES).await?;
        if unlogged.is_empty() && last.is_some() {
            return Ok(Integrated::Complete { size });
        }
        let tiles = self.store.tiles(&Tile::edge(size)).await?;
        let mut edge = Edge::of(size, tiles)?;
        if last.as_ref().is_some_and(|head| head.root != edge.root()) {
            return Err(Error::impossible("the tiles of the log do not give the root of its head"));
        }
        let mut tiles = Vec::new();
        let mut leaves = Vec::with_capacity(unlogged.len());
        for (event, salt) in unlogged.into_iter().zip(salts(entropy)) {
            let commitment = event.commitment(&salt)?;
            tiles.extend(edge.push(leaf_of(&commitment)));
            leaves.push(NewLeaf { sequence: event.sequence, salt, commitment });
        }
        let checkpoint = Checkpoint {
            origin: settings.origin().to_owned(),
            size: edge.size(),
            root: edge.root(),
        };
        let extension = Extension {
            previous: last.map(|head| head.size),
            leaves,
            tiles,
            head: Head {
                size: checkpoint.size,
                root: checkpoint.root,
                note: signed(&checkpoint.text(), &settings.signers),
                cosignatures: Vec::new(),
                latest: Vec::new(),
            },
        };
        if !self.store.extend(&extension).await? {
            return Ok(Integrated::Overtaken);
        }
        let copy =
            HeadCopy { origin: checkpoint.origin, size: checkpoint.size, root: checkpoint.root };
        Ok(Integrated::Grown {
            size: checkpoint.size,
            copy: self.store.copy_head(&copy).await.err(),
        })
    }
}

fn no_such(path: &str) -> Error {
    let path = path.to_owned();
    LogFault::NoSuchPart { path }.into()
}
