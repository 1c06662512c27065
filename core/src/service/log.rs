//! The log of a gateway: grown, shown, proved from, and cosigned; and the gateway as a witness of others.

mod check;
mod cosigning;
mod many;
mod orders;
mod settings;
mod status;
mod witness;

pub use check::{CheckFault, Checked};
pub use cosigning::Witnesses;
pub use many::{MAX_PROOFS, ProofsPage};
pub use orders::Ordered;
pub use settings::{LogSettings, ShownLog, ShownWitness, WitnessSettings};
pub use status::{LogState, LogStatus, WitnessSeen};

use super::Service;
use crate::call::Call;
use crate::digits::to_hex;
use crate::error::{Error, ErrorKind, LogFault};
use crate::json::{Document, Value};
use crate::log::{
    Checkpoint, Edge, EntryBundle, Hash, Note, Plan, Policy, Proof, Receipt, Salts,
    Statement as Stated, Tile, entry, leaf_of, signed, verify_inclusion,
};
use crate::query::{Order, Query};
use crate::store::{Extension, Halt, Head, HeadCopy, Leaf, NewLeaf, Selection, Store};
use serde::Serialize;

/// How many leaves one integration makes.
pub const MAX_LEAVES: usize = 2000;

/// How many events of a name are looked at.
const LOOKED_AT: usize = 200;

/// What one integration did.
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
    /// The log has grown; there may be more.
    Grown {
        /// How many leaves there are.
        size: u64,
        /// What went wrong when the head was copied, for the log of the service; the head stands all the same.
        copy: Option<Error>,
    },
    /// Somebody else was first: nothing was signed here.
    Overtaken,
}

/// An event with its proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Proven {
    /// The `eventID`.
    #[serde(rename = "eventID")]
    pub event_id: String,
    /// The log.
    pub origin: String,
    /// The leaf, counted from 0.
    pub index: u64,
    /// How many leaves the checkpoint is over.
    pub size: u64,
    /// The salt of the leaf: 64 lower-case hexadecimal digits.
    pub salt: String,
    /// The statement that the leaf commits to.
    pub statement: String,
    /// The proof, as a `.tlog-proof`.
    pub proof: String,
    /// The same as a COSE receipt (RFC 9942).
    #[serde(skip)]
    pub receipt: Vec<u8>,
    /// What the gateway says whom to believe: worth no more than its word, until it was compared with a policy that was had
    /// elsewhere.
    pub policy: String,
}

fn internal(detail: &str) -> Error {
    Error::new(ErrorKind::Internal {
        detail: detail.to_owned(),
    })
}

impl<S> Service<S> {
    /// What the deployment set for its log.
    ///
    /// # Errors
    /// [`LogFault::NotKept`].
    pub fn log_settings(&self) -> Result<&LogSettings, Error> {
        self.require_log_settings()?;
        let settings = self.configuration.log.as_ref();
        settings.ok_or_else(|| {
            LogFault::NotKept {
                what: "keeps no log",
            }
            .into()
        })
    }

    /// # Errors
    /// [`LogFault::Misconfigured`].
    fn require_log_settings(&self) -> Result<(), Error> {
        match &self.configuration.log_fault {
            None => Ok(()),
            Some(fault) => Err(LogFault::Misconfigured {
                fault: fault.clone(),
            }
            .into()),
        }
    }

    fn witness_settings(&self) -> Result<&WitnessSettings, Error> {
        self.require_log_settings()?;
        let settings = self.configuration.witness.as_ref();
        settings.ok_or_else(|| {
            LogFault::NotKept {
                what: "is no witness",
            }
            .into()
        })
    }

    /// The log and the witness, as the registry of the family shows them.
    #[must_use]
    pub fn shown_log(&self) -> (Option<ShownLog>, Option<ShownWitness>) {
        let log = self.configuration.log.as_ref().map(|log| ShownLog {
            origin: log.origin().to_owned(),
            url: log.url.clone(),
            vkeys: log.keys().map(ToString::to_string).collect(),
        });
        let witness = self.configuration.witness.as_ref();
        let witness = witness.map(|witness| ShownWitness {
            url: witness.url.clone(),
            vkey: witness.key().to_string(),
        });
        (log, witness)
    }
}

impl<S: Store> Service<S> {
    /// Gives leaves to events that have none, at most [`MAX_LEAVES`], and signs the head over them.
    ///
    /// `entropy` is 32 random bytes that serve this call alone: the salts are made of them. The head is signed before it is
    /// stored and shown to nobody before that: of two integrations that begin at one head one alone is stored.
    ///
    /// # Errors
    /// [`LogFault::Halted`]; [`LogFault::Restored`] where the store has not the head that was signed last; [`LogFault::Statement`];
    /// [`ErrorKind::Internal`] where tiles and head do not fit each other; a fault of the storage. Nothing is signed then.
    pub async fn integrate(&self, entropy: [u8; 32]) -> Result<Integrated, Error> {
        let Some(settings) = &self.configuration.log else {
            return Ok(Integrated::NoLog);
        };
        let last = self.store.last_head().await?;
        let size = last.as_ref().map_or(0, |head| head.size);
        self.require_signing().await?;
        self.require_unforked(last.as_ref()).await?;
        let unlogged = self.store.unlogged(MAX_LEAVES).await?;
        if unlogged.is_empty() && last.is_some() {
            return Ok(Integrated::Complete { size });
        }
        let tiles = self.store.tiles(&Tile::edge(size)).await?;
        let mut edge = Edge::of(size, tiles)?;
        if last.as_ref().is_some_and(|head| head.root != edge.root()) {
            return Err(internal(
                "the tiles of the log do not give the root of its head",
            ));
        }
        let mut tiles = Vec::new();
        let mut leaves = Vec::with_capacity(unlogged.len());
        for (event, salt) in unlogged.into_iter().zip(Salts::new(entropy)) {
            let commitment = event.commitment(&salt)?;
            tiles.extend(edge.push(leaf_of(&commitment)));
            leaves.push(NewLeaf {
                sequence: event.sequence,
                salt,
                commitment,
            });
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
        let copy = HeadCopy {
            size: checkpoint.size,
            root: checkpoint.root,
        };
        Ok(Integrated::Grown {
            size: checkpoint.size,
            copy: self.store.copy_head(&copy).await.err(),
        })
    }

    /// # Errors
    /// [`LogFault::Halted`] until an operator says that the log may go on.
    async fn require_signing(&self) -> Result<(), Error> {
        match self.store.last_halt().await? {
            Some(Halt {
                begun,
                reason,
                ended: None,
            }) => Err(LogFault::Halted { begun, reason }.into()),
            _ => Ok(()),
        }
    }

    /// # Errors
    /// [`LogFault::Restored`] where the head that was copied last is not among those of the store.
    async fn require_unforked(&self, last: Option<&Head>) -> Result<(), Error> {
        let Some(copy) = self.store.head_copy().await? else {
            return Ok(());
        };
        let is_last = last.is_some_and(|head| head.size == copy.size && head.root == copy.root);
        if is_last {
            return Ok(());
        }
        let kept = self.store.head(copy.size).await?;
        if kept.is_some_and(|head| head.root == copy.root) {
            return Ok(());
        }
        Err(LogFault::Restored {
            signed: copy.size,
            found: last.map_or(0, |head| head.size),
        }
        .into())
    }

    /// The hashes of a proof, by the tiles that it needs.
    async fn proof(&self, plan: &Plan) -> Result<Vec<Hash>, Error> {
        let tiles = plan.tiles();
        if tiles.is_empty() {
            return plan.made(&[]);
        }
        plan.made(&self.store.tiles(&tiles).await?)
    }

    /// The newest checkpoint, with the latest cosignature of each witness.
    ///
    /// # Errors
    /// [`LogFault::NotKept`], [`LogFault::NoSuchPart`] before the first; a fault of the storage.
    pub async fn checkpoint(&self) -> Result<String, Error> {
        self.log_settings()?;
        let head = self.store.last_head().await?;
        let head = head.ok_or_else(|| no_such("checkpoint"))?;
        Ok(head.fresh())
    }

    /// A tile: 32 bytes a hash.
    ///
    /// **Shape**: the path behind `/log/tile/`. A tile that is not full is there where a head was signed that needs it.
    ///
    /// # Errors
    /// [`LogFault::NotKept`], [`LogFault::NoSuchPart`]; a fault of the storage.
    pub async fn tile(&self, path: &str) -> Result<Vec<u8>, Error> {
        self.log_settings()?;
        let missing = || no_such(&format!("tile/{path}"));
        let tile = Tile::named(path).ok_or_else(missing)?;
        self.require_head(&tile, missing).await?;
        let hashes = self.store.tiles(&[tile]).await?.pop().unwrap_or_default();
        if hashes.len() != usize::from(tile.width) {
            return Err(internal("a tile has fewer hashes than its head"));
        }
        Ok(hashes.concat())
    }

    /// The entries of the leaves of a tile, each behind its length in two bytes, the higher first.
    ///
    /// **Shape**: the path behind `/log/tile/entries/`.
    ///
    /// # Errors
    /// As [`tile`](Self::tile).
    pub async fn entries(&self, path: &str) -> Result<Vec<u8>, Error> {
        self.log_settings()?;
        let missing = || no_such(&format!("tile/entries/{path}"));
        let bundle = EntryBundle::named(path).ok_or_else(missing)?;
        let leaves = bundle.leaves().ok_or_else(missing)?;
        let tile = Tile {
            level: 0,
            number: bundle.number,
            width: bundle.width,
        };
        self.require_head(&tile, missing).await?;
        let commitments = self.store.commitments(leaves).await?;
        if commitments.len() != usize::from(bundle.width) {
            return Err(internal("the log has fewer leaves than its head"));
        }
        let mut bytes = Vec::new();
        for commitment in &commitments {
            let entry = entry(commitment);
            bytes.extend_from_slice(&(entry.len() as u16).to_be_bytes());
            bytes.extend_from_slice(&entry);
        }
        Ok(bytes)
    }

    /// Requires a head that has the tile, and that needs it where the tile is not full.
    async fn require_head(&self, tile: &Tile, missing: impl Fn() -> Error) -> Result<(), Error> {
        let sizes = tile.sizes().ok_or_else(&missing)?;
        if self.store.has_head(sizes).await? {
            Ok(())
        } else {
            Err(missing())
        }
    }

    /// The proof of an event of a name: of the event itself, or of one of its error declarations, counted from 1.
    ///
    /// The name is an `eventID`, or the hash of an event as it was sent.
    ///
    /// # Errors
    /// [`LogFault::NotKept`]; [`ErrorKind::Forbidden`] without the right to query; [`ErrorKind::NoSuchEvent`] where none is in
    /// scope; [`LogFault::NotYetLogged`], [`LogFault::Muted`]; [`LogFault::Halted`], since nobody can say what a log that was set back
    /// proves; a fault of the storage.
    pub async fn prove(
        &self,
        event_id: &str,
        declaration: Option<usize>,
        call: &Call,
    ) -> Result<Proven, Error> {
        let settings = self.log_settings()?;
        call.principal.require_query()?;
        self.require_signing().await?;
        let ((event, leaf), last) = self.leaf_of(event_id, declaration, call).await?;
        let event_id = || event_id.to_owned();
        let leaf = leaf.ok_or_else(|| {
            let event_id = event_id();
            LogFault::NotYetLogged { event_id }
        })?;
        let salt = leaf.salt.ok_or_else(|| {
            let event_id = event_id();
            LogFault::Muted { event_id }
        })?;
        let last = last.ok_or_else(|| internal("a leaf has no head"))?;
        let head = self.head_for(leaf.index, last, &settings.policy).await?;
        let stated = Stated::of_leaf(&event, &leaf.document, &salt, &leaf.commitment)?;
        let statement = stated.text()?;
        let path = self.proof(&Plan::inclusion(leaf.index, head.size)).await?;
        require_holding(&leaf, &head, &path)?;
        let proof = Proof {
            extra: Some((salt, statement.clone())),
            index: leaf.index,
            path,
            checkpoint: head.published(),
        };
        let signer = settings.signers.first();
        let receipt = signer.map(|signer| Receipt::of(&proof, head.size, &head.root, signer));
        Ok(Proven {
            receipt: receipt.unwrap_or_default(),
            event_id: name_of(&event).unwrap_or_else(event_id),
            origin: settings.origin().to_owned(),
            index: leaf.index,
            size: head.size,
            salt: to_hex(&salt),
            statement,
            proof: proof.text(),
            policy: settings.policy_text(),
        })
    }

    /// The head that says most of a leaf: the newest one, or the newest that a quorum has seen.
    async fn head_for(&self, index: u64, last: Head, policy: &Policy) -> Result<Head, Error> {
        let has_quorum = |head: &Head| {
            let published = head.published();
            Note::read(&published).is_ok_and(|note| {
                let signed = policy
                    .witnesses()
                    .iter()
                    .map(|witness| matches!(note.cosigned_by(&witness.key), Ok(Some(_))));
                policy.is_met(&signed.collect::<Vec<_>>())
            })
        };
        if policy.witnesses().is_empty() || has_quorum(&last) {
            return Ok(last);
        }
        let cosigned = self.store.last_cosigned_head().await?;
        let cosigned = cosigned.filter(|head| head.size > index && has_quorum(head));
        Ok(cosigned.unwrap_or(last))
    }

    /// An event in scope that has a name, with its leaf if it has one yet, and the newest head.
    async fn leaf_of(
        &self,
        event_id: &str,
        declaration: Option<usize>,
        call: &Call,
    ) -> Result<((String, Option<Leaf>), Option<Head>), Error> {
        let query = Query::named(event_id);
        let name = Query::canonical_name(event_id);
        let accounts = call.principal.readable_accounts();
        let selection = Selection {
            predicate: &query.predicate,
            accounts: accounts.as_deref(),
            order: Order::default(),
            after: None,
            upper: None,
            limit: LOOKED_AT,
            bytes: call.limits.page_bytes,
        };
        let mut events = Vec::new();
        let mut declarations = Vec::new();
        let logged = self.store.select_logged(&selection).await?;
        for (stored, leaf) in logged.events {
            let facts = stored.facts(&query.predicate)?;
            let matches = query.predicate.matches(&facts, &stored.content_hash);
            if !matches || !call.principal.reads(&stored.captured_by) {
                continue;
            }
            if facts.declares_error {
                declarations.push((stored.event, leaf));
            } else {
                // Whose content has the name comes before whoever bears it.
                let is_bearer = stored.content_hash != name;
                events.push((is_bearer, stored.sequence, (stored.event, leaf)));
            }
        }
        let found = match declaration {
            None => {
                let first = events
                    .into_iter()
                    .min_by_key(|(is_bearer, sequence, _)| (*is_bearer, *sequence));
                first.map(|(.., leaf)| leaf)
            }
            Some(number) => {
                let at = number.checked_sub(1);
                at.and_then(|at| declarations.into_iter().nth(at))
            }
        };
        let found = found.ok_or_else(|| {
            Error::new(ErrorKind::NoSuchEvent {
                event_id: event_id.to_owned(),
            })
        })?;
        Ok((found, logged.head))
    }
}

/// The `eventID` of a stored event.
fn name_of(event: &str) -> Option<String> {
    let read = Document::read_text(event).ok()?;
    let name = read.root().get("eventID").and_then(Value::as_str);
    name.map(|name| name.into_owned())
}

/// Requires that a path leads from a leaf to a head. What does not hold is not handed out: it would accuse the gateway of a lie.
///
/// # Errors
/// [`ErrorKind::Internal`].
fn require_holding(leaf: &Leaf, head: &Head, path: &[Hash]) -> Result<(), Error> {
    let hash = leaf_of(&leaf.commitment);
    verify_inclusion(&hash, leaf.index, head.size, &head.root, path).map_err(|fault| {
        internal(&format!(
            "the proof of leaf {} does not hold, at its step `inclusion`: {fault}; run `epcis-edge fsck`",
            leaf.index
        ))
    })
}

fn no_such(path: &str) -> Error {
    let path = path.to_owned();
    LogFault::NoSuchPart { path }.into()
}
