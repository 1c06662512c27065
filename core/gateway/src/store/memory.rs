//! A store in memory, which lasts as long as the process. It uses ordered maps, so that answers never vary.

mod log;
mod master_data;

use super::{
    AlreadyStored, AppendResult, Batch, DocumentDigest, Documents, Events, Expected, Identity,
    JobEvents, Jobs, Key, Keys, KnownEvent, Listed, NamedQuery, Namesake, NewJob, Queries,
    QueryPut, Receipt, Selected, Selection, StoredEvent, StoredJob, ValueSelection, Values,
};
use crate::query::{Collection, Facts, MAX_LISTED, OrderBy, Places, TimeField};
use async_trait::async_trait;
use epcis_edge_document::hash::event_name;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::Document;
use epcis_edge_text::time::Timestamp;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// A store in memory.
///
/// # Example
/// ```
/// use epcis_edge_gateway::store::{DocumentDigest, Documents as _, MemoryStore};
/// let store = MemoryStore::new();
/// let digest = DocumentDigest::of(b"{}");
/// pollster::block_on(store.keep(&digest, b"{}"))?;
/// assert_eq!(pollster::block_on(store.document(&digest))?.as_deref(), Some(&b"{}"[..]));
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryStore {
    inner: RefCell<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    events: Vec<Record>,
    /// The `recordTime` of the last capture.
    last_time: Timestamp,
    /// The index in `events` of the event with an identity.
    identities: BTreeMap<Identity, usize>,
    /// The indexes in `events` of an account's events that have a name, without error declarations.
    names: BTreeMap<(String, String), Vec<usize>>,
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
    who: String,
    /// The digest of the document that contained it.
    document: String,
    /// The indexed fields, without extension members.
    facts: Facts,
}

impl Record {
    /// The time by which it is ordered, before the order of capture.
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

    /// Adds a capture key, or replaces the one with the same identifier.
    pub fn put_key(&self, key: Key) {
        self.inner.borrow_mut().keys.insert(key.id.clone(), key);
    }
}

/// How many events or elements there are up to a place.
fn count_up_to(places: &Places) -> usize {
    usize::try_from(places.single()).unwrap_or(usize::MAX)
}

impl Inner {
    /// The events of an account's batch that are stored already, and the stored events with the same names.
    fn known(&self, batch: &Batch, account: &str) -> AlreadyStored {
        let mut known = AlreadyStored::default();
        for (position, new) in batch.events.iter().enumerate() {
            let at = self.identities.get(&new.identity).copied();
            if let Some(record) = at.and_then(|at| self.events.get(at)) {
                known.events.push(KnownEvent {
                    position,
                    sequence: record.stored.sequence,
                    event_id: record.event_id.clone(),
                    content_hash: record.stored.content_hash.clone(),
                });
            }
            if new.identity.declares_error() {
                continue;
            }
            let name = (account.to_owned(), event_name(&new.event_id).into_owned());
            let bearers = self.names.get(&name).into_iter().flatten();
            let bearers = bearers.filter_map(|at| self.events.get(*at));
            known.namesakes.extend(bearers.map(|record| Namesake {
                position,
                sequence: record.stored.sequence,
                who: Some(record.who.clone()),
            }));
        }
        known
    }
}

#[async_trait(?Send)]
impl Events for MemoryStore {
    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<AppendResult, Error> {
        let inner = &mut *self.inner.borrow_mut();
        let record_time = batch.record_time.max(inner.last_time);
        // Everything that can fail is done before the first event is stored.
        let indexed = batch.events.iter().map(|new| {
            let text = new.recorded_at(record_time);
            let facts = Facts::indexed(Document::read_text(&text)?.root());
            Ok((text, facts))
        });
        let indexed = indexed.collect::<Result<Vec<_>, Error>>()?;
        let known = inner.known(batch, &job.account);
        let mut stored: BTreeMap<&Identity, u64> = BTreeMap::new();
        let mut found = Expected::default();
        for event in &known.events {
            if let Some(new) = batch.events.get(event.position) {
                stored.insert(&new.identity, event.sequence);
            }
        }
        let mut namesakes: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
        for other in &known.namesakes {
            let of_name = namesakes.entry(other.position).or_default();
            of_name.push(other.sequence);
        }
        let aliases: BTreeSet<usize> = job.aliases.iter().copied().collect();
        let mut seen = BTreeSet::new();
        for (position, new) in batch.events.iter().enumerate() {
            let own = stored.get(&new.identity);
            let is_first = seen.insert(&new.identity) && own.is_none();
            found.duplicates += usize::from(!is_first);
            if is_first || aliases.contains(&position) {
                let others = namesakes.get(&position).into_iter().flatten();
                found.namesakes += others.filter(|other| Some(*other) != own).count();
            }
        }
        if found != job.expected {
            return Ok(AppendResult::Unexpected);
        }
        inner.master_data.append(&job.account, batch, record_time)?;
        inner.last_time = record_time;
        let mut of_job = JobEvents::default();
        for (position, (new, (event, facts))) in batch.events.iter().zip(indexed).enumerate() {
            let name = |name: &str| (job.account.clone(), event_name(name).into_owned());
            let known = inner.identities.get(&new.identity).copied();
            if let Some((at, first)) = known.and_then(|at| Some((at, inner.events.get_mut(at)?))) {
                if aliases.contains(&position) {
                    let alias = new.event_id.clone();
                    if !first.facts.declares_error {
                        inner.names.entry(name(&alias)).or_default().push(at);
                    }
                    let facts = std::mem::take(&mut first.facts);
                    first.facts = facts.also_named(std::slice::from_ref(&alias));
                    first.stored.aliases.push(alias);
                }
                of_job.duplicates.push(first.event_id.clone());
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
            if !new.identity.declares_error() {
                let bearers = inner.names.entry(name(&new.event_id)).or_default();
                bearers.push(at);
            }
            inner.events.push(Record {
                stored: StoredEvent {
                    sequence: at as u64 + 1,
                    content_hash: new.content_hash.to_string(),
                    captured_by: account.to_owned(),
                    event,
                    aliases: Vec::new(),
                },
                event_id: new.event_id.clone(),
                who: new.identity.who.as_ref().to_owned(),
                document: batch.document.to_string(),
                facts,
            });
        }
        let jobs = inner.jobs.entry(job.account.clone()).or_default();
        let number = jobs.len() as u64 + 1;
        let stored = StoredJob {
            number,
            time: record_time,
            behaviour: job.behaviour,
            success: job.success,
            document: batch.document.to_string(),
            events: batch.events.len() as u64,
            duplicates: of_job.duplicates.len() as u64,
            report: job.report.clone(),
        };
        jobs.push((stored, of_job));
        Ok(AppendResult::Done(Receipt { job: number, record_time }))
    }

    async fn known(&self, batch: &Batch, account: &str) -> Result<AlreadyStored, Error> {
        Ok(self.inner.borrow().known(batch, account))
    }

    async fn numbered(&self, sequences: &[u64], bytes: usize) -> Result<Vec<StoredEvent>, Error> {
        let inner = self.inner.borrow();
        let mut left = bytes;
        let mut found = Vec::new();
        for record in &inner.events {
            if !sequences.contains(&record.stored.sequence) {
                continue;
            }
            if left == 0 {
                break;
            }
            left = left.saturating_sub(record.stored.event.len());
            found.push(record.stored.clone());
        }
        Ok(found)
    }

    async fn select(&self, selection: &Selection<'_>) -> Result<Selected, Error> {
        let inner = self.inner.borrow();
        let order = selection.order;
        let upper = selection.upper.map_or(inner.events.len(), count_up_to);
        let since = count_up_to(selection.since);
        let place = |record: &Record| (record.time(order.by), record.stored.sequence);
        let is_behind = |record: &Record| {
            selection.after.is_none_or(|cursor| {
                let cursor = (cursor.time, cursor.sequence);
                if order.descending { place(record) < cursor } else { place(record) > cursor }
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
            .take(upper)
            .skip(since)
            .filter(|record| is_in_scope(record) && is_behind(record))
            .filter(|record| {
                let hash = &record.stored.content_hash;
                if !selection.predicate.asks_about_extensions() {
                    return selection.predicate.matches(&record.facts, hash);
                }
                // An unreadable event counts as a match; the caller reports it when the predicate reads it.
                let facts = record.stored.facts(selection.predicate);
                facts.map_or(true, |facts| selection.predicate.matches(&facts, hash))
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
            events: found.iter().take(count).map(|record| record.stored.clone()).collect(),
            newest: selection
                .upper
                .cloned()
                .unwrap_or_else(|| Places::at(inner.events.len() as u64)),
            is_last: count == found.len(),
        })
    }

    async fn newest_events(&self, _: Option<&[&str]>) -> Result<Places, Error> {
        let inner = self.inner.borrow();
        Ok(Places::at(inner.events.len() as u64))
    }
}

#[async_trait(?Send)]
impl Documents for MemoryStore {
    async fn keep(&self, digest: &DocumentDigest, document: &[u8]) -> Result<(), Error> {
        let documents = &mut self.inner.borrow_mut().documents;
        documents.entry(*digest).or_insert_with(|| document.to_vec());
        Ok(())
    }

    async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.inner.borrow().documents.get(digest).cloned())
    }
}

#[async_trait(?Send)]
impl Keys for MemoryStore {
    async fn key(&self, id: &str) -> Result<Option<Key>, Error> {
        Ok(self.inner.borrow().keys.get(id).cloned())
    }
}

#[async_trait(?Send)]
impl Jobs for MemoryStore {
    async fn jobs(
        &self,
        account: &str,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<StoredJob>, Error> {
        let inner = self.inner.borrow();
        let jobs = inner.jobs.get(account).into_iter().flatten().rev().map(|(job, _)| job);
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
        Ok(found.map_or_else(JobEvents::default, |(_, events)| JobEvents {
            stored: some(&events.stored),
            duplicates: some(&events.duplicates),
        }))
    }
}

#[async_trait(?Send)]
impl Values for MemoryStore {
    async fn values(&self, selection: &ValueSelection<'_>) -> Result<Listed, Error> {
        let inner = self.inner.borrow();
        let wanted = inner.values.iter().filter(|(account, collection, value)| {
            *collection == selection.collection
                && selection.accounts.is_none_or(|accounts| accounts.contains(&account.as_str()))
                && selection.after.is_none_or(|after| value.as_str() > after)
        });
        let sorted: BTreeSet<&String> = wanted.map(|(.., value)| value).collect();
        let values = sorted.into_iter().take(selection.limit).cloned().collect();
        Ok(Listed::of(values, selection.limit))
    }
}

#[async_trait(?Send)]
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
        let from = (account.to_owned(), after.unwrap_or("").to_owned());
        let behind = inner.queries.range((Bound::Excluded(from), Bound::Unbounded));
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
