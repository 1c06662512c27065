//! One log over all homes. The first home keeps the leaves, in the order in which the events were found; each home has the events.

use super::Homes;
use crate::query::{Places, home_of};
use crate::store::{
    Backlog, Events, Extension, Halt, Head, HeadCopy, LOGGED_BYTES, Leaf, Log, Logged, LoggedEvent,
    MAX_BACKLOG, Selection, Unlogged,
};
use async_trait::async_trait;
use epcis_edge_log::{Hash, Salt, Tile};
use epcis_edge_text::error::{Error, ErrorKind};
use epcis_edge_text::slice::OrEmpty;
use futures_util::future::try_join_all;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

/// A leaf as the first home keeps it. Only the home of the event knows the document.
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

/// The questions about the log that one home answers: the first home about leaves, each home about its own events.
#[async_trait(?Send)]
pub trait LogParts {
    /// For each of the first `homes` homes, its last event that has a leaf.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn last_logged(&self, homes: u64) -> Result<Places, Error>;

    /// For each home with one of these leaves, two numbers: that of its last event with a leaf before them (or where the numbers of
    /// the home begin), and that of its last event among them.
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

    /// The events of this home after a number, in order; at most `limit`. The last is the one that fills `bytes`.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn events_after(
        &self,
        after: u64,
        limit: usize,
        bytes: usize,
    ) -> Result<Vec<Unlogged>, Error>;

    /// Events of this home by their numbers, in order. The last is the one that fills `bytes`.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn events_at(&self, sequences: &[u64], bytes: usize) -> Result<Vec<Unlogged>, Error>;

    /// The digests of the documents of events of this home, by the numbers of the events.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn documents_at(&self, sequences: &[u64]) -> Result<BTreeMap<u64, String>, Error>;

    /// How many events this home has after a number, up to another.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn count_between(&self, after: u64, up_to: u64) -> Result<u64, Error>;

    /// The backlog of this home, if its events after a number have no leaf.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn backlog_after(&self, after: u64) -> Result<Backlog, Error>;
}

/// How many more bytes of events may be read from several homes.
struct Room(usize);

impl Room {
    /// The bytes that the next home may take, if `homes` are still to be asked, this one included; `None` if there is no room.
    fn share(&self, homes: usize) -> Option<usize> {
        (self.0 > 0).then_some((self.0 / homes.max(1)).max(1))
    }

    fn fill(&mut self, events: &[Unlogged]) {
        let bytes: usize = events.iter().map(|event| event.event.len()).sum();
        self.0 = self.0.saturating_sub(bytes);
    }
}

impl Homes {
    /// For each home, its last event that has a leaf.
    async fn last_logged(&self) -> Result<Places, Error> {
        self.store(0)?.last_logged(self.stores.len() as u64).await
    }

    /// The stored events of leaves, in their order, and the leaf before which they stop because the next one did not fit.
    async fn page_of_events(
        &self,
        leaves: Range<u64>,
    ) -> Result<(Vec<LoggedEvent>, Option<u64>), Error> {
        let leaves = self.store(0)?.bare_leaves_in(leaves).await?;
        // The homes in the order of their first leaves, so that the first events get the room.
        let mut homes: Vec<u64> = Vec::new();
        let mut by_home: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for leaf in &leaves {
            let home = home_of(leaf.sequence);
            let here = by_home.entry(home).or_default();
            if here.is_empty() {
                homes.push(home);
            }
            here.push(leaf.sequence);
        }
        let mut room = Room(LOGGED_BYTES);
        let mut events: BTreeMap<u64, Unlogged> = BTreeMap::new();
        // For each home, the first of its events that did not fit.
        let mut cut: Vec<u64> = Vec::new();
        for (home, left) in homes.iter().zip((1..=homes.len()).rev()) {
            let mut sequences = by_home.remove(home).or_empty();
            sequences.sort_unstable();
            let Some(bytes) = room.share(left) else {
                cut.extend(sequences.first());
                continue;
            };
            let store = self.store(*home)?;
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
        let mut by_home: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for leaf in &leaves {
            let home = by_home.entry(home_of(leaf.sequence)).or_default();
            home.push(leaf.sequence);
        }
        let documents = by_home
            .iter()
            .map(|(home, sequences)| async { self.store(*home)?.documents_at(sequences).await });
        let documents: BTreeMap<u64, String> =
            try_join_all(documents).await?.into_iter().flatten().collect();
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
impl Log for Homes {
    async fn last_head(&self) -> Result<Option<Head>, Error> {
        self.store(0)?.last_head().await
    }

    async fn last_cosigned_head(&self) -> Result<Option<Head>, Error> {
        self.store(0)?.last_cosigned_head().await
    }

    async fn head(&self, size: u64) -> Result<Option<Head>, Error> {
        self.store(0)?.head(size).await
    }

    async fn has_head(&self, sizes: RangeInclusive<u64>) -> Result<bool, Error> {
        self.store(0)?.has_head(sizes).await
    }

    async fn unlogged(&self, limit: usize) -> Result<Vec<Unlogged>, Error> {
        if let Some(only) = self.only() {
            return only.unlogged(limit).await;
        }
        let logged = self.last_logged().await?;
        // Each home gets a share of the limit, so that none waits for the others. A home that is not available is skipped.
        let each = (limit / self.stores.len().max(1)).max(1);
        let (mut unlogged, mut away) = (Vec::new(), None);
        let mut room = Room(LOGGED_BYTES);
        for (home, left) in self.all().zip((1..=self.stores.len()).rev()) {
            let Some(bytes) = room.share(left) else {
                break;
            };
            let store = self.store(home)?;
            match store.events_after(logged.in_home(home), each, bytes).await {
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
            // Without that home we do not know whether every event has its leaf.
            Some(error) if unlogged.is_empty() => Err(error),
            _ => Ok(unlogged),
        }
    }

    async fn tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<Hash>>, Error> {
        self.store(0)?.tiles(tiles).await
    }

    async fn commitments(&self, leaves: Range<u64>) -> Result<Vec<Hash>, Error> {
        self.store(0)?.commitments(leaves).await
    }

    async fn extend(&self, extension: &Extension) -> Result<bool, Error> {
        self.store(0)?.extend(extension).await
    }

    async fn select_logged(&self, selection: &Selection<'_>) -> Result<Logged, Error> {
        if let Some(only) = self.only() {
            return only.select_logged(selection).await;
        }
        let events = self.select(selection).await?.events;
        let mut sequences: Vec<u64> = events.iter().map(|event| event.sequence).collect();
        sequences.sort_unstable();
        let (leaves, head) = self.store(0)?.bare_leaves(&sequences).await?;
        let mut leaves = self.whole(leaves).await?;
        let events = events.into_iter().map(|event| {
            let leaf = leaves.remove(&event.sequence);
            (event, leaf)
        });
        Ok(Logged { events: events.collect(), head })
    }

    async fn leaves(&self, sequences: &[u64]) -> Result<(Vec<(u64, Leaf)>, Option<Head>), Error> {
        if let Some(only) = self.only() {
            return only.leaves(sequences).await;
        }
        let (leaves, head) = self.store(0)?.bare_leaves(sequences).await?;
        Ok((self.whole(leaves).await?.into_iter().collect(), head))
    }

    async fn keep_cosignatures(&self, size: u64, lines: &[(String, String)]) -> Result<(), Error> {
        self.store(0)?.keep_cosignatures(size, lines).await
    }

    async fn last_cosigned_by(&self, name: &str) -> Result<Option<(u64, String)>, Error> {
        self.store(0)?.last_cosigned_by(name).await
    }

    async fn last_halt(&self) -> Result<Option<Halt>, Error> {
        self.store(0)?.last_halt().await
    }

    async fn halt(&self, halt: &Halt) -> Result<(), Error> {
        self.store(0)?.halt(halt).await
    }

    async fn resume(&self, at: &str) -> Result<(), Error> {
        self.store(0)?.resume(at).await
    }

    async fn backlog(&self) -> Result<Backlog, Error> {
        if let Some(only) = self.only() {
            return only.backlog().await;
        }
        let logged = self.last_logged().await?;
        let backlogs = self.all().map(|home| {
            let after = logged.in_home(home);
            async move { self.store(home)?.backlog_after(after).await }
        });
        let backlogs = try_join_all(backlogs).await?;
        Ok(Backlog {
            events: backlogs.iter().map(|one| one.events).sum::<u64>().min(MAX_BACKLOG),
            oldest: backlogs.into_iter().filter_map(|one| one.oldest).min(),
        })
    }

    async fn heads(&self, sizes: Range<u64>) -> Result<Vec<Head>, Error> {
        self.store(0)?.heads(sizes).await
    }

    async fn logged_events(&self, leaves: Range<u64>) -> Result<Vec<LoggedEvent>, Error> {
        if let Some(only) = self.only() {
            return only.logged_events(leaves).await;
        }
        let mut first = leaves.start;
        loop {
            let (events, stop) = self.page_of_events(first..leaves.end).await?;
            match stop {
                // No event before it is stored. Its home is the first of the next page, and has room.
                Some(leaf) if events.is_empty() => first = leaf,
                _ => return Ok(events),
            }
        }
    }

    async fn events_between(&self, leaves: Range<u64>) -> Result<u64, Error> {
        if let Some(only) = self.only() {
            return only.events_between(leaves).await;
        }
        let spans = self.store(0)?.logged_spans(leaves).await?;
        let counts = spans.into_iter().map(|(after, up_to)| async move {
            let store = self.store(home_of(up_to))?;
            store.count_between(after, up_to).await
        });
        Ok(try_join_all(counts).await?.into_iter().sum())
    }

    async fn head_copy(&self) -> Result<Option<HeadCopy>, Error> {
        self.store(0)?.head_copy().await
    }

    async fn copy_head(&self, copy: &HeadCopy) -> Result<(), Error> {
        self.store(0)?.copy_head(copy).await
    }
}
