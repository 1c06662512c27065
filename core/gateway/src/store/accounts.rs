//! One store for each account, and what all accounts share: their directory, the log, and the documents.
//!
//! An account's store is the only one that has its events. So it alone keeps the events of a capture, finds their duplicates, and
//! answers questions about the account.
//!
//! **Order**: each account has an order of its own. In the order of capture, accounts follow one after the other; in an order of time,
//! events of all accounts are merged.
//!
//! **Numbers**: the number of an event tells its account, because page tokens, leaves of the log and look-ups need it. The numbers of a
//! store with all accounts are those of account 0, so a store that is moved keeps its tokens.

mod lists;
mod log;
mod merged;
mod shared;

pub use log::{AccountsLog, BareLeaf};

use super::{
    AlreadyStored, AppendResult, Backlog, Batch, Documents, Events, Jobs, Keys, LeafPage,
    MasterData, NewJob, Queries, Selected, Selection, StoredEvent, Unlogged, Values,
};
use crate::query::{MAX_ACCOUNTS, NUMBERS_OF_AN_ACCOUNT, Places, account_of};
use async_trait::async_trait;
use epcis_edge_text::error::Error;
use futures_util::future::try_join_all;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// How many accounts are remembered with their numbers, which never change.
const REMEMBERED: usize = 10_000;

/// How many leaves are looked at for one page of events, and how many events are read for it, with how many bytes.
const LEAVES: u64 = 10_000;
const READ: usize = 500;
const READ_BYTES: usize = 4 << 20;

/// Which accounts there are. An account is given by the place where its numbers begin, which tells its number, too.
#[async_trait(?Send)]
pub trait Directory: Keys + Queries {
    /// Where the numbers of these accounts begin; an account that has captured nothing has none.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn begins_of(&self, accounts: &[&str]) -> Result<BTreeMap<String, u64>, Error>;

    /// Where the numbers of an account begin; a new account gets its number.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn begin(&self, account: &str) -> Result<u64, Error>;

    /// The accounts whose numbers are greater than `after`, in the order of their numbers; at most `limit`.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn accounts(&self, after: u64, limit: usize) -> Result<Vec<(u64, String)>, Error>;
}

/// The store of one account: its events, and what the log asks about them.
#[async_trait(?Send)]
pub trait Account: Events + Jobs + Values + MasterData {
    /// The events after a number, in order; at most `limit`. The last is the one that fills `bytes`.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn events_after(
        &self,
        after: u64,
        limit: usize,
        bytes: usize,
    ) -> Result<Vec<Unlogged>, Error>;

    /// Events by their numbers, in order. The last is the one that fills `bytes`.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn events_at(&self, sequences: &[u64], bytes: usize) -> Result<Vec<Unlogged>, Error>;

    /// The digests of the documents of events, by the numbers of the events.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn documents_at(&self, sequences: &[u64]) -> Result<BTreeMap<u64, String>, Error>;

    /// How many events there are after a number, up to another.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn count_between(&self, after: u64, up_to: u64) -> Result<u64, Error>;

    /// The backlog of this account, if its events after a number have no leaf.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn backlog_after(&self, after: u64) -> Result<Backlog, Error>;
}

/// Opens the store of an account, given by its number.
pub type OpenAccount = Box<dyn Fn(u64) -> Result<Rc<dyn Account>, Error>>;

/// Where the numbers of accounts begin, remembered once it is known. This memory may outlive the store: each request may make a store
/// of its own.
pub type AccountsMemory = Rc<RefCell<BTreeMap<String, u64>>>;

/// A store made of one store for each account.
pub struct Accounts {
    /// Keys, named queries, and the numbers of the accounts.
    pub directory: Rc<dyn Directory>,
    /// The log of all accounts.
    pub log: Rc<dyn AccountsLog>,
    /// The documents as they were received.
    pub documents: Rc<dyn Documents>,
    /// Opens the store of an account.
    pub open: OpenAccount,
    /// What is known of the accounts.
    pub memory: AccountsMemory,
}

impl Accounts {
    /// Where the numbers of these accounts begin, by their numbers.
    async fn begins_of(&self, accounts: &[&str]) -> Result<BTreeMap<u64, u64>, Error> {
        let mut begins: Vec<u64> = Vec::new();
        let mut unknown = Vec::new();
        for account in accounts {
            match self.memory.borrow().get(*account) {
                Some(begin) => begins.push(*begin),
                None => unknown.push(*account),
            }
        }
        if !unknown.is_empty() {
            for (account, begin) in self.directory.begins_of(&unknown).await? {
                self.remember(account, begin);
                begins.push(begin);
            }
        }
        Ok(begins.into_iter().map(|begin| (account_of(begin), begin)).collect())
    }

    fn remember(&self, account: String, begin: u64) {
        let mut known = self.memory.borrow_mut();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(account, begin);
    }

    /// The accounts in which a question looks, in order. A walk stays in those that it began with: those with a place in `upper`.
    ///
    /// # Errors
    /// [`ErrorKind::QueryTooComplex`](epcis_edge_text::error::ErrorKind::QueryTooComplex) if there are more than [`MAX_ACCOUNTS`]; a fault of the storage.
    async fn scope(
        &self,
        accounts: Option<&[&str]>,
        upper: Option<&Places>,
    ) -> Result<Vec<u64>, Error> {
        let begun: Vec<u64> = upper.into_iter().flat_map(Places::accounts).collect();
        let mut scope: Vec<u64> = match accounts {
            Some(accounts) => self.begins_of(accounts).await?.into_keys().collect(),
            None if !begun.is_empty() => begun.clone(),
            None => {
                let all = self.directory.accounts(0, MAX_ACCOUNTS + 1).await?;
                all.into_iter().map(|(number, _)| number).collect()
            }
        };
        if !begun.is_empty() {
            scope.retain(|account| begun.binary_search(account).is_ok());
        }
        if scope.len() > MAX_ACCOUNTS {
            return Err(too_many_accounts());
        }
        Ok(scope)
    }

    /// The store in which an account has its events; `None` if it has captured nothing.
    async fn account(&self, account: &str) -> Result<Option<Rc<dyn Account>>, Error> {
        let begins = self.begins_of(&[account]).await?;
        begins.into_keys().next().map(|number| (self.open)(number)).transpose()
    }

    /// Asks some accounts at once.
    async fn each<I, T>(
        &self,
        accounts: impl IntoIterator<Item = (u64, I)>,
        ask: impl AsyncFn(Rc<dyn Account>, I) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let ask = &ask;
        let asked = accounts
            .into_iter()
            .map(|(account, with)| async move { ask((self.open)(account)?, with).await });
        try_join_all(asked).await
    }
}

/// The error for a question that would read more than [`MAX_ACCOUNTS`] accounts at once.
pub(crate) fn too_many_accounts() -> Error {
    Error::query_too_complex(
        MAX_ACCOUNTS,
        "accounts to read at once: ask with a key that reads fewer; a query may name some with `spine_account`, or read in the order of recording, without `orderBy` or with `orderBy=recordTime&orderDirection=ASC`",
    )
}

/// Numbers of events by their accounts.
fn by_account(sequences: impl IntoIterator<Item = u64>) -> BTreeMap<u64, Vec<u64>> {
    let mut by_account: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for sequence in sequences {
        by_account.entry(account_of(sequence)).or_default().push(sequence);
    }
    by_account
}

#[async_trait(?Send)]
impl Events for Accounts {
    async fn append(&self, batch: &Batch, job: &NewJob) -> Result<AppendResult, Error> {
        let account = job.account.as_str();
        let known = self.begins_of(&[account]).await?.into_values().next();
        let begin = match known {
            Some(begin) => begin,
            None => {
                let begin = self.directory.begin(account).await?;
                self.remember(account.to_owned(), begin);
                begin
            }
        };
        let job = NewJob { begin, ..job.clone() };
        (self.open)(account_of(begin))?.append(batch, &job).await
    }

    async fn known(&self, batch: &Batch, account: &str) -> Result<AlreadyStored, Error> {
        match self.account(account).await? {
            Some(store) => store.known(batch, account).await,
            None => Ok(AlreadyStored::default()),
        }
    }

    async fn numbered(&self, sequences: &[u64], bytes: usize) -> Result<Vec<StoredEvent>, Error> {
        let mut found: Vec<StoredEvent> = Vec::new();
        let mut left = bytes;
        for (account, sequences) in by_account(sequences.iter().copied()) {
            if left == 0 {
                break;
            }
            let here = (self.open)(account)?.numbered(&sequences, left).await?;
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
        let accounts = self.scope(selection.accounts, selection.upper).await?;
        self.merged(selection, accounts).await
    }

    async fn newest_events(&self, accounts: Option<&[&str]>) -> Result<Places, Error> {
        self.newest_of(&self.scope(accounts, None).await?).await
    }

    async fn part(
        &self,
        accounts: Option<&[&str]>,
        after: u64,
    ) -> Result<Option<Vec<(u64, String)>>, Error> {
        let found = match accounts {
            None => {
                let found = self.directory.accounts(after, MAX_ACCOUNTS + 1).await?;
                if after == 0 && found.len() <= MAX_ACCOUNTS {
                    return Ok(None);
                }
                found
            }
            Some(accounts) if accounts.len() <= MAX_ACCOUNTS => return Ok(None),
            Some(accounts) => {
                let begins = self.directory.begins_of(accounts).await?.into_iter();
                let mut found: Vec<(u64, String)> =
                    begins.map(|(name, begin)| (account_of(begin), name)).collect();
                if found.len() <= MAX_ACCOUNTS {
                    return Ok(None);
                }
                found.sort_unstable();
                found.retain(|(number, _)| *number > after);
                found
            }
        };
        Ok(Some(found.into_iter().take(MAX_ACCOUNTS).collect()))
    }

    async fn by_leaf(
        &self,
        leaves: Range<u64>,
        since: &Places,
        accounts: Option<&[&str]>,
    ) -> Result<LeafPage, Error> {
        let end = leaves.end.min(leaves.start.saturating_add(LEAVES));
        let in_scope = match accounts {
            Some(accounts) => Some(self.begins_of(accounts).await?),
            None => None,
        };
        let mut leaves = self.log.bare_leaves_in(leaves.start..end).await?;
        leaves.retain(|leaf| {
            let account = account_of(leaf.sequence);
            leaf.sequence > since.in_account(account)
                && in_scope.as_ref().is_none_or(|accounts| accounts.contains_key(&account))
        });
        let mut next = leaves.get(READ).map_or(end, |leaf| leaf.index);
        leaves.truncate(READ);
        let asked = by_account(leaves.iter().map(|leaf| leaf.sequence));
        let share = (READ_BYTES / asked.len().max(1)).max(1);
        let found =
            self.each(asked, async |store, sequences| store.numbered(&sequences, share).await);
        let found = found.await?.into_iter().flatten().map(|event| (event.sequence, event));
        let mut found: BTreeMap<u64, StoredEvent> = found.collect();
        let mut events = Vec::new();
        for leaf in leaves {
            match found.remove(&leaf.sequence) {
                Some(event) => events.push((leaf.index, event)),
                // It had no room; without any event before it, it is asked for alone, in case that it is not there.
                None if events.is_empty() => {
                    let alone = self.numbered(&[leaf.sequence], 1).await?;
                    events.extend(alone.into_iter().map(|event| (leaf.index, event)));
                }
                None => {
                    next = leaf.index;
                    break;
                }
            }
        }
        Ok(LeafPage { events, next })
    }
}

impl Accounts {
    /// A place in each of these accounts, even if it has no event.
    async fn newest_of(&self, accounts: &[u64]) -> Result<Places, Error> {
        let accounts = accounts.iter().map(|account| (*account, *account));
        let newest = self.each(accounts, async |store, account| {
            let newest = store.newest_events(None).await?.single();
            Ok(newest.max(account * NUMBERS_OF_AN_ACCOUNT))
        });
        Ok(newest.await?.into_iter().collect())
    }
}

fn bytes_of(events: &[StoredEvent]) -> usize {
    events.iter().map(|event| event.event.len()).sum()
}
