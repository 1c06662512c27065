//! The log as it is published, with proofs from it.

use super::{LogSettings, Service, no_such};
use crate::call::Call;
use crate::query::{Order, Places, Query};
use crate::store::{Head, Leaf, Selection};
use epcis_edge_document::hash::event_name;
use epcis_edge_log::{
    EntryBundle, Hash, Note, Proof, ProofPlan, Receipt, Statement as Stated, Tile, entry, leaf_of,
    verify_inclusion,
};
use epcis_edge_text::digits::to_hex;
use epcis_edge_text::error::{Error, ErrorKind, LogFault};
use epcis_edge_text::json::{Document, Value};
use epcis_edge_text::slice::OrEmpty;
use serde::Serialize;

/// The most events of one name that are read.
const LOOKED_AT: usize = 200;

/// The log as it is published, with proofs from it.
pub struct ServedLog<'s> {
    pub(super) service: &'s Service,
    pub(super) settings: &'s LogSettings,
}

/// An event with its proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Proven {
    /// The `eventID`.
    #[serde(rename = "eventID")]
    pub event_id: String,
    /// The origin of the log.
    pub origin: String,
    /// The leaf, counted from 0.
    pub index: u64,
    /// How many leaves the checkpoint covers.
    pub size: u64,
    /// The salt of the leaf: 64 lower-case hexadecimal digits.
    pub salt: String,
    /// The statement that the leaf commits to.
    pub statement: String,
    /// The proof, as a `.tlog-proof`.
    pub proof: String,
    /// The same proof as a COSE receipt (RFC 9942).
    #[serde(skip)]
    pub receipt: Vec<u8>,
    /// The keys and witnesses that the gateway names as trustworthy. Without a comparison with a policy from another source,
    /// this is only the gateway's own claim.
    pub policy: String,
}

impl Service {
    /// The log.
    ///
    /// # Errors
    /// [`LogFault::NotKept`], [`LogFault::Misconfigured`].
    pub fn served_log(&self) -> Result<ServedLog<'_>, Error> {
        let settings = self.log_settings()?;
        Ok(ServedLog { service: self, settings })
    }

    /// A proof: see [`ServedLog::prove`].
    ///
    /// # Errors
    /// As [`ServedLog::prove`]; [`LogFault::NotKept`].
    pub async fn prove(
        &self,
        event_id: &str,
        declaration: Option<usize>,
        call: &Call,
    ) -> Result<Proven, Error> {
        let log = self.served_log()?;
        log.prove(event_id, declaration, call).await
    }
}

impl ServedLog<'_> {
    /// The hashes of a proof, read from the tiles that it needs.
    pub(super) async fn proof(&self, plan: &ProofPlan) -> Result<Vec<Hash>, Error> {
        let tiles = plan.tiles();
        if tiles.is_empty() {
            return plan.hashes_from(&[]);
        }
        plan.hashes_from(&self.service.store.tiles(&tiles).await?)
    }

    /// The newest checkpoint, with the latest cosignature of each witness.
    ///
    /// # Errors
    /// [`LogFault::NoSuchPart`] before the first; [`LogFault::OtherLog`]; a fault of the storage.
    pub async fn checkpoint(&self) -> Result<String, Error> {
        let head = self.service.store.last_head().await?.ok_or_else(|| no_such("checkpoint"))?;
        self.service.require_own(Some(&head))?;
        Ok(head.fresh())
    }

    /// A tile: 32 bytes a hash.
    ///
    /// **Shape**: the path after `/log/tile/`. A partial tile exists if a head was signed that needs it.
    ///
    /// # Errors
    /// [`LogFault::NoSuchPart`]; a fault of the storage.
    pub async fn tile(&self, path: &str) -> Result<Vec<u8>, Error> {
        let missing = || no_such(&format!("tile/{path}"));
        let tile = Tile::named(path).ok_or_else(missing)?;
        self.require_head(&tile, missing).await?;
        let hashes = self.service.store.tiles(&[tile]).await?.pop().or_empty();
        if hashes.len() != usize::from(tile.width) {
            return Err(Error::impossible("a tile has fewer hashes than its head"));
        }
        Ok(hashes.concat())
    }

    /// The entries of the leaves of a tile, each preceded by its length in two bytes, the higher first.
    ///
    /// **Shape**: the path after `/log/tile/entries/`.
    ///
    /// # Errors
    /// As [`tile`](Self::tile).
    pub async fn entries(&self, path: &str) -> Result<Vec<u8>, Error> {
        let missing = || no_such(&format!("tile/entries/{path}"));
        let bundle = EntryBundle::named(path).ok_or_else(missing)?;
        let leaves = bundle.leaves().ok_or_else(missing)?;
        let tile = Tile { level: 0, number: bundle.number, width: bundle.width };
        self.require_head(&tile, missing).await?;
        let commitments = self.service.store.commitments(leaves).await?;
        if commitments.len() != usize::from(bundle.width) {
            return Err(Error::impossible("the log has fewer leaves than its head"));
        }
        let mut bytes = Vec::new();
        for commitment in &commitments {
            let entry = entry(commitment);
            bytes.extend_from_slice(&(entry.len() as u16).to_be_bytes());
            bytes.extend_from_slice(&entry);
        }
        Ok(bytes)
    }

    /// Requires a head whose tree contains the tile; for a partial tile, a head that needs it at this width.
    async fn require_head(&self, tile: &Tile, missing: impl Fn() -> Error) -> Result<(), Error> {
        let sizes = tile.sizes().ok_or_else(&missing)?;
        if self.service.store.has_head(sizes).await? { Ok(()) } else { Err(missing()) }
    }

    /// The proof of the event with this name, or of one of its error declarations, counted from 1.
    ///
    /// The name is an `eventID`, or the hash of an event as it was sent.
    ///
    /// # Errors
    /// [`ErrorKind::Forbidden`] without the right to query; [`ErrorKind::NoSuchEvent`] if none is in scope;
    /// [`LogFault::NotYetLogged`], [`LogFault::Muted`]; [`LogFault::Halted`], [`LogFault::OtherLog`], since the proofs of a log that
    /// was set back or belongs to another key are uncertain; a fault of the storage.
    pub async fn prove(
        &self,
        event_id: &str,
        declaration: Option<usize>,
        call: &Call,
    ) -> Result<Proven, Error> {
        call.principal.require_query()?;
        self.service.require_no_halt().await?;
        let ((event, leaf), last) = self.leaf_of(event_id, declaration, call).await?;
        self.service.require_own(last.as_ref())?;
        let event_id = || event_id.to_owned();
        let leaf = leaf.ok_or_else(|| {
            let event_id = event_id();
            LogFault::NotYetLogged { event_id }
        })?;
        let salt = leaf.salt.ok_or_else(|| {
            let event_id = event_id();
            LogFault::Muted { event_id }
        })?;
        let last = last.ok_or_else(|| Error::impossible("a leaf has no head"))?;
        let head = self.head_for(leaf.index, last).await?;
        let stated = Stated::of_leaf(&event, &leaf.document, &salt, &leaf.commitment)?;
        let statement = stated.text()?;
        let path = self.proof(&ProofPlan::inclusion(leaf.index, head.size)).await?;
        require_holding(&leaf, &head, &path)?;
        let proof = Proof {
            extra: Some((salt, statement.clone())),
            index: leaf.index,
            path,
            checkpoint: head.published(),
        };
        let signer =
            self.settings.signers.first().ok_or_else(|| Error::impossible("the log has no key"))?;
        Ok(Proven {
            receipt: Receipt::of(&proof, head.size, &head.root, signer),
            event_id: name_of(&event).unwrap_or_else(event_id),
            origin: self.settings.origin().to_owned(),
            index: leaf.index,
            size: head.size,
            salt: to_hex(&salt),
            statement,
            proof: proof.text(),
            policy: self.settings.policy_text(),
        })
    }

    /// The best head for proving a leaf: the newest one if a quorum cosigned it or the policy has no witnesses; else the newest
    /// that any witness cosigned, if that has a quorum and covers the leaf; else the newest.
    ///
    /// # Errors
    /// A fault of the storage.
    pub(super) async fn head_for(&self, index: u64, last: Head) -> Result<Head, Error> {
        let policy = &self.settings.policy;
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
        let cosigned = self.service.store.last_cosigned_head().await?;
        let cosigned = cosigned.filter(|head| head.size > index && has_quorum(head));
        Ok(cosigned.unwrap_or(last))
    }

    /// The event in scope with this name, with its leaf if it has one yet, and the newest head.
    async fn leaf_of(
        &self,
        event_id: &str,
        declaration: Option<usize>,
        call: &Call,
    ) -> Result<((String, Option<Leaf>), Option<Head>), Error> {
        let query = Query::named(event_id);
        let name = event_name(event_id);
        let accounts = call.principal.readable_accounts();
        let selection = Selection {
            predicate: &query.predicate,
            accounts: accounts.as_deref(),
            order: Order::default(),
            after: None,
            since: &Places::default(),
            upper: None,
            limit: LOOKED_AT,
            bytes: call.limits.page_bytes,
        };
        let mut events = Vec::new();
        let mut declarations = Vec::new();
        let logged = self.service.store.select_logged(&selection).await?;
        for (stored, leaf) in logged.events {
            let facts = stored.facts(&query.predicate)?;
            let matches = query.predicate.matches(&facts, &stored.content_hash);
            if !matches || !call.principal.reads(&stored.captured_by) {
                continue;
            }
            if facts.declares_error {
                declarations.push((stored.event, leaf));
            } else {
                // An event whose content hash is the name comes before one that only bears the name.
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
        let found = found
            .ok_or_else(|| Error::new(ErrorKind::NoSuchEvent { event_id: event_id.to_owned() }))?;
        Ok((found, logged.head))
    }
}

/// The `eventID` of a stored event.
pub(super) fn name_of(event: &str) -> Option<String> {
    let read = Document::read_text(event).ok()?;
    let name = read.root().get("eventID").and_then(Value::as_str);
    name.map(|name| name.into_owned())
}

/// Requires that a path leads from a leaf to a head. A wrong proof is not published: it would accuse the gateway of a lie.
///
/// # Errors
/// [`ErrorKind::Internal`].
pub(super) fn require_holding(leaf: &Leaf, head: &Head, path: &[Hash]) -> Result<(), Error> {
    let hash = leaf_of(&leaf.commitment);
    verify_inclusion(&hash, leaf.index, head.size, &head.root, path).map_err(|fault| {
        Error::impossible(format!(
            "the proof of leaf {} does not hold, at its step `inclusion`: {fault}; run `epcis-edge fsck`",
            leaf.index
        ))
    })
}
