//! Several stores as one: each has all events of some accounts.
//!
//! An account has one home, given to it by its first capture. So one store alone keeps the events of a capture, finds their
//! duplicates, and answers questions about the account. The first home also has everything that belongs to no event: keys,
//! documents, named queries, the log, and the list of which account lives where.
//!
//! **Order**: each home has an order of its own. In the order of capture, homes follow one after the other; in an order of time,
//! events of all homes are merged.

mod first;
mod log;

pub use log::{BareLeaf, LogParts};

use super::{
    AlreadyStored, AppendResult, Batch, ElementSelection, Events, FoundElements,
    IdentifierSelection, JobEvents, Jobs, Listed, MasterData, NewJob, Selected, Selection, Store,
    StoredEvent, StoredJob, ValueSelection, Values,
};
use crate::query::{OrderBy, Places, TimeField, home_of};
use async_trait::async_trait;
use epcis_edge_text::error::{Error, ErrorKind};
use epcis_edge_text::time::Timestamp;
use futures_util::future::try_join_all;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How many homes are asked at once for events in the order of capture.
const AT_ONCE: usize = 4;

/// How many accounts are remembered with their homes.
const REMEMBERED: usize = 10_000;

/// Which account lives where; kept in the first home.
#[async_trait(?Send)]
pub trait AccountHomes {
    /// The homes of these accounts; an account that has captured nothing has none.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn homes_of(&self, accounts: &[&str]) -> Result<BTreeMap<String, u64>, Error>;

    /// The home that this store was made for: it gives its events their numbers.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn own_home(&self) -> Result<u64, Error>;

    /// The home of an account. An account without one gets the home with the fewest accounts among the first `homes`, and keeps it
    /// for ever.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn settle(&self, account: &str, homes: u64) -> Result<u64, Error>;
}

/// The store of one home.
pub trait Home: Store + AccountHomes + LogParts {}

impl<S: Store + AccountHomes + LogParts> Home for S {}

/// A store made of the stores of several homes.
pub struct Homes {
    /// In the order of their numbers: the first is home 0.
    stores: Vec<Rc<dyn Home>>,
    memory: Rc<HomesMemory>,
}

/// Facts about homes that never change, remembered once they are known. This memory may outlive the stores: each request may make
/// stores of its own.
#[derive(Debug, Default)]
pub struct HomesMemory {
    known: RefCell<BTreeMap<String, u64>>,
    /// The homes whose store has confirmed that it was made for that home.
    verified: RefCell<BTreeSet<u64>>,
}

impl Homes {
    /// The homes 0, 1, 2 and so on.
    #[must_use]
    pub fn new(stores: Vec<Rc<dyn Home>>) -> Self {
        Self::remembering(stores, Rc::default())
    }

    /// The homes 0, 1, 2 and so on, with what earlier stores over the same homes have learnt.
    #[must_use]
    pub fn remembering(stores: Vec<Rc<dyn Home>>, memory: Rc<HomesMemory>) -> Self {
        Self { stores, memory }
    }

    /// # Errors
    /// [`ErrorKind::Internal`] if there is no such home.
    fn store(&self, home: u64) -> Result<&dyn Home, Error> {
        let store = usize::try_from(home).ok().and_then(|home| self.stores.get(home));
        store.map(Rc::as_ref).ok_or_else(|| {
            let count = self.stores.len();
            Error::new(ErrorKind::Internal {
                detail: format!("home {home} is not configured: there are {count} homes"),
            })
        })
    }

    /// The store of the only home; `None` if there are several.
    fn only(&self) -> Option<&dyn Home> {
        match self.stores.as_slice() {
            [only] => Some(only.as_ref()),
            _ => None,
        }
    }

    fn all(&self) -> impl Iterator<Item = u64> + use<> {
        0..self.stores.len() as u64
    }

    fn remember(&self, account: &str, home: u64) {
        let mut known = self.memory.known.borrow_mut();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(account.to_owned(), home);
    }
}

impl Homes {
    /// The homes in which these accounts have events, in order; all homes for all accounts.
    async fn scope(&self, accounts: Option<&[&str]>) -> Result<Vec<u64>, Error> {
        let Some(accounts) = accounts else {
            return Ok(self.all().collect());
        };
        if self.stores.len() < 2 {
            return Ok(self.all().collect());
        }
        let mut homes = BTreeSet::new();
        let mut unknown = Vec::new();
        for account in accounts {
            match self.memory.known.borrow().get(*account) {
                Some(home) => drop(homes.insert(*home)),
                None => unknown.push(*account),
            }
        }
        if !unknown.is_empty() {
            let found = self.store(0)?.homes_of(&unknown).await?;
            for (account, home) in found {
                self.remember(&account, home);
                homes.insert(home);
            }
        }
        Ok(homes.into_iter().collect())
    }

    /// The store in which an account has its events; `None` if it has captured nothing.
    async fn home(&self, account: &str) -> Result<Option<&dyn Home>, Error> {
        let homes = self.scope(Some(&[account])).await?;
        homes.first().map(|home| self.store(*home)).transpose()
    }

    /// The store of an account's events. An account that has captured nothing gets its home now.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if that store was made for another home; a fault of the storage.
    async fn settled_home(&self, account: &str) -> Result<&dyn Home, Error> {
        if let Some(only) = self.only() {
            return Ok(only);
        }
        let home = match self.scope(Some(&[account])).await?.first() {
            Some(home) => *home,
            None => {
                let home = self.store(0)?.settle(account, self.stores.len() as u64).await?;
                self.remember(account, home);
                home
            }
        };
        let store = self.store(home)?;
        if !self.memory.verified.borrow().contains(&home) {
            require_home(store.own_home().await?, home)?;
            self.memory.verified.borrow_mut().insert(home);
        }
        Ok(store)
    }
}

/// # Errors
/// [`ErrorKind::Internal`] if a store was made for another home: the settings then name the databases in another order than before.
fn require_home(found: u64, home: u64) -> Result<(), Error> {
    if found == home {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Internal {
        detail: format!("the database that is configured for home {home} is that of home {found}"),
    }))
}

#[async_trait(?Send)]
impl Events for Homes {
    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<AppendResult, Error> {
        let store = self.settled_home(&job.account).await?;
        store.append(batch, job).await
    }

    async fn known(&self, batch: &Batch, account: &str) -> Result<AlreadyStored, Error> {
        match self.home(account).await? {
            Some(store) => store.known(batch, account).await,
            None => Ok(AlreadyStored::default()),
        }
    }

    async fn numbered(&self, sequences: &[u64], bytes: usize) -> Result<Vec<StoredEvent>, Error> {
        let mut by_home: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for sequence in sequences {
            by_home.entry(home_of(*sequence)).or_default().push(*sequence);
        }
        let mut found: Vec<StoredEvent> = Vec::new();
        let mut left = bytes;
        for (home, sequences) in by_home {
            if left == 0 {
                break;
            }
            let here = self.store(home)?.numbered(&sequences, left).await?;
            let is_cut = here.len() < sequences.len();
            left = left.saturating_sub(bytes_of(&here));
            found.extend(here);
            if is_cut {
                break;
            }
        }
        Ok(found)
    }

    async fn select(&self, selection: &Selection<'_>) -> Result<Selected, Error> {
        if let Some(only) = self.only() {
            return only.select(selection).await;
        }
        let homes = self.scope(selection.accounts).await?;
        let upper = match selection.upper {
            Some(upper) => upper.clone(),
            None => self.newest_of(&homes).await?,
        };
        let asked = InHomes { selection, upper: &upper };
        let (events, is_last) = match selection.order.by {
            OrderBy::Capture => self.in_turn(&asked, homes).await?,
            OrderBy::EventTime => self.merged(&asked, &homes, TimeField::EventTime).await?,
            OrderBy::RecordTime => self.merged(&asked, &homes, TimeField::RecordTime).await?,
        };
        Ok(Selected { events, newest: upper, is_last })
    }

    async fn newest_events(&self) -> Result<Places, Error> {
        let homes: Vec<u64> = self.all().collect();
        self.newest_of(&homes).await
    }
}

/// A selection, and how far it goes in each home.
struct InHomes<'q> {
    selection: &'q Selection<'q>,
    upper: &'q Places,
}

/// The places of a selection in one home.
struct Bounds {
    since: Places,
    upper: Places,
}

impl InHomes<'_> {
    fn bounds(&self, home: u64) -> Bounds {
        Bounds { since: self.selection.since.only(home), upper: self.upper.only(home) }
    }
}

impl Homes {
    async fn newest_of(&self, homes: &[u64]) -> Result<Places, Error> {
        let newest = homes.iter().map(|home| async {
            let newest = self.store(*home)?.newest_events().await?.single();
            // A home without events may return 0, which does not tell its home.
            if newest > 0 {
                require_home(home_of(newest), *home)?;
            }
            Ok::<_, Error>(newest)
        });
        Ok(try_join_all(newest).await?.into_iter().collect())
    }

    /// Events of a selection in the order of capture: one home after the other.
    async fn in_turn(
        &self,
        asked: &InHomes<'_>,
        mut homes: Vec<u64>,
    ) -> Result<(Vec<StoredEvent>, bool), Error> {
        let selection = asked.selection;
        let is_descending = selection.order.descending;
        if is_descending {
            homes.reverse();
        }
        if let Some(cursor) = selection.after {
            let begun = home_of(cursor.sequence);
            homes.retain(|home| if is_descending { *home <= begun } else { *home >= begun });
        }
        let mut events: Vec<StoredEvent> = Vec::new();
        let mut bytes = selection.bytes;
        // If the first home has no more events, the next ones may have none either: from then on, several are asked at once.
        let mut at_once = 1;
        while !homes.is_empty() {
            let rest = homes.split_off(at_once.min(homes.len()));
            let asked_now = std::mem::replace(&mut homes, rest);
            at_once = AT_ONCE;
            let limit = selection.limit - events.len();
            let each = (bytes / asked_now.len()).max(1);
            let found = asked_now.iter().map(|home| async {
                let Bounds { since, upper } = asked.bounds(*home);
                let here = Selection {
                    since: &since,
                    upper: Some(&upper),
                    limit,
                    bytes: each,
                    ..*selection
                };
                self.store(*home)?.select(&here).await
            });
            let mut found = try_join_all(found).await?.into_iter().peekable();
            while let Some(here) = found.next() {
                let is_here = !here.events.is_empty();
                for event in here.events {
                    if events.len() == selection.limit {
                        return Ok((events, false));
                    }
                    bytes = bytes.saturating_sub(event.event.len());
                    events.push(event);
                }
                if !here.is_last && is_here || events.len() == selection.limit || bytes == 0 {
                    let is_last = here.is_last && found.peek().is_none() && homes.is_empty();
                    return Ok((events, is_last));
                }
            }
        }
        Ok((events, true))
    }

    /// Events of a selection in an order of time, from all homes.
    async fn merged(
        &self,
        asked: &InHomes<'_>,
        homes: &[u64],
        field: TimeField,
    ) -> Result<(Vec<StoredEvent>, bool), Error> {
        let selection = asked.selection;
        let is_descending = selection.order.descending;
        let each = (selection.bytes / homes.len().max(1)).max(1);
        let found = homes.iter().map(|home| async {
            let Bounds { since, upper } = asked.bounds(*home);
            let here = Selection { since: &since, upper: Some(&upper), bytes: each, ..*selection };
            self.store(*home)?.select(&here).await
        });
        type Place = (Option<Timestamp>, u64);
        let mut merged: Vec<(Place, StoredEvent)> = Vec::new();
        let mut ends: Vec<Place> = Vec::new();
        for found in try_join_all(found).await? {
            let mut end = None;
            for event in found.events {
                let time = event.facts(selection.predicate)?.time(field);
                let place = (time, event.sequence);
                end = Some(place);
                merged.push((place, event));
            }
            ends.extend(end.filter(|_| !found.is_last));
        }
        merged.sort_by(|(one, _), (other, _)| match is_descending {
            true => other.cmp(one),
            false => one.cmp(other),
        });
        // A home that is not at its end may have more events after its last one here, so the page ends at the first such place.
        let end = match is_descending {
            true => ends.iter().max(),
            false => ends.iter().min(),
        };
        let count = merged.len();
        if let Some(end) = end {
            merged.retain(|(place, _)| if is_descending { place >= end } else { place <= end });
        }
        let mut events: Vec<StoredEvent> = Vec::new();
        let mut bytes = 0_usize;
        for (_, event) in merged {
            if events.len() == selection.limit || bytes >= selection.bytes {
                break;
            }
            bytes = bytes.saturating_add(event.event.len());
            events.push(event);
        }
        let is_last = end.is_none() && events.len() == count;
        Ok((events, is_last))
    }
}

fn bytes_of(events: &[StoredEvent]) -> usize {
    events.iter().map(|event| event.event.len()).sum()
}

#[async_trait(?Send)]
impl Jobs for Homes {
    async fn jobs(
        &self,
        account: &str,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<StoredJob>, Error> {
        match self.home(account).await? {
            Some(store) => store.jobs(account, before, limit).await,
            None => Ok(Vec::new()),
        }
    }

    async fn job_events(
        &self,
        account: &str,
        number: u64,
        limit: usize,
    ) -> Result<JobEvents, Error> {
        match self.home(account).await? {
            Some(store) => store.job_events(account, number, limit).await,
            None => Ok(JobEvents::default()),
        }
    }
}

#[async_trait(?Send)]
impl Values for Homes {
    async fn values(&self, selection: &ValueSelection<'_>) -> Result<Listed, Error> {
        let homes = self.scope(selection.accounts).await?;
        let found = homes.iter().map(|home| async { self.store(*home)?.values(selection).await });
        let found = try_join_all(found).await?;
        // A home that is not at its end may have more values after its `next`, so the list ends at the first such place.
        let end = found.iter().filter_map(|found| found.next.clone()).min();
        let values = found.into_iter().flat_map(|found| found.values);
        let values: BTreeSet<String> =
            values.filter(|value| end.as_ref().is_none_or(|end| value <= end)).collect();
        let is_cut = values.len() > selection.limit;
        let values: Vec<String> = values.into_iter().take(selection.limit).collect();
        let next = match is_cut {
            true => values.last().cloned(),
            false => end,
        };
        Ok(Listed { values, next })
    }
}

#[async_trait(?Send)]
impl MasterData for Homes {
    async fn newest_elements(&self) -> Result<Places, Error> {
        let newest = self.stores.iter().map(|store| store.newest_elements());
        let newest = try_join_all(newest).await?;
        Ok(newest.iter().map(Places::single).collect())
    }

    async fn identifiers(&self, selection: &IdentifierSelection<'_>) -> Result<Vec<String>, Error> {
        let homes = self.scope(selection.accounts).await?;
        let found = homes.iter().map(|home| async {
            let upper = selection.upper.only(*home);
            let here = IdentifierSelection { upper: &upper, ..*selection };
            self.store(*home)?.identifiers(&here).await
        });
        let found: BTreeSet<String> = try_join_all(found).await?.into_iter().flatten().collect();
        Ok(found.into_iter().take(selection.limit).collect())
    }

    async fn elements(&self, selection: &ElementSelection<'_>) -> Result<FoundElements, Error> {
        let homes = self.scope(selection.accounts).await?;
        let found = homes.iter().map(|home| async {
            let upper = selection.upper.only(*home);
            let here = ElementSelection {
                upper: &upper,
                bytes: (selection.bytes / homes.len()).max(1),
                ..*selection
            };
            self.store(*home)?.elements(&here).await
        });
        let (mut elements, mut ends) = (Vec::new(), Vec::new());
        for found in try_join_all(found).await? {
            let end = found.elements.last().map(|element| element.place.clone());
            ends.extend(end.filter(|_| !found.is_last));
            elements.extend(found.elements);
        }
        elements.sort_by(|one, other| one.place.cmp(&other.place));
        let count = elements.len();
        let end = ends.into_iter().min();
        if let Some(end) = &end {
            elements.retain(|element| element.place <= *end);
        }
        elements.truncate(selection.limit);
        Ok(FoundElements { is_last: end.is_none() && elements.len() == count, elements })
    }
}
