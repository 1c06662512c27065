//! The log of a gateway: grown, shown, proved from, and cosigned; and the gateway as a witness of others.

mod settings;

pub use settings::{LogSettings, ShownLog, ShownWitness, WitnessSettings};

use super::Service;
use crate::call::Call;
use crate::digits::{digest_of_hex, to_hex};
use crate::error::{Error, ErrorKind, LogFault};
use crate::json::{Document, Value};
use crate::log::{
    Checkpoint, Edge, EntryBundle, Hash, Note, Plan, Policy, Proof, Salts, Statement as Stated,
    Submitted, Tile, TrustedWitness, WitnessAnswer, WitnessRequest, entry, known_cosignatures,
    leaf_of, origin_digest, signed,
};
use crate::query::{Order, Query};
use crate::store::{Extension, Head, HeadCopy, Leaf, NewLeaf, Selection, Store};
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
    /// What the gateway says whom to believe: worth no more than its word, until it was compared with a policy that was had
    /// elsewhere.
    pub policy: String,
}

/// What asks witnesses.
#[expect(
    async_fn_in_trait,
    reason = "workers have one thread: nobody needs the future to be Send"
)]
pub trait Witnesses {
    /// Sends a body to an address by `POST`: status, media type and body of the answer, or none where none came in time.
    async fn ask(&self, url: &str, body: String) -> Option<(u16, String, String)>;
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
        let settings = self.configuration.log.as_ref();
        settings.ok_or_else(|| {
            LogFault::NotKept {
                what: "keeps no log",
            }
            .into()
        })
    }

    fn witness_settings(&self) -> Result<&WitnessSettings, Error> {
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
    /// [`LogFault::Restored`] where the store has not the head that was signed last; [`LogFault::Statement`];
    /// [`ErrorKind::Internal`] where tiles and head do not fit each other; a fault of the storage. Nothing is signed then.
    pub async fn integrate(&self, entropy: [u8; 32]) -> Result<Integrated, Error> {
        let Some(settings) = &self.configuration.log else {
            return Ok(Integrated::NoLog);
        };
        let last = self.store.last_head().await?;
        let size = last.as_ref().map_or(0, |head| head.size);
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

    /// Asks the witnesses of the policy that have not cosigned the newest head, and keeps what they sign; what went wrong, for
    /// the log of the service. A witness that is away costs nothing but its cosignature.
    ///
    /// # Errors
    /// A fault of the storage.
    pub async fn cosign<W: Witnesses>(&self, witnesses: &W) -> Result<Vec<String>, Error> {
        let Some(settings) = &self.configuration.log else {
            return Ok(Vec::new());
        };
        let head = self.store.last_head().await?.filter(|head| head.size > 0);
        let Some(head) = head else {
            return Ok(Vec::new());
        };
        let published = head.published();
        let mut troubles = Vec::new();
        for witness in settings.policy.witnesses() {
            let Some(url) = &witness.url else { continue };
            let note = Note::read(&published)?;
            if matches!(note.is_cosigned_by(&witness.key), Ok(Some(_))) {
                continue;
            }
            match self.cosigned_by(witness, url, &head, witnesses).await? {
                Ok(lines) => self.store.keep_cosignatures(head.size, &lines).await?,
                Err(trouble) => troubles.push(format!("witness {}: {trouble}", witness.name)),
            }
        }
        Ok(troubles)
    }

    /// The cosignature of one witness, or what it said in its place.
    async fn cosigned_by<W: Witnesses>(
        &self,
        witness: &TrustedWitness,
        url: &str,
        head: &Head,
        witnesses: &W,
    ) -> Result<Result<Vec<(String, String)>, String>, Error> {
        let name = witness.key.name();
        let mut old = self.store.last_cosigned_by(name).await?.unwrap_or_default();
        // Once from where it should stand, once from where it says that it does.
        for _ in 0..2 {
            let request = WitnessRequest {
                old,
                proof: self.proof(&Plan::consistency(old, head.size)).await?,
                checkpoint: head.note.clone(),
            };
            let url = format!("{url}/add-checkpoint");
            let Some((status, media_type, body)) = witnesses.ask(&url, request.text()).await else {
                return Ok(Err("no answer".to_owned()));
            };
            match WitnessAnswer::of(status, &media_type, &body) {
                WitnessAnswer::Lines(lines) => {
                    let text = Note::read(&head.note)?.text();
                    let keys = std::slice::from_ref(&witness.key);
                    let known = known_cosignatures(text, &lines, keys);
                    return Ok(if known.is_empty() {
                        Err("its answer holds no cosignature of its key".to_owned())
                    } else {
                        Ok(known)
                    });
                }
                WitnessAnswer::Elsewhere(size) if size > head.size => {
                    let (signed, found) = (size, head.size);
                    return Ok(Err(LogFault::Restored { signed, found }.to_string()));
                }
                WitnessAnswer::Elsewhere(size) if size != old => old = size,
                WitnessAnswer::Elsewhere(size) => {
                    return Ok(Err(format!("it signed another tree of {size} leaves")));
                }
                WitnessAnswer::Refused { status } => return Ok(Err(format!("status {status}"))),
            }
        }
        Ok(Err("it stands elsewhere each time".to_owned()))
    }

    /// The hashes of a proof, by the tiles that it needs.
    async fn proof(&self, plan: &Plan) -> Result<Vec<Hash>, Error> {
        let tiles = plan.tiles();
        if tiles.is_empty() {
            return plan.made(&[]);
        }
        plan.made(&self.store.tiles(&tiles).await?)
    }

    /// The newest checkpoint, with its cosignatures.
    ///
    /// # Errors
    /// [`LogFault::NotKept`], [`LogFault::NoSuchPart`] before the first; a fault of the storage.
    pub async fn checkpoint(&self) -> Result<String, Error> {
        self.log_settings()?;
        let head = self.store.last_head().await?;
        let head = head.ok_or_else(|| no_such("checkpoint"))?;
        Ok(head.published())
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
    /// scope; [`LogFault::NotYetLogged`], [`LogFault::Muted`]; a fault of the storage.
    pub async fn prove(
        &self,
        event_id: &str,
        declaration: Option<usize>,
        call: &Call,
    ) -> Result<Proven, Error> {
        let settings = self.log_settings()?;
        call.principal.require_query()?;
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
        let proof = Proof {
            extra: Some((salt, statement.clone())),
            index: leaf.index,
            path: self.proof(&Plan::inclusion(leaf.index, head.size)).await?,
            checkpoint: head.published(),
        };
        Ok(Proven {
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
                    .map(|witness| matches!(note.is_cosigned_by(&witness.key), Ok(Some(_))));
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

    /// Cosigns the checkpoint of a log that this witness knows, at a time in milliseconds since 1970: the line of the cosignature.
    ///
    /// # Errors
    /// [`LogFault::NotKept`]; those of [`Submitted::judge`] and [`Submitted::cosigned`]; a fault of the storage.
    ///
    /// **Source**: C2SP, `tlog-witness.md`.
    pub async fn add_checkpoint(&self, request: &[u8], now: u64) -> Result<String, Error> {
        let settings = self.witness_settings()?;
        self.require_writable()?;
        let request = std::str::from_utf8(request)
            .map_err(|_| LogFault::WitnessRequest { expected: "UTF-8" })?;
        let submitted = Submitted::judge(request, &settings.logs)?;
        let digest = origin_digest(submitted.origin());
        let last = self.store.witnessed(&digest).await?;
        let (line, next) = submitted.cosigned(last.as_ref(), &settings.signer, now / 1000)?;
        // First it is remembered, then it is told.
        if self
            .store
            .keep_witnessed(&digest, last.as_ref(), &next)
            .await?
        {
            return Ok(line);
        }
        let now = self.store.witnessed(&digest).await?;
        let size = now.map_or(0, |witnessed| witnessed.size);
        Err(LogFault::WitnessConflict { size }.into())
    }

    /// What this witness last signed of a log, by the digest of its origin.
    ///
    /// # Errors
    /// [`LogFault::NotKept`], [`LogFault::NoSuchPart`]; a fault of the storage.
    pub async fn last_witnessed(&self, digest: &str) -> Result<String, Error> {
        self.witness_settings()?;
        let missing = || no_such(&format!("{digest}/checkpoint"));
        if digest_of_hex(digest).is_none() {
            return Err(missing());
        }
        let witnessed = self.store.witnessed(digest).await?;
        Ok(witnessed.ok_or_else(missing)?.note)
    }
}

/// The `eventID` of a stored event.
fn name_of(event: &str) -> Option<String> {
    let read = Document::read_text(event).ok()?;
    let name = read.root().get("eventID").and_then(Value::as_str);
    name.map(|name| name.into_owned())
}

fn no_such(path: &str) -> Error {
    let path = path.to_owned();
    LogFault::NoSuchPart { path }.into()
}
