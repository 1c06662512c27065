//! The store that lives as long as the process: ordered maps, the same answers every time.

use super::{
    Appended, Batch, DocumentDigest, Documents, Events, Identity, Key, Keys, NewEvent, Selected,
    Selection, StoredEvent,
};
use crate::error::Error;
use crate::json::Document;
use crate::query::{Facts, OrderBy, TimeField};
use crate::time::Timestamp;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A store in memory.
///
/// # Example
/// ```
/// use epcis_edge_core::store::{DocumentDigest, Documents as _, MemoryStore};
/// let store = MemoryStore::new();
/// let digest = DocumentDigest::of(b"{}");
/// pollster::block_on(store.keep(&digest, b"{}"))?;
/// assert_eq!(pollster::block_on(store.document(&digest))?.as_deref(), Some(&b"{}"[..]));
/// # Ok::<(), epcis_edge_core::error::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryStore {
    inner: RefCell<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    events: Vec<Record>,
    /// Where the event of an identity is among the events.
    identities: BTreeMap<Identity, usize>,
    documents: BTreeMap<DocumentDigest, Vec<u8>>,
    keys: BTreeMap<String, Key>,
}

#[derive(Debug)]
struct Record {
    stored: StoredEvent,
    event_id: String,
    /// What is indexed: no extension members.
    facts: Facts,
}

impl Record {
    /// By what it is ordered, before the order of capture.
    fn time(&self, by: OrderBy) -> Option<Timestamp> {
        match by {
            OrderBy::Capture => None,
            OrderBy::EventTime => self.facts.time(TimeField::EventTime),
            OrderBy::RecordTime => self.facts.time(TimeField::RecordTime),
        }
    }
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a capture key, in place of one with the same identifier.
    pub fn put_key(&self, key: Key) {
        self.inner.borrow_mut().keys.insert(key.id.clone(), key);
    }
}

impl Events for MemoryStore {
    async fn append(&self, batch: &Batch) -> Result<Vec<Appended>, Error> {
        let inner = &mut *self.inner.borrow_mut();
        let mut appended = Vec::with_capacity(batch.events.len());
        // What may fail comes before the first event is stored.
        let facts = batch.events.iter().map(NewEvent::facts);
        let facts = facts.collect::<Result<Vec<_>, _>>()?;
        for (new, facts) in batch.events.iter().zip(facts) {
            let known = inner.identities.get(&new.identity);
            if let Some(first) = known.and_then(|at| inner.events.get(*at)) {
                appended.push(Appended {
                    duplicate: true,
                    event_id: Some(first.event_id.clone()),
                });
                continue;
            }
            let at = inner.events.len();
            inner.identities.insert(new.identity.clone(), at);
            inner.events.push(Record {
                stored: StoredEvent {
                    sequence: at as u64 + 1,
                    content_hash: new.content_hash.to_string(),
                    captured_by: new.identity.captured_by.as_ref().to_owned(),
                    event: new.event.clone(),
                },
                event_id: new.event_id.clone(),
                facts,
            });
            appended.push(Appended {
                duplicate: false,
                event_id: None,
            });
        }
        Ok(appended)
    }

    async fn select(&self, selection: &Selection<'_>) -> Result<Selected, Error> {
        let inner = self.inner.borrow();
        let order = selection.order;
        let newest = inner.events.len() as u64;
        let upper = selection.upper.unwrap_or(newest);
        let place = |record: &Record| (record.time(order.by), record.stored.sequence);
        let is_behind = |record: &Record| {
            selection.after.is_none_or(|cursor| {
                let cursor = (cursor.time, cursor.sequence);
                if order.descending {
                    place(record) < cursor
                } else {
                    place(record) > cursor
                }
            })
        };
        let is_in_scope = |record: &Record| {
            selection
                .accounts
                .is_none_or(|accounts| accounts.contains(&record.stored.captured_by.as_str()))
        };
        let mut found: Vec<&Record> = inner
            .events
            .iter()
            .filter(|record| record.stored.sequence <= upper)
            .filter(|record| is_in_scope(record) && is_behind(record))
            .filter(|record| {
                let hash = &record.stored.content_hash;
                if !selection.predicate.asks_about_extensions() {
                    return selection.predicate.matches(&record.facts, hash);
                }
                // What cannot be read is the caller's to find: the predicate decides there.
                Document::read_text(&record.stored.event).map_or(true, |event| {
                    let facts = Facts::asked(event.root(), selection.predicate);
                    selection.predicate.matches(&facts, hash)
                })
            })
            .collect();
        if order.by != OrderBy::Capture {
            found.sort_by_key(|record| place(record));
        }
        if order.descending {
            found.reverse();
        }
        let mut bytes = 0;
        let count = found
            .iter()
            .take(selection.limit)
            .take_while(|record| {
                let fits = bytes < selection.bytes;
                bytes += record.stored.event.len();
                fits
            })
            .count();
        Ok(Selected {
            events: found
                .iter()
                .take(count)
                .map(|record| record.stored.clone())
                .collect(),
            newest,
            is_last: count == found.len(),
        })
    }
}

impl Documents for MemoryStore {
    async fn keep(&self, digest: &DocumentDigest, document: &[u8]) -> Result<(), Error> {
        let documents = &mut self.inner.borrow_mut().documents;
        documents
            .entry(*digest)
            .or_insert_with(|| document.to_vec());
        Ok(())
    }

    async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.inner.borrow().documents.get(digest).cloned())
    }
}

impl Keys for MemoryStore {
    async fn key(&self, id: &str) -> Result<Option<Key>, Error> {
        Ok(self.inner.borrow().keys.get(id).cloned())
    }
}
