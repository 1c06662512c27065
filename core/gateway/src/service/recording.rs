//! Compares a batch with the store: events that are stored already, new names for them, and names that other events have.
//!
//! Where does this happen?
//! Here, for every store and every door. A capture first appends as if nothing of it were stored. If the store has more of it
//! than expected, it appends nothing; the capture then reads what is stored, decides, and appends again. Events are never
//! changed, so what was found stays true and the loop ends.

use super::Service;
use crate::call::Call;
use crate::capture::{self, Difference, Policy};
use crate::store::{AlreadyStored, Batch, Expected, Identity, NameSource, Namesake, NewEvent};
use epcis_edge_document::hash::{Claim, event_name};
use epcis_edge_text::error::{Error, excerpt};
use epcis_edge_text::json::Document;
use epcis_edge_text::slice::OrEmpty;
use std::collections::{BTreeMap, BTreeSet};

/// The most duplicates of one capture that are compared with the store.
const COMPARED: usize = 1000;

/// The most bytes of differences that one capture reports.
const MAX_TOLD: usize = 1 << 20;

/// How many events are read from the store at a time.
const READ: usize = 100;

/// The most stored events that are read to learn whether names belong to them.
const MAX_NAME_CHECKS: usize = 200;

/// What is known about a batch before it is appended.
#[derive(Debug, Default)]
pub(super) struct BatchFindings {
    /// What the store must find, too: if it finds anything else, it appends nothing.
    pub(super) expected: Expected,
    /// The events that are stored already or occur earlier in the batch, by position, with the `eventID` of that first one.
    pub(super) duplicates: BTreeMap<usize, String>,
    /// The duplicates whose own names are kept as further names.
    pub(super) aliases: Vec<usize>,
    /// The differences of the duplicates; a duplicate without an entry was not compared.
    pub(super) differences: BTreeMap<usize, Vec<Difference>>,
    /// The events whose names belong to other events.
    pub(super) conflicts: Vec<usize>,
}

/// The message for an event whose name belongs to another event.
pub(super) fn name_taken(name: &str) -> String {
    format!(
        "another event of the account already has the `eventID` {}, expected a different one: only error declarations may \
         repeat an `eventID`",
        excerpt(name)
    )
}

/// The events of a batch that repeat earlier ones, or contradict them.
struct RepeatedEvents {
    /// For each repeated event, the first one of the same identity.
    same: BTreeMap<usize, usize>,
    /// The events whose names belong to earlier events.
    conflicts: BTreeSet<usize>,
}

impl RepeatedEvents {
    fn of(batch: &Batch) -> Self {
        let mut first: BTreeMap<&Identity, usize> = BTreeMap::new();
        let mut bearers: BTreeMap<String, &Identity> = BTreeMap::new();
        let mut twins = Self { same: BTreeMap::new(), conflicts: BTreeSet::new() };
        for (position, event) in batch.events.iter().enumerate() {
            if event.name == NameSource::Given && !event.identity.declares_error() {
                let name = event_name(&event.event_id).into_owned();
                let bearer = bearers.entry(name).or_insert(&event.identity);
                if *bearer != &event.identity {
                    twins.conflicts.insert(position);
                    continue;
                }
            }
            let of_identity = first.entry(&event.identity).or_insert(position);
            if *of_identity != position {
                twins.same.insert(position, *of_identity);
            }
        }
        twins
    }
}

impl Service {
    /// Compares a batch with itself and with what the store knows about it.
    ///
    /// # Errors
    /// [`ErrorKind::CaptureTooComplex`](epcis_edge_text::error::ErrorKind::CaptureTooComplex) if too many names would have to be checked; a fault of the storage.
    pub(super) async fn findings(
        &self,
        batch: &Batch,
        known: &AlreadyStored,
        policy: &Policy<'_>,
        call: &Call,
    ) -> Result<BatchFindings, Error> {
        let twins = RepeatedEvents::of(batch);
        let stored: BTreeMap<usize, _> =
            known.events.iter().map(|event| (event.position, event)).collect();
        let mut namesakes: BTreeMap<usize, Vec<&Namesake>> = BTreeMap::new();
        for namesake in &known.namesakes {
            let own = stored.get(&namesake.position).map(|event| event.sequence);
            if own != Some(namesake.sequence) {
                namesakes.entry(namesake.position).or_default().push(namesake);
            }
        }
        let bears_already: BTreeSet<(usize, u64)> =
            known.namesakes.iter().map(|namesake| (namesake.position, namesake.sequence)).collect();
        let mut findings = BatchFindings::default();
        let mut new_names: BTreeSet<(&Identity, String)> = BTreeSet::new();
        let mut names = NameChecks { service: self, policy, call, left: MAX_NAME_CHECKS };
        for (position, event) in batch.events.iter().enumerate() {
            let others = namesakes.get(&position).map_or(&[][..], Vec::as_slice);
            if twins.conflicts.contains(&position) {
                findings.conflicts.push(position);
                continue;
            }
            let name = event_name(&event.event_id);
            let same = stored.get(&position);
            let before = twins.same.get(&position).and_then(|at| batch.events.get(*at));
            let is_duplicate = same.is_some() || before.is_some();
            let is_further_name = match (same, before) {
                _ if event.name == NameSource::Made => false,
                (Some(same), _) => {
                    event_name(&same.event_id) != name
                        && same.content_hash != name
                        && !bears_already.contains(&(position, same.sequence))
                }
                (None, Some(before)) => {
                    event_name(&before.event_id) != name && before.content_hash.to_string() != name
                }
                (None, None) => false,
            };
            if is_duplicate {
                let first = same.map(|same| same.event_id.clone());
                let first = first.or_else(|| before.map(|before| before.event_id.clone()));
                findings.duplicates.insert(position, first.or_empty());
            }
            if !is_duplicate || is_further_name {
                if names.are_taken(event, others).await? {
                    findings.conflicts.push(position);
                    continue;
                }
                // The same further name counts once, even if it occurs twice in the batch.
                if !is_further_name || new_names.insert((&event.identity, name.into_owned())) {
                    findings.expected.namesakes += others.len();
                    findings.aliases.extend(is_further_name.then_some(position));
                }
            }
        }
        findings.expected.duplicates = findings.duplicates.len();
        if findings.conflicts.is_empty() {
            let sequences = known.events.iter().map(|event| (event.position, event.sequence));
            self.compare(batch, sequences.collect(), &twins, &mut findings, call).await?;
        }
        Ok(findings)
    }

    /// Compares the first duplicates with the events that they repeat.
    async fn compare(
        &self,
        batch: &Batch,
        sequences: BTreeMap<usize, u64>,
        twins: &RepeatedEvents,
        findings: &mut BatchFindings,
        call: &Call,
    ) -> Result<(), Error> {
        let mut left = MAX_TOLD;
        let positions: Vec<usize> = findings.duplicates.keys().copied().collect();
        let mut positions = positions.into_iter().take(COMPARED).peekable();
        while left > 0 && positions.peek().is_some() {
            let some: Vec<usize> = positions.by_ref().take(READ).collect();
            let wanted: BTreeSet<u64> =
                some.iter().filter_map(|position| sequences.get(position).copied()).collect();
            let wanted: Vec<u64> = wanted.into_iter().collect();
            let read = if wanted.is_empty() {
                Vec::new()
            } else {
                let bytes = call.limits.page_bytes;
                self.store.numbered(&wanted, bytes).await?
            };
            let texts: BTreeMap<u64, &str> =
                read.iter().map(|stored| (stored.sequence, stored.event.as_str())).collect();
            for position in some {
                let text = |at: usize| batch.events.get(at).map(|event| event.event.as_str());
                let first = match sequences.get(&position) {
                    Some(sequence) => texts.get(sequence).copied(),
                    None => twins.same.get(&position).and_then(|at| text(*at)),
                };
                let (Some(ours), Some(first)) = (text(position), first) else {
                    continue;
                };
                let ours = Document::read_text(ours)?;
                let first = Document::read_text(first)?;
                let found = capture::differences(ours.root(), first.root());
                let length: usize = found.iter().map(Difference::length).sum();
                let Some(rest) = left.checked_sub(length) else {
                    left = 0;
                    break;
                };
                left = rest;
                findings.differences.insert(position, found);
            }
        }
        Ok(())
    }
}

/// Checks names that several events have.
struct NameChecks<'c> {
    service: &'c Service,
    policy: &'c Policy<'c>,
    call: &'c Call,
    /// How many more stored events may be read.
    left: usize,
}

impl NameChecks<'_> {
    /// Whether the name of a new event belongs to one of these other events.
    ///
    /// A name that is a hash belongs to the events with that hash, even if others have it as a plain name. Two observers may give
    /// the same event the same name.
    async fn are_taken(&mut self, event: &NewEvent, others: &[&Namesake]) -> Result<bool, Error> {
        if event.name != NameSource::Given || event.identity.declares_error() {
            return Ok(false);
        }
        for other in others {
            let is_same_observer = other.who.as_deref() == Some(event.identity.who.as_ref());
            if is_same_observer && !Claim::of(&event.event_id).is_hash() {
                return Ok(true);
            }
            self.left = self.left.checked_sub(1).ok_or_else(|| {
                Error::capture_too_complex(
                    MAX_NAME_CHECKS,
                    "stored events to be read because they have names of events of the document",
                )
            })?;
            let bytes = self.call.limits.page_bytes;
            let read = self.service.store.numbered(&[other.sequence], bytes).await?;
            let stored = read.first().ok_or_else(|| {
                Error::impossible(format!("event {} is not there", other.sequence))
            })?;
            let clean = capture::unstamped(&stored.event, self.policy)?;
            let name = &event.event_id;
            let is_its_hash = stored.content_hash == event_name(name)
                || capture::has_hash(&stored.event, name)?
                || capture::has_hash(&clean, name)?;
            if is_its_hash {
                continue;
            }
            let ours = capture::unstamped(&event.event, self.policy)?;
            if is_same_observer || capture::hash_of(&clean)? != capture::hash_of(&ours)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
