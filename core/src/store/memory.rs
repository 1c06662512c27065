//! The store that lives as long as the process: ordered maps, the same answers every time.

mod log;
mod master_data;

use super::{
    Appended, Batch, DocumentDigest, Documents, Events, Identity, JobEvents, Jobs, Key, Keys,
    NamedQuery, NewEvent, NewJob, Queries, QueryPut, Receipt, Selected, Selection, StoredEvent,
    StoredJob, ValueSelection, Values,
};
use crate::error::{Error, ErrorKind};
use crate::json::Document;
use crate::query::{Collection, Facts, MAX_LISTED, OrderBy, TimeField};
use crate::time::Timestamp;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

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
    /// The jobs of each account, in the order of their numbers.
    jobs: BTreeMap<String, Vec<(StoredJob, JobEvents)>>,
    values: BTreeSet<(String, Collection, String)>,
    queries: BTreeMap<(String, String), String>,
    log: log::MemoryLog,
    master_data: master_data::MemoryElements,
}

#[derive(Debug)]
struct Record {
    stored: StoredEvent,
    event_id: String,
    /// The digest of the document that it came in.
    document: String,
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
    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<Receipt, Error> {
        let inner = &mut *self.inner.borrow_mut();
        let is_taken = |name: &String| {
            inner.events.iter().any(|record| {
                record.event_id == *name
                    && record.stored.captured_by == job.account
                    && !record.facts.declares_error
            })
        };
        if job.unless_named.as_ref().is_some_and(is_taken) {
            let detail = "the name of the event is taken".to_owned();
            return Err(Error::new(ErrorKind::Internal { detail }));
        }
        let mut of_job = JobEvents::default();
        let mut appended = Vec::with_capacity(batch.events.len());
        // What may fail comes before the first event is stored.
        let facts = batch.events.iter().map(NewEvent::facts);
        let facts = facts.collect::<Result<Vec<_>, _>>()?;
        inner.master_data.append(&job.account, &batch.master_data)?;
        for (new, facts) in batch.events.iter().zip(facts) {
            let known = inner.identities.get(&new.identity);
            if let Some(first) = known.and_then(|at| inner.events.get(*at)) {
                of_job.duplicates.push(first.event_id.clone());
                appended.push(Appended {
                    duplicate: true,
                    event_id: Some(first.event_id.clone()),
                });
                continue;
            }
            let account = new.identity.captured_by.as_ref();
            for term in &facts.terms {
                if let Some(collection) = Collection::of(term.field)
                    && term.value.len() <= MAX_LISTED
                {
                    let value = (account.to_owned(), collection, term.value.clone());
                    inner.values.insert(value);
                }
            }
            of_job.stored.push(new.event_id.clone());
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
                document: batch.document.to_string(),
                facts,
            });
            appended.push(Appended {
                duplicate: false,
                event_id: None,
            });
        }
        let jobs = inner.jobs.entry(job.account.clone()).or_default();
        let number = jobs.len() as u64 + 1;
        let stored = StoredJob {
            number,
            time: job.time,
            behaviour: job.behaviour,
            success: job.success,
            document: batch.document.to_string(),
            events: batch.events.len() as u64,
            duplicates: of_job.duplicates.len() as u64,
            report: job.report.clone(),
        };
        jobs.push((stored, of_job));
        Ok(Receipt {
            job: number,
            events: appended,
        })
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
                    let facts = selection.predicate.facts(event.root());
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

impl Jobs for MemoryStore {
    async fn jobs(
        &self,
        account: &str,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<StoredJob>, Error> {
        let inner = self.inner.borrow();
        let jobs = inner.jobs.get(account).into_iter().flatten().rev();
        let jobs = jobs.map(|(job, _)| job);
        let wanted = jobs.filter(|job| before.is_none_or(|before| job.number < before));
        Ok(wanted.take(limit).cloned().collect())
    }

    async fn job_events(
        &self,
        account: &str,
        number: u64,
        limit: usize,
    ) -> Result<JobEvents, Error> {
        let inner = self.inner.borrow();
        let mut jobs = inner.jobs.get(account).into_iter().flatten();
        let found = jobs.find(|(job, _)| job.number == number);
        let some = |names: &Vec<String>| names.iter().take(limit).cloned().collect();
        Ok(
            found.map_or_else(JobEvents::default, |(_, events)| JobEvents {
                stored: some(&events.stored),
                duplicates: some(&events.duplicates),
            }),
        )
    }
}

impl Values for MemoryStore {
    async fn values(&self, selection: &ValueSelection<'_>) -> Result<Vec<String>, Error> {
        let inner = self.inner.borrow();
        let wanted = inner.values.iter().filter(|(account, collection, value)| {
            *collection == selection.collection
                && selection
                    .accounts
                    .is_none_or(|accounts| accounts.contains(&account.as_str()))
                && selection.after.is_none_or(|after| value.as_str() > after)
        });
        let sorted: BTreeSet<&String> = wanted.map(|(.., value)| value).collect();
        Ok(sorted.into_iter().take(selection.limit).cloned().collect())
    }
}

impl Queries for MemoryStore {
    async fn put_query(
        &self,
        account: &str,
        query: &NamedQuery,
        limit: usize,
    ) -> Result<QueryPut, Error> {
        let queries = &mut self.inner.borrow_mut().queries;
        let key = (account.to_owned(), query.name.clone());
        if queries.contains_key(&key) {
            return Ok(QueryPut::Exists);
        }
        if queries.keys().filter(|(of, _)| of == account).count() >= limit {
            return Ok(QueryPut::Full);
        }
        queries.insert(key, query.query.clone());
        Ok(QueryPut::Added)
    }

    async fn query_named(&self, account: &str, name: &str) -> Result<Option<NamedQuery>, Error> {
        let key = (account.to_owned(), name.to_owned());
        let query = self.inner.borrow().queries.get(&key).cloned();
        Ok(query.map(|query| NamedQuery { name: key.1, query }))
    }

    async fn queries(
        &self,
        account: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<NamedQuery>, Error> {
        let inner = self.inner.borrow();
        let from = (account.to_owned(), after.unwrap_or_default().to_owned());
        let behind = inner
            .queries
            .range((Bound::Excluded(from), Bound::Unbounded));
        let of_account = behind.take_while(|((of, _), _)| of == account);
        let query = |((_, name), query): (&(String, String), &String)| NamedQuery {
            name: name.clone(),
            query: query.clone(),
        };
        Ok(of_account.take(limit).map(query).collect())
    }

    async fn remove_query(&self, account: &str, name: &str) -> Result<bool, Error> {
        let key = (account.to_owned(), name.to_owned());
        Ok(self.inner.borrow_mut().queries.remove(&key).is_some())
    }
}
