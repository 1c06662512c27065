//! One log over all accounts. It keeps the leaves, in the order in which the events were found; each account has the events.

use super::{Accounts, by_account};
use crate::query::account_of;
use crate::store::{
    Backlog, Events, Extension, Halt, Head, HeadCopy, LOGGED_BYTES, Leaf, Log, Logged, LoggedEvent,
    MAX_BACKLOG, Selection, Unlogged,
};
use async_trait::async_trait;
use epcis_edge_log::{Hash, Salt, Tile};
use epcis_edge_text::error::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

/// A leaf as the log keeps it. Only the account of the event knows the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BareLeaf {
    /// Its index, counted from 0.
    pub index: u64,
    /// The number of the event.
    pub sequence: u64,
    /// Its salt, unless that was removed.
    pub salt: Option<Salt>,
    /// The commitment.
    pub commitment: Hash,
}

/// The log of all accounts, which has no events.
#[async_trait(?Send)]
pub trait AccountsLog: Log {
    /// Tells that an account has an event with this number. What is told again changes nothing.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn grew(&self, newest: u64) -> Result<(), Error>;

    /// The accounts that are known to have events without leaf, those first that were told first; at most `limit`. For each: the number
    /// of its last event with a leaf (or where the numbers of the account begin), and the newest that was told.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn grown(&self, limit: usize) -> Result<Vec<(u64, u64)>, Error>;

    /// For each account with one of these leaves, two numbers: that of its last event with a leaf before them (or where the numbers of
    /// the account begin), and that of its last event among them.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn logged_spans(&self, leaves: Range<u64>) -> Result<Vec<(u64, u64)>, Error>;

    /// The leaves of events, given by their numbers, and the newest head, all of one moment.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn bare_leaves(&self, sequences: &[u64]) -> Result<(Vec<BareLeaf>, Option<Head>), Error>;

    /// Leaves by their indexes, as many as exist.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn bare_leaves_in(&self, leaves: Range<u64>) -> Result<Vec<BareLeaf>, Error>;
}

/// How many accounts get leaves at once, and are asked for their backlog.
const GROWN: usize = 64;

/// How many more bytes of events may be read from several accounts.
struct Room(usize);

impl Room {
    /// The bytes that the next account may take, if `accounts` are still to be asked, this one included; `None` if there is no room.
    fn share(&self, accounts: usize) -> Option<usize> {
        (self.0 > 0).then_some((self.0 / accounts.max(1)).max(1))
    }

    fn fill(&mut self, events: &[Unlogged]) {
        let bytes: usize = events.iter().map(|event| event.event.len()).sum();
        self.0 = self.0.saturating_sub(bytes);
    }
}

impl Accounts {
    /// Tells the log of the newest event of an account, given by its number.
    ///
    /// # Errors
    /// A fault of the storage.
    pub async fn tell_log(&self, account: u64) -> Result<(), Error> {
        let newest = (self.open)(account)?.newest_events(None).await?.single();
        if newest > 0 { self.log.grew(newest).await } else { Ok(()) }
    }

    /// The stored events of leaves, in their order, and the leaf before which they stop because the next one did not fit.
    async fn page_of_events(
        &self,
        leaves: Range<u64>,
    ) -> Result<(Vec<LoggedEvent>, Option<u64>), Error> {
        let leaves = self.log.bare_leaves_in(leaves).await?;
        // The accounts in the order of their first leaves, so that the first events get the room.
        let mut by_account = by_account(leaves.iter().map(|leaf| leaf.sequence));
        let mut asked: Vec<(u64, Vec<u64>)> = Vec::new();
        for leaf in &leaves {
            let account = account_of(leaf.sequence);
            asked.extend(by_account.remove(&account).map(|sequences| (account, sequences)));
        }
        let mut room = Room(LOGGED_BYTES);
        let mut events: BTreeMap<u64, Unlogged> = BTreeMap::new();
        // For each account, the first of its events that did not fit.
        let mut cut: Vec<u64> = Vec::new();
        let left = (1..=asked.len()).rev();
        for ((account, mut sequences), left) in asked.into_iter().zip(left) {
            sequences.sort_unstable();
            let Some(bytes) = room.share(left) else {
                cut.extend(sequences.first());
                continue;
            };
            let store = (self.open)(account)?;
            let found = store.events_at(&sequences, bytes).await?;
            room.fill(&found);
            // Later events did not fit, or are not stored: the next one that is stored tells.
            if let Some(last) = found.last() {
                sequences.retain(|sequence| *sequence > last.sequence);
                let next = match sequences.is_empty() {
                    true => Vec::new(),
                    false => store.events_at(&sequences, 1).await?,
                };
                cut.extend(next.first().map(|event| event.sequence));
            }
            events.extend(found.into_iter().map(|event| (event.sequence, event)));
        }
        let mut logged = Vec::new();
        for leaf in leaves {
            if cut.contains(&leaf.sequence) {
                return Ok((logged, Some(leaf.index)));
            }
            if let Some(event) = events.remove(&leaf.sequence) {
                logged.push(LoggedEvent {
                    leaf: leaf.index,
                    sequence: leaf.sequence,
                    salt: leaf.salt,
                    event: event.event,
                    document: event.document,
                });
            }
        }
        Ok((logged, None))
    }

    /// Leaves with the documents of their events, by the numbers of the events.
    async fn whole(&self, leaves: Vec<BareLeaf>) -> Result<BTreeMap<u64, Leaf>, Error> {
        let asked = by_account(leaves.iter().map(|leaf| leaf.sequence));
        let documents =
            self.each(asked, async |store, sequences| store.documents_at(&sequences).await);
        let documents: BTreeMap<u64, String> = documents.await?.into_iter().flatten().collect();
        let whole = leaves.into_iter().filter_map(|leaf| {
            let document = documents.get(&leaf.sequence)?.clone();
            let whole =
                Leaf { index: leaf.index, salt: leaf.salt, commitment: leaf.commitment, document };
            Some((leaf.sequence, whole))
        });
        Ok(whole.collect())
    }
}

#[async_trait(?Send)]
impl Log for Accounts {
    async fn last_head(&self) -> Result<Option<Head>, Error> {
        self.log.last_head().await
    }

    async fn last_cosigned_head(&self) -> Result<Option<Head>, Error> {
        self.log.last_cosigned_head().await
    }

    async fn head(&self, size: u64) -> Result<Option<Head>, Error> {
        self.log.head(size).await
    }

    async fn has_head(&self, sizes: RangeInclusive<u64>) -> Result<bool, Error> {
        self.log.has_head(sizes).await
    }

    async fn unlogged(&self, limit: usize) -> Result<Vec<Unlogged>, Error> {
        let grown = self.log.grown(GROWN).await?;
        // Each account gets a share of the limit, so that none waits for the others. One that is not available is skipped.
        let each = (limit / grown.len().max(1)).max(1);
        let (mut unlogged, mut away) = (Vec::new(), None);
        let mut room = Room(LOGGED_BYTES);
        for ((after, newest), left) in grown.iter().zip((1..=grown.len()).rev()) {
            let Some(bytes) = room.share(left) else {
                break;
            };
            let store = (self.open)(account_of(*newest))?;
            match store.events_after(*after, each, bytes).await {
                Ok(events) => {
                    room.fill(&events);
                    unlogged.extend(events);
                }
                Err(error) if matches!(error.kind(), ErrorKind::Unavailable { .. }) => {
                    away = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        match away {
            // Without that account we do not know whether every event has its leaf.
            Some(error) if unlogged.is_empty() => Err(error),
            _ => Ok(unlogged),
        }
    }

    async fn tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<Hash>>, Error> {
        self.log.tiles(tiles).await
    }

    async fn commitments(&self, leaves: Range<u64>) -> Result<Vec<Hash>, Error> {
        self.log.commitments(leaves).await
    }

    async fn extend(&self, extension: &Extension) -> Result<bool, Error> {
        self.log.extend(extension).await
    }

    async fn select_logged(&self, selection: &Selection<'_>) -> Result<Logged, Error> {
        let events = self.select(selection).await?.events;
        let mut sequences: Vec<u64> = events.iter().map(|event| event.sequence).collect();
        sequences.sort_unstable();
        let (leaves, head) = self.log.bare_leaves(&sequences).await?;
        let mut leaves = self.whole(leaves).await?;
        let events = events.into_iter().map(|event| {
            let leaf = leaves.remove(&event.sequence);
            (event, leaf)
        });
        Ok(Logged { events: events.collect(), head })
    }

    async fn leaves(&self, sequences: &[u64]) -> Result<(Vec<(u64, Leaf)>, Option<Head>), Error> {
        let (leaves, head) = self.log.bare_leaves(sequences).await?;
        Ok((self.whole(leaves).await?.into_iter().collect(), head))
    }

    async fn keep_cosignatures(&self, size: u64, lines: &[(String, String)]) -> Result<(), Error> {
        self.log.keep_cosignatures(size, lines).await
    }

    async fn last_cosigned_by(&self, name: &str) -> Result<Option<(u64, String)>, Error> {
        self.log.last_cosigned_by(name).await
    }

    async fn last_halt(&self) -> Result<Option<Halt>, Error> {
        self.log.last_halt().await
    }

    async fn halt(&self, halt: &Halt) -> Result<(), Error> {
        self.log.halt(halt).await
    }

    async fn resume(&self, at: &str) -> Result<(), Error> {
        self.log.resume(at).await
    }

    async fn backlog(&self) -> Result<Backlog, Error> {
        let grown = self.log.grown(GROWN).await?.into_iter();
        let grown = grown.map(|(after, newest)| (account_of(newest), after));
        let backlogs = self.each(grown, async |store, after| store.backlog_after(after).await);
        let backlogs = backlogs.await?;
        Ok(Backlog {
            events: backlogs.iter().map(|one| one.events).sum::<u64>().min(MAX_BACKLOG),
            oldest: backlogs.into_iter().filter_map(|one| one.oldest).min(),
        })
    }

    async fn heads(&self, sizes: Range<u64>) -> Result<Vec<Head>, Error> {
        self.log.heads(sizes).await
    }

    async fn logged_events(&self, leaves: Range<u64>) -> Result<Vec<LoggedEvent>, Error> {
        let mut first = leaves.start;
        loop {
            let (events, stop) = self.page_of_events(first..leaves.end).await?;
            match stop {
                // No event before it is stored. Its account is the first of the next page, and has room.
                Some(leaf) if events.is_empty() => first = leaf,
                _ => return Ok(events),
            }
        }
    }

    async fn events_between(&self, leaves: Range<u64>) -> Result<u64, Error> {
        let spans = self.log.logged_spans(leaves).await?.into_iter();
        let spans = spans.map(|(after, up_to)| (account_of(up_to), (after, up_to)));
        let counts =
            self.each(spans, async |store, (after, up_to)| store.count_between(after, up_to).await);
        Ok(counts.await?.into_iter().sum())
    }

    async fn head_copy(&self) -> Result<Option<HeadCopy>, Error> {
        self.log.head_copy().await
    }

    async fn copy_head(&self, copy: &HeadCopy) -> Result<(), Error> {
        self.log.copy_head(copy).await
    }
}
