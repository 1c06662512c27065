//! The log of the store in memory.

use super::{Inner, MemoryStore};
use crate::store::{
    Backlog, Events as _, Extension, Halt, Head, HeadCopy, LOGGED_BYTES, Leaf, Log, Logged,
    LoggedEvent, MAX_BACKLOG, Selection, StoredEvent, Unlogged,
};
use async_trait::async_trait;
use epcis_edge_log::{FullTile, Hash, Salt, Tile, leaf_of};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, Value};
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

/// The log.
#[derive(Debug, Default)]
pub(super) struct MemoryLog {
    /// The leaves: the number of the event, its salt, its commitment.
    leaves: Vec<(u64, Salt, Hash)>,
    tiles: BTreeMap<(u8, u64), FullTile>,
    heads: BTreeMap<u64, Head>,
    /// The first cosignature line of each key, and the latest.
    cosignatures: BTreeMap<(u64, String), (String, String)>,
    copy: Option<HeadCopy>,
    halts: Vec<Halt>,
}

impl MemoryLog {
    fn last_head(&self) -> Option<Head> {
        self.heads.values().next_back().map(|head| self.shown(head))
    }

    fn shown(&self, head: &Head) -> Head {
        let of_head = self.cosignatures.iter().filter(|((size, _), _)| *size == head.size);
        let lines: (Vec<_>, Vec<_>) = of_head.map(|(_, lines)| lines.clone()).unzip();
        Head { cosignatures: lines.0, latest: lines.1, ..head.clone() }
    }

    fn tile(&self, tile: &Tile) -> Vec<Hash> {
        let width = usize::from(tile.width);
        let first = tile.number.saturating_mul(256);
        match tile.level {
            0 => {
                let from = usize::try_from(first).unwrap_or(usize::MAX);
                let leaves = self.leaves.iter().skip(from).take(width);
                leaves.map(|(_, _, commitment)| leaf_of(commitment)).collect()
            }
            level => (first..)
                .take(width)
                .map_while(|number| self.tiles.get(&(level - 1, number)))
                .map(|tile| tile.root)
                .collect(),
        }
    }
}

impl Inner {
    /// The leaf of an event, by its number.
    fn leaf(&self, sequence: u64) -> Option<Leaf> {
        let leaves = &self.log.leaves;
        let at = leaves.binary_search_by_key(&sequence, |(sequence, ..)| *sequence).ok()?;
        let ((_, salt, commitment), record) = leaves.get(at).zip(self.events.get(at))?;
        Some(Leaf {
            index: at as u64,
            salt: Some(*salt),
            commitment: *commitment,
            document: record.document.clone(),
        })
    }
}

#[async_trait(?Send)]
impl Log for MemoryStore {
    async fn last_head(&self) -> Result<Option<Head>, Error> {
        Ok(self.inner.borrow().log.last_head())
    }

    async fn last_cosigned_head(&self) -> Result<Option<Head>, Error> {
        let log = &self.inner.borrow().log;
        let last = log.cosignatures.keys().next_back();
        let head = last.and_then(|(size, _)| log.heads.get(size));
        Ok(head.map(|head| log.shown(head)))
    }

    async fn head(&self, size: u64) -> Result<Option<Head>, Error> {
        let log = &self.inner.borrow().log;
        Ok(log.heads.get(&size).map(|head| log.shown(head)))
    }

    async fn has_head(&self, sizes: RangeInclusive<u64>) -> Result<bool, Error> {
        let log = &self.inner.borrow().log;
        Ok(log.heads.range(sizes).next().is_some())
    }

    async fn unlogged(&self, limit: usize) -> Result<Vec<Unlogged>, Error> {
        let inner = self.inner.borrow();
        // In this store the index of a leaf is the position of its event.
        let behind = inner.events.iter().skip(inner.log.leaves.len()).take(limit);
        let unlogged = behind.map(|record| Unlogged {
            sequence: record.stored.sequence,
            event: record.stored.event.clone(),
            document: record.document.clone(),
        });
        Ok(fitting(unlogged, LOGGED_BYTES, |event| &event.event))
    }

    async fn tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<Hash>>, Error> {
        let log = &self.inner.borrow().log;
        Ok(tiles.iter().map(|tile| log.tile(tile)).collect())
    }

    async fn commitments(&self, leaves: Range<u64>) -> Result<Vec<Hash>, Error> {
        let log = &self.inner.borrow().log;
        let from = usize::try_from(leaves.start).unwrap_or(usize::MAX);
        let count = usize::try_from(leaves.end - leaves.start).unwrap_or(usize::MAX);
        let wanted = log.leaves.iter().skip(from).take(count);
        Ok(wanted.map(|(_, _, commitment)| *commitment).collect())
    }

    async fn extend(&self, extension: &Extension) -> Result<bool, Error> {
        let log = &mut self.inner.borrow_mut().log;
        if log.heads.keys().next_back().copied() != extension.previous {
            return Ok(false);
        }
        let leaves = extension.leaves.iter();
        log.leaves.extend(leaves.map(|leaf| (leaf.sequence, leaf.salt, leaf.commitment)));
        for tile in &extension.tiles {
            log.tiles.insert((tile.level, tile.number), tile.clone());
        }
        let head = extension.head.clone();
        log.heads.insert(head.size, head);
        Ok(true)
    }

    async fn select_logged(&self, selection: &Selection<'_>) -> Result<Logged, Error> {
        let events = self.select(selection).await?.events;
        let inner = self.inner.borrow();
        let with_leaf = |event: StoredEvent| {
            let leaf = inner.leaf(event.sequence);
            (event, leaf)
        };
        Ok(Logged {
            events: events.into_iter().map(with_leaf).collect(),
            head: inner.log.last_head(),
        })
    }

    async fn leaves(&self, sequences: &[u64]) -> Result<(Vec<(u64, Leaf)>, Option<Head>), Error> {
        let inner = self.inner.borrow();
        let leaves = sequences.iter().filter_map(|sequence| {
            let leaf = inner.leaf(*sequence)?;
            Some((*sequence, leaf))
        });
        Ok((leaves.collect(), inner.log.last_head()))
    }

    async fn keep_cosignatures(&self, size: u64, lines: &[(String, String)]) -> Result<(), Error> {
        let log = &mut self.inner.borrow_mut().log;
        for (name, line) in lines {
            let key = (size, name.clone());
            let kept = log.cosignatures.entry(key).or_insert_with(|| (line.clone(), line.clone()));
            kept.1.clone_from(line);
        }
        Ok(())
    }

    async fn last_cosigned_by(&self, name: &str) -> Result<Option<(u64, String)>, Error> {
        let log = &self.inner.borrow().log;
        let mut newest = log.cosignatures.iter().rev();
        let found = newest.find(|((_, other), _)| other == name);
        Ok(found.map(|((size, _), (_, latest))| (*size, latest.clone())))
    }

    async fn last_halt(&self) -> Result<Option<Halt>, Error> {
        Ok(self.inner.borrow().log.halts.last().cloned())
    }

    async fn halt(&self, halt: &Halt) -> Result<(), Error> {
        let halts = &mut self.inner.borrow_mut().log.halts;
        if halts.last().is_none_or(|last| last.ended.is_some()) {
            halts.push(halt.clone());
        }
        Ok(())
    }

    async fn resume(&self, at: &str) -> Result<(), Error> {
        let halts = &mut self.inner.borrow_mut().log.halts;
        if let Some(Halt { ended, .. }) = halts.last_mut() {
            ended.get_or_insert_with(|| at.to_owned());
        }
        Ok(())
    }

    async fn backlog(&self) -> Result<Backlog, Error> {
        let inner = self.inner.borrow();
        let mut behind = inner.events.iter().skip(inner.log.leaves.len());
        let events = (behind.len() as u64).min(MAX_BACKLOG);
        let oldest = match behind.next() {
            Some(record) => record_time(&record.stored.event)?,
            None => None,
        };
        Ok(Backlog { events, oldest })
    }

    async fn heads(&self, sizes: Range<u64>) -> Result<Vec<Head>, Error> {
        let log = &self.inner.borrow().log;
        let heads = log.heads.range(sizes);
        Ok(heads.map(|(_, head)| log.shown(head)).collect())
    }

    async fn logged_events(&self, leaves: Range<u64>) -> Result<Vec<LoggedEvent>, Error> {
        let inner = self.inner.borrow();
        let from = usize::try_from(leaves.start).unwrap_or(usize::MAX);
        let both = inner.log.leaves.iter().zip(&inner.events).skip(from);
        let found = leaves.zip(both).map(|(leaf, ((sequence, salt, _), record))| LoggedEvent {
            leaf,
            sequence: *sequence,
            salt: Some(*salt),
            event: record.stored.event.clone(),
            document: record.document.clone(),
        });
        Ok(fitting(found, LOGGED_BYTES, |logged| &logged.event))
    }

    async fn events_between(&self, leaves: Range<u64>) -> Result<u64, Error> {
        // In this store the index of a leaf is the position of its event.
        let count = self.inner.borrow().log.leaves.len() as u64;
        Ok(leaves.end.min(count) - leaves.start.min(count))
    }

    async fn head_copy(&self) -> Result<Option<HeadCopy>, Error> {
        Ok(self.inner.borrow().log.copy.clone())
    }

    async fn copy_head(&self, copy: &HeadCopy) -> Result<(), Error> {
        self.inner.borrow_mut().log.copy = Some(copy.clone());
        Ok(())
    }
}

/// Events up to the one that fills `bytes`.
fn fitting<T>(events: impl Iterator<Item = T>, bytes: usize, text: impl Fn(&T) -> &str) -> Vec<T> {
    let mut used = 0_usize;
    let fitting = events.take_while(|event| {
        let has_room = used < bytes;
        used = used.saturating_add(text(event).len());
        has_room
    });
    fitting.collect()
}

/// The `recordTime` of a stored event.
fn record_time(event: &str) -> Result<Option<String>, Error> {
    let read = Document::read_text(event)?;
    let time = read.root().get("recordTime").and_then(Value::as_str);
    Ok(time.map(|time| time.into_owned()))
}
